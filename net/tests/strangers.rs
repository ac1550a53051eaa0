//! Other versions, other programs, garbage.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use common::{Node, beacon_port, beaconing, quiet};
use trinka_net::{NetEvent, Refusal};

#[tokio::test]
async fn both_sides_are_told_of_another_version() {
    let mut a = Node::start(quiet(1)).await;
    let mut b = Node::start({
        let mut config = quiet(2);
        config.version = 2;
        config
    })
    .await;
    b.handle.dial(&a.addr().to_string()).await.unwrap();
    let told = |e: &NetEvent| matches!(e, NetEvent::VersionMismatch { .. });
    let event = a.until(5, "told", told).await;
    assert!(
        matches!(event, NetEvent::VersionMismatch { peer, theirs: 2, ours: 1, .. } if peer == b.me())
    );
    let event = b.until(5, "told", told).await;
    assert!(
        matches!(event, NetEvent::VersionMismatch { peer, theirs: 1, ours: 2, .. } if peer == a.me())
    );
    // And left alone.
    a.for_a_while(3000).await;
    b.for_a_while(10).await;
    for node in [&a, &b] {
        assert_eq!(node.seen.iter().filter(|e| told(e)).count(), 1);
        assert!(!node.seen.iter().any(|e| matches!(e, NetEvent::Connected { .. })));
    }
}

#[tokio::test]
async fn a_beacon_of_another_version_is_told() {
    let port = beacon_port();
    let mut a = Node::start(beaconing(1, port)).await;
    let mut b = Node::start({
        let mut config = beaconing(2, port);
        config.version = 7;
        config
    })
    .await;
    a.until(5, "told", |e| matches!(e, NetEvent::VersionMismatch { theirs: 7, ours: 1, .. })).await;
    b.until(5, "told", |e| matches!(e, NetEvent::VersionMismatch { theirs: 1, ours: 7, .. })).await;
}

#[tokio::test]
async fn another_magic_is_not_ours() {
    let mut a = Node::start(quiet(1)).await;
    let mut b = Node::start({
        let mut config = quiet(2);
        config.magic = *b"another!";
        config
    })
    .await;
    b.handle.dial(&a.addr().to_string()).await.unwrap();
    let told = |e: &NetEvent| matches!(e, NetEvent::Refused { why: Refusal::NotOurs, .. });
    a.until(5, "told", told).await;
    b.until(5, "told", told).await;
}

#[tokio::test]
async fn too_long_a_frame_is_refused() {
    let mut a = Node::start({
        let mut config = quiet(1);
        config.limits.max_frame = 1000;
        config
    })
    .await;
    let mut b = Node::start(quiet(2)).await;
    b.handle.dial(&a.addr().to_string()).await.unwrap();
    b.connected(5, a.me()).await;
    b.handle.send(a.me(), vec![1; 1000]).unwrap();
    a.until(
        5,
        "the longest",
        |e| matches!(e, NetEvent::Frame { bytes, .. } if bytes.len() == 1000),
    )
    .await;
    b.handle.send(a.me(), vec![1; 1001]).unwrap();
    a.disconnected(5, b.me()).await;
    a.until(5, "told", |e| matches!(e, NetEvent::Refused { why: Refusal::Oversize, .. })).await;
    assert!(
        !a.seen.iter().any(|e| matches!(e, NetEvent::Frame { bytes, .. } if bytes.len() > 1000))
    );
}

#[tokio::test]
async fn whoever_floods_is_cut_down_and_stays_connected() {
    let mut a = Node::start({
        let mut config = quiet(1);
        config.limits.frames_per_second = 10;
        config
    })
    .await;
    let mut b = Node::start(quiet(2)).await;
    b.handle.dial(&a.addr().to_string()).await.unwrap();
    a.connected(5, b.me()).await;
    b.connected(5, a.me()).await;
    for _ in 0..500 {
        let _ = b.handle.send(a.me(), vec![1]);
    }
    a.for_a_while(1500).await;
    let got = a.seen.iter().filter(|e| matches!(e, NetEvent::Frame { .. })).count();
    assert!((40..=60).contains(&got), "{got}");
    assert_eq!(a.handle.stats().over_rate, 500 - u64::try_from(got).unwrap());
    assert_eq!(a.handle.connected(), [b.me()]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_disturbs_nothing() {
    let mut a = Node::start(quiet(1)).await;
    let mut b = Node::start(quiet(2)).await;
    let addr = a.addr();
    let quarrel = tokio::task::spawn_blocking(move || {
        let mut open = Vec::new();
        for i in 0..250_u32 {
            let mut stream = TcpStream::connect(addr).unwrap();
            match i % 5 {
                // Opened and left.
                0 => {}
                // Bytes of no protocol; a fixed generator, so that a failure can be repeated.
                1 => {
                    let mut x = i.wrapping_mul(2_654_435_761) | 1;
                    let noise: Vec<u8> = std::iter::repeat_with(|| {
                        x ^= x << 13;
                        x ^= x >> 17;
                        x ^= x << 5;
                        x.to_be_bytes()[1]
                    })
                    .take(5000)
                    .collect();
                    let _ = stream.write_all(&noise);
                }
                2 => {
                    let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                }
                // Speaks the first words and falls silent.
                3 => {
                    let _ = stream.write_all(b"\x13/multistream/1.0.0\n\x07/noise\n");
                }
                // Speaks on into the handshake with nonsense.
                _ => {
                    let _ = stream.write_all(b"\x13/multistream/1.0.0\n\x07/noise\n");
                    let _ = stream.write_all(&[0xff; 3000]);
                }
            }
            // Some close at once.
            if i % 3 != 0 {
                open.push(stream);
            }
        }
        open
    });
    // In the midst of it somebody comes and talks.
    b.handle.dial(&a.addr().to_string()).await.unwrap();
    a.connected(5, b.me()).await;
    b.connected(5, a.me()).await;
    let mut open = quarrel.await.unwrap();
    let c = Node::start(quiet(3)).await;
    c.handle.dial(&a.addr().to_string()).await.unwrap();
    a.connected(5, c.me()).await;
    for _ in 0..50 {
        b.handle.send(a.me(), vec![1; 400]).unwrap();
    }
    let mut left = 50;
    a.until(5, "all frames", |e| {
        left -= u8::from(matches!(e, NetEvent::Frame { .. }));
        left == 0
    })
    .await;
    a.for_a_while(6000).await;
    a.check_order();
    assert_eq!(a.handle.connected().len(), 2);
    // Whoever proved nothing was shown the door.
    let first = open.first_mut().unwrap();
    first.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let mut rest = Vec::new();
    assert!(first.read_to_end(&mut rest).is_ok() || rest.len() < 100, "closed");
}
