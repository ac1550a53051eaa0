//! Coming back from a crash, and the guard.

use super::*;

#[test]
fn every_prefix_of_the_records_replays_without_contradiction() {
    let mut room = Room::new(4);
    room.judge = Box::new(|node, round, _| match (node, round) {
        (_, 0) => Verdict::SoftNil,
        _ => Verdict::Valid,
    });
    room.all(&Input::Pending);
    room.pass(3_000);
    for seat in 0..4_u8 {
        let records = &room.records[usize::from(seat)];
        for stored in 0..=records.len() {
            let prefix = &records[..stored];
            let cfg = config(4, Some(seat));
            let key = key(Voter(seat));
            let mut node = Height::replay(cfg, Some(key), prefix.iter().cloned()).unwrap();
            let mut outputs = drain(&mut node);
            for now in (0..6_000).step_by(100) {
                outputs.extend(give(&mut node, now, Input::Tick));
            }
            let signed: Vec<_> = prefix
                .iter()
                .filter_map(|record| match record {
                    Record::Vote(signed) if signed.vote.voter == Voter(seat) => Some(signed.vote),
                    _ => None,
                })
                .collect();
            for (round, kind, value) in votes_of(&outputs, seat) {
                let other = signed.iter().find(|vote| (vote.round, vote.kind) == (round, kind));
                assert!(other.is_none_or(|vote| vote.value == value), "{stored} records");
            }
            let decided = outputs.iter().any(|output| matches!(output, Output::Decided { .. }));
            assert!(decided || stored < records.len(), "{stored} records");
        }
    }
}

#[test]
fn what_a_crash_cut_off_is_done_after_it() {
    let (_, outputs) = with_proposal(3, Verdict::Valid);
    let mut records: Vec<_> = outputs
        .iter()
        .filter_map(|output| match output {
            Output::Persist(record) => Some(record.clone()),
            _ => None,
        })
        .collect();
    records.insert(0, Record::NewRound { round: 0 });
    // Down to the proposal: the prevote on it was neither guarded nor counted.
    let at = records.iter().position(|record| matches!(record, Record::Proposal { .. })).unwrap();
    records.truncate(at + 1);
    let cfg = config(4, Some(3));
    let mut node = Height::replay(cfg, Some(key(Voter(3))), records.into_iter()).unwrap();
    assert_eq!(node.poll_timeout(), Some(0));
    let outputs = give(&mut node, 77, Input::Tick);
    assert_eq!(votes_of(&outputs, 3), [(0, VoteKind::Prevote, Some(id()))]);
}

#[test]
fn the_guard_refuses_a_contradiction() {
    let statement = b"something else".to_vec();
    let guard = Record::Signed { round: 0, place: Place::Prevote, statement };
    let cfg = config(4, Some(1));
    let mut node = Height::replay(cfg, Some(key(Voter(1))), [guard].into_iter()).unwrap();
    give(&mut node, 0, Input::Pending);
    assert_eq!(node.handle(500, Input::Tick), Err(Error::Contradiction { round: 0 }));
    let outputs = drain(&mut node);
    assert_eq!(votes_of(&outputs, 1), []);
    assert!(outputs.contains(&Output::Persist(Record::Stopped)));
    assert!(!node.can_sign());
}

#[test]
fn a_foreign_signature_of_the_own_seat_stops_signing() {
    let mut node = node(4, 1);
    give(&mut node, 0, Input::Pending);
    let foreign = message(1, 0, VoteKind::Prevote, Some([3; 32]));
    assert_eq!(node.handle(1, foreign), Err(Error::ForeignSignature));
    assert_eq!(drain(&mut node), [Output::Persist(Record::Stopped)]);
    let outputs = give(&mut node, 600, Input::Tick);
    assert_eq!(votes_of(&outputs, 1), []);
    // Stored: a restart does not forget it.
    let cfg = config(4, Some(1));
    let node = Height::replay(cfg, Some(key(Voter(1))), [Record::Stopped].into_iter()).unwrap();
    assert!(!node.can_sign());
}

/// A seat of two that lost its records, and the other's proposal, which it finds valid.
fn listening() -> (Height, Vec<Output>) {
    let mut node = Height::new(config(2, Some(1)), None).unwrap();
    let mut outputs = give(&mut node, 0, Input::Message(proposal_bytes(0, 0, None, VALUE)));
    let verdict = Input::Verdict { round: 0, value_id: id(), verdict: Verdict::Valid };
    outputs.extend(give(&mut node, 1, verdict));
    (node, outputs)
}

#[test]
fn who_lost_its_records_listens_and_votes_only_when_told() {
    let (mut node, outputs) = listening();
    assert!(node.joined() && !node.can_sign());
    assert_eq!(votes_of(&outputs, 1), []);
    node.speak_up(key(Voter(1)));
    let outputs = drain(&mut node);
    assert_eq!(votes_of(&outputs, 1), [(0, VoteKind::Prevote, Some(id()))]);
    let outputs = give(&mut node, 2, message(0, 0, VoteKind::Prevote, Some(id())));
    assert_eq!(votes_of(&outputs, 1), [(0, VoteKind::Precommit, Some(id()))]);
    let outputs = give(&mut node, 3, message(0, 0, VoteKind::Precommit, Some(id())));
    assert!(outputs.iter().any(|output| matches!(output, Output::Decided { .. })));
}

#[test]
fn what_it_said_before_it_lost_its_records_stands() {
    // The other has had a nil of it: heard before it votes, or after.
    for early in [true, false] {
        let (mut node, _) = listening();
        let said = message(1, 0, VoteKind::Precommit, None);
        if early {
            give(&mut node, 2, said.clone());
        }
        node.speak_up(key(Voter(1)));
        drain(&mut node);
        if !early {
            give(&mut node, 2, said);
        }
        let outputs = give(&mut node, 3, message(0, 0, VoteKind::Prevote, Some(id())));
        assert_eq!(votes_of(&outputs, 1), [], "another precommit is not signed");
        assert!(node.can_sign() && node.has_signed(0, Place::Precommit));
        let other = message(1, 0, VoteKind::Precommit, Some(id()));
        assert_eq!(node.handle(4, other), Err(Error::TooManyVotes(Voter(1))));
        // Both went on to the next round, where it proposes and votes like anybody.
        let outputs = give(&mut node, 5, message(0, 0, VoteKind::Precommit, None));
        assert_eq!(node.round(), 1);
        assert_eq!(votes_of(&outputs, 1), [(1, VoteKind::Prevote, Some(id()))]);
    }
}

#[test]
fn who_lost_its_records_proposes_nothing_where_it_may_have_proposed() {
    let mut cfg = config(2, Some(1));
    cfg.first_proposer = 1;
    let mut node = Height::new(cfg, None).unwrap();
    give(&mut node, 0, Input::Pending);
    node.speak_up(key(Voter(1)));
    drain(&mut node);
    let outputs = give(&mut node, 100, Input::Tick);
    assert!(!outputs.iter().any(|output| matches!(output, Output::NeedValue { .. })));
    let outputs = give(&mut node, 700, Input::Tick);
    assert_eq!(votes_of(&outputs, 1), [(0, VoteKind::Prevote, None)]);
}
