//! S1: honest proofs, changed proofs, proofs in the wrong place.

use curve25519_dalek::scalar::Scalar;

use super::{Deal, ID, changes, join};
use crate::{
    DealId, Deck, Error, ShuffleProof, Verified,
    msm::Sum,
    shuffle::{Rounds, Step, absorb, equations, prepare, shuffle_prepared, verify, verify_all},
    weights::{Folded, Weights},
    wire::Element,
};

const N: usize = 4;

fn refused(
    deal: &mut Deal,
    participant: u8,
    step: u32,
    before: &Verified<Deck>,
    (after, proof): (&Deck, &ShuffleProof),
) -> bool {
    let keys = deal.keys.clone();
    let result = verify(&keys, participant, step, before, after.clone(), proof, &mut deal.rng);
    match result {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error, Error::ShuffleProof { participant });
            true
        }
    }
}

#[test]
fn honest_shuffles_verify_for_every_size() {
    for n in [2, 3, 5, 24, 36, 52, 300] {
        let mut deal = Deal::new(n, 2, n as u64);
        let first = deal.first();
        let (deck, proof) = deal.shuffle(0, &first);
        assert_eq!(proof.to_bytes().len(), 32 * (3 * n + 10));
        assert_eq!(proof.to_bytes().len(), ShuffleProof::bytes(n));
        assert_eq!(deck.to_bytes().len(), Deck::bytes(n));
        let decoded = ShuffleProof::from_bytes(&proof.to_bytes(), n).unwrap();
        assert_eq!(decoded, proof);
        let deck = Deck::from_bytes(&deck.to_bytes(), n).unwrap();
        let deck = verify(&deal.keys, 0, 0, &first, deck, &decoded, &mut deal.rng).unwrap();
        assert_eq!(deck.shuffled_by(), [0]);
    }
}

#[test]
fn every_change_of_a_proof_is_refused() {
    let mut deal = Deal::new(N, 2, 1);
    let first = deal.first();
    let (deck, proof) = deal.shuffle(0, &first);
    let changed = changes(&proof.to_bytes(), |word| word < 8);
    assert!(changed.len() >= 8 * 4 + (3 * N + 2) * 3 + 7);
    for (what, bytes) in changed {
        let proof = ShuffleProof::from_bytes(&bytes, N).unwrap();
        assert!(refused(&mut deal, 0, 0, &first, (&deck, &proof)), "{what}");
    }
}

#[test]
fn errors_in_one_proof_cannot_cancel_out() {
    let mut deal = Deal::new(N, 2, 12);
    let first = deal.first();
    let (deck, proof) = deal.shuffle(0, &first);
    // r̃, s̃ and r̃_0 are all subtracted times G
    let e = Scalar::from(3_u8);
    let changes: [fn(&mut ShuffleProof, Scalar); 2] =
        [|proof, e| proof.s -= e, |proof, e| proof.r_0 -= e];
    for change in changes {
        let mut proof = proof.clone();
        proof.r += e;
        change(&mut proof, e);
        assert!(refused(&mut deal, 0, 0, &first, (&deck, &proof)));
    }
}

