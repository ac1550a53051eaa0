//! The node's loop: one task that owns the table, fed by network, keyboard, clock and signals.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use trinka_net::{NetEvent, NetHandle, PeerKey};

use super::friends::Friends;
use super::gather::Gathering;
use super::join::Joining;
use super::lobby::{Lobby, LobbyMessage, TableAd};
use super::nudge::Nudge;
use super::outside::{log_to, read_lines, start_net};
use super::party::{Party, Told};
use super::signals::Signals;
use super::sitting::{Manner, Sitting};
use super::store::{self, Loaded, Store};
use super::{Role, Settings};
use crate::bots::{Bot, BotView};
use crate::cli::{Exit, TablePlan};
use crate::event::{Command, Event, WaitReason};
use crate::i18n::{Problem, messages};
use crate::identity::{Identity, PublicKey};
use crate::screens::Screen;
use crate::table::Input;
use crate::table::founding::{Player, Terms, rules_hash};
use crate::table::message::TableId;
use crate::table::{agreement, limits};

/// Milliseconds between hands at a table with people, so that a showdown can be read.
const PACE_MS: u64 = 2_500;
/// Milliseconds that a person has for the cut.
const CUT_MS: u64 = 6_000;
/// Milliseconds after which everybody around is told again who is here.
pub(super) const HERE_MS: u64 = 3_000;
/// Milliseconds that who leaves waits for a table that can decide nothing, because too few are there.
const LEAVE_MS: u64 = 10_000;
/// Milliseconds of being taken for a second process with one's own key before it is said: the links of
/// a process that ended a moment ago may not be closed everywhere.
pub(super) const COPIED_MS: u64 = 8_000;
/// Lines from the keyboard that may wait.
const LINES: usize = 64;

/// Where this node is.
pub(super) enum Place {
    /// Its own table, before it begins.
    Hosting(Box<Gathering>),
    /// Looking for a table.
    Looking(Joining),
    /// At a table.
    Playing(Box<Sitting>),
}

/// A running node.
pub struct Node {
    pub(super) settings: Settings,
    pub(super) id: Identity,
    pub(super) me: PublicKey,
    pub(super) name: String,
    pub(super) store: Store,
    pub(super) net: NetHandle,
    pub(super) lobby: Lobby,
    pub(super) place: Place,
    pub(super) screen: Box<dyn Screen + Send>,
    pub(super) bot: Option<(Bot, BotView)>,
    pub(super) started: Instant,
    pub(super) hello: bool,
    pub(super) advertised: Option<(u64, Vec<TableAd>)>,
    pub(super) roster: Vec<PublicKey>,
    pub(super) friends: Friends,
    pub(super) pointed_out: BTreeSet<PublicKey>,
    pub(super) leaving: bool,
    /// Whether what is being done was typed, and not wanted by the bot of this seat.
    pub(super) typed: bool,
    pub(super) keyboard_gone: Option<u64>,
    pub(super) other_versions: BTreeSet<u16>,
    pub(super) parting: bool,
    /// Bytes of frames to single peers, for the log.
    pub(super) sent_bytes: AtomicU64,
    /// Since when a table that is left can decide nothing.
    pub(super) stuck_since: Option<u64>,
    /// The bots that this node has started.
    pub(super) party: Option<Party>,
    /// Their keys, as far as they are known.
    pub(super) own_bots: BTreeSet<PublicKey>,
    /// What the bot of this seat will do, and when: it seems to think.
    pub(super) planned: VecDeque<(u64, Command)>,
    /// Who wants to be let in: key and name.
    pub(super) at_the_door: BTreeMap<PublicKey, String>,
    /// The question that the bot of this node has not answered.
    pub(super) nudge: Option<Nudge>,
    /// Since when others take this process for a copy, and whether that was said.
    pub(super) copied: Option<(u64, bool)>,
}

/// Where the player's lines come from.
pub(super) enum Keyboard {
    /// Standard input.
    Stdin,
    /// A screen that has the terminal to itself.
    Screen(mpsc::Receiver<String>),
}

/// What wakes the loop.
enum Wake {
    Net(Option<NetEvent>),
    Line(Option<String>),
    Time,
    Signal(Exit),
    Party(Told),
}

