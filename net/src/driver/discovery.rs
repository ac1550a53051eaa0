//! What the driver does with addresses: its own and those of others.

use std::net::{IpAddr, SocketAddr};
use std::sync::PoisonError;
use std::time::Instant;

use libp2p::mdns;
use libp2p::swarm::behaviour::toggle::Toggle;

use super::{Driver, note};
use crate::addr::split_multiaddr;
use crate::beacon::BeaconNews;
use crate::event::{FoundBy, NetEvent};
use crate::limits::SHUN_VERSION;
use crate::peer::PeerKey;
use crate::setup;

impl Driver {
    pub(super) fn on_listening(
        &mut self,
        addr: Option<(SocketAddr, Option<PeerKey>)>,
        begins: bool,
    ) {
        let Some((addr, _)) = addr else { return };
        if matches!(addr.ip(), IpAddr::V6(ip) if ip.is_unicast_link_local()) {
            return;
        }
        let mut listening = self.shared.listening.write().unwrap_or_else(PoisonError::into_inner);
        let known = listening.contains(&addr);
        if begins && !known {
            listening.push(addr);
            self.news.push(NetEvent::Listening(addr));
        } else if !begins && known {
            listening.retain(|a| *a != addr);
            self.news.push(NetEvent::NotListening(addr));
            if !addr.ip().is_loopback() {
                self.links.doubt_all();
            }
        }
    }

    /// An expiry is never a disconnect: records are lost as easily as packets.
    pub(super) fn on_mdns(&mut self, event: mdns::Event) {
        let mdns::Event::Discovered(found) = event else {
            return;
        };
        for (id, addr) in found {
            if let (Some(peer), Some((addr, _))) =
                (PeerKey::from_peer_id(&id), split_multiaddr(&addr))
            {
                self.found(peer, addr, FoundBy::Mdns);
            }
        }
    }

    pub(super) fn on_beacon(&mut self, news: BeaconNews) {
        match news {
            BeaconNews::Heard { peer, addr, version } if version == self.hello.version => {
                self.found(peer, addr, FoundBy::Beacon);
            }
            BeaconNews::Heard { peer, addr, version } => {
                self.other_version(peer, addr, version, false)
            }
            BeaconNews::OwnKey(addr) => self.on_own_key(Some(addr)),
            BeaconNews::Lan => self.widen(),
            BeaconNews::Trouble(what) => {
                tracing::warn!(what, "beacons do not work");
                self.news.push(NetEvent::BeaconTrouble(what));
            }
        }
    }

    fn found(&mut self, peer: PeerKey, addr: SocketAddr, by: FoundBy) {
        let now = Instant::now();
        let addrs = self.book.learn(peer, &[addr], by, now);
        if addrs.is_empty() {
            return;
        }
        if !self.links.is_connected(peer) {
            tracing::debug!(%peer, ?addrs, ?by, "found");
        }
        self.news.push(NetEvent::Found { peer, addrs, by });
        self.dial_due(now);
    }

    /// Somebody speaks another version: told once a minute, and left alone if that is proven. A beacon proves
    /// nothing, and must not keep us from a peer that fits.
    pub(super) fn other_version(
        &mut self,
        peer: PeerKey,
        addr: SocketAddr,
        theirs: u16,
        proven: bool,
    ) {
        if self.links.is_connected(peer) {
            return;
        }
        if proven {
            self.shun(peer, SHUN_VERSION);
        }
        if note(&mut self.versions_told, peer, SHUN_VERSION) {
            let ours = self.hello.version;
            tracing::warn!(%peer, %addr, theirs, ours, "another version of the protocol");
            self.news.push(NetEvent::VersionMismatch { peer, addr, theirs, ours });
        }
    }

    /// The machine got a network after the node had started on loopback only.
    fn widen(&mut self) {
        if self
            .swarm
            .listeners()
            .any(|a| split_multiaddr(a).is_some_and(|(a, _)| !a.ip().is_loopback()))
        {
            return;
        }
        tracing::info!("a network appeared");
        let port = self.hello.port;
        if let Err(error) = setup::widen(&mut self.swarm, port) {
            tracing::warn!(%error, "cannot use the new network");
        }
        self.start_mdns();
    }

    /// Starts mDNS unless it is off, or runs.
    pub(crate) fn start_mdns(&mut self) {
        if !self.use_mdns || self.swarm.behaviour().mdns.is_enabled() {
            return;
        }
        let id = *self.swarm.local_peer_id();
        match setup::mdns(id) {
            Ok(mdns) => self.swarm.behaviour_mut().mdns = Toggle::from(Some(mdns)),
            Err(what) => self.trouble(what),
        }
    }
}
