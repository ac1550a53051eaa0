//! S5: changed and misplaced showings, cards that are not one's own, partners who are not in the deal.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::{Deal, ID, changes, join, rng};
use crate::{
    Ciphertext, DealId, Deck, Error, OpenError, OwnCard, PublicKey, SecretKey, Showing, Verified,
    context::{Nonces, ProofTranscript},
    keys as s0, linear,
    msm::Sum,
    opening::{own, peel},
    showing::{Terms, prove, read, verify},
    wire::Element,
};

const N: usize = 6;
const STEP: u32 = 2;
const POSITIONS: [usize; 2] = [4, 1];
/// The seat of a partner who is not in the deal.
const PARTNER: u8 = 7;
const GUILTY: Error = Error::ShowingProof { participant: 0 };

struct Shown {
    deal: Deal,
    deck: Verified<Deck>,
    cards: Vec<Verified<OwnCard>>,
    /// The numbers of the cards.
    numbers: Vec<u16>,
    partner: SecretKey,
    /// Seat 2 and the partner.
    recipients: Vec<Verified<PublicKey>>,
}

/// Participant 0 has the cards at two positions.
fn shown(seed: u64) -> Shown {
    let mut deal = Deal::new(N, 3, seed);
    let deck = deal.last();
    let batches = deal.give_all(&deck, &[0, 1, 2, 3, 4, 5]);
    let others = |position, but: u8| -> Vec<_> {
        let others = batches.iter().filter(|batch| batch.participant() != but);
        others.map(|batch| batch.share(position).unwrap()).collect()
    };
    let keys = &deal.keys;
    let mine = POSITIONS.map(|p| own(keys, &deck, p, &others(p, 0), 0).unwrap());
    let numbers =
        POSITIONS.map(|p| peel(keys, &deck, p, &others(p, 0), 0, &deal.secrets[0]).unwrap());
    let partner = SecretKey::generate(&mut deal.rng);
    let recipients = vec![deal.keys.verified_key(2).unwrap(), outsider(ID, PARTNER, &partner)];
    Shown { deck, cards: mine.to_vec(), numbers: numbers.to_vec(), partner, recipients, deal }
}

fn outsider(id: DealId, seat: u8, secret: &SecretKey) -> Verified<PublicKey> {
    s0::verify(&id, seat, &s0::prove(&id, seat, secret, &mut rng(3))).unwrap()
}

impl Shown {
    fn prove(
        &mut self,
        cards: &[Verified<OwnCard>],
        recipients: &[Verified<PublicKey>],
    ) -> Result<Showing, Error> {
        let Deal { keys, secrets, rng } = &mut self.deal;
        prove(keys, 0, &secrets[0], cards, recipients, STEP, rng)
    }

    fn honest(&mut self) -> Showing {
        self.prove(&self.cards.clone(), &self.recipients.clone()).unwrap()
    }

    fn check(
        &self,
        cards: &[Verified<OwnCard>],
        recipients: &[Verified<PublicKey>],
        showing: &Showing,
    ) -> Result<Verified<Showing>, Error> {
        verify(&self.deal.keys, 0, cards, recipients, STEP, showing.clone(), &mut rng(1))
    }

    fn accepted(&self, showing: &Showing) -> Result<Verified<Showing>, Error> {
        self.check(&self.cards, &self.recipients, showing)
    }
}

#[test]
fn an_honest_showing_is_read_by_its_recipients_alone() {
    let mut shown = shown(1);
    let showing = shown.honest();
    let bytes = showing.to_bytes();
    assert_eq!(bytes.len(), Showing::bytes(2, 2));
    assert_eq!(bytes.len(), 32 * (2 * 2 * 2 + 2 * 2 + 3));
    let decoded = Showing::from_bytes(&bytes, 2, 2).unwrap();
    assert_eq!(decoded, showing);
    let verified = shown.accepted(&decoded).unwrap();
    assert_eq!((verified.participant(), verified.positions()), (0, &POSITIONS[..]));
    assert_eq!(verified.recipients().collect::<Vec<_>>(), [2, PARTNER]);
    let Shown { deal: Deal { keys, secrets, .. }, partner, numbers, .. } = &shown;
    for (position, number) in POSITIONS.into_iter().zip(numbers) {
        assert_eq!(read(keys, &verified, position, 2, &secrets[2]), Ok(*number));
        assert_eq!(read(keys, &verified, position, PARTNER, partner), Ok(*number));
    }
    let read = |position, seat, secret| read(keys, &verified, position, seat, secret);
    let wrong = |participant| Err(OpenError::Deal(Error::WrongSecretKey { participant }));
    assert_eq!(read(4, 2, partner), wrong(2));
    assert_eq!(read(4, PARTNER, &secrets[2]), wrong(PARTNER));
    assert_eq!(read(4, 1, &secrets[1]), Err(Error::Recipient { seat: 1 }.into()));
    assert_eq!(read(0, 2, &secrets[2]), Err(Error::Position { position: 0 }.into()));
    let foreign = Deal::new(N, 3, 2).keys;
    let result = super::showing::read(&foreign, &verified, 4, 2, &secrets[2]);
    assert_eq!(result, Err(Error::ForeignShowing.into()));
    // nobody else's key takes the mask off
    let e = verified.e[0];
    for (seat, secret) in secrets.iter().enumerate() {
        let left = Element::new(e.b.point() - secret.scalar() * e.a.point());
        assert_eq!(keys.params().card(&left).is_some(), seat == 2);
    }
    // what is no card names who shows it
    let mut none = verified.clone().into_inner();
    none.e[0].b = none.e[0].a;
    let none = Verified::new(none, verified.origin().clone());
    let error = super::showing::read(keys, &none, 4, 2, &secrets[2]).unwrap_err();
    assert_eq!(error, OpenError::ShownNoCard { participant: 0 });
    assert_eq!(error.guilty(), Some(0));
}

