//! A seeded bad network: delay, loss, duplicates, reordering, crashes at any output, a liar.

use std::collections::{BTreeMap, BTreeSet};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::wire::{self, Message};
use super::super::*;
use super::{DOMAIN, electorate, key};

/// How bad the network is.
#[derive(Clone, Copy)]
pub(super) struct Weather {
    pub(super) loss: f64,
    pub(super) duplicate: f64,
    pub(super) max_delay_ms: u64,
    /// Chance of a crash at each output.
    pub(super) crash: f64,
    /// Chance that a fresh proposal is judged a soft nil.
    pub(super) soft_nil: f64,
}

/// What travels, or is due.
#[derive(Clone)]
enum Event {
    Message { from: usize, bytes: Vec<u8> },
    Certified { certificate: Certificate, value: Vec<u8> },
    Status { from: usize, height: u64 },
    Pending { height: u64 },
    Restart,
    Announce,
    Verdict { height: u64, round: u32, value_id: ValueId, verdict: Verdict },
}

/// One computer: what is on its disk, and what is in its memory while it runs.
struct Node {
    decided: Vec<(Certificate, Vec<u8>)>,
    records: Vec<Record>,
    timeout_ms: u64,
    running: Option<Height>,
    previous: Option<Height>,
}

/// The network with all its computers, one per seat.
pub(super) struct Sim {
    rng: ChaCha8Rng,
    weather: Weather,
    pub(super) now: u64,
    queue: BTreeMap<(u64, u64), (usize, Event)>,
    sequence: u64,
    nodes: Vec<Node>,
    /// How many vote at each height, over and over.
    sizes: Vec<usize>,
    liar: Option<usize>,
    /// Values seen, for the liar to vote for.
    values: BTreeSet<ValueId>,
    lied: BTreeSet<(u64, u32, u8)>,
    pub(super) evidence: Vec<(u64, Evidence)>,
    pub(super) crashes: usize,
    pub(super) max_round: u32,
}

