//! Liars: real tables whose outgoing bytes are changed, held back, doubled or told differently to different
//! people. A liar holds its own key, so all of it is signed as it should be.

pub mod agreement;
mod forge;
mod parts;
mod spontaneous;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rand::RngExt;
use rand_chacha::ChaCha20Rng;
use trinka::identity::{Identity, PublicKey};
use trinka::rules::Seat;
use trinka::table::agreement::ValueId;
use trinka::table::dealbook::DealBook;
use trinka::table::ledger::Checks;
use trinka::table::message::{Hash, LogId, Payload, Signed};
use trinka::table::{Table, TableWire};
use trinka::wire;

pub use parts::Part;

/// A kind of lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cheat {
    /// A proof, or what stands for one, that is false.
    False(Part),
    /// Two messages for one place: one for these, another for those.
    Two(Part),
    /// Says everything but this.
    Mute(Part),
    /// The same message of a deal signed in two ways.
    TwoSignatures,
    /// Two versions of the last shuffle, for different people: who can read the deck chooses it.
    TwoLast,
    /// Escrows something else than what it owes.
    OtherEscrow,
    /// Votes twice, and tells everybody both.
    TwoVotes,
    /// Votes one way to these and another way to those.
    SplitVotes,
    /// Two proposals with votes for either: half the table is told one thing and half another.
    SplitBrain,
    /// Many proposals in one round.
    FloodProposals,
    /// Votes in rounds far ahead.
    FloodRounds,
    /// One nil vote at every height, before anything is to be decided.
    NilVotes,
    /// Votes for everything that anybody proposes.
    VotesForAll,
    /// As scribe, leaves out what another has said.
    Hide,
    /// Says that somebody is absent who is not.
    Hasty,
    /// Certificates that nobody made.
    ForgedCertificate,
    /// What was said in an earlier hand, again.
    OldHand,
    /// What was said at another table.
    OtherTable,
    /// Moves of others' turns.
    OutOfTurn,
    /// Two moves for one turn.
    TwoMoves,
    /// Its own old moves, and those of others.
    Stale,
    /// Other rules.
    Altered,
    /// Newcomers who are all the same person.
    Puppets,
    /// Heartbeats that are not true.
    FalseStatus,
    /// Evidence that proves nothing.
    FalseEvidence,
    /// Bytes that mean nothing.
    Garbage,
    /// Messages in another's name.
    OtherName,
    /// Speaks to some only.
    HalfSilent,
    /// Says everything at the last moment.
    Slow,
}

/// Every kind with its name.
pub const ALL: &[(Cheat, &str)] = &[
    (Cheat::False(Part::Key), "false-key"),
    (Cheat::False(Part::Shuffle), "false-shuffle"),
    (Cheat::False(Part::Cut), "false-cut"),
    (Cheat::False(Part::Escrow), "false-escrow"),
    (Cheat::False(Part::Final), "false-final"),
    (Cheat::False(Part::Shares), "false-shares"),
    (Cheat::False(Part::Recover), "false-recover"),
    (Cheat::False(Part::Renew), "false-renew"),
    (Cheat::False(Part::Recipient), "false-recipient"),
    (Cheat::False(Part::Show), "false-show"),
    (Cheat::False(Part::Tens), "false-tens"),
    (Cheat::False(Part::Unary), "false-unary"),
    (Cheat::False(Part::Select), "false-select"),
    (Cheat::False(Part::Reveal), "false-reveal"),
    (Cheat::Two(Part::Key), "two-keys"),
    (Cheat::Two(Part::Shuffle), "two-shuffles"),
    (Cheat::Two(Part::Cut), "two-cuts"),
    (Cheat::Two(Part::Escrow), "two-escrows"),
    (Cheat::Two(Part::Final), "two-finals"),
    (Cheat::Two(Part::Shares), "two-shares"),
    (Cheat::Two(Part::Recover), "two-recovers"),
    (Cheat::Two(Part::Renew), "two-renewals"),
    (Cheat::Two(Part::Recipient), "two-recipients"),
    (Cheat::Two(Part::Show), "two-shows"),
    (Cheat::Two(Part::Unary), "two-unaries"),
    (Cheat::Two(Part::Select), "two-selections"),
    (Cheat::Two(Part::Reveal), "two-reveals"),
    (Cheat::TwoLast, "two-last-shuffles"),
    (Cheat::Mute(Part::All), "silent"),
    (Cheat::Mute(Part::Votes), "silent-votes"),
    (Cheat::Mute(Part::Proposals), "silent-scribe"),
    (Cheat::Mute(Part::Ready), "silent-ready"),
    (Cheat::Mute(Part::Key), "silent-key"),
    (Cheat::Mute(Part::Shuffle), "silent-shuffle"),
    (Cheat::Mute(Part::Cut), "silent-cut"),
    (Cheat::Mute(Part::Final), "silent-final"),
    (Cheat::Mute(Part::Shares), "silent-shares"),
    (Cheat::Mute(Part::Escrow), "silent-escrow"),
    (Cheat::Mute(Part::Recover), "silent-recover"),
    (Cheat::Mute(Part::Renew), "silent-renew"),
    (Cheat::Mute(Part::Recipient), "silent-recipient"),
    (Cheat::Mute(Part::Show), "silent-show"),
    (Cheat::Mute(Part::Tens), "silent-tens"),
    (Cheat::Mute(Part::Move), "silent-move"),
    (Cheat::Mute(Part::Unary), "silent-unary"),
    (Cheat::Mute(Part::Select), "silent-select"),
    (Cheat::Mute(Part::Reveal), "silent-reveal"),
    (Cheat::TwoSignatures, "two-signatures"),
    (Cheat::OtherEscrow, "other-escrow"),
    (Cheat::TwoVotes, "two-votes"),
    (Cheat::SplitVotes, "split-votes"),
    (Cheat::SplitBrain, "split-brain"),
    (Cheat::FloodProposals, "flood-proposals"),
    (Cheat::FloodRounds, "flood-rounds"),
    (Cheat::NilVotes, "nil-votes"),
    (Cheat::VotesForAll, "votes-for-all"),
    (Cheat::Hide, "hide"),
    (Cheat::Hasty, "hasty-absent"),
    (Cheat::ForgedCertificate, "forged-certificate"),
    (Cheat::OldHand, "old-hand"),
    (Cheat::OtherTable, "other-table"),
    (Cheat::OutOfTurn, "out-of-turn"),
    (Cheat::TwoMoves, "two-moves"),
    (Cheat::Stale, "stale-moves"),
    (Cheat::Altered, "altered-rules"),
    (Cheat::Puppets, "puppets"),
    (Cheat::FalseStatus, "false-status"),
    (Cheat::FalseEvidence, "false-evidence"),
    (Cheat::Garbage, "garbage"),
    (Cheat::OtherName, "other-name"),
    (Cheat::HalfSilent, "half-silent"),
    (Cheat::Slow, "slow"),
];

