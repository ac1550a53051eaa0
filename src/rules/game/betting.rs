//! What a move does.

use super::{Action, DealKind, Game, GameEvent, Phase, Viewers};
use crate::rules::house::ThreeTens;
use crate::rules::{RulesError, Seat};

impl Game {
    pub(super) fn act(
        &mut self,
        seat: Seat,
        action: Action,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        let paid = self.check_move(seat, action)?;
        let divided = self.pay(seat, paid)?;
        events.push(GameEvent::Moved { seat, action, paid });
        events.extend(divided);
        if let Action::Expose(receiver) = action {
            self.expose(seat, receiver);
            return Ok(());
        }
        match self.phase {
            Phase::Betting => self.act_in_turn(seat, action, events),
            Phase::ThreeTens { .. } => self.answer_tens(seat, action == Action::Accept, events),
            Phase::Boil { .. } => self.answer_boil(action == Action::Accept, events),
            Phase::SvaraSplit => self.answer_split(seat, action == Action::Split, events),
            Phase::SvaraEntry => self.answer_entry(seat, action == Action::Enter, events),
            Phase::MissingAnte => self.answer_ante(seat, action == Action::Ante, events),
            Phase::Exposed { .. } => self.answer_exposed(action != Action::Keep, events),
            Phase::DealerChoice { .. } => match action {
                Action::Lift(cards) => self.lift(seat, cards),
                _ => return Err(RulesError::NoMoveAwaited),
            },
            // Nothing else is legal in the other phases.
            _ => return Err(RulesError::NoMoveAwaited),
        }
        Ok(())
    }

    fn act_in_turn(&mut self, seat: Seat, action: Action, events: &mut Vec<GameEvent>) {
        match action {
            Action::Look => {
                self.look(seat, events);
                // Its own look may have made staying too dear for the seat to act.
                if let Some(turn) = self.turn() {
                    self.turn_from(turn, events);
                }
                return;
            }
            Action::Redeal => return self.redeal(Some(seat), events),
            Action::Boil => return self.ask_boil(seat),
            _ => {}
        }
        let standing = self.deal_mut().and_then(|deal| deal.seats.get_mut(&seat));
        if let Some(standing) = standing {
            standing.acted = true;
        }
        match action {
            Action::Bet(amount) => {
                self.bet(seat, amount, events);
                self.turn_after(seat, events);
            }
            Action::Dark(amount) => {
                self.go_dark(seat, amount);
                self.turn_after(seat, events);
            }
            Action::Compare => {
                self.open_up(seat, events);
                self.begin_comparison(seat);
            }
            _ => {
                self.fold(seat, events);
            }
        }
    }

    /// The caller has paid: the three-tens question comes first, then the hands.
    fn begin_comparison(&mut self, caller: Seat) {
        let target = self.right_of(caller).unwrap_or(caller);
        self.phase = match self.rules.three_tens {
            ThreeTens::OnDemand => Phase::ThreeTens { caller, target },
            ThreeTens::Off | ThreeTens::OnCompare => Phase::Comparing { caller, target },
        };
        if let Some(deal) = self.deal_mut() {
            deal.answered.clear();
        }
    }

    /// Answers whether a side of a comparison lays open three tens.
    pub(super) fn answer_tens(&mut self, seat: Seat, demand: bool, events: &mut Vec<GameEvent>) {
        let Phase::ThreeTens { caller, target } = self.phase else {
            return;
        };
        if demand {
            return self.redeal(Some(seat), events);
        }
        if let Some(deal) = self.deal_mut() {
            deal.answered.insert(seat);
        }
        if self.asked().is_empty() {
            self.phase = Phase::Comparing { caller, target };
        }
    }

    /// Three tens that came to light in a comparison, where that is a redeal by itself.
    pub(super) fn tens(
        &mut self,
        holder: Seat,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        let Phase::Comparing { caller, target } = self.phase else {
            return Err(RulesError::NoComparison);
        };
        if self.rules.three_tens != ThreeTens::OnCompare {
            return Err(RulesError::NotOpen(super::ActionKind::Redeal));
        }
        if holder != caller && holder != target {
            return Err(RulesError::NotAsked(holder));
        }
        self.redeal(Some(holder), events);
        Ok(())
    }

    /// New cards for those still in: the bank stays, all else starts again.
    pub(super) fn redeal(&mut self, holder: Option<Seat>, events: &mut Vec<GameEvent>) {
        if let Some(hand) = self.hand.as_mut() {
            hand.pacts.clear();
        }
        self.await_deal(DealKind::Redeal { holder });
        events.push(GameEvent::Redeal { holder });
        // Three tens are laid open to all.
        events.extend(holder.map(|hand| GameEvent::Shown { hand, to: Viewers::All }));
    }

    fn ask_boil(&mut self, asker: Seat) {
        let asked = self.right_of(asker).unwrap_or(asker);
        if let Some(deal) = self.deal_mut() {
            deal.boil_asked = true;
        }
        self.phase = Phase::Boil { asker, asked };
    }

    /// Answers whether the last two throw their cards in for a svara.
    pub(super) fn answer_boil(&mut self, agreed: bool, events: &mut Vec<GameEvent>) {
        if agreed {
            return self.begin_svara(false, events);
        }
        self.phase = Phase::Betting;
        if let Some(seat) = self.turn() {
            events.push(GameEvent::Turn { seat });
        }
    }
}
