//! The types that the Malachite driver is generic over, and nothing else.
//!
//! They carry no signatures of their own and no bytes of a value: a value is its id here, and who
//! verified what is the business of [`super::height`]. That is why the driver's `Signature` is a
//! plain array that is never looked into.

use std::fmt;

use arc_malachitebft_core_types as core;
use core::{NilOrVal, Round, VoteType};

use super::{SignatureBytes, ValueId, Voter, wire};

/// The marker type that binds the driver to our types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ctx;

/// A voter to the driver: its seat, or a number no seat has for somebody who only follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Address(u16);

impl Address {
    /// The address of an onlooker: no seat reaches it, since seats are one byte.
    pub(super) const ONLOOKER: Self = Self(u16::MAX);
}

impl From<Voter> for Address {
    fn from(voter: Voter) -> Self {
        Self(u16::from(voter.0))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl core::Address for Address {}

/// A height. Only one is ever given to a driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CoreHeight(pub(super) u64);

impl fmt::Display for CoreHeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl core::Height for CoreHeight {
    const ZERO: Self = Self(0);
    const INITIAL: Self = Self(0);

    fn increment_by(&self, n: u64) -> Self {
        Self(self.0.saturating_add(n))
    }

    fn decrement_by(&self, n: u64) -> Option<Self> {
        self.0.checked_sub(n).map(Self)
    }

    fn as_u64(&self) -> u64 {
        self.0
    }
}

/// A value to the driver: its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(pub(super) ValueId);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl core::Value for Id {
    type Id = Self;

    fn id(&self) -> Self {
        *self
    }
}

/// A proposal to the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoreProposal {
    height: CoreHeight,
    round: Round,
    value: Id,
    pol_round: Round,
    address: Address,
}

impl core::Proposal<Ctx> for CoreProposal {
    fn height(&self) -> CoreHeight {
        self.height
    }
    fn round(&self) -> Round {
        self.round
    }
    fn value(&self) -> &Id {
        &self.value
    }
    fn take_value(self) -> Id {
        self.value
    }
    fn pol_round(&self) -> Round {
        self.pol_round
    }
    fn validator_address(&self) -> &Address {
        &self.address
    }
}

/// A vote to the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoreVote {
    height: CoreHeight,
    round: Round,
    kind: VoteType,
    value: NilOrVal<Id>,
    address: Address,
}

impl core::Vote<Ctx> for CoreVote {
    fn height(&self) -> CoreHeight {
        self.height
    }
    fn round(&self) -> Round {
        self.round
    }
    fn value(&self) -> &NilOrVal<Id> {
        &self.value
    }
    fn take_value(self) -> NilOrVal<Id> {
        self.value
    }
    fn vote_type(&self) -> VoteType {
        self.kind
    }
    fn validator_address(&self) -> &Address {
        &self.address
    }
    // Votes have no extensions here: whatever the driver offers is dropped.
    fn extension(&self) -> Option<&core::SignedExtension<Ctx>> {
        None
    }
    fn take_extension(&mut self) -> Option<core::SignedExtension<Ctx>> {
        None
    }
    fn extend(self, _: core::SignedExtension<Ctx>) -> Self {
        self
    }
}

/// Values travel whole, so there are no parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoPart;

impl core::ProposalPart<Ctx> for NoPart {
    fn is_first(&self) -> bool {
        true
    }
    fn is_last(&self) -> bool {
        true
    }
}

/// One voter; every one weighs the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member(Address);

impl core::Validator<Ctx> for Member {
    fn address(&self) -> &Address {
        &self.0
    }
    fn public_key(&self) -> &() {
        &()
    }
    fn voting_power(&self) -> core::VotingPower {
        1
    }
}

/// The electorate of the height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Members(Vec<Member>);

impl Members {
    /// The given voters, each weighing one.
    pub(super) fn new(voters: impl Iterator<Item = Voter>) -> Self {
        Self(voters.map(|voter| Member(voter.into())).collect())
    }
}

