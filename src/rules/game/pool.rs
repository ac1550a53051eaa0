//! Pools: several seats behind one hand of a svara (rules: Svara, 4).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Game, GameEvent, Phase, Standing};
use crate::rules::{Chips, RulesError, Seat};

/// How many payments beyond the surely possible ones are tried one by one. A holder with a tiny
/// share beside several partners may so be allowed less than it could just cover; never the price.
const TRIED_SINGLY: u8 = 64;

/// Several seats behind one hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pool {
    /// Who holds the cards and acts.
    pub(super) holder: Seat,
    /// What each has put in, in chips, the holder included: its share.
    pub(super) parts: BTreeMap<Seat, Chips>,
    /// Whether the hand is still in.
    pub(super) live: bool,
}

impl Pool {
    /// All shares together, in chips.
    fn whole(&self) -> Chips {
        self.parts.values().fold(0, |sum, part| sum.saturating_add(*part))
    }

    /// The others and their shares, in chips.
    fn partners(&self) -> impl Iterator<Item = (Seat, Chips)> {
        self.parts
            .iter()
            .filter(|(seat, _)| **seat != self.holder)
            .map(|(seat, part)| (*seat, *part))
    }
}

/// A part of an amount by shares, rounded down, in chips.
fn share_of(amount: Chips, part: Chips, whole: Chips) -> Chips {
    let share = u128::from(amount) * u128::from(part) / u128::from(whole.max(1));
    Chips::try_from(share).unwrap_or(Chips::MAX)
}

impl Game {
    /// The seats behind each hand that is played by a pool, with their shares in chips; by holder.
    ///
    /// The partners may see the cards as soon as the holder may ([`Game::may_see`]).
    #[must_use]
    pub fn pools(&self) -> BTreeMap<Seat, BTreeMap<Seat, Chips>> {
        let live = self.hand.iter().flat_map(|hand| &hand.pools).filter(|pool| pool.live);
        live.map(|pool| (pool.holder, pool.parts.clone())).collect()
    }

    /// Who may still put a svara's entry together with others, ascending.
    #[must_use]
    pub fn may_pool(&self) -> Vec<Seat> {
        let hand = self.hand.as_ref();
        let open = hand.and_then(|hand| hand.entry.as_ref()).is_some_and(|entry| entry.open);
        if !self.rules.pool.is_on() || !open || !self.has_place() {
            return Vec::new();
        }
        self.waited_for()
    }

    /// What a pool of these seats has to put together, in chips: the newcomers' price if one of
    /// them is a newcomer. None where no svara is being entered.
    #[must_use]
    pub fn pool_price(&self, seats: &[Seat]) -> Option<Chips> {
        let hand = self.hand.as_ref()?;
        let entry = hand.entry.as_ref()?;
        Some(match seats.iter().all(|seat| hand.played.contains(seat)) {
            true => entry.played,
            false => entry.newcomer,
        })
    }

    /// Whether a seat can pay so much: by its stack, or together with the partners of its pool.
    #[must_use]
    pub fn can_pay(&self, seat: Seat, amount: Chips) -> bool {
        match self.pool_of(seat) {
            None => self.stack(seat).is_some_and(|stack| stack >= amount),
            Some(pool) => self.holders_part(pool, amount) <= self.stack(seat).unwrap_or(0),
        }
    }

    /// The pool that a seat holds the cards of.
    fn pool_of(&self, holder: Seat) -> Option<&Pool> {
        let pools = &self.hand.as_ref()?.pools;
        pools.iter().find(|pool| pool.live && pool.holder == holder)
    }

    /// Whether a seat has its share in a hand that is still in.
    pub(super) fn in_pool(&self, seat: Seat) -> bool {
        let mut pools = self.hand.iter().flat_map(|hand| &hand.pools);
        pools.any(|pool| pool.live && pool.parts.contains_key(&seat))
    }

    /// What the partners pay of a pool's payment: their shares, as far as they go; in chips.
    fn partners_parts(&self, pool: &Pool, amount: Chips) -> BTreeMap<Seat, Chips> {
        let whole = pool.whole();
        let part = |(seat, part)| {
            let stack = self.stack(seat).unwrap_or(0);
            (seat, share_of(amount, part, whole).min(stack))
        };
        pool.partners().map(part).collect()
    }

    /// What is left of a pool's payment for its holder, in chips.
    fn holders_part(&self, pool: &Pool, amount: Chips) -> Chips {
        let partners: Chips = self.partners_parts(pool, amount).values().sum();
        amount.saturating_sub(partners)
    }

    /// The most that a seat can pay, in chips, if it is to pay `least` at least and every sum from
    /// there on must be possible; 0 if `least` is not.
    ///
    /// Shares are rounded, so with two partners or more a pool may be able to pay a sum, not the
    /// next, and again the one after it.
    pub(super) fn reach(&self, seat: Seat, least: Chips) -> Chips {
        let Some(pool) = self.pool_of(seat) else {
            return self.stack(seat).unwrap_or(0);
        };
        if !self.can_pay(seat, least) {
            return 0;
        }
        let (mut sure, mut unsure) = (0, MOST_EVER);
        while unsure - sure > 1 {
            let middle = sure.midpoint(unsure);
            match self.surely_pays(pool, middle) {
                true => sure = middle,
                false => unsure = middle,
            }
        }
        let mut most = sure.max(least);
        for _ in 0..TRIED_SINGLY {
            if !self.can_pay(seat, most.saturating_add(1)) {
                break;
            }
            most = most.saturating_add(1);
        }
        most
    }

