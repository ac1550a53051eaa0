//! What comes in from peers: decoded, bounded, checked, and put where it belongs.

use super::{Peer, Table, TableWire, To};
use crate::event::Event;
use crate::identity::PublicKey;
use crate::table::agreement;
use crate::table::dealbook::{DealProgress, Offered};
use crate::table::evidence;
use crate::table::ledger::{DealError, Presence, SeatState};
use crate::table::limits;
use crate::table::message::{Body, Free, Hash, Payload, Proof, Signed};
use crate::wire;

impl Table {
    pub(super) fn receive(&mut self, now: u64, from: PublicKey, bytes: &[u8]) {
        if !self.room_for_peer(&from) {
            return;
        }
        let peer = self.peers.entry(from).or_default();
        peer.hear(now);
        peer.direct = Some(now);
        peer.up = true;
        let Ok(message) = wire::decode::<TableWire>(bytes) else { return };
        match message {
            TableWire::Agreement { height, bytes } => {
                self.agreement_message(now, from, height, bytes)
            }
            TableWire::Messages(messages) => {
                for message in messages.into_iter().take(limits::DEAL_MESSAGES) {
                    self.signed_message(now, from, message);
                }
            }
            TableWire::Entries { from: first, entries } => self.entries(now, from, first, entries),
            TableWire::Fork(fork) => self.fork_shown(now, *fork),
        }
    }

    pub(super) fn peer(&mut self, now: u64, key: PublicKey, up: bool) {
        if !up && self.state.core().seat_of(&key).is_none() {
            self.peers.remove(&key);
            return;
        }
        if !self.room_for_peer(&key) {
            return;
        }
        let peer: &mut Peer = self.peers.entry(key).or_default();
        peer.up = up;
        if up {
            peer.hear(now);
            peer.direct = Some(now);
            peer.answered = 0;
            self.next_status = now;
        }
    }

    fn room_for_peer(&self, key: &PublicKey) -> bool {
        self.peers.contains_key(key) || self.peers.len() < limits::PEERS
    }

    /// Remembers that something came; gives when it was passed on last, where it came before.
    fn saw(&mut self, id: Hash, now: u64) -> Option<u64> {
        if self.seen.len() >= limits::REMEMBERED {
            self.seen.clear();
        }
        let before = self.seen.get(&id).copied();
        self.seen.entry(id).or_insert(now);
        before
    }

    /// Takes a signed message from anybody. Its author counts as heard.
    fn signed_message(&mut self, now: u64, from: PublicKey, message: Signed) {
        let id = message.id();
        // Who is no player says only where it is, and that it wants a seat.
        let Ok(claimed) = message.read(self.log_id) else { return };
        let known = self.state.core().seat_of(&claimed.author).is_some();
        let for_strangers = match &claimed.payload {
            Payload::Status { .. } => claimed.author == from,
            Payload::Admit { .. } => true,
            // A newcomer's first words may be here before the entry that seats it.
            Payload::Ready { .. } | Payload::SitOut { .. } => claimed.author == from,
            _ => false,
        };
        if !known && !for_strangers {
            return;
        }
        let Ok(body) = self.checks.open(&message, self.log_id) else { return };
        let passed_on = self.saw(id, now);
        let height = self.state.core().height;
        if known && body.author != self.me && passed_on.is_none() {
            self.peers.entry(body.author).or_default().hear(now);
        }
        let author = body.author;
        match &body.payload {
            Payload::Status { .. } => {
                if passed_on.is_none() {
                    self.status(now, from, &body);
                }
            }
            Payload::Say { .. } => self.said(&body),
            Payload::Advice { .. } => return self.advised(&body),
            Payload::Close { .. } => self.closed_by(body),
            Payload::Key { .. }
            | Payload::Shuffle { .. }
            | Payload::Cut { .. }
            | Payload::Escrow { .. }
            | Payload::Final { .. } => {
                if !self.deal_message(now, &message, &body) {
                    self.keep_for_deal(&message, body);
                }
            }
            // What was dropped because it came too early may be right now: it is tried again.
            _ => {
                if let (Payload::Absent { step, seat }, Some(book)) =
                    (&body.payload, &mut self.book)
                {
                    book.compare_absence(*seat, *step);
                    self.show_deal();
                }
                self.pool.insert(message.clone(), body, height, known);
            }
        }
        if known {
            self.pass_on(now, id, passed_on, from, author, &TableWire::Messages(vec![message]));
        }
    }

    /// It may belong to the attempt that others have begun already.
    fn keep_for_deal(&mut self, message: &Signed, body: Body) {
        let of_author = self.early_deal.iter().filter(|(_, b)| b.author == body.author).count();
        let room =
            of_author < limits::EARLY_PER_AUTHOR && self.early_deal.len() < limits::DEAL_MESSAGES;
        if room && !self.early_deal.iter().any(|(m, _)| m == message) {
            self.early_deal.push((message.clone(), body));
        }
    }

