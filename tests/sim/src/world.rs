//! The world of one run: nodes, a network between them, and what happens next.

use std::collections::{BTreeMap, BTreeSet};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use trinka::event::{Command, Event};
use trinka::identity::{Identity, PublicKey};
use trinka::rules::Seat;
use trinka::table::founding::{Founded, Founding, Player, Terms, rules_hash};
use trinka::table::ledger::{Core, Shared};
use trinka::table::message::{LogId, Payload, TableId};
use trinka::table::{Input, Output, Record, Table, TableConfig, TableWire, To};
use trinka::wire::{self, PROTOCOL_VERSION};

use crate::cheats::{Cheat, Ctx, Liar, Told};
use crate::checks::Checks;
use crate::faults::Fault;
use crate::net::Links;
use crate::node::{Clock, Node};
use crate::plan::Plan;
use crate::play;
use crate::replica::Replica;
use crate::trace::Trace;

/// Something that will happen.
pub enum What {
    Arrives {
        from: PublicKey,
        to: usize,
        bytes: Vec<u8>,
    },
    Wants {
        node: usize,
        command: Command,
    },
    Peer {
        node: usize,
        key: PublicKey,
        up: bool,
    },
    Revive {
        node: usize,
    },
    /// Who has left wants a seat again.
    ComesAgain {
        node: usize,
    },
    Strike,
    Undo(Fault),
    Speaks,
}

/// When a node dies of what it is about to say.
#[derive(Clone, Copy)]
pub struct Doom {
    pub node: usize,
    pub says: fn(&Payload) -> bool,
    /// Its words still go out.
    pub heard: bool,
}

pub struct World {
    pub plan: Plan,
    pub now: u64,
    pub nodes: Vec<Node>,
    pub founded: Founded,
    pub links: Links,
    pub rng: ChaCha20Rng,
    pub queue: BTreeMap<(u64, u64), What>,
    serial: u64,
    pub liar: Option<Liar>,
    pub trace: Trace,
    pub checks: Checks,
    pub doom: Option<Doom>,
    /// Whether nodes die of what they write.
    pub crashing: bool,
    pub healed: bool,
    shared: Shared,
}

/// The height at which an altered engine has another result.
const ALTERED: u64 = 12;

/// An engine that counts a deal too many once an entry is decided.
fn miscounts(core: &mut Core) {
    if core.height == ALTERED {
        core.deals += 1;
    }
}

fn identity(seed: u64, i: usize) -> Identity {
    let mut bytes = [0u8; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8] = u8::try_from(i).unwrap_or(u8::MAX);
    bytes[9] = 78;
    Identity::from_seed(&bytes)
}

impl World {
    pub fn new(plan: Plan, loud: bool) -> World {
        let mut rng = ChaCha20Rng::seed_from_u64(plan.seed);
        let ids: Vec<Identity> = (0..plan.players).map(|i| identity(plan.seed, i)).collect();
        let player = |(i, id): (usize, &Identity)| Player {
            key: id.public(),
            name: format!("P{i}"),
            addresses: vec!["127.0.0.1:1".into()],
        };
        let seats = (plan.players + 1).clamp(2, usize::from(plan.rules.max_players()));
        let terms = Terms {
            name: "sim".into(),
            house: rules_hash(&plan.rules),
            rules: plan.rules.clone(),
            buy_in: 100,
            seats: u8::try_from(seats).unwrap_or(10),
            think_ms: plan.think_ms,
            hands: None,
        };
        let nonce = rng.random();
        let host = ids.first().map(Identity::public).expect("a host");
        let founding = Founding {
            version: PROTOCOL_VERSION,
            table: TableId::of(&host, &nonce),
            nonce,
            terms,
            players: ids.iter().enumerate().map(player).collect(),
        };
        let bytes = founding.bytes().expect("a founding entry");
        let sign = |(i, id)| (Seat(u8::try_from(i).unwrap_or(0)), Founding::sign(id, &bytes));
        let signatures = ids.iter().enumerate().map(sign).collect();
        let founded = Founded { bytes, signatures };
        let liar = plan.liar.map(|(node, kind)| {
            let since = 1_000 + rng.random_range(0..4_000);
            Liar::new(kind, node, since, ChaCha20Rng::seed_from_u64(rng.random()))
        });
        let mut links = Links::new(plan.weather);
        if plan.mode.lively() {
            for a in &plan.core {
                links.good.extend(plan.core.iter().filter(|b| *b != a).map(|b| (*a, *b)));
            }
        }
        let mut world = World {
            now: 1_000,
            nodes: Vec::new(),
            founded,
            links,
            rng,
            queue: BTreeMap::new(),
            serial: 0,
            liar,
            trace: Trace::new(loud),
            checks: Checks::default(),
            doom: None,
            crashing: plan.crashes > 0,
            healed: false,
            shared: Shared::default(),
            plan,
        };
        let words = world.plan.describe();
        world.trace.line(0, || words);
        world.checks.replica = Some(Replica::new(&world.founded, world.shared.clone()));
        if world.plan.drift {
            world.trace.fault("clock-drift");
        }
        for id in ids {
            world.add(id, false);
        }
        for i in 0..world.nodes.len() {
            world.greet(i);
        }
        if world.liar.is_some() {
            world.after(900, What::Speaks);
        }
        if world.plan.faults_a_minute > 0 {
            world.after(2_000, What::Strike);
        }
        world
    }

