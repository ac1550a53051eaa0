//! Several machines on one network, as network namespaces: needs root and iproute2, else these tests say so and
//! pass. With `TRINKA_NEED_NETNS` set they fail instead. Nothing leaves the namespaces.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A switch, and hosts on it. Removed on drop.
struct Lan {
    name: String,
    hosts: u32,
}

fn ip(args: &str) -> Result<(), String> {
    let out = Command::new("ip")
        .args(args.split_whitespace())
        .output()
        .map_err(|e| format!("ip: {e}"))?;
    if out.status.success() {
        Ok(())
    } else {
        Err(format!("ip {args}: {}", String::from_utf8_lossy(&out.stderr).trim()))
    }
}

impl Lan {
    /// `None` where namespaces cannot be made.
    fn new(hosts: u32) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tn{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut lan = Self { name, hosts: 0 };
        let sw = lan.host(0);
        if let Err(error) = ip(&format!("netns add {sw}")) {
            assert!(
                std::env::var_os("TRINKA_NEED_NETNS").is_none(),
                "namespaces are needed: {error}"
            );
            eprintln!("\n*** SKIPPED: needs root and iproute2 ({error}) ***\n");
            return None;
        }
        ip(&format!("-n {sw} link add br0 type bridge mcast_snooping 0")).unwrap();
        ip(&format!("-n {sw} link set br0 up")).unwrap();
        for i in 1..=hosts {
            lan.add_host();
            lan.plug(i);
        }
        Some(lan)
    }

    fn host(&self, i: u32) -> String {
        format!("{}-{i}", self.name)
    }

    /// A host that has loopback only.
    fn add_host(&mut self) -> u32 {
        self.hosts += 1;
        let host = self.host(self.hosts);
        ip(&format!("netns add {host}")).unwrap();
        ip(&format!("-n {host} link set lo up")).unwrap();
        self.hosts
    }

    /// Gives host `i` its interface, with 10.77.0.i.
    fn plug(&self, i: u32) {
        let (sw, host) = (self.host(0), self.host(i));
        ip(&format!("-n {sw} link add p{i} type veth peer name eth0 netns {host}")).unwrap();
        ip(&format!("-n {sw} link set p{i} master br0 up")).unwrap();
        ip(&format!("-n {host} addr add 10.77.0.{i}/24 brd + dev eth0")).unwrap();
        ip(&format!("-n {host} link set eth0 up")).unwrap();
    }

    fn no_multicast(&self) {
        for i in 1..=self.hosts {
            let sw = self.host(0);
            let args = ["-n", &sw, "link", "set", "dev", &format!("p{i}"), "mcast_flood", "off"]
                .map(String::from);
            assert!(Command::new("bridge").args(args).status().unwrap().success());
        }
    }

    fn cable(&self, i: u32, state: &str) {
        ip(&format!("-n {} link set p{i} {state}", self.host(0))).unwrap();
    }

    fn node(&self, i: u32, seed: u32, args: &str) -> Node {
        let mut child = Command::new("ip")
            .args([
                "netns",
                "exec",
                &self.host(i),
                env!("CARGO_BIN_EXE_trinka-net-peer"),
                "--seconds",
                "50",
            ])
            .args(["--seed", &seed.to_string()])
            .args(args.split_whitespace())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (to, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    break;
                }
            }
        });
        Node { child, lines, seen: Vec::new() }
    }
}

impl Drop for Lan {
    fn drop(&mut self) {
        for i in (0..=self.hosts).rev() {
            let _ = ip(&format!("netns del {}", self.host(i)));
        }
    }
}

