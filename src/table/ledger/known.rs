//! What was verified of the deal that is played: derived from the messages of the log, and not hashed.

use std::collections::BTreeMap;
use std::sync::Arc;

use trinka_crypto::opening::OwnCard;
use trinka_crypto::sealed::{Called, Onlooker, Selected};
use trinka_crypto::showing::Showing;
use trinka_crypto::{PublicKey as HandKey, Share, ShareBatch, Verified, opening};

use super::cards::Playing;
use super::deal::{Deal, HAND};
use super::escrow::VerifiedEscrow;
use super::{Core, State};
use crate::rules::Seat;
use crate::table::limits;
use crate::table::message::Hash;

/// What trustees opened of what lost ones escrowed, by the lost one and the trustee.
type Opened = BTreeMap<(Seat, Seat), Vec<Arc<Verified<ShareBatch>>>>;

/// Cards shown, and the step of the proof, by whose they are.
type Shows = BTreeMap<Seat, (u32, Arc<Verified<Showing>>)>;

/// Decks, shares and proofs of the deal that is played. Cheap to clone.
#[derive(Clone, Default)]
pub struct Known {
    /// The deal.
    pub deal: Option<Arc<Deal>>,
    pub(super) shares: Arc<BTreeMap<(u8, Seat), Verified<Share>>>,
    pub(super) escrows: Arc<BTreeMap<(Seat, u32), Arc<VerifiedEscrow>>>,
    pub(super) opened: Arc<Opened>,
    pub(super) called: Option<(Vec<u8>, Arc<Onlooker<Called>>)>,
    pub(super) selected: Option<(Vec<u8>, Arc<Onlooker<Selected>>)>,
    pub(super) recipients: Arc<BTreeMap<Seat, Verified<HandKey>>>,
    pub(super) shows: Arc<Shows>,
    /// The states of the hand in which a program owed a proof, oldest first: a false one is proved by them
    /// after its step was answered as well. With the hand they are forgotten.
    pub(super) past: Arc<Vec<Arc<State>>>,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Known")
            .field("deal", &self.deal)
            .field("shares", &self.shares.len())
            .finish_non_exhaustive()
    }
}

impl Known {
    /// With a finished deal, of which nothing is open yet.
    #[must_use]
    pub fn of(deal: Arc<Deal>) -> Self {
        let order = deal.plan.order.iter().map(|(seat, _)| *seat);
        let escrows = order.zip(&deal.escrows).map(|(seat, e)| ((seat, 0), e.clone())).collect();
        Known { escrows: Arc::new(escrows), deal: Some(deal), ..Known::default() }
    }

    /// Remembers a state that an entry has led to, for as long as its hand is played.
    pub(super) fn remember(&mut self, core: &Core, hash: Hash, before: &Known) {
        let same = before.past.last().is_some_and(|state| state.core.hand() == core.hand());
        self.past = if same { before.past.clone() } else { Arc::default() };
        if !core.owed().iter().any(|owed| owed.step.is_proof()) {
            return;
        }
        let known = Known { past: Arc::default(), ..self.clone() };
        let past = Arc::make_mut(&mut self.past);
        if past.len() >= limits::PAST_STEPS {
            past.remove(0);
        }
        past.push(Arc::new(State { core: core.clone(), hash, known }));
    }

    /// The shares of a card that are known, by giver.
    pub fn shares_of(&self, place: u8) -> impl Iterator<Item = (Seat, Verified<Share>)> {
        self.shares
            .range((place, Seat(0))..=(place, Seat(u8::MAX)))
            .map(|((_, giver), share)| (*giver, *share))
    }

    /// Everybody's shares of a holder's card but its own.
    #[must_use]
    pub fn others_shares(&self, place: u8, holder: Seat) -> Vec<Verified<Share>> {
        self.shares_of(place).filter(|(giver, _)| *giver != holder).map(|(_, s)| s).collect()
    }

    /// The cards of a holder with nothing but its own layer on, once all others' shares are known.
    #[must_use]
    pub fn own_cards(&self, cards: &Playing, holder: Seat) -> Option<[Verified<OwnCard>; HAND]> {
        let deal = self.deal.as_ref()?;
        let index = deal.plan.index_of(holder)?;
        let own = |place: &u8| {
            let others = self.others_shares(*place, holder);
            opening::own(&deal.keys, &deal.deck, usize::from(*place), &others, index).ok()
        };
        let own: Vec<_> = cards.hands.get(&holder)?.iter().filter_map(own).collect();
        own.try_into().ok()
    }

    /// The escrow of a participant's shares, by its step.
    #[must_use]
    pub fn escrow(&self, giver: Seat, step: u32) -> Option<&Arc<VerifiedEscrow>> {
        self.escrows.get(&(giver, step))
    }

    /// What the caller of a comparison has committed to, encoded.
    #[must_use]
    pub fn called(&self) -> Option<&[u8]> {
        self.called.as_ref().map(|(bytes, _)| bytes.as_slice())
    }

    /// What the other side has selected, encoded.
    #[must_use]
    pub fn selected(&self) -> Option<&[u8]> {
        self.selected.as_ref().map(|(bytes, _)| bytes.as_slice())
    }

    /// The keys under which partners of pools are shown cards, by seat.
    #[must_use]
    pub fn recipients(&self) -> &BTreeMap<Seat, Verified<HandKey>> {
        &self.recipients
    }

    /// What a seat has shown last, and the proof's step: to the other side of the comparison, or to the
    /// partners of its pool.
    #[must_use]
    pub fn shown_by(&self, seat: Seat) -> Option<(u32, &Arc<Verified<Showing>>)> {
        self.shows.get(&seat).map(|(step, shown)| (*step, shown))
    }
}
