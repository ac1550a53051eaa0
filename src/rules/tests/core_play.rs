//! The course of a hand: turns, ends, lost seats, lost cards, stacks, dealers.

use super::table::{Table, rules, seat, seats};
use crate::rules::*;

fn classic(sets: &[(&str, &str)], stacks: &[Chips]) -> Table {
    Table::new(rules(Preset::TrinkaClassic, sets), stacks)
}

#[test]
fn everybody_folds_and_the_dealer_takes_the_antes() {
    let mut table = classic(&[], &[10; 4]);
    table.hand('D', &[0; 4]).fold('A').fold('B').fold('C');
    assert_eq!(table.result(), (ResultKind::Win, seats("D"), 4));
    assert_eq!(table.stacks(), [9, 9, 9, 13]);
    assert_eq!(table.game.active(), []);
    assert_eq!(table.game.bank(), 0);
}

#[test]
fn turns_and_deal_order_go_clockwise_round_the_dealer() {
    let mut table = classic(&[], &[10; 4]);
    table.hand('B', &[0; 4]);
    assert_eq!(table.game.participants(), seats("CDAB"));
    assert_eq!(table.turn(), Some(seat('C')));
    assert_eq!(table.cannot('A', Action::Fold), "it is not the turn of seat 0: seat 2 is to act");
    table.bet('C', 1).fold('D').bet('A', 1);
    assert_eq!(table.turn(), Some(seat('B')));
    assert_eq!(table.game.right_of(seat('A')), Some(seat('C')));
    assert_eq!(table.game.right_of(seat('C')), Some(seat('B')));
}

#[test]
fn legal_moves_carry_their_amounts() {
    let mut table = classic(&[("ceiling", "8")], &[10, 10, 5]);
    table.hand('C', &[0; 3]);
    assert_eq!(table.legal(), [(ActionKind::Fold, 0, 0), (ActionKind::Bet, 1, 8)]);
    table.bet('A', 2);
    assert_eq!(
        table.legal(),
        [(ActionKind::Fold, 0, 0), (ActionKind::Bet, 2, 8), (ActionKind::Compare, 2, 2)]
    );
    table.bet('B', 3);
    assert_eq!(table.legal()[1], (ActionKind::Bet, 3, 4));
    assert_eq!(table.cannot('C', Action::Bet(5)), "5 is more than the 4 chips that are left");
    assert_eq!(table.cannot('C', Action::Bet(9)), "9 is above the ceiling of 8");
}

#[test]
fn moves_that_the_plain_game_does_not_have_are_refused() {
    let mut table = classic(&[], &[10; 2]);
    assert_eq!(table.cannot('A', Action::Fold), "no move is awaited now");
    table.hand('B', &[0; 2]);
    for (action, word) in [
        (Action::Look, "look"),
        (Action::Dark(2), "dark"),
        (Action::Redeal, "redeal"),
        (Action::Boil, "boil"),
        (Action::Accept, "accept"),
        (Action::Enter, "enter"),
        (Action::Replace(3), "replace"),
        (Action::Lift(1), "lift"),
    ] {
        assert_eq!(table.cannot('A', action), format!("{word} is not open now"));
    }
    assert_eq!(table.cannot('H', Action::Fold), "nobody sits on seat 7");
    assert_eq!(table.no(Input::Pact { seats: [Seat(0), Seat(1)] }), "no move is awaited now");
}

#[test]
fn comparing_in_the_first_circle_needs_a_neighbour_who_acted() {
    let mut table = classic(&[], &[20; 3]);
    table.hand('C', &[10, 20, 15]);
    let refusal = "nobody has bet yet: comparing opens after the first bet";
    assert_eq!(table.cannot('A', Action::Compare), refusal);
    table.fold('A');
    assert_eq!(table.cannot('B', Action::Compare), refusal);
    table.bet('B', 2);
    assert_eq!(table.price('B'), (2, None));
    assert_eq!(table.price('C'), (2, Some(2)));
    table.compare('C');
    assert_eq!(table.stacks(), [19, 24, 17]);
}

