//! Why a line of a script does not hold.

use crate::rules::{RulesError, Seat};

/// Where something stands in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u64,
    /// The character in it, counted from 1.
    pub column: u64,
}

/// A line that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which, and where in it.
    pub place: Place,
    /// Why.
    pub fault: Fault,
}

/// Why a line does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No line begins so.
    UnknownLine(String),
    /// No move is called so.
    UnknownMove(String),
    /// `expect` does not know this.
    UnknownExpect(String),
    /// The line is not complete; it is written like this.
    Form(&'static str),
    /// A word too much.
    TooMany(String),
    /// Not a whole number, or too large.
    NotANumber(String),
    /// Not a card.
    NotACard(String),
    /// So many cards instead of three.
    NotThree(u64),
    /// Not what a hand can be worth.
    BadPoints(String),
    /// This word cannot be a seat's name.
    BadName(String),
    /// Two seats of this name.
    NameTwice(String),
    /// More seats than the referee keeps.
    TooManySeats(u64),
    /// Nobody is called so.
    NoSuchName(String),
    /// Rules or seats that come after play has begun.
    TooLate(String),
    /// Only moves and the like can be refused.
    NotAMove(String),
    /// The rules refuse it.
    Rules(RulesError),
    /// The seat was given other cards than three tens, or none.
    NoThreeTens(Seat),
    /// A line with `!` that the rules allow.
    NotRefused,
    /// The seat's cards decide, and are not given.
    CardsUnknown(Seat),
    /// This deal has its dealer already: this seat.
    DealerFixed(Seat),
    /// The cards have not told the dealer yet.
    DealerOpen,
    /// An expectation that is not true.
    Expected {
        /// Of what: `bank`, `stack A`, …
        what: String,
        /// What the script says.
        expected: String,
        /// How it is.
        found: String,
    },
}

impl Fault {
    /// Whether it is a refusal of what was asked, rather than a line that means nothing.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Fault::Rules(_) | Fault::NoThreeTens(_) | Fault::DealerFixed(_) | Fault::DealerOpen
        )
    }

    /// At this place.
    pub(super) const fn at(self, place: Place) -> Failure {
        Failure { place, fault: self }
    }
}

impl From<RulesError> for Fault {
    fn from(error: RulesError) -> Fault {
        Fault::Rules(error)
    }
}
