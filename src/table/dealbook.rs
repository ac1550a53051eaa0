//! The messages of one deal attempt as they come in: keys, shuffles, the cut, escrows, and the signatures on
//! the finished deal. Each is verified as soon as what it builds on is there; what comes too early waits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trinka_crypto::{DealKeys, Deck, PublicKey as HandKey, Verified};

use super::ledger::{Checked, Checks, Deal, DealError, DealPlan, VerifiedEscrow};
use super::limits;
use super::message::{Body, DealPart, Hash, Payload, Proof, Signed, StepId};
use crate::rules::Seat;
use crate::wire;

/// How far somebody is with a deal: which messages it holds. Told in heartbeats, so that others send what
/// is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealProgress {
    /// The deal attempt.
    pub deal: Hash,
    /// Seats whose key is held.
    pub keys: Vec<Seat>,
    /// Shuffles held, counted from the first.
    pub shuffles: u8,
    /// Whether the cut is held.
    pub cut: bool,
    /// Seats whose escrow is held.
    pub escrows: Vec<Seat>,
    /// Seats whose signature on the finished deal is held.
    pub finals: Vec<Seat>,
}

/// What a seat has to do next in a deal.
#[derive(Clone)]
pub enum Todo {
    /// Make a hand key.
    Key,
    /// Shuffle this deck; the message names the hash.
    Shuffle {
        /// The message before.
        after: Hash,
        /// Which shuffle of the deal, from 0.
        step: u32,
        /// The deck to shuffle.
        deck: Box<Verified<Deck>>,
        /// The joint keys.
        keys: DealKeys,
    },
    /// Cut; the message names the hash of the last shuffle.
    Cut {
        /// The message before.
        after: Hash,
    },
    /// Escrow the shares of everybody else's cards; the message names the hash of the cut.
    Escrow {
        /// The message before.
        after: Hash,
        /// The cut deck.
        deck: Box<Verified<Deck>>,
        /// The joint keys.
        keys: DealKeys,
    },
    /// Sign the finished deal.
    Final {
        /// Its hash.
        hash: Hash,
    },
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offered {
    /// New and good, with everything that it released.
    New,
    /// Known already.
    Known,
    /// Kept until what it builds on is here.
    Early,
    /// A second, different message for a place: the first is returned. Its author cheats.
    Twice(Box<Signed>),
    /// Not for this deal.
    Foreign,
}

/// One attempt.
pub struct DealBook {
    /// What the log determines.
    pub plan: DealPlan,
    keys: BTreeMap<u8, (Signed, Verified<HandKey>)>,
    joint: Option<DealKeys>,
    shuffles: Vec<(Signed, Verified<Deck>)>,
    after: Hash,
    cut: Option<(Signed, u8, Verified<Deck>)>,
    escrows: BTreeMap<u8, (Signed, Arc<VerifiedEscrow>)>,
    deal: Option<Arc<Deal>>,
    finals: BTreeMap<Seat, Signed>,
    early: Vec<(Signed, Body)>,
    /// Something came that builds on other messages than those held: nothing yet, to be told, told.
    conflict: Option<bool>,
    /// Seats of whom a false message is held, with why.
    pub false_parts: BTreeMap<Seat, String>,
    /// What proves that they are false, for the log.
    pub proofs: Vec<Proof>,
    /// When the step that is open now began, milliseconds.
    pub since: u64,
    /// When the attempt began, milliseconds.
    pub began: u64,
    /// Shuffles verified since the last call, with the time each took, for the screens.
    pub fresh_shuffles: Vec<(Seat, u64)>,
}

impl DealBook {
    /// Begins an attempt at a time in milliseconds.
    #[must_use]
    pub fn new(plan: DealPlan, now: u64) -> Self {
        DealBook {
            plan,
            keys: BTreeMap::new(),
            joint: None,
            shuffles: Vec::new(),
            after: [0; 32],
            cut: None,
            escrows: BTreeMap::new(),
            deal: None,
            finals: BTreeMap::new(),
            early: Vec::new(),
            conflict: None,
            false_parts: BTreeMap::new(),
            proofs: Vec::new(),
            since: now,
            began: now,
            fresh_shuffles: Vec::new(),
        }
    }

    /// The finished deal.
    #[must_use]
    pub fn deal(&self) -> Option<&Arc<Deal>> {
        self.deal.as_ref()
    }