#[test]
fn comparing_from_the_second_circle() {
    let mut table = Table::new(rules(Preset::TrinkaOnline, &[]), &[20; 3]);
    table.hand('C', &[10, 20, 15]);
    table.bet('A', 1).bet('B', 1);
    assert_eq!(
        table.cannot('C', Action::Compare),
        "comparing opens when every seat has acted once"
    );
    table.bet('C', 1).compare('A');
    assert_eq!(table.game.active(), seats("BC"));
    assert_eq!(table.turn(), Some(seat('B')));
}

#[test]
fn a_comparison_never_changes_the_price() {
    let mut table = classic(&[], &[20; 4]);
    table.hand('D', &[10, 20, 15, 5]);
    table.bet('A', 5).compare('B');
    assert_eq!(table.price('C'), (5, Some(5)));
    table.bet('C', 5).bet('D', 6);
    assert_eq!((table.turn(), table.price('B')), (Some(seat('B')), (6, Some(6))));
}

#[test]
fn a_tie_keeps_both_and_links_through_seats_that_left() {
    let mut table = classic(&[], &[50; 4]);
    table.hand('D', &[18, 18, 18, 5]);
    table.bet('A', 1).compare('B').compare('C');
    assert_eq!(table.game.active(), seats("ABCD"));
    table.bet('D', 1).bet('A', 1);
    // B links A and C; once B and D are gone, A and C are still tied, and the hand stops.
    table.fold('B').bet('C', 1).fold('D');
    assert_eq!(table.result(), (ResultKind::Split, seats("AC"), 10));
    assert_eq!(table.stacks(), [52, 48, 52, 48]);
}

#[test]
fn a_tie_may_cost_the_caller_the_hand() {
    let mut table = classic(&[("compare_tie", "caller_loses")], &[50; 3]);
    table.hand('C', &[18, 18, 5]);
    table.bet('A', 1).compare('B');
    assert_eq!(table.game.active(), seats("AC"));
    table.fold('C');
    assert_eq!(table.result(), (ResultKind::Win, seats("A"), 5));
}

#[test]
fn comparing_again_with_a_tied_neighbour_costs_again() {
    let mut table = classic(&[], &[50; 3]);
    table.hand('C', &[18, 18, 5]);
    table.bet('A', 1).compare('B').bet('C', 1).bet('A', 1).compare('B');
    assert_eq!(table.game.active(), seats("ABC"));
    assert_eq!(table.stacks(), [47, 47, 48]);
}

#[test]
fn short_stacks_drop_out_only_on_their_turn() {
    let mut table = classic(&[], &[5, 1, 1, 9]);
    table.hand('D', &[0; 4]);
    // B and C have nothing after the ante, and are in until it is their turn.
    assert_eq!(table.game.active(), seats("ABCD"));
    table.bet('A', 2);
    assert_eq!(table.game.active(), seats("AD"));
    assert_eq!(table.turn(), Some(seat('D')));
    // A's last two chips do not pay 3: the hand is D's.
    table.bet('D', 3);
    assert_eq!(table.result(), (ResultKind::Win, seats("D"), 9));
    assert_eq!(table.stacks(), [2, 0, 0, 14]);
}

#[test]
fn the_last_one_wins_whatever_its_stack() {
    let mut table = classic(&[], &[1, 1, 1]);
    table.hand('C', &[0; 3]);
    assert_eq!(table.result(), (ResultKind::Win, seats("C"), 3));
}

