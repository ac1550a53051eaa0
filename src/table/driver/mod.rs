//! Drives one table: gathers messages, has entries agreed on, applies them, and does what this seat owes.
//!
//! # The loop
//!
//! 1. [`Table::handle`] with the time and an [`Input`].
//! 2. [`Table::poll_output`] until it gives nothing. After an [`Output::Persist`] it gives nothing but
//!    further records until [`Input::Persisted`] confirms that they are durable: nothing is sent or shown
//!    before what it depends on is safe.
//! 3. [`Table::poll_timeout`]: call [`Table::handle`] with [`Input::Tick`] then, if nothing came before.

mod agree;
mod clocks;
mod close;
mod duties;
mod files;
mod forgot;
mod fork;
mod inbox;
mod io;
mod player;
mod pool;
mod proofs;
mod restore;
mod sync;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rand_core::SeedableRng as _;
use trinka_crypto::SecretKey;

use self::clocks::Clocks;
pub use self::forgot::Forgot;
pub use self::io::{Input, Output, Record, TableConfig, TableError, TableWire, To};
pub use self::player::Unanswered;
use self::pool::Pool;
use super::agreement::{self, Height, ValueId};
use super::dealbook::DealBook;
use super::founding::Founded;
use super::ledger::{Applied, Checks, Core, State};
use super::limits;
use super::message::{Basis, Decided, Free, Hash, LogId, Signed, StepId};
use crate::event::{Event, WaitReason};
use crate::identity::{Identity, PublicKey};
use crate::rules::{Card, Seat};
use crate::wire;

/// What this node knows of a peer at the table.
#[derive(Clone, Debug, Default)]
struct Peer {
    up: bool,
    /// When anything of it came last, relayed or not.
    heard: Option<u64>,
    /// When it came from it itself.
    direct: Option<u64>,
    /// Since when it has been silent, not counting the time in which this node heard no quorum or slept.
    silent_from: u64,
    height: u64,
    answered: u64,
    /// From which height on it was answered last.
    answered_from: u64,
    deal_answered: u64,
    seq: u64,
    said: u64,
    hears: BTreeSet<Seat>,
}

impl Peer {
    fn hear(&mut self, now: u64) {
        self.heard = Some(now);
        self.silent_from = now;
    }
}

/// The step that a signed message of this node answered; each is answered once.
type Answered = (StepKey, Seat);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StepKey {
    Step(StepId),
    Absent(StepId),
    Part(Hash, u8),
    Admit,
}

/// A table as one node drives it.
pub struct Table {
    id: Identity,
    me: PublicKey,
    log_id: LogId,
    pace_ms: u64,
    cut_ms: u64,
    admit_all: bool,
    friends: BTreeSet<PublicKey>,
    alter: Option<fn(&mut Core)>,
    founded: Founded,
    checks: Checks,
    state: State,
    log: Vec<Arc<Decided>>,
    /// The state after the hand before (or the founding), and how many entries there were.
    hand_start: (Core, usize),
    height: Option<Height>,
    earlier: Option<Height>,
    propose_timeout_ms: u64,
    joined: bool,
    ahead: Vec<(PublicKey, u64, Vec<u8>)>,
    verdicts: Vec<(u32, ValueId, Vec<u8>, bool)>,
    value_wanted: Option<u32>,
    applied: Option<(ValueId, Box<Applied>)>,
    /// What was decided here while the deal that it decides is not here any more: after a crash its messages
    /// come from the others.
    unapplied: Option<(Vec<u8>, agreement::Certificate)>,
    pool: Pool,
    book: Option<DealBook>,
    early_deal: Vec<(Signed, super::message::Body)>,
    secrets: BTreeMap<u64, SecretKey>,
    own: BTreeMap<Answered, Signed>,
    frees: VecDeque<Free>,
    free_flying: Option<(u64, Hash)>,
    sit: Option<(String, Vec<String>)>,
    sit_out: bool,
    planned: Option<(Basis, crate::rules::Action)>,
    cut_at: Option<u8>,
    cut_asked: Option<Hash>,
    /// When this seat was asked something that its program answers by itself in the end.
    asked_since: Option<(Basis, u64)>,
    clocks: Clocks,
    peers: BTreeMap<PublicKey, Peer>,
    seen: BTreeMap<Hash, u64>,
    outputs: VecDeque<Output>,
    unconfirmed: u64,
    last_call: Option<u64>,
    idle_since: u64,
    /// The program was started again, and has not been at the table since.
    started_again: bool,
    last_decided: u64,
    next_status: u64,
    next_resend: u64,
    seq: u64,
    said: u64,
    my_cards: Option<(u64, [Card; 3])>,
    old_cards: Vec<(u64, [Card; 3])>,
    /// What was shown to this seat and told already: the deal, whose hand, and the proof's step.
    seen_shows: BTreeSet<(u64, Seat, u32)>,
    announced: Option<player::Prompt>,
    /// Whether three tens are laid open when it is asked.
    tens: bool,
    waiting: Option<(Vec<Seat>, WaitReason)>,
    /// Seats that the player was told are not heard.
    silent: Vec<Seat>,
    offered: BTreeSet<PublicKey>,
    halted: bool,
    /// Since a restart this node has not heard yet where the log is: until then it signs nothing. When it last
    /// came further, in milliseconds.
    catching_up: Option<u64>,
    /// What this node knows that it has signed, once it has come back; an entry with something else of its
    /// own tells that its files are older than that.
    signed: Option<BTreeSet<Hash>>,
    /// How far it may have signed what its files lack.
    forgot: Forgot,
    /// A height that cannot be decided without this node, which does not vote there, and since when it waits.
    unspoken: Option<(u64, u64)>,
    /// The height at which the player was told that somebody else signs with this key.
    foreign_at: Option<u64>,
    differs: BTreeMap<Seat, u64>,
    watch: fork::Watch,
    closed: bool,
    /// At which height others closed the table.
    closes: BTreeMap<Seat, u64>,
}

