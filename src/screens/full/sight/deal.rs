//! The deal that is under way.

use crate::rules::Seat;

/// What is known of the deal that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::screens::full) struct Deal {
    /// Everybody who shuffles, in order.
    pub(in crate::screens::full) order: Vec<Seat>,
    /// Who has.
    pub(in crate::screens::full) shuffled: Vec<(Seat, u64)>,
    /// How long the deal of this hand took, once it is decided.
    pub(in crate::screens::full) done: Option<u64>,
    /// Were the shuffles made for a deal that is still to come? Decks are prepared early.
    pub(in crate::screens::full) ahead: bool,
}

impl Deal {
    /// Who is shuffling now.
    pub(in crate::screens::full) fn now(&self) -> Option<Seat> {
        self.order.iter().copied().find(|seat| !self.shuffled.iter().any(|(who, _)| who == seat))
    }

    /// Somebody is dealt in besides.
    pub(in crate::screens::full) fn enter(&mut self, seat: Seat) {
        let Some(first) = self.order.first().copied() else { return };
        if !self.order.contains(&seat) {
            self.order.push(seat);
            self.order.sort_unstable_by_key(|seat| (*seat < first, *seat));
        }
    }

    /// Somebody has shuffled.
    pub(in crate::screens::full) fn add(&mut self, seat: Seat, ms: u64) {
        if !self.ahead {
            self.shuffled.clear();
        }
        self.ahead = true;
        self.enter(seat);
        self.shuffled.push((seat, ms));
    }

    /// These are dealt in, and nothing is decided yet.
    pub(in crate::screens::full) fn begin(&mut self, order: Vec<Seat>) {
        self.order = order;
        self.done = None;
        if !self.ahead {
            self.shuffled.clear();
        }
    }
}
