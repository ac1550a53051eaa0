//! Machines on one network that are told no address: they find each other and play.
//!
//! Needs root and iproute2, else these tests say so and pass; with `TRINKA_NEED_NETNS` set they fail instead.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use common::lan::Lan;
use common::{Node, assert_agreement, assert_transcripts, stacks};

/// One node on each host plays two hands; everything is checked that they wrote and told.
fn play(lan: &Lan) -> Vec<Node> {
    let place = tempfile::tempdir().unwrap();
    let node = |i: u32, words: &str| {
        let host = lan.host(i);
        let before = ["ip", "netns", "exec", &host];
        Node::start(
            &before,
            &place.path().join(i.to_string()),
            &format!("--ui json --bot careful {words}"),
        )
    };
    let mut nodes = vec![node(1, "host kitchen --min-players 4 --hands 2")];
    let id = nodes[0].table_id();
    nodes.extend((2..=4).map(|i| node(i, &format!("join {id}"))));
    for node in &mut nodes {
        assert_eq!(node.exit(60), 0, "{}", node.stderr());
        let hands: Vec<u64> = stacks(node).into_iter().map(|(hand, _)| hand).collect();
        assert_eq!(hands, [1, 2]);
        assert_eq!(assert_transcripts(&node.dir), 2);
    }
    assert_agreement(&nodes);
    nodes
}

fn found_by(nodes: &[Node], how: &str) -> usize {
    nodes.iter().flat_map(|node| node.all("found")).filter(|e| e["by"] == how).count()
}

#[test]
fn four_hosts_meet_by_mdns_and_play() {
    let Some(lan) = Lan::new(4) else { return };
    let nodes = play(&lan);
    assert!(found_by(&nodes, "mdns") > 0);
    for found in nodes.iter().flat_map(|node| node.all("found")) {
        assert!(found["address"].as_str().unwrap().starts_with("10.77.0."), "{found}");
    }
}

#[test]
fn four_hosts_meet_by_beacon_where_the_switch_drops_multicast() {
    let Some(lan) = Lan::new(4) else { return };
    lan.no_multicast();
    let nodes = play(&lan);
    assert_eq!(found_by(&nodes, "mdns"), 0);
    assert!(found_by(&nodes, "beacon") > 0);
}
