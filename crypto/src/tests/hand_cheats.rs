//! S3 with provers who cheat as well as they can. Each of the checks is needed: for each there is a cheat
//! that all the others let pass.

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT, ristretto::RistrettoPoint, scalar::Scalar,
};

use super::{
    Deal,
    sealed::{Dealt, PURPOSE, all_hands},
};
use crate::{
    Ciphertext, Error, Hand, HandProof, HandTable, SecretKey,
    hands::{Choice, Prepared, nonces},
    sealed::{
        Answer, Call, Caller, Onlooker, Other, PreparedCall, PreparedSelection, Selection,
        Statement, call::Unary, check::Checks, prepare_selection, select, share,
    },
    wire::Element,
};

/// Weights that leave only one of the equations.
fn only<const N: usize>(check: usize) -> [Scalar; N] {
    core::array::from_fn(|index| if index == check { Scalar::ONE } else { Scalar::ZERO })
}

/// The equations that a call passes; it is accepted when these are all.
pub(super) fn call_passes(statement: &Statement, call: &Call) -> [bool; 4] {
    let passed = core::array::from_fn(|check| {
        let mut checks = Checks::new(statement, &call.u).unwrap();
        checks.call(call, &only(check)).unwrap();
        checks.hold()
    });
    let result = Onlooker::call(statement, call.clone(), &mut super::rng(1)).map(|_| ());
    let guilty = Error::CallProof { participant: statement.caller().participant() };
    assert_eq!(result, if passed == [true; 4] { Ok(()) } else { Err(guilty) });
    passed
}

/// The equations that a selection passes.
fn selection_passes(statement: &Statement, call: &Call, selection: &Selection) -> [bool; 4] {
    let passed = core::array::from_fn(|check| {
        let mut checks = Checks::new(statement, &call.u).unwrap();
        checks.selection(selection, &only(check)).unwrap();
        checks.hold()
    });
    let mut rng = super::rng(1);
    let onlooker = Onlooker::call(statement, call.clone(), &mut rng).unwrap();
    let result = onlooker.selection(selection.clone(), &mut rng).map(|_| ());
    let guilty = Error::SelectionProof { participant: statement.other().participant() };
    assert_eq!(result, if passed == [true; 4] { Ok(()) } else { Err(guilty) });
    passed
}

fn choose(table: &HandTable, cards: [u16; 3]) -> Choice {
    Option::from(table.choose(cards)).unwrap()
}

/// A call by a prover who chooses a hand and bits as it likes.
pub(super) fn call_with(
    deal: &mut Deal,
    statement: &Statement,
    choice: Choice,
    bits: &[Scalar],
    secret: &SecretKey,
    change: impl Fn(&mut Unary),
) -> Call {
    let (table, hand) = (statement.table(), statement.caller());
    let mut nonces = nonces(&deal.keys, table, hand, secret, &mut deal.rng);
    let mut unary = Unary::new(bits.iter().map(RistrettoPoint::mul_base).collect(), &mut nonces);
    change(&mut unary);
    let hand = Prepared::with_choice(table, hand, choice, &mut nonces);
    PreparedCall { hand, unary }.finish(statement, secret).unwrap()
}

/// A selection by such a prover.
fn select_with(
    deal: &mut Deal,
    statement: &Statement,
    call: &Call,
    choice: Choice,
    select: impl Fn(&[Vec<RistrettoPoint>; 2]) -> [RistrettoPoint; 2],
    secret: &SecretKey,
) -> Selection {
    let (table, hand) = (statement.table(), statement.other());
    let mut nonces = nonces(&deal.keys, table, hand, secret, &mut deal.rng);
    let hand = Prepared::with_choice(table, hand, choice, &mut nonces);
    let w = select::selectable(statement.ties(), &call.u);
    let selected = select(&w);
    PreparedSelection(hand).finish(statement, secret, call, &w, selected, &mut deal.rng).unwrap()
}

const HANDS: [[u16; 3]; 2] = [[1, 3, 5], [0, 2, 4]];

fn small() -> (Dealt, HandTable, Statement) {
    let mut dealt = Dealt::new(6, 21);
    let table = dealt.table(&all_hands(6, 1));
    let statement = dealt.statement(&table, HANDS, true);
    (dealt, table, statement)
}

#[test]
fn every_false_hand_is_refused() {
    let (Dealt { mut deal, .. }, table, statement) = small();
    let [caller, other] = [0, 2].map(|seat: usize| deal.secrets[seat].clone());
    let (_, honest) = Caller::call(&statement, &caller, &mut deal.rng).unwrap();
    for (cards, level) in all_hands(6, 1) {
        // with the level of the false hand
        let choice = choose(&table, cards);
        let bits = choice.bits();
        assert_eq!(bits.iter().sum::<Scalar>(), Scalar::from(level));
        let call = call_with(&mut deal, &statement, choice, &bits, &caller, |_| ());
        let expected = [true, cards == HANDS[0], true, true];
        assert_eq!(call_passes(&statement, &call), expected, "{cards:?}");

        let choice = choose(&table, cards);
        let level = usize::from(level);
        let pick = |w: &[Vec<RistrettoPoint>; 2]| [w[0][level], w[1][level]];
        let selection = select_with(&mut deal, &statement, &honest, choice, pick, &other);
        let expected = [true, cards == HANDS[1], true, true];
        assert_eq!(selection_passes(&statement, &honest, &selection), expected, "{cards:?}");
    }
}