    /// The signatures on the finished deal, where all are here and on one hash.
    #[must_use]
    pub fn complete(&self) -> Option<Vec<Signed>> {
        self.deal.as_ref()?;
        (self.finals.len() == self.plan.order.len())
            .then(|| self.finals.values().cloned().collect())
    }

    /// Takes a message of the deal whose signature was checked.
    ///
    /// # Errors
    /// [`DealError::False`]: the message is its author's fault (and the author is remembered).
    pub fn offer(
        &mut self,
        now: u64,
        message: &Signed,
        body: &Body,
        checks: &mut Checks,
    ) -> Result<Offered, DealError> {
        let result = self.take(now, message, body, checks);
        if let Err(DealError::False { seat, part, why }) = &result {
            self.is_false(*seat, *part, why.clone(), message);
        }
        if result == Ok(Offered::New) {
            self.release(now, checks);
        }
        result
    }

    /// Keeps what proves that some keys were made together: all keys of the deal, and once more that of the accused.
    fn are_in_league(&mut self, seats: &[Seat], why: &str, keys: &[Signed]) {
        for seat in seats {
            let own = self.plan.index_of(*seat).and_then(|index| self.keys.get(&index));
            let Some((own, _)) = own.filter(|_| !self.false_parts.contains_key(seat)) else {
                continue;
            };
            let messages = keys.iter().chain([own]).cloned().collect();
            self.false_parts.insert(*seat, why.to_owned());
            self.prove(messages);
        }
    }

    /// Keeps what proves that a message is false: it and all that it builds on.
    fn is_false(&mut self, seat: Seat, part: DealPart, why: String, message: &Signed) {
        if self.false_parts.insert(seat, why).is_some() {
            return;
        }
        let mut messages: Vec<Signed> = Vec::new();
        if part != DealPart::Key {
            messages.extend(self.keys.values().map(|(m, _)| m.clone()));
            messages.extend(self.shuffles.iter().map(|(m, _)| m.clone()));
            messages.extend(self.cut.iter().map(|(m, _, _)| m.clone()));
        }
        messages.push(message.clone());
        self.prove(messages);
    }

    /// The last of these messages is false.
    fn prove(&mut self, messages: Vec<Signed>) {
        self.proofs.push(Proof::FalseDealMessage {
            number: self.plan.number,
            order: self.plan.order.iter().map(|(s, _)| *s).collect(),
            shufflers: self.plan.shufflers.clone(),
            purpose: self.plan.purpose,
            messages,
        });
    }

    /// Somebody misses a message after another one than that which is here.
    pub fn compare_absence(&mut self, seat: Seat, step: StepId) {
        let StepId::Deal { deal, part, after } = step else { return };
        if deal == self.plan.number
            && self.due().iter().any(|(s, p, a)| (*s, *p) == (seat, part) && *a != after)
        {
            self.conflict.get_or_insert(true);
        }
    }

    /// True once when a second version of something is about.
    pub fn take_conflict(&mut self) -> bool {
        let fresh = self.conflict == Some(true);
        if fresh {
            self.conflict = Some(false);
        }
        fresh
    }

    /// Tries what came too early again, as long as that helps.
    fn release(&mut self, now: u64, checks: &mut Checks) {
        loop {
            let waiting = std::mem::take(&mut self.early);
            let mut helped = false;
            for (message, body) in waiting {
                match self.take(now, &message, &body, checks) {
                    Ok(Offered::New) => helped = true,
                    Err(DealError::False { seat, part, why }) => {
                        self.is_false(seat, part, why, &message);
                    }
                    _ => {}
                }
            }
            if !helped {
                return;
            }
        }
    }

    fn take(
        &mut self,
        now: u64,
        message: &Signed,
        body: &Body,
        checks: &mut Checks,
    ) -> Result<Offered, DealError> {
        let Some(seat) = self.plan.seat_of_key(&body.author) else { return Ok(Offered::Foreign) };
        match &body.payload {
            Payload::Key { deal, bytes } if *deal == self.plan.id.0 => {
                self.take_key(now, seat, message, bytes, checks)
            }
            Payload::Shuffle { deal, after, deck, proof } if *deal == self.plan.id.0 => {
                self.take_shuffle(now, seat, message, body, (after, deck, proof), checks)
            }
            Payload::Cut { deal, after, at } if *deal == self.plan.id.0 => {
                self.take_cut(now, seat, message, body, after, *at)
            }
            Payload::Escrow { deal, after, bytes } if *deal == self.plan.id.0 => {
                self.take_escrow(now, seat, (message, body), after, bytes, checks)
            }
            Payload::Final { deal, hash } if *deal == self.plan.id.0 => {
                Ok(self.take_final(seat, message, body, hash))
            }
            _ => Ok(Offered::Foreign),
        }
    }

