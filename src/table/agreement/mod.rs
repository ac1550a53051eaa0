//! One height of Byzantine agreement among the voters of a table, without clock, socket or disk.
//!
//! The algorithm is Tendermint's (Buchman, Kwon, Milosevic, arXiv 1807.04938); its state machine is
//! the core driver of Malachite. What the driver leaves to its user is here: signatures, bounds,
//! when to join, soft rules, resending, certificates, evidence, and coming back from a crash.
//!
//! # Driving a [`Height`]
//!
//! 1. [`Height::new`], or [`Height::replay`] with the records stored before a crash.
//! 2. [`Height::handle`] with the time and one [`Input`]; then [`Height::poll_output`] until it is
//!    empty, in order. Nothing behind an [`Output::Persist`] may leave before that record is durable.
//! 3. [`Height::poll_timeout`] tells when to call again, with [`Input::Tick`] if nothing came.
//! 4. [`Output::Decided`] ends the height. Keep the object for a while: [`Height::late_message`]
//!    still finds evidence, and [`Height::next_propose_timeout_ms`] is for the next height.
//!
//! # What is decided here and what is not
//!
//! A height is open only when somebody has a reason: a node joins on [`Input::Pending`], on a
//! proposal that its caller finds valid, or on votes of two seats (of one, while three or fewer
//! vote). Validity is the caller's ([`Output::NeedVerdict`]); so are the messages that wait for an
//! entry, and answering voters who are behind.

mod book;
mod certificate;
mod context;
mod evidence;
mod height;
mod incoming;
mod machine;
mod resend;
mod signatures;
mod timers;
mod wire;

#[cfg(test)]
mod tests;

use ed25519_dalek::VerifyingKey;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

pub use certificate::{Certificate, CertificateError, verify_certificate};
pub use evidence::{Evidence, EvidenceError, verify_evidence};
pub use height::Height;
pub use signatures::Signatures;
pub use timers::{MAX_TIMEOUT_MS, MIN_TIMEOUT_MS};
pub use wire::{
    Proposal, SignatureBytes, SignedProposal, SignedVote, Vote, VoteKind, message_height,
};

/// Most seats of an electorate; the games seat ten.
pub const MAX_ELECTORATE: usize = 32;
/// Votes and proposals of rounds further ahead than this are refused, unless two seats prove that
/// somebody honest is there.
pub const MAX_ROUNDS_AHEAD: u32 = 10;
/// No round beyond this is ever believed. At a timeout of 5 s it is two months away.
pub const MAX_ROUND: u32 = 1_000_000;
/// Different proposals kept of one round; one that a quorum voted for is exempt.
pub const MAX_PROPOSALS_PER_ROUND: usize = 3;
/// Different votes kept of one seat, round and kind; one that makes a certificate is exempt.
pub const MAX_VOTES_PER_PLACE: usize = 3;
/// Milliseconds between two resends of what an open height needs.
pub const RESEND_MS: u64 = 400;
/// A longer silence between two calls, in milliseconds, means that this computer slept: running
/// timeouts start again, so that what waited on the network is heard first.
pub const SLEEP_GAP_MS: u64 = 2_000;

/// A voter: its seat at the table. Seat numbers are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Voter(pub u8);

impl std::fmt::Display for Voter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// The SHA-256 of a value's bytes.
pub type ValueId = [u8; 32];

/// The id of a value.
#[must_use]
pub fn value_id(bytes: &[u8]) -> ValueId {
    Sha256::digest(bytes).into()
}

/// How many of `n` voters decide: ⌊(n + 3)/2⌋ from four on, below that two, and one alone.
///
/// Two quorums of four or more share two voters, so one liar cannot make both.
#[must_use]
pub fn quorum(n: usize) -> usize {
    match n {
        0 | 1 => 1,
        2 | 3 => 2,
        _ => n.saturating_add(3) / 2,
    }
}

/// Bounds that a table may set lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one proposed value.
    pub value_bytes: usize,
    /// Bytes of all values held at one height; beyond that only values with a quorum are taken.
    pub held_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { value_bytes: 512 * 1024, held_bytes: 64 * 1024 * 1024 }
    }
}

