//! The referee and a table over the network are one game: random hands between nodes, written down from
//! their transcripts, stand move by move where the referee puts them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use std::collections::BTreeMap;

use trinka::referee::{Played, Script, referee, script};
use trinka::rules::{Card, HouseRules, Preset, Seat};
use trinka::table::transcript::{Course, Finding, replay};
use world::{CALM, STORM, Weather, World};

fn rules(preset: Preset, switches: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in switches {
        rules.set(switch, value).unwrap();
    }
    rules.validate().unwrap();
    rules
}

fn course(bytes: &[u8]) -> Course {
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
fn settle(world: &World, hands: u64) -> BTreeMap<String, u64> {
    let mut met = BTreeMap::new();
    for (i, node) in world.nodes.iter().enumerate() {
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

/// Plays so many hands at a table of these rules, and settles them.
fn play(
    seed: u64,
    rules: HouseRules,
    players: usize,
    hands: u64,
    weather: Weather,
) -> BTreeMap<String, u64> {
    let mut world = World::with_rules(seed, rules, players, hands, weather);
    world.until("the hands are played", 6_000_000, |w| w.finished(hands));
    world.check();
    settle(&world, hands)
}

fn all(met: &BTreeMap<String, u64>, words: &[&str]) {
    for word in words {
        assert!(met.contains_key(*word), "{word} was never written: {met:?}");
    }
}

#[test]
fn classic() {
    let met = play(41, rules(Preset::TrinkaClassic, &[]), 4, 10, CALM);
    all(&met, &["dark", "bet", "look", "fold", "compare", "lift", "cards", "expose"]);
}

#[test]
fn classic_with_two() {
    let met = play(42, rules(Preset::TrinkaClassic, &[]), 2, 8, CALM);
    all(&met, &["boil", "accept", "lift"]);
}

#[test]
fn online() {
    let met = play(43, rules(Preset::TrinkaOnline, &[]), 4, 8, CALM);
    all(&met, &["compare", "points", "dark"]);
}

#[test]
fn seka() {
    play(44, rules(Preset::Seka, &[]), 3, 6, CALM);
}

#[test]
fn everything_that_is_asked_before_the_deal() {
    let switches = [
        ("missing_ante", "dealer_pays"),
        ("first_dealer", "count"),
        ("two_aces", "22"),
        ("ante", "3"),
    ];
    let met = play(45, rules(Preset::TrinkaClassic, &switches), 3, 6, CALM);
    all(&met, &["ante", "omit", "count"]);
}

#[test]
fn in_bad_weather() {
    play(46, rules(Preset::TrinkaClassic, &[]), 3, 3, STORM);
}

/// A node dies in the middle of a hand, and one that only watches its turns pass.
#[test]
fn with_seats_that_are_lost_or_silent() {
    let mut world = World::with_rules(47, rules(Preset::TrinkaClassic, &[]), 4, 4, CALM);
    world.nodes[2].bot = false;
    world.until("a hand is played", 6_000_000, |w| w.finished(1));
    let betting = |w: &World| *w.core(0).game.phase() == trinka::rules::Phase::Betting;
    world.until("another is dealt", 6_000_000, betting);
    world.kill(3);
    world.until("the rest is played", 60_000_000, |w| w.finished(4));
    world.check();
    let met = settle(&world, 4);
    all(&met, &["lost"]);
}
