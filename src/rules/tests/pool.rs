//! Pools: the entry together, payments and winnings by shares.

use super::table::{Table, full, seat, seats};
use crate::rules::*;

/// A and B have boiled over a bank of 40 at a table of five; C, D and E were dealt in and folded.
/// The entry is 20.
fn boiled(stacks: &[Chips]) -> Table {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[("ante", "4")]), stacks);
    table.hand('E', &[0; 5]).bet('A', 10).bet('B', 10);
    // Who cannot pay ten is out by itself, the others fold.
    for name in ['C', 'D', 'E'] {
        if table.turn() == Some(seat(name)) {
            table.fold(name);
        }
    }
    table.act('A', Action::Boil).act('B', Action::Accept);
    table.silence("AB");
    assert_eq!((table.game.bank(), table.game.entry_price(seat('C'))), (40, Some(20)));
    table
}

fn parts(names: &[(char, Chips)]) -> Vec<(Seat, Chips)> {
    names.iter().map(|(name, part)| (seat(*name), *part)).collect()
}

impl Table {
    fn pool(&mut self, names: &[(char, Chips)]) -> &mut Table {
        self.ok(Input::Pool { parts: parts(names) })
    }

    fn no_pool(&self, names: &[(char, Chips)]) -> String {
        self.no(Input::Pool { parts: parts(names) })
    }

    /// A is dealer of the svara.
    fn svara(&mut self) -> &mut Table {
        let dealer = Input::DealerIs { seat: seat('A') };
        self.ok(dealer).deal(&[0; 6])
    }
}

#[test]
fn parts_must_add_up_and_be_paid_by_who_may_enter() {
    let mut table = boiled(&[50, 50, 20, 20, 20]);
    assert_eq!(table.game.may_pool(), seats("CDE"));
    assert_eq!(table.no_pool(&[('C', 20)]), "at least two players are needed");
    assert_eq!(table.no_pool(&[('C', 10), ('D', 9)]), "the parts make 19, the entry is 20");
    assert_eq!(table.no_pool(&[('C', 10), ('D', 11)]), "the parts make 21, the entry is 20");
    assert_eq!(table.no_pool(&[('C', 0), ('D', 20)]), "seat 2 puts nothing into the pool");
    assert_eq!(table.no_pool(&[('C', 3), ('D', 17)]), "17 is more than the 16 chips that are left");
    assert_eq!(table.no_pool(&[('C', 10), ('C', 10)]), "seat 2 is named twice");
    assert_eq!(table.no_pool(&[('C', 10), ('A', 10)]), "seat 0 has answered already");
    assert_eq!(table.no_pool(&[('C', 10), ('F', 10)]), "nobody sits on seat 5");
    // A newcomer makes it the newcomers' price.
    table.ok(Input::Sit { seat: seat('F'), chips: 30 });
    assert_eq!(table.game.pool_price(&seats("CF")), Some(20));
    table.pool(&[('C', 10), ('D', 6), ('E', 4)]);
    assert_eq!(table.stacks(), [36, 36, 6, 10, 12, 30]);
    assert_eq!(table.cannot('D', Action::Enter), "seat 3 is in a pool");
    assert_eq!(table.no(Input::Leave { seat: seat('E') }), "seat 4 is in a pool");
    assert_eq!(table.no(Input::Rebuy { seat: seat('E'), chips: 5 }), "seat 4 is in a pool");
    assert_eq!(table.game.may_pool(), seats("F"));
    table.act('F', Action::StayOut);
    assert_eq!(*table.game.phase(), Phase::DealerChoice { seats: seats("AB") });

    let newcomers = [("entry_newcomer", "full"), ("ante", "4")];
    let mut table = Table::new(full(Preset::TrinkaClassic, &newcomers), &[50; 3]);
    table.hand('C', &[0; 3]).bet('A', 10).bet('B', 10).fold('C').act('A', Action::Boil);
    table.act('B', Action::Accept).silence("AB").ok(Input::Sit { seat: seat('D'), chips: 50 });
    assert_eq!(table.no_pool(&[('C', 8), ('D', 8)]), "the parts make 16, the entry is 32");
    table.pool(&[('C', 16), ('D', 16)]);
    assert_eq!(table.game.bank(), 64);
}

