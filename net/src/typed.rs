//! Addresses that the user typed: dialled until somebody answers, and again when the peer is lost.

use std::net::SocketAddr;
use std::time::Instant;

use crate::addr::Typed;
use crate::book::backoff;
use crate::limits::MAX_TYPED;
use crate::peer::PeerKey;

/// One of them.
#[derive(Debug)]
pub(crate) struct TypedEntry {
    pub typed: Typed,
    /// Who answered last, or is expected.
    pub peer: Option<PeerKey>,
    pub busy: bool,
    /// The failure was told already.
    pub told: bool,
    failures: u32,
    next: Instant,
}

/// All of them; an index stays valid.
#[derive(Debug, Default)]
pub(crate) struct TypedList {
    entries: Vec<TypedEntry>,
}

impl TypedList {
    pub fn add(&mut self, typed: Typed, now: Instant) {
        if let Some(entry) = self.entries.iter_mut().find(|e| e.typed == typed) {
            // Typed again: tried at once, and the answer told again.
            entry.next = now;
            entry.failures = 0;
            entry.told = false;
        } else if self.entries.len() < MAX_TYPED {
            let peer = typed.peer;
            self.entries.push(TypedEntry {
                typed,
                peer,
                busy: false,
                told: false,
                failures: 0,
                next: now,
            });
        } else {
            tracing::warn!(address = typed.text, "too many typed addresses");
        }
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut TypedEntry> {
        self.entries.get_mut(index)
    }

    /// Those to be looked up and dialled now. `wanted` says whom a link is missing to.
    pub fn due(&mut self, now: Instant, wanted: impl Fn(PeerKey) -> bool) -> Vec<(usize, String)> {
        let mut due = Vec::new();
        for (index, entry) in self.entries.iter_mut().enumerate() {
            if !entry.busy && entry.next <= now && entry.peer.is_none_or(&wanted) {
                entry.busy = true;
                due.push((index, entry.typed.host.clone()));
            }
        }
        due
    }

    /// The address to try of those that the name has: another one each time.
    pub fn pick(&self, index: usize, addrs: &[SocketAddr]) -> Option<SocketAddr> {
        let turn = usize::try_from(self.entries.get(index)?.failures).unwrap_or(0);
        addrs.get(turn.checked_rem(addrs.len())?).copied()
    }

    /// Nobody answered, or nobody that we want. True if that is to be told.
    pub fn failed(&mut self, index: usize, now: Instant) -> bool {
        let Some(entry) = self.entries.get_mut(index) else {
            return false;
        };
        entry.busy = false;
        entry.failures = entry.failures.saturating_add(1);
        entry.next = now + backoff(entry.failures);
        !std::mem::replace(&mut entry.told, true)
    }

    /// Somebody answered, with this key.
    pub fn answered(&mut self, index: usize, peer: PeerKey, now: Instant) {
        if let Some(entry) = self.entries.get_mut(index) {
            entry.busy = false;
            entry.peer = Some(peer);
            // The hello may still fail; a link that comes up stops the dialling.
            entry.failures = entry.failures.saturating_add(1);
            entry.next = now + backoff(entry.failures);
        }
    }

    /// A link to this peer is up.
    pub fn connected(&mut self, peer: PeerKey) {
        for entry in self.entries.iter_mut().filter(|e| e.peer == Some(peer)) {
            entry.failures = 0;
            entry.told = false;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dialled_until_somebody_answers() {
        let now = Instant::now();
        let mut list = TypedList::default();
        list.add("10.0.0.1:5".parse().unwrap(), now);
        assert_eq!(list.due(now, |_| true), [(0, "10.0.0.1:5".to_owned())]);
        assert!(list.due(now, |_| true).is_empty(), "busy");
        assert!(list.failed(0, now), "told once");
        assert!(list.due(now, |_| true).is_empty());
        let later = now + Duration::from_secs(5);
        assert_eq!(list.due(later, |_| true).len(), 1);
        assert!(!list.failed(0, later));
        list.answered(0, PeerKey([1; 32]), later);
        let latest = later + Duration::from_secs(5);
        assert!(list.due(latest, |_| false).is_empty(), "connected");
        assert_eq!(list.due(latest, |_| true).len(), 1, "lost");
    }

    #[test]
    fn a_bound_and_no_doubles() {
        let now = Instant::now();
        let mut list = TypedList::default();
        for _ in 0..2 {
            for port in 1..200 {
                list.add(format!("10.0.0.1:{port}").parse().unwrap(), now);
            }
        }
        assert_eq!(list.entries.len(), MAX_TYPED);
    }

    #[test]
    fn names_with_several_addresses_take_turns() {
        let now = Instant::now();
        let mut list = TypedList::default();
        list.add("anna:5".parse().unwrap(), now);
        let addrs = [SocketAddr::from(([10, 0, 0, 1], 5)), SocketAddr::from(([10, 0, 0, 2], 5))];
        let first = list.pick(0, &addrs);
        list.failed(0, now);
        assert_ne!(first, list.pick(0, &addrs));
        assert_eq!(list.pick(0, &[]), None);
    }
}
