//! S6: changed and misplaced escrows, escrows of something else, opening with some or all trustees.

use core::slice::from_ref;

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use proptest::prelude::*;

use super::{Deal, ID, changes, join, rng};
use crate::{
    Ciphertext, DealId, DealKeys, Deck, Error, EscrowMessage, OpenError, Params, Purpose, Reason,
    Recipient, SecretKey, ShareBatch, Verified,
    context::{Nonces, ProofTranscript},
    escrow::{Escrowed, Holding, Terms, give, open, prove, take, verify, verify_all},
    keys as s0, linear,
    msm::Sum,
    opening,
    shares::{self, Share},
    shuffle::Step,
    whole,
    wire::Element,
};

const N: usize = 6;
const STEP: u32 = 3;
const GUILTY: Error = Error::EscrowProof { participant: 0 };

fn holding(holder: u8, positions: &[usize]) -> Holding {
    Holding { holder, positions: positions.to_vec() }
}

/// What participant 0 escrows: two cards of 1, one of 2.
fn holdings() -> Vec<Holding> {
    vec![holding(1, &[2, 0]), holding(2, &[5])]
}

fn escrow(
    deal: &mut Deal,
    participant: u8,
    deck: &Verified<Deck>,
    holdings: &[Holding],
    lost: &[u8],
) -> Result<EscrowMessage, Error> {
    let secret = deal.secrets[usize::from(participant)].clone();
    prove(&deal.keys, participant, &secret, deck, holdings, lost, STEP, &mut deal.rng)
}

/// Verifies what participant 0 escrowed.
fn check(
    deal: &Deal,
    deck: &Verified<Deck>,
    holdings: &[Holding],
    lost: &[u8],
    message: &EscrowMessage,
) -> Result<Verified<EscrowMessage>, Error> {
    verify(&deal.keys, 0, deck, holdings, lost, STEP, message.clone(), &mut rng(1))
}

/// The shares of everybody in this list, for one card in escrow.
fn give_all(
    deal: &mut Deal,
    escrow: &Verified<EscrowMessage>,
    position: usize,
    trustees: &[u8],
) -> Vec<Verified<Share>> {
    trustees
        .iter()
        .map(|&trustee| {
            let secret = deal.secrets[usize::from(trustee)].clone();
            let batch =
                give(&deal.keys, trustee, &secret, escrow, &[position], &mut deal.rng).unwrap();
            let batch = ShareBatch::from_bytes(&batch.to_bytes(), 1).unwrap();
            let batch = take(&deal.keys, trustee, escrow, &[position], batch).unwrap();
            batch.share(position).unwrap()
        })
        .collect()
}

#[test]
fn an_honest_escrow_verifies_and_hides_the_share() {
    let mut deal = Deal::new(N, 4, 1);
    let deck = deal.last();
    let message = escrow(&mut deal, 0, &deck, &holdings(), &[]).unwrap();
    let bytes = message.to_bytes();
    assert_eq!(bytes.len(), EscrowMessage::bytes(3, 2));
    assert_eq!(bytes.len(), 32 * (2 * 3 + 2 * 2 + 3));
    assert_eq!((message.len(), message.is_empty()), (3, false));
    let none = EscrowMessage { v: Vec::new(), ..message.clone() };
    assert_eq!((none.len(), none.is_empty()), (0, true));
    let decoded = EscrowMessage::from_bytes(&bytes, 3, 2).unwrap();
    assert_eq!(decoded, message);
    let verified = check(&deal, &deck, &holdings(), &[], &decoded).unwrap();
    assert_eq!((verified.participant(), verified.step(), verified.lost()), (0, STEP, &[][..]));
    assert_eq!(verified.trustees(&deal.keys, 0), Ok(vec![2, 3]));
    assert_eq!(verified.trustees(&deal.keys, 5), Ok(vec![1, 3]));
    assert_eq!(verified.trustees(&deal.keys, 1), Err(Error::Position { position: 1 }));
    // V is the share under the trustees' keys
    let x = |seat: usize| deal.secrets[seat].scalar();
    let v = verified.v[1];
    let share = v.b.point() - (x(2) + x(3)) * v.a.point();
    assert_eq!(share, x(0) * deck.card(0).unwrap().a.point());
}

