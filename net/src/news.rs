//! Events that wait for the program, in order and within bounds.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::mpsc;

use crate::event::NetEvent;
use crate::handle::Shared;
use crate::limits::{Limits, MAX_WAITING_NEWS};

/// The queue in front of the program's channel. The driver never waits for the program: over the bounds
/// frames and news are dropped and counted, save that peers came and went.
pub(crate) struct News {
    queue: VecDeque<NetEvent>,
    frames: usize,
    bytes: usize,
    max_frames: usize,
    max_bytes: usize,
    to: mpsc::Sender<NetEvent>,
    shared: Arc<Shared>,
}

impl News {
    pub fn new(limits: &Limits, to: mpsc::Sender<NetEvent>, shared: Arc<Shared>) -> Self {
        Self {
            queue: VecDeque::new(),
            frames: 0,
            bytes: 0,
            max_frames: limits.receive_queue_frames,
            max_bytes: limits.receive_queue_bytes,
            to,
            shared,
        }
    }

    pub fn push(&mut self, event: NetEvent) {
        match &event {
            NetEvent::Frame { bytes, .. } => {
                if self.frames >= self.max_frames
                    || self.bytes.saturating_add(bytes.len()) > self.max_bytes
                {
                    self.shared.counters.receive_dropped.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                self.shared.counters.received.fetch_add(1, Ordering::Relaxed);
                self.frames += 1;
                self.bytes += bytes.len();
            }
            // Bounded all the same: nobody is let in while the news are full.
            NetEvent::Connected { .. } | NetEvent::Disconnected { .. } => {}
            other => {
                tracing::debug!(event = ?other, "news");
                if self.full() {
                    return;
                }
            }
        }
        self.queue.push_back(event);
    }

    /// Whether too many events wait, frames apart.
    pub fn full(&self) -> bool {
        self.queue.len() - self.frames >= MAX_WAITING_NEWS
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    fn pop(&mut self) -> Option<NetEvent> {
        let event = self.queue.pop_front()?;
        if let NetEvent::Frame { bytes, .. } = &event {
            self.frames -= 1;
            self.bytes -= bytes.len();
        }
        Some(event)
    }

    /// A sender of the same channel, to wait for room without borrowing the queue.
    pub fn channel(&self) -> mpsc::Sender<NetEvent> {
        self.to.clone()
    }

    /// Hands over what the channel has room for.
    pub fn hand_over(&mut self) {
        while !self.is_empty() {
            let to = self.to.clone();
            let Ok(permit) = to.try_reserve() else { return };
            if let Some(event) = self.pop() {
                permit.send(event);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::PeerKey;

    #[test]
    fn a_program_that_does_not_listen_costs_a_bounded_amount() {
        let (to, mut events) = mpsc::channel(1);
        let limits =
            Limits { receive_queue_frames: 10, receive_queue_bytes: 25, ..Limits::default() };
        let shared = Arc::new(Shared::default());
        let mut news = News::new(&limits, to, Arc::clone(&shared));
        let peer = PeerKey([1; 32]);
        for _ in 0..100 {
            news.push(NetEvent::Frame { peer, bytes: vec![0; 5] });
        }
        news.push(NetEvent::Disconnected { peer });
        assert_eq!(shared.counters.receive_dropped.load(Ordering::Relaxed), 95);
        let mut got = Vec::new();
        while !news.is_empty() {
            news.hand_over();
            got.extend(events.try_recv());
        }
        got.extend(events.try_recv());
        assert_eq!(got.len(), 6);
        assert_eq!(got.last(), Some(&NetEvent::Disconnected { peer }));
        for _ in 0..2 * MAX_WAITING_NEWS {
            news.push(NetEvent::MulticastTrouble(String::new()));
        }
        assert_eq!(news.queue.len(), MAX_WAITING_NEWS);
    }
}
