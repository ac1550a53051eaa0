//! What the proofs cost: `cargo bench -p trinka-crypto`. Wire decoding is part of every verification.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

use divan::{Bencher, black_box};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use trinka_crypto::{
    DealId, DealKeys, Deck, KeyMessage, Params, Purpose, SecretKey, ShareBatch, ShuffleProof,
    Verified, deck::mask_all, keys, shares, shuffle,
};

const DECKS: [usize; 3] = [24, 36, 52];

fn main() {
    divan::main();
}

struct Deal {
    keys: DealKeys,
    secrets: Vec<SecretKey>,
    first: Verified<Deck>,
    rng: ChaCha20Rng,
}

fn deal(n: usize, participants: u8) -> Deal {
    let mut rng = ChaCha20Rng::seed_from_u64(n as u64);
    let id = DealId([7; 32]);
    let mut secrets = Vec::new();
    let mut verified = Vec::new();
    for participant in 0..participants {
        let (secret, message) = keys::generate(&id, participant, &mut rng);
        secrets.push(secret);
        verified.push(keys::verify(&id, participant, &message).unwrap());
    }
    let keys = DealKeys::new(id, Params::new(n).unwrap(), verified).unwrap();
    let first = Deck::first(&keys);
    Deal { keys, secrets, first, rng }
}

/// A deck and its proof, encoded.
type Shuffled = (Vec<u8>, Vec<u8>);

/// The bytes of a chain of shuffles, one by each participant, and the last deck.
fn chain(deal: &mut Deal) -> (Vec<Shuffled>, Verified<Deck>) {
    let mut deck = deal.first.clone();
    let mut bytes = Vec::new();
    for participant in 0..deal.secrets.len() as u8 {
        let (next, proof) =
            shuffle::shuffle(&deal.keys, participant, 0, &deck, &mut deal.rng).unwrap();
        bytes.push((next.to_bytes(), proof.to_bytes()));
        deck = shuffle::verify(&deal.keys, participant, 0, &deck, next, &proof, &mut deal.rng)
            .unwrap();
    }
    (bytes, deck)
}

fn decode(n: usize, participant: u8, (deck, proof): &Shuffled) -> shuffle::Step {
    shuffle::Step {
        participant,
        step: 0,
        deck: Deck::from_bytes(deck, n).unwrap(),
        proof: ShuffleProof::from_bytes(proof, n).unwrap(),
    }
}

#[divan::bench(args = DECKS)]
fn mask_deck_alone(bencher: Bencher, n: usize) {
    let mut deal = deal(n, 2);
    let (_, deck) = chain(&mut deal);
    bencher.bench_local(|| mask_all(&deal.keys, &deck, &mut deal.rng));
}

#[divan::bench(args = DECKS)]
fn shuffle_prove(bencher: Bencher, n: usize) {
    let mut deal = deal(n, 2);
    let (_, deck) = chain(&mut deal);
    bencher.bench_local(|| shuffle::shuffle(&deal.keys, 0, 1, &deck, &mut deal.rng));
}

#[divan::bench(args = DECKS)]
fn shuffle_prove_prepared(bencher: Bencher, n: usize) {
    let mut deal = deal(n, 2);
    let (_, deck) = chain(&mut deal);
    bencher
        .with_inputs(|| shuffle::prepare(&deal.keys, 0, &mut deal.rng).unwrap())
        .bench_local_values(|prepared| {
            shuffle::shuffle_prepared(&deal.keys, 0, 1, &deck, prepared)
        });
}

#[divan::bench(args = DECKS)]
fn shuffle_verify_one(bencher: Bencher, n: usize) {
    let mut deal = deal(n, 2);
    let (bytes, _) = chain(&mut deal);
    bencher.bench_local(|| {
        let step = decode(n, 0, &bytes[0]);
        shuffle::verify(&deal.keys, 0, 0, &deal.first, step.deck, &step.proof, &mut deal.rng)
            .unwrap()
    });
}

#[divan::bench(args = DECKS)]
fn shuffle_verify_ten(bencher: Bencher, n: usize) {
    let mut deal = deal(n, 10);
    let (bytes, _) = chain(&mut deal);
    bencher.bench_local(|| {
        let steps =
            (0..).zip(&bytes).map(|(participant, bytes)| decode(n, participant, bytes)).collect();
        shuffle::verify_all(&deal.keys, &deal.first, steps, &mut deal.rng).unwrap()
    });
}

#[divan::bench(args = DECKS)]
fn shares_prove(bencher: Bencher, n: usize) {
    let mut deal = deal(n, 2);
    let (_, deck) = chain(&mut deal);
    let positions: Vec<usize> = (0..n).collect();
    bencher.bench_local(|| {
        shares::prove(
            &deal.keys,
            0,
            &deal.secrets[0],
            Purpose::open(0),
            &deck,
            &positions,
            &mut deal.rng,
        )
        .unwrap()
    });
}

#[divan::bench(args = DECKS)]
fn shares_verify(bencher: Bencher, n: usize) {
    let mut deal = deal(n, 2);
    let (_, deck) = chain(&mut deal);
    let positions: Vec<usize> = (0..n).collect();
    let bytes = shares::prove(
        &deal.keys,
        0,
        &deal.secrets[0],
        Purpose::open(0),
        &deck,
        &positions,
        &mut deal.rng,
    )
    .unwrap()
    .to_bytes();
    bencher.bench_local(|| {
        let batch = ShareBatch::from_bytes(&bytes, n).unwrap();
        shares::verify(&deal.keys, 0, Purpose::open(0), &deck, &positions, batch).unwrap()
    });
}

#[divan::bench]
fn key_prove(bencher: Bencher) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    bencher.bench_local(|| keys::generate(&DealId([7; 32]), 0, &mut rng));
}

#[divan::bench]
fn key_verify(bencher: Bencher) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (_, message) = keys::generate(&DealId([7; 32]), 0, &mut rng);
    let bytes = message.to_bytes();
    bencher.bench_local(|| {
        let message = KeyMessage::from_bytes(black_box(&bytes)).unwrap();
        keys::verify(&DealId([7; 32]), 0, &message).unwrap()
    });
}

#[divan::bench]
fn deal_keys_with_first_mask(bencher: Bencher) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let id = DealId([7; 32]);
    let keys: Vec<_> = (0..10)
        .map(|p| keys::verify(&id, p, &keys::generate(&id, p, &mut rng).1).unwrap())
        .collect();
    let params = Params::new(2).unwrap();
    bencher.bench_local(|| {
        let keys = DealKeys::new(id, params.clone(), keys.clone()).unwrap();
        let deck = Deck::first(&keys);
        shuffle::shuffle(&keys, 0, 0, &deck, &mut rng).unwrap()
    });
}
