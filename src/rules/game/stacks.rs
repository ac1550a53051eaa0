//! Buying in, leaving, freezing: everything about stacks apart from the play.

use super::{Account, Game, GameEvent, MAX_TABLE_CHIPS};
use crate::rules::{Chips, RulesError, Seat};

impl Game {
    pub(super) fn sit(
        &mut self,
        seat: Seat,
        chips: Chips,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        if self.accounts.contains_key(&seat) {
            return Err(RulesError::SeatTaken(seat));
        }
        // Who went away in the middle of a hand still marks a place in it.
        if self.in_hand() && self.hand.as_ref().is_some_and(|hand| hand.played.contains(&seat)) {
            return Err(RulesError::SeatTaken(seat));
        }
        self.buy(chips)?;
        self.accounts.insert(seat, Account { stack: chips, bought: chips, frozen: false });
        events.push(GameEvent::Sat { seat, chips });
        Ok(())
    }

    pub(super) fn rebuy(
        &mut self,
        seat: Seat,
        chips: Chips,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        self.check_may_touch(seat)?;
        self.buy(chips)?;
        let account = self.account_mut(seat)?;
        account.stack = account.stack.saturating_add(chips);
        account.bought = account.bought.saturating_add(chips);
        events.push(GameEvent::Rebought { seat, chips });
        Ok(())
    }

    pub(super) fn leave(
        &mut self,
        seat: Seat,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        self.check_may_touch(seat)?;
        let Some(account) = self.accounts.remove(&seat) else {
            return Err(RulesError::NoSuchSeat(seat));
        };
        self.gone = self.gone.saturating_add(account.stack);
        events.push(GameEvent::Left { seat, chips: account.stack });
        self.leave_choice(seat, events);
        self.settle_entry(events);
        Ok(())
    }

    pub(super) fn freeze(
        &mut self,
        seat: Seat,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        self.check_may_touch(seat)?;
        self.account_mut(seat)?.frozen = true;
        events.push(GameEvent::Froze { seat });
        self.leave_choice(seat, events);
        self.settle_entry(events);
        Ok(())
    }

    pub(super) fn unfreeze(
        &mut self,
        seat: Seat,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        let account = self.account_mut(seat)?;
        if !account.frozen {
            return Err(RulesError::NotFrozen(seat));
        }
        account.frozen = false;
        events.push(GameEvent::Unfroze { seat });
        Ok(())
    }

    /// Counts chips as bought, if the table can hold them.
    fn buy(&mut self, chips: Chips) -> Result<(), RulesError> {
        let bought = self.bought.checked_add(chips).filter(|all| *all <= MAX_TABLE_CHIPS);
        match bought {
            Some(bought) if chips > 0 => {
                self.bought = bought;
                Ok(())
            }
            _ => Err(RulesError::BadBuyIn { chips, most: MAX_TABLE_CHIPS }),
        }
    }

    /// Whether a seat's stack may change from outside: it is not frozen, and not in the hand.
    fn check_may_touch(&self, seat: Seat) -> Result<(), RulesError> {
        let account = self.accounts.get(&seat).ok_or(RulesError::NoSuchSeat(seat))?;
        if account.frozen {
            return Err(RulesError::Frozen(seat));
        }
        if self.is_active(seat) || self.in_pact(seat) {
            return Err(RulesError::InHand(seat));
        }
        if self.in_pool(seat) {
            return Err(RulesError::InPool(seat));
        }
        Ok(())
    }

    pub(super) fn account_mut(&mut self, seat: Seat) -> Result<&mut Account, RulesError> {
        self.accounts.get_mut(&seat).ok_or(RulesError::NoSuchSeat(seat))
    }

    /// Moves chips from a stack to the bank, whole or not at all.
    pub(super) fn pay_bank(&mut self, seat: Seat, amount: Chips) -> Result<(), RulesError> {
        let account = self.account_mut(seat)?;
        let stack = account.stack;
        account.stack =
            stack.checked_sub(amount).ok_or(RulesError::AboveStack { amount, stack })?;
        self.bank = self.bank.saturating_add(amount);
        Ok(())
    }

    /// Moves chips from the bank to a stack, as far as the bank goes; returns how many.
    pub(super) fn pay_out(&mut self, seat: Seat, amount: Chips) -> Chips {
        let Some(account) = self.accounts.get_mut(&seat) else {
            return 0;
        };
        let amount = amount.min(self.bank);
        account.stack = account.stack.saturating_add(amount);
        self.bank -= amount;
        amount
    }
}
