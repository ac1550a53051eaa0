//! Why something was refused.

use serde::{Deserialize, Serialize};

use crate::rules::Chips;
use crate::rules::cards::Card;
use crate::rules::game::ActionKind;
use crate::rules::house::FirstDealer;
use crate::rules::seat::Seat;

/// A refusal. Whatever was asked, nothing has changed. Sums are in chips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in its message")]
pub enum RulesError {
    /// No switch has this name.
    #[error("there is no switch {0:?}")]
    UnknownSwitch(String),
    /// The switch cannot have this value.
    #[error("{switch} cannot be {value:?}: it is one of {choices}")]
    BadValue { switch: String, value: String, choices: String },
    /// A sum is zero or too large.
    #[error("{switch} cannot be {chips}: from 1 to {most} chips")]
    SumOutOfRange { switch: String, chips: Chips, most: Chips },
    /// Two switches contradict each other.
    #[error("{one} and {other} do not go together: {why}")]
    Clash { one: String, other: String, why: String },

    /// The deck does not hold this card.
    #[error("{card} is not in the deck of {size} cards")]
    NotInDeck { card: Card, size: u8 },
    /// A hand names one card twice.
    #[error("{0} comes twice")]
    CardTwice(Card),

    /// A game needs two.
    #[error("at least two players are needed")]
    TooFewPlayers,
    /// The deck does not serve so many.
    #[error("{players} players are too many: a deck of {deck} cards serves {most}")]
    TooManyPlayers { players: usize, most: u8, deck: u8 },
    /// Somebody sits there already.
    #[error("seat {0} is taken")]
    SeatTaken(Seat),
    /// Nobody sits there.
    #[error("nobody sits on seat {0}")]
    NoSuchSeat(Seat),
    /// A buy-in of nothing, or more than a table can hold.
    #[error("cannot buy {chips} chips: from 1, and {most} in all at one table")]
    BadBuyIn { chips: Chips, most: Chips },
    /// The seat's stack is frozen.
    #[error("the stack of seat {0} is frozen")]
    Frozen(Seat),
    /// The seat's stack is not frozen.
    #[error("the stack of seat {0} is not frozen")]
    NotFrozen(Seat),
    /// The seat is still in the hand.
    #[error("seat {0} is still in the hand")]
    InHand(Seat),
    /// The seat is named twice.
    #[error("seat {0} is named twice")]
    SeatTwice(Seat),
    /// The dealer must be dealt in.
    #[error("seat {0} deals but does not play")]
    DealerNotPlaying(Seat),
    /// The seat has too little for the ante.
    #[error("seat {seat} has {stack} chips, the ante is {ante}")]
    CannotAnte { seat: Seat, stack: Chips, ante: Chips },

