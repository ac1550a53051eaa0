//! Finding who deals: the first hand, the hand after a split, a svara (rules: Dealing).
//!
//! The cards of the deck that is used for it are told, not looked up: each lifts so many of them,
//! or they are opened one by one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ActionKind, Game, GameEvent, LegalMove, Phase, ResultKind};
use crate::rules::cards::{Card, Rank};
use crate::rules::house::{FirstDealer, NextDealer};
use crate::rules::seat::{clockwise_from, left_of};
use crate::rules::{RulesError, Seat};

/// How a dealer is being found, and how far that has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Choice {
    /// For the next hand; otherwise for the svara of the current one.
    pub(super) next_hand: bool,
    method: FirstDealer,
    /// Who may become the dealer, in the order they lift or are counted.
    order: Vec<Seat>,
    /// How many cards each has lifted, as far as that is known.
    lifted: BTreeMap<Seat, u8>,
    /// What is known of each packet, the bottom card first.
    packets: BTreeMap<Seat, Vec<Card>>,
    /// The cards opened in counting, the table's first.
    counted: Vec<Card>,
}

/// How the lifting stands.
enum Lifting {
    /// Somebody has not lifted, or these cards have yet to be opened: of whose packet, how deep.
    Waits(Vec<(Seat, usize)>),
    /// These cannot be told apart and lift again.
    Again(Vec<Seat>),
    /// This one deals.
    Won(Seat),
}

impl Choice {
    fn new(next_hand: bool, method: FirstDealer, order: Vec<Seat>) -> Choice {
        let (lifted, packets) = (BTreeMap::new(), BTreeMap::new());
        Choice { next_hand, method, order, lifted, packets, counted: Vec::new() }
    }

    /// How many cards a seat has lifted: as it said, or as many as were opened.
    fn count_of(&self, seat: Seat) -> Option<u8> {
        let opened = self.packets.get(&seat).map(Vec::len);
        let opened = opened.map(|cards| u8::try_from(cards).unwrap_or(u8::MAX));
        self.lifted.get(&seat).copied().or(opened)
    }

    /// Who lifts next.
    fn turn(&self) -> Option<Seat> {
        let mut waiting = self.order.iter().copied().filter(|seat| self.count_of(*seat).is_none());
        waiting.next().filter(|_| self.method == FirstDealer::Lift)
    }

    fn lifting(&self) -> Lifting {
        if self.turn().is_some() {
            return Lifting::Waits(Vec::new());
        }
        let mut rivals = self.order.clone();
        for depth in 0.. {
            let ends = |seat: &&Seat| {
                self.count_of(**seat).is_none_or(|count| usize::from(count) <= depth)
            };
            if rivals.iter().any(|seat| ends(&seat)) {
                break;
            }
            let card = |seat: &Seat| self.packets.get(seat)?.get(depth).copied();
            let hidden: Vec<(Seat, usize)> = rivals
                .iter()
                .filter(|seat| card(seat).is_none())
                .map(|seat| (*seat, depth))
                .collect();
            if !hidden.is_empty() {
                return Lifting::Waits(hidden);
            }
            // The joker has no rank and is the lowest.
            let rank = |seat: &Seat| card(seat).and_then(Card::rank);
            let best: Option<Rank> = rivals.iter().filter_map(rank).max();
            rivals.retain(|seat| rank(seat) == best);
            if let [winner] = rivals.as_slice() {
                return Lifting::Won(*winner);
            }
        }
        Lifting::Again(rivals)
    }

    /// The first to be counted an ace, if one has been.
    fn counted_ace(&self) -> Option<Seat> {
        let ace = |card: &Card| card.rank() == Some(Rank::Ace);
        // The very first card is the table's, and counts for nobody.
        let opened = self.counted.iter().skip(1).zip(self.order.iter().cycle());
        opened.filter(|(card, _)| ace(card)).map(|(_, seat)| *seat).next()
    }
}