#[test]
fn every_false_level_is_refused() {
    let (Dealt { mut deal, .. }, table, statement) = small();
    let secret = deal.secrets[0].clone();
    let numbers = [-1, 0, 1, 2].map(|bit: i8| {
        let size = Scalar::from(bit.unsigned_abs());
        if bit < 0 { -size } else { size }
    });
    let mut accepted = 0;
    // every vector of three of these numbers: wrong levels, and vectors that are not unary
    for index in 0..64_usize {
        let bits = [index / 16, index / 4 % 4, index % 4].map(|number| numbers[number]);
        let choice = choose(&table, HANDS[0]);
        let right = bits == *choice.bits();
        let call = call_with(&mut deal, &statement, choice, &bits, &secret, |_| ());
        assert_eq!(call_passes(&statement, &call), [true, right, true, true], "{index}");
        accepted += usize::from(right);
    }
    assert_eq!(accepted, 1);
    // the fourth check: halves that do not belong together
    for t in 0..3 {
        let choice = choose(&table, HANDS[0]);
        let bits = choice.bits();
        let call = call_with(&mut deal, &statement, choice, &bits, &secret, |unary| {
            unary.a[t] = Element::new(unary.a[t].point() + RISTRETTO_BASEPOINT_POINT);
        });
        assert_eq!(call_passes(&statement, &call), [true, true, true, false]);
    }
}

#[test]
fn every_false_selection_is_refused() {
    let (Dealt { mut deal, .. }, table, statement) = small();
    let [caller, other] = [0, 2].map(|seat: usize| deal.secrets[seat].clone());
    let (_, call) = Caller::call(&statement, &caller, &mut deal.rng).unwrap();
    // what is selected from, by the halves; level 0 is the right one
    for a in 0..4 {
        for b in 0..4 {
            let choice = choose(&table, HANDS[1]);
            let pick = |w: &[Vec<RistrettoPoint>; 2]| [w[0][a], w[1][b]];
            let selection = select_with(&mut deal, &statement, &call, choice, pick, &other);
            let expected = [true, b == 0, true, a == 0];
            assert_eq!(selection_passes(&statement, &call, &selection), expected);
        }
    }
    // u_{l+1} alone, and with an offset
    for offset in [-Scalar::ONE, Scalar::ZERO, Scalar::ONE] {
        let choice = choose(&table, HANDS[1]);
        let u = call.u[0];
        let g = RistrettoPoint::mul_base(&offset);
        let pick = |_: &[Vec<RistrettoPoint>; 2]| [*u.a.point(), u.b.point() + g];
        let selection = select_with(&mut deal, &statement, &call, choice, pick, &other);
        let passes = selection_passes(&statement, &call, &selection);
        assert_eq!(passes, [true, offset == Scalar::ONE, true, true]);
    }
}

#[test]
fn the_key_has_to_be_the_right_one() {
    // a hand that is encrypted under another key than its owner's: only the third check sees it
    let (Dealt { mut deal, .. }, table, statement) = small();
    let other =
        SecretKey::from_bytes(&(deal.secrets[0].scalar() + Scalar::ONE).to_bytes()).unwrap();
    let cards = HANDS[0].map(|card| {
        let [_, r] = [(), ()].map(|()| Scalar::random(&mut deal.rng));
        let a = RistrettoPoint::mul_base(&r);
        let card = table.cards()[usize::from(card)].point();
        Ciphertext { a: Element::new(a), b: Element::new(card + other.scalar() * a) }
    });
    let hand = Hand::add(*deal.keys.tag(), 0, cards).unwrap();
    let forged =
        Statement::new(&deal.keys, &table, PURPOSE, &hand, statement.other(), true).unwrap();
    let choice = choose(&table, HANDS[0]);
    let bits = choice.bits();
    let call = call_with(&mut deal, &forged, choice, &bits, &other, |_| ());
    assert_eq!(call_passes(&forged, &call), [true, true, false, true]);
    // the right hand with the wrong key
    let choice = choose(&table, HANDS[0]);
    let call = call_with(&mut deal, &statement, choice, &bits, &other, |_| ());
    assert_eq!(call_passes(&statement, &call), [true, false, false, true]);
}

