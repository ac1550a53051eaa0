//! Dark play: who may go dark or look, and what it does to the prices (rules: Dark play).
//!
//! With equal prices (`1x`) a dark bet only decides what comparing costs. With double ones (`2x`)
//! dark seats pay a level of their own, the open ones twice as much, until the last dark seat has
//! looked or left, or an open bet knocks dark play out.

use super::{ActionKind, Deal, Game, GameEvent, Phase, Standing};
use crate::rules::house::{ComparePrice, DarkChain, Look, OpenPass};
use crate::rules::{Chips, RulesError, Seat};

impl Game {
    /// Whether an active seat plays dark: it has gone dark and not looked since.
    #[must_use]
    pub fn is_dark(&self, seat: Seat) -> bool {
        self.is_active(seat) && self.standing(seat).is_some_and(Standing::is_dark)
    }

    /// Whether a seat has looked at its cards, or counts as having looked.
    #[must_use]
    pub fn has_looked(&self, seat: Seat) -> bool {
        self.standing(seat).is_some_and(|standing| standing.looked)
    }

    /// The last dark level, in chips: with equal prices that of the deal, with double prices only
    /// while dark play is on.
    #[must_use]
    pub fn dark_level(&self) -> Option<Chips> {
        match self.rules.open_pass {
            OpenPass::Same => self.deal()?.dark,
            OpenPass::Double => self.halved(),
        }
    }

    /// Whether an active seat has, or may still come to, the right to go dark in this deal.
    ///
    /// Who cannot any more, and is not dark, may see its cards at once.
    #[must_use]
    pub fn may_go_dark(&self, seat: Seat) -> bool {
        let (Some(deal), Some(standing)) = (self.deal(), self.standing(seat)) else {
            return false;
        };
        let places_left = match self.rules.dark_chain {
            DarkChain::Two => deal.dark_bets < 2,
            DarkChain::Unlimited => true,
        };
        deal.dark_allowed
            && deal.chain
            && places_left
            && standing.active
            && !standing.acted
            && !standing.looked
    }

    /// The level that dark seats pay, in chips, while open ones pay twice as much.
    pub(super) fn halved(&self) -> Option<Chips> {
        let deal = self.deal()?;
        match self.rules.open_pass {
            OpenPass::Double if deal.dark_on => deal.dark,
            OpenPass::Same | OpenPass::Double => None,
        }
    }

    /// The least dark bet now, in chips.
    pub(super) fn least_dark(&self) -> Chips {
        match self.deal().and_then(|deal| deal.dark) {
            Some(last) => last.saturating_add(1),
            None => self.rules.least_dark(),
        }
    }

    /// The most that a dark seat may pay, by the ceiling, in chips.
    pub(super) fn most_dark(&self) -> Chips {
        match (self.rules.ceiling(), self.rules.open_pass) {
            (None, _) => Chips::MAX,
            (Some(ceiling), OpenPass::Same) => ceiling / 2,
            (Some(ceiling), OpenPass::Double) => ceiling.saturating_sub(1) / 2,
        }
    }

    /// The most that a seat may bet, by the ceiling, in chips.
    ///
    /// While prices are halved and nothing knocks dark play out, an open bet sets the dark level
    /// to its half, rounded up; twice that may not go above the ceiling either.
    pub(super) fn most_bet(&self, seat: Seat) -> Chips {
        let ceiling = self.rules.ceiling().unwrap_or(Chips::MAX);
        match self.halved() {
            None => ceiling,
            Some(_) if self.is_dark(seat) => self.most_dark(),
            Some(_) if self.rules.knock_out.is_on() => ceiling,
            Some(_) => self.most_dark().saturating_mul(2),
        }
    }

    /// What a seat must pay at least to stay, in chips.
    pub(super) fn pass_price(&self, deal: &Deal, seat: Seat) -> Chips {
        match self.halved() {
            None => deal.level,
            Some(dark) if self.is_dark(seat) => dark,
            Some(dark) => dark.saturating_mul(2),
        }
    }

