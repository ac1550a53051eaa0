//! What happened, in words, and how often each fault and cheat was met.

use std::collections::{BTreeMap, VecDeque};

/// Lines that are kept to be shown when something goes wrong.
const KEPT: usize = 80;

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
