//! Svara: boiling, splitting, entering, pacts, and who deals.

use super::table::{Table, full, seats};
use crate::rules::*;

/// A and B have tied at a table of four; the bank is 10, C and D are out.
fn tied(sets: &[(&str, &str)]) -> Table {
    let mut table = Table::new(full(Preset::TrinkaClassic, sets), &[50; 4]);
    table.hand('D', &[9, 9, 0, 0]).bet('A', 3).bet('B', 3).fold('C').fold('D');
    table.fold_tie();
    table
}

impl Table {
    /// A pays nothing more than a bet of 3, B compares.
    fn fold_tie(&mut self) {
        self.bet('A', 3).compare('B');
        assert_eq!((self.game.bank(), self.game.phase()), (16, &Phase::SvaraSplit));
    }
}

#[test]
fn the_first_refusal_ends_the_split() {
    let mut table = tied(&[]);
    assert_eq!(table.cannot('C', Action::Split), "seat 2 is not asked");
    table.act('B', Action::Split);
    assert_eq!(table.cannot('B', Action::NoSplit), "seat 1 has answered already");
    table.silence("A");
    assert_eq!(*table.game.phase(), Phase::SvaraEntry);
    let mut table = tied(&[]);
    table.act('B', Action::Split).act('A', Action::Split);
    assert_eq!(table.result(), (ResultKind::Split, seats("AB"), 16));
}

#[test]
fn an_initiator_lost_in_the_split_leaves_it_to_the_others() {
    let mut table = tied(&[]);
    table.ok(Input::Lost { seat: Seat(0) });
    assert_eq!(table.result(), (ResultKind::Win, seats("B"), 16));
}

#[test]
fn initiators_answer_first_and_the_last_one_takes_the_bank() {
    let mut table = tied(&[]);
    table.act('A', Action::NoSplit);
    assert_eq!(table.cannot('C', Action::Enter), "the initiators answer first");
    assert_eq!(table.game.initiators(), seats("AB"));
    table.act('A', Action::StayOut);
    assert_eq!(table.result(), (ResultKind::Win, seats("B"), 16));
}

#[test]
fn who_enters_pays_and_plays() {
    let mut table = tied(&[("entry_newcomer", "full")]);
    table.act('A', Action::NoSplit).ok(Input::Sit { seat: Seat(4), chips: 20 });
    table.act('B', Action::Enter).act('A', Action::Enter);
    assert_eq!(table.cannot('A', Action::StayOut), "seat 0 has answered already");
    table.act('E', Action::Enter).act('D', Action::Enter);
    assert_eq!((table.game.bank(), table.stacks()), (40, vec![43, 43, 49, 41, 4]));
    assert_eq!(table.no(Input::Rebuy { seat: Seat(4), chips: 5 }), "seat 4 is still in the hand");
    table.act('C', Action::StayOut);
    assert_eq!(table.no(Input::DealerIs { seat: Seat(3) }), "seat 3 does not lift");
    table.ok(Input::DealerIs { seat: Seat(1) });
    assert_eq!(table.game.participants(), seats("DEAB"));
    table.deal(&[0; 5]);
    // Nobody antes, nobody plays dark, and the price is the opening one.
    assert_eq!((table.game.bank(), table.turn()), (40, Some(Seat(3))));
    assert_eq!(table.cannot('D', Action::Dark(2)), "seat 3 has looked already");
    table.bet('D', 1).fold('E').fold('A').fold('B');
    assert_eq!(table.result(), (ResultKind::Win, seats("D"), 41));
    assert_eq!(table.game.next_dealer(&seats("ABCDE")), Some(Seat(3)));
}

#[test]
fn entry_prices_round_up() {
    for (sets, played) in [("half", 8), ("third", 6), ("share", 8)] {
        let mut table = tied(&[("entry_played", sets)]);
        table.act('A', Action::NoSplit);
        assert_eq!(table.game.entry_price(Seat(2)), Some(played), "{sets}");
        assert_eq!(table.game.entry_price(Seat(0)), Some(0));
    }
}

#[test]
fn who_cannot_pay_may_buy_or_stays_out() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50, 50, 4, 50]);
    table.hand('D', &[9, 9, 0, 0]).bet('A', 3).bet('B', 3).fold('C').fold('D').fold_tie();
    table.act('A', Action::NoSplit).silence("AB");
    assert_eq!(table.cannot('C', Action::Enter), "8 is more than the 3 chips that are left");
    table.ok(Input::Rebuy { seat: Seat(2), chips: 5 }).act('C', Action::Enter);
    assert_eq!(table.stacks(), [43, 43, 0, 49]);
}

#[test]
fn nobody_waits_for_the_lost_the_gone_and_the_frozen() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 6]);
    table.hand('F', &[9, 9, 0, 0, 0, 0]).bet('A', 3).bet('B', 3);
    table.ok(Input::Lost { seat: Seat(2) }).fold('D').fold('E').fold('F');
    table.bet('A', 3).compare('B').act('A', Action::NoSplit).silence("AB");
    table.ok(Input::Freeze { seat: Seat(3) }).ok(Input::Leave { seat: Seat(4) });
    assert_eq!(table.cannot('D', Action::Enter), "the stack of seat 3 is frozen");
    table.ok(Input::Lost { seat: Seat(5) });
    assert_eq!(*table.game.phase(), Phase::DealerChoice { seats: seats("AB") });
    table.ok(Input::Lost { seat: Seat(0) });
    assert_eq!(table.result(), (ResultKind::Win, seats("B"), 18));
}