struct Node {
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Node {
    /// Waits for so many more lines that contain the words; returns when the last of them came, by the node's
    /// clock, in milliseconds since its start.
    fn until(&mut self, words: &str, mut times: usize, seconds: u64) -> u64 {
        let end = Instant::now() + Duration::from_secs(seconds);
        let mut at = 0;
        while times > 0 {
            let wait = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(wait) else {
                panic!("{times} more {words:?} did not come; seen {:#?}", self.seen);
            };
            if line.contains(words) {
                times -= 1;
                at = line.split(' ').next().unwrap().parse().unwrap();
            }
            self.seen.push(line);
        }
        at
    }

    /// Takes what was said so far.
    fn catch_up(&mut self) {
        self.seen.extend(self.lines.try_iter());
    }

    fn said(&self, words: &str) -> bool {
        self.seen.iter().any(|line| line.contains(words))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn all_connect(lan: &Lan, args: &str) -> Vec<Node> {
    let mut nodes: Vec<_> = (1..=lan.hosts).map(|i| lan.node(i, i, args)).collect();
    let others = nodes.len() - 1;
    let worst = nodes.iter_mut().map(|n| n.until(" connected ", others, 10)).max().unwrap();
    println!("{} hosts, {args:?}: all connected {worst} ms after their start", lan.hosts);
    for node in &mut nodes {
        node.until(" frame ", others, 5);
    }
    nodes
}

#[test]
fn four_hosts_by_mdns() {
    let Some(lan) = Lan::new(4) else { return };
    let nodes = all_connect(&lan, "--beacon off");
    assert!(nodes.iter().any(|n| n.said("Mdns [10.77.0.")));
}

#[test]
fn four_hosts_by_broadcast_where_multicast_is_dropped() {
    let Some(lan) = Lan::new(4) else { return };
    lan.no_multicast();
    let nodes = all_connect(&lan, "");
    assert!(nodes.iter().any(|n| n.said("Beacon [10.77.0.")));
    assert!(!nodes.iter().any(|n| n.said("Mdns")));
}

#[test]
fn a_typed_address_where_nothing_else_works() {
    let Some(lan) = Lan::new(2) else { return };
    let mut a = lan.node(1, 1, "--beacon off --no-mdns");
    a.until(" listening 10.77.0.1:24336", 1, 5);
    let mut b = lan.node(2, 2, "--beacon off --no-mdns 10.77.0.1:24336");
    b.until(" connected ", 1, 5);
    a.until("Inbound 10.77.0.2:24336", 1, 5);
}

#[test]
fn ipv6_only() {
    let Some(lan) = Lan::new(2) else { return };
    for i in 1..=2 {
        let host = lan.host(i);
        ip(&format!("-n {host} addr flush dev eth0 scope global")).unwrap();
        ip(&format!("-n {host} -6 addr add fd77::{i}/64 dev eth0 nodad")).unwrap();
    }
    // Link-local addresses are tentative for a while, and mDNS cannot send from them.
    std::thread::sleep(Duration::from_secs(2));
    let nodes = all_connect(&lan, "");
    assert!(nodes.iter().any(|n| n.said("[fd77::")));
}

#[test]
fn a_cable_pulled_for_eight_seconds_disconnects_nobody() {
    let Some(lan) = Lan::new(2) else { return };
    let mut nodes = all_connect(&lan, "");
    lan.cable(2, "down");
    std::thread::sleep(Duration::from_secs(8));
    nodes.iter_mut().for_each(Node::catch_up);
    lan.cable(2, "up");
    let healed = Instant::now();
    for node in &mut nodes {
        node.until(" frame ", 1, 8);
        assert!(!node.said(" disconnected "), "{:#?}", node.seen);
    }
    println!("cable back: frames both ways after {:?}", healed.elapsed());
}

#[test]
fn a_cable_pulled_for_twenty_seconds_reconnects() {
    let Some(lan) = Lan::new(2) else { return };
    let mut nodes = all_connect(&lan, "");
    lan.cable(2, "down");
    for node in &mut nodes {
        node.until(" disconnected ", 1, 18);
    }
    std::thread::sleep(Duration::from_secs(5));
    lan.cable(2, "up");
    let healed = Instant::now();
    for node in &mut nodes {
        node.until(" connected ", 1, 10);
        node.until(" frame ", 1, 3);
    }
    println!("cable back after a long time: frames both ways after {:?}", healed.elapsed());
}

#[test]
fn a_new_address_is_found() {
    let Some(lan) = Lan::new(2) else { return };
    let mut nodes = all_connect(&lan, "");
    // Links that come up within three seconds of each other count as a crossed dial, not as a second thought.
    std::thread::sleep(Duration::from_millis(3500));
    let host = lan.host(2);
    ip(&format!("-n {host} addr del 10.77.0.2/24 dev eth0")).unwrap();
    ip(&format!("-n {host} addr add 10.77.0.99/24 brd + dev eth0")).unwrap();
    let changed = Instant::now();
    nodes.iter_mut().for_each(Node::catch_up);
    for node in &mut nodes {
        node.until(" frame ", 1, 12);
        assert!(!node.said(" disconnected "), "{:#?}", node.seen);
    }
    println!("address changed: frames both ways after {:?}", changed.elapsed());
}

#[test]
fn a_killed_host_is_gone_at_once_and_its_restart_is_back() {
    let Some(lan) = Lan::new(2) else { return };
    let mut nodes = all_connect(&lan, "");
    drop(nodes.pop());
    nodes[0].until(" disconnected ", 1, 2);
    let mut again = lan.node(2, 2, "");
    let took = again.until(" connected ", 1, 5);
    nodes[0].until(" connected ", 1, 5);
    println!("connected {took} ms after the restart");
}

#[test]
fn loopback_only_then_a_network_appears() {
    let Some(mut lan) = Lan::new(1) else { return };
    let i = lan.add_host();
    let mut one = lan.node(i, 11, "");
    let mut two = lan.node(i, 12, "");
    one.until(" connected ", 1, 5);
    two.until(" connected ", 1, 5);
    assert!(!one.said("listening 10."));
    let mut far = lan.node(1, 1, "");
    lan.plug(i);
    let plugged = Instant::now();
    far.until(" connected ", 2, 10);
    println!("a network appeared: both connected to the other host after {:?}", plugged.elapsed());
}
