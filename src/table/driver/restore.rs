//! Coming back after a crash: from the founding entry and the records, in their order.

use trinka_crypto::{KeyMessage, PublicKey as HandKey};

use super::duties::stored_key;
use super::{Forgot, Output, Record, StepKey, Table, TableConfig, TableError};
use crate::event::Event;
use crate::table::agreement::{self, value_id};
use crate::table::ledger::{DealPlan, Presence};
use crate::table::message::{Body, Decided, Entry, Payload, Signed, StepId};
use crate::wire;

impl Table {
    /// Opens a table again with everything that was durable. Transcripts of hands that ended before are
    /// given out again; whoever stores them finds them stored.
    ///
    /// # Errors
    /// [`TableError`]: a record does not follow from those before it. The files should be kept aside.
    pub fn restore(
        config: TableConfig,
        records: Vec<Record>,
        now: u64,
    ) -> Result<Self, TableError> {
        let mut table = Self::unopened(config, now)?;
        let mut own: Vec<Signed> = Vec::new();
        let signed = records.iter().filter_map(|record| match record {
            Record::Own(message) => Some(message.id()),
            _ => None,
        });
        let signed = signed.collect();
        let mut agreed: Vec<(u64, agreement::Record)> = Vec::new();
        let mut course: Vec<Event> = Vec::new();
        for record in records {
            match record {
                Record::Own(message) => own.push(message),
                Record::Secret { deal, key } => {
                    if let Some(secret) = stored_key(&key) {
                        table.secrets.insert(deal, secret);
                    }
                }
                Record::Agreement { height, record } => agreed.push((height, record)),
                Record::Decided(decided) => table.replay_entry(now, decided, &mut course)?,
                Record::Fork(fork) => table.watch.fork = Some(fork),
                Record::Forgot(forgot) => table.forgot = forgot,
            }
        }
        table.signed = Some(signed);
        table.started_again = true;
        if table.watch.fork.is_some() {
            let announce = table.state.core().table_event();
            table.emit(announce);
            table.end_forked(now, false);
            return Ok(table);
        }
        table.catching_up = Some(now);
        let height = table.state.core().height;
        let records = agreed.into_iter().filter(|(h, _)| *h == height).map(|(_, r)| r).collect();
        let again = std::mem::take(&mut table.outputs);
        table.open_height(now, records)?;
        let announce = table.state.core().table_event();
        table.emit(announce);
        table.tell_hand_so_far(course);
        for message in own {
            table.own_again(now, message);
        }
        table.forget_answers();
        if let Some((deal, hand)) = table.my_cards
            && table.state.core().basis().is_some_and(|b| b.deal == deal)
        {
            table.tell_cards(hand);
        }
        table.outputs.extend(again);
        Ok(table)
    }

