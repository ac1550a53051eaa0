//! The published comparisons.

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde_json::{Value, json};
use trinka_crypto::{
    DealId, DealKeys, Deck, Hand, HandTable, Params, Purpose, Reason, Recipient, ShareBatch,
    Verified, keys, opening,
    sealed::{Caller, Other, Outcome, Statement},
    shuffle,
};

use super::{give, hand, hex};

/// Cards of the deck of `sealed24.json`.
pub const SMALL: u16 = 24;

/// The table of `sealed24.json`: all hands of 24 cards but three of a kind, with the level of the highest
/// rank; cards 0 to 3 are of the lowest one.
pub fn table(params: &Params) -> HandTable {
    let cards = 0..SMALL;
    let pairs = cards.clone().flat_map(|i| (i + 1..SMALL).map(move |j| [i, j]));
    let hands = pairs.flat_map(|[i, j]| (j + 1..SMALL).map(move |k| [i, j, k]));
    let hands = hands.filter(|[i, _, k]| i / 4 != k / 4);
    HandTable::new(params, hands.map(|cards| (cards, cards[2] / 4 - 1))).expect("a usual table")
}

/// What is compared in `sealed24.json`, from its verified deck and looks. 0 calls 1.
pub fn statement(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    looks: &[(u8, Verified<ShareBatch>)],
    step: u32,
    ties: bool,
) -> Statement {
    let own = |seat: u8| {
        let cards: Vec<_> = hand(seat)
            .into_iter()
            .map(|position| {
                let looks = looks.iter().filter(|(recipient, _)| *recipient == seat);
                let others: Vec<_> = looks.filter_map(|(_, b)| b.share(position)).collect();
                opening::own(keys, deck, position, &others, seat).expect("all other layers")
            })
            .collect();
        Hand::new(&cards.try_into().expect("three cards")).expect("a hand")
    };
    let purpose = Purpose { recipient: Recipient::Everyone, reason: Reason::Other(1), step };
    let table = table(keys.params());
    Statement::new(keys, &table, purpose, &own(0), &own(1), ties).expect("two hands")
}

/// `sealed24.json`: three players, 24 cards, three to each; everybody looks, then 0 calls 1, once with ties
/// and once without.
pub fn comparisons() -> Value {
    let mut rng = ChaCha20Rng::seed_from_u64(24);
    let id = DealId(core::array::from_fn(|byte| 255 - byte as u8));
    let params = Params::new(usize::from(SMALL)).expect("a usual deck");
    let (mut secrets, mut verified, mut messages) = (Vec::new(), Vec::new(), Vec::new());
    for seat in 0..3 {
        let (secret, message) = keys::generate(&id, seat, &mut rng);
        verified.push(keys::verify(&id, seat, &message).expect("an honest key"));
        messages.push(hex(message.to_bytes()));
        secrets.push(secret);
    }
    let keys = DealKeys::new(id, params, verified).expect("different keys");
    let mut deck = Deck::first(&keys);
    let mut shuffles = Vec::new();
    for seat in 0..3 {
        let secret = &secrets[usize::from(seat)];
        let (next, proof) =
            shuffle::shuffle(&keys, seat, secret, 0, &deck, &mut rng).expect("an honest shuffle");
        let bytes = [hex(next.to_bytes()), hex(proof.to_bytes())];
        shuffles.push(json!({ "participant": seat, "deck": bytes[0], "proof": bytes[1] }));
        deck = shuffle::verify(&keys, seat, 0, &deck, next, &proof, &mut rng)
            .expect("an honest shuffle");
    }
    let (mut looks, mut batches) = (Vec::new(), Vec::new());
    for recipient in 0..3 {
        for giver in (0..3).filter(|&giver| giver != recipient) {
            let purpose = Purpose::look(recipient, 0);
            let positions = hand(recipient);
            let (bytes, batch) = give(&keys, &secrets, giver, purpose, &deck, &positions, &mut rng);
            looks.push(json!({ "giver": giver, "recipient": recipient, "shares": bytes }));
            batches.push((recipient, batch));
        }
    }
    let comparisons: Vec<Value> = [true, false]
        .into_iter()
        .zip(0..)
        .map(|(ties, step)| {
            let statement = statement(&keys, &deck, &batches, step, ties);
            let (caller, call) =
                Caller::call(&statement, &secrets[0], &mut rng).expect("a hand of the table");
            let other = Other::receive(&statement, call.clone(), &mut rng).expect("an honest call");
            let (_, selection) = other.select(&secrets[1], &mut rng).expect("a hand of the table");
            let (outcome, answer) =
                caller.answer(&secrets[0], &selection, &mut rng).expect("an honest selection");
            json!({
                "ties": ties,
                "step": step,
                "call": hex(call.to_bytes()),
                "selection": hex(selection.to_bytes()),
                "answer": hex(answer.to_bytes()),
                "outcome": name(outcome),
            })
        })
        .collect();
    json!({
        "protocol": "trinka-crypto v1",
        "n": SMALL,
        "deal": hex(id.0),
        "table": hex(table(keys.params()).digest()),
        "keys": messages,
        "shuffles": shuffles,
        "looks": looks,
        "comparisons": comparisons,
    })
}

/// An outcome in words.
pub const fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::CallerHigher => "caller higher",
        Outcome::Equal => "equal",
        Outcome::CallerLower => "caller lower",
        Outcome::CallerNotHigher => "caller not higher",
    }
}