#[test]
fn without_the_switch_there_are_none() {
    let rules = full(Preset::TrinkaClassic, &[("pool", "off")]);
    let mut table = Table::new(rules, &[50; 4]);
    table.hand('D', &[0; 4]).bet('A', 1).bet('B', 1).fold('C').fold('D');
    table.act('A', Action::Boil).act('B', Action::Accept).silence("AB");
    assert_eq!(table.no_pool(&[('C', 2), ('D', 1)]), "pool = off: everybody enters a svara alone");
    assert!(table.game.may_pool().is_empty());
}

#[test]
fn the_holder_covers_a_partner_who_runs_short() {
    // After the pool C has 6 left, D 10, E nothing: its share of every payment falls to C.
    let mut table = boiled(&[50, 50, 20, 20, 8]);
    table.pool(&[('C', 10), ('D', 6), ('E', 4)]).svara();
    assert_eq!(table.stacks(), [36, 36, 6, 10, 0]);
    table.bet('B', 10);
    // Of 10: D 3, E 2 but has none, C the other 7 and has 6.
    assert_eq!(table.game.price(seat('C')), None);
    assert_eq!(table.game.active(), seats("AB"));
    let mut table = boiled(&[50, 50, 20, 20, 8]);
    table.pool(&[('C', 10), ('D', 6), ('E', 4)]).svara().bet('B', 4);
    let bet = table.legal().into_iter().find(|(kind, ..)| *kind == ActionKind::Bet);
    // Of 8: D 2, C 6; of 9: D 2, C 7.
    assert_eq!(bet, Some((ActionKind::Bet, 4, 8)));
    assert_eq!(table.cannot('C', Action::Bet(9)), "9 is more than the 8 chips that are left");
    table.bet('C', 8);
    assert_eq!(table.stacks(), [36, 32, 0, 8, 0]);
    table.fold('A').fold('B');
    // 72 by shares of 20: D 21, E 14, C the rest.
    assert_eq!(table.result(), (ResultKind::Win, seats("C"), 72));
    assert_eq!(table.stacks(), [36, 32, 37, 29, 14]);
    assert_eq!(table.game.next_dealer(&seats("ABCDE")), Some(seat('C')));
    assert!(table.game.pools().is_empty());
}

#[test]
fn partners_see_the_cards_of_their_pool() {
    let mut table = boiled(&[50; 5]);
    table.pool(&[('C', 10), ('D', 10)]).act('E', Action::StayOut).svara();
    for (viewer, sees) in [('A', false), ('C', true), ('D', true), ('E', false)] {
        assert_eq!(table.game.may_see(seat(viewer), seat('C')), sees, "{viewer}");
    }
    let shares = table.game.pools();
    assert_eq!(shares[&seat('C')], parts(&[('C', 10), ('D', 10)]).into_iter().collect());
}