#[test]
fn every_item_is_hashed_before_its_challenge() {
    let mut deal = Deal::new(N, 2, 13);
    let first = deal.first();
    let (deck, proof) = deal.shuffle(0, &first);
    let keys = deal.keys.clone();
    // x, y, z, w
    let challenges = |before: &Deck, after: &Deck, proof: &ShuffleProof| {
        let mut rounds = Rounds::start(&keys, 0, 0, before);
        let x = rounds.x(after, &proof.c_a);
        let (y, z) = rounds.yz(&proof.c_b);
        let commitments = [&proof.c_d, &proof.c_delta, &proof.c_cap_delta, &proof.c_0];
        [x, y, z, rounds.w(commitments, &proof.e_0)]
    };
    let honest = challenges(&first, &deck, &proof);
    let [x, y, z, w] = honest;
    assert!(x != y && y != z && z != w);
    let differ = |other: [Scalar; 4]| core::array::from_fn(|i| honest[i] != other[i]);
    assert_eq!(differ(challenges(&deck, &deck, &proof)), [true; 4]);
    assert_eq!(differ(challenges(&first, &first, &proof)), [true; 4]);
    let changes: [fn(&mut ShuffleProof) -> &mut Element; 8] = [
        |proof| &mut proof.c_a,
        |proof| &mut proof.c_b,
        |proof| &mut proof.c_d,
        |proof| &mut proof.c_delta,
        |proof| &mut proof.c_cap_delta,
        |proof| &mut proof.c_0,
        |proof| &mut proof.e_0.a,
        |proof| &mut proof.e_0.b,
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut proof = proof.clone();
        *change(&mut proof) = Element::identity();
        let expected = match index {
            0 => [true; 4],
            1 => [false, true, true, true],
            _ => [false, false, false, true],
        };
        assert_eq!(differ(challenges(&first, &deck, &proof)), expected, "{index}");
    }
}

#[test]
fn every_change_of_either_deck_is_refused() {
    let mut deal = Deal::new(N, 2, 2);
    let first = deal.first();
    let (second, proof) = deal.shuffle(0, &first);
    let second = verify(&deal.keys, 0, 0, &first, second, &proof, &mut deal.rng).unwrap();
    let (third, proof) = deal.shuffle(1, &second);
    let (second_bytes, third_bytes) = (second.to_bytes(), third.to_bytes());
    assert!(!refused(&mut deal, 1, 0, &second, (&third, &proof)));
    for (what, bytes) in changes(&third_bytes, |_| true) {
        match Deck::from_bytes(&bytes, N) {
            Ok(deck) => assert!(refused(&mut deal, 1, 0, &second, (&deck, &proof)), "{what}"),
            Err(_) => assert!(what.contains("identity"), "{what}"),
        }
    }
    for (what, bytes) in changes(&second_bytes, |_| true) {
        if let Ok(deck) = Deck::from_bytes(&bytes, N) {
            let deck = Verified::new(deck, second.origin().clone());
            assert!(refused(&mut deal, 1, 0, &deck, (&third, &proof)), "{what}");
        }
    }
    // cards of the new deck in another order
    let mut cards = third.cards().to_vec();
    cards.swap(1, 2);
    let deck = Deck::new(cards);
    assert!(refused(&mut deal, 1, 0, &second, (&deck, &proof)));
}

#[test]
fn a_proof_is_bound_to_its_place() {
    let mut deal = Deal::new(N, 3, 3);
    let first = deal.first();
    let (deck, proof) = deal.shuffle(0, &first);
    // another seat, another step, another previous deck
    assert!(refused(&mut deal, 1, 0, &first, (&deck, &proof)));
    assert!(refused(&mut deal, 0, 1, &first, (&deck, &proof)));
    let cut = first.cut(1).unwrap();
    assert!(refused(&mut deal, 0, 0, &cut, (&deck, &proof)));
    // another attempt with the very same keys
    let secrets = deal.secrets.clone();
    deal.keys = join(DealId([1; 32]), N, &secrets);
    let again = deal.first();
    assert!(refused(&mut deal, 0, 0, &again, (&deck, &proof)));
    // the same keys in other seats: X is the same, the hand keys are not
    deal.keys = join(ID, N, &[secrets[0].clone(), secrets[2].clone(), secrets[1].clone()]);
    let again = deal.first();
    assert!(refused(&mut deal, 0, 0, &again, (&deck, &proof)));
    // and at last where it belongs
    deal.keys = join(ID, N, &secrets);
    let again = deal.first();
    assert!(!refused(&mut deal, 0, 0, &again, (&deck, &proof)));
}

