//! The object that a caller drives: one height from its first vote to its decision.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use arc_malachitebft_core_driver::{Driver, Step, ThresholdParams};
use arc_malachitebft_core_types::ThresholdParam;
use ed25519_dalek::{SigningKey, VerifyingKey};

use super::book::{Proposals, Stage, Votes};
use super::context::{Address, CoreHeight, Ctx, Members};
use super::machine::Task;
use super::timers::{MAX_TIMEOUT_MS, MIN_TIMEOUT_MS, Timers};
use super::wire::verify;
use super::{
    Certificate, ConfigError, Error, Evidence, HeightConfig, Input, MAX_ELECTORATE, Output, Place,
    Record, SLEEP_GAP_MS, SignatureBytes, Signatures, SignedVote, ValueId, Verdict, Vote, VoteKind,
    Voter, quorum, value_id, verify_certificate,
};

/// What was decided, and when by the caller's clock.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    pub(super) certificate: Certificate,
    pub(super) value: Vec<u8>,
    pub(super) at: u64,
}

/// One height of agreement. See the [module](super) for how to drive it.
pub struct Height {
    pub(super) cfg: HeightConfig,
    pub(super) key: Option<SigningKey>,
    pub(super) driver: Driver<Ctx>,
    pub(super) votes: Votes,
    pub(super) proposals: Proposals,
    /// Quorums that the driver was given whole.
    pub(super) certified: BTreeSet<(u32, VoteKind, ValueId)>,
    /// What this node signed where.
    pub(super) guard: BTreeMap<(u32, Place), Vec<u8>>,
    /// Whether signing stopped.
    pub(super) stopped: bool,
    /// Votes that a seat without its records would have given: they may contradict what it gave before.
    pub(super) withheld: Vec<Vote>,
    /// Whether this node signs here although it may have signed before: what others know of that stands.
    pub(super) humble: bool,
    accused: BTreeSet<Voter>,
    pub(super) timers: Timers,
    suspended: bool,
    /// The time of the latest call, in milliseconds; none before the first.
    called: Option<u64>,
    pub(super) now: u64,
    pub(super) joined: bool,
    pub(super) joined_at: Option<u64>,
    pub(super) next_resend: Option<u64>,
    /// The round that the driver wants a value for, and the one that the caller was asked for.
    pub(super) value_wanted: Option<u32>,
    value_asked: Option<u32>,
    pub(super) tasks: VecDeque<Task>,
    pub(super) outputs: VecDeque<Output>,
    /// The first thing that went wrong on the way, for the call to return.
    pub(super) fault: Option<Error>,
    pub(super) decided: Option<Decided>,
    signatures: Option<Signatures>,
}

impl std::fmt::Debug for Height {
    /// Without keys and values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Height")
            .field("height", &self.cfg.height)
            .field("me", &self.cfg.me)
            .field("round", &self.driver.round())
            .field("step", &self.driver.step())
            .field("joined", &self.joined)
            .field("decided", &self.decided.is_some())
            .finish_non_exhaustive()
    }
}

impl Height {
    /// A height that nothing has happened at. Without a key this node follows and never signs:
    /// onlookers, and a seat that lost its records.
    ///
    /// # Errors
    /// [`ConfigError`] when the configuration contradicts itself.
    pub fn new(cfg: HeightConfig, key: Option<SigningKey>) -> Result<Self, ConfigError> {
        check(&cfg, key.as_ref())?;
        let seats = cfg.electorate.len();
        // A quorum is "more than (Q - 1)/n" to the driver; two messages show somebody honest where
        // one may lie, one message does where none may.
        let thresholds = ThresholdParams {
            quorum: ThresholdParam::new(quorum(seats) as u64 - 1, seats as u64),
            honest: ThresholdParam::new(u64::from(seats >= 4), seats as u64),
        };
        let driver = Driver::new(
            Ctx,
            CoreHeight(cfg.height),
            Members::new(cfg.electorate.iter().map(|(voter, _)| *voter)),
            cfg.me.map_or(Address::ONLOOKER, Address::from),
            thresholds,
        );
        Ok(Self {
            timers: Timers::new(cfg.propose_timeout_ms),
            cfg,
            key,
            driver,
            votes: Votes::default(),
            proposals: Proposals::default(),
            certified: BTreeSet::new(),
            guard: BTreeMap::new(),
            stopped: false,
            withheld: Vec::new(),
            humble: false,
            accused: BTreeSet::new(),
            suspended: false,
            called: None,
            now: 0,
            joined: false,
            joined_at: None,
            next_resend: None,
            value_wanted: None,
            value_asked: None,
            tasks: VecDeque::new(),
            outputs: VecDeque::new(),
            fault: None,
            decided: None,
            signatures: None,
        })
    }

