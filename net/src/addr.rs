//! Addresses as people type them, as sockets, and as libp2p writes them.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;

use crate::config::NetError;
use crate::limits::MAX_TYPED_LEN;
use crate::peer::PeerKey;

/// A typed address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typed {
    /// As it was typed, for messages.
    pub text: String,
    /// `host:port` or `ip:port`, for the resolver.
    pub host: String,
    /// Whom to expect there, if it was said.
    pub peer: Option<PeerKey>,
}

impl FromStr for Typed {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Self, NetError> {
        let text = text.trim();
        let bad = || NetError::Address { text: text.chars().take(MAX_TYPED_LEN).collect() };
        if text.len() > MAX_TYPED_LEN {
            return Err(bad());
        }
        if text.starts_with('/') {
            let (host, peer) =
                text.parse().ok().and_then(|m| split_multiaddr(&m)).ok_or_else(bad)?;
            return Ok(Self { text: text.into(), host: host.to_string(), peer });
        }
        if text.parse::<SocketAddr>().is_err() {
            let (host, port) = text.rsplit_once(':').ok_or_else(bad)?;
            let port_ok = port.parse::<u16>().is_ok_and(|port| port != 0);
            let host_ok = !host.is_empty()
                && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '_'));
            if !port_ok || !host_ok {
                return Err(bad());
            }
        }
        Ok(Self { text: text.into(), host: text.into(), peer: None })
    }
}

/// Address and, if there, peer of `/ip4|ip6/…/tcp/…[/p2p/…]`; `None` for everything else.
pub(crate) fn split_multiaddr(addr: &Multiaddr) -> Option<(SocketAddr, Option<PeerKey>)> {
    let mut parts = addr.iter();
    let ip = match parts.next()? {
        Protocol::Ip4(ip) => IpAddr::from(ip),
        Protocol::Ip6(ip) => IpAddr::from(ip),
        _ => return None,
    };
    let Protocol::Tcp(port) = parts.next()? else {
        return None;
    };
    let peer = match parts.next() {
        None => None,
        Some(Protocol::P2p(id)) => Some(PeerKey::from_peer_id(&id)?),
        Some(_) => return None,
    };
    parts.next().is_none().then_some((SocketAddr::new(ip, port), peer))
}

/// The address for libp2p, without a peer.
pub(crate) fn to_multiaddr(addr: SocketAddr) -> Multiaddr {
    Multiaddr::empty().with(Protocol::from(addr.ip())).with(Protocol::Tcp(addr.port()))
}

/// Whether a peer can be at this address: unicast, with a port, and no IPv6 link-local one, which
/// nobody can dial without knowing the interface.
pub(crate) fn dialable(addr: &SocketAddr) -> bool {
    let ip_ok = match addr.ip() {
        IpAddr::V4(ip) => !ip.is_unspecified() && !ip.is_multicast() && !ip.is_broadcast(),
        IpAddr::V6(ip) => !ip.is_unspecified() && !ip.is_multicast() && !ip.is_unicast_link_local(),
    };
    ip_ok && addr.port() != 0
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type() {
        for good in [
            "10.0.0.1:24336",
            "[fd77::1]:24336",
            "anna.local:5000",
            "/ip4/10.0.0.1/tcp/24336",
            " 127.0.0.1:1 ",
        ] {
            assert!(good.parse::<Typed>().is_ok(), "{good}");
        }
        for bad in [
            "",
            ":",
            "anna",
            "anna:",
            "anna:0",
            ":80",
            "anna:99999",
            "a b:80",
            "/ip4/10.0.0.1/udp/5",
            "/nonsense",
            "[fd77::1:80",
        ] {
            assert!(bad.parse::<Typed>().is_err(), "{bad}");
        }
        assert!("x".repeat(400).parse::<Typed>().is_err());
    }

    #[test]
    fn a_peer_in_a_multiaddr() {
        let id = libp2p::identity::Keypair::generate_ed25519().public().to_peer_id();
        let typed: Typed = format!("/ip4/10.0.0.1/tcp/7/p2p/{id}").parse().unwrap();
        assert_eq!(typed.host, "10.0.0.1:7");
        assert_eq!(typed.peer, PeerKey::from_peer_id(&id));
    }

    #[test]
    fn link_local_is_skipped_private_is_kept() {
        let dialable = |s: &str| super::dialable(&s.parse().unwrap());
        assert!(
            dialable("192.168.1.5:1")
                && dialable("169.254.3.3:1")
                && dialable("[fd77::1]:1")
                && dialable("127.0.0.1:1")
        );
        assert!(
            !dialable("[fe80::1]:1")
                && !dialable("0.0.0.0:1")
                && !dialable("255.255.255.255:1")
                && !dialable("10.0.0.1:0")
        );
    }
}
