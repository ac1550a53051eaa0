//! Whole tables in one thread from one seed: a network with delay, loss, duplication and reordering, and
//! nodes that crash and come back with what was durable.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use trinka::event::{Command, Event, Move, MoveKind, OfferKind};
use trinka::identity::{Identity, PublicKey};
use trinka::rules::{HouseRules, Preset, Seat};
use trinka::table::founding::{Founded, Founding, Player, Terms, rules_hash};
use trinka::table::ledger::Core;
use trinka::table::ledger::Presence;
use trinka::table::message::{LogId, Payload, TableId};
use trinka::table::transcript::{Finding, verify};
use trinka::table::{Input, Output, Record, Table, TableConfig, TableWire, To};
use trinka::wire::PROTOCOL_VERSION;

/// How bad the network is.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    pub delay: (u64, u64),
    pub loss_percent: u32,
    pub duplicate_percent: u32,
}

pub const CALM: Weather = Weather { delay: (1, 3), loss_percent: 0, duplicate_percent: 0 };
pub const STORM: Weather = Weather { delay: (1, 120), loss_percent: 10, duplicate_percent: 5 };

pub struct Node {
    pub id: Identity,
    pub table: Option<Table>,
    pub records: Vec<Record>,
    pub events: Vec<Event>,
    pub transcripts: BTreeMap<u64, Vec<u8>>,
    /// Proofs that are no transcripts, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    pub sent_bytes: u64,
    pub sent_messages: u64,
    pub bot: bool,
    pub cut_off: bool,
    /// How long its player may take for the cut, in milliseconds.
    pub cut_ms: u64,
    /// Everything that came in, with its sender, while the world listens.
    pub received: Vec<(PublicKey, Vec<u8>)>,
    asleep_until: u64,
    /// Its files are gone: the next start begins from nothing.
    pub lost: bool,
    pub alter: Option<fn(&mut Core)>,
    starts: u64,
    wake: u64,
}

/// When it arrives, its number, from whom to whom, and the bytes.
type Flying = (u64, u64, usize, usize, Vec<u8>);

/// When a node dies of what it is about to say.
#[derive(Clone, Copy)]
pub struct Death {
    pub says: fn(&Payload) -> bool,
    /// Its words still go out.
    pub heard: bool,
}

pub struct World {
    pub now: u64,
    pub nodes: Vec<Node>,
    pub founded: Founded,
    pub weather: Weather,
    pub rng: ChaCha20Rng,
    pub crash_per_thousand: u32,
    pub crashes: u64,
    pub pace_ms: u64,
    /// Pairs that do not reach each other directly, the lower first.
    pub blocked: BTreeSet<(usize, usize)>,
    /// Whether nodes keep what they receive.
    pub listen: bool,
    /// A node, and when it dies: as soon as it says such a thing.
    pub doom: Option<(usize, Death)>,
    queue: BinaryHeap<Reverse<Flying>>,
    serial: u64,
}

pub fn identity(seed: u64, i: usize) -> Identity {
    let mut bytes = [0u8; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8] = u8::try_from(i).unwrap();
    bytes[9] = 77;
    Identity::from_seed(&bytes)
}

pub fn rules() -> HouseRules {
    HouseRules::preset(Preset::TrinkaClassic).plain()
}

pub fn found(ids: &[Identity], hands: u64, think_ms: u64) -> Founded {
    found_with(rules(), ids, hands, think_ms)
}

pub fn found_with(rules: HouseRules, ids: &[Identity], hands: u64, think_ms: u64) -> Founded {
    let players = ids
        .iter()
        .enumerate()
        .map(|(i, id)| Player {
            key: id.public(),
            name: format!("P{i}"),
            addresses: vec!["127.0.0.1:1".into()],
        })
        .collect();
    let terms = Terms {
        name: "test".into(),
        house: rules_hash(&rules),
        rules,
        buy_in: 100,
        seats: 8,
        think_ms,
        hands: Some(hands),
    };
    let nonce = [7; 16];
    let table = TableId::of(&ids[0].public(), &nonce);
    let founding = Founding { version: PROTOCOL_VERSION, table, nonce, terms, players };
    let bytes = founding.bytes().unwrap();
    let signatures =
        ids.iter().enumerate().map(|(i, id)| (Seat(i as u8), Founding::sign(id, &bytes))).collect();
    Founded { bytes, signatures }
}

