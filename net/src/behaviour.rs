//! The libp2p part of a link: on every connection the dialer opens one stream, the listener takes it.
//!
//! One stream of one's own on each connection makes a link and a connection the same thing: no stream is
//! dropped because too many opened at once, and none is opened on a connection that died unnoticed.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::net::IpAddr;
use std::task::{Context, Poll};

use libp2p::core::Endpoint;
use libp2p::core::transport::PortUse;
use libp2p::core::upgrade::ReadyUpgrade;
use libp2p::swarm::handler::{ConnectionEvent, FullyNegotiatedInbound, FullyNegotiatedOutbound};
use libp2p::swarm::{
    ConnectionDenied, ConnectionHandler, ConnectionHandlerEvent, ConnectionId, FromSwarm,
    NetworkBehaviour, Stream, StreamProtocol, StreamUpgradeError, SubstreamProtocol, THandler,
    THandlerInEvent, THandlerOutEvent, ToSwarm,
};
use libp2p::{Multiaddr, PeerId};

use crate::addr::split_multiaddr;
use crate::limits::{
    HELLO_TIMEOUT, MAX_LINKS_PER_PEER, MAX_PENDING_INBOUND, MAX_PENDING_INBOUND_PER_IP,
};
use crate::peer::PeerKey;

/// Without a version, so that a mismatch can be told instead of looking like a stranger.
const PROTOCOL: StreamProtocol = StreamProtocol::new("/trinka");

/// What a connection's handler has to tell.
pub(crate) enum Opened {
    Stream(Stream),
    /// The other side does not speak the protocol.
    NotOurs,
    /// It did not answer.
    Failed,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stream(_) => "Stream",
            Self::NotOurs => "NotOurs",
            Self::Failed => "Failed",
        })
    }
}

/// The same with its connection.
#[derive(Debug)]
pub(crate) struct LinkEvent {
    pub connection: ConnectionId,
    pub what: Opened,
}

/// Refused by a bound.
#[derive(Debug, thiserror::Error)]
#[error("too many connections, or no Ed25519 key")]
struct OverLimit;

pub(crate) struct Links {
    events: VecDeque<LinkEvent>,
    /// Inbound connections before their handshake, by where they come from.
    pending: BTreeMap<ConnectionId, Option<IpAddr>>,
    established: BTreeMap<ConnectionId, PeerId>,
    max_established: usize,
}

impl Links {
    pub fn new(max_established: usize) -> Self {
        Self {
            events: VecDeque::new(),
            pending: BTreeMap::new(),
            established: BTreeMap::new(),
            max_established,
        }
    }

    /// A connection that is being closed no longer counts.
    pub fn give_up(&mut self, connection: ConnectionId) {
        self.established.remove(&connection);
    }

    fn admit(&self, peer: PeerId) -> Result<(), ConnectionDenied> {
        let same = self.established.values().filter(|p| **p == peer).count();
        let room = self.established.len() < self.max_established && same < MAX_LINKS_PER_PEER;
        if room && PeerKey::from_peer_id(&peer).is_some() {
            Ok(())
        } else {
            Err(ConnectionDenied::new(OverLimit))
        }
    }
}

impl NetworkBehaviour for Links {
    type ConnectionHandler = Handler;
    type ToSwarm = LinkEvent;

    fn handle_pending_inbound_connection(
        &mut self,
        connection: ConnectionId,
        _: &Multiaddr,
        remote: &Multiaddr,
    ) -> Result<(), ConnectionDenied> {
        let ip = split_multiaddr(remote).map(|(addr, _)| addr.ip());
        let local = ip.is_some_and(|ip| ip.is_loopback());
        let same = self.pending.values().filter(|other| **other == ip).count();
        if self.pending.len() >= MAX_PENDING_INBOUND
            || (!local && same >= MAX_PENDING_INBOUND_PER_IP)
        {
            return Err(ConnectionDenied::new(OverLimit));
        }
        self.pending.insert(connection, ip);
        Ok(())
    }

    fn handle_established_inbound_connection(
        &mut self,
        connection: ConnectionId,
        peer: PeerId,
        _: &Multiaddr,
        _: &Multiaddr,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        self.pending.remove(&connection);
        self.admit(peer)?;
        Ok(Handler::new(false))
    }