impl Node {
    /// Runs a node to its end.
    ///
    /// # Errors
    /// What keeps it from playing, in the player's words.
    pub(super) async fn run(
        settings: Settings,
        role: Role,
        screen: Box<dyn Screen + Send>,
        reader_gone: Arc<AtomicBool>,
        keyboard: Keyboard,
    ) -> Result<Exit, Problem> {
        let mut signals = Signals::new()?;
        let store = Store::open(&settings.data_dir)?;
        let (id, other_note) = store::identity(&settings.data_dir)?;
        let (friends, spoilt) = store.friends()?;
        log_to(&settings);
        let (net, mut events) = start_net(&settings, &id).await?;
        let (lines_in, read) = mpsc::channel(LINES);
        // A bot needs nobody at the keyboard: the channel stays open when stdin ends. From a terminal
        // it reads nothing, which would stop it in the background of a shell.
        let alone = settings.bot.is_some() && !settings.leash;
        let (lines, _open) = match keyboard {
            Keyboard::Screen(lines) => (lines, None),
            Keyboard::Stdin => {
                let open = alone.then(|| lines_in.clone());
                if !(alone && std::io::stdin().is_terminal()) {
                    read_lines(lines_in);
                }
                (read, open)
            }
        };
        let me = id.public();
        let name = settings
            .name
            .clone()
            .unwrap_or_else(|| format!("player-{}", &me.fingerprint().get(..4).unwrap_or("?")));
        let started = Instant::now();
        let bot = settings.bot.map(|(kind, seed)| (Bot::new(kind, seed), BotView::new()));
        let mut node = Node {
            place: Place::Looking(Joining::new(None, 0)),
            settings,
            id,
            me,
            name,
            store,
            net,
            lobby: Lobby::default(),
            screen,
            bot,
            started,
            hello: false,
            advertised: None,
            roster: Vec::new(),
            friends,
            pointed_out: BTreeSet::new(),
            leaving: false,
            typed: false,
            keyboard_gone: None,
            other_versions: BTreeSet::new(),
            parting: false,
            sent_bytes: AtomicU64::new(0),
            stuck_since: None,
            party: None,
            own_bots: BTreeSet::new(),
            planned: VecDeque::new(),
            at_the_door: BTreeMap::new(),
            nudge: None,
            copied: None,
        };
        for problem in other_note.into_iter().chain(spoilt) {
            node.problem(&problem)?;
        }
        node.say_hello();
        node.take_place(role).await?;
        let end = node.live(&mut signals, &mut events, lines, &reader_gone).await;
        if let Some(party) = node.party.take() {
            let table = party.table;
            party.stop().await;
            // Whoever comes back to the table brings them along.
            let over = node.settings.practice || matches!(end, Ok(Exit::Ok));
            if over || !matches!(node.place, Place::Playing(_)) {
                node.store.forget_party(table);
            }
        }
        let exit = end?;
        // What was just sent has to leave before the sockets close.
        tokio::time::sleep(Duration::from_millis(50)).await;
        let bytes = node.sent_bytes.load(Ordering::Relaxed);
        tracing::info!(
            "ends with {exit:?}; {bytes} bytes given to the network, {:?}",
            node.net.stats()
        );
        node.net.shutdown().await;
        Ok(exit)
    }

