//! Lies in the agreement: votes and proposals.

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trinka::rules::Seat;
use trinka::table::TableWire;
use trinka::table::agreement::{SignedProposal, SignedVote, Vote, VoteKind, Voter, value_id};
use trinka::table::message::{Entry, Free, Payload};
use trinka::wire;

use super::{Cheat, Ctx, Liar, Part, Told};

/// The signed part of a message of the agreement; a proposal's value follows it.
#[derive(Serialize, Deserialize)]
pub enum Head {
    Proposal(SignedProposal),
    Votes(Vec<SignedVote>),
}

pub fn read(bytes: &[u8]) -> Option<(Head, Vec<u8>)> {
    let (head, used) = wire::decode_prefix::<Head>(bytes).ok()?;
    Some((head, bytes[used..].to_vec()))
}

pub fn write(height: u64, head: &Head, value: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = wire::encode(head).ok()?;
    bytes.extend_from_slice(value);
    wire::encode(&TableWire::Agreement { height, bytes }).ok()
}

/// A message without the votes and proposals of one seat; nothing when nothing is left.
pub fn without_mine(bytes: Vec<u8>, me: Option<Seat>) -> Option<Vec<u8>> {
    let Some(me) = me.map(|s| Voter(s.0)) else { return Some(bytes) };
    match read(&bytes) {
        Some((Head::Proposal(signed), _)) if signed.proposal.proposer == me => None,
        Some((Head::Votes(votes), _)) if votes.iter().any(|v| v.vote.voter == me) => {
            let votes: Vec<_> = votes.into_iter().filter(|v| v.vote.voter != me).collect();
            if votes.is_empty() { None } else { wire::encode(&Head::Votes(votes)).ok() }
        }
        _ => Some(bytes),
    }
}

fn in_order(ctx: &Ctx<'_>, entry: &mut Entry) {
    let core = ctx.table.state().core();
    entry.messages.sort_by_key(|m| {
        let seat = m.read(ctx.log).ok().and_then(|b| core.seat_of(&b.author));
        (seat, m.id())
    });
}

impl Ctx<'_> {
    pub fn vote(&self, vote: Vote) -> SignedVote {
        SignedVote::sign(vote, &self.log.0, &self.id.signing_key())
    }
}

impl Liar {
    pub(super) fn agreement(
        &mut self,
        ctx: &Ctx<'_>,
        targets: &[usize],
        height: u64,
        inner: Vec<u8>,
    ) -> Vec<Told> {
        let as_is = wire::encode(&TableWire::Agreement { height, bytes: inner.clone() });
        let plain = |t: &usize| as_is.as_ref().ok().map(|b| (0, *t, b.clone()));
        let all_plain = || targets.iter().filter_map(plain).collect::<Vec<_>>();
        let Some(me) = ctx.seat().map(|s| Voter(s.0)) else { return all_plain() };
        match read(&inner) {
            Some((Head::Votes(votes), _)) => {
                if self.kind == Cheat::Mute(Part::Votes) {
                    self.met += 1;
                    return Vec::new();
                }
                self.votes(ctx, targets, height, &votes, me)
            }
            Some((Head::Proposal(signed), value)) if signed.proposal.proposer == me => {
                if self.kind == Cheat::Mute(Part::Proposals) {
                    self.met += 1;
                    return Vec::new();
                }
                self.proposal(ctx, targets, height, signed, &value).unwrap_or_else(all_plain)
            }
            _ => all_plain(),
        }
    }

    fn votes(
        &mut self,
        ctx: &Ctx<'_>,
        targets: &[usize],
        height: u64,
        votes: &[SignedVote],
        me: Voter,
    ) -> Vec<Told> {
        let mut all = Vec::new();
        let quiet = |v: &SignedVote| v.vote.voter == me && v.vote.round == 0;
        for target in targets {
            let second = self.half(*target);
            let mut told: Vec<SignedVote> = Vec::with_capacity(votes.len());
            let mut other: Vec<SignedVote> = Vec::new();
            for signed in votes {
                let mut vote = signed.vote;
                if vote.voter != me {
                    told.push(*signed);
                    continue;
                }
                if self.kind == Cheat::NilVotes && quiet(signed) {
                    continue;
                }
                let swapped = vote.value.and_then(|id| self.values.get(&id)).map(|(id, _)| *id);
                let everywhere = matches!(self.kind, Cheat::Hide | Cheat::Hasty | Cheat::False(_));
                if let Some(id) = swapped
                    && (everywhere || second)
                {
                    vote.value = Some(id);
                }
                let lie = Vote {
                    value: match vote.value {
                        Some(_) if self.rng.random_bool(0.5) => None,
                        _ => Some(self.rng.random()),
                    },
                    ..vote
                };
                match self.kind {
                    Cheat::TwoVotes => {
                        self.met += 1;
                        self.provable |= height == ctx.table.state().core().height;
                        other.push(ctx.vote(lie));
                    }
                    Cheat::SplitVotes if second => {
                        self.met += 1;
                        vote = lie;
                    }
                    _ => {}
                }
                told.push(if vote == signed.vote { *signed } else { ctx.vote(vote) });
            }
            for list in [told, other] {
                if !list.is_empty()
                    && let Some(bytes) = write(height, &Head::Votes(list), &[])
                {
                    all.push((0, *target, bytes));
                }
            }
        }
        all
    }