#[test]
fn one_initiator_left_deals_without_lifting() {
    let mut table = tied(&[]);
    table.act('A', Action::NoSplit).silence("AB").act('C', Action::Enter);
    table.ok(Input::Lost { seat: Seat(0) }).act('D', Action::StayOut);
    let kind = DealKind::Svara;
    assert_eq!(*table.game.phase(), Phase::AwaitDeal { kind });
    assert_eq!((table.game.dealer(), table.game.participants()), (Some(Seat(1)), seats("CB")));
    // A participant lost before the deal leaves its entry in the bank.
    table.ok(Input::Lost { seat: Seat(1) });
    assert_eq!(table.result(), (ResultKind::Win, seats("C"), 24));
}

#[test]
fn boiling_is_asked_once_a_turn_and_refused_or_not() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 2]);
    table.hand('B', &[0; 2]).act('A', Action::Boil);
    assert_eq!(table.turn(), Some(Seat(1)));
    assert_eq!(table.cannot('A', Action::Fold), "it is not the turn of seat 0: seat 1 is to act");
    table.act('B', Action::Refuse);
    assert_eq!(table.turn(), Some(Seat(0)));
    assert_eq!(table.cannot('A', Action::Boil), "the other has refused a svara in this turn");
    table.bet('A', 1).act('B', Action::Boil).silence("A");
    table.bet('B', 1).act('A', Action::Boil).act('B', Action::Accept);
    // No split, even if both wanted it.
    assert_eq!(*table.game.phase(), Phase::SvaraEntry);
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 2]);
    table.hand('B', &[0; 2]).act('A', Action::Boil).ok(Input::Lost { seat: Seat(1) });
    assert_eq!(table.result(), (ResultKind::Win, seats("A"), 2));
}

#[test]
fn a_new_tie_is_a_new_svara_and_former_initiators_pay() {
    let mut table = tied(&[]);
    table.act('A', Action::NoSplit).silence("AB").act('C', Action::Enter).act('D', Action::Enter);
    table.ok(Input::DealerIs { seat: Seat(0) }).deal(&[0, 0, 7, 7]);
    table.fold('B').bet('C', 1).bet('D', 1).fold('A').compare('C');
    assert_eq!((table.game.phase(), table.game.bank()), (&Phase::SvaraSplit, 35));
    table.act('C', Action::NoSplit);
    assert_eq!(table.game.initiators(), seats("CD"));
    assert_eq!(table.game.entry_price(Seat(0)), Some(18));
}

#[test]
fn a_poor_svara_is_opened_at_once() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[5, 4, 9]);
    table.hand('C', &[9, 9, 0]).bet('A', 2).bet('B', 3).fold('C');
    // A has 2 left and drops out by itself.
    assert!(table.is_over());
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[4, 4, 9]);
    table.hand('C', &[9, 9, 0]).bet('A', 3).compare('B').fold('C');
    table.act('A', Action::NoSplit).silence("AB").act('C', Action::Enter);
    table.ok(Input::DealerIs { seat: Seat(0) }).deal(&[0; 3]);
    assert_eq!(*table.game.phase(), Phase::Showdown);
    assert_eq!(table.no(Input::Best { seats: vec![] }), "at least two players are needed");
    assert_eq!(table.no(Input::Best { seats: seats("AA") }), "seat 0 is named twice");
    table.ok(Input::LayerLost).deal(&[0; 3]);
    table.ok(Input::Best { seats: seats("AC") });
    // 9 and the entry of 5: the odd chip is none; both tie.
    assert_eq!(table.result(), (ResultKind::Split, seats("AC"), 14));
    assert_eq!(table.stacks(), [7, 0, 10]);
}

#[test]
fn a_pact_halves_whatever_either_takes() {
    let mut table = tied(&[]);
    assert_eq!(table.no(Input::Pact { seats: [Seat(0), Seat(1)] }), "no move is awaited now");
    table.act('A', Action::NoSplit).silence("AB");
    assert_eq!(
        table.no(Input::Pact { seats: [Seat(0), Seat(2)] }),
        "seat 2 does not take part in the svara"
    );
    table.act('C', Action::Enter).ok(Input::Pact { seats: [Seat(0), Seat(2)] });
    table.act('D', Action::StayOut);
    assert_eq!(table.no(Input::Pact { seats: [Seat(1), Seat(2)] }), "seat 2 has a pact already");
    table.ok(Input::DealerIs { seat: Seat(0) }).deal(&[0; 4]);
    table.bet('B', 1).bet('C', 2).fold('A');
    assert_eq!(table.no(Input::Leave { seat: Seat(0) }), "seat 0 is still in the hand");
    table.fold('B');
    // C takes 27: 13 of them are A's.
    assert_eq!(table.result(), (ResultKind::Win, seats("C"), 27));
    assert_eq!(table.stacks(), [56, 42, 53, 49]);
    assert!(table.game.pacts().is_empty());
}
