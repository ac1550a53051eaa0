//! The published vectors, and how they are made. `cargo run -p trinka-crypto --example vectors` writes
//! them anew; that is only right together with a new protocol version.

pub mod sealed;

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde_json::{Value, json};
use trinka_crypto::{
    DealId, DealKeys, Deck, Params, Purpose, SecretKey, Verified, escrow, generators, keys,
    opening, shares, showing, shuffle, wire::Element,
};

pub const N: usize = 36;
pub const SEATS: u8 = 4;
pub const CUT: usize = 11;
/// Cards to each seat.
pub const HAND: usize = 3;

pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|b| format!("{b:02x}")).collect()
}

/// `generators.json`: h, h_1 … h_300, M_0 … M_299, and the digest of the parameters of some decks.
pub fn generators() -> Value {
    let digests: serde_json::Map<String, Value> = [24, 36, 52, 300]
        .into_iter()
        .map(|n| {
            let params = Params::new(n).expect("a usual deck");
            (n.to_string(), hex(params.digest()).into())
        })
        .collect();
    json!({
        "protocol": "trinka-crypto v1",
        "h": hex(Element::new(generators::base()).as_bytes()),
        "bases": generators::bases().iter().map(|base| hex(Element::new(*base).as_bytes())).collect::<Vec<_>>(),
        "cards": generators::cards().iter().map(|card| hex(card.as_bytes())).collect::<Vec<_>>(),
        "parameters": digests,
    })
}

/// The positions of a seat's cards.
pub fn hand(seat: u8) -> Vec<usize> {
    (0..HAND).map(|card| usize::from(seat) * HAND + card).collect()
}

/// `deal36.json`: four players, 36 cards, three to each; everybody looks, then seats 1 and 2 open.
pub fn deal() -> Value {
    let mut rng = ChaCha20Rng::seed_from_u64(36);
    let id = DealId(core::array::from_fn(|byte| byte as u8));
    let params = Params::new(N).expect("a usual deck");
    let mut secrets = Vec::new();
    let mut verified = Vec::new();
    let mut messages = Vec::new();
    for seat in 0..SEATS {
        let (secret, message) = keys::generate(&id, seat, &mut rng);
        verified.push(keys::verify(&id, seat, &message).expect("an honest key"));
        messages.push(hex(message.to_bytes()));
        secrets.push(secret);
    }
    let keys = DealKeys::new(id, params, verified).expect("different keys");
    let mut deck = Deck::first(&keys);
    let mut shuffles = Vec::new();
    for (step, seat) in [(0, 2), (1, 3), (2, 0), (3, 1)] {
        let secret = &secrets[usize::from(seat)];
        let (next, proof) = shuffle::shuffle(&keys, seat, secret, step, &deck, &mut rng)
            .expect("an honest shuffle");
        shuffles.push(json!({
            "participant": seat,
            "step": step,
            "deck": hex(next.to_bytes()),
            "proof": hex(proof.to_bytes()),
        }));
        deck = shuffle::verify(&keys, seat, step, &deck, next, &proof, &mut rng)
            .expect("an honest shuffle");
    }
    let deck = deck.cut(CUT).expect("within the deck");
    let mut looks = Vec::new();
    let mut hands = Vec::new();
    for recipient in 0..SEATS {
        let positions = hand(recipient);
        let mut others = Vec::new();
        for giver in (0..SEATS).filter(|&giver| giver != recipient) {
            let purpose = Purpose::look(recipient, 0);
            let (bytes, batch) = give(&keys, &secrets, giver, purpose, &deck, &positions, &mut rng);
            looks.push(json!({ "giver": giver, "recipient": recipient, "shares": bytes }));
            others.push(batch);
        }
        let secret = &secrets[usize::from(recipient)];
        let cards: Vec<u16> = positions
            .iter()
            .map(|&position| {
                let others: Vec<_> = others.iter().filter_map(|b| b.share(position)).collect();
                opening::peel(&keys, &deck, position, &others, recipient, secret)
                    .expect("all layers but one's own")
            })
            .collect();
        hands.push(cards);
    }
    let opens: Vec<Value> = [1, 2]
        .into_iter()
        .map(|seat| {
            let positions = hand(seat);
            let purpose = Purpose::open(0);
            let (bytes, _) = give(&keys, &secrets, seat, purpose, &deck, &positions, &mut rng);
            json!({ "giver": seat, "shares": bytes })
        })
        .collect();
    json!({
        "protocol": "trinka-crypto v1",
        "n": N,
        "deal": hex(id.0),
        "secrets": secrets.iter().map(|secret| hex(secret.to_bytes())).collect::<Vec<_>>(),
        "keys": messages,
        "shuffles": shuffles,
        "cut": CUT,
        "looks": looks,
        "opens": opens,
        "hands": hands,
    })
}

