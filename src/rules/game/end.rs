//! Whose turn comes next, and how a hand ends.

use std::collections::BTreeMap;

use super::{Game, GameEvent, HandResult, Phase, ResultKind};
use crate::rules::seat::{clockwise_from, left_of};
use crate::rules::{Chips, Seat};

impl Game {
    /// A seat throws its hand away on its turn.
    pub(super) fn fold(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        self.open_up(seat, events);
        self.drop_out(seat, events);
        self.turn_after(seat, events);
    }

    /// The seat is out of the hand; what it put in stays in the bank.
    pub(super) fn drop_out(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        let standing = self.deal_mut().and_then(|deal| deal.seats.get_mut(&seat));
        if let Some(standing) = standing {
            standing.active = false;
        }
        self.end_pool(seat);
        self.settle_dark(events);
    }

    /// Gives the turn to the next active seat clockwise of `seat` that can pay, or ends the hand.
    pub(super) fn turn_after(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        match left_of(seat, self.still_in()) {
            Some(next) => self.turn_from(next, events),
            // Nobody can be left over by the rules; should it be, the hand must still end.
            None => self.finish(&[], events),
        }
    }

    /// Like [`Game::turn_after`], `seat` itself coming first.
    pub(super) fn turn_from(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        let before = self.turn();
        let mut next = seat;
        loop {
            let over = self.still_in().nth(1).is_none();
            if over || self.all_tied() {
                if !over && self.rules.svara.is_on() {
                    return self.begin_svara(true, events);
                }
                return self.finish(&self.active(), events);
            }
            if self.is_active(next) {
                if self.can_stay(next) {
                    break;
                }
                events.push(GameEvent::OutByItself { seat: next });
                self.drop_out(next, events);
            }
            next = left_of(next, self.still_in()).unwrap_or(next);
        }
        if before != Some(next) {
            if let Some(deal) = self.deal_mut() {
                deal.turn = Some(next);
                deal.boil_asked = false;
            }
            events.push(GameEvent::Turn { seat: next });
        }
    }

    /// Whether ties link all who are still in, also through seats that have left.
    fn all_tied(&self) -> bool {
        let deal = self.deal().filter(|deal| !deal.ties.is_empty());
        let (Some(deal), Some(first)) = (deal, self.still_in().next()) else {
            return false;
        };
        let mut linked = vec![*first];
        let mut at = 0;
        while let Some(seat) = linked.get(at).copied() {
            for (one, other) in &deal.ties {
                let further = match seat {
                    _ if seat == *one => *other,
                    _ if seat == *other => *one,
                    _ => continue,
                };
                if !linked.contains(&further) {
                    linked.push(further);
                }
            }
            at += 1;
        }
        self.still_in().all(|seat| linked.contains(seat))
    }

    /// What everybody gets of these parts of the bank, once pacts and pools are kept: who takes
    /// gives half, rounded down, to the other of its pact, and each divides what it has by the
    /// shares of its pool.
    fn divided(&self, taken: &BTreeMap<Seat, Chips>) -> BTreeMap<Seat, Chips> {
        let mut own = taken.clone();
        let mut given: Vec<(Seat, Chips)> = Vec::new();
        for [one, other] in self.hand.iter().flat_map(|hand| &hand.pacts) {
            for (giver, getter) in [(one, other), (other, one)] {
                let half = taken.get(giver).copied().unwrap_or(0) / 2;
                if half > 0 && self.accounts.contains_key(getter) {
                    own.entry(*giver).and_modify(|part| *part = part.saturating_sub(half));
                    given.push((*getter, half));
                }
            }
        }
        let own = own.into_iter().map(|(seat, amount)| self.pool_shares(seat, amount, false));
        let given = given.into_iter().map(|(seat, amount)| self.pool_shares(seat, amount, true));
        let mut paid = BTreeMap::new();
        for (seat, amount) in own.chain(given).flatten() {
            *paid.entry(seat).or_insert(0) += amount;
        }
        paid
    }

    /// The table ends here. An open bank goes to who is still in the hand; where none of them may have any of
    /// it, to who was dealt in, and else to everybody else at the table.
    pub(super) fn break_off(&mut self, without: &[Seat], events: &mut Vec<GameEvent>) {
        if self.phase == Phase::Idle {
            return;
        }
        if self.bank == 0 {
            self.phase = Phase::Idle;
            self.choice = None;
            return;
        }
        let may = |seat: &Seat| !without.contains(seat) && self.accounts.contains_key(seat);
        let groups = [self.active(), self.participants(), self.seats(), self.active()];
        let mut some = groups.map(|group| group.into_iter().filter(may).collect::<Vec<_>>());
        let seats = some.iter_mut().find(|group| !group.is_empty()).map(std::mem::take);
        let seats = seats.unwrap_or_else(|| self.active());
        if let Some(hand) = self.hand.as_mut() {
            hand.pacts.retain(|pact| !pact.iter().any(|seat| without.contains(seat)));
        }
        self.choice = None;
        self.finish(&seats, events);
    }

    /// Pays the bank to these seats in equal parts, odd chips one each clockwise from the
    /// dealer's left, and ends the hand.
    pub(super) fn finish(&mut self, seats: &[Seat], events: &mut Vec<GameEvent>) {
        let amount = self.bank;
        let count = u64::try_from(seats.len()).unwrap_or(u64::MAX).max(1);
        let dealer = self.dealer().unwrap_or(Seat(0));
        let mut odd = amount % count;
        let mut taken = BTreeMap::new();
        for seat in clockwise_from(dealer, seats) {
            let extra = odd.min(1);
            odd -= extra;
            taken.insert(seat, amount / count + extra);
        }
        let mut paid = self.divided(&taken);
        for (seat, part) in &mut paid {
            *part = self.pay_out(*seat, *part);
        }
        let kind = if seats.len() == 1 { ResultKind::Win } else { ResultKind::Split };
        let result = HandResult {
            hand: self.hand_no,
            kind,
            seats: taken.into_keys().collect(),
            amount,
            paid,
        };
        self.phase = Phase::Idle;
        if let Some(hand) = self.hand.as_mut() {
            hand.pacts.clear();
            hand.coming_pacts.clear();
            hand.pools.clear();
            hand.entry = None;
        }
        self.last = Some(result.clone());
        events.push(GameEvent::Over { result });
    }
}
