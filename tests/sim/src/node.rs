//! One computer: its table, its disk, its clock.

use std::collections::BTreeMap;

use trinka::event::Event;
use trinka::identity::{Identity, PublicKey};
use trinka::table::{Record, Table};

/// A clock of its own: it began at another time and runs a little fast or slow.
#[derive(Clone, Copy)]
pub struct Clock {
    pub offset: u64,
    /// Ten-thousandths that it runs faster (or slower).
    pub drift: i64,
}

impl Clock {
    /// What it shows at a time of the world.
    pub fn at(self, world: u64) -> u64 {
        let drifted = i128::from(world) * i128::from(10_000 + self.drift) / 10_000;
        self.offset + u64::try_from(drifted).unwrap_or(0)
    }

    /// The first time of the world at which it shows this.
    pub fn when(self, shown: u64) -> u64 {
        let shown = i128::from(shown.saturating_sub(self.offset));
        let speed = i128::from(10_000 + self.drift);
        let mut world = u64::try_from(shown * 10_000 / speed).unwrap_or(0);
        while self.at(world) < self.offset + u64::try_from(shown).unwrap_or(0) {
            world += 1;
        }
        world
    }
}

pub struct Node {
    pub id: Identity,
    pub key: PublicKey,
    pub clock: Clock,
    pub table: Option<Table>,
    /// What is on its disk.
    pub records: Vec<Record>,
    pub transcripts: Vec<(u64, Vec<u8>)>,
    /// Files that prove something else, by their names.
    pub proofs: BTreeMap<String, Vec<u8>>,
    pub events: Vec<Event>,
    pub bot: bool,
    /// Its player has left the table, and has not come again.
    pub left: bool,
    /// How often its player has left.
    pub leaves: usize,
    /// Runs again only when the world says so.
    pub dead: bool,
    /// It runs from files that are older than what it has signed.
    pub set_back: bool,
    pub asleep_until: u64,
    /// When it wants to be called, in the world's time.
    pub wake: u64,
    pub starts: u64,
    /// How it sits down, where it is not one of the founders.
    pub newcomer: bool,
    /// Heights up to which its log was compared.
    pub checked: u64,
}