#[test]
fn every_change_of_an_escrow_is_refused() {
    let mut deal = Deal::new(N, 4, 2);
    let deck = deal.last();
    let message = escrow(&mut deal, 0, &deck, &holdings(), &[]).unwrap();
    let is_point = |word| word < 2 * 3 + 4;
    let changed = changes(&message.to_bytes(), is_point);
    assert_eq!(changed.len(), 10 * 4 + 9 + 3 * 3 + 2);
    let mut refused = 0;
    for (what, bytes) in changed {
        match EscrowMessage::from_bytes(&bytes, 3, 2) {
            Ok(message) => {
                let result = check(&deal, &deck, &holdings(), &[], &message);
                assert_eq!(result, Err(GUILTY), "{what}");
                refused += 1;
            }
            Err(_) => assert!(what.contains("identity"), "{what}"),
        }
    }
    assert_eq!(refused, 10 * 4 + 9 + 3 * 3 + 2 - 3);
    assert_eq!(GUILTY.guilty(), Some(0));
    // whole ciphertexts exchanged, also between holders
    for (one, other) in [(0, 1), (1, 2)] {
        let mut message = message.clone();
        message.v.swap(one, other);
        assert_eq!(check(&deal, &deck, &holdings(), &[], &message), Err(GUILTY));
    }
    // r = 0 not decoded, but made
    let mut message = message;
    message.v[1].a = Element::identity();
    assert_eq!(check(&deal, &deck, &holdings(), &[], &message), Err(GUILTY));
}

#[test]
fn an_escrow_is_bound_to_its_place() {
    let mut deal = Deal::new(N, 5, 3);
    let deck = deal.last();
    let message = escrow(&mut deal, 0, &deck, &holdings(), &[3]).unwrap();
    let check = |deck: &Verified<Deck>, holdings: &[Holding], lost: &[u8]| {
        check(&deal, deck, holdings, lost, &message).map(|_| ())
    };
    assert_eq!(check(&deck, &holdings(), &[3]), Ok(()));
    assert_eq!(check(&deck, &holdings(), &[3, 3]), Ok(()));
    // other holders, cards, orders, and who is lost
    for holdings in [
        [holding(1, &[0, 2]), holding(2, &[5])],
        [holding(2, &[2, 0]), holding(1, &[5])],
        [holding(1, &[2]), holding(2, &[0, 5])],
        [holding(1, &[2, 0]), holding(4, &[5])],
        [holding(1, &[2, 0]), holding(2, &[4])],
    ] {
        assert_eq!(check(&deck, &holdings, &[3]), Err(GUILTY));
    }
    assert_eq!(check(&deck, &holdings(), &[]), Err(GUILTY));
    assert_eq!(check(&deck, &holdings(), &[4]), Err(GUILTY));
    assert_eq!(check(&deck, &holdings(), &[3, 4]), Err(GUILTY));
    assert_eq!(check(&deck.cut(1).unwrap(), &holdings(), &[3]), Err(GUILTY));
    // another step, another seat
    let (keys, mut rng) = (&deal.keys, rng(1));
    let step = verify(keys, 0, &deck, &holdings(), &[3], 4, message.clone(), &mut rng);
    assert_eq!(step, Err(GUILTY));
    let seat = verify(keys, 4, &deck, &holdings(), &[3], STEP, message.clone(), &mut rng);
    assert_eq!(seat, Err(Error::EscrowProof { participant: 4 }));
    // another attempt with the very same keys
    let keys = join(DealId([1; 32]), N, &deal.secrets);
    let mut origin = deck.origin().clone();
    let result = verify(&keys, 0, &deck, &holdings(), &[3], STEP, message.clone(), &mut rng);
    assert_eq!(result, Err(Error::ForeignDeck));
    origin.deal = *keys.tag();
    let again = Verified::new((*deck).clone(), origin);
    let result = verify(&keys, 0, &again, &holdings(), &[3], STEP, message, &mut rng);
    assert_eq!(result, Err(GUILTY));
}

