//! Missing antes that the dealer pays.

use super::table::{Table, full, seat, seats};
use crate::rules::*;

fn asked(stacks: &[Chips]) -> Table {
    let sets = [("missing_ante", "dealer_pays"), ("ante", "5")];
    let mut table = Table::new(full(Preset::TrinkaClassic, &sets), stacks);
    let all = table.game.seats();
    let dealer = *all.last().unwrap();
    table.ok(Input::Begin { dealer, participants: all });
    assert_eq!(*table.game.phase(), Phase::MissingAnte);
    table
}

#[test]
fn one_by_one_from_the_dealer_on() {
    let mut table = asked(&[20; 4]);
    assert_eq!(table.turn(), Some(seat('D')));
    assert_eq!(table.legal(), [(ActionKind::Ante, 5, 5), (ActionKind::Omit, 0, 0)]);
    assert_eq!(table.cannot('A', Action::Ante), "it is not the turn of seat 0: seat 3 is to act");
    table.act('D', Action::Ante).act('A', Action::Ante).act('B', Action::Omit).silence("C");
    assert_eq!((table.turn(), table.game.awaited()), (None, seats("BC")));
    assert_eq!(table.cannot('A', Action::Ante), "seat 0 is not asked");
    assert_eq!(table.stacks(), [15, 20, 20, 15]);
    // Asked again, B pays after all; the dealer pays for C, who owes nothing.
    table.act('C', Action::Omit).act('B', Action::Ante);
    let paid = GameEvent::PaidFor { dealer: seat('D'), seat: seat('C'), amount: 5 };
    assert_eq!(table.events.last(), Some(&paid));
    assert_eq!((table.stacks(), table.game.bank()), (vec![15, 15, 20, 10], 20));
    assert_eq!(*table.game.phase(), Phase::AwaitDeal { kind: DealKind::First });
    table.deal(&[0; 4]);
    assert_eq!((table.turn(), table.game.bank()), (Some(seat('A')), 20));
}

#[test]
fn a_dealer_who_cannot_pay_the_rest_lets_them_sit_out() {
    let mut table = asked(&[20, 20, 20, 14]);
    table.act('D', Action::Omit).act('A', Action::Ante).silence("BC").silence("BCD");
    // Its own it pays in any case; nine chips are too few for two more.
    assert_eq!((table.stacks(), table.game.bank()), (vec![15, 20, 20, 9], 10));
    assert_eq!(table.game.participants(), seats("AD"));
    let mut table = asked(&[20, 20, 9]);
    table.act('C', Action::Ante).silence("AB").silence("AB");
    // Nobody is left to play with: the ante goes back.
    assert!(table.is_over());
    assert_eq!(table.stacks(), [20, 20, 9]);
    assert_eq!(
        table.events[table.events.len() - 2..],
        [GameEvent::Returned { seat: seat('C'), amount: 5 }, GameEvent::Void { hand: 1 }]
    );
}

#[test]
fn who_is_lost_before_the_deal_takes_its_ante_back() {
    let mut table = asked(&[20; 4]);
    table.act('D', Action::Ante).ok(Input::Lost { seat: seat('D') });
    assert_eq!(table.stacks(), [20; 4]);
    // A deals now, and is asked first.
    assert_eq!((table.game.dealer(), table.turn()), (Some(seat('A')), Some(seat('A'))));
    table.act('A', Action::Ante).act('B', Action::Omit).act('C', Action::Ante).silence("B");
    assert_eq!((table.stacks(), table.game.bank()), (vec![10, 20, 15, 20], 15));
    // What the dealer paid for B goes back to the dealer.
    table.ok(Input::Lost { seat: seat('B') });
    assert_eq!((table.stacks(), table.game.bank()), (vec![15, 20, 15, 20], 10));
    table.ok(Input::Lost { seat: seat('C') });
    assert_eq!((table.stacks(), table.is_over()), (vec![20; 4], true));
}

#[test]
fn the_last_one_asked_may_be_lost() {
    let mut table = asked(&[20; 3]);
    table.act('C', Action::Ante).act('A', Action::Ante).silence("B");
    table.ok(Input::Lost { seat: seat('B') });
    assert_eq!(*table.game.phase(), Phase::AwaitDeal { kind: DealKind::First });
    assert_eq!(table.game.participants(), seats("AC"));
}