#[test]
fn who_cannot_pay_the_ante_is_not_dealt_in_but_may_buy() {
    let mut table = classic(&[("ante", "4")], &[10, 3, 10]);
    let all = seats("ABC");
    let begin = Input::Begin { dealer: seat('C'), participants: all };
    assert_eq!(table.no(begin.clone()), "seat 1 has 3 chips, the ante is 4");
    assert!(!table.game.can_ante(seat('B')));
    table.ok(Input::Rebuy { seat: seat('B'), chips: 1 }).ok(begin);
    assert_eq!(table.no(Input::Rebuy { seat: seat('B'), chips: 1 }), "seat 1 is still in the hand");
    table.ok(Input::Dealt).fold('A').ok(Input::Rebuy { seat: seat('A'), chips: 100 });
    assert_eq!(table.stacks(), [106, 0, 18]);
    assert_eq!((table.game.bought(seat('A')), table.game.total_bought()), (Some(110), 124));
}

#[test]
fn beginnings_that_are_refused() {
    let table = classic(&[], &[10; 3]);
    let begin = |dealer, names| Input::Begin { dealer: seat(dealer), participants: seats(names) };
    assert_eq!(table.no(begin('A', "A")), "at least two players are needed");
    assert_eq!(table.no(begin('A', "ABB")), "seat 1 is named twice");
    assert_eq!(table.no(begin('C', "AB")), "seat 2 deals but does not play");
    assert_eq!(table.no(begin('A', "AE")), "nobody sits on seat 4");
    assert_eq!(
        table.no(begin('A', "AAAAAAAAA")),
        "9 players are too many: a deck of 24 cards serves 8"
    );
    assert_eq!(table.no(Input::Dealt), "no deal is awaited");
    assert_eq!(table.no(Input::LayerLost), "no cards have been dealt");
    let mut table = table;
    table.hand('C', &[0; 3]);
    assert_eq!(table.no(begin('A', "ABC")), "the hand is not over yet");
}

#[test]
fn seats_come_and_go() {
    let mut table = classic(&[], &[10; 3]);
    table.hand('C', &[0; 3]);
    table.ok(Input::Sit { seat: Seat(3), chips: 7 });
    assert_eq!(table.no(Input::Sit { seat: Seat(3), chips: 7 }), "seat 3 is taken");
    assert_eq!(table.no(Input::Leave { seat: Seat(0) }), "seat 0 is still in the hand");
    table.fold('A').ok(Input::Leave { seat: Seat(0) });
    assert_eq!(table.game.gone(), 9);
    assert_eq!(table.no(Input::Sit { seat: Seat(0), chips: 7 }), "seat 0 is taken");
    table.fold('B').ok(Input::Sit { seat: Seat(0), chips: 20 });
    assert_eq!(table.stacks(), [20, 9, 12, 7]);
    assert!(table.no(Input::Rebuy { seat: Seat(0), chips: 0 }).starts_with("cannot buy 0 chips"));
    assert!(table.no(Input::Sit { seat: Seat(9), chips: u64::MAX }).starts_with("cannot buy"));
}

#[test]
fn a_frozen_stack_stays_and_does_not_play() {
    let mut table = classic(&[], &[10; 3]);
    table.ok(Input::Freeze { seat: Seat(1) });
    let refusal = "the stack of seat 1 is frozen";
    assert_eq!(table.no(Input::Freeze { seat: Seat(1) }), refusal);
    assert_eq!(table.no(Input::Leave { seat: Seat(1) }), refusal);
    assert_eq!(table.no(Input::Rebuy { seat: Seat(1), chips: 5 }), refusal);
    let begin = Input::Begin { dealer: Seat(0), participants: seats("ABC") };
    assert_eq!(table.no(begin), refusal);
    assert!(!table.game.can_ante(Seat(1)));
    table.ok(Input::Unfreeze { seat: Seat(1) });
    assert_eq!(table.no(Input::Unfreeze { seat: Seat(1) }), "the stack of seat 1 is not frozen");
    table.hand('C', &[0; 3]);
    assert_eq!(table.no(Input::Freeze { seat: Seat(1) }), "seat 1 is still in the hand");
}

