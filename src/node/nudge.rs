//! A bot never keeps a table waiting: whatever its program does not answer it is asked again, and at last
//! the safest move is made for it.

use super::run::{Node, Place};
use crate::bots;
use crate::event::{Command, Event};
use crate::i18n::Problem;
use crate::table::Unanswered;
use crate::table::message::Basis;

/// Milliseconds beyond its pace that a bot has for an answer.
const ANSWER_MS: u64 = 3_000;
/// Milliseconds that a bot waits for an answer to what it has proposed: it may be a person who reads it.
const PROPOSAL_MS: u64 = 9_000;
/// How often a bot is asked again before the move is made for it: one that waits for a proposal passes over
/// the first time.
const ASKED_AGAIN: u32 = 2;

/// A question that the bot of this node has not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nudge {
    basis: Basis,
    /// Milliseconds: when it was asked last.
    since: u64,
    /// How often it was asked again.
    times: u32,
}

/// What to do for a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Wait,
    AskAgain,
    MoveForIt,
}

/// What an open question asks for at this time, and what to remember of it.
fn next(known: Option<Nudge>, open: &Unanswered, now: u64, pace_ms: u64) -> (Nudge, Step) {
    let basis = open.basis;
    let Some(known) = known.filter(|known| known.basis == basis) else {
        return (Nudge { basis, since: now, times: 0 }, Step::Wait);
    };
    let patience = if open.proposed && known.times == 0 { PROPOSAL_MS } else { ANSWER_MS };
    if now < known.since.saturating_add(pace_ms).saturating_add(patience) {
        return (known, Step::Wait);
    }
    let step = if known.times < ASKED_AGAIN { Step::AskAgain } else { Step::MoveForIt };
    (Nudge { basis, since: now, times: known.times.saturating_add(1) }, step)
}

impl Node {
    /// Sees to it that the bot of this node answers what it is asked.
    pub(super) fn wake_bot(&mut self) -> Result<(), Problem> {
        let now = self.now();
        let Place::Playing(sitting) = &self.place else { return Ok(()) };
        let Some((_, view)) = &mut self.bot else { return Ok(()) };
        let Some(open) = sitting.table().unanswered(now) else {
            self.nudge = None;
            return Ok(());
        };
        let (nudge, step) = next(self.nudge, &open, now, self.settings.pace_ms);
        self.nudge = Some(nudge);
        match step {
            Step::Wait => Ok(()),
            Step::AskAgain => {
                tracing::warn!("the bot is asked again: {:?}", open.question);
                view.observe(&open.question);
                self.let_bot_decide()
            }
            Step::MoveForIt => {
                let Event::Turn { legal, .. } = &open.question else { return Ok(()) };
                let Some(step) = bots::instead(legal) else { return Ok(()) };
                tracing::warn!("the bot does not answer, {step:?} is done for it");
                self.planned.clear();
                self.command(Command::Move(step))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_bot_is_asked_again_and_then_moved_for() {
        let question = Event::Turn {
            seat: crate::rules::Seat(0),
            mine: true,
            price: None,
            legal: vec![],
            seconds: 9,
        };
        let open = |turn, proposed| Unanswered {
            basis: Basis { deal: 1, turn },
            question: question.clone(),
            proposed,
        };
        let pace = 1_000;
        for (proposed, first) in [(false, ANSWER_MS), (true, PROPOSAL_MS)] {
            let open = open(1, proposed);
            let (mut known, step) = next(None, &open, 0, pace);
            assert_eq!(step, Step::Wait);
            let mut now = 0;
            let expected = [
                (first, Step::AskAgain),
                (ANSWER_MS, Step::AskAgain),
                (ANSWER_MS, Step::MoveForIt),
                (ANSWER_MS, Step::MoveForIt),
            ];
            for (patience, due) in expected {
                now += pace + patience;
                let (early, step) = next(Some(known), &open, now - 1, pace);
                assert_eq!((early, step), (known, Step::Wait));
                let (later, step) = next(Some(known), &open, now, pace);
                assert_eq!(step, due);
                known = later;
            }
        }
        // Another question begins anew.
        let old = Nudge { basis: Basis { deal: 1, turn: 1 }, since: 0, times: 2 };
        let (nudge, step) = next(Some(old), &open(2, false), 90_000, pace);
        assert_eq!((nudge.times, nudge.since, step), (0, 90_000, Step::Wait));
    }
}
