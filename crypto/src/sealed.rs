//! S4: sealed comparisons. Who has the higher hand, and nothing else.
//!
//! A calls, B is called. Masks are under `Y = X_A + X_B`, and `Enc(m) = (rG, mG + rY)`.
//!
//! 1. A sends its level in unary, `u_t = Enc([l_A ≥ t])` for t = 1..L−1, and proves it ([`Call`], **U**).
//! 2. With `u_0 = (0, G)`, `u_L = (0, 0)` and `W_l = u_l + u_{l+1}`, B masks `W_{l_B}` anew, proves that, and
//!    gives its share of it ([`Selection`], **Sel**).
//! 3. A checks that, and gives its own share ([`Answer`]).
//!
//! Sel opens to 2G, G or 0: A is higher, equal, lower. When ties do not matter, `W_l = u_{l+1}`, so that not
//! even a tie shows: Sel opens to G when A is higher, else to 0. Everybody can verify all of it.
//!
//! U and Sel are hand proofs ([`hands`](crate::hands)), A's and B's, with
//!
//! | | hashed before e | β_1 | β_3 | Λ_h | Λ'_h |
//! |---|---|---|---|---|---|
//! | U | all u_t; then e and e₂ | `b + eΣ e₂^{t−1} u_t.b` | `Σ e₂^{t−1} u_t.a` | `(Σ_{t≤l_h} e₂^{t−1})G` | 0 |
//! | Sel | all u_t, Sel; then e | `b + e·Sel.b` | `Sel.a` | `W_{l_h}.b` | `W_{l_h}.a` |
//!
//! The shares `d = x·Sel.a` have a proof as in S2: `t_0 = kG`, `t_1 = k·Sel.a`, `c = H(…, Sel, d, t_0, t_1)`,
//! `s = k + cx`, with the checks `sG = t_0 + cX` and `s·Sel.a = t_1 + cd`.
//!
//! [`Caller`], [`Other`] and [`Onlooker`] are the parties. Each step consumes the state before it, so a call
//! is answered once, and selected from once.

pub(crate) mod call;
pub(crate) mod check;
mod parties;
pub(crate) mod select;
pub(crate) mod share;

use std::sync::Arc;

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT, ristretto::RistrettoPoint, scalar::Scalar,
    traits::Identity,
};
use merlin::Transcript;

pub use call::{PreparedCall, prepare_call};
pub use parties::{Called, Caller, Onlooker, Other, Selected, verify};
pub use select::{PreparedSelection, prepare_selection};

use crate::{
    context::{ProofTranscript, Purpose},
    deck::Ciphertext,
    error::{DecodeError, Error},
    hands::{Hand, HandProof, HandTable},
    keys::DealKeys,
    wire::{Element, WORD, Words, Writer},
};

/// What a comparison tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The caller's level is higher.
    CallerHigher,
    /// The levels are equal. Only where ties show.
    Equal,
    /// The caller's level is lower. Only where ties show.
    CallerLower,
    /// The caller's level is lower or equal. Only where ties do not show.
    CallerNotHigher,
}

#[derive(Debug)]
struct Inner {
    keys: DealKeys,
    table: HandTable,
    purpose: Purpose,
    caller: Hand,
    other: Hand,
    ties: bool,
    y: Element,
}

/// Which two hands are compared, and how: what all parties agree on before. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Statement(Arc<Inner>);

impl Statement {
    /// The comparison of the hands of `caller` and `other`; `ties` tells whether it shows when they are
    /// equal. The purpose has to be another one for each comparison of a deal.
    ///
    /// # Errors
    /// [`Error::ForeignTable`], [`Error::ForeignHand`] for a table or a hand of another deal,
    /// [`Error::SameParticipant`], [`Error::SharedCard`].
    pub fn new(
        keys: &DealKeys,
        table: &HandTable,
        purpose: Purpose,
        caller: &Hand,
        other: &Hand,
        ties: bool,
    ) -> Result<Self, Error> {
        if table.params() != keys.params() {
            return Err(Error::ForeignTable);
        }
        caller.check(keys)?;
        other.check(keys)?;
        if caller.participant() == other.participant() {
            return Err(Error::SameParticipant { participant: caller.participant() });
        }
        let shared = |card: &Ciphertext| caller.cards().iter().any(|own| own.a == card.a);
        if other.cards().iter().any(shared) {
            let (first, second) = (caller.participant(), other.participant());
            return Err(Error::SharedCard { first, second });
        }
        let key = |hand: &Hand| Ok::<_, Error>(*keys.key(hand.participant())?.element().point());
        // not zero: no keys of a deal cancel out
        let y = Element::new(key(caller)? + key(other)?);
        Ok(Self(Arc::new(Inner {
            keys: keys.clone(),
            table: table.clone(),
            purpose,
            caller: *caller,
            other: *other,
            ties,
            y,
        })))
    }

    /// The keys of the deal.
    #[must_use]
    pub fn keys(&self) -> &DealKeys {
        &self.0.keys
    }

    /// The table of hands.
    #[must_use]
    pub fn table(&self) -> &HandTable {
        &self.0.table
    }

    /// What it is for.
    #[must_use]
    pub fn purpose(&self) -> Purpose {
        self.0.purpose
    }

    /// The hand of who calls.
    #[must_use]
    pub fn caller(&self) -> &Hand {
        &self.0.caller
    }

    /// The hand of who is called.
    #[must_use]
    pub fn other(&self) -> &Hand {
        &self.0.other
    }

    /// Whether it shows when the hands are equal.
    #[must_use]
    pub fn ties(&self) -> bool {
        self.0.ties
    }

    /// `Y = X_A + X_B`.
    pub(crate) fn y(&self) -> &RistrettoPoint {
        self.0.y.point()
    }