impl World {
    pub fn new(seed: u64, players: usize, hands: u64, weather: Weather) -> Self {
        Self::with_think(seed, players, hands, weather, 60_000)
    }

    pub fn with_think(
        seed: u64,
        players: usize,
        hands: u64,
        weather: Weather,
        think_ms: u64,
    ) -> Self {
        let ids: Vec<Identity> = (0..players).map(|i| identity(seed, i)).collect();
        let founded = found(&ids, hands, think_ms);
        Self::of(seed, ids, founded, weather)
    }

    /// A table that plays by other rules than the plain ones.
    pub fn with_rules(
        seed: u64,
        rules: HouseRules,
        players: usize,
        hands: u64,
        weather: Weather,
    ) -> Self {
        let ids: Vec<Identity> = (0..players).map(|i| identity(seed, i)).collect();
        let founded = found_with(rules, &ids, hands, 60_000);
        Self::of(seed, ids, founded, weather)
    }

    fn of(seed: u64, ids: Vec<Identity>, founded: Founded, weather: Weather) -> Self {
        let mut world = World {
            now: 1_000,
            nodes: Vec::new(),
            founded,
            weather,
            rng: ChaCha20Rng::seed_from_u64(seed),
            crash_per_thousand: 0,
            crashes: 0,
            pace_ms: 0,
            blocked: BTreeSet::new(),
            listen: false,
            doom: None,
            queue: BinaryHeap::new(),
            serial: 0,
        };
        for id in ids {
            world.add(id);
        }
        world.connect_all();
        world
    }

    pub fn add(&mut self, id: Identity) -> usize {
        self.nodes.push(Node {
            id,
            table: None,
            records: Vec::new(),
            events: Vec::new(),
            transcripts: BTreeMap::new(),
            files: BTreeMap::new(),
            sent_bytes: 0,
            sent_messages: 0,
            bot: true,
            cut_off: false,
            cut_ms: 0,
            received: Vec::new(),
            asleep_until: 0,
            lost: false,
            alter: None,
            starts: 0,
            wake: 0,
        });
        let i = self.nodes.len() - 1;
        self.start(i);
        i
    }

    pub fn config(&mut self, i: usize) -> TableConfig {
        self.nodes[i].starts += 1;
        TableConfig {
            identity: self.nodes[i].id.clone(),
            founded: self.founded.clone(),
            seed: self.rng.random(),
            start: self.nodes[i].starts,
            pace_ms: self.pace_ms,
            cut_ms: self.nodes[i].cut_ms,
            admit_all: true,
            friends: BTreeSet::new(),
            alter: self.nodes[i].alter,
            shared: None,
        }
    }

    /// (Re)starts a node with what is durable.
    pub fn start(&mut self, i: usize) {
        let config = self.config(i);
        let records = self.nodes[i].records.clone();
        let lost = std::mem::take(&mut self.nodes[i].lost);
        let table = if lost || (records.is_empty() && !self.founds(i)) {
            self.nodes[i].records.clear();
            Table::rejoin(config, Vec::new(), self.now).unwrap()
        } else if records.is_empty() {
            Table::new(config, self.now).unwrap()
        } else {
            Table::restore(config, records, self.now).unwrap()
        };
        self.nodes[i].table = Some(table);
        self.nodes[i].wake = self.now;
        self.drain(i);
    }

    /// Whether a node is among the first players; whoever is not cannot know that it never signed anything.
    fn founds(&self, i: usize) -> bool {
        let founding = self.founded.verify().unwrap();
        founding.players.iter().any(|p| p.key == self.nodes[i].id.public())
    }

    pub fn connect_all(&mut self) {
        let keys: Vec<PublicKey> = self.nodes.iter().map(|n| n.id.public()).collect();
        for i in 0..self.nodes.len() {
            for (j, key) in keys.iter().enumerate() {
                if i != j && self.nodes[j].table.is_some() && self.reach(i, j) {
                    self.input(i, Input::Peer { key: *key, up: true });
                }
            }
        }
    }

    pub fn reach(&self, i: usize, j: usize) -> bool {
        !self.nodes[i].cut_off
            && !self.nodes[j].cut_off
            && !self.blocked.contains(&(i.min(j), i.max(j)))
    }

    /// The process is gone; the others' transports notice.
    pub fn kill(&mut self, i: usize) {
        self.nodes[i].table = None;
        let key = self.nodes[i].id.public();
        for j in 0..self.nodes.len() {
            self.input(j, Input::Peer { key, up: false });
        }
    }

