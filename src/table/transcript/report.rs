//! What is found of a transcript.

use serde::Serialize;

use crate::event::FaultKind;
use crate::rules::{Chips, ResultKind, Seat};
use crate::table::message::Hash;
use crate::table::met::Met;

/// A part of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Magic, version, and the opening state.
    Header,
    /// The founding entry.
    Founding,
    /// A message of a deal.
    Deal,
    /// An entry of the log, or a message in it.
    Entry,
    /// A certificate.
    Certificate,
    /// The owner's signature over the public part.
    Signature,
    /// The owner's secret view.
    Private,
    /// Something behind the end.
    End,
}

/// What is wrong with a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// In words.
    pub error: String,
    /// Where.
    pub part: Part,
    /// Whose message it is, where it is one.
    pub seat: Option<Seat>,
    /// Which message of its entry or deal, from 0.
    pub message: Option<u64>,
    /// The height of the entry.
    pub height: Option<u64>,
}

/// A seat in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportSeat {
    /// The seat.
    pub seat: Seat,
    /// Its label.
    pub name: String,
    /// Its key, in hex.
    pub key: String,
    /// The key's fingerprint.
    pub fingerprint: String,
    /// Chips before the hand.
    pub before: Chips,
    /// Chips after it; of who left the table at its end, what it took along.
    pub after: Chips,
    /// Whether it has left the table by then.
    pub left: bool,
}

/// A seat that is proved to have cheated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Who.
    pub seat: Seat,
    /// What it did.
    pub kind: FaultKind,
    /// The entry that holds the proof.
    pub height: u64,
}

/// What a good transcript says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The table.
    pub table: String,
    /// The hand.
    pub hand: u64,
    /// Who wrote it.
    pub owner: String,
    /// The seats.
    pub seats: Vec<ReportSeat>,
    /// Signed messages, those of deals included.
    pub messages: u64,
    /// Proved shuffles.
    pub shuffles: u64,
    /// Proved decryption shares.
    pub shares: u64,
    /// Hand proofs.
    pub hand_proofs: u64,
    /// Signatures verified.
    pub signatures: u64,
    /// What the hand has met of the rules.
    pub met: Met,
    /// Turns that were passed over, certified by the table: seat and height.
    pub skipped: Vec<(Seat, u64)>,
    /// Who cheated; each proof was checked.
    pub named: Vec<Named>,
    /// How the bank was taken: kind, seats, amount; nothing when the hand has no end.
    pub result: Option<(ResultKind, Vec<Seat>, Chips)>,
    /// Chips that are part of no stack, where the owner closed the table in the middle of the hand.
    pub suspended: Option<Chips>,
    /// The state before and after, for checking that hands continue each other.
    pub opening: Hash,
    /// The hash of the state after the last entry.
    pub closing: Hash,
}

/// The outcome of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Everything holds, and the hand has its end.
    Good(Box<Report>),
    /// Everything holds, but the hand has no end.
    Unfinished(Box<Report>),
    /// It proves that a seat cheated, the last of those that are named, and holds.
    Evidence(Box<Report>),
    /// Something does not hold.
    Bad(Box<Problem>),
}

impl Problem {
    pub(super) fn new(part: Part, error: impl Into<String>) -> Self {
        Problem { error: error.into(), part, seat: None, message: None, height: None }
    }

    pub(super) fn at(mut self, height: u64) -> Self {
        self.height = Some(height);
        self
    }

    pub(super) fn of(mut self, seat: Option<Seat>, message: usize) -> Self {
        self.seat = seat;
        self.message = Some(message as u64);
        self
    }
}
