//! S3: tables of hands, and the sums that proofs are made of.

use curve25519_dalek::scalar::Scalar;
use proptest::prelude::*;

use super::{
    rng,
    sealed::{Dealt, all_hands},
};
use crate::{
    Error, Hand, HandTable, Params, TableError,
    hands::{DIGITS, Sums},
    opening,
    wire::Element,
};

fn table(n: usize, hands: &[([u16; 3], u16)]) -> Result<HandTable, TableError> {
    HandTable::new(&Params::new(n).unwrap(), hands.iter().copied())
}

#[test]
fn usual_tables_have_the_digits_that_make_proofs_shortest() {
    for (n, hands, radix) in [
        (24, 2024, [6, 7, 7, 7]),
        (36, 7140, [9, 9, 9, 10]),
        (37, 7770, [9, 9, 10, 10]),
        (64, 41664, [14, 14, 15, 15]),
        (6, 20, [2, 2, 2, 3]),
        (4, 4, [2, 2, 2, 2]),
        (3, 1, [2, 2, 2, 2]),
    ] {
        let table = table(usize::from(n), &all_hands(n, 1)).unwrap();
        assert_eq!((table.len(), table.radix()), (hands, radix));
        assert_eq!(table.levels(), usize::from(n) - 2);
        assert!(!table.is_empty());
        assert_eq!(crate::HandProof::bytes(&table), 32 * (radix.iter().sum::<usize>() + 13));
    }
}

#[test]
fn hands_are_found_in_any_order_and_levels_too() {
    let mut hands = all_hands(7, 2);
    hands.reverse();
    hands.retain(|(cards, _)| *cards != [2, 3, 6]);
    let table = table(7, &hands).unwrap();
    assert_eq!(table.len(), 34);
    hands.sort_unstable();
    assert_eq!(table.hands().collect::<Vec<_>>(), hands);
    for (index, ([i, j, k], level)) in hands.into_iter().enumerate() {
        for cards in [[i, j, k], [i, k, j], [j, i, k], [j, k, i], [k, i, j], [k, j, i]] {
            assert_eq!(table.hand(cards), Some(index));
            // the search that takes the same time for every hand finds the same
            let choice = Option::from(table.choose(cards));
            let choice: crate::hands::Choice = choice.unwrap();
            assert_eq!(digits(&table, &choice.sigma), index);
            assert_eq!(choice.sums.levels.iter().sum::<Scalar>(), Scalar::ONE);
            assert_eq!(choice.sums.levels[usize::from(level)], Scalar::ONE);
            let own = (0..7).map(|card| Scalar::from(u8::from(cards.contains(&card))));
            assert_eq!(choice.sums.cards, own.collect::<Vec<_>>());
            let sums = table.sums(&choice.sigma);
            assert!(sums.cards == choice.sums.cards && sums.levels == choice.sums.levels);
        }
        assert_eq!(table.level(index), Some(level));
    }
    for unknown in [[2, 3, 6], [0, 1, 7], [1, 1, 2], [u16::MAX; 3]] {
        assert_eq!(table.hand(unknown), None);
        assert!(bool::from(table.choose(unknown).is_none()));
    }
    assert_eq!(table.level(34), None);
}

/// The index that one-hot digits stand for.
fn digits(table: &HandTable, sigma: &[Scalar]) -> usize {
    table.digits(sigma).into_iter().fold(0, |index, digit| {
        let ones: Vec<usize> =
            (0..).zip(digit).filter(|d| *d.1 == Scalar::ONE).map(|d| d.0).collect();
        assert_eq!(ones.len(), 1);
        assert_eq!(digit.iter().sum::<Scalar>(), Scalar::ONE);
        index * digit.len() + ones[0]
    })
}

