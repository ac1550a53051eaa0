//! Heartbeats, resending, and helping who is behind.

use super::{Table, TableWire, To};
use crate::event::{Event, WaitReason};
use crate::identity::PublicKey;
use crate::rules::Seat;
use crate::table::ledger::Stage;
use crate::table::limits;
use crate::table::message::{Body, Decided, Entry, Payload, Signed};

impl Table {
    /// A peer's heartbeat: what it lacks is sent to it.
    pub(super) fn status(&mut self, now: u64, from: PublicKey, body: &Body) {
        let Payload::Status { seq, height, state, deal, hears } = &body.payload else { return };
        let peer = self.peers.entry(body.author).or_default();
        if *seq <= peer.seq {
            return;
        }
        peer.seq = *seq;
        peer.height = *height;
        peer.hears = hears.iter().take(64).copied().collect();
        if self.answer_forked(now, from, *height) {
            return;
        }
        let seat = self.state.core().seat_of(&body.author);
        if let (Some(seat), Some(mine)) = (seat, self.state_before(*height)) {
            if mine == *state {
                self.differs.remove(&seat);
            } else {
                self.engine_differs(seat, height.saturating_sub(1));
            }
        }
        if from != body.author {
            return;
        }
        if seat.is_some_and(|s| self.differs.contains_key(&s)) {
            self.show_log(now, from, *height);
        }
        // Who has another result can make nothing of the entries that came after it.
        if *height < self.state.core().height && seat.is_none_or(|s| !self.differs.contains_key(&s))
        {
            self.help(now, body.author, *height);
        } else if *height > self.state.core().height {
            self.hurry_status(now, body.author);
        }
        if let (Some(theirs), Some(book)) = (deal, &self.book) {
            let lacking = book.lacking(theirs);
            let peer = self.peers.entry(body.author).or_default();
            if !lacking.is_empty()
                && now.saturating_sub(peer.deal_answered) >= limits::RESEND_MS / 2
            {
                peer.deal_answered = now;
                for part in lacking.chunks(8) {
                    self.send(To::One(body.author), &TableWire::Messages(part.to_vec()));
                }
            }
        }
    }

    /// The hash of the state before a height that is decided or open.
    pub(super) fn state_before(&self, height: u64) -> Option<crate::table::message::Hash> {
        if height == self.state.core().height {
            return Some(self.state.hash());
        }
        let place = usize::try_from(height.checked_sub(1)?).ok()?;
        crate::wire::decode::<Entry>(&self.log.get(place)?.entry).ok().map(|e| e.before)
    }

    /// Sends decided entries from a height on to somebody who is there.
    ///
    /// Who is one entry behind an entry that has just been decided is most likely about to decide it too.
    pub(super) fn help(&mut self, now: u64, to: PublicKey, height: u64) {
        let just_now = now.saturating_sub(self.last_decided) < limits::RESEND_MS;
        if just_now && height.saturating_add(1) == self.state.core().height {
            return;
        }
        let peer = self.peers.entry(to).or_default();
        // Who has taken what it was sent gets more at once, or it would never catch up with quick players.
        let further = height > peer.answered_from;
        let pause = if further { limits::CATCH_UP_MS } else { limits::RESEND_MS / 2 };
        if now.saturating_sub(peer.answered) < pause && peer.answered != 0 {
            return;
        }
        peer.answered = now.max(1);
        peer.answered_from = height;
        let Some(skip) = height.checked_sub(1).and_then(|h| usize::try_from(h).ok()) else {
            return;
        };
        let mut entries: Vec<Decided> = Vec::new();
        let mut bytes = 0usize;
        for decided in self.log.iter().skip(skip).take(limits::CATCH_UP) {
            let size = decided.entry.len()
                + decided.deal.iter().map(|m| m.bytes.len() + 80).sum::<usize>()
                + 2_000;
            if !entries.is_empty() && bytes + size > limits::CATCH_UP_BYTES {
                break;
            }
            bytes += size;
            entries.push((**decided).clone());
        }
        if !entries.is_empty() {
            self.send(To::One(to), &TableWire::Entries { from: height, entries });
        }
    }

