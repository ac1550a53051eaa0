//! Certificates and evidence: what is true verifies, what was changed is refused and says where.

use super::*;

fn certificate(seats: impl IntoIterator<Item = u8>) -> Certificate {
    let value_id = [4; 32];
    let signatures = seats
        .into_iter()
        .map(|seat| (Voter(seat), vote(seat, 1, VoteKind::Precommit, Some(value_id)).signature))
        .collect();
    Certificate { height: 5, round: 1, value_id, signatures }
}

fn check(n: u8, certificate: &Certificate) -> Result<(), CertificateError> {
    verify_certificate(&DOMAIN, &electorate(0..n), certificate)
}

#[test]
fn certificates_need_a_quorum_of_any_electorate() {
    for n in 1..=10 {
        let need = quorum(usize::from(n));
        for have in 0..=n {
            let result = check(n, &certificate(0..have));
            let have = usize::from(have);
            if have >= need {
                assert_eq!(result, Ok(()));
            } else {
                assert_eq!(result, Err(CertificateError::TooFew { have, need }));
            }
        }
    }
}

#[test]
fn every_corrupted_certificate_is_refused_and_names_the_seat() {
    let good = certificate([0, 2, 3]);
    check(4, &good).unwrap();
    for (index, seat) in [0, 2, 3].into_iter().enumerate() {
        let bad_signature = Err(CertificateError::BadSignature(Voter(seat)));
        for byte in 0..64 {
            let mut bad = good.clone();
            bad.signatures[index].1.0[byte] ^= 1;
            assert_eq!(check(4, &bad), bad_signature);
        }
        let mut bad = good.clone();
        bad.signatures[index].1 = vote(seat, 1, VoteKind::Prevote, Some([4; 32])).signature;
        assert_eq!(check(4, &bad), bad_signature, "a prevote is no precommit");
        let mut bad = good.clone();
        bad.signatures[index].0 = Voter(9);
        assert_eq!(check(4, &bad), Err(CertificateError::NotAMember(Voter(9))));
        let mut bad = good.clone();
        let repeated = bad.signatures[index];
        bad.signatures.push(repeated);
        assert_eq!(check(4, &bad), Err(CertificateError::Twice(Voter(seat))));
    }
    let first = Err(CertificateError::BadSignature(Voter(0)));
    assert_eq!(check(4, &Certificate { height: 6, ..good.clone() }), first);
    assert_eq!(check(4, &Certificate { round: 0, ..good.clone() }), first);
    assert_eq!(check(4, &Certificate { value_id: [5; 32], ..good.clone() }), first);
    assert_eq!(verify_certificate(&[8; 32], &electorate(0..4), &good), first);
    // Another electorate needs more.
    let too_few = Err(CertificateError::TooFew { have: 3, need: 4 });
    assert_eq!(check(5, &good), too_few);
}

#[test]
fn evidence_names_who_signed_both() {
    let one = vote(2, 1, VoteKind::Prevote, None);
    let other = vote(2, 1, VoteKind::Prevote, Some([1; 32]));
    let check = |evidence: &Evidence| verify_evidence(&DOMAIN, &electorate(0..4), evidence);
    let evidence = Evidence::votes(one, other);
    assert_eq!(evidence, Evidence::votes(other, one), "one pair, one evidence");
    assert_eq!(check(&evidence), Ok(Voter(2)));
    assert_eq!((evidence.accused(), evidence.height()), (Voter(2), 5));

    assert_eq!(check(&Evidence::votes(one, one)), Err(EvidenceError::Same));
    let Evidence::Votes(first, second) = evidence else { panic!("votes") };
    assert_eq!(check(&Evidence::Votes(second, first)), Err(EvidenceError::Order));
    for elsewhere in [
        vote(1, 1, VoteKind::Prevote, Some([1; 32])),
        vote(2, 2, VoteKind::Prevote, Some([1; 32])),
        vote(2, 1, VoteKind::Precommit, Some([1; 32])),
    ] {
        assert_eq!(check(&Evidence::votes(one, elsewhere)), Err(EvidenceError::DifferentPlace));
    }
    let mut forged = other;
    forged.signature = one.signature;
    let bad = Err(EvidenceError::BadSignature(Voter(2)));
    assert_eq!(check(&Evidence::votes(one, forged)), bad);
    let stranger = Evidence::votes(
        vote(9, 1, VoteKind::Prevote, None),
        vote(9, 1, VoteKind::Prevote, Some([1; 32])),
    );
    assert_eq!(check(&stranger), Err(EvidenceError::NotAMember(Voter(9))));
}

#[test]
fn two_proposals_of_one_round_are_evidence() {
    let signed = |pol_round, value: u8| {
        let (round, proposer) = (2, Voter(2));
        let proposal = Proposal { height: 5, round, pol_round, value_id: [value; 32], proposer };
        SignedProposal::sign(proposal, &DOMAIN, &key(proposer))
    };
    let check = |a, b| verify_evidence(&DOMAIN, &electorate(0..4), &Evidence::proposals(a, b));
    assert_eq!(check(signed(None, 1), signed(None, 2)), Ok(Voter(2)));
    assert_eq!(check(signed(None, 1), signed(Some(0), 1)), Ok(Voter(2)));
    assert_eq!(check(signed(None, 1), signed(None, 1)), Err(EvidenceError::Same));

    // And a node that hears both says so.
    let mut node = node(4, 3);
    node.handle(0, Input::Message(proposal_bytes(0, 0, None, b"one"))).unwrap();
    node.handle(0, Input::Message(proposal_bytes(0, 0, None, b"two"))).unwrap();
    let evidence = drain(&mut node).into_iter().find_map(|output| match output {
        Output::Evidence(evidence) => Some(evidence),
        _ => None,
    });
    assert_eq!(evidence.unwrap().accused(), Voter(0));
}

#[test]
fn what_is_signed_never_changes() {
    let vote = Vote {
        height: 0x0102,
        round: 3,
        kind: VoteKind::Precommit,
        value: Some([0xaa; 32]),
        voter: Voter(4),
    };
    let mut expected = b"trinka/vote/1\0".to_vec();
    expected.extend([7; 32]);
    expected.extend([0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 3, 4, 1, 1]);
    expected.extend([0xaa; 32]);
    assert_eq!(vote.statement(&DOMAIN), expected);

    let (pol_round, proposer) = (Some(2), Voter(4));
    let proposal = Proposal { height: 0x0102, round: 3, pol_round, value_id: [0xbb; 32], proposer };
    let mut expected = b"trinka/prop/1\0".to_vec();
    expected.extend([7; 32]);
    expected.extend([0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 3, 4, 1, 0, 0, 0, 2]);
    expected.extend([0xbb; 32]);
    assert_eq!(proposal.statement(&DOMAIN), expected);
}

#[test]
fn everything_stored_reads_back() {
    fn round_trip<T>(value: &T)
    where
        T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug,
    {
        let config = bincode::config::standard();
        let bytes = bincode::serde::encode_to_vec(value, config).unwrap();
        let (back, used): (T, usize) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
        assert_eq!((&back, used), (value, bytes.len()));
    }
    round_trip(&certificate(0..3));
    let one = vote(2, 1, VoteKind::Prevote, None);
    round_trip(&Evidence::votes(one, vote(2, 1, VoteKind::Prevote, Some([1; 32]))));
    let mut room = Room::new(4);
    room.all(&Input::Pending);
    assert!(!room.records[0].is_empty());
    round_trip(&room.records[0]);
}