#[test]
fn what_makes_no_table_is_refused() {
    let fine = [([0, 1, 2], 0), ([0, 1, 3], 1), ([1, 2, 3], 1)];
    assert!(table(4, &fine).is_ok());
    let with = |index: usize, hand: ([u16; 3], u16)| {
        let mut hands = fine;
        hands[index] = hand;
        table(4, &hands).map(|_| ()).unwrap_err()
    };
    assert_eq!(with(1, ([0, 4, 1], 1)), TableError::Card { card: 4 });
    assert_eq!(with(1, ([3, 0, 3], 1)), TableError::RepeatedCard { cards: [0, 3, 3] });
    assert_eq!(with(2, ([2, 0, 1], 1)), TableError::RepeatedHand { cards: [0, 1, 2] });
    assert_eq!(with(0, ([0, 1, 2], 2)), TableError::MissingLevel { level: 0 });
    assert_eq!(with(0, ([0, 1, 2], 1)), TableError::MissingLevel { level: 0 });
    assert_eq!(table(4, &[]).map(|_| ()), Err(TableError::Empty));
    assert_eq!(table(65, &fine).map(|_| ()), Err(TableError::Deck { cards: 65 }));
    // an endless list of hands is not read to the end
    let params = Params::new(4).unwrap();
    let endless = HandTable::new(&params, core::iter::repeat(([0, 1, 2], 0)));
    assert_eq!(endless.map(|_| ()), Err(TableError::RepeatedHand { cards: [0, 1, 2] }));
    // two hands that nobody could tell apart
    let mut cards = Params::new(6).unwrap().cards().to_vec();
    let sum = |cards: &[Element]| -> curve25519_dalek::RistrettoPoint {
        cards.iter().map(Element::point).sum()
    };
    cards[5] = Element::new(sum(&cards[..3]) - sum(&cards[3..5]));
    let hands = [([0, 1, 2], 0), ([3, 4, 5], 1)];
    let params = Params::new(6).unwrap();
    let bases = crate::generators::bases().to_vec();
    let equal = HandTable::with_generators(&params, hands, cards, bases);
    let error = TableError::EqualSums { first: [0, 1, 2], second: [3, 4, 5] };
    assert_eq!(equal.map(|_| ()), Err(error));
}

#[test]
fn the_digest_stands_for_everything() {
    let hands = [([0, 1, 2], 0), ([0, 1, 3], 1), ([1, 2, 3], 1)];
    let first = table(4, &hands).unwrap();
    let mut other = hands;
    other.reverse();
    assert_eq!(first, table(4, &other).unwrap());
    let mut level = hands;
    level[2].1 = 0;
    let mut card = hands;
    card[2].0 = [0, 2, 3];
    for other in [(5, hands), (4, level), (4, card)] {
        assert_ne!(first.digest(), table(other.0, &other.1).unwrap().digest());
    }
    assert_ne!(first.digest(), table(4, &hands[..2]).unwrap().digest());
}

