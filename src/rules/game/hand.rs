//! A hand's course apart from the betting: its beginning, its deals, its comparisons, lost seats.

use super::{CompareResult, Deal, DealKind, Game, GameEvent, Hand, Phase};
use crate::rules::house::{CompareTie, Reveal};
use crate::rules::seat::left_of;
use crate::rules::{RulesError, Seat};

impl Game {
    pub(super) fn begin(
        &mut self,
        dealer: Seat,
        participants: &[Seat],
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        if self.phase != Phase::Idle {
            return Err(RulesError::HandRunning);
        }
        self.check_participants(participants)?;
        if !participants.contains(&dealer) {
            return Err(RulesError::DealerNotPlaying(dealer));
        }
        self.hand_no = self.hand_no.saturating_add(1);
        self.hand =
            Some(Hand::new(dealer, participants.iter().copied(), self.dark_in(DealKind::First)));
        self.ask_antes();
        events.push(GameEvent::Began {
            hand: self.hand_no,
            dealer,
            participants: self.participants(),
        });
        Ok(())
    }

    /// Whether these can be dealt in together.
    pub(super) fn check_participants(&self, participants: &[Seat]) -> Result<(), RulesError> {
        self.rules.validate_for(participants.len())?;
        for (at, seat) in participants.iter().enumerate() {
            self.check_can_play(*seat)?;
            if participants.iter().take(at).any(|other| other == seat) {
                return Err(RulesError::SeatTwice(*seat));
            }
        }
        Ok(())
    }

    fn check_can_play(&self, seat: Seat) -> Result<(), RulesError> {
        let account = self.accounts.get(&seat).ok_or(RulesError::NoSuchSeat(seat))?;
        if account.frozen {
            return Err(RulesError::Frozen(seat));
        }
        let ante = self.rules.ante;
        if account.stack < ante {
            return Err(RulesError::CannotAnte { seat, stack: account.stack, ante });
        }
        Ok(())
    }

    /// Lets those still in be dealt cards: circles, ties and prices start again.
    pub(super) fn await_deal(&mut self, kind: DealKind) {
        let active = self.active();
        let dark = self.dark_in(kind);
        let Some(hand) = self.hand.as_mut() else {
            return;
        };
        hand.deal = Deal::new(kind, active, dark);
        hand.pools.retain(|pool| pool.live);
        self.phase = Phase::AwaitDeal { kind };
    }

    /// Whether dark play is possible in such a deal.
    fn dark_in(&self, kind: DealKind) -> bool {
        let seen = self.hand.as_ref().is_some_and(|hand| hand.dark_seen);
        self.rules.dark.is_on()
            && match kind {
                DealKind::First => true,
                DealKind::Redeal { holder } => seen && holder.is_some(),
                DealKind::Svara => self.rules.svara_dark.is_on(),
            }
    }

    pub(super) fn dealt(&mut self, events: &mut Vec<GameEvent>) -> Result<(), RulesError> {
        let Phase::AwaitDeal { kind } = self.phase else {
            return Err(RulesError::NoDealAwaited);
        };
        let order = self.participants();
        if kind == DealKind::First {
            self.take_antes(events)?;
        }
        let opening = self.rules.opening_price();
        let able = order.iter().filter(|seat| self.can_pay(**seat, opening)).count();
        let hand = self.hand.as_mut().ok_or(RulesError::NoDealAwaited)?;
        hand.deal.level = opening;
        hand.played.extend(order);
        hand.entry = None;
        let dealer = hand.dealer;
        if kind == DealKind::First {
            self.last_dealer = Some(dealer);
            self.chosen = None;
        }
        events.push(GameEvent::Dealt { kind });
        if kind == DealKind::Svara && able < 2 {
            self.phase = Phase::Showdown;
            return Ok(());
        }
        self.phase = Phase::Betting;
        match kind {
            DealKind::Redeal { holder: Some(holder) } => self.turn_from(holder, events),
            _ => self.turn_after(dealer, events),
        }
        Ok(())
    }

    pub(super) fn layer_lost(&mut self, events: &mut Vec<GameEvent>) -> Result<(), RulesError> {
        match self.phase {
            Phase::Betting
            | Phase::Comparing { .. }
            | Phase::ThreeTens { .. }
            | Phase::Boil { .. } => self.redeal(None, events),
            Phase::Exposed { .. } if self.is_dealt() => self.redeal(None, events),
            // The dealer is found from a new shuffle.
            Phase::DealerChoice { .. } => {
                let order = self.choice_order();
                self.choose_again(order, events);
            }
            // A poor svara stays one: nobody could bet in the redeal either.
            Phase::Showdown => self.await_deal(DealKind::Svara),
            _ => return Err(RulesError::NoCardsOut),
        }
        Ok(())
    }

    pub(super) fn time_out(
        &mut self,
        seat: Seat,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        let asked = match self.phase {
            Phase::Betting | Phase::Boil { .. } => {
                self.check_turn(seat)?;
                true
            }
            Phase::Comparing { caller, target } => seat == caller || seat == target,
            _ => self.awaited().contains(&seat),
        };
        if !asked {
            return Err(RulesError::NoMoveAwaited);
        }
        events.push(GameEvent::TimedOut { seat });
        match self.phase {
            Phase::Betting => self.fold(seat, events),
            Phase::Boil { .. } => self.answer_boil(false, events),
            Phase::ThreeTens { .. } => self.answer_tens(seat, false, events),
            Phase::MissingAnte => self.answer_ante(seat, false, events),
            Phase::Exposed { .. } => self.answer_exposed(false, events),
            Phase::DealerChoice { .. } => self.lift_share(seat),
            Phase::SvaraSplit => self.answer_split(seat, false, events),
            // An initiator is in unless it says otherwise, the others the other way round.
            Phase::SvaraEntry => self.answer_entry(seat, self.is_active(seat), events),
            _ => self.lose_comparison(seat, events),
        }
        Ok(())
    }

