//! Who reaches whom, how long it takes, and what is lost on the way.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand_chacha::ChaCha20Rng;

use crate::plan::Weather;

/// The links between nodes, each way by itself.
pub struct Links {
    pub weather: Weather,
    /// Nothing passes from the first to the second.
    pub cut: BTreeSet<(usize, usize)>,
    /// Milliseconds more, one way.
    pub slow: BTreeMap<(usize, usize), u64>,
    /// Links that nothing is ever lost on, and that are quick.
    pub good: BTreeSet<(usize, usize)>,
}

impl Links {
    pub fn new(weather: Weather) -> Links {
        Links { weather, cut: BTreeSet::new(), slow: BTreeMap::new(), good: BTreeSet::new() }
    }

    pub fn heal(&mut self) {
        self.cut.clear();
        self.slow.clear();
        self.weather = Weather { delay: (1, 5), loss_percent: 0, duplicate_percent: 0 };
    }

    pub fn open(&self, from: usize, to: usize) -> bool {
        !self.cut.contains(&(from, to))
    }

    /// How long each copy of a message takes; none arrive when it is lost.
    pub fn send(&self, from: usize, to: usize, rng: &mut ChaCha20Rng, met: &mut Met) -> Vec<u64> {
        if !self.open(from, to) {
            return Vec::new();
        }
        let good = self.good.contains(&(from, to));
        let (loss, twice) =
            if good { (0, 0) } else { (self.weather.loss_percent, self.weather.duplicate_percent) };
        if rng.random_range(0..100) < loss {
            met.lost += 1;
            return Vec::new();
        }
        let copies = 1 + u32::from(rng.random_range(0..100) < twice);
        met.doubled += u64::from(copies > 1);
        let more = self.slow.get(&(from, to)).copied().unwrap_or(0);
        met.slow += u64::from(more > 0);
        let (a, b) = if good {
            (self.weather.delay.0, self.weather.delay.1.min(60))
        } else {
            self.weather.delay
        };
        (0..copies).map(|_| rng.random_range(a..=b) + more).collect()
    }
}

/// What became of messages, counted.
#[derive(Default)]
pub struct Met {
    pub lost: u64,
    pub doubled: u64,
    pub slow: u64,
}