    fn take_key(
        &mut self,
        now: u64,
        seat: Seat,
        message: &Signed,
        bytes: &[u8],
        checks: &mut Checks,
    ) -> Result<Offered, DealError> {
        let Some(index) = self.plan.index_of(seat) else { return Ok(Offered::Foreign) };
        if let Some((held, _)) = self.keys.get(&index) {
            return Ok(same_or_twice(held, message));
        }
        let plan = &self.plan;
        let checked = checks.together(
            || wire::hash("key check", &[&plan.id.0, &[index], bytes]),
            |_| plan.check_key(seat, bytes).map(|key| Checked::Recipient(Arc::new(key))),
        )?;
        let Checked::Recipient(key) = checked else { return Ok(Offered::Foreign) };
        self.keys.insert(index, (message.clone(), *key));
        if self.keys.len() == self.plan.order.len() {
            let messages: Vec<Signed> = self.keys.values().map(|(m, _)| m.clone()).collect();
            let joint = self.plan.joint(self.keys.values().map(|(_, k)| *k).collect());
            match joint {
                Ok(joint) => {
                    self.joint = Some(joint);
                    self.after = self.plan.keys_hash(&messages);
                    self.since = now;
                }
                // Keys that were made together, against the others: the same seats on every node, in
                // whatever order the keys came.
                Err(DealError::Keys { seats, why }) => self.are_in_league(&seats, &why, &messages),
                Err(e) => return Err(e),
            }
        }
        Ok(Offered::New)
    }

    fn take_shuffle(
        &mut self,
        now: u64,
        seat: Seat,
        message: &Signed,
        body: &Body,
        (after, deck, proof): (&Hash, &[u8], &[u8]),
        checks: &mut Checks,
    ) -> Result<Offered, DealError> {
        let Some(place) =
            self.plan.shufflers.iter().position(|i| self.plan.seat_at(*i) == Some(seat))
        else {
            return Ok(Offered::Foreign);
        };
        if let Some((held, _)) = self.shuffles.get(place) {
            return Ok(same_or_twice(held, message));
        }
        let Some(keys) = self.joint.clone().filter(|_| place == self.shuffles.len()) else {
            return Ok(self.keep(message, body));
        };
        if *after != self.after {
            // It builds on something that we do not hold: either it or the one before has two versions.
            self.conflict.get_or_insert(true);
            return Ok(self.keep(message, body));
        }
        let Some(index) = self.plan.index_of(seat) else { return Ok(Offered::Foreign) };
        let before = match self.shuffles.last() {
            Some((_, deck)) => deck.clone(),
            None => Deck::first(&keys),
        };
        let step = u32::try_from(place).unwrap_or(u32::MAX);
        let plan = &self.plan;
        let checked = checks.together(
            || wire::hash("shuffle check", &[&plan.id.0, after, &[index], deck, proof]),
            |rng| {
                let (before, at) = ((&keys, &before), (index, step));
                plan.check_shuffle(before, at, (deck, proof), rng)
                    .map(|deck| Checked::Deck(Box::new(deck)))
            },
        )?;
        let Checked::Deck(verified) = checked else { return Ok(Offered::Foreign) };
        let verified = *verified;
        self.fresh_shuffles.push((seat, now.saturating_sub(self.since)));
        self.shuffles.push((message.clone(), verified));
        self.after = message.id();
        self.since = now;
        Ok(Offered::New)
    }

