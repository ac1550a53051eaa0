//! The values of the switches, one type each, written as the house rules write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::rules::Chips;
use crate::rules::cards::DeckKind;

/// A switch value: reads itself, and can say what would have been right.
pub(crate) trait SwitchValue: Sized + fmt::Display {
    /// The value written as `text`.
    fn read(text: &str) -> Option<Self>;
    /// What may be written, for messages.
    fn choices() -> String;
}

/// Makes an enum whose values are written as the given words.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$value_doc])* #[serde(rename = $text)] $value,)+
        }

        impl $name {
            /// Every value, in the order of the rules.
            pub const ALL: &'static [$name] = &[$($name::$value,)+];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $($name::$value => $text,)+ })
            }
        }

        impl SwitchValue for $name {
            fn read(text: &str) -> Option<Self> {
                match text { $($text => Some($name::$value),)+ _ => None }
            }

            fn choices() -> String {
                [$($text,)+].join(", ")
            }
        }
    };
}

switch!(
    /// The three sources of the rules, each a complete set of switches.
    Preset {
        /// Trinka as it was played with cards on a table.
        TrinkaClassic = "trinka-classic",
        /// Trinka as an online room played it.
        TrinkaOnline = "trinka-online",
        /// Seka.
        Seka = "seka",
    }
);

impl FromStr for Preset {
    type Err = crate::rules::RulesError;

    fn from_str(text: &str) -> Result<Preset, Self::Err> {
        super::read_value("preset", text)
    }
}

switch!(
    /// On or off.
    OnOff {
        /// The rule does not apply.
        Off = "off",
        /// The rule applies.
        On = "on",
    }
);

impl OnOff {
    /// Whether it is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, OnOff::On)
    }
}

switch!(
    /// Which named hand is the highest.
    TopHand {
        /// Three aces beat three sixes.
        Aces = "aces",
        /// Three sixes beat three aces; needs sixes.
        Sixes = "sixes",
    }
);

switch!(
    /// What two aces of any suits count.
    TwoAces {
        /// No more than one: 11.
        One = "11",
        /// Always 22.
        Both = "22",
    }
);

switch!(
    /// What three cards of one rank count, where they are no named hand.
    Triples {
        /// Nothing of their own.
        None = "none",
        /// The sum of the three: three nines are 27.
        Sum = "sum",
        /// More than any suit; among themselves by rank.
        Above = "above",
    }
);

switch!(
    /// Three tens and the redeal.
    ThreeTens {
        /// They give no right.
        Off = "off",
        /// Their holder may demand a redeal.
        OnDemand = "on_demand",
        /// A comparison with them is a redeal by itself.
        OnCompare = "on_compare",
    }
);

switch!(
    /// A card that takes the value best for its holder.
    Wild {
        /// There is none.
        None = "none",
        /// A joker is added to the deck.
        Joker = "joker",
        /// The six of clubs is wild; needs sixes.
        Shaha = "shaha",
    }
);

switch!(
    /// Whether a wild card may double a card that the hand already holds.
    WildCopy {
        /// Any card at all.
        Yes = "yes",
        /// Only a card that the hand does not hold.
        No = "no",
    }
);

switch!(
    /// Who sees to a missing ante.
    MissingAnte {
        /// Nobody can forget it: it is taken.
        Automatic = "automatic",
        /// The dealer pays what nobody owns up to.
        DealerPays = "dealer_pays",
    }
);

switch!(
    /// How many seats in a row may go dark.
    DarkChain {
        /// One dark and one overdark.
        Two = "2",
        /// As long as nobody breaks the chain.
        Unlimited = "unlimited",
    }
);

switch!(
    /// What an open seat pays to stay against a dark one.
    OpenPass {
        /// The same.
        Same = "1x",
        /// Twice as much.
        Double = "2x",
    }
);

switch!(
    /// What a comparison costs while dark play matters.
    ComparePrice {
        /// The level; who never went dark at least twice the dark bet.
        Floor = "floor",
        /// Like `floor`, but who went dark pays just the dark bet.
        Fixed = "fixed",
        /// The price of staying.
        Pass = "pass",
    }
);