#[test]
fn wrong_terms_are_refused_by_prover_and_verifier() {
    let mut deal = Deal::new(N, 4, 4);
    let deck = deal.last();
    let message = escrow(&mut deal, 0, &deck, &holdings(), &[]).unwrap();
    let first = deal.first();
    let mut refused = |deck: &Verified<Deck>, holdings: &[Holding], lost: &[u8], error| {
        assert_eq!(escrow(&mut deal, 0, deck, holdings, lost).map(|_| ()), Err(error));
        assert_eq!(check(&deal, deck, holdings, lost, &message).map(|_| ()), Err(error));
        assert_eq!(error.guilty(), None);
    };
    let (one, two) = (holding(1, &[2, 0]), holding(2, &[5]));
    refused(&deck, &[one.clone(), holding(0, &[5])], &[], Error::Holder { holder: 0 });
    refused(&deck, &[one.clone(), holding(1, &[5])], &[], Error::Holder { holder: 1 });
    refused(&deck, &[one.clone(), two.clone()], &[2], Error::Holder { holder: 2 });
    refused(&deck, &[holding(4, &[5])], &[], Error::NoSuchParticipant { participant: 4 });
    refused(&deck, from_ref(&one), &[4], Error::NoSuchParticipant { participant: 4 });
    refused(&deck, from_ref(&one), &[3, 0], Error::Lost { participant: 0 });
    refused(&deck, from_ref(&one), &[3, 2], Error::NoTrustee { holder: 1 });
    refused(&deck, &[], &[], Error::NoPositions);
    refused(&deck, &[one.clone(), holding(2, &[])], &[], Error::NoPositions);
    refused(&deck, &[holding(1, &[N])], &[], Error::Position { position: N });
    let twice = Error::RepeatedPosition { position: 0 };
    refused(&deck, &[one.clone(), holding(2, &[0])], &[], twice);
    refused(&first, from_ref(&one), &[], Error::NotShuffled { participant: 0 });
    let foreign = Deal::new(N, 4, 5).last();
    refused(&foreign, from_ref(&one), &[], Error::ForeignDeck);
    // a message of another size
    let result = check(&deal, &deck, from_ref(&one), &[], &message);
    assert_eq!(result, Err(Error::Size { expected: 2, found: 3 }));
    let holders = [one.clone(), holding(2, &[5]), holding(3, &[1])];
    let short = EscrowMessage { v: [&message.v[..], &message.v[..1]].concat(), ..message.clone() };
    let result = check(&deal, &deck, &holders, &[], &short);
    assert_eq!(result, Err(Error::Size { expected: 3, found: 2 }));
    let mut short = message.clone();
    short.proof.s_g.pop();
    let result = check(&deal, &deck, &[one, two], &[], &short);
    assert_eq!(result, Err(Error::Size { expected: 2, found: 1 }));
    // who has not the key, or is not there
    let other = deal.secrets[1].clone();
    let result = prove(&deal.keys, 0, &other, &deck, &holdings(), &[], STEP, &mut deal.rng);
    assert_eq!(result, Err(Error::WrongSecretKey { participant: 0 }));
    let result = verify(&deal.keys, 4, &deck, &holdings(), &[], STEP, message, &mut deal.rng);
    assert_eq!(result, Err(Error::NoSuchParticipant { participant: 4 }));
}

#[test]
fn two_participants_and_keys_that_cancel_out_are_refused() {
    let mut deal = Deal::new(N, 2, 6);
    let deck = deal.last();
    let result = escrow(&mut deal, 0, &deck, &[holding(1, &[0])], &[]);
    assert_eq!(result, Err(Error::NoTrustee { holder: 1 }));
    // two trustees in league, X_2 + X_3 = 0, do not even become a deal
    let x = Scalar::from(77_u8);
    let mut secrets = deal.secrets.clone();
    secrets.extend([x, -x].map(|x| SecretKey::from_bytes(x.as_bytes()).unwrap()));
    let keys = (0..)
        .zip(&secrets)
        .map(|(seat, secret)| {
            let message = s0::prove(&ID, seat, secret, &mut deal.rng);
            s0::verify(&ID, seat, &message).unwrap()
        })
        .collect();
    let error = DealKeys::new(ID, Params::new(N).unwrap(), keys).unwrap_err();
    assert_eq!(error.colluders().iter().collect::<Vec<_>>(), [2, 3]);
}

/// Makes an escrow where `x` and the masks of `V_2` may differ from what is right, and which of its checks
/// it passes: of the key, of everything together, of the two groups.
fn forged(
    deal: &mut Deal,
    deck: &Verified<Deck>,
    secret: &SecretKey,
    forge: impl Fn(&mut [Ciphertext]),
) -> ([bool; 4], EscrowMessage) {
    forged_with(deal, deck, secret, [5, 6, 7], forge)
}

