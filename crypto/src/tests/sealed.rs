//! S4: honest comparisons of every kind, changed messages, messages in the wrong place.

use std::sync::{LazyLock, Mutex};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use proptest::prelude::*;

use super::{Deal, ID, changes, join, rng};
use crate::{
    DealId, Deck, DecodeError, Error, Hand, HandProof, HandTable, Purpose, Reason, Recipient,
    Verified,
    context::ProofTranscript,
    opening,
    sealed::{
        Answer, Call, Caller, Onlooker, Other, Outcome, SealedShare, Selection, Statement, select,
        share, verify,
    },
    shares as s2,
    wire::Element,
};

pub(super) const PURPOSE: Purpose =
    Purpose { recipient: Recipient::Everyone, reason: Reason::Other(3), step: 9 };

/// All hands of n cards; the level of a hand is that of its lowest card, counted in steps.
pub(super) fn all_hands(n: u16, step: u16) -> Vec<([u16; 3], u16)> {
    let mut hands = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                hands.push(([i, j, k], i / step));
            }
        }
    }
    hands
}

/// A deal, and where each card lies.
pub(super) struct Dealt {
    pub(super) deal: Deal,
    pub(super) deck: Verified<Deck>,
    /// The position of each card.
    pub(super) places: Vec<usize>,
}

impl Dealt {
    pub(super) fn new(n: usize, seed: u64) -> Self {
        let mut deal = Deal::new(n, 3, seed);
        let deck = deal.last();
        let x: Scalar = deal.secrets.iter().map(|s| *s.scalar()).sum();
        let mut places = vec![0; n];
        for (position, card) in deck.cards().iter().enumerate() {
            let opened = Element::new(card.b.point() - x * card.a.point());
            places[usize::from(deal.keys.params().card(&opened).unwrap())] = position;
        }
        Self { deal, deck, places }
    }

    /// A participant's hand of these cards.
    pub(super) fn hand(&mut self, participant: u8, cards: [u16; 3]) -> Hand {
        let positions = cards.map(|card| self.places[usize::from(card)]);
        let purpose = Purpose::look(participant, 0);
        let (deal, deck) = (&mut self.deal, &self.deck);
        let batches: Vec<_> = (0..3)
            .filter(|&giver| giver != participant)
            .map(|giver| {
                let batch = deal.give(giver, purpose, deck, &positions);
                s2::verify(&deal.keys, giver, purpose, deck, &positions, batch).unwrap()
            })
            .collect();
        let cards = positions.map(|position| {
            let others: Vec<_> = batches.iter().map(|b| b.share(position).unwrap()).collect();
            opening::own(&self.deal.keys, &self.deck, position, &others, participant).unwrap()
        });
        Hand::new(&cards).unwrap()
    }

    pub(super) fn table(&self, hands: &[([u16; 3], u16)]) -> HandTable {
        HandTable::new(self.deal.keys.params(), hands.iter().copied()).unwrap()
    }

    /// 0 calls, 2 is called.
    pub(super) fn statement(
        &mut self,
        table: &HandTable,
        cards: [[u16; 3]; 2],
        ties: bool,
    ) -> Statement {
        let [caller, other] = [self.hand(0, cards[0]), self.hand(2, cards[1])];
        Statement::new(&self.deal.keys, table, PURPOSE, &caller, &other, ties).unwrap()
    }
}

/// Runs a comparison over the wire; all three parties have to agree.
fn compare(dealt: &mut Dealt, statement: &Statement) -> Outcome {
    let Deal { secrets, rng, .. } = &mut dealt.deal;
    let table = statement.table();
    let (caller, call) = Caller::call(statement, &secrets[0], rng).unwrap();
    let call = Call::from_bytes(&call.to_bytes(), table).unwrap();
    let other = Other::receive(statement, call.clone(), rng).unwrap();
    let onlooker = Onlooker::call(statement, call.clone(), rng).unwrap();
    let (other, selection) = other.select(&secrets[2], rng).unwrap();
    let selection = Selection::from_bytes(&selection.to_bytes(), table).unwrap();
    let onlooker = onlooker.selection(selection.clone(), rng).unwrap();
    let (outcome, answer) = caller.answer(&secrets[0], &selection, rng).unwrap();
    let answer = Answer::from_bytes(&answer.to_bytes()).unwrap();
    assert_eq!(other.answer(&answer, rng), Ok(outcome));
    assert_eq!(onlooker.answer(&answer, rng), Ok(outcome));
    assert_eq!(verify(statement, &call, &selection, &answer, rng), Ok(outcome));
    outcome
}

