//! S1 with provers who cheat as well as they can. Each of the checks is needed: for each there is a
//! cheat that all the others let pass.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::Deal;
use crate::{
    Ciphertext, Deck, Error, Verified,
    deck::Mask,
    shuffle::{
        Conduct, Honest, Prepared, Rounds, Step, check_weighted, prove_with, verify, verify_all,
    },
    wire::Element,
};

const N: usize = 4;

/// What happens to the new deck before it is proved.
type Forge<'a> = &'a dyn Fn(&Deal, &Prepared, &mut [Ciphertext]);

/// All equations hold, but a card of the first deck is left without mask: everybody would know it.
#[test]
fn a_card_without_a_mask_is_refused_alone_and_in_a_chain() {
    let mut deal = Deal::new(N, 2, 12);
    let first = deal.first();
    let rounds = Rounds::start(&deal.keys, 0, 0, &first);
    let (keys, secret, pi) = (&deal.keys, &deal.secrets[0], vec![2, 1, 4, 3]);
    let mut prepared =
        Prepared::with_permutation(keys, rounds.transcript(), secret, pi, &mut deal.rng);
    prepared.rho[1] = Scalar::ZERO;
    prepared.masks[1] = Mask::new(keys, &Scalar::ZERO);
    let deck = prepared.apply(&first);
    let proof = prove_with(&Honest, keys, rounds, &first, &deck, &prepared);
    for check in 0..5 {
        let mut weights = [Scalar::ZERO; 5];
        weights[check] = Scalar::ONE;
        assert!(check_weighted(keys, 0, 0, &first, &deck, &proof, &weights));
    }
    let unmasked = Error::Unmasked { participant: 0, position: 1 };
    let alone = verify(keys, 0, 0, &first, deck.clone(), &proof, &mut deal.rng);
    assert_eq!(alone, Err(unmasked));
    let origin = first.origin().then(0);
    let after = Verified::new(deck.clone(), origin);
    let bad = Step { participant: 0, step: 0, deck, proof };
    let (deck, proof) = deal.shuffle(1, &after);
    let good = Step { participant: 1, step: 0, deck, proof };
    let chain = verify_all(&deal.keys, &first, vec![bad, good], &mut deal.rng);
    assert_eq!(chain, Err(unmasked));
}

/// The five equations (check 4 has two) that a forged shuffle passes; it is never accepted.
fn passed(conduct: &impl Conduct, pi: [u32; N], forge: Forge<'_>) -> [bool; 5] {
    let mut deal = Deal::new(N, 2, 11);
    let first = deal.first();
    let rounds = Rounds::start(&deal.keys, 0, 0, &first);
    let (keys, secret, pi) = (&deal.keys, &deal.secrets[0], pi.to_vec());
    let prepared = Prepared::with_permutation(keys, rounds.transcript(), secret, pi, &mut deal.rng);
    let mut cards = prepared.apply(&first).cards().to_vec();
    forge(&deal, &prepared, &mut cards);
    let after = Deck::new(cards);
    let proof = prove_with(conduct, &deal.keys, rounds, &first, &after, &prepared);
    let passed = core::array::from_fn(|check| {
        let mut weights = [Scalar::ZERO; 5];
        weights[check] = Scalar::ONE;
        check_weighted(&deal.keys, 0, 0, &first, &after, &proof, &weights)
    });
    let result = verify(&deal.keys, 0, 0, &first, after, &proof, &mut deal.rng);
    if passed == [true; 5] {
        assert!(result.is_ok());
    } else {
        assert_eq!(result, Err(Error::ShuffleProof { participant: 0 }));
    }
    passed
}

const PI: [u32; N] = [3, 1, 4, 2];

fn nothing(_: &Deal, _: &Prepared, _: &mut [Ciphertext]) {}

/// The first card becomes half of what it should be: no card at all, but twice the power of x makes
/// up for it in check 4.
fn half(deal: &Deal, prepared: &Prepared, cards: &mut [Ciphertext]) {
    let half = Scalar::from(2_u8).invert();
    let first = deal.first();
    let card = first.cards()[prepared.pi[0] as usize - 1];
    let halved = Ciphertext {
        a: Element::new(half * card.a.point()),
        b: Element::new(half * card.b.point()),
    };
    cards[0] = prepared.masks[0].apply(&halved);
}