/// `closed24.json`: four players, 24 cards, two to each. Everybody escrows its shares of the others' cards
/// (S6); seat 3 is lost, and the others open its shares of seat 0's cards and escrow anew; seat 0 shows
/// its cards to seat 1 and to a partner in seat 9 (S5).
pub fn closed() -> Value {
    let mut rng = ChaCha20Rng::seed_from_u64(24);
    let id = DealId(core::array::from_fn(|byte| 255 - byte as u8));
    let mut secrets = Vec::new();
    let mut verified = Vec::new();
    let mut messages = Vec::new();
    for seat in 0..SEATS {
        let (secret, message) = keys::generate(&id, seat, &mut rng);
        verified.push(keys::verify(&id, seat, &message).expect("an honest key"));
        messages.push(hex(message.to_bytes()));
        secrets.push(secret);
    }
    let keys = DealKeys::new(id, Params::new(24).expect("a usual deck"), verified)
        .expect("different keys");
    let mut deck = Deck::first(&keys);
    let mut shuffles = Vec::new();
    for seat in 0..SEATS {
        let secret = &secrets[usize::from(seat)];
        let (next, proof) =
            shuffle::shuffle(&keys, seat, secret, 0, &deck, &mut rng).expect("an honest shuffle");
        shuffles.push(json!({ "deck": hex(next.to_bytes()), "proof": hex(proof.to_bytes()) }));
        deck = shuffle::verify(&keys, seat, 0, &deck, next, &proof, &mut rng)
            .expect("an honest shuffle");
    }
    let mut escrows = Vec::new();
    let mut of_lost = None;
    for (step, lost) in [(0, None), (1, Some(LOST))] {
        for seat in (0..SEATS).filter(|&seat| Some(seat) != lost) {
            let holdings = holdings(seat, lost);
            let lost = Vec::from_iter(lost);
            let secret = &secrets[usize::from(seat)];
            let message =
                escrow::prove(&keys, seat, secret, &deck, &holdings, &lost, step, &mut rng)
                    .expect("three or more players");
            escrows.push(json!({ "giver": seat, "step": step, "lost": lost.clone(), "message": hex(message.to_bytes()) }));
            if seat == LOST {
                of_lost = Some(
                    escrow::verify(&keys, seat, &deck, &holdings, &lost, step, message, &mut rng)
                        .expect("an honest escrow"),
                );
            }
        }
    }
    let of_lost = of_lost.expect("everybody escrows at first");
    let mut opened = Vec::new();
    let mut batches = Vec::new();
    for trustee in [1, 2] {
        let secret = &secrets[usize::from(trustee)];
        let batch = escrow::give(&keys, trustee, secret, &of_lost, &pair(0), &mut rng)
            .expect("a trustee of seat 0");
        opened.push(json!({ "trustee": trustee, "shares": hex(batch.to_bytes()) }));
        batches
            .push(escrow::take(&keys, trustee, &of_lost, &pair(0), batch).expect("honest shares"));
    }
    let mut looks = Vec::new();
    let mut others = Vec::new();
    for giver in [1, 2] {
        let purpose = Purpose::look(0, 0);
        let (bytes, batch) = give(&keys, &secrets, giver, purpose, &deck, &pair(0), &mut rng);
        looks.push(json!({ "giver": giver, "shares": bytes }));
        others.push(batch);
    }
    let mut cards = Vec::new();
    let mut numbers = Vec::new();
    for position in pair(0) {
        let mut shares: Vec<_> = others.iter().filter_map(|b| b.share(position)).collect();
        let trustees: Vec<_> = batches.iter().filter_map(|b| b.share(position)).collect();
        shares.push(escrow::open(&keys, &of_lost, position, &trustees).expect("all trustees"));
        cards.push(opening::own(&keys, &deck, position, &shares, 0).expect("all others"));
        let number = opening::peel(&keys, &deck, position, &shares, 0, &secrets[0]);
        numbers.push(number.expect("all others"));
    }
    let (partner, message) = keys::generate(&id, PARTNER, &mut rng);
    let recipients = [
        keys.verified_key(1).expect("a participant"),
        keys::verify(&id, PARTNER, &message).expect("an honest key"),
    ];
    let showing = showing::prove(&keys, 0, &secrets[0], &cards, &recipients, 5, &mut rng)
        .expect("one's own cards");
    json!({
        "protocol": "trinka-crypto v1",
        "n": 24,
        "deal": hex(id.0),
        "secrets": secrets.iter().map(|secret| hex(secret.to_bytes())).collect::<Vec<_>>(),
        "keys": messages,
        "shuffles": shuffles,
        "escrows": escrows,
        "opened": opened,
        "looks": looks,
        "partner": json!({ "secret": hex(partner.to_bytes()), "key": hex(message.to_bytes()) }),
        "showing": hex(showing.to_bytes()),
        "cards": numbers,
    })
}

/// Who is lost.
pub const LOST: u8 = 3;
/// The seat of a partner who is not in the deal.
pub const PARTNER: u8 = 9;

/// Two cards to each seat.
pub fn pair(seat: u8) -> Vec<usize> {
    vec![usize::from(seat) * 2, usize::from(seat) * 2 + 1]
}

/// The cards of all others who are there.
pub fn holdings(seat: u8, lost: Option<u8>) -> Vec<escrow::Holding> {
    (0..SEATS)
        .filter(|&holder| holder != seat && Some(holder) != lost)
        .map(|holder| escrow::Holding { holder, positions: pair(holder) })
        .collect()
}

fn give(
    keys: &DealKeys,
    secrets: &[SecretKey],
    seat: u8,
    purpose: Purpose,
    deck: &Verified<Deck>,
    positions: &[usize],
    rng: &mut ChaCha20Rng,
) -> (String, Verified<trinka_crypto::ShareBatch>) {
    let secret = &secrets[usize::from(seat)];
    let batch = shares::prove(keys, seat, secret, purpose, deck, positions, rng)
        .expect("shares of a finished deck");
    let bytes = hex(batch.to_bytes());
    let batch = shares::verify(keys, seat, purpose, deck, positions, batch).expect("honest shares");
    (bytes, batch)
}
