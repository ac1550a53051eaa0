//! Why nobody may know a relation between the generators: a forger who does proves any level, and the
//! same forger fails where they are hashed to the group.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::{
    hand_cheats::call_passes,
    rng,
    sealed::{Dealt, PURPOSE, all_hands},
};
use crate::{
    Ciphertext, Hand, HandProof, HandTable,
    hands::{Choice, Prepared, nonces},
    sealed::{
        PreparedCall, Statement,
        call::{Unary, challenges, lambdas},
    },
    wire::Element,
};

/// What the forger thinks that the generators are: `M_c = μ_c G`, `h_i = κ_i G`.
struct Known {
    mu: Vec<Scalar>,
    kappa: Vec<Scalar>,
}

const TRUE: [u16; 3] = [0, 4, 5];
const CLAIMED: u16 = 3;

/// The equations that the forged call passes, in which a hand of level 0 has level 3, by whether the forger
/// is right about the card points and about the commitment bases.
fn forge(knows_cards: bool, knows_bases: bool) -> [bool; 4] {
    let mut dealt = Dealt::new(6, 31);
    let honest = dealt.hand(2, [1, 2, 3]);
    let deal = &mut dealt.deal;
    let mut rng = rng(32);
    let known = Known {
        mu: (0..6).map(|_| Scalar::random(&mut rng)).collect(),
        kappa: (0..300).map(|_| Scalar::random(&mut rng)).collect(),
    };
    let params = deal.keys.params();
    let cards = if knows_cards {
        known.mu.iter().map(|mu| Element::new(RistrettoPoint::mul_base(mu))).collect()
    } else {
        params.cards().to_vec()
    };
    let bases = if knows_bases {
        known.kappa.iter().map(RistrettoPoint::mul_base).collect()
    } else {
        crate::generators::bases().to_vec()
    };
    let table = HandTable::with_generators(params, all_hands(6, 1), cards, bases).unwrap();

    // an honest encryption of the true hand
    let secret = deal.secrets[0].clone();
    let encrypted = TRUE.map(|card| {
        let r = Scalar::random(&mut rng);
        let b = table.cards()[usize::from(card)].point() + r * secret.public().element().point();
        Ciphertext { a: Element::new(RistrettoPoint::mul_base(&r)), b: Element::new(b) }
    });
    let hand = Hand::add(*deal.keys.tag(), 0, encrypted).unwrap();
    let statement = Statement::new(&deal.keys, &table, PURPOSE, &hand, &honest, true).unwrap();

    // the false level, and e for it
    let bits: Vec<Scalar> = (1..4).map(|t| Scalar::from(u8::from(t <= CLAIMED))).collect();
    let mut nonces = nonces(&deal.keys, &table, &hand, &secret, &mut deal.rng);
    let unary = Unary::new(bits.iter().map(RistrettoPoint::mul_base).collect(), &mut nonces);
    let (_, e, e_2) = challenges(&statement, &unary.u(&statement)).unwrap();
    let lambda = lambdas(&e_2, table.levels());
    let value = |cards: [u16; 3], level: u16| {
        let sum: Scalar = cards.iter().map(|&card| known.mu[usize::from(card)]).sum();
        sum + e * lambda[usize::from(level)]
    };
    // two hands whose indices differ in the last digit alone, mixed so that D is right by these numbers
    let [first, second] = [9, 10].map(|index| table.hands().nth(index).unwrap());
    let [first, second] = [first, second].map(|(cards, level)| value(cards, level));
    let t = (value(TRUE, CLAIMED) - first) * (second - first).invert();
    let [zero, one] = [Scalar::ZERO, Scalar::ONE];
    let sigma = vec![one, zero, zero, one, zero, one, one - t, t, zero];
    let sums = table.sums(&sigma);
    let choice = Choice { sigma, sums };
    let hand = Prepared::with_choice(&table, &hand, choice, &mut nonces);
    let mut call = PreparedCall { hand, unary }.finish(&statement, &secret).unwrap();

    // f(c − f) = c²σ(1 − σ) + …, which is not in the commitments: it is moved to z
    let (mut transcript, ..) = challenges(&statement, &call.u).unwrap();
    let proof = &mut call.proof;
    let c = HandProof::challenge(&mut transcript, &proof.b, &proof.a, &proof.q);
    let excess = c * c * t * (one - t);
    proof.z -= excess * (known.kappa[5 + 6] + known.kappa[5 + 7]);
    call_passes(&statement, &call)
}

#[test]
fn who_knows_the_generators_proves_anything() {
    assert_eq!(forge(true, true), [true; 4]);
}

#[test]
fn who_does_not_know_them_fails() {
    assert_eq!(forge(false, false), [false, false, true, true]);
    assert_eq!(forge(true, false), [false, true, true, true]);
    assert_eq!(forge(false, true), [true, false, true, true]);
}