/// [`forged`] with these `r_i`.
fn forged_with(
    deal: &mut Deal,
    deck: &Verified<Deck>,
    secret: &SecretKey,
    r: [u8; 3],
    forge: impl Fn(&mut [Ciphertext]),
) -> ([bool; 4], EscrowMessage) {
    let holdings = holdings();
    let terms = Terms::new(&deal.keys, 0, deck, &holdings, &[], STEP).unwrap();
    let r = r.map(Scalar::from);
    let z = [[2, 3], [2, 3], [1, 3]].map(|trustees| {
        trustees.iter().map(|&m| deal.keys.key(m).unwrap().element().point()).sum()
    });
    let mut v: Vec<Ciphertext> = [2, 0, 5]
        .into_iter()
        .zip(r.iter().zip(z))
        .map(|(position, (r, z)): (_, (_, RistrettoPoint))| Ciphertext {
            a: Element::new(RistrettoPoint::mul_base(r)),
            b: Element::new(secret.scalar() * deck.card(position).unwrap().a.point() + r * z),
        })
        .collect();
    forge(&mut v);
    let mut statement = terms.statement(&v).unwrap();
    let mut nonces = Nonces::new(&statement, [], &mut deal.rng);
    let groups = terms.groups(&v);
    let proof = linear::prove(&mut statement, secret, &groups, &r, &mut nonces);
    let key = deal.keys.key(0).unwrap().element();
    let passed = core::array::from_fn(|check| {
        let weight = |of| if check == of { Scalar::ONE } else { Scalar::ZERO };
        let groups_of = (2..4).map(weight).collect();
        let fold = linear::Fold { key: weight(0), all: weight(1), groups: groups_of };
        let mut sum = Sum::default();
        let mut statement = terms.statement(&v).unwrap();
        linear::weighted(&mut statement, key, &groups, &proof, &mut sum, &fold);
        sum.vanishes()
    });
    (passed, EscrowMessage { v, proof })
}

/// All equations hold, but the share lies open.
#[test]
fn a_share_without_a_mask_is_refused_alone_and_among_others() {
    let mut deal = Deal::new(N, 4, 7);
    let (mut deck, mut shuffles) = (deal.first(), Vec::new());
    for participant in 0..4 {
        let (next, proof) = deal.shuffle(participant, &deck);
        shuffles.push(Step { participant, step: 0, deck: next.clone(), proof });
        deck = Verified::new(next, deck.origin().then(participant));
    }
    let secret = deal.secrets[0].clone();
    let (passed, message) = forged_with(&mut deal, &deck, &secret, [0, 6, 7], |_| ());
    assert_eq!(passed, [true; 4]);
    let guilty = Error::EscrowProof { participant: 0 };
    assert_eq!(check(&deal, &deck, &holdings(), &[], &message), Err(guilty));
    let escrowed =
        Escrowed { participant: 0, holdings: holdings(), lost: Vec::new(), step: STEP, message };
    let escrows = vec![escrowed];
    assert_eq!(verify_all(&deal.keys, &deck, escrows.clone(), &mut rng(1)), Err(guilty));
    let keys = (0..).zip(&deal.secrets).map(|(seat, x)| s0::prove(&ID, seat, x, &mut rng(1)));
    let all = whole::Messages {
        deal: ID,
        params: Params::new(N).unwrap(),
        keys: keys.collect(),
        shuffles,
        cut: None,
        shares: Vec::new(),
        escrows,
    };
    assert!(whole::at_once(&all, &mut rng(2)).is_none());
    assert_eq!(whole::verify(all, &mut rng(2)).map(|_| ()), Err(guilty));
}

