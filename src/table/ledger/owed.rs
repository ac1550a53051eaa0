//! What the log waits for: who owes which step, and how long it may take.

use super::cards::{Playing, Sealed};
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

fn machine(seat: Seat, step: StepId) -> Owed {
    Owed { seat, step, human: false, limit_ms: limits::MACHINE_MS }
}

impl Core {
    /// Every step that is open. Messages of a deal are not among them: they are known outside the log.
    #[must_use]
    pub fn owed(&self) -> Vec<Owed> {
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
                let mut owed = self.owed_of_cards(cards);
                owed.extend(self.owed_of_comparison(cards));
                owed.extend(self.owed_by_people(cards));
                owed
            }
        }
    }

    fn owed_of_cards(&self, cards: &Playing) -> Vec<Owed> {
        let deal = cards.deal;
        let mut owed = Vec::new();
        for seat in cards.order.iter().filter(|seat| !cards.shares_owed(**seat).is_empty()) {
            let round = cards.answers.get(seat).copied().unwrap_or(0);
            owed.push(machine(*seat, StepId::Shares { deal, round }));
        }
        for lost in cards.recoveries.keys() {
            let step = StepId::Recover { deal, lost: *lost };
            owed.extend(cards.openers(*lost).into_iter().map(|seat| machine(seat, step)));
        }
        if let Some(renewal) = &cards.renewal {
            let step = StepId::Escrow { deal, step: renewal.step };
            owed.extend(renewal.owed.keys().map(|seat| machine(*seat, step)));
        }
        let keys = self.keys_wanted(cards).into_iter();
        owed.extend(keys.map(|seat| machine(seat, StepId::Recipient { deal })));
        let shows = self.shows_wanted(cards).into_iter();
        owed.extend(shows.map(|(seat, _)| machine(seat, StepId::Show { deal })));
        owed
    }

    fn owed_of_comparison(&self, cards: &Playing) -> Vec<Owed> {
        let Some(basis) = self.basis() else { return Vec::new() };
        if let Phase::ThreeTens { .. } = self.game.phase() {
            let asked = self.game.awaited().into_iter().filter(|seat| self.tens_asked(*seat));
            return asked.map(|seat| machine(seat, StepId::Tens(basis))).collect();
        }
        let step = match self.sealed_turn() {
            Some((seat, Sealed::Begun)) => (seat, StepId::Unary(basis)),
            Some((seat, Sealed::Committed)) => (seat, StepId::Select(basis)),
            Some((seat, Sealed::Selected)) => (seat, StepId::Reveal(basis)),
            None => return Vec::new(),
        };
        let _ = cards;
        vec![machine(step.0, step.1)]
    }

    fn owed_by_people(&self, cards: &Playing) -> Vec<Owed> {
        let Some(basis) = self.basis() else { return Vec::new() };
        let limit_ms = self
            .terms
            .think_ms
            .saturating_add(limits::MORE_TIME_MS.saturating_mul(u64::from(cards.more_time)));
        let asked = self.game.awaited().into_iter().filter(|seat| self.answers(*seat));
        asked.map(|seat| Owed { seat, step: StepId::Turn(basis), human: true, limit_ms }).collect()
    }

    /// Whether both programs of a comparison are to say whether they lay three tens open, and this is one of
    /// them that has not.
    #[must_use]
    pub fn tens_asked(&self, seat: Seat) -> bool {
        let Phase::ThreeTens { caller, target } = self.game.phase() else { return false };
        let readable = |seat| self.playing().is_some_and(|cards| cards.is_readable(seat));
        readable(*caller) && readable(*target) && self.game.awaited().contains(&seat)
    }

    /// Whether a seat's player is to act or answer now: it is asked, has seen what it may see, and nothing
    /// that all are to see is still covered.
    #[must_use]
    pub fn answers(&self, seat: Seat) -> bool {
        let Some(cards) = self.playing() else { return false };
        if matches!(self.game.phase(), Phase::ThreeTens { .. })
            || cards.is_opening()
            || !self.game.awaited().contains(&seat)
        {
            return false;
        }
        if *self.game.phase() != Phase::Betting {
            return true;
        }
        let partners_see =
            self.keys_wanted(cards).is_empty() && self.shows_wanted(cards).is_empty();
        let pooled = self.game.pools().contains_key(&seat);
        (!self.game.may_see(seat, seat) || cards.is_readable(seat)) && (!pooled || partners_see)
    }
}
