//! What the module promises, tried out: rules of one height by hand, hostile input, and a seeded
//! bad network with crashes and a liar.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod crash;
mod hostile;
mod network;
mod proofs;
mod rules;
mod sim;

use std::collections::VecDeque;

use ed25519_dalek::SigningKey;

use super::wire::Message;
use super::*;

pub(super) const DOMAIN: [u8; 32] = [7; 32];

/// The key of a seat; the same in every test.
pub(super) fn key(voter: Voter) -> SigningKey {
    let mut seed = [9; 32];
    seed[0] = voter.0;
    SigningKey::from_bytes(&seed)
}

/// Seats with their keys.
pub(super) fn electorate(seats: impl IntoIterator<Item = u8>) -> Vec<(Voter, VerifyingKey)> {
    seats.into_iter().map(|seat| (Voter(seat), key(Voter(seat)).verifying_key())).collect()
}

/// Height 5 among seats 0..n, seat 0 being the first scribe.
pub(super) fn config(n: u8, me: Option<u8>) -> HeightConfig {
    HeightConfig {
        domain: DOMAIN,
        height: 5,
        electorate: electorate(0..n),
        me: me.map(Voter),
        first_proposer: 0,
        propose_timeout_ms: MIN_TIMEOUT_MS,
        limits: Limits::default(),
    }
}

/// A fresh node of `config`.
pub(super) fn node(n: u8, me: u8) -> Height {
    Height::new(config(n, Some(me)), Some(key(Voter(me)))).unwrap()
}

/// All outputs that wait.
pub(super) fn drain(height: &mut Height) -> Vec<Output> {
    std::iter::from_fn(|| height.poll_output()).collect()
}

/// A signed vote at height 5.
pub(super) fn vote(voter: u8, round: u32, kind: VoteKind, value: Option<ValueId>) -> SignedVote {
    let voter = Voter(voter);
    SignedVote::sign(Vote { height: 5, round, kind, value, voter }, &DOMAIN, &key(voter))
}

/// A vote as it travels.
pub(super) fn vote_bytes(voter: u8, round: u32, kind: VoteKind, value: Option<ValueId>) -> Vec<u8> {
    wire::encode_votes(vec![vote(voter, round, kind, value)]).unwrap()
}

/// A proposal at height 5 as it travels.
pub(super) fn proposal_bytes(
    proposer: u8,
    round: u32,
    pol_round: Option<u32>,
    value: &[u8],
) -> Vec<u8> {
    let proposer = Voter(proposer);
    let proposal = Proposal { height: 5, round, pol_round, value_id: value_id(value), proposer };
    let signed = SignedProposal::sign(proposal, &DOMAIN, &key(proposer));
    wire::encode_proposal(&signed, value).unwrap()
}

/// The value that tests agree on.
pub(super) const VALUE: &[u8] = b"an entry";

/// Its id.
pub(super) fn id() -> ValueId {
    value_id(VALUE)
}

/// Gives a node something and returns what it wants done.
pub(super) fn give(node: &mut Height, now: u64, input: Input) -> Vec<Output> {
    assert_eq!(node.handle(now, input), Ok(()));
    drain(node)
}

/// The own votes among outputs, with round, kind and value.
pub(super) fn votes_of(outputs: &[Output], me: u8) -> Vec<(u32, VoteKind, Option<ValueId>)> {
    let mut votes = Vec::new();
    for output in outputs {
        if let Output::Send(bytes) = output
            && let Ok(Message::Votes(signed)) = wire::decode(bytes, 1 << 20)
        {
            for vote in signed.iter().map(|signed| signed.vote) {
                if vote.voter == Voter(me) && !votes.contains(&(vote.round, vote.kind, vote.value))
                {
                    votes.push((vote.round, vote.kind, vote.value));
                }
            }
        }
    }
    votes
}

