//! UDP beacons: "I am here", for machines without a network and networks without multicast.
//!
//! ```text
//! magic 8 | version 2 | port 2 | key 32 | nonce 8          big-endian, 52 bytes
//! ```
//!
//! Nothing is signed: a beacon only says where to dial, and the Noise handshake proves who is there. The
//! nonce names the process, so that one hears the difference between itself and another that uses its key.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::UdpSocket;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use crate::bucket::Bucket;
use crate::config::BeaconMode;
use crate::iface;
use crate::limits::{BEACON_EVERY, BEACONS_PER_SECOND, MAX_BEACON};
use crate::peer::PeerKey;

const LEN: usize = 52;
/// The broadcast address of the loopback network: on Linux every socket of the port hears it.
const LOOPBACK_ALL: Ipv4Addr = Ipv4Addr::new(127, 255, 255, 255);
/// Ports after the beacon's where that address does not work: each node takes one, everybody tells all.
const LOOPBACK_PORTS: u16 = 16;

/// What is told to the driver.
#[derive(Debug)]
pub(crate) enum BeaconNews {
    Heard {
        peer: PeerKey,
        addr: SocketAddr,
        version: u16,
    },
    /// Somebody else sends our key.
    OwnKey(SocketAddr),
    /// The machine got an interface besides loopback (in [`BeaconMode::Auto`]).
    Lan,
    Trouble(String),
}

/// What is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Beacon {
    pub magic: [u8; 8],
    pub version: u16,
    pub port: u16,
    pub key: PeerKey,
    pub nonce: u64,
}

impl Beacon {
    pub fn new(magic: [u8; 8], version: u16, port: u16, key: PeerKey) -> Self {
        // Only has to differ between processes; nobody relies on it.
        let nonce = RandomState::new().build_hasher().finish();
        Self { magic, version, port, key, nonce }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LEN);
        bytes.extend_from_slice(&self.magic);
        bytes.extend_from_slice(&self.version.to_be_bytes());
        bytes.extend_from_slice(&self.port.to_be_bytes());
        bytes.extend_from_slice(&self.key.0);
        bytes.extend_from_slice(&self.nonce.to_be_bytes());
        bytes
    }

    /// Longer beacons are taken by their beginning: a later version may say more.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (version, rest) = rest.split_first_chunk::<2>()?;
        let (port, rest) = rest.split_first_chunk::<2>()?;
        let (key, rest) = rest.split_first_chunk::<32>()?;
        let (nonce, _) = rest.split_first_chunk::<8>()?;
        Some(Self {
            magic: *magic,
            version: u16::from_be_bytes(*version),
            port: u16::from_be_bytes(*port),
            key: PeerKey(*key),
            nonce: u64::from_be_bytes(*nonce),
        })
    }
}

