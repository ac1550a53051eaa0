//! Has entries agreed on: judges proposals, makes them, and applies what was decided.

use std::sync::Arc;

use super::fork::certifies;
use super::{Record, Table, TableError, TableWire, To, error};
use crate::event::Event;
use crate::identity::PublicKey;
use crate::table::agreement::{
    self, Certificate, Height, HeightConfig, Input, Limits, Output, ValueId, Verdict, Voter,
    value_id,
};
use crate::table::dealbook::DealBook;
use crate::table::ledger::{Applied, DealPlan, EntryError, Refusal, Stage};
use crate::table::limits;
use crate::table::message::{Decided, Entry, Payload, Proof};
use crate::wire;

impl Table {
    /// Opens the height that comes next, replaying what was stored of it.
    pub(super) fn open_height(
        &mut self,
        now: u64,
        records: Vec<agreement::Record>,
    ) -> Result<(), TableError> {
        let core = self.state.core();
        let height = core.height;
        let fail = |why: String| TableError::Agreement { height, why };
        let electorate = core.voting_keys();
        let me = self.seat().map(|s| Voter(s.0)).filter(|v| electorate.iter().any(|(e, _)| e == v));
        let config = HeightConfig {
            domain: self.log_id.0,
            height,
            electorate,
            me,
            first_proposer: core.first_scribe(),
            propose_timeout_ms: self.propose_timeout_ms,
            limits: Limits { value_bytes: limits::ENTRY_BYTES, ..Limits::default() },
        };
        let key = me.filter(|_| !self.keeps_silent(height)).map(|_| self.id.signing_key());
        let fresh = if records.is_empty() {
            Height::new(config, key).map_err(|e| fail(e.to_string()))?
        } else {
            Height::replay(config, key, records.into_iter()).map_err(|e| fail(e.to_string()))?
        };
        let fresh = fresh.sharing(self.checks.votes());
        let before_last = std::mem::replace(&mut self.earlier, self.height.replace(fresh));
        self.watch_height(before_last);
        self.joined = self.height.as_ref().is_some_and(Height::joined);
        self.verdicts.clear();
        self.value_wanted = None;
        self.applied = None;
        self.unapplied = None;
        self.pool.touch();
        self.follow_stage(now);
        self.expect_seats(now);
        let ahead = std::mem::take(&mut self.ahead);
        for (_, h, bytes) in ahead {
            if h == height {
                self.agreement_input(now, Input::Message(bytes));
            }
        }
        self.watch_earlier(now);
        Ok(())
    }

    /// A seat that was never heard is silent from now on.
    fn expect_seats(&mut self, now: u64) {
        let keys: Vec<_> = self.state.core().seats.values().map(|s| s.player.key).collect();
        for key in keys {
            self.peers
                .entry(key)
                .or_insert_with(|| super::Peer { silent_from: now, ..super::Peer::default() });
        }
    }

    /// After a change of the state: clocks, the deal's book, and what players are told.
    fn follow_stage(&mut self, now: u64) {
        self.clocks.follow(now, &self.state.core().owed());
        match &self.state.core().stage {
            Stage::Dealing { deal, .. } => {
                if self.book.as_ref().is_none_or(|b| b.plan.number != *deal) {
                    match DealPlan::new(self.state.core()) {
                        Ok(Some(plan)) => self.book = Some(DealBook::new(plan, now)),
                        Ok(None) => self.book = None,
                        Err(e) => {
                            self.book = None;
                            self.emit(error("deal", &e.to_string()));
                        }
                    }
                    self.cut_at = None;
                    let early = std::mem::take(&mut self.early_deal);
                    for (message, body) in early {
                        self.deal_message(now, &message, &body);
                    }
                }
            }
            Stage::Playing { .. } => {}
            Stage::Idle | Stage::Starting { .. } | Stage::Over => self.book = None,
        }
    }

    /// Gives the agreement an input. False when it was refused.
    pub(super) fn agreement_input(&mut self, now: u64, input: Input) -> bool {
        let Some(height) = &mut self.height else { return false };
        match height.handle(now, input) {
            Ok(()) => true,
            Err(agreement::Error::ForeignSignature | agreement::Error::Contradiction { .. }) => {
                // Others repeat it as long as the height is open; the player is told once.
                let open = self.state.core().height;
                if self.foreign_at.replace(open) != Some(open) {
                    self.emit(error("foreign-signature", "another program signs with this key"));
                }
                false
            }
            Err(_) => false,
        }
    }

