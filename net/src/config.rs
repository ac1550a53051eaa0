//! What a node is told at its start.

use std::fmt;
use std::net::SocketAddr;

use zeroize::Zeroizing;

use crate::limits::{Limits, MAX_HELLO_EXTRA, MAX_TYPED};

/// The fixed port, TCP for links and UDP for beacons, so that a firewall rule can name it.
pub const DEFAULT_PORT: u16 = 24336;

/// How UDP beacons are sent, for networks where multicast does not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BeaconMode {
    /// Neither sent nor heard.
    Off,
    /// Within this machine only; the node then listens on 127.0.0.1 only and mDNS stays off.
    Loopback,
    /// To the broadcast address of every interface.
    Broadcast,
    /// `Loopback` as long as the machine has no other interface, else `Broadcast`.
    #[default]
    Auto,
}

/// The settings of a node.
#[derive(Clone)]
pub struct NetConfig {
    /// Seed of the Ed25519 key that is the node's identity; erased from memory on drop.
    pub secret_key: Zeroizing<[u8; 32]>,
    /// Names the protocol in hello and beacon; peers with another are strangers.
    pub magic: [u8; 8],
    /// The protocol's version; peers with another are told of and not connected.
    pub version: u16,
    /// Opaque bytes for the peers, [`MAX_HELLO_EXTRA`] at most. They name the running process (an instance id):
    /// a second link of the same key with other bytes is refused as long as the first is alive.
    pub hello_extra: Vec<u8>,
    /// Addresses to listen on. Empty: all interfaces (only 127.0.0.1 in loopback mode) at `default_port`,
    /// else at any free port.
    pub listen: Vec<SocketAddr>,
    /// TCP port that is tried when `listen` is empty.
    pub default_port: u16,
    /// UDP port of the beacons; the sixteen ports after it are used on 127.0.0.1 where broadcast fails there.
    pub beacon_port: u16,
    /// Whether to use mDNS.
    pub mdns: bool,
    /// Whether and how to use beacons.
    pub beacon: BeaconMode,
    /// Typed addresses: `ip:port`, `[ip6]:port`, `host:port`, `/ip4/…/tcp/…` with or without `/p2p/…`.
    /// Dialled until somebody answers, and again when the connection is lost.
    pub peers: Vec<String>,
    /// Bounds.
    pub limits: Limits,
}

impl NetConfig {
    /// Settings that find peers on the LAN with mDNS and beacons.
    pub fn new(secret_key: [u8; 32], magic: [u8; 8], version: u16) -> Self {
        Self {
            secret_key: Zeroizing::new(secret_key),
            magic,
            version,
            hello_extra: Vec::new(),
            listen: Vec::new(),
            default_port: DEFAULT_PORT,
            beacon_port: DEFAULT_PORT,
            mdns: true,
            beacon: BeaconMode::Auto,
            peers: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Settings that stay within this machine: loopback beacon, 127.0.0.1, no mDNS.
    pub fn local(secret_key: [u8; 32], magic: [u8; 8], version: u16) -> Self {
        Self { mdns: false, beacon: BeaconMode::Loopback, ..Self::new(secret_key, magic, version) }
    }

    pub(crate) fn check(&self) -> Result<(), NetError> {
        if self.hello_extra.len() > MAX_HELLO_EXTRA {
            return Err(NetError::Config("hello_extra is too long"));
        }
        if self.peers.len() > MAX_TYPED || self.listen.len() > MAX_TYPED {
            return Err(NetError::Config("too many addresses"));
        }
        if self.limits.max_frame == 0 || u32::try_from(self.limits.max_frame).is_err() {
            return Err(NetError::Config("max_frame must be positive and below 4 GiB"));
        }
        if self.limits.send_queue_frames == 0 {
            return Err(NetError::Config("send_queue_frames must be positive"));
        }
        Ok(())
    }
}

/// The secret key is left out.
impl fmt::Debug for NetConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetConfig")
            .field("magic", &self.magic)
            .field("version", &self.version)
            .field("listen", &self.listen)
            .field("default_port", &self.default_port)
            .field("beacon_port", &self.beacon_port)
            .field("mdns", &self.mdns)
            .field("beacon", &self.beacon)
            .field("peers", &self.peers)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Why a node did not start.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// A setting is out of its bounds.
    #[error("network setting refused: {0}")]
    Config(&'static str),
    /// A typed address cannot be read.
    #[error("cannot read the address {text:?}: write ip:port, host:port or /ip4/…/tcp/…")]
    Address {
        /// What was typed.
        text: String,
    },
    /// None of the addresses could be listened on.
    #[error(
        "cannot listen on {addr}: {why}; is the port taken, or the address not of this machine?"
    )]
    Listen {
        /// The last address tried.
        addr: String,
        /// The system's answer.
        why: String,
    },
    /// The transport could not be set up.
    #[error("cannot set up the network: {0}")]
    Transport(String),
}
