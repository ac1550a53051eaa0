//! S2: changed shares, shares in the wrong place, provers who cheat.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::{Deal, ID, changes, join};
use crate::{
    Ciphertext, DealId, Deck, Error, Purpose, Reason, Recipient, ShareBatch, Verified,
    shares::{challenge, fold, prove, statement, verify},
    wire::Element,
};

const N: usize = 4;
const POSITIONS: [usize; 3] = [2, 0, 3];
const LOOK: Purpose = Purpose::look(1, 5);

fn check(
    deal: &Deal,
    participant: u8,
    purpose: Purpose,
    deck: &Verified<Deck>,
    positions: &[usize],
    batch: &ShareBatch,
) -> Result<(), Error> {
    verify(&deal.keys, participant, purpose, deck, positions, batch.clone()).map(|_| ())
}

const GUILTY: Result<(), Error> = Err(Error::ShareProof { participant: 0 });

#[test]
fn honest_shares_verify() {
    let mut deal = Deal::new(N, 2, 1);
    let deck = deal.last();
    let batch = deal.give(0, LOOK, &deck, &POSITIONS);
    let bytes = batch.to_bytes();
    assert_eq!(bytes.len(), ShareBatch::bytes(3));
    assert_eq!(bytes.len(), 32 * (3 + 3));
    let batch = ShareBatch::from_bytes(&bytes, 3).unwrap();
    assert_eq!((batch.len(), batch.is_empty()), (3, false));
    let none = ShareBatch { d: Vec::new(), ..batch.clone() };
    assert_eq!((none.len(), none.is_empty()), (0, true));
    let verified = verify(&deal.keys, 0, LOOK, &deck, &POSITIONS, batch).unwrap();
    assert_eq!(verified.participant(), 0);
    assert_eq!(verified.purpose(), LOOK);
    assert_eq!(verified.positions(), POSITIONS);
    for position in POSITIONS {
        let share = verified.share(position).unwrap();
        let expected = deal.secrets[0].scalar() * deck.card(position).unwrap().a.point();
        assert_eq!(*share.element().point(), expected);
        assert_eq!(share.participant(), 0);
    }
    assert!(verified.share(1).is_none());
}

#[test]
fn every_change_of_a_batch_is_refused() {
    let mut deal = Deal::new(N, 2, 2);
    let deck = deal.last();
    let batch = deal.give(0, LOOK, &deck, &POSITIONS);
    let changed = changes(&batch.to_bytes(), |word| word < 5);
    assert_eq!(changed.len(), 5 * 4 + 3 + 4);
    for (what, bytes) in changed {
        let batch = ShareBatch::from_bytes(&bytes, 3).unwrap();
        let result = check(&deal, 0, LOOK, &deck, &POSITIONS, &batch);
        assert_eq!(result, GUILTY, "{what}");
    }
    assert_eq!(GUILTY.unwrap_err().guilty(), Some(0));
}

