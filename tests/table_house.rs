//! House rules are changed when everybody agrees, between hands, and not otherwise.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::event::{Command, Event, OfferKind};
use trinka::rules::{DeckKind, Preset, Seat};
use trinka::table::founding::rules_hash;
use trinka::table::transcript::{Finding, verify};
use world::{CALM, World, rules};

const LONG: u64 = 600_000;

fn propose(changes: &[(&str, &str)]) -> Command {
    let owned = |(switch, value): &(&str, &str)| ((*switch).to_owned(), (*value).to_owned());
    Command::ProposeRules { changes: changes.iter().map(owned).collect() }
}

fn is_proposal(event: &Event) -> bool {
    matches!(event, Event::Offer { kind: OfferKind::Rules, rules: Some(_), .. })
}

#[test]
fn rules_that_all_agree_to_hold_from_the_next_hand_on() {
    let mut world = World::new(41_000, 4, 100, CALM);
    world.until("in a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_some());
    let wanted =
        rules().with(&[("deck".into(), "36".into()), ("ante".into(), "2".into())]).unwrap();
    let hand = world.core(0).finished;
    // Any seat may propose.
    world.command(2, propose(&[("ante", "2"), ("deck", "36")]));
    world.until("it is told", LONG, |w| (0..4).all(|i| w.saw(i, is_proposal)));
    for i in [0, 1, 3] {
        world.command(i, Command::AgreeRules { yes: true });
    }
    world.run_for(50);
    if world.core(0).finished == hand {
        assert_eq!(world.core(0).terms.rules, rules(), "not in the middle of a hand");
    }
    world.until("other rules", LONG, |w| (0..4).all(|i| w.core(i).terms.rules == wanted));
    assert_eq!(world.core(0).terms.house, rules_hash(&wanted));
    let since = world.core(0).finished;
    world.until("two hands by them", LONG, |w| w.finished(since + 2));
    for i in 0..4 {
        assert!(world.saw(
            i,
            |e| matches!(e, Event::Table { rules, .. } if rules.deck == DeckKind::Cards36)
        ));
        for bytes in world.nodes[i].transcripts.values() {
            let finding = verify(bytes, [1; 32]);
            assert!(matches!(finding, Finding::Good(_)), "{finding:?}");
        }
    }
    world.check();
}

#[test]
fn one_no_keeps_the_rules() {
    let mut world = World::new(41_100, 3, 100, CALM);
    world.until("in a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_some());
    world.nodes[1].bot = false;
    world.command(0, propose(&[("ante", "5")]));
    world.until("it is told", LONG, |w| w.saw(1, is_proposal));
    world.command(1, Command::AgreeRules { yes: false });
    world.until("it is off", LONG, |w| (0..3).all(|i| w.core(i).proposals.is_empty()));
    world.nodes[1].bot = true;
    let since = world.core(0).finished;
    world.until("two hands more", LONG, |w| w.finished(since + 2));
    assert!((0..3).all(|i| world.core(i).terms.rules == rules()));
    world.check();
}

fn what_became(event: &Event) -> Option<(OfferKind, u8, usize)> {
    match event {
        Event::Offer { kind, from: Some(from), to, rules: Some(_), .. } => {
            Some((*kind, from.0, to.len()))
        }
        _ => None,
    }
}

#[test]
fn everybody_is_told_what_became_of_a_proposal() {
    let mut world = World::new(41_150, 3, 100, CALM);
    let told = |world: &World, i: usize| -> Vec<_> {
        world.nodes[i].events.iter().filter_map(what_became).collect()
    };
    let all_told = |world: &mut World, last: (OfferKind, u8, usize)| {
        world.until("all are told", LONG, |w| {
            (0..3).all(|i| w.nodes[i].events.iter().filter_map(what_became).any(|e| e == last))
        });
    };
    world.until("in a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_some());
    // Another proposal of the same seat takes the place of the first.
    world.nodes[1].bot = false;
    world.command(0, propose(&[("ante", "5")]));
    all_told(&mut world, (OfferKind::Rules, 0, 2));
    world.command(0, propose(&[("ante", "2")]));
    all_told(&mut world, (OfferKind::RulesLapsed, 0, 0));
    world.until("one is left", LONG, |w| (0..3).all(|i| w.core(i).proposals.len() == 1));
    // Who has proposed it has agreed: saying so again harms nothing and tells who has not.
    let before = told(&world, 0).len();
    world.command(0, Command::AgreeRules { yes: true });
    world.run_for(100);
    assert_eq!(told(&world, 0)[before..], [(OfferKind::RulesAgreed, 0, 2)]);
    world.command(2, Command::AgreeRules { yes: true });
    all_told(&mut world, (OfferKind::RulesAgreed, 2, 1));
    // Who has agreed may think better of it.
    world.command(2, Command::AgreeRules { yes: false });
    all_told(&mut world, (OfferKind::RulesRefused, 2, 0));
    world.until("it is off", LONG, |w| (0..3).all(|i| w.core(i).proposals.is_empty()));
    // Where nothing is proposed that is said, and it is nobody's turn that is missing.
    world.command(1, Command::AgreeRules { yes: true });
    assert!(world.saw(1, |e| matches!(e, Event::Error { code, .. } if code == "nothing-proposed")));
    // What all agree to is told when it holds, and nothing is left of it.
    world.command(1, propose(&[("ante", "2")]));
    all_told(&mut world, (OfferKind::Rules, 1, 2));
    world.nodes[1].bot = true;
    world.command(0, Command::AgreeRules { yes: true });
    world.command(2, Command::AgreeRules { yes: true });
    all_told(&mut world, (OfferKind::RulesAdopted, 1, 0));
    assert!((0..3).all(|i| world.core(i).proposals.is_empty()));
    assert!((0..3).all(|i| world.core(i).terms.rules.ante == 2));
    world.check();
}

#[test]
fn a_proposal_is_void_when_somebody_leaves() {
    let mut world = World::new(41_170, 3, 100, CALM);
    world.until("in a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_some());
    world.command(0, propose(&[("ante", "2")]));
    world.until("it is told", LONG, |w| w.saw(1, is_proposal) && w.saw(2, is_proposal));
    world.command(1, Command::AgreeRules { yes: true });
    world.command(2, Command::Leave);
    let lapsed = (OfferKind::RulesLapsed, 0, 0);
    world.until("it is void", LONG, |w| {
        (0..2).all(|i| w.saw(i, |e| what_became(e) == Some(lapsed)))
    });
    assert!((0..2).all(|i| world.core(i).proposals.is_empty()));
    let since = world.core(0).finished;
    world.until("a hand more", LONG, |w| (0..2).all(|i| w.core(i).finished > since));
    assert_eq!(world.core(0).terms.rules, rules());
    // The hand at whose end it left says what it took along.
    let taken = world.nodes[0].transcripts.iter().find_map(|(hand, bytes)| {
        let Finding::Good(report) = verify(bytes, [1; 32]) else { panic!("hand {hand}") };
        let seat = report.seats.iter().find(|s| s.seat == Seat(2) && s.left).cloned()?;
        Some((*hand, seat.after))
    });
    let (hand, after) = taken.expect("it left");
    let stack = world.nodes[0].events.iter().find_map(|event| match event {
        Event::Settled { hand: of, stacks, .. } if *of == hand => stacks.get(&Seat(2)).copied(),
        _ => None,
    });
    assert_eq!(Some(after), stack);
    assert!(after > 0);
}

#[test]
fn more_time_is_told_to_everybody() {
    let mut world = World::new(41_180, 3, 100, CALM);
    let left = |w: &World, i: usize| {
        w.nodes[i].events.iter().rev().find_map(|e| match e {
            Event::Turn { seat, seconds, .. } => Some((*seat, *seconds)),
            _ => None,
        })
    };
    world.until("a hand", LONG, |w| w.finished(1));
    (0..3).for_each(|i| world.nodes[i].bot = false);
    world.until("somebody is to act", LONG, |w| {
        w.core(0).basis().is_some()
            && w.core(0).game.turn().is_some()
            && (0..3).all(|i| left(w, i).map(|(seat, _)| seat) == w.core(0).game.turn())
            && w.core(0).owed().iter().any(|o| o.human)
    });
    let turn = world.core(0).game.turn().unwrap();
    world.run_for(10_000);
    world.command(usize::from(turn.0), Command::MoreTime);
    world.run_for(1_000);
    for i in 0..3 {
        let (seat, seconds) = left(&world, i).unwrap();
        assert_eq!(seat, turn);
        assert!((61..=66).contains(&seconds), "{i}: {seconds}");
    }
}

#[test]
fn a_silent_player_keeps_the_rules_and_the_proposal_waits() {
    let mut world = World::new(41_200, 3, 100, CALM);
    world.until("in a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_some());
    world.command(0, propose(&[("preset", "seka")]));
    world.nodes[1].bot = false;
    world.until("it is told", LONG, |w| w.saw(1, is_proposal) && w.saw(2, is_proposal));
    world.command(2, Command::AgreeRules { yes: true });
    world.run_for(1_000);
    assert_eq!(world.core(0).terms.rules.preset, Preset::TrinkaClassic);
    world.command(1, Command::AgreeRules { yes: true });
    world.nodes[1].bot = true;
    world.until("Seka", LONG, |w| (0..3).all(|i| w.core(i).terms.rules.preset == Preset::Seka));
    world.check();
}

#[test]
fn rules_that_make_no_sense_are_refused_and_change_nothing() {
    let mut world = World::new(41_300, 8, 100, CALM);
    world.until("in a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_some());
    for wrong in [
        &[("dark", "perhaps")][..],
        &[("drak", "off")],
        &[("ante", "0")],
        // Eight players need 24 cards, this deck has them; with fewer cards it would not.
        &[("ceiling", "0")],
    ] {
        let command = propose(wrong);
        assert!(world.nodes[0].table.as_ref().unwrap().refusal(&command).is_some(), "{wrong:?}");
        let told = world.nodes[0].events.len();
        world.command(0, command);
        world.run_for(200);
        assert!(
            world.nodes[0].events[told..].iter().any(|e| matches!(e, Event::Error { .. })),
            "{wrong:?}"
        );
    }
    assert!(world.core(0).proposals.is_empty());
    assert_eq!(world.core(0).terms.rules, rules());
}