    /// Opens a table at which this node may have signed, though its log is gone: where it has a seat it learns
    /// from the others how far they are, and votes on nothing that it may have voted on already. Of the records
    /// only secrets may be left.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn rejoin(config: TableConfig, secrets: Vec<Record>, now: u64) -> Result<Self, TableError> {
        let mut table = Self::unopened(config, now)?;
        for record in secrets {
            if let Record::Secret { deal, key } = record
                && let Some(secret) = stored_key(&key)
            {
                table.secrets.insert(deal, secret);
            }
        }
        table.signed = Some(std::collections::BTreeSet::new());
        table.started_again = true;
        if table.seat().is_some() {
            table.forget(now);
        } else {
            // A newcomer, most likely. If not, its own words in the log tell.
            table.persist(Record::Forgot(Forgot::NOTHING));
        }
        table.open_height(now, Vec::new())?;
        let announce = table.state.core().table_event();
        table.emit(announce);
        Ok(table)
    }

    /// The deal that is open with a key of this node, where the secret half of that key is not here.
    /// Nothing can be proved then; what the others make of that is what they make of a seat that is silent.
    #[must_use]
    pub fn lacks_secret(&self) -> Option<u64> {
        let (deal, sent) = self.sent_key()?;
        let fits = self.secrets.get(&deal).is_some_and(|secret| secret.public() == sent);
        (!fits).then_some(deal)
    }

    /// The key that this node has sent for the deal that is open.
    fn sent_key(&self) -> Option<(u64, HandKey)> {
        let me = self.seat()?;
        let core = self.state.core();
        let (number, step) = match (core.playing(), &self.book) {
            (Some(cards), _) => {
                cards.purpose?;
                let deal = self.state.deal().filter(|deal| deal.plan.number == cards.deal)?;
                if let Some(index) = deal.plan.index_of(me) {
                    return Some((cards.deal, *deal.keys.key(index).ok()?));
                }
                (cards.deal, StepKey::Step(StepId::Recipient { deal: cards.deal }))
            }
            (None, Some(book)) => (book.plan.number, StepKey::Part(book.plan.id.0, 0)),
            (None, None) => return None,
        };
        let message = self.own.get(&(step, me))?;
        match message.read(self.log_id).ok()?.payload {
            Payload::Key { bytes, .. } | Payload::Recipient { bytes, .. } => {
                Some((number, KeyMessage::from_bytes(&bytes).ok()?.key()))
            }
            _ => None,
        }
    }

    /// Who comes back into a hand is told what has happened in it, and who is not here.
    fn tell_hand_so_far(&mut self, course: Vec<Event>) {
        if self.state.core().hand().is_some() {
            for event in course {
                let of_its_time = matches!(
                    event,
                    Event::Table { .. }
                        | Event::Turn { .. }
                        | Event::Offer { .. }
                        | Event::Cards { .. }
                        | Event::Away { .. }
                        | Event::Back { .. }
                        | Event::Waiting { .. }
                        | Event::Error { .. }
                );
                if !of_its_time {
                    self.emit(event);
                }
            }
        }
        let core = self.state.core();
        // This one comes back by itself.
        let others = core.seats.iter().filter(|(_, s)| s.player.key != self.me);
        let away = others.filter(|(_, s)| s.presence == Presence::Away);
        for seat in away.map(|(seat, _)| *seat).collect::<Vec<_>>() {
            self.emit(Event::Away { seat });
        }
    }

    /// Applies a stored entry. `course`: what was told of the hand that is played then.
    fn replay_entry(
        &mut self,
        now: u64,
        decided: Decided,
        course: &mut Vec<Event>,
    ) -> Result<(), TableError> {
        let height = self.state.core().height;
        let fail = |why: String| TableError::Stored { height, why };
        let entry: Entry = wire::decode(&decided.entry)?;
        if entry.height < height {
            return Ok(());
        }
        if decided.certificate.value_id != value_id(&decided.entry) {
            return Err(fail("its certificate is for another entry".into()));
        }
        if !decided.deal.is_empty() {
            let plan = DealPlan::new(self.state.core()).map_err(|e| fail(e.to_string()))?;
            let plan = plan.ok_or_else(|| fail("no deal was open".into()))?;
            self.checks.verify_deal(&plan, &decided.deal).map_err(|e| fail(e.to_string()))?;
        }
        let applied =
            self.state.apply(&entry, &mut self.checks).map_err(|e| fail(e.to_string()))?;
        let again = std::mem::take(&mut self.outputs);
        let ended = applied.ended.is_some();
        self.commit(now, &entry, decided, applied);
        // One's own cards of the deal, so that they stand in the transcript.
        if let Some(me) = self.seat() {
            self.see_cards(me);
        }
        // What has to be on the disk is given out again; what was told is not, but of the hand that is open.
        let fresh = std::mem::replace(&mut self.outputs, again);
        for output in fresh {
            match output {
                Output::Event(event) => course.push(event),
                Output::Persist(_) | Output::Send { .. } => {}
                _ => self.outputs.push_back(output),
            }
        }
        if ended {
            course.clear();
        }
        Ok(())
    }

    /// A message that was signed before the crash is never signed anew: it is taken and sent as it was.
    fn own_again(&mut self, now: u64, message: Signed) {
        let Ok(body) = message.read(self.log_id) else { return };
        let Some(key) = step_of(&body) else {
            if let Payload::Free { nonce, .. } = &body.payload {
                let seat = self.seat().and_then(|s| self.state.core().seats.get(&s));
                // What was said on a seat that was left is not said on the next.
                if seat.is_some_and(|s| s.nonce == *nonce) {
                    self.free_flying = Some((*nonce, message.id()));
                    self.take_own(now, message);
                }
            }
            return;
        };
        let seat = match (&key, self.seat()) {
            (StepKey::Admit, _) => crate::rules::Seat(u8::MAX),
            (StepKey::Absent(_), _) => match &body.payload {
                Payload::Absent { seat, .. } => *seat,
                _ => return,
            },
            (_, Some(seat)) => seat,
            (_, None) => return,
        };
        self.own.insert((key, seat), message.clone());
        self.take_own(now, message);
    }
}

/// The step that a message of this node answers.
fn step_of(body: &Body) -> Option<StepKey> {
    Some(match &body.payload {
        Payload::Start { hand, .. } => StepKey::Step(StepId::Start { hand: *hand }),
        Payload::Ready { hand } | Payload::SitOut { hand } => {
            StepKey::Step(StepId::Ready { hand: *hand })
        }
        Payload::Key { deal, .. } => StepKey::Part(*deal, 0),
        Payload::Shuffle { deal, .. } => StepKey::Part(*deal, 1),
        Payload::Cut { deal, .. } => StepKey::Part(*deal, 2),
        Payload::Final { deal, .. } => StepKey::Part(*deal, 3),
        Payload::Escrow { deal, .. } => StepKey::Part(*deal, 4),
        Payload::Shares { deal, round, .. } => {
            StepKey::Step(StepId::Shares { deal: *deal, round: *round })
        }
        Payload::Recover { deal, lost, .. } => {
            StepKey::Step(StepId::Recover { deal: *deal, lost: *lost })
        }
        Payload::Renew { deal, step, .. } => {
            StepKey::Step(StepId::Escrow { deal: *deal, step: *step })
        }
        Payload::Recipient { deal, .. } => StepKey::Step(StepId::Recipient { deal: *deal }),
        Payload::Show { deal, .. } => StepKey::Step(StepId::Show { deal: *deal }),
        Payload::Move { basis, .. } | Payload::Tens { basis, .. } => {
            StepKey::Step(StepId::Turn(*basis))
        }
        Payload::Unary { basis, .. } => StepKey::Step(StepId::Unary(*basis)),
        Payload::Select { basis, .. } => StepKey::Step(StepId::Select(*basis)),
        Payload::Reveal { basis, .. } => StepKey::Step(StepId::Reveal(*basis)),
        Payload::Absent { step, .. } => StepKey::Absent(*step),
        Payload::Admit { .. } => StepKey::Admit,
        Payload::Status { .. }
        | Payload::Say { .. }
        | Payload::Advice { .. }
        | Payload::Close { .. }
        | Payload::Free { .. } => return None,
    })
}
