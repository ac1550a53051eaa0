//! The guarantees, looked at after every event.

use std::collections::{BTreeMap, BTreeSet};

use trinka::event::Event;
use trinka::rules::{Card, Seat};
use trinka::table::TableWire;
use trinka::table::ledger::{Presence, SeatState, Stage};
use trinka::table::limits;
use trinka::table::message::{Decided, Entry, Hash};
use trinka::wire;

use crate::cheats::Cheat;
use crate::plan::Mode;
use crate::replica::{Named, Replica};
use crate::trace::words;
use crate::world::World;

/// What must hold, and what was seen of it.
#[derive(Default)]
pub struct Checks {
    /// The first thing that was wrong.
    pub violation: Option<String>,
    /// Three were left with a liar among them, and it told them two stories: that no table can rule out, and
    /// there it ends.
    pub forked: bool,
    /// How many decided at each height.
    voters: BTreeMap<u64, usize>,
    /// The hash of every decided entry, from height 1 on.
    canon: Vec<Hash>,
    /// The state before each height.
    states: BTreeMap<u64, Hash>,
    /// Cards that were seen, of each deal.
    cards: BTreeMap<u64, BTreeMap<Seat, Vec<Card>>>,
    /// Who was named a cheat, as it stood then.
    pub named: BTreeMap<Seat, Named>,
    /// Follows the log by itself.
    pub replica: Option<Replica>,
    pub finished: u64,
    /// Which node was told, since which start and at which height, that another signs with its key.
    foreign: BTreeSet<(usize, u64, u64)>,
    /// When the highest log last became longer.
    progress: (u64, u64),
    /// Milliseconds that the table stood still at most, where it should not.
    pub longest: u64,
}

impl Checks {
    pub fn fail(&mut self, what: String) {
        self.violation.get_or_insert(what);
    }

    /// Whether nothing more is to be seen in this run.
    pub fn end(&self) -> bool {
        self.forked || self.violation.is_some()
    }
}

/// So many entries later what a node could prove is decided, where it hears and is heard.
const ENTRIES_TO_PROVE: u64 = 4;

fn hash(bytes: &[u8]) -> Hash {
    wire::hash("sim entry", &[bytes])
}

impl World {
    fn seat_lies(&self, seat: Seat) -> bool {
        let Some(liar) = &self.liar else { return false };
        let key = self.nodes[liar.node].key;
        self.running()
            .next()
            .is_some_and(|i| self.core(i).and_then(|c| c.key_of(seat)).is_some_and(|k| k == key))
            || (usize::from(seat.0) == liar.node && liar.node < self.plan.players)
    }

    fn seat_is_puppet(&self, seat: Seat) -> bool {
        if usize::from(seat.0) < self.plan.players {
            return false;
        }
        let key = self.running().next().and_then(|i| self.core(i)).and_then(|c| c.key_of(seat));
        key.is_some_and(|k| !self.nodes.iter().any(|n| n.key == k))
    }

    /// What a node was told.
    pub fn judge_event(&mut self, i: usize, event: &Event) {
        if self.lies(i) {
            return;
        }
        match event {
            Event::Fault { seat, kind, .. } => {
                if !self.seat_lies(*seat) && !self.seat_is_puppet(*seat) {
                    self.checks.fail(format!(
                        "node {i} is told that honest seat {} cheats: {kind:?}",
                        seat.0
                    ));
                }
            }
            Event::Error { code, message, .. } => {
                let height = self.core(i).map_or(0, |c| c.height);
                let told = (i, self.nodes[i].starts, height);
                if code == "foreign-signature" && !self.checks.foreign.insert(told) {
                    self.checks.fail(format!("node {i} is told twice at height {height}: {code}"));
                }
                let odd = self
                    .liar
                    .as_ref()
                    .is_some_and(|l| matches!(l.kind, Cheat::Altered | Cheat::FalseStatus));
                let bad = match code.as_str() {
                    "engine-refuses" | "agreement" | "deal" | "transcript" => true,
                    // Who meets a signature of its own that its older files lack says so, and rightly.
                    "foreign-signature" => !self.nodes[i].set_back,
                    "engine-differs" => !odd,
                    _ => false,
                };
                if bad {
                    self.checks.fail(format!("node {i}: {code}: {message}"));
                }
            }
            Event::Cards { cards, .. } => self.judge_cards(i, cards),
            _ => {}
        }
    }

    /// No card is in two hands, and nobody's cards change.
    fn judge_cards(&mut self, i: usize, cards: &[Card]) {
        let Some(table) = &self.nodes[i].table else { return };
        let (Some(seat), Some(basis)) = (table.seat(), table.state().core().basis()) else {
            return;
        };
        if table.cards().is_none_or(|c| c[..] != *cards) {
            return;
        }
        let exposed = table.state().core().game.rules().exposed_card.is_on();
        let deal = self.checks.cards.entry(basis.deal).or_default();
        let before = deal.get(&seat).cloned();
        let twice = deal.iter().any(|(s, c)| *s != seat && c.iter().any(|c| cards.contains(c)));
        deal.insert(seat, cards.to_vec());
        if before.is_some_and(|b| b != cards) && !exposed {
            self.checks.fail(format!("node {i} sees other cards than before"));
        }
        if twice {
            self.checks.fail(format!("node {i} holds a card that another holds"));
        }
    }

