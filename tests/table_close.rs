//! A frozen seat that everybody forgives, and a table that is closed because too many are gone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::event::{Command, Event, OfferKind};
use trinka::rules::Seat;
use trinka::table::TableWire;
use trinka::table::agreement::{Evidence, SignedVote, Vote, VoteKind, Voter};
use trinka::table::ledger::{Checks, Presence};
use trinka::table::message::{Free, Payload, Proof, Signed};
use trinka::table::transcript::{Finding, verify};
use trinka::wire;
use world::{CALM, World};

const LONG: u64 = 600_000;

fn two_votes(world: &World, i: usize, height: u64) -> Proof {
    let voter = Voter(u8::try_from(i).unwrap());
    let vote = |value| {
        let kind = VoteKind::Prevote;
        let vote = Vote { height, round: 0, kind, value: Some([value; 32]), voter };
        SignedVote::sign(vote, &world.log_id().0, &world.nodes[i].id.signing_key())
    };
    Proof::Agreement(Evidence::of_votes(vote(1), vote(2)).unwrap())
}

/// A free message of a seat's player, as its program would sign it.
fn free(world: &World, i: usize, free: Free) -> Signed {
    let nonce = world.core(0).seats[&Seat(u8::try_from(i).unwrap())].nonce;
    Signed::new(&world.nodes[i].id, world.log_id(), Payload::Free { nonce, free }).unwrap()
}

fn tell_all(world: &mut World, from: usize, message: &Signed) {
    let bytes = wire::encode(&TableWire::Messages(vec![message.clone()])).unwrap();
    for to in world.alive().collect::<Vec<_>>() {
        world.inject(from, to, bytes.clone());
    }
}

fn accuse(world: &mut World, height: u64) {
    let proof = Box::new(two_votes(world, 3, height));
    let message = free(world, 0, Free::Evidence(proof));
    tell_all(world, 0, &message);
}

