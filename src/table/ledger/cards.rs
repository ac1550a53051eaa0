//! The cards of a deal that is played: where they lie, who is to see which, and whose layers are off.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::deal::{DealUse, HAND};
use super::{Core, Presence};
use crate::rules::{Card, Chips, Seat};
use crate::table::message::{Hash, Offer};

/// For whose eyes a card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Sight {
    /// For its holder's: all others give their shares.
    Holder,
    /// For everybody's: the holder gives its share too.
    All,
}

/// In which escrow a share lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Escrowed {
    /// Which escrow of its author in this deal: 0 is part of the deal itself.
    pub step: u32,
    /// Who was lost already when it was made, so that its layer is not on it.
    pub absent: BTreeSet<Seat>,
}

/// The layers of a lost participant, on their way out of escrow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovery {
    /// Which of its shares are wanted, by the holder of the cards.
    pub wanted: BTreeMap<Seat, Vec<u8>>,
    /// Who has opened its part.
    pub gave: BTreeSet<Seat>,
}

/// Shares that are to be escrowed anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renewal {
    /// Which renewal in this deal, from 1.
    pub step: u32,
    /// Who is lost.
    pub absent: BTreeSet<Seat>,
    /// Whose shares of which holders' cards; who has escrowed them is not among them any more.
    pub owed: BTreeMap<Seat, BTreeMap<Seat, Vec<u8>>>,
}

/// How far a comparison is in which nobody lays its hand open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sealed {
    /// Nothing has been said.
    Begun,
    /// The caller has committed to its level.
    Committed,
    /// The other has selected.
    Selected,
}

/// The cards of a deal that is played, or a talk about a hand before there are any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playing {
    /// The deal's number.
    pub deal: u64,
    /// The hash that every participant signed; zeros where no cards are out.
    pub hash: Hash,
    /// What they are for; nothing while antes are asked for and no cards are out.
    pub purpose: Option<DealUse>,
    /// Participants clockwise from the dealer's left; the place is the index in the deal.
    pub order: Vec<Seat>,
    /// Whose cards lie where in the deck.
    pub hands: BTreeMap<Seat, [u8; HAND]>,
    /// Places of the cards that nobody has, from the top.
    pub rest: Vec<u8>,
    /// Cards that are to be seen.
    pub sights: BTreeMap<u8, Sight>,
    /// Whose layers are off which card.
    pub given: BTreeMap<u8, BTreeSet<Seat>>,
    /// How many messages with shares each has given.
    pub answers: BTreeMap<Seat, u32>,
    /// Participants whose programs do not answer any more.
    pub lost: BTreeSet<Seat>,
    /// Where the shares lie in escrow: by author and place.
    pub escrowed: BTreeMap<Seat, BTreeMap<u8, Escrowed>>,
    /// Layers of lost participants that are being recovered.
    pub recoveries: BTreeMap<Seat, Recovery>,
    /// Escrows that are being made anew.
    pub renewal: Option<Renewal>,
    /// How many renewals there have been.
    pub renewals: u32,
    /// Cards that lie open.
    pub open: BTreeMap<u8, Card>,
    /// How many of the open cards the rules know, where a dealer is found by them one by one.
    pub fed: u8,
    /// Whether the rules know that all hold three cards.
    pub dealt: bool,
    /// Whose cards the dealer turns up before they are dealt, in that order.
    pub exposing: Vec<Seat>,
    /// Whose exposed card was replaced.
    pub replaced: BTreeSet<Seat>,
    /// Partners of pools who have named a key.
    pub recipients: BTreeSet<Seat>,
    /// Holders who have shown their hand to their partners.
    pub shown: BTreeSet<Seat>,
    /// How far the comparison is that goes on.
    pub sealed: Sealed,
    /// Counts the changes of the hand's state in this deal.
    pub turn: u32,
    /// Uses of the time bank in this turn.
    pub more_time: u32,
}

impl Playing {
    /// Nothing but a talk, by the number that its moves name.
    #[must_use]
    pub fn talk(deal: u64) -> Self {
        Playing {
            deal,
            hash: [0; 32],
            purpose: None,
            order: Vec::new(),
            hands: BTreeMap::new(),
            rest: Vec::new(),
            sights: BTreeMap::new(),
            given: BTreeMap::new(),
            answers: BTreeMap::new(),
            lost: BTreeSet::new(),
            escrowed: BTreeMap::new(),
            recoveries: BTreeMap::new(),
            renewal: None,
            renewals: 0,
            open: BTreeMap::new(),
            fed: 0,
            dealt: false,
            exposing: Vec::new(),
            replaced: BTreeSet::new(),
            recipients: BTreeSet::new(),
            shown: BTreeSet::new(),
            sealed: Sealed::Begun,
            turn: 0,
            more_time: 0,
        }
    }

