//! What the seats hold, as the script says.

use super::line::Points;
use crate::rules::{
    Card, CompareResult, HandName, HandRank, HouseRules, Rank, RulesError, ThreeTens, TopHand, rank,
};

/// A hand: its cards, or only its worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holding {
    Cards([Card; 3]),
    Worth(HandRank),
}

impl Holding {
    /// Three cards of the deck.
    pub(super) fn of_cards(rules: &HouseRules, cards: [Card; 3]) -> Result<Holding, RulesError> {
        rank(rules, cards).map(|_| Holding::Cards(cards))
    }

    /// Bare points; none if no hand is worth so much. 33 and 34 are the named hands.
    pub(super) fn of_points(rules: &HouseRules, points: Points) -> Option<Holding> {
        let worth = match points {
            Points::Three(rank) => HandRank::of_three(rules, rank),
            Points::Sum(33) => HandRank::of_three(rules, Rank::Ace),
            Points::Sum(34) => Some(HandRank::of_three(rules, Rank::Six)).filter(|worth| {
                rules.top_hand == TopHand::Sixes && worth.name == HandName::ThreeSixes
            })?,
            Points::Sum(sum) => HandRank::of_points(sum),
        };
        Some(Holding::Worth(worth))
    }

    /// Whether it shares a card with another; bare points share none.
    pub(super) fn shares(&self, other: &Holding) -> Option<Card> {
        let (Holding::Cards(mine), Holding::Cards(theirs)) = (self, other) else {
            return None;
        };
        mine.iter().find(|card| theirs.contains(card)).copied()
    }

    /// What it is worth. The cards have been checked when they were given.
    pub(super) fn worth(&self, rules: &HouseRules) -> HandRank {
        match self {
            Holding::Cards(cards) => rank(rules, *cards).unwrap_or_else(|_| HandRank::of_points(0)),
            Holding::Worth(worth) => *worth,
        }
    }

    /// Whether it gives the right to a redeal.
    pub(super) fn three_tens(&self, rules: &HouseRules) -> bool {
        rules.three_tens != ThreeTens::Off && self.worth(rules).three_tens
    }
}

/// How a comparison ends.
pub(super) fn compare(caller: HandRank, target: HandRank) -> CompareResult {
    match caller.level.cmp(&target.level) {
        std::cmp::Ordering::Greater => CompareResult::Caller,
        std::cmp::Ordering::Less => CompareResult::Target,
        std::cmp::Ordering::Equal => CompareResult::Tie,
    }
}
