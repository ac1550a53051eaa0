//! The rules of one height, by hand.

use super::super::timers::Timers;
use super::super::wire::{self, Message};
use super::*;

#[test]
fn quorums() {
    let expected = [1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6];
    for (n, quorum) in expected.into_iter().enumerate() {
        assert_eq!(super::super::quorum(n), quorum, "{n} seats");
    }
    // Two quorums of four or more share two seats: one of them is honest.
    assert!((4..=MAX_ELECTORATE).all(|n| 2 * super::super::quorum(n) >= n + 2));
}

#[test]
fn one_seat_decides_alone() {
    let mut room = Room::new(1);
    room.input(0, Input::Pending);
    assert_eq!(room.decided[0], Some((0, b"0 in round 0".to_vec())));
    assert_eq!(room.nodes[0].poll_timeout(), None);
}

#[test]
fn without_faults_one_proposal_and_two_votes_each() {
    for n in 1..=10 {
        let mut room = Room::new(n);
        room.all(&Input::Pending);
        assert!(room.decided.iter().all(|decided| decided == &room.decided[0]));
        assert_eq!(room.decided[0].as_ref().unwrap().0, 0);
        assert_eq!(room.sent, 1 + 2 * usize::from(n));
    }
}

#[test]
fn nothing_happens_while_nothing_is_pending() {
    let mut node = node(4, 1);
    assert_eq!(give(&mut node, 1_000_000, Input::Tick), []);
    assert_eq!(node.poll_timeout(), None);
    // One seat cannot open a height of four however often it votes, two can.
    for round in 0..10 {
        assert_eq!(give(&mut node, 1_000_001, message(3, round, VoteKind::Prevote, None)), []);
    }
    assert!(!node.joined());
    give(&mut node, 1_000_002, message(2, 0, VoteKind::Prevote, None));
    assert!(node.joined());
}

#[test]
fn among_three_one_seat_opens_a_height() {
    let mut node = node(3, 1);
    give(&mut node, 0, message(2, 0, VoteKind::Prevote, None));
    assert!(node.joined());
}

#[test]
fn a_valid_proposal_opens_a_height_and_an_invalid_one_does_not() {
    for (verdict, joined) in
        [(Verdict::Valid, true), (Verdict::SoftNil, true), (Verdict::Invalid, false)]
    {
        let mut node = node(4, 1);
        give(&mut node, 0, Input::Message(proposal_bytes(0, 0, None, VALUE)));
        give(&mut node, 1, Input::Verdict { round: 0, value_id: id(), verdict });
        assert_eq!(node.joined(), joined, "{verdict:?}");
    }
}

#[test]
fn an_invalid_proposal_is_asked_about_again_once_the_height_is_open() {
    let mut node = node(4, 1);
    give(&mut node, 0, Input::Message(proposal_bytes(0, 0, None, VALUE)));
    give(&mut node, 1, Input::Verdict { round: 0, value_id: id(), verdict: Verdict::Invalid });
    let outputs = give(&mut node, 2, Input::Pending);
    assert!(outputs.iter().any(|output| matches!(output, Output::NeedVerdict { .. })));
    let verdict = Input::Verdict { round: 0, value_id: id(), verdict: Verdict::Invalid };
    let outputs = give(&mut node, 3, verdict);
    assert_eq!(votes_of(&outputs, 1), [(0, VoteKind::Prevote, None)]);
}

#[test]
fn soft_nil_moves_the_round_on() {
    let mut room = Room::new(4);
    room.judge = Box::new(|_, round, _| if round == 0 { Verdict::SoftNil } else { Verdict::Valid });
    room.all(&Input::Pending);
    room.pass(3_000);
    assert_eq!(room.decided, vec![Some((1, b"1 in round 1".to_vec())); 4]);
    assert!(room.evidence.is_empty());
}

#[test]
fn soft_nil_gives_way_to_a_quorum_of_precommits() {
    let (mut node, outputs) = with_proposal(3, Verdict::SoftNil);
    assert_eq!(votes_of(&outputs, 3), [(0, VoteKind::Prevote, None)]);
    let mut outputs = Vec::new();
    for voter in 0..3 {
        outputs = give(&mut node, 3, message(voter, 0, VoteKind::Precommit, Some(id())));
    }
    assert!(matches!(outputs.last(), Some(Output::Decided { round: 0, .. })));
}

