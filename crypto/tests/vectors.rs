//! What was published stays valid: generators, card points and a whole deal.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod frozen;

use frozen::{CUT, LOST, N, PARTNER, SEATS, hand, holdings, pair};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde_json::Value;
use trinka_crypto::{
    DealId, DealKeys, Deck, EscrowMessage, KeyMessage, OpenError, Params, Purpose, SecretKey,
    ShareBatch, Showing, ShuffleProof, Verified, escrow, keys, opening, shares, showing, shuffle,
    whole,
};

fn load(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    serde_json::from_slice(&std::fs::read(path.join(name)).unwrap()).unwrap()
}

/// What is published now, and what was published before the provers drew their masks otherwise: it verifies all the same.
fn editions(name: &str) -> [Value; 2] {
    [load(name), load(&format!("earlier/{name}"))]
}

fn unhex(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap();
    assert!(text.len().is_multiple_of(2));
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn generators_and_cards_are_pinned() {
    let published = load("generators.json");
    assert_eq!(published, frozen::generators());
    // all different, and none is zero
    let mut all = vec![unhex(&published["h"]), vec![0; 32]];
    for list in ["bases", "cards"] {
        let list = published[list].as_array().unwrap();
        assert_eq!(list.len(), 300);
        all.extend(list.iter().map(unhex));
    }
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn the_generator_still_makes_the_published_deals() {
    assert_eq!(load("deal36.json"), frozen::deal());
    assert_eq!(load("closed24.json"), frozen::closed());
}

/// The verified shares of one giver.
fn batch(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    entry: &Value,
    seat: u8,
    purpose: Purpose,
) -> Verified<ShareBatch> {
    let giver = number(&entry["giver"]) as u8;
    let positions = hand(seat);
    let batch = ShareBatch::from_bytes(&unhex(&entry["shares"]), positions.len()).unwrap();
    shares::verify(keys, giver, purpose, deck, &positions, batch).unwrap()
}

#[test]
fn the_generator_still_makes_the_published_comparisons() {
    assert_eq!(load("sealed24.json"), frozen::sealed::comparisons());
}

#[test]
fn the_published_comparisons_still_verify() {
    editions("sealed24.json").iter().for_each(comparisons_verify);
}

fn comparisons_verify(published: &Value) {
    use frozen::sealed::{SMALL, name, statement};
    use trinka_crypto::sealed::{Answer, Call, Selection, verify};

    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let n = usize::from(SMALL);
    let id = DealId(unhex(&published["deal"]).try_into().unwrap());
    let list = |name: &str| published[name].as_array().unwrap();
    let verified = (0..)
        .zip(list("keys"))
        .map(|(seat, bytes)| {
            keys::verify(&id, seat, &KeyMessage::from_bytes(&unhex(bytes)).unwrap()).unwrap()
        })
        .collect();
    let keys = DealKeys::new(id, Params::new(n).unwrap(), verified).unwrap();
    let mut deck = Deck::first(&keys);
    for step in list("shuffles") {
        let participant = number(&step["participant"]) as u8;
        let next = Deck::from_bytes(&unhex(&step["deck"]), n).unwrap();
        let proof = ShuffleProof::from_bytes(&unhex(&step["proof"]), n).unwrap();
        deck = shuffle::verify(&keys, participant, 0, &deck, next, &proof, &mut rng).unwrap();
    }
    let looks: Vec<_> = list("looks")
        .iter()
        .map(|entry| {
            let seat = number(&entry["recipient"]) as u8;
            (seat, batch(&keys, &deck, entry, seat, Purpose::look(seat, 0)))
        })
        .collect();
    assert_eq!(list("comparisons").len(), 2);
    for entry in list("comparisons") {
        let (step, ties) = (number(&entry["step"]) as u32, entry["ties"].as_bool().unwrap());
        let statement = statement(&keys, &deck, &looks, step, ties);
        let table = statement.table();
        assert_eq!(unhex(&published["table"]), table.digest());
        let call = Call::from_bytes(&unhex(&entry["call"]), table).unwrap();
        let selection = Selection::from_bytes(&unhex(&entry["selection"]), table).unwrap();
        let answer = Answer::from_bytes(&unhex(&entry["answer"])).unwrap();
        let outcome = verify(&statement, &call, &selection, &answer, &mut rng).unwrap();
        assert_eq!(name(outcome), entry["outcome"].as_str().unwrap());
    }
}

#[test]
fn the_published_deal_still_verifies() {
    editions("deal36.json").iter().for_each(a_deal_verifies);
}

fn a_deal_verifies(published: &Value) {
    let id = DealId(unhex(&published["deal"]).try_into().unwrap());
    let list = |name: &str| published[name].as_array().unwrap();
    assert_eq!(number(&published["n"]), N as u64);
    let verified = (0..)
        .zip(list("keys"))
        .map(|(seat, bytes)| {
            keys::verify(&id, seat, &KeyMessage::from_bytes(&unhex(bytes)).unwrap()).unwrap()
        })
        .collect();
    let keys = DealKeys::new(id, Params::new(N).unwrap(), verified).unwrap();
    let steps: Vec<shuffle::Step> = list("shuffles")
        .iter()
        .map(|step| {
            let proof = unhex(&step["proof"]);
            assert_eq!(proof.len(), 32 * (3 * N + 10));
            shuffle::Step {
                participant: number(&step["participant"]) as u8,
                step: number(&step["step"]) as u32,
                deck: Deck::from_bytes(&unhex(&step["deck"]), N).unwrap(),
                proof: ShuffleProof::from_bytes(&proof, N).unwrap(),
            }
        })
        .collect();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let decks = shuffle::verify_all(&keys, &Deck::first(&keys), steps, &mut rng).unwrap();
    let deck = decks.last().unwrap();
    assert_eq!(number(&published["cut"]), CUT as u64);
    let deck = deck.cut(CUT).unwrap();

    let mut looks = vec![Vec::new(); usize::from(SEATS)];
    for entry in list("looks") {
        let seat = number(&entry["recipient"]) as u8;
        let batch = batch(&keys, &deck, entry, seat, Purpose::look(seat, 0));
        looks[usize::from(seat)].push(batch);
    }
    for (seat, secret) in (0_u8..).zip(list("secrets")) {
        let secret = SecretKey::from_bytes(&unhex(secret)).unwrap();
        for (position, card) in
            hand(seat).into_iter().zip(published["hands"][usize::from(seat)].as_array().unwrap())
        {
            let looks = &looks[usize::from(seat)];
            let others: Vec<_> = looks.iter().filter_map(|b| b.share(position)).collect();
            let seen = opening::peel(&keys, &deck, position, &others, seat, &secret).unwrap();
            assert_eq!(u64::from(seen), number(card));
            let closed = opening::open(&keys, &deck, position, &others);
            assert_eq!(closed, Err(OpenError::Missing { participant: seat }));
        }
    }
    for entry in list("opens") {
        let seat = number(&entry["giver"]) as u8;
        let own = batch(&keys, &deck, entry, seat, Purpose::open(0));
        let hand = hand(seat).into_iter();
        for (position, card) in hand.zip(published["hands"][usize::from(seat)].as_array().unwrap())
        {
            let mut all: Vec<_> =
                looks[usize::from(seat)].iter().filter_map(|b| b.share(position)).collect();
            all.push(own.share(position).unwrap());
            let opened = opening::open(&keys, &deck, position, &all).unwrap();
            assert_eq!(u64::from(opened), number(card));
        }
    }
}

#[test]
fn the_published_escrows_and_showing_still_verify() {
    editions("closed24.json").iter().for_each(escrows_and_showing_verify);
}

fn escrows_and_showing_verify(published: &Value) {
    let id = DealId(unhex(&published["deal"]).try_into().unwrap());
    let list = |name: &str| published[name].as_array().unwrap();
    let n = number(&published["n"]) as usize;
    let escrows = list("escrows")
        .iter()
        .map(|entry| {
            let participant = number(&entry["giver"]) as u8;
            let lost: Vec<u8> =
                entry["lost"].as_array().unwrap().iter().map(|seat| number(seat) as u8).collect();
            let holdings = holdings(participant, lost.first().copied());
            let (cards, holders) = (2 * holdings.len(), holdings.len());
            let bytes = unhex(&entry["message"]);
            assert_eq!(bytes.len(), 32 * (2 * cards + 2 * holders + 3));
            let message = EscrowMessage::from_bytes(&bytes, cards, holders).unwrap();
            let step = number(&entry["step"]) as u32;
            escrow::Escrowed { participant, holdings, lost, step, message }
        })
        .collect();
    let batch = |entry: &Value| ShareBatch::from_bytes(&unhex(&entry["shares"]), 2).unwrap();
    let looks = list("looks").iter().map(|entry| whole::Given {
        participant: number(&entry["giver"]) as u8,
        purpose: Purpose::look(0, 0),
        positions: pair(0),
        batch: batch(entry),
    });
    let shuffles = (0..).zip(list("shuffles")).map(|(participant, step)| shuffle::Step {
        participant,
        step: 0,
        deck: Deck::from_bytes(&unhex(&step["deck"]), n).unwrap(),
        proof: ShuffleProof::from_bytes(&unhex(&step["proof"]), n).unwrap(),
    });
    let key = |bytes: &Value| KeyMessage::from_bytes(&unhex(bytes)).unwrap();
    let messages = whole::Messages {
        deal: id,
        params: Params::new(n).unwrap(),
        keys: list("keys").iter().map(key).collect(),
        shuffles: shuffles.collect(),
        cut: None,
        shares: looks.collect(),
        escrows,
    };
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let whole::Whole { keys, deck, shares, escrows } = whole::verify(messages, &mut rng).unwrap();
    // what was lost is opened, and seat 0 looks
    let lost = &escrows[usize::from(LOST)];
    assert_eq!((lost.participant(), lost.step()), (LOST, 0));
    let opened: Vec<_> = list("opened")
        .iter()
        .map(|entry| {
            let trustee = number(&entry["trustee"]) as u8;
            escrow::take(&keys, trustee, lost, &pair(0), batch(entry)).unwrap()
        })
        .collect();
    let own: Vec<_> = pair(0)
        .into_iter()
        .map(|position| {
            let trustees: Vec<_> = opened.iter().filter_map(|b| b.share(position)).collect();
            let mut others: Vec<_> = shares.iter().filter_map(|b| b.share(position)).collect();
            others.push(escrow::open(&keys, lost, position, &trustees).unwrap());
            opening::own(&keys, &deck, position, &others, 0).unwrap()
        })
        .collect();
    // what is shown can be read
    let partner = &published["partner"];
    let recipients =
        [keys.verified_key(1).unwrap(), keys::verify(&id, PARTNER, &key(&partner["key"])).unwrap()];
    let bytes = unhex(&published["showing"]);
    assert_eq!(bytes.len(), 32 * (2 * 4 + 2 * 2 + 3));
    let showing = Showing::from_bytes(&bytes, 2, 2).unwrap();
    let showing = showing::verify(&keys, 0, &own, &recipients, 5, showing, &mut rng).unwrap();
    let secrets = list("secrets");
    for (seat, secret) in [(1, &secrets[1]), (PARTNER, &partner["secret"])] {
        let secret = SecretKey::from_bytes(&unhex(secret)).unwrap();
        for (position, card) in pair(0).into_iter().zip(list("cards")) {
            let seen = showing::read(&keys, &showing, position, seat, &secret).unwrap();
            assert_eq!(u64::from(seen), number(card));
        }
    }
}
