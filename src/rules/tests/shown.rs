//! What is shown to whom.

use super::table::{Table, full, seat};
use crate::rules::*;

fn compared(reveal: &str) -> Vec<(char, Viewers)> {
    let sets = [("reveal", reveal), ("three_tens", "off")];
    let mut table = Table::new(full(Preset::TrinkaClassic, &sets), &[50; 3]);
    table.hand('C', &[9, 8, 0]).bet('A', 1);
    table.ok(Input::Move { seat: seat('B'), action: Action::Compare });
    let told = table.game.showing();
    table.ok(Input::Outcome { result: CompareResult::Caller });
    let shown = table.events.iter().filter_map(|event| match event {
        GameEvent::Shown { hand, to } => Some(Showing { hand: *hand, to: to.clone() }),
        _ => None,
    });
    assert_eq!(shown.collect::<Vec<_>>(), told);
    told.into_iter().map(|shown| (char::from(b'A' + shown.hand.0), shown.to)).collect()
}

#[test]
fn a_comparison_is_shown_as_the_house_has_it() {
    let only = |name| Viewers::Seats(vec![seat(name)]);
    assert_eq!(compared("neighbours"), [('B', only('A')), ('A', only('B'))]);
    assert_eq!(compared("open"), [('B', Viewers::All), ('A', Viewers::All)]);
    assert_eq!(compared("sealed"), []);
}

#[test]
fn three_tens_are_laid_open_to_all() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 2]);
    table.hand('B', &[0; 2]).look('A').act('A', Action::Redeal);
    let shown = GameEvent::Shown { hand: seat('A'), to: Viewers::All };
    assert_eq!(table.events.last(), Some(&shown));
}

#[test]
fn nobody_sees_a_hand_that_is_dark_or_may_still_become_so() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 3]);
    table.hand('C', &[0; 3]);
    let sees = |table: &Table, name| table.game.may_see(seat(name), seat(name));
    assert!(!sees(&table, 'A') && !sees(&table, 'C'));
    table.dark('A', 2).bet('B', 2);
    // The chain is broken: C cannot go dark any more.
    assert!(!sees(&table, 'A') && sees(&table, 'B') && sees(&table, 'C'));
    assert!(!table.game.may_see(seat('B'), seat('C')));
    table.bet('C', 2).look('A');
    assert!(sees(&table, 'A'));
}
