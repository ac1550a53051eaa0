//! Seats that play by themselves. A bot knows what its events told it, and nothing else.

use std::fmt;
use std::str::FromStr;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use serde::{Deserialize, Serialize};

use crate::event::{Command, LegalMove, Move, MoveKind};
use crate::i18n::Problem;
use crate::rules::{Seat, ThreeTens};

mod bold;
mod careful;
mod chance;
mod chores;
mod met;
mod mind;
mod random;
#[cfg(test)]
mod tests;
mod view;

pub use chance::{Chance, Odds};
pub use met::{Branch, Met};
pub use view::BotView;

use mind::Mind;

/// How often a bot tries again when a move of its turn was refused.
const MAX_REFUSALS: u64 = 3;

/// How many new turns a proposal may be waited for that nothing was heard of.
const PATIENCE: u8 = 1;

/// How a bot plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BotKind {
    /// Anything that is legal, by lot, rather what has not been seen yet.
    Random,
    /// By the chance that its cards are the best.
    #[default]
    Careful,
    /// Plays dark, raises, bluffs now and then, and likes a svara.
    Bold,
}

impl BotKind {
    /// The kinds of a table of bots that is to show everything the rules have, by seat: most play
    /// by lot.
    #[must_use]
    pub const fn of_party(number: usize) -> Self {
        match number % 4 {
            1 => Self::Bold,
            3 => Self::Careful,
            _ => Self::Random,
        }
    }
}

impl BotKind {
    /// The kinds of those who keep people company: each in its turn, the careful first.
    #[must_use]
    pub const fn of_company(number: usize) -> Self {
        match number % 3 {
            0 => Self::Careful,
            1 => Self::Bold,
            _ => Self::Random,
        }
    }
}

impl FromStr for BotKind {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        match text {
            "random" => Ok(Self::Random),
            "careful" => Ok(Self::Careful),
            "bold" => Ok(Self::Bold),
            other => Err(Problem::BotMissing { bot: other.to_owned() }),
        }
    }
}

impl fmt::Display for BotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Careful => "careful",
            Self::Bold => "bold",
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
    /// What it has sent that may be refused without harm to its turn.
    loose: Option<Loose>,
    /// Refusals that are none of this turn's moves.
    excused: (u64, u64),
    /// What it has proposed in this svara.
    proposed: Proposed,
    /// What three tens are to do, as it has told its node.
    tens: Option<bool>,
    /// The hand before which it went away from the table for one hand.
    sat_out: Option<u64>,
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
    /// The other's turn at which something was open besides.
    beside: u64,
    /// The deal at whose beginning cards may be had face up.
    face_up: u64,
    /// The pool's hand that was advised on.
    advice: u64,
    /// The hand before which sitting out was thought of.
    sitting: Option<u64>,
    /// The hand for which the lot of three tens was drawn.
    tens: u64,
}

/// A move besides the turn, or a proposal, that nothing has been heard of.
#[derive(Debug, Clone)]
struct Loose {
    errors: u64,
    resolved: (u64, u64),
    /// A proposal: at which turn, and to whom.
    proposal: Option<(u64, Option<Seat>)>,
    patience: u8,
}

/// What was proposed in which svara: one pool and one pact at most.
#[derive(Debug, Clone, Copy, Default)]
struct Proposed {
    svara: u64,
    pool: bool,
    pact: bool,
}

impl Bot {
    /// A bot that has seen nothing yet.
    #[must_use]
    pub fn new(kind: BotKind, seed: u64) -> Self {
        Self {
            kind,
            rng: ChaCha12Rng::seed_from_u64(seed),
            answered: Answered::default(),
            loose: None,
            excused: (0, 0),
            proposed: Proposed::default(),
            tens: None,
            sat_out: None,
        }
    }

    /// How it plays.
    #[must_use]
    pub const fn kind(&self) -> BotKind {
        self.kind
    }