#[test]
fn a_frozen_seat_plays_again_when_all_voters_agree() {
    let mut world = World::new(8_500, 4, 200, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    let lied_at = world.core(0).height;
    accuse(&mut world, lied_at);
    world.until("frozen", LONG, |w| w.alive().all(|i| w.presence(i, 3) == Presence::Frozen));
    let so_far = world.core(0).finished;
    world.until("the others go on", LONG, |w| w.finished(so_far + 1));
    let chips = world.core(0).game.stack(Seat(3)).unwrap();

    // It cannot forgive itself, and two of three are not all.
    world.command(3, Command::Unfreeze { seat: Seat(3) });
    world.command(0, Command::Unfreeze { seat: Seat(3) });
    world.command(0, Command::Unfreeze { seat: Seat(3) });
    world.command(1, Command::Unfreeze { seat: Seat(3) });
    let asked = |e: &Event| matches!(e, Event::Offer { kind: OfferKind::Unfreeze, from: Some(_), to, .. } if *to == [Seat(3)]);
    world.until("the third is asked", LONG, |w| w.saw(2, asked));
    let so_far = world.core(0).finished;
    world.until("hands pass", LONG, |w| w.finished(so_far + 2));
    assert_eq!(world.presence(0, 3), Presence::Frozen);
    assert!(world.core(0).game.is_frozen(Seat(3)));
    assert_eq!(world.core(0).game.stack(Seat(3)), Some(chips));
    world.command(0, Command::Unfreeze { seat: Seat(1) });
    assert!(world.saw(0, |e| matches!(e, Event::Error { code, .. } if code == "not-frozen")));

    world.command(2, Command::Unfreeze { seat: Seat(3) });
    world.until("forgiven", LONG, |w| w.alive().all(|i| w.presence(i, 3) == Presence::Here));
    assert!(world.saw(0, |e| *e == Event::Back { seat: Seat(3) }));
    assert!(!world.core(0).game.is_frozen(Seat(3)));
    assert!(!world.votes(0, 3), "it votes after a finished hand only");
    let forgiven_at = world.core(0).height;

    // What it did before is settled.
    accuse(&mut world, lied_at);
    let so_far = world.core(0).finished;
    world.until("it plays", LONG, |w| w.finished(so_far + 3));
    assert_eq!(world.presence(0, 3), Presence::Here);
    assert!(world.votes(0, 3), "it votes again");
    assert_ne!(world.core(0).game.stack(Seat(3)), None);
    let played = |e: &Event| matches!(e, Event::Hand { hand, seats, .. } if *hand > 5 && seats.iter().any(|s| s.seat == Seat(3)));
    assert!(world.saw(0, played));
    world.check();

    // What it does after it is not; and an old consent does not count twice.
    let again = world.core(0).height;
    assert!(again > forgiven_at);
    accuse(&mut world, again);
    world.until("frozen again", LONG, |w| w.alive().all(|i| w.presence(i, 3) == Presence::Frozen));
    let mut checks = Checks::new([1; 32]);
    let state = world.nodes[0].table.as_ref().unwrap().state();
    let consent = |returns| free(&world, 1, Free::Unfreeze { seat: Seat(3), returns });
    assert!(state.try_message(&consent(0), &mut checks).is_err());
    assert!(state.try_message(&consent(1), &mut checks).is_ok());
    let so_far = world.core(0).finished;
    world.until("the others go on", LONG, |w| w.finished(so_far + 1));
    assert_eq!(world.presence(0, 3), Presence::Frozen);
    world.check();
}

#[test]
fn who_stays_away_stands_in_nobodys_way() {
    // The voter that has not agreed is lost: the others' consent is enough then.
    let mut world = World::with_think(8_600, 5, 200, CALM, 10_000);
    world.until("a hand", LONG, |w| w.finished(1));
    let height = world.core(0).height;
    accuse(&mut world, height);
    world.until("frozen", LONG, |w| w.alive().all(|i| w.presence(i, 3) == Presence::Frozen));
    for i in [0, 1, 2] {
        world.command(i, Command::Unfreeze { seat: Seat(3) });
    }
    world.run_for(5_000);
    assert_eq!(world.presence(0, 3), Presence::Frozen);
    world.kill(4);
    world.until("forgiven", LONG, |w| w.presence(0, 3) == Presence::Here);
    assert_eq!(world.presence(0, 4), Presence::Away);
    let so_far = world.core(0).finished;
    world.until("they go on", LONG, |w| w.finished(so_far + 2));
    world.check();
}

#[test]
fn a_closed_hand_goes_on_when_its_players_meet_again() {
    for players in [2, 4] {
        let mut world = World::new(8_700 + players as u64, players, 100, CALM);
        world.until("in a hand", LONG, |w| {
            w.finished(1) && w.alive().all(|i| w.core(i).game.bank() > 0)
        });
        world.nodes.iter_mut().for_each(|n| n.bot = false);
        world.run_for(500);
        world.command(0, Command::Close);
        assert!(world.saw(0, |e| matches!(e, Event::Error { code, .. } if code == "not-closable")));
        assert!(world.nodes[0].files.is_empty());
        // All at once: of four, two are too few.
        let gone: Vec<usize> = (players / 2..players).collect();
        for i in &gone {
            world.kill(*i);
        }
        world.run_for(20_000);
        let (hand, bank) = (world.core(0).hand().unwrap(), world.core(0).game.bank());
        assert!(bank > 0);
        world.command(0, Command::Close);
        world.command(0, Command::Close);
        let closes = |e: &&Event| **e == Event::Closed { seat: Seat(0), bank };
        assert_eq!(world.nodes[0].events.iter().filter(closes).count(), 1);
        assert!(world.nodes[0].table.as_ref().unwrap().closed());
        if players == 4 {
            world.until("the other hears it", 5_000, |w| {
                w.saw(1, |e| *e == Event::Closed { seat: Seat(0), bank })
            });
        }

        let file = world.nodes[0].files[&format!("{hand:04}.closed")].clone();
        let Finding::Unfinished(report) = verify(&file, [5; 32]) else { panic!("it has no end") };
        assert_eq!((report.hand, report.suspended), (hand, Some(bank)));
        let stacks: u64 = report.seats.iter().map(|s| s.after).sum();
        assert_eq!(stacks + bank, world.core(0).game.total_bought());
        for at in (0..file.len()).step_by(499) {
            let mut copy = file.clone();
            copy[at] ^= 1 << (at % 8);
            assert!(matches!(verify(&copy, [5; 32]), Finding::Bad(_)), "byte {at}");
        }

        // Everybody went home; they meet again.
        let finished = world.core(0).finished;
        for i in 0..players / 2 {
            world.kill(i);
        }
        world.nodes.iter_mut().for_each(|n| n.bot = true);
        for i in 0..players {
            world.revive(i);
        }
        world.until("the same hand ends", LONG, |w| w.finished(finished + 1));
        let ended = world.nodes[0].events.iter().rev().find_map(|e| match e {
            Event::Settled { hand, .. } => Some(*hand),
            _ => None,
        });
        assert!(ended >= Some(hand));
        assert!(matches!(verify(&world.nodes[0].transcripts[&hand], [5; 32]), Finding::Good(_)));
        assert!(!world.nodes[0].table.as_ref().unwrap().closed());
        world.check();
    }
}

#[test]
fn a_claim_of_another_state_is_found() {
    let mut world = World::new(8_800, 2, 100, CALM);
    world.until("in a hand", LONG, |w| {
        w.finished(1) && w.alive().all(|i| w.core(i).game.bank() > 0)
    });
    world.kill(1);
    world.run_for(20_000);
    let (core, bank) = (world.core(0).clone(), world.core(0).game.bank());
    let table = world.nodes[0].table.as_ref().unwrap();
    let (state, log) = (table.state().hash(), table.log().to_vec());
    let founded = world.founded.clone();
    let opening = trinka::table::ledger::State::found(&founded).unwrap();
    let entries: Vec<_> = log.iter().map(|d| (**d).clone()).collect();
    let write = |by: usize, height, state, bank, evidence| {
        let missing = vec![Seat(1)];
        let payload = Payload::Close { height, state, missing, bank, evidence };
        let id = &world.nodes[by].id;
        let claim = Signed::new(id, world.log_id(), payload).unwrap();
        let owner = &world.nodes[0].id;
        let hand = core.hand().unwrap();
        let written = trinka::table::transcript::write_claim(
            owner,
            &founded,
            opening.core(),
            hand,
            &entries,
            &claim,
        );
        verify(&written.unwrap(), [6; 32])
    };
    let good = write(0, core.height, state, bank, vec![two_votes(&world, 1, 2)]);
    assert!(matches!(good, Finding::Unfinished(r) if r.suspended == Some(bank)));
    let mut false_proof = two_votes(&world, 1, 2);
    if let Proof::Agreement(Evidence::Votes(one, two)) = &mut false_proof {
        std::mem::swap(one, two);
    }
    for bad in [
        write(1, core.height, state, bank, Vec::new()),
        write(0, core.height + 1, state, bank, Vec::new()),
        write(0, core.height, [0; 32], bank, Vec::new()),
        write(0, core.height, state, bank + 1, Vec::new()),
        write(0, core.height, state, bank, vec![false_proof]),
    ] {
        assert!(matches!(bad, Finding::Bad(_)), "{bad:?}");
    }
}