impl Table {
    /// Opens a table right after its founding: nothing was ever signed at it with this node's key. Where that
    /// is not sure, [`Table::rejoin`] is what opens it.
    ///
    /// # Errors
    /// [`TableError::Founding`], or [`TableError::Agreement`] for an electorate that cannot be.
    pub fn new(config: TableConfig, now: u64) -> Result<Self, TableError> {
        let mut table = Self::unopened(config, now)?;
        table.open_height(now, Vec::new())?;
        let announce = table.state.core().table_event();
        table.emit(announce);
        Ok(table)
    }

    fn unopened(config: TableConfig, now: u64) -> Result<Self, TableError> {
        let mut state = State::found(&config.founded)?;
        if let Some(alter) = config.alter {
            state.alter(alter);
        }
        let hand_start = (state.core().clone(), 0);
        Ok(Table {
            me: config.identity.public(),
            id: config.identity,
            log_id: config.founded.log_id(),
            // Longer than the others wait, and they would take this node for absent.
            pace_ms: config.pace_ms.min(limits::MACHINE_MS / 2),
            cut_ms: config.cut_ms.min(state.core().terms.think_ms),
            admit_all: config.admit_all,
            friends: config.friends,
            alter: config.alter,
            founded: config.founded,
            checks: Checks::new(config.seed).sharing(config.shared),
            state,
            log: Vec::new(),
            hand_start,
            height: None,
            earlier: None,
            propose_timeout_ms: agreement::MIN_TIMEOUT_MS,
            joined: false,
            ahead: Vec::new(),
            verdicts: Vec::new(),
            value_wanted: None,
            applied: None,
            unapplied: None,
            pool: Pool::default(),
            book: None,
            early_deal: Vec::new(),
            secrets: BTreeMap::new(),
            own: BTreeMap::new(),
            frees: VecDeque::new(),
            free_flying: None,
            sit: None,
            sit_out: false,
            planned: None,
            cut_at: None,
            cut_asked: None,
            asked_since: None,
            clocks: Clocks::default(),
            peers: BTreeMap::new(),
            seen: BTreeMap::new(),
            outputs: VecDeque::new(),
            unconfirmed: 0,
            last_call: None,
            // There is no showdown to be read before the first hand.
            idle_since: now.saturating_sub(config.pace_ms),
            started_again: false,
            last_decided: now,
            next_status: now,
            next_resend: now,
            seq: config.start << 20,
            said: config.start << 20,
            my_cards: None,
            old_cards: Vec::new(),
            seen_shows: BTreeSet::new(),
            announced: None,
            tens: true,
            waiting: None,
            silent: Vec::new(),
            offered: BTreeSet::new(),
            halted: false,
            catching_up: None,
            signed: None,
            forgot: Forgot::NOTHING,
            unspoken: None,
            foreign_at: None,
            differs: BTreeMap::new(),
            watch: fork::Watch::default(),
            closed: false,
            closes: BTreeMap::new(),
        })
    }

    /// Tells the table what happened at a time, in milliseconds of any monotonic clock.
    /// Whatever comes from outside and is not as it should be is dropped.
    pub fn handle(&mut self, now: u64, input: Input) {
        self.wake(now);
        match input {
            Input::Wire { from, bytes } => self.receive(now, from, &bytes),
            Input::Peer { key, up } => self.peer(now, key, up),
            Input::Command(command) => self.command(now, command),
            Input::Sit { name, addresses } => self.sit = Some((name, addresses)),
            Input::Persisted => self.unconfirmed = 0,
            Input::Tick => {}
        }
        self.pump(now);
    }

    /// The next thing to do, if there is one.
    pub fn poll_output(&mut self) -> Option<Output> {
        let durable = matches!(self.outputs.front()?, Output::Persist(_));
        if durable {
            self.unconfirmed = self.unconfirmed.saturating_add(1);
        } else if self.unconfirmed > 0 {
            return None;
        }
        self.outputs.pop_front()
    }