    /// Goes round until the node is done.
    async fn live(
        &mut self,
        signals: &mut Signals,
        events: &mut mpsc::Receiver<NetEvent>,
        mut lines: mpsc::Receiver<String>,
        reader_gone: &AtomicBool,
    ) -> Result<Exit, Problem> {
        let node = self;
        let mut typing = true;
        loop {
            node.say_hello();
            node.start_party()?;
            let wait = node.wait();
            let wake = tokio::select! {
                biased;
                exit = signals.next() => Wake::Signal(exit),
                event = events.recv() => Wake::Net(event),
                line = lines.recv(), if typing => Wake::Line(line),
                told = Party::told(node.party.as_mut()) => Wake::Party(told),
                () = tokio::time::sleep(wait) => Wake::Time,
            };
            let end = match wake {
                Wake::Signal(exit) => Some(exit),
                Wake::Net(Some(event)) => {
                    node.net_event(event).await?;
                    // Whatever else has come is taken before the clock is asked.
                    for _ in 0..256 {
                        match events.try_recv() {
                            Ok(event) => node.net_event(event).await?,
                            Err(_) => break,
                        }
                    }
                    None
                }
                Wake::Net(None) => {
                    return Err(Problem::Internal { reason: "the network has stopped".into() });
                }
                Wake::Line(Some(line)) => node.line(&line)?,
                Wake::Line(None) => {
                    typing = false;
                    node.no_more_lines()?
                }
                Wake::Party(told) => {
                    node.party_told(told)?;
                    None
                }
                Wake::Time => None,
            };
            let end = match end {
                Some(exit) => Some(exit),
                None if reader_gone.load(Ordering::Relaxed) => {
                    let reason = std::io::Error::from(std::io::ErrorKind::BrokenPipe).to_string();
                    return Err(Problem::BrokenOff { reason });
                }
                None => node.tick().await?,
            };
            if end == Some(Exit::BrokenOff) && node.leaving {
                let reason = messages::wait_quorum(node.settings.locale.lang);
                node.problem(&Problem::BrokenOff { reason })?;
            }
            if let Some(exit) = end {
                return Ok(exit);
            }
        }
    }

    pub(super) fn now(&self) -> u64 {
        // A clock that starts well above zero, so that "never" is smaller than any time.
        u64::try_from(self.started.elapsed().as_millis())
            .unwrap_or(u64::MAX)
            .saturating_add(1_000_000)
    }

    pub(super) fn manner(&self) -> Manner {
        // A bot that plays with people leaves them the same time to read.
        let bot = self.bot.is_some() && self.settings.pace_ms == 0;
        Manner {
            pace_ms: if bot { 0 } else { PACE_MS },
            cut_ms: if self.bot.is_some() { 0 } else { CUT_MS },
            admit_all: self.bot.is_some(),
            friends: self.friends.keys(),
        }
    }

    pub(super) fn addresses(&self) -> Vec<String> {
        self.net.listen_addrs().iter().take(limits::ADDRESSES).map(ToString::to_string).collect()
    }

    // ---- a place ----

    async fn take_place(&mut self, role: Role) -> Result<(), Problem> {
        match role {
            Role::Host(plan) => self.host(plan),
            Role::Join(target) => {
                if let Some(target) = &target
                    && let Some(address) = typed_address(target)
                {
                    // Fails only for what is no address, and this is one.
                    let _ = self.net.dial(&address).await;
                }
                if let Some(table) = self.stored(target.as_deref())
                    && self.resume(table)?
                {
                    return Ok(());
                }
                self.place = Place::Looking(Joining::new(target, self.now()));
                self.tell(&Event::Waiting { seats: Vec::new(), why: WaitReason::Table })
            }
        }
    }

    fn host(&mut self, plan: TablePlan) -> Result<(), Problem> {
        let mut nonce = [0u8; 16];
        getrandom::fill(&mut nonce).map_err(|e| Problem::Internal { reason: e.to_string() })?;
        let terms = Terms {
            name: plan.name.unwrap_or_else(|| self.name.clone()),
            house: rules_hash(&plan.rules),
            rules: plan.rules,
            buy_in: plan.buy_in,
            seats: plan.seats,
            think_ms: plan.think.saturating_mul(1_000),
            hands: plan.hands,
        };
        // Practice begins anew each time, and nobody could be found who goes on with it.
        let left = match self.settings.practice {
            true => None,
            false => self.store.left(Some(&terms.name)),
        };
        if let Some((table, name)) = left {
            self.problem(&Problem::TableLeft { name, table: table.to_string() })?;
        }
        let host = Player { key: self.me, name: self.name.clone(), addresses: self.addresses() };
        let gathering =
            Gathering::new(self.id.clone(), host, nonce, terms, usize::from(plan.min_players));
        self.place = Place::Hosting(Box::new(gathering));
        self.gathering_changed()?;
        self.tell(&Event::Waiting { seats: Vec::new(), why: WaitReason::Players })
    }