    /// Does what the agreement wants. True when anything happened.
    pub(super) fn agree(&mut self, now: u64) -> bool {
        if !self.verdicts.is_empty() {
            self.retry_verdicts(now);
        }
        let suspended = self.suspended(now);
        self.agreement_input(now, Input::Suspend(suspended));
        self.speak_up(now);
        let mut moved = false;
        if self.book.as_ref().is_some_and(|book| book.deal().is_some())
            && let Some((value, certificate)) = self.unapplied.take()
        {
            moved = true;
            self.decided(now, value, certificate);
        }
        while let Some(output) = self.height.as_mut().and_then(Height::poll_output) {
            moved = true;
            let height = self.state.core().height;
            match output {
                Output::Persist(record) => self.persist(Record::Agreement { height, record }),
                Output::Send(bytes) => self.send(To::All, &TableWire::Agreement { height, bytes }),
                Output::NeedValue { round } => self.value_wanted = Some(round),
                Output::NeedVerdict { round, value_id, bytes, fresh, .. } => {
                    self.verdicts.push((round, value_id, bytes, fresh));
                    self.retry_verdicts(now);
                }
                Output::Decided { value, certificate, .. } => {
                    self.decided(now, value, certificate);
                    // Whatever the old height still has to say, its outputs end with the decision.
                }
                Output::Evidence(evidence) => self.accuse_with(Proof::Agreement(evidence)),
            }
        }
        if let Some(round) = self.value_wanted
            && let Some(bytes) = self.make_value(now)
        {
            self.value_wanted = None;
            moved |= self.agreement_input(now, Input::Value { round, bytes });
        }
        moved
    }

    fn make_value(&mut self, now: u64) -> Option<Vec<u8>> {
        let me = self.seat()?;
        if self.halted || !self.worth_proposing(now) {
            return None;
        }
        let candidates = self.candidates(now);
        let entry = self.state.compose(me, &candidates, &mut self.checks)?;
        wire::encode(&entry).ok().filter(|b| b.len() <= limits::ENTRY_BYTES)
    }

    /// Joins the open height when there is something to decide.
    pub(super) fn join(&mut self, now: u64) -> bool {
        if self.joined || !self.worth_proposing(now) {
            return false;
        }
        self.joined = true;
        self.agreement_input(now, Input::Pending);
        true
    }

    /// Judges the proposals that wait for a verdict; those whose deal is not here yet go on waiting.
    pub(super) fn retry_verdicts(&mut self, now: u64) {
        for (round, id, bytes, fresh) in std::mem::take(&mut self.verdicts) {
            match self.judge(now, id, &bytes, fresh) {
                Some(verdict) => {
                    self.agreement_input(now, Input::Verdict { round, value_id: id, verdict });
                }
                None => self.verdicts.push((round, id, bytes, fresh)),
            }
        }
    }

    fn judge(&mut self, now: u64, id: ValueId, bytes: &[u8], fresh: bool) -> Option<Verdict> {
        if self.halted {
            return Some(Verdict::Invalid);
        }
        let Ok(entry) = wire::decode::<Entry>(bytes) else { return Some(Verdict::Invalid) };
        match self.state.apply(&entry, &mut self.checks) {
            Ok(applied) => self.applied = Some((id, Box::new(applied))),
            Err(EntryError::Message { why: Refusal::DealMissing(_), .. }) => return None,
            Err(EntryError::OtherState { composer, entry }) => {
                self.engine_differs(composer, entry);
                return Some(Verdict::Invalid);
            }
            Err(EntryError::Message { index, why: Refusal::Proof(_), .. }) => {
                // Where the scribe took in a false proof, its author is named all the same.
                if let Some(message) = entry.messages.get(index).cloned() {
                    self.accuse_with(Proof::FalseStep { message });
                }
                return Some(Verdict::Invalid);
            }
            Err(_) => return Some(Verdict::Invalid),
        }
        if !fresh {
            return Some(Verdict::Valid);
        }
        let absences =
            entry.messages.iter().filter_map(|m| m.read(self.log_id).ok()).filter_map(|b| match b
                .payload
            {
                Payload::Absent { step, seat } => Some((step, seat)),
                _ => None,
            });
        let absences: Vec<_> = absences.collect();
        let mut hasty = false;
        for (step, seat) in absences {
            if self.finds_absent(now, seat, step) {
                continue;
            }
            // Clocks are never quite the same: one that is about to run out is waited for.
            if self.absent_soon(now, seat, step) {
                return None;
            }
            hasty = true;
        }
        if hasty || self.leaves_out(now, entry.composer, &entry.messages) {
            return Some(Verdict::SoftNil);
        }
        Some(Verdict::Valid)
    }

    /// Another program has another result of an entry: said once for each seat.
    pub(super) fn engine_differs(&mut self, composer: crate::rules::Seat, entry: u64) {
        if let std::collections::btree_map::Entry::Vacant(place) = self.differs.entry(composer) {
            place.insert(entry);
            let message = EntryError::OtherState { composer, entry }.to_string();
            self.emit(Event::Error {
                code: "engine-differs".into(),
                message,
                advice: String::new(),
            });
        }
    }

    fn decided(&mut self, now: u64, value: Vec<u8>, certificate: Certificate) {
        let deal = self
            .book
            .as_ref()
            .and_then(DealBook::deal)
            .map(|d| d.messages.clone())
            .unwrap_or_default();
        match self.adopt(now, value.clone(), certificate.clone(), deal) {
            Ok(()) => {}
            // Nobody else may have it decided.
            Err(EntryError::Message { why: Refusal::DealMissing(_), .. }) => {
                self.unapplied = Some((value, certificate));
            }
            Err(e) => self.stop(&e),
        }
    }