    /// When to call again at the latest, in milliseconds; at most a second ahead.
    #[must_use]
    pub fn poll_timeout(&self) -> u64 {
        let base = self.last_call.unwrap_or(0);
        let mut at = base
            .saturating_add(1_000)
            .min(self.next_status)
            .min(self.next_resend.max(base.saturating_add(50)));
        if self.catching_up.is_some() {
            // Nothing else is done until then, whatever is due.
            return at.max(base.saturating_add(1));
        }
        if let Some(t) = self.height.as_ref().and_then(Height::poll_timeout) {
            at = at.min(t);
        }
        if !self.verdicts.is_empty() {
            at = at.min(base.saturating_add(50));
        }
        // What has run out already was seen to in the last call; it waits for others.
        at = self.pool.gather_until().filter(|t| *t > base).map_or(at, |t| at.min(t));
        at = self.clocks.next_after(base).map_or(at, |t| at.min(t));
        at = self.duty_timeout().map_or(at, |t| at.min(t));
        at.max(base.saturating_add(1))
    }

    fn wake(&mut self, now: u64) {
        let gap = self.last_call.map_or(0, |last| now.saturating_sub(last));
        if gap > limits::GAP_MS {
            // This computer slept: what waits in the network is heard first, and clocks start again.
            self.clocks.restart(now);
            if let Some(book) = &mut self.book {
                book.since = now;
            }
            for peer in self.peers.values_mut() {
                peer.heard = peer.heard.map(|_| now);
                peer.silent_from = now;
            }
        } else if self.suspended(now) {
            self.clocks.hold(gap);
            for peer in self.peers.values_mut() {
                peer.silent_from = peer.silent_from.saturating_add(gap);
            }
            if let Some(book) = &mut self.book {
                book.since = book.since.saturating_add(gap);
            }
        }
        self.last_call = Some(now);
    }

    /// Does everything that can be done now.
    fn pump(&mut self, now: u64) {
        // Each turn of the loop decides an entry or sends something that is sent once: it ends by itself.
        // The bound is for mistakes only.
        for _ in 0..10_000 {
            if self.is_behind(now) {
                break;
            }
            let mut moved = self.agree(now);
            if !self.halted {
                moved |= self.duties(now);
                moved |= self.accuse(now);
                moved |= self.join(now);
            }
            if !moved {
                break;
            }
        }
        self.periodic(now);
    }

    /// This node's seat.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        let core = self.state.core();
        core.seat_of(&self.me).filter(|s| core.seated(*s))
    }

    /// The state before the next entry.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The founding entry.
    #[must_use]
    pub fn founded(&self) -> &Founded {
        &self.founded
    }

    /// The decided entries, from height 1 on.
    #[must_use]
    pub fn log(&self) -> &[Arc<Decided>] {
        &self.log
    }

    /// This node's cards in the deal that is played.
    #[must_use]
    pub fn cards(&self) -> Option<[Card; 3]> {
        let playing = self.state.core().basis()?;
        self.my_cards.filter(|(deal, _)| *deal == playing.deal).map(|(_, cards)| cards)
    }

    /// Whether this node stopped: its rules engine gives another result than the others', or two entries were
    /// decided at one height.
    #[must_use]
    pub fn halted(&self) -> bool {
        self.halted
    }

    /// Entries whose result differs at another seat, in the order of the entries.
    #[must_use]
    pub fn differences(&self) -> Vec<(u64, Seat)> {
        self.differs.iter().map(|(seat, entry)| (*entry, *seat)).collect()
    }

    /// The lowest height that any peer heard of lately has open; who leaves waits for it.
    #[must_use]
    pub fn lowest_height(&self, now: u64) -> u64 {
        let core = self.state.core();
        core.electorate
            .iter()
            .filter_map(|s| core.key_of(*s))
            .filter(|k| *k != self.me)
            .filter_map(|k| self.peers.get(&k))
            .filter(|p| p.heard.is_some_and(|h| now.saturating_sub(h) < limits::HEARD_MS))
            .map(|p| p.height)
            .min()
            .unwrap_or(core.height)
    }

    fn emit(&mut self, mut event: Event) {
        if let Event::Table { you, .. } = &mut event {
            *you = self.seat();
        }
        self.outputs.push_back(Output::Event(event));
    }

    fn persist(&mut self, record: Record) {
        self.outputs.push_back(Output::Persist(Box::new(record)));
    }

    fn send(&mut self, to: To, message: &TableWire) {
        match wire::encode(message) {
            Ok(bytes) => self.outputs.push_back(Output::Send { to, bytes }),
            // What is too large to send was refused on its way in, so this cannot happen; saying nothing
            // is what a peer does that does not exist.
            Err(_) => debug_assert!(false, "a message that cannot be sent"),
        }
    }

    fn rng(&mut self) -> rand_chacha::ChaCha20Rng {
        rand_chacha::ChaCha20Rng::from_seed(self.checks.random())
    }
}

/// An error event; the screens put it into the player's language by its code.
fn error(code: &str, message: &str) -> Event {
    Event::Error { code: code.to_owned(), message: message.to_owned(), advice: String::new() }
}
