//! A hand from its proposal to its last comparison.

use std::collections::BTreeMap;
use std::sync::Arc;

use trinka_crypto::{Purpose, ShareBatch, Verified};

use super::apply::Work;
use super::checks::{look_purpose, open_purpose};
use super::{Deal, DealPlan, Playing, Presence, Refusal, Stage};
use crate::event::{Audience, Event};
use crate::rules::{self, Action, Card, CompareResult, Input as GameInput, Phase, Seat};
use crate::table::message::{Basis, Hash};
use crate::wire;

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
            self.seat(seat)?.presence = Presence::SittingOut;
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
        self.core.stage = Stage::Dealing { hand, deal: 0, order: Vec::new() };
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
        let Stage::Dealing { hand, deal: number, order } = &self.core.stage else {
            return Err(Refusal::Stale);
        };
        let cards = Playing {
            deal: *number,
            hash,
            owes: order.iter().copied().collect(),
            order: order.clone(),
            open: BTreeMap::new(),
            turn: 0,
            more_time: 0,
        };
        self.core.stage = Stage::Playing { hand: *hand, cards };
        self.shares.clear();
        if let Some(cutter) = plan.cutter() {
            self.events.push(Event::Cut { seat: cutter, at: u64::from(deal.cut) });
        }
        self.deal = Some(deal);
        self.game(&GameInput::Dealt)
    }

    pub(super) fn give_shares(
        &mut self,
        seat: Seat,
        number: u64,
        batch: &[u8],
    ) -> Result<(), Refusal> {
        let Stage::Playing { cards, .. } = &self.core.stage else { return Err(Refusal::Stale) };
        if cards.deal != number {
            return Err(Refusal::Stale);
        }
        if !cards.owes.contains(&seat) {
            return Err(Refusal::NotAsked);
        }
        let deal = self.deal.clone().ok_or(Refusal::Stale)?;
        let index = deal.plan.index_of(seat).ok_or(Refusal::NotAsked)?;
        let positions = deal.plan.others_positions(index);
        let verified = self.verify_batch(&deal, index, look_purpose(), &positions, batch)?;
        self.shares.insert(seat, verified);
        if let Stage::Playing { cards, .. } = &mut self.core.stage {
            cards.owes.remove(&seat);
        }
        Ok(())
    }

    pub(super) fn verify_batch(
        &mut self,
        deal: &Arc<Deal>,
        index: u8,
        purpose: Purpose,
        positions: &[usize],
        batch: &[u8],
    ) -> Result<Arc<Verified<ShareBatch>>, Refusal> {
        let what = [u8::from(purpose == look_purpose())];
        let key = wire::hash("share check", &[&deal.hash, &[index], &what, batch]);
        self.checks.share(key, || {
            let batch = ShareBatch::from_bytes(batch, positions.len())
                .map_err(|e| Refusal::Proof(e.to_string()))?;
            trinka_crypto::shares::verify(&deal.keys, index, purpose, &deal.deck, positions, batch)
                .map_err(|e| Refusal::Proof(e.to_string()))
        })
    }

    // ---- the play ----

    pub(super) fn on_turn(&self, seat: Seat, basis: Basis) -> Result<(), Refusal> {
        if self.core.basis() != Some(basis) {
            return Err(Refusal::Stale);
        }
        if let Stage::Playing { cards, .. } = &self.core.stage
            && !cards.owes.is_empty()
        {
            // Nobody plays before all have been given their cards.
            return Err(Refusal::Stale);
        }
        if self.core.game.turn() != Some(seat) {
            return Err(Refusal::NotAsked);
        }
        Ok(())
    }

    pub(super) fn play(&mut self, seat: Seat, basis: Basis, action: Action) -> Result<(), Refusal> {
        self.on_turn(seat, basis)?;
        self.game(&GameInput::Move { seat, action })?;
        self.seat(seat)?.missed = 0;
        Ok(())
    }

    pub(super) fn open_hand(
        &mut self,
        seat: Seat,
        basis: Basis,
        batch: &[u8],
    ) -> Result<(), Refusal> {
        if self.core.basis() != Some(basis) {
            return Err(Refusal::Stale);
        }
        if !self.core.owes_opening(seat) {
            return Err(Refusal::NotAsked);
        }
        let deal = self.deal.clone().ok_or(Refusal::Stale)?;
        let index = deal.plan.index_of(seat).ok_or(Refusal::NotAsked)?;
        let positions = deal.plan.positions(index);
        let own = self.verify_batch(&deal, index, open_purpose(), &positions, batch)?;
        let mut hand: Vec<Card> = Vec::with_capacity(super::deal::HAND);
        for position in positions {
            let mut layers = Vec::with_capacity(deal.plan.order.len());
            layers.extend(own.share(position));
            layers.extend(
                self.shares
                    .iter()
                    .filter(|(giver, _)| **giver != seat)
                    .filter_map(|(_, b)| b.share(position)),
            );
            let number = trinka_crypto::opening::open(&deal.keys, &deal.deck, position, &layers)
                .map_err(|e| Refusal::Proof(e.to_string()))?;
            let number = u8::try_from(number).map_err(|_| Refusal::Bounds("card"))?;
            hand.push(Deal::card(&self.core, number).ok_or(Refusal::Bounds("card"))?);
        }
        let hand: [Card; 3] = hand.try_into().map_err(|_| Refusal::Bounds("hand"))?;
        self.events.push(Event::Shown { seat, cards: hand.to_vec(), to: Audience::ALL });
        if let Stage::Playing { cards, .. } = &mut self.core.stage {
            cards.open.insert(seat, hand);
        }
        self.compare_open()
    }

    /// When both hands of a comparison lie open, the rules are told which is higher.
    pub(super) fn compare_open(&mut self) -> Result<(), Refusal> {
        let Phase::Comparing { caller, target } = *self.core.game.phase() else { return Ok(()) };
        let Stage::Playing { cards, .. } = &self.core.stage else { return Ok(()) };
        let (Some(a), Some(b)) = (cards.open.get(&caller), cards.open.get(&target)) else {
            return Ok(());
        };
        let (a, b) =
            (rules::rank(&self.core.terms.rules, *a)?, rules::rank(&self.core.terms.rules, *b)?);
        let result = match a.level.cmp(&b.level) {
            std::cmp::Ordering::Greater => CompareResult::Caller,
            std::cmp::Ordering::Less => CompareResult::Target,
            std::cmp::Ordering::Equal => CompareResult::Tie,
        };
        self.game(&GameInput::Outcome { result })
    }
}
