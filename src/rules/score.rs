//! What a hand is worth (rules: Cards and points).

use serde::{Deserialize, Serialize};

use crate::rules::RulesError;
use crate::rules::cards::{Card, Rank, Suit};
use crate::rules::house::{HouseRules, ThreeTens, TopHand, Triples, TwoAces, Wild, WildCopy};
use std::fmt;

/// What makes a hand worth its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HandName {
    /// The best sum within one suit; with three suits the highest card.
    #[serde(rename = "suit")]
    Suit,
    /// Two aces of any suits, counted together.
    #[serde(rename = "two aces")]
    TwoAces,
    /// Three cards of one rank.
    #[serde(rename = "triple")]
    Triple,
    /// Three sixes as a named hand.
    #[serde(rename = "three sixes")]
    ThreeSixes,
    /// Three aces.
    #[serde(rename = "three aces")]
    ThreeAces,
}

impl fmt::Display for HandName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            HandName::Suit => "suit",
            HandName::TwoAces => "two aces",
            HandName::Triple => "triple",
            HandName::ThreeSixes => "three sixes",
            HandName::ThreeAces => "three aces",
        })
    }
}

/// The worth of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HandRank {
    /// The points as players count them.
    pub points: u32,
    /// What they are for.
    pub name: HandName,
    /// What decides between two hands: the higher level wins, equal levels tie. Up to 32 it is
    /// the points; the hands above every suit come on top. Never above [`HandRank::MAX_LEVEL`].
    pub level: u32,
    /// Whether the hand is three tens without a wild card, in a game where they give the right to
    /// a redeal.
    pub three_tens: bool,
}

/// Level of the lowest triple that beats every suit; the most a suit can reach is 32.
const TRIPLE_ABOVE: u32 = 33;
const SIXES_BELOW_ACES: u32 = 41;
const THREE_ACES: u32 = 42;
const SIXES_ABOVE_ACES: u32 = 43;

impl HandRank {
    /// The highest level a hand can have under any rules.
    pub const MAX_LEVEL: u32 = SIXES_ABOVE_ACES;

    /// A hand of which only its points in one suit are known (32 at most count).
    #[must_use]
    pub fn of_points(points: u32) -> HandRank {
        HandRank::plain(points.min(TRIPLE_ABOVE - 1), HandName::Suit)
    }

    /// Three cards of one rank, none of them wild.
    #[must_use]
    pub fn of_three(rules: &HouseRules, rank: Rank) -> HandRank {
        let [one, two, three, _] = Suit::ALL.map(|suit| Face { rank, suit });
        let mut worth = natural(rules, [one, two, three]);
        worth.three_tens = rank == Rank::Ten && rules.three_tens != ThreeTens::Off;
        worth
    }

    const fn plain(points: u32, name: HandName) -> HandRank {
        HandRank { points, name, level: points, three_tens: false }
    }
}

/// A card once its value is fixed: what a wild card stands for, or what another card is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Face {
    rank: Rank,
    suit: Suit,
}

impl Face {
    fn of(card: Card) -> Option<Face> {
        Some(Face { rank: card.rank()?, suit: card.suit()? })
    }
}

/// What three cards are worth. A wild card takes the value that is best for its holder.
///
/// # Errors
/// A card that the deck does not hold, or one that comes twice.
pub fn rank(rules: &HouseRules, cards: [Card; 3]) -> Result<HandRank, RulesError> {
    let deck = rules.deck();
    if let Some(card) = cards.iter().find(|card| !deck.contains(**card)) {
        return Err(RulesError::NotInDeck { card: *card, size: deck.size() });
    }
    let [one, two, three] = cards;
    if one == two || one == three {
        return Err(RulesError::CardTwice(one));
    }
    if two == three {
        return Err(RulesError::CardTwice(two));
    }
    Ok(worth(rules, cards))
}

/// The one wild card of the game, if there is one.
fn wild_card(rules: &HouseRules) -> Option<Card> {
    match rules.wild {
        Wild::None => None,
        Wild::Joker => Some(Card::JOKER),
        Wild::Shaha => Some(Card::new(Rank::Six, Suit::Clubs)),
    }
}

