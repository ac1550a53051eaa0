//! Hands between nodes written down from their transcripts, and settled by the referee.
#![allow(dead_code)]

use std::collections::BTreeMap;

use trinka::referee::{Played, Script, referee, script};
use trinka::rules::{Card, Seat};
use trinka::table::transcript::{Course, Finding, replay};

use crate::world::World;

pub fn course(bytes: &[u8]) -> Course {
    match replay(bytes, [3; 32]) {
        (Finding::Good(_), Some(course)) => course,
        (finding, _) => panic!("{finding:?}"),
    }
}

fn write(course: &Course, own: bool, expect: bool) -> Script {
    let hands: Vec<BTreeMap<Seat, [Card; 3]>> = course.hands(own);
    let Course { opening, inputs, names, .. } = course;
    script(&Played { opening, inputs, names, hands: &hands }, expect)
}

/// Writes down every hand as every node saw it, and as everybody could; the referee agrees with all.
/// How often each word began a line, or stood behind a name.
pub fn settle(world: &World, hands: u64) -> BTreeMap<String, u64> {
    settle_seen_by(world, hands, world.nodes.len())
}

/// The same of so many of the nodes.
pub fn settle_seen_by(world: &World, hands: u64, nodes: usize) -> BTreeMap<String, u64> {
    let mut met = BTreeMap::new();
    for (i, node) in world.nodes.iter().enumerate().take(nodes) {
        assert!(node.transcripts.len() as u64 <= hands);
        for (hand, bytes) in &node.transcripts {
            let course = course(bytes);
            for (own, expect) in [(true, true), (false, true), (true, false)] {
                let script = write(&course, own, expect);
                let what = || format!("node {i}, hand {hand}:\n{}", script.text);
                let verdict = referee(&script.text);
                assert!(verdict.failure.is_none(), "{:?}\n{}", verdict.failure, what());
                assert!(script.whole, "{}", what());
                assert!(verdict.state.result.is_some(), "{}", what());
                for line in script.text.lines().filter(|line| !line.starts_with('#')) {
                    for word in line.split_whitespace().take(2) {
                        *met.entry(word.to_owned()).or_insert(0) += 1;
                    }
                }
            }
        }
    }
    met
}

pub fn all(met: &BTreeMap<String, u64>, words: &[&str]) {
    for word in words {
        assert!(met.contains_key(*word), "{word} was never written: {met:?}");
    }
}