#[test]
fn soft_nil_gives_way_to_a_polka() {
    let mut node = node(4, 3);
    give(&mut node, 0, Input::Pending);
    for voter in 0..3 {
        give(&mut node, 1, message(voter, 0, VoteKind::Prevote, Some(id())));
    }
    give(&mut node, 2, Input::Message(proposal_bytes(0, 0, None, VALUE)));
    let verdict = Input::Verdict { round: 0, value_id: id(), verdict: Verdict::SoftNil };
    let outputs = give(&mut node, 3, verdict);
    let expected = [(0, VoteKind::Prevote, Some(id())), (0, VoteKind::Precommit, Some(id()))];
    assert_eq!(votes_of(&outputs, 3), expected);
}

#[test]
fn invalid_stays_invalid_whoever_votes_for_it() {
    let (mut node, outputs) = with_proposal(3, Verdict::Invalid);
    assert_eq!(votes_of(&outputs, 3), [(0, VoteKind::Prevote, None)]);
    for kind in [VoteKind::Prevote, VoteKind::Precommit] {
        for voter in 0..3 {
            give(&mut node, 3, message(voter, 0, kind, Some(id())));
        }
    }
    assert!(node.decided().is_none());
}

#[test]
fn a_proven_value_is_proposed_again_and_wins_over_soft_rules() {
    // Seat 1 locks the value of round 0, but the others do not see the polka.
    let (mut one, _) = with_proposal(1, Verdict::Valid);
    let mut outputs = Vec::new();
    for voter in [0, 2] {
        outputs = give(&mut one, 3, message(voter, 0, VoteKind::Prevote, Some(id())));
    }
    assert_eq!(votes_of(&outputs, 1), [(0, VoteKind::Precommit, Some(id()))]);
    for voter in [0, 2, 3] {
        outputs = give(&mut one, 4, message(voter, 0, VoteKind::Precommit, None));
    }
    // A quorum of nil among four precommits: seat 1 is the scribe of round 1 at once.
    assert_eq!(one.round(), 1);
    assert!(!outputs.iter().any(|output| matches!(output, Output::NeedValue { .. })));
    let proposed = outputs.iter().find_map(|output| match output {
        Output::Send(bytes) => match wire::decode(bytes, 1 << 20) {
            Ok(Message::Proposal(signed, value)) => Some((signed.proposal, value, bytes.clone())),
            _ => None,
        },
        _ => None,
    });
    let (proposal, value, bytes) = proposed.unwrap();
    assert_eq!((proposal.pol_round, value.as_slice()), (Some(0), VALUE));

    // Seat 2 gave nil by its soft rules; the polka and the new proposal convince it.
    let (mut two, outputs) = with_proposal(2, Verdict::SoftNil);
    assert_eq!(votes_of(&outputs, 2), [(0, VoteKind::Prevote, None)]);
    for voter in [0, 1, 3] {
        give(&mut two, 3, message(voter, 0, VoteKind::Prevote, Some(id())));
        give(&mut two, 3, message(voter, 0, VoteKind::Precommit, None));
    }
    assert_eq!(two.round(), 1);
    let outputs = give(&mut two, 4, Input::Message(bytes));
    assert!(
        outputs.iter().any(|output| matches!(output, Output::NeedVerdict { fresh: false, .. }))
    );
    let verdict = Input::Verdict { round: 1, value_id: id(), verdict: Verdict::SoftNil };
    let outputs = give(&mut two, 5, verdict);
    assert_eq!(votes_of(&outputs, 2)[0], (1, VoteKind::Prevote, Some(id())));
}

#[test]
fn proposals_of_later_rounds_are_judged_when_their_round_comes() {
    let mut node = node(4, 3);
    give(&mut node, 0, Input::Pending);
    assert_eq!(give(&mut node, 1, Input::Message(proposal_bytes(2, 2, None, VALUE))), []);
    let votes = [0, 1].map(|voter| vote(voter, 2, VoteKind::Prevote, None));
    let outputs = give(&mut node, 2, Input::Message(wire::encode_votes(votes.to_vec()).unwrap()));
    assert_eq!(node.round(), 2);
    assert!(outputs.iter().any(|output| matches!(output, Output::NeedVerdict { round: 2, .. })));
}