/// What three different cards of the deck are worth.
fn worth(rules: &HouseRules, cards: [Card; 3]) -> HandRank {
    let [one, two, three] = cards;
    let wild = wild_card(rules);
    let (held, third) = match wild {
        Some(wild) if one == wild => ([two, three], None),
        Some(wild) if two == wild => ([one, three], None),
        Some(wild) if three == wild => ([one, two], None),
        _ => ([one, two], Some(three)),
    };
    let [Some(first), Some(second)] = held.map(Face::of) else {
        // Only a joker has no face, and where there is one it is the wild card, put aside above.
        return HandRank::of_points(0);
    };
    if let Some(third) = third {
        return third.rank().zip(third.suit()).map_or_else(
            || HandRank::of_points(0),
            |(rank, suit)| {
                let faces = [first, second, Face { rank, suit }];
                let mut worth = natural(rules, faces);
                worth.three_tens = rules.three_tens != ThreeTens::Off
                    && faces.iter().all(|face| face.rank == Rank::Ten);
                worth
            },
        );
    }
    rules
        .deck()
        .cards()
        .filter_map(Face::of)
        .filter(|face| rules.wild_copy == WildCopy::Yes || (*face != first && *face != second))
        .map(|face| natural(rules, [first, second, face]))
        .max_by_key(|worth| worth.level)
        .unwrap_or_else(|| HandRank::of_points(0))
}

/// What three fixed values are worth; a wild card may have doubled one of them.
fn natural(rules: &HouseRules, faces: [Face; 3]) -> HandRank {
    let [one, two, three] = faces;
    if one.rank == two.rank
        && two.rank == three.rank
        && let Some(triple) = triple(rules, one.rank)
    {
        return triple;
    }
    let suit = Suit::ALL
        .iter()
        .map(|suit| {
            let of_suit = faces.iter().filter(|face| face.suit == *suit);
            of_suit.map(|face| face.rank.points()).sum::<u32>()
        })
        .max()
        .unwrap_or(0);
    let aces = faces.iter().filter(|face| face.rank == Rank::Ace).count();
    let both = 2 * Rank::Ace.points();
    if rules.two_aces == TwoAces::Both && aces >= 2 && suit < both {
        return HandRank::plain(both, HandName::TwoAces);
    }
    HandRank::plain(suit, HandName::Suit)
}

/// What three of a kind are worth as such; nothing if the house counts only their suits.
fn triple(rules: &HouseRules, rank: Rank) -> Option<HandRank> {
    let sum = 3 * rank.points();
    let named = |points, level, name| Some(HandRank { points, name, level, three_tens: false });
    match rank {
        Rank::Ace => return named(33, THREE_ACES, HandName::ThreeAces),
        Rank::Six if rules.sixes_are_named() => {
            return match rules.top_hand {
                TopHand::Aces => named(31, SIXES_BELOW_ACES, HandName::ThreeSixes),
                TopHand::Sixes => named(34, SIXES_ABOVE_ACES, HandName::ThreeSixes),
            };
        }
        // In Trinka they are the right to a redeal, and worth ten points without it.
        Rank::Ten if rules.is_trinka() => return None,
        _ => {}
    }
    match rules.triples {
        Triples::None => None,
        Triples::Sum => named(sum, sum, HandName::Triple),
        Triples::Above => named(sum, TRIPLE_ABOVE + rank as u32, HandName::Triple),
    }
}

/// A hand of the table: three places of the deck and what they are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableHand {
    /// Places in the deck, ascending.
    pub places: [u8; 3],
    /// What the three cards are worth.
    pub rank: HandRank,
}

/// Every hand that a deck can deal, in ascending order of its three places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandTable {
    hands: Vec<TableHand>,
}

impl HandTable {
    /// All hands under these rules.
    #[must_use]
    pub fn new(rules: &HouseRules) -> HandTable {
        let cards: Vec<(u8, Card)> = (0..).zip(rules.deck().cards()).collect();
        let mut hands = Vec::new();
        for (at, (i, one)) in cards.iter().enumerate() {
            let above_one = cards.iter().skip(at + 1).enumerate();
            for (further, (j, two)) in above_one {
                for (k, three) in cards.iter().skip(at + further + 2) {
                    hands.push(TableHand {
                        places: [*i, *j, *k],
                        rank: worth(rules, [*one, *two, *three]),
                    });
                }
            }
        }
        HandTable { hands }
    }

    /// The hands in order.
    #[must_use]
    pub fn hands(&self) -> &[TableHand] {
        &self.hands
    }

    /// The hand on these three places of the deck, given in any order.
    #[must_use]
    pub fn find(&self, mut places: [u8; 3]) -> Option<&TableHand> {
        places.sort_unstable();
        let at = self.hands.binary_search_by_key(&places, |hand| hand.places).ok()?;
        self.hands.get(at)
    }
}