fn expected(table: &HandTable, cards: [[u16; 3]; 2], ties: bool) -> Outcome {
    let [caller, other] = cards.map(|cards| table.level(table.hand(cards).unwrap()).unwrap());
    match caller.cmp(&other) {
        std::cmp::Ordering::Greater => Outcome::CallerHigher,
        _ if !ties => Outcome::CallerNotHigher,
        std::cmp::Ordering::Equal => Outcome::Equal,
        std::cmp::Ordering::Less => Outcome::CallerLower,
    }
}

#[test]
fn every_pair_of_hands_is_compared_rightly() {
    let mut dealt = Dealt::new(6, 1);
    let hands = all_hands(6, 1);
    let table = dealt.table(&hands);
    assert_eq!((table.len(), table.levels()), (20, 4));
    let disjoint: Vec<_> = hands
        .iter()
        .flat_map(|(a, _)| hands.iter().map(move |(b, _)| [*a, *b]))
        .filter(|[a, b]| a.iter().all(|card| !b.contains(card)))
        .collect();
    assert_eq!(disjoint.len(), 20);
    let mut seen = std::collections::HashSet::new();
    for cards in disjoint {
        for ties in [true, false] {
            let statement = dealt.statement(&table, cards, ties);
            let outcome = compare(&mut dealt, &statement);
            assert_eq!(outcome, expected(&table, cards, ties), "{cards:?} {ties}");
            seen.insert(outcome);
        }
    }
    assert_eq!(seen.len(), 3);
}

