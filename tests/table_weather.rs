//! Bad networks, crashes, nodes that do not reach each other, and what a calm hand costs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::event::Event;
use trinka::table::ledger::Presence;
use trinka::table::transcript::{Finding, verify};
use world::{CALM, STORM, Weather, World};

const LONG: u64 = 3_600_000;

#[test]
fn storms_and_crashes() {
    for seed in 0..10 {
        let players = 2 + (seed as usize % 5);
        let mut world = World::new(3_000 + seed, players, 2, STORM);
        world.crash_per_thousand = 250;
        world.until("two hands in a storm", LONG, |w| w.finished(2));
        world.check();
        for node in &world.nodes {
            for bytes in node.transcripts.values() {
                assert!(matches!(verify(bytes, [2; 32]), Finding::Good(_)));
            }
        }
    }
}

#[test]
fn a_network_that_loses_a_third() {
    let awful = Weather { delay: (5, 400), loss_percent: 33, duplicate_percent: 20 };
    for players in [2, 4] {
        let mut world = World::new(3_100, players, 1, awful);
        world.until("a hand", LONG, |w| w.finished(1));
        world.check();
    }
}

#[test]
fn who_does_not_reach_somebody_plays_through_the_others() {
    for (players, pairs) in
        [(3, vec![(0, 1)]), (4, vec![(0, 1), (2, 3)]), (5, vec![(0, 1), (0, 2), (0, 3)])]
    {
        for weather in [CALM, STORM] {
            let mut world = World::new(3_200, players, 2, weather);
            world.blocked = pairs.iter().copied().collect();
            for i in 0..players {
                world.start(i);
            }
            world.connect_all();
            world.until("two hands by relay", LONG, |w| w.finished(2));
            world.check();
            if weather.loss_percent == 0 {
                for seat in 0..players {
                    assert!(!world.saw(0, |e| matches!(e, Event::Away { .. })));
                    assert_eq!(world.presence(0, u8::try_from(seat).unwrap()), Presence::Here);
                }
            }
        }
    }
}

#[test]
fn chat_goes_round() {
    let mut world = World::new(3_300, 3, 100, CALM);
    world.blocked = [(0, 1)].into();
    for i in 0..3 {
        world.start(i);
    }
    world.connect_all();
    world.until("a hand", LONG, |w| w.finished(1));
    world.command(0, trinka::event::Command::Say("a good hand\u{7}".into()));
    let says = |e: &Event| matches!(e, Event::Say { text, .. } if text == "a good hand");
    world.until("all have read it", 10_000, |w| w.saw(1, says) && w.saw(2, says));
    let count = |i: usize| world.nodes[i].events.iter().filter(|e| says(e)).count();
    assert_eq!((count(1), count(2)), (1, 1), "once");
}

/// What a calm hand costs, so that a change that makes it dearer is noticed. `cargo test cost -- --nocapture`
#[test]
fn the_cost_of_a_calm_hand() {
    for (players, most_bytes) in [(2usize, 40_000u64), (4, 220_000), (8, 1_400_000)] {
        let hands = 3;
        let mut world = World::new(3_400, players, hands, CALM);
        world.until("three hands", LONG, |w| w.finished(hands));
        let bytes: u64 = world.nodes.iter().map(|n| n.sent_bytes).sum::<u64>() / hands;
        let messages: u64 = world.nodes.iter().map(|n| n.sent_messages).sum::<u64>() / hands;
        let entries = (world.core(0).height - 1) / hands;
        let file = world.nodes[0].transcripts[&1].len();
        let ms = (world.now - 1_000) / hands;
        println!(
            "{players} players: {entries} entries, {messages} messages, {bytes} bytes, {ms} ms a hand; a file of {file} bytes"
        );
        assert!(bytes < most_bytes, "{players} players send {bytes} bytes a hand");
    }
}