#[test]
fn shares_are_bound_to_their_place() {
    let mut deal = Deal::new(N, 3, 3);
    let deck = deal.last();
    let batch = deal.give(0, LOOK, &deck, &POSITIONS);
    let check = |deal: &Deal, purpose, deck: &Verified<Deck>, positions: &[usize]| {
        check(deal, 0, purpose, deck, positions, &batch)
    };
    assert_eq!(check(&deal, LOOK, &deck, &POSITIONS), Ok(()));
    // another recipient, reason, step
    for purpose in [
        Purpose::look(2, 5),
        Purpose::look(1, 6),
        Purpose::open(5),
        Purpose { recipient: Recipient::Everyone, ..LOOK },
        Purpose { reason: Reason::Other(2), ..LOOK },
    ] {
        assert_eq!(check(&deal, purpose, &deck, &POSITIONS), GUILTY);
    }
    // what no shares are for: that is no fault of who gave them
    let mine = Purpose::look(0, 5);
    let wrong = [
        (Purpose { reason: Reason::Open, ..LOOK }, Error::Purpose { participant: 0 }),
        (mine, Error::Purpose { participant: 0 }),
        (Purpose { reason: Reason::Other(2), ..mine }, Error::Purpose { participant: 0 }),
        (Purpose::shuffle(5), Error::Purpose { participant: 0 }),
        (Purpose::show(5), Error::Purpose { participant: 0 }),
        (Purpose::escrow(5), Error::Purpose { participant: 0 }),
        (Purpose::open_escrow(1, 5), Error::Purpose { participant: 0 }),
        (Purpose::look(3, 5), Error::NoSuchParticipant { participant: 3 }),
    ];
    for (purpose, error) in wrong {
        assert_eq!(check(&deal, purpose, &deck, &POSITIONS), Err(error));
        let (secret, mut rng) = (&deal.secrets[0], super::rng(1));
        let given = prove(&deal.keys, 0, secret, purpose, &deck, &POSITIONS, &mut rng);
        assert_eq!((given, error.guilty()), (Err(error), None));
    }
    // other cards, another order, the same places of a cut deck, the same cards in other places
    assert_eq!(check(&deal, LOOK, &deck, &[2, 0, 1]), GUILTY);
    assert_eq!(check(&deal, LOOK, &deck, &[0, 2, 3]), GUILTY);
    let cut = deck.cut(1).unwrap();
    assert_eq!(check(&deal, LOOK, &cut, &POSITIONS), GUILTY);
    assert_eq!(check(&deal, LOOK, &cut, &[1, 3, 2]), GUILTY);
    // every component of a card is hashed, also the one that is not used
    let mut cards = deck.cards().to_vec();
    cards[0].b = cards[1].b;
    let other = Verified::new(Deck::new(cards), deck.origin().clone());
    assert_eq!(check(&deal, LOOK, &other, &POSITIONS), GUILTY);
    // another seat
    let other = super::shares::check(&deal, 2, LOOK, &deck, &POSITIONS, &batch);
    assert_eq!(other, Err(Error::ShareProof { participant: 2 }));
    // another attempt with the very same keys, and the same keys in other seats
    let secrets = deal.secrets.clone();
    let order = [secrets[0].clone(), secrets[2].clone(), secrets[1].clone()];
    for keys in [join(DealId([1; 32]), N, &secrets), join(ID, N, &order)] {
        let mut origin = deck.origin().clone();
        assert_eq!(
            verify(&keys, 0, LOOK, &deck, &POSITIONS, batch.clone()),
            Err(Error::ForeignDeck)
        );
        origin.deal = *keys.tag();
        let deck = Verified::new((*deck).clone(), origin);
        assert_eq!(verify(&keys, 0, LOOK, &deck, &POSITIONS, batch.clone()).map(|_| ()), GUILTY);
    }
}

#[test]
fn nobody_gives_shares_too_early_or_of_nothing() {
    let mut deal = Deal::new(N, 2, 4);
    let first = deal.first();
    let (deck, proof) = deal.shuffle(1, &first);
    let keys = deal.keys.clone();
    let half = crate::shuffle::verify(&keys, 1, 0, &first, deck, &proof, &mut deal.rng).unwrap();
    let deck = deal.last();
    let secret = deal.secrets[0].clone();
    let mut give = |deck: &Verified<Deck>, positions: &[usize]| {
        let result = prove(&keys, 0, &secret, LOOK, deck, positions, &mut deal.rng);
        result.map(|_| ()).unwrap_err()
    };
    assert_eq!(give(&half, &[0]), Error::NotShuffled { participant: 0 });
    assert_eq!(give(&first, &[0]), Error::NotShuffled { participant: 0 });
    assert_eq!(give(&deck, &[]), Error::NoPositions);
    assert_eq!(give(&deck, &[N]), Error::Position { position: N });
    assert_eq!(give(&deck, &[1, 2, 1]), Error::RepeatedPosition { position: 1 });
    let foreign = Deal::new(N, 2, 5).last();
    assert_eq!(give(&foreign, &[0]), Error::ForeignDeck);
    assert_eq!(
        prove(&keys, 1, &secret, LOOK, &deck, &[0], &mut deal.rng).map(|_| ()),
        Err(Error::WrongSecretKey { participant: 1 })
    );
    assert_eq!(
        prove(&keys, 2, &secret, LOOK, &deck, &[0], &mut deal.rng).map(|_| ()),
        Err(Error::NoSuchParticipant { participant: 2 })
    );
    // a verifier is as strict
    let batch = deal.give(0, LOOK, &deck, &[0]);
    let take = |deck: &Verified<Deck>, positions: &[usize]| {
        check(&deal, 0, LOOK, deck, positions, &batch).unwrap_err()
    };
    assert_eq!(take(&half, &[0]), Error::NotShuffled { participant: 0 });
    assert_eq!(take(&deck, &[]), Error::NoPositions);
    assert_eq!(take(&deck, &[N]), Error::Position { position: N });
    assert_eq!(take(&deck, &[0, 0]), Error::RepeatedPosition { position: 0 });
    let size = Error::Size { expected: 2, found: 1 };
    assert_eq!(take(&deck, &[0, 1]), size);
    assert_eq!(
        verify(&deal.keys, 2, LOOK, &deck, &[0], batch.clone()).map(|_| ()),
        Err(Error::NoSuchParticipant { participant: 2 })
    );
}

