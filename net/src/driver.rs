//! The task that owns the swarm and decides: whom to dial, whom to let in, which link is used.

mod dialing;
mod discovery;
mod greeting;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use libp2p::core::ConnectedPoint;
use libp2p::swarm::{ConnectionId, ListenError, Swarm, SwarmEvent};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use crate::addr::{Typed, split_multiaddr};
use crate::beacon::BeaconNews;
use crate::book::Book;
use crate::config::NetConfig;
use crate::event::{FoundBy, NetEvent, Refusal};
use crate::handle::{Command, Shared};
use crate::hello::Hello;
use crate::limits::{DEAD, HELLO_TIMEOUT, Limits, MAX_SHUNNED, TICK};
use crate::link::{Heartbeat, LinkNews};
use crate::links::{After, Link, LinkTable, Stage};
use crate::news::News;
use crate::peer::PeerKey;
use crate::setup::{Behaviour, BehaviourEvent};
use crate::typed::TypedList;

/// Between two ticks more than this means that the whole process stood still.
const STOOD_STILL: Duration = Duration::from_secs(2);

/// A link's task ends by itself when its connection is closed; this is only in case it does not.
const AFTER_CLOSE: Duration = Duration::from_secs(1);

/// What a dial is for.
#[derive(Debug)]
enum Dial {
    Peer(PeerKey),
    Typed(usize, SocketAddr),
}

/// A name that was looked up for a typed address.
type Resolved = (usize, std::io::Result<Vec<SocketAddr>>);

/// Both ends, as the driver hands out the first.
type Channel<T> = (mpsc::Sender<T>, mpsc::Receiver<T>);

pub(crate) struct Driver {
    swarm: Swarm<Behaviour>,
    me: PeerKey,
    hello: Hello,
    limits: Limits,
    shared: Arc<Shared>,
    news: News,
    use_mdns: bool,
    links: LinkTable,
    book: Book,
    typed: TypedList,
    dials: BTreeMap<ConnectionId, Dial>,
    /// Who is left alone until when.
    shunned: BTreeMap<PeerKey, Instant>,
    /// Whose other version was told until when.
    versions_told: BTreeMap<PeerKey, Instant>,
    own_key_told: Option<Instant>,
    base: Instant,
    last_tick: Instant,
    link_news: Channel<(ConnectionId, LinkNews)>,
    resolved: Channel<Resolved>,
}

impl Driver {
    pub fn new(
        swarm: Swarm<Behaviour>,
        me: PeerKey,
        config: &NetConfig,
        port: u16,
        shared: Arc<Shared>,
        to: mpsc::Sender<NetEvent>,
    ) -> Self {
        let now = Instant::now();
        Self {
            swarm,
            me,
            hello: Hello {
                magic: config.magic,
                version: config.version,
                port,
                extra: config.hello_extra.clone(),
            },
            limits: config.limits.clone(),
            news: News::new(&config.limits, to, Arc::clone(&shared)),
            shared,
            use_mdns: config.mdns,
            links: LinkTable::default(),
            book: Book::new(me),
            typed: TypedList::default(),
            dials: BTreeMap::new(),
            shunned: BTreeMap::new(),
            versions_told: BTreeMap::new(),
            own_key_told: None,
            base: now,
            last_tick: now,
            link_news: mpsc::channel(1024),
            resolved: mpsc::channel(64),
        }
    }

    pub fn add_typed(&mut self, typed: Typed) {
        self.typed.add(typed, Instant::now());
    }

    pub fn trouble(&mut self, what: String) {
        tracing::warn!(what, "multicast discovery does not work");
        self.news.push(NetEvent::MulticastTrouble(what));
    }