    /// Checks signatures together with other nodes of this process.
    #[must_use]
    pub fn sharing(self, signatures: Option<Signatures>) -> Self {
        Self { signatures, ..self }
    }

    /// Whether a signature is that of a key.
    pub(super) fn verifies(
        &self,
        key: &VerifyingKey,
        statement: &[u8],
        signature: &SignatureBytes,
    ) -> bool {
        match &self.signatures {
            Some(shared) => shared.verify(key, statement, signature),
            None => verify(key, statement, signature),
        }
    }

    /// A height as it was when the last of the stored records became durable. What they led to is
    /// not said again, but whatever the crash cut off is done at the next call, and resending
    /// starts with it. A decision that was already reached is given out again.
    ///
    /// # Errors
    /// [`ConfigError`]; [`ConfigError::Record`] names a record that is not of this height.
    pub fn replay(
        cfg: HeightConfig,
        key: Option<SigningKey>,
        records: impl Iterator<Item = Record>,
    ) -> Result<Self, ConfigError> {
        let mut height = Self::new(cfg, key)?;
        for (index, record) in records.enumerate() {
            let wrong = |error| ConfigError::Record { index, error: Box::new(error) };
            height.check_record(&record).map_err(wrong)?;
            // Struck off: this is what came of the task.
            let done = match &record {
                Record::NewRound { round } => Some(Task::Round(*round)),
                Record::Vote(signed) => Some(Task::Vote(signed.vote)),
                Record::Proposal { signed, .. } => Some(Task::Proposal(signed.proposal)),
                _ => None,
            };
            height.tasks.retain(|task| Some(task) != done.as_ref());
            height.apply(record).map_err(wrong)?;
        }
        Ok(height)
    }

    /// Takes one input at time `now` (milliseconds of any clock that does not go back), then does
    /// what has become due. Drain [`Self::poll_output`] after it, also after an error.
    ///
    /// # Errors
    /// [`enum@Error`] when the input was refused, or signing stopped; the height goes on either way.
    pub fn handle(&mut self, now: u64, input: Input) -> Result<(), Error> {
        self.now = self.now.max(now);
        let slept = self.called.is_some_and(|last| self.now.saturating_sub(last) > SLEEP_GAP_MS);
        self.called = Some(self.now);
        if slept || self.suspended {
            self.timers.halt();
        }
        self.drain();
        let result = self.input(input);
        self.drain();
        self.run_timers();
        self.ask_verdicts_if_joined();
        self.ask_value();
        self.resend_if_due();
        let fault = self.fault.take();
        result.and(fault.map_or(Ok(()), Err))
    }

