//! Cards that are turned up while they are dealt (rules: Exposed card).
//!
//! The game does not know them: it says who may turn one up, once a seat and deal, and who
//! answers. A card that was turned up is for everybody to see.

use super::{ActionKind, Deal, Game, GameEvent, LegalMove, Phase};
use crate::rules::{RulesError, Seat};

impl Game {
    /// How many cards are left to replace an exposed one with: those not dealt and not put under.
    #[must_use]
    pub fn rest(&self) -> u8 {
        let Some(deal) = self.deal() else {
            return self.rules.deck().size();
        };
        let dealt = u8::try_from(deal.seats.len()).unwrap_or(u8::MAX).saturating_mul(3);
        self.rules.deck().size().saturating_sub(dealt).saturating_sub(deal.replaced)
    }

    /// Who has had a card turned up in this deal, ascending.
    #[must_use]
    pub fn exposed(&self) -> Vec<Seat> {
        self.deal().map_or_else(Vec::new, |deal| deal.exposed.iter().copied().collect())
    }

    /// Why a card of `seat` cannot be turned up by `by` now: before the deal is finished by the
    /// dealer or, its own, by the receiver; by the dealer also later, while nobody can have looked.
    pub(super) fn check_expose(&self, by: Seat, seat: Seat) -> Result<(), RulesError> {
        let closed = RulesError::NotOpen(ActionKind::Expose);
        let (true, Some(hand)) = (self.rules.exposed_card.is_on(), &self.hand) else {
            return Err(closed);
        };
        let deal = &hand.deal;
        match self.phase {
            Phase::AwaitDeal { .. } => {}
            Phase::Betting if by != seat && deal.blind() => {}
            _ => return Err(closed),
        }
        if by != seat && (by != hand.dealer || hand.lost.contains(&by)) {
            return Err(closed);
        }
        if self.is_frozen(by) {
            return Err(RulesError::Frozen(by));
        }
        if !deal.is_active(seat) {
            return Err(RulesError::NotAsked(seat));
        }
        match deal.exposed.contains(&seat) {
            true => Err(RulesError::ExposedAlready(seat)),
            false => Ok(()),
        }
    }

    /// Every card that may be turned up now, by whom: the number is the receiver's seat.
    pub(super) fn expose_options(&self) -> impl Iterator<Item = LegalMove> {
        let open = match self.phase {
            Phase::AwaitDeal { .. } => true,
            Phase::Betting => self.deal().is_some_and(Deal::blind),
            _ => false,
        };
        let seats = self.still_in().filter(move |_| open && self.rules.exposed_card.is_on());
        seats.flat_map(|seat| {
            let dealer = self.dealer().filter(|dealer| dealer != seat);
            [Some(*seat), dealer]
                .into_iter()
                .flatten()
                .filter_map(|by| self.expose_option(by, *seat))
        })
    }

    /// Whether a card of `seat` may be turned up by `by` now.
    pub(super) fn expose_option(&self, by: Seat, seat: Seat) -> Option<LegalMove> {
        let may = self.accounts.contains_key(&by) && self.check_expose(by, seat).is_ok();
        let number = u64::from(seat.0);
        may.then_some(LegalMove { seat: by, kind: ActionKind::Expose, min: number, max: number })
    }

    /// A card is turned up; unless its receiver wanted that, it is asked whether it keeps it.
    pub(super) fn expose(&mut self, by: Seat, seat: Seat) {
        if let Some(deal) = self.deal_mut() {
            deal.exposed.insert(seat);
        }
        if by != seat {
            self.phase = Phase::Exposed { seat };
        }
    }

    /// What the receiver of an exposed card may answer.
    pub(super) fn exposed_options(&self, seat: Seat) -> Vec<LegalMove> {
        let mut options = vec![LegalMove { seat, kind: ActionKind::Keep, min: 0, max: 0 }];
        if let Some(last) = self.rest().checked_sub(1) {
            let kind = ActionKind::Replace;
            options.push(LegalMove { seat, kind, min: 0, max: u64::from(last) });
        }
        options
    }

    /// The receiver has answered: the deal, or the first turn, goes on.
    pub(super) fn answer_exposed(&mut self, replaces: bool, events: &mut Vec<GameEvent>) {
        if let Some(deal) = self.deal_mut().filter(|_| replaces) {
            deal.replaced = deal.replaced.saturating_add(1);
        }
        self.after_exposed();
        if let Some(seat) = self.turn() {
            events.push(GameEvent::Turn { seat });
        }
    }

    /// Back to where a card was turned up.
    pub(super) fn after_exposed(&mut self) {
        if let Some(deal) = self.deal() {
            self.phase = match deal.turn {
                Some(_) => Phase::Betting,
                None => Phase::AwaitDeal { kind: deal.kind },
            };
        }
    }
}