    /// A killed node comes back with what was durable.
    pub fn revive(&mut self, i: usize) {
        self.start(i);
        self.connect_all();
    }

    /// A killed node comes back with its identity and nothing else.
    pub fn revive_without_files(&mut self, i: usize) {
        self.nodes[i].lost = true;
        self.revive(i);
    }

    /// A node that is not run for a while, as under a closed lid; what is sent to it waits.
    pub fn sleep(&mut self, i: usize, ms: u64) {
        self.nodes[i].asleep_until = self.now + ms;
    }

    /// Nobody runs for a while.
    pub fn all_sleep(&mut self, ms: u64) {
        self.now += ms;
    }

    /// Hands bytes to a node as if another had sent them.
    pub fn inject(&mut self, from: usize, to: usize, bytes: Vec<u8>) {
        let from = self.nodes[from].id.public();
        self.input(to, Input::Wire { from, bytes });
    }

    pub fn log_id(&self) -> LogId {
        self.founded.log_id()
    }

    pub fn presence(&self, i: usize, seat: u8) -> Presence {
        self.core(i).seats[&Seat(seat)].presence
    }

    pub fn votes(&self, i: usize, seat: u8) -> bool {
        self.core(i).electorate.contains(&Seat(seat))
    }

    pub fn saw(&self, i: usize, what: impl Fn(&Event) -> bool) -> bool {
        self.nodes[i].events.iter().any(what)
    }

    pub fn index_of(&self, key: &PublicKey) -> Option<usize> {
        self.nodes.iter().position(|n| n.id.public() == *key)
    }

    pub fn input(&mut self, i: usize, input: Input) {
        let now = self.now;
        if let Some(table) = &mut self.nodes[i].table {
            table.handle(now, input);
        }
        self.drain(i);
    }

    pub fn command(&mut self, i: usize, command: Command) {
        self.input(i, Input::Command(command));
    }

    fn drain(&mut self, i: usize) {
        loop {
            let Some(table) = &mut self.nodes[i].table else { return };
            let Some(output) = table.poll_output() else { break };
            // A crash may come before, between and after the writes; what was given out but not confirmed
            // may be lost.
            if self.crash_per_thousand > 0
                && self.rng.random_range(0..100_000) < self.crash_per_thousand
            {
                self.crashes += 1;
                if matches!(output, Output::Persist(_))
                    && self.rng.random_bool(0.5)
                    && let Output::Persist(record) = output
                {
                    self.nodes[i].records.push(*record);
                }
                self.start(i);
                return;
            }
            match output {
                Output::Persist(record) => {
                    // As the disk has it: encoded and read again.
                    let bytes = trinka::wire::encode(&*record).unwrap();
                    self.nodes[i].records.push(trinka::wire::decode(&bytes).unwrap());
                    let now = self.now;
                    if let Some(table) = &mut self.nodes[i].table {
                        table.handle(now, Input::Persisted);
                    }
                }
                Output::Send { to, bytes } => {
                    let dies = self.dies_of(i, &bytes);
                    if dies != Some(false) {
                        self.transmit(i, to, bytes);
                    }
                    if dies.is_some() {
                        self.doom = None;
                        return self.kill(i);
                    }
                }
                Output::Event(event) => self.event(i, event),
                Output::Transcript { hand, bytes } => {
                    // Given out again after a crash; whoever stored it keeps the first.
                    self.nodes[i].transcripts.entry(hand).or_insert(bytes);
                }
                Output::File { name, bytes } => {
                    self.nodes[i].files.insert(name, bytes);
                }
                Output::EraseSecrets { deal } => {
                    self.nodes[i]
                        .records
                        .retain(|r| !matches!(r, Record::Secret { deal: d, .. } if *d <= deal));
                }
            }
        }
        if let Some(table) = &self.nodes[i].table {
            self.nodes[i].wake = table.poll_timeout();
        }
    }

    /// Whether the node dies of saying this, and whether it is heard.
    fn dies_of(&self, i: usize, bytes: &[u8]) -> Option<bool> {
        let (_, death) = self.doom.filter(|(node, _)| *node == i)?;
        let Ok(TableWire::Messages(messages)) = trinka::wire::decode(bytes) else { return None };
        let me = self.nodes[i].id.public();
        let says = messages
            .iter()
            .filter_map(|m| m.read(self.log_id()).ok())
            .any(|b| b.author == me && (death.says)(&b.payload));
        says.then_some(death.heard)
    }

