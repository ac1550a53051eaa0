//! From the rules' words to those of scripts, and back.

use super::{LegalMove, Move, MoveKind, Outcome, Price};
use crate::rules::{self, Action, ActionKind, CompareResult};

impl From<ActionKind> for MoveKind {
    fn from(kind: ActionKind) -> Self {
        match kind {
            ActionKind::Look => Self::Look,
            ActionKind::Fold => Self::Fold,
            ActionKind::Bet => Self::Bet,
            ActionKind::Dark => Self::Dark,
            ActionKind::Compare => Self::Compare,
            ActionKind::Redeal => Self::Redeal,
            ActionKind::Boil => Self::Boil,
            ActionKind::Accept => Self::Accept,
            ActionKind::Refuse => Self::Refuse,
            ActionKind::Split => Self::Split,
            ActionKind::NoSplit => Self::NoSplit,
            ActionKind::Enter => Self::Enter,
            ActionKind::StayOut => Self::StayOut,
            ActionKind::Ante => Self::Ante,
            ActionKind::Omit => Self::Omit,
            ActionKind::Keep => Self::Keep,
            ActionKind::Replace => Self::Replace,
            ActionKind::Expose => Self::Expose,
            ActionKind::Cut => Self::Cut,
            ActionKind::Lift => Self::Lift,
        }
    }
}

impl From<rules::LegalMove> for LegalMove {
    /// Keeps the limits of moves that name an amount or a place; what the others cost stands
    /// elsewhere.
    fn from(legal: rules::LegalMove) -> Self {
        match legal.kind {
            ActionKind::Bet
            | ActionKind::Dark
            | ActionKind::Lift
            | ActionKind::Replace
            | ActionKind::Expose => Self::ranged(legal.kind.into(), legal.min, legal.max),
            kind => Self::plain(kind.into()),
        }
    }
}

impl From<rules::Price> for Price {
    fn from(price: rules::Price) -> Self {
        Self { pass: price.pass, compare: price.compare }
    }
}

impl From<CompareResult> for Outcome {
    fn from(result: CompareResult) -> Self {
        match result {
            CompareResult::Caller => Self::Caller,
            CompareResult::Target => Self::Target,
            CompareResult::Tie => Self::Tie,
        }
    }
}

impl Move {
    /// The action of one seat that this is; nothing for pools and pacts, which several make, and
    /// for places that no deck has.
    #[must_use]
    pub fn action(&self) -> Option<Action> {
        let place = |at: u64| u8::try_from(at).ok();
        Some(match *self {
            Self::Bet(amount) => Action::Bet(amount),
            Self::Dark(amount) => Action::Dark(amount),
            Self::Look => Action::Look,
            Self::Fold => Action::Fold,
            Self::Compare => Action::Compare,
            Self::Redeal => Action::Redeal,
            Self::Boil => Action::Boil,
            Self::Accept => Action::Accept,
            Self::Refuse => Action::Refuse,
            Self::Split => Action::Split,
            Self::NoSplit => Action::NoSplit,
            Self::Enter => Action::Enter,
            Self::StayOut => Action::StayOut,
            Self::Cut(at) => Action::Cut(place(at)?),
            Self::Lift(at) => Action::Lift(place(at)?),
            Self::Replace(at) => Action::Replace(place(at)?),
            Self::Ante => Action::Ante,
            Self::Omit => Action::Omit,
            Self::Keep => Action::Keep,
            Self::Expose(seat) => Action::Expose(seat),
            Self::Pool(_) | Self::Pact(_) => return None,
        })
    }
}

impl From<Action> for Move {
    fn from(action: Action) -> Self {
        match action {
            Action::Bet(amount) => Self::Bet(amount),
            Action::Dark(amount) => Self::Dark(amount),
            Action::Look => Self::Look,
            Action::Fold => Self::Fold,
            Action::Compare => Self::Compare,
            Action::Redeal => Self::Redeal,
            Action::Boil => Self::Boil,
            Action::Accept => Self::Accept,
            Action::Refuse => Self::Refuse,
            Action::Split => Self::Split,
            Action::NoSplit => Self::NoSplit,
            Action::Enter => Self::Enter,
            Action::StayOut => Self::StayOut,
            Action::Cut(at) => Self::Cut(at.into()),
            Action::Lift(at) => Self::Lift(at.into()),
            Action::Replace(at) => Self::Replace(at.into()),
            Action::Ante => Self::Ante,
            Action::Omit => Self::Omit,
            Action::Keep => Self::Keep,
            Action::Expose(seat) => Self::Expose(seat),
        }
    }
}
