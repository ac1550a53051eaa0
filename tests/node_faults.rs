//! Nodes that are killed, for a moment or for good, and nodes that are frozen: real processes.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::faults::{
    ON_TOP, Phase, STEP, assert_sound, chips, hand_of, kill_in, plays, plays_on, seat_of,
};
use common::{Node, PLAIN, bots};

/// What everybody buys; enough that nobody has to buy more.
const BUY_IN: u64 = 20_000;
/// Long enough that nobody reaches it, and turns that are over soon.
const EVENING: &str = "--hands 100000 --think 5 --buy-in 20000";
/// Long enough for a slow machine that does nothing else.
const PATIENCE: u64 = 90;

/// Starts a node again that was killed.
fn again(place: &Path, i: usize, id: &str) -> Node {
    Node::bot(&place.join(format!("n{i}")), &format!("--name N{i} join {id}"))
}

/// Ends all nodes as a player would, and looks at what they leave behind.
fn end(mut nodes: Vec<Node>) {
    for node in &mut nodes {
        node.catch_up();
        node.hands(PATIENCE, 1);
    }
    for node in &mut nodes {
        node.signal("TERM");
        assert_eq!(node.exit(10), 143);
    }
    let bought = nodes.len() as u64 * BUY_IN;
    assert_sound(&nodes, bought);
}

/// A seat is in its place again: it is dealt in, with the chips that it had.
fn is_back(witness: &mut Node, seat: u64) {
    let hand = witness.until(PATIENCE, "a hand with the seat", |e| plays(e, seat));
    let seats = hand["seats"].as_array().unwrap();
    let stack = seats.iter().find(|s| s["seat"] == seat).unwrap()["stack"].as_u64().unwrap();
    // The ante may be in the bank already.
    let had = chips(witness, seat);
    assert!(stack == had || stack + 1 == had, "{hand}, not {had}");
}

/// Cards that were told in a hand, in the deal that is played.
fn cards_in(node: &Node, hand: u64) -> Vec<serde_json::Value> {
    let mut cards = Vec::new();
    let mut now = 0;
    for event in &node.seen {
        match event["event"].as_str().unwrap_or_default() {
            "hand" => now = event["hand"].as_u64().unwrap(),
            // With its end a hand's cards are nobody's; the next may be lifted for before it is told of.
            "svara" | "redeal" | "deal_again" | "settled" => cards.clear(),
            "cards" if now == hand => cards.push(event["cards"].clone()),
            _ => {}
        }
    }
    cards
}

/// Kills nodes in a phase and starts them again, until one has died in that very phase.
fn killed_in(place: &Path, nodes: &mut [Node], id: &str, wanted: Phase, victim: usize) {
    let seat = seat_of(&mut nodes[victim]);
    for attempt in 0.. {
        assert!(attempt < 8, "no node ever died in {wanted:?}");
        let witness = (victim + 1) % nodes.len();
        let died = kill_in(&mut nodes[victim], wanted, Duration::from_secs(PATIENCE));
        let hand = hand_of(&nodes[victim]);
        let before = cards_in(&nodes[victim], hand);
        nodes[witness].catch_up();
        let told = nodes[witness].seen.len();
        nodes[victim] = again(place, victim, id);
        // One whole hand after the one in which it died.
        nodes[victim].until(PATIENCE, "the hand after", |e| {
            e["event"] == "settled" && e["hand"].as_u64().unwrap() > hand
        });
        nodes[witness].catch_up();
        for event in &nodes[witness].seen[told..] {
            let lost = event["event"] == "away" && event["seat"] == seat;
            let anew = event["event"] == "deal_again" && event["reason"] != "tied";
            assert!(!lost && !anew && event["event"] != "fault", "{wanted:?} ({died:?}): {event}");
        }
        let settled =
            |node: &Node| node.all("settled").iter().any(|e| e["hand"].as_u64().unwrap() == hand);
        assert!(hand == 0 || settled(&nodes[witness]), "{wanted:?}: hand {hand} came to its end");
        // The same keys open the same cards.
        let redealt = nodes[witness].seen[told..]
            .iter()
            .take_while(|e| e["event"] != "settled")
            .any(|e| e["event"] == "svara" || e["event"] == "redeal");
        let after = nodes[victim].seen.iter().take_while(|e| e["event"] != "settled");
        let after: Vec<_> = after.filter(|e| e["event"] == "cards").collect();
        if let (Some(cards), Some(first)) = (before.last(), after.first())
            && died >= Phase::Look
            && died < Phase::Svara
            && !redealt
        {
            assert_eq!(first["cards"], *cards, "{wanted:?}, hand {hand}");
        }
        println!("{wanted:?}: node {victim} died in {died:?} of hand {hand}");
        if died == wanted {
            return;
        }
    }
}

