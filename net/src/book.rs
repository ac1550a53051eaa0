//! Who may be where, and when to dial whom. Pure: time is an argument.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::addr::dialable;
use crate::event::FoundBy;
use crate::limits::{
    FORGET, MAX_ADDRS_PER_PEER, MAX_KNOWN_PEERS, POLITE_WAIT, REDIAL_MAX, REDIAL_MIN,
};
use crate::peer::PeerKey;

/// Dials of one peer at a time: a new address need not wait for an old one's time-out.
const MAX_DIALS_PER_PEER: u8 = 3;
/// Not seen for this long, an address that is seen again counts as new.
const REDISCOVERED: Duration = Duration::from_secs(4);

#[derive(Debug, Clone)]
struct Place {
    addr: SocketAddr,
    by: FoundBy,
    seen: Instant,
}

#[derive(Debug, Clone)]
struct Entry {
    places: Vec<Place>,
    /// Named by a roster or typed: never forgotten, let into a full node.
    pinned: bool,
    failures: u32,
    next: Instant,
    dialing: u8,
    /// An address came that the dials under way do not try.
    fresh: bool,
}

/// The address book.
#[derive(Debug)]
pub(crate) struct Book {
    me: PeerKey,
    entries: BTreeMap<PeerKey, Entry>,
}

impl Book {
    pub fn new(me: PeerKey) -> Self {
        Self { me, entries: BTreeMap::new() }
    }

    /// How long to leave the dialling to the other.
    fn politeness(&self, peer: PeerKey) -> Duration {
        if self.me < peer { Duration::ZERO } else { POLITE_WAIT }
    }

    /// Notes addresses; returns those that are new, or seen again after a while.
    pub fn learn(
        &mut self,
        peer: PeerKey,
        addrs: &[SocketAddr],
        by: FoundBy,
        now: Instant,
    ) -> Vec<SocketAddr> {
        if peer == self.me || !self.make_room(peer, by) {
            return Vec::new();
        }
        let wait = self.politeness(peer);
        let entry = self.entries.entry(peer).or_insert_with(|| Entry {
            places: Vec::new(),
            pinned: false,
            failures: 0,
            next: now + wait,
            dialing: 0,
            fresh: true,
        });
        entry.pinned |= is_pinned(by);
        let mut new = Vec::new();
        for addr in addrs.iter().filter(|a| dialable(a)) {
            if let Some(place) = entry.places.iter_mut().find(|p| p.addr == *addr) {
                let again = now.saturating_duration_since(place.seen) > REDISCOVERED;
                place.seen = now;
                if again {
                    new.push(*addr);
                }
                continue;
            }
            if entry.places.len() >= MAX_ADDRS_PER_PEER {
                let oldest =
                    entry.places.iter().enumerate().min_by_key(|(_, p)| p.seen).map(|(i, _)| i);
                oldest.map(|i| entry.places.swap_remove(i));
            }
            entry.places.push(Place { addr: *addr, by, seen: now });
            new.push(*addr);
        }
        if !new.is_empty() {
            entry.failures = 0;
            entry.next = entry.next.min(now + wait);
            entry.fresh = true;
        }
        new
    }

    /// Makes room for one more peer, at the cost of one that was only discovered.
    fn make_room(&mut self, peer: PeerKey, by: FoundBy) -> bool {
        if self.entries.contains_key(&peer) || self.entries.len() < MAX_KNOWN_PEERS {
            return true;
        }
        if !is_pinned(by) {
            // Whoever floods the network with names does not push out those that were here before.
            return false;
        }
        let victim =
            self.entries.iter().find(|(_, e)| !e.pinned && e.dialing == 0).map(|(peer, _)| *peer);
        victim.is_some_and(|victim| self.entries.remove(&victim).is_some())
    }

    /// How an address of a peer became known.
    pub fn by(&self, peer: PeerKey, addr: SocketAddr) -> Option<FoundBy> {
        let places = &self.entries.get(&peer)?.places;
        places.iter().find(|p| p.addr == addr).or(places.first()).map(|p| p.by)
    }

    pub fn is_pinned(&self, peer: PeerKey) -> bool {
        self.entries.get(&peer).is_some_and(|e| e.pinned)
    }

    /// Peers to be dialled now, with their addresses, the latest seen first. `wanted` says whom a link is missing to.
    pub fn due(
        &mut self,
        now: Instant,
        wanted: impl Fn(PeerKey) -> bool,
    ) -> Vec<(PeerKey, Vec<SocketAddr>)> {
        let mut due = Vec::new();
        for (peer, entry) in &mut self.entries {
            let free = entry.dialing == 0 || (entry.fresh && entry.dialing < MAX_DIALS_PER_PEER);
            if !free || entry.next > now || entry.places.is_empty() || !wanted(*peer) {
                continue;
            }
            entry.dialing += 1;
            entry.fresh = false;
            entry.next = now + backoff(entry.failures);
            entry.places.sort_by_key(|p| std::cmp::Reverse(p.seen));
            due.push((*peer, entry.places.iter().map(|p| p.addr).collect()));
        }
        due
    }

    /// A dial ended, one way or the other.
    pub fn dial_ended(&mut self, peer: PeerKey) {
        if let Some(entry) = self.entries.get_mut(&peer) {
            entry.dialing = entry.dialing.saturating_sub(1);
        }
    }

    /// No link came of it.
    pub fn failed(&mut self, peer: PeerKey, now: Instant) {
        if let Some(entry) = self.entries.get_mut(&peer) {
            entry.failures = entry.failures.saturating_add(1);
            entry.next = entry.next.max(now + backoff(entry.failures));
        }
    }