    /// False when the message is not for the deal that is open now.
    pub(super) fn deal_message(&mut self, now: u64, message: &Signed, body: &Body) -> bool {
        let Some(book) = &mut self.book else { return false };
        let offered = book.offer(now, message, body, &mut self.checks);
        let fresh: Vec<_> = std::mem::take(&mut book.fresh_shuffles);
        let proofs = std::mem::take(&mut book.proofs);
        if let Some(deal) = book.deal().cloned() {
            self.checks.know_deal(deal);
        }
        self.show_deal();
        for (seat, ms) in fresh {
            self.emit(Event::Shuffled { seat, ms });
        }
        match offered {
            Ok(Offered::Foreign) => return false,
            Ok(Offered::Twice(first)) => self.prove_twice(*first, message.clone()),
            Ok(Offered::New | Offered::Known | Offered::Early)
            | Err(DealError::Order { .. } | DealError::Keys { .. } | DealError::Plan(_)) => {}
            // Who is proved false is told of when that is decided.
            Err(DealError::False { .. }) if !proofs.is_empty() => {}
            Err(DealError::False { seat, .. }) => {
                self.emit(Event::Fault {
                    seat,
                    kind: crate::event::FaultKind::FalseProof,
                    evidence: None,
                });
            }
        }
        for proof in proofs {
            self.accuse_with(proof);
        }
        self.retry_verdicts(now);
        true
    }

    /// Where somebody builds on other messages of the deal than those here, their author made two:
    /// both sides show what they hold, once, and find it out.
    fn show_deal(&mut self) {
        let Some(book) = &mut self.book else { return };
        if !book.take_conflict() {
            return;
        }
        let all = book.lacking(&DealProgress { deal: book.plan.id.0, ..DealProgress::default() });
        for part in all.chunks(8) {
            self.send(To::All, &TableWire::Messages(part.to_vec()));
        }
    }

    fn prove_twice(&mut self, first: Signed, second: Signed) {
        self.accuse_with(Proof::TwoDealMessages { first, second });
    }

    /// Puts evidence on its way into the log, once for each accused.
    pub(super) fn accuse_with(&mut self, proof: Proof) {
        let Ok(seat) = self.state.accused(&proof, &mut self.checks) else { return };
        let core = self.state.core();
        let gone = |s: &SeatState| matches!(s.presence, Presence::Frozen | Presence::Left);
        let said =
            |f: &Free| matches!(f, Free::Evidence(p) if evidence::claimed(p, core) == Some(seat));
        let known = core.seats.get(&seat).is_none_or(gone) || self.frees.iter().any(said);
        if !known && Some(seat) != self.seat() {
            self.frees.push_back(Free::Evidence(Box::new(proof)));
        }
    }

    /// A partner's words are for the holder of its pool alone, and are not passed on.
    fn advised(&mut self, body: &Body) {
        let Payload::Advice { seq, text } = &body.payload else { return };
        let core = self.state.core();
        let (Some(from), Some(me)) = (core.seat_of(&body.author), self.seat()) else { return };
        if !core.partners().contains(&(from, me)) {
            return;
        }
        let peer = self.peers.entry(body.author).or_default();
        if *seq <= peer.said || text.len() > limits::CHAT_BYTES {
            return;
        }
        peer.said = *seq;
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        self.emit(Event::Advice { from, text });
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

    /// Not everybody hears everybody: what comes from its author goes on to those who do not hear that
    /// author, each time the author sends it, but not more often than an honest one does.
    fn pass_on(
        &mut self,
        now: u64,
        id: Hash,
        passed_on: Option<u64>,
        from: PublicKey,
        author: PublicKey,
        message: &TableWire,
    ) {
        let again = passed_on
            .is_some_and(|at| from == author && now.saturating_sub(at) >= limits::RESEND_MS / 2);
        if passed_on.is_some() && !again {
            return;
        }
        let Some(seat) = self.state.core().seat_of(&author) else { return };
        let deaf: Vec<PublicKey> = self
            .peers
            .iter()
            .filter(|(key, p)| {
                **key != from
                    && **key != author
                    && p.up
                    && p.seq > 0
                    && !p.hears.contains(&seat)
                    && self.hears(now, key)
            })
            .map(|(key, _)| *key)
            .collect();
        if again {
            self.seen.insert(id, now);
        }
        for key in deaf {
            self.send(To::One(key), message);
        }
    }

    fn agreement_message(&mut self, now: u64, from: PublicKey, height: u64, bytes: Vec<u8>) {
        let open = self.state.core().height;
        if self.catching_up.is_some() {
            // What is still needed comes again.
            return self.hurry_status(now, from);
        }
        if height == open {
            let id = wire::hash("agreement seen", &[&bytes]);
            // What is resent goes in again: the agreement itself knows what it holds.
            if self.agreement_input(now, agreement::Input::Message(bytes.clone())) {
                let passed_on = self.saw(id, now);
                // Whose votes they are does not matter: who does not hear the one they came from gets them.
                self.pass_on(
                    now,
                    id,
                    passed_on,
                    from,
                    from,
                    &TableWire::Agreement { height, bytes },
                );
            }
        } else if height > open {
            let of_peer = self.ahead.iter().filter(|(peer, _, _)| *peer == from).count();
            let room = of_peer < limits::AHEAD_PER_PEER && self.ahead.len() < limits::AHEAD;
            if height == open.saturating_add(1)
                && room
                && self.state.core().seat_of(&from).is_some()
            {
                self.ahead.push((from, height, bytes));
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
            self.watch_earlier(now);
            self.help(now, from, height);
        }
    }
}
