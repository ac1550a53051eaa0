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
use trinka::rules::{DeckKind, Preset};
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
