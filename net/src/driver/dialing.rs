//! Whom the driver dials, and what it does when nobody answers.

use std::net::SocketAddr;
use std::time::Instant;

use libp2p::swarm::dial_opts::{DialOpts, PeerCondition};
use libp2p::swarm::{ConnectionId, DialError};

use super::{Dial, Driver};
use crate::addr::{split_multiaddr, to_multiaddr};
use crate::event::NetEvent;
use crate::limits::MAX_PENDING_DIALS;
use crate::peer::PeerKey;

impl Driver {
    pub(super) fn on_dial_error(&mut self, connection: ConnectionId, error: &DialError) {
        let now = Instant::now();
        tracing::debug!(%connection, %error, "dial failed");
        match self.dials.remove(&connection) {
            Some(Dial::Peer(peer)) => {
                self.book.dial_ended(peer);
                self.book.failed(peer, now);
                if let DialError::WrongPeerId { address, .. } | DialError::LocalPeerId { address } =
                    error
                    && let Some((addr, _)) = split_multiaddr(address)
                {
                    self.book.wrong(peer, addr, now);
                }
            }
            Some(Dial::Typed(index, addr)) => {
                if matches!(error, DialError::LocalPeerId { .. }) {
                    self.on_own_key(Some(addr));
                }
                self.typed_failed(index, &error.to_string(), now);
            }
            None => {}
        }
    }

    pub(super) fn typed_failed(&mut self, index: usize, why: &str, now: Instant) {
        let tell = self.typed.failed(index, now);
        if let Some(entry) = self.typed.get_mut(index)
            && tell
        {
            let address = entry.typed.text.clone();
            self.news.push(NetEvent::DialFailed { address, why: why.to_owned() });
        }
    }

    /// Dials whoever is due.
    pub(super) fn dial_due(&mut self, now: Instant) {
        if self.dials.len() >= MAX_PENDING_DIALS {
            return;
        }
        let full = self.links.connected() >= self.limits.max_peers;
        let (links, shunned) = (&self.links, &self.shunned);
        let wanted = |peer| !shunned.contains_key(&peer) && links.wanted(peer);
        for (index, host) in self.typed.due(now, wanted) {
            let to = self.resolved.0.clone();
            tokio::spawn(async move {
                let found =
                    tokio::net::lookup_host(host).await.map(|addrs| addrs.take(8).collect());
                let _ = to.send((index, found)).await;
            });
        }
        let due = self.book.due(now, wanted);
        for (peer, addrs) in due {
            if full && !self.book.is_pinned(peer) && !self.links.is_connected(peer) {
                self.book.dial_ended(peer);
                self.book.failed(peer, now);
                continue;
            }
            let own: Vec<_> =
                self.swarm.listeners().filter_map(split_multiaddr).map(|(addr, _)| addr).collect();
            let addrs = addrs.into_iter().filter(|a| !own.contains(a)).map(to_multiaddr).collect();
            let Some(id) = peer.to_peer_id() else {
                self.book.forget(peer);
                continue;
            };
            let opts = DialOpts::peer_id(id)
                .condition(PeerCondition::Always)
                .addresses(addrs)
                // Or two peers that dial each other from their listening ports get one connection
                // on which both think that they dialled.
                .allocate_new_port()
                .build();
            self.dial(opts, Dial::Peer(peer));
        }
    }

    pub(super) fn dial(&mut self, opts: DialOpts, what: Dial) {
        let connection = opts.connection_id();
        self.dials.insert(connection, what);
        if let Err(error) = self.swarm.dial(opts) {
            self.on_dial_error(connection, &error);
        }
    }

    pub(super) fn on_resolved(&mut self, index: usize, addrs: std::io::Result<Vec<SocketAddr>>) {
        let now = Instant::now();
        let addr = match addrs {
            Ok(addrs) => self.typed.pick(index, &addrs),
            Err(error) => return self.typed_failed(index, &error.to_string(), now),
        };
        let Some(addr) = addr else {
            return self.typed_failed(index, "the name has no address", now);
        };
        let expected =
            self.typed.get_mut(index).and_then(|e| e.typed.peer).and_then(PeerKey::to_peer_id);
        let opts = match expected {
            Some(id) => DialOpts::peer_id(id)
                .condition(PeerCondition::Always)
                .addresses(vec![to_multiaddr(addr)])
                .allocate_new_port()
                .build(),
            None => {
                DialOpts::unknown_peer_id().address(to_multiaddr(addr)).allocate_new_port().build()
            }
        };
        self.dial(opts, Dial::Typed(index, addr));
    }
}