    fn handle_established_outbound_connection(
        &mut self,
        _: ConnectionId,
        peer: PeerId,
        _: &Multiaddr,
        _: Endpoint,
        _: PortUse,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        self.admit(peer)?;
        Ok(Handler::new(true))
    }

    fn on_swarm_event(&mut self, event: FromSwarm<'_>) {
        match event {
            FromSwarm::ConnectionEstablished(e) => {
                self.pending.remove(&e.connection_id);
                self.established.insert(e.connection_id, e.peer_id);
            }
            FromSwarm::ConnectionClosed(e) => {
                self.established.remove(&e.connection_id);
            }
            FromSwarm::ListenFailure(e) => {
                self.pending.remove(&e.connection_id);
            }
            _ => {}
        }
    }

    fn on_connection_handler_event(
        &mut self,
        _: PeerId,
        connection: ConnectionId,
        what: THandlerOutEvent<Self>,
    ) {
        self.events.push_back(LinkEvent { connection, what });
    }

    fn poll(&mut self, _: &mut Context<'_>) -> Poll<ToSwarm<Self::ToSwarm, THandlerInEvent<Self>>> {
        // The swarm polls again after it has handed over a handler's event, so no waker is needed.
        match self.events.pop_front() {
            Some(event) => Poll::Ready(ToSwarm::GenerateEvent(event)),
            None => Poll::Pending,
        }
    }
}

pub(crate) struct Handler {
    dialer: bool,
    /// The dialer still has to ask for the stream.
    ask: bool,
    /// The listener has taken its one stream.
    taken: bool,
    events: VecDeque<Opened>,
}

impl Handler {
    fn new(dialer: bool) -> Self {
        Self { dialer, ask: dialer, taken: false, events: VecDeque::new() }
    }
}

impl ConnectionHandler for Handler {
    type FromBehaviour = std::convert::Infallible;
    type ToBehaviour = Opened;
    type InboundProtocol = ReadyUpgrade<StreamProtocol>;
    type OutboundProtocol = ReadyUpgrade<StreamProtocol>;
    type InboundOpenInfo = ();
    type OutboundOpenInfo = ();

    fn listen_protocol(&self) -> SubstreamProtocol<Self::InboundProtocol> {
        SubstreamProtocol::new(ReadyUpgrade::new(PROTOCOL), ()).with_timeout(HELLO_TIMEOUT)
    }

    /// The driver closes connections, for reasons of its own.
    fn connection_keep_alive(&self) -> bool {
        true
    }

    fn poll(
        &mut self,
        _: &mut Context<'_>,
    ) -> Poll<ConnectionHandlerEvent<Self::OutboundProtocol, (), Opened>> {
        if let Some(event) = self.events.pop_front() {
            return Poll::Ready(ConnectionHandlerEvent::NotifyBehaviour(event));
        }
        if std::mem::take(&mut self.ask) {
            return Poll::Ready(ConnectionHandlerEvent::OutboundSubstreamRequest {
                protocol: SubstreamProtocol::new(ReadyUpgrade::new(PROTOCOL), ())
                    .with_timeout(HELLO_TIMEOUT),
            });
        }
        Poll::Pending
    }

    fn on_behaviour_event(&mut self, event: Self::FromBehaviour) {
        match event {}
    }

    fn on_connection_event(
        &mut self,
        event: ConnectionEvent<'_, Self::InboundProtocol, Self::OutboundProtocol>,
    ) {
        match event {
            ConnectionEvent::FullyNegotiatedOutbound(FullyNegotiatedOutbound {
                protocol, ..
            }) => {
                self.events.push_back(Opened::Stream(protocol));
            }
            // Any further stream is dropped, which resets it.
            ConnectionEvent::FullyNegotiatedInbound(FullyNegotiatedInbound {
                protocol, ..
            }) if !self.dialer && !self.taken => {
                self.taken = true;
                self.events.push_back(Opened::Stream(protocol));
            }
            ConnectionEvent::DialUpgradeError(error) => {
                self.events.push_back(match error.error {
                    StreamUpgradeError::NegotiationFailed => Opened::NotOurs,
                    _ => Opened::Failed,
                });
            }
            _ => {}
        }
    }
}
