//! A bot's turn as it looks at it.

use super::chance::Chance;
use super::met::Branch;
use super::view::BotView;
use crate::event::{Move, MoveKind};
use crate::rules::Chips;
use crate::screens::view::TurnView;

/// Branches that only a svara that is entered has.
pub(super) const SVARA_BRANCHES: [Branch; 6] =
    [Branch::Svara, Branch::Entry, Branch::Newcomer, Branch::Pool, Branch::Pact, Branch::Boil];

/// How many svaras of one hand are steered for.
const MOST_SVARAS: u64 = 2;

/// What is asked, what is known, and which proposals are left to make.
#[derive(Clone, Copy)]
pub(super) struct Mind<'a> {
    pub(super) view: &'a BotView,
    pub(super) turn: &'a TurnView,
    pub(super) may_pool: bool,
    pub(super) may_pact: bool,
}

impl Mind<'_> {
    pub(super) fn open(&self, kind: MoveKind) -> bool {
        self.turn.find(kind).is_some()
    }

    /// The move, if it is open.
    pub(super) fn if_open(&self, step: Move) -> Option<Move> {
        self.open(step.kind()).then_some(step)
    }

    /// The limits of a move with a number.
    pub(super) fn limits(&self, kind: MoveKind) -> Option<(u64, u64)> {
        let open = self.turn.find(kind)?;
        open.min.zip(open.max).filter(|(min, max)| min <= max)
    }

    /// The first of these that is open.
    pub(super) fn first_open<const N: usize>(&self, steps: [Move; N]) -> Option<Move> {
        steps.into_iter().find(|step| self.open(step.kind()))
    }

    pub(super) fn wants(&self, branch: Branch) -> bool {
        self.view.wants(branch)
    }

    /// Is something missing that only a svara has? One that did not bring it is played out once
    /// more, not for ever.
    pub(super) fn wants_svara(&self) -> bool {
        self.view.svaras_of_hand() < MOST_SVARAS && self.view.wants_any(&SVARA_BRANCHES)
    }

    /// A pool with another, if that may be proposed.
    pub(super) fn pool(&self) -> Option<Move> {
        if !self.may_pool || !self.open(MoveKind::Pool) {
            return None;
        }
        self.view.pool_with_another().map(Move::Pool)
    }

    /// What comparing costs, where it is open.
    pub(super) fn compare_cost(&self) -> Option<Chips> {
        self.turn.find(MoveKind::Compare).and_then(|_| self.turn.price?.compare)
    }

    /// The chance that a new hand takes a svara that one more enters.
    pub(super) fn chance_in_svara(&self) -> Chance {
        let inside = u64::try_from(self.view.table().active().count()).unwrap_or(u64::MAX);
        Chance::one_of(inside.saturating_add(1))
    }

    /// Is the entry worth its price?
    pub(super) fn entry_is_worth(&self) -> bool {
        let bank = self.view.table().bank;
        self.chance_in_svara().is_worth(self.view.entry(), bank)
    }

    /// The chance of its hand against all who are left and against one, as far as their staying
    /// tells: an opponent that stayed through so many of its payments is taken for the best of as
    /// many hands, so every circle asks for better cards and every hand comes to an end.
    pub(super) fn chances(&self) -> (Chance, Chance) {
        let strength = self.view.payments().saturating_add(1);
        let all = self.view.chance(self.view.opponents().max(1)).times(strength);
        (all, self.view.chance(1).times(strength))
    }
}
