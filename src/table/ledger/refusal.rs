//! Why a message or an entry does not apply.

use super::DealError;
use crate::rules::{RulesError, Seat};
use crate::table::message::{Hash, MessageError};
use crate::wire::WireError;

/// Why a message does not apply to the state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not even a message.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// The author has no seat here.
    #[error("the author has no seat at this table")]
    Stranger,
    /// It answers something that is over, or not yet open.
    #[error("it answers a step that is not open")]
    Stale,
    /// The author does not owe this.
    #[error("it is not this seat's turn to say that")]
    NotAsked,
    /// The hand proposed is not the one that has to be played.
    #[error("the hand proposed is not the next one")]
    WrongStart,
    /// The nonce is not the seat's next one.
    #[error("the nonce is {found}, the next one is {next}")]
    Nonce {
        /// The nonce found.
        found: u64,
        /// The nonce expected.
        next: u64,
    },
    /// Something out of bounds.
    #[error("out of bounds: {0}")]
    Bounds(&'static str),
    /// The rules forbid it.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A proof is false.
    #[error("a proof is false: {0}")]
    Proof(String),
    /// A message of the deal is false or missing.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// The messages of the finished deal are not here yet.
    #[error("the messages of the deal are not here yet")]
    DealMissing(Hash),
    /// The signatures on a deal are not complete, or not on one hash.
    #[error("not every participant has signed the same deal")]
    DealUnsigned,
    /// Only messages of a deal, which never stand in the log.
    #[error("it does not belong into the log")]
    NotForLog,
    /// The evidence proves nothing.
    #[error("the evidence proves nothing: {0}")]
    Evidence(String),
    /// The table is over.
    #[error("the table has ended")]
    Over,
}

/// Why an entry is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// Unreadable.
    #[error("the entry is unreadable: {0}")]
    Wire(#[from] WireError),
    /// For another height.
    #[error("the entry is for height {found}, not {expected}")]
    Height {
        /// The height found.
        found: u64,
        /// The height expected.
        expected: u64,
    },
    /// The state before it is another than ours: two rules engines differ in the result of the entry before.
    #[error(
        "seat {composer} has another result of entry {entry}: the two programs play by different rules"
    )]
    OtherState {
        /// Who composed the entry.
        composer: Seat,
        /// The entry whose result differs.
        entry: u64,
    },
    /// The composer does not vote.
    #[error("the composer, seat {0}, does not vote")]
    Composer(Seat),
    /// Empty, too long, or not in seat order.
    #[error("the entry is {0}")]
    Shape(&'static str),
    /// One of its messages does not apply.
    #[error("message {index}: {why}")]
    Message {
        /// Its place in the entry, from 0.
        index: usize,
        /// The author's seat, if it has one.
        seat: Option<Seat>,
        /// Why.
        why: Refusal,
    },
}
