//! What players sign, and the entries of the log that these messages make up.

mod steps;

use serde::{Deserialize, Serialize};

pub use self::steps::{Basis, DealPart, StepId};

use crate::identity::{Identity, PublicKey, Sig};
use crate::rules::{Action, Chips, HouseRules, Seat};
use crate::table::agreement::{Certificate, Evidence};
use crate::table::dealbook::DealProgress;
use crate::table::ledger::DealUse;
use crate::table::limits;
use crate::wire::{self, WireError};

/// Under this label every table message is signed; it holds the protocol version.
const LABEL: &str = "trinka/1 table message";

/// The 16 bytes by which a table is found and joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TableId(pub [u8; 16]);

impl TableId {
    /// The id of a table that the holder of a key opens: nobody else can open one of this id.
    #[must_use]
    pub fn of(host: &PublicKey, nonce: &[u8; 16]) -> Self {
        let hash = wire::hash("trinka/1 table id", &[&host.0, nonce]);
        let mut id = [0; 16];
        id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
        TableId(id)
    }
}

impl std::fmt::Display for TableId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&wire::hex(&self.0))
    }
}

/// The hash of the founding entry: it names one log, and everything signed for the log is bound to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LogId(pub [u8; 32]);

/// A SHA-256 hash (32 bytes).
pub type Hash = [u8; 32];

impl Payload {
    /// Whether it answers a step of the log with a proof.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        matches!(
            self,
            Self::Shares { .. }
                | Self::Recover { .. }
                | Self::Renew { .. }
                | Self::Recipient { .. }
                | Self::Show { .. }
                | Self::Tens { .. }
                | Self::Unary { .. }
                | Self::Select { .. }
                | Self::Reveal { .. }
        )
    }
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Payload {
    /// The next dealer proposes a hand.
    Start {
        /// The hand's number.
        hand: u64,
        /// Who is to play, clockwise from the dealer's left.
        participants: Vec<Seat>,
    },
    /// A participant is ready.
    Ready {
        /// The hand's number.
        hand: u64,
    },
    /// A participant sits this hand out.
    SitOut {
        /// The hand's number.
        hand: u64,
    },
    /// A hand key (message of a deal, outside the log).
    Key {
        /// Which deal attempt.
        deal: Hash,
        /// Key and proof, 96 bytes.
        bytes: Vec<u8>,
    },
    /// A shuffle (message of a deal, outside the log).
    Shuffle {
        /// Which deal attempt.
        deal: Hash,
        /// The hash of the message before it (of all keys for the first).
        after: Hash,
        /// The shuffled deck, 64 bytes a card.
        deck: Vec<u8>,
        /// The proof.
        proof: Vec<u8>,
    },
    /// The cut (message of a deal, outside the log).
    Cut {
        /// Which deal attempt.
        deal: Hash,
        /// The hash of the last shuffle message.
        after: Hash,
        /// How many cards go from top to bottom.
        at: u8,
    },
    /// The author's shares of all others' cards in escrow (message of a deal, outside the log).
    Escrow {
        /// Which deal attempt.
        deal: Hash,
        /// The hash of the cut.
        after: Hash,
        /// The escrows with their proof.
        bytes: Vec<u8>,
    },
    /// The signature on the finished deal. The entry that decides a deal holds one of every participant.
    Final {
        /// Which deal attempt.
        deal: Hash,
        /// The hash over all messages of the deal.
        hash: Hash,
    },
    /// Decryption shares of cards that somebody, or everybody, is to see.
    Shares {
        /// The deal's number.
        deal: u64,
        /// Counts the author's messages with shares in this deal.
        round: u32,
        /// Places in the deck, ascending.
        positions: Vec<u8>,
        /// The batch with its proof.
        batch: Vec<u8>,
    },
    /// Opens what a lost participant escrowed.
    Recover {
        /// The deal's number.
        deal: u64,
        /// Whose layers.
        lost: Seat,
        /// The shares with their proof.
        bytes: Vec<u8>,
    },
    /// Escrows the author's shares anew: without those who are lost, or of a card that was replaced.
    Renew {
        /// The deal's number.
        deal: u64,
        /// Which renewal.
        step: u32,
        /// The escrows with their proof.
        bytes: Vec<u8>,
    },
    /// A key under which a partner of a pool, who is not dealt in, is shown cards.
    Recipient {
        /// The deal's number.
        deal: u64,
        /// Key and proof, 96 bytes.
        bytes: Vec<u8>,
    },
    /// Shows the hand of a pool to its partners.
    Show {
        /// The deal's number.
        deal: u64,
        /// The partners, in ascending order.
        to: Vec<Seat>,
        /// The cards under the partners' keys, with the proof.
        bytes: Vec<u8>,
    },
    /// A move of the game.
    Move {
        /// The turn it answers.
        basis: Basis,
        /// The move.
        action: Action,
    },
    /// Lays three tens open: on the own turn, in answer to the question, or in a comparison.
    Tens {
        /// What it answers.
        basis: Basis,
        /// Shares of the own cards with their proof.
        batch: Vec<u8>,
    },
    /// The caller of a comparison commits to its hand's level (crypto.md S4).
    Unary {
        /// The comparison it answers.
        basis: Basis,
        /// The vector with its proof.
        bytes: Vec<u8>,
        /// The caller's cards for the other's eyes, with proof; empty where nothing is shown.
        shown: Vec<u8>,
    },
    /// The other side selects by its own level, and takes its layer off.
    Select {
        /// The comparison it answers.
        basis: Basis,
        /// What is selected, with its proof, and the share of it.
        bytes: Vec<u8>,
        /// Its cards for the caller's eyes, with proof; empty where nothing is shown.
        shown: Vec<u8>,
    },
    /// The caller takes its layer off what was selected: the result.
    Reveal {
        /// The comparison it answers.
        basis: Basis,
        /// The share with its proof.
        bytes: Vec<u8>,
    },
    /// A seat has not done what it owed in time. Anybody of the electorate may say so; the others decide
    /// by their own clocks whether they agree.
    Absent {
        /// What was owed.
        step: StepId,
        /// By whom.
        seat: Seat,
    },
    /// A newcomer takes a seat; signed by its own key.
    Admit {
        /// A label, at most [`limits::NAME_BYTES`] bytes.
        name: String,
        /// Chips bought.
        buy_in: Chips,
        /// Where it can be reached.
        addresses: Vec<String>,
        /// The hash of the house rules that it agrees to.
        rules: Hash,
        /// How many seats its key has had here: each request is good for one seat.
        times: u32,
    },
    /// A heartbeat: how far its author is (outside the log).
    Status {
        /// Counts the author's heartbeats.
        seq: u64,
        /// The height that is open there.
        height: u64,
        /// The hash of its state before that height: another one at the same height is another engine.
        state: Hash,
        /// Which messages of the deal it holds.
        deal: Option<DealProgress>,
        /// Seats that it hears directly.
        hears: Vec<Seat>,
    },
    /// Chat (outside the log).
    Say {
        /// Counts the author's lines.
        seq: u64,
        /// What it says.
        text: String,
    },
    /// What a partner of a pool would do (outside the log, for its holder alone).
    Advice {
        /// Counts the author's lines.
        seq: u64,
        /// Its words.
        text: String,
    },
    /// A free message of a seat.
    Free {
        /// The seat's next nonce.
        nonce: u64,
        /// What it says.
        free: Free,
    },
    /// Closes a table that can decide nothing any more (outside the log): where it stands.
    Close {
        /// The height that is open.
        height: u64,
        /// The hash of the state before it.
        state: Hash,
        /// Voters that are not heard.
        missing: Vec<Seat>,
        /// Chips that are part of no stack until the players meet again.
        bank: Chips,
        /// Proofs that are not in the log.
        evidence: Vec<Proof>,
    },
}