    /// The table went on with something that this program's rules refuse: it can follow no further.
    fn stop(&mut self, why: &EntryError) {
        if !self.halted {
            self.halted = true;
            match why {
                EntryError::OtherState { composer, entry } => {
                    self.engine_differs(*composer, *entry)
                }
                _ => self.emit(error("engine-refuses", &why.to_string())),
            }
        }
    }

    /// Applies a decided entry whose certificate was checked.
    fn adopt(
        &mut self,
        now: u64,
        value: Vec<u8>,
        certificate: Certificate,
        deal: Vec<crate::table::message::Signed>,
    ) -> Result<(), EntryError> {
        let id = value_id(&value);
        let entry: Entry = wire::decode(&value)?;
        let applied = match self.applied.take() {
            Some((known, applied)) if known == id => *applied,
            _ => self.state.apply(&entry, &mut self.checks)?,
        };
        let decides_deal = entry
            .messages
            .iter()
            .any(|m| matches!(m.read(self.log_id).map(|b| b.payload), Ok(Payload::Final { .. })));
        let deal = if decides_deal { deal } else { Vec::new() };
        let decided = Decided { entry: value, certificate, deal };
        self.persist(Record::Decided(decided.clone()));
        self.commit(now, &entry, decided, applied);
        Ok(())
    }

    /// Goes on from a decided entry: keeps it, tells the player, opens the next height.
    pub(super) fn commit(&mut self, now: u64, entry: &Entry, decided: Decided, applied: Applied) {
        let before = self.state.core().clone();
        let Applied { mut state, events, ended, .. } = applied;
        if let Some(alter) = self.alter {
            state.alter(alter);
        }
        let dealt = matches!(before.stage, Stage::Dealing { .. })
            && matches!(state.core().stage, Stage::Playing { .. });
        self.log.push(Arc::new(decided));
        self.last_decided = now;
        self.closed = false;
        self.catching_up = self.catching_up.map(|_| now);
        self.state = state;
        for message in &entry.messages {
            self.pool.decided(message.id());
        }
        self.notice_forgotten(now, entry);
        self.write_evidence(&events);
        for mut event in events {
            if let (Event::Svara { entry, .. }, Some(me)) = (&mut event, self.seat()) {
                // Everybody is told what it would pay itself.
                *entry = self.state.core().game.entry_price(me).unwrap_or(*entry);
            }
            self.emit(event);
        }
        if dealt {
            let ms = self.book.as_ref().map_or(0, |b| now.saturating_sub(b.began));
            let hand = self.state.core().hands;
            self.emit(Event::Dealt { hand, ms });
        }
        if let Some(hand) = ended {
            self.write_transcript(hand);
            self.idle_since = now;
            let deal = self.state.core().deals;
            self.secrets.retain(|number, _| *number > deal);
            self.outputs.push_back(super::Output::EraseSecrets { deal });
        }
        self.forget_answers();
        if let Some(height) = &self.height {
            self.propose_timeout_ms = height.next_propose_timeout_ms();
        }
        self.next_status = now.saturating_add(limits::STATUS_MS);
        if let Err(e) = self.open_height(now, Vec::new()) {
            self.halted = true;
            self.emit(error("agreement", &e.to_string()));
        }
    }

    /// Takes decided entries from somebody who is further; each proves itself.
    pub(super) fn entries(&mut self, now: u64, from: PublicKey, first: u64, entries: Vec<Decided>) {
        let before = self.state.core().height;
        let many = entries.len() > 1;
        self.take_entries(now, from, first, entries);
        if many && self.state.core().height > before {
            // There is more, most likely.
            self.next_status = now;
        }
    }

    fn take_entries(&mut self, now: u64, from: PublicKey, first: u64, entries: Vec<Decided>) {
        for (height, decided) in (first..).zip(entries.into_iter().take(limits::CATCH_UP)) {
            if height < self.state.core().height && self.compare(now, from, height, &decided) {
                return;
            }
            let core = self.state.core();
            if height != core.height || self.halted {
                continue;
            }
            let certificate = &decided.certificate;
            if !certifies(certificate, height, &decided.entry) {
                return;
            }
            let electorate = core.voting_keys();
            if agreement::verify_certificate(&self.log_id.0, &electorate, certificate).is_err() {
                return;
            }
            if !decided.deal.is_empty() {
                let Ok(Some(plan)) = DealPlan::new(core) else { return };
                if self.checks.verify_deal(&plan, &decided.deal).is_err() {
                    return;
                }
            }
            match self.adopt(now, decided.entry, decided.certificate, decided.deal) {
                Ok(()) => {}
                Err(EntryError::Message { why: Refusal::DealMissing(_), .. }) => return,
                Err(e) => return self.stop(&e),
            }
        }
    }
}
