//! What may be told to a game, and what a seat may do.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rules::cards::Card;
use crate::rules::seat::Seat;
use crate::rules::{Chips, HouseRules};

/// Everything that can happen to a game. Sums are in chips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// Somebody sits down with so many chips. In the middle of a hand it waits for the next.
    Sit {
        /// A free seat.
        seat: Seat,
        /// The buy-in.
        chips: Chips,
    },
    /// A seat that is not in the hand buys more chips.
    Rebuy {
        /// The seat.
        seat: Seat,
        /// How many more.
        chips: Chips,
    },
    /// A seat that is not in the hand goes away with its stack.
    Leave {
        /// The seat; it is free afterwards.
        seat: Seat,
    },
    /// A seat that is not in the hand keeps its stack but may not touch it or play.
    Freeze {
        /// The seat.
        seat: Seat,
    },
    /// A frozen seat may play again.
    Unfreeze {
        /// The seat.
        seat: Seat,
    },
    /// Between hands everybody agrees to play by other rules.
    Rules {
        /// Which.
        rules: Box<HouseRules>,
    },
    /// Who deals the next hand is to be found: known by the house rules, or by cards
    /// ([`super::Game::must_choose_dealer`]). [`super::Game::next_dealer`] tells it afterwards.
    ChooseDealer {
        /// The host: the first to lift or to be counted where it takes part.
        host: Seat,
        /// Who will be dealt in, in any order.
        participants: Vec<Seat>,
    },
    /// Cards of the packet that a seat has lifted to find the dealer are opened. If the seat has
    /// said how many cards it lifts, further ones may follow; otherwise these are all.
    Lift {
        /// Whose packet.
        seat: Seat,
        /// From the bottom upwards, after those opened before.
        cards: Vec<Card>,
    },
    /// Further cards are opened in counting for the dealer; what follows the deciding ace counts
    /// for nothing.
    Count {
        /// In the order they are opened; the very first of all is the table's.
        cards: Vec<Card>,
    },
    /// A new hand begins. Antes are asked for (`missing_ante = dealer_pays`), or taken when it has
    /// been dealt.
    Begin {
        /// Who deals; one of the participants.
        dealer: Seat,
        /// Who is dealt in, in any order.
        participants: Vec<Seat>,
    },
    /// The awaited deal is finished: every participant holds three cards.
    Dealt,
    /// A seat acts.
    Move {
        /// Who acts.
        seat: Seat,
        /// What it does.
        action: Action,
    },
    /// A seat that was to act has not done so in time: it folds, declines, or has lost the
    /// comparison that it would have had to show its cards for.
    TimeOut {
        /// The seat.
        seat: Seat,
    },
    /// A seat is gone for good, whoever's turn it is: it is out of the hand, and has lost a
    /// comparison it takes part in. From a first deal it is simply taken out.
    Lost {
        /// The seat.
        seat: Seat,
    },
    /// How the awaited comparison went.
    Outcome {
        /// Who has won it.
        result: CompareResult,
    },
    /// The cards that are out can no longer be opened: those still in are dealt new ones.
    LayerLost,
    /// The table ends here: an open bank goes to those still in the hand, in equal parts.
    BreakOff {
        /// Who gets nothing of it.
        without: Vec<Seat>,
    },
    /// In a comparison one side has laid open three tens, where that is a redeal by itself.
    Tens {
        /// Who holds them.
        holder: Seat,
    },
    /// Who deals the svara or the next hand, however that was found.
    DealerIs {
        /// One of those among whom it is found.
        seat: Seat,
    },
    /// All hands of a poor svara are open: these are the best.
    Best {
        /// The winner, or those who tie.
        seats: Vec<Seat>,
    },
    /// Several put a svara's entry together; the first named holds the cards.
    Pool {
        /// Each partner and its part of the entry.
        parts: Vec<(Seat, Chips)>,
    },
    /// Two participants of a svara agree to share its bank.
    Pact {
        /// The two.
        seats: [Seat; 2],
    },
}

