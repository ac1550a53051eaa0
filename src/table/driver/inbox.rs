//! What comes in from peers: decoded, bounded, checked, and put where it belongs.

use super::{Peer, Table, TableWire, To};
use crate::event::Event;
use crate::identity::PublicKey;
use crate::table::agreement;
use crate::table::dealbook::Offered;
use crate::table::ledger::DealError;
use crate::table::limits;
use crate::table::message::{Body, Free, Payload, Proof, Signed};
use crate::wire;

impl Table {
    pub(super) fn receive(&mut self, now: u64, from: PublicKey, bytes: &[u8]) {
        let peer = self.peers.entry(from).or_default();
        peer.heard = Some(now);
        peer.up = true;
        let Ok(message) = wire::decode::<TableWire>(bytes) else { return };
        match message {
            TableWire::Agreement { height, bytes } => self.agreement_message(now, from, height, bytes),
            TableWire::Messages(messages) => {
                for message in messages.into_iter().take(limits::DEAL_MESSAGES) {
                    self.signed_message(now, Some(from), message);
                }
            }
            TableWire::Entries { from: first, entries } => self.entries(now, first, entries),
        }
    }

    pub(super) fn peer(&mut self, now: u64, key: PublicKey, up: bool) {
        if self.peers.len() >= 256 && !self.peers.contains_key(&key) {
            return;
        }
        let peer: &mut Peer = self.peers.entry(key).or_default();
        peer.up = up;
        if up {
            peer.heard = Some(now);
            peer.answered = 0;
            self.next_status = now;
        }
    }

    /// Takes a signed message from anybody. Its author counts as heard.
    fn signed_message(&mut self, now: u64, from: Option<PublicKey>, message: Signed) {
        let id = message.id();
        if self.seen.contains(&id) {
            return;
        }
        let Ok(body) = self.checks.open(&message, self.log_id) else { return };
        if self.seen.len() >= limits::REMEMBERED {
            self.seen.clear();
        }
        self.seen.insert(id);
        let core = self.state.core();
        let known = core.seat_of(&body.author).is_some();
        if known && body.author != self.me {
            self.peers.entry(body.author).or_default().heard = Some(now);
        }
        let relay = from.is_some() && known && self.needs_relay();
        match &body.payload {
            Payload::Status { .. } => self.status(now, from, &body),
            Payload::Say { .. } => self.said(&body),
            Payload::Key { .. } | Payload::Shuffle { .. } | Payload::Cut { .. } | Payload::Final { .. } => {
                if !self.deal_message(now, &message, &body) && known && self.early_deal.len() < limits::DEAL_MESSAGES {
                    // It may belong to the attempt that others have begun already.
                    self.early_deal.push((message.clone(), body));
                }
            }
            _ => {
                let height = core.height;
                self.pool.insert(message.clone(), body, height);
            }
        }
        if relay && let Some(from) = from {
            self.relay(from, &TableWire::Messages(vec![message]));
        }
    }

    /// False when the message is not for the deal that is open now.
    pub(super) fn deal_message(&mut self, now: u64, message: &Signed, body: &Body) -> bool {
        let mut rng = self.rng();
        let Some(book) = &mut self.book else { return false };
        let offered = book.offer(now, message, body, &mut rng);
        let fresh: Vec<_> = std::mem::take(&mut book.fresh_shuffles);
        if let Some(deal) = book.deal().cloned() {
            self.checks.know_deal(deal);
        }
        for (seat, ms) in fresh {
            self.emit(Event::Shuffled { seat, ms });
        }
        match offered {
            Ok(Offered::Foreign) => return false,
            Ok(Offered::Twice(first)) => self.prove_twice(*first, message.clone()),
            Ok(Offered::New | Offered::Known | Offered::Early) | Err(DealError::Order { .. } | DealError::Keys(_) | DealError::Plan(_)) => {}
            Err(DealError::False { seat, .. }) => {
                self.emit(Event::Fault { seat, kind: crate::event::FaultKind::FalseProof, evidence: None });
            }
        }
        self.retry_verdicts(now);
        true
    }

    fn prove_twice(&mut self, first: Signed, second: Signed) {
        self.accuse_with(Proof::TwoDealMessages { first, second });
    }

    /// Puts evidence on its way into the log, once for each accused.
    pub(super) fn accuse_with(&mut self, proof: Proof) {
        let Ok((seat, _)) = crate::table::evidence::accused(&proof, self.state.core()) else { return };
        let frozen = |s: &crate::table::ledger::SeatState| s.presence == crate::table::ledger::Presence::Frozen;
        let known = self.state.core().seats.get(&seat).is_none_or(frozen)
            || self.frees.iter().any(|f| matches!(f, Free::Evidence(p) if crate::table::evidence::accused(p, self.state.core()).is_ok_and(|(s, _)| s == seat)));
        if !known && Some(seat) != self.seat() {
            self.frees.push_back(Free::Evidence(Box::new(proof)));
        }
    }

    fn said(&mut self, body: &Body) {
        let Payload::Say { seq, text } = &body.payload else { return };
        let Some(seat) = self.state.core().seat_of(&body.author) else { return };
        let peer = self.peers.entry(body.author).or_default();
        // Lines are numbered, so that a relayed or repeated one is shown once.
        if *seq <= peer.said || text.len() > limits::CHAT_BYTES {
            return;
        }
        peer.said = *seq;
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        self.emit(Event::Say { seat, text });
    }

    /// Not everybody hears everybody: then whoever sees something first passes it on.
    fn needs_relay(&self) -> bool {
        let core = self.state.core();
        let voters = core.voters();
        voters.iter().any(|(seat, key)| {
            *key != self.me
                && self.peers.get(key).is_none_or(|p| {
                    !p.up || voters.iter().any(|(other, k)| other != seat && *k != self.me && !p.hears.contains(other))
                })
        })
    }

    fn relay(&mut self, from: PublicKey, message: &TableWire) {
        let others: Vec<PublicKey> =
            self.peers.iter().filter(|(k, p)| **k != from && p.up).map(|(k, _)| *k).collect();
        for key in others {
            self.send(To::One(key), message);
        }
    }

    fn agreement_message(&mut self, now: u64, from: PublicKey, height: u64, bytes: Vec<u8>) {
        let open = self.state.core().height;
        if height == open {
            let id = wire::hash("agreement seen", &[&bytes]);
            let fresh = self.seen.insert(id);
            // What is resent goes in again: the agreement itself knows what it holds.
            let good = self.agreement_input(now, agreement::Input::Message(bytes.clone()));
            if fresh && good && self.needs_relay() {
                self.relay(from, &TableWire::Agreement { height, bytes });
            }
        } else if height > open {
            if height == open.saturating_add(1) && self.ahead.len() < limits::AHEAD {
                self.ahead.push((height, bytes));
            }
            // Somebody is further: say where we are, and it will send what we lack.
            self.hurry_status(now, from);
        } else {
            if height.saturating_add(1) == open
                && let Some(earlier) = &mut self.earlier
                && let Some(evidence) = earlier.late_message(&bytes)
            {
                self.accuse_with(Proof::Agreement(evidence));
            }
            self.help(now, from, height);
        }
    }
}
