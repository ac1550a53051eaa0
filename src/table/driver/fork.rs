//! Notices a second certificate for a decided height, and ends the table then.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ed25519_dalek::VerifyingKey;

use super::{Output, Record, Table, TableWire, To, error};
use crate::event::{Event, FaultKind};
use crate::identity::PublicKey;
use crate::rules::Seat;
use crate::table::agreement::{self, Height, SignedVote, Voter, value_id};
use crate::table::fork::{self, Fork};
use crate::table::ledger::{Core, DealPlan, State};
use crate::table::message::{Decided, Entry};
use crate::table::{limits, transcript};
use crate::wire;

/// What is kept to notice a second certificate, and the fork once there is one.
#[derive(Default)]
pub(super) struct Watch {
    /// Who votes, from which height on.
    electorates: Vec<(u64, BTreeSet<Seat>)>,
    /// Votes of the heights before the last one.
    votes: VecDeque<(u64, Vec<SignedVote>)>,
    /// When a peer was shown entries from the end of the log, and the lowest height that it was shown since;
    /// or when it was shown the fork.
    shown: BTreeMap<PublicKey, (u64, u64)>,
    pub(super) fork: Option<Box<Fork>>,
    /// Who was told to the player as a liar.
    named: Option<BTreeSet<Seat>>,
    /// The state before the forked height.
    before: Option<Core>,
}

impl Table {
    /// The height for which two entries were decided, and who is proved to have voted for both.
    #[must_use]
    pub fn fork(&self) -> Option<(u64, Vec<Seat>)> {
        let fork = self.watch.fork.as_ref()?;
        Some((fork.height(), fork.liars().into_iter().collect()))
    }

    /// A height was opened: who votes there, and what was heard at the one before the last.
    pub(super) fn watch_height(&mut self, before_last: Option<Height>) {
        let core = self.state.core();
        if self.watch.electorates.last().is_none_or(|(_, e)| *e != core.electorate) {
            self.watch.electorates.push((core.height, core.electorate.clone()));
        }
        if let Some(height) = before_last {
            let votes = height.votes().copied().collect();
            self.watch.votes.push_back((height.config().height, votes));
            if self.watch.votes.len() > limits::VOTES_OF_HEIGHTS {
                self.watch.votes.pop_front();
            }
        }
    }

    /// Who votes at a height that is decided or open.
    fn voters_at(&self, height: u64) -> Vec<(Voter, VerifyingKey)> {
        let core = self.state.core();
        let known = self.watch.electorates.iter().rev().find(|(from, _)| *from <= height);
        let Some((_, seats)) = known.filter(|_| height <= core.height) else { return Vec::new() };
        let voter = |seat: &Seat| Some((Voter(seat.0), core.key_of(*seat)?.verifying()?));
        seats.iter().filter_map(voter).collect()
    }

    fn decided_at(&self, height: u64) -> Option<&Decided> {
        let place = usize::try_from(height.checked_sub(1)?).ok()?;
        self.log.get(place).map(AsRef::as_ref)
    }

    /// Somebody shows its entry of a height that is decided here. True when the rest of what it shows is of
    /// no use: it is another entry.
    pub(super) fn compare(
        &mut self,
        now: u64,
        from: PublicKey,
        height: u64,
        theirs: &Decided,
    ) -> bool {
        let Some(ours) = self.decided_at(height) else { return false };
        if ours.entry == theirs.entry {
            return false;
        }
        let before = |d: &Decided| wire::decode::<Entry>(&d.entry).ok().map(|e| e.before);
        let (Some(their_state), Some(our_state)) = (before(theirs), before(ours)) else {
            return true;
        };
        if their_state != our_state {
            // The two logs part at an earlier height.
            self.show_log(now, from, height);
            return true;
        }
        let certificate = &theirs.certificate;
        if certifies(certificate, height, &theirs.entry) {
            let fork = Fork::new(ours.entry.clone(), ours.certificate.clone(), certificate.clone());
            self.fork_shown(now, fork);
        }
        true
    }

