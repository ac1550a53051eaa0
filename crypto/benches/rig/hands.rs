//! Hand proofs and sealed comparisons. The preparation is not part of what is called online.

use std::{hint::black_box, rc::Rc};

use rand_chacha::ChaCha20Rng;
use trinka_crypto::{
    DealKeys, Hand, HandTable, Purpose, Reason, Recipient, SecretKey,
    sealed::{self, Answer, Call, Caller, Onlooker, Other, Selection, Statement},
};

use super::{Case, Deal, Work, fresh, rng, same};

/// All hands of n cards in four suits. What counts is the best suit of the hand, or three of a kind.
fn hands(n: usize) -> Vec<([u16; 3], u16)> {
    let n = n as u16;
    let points = |card: u16| match n / 4 - card / 4 {
        rank if n == 24 => 15 - rank,
        1 => 11,
        2..=5 => 10,
        rank => 15 - rank,
    };
    let mut hands = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let cards = [i, j, k];
                let suit = |suit| cards.iter().filter(|&c| c % 4 == suit).map(|&c| points(c)).sum();
                let best: u16 = (0..4).map(suit).max().unwrap();
                let triple = cards.iter().all(|card| card / 4 == i / 4);
                hands.push((cards, if triple { 40 } else { best }));
            }
        }
    }
    let mut levels: Vec<u16> = hands.iter().map(|(_, level)| *level).collect();
    levels.sort_unstable();
    levels.dedup();
    for (_, level) in &mut hands {
        *level = levels.binary_search(level).unwrap() as u16;
    }
    hands
}

/// Three players; 0 calls 1.
struct Table {
    keys: DealKeys,
    secrets: Vec<SecretKey>,
    statement: Statement,
    call: Vec<u8>,
    selection: Vec<u8>,
    answer: Vec<u8>,
}

impl Table {
    fn new(deal: Deal) -> Self {
        let hand = |player| Hand::new(&deal.cards(player).try_into().unwrap()).unwrap();
        let (caller, other) = (hand(0), hand(1));
        let Deal { keys, secrets, .. } = deal;
        let table = HandTable::new(keys.params(), hands(keys.params().n())).unwrap();
        let purpose = Purpose { recipient: Recipient::Everyone, reason: Reason::Other(1), step: 0 };
        let statement = Statement::new(&keys, &table, purpose, &caller, &other, true).unwrap();
        let mut rng = rng(3);
        let (caller, call) = Caller::call(&statement, &secrets[0], &mut rng).unwrap();
        let other = Other::receive(&statement, call.clone(), &mut rng).unwrap();
        let (_, selection) = other.select(&secrets[1], &mut rng).unwrap();
        let (_, answer) = caller.answer(&secrets[0], &selection, &mut rng).unwrap();
        let (call, selection) = (call.to_bytes(), selection.to_bytes());
        Self { keys, secrets, statement, call, selection, answer: answer.to_bytes() }
    }

    fn call(&self) -> Call {
        Call::from_bytes(black_box(&self.call), self.statement.table()).unwrap()
    }

    fn selection(&self) -> Selection {
        Selection::from_bytes(black_box(&self.selection), self.statement.table()).unwrap()
    }

    fn answer(&self) -> Answer {
        Answer::from_bytes(black_box(&self.answer)).unwrap()
    }

    fn receive(&self, rng: &mut ChaCha20Rng) -> Other<sealed::Called> {
        Other::receive(&self.statement, self.call(), rng).unwrap()
    }

    fn prepare_call(&self, expected: &[u8]) -> sealed::PreparedCall {
        let (table, hand) = (self.statement.table(), self.statement.caller());
        sealed::prepare_call(&self.keys, table, hand, &self.secrets[0], expected, &mut rng(1))
            .unwrap()
    }

    fn prepare_selection(&self) -> sealed::PreparedSelection {
        let (table, hand) = (self.statement.table(), self.statement.other());
        sealed::prepare_selection(&self.keys, table, hand, &self.secrets[1], &mut rng(1)).unwrap()
    }
}

/// Calls with a preparation for these participants.
fn call_prepared(table: Rc<Table>, expected: &'static [u8]) -> Case {
    let other = Rc::clone(&table);
    fresh(
        move || other.prepare_call(expected),
        move |prepared| {
            let (statement, secret) = (&table.statement, &table.secrets[0]);
            Caller::call_prepared(statement, secret, prepared).unwrap().1.to_bytes()
        },
    )
}

/// Prepares a row.
pub fn case(deal: Deal, work: Work) -> Case {
    if matches!(work, Work::HandTable) {
        let (params, hands) = (deal.keys.params().clone(), hands(deal.n()));
        return same(move || HandTable::new(&params, hands.iter().copied()).unwrap());
    }
    let table = Rc::new(Table::new(deal));
    let other = Rc::clone(&table);
    match work {
        Work::CallOffline => same(move || table.prepare_call(&[1])),
        Work::CallOnline => call_prepared(table, &[1]),
        Work::CallOnlineUnexpected => call_prepared(table, &[2]),
        Work::CallVerify => {
            same(move || Onlooker::call(&table.statement, table.call(), &mut rng(1)).unwrap())
        }
        Work::SelectionOffline => same(move || table.prepare_selection()),
        Work::SelectionOnline => fresh(
            move || (other.receive(&mut rng(1)), other.prepare_selection()),
            move |(other, prepared)| {
                let (_, selection) =
                    other.select_prepared(&table.secrets[1], prepared, &mut rng(2)).unwrap();
                selection.to_bytes()
            },
        ),
        Work::SelectionVerify => fresh(
            move || Onlooker::call(&other.statement, other.call(), &mut rng(1)).unwrap(),
            move |onlooker| onlooker.selection(table.selection(), &mut rng(2)).unwrap(),
        ),
        Work::SealedCaller => fresh(
            move || Caller::resume(&other.statement, other.call(), &mut rng(1)).unwrap(),
            move |caller| {
                let (secret, mut rng) = (&table.secrets[0], rng(2));
                let (_, call) = Caller::call(&table.statement, secret, &mut rng).unwrap();
                let (_, answer) = caller.answer(secret, &table.selection(), &mut rng).unwrap();
                (call.to_bytes(), answer.to_bytes())
            },
        ),
        Work::SealedOther => fresh(
            move || {
                let (call, selection) = (other.call(), other.selection());
                Other::resume(&other.statement, call, selection, &mut rng(1)).unwrap()
            },
            move |selected| {
                let mut rng = rng(2);
                let other = table.receive(&mut rng);
                let (_, selection) = other.select(&table.secrets[1], &mut rng).unwrap();
                (selection.to_bytes(), selected.answer(&table.answer(), &mut rng).unwrap())
            },
        ),
        Work::SealedOnlooker => same(move || {
            let (call, selection, answer) = (table.call(), table.selection(), table.answer());
            sealed::verify(&table.statement, &call, &selection, &answer, &mut rng(1)).unwrap()
        }),
        _ => unreachable!("no hand proof"),
    }
}