    /// Whether a liar among three voters may have had two entries decided at a height.
    fn may_fork(&self, height: u64) -> bool {
        let lies = self.plan.liar.is_some_and(|(_, cheat)| !cheat.allowed(3));
        lies && self.checks.voters.get(&height) == Some(&3)
    }

    /// Whatever is new in a node's log.
    pub fn look_at(&mut self, i: usize) {
        if self.lies(i) {
            return;
        }
        let Some(table) = &self.nodes[i].table else { return };
        let core = table.state().core();
        let (height, before) = (core.height, table.state().hash());
        if height == self.nodes[i].checked {
            return;
        }
        if core.game.total() != core.game.total_bought() {
            self.checks.violation.get_or_insert(format!("node {i}: chips were made or lost"));
        }
        let known = *self.checks.states.entry(height).or_insert(before);
        let shown = table.fork().is_some_and(|(at, _)| self.may_fork(at));
        if shown || (known != before && self.may_fork(height.saturating_sub(1))) {
            self.trace.fault("fork-of-three");
            self.checks.forked = true;
            return;
        }
        if known != before {
            self.checks
                .violation
                .get_or_insert(format!("node {i} has another state before height {height}"));
        }
        if table.halted() {
            self.checks.violation.get_or_insert(format!("node {i} has stopped"));
        }
        let from = usize::try_from(self.nodes[i].checked.saturating_sub(1)).unwrap_or(0);
        let mut fresh = Vec::new();
        // After a crash a log may be shorter than it was.
        for (at, decided) in table.log().iter().enumerate().skip(from.min(table.log().len())) {
            let id = hash(&decided.entry);
            match self.checks.canon.get(at) {
                Some(canon) if *canon != id => {
                    self.checks
                        .violation
                        .get_or_insert(format!("node {i} has another entry at height {}", at + 1));
                }
                Some(_) => {}
                None => {
                    self.checks.canon.push(id);
                    fresh.push(decided.clone());
                }
            }
        }
        let (finished, presence): (u64, Vec<_>) =
            (core.finished, core.seats.iter().map(|(s, v)| (*s, v.presence)).collect());
        let voters: Vec<Seat> = core.electorate.iter().copied().collect();
        let unasked = self.honest().find_map(|j| {
            let node = &self.nodes[j];
            let gone = |s: &&SeatState| s.player.key == node.key && s.presence == Presence::Left;
            let (left, meant) = (core.seats.values().filter(gone).count(), node.leaves);
            (left > meant).then(|| format!("node {j} left {left} seats, and meant {meant}"))
        });
        if let Some(words) = unasked {
            self.checks.fail(words);
        }
        self.nodes[i].checked = height;
        self.checks.finished = self.checks.finished.max(finished);
        for (seat, presence) in presence {
            if presence == Presence::Frozen && !self.seat_lies(seat) {
                self.checks.fail(format!("node {i}: honest seat {} is frozen", seat.0));
            }
        }
        for seat in voters {
            if self.seat_is_puppet(seat) {
                self.checks.fail(format!("puppet {} votes", seat.0));
            }
        }
        for decided in fresh {
            self.judge_entry(&decided);
        }
    }

    /// An entry that is new to the world.
    fn judge_entry(&mut self, decided: &Decided) {
        let Ok(entry) = wire::decode::<Entry>(&decided.entry) else {
            return self.checks.fail("a decided entry cannot be read".into());
        };
        let log = self.log();
        let height = entry.height;
        self.trace.line(self.now, || {
            let said: Vec<String> = entry
                .messages
                .iter()
                .filter_map(|m| m.read(log).ok())
                .map(|b| words(&b.payload, &b.author.hex()[..4]))
                .collect();
            format!("entry {height} of seat {}: {}", entry.composer.0, said.join(", "))
        });
        let Some(replica) = &mut self.checks.replica else { return };
        if replica.height() != height {
            return;
        }
        self.checks.voters.insert(height, replica.voters());
        let taken = replica.take(decided);
        self.proof_had_time();
        match taken {
            Ok(named) => {
                for one in named {
                    if !self.seat_lies(one.seat) {
                        self.checks.fail(format!("evidence against honest seat {}", one.seat.0));
                    }
                    self.checks.named.entry(one.seat).or_insert(one);
                }
            }
            Err(why) => self.checks.fail(format!("entry {height} does not hold: {why}")),
        }
    }

