//! Sending again what an open height needs. The driver says everything once; messages get lost.

use super::height::Height;
use super::wire::encode_votes;
use super::{RESEND_MS, SignedVote, VoteKind};

impl Height {
    /// Sends everything that somebody behind this node may lack, every [`RESEND_MS`]:
    /// the votes that let it enter its round, the valid value's quorum of prevotes with its
    /// proposal, the current proposal, and the votes of its round. Own votes alone would leave
    /// two seats of two waiting for each other.
    pub(super) fn resend_if_due(&mut self) {
        if !self.joined || self.decided.is_some() {
            return;
        }
        // After a replay there is no appointment yet: whatever the crash swallowed goes out now.
        if self.next_resend.is_some_and(|due| due > self.now) {
            return;
        }
        self.next_resend = Some(self.now.saturating_add(RESEND_MS));
        if self.cfg.me.is_none() {
            // Onlookers keep the appointment only so as not to be taken for asleep.
            return;
        }
        let round = self.round();

        let entered = self.round_certificate(round);
        self.send_votes(entered);

        if let Some(valid) = self.driver.valid_value()
            && let Some(polka_round) = valid.round.as_u32()
        {
            let id = valid.value.0;
            if polka_round < round
                && let Some(held) = self.proposals.get(polka_round, id).copied()
            {
                self.send_proposal(&held.signed);
            }
            let polka = self.votes.for_value(polka_round, VoteKind::Prevote, id).collect();
            self.send_votes(polka);
        }

        let current: Vec<_> = self.proposals.of_round(round).map(|held| held.signed).collect();
        for signed in current {
            // It is the one large thing: not to those who all voted for it.
            let id = signed.proposal.value_id;
            let heard = self.votes.for_value(round, VoteKind::Prevote, id).count();
            if heard < self.cfg.electorate.len() {
                self.send_proposal(&signed);
            }
        }

        // Each in a message of its own: what a liar says of a round to come must not keep this node's own
        // votes from being read. Who lost its records hears from the others' what it has said itself.
        for round in [round, round.saturating_add(1)] {
            let (own, others) = [VoteKind::Prevote, VoteKind::Precommit]
                .into_iter()
                .flat_map(|kind| self.votes.firsts_of(round, kind))
                .partition(|signed| Some(signed.vote.voter) == self.cfg.me);
            self.send_votes(own);
            self.send_votes(others);
        }
    }

    /// Why this node is in its round: a quorum of precommits of the round before, or votes of
    /// others in it. Nothing for round 0.
    fn round_certificate(&self, round: u32) -> Vec<SignedVote> {
        let Some(before) = round.checked_sub(1) else {
            return Vec::new();
        };
        let precommits = self.votes.firsts_of(before, VoteKind::Precommit);
        if precommits.len() >= self.quorum() {
            return precommits;
        }
        let mut votes = self.votes.firsts_of(round, VoteKind::Prevote);
        votes.extend(self.votes.firsts_of(round, VoteKind::Precommit));
        votes
    }

    fn send_votes(&mut self, votes: Vec<SignedVote>) {
        if !votes.is_empty() {
            self.send(encode_votes(votes));
        }
    }
}
