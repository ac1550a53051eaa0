//! Two entries decided at one height: the table ends at the last common one, and the proof stands by itself.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::event::{Event, FaultKind};
use trinka::rules::Seat;
use trinka::table::TableWire;
use trinka::table::agreement::{
    Certificate, SignedVote, Vote, VoteKind, Voter, value_id, verify_evidence,
};
use trinka::table::fork::Fork;
use trinka::table::ledger::{Presence, Stage};
use trinka::table::message::Decided;
use trinka::table::transcript::{Part, verify_fork};
use trinka::wire;
use world::{CALM, World};

const LONG: u64 = 600_000;

/// The first height at which two nodes hold different entries.
fn parted(world: &World, a: usize, b: usize) -> Option<u64> {
    let log = |i: usize| world.nodes[i].table.as_ref().unwrap().log();
    let at = log(a).iter().zip(log(b)).position(|(x, y)| x.entry != y.entry)?;
    Some(at as u64 + 1)
}

/// Three seats, of which the third runs twice: 0 meets the one, 1 the other, until their logs part.
fn two_faced(seed: u64, further_ms: u64) -> (World, u64) {
    let mut world = World::new(seed, 3, 100, CALM);
    world.until("in a hand", LONG, |w| {
        w.finished(1) && w.alive().all(|i| w.core(i).game.bank() > 0)
    });
    world.blocked.extend([(0, 1), (0, 3), (1, 2), (2, 3)]);
    let (id, records) = (world.nodes[2].id.clone(), world.nodes[2].records.clone());
    let twin = world.add(id);
    world.nodes[twin].records = records;
    world.start(twin);
    world.connect_all();
    world.until("their logs part", LONG, |w| parted(w, 0, 1).is_some());
    world.run_for(further_ms);
    let at = parted(&world, 0, 1).unwrap();
    (world, at)
}

fn ended(world: &World, i: usize) -> bool {
    world.nodes[i].table.as_ref().unwrap().fork().is_some()
}

#[test]
fn a_fork_ends_the_table_where_the_logs_part() {
    let mut named = 0;
    for (seed, further) in [(8_000, 0), (8_001, 5_000), (8_002, 90_000), (8_003, 0), (8_004, 1_000)]
    {
        let (mut world, at) = two_faced(seed, further);
        let before: Vec<u64> = [0, 1].iter().map(|i| world.core(*i).height).collect();
        world.blocked.remove(&(0, 1));
        world.connect_all();
        world.until("both know", 60_000, |w| ended(w, 0) && ended(w, 1));
        world.run_for(10_000);
        assert!(before.iter().all(|height| *height > at));
        let (height, liars) = world.nodes[0].table.as_ref().unwrap().fork().unwrap();
        assert_eq!(height, at, "seed {seed}: the first height that differs");
        assert_eq!(world.nodes[1].table.as_ref().unwrap().fork(), Some((height, liars.clone())));
        assert!(liars.iter().all(|seat| *seat == Seat(2)), "nobody else is blamed");
        named += liars.len();
        for i in [0, 1] {
            let table = world.nodes[i].table.as_ref().unwrap();
            assert!(table.halted());
            assert_eq!(table.log().len() as u64, at - 1, "nothing is followed from there on");
            let core = world.core(i);
            assert_eq!(core.stage, Stage::Over);
            assert_eq!(core.game.bank(), 0);
            assert_eq!(core.game.total(), core.game.total_bought(), "chips are kept");
            assert_eq!(core, world.core(0), "both end with the same");
            assert!(world.saw(i, |e| matches!(e, Event::Error { code, .. } if code == "fork")));
            let lied = |e: &Event| {
                matches!(
                    e,
                    Event::Fault { seat: Seat(2), kind: FaultKind::TwoVotes, evidence: Some(_) }
                )
            };
            assert_eq!(world.saw(i, lied), !liars.is_empty());
            assert_eq!(core.game.is_frozen(Seat(2)), !liars.is_empty());
            assert_eq!(core.seats[&Seat(2)].presence == Presence::Frozen, !liars.is_empty());
            let told = |e: &Event| matches!(e, Event::Settled { stacks, .. } if *stacks == core.game.stacks());
            assert!(world.saw(i, told), "the player is told who has what");

            let file = &world.nodes[i].files[&format!("{at:06}.fork")];
            let report = verify_fork(file).expect("the proof holds by itself");
            assert_eq!((report.height, &report.named), (at, &liars));
            for seat in &report.seats {
                assert_eq!(Some(seat.after), core.game.stack(seat.seat));
                if liars.contains(&seat.seat) {
                    assert_eq!(seat.after, seat.before, "a liar gets nothing of the bank");
                }
            }
            let all = |of: fn(&trinka::table::transcript::ReportSeat) -> u64| {
                report.seats.iter().map(of).sum::<u64>()
            };
            assert_eq!(all(|s| s.after), all(|s| s.before) + report.bank);
        }
        world.check();

        // It stays so after a start, and nothing is played any more.
        let core = world.core(0).clone();
        world.kill(0);
        world.revive(0);
        assert!(ended(&world, 0));
        assert_eq!(*world.core(0), core);
        world.run_for(10_000);
        assert_eq!(*world.core(0), core);
    }
    assert!(named > 0, "where both votes are of one round the liar is named");
}

