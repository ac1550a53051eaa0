//! Closing a table that can decide nothing: a signed claim outside the log. When its players meet again the
//! hand goes on where it stood; until then its bank is part of no stack.

use super::{Output, Record, Table, TableWire, To, error};
use crate::event::Event;
use crate::rules::Seat;
use crate::table::message::{Body, Free, Payload, Proof, Signed};
use crate::table::{limits, transcript};
use crate::wire;

impl Table {
    /// Whether this node has closed the table, and nothing was decided since.
    #[must_use]
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// The player closes the table. Refused while a quorum is there, for that can decide.
    pub(super) fn close(&mut self, now: u64, me: Seat) {
        if self.halted || !self.suspended(now) {
            self.emit(error("not-closable", "the table can still decide"));
            return;
        }
        if self.closed {
            return;
        }
        let core = self.state.core();
        let missing = core
            .voters()
            .into_iter()
            .filter(|(_, key)| *key != self.me && !self.hears(now, key))
            .map(|(seat, _)| seat)
            .collect();
        let (height, bank, hand) =
            (core.height, core.game.bank(), core.hand().unwrap_or(core.hands));
        let payload = Payload::Close {
            height,
            state: self.state.hash(),
            missing,
            bank,
            evidence: self.evidence_at_hand(),
        };
        let Ok(claim) = Signed::new(&self.id, self.log_id, payload) else { return };
        self.persist(Record::Own(claim.clone()));
        self.send(To::All, &TableWire::Messages(vec![claim.clone()]));
        self.closed = true;
        self.write_claim(hand, &claim);
        self.emit(Event::Closed { seat: me, bank });
    }

    /// Proofs that did not come into the log any more, as many as a message holds.
    fn evidence_at_hand(&mut self) -> Vec<Proof> {
        let flying = self.free_flying.and_then(|(_, id)| self.pool.get(&id));
        let flying = flying.and_then(|pending| match &pending.body.payload {
            Payload::Free { free, .. } => Some(free),
            _ => None,
        });
        let mut room = limits::MESSAGE_BYTES / 2;
        let (state, checks) = (&self.state, &mut self.checks);
        let proofs = flying.into_iter().chain(&self.frees).filter_map(|free| match free {
            Free::Evidence(proof) => Some((**proof).clone()),
            _ => None,
        });
        // A step may have been answered since by what was true.
        proofs
            .filter(|proof| state.accused(proof, checks).is_ok())
            .take_while(|proof| {
                let size = wire::encode(proof).map_or(usize::MAX, |bytes| bytes.len());
                let fits = size <= room;
                room = room.saturating_sub(size);
                fits
            })
            .take(limits::CLAIM_PROOFS)
            .collect()
    }

    /// The hand as far as it went, with the claim, as a file that proves itself.
    fn write_claim(&mut self, hand: u64, claim: &Signed) {
        let (core, entries) = (&self.hand_start.0, self.entries_of_hand());
        match transcript::write_claim(&self.id, &self.founded, core, hand, &entries, claim) {
            Ok(bytes) => {
                self.outputs.push_back(Output::File { name: format!("{hand:04}.closed"), bytes })
            }
            Err(e) => self.emit(error("transcript", &e.to_string())),
        }
    }

    /// Somebody else closes: told when it stood where this node stands. What it proves is looked at.
    pub(super) fn closed_by(&mut self, body: Body) {
        let Payload::Close { height, state, bank, evidence, .. } = body.payload else { return };
        let core = self.state.core();
        let Some(seat) = core.seat_of(&body.author).filter(|_| body.author != self.me) else {
            return;
        };
        for proof in evidence.into_iter().take(limits::CLAIM_PROOFS) {
            self.accuse_with(proof);
        }
        if self.state_before(height) == Some(state)
            && self.closes.insert(seat, height) != Some(height)
        {
            self.emit(Event::Closed { seat, bank });
        }
    }
}
