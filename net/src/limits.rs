//! Every bound on what comes from outside, and every waiting time, in one place.

use std::time::Duration;

/// Bounds that a program may choose. [`Limits::default`] suits a table of friends.
///
/// Over a bound the thing is refused or dropped, logged, and counted; nothing blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Longest frame in bytes, both ways. A peer that announces a longer one loses its link.
    pub max_frame: usize,
    /// Frames waiting to be written to one peer.
    pub send_queue_frames: usize,
    /// Bytes waiting to be written to one peer.
    pub send_queue_bytes: usize,
    /// Frames that wait for the program to take them from the event channel, of all peers together.
    pub receive_queue_frames: usize,
    /// Bytes of such frames.
    pub receive_queue_bytes: usize,
    /// Frames taken from one peer per second, averaged; four seconds' worth may come at once.
    pub frames_per_second: u32,
    /// Bytes taken from one peer per second, averaged; four seconds' worth may come at once.
    pub bytes_per_second: u32,
    /// Peers connected at a time. Those named by a roster or typed are let in beyond it.
    pub max_peers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_frame: 1 << 20,
            send_queue_frames: 1024,
            send_queue_bytes: 8 << 20,
            receive_queue_frames: 8192,
            receive_queue_bytes: 32 << 20,
            frames_per_second: 2000,
            bytes_per_second: 8 << 20,
            max_peers: 64,
        }
    }
}

/// Longest opaque part of a hello, in bytes.
pub const MAX_HELLO_EXTRA: usize = 256;
/// Addresses a program may type or listen on.
pub const MAX_TYPED: usize = 64;
/// Longest typed address, in bytes (a DNS name has 253 at most).
pub const MAX_TYPED_LEN: usize = 320;
/// Peers with addresses that are remembered, connected or not.
pub const MAX_KNOWN_PEERS: usize = 256;
/// Addresses remembered of one peer.
pub const MAX_ADDRS_PER_PEER: usize = 8;
/// Connections to one peer, counting those that are about to be given up.
pub const MAX_LINKS_PER_PEER: usize = 8;
/// Established connections beyond twice [`Limits::max_peers`].
pub const SPARE_CONNECTIONS: usize = 32;
/// Inbound connections that have not proven a key yet, of everybody.
pub const MAX_PENDING_INBOUND: usize = 512;
/// The same of one address (loopback is exempt: many nodes may live there).
pub const MAX_PENDING_INBOUND_PER_IP: usize = 64;
/// Dials under way.
pub const MAX_PENDING_DIALS: usize = 64;
/// Peers that are being left alone for a while.
pub const MAX_SHUNNED: usize = 256;
/// Events that wait, frames apart, for a program that does not take them; more are dropped unless they say that a peer came or went.
pub const MAX_WAITING_NEWS: usize = 1024;
/// Capacity of the channel of events.
pub const EVENT_CHANNEL: usize = 256;
/// Capacity of the channel of commands.
pub const COMMAND_CHANNEL: usize = 256;
/// Yamux streams per connection; one is used.
pub const MAX_YAMUX_STREAMS: usize = 8;
/// Longest beacon that is looked at, in bytes.
pub const MAX_BEACON: usize = 256;
/// Beacons looked at per second, of everybody.
pub const BEACONS_PER_SECOND: u32 = 500;

/// A connection must have proven its key within this.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Then it must have opened its stream and said hello within this.
pub const HELLO_TIMEOUT: Duration = Duration::from_secs(4);
/// A refusal may take this long to be written before the connection is closed.
pub const REFUSAL_LINGER: Duration = Duration::from_millis(500);
/// Something is said on every link at least this often.
pub const HEARTBEAT: Duration = Duration::from_secs(2);
/// A link that was silent for this long is doubted: another is dialled and preferred.
pub const SILENT: Duration = Duration::from_secs(6);
/// A link that was silent for this long is closed. Longer than a burst of loss, shorter than patience.
pub const DEAD: Duration = Duration::from_secs(15);
/// The peer with the larger key leaves the dialling to the other for this long.
pub const POLITE_WAIT: Duration = Duration::from_millis(1500);
/// First wait after a failed dial; it doubles up to [`REDIAL_MAX`].
pub const REDIAL_MIN: Duration = Duration::from_millis(500);
/// Longest wait between dials.
pub const REDIAL_MAX: Duration = Duration::from_secs(5);
/// How long an address is dialled that is only known from discovery and was not seen again.
pub const FORGET: Duration = Duration::from_secs(600);
/// How long a peer of another version is left alone.
pub const SHUN_VERSION: Duration = Duration::from_secs(60);
/// How long somebody is left alone who speaks something else.
pub const SHUN_STRANGER: Duration = Duration::from_secs(300);
/// How long a peer is left alone that refused us, or broke the framing.
pub const SHUN_REFUSED: Duration = Duration::from_secs(5);
/// How often mDNS asks. The default of 300 s leaves pairs that never meet.
pub const MDNS_QUERY: Duration = Duration::from_secs(2);
/// How long an mDNS answer is good for.
pub const MDNS_TTL: Duration = Duration::from_secs(8);
/// How often a beacon is sent.
pub const BEACON_EVERY: Duration = Duration::from_millis(900);
/// How often the driver looks at silent links and waiting dials.
pub const TICK: Duration = Duration::from_millis(100);
/// A connection without traffic is not closed for this long; streams keep it open anyhow.
pub const IDLE: Duration = Duration::from_secs(12 * 3600);
