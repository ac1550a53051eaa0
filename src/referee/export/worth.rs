//! What hands that nobody showed must have been worth, so that all comparisons end as they did.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::{HandRank, HandTable, HouseRules, Rank, Seat};

/// What is known of two hands of one deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) low: Seat,
    pub(super) high: Seat,
    pub(super) how: How,
}

/// How the two are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Below,
    /// Not even whether they are equal is known.
    NotAbove,
    Equal,
}

/// The levels that hands can have under these rules, ascending.
pub(super) fn levels(rules: &HouseRules) -> Vec<u32> {
    let all: BTreeSet<u32> =
        HandTable::new(rules).hands().iter().map(|hand| hand.rank.level).collect();
    all.into_iter().collect()
}

/// A level as a `points` line has it.
pub(super) fn text(rules: &HouseRules, level: u32) -> String {
    let named = |rank: &&Rank| HandRank::of_three(rules, **rank).level == level;
    match Rank::ALL.iter().find(named).filter(|_| level > HIGHEST_SUM) {
        Some(rank) => [rank.letter(); 3].iter().collect(),
        None => level.to_string(),
    }
}

/// The highest level that is a number of points.
const HIGHEST_SUM: u32 = 32;

/// The lowest levels that fit all relations, for hands of which some are known. None where nothing fits.
pub(super) fn fit(
    levels: &[u32],
    known: &BTreeMap<Seat, u32>,
    unknown: &BTreeSet<Seat>,
    relations: &[Relation],
) -> Option<BTreeMap<Seat, u32>> {
    let lowest = levels.first()?;
    let mut found: BTreeMap<Seat, u32> = unknown.iter().map(|seat| (*seat, *lowest)).collect();
    found.extend(known);
    // Every round raises a hand, or is the last.
    loop {
        let mut settled = true;
        for Relation { low, high, how } in relations {
            let (below, above) = (*found.get(low)?, *found.get(high)?);
            let raise = match how {
                How::Below if above <= below => {
                    Some((high, *levels.iter().find(|level| **level > below)?))
                }
                How::NotAbove | How::Equal if above < below => Some((high, below)),
                How::Equal if below < above => Some((low, above)),
                _ => None,
            };
            if let Some((seat, level)) = raise {
                if known.contains_key(seat) {
                    return None;
                }
                found.insert(*seat, level);
                settled = false;
            }
        }
        if settled {
            return Some(found);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::rules::Preset;

    const A: Seat = Seat(0);
    const B: Seat = Seat(1);
    const C: Seat = Seat(2);
    const D: Seat = Seat(3);

    fn below(low: Seat, high: Seat) -> Relation {
        Relation { low, high, how: How::Below }
    }

    fn equal(low: Seat, high: Seat) -> Relation {
        Relation { low, high, how: How::Equal }
    }

    fn solve(known: &[(Seat, u32)], relations: &[Relation]) -> Option<Vec<u32>> {
        let rules = HouseRules::preset(Preset::TrinkaClassic);
        let known: BTreeMap<Seat, u32> = known.iter().copied().collect();
        let unknown = [A, B, C, D].into_iter().filter(|seat| !known.contains_key(seat)).collect();
        let found = fit(&levels(&rules), &known, &unknown, relations)?;
        Some(found.into_values().collect())
    }

    #[test]
    fn a_chain_takes_the_lowest_hands() {
        let found = solve(&[], &[below(C, D), below(B, C), below(A, B)]).unwrap();
        // Trinka has no hand below seven.
        assert_eq!(found, [7, 8, 9, 10]);
    }

    #[test]
    fn ties_run_through_hands_that_have_left() {
        let found = solve(&[(D, 20)], &[equal(A, B), equal(B, C), equal(C, D)]).unwrap();
        assert_eq!(found, [20; 4]);
        let found = solve(&[(A, 20), (D, 22)], &[equal(A, B), below(B, C), below(C, D)]).unwrap();
        assert_eq!(found, [20, 20, 21, 22]);
    }

    #[test]
    fn no_hand_is_worth_what_no_cards_are() {
        // Between 11 and 13 there is nothing, and nothing above three aces.
        assert_eq!(solve(&[(A, 11), (D, 13)], &[below(A, B), below(B, D)]), None);
        assert_eq!(solve(&[(A, 42)], &[below(A, B)]), None);
        assert_eq!(solve(&[(A, 30)], &[below(A, B), below(B, C)]).unwrap(), [30, 41, 42, 7]);
    }

    #[test]
    fn contradictions_fit_nothing() {
        assert_eq!(solve(&[], &[below(A, B), below(B, A)]), None);
        assert_eq!(solve(&[(A, 20), (B, 21)], &[equal(A, B)]), None);
        assert_eq!(solve(&[(A, 21), (B, 20)], &[below(A, B)]), None);
    }

    #[test]
    fn where_a_tie_does_not_show_it_may_be_one() {
        let one = Relation { low: A, high: B, how: How::NotAbove };
        assert_eq!(solve(&[(A, 20), (B, 20)], &[one]).unwrap(), [20, 20, 7, 7]);
        assert_eq!(solve(&[(A, 42)], &[one]).unwrap(), [42, 42, 7, 7]);
    }

    #[test]
    fn every_level_can_be_written_and_read() {
        for preset in Preset::ALL {
            for (switch, value) in [("triples", "none"), ("triples", "above"), ("triples", "sum")] {
                let mut rules = HouseRules::preset(*preset);
                rules.set(switch, value).unwrap();
                for level in levels(&rules) {
                    let points = text(&rules, level);
                    let read = crate::referee::line::points_of(&points).unwrap();
                    let holding = crate::referee::holding::Holding::of_points(&rules, read);
                    assert_eq!(holding.unwrap().worth(&rules).level, level, "{points}");
                }
            }
        }
    }
}