fn doubled(mut b: Vec<Scalar>) -> Vec<Scalar> {
    b[0] *= Scalar::from(2_u8);
    b
}

/// Commits to the doubled power; the product is of the right factors.
struct WrongFactors;

impl Conduct for WrongFactors {
    fn powers(&self, pi: &[u32], x: &Scalar) -> Vec<Scalar> {
        doubled(Honest.powers(pi, x))
    }

    fn factors(
        &self,
        pi: &[u32],
        _b: &[Scalar],
        x: &Scalar,
        y: &Scalar,
        z: &Scalar,
    ) -> Vec<Scalar> {
        Honest.factors(pi, &Honest.powers(pi, x), x, y, z)
    }
}

/// Commits to the doubled power; the product is of these.
struct WrongPowers;

impl Conduct for WrongPowers {
    fn powers(&self, pi: &[u32], x: &Scalar) -> Vec<Scalar> {
        doubled(Honest.powers(pi, x))
    }
}

/// Commits to the right powers, but multiplies the deck with others.
struct WrongOpening;

impl Conduct for WrongOpening {
    fn opened(&self, b: &[Scalar]) -> Vec<Scalar> {
        doubled(b.to_vec())
    }
}

#[test]
fn the_hook_itself_is_honest() {
    assert_eq!(passed(&Honest, PI, &nothing), [true; 5]);
}

#[test]
fn check_1_is_needed() {
    let passed = passed(&WrongFactors, PI, &half);
    assert_eq!(passed, [false, true, true, true, true]);
}

#[test]
fn check_2_is_needed() {
    let passed = passed(&WrongPowers, PI, &half);
    assert_eq!(passed, [true, false, true, true, true]);
}

#[test]
fn check_3_is_needed() {
    let passed = passed(&WrongOpening, PI, &half);
    assert_eq!(passed, [true, true, false, true, true]);
}

#[test]
fn check_4_is_needed_for_either_half() {
    // mG in place of a card
    let foreign = |deal: &Deal, _: &Prepared, cards: &mut [Ciphertext]| {
        let rho = Scalar::from(9_u8);
        cards[2] = Mask::new(&deal.keys, &rho).apply(&Ciphertext {
            a: Element::identity(),
            b: Element::new(RistrettoPoint::mul_base(&Scalar::from(5_u8))),
        });
    };
    let [one, two, three, ..] = passed(&Honest, PI, &foreign);
    assert!(one && two && three);
    let a = |_: &Deal, _: &Prepared, cards: &mut [Ciphertext]| {
        cards[2].a = Element::new(cards[2].a.point() + RistrettoPoint::mul_base(&Scalar::ONE));
    };
    assert_eq!(passed(&Honest, PI, &a), [true, true, true, false, true]);
    let b = |_: &Deal, _: &Prepared, cards: &mut [Ciphertext]| {
        cards[2].b = cards[1].b;
    };
    assert_eq!(passed(&Honest, PI, &b), [true, true, true, true, false]);
}

#[test]
fn a_card_twice_or_none_is_refused() {
    // card 1 twice and card 2 dropped, proved as if that were a permutation
    assert!(!passed(&Honest, [1, 1, 3, 4], &nothing)[1]);
    assert!(!passed(&Honest, [4, 4, 4, 4], &nothing)[1]);
    // an honest permutation, but the deck has a card twice
    let twice = |deal: &Deal, prepared: &Prepared, cards: &mut [Ciphertext]| {
        let first = deal.first();
        cards[0] = prepared.masks[0].apply(&first.cards()[0]);
        cards[1] = prepared.masks[1].apply(&first.cards()[0]);
    };
    assert_eq!(passed(&Honest, PI, &twice), [true, true, true, true, false]);
    // the same ciphertext twice
    let copied = |_: &Deal, _: &Prepared, cards: &mut [Ciphertext]| cards[1] = cards[0];
    assert_ne!(passed(&Honest, PI, &copied), [true; 5]);
    // two cards exchanged after the commitment
    let swapped = |_: &Deal, _: &Prepared, cards: &mut [Ciphertext]| cards.swap(0, 1);
    assert_ne!(passed(&Honest, PI, &swapped), [true; 5]);
}
