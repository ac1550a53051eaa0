//! The node's loop: one task that owns the table, fed by network, keyboard, clock and signals.

use std::collections::BTreeSet;
use std::io::BufRead as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use trinka_net::{FoundBy, NetConfig, NetError, NetEvent, NetHandle, PeerKey, Refusal};

use super::friends::Friends;
use super::gather::{Gathering, Step};
use super::join::Joining;
use super::lobby::{Frame, Lobby, LobbyMessage, MAGIC, NoSeat, TableAd};
use super::sitting::{Effect, Manner, Sitting};
use super::store::{self, Store};
use super::{Listing, Role, Settings};
use crate::bots::{Bot, BotView};
use crate::cli::{Exit, TablePlan};
use crate::event::{self, Command, Event, MAX_LINE, WaitReason};
use crate::i18n::Problem;
use crate::identity::{Identity, PublicKey};
use crate::rules::Seat;
use crate::screens::{Screen, rules_in_short};
use crate::table::Input;
use crate::table::founding::{Player, Terms};
use crate::table::ledger::Stage;
use crate::table::{agreement, limits};
use crate::table::message::TableId;
use crate::wire::{self, PROTOCOL_VERSION};

/// Milliseconds between hands at a table with people, so that a showdown can be read.
const PACE_MS: u64 = 2_500;
/// Milliseconds that a person has for the cut.
const CUT_MS: u64 = 6_000;
/// Milliseconds after which everybody around is told again who is here.
const HERE_MS: u64 = 3_000;
/// Milliseconds that who leaves waits for a table that can decide nothing, because too few are there.
const LEAVE_MS: u64 = 10_000;
/// Milliseconds of being taken for a second process with one's own key before it is said: the links of
/// a process that ended a moment ago may not be closed everywhere.
const COPIED_MS: u64 = 8_000;
/// Lines from the keyboard that may wait.
const LINES: usize = 64;

/// Where this node is.
enum Place {
    /// Its own table, before it begins.
    Hosting(Box<Gathering>),
    /// Looking for a table.
    Looking(Joining),
    /// At a table.
    Playing(Box<Sitting>),
}

/// A running node.
pub struct Node {
    settings: Settings,
    id: Identity,
    me: PublicKey,
    name: String,
    store: Store,
    net: NetHandle,
    lobby: Lobby,
    place: Place,
    screen: Box<dyn Screen + Send>,
    bot: Option<(Bot, BotView)>,
    started: Instant,
    hello: bool,
    advertised: Option<(u64, Vec<TableAd>)>,
    roster: Vec<PublicKey>,
    friends: Friends,
    pointed_out: BTreeSet<PublicKey>,
    leaving: bool,
    /// Bytes of frames to single peers, for the log.
    sent_bytes: AtomicU64,
    /// Since when a table that is left can decide nothing.
    stuck_since: Option<u64>,
    /// Since when others take this process for a copy, and whether that was said.
    copied: Option<(u64, bool)>,
}

/// What wakes the loop.
enum Wake {
    Net(Option<NetEvent>),
    Line(Option<String>),
    Time,
    Signal(Exit),
}

