//! Comparisons: with both hands laid open, or proved without a card being seen (crypto.md S4, S5).

use std::sync::Arc;

use trinka_crypto::hands::Hand;
use trinka_crypto::opening::OwnCard;
use trinka_crypto::sealed::{Answer, Call, Onlooker, Outcome, Selection, Statement};
use trinka_crypto::showing::{self, Showing};
use trinka_crypto::{Purpose, Reason, Recipient, Verified};

use super::apply::Work;
use super::cards::{Playing, Sealed, Sight};
use super::checks::{Checked, Checks};
use super::deal::HAND;
use super::known::Known;
use super::{Core, Refusal, Stage};
use crate::event::{Audience, Event};
use crate::rules::{
    self, Action, Card, CompareResult, CompareTie, HouseRules, Input as GameInput, Phase, Rank,
    Reveal, Seat, ThreeTens,
};
use crate::table::message::Basis;
use crate::wire;

/// What a comparison without open hands is for: one of a deal for each turn of it.
#[must_use]
pub fn sealed_step(basis: Basis) -> Purpose {
    Purpose { recipient: Recipient::Everyone, reason: Reason::Other(4), step: basis.turn }
}

/// The two sides of a comparison, as its proofs speak of them.
pub struct Sides {
    /// Who paid for it.
    pub caller: Seat,
    /// Its right-hand neighbour.
    pub target: Seat,
    /// The caller's cards under its own key.
    pub caller_cards: [Verified<OwnCard>; HAND],
    /// The target's.
    pub target_cards: [Verified<OwnCard>; HAND],
    /// What is proved.
    pub statement: Statement,
}

impl Sides {
    /// The comparison that goes on, once both hands can be read by their holders.
    ///
    /// # Errors
    /// [`Refusal::Stale`] while there is none, or shares are missing.
    pub fn new(core: &Core, known: &Known, checks: &mut Checks) -> Result<Self, Refusal> {
        let (Phase::Comparing { caller, target }, Some(basis), Some(cards)) =
            (core.game.phase(), core.basis(), core.playing())
        else {
            return Err(Refusal::Stale);
        };
        let (caller, target) = (*caller, *target);
        let deal = known.deal.as_ref().ok_or(Refusal::Stale)?;
        let rules = &core.terms.rules;
        let table = checks.hand_table(rules)?;
        let caller_cards = known.own_cards(cards, caller).ok_or(Refusal::Stale)?;
        let target_cards = known.own_cards(cards, target).ok_or(Refusal::Stale)?;
        let refused = |e: trinka_crypto::Error| Refusal::Proof(e.to_string());
        let one = Hand::new(&caller_cards).map_err(refused)?;
        let other = Hand::new(&target_cards).map_err(refused)?;
        // Where the caller loses a tie, not even that it was one shows.
        let ties = rules.compare_tie == CompareTie::BothStay;
        let statement = Statement::new(&deal.keys, &table, sealed_step(basis), &one, &other, ties)
            .map_err(refused)?;
        Ok(Sides { caller, target, caller_cards, target_cards, statement })
    }
}

impl Core {
    /// What a side of the comparison that goes on has to do now, where hands stay covered: as the caller
    /// to commit, as the other to select, as the caller to take its layer off.
    #[must_use]
    pub fn sealed_turn(&self) -> Option<(Seat, Sealed)> {
        let Phase::Comparing { caller, target } = self.game.phase() else { return None };
        let cards = self.playing()?;
        let covered = self.terms.rules.reveal != Reveal::Open;
        if !covered || !cards.is_readable(*caller) || !cards.is_readable(*target) {
            return None;
        }
        let who = if cards.sealed == Sealed::Committed { target } else { caller };
        Some((*who, cards.sealed))
    }
}

/// Whether three cards are three natural tens.
#[must_use]
pub fn are_tens(hand: [Card; HAND]) -> bool {
    hand.iter().all(|card| card.rank() == Some(Rank::Ten))
}