    /// Whether a pool can pay so much however its partners' shares are rounded; true for every
    /// smaller sum if it is for this one.
    fn surely_pays(&self, pool: &Pool, amount: Chips) -> bool {
        let whole = u128::from(pool.whole());
        let holders = u128::from(self.stack(pool.holder).unwrap_or(0));
        let mut rest = u128::from(amount) * whole;
        let mut partners = 0;
        for (seat, part) in pool.partners() {
            let stack = u128::from(self.stack(seat).unwrap_or(0));
            rest = rest.saturating_sub((stack * whole).min(u128::from(amount) * u128::from(part)));
            partners += 1;
        }
        // Rounding down leaves less than a chip of every partner's share to the holder.
        rest + partners * whole.saturating_sub(1) < (holders + 1) * whole
    }

    /// Moves a payment to the bank: a seat's own, or a pool's in parts.
    pub(super) fn pay(
        &mut self,
        seat: Seat,
        amount: Chips,
    ) -> Result<Option<GameEvent>, RulesError> {
        let Some(pool) = self.pool_of(seat).filter(|_| amount > 0) else {
            self.pay_bank(seat, amount)?;
            return Ok(None);
        };
        let mut parts = self.partners_parts(pool, amount);
        parts.insert(seat, self.holders_part(pool, amount));
        for (payer, part) in &parts {
            self.pay_bank(*payer, *part)?;
        }
        Ok(Some(GameEvent::PoolPaid { holder: seat, parts }))
    }

    /// Several seats put the entry of a svara together.
    pub(super) fn pool(
        &mut self,
        parts: &[(Seat, Chips)],
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        if !self.rules.pool.is_on() {
            return Err(RulesError::NoPools);
        }
        if self.phase != Phase::SvaraEntry {
            return Err(RulesError::NoMoveAwaited);
        }
        let Some((holder, _)) = parts.first().filter(|_| parts.len() > 1).copied() else {
            return Err(RulesError::TooFewPlayers);
        };
        let entry = self.hand.as_ref().and_then(|hand| hand.entry.as_ref());
        if entry.is_some_and(|entry| !entry.open) {
            return Err(RulesError::InitiatorsFirst);
        }
        self.check_parts(parts)?;
        for (seat, part) in parts {
            self.pay_bank(*seat, *part)?;
        }
        let parts: BTreeMap<Seat, Chips> = parts.iter().copied().collect();
        if let Some(hand) = self.hand.as_mut() {
            hand.deal.answered.extend(parts.keys());
            hand.deal.seats.insert(holder, Standing::fresh(true));
            hand.pools.push(Pool { holder, parts: parts.clone(), live: true });
        }
        events.push(GameEvent::Pooled { holder, parts });
        self.settle_entry(events);
        Ok(())
    }

    /// Why these parts are no entry.
    fn check_parts(&self, parts: &[(Seat, Chips)]) -> Result<(), RulesError> {
        let mut sum: Chips = 0;
        for (at, (seat, part)) in parts.iter().enumerate() {
            let stack = self.stack(*seat).ok_or(RulesError::NoSuchSeat(*seat))?;
            self.check_waited_for(*seat)?;
            if parts.iter().take(at).any(|(other, _)| other == seat) {
                return Err(RulesError::SeatTwice(*seat));
            }
            if *part == 0 {
                return Err(RulesError::EmptyPart(*seat));
            }
            if *part > stack {
                return Err(RulesError::AboveStack { amount: *part, stack });
            }
            sum = sum.saturating_add(*part);
        }
        if !self.has_place() {
            return Err(RulesError::NoMorePlaces { most: self.rules.max_players() });
        }
        let seats: Vec<Seat> = parts.iter().map(|(seat, _)| *seat).collect();
        let price = self.pool_price(&seats).unwrap_or(0);
        match sum == price {
            true => Ok(()),
            false => Err(RulesError::PoolSum { sum, price }),
        }
    }

    /// The pool of a hand that has left is played out: its partners may pay for another.
    pub(super) fn end_pool(&mut self, holder: Seat) {
        let pools = self.hand.iter_mut().flat_map(|hand| &mut hand.pools);
        for pool in pools.filter(|pool| pool.holder == holder) {
            pool.live = false;
        }
    }

    /// Who gets how much of what a seat takes: its pool shares it. What comes by a pact still
    /// belongs to the pool whose hand has left.
    pub(super) fn pool_shares(
        &self,
        seat: Seat,
        amount: Chips,
        by_pact: bool,
    ) -> BTreeMap<Seat, Chips> {
        let mut shares = BTreeMap::new();
        let mut pools = self.hand.iter().flat_map(|hand| hand.pools.iter().rev());
        let mut left = amount;
        if let Some(pool) = pools.find(|pool| pool.holder == seat && (pool.live || by_pact)) {
            let whole = pool.whole();
            for (partner, part) in pool.partners() {
                if self.accounts.contains_key(&partner) {
                    let share = share_of(amount, part, whole).min(left);
                    left -= share;
                    shares.insert(partner, share);
                }
            }
        }
        shares.insert(seat, left);
        shares
    }
}

/// More than any table holds, in chips.
const MOST_EVER: Chips = super::MAX_TABLE_CHIPS + 1;
