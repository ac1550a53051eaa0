//! The worked examples of the rules; the last seat deals. Some of them come twice: as far as tables
//! play them, and whole.

use super::table::{Table, full, rules, seats};
use crate::rules::*;

#[test]
fn example_1_flat_bets() {
    for rules in [rules(Preset::TrinkaClassic, &[]), full(Preset::TrinkaClassic, &[])] {
        flat_bets(rules);
    }
}

fn flat_bets(rules: HouseRules) {
    let mut table = Table::new(rules, &[100; 4]);
    table.hand('D', &[21, 18, 0, 25]);
    assert_eq!((table.turn(), table.game.bank()), (Some(Seat(0)), 4));
    table.bet('A', 1).bet('B', 3).fold('C').bet('D', 3);
    assert_eq!(table.cannot('A', Action::Bet(2)), "2 is below the price of 3");
    table.bet('A', 3).compare('B');
    assert_eq!(table.game.active(), seats("AD"));
    assert_eq!(table.turn(), Some(Seat(3)));
    table.compare('D');
    assert_eq!(table.result(), (ResultKind::Win, seats("D"), 20));
    assert_eq!(table.stacks(), [95, 93, 99, 113]);
}

#[test]
fn example_4_short_stack() {
    let ante = [("ante", "5")];
    for rules in [rules(Preset::TrinkaOnline, &ante), full(Preset::TrinkaOnline, &ante)] {
        short_stack(rules);
    }
}

fn short_stack(rules: HouseRules) {
    let mut table = Table::new(rules, &[100, 15, 100]);
    table.hand('C', &[25, 30, 21]);
    table.bet('A', 10).bet('B', 10).bet('C', 20).bet('A', 20);
    assert_eq!(table.events.iter().rev().nth(1), Some(&GameEvent::OutByItself { seat: Seat(1) }));
    table.compare('C');
    assert_eq!(table.result(), (ResultKind::Win, seats("A"), 95));
    assert_eq!(table.stacks(), [160, 0, 55]);
}

#[test]
fn example_6_three_way_tie_divided() {
    let mut table = Table::new(rules(Preset::TrinkaClassic, &[("ante", "4")]), &[30; 4]);
    table.hand('D', &[18, 18, 18, 0]);
    table.bet('A', 4).bet('B', 4).bet('C', 4).fold('D').bet('A', 4).compare('B');
    assert!(!table.is_over());
    table.compare('C');
    assert_eq!(table.result(), (ResultKind::Split, seats("ABC"), 40));
    assert_eq!(table.stacks(), [32, 31, 31, 26]);
}

#[test]
fn example_8_seka() {
    let sets = [("ante", "2"), ("opening_minimum", "2"), ("ceiling", "10")];
    let mut table = Table::new(rules(Preset::Seka, &sets), &[40; 3]);
    table.hand('C', &[22, 31, 22]);
    assert_eq!(table.cannot('A', Action::Bet(1)), "1 is below the price of 2");
    table.bet('A', 3);
    let refusal = "3 are still in: only the last two compare";
    assert_eq!(table.cannot('B', Action::Compare), refusal);
    assert_eq!(table.price('B'), (3, None));
    table.bet('B', 5);
    assert_eq!(table.cannot('C', Action::Compare), refusal);
    assert_eq!(table.cannot('C', Action::Bet(11)), "11 is above the ceiling of 10");
    table.bet('C', 5).bet('A', 5).fold('B');
    assert_eq!((table.game.bank(), table.price('C')), (24, (5, Some(5))));
    table.compare('C');
    // Without svara the two divide; the odd chip goes to the dealer's left.
    assert_eq!(table.result(), (ResultKind::Split, seats("AC"), 29));
    assert_eq!(table.stacks(), [45, 33, 42]);
}

#[test]
fn example_2_classic_dark() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 3]);
    table.hand('C', &[20, 20, 17]).dark('A', 2);
    assert_eq!(
        table.cannot('A', Action::Look),
        "who plays dark looks when every seat has acted once"
    );
    assert_eq!(table.cannot('B', Action::Dark(2)), "2 is below the price of 3");
    table.dark('B', 5);
    assert_eq!(table.price('C'), (5, Some(10)));
    table.bet('C', 6).look('A').compare('A');
    assert_eq!(table.game.active(), seats("AB"));
    table.compare('B');
    assert_eq!(*table.game.phase(), Phase::SvaraSplit);
    assert_eq!((table.game.bank(), table.stacks()), (28, vec![41, 38, 43]));
    table.act('A', Action::NoSplit).silence("AB");
    assert_eq!(table.game.entry_price(Seat(2)), Some(14));
    table.act('C', Action::Enter);
    assert_eq!((table.game.bank(), table.stacks()), (42, vec![41, 38, 29]));
}

