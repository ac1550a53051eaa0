//! Does each hand of a directory continue the one before?

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::table::message::Hash;
use crate::table::transcript::{Part, Problem, Report};

/// Hands of one table as one player wrote them down, by table and owner.
type Line = (String, String);

/// The states between which a hand was played.
struct Ends {
    opening: Hash,
    closing: Hash,
}

/// The hands of one directory so far.
///
/// A file reaches from the end of one hand to the end of the next, so each opens with the very state
/// that the one before closed with, chips bought and seats taken in between included.
#[derive(Default)]
pub(in crate::app) struct Chain {
    hands: BTreeMap<(Line, u64), Ends>,
}

impl Chain {
    /// Adds a hand; tells if it does not fit the one before or after it, where they are known.
    pub(in crate::app) fn add(&mut self, report: &Report) -> Option<Problem> {
        let line = (report.table.clone(), report.owner.clone());
        let ends = Ends { opening: report.opening, closing: report.closing };
        let beside = |hand: u64| self.hands.get(&(line.clone(), hand));
        let before = report.hand.checked_sub(1).and_then(beside);
        let after = report.hand.checked_add(1).and_then(beside);
        let problem = if before.is_some_and(|before| before.closing != ends.opening) {
            Some(broken("it does not continue the hand before"))
        } else if after.is_some_and(|after| after.opening != ends.closing) {
            Some(broken("the hand after does not continue it"))
        } else {
            None
        };
        self.hands.insert((line, report.hand), ends);
        problem
    }

    /// The hands between the first and the last that are not here, by who wrote the others down. A hand
    /// that was begun and given up has a number too, but no transcript.
    pub(in crate::app) fn missing(&self) -> Vec<(&str, Vec<RangeInclusive<u64>>)> {
        let mut gaps: BTreeMap<&Line, Vec<RangeInclusive<u64>>> = BTreeMap::new();
        for ((line, hand), (next_line, next)) in self.hands.keys().zip(self.hands.keys().skip(1)) {
            if line == next_line && hand.saturating_add(1) < *next {
                gaps.entry(line).or_default().push(hand + 1..=next - 1);
            }
        }
        gaps.into_iter().map(|((_, owner), hands)| (owner.as_str(), hands)).collect()
    }
}

fn broken(error: &str) -> Problem {
    Problem { error: error.to_owned(), part: Part::Header, seat: None, message: None, height: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(hand: u64, [opening, closing]: [u8; 2]) -> Report {
        Report {
            table: "t".into(),
            hand,
            owner: "o".into(),
            seats: vec![],
            messages: 0,
            shuffles: 0,
            shares: 0,
            hand_proofs: 0,
            signatures: 0,
            met: crate::table::met::Met::default(),
            skipped: vec![],
            named: vec![],
            result: None,
            suspended: None,
            opening: [opening; 32],
            closing: [closing; 32],
        }
    }

    #[test]
    fn hands_that_continue_each_other_fit() {
        let mut chain = Chain::default();
        for (hand, ends) in [(1, [0, 1]), (2, [1, 2]), (3, [2, 9]), (7, [4, 5]), (6, [3, 4])] {
            assert_eq!(chain.add(&report(hand, ends)), None, "{hand}");
        }
        // Another player, another line.
        let other = Report { owner: "p".into(), ..report(4, [0, 0]) };
        assert_eq!(chain.add(&other), None);
    }

    #[test]
    fn gaps_are_told() {
        let mut chain = Chain::default();
        for hand in [1, 2, 5, 6, 8] {
            chain.add(&report(hand, [0, 0]));
        }
        assert_eq!(chain.missing(), [("o", vec![3..=4, 7..=7])]);
        let other = Report { owner: "p".into(), ..report(9, [0, 0]) };
        chain.add(&other);
        assert_eq!(chain.missing().len(), 1);
    }

    #[test]
    fn a_break_is_found_in_either_order() {
        let hands = [report(1, [0, 1]), report(2, [7, 8])];
        for [first, second] in [[0, 1], [1, 0]] {
            let mut chain = Chain::default();
            assert_eq!(hands.get(first).and_then(|hand| chain.add(hand)), None);
            assert!(hands.get(second).and_then(|hand| chain.add(hand)).is_some());
        }
    }
}