    /// A hand is being played.
    #[error("the hand is not over yet")]
    HandRunning,
    /// No deal is awaited.
    #[error("no deal is awaited")]
    NoDealAwaited,
    /// No comparison is awaited.
    #[error("no comparison is awaited")]
    NoComparison,
    /// No cards are out that could get lost.
    #[error("no cards have been dealt")]
    NoCardsOut,
    /// Nobody is to act.
    #[error("no move is awaited now")]
    NoMoveAwaited,
    /// Another seat is to act.
    #[error("it is not the turn of seat {seat}: seat {turn} is to act")]
    NotYourTurn { seat: Seat, turn: Seat },
    /// The house rules, or the moment, do not have this move.
    #[error("{0} is not open now")]
    NotOpen(ActionKind),
    /// The payment is below the price.
    #[error("{amount} is below the price of {price}")]
    BelowPrice { amount: Chips, price: Chips },
    /// The payment is above the ceiling.
    #[error("{amount} is above the ceiling of {ceiling}")]
    AboveCeiling { amount: Chips, ceiling: Chips },
    /// The payment is more than the seat has.
    #[error("{amount} is more than the {stack} chips that are left")]
    AboveStack { amount: Chips, stack: Chips },
    /// Nobody has bet in this deal, so there is nothing to compare for.
    #[error("nobody has bet yet: comparing opens after the first bet")]
    CompareBeforeBet,
    /// The neighbour has not acted in this deal.
    #[error("seat {0} has not acted yet: one compares with a neighbour who has")]
    CompareBeforeNeighbour(Seat),
    /// Not every active seat has acted in this deal.
    #[error("comparing opens when every seat has acted once")]
    CompareBeforeCircle,
    /// More than two are active.
    #[error("{active} are still in: only the last two compare")]
    CompareBeforeLastTwo { active: usize },
    /// The seat has looked, or counts as having looked.
    #[error("seat {0} has looked already")]
    LookedAlready(Seat),
    /// Dark players look only after the first circle.
    #[error("who plays dark looks when every seat has acted once")]
    LookBeforeCircle,
    /// The right to go dark belongs to the first speaker and an unbroken chain after it.
    #[error("the right to go dark has passed")]
    DarkClosed,
    /// A payment of a dark seat above what keeps the double price legal.
    #[error("{amount} is too much: dark play goes up to {most} here")]
    DarkAboveHalf { amount: Chips, most: Chips },
    /// An open bet that would lift the double price above the ceiling.
    #[error("{amount} would lift the double price above the ceiling: at most {most}")]
    AboveDouble { amount: Chips, most: Chips },
    /// Only who has looked knows of three tens.
    #[error("seat {0} has not looked yet")]
    LookFirst(Seat),
    /// The other was asked in this turn.
    #[error("the other has refused a svara in this turn")]
    AskedAlready,
    /// More than two are active.
    #[error("{active} are still in: only the last two boil")]
    BoilBeforeLastTwo { active: usize },
    /// The seat has answered.
    #[error("seat {0} has answered already")]
    AnsweredAlready(Seat),
    /// The seat is not asked.
    #[error("seat {0} is not asked")]
    NotAsked(Seat),
    /// The initiators answer first.
    #[error("the initiators answer first")]
    InitiatorsFirst,
    /// All places of the deck are taken.
    #[error("the deck serves no more than {most} players")]
    NoMorePlaces { most: u8 },
    /// The seat has a pact already.
    #[error("seat {0} has a pact already")]
    PactAlready(Seat),
    /// The seat does not take part in the svara.
    #[error("seat {0} does not take part in the svara")]
    NotInSvara(Seat),
    /// Not one of those who lift.
    #[error("seat {0} does not lift")]
    DoesNotLift(Seat),
    /// No showdown is awaited.
    #[error("no showdown is awaited")]
    NoShowdown,
    /// A lift of too many cards, or of none.
    #[error("{cards} cards cannot be lifted: from 1 to {most} here")]
    BadLift { cards: u8, most: Chips },
    /// The cards are none, or more than were lifted.
    #[error("seat {0} has not lifted so many cards, or none were opened")]
    OtherPacket(Seat),
    /// The dealer is found in another way.
    #[error("the dealer is found by {0} here")]
    OtherChoice(FirstDealer),
    /// One card a seat is turned up.
    #[error("seat {0} has had a card turned up already")]
    ExposedAlready(Seat),
    /// No card lies there to replace an exposed one with.
    #[error("place {place} is not there: {rest} cards are left")]
    NoSuchPlace { place: u8, rest: u8 },
    /// The house rules have no pools.
    #[error("pool = off: everybody enters a svara alone")]
    NoPools,
    /// The seat has its share in a hand that is still in.
    #[error("seat {0} is in a pool")]
    InPool(Seat),
    /// Nobody is in a pool for nothing.
    #[error("seat {0} puts nothing into the pool")]
    EmptyPart(Seat),
    /// The parts of a pool are more or less than the entry.
    #[error("the parts make {sum}, the entry is {price}")]
    PoolSum { sum: Chips, price: Chips },
    /// No dealer is being found.
    #[error("no dealer is being found")]
    NoDealerChoice,
}

impl RulesError {
    /// The names of the switches that are wrong; none where it is about the play.
    #[must_use]
    pub fn switches(&self) -> Vec<&str> {
        match self {
            RulesError::UnknownSwitch(switch)
            | RulesError::BadValue { switch, .. }
            | RulesError::SumOutOfRange { switch, .. } => vec![switch],
            // They are named with their values.
            RulesError::Clash { one, other, .. } => {
                [one, other].into_iter().filter_map(|named| named.split(' ').next()).collect()
            }
            _ => Vec::new(),
        }
    }
}
