//! What every proof is bound to, its challenges and its nonces.
//!
//! A transcript starts with the protocol label, then the deal id, the parameters, every hand key of the
//! deal in order, the prover, the recipient, the reason and the step; then every item of the statement
//! follows as the exact bytes that were decoded. Proofs of key possession (S0), which come before the keys
//! are known, have the deal id and the seat alone.

use curve25519_dalek::scalar::Scalar;
use merlin::Transcript;
use rand_core::CryptoRng;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use crate::wire::Element;

/// The label with which every transcript starts. Another version is another protocol.
pub const PROTOCOL: &[u8] = b"trinka-crypto v1";

/// Which deal this is: 32 bytes that the table derives from everything that was agreed on.
///
/// They stand for the protocol version, the table, the parameters, the participants' identities in order
/// and the count of the deal, so a new attempt is another deal. This crate only hashes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DealId(pub [u8; 32]);

/// Who is to learn something from a proved step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Recipient {
    /// Everybody.
    Everyone,
    /// One participant of the deal.
    Participant(u8),
}

/// What a proved step is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reason {
    /// To shuffle.
    Shuffle,
    /// To let the recipient look at cards; with [`Recipient::Everyone`] several, each at its own.
    Look,
    /// To open cards to everybody.
    Open,
    /// To show cards of one's own to somebody (S5).
    Show,
    /// To give one's shares into escrow (S6).
    Escrow,
    /// To open what this participant gave into escrow (S6).
    OpenEscrow(u8),
    /// Something that only the caller knows.
    Other(u16),
}

impl Reason {
    /// A number of its own for each.
    fn number(self) -> u64 {
        match self {
            Self::Shuffle => 1,
            Self::Look => 2,
            Self::Open => 3,
            Self::Show => 4,
            Self::Escrow => 5,
            Self::OpenEscrow(of) => 0x100 + u64::from(of),
            Self::Other(reason) => 0x1_0000 + u64::from(reason),
        }
    }
}

/// Why a step is proved: for whom, what for, and which of several such steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Purpose {
    /// For whom.
    pub recipient: Recipient,
    /// What for.
    pub reason: Reason,
    /// Which of several steps that are alike otherwise.
    pub step: u32,
}

impl Purpose {
    /// Cards that one participant may look at.
    #[must_use]
    pub const fn look(participant: u8, step: u32) -> Self {
        Self { recipient: Recipient::Participant(participant), reason: Reason::Look, step }
    }

    /// Cards that everybody may see.
    #[must_use]
    pub const fn open(step: u32) -> Self {
        Self { recipient: Recipient::Everyone, reason: Reason::Open, step }
    }

    /// 14 bytes that no two purposes share.
    pub(crate) fn to_bytes(self) -> [u8; 14] {
        let mut bytes = [0; 14];
        let (recipient, rest) = bytes.split_at_mut(2);
        let recipient_bytes = match self.recipient {
            Recipient::Everyone => [0, 0],
            Recipient::Participant(seat) => [1, seat],
        };
        recipient.copy_from_slice(&recipient_bytes);
        let (reason, step) = rest.split_at_mut(8);
        reason.copy_from_slice(&self.reason.number().to_le_bytes());
        step.copy_from_slice(&self.step.to_le_bytes());
        bytes
    }

    pub(crate) const fn show(step: u32) -> Self {
        Self { recipient: Recipient::Everyone, reason: Reason::Show, step }
    }

    pub(crate) const fn escrow(step: u32) -> Self {
        Self { recipient: Recipient::Everyone, reason: Reason::Escrow, step }
    }

    pub(crate) const fn open_escrow(of: u8, step: u32) -> Self {
        Self { recipient: Recipient::Everyone, reason: Reason::OpenEscrow(of), step }
    }

    pub(crate) const fn shuffle(step: u32) -> Self {
        Self { recipient: Recipient::Everyone, reason: Reason::Shuffle, step }
    }
}