    /// A stored table that a person means by this target.
    fn stored(&self, target: Option<&str>) -> Option<TableId> {
        let tables = self.store.tables();
        let target = target?.to_lowercase();
        tables.into_iter().find(|t| target.len() >= 4 && t.to_string().starts_with(&target))
    }

    /// Comes back to a stored table. False when it is not stored, or its founding is damaged: then it is
    /// looked for.
    fn resume(&mut self, table: TableId) -> Result<bool, Problem> {
        let Some(sitting) = self.reopen(table)? else { return Ok(false) };
        self.sit_with_bots(sitting)?;
        Ok(true)
    }

    /// Comes back to a stored table that nobody tells of, if one has a seat there and it is not over: where the
    /// programs of all have ended, all come back like this.
    fn go_back(&mut self, table: TableId, name: String) -> Result<(), Problem> {
        let Some(sitting) = self.reopen(table)? else { return Ok(()) };
        let stored = sitting.table();
        if sitting.is_over() || stored.closed() || stored.halted() || stored.seat().is_none() {
            return Ok(());
        }
        self.problem(&Problem::GoingBack { name })?;
        self.sit_with_bots(sitting)
    }

    /// Sits down at a table that was gone back to. The bots that this node brought there come back with it:
    /// they have votes.
    fn sit_with_bots(&mut self, sitting: Sitting) -> Result<(), Problem> {
        let table = sitting.id;
        let (companions, spoilt) = self.store.party(table)?;
        self.problems(spoilt.as_slice())?;
        for companion in companions {
            // Without its key it would be somebody new, and the seat stays empty.
            if !self.store.has_bot(table, companion.number) {
                self.problem(&Problem::BotEnded { name: companion.name })?;
                continue;
            }
            // It is no friend, also before it has told who it is.
            self.own_bots.extend(self.store.bot_key(table, companion.number));
            self.settings.companions.push(companion);
        }
        self.sit(sitting)
    }

    fn reopen(&mut self, table: TableId) -> Result<Option<Sitting>, Problem> {
        let Loaded { found, damage } = self.store.load(table)?;
        let Some((found, files)) = found else {
            self.problems(&damage)?;
            return Ok(None);
        };
        if let Some(torn) = &found.torn {
            tracing::warn!(
                "the end of the log was cut off by a crash and put aside in {}",
                torn.display()
            );
        }
        let (now, manner) = (self.now(), self.manner());
        let (sitting, damage) =
            Sitting::resume(self.id.clone(), table, found, files, damage, &manner, now)?;
        self.problems(&damage)?;
        Ok(Some(sitting))
    }

    pub(super) fn sit(&mut self, mut sitting: Sitting) -> Result<(), Problem> {
        let now = self.now();
        for (key, _) in self.lobby.peers() {
            if sitting.is_member(key) {
                sitting.handle(now, Input::Peer { key: *key, up: true });
            } else if self.lobby.plays(key, sitting.id) {
                // It sat down when those that the founding names may have gone.
                sitting.add_member(now, *key);
            }
        }
        if sitting.table().seat().is_none() {
            let (name, addresses) = (self.name.clone(), self.addresses());
            sitting.handle(now, Input::Sit { name, addresses });
        }
        self.place = Place::Playing(Box::new(sitting));
        Ok(())
    }

    // ---- the clock ----

    fn wait(&self) -> Duration {
        let now = self.now();
        let at = match &self.place {
            Place::Playing(sitting) => sitting.timeout(),
            Place::Hosting(g) => g.timeout().unwrap_or(now + 500).min(now + 500),
            Place::Looking(_) => now + 100,
        };
        let at = self.planned.front().map_or(at, |(due, _)| at.min(*due));
        Duration::from_millis(at.saturating_sub(now).clamp(1, 1_000))
    }