    /// As scribe.
    fn proposal(
        &mut self,
        ctx: &Ctx<'_>,
        targets: &[usize],
        height: u64,
        signed: SignedProposal,
        value: &[u8],
    ) -> Option<Vec<Told>> {
        let everywhere = match self.kind {
            Cheat::Hide | Cheat::Hasty | Cheat::False(_) => true,
            Cheat::SplitBrain | Cheat::FloodProposals => false,
            _ => return None,
        };
        let id = signed.proposal.value_id;
        let fresh = signed.proposal.pol_round.is_none();
        if !self.values.contains_key(&id) && fresh {
            let other = self.other_value(ctx, value);
            if self.values.len() > 50 {
                self.values.clear();
            }
            if let Some(other) = other {
                self.values.insert(id, (value_id(&other), other));
            }
        }
        let (other_id, other) = self.values.get(&id)?.clone();
        self.met += 1;
        let mut proposal = signed.proposal;
        proposal.value_id = other_id;
        let key = ctx.id.signing_key();
        let second = SignedProposal::sign(proposal, &ctx.log.0, &key);
        let first = write(height, &Head::Proposal(signed), value)?;
        let second = write(height, &Head::Proposal(second), &other)?;
        let mut all = Vec::new();
        for target in targets {
            if self.kind == Cheat::FloodProposals {
                all.push((0, *target, first.clone()));
                all.push((0, *target, second.clone()));
                for n in 0..8u8 {
                    let mut junk = proposal;
                    let value = vec![n; 40];
                    junk.value_id = value_id(&value);
                    let junk = SignedProposal::sign(junk, &ctx.log.0, &key);
                    all.extend(
                        write(height, &Head::Proposal(junk), &value).map(|b| (0, *target, b)),
                    );
                }
                self.provable |= height == ctx.table.state().core().height;
            } else if everywhere || self.half(*target) {
                all.push((0, *target, second.clone()));
            } else {
                all.push((0, *target, first.clone()));
            }
        }
        Some(all)
    }

    /// Another entry that might be decided as well.
    fn other_value(&mut self, ctx: &Ctx<'_>, value: &[u8]) -> Option<Vec<u8>> {
        let mut entry: Entry = wire::decode(value).ok()?;
        let me = ctx.id.public();
        match self.kind {
            Cheat::Hide => {
                let others: Vec<usize> = entry
                    .messages
                    .iter()
                    .enumerate()
                    .filter(|(_, m)| m.read(ctx.log).is_ok_and(|b| b.author != me))
                    .map(|(i, _)| i)
                    .collect();
                if others.is_empty() || entry.messages.len() < 2 {
                    return None;
                }
                entry.messages.remove(others[self.rng.random_range(0..others.len())]);
            }
            Cheat::Hasty => {
                let absent = super::spontaneous::hasty(ctx, &mut self.rng)?;
                entry.messages.push(ctx.sign(absent)?);
                in_order(ctx, &mut entry);
            }
            // Whoever is told a lie is told the same one by the entry.
            Cheat::False(_) => {
                let mut lied = false;
                for message in &mut entry.messages {
                    if let Some(lie) = self.lies.get(&message.id()).and_then(|l| l.first()) {
                        *message = lie.clone();
                        lied = true;
                    }
                }
                if !lied {
                    return None;
                }
                in_order(ctx, &mut entry);
            }
            _ if entry.messages.len() > 1 => {
                let at = self.rng.random_range(0..entry.messages.len());
                entry.messages.remove(at);
            }
            _ => {
                let nonce = ctx.table.state().core().seats.get(&ctx.seat()?)?.nonce;
                let leave = Payload::Free { nonce, free: Free::Leave };
                entry.messages = vec![ctx.sign(leave)?];
            }
        }
        wire::encode(&entry).ok()
    }

    /// Votes that nobody asked for.
    pub(super) fn odd_votes(&mut self, ctx: &Ctx<'_>) -> Vec<Told> {
        let Some(me) = ctx.seat().map(|s| Voter(s.0)) else { return Vec::new() };
        let height = ctx.table.state().core().height;
        let mut votes: Vec<SignedVote> = Vec::new();
        let nil = |round, kind| Vote { height, round, kind, value: None, voter: me };
        match self.kind {
            Cheat::NilVotes => {
                if self.nil_voted.insert(height, ()).is_none() {
                    votes.push(ctx.vote(nil(0, VoteKind::Prevote)));
                }
            }
            Cheat::FloodRounds => {
                for round in 1..=10 {
                    votes.push(ctx.vote(nil(round, VoteKind::Prevote)));
                    votes.push(ctx.vote(nil(round, VoteKind::Precommit)));
                }
                votes.push(ctx.vote(nil(900_000, VoteKind::Precommit)));
            }
            Cheat::VotesForAll => {
                for (_, bytes) in self.seen.iter().rev().take(40) {
                    let Ok(TableWire::Agreement { height: h, bytes }) = wire::decode(bytes) else {
                        continue;
                    };
                    if let Some((Head::Proposal(p), _)) = read(&bytes)
                        && h == height
                    {
                        for kind in [VoteKind::Prevote, VoteKind::Precommit] {
                            let value = Some(p.proposal.value_id);
                            let round = p.proposal.round;
                            votes.push(ctx.vote(Vote { height, round, kind, value, voter: me }));
                        }
                    }
                }
            }
            _ => {}
        }
        if votes.is_empty() {
            return Vec::new();
        }
        self.met += 1;
        let mut all = Vec::new();
        for signed in votes {
            let Some(bytes) = write(height, &Head::Votes(vec![signed]), &[]) else { continue };
            all.extend(ctx.others().into_iter().map(|t| (0, t, bytes.clone())));
        }
        all
    }
}
