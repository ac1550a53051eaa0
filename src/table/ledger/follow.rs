//! What follows from what the rules say: a new deal, the next turn, the end of the hand.

use super::apply::Work;
use super::seats::clockwise_after;
use super::{Presence, Refusal, Stage};
use crate::event::Event;
use crate::rules::{GameEvent, Input as GameInput, Phase, Seat};
use crate::table::translate;

impl Work<'_> {
    // ---- what follows ----

    /// Tells the rules, and follows where they go: a new deal, the next turn, the end of the hand.
    pub(super) fn game(&mut self, input: &GameInput) -> Result<(), Refusal> {
        let bank = self.core.game.bank();
        let step = self.core.game.apply(input)?;
        self.core.game = step.game;
        self.events.extend(translate::game_events(&step.events, &self.core, bank));
        self.follow(&step.events)
    }

    pub(super) fn follow(&mut self, events: &[GameEvent]) -> Result<(), Refusal> {
        let Some(hand) = self.core.hand() else { return Ok(()) };
        if matches!(self.core.stage, Stage::Starting { .. }) {
            return Ok(());
        }
        match self.core.game.phase() {
            Phase::Idle => self.hand_over(hand, events),
            Phase::AwaitDeal { .. } => {
                let order = self.deal_order();
                let same = matches!(&self.core.stage, Stage::Dealing { order: o, deal, .. } if *o == order && *deal != 0);
                if !same {
                    self.core.deals = self.core.deals.saturating_add(1);
                    self.core.stage = Stage::Dealing { hand, deal: self.core.deals, order };
                    self.deal = None;
                    self.shares.clear();
                }
                Ok(())
            }
            _ => {
                if let Stage::Playing { cards, .. } = &mut self.core.stage {
                    cards.turn = cards.turn.saturating_add(1);
                    cards.more_time = 0;
                }
                self.leavers_fold()?;
                self.compare_open()
            }
        }
    }

    pub(super) fn deal_order(&self) -> Vec<Seat> {
        let participants = self.core.game.participants();
        match self.core.game.dealer() {
            Some(dealer) => {
                let mut sorted: Vec<Seat> = participants.to_vec();
                sorted.sort_unstable();
                clockwise_after(&sorted, dealer)
            }
            None => participants.to_vec(),
        }
    }

    /// Who said that it leaves folds on its own turn.
    pub(super) fn leavers_fold(&mut self) -> Result<(), Refusal> {
        let Some(turn) = self.core.game.turn() else { return Ok(()) };
        let gone = self.core.seats.get(&turn).is_some_and(|s| s.leaving);
        if gone
            && matches!(self.core.stage, Stage::Playing { .. })
            && matches!(self.core.game.phase(), Phase::Betting)
        {
            self.game(&GameInput::TimeOut { seat: turn })?;
        }
        Ok(())
    }

    pub(super) fn hand_over(&mut self, hand: u64, events: &[GameEvent]) -> Result<(), Refusal> {
        self.core.stage = Stage::Idle;
        self.deal = None;
        self.shares.clear();
        let played = events.iter().any(|e| matches!(e, GameEvent::Over { .. }));
        self.core.finished = self.core.finished.saturating_add(u64::from(played));
        if played {
            let winners = translate::winners(events);
            let stacks = self.core.game.stacks();
            self.events.push(Event::Settled { hand, stacks, winners, transcript: None });
            self.ended = Some(hand);
        }
        self.between_hands();
        if played {
            self.core.admit_voter();
        }
        if self.core.terms.hands.is_some_and(|most| self.core.finished >= most) {
            self.core.stage = Stage::Over;
        }
        Ok(())
    }

    /// Between hands, who leaves is gone and who returns is back.
    pub(super) fn between_hands(&mut self) {
        if !matches!(self.core.stage, Stage::Idle | Stage::Over) {
            return;
        }
        for (seat, presence) in self.core.settle_seats() {
            if presence == Presence::Left {
                // The rules let a seat go only between hands, and that is where we are.
                if let Ok(step) = self.core.game.apply(&GameInput::Leave { seat }) {
                    self.core.game = step.game;
                }
                self.events.push(Event::Away { seat });
            } else {
                self.events.push(Event::Back { seat });
            }
        }
    }
}
