//! Does each hand of a directory continue the one before?

use std::collections::BTreeMap;

use crate::rules::{Chips, Seat};
use crate::table::message::Hash;
use crate::table::transcript::{Part, Problem, Report};

/// Hands of one table as one player wrote them down.
type Line = (String, String);

/// The ends of a hand that others have to fit.
struct Ends {
    opening: Hash,
    closing: Hash,
    before: BTreeMap<Seat, Chips>,
    after: BTreeMap<Seat, Chips>,
}

/// How a hand fits the one beside it.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::app) enum Link {
    /// The second opens with the state that the first closed with.
    Direct,
    /// Something was decided between them that is in neither file: chips bought, seats taken.
    Gap {
        /// The number of the first.
        after: u64,
    },
    /// They cannot both be true.
    Broken(Box<Problem>),
}

/// The hands of one directory so far.
#[derive(Default)]
pub(in crate::app) struct Chain {
    hands: BTreeMap<(Line, u64), Ends>,
}

impl Chain {
    /// Adds a hand; tells how it fits its neighbours, where they are known. The worst counts.
    pub(in crate::app) fn add(&mut self, report: &Report) -> Option<Link> {
        let line = (report.table.clone(), report.owner.clone());
        let ends = Ends {
            opening: report.opening,
            closing: report.closing,
            before: report.seats.iter().map(|seat| (seat.seat, seat.before)).collect(),
            after: report.seats.iter().map(|seat| (seat.seat, seat.after)).collect(),
        };
        let beside =
            |hand: Option<u64>| hand.and_then(|hand| self.hands.get(&(line.clone(), hand)));
        let (first, next) = (report.hand.checked_sub(1), report.hand.checked_add(1));
        let before = beside(first).map(|before| link(before, &ends, first.unwrap_or(0)));
        let after = beside(next).map(|after| link(&ends, after, report.hand));
        self.hands.insert((line, report.hand), ends);
        match (before, after) {
            (Some(broken @ Link::Broken(_)), _) | (_, Some(broken @ Link::Broken(_))) => {
                Some(broken)
            }
            (Some(gap @ Link::Gap { .. }), _) | (_, Some(gap @ Link::Gap { .. })) => Some(gap),
            (before, after) => before.or(after),
        }
    }
}

fn link(first: &Ends, second: &Ends, hand: u64) -> Link {
    if first.closing == second.opening {
        return Link::Direct;
    }
    // Between hands chips are bought, never lost, and seats do not vanish.
    let short = first
        .after
        .iter()
        .find(|(seat, chips)| second.before.get(seat).is_none_or(|now| now < chips));
    match short {
        Some((seat, _)) => Link::Broken(Box::new(Problem {
            error: format!("it does not continue hand {hand}: chips are missing"),
            part: Part::Header,
            seat: Some(*seat),
            message: None,
            height: None,
        })),
        None => Link::Gap { after: hand },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, clippy::panic)]

    use super::*;
    use crate::table::transcript::ReportSeat;

    fn report(hand: u64, states: [u8; 2], chips: [Chips; 2]) -> Report {
        let seat = ReportSeat {
            seat: Seat(3),
            name: "Anna".into(),
            key: String::new(),
            fingerprint: String::new(),
            before: chips[0],
            after: chips[1],
        };
        Report {
            table: "t".into(),
            hand,
            owner: "o".into(),
            seats: vec![seat],
            messages: 0,
            shuffles: 0,
            shares: 0,
            hand_proofs: 0,
            signatures: 0,
            skipped: vec![],
            result: None,
            opening: [states[0]; 32],
            closing: [states[1]; 32],
        }
    }

    #[test]
    fn a_hand_continues_the_one_before_or_leaves_a_gap() {
        let mut chain = Chain::default();
        assert_eq!(chain.add(&report(1, [0, 1], [100, 90])), None);
        assert_eq!(chain.add(&report(2, [1, 2], [90, 0])), Some(Link::Direct));
        assert_eq!(chain.add(&report(3, [7, 8], [100, 120])), Some(Link::Gap { after: 2 }));
        assert_eq!(chain.add(&report(5, [9, 9], [1, 1])), None);
    }

    #[test]
    fn chips_that_vanish_between_hands_break_the_chain_in_either_order() {
        for order in [[0, 1], [1, 0]] {
            let hands = [report(1, [0, 1], [100, 90]), report(2, [7, 8], [89, 89])];
            let mut chain = Chain::default();
            assert_eq!(chain.add(&hands[order[0]]), None);
            match chain.add(&hands[order[1]]) {
                Some(Link::Broken(problem)) => assert_eq!(problem.seat, Some(Seat(3))),
                other => panic!("{other:?}"),
            }
        }
    }
}
