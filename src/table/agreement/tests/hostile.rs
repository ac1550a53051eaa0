//! Whatever comes in: refused with a reason, bounded, never a panic.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::wire::{self, MAX_VOTES};
use super::*;

fn joined(n: u8, me: u8) -> Height {
    let mut node = node(n, me);
    node.handle(0, Input::Pending).unwrap();
    drain(&mut node);
    node
}

fn refuse(node: &mut Height, bytes: Vec<u8>) -> Error {
    let error = node.handle(1, Input::Message(bytes)).unwrap_err();
    let outputs = drain(node);
    assert!(outputs.is_empty(), "{outputs:?}");
    error
}

#[test]
fn garbage_and_truncated_messages() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut node = joined(4, 3);
    for len in 0..300 {
        let bytes: Vec<u8> = (0..len).map(|_| rng.random()).collect();
        refuse(&mut node, bytes);
    }
    let good = [
        vote_bytes(0, 0, VoteKind::Prevote, Some([1; 32])),
        proposal_bytes(0, 0, None, b"value"),
        wire::encode_votes((0..3).map(|v| vote(v, 0, VoteKind::Precommit, None)).collect())
            .unwrap(),
    ];
    for bytes in good {
        for len in 0..bytes.len() {
            refuse(&mut node, bytes[..len].to_vec());
        }
        let mut longer = bytes.clone();
        longer.push(0);
        refuse(&mut node, longer);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << rng.random_range(0..8);
            refuse(&mut node, changed);
        }
        assert_eq!(node.handle(1, Input::Message(bytes)), Ok(()));
        drain(&mut node);
    }
}

#[test]
fn one_message_has_one_encoding() {
    let mut node = joined(4, 3);
    let mut bytes = vote_bytes(0, 0, VoteKind::Prevote, None);
    assert_eq!(bytes[1], 1, "one vote");
    // The same count, spelled in three bytes.
    bytes.splice(1..2, [251, 0, 1]);
    assert_eq!(refuse(&mut node, bytes), Error::Malformed);
}

#[test]
fn oversized_messages() {
    let mut node = joined(4, 3);
    let limit = node.config().limits.value_bytes;
    let bytes = proposal_bytes(0, 0, None, &vec![0; limit + 1]);
    assert_eq!(refuse(&mut node, bytes), Error::TooLarge { len: limit + 1, limit });
    assert!(matches!(refuse(&mut node, vec![0; 1 << 20]), Error::TooLarge { .. }));
    let votes = vec![vote(0, 0, VoteKind::Prevote, None); MAX_VOTES + 1];
    assert_eq!(refuse(&mut node, wire::encode_votes(votes).unwrap()), Error::Malformed);
    assert_eq!(refuse(&mut node, wire::encode_votes(Vec::new()).unwrap()), Error::Malformed);
    let largest = proposal_bytes(0, 0, None, &vec![0; limit]);
    assert_eq!(node.handle(1, Input::Message(largest)), Ok(()));
}

#[test]
fn strangers_and_forgers() {
    let mut node = joined(4, 3);
    let stranger = vote_bytes(7, 0, VoteKind::Prevote, None);
    assert_eq!(refuse(&mut node, stranger), Error::NotAMember(Voter(7)));
    let mut forged = vote(1, 0, VoteKind::Prevote, None);
    forged.signature = vote(2, 0, VoteKind::Prevote, None).signature;
    let bytes = wire::encode_votes(vec![forged]).unwrap();
    assert_eq!(refuse(&mut node, bytes), Error::BadSignature(Voter(1)));
    // The signatures of another table mean nothing here.
    let mut elsewhere = vote(1, 0, VoteKind::Prevote, None);
    elsewhere = SignedVote::sign(elsewhere.vote, &[8; 32], &key(Voter(1)));
    let bytes = wire::encode_votes(vec![elsewhere]).unwrap();
    assert_eq!(refuse(&mut node, bytes), Error::BadSignature(Voter(1)));
    let later = Vote { height: 6, ..vote(1, 0, VoteKind::Prevote, None).vote };
    let later = SignedVote::sign(later, &DOMAIN, &key(Voter(1)));
    let bytes = wire::encode_votes(vec![later]).unwrap();
    assert_eq!(message_height(&bytes), Some(6));
    assert_eq!(refuse(&mut node, bytes), Error::WrongHeight { got: 6, open: 5 });
}

#[test]
fn two_scribes_in_one_round() {
    let mut node = joined(4, 3);
    assert_eq!(
        refuse(&mut node, proposal_bytes(1, 0, None, b"mine")),
        Error::WrongProposer { round: 0, proposer: Voter(1) }
    );
    node.handle(1, Input::Message(proposal_bytes(0, 0, None, b"value"))).unwrap();
    drain(&mut node);
    assert_eq!(
        refuse(&mut node, proposal_bytes(2, 0, None, b"mine")),
        Error::WrongProposer { round: 0, proposer: Voter(2) }
    );
    assert_eq!(
        refuse(&mut node, proposal_bytes(1, 1, Some(1), b"mine")),
        Error::BadPolRound { round: 1 }
    );
}