impl Game {
    /// Whether cards decide who deals the next hand among these: the first of the evening as the
    /// house has it, later a hand that was divided (`next_dealer = winner`).
    ///
    /// If so, [`crate::rules::Input::ChooseDealer`] comes first; [`Game::next_dealer`] then knows.
    #[must_use]
    pub fn must_choose_dealer(&self, participants: &[Seat]) -> bool {
        self.choice_among(participants).is_some()
    }

    /// How the next dealer is found and by whom, where cards decide.
    fn choice_among(&self, participants: &[Seat]) -> Option<(FirstDealer, Vec<Seat>)> {
        if self.chosen.is_some() {
            return None;
        }
        let Some(dealer) = self.last_dealer else {
            let method = self.rules.first_dealer;
            return (method != FirstDealer::Host).then(|| (method, participants.to_vec()));
        };
        let last = self.last.as_ref().filter(|last| last.kind == ResultKind::Split)?;
        let splitters = last.seats.iter().filter(|seat| participants.contains(seat));
        let order = clockwise_from(dealer, splitters);
        (self.rules.next_dealer == NextDealer::Winner && order.len() > 1)
            .then_some((FirstDealer::Lift, order))
    }

    /// Finds who deals the next hand: at once, or by cards.
    pub(super) fn find_dealer(
        &mut self,
        host: Seat,
        participants: &[Seat],
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        if self.phase != Phase::Idle {
            return Err(RulesError::HandRunning);
        }
        self.check_participants(participants)?;
        if let Some((method, mut order)) = self.choice_among(participants) {
            if self.last_dealer.is_none() {
                order = clockwise_from(host, &order);
                if order.last() == Some(&host) {
                    order.rotate_right(1);
                }
            }
            self.begin_choice(Choice::new(true, method, order));
            return Ok(());
        }
        let host_deals = || match participants.contains(&host) {
            true => Some(host),
            false => left_of(host, participants),
        };
        let dealer = self.next_dealer(participants).or_else(host_deals);
        self.dealer_found(dealer.unwrap_or(host), events);
        Ok(())
    }

    fn begin_choice(&mut self, choice: Choice) {
        self.phase = Phase::DealerChoice { seats: choice.order.clone() };
        self.choice = Some(choice);
    }

    fn dealer_found(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        self.choice = None;
        self.chosen = Some(seat);
        self.phase = Phase::Idle;
        events.push(GameEvent::DealerFound { seat });
    }

    /// Whether the dealer of the next hand is being found, so that no hand is being played.
    pub(super) fn chooses_next(&self) -> bool {
        matches!(self.phase, Phase::DealerChoice { .. })
            && self.choice.as_ref().is_some_and(|choice| choice.next_hand)
    }

    /// A seat no longer plays the hand whose dealer is being found: the others begin anew.
    pub(super) fn leave_choice(&mut self, seat: Seat, events: &mut Vec<GameEvent>) {
        if !self.chooses_next() {
            return;
        }
        let Some(mut choice) = self.choice.take() else { return };
        let before = choice.order.len();
        choice.order.retain(|other| *other != seat);
        if let [only] = choice.order.as_slice() {
            return self.dealer_found(*only, events);
        }
        if choice.order.len() < before {
            let Choice { next_hand, method, order, .. } = choice;
            events.push(GameEvent::ChoiceAgain { seats: order.clone() });
            choice = Choice::new(next_hand, method, order);
        }
        self.begin_choice(choice);
    }

    /// The initiators still in lift for the deal; one alone deals without.
    pub(super) fn choose_dealer(&mut self, events: &mut Vec<GameEvent>) {
        let old = self.dealer().unwrap_or(Seat(0));
        let mut lifters = clockwise_from(old, &self.initiators());
        lifters.retain(|seat| self.is_active(*seat));
        if lifters.len() > 1 {
            return self.begin_choice(Choice::new(false, FirstDealer::Lift, lifters));
        }
        // With all initiators gone the deal stays as near to the old dealer as it can.
        let dealer = lifters.first().copied().or_else(|| left_of(old, &self.active()));
        self.deal_svara(dealer.unwrap_or(old), events);
    }

