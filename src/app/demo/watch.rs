//! What the nodes of a demo tell, put together.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::{Event, SeatAmount, SeatInfo};
use crate::rules::{Chips, Seat};

/// What all nodes have told so far.
pub(super) struct Watch {
    nodes: Vec<Told>,
    names: BTreeMap<Seat, String>,
    /// Each deal's time in milliseconds, as the first node measured it.
    pub(super) deal_ms: Vec<u64>,
    /// How many nodes are there from the beginning.
    first: usize,
    begun: bool,
}

/// What one node has told.
#[derive(Default)]
struct Told {
    found_by: BTreeSet<String>,
    stacks: BTreeMap<u64, BTreeMap<Seat, Chips>>,
}

/// Something worth doing or saying something about.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum News {
    /// The first node has opened its table.
    Table(String),
    /// The first hand begins.
    Begun,
    /// A hand is over.
    Hand {
        /// Its number.
        hand: u64,
        /// How long its last deal took.
        ms: u64,
        /// Who takes how much.
        winners: Vec<(String, Chips)>,
    },
    /// A node is in trouble.
    Trouble {
        /// What it says.
        message: String,
        /// What to do.
        advice: String,
    },
}

impl Watch {
    /// Nothing told yet; so many of the nodes are there from the beginning.
    pub(super) fn new(nodes: usize, first: usize) -> Self {
        Self {
            nodes: (0..nodes).map(|_| Told::default()).collect(),
            names: BTreeMap::new(),
            deal_ms: Vec::new(),
            first,
            begun: false,
        }
    }

    /// Takes in what a node told.
    pub(super) fn heard(&mut self, number: usize, event: Event) -> Option<News> {
        let told = self.nodes.get_mut(number)?;
        match &event {
            Event::Found { by, .. } => drop(told.found_by.insert(by.clone())),
            Event::Settled { hand, stacks, .. } => drop(told.stacks.insert(*hand, stacks.clone())),
            _ => {}
        }
        match event {
            Event::Error { message, advice, .. } => Some(News::Trouble { message, advice }),
            event if number == 0 => self.first_heard(event),
            _ => None,
        }
    }

    /// What the first node told: one view of what happens is enough to tell it again.
    fn first_heard(&mut self, event: Event) -> Option<News> {
        match event {
            Event::Table { id, seats, .. } => {
                self.name(&seats);
                Some(News::Table(id))
            }
            Event::Hand { seats, .. } => {
                self.name(&seats);
                (!std::mem::replace(&mut self.begun, true)).then_some(News::Begun)
            }
            Event::Dealt { ms, .. } => {
                self.deal_ms.push(ms);
                None
            }
            Event::Settled { hand, winners, .. } => {
                let ms = self.deal_ms.last().copied().unwrap_or(0);
                Some(News::Hand { hand, ms, winners: self.winners(&winners) })
            }
            _ => None,
        }
    }

    fn name(&mut self, seats: &[SeatInfo]) {
        self.names.extend(seats.iter().map(|seat| (seat.seat, seat.name.clone())));
    }

    fn winners(&self, winners: &[SeatAmount]) -> Vec<(String, Chips)> {
        let name = |seat: &Seat| self.names.get(seat).cloned().unwrap_or_else(|| seat.to_string());
        winners.iter().map(|won| (name(&won.seat), won.amount)).collect()
    }

    /// Whether cards have been played.
    pub(super) const fn begun(&self) -> bool {
        self.begun
    }

    /// Whether every node but the first has found somebody.
    pub(super) fn all_found(&self) -> bool {
        self.nodes.iter().take(self.first).skip(1).all(|told| !told.found_by.is_empty())
    }

    /// Whether any node found another in this way.
    pub(super) fn found_by(&self, way: &str) -> bool {
        self.nodes.iter().any(|told| told.found_by.contains(way))
    }

    /// The stacks after a hand as each node told them, in the order of the nodes.
    pub(super) fn stacks(&self, hand: u64) -> Vec<Option<&BTreeMap<Seat, Chips>>> {
        self.nodes.iter().map(|told| told.stacks.get(&hand)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(hand: u64) -> Event {
        Event::Settled {
            hand,
            stacks: BTreeMap::from([(Seat(0), 98), (Seat(1), 102)]),
            winners: vec![SeatAmount { seat: Seat(1), amount: 4 }],
            transcript: None,
        }
    }

    fn hand() -> Event {
        let info = |seat, name: &str| SeatInfo { seat: Seat(seat), name: name.into(), stack: 100 };
        Event::Hand {
            hand: 1,
            dealer: Seat(0),
            seats: vec![info(0, "Anna"), info(1, "Boris")],
            bank: 2,
        }
    }

    #[test]
    fn the_first_node_tells_the_story() {
        let mut watch = Watch::new(2, 2);
        assert_eq!(watch.heard(0, hand()), Some(News::Begun));
        assert_eq!(watch.heard(0, hand()), None);
        assert_eq!(watch.heard(0, Event::Dealt { hand: 1, ms: 30 }), None);
        assert_eq!(watch.heard(1, Event::Dealt { hand: 1, ms: 90 }), None);
        let news = News::Hand { hand: 1, ms: 30, winners: vec![("Boris".into(), 4)] };
        assert_eq!(watch.heard(0, settled(1)), Some(news));
        assert_eq!(watch.heard(1, settled(1)), None);
        assert_eq!(watch.deal_ms, [30]);
        assert!(watch.stacks(1).into_iter().all(|stacks| stacks.is_some()));
        assert!(watch.stacks(2).into_iter().all(|stacks| stacks.is_none()));
    }

    #[test]
    fn everybody_but_the_host_has_to_find_somebody() {
        let found =
            |by: &str| Event::Found { peer: "p".into(), by: by.into(), address: "a".into() };
        let mut watch = Watch::new(4, 3);
        assert_eq!(watch.heard(1, found("mdns")), None);
        assert!(!watch.all_found());
        assert_eq!(watch.heard(2, found("address")), None);
        assert!(watch.all_found() && watch.found_by("mdns") && !watch.found_by("beacon"));
        // A node that does not exist says nothing.
        assert_eq!(watch.heard(4, found("mdns")), None);
    }
}