    fn transmit(&mut self, from: usize, to: To, bytes: Vec<u8>) {
        let targets: Vec<usize> = match to {
            To::All => (0..self.nodes.len()).filter(|j| *j != from).collect(),
            To::One(key) => self.index_of(&key).into_iter().collect(),
        };
        for j in targets {
            if !self.reach(from, j) {
                continue;
            }
            self.nodes[from].sent_bytes += bytes.len() as u64;
            self.nodes[from].sent_messages += 1;
            if self.rng.random_range(0..100) < self.weather.loss_percent {
                continue;
            }
            let copies =
                1 + u32::from(self.rng.random_range(0..100) < self.weather.duplicate_percent);
            for _ in 0..copies {
                let (a, b) = self.weather.delay;
                let at = self.now + self.rng.random_range(a..=b);
                self.serial += 1;
                self.queue.push(Reverse((at, self.serial, from, j, bytes.clone())));
            }
        }
    }

    fn event(&mut self, i: usize, event: Event) {
        let step = match &event {
            _ if !self.nodes[i].bot => None,
            Event::Turn { mine: true, legal, .. } if !legal.is_empty() => self.choose(i, legal),
            // Sometimes somebody looks, or turns up a card, out of turn.
            Event::Turn { mine: false, legal, .. }
                if !legal.is_empty() && self.rng.random_ratio(1, 4) =>
            {
                self.choose(i, legal)
            }
            Event::Offer { kind: OfferKind::Expose, to, .. } => {
                let me = self.nodes[i].table.as_ref().and_then(Table::seat);
                me.filter(|me| to.contains(me) && self.rng.random_ratio(1, 8)).map(Move::Expose)
            }
            _ => None,
        };
        self.nodes[i].events.push(event);
        if let Some(step) = step {
            let now = self.now;
            if let Some(table) = &mut self.nodes[i].table {
                table.handle(now, Input::Command(Command::Move(step)));
            }
        }
    }

    /// A bot that knows nothing but what is legal.
    fn choose(&mut self, i: usize, legal: &[trinka::event::LegalMove]) -> Option<Move> {
        let weight = |kind: MoveKind| match kind {
            MoveKind::Fold | MoveKind::Redeal => 1,
            MoveKind::Compare | MoveKind::Dark | MoveKind::Boil | MoveKind::NoSplit => 4,
            MoveKind::Pool | MoveKind::Accept => 8,
            _ => 3,
        };
        let all: u32 = legal.iter().map(|m| weight(m.kind)).sum();
        let mut pick = self.rng.random_range(0..all);
        let chosen = legal.iter().find(|m| {
            let here = pick < weight(m.kind);
            pick = pick.saturating_sub(weight(m.kind));
            here
        })?;
        let (min, max) = (chosen.min.unwrap_or(0), chosen.max.unwrap_or(0));
        let small = max.min(min + self.rng.random_range(0..3) * self.rng.random_range(0..2));
        let table = self.nodes[i].table.as_ref()?;
        let (me, game) = (table.seat()?, &table.state().core().game);
        Some(match chosen.kind {
            MoveKind::Bet => Move::Bet(small),
            MoveKind::Dark => Move::Dark(small),
            MoveKind::Look => Move::Look,
            MoveKind::Fold => Move::Fold,
            MoveKind::Compare => Move::Compare,
            // The table itself knows whether there are three tens.
            MoveKind::Redeal => {
                let tens = table.cards().is_some_and(|c| {
                    c.iter().all(|card| card.rank() == Some(trinka::rules::Rank::Ten))
                });
                if tens { Move::Redeal } else { Move::Fold }
            }
            MoveKind::Boil => Move::Boil,
            MoveKind::Accept => Move::Accept,
            MoveKind::Refuse => Move::Refuse,
            MoveKind::Split => Move::Split,
            MoveKind::NoSplit => Move::NoSplit,
            MoveKind::Enter => Move::Enter,
            MoveKind::StayOut => Move::StayOut,
            MoveKind::Ante => Move::Ante,
            MoveKind::Omit => Move::Omit,
            MoveKind::Keep => Move::Keep,
            MoveKind::Replace => Move::Replace(self.rng.random_range(min..=max)),
            MoveKind::Expose => Move::Expose(Seat(u8::try_from(min).ok()?)),
            MoveKind::Lift => Move::Lift(self.rng.random_range(min..=max)),
            MoveKind::Cut => Move::Cut(self.rng.random_range(min..=max)),
            MoveKind::Pact => {
                let others = game.may_pact().into_iter().filter(|s| *s != me).collect::<Vec<_>>();
                Move::Pact(*others.get(self.rng.random_range(0..others.len().max(1)))?)
            }
            MoveKind::Pool => {
                let other = game.may_pool().into_iter().find(|s| *s != me)?;
                let price = game.pool_price(&[me, other])?;
                let mine = price.saturating_sub(1).clamp(1, game.stack(me)?.max(1));
                Move::Pool(vec![(me, mine), (other, price.saturating_sub(mine).max(1))])
            }
        })
    }

