//! A hand that everybody wants to end where it stands: its bank is divided, and nobody is outvoted.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::event::{Command, Event, OfferKind};
use trinka::rules::{Phase, Seat};
use world::{CALM, World};

const LONG: u64 = 600_000;
const YES: Command = Command::Divide { yes: true };
const NO: Command = Command::Divide { yes: false };

fn told(kind: OfferKind, by: u8) -> impl Fn(&Event) -> bool {
    move |e| matches!(e, Event::Offer { kind: k, from: Some(from), .. } if *k == kind && from.0 == by)
}

/// A table of so many in the middle of its second hand, where nobody plays by itself any more.
fn in_hand(seed: u64, players: usize) -> World {
    let mut world = World::new(seed, players, 100, CALM);
    world.until("in a hand", LONG, |w| {
        w.finished(1) && *w.core(0).game.phase() == Phase::Betting && w.core(0).game.bank() > 0
    });
    world.nodes.iter_mut().for_each(|node| node.bot = false);
    world.run_for(500);
    world
}

fn errors(world: &World, i: usize) -> Vec<String> {
    let code = |e: &Event| match e {
        Event::Error { code, .. } => Some(code.clone()),
        _ => None,
    };
    world.nodes[i].events.iter().filter_map(code).collect()
}

#[test]
fn all_together_divide_the_bank() {
    for players in [2, 3, 4] {
        let mut world = in_hand(43_000, players);
        let (core, finished) = (world.core(0).clone(), world.core(0).finished);
        let (bank, active) = (core.game.bank(), core.game.active());
        world.command(0, YES);
        let all = 0..players;
        world.until("it is told", LONG, |w| {
            all.clone().all(|i| w.saw(i, told(OfferKind::Divide, 0)))
        });
        assert_eq!(world.core(0).finished, finished, "one alone divides nothing");
        for i in 1..players {
            world.command(i, YES);
            // Nobody acts meanwhile: the last yes is what ends the hand.
            world.run_for(300);
            assert_eq!(world.core(0).finished == finished, i + 1 < players);
        }
        world.until("the hand is over", LONG, |w| {
            all.clone().all(|i| w.core(i).finished == finished + 1)
        });
        let after = &world.core(0).game;
        let part = |s: &Seat| after.stack(*s).unwrap() - core.game.stack(*s).unwrap();
        let parts: Vec<u64> = active.iter().map(part).collect();
        assert_eq!(parts.iter().sum::<u64>(), bank, "it goes to those still in the hand");
        let even = bank / parts.len() as u64;
        assert!(parts.iter().all(|part| [even, even + 1].contains(part)), "{parts:?}");
        world.nodes.iter_mut().for_each(|node| node.bot = true);
        world.until("the evening goes on", LONG, |w| w.finished(finished + 2));
        world.check();
        world.transcripts_hold(0..players);
    }
}

#[test]
fn one_no_keeps_the_bank_in_play() {
    let mut world = in_hand(43_100, 3);
    let (bank, finished) = (world.core(0).game.bank(), world.core(0).finished);
    world.command(0, YES);
    world.until("it is told", LONG, |w| w.saw(1, told(OfferKind::Divide, 0)));
    world.command(1, YES);
    world.until("one agrees", LONG, |w| w.saw(2, told(OfferKind::DivideAgreed, 1)));
    // Who has agreed may think better of it, and so may who proposed it.
    world.command(1, NO);
    world.until("it is off", LONG, |w| (0..3).all(|i| w.saw(i, told(OfferKind::DivideRefused, 1))));
    world.command(2, YES);
    world.until("another asks", LONG, |w| w.saw(0, told(OfferKind::Divide, 2)));
    world.command(2, NO);
    world.until("and thinks better of it", LONG, |w| {
        (0..3)
            .all(|i| w.core(i).proposals.is_empty() && w.saw(i, told(OfferKind::DivideRefused, 2)))
    });
    world.command(0, NO);
    assert_eq!(errors(&world, 0).last().map(String::as_str), Some("nothing-proposed"));
    assert_eq!((world.core(0).game.bank(), world.core(0).finished), (bank, finished));
    world.nodes.iter_mut().for_each(|node| node.bot = true);
    world.until("the evening goes on", LONG, |w| w.finished(finished + 2));
    world.check();
}

#[test]
fn what_is_proposed_ends_with_the_hand() {
    let mut world = in_hand(43_200, 3);
    let finished = world.core(0).finished;
    world.command(0, YES);
    world.until("it is told", LONG, |w| w.saw(1, told(OfferKind::Divide, 0)));
    world.nodes.iter_mut().for_each(|node| node.bot = true);
    world.until("the hand ends", LONG, |w| w.finished(finished + 1));
    assert!(world.core(0).proposals.is_empty());
    world.until("the next begins", LONG, |w| w.core(0).game.bank() > 0);
    assert!(world.core(0).proposals.is_empty());
    world.check();
}

/// Two players, one of whom was gone: when they meet again they may divide what neither could take.
#[test]
fn a_bank_that_was_suspended_is_divided_when_both_sign() {
    let mut world = in_hand(43_300, 2);
    let (bank, finished) = (world.core(0).game.bank(), world.core(0).finished);
    world.kill(1);
    world.run_for(60_000);
    // Alone nobody divides it.
    world.command(0, YES);
    world.run_for(60_000);
    assert_eq!((world.core(0).game.bank(), world.core(0).finished), (bank, finished));
    world.revive(1);
    world.nodes[1].bot = false;
    world.until("both are there", LONG, |w| w.saw(1, told(OfferKind::Divide, 0)));
    assert_eq!(world.core(0).finished, finished);
    world.command(1, YES);
    world.until("divided", LONG, |w| (0..2).all(|i| w.core(i).finished == finished + 1));
    assert_eq!(world.core(0).game.bank(), 0);
    assert_eq!(world.core(1).game.stack(Seat(0)), world.core(0).game.stack(Seat(0)));
    world.check();
}
