//! Three tens and the redeal.

use super::table::{Table, full, seats};
use crate::rules::*;

const COMPARE_B: Input = Input::Move { seat: Seat(1), action: Action::Compare };

#[test]
fn on_demand_on_the_holders_turn() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 4]);
    table.hand('D', &[0; 4]);
    assert_eq!(table.cannot('A', Action::Redeal), "seat 0 has not looked yet");
    table.dark('A', 2).bet('B', 2).fold('C').bet('D', 2);
    assert_eq!(table.cannot('A', Action::Redeal), "seat 0 has not looked yet");
    table.bet('A', 2).act('B', Action::Redeal);
    let kind = DealKind::Redeal { holder: Some(Seat(1)) };
    assert_eq!(*table.game.phase(), Phase::AwaitDeal { kind });
    table.deal(&[0; 4]);
    // The holder speaks first; dark play was there before, so it has the right; no antes.
    assert_eq!((table.turn(), table.game.active()), (Some(Seat(1)), seats("ABD")));
    assert_eq!(table.game.bank(), 12);
    table.dark('B', 1).dark('D', 2).bet('A', 2).fold('B').fold('D');
    assert_eq!(table.result(), (ResultKind::Win, seats("A"), 17));
}

#[test]
fn on_demand_in_a_comparison_both_are_asked() {
    let play = || {
        let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 3]);
        table.hand('C', &[5, 9, 0]).bet('A', 2).ok(COMPARE_B);
        table
    };
    let mut table = play();
    assert_eq!(*table.game.phase(), Phase::ThreeTens { caller: Seat(1), target: Seat(0) });
    assert_eq!((table.turn(), table.game.price(Seat(0)), table.legal().len()), (None, None, 4));
    assert_eq!(table.cannot('C', Action::Accept), "seat 2 is not asked");
    table.ok(Input::Move { seat: Seat(0), action: Action::Refuse });
    assert_eq!(table.cannot('A', Action::Accept), "seat 0 has answered already");
    table.ok(Input::TimeOut { seat: Seat(1) });
    assert_eq!(*table.game.phase(), Phase::Comparing { caller: Seat(1), target: Seat(0) });
    let mut table = play();
    table.act('A', Action::Accept);
    assert_eq!(table.game.bank(), 7);
    table.deal(&[0; 3]);
    // Nobody played dark before, so nobody does now.
    assert_eq!((table.turn(), table.game.may_go_dark(Seat(0))), (Some(Seat(0)), false));
    let mut table = play();
    table.ok(Input::Lost { seat: Seat(0) });
    assert_eq!((table.game.active(), table.turn()), (seats("BC"), Some(Seat(2))));
}

#[test]
fn on_compare_it_is_a_redeal_by_itself() {
    let mut table = Table::new(full(Preset::TrinkaOnline, &[]), &[50; 3]);
    table.hand('C', &[0; 3]);
    assert_eq!(table.no(Input::Tens { holder: Seat(0) }), "no comparison is awaited");
    assert_eq!(table.cannot('A', Action::Redeal), "redeal is not open now");
    table.bet('A', 2).bet('B', 2).bet('C', 2).bet('A', 2).ok(COMPARE_B);
    assert_eq!(table.no(Input::Tens { holder: Seat(2) }), "seat 2 is not asked");
    table.ok(Input::Tens { holder: Seat(1) });
    assert_eq!(table.game.participants(), seats("ABC"));
    table.deal(&[0; 3]);
    assert_eq!((table.turn(), table.price('B')), (Some(Seat(1)), (1, None)));
}

#[test]
fn a_holder_lost_before_the_redeal_leaves_the_first_word_to_the_left() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 4]);
    table.hand('D', &[0; 4]).dark('A', 1).bet('B', 1).act('C', Action::Redeal);
    table.ok(Input::Lost { seat: Seat(2) }).deal(&[0; 4]);
    assert_eq!((table.turn(), table.game.may_go_dark(Seat(0))), (Some(Seat(0)), false));
}
