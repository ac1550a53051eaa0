//! Liars are frozen with proof, and nothing from outside stops a table or makes it say something.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use trinka::event::{Event, FaultKind};
use trinka::identity::Identity;
use trinka::rules::Seat;
use trinka::table::agreement::{SignedVote, Vote, VoteKind, Voter};
use trinka::table::evidence;
use trinka::table::ledger::{Checks, DealPlan, Presence, Stage};
use trinka::table::message::{Basis, Entry, Free, Payload, Proof, Signed, StepId};
use trinka::table::{Input, Output, Record, Table, TableWire};
use trinka::wire;
use world::{CALM, Death, World, identity};

const LONG: u64 = 600_000;

fn messages(list: Vec<Signed>) -> Vec<u8> {
    wire::encode(&TableWire::Messages(list)).unwrap()
}

fn signed(world: &World, i: usize, payload: Payload) -> Signed {
    Signed::new(&world.nodes[i].id, world.log_id(), payload).unwrap()
}

/// A vote as the agreement sends it.
fn vote(world: &World, i: usize, height: u64, value: Option<[u8; 32]>) -> Vec<u8> {
    let voter = Voter(u8::try_from(i).unwrap());
    let vote = Vote { height, round: 0, kind: VoteKind::Prevote, value, voter };
    let signed = SignedVote::sign(vote, &world.log_id().0, &world.nodes[i].id.signing_key());
    let bytes = bincode::serde::encode_to_vec(
        (1u32, vec![signed]),
        bincode::config::standard().with_big_endian(),
    )
    .unwrap();
    wire::encode(&TableWire::Agreement { height, bytes }).unwrap()
}

/// The liar is frozen with proof at everybody, and the others play on.
fn frozen(world: &mut World, liar: usize, kind: FaultKind) {
    let seat = Seat(u8::try_from(liar).unwrap());
    let honest: Vec<usize> = (0..world.nodes.len()).filter(|i| *i != liar).collect();
    world.until("the liar is frozen", LONG, |w| {
        honest.iter().all(|i| w.presence(*i, seat.0) == Presence::Frozen)
    });
    for i in &honest {
        let told = |e: &Event| matches!(e, Event::Fault { seat: s, kind: k, evidence: Some(_) } if *s == seat && *k == kind);
        assert!(world.saw(*i, told));
        assert!(!world.votes(*i, seat.0));
        for other in &honest {
            assert_eq!(
                world.presence(*i, u8::try_from(*other).unwrap()),
                Presence::Here,
                "nobody else pays for it"
            );
        }
    }
    let chips = world.core(honest[0]).game.stack(seat);
    let so_far = world.core(honest[0]).finished;
    world.until("the others go on", LONG, |w| {
        honest.iter().all(|i| w.core(*i).finished >= so_far + 2)
    });
    assert_eq!(world.core(honest[0]).game.stack(seat), chips, "its stack is frozen");
    assert!(world.core(honest[0]).game.is_frozen(seat));
    world.check();
}

#[test]
fn who_votes_twice_is_frozen() {
    for late in [false, true] {
        let mut world = World::new(6_000, 4, 100, CALM);
        world.until("in a hand", LONG, |w| {
            w.finished(1) && w.alive().all(|i| w.core(i).basis().is_some())
        });
        world.kill(3);
        world.run_for(500);
        // In the height that is open, or in the one that was just decided.
        let height = world.core(0).height - u64::from(late);
        for value in [[1; 32], [2; 32]] {
            let bytes = vote(&world, 3, height, Some(value));
            world.inject(3, 0, bytes);
        }
        frozen(&mut world, 3, FaultKind::TwoVotes);
    }
}