    /// What a node is told by the liar: somebody who holds a false step can prove it while its hand is played.
    pub fn weigh(&mut self, to: usize, bytes: &[u8]) {
        let up_to_date = self.core(to).map(|c| c.height);
        let (Some(liar), Some(replica)) = (&mut self.liar, &mut self.checks.replica) else {
            return;
        };
        if !matches!(liar.kind, Cheat::False(_))
            || liar.provable
            || liar.false_steps.is_empty()
            || up_to_date != Some(replica.height())
        {
            return;
        }
        let Ok(TableWire::Messages(list)) = wire::decode(bytes) else { return };
        if !list.iter().any(|m| liar.false_steps.contains(&m.id()) && replica.proves(m)) {
            return;
        }
        self.trace.line(self.now, || format!("node {to} can prove that"));
        // Where others were told the truth the hand may be over before the proof is decided.
        liar.provable = !liar.beside;
        if let (true, Some(hand)) = (liar.beside, replica.hand()) {
            liar.held.get_or_insert((to, hand, replica.height()));
        }
    }

    /// A node that held the proof of a lie went on with the others in the hand that it was about.
    fn proof_had_time(&mut self) {
        let (Some(liar), Some(replica)) = (&mut self.liar, &self.checks.replica) else { return };
        let Some((node, hand, height)) = liar.held else { return };
        if replica.hand() != Some(hand) {
            liar.held = None;
            return;
        }
        let table = self.nodes[node].table.as_ref();
        let went_on = table.is_some_and(|t| t.state().core().height > height + ENTRIES_TO_PROVE);
        liar.provable |= went_on;
    }

    /// Whether the table stands still where it may not.
    pub fn watch(&mut self) {
        if !self.plan.mode.lively() || self.healed {
            return;
        }
        let top = self.running().filter_map(|i| self.core(i)).map(|c| c.height).max().unwrap_or(0);
        let (height, since) = self.checks.progress;
        if top > height {
            self.checks.progress = (top, self.now);
            return;
        }
        let stood = self.now - since;
        if stood < 8_000 {
            return;
        }
        let Some(witness) = self.plan.core.iter().copied().find(|i| {
            self.nodes[*i].table.is_some() && self.core(*i).is_some_and(|c| c.height == top)
        }) else {
            return;
        };
        let Some(core) = self.core(witness) else { return };
        let alive = core
            .voters()
            .iter()
            .filter(|(_, k)| {
                self.plan
                    .core
                    .iter()
                    .any(|i| self.nodes[*i].table.is_some() && self.nodes[*i].key == *k)
            })
            .count();
        let owed = core.owed();
        let waits_for_players = core.stage == Stage::Idle && owed.is_empty();
        if alive < trinka::table::agreement::quorum(core.electorate.len()) || waits_for_players {
            self.checks.progress.1 = self.now;
            return;
        }
        let strict = matches!(self.plan.mode, Mode::OneOfFour | Mode::ThreeOfSix);
        let step = match &core.stage {
            Stage::Dealing { order, .. } if !strict => {
                let others = order.len().saturating_sub(self.plan.core.len()) as u64 + 3;
                others * (limits::MACHINE_MS + limits::GRACE_MS)
            }
            Stage::Dealing { .. } => limits::MACHINE_MS.max(self.plan.think_ms),
            _ => owed.iter().map(|o| o.limit_ms).max().unwrap_or(0) + self.plan.pace_ms,
        };
        let limit = step + if strict { 5_000 } else { 12_000 };
        self.checks.longest = self.checks.longest.max(stood.saturating_sub(step));
        if stood > limit {
            let words = self.describe();
            self.checks.fail(format!(
                "the table stands still for {stood} ms, {limit} are allowed\n{words}"
            ));
        }
    }

    pub fn describe(&self) -> String {
        let mut out = String::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let Some(core) = self.core(i) else {
                out += &format!("node {i}: not running\n");
                continue;
            };
            let voters: Vec<u8> = core.electorate.iter().map(|s| s.0).collect();
            let stage = match &core.stage {
                Stage::Idle => "idle".to_owned(),
                Stage::Starting { ready, .. } => format!("starting, ready {ready:?}"),
                Stage::Dealing { deal, order, .. } => format!("dealing {deal} {order:?}"),
                Stage::Playing { cards, .. } => format!("playing deal {}", cards.deal),
                Stage::Over => "over".to_owned(),
            };
            let seats: Vec<_> = core.seats.iter().map(|(s, v)| (s.0, v.presence)).collect();
            out += &format!(
                "node {i}{}: height {} E {voters:?} {stage} {:?} owed {:?} stacks {:?} seats {seats:?}\n",
                if self.lies(i) {
                    " (lies)"
                } else if node.left {
                    " (left)"
                } else {
                    ""
                },
                core.height,
                core.game.phase(),
                core.owed(),
                core.game.stacks(),
            );
        }
        out
    }
}
