//! What was heard at a height: all votes and proposals that passed every check, with bounds.
//!
//! The driver counts the first vote of a seat and place. A liar's second one still belongs to a
//! certificate that others hold, so both are kept here.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Error, MAX_PROPOSALS_PER_ROUND, MAX_VOTES_PER_PLACE, Proposal, SignedProposal, SignedVote,
    ValueId, Vote, VoteKind, Voter,
};

/// What became of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// It was there already.
    Known,
    /// The seat's first in that place: the driver is to count it.
    First,
    /// It contradicts the one given.
    Second(SignedVote),
    /// Not kept: too many in that place.
    Full,
}

/// All votes of a height.
#[derive(Clone, Debug, Default)]
pub(super) struct Votes {
    places: BTreeMap<(u32, VoteKind, Voter), Vec<SignedVote>>,
}

impl Votes {
    fn place(&self, vote: &Vote) -> &[SignedVote] {
        self.places.get(&(vote.round, vote.kind, vote.voter)).map_or(&[], Vec::as_slice)
    }

    /// Whether that very vote is kept; its signature need not be checked again.
    pub(super) fn contains(&self, vote: &Vote) -> bool {
        self.place(vote).iter().any(|kept| kept.vote == *vote)
    }

    /// Keeps a verified vote. `certified` ones come with a quorum for their value and are kept
    /// even where there is no room, for no liar can make a second quorum.
    pub(super) fn insert(&mut self, signed: SignedVote, certified: bool) -> Kept {
        if self.contains(&signed.vote) {
            return Kept::Known;
        }
        let vote = &signed.vote;
        let place = self.places.entry((vote.round, vote.kind, vote.voter)).or_default();
        let room = if certified { 4 * MAX_VOTES_PER_PLACE } else { MAX_VOTES_PER_PLACE };
        if place.len() >= room {
            return Kept::Full;
        }
        let kept = place.first().map_or(Kept::First, |first| Kept::Second(*first));
        place.push(signed);
        kept
    }

    /// All votes, seat by seat in each round.
    pub(super) fn iter(&self) -> impl Iterator<Item = &SignedVote> {
        self.places.values().flatten()
    }

    /// The votes that the driver counts.
    pub(super) fn firsts(&self) -> impl Iterator<Item = &SignedVote> {
        self.places.values().filter_map(|place| place.first())
    }

    /// How many seats voted at all.
    pub(super) fn seats(&self) -> usize {
        self.places.keys().map(|(_, _, voter)| voter).collect::<BTreeSet<_>>().len()
    }

    fn of(&self, round: u32, kind: VoteKind) -> impl Iterator<Item = &Vec<SignedVote>> {
        self.places
            .range((round, kind, Voter(u8::MIN))..=(round, kind, Voter(u8::MAX)))
            .map(|(_, place)| place)
    }

    /// One vote of every seat that voted for `value` there, first or not, in seat order.
    pub(super) fn for_value(
        &self,
        round: u32,
        kind: VoteKind,
        value: ValueId,
    ) -> impl Iterator<Item = SignedVote> {
        self.of(round, kind).filter_map(move |place| {
            place.iter().find(|signed| signed.vote.value == Some(value)).copied()
        })
    }

    /// How many seats' first votes there are for `value` (nil is one).
    pub(super) fn count(&self, round: u32, kind: VoteKind, value: Option<ValueId>) -> usize {
        self.of(round, kind)
            .filter(|place| place.first().is_some_and(|signed| signed.vote.value == value))
            .count()
    }

    /// The first votes of a round and kind.
    pub(super) fn firsts_of(&self, round: u32, kind: VoteKind) -> Vec<SignedVote> {
        self.of(round, kind).filter_map(|place| place.first().copied()).collect()
    }

    /// Every value that some vote is for, with round and kind.
    pub(super) fn values(&self) -> BTreeSet<(u32, VoteKind, ValueId)> {
        self.iter()
            .filter_map(|signed| {
                let vote = &signed.vote;
                vote.value.map(|value| (vote.round, vote.kind, value))
            })
            .collect()
    }

