//! The links that there are, and which of a peer's links is used.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use libp2p::swarm::ConnectionId;
use tokio::task::AbortHandle;

use crate::event::FoundBy;
use crate::handle::Outbox;
use crate::limits::{Limits, SILENT};
use crate::link::{Allowance, Heartbeat};
use crate::peer::PeerKey;

/// How far a link has come.
#[derive(Debug)]
pub(crate) enum Stage {
    /// A connection without its stream.
    Waiting,
    /// The hellos are being exchanged.
    Greeting,
    /// Frames flow; with the peer's opaque bytes.
    Up(Vec<u8>),
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Link {
    pub peer: PeerKey,
    /// The other end.
    pub addr: SocketAddr,
    /// Whether we dialled.
    pub dialer: bool,
    pub by: FoundBy,
    pub since: Instant,
    /// When the connection was closed; its task may still hold frames.
    pub closed: Option<Instant>,
    pub stage: Stage,
    pub heartbeat: Heartbeat,
    /// Was silent once. It is not trusted again where there is another: that it hears does not mean that
    /// what it sends gets through, as TCP may be waiting for seconds to send again.
    pub doubted: bool,
    /// The last frame that it brought.
    pub frame: Instant,
    pub outbox: Option<Outbox>,
    pub task: Option<AbortHandle>,
}

impl Link {
    fn is_up(&self) -> bool {
        matches!(self.stage, Stage::Up(_)) && self.closed.is_none()
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct LinkTable {
    links: BTreeMap<ConnectionId, Link>,
    /// The link that frames are sent on. It is kept as long as it speaks: changing links reorders frames.
    preferred: BTreeMap<PeerKey, ConnectionId>,
    allowances: BTreeMap<PeerKey, Arc<Mutex<Allowance>>>,
}

/// What a new link is to a peer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    First,
    /// It takes the place of another.
    Better,
    Spare,
}

/// Links that are up within this of each other come from a crossed dial.
const CROSSED: Duration = Duration::from_secs(3);
/// A link that is not preferred and brought no frame for this long is not needed.
const SURPLUS: Duration = Duration::from_secs(20);

/// What became of a peer when a link went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// Nothing that the program has to know.
    Same,
    /// Another link is used now.
    Switched,
    /// It was the last one.
    Gone,
}

impl LinkTable {
    pub fn insert(&mut self, connection: ConnectionId, link: Link) {
        self.links.insert(connection, link);
    }

    pub fn get(&self, connection: ConnectionId) -> Option<&Link> {
        self.links.get(&connection)
    }

    pub fn get_mut(&mut self, connection: ConnectionId) -> Option<&mut Link> {
        self.links.get_mut(&connection)
    }

    /// What a peer may send, over all its links.
    pub fn allowance(
        &mut self,
        peer: PeerKey,
        limits: &Limits,
        now: Instant,
    ) -> Arc<Mutex<Allowance>> {
        Arc::clone(self.allowances.entry(peer).or_insert_with(|| Allowance::new(limits, now)))
    }

    /// Whether the peer has a link, or one that may become one.
    pub fn any(&self, peer: PeerKey) -> bool {
        self.links.values().any(|l| l.peer == peer)
    }

    pub fn is_connected(&self, peer: PeerKey) -> bool {
        self.preferred.contains_key(&peer)
    }

    pub fn connected(&self) -> usize {
        self.preferred.len()
    }

    pub fn connections(&self) -> Vec<ConnectionId> {
        self.links.keys().copied().collect()
    }

    pub fn of(&self, peer: PeerKey) -> Vec<ConnectionId> {
        self.links.iter().filter(|(_, l)| l.peer == peer).map(|(c, _)| *c).collect()
    }

    /// Whether a dial is needed: no link and none in the making, or all that are up are doubted.
    pub fn wanted(&self, peer: PeerKey) -> bool {
        !self.links.values().any(|l| l.peer == peer && (!l.is_up() || !l.doubted))
    }

    /// Links of the peer that are up with other opaque bytes: (alive, dead).
    pub fn other_instances(&self, peer: PeerKey, extra: &[u8]) -> (bool, Vec<ConnectionId>) {
        let mut alive = false;
        let mut dead = Vec::new();
        for (connection, link) in &self.links {
            if link.peer == peer && matches!(&link.stage, Stage::Up(other) if other != extra) {
                alive |= !is_silent(link);
                dead.push(*connection);
            }
        }
        (alive, dead)
    }

