//! What hand proofs and sealed comparisons cost: `cargo bench -p trinka-crypto --bench hands`. Wire decoding
//! is part of every verification, the preparation is not part of what is called online.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

use divan::{Bencher, black_box};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use trinka_crypto::{
    DealId, DealKeys, Deck, Hand, HandTable, Params, Purpose, Reason, Recipient, SecretKey, keys,
    opening,
    sealed::{self, Answer, Call, Caller, Onlooker, Other, Selection, Statement},
    shares, shuffle,
};

const DECKS: [u16; 2] = [24, 36];

fn main() {
    divan::main();
}

/// All hands of n cards in four suits. What counts is the best suit of the hand, or three of a kind.
fn hands(n: u16) -> Vec<([u16; 3], u16)> {
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

struct Table {
    keys: DealKeys,
    secrets: Vec<SecretKey>,
    statement: Statement,
    rng: ChaCha20Rng,
}

impl Table {
    /// Three players; 0 calls 1.
    fn new(n: u16) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(u64::from(n));
        let id = DealId([7; 32]);
        let (mut secrets, mut verified) = (Vec::new(), Vec::new());
        for participant in 0..3 {
            let (secret, message) = keys::generate(&id, participant, &mut rng);
            secrets.push(secret);
            verified.push(keys::verify(&id, participant, &message).unwrap());
        }
        let keys = DealKeys::new(id, Params::new(usize::from(n)).unwrap(), verified).unwrap();
        let mut deck = Deck::first(&keys);
        for participant in 0..3 {
            let (next, proof) = shuffle::shuffle(&keys, participant, 0, &deck, &mut rng).unwrap();
            deck = shuffle::verify(&keys, participant, 0, &deck, next, &proof, &mut rng).unwrap();
        }
        let mut hand = |participant: u8| {
            let positions = [0, 1, 2].map(|card| 3 * usize::from(participant) + card);
            let purpose = Purpose::look(participant, 0);
            let batches: Vec<_> = (0..3)
                .filter(|&giver| giver != participant)
                .map(|giver| {
                    let secret = &secrets[usize::from(giver)];
                    let batch =
                        shares::prove(&keys, giver, secret, purpose, &deck, &positions, &mut rng);
                    shares::verify(&keys, giver, purpose, &deck, &positions, batch.unwrap())
                        .unwrap()
                })
                .collect();
            let cards = positions.map(|position| {
                let others: Vec<_> = batches.iter().filter_map(|b| b.share(position)).collect();
                opening::own(&keys, &deck, position, &others, participant).unwrap()
            });
            Hand::new(&cards).unwrap()
        };
        let (caller, other) = (hand(0), hand(1));
        let table = HandTable::new(keys.params(), hands(n)).unwrap();
        let purpose = Purpose { recipient: Recipient::Everyone, reason: Reason::Other(1), step: 0 };
        let statement = Statement::new(&keys, &table, purpose, &caller, &other, true).unwrap();
        Self { keys, secrets, statement, rng }
    }

    fn messages(&mut self) -> [Vec<u8>; 3] {
        let Self { secrets, statement, rng, .. } = self;
        let (caller, call) = Caller::call(statement, &secrets[0], rng).unwrap();
        let other = Other::receive(statement, call.clone(), rng).unwrap();
        let (_, selection) = other.select(&secrets[1], rng).unwrap();
        let (_, answer) = caller.answer(&secrets[0], &selection, rng).unwrap();
        [call.to_bytes(), selection.to_bytes(), answer.to_bytes()]
    }

    fn call(&self, bytes: &[u8]) -> Call {
        Call::from_bytes(black_box(bytes), self.statement.table()).unwrap()
    }

    fn selection(&self, bytes: &[u8]) -> Selection {
        Selection::from_bytes(black_box(bytes), self.statement.table()).unwrap()
    }
}

#[divan::bench(args = DECKS)]
fn table(bencher: Bencher, n: u16) {
    let params = Params::new(usize::from(n)).unwrap();
    let hands = hands(n);
    bencher.bench_local(|| HandTable::new(&params, hands.iter().copied()).unwrap());
}

#[divan::bench(args = DECKS)]
fn call_offline(bencher: Bencher, n: u16) {
    let Table { keys, secrets, statement, mut rng } = Table::new(n);
    let (table, hand) = (statement.table(), statement.caller());
    bencher.bench_local(|| {
        sealed::prepare_call(&keys, table, hand, &secrets[0], &[1], &mut rng).unwrap()
    });
}

/// Calls with a preparation for these participants.
fn call_prepared(bencher: Bencher, n: u16, expected: &[u8]) {
    let Table { keys, secrets, statement, mut rng } = Table::new(n);
    let (table, hand, secret) = (statement.table(), statement.caller(), &secrets[0]);
    let mut prepare =
        || sealed::prepare_call(&keys, table, hand, secret, expected, &mut rng).unwrap();
    bencher.with_inputs(&mut prepare).bench_local_values(|prepared| {
        let (_, call) = Caller::call_prepared(&statement, secret, prepared).unwrap();
        call.to_bytes()
    });
}

