//! Whether this player may still play dark, as far as that was told: who looks gives it up.

use super::Sight;
use crate::event::{Event, MoveKind};
use crate::rules::{DarkChain, HouseRules};
use crate::screens::view::View;

/// What the events of a deal leave of the right to go dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct DarkRight {
    /// Is it a deal in which dark play is possible, and has nobody acted otherwise?
    open: bool,
    /// Has this player acted?
    acted: bool,
    /// Has anybody gone dark in this hand?
    seen: bool,
}

impl DarkRight {
    /// Takes an event in that the view has already seen.
    pub(super) fn observe(&mut self, view: &View, event: &Event) {
        let rules = view.rules.as_deref();
        match event {
            Event::Hand { .. } => {
                let open = rules.is_some_and(|rules| rules.dark.is_on());
                *self = Self { open, acted: false, seen: false };
            }
            Event::Svara { .. } => {
                self.open = rules.is_some_and(|rules| rules.svara_dark.is_on());
                self.acted = false;
            }
            Event::Redeal { seat } => {
                self.open = self.seen && seat.is_some();
                self.acted = false;
            }
            Event::Moved { seat, kind, .. } => {
                match kind {
                    MoveKind::Dark => self.seen = true,
                    MoveKind::Bet
                    | MoveKind::Fold
                    | MoveKind::Compare
                    | MoveKind::Redeal
                    | MoveKind::Boil => self.open = false,
                    MoveKind::Look => {}
                    _ => return,
                }
                self.acted |= Some(*seat) == view.me;
            }
            _ => {}
        }
    }
}

impl Sight {
    /// May this player still come to go dark in this deal?
    pub(in crate::screens::full) fn may_go_dark(&self) -> bool {
        let places = |rules: &HouseRules| match rules.dark_chain {
            DarkChain::Two => self.view.dark_bets < 2,
            DarkChain::Unlimited => true,
        };
        self.dark.open
            && !self.dark.acted
            && self.in_hand()
            && self.view.cards.is_none()
            && self.view.rules.as_deref().is_some_and(places)
    }
}
