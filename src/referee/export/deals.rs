//! What is held in each deal of a hand: as far as it is known, and otherwise as it may have been.

use std::collections::{BTreeMap, BTreeSet};

use super::Step;
use super::worth::{self, How, Relation};
use crate::rules::{
    Action, Card, CompareResult, CompareTie, GameEvent, HouseRules, Input, Phase, Seat, rank,
};

/// What a seat holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    Cards([Card; 3]),
    Points(String),
}

/// The deals of a hand.
pub(super) struct Deals {
    hands: std::vec::IntoIter<BTreeMap<Seat, Hand>>,
    /// Comparisons that a side lost without showing anything, by the step that asked for them.
    losers: BTreeMap<usize, Seat>,
}

/// What happens in one deal.
#[derive(Default)]
struct Deal {
    /// Whose hands were compared.
    compared: BTreeSet<Seat>,
    relations: Vec<Relation>,
    /// Who was lost while all hands were to be opened.
    silent: BTreeSet<Seat>,
}

impl Deals {
    /// None where no hands fit what is known.
    pub(super) fn new(steps: &[Step], known: &[BTreeMap<Seat, [Card; 3]>]) -> Option<Deals> {
        let mut losers = BTreeMap::new();
        let mut deals: Vec<Deal> = Vec::new();
        let mut asked = 0;
        for (at, step) in steps.iter().enumerate() {
            if step.input == Input::Dealt {
                deals.push(Deal::default());
            }
            let Some(deal) = deals.last_mut() else { continue };
            if let Input::Move { action: Action::Compare, .. } = step.input {
                asked = at;
            }
            if let Some(loser) = deal.see(step) {
                losers.insert(asked, loser);
            }
        }
        let rules = steps.first()?.before.rules();
        let levels = worth::levels(rules);
        let nothing = BTreeMap::new();
        let hands = deals.iter().enumerate().map(|(at, deal)| {
            let known = known.get(at).unwrap_or(&nothing);
            deal.hands(rules, &levels, known)
        });
        let hands: Vec<BTreeMap<Seat, Hand>> = hands.collect::<Option<_>>()?;
        Some(Deals { hands: hands.into_iter(), losers })
    }

    /// What is held in the next deal.
    pub(super) fn next(&mut self) -> BTreeMap<Seat, Hand> {
        self.hands.next().unwrap_or_default()
    }

    /// Who loses the comparison of this step by silence.
    pub(super) fn loser(&self, step: usize) -> Option<Seat> {
        self.losers.get(&step).copied()
    }
}

impl Deal {
    /// Takes note of a step; tells who loses a comparison in it by silence.
    fn see(&mut self, step: &Step) -> Option<Seat> {
        if let Phase::Comparing { caller, target } | Phase::ThreeTens { caller, target } =
            step.after.phase()
        {
            self.compared.extend([caller, target]);
        }
        match (step.before.phase(), step.after.phase(), &step.input) {
            (_, Phase::Showdown, Input::Dealt) => self.compared.extend(step.after.active()),
            (Phase::Showdown, _, Input::Lost { seat }) => {
                self.silent.insert(*seat);
            }
            (Phase::Showdown, _, Input::Best { seats }) => {
                for seat in step.before.active() {
                    let how = if seats.contains(&seat) { How::Equal } else { How::Below };
                    let to_best = |best: &Seat| Relation { low: seat, high: *best, how };
                    self.relations.extend(seats.iter().map(to_best));
                }
            }
            _ => {}
        }
        let compared = step.events.iter().find_map(|event| match event {
            GameEvent::Compared { caller, target, result } => Some((*caller, *target, *result)),
            _ => None,
        });
        let (caller, target, result) = compared?;
        let silent = matches!(step.input, Input::TimeOut { .. } | Input::Lost { .. });
        let (low, high, how) = match result {
            CompareResult::Caller => (target, caller, How::Below),
            CompareResult::Tie => (caller, target, How::Equal),
            CompareResult::Target => {
                let ties_show = step.before.rules().compare_tie == CompareTie::BothStay;
                (caller, target, if ties_show { How::Below } else { How::NotAbove })
            }
        };
        if silent {
            return Some(low);
        }
        self.relations.push(Relation { low, high, how });
        None
    }

    /// The hands of this deal that a script needs, and those that are known besides.
    fn hands(
        &self,
        rules: &HouseRules,
        levels: &[u32],
        known: &BTreeMap<Seat, [Card; 3]>,
    ) -> Option<BTreeMap<Seat, Hand>> {
        let level = |(seat, cards): (&Seat, &[Card; 3])| {
            rank(rules, *cards).ok().map(|rank| (*seat, rank.level))
        };
        let known_levels: BTreeMap<Seat, u32> = known.iter().filter_map(level).collect();
        let mut unknown = self.compared.clone();
        unknown.retain(|seat| !known.contains_key(seat));
        let fitting = worth::fit(levels, &known_levels, &unknown, &self.relations)?;
        let points = |level: &u32| Hand::Points(worth::text(rules, *level));
        let mut hands: BTreeMap<Seat, Hand> =
            fitting.iter().map(|(seat, level)| (*seat, points(level))).collect();
        hands.extend(known.iter().map(|(seat, cards)| (*seat, Hand::Cards(*cards))));
        hands.extend(self.silent.iter().map(|seat| (*seat, Hand::Points("0".to_owned()))));
        Some(hands)
    }
}
