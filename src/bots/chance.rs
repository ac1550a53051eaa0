//! How likely a hand is the best: counted over every hand that others can hold, in whole numbers.

use std::collections::BTreeSet;

use crate::rules::{Card, Chips, HandTable, HouseRules, rank};

/// A probability, in 2⁻³² parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance(u64);

const ONE: u64 = 1 << 32;

impl Chance {
    /// It never happens.
    pub const NONE: Self = Self(0);

    /// As likely as not: what a hand is worth that nobody has looked at.
    pub const EVEN: Self = Self(ONE / 2);

    /// One of so many, all alike.
    #[must_use]
    pub fn one_of(many: u64) -> Self {
        Self(ONE.checked_div(many).unwrap_or(0))
    }

    /// So many parts of a thousand.
    #[must_use]
    pub fn thousandths(parts: u64) -> Self {
        Self((parts.min(1000) << 32) / 1000)
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

    /// In parts of a million.
    #[must_use]
    pub const fn millionths(self) -> u64 {
        (self.0 * 1_000_000) >> 32
    }
}

/// Every hand of a deck with its level: the tables that chances are counted from.
#[derive(Debug, Clone)]
pub struct Odds {
    rules: HouseRules,
    /// The places of each hand in the deck, as bits, and its level; as the deck orders them.
    hands: Vec<([u8; 3], u32)>,
}

/// Sets of hands that several others can hold at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Deals {
    /// For one other: how many hands.
    one: u64,
    /// For two others: how many ordered pairs without a common card.
    two: u64,
}

impl Odds {
    /// The tables of these rules.
    #[must_use]
    pub fn new(rules: &HouseRules) -> Self {
        let table = HandTable::new(rules);
        let hands = table.hands().iter().map(|hand| (hand.places, hand.rank.level)).collect();
        Self { rules: rules.clone(), hands }
    }

    /// The chance that a hand is the best against so many others, who were dealt any of the cards
    /// that are neither one's own nor have been shown; equal hands count half. Nothing for cards
    /// that the rules refuse.
    ///
    /// Exact for one other and for two. For more, every two of the others are taken to depend on
    /// each other as any two do (they cannot hold the same card), and what three or more do to each
    /// other besides is left out: nine hands can be dealt in some 10²⁷ ways, too many to be counted.
    /// Against many shuffled deals that is off by less than a hundredth in Trinka, and by less than
    /// one and a half against nine others with a joker in the deck.
    #[must_use]
    pub fn of_best(&self, own: [Card; 3], shown: &BTreeSet<Card>, others: u32) -> Option<Chance> {
        let mine = rank(&self.rules, own).ok()?.level;
        let mut unseen = 0_u64;
        let mut left = 0_u64;
        for (place, card) in self.rules.deck().cards().enumerate() {
            if !own.contains(&card) && !shown.contains(&card) {
                unseen |= 1 << place;
                left += 1;
            }
        }
        let all =
            Deals { one: three_of(left), two: three_of(left) * three_of(left.saturating_sub(3)) };
        let below = self.deals(unseen, |level| level < mine);
        let not_above = self.deals(unseen, |level| level <= mine);
        let sum = all_in(below, all, others)?.0 + all_in(not_above, all, others)?.0;
        Some(Chance(sum / 2))
    }

    /// How many hands, and pairs of hands, of these cards have such a level.
    fn deals(&self, unseen: u64, fits: impl Fn(u32) -> bool) -> Deals {
        let mut one = 0_u64;
        // How many of the hands hold a card, and how many hold two cards.
        let mut holding = [0_u64; 64];
        let mut pairs = vec![0_u64; 64 * 64];
        for ([a, b, c], level) in &self.hands {
            let cards = (1_u64 << a) | (1 << b) | (1 << c);
            if cards & unseen != cards || !fits(*level) {
                continue;
            }
            one += 1;
            for place in [a, b, c] {
                if let Some(count) = holding.get_mut(usize::from(*place)) {
                    *count += 1;
                }
            }
            for (low, high) in [(a, b), (a, c), (b, c)] {
                if let Some(count) = pairs.get_mut(usize::from(*low) * 64 + usize::from(*high)) {
                    *count += 1;
                }
            }
        }
        // Of all pairs of hands those with a common card are taken away, those with two common
        // cards have so been taken away twice, and a hand with itself three times less three.
        let square = |count: &u64| count * count;
        let once: u64 = holding.iter().map(square).sum();
        let twice: u64 = pairs.iter().map(square).sum();
        Deals { one, two: (one * one + twice).saturating_sub(once + one) }
    }

    /// The chance that a hand with this card beats any other hand, before more is known.
    #[must_use]
    pub fn of_card(&self, card: Card) -> Chance {
        let Some(place) = self.rules.deck().cards().position(|other| other == card) else {
            return Chance::EVEN;
        };
        let mut all = [0_u64; 64];
        let mut with = [0_u64; 64];
        for (places, level) in &self.hands {
            let at = usize::try_from(*level).unwrap_or(0);
            let holds = places.iter().any(|other| usize::from(*other) == place);
            for counts in [Some(&mut all), holds.then_some(&mut with)].into_iter().flatten() {
                if let Some(count) = counts.get_mut(at) {
                    *count += 1;
                }
            }
        }
        let (mut below, mut halves, mut hands) = (0_u64, 0_u64, 0_u64);
        for (all, with) in all.iter().zip(with) {
            halves += with * (2 * below + all);
            hands += with;
            below += all;
        }
        Chance(
            (u128::from(halves) << 31)
                .checked_div(u128::from(hands * below))
                .map_or(0, |c| u64::try_from(c).unwrap_or(ONE)),
        )
    }
}

/// How many hands so many cards make.
const fn three_of(cards: u64) -> u64 {
    cards * cards.saturating_sub(1) * cards.saturating_sub(2) / 6
}

/// The chance that all of so many others hold one of these hands.
fn all_in(these: Deals, all: Deals, others: u32) -> Option<Chance> {
    let part = |some: u64, of: u64| {
        u64::try_from((u128::from(some) << 32).checked_div(u128::from(of))?).ok()
    };
    if others == 0 {
        return Some(Chance(ONE));
    }
    let one = part(these.one, all.one)?;
    if others == 1 {
        return Some(Chance(one));
    }
    let two = part(these.two, all.two)?;
    if others == 2 || two == 0 {
        return Some(Chance(two));
    }
    // What a pair does besides its two chances: more or less than 1.
    let squared = (u128::from(one) * u128::from(one)) >> 32;
    let together = (u128::from(two) << 32).checked_div(squared)?;
    let mut chance = u128::from(ONE);
    for other in 0..others {
        chance = (chance * u128::from(one)) >> 32;
        for _ in 0..other {
            chance = (chance * together) >> 32;
        }
    }
    Some(Chance(u64::try_from(chance).unwrap_or(ONE).min(ONE)))
}
