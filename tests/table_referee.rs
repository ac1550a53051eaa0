//! The referee and a table over the network are one game: random hands between nodes, written down from
//! their transcripts, stand move by move where the referee puts them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

#[path = "world/paper.rs"]
mod paper;
mod world;

use std::collections::BTreeMap;

use paper::{all, settle, settle_seen_by};
use trinka::rules::{HouseRules, Phase, Preset};
use trinka::table::Input;
use trinka::table::transcript::{Finding, verify};
use world::{CALM, STORM, Weather, World, identity};

fn rules(preset: Preset, switches: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in switches {
        rules.set(switch, value).unwrap();
    }
    rules.validate().unwrap();
    rules
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

/// Evenings of eight hands, until every word has been written: what bots do is left to luck.
fn evenings(seed: u64, rules: &HouseRules, players: usize, words: &[&str]) {
    let mut met = BTreeMap::new();
    for seed in seed..seed + 20 {
        let mut world = World::with_rules(seed, rules.clone(), players, 8, CALM);
        // Some evenings end early: nobody buys more chips here.
        let ruined = |w: &World| {
            let game = &w.core(0).game;
            game.bank() == 0 && game.stacks().values().filter(|s| **s >= rules.ante).count() < 2
        };
        world.until("the hands are played", 6_000_000, |w| {
            w.finished(8) || (ruined(w) && w.finished(w.core(0).finished))
        });
        world.check();
        for (word, n) in settle_seen_by(&world, world.core(0).finished, 1) {
            *met.entry(word).or_insert(0) += n;
        }
        if words.iter().all(|word| met.contains_key(*word)) {
            return;
        }
    }
    all(&met, words);
}

#[test]
fn svaras_pools_and_pacts() {
    let words =
        ["boil", "pool", "pact", "enter", "stay-out", "split", "no-split", "keep", "replace"];
    evenings(100, &rules(Preset::TrinkaClassic, &[("ceiling", "12")]), 5, &words);
}

#[test]
fn svaras_online_and_in_seka() {
    let words = ["dark", "enter", "no-split", "compare"];
    let switches = [("ante", "5"), ("ceiling", "60")];
    evenings(120, &rules(Preset::TrinkaOnline, &switches), 3, &words);
    let switches = [("wild", "joker"), ("triples", "above"), ("first_dealer", "count")];
    evenings(140, &rules(Preset::Seka, &switches), 3, &["count", "compare", "cards"]);
    let switches = [("boil", "on"), ("pool", "on"), ("pact", "on"), ("ceiling", "10")];
    evenings(160, &rules(Preset::Seka, &switches), 4, &["boil"]);
}

/// Somebody sits down while a svara is entered, and is asked too.
#[test]
fn a_newcomer_in_a_svara() {
    let rules = rules(Preset::TrinkaClassic, &[("ceiling", "12")]);
    let mut met = BTreeMap::new();
    for seed in 180..220 {
        let mut world = World::with_rules(seed, rules.clone(), 4, 6, CALM);
        let entry = |w: &World| matches!(w.core(0).game.phase(), Phase::SvaraEntry);
        world.until("a svara", 6_000_000, |w| entry(w) || w.finished(6));
        if entry(&world) {
            let i = world.add(identity(9_000, usize::try_from(seed).unwrap()));
            world.connect_all();
            world.input(i, Input::Sit { name: "Newcomer".into(), addresses: Vec::new() });
        }
        world.until("the hands are played", 6_000_000, |w| w.finished(6));
        world.check();
        for (word, n) in settle_seen_by(&world, 6, 1) {
            *met.entry(word).or_insert(0) += n;
        }
        let entered = |bytes: &Vec<u8>| match verify(bytes, [4; 32]) {
            Finding::Good(report) => report.met.newcomer > 0,
            _ => false,
        };
        if world.nodes[0].transcripts.values().any(entered) {
            return all(&met, &["newcomer", "enter"]);
        }
    }
    panic!("no newcomer entered a svara: {met:?}");
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