/// A joined node of four that holds a judged proposal of round 0.
pub(super) fn with_proposal(me: u8, verdict: Verdict) -> (Height, Vec<Output>) {
    let mut node = node(4, me);
    give(&mut node, 0, Input::Pending);
    let outputs = give(&mut node, 1, Input::Message(proposal_bytes(0, 0, None, VALUE)));
    assert!(matches!(outputs[..], [Output::NeedVerdict { round: 0, fresh: true, .. }]));
    let outputs = give(&mut node, 2, Input::Verdict { round: 0, value_id: id(), verdict });
    (node, outputs)
}

/// A vote of somebody as an input.
pub(super) fn message(voter: u8, round: u32, kind: VoteKind, value: Option<ValueId>) -> Input {
    Input::Message(vote_bytes(voter, round, kind, value))
}

/// Nodes that hear each other at once, with a clock that is moved by hand.
pub(super) struct Room {
    pub(super) now: u64,
    pub(super) nodes: Vec<Height>,
    /// What each node stored.
    pub(super) records: Vec<Vec<Record>>,
    /// What each node decided, with the round.
    pub(super) decided: Vec<Option<(u32, Vec<u8>)>>,
    pub(super) evidence: Vec<Evidence>,
    /// How each node judges: node, round, whether fresh.
    pub(super) judge: Box<dyn Fn(usize, u32, bool) -> Verdict>,
    /// Who hears nothing and is not heard.
    pub(super) cut: Vec<bool>,
    pub(super) sent: usize,
}

impl Room {
    pub(super) fn new(n: u8) -> Self {
        let nodes: Vec<_> = (0..n).map(|seat| node(n, seat)).collect();
        let len = nodes.len();
        Self {
            now: 1_000,
            nodes,
            records: vec![Vec::new(); len],
            decided: vec![None; len],
            evidence: Vec::new(),
            judge: Box::new(|_, _, _| Verdict::Valid),
            cut: vec![false; len],
            sent: 0,
        }
    }

    /// Gives a node an input and everybody what follows.
    pub(super) fn input(&mut self, to: usize, input: Input) {
        let mut queue = VecDeque::from([(to, input)]);
        while let Some((to, input)) = queue.pop_front() {
            let result = self.nodes[to].handle(self.now, input);
            assert_eq!(result, Ok(()), "node {to}");
            while let Some(output) = self.nodes[to].poll_output() {
                match output {
                    Output::Persist(record) => self.records[to].push(record),
                    Output::Send(bytes) => {
                        self.sent += 1;
                        for other in (0..self.nodes.len()).filter(|other| *other != to) {
                            if !self.cut[to] && !self.cut[other] {
                                queue.push_back((other, Input::Message(bytes.clone())));
                            }
                        }
                    }
                    Output::NeedValue { round } => {
                        let bytes = format!("{to} in round {round}").into_bytes();
                        queue.push_back((to, Input::Value { round, bytes }));
                    }
                    Output::NeedVerdict { round, value_id, fresh, .. } => {
                        let verdict = (self.judge)(to, round, fresh);
                        queue.push_back((to, Input::Verdict { round, value_id, verdict }));
                    }
                    Output::Decided { round, value, certificate } => {
                        let cfg = self.nodes[to].config();
                        verify_certificate(&DOMAIN, &cfg.electorate, &certificate).unwrap();
                        assert_eq!(self.decided[to].replace((round, value)), None);
                    }
                    Output::Evidence(evidence) => self.evidence.push(evidence),
                }
            }
        }
    }

    /// Gives every node that is not cut off the same input.
    pub(super) fn all(&mut self, input: &Input) {
        for to in 0..self.nodes.len() {
            if !self.cut[to] {
                self.input(to, input.clone());
            }
        }
    }

    /// Lets time pass, calling every node when it wants to be called.
    pub(super) fn pass(&mut self, ms: u64) {
        let end = self.now + ms;
        loop {
            let next = self
                .nodes
                .iter()
                .enumerate()
                .filter_map(|(index, node)| node.poll_timeout().map(|due| (due, index)))
                .min();
            match next {
                Some((due, index)) if due <= end => {
                    self.now = self.now.max(due);
                    self.input(index, Input::Tick);
                }
                _ => break,
            }
        }
        self.now = end;
    }
}