#[test]
fn a_quorum_whose_liar_was_heard_otherwise_decides_whole() {
    let (mut node, _) = with_proposal(3, Verdict::Valid);
    give(&mut node, 3, message(1, 0, VoteKind::Precommit, None));
    let votes = [0, 1, 2].map(|voter| vote(voter, 0, VoteKind::Precommit, Some(id())));
    let bytes = wire::encode_votes(votes.to_vec()).unwrap();
    let outputs = give(&mut node, 4, Input::Message(bytes));
    let accused = outputs.iter().find_map(|output| match output {
        Output::Evidence(evidence) => {
            Some(verify_evidence(&DOMAIN, &electorate(0..4), evidence).unwrap())
        }
        _ => None,
    });
    assert_eq!(accused, Some(Voter(1)));
    let Some(Output::Decided { certificate, value, .. }) = outputs.last() else {
        panic!("not decided");
    };
    assert_eq!(value, VALUE);
    verify_certificate(&DOMAIN, &electorate(0..4), certificate).unwrap();
}

#[test]
fn suspended_timeouts_do_not_fire() {
    let mut node = node(4, 1);
    give(&mut node, 0, Input::Pending);
    give(&mut node, 1, Input::Suspend(true));
    for now in (0..20_000).step_by(400) {
        assert_eq!(votes_of(&give(&mut node, now, Input::Tick), 1), []);
    }
    give(&mut node, 20_000, Input::Suspend(false));
    assert_eq!(votes_of(&give(&mut node, 20_499, Input::Tick), 1), []);
    let outputs = give(&mut node, 20_500, Input::Tick);
    assert_eq!(votes_of(&outputs, 1), [(0, VoteKind::Prevote, None)]);
}

#[test]
fn after_sleep_what_waited_is_heard_first() {
    let mut node = node(4, 1);
    give(&mut node, 0, Input::Pending);
    let outputs = give(&mut node, 60_000, Input::Message(proposal_bytes(0, 0, None, VALUE)));
    assert_eq!(votes_of(&outputs, 1), []);
    let verdict = Input::Verdict { round: 0, value_id: id(), verdict: Verdict::Valid };
    let outputs = give(&mut node, 60_001, verdict);
    assert_eq!(votes_of(&outputs, 1), [(0, VoteKind::Prevote, Some(id()))]);
}

#[test]
fn timeouts_grow_and_stop_at_five_seconds() {
    let timers = Timers::new(0);
    assert_eq!(timers.duration_ms(0), 500);
    assert_eq!(timers.duration_ms(1), 1_000);
    assert_eq!(timers.duration_ms(9), 5_000);
    assert_eq!(timers.duration_ms(u32::MAX), 5_000);
    assert_eq!(Timers::new(u64::MAX).duration_ms(0), 5_000);
}

#[test]
fn growth_stays_until_things_are_quick() {
    // The scribe of round 0 is away: the next height waits longer.
    let mut room = Room::new(4);
    room.cut[0] = true;
    room.all(&Input::Pending);
    room.pass(10_000);
    assert_eq!(room.decided[1], Some((1, b"1 in round 1".to_vec())));
    assert_eq!(room.nodes[1].next_propose_timeout_ms(), 1_000);

    let mut cfg = config(1, Some(0));
    cfg.propose_timeout_ms = 3_000;
    for (delay, next) in [(10, MIN_TIMEOUT_MS), (1_500, 3_000)] {
        let mut node = Height::new(cfg.clone(), Some(key(Voter(0)))).unwrap();
        give(&mut node, 0, Input::Pending);
        give(&mut node, delay, Input::Value { round: 0, bytes: VALUE.to_vec() });
        assert!(node.decided().is_some());
        assert_eq!(node.next_propose_timeout_ms(), next);
    }
}