impl Node {
    /// Runs a node to its end.
    ///
    /// # Errors
    /// What keeps it from playing, in the player's words.
    pub async fn run(settings: Settings, role: Role, screen: Box<dyn Screen + Send>) -> Result<Exit, Problem> {
        let mut signals = Signals::new()?;
        let store = Store::open(&settings.data_dir)?;
        let id = store::identity(&settings.data_dir)?;
        let friends = store.friends()?;
        log_to(&settings);
        let (net, mut events) = start_net(&settings, &id).await?;
        let (lines_in, mut lines) = mpsc::channel(LINES);
        if settings.bot.is_none() {
            read_lines(lines_in);
        } else {
            // A bot needs nobody at the keyboard; the channel stays open and silent.
            std::mem::forget(lines_in);
        }
        let me = id.public();
        let name = settings.name.clone().unwrap_or_else(|| format!("player-{}", &me.fingerprint().get(..4).unwrap_or("?")));
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
            sent_bytes: AtomicU64::new(0),
            stuck_since: None,
            copied: None,
        };
        node.say_hello();
        node.take_place(role).await?;
        let mut typing = true;
        loop {
            node.say_hello();
            let wait = node.wait();
            let wake = tokio::select! {
                biased;
                exit = signals.next() => Wake::Signal(exit),
                event = events.recv() => Wake::Net(event),
                line = lines.recv(), if typing => Wake::Line(line),
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
                Wake::Net(None) => return Err(Problem::Internal { reason: "the network has stopped".into() }),
                Wake::Line(Some(line)) => node.line(&line)?,
                Wake::Line(None) => {
                    typing = false;
                    node.no_more_lines()?
                }
                Wake::Time => None,
            };
            let end = match end {
                Some(exit) => Some(exit),
                None => node.tick().await?,
            };
            if let Some(exit) = end {
                // What was just sent has to leave before the sockets close.
                tokio::time::sleep(Duration::from_millis(50)).await;
                let bytes = node.sent_bytes.load(Ordering::Relaxed);
                tracing::info!("ends with {exit:?}; {bytes} bytes given to the network, {:?}", node.net.stats());
                node.net.shutdown().await;
                return Ok(exit);
            }
        }
    }

    fn now(&self) -> u64 {
        // A clock that starts well above zero, so that "never" is smaller than any time.
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1_000_000)
    }

    fn manner(&self) -> Manner {
        let bot = self.bot.is_some();
        Manner {
            pace_ms: if bot { 0 } else { PACE_MS },
            cut_ms: if bot { 0 } else { CUT_MS },
            admit_all: bot,
            friends: self.friends.keys(),
        }
    }

    fn addresses(&self) -> Vec<String> {
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
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(|e| Problem::Internal { reason: e.to_string() })?;
        let terms = Terms {
            name: plan.name.unwrap_or_else(|| self.name.clone()),
            rules: plan.rules,
            buy_in: plan.buy_in,
            seats: plan.seats,
            think_ms: plan.think.saturating_mul(1_000),
            hands: plan.hands,
        };
        let host = Player { key: self.me, name: self.name.clone(), addresses: self.addresses() };
        let gathering =
            Gathering::new(self.id.clone(), host, TableId(bytes), terms, usize::from(plan.min_players));
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

    /// Comes back to a stored table. False when it is not stored, or was over.
    fn resume(&mut self, table: TableId) -> Result<bool, Problem> {
        let Some((found, files)) = self.store.load(table)? else { return Ok(false) };
        if let Some(torn) = &found.torn {
            tracing::warn!("the end of the log was cut off by a crash and put aside in {}", torn.display());
        }
        let now = self.now();
        let sitting = Sitting::resume(self.id.clone(), table, found, files, &self.manner(), now)?;
        self.sit(sitting)?;
        Ok(true)
    }

    fn sit(&mut self, mut sitting: Sitting) -> Result<(), Problem> {
        let now = self.now();
        let connected: Vec<PublicKey> = self.lobby.peers().map(|(k, _)| *k).collect();
        for key in connected {
            if sitting.is_member(&key) {
                sitting.handle(now, Input::Peer { key, up: true });
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
                let ask = joining.ask(now, &self.lobby);
                if let Some(table) = joining.chosen() {
                    if self.store.tables().contains(&table) && self.resume(table)? {
                        return Ok(None);
                    }
                    let join =
                        LobbyMessage::Join { table, name: self.name.clone(), addresses: self.addresses() };
                    for key in ask {
                        self.say(key, join.clone());
                    }
                }
            }
        }
        self.drain()?;
        self.keep_roster().await;
        self.advertise();
        let now = self.now();
        if let Place::Playing(sitting) = &mut self.place
            && let Some(exit) = sitting.finished(now)
        {
            return Ok(Some(exit));
        }
        Ok(if self.leaving { self.gone(now) } else { None })
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
            .map(|(key, addresses)| (key, addresses.iter().filter_map(|a| a.parse().ok()).collect()))
            .collect();
        for (key, addresses) in fresh {
            self.roster.push(key);
            self.net.add_peer(PeerKey(key.0), addresses).await;
        }
    }

    // ---- the network ----

    async fn net_event(&mut self, event: NetEvent) -> Result<(), Problem> {
        match event {
            NetEvent::Found { peer, addrs, by } => {
                let by = match by {
                    FoundBy::Mdns => "mdns",
                    FoundBy::Beacon => "beacon",
                    FoundBy::Typed | FoundBy::Roster | FoundBy::Inbound => "address",
                };
                let address = addrs.first().map(ToString::to_string).unwrap_or_default();
                self.tell(&Event::Found { peer: wire::hex(&peer.0), by: by.to_owned(), address })?;
            }
            NetEvent::Connected { peer, addr, .. } => {
                let key = PublicKey(peer.0);
                self.lobby.connected(key, addr);
                self.say(key, self.here());
                let now = self.now();
                if let Place::Playing(sitting) = &mut self.place
                    && sitting.is_member(&key)
                {
                    sitting.handle(now, Input::Peer { key, up: true });
                }
            }
            NetEvent::Disconnected { peer } => {
                let key = PublicKey(peer.0);
                self.lobby.disconnected(&key);
                let now = self.now();
                match &mut self.place {
                    Place::Playing(sitting) => sitting.handle(now, Input::Peer { key, up: false }),
                    Place::Hosting(gathering) => {
                        let steps = gathering.gone(now, &key);
                        self.host_steps(steps)?;
                    }
                    Place::Looking(_) => {}
                }
            }
            NetEvent::Frame { peer, bytes } => self.frame(PublicKey(peer.0), &bytes)?,
            NetEvent::VersionMismatch { theirs, ours, .. } => {
                self.problem(&Problem::OtherVersion { theirs: theirs.to_string(), ours: ours.to_string() })?;
            }
            NetEvent::DialFailed { address, why } => {
                self.problem(&Problem::CannotReach { address, reason: why })?;
            }
            NetEvent::Refused { why: Refusal::OtherInstance, by_them: true, .. } => {
                let now = self.now();
                let (since, said) = *self.copied.get_or_insert((now, false));
                if !said && now >= since.saturating_add(COPIED_MS) {
                    self.copied = Some((since, true));
                    self.problem(&Problem::IdentityCopied)?;
                }
            }
            NetEvent::Refused { addr, why, .. } => tracing::info!("refused {addr}: {why:?}"),
            NetEvent::MulticastTrouble(why) => tracing::warn!("mDNS: {why}"),
            NetEvent::BeaconTrouble(why) => tracing::warn!("beacon: {why}"),
            other => tracing::debug!("{other:?}"),
        }
        Ok(())
    }

    fn frame(&mut self, from: PublicKey, bytes: &[u8]) -> Result<(), Problem> {
        match wire::decode::<Frame>(bytes) {
            Ok(Frame::Lobby(message)) => self.lobby_message(from, message),
            Ok(Frame::Table { table, bytes }) => {
                let now = self.now();
                if let Place::Playing(sitting) = &mut self.place
                    && sitting.id == table
                {
                    sitting.handle(now, Input::Wire { from, bytes });
                }
                Ok(())
            }
            Err(e) => {
                tracing::info!("unreadable frame from {from}: {e}");
                Ok(())
            }
        }
    }

    fn lobby_message(&mut self, from: PublicKey, message: LobbyMessage) -> Result<(), Problem> {
        let now = self.now();
        match message {
            LobbyMessage::Here { name, tables } => self.lobby.here(from, name, tables),
            LobbyMessage::Join { table, name, addresses } => match &mut self.place {
                Place::Hosting(gathering) if gathering.table == table => {
                    let steps = gathering.join(now, from, name, addresses);
                    self.host_steps(steps)?;
                }
                Place::Playing(sitting) if sitting.id == table => {
                    let core = sitting.table().state().core();
                    let known = core.seat_of(&from).is_some();
                    let full = core.taken() >= usize::from(core.terms.seats);
                    let answer = if full && !known {
                        LobbyMessage::Refused { table, why: NoSeat::Full }
                    } else {
                        let founded = sitting.table().founded().clone();
                        sitting.add_member(now, from);
                        LobbyMessage::Founded { table, founded }
                    };
                    self.say(from, answer);
                }
                _ => self.say(from, LobbyMessage::Refused { table, why: NoSeat::Unknown }),
            },
            LobbyMessage::Signed { table, log, signature } => {
                if let Place::Hosting(gathering) = &mut self.place
                    && gathering.table == table
                {
                    let steps = gathering.signed(&from, &log, signature);
                    self.host_steps(steps)?;
                }
            }
            LobbyMessage::Waiting { table, players } => self.waiting(table, &players)?,
            LobbyMessage::Sign { table, bytes } => {
                if let Place::Looking(joining) = &self.place
                    && joining.has_asked(&from)
                    && let Some(answer) = joining.sign(&self.id, table, &bytes)?
                {
                    self.say(from, answer);
                }
            }
            LobbyMessage::Founded { table, founded } => {
                if matches!(&self.place, Place::Looking(j) if j.chosen() == Some(table) && j.has_asked(&from)) {
                    let sitting =
                        Sitting::begin(self.id.clone(), founded, &self.store, &self.manner(), now)?;
                    if sitting.id == table {
                        self.sit(sitting)?;
                    }
                }
            }
            LobbyMessage::Refused { table, why } => {
                if let Place::Looking(joining) = &mut self.place
                    && joining.has_asked(&from)
                    && let Some(problem) = joining.refused(table, why, &self.lobby)
                {
                    return Err(problem);
                }
            }
        }
        Ok(())
    }

    fn waiting(&mut self, table: TableId, players: &[Player]) -> Result<(), Problem> {
        let Place::Looking(joining) = &mut self.place else { return Ok(()) };
        let first = joining.chosen() == Some(table) && !std::mem::replace(&mut joining.waiting, true);
        if first {
            tracing::info!("seated with {} others", players.len());
            self.tell(&Event::Waiting { seats: Vec::new(), why: WaitReason::Host })?;
        }
        Ok(())
    }

    fn host_steps(&mut self, steps: Vec<Step>) -> Result<(), Problem> {
        for step in steps {
            match step {
                Step::Tell(key, message) => self.say(key, message),
                Step::Changed => self.gathering_changed()?,
                Step::Founded(founded) => {
                    let Place::Hosting(gathering) = &self.place else { continue };
                    let message =
                        LobbyMessage::Founded { table: gathering.table, founded: (*founded).clone() };
                    let others: Vec<PublicKey> =
                        gathering.players().iter().map(|p| p.key).filter(|k| *k != self.me).collect();
                    let now = self.now();
                    // Stored before it is told: with the last signature the table exists.
                    let sitting =
                        Sitting::begin(self.id.clone(), *founded, &self.store, &self.manner(), now)?;
                    self.sit(sitting)?;
                    for key in others {
                        self.say(key, message.clone());
                    }
                }
            }
        }
        Ok(())
    }

    /// Tells the host who sits at its table before it begins.
    fn gathering_changed(&mut self) -> Result<(), Problem> {
        let Place::Hosting(gathering) = &self.place else { return Ok(()) };
        let seats = gathering
            .players()
            .iter()
            .zip(0u8..)
            .map(|(p, i)| event::SeatInfo { seat: Seat(i), name: p.name.clone(), stack: gathering.terms.buy_in })
            .collect();
        let event = Event::Table {
            id: gathering.table.to_string(),
            name: gathering.terms.name.clone(),
            rules: Box::new(gathering.terms.rules.clone()),
            seats,
            you: Some(Seat(0)),
        };
        self.tell(&event)
    }

    fn here(&self) -> LobbyMessage {
        LobbyMessage::Here { name: self.name.clone(), tables: self.ads() }
    }

    fn ads(&self) -> Vec<TableAd> {
        match &self.place {
            Place::Hosting(g) => vec![TableAd {
                id: g.table,
                name: g.terms.name.clone(),
                rules: rules_in_short(&g.terms.rules),
                players: g.players().iter().map(|p| p.name.clone()).collect(),
                seats: g.terms.seats,
                playing: false,
                hosting: true,
            }],
            Place::Playing(s) => {
                let core = s.table().state().core();
                if core.stage == Stage::Over || s.table().seat().is_none() {
                    return Vec::new();
                }
                vec![TableAd {
                    id: s.id,
                    name: core.terms.name.clone(),
                    rules: rules_in_short(&core.terms.rules),
                    players: s.names(),
                    seats: core.terms.seats,
                    playing: true,
                    hosting: s.table().seat() == Some(Seat(0)),
                }]
            }
            Place::Looking(_) => Vec::new(),
        }
    }

    /// Tells everybody around when something about the own tables changed, and now and then without that:
    /// what was sent may be lost when two nodes have dialled each other and one of the links is given up.
    fn advertise(&mut self) {
        let (now, ads) = (self.now(), self.ads());
        if self.advertised.as_ref().is_some_and(|(at, told)| *told == ads && now < at.saturating_add(HERE_MS)) {
            return;
        }
        let frame = Frame::Lobby(LobbyMessage::Here { name: self.name.clone(), tables: ads.clone() });
        if let Ok(bytes) = wire::encode(&frame) {
            self.net.broadcast(&bytes);
        }
        self.advertised = Some((now, ads));
    }

    fn say(&self, to: PublicKey, message: LobbyMessage) {
        self.send(to, &Frame::Lobby(message));
    }

    fn send(&self, to: PublicKey, frame: &Frame) {
        let sent = wire::encode(frame).map(|bytes| {
            self.sent_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            self.net.send(PeerKey(to.0), bytes)
        });
        if let Ok(Err(e)) = sent {
            tracing::debug!("not sent to {to}: {e}");
        }
    }

    // ---- the table ----

    fn drain(&mut self) -> Result<(), Problem> {
        loop {
            let now = self.now();
            let Place::Playing(sitting) = &mut self.place else { return Ok(()) };
            let table = sitting.id;
            let effects = sitting.drain(now, &self.store, self.me)?;
            if effects.is_empty() {
                return Ok(());
            }
            for effect in effects {
                match effect {
                    Effect::Send(key, bytes) => self.send(key, &Frame::Table { table, bytes }),
                    Effect::Event(event) => self.table_event(&event)?,
                }
            }
        }
    }

    /// What the table tells: its problems in the player's language, everything else as it is.
    fn table_event(&mut self, event: &Event) -> Result<(), Problem> {
        let Event::Error { code, message, .. } = event else {
            if matches!(event, Event::Settled { .. } | Event::Table { .. }) {
                self.meet()?;
            }
            return self.tell(event);
        };
        let Place::Playing(sitting) = &self.place else { return Ok(()) };
        let problem = localized(sitting, code, message);
        let naming = |seat: Seat| sitting.name_of(seat);
        let told = problem.event(self.settings.locale.lang, &naming);
        self.tell(&told)
    }

    /// Remembers who was played with, and points out a known nickname with another key.
    fn meet(&mut self) -> Result<(), Problem> {
        let Place::Playing(sitting) = &self.place else { return Ok(()) };
        let finished = sitting.table().state().core().finished > 0;
        let players: Vec<(PublicKey, String)> = sitting.players().filter(|(k, _)| *k != self.me).collect();
        for (key, name) in players {
            if self.friends.is_stranger_with_known_name(&key, &name) && self.pointed_out.insert(key) {
                self.problem(&Problem::OtherKey { name: name.clone() })?;
            }
            if finished && self.friends.add(key, &name) {
                self.store.save_friends(&self.friends)?;
            }
        }
        Ok(())
    }

    // ---- the player ----

    fn say_hello(&mut self) {
        let listen = self.addresses();
        if self.hello || listen.is_empty() {
            return;
        }
        self.hello = true;
        let hello = Event::Hello {
            peer: self.me.hex(),
            fingerprint: self.me.fingerprint(),
            listen,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        // A screen that is gone is noticed at the next event.
        let _ = self.tell(&hello);
    }

    fn tell(&mut self, event: &Event) -> Result<(), Problem> {
        self.screen.event(event).map_err(|e| Problem::BrokenOff { reason: e.to_string() })?;
        let Some((bot, view)) = &mut self.bot else { return Ok(()) };
        view.observe(event);
        let mut commands = Vec::new();
        while let Some(command) = bot.decide(view) {
            commands.push(command);
            if commands.len() >= 16 {
                break;
            }
        }
        for command in commands {
            self.command(command)?;
        }
        Ok(())
    }

    fn problem(&mut self, problem: &Problem) -> Result<(), Problem> {
        self.screen.problem(problem).map_err(|e| Problem::BrokenOff { reason: e.to_string() })
    }

    fn line(&mut self, line: &str) -> Result<Option<Exit>, Problem> {
        let command =
            self.screen.command(line).map_err(|e| Problem::BrokenOff { reason: e.to_string() })?;
        if let Some(command) = command {
            self.command(command)?;
        }
        Ok(None)
    }

    fn command(&mut self, command: Command) -> Result<(), Problem> {
        let now = self.now();
        self.leaving |= command == Command::Leave;
        match &mut self.place {
            Place::Playing(sitting) => {
                if let Some(refusal) = sitting.table().refusal(&command) {
                    return self.problem(&Problem::Rules(refusal));
                }
                sitting.handle(now, Input::Command(command));
                Ok(())
            }
            Place::Hosting(gathering) if command == Command::Start => {
                let seated = gathering.players().len();
                if seated < 2 {
                    return self.problem(&Problem::TooFewSeated { seated: seated as u64, least: 2 });
                }
                let steps = gathering.begin(now);
                self.host_steps(steps)
            }
            Place::Looking(_) if command == Command::Start => self.problem(&Problem::HostOnly),
            _ if command == Command::Leave => Ok(()),
            _ => self.problem(&Problem::NotYourWord),
        }
    }

    /// The keyboard is gone: that is leaving.
    fn no_more_lines(&mut self) -> Result<Option<Exit>, Problem> {
        if self.leaving {
            // Said already; the table still has to decide it.
            return Ok(None);
        }
        self.command(Command::Leave)?;
        Ok(None)
    }
}

/// Ctrl-C and termination.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> Result<Self, Problem> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let fail = |e: std::io::Error| Problem::Internal { reason: e.to_string() };
            Ok(Signals {
                interrupt: signal(SignalKind::interrupt()).map_err(fail)?,
                terminate: signal(SignalKind::terminate()).map_err(fail)?,
                hang_up: signal(SignalKind::hangup()).map_err(fail)?,
            })
        }
        #[cfg(not(unix))]
        Ok(Signals {})
    }

    async fn next(&mut self) -> Exit {
        #[cfg(unix)]
        tokio::select! {
            _ = self.interrupt.recv() => Exit::Interrupted,
            _ = self.terminate.recv() => Exit::Terminated,
            _ = self.hang_up.recv() => Exit::Terminated,
        }
        #[cfg(not(unix))]
        {
            let _ = tokio::signal::ctrl_c().await;
            Exit::Interrupted
        }
    }
}

