//! Dark play: the chain, looking, prices, and how it ends.

use super::table::{Table, full, seats};
use crate::rules::*;

fn classic(sets: &[(&str, &str)], stacks: &[Chips]) -> Table {
    let mut table = Table::new(full(Preset::TrinkaClassic, sets), stacks);
    let last = u8::try_from(stacks.len() - 1).unwrap();
    table.hand(char::from(b'A' + last), &[0; 8]);
    table
}

fn online(sets: &[(&str, &str)], stacks: &[Chips]) -> Table {
    let mut table = Table::new(full(Preset::TrinkaOnline, sets), stacks);
    let last = u8::try_from(stacks.len() - 1).unwrap();
    table.hand(char::from(b'A' + last), &[0; 8]);
    table
}

#[test]
fn the_chain_breaks_with_the_first_open_act() {
    for act in [Action::Bet(1), Action::Fold] {
        let mut table = classic(&[], &[50; 4]);
        assert!(table.game.may_go_dark(Seat(3)));
        table.act('A', act);
        assert_eq!(table.cannot('B', Action::Dark(5)), "the right to go dark has passed");
        assert!(!table.game.may_go_dark(Seat(3)));
    }
    let mut table = classic(&[("dark_chain", "unlimited")], &[50; 4]);
    table.dark('A', 1).compare('B');
    assert_eq!(table.cannot('C', Action::Dark(5)), "the right to go dark has passed");
}

#[test]
fn the_chain_has_two_places_or_no_end() {
    let mut table = classic(&[], &[50; 4]);
    table.dark('A', 1).dark('B', 2);
    assert_eq!(table.cannot('C', Action::Dark(3)), "the right to go dark has passed");
    let mut table = classic(&[("dark_chain", "unlimited")], &[50; 4]);
    table.dark('A', 1).dark('B', 2).dark('C', 3).dark('D', 4);
    assert_eq!(table.cannot('A', Action::Dark(5)), "the right to go dark has passed");
    table.bet('A', 5);
    assert!(table.game.is_dark(Seat(0)));
}

#[test]
fn a_look_before_the_first_act_gives_the_right_up() {
    let mut table = classic(&[], &[50; 4]);
    // Off turn, and once.
    table.look('B');
    assert_eq!(table.cannot('B', Action::Look), "seat 1 has looked already");
    table.dark('A', 1);
    assert_eq!(table.cannot('B', Action::Dark(3)), "seat 1 has looked already");
    let mut table = classic(&[], &[50; 4]);
    table.look('A');
    assert_eq!(table.cannot('A', Action::Dark(3)), "seat 0 has looked already");
}

#[test]
fn the_right_passes_over_who_drops_out_by_itself() {
    let mut table = classic(&[], &[50, 1, 50, 50]);
    table.dark('A', 3);
    assert_eq!(table.game.active(), seats("ACD"));
    table.dark('C', 4);
}

#[test]
fn dark_bets_go_up_to_half_the_ceiling() {
    let mut table = classic(&[("ceiling", "21")], &[50; 3]);
    assert_eq!(table.cannot('A', Action::Dark(11)), "11 is too much: dark play goes up to 10 here");
    assert_eq!(table.legal()[2], (ActionKind::Dark, 1, 10));
    // With equal prices a dark seat's later bets may go to the ceiling.
    table.dark('A', 10).bet('B', 10).bet('C', 20).bet('A', 21);
    let mut table = online(&[("ceiling", "21")], &[90; 3]);
    assert_eq!(table.legal()[2], (ActionKind::Dark, 2, 10));
    // With double ones all of its payments are bound.
    table.dark('A', 9).bet('B', 18).bet('C', 18);
    assert_eq!(table.legal()[1], (ActionKind::Bet, 9, 10));
    assert_eq!(table.cannot('A', Action::Bet(11)), "11 is too much: dark play goes up to 10 here");
}

#[test]
fn classic_prices() {
    let mut table = classic(&[], &[90; 3]);
    table.dark('A', 3).bet('B', 4);
    assert_eq!(table.price('C'), (4, Some(6)));
    table.bet('C', 8);
    // Whoever went dark compares for the level, also after looking.
    assert_eq!(table.price('A'), (8, Some(8)));
    table.look('A');
    assert_eq!(table.price('A'), (8, Some(8)));
    assert_eq!(table.price('B'), (8, Some(8)));
    let mut table = classic(&[("compare_price", "fixed")], &[90; 3]);
    table.dark('A', 3).bet('B', 4).bet('C', 8);
    assert_eq!(table.price('A'), (8, Some(3)));
}

