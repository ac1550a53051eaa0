//! What comes in from others: every check that a message has to pass, cheap ones first.

use std::collections::BTreeSet;

use ed25519_dalek::VerifyingKey;

use super::book::Stage;
use super::certificate::verify_quorum;
use super::height::Height;
use super::wire::{self, Message};
use super::{
    Error, Evidence, MAX_ROUND, MAX_ROUNDS_AHEAD, Place, Record, SignedProposal, SignedVote,
    VoteKind, Voter, value_id,
};

impl Height {
    fn key_of(&self, voter: Voter) -> Result<&VerifyingKey, Error> {
        self.cfg
            .electorate
            .iter()
            .find(|(member, _)| *member == voter)
            .map(|(_, key)| key)
            .ok_or(Error::NotAMember(voter))
    }

    pub(super) fn message(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match wire::decode(bytes, self.cfg.limits.value_bytes)? {
            Message::Proposal(signed, value) => self.proposal(signed, value),
            Message::Votes(votes) => self.several_votes(votes),
        }
    }

    pub(super) fn check_height(&self, got: u64) -> Result<(), Error> {
        let open = self.cfg.height;
        if got == open { Ok(()) } else { Err(Error::WrongHeight { got, open }) }
    }

    fn check_round(&self, round: u32, furthest: u32) -> Result<(), Error> {
        if round <= furthest {
            Ok(())
        } else {
            Err(Error::RoundTooFar { round, current: self.round() })
        }
    }

    /// A signature of this seat that it did not make means that somebody else has its key; or, where it lost
    /// its records, that it made it before.
    fn check_own(
        &mut self,
        author: Voter,
        round: u32,
        place: Place,
        statement: &[u8],
    ) -> Result<(), Error> {
        let mine = Some(author) == self.cfg.me && self.key.is_some();
        let known = self.guard.get(&(round, place)).map(Vec::as_slice);
        if !mine || known == Some(statement) {
            return Ok(());
        }
        if self.humble {
            if known.is_some() {
                return Err(Error::TooManyVotes(author));
            }
            self.stand_by(round, place, statement.to_vec());
            return Ok(());
        }
        self.stop_signing(Error::ForeignSignature);
        Err(Error::ForeignSignature)
    }

    /// Checks of a proposal that need no state but the configuration. Two scribes in one round
    /// would make the driver panic.
    fn check_proposal(&self, signed: &SignedProposal) -> Result<(), Error> {
        let proposal = &signed.proposal;
        let (round, proposer) = (proposal.round, proposal.proposer);
        self.check_height(proposal.height)?;
        if proposal.pol_round.is_some_and(|pol| pol >= round) {
            return Err(Error::BadPolRound { round });
        }
        let key = self.key_of(proposer)?;
        if proposer != self.proposer(round) {
            return Err(Error::WrongProposer { round, proposer });
        }
        let statement = proposal.statement(&self.cfg.domain);
        if !self.verifies(key, &statement, &signed.signature) {
            return Err(Error::BadSignature(proposer));
        }
        Ok(())
    }

    fn check_vote(&self, signed: &SignedVote) -> Result<(), Error> {
        let vote = &signed.vote;
        self.check_height(vote.height)?;
        let key = self.key_of(vote.voter)?;
        let statement = || vote.statement(&self.cfg.domain);
        if !self.votes.contains(vote) && !self.verifies(key, &statement(), &signed.signature) {
            return Err(Error::BadSignature(vote.voter));
        }
        Ok(())
    }

    fn proposal(&mut self, signed: SignedProposal, value: Vec<u8>) -> Result<(), Error> {
        let proposal = signed.proposal;
        let (round, id) = (proposal.round, proposal.value_id);
        self.check_round(round, self.round().saturating_add(MAX_ROUNDS_AHEAD))?;
        if self.proposals.get(round, id).is_some_and(|held| held.signed.proposal == proposal) {
            return Ok(());
        }
        self.check_proposal(&signed)?;
        if value_id(&value) != id {
            return Err(Error::ValueMismatch);
        }
        let statement = proposal.statement(&self.cfg.domain);
        self.check_own(proposal.proposer, round, Place::Propose, &statement)?;

        let first = self.proposals.first_of(signed);
        if first.proposal != proposal {
            self.accuse(Evidence::proposals(first, signed));
        }
        // The same value with another proof is evidence, not another proposal.
        if self.decided.is_some() || self.proposals.get(round, id).is_some() {
            return Ok(());
        }
        if !self.votes.proven(id, self.quorum()) {
            self.proposals.room(round, &id, value.len(), self.cfg.limits.held_bytes)?;
        }
        self.proposals.keep_value(id, value);
        self.proposals.insert(signed, Stage::Waiting);
        self.ask_verdicts();
        Ok(())
    }

    fn several_votes(&mut self, votes: Vec<SignedVote>) -> Result<(), Error> {
        let Some(first) = votes.first().map(|signed| signed.vote) else {
            return Err(Error::Malformed);
        };
        let seats = votes.iter().map(|signed| signed.vote.voter).collect::<BTreeSet<_>>().len();
        // Two seats in one round: somebody honest is there. Otherwise nobody far ahead is believed.
        let one_round = votes.iter().all(|signed| signed.vote.round == first.round);
        let furthest = if one_round && seats >= self.cfg.electorate.len().min(2) {
            MAX_ROUND
        } else {
            self.round().saturating_add(MAX_ROUNDS_AHEAD)
        };
        let certified = seats >= self.quorum()
            && first.value.is_some()
            && votes.iter().all(|signed| {
                let vote = &signed.vote;
                (vote.round, vote.kind, vote.value) == (first.round, first.kind, first.value)
            });
        for signed in &votes {
            self.check_round(signed.vote.round, furthest)?;
            self.check_vote(signed)?;
        }
        for signed in &votes {
            let vote = &signed.vote;
            let statement = vote.statement(&self.cfg.domain);
            self.check_own(vote.voter, vote.round, vote.kind.into(), &statement)?;
        }
        self.take_votes(votes, certified)
    }

    /// Whether a stored record can be given to the driver of this height.
    pub(super) fn check_record(&self, record: &Record) -> Result<(), Error> {
        let round = match record {
            Record::Value(_) | Record::Stopped => 0,
            Record::Propose { round, .. } => {
                if Some(self.proposer(*round)) != self.cfg.me {
                    return Err(Error::UnwantedValue { round: *round });
                }
                *round
            }
            Record::NewRound { round }
            | Record::Timeout { round, .. }
            | Record::Signed { round, .. } => *round,
            Record::Proposal { signed, .. } => {
                self.check_proposal(signed)?;
                signed.proposal.round
            }
            Record::Vote(signed) => {
                self.check_vote(signed)?;
                signed.vote.round
            }
            Record::Polka(certificate) | Record::Commit(certificate) => {
                let kind = match record {
                    Record::Polka(_) => VoteKind::Prevote,
                    _ => VoteKind::Precommit,
                };
                self.check_height(certificate.height)?;
                verify_quorum(&self.cfg.domain, &self.cfg.electorate, certificate, kind)?;
                certificate.round
            }
        };
        self.check_round(round, MAX_ROUND.saturating_add(MAX_ROUNDS_AHEAD))
    }
}
