//! Opening cards: layers in any order, missing, repeated, of another card.

use std::sync::{LazyLock, Mutex};

use proptest::prelude::*;

use super::Deal;
use crate::{
    Deck, Error, OpenError, ShareBatch, Verified,
    opening::{missing, open, open_claimed, peel, recognise, strip},
    shares::Share,
};

const N: usize = 9;
const SEATS: usize = 4;

struct Opened {
    deal: Deal,
    deck: Verified<Deck>,
    batches: Vec<Verified<ShareBatch>>,
}

impl Opened {
    fn new(seed: u64) -> Self {
        let mut deal = Deal::new(N, SEATS, seed);
        let deck = deal.last().cut(5).unwrap();
        let positions: Vec<usize> = (0..N).collect();
        let batches = deal.give_all(&deck, &positions);
        Self { deal, deck, batches }
    }

    fn shares(&self, position: usize) -> Vec<Verified<Share>> {
        self.batches.iter().map(|batch| batch.share(position).unwrap()).collect()
    }

    fn open(&self, position: usize, shares: &[Verified<Share>]) -> Result<u16, OpenError> {
        open(&self.deal.keys, &self.deck, position, shares)
    }
}

static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(|| Mutex::new(Opened::new(1)));

#[test]
fn every_card_is_there_once() {
    let opened = OPENED.lock().unwrap();
    let mut cards: Vec<u16> =
        (0..N).map(|position| opened.open(position, &opened.shares(position)).unwrap()).collect();
    assert_ne!(cards, (0..N as u16).collect::<Vec<_>>());
    cards.sort_unstable();
    assert_eq!(cards, (0..N as u16).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn layers_come_off_in_any_order(
        position in 0..N,
        order in Just([0, 1, 2, 3]).prop_shuffle(),
        taken in 0..SEATS,
    ) {
        let opened = OPENED.lock().unwrap();
        let all = opened.shares(position);
        let card = opened.open(position, &all).unwrap();
        let shares: Vec<_> = order.iter().map(|&seat| all[seat]).collect();
        prop_assert_eq!(opened.open(position, &shares), Ok(card));
        // the owner looks before its own layer is off
        let keys = &opened.deal.keys;
        let owner = order[3];
        let secret = &opened.deal.secrets[owner];
        let seen = peel(keys, &opened.deck, position, &shares[..3], owner as u8, secret);
        prop_assert_eq!(seen, Ok(card));
        // with a layer on, it is no card
        let some = &shares[..taken];
        let stripped = strip(keys, &opened.deck, position, some).unwrap();
        prop_assert_eq!(recognise(keys, &stripped), Err(OpenError::NotACard));
        let least = order[taken..].iter().min().copied().unwrap() as u8;
        let error = OpenError::Missing { participant: least };
        prop_assert_eq!(opened.open(position, some), Err(error));
        prop_assert_eq!(error.guilty(), Some(least));
        let mut absent: Vec<u8> = order[taken..].iter().map(|&seat| seat as u8).collect();
        absent.sort_unstable();
        prop_assert_eq!(missing(keys, &opened.deck, position, some).unwrap(), absent);
    }
}

#[test]
fn wrong_shares_name_the_guilty() {
    let opened = OPENED.lock().unwrap();
    let shares = opened.shares(3);
    // the same share twice
    let mut twice = shares.clone();
    twice.push(shares[2]);
    let error = OpenError::Repeated { participant: 2 };
    assert_eq!(opened.open(3, &twice), Err(error));
    assert_eq!(error.guilty(), Some(2));
    // the share of another card
    let mut other = shares.clone();
    other[1] = opened.shares(4)[1];
    let error = OpenError::WrongCard { participant: 1 };
    assert_eq!(opened.open(3, &other), Err(error));
    assert_eq!(error.guilty(), Some(1));
    // the share of the same card in another deal
    let foreign = Opened::new(2);
    let mut other = shares.clone();
    other[0] = foreign.shares(3)[0];
    assert_eq!(opened.open(3, &other), Err(OpenError::WrongCard { participant: 0 }));
    // the very same ciphertext, but verified in another deal
    let mut origin = *shares[0].origin();
    origin.deal = *foreign.deal.keys.tag();
    other[0] = Verified::new(*shares[0], origin);
    assert_eq!(opened.open(3, &other), Err(OpenError::WrongCard { participant: 0 }));
    assert_eq!(
        open(&opened.deal.keys, &foreign.deck, 3, &shares),
        Err(OpenError::Deal(Error::ForeignDeck))
    );
    assert_eq!(opened.open(N, &shares), Err(OpenError::Deal(Error::Position { position: N })));
    // none of these counts as given
    let lacking = |share| missing(&opened.deal.keys, &opened.deck, 3, &[share]).unwrap();
    assert_eq!(lacking(shares[0]), [1, 2, 3]);
    assert_eq!(lacking(opened.shares(4)[0]), [0, 1, 2, 3]);
    assert_eq!(lacking(other[0]), [0, 1, 2, 3]);
    let absent = |keys, deck| missing(keys, deck, 3, &shares);
    assert_eq!(absent(&opened.deal.keys, &foreign.deck), Err(Error::ForeignDeck));
    assert_eq!(absent(&foreign.deal.keys, &opened.deck), Err(Error::ForeignDeck));
}

#[test]
fn a_false_claim_names_the_guilty() {
    let opened = OPENED.lock().unwrap();
    let shares = opened.shares(3);
    let card = opened.open(3, &shares).unwrap();
    let claim = |claimed| open_claimed(&opened.deal.keys, &opened.deck, 3, &shares, 2, claimed);
    assert_eq!(claim(card), Ok(()));
    let claimed = (card + 1) % N as u16;
    let error = claim(claimed).unwrap_err();
    assert_eq!(error, OpenError::Claim { participant: 2, claimed, opened: card });
    assert_eq!(error.guilty(), Some(2));
}

#[test]
fn only_the_owner_peels_and_keeps_its_share() {
    let opened = OPENED.lock().unwrap();
    let (keys, secrets) = (&opened.deal.keys, &opened.deal.secrets);
    let shares = opened.shares(3);
    let look = |shares: &[Verified<Share>], participant: u8, secret: usize| {
        peel(keys, &opened.deck, 3, shares, participant, &secrets[secret])
    };
    assert!(look(&shares[..3], 3, 3).is_ok());
    assert_eq!(
        look(&shares[..3], 3, 2),
        Err(OpenError::Deal(Error::WrongSecretKey { participant: 3 }))
    );
    assert_eq!(look(&shares[..2], 3, 3), Err(OpenError::Missing { participant: 2 }));
    assert_eq!(look(&shares, 3, 3), Err(OpenError::Repeated { participant: 3 }));
    assert_eq!(
        look(&shares[..3], 4, 3),
        Err(OpenError::Deal(Error::NoSuchParticipant { participant: 4 }))
    );
}
