//! Others on the network: programs of another version, and whoever sends nonsense.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use common::{ALONE, BOT, Node, PLAIN, assert_agreement, bots};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use trinka::node::MAGIC;
use trinka::wire::PROTOCOL_VERSION;
use trinka_net::{BeaconMode, NetConfig, NetEvent};

#[test]
fn another_version_is_told_on_both_sides() {
    let place = tempfile::tempdir().unwrap();
    let mut node =
        Node::start(&[], &place.path().join("n"), &format!("{ALONE} {BOT} host table {PLAIN}"));
    let address = node.address();
    let other = PROTOCOL_VERSION + 1;

    let mut config = NetConfig::local([9; 32], MAGIC, other);
    config.beacon = BeaconMode::Off;
    config.listen = vec![SocketAddr::from(([127, 0, 0, 1], 0))];
    config.peers = vec![address];
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let told = runtime.block_on(async {
        let (handle, mut events) = trinka_net::start(config).await.unwrap();
        let told = tokio::time::timeout(Duration::from_secs(10), async {
            loop {
                match events.recv().await.unwrap() {
                    NetEvent::VersionMismatch { theirs, ours, .. } => return (theirs, ours),
                    NetEvent::Connected { .. } => panic!("connected"),
                    _ => {}
                }
            }
        });
        let told = told.await.unwrap();
        handle.shutdown().await;
        told
    });
    assert_eq!(told, (PROTOCOL_VERSION, other));

    let error = node.until(10, "the other version", |e| e["event"] == "error");
    assert_eq!(error["code"], "other-version");
    let message = error["message"].as_str().unwrap();
    for version in [PROTOCOL_VERSION, other] {
        assert!(message.contains(&version.to_string()), "{message}");
    }
    assert!(node.alive());
}

#[test]
fn nonsense_disturbs_nobody_who_plays() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, &format!("{PLAIN} --hands 100000"));
    let addresses: Vec<String> = nodes.iter_mut().map(Node::address).collect();
    nodes[0].hands(30, 1);
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let mut open = Vec::new();
    for i in 0..50u32 {
        let mut stream = TcpStream::connect(&addresses[i as usize % 3]).unwrap();
        let mut bytes = vec![0; (rng.next_u32() % 5_000) as usize];
        rng.fill_bytes(&mut bytes);
        match i % 5 {
            // Open and silent.
            0 => {}
            // The beginning of what a peer would say, and no more.
            1 => stream.write_all(b"\x13/multistream/1.0.0\n").unwrap(),
            2 => stream
                .write_all(b"\x13/multistream/1.0.0\n\x07/noise\n")
                .and_then(|()| stream.write_all(&bytes))
                .unwrap(),
            3 => stream.write_all(b"GET / HTTP/1.1\r\nHost: table\r\n\r\n").unwrap(),
            _ => {
                // It may be thrown out in the middle of it.
                let _ = stream.write_all(&bytes);
            }
        }
        if i % 2 == 0 {
            open.push(stream);
        }
    }
    for node in &mut nodes {
        node.catch_up();
        let before = node.seen.len();
        node.hands(30, 5);
        // Nobody was lost, nobody had to begin again, and nothing was complained of.
        for event in &node.seen[before..] {
            let name = event["event"].as_str().unwrap();
            // Equal cards lifted for the next dealer are nobody's fault.
            let tied = name == "deal_again" && event["reason"] == "tied";
            assert!(tied || !["away", "fault", "error", "deal_again"].contains(&name), "{event}");
        }
    }
    drop(open);
    for node in &mut nodes {
        node.hands(30, 3);
        assert!(node.alive());
    }
    assert_agreement(&nodes);
}