    pub fn add(&mut self, id: Identity, newcomer: bool) -> usize {
        let drift = if self.plan.drift { self.rng.random_range(-30..=30) } else { 0 };
        let offset = self.rng.random_range(0..1_000_000_000);
        self.nodes.push(Node {
            key: id.public(),
            id,
            clock: Clock { offset, drift },
            table: None,
            records: Vec::new(),
            transcripts: Vec::new(),
            proofs: BTreeMap::new(),
            events: Vec::new(),
            bot: true,
            left: false,
            leaves: 0,
            dead: false,
            set_back: false,
            asleep_until: 0,
            wake: 0,
            starts: 0,
            newcomer,
            checked: 0,
        });
        let i = self.nodes.len() - 1;
        self.start(i);
        i
    }

    /// A newcomer for a free seat.
    pub fn newcomer(&mut self) -> usize {
        let id = identity(self.plan.seed, 100 + self.nodes.len());
        let i = self.add(id, true);
        let name = format!("N{i}");
        self.input(i, Input::Sit { name, addresses: Vec::new() });
        self.greet(i);
        i
    }

    pub fn lies(&self, i: usize) -> bool {
        self.liar.as_ref().is_some_and(|l| l.node == i)
    }

    pub fn honest(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|i| !self.lies(*i))
    }

    /// Honest nodes that run.
    pub fn running(&self) -> impl Iterator<Item = usize> + '_ {
        self.honest().filter(|i| self.nodes[*i].table.is_some())
    }

    pub fn core(&self, i: usize) -> Option<&Core> {
        self.nodes[i].table.as_ref().map(|t| t.state().core())
    }

    pub fn log(&self) -> LogId {
        self.founded.log_id()
    }

    pub fn after(&mut self, ms: u64, what: What) {
        self.serial += 1;
        self.queue.insert((self.now + ms, self.serial), what);
    }

    /// (Re)starts a node with what is on its disk.
    pub fn start(&mut self, i: usize) {
        let altered = self.liar.as_ref().is_some_and(|l| l.node == i && l.kind == Cheat::Altered);
        let puppets = self.liar.as_ref().is_some_and(|l| l.kind == Cheat::Puppets);
        let node = &mut self.nodes[i];
        node.starts += 1;
        node.dead = false;
        let config = TableConfig {
            identity: node.id.clone(),
            founded: self.founded.clone(),
            seed: self.rng.random(),
            start: node.starts,
            pace_ms: self.plan.pace_ms,
            cut_ms: self.plan.cut_ms,
            admit_all: !puppets,
            friends: BTreeSet::new(),
            alter: altered.then_some(miscounts),
            shared: Some(self.shared.clone()),
        };
        let (records, now) = (node.records.clone(), node.clock.at(self.now));
        let table = if records.is_empty() {
            Table::new(config, now).map_err(|e| e.to_string())
        } else {
            Table::restore(config, records, now).map_err(|e| e.to_string())
        };
        match table {
            Ok(table) => {
                self.nodes[i].table = Some(table);
                self.nodes[i].wake = self.now;
                self.drain(i);
            }
            Err(why) => self.checks.fail(format!("node {i} cannot start again: {why}")),
        }
    }

    /// A node and all others that run find each other.
    pub fn greet(&mut self, i: usize) {
        let mine = self.nodes[i].key;
        for j in 0..self.nodes.len() {
            if j == i || self.nodes[j].table.is_none() {
                continue;
            }
            let key = self.nodes[j].key;
            for (a, b, key) in [(i, j, key), (j, i, mine)] {
                if self.links.open(b, a) {
                    self.input(a, Input::Peer { key, up: true });
                }
            }
        }
    }

    /// The process is gone; the others' transports notice, sooner or later.
    pub fn kill(&mut self, i: usize) {
        self.nodes[i].table = None;
        self.nodes[i].dead = true;
        let key = self.nodes[i].key;
        for j in 0..self.nodes.len() {
            if j != i && self.rng.random_bool(0.8) {
                let ms = self.rng.random_range(0..2_000);
                self.after(ms, What::Peer { node: j, key, up: false });
            }
        }
    }

    pub fn revive(&mut self, i: usize) {
        if self.nodes[i].table.is_none() {
            self.trace.line(self.now, || format!("node {i} runs again"));
            self.set_back(i);
            self.start(i);
            self.greet(i);
        }
    }

    pub fn input(&mut self, i: usize, input: Input) {
        let now = self.nodes[i].clock.at(self.now);
        if let Some(table) = &mut self.nodes[i].table {
            table.handle(now, input);
        }
        self.drain(i);
    }

    /// Whether a node's next output is its last, and what of it is durable.
    fn crashes(&mut self) -> bool {
        self.crashing && self.rng.random_range(0..100_000) < self.plan.crashes
    }

    fn may_crash(&self, i: usize) -> bool {
        !self.plan.mode.lively() || !self.plan.core.contains(&i)
    }

    fn crash(&mut self, i: usize, output: Output) {
        match output {
            Output::Persist(record) => {
                let bytes = wire::encode(&*record).expect("a record");
                match self.rng.random_range(0..3) {
                    0 => self.trace.fault("crash-before-write"),
                    1 => {
                        // Half of it reached the disk: whoever reads it sees that it is no record.
                        let half = &bytes[..bytes.len() / 2];
                        if wire::decode::<Record>(half).is_ok() {
                            self.checks.fail("half a record can be read".into());
                        }
                        self.trace.fault("crash-half-write");
                    }
                    _ => {
                        self.nodes[i].records.push(*record);
                        self.trace.fault("crash-after-write");
                    }
                }
            }
            _ => self.trace.fault("crash-between-writes"),
        }
        self.trace.line(self.now, || format!("node {i} crashes"));
        if self.rng.random_bool(0.5) {
            return self.start(i);
        }
        let ms = if self.rng.random_bool(0.7) { 2_000 } else { 40_000 };
        let ms = self.rng.random_range(0..ms);
        self.kill(i);
        self.after(ms, What::Revive { node: i });
    }

    fn drain(&mut self, i: usize) {
        loop {
            let Some(table) = &mut self.nodes[i].table else { return };
            let Some(output) = table.poll_output() else { break };
            if self.crashing && self.may_crash(i) && self.crashes() {
                return self.crash(i, output);
            }
            match output {
                Output::Persist(record) => {
                    if self.lies(i)
                        && let (Record::Secret { deal, key }, Some(liar)) =
                            (&*record, &mut self.liar)
                    {
                        liar.secrets.insert(*deal, **key);
                    }
                    self.nodes[i].records.push(*record);
                    let now = self.nodes[i].clock.at(self.now);
                    if let Some(table) = &mut self.nodes[i].table {
                        table.handle(now, Input::Persisted);
                    }
                }
                Output::Send { to, bytes } => {
                    let dies = self.dies_of(i, &bytes);
                    if dies != Some(false) {
                        self.transmit(i, to, &bytes);
                    }
                    if dies.is_some() {
                        self.doom = None;
                        self.trace.line(self.now, || format!("node {i} dies for good"));
                        return self.kill(i);
                    }
                }
                Output::Event(event) => self.event(i, event),
                Output::Transcript { hand, bytes } => {
                    let files = &mut self.nodes[i].transcripts;
                    if !files.iter().any(|(h, _)| *h == hand) {
                        files.push((hand, bytes));
                    }
                }
                Output::File { name, bytes } => {
                    let written = self.nodes[i].proofs.entry(name).or_insert_with(|| bytes.clone());
                    if *written != bytes {
                        self.checks.fail(format!("node {i} writes a proof anew in other words"));
                    }
                }
                Output::EraseSecrets { deal } => {
                    self.nodes[i]
                        .records
                        .retain(|r| !matches!(r, Record::Secret { deal: d, .. } if *d <= deal));
                }
            }
        }
        self.alters(i);
        let node = &mut self.nodes[i];
        if let Some(table) = &node.table {
            node.wake = node.clock.when(table.poll_timeout()).max(self.now + 1);
        }
        self.look_at(i);
    }

    /// An altered engine lies by itself, once.
    fn alters(&mut self, i: usize) {
        let past = self.core(i).is_some_and(|c| c.height >= ALTERED);
        if let Some(liar) = &mut self.liar
            && (liar.node, liar.kind, liar.met) == (i, Cheat::Altered, 0)
            && past
        {
            liar.met = 1;
            self.trace.cheat(Cheat::Altered.name());
        }
    }

    /// Whether the node dies of saying this, and whether it is heard.
    fn dies_of(&self, i: usize, bytes: &[u8]) -> Option<bool> {
        let doom = self.doom.filter(|d| d.node == i)?;
        let Ok(TableWire::Messages(messages)) = wire::decode(bytes) else { return None };
        let me = self.nodes[i].key;
        let says = messages
            .iter()
            .filter_map(|m| m.read(self.log()).ok())
            .any(|b| b.author == me && (doom.says)(&b.payload));
        says.then_some(doom.heard)
    }

    fn transmit(&mut self, from: usize, to: To, bytes: &[u8]) {
        let targets: Vec<usize> = match to {
            To::All => (0..self.nodes.len()).filter(|j| *j != from).collect(),
            To::One(key) => self.nodes.iter().position(|n| n.key == key).into_iter().collect(),
        };
        if self.trace.loud
            && let Some(words) = crate::trace::said(bytes, self.log())
        {
            self.trace.line(self.now, || format!("node {from} says {words}"));
        }
        if !self.lies(from) {
            for j in targets {
                self.fly(from, j, 0, bytes.to_vec());
            }
            return;
        }
        let told = self.with_liar(|liar, ctx| liar.outgoing(ctx, &targets, bytes));
        for (ms, j, bytes) in told {
            self.fly(from, j, ms, bytes);
        }
    }

    /// Lets the liar do something, with what it can know.
    pub fn with_liar<T: Default>(&mut self, act: impl FnOnce(&mut Liar, &Ctx<'_>) -> T) -> T {
        let Some(mut liar) = self.liar.take() else { return T::default() };
        let keys: Vec<PublicKey> = self.nodes.iter().map(|n| n.key).collect();
        let node = &self.nodes[liar.node];
        let result = match &node.table {
            Some(table) => {
                let (now, log, me) = (self.now, self.founded.log_id(), liar.node);
                let ctx = Ctx { now, id: &node.id, log, table, keys: &keys, me };
                let before = liar.met;
                let result = act(&mut liar, &ctx);
                if liar.met > before {
                    let name = liar.kind.name();
                    self.trace.cheat(name);
                    self.trace.line(self.now, || format!("node {me} lies: {name}"));
                }
                result
            }
            None => T::default(),
        };
        self.liar = Some(liar);
        result
    }

    fn fly(&mut self, from: usize, to: usize, more: u64, bytes: Vec<u8>) {
        let key = self.nodes[from].key;
        for ms in self.links.send(self.now, from, to, &mut self.rng) {
            self.after(ms + more, What::Arrives { from: key, to, bytes: bytes.clone() });
        }
    }

    fn event(&mut self, i: usize, event: Event) {
        if self.trace.loud || matches!(event, Event::Fault { .. } | Event::Error { .. }) {
            self.trace.line(self.now, || format!("node {i} is told {event:?}"));
        }
        self.judge_event(i, &event);
        let node = &mut self.nodes[i];
        if node.bot
            && let Some(table) = &node.table
            && let Some(command) = match &event {
                Event::Error { code, .. } if matches!(code.as_str(), "refused" | "illegal") => {
                    play::instead(table, node.clock.at(self.now), &mut self.rng)
                }
                _ => play::answer(table, &event, self.plan.taste, &mut self.rng),
            }
            // Sometimes somebody is not at the table.
            && (self.healed || !self.rng.random_ratio(1, 60))
        {
            let slow = if self.rng.random_ratio(1, 12) { 4_000 } else { 200 };
            let ms = self.rng.random_range(1..slow);
            self.after(ms, What::Wants { node: i, command });
        }
        if matches!(event, Event::Fault { .. } | Event::Error { .. } | Event::Cards { .. }) {
            self.nodes[i].events.push(event);
        }
    }

    /// The next thing that happens.
    pub fn step(&mut self) {
        let next_wake = (0..self.nodes.len())
            .filter(|i| self.nodes[*i].table.is_some())
            .map(|i| (self.nodes[i].wake.max(self.nodes[i].asleep_until), i))
            .min();
        let next = self.queue.first_key_value().map(|(k, _)| k.0);
        match (next, next_wake) {
            (Some(at), wake) if wake.is_none_or(|(w, _)| at <= w) => {
                let Some(((at, _), what)) = self.queue.pop_first() else { return };
                self.now = self.now.max(at);
                self.happen(what);
            }
            (_, Some((at, i))) => {
                self.now = self.now.max(at);
                self.input(i, Input::Tick);
            }
            // Everybody is dead and nothing flies.
            _ => self.now += 1_000,
        }
        self.watch();
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Arrives { from, to, bytes } => {
                let asleep = self.nodes[to].asleep_until;
                if asleep > self.now {
                    return self.after(asleep - self.now, What::Arrives { from, to, bytes });
                }
                if self.nodes[to].table.is_none() {
                    return;
                }
                let bytes = if self.lies(to) {
                    self.with_liar(|liar, ctx| liar.incoming(ctx, &bytes))
                } else {
                    Some(bytes)
                };
                if let Some(bytes) = bytes {
                    if self
                        .liar
                        .as_ref()
                        .is_some_and(|l| l.node != to && self.nodes[l.node].key == from)
                    {
                        self.weigh(to, &bytes);
                    }
                    self.input(to, Input::Wire { from, bytes });
                }
            }
            What::Wants { node, command } => {
                if self.nodes[node].table.is_some() && self.nodes[node].asleep_until <= self.now {
                    self.input(node, Input::Command(command));
                }
            }
            What::Peer { node, key, up } => self.input(node, Input::Peer { key, up }),
            What::Revive { node } => self.revive(node),
            What::ComesAgain { node } => self.come_again(node),
            What::Strike => self.strike(),
            What::Undo(fault) => self.undo(fault),
            What::Speaks => {
                let told: Vec<Told> = self.with_liar(|liar, ctx| liar.speak(ctx));
                if let Some(node) = self.liar.as_ref().map(|l| l.node) {
                    for (ms, j, bytes) in told {
                        if j < self.nodes.len() {
                            self.fly(node, j, ms, bytes);
                        }
                    }
                }
                let ms = self.rng.random_range(400..1_500);
                self.after(ms, What::Speaks);
            }
        }
    }
}