#[test]
fn onlookers_follow_and_sign_nothing() {
    let mut node = Height::new(config(4, None), None).unwrap();
    give(&mut node, 0, Input::Pending);
    give(&mut node, 1, Input::Message(proposal_bytes(0, 0, None, VALUE)));
    let verdict = Input::Verdict { round: 0, value_id: id(), verdict: Verdict::Valid };
    let mut outputs = give(&mut node, 2, verdict);
    for kind in [VoteKind::Prevote, VoteKind::Precommit] {
        for voter in 0..3 {
            outputs.extend(give(&mut node, 3, message(voter, 0, kind, Some(id()))));
        }
    }
    assert!(matches!(outputs.last(), Some(Output::Decided { .. })));
    assert!(!outputs.iter().any(|output| matches!(output, Output::Send(_))));
}

#[test]
fn the_timeouts_of_onlookers_elapse_too() {
    let mut cfg = config(4, None);
    cfg.propose_timeout_ms = MAX_TIMEOUT_MS;
    let mut node = Height::new(cfg, None).unwrap();
    let mut now = 0;
    let mut outputs = give(&mut node, now, Input::Pending);
    while now < 6_000 {
        now = node.poll_timeout().unwrap();
        outputs.extend(give(&mut node, now, Input::Tick));
    }
    let elapsed = Record::Timeout { round: 0, kind: Place::Propose };
    assert!(outputs.contains(&Output::Persist(elapsed)));
}

#[test]
fn a_seat_without_its_key_abstains() {
    let mut node = Height::new(config(4, Some(0)), None).unwrap();
    let mut outputs = give(&mut node, 0, Input::Pending);
    for now in (0..10_000).step_by(100) {
        outputs.extend(give(&mut node, now, Input::Tick));
    }
    assert!(outputs.iter().all(|output| matches!(output, Output::Persist(_))), "{outputs:?}");
    // Its own votes of before come back from the others and count like anybody's.
    give(&mut node, 10_000, message(0, 0, VoteKind::Precommit, None));
    assert_eq!(node.votes().count(), 1);
}

#[test]
fn a_proven_decision_is_adopted_and_late_lies_are_still_noticed() {
    let signatures = (0..3)
        .map(|voter| (Voter(voter), vote(voter, 2, VoteKind::Precommit, Some(id())).signature))
        .collect();
    let certificate = Certificate { height: 5, round: 2, value_id: id(), signatures };
    let mut node = node(4, 3);
    let adopt =
        |value: &[u8]| Input::Certified { certificate: certificate.clone(), value: value.to_vec() };
    assert_eq!(node.handle(0, adopt(b"another")), Err(Error::ValueMismatch));
    let outputs = give(&mut node, 0, adopt(VALUE));
    assert!(matches!(outputs[..], [Output::Decided { round: 2, .. }]));
    assert_eq!(node.late_message(&vote_bytes(2, 2, VoteKind::Precommit, Some(id()))), None);
    let evidence = node.late_message(&vote_bytes(1, 2, VoteKind::Precommit, None)).unwrap();
    assert_eq!(verify_evidence(&DOMAIN, &electorate(0..4), &evidence), Ok(Voter(1)));
    assert_eq!(drain(&mut node), []);
}

#[test]
fn contradictory_configurations_are_refused() {
    let refused = |cfg: HeightConfig, key| Height::new(cfg, key).map(|_| ()).unwrap_err();
    let none = || config(0, None);
    assert_eq!(refused(none(), None), ConfigError::Electorate(0));
    assert_eq!(refused(config(33, None), None), ConfigError::Electorate(33));
    assert_eq!(refused(config(4, Some(9)), None), ConfigError::NotAMember(Voter(9)));
    assert_eq!(refused(config(4, Some(1)), Some(key(Voter(2)))), ConfigError::Key);
    assert_eq!(refused(config(4, None), Some(key(Voter(2)))), ConfigError::Key);
    let mut cfg = config(4, None);
    cfg.electorate.swap(1, 2);
    assert_eq!(refused(cfg, None), ConfigError::Order(Voter(1)));
    let mut cfg = config(4, None);
    cfg.first_proposer = 4;
    assert_eq!(refused(cfg, None), ConfigError::FirstProposer { index: 4, seats: 4 });
}
