//! That everything which is folded is in the weights: with the same random numbers, whatever is changed changes them.

use curve25519_dalek::scalar::Scalar;

use super::{
    Deal, join, rng,
    sealed::{Dealt, PURPOSE, all_hands},
};
use crate::{
    DealId, Purpose, ShareBatch,
    context::Recipient,
    escrow::{self, Holding, Terms},
    opening,
    sealed::{Caller, Other, check},
    shares, showing, shuffle,
    weights::{Folded, Weights},
};

/// The first weight, when the random numbers are always the same.
fn first(absorb: impl FnOnce(&mut Folded)) -> Scalar {
    let mut folded = Folded::new(&mut rng(1));
    absorb(&mut folded);
    folded.weights().next()
}

fn all_differ(mut weights: Vec<Scalar>) {
    let count = weights.len();
    weights.sort_unstable_by_key(Scalar::to_bytes);
    weights.dedup();
    assert_eq!(weights.len(), count);
}

#[test]
fn of_a_shuffle() {
    let mut deal = Deal::new(5, 2, 20);
    let first_deck = deal.first();
    let (deck, proof) = deal.shuffle(0, &first_deck);
    let (other, _) = deal.shuffle(0, &first_deck);
    let mut bent = proof.clone();
    bent.tau += Scalar::ONE;
    let weight = |participant, step, deck, proof| {
        first(|folded| shuffle::absorb(participant, step, deck, proof, folded))
    };
    let honest = weight(0, 0, &deck, &proof);
    assert_eq!(honest, weight(0, 0, &deck, &proof));
    all_differ(vec![
        honest,
        weight(1, 0, &deck, &proof),
        weight(0, 1, &deck, &proof),
        weight(0, 0, &other, &proof),
        weight(0, 0, &deck, &bent),
    ]);
    let begun = |keys, before| shuffle::begin(keys, before, &mut rng(1)).weights().next();
    let another = join(DealId([3; 32]), 5, &deal.secrets);
    all_differ(vec![
        begun(&deal.keys, &first_deck),
        begun(&deal.keys, &deck),
        begun(&another, &first_deck),
    ]);
}

#[test]
fn of_shares() {
    let mut deal = Deal::new(6, 3, 21);
    let deck = deal.last();
    let purpose = Purpose::look(1, 5);
    let batch = deal.give(0, purpose, &deck, &[0, 2]);
    let mut bent = batch.clone();
    bent.s += Scalar::ONE;
    let weight = |participant, purpose: Purpose, positions: &[usize], batch: &ShareBatch| {
        first(|folded| shares::absorb(participant, &purpose, positions, batch, folded))
    };
    let honest = weight(0, purpose, &[0, 2], &batch);
    assert_eq!(honest, weight(0, purpose, &[0, 2], &batch));
    all_differ(vec![
        honest,
        weight(2, purpose, &[0, 2], &batch),
        weight(0, Purpose::look(2, 5), &[0, 2], &batch),
        weight(0, Purpose::look(1, 6), &[0, 2], &batch),
        weight(0, Purpose { recipient: Recipient::Everyone, ..purpose }, &[0, 2], &batch),
        weight(0, Purpose::open(5), &[0, 2], &batch),
        weight(0, Purpose { reason: crate::Reason::Other(1), ..purpose }, &[0, 2], &batch),
        weight(0, purpose, &[0, 3], &batch),
        weight(0, purpose, &[0, 2], &bent),
    ]);
    // a seat is not taken for everybody, whatever its number
    let nobody = Purpose { recipient: Recipient::Participant(0), ..purpose };
    let everybody = Purpose { recipient: Recipient::Everyone, ..purpose };
    assert_ne!(nobody.to_bytes(), everybody.to_bytes());
}