/// Sends and hears beacons until nobody takes the news.
pub(crate) async fn run(
    beacon: Beacon,
    mode: BeaconMode,
    udp_port: u16,
    news: mpsc::Sender<BeaconNews>,
) {
    let mut radio = Radio::new(beacon, udp_port);
    let mut troubled = false;
    let mut clock = interval(BEACON_EVERY);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut buffer = [0; MAX_BEACON];
    loop {
        tokio::select! {
            () = news.closed() => return,
            _ = clock.tick() => {
                let wide = match mode {
                    BeaconMode::Off => return,
                    BeaconMode::Loopback => false,
                    BeaconMode::Broadcast => true,
                    BeaconMode::Auto => radio.wide || iface::has_lan(),
                };
                if wide && !radio.wide {
                    radio.wide = true;
                    radio.sockets.clear();
                    if mode == BeaconMode::Auto && news.send(BeaconNews::Lan).await.is_err() {
                        return;
                    }
                }
                if let Err(error) = radio.send().await {
                    tracing::debug!(%error, "beacon not sent");
                    radio.sockets.clear();
                    if !std::mem::replace(&mut troubled, true) {
                        let what = format!("UDP port {udp_port}: {error}");
                        if news.send(BeaconNews::Trouble(what)).await.is_err() {
                            return;
                        }
                    }
                } else {
                    troubled = false;
                }
            }
            heard = radio.hear(&mut buffer) => {
                let Some((heard, newcomer)) = heard else { continue };
                if newcomer {
                    // So that it need not wait for our next beacon.
                    clock.reset_after(ANSWER_AFTER);
                }
                if news.send(heard).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// A newcomer is answered after this, and others that come in the meantime with it.
const ANSWER_AFTER: Duration = Duration::from_millis(30);
/// Others that are remembered as heard before.
const MAX_HEARD: usize = 256;

struct Radio {
    beacon: Beacon,
    udp_port: u16,
    /// Broadcast, not loopback only.
    wide: bool,
    /// The first one also sends.
    sockets: Vec<UdpSocket>,
    ears: Bucket,
    /// Nonces of the processes heard before.
    heard: BTreeSet<u64>,
}

impl Radio {
    fn new(beacon: Beacon, udp_port: u16) -> Self {
        let ears = Bucket::new(BEACONS_PER_SECOND, Instant::now());
        Self { beacon, udp_port, wide: false, sockets: Vec::new(), ears, heard: BTreeSet::new() }
    }

    async fn send(&mut self) -> io::Result<()> {
        if self.sockets.is_empty() {
            self.sockets = self.open()?;
        }
        let Some(socket) = self.sockets.first() else {
            return Ok(());
        };
        let bytes = self.beacon.to_bytes();
        let targets = if self.wide { iface::broadcasts() } else { Vec::new() };
        let mut result = Ok(());
        for ip in &targets {
            // An interface may just be going away; the others still count.
            if let Err(error) = socket.send_to(&bytes, (*ip, self.udp_port)).await {
                result = Err(error);
            }
        }
        if targets.is_empty() {
            self.send_loopback(socket, &bytes).await;
        }
        result
    }

    async fn send_loopback(&self, socket: &UdpSocket, bytes: &[u8]) {
        if let Err(error) = socket.send_to(bytes, (LOOPBACK_ALL, self.udp_port)).await {
            tracing::trace!(%error, "no broadcast on loopback");
        }
        if one_by_one() {
            for port in one_by_one_ports(self.udp_port) {
                let _ = socket.send_to(bytes, (Ipv4Addr::LOCALHOST, port)).await;
            }
        }
    }

    fn open(&self) -> io::Result<Vec<UdpSocket>> {
        let shared = shared_socket(SocketAddr::from((Ipv4Addr::UNSPECIFIED, self.udp_port)));
        if self.wide {
            return Ok(vec![shared?]);
        }
        // The sender is bound to loopback, so that nothing can leave the machine.
        let mut sockets = vec![own_socket(0)?];
        if one_by_one() {
            sockets.extend(one_by_one_ports(self.udp_port).find_map(|port| own_socket(port).ok()));
        }
        match shared_socket(SocketAddr::from((LOOPBACK_ALL, self.udp_port))) {
            Ok(socket) => sockets.push(socket),
            Err(error) if sockets.len() < 2 => return Err(error),
            Err(_) => {}
        }
        Ok(sockets)
    }

    /// The next beacon of others, and whether it is their first.
    async fn hear(&mut self, buffer: &mut [u8; MAX_BEACON]) -> Option<(BeaconNews, bool)> {
        let waiting = self.sockets.iter().map(|s| Box::pin(s.readable()));
        if waiting.len() == 0 {
            return std::future::pending().await;
        }
        let (_, which, _) = futures::future::select_all(waiting).await;
        let socket = self.sockets.get(which)?;
        let (len, from) = match socket.try_recv_from(buffer) {
            Ok(got) => got,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
            Err(error) => {
                // Windows tells of a refused send here. Never spin on an error.
                tracing::trace!(%error, "beacon socket");
                tokio::time::sleep(Duration::from_millis(50)).await;
                return None;
            }
        };
        if !self.ears.take(1, Instant::now()) {
            return None;
        }
        self.understand(buffer.get(..len)?, from.ip())
    }

    fn understand(&mut self, bytes: &[u8], from: IpAddr) -> Option<(BeaconNews, bool)> {
        let heard = Beacon::from_bytes(bytes)?;
        if heard.magic != self.beacon.magic || heard.port == 0 {
            return None;
        }
        let addr = SocketAddr::new(from, heard.port);
        if heard.key == self.beacon.key {
            return (heard.nonce != self.beacon.nonce).then_some((BeaconNews::OwnKey(addr), false));
        }
        let newcomer = self.heard.len() < MAX_HEARD && self.heard.insert(heard.nonce);
        Some((BeaconNews::Heard { peer: heard.key, addr, version: heard.version }, newcomer))
    }
}

/// Whether loopback has no broadcast, so that each port is told alone.
fn one_by_one() -> bool {
    !cfg!(target_os = "linux")
}

fn one_by_one_ports(udp_port: u16) -> impl Iterator<Item = u16> {
    (1..=LOOPBACK_PORTS).filter_map(move |i| udp_port.checked_add(i))
}

fn own_socket(port: u16) -> io::Result<UdpSocket> {
    let socket = std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, port))?;
    socket.set_broadcast(true)?;
    socket.set_nonblocking(true)?;
    UdpSocket::from_std(socket)
}

/// A socket whose port others may share, so that all nodes of a machine hear each beacon.
fn shared_socket(addr: SocketAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
    socket.set_reuse_address(true)?;
    // Linux shares by the option above among all users; with this one only within one user.
    #[cfg(all(unix, not(target_os = "linux")))]
    socket.set_reuse_port(true)?;
    socket.set_broadcast(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&addr.into())?;
    UdpSocket::from_std(socket.into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn radio() -> Radio {
        let beacon = Beacon::new(*b"trinka\0\0", 3, 24336, PeerKey([9; 32]));
        Radio::new(beacon, 1)
    }

    #[test]
    fn frozen_bytes() {
        let mut beacon = radio().beacon;
        beacon.nonce = 5;
        let bytes = beacon.to_bytes();
        assert_eq!(bytes.len(), LEN);
        assert_eq!(bytes.get(..12).unwrap(), b"trinka\0\0\x00\x03\x5f\x10");
        assert_eq!(bytes.get(44..).unwrap(), [0, 0, 0, 0, 0, 0, 0, 5]);
        assert_eq!(Beacon::from_bytes(&bytes), Some(beacon));
    }

    #[test]
    fn garbage_is_not_understood() {
        let mut radio = radio();
        let good = radio.beacon.to_bytes();
        for cut in 0..LEN {
            assert!(
                radio.understand(good.get(..cut).unwrap(), Ipv4Addr::LOCALHOST.into()).is_none()
            );
        }
        assert!(radio.understand(&[0xff; MAX_BEACON], Ipv4Addr::LOCALHOST.into()).is_none());
    }

    #[test]
    fn oneself_and_a_double() {
        let mut radio = radio();
        let from = IpAddr::from(Ipv4Addr::LOCALHOST);
        assert!(radio.understand(&radio.beacon.to_bytes(), from).is_none());
        let double = Beacon { nonce: radio.beacon.nonce ^ 1, ..radio.beacon.clone() };
        assert!(matches!(
            radio.understand(&double.to_bytes(), from),
            Some((BeaconNews::OwnKey(_), false))
        ));
        let other = Beacon { key: PeerKey([1; 32]), version: 4, ..double };
        for first in [true, false] {
            let heard = radio.understand(&other.to_bytes(), from);
            assert!(
                matches!(heard, Some((BeaconNews::Heard { version: 4, .. }, newcomer)) if newcomer == first)
            );
        }
    }
}