    /// Waits until the node has an address, so that a program can show one at once.
    pub async fn first_address(&mut self, patience: Duration) {
        let wait = async {
            loop {
                let event = self.swarm.select_next_some().await;
                self.on_swarm(event);
                if self.swarm.listeners().next().is_some() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(patience, wait).await;
    }

    /// Runs until told to stop, or nobody is left to tell.
    pub async fn run(
        mut self,
        mut commands: mpsc::Receiver<Command>,
        mut beacons: mpsc::Receiver<BeaconNews>,
    ) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let program = self.news.channel();
        let mut beacons_end = false;
        loop {
            self.news.hand_over();
            tokio::select! {
                event = self.swarm.select_next_some() => self.on_swarm(event),
                Some((connection, news)) = self.link_news.1.recv() => self.on_link(connection, news),
                Some((index, addrs)) = self.resolved.1.recv() => self.on_resolved(index, addrs),
                beacon = beacons.recv(), if !beacons_end => match beacon {
                    Some(beacon) => self.on_beacon(beacon),
                    None => beacons_end = true,
                },
                // Room for the next event, or nobody there any more.
                room = program.reserve(), if !self.news.is_empty() => if room.is_err() { break },
                () = program.closed() => break,
                _ = ticks.tick() => self.on_tick(Instant::now()),
                command = commands.recv() => match command {
                    None => break,
                    Some(Command::Shutdown(done)) => {
                        self.stop().await;
                        let _ = done.send(());
                        return;
                    }
                    Some(command) => self.on_command(command),
                },
            }
        }
        self.stop().await;
    }

    /// Closes the connections, so that the others know at once.
    async fn stop(&mut self) {
        for connection in self.links.connections() {
            self.links.remove(connection);
            self.swarm.close_connection(connection);
        }
        let closed = async {
            while self.swarm.network_info().connection_counters().num_established() > 0 {
                self.swarm.select_next_some().await;
            }
        };
        let _ = tokio::time::timeout(Duration::from_millis(500), closed).await;
        self.shared.peers.write().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
    }

    fn on_command(&mut self, command: Command) {
        let now = Instant::now();
        match command {
            Command::Dial(typed) => self.typed.add(typed, now),
            Command::AddPeer(peer, addrs) => {
                self.book.learn(peer, &addrs, FoundBy::Roster, now);
            }
            Command::Forget(peer) => {
                self.book.forget(peer);
                for connection in self.links.of(peer) {
                    self.close(connection);
                }
            }
            // Handled in the loop.
            Command::Shutdown(_) => {}
        }
        self.dial_due(now);
    }

    fn on_swarm(&mut self, event: SwarmEvent<BehaviourEvent>) {
        match event {
            SwarmEvent::Behaviour(BehaviourEvent::Links(event)) => self.on_opened(event),
            SwarmEvent::Behaviour(BehaviourEvent::Mdns(event)) => self.on_mdns(event),
            SwarmEvent::ConnectionEstablished { peer_id, connection_id, endpoint, .. } => {
                match PeerKey::from_peer_id(&peer_id) {
                    Some(peer) => self.on_established(connection_id, peer, &endpoint),
                    None => {
                        self.swarm.close_connection(connection_id);
                    }
                }
            }
            SwarmEvent::ConnectionClosed { connection_id, cause, .. } => {
                tracing::debug!(connection = %connection_id, ?cause, "connection closed");
                self.on_closed(connection_id);
            }
            SwarmEvent::OutgoingConnectionError { connection_id, error, .. } => {
                self.on_dial_error(connection_id, &error)
            }
            SwarmEvent::IncomingConnectionError {
                error: ListenError::LocalPeerId { address },
                ..
            } => {
                self.on_own_key(split_multiaddr(&address).map(|(addr, _)| addr));
            }
            SwarmEvent::IncomingConnectionError { send_back_addr, error, .. } => {
                tracing::debug!(from = %send_back_addr, %error, "inbound connection failed");
            }
            SwarmEvent::NewListenAddr { address, .. } => {
                self.on_listening(split_multiaddr(&address), true)
            }
            SwarmEvent::ExpiredListenAddr { address, .. } => {
                self.on_listening(split_multiaddr(&address), false)
            }
            SwarmEvent::ListenerClosed { addresses, reason, .. } => {
                tracing::warn!(?reason, "a listener closed");
                addresses.iter().for_each(|a| self.on_listening(split_multiaddr(a), false));
            }
            SwarmEvent::ListenerError { error, .. } => tracing::warn!(%error, "listener"),
            _ => {}
        }
    }

    fn on_established(
        &mut self,
        connection: ConnectionId,
        peer: PeerKey,
        endpoint: &ConnectedPoint,
    ) {
        let now = Instant::now();
        let dialer = endpoint.is_dialer();
        let Some((addr, _)) = split_multiaddr(endpoint.get_remote_address()) else {
            self.swarm.close_connection(connection);
            return;
        };
        match self.dials.remove(&connection) {
            Some(Dial::Peer(peer)) => self.book.dial_ended(peer),
            Some(Dial::Typed(index, addr)) => {
                self.typed.answered(index, peer, now);
                self.book.learn(peer, &[addr], FoundBy::Typed, now);
            }
            None => {}
        }
        let by = if dialer {
            self.book.by(peer, addr).unwrap_or(FoundBy::Typed)
        } else {
            FoundBy::Inbound
        };
        let link = Link {
            peer,
            addr,
            dialer,
            by,
            since: now,
            closed: None,
            stage: Stage::Waiting,
            heartbeat: Heartbeat::new(self.base),
            doubted: false,
            frame: now,
            outbox: None,
            task: None,
        };
        self.links.insert(connection, link);
    }

    /// What the stream still holds, frames or a refusal, is taken first: its task says when it is through.
    fn on_closed(&mut self, connection: ConnectionId) {
        match self.links.get_mut(connection) {
            Some(link) if link.task.is_some() => link.closed = Some(Instant::now()),
            _ => self.remove(connection),
        }
    }

    /// Somebody has our key, or it is ourselves. Told once a minute.
    fn on_own_key(&mut self, addr: Option<SocketAddr>) {
        let now = Instant::now();
        let Some(addr) = addr else { return };
        let ours = self
            .swarm
            .listeners()
            .filter_map(split_multiaddr)
            .any(|(own, _)| own.ip() == addr.ip());
        let recently = self
            .own_key_told
            .is_some_and(|t| now.saturating_duration_since(t) < Duration::from_secs(60));
        if !recently {
            self.own_key_told = Some(now);
            tracing::warn!(%addr, ours, "our own key answers");
            self.refused(Some(self.me), addr, false, Refusal::OwnKey);
        }
    }

    fn refused(&mut self, peer: Option<PeerKey>, addr: SocketAddr, by_them: bool, why: Refusal) {
        self.news.push(NetEvent::Refused { peer, addr, by_them, why });
    }

    /// Leaves a peer alone for a while. True if it was not already.
    fn shun(&mut self, peer: PeerKey, how_long: Duration) -> bool {
        note(&mut self.shunned, peer, how_long)
    }

    fn on_tick(&mut self, now: Instant) {
        let gap = now.saturating_duration_since(std::mem::replace(&mut self.last_tick, now));
        if gap > STOOD_STILL {
            tracing::info!(?gap, "the process stood still");
            self.links.forgive();
        }
        for peer in self.links.leave_silent() {
            self.publish(peer);
        }
        for connection in self.links.surplus(self.me, now) {
            tracing::debug!(%connection, "closing a link that nobody needs");
            self.close(connection);
        }
        for connection in self.links.connections() {
            let Some(link) = self.links.get(connection) else {
                continue;
            };
            let (dead, limit) = match link.stage {
                _ if link.closed.is_some() => {
                    (now.saturating_duration_since(link.closed.unwrap_or(now)), AFTER_CLOSE)
                }
                Stage::Up(_) => (Duration::from_millis(link.heartbeat.silent_millis()), DEAD),
                // The stream's own hello time-out comes first.
                Stage::Waiting | Stage::Greeting => {
                    (now.saturating_duration_since(link.since), 2 * HELLO_TIMEOUT)
                }
            };
            if dead > limit {
                tracing::debug!(peer = %link.peer, silent = ?dead, "giving up a link");
                let peer = link.peer;
                self.book.failed(peer, now);
                self.close(connection);
            }
        }
        self.shunned.retain(|_, until| *until > now);
        self.book.prune(now, |peer| self.links.any(peer));
        self.dial_due(now);
    }

    /// Closes a connection and forgets its link.
    fn close(&mut self, connection: ConnectionId) {
        self.remove(connection);
        // A dead connection may take minutes to close; it does not count until then.
        self.swarm.behaviour_mut().links.give_up(connection);
        self.swarm.close_connection(connection);
    }

    fn remove(&mut self, connection: ConnectionId) {
        let Some((link, after)) = self.links.remove(connection) else {
            return;
        };
        match after {
            After::Same => {}
            After::Switched => self.publish(link.peer),
            After::Gone => {
                self.publish(link.peer);
                self.book.lost(link.peer, Instant::now());
                self.news.push(NetEvent::Disconnected { peer: link.peer });
            }
        }
    }

    /// Tells the handles which link a peer's frames go to.
    fn publish(&self, peer: PeerKey) {
        self.shared.set_peer(peer, self.links.preferred(peer).and_then(|link| link.outbox.clone()));
    }
}

/// Notes a peer for a while, in a map that stays bounded. True if it was not there.
fn note(map: &mut BTreeMap<PeerKey, Instant>, peer: PeerKey, how_long: Duration) -> bool {
    let now = Instant::now();
    map.retain(|_, until| *until > now);
    if map.len() >= MAX_SHUNNED && !map.contains_key(&peer) {
        return false;
    }
    map.insert(peer, now + how_long).is_none()
}
