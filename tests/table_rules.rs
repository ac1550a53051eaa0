//! Every rule between nodes: all presets and many switches, with real proofs, on a network in one process.

mod world;

use trinka::event::Event;
use trinka::rules::{HouseRules, Preset};
use world::{CALM, STORM, Weather, World};

fn rules(preset: Preset, switches: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in switches {
        rules.set(switch, value).unwrap();
    }
    rules.validate().unwrap();
    rules
}

/// Plays so many hands; all agree, all transcripts verify.
fn play(seed: u64, rules: HouseRules, players: usize, hands: u64, weather: Weather) -> World {
    let mut world = World::with_rules(seed, rules, players, hands, weather);
    world.until("the hands are played", 6_000_000, |w| w.finished(hands));
    world.check();
    for node in &world.nodes {
        for (hand, bytes) in &node.transcripts {
            let finding = trinka::table::transcript::verify(bytes, [3; 32]);
            assert!(
                matches!(finding, trinka::table::transcript::Finding::Good(_)),
                "hand {hand}: {finding:?}"
            );
        }
        assert_eq!(node.transcripts.len() as u64, hands);
        let refused: Vec<_> =
            node.events.iter().filter(|e| matches!(e, Event::Error { .. })).collect();
        assert!(refused.len() < 40, "{refused:?}");
    }
    world
}

#[test]
fn classic() {
    play(1, rules(Preset::TrinkaClassic, &[]), 4, 12, CALM);
}

#[test]
fn classic_with_two() {
    play(2, rules(Preset::TrinkaClassic, &[]), 2, 8, CALM);
}

#[test]
fn online() {
    play(3, rules(Preset::TrinkaOnline, &[]), 4, 10, CALM);
}

#[test]
fn seka() {
    play(4, rules(Preset::Seka, &[]), 3, 6, CALM);
}

#[test]
fn in_bad_weather() {
    play(5, rules(Preset::TrinkaClassic, &[]), 3, 3, STORM);
}
