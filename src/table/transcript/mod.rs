//! A hand as a file that proves itself: written by every node, checked by anybody.
//!
//! ```text
//! magic (8 bytes)  version (2 bytes, big-endian)  sections
//! section:  kind (1)  length (4, big-endian)  body  SHA-256 over kind, length and body (32)
//! order:    header, founding, then for each entry: its frame, the messages of the deal that it decides,
//!           its own messages, its certificate; of a closed table then its owner's claim, of evidence
//!           whom it is against; then the public signature;
//!           then, unless left out, the private section and its signature
//! ```
//!
//! The frame names every message's author and hash, so damage is told with its author even where the
//! message cannot be read any more. Both signatures are the owner's: over everything before them.

mod course;
mod fork;
mod read;
mod report;
mod verify;

use serde::{Deserialize, Serialize};

use super::founding::Founded;
use super::ledger::Core;
use super::message::{Decided, Entry, Hash, Signed};
use crate::identity::{Identity, PublicKey};
use crate::rules::{Card, Seat};
use crate::wire::{self, PROTOCOL_VERSION, WireError};

pub use course::Course;
pub use fork::{FORK_MAGIC, ForkReport, verify_fork, write_fork};
pub use report::{Finding, Named, Part, Problem, Report, ReportSeat};
pub use verify::{replay, verify};

use read::Sections;

pub(crate) const MAGIC: &[u8; 8] = b"TRNKHAND";
/// Largest file that is read, in bytes.
pub const MAX_FILE: usize = 64 << 20;
const PUBLIC_LABEL: &str = "trinka/1 transcript public";
const PRIVATE_LABEL: &str = "trinka/1 transcript private";

/// What a section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Header = 1,
    Founding = 2,
    Deal = 3,
    Frame = 4,
    Message = 5,
    Certificate = 6,
    Public = 7,
    Private = 8,
    PrivateSignature = 9,
    Claim = 10,
    Fork = 11,
    Evidence = 12,
}

/// The head of a transcript: the state that the hand's first entry attests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// Who wrote the file.
    pub(crate) owner: PublicKey,
    /// The hand's number.
    pub(crate) hand: u64,
    /// How many entries follow.
    pub(crate) entries: u32,
    /// The state before the first of them.
    pub(crate) core: Core,
}

/// An entry without its messages, which follow one by one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub(crate) height: u64,
    pub(crate) composer: Seat,
    pub(crate) before: Hash,
    /// Author and hash of each message; an author without a seat is a newcomer.
    pub(crate) messages: Vec<(Option<Seat>, Hash)>,
    /// Messages of the deal that follow before its own.
    pub(crate) deal: u32,
}

/// The owner's cards of one deal: the secret view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnCards {
    /// The deal's number.
    pub deal: u64,
    /// The cards.
    pub cards: [Card; 3],
}

/// The entries of a hand with their heights, from a transcript in which everything holds; nothing where something
/// does not. None of a hand that ends at `known` or before: what it takes to check it is spared.
#[must_use]
pub fn decided(bytes: &[u8], known: u64) -> Option<Vec<(u64, Decided)>> {
    let mut sections = Sections::new(bytes, MAGIC.len() + 2);
    let header: Header = wire::decode(sections.next(Kind::Header).ok()?).ok()?;
    if header.core.height.saturating_add(header.entries.into()) <= known.saturating_add(1) {
        return Some(Vec::new());
    }
    // Weights of batched checks that are fixed by all the bytes cannot be known before them.
    match replay(bytes, wire::hash("trinka own transcript", &[bytes])) {
        (Finding::Good(_), Some(course)) => Some(course.entries),
        _ => None,
    }
}

fn section(out: &mut Vec<u8>, kind: Kind, body: &[u8]) {
    let head = [kind as u8];
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes();
    let digest = wire::hash("trinka section", &[&head, &length, body]);
    out.extend_from_slice(&head);
    out.extend_from_slice(&length);
    out.extend_from_slice(body);
    out.extend_from_slice(&digest);
}

/// Writes a transcript.
///
/// # Errors
/// [`WireError`] when something cannot be encoded or an entry not be read.
pub fn write(
    id: &Identity,
    founded: &Founded,
    core: &Core,
    hand: u64,
    entries: &[Decided],
    private: &[OwnCards],
) -> Result<Vec<u8>, WireError> {
    write_with(id, founded, core, hand, entries, private, None)
}

/// Writes what proves that a seat cheated: a hand as far as the entry by which the seat was named.
///
/// # Errors
/// As [`write`].
pub fn write_evidence(
    id: &Identity,
    founded: &Founded,
    core: &Core,
    hand: u64,
    entries: &[Decided],
    seat: Seat,
) -> Result<Vec<u8>, WireError> {
    let end = (Kind::Evidence, wire::encode(&seat)?);
    write_with(id, founded, core, hand, entries, &[], Some(end))
}

/// Writes a hand as far as it went when its table was closed, with the claim that closed it.
///
/// # Errors
/// As [`write`].
pub fn write_claim(
    id: &Identity,
    founded: &Founded,
    core: &Core,
    hand: u64,
    entries: &[Decided],
    claim: &Signed,
) -> Result<Vec<u8>, WireError> {
    let end = (Kind::Claim, wire::encode(claim)?);
    write_with(id, founded, core, hand, entries, &[], Some(end))
}

fn write_with(
    id: &Identity,
    founded: &Founded,
    core: &Core,
    hand: u64,
    entries: &[Decided],
    private: &[OwnCards],
    end: Option<(Kind, Vec<u8>)>,
) -> Result<Vec<u8>, WireError> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&PROTOCOL_VERSION.to_be_bytes());
    let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    let header = Header { owner: id.public(), hand, entries: count, core: core.clone() };
    section(&mut out, Kind::Header, &wire::encode(&header)?);
    section(&mut out, Kind::Founding, &wire::encode(founded)?);
    for decided in entries {
        let entry: Entry = wire::decode(&decided.entry)?;
        let messages = entry
            .messages
            .iter()
            .map(|m| (m.read(core.log).ok().and_then(|b| core.seat_of(&b.author)), m.id()))
            .collect();
        let deal = u32::try_from(decided.deal.len()).unwrap_or(u32::MAX);
        let frame = Frame {
            height: entry.height,
            composer: entry.composer,
            before: entry.before,
            messages,
            deal,
        };
        section(&mut out, Kind::Frame, &wire::encode(&frame)?);
        for message in &decided.deal {
            section(&mut out, Kind::Deal, &wire::encode(message)?);
        }
        for message in &entry.messages {
            section(&mut out, Kind::Message, &wire::encode(message)?);
        }
        section(&mut out, Kind::Certificate, &wire::encode(&decided.certificate)?);
    }
    if let Some((kind, body)) = end {
        section(&mut out, kind, &body);
    }
    let signature = id.sign(PUBLIC_LABEL, &[&out]);
    section(&mut out, Kind::Public, &wire::encode(&signature)?);
    section(&mut out, Kind::Private, &wire::encode(&private.to_vec())?);
    let signature = id.sign(PRIVATE_LABEL, &[&out]);
    section(&mut out, Kind::PrivateSignature, &wire::encode(&signature)?);
    Ok(out)
}