/// A prover who takes one secret for the shares, another for the answer.
fn cheat(deal: &mut Deal, deck: &Verified<Deck>, d: &[Scalar; 3], x: &Scalar) -> ShareBatch {
    let cards = POSITIONS.map(|position| *deck.card(position).unwrap());
    let d: Vec<Element> =
        d.iter().zip(&cards).map(|(x, card)| Element::new(x * card.a.point())).collect();
    let (mut transcript, weights) =
        statement(&deal.keys, 0, &LOOK, &POSITIONS, &cards, &d).unwrap();
    let k = Scalar::random(&mut deal.rng);
    let t_0 = Element::new(RistrettoPoint::mul_base(&k));
    let t_1 = Element::new(k * fold(&weights, cards.iter().map(|card| &card.a)));
    let c = challenge(&mut transcript, &t_0, &t_1);
    let s = k + c * x;
    ShareBatch { d, t_0, t_1, s }
}

#[test]
fn both_checks_are_needed() {
    let mut deal = Deal::new(N, 2, 6);
    let deck = deal.last();
    let x = *deal.secrets[0].scalar();
    let other = x + Scalar::ONE;
    let honest = cheat(&mut deal, &deck, &[x; 3], &x);
    assert_eq!(check(&deal, 0, LOOK, &deck, &POSITIONS, &honest), Ok(()));
    for (d, x) in [
        // all is right but the key: only the first check sees it
        ([other; 3], &other),
        // one share is of another key: only the second check sees it
        ([x, other, x], &x),
        ([other; 3], &x),
        ([x; 3], &other),
        ([Scalar::ZERO; 3], &x),
    ] {
        let batch = cheat(&mut deal, &deck, &d, x);
        assert_eq!(check(&deal, 0, LOOK, &deck, &POSITIONS, &batch), GUILTY);
    }
}

#[test]
fn errors_that_cancel_out_are_found() {
    let mut deal = Deal::new(N, 2, 7);
    let deck = deal.last();
    let x = *deal.secrets[0].scalar();
    let mut batch = cheat(&mut deal, &deck, &[x; 3], &x);
    let g = RistrettoPoint::mul_base(&Scalar::ONE);
    batch.d[0] = Element::new(batch.d[0].point() + g);
    batch.d[1] = Element::new(batch.d[1].point() - g);
    assert_eq!(check(&deal, 0, LOOK, &deck, &POSITIONS, &batch), GUILTY);
}

#[test]
fn every_item_is_hashed_before_its_challenge() {
    let mut deal = Deal::new(N, 2, 8);
    let deck = deal.last();
    let batch = deal.give(0, LOOK, &deck, &POSITIONS);
    let cards = POSITIONS.map(|position| *deck.card(position).unwrap());
    let zero = Element::identity();
    let run = |seat, positions: &[usize], cards: &[Ciphertext], d: &[Element], t: [&Element; 2]| {
        let (mut transcript, weights) =
            statement(&deal.keys, seat, &LOOK, positions, cards, d).unwrap();
        (weights, challenge(&mut transcript, t[0], t[1]))
    };
    let t = [&batch.t_0, &batch.t_1];
    let honest = run(0, &POSITIONS, &cards, &batch.d, t);
    assert_eq!(honest.0.len(), 3);
    assert!(honest.0[0] != honest.0[1] && honest.0[1] != honest.0[2]);
    for t in [[&zero, &batch.t_1], [&batch.t_0, &zero]] {
        let other = run(0, &POSITIONS, &cards, &batch.d, t);
        assert!(other.0 == honest.0 && other.1 != honest.1);
    }
    for index in 0..3 {
        let (mut a, mut b, mut d, mut p) = (cards, cards, batch.d.clone(), POSITIONS);
        a[index].a = zero;
        b[index].b = zero;
        d[index] = zero;
        p[index] = 1;
        for other in [
            run(0, &POSITIONS, &a, &batch.d, t),
            run(0, &POSITIONS, &b, &batch.d, t),
            run(0, &POSITIONS, &cards, &d, t),
            run(0, &p, &cards, &batch.d, t),
            run(1, &POSITIONS, &cards, &batch.d, t),
        ] {
            assert!(other.0.iter().zip(&honest.0).all(|(o, h)| o != h));
            assert_ne!(other.1, honest.1);
        }
    }
}
