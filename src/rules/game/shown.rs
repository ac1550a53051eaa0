//! Who sees which cards (rules: Comparing, reveal; Dark play; Pool).

use serde::{Deserialize, Serialize};

use super::{Game, GameEvent, Phase};
use crate::rules::Seat;
use crate::rules::house::Reveal;

/// Who is shown a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Viewers {
    /// The whole table.
    All,
    /// These seats only.
    Seats(Vec<Seat>),
}

/// A hand and to whom it is opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Showing {
    /// Whose cards.
    pub hand: Seat,
    /// Who is shown them.
    pub to: Viewers,
}

impl Game {
    /// Which hands are opened to whom in what is awaited now: the two in a comparison, by the
    /// house's `reveal`, or all in a showdown. Nothing under `sealed`: there only the result is
    /// told, and in every other phase.
    #[must_use]
    pub fn showing(&self) -> Vec<Showing> {
        match self.phase {
            Phase::Comparing { caller, target } => {
                let to = |viewer| match self.rules.reveal {
                    Reveal::Open => Some(Viewers::All),
                    Reveal::Neighbours => Some(Viewers::Seats(vec![viewer])),
                    Reveal::Sealed => None,
                };
                let pairs = [(caller, target), (target, caller)];
                let shown = pairs.into_iter().filter_map(|(hand, viewer)| {
                    let to = to(viewer)?;
                    Some(Showing { hand, to })
                });
                shown.collect()
            }
            Phase::Showdown => {
                let open = |hand| Showing { hand, to: Viewers::All };
                self.active().into_iter().map(open).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a seat may see the cards of a hand that is still in, apart from what has been
    /// opened to it: its own, or its pool's, unless they are dark or may still become so.
    #[must_use]
    pub fn may_see(&self, viewer: Seat, hand: Seat) -> bool {
        let dealt = match self.phase {
            Phase::Betting
            | Phase::Comparing { .. }
            | Phase::ThreeTens { .. }
            | Phase::Boil { .. }
            | Phase::SvaraSplit
            | Phase::Showdown => true,
            // A card may still be turned up, and nobody can have looked before that.
            Phase::Exposed { .. }
            | Phase::Idle
            | Phase::AwaitDeal { .. }
            | Phase::MissingAnte
            | Phase::DealerChoice { .. }
            | Phase::SvaraEntry => false,
        };
        let partner = || self.pools().get(&hand).is_some_and(|parts| parts.contains_key(&viewer));
        dealt
            && self.is_active(hand)
            && !self.is_dark(hand)
            && !self.may_go_dark(hand)
            && (viewer == hand || partner())
    }

    /// Tells what is opened by what is about to end.
    pub(super) fn tell_shown(&self, events: &mut Vec<GameEvent>) {
        let shown = self.showing().into_iter();
        events.extend(shown.map(|Showing { hand, to }| GameEvent::Shown { hand, to }));
    }
}