impl Sim {
    pub(super) fn new(
        seed: u64,
        seats: usize,
        sizes: &[usize],
        liar: Option<usize>,
        weather: Weather,
    ) -> Self {
        let node = || Node {
            decided: Vec::new(),
            records: Vec::new(),
            timeout_ms: MIN_TIMEOUT_MS,
            running: None,
            previous: None,
        };
        let mut sim = Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            weather,
            now: 0,
            queue: BTreeMap::new(),
            sequence: 0,
            nodes: (0..seats).map(|_| node()).collect(),
            sizes: sizes.to_vec(),
            liar,
            values: BTreeSet::new(),
            lied: BTreeSet::new(),
            evidence: Vec::new(),
            crashes: 0,
            max_round: 0,
        };
        for seat in 0..seats {
            sim.start(seat);
            sim.at(0, seat, Event::Announce);
        }
        sim
    }

    fn at(&mut self, delay: u64, to: usize, event: Event) {
        self.sequence += 1;
        self.queue.insert((self.now + delay, self.sequence), (to, event));
    }

    /// Who votes at a height: a function of the height alone, as of the log.
    fn voters(&self, height: u64) -> Vec<(Voter, VerifyingKey)> {
        let size = self.sizes[height as usize % self.sizes.len()];
        let mut seats: Vec<u8> = (0..self.nodes.len() as u8).collect();
        seats.shuffle(&mut ChaCha8Rng::seed_from_u64(height));
        // Three or fewer tolerate no liar.
        seats.retain(|seat| size >= 4 || Some(usize::from(*seat)) != self.liar);
        seats.truncate(size);
        seats.sort_unstable();
        electorate(seats)
    }

    fn config(&self, seat: usize) -> HeightConfig {
        let height = self.nodes[seat].decided.len() as u64;
        let electorate = self.voters(height);
        let me = Voter(seat as u8);
        HeightConfig {
            domain: DOMAIN,
            height,
            me: electorate.iter().any(|(voter, _)| *voter == me).then_some(me),
            first_proposer: height as usize % electorate.len(),
            electorate,
            propose_timeout_ms: self.nodes[seat].timeout_ms,
            limits: Limits::default(),
        }
    }

    /// Starts a height from what is on the disk.
    fn start(&mut self, seat: usize) {
        let cfg = self.config(seat);
        let height = cfg.height;
        let key = cfg.me.map(key);
        let records = self.nodes[seat].records.clone();
        self.nodes[seat].running = Some(Height::replay(cfg, key, records.into_iter()).unwrap());
        let delay = self.rng.random_range(0..60);
        self.at(delay, seat, Event::Pending { height });
    }

    fn broadcast(&mut self, from: usize, event: &Event) {
        for to in (0..self.nodes.len()).filter(|to| *to != from) {
            self.post(to, event.clone());
        }
    }

    fn post(&mut self, to: usize, event: Event) {
        if self.rng.random_bool(self.weather.loss) {
            return;
        }
        let delay = self.rng.random_range(1..=self.weather.max_delay_ms);
        if self.rng.random_bool(self.weather.duplicate) {
            let later = self.rng.random_range(1..=4 * self.weather.max_delay_ms);
            self.at(later, to, event.clone());
        }
        self.at(delay, to, event);
    }

    fn input(&mut self, seat: usize, input: Input) {
        if self.liar == Some(seat) {
            // The liar keeps no order of its own; it only learns what was decided.
            if let Input::Certified { certificate, value } = input {
                self.decide(seat, certificate, value);
            }
            return;
        }
        let now = self.now;
        let Some(height) = self.nodes[seat].running.as_mut() else {
            return;
        };
        match height.handle(now, input) {
            Ok(())
            | Err(
                Error::UnwantedValue { .. }
                | Error::UnwantedVerdict { .. }
                | Error::RoundTooFar { .. }
                | Error::TooManyVotes(_)
                | Error::TooManyProposals { .. },
            ) => {}
            Err(error) => panic!("seat {seat}: {error}"),
        }
        self.max_round = self.max_round.max(height.round());
        self.outputs(seat);
    }

    /// Does what a node wants done, unless it crashes in the middle.
    fn outputs(&mut self, seat: usize) {
        while let Some(output) = self.nodes[seat].running.as_mut().and_then(Height::poll_output) {
            if self.rng.random_bool(self.weather.crash) {
                self.crashes += 1;
                self.nodes[seat].running = None;
                self.nodes[seat].previous = None;
                let delay = self.rng.random_range(10..1_500);
                self.at(delay, seat, Event::Restart);
                return;
            }
            let height = self.nodes[seat].decided.len() as u64;
            match output {
                Output::Persist(record) => self.nodes[seat].records.push(record),
                Output::Send(bytes) => self.broadcast(seat, &Event::Message { from: seat, bytes }),
                Output::NeedValue { round } => {
                    let bytes = format!("{height} {round} {seat}").into_bytes();
                    self.values.insert(value_id(&bytes));
                    self.input(seat, Input::Value { round, bytes });
                }
                Output::NeedVerdict { round, value_id, bytes, fresh, .. } => {
                    let verdict = if !bytes.starts_with(format!("{height} ").as_bytes()) {
                        Verdict::Invalid
                    } else if fresh && self.rng.random_bool(self.weather.soft_nil) {
                        Verdict::SoftNil
                    } else {
                        Verdict::Valid
                    };
                    let delay = self.rng.random_range(0..20);
                    self.at(delay, seat, Event::Verdict { height, round, value_id, verdict });
                }
                Output::Decided { value, certificate, .. } => {
                    self.decide(seat, certificate, value);
                    return;
                }
                Output::Evidence(evidence) => self.evidence.push((height, evidence)),
            }
        }
    }

    /// A node holds a decision: compare it with everybody's, and go on.
    fn decide(&mut self, seat: usize, certificate: Certificate, value: Vec<u8>) {
        let height = self.nodes[seat].decided.len();
        assert_eq!(certificate.height, height as u64);
        verify_certificate(&DOMAIN, &self.voters(height as u64), &certificate).unwrap();
        assert_eq!(value_id(&value), certificate.value_id);
        for other in &self.nodes {
            if let Some((_, decided)) = other.decided.get(height) {
                assert_eq!(*decided, value, "fork at height {height}");
            }
        }
        let node = &mut self.nodes[seat];
        node.decided.push((certificate, value));
        node.records.clear();
        node.previous = node.running.take();
        if let Some(previous) = &node.previous {
            node.timeout_ms = previous.next_propose_timeout_ms();
            assert!((MIN_TIMEOUT_MS..=MAX_TIMEOUT_MS).contains(&node.timeout_ms));
        }
        self.start(seat);
    }

    fn event(&mut self, to: usize, event: Event) {
        if self.nodes[to].running.is_none() && !matches!(event, Event::Restart | Event::Announce) {
            return;
        }
        let mine = self.nodes[to].decided.len() as u64;
        match event {
            Event::Message { from, bytes } => {
                if self.liar == Some(to) {
                    self.lie(to, &bytes);
                    return;
                }
                match message_height(&bytes) {
                    Some(height) if height == mine => self.input(to, Input::Message(bytes)),
                    Some(height) if height < mine => {
                        if height + 1 == mine
                            && let Some(previous) = &mut self.nodes[to].previous
                            && let Some(evidence) = previous.late_message(&bytes)
                        {
                            self.evidence.push((height, evidence));
                        }
                        self.help(to, from, height);
                    }
                    _ => {}
                }
            }
            Event::Certified { certificate, value } => {
                if certificate.height == mine {
                    self.input(to, Input::Certified { certificate, value });
                }
            }
            Event::Status { from, height } => self.help(to, from, height),
            Event::Pending { height } => {
                if height == mine {
                    self.input(to, Input::Pending);
                }
            }
            Event::Verdict { height, round, value_id, verdict } => {
                if height == mine {
                    self.input(to, Input::Verdict { round, value_id, verdict });
                }
            }
            Event::Restart => {
                if self.nodes[to].running.is_none() {
                    self.start(to);
                }
            }
            Event::Announce => {
                self.broadcast(to, &Event::Status { from: to, height: mine });
                self.at(2_000, to, Event::Announce);
            }
        }
    }

    /// Sends a node that is behind what it lacks.
    fn help(&mut self, from: usize, to: usize, height: u64) {
        if let Some((certificate, value)) = self.nodes[from].decided.get(height as usize).cloned() {
            self.post(to, Event::Certified { certificate, value });
        }
    }

    /// Answers whatever it hears with contradictions, differently to everybody.
    fn lie(&mut self, liar: usize, bytes: &[u8]) {
        let Ok(message) = wire::decode(bytes, 1 << 20) else {
            return;
        };
        let (height, round) = match message {
            Message::Proposal(signed, _) => (signed.proposal.height, signed.proposal.round),
            Message::Votes(votes) => (votes[0].vote.height, votes[0].vote.round),
        };
        let me = Voter(liar as u8);
        let electorate = self.voters(height);
        if !electorate.iter().any(|(voter, _)| *voter == me)
            || !self.lied.insert((height, round, self.rng.random_range(0..3)))
        {
            return;
        }
        let first = height as usize % electorate.len();
        let scribe = electorate[(first + round as usize) % electorate.len()].0 == me;
        for to in (0..self.nodes.len()).filter(|to| *to != liar) {
            for kind in [VoteKind::Prevote, VoteKind::Precommit] {
                let known: Vec<_> = self.values.iter().rev().take(4).copied().collect();
                let value = known.get(self.rng.random_range(0..=known.len())).copied();
                let ahead = self.rng.random_range(0..=1) * self.rng.random_range(0..12);
                let vote = Vote { height, round: round + ahead, kind, value, voter: me };
                let signed = SignedVote::sign(vote, &DOMAIN, &key(me));
                let bytes = wire::encode_votes(vec![signed]).unwrap();
                self.post(to, Event::Message { from: liar, bytes });
            }
            if scribe {
                let value = format!("{height} {}", self.rng.random_range(0..3)).into_bytes();
                self.values.insert(value_id(&value));
                let proposal = Proposal {
                    height,
                    round,
                    pol_round: None,
                    value_id: value_id(&value),
                    proposer: me,
                };
                let signed = SignedProposal::sign(proposal, &DOMAIN, &key(me));
                let bytes = wire::encode_proposal(&signed, &value).unwrap();
                self.post(to, Event::Message { from: liar, bytes });
            }
        }
    }

    /// The height that every honest node has decided up to.
    pub(super) fn common(&self) -> usize {
        self.nodes.iter().map(|node| node.decided.len()).min().unwrap_or(0)
    }

    /// Runs until all have decided `heights`, which must happen before `limit_ms`.
    pub(super) fn run(&mut self, heights: usize, limit_ms: u64) {
        while self.common() < heights {
            assert!(self.now < limit_ms, "stalled at height {} of {heights}", self.common());
            let event = self.queue.first_key_value().map(|(&(due, _), _)| due);
            let tick = self
                .nodes
                .iter()
                .enumerate()
                .filter(|(seat, _)| Some(*seat) != self.liar)
                .filter_map(|(seat, node)| Some((node.running.as_ref()?.poll_timeout()?, seat)))
                .min();
            match (event, tick) {
                (event, Some((due, seat))) if event.is_none_or(|event| due <= event) => {
                    self.now = self.now.max(due);
                    self.input(seat, Input::Tick);
                }
                _ => {
                    let Some(((due, _), (to, event))) = self.queue.pop_first() else {
                        panic!("nothing left to happen");
                    };
                    self.now = self.now.max(due);
                    self.event(to, event);
                }
            }
        }
        for (height, evidence) in &self.evidence {
            let accused = verify_evidence(&DOMAIN, &self.voters(*height), evidence).unwrap();
            assert_eq!(Some(usize::from(accused.0)), self.liar, "false evidence");
        }
    }
}