    /// A finished deal of so many cards: one by one clockwise, three rounds.
    #[must_use]
    pub fn dealt(deal: u64, hash: Hash, purpose: DealUse, order: &[Seat], cards: u8) -> Self {
        let count = u8::try_from(order.len()).unwrap_or(u8::MAX);
        let hands: BTreeMap<Seat, [u8; HAND]> = match purpose {
            DealUse::Choice => BTreeMap::new(),
            DealUse::Hand => (0u8..)
                .zip(order)
                .map(|(i, seat)| {
                    let next = i.saturating_add(count);
                    (*seat, [i, next, next.saturating_add(count)])
                })
                .collect(),
        };
        let taken = if hands.is_empty() { 0 } else { count.saturating_mul(3) };
        let mut playing = Playing {
            hash,
            purpose: Some(purpose),
            order: order.to_vec(),
            rest: (taken..cards).collect(),
            hands,
            ..Playing::talk(deal)
        };
        if purpose == DealUse::Hand && order.len() > 2 {
            let in_deal = Escrowed { step: 0, absent: BTreeSet::new() };
            for giver in order {
                let places = playing.hands.iter().filter(|(holder, _)| *holder != giver);
                let places = places.flat_map(|(_, places)| *places);
                let escrowed = places.map(|place| (place, in_deal.clone())).collect();
                playing.escrowed.insert(*giver, escrowed);
            }
        }
        playing
    }

    /// Whose card lies at a place.
    #[must_use]
    pub fn holder(&self, place: u8) -> Option<Seat> {
        self.hands.iter().find(|(_, places)| places.contains(&place)).map(|(seat, _)| *seat)
    }

    /// Whether a participant's layer is off a card.
    #[must_use]
    pub fn is_given(&self, place: u8, giver: Seat) -> bool {
        self.given.get(&place).is_some_and(|givers| givers.contains(&giver))
    }

    /// Whether all layers but the holder's are off a card.
    #[must_use]
    pub fn is_bare(&self, place: u8) -> bool {
        let holder = self.holder(place);
        self.order.iter().all(|seat| Some(*seat) == holder || self.is_given(place, *seat))
    }

    /// Whether a holder can read its hand, and prove things of it.
    #[must_use]
    pub fn is_readable(&self, seat: Seat) -> bool {
        self.hands.get(&seat).is_some_and(|places| places.iter().all(|p| self.is_bare(*p)))
    }

    /// The hand of a seat, where it lies open.
    #[must_use]
    pub fn open_hand(&self, seat: Seat) -> Option<[Card; HAND]> {
        let places = self.hands.get(&seat)?;
        let cards: Vec<Card> = places.iter().filter_map(|p| self.open.get(p)).copied().collect();
        cards.try_into().ok()
    }

    /// The places of which a participant has to give its shares, ascending.
    #[must_use]
    pub fn shares_owed(&self, giver: Seat) -> Vec<u8> {
        if self.lost.contains(&giver) || !self.order.contains(&giver) {
            return Vec::new();
        }
        let wanted = self.sights.iter().filter(|(place, sight)| {
            !self.is_given(**place, giver)
                && (**sight == Sight::All || self.holder(**place) != Some(giver))
        });
        wanted.map(|(place, _)| *place).collect()
    }

    /// Who has to open something of a lost participant's escrow, and has not.
    #[must_use]
    pub fn openers(&self, lost: Seat) -> Vec<Seat> {
        let Some(recovery) = self.recoveries.get(&lost) else { return Vec::new() };
        let here = self.order.iter().filter(|seat| !self.lost.contains(seat));
        here.filter(|seat| {
            !recovery.gave.contains(seat) && recovery.wanted.keys().any(|holder| holder != *seat)
        })
        .copied()
        .collect()
    }

    /// Whether a card that all are to see is still covered.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.sights
            .iter()
            .any(|(place, sight)| *sight == Sight::All && !self.open.contains_key(place))
    }
}

/// A proposal that waits for answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its number, counted over the whole evening.
    pub number: u64,
    /// Who makes it.
    pub from: Seat,
    /// What.
    pub offer: Offer,
    /// Who has agreed.
    pub yes: BTreeSet<Seat>,
}

impl Proposal {
    /// Whose answers it waits for, the proposer's apart.
    #[must_use]
    pub fn asked(&self, core: &Core) -> Vec<Seat> {
        let all: Vec<Seat> = match &self.offer {
            Offer::Pool(parts) => parts.iter().map(|(seat, _): &(Seat, Chips)| *seat).collect(),
            Offer::Pact(with) => vec![*with],
            Offer::Rules(_) => core.voices().collect(),
            Offer::Divide => core.dividers().into_iter().collect(),
        };
        all.into_iter().filter(|seat| *seat != self.from && !self.yes.contains(seat)).collect()
    }
}

impl Core {
    /// A bank in play is divided otherwise only when all of these sign: who votes, and who has a part in it.
    pub(super) fn dividers(&self) -> BTreeSet<Seat> {
        self.electorate.iter().copied().chain(self.game.active()).collect()
    }

    /// Everybody who sits at the table: other rules need all of them.
    pub fn voices(&self) -> impl Iterator<Item = Seat> + '_ {
        let here = |presence| !matches!(presence, Presence::Left | Presence::Frozen);
        self.seats.iter().filter(move |(_, s)| here(s.presence)).map(|(seat, _)| *seat)
    }
}
