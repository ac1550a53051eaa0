//! Ten nodes on one machine find each other and talk.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use common::{Node, beacon_port, beaconing};
use trinka_net::{NetEvent, PeerKey};

const NODES: u8 = 10;
const FRAMES: u32 = 100;

fn percentile(sorted: &[Duration], p: usize) -> Duration {
    sorted[(sorted.len() * p / 100).min(sorted.len() - 1)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_nodes_by_the_loopback_beacon() {
    let port = beacon_port();
    let begin = Instant::now();
    let mut nodes = Vec::new();
    for seed in 1..=NODES {
        nodes.push(Node::start(beaconing(seed, port)).await);
    }
    let mut tasks = Vec::new();
    for mut node in nodes.drain(..) {
        tasks.push(tokio::spawn(async move {
            let mut left = NODES - 1;
            node.until(10, "all nine", |e| {
                left -= u8::from(matches!(e, NetEvent::Connected { .. }));
                left == 0
            })
            .await;
            (node, begin.elapsed())
        }));
    }
    let mut worst = Duration::ZERO;
    for task in tasks {
        let (node, took) = task.await.unwrap();
        worst = worst.max(took);
        nodes.push(node);
    }
    println!("{NODES} nodes started and fully connected in {worst:?}");

    // Everybody sends a hundred frames of 400 bytes to all; each holds its number and when it was sent.
    let mut tasks = Vec::new();
    for mut node in nodes {
        let handle = node.handle.clone();
        tokio::spawn(async move {
            for number in 0..FRAMES {
                let mut frame = vec![0; 400];
                frame[..4].copy_from_slice(&number.to_be_bytes());
                let micros = u64::try_from(begin.elapsed().as_micros()).unwrap();
                frame[4..12].copy_from_slice(&micros.to_be_bytes());
                assert_eq!(handle.broadcast(&frame), usize::from(NODES) - 1);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        tasks.push(tokio::spawn(async move {
            let mut next: BTreeMap<PeerKey, u32> = BTreeMap::new();
            let mut delays = Vec::new();
            let all = FRAMES as usize * (usize::from(NODES) - 1);
            node.until(15, "all frames", |e| {
                if let NetEvent::Frame { peer, bytes } = e {
                    assert_eq!(bytes.len(), 400);
                    let number = u32::from_be_bytes(bytes[..4].try_into().unwrap());
                    let expected = next.entry(*peer).or_default();
                    assert_eq!(number, *expected, "in order");
                    *expected += 1;
                    let sent =
                        Duration::from_micros(u64::from_be_bytes(bytes[4..12].try_into().unwrap()));
                    delays.push(begin.elapsed().saturating_sub(sent));
                }
                delays.len() == all
            })
            .await;
            (node, delays)
        }));
    }
    let mut delays = Vec::new();
    // Whoever is through first must not leave: its own last frames may still be on their way.
    let mut stay = Vec::new();
    for task in tasks {
        let (node, mut some) = task.await.unwrap();
        node.check_order();
        let stats = node.handle.stats();
        assert_eq!((stats.over_rate, stats.send_dropped, stats.receive_dropped), (0, 0, 0));
        delays.append(&mut some);
        stay.push(node);
    }
    delays.sort();
    println!(
        "a frame took {:?} / {:?} (p50/p99)",
        percentile(&delays, 50),
        percentile(&delays, 99)
    );
}
