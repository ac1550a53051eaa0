//! Encodings: one for each value, exact lengths, typed errors.

use super::{Deal, rng};
use crate::{
    Deck, DecodeError, Error, EscrowMessage, KeyMessage, Params, PublicKey, Purpose, SecretKey,
    ShareBatch, Showing, ShuffleProof, escrow, keys, opening, showing,
};

const N: usize = 4;

/// A decoder, forgetting what it decodes.
type Decode = Box<dyn Fn(&[u8]) -> Result<(), DecodeError>>;

/// An escrow of 0's for two holders with three cards, and a showing of two cards by 0 to two recipients.
fn linear() -> (EscrowMessage, Showing) {
    let mut deal = Deal::new(N, 3, 7);
    let last = deal.last();
    let all = deal.give_all(&last, &[0, 1]);
    let Deal { keys, secrets, rng } = &mut deal;
    let holdings = [(1, vec![0, 1]), (2, vec![3])]
        .map(|(holder, positions)| escrow::Holding { holder, positions });
    let message = escrow::prove(keys, 0, &secrets[0], &last, &holdings, &[], 0, rng).unwrap();
    let cards = [0, 1].map(|position| {
        let others: Vec<_> = all[1..].iter().map(|batch| batch.share(position).unwrap()).collect();
        opening::own(keys, &last, position, &others, 0).unwrap()
    });
    let recipients = [1, 2].map(|seat| keys.verified_key(seat).unwrap());
    let showing = showing::prove(keys, 0, &secrets[0], &cards, &recipients, 0, rng).unwrap();
    (message, showing)
}

/// A name, an encoding, how many of its words are points, and how to decode it.
type Message = (&'static str, Vec<u8>, usize, Decode);

/// One of each message.
fn messages() -> Vec<Message> {
    let mut deal = Deal::new(N, 2, 1);
    let first = deal.first();
    let (deck, proof) = deal.shuffle(0, &first);
    let last = deal.last();
    let batch = deal.give(0, Purpose::open(0), &last, &[1, 3]);
    let (secret, message) = keys::generate(&super::ID, 0, &mut rng(1));
    let (escrow, showing) = linear();
    vec![
        (
            "escrow",
            escrow.to_bytes(),
            2 * 3 + 4,
            Box::new(|bytes| EscrowMessage::from_bytes(bytes, 3, 2).map(|_| ())),
        ),
        (
            "showing",
            showing.to_bytes(),
            2 * 4 + 4,
            Box::new(|bytes| Showing::from_bytes(bytes, 2, 2).map(|_| ())),
        ),
        ("deck", deck.to_bytes(), 2 * N, Box::new(|bytes| Deck::from_bytes(bytes, N).map(|_| ()))),
        (
            "shuffle proof",
            proof.to_bytes(),
            8,
            Box::new(|bytes| ShuffleProof::from_bytes(bytes, N).map(|_| ())),
        ),
        (
            "shares",
            batch.to_bytes(),
            4,
            Box::new(|bytes| ShareBatch::from_bytes(bytes, 2).map(|_| ())),
        ),
        (
            "key message",
            message.to_bytes(),
            2,
            Box::new(|bytes| KeyMessage::from_bytes(bytes).map(|_| ())),
        ),
        (
            "public key",
            message.key().as_bytes().to_vec(),
            1,
            Box::new(|bytes| PublicKey::from_bytes(bytes).map(|_| ())),
        ),
        (
            "secret key",
            secret.to_bytes().to_vec(),
            0,
            Box::new(|bytes| SecretKey::from_bytes(bytes).map(|_| ())),
        ),
    ]
}

#[test]
fn lengths_are_exact() {
    for (name, bytes, _, decode) in messages() {
        assert_eq!(decode(&bytes), Ok(()), "{name}");
        let expected = bytes.len();
        let mut long = bytes.clone();
        long.extend([0; 64]);
        let lengths = [0, 1, 31, 32, expected - 32, expected - 1];
        let lengths = lengths.into_iter().chain([1, 32, 64].map(|l| expected + l));
        for found in lengths.filter(|&found| found != expected) {
            let error = DecodeError::Length { expected, found };
            assert_eq!(decode(&long[..found]), Err(error), "{name}");
        }
    }
}

#[test]
fn every_word_is_canonical() {
    // 2²⁵⁵ − 19, the order of the scalars, all ones, a negative field element, no square
    let mut p = [0xff; 32];
    p[0] = 0xed;
    p[31] = 0x7f;
    let l: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let mut odd = [0; 32];
    odd[0] = 1;
    let mut high = [0; 32];
    high[31] = 0x80;
    for (name, bytes, points, decode) in messages() {
        for word in 0..bytes.len() / 32 {
            let (error, bad) = if word < points {
                (DecodeError::Point { word }, vec![p, odd, high, [0xff; 32]])
            } else {
                (DecodeError::Scalar { word }, vec![l, high, [0xff; 32]])
            };
            for replacement in bad {
                let mut bytes = bytes.clone();
                bytes[32 * word..][..32].copy_from_slice(&replacement);
                assert_eq!(decode(&bytes), Err(error), "{name}, word {word}");
            }
        }
    }
}

#[test]
fn zero_is_refused_where_it_cannot_be_right() {
    for (name, bytes, _, decode) in messages() {
        for word in 0..bytes.len() / 32 {
            let mut bytes = bytes.clone();
            bytes[32 * word..][..32].fill(0);
            let refused = match name {
                "deck" => word % 2 == 0,
                "escrow" => word % 2 == 0 && word < 2 * 3,
                "showing" => word % 2 == 0 && word < 2 * 4,
                "key message" => word == 0,
                "public key" | "secret key" => true,
                _ => false,
            };
            let expected = if refused { Err(DecodeError::Zero { word }) } else { Ok(()) };
            assert_eq!(decode(&bytes), expected, "{name}, word {word}");
        }
    }
}

#[test]
fn absurd_counts_are_refused() {
    for n in [usize::MAX, usize::MAX / 32, 1 << 40] {
        assert!(Deck::from_bytes(&[], n).is_err());
        assert!(ShuffleProof::from_bytes(&[0; 320], n).is_err());
        assert!(ShareBatch::from_bytes(&[0; 96], n).is_err());
        assert!(EscrowMessage::from_bytes(&[0; 96], n, 0).is_err());
        assert!(EscrowMessage::from_bytes(&[0; 96], 0, n).is_err());
        assert!(Showing::from_bytes(&[0; 96], n, 2).is_err());
        assert!(Showing::from_bytes(&[0; 96], 2, n).is_err());
    }
    for n in [0, 1, 301, usize::MAX] {
        assert_eq!(Params::new(n).map(|_| ()), Err(Error::DeckSize { cards: n }));
    }
    assert_ne!(Params::new(24).unwrap().digest(), Params::new(25).unwrap().digest());
}

#[test]
fn debug_output_shows_no_secret_and_does_not_fill_pages() {
    let mut deal = Deal::new(N, 2, 2);
    let deck = deal.last();
    assert!(format!("{:?}", *deck).len() < 40);
    assert!(!format!("{:?}", deal.keys).contains("table"));
}
