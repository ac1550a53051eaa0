//! What the tests of this crate share. All of it stays on loopback.
#![allow(
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};
use trinka_net::{BeaconMode, NetConfig, NetEvent, NetHandle, PeerKey};

pub const MAGIC: [u8; 8] = *b"testtest";

/// A beacon port of the test's own, so that tests that run at the same time do not meet.
pub fn beacon_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let process = u16::try_from(std::process::id() % 200).unwrap();
    20_000 + process * 20 + NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A node that finds nobody by itself, on a free port of 127.0.0.1.
pub fn quiet(seed: u8) -> NetConfig {
    let mut config = NetConfig::local([seed; 32], MAGIC, 1);
    config.beacon = BeaconMode::Off;
    config.listen = vec![SocketAddr::from(([127, 0, 0, 1], 0))];
    config
}

/// A node that finds others by the loopback beacon.
pub fn beaconing(seed: u8, port: u16) -> NetConfig {
    let mut config = NetConfig::local([seed; 32], MAGIC, 1);
    config.default_port = 0;
    config.beacon_port = port;
    config
}

pub struct Node {
    pub handle: NetHandle,
    pub events: mpsc::Receiver<NetEvent>,
    pub seen: Vec<NetEvent>,
}

impl Node {
    pub async fn start(config: NetConfig) -> Self {
        let (handle, events) = trinka_net::start(config).await.unwrap();
        Self { handle, events, seen: Vec::new() }
    }

    pub fn me(&self) -> PeerKey {
        self.handle.me()
    }

    pub fn addr(&self) -> SocketAddr {
        self.handle.listen_addrs()[0]
    }

    /// Takes events until one fits.
    pub async fn until(
        &mut self,
        seconds: u64,
        what: &str,
        mut fits: impl FnMut(&NetEvent) -> bool,
    ) -> NetEvent {
        let end = Instant::now() + Duration::from_secs(seconds);
        loop {
            match timeout_at(end, self.events.recv()).await {
                Ok(Some(event)) => {
                    self.seen.push(event.clone());
                    if fits(&event) {
                        return event;
                    }
                }
                Ok(None) => {
                    panic!("{}: the node stopped before: {what}; seen {:?}", self.me(), self.seen)
                }
                Err(_) => {
                    panic!("{}: not within {seconds} s: {what}; seen {:?}", self.me(), self.seen)
                }
            }
        }
    }

    pub async fn connected(&mut self, seconds: u64, peer: PeerKey) {
        let fits = |e: &NetEvent| matches!(e, NetEvent::Connected { peer: p, .. } if *p == peer);
        self.until(seconds, &format!("connected to {peer}"), fits).await;
    }

    pub async fn disconnected(&mut self, seconds: u64, peer: PeerKey) {
        let fits = |e: &NetEvent| matches!(e, NetEvent::Disconnected { peer: p } if *p == peer);
        self.until(seconds, &format!("disconnected from {peer}"), fits).await;
    }

    /// Takes what comes for a while.
    pub async fn for_a_while(&mut self, millis: u64) {
        let end = Instant::now() + Duration::from_millis(millis);
        while let Ok(Some(event)) = timeout_at(end, self.events.recv()).await {
            self.seen.push(event);
        }
    }

    /// That a peer comes, sends, goes, and nothing else in no other order.
    pub fn check_order(&self) {
        let mut here = std::collections::BTreeSet::new();
        for event in &self.seen {
            match event {
                NetEvent::Connected { peer, .. } => {
                    assert!(here.insert(*peer), "connected twice: {:?}", self.seen)
                }
                NetEvent::Disconnected { peer } => {
                    assert!(here.remove(peer), "gone twice: {:?}", self.seen)
                }
                NetEvent::Frame { peer, .. } => {
                    assert!(here.contains(peer), "a frame of nobody: {:?}", self.seen)
                }
                _ => {}
            }
        }
    }
}