    /// The context of a proof, and everything that is compared.
    pub(crate) fn transcript(
        &self,
        proof: &'static [u8],
        prover: &Hand,
    ) -> Result<Transcript, Error> {
        let Inner { keys, table, purpose, caller, other, ties, y } = &*self.0;
        let mut transcript = keys.transcript(proof, prover.participant(), purpose);
        transcript.append_message(b"hands", table.digest());
        transcript.append_message(b"ties", &[u8::from(*ties)]);
        for hand in [caller, other] {
            transcript.append_message(b"participant", &[hand.participant()]);
            transcript.append_element(b"X", keys.key(hand.participant())?.element());
            for card in hand.cards() {
                transcript.append_element(b"card.a", &card.a);
                transcript.append_element(b"card.b", &card.b);
            }
            transcript.append_element(b"a", &hand.sum().a);
            transcript.append_element(b"b", &hand.sum().b);
        }
        transcript.append_element(b"Y", y);
        Ok(transcript)
    }

    /// `u_1 … u_{L−1}`.
    fn unary(&self) -> usize {
        self.0.table.levels().saturating_sub(1)
    }

    /// What Sel opens to.
    pub(crate) fn outcome(&self, opened: &RistrettoPoint) -> Result<Outcome, Error> {
        let g = RISTRETTO_BASEPOINT_POINT;
        if *opened == RistrettoPoint::identity() {
            Ok(if self.0.ties { Outcome::CallerLower } else { Outcome::CallerNotHigher })
        } else if *opened == g {
            Ok(if self.0.ties { Outcome::Equal } else { Outcome::CallerHigher })
        } else if *opened == g + g && self.0.ties {
            Ok(Outcome::CallerHigher)
        } else {
            Err(Error::NoOutcome)
        }
    }
}

/// The first message, by who calls: its level in unary, masked and proved. `32(2(L − 1) + Σ n_j + 13)` bytes:
/// `u_1 … u_{L−1}` (two points each), then the hand proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub(crate) u: Vec<Ciphertext>,
    pub(crate) proof: HandProof,
}

impl Call {
    fn words(table: &HandTable) -> usize {
        2 * table.levels().saturating_sub(1) + HandProof::words(table)
    }

    /// Bytes of a call over this table.
    #[must_use]
    pub fn bytes(table: &HandTable) -> usize {
        Self::words(table) * WORD
    }

    /// The canonical encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::with_words(2 * self.u.len() + self.proof.f.len() + 17);
        writer.elements(self.u.iter().flat_map(|u| [&u.a, &u.b]));
        self.proof.write(&mut writer);
        writer.finish()
    }

    /// Decodes a call over this table, not yet verified.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are that many bytes in canonical encoding with no `u_t.a = 0`.
    pub fn from_bytes(bytes: &[u8], table: &HandTable) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, Self::words(table))?;
        let u = (1..table.levels())
            .map(|_| Ok(Ciphertext { a: words.nonzero_element()?, b: words.element()? }))
            .collect::<Result<_, DecodeError>>()?;
        Ok(Self { u, proof: HandProof::read(&mut words, table)? })
    }
}

/// A share of Sel with its proof: `d, t_0, t_1, s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SealedShare {
    pub(crate) d: Element,
    pub(crate) t_0: Element,
    pub(crate) t_1: Element,
    pub(crate) s: Scalar,
}

impl SealedShare {
    const WORDS: usize = 4;

    fn write(&self, writer: &mut Writer) {
        writer.elements([&self.d, &self.t_0, &self.t_1]).scalar(&self.s);
    }

    fn read(words: &mut Words<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            d: words.nonzero_element()?,
            t_0: words.element()?,
            t_1: words.element()?,
            s: words.scalar()?,
        })
    }
}

/// The second message, by who is called: `W_{l_B}` masked anew and proved, with its share of it.
/// `32(Σ n_j + 19)` bytes: Sel (two points), the hand proof, then `d, t_0, t_1, s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    pub(crate) sel: Ciphertext,
    pub(crate) proof: HandProof,
    pub(crate) share: SealedShare,
}

impl Selection {
    fn words(table: &HandTable) -> usize {
        2 + HandProof::words(table) + SealedShare::WORDS
    }

    /// Bytes of a selection over this table.
    #[must_use]
    pub fn bytes(table: &HandTable) -> usize {
        Self::words(table) * WORD
    }

    /// The canonical encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::with_words(self.proof.f.len() + 23);
        writer.elements([&self.sel.a, &self.sel.b]);
        self.proof.write(&mut writer);
        self.share.write(&mut writer);
        writer.finish()
    }

    /// Decodes a selection over this table, not yet verified.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are that many bytes in canonical encoding with `Sel.a ≠ 0`, `d ≠ 0`.
    pub fn from_bytes(bytes: &[u8], table: &HandTable) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, Self::words(table))?;
        Ok(Self {
            sel: Ciphertext { a: words.nonzero_element()?, b: words.element()? },
            proof: HandProof::read(&mut words, table)?,
            share: SealedShare::read(&mut words)?,
        })
    }
}

/// The third message, by who called: its share of Sel. 128 bytes: `d, t_0, t_1, s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub(crate) share: SealedShare,
}

impl Answer {
    /// Bytes of an answer.
    pub const BYTES: usize = SealedShare::WORDS * WORD;

    /// The canonical encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::with_words(SealedShare::WORDS);
        self.share.write(&mut writer);
        writer.finish()
    }

    /// Decodes an answer, not yet verified.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are 128 bytes in canonical encoding with `d ≠ 0`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, SealedShare::WORDS)?;
        Ok(Self { share: SealedShare::read(&mut words)? })
    }
}
