//! Missing antes where the dealer pays them (rules: Missing ante).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{DealKind, Game, GameEvent, Phase};
use crate::rules::house::MissingAnte;
use crate::rules::seat::clockwise_from;
use crate::rules::{Chips, RulesError, Seat};

/// The antes of a hand that is about to be dealt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Antes {
    /// Whose ante is in the bank, and who paid it.
    paid: BTreeMap<Seat, Seat>,
    /// Who has not paid when it was asked.
    omitted: BTreeSet<Seat>,
    /// Who has not paid when it was asked again.
    silent: BTreeSet<Seat>,
}

impl Game {
    /// Asks for the antes, or lets the hand be dealt where they are simply taken.
    pub(super) fn ask_antes(&mut self) {
        self.phase = match self.rules.missing_ante {
            MissingAnte::Automatic => Phase::AwaitDeal { kind: DealKind::First },
            MissingAnte::DealerPays => Phase::MissingAnte,
        };
    }

    /// Who is asked for its ante: first one by one from the dealer on, then all who did not pay.
    pub(super) fn asked_for_ante(&self) -> Vec<Seat> {
        let Some(hand) = self.hand.as_ref().filter(|_| self.phase == Phase::MissingAnte) else {
            return Vec::new();
        };
        let antes = &hand.antes;
        let mut order = clockwise_from(hand.dealer, hand.deal.seats.keys());
        if order.last() == Some(&hand.dealer) {
            order.rotate_right(1);
        }
        order.retain(|seat| !antes.paid.contains_key(seat));
        match order.iter().find(|seat| !antes.omitted.contains(seat)) {
            Some(next) => vec![*next],
            None => order.into_iter().filter(|seat| !antes.silent.contains(seat)).collect(),
        }
    }

    /// Whether the antes are asked for one by one, for the first time.
    pub(super) fn antes_in_turn(&self) -> bool {
        let antes = self.hand.as_ref().map(|hand| &hand.antes);
        let asked = self.asked_for_ante();
        antes.is_some_and(|antes| asked.iter().any(|seat| !antes.omitted.contains(seat)))
    }

    /// A seat has said whether it pays; what it pays is in the bank.
    pub(super) fn answer_ante(&mut self, seat: Seat, pays: bool, events: &mut Vec<GameEvent>) {
        if let Some(hand) = self.hand.as_mut() {
            let antes = &mut hand.antes;
            match pays {
                true => antes.paid.insert(seat, seat).is_none(),
                false if antes.omitted.contains(&seat) => antes.silent.insert(seat),
                false => antes.omitted.insert(seat),
            };
        }
        self.settle_antes(events);
    }

    /// Goes on once all have been asked: the dealer pays the rest, or who did not pay is out.
    pub(super) fn settle_antes(&mut self, events: &mut Vec<GameEvent>) {
        if self.phase != Phase::MissingAnte || !self.asked_for_ante().is_empty() {
            return;
        }
        let (dealer, ante) = (self.dealer().unwrap_or(Seat(0)), self.rules.ante);
        let mut missing = self.active();
        let paid = self.hand.as_ref().map(|hand| hand.antes.paid.clone()).unwrap_or_default();
        missing.retain(|seat| !paid.contains_key(seat));
        // Its own it pays in any case.
        if missing.contains(&dealer) {
            missing.retain(|seat| *seat != dealer);
            self.dealer_pays(dealer, dealer, events);
        }
        let owed = u64::try_from(missing.len()).unwrap_or(u64::MAX).saturating_mul(ante);
        let covers = self.stack(dealer).is_some_and(|stack| stack >= owed);
        for seat in missing {
            if covers {
                self.dealer_pays(dealer, seat, events);
            } else {
                if let Some(hand) = self.hand.as_mut() {
                    hand.deal.seats.remove(&seat);
                }
                events.push(GameEvent::TakenOut { seat });
            }
        }
        if self.active().len() < 2 {
            return self.call_off(events);
        }
        self.phase = Phase::AwaitDeal { kind: DealKind::First };
    }

    fn dealer_pays(&mut self, dealer: Seat, seat: Seat, events: &mut Vec<GameEvent>) {
        let amount = self.rules.ante;
        if self.pay_bank(dealer, amount).is_ok() {
            if let Some(hand) = self.hand.as_mut() {
                hand.antes.paid.insert(seat, dealer);
            }
            events.push(match dealer == seat {
                true => GameEvent::Anted { seat, amount },
                false => GameEvent::PaidFor { dealer, seat, amount },
            });
        }
    }

    /// Gives the ante of a seat back to whoever paid it; to the seat, if that one has gone.
    pub(super) fn return_ante(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        let payer = self.hand.as_mut().and_then(|hand| hand.antes.paid.remove(&seat));
        let Some(payer) = payer else { return };
        let payer = if self.accounts.contains_key(&payer) { payer } else { seat };
        let amount = self.pay_out(payer, self.rules.ante);
        events.push(GameEvent::Returned { seat: payer, amount });
    }

    /// Fewer than two are left for a first deal: the antes go back, the hand counts for nothing.
    pub(super) fn call_off(&mut self, events: &mut Vec<GameEvent>) {
        for seat in self.active() {
            self.return_ante(seat, events);
        }
        self.phase = Phase::Idle;
        events.push(GameEvent::Void { hand: self.hand_no });
    }

    /// Takes the antes of a hand that is dealt, where they have not been asked for.
    pub(super) fn take_antes(&mut self, events: &mut Vec<GameEvent>) -> Result<(), RulesError> {
        if self.rules.missing_ante == MissingAnte::DealerPays {
            return Ok(());
        }
        let amount: Chips = self.rules.ante;
        for seat in self.participants() {
            self.pay_bank(seat, amount)?;
            events.push(GameEvent::Anted { seat, amount });
        }
        Ok(())
    }
}
