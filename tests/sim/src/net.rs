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
    /// When the latest of what was sent over a link arrives.
    latest: BTreeMap<(usize, usize), u64>,
    pub met: Met,
}

impl Links {
    pub fn new(weather: Weather) -> Links {
        Links {
            weather,
            cut: BTreeSet::new(),
            slow: BTreeMap::new(),
            good: BTreeSet::new(),
            latest: BTreeMap::new(),
            met: Met::default(),
        }
    }

    pub fn heal(&mut self) {
        self.cut.clear();
        self.slow.clear();
        self.weather = Weather { delay: (1, 5), loss_percent: 0, duplicate_percent: 0 };
    }

    pub fn open(&self, from: usize, to: usize) -> bool {
        !self.cut.contains(&(from, to))
    }

    /// How long each copy of a message takes that is sent at a time; none arrive when it is lost.
    pub fn send(&mut self, now: u64, from: usize, to: usize, rng: &mut ChaCha20Rng) -> Vec<u64> {
        if !self.open(from, to) {
            return Vec::new();
        }
        let good = self.good.contains(&(from, to));
        let (loss, twice) =
            if good { (0, 0) } else { (self.weather.loss_percent, self.weather.duplicate_percent) };
        if rng.random_range(0..100) < loss {
            self.met.lost += 1;
            return Vec::new();
        }
        let copies = 1 + u32::from(rng.random_range(0..100) < twice);
        self.met.doubled += u64::from(copies > 1);
        let more = self.slow.get(&(from, to)).copied().unwrap_or(0);
        self.met.slow += u64::from(more > 0);
        let (a, b) = if good {
            (self.weather.delay.0, self.weather.delay.1.min(60))
        } else {
            self.weather.delay
        };
        let all: Vec<u64> = (0..copies).map(|_| rng.random_range(a..=b) + more).collect();
        let latest = self.latest.entry((from, to)).or_default();
        for ms in &all {
            self.met.overtaken += u64::from(now + ms < *latest);
            self.met.delayed += u64::from(*ms > 50);
            *latest = now.saturating_add(*ms).max(*latest);
        }
        all
    }
}

/// What became of messages, counted.
#[derive(Default)]
pub struct Met {
    delayed: u64,
    lost: u64,
    doubled: u64,
    overtaken: u64,
    slow: u64,
}

impl Met {
    pub fn counts(&self) -> [(&'static str, u64); 5] {
        [
            ("delayed", self.delayed),
            ("lost", self.lost),
            ("doubled", self.doubled),
            ("overtaken", self.overtaken),
            ("late", self.slow),
        ]
    }
}