    /// Who lifts next, where a dealer is found so.
    pub(super) fn lifts_next(&self) -> Option<Seat> {
        match self.phase {
            Phase::DealerChoice { .. } => self.choice.as_ref()?.turn(),
            _ => None,
        }
    }

    /// The cards that have to be opened to go on, once all have lifted: whose packet, and the place
    /// in the deck that is used for it, counted from 0 at its top. Packets lie one after another as
    /// they were lifted; [`crate::rules::Input::Lift`] tells what was opened.
    #[must_use]
    pub fn cards_to_open(&self) -> Vec<(Seat, u8)> {
        let (Phase::DealerChoice { .. }, Some(choice)) = (&self.phase, &self.choice) else {
            return Vec::new();
        };
        if choice.method != FirstDealer::Lift {
            return Vec::new();
        }
        let Lifting::Waits(hidden) = choice.lifting() else {
            return Vec::new();
        };
        let place = |(seat, depth): (Seat, usize)| {
            let upto = choice.order.iter().position(|other| *other == seat)?;
            let above = choice.order.iter().take(upto + 1).filter_map(|one| choice.count_of(*one));
            let bottom = above.map(usize::from).sum::<usize>().checked_sub(1 + depth)?;
            Some((seat, u8::try_from(bottom).ok()?))
        };
        hidden.into_iter().filter_map(place).collect()
    }

    /// How many cards the next seat may lift: one for each after it must be left.
    pub(super) fn lift_options(&self) -> Option<LegalMove> {
        let seat = self.lifts_next()?;
        let (left, after) = self.left_to_lift()?;
        let max = u64::from(left.saturating_sub(after));
        Some(LegalMove { seat, kind: ActionKind::Lift, min: 1, max })
    }

    /// How many cards are left for those who have not lifted, and how many of them come later.
    fn left_to_lift(&self) -> Option<(u8, u8)> {
        let choice = self.choice.as_ref()?;
        let counts = choice.order.iter().map(|seat| choice.count_of(*seat));
        let (mut left, mut after) = (self.rules.deck().size(), 0u8);
        for count in counts {
            match count {
                Some(count) => left = left.saturating_sub(count),
                None => after = after.saturating_add(1),
            }
        }
        Some((left, after.saturating_sub(1)))
    }

    /// A seat lifts so many cards.
    pub(super) fn lift(&mut self, seat: Seat, cards: u8) {
        if let Some(choice) = self.choice.as_mut() {
            choice.lifted.insert(seat, cards);
        }
    }

    /// A seat that does not lift in time lifts an equal share.
    pub(super) fn lift_share(&mut self, seat: Seat) {
        let (left, after) = self.left_to_lift().unwrap_or((1, 0));
        let share = left.checked_div(after.saturating_add(1)).unwrap_or(1).max(1);
        self.lift(seat, share);
    }

    /// Checks that a dealer is found this way now.
    fn choice_by(&self, method: FirstDealer) -> Result<&Choice, RulesError> {
        let choice = self.choice.as_ref().ok_or(RulesError::NoDealerChoice)?;
        match choice.method == method {
            true => Ok(choice),
            false => Err(RulesError::OtherChoice(choice.method)),
        }
    }

    /// Further cards of a seat's packet are opened, from its bottom on.
    pub(super) fn lifted(
        &mut self,
        seat: Seat,
        cards: &[Card],
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        let choice = self.choice_by(FirstDealer::Lift)?;
        if !choice.order.contains(&seat) {
            return Err(RulesError::DoesNotLift(seat));
        }
        let known = choice.packets.get(&seat).map_or(0, Vec::len);
        // Without a number the packet is whole at once; with one, more of it may come to light.
        let fits = match choice.lifted.get(&seat) {
            Some(count) => known + cards.len() <= usize::from(*count),
            None => known == 0,
        };
        if !fits || cards.is_empty() {
            return Err(RulesError::OtherPacket(seat));
        }
        let open: Vec<Card> = choice.packets.values().flatten().copied().collect();
        self.check_opened(&open, cards)?;
        if let Some(choice) = self.choice.as_mut() {
            choice.packets.entry(seat).or_default().extend(cards);
        }
        events.push(GameEvent::Lifted { seat, cards: cards.to_vec() });
        match self.choice.as_ref().map(Choice::lifting) {
            Some(Lifting::Won(seat)) => self.dealer_is(seat, events),
            Some(Lifting::Again(seats)) => {
                self.choose_again(seats, events);
                Ok(())
            }
            Some(Lifting::Waits(_)) | None => Ok(()),
        }
    }

