//! What passes between a table and whoever sits at it: [`Event`]s one way, [`Command`]s the other.
//!
//! The JSON of both is a promise to scripts: one object a line, `"event"` names an event, and a
//! command has exactly one of the known fields. Seats are numbers, cards are `"As"`, amounts are
//! whole chips. A card that is not one's own appears in [`Event::Shown`], [`Event::Lifted`],
//! [`Event::Counted`] and [`Event::Exposed`], and nowhere else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rules::{Card, Chips, HouseRules, Seat};

mod command;
mod convert;
mod kind;
mod parse;
#[cfg(test)]
mod tests;

pub use command::{Command, Move};
pub use kind::MoveKind;
pub use parse::{CommandError, MAX_CHANGES, MAX_LINE, MAX_TEXT, Takes};

/// A seat with the label and the chips of whoever sits there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatInfo {
    /// Its number; never changes and is never used again.
    pub seat: Seat,
    /// The player's nickname; a label, not an identity.
    pub name: String,
    /// Chips in front of it.
    pub stack: Chips,
}

/// A seat and a number of chips: a winner with its winnings, a partner with its share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatAmount {
    /// The seat.
    pub seat: Seat,
    /// Its chips.
    pub amount: Chips,
}

/// What the seat to act has to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// To stay in the hand.
    pub pass: Chips,
    /// To compare; nothing where comparing is closed to this seat.
    pub compare: Option<Chips>,
}

/// A move that the seat to act may make, with the limits of the number that goes with it.
///
/// The number is an amount for `bet` and `dark`, a place for `cut`, `lift` and `replace`; the other
/// moves take none, and then both limits are left out. What comparing costs is in [`Price`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegalMove {
    /// Which move.
    #[serde(rename = "move")]
    pub kind: MoveKind,
    /// The least number it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Chips>,
    /// The largest number it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Chips>,
}

impl LegalMove {
    /// A move without a number.
    pub const fn plain(kind: MoveKind) -> Self {
        Self { kind, min: None, max: None }
    }

    /// A move with a number from `min` to `max`.
    pub const fn ranged(kind: MoveKind, min: Chips, max: Chips) -> Self {
        Self { kind, min: Some(min), max: Some(max) }
    }
}

/// How a comparison ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The caller stays, the target is out.
    Caller,
    /// The target stays, the caller is out.
    Target,
    /// Equal.
    Tie,
}

/// Who sees something: `"all"`, or a list of seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Audience {
    /// The whole table, onlookers too.
    All(Everyone),
    /// These seats.
    Seats(Vec<Seat>),
}

impl Audience {
    /// The whole table.
    pub const ALL: Self = Self::All(Everyone::All);
}

/// The word `"all"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Everyone {
    /// Everybody.
    All,
}

/// What is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OfferKind {
    /// A svara without comparing.
    Boil,
    /// Does anybody lay three tens open?
    ThreeTens,
    /// Divide the tied bank.
    Split,
    /// Enter the svara together.
    Pool,
    /// Halve the winnings of the svara.
    Pact,
    /// Have the own first card dealt face up.
    Expose,
    /// Keep or replace the exposed card.
    Exposed,
    /// A newcomer wants a seat.
    Admit,
    /// A frozen seat may play again.
    Unfreeze,
    /// Other house rules.
    Rules,
    /// Not a question: `from` has agreed to the other house rules, and `to` have not answered yet.
    RulesAgreed,
    /// Not a question: the other house rules hold from the next hand on.
    RulesAdopted,
    /// Not a question: `from` does not want the other house rules.
    RulesRefused,
    /// Not a question: the other house rules of `from` are not proposed any more. It has proposed others,
    /// others hold, or not the same seats have to agree any more.
    RulesLapsed,
    /// End the hand here: its bank in equal parts to those who are still in it.
    Divide,
    /// Not a question: `from` has agreed to divide the bank, and `to` have not answered yet.
    DivideAgreed,
    /// Not a question: `from` does not want the bank divided.
    DivideRefused,
}

/// Why a deal begins again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgainReason {
    /// Somebody's part of it did not come in time.
    Missing,
    /// Somebody's part of it was false.
    False,
    /// A layer was lost for good; the bank stays.
    LostLayer,
    /// The cards lifted were equal and no card lay deeper.
    Tied,
}

