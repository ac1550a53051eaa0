//! Finding a dealer: lifting, counting, lots, and who lifts when.

use super::table::{Table, full, seat, seats};
use crate::rules::*;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

impl Table {
    fn find(&mut self, host: char, names: &str) -> &mut Table {
        self.ok(Input::ChooseDealer { host: seat(host), participants: seats(names) })
    }

    fn lift(&mut self, name: char, text: &str) -> &mut Table {
        self.ok(Input::Lift { seat: seat(name), cards: cards(text) })
    }

    fn dealer_is(&self, name: char) {
        assert_eq!(*self.game.phase(), Phase::Idle);
        assert_eq!(self.game.next_dealer(&self.game.seats()), Some(seat(name)));
        assert_eq!(self.events.last(), Some(&GameEvent::DealerFound { seat: seat(name) }));
    }
}

fn evening(method: &str) -> Table {
    Table::new(full(Preset::TrinkaClassic, &[("first_dealer", method)]), &[50; 4])
}

#[test]
fn each_lifts_clockwise_from_the_host() {
    let mut table = evening("lift");
    assert!(table.game.must_choose_dealer(&seats("ABCD")));
    table.find('C', "ABCD");
    assert_eq!(*table.game.phase(), Phase::DealerChoice { seats: seats("CDAB") });
    assert_eq!(table.no(Input::Rebuy { seat: seat('Z'), chips: 1 }), "nobody sits on seat 25");
    // One card must be left for each of the three after it.
    assert_eq!((table.turn(), table.legal()), (Some(seat('C')), vec![(ActionKind::Lift, 1, 21)]));
    assert_eq!(table.cannot('C', Action::Lift(22)), "22 cards cannot be lifted: from 1 to 21 here");
    table.act('C', Action::Lift(10));
    assert_eq!(table.legal(), [(ActionKind::Lift, 1, 12)]);
    // Silence lifts an equal share: 14 are left for three.
    table.silence("D").act('A', Action::Lift(9));
    assert_eq!(table.legal(), [(ActionKind::Lift, 1, 1)]);
    assert!(table.game.cards_to_open().is_empty());
    table.act('B', Action::Lift(1));
    let open = |table: &Table| {
        let named = |(Seat(at), place)| (char::from(b'A' + at), place);
        table.game.cards_to_open().into_iter().map(named).collect::<Vec<_>>()
    };
    assert_eq!(open(&table), [('C', 9), ('D', 13), ('A', 22), ('B', 23)]);
    table.lift('D', "Ah").lift('C', "As").lift('B', "9s").lift('A', "Ts");
    // The two aces go one card deeper.
    assert_eq!(open(&table), [('C', 8), ('D', 12)]);
    assert_eq!(table.no(Input::Lift { seat: seat('C'), cards: cards("Ah") }), "Ah comes twice");
    table.lift('C', "7s").lift('D', "8s");
    table.dealer_is('D');
}

#[test]
fn packets_may_be_told_at_once() {
    let mut table = evening("lift");
    table.find('A', "ABC").lift('A', "9s Ts").lift('C', "9h 8h");
    assert_eq!(
        table.no(Input::Lift { seat: seat('A'), cards: cards("As") }),
        "seat 0 has not lifted so many cards, or none were opened"
    );
    assert_eq!(
        table.no(Input::Lift { seat: seat('D'), cards: cards("As") }),
        "seat 3 does not lift"
    );
    assert_eq!(
        table.no(Input::Lift { seat: seat('B'), cards: cards("Ks") }),
        "Ks is not in the deck of 24 cards"
    );
    table.lift('B', "6s");
    table.dealer_is('A');
}