    /// What a seat must pay to compare, where it may, in chips.
    pub(super) fn compare_price(&self, deal: &Deal, seat: Seat) -> Chips {
        let pass = self.pass_price(deal, seat);
        let went_dark = self.standing(seat).is_some_and(|standing| standing.dark);
        match (self.rules.compare_price, deal.dark) {
            (ComparePrice::Pass, _) | (_, None) => pass,
            (ComparePrice::Floor, Some(_)) if went_dark => pass,
            (ComparePrice::Fixed, Some(dark)) if went_dark => dark,
            (_, Some(dark)) => pass.max(dark.saturating_mul(2)),
        }
    }

    /// Whether a seat may look now, on or off its turn.
    pub(super) fn check_look(&self, seat: Seat) -> Result<(), RulesError> {
        if !matches!(self.phase, Phase::Betting) {
            return Err(RulesError::NoMoveAwaited);
        }
        let deal = self.deal().ok_or(RulesError::NoMoveAwaited)?;
        let standing = self.standing(seat).filter(|standing| standing.active);
        let standing = standing.ok_or(RulesError::NotAsked(seat))?;
        if !deal.dark_allowed {
            return Err(RulesError::NotOpen(ActionKind::Look));
        }
        if standing.looked {
            return Err(RulesError::LookedAlready(seat));
        }
        let waits = self.rules.look == Look::AfterFirstCircle;
        if waits && standing.dark && !deal.circle_done() {
            return Err(RulesError::LookBeforeCircle);
        }
        Ok(())
    }

    /// The seat has seen its cards.
    pub(super) fn look(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        let standing = self.deal_mut().and_then(|deal| deal.seats.get_mut(&seat));
        if let Some(standing) = standing {
            standing.looked = true;
        }
        self.settle_dark(events);
    }

    /// A dark bet: the level, and with equal prices the price as well.
    pub(super) fn go_dark(&mut self, seat: Seat, amount: Chips) {
        if let Some(hand) = self.hand.as_mut() {
            hand.dark_seen = true;
            hand.deal.dark = Some(amount);
            hand.deal.dark_on = true;
            hand.deal.level = amount;
            hand.deal.opened = true;
            hand.deal.dark_bets = hand.deal.dark_bets.saturating_add(1);
            if let Some(standing) = hand.deal.seats.get_mut(&seat) {
                standing.dark = true;
            }
        }
    }

    /// A bet: the new level, and what it does to dark play.
    pub(super) fn bet(&mut self, seat: Seat, amount: Chips, events: &mut Vec<GameEvent>) {
        let (halved, is_dark) = (self.halved(), self.is_dark(seat));
        let knock_out = self.rules.knock_out.is_on();
        let Some(deal) = self.deal_mut() else { return };
        deal.opened = true;
        deal.chain = false;
        match halved {
            None => deal.level = amount,
            Some(_) if is_dark => deal.dark = Some(amount),
            Some(dark) if amount <= dark.saturating_mul(2) => {}
            Some(_) if knock_out => {
                deal.level = amount;
                deal.dark_on = false;
                events.push(GameEvent::DarkOver { level: amount });
            }
            Some(_) => deal.dark = Some(amount.div_ceil(2)),
        }
        self.open_up(seat, events);
    }

    /// Whoever acts without being dark counts as having looked, and closes the chain.
    pub(super) fn open_up(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        let Some(deal) = self.deal_mut() else { return };
        deal.chain = false;
        if let Some(standing) = deal.seats.get_mut(&seat)
            && !standing.dark
        {
            standing.looked = true;
        }
        self.settle_dark(events);
    }

    /// Ends halved prices when nobody plays dark any more: the level is then twice the dark one.
    pub(super) fn settle_dark(&mut self, events: &mut Vec<GameEvent>) {
        let Some(dark) = self.halved() else { return };
        let Some(deal) = self.deal_mut() else { return };
        let somebody = |standing: &Standing| standing.active && standing.is_dark();
        if !deal.seats.values().any(somebody) {
            let level = dark.saturating_mul(2);
            deal.level = level;
            deal.dark_on = false;
            events.push(GameEvent::DarkOver { level });
        }
    }
}

impl Standing {
    /// Has gone dark and not looked since.
    const fn is_dark(&self) -> bool {
        self.dark && !self.looked
    }
}
