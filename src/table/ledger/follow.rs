//! What follows from what the rules say: a new deal, the next turn, the end of the hand.

use super::apply::Work;
use super::seats::clockwise_after;
use super::{DealUse, Playing, Presence, Refusal, Stage};
use crate::event::{Event, OfferKind};
use crate::rules::{FirstDealer, GameEvent, Input as GameInput, Phase, Seat};
use crate::table::translate;

/// Steps that may follow from one message by themselves; far more than there ever are.
const FOLLOWING: usize = 2_000;

impl Work<'_> {
    // ---- what follows ----

    /// Tells the rules, and follows where they go: a new deal, the next turn, the end of the hand.
    pub(super) fn game(&mut self, input: &GameInput) -> Result<(), Refusal> {
        let (bank, before) = (self.core.game.bank(), self.core.game.phase().clone());
        let turn = self.core.game.turn();
        let step = self.core.game.apply(input)?;
        self.met.observe(&self.core.game, &step.events);
        self.core.game = step.game;
        self.inputs.push(input.clone());
        let told = translate::game_events(&step.events, &self.core, bank, &before);
        self.events.extend(told);
        self.follow(&before, turn, &step.events)
    }

    fn follow(
        &mut self,
        before: &Phase,
        turn: Option<Seat>,
        events: &[GameEvent],
    ) -> Result<(), Refusal> {
        let Some(hand) = self.core.hand() else { return Ok(()) };
        if matches!(self.core.stage, Stage::Starting { .. }) {
            return Ok(());
        }
        let phase = self.core.game.phase().clone();
        if std::mem::discriminant(before) != std::mem::discriminant(&phase) {
            self.core.budget.clear();
        }
        self.drop_offers();
        match phase {
            Phase::Idle => {
                if events.iter().any(|e| matches!(e, GameEvent::DealerFound { .. })) {
                    return self.begin();
                }
                self.hand_over(hand, events)
            }
            Phase::MissingAnte => {
                let talking = self.core.playing().is_some_and(|cards| cards.purpose.is_none());
                if !talking {
                    self.core.deals = self.core.deals.saturating_add(1);
                    self.known = super::Known::default();
                    let cards = Playing::talk(self.core.deals);
                    self.core.stage = Stage::Playing { hand, cards: Box::new(cards) };
                }
                self.next_turn(before, turn);
                Ok(())
            }
            Phase::DealerChoice { .. } => {
                let again = events.iter().any(|e| matches!(e, GameEvent::ChoiceAgain { .. }));
                let begun = matches!(
                    &self.core.stage,
                    Stage::Playing { cards, .. } if cards.purpose == Some(DealUse::Choice)
                ) || matches!(
                    &self.core.stage,
                    Stage::Dealing { purpose: DealUse::Choice, .. }
                );
                if again || !begun {
                    self.deal_again(hand, DealUse::Choice);
                } else {
                    self.next_turn(before, turn);
                }
                Ok(())
            }
            Phase::AwaitDeal { .. } => {
                let lies_there = self
                    .core
                    .playing()
                    .is_some_and(|c| c.purpose == Some(DealUse::Hand) && !c.dealt);
                if lies_there && !events.iter().any(|e| matches!(e, GameEvent::TakenOut { .. })) {
                    self.next_turn(before, turn);
                    return self.before_dealt();
                }
                let order = self.deal_order();
                let same = matches!(
                    &self.core.stage,
                    Stage::Dealing { order: o, deal, purpose: DealUse::Hand, .. }
                        if *o == order && *deal != 0
                );
                if !same {
                    self.deal_again(hand, DealUse::Hand);
                }
                Ok(())
            }
            _ => {
                self.next_turn(before, turn);
                Ok(())
            }
        }
    }

    /// The next move answers another state than the one before; only where several answer the same
    /// question does none of them change what the others were asked.
    fn next_turn(&mut self, before: &Phase, turn: Option<Seat>) {
        let phase = self.core.game.phase();
        let asked_together =
            matches!(phase, Phase::SvaraSplit | Phase::SvaraEntry | Phase::ThreeTens { .. })
                || (*phase == Phase::MissingAnte && self.core.game.turn().is_none());
        let same = asked_together && before == phase && turn.is_none();
        if let Stage::Playing { cards, .. } = &mut self.core.stage
            && !same
        {
            cards.turn = cards.turn.saturating_add(1);
            cards.more_time = 0;
        }
    }

    /// Cards are shuffled for something, by those who take part now.
    pub(super) fn deal_again(&mut self, hand: u64, purpose: DealUse) {
        let order = match purpose {
            DealUse::Hand => self.deal_order(),
            DealUse::Choice => self.choice_order(),
        };
        self.core.deals = self.core.deals.saturating_add(1);
        let deal = self.core.deals;
        if purpose == DealUse::Hand && self.core.terms.rules.exposed_card.is_on() {
            self.events.push(Event::Offer {
                kind: OfferKind::Expose,
                from: None,
                to: order.clone(),
                shares: Vec::new(),
                key: None,
                name: None,
                rules: None,
            });
        }
        self.core.stage = Stage::Dealing { hand, deal, order, purpose, exposing: Vec::new() };
        self.known = super::Known::default();
    }

    pub(super) fn deal_order(&self) -> Vec<Seat> {
        let mut sorted: Vec<Seat> = self.core.game.participants();
        match self.core.game.dealer() {
            Some(dealer) => {
                sorted.sort_unstable();
                clockwise_after(&sorted, dealer)
            }
            None => sorted,
        }
    }

    /// Everybody whom the choice of a dealer concerns shuffles for it, also who does not lift.
    fn choice_order(&self) -> Vec<Seat> {
        let active = self.core.game.active();
        let mut seats = if active.is_empty() { self.core.line_up.clone() } else { active };
        seats.sort_unstable();
        clockwise_after(&seats, self.core.game.dealer().unwrap_or(Seat(u8::MAX)))
    }

    /// Does what needs nobody any more: cards that are bare are opened, what was opened is told to the
    /// rules, and for who is not here the answer is no.
    pub(super) fn settle(&mut self) -> Result<(), Refusal> {
        for _ in 0..FOLLOWING {
            self.show_cards();
            let moved = self.open_cards()?
                || self.find_dealer()?
                || self.compare_open()?
                || self.showdown()?
                || self.decline_for_absent()?;
            if !moved {
                break;
            }
        }
        Ok(())
    }

    /// Who said that it leaves, or is not here, folds or declines on its own turn. True when somebody did.
    fn decline_for_absent(&mut self) -> Result<bool, Refusal> {
        if self.core.playing().is_none()
            || matches!(self.core.game.phase(), Phase::ThreeTens { .. })
        {
            return Ok(false);
        }
        let absent = self.core.game.awaited().into_iter().find(|seat| {
            let state = self.core.seats.get(seat);
            // Who sits out may still enter a svara; its program declines when its player does not answer.
            let asked = *self.core.game.phase() == Phase::SvaraEntry;
            state.is_none_or(|s| {
                s.leaving
                    || !(s.presence == Presence::Here
                        || (asked && s.presence == Presence::SittingOut))
            })
        });
        let Some(seat) = absent else { return Ok(false) };
        self.game(&GameInput::TimeOut { seat })?;
        Ok(true)
    }

    /// Tells the rules the cards that were opened to find a dealer. True when there were any.
    fn find_dealer(&mut self) -> Result<bool, Refusal> {
        let Stage::Playing { cards, .. } = &mut self.core.stage else { return Ok(false) };
        if cards.purpose != Some(DealUse::Choice) {
            return Ok(false);
        }
        match self.core.game.choice_method() {
            Some(FirstDealer::Lift) => {
                let wanted = self.core.game.cards_to_open();
                let open: Vec<_> = wanted
                    .iter()
                    .filter_map(|(seat, place)| Some((*seat, *cards.open.get(place)?)))
                    .collect();
                if open.is_empty() || open.len() < wanted.len() {
                    return Ok(false);
                }
                for (seat, card) in open {
                    self.game(&GameInput::Lift { seat, cards: vec![card] })?;
                }
                Ok(true)
            }
            Some(FirstDealer::Count) => {
                let Some(card) = cards.open.get(&cards.fed).copied() else { return Ok(false) };
                cards.fed = cards.fed.saturating_add(1);
                let counted: Vec<_> = cards.open.values().copied().collect();
                self.game(&GameInput::Count { cards: vec![card] })?;
                let found = self.core.game.next_dealer(&self.core.line_up);
                if let (false, Some(dealer)) =
                    (matches!(self.core.game.phase(), Phase::DealerChoice { .. }), found)
                {
                    self.events.push(Event::Counted { cards: counted, dealer });
                }
                Ok(true)
            }
            Some(FirstDealer::Random) => {
                let Some(card) = cards.open.get(&cards.fed).copied() else { return Ok(false) };
                cards.fed = cards.fed.saturating_add(1);
                let Phase::DealerChoice { seats } = self.core.game.phase() else {
                    return Ok(false);
                };
                let deck = self.core.terms.rules.deck();
                let number = usize::from(deck.index_of(card).unwrap_or(0));
                // Each seat has as many cards that stand for it; the few that are left over do not count.
                let fair = usize::from(deck.size()) / seats.len().max(1) * seats.len();
                let seat = (number < fair).then(|| seats.get(number % seats.len().max(1)));
                if let Some(seat) = seat.flatten().copied() {
                    self.game(&GameInput::DealerIs { seat })?;
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    pub(super) fn hand_over(&mut self, hand: u64, events: &[GameEvent]) -> Result<(), Refusal> {
        self.core.stage = Stage::Idle;
        self.known = super::Known::default();
        self.core.line_up.clear();
        let played = events.iter().any(|e| matches!(e, GameEvent::Over { .. }));
        self.core.finished = self.core.finished.saturating_add(u64::from(played));
        if played {
            let winners = translate::winners(events);
            let stacks = self.core.game.stacks();
            self.events.push(Event::Settled { hand, stacks, winners, transcript: None });
            self.ended = Some(hand);
        }
        self.between_hands();
        self.change_rules();
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
                self.voices_changed();
                // The rules let a seat go only between hands, and that is where we are.
                self.suggest(GameInput::Leave { seat });
                self.events.push(Event::Away { seat });
            } else {
                self.events.push(Event::Back { seat });
            }
        }
        self.freeze_settled();
        self.unfreeze_forgiven();
    }

    /// A stack that was in play when its seat was frozen (a pool's partner pays and is paid to the end of the hand) is
    /// frozen now.
    fn freeze_settled(&mut self) {
        let frozen = self.core.seats.iter().filter(|(_, s)| s.presence == Presence::Frozen);
        let seats: Vec<Seat> = frozen.map(|(seat, _)| *seat).collect();
        for seat in seats {
            // Who has left took its stack along.
            if !self.core.game.is_frozen(seat) {
                self.suggest(GameInput::Freeze { seat });
            }
        }
    }

    /// Tells the rules what they may refuse without harm.
    pub(super) fn suggest(&mut self, input: GameInput) {
        if let Ok(step) = self.core.game.apply(&input) {
            self.core.game = step.game;
            self.inputs.push(input);
        }
    }
}
