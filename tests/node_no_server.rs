//! No node is a server: whoever is killed, the others play on, are found, and take in whoever comes.
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

use common::{LOCAL, Node, PLAIN, TRINKA, assert_agreement, assert_transcripts, bots};
use serde_json::Value;

/// Long enough that nobody reaches it.
const EVENING: &str = "--hands 100000 --think 5";

/// The tables nearby, by a program that knows nothing but this machine.
fn tables(place: &Path) -> Vec<Value> {
    let out = common::run(&place.join("looker"), &format!("{LOCAL} tables --wait 3 --json"), 15);
    assert!(out.status.success(), "{}: {}", TRINKA, String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// The stack of a seat after the last hand that a node saw.
fn last_stack(node: &Node, seat: &str) -> Value {
    node.all("settled").last().unwrap()["stacks"][seat].clone()
}

/// Everything after the host was killed for good.
fn without_the_host(place: &Path, mut nodes: Vec<Node>) {
    let id = nodes[0].table_id();
    for node in &mut nodes[1..] {
        node.catch_up();
    }
    for node in &mut nodes[1..] {
        node.hands(45, 3);
    }
    // The table is still on the network, told by those who sit there.
    let found = tables(place);
    let table =
        found.iter().find(|t| t["id"] == id.as_str()).unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(table["playing"], true);
    assert_eq!(table["addresses"].as_array().unwrap().len(), 3, "{table}");

    // Somebody new finds a seat at it and plays.
    let mut fifth = Node::bot(&place.join("n4"), &format!("--name N4 join {id}"));
    let seat =
        fifth.until(30, "a seat", |e| e["event"] == "table" && e["you"].is_u64())["you"].clone();
    assert_eq!(seat, 4);
    fifth.until(30, "a hand", |e| {
        e["event"] == "hand" && e["seats"].as_array().unwrap().iter().any(|s| s["seat"] == seat)
    });
    fifth.hands(30, 2);
    nodes.push(fifth);

    // Who was killed starts again and finds its seat and its chips.
    nodes[1].catch_up();
    let chips = last_stack(&nodes[1], "0");
    let so_far = nodes[1].all("settled").last().unwrap()["hand"].as_u64();
    let mut host = Node::bot(&place.join("n0"), &format!("--name N0 join {id}"));
    // The hand in which it was killed is told once more.
    let back = host.until(40, "another hand with the seat", |e| {
        e["event"] == "hand"
            && e["hand"].as_u64() > so_far
            && e["seats"].as_array().unwrap().iter().any(|s| s["seat"] == 0)
    });
    let own =
        back["seats"].as_array().unwrap().iter().find(|s| s["seat"] == 0).unwrap()["stack"].clone();
    // The ante is in the bank already.
    assert_eq!(own.as_u64().unwrap() + 1, chips.as_u64().unwrap());
    host.hands(30, 2);
    nodes[0] = host;

    for node in &mut nodes {
        node.hands(30, 1);
        node.signal("TERM");
        assert_eq!(node.exit(5), 143);
        assert!(assert_transcripts(&node.dir) > 0);
    }
    assert_agreement(&nodes);
}

#[test]
fn a_host_that_is_killed_between_hands() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 4, &format!("{PLAIN} {EVENING}"));
    nodes[0].hands(30, 2);
    nodes[0].kill();
    without_the_host(place.path(), nodes);
}

#[test]
fn a_host_that_is_killed_in_the_middle_of_a_hand() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 4, &format!("{PLAIN} {EVENING}"));
    nodes[0].hands(30, 2);
    nodes[0].event(10, "cards");
    nodes[0].kill();
    without_the_host(place.path(), nodes);
}
