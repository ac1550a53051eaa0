//! Feeding the driver, and what it answers.
//!
//! Every input is first recorded, then given to the driver; what the driver wants done becomes a
//! [`Task`]. Tasks are done in order and before anything else from outside is looked at. That is
//! what makes replay simple: tasks whose result is among the records are struck off, and those
//! left at the end were cut off by the crash.

use arc_malachitebft_core_driver::{Input as CoreInput, Output as CoreOutput};
use arc_malachitebft_core_types as core;
use core::{NilOrVal, Proposal as _, Round, Timeout, TimeoutKind, Validity, Vote as _, VoteType};

use super::book::{Kept, Stage};
use super::context::{CoreHeight, Ctx, Id, core_proposal, core_vote};
use super::height::{Decided, Height};
use super::wire::{encode_proposal, encode_votes};
use super::{
    Certificate, Error, Output, Place, Proposal, Record, SignedProposal, SignedVote, ValueId,
    Verdict, Vote, VoteKind, Voter,
};

/// Something that the driver wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Enter a round.
    Round(u32),
    /// Sign, store, send and count a vote.
    Vote(Vote),
    /// Sign, store, send and count a proposal.
    Proposal(Proposal),
}

impl Height {
    /// Records an input, gives it to the driver and does what follows from it.
    pub(super) fn feed(&mut self, record: Record) {
        self.outputs.push_back(Output::Persist(record.clone()));
        self.apply_or_fault(record);
        self.drain();
    }

    fn apply_or_fault(&mut self, record: Record) {
        if let Err(error) = self.apply(record) {
            self.fault.get_or_insert(error);
        }
    }

    /// Does what the driver wants done.
    pub(super) fn drain(&mut self) {
        while let Some(task) = self.tasks.pop_front() {
            if self.decided.is_some() {
                self.tasks.clear();
                return;
            }
            match task {
                Task::Round(round) => {
                    let record = Record::NewRound { round };
                    self.outputs.push_back(Output::Persist(record.clone()));
                    self.apply_or_fault(record);
                    self.ask_verdicts();
                }
                Task::Vote(vote) => self.cast(vote),
                Task::Proposal(proposal) => self.propose(proposal),
            }
        }
    }

    /// Signs and sends a vote, and counts it: the driver does not hear its own otherwise.
    pub(super) fn cast(&mut self, vote: Vote) {
        if self.key.is_none() {
            self.withheld.push(vote);
            return;
        }
        let statement = vote.statement(&self.cfg.domain);
        if !self.guard_allows(vote.round, vote.kind.into(), statement) {
            return;
        }
        let Some(key) = &self.key else { return };
        let signed = SignedVote::sign(vote, &self.cfg.domain, key);
        self.outputs.push_back(Output::Persist(Record::Vote(signed)));
        // Before it is counted: counting may decide the height, and the others need this vote.
        self.send(encode_votes(vec![signed]));
        self.apply_or_fault(Record::Vote(signed));
    }

    /// Signs and sends a proposal, and takes it as valid: the driver does not hear its own either.
    fn propose(&mut self, proposal: Proposal) {
        let statement = proposal.statement(&self.cfg.domain);
        if !self.may_propose() || !self.guard_allows(proposal.round, Place::Propose, statement) {
            return;
        }
        let Some(key) = &self.key else { return };
        let signed = SignedProposal::sign(proposal, &self.cfg.domain, key);
        self.record_value(proposal.value_id);
        let record = Record::Proposal { signed, verdict: Verdict::Valid };
        self.outputs.push_back(Output::Persist(record.clone()));
        self.send_proposal(&signed);
        self.apply_or_fault(record);
    }

    /// Whether that statement may be signed there: nothing was, or the same. A new one is recorded.
    fn guard_allows(&mut self, round: u32, place: Place, statement: Vec<u8>) -> bool {
        if !self.can_sign() {
            return false;
        }
        match self.guard.get(&(round, place)) {
            Some(signed) if *signed == statement => true,
            // What it said before stands, and was counted.
            Some(_) if self.humble => false,
            Some(_) => {
                self.stop_signing(Error::Contradiction { round });
                false
            }
            None => {
                self.guard.insert((round, place), statement.clone());
                self.outputs.push_back(Output::Persist(Record::Signed { round, place, statement }));
                true
            }
        }
    }

