//! Which steps there are that somebody owes.

use serde::{Deserialize, Serialize};

use super::{Hash, Payload};
use crate::rules::Seat;

/// Which turn a move answers: with another basis it is stale, and nobody's fault.
///
/// The turn counter goes up with every change of the hand's state, so price, active seats and the target
/// of a comparison are the same wherever deal and turn are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Basis {
    /// The deal's number, counted over the whole evening.
    pub deal: u64,
    /// The turn counter of the deal.
    pub turn: u32,
}

/// A step that somebody owes; an [`Payload::Absent`] names the one that was missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StepId {
    /// The next dealer has to propose who plays.
    Start {
        /// The hand's number.
        hand: u64,
    },
    /// A participant has to say that it is ready.
    Ready {
        /// The hand's number.
        hand: u64,
    },
    /// A message of the deal is missing.
    Deal {
        /// The deal's number.
        deal: u64,
        /// Which message.
        part: DealPart,
        /// The hash of the message before it in the deal (zeros for keys).
        after: Hash,
    },
    /// A participant has to give its shares of cards that are to be seen.
    Shares {
        /// The deal's number.
        deal: u64,
        /// How many messages with shares it has given in this deal.
        round: u32,
    },
    /// A participant has to open what a lost one escrowed to it and the others.
    Recover {
        /// The deal's number.
        deal: u64,
        /// Whose layers.
        lost: Seat,
    },
    /// A participant has to escrow its shares anew.
    Escrow {
        /// The deal's number.
        deal: u64,
        /// Counts the renewals.
        step: u32,
    },
    /// A partner of a pool has to name the key under which it is shown the cards.
    Recipient {
        /// The deal's number.
        deal: u64,
    },
    /// The holder of a pool's hand has to show it to its partners.
    Show {
        /// The deal's number.
        deal: u64,
    },
    /// A player's turn, or an answer to a question.
    Turn(Basis),
    /// A program has to answer whether it lays three tens open.
    Tens(Basis),
    /// The caller of a comparison has to commit to its hand's level.
    Unary(Basis),
    /// The other side has to select by its own.
    Select(Basis),
    /// The caller has to take its layer off what was selected.
    Reveal(Basis),
    /// The seat has not been heard of for a while.
    Unheard {
        /// Hands finished when this is said, so that an old claim is not used later.
        finished: u64,
        /// How often the seat came back.
        returns: u32,
    },
}

impl StepId {
    /// Whether a program answers it with a proof.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        match self {
            Self::Shares { .. }
            | Self::Recover { .. }
            | Self::Escrow { .. }
            | Self::Recipient { .. }
            | Self::Show { .. }
            | Self::Tens(_)
            | Self::Unary(_)
            | Self::Select(_)
            | Self::Reveal(_) => true,
            Self::Start { .. }
            | Self::Ready { .. }
            | Self::Deal { .. }
            | Self::Turn(_)
            | Self::Unheard { .. } => false,
        }
    }

    /// Whether a message is an answer to it. Who holds three tens may lay them open instead of comparing.
    #[must_use]
    pub fn is_answered_by(&self, payload: &Payload) -> bool {
        match (self, payload) {
            (Self::Shares { deal, round }, Payload::Shares { deal: d, round: r, .. }) => {
                (deal, round) == (d, r)
            }
            (Self::Recover { deal, lost }, Payload::Recover { deal: d, lost: l, .. }) => {
                (deal, lost) == (d, l)
            }
            (Self::Escrow { deal, step }, Payload::Renew { deal: d, step: s, .. }) => {
                (deal, step) == (d, s)
            }
            (Self::Recipient { deal }, Payload::Recipient { deal: d, .. })
            | (Self::Show { deal }, Payload::Show { deal: d, .. }) => deal == d,
            (Self::Unary(basis), Payload::Unary { basis: b, .. })
            | (Self::Select(basis), Payload::Select { basis: b, .. })
            | (Self::Reveal(basis), Payload::Reveal { basis: b, .. })
            | (
                Self::Tens(basis) | Self::Unary(basis) | Self::Select(basis),
                Payload::Tens { basis: b, .. },
            ) => basis == b,
            _ => false,
        }
    }
}

/// The messages that make a deal, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DealPart {
    /// A hand key with its possession proof.
    Key,
    /// A shuffle with its proof.
    Shuffle,
    /// The cut.
    Cut,
    /// Escrow of the shares of everybody else's cards (three participants or more).
    Escrow,
    /// The signature on the finished deal.
    Final,
}