async fn start_net(settings: &Settings, id: &Identity) -> Result<(NetHandle, mpsc::Receiver<NetEvent>), Problem> {
    let mut config = NetConfig::new(*id.seed(), MAGIC, PROTOCOL_VERSION);
    let mut instance = [0u8; 16];
    getrandom::fill(&mut instance).map_err(|e| Problem::Internal { reason: e.to_string() })?;
    config.hello_extra = instance.to_vec();
    config.listen = settings.listen.clone();
    config.mdns = settings.mdns;
    config.beacon = settings.beacon;
    config.peers = settings.peers.clone();
    trinka_net::start(config).await.map_err(|e| match e {
        NetError::Listen { addr, why } => Problem::CannotListen { address: addr, reason: why },
        NetError::Address { text } => Problem::CannotReach { address: text, reason: "?".into() },
        other => Problem::Internal { reason: other.to_string() },
    })
}

/// Looks around for a while and lists the tables.
///
/// # Errors
/// The data directory or the network cannot be used.
pub async fn look(settings: Settings, wait: Duration) -> Result<Vec<Listing>, Problem> {
    // Looking needs no identity of its own: a node that plays may use the data directory meanwhile.
    let mut seed = [0u8; 32];
    getrandom::fill(&mut seed).map_err(|e| Problem::Internal { reason: e.to_string() })?;
    let id = Identity::from_seed(&seed);
    let (net, mut events) = start_net(&settings, &id).await?;
    let mut lobby = Lobby::default();
    let end = tokio::time::Instant::now() + wait;
    while let Ok(Some(event)) = tokio::time::timeout_at(end, events.recv()).await {
        match event {
            NetEvent::Connected { peer, addr, .. } => lobby.connected(PublicKey(peer.0), addr),
            NetEvent::Disconnected { peer } => lobby.disconnected(&PublicKey(peer.0)),
            NetEvent::Frame { peer, bytes } => {
                if let Ok(Frame::Lobby(LobbyMessage::Here { name, tables })) = wire::decode(&bytes) {
                    lobby.here(PublicKey(peer.0), name, tables);
                }
            }
            _ => {}
        }
    }
    net.shutdown().await;
    let listings = lobby.tables().into_values().map(|sighting| {
        let ad = sighting.ad;
        let tellers: Vec<_> = sighting.by.iter().filter_map(|k| lobby.peer(k)).collect();
        let taken = u8::try_from(ad.players.len()).unwrap_or(u8::MAX);
        Listing {
            id: ad.id.to_string(),
            name: ad.name,
            rules: ad.rules,
            free: ad.seats.saturating_sub(taken),
            players: ad.players,
            seats: ad.seats,
            playing: ad.playing,
            host: tellers.first().map(|p| p.name.clone()).unwrap_or_default(),
            addresses: tellers.iter().filter_map(|p| p.address).map(|a| a.to_string()).collect(),
        }
    });
    Ok(listings.collect())
}