/// What a seat is charged with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Two different votes in one round and phase.
    TwoVotes,
    /// Two different deal messages for one place.
    TwoMessages,
    /// A proof that is false for the inputs it signed.
    FalseProof,
    /// Silent in a step of its machine; no evidence is needed.
    Absent,
}

/// What a table waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WaitReason {
    /// More players before the first hand.
    Players,
    /// The host to begin.
    Host,
    /// Signatures under the founding of the table.
    Founding,
    /// Players to say that they play this hand.
    Ready,
    /// A dealer to begin the next hand.
    Dealer,
    /// A shuffle or another part of a deal.
    Deal,
    /// Shares of a card.
    Shares,
    /// So many players that the table can decide anything.
    Quorum,
    /// A table to be found or reached.
    Table,
    /// The others to have everything before leaving.
    Leaving,
    /// Seats whose programs are not heard for a while; with none of them all are heard again. The table does not
    /// stand still for them.
    Unheard,
}

/// Something that happened, as the seat that is told sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// This node is up.
    Hello {
        /// Its transport identity.
        peer: String,
        /// The fingerprint of the player's key, to be read aloud.
        fingerprint: String,
        /// Where it listens.
        listen: Vec<String>,
        /// The version of the program.
        version: String,
    },
    /// Another node was found, or was reached at an address.
    Found {
        /// Its transport identity.
        peer: String,
        /// How: `mdns`, `beacon`, or `address` for one that was typed or that another node gave.
        by: String,
        /// Where it is.
        address: String,
    },
    /// The table as it stands: when one sits down, and when seats or rules change.
    Table {
        /// The table's id, in hexadecimal.
        id: String,
        /// Its name.
        name: String,
        /// The rules it plays by.
        rules: Box<HouseRules>,
        /// Who sits there.
        seats: Vec<SeatInfo>,
        /// Which of them is this seat; left out for onlookers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        you: Option<Seat>,
        /// The fingerprints of their keys, to be compared aloud.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "by_seat")]
        fingerprints: BTreeMap<Seat, String>,
    },
    /// A hand begins.
    Hand {
        /// Its number; never used again.
        hand: u64,
        /// Who deals.
        dealer: Seat,
        /// Who is dealt in, with their chips at this moment.
        seats: Vec<SeatInfo>,
        /// The bank at this moment; an ante that is not in it yet follows as a move.
        bank: Chips,
    },
    /// A seat has shuffled, and its proof holds.
    Shuffled {
        /// Who.
        seat: Seat,
        /// How long it took, in milliseconds.
        ms: u64,
    },
    /// The deal is decided.
    Dealt {
        /// Of which hand.
        hand: u64,
        /// How long the deal took, in milliseconds.
        ms: u64,
    },
    /// One's own cards, at the look.
    Cards {
        /// The three cards.
        cards: Vec<Card>,
        /// What they count.
        points: u32,
    },
    /// A seat is to act, or may answer: with `mine` it is this one, and `legal` says how.
    Turn {
        /// Who.
        seat: Seat,
        /// Is it this seat?
        mine: bool,
        /// What it has to pay; nothing outside betting.
        price: Option<Price>,
        /// What this seat may do: on its turn the answers, otherwise what is open to it besides.
        legal: Vec<LegalMove>,
        /// How much time it has.
        seconds: u64,
    },
    /// A seat has made a move.
    Moved {
        /// Who.
        seat: Seat,
        /// Which move.
        #[serde(rename = "move")]
        kind: MoveKind,
        /// What it paid; 0 for a free move.
        amount: Chips,
        /// The bank after it.
        bank: Chips,
    },
    /// Two hands were compared.
    Compared {
        /// Who asked and paid.
        caller: Seat,
        /// The neighbour on its right.
        target: Seat,
        /// Whose hand stays.
        result: Outcome,
    },
    /// A hand was shown to this seat.
    Shown {
        /// Whose.
        seat: Seat,
        /// Its cards.
        cards: Vec<Card>,
        /// Who sees it.
        to: Audience,
    },
    /// Something is proposed. Who may answer gets a `turn` with its answers besides.
    Offer {
        /// What.
        kind: OfferKind,
        /// By whom; nothing where the rules ask.
        from: Option<Seat>,
        /// To whom.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<Seat>,
        /// Pool: who puts in how much, the holder first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        shares: Vec<SeatAmount>,
        /// Admission: the newcomer's key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// Admission: the newcomer's nickname.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Other rules: which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rules: Option<Box<HouseRules>>,
    },
    /// The bank is tied and will be played again.
    Svara {
        /// Who is in for free.
        seats: Vec<Seat>,
        /// The bank before anybody enters.
        bank: Chips,
        /// What this seat would pay to enter; who only looks on sees what a seat that played pays.
        entry: Chips,
    },
    /// The hand is dealt again, the bank stays.
    Redeal {
        /// Who laid three tens open; nothing after a lost layer.
        seat: Option<Seat>,
    },
    /// The bank is taken.
    Settled {
        /// Which hand.
        hand: u64,
        /// Everybody's chips, by seat number.
        #[serde(with = "by_seat")]
        stacks: BTreeMap<Seat, Chips>,
        /// Who takes how much.
        winners: Vec<SeatAmount>,
        /// The file that proves it, once written.
        transcript: Option<String>,
    },
    /// The deal begins anew.
    DealAgain {
        /// Of which hand.
        hand: u64,
        /// The number of the deal that was given up.
        deal: u64,
        /// Why.
        reason: AgainReason,
    },
    /// A seat did what an honest program never does.
    Fault {
        /// Who.
        seat: Seat,
        /// What.
        kind: FaultKind,
        /// The hash of the proof in the log; nothing for absence.
        evidence: Option<String>,
    },
    /// A seat is gone.
    Away {
        /// Who.
        seat: Seat,
    },
    /// A seat is here again.
    Back {
        /// Who.
        seat: Seat,
    },
    /// The deck was cut.
    Cut {
        /// By whom.
        seat: Seat,
        /// How many cards went below.
        at: u64,
    },
    /// A packet was lifted for the deal.
    Lifted {
        /// By whom.
        seat: Seat,
        /// Its cards that count, the bottom one first.
        cards: Vec<Card>,
    },
    /// Cards were opened one by one until an ace made a dealer.
    Counted {
        /// In the order they were opened; the first is the table's.
        cards: Vec<Card>,
        /// Who deals.
        dealer: Seat,
    },
    /// A card lies face up before anybody has looked.
    Exposed {
        /// Whose.
        seat: Seat,
        /// Which.
        card: Card,
    },
    /// Several seats entered the svara together.
    Pool {
        /// Who holds the cards.
        holder: Seat,
        /// Who put in how much, the holder first.
        partners: Vec<SeatAmount>,
    },
    /// Two seats will halve what either takes.
    Pact {
        /// The two.
        seats: Vec<Seat>,
    },
    /// A partner in the pool says what it would do.
    Advice {
        /// Who.
        from: Seat,
        /// Its words.
        text: String,
    },
    /// The table waits.
    Waiting {
        /// For whom, where that is known.
        #[serde(rename = "for")]
        seats: Vec<Seat>,
        /// Why.
        why: WaitReason,
    },
    /// Somebody closes the table, which can decide nothing any more.
    Closed {
        /// Who.
        seat: Seat,
        /// Chips that are part of no stack until the players meet again.
        bank: Chips,
    },
    /// Somebody says something.
    Say {
        /// Who.
        seat: Seat,
        /// What.
        text: String,
    },
    /// Something was refused or went wrong.
    Error {
        /// A stable name for programs.
        code: String,
        /// The problem, in the player's language.
        message: String,
        /// What to do about it.
        advice: String,
    },
}

/// What belongs to seats as a JSON object whose keys are seat numbers.
///
/// Spelled out because a tagged enum is read through a buffer in which a key stays text.
mod by_seat {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

    use crate::rules::Seat;

    pub(super) fn serialize<S: Serializer, T: Serialize>(
        all: &BTreeMap<Seat, T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(all.iter().map(|(seat, one)| (seat.0.to_string(), one)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<Seat, T>, D::Error> {
        BTreeMap::<String, T>::deserialize(deserializer)?
            .into_iter()
            .map(|(seat, one)| {
                let seat = seat.parse().map_err(|_| D::Error::custom("not a seat number"))?;
                Ok((Seat(seat), one))
            })
            .collect()
    }
}