/// The sums by their definition.
fn by_definition(table: &HandTable, p: impl Fn([usize; DIGITS]) -> Scalar) -> Sums {
    let n = table.params().n();
    let mut sums =
        Sums { cards: vec![Scalar::ZERO; n], levels: vec![Scalar::ZERO; table.levels()] };
    let hands: Vec<_> = table.hands().collect();
    let radix = table.radix();
    for index in 0..radix.iter().product() {
        let mut rest = index;
        let mut digits = radix;
        for digit in digits.iter_mut().rev() {
            let n = *digit;
            *digit = rest % n;
            rest /= n;
        }
        // indices from N on mean hand N−1
        let (cards, level) = hands[index.min(hands.len() - 1)];
        for card in cards {
            sums.cards[usize::from(card)] += p(digits);
        }
        sums.levels[usize::from(level)] += p(digits);
    }
    sums
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn sums_and_coefficients_are_what_they_are_defined_as(
        left_out in 0_usize..30,
        seed in any::<u64>(),
        index in 0_usize..20,
    ) {
        let mut hands = all_hands(7, 2);
        hands.truncate(35 - left_out.min(20));
        let last = hands.iter().map(|(_, level)| *level).max().unwrap();
        prop_assert!(last <= 2);
        let table = table(7, &hands).unwrap();
        let mut rng = rng(seed);
        let f: Vec<Scalar> = (0..table.places()).map(|_| Scalar::random(&mut rng)).collect();
        let digits = table.digits(&f);
        let expected = by_definition(&table, |h| (0..DIGITS).map(|j| digits[j][h[j]]).product());
        let sums = table.sums(&f);
        prop_assert!(sums.cards == expected.cards && sums.levels == expected.levels);

        // p_h(T) multiplied out, for each power
        let cards = hands[index % hands.len()].0;
        let choice: Option<crate::hands::Choice> = table.choose(cards).into();
        let choice = choice.unwrap();
        let sigma = table.digits(&choice.sigma);
        let polynomial = |h: [usize; DIGITS]| {
            let mut p = [Scalar::ZERO; DIGITS + 1];
            p[0] = Scalar::ONE;
            for j in 0..DIGITS {
                for k in (0..=DIGITS).rev() {
                    let lower = if k == 0 { Scalar::ZERO } else { p[k - 1] };
                    p[k] = p[k] * digits[j][h[j]] + lower * sigma[j][h[j]];
                }
            }
            p
        };
        let coefficients = choice.coefficients(&table, &f);
        for (k, coefficients) in coefficients.iter().enumerate() {
            let expected = by_definition(&table, |h| polynomial(h)[k]);
            prop_assert!(coefficients.cards == expected.cards);
            prop_assert!(coefficients.levels == expected.levels);
        }
        let lead = by_definition(&table, |h| polynomial(h)[DIGITS]);
        prop_assert!(choice.sums.cards == lead.cards && choice.sums.levels == lead.levels);
    }
}

#[test]
fn a_hand_is_three_cards_of_one_participant() {
    let mut dealt = Dealt::new(6, 3);
    let own = |dealt: &mut Dealt, participant: u8, card: u16| {
        let position = dealt.places[usize::from(card)];
        let batches = dealt.deal.give_all(&dealt.deck, &[position]);
        let others: Vec<_> = batches
            .iter()
            .filter(|batch| batch.participant() != participant)
            .map(|batch| batch.share(position).unwrap())
            .collect();
        opening::own(&dealt.deal.keys, &dealt.deck, position, &others, participant).unwrap()
    };
    let cards = [0, 1, 2].map(|card| own(&mut dealt, 1, card));
    let hand = Hand::new(&cards).unwrap();
    assert_eq!(hand.participant(), 1);
    assert_eq!(hand, dealt.hand(1, [0, 1, 2]));
    // twice the same card, also from the same deck cut elsewhere
    let position = dealt.places[0];
    let twice = Hand::new(&[cards[0], cards[1], cards[0]]);
    assert_eq!(twice, Err(Error::RepeatedPosition { position }));
    dealt.deck = dealt.deck.cut(1).unwrap();
    dealt.places.iter_mut().for_each(|place| *place = (*place + 5) % 6);
    let cut = own(&mut dealt, 1, 0);
    let position = dealt.places[0];
    let twice = Hand::new(&[cards[0], cards[1], cut]);
    assert_eq!(twice, Err(Error::RepeatedPosition { position }));
    // somebody else's card, a card of another deal
    let foreign = own(&mut dealt, 2, 3);
    let mut other = Dealt::new(6, 4);
    let elsewhere = own(&mut other, 1, 3);
    for card in [foreign, elsewhere] {
        let mixed = Hand::new(&[cards[0], cards[1], card]);
        assert_eq!(mixed, Err(Error::ForeignHand { participant: 1 }));
    }
    // masks that cancel out
    let [a, b, mut c] = *hand.cards();
    c.a = Element::new(-(a.a.point() + b.a.point()));
    let tag = *dealt.deal.keys.tag();
    assert_eq!(Hand::add(tag, 1, [a, b, c]), Err(Error::ZeroSum));
}