#[test]
fn whole_tables_are_compared() {
    for (n, hands) in [(24, 2024), (36, 7140), (37, 7770)] {
        let mut dealt = Dealt::new(usize::from(n), u64::from(n));
        let table = dealt.table(&all_hands(n, 2));
        assert_eq!(table.len(), hands);
        let last = [n - 3, n - 2, n - 1];
        // the first and the last index, and a hand in any order
        for cards in [[[0, 1, 2], last], [last, [0, 1, 2]], [[9, 4, 20], [17, 5, 6]]] {
            let statement = dealt.statement(&table, cards, n != 37);
            let outcome = compare(&mut dealt, &statement);
            assert_eq!(outcome, expected(&table, cards, n != 37), "{n} {cards:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_levels_are_compared_rightly(
        levels in proptest::collection::vec(0_u16..5, 35),
        left_out in 0_usize..20,
        cards in Just([0_u16, 1, 2, 3, 4, 5, 6]).prop_shuffle(),
        ties in any::<bool>(),
    ) {
        let mut hands: Vec<_> =
            all_hands(7, 1).into_iter().zip(levels).map(|((cards, _), level)| (cards, level)).collect();
        let [a, b, c, d, e, f, _] = cards;
        let cards = [[a, b, c], [d, e, f]];
        let mut sorted = cards;
        sorted.iter_mut().for_each(|cards| cards.sort_unstable());
        let mut index = 0;
        hands.retain(|(cards, _)| {
            index += 1;
            index > left_out || sorted.contains(cards)
        });
        let mut all: Vec<u16> = hands.iter().map(|(_, level)| *level).collect();
        all.sort_unstable();
        all.dedup();
        for (_, level) in &mut hands {
            *level = all.binary_search(level).unwrap() as u16;
        }
        let mut dealt = DEALT.lock().unwrap();
        let table = dealt.table(&hands);
        let statement = dealt.statement(&table, cards, ties);
        let outcome = compare(&mut dealt, &statement);
        prop_assert_eq!(outcome, expected(&table, cards, ties));
    }
}

static DEALT: LazyLock<Mutex<Dealt>> = LazyLock::new(|| Mutex::new(Dealt::new(7, 41)));

/// A whole comparison: 0 with the higher hand calls 2.
struct Compared {
    dealt: Dealt,
    statement: Statement,
    call: Call,
    selection: Selection,
    answer: Answer,
}

impl Compared {
    fn new(ties: bool) -> Self {
        let mut dealt = Dealt::new(6, 42);
        let table = dealt.table(&all_hands(6, 1));
        let statement = dealt.statement(&table, [[1, 3, 5], [0, 2, 4]], ties);
        let Deal { secrets, rng, .. } = &mut dealt.deal;
        let (caller, call) = Caller::call(&statement, &secrets[0], rng).unwrap();
        let other = Other::receive(&statement, call.clone(), rng).unwrap();
        let (_, selection) = other.select(&secrets[2], rng).unwrap();
        let (outcome, answer) = caller.answer(&secrets[0], &selection, rng).unwrap();
        assert_eq!(outcome, Outcome::CallerHigher);
        Self { dealt, statement, call, selection, answer }
    }

    /// What everybody finds who verifies these messages: at once and message by message.
    fn verify(
        &self,
        statement: &Statement,
        call: &Call,
        selection: &Selection,
        answer: &Answer,
    ) -> Result<Outcome, Error> {
        let mut rng = rng(1);
        let whole = verify(statement, call, selection, answer, &mut rng);
        let steps = Onlooker::call(statement, call.clone(), &mut rng)
            .and_then(|onlooker| onlooker.selection(selection.clone(), &mut rng))
            .and_then(|onlooker| onlooker.answer(answer, &mut rng));
        assert_eq!(whole, steps);
        whole
    }

    fn on(&self, statement: &Statement) -> Result<Outcome, Error> {
        self.verify(statement, &self.call, &self.selection, &self.answer)
    }
}

const CALL: Error = Error::CallProof { participant: 0 };
const SELECTION: Error = Error::SelectionProof { participant: 2 };
const ANSWER: Error = Error::ShareProof { participant: 0 };

/// Words of points in a call over three `u_t` and a table with nine places of digits.
fn call_points(word: usize) -> bool {
    word < 6 + 14
}

fn selection_points(word: usize) -> bool {
    word < 2 + 14 || (24..27).contains(&word)
}

#[test]
fn every_change_of_a_message_is_refused_and_the_guilty_one_named() {
    for ties in [true, false] {
        let compared = Compared::new(ties);
        let Compared { statement, call, selection, answer, .. } = &compared;
        let table = statement.table();
        assert_eq!(call.to_bytes().len(), Call::bytes(table));
        assert_eq!(call.to_bytes().len(), 32 * (2 * 3 + 9 + 13));
        assert_eq!(selection.to_bytes().len(), Selection::bytes(table));
        assert_eq!(selection.to_bytes().len(), 32 * (9 + 19));
        assert_eq!(answer.to_bytes().len(), Answer::BYTES);
        assert_eq!(compared.on(statement), Ok(Outcome::CallerHigher));

        let changed = changes(&call.to_bytes(), call_points);
        assert!(changed.len() >= 20 * 4 + 8 * 3);
        for (what, bytes) in changed {
            match Call::from_bytes(&bytes, table) {
                Ok(call) => {
                    let result = compared.verify(statement, &call, selection, answer);
                    assert_eq!(result, Err(CALL), "{what}");
                    let other = Other::receive(statement, call.clone(), &mut rng(1));
                    assert_eq!(other.map(|_| ()), Err(CALL), "{what}");
                    let caller = Caller::resume(statement, call, &mut rng(1));
                    assert_eq!(caller.map(|_| ()), Err(CALL), "{what}");
                }
                Err(error) => assert!(what.contains("identity"), "{what}: {error}"),
            }
        }
        for (what, bytes) in changes(&selection.to_bytes(), selection_points) {
            match Selection::from_bytes(&bytes, table) {
                Ok(selection) => {
                    let result = compared.verify(statement, call, &selection, answer);
                    assert_eq!(result, Err(SELECTION), "{what}");
                    let mut rng = rng(1);
                    let caller = Caller::resume(statement, call.clone(), &mut rng).unwrap();
                    let secret = &compared.dealt.deal.secrets[0];
                    let answered = caller.answer(secret, &selection, &mut rng);
                    assert_eq!(answered.map(|_| ()), Err(SELECTION), "{what}");
                }
                Err(error) => assert!(what.contains("identity"), "{what}: {error}"),
            }
        }
        for (what, bytes) in changes(&answer.to_bytes(), |word| word < 3) {
            match Answer::from_bytes(&bytes) {
                Ok(answer) => {
                    let result = compared.verify(statement, call, selection, &answer);
                    assert_eq!(result, Err(ANSWER), "{what}");
                }
                Err(error) => assert!(what.contains("identity"), "{what}: {error}"),
            }
        }
    }
    assert_eq!([CALL, SELECTION, ANSWER].map(|error| error.guilty()), [Some(0), Some(2), Some(0)]);
}

#[test]
fn messages_are_bound_to_their_comparison() {
    let mut compared = Compared::new(true);
    let statement = compared.statement.clone();
    let (keys, table) = (statement.keys().clone(), statement.table().clone());
    let new = |keys: &_, table: &_, purpose, caller: &_, other: &_, ties| {
        Statement::new(keys, table, purpose, caller, other, ties).unwrap()
    };
    let (caller, other) = (*statement.caller(), *statement.other());
    assert_eq!(
        compared.on(&new(&keys, &table, PURPOSE, &caller, &other, true)),
        Ok(Outcome::CallerHigher)
    );
    let mut others = Vec::new();
    // another recipient, reason, step; with ties or without
    for purpose in [
        Purpose { recipient: Recipient::Participant(1), ..PURPOSE },
        Purpose { reason: Reason::Other(4), ..PURPOSE },
        Purpose { reason: Reason::Open, ..PURPOSE },
        Purpose { step: 10, ..PURPOSE },
    ] {
        others.push(new(&keys, &table, purpose, &caller, &other, true));
    }
    others.push(new(&keys, &table, PURPOSE, &caller, &other, false));
    // another table with the same number of levels and hands, other levels of hands that nobody has
    let mut hands = all_hands(6, 1);
    hands.iter_mut().find(|(cards, _)| *cards == [0, 1, 2]).unwrap().1 = 1;
    others.push(new(&keys, &compared.dealt.table(&hands), PURPOSE, &caller, &other, true));
    // the same cards in another order; other cards of either
    let dealt = &mut compared.dealt;
    let order = [dealt.hand(0, [3, 1, 5]), dealt.hand(2, [0, 4, 2])];
    others.push(new(&keys, &table, PURPOSE, &order[0], &other, true));
    others.push(new(&keys, &table, PURPOSE, &caller, &order[1], true));
    let less = [dealt.hand(0, [1, 2, 3]), dealt.hand(2, [0, 4, 5])];
    others.push(new(&keys, &table, PURPOSE, &less[0], &less[1], true));
    let third = dealt.hand(1, [0, 2, 4]);
    others.push(new(&keys, &table, PURPOSE, &caller, &third, true));
    let challenge = |statement: &Statement| {
        statement.transcript(b"test", statement.caller()).unwrap().challenge_scalar(b"c")
    };
    for (index, other) in others.iter().enumerate() {
        assert_eq!(compared.on(other), Err(CALL), "{index}");
        assert_ne!(challenge(other), challenge(&statement), "{index}");
    }
    // another attempt with the very same keys, and the same keys in other seats
    let secrets = compared.dealt.deal.secrets.clone();
    let order = [secrets[0].clone(), secrets[2].clone(), secrets[1].clone()];
    for (keys, seat) in [(join(DealId([1; 32]), 6, &secrets), 2), (join(ID, 6, &order), 1)] {
        let again = |seat, hand: &Hand| Hand::add(*keys.tag(), seat, *hand.cards()).unwrap();
        let foreign = Statement::new(&keys, &table, PURPOSE, &caller, &other, true);
        assert_eq!(foreign.map(|_| ()), Err(Error::ForeignHand { participant: 0 }));
        let statement = new(&keys, &table, PURPOSE, &again(0, &caller), &again(seat, &other), true);
        assert_eq!(compared.on(&statement), Err(CALL));
    }
}

#[test]
fn a_call_cannot_be_copied_or_selected_from_elsewhere() {
    let mut compared = Compared::new(true);
    let Compared { statement, call, selection, answer, dealt } = &mut compared;
    let (keys, table) = (statement.keys().clone(), statement.table().clone());
    let mut rng = rng(3);
    // who was called calls with a copy: the one who called, and somebody else
    let third = dealt.hand(1, [1, 3, 5]);
    for other in [*statement.caller(), third] {
        let reflected =
            Statement::new(&keys, &table, PURPOSE, statement.other(), &other, true).unwrap();
        let result = Onlooker::call(&reflected, call.clone(), &mut rng).map(|_| ());
        assert_eq!(result, Err(Error::CallProof { participant: 2 }));
    }
    // a selection from another call of the same hand, and the answer to another selection
    let [caller, other] = [0, 2].map(|seat: usize| dealt.deal.secrets[seat].clone());
    let (_, call_2) = Caller::call(statement, &caller, &mut rng).unwrap();
    assert_ne!(call_2, *call);
    let result = verify(statement, &call_2, selection, answer, &mut rng);
    assert_eq!(result, Err(SELECTION));
    let receive = Other::receive(statement, call.clone(), &mut rng).unwrap();
    let (_, selection_2) = receive.select(&other, &mut rng).unwrap();
    assert_eq!(verify(statement, call, &selection_2, answer, &mut rng), Err(ANSWER));
    // the share of who is called in place of the caller's, and the other way round
    let mut reflected = selection.clone();
    reflected.share = answer.share;
    assert_eq!(verify(statement, call, &reflected, answer, &mut rng), Err(SELECTION));
    let reflected = Answer { share: selection.share };
    assert_eq!(verify(statement, call, selection, &reflected, &mut rng), Err(ANSWER));
    // the first guilty one is named when more are
    let mut wrong = selection.clone();
    wrong.proof.z += wrong.proof.z_x;
    let mut first = call.clone();
    first.proof.z -= wrong.proof.z_x;
    assert_eq!(verify(statement, &first, &wrong, &reflected, &mut rng), Err(CALL));
    assert_eq!(verify(statement, call, &wrong, &reflected, &mut rng), Err(SELECTION));
}

#[test]
fn every_item_is_hashed_before_its_challenge() {
    let Compared { statement, call, selection, answer, .. } = Compared::new(true);
    let g = Element::new(crate::generators::base());
    // e and e₂ of U
    let challenges = |u: &[crate::Ciphertext]| {
        let (_, e, e_2) = crate::sealed::call::challenges(&statement, u).unwrap();
        (e, e_2)
    };
    let (e, e_2) = challenges(&call.u);
    assert_ne!(e, e_2);
    // e of Sel
    let select = |u: &[crate::Ciphertext], sel: &crate::Ciphertext| {
        select::challenge(&mut select::start(&statement, u).unwrap(), sel)
    };
    let e_sel = select(&call.u, &selection.sel);
    assert_ne!(e, e_sel);
    let mut changed = Vec::new();
    for t in 0..3 {
        let [mut a, mut b] = [call.u.clone(), call.u.clone()];
        a[t].a = g;
        b[t].b = g;
        changed.extend([a, b]);
    }
    let mut swapped = call.u.clone();
    swapped.swap(0, 1);
    changed.extend([swapped, call.u[..2].to_vec()]);
    for u in changed {
        let other = challenges(&u);
        assert!(other.0 != e && other.1 != e_2);
        assert_ne!(select(&u, &selection.sel), e_sel);
    }
    for sel in
        [crate::Ciphertext { a: g, ..selection.sel }, crate::Ciphertext { b: g, ..selection.sel }]
    {
        assert_ne!(select(&call.u, &sel), e_sel);
    }
    // c of a hand proof: everything before it, and B, A, Q
    let proof = &call.proof;
    let c = |proof: &HandProof, label: &'static [u8]| {
        let mut transcript = merlin::Transcript::new(label);
        HandProof::challenge(&mut transcript, &proof.b, &proof.a, &proof.q)
    };
    let honest = c(proof, b"");
    assert_ne!(c(proof, b"other"), honest);
    let fields: [fn(&mut HandProof) -> &mut Element; 2] =
        [|proof| &mut proof.b, |proof| &mut proof.a];
    for field in fields {
        let mut proof = proof.clone();
        *field(&mut proof) = g;
        assert_ne!(c(&proof, b""), honest);
    }
    for k in 0..4 {
        for component in 0..3 {
            let mut proof = proof.clone();
            proof.q[k][component] = g;
            assert_ne!(c(&proof, b""), honest);
        }
    }
    // c of a share: Sel, d, t_0, t_1, and the giver
    let share = |sel: &crate::Ciphertext, share: &SealedShare, giver: &Hand| {
        let mut transcript = share::start(&statement, giver, sel, &share.d).unwrap();
        share::challenge(&mut transcript, &share.t_0, &share.t_1)
    };
    let given = answer.share;
    let honest = share(&selection.sel, &given, statement.caller());
    assert_ne!(share(&selection.sel, &given, statement.other()), honest);
    for (sel, given) in [
        (crate::Ciphertext { a: g, ..selection.sel }, given),
        (crate::Ciphertext { b: g, ..selection.sel }, given),
        (selection.sel, SealedShare { d: g, ..given }),
        (selection.sel, SealedShare { t_0: g, ..given }),
        (selection.sel, SealedShare { t_1: g, ..given }),
    ] {
        assert_ne!(share(&sel, &given, statement.caller()), honest);
    }
}

#[test]
fn who_crashed_goes_on_with_what_was_sent() {
    let Compared { dealt, statement, call, selection, answer } = Compared::new(true);
    let mut rng = rng(5);
    let [caller, other] = [0, 2].map(|seat: usize| dealt.deal.secrets[seat].clone());
    let resumed = Caller::resume(&statement, call.clone(), &mut rng).unwrap();
    let (outcome, again) = resumed.answer(&caller, &selection, &mut rng).unwrap();
    assert_eq!(outcome, Outcome::CallerHigher);
    // another proof, but the same share
    assert!(again != answer && again.share.d == answer.share.d);
    assert_eq!(verify(&statement, &call, &selection, &again, &mut rng), Ok(outcome));
    let resumed = Other::resume(&statement, call.clone(), selection.clone(), &mut rng).unwrap();
    assert_eq!(resumed.answer(&again, &mut rng), Ok(outcome));
    // with somebody else's secret nothing is answered
    let resumed = Caller::resume(&statement, call.clone(), &mut rng).unwrap();
    let wrong = resumed.answer(&other, &selection, &mut rng).map(|_| ());
    assert_eq!(wrong, Err(Error::WrongSecretKey { participant: 0 }));
    let receive = Other::receive(&statement, call, &mut rng).unwrap();
    let wrong = receive.select(&caller, &mut rng).map(|_| ());
    assert_eq!(wrong, Err(Error::WrongSecretKey { participant: 2 }));
}

/// A decoder, forgetting what it decodes.
type Decode<'a> = &'a dyn Fn(&[u8]) -> Result<(), DecodeError>;

/// An encoding, which of its words are points, which of these are never zero, and how to decode it.
type Message<'a> = (Vec<u8>, fn(usize) -> bool, &'a [usize], Decode<'a>);

#[test]
fn encodings_are_exact() {
    let Compared { statement, call, selection, answer, .. } = Compared::new(true);
    let table = statement.table().clone();
    let messages: [Message<'_>; 3] = [
        (call.to_bytes(), call_points, &[0, 2, 4], &|bytes| {
            Call::from_bytes(bytes, &table).map(|_| ())
        }),
        (selection.to_bytes(), selection_points, &[0, 24], &|bytes| {
            Selection::from_bytes(bytes, &table).map(|_| ())
        }),
        (answer.to_bytes(), |word| word < 3, &[0], &|bytes| Answer::from_bytes(bytes).map(|_| ())),
    ];
    for (bytes, is_point, nonzero, decode) in messages {
        assert_eq!(decode(&bytes), Ok(()));
        let expected = bytes.len();
        let mut long = bytes.clone();
        long.extend([0; 64]);
        for found in (0..long.len()).filter(|&found| found != expected) {
            let error = DecodeError::Length { expected, found };
            assert_eq!(decode(&long[..found]), Err(error));
        }
        for word in 0..expected / 32 {
            let with = |replacement: [u8; 32]| {
                let mut bytes = bytes.clone();
                bytes[32 * word..][..32].copy_from_slice(&replacement);
                decode(&bytes)
            };
            let error = if is_point(word) {
                DecodeError::Point { word }
            } else {
                DecodeError::Scalar { word }
            };
            assert_eq!(with([0xff; 32]), Err(error));
            let zero =
                if nonzero.contains(&word) { Err(DecodeError::Zero { word }) } else { Ok(()) };
            assert_eq!(with([0; 32]), zero);
        }
    }
}

#[test]
fn anything_but_an_outcome_is_refused() {
    let g = |number: u8| RistrettoPoint::mul_base(&Scalar::from(number));
    let mut dealt = DEALT.lock().unwrap();
    let table = dealt.table(&all_hands(7, 1));
    for ties in [true, false] {
        let statement = dealt.statement(&table, [[0, 1, 2], [3, 4, 5]], ties);
        assert!(format!("{:?}", statement.table()).len() < 40);
        let outcomes = [0, 1, 2, 3].map(|number| statement.outcome(&g(number)));
        let no = Err(Error::NoOutcome);
        let expected = if ties {
            [Ok(Outcome::CallerLower), Ok(Outcome::Equal), Ok(Outcome::CallerHigher), no]
        } else {
            [Ok(Outcome::CallerNotHigher), Ok(Outcome::CallerHigher), no, no]
        };
        assert_eq!(outcomes, expected);
        assert_eq!(statement.outcome(&-g(1)), no);
        assert_eq!(statement.outcome(table.cards()[0].point()), no);
    }
    assert_eq!(Error::NoOutcome.guilty(), None);
}

#[test]
fn what_is_sent_tells_nothing_apart_from_the_outcome() {
    // no message of one hand shares a word with a message of the same hand, or is longer
    let Compared { dealt, statement, call, selection, .. } = Compared::new(true);
    let mut rng = rng(8);
    let [caller, other] = [0, 2].map(|seat: usize| dealt.deal.secrets[seat].clone());
    let (_, call_2) = Caller::call(&statement, &caller, &mut rng).unwrap();
    let receive = Other::receive(&statement, call.clone(), &mut rng).unwrap();
    let (_, selection_2) = receive.select(&other, &mut rng).unwrap();
    for (one, two) in
        [(call.to_bytes(), call_2.to_bytes()), (selection.to_bytes(), selection_2.to_bytes())]
    {
        assert_eq!(one.len(), two.len());
        let words = one.as_chunks::<32>().0.iter().zip(two.as_chunks::<32>().0);
        assert_eq!(words.filter(|(one, two)| one == two).count(), 0);
    }
}
