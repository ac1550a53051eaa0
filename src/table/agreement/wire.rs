//! Votes and proposals: what exactly is signed, and how it travels.
//!
//! A signature covers a statement of fixed layout (integers big-endian), so that no two statements
//! share bytes:
//!
//! ```text
//! vote      "trinka/vote/1\0"  domain(32) height(8) round(4) seat(1) kind(1) some(1) value id(32)
//! proposal  "trinka/prop/1\0"  domain(32) height(8) round(4) seat(1) some(1) pol round(4) value id(32)
//! ```
//!
//! `some` is 1 or 0; what it says is absent is written as zeros. The domain is the log's id, so a
//! signature of one table means nothing at another.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::wire;

use super::{Error, ValueId, Voter};

/// An Ed25519 signature as bytes. It compares and prints as bytes and proves nothing until verified.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "[[u8; 32]; 2]", from = "[[u8; 32]; 2]")]
pub struct SignatureBytes(pub [u8; 64]);

impl std::fmt::Debug for SignatureBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b, c, d, ..] = self.0;
        write!(f, "{a:02x}{b:02x}{c:02x}{d:02x}…")
    }
}

// serde knows arrays of up to 32 elements.
impl From<SignatureBytes> for [[u8; 32]; 2] {
    fn from(signature: SignatureBytes) -> Self {
        let mut halves = [[0; 32]; 2];
        for (to, from) in halves.iter_mut().flatten().zip(signature.0) {
            *to = from;
        }
        halves
    }
}

impl From<[[u8; 32]; 2]> for SignatureBytes {
    fn from(halves: [[u8; 32]; 2]) -> Self {
        let mut bytes = [0; 64];
        for (to, from) in bytes.iter_mut().zip(halves.into_iter().flatten()) {
            *to = from;
        }
        Self(bytes)
    }
}

/// The two phases of voting (arXiv 1807.04938, algorithm 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum VoteKind {
    /// First phase: this proposal would do.
    Prevote,
    /// Second phase: a quorum prevoted it; a quorum of these decides.
    Precommit,
}

/// What a voter says once per height, round and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Vote {
    /// The height voted on.
    pub height: u64,
    /// The round voted in.
    pub round: u32,
    /// The phase.
    pub kind: VoteKind,
    /// The value's id, or none for nil.
    pub value: Option<ValueId>,
    /// Who votes.
    pub voter: Voter,
}

impl Vote {
    /// The bytes that are signed.
    #[must_use]
    pub fn statement(&self, domain: &[u8; 32]) -> Vec<u8> {
        let mut bytes = b"trinka/vote/1\0".to_vec();
        bytes.extend_from_slice(domain);
        bytes.extend_from_slice(&self.height.to_be_bytes());
        bytes.extend_from_slice(&self.round.to_be_bytes());
        bytes.push(self.voter.0);
        bytes.push(match self.kind {
            VoteKind::Prevote => 0,
            VoteKind::Precommit => 1,
        });
        bytes.push(u8::from(self.value.is_some()));
        bytes.extend_from_slice(&self.value.unwrap_or_default());
        bytes
    }

    /// Whether both come from one voter for one height, round and kind.
    #[must_use]
    pub fn same_place(&self, other: &Self) -> bool {
        (self.height, self.round, self.kind, self.voter)
            == (other.height, other.round, other.kind, other.voter)
    }
}

/// A vote with its signature, which is unverified until [`SignedVote::verify`] said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SignedVote {
    /// The vote.
    pub vote: Vote,
    /// The voter's signature on [`Vote::statement`].
    pub signature: SignatureBytes,
}

impl SignedVote {
    /// Signs a vote. The caller has asked its guard and will store the vote before it is sent.
    #[must_use]
    pub fn sign(vote: Vote, domain: &[u8; 32], key: &SigningKey) -> Self {
        let signature = SignatureBytes(key.sign(&vote.statement(domain)).to_bytes());
        Self { vote, signature }
    }

    /// Whether the signature is that of `key` (`verify_strict`: no small-order keys, one encoding).
    #[must_use]
    pub fn verify(&self, domain: &[u8; 32], key: &VerifyingKey) -> bool {
        verify(key, &self.vote.statement(domain), &self.signature)
    }
}

/// The scribe's proposal of a round, without the value's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Proposal {
    /// The height proposed for.
    pub height: u64,
    /// The round proposed in.
    pub round: u32,
    /// The earlier round whose quorum of prevotes proves the value (`vr` in the paper), or none
    /// for a fresh value (-1 there).
    pub pol_round: Option<u32>,
    /// The value's id.
    pub value_id: ValueId,
    /// Who proposes.
    pub proposer: Voter,
}

impl Proposal {
    /// The bytes that are signed.
    #[must_use]
    pub fn statement(&self, domain: &[u8; 32]) -> Vec<u8> {
        let mut bytes = b"trinka/prop/1\0".to_vec();
        bytes.extend_from_slice(domain);
        bytes.extend_from_slice(&self.height.to_be_bytes());
        bytes.extend_from_slice(&self.round.to_be_bytes());
        bytes.push(self.proposer.0);
        bytes.push(u8::from(self.pol_round.is_some()));
        bytes.extend_from_slice(&self.pol_round.unwrap_or_default().to_be_bytes());
        bytes.extend_from_slice(&self.value_id);
        bytes
    }

