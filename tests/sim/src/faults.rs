//! What goes wrong by itself: partitions, cuts, slow links, processes that end, lids that are closed.

use rand::RngExt;
use trinka::event::Command;
use trinka::table::{Forgot, Input, Record, Table};

use crate::plan::Mode;
use crate::world::{What, World};

/// A fault that lasts for a while, and what it takes to undo it.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Nothing passes over these links.
    Cut(Vec<(usize, usize)>),
    /// These links are slow.
    Slow(Vec<(usize, usize)>),
    /// The process has ended.
    Dead(usize),
}

impl World {
    /// Nodes that a fault may strike now.
    fn targets(&self) -> Vec<usize> {
        let lively = self.plan.mode.lively();
        (0..self.nodes.len())
            .filter(|i| !lively || !self.plan.core.contains(i))
            .filter(|i| !self.nodes[*i].left)
            .collect()
    }

    /// Something goes wrong, and more will.
    pub fn strike(&mut self) {
        if self.healed {
            return;
        }
        let rate = u64::from(self.plan.faults_a_minute.max(1));
        let next = self.rng.random_range(1..2 * 60_000 / rate);
        self.after(next, What::Strike);
        let targets = self.targets();
        if targets.is_empty() {
            return;
        }
        let at = targets[self.rng.random_range(0..targets.len())];
        let long = if self.rng.random_bool(0.3) { 60_000 } else { 12_000 };
        let lasts = self.rng.random_range(500..long);
        match self.rng.random_range(0..14) {
            0 | 1 => self.partition(at, lasts),
            2 | 3 => self.one_way(at, lasts),
            4 | 5 => self.slow(at, lasts),
            6..=8 => self.die(at, lasts),
            9 | 10 => {
                self.trace.fault("sleep");
                self.trace.line(self.now, || format!("node {at} sleeps for {lasts} ms"));
                self.nodes[at].asleep_until = self.now + lasts;
            }
            11 => {
                self.trace.fault("sit-out");
                self.input(at, Input::Command(Command::SitOut));
                self.after(lasts, What::Wants { node: at, command: Command::Ready });
            }
            12 => self.leave(at),
            _ => self.sit_down(),
        }
    }

    fn partition(&mut self, at: usize, lasts: u64) {
        let n = self.nodes.len();
        let mut side: Vec<bool> = (0..n).map(|_| self.rng.random_bool(0.5)).collect();
        if self.plan.mode == Mode::Liveness {
            side = (0..n).map(|i| i == at).collect();
        }
        let mut links = Vec::new();
        for a in 0..n {
            links.extend((0..n).filter(|b| side[a] != side[*b]).map(|b| (a, b)));
        }
        self.trace.fault("partition");
        self.trace.line(self.now, || format!("partition {side:?} for {lasts} ms"));
        self.cut(links, lasts);
    }

    fn one_way(&mut self, at: usize, lasts: u64) {
        let n = self.nodes.len();
        let deaf = self.rng.random_bool(0.5);
        let some = self.rng.random_bool(0.5);
        let mut links = Vec::new();
        for other in (0..n).filter(|i| *i != at) {
            if !some || self.rng.random_bool(0.5) {
                links.push(if deaf { (other, at) } else { (at, other) });
            }
        }
        self.trace.fault("one-way-cut");
        self.trace.line(self.now, || format!("cut one way {links:?} for {lasts} ms"));
        self.cut(links, lasts);
    }

    fn cut(&mut self, links: Vec<(usize, usize)>, lasts: u64) {
        self.links.cut.extend(links.iter().copied());
        self.after(lasts, What::Undo(Fault::Cut(links)));
    }

    fn slow(&mut self, at: usize, lasts: u64) {
        let more = self.rng.random_range(200..7_000);
        let mut links = Vec::new();
        for other in (0..self.nodes.len()).filter(|i| *i != at) {
            links.push((at, other));
            if self.rng.random_bool(0.7) {
                links.push((other, at));
            }
        }
        self.trace.fault("slow-links");
        self.trace.line(self.now, || format!("links of {at} slower by {more} ms for {lasts} ms"));
        self.links.slow.extend(links.iter().map(|l| (*l, more)));
        self.after(lasts, What::Undo(Fault::Slow(links)));
    }

