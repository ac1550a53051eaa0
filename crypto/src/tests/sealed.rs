//! S4: honest comparisons of every kind, changed messages, messages in the wrong place.

use super::Deal;
use crate::{
    Deck, Hand, HandTable, Purpose, Reason, Recipient, Verified, opening,
    sealed::{Answer, Call, Caller, Onlooker, Other, Outcome, Selection, Statement, verify},
    shares as s2,
    wire::Element,
};

pub(super) const PURPOSE: Purpose =
    Purpose { recipient: Recipient::Everyone, reason: Reason::Other(3), step: 9 };

/// All hands of n cards; the level of a hand is that of its lowest card, counted in steps.
pub(super) fn all_hands(n: u16, step: u16) -> Vec<([u16; 3], u16)> {
    let mut hands = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                hands.push(([i, j, k], i / step));
            }
        }
    }
    hands
}

/// A deal, and where each card lies.
pub(super) struct Dealt {
    pub(super) deal: Deal,
    pub(super) deck: Verified<Deck>,
    /// The position of each card.
    pub(super) places: Vec<usize>,
}

impl Dealt {
    pub(super) fn new(n: usize, seed: u64) -> Self {
        let mut deal = Deal::new(n, 3, seed);
        let deck = deal.last();
        let x: curve25519_dalek::Scalar = deal.secrets.iter().map(|s| *s.scalar()).sum();
        let mut places = vec![0; n];
        for (position, card) in deck.cards().iter().enumerate() {
            let opened = Element::new(card.b.point() - x * card.a.point());
            places[usize::from(deal.keys.params().card(&opened).unwrap())] = position;
        }
        Self { deal, deck, places }
    }

    /// A participant's hand of these cards.
    pub(super) fn hand(&mut self, participant: u8, cards: [u16; 3]) -> Hand {
        let positions = cards.map(|card| self.places[usize::from(card)]);
        let purpose = Purpose::look(participant, 0);
        let (deal, deck) = (&mut self.deal, &self.deck);
        let batches: Vec<_> = (0..3)
            .filter(|&giver| giver != participant)
            .map(|giver| {
                let batch = deal.give(giver, purpose, deck, &positions);
                s2::verify(&deal.keys, giver, purpose, deck, &positions, batch).unwrap()
            })
            .collect();
        let cards = positions.map(|position| {
            let others: Vec<_> = batches.iter().map(|b| b.share(position).unwrap()).collect();
            opening::own(&self.deal.keys, &self.deck, position, &others, participant).unwrap()
        });
        Hand::new(&cards).unwrap()
    }

    pub(super) fn table(&self, hands: &[([u16; 3], u16)]) -> HandTable {
        HandTable::new(self.deal.keys.params(), hands.iter().copied()).unwrap()
    }

    /// 0 calls, 2 is called.
    pub(super) fn statement(
        &mut self,
        table: &HandTable,
        cards: [[u16; 3]; 2],
        ties: bool,
    ) -> Statement {
        let [caller, other] = [self.hand(0, cards[0]), self.hand(2, cards[1])];
        Statement::new(&self.deal.keys, table, PURPOSE, &caller, &other, ties).unwrap()
    }
}

/// Runs a comparison over the wire; all three parties have to agree.
fn compare(dealt: &mut Dealt, statement: &Statement) -> Outcome {
    let Deal { secrets, rng, .. } = &mut dealt.deal;
    let table = statement.table();
    let (caller, call) = Caller::call(statement, &secrets[0], rng).unwrap();
    let call = Call::from_bytes(&call.to_bytes(), table).unwrap();
    let other = Other::receive(statement, call.clone(), rng).unwrap();
    let onlooker = Onlooker::call(statement, call.clone(), rng).unwrap();
    let (other, selection) = other.select(&secrets[2], rng).unwrap();
    let selection = Selection::from_bytes(&selection.to_bytes(), table).unwrap();
    let onlooker = onlooker.selection(selection.clone(), rng).unwrap();
    let (outcome, answer) = caller.answer(&secrets[0], &selection, rng).unwrap();
    let answer = Answer::from_bytes(&answer.to_bytes()).unwrap();
    assert_eq!(other.answer(&answer, rng), Ok(outcome));
    assert_eq!(onlooker.answer(&answer, rng), Ok(outcome));
    assert_eq!(verify(statement, &call, &selection, &answer, rng), Ok(outcome));
    outcome
}

fn expected(table: &HandTable, cards: [[u16; 3]; 2], ties: bool) -> Outcome {
    let [caller, other] = cards.map(|cards| table.level(table.hand(cards).unwrap()).unwrap());
    match caller.cmp(&other) {
        std::cmp::Ordering::Greater => Outcome::CallerHigher,
        _ if !ties => Outcome::CallerNotHigher,
        std::cmp::Ordering::Equal => Outcome::Equal,
        std::cmp::Ordering::Less => Outcome::CallerLower,
    }
}

#[test]
fn every_pair_of_hands_is_compared_rightly() {
    let mut dealt = Dealt::new(6, 1);
    let hands = all_hands(6, 1);
    let table = dealt.table(&hands);
    assert_eq!((table.len(), table.levels()), (20, 4));
    let disjoint: Vec<_> = hands
        .iter()
        .flat_map(|(a, _)| hands.iter().map(move |(b, _)| [*a, *b]))
        .filter(|[a, b]| a.iter().all(|card| !b.contains(card)))
        .collect();
    assert_eq!(disjoint.len(), 20);
    let mut seen = std::collections::HashSet::new();
    for cards in disjoint {
        for ties in [true, false] {
            let statement = dealt.statement(&table, cards, ties);
            let outcome = compare(&mut dealt, &statement);
            assert_eq!(outcome, expected(&table, cards, ties), "{cards:?} {ties}");
            seen.insert(outcome);
        }
    }
    assert_eq!(seen.len(), 3);
}
