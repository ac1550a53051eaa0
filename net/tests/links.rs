//! Links come up, stay one per peer for the program, and come back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use common::{Node, beacon_port, beaconing, quiet};
use trinka_net::{FoundBy, NetEvent, PeerKey, Refusal, SendError};

fn free_addr() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crossed_dials_always_connect() {
    let mut worst = Duration::ZERO;
    for round in 0..40_u8 {
        let (a, b) = (free_addr(), free_addr());
        let config = |seed: u8, own: SocketAddr, other: SocketAddr| {
            let mut config = quiet(seed);
            config.listen = vec![own];
            config.peers = vec![other.to_string()];
            config
        };
        let begin = Instant::now();
        let (mut x, mut y) = tokio::join!(
            Node::start(config(100 + round, a, b)),
            Node::start(config(200 + round % 50, b, a))
        );
        let (mx, my) = (x.me(), y.me());
        tokio::join!(x.connected(5, my), y.connected(5, mx));
        worst = worst.max(begin.elapsed());
        // Both dialled; for the program it stays one peer, and frames get through.
        x.handle.send(my, vec![round + 1]).unwrap();
        y.until(
            2,
            "a frame",
            |e| matches!(e, NetEvent::Frame { bytes, .. } if bytes == &[round + 1]),
        )
        .await;
        if round % 10 == 0 {
            tokio::join!(x.for_a_while(300), y.for_a_while(300));
        }
        x.check_order();
        y.check_order();
        tokio::join!(x.handle.shutdown(), y.handle.shutdown());
    }
    println!("slowest of 40 crossed dials: {worst:?}");
}

#[tokio::test]
async fn connected_says_who_and_where() {
    let mut a = Node::start({
        let mut config = quiet(1);
        config.hello_extra = b"instance a".to_vec();
        config
    })
    .await;
    let mut b = Node::start(quiet(2)).await;
    b.handle.dial(&a.addr().to_string()).await.unwrap();
    let event = b.until(5, "connected", |e| matches!(e, NetEvent::Connected { .. })).await;
    let (peer, addr) = (a.me(), a.addr());
    assert_eq!(
        event,
        NetEvent::Connected { peer, hello_extra: b"instance a".to_vec(), by: FoundBy::Typed, addr }
    );
    let event = a.until(5, "connected", |e| matches!(e, NetEvent::Connected { .. })).await;
    // Not the port that the dial came from, but the one that others can dial.
    let (peer, addr) = (b.me(), b.addr());
    assert_eq!(
        event,
        NetEvent::Connected { peer, hello_extra: vec![], by: FoundBy::Inbound, addr }
    );
}

#[tokio::test]
async fn a_roster_connects() {
    let mut a = Node::start(quiet(1)).await;
    let b = Node::start(quiet(2)).await;
    let nobody = free_addr();
    a.handle.add_peer(b.me(), vec![nobody, b.addr()]).await;
    a.connected(5, b.me()).await;
}

#[tokio::test]
async fn a_wrong_address_in_a_roster_costs_nothing() {
    let mut a = Node::start(quiet(1)).await;
    let b = Node::start(quiet(2)).await;
    let c = Node::start(quiet(3)).await;
    // c is not at b's address, and neither is it at ours.
    a.handle.add_peer(c.me(), vec![b.addr(), a.addr(), c.addr()]).await;
    a.connected(5, c.me()).await;
}

#[tokio::test]
async fn a_restart_reconnects() {
    let port = beacon_port();
    let config = |extra: &[u8]| {
        let mut config = beaconing(2, port);
        config.hello_extra = extra.to_vec();
        config
    };
    let mut a = Node::start(beaconing(1, port)).await;
    let mut b = Node::start(config(b"first")).await;
    let who = b.me();
    a.connected(5, who).await;
    b.connected(5, a.me()).await;
    let old = b.addr();
    // Dropped without a word, like a process that was killed.
    drop(b);
    a.disconnected(5, who).await;
    let begin = Instant::now();
    let mut b = Node::start(config(b"second")).await;
    assert_ne!(old, b.addr());
    let fits = |e: &NetEvent| matches!(e, NetEvent::Connected { hello_extra, .. } if hello_extra == b"second");
    a.until(5, "the new process", fits).await;
    println!("a restart was connected again after {:?}", begin.elapsed());
    b.connected(5, a.me()).await;
    a.for_a_while(300).await;
    a.check_order();
}

