//! What lies on top of a page and takes the keys.

use super::keys::{Act, Code, Key};
use super::moves;
use crate::event::{Command, Move, MoveKind};
use crate::rules::{Chips, Seat};

/// What a number is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move.
    Move(MoveKind),
    /// Buying chips.
    Rebuy,
    /// One's part of a pool, with this partner who pays the rest of the sum.
    Pool(Seat, Chips),
}

/// A number that is being chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) purpose: Purpose,
    pub(super) text: String,
    pub(super) min: u64,
    pub(super) max: u64,
    /// Numbers at a key's press: the key, and the number.
    pub(super) presets: Vec<(char, u64)>,
    /// Nothing was typed yet: the first digit replaces what stands there.
    pub(super) fresh: bool,
}

impl Amount {
    pub(super) fn of_move(kind: MoveKind, min: u64, max: u64, price: Chips, bank: Chips) -> Self {
        let mut presets = Vec::new();
        if matches!(kind, MoveKind::Bet | MoveKind::Dark) {
            presets.push(('p', price));
            presets.push(('x', price.saturating_mul(2)));
            presets.push(('h', bank / 2));
            presets.push(('m', max));
            presets.retain(|(_, amount)| (min..=max).contains(amount));
        }
        let text = moves::usual(kind, min, max).to_string();
        Self { purpose: Purpose::Move(kind), text, min, max, presets, fresh: true }
    }

    pub(super) fn value(&self) -> Option<u64> {
        self.text.parse().ok().filter(|value| (self.min..=self.max).contains(value))
    }

    /// Takes a key that does not end it.
    pub(super) fn key(&mut self, key: Key) {
        let now: u64 = self.text.parse().unwrap_or(self.min);
        let mut put = |value: u64| self.text = value.clamp(self.min, self.max).to_string();
        match key.code {
            Code::Up | Code::Right => put(now.saturating_add(1)),
            Code::Down | Code::Left => put(now.saturating_sub(1)),
            Code::PageUp => put(now.saturating_add(10)),
            Code::PageDown => put(now.saturating_sub(10)),
            Code::Home => put(self.min),
            Code::End => put(self.max),
            Code::Backspace => drop(self.text.pop()),
            Code::Char(c) if c.is_ascii_digit() => {
                if self.fresh {
                    self.text.clear();
                }
                if self.text.len() < 16 {
                    self.text.push(c);
                }
            }
            Code::Char(_) => {
                let Code::Char(c) = key.place().code else { return };
                match self.presets.iter().find(|(preset, _)| *preset == c) {
                    Some((_, value)) => put(*value),
                    None => return,
                }
            }
            _ => return,
        }
        self.fresh = false;
    }

    /// The command for the number that was chosen.
    pub(super) fn command(&self, me: Option<Seat>) -> Option<Command> {
        let value = self.value()?;
        Some(match self.purpose {
            Purpose::Rebuy => Command::Rebuy(value),
            Purpose::Pool(partner, sum) => {
                let rest = sum.saturating_sub(value);
                Command::Move(Move::Pool(vec![(me?, value), (partner, rest)]))
            }
            Purpose::Move(kind) => Command::Move(match kind {
                MoveKind::Bet => Move::Bet(value),
                MoveKind::Dark => Move::Dark(value),
                MoveKind::Cut => Move::Cut(value),
                MoveKind::Lift => Move::Lift(value),
                MoveKind::Replace => Move::Replace(value),
                _ => return None,
            }),
        })
    }
}

/// One of several players, to be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Players {
    pub(super) kind: MoveKind,
    pub(super) seats: Vec<Seat>,
    pub(super) at: usize,
}

/// What is asked before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sure {
    /// Paying more than half of one's chips.
    Pay(Command, Chips),
    /// Looking at one's cards, which gives dark play up.
    Look(Command),
    /// Leaving the table.
    Leave,
}

/// What lies on top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Dialog {
    Amount(Amount),
    Players(Players),
    Sure(Sure),
    Chat(String),
    Address(String),
    Help(usize),
    Log(usize),
    Proofs(usize),
    House(usize),
    /// What beats what and one's chances: how far it is scrolled, and the text.
    Hint(usize, Vec<String>),
}

impl Dialog {
    /// How far a page is scrolled.
    pub(super) fn scroll(&mut self) -> Option<&mut usize> {
        match self {
            Self::Help(at)
            | Self::Log(at)
            | Self::Proofs(at)
            | Self::House(at)
            | Self::Hint(at, _) => Some(at),
            _ => None,
        }
    }

    /// The command that opens this page.
    pub(super) const fn act(&self) -> Option<Act> {
        Some(match self {
            Self::Help(_) => Act::Help,
            Self::Log(_) => Act::Log,
            Self::Proofs(_) => Act::Proofs,
            Self::House(_) => Act::House,
            Self::Hint(..) => Act::Hint,
            _ => return None,
        })
    }

    /// Is text typed here?
    pub(super) fn text(&mut self) -> Option<&mut String> {
        match self {
            Self::Chat(text) | Self::Address(text) => Some(text),
            _ => None,
        }
    }
}