    fn take_cut(
        &mut self,
        now: u64,
        seat: Seat,
        message: &Signed,
        body: &Body,
        after: &Hash,
        at: u8,
    ) -> Result<Offered, DealError> {
        if self.plan.cutter() != Some(seat) {
            return Ok(Offered::Foreign);
        }
        if let Some((held, _, _)) = &self.cut {
            return Ok(same_or_twice(held, message));
        }
        if self.shuffles.len() < self.plan.order.len() {
            return Ok(self.keep(message, body));
        }
        if *after != self.after {
            self.conflict.get_or_insert(true);
            return Ok(self.keep(message, body));
        }
        let Some((_, deck)) = self.shuffles.last() else { return Ok(Offered::Foreign) };
        let deck = deck.cut(usize::from(at)).map_err(|e| DealError::False {
            seat,
            part: DealPart::Cut,
            why: e.to_string(),
        })?;
        self.cut = Some((message.clone(), at, deck));
        self.after = DealPlan::escrow_after(message);
        self.since = now;
        self.finish();
        Ok(Offered::New)
    }

    fn take_escrow(
        &mut self,
        now: u64,
        seat: Seat,
        (message, body): (&Signed, &Body),
        after: &Hash,
        bytes: &[u8],
        checks: &mut Checks,
    ) -> Result<Offered, DealError> {
        let Some(index) = self.plan.index_of(seat).filter(|_| self.plan.escrows()) else {
            return Ok(Offered::Foreign);
        };
        if let Some((held, _)) = self.escrows.get(&index) {
            return Ok(same_or_twice(held, message));
        }
        let (Some((_, _, deck)), Some(keys)) = (&self.cut, &self.joint) else {
            return Ok(self.keep(message, body));
        };
        if *after != self.after {
            self.conflict.get_or_insert(true);
            return Ok(self.keep(message, body));
        }
        let plan = &self.plan;
        let checked = checks.together(
            || wire::hash("deal escrow check", &[&plan.id.0, after, &[index], bytes]),
            |rng| plan.check_escrow(keys, deck, seat, bytes, rng).map(Checked::Escrow),
        )?;
        let Checked::Escrow(escrow) = checked else { return Ok(Offered::Foreign) };
        self.escrows.insert(index, (message.clone(), escrow));
        if self.escrows.len() == self.plan.order.len() {
            self.since = now;
        }
        self.finish();
        Ok(Offered::New)
    }

    /// The deal is finished once everything of it is here.
    fn finish(&mut self) {
        let wanted = if self.plan.escrows() { self.plan.order.len() } else { 0 };
        let (Some((cut, at, deck)), Some(keys)) = (&self.cut, &self.joint) else { return };
        if self.escrows.len() < wanted || self.deal.is_some() {
            return;
        }
        let mut messages: Vec<Signed> = self.keys.values().map(|(m, _)| m.clone()).collect();
        messages.extend(self.shuffles.iter().map(|(m, _)| m.clone()));
        messages.push(cut.clone());
        messages.extend(self.escrows.values().map(|(m, _)| m.clone()));
        self.deal = Some(Arc::new(Deal {
            plan: self.plan.clone(),
            hash: Deal::hash_of(&messages),
            keys: keys.clone(),
            deck: deck.clone(),
            escrows: self.escrows.values().map(|(_, e)| e.clone()).collect(),
            messages,
            cut: *at,
        }));
    }

    fn take_final(&mut self, seat: Seat, message: &Signed, body: &Body, hash: &Hash) -> Offered {
        if let Some(held) = self.finals.get(&seat) {
            return same_or_twice(held, message);
        }
        let Some(deal) = &self.deal else { return self.keep(message, body) };
        if deal.hash != *hash {
            // Another version of the deal is about. It stays unfinished here until its author is found out.
            self.conflict.get_or_insert(true);
            return self.keep(message, body);
        }
        self.finals.insert(seat, message.clone());
        Offered::New
    }

    fn keep(&mut self, message: &Signed, body: &Body) -> Offered {
        if self.early.iter().any(|(m, _)| m == message) {
            return Offered::Known;
        }
        let of_author = self.early.iter().filter(|(_, b)| b.author == body.author).count();
        if of_author < limits::EARLY_PER_AUTHOR && self.early.len() < limits::DEAL_MESSAGES {
            self.early.push((message.clone(), body.clone()));
        }
        Offered::Early
    }

