//! What a player, a bot or a script tells its node.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::MoveKind;
use crate::rules::{Chips, Seat};

/// A move in the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Pay this much.
    Bet(Chips),
    /// Pay this much without having looked.
    Dark(Chips),
    /// Look at one's cards.
    Look,
    /// Throw the hand away unseen.
    Fold,
    /// Pay and compare with the neighbour on the right.
    Compare,
    /// Lay three tens open for a redeal.
    Redeal,
    /// Ask whether the last two shall boil.
    Boil,
    /// Say yes to what was asked.
    Accept,
    /// Say no to what was asked.
    Refuse,
    /// Agree to divide a tied bank.
    Split,
    /// Insist on playing a tied bank out.
    NoSplit,
    /// Enter a svara.
    Enter,
    /// Stay out of a svara.
    StayOut,
    /// Cut the deck at this place.
    Cut(u64),
    /// Lift a packet of this many cards.
    Lift(u64),
    /// Have the exposed card replaced from this place in the rest.
    Replace(u64),
    /// Put the ante in.
    Ante,
    /// Leave the ante out.
    Omit,
    /// Keep the exposed card.
    Keep,
    /// Turn up a card that is dealt to this seat.
    Expose(Seat),
    /// Enter a svara together: seats and what each puts in, the holder of the cards first.
    Pool(Vec<(Seat, Chips)>),
    /// Agree with this seat to halve what either takes.
    Pact(Seat),
}

impl Move {
    /// Its name.
    pub const fn kind(&self) -> MoveKind {
        match self {
            Self::Bet(_) => MoveKind::Bet,
            Self::Dark(_) => MoveKind::Dark,
            Self::Look => MoveKind::Look,
            Self::Fold => MoveKind::Fold,
            Self::Compare => MoveKind::Compare,
            Self::Redeal => MoveKind::Redeal,
            Self::Boil => MoveKind::Boil,
            Self::Accept => MoveKind::Accept,
            Self::Refuse => MoveKind::Refuse,
            Self::Split => MoveKind::Split,
            Self::NoSplit => MoveKind::NoSplit,
            Self::Enter => MoveKind::Enter,
            Self::StayOut => MoveKind::StayOut,
            Self::Cut(_) => MoveKind::Cut,
            Self::Lift(_) => MoveKind::Lift,
            Self::Replace(_) => MoveKind::Replace,
            Self::Ante => MoveKind::Ante,
            Self::Omit => MoveKind::Omit,
            Self::Keep => MoveKind::Keep,
            Self::Expose(_) => MoveKind::Expose,
            Self::Pool(_) => MoveKind::Pool,
            Self::Pact(_) => MoveKind::Pact,
        }
    }
}

/// What a player wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Make a move.
    Move(Move),
    /// Tell the holder of the pool what one would do.
    Advice(String),
    /// Buy this many chips.
    Rebuy(Chips),
    /// Say something to the table.
    Say(String),
    /// Leave the table when the hand is over.
    Leave,
    /// The host: begin with who is here.
    Start,
    /// Play the next hand.
    Ready,
    /// Sit the next hands out.
    SitOut,
    /// Take 15 seconds of the time bank.
    MoreTime,
    /// Accept a newcomer by its key.
    Admit {
        /// The key, as the offer gave it.
        key: String,
    },
    /// Let a frozen seat play again.
    Unfreeze {
        /// Which.
        seat: Seat,
    },
    /// Close a table that can decide nothing any more.
    Close,
    /// The answer to the three-tens question, set beforehand.
    Tens {
        /// Lay them open?
        redeal: bool,
    },
    /// Say yes or no to the house rules that were proposed.
    AgreeRules {
        /// Agreed?
        yes: bool,
    },
    /// End the hand where it stands and divide its bank among those still in it, or not. Needs everybody; the
    /// first yes proposes it.
    Divide {
        /// Divided?
        yes: bool,
    },
    /// Propose other house rules: switches with their values, in this order, as on the command line. The switch
    /// `preset` begins from that preset. They hold from the next hand on, when everybody has agreed.
    ProposeRules {
        /// The switches, at most [`MAX_CHANGES`](super::MAX_CHANGES).
        changes: Vec<(String, String)>,
    },
}

impl Serialize for Command {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Move(step) => serialize_move(step, &mut map)?,
            Self::Advice(text) => map.serialize_entry("advice", text)?,
            Self::Rebuy(amount) => map.serialize_entry("rebuy", amount)?,
            Self::Say(text) => map.serialize_entry("say", text)?,
            Self::Leave => map.serialize_entry("leave", &true)?,
            Self::Start => map.serialize_entry("start", &true)?,
            Self::Ready => map.serialize_entry("ready", &true)?,
            Self::SitOut => map.serialize_entry("sit-out", &true)?,
            Self::MoreTime => map.serialize_entry("more-time", &true)?,
            Self::Admit { key } => map.serialize_entry("admit", &One("key", key))?,
            Self::Unfreeze { seat } => map.serialize_entry("unfreeze", &One("seat", seat))?,
            Self::Close => map.serialize_entry("close", &true)?,
            Self::Tens { redeal } => map.serialize_entry("tens", &One("redeal", redeal))?,
            Self::AgreeRules { yes } => map.serialize_entry("agree-rules", yes)?,
            Self::Divide { yes } => map.serialize_entry("divide", yes)?,
            Self::ProposeRules { changes } => {
                map.serialize_entry("propose-rules", &Switches(changes))?;
            }
        }
        map.end()
    }
}

fn serialize_move<M: SerializeMap>(step: &Move, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("move", &step.kind())?;
    match step {
        Move::Bet(amount) | Move::Dark(amount) => map.serialize_entry("amount", amount),
        Move::Cut(at) | Move::Lift(at) | Move::Replace(at) => map.serialize_entry("at", at),
        Move::Expose(seat) => map.serialize_entry("seat", seat),
        Move::Pact(seat) => map.serialize_entry("with", seat),
        Move::Pool(shares) => {
            let (seats, chips): (Vec<Seat>, Vec<Chips>) = shares.iter().copied().unzip();
            map.serialize_entry("with", &seats)?;
            map.serialize_entry("shares", &chips)
        }
        _ => Ok(()),
    }
}

/// An object with a field for each switch.
struct Switches<'a>(&'a [(String, String)]);

impl Serialize for Switches<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// An object with one field.
struct One<'a, T>(&'static str, &'a T);

impl<T: Serialize> Serialize for One<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, self.1)?;
        map.end()
    }
}