    /// Tells one peer at once where this node is, at most every fifth of a second.
    pub(super) fn hurry_status(&mut self, now: u64, _to: PublicKey) {
        self.next_status = self.next_status.min(now.saturating_add(limits::RESEND_MS / 4));
    }

    fn status_message(&mut self) -> Option<Signed> {
        self.seq = self.seq.saturating_add(1);
        let now = self.last_call.unwrap_or(0);
        let core = self.state.core();
        let hears: Vec<Seat> = core
            .seats
            .iter()
            .filter(|(seat, s)| {
                core.seated(**seat)
                    && (s.player.key == self.me || self.hears_itself(now, &s.player.key))
            })
            .map(|(seat, _)| *seat)
            .collect();
        let deal = self.book.as_ref().map(crate::table::dealbook::DealBook::progress);
        let state = self.state.hash();
        Signed::new(
            &self.id,
            self.log_id,
            Payload::Status { seq: self.seq, height: core.height, state, deal, hears },
        )
        .ok()
    }

    /// Heartbeats and resending, when they are due.
    pub(super) fn periodic(&mut self, now: u64) {
        if self.repeat_fork(now) {
            return;
        }
        self.refresh_pool();
        let busy = self.joined
            || matches!(self.state.core().stage, Stage::Dealing { .. })
            || self.free_flying.is_some()
            || !self.pool.worth_resending().is_empty();
        if busy {
            self.next_status = self.next_status.min(now.saturating_add(limits::RESEND_MS));
        }
        if now >= self.next_status {
            self.next_status =
                now.saturating_add(if busy { limits::RESEND_MS } else { limits::STATUS_MS });
            if let Some(status) = self.status_message() {
                self.send(To::All, &TableWire::Messages(vec![status]));
            }
            self.tell_waiting(now);
        }
        if now >= self.next_resend {
            self.next_resend = now.saturating_add(limits::RESEND_MS);
            let messages = self.pool.worth_resending();
            for part in messages.chunks(8) {
                self.send(To::All, &TableWire::Messages(part.to_vec()));
            }
        }
    }

    /// Says when the table waits for so many that nothing can be decided, and when it does not any more.
    fn tell_waiting(&mut self, now: u64) {
        let waiting = if self.suspended(now) {
            let core = self.state.core();
            let missing: Vec<Seat> = core
                .voters()
                .into_iter()
                .filter(|(_, k)| *k != self.me && !self.hears(now, k))
                .map(|(s, _)| s)
                .collect();
            Some((missing, WaitReason::Quorum))
        } else if self.state.core().stage == Stage::Idle && self.state.core().next_start().is_none()
        {
            Some((Vec::new(), WaitReason::Players))
        } else {
            None
        };
        if waiting != self.waiting {
            let stood = matches!(self.waiting, Some((_, WaitReason::Quorum)));
            match &waiting {
                Some((seats, why)) => {
                    self.emit(Event::Waiting { seats: seats.clone(), why: *why });
                }
                // Clocks run again: whoever is to act has to know.
                None if stood => {
                    self.silent.clear();
                    self.emit(Event::Waiting { seats: Vec::new(), why: WaitReason::Unheard });
                }
                None => {}
            }
            self.waiting = waiting;
        }
        self.tell_silent(now);
    }

    /// Says whose programs are not heard any more, while the table can still do without them.
    fn tell_silent(&mut self, now: u64) {
        if self.suspended(now) || self.catching_up.is_some() || self.seat().is_none() {
            return;
        }
        let unheard = |key: &PublicKey| {
            self.peers.get(key).is_some_and(|peer| {
                now.saturating_sub(peer.silent_from) >= limits::HEARD_MS && !self.hears(now, key)
            })
        };
        let seats = self.state.core().seats.iter();
        let silent: Vec<Seat> = seats
            .filter(|(_, s)| s.presence.is_here())
            .filter(|(_, s)| s.player.key != self.me && unheard(&s.player.key))
            .map(|(seat, _)| *seat)
            .collect();
        if silent != self.silent {
            // Who is lost meanwhile was told of.
            let fresh = silent.iter().any(|seat| !self.silent.contains(seat));
            if fresh || silent.is_empty() {
                self.emit(Event::Waiting { seats: silent.clone(), why: WaitReason::Unheard });
            }
            self.silent = silent;
        }
    }
}
