//! What a hand has met of the rules, counted.

use serde::{Deserialize, Serialize};

use crate::rules::{Action, CompareResult, Game, GameEvent, Phase, ResultKind, Seat};

/// How often each of the rarer things has happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is a word of the rules")]
pub struct Met {
    pub dark: u64,
    pub overdark: u64,
    pub knock_out: u64,
    pub tie: u64,
    pub svara: u64,
    pub boil: u64,
    pub split: u64,
    pub entry: u64,
    pub newcomer: u64,
    pub pool: u64,
    pub pact: u64,
    pub redeal: u64,
    pub short_stack: u64,
    pub compare: u64,
    pub exposed: u64,
    pub lift: u64,
}

impl Met {
    /// Every count with its name, in the order in which they are told.
    #[must_use]
    pub fn counts(&self) -> [(&'static str, u64); 16] {
        [
            ("dark", self.dark),
            ("overdark", self.overdark),
            ("knock_out", self.knock_out),
            ("tie", self.tie),
            ("svara", self.svara),
            ("boil", self.boil),
            ("split", self.split),
            ("entry", self.entry),
            ("newcomer", self.newcomer),
            ("pool", self.pool),
            ("pact", self.pact),
            ("redeal", self.redeal),
            ("short_stack", self.short_stack),
            ("compare", self.compare),
            ("exposed", self.exposed),
            ("lift", self.lift),
        ]
    }

    /// Adds what another run has met.
    pub fn add(&mut self, other: &Met) {
        self.dark += other.dark;
        self.overdark += other.overdark;
        self.knock_out += other.knock_out;
        self.tie += other.tie;
        self.svara += other.svara;
        self.boil += other.boil;
        self.split += other.split;
        self.entry += other.entry;
        self.newcomer += other.newcomer;
        self.pool += other.pool;
        self.pact += other.pact;
        self.redeal += other.redeal;
        self.short_stack += other.short_stack;
        self.compare += other.compare;
        self.exposed += other.exposed;
        self.lift += other.lift;
    }

    /// Counts what an input led to; `before` is the game that took it.
    pub fn observe(&mut self, before: &Game, events: &[GameEvent]) {
        let open_bet = |e: &GameEvent| matches!(e, GameEvent::Moved { action: Action::Bet(_), .. });
        let by_bet = before.rules().knock_out.is_on() && events.iter().any(open_bet);
        for event in events {
            match event {
                GameEvent::Moved { seat, action, .. } => self.moved(before, *seat, *action),
                GameEvent::DarkOver { .. } if by_bet => self.knock_out += 1,
                GameEvent::Compared { result, .. } => {
                    self.compare += 1;
                    self.tie += u64::from(*result == CompareResult::Tie);
                }
                GameEvent::Svara { .. } => self.svara += 1,
                GameEvent::Over { result } => {
                    self.split += u64::from(result.kind == ResultKind::Split);
                }
                GameEvent::Pooled { .. } => self.pool += 1,
                GameEvent::Pact { .. } => self.pact += 1,
                GameEvent::Redeal { holder: Some(_) } => self.redeal += 1,
                GameEvent::OutByItself { .. } => self.short_stack += 1,
                GameEvent::Lifted { .. } => self.lift += 1,
                _ => {}
            }
        }
    }

    fn moved(&mut self, before: &Game, seat: Seat, action: Action) {
        match action {
            Action::Dark(_) => {
                let again = before.active().into_iter().any(|other| before.is_dark(other));
                if again {
                    self.overdark += 1;
                } else {
                    self.dark += 1;
                }
            }
            Action::Accept if matches!(before.phase(), Phase::Boil { .. }) => self.boil += 1,
            Action::Enter if !before.is_active(seat) => {
                if before.was_dealt(seat) {
                    self.entry += 1;
                } else {
                    self.newcomer += 1;
                }
            }
            Action::Expose(_) => self.exposed += 1,
            _ => {}
        }
    }
}
