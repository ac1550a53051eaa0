//! Three players shuffle and deal; Alice calls Bob, and the two hands are compared sealed. Carol, who gives
//! shares as everybody, and Dave, who only looks on, learn who has the higher hand, and nothing else.
//!
//! `cargo run -p trinka-crypto --example sealed`

use std::error::Error;

use trinka_crypto::{
    DealId, DealKeys, Deck, Hand, HandTable, Params, Purpose, Reason, Recipient, Verified, keys,
    opening,
    sealed::{Answer, Call, Caller, Onlooker, Other, Selection, Statement},
    shares, shuffle,
};

/// Cards of the deck. Their numbers are all that is known here; say that four of a kind follow each other.
const CARDS: u16 = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = rand::rng();
    // what everybody agrees on before: the deal, the deck, and which hand is how high
    let (deal, params) = (DealId([7; 32]), Params::new(usize::from(CARDS))?);
    let table = HandTable::new(&params, hands())?;

    // a key for each player and this deal, with a proof that its owner knows the secret
    let (mut secrets, mut verified) = (Vec::new(), Vec::new());
    for player in 0..3 {
        let (secret, message) = keys::generate(&deal, player, &mut rng);
        verified.push(keys::verify(&deal, player, &message)?);
        secrets.push(secret);
    }
    let [alice, bob, _carol] = &secrets[..] else { return Err("three players".into()) };
    let keys = DealKeys::new(deal, params, verified)?;

    // each shuffles, and proves it
    let mut deck = Deck::first(&keys);
    for (player, secret) in (0..3).zip(&secrets) {
        let (next, proof) = shuffle::shuffle(&keys, player, secret, 0, &deck, &mut rng)?;
        deck = shuffle::verify(&keys, player, 0, &deck, next, &proof, &mut rng)?;
    }

    // each player's three cards: the others take their layers off, its own stays on
    let mut hands = Vec::new();
    for player in 0..3 {
        let positions = [0, 1, 2].map(|card| 3 * usize::from(player) + card);
        let purpose = Purpose::look(player, 0);
        let mut batches = Vec::new();
        for (giver, secret) in (0..).zip(&secrets).filter(|(giver, _)| *giver != player) {
            let batch = shares::prove(&keys, giver, secret, purpose, &deck, &positions, &mut rng)?;
            batches.push(shares::verify(&keys, giver, purpose, &deck, &positions, batch)?);
        }
        let own = |position| own(&keys, &deck, position, &batches, player);
        let [first, second, third] = positions.map(own);
        hands.push(Hand::new(&[first?, second?, third?])?);
    }
    let [alices, bobs, _] = &hands[..] else { return Err("three hands".into()) };

    // Alice calls Bob. All four know what is compared.
    let purpose = Purpose { recipient: Recipient::Everyone, reason: Reason::Other(0), step: 0 };
    let statement = Statement::new(&keys, &table, purpose, alices, bobs, true)?;

    // 1. Alice sends her level, masked so that only she and Bob together could read it
    let (caller, call) = Caller::call(&statement, alice, &mut rng)?;
    let sent = call.to_bytes();
    println!("Alice calls Bob: {} bytes", sent.len());

    // 2. Bob selects from it by the level of his hand, and gives his share of what he selected
    let other = Other::receive(&statement, Call::from_bytes(&sent, &table)?, &mut rng)?;
    let dave = Onlooker::call(&statement, Call::from_bytes(&sent, &table)?, &mut rng)?;
    let (other, selection) = other.select(bob, &mut rng)?;
    let sent = selection.to_bytes();
    println!("Bob selects: {} bytes", sent.len());

    // 3. Alice knows the outcome, and gives her share, so that all know
    let selection = Selection::from_bytes(&sent, &table)?;
    let dave = dave.selection(selection.clone(), &mut rng)?;
    let (outcome, answer) = caller.answer(alice, &selection, &mut rng)?;
    let sent = answer.to_bytes();
    println!("Alice answers: {} bytes", sent.len());

    let answer = Answer::from_bytes(&sent)?;
    println!("Alice finds {outcome:?}");
    println!("Bob finds {:?}", other.answer(&answer, &mut rng)?);
    println!("Dave finds {:?}", dave.answer(&answer, &mut rng)?);
    Ok(())
}

/// A player's card, with all layers off but its own.
fn own(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    position: usize,
    batches: &[Verified<trinka_crypto::ShareBatch>],
    player: u8,
) -> Result<Verified<trinka_crypto::OwnCard>, trinka_crypto::OpenError> {
    let others: Vec<_> = batches.iter().filter_map(|batch| batch.share(position)).collect();
    opening::own(keys, deck, position, &others, player)
}

/// All hands of three cards. Here the level of a hand is that of its highest card.
fn hands() -> impl Iterator<Item = ([u16; 3], u16)> {
    let pairs = (0..CARDS).flat_map(|i| (i + 1..CARDS).map(move |j| [i, j]));
    pairs.flat_map(|[i, j]| (j + 1..CARDS).map(move |k| ([i, j, k], k / 4)))
}
