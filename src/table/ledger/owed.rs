//! What the log waits for: who owes which step, and how long it may take.

use super::{Core, Stage};
use crate::rules::{Phase, Seat};
use crate::table::limits;
use crate::table::message::StepId;

/// A step that a seat owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owed {
    /// Who.
    pub seat: Seat,
    /// What.
    pub step: StepId,
    /// A person's decision, or something its program does by itself.
    pub human: bool,
    /// How long it may take, in milliseconds from the entry that opened it.
    pub limit_ms: u64,
}

impl Core {
    /// Every step that is open. Messages of a deal are not among them: they are known outside the log.
    #[must_use]
    pub fn owed(&self) -> Vec<Owed> {
        let machine = |seat, step| Owed { seat, step, human: false, limit_ms: limits::MACHINE_MS };
        match &self.stage {
            Stage::Over | Stage::Dealing { .. } => Vec::new(),
            Stage::Idle => self
                .next_start()
                .map(|(dealer, _)| {
                    machine(dealer, StepId::Start { hand: self.hands.saturating_add(1) })
                })
                .into_iter()
                .collect(),
            Stage::Starting { hand, participants, ready, .. } => participants
                .iter()
                .filter(|s| !ready.contains(s))
                .map(|s| machine(*s, StepId::Ready { hand: *hand }))
                .collect(),
            Stage::Playing { cards, .. } => {
                if !cards.owes.is_empty() {
                    return cards
                        .owes
                        .iter()
                        .map(|s| machine(*s, StepId::Shares { deal: cards.deal }))
                        .collect();
                }
                let Some(basis) = self.basis() else { return Vec::new() };
                if let Phase::Comparing { caller, target } = *self.game.phase() {
                    return [caller, target]
                        .into_iter()
                        .filter(|s| self.owes_opening(*s))
                        .map(|s| machine(s, StepId::Open(basis)))
                        .collect();
                }
                let limit_ms = self.terms.think_ms.saturating_add(
                    limits::MORE_TIME_MS.saturating_mul(u64::from(cards.more_time)),
                );
                self.game
                    .turn()
                    .map(|seat| Owed { seat, step: StepId::Turn(basis), human: true, limit_ms })
                    .into_iter()
                    .collect()
            }
        }
    }

    /// Whether a seat has to open its hand for the comparison that is going on.
    #[must_use]
    pub fn owes_opening(&self, seat: Seat) -> bool {
        let Stage::Playing { cards, .. } = &self.stage else { return false };
        matches!(*self.game.phase(), Phase::Comparing { caller, target } if caller == seat || target == seat)
            && !cards.open.contains_key(&seat)
    }
}