    /// Who owes which message now, and the hash of the one before.
    #[must_use]
    pub fn due(&self) -> Vec<(Seat, DealPart, Hash)> {
        let seats = self.plan.order.iter().map(|(s, _)| *s);
        if self.joint.is_none() {
            return seats
                .filter(|s| {
                    // a key that was made together with another's is none
                    self.false_parts.contains_key(s)
                        || self.plan.index_of(*s).is_some_and(|i| !self.keys.contains_key(&i))
                })
                .map(|s| (s, DealPart::Key, [0; 32]))
                .collect();
        }
        if let Some(index) = self.plan.shufflers.get(self.shuffles.len()) {
            return self
                .plan
                .seat_at(*index)
                .map(|s| (s, DealPart::Shuffle, self.after))
                .into_iter()
                .collect();
        }
        if self.cut.is_none() {
            let cutter = self.plan.cutter();
            return cutter.map(|s| (s, DealPart::Cut, self.after)).into_iter().collect();
        }
        let Some(deal) = &self.deal else {
            return seats
                .filter(|s| self.plan.index_of(*s).is_some_and(|i| !self.escrows.contains_key(&i)))
                .map(|s| (s, DealPart::Escrow, self.after))
                .collect();
        };
        let hash = deal.hash;
        seats.filter(|s| !self.finals.contains_key(s)).map(|s| (s, DealPart::Final, hash)).collect()
    }

    /// What a seat has to do now.
    #[must_use]
    pub fn todo(&self, seat: Seat) -> Option<Todo> {
        let (_, part, after) = self.due().into_iter().find(|(s, _, _)| *s == seat)?;
        Some(match part {
            DealPart::Key => Todo::Key,
            DealPart::Shuffle => {
                let keys = self.joint.clone()?;
                let deck = match self.shuffles.last() {
                    Some((_, deck)) => deck.clone(),
                    None => Deck::first(&keys),
                };
                let step = u32::try_from(self.shuffles.len()).ok()?;
                Todo::Shuffle { after, step, deck: Box::new(deck), keys }
            }
            DealPart::Cut => Todo::Cut { after },
            DealPart::Escrow => {
                let (_, _, deck) = self.cut.as_ref()?;
                Todo::Escrow { after, deck: Box::new(deck.clone()), keys: self.joint.clone()? }
            }
            DealPart::Final => Todo::Final { hash: after },
        })
    }

    /// What is held, for a heartbeat.
    #[must_use]
    pub fn progress(&self) -> DealProgress {
        DealProgress {
            deal: self.plan.id.0,
            keys: self.keys.keys().filter_map(|i| self.plan.seat_at(*i)).collect(),
            shuffles: u8::try_from(self.shuffles.len()).unwrap_or(u8::MAX),
            cut: self.cut.is_some(),
            escrows: self.escrows.keys().filter_map(|i| self.plan.seat_at(*i)).collect(),
            finals: self.finals.keys().copied().collect(),
        }
    }

    /// What somebody with this progress lacks, of what is held here.
    #[must_use]
    pub fn lacking(&self, theirs: &DealProgress) -> Vec<Signed> {
        if theirs.deal != self.plan.id.0 {
            return Vec::new();
        }
        let keys: BTreeSet<Seat> = theirs.keys.iter().copied().collect();
        let finals: BTreeSet<Seat> = theirs.finals.iter().copied().collect();
        let mut out: Vec<Signed> = self
            .keys
            .iter()
            .filter(|(i, _)| self.plan.seat_at(**i).is_some_and(|s| !keys.contains(&s)))
            .map(|(_, (m, _))| m.clone())
            .collect();
        out.extend(self.shuffles.iter().skip(usize::from(theirs.shuffles)).map(|(m, _)| m.clone()));
        if !theirs.cut {
            out.extend(self.cut.as_ref().map(|(m, _, _)| m.clone()));
        }
        let escrows: BTreeSet<Seat> = theirs.escrows.iter().copied().collect();
        out.extend(
            self.escrows
                .iter()
                .filter(|(i, _)| self.plan.seat_at(**i).is_some_and(|s| !escrows.contains(&s)))
                .map(|(_, (m, _))| m.clone()),
        );
        out.extend(self.finals.iter().filter(|(s, _)| !finals.contains(s)).map(|(_, m)| m.clone()));
        out
    }

    /// The messages of a seat that are held.
    #[must_use]
    pub fn holds(&self, seat: Seat, part: DealPart) -> bool {
        !self.due().iter().any(|(s, p, _)| *s == seat && *p == part)
    }
}

fn same_or_twice(held: &Signed, message: &Signed) -> Offered {
    // The same words signed in two ways are two messages: what comes after names one of them.
    if held == message {
        return Offered::Known;
    }
    Offered::Twice(Box::new(held.clone()))
}
