//! Proofs that a seat cheated, checked from nothing but the proof and the table's keys.

use rand_core::CryptoRng;

use super::agreement::{Voter, verify_evidence};
use super::ledger::{Core, DealPlan, guilty};
use super::limits;
use super::message::{Hash, Payload, Proof};
use crate::rules::Seat;

/// What a seat is proved to have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two contradicting votes or proposals.
    TwoVotes,
    /// Two different deal messages for one place.
    TwoDealMessages,
    /// A message of a deal that is false for the inputs which its author signed.
    FalseDealMessage,
    /// A message for the log whose proof is false for the cards that it speaks of.
    FalseStep,
}

/// Checks a proof that needs nothing but the table's keys, and tells who is guilty of what. Randomness weighs what
/// is verified together.
///
/// # Errors
/// In words, why it proves nothing.
pub fn accused(
    proof: &Proof,
    core: &Core,
    rng: &mut impl CryptoRng,
) -> Result<(Seat, Kind), String> {
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
            // The same words signed in two ways are two messages as well.
            if first == second {
                return Err("the two are the same".into());
            }
            Ok((seat, Kind::TwoDealMessages))
        }
        Proof::FalseDealMessage { number, order, shufflers, purpose, messages } => {
            if messages.len() > limits::DEAL_MESSAGES {
                return Err("too many messages".into());
            }
            let plan = DealPlan::with(core, *number, order, *purpose, shufflers.clone())
                .map_err(|e| e.to_string())?;
            Ok((guilty(&plan, messages, rng)?, Kind::FalseDealMessage))
        }
        Proof::FalseStep { .. } => Err("it speaks of cards that the log alone knows".into()),
    }
}

/// Whom a proof is against, proven or not.
#[must_use]
pub fn claimed(proof: &Proof, core: &Core) -> Option<Seat> {
    let message = match proof {
        Proof::Agreement(evidence) => return Some(Seat(evidence.accused().0)),
        Proof::TwoDealMessages { first, .. } => first,
        Proof::FalseStep { message } => message,
        Proof::FalseDealMessage { messages, .. } => messages.last()?,
    };
    core.seat_of(&message.read(core.log).ok()?.author)
}

/// Which deal a message of a deal is for.
#[must_use]
pub fn deal_of(payload: &Payload) -> Option<Hash> {
    place(payload).map(|(_, deal, _)| deal)
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