#[test]
fn who_is_killed_in_any_phase_and_starts_again_goes_on_in_the_same_hand() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 4, EVENING);
    let id = nodes[0].table_id();
    nodes[3].hands(PATIENCE, 1);
    let phases = [
        Phase::Start,
        Phase::Keys,
        Phase::Shuffle,
        Phase::Deal,
        Phase::Look,
        Phase::Betting,
        Phase::Comparison,
        Phase::End,
    ];
    for (i, wanted) in phases.into_iter().enumerate() {
        killed_in(place.path(), &mut nodes, &id, wanted, i % 4);
    }
    end(nodes);
}

#[test]
fn who_is_killed_at_a_svara_and_starts_again_plays_it() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, EVENING);
    let id = nodes[0].table_id();
    nodes[2].hands(PATIENCE, 1);
    killed_in(place.path(), &mut nodes, &id, Phase::Svara, 1);
    end(nodes);
}

/// One of four is gone for good, in each of these phases; later it comes back.
fn gone_in(phases: &[(Phase, usize)], options: &str) {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 4, &format!("{EVENING} {options}"));
    let id = nodes[0].table_id();
    nodes[3].hands(PATIENCE, 1);
    for (wanted, victim) in phases.iter().copied() {
        let witness = (victim + 1) % 4;
        let seat = seat_of(&mut nodes[victim]);
        kill_in(&mut nodes[victim], wanted, Duration::from_secs(PATIENCE));
        let since = Instant::now();
        nodes[witness].catch_up();
        let told = nodes[witness].seen.len();
        plays_on(&mut nodes[witness], 2, STEP + ON_TOP);
        println!("{wanted:?}: two more hands after {:?}", since.elapsed());
        // It owes the next step of its program, and is lost for that; the others were not.
        let away: Vec<_> =
            nodes[witness].seen[told..].iter().filter(|e| e["event"] == "away").collect();
        assert!(away.iter().all(|e| e["seat"] == seat), "{away:?}");
        assert_eq!(away.len(), 1, "{wanted:?}");
        nodes[victim] = again(place.path(), victim, &id);
        is_back(&mut nodes[witness], seat);
        nodes[witness].hands(PATIENCE, 2);
    }
    end(nodes);
}

#[test]
fn of_four_the_others_play_on_without_one_that_is_lost_in_the_deal() {
    gone_in(&[(Phase::Start, 0), (Phase::Keys, 1), (Phase::Shuffle, 2)], "");
}

#[test]
fn of_four_the_others_play_on_without_one_that_is_lost_in_play() {
    gone_in(&[(Phase::Look, 3), (Phase::Betting, 0), (Phase::Comparison, 1)], "");
}

#[test]
fn of_six_three_are_lost_one_after_another() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 6, &format!("{PLAIN} {EVENING}"));
    nodes[5].hands(PATIENCE, 1);
    for (victim, wanted) in [(0, Phase::Shuffle), (4, Phase::Betting), (2, Phase::Start)] {
        kill_in(&mut nodes[victim], wanted, Duration::from_secs(PATIENCE));
        nodes[1].catch_up();
        plays_on(&mut nodes[1], 2, STEP + ON_TOP);
    }
    nodes[1].catch_up();
    let left = nodes[1].event(PATIENCE, "hand")["seats"].as_array().unwrap().len();
    assert_eq!(left, 3);
    for i in [1, 3, 5] {
        nodes[i].catch_up();
        nodes[i].hands(PATIENCE, 1);
    }
    // Whoever is killed leaves a log that is sound as far as it goes.
    assert_sound(&nodes, 6 * BUY_IN);
}

#[test]
fn a_lid_that_is_closed_for_a_moment_or_for_longer() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 4, &format!("{PLAIN} {EVENING}"));
    nodes[3].hands(PATIENCE, 1);

    let seat = seat_of(&mut nodes[2]);

    // For a moment: the same hand goes on, and nobody is missed.
    nodes[2].event(PATIENCE, "cards");
    nodes[2].signal("STOP");
    nodes[1].catch_up();
    let told = nodes[1].seen.len();
    nodes[1].for_a_while(4_000);
    nodes[2].signal("CONT");
    nodes[1].hands(PATIENCE, 3);
    let missed = |e: &serde_json::Value| e["event"] == "away" || e["event"] == "fault";
    assert!(!nodes[1].seen[told..].iter().any(missed));

    // For longer than any limit: it is folded and lost; the others play.
    nodes[2].catch_up();
    nodes[2].event(PATIENCE, "cards");
    nodes[2].signal("STOP");
    nodes[1].catch_up();
    plays_on(&mut nodes[1], 2, STEP + ON_TOP);
    nodes[1].catch_up();
    let away: Vec<_> = nodes[1].all("away").iter().map(|e| e["seat"].clone()).collect();
    assert_eq!(away, [seat]);
    nodes[2].signal("CONT");
    is_back(&mut nodes[1], seat);
    nodes[2].catch_up();
    nodes[2].hands(PATIENCE, 2);
    end(nodes);
}
