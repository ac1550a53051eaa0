//! Weights for folding many equations into one sum.
//!
//! Every equation that is folded is multiplied by a weight of 128 bits that nobody can foresee who made what is
//! checked. The weights are drawn from one hash over **everything** that is folded (statements and proofs, all of
//! them, before the first weight) and over 32 local random bytes. So they hold when the random numbers fail: then a
//! weight is a hash of the very equations, and changing one of these changes all weights. And they hold when somebody
//! could choose messages by their hash, as long as the random numbers are good.

use curve25519_dalek::scalar::Scalar;
use rand_core::CryptoRng;
use sha2::{Digest, Sha512};

/// Collects what is folded.
pub(crate) struct Folded(Sha512);

impl Folded {
    /// Starts with 32 bytes of the verifier's own randomness.
    pub(crate) fn new(rng: &mut impl CryptoRng) -> Self {
        let mut own = [0; 32];
        rng.fill_bytes(&mut own);
        let mut folded = Self(Sha512::new_with_prefix(b"trinka-crypto v1 weights"));
        folded.absorb(&own);
        folded
    }

    /// Adds a part of a statement or of a proof. Its length is hashed too, so that no two lists of parts are alike.
    pub(crate) fn absorb(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// [`absorb`](Self::absorb) for numbers.
    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        self.absorb(&number.into().to_le_bytes());
    }

    /// The weights, once everything is absorbed.
    pub(crate) fn weights(self) -> Weights {
        Weights { seed: self.0.finalize().into(), drawn: 0 }
    }
}

/// A source of weights.
pub(crate) struct Weights {
    seed: [u8; 64],
    drawn: u64,
}

impl Weights {
    /// A weight of 128 bits that is not zero.
    pub(crate) fn next(&mut self) -> Scalar {
        loop {
            let hash = Sha512::new_with_prefix(self.seed)
                .chain_update(self.drawn.to_le_bytes())
                .finalize();
            self.drawn += 1;
            if let Some(bytes) = hash.first_chunk::<16>() {
                let weight = u128::from_le_bytes(*bytes);
                if weight != 0 {
                    return Scalar::from(weight);
                }
            }
        }
    }

    /// Several of them.
    pub(crate) fn array<const N: usize>(&mut self) -> [Scalar; N] {
        core::array::from_fn(|_| self.next())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;

    fn drawn(seed: u64, parts: &[&[u8]]) -> Vec<Scalar> {
        let mut folded = Folded::new(&mut ChaCha20Rng::seed_from_u64(seed));
        for part in parts {
            folded.absorb(part);
        }
        let mut weights = folded.weights();
        (0..8).map(|_| weights.next()).collect()
    }

    #[test]
    fn weights_depend_on_everything_and_are_all_different() {
        let lists: [(u64, &[&[u8]]); 7] = [
            (1, &[b"ab", b"c"]),
            (2, &[b"ab", b"c"]),
            (1, &[b"a", b"bc"]),
            (1, &[b"abc"]),
            (1, &[b"c", b"ab"]),
            (1, &[b"ab", b"c", b""]),
            (1, &[b"ab", b"d"]),
        ];
        let mut all: Vec<Vec<u8>> = Vec::new();
        for (seed, parts) in lists {
            assert_eq!(drawn(seed, parts), drawn(seed, parts));
            for weight in drawn(seed, parts) {
                // 128 bits, and not fewer: each of the 16 bytes is used
                let bytes = weight.to_bytes();
                assert!(weight != Scalar::ZERO && bytes[16..] == [0; 16]);
                all.push(bytes.to_vec());
            }
        }
        for byte in 0..16 {
            assert!(all.iter().any(|weight| weight[byte] != all[0][byte]));
        }
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 8 * lists.len());
    }

    #[test]
    fn a_number_is_its_eight_bytes() {
        let [mut one, mut two] = [(); 2].map(|()| Folded::new(&mut ChaCha20Rng::seed_from_u64(1)));
        one.number(7_u8);
        two.absorb(&7_u64.to_le_bytes());
        assert_eq!(one.weights().next(), two.weights().next());
    }
}