impl core::ValidatorSet<Ctx> for Members {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn total_voting_power(&self) -> core::VotingPower {
        self.0.len() as core::VotingPower
    }
    fn get_by_address(&self, address: &Address) -> Option<&Member> {
        self.0.iter().find(|member| &member.0 == address)
    }
    fn get_by_index(&self, index: usize) -> Option<&Member> {
        self.0.get(index)
    }
}

/// Signatures are made and checked before the driver sees a message; to it they are bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bytes;

impl core::SigningScheme for Bytes {
    type DecodingError = &'static str;
    type Signature = SignatureBytes;
    type PublicKey = ();
    type PrivateKey = ();

    fn decode_signature(bytes: &[u8]) -> Result<SignatureBytes, &'static str> {
        bytes.try_into().map(SignatureBytes).map_err(|_| "a signature has 64 bytes")
    }
    fn encode_signature(signature: &SignatureBytes) -> Vec<u8> {
        signature.0.to_vec()
    }
    fn decode_public_key(_: &[u8]) -> Result<(), &'static str> {
        Ok(())
    }
    fn encode_public_key((): &()) -> Vec<u8> {
        Vec::new()
    }
}

impl core::Context for Ctx {
    type Address = Address;
    type Height = CoreHeight;
    type ProposalPart = NoPart;
    type Proposal = CoreProposal;
    type Validator = Member;
    type ValidatorSet = Members;
    type Timeouts = core::LinearTimeouts;
    type Value = Id;
    type Vote = CoreVote;
    type Extension = ();
    type SigningScheme = Bytes;

    /// Never asked: the scribe is named with every `NewRound`. The first voter is as good as any,
    /// and the set is never empty (checked when a height is made).
    #[allow(clippy::indexing_slicing)]
    fn select_proposer<'a>(&self, members: &'a Members, _: CoreHeight, _: Round) -> &'a Member {
        &members.0[0]
    }

    fn new_proposal(
        &self,
        height: CoreHeight,
        round: Round,
        value: Id,
        pol_round: Round,
        address: Address,
    ) -> CoreProposal {
        CoreProposal { height, round, value, pol_round, address }
    }

    fn new_prevote(
        &self,
        height: CoreHeight,
        round: Round,
        value: NilOrVal<Id>,
        address: Address,
    ) -> CoreVote {
        CoreVote { height, round, kind: VoteType::Prevote, value, address }
    }

    fn new_precommit(
        &self,
        height: CoreHeight,
        round: Round,
        value: NilOrVal<Id>,
        address: Address,
    ) -> CoreVote {
        CoreVote { height, round, kind: VoteType::Precommit, value, address }
    }
}

/// Our signed vote as the driver takes it.
pub(super) fn core_vote(signed: &wire::SignedVote) -> core::SignedVote<Ctx> {
    let vote = &signed.vote;
    let message = CoreVote {
        height: CoreHeight(vote.height),
        round: Round::new(vote.round),
        kind: match vote.kind {
            wire::VoteKind::Prevote => VoteType::Prevote,
            wire::VoteKind::Precommit => VoteType::Precommit,
        },
        value: vote.value.map_or(NilOrVal::Nil, |id| NilOrVal::Val(Id(id))),
        address: vote.voter.into(),
    };
    core::SignedVote::new(message, signed.signature)
}

/// Our signed proposal as the driver takes it.
pub(super) fn core_proposal(signed: &wire::SignedProposal) -> core::SignedProposal<Ctx> {
    let proposal = &signed.proposal;
    let message = CoreProposal {
        height: CoreHeight(proposal.height),
        round: Round::new(proposal.round),
        value: Id(proposal.value_id),
        pol_round: Round::from(proposal.pol_round),
        address: proposal.proposer.into(),
    };
    core::SignedProposal::new(message, signed.signature)
}