#[test]
fn every_change_of_a_showing_is_refused() {
    let mut shown = shown(2);
    let showing = shown.honest();
    let changed = changes(&showing.to_bytes(), |word| word < 12);
    assert_eq!(changed.len(), 12 * 4 + 11 + 3 * 3 + 2);
    for (what, bytes) in changed {
        match Showing::from_bytes(&bytes, 2, 2) {
            Ok(showing) => assert_eq!(shown.accepted(&showing), Err(GUILTY), "{what}"),
            Err(_) => assert!(what.contains("identity"), "{what}"),
        }
    }
    assert_eq!(GUILTY.guilty(), Some(0));
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
        let mut showing = showing.clone();
        showing.e.swap(one, other);
        assert_eq!(shown.accepted(&showing), Err(GUILTY));
    }
    let mut showing = showing;
    showing.e[0].a = Element::identity();
    assert_eq!(shown.accepted(&showing), Err(GUILTY));
}

#[test]
fn a_showing_is_bound_to_its_place() {
    let mut shown = shown(3);
    let showing = shown.honest();
    let Shown { cards, recipients, partner, .. } = &shown;
    assert!(shown.accepted(&showing).is_ok());
    // other recipients, and the same key in another seat
    let one = shown.deal.keys.verified_key(1).unwrap();
    let elsewhere = outsider(ID, PARTNER + 1, partner);
    let stranger = outsider(ID, PARTNER, &SecretKey::generate(&mut rng(9)));
    for other in [
        [one, recipients[1]],
        [recipients[0], elsewhere],
        [recipients[0], stranger],
        [recipients[1], recipients[0]],
    ] {
        assert_eq!(shown.check(cards, &other, &showing), Err(GUILTY));
    }
    // other cards, another order
    let swapped = [cards[1], cards[0]];
    assert_eq!(shown.check(&swapped, recipients, &showing), Err(GUILTY));
    // another step, another participant's cards
    let (keys, mut rng) = (&shown.deal.keys, rng(1));
    let step = verify(keys, 0, cards, recipients, 3, showing.clone(), &mut rng);
    assert_eq!(step, Err(GUILTY));
    let seat = verify(keys, 1, cards, recipients, STEP, showing.clone(), &mut rng);
    assert_eq!(seat, Err(Error::ForeignCard { position: 4 }));
    // another attempt with the very same keys
    let again = join(DealId([1; 32]), N, &shown.deal.secrets);
    let result = verify(&again, 0, cards, recipients, STEP, showing.clone(), &mut rng);
    assert_eq!(result, Err(Error::ForeignCard { position: 4 }));
    // the same ciphertext at another place
    let stranger = super::showing::shown(4);
    let result = verify(keys, 0, &stranger.cards, recipients, STEP, showing, &mut rng);
    assert_eq!(result, Err(Error::ForeignCard { position: 4 }));
}