#[test]
fn whoever_hears_of_a_fork_stops() {
    let (mut world, at) = two_faced(8_100, 0);
    world.blocked.clear();
    world.connect_all();
    world.until("all know", 60_000, |w| w.alive().all(|i| ended(w, i)));
    world.check();
    assert!(world.alive().all(|i| world.core(i).height == at));
    // Who was not there is shown it, and what led to it.
    let i = world.add(world::identity(9_900, 0));
    world.connect_all();
    world.until("a newcomer knows", 60_000, |w| ended(w, i));
    assert_eq!(world.core(i).game.stacks(), world.core(0).game.stacks());
}

#[test]
fn any_change_in_the_proof_is_found() {
    let (mut world, at) = two_faced(8_000, 0);
    world.blocked.remove(&(0, 1));
    world.connect_all();
    world.until("both know", 60_000, |w| ended(w, 0) && ended(w, 1));
    let file = world.nodes[0].files[&format!("{at:06}.fork")].clone();
    assert!(verify_fork(&file).is_ok());
    for place in (0..file.len()).step_by(7) {
        let mut copy = file.clone();
        copy[place] ^= 1 << (place % 8);
        assert!(verify_fork(&copy).is_err(), "byte {place}");
    }
    assert_eq!(verify_fork(&file[..file.len() - 1]).unwrap_err().part, Part::Signature);
    let longer = [file.as_slice(), &[0]].concat();
    assert_eq!(verify_fork(&longer).unwrap_err().part, Part::End);
}

fn certificate(world: &World, height: u64, value: [u8; 32], signers: &[usize]) -> Certificate {
    let domain = world.log_id().0;
    let signatures = signers.iter().map(|i| {
        let voter = Voter(u8::try_from(*i).unwrap());
        let kind = VoteKind::Precommit;
        let vote = Vote { height, round: 0, kind, value: Some(value), voter };
        (voter, SignedVote::sign(vote, &domain, &world.nodes[*i].id.signing_key()).signature)
    });
    Certificate { height, round: 0, value_id: value, signatures: signatures.collect() }
}

#[test]
fn what_is_no_fork_stops_nobody() {
    let mut world = World::new(8_200, 4, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    let height = world.core(0).height - 3;
    let ours = world.nodes[0].table.as_ref().unwrap().log()[height as usize - 1].clone();
    let entry: trinka::table::message::Entry = wire::decode(&ours.entry).unwrap();
    let mut other = entry;
    other.composer = Seat((other.composer.0 + 1) % 4);
    let other = wire::encode(&other).unwrap();
    let id = value_id(&other);
    let fork = |second: Certificate, entry: &[u8]| {
        Fork::new(entry.to_vec(), ours.certificate.clone(), second)
    };
    let mut short = certificate(&world, height, id, &[1, 2]);
    let twice = certificate(&world, height, id, &[1, 1, 2]);
    let elsewhere = certificate(&world, height + 1, id, &[1, 2, 3]);
    let ahead = certificate(&world, height + 1_000, id, &[1, 2, 3]);
    let mut claims = vec![
        fork(short.clone(), &ours.entry),
        fork(twice, &ours.entry),
        fork(elsewhere, &ours.entry),
        fork(ours.certificate.clone(), &ours.entry),
        fork(certificate(&world, height, id, &[1, 2, 3]), b"neither"),
        Fork::new(other.clone(), ahead.clone(), ahead),
    ];
    short.signatures.push((Voter(3), short.signatures[0].1));
    claims.push(fork(short.clone(), &ours.entry));
    for claim in claims {
        let bytes = wire::encode(&TableWire::Fork(Box::new(claim))).unwrap();
        world.inject(1, 0, bytes);
        assert!(!ended(&world, 0));
    }
    let entries = vec![Decided { entry: other.clone(), certificate: short, deal: Vec::new() }];
    world.inject(1, 0, wire::encode(&TableWire::Entries { from: height, entries }).unwrap());
    assert!(!ended(&world, 0) && !world.nodes[0].table.as_ref().unwrap().halted());
    let so_far = world.core(0).finished;
    world.until("they go on", LONG, |w| w.finished(so_far + 1));

    // With a quorum on both it is one, and everybody in both is proved to have lied.
    let second = certificate(&world, height, id, &[1, 2, 3]);
    let both: Vec<Seat> = ours
        .certificate
        .signatures
        .iter()
        .map(|(voter, _)| Seat(voter.0))
        .filter(|seat| seat.0 > 0 && ours.certificate.round == 0)
        .collect();
    let keys = world.core(0).voting_keys();
    let claim = fork(second.clone(), &ours.entry);
    for evidence in claim.evidence() {
        verify_evidence(&world.log_id().0, &keys, &evidence).expect("each piece holds by itself");
    }
    let entries = vec![Decided { entry: other, certificate: second, deal: Vec::new() }];
    world.inject(1, 0, wire::encode(&TableWire::Entries { from: height, entries }).unwrap());
    let (at, liars) = world.nodes[0].table.as_ref().unwrap().fork().unwrap();
    assert_eq!(at, height);
    assert!(!both.is_empty() && both.iter().all(|seat| liars.contains(seat)), "{liars:?}");
    world.until("the others hear of it", 60_000, |w| w.alive().all(|i| ended(w, i)));
    world.check();
}