impl Cheat {
    pub fn name(self) -> &'static str {
        ALL.iter().find(|(c, _)| *c == self).map_or("?", |(_, name)| name)
    }

    pub fn named(name: &str) -> Option<Cheat> {
        ALL.iter().find(|(_, n)| *n == name).map(|(c, _)| *c)
    }

    /// Kinds take turns, so that a run of seeds meets them all; nobody lies where this gives nothing.
    pub fn for_seed(seed: u64) -> Option<Cheat> {
        let (four, rest) = (seed / 4, seed % 4);
        let turn = usize::try_from(four * 3 + rest).unwrap_or(0);
        (rest < 3).then(|| ALL[turn % ALL.len()].0)
    }

    /// Where this lie can be told.
    pub fn scene(self) -> Scene {
        match self {
            Cheat::OtherEscrow => Scene::Escrowed,
            Cheat::False(part) | Cheat::Two(part) | Cheat::Mute(part) => match part {
                Part::Escrow => Scene::Escrowed,
                Part::Unary | Part::Select | Part::Reveal => Scene::Compared,
                Part::Tens => Scene::Asked,
                Part::Recover => Scene::Lost,
                Part::Renew => Scene::Covered,
                Part::Recipient | Part::Show => Scene::Pooled,
                _ => Scene::Any,
            },
            _ => Scene::Any,
        }
    }

    /// Whether the guarantees stand against it at a table of so many: with three nobody may vote two ways.
    pub fn allowed(self, players: usize) -> bool {
        let forks = matches!(
            self,
            Cheat::TwoVotes
                | Cheat::SplitVotes
                | Cheat::SplitBrain
                | Cheat::FloodProposals
                | Cheat::FloodRounds
                | Cheat::NilVotes
                | Cheat::VotesForAll
                | Cheat::Hide
                | Cheat::Hasty
        );
        !(players == 3 && forks)
    }
}

/// What has to happen at a table for a kind of lie to be told there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// Nothing but play.
    Any,
    /// Shares are in escrow: three players or more.
    Escrowed,
    /// Hands are compared that nobody lays open.
    Compared,
    /// Three tens are asked for, or have to be laid open in a comparison.
    Asked,
    /// Somebody is lost in the middle of a hand, with its layers on the cards.
    Lost,
    /// The same while others play dark: then what they escrowed has to be escrowed anew.
    Covered,
    /// Several enter a svara together.
    Pooled,
}

/// What a liar works with at one moment.
pub struct Ctx<'a> {
    pub now: u64,
    pub id: &'a Identity,
    pub log: LogId,
    pub table: &'a Table,
    /// The keys of all nodes, by number.
    pub keys: &'a [PublicKey],
    pub me: usize,
}

impl Ctx<'_> {
    pub fn sign(&self, payload: Payload) -> Option<Signed> {
        Signed::new(self.id, self.log, payload).ok()
    }

    pub fn seat(&self) -> Option<Seat> {
        self.table.seat()
    }

    pub fn others(&self) -> Vec<usize> {
        (0..self.keys.len()).filter(|i| *i != self.me).collect()
    }
}

/// Bytes for a node, after so many milliseconds.
pub type Told = (u64, usize, Vec<u8>);

/// How much of what went by a liar keeps for replays.
const SEEN: usize = 2_000;

