//! The program's end of a running node.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{mpsc, oneshot};

use crate::addr::Typed;
use crate::config::NetError;
use crate::peer::PeerKey;

/// What the handle asks the driver to do.
#[derive(Debug)]
pub(crate) enum Command {
    Dial(Typed),
    AddPeer(PeerKey, Vec<SocketAddr>),
    Forget(PeerKey),
    Shutdown(oneshot::Sender<()>),
}

/// Why a frame was not queued. The program sends it again when it still matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// There is no link to this peer now.
    #[error("the peer is not connected")]
    NotConnected,
    /// The peer's queue is full: it takes frames slower than they are sent.
    #[error("the peer's queue is full")]
    Full,
    /// Empty, or longer than [`Limits::max_frame`](crate::Limits::max_frame).
    #[error("a frame of this length cannot be sent")]
    Length,
}

/// Counts since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Frames queued for a peer.
    pub sent: u64,
    /// Frames given to the program, or waiting for it.
    pub received: u64,
    /// Frames not sent because the peer's queue was full.
    pub send_dropped: u64,
    /// Frames of peers that sent more than allowed.
    pub over_rate: u64,
    /// Frames dropped because the program did not take them from the channel.
    pub receive_dropped: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub sent: AtomicU64,
    pub received: AtomicU64,
    pub send_dropped: AtomicU64,
    pub over_rate: AtomicU64,
    pub receive_dropped: AtomicU64,
}

/// The queue of one link's writer.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    pub frames: mpsc::Sender<Vec<u8>>,
    /// Bytes in `frames`.
    pub bytes: Arc<AtomicUsize>,
}

/// What driver and handles look at together.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Connected peers, each with the queue of its preferred link.
    pub peers: RwLock<BTreeMap<PeerKey, Outbox>>,
    pub listening: RwLock<Vec<SocketAddr>>,
    pub counters: Counters,
}

impl Shared {
    pub fn set_peer(&self, peer: PeerKey, outbox: Option<Outbox>) {
        let mut peers = self.peers.write().unwrap_or_else(PoisonError::into_inner);
        match outbox {
            Some(outbox) => {
                peers.insert(peer, outbox);
            }
            None => {
                peers.remove(&peer);
            }
        }
    }
}

/// A running node; clones are the same node. It stops at [`NetHandle::shutdown`], or when the receiver of
/// events is dropped, or when all handles are.
#[derive(Debug, Clone)]
pub struct NetHandle {
    pub(crate) me: PeerKey,
    pub(crate) shared: Arc<Shared>,
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) max_frame: usize,
    pub(crate) queue_bytes: usize,
}

impl NetHandle {
    /// This node's own key.
    pub fn me(&self) -> PeerKey {
        self.me
    }

    /// Queues a frame for a peer; never waits. Frames to one peer keep their order while its link lasts.
    ///
    /// # Errors
    /// When the frame was not queued, see [`SendError`]. A queued one may still be lost with its link.
    pub fn send(&self, peer: PeerKey, bytes: Vec<u8>) -> Result<(), SendError> {
        if bytes.is_empty() || bytes.len() > self.max_frame {
            return Err(SendError::Length);
        }
        let peers = self.shared.peers.read().unwrap_or_else(PoisonError::into_inner);
        let outbox = peers.get(&peer).ok_or(SendError::NotConnected)?;
        self.queue(outbox, bytes)
    }

    /// Queues a frame for every connected peer and returns for how many.
    pub fn broadcast(&self, bytes: &[u8]) -> usize {
        if bytes.is_empty() || bytes.len() > self.max_frame {
            return 0;
        }
        let peers = self.shared.peers.read().unwrap_or_else(PoisonError::into_inner);
        peers.values().filter(|outbox| self.queue(outbox, bytes.to_vec()).is_ok()).count()
    }

    fn queue(&self, outbox: &Outbox, bytes: Vec<u8>) -> Result<(), SendError> {
        let counters = &self.shared.counters;
        let len = bytes.len();
        let waiting = outbox.bytes.fetch_add(len, Ordering::Relaxed);
        let result = if waiting.saturating_add(len) > self.queue_bytes {
            Err(SendError::Full)
        } else {
            outbox.frames.try_send(bytes).map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => SendError::Full,
                mpsc::error::TrySendError::Closed(_) => SendError::NotConnected,
            })
        };
        match result {
            Ok(()) => {
                counters.sent.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => {
                outbox.bytes.fetch_sub(len, Ordering::Relaxed);
                if error == SendError::Full {
                    counters.send_dropped.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        result
    }

    /// Dials a typed address (see [`NetConfig::peers`](crate::NetConfig::peers)) and keeps dialling it; the
    /// answer comes as an event.
    ///
    /// # Errors
    /// [`NetError::Address`] if it cannot be read.
    pub async fn dial(&self, address: &str) -> Result<(), NetError> {
        let typed: Typed = address.parse()?;
        self.command(Command::Dial(typed)).await;
        Ok(())
    }

    /// Tells the node of a peer and where it may be, learned from a roster. It is let in even when the node is full.
    pub async fn add_peer(&self, peer: PeerKey, addrs: Vec<SocketAddr>) {
        self.command(Command::AddPeer(peer, addrs)).await;
    }

    /// Closes the links to a peer and forgets its addresses; discovery may find it again.
    pub async fn forget(&self, peer: PeerKey) {
        self.command(Command::Forget(peer)).await;
    }

    async fn command(&self, command: Command) {
        if self.commands.send(command).await.is_err() {
            tracing::debug!("the node has stopped");
        }
    }

    /// The peers that are connected now.
    pub fn connected(&self) -> Vec<PeerKey> {
        let peers = self.shared.peers.read().unwrap_or_else(PoisonError::into_inner);
        peers.keys().copied().collect()
    }

    /// Where this node can be dialled, LAN addresses first, loopback last.
    pub fn listen_addrs(&self) -> Vec<SocketAddr> {
        let listening = self.shared.listening.read().unwrap_or_else(PoisonError::into_inner);
        let mut addrs = listening.clone();
        addrs.sort_by_key(|a| (a.ip().is_loopback(), a.is_ipv6(), *a));
        addrs
    }

    /// Counts since the start.
    pub fn stats(&self) -> Stats {
        let counters = &self.shared.counters;
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            sent: get(&counters.sent),
            received: get(&counters.received),
            send_dropped: get(&counters.send_dropped),
            over_rate: get(&counters.over_rate),
            receive_dropped: get(&counters.receive_dropped),
        }
    }

    /// Closes all connections and stops; returns when that is done.
    pub async fn shutdown(&self) {
        let (done, wait) = oneshot::channel();
        self.command(Command::Shutdown(done)).await;
        let _ = wait.await;
    }
}