impl Work<'_> {
    fn check_basis(&self, basis: Basis) -> Result<(), Refusal> {
        if self.core.basis() == Some(basis) { Ok(()) } else { Err(Refusal::Stale) }
    }

    fn cards_mut(&mut self) -> Result<&mut Playing, Refusal> {
        match &mut self.core.stage {
            Stage::Playing { cards, .. } => Ok(cards),
            _ => Err(Refusal::Stale),
        }
    }

    fn sealed_turn(&self, seat: Seat, basis: Basis, step: Sealed) -> Result<(), Refusal> {
        self.check_basis(basis)?;
        match self.core.sealed_turn() {
            Some(turn) if turn == (seat, step) => Ok(()),
            Some((_, now)) if now != step => Err(Refusal::NotAsked),
            Some(_) => Err(Refusal::NotAsked),
            None => Err(Refusal::Stale),
        }
    }

    /// Checks the cards that a side shows to the other, where the house has it so.
    fn check_shown(
        &mut self,
        sides: &Sides,
        seat: Seat,
        basis: Basis,
        shown: &[u8],
    ) -> Result<(), Refusal> {
        if self.core.terms.rules.reveal != Reveal::Neighbours {
            return if shown.is_empty() { Ok(()) } else { Err(Refusal::Bounds("cards shown")) };
        }
        let (own, viewer) = if seat == sides.caller {
            (&sides.caller_cards, sides.target)
        } else {
            (&sides.target_cards, sides.caller)
        };
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let index = deal.plan.index_of(seat).ok_or(Refusal::NotAsked)?;
        let viewer = deal.plan.index_of(viewer).ok_or(Refusal::NotAsked)?;
        let recipient =
            deal.keys.verified_key(viewer).map_err(|e| Refusal::Proof(e.to_string()))?;
        self.verify_showing(index, own, &[recipient], basis.turn, shown, seat)
    }

    pub(super) fn verify_showing(
        &mut self,
        index: u8,
        own: &[Verified<OwnCard>],
        recipients: &[Verified<trinka_crypto::PublicKey>],
        step: u32,
        bytes: &[u8],
        seat: Seat,
    ) -> Result<(), Refusal> {
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let mut spoken_of = vec![step.to_be_bytes().to_vec(), vec![index]];
        for card in own {
            spoken_of.push(card.ciphertext().b.as_bytes().to_vec());
        }
        for key in recipients {
            spoken_of.push(key.element().as_bytes().to_vec());
        }
        let spoken_of = spoken_of.concat();
        let key = wire::hash("showing check", &[&deal.hash, &spoken_of, bytes]);
        let mut rng = self.checks.fork();
        let checked = self.checks.once(key, || {
            let showing = Showing::from_bytes(bytes, own.len(), recipients.len())
                .map_err(|e| Refusal::Proof(e.to_string()))?;
            showing::verify(&deal.keys, index, own, recipients, step, showing, &mut rng)
                .map(|s| Checked::Showing(Arc::new(s)))
                .map_err(|e| Refusal::Proof(e.to_string()))
        })?;
        let Checked::Showing(showing) = checked else { return Err(Refusal::Stale) };
        Arc::make_mut(&mut self.known.shows).insert(seat, (step, showing));
        Ok(())
    }

    /// The caller commits to its hand's level.
    pub(super) fn commit(
        &mut self,
        seat: Seat,
        basis: Basis,
        bytes: &[u8],
        shown: &[u8],
    ) -> Result<(), Refusal> {
        self.sealed_turn(seat, basis, Sealed::Begun)?;
        let sides = Sides::new(&self.core, &self.known, self.checks)?;
        self.check_shown(&sides, seat, basis, shown)?;
        let key = self.sealed_key("call check", basis, &[bytes]);
        let mut rng = self.checks.fork();
        let checked = self.checks.once(key, || {
            let call = Call::from_bytes(bytes, sides.statement.table())
                .map_err(|e| Refusal::Proof(e.to_string()))?;
            Onlooker::call(&sides.statement, call, &mut rng)
                .map(|o| Checked::Called(Arc::new(o)))
                .map_err(|e| Refusal::Proof(e.to_string()))
        })?;
        let Checked::Called(called) = checked else { return Err(Refusal::Stale) };
        self.known.called = Some((bytes.to_vec(), called));
        self.cards_mut()?.sealed = Sealed::Committed;
        Ok(())
    }

    /// The other side selects by its own level.
    pub(super) fn select(
        &mut self,
        seat: Seat,
        basis: Basis,
        bytes: &[u8],
        shown: &[u8],
    ) -> Result<(), Refusal> {
        self.sealed_turn(seat, basis, Sealed::Committed)?;
        let sides = Sides::new(&self.core, &self.known, self.checks)?;
        self.check_shown(&sides, seat, basis, shown)?;
        let (call, called) = self.known.called.clone().ok_or(Refusal::Stale)?;
        let key = self.sealed_key("selection check", basis, &[&call, bytes]);
        let mut rng = self.checks.fork();
        let checked = self.checks.once(key, || {
            let selection = Selection::from_bytes(bytes, sides.statement.table())
                .map_err(|e| Refusal::Proof(e.to_string()))?;
            (*called)
                .clone()
                .selection(selection, &mut rng)
                .map(|o| Checked::Selected(Arc::new(o)))
                .map_err(|e| Refusal::Proof(e.to_string()))
        })?;
        let Checked::Selected(selected) = checked else { return Err(Refusal::Stale) };
        self.known.selected = Some((bytes.to_vec(), selected));
        self.cards_mut()?.sealed = Sealed::Selected;
        Ok(())
    }

    /// The caller takes its layer off, and the result is there.
    pub(super) fn reveal(&mut self, seat: Seat, basis: Basis, bytes: &[u8]) -> Result<(), Refusal> {
        self.sealed_turn(seat, basis, Sealed::Selected)?;
        let (call, _) = self.known.called.clone().ok_or(Refusal::Stale)?;
        let (selection, selected) = self.known.selected.clone().ok_or(Refusal::Stale)?;
        let key = self.sealed_key("answer check", basis, &[&call, &selection, bytes]);
        let mut rng = self.checks.fork();
        let checked = self.checks.once(key, || {
            let answer = Answer::from_bytes(bytes).map_err(|e| Refusal::Proof(e.to_string()))?;
            (*selected)
                .clone()
                .answer(&answer, &mut rng)
                .map(Checked::Outcome)
                .map_err(|e| Refusal::Proof(e.to_string()))
        })?;
        let Checked::Outcome(outcome) = checked else { return Err(Refusal::Stale) };
        let result = match outcome {
            Outcome::CallerHigher => CompareResult::Caller,
            Outcome::Equal => CompareResult::Tie,
            Outcome::CallerLower | Outcome::CallerNotHigher => CompareResult::Target,
        };
        self.end_sealed()?;
        self.game(&GameInput::Outcome { result })
    }

    pub(super) fn end_sealed(&mut self) -> Result<(), Refusal> {
        self.known.called = None;
        self.known.selected = None;
        self.cards_mut()?.sealed = Sealed::Begun;
        Ok(())
    }

    fn sealed_key(&self, label: &str, basis: Basis, parts: &[&[u8]]) -> [u8; 32] {
        let deal = self.known.deal.as_ref().map_or([0; 32], |deal| deal.hash);
        let sides = match self.core.game.phase() {
            Phase::Comparing { caller, target } => [caller.0, target.0],
            _ => [u8::MAX; 2],
        };
        let turn = basis.turn.to_be_bytes();
        let mut all: Vec<&[u8]> = vec![&deal, &turn, &sides];
        all.extend(parts);
        wire::hash(label, &all)
    }

    /// Three tens are laid open: on the own turn, in answer to the question, or because the comparison is a
    /// redeal by itself.
    pub(super) fn lay_tens(
        &mut self,
        seat: Seat,
        basis: Basis,
        batch: &[u8],
    ) -> Result<(), Refusal> {
        self.check_basis(basis)?;
        let cards = self.core.playing().ok_or(Refusal::Stale)?;
        if !cards.is_readable(seat) {
            return Err(Refusal::Stale);
        }
        let input = match *self.core.game.phase() {
            Phase::Betting => GameInput::Move { seat, action: Action::Redeal },
            Phase::ThreeTens { .. } => GameInput::Move { seat, action: Action::Accept },
            Phase::Comparing { caller, target }
                if self.core.terms.rules.three_tens == ThreeTens::OnCompare
                    && (caller == seat || target == seat) =>
            {
                GameInput::Tens { holder: seat }
            }
            _ => return Err(Refusal::NotAsked),
        };
        // Refused before any card is looked at, where the rules refuse it.
        self.core.game.apply(&input)?;
        let places = cards.hands.get(&seat).copied().ok_or(Refusal::NotAsked)?;
        // A card that took the place of another comes first in the hand, from anywhere in the deck.
        let mut missing: Vec<u8> =
            places.iter().copied().filter(|place| !cards.is_given(*place, seat)).collect();
        missing.sort_unstable();
        if !missing.is_empty() {
            let verified = self.verify_batch(seat, &missing, batch)?;
            self.take_batch(seat, &missing, &verified);
        }
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let mut hand = Vec::with_capacity(HAND);
        for place in places {
            hand.push(self.open_card(&deal, place)?);
        }
        let hand: [Card; HAND] = hand.try_into().map_err(|_| Refusal::Bounds("hand"))?;
        if !are_tens(hand) {
            return Err(Refusal::Proof("these are not three tens".into()));
        }
        let cards = self.cards_mut()?;
        for (place, card) in places.iter().zip(hand) {
            cards.sights.insert(*place, Sight::All);
            cards.open.insert(*place, card);
        }
        self.events.push(Event::Shown { seat, cards: hand.to_vec(), to: Audience::ALL });
        if let Ok(s) = self.seat(seat) {
            s.missed = 0;
        }
        self.game(&input)
    }

    /// When both hands of a comparison lie open, the rules are told which is higher. True when they were.
    pub(super) fn compare_open(&mut self) -> Result<bool, Refusal> {
        let Phase::Comparing { caller, target } = *self.core.game.phase() else { return Ok(false) };
        if self.core.terms.rules.reveal != Reveal::Open {
            return Ok(false);
        }
        let Some(cards) = self.core.playing() else { return Ok(false) };
        let (Some(a), Some(b)) = (cards.open_hand(caller), cards.open_hand(target)) else {
            return Ok(false);
        };
        let rules = &self.core.terms.rules;
        if rules.three_tens == ThreeTens::OnCompare {
            for (holder, hand) in [(caller, a), (target, b)] {
                if are_tens(hand) {
                    self.game(&GameInput::Tens { holder })?;
                    return Ok(true);
                }
            }
        }
        let result = higher(rules, a, b)?;
        self.game(&GameInput::Outcome { result })?;
        Ok(true)
    }

    /// When all hands of a poor svara lie open, the best take its bank. True when they did.
    pub(super) fn showdown(&mut self) -> Result<bool, Refusal> {
        if *self.core.game.phase() != Phase::Showdown {
            return Ok(false);
        }
        let Some(cards) = self.core.playing() else { return Ok(false) };
        let mut levels = Vec::new();
        for seat in self.core.game.active() {
            let Some(hand) = cards.open_hand(seat) else { return Ok(false) };
            levels.push((rules::rank(&self.core.terms.rules, hand)?.level, seat));
        }
        let best = levels.iter().map(|(level, _)| *level).max();
        let seats =
            levels.iter().filter(|(l, _)| Some(*l) == best).map(|(_, seat)| *seat).collect();
        self.game(&GameInput::Best { seats })?;
        Ok(true)
    }
}

fn higher(
    rules: &HouseRules,
    caller: [Card; HAND],
    target: [Card; HAND],
) -> Result<CompareResult, Refusal> {
    let (a, b) = (rules::rank(rules, caller)?, rules::rank(rules, target)?);
    Ok(match a.level.cmp(&b.level) {
        std::cmp::Ordering::Greater => CompareResult::Caller,
        std::cmp::Ordering::Less => CompareResult::Target,
        std::cmp::Ordering::Equal => CompareResult::Tie,
    })
}