#[test]
fn a_deck_of_another_deal_is_not_shuffled_on() {
    let mut deal = Deal::new(N, 2, 4);
    let first = deal.first();
    let (deck, proof) = deal.shuffle(0, &first);
    let other = Deal::new(N, 2, 5);
    let foreign = other.first();
    assert_eq!(
        verify(&deal.keys, 0, 0, &foreign, deck, &proof, &mut deal.rng),
        Err(Error::ForeignDeck)
    );
    assert_eq!(
        verify_all(&deal.keys, &foreign, Vec::new(), &mut deal.rng),
        Err(Error::ForeignDeck)
    );
    let prepared = prepare(&other.keys, 0, &other.secrets[0], &mut deal.rng).unwrap();
    assert_eq!(
        shuffle_prepared(&deal.keys, 0, 0, &first, prepared),
        Err(Error::ForeignPreparation)
    );
    assert_eq!(
        prepare(&deal.keys, 2, &deal.secrets[0], &mut deal.rng).map(|_| ()),
        Err(Error::NoSuchParticipant { participant: 2 })
    );
}

#[test]
fn a_prepared_shuffle_is_as_good() {
    let mut deal = Deal::new(N, 2, 6);
    let first = deal.first();
    let prepared = prepare(&deal.keys, 1, &deal.secrets[1], &mut deal.rng).unwrap();
    assert_eq!(format!("{prepared:?}"), "Prepared(…)");
    let (deck, proof) = shuffle_prepared(&deal.keys, 1, 7, &first, prepared).unwrap();
    assert!(!refused(&mut deal, 1, 7, &first, (&deck, &proof)));
}

#[test]
fn sizes_are_checked_before_anything_else() {
    let mut deal = Deal::new(N, 2, 7);
    let mut larger = Deal::new(N + 1, 2, 7);
    let (first, other) = (deal.first(), larger.first());
    let (deck, proof) = deal.shuffle(0, &first);
    let (large_deck, large_proof) = larger.shuffle(0, &other);
    let size = Err(Error::Size { expected: N, found: N + 1 });
    let keys = deal.keys.clone();
    let mut check = |deck: &Deck, proof| {
        verify(&keys, 0, 0, &first, deck.clone(), proof, &mut deal.rng).map(|_| ())
    };
    assert_eq!(check(&large_deck, &proof), size);
    assert_eq!(check(&deck, &large_proof), size);
    let mut cards = deck.cards().to_vec();
    cards[2].a = Element::identity();
    let unmasked = check(&Deck::new(cards), &proof);
    let expected = Error::Unmasked { participant: 0, position: 2 };
    assert_eq!(unmasked, Err(expected));
    assert_eq!(expected.guilty(), Some(0));
}

/// Four shuffles in a row.
fn chain(deal: &mut Deal) -> Vec<Step> {
    let mut deck = deal.first();
    (0..4)
        .map(|participant| {
            let (next, proof) = deal.shuffle(participant, &deck);
            let origin = deck.origin().then(participant);
            deck = Verified::new(next.clone(), origin);
            Step { participant, step: 0, deck: next, proof }
        })
        .collect()
}

