//! Proofs that a seat cheated, checked from nothing but the proof and the table's keys.

use super::agreement::{Voter, verify_evidence};
use super::ledger::Core;
use super::message::{Hash, Payload, Proof};
use crate::rules::Seat;

/// What a seat is proved to have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two contradicting votes or proposals.
    TwoVotes,
    /// Two different deal messages for one place.
    TwoDealMessages,
}

/// Checks a proof and tells who is guilty of what.
///
/// # Errors
/// In words, why it proves nothing.
pub fn accused(proof: &Proof, core: &Core) -> Result<(Seat, Kind), String> {
    match proof {
        Proof::Agreement(evidence) => {
            let keys: Vec<_> = core
                .seats
                .iter()
                .filter_map(|(seat, s)| Some((Voter(seat.0), s.player.key.verifying()?)))
                .collect();
            let voter = verify_evidence(&core.log.0, &keys, evidence).map_err(|e| e.to_string())?;
            Ok((Seat(voter.0), Kind::TwoVotes))
        }
        Proof::TwoDealMessages { first, second } => {
            let a = first.open(core.log).map_err(|e| e.to_string())?;
            let b = second.open(core.log).map_err(|e| e.to_string())?;
            if a.author != b.author {
                return Err("the two are by different authors".into());
            }
            let seat = core.seat_of(&a.author).ok_or("the author has no seat")?;
            let (Some(x), Some(y)) = (place(&a.payload), place(&b.payload)) else {
                return Err("not messages of a deal".into());
            };
            if x != y {
                return Err("the two are for different places".into());
            }
            if a == b {
                return Err("the two are the same".into());
            }
            Ok((seat, Kind::TwoDealMessages))
        }
    }
}

/// The place of a deal message: of each author there may be one for each.
fn place(payload: &Payload) -> Option<(u8, Hash, Hash)> {
    match payload {
        Payload::Key { deal, .. } => Some((0, *deal, [0; 32])),
        Payload::Shuffle { deal, after, .. } => Some((1, *deal, *after)),
        Payload::Cut { deal, after, .. } => Some((2, *deal, *after)),
        Payload::Escrow { deal, after, .. } => Some((4, *deal, *after)),
        Payload::Final { deal, .. } => Some((3, *deal, [0; 32])),
        _ => None,
    }
}