#[test]
fn far_rounds_need_two_seats() {
    let mut node = joined(4, 3);
    for round in [11, 1_000, u32::MAX] {
        let far = Error::RoundTooFar { round, current: 0 };
        let bytes = vote_bytes(0, round, VoteKind::Precommit, None);
        assert_eq!(refuse(&mut node, bytes), far);
        let scribe = (u64::from(round) % 4) as u8;
        assert_eq!(refuse(&mut node, proposal_bytes(scribe, round, None, b"value")), far);
    }
    let both = |round| {
        let votes = [0, 1].map(|voter| vote(voter, round, VoteKind::Precommit, None));
        wire::encode_votes(votes.to_vec()).unwrap()
    };
    let round = u32::MAX;
    assert_eq!(refuse(&mut node, both(round)), Error::RoundTooFar { round, current: 0 });
    // Two seats show that somebody honest is there: no seat is left behind for good.
    node.handle(1, Input::Message(both(1_000))).unwrap();
    assert_eq!(node.round(), 1_000);
    node.handle(1, Input::Message(both(MAX_ROUND))).unwrap();
    assert_eq!(node.round(), MAX_ROUND);
    for now in (0..60_000).step_by(100) {
        node.handle(now, Input::Tick).unwrap();
    }
}

#[test]
fn one_seat_fills_no_memory() {
    let mut node = joined(4, 3);
    let mut refused = 0;
    for value in 0..40_u8 {
        let bytes = vote_bytes(0, 0, VoteKind::Prevote, Some([value; 32]));
        if node.handle(1, Input::Message(bytes)) == Err(Error::TooManyVotes(Voter(0))) {
            refused += 1;
        }
    }
    assert_eq!(refused, 40 - MAX_VOTES_PER_PLACE);
    let accusations =
        drain(&mut node).into_iter().filter(|output| matches!(output, Output::Evidence(_))).count();
    assert_eq!(accusations, 1);

    let mut refused = 0;
    for value in 0..40_u8 {
        let bytes = proposal_bytes(0, 0, None, &[value]);
        if node.handle(1, Input::Message(bytes)) == Err(Error::TooManyProposals { round: 0 }) {
            refused += 1;
        }
    }
    assert_eq!(refused, 40 - MAX_PROPOSALS_PER_ROUND);
}

#[test]
fn a_proposal_that_a_quorum_wants_is_exempt() {
    let mut node = joined(4, 3);
    for value in 0..5_u8 {
        let _refused = node.handle(1, Input::Message(proposal_bytes(0, 0, None, &[value])));
    }
    let wanted = [4];
    let votes: Vec<_> =
        (0..3).map(|voter| vote(voter, 0, VoteKind::Precommit, Some(value_id(&wanted)))).collect();
    node.handle(2, Input::Message(wire::encode_votes(votes).unwrap())).unwrap();
    node.handle(3, Input::Message(proposal_bytes(0, 0, None, &wanted))).unwrap();
    let (value_id, verdict) = (value_id(&wanted), Verdict::Valid);
    node.handle(4, Input::Verdict { round: 0, value_id, verdict }).unwrap();
    assert_eq!(node.decided().unwrap().1, wanted);
}

#[test]
fn the_values_of_a_height_have_a_bound() {
    let mut cfg = config(4, Some(3));
    cfg.limits.held_bytes = 10;
    let mut node = Height::new(cfg, Some(key(Voter(3)))).unwrap();
    node.handle(1, Input::Message(proposal_bytes(0, 0, None, b"eight by"))).unwrap();
    drain(&mut node);
    assert_eq!(refuse(&mut node, proposal_bytes(1, 1, None, b"three")), Error::TooMuchHeld);
}

#[test]
fn answers_that_nobody_asked_for() {
    let mut node = joined(4, 3);
    let value = Input::Value { round: 0, bytes: vec![1] };
    assert_eq!(node.handle(1, value), Err(Error::UnwantedValue { round: 0 }));
    let verdict = Input::Verdict { round: 0, value_id: [0; 32], verdict: Verdict::Valid };
    assert_eq!(node.handle(1, verdict), Err(Error::UnwantedVerdict { round: 0 }));
    let mut scribe = node_that_is_scribe();
    let value = |byte| Input::Value { round: 0, bytes: vec![byte] };
    scribe.handle(1, value(1)).unwrap();
    assert_eq!(scribe.handle(1, value(2)), Err(Error::UnwantedValue { round: 0 }));
}

fn node_that_is_scribe() -> Height {
    joined(4, 0)
}

#[test]
fn records_of_another_height_are_refused() {
    let refused = |records: Vec<Record>| {
        let cfg = config(4, Some(3));
        Height::replay(cfg, Some(key(Voter(3))), records.into_iter()).map(|_| ()).unwrap_err()
    };
    let start = Record::NewRound { round: 0 };
    let mut wrong = vote(1, 0, VoteKind::Prevote, None);
    wrong.vote.height = 6;
    let error = refused(vec![start.clone(), Record::Vote(wrong)]);
    assert!(matches!(error, ConfigError::Record { index: 1, .. }));
    let unknown = Record::Proposal {
        signed: SignedProposal::sign(
            Proposal {
                height: 5,
                round: 0,
                pol_round: None,
                value_id: [0; 32],
                proposer: Voter(0),
            },
            &DOMAIN,
            &key(Voter(0)),
        ),
        verdict: Verdict::Valid,
    };
    let error = refused(vec![start.clone(), unknown]);
    assert!(matches!(error, ConfigError::Record { index: 1, .. }));
    let error = refused(vec![start, Record::Propose { round: 0, value_id: [0; 32] }]);
    assert!(matches!(error, ConfigError::Record { index: 1, .. }));
    let error = refused(vec![Record::Timeout { round: u32::MAX, kind: Place::Precommit }]);
    assert!(matches!(error, ConfigError::Record { index: 0, .. }));
}
