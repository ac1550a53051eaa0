//! The proof that a value was decided: a quorum of precommits for it (arXiv 1807.04938, line 49).

use std::collections::BTreeSet;

use ed25519_dalek::VerifyingKey;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{SignatureBytes, SignedVote, ValueId, Vote, VoteKind, Voter, quorum};

/// Votes of one height, round and kind for one value.
///
/// Handed out by [`super::Output::Decided`] it holds precommits. Two honest nodes may hold different
/// certificates of one decision: never hash one into anything shared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The height decided.
    pub height: u64,
    /// The round of the votes.
    pub round: u32,
    /// The value's id.
    pub value_id: ValueId,
    /// Who voted, each once, in seat order when made here.
    pub signatures: Vec<(Voter, SignatureBytes)>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CertificateError {
    /// A seat signed twice.
    #[error("{0} is in the certificate twice")]
    Twice(Voter),
    /// A seat that does not vote at this height.
    #[error("{0} does not vote at this height")]
    NotAMember(Voter),
    /// A signature that is not that seat's on this precommit.
    #[error("the signature of {0} is not on this decision")]
    BadSignature(Voter),
    /// Fewer than a quorum.
    #[error("the certificate has {have} signatures, a decision needs {need}")]
    TooFew {
        /// Signatures in it.
        have: usize,
        /// The quorum.
        need: usize,
    },
}

impl Certificate {
    /// The votes that it consists of.
    pub fn precommits(&self) -> impl Iterator<Item = SignedVote> + '_ {
        self.votes(VoteKind::Precommit)
    }

    /// The votes of the given kind that the certificate consists of.
    pub(super) fn votes(&self, kind: VoteKind) -> impl Iterator<Item = SignedVote> + '_ {
        self.signatures.iter().map(move |&(voter, signature)| SignedVote {
            vote: Vote {
                height: self.height,
                round: self.round,
                kind,
                value: Some(self.value_id),
                voter,
            },
            signature,
        })
    }
}

/// Checks that a quorum of `electorate` precommitted the certificate's value at its height.
///
/// That the certificate is about the height and value at hand is for the caller to compare.
///
/// # Errors
/// [`CertificateError`], naming the seat where one is to blame.
pub fn verify_certificate(
    domain: &[u8; 32],
    electorate: &[(Voter, VerifyingKey)],
    certificate: &Certificate,
) -> Result<(), CertificateError> {
    verify_quorum(domain, electorate, certificate, VoteKind::Precommit)
}

/// As [`verify_certificate`] for votes of either kind.
pub(super) fn verify_quorum(
    domain: &[u8; 32],
    electorate: &[(Voter, VerifyingKey)],
    certificate: &Certificate,
    kind: VoteKind,
) -> Result<(), CertificateError> {
    // Ends after one signature more than there are seats at the latest.
    let mut seen = BTreeSet::new();
    for &(voter, _) in &certificate.signatures {
        if !seen.insert(voter) {
            return Err(CertificateError::Twice(voter));
        }
        if !electorate.iter().any(|(member, _)| *member == voter) {
            return Err(CertificateError::NotAMember(voter));
        }
    }
    let have = certificate.signatures.len();
    let need = quorum(electorate.len());
    if have < need {
        return Err(CertificateError::TooFew { have, need });
    }
    for signed in certificate.votes(kind) {
        let voter = signed.vote.voter;
        let Some((_, key)) = electorate.iter().find(|(member, _)| *member == voter) else {
            return Err(CertificateError::NotAMember(voter));
        };
        if !signed.verify(domain, key) {
            return Err(CertificateError::BadSignature(voter));
        }
    }
    Ok(())
}
