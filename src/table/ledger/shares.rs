//! Decryption shares: who owes which, and what comes to light by them.

use std::collections::BTreeSet;
use std::sync::Arc;

use trinka_crypto::{Purpose, Reason, Recipient, ShareBatch, Verified, opening};

use super::apply::Work;
use super::cards::Sight;
use super::checks::Checked;
use super::{Deal, DealUse, Refusal, Stage};
use crate::event::{Audience, Event};
use crate::rules::{Card, FirstDealer, Phase, Reveal, Seat};
use crate::wire;

/// The purpose of all shares of a deal: which cards are meant, and whose layers, stands in the statement.
#[must_use]
pub fn share_purpose() -> Purpose {
    Purpose { recipient: Recipient::Everyone, reason: Reason::Look, step: 0 }
}

impl Work<'_> {
    pub(super) fn give_shares(
        &mut self,
        seat: Seat,
        (number, round): (u64, u32),
        positions: &[u8],
        batch: &[u8],
    ) -> Result<(), Refusal> {
        let Stage::Playing { cards, .. } = &self.core.stage else { return Err(Refusal::Stale) };
        let given = cards.answers.get(&seat).copied().unwrap_or(0);
        if cards.deal != number || round > given {
            return Err(Refusal::Stale);
        }
        if round < given {
            return Err(Refusal::NotAsked);
        }
        let ascending = positions.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
        if positions.is_empty() || !ascending {
            return Err(Refusal::Bounds("places"));
        }
        if positions.iter().any(|place| cards.is_given(*place, seat)) || cards.lost.contains(&seat)
        {
            return Err(Refusal::NotAsked);
        }
        let owed = cards.shares_owed(seat);
        if !positions.iter().all(|place| owed.contains(place)) {
            // The entry by which they came to be seen may not be here yet.
            return Err(Refusal::Stale);
        }
        let verified = self.verify_batch(seat, positions, batch)?;
        self.take_batch(seat, positions, &verified);
        if let Stage::Playing { cards, .. } = &mut self.core.stage {
            let answers = cards.answers.entry(seat).or_default();
            *answers = answers.saturating_add(1);
        }
        Ok(())
    }

    pub(super) fn verify_batch(
        &mut self,
        seat: Seat,
        places: &[u8],
        batch: &[u8],
    ) -> Result<Arc<Verified<ShareBatch>>, Refusal> {
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let index = deal.plan.index_of(seat).ok_or(Refusal::NotAsked)?;
        let key = wire::hash("share check", &[&deal.hash, &[index], places, batch]);
        let positions: Vec<usize> = places.iter().map(|place| usize::from(*place)).collect();
        let checked = self.checks.once(key, || {
            let batch = ShareBatch::from_bytes(batch, positions.len())
                .map_err(|e| Refusal::Proof(e.to_string()))?;
            let (keys, deck) = (&deal.keys, &deal.deck);
            trinka_crypto::shares::verify(keys, index, share_purpose(), deck, &positions, batch)
                .map(|b| Checked::Shares(Arc::new(b)))
                .map_err(|e| Refusal::Proof(e.to_string()))
        })?;
        match checked {
            Checked::Shares(batch) => Ok(batch),
            _ => Err(Refusal::Stale),
        }
    }

    pub(super) fn take_batch(&mut self, seat: Seat, places: &[u8], batch: &Verified<ShareBatch>) {
        let shares = Arc::make_mut(&mut self.known.shares);
        for place in places {
            if let Some(share) = batch.share(usize::from(*place)) {
                shares.insert((*place, seat), share);
            }
        }
        if let Stage::Playing { cards, .. } = &mut self.core.stage {
            for place in places {
                cards.given.entry(*place).or_default().insert(seat);
            }
        }
    }

    /// Cards come to be seen as the rules have it: hands by their holders once they look, and what is
    /// opened to all.
    pub(super) fn show_cards(&mut self) {
        let game = self.core.game.clone();
        let reveal = game.rules().reveal;
        let Stage::Playing { cards, .. } = &mut self.core.stage else { return };
        let mut wanted: Vec<(u8, Sight)> = Vec::new();
        let mut see = |place: u8, sight: Sight| wanted.push((place, sight));
        match cards.purpose {
            None => {}
            Some(DealUse::Choice) => {
                for (_, place) in game.cards_to_open() {
                    see(place, Sight::All);
                }
                let one_by_one =
                    matches!(game.choice_method(), Some(FirstDealer::Count | FirstDealer::Random));
                if one_by_one {
                    see(cards.fed, Sight::All);
                }
            }
            Some(DealUse::Hand) => {
                let exposed = game.exposed();
                let hands = cards.hands.clone();
                for (seat, places) in &hands {
                    let compared = match game.phase() {
                        Phase::Comparing { caller, target } => (caller == seat || target == seat)
                            .then_some(match reveal {
                                Reveal::Open => Sight::All,
                                _ => Sight::Holder,
                            }),
                        Phase::ThreeTens { caller, target } => {
                            (caller == seat || target == seat).then_some(Sight::Holder)
                        }
                        Phase::Showdown if game.is_active(*seat) => Some(Sight::All),
                        _ => None,
                    };
                    let own = (cards.dealt && game.may_see(*seat, *seat)).then_some(Sight::Holder);
                    for sight in compared.into_iter().chain(own) {
                        for place in places {
                            see(*place, sight);
                        }
                    }
                }
                cards.sights.retain(|place, sight| {
                    let holder = hands.iter().find(|(_, places)| places.contains(place));
                    *sight == Sight::All || holder.is_none_or(|(seat, _)| game.is_active(*seat))
                });
                for seat in exposed {
                    // A card that was replaced stays where it was laid open.
                    let first = hands.get(&seat).and_then(|places| places.first());
                    if let Some(place) = first
                        && !cards.replaced.contains(&seat)
                        && game.is_active(seat)
                    {
                        see(*place, Sight::All);
                    }
                }
            }
        }
        for (place, sight) in wanted {
            let now = cards.sights.entry(place).or_insert(sight);
            *now = (*now).max(sight);
        }
    }

    /// Opens every card whose last layer is off. True when there was one.
    pub(super) fn open_cards(&mut self) -> Result<bool, Refusal> {
        let Some(deal) = self.known.deal.clone() else { return Ok(false) };
        let Stage::Playing { cards, .. } = &self.core.stage else { return Ok(false) };
        let order: BTreeSet<Seat> = cards.order.iter().copied().collect();
        let bare: Vec<u8> = cards
            .sights
            .iter()
            .filter(|(place, sight)| **sight == Sight::All && !cards.open.contains_key(place))
            .filter(|(place, _)| order.iter().all(|seat| cards.is_given(**place, *seat)))
            .map(|(place, _)| *place)
            .collect();
        let mut fresh = Vec::new();
        for place in bare {
            fresh.push((place, self.open_card(&deal, place)?));
        }
        let Stage::Playing { cards, .. } = &mut self.core.stage else { return Ok(false) };
        let before: Vec<Seat> =
            cards.hands.keys().copied().filter(|s| cards.open_hand(*s).is_some()).collect();
        cards.open.extend(fresh.iter().copied());
        let mut told = Vec::new();
        for (place, card) in &fresh {
            let Some(seat) = cards.holder(*place) else { continue };
            if self.core.game.exposed().contains(&seat)
                && cards.hands.get(&seat).and_then(|places| places.first()) == Some(place)
                && cards.open_hand(seat).is_none()
            {
                told.push(Event::Exposed { seat, card: *card });
            }
        }
        for seat in cards.hands.keys().filter(|seat| !before.contains(seat)) {
            if let Some(hand) = cards.open_hand(*seat) {
                told.push(Event::Shown { seat: *seat, cards: hand.to_vec(), to: Audience::ALL });
            }
        }
        self.events.extend(told);
        Ok(!fresh.is_empty())
    }

    pub(super) fn open_card(&self, deal: &Deal, place: u8) -> Result<Card, Refusal> {
        let layers: Vec<_> = self.known.shares_of(place).map(|(_, share)| share).collect();
        let number = opening::open(&deal.keys, &deal.deck, usize::from(place), &layers)
            .map_err(|e| Refusal::Proof(e.to_string()))?;
        let number = u8::try_from(number).map_err(|_| Refusal::Bounds("card"))?;
        Deal::card(&self.core, number).ok_or(Refusal::Bounds("card"))
    }
}
