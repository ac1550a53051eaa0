//! How an entry changes the state. Pure: the same state and entry give the same result everywhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};
use trinka_crypto::{Purpose, ShareBatch, Verified};

use super::seats::clockwise_after;
use super::{Core, Deal, DealPlan, EntryError, Playing, Presence, Refusal, SeatState, Stage, State};
use crate::event::{AgainReason, Audience, Event, FaultKind, SeatAmount, SeatInfo};
use crate::identity::PublicKey;
use crate::rules::{self, Action, Card, CompareResult, GameEvent, Input as GameInput, Phase, Seat};
use crate::table::founding::{Player, check_addresses, check_name};
use crate::table::limits;
use crate::table::message::{Basis, Body, Entry, Free, Hash, MessageError, Payload, Proof, Signed, StepId};
use crate::table::{evidence, translate};
use crate::wire;

/// Remembers what was verified, so that nothing is verified twice, and holds the finished deals that an
/// entry may decide. Says nothing about what is valid: a fresh one gives the same results.
pub struct Checks {
    rng: ChaCha20Rng,
    signatures: BTreeMap<Hash, Body>,
    shares: BTreeMap<Hash, Arc<Verified<ShareBatch>>>,
    deals: BTreeMap<Hash, Arc<Deal>>,
}

impl Checks {
    /// With a seed for the weights of batched verification; it must be unpredictable for others.
    #[must_use]
    pub fn new(seed: [u8; 32]) -> Self {
        Checks {
            rng: ChaCha20Rng::from_seed(seed),
            signatures: BTreeMap::new(),
            shares: BTreeMap::new(),
            deals: BTreeMap::new(),
        }
    }

    /// The source of local randomness.
    pub fn rng(&mut self) -> &mut ChaCha20Rng {
        &mut self.rng
    }

    /// Opens a signed message, verifying a signature once only.
    ///
    /// # Errors
    /// [`MessageError`].
    pub fn open(&mut self, message: &Signed, log: crate::table::message::LogId) -> Result<Body, MessageError> {
        let id = message.id();
        if let Some(body) = self.signatures.get(&id)
            && body.log == log
        {
            return Ok(body.clone());
        }
        let body = message.open(log)?;
        if self.signatures.len() >= limits::REMEMBERED {
            self.signatures.clear();
        }
        // Large messages are rare, and remembering many of them would cost more than checking them again.
        if message.bytes.len() <= limits::REMEMBERED_BYTES {
            self.signatures.insert(id, body.clone());
        }
        Ok(body)
    }

    /// Makes a verified deal known.
    pub fn know_deal(&mut self, deal: Arc<Deal>) {
        if self.deals.len() >= 16 {
            self.deals.clear();
        }
        self.deals.insert(deal.hash, deal);
    }

    /// A deal that was verified.
    #[must_use]
    pub fn deal(&self, hash: &Hash) -> Option<&Arc<Deal>> {
        self.deals.get(hash)
    }

    fn share(&mut self, key: Hash, verify: impl FnOnce() -> Result<Verified<ShareBatch>, Refusal>) -> Result<Arc<Verified<ShareBatch>>, Refusal> {
        if let Some(known) = self.shares.get(&key) {
            return Ok(known.clone());
        }
        let fresh = Arc::new(verify()?);
        if self.shares.len() >= limits::REMEMBERED {
            self.shares.clear();
        }
        self.shares.insert(key, fresh.clone());
        Ok(fresh)
    }

    /// Fresh random bytes.
    pub fn random<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.rng.fill_bytes(&mut bytes);
        bytes
    }
}

/// What an entry did.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The state after it.
    pub state: State,
    /// What players are told, in order. Nothing in it is one seat's secret.
    pub events: Vec<Event>,
    /// The hand that it ended.
    pub ended: Option<u64>,
}