#[test]
fn an_escrow_of_something_else_is_refused_and_every_check_is_needed() {
    let mut deal = Deal::new(N, 4, 7);
    let deck = deal.last();
    let secret = deal.secrets[0].clone();
    let g = RistrettoPoint::mul_base(&Scalar::ONE);
    let shifted = |element: &mut Element, by| *element = Element::new(element.point() + by);
    let (passed, message) = forged(&mut deal, &deck, &secret, |_| ());
    assert_eq!(passed, [true; 4]);
    assert!(check(&deal, &deck, &holdings(), &[], &message).is_ok());
    // shares of another key
    let other = SecretKey::generate(&mut deal.rng);
    let mut cases = vec![(forged(&mut deal, &deck, &other, |_| ()), [false, true, true, true])];
    // no share at all
    let case = forged(&mut deal, &deck, &secret, |v| shifted(&mut v[0].b, g));
    cases.push((case, [true, false, true, true]));
    // errors that cancel out, in one group and across them
    for other in [1, 2] {
        let case = forged(&mut deal, &deck, &secret, |v| {
            shifted(&mut v[0].b, g);
            shifted(&mut v[other].b, -g);
        });
        cases.push((case, [true, false, true, true]));
    }
    // masks that the trustees could not take off
    let case = forged(&mut deal, &deck, &secret, |v| shifted(&mut v[0].a, g));
    cases.push((case, [true, true, false, true]));
    let case = forged(&mut deal, &deck, &secret, |v| shifted(&mut v[2].a, g));
    cases.push((case, [true, true, true, false]));
    let case = forged(&mut deal, &deck, &secret, |v| {
        shifted(&mut v[0].a, g);
        shifted(&mut v[1].a, -g);
    });
    cases.push((case, [true, true, false, true]));
    // the share of another card
    let case = forged(&mut deal, &deck, &secret, |v| v[0].b = v[1].b);
    cases.push((case, [true, false, true, true]));
    for ((passed, message), expected) in cases {
        assert_eq!(passed, expected);
        assert_eq!(check(&deal, &deck, &holdings(), &[], &message), Err(GUILTY));
    }
}

#[test]
fn every_item_is_hashed_before_its_challenge() {
    let mut deal = Deal::new(N, 5, 8);
    let deck = deal.last();
    let message = escrow(&mut deal, 0, &deck, &holdings(), &[]).unwrap();
    let run =
        |participant, deck: &Verified<Deck>, holdings: &[Holding], lost: &[u8], step, v: &[_]| {
            let terms = Terms::new(&deal.keys, participant, deck, holdings, lost, step).unwrap();
            terms.statement(v).unwrap().challenge_scalar(b"test")
        };
    let base = run(0, &deck, &holdings(), &[], STEP, &message.v);
    assert_eq!(base, run(0, &deck, &holdings(), &[], STEP, &message.v));
    let mut others = vec![
        run(4, &deck, &holdings(), &[], STEP, &message.v),
        run(0, &deck, &holdings(), &[], 4, &message.v),
        run(0, &deck, &holdings(), &[3], STEP, &message.v),
        run(0, &deck, &[holding(1, &[2]), holding(2, &[0, 5])], &[], STEP, &message.v),
        run(0, &deck, &[holding(1, &[2, 0]), holding(3, &[5])], &[], STEP, &message.v),
    ];
    for index in 0..3 {
        let mut v = message.v.clone();
        v[index].a = Element::identity();
        others.push(run(0, &deck, &holdings(), &[], STEP, &v));
        let mut v = message.v.clone();
        v[index].b = Element::identity();
        others.push(run(0, &deck, &holdings(), &[], STEP, &v));
    }
    for position in [0, 2, 5] {
        for half in [true, false] {
            let mut cards = deck.cards().to_vec();
            let card = &mut cards[position];
            *(if half { &mut card.a } else { &mut card.b }) =
                Element::new(crate::generators::base());
            let deck = Verified::new(Deck::new(cards), deck.origin().clone());
            others.push(run(0, &deck, &holdings(), &[], STEP, &message.v));
        }
    }
    // the same ciphertext in another place
    let mut cards = deck.cards().to_vec();
    cards[4] = cards[5];
    let moved = Verified::new(Deck::new(cards), deck.origin().clone());
    let holdings_moved = [holding(1, &[2, 0]), holding(2, &[4])];
    others.push(run(0, &moved, &holdings_moved, &[], STEP, &message.v));
    for (index, other) in others.iter().enumerate() {
        assert_ne!(*other, base, "{index}");
        assert!(!others[..index].contains(other), "{index}");
    }
    // and the commitments
    let terms_holdings = holdings();
    let terms = Terms::new(&deal.keys, 0, &deck, &terms_holdings, &[], STEP).unwrap();
    let run = |change: fn(&mut linear::LinearProof)| {
        let mut proof = message.proof.clone();
        change(&mut proof);
        let mut transcript = terms.statement(&message.v).unwrap();
        let weights = linear::weights(&mut transcript, &terms.groups(&message.v));
        (weights, linear::challenge(&mut transcript, &proof.t_x, &proof.t_g, &proof.t))
    };
    let base = run(|_| ());
    assert_eq!(base.0.len(), 3);
    assert!(base.0[0] != base.0[1] && base.0[1] != base.0[2]);
    let changes: [fn(&mut linear::LinearProof); 4] = [
        |proof| proof.t_x = Element::identity(),
        |proof| proof.t_g[0] = Element::identity(),
        |proof| proof.t_g[1] = Element::identity(),
        |proof| proof.t = Element::identity(),
    ];
    for change in changes {
        let other = run(change);
        assert!(other.0 == base.0 && other.1 != base.1);
    }
}

