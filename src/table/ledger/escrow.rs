//! Layers of participants that were lost: recovered from escrow, and escrowed anew by the others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rand_core::CryptoRng;
use trinka_crypto::escrow::{self, EscrowMessage, Holding};
use trinka_crypto::{DealKeys, Deck, Share, ShareBatch, Verified};

use super::apply::Work;
use super::cards::{Escrowed, Playing, Recovery, Renewal};
use super::checks::Checked;
use super::{DealUse, Refusal, Stage};
use crate::event::{AgainReason, Event};
use crate::rules::{Input as GameInput, Seat};
use crate::wire;

/// A participant's shares in escrow, with their proof.
pub type VerifiedEscrow = Verified<EscrowMessage>;

/// Verifies an escrow of these places (by the holder's index), made without the lost ones.
pub(super) fn verify_escrow(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    index: u8,
    (places, lost): (&[(u8, Vec<usize>)], &[u8]),
    step: u32,
    bytes: &[u8],
    rng: &mut impl CryptoRng,
) -> Result<Arc<VerifiedEscrow>, Refusal> {
    let false_proof = |e: String| Refusal::Proof(e);
    let holdings = holdings(places);
    let cards = holdings.iter().map(|h| h.positions.len()).sum();
    let message = EscrowMessage::from_bytes(bytes, cards, holdings.len())
        .map_err(|e| false_proof(e.to_string()))?;
    escrow::verify(keys, index, deck, &holdings, lost, step, message, rng)
        .map(Arc::new)
        .map_err(|e| false_proof(e.to_string()))
}

/// Places by index as the proofs name them.
#[must_use]
pub fn holdings(places: &[(u8, Vec<usize>)]) -> Vec<Holding> {
    places
        .iter()
        .map(|(holder, positions)| Holding { holder: *holder, positions: positions.clone() })
        .collect()
}

impl Playing {
    /// The places that a participant has to escrow in the renewal that is going on, by the holder's seat.
    #[must_use]
    pub fn to_renew(&self, giver: Seat) -> Option<&BTreeMap<Seat, Vec<u8>>> {
        self.renewal.as_ref()?.owed.get(&giver)
    }

    /// The places of a lost participant's escrow that another one has to open, by the escrow's step.
    #[must_use]
    pub fn to_open(&self, lost: Seat, opener: Seat) -> BTreeMap<u32, Vec<u8>> {
        let mut places: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        let (Some(recovery), Some(escrowed)) =
            (self.recoveries.get(&lost), self.escrowed.get(&lost))
        else {
            return places;
        };
        for (holder, wanted) in &recovery.wanted {
            for place in wanted.iter().filter(|_| *holder != opener) {
                if let Some(at) = escrowed.get(place) {
                    places.entry(at.step).or_default().push(*place);
                }
            }
        }
        places
    }

    /// Which of a lost participant's shares are still needed: of active holders' cards, by the holder.
    fn wanted_of(&self, lost: Seat, active: &[Seat]) -> BTreeMap<Seat, Vec<u8>> {
        let mut wanted = BTreeMap::new();
        for holder in active.iter().filter(|holder| **holder != lost) {
            let Some(places) = self.hands.get(holder) else { continue };
            let missing: Vec<u8> =
                places.iter().filter(|place| !self.is_given(**place, lost)).copied().collect();
            if !missing.is_empty() {
                wanted.insert(*holder, missing);
            }
        }
        wanted
    }

    /// Whether what is wanted of a lost participant can be opened: all of it lies in escrow, and those who
    /// hold the keys to it are here.
    fn can_open(&self, lost: Seat, wanted: &BTreeMap<Seat, Vec<u8>>) -> bool {
        let gave = self.recoveries.get(&lost).map(|recovery| &recovery.gave);
        wanted.iter().all(|(holder, places)| {
            places.iter().all(|place| {
                let Some(at) = self.escrowed.get(&lost).and_then(|all| all.get(place)) else {
                    return false;
                };
                let mut trustees = self
                    .order
                    .iter()
                    .filter(|seat| **seat != lost && *seat != holder && !at.absent.contains(seat));
                trustees.all(|seat| {
                    !self.lost.contains(seat) || gave.is_some_and(|gave| gave.contains(seat))
                })
            })
        })
    }

    /// What everybody who is here has to escrow anew, so that the next loss can be borne as well.
    fn renewal_for(
        &self,
        active: &[Seat],
        only: Option<u8>,
    ) -> BTreeMap<Seat, BTreeMap<Seat, Vec<u8>>> {
        let here: Vec<Seat> =
            self.order.iter().filter(|seat| !self.lost.contains(seat)).copied().collect();
        let mut owed = BTreeMap::new();
        // Of two nobody is left to open it.
        if here.len() < 3 {
            return owed;
        }
        for giver in &here {
            let mut of_holders = self.wanted_of(*giver, active);
            if let Some(place) = only {
                for places in of_holders.values_mut() {
                    places.retain(|other| *other == place);
                }
                of_holders.retain(|_, places| !places.is_empty());
            }
            if !of_holders.is_empty() {
                owed.insert(*giver, of_holders);
            }
        }
        owed
    }
}

