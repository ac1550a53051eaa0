//! What a node tells its program.

use std::net::SocketAddr;

use crate::peer::PeerKey;

/// How an address of a peer became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FoundBy {
    /// Multicast DNS.
    Mdns,
    /// A UDP beacon.
    Beacon,
    /// Typed by the user ([`NetConfig::peers`](crate::NetConfig::peers), [`NetHandle::dial`](crate::NetHandle::dial)).
    Typed,
    /// Learned from others ([`NetHandle::add_peer`](crate::NetHandle::add_peer)).
    Roster,
    /// The peer came to us.
    Inbound,
}

/// Why somebody is not let in, or does not let us in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Speaks something else (another libp2p program, or another magic).
    NotOurs,
    /// There are as many peers as allowed.
    Full,
    /// Another process with the same key is connected and alive: a copied data directory, or a restart seconds ago.
    OtherInstance,
    /// Somebody else on the network uses *our* key, or we were told to dial ourselves.
    OwnKey,
    /// Announced a frame that is longer than allowed.
    Oversize,
    /// Did not finish the hello in time, or said something that is no hello.
    BadHello,
}

/// What happened on the network.
///
/// Of one peer: `Connected` once, then `Frame`s, then `Disconnected` once, and so on, whatever number of
/// connections carry it. Other events keep no order among peers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetEvent {
    /// The node can be reached at this address. Comes for each interface, again when one appears.
    Listening(SocketAddr),
    /// An address stopped being ours.
    NotListening(SocketAddr),
    /// A peer, or new addresses of it. It is dialled without being asked.
    Found {
        /// Whom; not proven before `Connected`.
        peer: PeerKey,
        /// The new addresses.
        addrs: Vec<SocketAddr>,
        /// How.
        by: FoundBy,
    },
    /// Hellos were exchanged and accepted; frames may flow.
    Connected {
        /// Whose key is proven.
        peer: PeerKey,
        /// The peer's opaque bytes.
        hello_extra: Vec<u8>,
        /// How the address came to us.
        by: FoundBy,
        /// Where others can dial it, as far as we can tell: its address here with its listening port.
        addr: SocketAddr,
    },
    /// The last link closed, or was silent for [`DEAD`](crate::limits::DEAD). It is dialled again.
    Disconnected {
        /// Who.
        peer: PeerKey,
    },
    /// A frame of bytes. Within one link in the order it was sent; lost or reordered only when links change.
    Frame {
        /// Whose.
        peer: PeerKey,
        /// What, never empty.
        bytes: Vec<u8>,
    },
    /// Same protocol, other version. At most once a minute and peer.
    VersionMismatch {
        /// Whose; from a beacon not proven.
        peer: PeerKey,
        /// Where.
        addr: SocketAddr,
        /// The peer's version.
        theirs: u16,
        /// Ours.
        ours: u16,
    },
    /// Somebody is not connected, and why.
    Refused {
        /// Whose key it is, if it got that far.
        peer: Option<PeerKey>,
        /// Where.
        addr: SocketAddr,
        /// True if the other side refused us, false if we refused it.
        by_them: bool,
        /// Why.
        why: Refusal,
    },
    /// A typed address did not answer. Comes once for each address until it does.
    DialFailed {
        /// As typed.
        address: String,
        /// The system's answer.
        why: String,
    },
    /// Multicast discovery does not work here; beacons and typed addresses may.
    MulticastTrouble(String),
    /// Beacons do not work here; mDNS and typed addresses may.
    BeaconTrouble(String),
}
