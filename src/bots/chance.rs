//! How likely a hand is the best: counted over every hand that others can hold, in whole numbers.

use std::collections::BTreeSet;

use crate::rules::{Card, Chips, HouseRules, rank};

/// A probability, in 2⁻³² parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance(u64);

const ONE: u64 = 1 << 32;

impl Chance {
    /// As likely as not: what a hand is worth that nobody has looked at.
    pub const EVEN: Self = Self(ONE / 2);

    /// The chance that one other hand is lower, ties counting half: over all hands of the cards
    /// that are neither one's own nor have been shown. Nothing for cards that the rules refuse.
    #[must_use]
    pub fn of_beating_one(
        rules: &HouseRules,
        own: [Card; 3],
        shown: &BTreeSet<Card>,
    ) -> Option<Self> {
        let mine = rank(rules, own).ok()?.level;
        let rest: Vec<Card> = rules
            .deck()
            .cards()
            .filter(|card| !own.contains(card) && !shown.contains(card))
            .collect();
        let (mut halves, mut hands) = (0_u64, 0_u64);
        for (i, first) in rest.iter().enumerate() {
            for (j, second) in rest.iter().enumerate().skip(i + 1) {
                for third in rest.iter().skip(j + 1) {
                    let other = rank(rules, [*first, *second, *third]).ok()?.level;
                    halves += match other.cmp(&mine) {
                        std::cmp::Ordering::Less => 2,
                        std::cmp::Ordering::Equal => 1,
                        std::cmp::Ordering::Greater => 0,
                    };
                    hands += 1;
                }
            }
        }
        // At most 2 · 7770 halves, so this stays far below 2⁶⁴.
        Some(Self((halves << 31).checked_div(hands)?))
    }

    /// One of so many, all alike.
    #[must_use]
    pub fn one_of(many: u64) -> Self {
        Self(ONE.checked_div(many).unwrap_or(0))
    }

    /// The chance that it happens so many times, each independent of the others.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        let mut all = u128::from(ONE);
        for _ in 0..count {
            if all == 0 {
                break;
            }
            all = (all * u128::from(self.0)) >> 32;
        }
        Self(u64::try_from(all).unwrap_or(ONE))
    }

    /// Is paying `cost` for this chance of taking `bank` no loss on average?
    #[must_use]
    pub fn is_worth(self, cost: Chips, bank: Chips) -> bool {
        let gain = (u128::from(bank) + u128::from(cost)) * u128::from(self.0);
        gain >= u128::from(cost) << 32
    }
}