    async fn tick(&mut self) -> Result<Option<Exit>, Problem> {
        let now = self.now();
        match &mut self.place {
            Place::Playing(sitting) => sitting.handle(now, Input::Tick),
            Place::Hosting(gathering) => {
                let steps = gathering.tick(now);
                self.host_steps(steps)?;
            }
            Place::Looking(joining) => {
                joining.choose(now, &self.lobby)?;
                if joining.is_unseen(now, &self.lobby)
                    && let Some((table, name)) = self.store.left(joining.target())
                {
                    self.go_back(table, name)?;
                    return Ok(None);
                }
                let notice = joining.notice(now, &self.lobby);
                let ask = joining.ask(now, &self.lobby);
                if let Some(table) = joining.chosen() {
                    if self.store.tables().contains(&table) && self.resume(table)? {
                        return Ok(None);
                    }
                    let join = LobbyMessage::Join {
                        table,
                        name: self.name.clone(),
                        addresses: self.addresses(),
                    };
                    for key in ask {
                        self.say(key, join.clone());
                    }
                }
                if let Some(notice) = notice {
                    self.problem(&notice)?;
                }
            }
        }
        self.do_what_was_planned()?;
        self.wake_bot()?;
        self.leave_without_keyboard()?;
        self.drain()?;
        self.stay()?;
        self.keep_roster().await;
        self.advertise();
        let now = self.now();
        let mut parting = false;
        if let Place::Playing(sitting) = &mut self.place {
            if let Some(exit) = sitting.finished(now) {
                return Ok(Some(exit));
            }
            parting = sitting.parts();
        }
        if parting && !std::mem::replace(&mut self.parting, true) {
            self.tell(&Event::Waiting { seats: Vec::new(), why: WaitReason::Leaving })?;
        }
        Ok(if self.leaving { self.gone(now) } else { None })
    }

    /// Who has started the program to play stays: that it left takes effect only now where it said so in a
    /// program that ended too soon.
    fn stay(&mut self) -> Result<(), Problem> {
        let Place::Playing(sitting) = &mut self.place else { return Ok(()) };
        if self.leaving || !sitting.is_unseated() {
            return Ok(());
        }
        let (now, own, addresses) = (self.now(), self.name.clone(), self.addresses());
        let Place::Playing(sitting) = &mut self.place else { return Ok(()) };
        let name = sitting.table().state().core().terms.name.clone();
        sitting.sit_again(now, own, addresses);
        self.problem(&Problem::LeftBefore { name })?;
        self.drain()
    }

    /// How who wants to leave ends, where the table need not or cannot decide it.
    fn gone(&mut self, now: u64) -> Option<Exit> {
        let Place::Playing(sitting) = &self.place else { return Some(Exit::Ok) };
        if sitting.table().seat().is_none() {
            // It never had a seat, or has it no more and the others know that: `finished` sees to the rest.
            return (!sitting.ever_seated()).then_some(Exit::Ok);
        }
        let core = sitting.table().state().core();
        let here = |key: &PublicKey| *key == self.me || self.lobby.peer(key).is_some();
        let voters = core.electorate.iter().filter_map(|s| core.key_of(*s)).filter(here).count();
        if voters >= agreement::quorum(core.electorate.len()) {
            self.stuck_since = None;
            return None;
        }
        let since = *self.stuck_since.get_or_insert(now);
        (now >= since.saturating_add(LEAVE_MS)).then_some(Exit::BrokenOff)
    }

    /// Everybody at the table is to be connected, wherever it said that it can be reached.
    async fn keep_roster(&mut self) {
        let Place::Playing(sitting) = &self.place else { return };
        let fresh: Vec<(PublicKey, Vec<SocketAddr>)> = sitting
            .roster()
            .filter(|(key, _)| *key != self.me && !self.roster.contains(key))
            .map(|(key, addresses)| {
                (key, addresses.iter().filter_map(|a| a.parse().ok()).collect())
            })
            .collect();
        for (key, addresses) in fresh {
            self.roster.push(key);
            self.net.add_peer(PeerKey(key.0), addresses).await;
        }
    }
}

/// A target that is an address, with its port.
fn typed_address(target: &str) -> Option<String> {
    let with_port = target.parse::<SocketAddr>().ok();
    let bare = target
        .parse::<std::net::IpAddr>()
        .ok()
        .map(|ip| SocketAddr::new(ip, trinka_net::DEFAULT_PORT));
    with_port.or(bare).map(|a| a.to_string())
}
