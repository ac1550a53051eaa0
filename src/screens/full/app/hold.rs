//! The end of a hand stays on the table for a moment. What is told meanwhile waits, so that the cards of
//! the next hand do not push it away before it was read.

use std::collections::VecDeque;

use super::{App, Effect};
use crate::event::{Event, OfferKind};

/// Milliseconds for which the end of a hand stays, where cards were shown.
const SHOWN_MS: u64 = 4_000;
/// The same where nobody had to show any.
const UNSHOWN_MS: u64 = 2_000;
/// The most events that wait.
const MOST: usize = 512;

/// What waits for the end of a hand to be read.
#[derive(Debug, Clone, Default)]
pub(super) struct Hold {
    until: Option<u64>,
    /// Each with the time at which it was heard.
    waiting: VecDeque<(u64, Box<Event>)>,
    /// The node has ended meanwhile, and what went wrong, if anything did.
    ended: Option<Option<String>>,
}

impl Hold {
    /// Until when it lasts, where it does.
    pub(super) const fn until(&self) -> Option<u64> {
        self.until
    }
}

impl App {
    /// Is the end of a hand being read?
    pub(in crate::screens::full) const fn is_held(&self) -> bool {
        self.hold.until.is_some()
    }

    /// Seconds until the next hand is shown by itself, while the end of one is read.
    pub(in crate::screens::full) fn held_seconds(&self) -> Option<u64> {
        self.hold.until.map(|until| self.seconds_to(until))
    }

    /// The table tells something: it is shown now, or when the end of the hand before was read.
    pub(super) fn hear(&mut self, event: Box<Event>) -> Vec<Effect> {
        if self.is_held() && !is_urgent(&event) {
            self.hold.waiting.push_back((self.now, event));
            return if self.hold.waiting.len() > MOST { self.release() } else { Vec::new() };
        }
        let played = self.sight.paid > 0;
        let effects = self.event(self.now, &event);
        // Who only looks on is not held up: hands could come faster than they are read.
        if let Event::Settled { .. } = *event
            && played
        {
            let long = if self.sight.shown.is_empty() { UNSHOWN_MS } else { SHOWN_MS };
            self.hold.until = Some(self.now.saturating_add(long));
        }
        effects
    }

    /// The node has ended. The last hand is read like any other, unless its player has left.
    pub(super) fn end(&mut self, problem: Option<String>) -> Vec<Effect> {
        if self.is_held() && !self.leaving {
            self.hold.ended = Some(problem);
            return Vec::new();
        }
        self.ended(problem)
    }

    /// Goes on where the time to read is over.
    pub(super) fn release_if_over(&mut self) -> Vec<Effect> {
        match self.hold.until {
            Some(until) if self.now >= until => self.release(),
            _ => Vec::new(),
        }
    }

    /// Goes on: everything that has waited is shown.
    pub(super) fn release(&mut self) -> Vec<Effect> {
        self.hold.until = None;
        self.sight.put_away();
        let waiting = std::mem::take(&mut self.hold.waiting);
        let mut effects: Vec<Effect> =
            waiting.into_iter().flat_map(|(heard, event)| self.event(heard, &event)).collect();
        if let Some(problem) = self.hold.ended.take() {
            effects.extend(self.ended(problem));
        }
        effects
    }
}

/// What is shown at once, because it is about the players and not about the next hand.
const fn is_urgent(event: &Event) -> bool {
    matches!(
        event,
        Event::Say { .. }
            | Event::Error { .. }
            | Event::Fault { .. }
            | Event::Away { .. }
            | Event::Back { .. }
            | Event::Closed { .. }
            | Event::Offer {
                kind: OfferKind::Admit | OfferKind::Unfreeze | OfferKind::Rules | OfferKind::Divide,
                ..
            }
    )
}
