//! What the driver does with streams, hellos and frames.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use libp2p::swarm::{ConnectionId, Stream};
use tokio::sync::mpsc;

use super::Driver;
use crate::behaviour::{LinkEvent, Opened};
use crate::event::{FoundBy, NetEvent, Refusal};
use crate::handle::Outbox;
use crate::hello::{Hello, Verdict};
use crate::limits::{SHUN_REFUSED, SHUN_STRANGER};
use crate::link::{Ended, LinkNews, LinkTask};
use crate::links::{Arrival, Stage};

impl Driver {
    pub(super) fn on_opened(&mut self, event: LinkEvent) {
        let connection = event.connection;
        match event.what {
            Opened::Stream(stream) => self.greet(connection, stream),
            Opened::NotOurs => self.turn_away(connection, Refusal::NotOurs, false, SHUN_STRANGER),
            Opened::Failed => self.turn_away(connection, Refusal::BadHello, false, SHUN_REFUSED),
        }
    }

    fn greet(&mut self, connection: ConnectionId, stream: Stream) {
        let now = Instant::now();
        let Some(link) = self.links.get_mut(connection) else {
            return;
        };
        let (frames, outgoing) = mpsc::channel(self.limits.send_queue_frames);
        let bytes = Arc::new(AtomicUsize::new(0));
        link.outbox = Some(Outbox { frames, bytes: Arc::clone(&bytes) });
        link.stage = Stage::Greeting;
        let (peer, heartbeat) = (link.peer, link.heartbeat.clone());
        let task = LinkTask {
            connection,
            hello: self.hello.clone(),
            max_frame: self.limits.max_frame,
            allowance: self.links.allowance(peer, &self.limits, now),
            heartbeat,
            shared: Arc::clone(&self.shared),
            outgoing,
            outgoing_bytes: bytes,
            news: self.link_news.0.clone(),
        };
        let task = tokio::spawn(task.run(stream)).abort_handle();
        if let Some(link) = self.links.get_mut(connection) {
            link.task = Some(task);
        }
    }

    pub(super) fn on_link(&mut self, connection: ConnectionId, news: LinkNews) {
        match news {
            LinkNews::Hello(hello, reply) => {
                let verdict = self.judge(connection, &hello);
                let _ = reply.send(verdict);
            }
            LinkNews::Up(hello) => self.on_up(connection, hello),
            LinkNews::Frame(bytes) => {
                if let Some(link) = self.links.get_mut(connection) {
                    link.frame = Instant::now();
                    self.news.push(NetEvent::Frame { peer: link.peer, bytes });
                }
            }
            LinkNews::Ended(ended) => self.on_ended(connection, ended),
        }
    }

    /// Whether to let somebody in whose hello is well-formed.
    fn judge(&mut self, connection: ConnectionId, hello: &Hello) -> Verdict {
        let Some(link) = self.links.get(connection) else {
            return Verdict::Full;
        };
        let peer = link.peer;
        let full = self.links.connected() >= self.limits.max_peers && !self.book.is_pinned(peer);
        if (full || self.news.full()) && !self.links.is_connected(peer) {
            return Verdict::Full;
        }
        let (alive, old) = self.links.other_instances(peer, &hello.extra);
        if alive {
            return Verdict::OtherInstance;
        }
        // A process that went without closing its connections has come back.
        for connection in old {
            self.close(connection);
        }
        Verdict::Welcome
    }

    fn on_up(&mut self, connection: ConnectionId, hello: Hello) {
        let now = Instant::now();
        let Some(link) = self.links.get(connection) else {
            return;
        };
        let (peer, by, remote, dialer) = (link.peer, link.by, link.addr, link.dialer);
        // Two links of different processes may have been judged at the same time.
        if self.links.other_instances(peer, &hello.extra).0 {
            return self.close(connection);
        }
        let addr = if dialer { remote } else { SocketAddr::new(remote.ip(), hello.port) };
        if !dialer {
            self.book.learn(peer, &[addr], FoundBy::Inbound, now);
        }
        self.book.connected(peer);
        self.typed.connected(peer);
        self.shunned.remove(&peer);
        match self.links.up(connection, hello.extra.clone()) {
            Arrival::First => {
                tracing::info!(%peer, %addr, ?by, "connected");
                self.publish(peer);
                self.news.push(NetEvent::Connected { peer, hello_extra: hello.extra, by, addr });
            }
            Arrival::Better => {
                tracing::info!(%peer, %addr, "another link is used");
                self.publish(peer);
            }
            Arrival::Spare => {}
        }
    }

    fn on_ended(&mut self, connection: ConnectionId, ended: Ended) {
        let Some(link) = self.links.get(connection) else {
            return;
        };
        let (peer, addr) = (link.peer, link.addr);
        let was_up = matches!(link.stage, Stage::Up(_));
        match ended {
            Ended::Closed => {
                if !was_up {
                    self.book.failed(peer, Instant::now());
                }
                self.close(connection);
            }
            Ended::NoHello => self.turn_away(connection, Refusal::BadHello, false, SHUN_REFUSED),
            Ended::OtherVersion(theirs) => {
                self.close(connection);
                self.other_version(peer, addr, theirs, true);
            }
            Ended::RefusedByUs(verdict) => {
                self.turn_away(connection, refusal(verdict), false, how_long(verdict))
            }
            Ended::RefusedByThem(verdict) => {
                self.turn_away(connection, refusal(verdict), true, how_long(verdict))
            }
            Ended::Oversize(len) => {
                tracing::warn!(%peer, len, "a peer announces too long a frame");
                self.turn_away(connection, Refusal::Oversize, false, SHUN_REFUSED);
            }
        }
    }

    fn turn_away(
        &mut self,
        connection: ConnectionId,
        why: Refusal,
        by_them: bool,
        how_long: Duration,
    ) {
        let Some(link) = self.links.get(connection) else {
            return;
        };
        let (peer, addr) = (link.peer, link.addr);
        self.close(connection);
        self.book.failed(peer, Instant::now());
        if self.shun(peer, how_long) {
            tracing::info!(%peer, %addr, ?why, by_them, "refused");
            self.refused(Some(peer), addr, by_them, why);
        }
    }
}

fn refusal(verdict: Verdict) -> Refusal {
    match verdict {
        Verdict::NotOurs => Refusal::NotOurs,
        Verdict::Full => Refusal::Full,
        Verdict::OtherInstance => Refusal::OtherInstance,
        Verdict::Welcome | Verdict::Version | Verdict::BadHello => Refusal::BadHello,
    }
}

fn how_long(verdict: Verdict) -> Duration {
    match verdict {
        Verdict::NotOurs => SHUN_STRANGER,
        _ => SHUN_REFUSED,
    }
}