    /// Signs nothing more at this height, and says why.
    pub(super) fn stop_signing(&mut self, error: Error) {
        if !self.stopped {
            self.stopped = true;
            self.outputs.push_back(Output::Persist(Record::Stopped));
        }
        self.fault.get_or_insert(error);
    }

    /// Records the bytes of a value before the first record that names it.
    pub(super) fn record_value(&mut self, id: ValueId) {
        if let Some(bytes) = self.proposals.value(&id).cloned()
            && self.proposals.record_value(id)
        {
            self.outputs.push_back(Output::Persist(Record::Value(bytes)));
        }
    }

    /// Sends a message, if it could be encoded.
    pub(super) fn send(&mut self, encoded: Result<Vec<u8>, Error>) {
        match encoded {
            Ok(bytes) => self.outputs.push_back(Output::Send(bytes)),
            Err(error) => {
                self.fault.get_or_insert(error);
            }
        }
    }

    /// Sends a proposal with its value.
    pub(super) fn send_proposal(&mut self, signed: &SignedProposal) {
        if let Some(value) = self.proposals.value(&signed.proposal.value_id) {
            let encoded = encode_proposal(signed, value);
            self.send(encoded);
        }
    }

    /// Brings a record into effect, live or in a replay; makes no output but a decision.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver refuses; [`Error::ValueMismatch`] when a value is missing.
    pub(super) fn apply(&mut self, record: Record) -> Result<(), Error> {
        match record {
            Record::Value(bytes) => {
                let id = super::value_id(&bytes);
                self.proposals.record_value(id);
                self.proposals.keep_value(id, bytes);
                Ok(())
            }
            Record::NewRound { round } => {
                self.joined = true;
                self.value_wanted = None;
                self.timers.enter(round);
                let proposer = self.proposer(round).into();
                let height = CoreHeight(self.cfg.height);
                self.process(CoreInput::NewRound(height, Round::new(round), proposer))
            }
            Record::Propose { round, value_id } => {
                self.need_value(&value_id)?;
                self.value_wanted = None;
                self.process(CoreInput::ProposeValue(Round::new(round), Id(value_id)))
            }
            Record::Proposal { signed, verdict } => self.apply_proposal(signed, verdict),
            Record::Vote(signed) => {
                self.votes.insert(signed, false);
                self.process(CoreInput::Vote(core_vote(&signed)))
            }
            Record::Polka(certificate) => self.apply_certificate(&certificate, VoteKind::Prevote),
            Record::Commit(certificate) => {
                self.apply_certificate(&certificate, VoteKind::Precommit)
            }
            Record::Timeout { round, kind } => {
                self.timers.remove(round, kind);
                let kind = match kind {
                    Place::Propose => TimeoutKind::Propose,
                    Place::Prevote => TimeoutKind::Prevote,
                    Place::Precommit => TimeoutKind::Precommit,
                };
                self.process(CoreInput::TimeoutElapsed(Timeout::new(Round::new(round), kind)))
            }
            Record::Signed { round, place, statement } => {
                self.guard.insert((round, place), statement);
                Ok(())
            }
            Record::Stopped => {
                self.stopped = true;
                Ok(())
            }
        }
    }

    fn need_value(&self, id: &ValueId) -> Result<(), Error> {
        self.proposals.value(id).map(|_| ()).ok_or(Error::ValueMismatch)
    }

    /// A soft nil makes the driver prevote nil on an invalid proposal (line 26) and then takes the
    /// invalidity back at once: left invalid, it would not even be decided by a quorum.
    fn apply_proposal(&mut self, signed: SignedProposal, verdict: Verdict) -> Result<(), Error> {
        self.need_value(&signed.proposal.value_id)?;
        self.proposals.first_of(signed);
        self.proposals.insert(signed, Stage::Fed);
        let validities: &[Validity] = match verdict {
            Verdict::Valid => &[Validity::Valid],
            Verdict::SoftNil => &[Validity::Invalid, Validity::Valid],
            Verdict::Invalid => &[Validity::Invalid],
        };
        for &validity in validities {
            self.process(CoreInput::Proposal(core_proposal(&signed), validity))?;
        }
        Ok(())
    }