#[test]
fn a_pool_ends_with_its_hand_and_is_an_initiator_otherwise() {
    // The pool ties with B in the svara: a new one, in which it takes part for nothing.
    let mut table = boiled(&[60; 5]);
    table.pool(&[('C', 10), ('D', 10)]).act('E', Action::StayOut);
    table.ok(Input::DealerIs { seat: seat('A') }).deal(&[0, 9, 9, 0, 0]);
    table.bet('B', 4).bet('C', 4).fold('A').compare('B');
    assert_eq!((table.game.bank(), table.game.phase()), (72, &Phase::SvaraSplit));
    assert_eq!(table.stacks(), [46, 38, 44, 44, 56]);
    // It may split: 36 are 18 for each of the two.
    let mut split = Table::new(full(Preset::Seka, &[]), &[]);
    split.game = table.game.clone();
    split.act('B', Action::Split).act('C', Action::Split);
    assert_eq!(split.stacks(), [46, 74, 62, 62, 56]);
    table.act('C', Action::NoSplit).silence("BC");
    assert_eq!(table.game.initiators(), seats("BC"));
    assert_eq!(table.cannot('D', Action::Enter), "seat 3 is in a pool");
    assert_eq!(table.game.may_pool(), seats("AE"));
    table.pool(&[('A', 18), ('E', 18)]);
    assert_eq!(table.game.pools().len(), 2);
    // Folded, a pool is over: its partners may pay again, also against each other.
    table.ok(Input::DealerIs { seat: seat('B') }).deal(&[8, 8, 0, 0, 0]);
    table.fold('C').bet('A', 4).bet('B', 4).compare('A');
    assert_eq!(table.game.pools().len(), 1);
    table.act('A', Action::NoSplit).silence("AB");
    assert_eq!(table.game.may_pool(), seats("CD"));
}

#[test]
fn what_a_pool_gets_by_a_pact_is_shared_too() {
    let mut table = boiled(&[60; 5]);
    table.pool(&[('C', 15), ('D', 5)]);
    assert_eq!(table.game.may_pact(), seats("ABC"));
    table.ok(Input::Pact { seats: [seat('B'), seat('C')] }).act('E', Action::StayOut);
    assert_eq!(table.game.pacts(), [[seat('B'), seat('C')]]);
    table.svara().bet('B', 4).fold('C').fold('A');
    // B takes 64 and gives 32 to the hand of C and D, though it has folded: 24 and 8.
    assert_eq!(table.result(), (ResultKind::Win, seats("B"), 64));
    assert_eq!(table.stacks(), [46, 74, 65, 59, 56]);
    // The other way round the pool gives half away and shares the rest.
    let mut table = boiled(&[60; 5]);
    table.pool(&[('C', 15), ('D', 5)]).ok(Input::Pact { seats: [seat('B'), seat('C')] });
    table.act('E', Action::StayOut).svara().fold('B').bet('C', 4).fold('A');
    assert_eq!(table.stacks(), [46, 78, 41 + 24 - 3, 51 + 8 - 1, 56]);
}

#[test]
fn a_pact_with_who_stays_out_after_all_is_void() {
    let mut table = Table::new(full(Preset::TrinkaClassic, &[]), &[50; 3]);
    table.hand('C', &[9, 9, 9]).bet('A', 1).bet('B', 1).bet('C', 1);
    table.compare('A').compare('B').act('A', Action::NoSplit);
    table.ok(Input::Pact { seats: [seat('A'), seat('B')] }).act('A', Action::StayOut);
    table.silence("BC");
    assert_eq!(*table.game.phase(), Phase::DealerChoice { seats: seats("BC") });
    assert!(table.game.pacts().is_empty());
}

/// The largest payment that is sure, by trying all.
#[test]
fn the_most_a_pool_may_bet_can_be_paid_and_so_can_all_below() {
    for (c, d, e) in [(1, 1, 18), (7, 7, 6), (10, 9, 1), (18, 1, 1), (2, 9, 9)] {
        for left in 0..12 {
            let stacks = [90, 90, 4 + c + left, 4 + d + left / 2, 4 + e + 2 * left / 3];
            let mut table = boiled(&stacks);
            table.pool(&[('C', c), ('D', d), ('E', e)]).svara().bet('B', 4);
            let bet = table.legal().into_iter().find(|(kind, ..)| *kind == ActionKind::Bet);
            let holder = seat('C');
            if table.turn() != Some(holder) {
                assert!(!table.game.can_pay(holder, 4) || !table.game.is_active(holder));
                continue;
            }
            let (_, min, max) = bet.unwrap();
            assert!((min..=max).all(|sum| table.game.can_pay(holder, sum)), "{c} {d} {e} {left}");
            assert!(!table.game.can_pay(holder, max + 1), "{c} {d} {e} {left}");
        }
    }
}
