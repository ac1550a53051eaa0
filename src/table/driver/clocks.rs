//! The clocks of the steps that are open, as this node saw them begin.

use std::collections::BTreeMap;

use super::{StepKey, Table};
use crate::rules::Seat;
use crate::table::ledger::Owed;
use crate::table::limits;
use crate::table::message::{DealPart, Payload, StepId};

/// When each open step began and how long it may take, in milliseconds.
#[derive(Default)]
pub(super) struct Clocks {
    running: BTreeMap<(Seat, StepId), (u64, u64)>,
}

impl Clocks {
    /// Starts clocks for what is newly owed and drops those of what is not owed any more.
    pub(super) fn follow(&mut self, now: u64, owed: &[Owed]) {
        let mut running = BTreeMap::new();
        for o in owed {
            let key = (o.seat, o.step);
            let since = self.running.get(&key).map_or(now, |(since, _)| *since);
            running.insert(key, (since, o.limit_ms));
        }
        self.running = running;
    }

    /// All clocks start again.
    pub(super) fn restart(&mut self, now: u64) {
        for (since, _) in self.running.values_mut() {
            *since = now;
        }
    }

    /// All clocks stand still for so many milliseconds.
    pub(super) fn hold(&mut self, gap: u64) {
        for (since, _) in self.running.values_mut() {
            *since = since.saturating_add(gap);
        }
    }

    /// Whether a step's time, and the voters' grace, is over.
    pub(super) fn over(&self, now: u64, seat: Seat, step: StepId) -> bool {
        self.running.get(&(seat, step)).is_some_and(|(since, limit)| {
            now >= since.saturating_add(*limit).saturating_add(limits::GRACE_MS)
        })
    }

    /// Whether a step's time, and the voters' grace, is over in a moment.
    fn over_soon(&self, now: u64, seat: Seat, step: StepId) -> bool {
        self.over(now.saturating_add(limits::SOON_MS), seat, step)
    }

    /// Milliseconds left of a step, without the grace.
    pub(super) fn left(&self, now: u64, seat: Seat, step: StepId) -> Option<u64> {
        self.running
            .get(&(seat, step))
            .map(|(since, limit)| since.saturating_add(*limit).saturating_sub(now))
    }

    /// When the next clock runs out, of those that run.
    pub(super) fn next_after(&self, now: u64) -> Option<u64> {
        self.running
            .values()
            .map(|(since, limit)| since.saturating_add(*limit).saturating_add(limits::GRACE_MS))
            .filter(|at| *at > now)
            .min()
    }

    fn over_all(&self, now: u64) -> Vec<(Seat, StepId)> {
        self.running
            .iter()
            .filter(|(_, (since, limit))| {
                now >= since.saturating_add(*limit).saturating_add(limits::GRACE_MS)
            })
            .map(|(key, _)| *key)
            .collect()
    }
}

impl Table {
    /// Whether fewer than a quorum are heard: then no clock runs.
    pub(super) fn suspended(&self, now: u64) -> bool {
        let core = self.state.core();
        let heard =
            core.voters().iter().filter(|(_, key)| *key == self.me || self.hears(now, key)).count();
        heard < crate::table::agreement::quorum(core.electorate.len())
    }

    pub(super) fn hears(&self, now: u64, key: &crate::identity::PublicKey) -> bool {
        self.peers
            .get(key)
            .and_then(|p| p.heard)
            .is_some_and(|heard| now.saturating_sub(heard) < limits::HEARD_MS)
    }

    /// Whether a peer is heard without anybody's help.
    pub(super) fn hears_itself(&self, now: u64, key: &crate::identity::PublicKey) -> bool {
        self.peers
            .get(key)
            .and_then(|p| p.direct)
            .is_some_and(|heard| now.saturating_sub(heard) < limits::HEARD_MS)
    }

    /// Whether this node finds that a seat is absent in a step: its clock has run out here, and no
    /// answer of that seat is held.
    pub(super) fn finds_absent(&mut self, now: u64, seat: Seat, step: StepId) -> bool {
        if self.suspended(now) {
            return false;
        }
        match step {
            StepId::Deal { part, after, .. } => self.deal_clock_over(now, seat, part, after),
            StepId::Unheard { .. } => {
                let Some(key) = self.state.core().key_of(seat) else { return false };
                key != self.me
                    && self
                        .peers
                        .get(&key)
                        .is_some_and(|p| now.saturating_sub(p.silent_from) >= limits::UNHEARD_MS)
            }
            _ => self.clocks.over(now, seat, step) && !self.pool_answers(seat),
        }
    }

    /// Whether this node will find a seat absent in a moment, if that does not answer.
    pub(super) fn absent_soon(&mut self, now: u64, seat: Seat, step: StepId) -> bool {
        let soon = now.saturating_add(limits::SOON_MS);
        !self.suspended(now)
            && match step {
                StepId::Deal { part, after, .. } => self.deal_clock_over(soon, seat, part, after),
                StepId::Unheard { .. } => false,
                _ => self.clocks.over_soon(now, seat, step) && !self.pool_answers(seat),
            }
    }

    fn deal_clock_over(&self, now: u64, seat: Seat, part: DealPart, after: [u8; 32]) -> bool {
        let Some(book) = &self.book else { return false };
        if !book.due().iter().any(|(s, p, a)| (*s, *p, *a) == (seat, part, after)) {
            return false;
        }
        if book.false_parts.contains_key(&seat) {
            return true;
        }
        let limit = match part {
            // The cut is a person's.
            DealPart::Cut => self.state.core().terms.think_ms.max(limits::MACHINE_MS),
            _ => limits::MACHINE_MS,
        };
        now >= book.since.saturating_add(limit).saturating_add(limits::GRACE_MS)
    }

    /// Says who is absent, once for each step. True when something was said.
    pub(super) fn accuse(&mut self, now: u64) -> bool {
        let Some(me) = self.seat() else { return false };
        if !self.state.core().electorate.contains(&me) || self.suspended(now) {
            return false;
        }
        let mut absent: Vec<(Seat, StepId)> = self.clocks.over_all(now);
        if let (Some(book), crate::table::ledger::Stage::Dealing { deal, .. }) =
            (&self.book, &self.state.core().stage)
        {
            let deal = *deal;
            absent.extend(
                book.due()
                    .into_iter()
                    .map(|(s, part, after)| (s, StepId::Deal { deal, part, after })),
            );
        }
        let core = self.state.core();
        let finished = core.finished;
        absent.extend(
            core.seats
                .iter()
                .filter(|(_, s)| s.presence.is_here())
                .map(|(seat, s)| (*seat, StepId::Unheard { finished, returns: s.returns })),
        );
        let mut said = false;
        for (seat, step) in absent {
            let key = (StepKey::Absent(step), seat);
            if self.own.contains_key(&key) || !self.finds_absent(now, seat, step) {
                continue;
            }
            said |= self.say_own(now, key, Payload::Absent { step, seat });
        }
        said
    }
}
