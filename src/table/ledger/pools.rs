//! Pools: the partners, who are not dealt in, are shown the cards with proof (crypto.md S5).

use std::sync::Arc;

use trinka_crypto::{KeyMessage, PublicKey as HandKey, Verified};

use super::apply::Work;
use super::cards::Playing;
use super::checks::Checked;
use super::{Core, Refusal, Stage};
use crate::rules::Seat;
use crate::wire;

/// The step of the proof by which a holder shows its hand to its partners; comparisons have their turn's.
const SHOW_STEP: u32 = u32::MAX;

impl Core {
    /// The partners of all pools whose hand is still in, ascending; each holder has its own.
    #[must_use]
    pub fn partners(&self) -> Vec<(Seat, Seat)> {
        let pools = self.game.pools();
        let mut all: Vec<(Seat, Seat)> = pools
            .iter()
            .flat_map(|(holder, parts)| {
                parts.keys().filter(move |seat| *seat != holder).map(|seat| (*seat, *holder))
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// The partners who have to name a key under which they are shown the cards.
    #[must_use]
    pub fn keys_wanted(&self, cards: &Playing) -> Vec<Seat> {
        if !cards.dealt {
            return Vec::new();
        }
        let partners = self.partners().into_iter().map(|(seat, _)| seat);
        partners.filter(|seat| self.can_watch(*seat) && !cards.recipients.contains(seat)).collect()
    }

    fn can_watch(&self, seat: Seat) -> bool {
        self.seats.get(&seat).is_some_and(|s| s.presence.is_here())
    }

    /// Holders who have to show their hand to their partners now, with those partners.
    #[must_use]
    pub fn shows_wanted(&self, cards: &Playing) -> Vec<(Seat, Vec<Seat>)> {
        if !self.keys_wanted(cards).is_empty() {
            return Vec::new();
        }
        let holders = self.game.pools().into_keys().filter(|holder| {
            cards.is_readable(*holder)
                && self.game.may_see(*holder, *holder)
                && !cards.shown.contains(holder)
        });
        holders
            .map(|holder| {
                let partners = self.partners().into_iter().filter(|(_, of)| *of == holder);
                let watching = partners.map(|(seat, _)| seat);
                (holder, watching.filter(|seat| cards.recipients.contains(seat)).collect())
            })
            .filter(|(_, partners): &(Seat, Vec<Seat>)| !partners.is_empty())
            .collect()
    }

    /// The number under which a partner, who is no participant, proves and uses its key: beyond all participants,
    /// and the same whoever sits down meanwhile.
    #[must_use]
    pub fn recipient_number(&self, seat: Seat, participants: usize) -> Option<u8> {
        u8::try_from(participants).ok()?.checked_add(seat.0)
    }

    /// The step of the proof by which a holder shows its hand to its partners.
    #[must_use]
    pub fn show_step() -> u32 {
        SHOW_STEP
    }
}

impl Work<'_> {
    pub(super) fn name_key(
        &mut self,
        seat: Seat,
        number: u64,
        bytes: &[u8],
    ) -> Result<(), Refusal> {
        let cards = self.core.playing().filter(|c| c.deal == number).ok_or(Refusal::Stale)?;
        if !self.core.keys_wanted(cards).contains(&seat) {
            return if cards.dealt { Err(Refusal::NotAsked) } else { Err(Refusal::Stale) };
        }
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let index = self.core.recipient_number(seat, deal.plan.order.len());
        let index = index.ok_or(Refusal::Bounds("seat"))?;
        let key = wire::hash("recipient check", &[&deal.hash, &[index], bytes]);
        let checked = self.checks.once(key, || {
            let message =
                KeyMessage::from_bytes(bytes).map_err(|e| Refusal::Proof(e.to_string()))?;
            trinka_crypto::keys::verify(&deal.plan.id, index, &message)
                .map(|key| Checked::Recipient(Arc::new(key)))
                .map_err(|e| Refusal::Proof(e.to_string()))
        })?;
        let Checked::Recipient(recipient) = checked else { return Err(Refusal::Stale) };
        Arc::make_mut(&mut self.known.recipients).insert(seat, *recipient);
        if let Stage::Playing { cards, .. } = &mut self.core.stage {
            cards.recipients.insert(seat);
        }
        Ok(())
    }

    pub(super) fn show_partners(
        &mut self,
        seat: Seat,
        number: u64,
        to: &[Seat],
        bytes: &[u8],
    ) -> Result<(), Refusal> {
        let cards = self.core.playing().filter(|c| c.deal == number).ok_or(Refusal::Stale)?;
        let wanted = self.core.shows_wanted(cards).into_iter().find(|(holder, _)| *holder == seat);
        let Some((_, partners)) = wanted else {
            return if cards.shown.contains(&seat) {
                Err(Refusal::NotAsked)
            } else {
                Err(Refusal::Stale)
            };
        };
        if to != partners {
            // It was said for others than those who are there now: no fault of its author.
            return Err(Refusal::Stale);
        }
        let own = self.known.own_cards(cards, seat).ok_or(Refusal::Stale)?;
        let deal = self.known.deal.clone().ok_or(Refusal::Stale)?;
        let index = deal.plan.index_of(seat).ok_or(Refusal::NotAsked)?;
        let keys: Vec<Verified<HandKey>> =
            partners.iter().filter_map(|s| self.known.recipients.get(s)).copied().collect();
        self.verify_showing(index, &own, &keys, SHOW_STEP, bytes, seat)?;
        if let Stage::Playing { cards, .. } = &mut self.core.stage {
            cards.shown.insert(seat);
        }
        Ok(())
    }
}
