//! Another rules engine is noticed, one seed gives one run, and a computer that slept blames nobody.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::event::{Event, MoveKind};
use trinka::rules::Seat;
use trinka::table::ledger::{Core, Presence};
use world::{CALM, STORM, Weather, World};

const LONG: u64 = 600_000;

/// An engine that counts a hand too many once entry 9 is decided.
fn miscounts(core: &mut Core) {
    if core.height == 10 {
        core.deals += 1;
    }
}

fn says_that_engines_differ(world: &World, i: usize, entry: u64) -> bool {
    world.saw(i, |e| match e {
        Event::Error { code, message, .. } => {
            code == "engine-differs" && message.contains(&format!("entry {entry}:"))
        }
        _ => false,
    })
}

#[test]
fn another_engine_is_noticed_at_the_next_entry() {
    for odd in [0, 2] {
        let mut world = World::new(2_000 + odd as u64, 4, 100, CALM);
        world.nodes[odd].alter = Some(miscounts);
        world.start(odd);
        world.connect_all();
        world.until("it stops", LONG, |w| w.nodes[odd].table.as_ref().unwrap().halted());
        assert!(
            world.core(odd).height <= 10,
            "it follows no further than the entry whose result differs"
        );
        assert!(says_that_engines_differ(&world, odd, 9), "{}", world.describe());
        let others: Vec<usize> = (0..4).filter(|i| *i != odd).collect();
        world.until("the others notice too", LONG, |w| {
            others.iter().all(|i| says_that_engines_differ(w, *i, 9))
        });
        world.until("the others go on", LONG, |w| others.iter().all(|i| w.core(*i).finished >= 3));
        for i in &others {
            assert!(!world.nodes[*i].table.as_ref().unwrap().halted());
        }
        world.check();
    }
}

#[test]
fn one_seed_gives_one_run() {
    for (players, weather, crash) in [(4, CALM, 0), (3, STORM, 200)] {
        let run = || {
            let mut world = World::new(2_100, players, 2, weather);
            world.crash_per_thousand = crash;
            world.until("two hands", 3_600_000, |w| w.finished(2));
            let logs: Vec<Vec<u8>> = world
                .alive()
                .flat_map(|i| world.nodes[i].table.as_ref().unwrap().log().to_vec())
                .map(|d| d.entry.clone())
                .collect();
            let events: Vec<Vec<Event>> = world.nodes.iter().map(|n| n.events.clone()).collect();
            let files: Vec<_> = world.nodes.iter().map(|n| n.transcripts.clone()).collect();
            (world.now, world.crashes, logs, events, files)
        };
        let (one, other) = (run(), run());
        assert!(one == other);
        assert!(one.4.iter().all(|files| files.len() == 2));
    }
}

fn folds(world: &World, i: usize) -> usize {
    world.nodes[i]
        .events
        .iter()
        .filter(|e| matches!(e, Event::Moved { kind: MoveKind::Fold, .. }))
        .count()
}

#[test]
fn a_computer_that_slept_blames_nobody() {
    let mut world = World::with_think(2_200, 4, 100, CALM, 10_000);
    world.until("a hand", LONG, |w| w.finished(1));
    for i in 0..4 {
        world.nodes[i].bot = false;
    }
    // Everybody thinks, and one lid is closed, on the turn of somebody else.
    world.until("a turn", LONG, |w| w.alive().all(|i| w.core(i).owed().iter().any(|o| o.human)));
    let turn = world.core(0).game.turn().unwrap();
    let sleeper = usize::from(turn == Seat(0));
    let basis = world.core(0).basis();
    world.run_for(9_000);
    world.sleep(sleeper, 25_000);
    let said = world.nodes[sleeper].records.len();
    // The others' clocks run; the sleeper's does not, and it wakes with nothing to say about anybody.
    world.until("it wakes", LONG, |w| {
        w.nodes[sleeper].table.is_some() && w.core(sleeper).basis() != basis
    });
    let own = |r: &trinka::table::Record| matches!(r, trinka::table::Record::Own(_));
    assert!(!world.nodes[sleeper].records[said..].iter().any(own), "it accuses nobody");
    world.check();
}

#[test]
fn nobody_is_folded_when_all_slept() {
    let mut world = World::with_think(2_300, 4, 100, CALM, 10_000);
    world.until("a hand", LONG, |w| w.finished(1));
    for i in 0..4 {
        world.nodes[i].bot = false;
    }
    world.until("a turn", LONG, |w| w.alive().all(|i| w.core(i).owed().iter().any(|o| o.human)));
    let (basis, before) = (world.core(0).basis(), folds(&world, 0));
    for _ in 0..5 {
        world.run_for(3_000);
        world.all_sleep(60_000);
    }
    assert_eq!(world.core(0).basis(), basis, "their clocks start again each time");
    assert_eq!(folds(&world, 0), before);
    for seat in 0..4 {
        assert_eq!(world.presence(0, seat), Presence::Here);
    }
    world.until("in the end its time is over", LONG, |w| w.core(0).basis() != basis);
    world.check();
}

#[test]
fn who_comes_late_to_the_first_hand_is_not_lost() {
    // Three are connected at once, the fourth a little later: it has not been silent for half a minute.
    let slow = Weather { delay: (1, 2), ..CALM };
    let mut world = World::new(2_400, 4, 100, slow);
    world.nodes[3].cut_off = true;
    world.run_for(5_000);
    world.nodes[3].cut_off = false;
    world.connect_all();
    world.until("two hands", LONG, |w| w.finished(2));
    for seat in 0..4 {
        assert_eq!(world.presence(0, seat), Presence::Here);
    }
    world.check();
}

#[test]
fn nobody_is_lost_to_a_pause_of_the_network() {
    let mut world = World::new(2_500, 4, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    for i in 0..4 {
        world.nodes[i].cut_off = true;
    }
    world.run_for(90_000);
    // They come back one after another, seconds apart.
    for i in 0..4 {
        world.nodes[i].cut_off = false;
        world.connect_all();
        world.run_for(4_000);
    }
    world.until("two more", LONG, |w| w.finished(3));
    for seat in 0..4 {
        assert_eq!(world.presence(0, seat), Presence::Here);
    }
    assert!(!world.saw(0, |e| matches!(e, Event::Away { .. })));
    world.check();
}