/// How a comparison went: who holds the better hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompareResult {
    /// The caller holds more points: the target is out.
    Caller,
    /// The target holds more points: the caller is out.
    Target,
    /// Equal points.
    Tie,
}

/// What a seat does. Sums are in chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Looks at its cards.
    Look,
    /// Throws its hand away.
    Fold,
    /// Pays the price, or more.
    Bet(Chips),
    /// Bets without having looked.
    Dark(Chips),
    /// Pays the compare price and compares with the neighbour on the right.
    Compare,
    /// Lays open three tens.
    Redeal,
    /// Asks the last other seat for a svara.
    Boil,
    /// Says yes to a question.
    Accept,
    /// Says no to a question.
    Refuse,
    /// Is for dividing the bank.
    Split,
    /// Is against dividing the bank.
    NoSplit,
    /// Enters a svara.
    Enter,
    /// Stays out of a svara.
    StayOut,
    /// Pays the ante.
    Ante,
    /// Does not pay the ante.
    Omit,
    /// Keeps an exposed card.
    Keep,
    /// Replaces an exposed card by the one at this place of the rest, counted from 0.
    Replace(u8),
    /// A card of this seat is turned up for all to see: by the dealer, who has to ask whether it is
    /// kept, or by the seat itself before it gets it.
    Expose(Seat),
    /// Cuts off so many cards.
    Cut(u8),
    /// Lifts so many cards off the rest.
    Lift(u8),
}

impl Action {
    /// Which kind of action it is.
    #[must_use]
    pub const fn kind(self) -> ActionKind {
        match self {
            Action::Look => ActionKind::Look,
            Action::Fold => ActionKind::Fold,
            Action::Bet(_) => ActionKind::Bet,
            Action::Dark(_) => ActionKind::Dark,
            Action::Compare => ActionKind::Compare,
            Action::Redeal => ActionKind::Redeal,
            Action::Boil => ActionKind::Boil,
            Action::Accept => ActionKind::Accept,
            Action::Refuse => ActionKind::Refuse,
            Action::Split => ActionKind::Split,
            Action::NoSplit => ActionKind::NoSplit,
            Action::Enter => ActionKind::Enter,
            Action::StayOut => ActionKind::StayOut,
            Action::Ante => ActionKind::Ante,
            Action::Omit => ActionKind::Omit,
            Action::Keep => ActionKind::Keep,
            Action::Replace(_) => ActionKind::Replace,
            Action::Expose(_) => ActionKind::Expose,
            Action::Cut(_) => ActionKind::Cut,
            Action::Lift(_) => ActionKind::Lift,
        }
    }

    /// The payment that it names, in chips; none if its cost is fixed or nothing.
    #[must_use]
    pub const fn amount(self) -> Option<Chips> {
        match self {
            Action::Bet(amount) | Action::Dark(amount) => Some(amount),
            _ => None,
        }
    }

    /// The number that it names, in the units of [`LegalMove`]; none if it names none.
    #[must_use]
    pub const fn number(self) -> Option<u64> {
        match self {
            Action::Bet(amount) | Action::Dark(amount) => Some(amount),
            Action::Lift(small) | Action::Replace(small) | Action::Cut(small) => Some(small as u64),
            Action::Expose(seat) => Some(seat.0 as u64),
            _ => None,
        }
    }
}

/// The kinds of [`Action`], without their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "each is described at the action of its name")]
pub enum ActionKind {
    Look,
    Fold,
    Bet,
    Dark,
    Compare,
    Redeal,
    Boil,
    Accept,
    Refuse,
    Split,
    NoSplit,
    Enter,
    StayOut,
    Ante,
    Omit,
    Keep,
    Replace,
    Expose,
    Cut,
    Lift,
}