/// Everything a height is born with; the same at every honest node, save `me`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeightConfig {
    /// The log's id; part of everything signed.
    pub domain: [u8; 32],
    /// The height.
    pub height: u64,
    /// Who votes, in seat order.
    pub electorate: Vec<(Voter, VerifyingKey)>,
    /// This node's seat, or none for somebody who only follows.
    pub me: Option<Voter>,
    /// The index in `electorate` of the scribe of round 0; round r is r places further.
    pub first_proposer: usize,
    /// How long round 0 waits for a proposal, in milliseconds: [`MIN_TIMEOUT_MS`] at first, then
    /// [`Height::next_propose_timeout_ms`] of the height before.
    pub propose_timeout_ms: u64,
    /// Bounds.
    pub limits: Limits,
}

/// Why a height cannot be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConfigError {
    /// Nobody votes, or more than [`MAX_ELECTORATE`].
    #[error("an electorate has 1 to {MAX_ELECTORATE} seats, this one has {0}")]
    Electorate(usize),
    /// Seats are not in strictly rising order.
    #[error("{0} is not in seat order")]
    Order(Voter),
    /// `me` is not in the electorate.
    #[error("{0} does not vote at this height")]
    NotAMember(Voter),
    /// The signing key is not the one the electorate knows for `me`, or there is no `me`.
    #[error("the signing key is not that of the own seat")]
    Key,
    /// The first scribe's index is out of range.
    #[error("the first scribe is number {index} of {seats}")]
    FirstProposer {
        /// The index given.
        index: usize,
        /// Seats of the electorate.
        seats: usize,
    },
    /// A stored record does not fit this height. The caller should treat its log as lost.
    #[error("record {index} does not belong to this height: {error}")]
    Record {
        /// Its place among the records.
        index: usize,
        /// What is wrong with it.
        error: Box<Error>,
    },
}

/// What the caller thinks of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It may be decided.
    Valid,
    /// It may be decided, but this node's clock or pending messages speak against it: a fresh
    /// proposal gets a nil prevote, anything with a proof is treated as valid.
    SoftNil,
    /// It must not be decided.
    Invalid,
}

/// What happens to a height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// There is something to decide: join.
    Pending,
    /// The answer to [`Output::NeedValue`].
    Value {
        /// The round asked for.
        round: u32,
        /// The value's bytes.
        bytes: Vec<u8>,
    },
    /// A message of this height, from anybody.
    Message(Vec<u8>),
    /// The answer to [`Output::NeedVerdict`].
    Verdict {
        /// The round asked about.
        round: u32,
        /// The value asked about.
        value_id: ValueId,
        /// The answer.
        verdict: Verdict,
    },
    /// Adopt a decision with its proof (catching up). Both are verified here; that the value makes
    /// sense is not asked again.
    Certified {
        /// A quorum of precommits.
        certificate: Certificate,
        /// The bytes of the value it names.
        value: Vec<u8>,
    },
    /// While true, timeouts stand still: fewer than a quorum are heard. False starts them again.
    Suspend(bool),
    /// Time has passed.
    Tick,
}

/// What a height wants done, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Store this durably before anything behind it leaves.
    Persist(Record),
    /// Send this to all voters and onlookers.
    Send(Vec<u8>),
    /// This node is the scribe: give a value, now or as soon as there is one.
    NeedValue {
        /// The round to propose in.
        round: u32,
    },
    /// Judge a proposal.
    NeedVerdict {
        /// The round it was made in.
        round: u32,
        /// Its value's id.
        value_id: ValueId,
        /// Its value.
        bytes: Vec<u8>,
        /// Who proposed it.
        proposer: Voter,
        /// Whether it comes without a proof from an earlier round, so that soft rules apply.
        fresh: bool,
    },
    /// The height is decided; nothing but evidence comes after this.
    Decided {
        /// The round whose proposal was decided.
        round: u32,
        /// The value.
        value: Vec<u8>,
        /// The proof.
        certificate: Certificate,
    },
    /// A voter contradicted itself; given once per voter and height.
    Evidence(Evidence),
}