    /// What it does now, if anything. To be asked after every event, until nothing comes back.
    pub fn decide(&mut self, view: &BotView) -> Option<Command> {
        self.settle_loose(view);
        self.answer_question(view)
            .or_else(|| self.set_tens(view))
            .or_else(|| self.rebuy(view))
            .or_else(|| self.sit_out(view))
            .or_else(|| self.ask_face_up(view))
            .or_else(|| self.advise(view))
            .or_else(|| self.play(view))
            .or_else(|| self.act_besides(view))
    }

    /// Newcomers are welcome and proposed rules are agreed to.
    fn answer_question(&mut self, view: &BotView) -> Option<Command> {
        let (number, command) = view.question_after(self.answered.questions)?;
        self.answered.questions = number;
        // Whoever sits out has said so.
        (command != Command::Ready || self.sat_out.is_none()).then_some(command)
    }

    /// Three tens are worth a new deal; by lot only where that has been seen.
    fn set_tens(&mut self, view: &BotView) -> Option<Command> {
        view.table().me?;
        if view.rules()?.three_tens != ThreeTens::OnDemand {
            return None;
        }
        let redeal = match self.kind {
            BotKind::Careful | BotKind::Bold => true,
            BotKind::Random if view.wants(Branch::Redeal) => true,
            BotKind::Random if self.answered.tens == view.hands() => return None,
            BotKind::Random => self.rng.random(),
        };
        self.answered.tens = view.hands();
        if self.tens == Some(redeal) {
            return None;
        }
        self.tens = Some(redeal);
        Some(Command::Tens { redeal })
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

    /// Where no newcomer has entered a svara yet, one by lot leaves out a hand to be one.
    fn sit_out(&mut self, view: &BotView) -> Option<Command> {
        let hands = view.between_hands()?;
        if let Some(before) = self.sat_out {
            let over = hands > before;
            self.sat_out = self.sat_out.filter(|_| !over);
            return over.then_some(Command::Ready);
        }
        let could = self.kind == BotKind::Random
            && view.wants(Branch::Newcomer)
            && hands >= random::HANDS_BEFORE_SITTING_OUT
            && view.company() >= random::COMPANY_TO_SIT_OUT
            && self.answered.sitting != Some(hands);
        self.answered.sitting = Some(hands);
        if !could || self.rng.random_range(0..random::SITS_OUT_ONE_IN) > 0 {
            return None;
        }
        self.sat_out = Some(hands);
        Some(Command::SitOut)
    }

    /// Before its cards are dealt it may ask for the first of them face up.
    fn ask_face_up(&mut self, view: &BotView) -> Option<Command> {
        if self.answered.face_up == view.face_up() {
            return None;
        }
        self.answered.face_up = view.face_up();
        let me = view.table().me?;
        if self.kind != BotKind::Random || view.is_exposed() {
            return None;
        }
        let rarely = if view.wants(Branch::Exposed) { 2 } else { 12 };
        if self.rng.random_range(0..rarely) > 0 {
            return None;
        }
        self.let_loose(view, None);
        Some(Command::Move(Move::Expose(me)))
    }

    /// As a partner in a pool it says what it would do.
    fn advise(&mut self, view: &BotView) -> Option<Command> {
        let (number, chance) = view.partners_hand()?;
        if self.answered.advice == number {
            return None;
        }
        self.answered.advice = number;
        let would = match chance {
            chance if chance >= Chance::EVEN => MoveKind::Compare,
            chance if chance >= Chance::one_of(5) => MoveKind::Bet,
            _ => MoveKind::Fold,
        };
        Some(Command::Advice(would.name().to_owned()))
    }

    fn play(&mut self, view: &BotView) -> Option<Command> {
        let moment = view.moment()?;
        let turn = view.table().my_turn()?;
        if self.answered.moment == Some(moment) || moment.refusals >= MAX_REFUSALS {
            return None;
        }
        let entering = turn.find(MoveKind::StayOut).is_some();
        if let Some(loose) = &mut self.loose
            && let Some((at, _)) = loose.proposal
            && at != moment.turn
            && entering
            && self.proposed.svara == view.svaras()
            && loose.patience > 0
        {
            // The same question again, while a proposal is on its way.
            loose.patience -= 1;
            self.answered.moment = Some(moment);
            return None;
        }
        let excused = if self.excused.0 == moment.turn { self.excused.1 } else { 0 };
        let step = if moment.refusals > excused {
            // Something was not as it looked: give up rather than insist.
            give_up(&turn.legal)
        } else {
            if self.proposed.svara != view.svaras() {
                self.proposed = Proposed { svara: view.svaras(), ..Proposed::default() };
            }
            let mind =
                Mind { view, turn, may_pool: !self.proposed.pool, may_pact: !self.proposed.pact };
            match self.kind {
                BotKind::Random => random::choose(&mind, &mut self.rng),
                BotKind::Careful => careful::choose(&mind),
                BotKind::Bold => bold::choose(&mind, &mut self.rng),
            }
        }?;
        match &step {
            Move::Pool(parts) => {
                self.proposed.pool = true;
                let partner = parts.get(1).map(|(seat, _)| *seat);
                self.let_loose(view, Some((moment.turn, partner)));
            }
            Move::Pact(partner) => {
                self.proposed.pact = true;
                self.let_loose(view, Some((moment.turn, Some(*partner))));
            }
            _ => {}
        }
        self.answered.moment = Some(moment);
        Some(Command::Move(step))
    }

    /// While another is to act: a look off turn, or a card turned up by the dealer.
    fn act_besides(&mut self, view: &BotView) -> Option<Command> {
        let (number, turn) = view.beside()?;
        if self.answered.beside == number || self.loose.is_some() {
            return None;
        }
        self.answered.beside = number;
        let mind = Mind { view, turn, may_pool: false, may_pact: false };
        let step = match self.kind {
            BotKind::Random => random::besides(&mind, &mut self.rng),
            BotKind::Careful | BotKind::Bold => None,
        }?;
        self.let_loose(view, None);
        Some(Command::Move(step))
    }

    fn let_loose(&mut self, view: &BotView, proposal: Option<(u64, Option<Seat>)>) {
        self.loose = Some(Loose {
            errors: view.errors(),
            resolved: view.resolved(),
            proposal,
            patience: PATIENCE,
        });
    }

    /// Has anything been heard of what was sent besides?
    fn settle_loose(&mut self, view: &BotView) {
        let Some(loose) = &self.loose else { return };
        let refused = view.errors() > loose.errors;
        let partner = loose.proposal.and_then(|(_, partner)| partner);
        let heard = refused
            || match loose.proposal {
                None => view.resolved().0 > loose.resolved.0,
                Some(_) => view.resolved().1 > loose.resolved.1,
            }
            || partner.is_some_and(|seat| view.has_answered(seat))
            || (partner.is_some() && self.proposed.svara != view.svaras());
        if !heard {
            return;
        }
        self.loose = None;
        if refused && let Some(moment) = view.moment().filter(|moment| moment.refusals > 0) {
            let before = if self.excused.0 == moment.turn { self.excused.1 } else { 0 };
            self.excused = (moment.turn, before + 1);
        }
    }
}

/// What is done for a bot that does not answer: what risks nothing more, or else the least of what is open.
#[must_use]
pub fn instead(legal: &[LegalMove]) -> Option<Move> {
    give_up(legal).or_else(|| {
        legal.iter().find_map(|open| {
            let least = open.min.unwrap_or(0);
            Some(match open.kind {
                MoveKind::Bet => Move::Bet(least),
                MoveKind::Cut => Move::Cut(least),
                MoveKind::Lift => Move::Lift(least),
                MoveKind::Replace => Move::Replace(least),
                MoveKind::Compare => Move::Compare,
                MoveKind::Ante => Move::Ante,
                MoveKind::Enter => Move::Enter,
                MoveKind::Split => Move::Split,
                MoveKind::Accept => Move::Accept,
                MoveKind::Dark
                | MoveKind::Look
                | MoveKind::Redeal
                | MoveKind::Boil
                | MoveKind::Expose
                | MoveKind::Pool
                | MoveKind::Pact
                | MoveKind::Fold
                | MoveKind::Refuse
                | MoveKind::StayOut
                | MoveKind::NoSplit
                | MoveKind::Keep
                | MoveKind::Omit => return None,
            })
        })
    })
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