#[divan::bench(args = DECKS)]
fn call_online(bencher: Bencher, n: u16) {
    call_prepared(bencher, n, &[1]);
}

/// Somebody is called who was not expected.
#[divan::bench(args = DECKS)]
fn call_online_unexpected(bencher: Bencher, n: u16) {
    call_prepared(bencher, n, &[2]);
}

#[divan::bench(args = DECKS)]
fn call_verify(bencher: Bencher, n: u16) {
    let mut table = Table::new(n);
    let [call, ..] = table.messages();
    println!("{n} cards, {} levels: call {} bytes", table.statement.table().levels(), call.len());
    let mut rng = table.rng.clone();
    bencher.bench_local(|| Onlooker::call(&table.statement, table.call(&call), &mut rng).unwrap());
}

#[divan::bench(args = DECKS)]
fn selection_offline(bencher: Bencher, n: u16) {
    let Table { keys, secrets, statement, mut rng } = Table::new(n);
    let (table, hand) = (statement.table(), statement.other());
    bencher.bench_local(|| {
        sealed::prepare_selection(&keys, table, hand, &secrets[1], &mut rng).unwrap()
    });
}

#[divan::bench(args = DECKS)]
fn selection_online(bencher: Bencher, n: u16) {
    let mut table = Table::new(n);
    let [call, ..] = table.messages();
    let other =
        Other::receive(&table.statement, table.call(&call), &mut table.rng.clone()).unwrap();
    let Table { keys, secrets, statement, mut rng } = table;
    let (table, hand) = (statement.table(), statement.other());
    let mut more = rng.clone();
    bencher
        .with_inputs(|| {
            let secret = &secrets[1];
            let prepared = sealed::prepare_selection(&keys, table, hand, secret, &mut rng);
            (other.clone(), prepared.unwrap())
        })
        .bench_local_values(|(other, prepared)| {
            let (_, selection) = other.select_prepared(&secrets[1], prepared, &mut more).unwrap();
            selection.to_bytes()
        });
}

#[divan::bench(args = DECKS)]
fn selection_verify(bencher: Bencher, n: u16) {
    let mut table = Table::new(n);
    let [call, selection, _] = table.messages();
    println!("{n} cards: selection {} bytes", selection.len());
    let mut rng = table.rng.clone();
    let onlooker = Onlooker::call(&table.statement, table.call(&call), &mut rng).unwrap();
    bencher
        .with_inputs(|| onlooker.clone())
        .bench_local_values(|onlooker| onlooker.selection(table.selection(&selection), &mut rng));
}

/// All that the caller does, with nothing prepared.
#[divan::bench(args = DECKS)]
fn sealed_caller(bencher: Bencher, n: u16) {
    let mut table = Table::new(n);
    let secret = table.secrets[0].clone();
    let (mut rng, mut more) = (table.rng.clone(), table.rng.clone());
    let [call, selection, _] = table.messages();
    let resume = || Caller::resume(&table.statement, table.call(&call), &mut more).unwrap();
    bencher.with_inputs(resume).bench_local_values(|caller| {
        let (_, call) = Caller::call(&table.statement, &secret, &mut rng).unwrap();
        let selection = table.selection(&selection);
        let (_, answer) = caller.answer(&secret, &selection, &mut rng).unwrap();
        (call.to_bytes(), answer.to_bytes())
    });
}

/// All that who is called does, with nothing prepared.
#[divan::bench(args = DECKS)]
fn sealed_other(bencher: Bencher, n: u16) {
    let mut table = Table::new(n);
    let secret = table.secrets[1].clone();
    let mut rng = table.rng.clone();
    let [call, selection, answer] = table.messages();
    let answer = Answer::from_bytes(&answer).unwrap();
    let selection = table.selection(&selection);
    let selected = Other::resume(&table.statement, table.call(&call), selection, &mut rng).unwrap();
    bencher.with_inputs(|| selected.clone()).bench_local_values(|selected| {
        let other = Other::receive(&table.statement, table.call(&call), &mut rng).unwrap();
        let (_, selection) = other.select(&secret, &mut rng).unwrap();
        (selection.to_bytes(), selected.answer(&answer, &mut rng).unwrap())
    });
}

#[divan::bench(args = DECKS)]
fn sealed_onlooker(bencher: Bencher, n: u16) {
    let mut table = Table::new(n);
    let [call, selection, answer] = table.messages();
    println!("{n} cards: {} bytes in all", call.len() + selection.len() + answer.len());
    let mut rng = table.rng.clone();
    bencher.bench_local(|| {
        let (call, selection) = (table.call(&call), table.selection(&selection));
        let answer = Answer::from_bytes(&answer).unwrap();
        sealed::verify(&table.statement, &call, &selection, &answer, &mut rng).unwrap()
    });
}