#[test]
fn wrong_terms_are_refused_by_prover_and_verifier() {
    let mut shown = shown(5);
    let showing = shown.honest();
    let (cards, recipients) = (shown.cards.clone(), shown.recipients.clone());
    // the same card, read off a deck that is cut elsewhere
    let cut = shown.deck.cut(3).unwrap();
    let given = shown.deal.give_all(&cut, &[1]);
    let others = [1, 2].map(|seat: usize| given[seat].share(1).unwrap());
    let moved = own(&shown.deal.keys, &cut, 1, &others, 0).unwrap();
    assert_eq!(cards[0].ciphertext(), moved.ciphertext());
    let mut refused = |cards: &[Verified<OwnCard>], recipients: &[Verified<PublicKey>], error| {
        assert_eq!(shown.prove(cards, recipients), Err(error));
        assert_eq!(shown.check(cards, recipients, &showing), Err(error));
        assert_eq!(error.guilty(), None);
    };
    refused(&[], &recipients, Error::NoPositions);
    let twice = Error::RepeatedPosition { position: 4 };
    refused(&[cards[0], cards[1], cards[0]], &recipients, twice);
    refused(&[cards[0], moved], &recipients, Error::RepeatedPosition { position: 1 });
    refused(&cards, &[], Error::NoRecipients);
    let again = Error::Recipient { seat: 2 };
    refused(&cards, &[recipients[0], recipients[1], recipients[0]], again);
    let id = DealId([1; 32]);
    let secret = SecretKey::generate(&mut rng(8));
    let foreign = outsider(id, PARTNER, &secret);
    refused(&cards, &[foreign], Error::ForeignKey { participant: PARTNER });
    // a key in a seat of the deal that is not the one of the deal
    let false_key = outsider(ID, 2, &secret);
    refused(&cards, &[false_key], Error::ForeignKey { participant: 2 });
    let keys = shown.deal.keys.clone();
    let own = keys.verified_key(0).unwrap();
    let result = shown.prove(&cards, &[own]);
    assert_eq!(result, Err(Error::Recipient { seat: 0 }));
    assert_eq!(keys.verified_key(3), Err(Error::NoSuchParticipant { participant: 3 }));
    // sizes
    let size = |expected, found| Err(Error::Size { expected, found });
    assert_eq!(shown.check(&cards[..1], &recipients, &showing), size(2, 4));
    assert_eq!(shown.check(&cards, &recipients[..1], &showing), size(2, 4));
    let mut short = showing.clone();
    short.proof.t_g.pop();
    assert_eq!(shown.accepted(&short), size(2, 1));
    let mut short = showing.clone();
    short.proof.s_g.pop();
    assert_eq!(shown.accepted(&short), size(2, 1));
    // secrets and seats
    let Deal { secrets, rng, .. } = &mut shown.deal;
    let wrong = prove(&keys, 0, &secrets[1], &cards, &recipients, STEP, rng);
    assert_eq!(wrong, Err(Error::WrongSecretKey { participant: 0 }));
    let wrong = verify(&keys, 3, &cards, &recipients, STEP, showing, rng);
    assert_eq!(wrong, Err(Error::NoSuchParticipant { participant: 3 }));
}

#[test]
fn an_own_card_needs_all_others_and_not_oneself() {
    let mut deal = Deal::new(N, 3, 6);
    let deck = deal.last();
    let shares: Vec<_> =
        deal.give_all(&deck, &[3]).iter().map(|batch| batch.share(3).unwrap()).collect();
    let card = own(&deal.keys, &deck, 3, &shares[1..], 0).unwrap();
    assert_eq!((card.participant(), card.position()), (0, 3));
    assert_eq!(card.deal_tag(), deal.keys.tag());
    let Ciphertext { a, b } = card.ciphertext();
    let left = Element::new(b.point() - deal.secrets[0].scalar() * a.point());
    assert!(deal.keys.params().card(&left).is_some());
    let missing = own(&deal.keys, &deck, 3, &shares[1..2], 0);
    assert_eq!(missing, Err(OpenError::Missing { participant: 2 }));
    let too_many = own(&deal.keys, &deck, 3, &shares, 0);
    assert_eq!(too_many, Err(OpenError::Repeated { participant: 0 }));
    let nobody = own(&deal.keys, &deck, 3, &shares, 3);
    assert_eq!(nobody, Err(Error::NoSuchParticipant { participant: 3 }.into()));
}

