//! Two certificates for one height: what proves it, who voted for both, and how the table ends.
//!
//! Below four voters one liar can make a quorum for each of two entries. Nobody can follow either then: the
//! table ends at the last height that all have in common. Who is proved to have voted both ways is frozen,
//! and an open bank goes to the others in equal parts.

use std::collections::{BTreeMap, BTreeSet};

use ed25519_dalek::VerifyingKey;
use serde::{Deserialize, Serialize};

use super::agreement::{
    Certificate, CertificateError, Evidence, SignedVote, VoteKind, Voter, value_id,
    verify_certificate,
};
use super::ledger::{Core, Presence, Stage};
use super::limits;
use crate::rules::{Chips, Input, Seat};

/// Two certificates for one height, and the votes of that height that somebody has kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// One of the two entries, encoded: it names the state before it.
    pub entry: Vec<u8>,
    /// The certificate of the value with the lower id.
    pub first: Certificate,
    /// The other.
    pub second: Certificate,
    /// Votes of that height, those of the certificates not among them.
    pub votes: Vec<SignedVote>,
}

/// Why it is no fork.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForkError {
    /// They are for different heights, or for one value, or not in order.
    #[error("the two certificates do not contradict each other")]
    Same,
    /// The entry is neither of the two.
    #[error("the entry is neither of the two")]
    Entry,
    /// A certificate proves nothing.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

impl Fork {
    /// Two certificates, in either order.
    #[must_use]
    pub fn new(entry: Vec<u8>, one: Certificate, other: Certificate) -> Self {
        let (first, second) =
            if one.value_id <= other.value_id { (one, other) } else { (other, one) };
        Fork { entry, first, second, votes: Vec::new() }
    }

    /// The height with two entries.
    #[must_use]
    pub fn height(&self) -> u64 {
        self.first.height
    }

    /// Checks that a quorum of `electorate` decided each of two entries. The kept votes are not looked at.
    ///
    /// # Errors
    /// [`ForkError`].
    pub fn verify(
        &self,
        domain: &[u8; 32],
        electorate: &[(Voter, VerifyingKey)],
    ) -> Result<(), ForkError> {
        let (first, second) = (&self.first, &self.second);
        if first.height != second.height || first.value_id >= second.value_id {
            return Err(ForkError::Same);
        }
        if ![first.value_id, second.value_id].contains(&value_id(&self.entry)) {
            return Err(ForkError::Entry);
        }
        verify_certificate(domain, electorate, first)?;
        verify_certificate(domain, electorate, second)?;
        Ok(())
    }

    /// Keeps further votes of that height, those that are sound. True when any was new.
    pub fn keep(
        &mut self,
        domain: &[u8; 32],
        electorate: &[(Voter, VerifyingKey)],
        votes: impl IntoIterator<Item = SignedVote>,
    ) -> bool {
        let mut fresh = false;
        for signed in votes {
            if self.votes.len() >= limits::FORK_VOTES {
                break;
            }
            let vote = &signed.vote;
            let known = self.all().any(|kept| kept.vote == *vote);
            let key = electorate.iter().find(|(voter, _)| *voter == vote.voter);
            if known || vote.height != self.height() {
                continue;
            }
            if key.is_some_and(|(_, key)| signed.verify(domain, key)) {
                self.votes.push(signed);
                fresh = true;
            }
        }
        fresh
    }

    fn all(&self) -> impl Iterator<Item = SignedVote> + '_ {
        self.first.precommits().chain(self.second.precommits()).chain(self.votes.iter().copied())
    }

    /// Evidence against everybody who voted two ways in one round and phase, in seat order. Each piece
    /// verifies on its own. Two precommits of different rounds prove nothing: a lock may be given up.
    #[must_use]
    pub fn evidence(&self) -> Vec<Evidence> {
        let mut places: BTreeMap<(Voter, u32, VoteKind), SignedVote> = BTreeMap::new();
        let mut found: BTreeMap<Voter, Evidence> = BTreeMap::new();
        for signed in self.all() {
            let vote = &signed.vote;
            let first = places.entry((vote.voter, vote.round, vote.kind)).or_insert(signed);
            if let Some(evidence) = Evidence::of_votes(*first, signed) {
                found.entry(vote.voter).or_insert(evidence);
            }
        }
        found.into_values().collect()
    }

    /// Who is proved to have voted both ways.
    #[must_use]
    pub fn liars(&self) -> BTreeSet<Seat> {
        self.evidence().iter().map(|evidence| Seat(evidence.accused().0)).collect()
    }
}

/// The state in which a forked table ends: that before the height with two entries, with the bank divided
/// among who was still in the hand, and the liars frozen.
#[must_use]
pub fn settle(core: &Core, liars: &BTreeSet<Seat>) -> Core {
    let mut core = core.clone();
    let without = liars.iter().copied().collect();
    if let Ok(step) = core.game.apply(&Input::BreakOff { without }) {
        core.game = step.game;
    }
    for seat in liars {
        if let Some(state) = core.seats.get_mut(seat)
            && state.presence != Presence::Left
        {
            state.presence = Presence::Frozen;
        }
        core.electorate.remove(seat);
        // Who has left took its chips along.
        if let Ok(step) = core.game.apply(&Input::Freeze { seat: *seat }) {
            core.game = step.game;
        }
    }
    core.proposals.clear();
    core.line_up.clear();
    core.stage = Stage::Over;
    core
}

/// What everybody got of the bank that was open when the table ended so.
#[must_use]
pub fn shares(before: &Core, settled: &Core) -> Vec<(Seat, Chips)> {
    let old = before.game.stacks();
    let new = settled.game.stacks().into_iter();
    new.filter_map(|(seat, chips)| {
        let more = chips.saturating_sub(old.get(&seat).copied().unwrap_or(0));
        (more > 0).then_some((seat, more))
    })
    .collect()
}