#[test]
fn of_an_escrow() {
    let mut deal = Deal::new(6, 5, 22);
    let deck = deal.last();
    let holdings = [Holding { holder: 1, positions: vec![0, 2] }];
    let others = [Holding { holder: 2, positions: vec![0, 2] }];
    let secret = deal.secrets[0].clone();
    let message =
        escrow::prove(&deal.keys, 0, &secret, &deck, &holdings, &[], 7, &mut deal.rng).unwrap();
    let mut bent = message.clone();
    bent.proof.s += Scalar::ONE;
    let weight = |participant, holdings: &[Holding], lost: &[u8], step, message| {
        let terms = Terms::new(&deal.keys, participant, &deck, holdings, lost, step).unwrap();
        first(|folded| terms.absorb(message, folded).unwrap())
    };
    let honest = weight(0, &holdings, &[], 7, &message);
    assert_eq!(honest, weight(0, &holdings, &[], 7, &message));
    all_differ(vec![
        honest,
        weight(3, &holdings, &[], 7, &message),
        weight(0, &others, &[], 7, &message),
        weight(0, &holdings, &[4], 7, &message),
        weight(0, &holdings, &[], 8, &message),
        weight(0, &holdings, &[], 7, &bent),
    ]);
}

#[test]
fn of_a_showing() {
    let mut deal = Deal::new(6, 3, 23);
    let deck = deal.last();
    let given = deal.give_all(&deck, &[4]);
    let others = [1, 2].map(|seat: usize| given[seat].share(4).unwrap());
    let (keys, secret) = (&deal.keys, &deal.secrets[0]);
    let cards = [opening::own(keys, &deck, 4, &others, 0).unwrap()];
    let recipients = [1, 2].map(|seat| [keys.verified_key(seat).unwrap()]);
    let [one, two] = &recipients;
    let shown = showing::prove(keys, 0, secret, &cards, one, 3, &mut deal.rng).unwrap();
    let mut bent = shown.clone();
    bent.proof.s += Scalar::ONE;
    let weight = |recipients, step, shown: &crate::Showing| {
        let terms = showing::Terms { keys, participant: 0, step, cards: &cards, recipients };
        let statement = terms.statement(&shown.e).unwrap();
        first(|folded| showing::absorb(&statement, shown, folded))
    };
    let honest = weight(one, 3, &shown);
    assert_eq!(honest, weight(one, 3, &shown));
    all_differ(vec![honest, weight(two, 3, &shown), weight(one, 4, &shown), weight(one, 3, &bent)]);
}

#[test]
fn of_a_comparison() {
    let mut dealt = Dealt::new(7, 47);
    let table = dealt.table(&all_hands(7, 4));
    let statement = dealt.statement(&table, [[0, 1, 2], [3, 4, 6]], true);
    let another = dealt.statement(&table, [[0, 1, 2], [3, 4, 6]], false);
    assert_eq!(statement.purpose(), PURPOSE);
    let [secret, others] = [0, 2].map(|seat: usize| dealt.deal.secrets[seat].clone());
    let (caller, call) = Caller::call(&statement, &secret, &mut rng(2)).unwrap();
    let other = Other::receive(&statement, call.clone(), &mut rng(3)).unwrap();
    let (_, selection) = other.select(&others, &mut rng(4)).unwrap();
    let (_, answer) = caller.answer(&secret, &selection, &mut rng(5)).unwrap();
    let (mut bent_call, mut bent_selection, mut bent_answer) =
        (call.clone(), selection.clone(), answer);
    bent_call.proof.z += Scalar::ONE;
    bent_selection.share.s += Scalar::ONE;
    bent_answer.share.s += Scalar::ONE;
    let weight = |weights: Result<Weights, crate::Error>| weights.unwrap().next();
    let of = |statement, call, selection, answer| {
        weight(check::weights(statement, call, selection, answer, &mut rng(1)))
    };
    let honest = of(&statement, &call, Some(&selection), Some(&answer));
    assert_eq!(honest, of(&statement, &call, Some(&selection), Some(&answer)));
    all_differ(vec![
        honest,
        of(&another, &call, Some(&selection), Some(&answer)),
        of(&statement, &bent_call, Some(&selection), Some(&answer)),
        of(&statement, &call, Some(&bent_selection), Some(&answer)),
        of(&statement, &call, Some(&selection), Some(&bent_answer)),
        of(&statement, &call, Some(&selection), None),
        of(&statement, &call, None, None),
    ]);
}
