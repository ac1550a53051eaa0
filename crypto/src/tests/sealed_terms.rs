//! S4: what is prepared before, and what cannot be compared.

use super::{
    rng,
    sealed::{Dealt, PURPOSE, all_hands},
};
use crate::{
    Error, Hand, HandTable,
    sealed::{Call, Caller, Onlooker, Other, Statement, prepare_call, prepare_selection},
};

#[test]
fn a_preparation_fits_one_hand_and_one_table() {
    let mut dealt = Dealt::new(6, 44);
    let mut hands = all_hands(6, 1);
    let table = dealt.table(&hands);
    hands.pop();
    hands.push(([3, 4, 5], 2));
    let another = dealt.table(&hands);
    let statement = dealt.statement(&table, [[1, 3, 5], [0, 2, 4]], true);
    let [elsewhere, foreign] = [dealt.hand(0, [0, 1, 2]), *statement.other()];
    let keys = dealt.deal.keys.clone();
    let [caller, other] = [0, 2].map(|seat: usize| dealt.deal.secrets[seat].clone());
    let mut rng = rng(6);
    let hand = statement.caller();
    // expected or not, it is as good
    for expected in [&[2, 1][..], &[1], &[]] {
        let prepared = prepare_call(&keys, &table, hand, &caller, expected, &mut rng).unwrap();
        assert_eq!(format!("{prepared:?}"), "PreparedCall(…)");
        let (_, call) = Caller::call_prepared(&statement, &caller, prepared).unwrap();
        let receive = Other::receive(&statement, call, &mut rng).unwrap();
        let prepared =
            prepare_selection(&keys, &table, statement.other(), &other, &mut rng).unwrap();
        assert_eq!(format!("{prepared:?}"), "PreparedSelection(…)");
        assert!(receive.select_prepared(&other, prepared, &mut rng).is_ok());
    }
    for (table, hand) in [(&table, &elsewhere), (&another, hand)] {
        let prepared = prepare_call(&keys, table, hand, &caller, &[2], &mut rng).unwrap();
        let refused = Caller::call_prepared(&statement, &caller, prepared).map(|_| ());
        assert_eq!(refused, Err(Error::ForeignPreparation));
        let (_, call) = Caller::call(&statement, &caller, &mut rng).unwrap();
        let receive = Other::receive(&statement, call, &mut rng).unwrap();
        let prepared = prepare_selection(&keys, table, hand, &caller, &mut rng).unwrap();
        let refused = receive.select_prepared(&other, prepared, &mut rng).map(|_| ());
        assert_eq!(refused, Err(Error::ForeignPreparation));
    }
    let wrong = prepare_call(&keys, &table, &foreign, &caller, &[], &mut rng).map(|_| ());
    assert_eq!(wrong, Err(Error::WrongSecretKey { participant: 2 }));
    let wrong = prepare_call(&keys, &table, hand, &caller, &[3], &mut rng).map(|_| ());
    assert_eq!(wrong, Err(Error::NoSuchParticipant { participant: 3 }));
    let deck = crate::Params::new(7).unwrap();
    let large = HandTable::new(&deck, all_hands(6, 1)).unwrap();
    let wrong = prepare_call(&keys, &large, hand, &caller, &[], &mut rng).map(|_| ());
    assert_eq!(wrong, Err(Error::ForeignTable));
    // with another secret than that of the preparation
    let prepared = prepare_call(&keys, &table, hand, &caller, &[], &mut rng).unwrap();
    let refused = Caller::call_prepared(&statement, &other, prepared).map(|_| ());
    assert_eq!(refused, Err(Error::WrongSecretKey { participant: 0 }));
    let (_, call) = Caller::call(&statement, &caller, &mut rng).unwrap();
    let receive = Other::receive(&statement, call, &mut rng).unwrap();
    let prepared = prepare_selection(&keys, &table, statement.other(), &other, &mut rng).unwrap();
    let refused = receive.select_prepared(&caller, prepared, &mut rng).map(|_| ());
    assert_eq!(refused, Err(Error::WrongSecretKey { participant: 2 }));
    // two preparations share nothing but when the random numbers repeat
    let prepare = |seed| {
        let prepared = prepare_call(&keys, &table, hand, &caller, &[], &mut super::rng(seed));
        Caller::call_prepared(&statement, &caller, prepared.unwrap()).unwrap().1
    };
    let [one, two] = [prepare(1), prepare(2)];
    assert!(one.u.iter().zip(&two.u).all(|(one, two)| one.a != two.a && one.b != two.b));
}

