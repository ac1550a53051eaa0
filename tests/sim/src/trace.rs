//! What happened, in words, and how often each fault and cheat was met.

use std::collections::{BTreeMap, VecDeque};

use trinka::table::TableWire;
use trinka::table::message::{LogId, Payload};
use trinka::wire;

use crate::cheats::agreement::{Head, read};

/// Lines that are kept to be shown when something goes wrong.
const KEPT: usize = 80;

/// Every kind of fault.
pub const FAULTS: &[&str] = &[
    "delayed",
    "lost",
    "doubled",
    "overtaken",
    "late",
    "partition",
    "one-way-cut",
    "slow-links",
    "crash-before-write",
    "crash-half-write",
    "crash-after-write",
    "crash-between-writes",
    "kill",
    "killed-for-good",
    "came-back",
    "lost-in-a-hand",
    "set-back",
    "sleep",
    "clock-drift",
    "sit-out",
    "leave",
    "came-again",
    "damaged-log",
    "newcomer",
];

/// The story of one run.
#[derive(Default)]
pub struct Trace {
    /// Print every line at once.
    pub loud: bool,
    last: VecDeque<String>,
    pub faults: BTreeMap<&'static str, u64>,
    pub cheats: BTreeMap<&'static str, u64>,
}

impl Trace {
    pub fn new(loud: bool) -> Trace {
        Trace { loud, ..Trace::default() }
    }

    pub fn line(&mut self, now: u64, words: impl FnOnce() -> String) {
        let line = format!("{:>9.3}  {}", now as f64 / 1000.0, words());
        if self.loud {
            println!("{line}");
        }
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back(line);
    }

    pub fn fault(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_insert(0) += 1;
    }

    pub fn cheat(&mut self, kind: &'static str) {
        *self.cheats.entry(kind).or_insert(0) += 1;
    }

    /// The last lines, for a report.
    pub fn tail(&self) -> String {
        self.last.iter().map(|l| format!("    {l}\n")).collect()
    }
}

fn short(value: Option<[u8; 32]>) -> String {
    value.map_or_else(|| "nil".into(), |v| format!("{:02x}{:02x}", v[0], v[1]))
}

/// What bytes say, in a few words; nothing for heartbeats.
pub fn said(bytes: &[u8], log: LogId) -> Option<String> {
    match wire::decode::<TableWire>(bytes).ok()? {
        TableWire::Agreement { bytes, .. } => match read(&bytes)? {
            (Head::Proposal(p), _) => {
                let p = p.proposal;
                Some(format!(
                    "proposal {} at {}/{} pol {:?} by {}",
                    short(Some(p.value_id)),
                    p.height,
                    p.round,
                    p.pol_round,
                    p.proposer
                ))
            }
            (Head::Votes(votes), _) => {
                let votes: Vec<String> = votes
                    .iter()
                    .map(|v| v.vote)
                    .map(|v| {
                        let (h, r) = (v.height, v.round);
                        format!("{:?} {} at {h}/{r} by {}", v.kind, short(v.value), v.voter)
                    })
                    .collect();
                Some(votes.join(", "))
            }
        },
        TableWire::Messages(list) => {
            let words: Vec<String> = list
                .iter()
                .filter_map(|m| m.read(log).ok())
                .filter(|b| !matches!(b.payload, Payload::Status { .. }))
                .map(|b| words(&b.payload, &b.author.hex()[..4]))
                .collect();
            if words.is_empty() { None } else { Some(words.join(", ")) }
        }
        TableWire::Entries { from, entries } => {
            Some(format!("entries {from}..{}", from + entries.len() as u64))
        }
        TableWire::Fork(fork) => Some(format!("fork at {}", fork.height())),
    }
}

/// A message in a few words.
pub fn words(payload: &Payload, author: &str) -> String {
    let text = match payload {
        Payload::Move { action, .. } => format!("{action:?}"),
        Payload::Absent { step, seat } => {
            format!(
                "Absent({}, {})",
                seat.0,
                format!("{step:?}").chars().take(60).collect::<String>()
            )
        }
        Payload::Free { free, .. } => format!("{free:?}").chars().take(60).collect(),
        other => {
            let text = format!("{other:?}");
            text.split([' ', '{']).next().unwrap_or_default().to_owned()
        }
    };
    format!("{text} by {author}")
}
