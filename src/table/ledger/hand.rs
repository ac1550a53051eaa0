//! A hand from its proposal to its last comparison.

use super::apply::Work;
use super::{DealPlan, DealUse, Known, Playing, Refusal, Stage};
use crate::event::Event;
use crate::rules::{Action, Input as GameInput, Phase, Seat};
use crate::table::message::{Basis, Hash};

impl Work<'_> {
    // ---- before a hand ----

    pub(super) fn start(
        &mut self,
        seat: Seat,
        hand: u64,
        participants: Vec<Seat>,
    ) -> Result<(), Refusal> {
        let (dealer, able) = self.core.next_start().ok_or(Refusal::Stale)?;
        if seat != dealer {
            return Err(Refusal::NotAsked);
        }
        if hand != self.core.hands.saturating_add(1) || participants != able {
            return Err(Refusal::WrongStart);
        }
        self.core.hands = hand;
        self.core.stage = Stage::Starting {
            hand,
            dealer,
            participants,
            ready: std::collections::BTreeSet::new(),
        };
        Ok(())
    }

    pub(super) fn ready(&mut self, seat: Seat, hand: u64, plays: bool) -> Result<(), Refusal> {
        let Stage::Starting { hand: open, participants, ready, .. } = &mut self.core.stage else {
            return Err(Refusal::Stale);
        };
        if *open != hand {
            return Err(Refusal::Stale);
        }
        if !participants.contains(&seat) || ready.contains(&seat) {
            return Err(Refusal::NotAsked);
        }
        if plays {
            ready.insert(seat);
        } else {
            participants.retain(|s| *s != seat);
            self.seat(seat)?.presence = super::Presence::SittingOut;
        }
        self.maybe_deal()
    }

    /// Deals when everybody who was asked has answered.
    pub(super) fn maybe_deal(&mut self) -> Result<(), Refusal> {
        let Stage::Starting { hand, dealer, participants, ready } = &self.core.stage else {
            return Ok(());
        };
        let (hand, dealer, participants) = (*hand, *dealer, participants.clone());
        // Without its dealer, or with one player left, the hand is proposed anew by whoever is next.
        if participants.len() < 2 || !participants.contains(&dealer) {
            self.core.stage = Stage::Idle;
            self.between_hands();
            return Ok(());
        }
        if ready.len() < participants.len() {
            return Ok(());
        }
        self.core.line_up.clone_from(&participants);
        self.core.stage = Stage::Dealing {
            hand,
            deal: 0,
            order: Vec::new(),
            purpose: DealUse::Hand,
            exposing: Vec::new(),
        };
        if self.core.game.must_choose_dealer(&participants) {
            // The host, seat 0, is the first to lift or to be counted.
            return self.game(&GameInput::ChooseDealer { host: Seat(0), participants });
        }
        self.begin()
    }

    /// The hand begins among those who said that they play it; who deals is known.
    pub(super) fn begin(&mut self) -> Result<(), Refusal> {
        let participants = self.core.line_up.clone();
        let dealer = self.core.game.next_dealer(&participants);
        let dealer = dealer.or_else(|| participants.iter().min().copied());
        let Some(dealer) = dealer.filter(|_| participants.len() > 1) else {
            self.core.stage = Stage::Idle;
            self.between_hands();
            return Ok(());
        };
        self.game(&GameInput::Begin { dealer, participants })
    }

    // ---- the deal ----

    pub(super) fn sign_deal(&mut self, seat: Seat, deal: Hash, hash: Hash) -> Result<(), Refusal> {
        let plan = DealPlan::new(&self.core)?.ok_or(Refusal::Stale)?;
        if plan.id.0 != deal {
            return Err(Refusal::Stale);
        }
        if plan.index_of(seat).is_none() || self.finals.contains_key(&seat) {
            return Err(Refusal::NotAsked);
        }
        self.finals.insert(seat, hash);
        Ok(())
    }

    /// What has to hold for an entry as a whole; then what follows from it.
    pub(super) fn finish(&mut self) -> Result<(), Refusal> {
        let finals = std::mem::take(&mut self.finals);
        let Some(hash) = finals.values().next().copied() else { return Ok(()) };
        let Some(plan) = DealPlan::new(&self.core)? else { return Err(Refusal::Stale) };
        let complete = plan.order.iter().all(|(seat, _)| finals.get(seat) == Some(&hash));
        if !complete || finals.len() != plan.order.len() {
            return Err(Refusal::DealUnsigned);
        }
        let deal = self.checks.deal(&hash).cloned().ok_or(Refusal::DealMissing(hash))?;
        if deal.plan.id != plan.id {
            return Err(Refusal::DealUnsigned);
        }
        let Stage::Dealing { hand, deal: number, order, purpose, exposing } = &self.core.stage
        else {
            return Err(Refusal::Stale);
        };
        let deck = self.core.terms.rules.deck().size();
        let mut cards = Playing::dealt(*number, hash, *purpose, order, deck);
        cards.exposing.clone_from(exposing);
        self.core.stage = Stage::Playing { hand: *hand, cards: Box::new(cards) };
        if let Some(cutter) = plan.cutter() {
            self.events.push(Event::Cut { seat: cutter, at: u64::from(deal.cut) });
        }
        self.known = Known::of(deal);
        self.before_dealt()?;
        self.settle()
    }

    /// The cards lie there: what the dealer wants turned up comes first, then all of them are dealt.
    pub(super) fn before_dealt(&mut self) -> Result<(), Refusal> {
        let Stage::Playing { cards, .. } = &mut self.core.stage else { return Ok(()) };
        let waits = matches!(self.core.game.phase(), Phase::AwaitDeal { .. });
        if cards.purpose != Some(DealUse::Hand) || cards.dealt || !waits {
            return Ok(());
        }
        while !cards.exposing.is_empty() {
            let receiver = cards.exposing.remove(0);
            let Some(seat) = self.core.game.dealer() else { continue };
            let input = GameInput::Move { seat, action: Action::Expose(receiver) };
            if self.core.game.apply(&input).is_ok() {
                return self.game(&input);
            }
        }
        cards.dealt = true;
        self.game(&GameInput::Dealt)
    }

    // ---- the play ----

    pub(super) fn on_turn(&self, seat: Seat, basis: Basis) -> Result<(), Refusal> {
        if self.core.basis() != Some(basis) {
            return Err(Refusal::Stale);
        }
        if self.core.answers(seat) { Ok(()) } else { Err(Refusal::NotAsked) }
    }

    pub(super) fn play(&mut self, seat: Seat, basis: Basis, action: Action) -> Result<(), Refusal> {
        if self.core.basis() != Some(basis) {
            return Err(Refusal::Stale);
        }
        // Three tens are laid open with their proof, looks and cards turned up have messages of their own.
        let by_itself = matches!(action, Action::Redeal | Action::Look | Action::Expose(_))
            || (action == Action::Accept
                && matches!(self.core.game.phase(), Phase::ThreeTens { .. }));
        if by_itself {
            return Err(Refusal::NotAsked);
        }
        if self.core.tens_asked(seat) {
            self.game(&GameInput::Move { seat, action })?;
            return Ok(());
        }
        self.on_turn(seat, basis)?;
        if let Action::Replace(place) = action {
            self.replace(seat, place)?;
        } else {
            self.game(&GameInput::Move { seat, action })?;
        }
        self.seat(seat)?.missed = 0;
        Ok(())
    }

    /// The exposed card goes to the bottom, and one of the rest takes its place.
    fn replace(&mut self, seat: Seat, place: u8) -> Result<(), Refusal> {
        let input = GameInput::Move { seat, action: Action::Replace(place) };
        self.core.game.apply(&input)?;
        let Stage::Playing { hand, cards } = &mut self.core.stage else {
            return Err(Refusal::Stale);
        };
        if !cards.lost.is_empty() {
            // Nobody holds the lost one's share of a card that was in no hand: none can come instead.
            let (hand, deal) = (*hand, cards.deal);
            return self.deal_without(hand, deal);
        }
        let at = usize::from(place);
        if at >= cards.rest.len() {
            return Err(Refusal::Bounds("place"));
        }
        let fresh = cards.rest.remove(at);
        let hand = cards.hands.get_mut(&seat).ok_or(Refusal::NotAsked)?;
        let [first, ..] = hand;
        *first = fresh;
        cards.replaced.insert(seat);
        self.escrow_replacement(fresh);
        self.game(&input)
    }

    /// Looks at the own cards, on turn or off it.
    pub(super) fn look(&mut self, seat: Seat, deal: u64) -> Result<(), Refusal> {
        if self.core.playing().is_none_or(|cards| cards.deal != deal || !cards.dealt) {
            return Err(Refusal::Stale);
        }
        self.game(&GameInput::Move { seat, action: Action::Look })
    }

    /// A card is turned up: the author's own before it is dealt, or by the dealer.
    pub(super) fn expose(&mut self, by: Seat, deal: u64, seat: Seat) -> Result<(), Refusal> {
        let input = GameInput::Move { seat: by, action: Action::Expose(seat) };
        match &mut self.core.stage {
            Stage::Dealing { deal: open, purpose: DealUse::Hand, exposing, .. }
                if *open == deal =>
            {
                self.core.game.apply(&input)?;
                if by == seat {
                    exposing.retain(|other| *other != seat);
                    return self.game(&input);
                }
                // What the receiver answers is asked when the card lies there.
                if exposing.contains(&seat) {
                    return Err(Refusal::Stale);
                }
                exposing.push(seat);
                Ok(())
            }
            Stage::Playing { cards, .. } if cards.deal == deal && cards.dealt => self.game(&input),
            _ => Err(Refusal::Stale),
        }
    }
}
