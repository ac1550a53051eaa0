//! The names of moves.

use serde::{Deserialize, Serialize};

/// The name of a move, as scripts write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveKind {
    /// Pay the price, or more.
    Bet,
    /// Bet without having looked.
    Dark,
    /// Look at one's cards.
    Look,
    /// Throw the hand away unseen.
    Fold,
    /// Pay and compare with the neighbour on the right.
    Compare,
    /// Lay three tens open for a redeal.
    Redeal,
    /// Ask whether the last two shall boil.
    Boil,
    /// Say yes to what was asked.
    Accept,
    /// Say no to what was asked.
    Refuse,
    /// Agree to divide a tied bank.
    Split,
    /// Insist on playing a tied bank out.
    NoSplit,
    /// Enter a svara.
    Enter,
    /// Stay out of a svara.
    StayOut,
    /// Cut the deck.
    Cut,
    /// Lift a packet for the highest card.
    Lift,
    /// Have an exposed card replaced from a place in the rest.
    Replace,
    /// Put the ante in.
    Ante,
    /// Leave the ante out.
    Omit,
    /// Keep an exposed card.
    Keep,
    /// Turn up a card that is dealt to a seat.
    Expose,
    /// Enter a svara together.
    Pool,
    /// Agree to halve what either takes from a svara.
    Pact,
}

impl MoveKind {
    /// Every kind there is.
    pub const ALL: [Self; 22] = [
        Self::Bet,
        Self::Dark,
        Self::Look,
        Self::Fold,
        Self::Compare,
        Self::Redeal,
        Self::Boil,
        Self::Accept,
        Self::Refuse,
        Self::Split,
        Self::NoSplit,
        Self::Enter,
        Self::StayOut,
        Self::Cut,
        Self::Lift,
        Self::Replace,
        Self::Ante,
        Self::Omit,
        Self::Keep,
        Self::Expose,
        Self::Pool,
        Self::Pact,
    ];

    /// The name that scripts use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bet => "bet",
            Self::Dark => "dark",
            Self::Look => "look",
            Self::Fold => "fold",
            Self::Compare => "compare",
            Self::Redeal => "redeal",
            Self::Boil => "boil",
            Self::Accept => "accept",
            Self::Refuse => "refuse",
            Self::Split => "split",
            Self::NoSplit => "no-split",
            Self::Enter => "enter",
            Self::StayOut => "stay-out",
            Self::Cut => "cut",
            Self::Lift => "lift",
            Self::Replace => "replace",
            Self::Ante => "ante",
            Self::Omit => "omit",
            Self::Keep => "keep",
            Self::Expose => "expose",
            Self::Pool => "pool",
            Self::Pact => "pact",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
