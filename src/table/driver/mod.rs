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
mod player;
mod pool;
mod proofs;
mod restore;
mod sync;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};
use trinka_crypto::SecretKey;
use zeroize::Zeroizing;

use self::clocks::Clocks;
pub use self::forgot::Forgot;
pub use self::player::Unanswered;
use self::pool::Pool;
use super::agreement::{self, Height, ValueId};
use super::dealbook::DealBook;
use super::fork::Fork;
use super::founding::{Founded, FoundingError};
use super::ledger::{Applied, Checks, Core, Shared, State};
use super::limits;
use super::message::{Basis, Decided, Free, Hash, LogId, Signed, StepId};
use crate::event::{Command, Event, WaitReason};
use crate::identity::{Identity, PublicKey};
use crate::rules::{Card, Seat};
use crate::wire::{self, WireError};

/// What a table is driven with.
pub struct TableConfig {
    /// Who signs here.
    pub identity: Identity,
    /// The founding entry with its signatures.
    pub founded: Founded,
    /// Seed of all randomness of this node at this table: unpredictable, never used twice.
    pub seed: [u8; 32],
    /// Larger at every start of this node (seconds since 1970 will do), so that heartbeats after a restart
    /// are newer than those before.
    pub start: u64,
    /// Milliseconds between the end of a hand and one's own proposal of the next, so that people can read.
    pub pace_ms: u64,
    /// Milliseconds that a person has for the cut before the program cuts at random; 0 cuts at once.
    pub cut_ms: u64,
    /// Accept every newcomer's key as a voter; otherwise only friends, and others when told.
    pub admit_all: bool,
    /// Keys accepted without asking.
    pub friends: BTreeSet<PublicKey>,
    /// Changes every state behind the rules' back; only for trying out that others notice.
    #[doc(hidden)]
    pub alter: Option<fn(&mut Core)>,
    /// What other tables of this process have verified; only for simulations of whole tables.
    pub shared: Option<Shared>,
}

/// What happens to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Bytes from a peer (an encoded [`TableWire`]).
    Wire {
        /// Who sent them, as the transport proved.
        from: PublicKey,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A peer at this table is reachable, or not any more.
    Peer {
        /// Who.
        key: PublicKey,
        /// Reachable.
        up: bool,
    },
    /// What this seat's player wants.
    Command(Command),
    /// Take a seat as a newcomer.
    Sit {
        /// A label.
        name: String,
        /// Where this node can be reached.
        addresses: Vec<String>,
    },
    /// As many records as were given out since the last call are durable.
    Persisted,
    /// Time has passed.
    Tick,
}

/// Whom to send to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Everybody at this table.
    All,
    /// One peer.
    One(PublicKey),
}

/// What a table wants done, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Make this durable, then say [`Input::Persisted`].
    Persist(Box<Record>),
    /// Send these bytes.
    Send {
        /// To whom.
        to: To,
        /// An encoded [`TableWire`].
        bytes: Vec<u8>,
    },
    /// Tell the player.
    Event(Event),
    /// A hand has ended; this is its proof.
    Transcript {
        /// The hand.
        hand: u64,
        /// The file.
        bytes: Vec<u8>,
    },
    /// A proof that is no transcript: of a fork, or of where a closed table stands.
    File {
        /// Its name behind the table's id.
        name: String,
        /// The file.
        bytes: Vec<u8>,
    },
    /// The secrets of all deals up to this number are not needed any more: erase them.
    EraseSecrets {
        /// The deal.
        deal: u64,
    },
}

/// What has to be durable. Given back in order to [`Table::restore`] after a crash.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Record {
    /// A message that this node signed.
    Own(Signed),
    /// The hand key of a deal (32 bytes). Kept apart from the others, and erased.
    Secret {
        /// The deal's number.
        deal: u64,
        /// The key.
        key: Zeroizing<[u8; 32]>,
    },
    /// A record of the agreement at a height.
    Agreement {
        /// The height.
        height: u64,
        /// The record.
        record: agreement::Record,
    },
    /// A decided entry.
    Decided(Decided),
    /// Two certificates for one height: the table has ended.
    Fork(Box<Fork>),
    /// What this node has signed may be missing from these records.
    Forgot(Forgot),
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Record::Own(m) => write!(f, "Own({} bytes)", m.bytes.len()),
            Record::Secret { deal, .. } => write!(f, "Secret({deal}, redacted)"),
            Record::Agreement { height, .. } => write!(f, "Agreement({height})"),
            Record::Decided(d) => write!(f, "Decided({} bytes)", d.entry.len()),
            Record::Fork(fork) => write!(f, "Fork({})", fork.height()),
            Record::Forgot(forgot) => write!(f, "{forgot:?}"),
        }
    }
}

/// What peers at a table send each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableWire {
    /// A message of the agreement.
    Agreement {
        /// Its height.
        height: u64,
        /// As the agreement encodes it.
        bytes: Vec<u8>,
    },
    /// Signed messages: for the log, of a deal, heartbeats, chat.
    Messages(Vec<Signed>),
    /// Decided entries, from this height on.
    Entries {
        /// The height of the first.
        from: u64,
        /// The entries.
        entries: Vec<Decided>,
    },
    /// Two certificates for one height.
    Fork(Box<Fork>),
}

/// Why a table could not be opened again, or had to refuse an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The founding entry.
    #[error(transparent)]
    Founding(#[from] FoundingError),
    /// Unreadable bytes.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// A stored entry does not follow from those before it.
    #[error("stored entry {height} does not follow from those before it: {why}")]
    Stored {
        /// Its height.
        height: u64,
        /// Why.
        why: String,
    },
    /// The agreement could not be opened.
    #[error("agreement at height {height}: {why}")]
    Agreement {
        /// The height.
        height: u64,
        /// Why.
        why: String,
    },
}

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