    /// Shows a peer the entries before a height, so that it can compare: it has another state there.
    pub(super) fn show_log(&mut self, now: u64, to: PublicKey, below: u64) {
        let seated = self.state.core().seat_of(&to).is_some();
        if self.watch.fork.is_some() || !seated {
            return;
        }
        // Further back at once, and from the end again after a while: the whole log is shown once at most.
        let further =
            self.watch.shown.get(&to).is_some_and(|(_, lowest)| below <= *lowest && *lowest > 0);
        if !further && !self.may_show(now, to, 2 * limits::STATUS_MS) {
            return;
        }
        let Some(end) = below.checked_sub(1).and_then(|h| usize::try_from(h).ok()) else { return };
        let mut entries: Vec<Decided> = Vec::new();
        let mut bytes = 0usize;
        for decided in self.log.iter().take(end).rev().take(limits::CATCH_UP) {
            bytes = bytes.saturating_add(decided.entry.len()).saturating_add(2_000);
            if !entries.is_empty() && bytes > limits::CATCH_UP_BYTES {
                break;
            }
            // Who has decided the height already needs no messages of deals.
            entries.push(Decided { deal: Vec::new(), ..(**decided).clone() });
        }
        entries.reverse();
        let shown = u64::try_from(entries.len()).unwrap_or(0);
        if shown > 0 {
            let from = below.min(self.state.core().height).saturating_sub(shown);
            if let Some((_, lowest)) = self.watch.shown.get_mut(&to) {
                *lowest = from;
            }
            self.send(To::One(to), &TableWire::Entries { from, entries });
        }
    }

    fn may_show(&mut self, now: u64, to: PublicKey, every_ms: u64) -> bool {
        let shown = &mut self.watch.shown;
        if shown.get(&to).is_some_and(|(at, _)| now.saturating_sub(*at) < every_ms) {
            return false;
        }
        if shown.len() >= limits::PEERS {
            shown.clear();
        }
        shown.insert(to, (now, 0));
        true
    }

    /// Late votes of the height before may make a second certificate.
    pub(super) fn watch_earlier(&mut self, now: u64) {
        let Some(earlier) = &self.earlier else { return };
        if let (Some(second), Some((first, entry))) = (earlier.conflict(), earlier.decided()) {
            let fork = Fork::new(entry.to_vec(), first.clone(), second);
            self.fork_shown(now, fork);
        }
    }

    /// Somebody shows two certificates for one height.
    pub(super) fn fork_shown(&mut self, now: u64, mut fork: Fork) {
        let voters = self.voters_at(fork.height());
        let votes = std::mem::take(&mut fork.votes);
        if fork.height() > self.state.core().height || fork.verify(&self.log_id.0, &voters).is_err()
        {
            return;
        }
        let domain = self.log_id.0;
        match &mut self.watch.fork {
            Some(known) if known.height() < fork.height() => return,
            Some(known) if known.height() == fork.height() => {
                // Another certificate of the same entry may have votes that this one lacks.
                let certified = fork.first.precommits().chain(fork.second.precommits());
                if !known.keep(&domain, &voters, certified.chain(votes)) {
                    return;
                }
            }
            _ => {
                fork.keep(&domain, &voters, votes);
                self.watch.fork = Some(Box::new(fork));
                self.watch.before = None;
            }
        }
        self.end_forked(now, true);
    }

    /// Ends the table at the last height before the fork, as far as it is known who voted both ways.
    pub(super) fn end_forked(&mut self, now: u64, fresh: bool) {
        let Some(mut fork) = self.watch.fork.take() else { return };
        let (height, voters) = (fork.height(), self.voters_at(fork.height()));
        let kept: Vec<SignedVote> = self
            .watch
            .votes
            .iter()
            .filter(|(of, _)| *of == height)
            .flat_map(|(_, votes)| votes.iter().copied())
            .chain(
                [&self.earlier, &self.height]
                    .into_iter()
                    .flatten()
                    .flat_map(|h| h.votes().copied()),
            )
            .collect();
        fork.keep(&self.log_id.0, &voters, kept);
        if self.watch.before.as_ref().is_none_or(|core| core.height != height) {
            self.watch.before = self.core_before(height);
        }
        let first_time = !self.halted || self.height.is_some();
        self.halted = true;
        self.height = None;
        self.earlier = None;
        self.book = None;
        self.my_cards = None;
        self.joined = false;
        self.verdicts.clear();
        self.value_wanted = None;
        self.applied = None;
        self.unapplied = None;
        self.ahead.clear();
        self.early_deal.clear();
        self.frees.clear();
        self.catching_up = None;
        // It is not the programs that differ.
        self.differs.clear();
        if fresh {
            self.persist(Record::Fork(fork.clone()));
        }
        let deal = self.state.core().deals;
        let liars = fork.liars();
        if let Some(before) = self.watch.before.clone() {
            if let Ok(keep) = usize::try_from(height.saturating_sub(1)) {
                self.log.truncate(keep);
            }
            let settled = fork::settle(&before, &liars);
            self.tell_fork(&fork, &before, &settled);
            self.state = State::from_core(settled);
        }
        if first_time {
            self.secrets.clear();
            self.outputs.push_back(Output::EraseSecrets { deal });
        }
        self.send(To::All, &TableWire::Fork(fork.clone()));
        self.watch.fork = Some(fork);
        self.next_status = now.saturating_add(limits::STATUS_MS);
    }