#[test]
fn time_out_folds_or_loses_the_comparison() {
    let mut table = classic(&[], &[10; 4]);
    table.hand('D', &[0; 4]);
    assert!(table.no(Input::TimeOut { seat: Seat(1) }).starts_with("it is not the turn"));
    table.ok(Input::TimeOut { seat: Seat(0) }).bet('B', 1);
    table.ok(Input::Move { seat: Seat(2), action: Action::Compare });
    assert_eq!(table.no(Input::TimeOut { seat: Seat(3) }), "no move is awaited now");
    assert_eq!(table.cannot('D', Action::Fold), "no move is awaited now");
    table.ok(Input::TimeOut { seat: Seat(1) });
    assert_eq!(table.game.active(), seats("CD"));
    assert_eq!(table.turn(), Some(seat('D')));
}

#[test]
fn seats_lost_in_every_phase() {
    let lost = |name| Input::Lost { seat: seat(name) };
    // Between hands, and not in the hand: nothing to lose.
    let mut table = classic(&[], &[10; 5]);
    table.ok(lost('A'));
    assert_eq!(table.no(lost('H')), "nobody sits on seat 7");
    // In a first deal it is taken out and pays nothing; the deal goes to the dealer's left.
    let begin = Input::Begin { dealer: seat('D'), participants: seats("ABCD") };
    table.ok(begin.clone()).ok(lost('D')).ok(lost('E'));
    assert_eq!((table.game.dealer(), table.game.participants()), (Some(Seat(0)), seats("BCA")));
    table.ok(Input::Dealt);
    assert_eq!(table.stacks(), [9, 9, 9, 10, 10]);
    // Off turn it folds at once, and the turn stays.
    table.ok(lost('C'));
    assert_eq!((table.turn(), table.game.active()), (Some(Seat(1)), seats("AB")));
    // On its turn as well.
    table.ok(lost('B'));
    assert_eq!(table.result(), (ResultKind::Win, seats("A"), 3));
    // Fewer than two in a first deal: the hand counts for nothing.
    let mut table = classic(&[], &[10; 5]);
    table.ok(begin.clone()).ok(lost('A')).ok(lost('B')).ok(lost('C'));
    assert!(table.is_over() && table.game.result().is_none());
    assert_eq!(table.events.last(), Some(&GameEvent::Void { hand: 1 }));
    assert_eq!(table.stacks(), [10; 5]);
    // In a comparison it has lost, on either side; a third seat just folds.
    for (name, active) in [('A', "BCD"), ('B', "ACD"), ('D', "ABC")] {
        let mut table = classic(&[], &[10; 4]);
        table.ok(begin.clone()).ok(Input::Dealt).bet('A', 1);
        table.ok(Input::Move { seat: Seat(1), action: Action::Compare }).ok(lost(name));
        assert_eq!(table.game.active(), seats(active), "{name}");
        assert!(!table.is_over());
        if name == 'D' {
            table.ok(Input::Outcome { result: CompareResult::Tie });
        }
        assert_eq!(table.turn(), Some(Seat(2)), "{name}");
    }
}

#[test]
fn seats_lost_one_after_another_down_to_the_last() {
    let mut table = classic(&[], &[10; 4]);
    table.hand('D', &[0; 4]).bet('A', 2);
    for seat in [Seat(2), Seat(0), Seat(1)] {
        table.ok(Input::Lost { seat });
    }
    assert_eq!(table.result(), (ResultKind::Win, seats("D"), 6));
}

#[test]
fn a_lost_layer_means_new_cards_for_those_still_in() {
    let mut table = classic(&[], &[20; 4]);
    table.hand('D', &[0; 4]).bet('A', 3).fold('B').compare('C');
    assert_eq!(table.game.active(), seats("ACD"));
    table.ok(Input::LayerLost);
    let kind = DealKind::Redeal { holder: None };
    assert_eq!(*table.game.phase(), Phase::AwaitDeal { kind });
    assert_eq!(table.game.participants(), seats("ACD"));
    assert_eq!(table.no(Input::LayerLost), "no cards have been dealt");
    table.ok(Input::Dealt);
    // The bank stays, nobody antes, the price is back, ties and circles are forgotten.
    assert_eq!(table.stacks(), [16, 19, 16, 19]);
    assert_eq!((table.game.bank(), table.turn()), (10, Some(Seat(0))));
    assert_eq!(table.price('C'), (1, None));
    table.fold('A').bet('C', 1).fold('D');
    assert_eq!(table.result(), (ResultKind::Win, seats("C"), 11));
}