/// Everybody's escrow of everybody else's cards: one card each.
fn everybody(deal: &mut Deal, deck: &Verified<Deck>, lost: &[u8]) -> Vec<Escrowed> {
    let seats: Vec<u8> =
        (0..deal.secrets.len() as u8).filter(|seat| !lost.contains(seat)).collect();
    seats
        .iter()
        .map(|&participant| {
            let others = seats.iter().filter(|&&holder| holder != participant);
            let holdings: Vec<Holding> =
                others.map(|&holder| holding(holder, &[usize::from(holder)])).collect();
            let message = escrow(deal, participant, deck, &holdings, lost).unwrap();
            Escrowed { participant, holdings, lost: lost.to_vec(), step: STEP, message }
        })
        .collect()
}

#[test]
fn all_escrows_verify_at_once_and_the_guilty_one_is_named() {
    let mut deal = Deal::new(N, 4, 9);
    let deck = deal.last();
    let escrows = everybody(&mut deal, &deck, &[]);
    let verified = verify_all(&deal.keys, &deck, escrows.clone(), &mut deal.rng).unwrap();
    for (one, Escrowed { participant, holdings, lost, step, message }) in
        verified.iter().zip(escrows.clone())
    {
        let (keys, rng) = (&deal.keys, &mut deal.rng);
        let alone = verify(keys, participant, &deck, &holdings, &lost, step, message, rng);
        assert_eq!(alone.as_ref(), Ok(one));
    }
    for guilty in 0..4_u8 {
        let mut escrows = escrows.clone();
        escrows[usize::from(guilty)].message.proof.s += Scalar::ONE;
        let error = verify_all(&deal.keys, &deck, escrows, &mut deal.rng).unwrap_err();
        assert_eq!(error, Error::EscrowProof { participant: guilty });
    }
    // two errors that would cancel out without weights
    let mut bad = escrows.clone();
    bad[1].message.proof.s_g[0] += Scalar::ONE;
    bad[3].message.proof.s_g[0] -= Scalar::ONE;
    let error = verify_all(&deal.keys, &deck, bad, &mut deal.rng).unwrap_err();
    assert_eq!(error.guilty(), Some(1));
    let mut bad = escrows;
    bad[2].holdings[0].holder = 2;
    let error = verify_all(&deal.keys, &deck, bad, &mut deal.rng).unwrap_err();
    assert_eq!(error, Error::Holder { holder: 2 });
    assert_eq!(verify_all(&deal.keys, &deck, Vec::new(), &mut deal.rng), Ok(Vec::new()));
}

