//! S3: hand proofs, one hand out of many.
//!
//! The proof is the one-out-of-many proof of Groth and Kohlweiss (Eurocrypt 2015) with digits of any size
//! (Bootle et al., Esorics 2015), made cheap by hands being sums of cards. `32(Σ n_j + 13)` bytes.
//!
//! A's three cards add up to `(a, b)` under X_A, with `b − x_A a = S_h = M_i + M_j + M_k` for its hand h.
//! A public table gives each hand a level `l_h`. With β_1, β_3, Λ_h, Λ'_h that depend on what is claimed
//! (see [`sealed`](crate::sealed)), let
//!
//! `D_h = (β_1 − S_h − eΛ_h, X_A, β_3 − Λ'_h)` and `φ(x, r) = (xa + erY, xG, rG)`.
//!
//! The claim is that `D_h = φ(x, r)` for some h, which stays hidden. h is written with four digits in the
//! radix `n_1 … n_4`, `∏ n_j ≥ N`; indices from N on mean hand N−1. With one-hot digits `σ_{j,i}` and masks
//! `a_{j,i}`, `a_{j,0} = −Σ_{i≥1} a_{j,i}`:
//!
//! 1. `B = com(σ_{j,i≥1} ‖ a_{j,i}(1 − 2σ_{j,i})_{i≥0}; r_B)`, `A = com(a_{j,i≥1} ‖ (−a_{j,i}²)_{i≥0}; r_A)`.
//! 2. `p_h(T) = ∏_j (σ_{j,h_j}T + a_{j,h_j}) = Σ_k p_{h,k}T^k`, and for k < 4
//!    `Q_k = Σ_h p_{h,k}D_h + φ(ξ_k, ζ_k)`. Since `Σ_h p_{h,k} = 0` for these k,
//!    `Q_k = (−Σ_c w_{k,c}M_c − eΣ_h p_{h,k}Λ_h + ξ_k a + eζ_k Y, ξ_k G, ζ_k G − Σ_h p_{h,k}Λ'_h)` with
//!    `w_{k,c} = Σ_{h∋c} p_{h,k}`: a sum over the cards, not over the hands.
//! 3. `c = H(…, e, B, A, Q)`; `f_{j,i} = σ_{j,i}c + a_{j,i}` (i ≥ 1); `z = r_B c + r_A`;
//!    `z_x = xc⁴ − Σ ξ_k c^k`; `z_r = rc⁴ − Σ ζ_k c^k`.
//!
//! Check, with `f_{j,0} = c − Σ_{i≥1} f_{j,i}` and `p_h = ∏_j f_{j,h_j}`:
//! - `cB + A = com(f_{j,i≥1} ‖ (f_{j,i}(c − f_{j,i}))_{i≥0}; z)`,
//! - `Σ_h p_h D_h − Σ_k c^k Q_k = φ(z_x, z_r)`, each of the three components for itself.

mod prove;
mod table;
mod verify;

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use merlin::Transcript;

pub(crate) use prove::{Prepared, nonces};
pub(crate) use table::Choice;
#[cfg(test)]
pub(crate) use table::Sums;
pub use table::{HandTable, MAX_TABLE_CARDS, TableError};
pub(crate) use verify::Batch;

use crate::{
    context::ProofTranscript,
    deck::Ciphertext,
    error::{DecodeError, Error},
    keys::DealKeys,
    opening::OwnCard,
    verified::Verified,
    wire::{Element, WORD, Words, Writer},
};

/// Cards of a hand.
pub const CARDS: usize = 3;

/// Digits of a hand's index.
pub const DIGITS: usize = 4;

/// The three cards of a participant, stripped of all other layers, and their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand {
    deal: [u8; 32],
    participant: u8,
    cards: [Ciphertext; CARDS],
    sum: Ciphertext,
}

