//! Seats that play by themselves. A bot knows what its events told it, and nothing else.

use std::fmt;
use std::str::FromStr;

use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

use crate::event::{Command, LegalMove, Move, MoveKind};
use crate::i18n::Problem;

mod careful;
mod chance;
mod random;
#[cfg(test)]
mod tests;
mod view;

pub use chance::Chance;
pub use view::BotView;

/// How often a bot tries again when a move of its turn was refused.
const MAX_REFUSALS: u64 = 3;

/// How a bot plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BotKind {
    /// Anything that is legal, by lot, rather what has not been seen yet.
    Random,
    /// By the chance that its cards are the best.
    #[default]
    Careful,
}

impl FromStr for BotKind {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        match text {
            "random" => Ok(Self::Random),
            "careful" => Ok(Self::Careful),
            other => Err(Problem::BotMissing { bot: other.to_owned() }),
        }
    }
}

impl fmt::Display for BotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Careful => "careful",
        })
    }
}

/// A player that is a program. The same kind, seed and events give the same moves.
#[derive(Debug, Clone)]
pub struct Bot {
    kind: BotKind,
    rng: ChaCha12Rng,
    /// What it has answered last, so that it answers nothing twice.
    answered: Answered,
}

/// The marks of what has been answered.
#[derive(Debug, Clone, Copy, Default)]
struct Answered {
    /// The moment of the last move.
    moment: Option<view::Moment>,
    /// The questions beside the game.
    questions: u64,
    /// The occasion of the last rebuy.
    rebuy: Option<u64>,
}

impl Bot {
    /// A bot that has seen nothing yet.
    #[must_use]
    pub fn new(kind: BotKind, seed: u64) -> Self {
        Self { kind, rng: ChaCha12Rng::seed_from_u64(seed), answered: Answered::default() }
    }

    /// How it plays.
    #[must_use]
    pub const fn kind(&self) -> BotKind {
        self.kind
    }

    /// What it does now, if anything. To be asked after every event, until nothing comes back.
    pub fn decide(&mut self, view: &BotView) -> Option<Command> {
        self.answer_question(view).or_else(|| self.rebuy(view)).or_else(|| self.play(view))
    }

    /// Newcomers are welcome, proposed rules are agreed to, and it always plays.
    fn answer_question(&mut self, view: &BotView) -> Option<Command> {
        let (number, command) = view.question_after(self.answered.questions)?;
        self.answered.questions = number;
        Some(command)
    }

    /// Buys in again as soon as it cannot pay the ante.
    fn rebuy(&mut self, view: &BotView) -> Option<Command> {
        let (occasion, amount) = view.rebuy()?;
        if self.answered.rebuy == Some(occasion) {
            return None;
        }
        self.answered.rebuy = Some(occasion);
        Some(Command::Rebuy(amount))
    }

    fn play(&mut self, view: &BotView) -> Option<Command> {
        let moment = view.moment()?;
        if self.answered.moment == Some(moment) || moment.refusals >= MAX_REFUSALS {
            return None;
        }
        let step = if moment.refusals > 0 {
            // Something was not as it looked: give up rather than insist.
            give_up(&view.table().my_turn()?.legal)
        } else {
            match self.kind {
                BotKind::Random => random::choose(view, &mut self.rng),
                BotKind::Careful => careful::choose(view),
            }
        }?;
        self.answered.moment = Some(moment);
        Some(Command::Move(step))
    }
}

/// The move that risks nothing more.
fn give_up(legal: &[LegalMove]) -> Option<Move> {
    [
        (MoveKind::Fold, Move::Fold),
        (MoveKind::Refuse, Move::Refuse),
        (MoveKind::StayOut, Move::StayOut),
        (MoveKind::NoSplit, Move::NoSplit),
        (MoveKind::Keep, Move::Keep),
        (MoveKind::Omit, Move::Omit),
    ]
    .into_iter()
    .find(|(kind, _)| legal.iter().any(|open| open.kind == *kind))
    .map(|(_, step)| step)
}