impl Work<'_> {
    /// A participant of the deal that is played was lost, and the rules know it: its layers come out of
    /// escrow, and the others escrow theirs anew. Where a layer is lost for good, new cards are dealt.
    pub(super) fn lose_layers(&mut self, seat: Seat) -> Result<(), Refusal> {
        let active = self.core.game.active();
        let Stage::Playing { hand, cards } = &mut self.core.stage else { return Ok(()) };
        let hand = *hand;
        if !cards.order.contains(&seat) || !cards.lost.insert(seat) {
            return Ok(());
        }
        let deal = cards.deal;
        // Nobody waits for the cards of who is out.
        let own = cards.hands.get(&seat).copied().unwrap_or_default();
        if cards.hands.contains_key(&seat) {
            cards.sights.retain(|place, _| !own.contains(place));
        }
        let gone = match cards.purpose {
            None => return Ok(()),
            Some(DealUse::Choice) => true,
            Some(DealUse::Hand) => {
                let wanted = cards.wanted_of(seat, &active);
                let earlier: Vec<Seat> = cards.recoveries.keys().copied().collect();
                let stuck = |lost: &Seat| !cards.can_open(*lost, &cards.wanted_of(*lost, &active));
                if earlier.iter().any(stuck) || !cards.can_open(seat, &wanted) {
                    true
                } else {
                    if !wanted.is_empty() {
                        let recovery = Recovery { wanted, gave: BTreeSet::new() };
                        cards.recoveries.insert(seat, recovery);
                    }
                    let owed = cards.renewal_for(&active, None);
                    renew(cards, owed);
                    false
                }
            }
        };
        if gone { self.deal_without(hand, deal) } else { Ok(()) }
    }

    /// A lost one's layer lies on cards that are needed, and nobody can take it off: others are dealt.
    pub(super) fn deal_without(&mut self, hand: u64, deal: u64) -> Result<(), Refusal> {
        self.events.push(Event::DealAgain { hand, deal, reason: AgainReason::LostLayer });
        self.game(&GameInput::LayerLost)?;
        Ok(())
    }

    /// A card took the place of another: everybody else escrows its share of that one too.
    pub(super) fn escrow_replacement(&mut self, place: u8) {
        let active = self.core.game.active();
        if let Stage::Playing { cards, .. } = &mut self.core.stage {
            let owed = cards.renewal_for(&active, Some(place));
            renew(cards, owed);
        }
    }

    pub(super) fn renew_escrow(
        &mut self,
        seat: Seat,
        number: u64,
        step: u32,
        bytes: &[u8],
    ) -> Result<(), Refusal> {
        let Stage::Playing { cards, .. } = &self.core.stage else { return Err(Refusal::Stale) };
        let open = cards.renewal.as_ref().filter(|r| r.step >= step);
        let renewal = open.filter(|_| cards.deal == number).ok_or(Refusal::Stale)?;
        let owed = renewal.owed.get(&seat).filter(|_| renewal.step == step);
        let owed = owed.ok_or(Refusal::NotAsked)?.clone();
        let absent = renewal.absent.clone();
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let index = deal.plan.index_of(seat).ok_or(Refusal::NotAsked)?;
        let places = by_index(&deal.plan, &owed);
        let lost: Vec<u8> = absent.iter().filter_map(|s| deal.plan.index_of(*s)).collect();
        let key =
            wire::hash("escrow check", &[&deal.hash, &[index], &step.to_be_bytes(), &lost, bytes]);
        let mut rng = self.checks.fork();
        let checked = self.checks.once(key, || {
            verify_escrow(&deal.keys, &deal.deck, index, (&places, &lost), step, bytes, &mut rng)
                .map(Checked::Escrow)
        })?;
        let Checked::Escrow(escrow) = checked else { return Err(Refusal::Stale) };
        Arc::make_mut(&mut self.known.escrows).insert((seat, step), escrow);
        if let Stage::Playing { cards, .. } = &mut self.core.stage {
            let all = cards.escrowed.entry(seat).or_default();
            for place in owed.values().flatten() {
                all.insert(*place, Escrowed { step, absent: absent.clone() });
            }
            if let Some(renewal) = &mut cards.renewal {
                renewal.owed.remove(&seat);
                if renewal.owed.is_empty() {
                    cards.renewal = None;
                }
            }
        }
        Ok(())
    }

    pub(super) fn recover(
        &mut self,
        seat: Seat,
        number: u64,
        lost: Seat,
        bytes: &[u8],
    ) -> Result<(), Refusal> {
        let Stage::Playing { cards, .. } = &self.core.stage else { return Err(Refusal::Stale) };
        if cards.deal != number || !cards.recoveries.contains_key(&lost) {
            return Err(Refusal::Stale);
        }
        if !cards.openers(lost).contains(&seat) {
            return Err(Refusal::NotAsked);
        }
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let index = deal.plan.index_of(seat).ok_or(Refusal::NotAsked)?;
        let mut rest = bytes;
        let mut batches = Vec::new();
        for (step, places) in cards.to_open(lost, seat) {
            let escrow = self.known.escrow(lost, step).cloned().ok_or(Refusal::Stale)?;
            let positions: Vec<usize> = places.iter().map(|p| usize::from(*p)).collect();
            let (head, tail) = rest
                .split_at_checked(ShareBatch::bytes(positions.len()))
                .ok_or_else(|| Refusal::Proof("too short".into()))?;
            rest = tail;
            let key = wire::hash(
                "recovery check",
                &[&deal.hash, &[index, lost.0], &step.to_be_bytes(), &places, head],
            );
            let checked = self.checks.once(key, || {
                let batch = ShareBatch::from_bytes(head, positions.len())
                    .map_err(|e| Refusal::Proof(e.to_string()))?;
                escrow::take(&deal.keys, index, &escrow, &positions, batch)
                    .map(|b| Checked::Shares(Arc::new(b)))
                    .map_err(|e| Refusal::Proof(e.to_string()))
            })?;
            let Checked::Shares(batch) = checked else { return Err(Refusal::Stale) };
            batches.push(batch);
        }
        if !rest.is_empty() {
            return Err(Refusal::Proof("trailing bytes".into()));
        }
        Arc::make_mut(&mut self.known.opened).insert((lost, seat), batches);
        if let Stage::Playing { cards, .. } = &mut self.core.stage
            && let Some(recovery) = cards.recoveries.get_mut(&lost)
        {
            recovery.gave.insert(seat);
            if cards.openers(lost).is_empty() {
                self.recovered(lost)?;
            }
        }
        Ok(())
    }

    /// Everybody has opened its part: the lost participant's shares are there as if it had given them.
    fn recovered(&mut self, lost: Seat) -> Result<(), Refusal> {
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let Stage::Playing { cards, .. } = &mut self.core.stage else { return Ok(()) };
        let Some(recovery) = cards.recoveries.remove(&lost) else { return Ok(()) };
        let known = self.known.shares.clone();
        let mut shares = (*known).clone();
        for (holder, places) in &recovery.wanted {
            for place in places {
                let at = cards.escrowed.get(&lost).and_then(|all| all.get(place));
                let escrow = at.and_then(|at| self.known.escrow(lost, at.step));
                let escrow = escrow.ok_or(Refusal::Stale)?;
                let of_trustees: Vec<Verified<Share>> = self
                    .known
                    .opened
                    .iter()
                    .filter(|((of, trustee), _)| *of == lost && trustee != holder)
                    .flat_map(|(_, batches)| batches)
                    .filter_map(|batch| batch.share(usize::from(*place)))
                    .collect();
                // Of the cards of who is out by now a part may be missing: nobody needs them.
                let opened = escrow::open(&deal.keys, escrow, usize::from(*place), &of_trustees);
                let Ok(share) = opened else { continue };
                shares.insert((*place, lost), share);
                cards.given.entry(*place).or_default().insert(lost);
            }
        }
        self.known.shares = Arc::new(shares);
        Ok(())
    }
}