impl ActionKind {
    /// Every kind.
    pub const ALL: [ActionKind; 20] = [
        ActionKind::Look,
        ActionKind::Fold,
        ActionKind::Bet,
        ActionKind::Dark,
        ActionKind::Compare,
        ActionKind::Redeal,
        ActionKind::Boil,
        ActionKind::Accept,
        ActionKind::Refuse,
        ActionKind::Split,
        ActionKind::NoSplit,
        ActionKind::Enter,
        ActionKind::StayOut,
        ActionKind::Ante,
        ActionKind::Omit,
        ActionKind::Keep,
        ActionKind::Replace,
        ActionKind::Expose,
        ActionKind::Cut,
        ActionKind::Lift,
    ];

    /// The action of this kind that names this number, in the units of [`LegalMove`]; a kind that
    /// names none does not look at it. None where cards or seats never are so many.
    #[must_use]
    pub fn action(self, number: u64) -> Option<Action> {
        let small = || u8::try_from(number).ok();
        Some(match self {
            ActionKind::Look => Action::Look,
            ActionKind::Fold => Action::Fold,
            ActionKind::Bet => Action::Bet(number),
            ActionKind::Dark => Action::Dark(number),
            ActionKind::Compare => Action::Compare,
            ActionKind::Redeal => Action::Redeal,
            ActionKind::Boil => Action::Boil,
            ActionKind::Accept => Action::Accept,
            ActionKind::Refuse => Action::Refuse,
            ActionKind::Split => Action::Split,
            ActionKind::NoSplit => Action::NoSplit,
            ActionKind::Enter => Action::Enter,
            ActionKind::StayOut => Action::StayOut,
            ActionKind::Ante => Action::Ante,
            ActionKind::Omit => Action::Omit,
            ActionKind::Keep => Action::Keep,
            ActionKind::Replace => Action::Replace(small()?),
            ActionKind::Expose => Action::Expose(Seat(small()?)),
            ActionKind::Cut => Action::Cut(small()?),
            ActionKind::Lift => Action::Lift(small()?),
        })
    }
}

impl fmt::Display for ActionKind {
    /// The word that scripts use: `bet`, `no-split`, `stay-out`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ActionKind::Look => "look",
            ActionKind::Fold => "fold",
            ActionKind::Bet => "bet",
            ActionKind::Dark => "dark",
            ActionKind::Compare => "compare",
            ActionKind::Redeal => "redeal",
            ActionKind::Boil => "boil",
            ActionKind::Accept => "accept",
            ActionKind::Refuse => "refuse",
            ActionKind::Split => "split",
            ActionKind::NoSplit => "no-split",
            ActionKind::Enter => "enter",
            ActionKind::StayOut => "stay-out",
            ActionKind::Ante => "ante",
            ActionKind::Omit => "omit",
            ActionKind::Keep => "keep",
            ActionKind::Replace => "replace",
            ActionKind::Expose => "expose",
            ActionKind::Cut => "cut",
            ActionKind::Lift => "lift",
        })
    }
}

/// A move that would be accepted now.
///
/// `min` and `max` bound the number that the move names: for `bet` and `dark` the chips it pays,
/// for `lift` how many cards, for `replace` the place in the rest, for `expose` the receiver's
/// seat. A move that names none has a fixed cost in chips, which both of them are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegalMove {
    /// Who may make it.
    pub seat: Seat,
    /// What it is.
    pub kind: ActionKind,
    /// The least number it may name, or what it costs.
    pub min: u64,
    /// The greatest number it may name, or what it costs.
    pub max: u64,
}

impl LegalMove {
    /// The move that names this number; none outside the bounds.
    #[must_use]
    pub fn action(self, number: u64) -> Option<Action> {
        self.kind.action(number).filter(|_| (self.min..=self.max).contains(&number))
    }

    /// Whether it is this action of this seat.
    #[must_use]
    pub fn is(self, seat: Seat, action: Action) -> bool {
        let names = |number| (self.min..=self.max).contains(&number);
        (self.seat, self.kind) == (seat, action.kind()) && action.number().is_none_or(names)
    }
}

/// What staying and comparing cost a seat, in chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// What it must pay at least to stay.
    pub pass: Chips,
    /// What it must pay to compare; none while comparing is closed to it.
    pub compare: Option<Chips>,
}
