//! Tests that need the inside: cheating provers, single checks, every word of every message changed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod cheats;
mod escrow;
mod hand_cheats;
mod hands;
mod keys;
mod known_bases;
mod layers;
mod sealed;
mod sealed_terms;
mod shares;
mod showing;
mod shuffle;
mod uniformity;
mod weights;
mod whole;
mod wire;

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT, ristretto::RistrettoPoint, scalar::Scalar,
    traits::Identity,
};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::{
    DealId, DealKeys, Deck, Params, SecretKey, ShareBatch, ShuffleProof, Verified,
    context::Purpose, keys as s0, shares as s2, shuffle as s1, wire::Element,
};

pub(super) const ID: DealId = DealId([42; 32]);

/// A deal with all secrets.
pub(super) struct Deal {
    pub(super) keys: DealKeys,
    pub(super) secrets: Vec<SecretKey>,
    pub(super) rng: ChaCha20Rng,
}

pub(super) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// The keys of these secrets in this order.
pub(super) fn join(id: DealId, n: usize, secrets: &[SecretKey]) -> DealKeys {
    let keys = (0..)
        .zip(secrets)
        .map(|(seat, secret)| {
            let message = s0::prove(&id, seat, secret, &mut rng(u64::from(seat)));
            s0::verify(&id, seat, &message).unwrap()
        })
        .collect();
    DealKeys::new(id, Params::new(n).unwrap(), keys).unwrap()
}

impl Deal {
    pub(super) fn new(n: usize, participants: usize, seed: u64) -> Self {
        let mut rng = rng(seed);
        let secrets: Vec<SecretKey> =
            (0..participants).map(|_| SecretKey::generate(&mut rng)).collect();
        Self { keys: join(ID, n, &secrets), secrets, rng }
    }

    pub(super) fn first(&self) -> Verified<Deck> {
        Deck::first(&self.keys)
    }

    pub(super) fn shuffle(
        &mut self,
        participant: u8,
        deck: &Verified<Deck>,
    ) -> (Deck, ShuffleProof) {
        let secret = &self.secrets[usize::from(participant)];
        s1::shuffle(&self.keys, participant, secret, 0, deck, &mut self.rng).unwrap()
    }

    /// The deck that everybody has shuffled.
    pub(super) fn last(&mut self) -> Verified<Deck> {
        let mut deck = self.first();
        for seat in 0..self.secrets.len() as u8 {
            let (next, proof) = self.shuffle(seat, &deck);
            deck = s1::verify(&self.keys, seat, 0, &deck, next, &proof, &mut self.rng).unwrap();
        }
        deck
    }

    pub(super) fn give(
        &mut self,
        participant: u8,
        purpose: Purpose,
        deck: &Verified<Deck>,
        positions: &[usize],
    ) -> ShareBatch {
        let secret = &self.secrets[usize::from(participant)];
        s2::prove(&self.keys, participant, secret, purpose, deck, positions, &mut self.rng).unwrap()
    }

    /// Everybody's verified shares, opened to all.
    pub(super) fn give_all(
        &mut self,
        deck: &Verified<Deck>,
        positions: &[usize],
    ) -> Vec<Verified<ShareBatch>> {
        (0..self.secrets.len() as u8)
            .map(|seat| {
                let batch = self.give(seat, Purpose::open(0), deck, positions);
                s2::verify(&self.keys, seat, Purpose::open(0), deck, positions, batch).unwrap()
            })
            .collect()
    }
}

/// One message with one thing changed, and what was changed.
pub(super) type Changed = (String, Vec<u8>);

/// Every word changed in every way: points +G, identity, unrelated, negated; scalars +1, 0, negated;
/// and each two neighbours swapped. `is_point` tells which words are points.
pub(super) fn changes(bytes: &[u8], is_point: impl Fn(usize) -> bool) -> Vec<Changed> {
    let words: Vec<[u8; 32]> = bytes.as_chunks().0.to_vec();
    let mut changed = Vec::new();
    let mut add = |what: String, words: Vec<[u8; 32]>| {
        let new = words.concat();
        if new != bytes {
            changed.push((what, new));
        }
    };
    for (index, word) in words.iter().enumerate() {
        let replacements: Vec<(&str, [u8; 32])> = if is_point(index) {
            let point = *Element::decode(*word).unwrap().point();
            [
                ("+G", point + RISTRETTO_BASEPOINT_POINT),
                ("identity", RistrettoPoint::identity()),
                ("unrelated", crate::generators::base()),
                ("negated", -point),
            ]
            .map(|(what, point)| (what, *Element::new(point).as_bytes()))
            .to_vec()
        } else {
            let scalar = Scalar::from_canonical_bytes(*word).unwrap();
            [("+1", scalar + Scalar::ONE), ("zero", Scalar::ZERO), ("negated", -scalar)]
                .map(|(what, scalar)| (what, scalar.to_bytes()))
                .to_vec()
        };
        for (what, replacement) in replacements {
            let mut words = words.clone();
            words[index] = replacement;
            add(format!("word {index} {what}"), words);
        }
        if index + 1 < words.len() && is_point(index) == is_point(index + 1) {
            let mut words = words.clone();
            words.swap(index, index + 1);
            add(format!("words {index} and {} swapped", index + 1), words);
        }
    }
    changed
}