/// What must be durable. The records of a height, in order, bring a crashed node back to where it
/// was: locks cannot be set in the driver, so its inputs are replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Record {
    /// The bytes of a value that later records name.
    Value(Vec<u8>),
    /// A round was entered.
    NewRound {
        /// The round.
        round: u32,
    },
    /// The own value was given to the driver.
    Propose {
        /// The round.
        round: u32,
        /// The value's id.
        value_id: ValueId,
    },
    /// A proposal was given to the driver with this verdict.
    Proposal {
        /// The proposal.
        signed: SignedProposal,
        /// The verdict.
        verdict: Verdict,
    },
    /// A vote was given to the driver.
    Vote(SignedVote),
    /// A quorum of prevotes was given to the driver whole.
    Polka(Certificate),
    /// A quorum of precommits was given to the driver whole.
    Commit(Certificate),
    /// A timeout elapsed.
    Timeout {
        /// Its round.
        round: u32,
        /// Which one.
        kind: Place,
    },
    /// The guard: this node signed these bytes in this place, and nothing else there ever.
    Signed {
        /// The round.
        round: u32,
        /// The place.
        place: Place,
        /// The signed statement.
        statement: Vec<u8>,
    },
    /// Signing stopped for the rest of the height.
    Stopped,
}

/// The three things that a voter does once in a round; also the steps that can time out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    /// The scribe's proposal; waiting for it.
    Propose,
    /// The first vote; waiting for more of them.
    Prevote,
    /// The second vote; waiting for more of them.
    Precommit,
}

impl From<VoteKind> for Place {
    fn from(kind: VoteKind) -> Self {
        match kind {
            VoteKind::Prevote => Self::Prevote,
            VoteKind::Precommit => Self::Precommit,
        }
    }
}

/// Why an input was refused. The height goes on as if it had not come, save where noted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// Longer than the limit.
    #[error("{len} bytes are more than the {limit} allowed")]
    TooLarge {
        /// Bytes that came.
        len: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// Not a message, or not in its one encoding.
    #[error("the message cannot be read")]
    Malformed,
    /// A message of another height.
    #[error("the message is about height {got}, not {open}")]
    WrongHeight {
        /// The height it names.
        got: u64,
        /// This height.
        open: u64,
    },
    /// A round too far ahead to be believed.
    #[error("round {round} is too far ahead of round {current}")]
    RoundTooFar {
        /// The round it names.
        round: u32,
        /// The round this node is in.
        current: u32,
    },
    /// The author does not vote at this height.
    #[error("{0} does not vote at this height")]
    NotAMember(Voter),
    /// The signature is not the author's.
    #[error("the signature is not that of {0}")]
    BadSignature(Voter),
    /// Only the scribe of a round proposes.
    #[error("{proposer} is not the scribe of round {round}")]
    WrongProposer {
        /// The round.
        round: u32,
        /// Who proposed.
        proposer: Voter,
    },
    /// The proof must come from an earlier round.
    #[error("the proposal of round {round} names a proof that is not from an earlier round")]
    BadPolRound {
        /// The round.
        round: u32,
    },
    /// The bytes are not those of the value named.
    #[error("the bytes are not those of the value named")]
    ValueMismatch,
    /// One more proposal in a round that has too many.
    #[error("round {round} has too many proposals")]
    TooManyProposals {
        /// The round.
        round: u32,
    },
    /// One more vote of a seat that has given too many in one place.
    #[error("{0} voted too often in one place")]
    TooManyVotes(Voter),
    /// The values of this height take too much room.
    #[error("the values of this height take too much room")]
    TooMuchHeld,
    /// No value is wanted for that round, or no longer.
    #[error("no value is wanted for round {round}")]
    UnwantedValue {
        /// The round.
        round: u32,
    },
    /// No verdict is wanted for that proposal.
    #[error("no verdict is wanted for that proposal of round {round}")]
    UnwantedVerdict {
        /// The round.
        round: u32,
    },
    /// A valid signature of this seat that this node never made: the data directory was copied.
    /// This node signs nothing more at this height.
    #[error("somebody else signs with this seat's key (a copied data directory?); signing stopped")]
    ForeignSignature,
    /// The guard holds another statement for that place. This node signs nothing more at this height.
    #[error("a different statement was already signed in round {round}; signing stopped")]
    Contradiction {
        /// The round.
        round: u32,
    },
    /// The certificate proves nothing.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The driver refused an input; a mistake in this module.
    #[error("agreement driver: {0}")]
    Driver(String),
}