#[test]
fn other_cards_are_refused_and_every_check_is_needed() {
    let mut shown = shown(7);
    let one = shown.recipients[..1].to_vec();
    let honest = shown.deal.secrets[0].clone();
    let other = SecretKey::generate(&mut shown.deal.rng);
    let g = RistrettoPoint::mul_base(&Scalar::ONE);
    let mut forged = |secret: &SecretKey, forge: &dyn Fn(&mut [Ciphertext])| {
        let Deal { keys, rng, .. } = &mut shown.deal;
        let (cards, recipients) = (&shown.cards[..], &one[..]);
        let terms = Terms { keys, participant: 0, step: STEP, cards, recipients };
        let r = [5_u8, 6].map(Scalar::from);
        let mut e: Vec<Ciphertext> = cards
            .iter()
            .zip(&r)
            .map(|(card, r)| {
                let Ciphertext { a, b } = card.ciphertext();
                let layer = r * one[0].element().point() - secret.scalar() * a.point();
                let a = Element::new(RistrettoPoint::mul_base(r));
                Ciphertext { a, b: Element::new(b.point() + layer) }
            })
            .collect();
        forge(&mut e);
        let mut statement = terms.statement(&e).unwrap();
        let mut nonces = Nonces::new(&statement, [], rng);
        let groups = terms.groups(&e);
        let proof = linear::prove(&mut statement, secret, &groups, &r, &mut nonces);
        let key = keys.key(0).unwrap().element();
        let passed: [bool; 3] = core::array::from_fn(|check| {
            let weight = |of| if check == of { Scalar::ONE } else { Scalar::ZERO };
            let fold = linear::Fold { key: weight(0), all: weight(1), groups: vec![weight(2)] };
            let mut sum = Sum::default();
            let mut statement = terms.statement(&e).unwrap();
            linear::weighted(&mut statement, key, &groups, &proof, &mut sum, &fold);
            sum.vanishes()
        });
        let accepted = shown.check(&shown.cards, &one, &Showing { e, proof });
        assert_eq!(accepted.is_ok(), passed == [true; 3]);
        if let Err(error) = accepted {
            assert_eq!(error, GUILTY);
        }
        passed
    };
    let shift = |element: &mut Element, by| *element = Element::new(element.point() + by);
    assert_eq!(forged(&honest, &|_| ()), [true; 3]);
    assert_eq!(forged(&other, &|_| ()), [false, true, true]);
    // another card in place of one's own
    let card = *Deal::new(N, 3, 1).keys.params().cards()[0].point()
        - crate::generators::cards()[1].point();
    assert_eq!(forged(&honest, &|e| shift(&mut e[0].b, card)), [true, false, true]);
    let exchanged = forged(&honest, &|e| {
        shift(&mut e[0].b, card);
        shift(&mut e[1].b, -card);
    });
    assert_eq!(exchanged, [true, false, true]);
    // a mask that only breaks for the recipient
    assert_eq!(forged(&honest, &|e| shift(&mut e[1].a, g)), [true, true, false]);
}

#[test]
fn every_item_is_hashed_before_its_challenge() {
    let mut shown = shown(8);
    let showing = shown.honest();
    let keys = shown.deal.keys.clone();
    let run = |participant, step, cards: &[Verified<OwnCard>], recipients: &[_], e: &[_]| {
        let terms = Terms { keys: &keys, participant, step, cards, recipients };
        terms.statement(e).unwrap().challenge_scalar(b"test")
    };
    let (cards, recipients, e) = (&shown.cards[..], &shown.recipients[..], &showing.e[..]);
    let base = run(0, STEP, cards, recipients, e);
    assert_eq!(base, run(0, STEP, cards, recipients, e));
    let zero = Element::identity();
    let mut others = vec![
        run(1, STEP, cards, recipients, e),
        run(0, 1, cards, recipients, e),
        run(0, STEP, &cards[..1], recipients, e),
        run(0, STEP, cards, &recipients[..1], e),
        run(0, STEP, cards, &[recipients[0], outsider(ID, 9, &shown.partner)], e),
        run(0, STEP, cards, &[recipients[0], outsider(ID, 7, &shown.deal.secrets[1])], e),
    ];
    for index in 0..2 {
        for half in [true, false] {
            let mut changed = cards.to_vec();
            let Ciphertext { mut a, mut b } = *changed[index].ciphertext();
            *(if half { &mut a } else { &mut b }) = zero;
            let origin = *changed[index].origin();
            changed[index] = Verified::new(OwnCard(Ciphertext { a, b }), origin);
            others.push(run(0, STEP, &changed, recipients, e));
        }
        let mut moved = cards.to_vec();
        moved[index] = Verified::new(*moved[index], *elsewhere(&shown).origin());
        others.push(run(0, STEP, &moved, recipients, e));
    }
    for index in 0..4 {
        for half in [true, false] {
            let mut changed = e.to_vec();
            *(if half { &mut changed[index].a } else { &mut changed[index].b }) = zero;
            others.push(run(0, STEP, cards, recipients, &changed));
        }
    }
    for (index, other) in others.iter().enumerate() {
        assert_ne!(*other, base, "{index}");
        assert!(!others[..index].contains(other), "{index}");
    }
}

/// A card of participant 0 at another place.
fn elsewhere(shown: &Shown) -> Verified<OwnCard> {
    let mut deal =
        Deal { keys: shown.deal.keys.clone(), secrets: shown.deal.secrets.clone(), rng: rng(4) };
    let batches = deal.give_all(&shown.deck, &[3]);
    let others: Vec<_> = batches[1..].iter().map(|batch| batch.share(3).unwrap()).collect();
    own(&deal.keys, &shown.deck, 3, &others, 0).unwrap()
}