impl Hand {
    /// A hand of three cards. All must give them in the same order, for instance that of the positions.
    ///
    /// # Errors
    /// [`Error::ForeignHand`] unless all are of one participant and one deal, [`Error::RepeatedPosition`]
    /// for the same card twice, [`Error::ZeroSum`] when the masks cancel out.
    pub fn new(cards: &[Verified<OwnCard>; CARDS]) -> Result<Self, Error> {
        let [first, ..] = cards;
        let (deal, participant) = (*first.deal_tag(), first.participant());
        for (index, card) in cards.iter().enumerate() {
            if card.participant() != participant || *card.deal_tag() != deal {
                return Err(Error::ForeignHand { participant });
            }
            // `a` is the same wherever the deck was cut
            let mut before = cards.iter().take(index);
            if before.any(|other| other.ciphertext().a == card.ciphertext().a) {
                return Err(Error::RepeatedPosition { position: card.position() });
            }
        }
        Self::add(deal, participant, cards.each_ref().map(|card| *card.ciphertext()))
    }

    pub(crate) fn add(
        deal: [u8; 32],
        participant: u8,
        cards: [Ciphertext; CARDS],
    ) -> Result<Self, Error> {
        let sum = |half: fn(&Ciphertext) -> &Element| -> RistrettoPoint {
            cards.iter().map(|card| half(card).point()).sum()
        };
        let sum = Ciphertext {
            a: Element::new(sum(|card| &card.a)),
            b: Element::new(sum(|card| &card.b)),
        };
        if sum.a.is_identity() {
            return Err(Error::ZeroSum);
        }
        Ok(Self { deal, participant, cards, sum })
    }

    /// Whose hand it is.
    #[must_use]
    pub const fn participant(&self) -> u8 {
        self.participant
    }

    /// Its cards, each under the owner's key alone.
    #[must_use]
    pub const fn cards(&self) -> &[Ciphertext; CARDS] {
        &self.cards
    }

    /// `(a, b)`, the sum of its cards.
    #[must_use]
    pub const fn sum(&self) -> &Ciphertext {
        &self.sum
    }

    /// Refuses a hand of another deal.
    pub(crate) fn check(&self, keys: &DealKeys) -> Result<(), Error> {
        if self.deal == *keys.tag() {
            Ok(())
        } else {
            Err(Error::ForeignHand { participant: self.participant })
        }
    }
}

/// A hand proof. `32(Σ n_j + 13)` bytes: `B, A, Q_0 … Q_3` (three points each), then `f_{j,i≥1}` digit
/// after digit, `z, z_x, z_r`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandProof {
    pub(crate) b: Element,
    pub(crate) a: Element,
    pub(crate) q: [[Element; 3]; DIGITS],
    pub(crate) f: Vec<Scalar>,
    pub(crate) z: Scalar,
    pub(crate) z_x: Scalar,
    pub(crate) z_r: Scalar,
}

impl HandProof {
    pub(crate) fn words(table: &HandTable) -> usize {
        table.places() + 13
    }

    /// Bytes of a proof over this table.
    #[must_use]
    pub fn bytes(table: &HandTable) -> usize {
        Self::words(table) * WORD
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer
            .elements([&self.b, &self.a])
            .elements(self.q.iter().flatten())
            .scalars(&self.f)
            .scalars([&self.z, &self.z_x, &self.z_r]);
    }

    pub(crate) fn read(words: &mut Words<'_>, table: &HandTable) -> Result<Self, DecodeError> {
        let (b, a) = (words.element()?, words.element()?);
        let mut q = [[Element::identity(); 3]; DIGITS];
        for element in q.iter_mut().flatten() {
            *element = words.element()?;
        }
        Ok(Self {
            b,
            a,
            q,
            f: words.scalars(table.places().saturating_sub(DIGITS))?,
            z: words.scalar()?,
            z_x: words.scalar()?,
            z_r: words.scalar()?,
        })
    }

    /// `c = H(…, B, A, Q)`.
    pub(crate) fn challenge(
        transcript: &mut Transcript,
        b: &Element,
        a: &Element,
        q: &[[Element; 3]; DIGITS],
    ) -> Scalar {
        transcript.append_element(b"B", b);
        transcript.append_element(b"A", a);
        for element in q.iter().flatten() {
            transcript.append_element(b"Q", element);
        }
        transcript.challenge_scalar(b"c")
    }
}

/// `f_{j,i≥1} ‖ g(f_{j,i})_{i≥0}`: what is committed to, from one value for each place of each digit.
fn committed<'a>(
    table: &HandTable,
    values: &'a [Scalar],
    second: impl Iterator<Item = Scalar> + 'a,
) -> impl Iterator<Item = Scalar> + 'a {
    table.digits(values).into_iter().flat_map(|digit| digit.iter().skip(1).copied()).chain(second)
}