#[test]
fn a_chain_verifies_at_once_and_the_guilty_one_is_named() {
    let mut deal = Deal::new(N, 4, 8);
    let first = deal.first();
    let steps = chain(&mut deal);
    let decks = verify_all(&deal.keys, &first, steps.clone(), &mut deal.rng).unwrap();
    assert_eq!(decks.len(), 4);
    assert_eq!(decks[3].shuffled_by(), [0, 1, 2, 3]);
    let mut before = &first;
    for (step, deck) in steps.iter().zip(&decks) {
        let alone = verify(
            &deal.keys,
            step.participant,
            0,
            before,
            step.deck.clone(),
            &step.proof,
            &mut deal.rng,
        );
        assert_eq!(alone.as_ref(), Ok(deck));
        before = deck;
    }
    assert_eq!(verify_all(&deal.keys, &first, Vec::new(), &mut deal.rng), Ok(Vec::new()));
    for guilty in 0..4_u8 {
        let mut steps = steps.clone();
        let proof = &mut steps[usize::from(guilty)].proof;
        proof.tau += proof.r;
        let error = verify_all(&deal.keys, &first, steps, &mut deal.rng).unwrap_err();
        assert_eq!(error, Error::ShuffleProof { participant: guilty });
        assert_eq!(error.guilty(), Some(guilty));
    }
    // two errors that would cancel out without weights
    let mut bad = steps.clone();
    let r = bad[1].proof.r;
    bad[0].proof.r_0 += r;
    bad[1].proof.r_0 -= r;
    let error = verify_all(&deal.keys, &first, bad, &mut deal.rng).unwrap_err();
    assert_eq!(error.guilty(), Some(0));
    // what has a wrong form does not hide what is false before it
    let mut bad = steps.clone();
    bad[0].proof.tau += r;
    bad[2].proof.v.pop();
    let error = verify_all(&deal.keys, &first, bad, &mut deal.rng).unwrap_err();
    assert_eq!(error, Error::ShuffleProof { participant: steps[0].participant });
    let mut bad = steps.clone();
    bad[2].proof.v.pop();
    let error = verify_all(&deal.keys, &first, bad, &mut deal.rng).unwrap_err();
    assert_eq!(error, Error::Size { expected: N, found: N - 1 });
    // a step left out
    let mut short = steps;
    short.remove(1);
    let error = verify_all(&deal.keys, &first, short, &mut deal.rng).unwrap_err();
    assert_eq!(error.guilty(), Some(2));
}

/// The first two shuffles changed so that their errors cancel out under the weights that the same random numbers gave
/// for honest ones.
#[test]
fn who_knows_the_random_numbers_of_the_verifier_gains_nothing() {
    let mut deal = Deal::new(N, 4, 8);
    let first = deal.first();
    let honest = chain(&mut deal);
    // what the verifier draws, each time anew from a generator that always says the same
    let weights_for = |steps: &[Step]| {
        let mut folded = Folded::new(&mut super::rng(1));
        folded.absorb(deal.keys.tag());
        folded.absorb(&first.to_bytes());
        for step in steps {
            absorb(step.participant, step.step, &step.deck, &step.proof, &mut folded);
        }
        folded.weights()
    };
    let vanishes = |steps: &[Step], mut weights: Weights| {
        let (mut sum, mut before): (_, &Deck) = (Sum::default(), &first);
        for Step { participant, step, deck, proof } in steps {
            let (keys, weights) = (&deal.keys, &mut weights);
            equations(keys, *participant, *step, before, deck, proof, &mut sum, weights);
            before = deck;
        }
        sum.vanishes()
    };
    let mut weights = weights_for(&honest);
    let [_, _, of_one, _, _] = weights.array();
    let [_, _, of_two, _, _] = weights.array();
    let mut forged = honest.clone();
    forged[0].proof.r_0 += of_two;
    forged[1].proof.r_0 -= of_one;
    // the forgery is live: with weights that do not depend on it, it would pass
    assert!(vanishes(&honest, weights_for(&honest)));
    assert!(vanishes(&forged, weights_for(&honest)));
    assert!(!vanishes(&forged, weights_for(&forged)));
    let error = verify_all(&deal.keys, &first, forged, &mut super::rng(1)).unwrap_err();
    assert_eq!(error, Error::ShuffleProof { participant: 0 });
}

#[test]
fn a_cut_only_rotates() {
    let mut deal = Deal::new(N, 2, 9);
    let deck = deal.last();
    for at in 0..N {
        let cut = deck.cut(at).unwrap();
        for position in 0..N {
            assert_eq!(cut.card(position), deck.card((position + at) % N));
        }
        assert_eq!(cut.shuffled_by(), deck.shuffled_by());
    }
    assert_eq!(deck.cut(N), Err(Error::Cut { at: N, cards: N }));
}