/// A problem of the table, as the player is told it.
fn localized(sitting: &Sitting, code: &str, message: &str) -> Problem {
    let reason = message.to_owned();
    match code {
        "engine-differs" => match sitting.table().differences().last() {
            Some((entry, seat)) => {
                Problem::EngineDiffers { player: sitting.name_of(*seat), entry: *entry }
            }
            None => Problem::EngineRefuses { reason },
        },
        "engine-refuses" => Problem::EngineRefuses { reason },
        "foreign-signature" => Problem::IdentityCopied,
        "not-your-turn" | "cannot-cut" => Problem::NotYourWord,
        "refused" | "illegal" => Problem::Stale,
        "bad-key" => Problem::BadValue { argument: "key".to_owned(), value: reason },
        "not-yet" => Problem::NotYet { what: reason },
        "too-long" => Problem::TextTooLong { most: limits::CHAT_BYTES as u64 },
        "no-seat" => Problem::NotSeated { name: sitting.table().state().core().terms.name.clone() },
        _ => Problem::Internal { reason },
    }
}

/// A target that is an address, with its port.
fn typed_address(target: &str) -> Option<String> {
    let with_port = target.parse::<SocketAddr>().ok();
    let bare = target.parse::<std::net::IpAddr>().ok().map(|ip| SocketAddr::new(ip, trinka_net::DEFAULT_PORT));
    with_port.or(bare).map(|a| a.to_string())
}

/// Reads lines on a thread of its own: a terminal cannot be read without blocking.
fn read_lines(lines: mpsc::Sender<String>) {
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        // The rest of a line that was too long: it is no line of its own.
        let mut rest = false;
        loop {
            let mut line = Vec::new();
            let most = u64::try_from(MAX_LINE).unwrap_or(u64::MAX).saturating_add(2);
            let mut bounded = std::io::Read::take(&mut input, most);
            match bounded.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if std::mem::replace(&mut rest, !line.ends_with(b"\n")) {
                continue;
            }
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
            if lines.blocking_send(text).is_err() {
                return;
            }
        }
    });
}

/// Sends the log to a file in the data directory. Secrets are never logged.
fn log_to(settings: &Settings) {
    let level = match settings.verbose {
        0 => tracing::Level::WARN,
        1 => tracing::Level::INFO,
        _ => tracing::Level::DEBUG,
    };
    if let Ok(file) = store::log_file(&settings.data_dir) {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_ansi(false)
            .with_writer(std::sync::Mutex::new(file))
            .finish();
        // Set once for the process; a second node in one process (tests) shares the first one's log.
        let _ = tracing::subscriber::set_global_default(subscriber);
    }
}