/// Messages that answer no turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Free {
    /// Accepts the key of a newcomer as a voter.
    Accept {
        /// The newcomer's key.
        key: PublicKey,
        /// How many seats that key had before the one that it is accepted on.
        times: u32,
    },
    /// Comes back to a seat that was lost.
    Return,
    /// Leaves for good; takes effect when the hand is over.
    Leave,
    /// Buys chips between hands.
    Rebuy {
        /// How many chips.
        amount: Chips,
    },
    /// Looks at the own cards.
    Look {
        /// The deal's number.
        deal: u64,
    },
    /// Turns up a card: the author's own before it is dealt, or as the dealer.
    Expose {
        /// The deal's number.
        deal: u64,
        /// Whose card.
        seat: Seat,
    },
    /// Proposes something to others.
    Offer(Offer),
    /// Answers a proposal.
    Answer {
        /// The proposal's number.
        offer: u64,
        /// Whether the author agrees.
        yes: bool,
    },
    /// Uses fifteen seconds of the time bank for the turn.
    MoreTime {
        /// The turn.
        basis: Basis,
    },
    /// Proves that somebody cheated.
    Evidence(Box<Proof>),
    /// Agrees that a frozen seat may play again.
    Unfreeze {
        /// Which.
        seat: Seat,
        /// How often it came back before: each freezing is forgiven by itself.
        returns: u32,
    },
}