    /// The next thing to do, first in first out.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to call [`Self::handle`] again at the latest, in the caller's milliseconds; none while
    /// nothing is open.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<u64> {
        if self.decided.is_some() {
            return None;
        }
        if !self.tasks.is_empty() || (self.timers.unstarted() && !self.suspended) {
            return Some(self.now);
        }
        let timer = if self.suspended { None } else { self.timers.next_due() };
        let resend = self.joined.then(|| self.next_resend.unwrap_or(self.now));
        timer.into_iter().chain(resend).min()
    }

    /// A message of a height that is decided: kept for evidence, which is returned when it shows
    /// that somebody contradicted itself. None while the height is open.
    pub fn late_message(&mut self, bytes: &[u8]) -> Option<Evidence> {
        self.decided.as_ref()?;
        let before = self.outputs.len();
        // Whatever is wrong with it, a late message changes nothing.
        let _refused = self.message(bytes);
        self.fault = None;
        let mut found = None;
        for output in self.outputs.split_off(before) {
            match output {
                Output::Evidence(evidence) if found.is_none() => found = Some(evidence),
                other => self.outputs.push_back(other),
            }
        }
        found
    }

    /// The timeout for the next height, in milliseconds: what this one needed, and the shortest
    /// again once a height is decided in its first round within the shortest timeout.
    #[must_use]
    pub fn next_propose_timeout_ms(&self) -> u64 {
        let Some(decided) = &self.decided else {
            return self.timers.duration_ms(self.round());
        };
        let quick = match self.joined_at {
            Some(joined) => decided.at.saturating_sub(joined) <= MIN_TIMEOUT_MS,
            None => false,
        };
        if quick && self.round() == 0 {
            MIN_TIMEOUT_MS
        } else {
            self.timers.duration_ms(self.round()).min(MAX_TIMEOUT_MS)
        }
    }

    /// What was decided: the proof and the value.
    #[must_use]
    pub fn decided(&self) -> Option<(&Certificate, &[u8])> {
        self.decided.as_ref().map(|decided| (&decided.certificate, decided.value.as_slice()))
    }

    /// The round this node is in; 0 before it joined.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.driver.round().as_u32().unwrap_or(0)
    }

    /// Whether this node takes part in the open height, or did.
    #[must_use]
    pub fn joined(&self) -> bool {
        self.joined
    }

    /// Whether this node still signs here.
    #[must_use]
    pub fn can_sign(&self) -> bool {
        self.key.is_some() && self.cfg.me.is_some() && !self.stopped
    }

    /// Whether this node may propose. Where it may have proposed something else before, only in a later round:
    /// whoever is in that has joined, and sends again what was proposed there.
    pub(super) fn may_propose(&self) -> bool {
        self.can_sign() && (!self.humble || self.round() > 0)
    }

    /// Whether this node has signed something in that place, by its records.
    #[must_use]
    pub fn has_signed(&self, round: u32, place: Place) -> bool {
        self.guard.contains_key(&(round, place))
    }

    /// A seat that lost its records, and listened here until now, votes after all: the height cannot be
    /// decided without it. What others have sent meanwhile of what it has said stands.
    /// Nothing happens where it has no seat, or the key is not that of its seat. Drain
    /// [`Self::poll_output`] after it.
    pub fn speak_up(&mut self, key: SigningKey) {
        let Some(me) = self.cfg.me.filter(|_| self.key.is_none()) else { return };
        if check(&self.cfg, Some(&key)).is_err() {
            return;
        }
        self.key = Some(key);
        self.humble = true;
        let own: Vec<Vote> =
            self.votes.firsts().map(|signed| signed.vote).filter(|vote| vote.voter == me).collect();
        for vote in own {
            let statement = vote.statement(&self.cfg.domain);
            self.stand_by(vote.round, vote.kind.into(), statement);
        }
        for proposal in self.proposals.firsts().filter(|p| p.proposer == me).collect::<Vec<_>>() {
            let statement = proposal.statement(&self.cfg.domain);
            self.stand_by(proposal.round, Place::Propose, statement);
        }
        for vote in std::mem::take(&mut self.withheld) {
            self.cast(vote);
        }
        self.drain();
    }

    /// What this seat said before its records were lost: it holds to it.
    pub(super) fn stand_by(&mut self, round: u32, place: Place, statement: Vec<u8>) {
        if self.guard.insert((round, place), statement.clone()).is_none() {
            self.outputs.push_back(Output::Persist(Record::Signed { round, place, statement }));
        }
    }

    /// What this height was made with.
    #[must_use]
    pub fn config(&self) -> &HeightConfig {
        &self.cfg
    }

    /// All votes heard at this height, all verified. With three voters two certificates of one
    /// height need not name the liar; the votes of all rounds may.
    pub fn votes(&self) -> impl Iterator<Item = &SignedVote> {
        self.votes.iter()
    }

    /// After the decision: a quorum of precommits for another value, where the votes heard here hold one.
    #[must_use]
    pub fn conflict(&self) -> Option<Certificate> {
        let decided = self.decided.as_ref()?.certificate.value_id;
        self.votes.values().into_iter().find_map(|(round, kind, value_id)| {
            if kind != VoteKind::Precommit || value_id == decided {
                return None;
            }
            let signatures: Vec<_> = self
                .votes
                .for_value(round, kind, value_id)
                .map(|signed| (signed.vote.voter, signed.signature))
                .collect();
            let enough = signatures.len() >= self.quorum();
            enough.then_some(Certificate { height: self.cfg.height, round, value_id, signatures })
        })
    }

    /// The quorum of this height's electorate.
    pub(super) fn quorum(&self) -> usize {
        quorum(self.cfg.electorate.len())
    }

    /// Reports evidence, once per voter; never against this node, which has other remedies.
    pub(super) fn accuse(&mut self, evidence: Evidence) {
        let accused = evidence.accused();
        if Some(accused) != self.cfg.me && self.accused.insert(accused) {
            self.outputs.push_back(Output::Evidence(evidence));
        }
    }

    fn input(&mut self, input: Input) -> Result<(), Error> {
        match input {
            Input::Pending => self.join(),
            Input::Value { round, bytes } => return self.value(round, bytes),
            Input::Message(bytes) => return self.message(&bytes),
            Input::Verdict { round, value_id, verdict } => {
                return self.verdict(round, value_id, verdict);
            }
            Input::Certified { certificate, value } => return self.adopt(certificate, value),
            Input::Suspend(suspended) => {
                self.suspended = suspended;
                if suspended {
                    self.timers.halt();
                }
            }
            Input::Tick => {}
        }
        Ok(())
    }

    /// Asks the scribe for a value, once per round and again after a crash.
    fn ask_value(&mut self) {
        if let Some(round) = self.value_wanted
            && self.value_asked != Some(round)
            && self.driver.step() == Step::Propose
            && self.may_propose()
        {
            self.value_asked = Some(round);
            self.outputs.push_back(Output::NeedValue { round });
        }
    }

    fn ask_verdicts_if_joined(&mut self) {
        if self.joined && self.decided.is_none() {
            self.ask_verdicts();
        }
    }

    /// Lets elapse what is due. A quorum of nil precommits ends the round without waiting: no
    /// value can get a quorum any more.
    fn run_timers(&mut self) {
        while self.decided.is_none() && !self.suspended {
            self.timers.start(self.now);
            let quorum = self.quorum();
            let elapsed = self.timers.elapsed(self.now, |round, place| {
                place == Place::Precommit
                    && self.votes.count(round, VoteKind::Precommit, None) >= quorum
            });
            let Some((round, kind)) = elapsed else { break };
            self.timers.remove(round, kind);
            let waited_for = match kind {
                Place::Propose => self.driver.step() == Step::Propose,
                Place::Prevote => self.driver.step() == Step::Prevote,
                Place::Precommit => true,
            };
            if waited_for && round == self.round() {
                self.feed(Record::Timeout { round, kind });
            }
        }
    }

    fn value(&mut self, round: u32, bytes: Vec<u8>) -> Result<(), Error> {
        let asked = self.value_wanted == Some(round) && self.value_asked == Some(round);
        if !asked || self.driver.step() != Step::Propose || !self.may_propose() {
            return Err(Error::UnwantedValue { round });
        }
        let limit = self.cfg.limits.value_bytes;
        if bytes.len() > limit {
            return Err(Error::TooLarge { len: bytes.len(), limit });
        }
        let value_id = value_id(&bytes);
        self.proposals.keep_value(value_id, bytes);
        self.record_value(value_id);
        self.feed(Record::Propose { round, value_id });
        Ok(())
    }

    fn verdict(&mut self, round: u32, value_id: ValueId, verdict: Verdict) -> Result<(), Error> {
        let joined = self.joined;
        let open = self.decided.is_none();
        let held = match self.proposals.get_mut(round, value_id) {
            Some(held) if held.stage == Stage::Asked && open => held,
            _ => return Err(Error::UnwantedVerdict { round }),
        };
        let signed = held.signed;
        if !joined && verdict == Verdict::Invalid {
            // No reason to open the height. The driver hears of it if there is another.
            held.stage = Stage::Rejected;
            return Ok(());
        }
        self.join();
        if round > self.round() {
            // Joined by it, but its round is still to come: it is judged then.
            self.proposals.insert(signed, Stage::Waiting);
            return Ok(());
        }
        // Soft rules are for fresh values that nothing speaks for yet.
        let fresh =
            signed.proposal.pol_round.is_none() && !self.votes.proven(value_id, self.quorum());
        let verdict = match verdict {
            Verdict::SoftNil if !fresh => Verdict::Valid,
            given => given,
        };
        self.proposals.insert(signed, Stage::Fed);
        if self.decided.is_none() {
            self.record_value(value_id);
            self.feed(Record::Proposal { signed, verdict });
        }
        Ok(())
    }

    fn adopt(&mut self, certificate: Certificate, value: Vec<u8>) -> Result<(), Error> {
        self.check_height(certificate.height)?;
        let limit = self.cfg.limits.value_bytes;
        if value.len() > limit {
            return Err(Error::TooLarge { len: value.len(), limit });
        }
        verify_certificate(&self.cfg.domain, &self.cfg.electorate, &certificate)?;
        if value_id(&value) != certificate.value_id {
            return Err(Error::ValueMismatch);
        }
        if self.decided.is_none() {
            self.finish(certificate.clone(), value);
        }
        // Its votes may contradict others that were heard here.
        self.take_votes(certificate.votes(VoteKind::Precommit).collect(), true)
    }
}

fn check(cfg: &HeightConfig, key: Option<&SigningKey>) -> Result<(), ConfigError> {
    let seats = cfg.electorate.len();
    if !(1..=MAX_ELECTORATE).contains(&seats) {
        return Err(ConfigError::Electorate(seats));
    }
    for ((before, _), (after, _)) in cfg.electorate.iter().zip(cfg.electorate.iter().skip(1)) {
        if before >= after {
            return Err(ConfigError::Order(*after));
        }
    }
    if cfg.first_proposer >= seats {
        return Err(ConfigError::FirstProposer { index: cfg.first_proposer, seats });
    }
    let own = match cfg.me {
        Some(me) => match cfg.electorate.iter().find(|(voter, _)| *voter == me) {
            Some((_, own)) => Some(own),
            None => return Err(ConfigError::NotAMember(me)),
        },
        None => None,
    };
    match (key, own) {
        (Some(key), Some(own)) if key.verifying_key() == *own => Ok(()),
        (Some(_), _) => Err(ConfigError::Key),
        (None, _) => Ok(()),
    }
}
