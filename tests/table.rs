//! Whole tables over a small seeded network: real agreement, real cryptography, no clock and no socket.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::event::Event;
use trinka::table::transcript::{Finding, verify};
use world::{CALM, STORM, World};

#[test]
fn four_play_three_hands_and_prove_it() {
    let mut world = World::new(1, 4, 3, CALM);
    world.until("three hands", 600_000, |w| w.finished(3));
    world.check();
    for node in &world.nodes {
        assert_eq!(node.transcripts.len(), 3);
        for bytes in node.transcripts.values() {
            match verify(bytes, [1; 32]) {
                Finding::Good(report) => {
                    assert!(report.shuffles >= 4);
                    assert!(report.result.is_some());
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(world.nodes[0].events.iter().any(|e| matches!(e, Event::Cards { .. })));
}

#[test]
fn tables_of_all_sizes() {
    for players in [2, 3, 5, 8] {
        let mut world = World::new(players as u64, players, 2, CALM);
        world.until("two hands", 600_000, |w| w.finished(2));
        world.check();
    }
}

#[test]
fn bad_weather_and_crashes() {
    let mut crashes = 0;
    for seed in 0..6 {
        let players = 2 + (seed as usize % 4);
        let mut world = World::new(100 + seed, players, 2, STORM);
        world.crash_per_thousand = 150;
        world.until("two hands in a storm", 3_600_000, |w| w.finished(2));
        world.check();
        crashes += world.crashes;
    }
    assert!(crashes > 3, "the crashes have to be met");
}
