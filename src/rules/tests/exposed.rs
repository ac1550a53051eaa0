//! Cards turned up while they are dealt.

use super::table::{Table, full, seat, seats};
use crate::rules::*;

fn dealing(sets: &[(&str, &str)], players: usize) -> Table {
    let mut table = Table::new(full(Preset::TrinkaClassic, sets), &vec![50; players]);
    let participants = table.game.seats();
    table.ok(Input::Begin { dealer: *participants.last().unwrap(), participants });
    table
}

#[test]
fn the_dealer_turns_one_up_and_the_receiver_answers() {
    let mut table = dealing(&[], 4);
    assert_eq!(table.game.cutter(), Some(seat('C')));
    // Everybody may ask for its own card; the dealer may turn up any other.
    assert_eq!(table.legal().len(), 7);
    assert_eq!(table.cannot('B', Action::Expose(seat('A'))), "expose is not open now");
    table.act('D', Action::Expose(seat('B')));
    assert_eq!(*table.game.phase(), Phase::Exposed { seat: seat('B') });
    assert_eq!((table.turn(), table.game.rest()), (Some(seat('B')), 12));
    assert_eq!(table.legal(), [(ActionKind::Keep, 0, 0), (ActionKind::Replace, 0, 11)]);
    assert_eq!(table.cannot('B', Action::Replace(12)), "place 12 is not there: 12 cards are left");
    assert_eq!(table.no(Input::Dealt), "no deal is awaited");
    table.act('B', Action::Replace(5));
    // The exposed one lies under the rest and is not drawn again.
    assert_eq!(table.game.rest(), 11);
    assert_eq!(
        table.cannot('D', Action::Expose(seat('B'))),
        "seat 1 has had a card turned up already"
    );
    // Its own card a receiver cannot have replaced.
    table.act('A', Action::Expose(seat('A'))).act('D', Action::Expose(seat('C'))).silence("C");
    assert_eq!((table.game.exposed(), table.game.rest()), (seats("ABC"), 11));
    table.deal(&[0; 4]);
    // Nobody has looked by that: dark play is open.
    table.dark('A', 2);
}

#[test]
fn also_after_the_deal_while_nobody_can_have_looked() {
    let mut table = dealing(&[], 3);
    table.deal(&[0; 3]).act('C', Action::Expose(seat('B'))).act('B', Action::Keep);
    assert_eq!((table.turn(), table.game.phase()), (Some(seat('A')), &Phase::Betting));
    assert_eq!(table.cannot('A', Action::Expose(seat('A'))), "expose is not open now");
    table.look('B');
    assert_eq!(table.cannot('C', Action::Expose(seat('A'))), "expose is not open now");
    let mut table = dealing(&[("dark", "off")], 3);
    table.deal(&[0; 3]);
    assert_eq!(table.cannot('C', Action::Expose(seat('B'))), "expose is not open now");
}

#[test]
fn with_a_full_table_nothing_is_left_to_replace_with() {
    let mut table = dealing(&[], 8);
    table.act('H', Action::Expose(seat('A')));
    assert_eq!(table.legal(), [(ActionKind::Keep, 0, 0)]);
    assert_eq!(table.cannot('A', Action::Replace(0)), "place 0 is not there: 0 cards are left");
}

#[test]
fn a_loss_begins_the_deal_again() {
    let mut table = dealing(&[], 4);
    table.act('D', Action::Expose(seat('A'))).ok(Input::Lost { seat: seat('A') });
    assert_eq!(*table.game.phase(), Phase::AwaitDeal { kind: DealKind::First });
    table.act('D', Action::Expose(seat('B'))).ok(Input::Lost { seat: seat('C') });
    assert_eq!(*table.game.phase(), Phase::AwaitDeal { kind: DealKind::First });
    assert!(table.game.exposed().is_empty());
    table.deal(&[0; 4]).act('D', Action::Expose(seat('B'))).ok(Input::Lost { seat: seat('D') });
    assert_eq!(table.result(), (ResultKind::Win, seats("B"), 2));
}

#[test]
fn with_the_switch_off_nobody_may() {
    let table = dealing(&[("exposed_card", "off")], 3);
    assert!(table.legal().is_empty());
    assert_eq!(table.cannot('C', Action::Expose(seat('A'))), "expose is not open now");
}
