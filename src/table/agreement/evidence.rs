//! The proof that a voter said two things at once, which an honest one never does.

use ed25519_dalek::VerifyingKey;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{SignedProposal, SignedVote, Voter};

/// Two contradicting statements with both signatures. The smaller comes first, so that the same
/// pair is the same evidence whoever met it in which order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Evidence {
    /// Two votes of one height, round and kind for different values (nil is one).
    Votes(SignedVote, SignedVote),
    /// Two proposals of one height and round that differ in value or in the round of the proof.
    Proposals(SignedProposal, SignedProposal),
}

/// Why evidence proves nothing.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EvidenceError {
    /// The two are not from one voter, height, round and kind.
    #[error("the two statements are about different things")]
    DifferentPlace,
    /// The two say the same.
    #[error("the two statements do not contradict each other")]
    Same,
    /// They are not in order, so the pair would have two encodings.
    #[error("the two statements are in the wrong order")]
    Order,
    /// The accused has no vote at this height.
    #[error("{0} does not vote at this height")]
    NotAMember(Voter),
    /// A signature is not that of the accused.
    #[error("{0} did not sign both statements")]
    BadSignature(Voter),
}

impl Evidence {
    /// Two votes as evidence, in order.
    pub(super) fn votes(one: SignedVote, other: SignedVote) -> Self {
        Self::Votes(one.min(other), one.max(other))
    }

    /// Two proposals as evidence, in order.
    pub(super) fn proposals(one: SignedProposal, other: SignedProposal) -> Self {
        Self::Proposals(one.min(other), one.max(other))
    }

    /// Two votes as evidence, where they contradict each other.
    #[must_use]
    pub fn of_votes(one: SignedVote, other: SignedVote) -> Option<Self> {
        let contradict = one.vote.same_place(&other.vote) && one.vote != other.vote;
        contradict.then(|| Self::votes(one, other))
    }

    /// Who is accused, proven or not.
    #[must_use]
    pub fn accused(&self) -> Voter {
        match self {
            Self::Votes(first, _) => first.vote.voter,
            Self::Proposals(first, _) => first.proposal.proposer,
        }
    }

    /// The height it is about.
    #[must_use]
    pub fn height(&self) -> u64 {
        match self {
            Self::Votes(first, _) => first.vote.height,
            Self::Proposals(first, _) => first.proposal.height,
        }
    }
}

/// Checks evidence against the electorate of its height and returns the liar.
///
/// # Errors
/// [`EvidenceError`]; then nobody is accused of anything.
pub fn verify_evidence(
    domain: &[u8; 32],
    electorate: &[(Voter, VerifyingKey)],
    evidence: &Evidence,
) -> Result<Voter, EvidenceError> {
    let (same_place, same, ordered) = match evidence {
        Evidence::Votes(a, b) => (a.vote.same_place(&b.vote), a.vote == b.vote, a < b),
        Evidence::Proposals(a, b) => {
            (a.proposal.same_place(&b.proposal), a.proposal == b.proposal, a < b)
        }
    };
    if !same_place {
        return Err(EvidenceError::DifferentPlace);
    }
    if same {
        return Err(EvidenceError::Same);
    }
    if !ordered {
        return Err(EvidenceError::Order);
    }
    let accused = evidence.accused();
    let Some((_, key)) = electorate.iter().find(|(member, _)| *member == accused) else {
        return Err(EvidenceError::NotAMember(accused));
    };
    let signed = match evidence {
        Evidence::Votes(a, b) => a.verify(domain, key) && b.verify(domain, key),
        Evidence::Proposals(a, b) => a.verify(domain, key) && b.verify(domain, key),
    };
    if signed { Ok(accused) } else { Err(EvidenceError::BadSignature(accused)) }
}