#[test]
fn without_a_deeper_card_the_tied_lift_again() {
    let mut table = evening("lift");
    table
        .find('A', "ABCD")
        .lift('A', "Ts")
        .lift('B', "Th 9h")
        .lift('C', "6h Ah")
        .lift('D', "Td 6c");
    assert_eq!(table.events.last(), Some(&GameEvent::ChoiceAgain { seats: seats("ABD") }));
    table.lift('D', "Ts 6c").lift('A', "Th 9h").lift('B', "6h");
    table.dealer_is('A');
    // The joker is the lowest.
    let sets = [("wild", "joker"), ("deck", "36")];
    let mut table = Table::new(full(Preset::Seka, &sets), &[50; 2]);
    table.find('A', "AB").lift('A', "JK").lift('B', "6h");
    table.dealer_is('B');
}

#[test]
fn counting_ends_at_the_first_ace_of_a_player() {
    let mut table = evening("count");
    table.find('B', "ABCD");
    assert_eq!((table.turn(), table.legal()), (None, vec![]));
    // The first ace is the table's; then host, C, D, A, host, C.
    table.ok(Input::Count { cards: cards("As 7s 8s") });
    assert_eq!(table.no(Input::Count { cards: cards("9s 8s") }), "8s comes twice");
    assert_eq!(
        table.no(Input::Lift { seat: seat('A'), cards: cards("9s") }),
        "the dealer is found by count here"
    );
    table.ok(Input::Count { cards: cards("9s Ts 6c Ah 7h") });
    table.dealer_is('C');
    let mut table = evening("count");
    table.find('B', "AB").ok(Input::Count { cards: cards("7s As") });
    table.dealer_is('B');
}

#[test]
fn by_lot_or_by_the_host() {
    let mut table = evening("random");
    table.find('A', "ABCD");
    assert_eq!(table.no(Input::Count { cards: cards("9s") }), "the dealer is found by random here");
    table.ok(Input::DealerIs { seat: seat('C') });
    table.dealer_is('C');
    let mut table = evening("host");
    assert!(!table.game.must_choose_dealer(&seats("ABCD")));
    table.find('B', "ACD");
    table.dealer_is('C');
}

#[test]
fn who_leaves_meanwhile_is_not_chosen() {
    let mut table = evening("lift");
    table.find('A', "ABC").lift('A', "As").lift('B', "9s");
    table.ok(Input::Leave { seat: seat('A') });
    assert_eq!(*table.game.phase(), Phase::DealerChoice { seats: seats("BC") });
    table.ok(Input::Lost { seat: seat('D') }).ok(Input::Freeze { seat: seat('B') });
    table.dealer_is('C');
    // A hand can begin only when that is over, and clears it.
    let mut table = evening("lift");
    let begin = Input::Begin { dealer: seat('B'), participants: seats("AB") };
    table.find('A', "AB");
    assert_eq!(table.no(begin.clone()), "the hand is not over yet");
    table.lift('A', "As").lift('B', "9s").ok(begin).deal(&[0; 2]).fold('A');
    assert_eq!(table.game.next_dealer(&seats("AB")), Some(seat('B')));
}

#[test]
fn after_a_split_the_splitters_lift() {
    let mut table = evening("host");
    table.hand('D', &[9, 9, 0, 0]).bet('A', 1).compare('B').fold('C').fold('D');
    table.act('A', Action::Split).act('B', Action::Split);
    assert!(table.game.must_choose_dealer(&seats("ABCD")));
    table.find('D', "ABCD");
    assert_eq!(*table.game.phase(), Phase::DealerChoice { seats: seats("AB") });
    table.lift('A', "9s").lift('B', "Ts");
    table.dealer_is('B');
    assert!(!table.game.must_choose_dealer(&seats("ABCD")));
    // One splitter alone deals, and after a win nobody lifts.
    let mut table = evening("host");
    table.hand('D', &[9, 9, 0, 0]).bet('A', 1).compare('B').fold('C').fold('D');
    table.act('A', Action::Split).act('B', Action::Split).find('D', "BCD");
    table.dealer_is('B');
    let mut table = evening("host");
    table.hand('D', &[0; 4]).fold('A').fold('B').fold('C').find('A', "ABCD");
    table.dealer_is('D');
}