#[test]
fn a_lost_share_comes_back_as_if_it_had_been_given() {
    let mut deal = Deal::new(N, 5, 10);
    let deck = deal.last();
    let all = deal.give_all(&deck, &[0, 1, 2, 3, 4]);
    let escrows = everybody(&mut deal, &deck, &[]);
    let verified = verify_all(&deal.keys, &deck, escrows, &mut deal.rng).unwrap();
    // 2 is lost: the others open its share of 0's card, and the card opens with it
    let shares = give_all(&mut deal, &verified[2], 0, &[1, 3, 4]);
    let share = open(&deal.keys, &verified[2], 0, &shares).unwrap();
    assert_eq!(share, all[2].share(0).unwrap());
    let others: Vec<_> =
        [1, 3, 4].iter().map(|&seat: &usize| all[seat].share(0).unwrap()).chain([share]).collect();
    let seen = opening::peel(&deal.keys, &deck, 0, &others, 0, &deal.secrets[0]).unwrap();
    let mut complete = others;
    complete.push(all[0].share(0).unwrap());
    assert_eq!(opening::open(&deal.keys, &deck, 0, &complete), Ok(seen));
    // escrowed anew without 2; then 3 is lost as well
    let escrows = everybody(&mut deal, &deck, &[2]);
    assert_eq!(escrows.len(), 4);
    let verified = verify_all(&deal.keys, &deck, escrows, &mut deal.rng).unwrap();
    let again = &verified[2];
    assert_eq!((again.participant(), again.lost()), (3, &[2][..]));
    let shares = give_all(&mut deal, again, 0, &[1, 4]);
    assert_eq!(open(&deal.keys, again, 0, &shares), Ok(all[3].share(0).unwrap()));
    // and 4, with 0, 1 left
    let escrows = everybody(&mut deal, &deck, &[3, 2]);
    let verified = verify_all(&deal.keys, &deck, escrows, &mut deal.rng).unwrap();
    let shares = give_all(&mut deal, &verified[2], 0, &[1]);
    assert_eq!(open(&deal.keys, &verified[2], 0, &shares), Ok(all[4].share(0).unwrap()));
    // a replaced card, escrowed alone in a later step
    let secret = deal.secrets[1].clone();
    let (keys, later) = (&deal.keys, [holding(0, &[5])]);
    let message = prove(keys, 1, &secret, &deck, &later, &[], 9, &mut deal.rng).unwrap();
    let escrow = verify(keys, 1, &deck, &later, &[], 9, message, &mut deal.rng).unwrap();
    let shares = give_all(&mut deal, &escrow, 5, &[4, 3, 2]);
    assert!(open(&deal.keys, &escrow, 5, &shares).is_ok());
}

#[test]
fn every_subset_and_order_of_trustees() {
    let mut deal = Deal::new(N, 5, 11);
    let deck = deal.last();
    let share = deal.give_all(&deck, &[0])[4].share(0).unwrap();
    let escrows = everybody(&mut deal, &deck, &[]);
    let verified = verify_all(&deal.keys, &deck, escrows, &mut deal.rng).unwrap();
    let escrow = &verified[4];
    let trustees = [1, 2, 3];
    let shares = give_all(&mut deal, escrow, 0, &trustees);
    let strategy = (Just([0, 1, 2]).prop_shuffle(), 0..4_usize);
    proptest!(ProptestConfig::with_cases(64), |((order, taken) in strategy)| {
        let some: Vec<_> = order[..taken].iter().map(|&index: &usize| shares[index]).collect();
        let expected = match order[taken..].iter().min() {
            Some(&index) => Err(OpenError::Missing { participant: trustees[index] }),
            None => Ok(share),
        };
        let opened = open(&deal.keys, escrow, 0, &some);
        prop_assert_eq!(opened, expected);
        if let Err(error) = opened {
            prop_assert_eq!(error.guilty(), order[taken..].iter().min().map(|&i| trustees[i]));
        }
    });
}

#[test]
fn wrong_shares_of_an_escrow_name_the_guilty() {
    let mut deal = Deal::new(N, 4, 12);
    let deck = deal.last();
    let escrows = everybody(&mut deal, &deck, &[]);
    let verified = verify_all(&deal.keys, &deck, escrows, &mut deal.rng).unwrap();
    let (escrow, other) = (&verified[3], &verified[2]);
    let shares = give_all(&mut deal, escrow, 0, &[1, 2]);
    let keys = deal.keys.clone();
    let opened = |shares: &[Verified<Share>]| open(&keys, escrow, 0, shares).map(|_| ());
    assert_eq!(opened(&shares), Ok(()));
    let twice = [shares[0], shares[1], shares[0]];
    assert_eq!(opened(&twice), Err(OpenError::Repeated { participant: 1 }));
    // of another card, of another's escrow, of the card itself
    let card = give_all(&mut deal, escrow, 1, &[2])[0];
    let of_other = give_all(&mut deal, other, 0, &[1])[0];
    let given = deal.give_all(&deck, &[0])[2].share(0).unwrap();
    assert_eq!(opened(&[shares[0], card]), Err(OpenError::WrongCard { participant: 2 }));
    assert_eq!(opened(&[of_other, shares[1]]), Err(OpenError::WrongCard { participant: 1 }));
    assert_eq!(opened(&[shares[0], given]), Err(OpenError::WrongCard { participant: 2 }));
    // the very same V, verified in another deal, or given by the holder
    let mut origin = *shares[0].origin();
    origin.deal[0] ^= 1;
    let foreign = Verified::new(*shares[0], origin);
    assert_eq!(opened(&[foreign, shares[1]]), Err(OpenError::WrongCard { participant: 1 }));
    let mut origin = *shares[0].origin();
    origin.participant = 0;
    let holder = Verified::new(*shares[0], origin);
    let error = Error::NotTrustee { participant: 0, position: 0 };
    assert_eq!(opened(&[shares[0], shares[1], holder]), Err(OpenError::Deal(error)));
    assert_eq!(open(&keys, escrow, 3, &shares), Err(Error::Position { position: 3 }.into()));
    let foreign = Deal::new(N, 4, 13).keys;
    assert_eq!(open(&foreign, escrow, 0, &shares), Err(Error::ForeignEscrow.into()));
    assert_eq!(escrow.trustees(&foreign, 0), Err(Error::ForeignEscrow));
}