#[test]
fn two_ones_in_a_digit_are_refused() {
    // S_034 = −S_012 + S_013 + S_024, and these three differ in the last digit alone
    let mut hands: Vec<_> = all_hands(7, 1).into_iter().filter(|(cards, _)| cards[0] > 0).collect();
    hands.iter_mut().for_each(|(_, level)| *level = 1);
    hands.extend([([0, 1, 2], 0), ([0, 1, 3], 0), ([0, 2, 4], 2), ([0, 3, 4], 0)]);
    let mut dealt = Dealt::new(7, 22);
    let table = dealt.table(&hands);
    assert_eq!(table.radix(), [2, 2, 2, 3]);
    let [zero, one] = [Scalar::ZERO, Scalar::ONE];
    let sigma = vec![one, zero, one, zero, one, zero, -one, one, one];
    let sums = table.sums(&sigma);
    assert_eq!(sums.levels, [zero, zero, one]);
    // the hand is the lowest, and is called one of the highest
    let statement = dealt.statement(&table, [[0, 3, 4], [1, 2, 5]], true);
    let secret = dealt.deal.secrets[0].clone();
    let choice = Choice { sigma, sums };
    let bits = choice.bits();
    assert_eq!(bits, [one, one]);
    let call = call_with(&mut dealt.deal, &statement, choice, &bits, &secret, |_| ());
    assert_eq!(call_passes(&statement, &call), [false, true, true, true]);

    // without the place i = 0 of the last digit it would pass: that is all that is wrong
    let proof = &call.proof;
    let (mut transcript, ..) = crate::sealed::call::challenges(&statement, &call.u).unwrap();
    let c = HandProof::challenge(&mut transcript, &proof.b, &proof.a, &proof.q);
    let [f1, f2, f3, f4, f5] = proof.f[..] else { panic!("five places") };
    let f = [c - f1, f1, c - f2, f2, c - f3, f3, c - f4 - f5, f4, f5];
    let mut values = proof.f.clone();
    values.extend(f.map(|f| f * (c - f)));
    let difference = c * proof.b.point() + proof.a.point() - table.commit(&values, &proof.z);
    assert_eq!(difference, c * c * Scalar::from(2_u8) * table.bases()[5 + 6]);
}

#[test]
fn indices_beyond_the_last_hand_mean_the_last() {
    let mut dealt = Dealt::new(6, 23);
    let table = dealt.table(&all_hands(6, 1));
    assert_eq!(table.len(), 20);
    let statement = dealt.statement(&table, [[3, 4, 5], [0, 1, 2]], true);
    let secret = dealt.deal.secrets[0].clone();
    for index in 17..24 {
        let digits = [index / 12, index / 6 % 2, index / 3 % 2, index % 3];
        let sigma: Vec<Scalar> = table
            .radix()
            .iter()
            .zip(digits)
            .flat_map(|(&n, digit)| (0..n).map(move |i| Scalar::from(u8::from(i == digit))))
            .collect();
        let sums = table.sums(&sigma);
        let choice = Choice { sigma, sums };
        let bits = choice.bits();
        let call = call_with(&mut dealt.deal, &statement, choice, &bits, &secret, |_| ());
        let expected = [true, index >= 19, true, true];
        assert_eq!(call_passes(&statement, &call), expected, "{index}");
    }
}

#[test]
fn both_checks_of_a_share_are_needed() {
    let (Dealt { mut deal, .. }, table, statement) = small();
    let [caller, other] = [0, 2].map(|seat: usize| deal.secrets[seat].clone());
    let (_, call) = Caller::call(&statement, &caller, &mut deal.rng).unwrap();
    let prepared =
        prepare_selection(&deal.keys, &table, statement.other(), &other, &mut deal.rng).unwrap();
    let selected = Other::receive(&statement, call.clone(), &mut deal.rng).unwrap();
    let (selected, selection) = selected.select_prepared(&other, prepared, &mut deal.rng).unwrap();
    let x = *caller.scalar();
    let wrong = x + Scalar::ONE;
    // one secret for the share, one for the answer
    let mut passes = |d: &Scalar, x: &Scalar| {
        let sel = &selection.sel;
        let d = Element::new(d * sel.a.point());
        let mut transcript = share::start(&statement, statement.caller(), sel, &d).unwrap();
        let k = Scalar::random(&mut deal.rng);
        let t_0 = Element::new(RistrettoPoint::mul_base(&k));
        let t_1 = Element::new(k * sel.a.point());
        let c = share::challenge(&mut transcript, &t_0, &t_1);
        let share = crate::sealed::SealedShare { d, t_0, t_1, s: k + c * x };
        let passed: [bool; 2] = core::array::from_fn(|check| {
            let mut checks = Checks::new(&statement, &call.u).unwrap();
            checks.share(statement.caller(), sel, &share, &only(check)).unwrap();
            checks.hold()
        });
        let result = selected.clone().answer(&Answer { share }, &mut deal.rng).map(|_| ());
        let guilty = Err(Error::ShareProof { participant: 0 });
        assert_eq!(result, if passed == [true; 2] { Ok(()) } else { guilty });
        passed
    };
    assert_eq!(passes(&x, &x), [true, true]);
    assert_eq!(passes(&wrong, &wrong), [false, true]);
    assert_eq!(passes(&wrong, &x), [true, false]);
    assert_eq!(passes(&x, &wrong), [false, false]);
}