/// How the proofs use a merlin transcript.
pub(crate) trait ProofTranscript {
    /// Prover, recipient, reason and step; then the label of the proof.
    fn append_context(&mut self, proof: &'static [u8], prover: u8, purpose: &Purpose);

    /// A point, as its encoding.
    fn append_element(&mut self, label: &'static [u8], element: &Element);

    /// A challenge: 64 bytes reduced.
    fn challenge_scalar(&mut self, label: &'static [u8]) -> Scalar;

    /// `count` challenges, from 64 bytes each.
    fn challenge_scalars(&mut self, label: &'static [u8], count: usize) -> Vec<Scalar>;
}

impl ProofTranscript for Transcript {
    fn append_context(&mut self, proof: &'static [u8], prover: u8, purpose: &Purpose) {
        self.append_message(b"proof", proof);
        self.append_message(b"prover", &[prover]);
        match purpose.recipient {
            Recipient::Everyone => self.append_message(b"recipient", &[]),
            Recipient::Participant(seat) => self.append_message(b"recipient", &[seat]),
        }
        self.append_u64(b"reason", purpose.reason.number());
        self.append_u64(b"step", u64::from(purpose.step));
    }

    fn append_element(&mut self, label: &'static [u8], element: &Element) {
        self.append_message(label, element.as_bytes());
    }

    fn challenge_scalar(&mut self, label: &'static [u8]) -> Scalar {
        let mut bytes = [0; 64];
        self.challenge_bytes(label, &mut bytes);
        let scalar = Scalar::from_bytes_mod_order_wide(&bytes);
        bytes.zeroize();
        scalar
    }

    fn challenge_scalars(&mut self, label: &'static [u8], count: usize) -> Vec<Scalar> {
        let mut bytes = vec![0; 64 * count];
        self.challenge_bytes(label, &mut bytes);
        let (words, _) = bytes.as_chunks::<64>();
        let scalars = words.iter().map(Scalar::from_bytes_mod_order_wide).collect();
        bytes.zeroize();
        scalars
    }
}

/// A source of nonces that rests on three things: the random numbers of the caller, the secrets of the prover, and
/// what is known of the statement that is proved.
///
/// Whoever does not know the secrets cannot tell the nonces as long as either they or the random numbers are unknown.
/// Two proofs never share nonces as long as either the random numbers or what was hashed of the statements differ.
/// Of what is prepared before the statement is there (a shuffle without its deck, a hand without its opponent) less
/// is hashed, and there only the random numbers keep two preparations of one deal or hand apart.
pub(crate) struct Nonces(Transcript);

impl Nonces {
    /// `statement` is everything hashed so far; it is not changed.
    pub(crate) fn new<'a>(
        statement: &Transcript,
        secrets: impl IntoIterator<Item = &'a [u8]>,
        rng: &mut impl CryptoRng,
    ) -> Self {
        let mut transcript = statement.clone();
        transcript.append_message(b"nonces", b"");
        for secret in secrets {
            transcript.append_message(b"secret", secret);
        }
        let mut seed = Zeroizing::new([0; 64]);
        rng.fill_bytes(seed.as_mut_slice());
        transcript.append_message(b"random", seed.as_slice());
        Self(transcript)
    }

    pub(crate) fn scalar(&mut self) -> Zeroizing<Scalar> {
        Zeroizing::new(self.0.challenge_scalar(b"nonce"))
    }

    pub(crate) fn scalars(&mut self, count: usize) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new(self.0.challenge_scalars(b"nonces", count))
    }

    /// A uniform number below `bound` (which is not 0), by rejection.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        // The largest multiple of `bound` that fits; what lies beyond would be biased.
        let limit = u64::from(bound) * ((1_u64 << 32) / u64::from(bound));
        loop {
            let mut bytes = Zeroizing::new([0; 4]);
            self.0.challenge_bytes(b"number", bytes.as_mut_slice());
            let number = u32::from_le_bytes(*bytes);
            if u64::from(number) < limit {
                return number % bound;
            }
        }
    }
}

/// 64 bytes that stand for everything hashed so far; the transcript is not changed.
pub(crate) fn binding(statement: &Transcript) -> [u8; 64] {
    let mut bytes = [0; 64];
    statement.clone().challenge_bytes(b"binding", &mut bytes);
    bytes
}