switch!(
    /// When a dark player may look.
    Look {
        /// After every active seat has acted once.
        AfterFirstCircle = "after_first_circle",
        /// At any time.
        AnyTime = "any_time",
    }
);

switch!(
    /// From when on one may compare.
    CompareFrom {
        /// As soon as the neighbour has acted.
        CircleOne = "circle_one",
        /// As soon as every active seat has acted.
        CircleTwo = "circle_two",
        /// Only between the last two.
        LastTwo = "last_two",
    }
);

switch!(
    /// Who sees the cards of a comparison.
    Reveal {
        /// The two see each other's, the others the result.
        Neighbours = "neighbours",
        /// Nobody sees anything but the result.
        Sealed = "sealed",
        /// Everybody sees both hands.
        Open = "open",
    }
);

switch!(
    /// What equal points in a comparison mean.
    CompareTie {
        /// Both stay in and are tied.
        BothStay = "both_stay",
        /// The caller is out.
        CallerLoses = "caller_loses",
    }
);

switch!(
    /// What a seat that lost the hand pays to enter a svara.
    EntryPlayed {
        /// Half the bank.
        Half = "half",
        /// A third of the bank.
        Third = "third",
        /// The bank divided by the number of initiators.
        Share = "share",
    }
);

switch!(
    /// What a seat that was not in the hand pays to enter a svara.
    EntryNewcomer {
        /// Half the bank.
        Half = "half",
        /// The whole bank.
        Full = "full",
    }
);

switch!(
    /// How the first dealer of the evening is found.
    FirstDealer {
        /// The table's host deals; nothing is drawn.
        Host = "host",
        /// Lifting for the highest card.
        Lift = "lift",
        /// The first ace on a player.
        Count = "count",
        /// Drawn by lot.
        Random = "random",
    }
);

switch!(
    /// Who deals the next hand.
    NextDealer {
        /// The winner.
        Winner = "winner",
        /// The left of whoever dealt last.
        Rotate = "rotate",
    }
);

impl SwitchValue for DeckKind {
    fn read(text: &str) -> Option<DeckKind> {
        match text {
            "24" => Some(DeckKind::Cards24),
            "32" => Some(DeckKind::Cards32),
            "36" => Some(DeckKind::Cards36),
            _ => None,
        }
    }

    fn choices() -> String {
        "24, 32, 36".to_owned()
    }
}

impl SwitchValue for Chips {
    fn read(text: &str) -> Option<Chips> {
        // Digits only: `u64::from_str` would let a plus sign through.
        if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
    }

    fn choices() -> String {
        "a number of chips".to_owned()
    }
}

/// The opening price of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Opening {
    /// As much as the ante.
    Ante,
    /// A sum of its own, in chips.
    Chips(Chips),
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opening::Ante => f.pad("ante"),
            Opening::Chips(chips) => write!(f, "{chips}"),
        }
    }
}

impl SwitchValue for Opening {
    fn read(text: &str) -> Option<Opening> {
        match text {
            "ante" => Some(Opening::Ante),
            chips => Chips::read(chips).map(Opening::Chips),
        }
    }

    fn choices() -> String {
        "ante, or a number of chips".to_owned()
    }
}

/// The most that one payment may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Ceiling {
    /// No limit.
    None,
    /// So many chips.
    Chips(Chips),
    /// So many times the ante, written `100x`.
    Antes(Chips),
}

impl fmt::Display for Ceiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ceiling::None => f.pad("none"),
            Ceiling::Chips(chips) => write!(f, "{chips}"),
            Ceiling::Antes(times) => write!(f, "{times}x"),
        }
    }
}

impl SwitchValue for Ceiling {
    fn read(text: &str) -> Option<Ceiling> {
        match text.strip_suffix('x') {
            Some(times) => Chips::read(times).map(Ceiling::Antes),
            None if text == "none" => Some(Ceiling::None),
            None => Chips::read(text).map(Ceiling::Chips),
        }
    }

    fn choices() -> String {
        "none, a number of chips, or a number of antes as in 100x".to_owned()
    }
}