    /// Whether at least `quorum` seats voted for `value` in one round and kind.
    pub(super) fn proven(&self, value: ValueId, quorum: usize) -> bool {
        self.values().into_iter().any(|(round, kind, id)| {
            id == value && self.for_value(round, kind, id).count() >= quorum
        })
    }
}

/// Where a proposal is on its way into the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Held until its round comes.
    Waiting,
    /// The caller was asked for a verdict.
    Asked,
    /// Found invalid before this node joined.
    Rejected,
    /// The driver has it.
    Fed,
}

/// A proposal and its stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) signed: SignedProposal,
    pub(super) stage: Stage,
}

/// The proposals of a height and the bytes of their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposals {
    held: BTreeMap<(u32, ValueId), Held>,
    first: BTreeMap<u32, SignedProposal>,
    values: BTreeMap<ValueId, Vec<u8>>,
    recorded: BTreeSet<ValueId>,
    bytes: usize,
}

impl Proposals {
    /// The proposal of that round and value.
    pub(super) fn get(&self, round: u32, value: ValueId) -> Option<&Held> {
        self.held.get(&(round, value))
    }

    /// As [`Self::get`], to change the stage.
    pub(super) fn get_mut(&mut self, round: u32, value: ValueId) -> Option<&mut Held> {
        self.held.get_mut(&(round, value))
    }

    /// All proposals, by round.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Held> {
        self.held.values_mut()
    }

    /// The proposals of a round.
    pub(super) fn of_round(&self, round: u32) -> impl Iterator<Item = &Held> {
        self.held.range((round, [u8::MIN; 32])..=(round, [u8::MAX; 32])).map(|(_, held)| held)
    }

    /// The first proposal that was seen of each round.
    pub(super) fn firsts(&self) -> impl Iterator<Item = Proposal> + '_ {
        self.first.values().map(|signed| signed.proposal)
    }

    /// The first proposal that was seen of that round, kept to compare others with.
    pub(super) fn first_of(&mut self, signed: SignedProposal) -> SignedProposal {
        *self.first.entry(signed.proposal.round).or_insert(signed)
    }

    /// The bytes of a value.
    pub(super) fn value(&self, id: &ValueId) -> Option<&Vec<u8>> {
        self.values.get(id)
    }

    /// Keeps the bytes of a value under its id, which the caller computed or checked.
    pub(super) fn keep_value(&mut self, id: ValueId, bytes: Vec<u8>) {
        let len = bytes.len();
        if self.values.insert(id, bytes).is_none() {
            self.bytes = self.bytes.saturating_add(len);
        }
    }

    /// Whether the value's bytes are to be recorded now; true once per value.
    pub(super) fn record_value(&mut self, id: ValueId) -> bool {
        self.recorded.insert(id)
    }

    /// Whether a proposal with a value of `len` bytes may still be kept, unless it is `proven`.
    ///
    /// # Errors
    /// [`Error::TooManyProposals`], [`Error::TooMuchHeld`] beyond `held_bytes` in all.
    pub(super) fn room(
        &self,
        round: u32,
        id: &ValueId,
        len: usize,
        held_bytes: usize,
    ) -> Result<(), Error> {
        if self.of_round(round).count() >= MAX_PROPOSALS_PER_ROUND {
            return Err(Error::TooManyProposals { round });
        }
        if !self.values.contains_key(id) && self.bytes.saturating_add(len) > held_bytes {
            return Err(Error::TooMuchHeld);
        }
        Ok(())
    }

    /// Keeps a proposal whose value is kept, at the given stage; an existing one only gets the stage.
    pub(super) fn insert(&mut self, signed: SignedProposal, stage: Stage) {
        let proposal = &signed.proposal;
        self.held
            .entry((proposal.round, proposal.value_id))
            .or_insert(Held { signed, stage })
            .stage = stage;
    }
}