/// What a seat may propose to others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Offer {
    /// To enter a svara together: who puts in how much, the author first, which holds the cards.
    Pool(Vec<(Seat, Chips)>),
    /// To halve what either takes.
    Pact(Seat),
    /// Other house rules, from the next hand on.
    Rules(Box<HouseRules>),
    /// To end the hand where it stands: its bank goes in equal parts to those who are still in it.
    Divide,
}

impl Offer {
    /// Whether it is about entering a svara: then it is answered as a move is.
    #[must_use]
    pub fn is_of_svara(&self) -> bool {
        matches!(self, Self::Pool(_) | Self::Pact(_))
    }
}

/// What proves that a seat cheated, on its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proof {
    /// Two votes or proposals of one round that contradict each other.
    Agreement(Evidence),
    /// Two different deal messages of one seat for one place.
    TwoDealMessages {
        /// The one.
        first: Signed,
        /// The other.
        second: Signed,
    },
    /// A message of a deal that is false for the inputs which its author signed.
    FalseDealMessage {
        /// The deal's number.
        number: u64,
        /// Its participants, clockwise from the dealer's left.
        order: Vec<Seat>,
        /// Indices in the order in which they shuffle.
        shufflers: Vec<u8>,
        /// What the cards were for.
        purpose: DealUse,
        /// The messages of the deal that the false one builds on, in their order, and it itself as the last.
        messages: Vec<Signed>,
    },
    /// A message for the log whose proof is false for the cards that it speaks of: shares, what was opened of
    /// or put into escrow, a part of a comparison, three tens, a partner's key, a hand shown to partners. It is
    /// judged while the hand of the step that it answers is played, in the state that the log had made by then.
    FalseStep {
        /// The message.
        message: Signed,
    },
}

/// What is signed: for which log, by whom, and what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// The log.
    pub log: LogId,
    /// The author's key.
    pub author: PublicKey,
    /// What it says.
    pub payload: Payload,
}

/// A signed message. Hashed, stored and relayed as the bytes that were signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// The encoded [`Body`].
    pub bytes: Vec<u8>,
    /// The author's signature over log, author and bytes.
    pub signature: Sig,
}

/// Why a message is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// The bytes are no message.
    #[error("unreadable message: {0}")]
    Wire(#[from] WireError),
    /// More bytes than allowed.
    #[error("a message of {0} bytes is longer than the {max} allowed", max = limits::MESSAGE_BYTES)]
    TooLong(usize),
    /// For another log.
    #[error("the message belongs to another table")]
    OtherLog,
    /// The signature is not the author's.
    #[error("the signature is not {0}'s")]
    Signature(PublicKey),
}

impl Signed {
    /// Signs a payload.
    ///
    /// # Errors
    /// When it cannot be encoded.
    pub fn new(id: &Identity, log: LogId, payload: Payload) -> Result<Self, WireError> {
        let bytes = wire::encode(&Body { log, author: id.public(), payload })?;
        let signature = id.sign(LABEL, &[&log.0, &bytes]);
        Ok(Signed { bytes, signature })
    }

    /// Reads and checks a message: length, encoding, log, signature.
    ///
    /// # Errors
    /// [`MessageError`], naming the claimed author where the signature is wrong.
    pub fn open(&self, log: LogId) -> Result<Body, MessageError> {
        let body = self.read(log)?;
        if !body.author.verifies(LABEL, &[&log.0, &self.bytes], &self.signature) {
            return Err(MessageError::Signature(body.author));
        }
        Ok(body)
    }

    /// Reads a message whose signature was checked before.
    ///
    /// # Errors
    /// As [`Signed::open`], but for the signature.
    pub fn read(&self, log: LogId) -> Result<Body, MessageError> {
        if self.bytes.len() > limits::MESSAGE_BYTES {
            return Err(MessageError::TooLong(self.bytes.len()));
        }
        let body: Body = wire::decode(&self.bytes)?;
        if body.log != log {
            return Err(MessageError::OtherLog);
        }
        Ok(body)
    }

    /// The hash of bytes and signature: names exactly this message.
    #[must_use]
    pub fn id(&self) -> Hash {
        wire::hash("trinka message", &[&self.bytes, &self.signature.bytes()])
    }
}

/// An entry of the log: messages in the order in which they apply, and the state they apply to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its place in the log (the founding entry is 0).
    pub height: u64,
    /// The seat that composed it.
    pub composer: Seat,
    /// The hash of the state before it.
    pub before: Hash,
    /// The messages.
    pub messages: Vec<Signed>,
}

/// An entry as it was decided: the exact bytes with the precommits of a quorum, and the messages of the
/// deal that it decides, if it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The encoded [`Entry`].
    pub entry: Vec<u8>,
    /// Who decided it.
    pub certificate: Certificate,
    /// The messages of the finished deal, in their order: keys, shuffles, cut, escrows.
    pub deal: Vec<Signed>,
}