/// One liar with what it remembers.
pub struct Liar {
    pub kind: Cheat,
    pub node: usize,
    /// When it begins.
    pub since: u64,
    /// How often it has lied.
    pub met: u64,
    /// Somebody honest holds what proves it.
    pub provable: bool,
    pub rng: ChaCha20Rng,
    /// Whether both versions are told to everybody, instead of one to each half.
    both: bool,
    /// Some are told the truth beside what is false, so that its step is closed.
    pub beside: bool,
    /// Who holds something false of a hand: the node, the hand, and the height then.
    pub held: Option<(usize, u64, u64)>,
    /// Which half a node is in.
    salt: usize,
    /// Of a message made by the real table: what is said instead, to either half.
    lies: BTreeMap<Hash, Vec<Signed>>,
    /// Messages of earlier deals, by part.
    old: Vec<(Part, Signed)>,
    /// Of a value: the one that the other half is told.
    values: BTreeMap<ValueId, (ValueId, Vec<u8>)>,
    /// Bytes that went by, for replays, with the hands that were finished then.
    seen: VecDeque<(u64, Vec<u8>)>,
    /// False answers to steps of the log, by their ids: who holds one while its step is open can prove it.
    pub false_steps: BTreeSet<Hash>,
    book: Option<DealBook>,
    checks: Checks,
    pub secrets: BTreeMap<u64, [u8; 32]>,
    nil_voted: BTreeMap<u64, ()>,
    turns: u64,
}

impl Liar {
    pub fn new(kind: Cheat, node: usize, since: u64, mut rng: ChaCha20Rng) -> Liar {
        let (both, salt) = (rng.random_bool(0.4), rng.random_range(0..2));
        Liar {
            kind,
            node,
            since,
            met: 0,
            provable: false,
            rng,
            both,
            beside: matches!(kind, Cheat::False(_)) && since.is_multiple_of(2),
            held: None,
            salt,
            lies: BTreeMap::new(),
            old: Vec::new(),
            values: BTreeMap::new(),
            seen: VecDeque::new(),
            false_steps: BTreeSet::new(),
            book: None,
            checks: Checks::new([7; 32]),
            secrets: BTreeMap::new(),
            nil_voted: BTreeMap::new(),
            turns: 0,
        }
    }

    fn half(&self, node: usize) -> bool {
        (node + self.salt).is_multiple_of(2)
    }

    /// What comes in. A liar does not want to hear its own other words: its program would stop.
    pub fn incoming(&mut self, ctx: &Ctx<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.seen.len() >= SEEN {
            self.seen.pop_front();
        }
        self.seen.push_back((ctx.table.state().core().finished, bytes.to_vec()));
        let Ok(message) = wire::decode::<TableWire>(bytes) else { return Some(bytes.to_vec()) };
        match message {
            TableWire::Agreement { height, bytes: inner } => {
                let seat = ctx.seat();
                let inner = agreement::without_mine(inner, seat)?;
                wire::encode(&TableWire::Agreement { height, bytes: inner }).ok()
            }
            TableWire::Messages(list) => {
                for message in &list {
                    self.shadow(ctx, message);
                }
                let mine = ctx.id.public();
                let list: Vec<Signed> = list
                    .into_iter()
                    .filter(|m| m.read(ctx.log).is_ok_and(|b| b.author != mine))
                    .collect();
                if list.is_empty() {
                    return None;
                }
                wire::encode(&TableWire::Messages(list)).ok()
            }
            TableWire::Entries { .. } | TableWire::Fork(_) => Some(bytes.to_vec()),
        }
    }

    /// What goes out, as the others are to hear it.
    pub fn outgoing(&mut self, ctx: &Ctx<'_>, targets: &[usize], bytes: &[u8]) -> Vec<Told> {
        let as_is = || targets.iter().map(|t| (0, *t, bytes.to_vec())).collect::<Vec<_>>();
        if ctx.now < self.since {
            return as_is();
        }
        match self.kind {
            Cheat::Mute(Part::All) => {
                self.met += 1;
                return Vec::new();
            }
            Cheat::HalfSilent => {
                self.met += 1;
                let heard = targets.iter().filter(|t| self.half(**t));
                return heard.map(|t| (0, *t, bytes.to_vec())).collect();
            }
            Cheat::Slow => {
                self.met += 1;
                let after = self.rng.random_range(0..4) * 3_500;
                return targets.iter().map(|t| (after, *t, bytes.to_vec())).collect();
            }
            Cheat::Garbage => {
                let mut all = as_is();
                for t in targets {
                    if self.rng.random_ratio(1, 6) {
                        self.met += 1;
                        all.push((0, *t, forge::damaged(bytes, &mut self.rng)));
                    }
                }
                return all;
            }
            _ => {}
        }
        let Ok(message) = wire::decode::<TableWire>(bytes) else { return as_is() };
        match message {
            TableWire::Agreement { height, bytes: inner } => {
                self.agreement(ctx, targets, height, inner)
            }
            TableWire::Messages(list) => self.messages(ctx, targets, list),
            TableWire::Entries { .. } | TableWire::Fork(_) => as_is(),
        }
    }
}