    /// A link is up; says what that means for the peer.
    ///
    /// A second link that comes much later than the first means that one side doubts the first, so it is
    /// preferred; one that comes at about the same time is the other half of a crossed dial.
    pub fn up(&mut self, connection: ConnectionId, extra: Vec<u8>) -> Arrival {
        let Some(link) = self.links.get_mut(&connection) else {
            return Arrival::Spare;
        };
        link.stage = Stage::Up(extra);
        let (peer, since) = (link.peer, link.since);
        let arrival = match self.preferred(peer) {
            None => Arrival::First,
            Some(old) if old.doubted || since.saturating_duration_since(old.since) > CROSSED => {
                Arrival::Better
            }
            Some(_) => Arrival::Spare,
        };
        if arrival != Arrival::Spare {
            self.preferred.insert(peer, connection);
        }
        arrival
    }

    /// Links that nobody needs, for the smaller key to close: if both sides closed what they do not use, they
    /// might close all.
    pub fn surplus(&self, me: PeerKey, now: Instant) -> Vec<ConnectionId> {
        let unused = |(connection, link): &(&ConnectionId, &Link)| {
            me < link.peer
                && link.is_up()
                && self.preferred.get(&link.peer).is_some_and(|p| p != *connection)
                && now.saturating_duration_since(link.frame.max(link.since)) > SURPLUS
        };
        self.links.iter().filter(unused).map(|(c, _)| *c).collect()
    }

    pub fn preferred(&self, peer: PeerKey) -> Option<&Link> {
        self.links.get(self.preferred.get(&peer)?)
    }

    /// Takes a link out.
    pub fn remove(&mut self, connection: ConnectionId) -> Option<(Link, After)> {
        let link = self.links.remove(&connection)?;
        if let Some(task) = &link.task {
            task.abort();
        }
        let after = if self.preferred.get(&link.peer) == Some(&connection) {
            match self.best(link.peer) {
                Some(other) => {
                    self.preferred.insert(link.peer, other);
                    After::Switched
                }
                None => {
                    self.preferred.remove(&link.peer);
                    After::Gone
                }
            }
        } else {
            After::Same
        };
        if !self.any(link.peer) {
            self.allowances.remove(&link.peer);
        }
        Some((link, after))
    }

    /// The peer's best link: not doubted, if there is one, and among those the one that spoke last.
    fn best(&self, peer: PeerKey) -> Option<ConnectionId> {
        let up = self.links.iter().filter(|(_, l)| l.peer == peer && l.is_up());
        up.min_by_key(|(_, l)| (l.doubted, l.heartbeat.silent_millis())).map(|(c, _)| *c)
    }

    /// Doubts silent links, and leaves them where there is a better one; returns the peers that changed.
    pub fn leave_silent(&mut self) -> Vec<PeerKey> {
        for link in self.links.values_mut() {
            link.doubted |= is_silent(link);
        }
        let doubted = |c: &ConnectionId| self.links.get(c).is_none_or(|l| l.doubted);
        let peers: Vec<_> =
            self.preferred.iter().filter(|(_, c)| doubted(c)).map(|(p, _)| *p).collect();
        let mut changed = Vec::new();
        for peer in peers {
            if let Some(other) = self.best(peer)
                && self.links.get(&other).is_some_and(|l| !l.doubted)
            {
                self.preferred.insert(peer, other);
                changed.push(peer);
            }
        }
        changed
    }

    /// One of our addresses went, and with it the links that used it; nobody tells us which those are.
    pub fn doubt_all(&mut self) {
        let outside = |l: &&mut Link| !l.addr.ip().is_loopback();
        self.links.values_mut().filter(outside).for_each(|l| l.doubted = true);
    }

    /// After a pause of our own nobody is to blame for silence.
    pub fn forgive(&self) {
        self.links.values().for_each(|l| l.heartbeat.beat());
    }
}

fn is_silent(link: &Link) -> bool {
    u128::from(link.heartbeat.silent_millis()) > SILENT.as_millis()
}