#[test]
fn who_makes_two_keys_is_frozen() {
    let mut world = World::new(6_100, 4, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    world.doom = Some((2, Death { says: |p| matches!(p, Payload::Key { .. }), heard: true }));
    world.until("it has said its key", LONG, |w| w.nodes[2].table.is_none());
    world.run_for(10);
    let plan = DealPlan::new(world.core(0)).unwrap().unwrap();
    let other = signed(&world, 2, Payload::Key { deal: plan.id.0, bytes: vec![9; 96] });
    world.inject(2, 1, messages(vec![other]));
    frozen(&mut world, 2, FaultKind::TwoMessages);
}

/// Two whose keys cancel out would read what the others put in escrow for them together.
#[test]
fn whose_keys_cancel_out_are_both_frozen() {
    let mut world = World::new(6_150, 6, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_none());
    let number = world.core(0).deals + 1;
    // 1, and the group's order less 1
    let mut one = [0; 32];
    one[0] = 1;
    let mut minus_one = [0; 32];
    minus_one[31] = 0x10;
    minus_one[..16].copy_from_slice(&[
        0xec, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14,
    ]);
    for (liar, key) in [(1, one), (4, minus_one)] {
        let key = zeroize::Zeroizing::new(key);
        // Their programs find the keys of the next deal where they keep their own.
        world.kill(liar);
        world.nodes[liar].records.push(Record::Secret { deal: number, key });
        world.revive(liar);
    }
    let honest = [0, 2, 3, 5];
    world.until("both are frozen", LONG, |w| {
        honest.iter().all(|i| [1, 4].iter().all(|l| w.presence(*i, *l) == Presence::Frozen))
    });
    assert_eq!(world.core(0).finished, 1, "no hand was played with such keys");
    for i in honest {
        for liar in [1, 4] {
            let told = |e: &Event| matches!(e, Event::Fault { seat, kind: FaultKind::FalseProof, evidence: Some(_) } if seat.0 == liar);
            assert!(world.saw(i, told));
        }
        for other in honest {
            assert_eq!(world.presence(i, u8::try_from(other).unwrap()), Presence::Here);
        }
    }
    world.until("the others go on", LONG, |w| honest.iter().all(|i| w.core(*i).finished >= 3));
    world.check();

    // The proof names those two, and nobody else, whoever's key is put last.
    let proofs = evidence_in(&world, 0);
    assert_eq!(proofs.len(), 2);
    let mut checks = Checks::new([1; 32]);
    let state = world.nodes[0].table.as_ref().unwrap().state();
    for proof in proofs {
        let Proof::FalseDealMessage { number, order, shufflers, purpose, messages } = proof else {
            panic!("another proof");
        };
        let (_, keys) = messages.split_last().unwrap();
        for (seat, own) in order.iter().zip(keys) {
            let messages = keys.iter().chain([own]).cloned().collect();
            let (order, shufflers) = (order.clone(), shufflers.clone());
            let again = Proof::FalseDealMessage { number, order, shufflers, purpose, messages };
            let named = evidence::accused(&again, state.core(), checks.rng());
            assert_eq!(named.is_ok_and(|(s, _)| s == *seat), [1, 4].contains(&seat.0));
        }
        let fewer = keys.iter().skip(1).chain([&keys[0]]).cloned().collect();
        let again = Proof::FalseDealMessage { number, order, shufflers, purpose, messages: fewer };
        assert!(evidence::accused(&again, state.core(), checks.rng()).is_err());
    }
}

/// The proofs in a node's log.
fn evidence_in(world: &World, i: usize) -> Vec<Proof> {
    let mut proofs = Vec::new();
    for decided in world.nodes[i].table.as_ref().unwrap().log() {
        let entry: Entry = wire::decode(&decided.entry).unwrap();
        for message in entry.messages {
            if let Payload::Free { free: Free::Evidence(proof), .. } =
                message.read(world.log_id()).unwrap().payload
            {
                proofs.push(*proof);
            }
        }
    }
    proofs
}

/// What a node that died just before saying something would have said, and a second version of it.
fn two_versions(world: &mut World, liar: usize, says: fn(&Payload) -> bool) -> (Signed, Signed) {
    world.listen = true;
    world.doom = Some((liar, Death { says, heard: false }));
    world.until("it has something to say", LONG, |w| w.nodes[liar].table.is_none());
    let log = world.log_id();
    let is = |m: &Signed| m.read(log).is_ok_and(|b| says(&b.payload));
    let mut records = world.nodes[liar].records.clone();
    let Some(Record::Own(first)) = records.pop().filter(|r| matches!(r, Record::Own(m) if is(m)))
    else {
        panic!()
    };
    let body = first.read(world.log_id()).unwrap();
    if let Payload::Cut { deal, after, at } = body.payload {
        let second = signed(world, liar, Payload::Cut { deal, after, at: (at + 1) % 36 });
        return (first, second);
    }
    // A program that forgot what it signed makes it anew.
    let config = world.config(liar);
    let mut twin = Table::restore(config, records, world.now).unwrap();
    let mut second = None;
    for (from, bytes) in world.nodes[liar].received.clone() {
        twin.handle(world.now, Input::Wire { from, bytes });
        while let Some(output) = twin.poll_output() {
            match output {
                Output::Persist(_) => twin.handle(world.now, Input::Persisted),
                Output::Send { bytes, .. } => {
                    if let Ok(TableWire::Messages(list)) = wire::decode(&bytes) {
                        second = second.or(list.into_iter().find(is));
                    }
                }
                _ => {}
            }
        }
    }
    (first, second.expect("it says it again"))
}

#[test]
fn who_shows_different_cuts_to_different_players_is_frozen() {
    let mut world = World::new(6_200, 4, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    // The right of the dealer cuts: it is known once the deal is open.
    world.until("a deal", LONG, |w| {
        w.finished(1) && w.alive().all(|i| matches!(w.core(i).stage, Stage::Dealing { .. }))
    });
    let liar = usize::from(DealPlan::new(world.core(0)).unwrap().unwrap().cutter().unwrap().0);
    let (first, second) = two_versions(&mut world, liar, |p| matches!(p, Payload::Cut { .. }));
    let honest: Vec<usize> = (0..4).filter(|i| *i != liar).collect();
    world.inject(liar, honest[0], messages(vec![first.clone()]));
    world.inject(liar, honest[1], messages(vec![first]));
    world.inject(liar, honest[2], messages(vec![second]));
    frozen(&mut world, liar, FaultKind::TwoMessages);
}

#[test]
fn who_shows_different_shuffles_to_different_players_is_frozen() {
    for liar in [0, 1, 2] {
        let mut world = World::with_think(6_300, 4, 100, CALM, 10_000);
        world.listen = true;
        world.until("a hand", LONG, |w| w.finished(1));
        let (first, second) =
            two_versions(&mut world, liar, |p| matches!(p, Payload::Shuffle { .. }));
        assert_ne!(first, second);
        let honest: Vec<usize> = (0..4).filter(|i| *i != liar).collect();
        world.inject(liar, honest[0], messages(vec![first.clone()]));
        world.inject(liar, honest[1], messages(vec![first]));
        world.inject(liar, honest[2], messages(vec![second]));
        frozen(&mut world, liar, FaultKind::TwoMessages);
    }
}

#[test]
fn a_false_shuffle_is_proved_by_what_it_builds_on() {
    let mut world = World::new(6_400, 4, 100, CALM);
    // Who comes back says nothing before it has heard the others.
    world.listen = true;
    world.until("a hand", LONG, |w| w.finished(1));
    let (first, _) = two_versions(&mut world, 1, |p| matches!(p, Payload::Shuffle { .. }));
    let Payload::Shuffle { deal, after, deck, mut proof } =
        first.read(world.log_id()).unwrap().payload
    else {
        panic!()
    };
    let last = proof.len() - 1;
    proof[last] ^= 1;
    let wrong = signed(&world, 1, Payload::Shuffle { deal, after, deck, proof });
    let before = world.now;
    for i in [0, 2, 3] {
        world.inject(1, i, messages(vec![wrong.clone()]));
    }
    world.until("it is frozen", LONG, |w| w.alive().all(|i| w.presence(i, 1) == Presence::Frozen));
    assert!(world.now < before + 5_000, "nobody waits for the clock of what is false");
    for i in [0, 2, 3] {
        assert!(world.saw(i, |e| matches!(
            e,
            Event::Fault { seat: Seat(1), kind: FaultKind::FalseProof, evidence: Some(_) }
        )));
    }
    world.until("the others play", LONG, |w| w.finished(3));
    world.check();
}

#[test]
fn evidence_that_proves_nothing_harms_nobody() {
    let mut world = World::new(6_500, 3, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    let nonce = world.core(0).seats[&Seat(2)].nonce;
    let say = |w: &World, seq: u64| signed(w, 1, Payload::Say { seq, text: "x".into() });
    let pairs = [
        (say(&world, 1), say(&world, 2)),
        (
            signed(&world, 1, Payload::Key { deal: [1; 32], bytes: vec![] }),
            signed(&world, 0, Payload::Key { deal: [1; 32], bytes: vec![1] }),
        ),
        (
            signed(&world, 1, Payload::Key { deal: [1; 32], bytes: vec![] }),
            signed(&world, 1, Payload::Key { deal: [2; 32], bytes: vec![] }),
        ),
        (
            signed(&world, 1, Payload::Key { deal: [1; 32], bytes: vec![] }),
            signed(&world, 1, Payload::Key { deal: [1; 32], bytes: vec![] }),
        ),
    ];
    for (first, second) in pairs {
        let free = Free::Evidence(Box::new(Proof::TwoDealMessages { first, second }));
        let bytes = messages(vec![signed(&world, 2, Payload::Free { nonce, free })]);
        for i in [0, 1] {
            world.inject(2, i, bytes.clone());
        }
    }
    world.until("they go on", LONG, |w| w.finished(3));
    assert!(!world.saw(0, |e| matches!(e, Event::Fault { .. })));
    world.check();
}

#[test]
fn what_was_said_at_another_table_is_refused() {
    let mut there = World::new(6_600, 3, 7, CALM);
    there.listen = true;
    there.until("two hands", LONG, |w| w.finished(2));
    // The same players at another table.
    let mut here = World::new(6_600, 3, 100, CALM);
    here.until("in a hand", LONG, |w| w.alive().all(|i| w.core(i).basis().is_some()));
    assert_ne!(here.log_id(), there.log_id());
    let (hash, height, told, kept) = (
        here.core(0).hash(),
        here.core(0).height,
        here.nodes[0].events.len(),
        here.nodes[0].records.len(),
    );
    for (from, bytes) in there.nodes[0].received.clone() {
        here.input(0, Input::Wire { from, bytes });
    }
    assert_eq!((here.core(0).hash(), here.core(0).height), (hash, height));
    assert_eq!((here.nodes[0].events.len(), here.nodes[0].records.len()), (told, kept));
    here.until("they go on", LONG, |w| w.finished(2));
    here.check();
}

#[test]
fn garbage_changes_nothing() {
    let mut rng = ChaCha20Rng::seed_from_u64(66);
    let mut world = World::new(6_700, 3, 100, CALM);
    world.listen = true;
    world.until("in a hand", LONG, |w| {
        w.finished(1) && w.alive().all(|i| w.core(i).basis().is_some())
    });
    world.nodes.iter_mut().for_each(|n| n.bot = false);
    world.run_for(200);
    let traffic = world.nodes[0].received.clone();
    let (hash, told) = (world.core(0).hash(), world.nodes[0].events.len());
    for round in 0..6_000usize {
        let (from, mut bytes) = traffic[rng.random_range(0..traffic.len())].clone();
        match round % 6 {
            0 => bytes = (0..rng.random_range(0..300)).map(|_| rng.random()).collect(),
            1 => bytes.truncate(rng.random_range(0..bytes.len())),
            2 => bytes.extend((0..rng.random_range(1..40)).map(|_| rng.random::<u8>())),
            3 => {
                let (_, other) = &traffic[rng.random_range(0..traffic.len())];
                let cut = rng.random_range(0..bytes.len());
                bytes.truncate(cut);
                bytes.extend(other.iter().skip(cut));
            }
            _ => {
                for _ in 0..rng.random_range(1..4) {
                    let at = rng.random_range(0..bytes.len());
                    bytes[at] ^= 1 << rng.random_range(0..8);
                }
            }
        }
        world.input(0, Input::Wire { from, bytes });
    }
    let from = world.nodes[1].id.public();
    let huge = wire::MAX_BYTES * 2;
    for bytes in [
        vec![],
        vec![0],
        vec![255; 1 << 16],
        vec![1; huge],
        vec![2; huge],
        [vec![1, 253], vec![255; 8]].concat(),
    ] {
        world.input(0, Input::Wire { from, bytes });
    }
    assert_eq!(world.core(0).hash(), hash);
    assert_eq!(world.nodes[0].events.len(), told);
    world.nodes.iter_mut().for_each(|n| n.bot = true);
    world.until("they go on", LONG, |w| w.finished(3));
    for seat in 0..3 {
        // Whoever was to act when the garbage came may have folded by the clock; nobody was lost.
        assert_eq!(world.presence(0, seat), Presence::Here);
    }
    world.check();
}

#[test]
fn floods_of_strangers_and_of_a_player_stop_nobody() {
    let mut world = World::new(6_800, 4, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    let far = Basis { deal: 1 << 40, turn: 0 };
    let fill = "x".repeat(500);
    for n in 0..1_500usize {
        let stranger: Identity = identity(9_500 + n as u64 / 250, n % 250);
        let payload = match n % 5 {
            0 => Payload::Start { hand: 1 << 40, participants: vec![Seat(1); n % 50] },
            1 => Payload::Ready { hand: 1 << 40 },
            2 => Payload::Status {
                seq: 1,
                height: u64::MAX,
                state: [0; 32],
                deal: None,
                hears: vec![Seat(0); 60],
            },
            3 => Payload::Shares {
                deal: 1 << 40,
                round: 0,
                positions: vec![1],
                batch: fill.as_bytes().to_vec(),
            },
            _ => Payload::Absent { step: StepId::Turn(far), seat: Seat(0) },
        };
        let message = Signed::new(&stranger, world.log_id(), payload).unwrap();
        for i in 0..4 {
            world.input(
                i,
                Input::Wire { from: stranger.public(), bytes: messages(vec![message.clone()]) },
            );
        }
    }
    for n in 0..400u32 {
        let payload = match n % 3 {
            0 => Payload::Move {
                basis: Basis { deal: (1 << 40) + u64::from(n), turn: n },
                action: trinka::rules::Action::Fold,
            },
            1 => Payload::Key { deal: [n as u8; 32], bytes: n.to_be_bytes().to_vec() },
            _ => Payload::Free { nonce: 1_000 + u64::from(n), free: Free::Leave },
        };
        let message = signed(&world, 3, payload);
        for i in 0..3 {
            world.inject(3, i, messages(vec![message.clone()]));
        }
    }
    let so_far = world.core(0).finished;
    world.until("they go on", LONG, |w| w.finished(so_far + 2));
    for seat in 0..4 {
        assert_eq!(world.presence(0, seat), Presence::Here);
    }
    world.check();
}

#[test]
fn two_programs_with_one_key_are_noticed() {
    let mut world = World::new(6_900, 4, 100, CALM);
    world.until("in a hand", LONG, |w| {
        w.finished(1) && w.alive().all(|i| w.core(i).basis().is_some())
    });
    world.nodes.iter_mut().for_each(|n| n.bot = false);
    world.run_for(500);
    // Somebody else signs with node 3's key: node 3 meets a signature that it did not make.
    let bytes = vote(&world, 3, world.core(3).height, Some([5; 32]));
    world.inject(1, 3, bytes);
    assert!(
        world.saw(3, |e| matches!(e, Event::Error { code, .. } if code == "foreign-signature"))
    );
    world.nodes.iter_mut().for_each(|n| n.bot = true);
    world.until("the others go on", LONG, |w| [0, 1, 2].iter().all(|i| w.core(*i).finished >= 3));
    world.check();
}