    fn apply_certificate(
        &mut self,
        certificate: &Certificate,
        kind: VoteKind,
    ) -> Result<(), Error> {
        for signed in certificate.votes(kind) {
            self.votes.insert(signed, true);
        }
        self.certified.insert((certificate.round, kind, certificate.value_id));
        let height = CoreHeight(self.cfg.height);
        let round = Round::new(certificate.round);
        let value_id = Id(certificate.value_id);
        let votes = certificate.votes(kind).map(|signed| core_vote(&signed)).collect();
        self.process(match kind {
            VoteKind::Prevote => CoreInput::PolkaCertificate(core::PolkaCertificate::new(
                height, round, value_id, votes,
            )),
            VoteKind::Precommit => CoreInput::CommitCertificate(
                core::ExtendedCommitCertificate::from_votes(height, round, value_id, votes),
            ),
        })
    }

    /// One input to the driver. A decided height has no driver any more.
    fn process(&mut self, input: CoreInput<Ctx>) -> Result<(), Error> {
        if self.decided.is_some() {
            return Ok(());
        }
        let outputs =
            self.driver.process(input).map_err(|error| Error::Driver(error.to_string()))?;
        for output in outputs {
            self.note(output);
        }
        Ok(())
    }

    fn note(&mut self, output: CoreOutput<Ctx>) {
        match output {
            CoreOutput::NewRound(_, Round::Some(round)) => self.tasks.push_back(Task::Round(round)),
            CoreOutput::Vote(vote) => {
                // An onlooker's driver votes too; there is no seat to say it for.
                if let (Some(voter), Round::Some(round)) = (self.cfg.me, vote.round()) {
                    self.tasks.push_back(Task::Vote(Vote {
                        height: self.cfg.height,
                        round,
                        kind: match vote.vote_type() {
                            VoteType::Prevote => VoteKind::Prevote,
                            VoteType::Precommit => VoteKind::Precommit,
                        },
                        value: match vote.value() {
                            NilOrVal::Nil => None,
                            NilOrVal::Val(id) => Some(id.0),
                        },
                        voter,
                    }));
                }
            }
            CoreOutput::Propose(proposal) => {
                if let (Some(proposer), Round::Some(round)) = (self.cfg.me, proposal.round()) {
                    self.tasks.push_back(Task::Proposal(Proposal {
                        height: self.cfg.height,
                        round,
                        pol_round: proposal.pol_round().as_u32(),
                        value_id: proposal.value().0,
                        proposer,
                    }));
                }
            }
            CoreOutput::ScheduleTimeout(timeout) => {
                let place = match timeout.kind {
                    TimeoutKind::Propose => Place::Propose,
                    TimeoutKind::Prevote => Place::Prevote,
                    TimeoutKind::Precommit => Place::Precommit,
                    TimeoutKind::Rebroadcast | TimeoutKind::FinalizeHeight(_) => return,
                };
                if let Round::Some(round) = timeout.round {
                    self.timers.add(round, place);
                }
            }
            CoreOutput::GetValue(_, round, _) => self.value_wanted = round.as_u32(),
            CoreOutput::Decide(_, proposal) => {
                if let Round::Some(round) = proposal.round() {
                    self.decide(round, proposal.value().0);
                }
            }
            CoreOutput::NewRound(_, Round::Nil) => {}
        }
    }

    /// The driver decided: hand out value and proof.
    fn decide(&mut self, round: u32, value_id: ValueId) {
        let Some(value) = self.proposals.value(&value_id).cloned() else {
            // Proposals enter the driver only with their bytes held.
            self.fault.get_or_insert(Error::ValueMismatch);
            return;
        };
        let signatures = self
            .votes
            .for_value(round, VoteKind::Precommit, value_id)
            .map(|signed| (signed.vote.voter, signed.signature))
            .collect();
        let certificate = Certificate { height: self.cfg.height, round, value_id, signatures };
        self.finish(certificate, value);
    }

    /// Ends the height.
    pub(super) fn finish(&mut self, certificate: Certificate, value: Vec<u8>) {
        self.outputs.push_back(Output::Decided {
            round: certificate.round,
            value: value.clone(),
            certificate: certificate.clone(),
        });
        self.timers.clear();
        self.tasks.clear();
        self.value_wanted = None;
        self.decided = Some(Decided { certificate, value, at: self.now });
    }

