//! The proof of a fork as a file: who has it needs nothing else to see who voted both ways.
//!
//! ```text
//! magic (8 bytes)  version (2 bytes, big-endian)  sections as in a transcript:
//! header (owner, state before the height), founding, the fork, the evidence, the owner's signature
//! ```

use serde::{Deserialize, Serialize};

use super::read::Sections;
use super::verify::{decode, report_seat, section as told};
use super::{Kind, MAX_FILE, Part, Problem, ReportSeat, section};
use crate::identity::{Identity, PublicKey, Sig};
use crate::rules::{Chips, Seat};
use crate::table::agreement::{Evidence, verify_evidence};
use crate::table::fork::{Fork, settle};
use crate::table::founding::Founded;
use crate::table::ledger::Core;
use crate::table::message::Entry;
use crate::wire::{self, PROTOCOL_VERSION, WireError};

/// How such a file begins.
pub const FORK_MAGIC: &[u8; 8] = b"TRNKFORK";
const LABEL: &str = "trinka/1 fork";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ForkHeader {
    owner: PublicKey,
    core: Core,
}

/// What the proof of a fork says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForkReport {
    /// The table.
    pub table: String,
    /// The height with two entries.
    pub height: u64,
    /// Who wrote the file.
    pub owner: String,
    /// The seats: chips at the last common height, and as the table ends.
    pub seats: Vec<ReportSeat>,
    /// The bank that was open.
    pub bank: Chips,
    /// Who is proved to have voted both ways.
    pub named: Vec<Seat>,
}

/// Writes the proof of a fork. `core` is the state before its height.
///
/// # Errors
/// [`WireError`] when something cannot be encoded.
pub fn write_fork(
    id: &Identity,
    founded: &Founded,
    core: &Core,
    fork: &Fork,
) -> Result<Vec<u8>, WireError> {
    let mut out = FORK_MAGIC.to_vec();
    out.extend_from_slice(&PROTOCOL_VERSION.to_be_bytes());
    let header = ForkHeader { owner: id.public(), core: core.clone() };
    section(&mut out, Kind::Header, &wire::encode(&header)?);
    section(&mut out, Kind::Founding, &wire::encode(founded)?);
    section(&mut out, Kind::Fork, &wire::encode(fork)?);
    section(&mut out, Kind::Evidence, &wire::encode(&fork.evidence())?);
    let signature = id.sign(LABEL, &[&out]);
    section(&mut out, Kind::Public, &wire::encode(&signature)?);
    Ok(out)
}

/// Verifies the proof of a fork from nothing but its bytes: the founding, the state that the entry names, both
/// certificates, every piece of evidence. As with transcripts, it proves what these keys signed.
///
/// # Errors
/// [`Problem`]: what does not hold.
pub fn verify_fork(bytes: &[u8]) -> Result<ForkReport, Problem> {
    let head = |error: &str| Problem::new(Part::Header, error);
    if bytes.len() > MAX_FILE {
        return Err(head("larger than a file of this kind may be"));
    }
    let rest = bytes.strip_prefix(FORK_MAGIC).ok_or_else(|| head("not the proof of a fork"))?;
    let version = rest.split_first_chunk::<2>().map(|(v, _)| u16::from_be_bytes(*v));
    if version != Some(PROTOCOL_VERSION) {
        return Err(head("of another version"));
    }
    let mut sections = Sections::new(bytes, 10);
    let mut next = |kind, part| sections.next(kind).map_err(told(part));
    let header: ForkHeader = decode(Part::Header, next(Kind::Header, Part::Header)?)?;
    let founded: Founded = decode(Part::Founding, next(Kind::Founding, Part::Founding)?)?;
    let fork: Fork = decode(Part::Certificate, next(Kind::Fork, Part::Certificate)?)?;
    let evidence: Vec<Evidence> =
        decode(Part::Certificate, next(Kind::Evidence, Part::Certificate)?)?;
    let signed = sections.so_far();
    let signature: Sig =
        decode(Part::Signature, sections.next(Kind::Public).map_err(told(Part::Signature))?)?;
    if !header.owner.verifies(LABEL, &[signed], &signature) {
        return Err(Problem::new(Part::Signature, "the owner's signature does not fit"));
    }
    if !sections.is_empty() {
        return Err(Problem::new(Part::End, "something stands behind the end"));
    }

    let core = &header.core;
    let founding = founded.verify().map_err(|e| Problem::new(Part::Founding, e.to_string()))?;
    if core.log != founded.log_id() || core.table != founding.table {
        return Err(head("the state belongs to another founding entry"));
    }
    if core.game.total() != core.game.total_bought() {
        return Err(head("chips are missing, or too many"));
    }
    let height = fork.height();
    let fail = |error: String| Problem::new(Part::Certificate, error).at(height);
    let entry: Entry = decode(Part::Entry, &fork.entry).map_err(|p| p.at(height))?;
    if entry.height != height || core.height != height || entry.before != core.hash() {
        return Err(Problem::new(Part::Entry, "it is not for this state").at(height));
    }
    if core.height == 1 {
        let first = crate::table::ledger::State::found(&founded)
            .map_err(|e| Problem::new(Part::Founding, e.to_string()))?;
        if first.core() != core {
            return Err(head("the state is not the one that was founded"));
        }
    }
    let voters = core.voting_keys();
    fork.verify(&core.log.0, &voters).map_err(|e| fail(e.to_string()))?;
    let sound = |signed: &&crate::table::agreement::SignedVote| {
        let key = voters.iter().find(|(voter, _)| *voter == signed.vote.voter);
        signed.vote.height == height && key.is_some_and(|(_, key)| signed.verify(&core.log.0, key))
    };
    if fork.votes.iter().filter(sound).count() != fork.votes.len() {
        return Err(fail("a kept vote is false".into()));
    }
    let mut named = Vec::new();
    for piece in &evidence {
        let liar = verify_evidence(&core.log.0, &voters, piece).map_err(|e| fail(e.to_string()))?;
        named.push(Seat(liar.0));
    }
    if evidence != fork.evidence() {
        return Err(fail("the evidence is not that of these votes".into()));
    }
    let settled = settle(core, &named.iter().copied().collect());
    let seats = core.seats.iter().map(|(seat, state)| ReportSeat {
        after: settled.game.stack(*seat).unwrap_or(0),
        ..report_seat(*seat, state, core.game.stack(*seat).unwrap_or(0))
    });
    Ok(ForkReport {
        table: core.table.to_string(),
        height,
        owner: header.owner.fingerprint(),
        seats: seats.collect(),
        bank: core.game.bank(),
        named,
    })
}