    pub(super) fn lost(
        &mut self,
        seat: Seat,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        if !self.accounts.contains_key(&seat) {
            return Err(RulesError::NoSuchSeat(seat));
        }
        let was_in = self.is_active(seat);
        if let Some(hand) = self.hand.as_mut() {
            hand.lost.insert(seat);
        }
        if !was_in {
            self.leave_choice(seat, events);
            self.settle_entry(events);
            return Ok(());
        }
        match (&self.phase, self.is_dealt()) {
            (Phase::AwaitDeal { .. } | Phase::MissingAnte, _) | (Phase::Exposed { .. }, false) => {
                self.take_out(seat, events);
                return Ok(());
            }
            // Nobody is left to ask, or somebody has gone: the card stays.
            (Phase::Exposed { .. }, true) => self.after_exposed(),
            _ => {}
        }
        events.push(GameEvent::Gone { seat });
        match self.phase {
            Phase::Comparing { caller, target } | Phase::ThreeTens { caller, target }
                if seat == caller || seat == target =>
            {
                self.lose_comparison(seat, events);
            }
            Phase::Betting if self.turn() == Some(seat) => self.fold(seat, events),
            _ => {
                self.drop_out(seat, events);
                self.after_loss(events);
            }
        }
        Ok(())
    }

    /// Goes on in the same phase after a seat that it does not turn on has gone.
    fn after_loss(&mut self, events: &mut Vec<GameEvent>) {
        let active = self.active();
        if active.len() < 2 {
            return self.finish(&active, events);
        }
        match self.phase {
            Phase::Betting => {
                if let Some(turn) = self.turn() {
                    self.turn_from(turn, events);
                }
            }
            Phase::SvaraSplit if self.asked().is_empty() => self.finish(&active, events),
            Phase::SvaraEntry => self.settle_entry(events),
            Phase::DealerChoice { ref seats }
                if seats.iter().any(|seat| !active.contains(seat)) =>
            {
                self.choose_dealer(events);
            }
            _ => {}
        }
    }

    /// Whether the cards of the deal are out and bets are made.
    fn is_dealt(&self) -> bool {
        self.deal().is_some_and(|deal| deal.turn.is_some())
    }

    /// Takes a seat out of a deal that is not finished; it begins again for the others.
    fn take_out(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        self.end_pool(seat);
        self.return_ante(seat, events);
        if let Phase::Exposed { .. } = self.phase {
            self.after_exposed();
        }
        let Some(hand) = self.hand.as_mut() else {
            return;
        };
        let kind = hand.deal.kind;
        hand.deal.exposed.clear();
        hand.deal.replaced = 0;
        hand.deal.seats.remove(&seat);
        let left: Vec<Seat> = hand.deal.seats.keys().copied().collect();
        events.push(GameEvent::TakenOut { seat });
        if left.len() < 2 {
            if kind == DealKind::First {
                self.call_off(events);
            } else {
                self.finish(&left, events);
            }
            return;
        }
        if kind == (DealKind::Redeal { holder: Some(seat) }) {
            return self.await_deal(DealKind::Redeal { holder: None });
        }
        // In a redeal the dealer may long be out: there its place counts, not its person.
        let deals = hand.dealer == seat && !matches!(kind, DealKind::Redeal { .. });
        if let Some(next) = left_of(seat, &left).filter(|_| deals) {
            hand.dealer = next;
            events.push(GameEvent::DealerNow { seat: next });
        }
        self.settle_antes(events);
    }

    pub(super) fn outcome(
        &mut self,
        result: CompareResult,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        let Phase::Comparing { caller, target } = self.phase else {
            return Err(RulesError::NoComparison);
        };
        self.tell_shown(events);
        self.end_comparison(caller, target, result, events);
        Ok(())
    }

    /// Ends a comparison that one side did not see through: it has lost.
    fn lose_comparison(&mut self, loser: Seat, events: &mut Vec<GameEvent>) {
        if let Phase::Comparing { caller, target } | Phase::ThreeTens { caller, target } =
            self.phase
        {
            let result = match loser == caller {
                true => CompareResult::Target,
                false => CompareResult::Caller,
            };
            self.end_comparison(caller, target, result, events);
        }
    }

    fn end_comparison(
        &mut self,
        caller: Seat,
        target: Seat,
        result: CompareResult,
        events: &mut Vec<GameEvent>,
    ) {
        events.push(GameEvent::Compared { caller, target, result });
        self.phase = Phase::Betting;
        if self.rules.reveal != Reveal::Sealed {
            self.look(caller, events);
            self.look(target, events);
        }
        let both_stay = self.rules.compare_tie == CompareTie::BothStay;
        match result {
            CompareResult::Caller => self.drop_out(target, events),
            CompareResult::Tie if both_stay => {
                if let Some(deal) = self.deal_mut() {
                    deal.ties.insert((caller.min(target), caller.max(target)));
                }
            }
            CompareResult::Target | CompareResult::Tie => self.drop_out(caller, events),
        }
        self.turn_after(caller, events);
    }
}