    fn die(&mut self, at: usize, lasts: u64) {
        if self.nodes[at].table.is_none() {
            return;
        }
        self.trace.fault("kill");
        self.trace.line(self.now, || format!("node {at} is killed for {lasts} ms"));
        self.kill(at);
        self.after(lasts, What::Undo(Fault::Dead(at)));
    }

    /// One player leaves, where enough stay, for the evening or for a while.
    fn leave(&mut self, at: usize) {
        let stay = self.nodes.iter().filter(|n| !n.left).count();
        if stay < 4 || self.nodes.iter().any(|n| n.left) || self.lies(at) {
            return;
        }
        if self.plan.liar.is_some_and(|(_, cheat)| !cheat.allowed(stay - 1)) {
            return;
        }
        self.trace.fault("leave");
        self.trace.line(self.now, || format!("node {at} leaves"));
        self.nodes[at].left = true;
        self.nodes[at].leaves += 1;
        self.input(at, Input::Command(Command::Leave));
        if self.rng.random_bool(0.6) {
            let ms = self.rng.random_range(2_000..60_000);
            self.after(ms, What::ComesAgain { node: at });
        }
    }

    /// Who has left starts its program again, with the files of its first seat, and wants another.
    pub fn come_again(&mut self, at: usize) {
        let seated = |table: &Table| table.seat().is_some();
        if self.nodes[at].table.as_ref().is_some_and(seated) {
            // That it left is not decided, or it does not know that.
            return self.after(5_000, What::ComesAgain { node: at });
        }
        self.trace.fault("came-again");
        self.trace.line(self.now, || format!("node {at} wants a seat again"));
        self.kill(at);
        self.start(at);
        self.nodes[at].left = false;
        let name = format!("P{at} again");
        self.input(at, Input::Sit { name, addresses: Vec::new() });
        self.greet(at);
    }

    /// Somebody new takes a free seat.
    fn sit_down(&mut self) {
        if self.nodes.iter().any(|n| n.newcomer) || self.plan.mode != Mode::Safety {
            return;
        }
        // One more voter may be what the lie needs to succeed.
        let grown = self.plan.players + 1;
        if self.plan.liar.is_some_and(|(_, cheat)| !cheat.allowed(grown)) {
            return;
        }
        self.trace.fault("newcomer");
        let i = self.newcomer();
        self.trace.line(self.now, || format!("node {i} is new"));
    }

    /// Now and then somebody puts back an older copy of its files. Nobody lies then, so nobody may be named.
    pub fn set_back(&mut self, i: usize) {
        let spared = self.liar.is_some() || self.plan.players < 4 || self.plan.mode != Mode::Safety;
        // Two who do not know what they have signed are more than a quorum of four can do without.
        let another = self.nodes.iter().enumerate().any(|(j, n)| j != i && n.set_back);
        if spared || another || !self.rng.random_ratio(1, 5) {
            return;
        }
        let decided: Vec<usize> = self.nodes[i]
            .records
            .iter()
            .enumerate()
            .filter(|(_, r)| matches!(r, Record::Decided(_)))
            .map(|(at, _)| at)
            .collect();
        let back = self.rng.random_range(12..60);
        if decided.len() > back {
            self.trace.fault("set-back");
            self.trace.line(self.now, || format!("node {i} has files of {back} entries ago"));
            self.nodes[i].records.truncate(decided[decided.len() - back]);
            self.nodes[i].set_back = true;
            if self.rng.random_bool(0.4) {
                // It knows that: what follows in the file is damaged.
                self.trace.fault("damaged-log");
                self.nodes[i].records.push(Record::Forgot(Forgot::UNKNOWN));
            }
        }
    }

    pub fn undo(&mut self, fault: Fault) {
        match fault {
            Fault::Cut(links) => {
                self.trace.line(self.now, || "links are back".into());
                for link in links {
                    self.links.cut.remove(&link);
                }
            }
            Fault::Slow(links) => {
                for link in links {
                    self.links.slow.remove(&link);
                }
            }
            Fault::Dead(node) => self.revive(node),
        }
    }

    /// All faults end; the liar goes on.
    pub fn heal(&mut self) {
        self.trace.line(self.now, || "all faults end".into());
        self.healed = true;
        self.crashing = false;
        self.links.heal();
        for i in 0..self.nodes.len() {
            self.nodes[i].asleep_until = 0;
            if self.nodes[i].table.is_none() {
                self.revive(i);
            }
            self.input(i, Input::Command(Command::Ready));
            self.greet(i);
        }
    }
}