#[test]
fn only_trustees_give_and_every_change_is_refused() {
    let mut deal = Deal::new(N, 4, 14);
    let deck = deal.last();
    let escrows = everybody(&mut deal, &deck, &[]);
    let verified = verify_all(&deal.keys, &deck, escrows, &mut deal.rng).unwrap();
    let escrow = &verified[3];
    let secrets = deal.secrets.clone();
    let keys = deal.keys.clone();
    let mut give = |seat: u8, secret: usize, positions: &[usize]| {
        give(&keys, seat, &secrets[secret], escrow, positions, &mut deal.rng)
    };
    let batch = give(1, 1, &[0, 2]).unwrap();
    let own = Error::NotTrustee { participant: 1, position: 1 };
    assert_eq!(give(1, 1, &[0, 1]), Err(own));
    assert_eq!(give(3, 3, &[0]), Err(Error::NotTrustee { participant: 3, position: 0 }));
    assert_eq!(give(1, 2, &[0]), Err(Error::WrongSecretKey { participant: 1 }));
    assert_eq!(give(4, 1, &[0]), Err(Error::NoSuchParticipant { participant: 4 }));
    assert_eq!(give(1, 1, &[]), Err(Error::NoPositions));
    assert_eq!(give(1, 1, &[3]), Err(Error::Position { position: 3 }));
    assert_eq!(give(1, 1, &[0, 2, 0]), Err(Error::RepeatedPosition { position: 0 }));
    let guilty = Err(Error::ShareProof { participant: 1 });
    let take = |seat, escrow, positions: &[usize], batch: &ShareBatch| {
        take(&keys, seat, escrow, positions, batch.clone()).map(|_| ())
    };
    assert_eq!(take(1, escrow, &[0, 2], &batch), Ok(()));
    for (what, bytes) in changes(&batch.to_bytes(), |word| word < 4) {
        let batch = ShareBatch::from_bytes(&bytes, 2).unwrap();
        assert_eq!(take(1, escrow, &[0, 2], &batch), guilty, "{what}");
    }
    // another seat, another's escrow, another order, another number
    let seat = Err(Error::NotTrustee { participant: 2, position: 2 });
    assert_eq!(take(2, escrow, &[0, 2], &batch), seat);
    assert_eq!(take(1, &verified[0], &[2, 3], &batch), guilty);
    assert_eq!(take(1, escrow, &[2, 0], &batch), guilty);
    assert_eq!(take(1, escrow, &[0], &batch), Err(Error::Size { expected: 1, found: 2 }));
    assert_eq!(take(1, escrow, &[0, 1], &batch), Err(own));
    let foreign = Deal::new(N, 4, 15).keys;
    let result = super::escrow::take(&foreign, 1, escrow, &[0, 2], batch.clone());
    assert_eq!(result, Err(Error::ForeignEscrow));
    // made for any other purpose
    let cards: Vec<Ciphertext> = escrow.v[..2].to_vec();
    let positions = [0, 1];
    for purpose in [
        Purpose::open(STEP),
        Purpose { recipient: Recipient::Everyone, reason: Reason::OpenEscrow(2), step: STEP },
        Purpose { recipient: Recipient::Everyone, reason: Reason::OpenEscrow(3), step: 0 },
        Purpose { recipient: Recipient::Everyone, reason: Reason::Other(3), step: STEP },
    ] {
        let batch =
            shares::prove_on(&keys, 2, &secrets[2], &purpose, &positions, &cards, &mut deal.rng)
                .unwrap();
        let result = take(2, escrow, &positions, &batch);
        assert_eq!(result, Err(Error::ShareProof { participant: 2 }));
    }
}