    /// A link is up; the next loss starts from the beginning.
    pub fn connected(&mut self, peer: PeerKey) {
        if let Some(entry) = self.entries.get_mut(&peer) {
            entry.failures = 0;
        }
    }

    /// The last link is gone, or doubted: dial soon.
    pub fn lost(&mut self, peer: PeerKey, now: Instant) {
        let wait = self.politeness(peer);
        if let Some(entry) = self.entries.get_mut(&peer) {
            entry.failures = 0;
            entry.next = now + wait;
            entry.fresh = true;
            // They were good until now, however long ago they were discovered.
            entry.places.iter_mut().for_each(|p| p.seen = now);
        }
    }

    /// Somebody else is at this address. The others are tried at once.
    pub fn wrong(&mut self, peer: PeerKey, addr: SocketAddr, now: Instant) {
        if let Some(entry) = self.entries.get_mut(&peer) {
            entry.places.retain(|p| p.addr != addr);
            entry.next = now;
        }
    }

    /// Drops addresses that were not seen for long, and peers without any.
    pub fn prune(&mut self, now: Instant, connected: impl Fn(PeerKey) -> bool) {
        self.entries.retain(|peer, entry| {
            if entry.pinned || entry.dialing > 0 || connected(*peer) {
                return true;
            }
            entry.places.retain(|p| now.saturating_duration_since(p.seen) < FORGET);
            !entry.places.is_empty()
        });
    }

    pub fn forget(&mut self, peer: PeerKey) {
        self.entries.remove(&peer);
    }
}

fn is_pinned(by: FoundBy) -> bool {
    matches!(by, FoundBy::Typed | FoundBy::Roster)
}

/// How long to wait after so many failures.
pub(crate) fn backoff(failures: u32) -> Duration {
    REDIAL_MIN.saturating_mul(1 << failures.min(8)).min(REDIAL_MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SMALL: PeerKey = PeerKey([1; 32]);
    const LARGE: PeerKey = PeerKey([2; 32]);

    fn addr(port: u16) -> SocketAddr {
        SocketAddr::from(([10, 0, 0, 1], port))
    }

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn the_smaller_dials_first() {
        let now = Instant::now();
        let mut small = Book::new(SMALL);
        let mut large = Book::new(LARGE);
        small.learn(LARGE, &[addr(1)], FoundBy::Mdns, now);
        large.learn(SMALL, &[addr(2)], FoundBy::Mdns, now);
        assert_eq!(small.due(now, |_| true), [(LARGE, vec![addr(1)])]);
        assert!(large.due(now + ms(1400), |_| true).is_empty());
        assert_eq!(large.due(now + ms(1500), |_| true), [(SMALL, vec![addr(2)])]);
    }

    #[test]
    fn failures_wait_and_a_new_address_does_not() {
        let now = Instant::now();
        let mut book = Book::new(SMALL);
        book.learn(LARGE, &[addr(1)], FoundBy::Mdns, now);
        for _ in 0..9 {
            book.due(now, |_| true);
            book.dial_ended(LARGE);
            book.failed(LARGE, now);
        }
        assert!(book.due(now + ms(4900), |_| true).is_empty());
        assert!(
            book.learn(LARGE, &[addr(1)], FoundBy::Mdns, now + ms(1000)).is_empty(),
            "nothing new"
        );
        assert_eq!(book.learn(LARGE, &[addr(2)], FoundBy::Mdns, now + ms(1000)), [addr(2)]);
        assert_eq!(book.due(now + ms(1000), |_| true).len(), 1);
    }

    #[test]
    fn a_new_address_does_not_wait_for_a_dial_under_way() {
        let now = Instant::now();
        let mut book = Book::new(SMALL);
        book.learn(LARGE, &[addr(1)], FoundBy::Mdns, now);
        assert_eq!(book.due(now, |_| true).len(), 1);
        assert_eq!(book.due(now + ms(9000), |_| true).len(), 0, "still dialling");
        book.learn(LARGE, &[addr(2)], FoundBy::Beacon, now + ms(9000));
        assert_eq!(book.due(now + ms(9000), |_| true).len(), 1);
    }

    #[test]
    fn wrong_and_old_addresses_go() {
        let now = Instant::now();
        let mut book = Book::new(SMALL);
        book.learn(LARGE, &[addr(1), addr(2)], FoundBy::Mdns, now);
        book.wrong(LARGE, addr(1), now);
        assert_eq!(book.due(now, |_| true), [(LARGE, vec![addr(2)])]);
        book.dial_ended(LARGE);
        book.prune(now + FORGET, |_| false);
        assert!(book.due(now + FORGET, |_| true).is_empty());
    }

    #[test]
    fn bounds() {
        let now = Instant::now();
        let mut book = Book::new(SMALL);
        let many: Vec<_> = (1..100).map(addr).collect();
        book.learn(LARGE, &many, FoundBy::Mdns, now);
        assert_eq!(book.due(now, |_| true).first().unwrap().1.len(), MAX_ADDRS_PER_PEER);
        for i in 0..1000_u16 {
            let mut key = [3; 32];
            key[..2].copy_from_slice(&i.to_be_bytes());
            book.learn(PeerKey(key), &[addr(1)], FoundBy::Beacon, now);
        }
        assert_eq!(book.entries.len(), MAX_KNOWN_PEERS);
        book.learn(PeerKey([4; 32]), &[addr(1)], FoundBy::Roster, now);
        assert!(book.is_pinned(PeerKey([4; 32])), "a roster makes room");
        assert_eq!(book.entries.len(), MAX_KNOWN_PEERS);
    }
}