/// A hand that is proved twice with the same masks is read off the two proofs; what is proved at once has other masks
/// for each comparison, even when the random numbers repeat.
#[test]
fn comparisons_share_no_masks_when_the_random_numbers_repeat() {
    let mut dealt = Dealt::new(7, 46);
    let table = dealt.table(&all_hands(7, 4));
    let with_ties = dealt.statement(&table, [[0, 1, 2], [3, 4, 6]], true);
    let without = dealt.statement(&table, [[0, 1, 2], [3, 4, 6]], false);
    let [caller, other] = [0, 2].map(|seat: usize| dealt.deal.secrets[seat].clone());
    let call = |statement| Caller::call(statement, &caller, &mut rng(9)).unwrap().1;
    let [one, two] = [&with_ties, &without].map(call);
    assert_eq!(one, call(&with_ties));
    assert!(one.proof.b != two.proof.b && one.proof.a != two.proof.a);
    assert!(one.u.iter().zip(&two.u).all(|(one, two)| one.a != two.a));
    assert!(one.proof.q.iter().zip(&two.proof.q).all(|(one, two)| one[1] != two[1]));
    // the same for who is called, also when only the call is another one
    let again = Caller::call(&with_ties, &caller, &mut rng(10)).unwrap().1;
    let select = |statement, call: &Call| {
        let receive = Other::receive(statement, call.clone(), &mut rng(9)).unwrap();
        receive.select(&other, &mut rng(9)).unwrap().1
    };
    let base = select(&with_ties, &one);
    assert_eq!(base, select(&with_ties, &one));
    for different in [select(&without, &two), select(&with_ties, &again)] {
        assert!(base.proof.b != different.proof.b && base.proof.a != different.proof.a);
        assert!(base.proof.q.iter().zip(&different.proof.q).all(|(one, two)| one[1] != two[1]));
        assert_ne!(base.sel.a, different.sel.a);
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let mut dealt = Dealt::new(7, 45);
    // hands with cards 5 and 6 are left out
    let table = dealt.table(&all_hands(5, 1));
    let mut rng = rng(7);
    let statement = dealt.statement(&table, [[1, 2, 5], [3, 4, 6]], true);
    let [caller, other] = [0, 2].map(|seat: usize| dealt.deal.secrets[seat].clone());
    let refused = Caller::call(&statement, &caller, &mut rng).map(|_| ());
    assert_eq!(refused, Err(Error::HandNotInTable { participant: 0 }));
    let better = dealt.statement(&table, [[0, 1, 2], [3, 4, 6]], true);
    let (_, call) = Caller::call(&better, &caller, &mut rng).unwrap();
    let receive = Other::receive(&better, call.clone(), &mut rng).unwrap();
    let refused = receive.select(&other, &mut rng).map(|_| ());
    assert_eq!(refused, Err(Error::HandNotInTable { participant: 2 }));

    let keys = dealt.deal.keys.clone();
    let new = |table: &HandTable, caller: &Hand, other: &Hand| {
        Statement::new(&keys, table, PURPOSE, caller, other, true).map(|_| ())
    };
    let [one, two] = [*better.caller(), *better.other()];
    assert_eq!(new(&table, &one, &two), Ok(()));
    assert_eq!(new(&table, &one, &one), Err(Error::SameParticipant { participant: 0 }));
    let shared = dealt.hand(2, [2, 3, 4]);
    assert_eq!(new(&table, &one, &shared), Err(Error::SharedCard { first: 0, second: 2 }));
    let deck = crate::Params::new(8).unwrap();
    let large = HandTable::new(&deck, all_hands(5, 1)).unwrap();
    assert_eq!(new(&large, &one, &two), Err(Error::ForeignTable));
    // messages that were decoded for another table
    let small = dealt.table(&all_hands(4, 1));
    let statement = dealt.statement(&small, [[0, 1, 2], [3, 4, 6]], true);
    let refused = Onlooker::call(&statement, call.clone(), &mut rng).map(|_| ());
    assert_eq!(refused, Err(Error::ForeignTable));
    let mut short = call;
    short.proof.f.pop();
    let refused = Onlooker::call(&better, short, &mut rng).map(|_| ());
    assert_eq!(refused, Err(Error::ForeignTable));
}