#[test]
fn a_lost_layer_in_a_comparison_keeps_its_price_in_the_bank() {
    let mut table = classic(&[], &[20; 3]);
    table.hand('A', &[0; 3]).bet('B', 2);
    table.ok(Input::Move { seat: Seat(2), action: Action::Compare }).ok(Input::LayerLost);
    assert_eq!(table.game.bank(), 7);
    // In a redeal a lost seat leaves its chips; the last one takes the bank.
    table.ok(Input::Lost { seat: Seat(0) });
    assert_eq!((table.game.dealer(), table.game.participants()), (Some(Seat(0)), seats("BC")));
    table.ok(Input::Lost { seat: Seat(1) });
    assert_eq!(table.result(), (ResultKind::Win, seats("C"), 7));
}

#[test]
fn the_winner_deals_next() {
    let mut table = classic(&[], &[20; 4]);
    let all = seats("ABCD");
    assert_eq!(table.game.next_dealer(&all), None);
    table.hand('D', &[0; 4]).fold('A').bet('B', 1).fold('C').fold('D');
    assert_eq!(table.game.next_dealer(&all), Some(Seat(1)));
    assert_eq!(table.game.next_dealer(&seats("AD")), Some(Seat(3)));
    assert_eq!(table.game.next_dealer(&[]), None);
    // After a split it is the first splitter from the old dealer's left who can play.
    table.hand('B', &[7, 9, 9, 9]).bet('C', 1).compare('D').fold('A').compare('B');
    assert_eq!(table.result().0, ResultKind::Split);
    assert_eq!(table.game.next_dealer(&all), Some(Seat(2)));
    assert_eq!(table.game.next_dealer(&seats("ABD")), Some(Seat(3)));
    assert_eq!(table.game.hand_no(), 2);
}

#[test]
fn the_deal_rotates() {
    let mut table = Table::new(rules(Preset::Seka, &[]), &[20; 3]);
    table.hand('B', &[0; 3]).fold('C').fold('A');
    assert_eq!(table.game.next_dealer(&seats("ABC")), Some(Seat(2)));
    assert_eq!(table.game.next_dealer(&seats("AB")), Some(Seat(0)));
    // A hand without antes does not count.
    table.ok(Input::Begin { dealer: Seat(2), participants: seats("AC") });
    table.ok(Input::Lost { seat: Seat(0) });
    assert_eq!(table.game.next_dealer(&seats("ABC")), Some(Seat(2)));
}

#[test]
fn a_game_keeps_its_state_in_bytes_and_text() {
    let mut table = classic(&[], &[20; 3]);
    table.hand('C', &[5, 5, 0]).bet('A', 2).compare('B');
    let game = &table.game;
    let config = bincode::config::standard();
    let bytes = bincode::serde::encode_to_vec(game, config).unwrap();
    let (copy, read): (Game, usize) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
    assert_eq!((&copy, read), (game, bytes.len()));
    let json = serde_json::to_string(game).unwrap();
    assert_eq!(&serde_json::from_str::<Game>(&json).unwrap(), game);
    let card: Card = "As".parse().unwrap();
    assert_eq!(serde_json::to_string(&card).unwrap(), "\"As\"");
    assert_eq!(bincode::serde::encode_to_vec(card, config).unwrap(), [card.index()]);
    assert!(bincode::serde::decode_from_slice::<Card, _>(&[Card::COUNT], config).is_err());
}