#[tokio::test]
async fn a_second_live_process_with_the_same_key_is_refused() {
    let config = |extra: &[u8]| {
        let mut config = quiet(2);
        config.hello_extra = extra.to_vec();
        config
    };
    let mut a = Node::start(quiet(1)).await;
    let b = Node::start(config(b"first")).await;
    let mut double = Node::start(config(b"second")).await;
    b.handle.dial(&a.addr().to_string()).await.unwrap();
    a.connected(5, b.me()).await;
    double.handle.dial(&a.addr().to_string()).await.unwrap();
    let is = |them: bool| move |e: &NetEvent| matches!(e, NetEvent::Refused { by_them, why: Refusal::OtherInstance, .. } if *by_them == them);
    double.until(5, "refused", is(true)).await;
    a.until(5, "refusing", is(false)).await;
    a.check_order();
    assert_eq!(a.handle.connected(), [b.me()]);
}

#[tokio::test]
async fn our_own_key_elsewhere_is_told() {
    let port = beacon_port();
    let mut a = Node::start(beaconing(1, port)).await;
    let _double = Node::start(beaconing(1, port)).await;
    a.until(5, "own key", |e| matches!(e, NetEvent::Refused { why: Refusal::OwnKey, .. })).await;
}

#[tokio::test]
async fn send_says_what_it_cannot() {
    let mut a = Node::start(quiet(1)).await;
    let b = Node::start(quiet(2)).await;
    assert_eq!(a.handle.send(PeerKey([9; 32]), vec![1]), Err(SendError::NotConnected));
    a.handle.dial(&b.addr().to_string()).await.unwrap();
    a.connected(5, b.me()).await;
    assert_eq!(a.handle.send(b.me(), vec![]), Err(SendError::Length));
    assert_eq!(a.handle.send(b.me(), vec![0; (1 << 20) + 1]), Err(SendError::Length));
    assert!(a.handle.dial("nonsense").await.is_err());
}

#[tokio::test]
async fn a_large_frame_arrives() {
    let mut a = Node::start(quiet(1)).await;
    let mut b = Node::start(quiet(2)).await;
    a.handle.dial(&b.addr().to_string()).await.unwrap();
    a.connected(5, b.me()).await;
    let large: Vec<u8> = (0..1 << 20).map(|i: u32| i.to_be_bytes()[2]).collect();
    a.handle.send(b.me(), large.clone()).unwrap();
    b.until(5, "the frame", |e| matches!(e, NetEvent::Frame { bytes, .. } if *bytes == large))
        .await;
}

#[tokio::test]
async fn an_address_that_does_not_answer_is_told_once_and_dialled_on() {
    let later = free_addr();
    let mut a = Node::start({
        let mut config = quiet(1);
        config.peers = vec![later.to_string()];
        config
    })
    .await;
    let failed = |e: &NetEvent| matches!(e, NetEvent::DialFailed { .. });
    a.until(5, "failed", failed).await;
    a.for_a_while(2500).await;
    assert_eq!(a.seen.iter().filter(|e| failed(e)).count(), 1);
    let b = Node::start({
        let mut config = quiet(2);
        config.listen = vec![later];
        config
    })
    .await;
    a.connected(8, b.me()).await;
}

#[tokio::test]
async fn nodes_that_start_together_do_not_share_a_port() {
    let port = free_addr().port();
    let config = |seed: u8| {
        let mut config = quiet(seed);
        config.listen = vec![];
        config.beacon = trinka_net::BeaconMode::Loopback;
        config.beacon_port = beacon_port();
        config.default_port = port;
        config
    };
    let nodes = futures::future::join_all((1..=6).map(|seed| Node::start(config(seed)))).await;
    let mut ports: Vec<_> = nodes.iter().map(|n| n.addr().port()).collect();
    ports.sort();
    ports.dedup();
    assert_eq!(ports.len(), 6);
    assert!(ports.contains(&port), "one of them has the port that was asked for");
}
