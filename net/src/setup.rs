//! Sockets and swarm of a node that starts.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use libp2p::identity::Keypair;
use libp2p::swarm::NetworkBehaviour;
use libp2p::swarm::behaviour::toggle::Toggle;
use libp2p::{PeerId, Swarm, SwarmBuilder, mdns, noise, tcp, yamux};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::time::sleep;

use crate::addr::to_multiaddr;
use crate::behaviour::Links;
use crate::config::{NetConfig, NetError};
use crate::iface;
use crate::limits::{
    CONNECT_TIMEOUT, IDLE, MAX_YAMUX_STREAMS, MDNS_QUERY, MDNS_TTL, SPARE_CONNECTIONS,
};

/// What the swarm is made of.
#[derive(NetworkBehaviour)]
pub(crate) struct Behaviour {
    pub links: Links,
    pub mdns: Toggle<mdns::tokio::Behaviour>,
}

pub(crate) fn keypair(config: &NetConfig) -> Result<Keypair, NetError> {
    let mut seed = *config.secret_key;
    // Erases the copy.
    Keypair::ed25519_from_bytes(&mut seed).map_err(|error| NetError::Transport(error.to_string()))
}

pub(crate) fn swarm(config: &NetConfig, keypair: Keypair) -> Result<Swarm<Behaviour>, NetError> {
    let failed = |error: &dyn std::fmt::Display| NetError::Transport(error.to_string());
    let max = config.limits.max_peers.saturating_mul(2).saturating_add(SPARE_CONNECTIONS);
    let muxer = || {
        let mut yamux = yamux::Config::default();
        yamux.set_max_num_streams(MAX_YAMUX_STREAMS);
        yamux
    };
    let swarm = SwarmBuilder::with_existing_identity(keypair)
        .with_tokio()
        .with_tcp(tcp::Config::default().nodelay(true), noise::Config::new, muxer)
        .map_err(|error| failed(&error))?
        .with_behaviour(|_| Behaviour { links: Links::new(max), mdns: Toggle::from(None) })
        .map_err(|error| failed(&error))?
        .with_swarm_config(|swarm| swarm.with_idle_connection_timeout(IDLE))
        .with_connection_timeout(CONNECT_TIMEOUT)
        .build();
    Ok(swarm)
}

/// Starts mDNS, or says why it will not work.
pub(crate) fn mdns(me: PeerId) -> Result<mdns::tokio::Behaviour, String> {
    port_can_be_shared(5353)?;
    let config = mdns::Config {
        ttl: MDNS_TTL,
        query_interval: MDNS_QUERY,
        enable_ipv6: !iface::has_lan_v4(),
    };
    mdns::tokio::Behaviour::new(config, me).map_err(|error| format!("mDNS: {error}"))
}

/// libp2p only logs when another program keeps the port to itself.
fn port_can_be_shared(port: u16) -> Result<(), String> {
    let bind = || {
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
        socket.set_reuse_address(true)?;
        #[cfg(unix)]
        socket.set_reuse_port(true)?;
        socket.bind(&SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)).into())
    };
    bind().map_err(|error| format!("mDNS cannot use UDP port {port}: {error}"))
}

/// Begins to listen; returns the port that peers are told.
pub(crate) async fn listen(
    swarm: &mut Swarm<Behaviour>,
    config: &NetConfig,
    local: bool,
) -> Result<u16, NetError> {
    let _turn = Turn::wait(config.default_port).await;
    if config.listen.is_empty() {
        let ip = if local { Ipv4Addr::LOCALHOST } else { Ipv4Addr::UNSPECIFIED };
        let first = SocketAddr::from((ip, config.default_port));
        let port = match listen_on(swarm, first) {
            Ok(port) => port,
            Err(error) => {
                tracing::info!(%error, "taking any free port");
                listen_on(swarm, SocketAddr::from((ip, 0)))?
            }
        };
        if !local {
            listen_v6(swarm, port);
        }
        return Ok(port);
    }
    let mut port = None;
    for addr in &config.listen {
        let taken = listen_on(swarm, *addr)?;
        port.get_or_insert(taken);
    }
    Ok(port.unwrap_or(0))
}

/// Listens on all interfaces, after a start on a machine that had none.
pub(crate) fn widen(swarm: &mut Swarm<Behaviour>, port: u16) -> Result<(), NetError> {
    let addr = SocketAddr::from((Ipv4Addr::UNSPECIFIED, port));
    // Our own listener of 127.0.0.1 shares the port.
    swarm.listen_on(to_multiaddr(addr)).map_err(|error| listen_error(addr, &error))?;
    listen_v6(swarm, port);
    Ok(())
}

/// IPv6 may be off; IPv4 is enough.
fn listen_v6(swarm: &mut Swarm<Behaviour>, port: u16) {
    if let Err(error) = listen_on(swarm, SocketAddr::from((Ipv6Addr::UNSPECIFIED, port))) {
        tracing::info!(%error, "no IPv6");
    }
}

fn listen_on(swarm: &mut Swarm<Behaviour>, wanted: SocketAddr) -> Result<u16, NetError> {
    let addr = free_port(wanted).map_err(|error| listen_error(wanted, &error))?;
    swarm.listen_on(to_multiaddr(addr)).map_err(|error| listen_error(addr, &error))?;
    Ok(addr.port())
}

fn listen_error(addr: SocketAddr, why: &dyn std::fmt::Display) -> NetError {
    NetError::Listen { addr: addr.to_string(), why: why.to_string() }
}

/// The address with a port that nobody listens on. libp2p shares its ports (SO_REUSEPORT): two nodes of one
/// user would both get it, and each a part of the connections.
fn free_port(addr: SocketAddr) -> std::io::Result<SocketAddr> {
    let socket = Socket::new(Domain::for_address(addr), Type::STREAM, Some(Protocol::TCP))?;
    if addr.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // Without it the connections of a process that just ended keep the port busy.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&addr.into())?;
    socket.listen(1)?;
    let port = socket.local_addr()?.as_socket().map_or(0, |got| got.port());
    Ok(SocketAddr::new(addr.ip(), port))
}

/// Between looking for a free port and taking it no other node of this machine may do the same. Whoever
/// holds the UDP port below the default one on 127.0.0.1 has the turn; the kernel takes it back from the dead.
struct Turn {
    _held: Option<std::net::UdpSocket>,
}

impl Turn {
    async fn wait(default_port: u16) -> Self {
        let port =
            default_port.checked_sub(1).filter(|port| *port > 0).unwrap_or(crate::DEFAULT_PORT - 1);
        for _ in 0..200 {
            if let Ok(held) = std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, port)) {
                return Self { _held: Some(held) };
            }
            sleep(Duration::from_millis(5)).await;
        }
        // Some other program has that port; two nodes hardly start in the same millisecond.
        Self { _held: None }
    }
}
