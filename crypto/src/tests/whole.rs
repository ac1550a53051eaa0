//! A whole deal at once: honest, and with each single message corrupted.

use curve25519_dalek::scalar::Scalar;

use super::{Deal, ID, rng};
use crate::{
    Deck, Error, Params, PublicKey, Purpose,
    escrow::{self, Escrowed, Holding},
    keys, shares,
    shuffle::{self, Step},
    whole::{Given, Messages, at_once, verify},
    wire::Element,
};

const N: usize = 8;
const SEATS: u8 = 4;
const CUT: usize = 3;

/// Two cards to each seat; the owner 3 looks, 1's first card is opened to all.
fn messages(seed: u64) -> Messages {
    let mut deal = Deal::new(N, usize::from(SEATS), seed);
    let own = (0..SEATS)
        .map(|seat| keys::prove(&ID, seat, &deal.secrets[usize::from(seat)], &mut rng(1)))
        .collect();
    let mut deck = deal.first();
    let mut shuffles = Vec::new();
    for (step, participant) in [(0, 2), (1, 0), (2, 3), (3, 1)] {
        let (keys, rng) = (&deal.keys, &mut deal.rng);
        let secret = &deal.secrets[usize::from(participant)];
        let (next, proof) = shuffle::shuffle(keys, participant, secret, step, &deck, rng).unwrap();
        shuffles.push(Step { participant, step, deck: next.clone(), proof: proof.clone() });
        deck = shuffle::verify(keys, participant, step, &deck, next, &proof, rng).unwrap();
    }
    let deck = deck.cut(CUT).unwrap();
    let hand = |seat: u8| vec![2 * usize::from(seat), 2 * usize::from(seat) + 1];
    let mut given = Vec::new();
    for participant in 0..SEATS {
        if participant != 3 {
            let (purpose, positions) = (Purpose::look(3, 0), hand(3));
            let batch = deal.give(participant, purpose, &deck, &positions);
            given.push(Given { participant, purpose, positions, batch });
        }
        let (purpose, positions) = (Purpose::open(1), vec![2]);
        let batch = deal.give(participant, purpose, &deck, &positions);
        given.push(Given { participant, purpose, positions, batch });
    }
    let escrows = (0..SEATS)
        .map(|participant| {
            let others = (0..SEATS).filter(|&holder| holder != participant);
            let holdings: Vec<_> =
                others.map(|holder| Holding { holder, positions: hand(holder) }).collect();
            let secret = &deal.secrets[usize::from(participant)];
            let (keys, rng) = (&deal.keys, &mut deal.rng);
            let message =
                escrow::prove(keys, participant, secret, &deck, &holdings, &[], 0, rng).unwrap();
            Escrowed { participant, holdings, lost: Vec::new(), step: 0, message }
        })
        .collect();
    Messages {
        deal: ID,
        params: Params::new(N).unwrap(),
        keys: own,
        shuffles,
        cut: Some(CUT),
        shares: given,
        escrows,
    }
}

#[test]
fn a_whole_deal_is_worth_what_its_parts_are() {
    let messages = messages(1);
    let mut rng = rng(2);
    // the sum alone is enough: nothing has to be checked again
    let whole = at_once(&messages, &mut rng).unwrap();
    let verified = (0..)
        .zip(&messages.keys)
        .map(|(seat, message)| keys::verify(&ID, seat, message).unwrap())
        .collect();
    let keys = crate::DealKeys::new(ID, messages.params, verified).unwrap();
    assert_eq!(whole.keys.tag(), keys.tag());
    let first = Deck::first(&keys);
    let decks = shuffle::verify_all(&keys, &first, messages.shuffles, &mut rng).unwrap();
    let deck = decks.last().unwrap().cut(CUT).unwrap();
    assert_eq!(whole.deck, deck);
    assert_eq!(whole.deck.shuffled_by(), [2, 0, 3, 1]);
    let batches: Vec<_> = messages
        .shares
        .into_iter()
        .map(|Given { participant, purpose, positions, batch }| {
            shares::verify(&keys, participant, purpose, &deck, &positions, batch).unwrap()
        })
        .collect();
    assert_eq!(whole.shares, batches);
    let escrows = escrow::verify_all(&keys, &deck, messages.escrows, &mut rng).unwrap();
    assert_eq!(whole.escrows, escrows);
}

#[test]
fn a_deal_that_has_only_begun_verifies_too() {
    let mut messages = messages(2);
    messages.cut = None;
    messages.shares.clear();
    messages.escrows.clear();
    let whole = verify(messages.clone(), &mut rng(1)).unwrap();
    assert_eq!(*whole.deck, messages.shuffles[3].deck);
    messages.shuffles.clear();
    let whole = verify(messages, &mut rng(1)).unwrap();
    assert_eq!(whole.deck, Deck::first(&whole.keys));
}

/// One thing changed in otherwise honest messages.
type Change<'a> = &'a dyn Fn(&mut Messages);

fn refused(messages: &Messages, change: Change<'_>) -> Error {
    let mut messages = messages.clone();
    change(&mut messages);
    assert!(at_once(&messages, &mut rng(4)).is_none());
    verify(messages, &mut rng(3)).map(|_| ()).unwrap_err()
}