    /// Cards that are opened one by one, the table's first.
    pub(super) fn counted(
        &mut self,
        cards: &[Card],
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        let choice = self.choice_by(FirstDealer::Count)?;
        self.check_opened(&choice.counted, cards)?;
        let size = usize::from(self.rules.deck().size());
        let Some(choice) = self.choice.as_mut() else { return Ok(()) };
        choice.counted.extend(cards);
        events.push(GameEvent::Counted { cards: cards.to_vec() });
        if let Some(seat) = choice.counted_ace() {
            return self.dealer_is(seat, events);
        }
        if choice.counted.len() >= size {
            let order = choice.order.clone();
            self.choose_again(order, events);
        }
        Ok(())
    }

    /// Checks that these cards can be opened besides the others.
    fn check_opened(&self, others: &[Card], cards: &[Card]) -> Result<(), RulesError> {
        let deck = self.rules.deck();
        for (at, card) in cards.iter().enumerate() {
            if !deck.contains(*card) {
                return Err(RulesError::NotInDeck { card: *card, size: deck.size() });
            }
            if others.contains(card) || cards.iter().take(at).any(|other| other == card) {
                return Err(RulesError::CardTwice(*card));
            }
        }
        Ok(())
    }

    /// How the dealer is being found, where cards decide.
    #[must_use]
    pub fn choice_method(&self) -> Option<FirstDealer> {
        match self.phase {
            Phase::DealerChoice { .. } => self.choice.as_ref().map(|choice| choice.method),
            _ => None,
        }
    }

    /// Who lifts or is counted, in that order.
    pub(super) fn choice_order(&self) -> Vec<Seat> {
        self.choice.as_ref().map_or_else(Vec::new, |choice| choice.order.clone())
    }

    /// The same again among these, from a new shuffle.
    pub(super) fn choose_again(&mut self, seats: Vec<Seat>, events: &mut Vec<GameEvent>) {
        if let Some(choice) = self.choice.take() {
            events.push(GameEvent::ChoiceAgain { seats: seats.clone() });
            self.begin_choice(Choice::new(choice.next_hand, choice.method, seats));
        }
    }

    /// The dealer is found.
    pub(super) fn dealer_is(
        &mut self,
        seat: Seat,
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        let Phase::DealerChoice { seats } = &self.phase else {
            return Err(RulesError::NoDealerChoice);
        };
        if !seats.contains(&seat) {
            return Err(RulesError::DoesNotLift(seat));
        }
        if self.chooses_next() {
            self.dealer_found(seat, events);
        } else {
            self.deal_svara(seat, events);
        }
        Ok(())
    }

    /// Who of `candidates` deals the next hand (rules: Next dealer).
    ///
    /// None before the first finished hand, where [`FirstDealer`] decides, and without candidates.
    /// Where cards have decided ([`crate::rules::Input::ChooseDealer`]), whom they found; after a
    /// split without that, the first splitter from the old dealer's left. Whoever is no candidate
    /// passes it to the left.
    #[must_use]
    pub fn next_dealer(&self, candidates: &[Seat]) -> Option<Seat> {
        let due = match (self.chosen, self.rules.next_dealer) {
            (Some(chosen), _) => chosen,
            (None, NextDealer::Rotate) => return left_of(self.last_dealer?, candidates),
            (None, NextDealer::Winner) => {
                let (dealer, splitters) = (self.last_dealer?, &self.last.as_ref()?.seats);
                let playing = splitters.iter().filter(|seat| candidates.contains(seat));
                left_of(dealer, playing).or_else(|| left_of(dealer, splitters))?
            }
        };
        if candidates.contains(&due) { Some(due) } else { left_of(due, candidates) }
    }
}
