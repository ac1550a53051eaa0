//! What a transcript says of the course of its hand, for whoever plays it again.

use std::collections::BTreeMap;

use crate::rules::{Card, Chips, Game, Input, Seat};
use crate::table::message::Decided;

/// How a hand went: what the rules were told, and the hands that came to light.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// The game before it.
    pub opening: Game,
    /// What the rules were told, in order.
    pub inputs: Vec<Input>,
    /// The name of everybody who sat there.
    pub names: BTreeMap<Seat, String>,
    /// The owner's seat, if it had one.
    pub owner: Option<Seat>,
    /// The numbers of the deals, one for each [`Input::Dealt`].
    pub(super) deals: Vec<u64>,
    /// Hands that were shown to all: deal, seat, cards.
    pub(super) shown: Vec<(u64, Seat, [Card; 3])>,
    /// The owner's hands: deal, cards.
    pub(super) own: Vec<(u64, [Card; 3])>,
    /// Its entries, with their heights.
    pub(super) entries: Vec<(u64, Decided)>,
}

impl Course {
    pub(super) fn new(opening: &Game) -> Course {
        Course {
            opening: opening.clone(),
            inputs: Vec::new(),
            names: BTreeMap::new(),
            owner: None,
            deals: Vec::new(),
            shown: Vec::new(),
            own: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// What each that left the table took along, in chips.
    pub(super) fn taken_along(&self) -> BTreeMap<Seat, Chips> {
        let (mut game, mut all) = (self.opening.clone(), BTreeMap::new());
        for input in &self.inputs {
            if let Input::Leave { seat } = input
                && let Some(stack) = game.stack(*seat)
            {
                all.insert(*seat, stack);
            }
            // They were applied when the entries were checked: none is refused.
            let Ok(step) = game.apply(input) else { break };
            game = step.game;
        }
        all
    }

    /// The hands that are known, for each [`Input::Dealt`]: those shown to all, and the owner's own
    /// if they are not left out.
    #[must_use]
    pub fn hands(&self, own: bool) -> Vec<BTreeMap<Seat, [Card; 3]>> {
        let of_deal = |deal: &u64| {
            let shown = self.shown.iter().filter(|(number, ..)| number == deal);
            let mut hands: BTreeMap<Seat, [Card; 3]> =
                shown.map(|(_, seat, cards)| (*seat, *cards)).collect();
            let mine = self.own.iter().filter(|(number, _)| own && number == deal);
            hands.extend(mine.filter_map(|(_, cards)| Some((self.owner?, *cards))));
            hands
        };
        self.deals.iter().map(of_deal).collect()
    }
}