#[test]
fn each_corrupted_message_names_the_guilty() {
    let honest = messages(3);
    let one = Scalar::ONE;
    for participant in 0..SEATS {
        let at = usize::from(participant);
        let guilty = |change: Change<'_>| {
            let error = refused(&honest, change);
            assert_eq!(error.guilty(), Some(participant), "{error}");
            error
        };
        // a changed key changes the context of all that follows; still its owner is named
        let error = guilty(&|m| m.keys[at].s += one);
        assert_eq!(error, Error::KeyProof { participant });
        guilty(&|m| m.keys[at].t = m.keys[at].key.0);
        guilty(&|m| m.keys[at].key = PublicKey(Element::identity()));
        guilty(&|m| m.keys[at] = m.keys[(at + 1) % 4]);
        guilty(&|m| m.keys[at] = super::keys::forged(&ID, participant, m.keys[at].key));
        let shuffled = honest.shuffles.iter().position(|s| s.participant == participant).unwrap();
        let error = guilty(&|m| m.shuffles[shuffled].proof.tau += one);
        assert_eq!(error, Error::ShuffleProof { participant });
        guilty(&|m| m.shuffles[shuffled].step += 9);
        guilty(&|m| m.shuffles[shuffled].deck = m.shuffles[(shuffled + 1) % 4].deck.clone());
        let position = 5;
        let error = guilty(&|m| {
            let mut cards = m.shuffles[shuffled].deck.cards().to_vec();
            cards[position].a = Element::identity();
            m.shuffles[shuffled].deck = Deck::new(cards);
        });
        assert_eq!(error, Error::Unmasked { participant, position });
        for (index, given) in honest.shares.iter().enumerate() {
            if given.participant == participant {
                let error = guilty(&|m| m.shares[index].batch.s += one);
                assert_eq!(error, Error::ShareProof { participant });
                guilty(&|m| m.shares[index].batch.t_0 = m.shares[index].batch.t_1);
                guilty(&|m| m.shares[index].batch.d[0] = m.shares[index].batch.t_1);
                guilty(&|m| m.shares[index].purpose.step += 1);
            }
        }
        let error = guilty(&|m| m.escrows[at].message.proof.s += one);
        assert_eq!(error, Error::EscrowProof { participant });
        guilty(&|m| m.escrows[at].message.v.swap(0, 1));
        guilty(&|m| m.escrows[at].message.v[2].a = Element::identity());
        guilty(&|m| m.escrows[at].step = 1);
        guilty(&|m| m.escrows[at].holdings[0].positions.swap(0, 1));
    }
}

#[test]
fn errors_of_different_messages_do_not_cancel_out() {
    let honest = messages(4);
    let one = Scalar::ONE;
    // each pair would cancel out without weights
    let error = refused(&honest, &|m| {
        m.keys[1].s += one;
        m.escrows[0].message.proof.s -= one;
    });
    assert_eq!(error, Error::KeyProof { participant: 1 });
    let error = refused(&honest, &|m| {
        m.shares[3].batch.s += one;
        m.escrows[2].message.proof.s_g[1] -= one;
    });
    assert_eq!(error.guilty(), Some(honest.shares[3].participant));
    let error = refused(&honest, &|m| {
        m.shuffles[2].proof.r += one;
        m.shares[0].batch.s += one;
    });
    assert_eq!(error, Error::ShuffleProof { participant: 3 });
}

/// The proof holds, but no shares can be for this purpose: to look at one's own cards, or what another proof is for.
#[test]
fn shares_for_what_no_shares_are_for_are_refused() {
    let seed = 6;
    let honest = messages(seed);
    let secrets = Deal::new(N, usize::from(SEATS), seed).secrets;
    let whole = verify(honest.clone(), &mut rng(1)).unwrap();
    let (keys, deck) = (&whole.keys, &whole.deck);
    let Given { participant, positions, .. } = honest.shares[0].clone();
    let secret = &secrets[usize::from(participant)];
    let cards = crate::shares::select(keys, deck, &positions).unwrap();
    for purpose in [Purpose::look(participant, 0), Purpose::show(0), Purpose::escrow(0)] {
        let batch = crate::shares::prove_on(
            keys,
            participant,
            secret,
            &purpose,
            &positions,
            &cards,
            &mut rng(2),
        );
        let given =
            Given { participant, purpose, positions: positions.clone(), batch: batch.unwrap() };
        let error = refused(&honest, &|m| m.shares[0] = given.clone());
        assert_eq!(error, Error::Purpose { participant });
    }
}

#[test]
fn a_deal_that_does_not_fit_together_is_refused() {
    let honest = messages(5);
    let participants = Error::Participants { participants: 1 };
    assert_eq!(refused(&honest, &|m| m.keys.truncate(1)), participants);
    let key = honest.keys[0];
    let many = refused(&honest, &|m| {
        m.keys = (0..=255).map(|seat| keys::generate(&ID, seat, &mut rng(seat.into())).1).collect();
        m.keys.push(key);
    });
    assert_eq!(many, Error::Participants { participants: 257 });
    let cut = Error::Cut { at: N, cards: N };
    assert_eq!(refused(&honest, &|m| m.cut = Some(N)), cut);
    assert!(refused(&honest, &|m| m.cut = Some(CUT + 1)).guilty().is_some());
    assert!(refused(&honest, &|m| m.cut = None).guilty().is_some());
    let size = Error::Size { expected: N + 1, found: N };
    assert_eq!(refused(&honest, &|m| m.params = Params::new(N + 1).unwrap()), size);
    let seat = Error::NoSuchParticipant { participant: SEATS };
    assert_eq!(refused(&honest, &|m| m.shares[0].participant = SEATS), seat);
    assert_eq!(refused(&honest, &|m| m.escrows[0].participant = SEATS), seat);
    let early = refused(&honest, &|m| {
        m.shuffles.pop();
    });
    assert_eq!(early, Error::NotShuffled { participant: 1 });
    let size = Error::Size { expected: 1, found: 2 };
    assert_eq!(refused(&honest, &|m| m.shares[0].positions.truncate(1)), size);
    let size = Error::Size { expected: 5, found: 6 };
    let fewer = |m: &mut Messages| m.escrows[0].holdings[0].positions.truncate(1);
    assert_eq!(refused(&honest, &fewer), size);
}