impl State {
    /// Applies an entry, checking all of it.
    ///
    /// # Errors
    /// [`EntryError`], naming the message and its author where one is at fault. The state stays as it is.
    pub fn apply(&self, entry: &Entry, checks: &mut Checks) -> Result<Applied, EntryError> {
        let core = &self.core;
        if entry.height != core.height {
            return Err(EntryError::Height { found: entry.height, expected: core.height });
        }
        if !core.electorate.contains(&entry.composer) {
            return Err(EntryError::Composer(entry.composer));
        }
        if entry.before != self.hash {
            return Err(EntryError::OtherState { composer: entry.composer, entry: core.height.saturating_sub(1) });
        }
        if entry.messages.is_empty() || entry.messages.len() > limits::ENTRY_MESSAGES {
            return Err(EntryError::Shape("empty or too long"));
        }
        let mut work = Work::new(self, checks);
        let mut last: Option<(u16, Hash)> = None;
        for (index, message) in entry.messages.iter().enumerate() {
            let place = work.place(message);
            if last.is_some_and(|l| place <= l) {
                return Err(EntryError::Shape("not in seat order"));
            }
            last = Some(place);
            work.message(message).map_err(|why| EntryError::Message { index, seat: work.author_seat(message), why })?;
        }
        work.finish().map_err(|why| EntryError::Message { index: entry.messages.len(), seat: None, why })?;
        let mut core = work.core;
        core.height = core.height.saturating_add(1);
        core.composer = entry.composer;
        let hash = core.hash();
        let state = State { core, hash, deal: work.deal, shares: work.shares };
        Ok(Applied { state, events: work.events, ended: work.ended })
    }

    /// Makes an entry of whatever of the candidates applies, in seat order; nothing when none does.
    #[must_use]
    pub fn compose(&self, composer: Seat, candidates: &[Signed], checks: &mut Checks) -> Option<Entry> {
        let mut work = Work::new(self, checks);
        let mut sorted: Vec<((u16, Hash), &Signed)> = candidates.iter().map(|m| (work.place(m), m)).collect();
        sorted.sort_by_key(|(place, _)| *place);
        sorted.dedup_by_key(|(place, _)| *place);
        let mut chosen: Vec<Signed> = Vec::new();
        let mut bytes = 0usize;
        for (_, message) in sorted {
            if chosen.len() >= limits::ENTRY_MESSAGES || bytes + message.bytes.len() > limits::ENTRY_BYTES {
                break;
            }
            let before = work.snapshot();
            match work.message(message) {
                Ok(()) => {
                    chosen.push(message.clone());
                    bytes += message.bytes.len() + 128;
                }
                Err(_) => work.restore(before),
            }
        }
        if work.finish().is_err() {
            // Signatures on a deal stand in an entry together or not at all.
            chosen.retain(|m| !matches!(m.read(self.core.log).map(|b| b.payload), Ok(Payload::Final { .. })));
        }
        if chosen.is_empty() {
            return None;
        }
        Some(Entry { height: self.core.height, composer, before: self.hash, messages: chosen })
    }

    /// Whether a message would apply alone. Signatures on a deal never do: they stand together.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn try_message(&self, message: &Signed, checks: &mut Checks) -> Result<(), Refusal> {
        Work::new(self, checks).message(message)
    }
}

type Snapshot = (Core, Option<Arc<Deal>>, super::ShareMap, usize, Option<u64>, BTreeMap<Seat, Hash>);

/// A working copy.
struct Work<'a> {
    core: Core,
    deal: Option<Arc<Deal>>,
    shares: super::ShareMap,
    events: Vec<Event>,
    ended: Option<u64>,
    finals: BTreeMap<Seat, Hash>,
    checks: &'a mut Checks,
}

impl<'a> Work<'a> {
    fn new(state: &State, checks: &'a mut Checks) -> Self {
        Work {
            core: state.core.clone(),
            deal: state.deal.clone(),
            shares: state.shares.clone(),
            events: Vec::new(),
            ended: None,
            finals: BTreeMap::new(),
            checks,
        }
    }

    fn snapshot(&self) -> Snapshot {
        (self.core.clone(), self.deal.clone(), self.shares.clone(), self.events.len(), self.ended, self.finals.clone())
    }

