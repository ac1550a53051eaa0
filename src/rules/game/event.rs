//! Where a game stands, and what has happened in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::input::{Action, CompareResult};
use super::shown::Viewers;
use crate::rules::Chips;
use crate::rules::cards::Card;
use crate::rules::seat::Seat;

/// Why cards are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DealKind {
    /// A new hand; antes are taken.
    First,
    /// New cards for those still in, the bank staying.
    Redeal {
        /// Who laid open three tens; none if the cards got lost.
        holder: Option<Seat>,
    },
    /// A replay of a tied bank.
    Svara,
}

/// What the game waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// No hand is being played: the next may begin.
    Idle,
    /// Cards are to be dealt: to [`super::Game::participants`], from [`super::Game::dealer`]'s
    /// left.
    AwaitDeal {
        /// Why.
        kind: DealKind,
    },
    /// One seat is to act: [`super::Game::turn`].
    Betting,
    /// Two hands are to be compared.
    Comparing {
        /// Who paid for it.
        caller: Seat,
        /// Its right-hand neighbour.
        target: Seat,
    },
    /// Seats say whether they pay the ante: one by one, the dealer first; then all who did not pay
    /// are asked once more.
    MissingAnte,
    /// The dealer of a svara, or of the next hand, is being found among these.
    DealerChoice {
        /// Who lifts or is counted, in that order.
        seats: Vec<Seat>,
    },
    /// A seat answers whether it keeps a card that was turned up.
    Exposed {
        /// The seat.
        seat: Seat,
    },
    /// The two in a comparison answer whether they hold three tens and demand a redeal.
    ThreeTens {
        /// Who paid for the comparison.
        caller: Seat,
        /// Its right-hand neighbour.
        target: Seat,
    },
    /// One of the last two asks for a svara; the other answers.
    Boil {
        /// Who asks.
        asker: Seat,
        /// Who answers.
        asked: Seat,
    },
    /// The tied seats say whether they divide the bank.
    SvaraSplit,
    /// Seats enter a svara or stay out: first the initiators, then the others.
    SvaraEntry,
    /// Too few in a svara can bet: all hands are opened and compared at once.
    Showdown,
}

/// How a bank was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultKind {
    /// By one seat.
    Win,
    /// Divided.
    Split,
}

/// How a hand ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandResult {
    /// Which hand it was.
    pub hand: u64,
    /// Won or divided.
    pub kind: ResultKind,
    /// Who won or divided, ascending; of a pool its holder.
    pub seats: Vec<Seat>,
    /// The whole bank, in chips.
    pub amount: Chips,
    /// What each was paid from it, in chips, pacts and pools kept.
    pub paid: BTreeMap<Seat, Chips>,
}

/// Something that has happened, in the order it happened. Sums are in chips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameEvent {
    /// Somebody sat down.
    Sat {
        /// The seat.
        seat: Seat,
        /// Its buy-in.
        chips: Chips,
    },
    /// A seat bought more chips.
    Rebought {
        /// The seat.
        seat: Seat,
        /// How many.
        chips: Chips,
    },
    /// A seat went away.
    Left {
        /// The seat.
        seat: Seat,
        /// What it took along.
        chips: Chips,
    },
    /// A stack was frozen.
    Froze {
        /// The seat.
        seat: Seat,
    },
    /// A stack was freed again.
    Unfroze {
        /// The seat.
        seat: Seat,
    },
    /// A hand began.
    Began {
        /// Its number.
        hand: u64,
        /// Who deals.
        dealer: Seat,
        /// Who is dealt in, in deal order.
        participants: Vec<Seat>,
    },
    /// A seat was taken out of a deal that is not finished.
    TakenOut {
        /// The seat.
        seat: Seat,
    },
    /// The dealer was taken out; this seat deals instead.
    DealerNow {
        /// The new dealer.
        seat: Seat,
    },
    /// Fewer than two were left for a first deal: nothing was paid, the hand counts for nothing.
    Void {
        /// The hand's number.
        hand: u64,
    },
    /// A seat paid its ante.
    Anted {
        /// The seat.
        seat: Seat,
        /// The ante.
        amount: Chips,
    },
    /// A deal was finished.
    Dealt {
        /// Why it was dealt.
        kind: DealKind,
    },
    /// A seat is to act.
    Turn {
        /// The seat.
        seat: Seat,
    },
    /// The dealer paid the ante of another.
    PaidFor {
        /// The dealer.
        dealer: Seat,
        /// Whose ante.
        seat: Seat,
        /// The ante.
        amount: Chips,
    },
    /// An ante went back, because its seat is not dealt in.
    Returned {
        /// Who had paid it.
        seat: Seat,
        /// The ante.
        amount: Chips,
    },
    /// Cards of a packet were opened to find the dealer.
    Lifted {
        /// Whose packet.
        seat: Seat,
        /// From its bottom upwards, after those opened before.
        cards: Vec<Card>,
    },
    /// Cards were opened one by one to find the dealer.
    Counted {
        /// In that order.
        cards: Vec<Card>,
    },
    /// The dealer was not found, or somebody left: these try again from a new shuffle.
    ChoiceAgain {
        /// Who takes part.
        seats: Vec<Seat>,
    },
    /// Who deals the next hand.
    DealerFound {
        /// The seat.
        seat: Seat,
    },
    /// A seat acted.
    Moved {
        /// The seat.
        seat: Seat,
        /// What it did.
        action: Action,
        /// What it paid, with the partners of its pool.
        paid: Chips,
    },
    /// How a payment was divided in a pool.
    PoolPaid {
        /// Who holds the cards.
        holder: Seat,
        /// What each paid of it.
        parts: BTreeMap<Seat, Chips>,
    },
    /// A seat did not act in time: it is out, or has lost the comparison.
    TimedOut {
        /// The seat.
        seat: Seat,
    },
    /// A seat in the hand is gone for good, and out.
    Gone {
        /// The seat.
        seat: Seat,
    },
    /// A seat could not pay the cheapest move: it is out and keeps what it has.
    OutByItself {
        /// The seat.
        seat: Seat,
    },
    /// A comparison went so.
    Compared {
        /// Who paid for it.
        caller: Seat,
        /// Its right-hand neighbour.
        target: Seat,
        /// Who won it.
        result: CompareResult,
    },
    /// A hand was opened.
    Shown {
        /// Whose.
        hand: Seat,
        /// To whom.
        to: Viewers,
    },
    /// New cards are dealt to those still in; the bank stays.
    Redeal {
        /// Who laid open three tens; none if the cards got lost.
        holder: Option<Seat>,
    },
    /// Dark play is over: everybody owes the whole level.
    DarkOver {
        /// The level from now on.
        level: Chips,
    },
    /// The bank stays, and is played for again.
    Svara {
        /// The initiators, who take part for nothing.
        seats: Vec<Seat>,
        /// What it costs who was dealt cards since the antes.
        played: Chips,
        /// What it costs everybody else.
        newcomer: Chips,
    },
    /// Several put a svara's entry together.
    Pooled {
        /// Who holds the cards.
        holder: Seat,
        /// What each put in, the holder included.
        parts: BTreeMap<Seat, Chips>,
    },
    /// Two agreed to share what either takes.
    Pact {
        /// The two.
        seats: [Seat; 2],
    },
    /// The bank was taken.
    Over {
        /// How.
        result: HandResult,
    },
}