    /// The scribe of a round: one place further round the electorate each time.
    pub(super) fn proposer(&self, round: u32) -> Voter {
        let seats = self.cfg.electorate.len().max(1);
        let place = self.cfg.first_proposer.wrapping_add(round as usize) % seats;
        // The electorate is never empty, so the fallback is never taken.
        self.cfg.electorate.get(place).map_or(Voter(0), |(voter, _)| *voter)
    }

    /// Keeps votes that were verified, hands the new ones to the driver, and reports who
    /// contradicted itself.
    ///
    /// # Errors
    /// [`Error::TooManyVotes`] for those that found no room; the others are kept all the same.
    pub(super) fn take_votes(
        &mut self,
        votes: Vec<SignedVote>,
        certified: bool,
    ) -> Result<(), Error> {
        let mut result = Ok(());
        let mut fresh = Vec::new();
        let mut touched = Vec::new();
        for signed in votes {
            match self.votes.insert(signed, certified) {
                Kept::Known => continue,
                Kept::First => fresh.push(signed),
                Kept::Second(first) => self.accuse(super::Evidence::votes(first, signed)),
                Kept::Full => {
                    result = Err(Error::TooManyVotes(signed.vote.voter));
                    continue;
                }
            }
            let vote = &signed.vote;
            if let Some(value) = vote.value {
                touched.push((vote.round, vote.kind, value));
            }
        }
        if self.decided.is_some() {
            return result;
        }
        if !self.joined {
            let needed = if self.cfg.electorate.len() >= 4 { 2 } else { 1 };
            if self.votes.seats() >= needed {
                self.join();
            }
            return result;
        }
        for signed in fresh {
            if self.decided.is_none() {
                self.feed(Record::Vote(signed));
            }
        }
        for (round, kind, value) in touched {
            self.feed_certificate(round, kind, value);
        }
        result
    }

    /// Gives the driver a quorum whole when it cannot count it: a liar's first vote was another.
    pub(super) fn feed_certificate(&mut self, round: u32, kind: VoteKind, value_id: ValueId) {
        let quorum = self.quorum();
        if self.decided.is_some()
            || self.votes.count(round, kind, Some(value_id)) >= quorum
            || self.certified.contains(&(round, kind, value_id))
        {
            return;
        }
        let signatures: Vec<_> = self
            .votes
            .for_value(round, kind, value_id)
            .map(|signed| (signed.vote.voter, signed.signature))
            .collect();
        if signatures.len() < quorum {
            return;
        }
        let certificate = Certificate { height: self.cfg.height, round, value_id, signatures };
        self.feed(match kind {
            VoteKind::Prevote => Record::Polka(certificate),
            VoteKind::Precommit => Record::Commit(certificate),
        });
    }

    /// Starts round 0 and hands over what was heard before.
    pub(super) fn join(&mut self) {
        if self.joined || self.decided.is_some() {
            return;
        }
        self.joined_at = Some(self.now);
        self.next_resend = Some(self.now.saturating_add(super::RESEND_MS));
        for held in self.proposals.iter_mut() {
            if held.stage == Stage::Rejected {
                held.stage = Stage::Waiting;
            }
        }
        let heard: Vec<_> = self.votes.firsts().copied().collect();
        self.tasks.push_back(Task::Round(0));
        self.drain();
        // After the round began: a threshold that is passed before it is lost.
        for signed in heard {
            if self.decided.is_none() {
                self.feed(Record::Vote(signed));
            }
        }
        for (round, kind, value) in self.votes.values() {
            self.feed_certificate(round, kind, value);
        }
    }

    /// Asks for verdicts on the proposals whose round has come. Earlier ones would be judged by
    /// soft rules that may no longer speak against them when it comes.
    pub(super) fn ask_verdicts(&mut self) {
        let current = self.round();
        let joined = self.joined;
        let mut asked = Vec::new();
        for held in self.proposals.iter_mut() {
            if held.stage == Stage::Waiting && (!joined || held.signed.proposal.round <= current) {
                held.stage = Stage::Asked;
                asked.push(held.signed.proposal);
            }
        }
        for proposal in asked {
            if let Some(bytes) = self.proposals.value(&proposal.value_id).cloned() {
                self.outputs.push_back(Output::NeedVerdict {
                    round: proposal.round,
                    value_id: proposal.value_id,
                    bytes,
                    proposer: proposal.proposer,
                    fresh: proposal.pol_round.is_none(),
                });
            }
        }
    }
}