    /// Tells the player, once and again when somebody else is named, and writes the proof down.
    fn tell_fork(&mut self, fork: &Fork, before: &Core, settled: &Core) {
        let (height, liars) = (fork.height(), fork.liars());
        match transcript::write_fork(&self.id, &self.founded, before, fork) {
            Ok(bytes) => {
                self.outputs.push_back(Output::File { name: format!("{height:06}.fork"), bytes })
            }
            Err(e) => self.emit(error("transcript", &e.to_string())),
        }
        if self.watch.named.as_ref() == Some(&liars) {
            return;
        }
        let named = self.watch.named.replace(liars);
        for evidence in fork.evidence() {
            let seat = Seat(evidence.accused().0);
            if named.as_ref().is_some_and(|named| named.contains(&seat)) {
                continue;
            }
            let bytes = wire::encode(&evidence).unwrap_or_default();
            let hash = wire::hex(&wire::hash("trinka evidence", &[&bytes]));
            self.emit(Event::Fault { seat, kind: FaultKind::TwoVotes, evidence: Some(hash) });
        }
        self.emit(error("fork", &format!("two entries were decided at height {height}")));
        let winners = Core::amounts(&fork::shares(before, settled));
        let hand = before.hand().unwrap_or(before.hands);
        let stacks = settled.game.stacks();
        self.emit(Event::Settled { hand, stacks, winners, transcript: None });
    }

    /// The state before a height that is decided or open, made anew from the end of the hand before, or from
    /// the founding.
    fn core_before(&mut self, height: u64) -> Option<Core> {
        if height == self.state.core().height {
            return Some(self.state.core().clone());
        }
        let end = usize::try_from(height.checked_sub(1)?).ok()?;
        let (start, from) = &self.hand_start;
        let (mut state, from) = if *from <= end {
            (State::from_core(start.clone()), *from)
        } else {
            let mut state = State::found(&self.founded).ok()?;
            if let Some(alter) = self.alter {
                state.alter(alter);
            }
            (state, 0)
        };
        for decided in self.log.get(from..end)? {
            let entry: Entry = wire::decode(&decided.entry).ok()?;
            if !decided.deal.is_empty() {
                let plan = DealPlan::new(state.core()).ok()??;
                self.checks.verify_deal(&plan, &decided.deal).ok()?;
            }
            state = state.apply(&entry, &mut self.checks).ok()?.state;
            if let Some(alter) = self.alter {
                state.alter(alter);
            }
        }
        Some(state.core().clone())
    }

    /// After a fork a peer that is heard of is shown it. True when there is one.
    pub(super) fn answer_forked(&mut self, now: u64, from: PublicKey, height: u64) -> bool {
        let Some(fork) = self.watch.fork.clone() else { return false };
        if height < fork.height() {
            self.help(now, from, height);
        }
        if self.may_show(now, from, limits::RESEND_MS / 2) {
            self.send(To::One(from), &TableWire::Fork(fork));
        }
        true
    }

    /// After a fork nothing is said but that. True when there is one.
    pub(super) fn repeat_fork(&mut self, now: u64) -> bool {
        let Some(fork) = self.watch.fork.clone() else { return false };
        if now >= self.next_status {
            self.send(To::All, &TableWire::Fork(fork));
            self.next_status = now.saturating_add(limits::STATUS_MS);
        }
        self.next_resend = self.next_status;
        true
    }
}

/// Whether an entry of a log is decided by this certificate.
#[must_use]
pub(super) fn certifies(certificate: &agreement::Certificate, height: u64, entry: &[u8]) -> bool {
    certificate.height == height && certificate.value_id == value_id(entry)
}