    /// The next thing that happens. False when nothing ever will.
    pub fn step(&mut self) -> bool {
        let awake = |n: &Node| n.wake.max(n.asleep_until);
        let next_wake = (0..self.nodes.len())
            .filter(|i| self.nodes[*i].table.is_some())
            .map(|i| (awake(&self.nodes[i]), i))
            .min();
        let next_message = self.queue.peek().map(|Reverse(m)| m.0);
        match (next_message, next_wake) {
            (Some(at), wake) if wake.is_none_or(|(w, _)| at <= w) => {
                let Reverse((at, _, from, to, bytes)) = self.queue.pop().unwrap();
                self.now = self.now.max(at);
                if self.nodes[to].asleep_until > self.now {
                    self.serial += 1;
                    self.queue.push(Reverse((
                        self.nodes[to].asleep_until,
                        self.serial,
                        from,
                        to,
                        bytes,
                    )));
                    return true;
                }
                let from = self.nodes[from].id.public();
                if self.listen && self.nodes[to].table.is_some() {
                    self.nodes[to].received.push((from, bytes.clone()));
                }
                self.input(to, Input::Wire { from, bytes });
                true
            }
            (_, Some((at, i))) => {
                self.now = self.now.max(at);
                self.input(i, Input::Tick);
                true
            }
            _ => false,
        }
    }

    /// Runs until a condition holds, at most so many simulated milliseconds. Panics when it never does.
    pub fn until(&mut self, what: &str, most_ms: u64, mut done: impl FnMut(&World) -> bool) {
        let end = self.now + most_ms;
        while !done(self) {
            assert!(self.now < end, "{what}: not within {most_ms} ms\n{}", self.describe());
            assert!(self.step(), "{what}: nothing happens any more");
        }
    }

    pub fn run_for(&mut self, ms: u64) {
        let end = self.now + ms;
        while self.now < end && self.step() {}
    }

    pub fn core(&self, i: usize) -> &Core {
        self.nodes[i].table.as_ref().expect("alive").state().core()
    }

    pub fn alive(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|i| self.nodes[*i].table.is_some())
    }

    pub fn finished(&self, hands: u64) -> bool {
        self.alive().all(|i| self.core(i).finished >= hands)
    }

    pub fn describe(&self) -> String {
        let mut out = format!("now {}\n", self.now);
        for i in self.alive() {
            let core = self.core(i);
            out += &format!(
                "node {i}: height {} E {:?} stage {:?} turn {:?} phase {:?} stacks {:?} last events {:?}\n",
                core.height,
                core.electorate,
                core.stage,
                core.game.turn(),
                core.game.phase(),
                core.game.stacks(),
                self.nodes[i].events.iter().rev().take(4).collect::<Vec<_>>()
            );
        }
        out
    }

    /// All that these nodes wrote of their hands verifies.
    pub fn transcripts_hold(&self, nodes: impl IntoIterator<Item = usize>) {
        for i in nodes {
            for (hand, bytes) in &self.nodes[i].transcripts {
                let finding = verify(bytes, [3; 32]);
                assert!(matches!(finding, Finding::Good(_)), "hand {hand}: {finding:?}");
            }
        }
    }

    /// Every two nodes agree wherever both have an entry, and no chip is made or lost.
    pub fn check(&self) {
        let logs: Vec<_> =
            self.alive().map(|i| self.nodes[i].table.as_ref().unwrap().log()).collect();
        for a in &logs {
            for b in &logs {
                for (x, y) in a.iter().zip(b.iter()) {
                    assert!(x.entry == y.entry, "two different entries at one height");
                }
            }
        }
        for i in self.alive() {
            let core = self.core(i);
            assert_eq!(core.game.total(), core.game.total_bought());
        }
    }
}
