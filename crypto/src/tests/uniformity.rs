//! Every order of the cards is equally likely as long as one player is honest.

use super::{Deal, ID, rng};
use crate::{
    SecretKey,
    context::{DealId, Nonces},
    shuffle::{Prepared, permutation},
};
use curve25519_dalek::scalar::Scalar;
use merlin::Transcript;

/// Σ (observed − expected)² / expected.
fn chi_square(counts: &[u32], samples: u32) -> f64 {
    let expected = f64::from(samples) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// The rank of a permutation of 1 … n among all of them.
fn rank(pi: &[u32]) -> usize {
    (0..pi.len()).fold(0, |rank, i| {
        let smaller = pi[i + 1..].iter().filter(|&&k| k < pi[i]).count();
        rank * (pi.len() - i) + smaller
    })
}

#[test]
fn permutations_are_uniform() {
    let mut counts = [0; 24];
    let mut rng = rng(1);
    let transcript = Transcript::new(b"test");
    let samples = 24_000;
    for _ in 0..samples {
        let pi = permutation(4, &mut Nonces::new(&transcript, [], &mut rng));
        counts[rank(&pi)] += 1;
    }
    // 23 degrees of freedom: 49.7 is exceeded once in a thousand times
    let chi_square = chi_square(&counts, samples);
    assert!(chi_square < 49.7, "{chi_square}");
}

#[test]
fn numbers_below_a_bound_are_uniform_without_modulo_bias() {
    let mut nonces = Nonces::new(&Transcript::new(b"test"), [], &mut rng(2));
    // with a plain remainder of 32 bits, numbers below 2³⁰ would come twice as often
    let bound = 3 << 30;
    let samples = 6_000;
    let mut counts = [0; 3];
    for _ in 0..samples {
        counts[(nonces.below(bound) >> 30) as usize] += 1;
    }
    let chi_square = chi_square(&counts, samples);
    assert!(chi_square < 13.8, "{chi_square}");
    assert_eq!(nonces.below(1), 0);
}

#[test]
fn one_honest_player_is_enough() {
    let mut deal = Deal::new(3, 3, 3);
    let x: Scalar = deal.secrets.iter().map(SecretKey::scalar).sum();
    let first = deal.first();
    let transcript = Transcript::new(b"test");
    let samples = 900;
    let mut counts = [0; 6];
    for _ in 0..samples {
        let (keys, secret, rng) = (&deal.keys, &deal.secrets[0], &mut deal.rng);
        let honest = permutation(3, &mut Nonces::new(&transcript, [], rng));
        // the first and the last player always turn the deck in the same way
        let orders = [vec![2, 3, 1], honest, vec![2, 1, 3]];
        let deck = orders.into_iter().fold((*first).clone(), |deck, pi| {
            Prepared::with_permutation(keys, &transcript, secret, pi, rng).apply(&deck)
        });
        let opened: Vec<u32> = deck
            .cards()
            .iter()
            .map(|card| {
                let point = crate::wire::Element::new(card.b.point() - x * card.a.point());
                u32::from(keys.params().card(&point).unwrap())
            })
            .collect();
        counts[rank(&opened)] += 1;
    }
    // 5 degrees of freedom
    let chi_square = chi_square(&counts, samples);
    assert!(chi_square < 20.5, "{chi_square}");
}

#[test]
fn two_shuffles_with_repeating_random_numbers_still_differ() {
    let deal = Deal::new(36, 2, 4);
    let first = deal.first();
    let other = super::join(DealId([9; 32]), 36, &deal.secrets);
    let secret = &deal.secrets[0];
    let shuffle = |keys, deck, step| {
        crate::shuffle::shuffle(keys, 0, secret, step, deck, &mut rng(5)).unwrap()
    };
    let base = shuffle(&deal.keys, &first, 0);
    assert_eq!(*deal.keys.deal(), ID);
    assert_eq!(base, shuffle(&deal.keys, &first, 0));
    let step = shuffle(&deal.keys, &first, 1);
    let attempt = shuffle(&other, &crate::Deck::first(&other), 0);
    // whoever knows the random numbers, but not the secret, draws another permutation
    let guess = &deal.secrets[1];
    let guess = crate::shuffle::shuffle(&deal.keys, 0, guess, 0, &first, &mut rng(5)).unwrap();
    let prepare = |secret| crate::shuffle::prepare(&deal.keys, 0, secret, &mut rng(5)).unwrap();
    assert_eq!(prepare(secret).pi, prepare(secret).pi);
    assert_ne!(prepare(secret).pi, prepare(&deal.secrets[1]).pi);
    for different in [step, attempt, guess] {
        assert_ne!(base.1.c_a, different.1.c_a);
        assert_ne!(base.1.c_d, different.1.c_d);
        assert_ne!(base.1.c_0, different.1.c_0);
        assert_ne!(base.0, different.0);
    }
}