    fn restore(&mut self, s: Snapshot) {
        (self.core, self.deal, self.shares, _, self.ended, self.finals) = (s.0, s.1, s.2, (), s.4, s.5);
        self.events.truncate(s.3);
    }

    fn author_seat(&self, message: &Signed) -> Option<Seat> {
        message.read(self.core.log).ok().and_then(|b| self.core.seat_of(&b.author))
    }

    /// Messages apply in seat order; newcomers after all seats; of one author in the order of their nonces.
    fn place(&self, message: &Signed) -> (u16, Hash) {
        let Ok(body) = message.read(self.core.log) else { return (u16::MAX, message.id()) };
        let seat = self.core.seat_of(&body.author).map_or(0x100, |s| u16::from(s.0));
        let mut id = message.id();
        if let Payload::Free { nonce, .. } = &body.payload {
            // The nonce goes first in the tie-break, so that several free messages of a seat fit one entry.
            let (head, _) = id.split_at_mut(8);
            head.copy_from_slice(&nonce.to_be_bytes());
        }
        (seat, id)
    }

    fn message(&mut self, message: &Signed) -> Result<(), Refusal> {
        let body = self.checks.open(message, self.core.log)?;
        if self.core.stage == Stage::Over && !matches!(body.payload, Payload::Free { .. } | Payload::Absent { .. }) {
            return Err(Refusal::Over);
        }
        let author = body.author;
        let Some(seat) = self.core.seat_of(&author).filter(|s| self.core.seated(*s)) else {
            return match body.payload {
                Payload::Admit { name, buy_in, addresses } => self.admit(author, name, buy_in, addresses),
                _ => Err(Refusal::Stranger),
            };
        };
        match body.payload {
            Payload::Start { hand, participants } => self.start(seat, hand, participants),
            Payload::Ready { hand } => self.ready(seat, hand, true),
            Payload::SitOut { hand } => self.ready(seat, hand, false),
            Payload::Key { .. }
            | Payload::Shuffle { .. }
            | Payload::Cut { .. }
            | Payload::Status { .. }
            | Payload::Say { .. } => Err(Refusal::NotForLog),
            Payload::Final { deal, hash } => self.sign_deal(seat, deal, hash),
            Payload::Shares { deal, batch } => self.give_shares(seat, deal, &batch),
            Payload::Move { basis, action } => self.play(seat, basis, action),
            Payload::Open { basis, batch } => self.open_hand(seat, basis, &batch),
            Payload::Absent { step, seat: absent } => self.absent(seat, step, absent),
            Payload::Admit { .. } => Err(Refusal::NotAsked),
            Payload::Free { nonce, free } => {
                let next = self.seat(seat)?.nonce;
                if nonce != next {
                    return Err(Refusal::Nonce { found: nonce, next });
                }
                self.free(seat, free)?;
                self.seat(seat)?.nonce = next.saturating_add(1);
                Ok(())
            }
        }
    }

    fn seat(&mut self, seat: Seat) -> Result<&mut SeatState, Refusal> {
        self.core.seats.get_mut(&seat).ok_or(Refusal::Stranger)
    }

    // ---- before a hand ----

    fn start(&mut self, seat: Seat, hand: u64, participants: Vec<Seat>) -> Result<(), Refusal> {
        let (dealer, able) = self.core.next_start().ok_or(Refusal::Stale)?;
        if seat != dealer {
            return Err(Refusal::NotAsked);
        }
        if hand != self.core.hands.saturating_add(1) || participants != able {
            return Err(Refusal::WrongStart);
        }
        self.core.hands = hand;
        self.core.stage = Stage::Starting { hand, dealer, participants, ready: std::collections::BTreeSet::new() };
        Ok(())
    }