#[test]
fn the_first_circle_must_be_over_before_a_dark_player_looks() {
    let mut table = classic(&[], &[90; 3]);
    table.dark('A', 3).bet('B', 3);
    let refusal = "who plays dark looks when every seat has acted once";
    assert_eq!(table.cannot('A', Action::Look), refusal);
    table.bet('C', 3).look('A');
    // A comparison with neighbours' eyes is a look even before that.
    let mut table = classic(&[], &[90; 3]);
    table.dark('A', 3).compare('B');
    assert!(table.game.has_looked(Seat(0)) && !table.game.is_dark(Seat(0)));
}

#[test]
fn a_sealed_comparison_leaves_the_dark_seat_dark() {
    let mut table = online(&[], &[90; 3]);
    table.dark('A', 2).bet('B', 4).bet('C', 4).bet('A', 2);
    table.ok(Input::Move { seat: Seat(1), action: Action::Compare });
    table.ok(Input::Outcome { result: CompareResult::Target });
    assert!(table.game.is_dark(Seat(0)));
    assert_eq!(table.price('C'), (4, Some(4)));
}

#[test]
fn online_prices_halve_until_the_last_dark_seat_looks() {
    let mut table = online(&[], &[90; 3]);
    table.dark('A', 3).dark('B', 5);
    assert_eq!((table.price('A').0, table.price('C').0), (5, 10));
    // Exactly twice the dark level leaves it; a dark raise lifts it.
    table.bet('C', 10).bet('A', 7);
    assert_eq!((table.price('B').0, table.price('C').0), (7, 14));
    table.look('B');
    assert_eq!(table.price('B').0, 14);
    // Off turn, for nothing, and the last to look: the level is twice the dark one for all.
    table.look('A');
    assert_eq!(table.game.dark_level(), None);
    for name in ['A', 'B', 'C'] {
        assert_eq!(table.price(name).0, 14);
    }
}

#[test]
fn the_last_dark_seat_leaving_ends_it_too() {
    let mut table = online(&[], &[90; 3]);
    table.dark('A', 3).bet('B', 6).bet('C', 6).fold('A');
    assert_eq!(table.price('B').0, 6);
    let mut table = online(&[], &[90; 3]);
    table.dark('A', 3).ok(Input::Lost { seat: Seat(0) });
    assert_eq!(table.price('B').0, 6);
    // The chain is unbroken, so the next may still go dark, above the dark bet before.
    assert_eq!(table.cannot('B', Action::Dark(3)), "3 is below the price of 4");
    table.dark('B', 4);
    assert_eq!(table.price('C').0, 8);
}

#[test]
fn without_knock_out_an_open_bet_lifts_the_dark_level() {
    let mut table = online(&[("knock_out", "off"), ("ceiling", "21")], &[90; 3]);
    table.dark('A', 3).bet('B', 9);
    assert_eq!((table.price('A').0, table.price('C').0), (5, 10));
    // The double price must stay within the ceiling.
    assert_eq!(
        table.cannot('C', Action::Bet(21)),
        "21 would lift the double price above the ceiling: at most 20"
    );
    table.bet('C', 20);
    assert_eq!((table.price('A').0, table.price('C').0), (10, 20));
}

#[test]
fn knocked_out_seats_pay_in_full_and_may_still_look() {
    let mut table = online(&[("ceiling", "21")], &[90; 3]);
    table.dark('A', 3).bet('B', 7).bet('C', 20);
    assert_eq!(table.price('A').0, 20);
    assert_eq!(table.legal()[1], (ActionKind::Bet, 20, 21));
    table.look('A').bet('A', 20);
}

#[test]
fn short_stacks_in_dark_play() {
    // Online: 7 left pay the dark 5, not the open 10; a look on its own turn is the end.
    let mut table = online(&[], &[13, 90, 90]);
    table.dark('A', 5).bet('B', 10).bet('C', 10);
    assert_eq!(table.turn(), Some(Seat(0)));
    table.look('A');
    assert_eq!((table.game.active(), table.turn()), (seats("BC"), Some(Seat(1))));
    // Only the dark bet is cheap enough, and it is enough.
    let mut table = online(&[], &[90, 9, 90]);
    table.dark('A', 5);
    assert_eq!(table.turn(), Some(Seat(1)));
    assert_eq!(table.legal()[1], (ActionKind::Dark, 6, 8));
}

#[test]
fn time_over_in_the_chain_is_a_fold_and_closes_it() {
    let mut table = classic(&[], &[50; 4]);
    table.ok(Input::TimeOut { seat: Seat(0) });
    assert_eq!(table.cannot('B', Action::Dark(5)), "the right to go dark has passed");
}