    /// Whether both come from one proposer for one height and round.
    #[must_use]
    pub fn same_place(&self, other: &Self) -> bool {
        (self.height, self.round, self.proposer) == (other.height, other.round, other.proposer)
    }
}

/// A proposal with its signature, which is unverified until [`SignedProposal::verify`] said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SignedProposal {
    /// The proposal.
    pub proposal: Proposal,
    /// The proposer's signature on [`Proposal::statement`].
    pub signature: SignatureBytes,
}

impl SignedProposal {
    /// Signs a proposal. The caller has asked its guard and will store it before it is sent.
    #[must_use]
    pub fn sign(proposal: Proposal, domain: &[u8; 32], key: &SigningKey) -> Self {
        let signature = SignatureBytes(key.sign(&proposal.statement(domain)).to_bytes());
        Self { proposal, signature }
    }

    /// Whether the signature is that of `key` (`verify_strict`).
    #[must_use]
    pub fn verify(&self, domain: &[u8; 32], key: &VerifyingKey) -> bool {
        verify(key, &self.proposal.statement(domain), &self.signature)
    }
}

/// One signature, never in a batch: batch and single verification disagree on odd signatures, and
/// then two honest voters would.
pub(super) fn verify(key: &VerifyingKey, statement: &[u8], signature: &SignatureBytes) -> bool {
    key.verify_strict(statement, &Signature::from_bytes(&signature.0)).is_ok()
}

/// The signed part of a message on the wire. A proposal's value follows as the rest of the bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Head {
    Proposal(SignedProposal),
    Votes(Vec<SignedVote>),
}

/// A decoded message; nothing in it is verified yet but its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// A proposal with its value whole; that the value has the id named is still to be checked.
    Proposal(SignedProposal, Vec<u8>),
    /// One vote or several, also of others.
    Votes(Vec<SignedVote>),
}

/// Heads are small; no more bytes than this are looked at to read one.
const HEAD_LIMIT: usize = 16 * 1024;

/// At most this many votes in one message: both kinds of the largest electorate.
pub(super) const MAX_VOTES: usize = 2 * super::MAX_ELECTORATE;

/// A proposal as it is sent.
///
/// # Errors
/// None for what was made here; [`Error::Malformed`] stands for an encoder that fails.
pub(super) fn encode_proposal(signed: &SignedProposal, value: &[u8]) -> Result<Vec<u8>, Error> {
    let mut bytes = encode(&Head::Proposal(*signed))?;
    bytes.extend_from_slice(value);
    Ok(bytes)
}

/// Votes as they are sent.
///
/// # Errors
/// As [`encode_proposal`].
pub(super) fn encode_votes(votes: Vec<SignedVote>) -> Result<Vec<u8>, Error> {
    encode(&Head::Votes(votes))
}

fn encode(head: &Head) -> Result<Vec<u8>, Error> {
    wire::encode(head).map_err(|_| Error::Malformed)
}

fn decode_head(bytes: &[u8]) -> Result<(Head, &[u8]), Error> {
    let start = bytes.get(..HEAD_LIMIT).unwrap_or(bytes);
    let (head, used): (Head, usize) = wire::decode_prefix(start).map_err(|_| Error::Malformed)?;
    let (front, rest) = bytes.split_at_checked(used).ok_or(Error::Malformed)?;
    // Variable-length integers have longer spellings: one message, one encoding.
    if encode(&head)? != front {
        return Err(Error::Malformed);
    }
    Ok((head, rest))
}

/// Reads a message strictly: within `max_value` bytes of value, one encoding only, nothing behind
/// votes, at least one vote.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Malformed`].
pub(super) fn decode(bytes: &[u8], max_value: usize) -> Result<Message, Error> {
    let limit = max_value.saturating_add(HEAD_LIMIT);
    if bytes.len() > limit {
        return Err(Error::TooLarge { len: bytes.len(), limit });
    }
    match decode_head(bytes)? {
        (Head::Proposal(_), value) if value.len() > max_value => {
            Err(Error::TooLarge { len: value.len(), limit: max_value })
        }
        (Head::Proposal(signed), value) => Ok(Message::Proposal(signed, value.to_vec())),
        (Head::Votes(votes), []) if !votes.is_empty() && votes.len() <= MAX_VOTES => {
            Ok(Message::Votes(votes))
        }
        (Head::Votes(_), _) => Err(Error::Malformed),
    }
}

/// The height that a message claims to be about, to find the right [`super::Height`]; none when it
/// cannot be read. Nothing is verified by this.
#[must_use]
pub fn message_height(bytes: &[u8]) -> Option<u64> {
    match decode_head(bytes).ok()?.0 {
        Head::Proposal(signed) => Some(signed.proposal.height),
        Head::Votes(votes) => votes.first().map(|signed| signed.vote.height),
    }
}