    fn ready(&mut self, seat: Seat, hand: u64, plays: bool) -> Result<(), Refusal> {
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
    fn maybe_deal(&mut self) -> Result<(), Refusal> {
        let Stage::Starting { hand, dealer, participants, ready } = &self.core.stage else { return Ok(()) };
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

    fn sign_deal(&mut self, seat: Seat, deal: Hash, hash: Hash) -> Result<(), Refusal> {
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
    fn finish(&mut self) -> Result<(), Refusal> {
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
        let Stage::Dealing { hand, deal: number, order } = &self.core.stage else { return Err(Refusal::Stale) };
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

    fn give_shares(&mut self, seat: Seat, number: u64, batch: &[u8]) -> Result<(), Refusal> {
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

    fn verify_batch(&mut self, deal: &Arc<Deal>, index: u8, purpose: Purpose, positions: &[usize], batch: &[u8]) -> Result<Arc<Verified<ShareBatch>>, Refusal> {
        let what = [u8::from(purpose == look_purpose())];
        let key = wire::hash("share check", &[&deal.hash, &[index], &what, batch]);
        self.checks.share(key, || {
            let batch = ShareBatch::from_bytes(batch, positions.len()).map_err(|e| Refusal::Proof(e.to_string()))?;
            trinka_crypto::shares::verify(&deal.keys, index, purpose, &deal.deck, positions, batch)
                .map_err(|e| Refusal::Proof(e.to_string()))
        })
    }

    // ---- the play ----

    fn on_turn(&self, seat: Seat, basis: Basis) -> Result<(), Refusal> {
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

    fn play(&mut self, seat: Seat, basis: Basis, action: Action) -> Result<(), Refusal> {
        self.on_turn(seat, basis)?;
        self.game(&GameInput::Move { seat, action })?;
        self.seat(seat)?.missed = 0;
        Ok(())
    }

    fn open_hand(&mut self, seat: Seat, basis: Basis, batch: &[u8]) -> Result<(), Refusal> {
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
            layers.extend(self.shares.iter().filter(|(giver, _)| **giver != seat).filter_map(|(_, b)| b.share(position)));
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
    fn compare_open(&mut self) -> Result<(), Refusal> {
        let Phase::Comparing { caller, target } = *self.core.game.phase() else { return Ok(()) };
        let Stage::Playing { cards, .. } = &self.core.stage else { return Ok(()) };
        let (Some(a), Some(b)) = (cards.open.get(&caller), cards.open.get(&target)) else { return Ok(()) };
        let (a, b) = (rules::rank(&self.core.terms.rules, *a)?, rules::rank(&self.core.terms.rules, *b)?);
        let result = match a.level.cmp(&b.level) {
            std::cmp::Ordering::Greater => CompareResult::Caller,
            std::cmp::Ordering::Less => CompareResult::Target,
            std::cmp::Ordering::Equal => CompareResult::Tie,
        };
        self.game(&GameInput::Outcome { result })
    }

    // ---- absence ----

    fn absent(&mut self, author: Seat, step: StepId, seat: Seat) -> Result<(), Refusal> {
        if !self.core.electorate.contains(&author) {
            return Err(Refusal::NotAsked);
        }
        match step {
            StepId::Deal { deal, .. } => {
                // Which message is missing is known outside the log only; whose part it is, here too.
                let Stage::Dealing { deal: open, order, .. } = &self.core.stage else { return Err(Refusal::Stale) };
                if deal != *open || !order.contains(&seat) {
                    return Err(Refusal::Stale);
                }
                self.lose(seat, true)
            }
            StepId::Unheard { finished, returns } => {
                let s = self.seat(seat)?;
                let present = matches!(s.presence, Presence::Here | Presence::SittingOut);
                if !present || s.returns != returns || finished != self.core.finished {
                    return Err(Refusal::Stale);
                }
                self.lose(seat, false)
            }
            _ => {
                if !self.core.owed().iter().any(|o| o.seat == seat && o.step == step) {
                    return Err(Refusal::Stale);
                }
                if let StepId::Turn(_) = step {
                    self.game(&GameInput::TimeOut { seat })?;
                    let s = self.seat(seat)?;
                    s.missed = s.missed.saturating_add(1);
                    if s.missed < limits::MISSED_TURNS || s.presence != Presence::Here {
                        return Ok(());
                    }
                    s.idle = true;
                    return self.lose(seat, false);
                }
                self.lose(seat, true)
            }
        }
    }

    /// A seat is lost: out of the electorate with this very entry, its cards folded, its stack its own.
    fn lose(&mut self, seat: Seat, machine: bool) -> Result<(), Refusal> {
        let s = self.seat(seat)?;
        s.presence = Presence::Away;
        s.missed = 0;
        s.returning = false;
        if machine {
            s.losses = s.losses.saturating_add(1);
        }
        self.core.disenfranchise(seat);
        self.events.push(Event::Away { seat });
        self.drop_out(seat)
    }

    /// Whatever the seat takes part in goes on without it.
    fn drop_out(&mut self, seat: Seat) -> Result<(), Refusal> {
        match &mut self.core.stage {
            Stage::Idle | Stage::Over => {
                self.between_hands();
                Ok(())
            }
            Stage::Starting { participants, ready, .. } => {
                participants.retain(|s| *s != seat);
                ready.remove(&seat);
                self.maybe_deal()
            }
            Stage::Dealing { hand, deal, order } => {
                if !order.contains(&seat) {
                    return Ok(());
                }
                let (hand, deal) = (*hand, *deal);
                self.game(&GameInput::Lost { seat })?;
                if matches!(self.core.stage, Stage::Dealing { .. }) {
                    self.events.push(Event::DealAgain { hand, deal, reason: AgainReason::Missing });
                }
                Ok(())
            }
            Stage::Playing { hand, cards } => {
                if !cards.order.contains(&seat) {
                    return Ok(());
                }
                let (hand, deal, owed) = (*hand, cards.deal, cards.owes.contains(&seat));
                self.game(&GameInput::Lost { seat })?;
                if owed && matches!(&self.core.stage, Stage::Playing { hand: h, .. } if *h == hand) {
                    // Its layer lies on everybody's cards, and nobody can take it off.
                    self.events.push(Event::DealAgain { hand, deal, reason: AgainReason::LostLayer });
                    self.game(&GameInput::LayerLost)?;
                }
                Ok(())
            }
        }
    }

    // ---- seats ----

    fn admit(&mut self, key: PublicKey, name: String, buy_in: u64, addresses: Vec<String>) -> Result<(), Refusal> {
        check_name(&name).map_err(|_| Refusal::Bounds("name"))?;
        check_addresses(&addresses).map_err(|_| Refusal::Bounds("addresses"))?;
        if key.verifying().is_none() {
            return Err(Refusal::Bounds("key"));
        }
        if buy_in != self.core.terms.buy_in {
            return Err(Refusal::Bounds("buy-in"));
        }
        if self.core.taken() >= usize::from(self.core.terms.seats) || self.core.seats.len() >= limits::SEATS_EVER {
            return Err(Refusal::Bounds("no free seat"));
        }
        let seat = self.core.seats.keys().last().map_or(0, |s| s.0.saturating_add(1));
        let seat = Seat(seat);
        self.game(&GameInput::Sit { seat, chips: buy_in })?;
        // A hand that is open already is not one that it plays.
        let since = self.core.finished.saturating_add(u64::from(self.core.hand().is_some()));
        self.core.seats.insert(seat, SeatState::new(Player { key, name, addresses }, since));
        self.events.push(self.core.table_event());
        Ok(())
    }

    fn free(&mut self, seat: Seat, free: Free) -> Result<(), Refusal> {
        match free {
            Free::Accept { key } => {
                if !self.core.electorate.contains(&seat) {
                    return Err(Refusal::NotAsked);
                }
                let newcomer = self.core.seat_of(&key).filter(|s| self.core.seated(*s)).ok_or(Refusal::Stale)?;
                if self.core.electorate.contains(&newcomer) || !self.seat(newcomer)?.accepted_by.insert(seat) {
                    return Err(Refusal::Stale);
                }
                Ok(())
            }
            Free::Return => {
                let s = self.seat(seat)?;
                match s.presence {
                    Presence::SittingOut => {
                        s.presence = Presence::Here;
                        self.events.push(Event::Back { seat });
                        Ok(())
                    }
                    Presence::Away if !s.returning => {
                        s.returning = true;
                        self.between_hands();
                        Ok(())
                    }
                    _ => Err(Refusal::Stale),
                }
            }
            Free::Leave => {
                let s = self.seat(seat)?;
                if s.leaving || s.presence == Presence::Frozen {
                    return Err(Refusal::Stale);
                }
                s.leaving = true;
                if let Stage::Starting { participants, ready, .. } = &mut self.core.stage {
                    participants.retain(|s| *s != seat);
                    ready.remove(&seat);
                    self.maybe_deal()?;
                }
                self.between_hands();
                self.leavers_fold()
            }
            Free::Rebuy { amount } => {
                let (finished, buy_in) = (self.core.finished, self.core.terms.buy_in);
                let s = self.seat(seat)?;
                if amount == 0 || amount > buy_in {
                    return Err(Refusal::Bounds("rebuy"));
                }
                if s.rebought == finished.saturating_add(1) || s.presence == Presence::Frozen {
                    return Err(Refusal::Stale);
                }
                s.rebought = finished.saturating_add(1);
                self.game(&GameInput::Rebuy { seat, chips: amount })?;
                self.events.push(self.core.table_event());
                Ok(())
            }
            Free::MoreTime { basis } => {
                self.on_turn(seat, basis)?;
                let s = self.seat(seat)?;
                s.time_bank = s.time_bank.checked_sub(1).ok_or(Refusal::Bounds("time bank"))?;
                if let Stage::Playing { cards, .. } = &mut self.core.stage {
                    cards.more_time = cards.more_time.saturating_add(1);
                }
                Ok(())
            }
            Free::Evidence(proof) => self.evidence(*proof),
        }
    }

    fn evidence(&mut self, proof: Proof) -> Result<(), Refusal> {
        let (seat, kind) = evidence::accused(&proof, &self.core).map_err(Refusal::Evidence)?;
        let s = self.seat(seat)?;
        if matches!(s.presence, Presence::Frozen | Presence::Left) {
            return Err(Refusal::Stale);
        }
        s.presence = Presence::Frozen;
        s.returning = false;
        s.leaving = false;
        self.core.disenfranchise(seat);
        let hash = wire::encode(&proof).map(|b| wire::hex(&wire::hash("trinka evidence", &[&b]))).ok();
        self.events.push(Event::Fault { seat, kind: kind_of(kind), evidence: hash });
        self.drop_out(seat)?;
        // The rules freeze only a stack that is not in play any more. Who has left took it along.
        if let Ok(step) = self.core.game.apply(&GameInput::Freeze { seat }) {
            self.core.game = step.game;
        }
        Ok(())
    }

    // ---- what follows ----

    /// Tells the rules, and follows where they go: a new deal, the next turn, the end of the hand.
    fn game(&mut self, input: &GameInput) -> Result<(), Refusal> {
        let bank = self.core.game.bank();
        let step = self.core.game.apply(input)?;
        self.core.game = step.game;
        self.events.extend(translate::game_events(&step.events, &self.core, bank));
        self.follow(&step.events)
    }

    fn follow(&mut self, events: &[GameEvent]) -> Result<(), Refusal> {
        let Some(hand) = self.core.hand() else { return Ok(()) };
        if matches!(self.core.stage, Stage::Starting { .. }) {
            return Ok(());
        }
        match self.core.game.phase() {
            Phase::Idle => self.hand_over(hand, events),
            Phase::AwaitDeal { .. } => {
                let order = self.deal_order();
                let same = matches!(&self.core.stage, Stage::Dealing { order: o, deal, .. } if *o == order && *deal != 0);
                if !same {
                    self.core.deals = self.core.deals.saturating_add(1);
                    self.core.stage = Stage::Dealing { hand, deal: self.core.deals, order };
                    self.deal = None;
                    self.shares.clear();
                }
                Ok(())
            }
            _ => {
                if let Stage::Playing { cards, .. } = &mut self.core.stage {
                    cards.turn = cards.turn.saturating_add(1);
                    cards.more_time = 0;
                }
                self.leavers_fold()?;
                self.compare_open()
            }
        }
    }

    fn deal_order(&self) -> Vec<Seat> {
        let participants = self.core.game.participants();
        match self.core.game.dealer() {
            Some(dealer) => {
                let mut sorted: Vec<Seat> = participants.to_vec();
                sorted.sort_unstable();
                clockwise_after(&sorted, dealer)
            }
            None => participants.to_vec(),
        }
    }

    /// Who said that it leaves folds on its own turn.
    fn leavers_fold(&mut self) -> Result<(), Refusal> {
        let Some(turn) = self.core.game.turn() else { return Ok(()) };
        let gone = self.core.seats.get(&turn).is_some_and(|s| s.leaving);
        if gone && matches!(self.core.stage, Stage::Playing { .. }) && matches!(self.core.game.phase(), Phase::Betting) {
            self.game(&GameInput::TimeOut { seat: turn })?;
        }
        Ok(())
    }

    fn hand_over(&mut self, hand: u64, events: &[GameEvent]) -> Result<(), Refusal> {
        self.core.stage = Stage::Idle;
        self.deal = None;
        self.shares.clear();
        let played = events.iter().any(|e| matches!(e, GameEvent::Over { .. }));
        self.core.finished = self.core.finished.saturating_add(u64::from(played));
        if played {
            let winners = translate::winners(events);
            let stacks = self.core.game.stacks();
            self.events.push(Event::Settled { hand, stacks, winners, transcript: None });
            self.ended = Some(hand);
        }
        self.between_hands();
        if played && let Some(seat) = self.core.admit_voter() {
            self.events.push(Event::Back { seat });
        }
        if self.core.terms.hands.is_some_and(|most| self.core.finished >= most) {
            self.core.stage = Stage::Over;
        }
        Ok(())
    }

    /// Between hands, who leaves is gone and who returns is back.
    fn between_hands(&mut self) {
        if !matches!(self.core.stage, Stage::Idle | Stage::Over) {
            return;
        }
        for (seat, presence) in self.core.settle_seats() {
            if presence == Presence::Left {
                // The rules let a seat go only between hands, and that is where we are.
                if let Ok(step) = self.core.game.apply(&GameInput::Leave { seat }) {
                    self.core.game = step.game;
                }
                self.events.push(Event::Away { seat });
            } else {
                self.events.push(Event::Back { seat });
            }
        }
    }
}

fn kind_of(kind: evidence::Kind) -> FaultKind {
    match kind {
        evidence::Kind::TwoVotes => FaultKind::TwoVotes,
        evidence::Kind::TwoDealMessages => FaultKind::TwoMessages,
    }
}

/// The purpose of the shares by which all look at once.
#[must_use]
pub fn look_purpose() -> Purpose {
    Purpose { recipient: trinka_crypto::Recipient::Everyone, reason: trinka_crypto::Reason::Look, step: 0 }
}

/// The purpose of the shares by which a hand is opened to the table.
#[must_use]
pub fn open_purpose() -> Purpose {
    Purpose::open(0)
}

impl Core {
    /// The table as it stands, as players are told.
    #[must_use]
    pub fn table_event(&self) -> Event {
        Event::Table {
            id: self.table.to_string(),
            name: self.terms.name.clone(),
            rules: Box::new(self.terms.rules.clone()),
            seats: self.seat_infos(self.seats.keys().copied().filter(|s| self.seated(*s))),
            you: None,
        }
    }

    /// Names and stacks of some seats.
    pub fn seat_infos(&self, seats: impl Iterator<Item = Seat>) -> Vec<SeatInfo> {
        seats
            .map(|seat| SeatInfo { seat, name: self.name_of(seat).to_owned(), stack: self.game.stack(seat).unwrap_or(0) })
            .collect()
    }

    /// Who won how much, for a list of winners.
    #[must_use]
    pub fn amounts(list: &[(Seat, u64)]) -> Vec<SeatAmount> {
        list.iter().map(|(seat, amount)| SeatAmount { seat: *seat, amount: *amount }).collect()
    }
}