#[test]
fn example_3_knock_out() {
    let rules = full(Preset::TrinkaOnline, &[("ante", "2")]);
    let mut table = Table::new(rules, &[100; 4]);
    table.hand('D', &[11, 24, 19, 24]);
    assert_eq!(table.cannot('A', Action::Dark(2)), "2 is below the price of 3");
    table.dark('A', 3).dark('B', 4);
    assert_eq!(table.cannot('C', Action::Bet(7)), "7 is below the price of 8");
    assert_eq!(table.price('C'), (8, None));
    table.bet('C', 8).bet('D', 9);
    for name in ['A', 'B', 'C', 'D'] {
        assert_eq!(table.price(name), (9, Some(9)));
    }
    table.look('A').fold('A').bet('B', 9).compare('C');
    assert_eq!(table.game.active(), seats("BD"));
    table.compare('D');
    assert_eq!((table.game.bank(), table.stacks()), (59, vec![95, 85, 81, 80]));
    table.act('D', Action::NoSplit).silence("BD");
    table.ok(Input::Sit { seat: Seat(4), chips: 100 });
    assert_eq!(table.game.entry_price(Seat(0)), Some(30));
    assert_eq!(table.game.entry_price(Seat(4)), Some(59));
}

#[test]
fn example_5_redeal() {
    let rules = full(Preset::TrinkaOnline, &[("ante", "2")]);
    let mut table = Table::new(rules, &[60; 3]);
    table.hand('C', &[0; 3]).bet('A', 2).fold('B').bet('C', 6).bet('A', 6);
    table.ok(Input::Move { seat: Seat(2), action: Action::Compare });
    table.ok(Input::Tens { holder: Seat(0) });
    assert_eq!((table.game.bank(), table.stacks()), (26, vec![50, 58, 46]));
    assert_eq!(table.game.participants(), seats("AC"));
    table.deal(&[0; 3]);
    assert_eq!(table.turn(), Some(Seat(0)));
    assert_eq!(table.cannot('A', Action::Dark(3)), "seat 0 has looked already");
    table.bet('A', 2).fold('C');
    assert_eq!(table.stacks(), [76, 58, 46]);
}

#[test]
fn example_6_svara_instead_of_dividing() {
    let play = || {
        let mut table = Table::new(full(Preset::TrinkaClassic, &[("ante", "4")]), &[30; 4]);
        table.hand('D', &[18, 18, 18, 0]);
        table.bet('A', 4).bet('B', 4).bet('C', 4).fold('D').bet('A', 4);
        table.compare('B').compare('C');
        assert_eq!(table.game.bank(), 40);
        table
    };
    let mut table = play();
    table.act('C', Action::Split).act('A', Action::Split).act('B', Action::Split);
    assert_eq!(table.result(), (ResultKind::Split, seats("ABC"), 40));
    assert_eq!(table.stacks(), [32, 31, 31, 26]);
    let mut table = play();
    table.act('C', Action::Split).act('B', Action::NoSplit).silence("ABC");
    assert_eq!(table.legal(), [(ActionKind::Enter, 20, 20), (ActionKind::StayOut, 0, 0)]);
}

#[test]
fn example_7_boil_and_pool() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50, 50, 35, 35]);
    table.hand('D', &[0; 4]).bet('A', 5).bet('B', 8).bet('C', 8).fold('D');
    assert_eq!(table.cannot('A', Action::Boil), "3 are still in: only the last two boil");
    table.bet('A', 8).bet('B', 8).fold('C');
    assert_eq!(table.game.bank(), 41);
    table.act('A', Action::Boil);
    assert_eq!(*table.game.phase(), Phase::Boil { asker: Seat(0), asked: Seat(1) });
    table.act('B', Action::Accept).silence("AB");
    assert_eq!(table.game.entry_price(Seat(2)), Some(21));
    table.ok(Input::Pool { parts: vec![(Seat(2), 13), (Seat(3), 8)] });
    assert_eq!(table.game.bank(), 62);
    assert_eq!(*table.game.phase(), Phase::DealerChoice { seats: seats("AB") });
    let lift = |seat, card: &str| Input::Lift { seat, cards: vec![card.parse().unwrap()] };
    table.ok(lift(Seat(0), "Ts")).ok(lift(Seat(1), "9h")).deal(&[0; 4]);
    assert_eq!((table.game.dealer(), table.turn()), (Some(Seat(0)), Some(Seat(1))));
    table.fold('B').bet('C', 4);
    let parts = [(Seat(2), 3), (Seat(3), 1)].into_iter().collect();
    assert!(table.events.contains(&GameEvent::PoolPaid { holder: Seat(2), parts }));
    table.fold('A');
    assert_eq!(table.result(), (ResultKind::Win, seats("C"), 66));
    let paid = &table.game.result().unwrap().paid;
    assert_eq!((paid[&Seat(2)], paid[&Seat(3)]), (41, 25));
    assert_eq!(table.stacks(), [36, 33, 51, 50]);
}

#[test]
fn example_8_ends_in_a_svara() {
    let sets = [("ante", "2"), ("opening_minimum", "2"), ("ceiling", "10")];
    let mut table = Table::new(full(Preset::Seka, &sets), &[40; 3]);
    table.hand('C', &[22, 31, 22]);
    table.bet('A', 3).bet('B', 5).bet('C', 5).bet('A', 5).fold('B').compare('C');
    assert_eq!((table.game.bank(), table.stacks()), (29, vec![30, 33, 28]));
    table.act('A', Action::NoSplit);
    assert_eq!(table.game.entry_price(Seat(1)), Some(15));
}
