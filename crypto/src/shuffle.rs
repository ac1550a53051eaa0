//! S1: shuffles, each with a proof.
//!
//! The proof is the shuffle argument of Groth (“A Verifiable Secret Shuffle of Homomorphic Encryptions”,
//! J. Cryptology 2010) in the form that Bayer and Groth (Eurocrypt 2012) give it, with a single row.
//! A deck of n cards takes `32(3n + 10)` bytes of proof.
//!
//! The new deck is `C'_i = C_π(i) + ρ_i(G, X)`. The prover commits to π, gets the challenge x, commits to
//! `b_i = x^π(i)`, and shows two things: the values committed to are a permutation of the pairs
//! `(k, x^k)`, because `∏(yπ(i) + b_i − z) = ∏(yk + x^k − z)` for random y and z (checks 1 and 2); and
//! `Σ x^k C_k = Σ b_i C'_i` up to a mask (checks 3 and 4).

mod prove;
mod verify;

use curve25519_dalek::scalar::Scalar;
use merlin::Transcript;

use crate::{
    context::{ProofTranscript, Purpose},
    deck::{Ciphertext, Deck},
    error::DecodeError,
    keys::DealKeys,
    wire::{Element, WORD, Words, Writer},
};

#[cfg(test)]
pub(crate) use prove::{Conduct, Honest, permutation, prove_with};
pub use prove::{Prepared, prepare, shuffle, shuffle_prepared};
#[cfg(test)]
pub(crate) use verify::begin;
#[cfg(test)]
pub(crate) use verify::check_weighted;
pub use verify::{Step, verify, verify_all};
pub(crate) use verify::{absorb, check_form, equations};

/// The proof of a shuffle. `32(3n + 10)` bytes: `c_A, c_B, c_d, c_δ, c_Δ, c_0, E_0` (two points), then
/// `ṽ_1…ṽ_n, r̃, p̃_2…p̃_{n−1}, s̃, α̃_1…α̃_n, r̃_0, τ̃`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShuffleProof {
    pub(crate) c_a: Element,
    pub(crate) c_b: Element,
    pub(crate) c_d: Element,
    pub(crate) c_delta: Element,
    pub(crate) c_cap_delta: Element,
    pub(crate) c_0: Element,
    pub(crate) e_0: Ciphertext,
    pub(crate) v: Vec<Scalar>,
    pub(crate) r: Scalar,
    pub(crate) p: Vec<Scalar>,
    pub(crate) s: Scalar,
    pub(crate) alpha: Vec<Scalar>,
    pub(crate) r_0: Scalar,
    pub(crate) tau: Scalar,
}

impl ShuffleProof {
    const fn words(n: usize) -> usize {
        n.saturating_mul(3).saturating_add(10)
    }

    /// Bytes of a proof for a deck of `n` cards.
    #[must_use]
    pub const fn bytes(n: usize) -> usize {
        Self::words(n).saturating_mul(WORD)
    }

    /// The number of cards that this proof was made or decoded for.
    #[must_use]
    pub const fn n(&self) -> usize {
        self.v.len()
    }

    /// The canonical encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        Writer::with_words(Self::words(self.n()))
            .elements([&self.c_a, &self.c_b, &self.c_d])
            .elements([&self.c_delta, &self.c_cap_delta, &self.c_0])
            .elements([&self.e_0.a, &self.e_0.b])
            .scalars(&self.v)
            .scalar(&self.r)
            .scalars(&self.p)
            .scalar(&self.s)
            .scalars(&self.alpha)
            .scalar(&self.r_0)
            .scalar(&self.tau)
            .finish()
    }

    /// Decodes the proof of a shuffle of `n` cards, not yet verified.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are `32(3n + 10)` bytes in canonical encoding.
    pub fn from_bytes(bytes: &[u8], n: usize) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, Self::words(n))?;
        Ok(Self {
            c_a: words.element()?,
            c_b: words.element()?,
            c_d: words.element()?,
            c_delta: words.element()?,
            c_cap_delta: words.element()?,
            c_0: words.element()?,
            e_0: Ciphertext { a: words.element()?, b: words.element()? },
            v: words.scalars(n)?,
            r: words.scalar()?,
            p: words.scalars(n.saturating_sub(2))?,
            s: words.scalar()?,
            alpha: words.scalars(n)?,
            r_0: words.scalar()?,
            tau: words.scalar()?,
        })
    }
}

/// The transcript of a shuffle, one method for each round.
pub(crate) struct Rounds(Transcript);

impl Rounds {
    /// Everything hashed so far.
    pub(crate) const fn transcript(&self) -> &Transcript {
        &self.0
    }

    /// The context, and `n, X, C`.
    pub(crate) fn start(keys: &DealKeys, participant: u8, step: u32, before: &Deck) -> Self {
        let purpose = Purpose::shuffle(step);
        let mut transcript = keys.transcript(b"S1 shuffle", participant, &purpose);
        transcript.append_u64(b"n", before.len() as u64);
        transcript.append_element(b"X", keys.joint());
        transcript.append_message(b"C", &before.to_bytes());
        Self(transcript)
    }

    /// `x = H(n, X, C, C', c_A)`.
    pub(crate) fn x(&mut self, after: &Deck, c_a: &Element) -> Scalar {
        self.0.append_message(b"C'", &after.to_bytes());
        self.0.append_element(b"c_A", c_a);
        self.0.challenge_scalar(b"x")
    }

    /// `y, z = H(…, c_B)`.
    pub(crate) fn yz(&mut self, c_b: &Element) -> (Scalar, Scalar) {
        self.0.append_element(b"c_B", c_b);
        let y = self.0.challenge_scalar(b"y");
        (y, self.0.challenge_scalar(b"z"))
    }

    /// `w = H(…, c_d, c_δ, c_Δ, c_0, E_0)`.
    pub(crate) fn w(
        &mut self,
        [c_d, c_delta, c_cap_delta, c_0]: [&Element; 4],
        e_0: &Ciphertext,
    ) -> Scalar {
        self.0.append_element(b"c_d", c_d);
        self.0.append_element(b"c_delta", c_delta);
        self.0.append_element(b"c_Delta", c_cap_delta);
        self.0.append_element(b"c_0", c_0);
        self.0.append_element(b"E_0.a", &e_0.a);
        self.0.append_element(b"E_0.b", &e_0.b);
        self.0.challenge_scalar(b"w")
    }
}

/// `x, x², …, x^n`.
fn powers(x: &Scalar, n: usize) -> Vec<Scalar> {
    core::iter::successors(Some(*x), |power| Some(power * x)).take(n).collect()
}