/// Begins a renewal, in place of one that may be going on.
fn renew(cards: &mut Playing, mut owed: BTreeMap<Seat, BTreeMap<Seat, Vec<u8>>>) {
    // What the one before asked for and did not get is asked for as well.
    if let Some(before) = cards.renewal.take() {
        for (giver, places) in before.owed {
            if cards.lost.contains(&giver) || !owed.contains_key(&giver) {
                continue;
            }
            let all = owed.entry(giver).or_default();
            for (holder, places) in places {
                let of_holder = all.entry(holder).or_default();
                of_holder.extend(places);
                of_holder.sort_unstable();
                of_holder.dedup();
            }
        }
    }
    if owed.is_empty() {
        return;
    }
    cards.renewals = cards.renewals.saturating_add(1);
    let (step, absent) = (cards.renewals, cards.lost.clone());
    cards.renewal = Some(Renewal { step, absent, owed });
}

/// Places by the holder's index, as the proofs name them.
#[must_use]
pub fn by_index(plan: &super::DealPlan, owed: &BTreeMap<Seat, Vec<u8>>) -> Vec<(u8, Vec<usize>)> {
    let mut places: Vec<(u8, Vec<usize>)> = owed
        .iter()
        .filter_map(|(holder, places)| {
            let places = places.iter().map(|p| usize::from(*p)).collect();
            Some((plan.index_of(*holder)?, places))
        })
        .collect();
    places.sort();
    places
}
