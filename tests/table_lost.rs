//! Seats that are lost: the others go on, and who comes back finds its seat and chips.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use std::collections::BTreeMap;

use trinka::event::{AgainReason, Command, Event, FaultKind, LegalMove, Move, MoveKind, OfferKind};
use trinka::rules::{HouseRules, Preset, Seat};
use trinka::table::agreement::{self, SignedProposal, SignedVote, Voter};
use trinka::table::ledger::{DealUse, Presence, Stage};
use trinka::table::message::Payload;
use trinka::table::transcript::{Finding, verify};
use trinka::table::{Record, Table, TableWire};
use world::{CALM, Death, World};

/// Long enough for every machine step that has to time out.
const LONG: u64 = 600_000;

type Says = fn(&Payload) -> bool;

/// Every kind of thing that a node says in a hand: it dies before or after saying it.
const MOMENTS: [(&str, Says); 10] = [
    ("start", |p| matches!(p, Payload::Start { .. })),
    ("ready", |p| matches!(p, Payload::Ready { .. })),
    ("key", |p| matches!(p, Payload::Key { .. })),
    ("shuffle", |p| matches!(p, Payload::Shuffle { .. })),
    ("cut", |p| matches!(p, Payload::Cut { .. })),
    ("final", |p| matches!(p, Payload::Final { .. })),
    ("shares", |p| matches!(p, Payload::Shares { .. })),
    ("move", |p| matches!(p, Payload::Move { .. })),
    ("escrow", |p| matches!(p, Payload::Escrow { .. })),
    ("shares to open its hand", |p| matches!(p, Payload::Shares { round, .. } if *round > 0)),
];

/// The others of four finish two more hands without `victim`, whose seat and chips are kept.
fn others_go_on(world: &mut World, victim: usize, what: &str) {
    let witness = world.alive().next().unwrap();
    let so_far = world.core(witness).finished;
    world.until(what, LONG, |w| w.finished(so_far + 2));
    world.check();
    let seat = u8::try_from(victim).unwrap();
    for i in world.alive() {
        assert_eq!(world.presence(i, seat), Presence::Away, "{what}");
        assert!(!world.votes(i, seat), "{what}: out of the electorate");
        assert!(world.core(i).game.stack(Seat(seat)).is_some(), "{what}: its stack is kept");
        assert!(world.saw(i, |e| *e == Event::Away { seat: Seat(seat) }), "{what}");
    }
}

fn dies_at(seed: u64, victim: usize, moment: &str, says: Says, heard: bool) {
    let mut world = World::with_think(seed, 4, 100, CALM, 10_000);
    world.until("a first hand", LONG, |w| w.finished(1));
    world.doom = Some((victim, Death { says, heard }));
    let what =
        format!("node {victim} dies {} its {moment}", if heard { "after" } else { "before" });
    world.until(&what, LONG, |w| w.nodes[victim].table.is_none());
    others_go_on(&mut world, victim, &what);
}

#[test]
fn the_host_dies_at_any_moment_of_a_hand() {
    for (i, (moment, says)) in MOMENTS.into_iter().enumerate() {
        for heard in [false, true] {
            dies_at(200 + i as u64, 0, moment, says, heard);
        }
    }
}

#[test]
fn any_other_seat_dies_at_any_moment_of_a_hand() {
    for (i, (moment, says)) in MOMENTS.into_iter().enumerate() {
        dies_at(300 + i as u64, 1 + i % 3, moment, says, i % 2 == 0);
    }
}

#[test]
fn the_host_dies_between_two_hands() {
    let mut world = World::new(400, 4, 100, CALM);
    world.pace_ms = 1_000;
    for i in 0..4 {
        world.start(i);
    }
    world.connect_all();
    world.until("between hands", LONG, |w| {
        w.finished(1) && w.alive().all(|i| w.core(i).stage == Stage::Idle)
    });
    world.kill(0);
    others_go_on(&mut world, 0, "the host dies between hands");
}

#[test]
fn of_six_three_are_lost_one_after_another() {
    let mut world = World::with_think(500, 6, 100, CALM, 10_000);
    for (victim, (_, says)) in [(0, MOMENTS[3]), (5, MOMENTS[6]), (2, MOMENTS[7])] {
        let so_far = world.core(1).finished;
        world.until("a hand", LONG, |w| w.finished(so_far + 1));
        world.doom = Some((victim, Death { says, heard: false }));
        world.until("a death", LONG, |w| w.nodes[victim].table.is_none());
        others_go_on(&mut world, victim, "one of six dies");
    }
    assert_eq!(world.alive().count(), 3);
    // And one more: two are left, and play.
    world.kill(1);
    others_go_on(&mut world, 1, "the fourth dies");
    assert_eq!(world.core(3).electorate.len(), 2);
}

#[test]
fn of_two_the_hand_waits_for_the_other() {
    // Two escrow nothing.
    let moments = MOMENTS.into_iter().filter(|(moment, _)| *moment != "escrow");
    for (i, (moment, says)) in moments.enumerate() {
        for heard in [false, true] {
            let mut world = World::new(600 + i as u64, 2, 100, CALM);
            world.until("a first hand", LONG, |w| w.finished(1));
            world.doom = Some((0, Death { says, heard }));
            world.until(moment, LONG, |w| w.nodes[0].table.is_none());
            world.run_for(1_000);
            let open = world.core(1).hand();
            let finished = world.core(1).finished;
            world.run_for(60_000);
            assert!(world.core(1).finished <= finished, "{moment}: one alone decides nothing");
            assert_eq!(
                world.presence(1, 0),
                Presence::Here,
                "{moment}: nobody is folded by one alone"
            );
            world.revive(0);
            world.until("the same hand ends", LONG, |w| w.finished(finished + 1));
            let ended = world.nodes[1].events.iter().rev().find_map(|e| match e {
                Event::Settled { hand, .. } => Some(*hand),
                _ => None,
            });
            assert!(open.is_none() || ended == open, "{moment}: it is the same hand that ends");
            world.until("they go on", LONG, |w| w.finished(finished + 2));
            world.check();
        }
    }
}

/// Node 2 dies before it gives any share of the second hand.
fn dies_before_its_shares(seed: u64, players: usize) -> World {
    let mut rules = world::rules();
    // Nobody lifts for the deal, whatever came of the hand before.
    rules.set("next_dealer", "rotate").unwrap();
    let mut world = World::with_rules(seed, rules, players, 100, CALM);
    world.until("a first hand", LONG, |w| w.finished(1));
    world.doom = Some((2, Death { says: |p| matches!(p, Payload::Shares { .. }), heard: false }));
    world.until("it dies", LONG, |w| w.nodes[2].table.is_none());
    world
}

#[test]
fn a_lost_layer_comes_out_of_escrow() {
    for players in [3, 4, 6] {
        let mut world = dies_before_its_shares(700 + players as u64, players);
        let dealt = |w: &World| w.alive().all(|i| w.core(i).basis().is_some());
        world.until("the cards are dealt", LONG, dealt);
        let hand = world.core(0).hands;
        world.until("all can read their cards all the same, and end the hand", LONG, |w| {
            w.alive().all(|i| w.core(i).hands > hand || w.core(i).finished > 1)
        });
        for i in world.alive() {
            let again = |e: &Event| matches!(e, Event::DealAgain { hand: h, .. } if *h == hand);
            assert!(!world.saw(i, again));
            let looks = world.nodes[i].events.iter().filter(|e| matches!(e, Event::Cards { .. }));
            assert!(looks.count() >= 2, "it saw its cards in both hands");
        }
        let Finding::Good(report) = verify(&world.nodes[0].transcripts[&hand], [1; 32]) else {
            panic!("the hand verifies");
        };
        assert_eq!(report.shuffles, players as u64, "it was one deal to the end");
        others_go_on(&mut world, 2, "after a lost layer");
    }
}

#[test]
fn after_a_loss_the_escrows_are_made_anew() {
    let mut world = World::with_think(750, 5, 100, CALM, 10_000);
    world.until("a first hand", LONG, |w| w.finished(1));
    // Nobody plays on by itself, so the deal stays open.
    for node in &mut world.nodes {
        node.bot = false;
    }
    world.until("cards", LONG, |w| {
        w.core(0)
            .playing()
            .is_some_and(|c| w.core(0).game.active().iter().all(|s| c.is_readable(*s)))
    });
    let deal = world.core(0).basis().unwrap().deal;
    world.kill(4);
    world.until("it is lost", LONG, |w| w.presence(0, 4) == Presence::Away);
    world.run_for(2_000);
    let cards = world.core(0).playing().unwrap();
    assert_eq!(cards.deal, deal);
    // Everybody had given all its shares for these cards: there is nothing left to escrow.
    assert!(cards.renewal.is_none() && cards.recoveries.is_empty());
}

#[test]
fn several_lost_at_once_are_dealt_anew() {
    let mut world = dies_before_its_shares(760, 6);
    world.kill(3);
    world.until("the cards are dealt", LONG, |w| w.alive().all(|i| w.core(i).basis().is_some()));
    let (hand, deal, bank) =
        (world.core(0).hands, world.core(0).basis().unwrap().deal, world.core(0).game.bank());
    assert_eq!(bank, 6 * world.core(0).game.rules().ante);
    let stacks = world.core(0).game.stacks();
    world.until("they are dealt anew", LONG, |w| {
        w.alive().all(|i| w.core(i).basis().is_some_and(|b| b.deal > deal))
    });
    let core = world.core(0);
    assert_eq!(core.hands, hand, "in the same hand");
    assert_eq!(core.game.bank(), bank, "the bank stays, and nobody pays twice");
    assert_eq!(core.game.stacks(), stacks);
    assert!(!core.game.is_active(Seat(2)) && !core.game.is_active(Seat(3)));
    for i in world.alive() {
        let told = |e: &Event| matches!(e, Event::DealAgain { hand: h, reason: AgainReason::LostLayer, .. } if *h == hand);
        assert!(world.saw(i, told));
    }
    world.until("the hand ends", LONG, |w| w.finished(2));
}

#[test]
fn no_card_comes_instead_of_another_under_a_lost_layer() {
    let mut rules = HouseRules::preset(Preset::TrinkaClassic);
    rules.set("first_dealer", "host").unwrap();
    rules.validate().unwrap();
    let mut world = World::with_rules(5_900, rules, 4, 100, CALM);
    for node in &mut world.nodes {
        node.bot = false;
    }
    let asked = |e: &Event| matches!(e, Event::Offer { kind: OfferKind::Expose, .. });
    world.until("who wants a card face up", LONG, |w| w.saw(3, asked));
    world.command(3, Command::Move(Move::Expose(Seat(3))));
    world.until("the cards are out", LONG, |w| {
        w.core(0).playing().is_some_and(|cards| cards.purpose == Some(DealUse::Hand))
    });
    // It dies before its share of that card.
    world.kill(2);
    world.until("it is lost, and the card is open", LONG, |w| {
        let cards = w.core(0).playing().unwrap();
        cards.lost.contains(&Seat(2)) && cards.dealt && !cards.is_opening()
    });
    world.command(0, Command::Move(Move::Expose(Seat(1))));
    let may = |e: &Event| {
        let replaces = |legal: &[LegalMove]| legal.iter().any(|m| m.kind == MoveKind::Replace);
        matches!(e, Event::Turn { mine: true, legal, .. } if replaces(legal))
    };
    world.until("it may be replaced", LONG, |w| w.saw(1, may));
    for node in &mut world.nodes {
        node.bot = true;
    }
    let finished = world.core(0).finished;
    world.command(1, Command::Move(Move::Replace(0)));
    let anew = |e: &Event| matches!(e, Event::DealAgain { reason: AgainReason::LostLayer, .. });
    world.until("other cards are dealt", 60_000, |w| w.saw(0, anew));
    world.until("they play on", LONG, |w| w.finished(finished + 2));
    world.check();
}

#[test]
fn who_comes_back_finds_seat_and_chips() {
    for victim in [0, 3] {
        let mut world = World::with_think(800 + victim as u64, 4, 200, CALM, 10_000);
        world.until("a hand", LONG, |w| w.finished(1));
        world.doom =
            Some((victim, Death { says: |p| matches!(p, Payload::Move { .. }), heard: false }));
        world.until("it dies", LONG, |w| w.nodes[victim].table.is_none());
        others_go_on(&mut world, victim, "it is away");
        let seat = Seat(u8::try_from(victim).unwrap());
        let chips = world.core(1).game.stack(seat).unwrap();
        world.revive(victim);
        world.until("it is back", LONG, |w| {
            w.alive().all(|i| w.presence(i, seat.0) == Presence::Here)
        });
        assert_eq!(world.core(1).game.stack(seat), Some(chips));
        let so_far = world.core(1).finished;
        world.until("it plays again", LONG, |w| w.finished(so_far + 2));
        assert!(world.votes(1, seat.0), "it votes again");
        assert!(world.saw(1, |e| *e == Event::Back { seat }));
        let again = world.nodes[1].events.iter().rev().find_map(|e| match e {
            Event::Hand { seats, .. } => Some(seats.iter().any(|s| s.seat == seat)),
            _ => None,
        });
        assert_eq!(again, Some(true));
        world.check();
    }
}

#[test]
fn who_comes_back_twice_is_still_welcome() {
    let mut world = World::with_think(900, 4, 200, CALM, 10_000);
    for round in 0..2 {
        let so_far = world.core(0).finished;
        world.until("a hand", LONG, |w| w.finished(so_far + 1));
        world.doom = Some((3, Death { says: |p| matches!(p, Payload::Key { .. }), heard: false }));
        world.until("it dies", LONG, |w| w.nodes[3].table.is_none());
        others_go_on(&mut world, 3, "it is away");
        world.revive(3);
        world.until("it is back", LONG, |w| w.alive().all(|i| w.presence(i, 3) == Presence::Here));
        // After a second machine step that it missed, all voters accept it anew, one finished hand later.
        assert_eq!(world.votes(0, 3), round == 0);
        let so_far = world.core(0).finished;
        world.until("it votes again", LONG, |w| w.finished(so_far + 2));
        assert!(world.votes(0, 3));
    }
    world.check();
}

#[test]
fn a_dealer_proposes_anew_when_others_have_left() {
    let mut world = World::new(950, 4, 100, CALM);
    world.pace_ms = 1_000;
    for i in 0..4 {
        world.start(i);
    }
    world.connect_all();
    world.until("between hands", LONG, |w| {
        w.finished(1) && w.alive().all(|i| w.core(i).stage == Stage::Idle)
    });
    let dealer = usize::from(world.core(0).next_start().unwrap().0.0);
    // It has signed its proposal and dies before anybody hears it; then one that it named leaves.
    world.doom =
        Some((dealer, Death { says: |p| matches!(p, Payload::Start { .. }), heard: false }));
    world.until("it dies", LONG, |w| w.nodes[dealer].table.is_none());
    let leaver = (dealer + 1) % 4;
    world.command(leaver, trinka::event::Command::Leave);
    let witness = (dealer + 2) % 4;
    world.until("one leaves", 10_000, |w| {
        w.presence(witness, u8::try_from(leaver).unwrap()) == Presence::Left
    });
    world.kill(leaver);
    world.revive(dealer);
    let soon = world.now + 10_000;
    world.until("the next hand ends", LONG, |w| w.finished(2));
    assert!(world.now < soon, "nobody waits for the dealer's clock");
    assert_eq!(world.presence(witness, u8::try_from(dealer).unwrap()), Presence::Here);
    world.check();
}

#[test]
fn who_is_started_again_in_a_hand_sees_its_cards_again() {
    let mut world = World::new(960, 3, 100, CALM);
    world.until("cards", LONG, |w| {
        w.finished(1) && w.nodes[1].table.as_ref().unwrap().cards().is_some()
    });
    world.nodes.iter_mut().for_each(|n| n.bot = false);
    world.run_for(100);
    let cards = world.nodes[1].table.as_ref().unwrap().cards();
    let Some(cards) = cards else { return };
    let (told, files) = (world.nodes[1].events.len(), world.nodes[1].transcripts.clone());
    world.kill(1);
    world.nodes[1].transcripts.clear();
    world.revive(1);
    assert!(
        world.nodes[1].events[told..]
            .iter()
            .any(|e| matches!(e, Event::Cards { cards: c, .. } if c[..] == cards[..]))
    );
    assert_eq!(
        world.nodes[1].transcripts.len(),
        files.len(),
        "files that a crash may have cost are given out again"
    );
    world.nodes.iter_mut().for_each(|n| n.bot = true);
    world.until("they go on", LONG, |w| w.finished(2));
    world.check();
}

/// What one seat has put its name to, in every life of its node, as the others received it: a vote in a round
/// and phase, a proposal in a round, a part of a deal. Each at most once.
fn said_nothing_twice(world: &World, victim: usize, what: &str) {
    let me = world.nodes[victim].id.public();
    let voter = Voter(u8::try_from(victim).unwrap());
    let mut said: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut say = |place: String, statement: Vec<u8>| {
        let first = said.entry(place.clone()).or_insert_with(|| statement.clone());
        assert!(*first == statement, "{what}: said two things: {place}");
    };
    let received = world.nodes.iter().enumerate().filter(|(i, _)| *i != victim);
    for (_, bytes) in received.flat_map(|(_, node)| &node.received) {
        match trinka::wire::decode(bytes) {
            Ok(TableWire::Agreement { bytes, .. }) => {
                match trinka::wire::decode_prefix::<Head>(&bytes).unwrap().0 {
                    Head::Proposal(signed) if signed.proposal.proposer == voter => {
                        let p = signed.proposal;
                        say(format!("proposal {} {}", p.height, p.round), p.statement(&[0; 32]));
                    }
                    Head::Votes(votes) => {
                        for v in votes.iter().map(|v| v.vote).filter(|v| v.voter == voter) {
                            let place = format!("{:?} {} {}", v.kind, v.height, v.round);
                            say(place, v.statement(&[0; 32]));
                        }
                    }
                    Head::Proposal(_) => {}
                }
            }
            Ok(TableWire::Messages(messages)) => {
                for message in &messages {
                    let body = message.read(world.log_id()).unwrap();
                    let part = match &body.payload {
                        Payload::Key { deal, .. } => ("key", *deal, [0; 32]),
                        Payload::Shuffle { deal, after, .. } => ("shuffle", *deal, *after),
                        Payload::Cut { deal, after, .. } => ("cut", *deal, *after),
                        Payload::Escrow { deal, .. } => ("escrow", *deal, [0; 32]),
                        Payload::Final { deal, .. } => ("final", *deal, [0; 32]),
                        _ => continue,
                    };
                    if body.author == me {
                        say(format!("{part:?}"), message.bytes.clone());
                    }
                }
            }
            _ => {}
        }
    }
    for i in world.alive() {
        let accused =
            |e: &Event| matches!(e, Event::Fault { kind, .. } if *kind != FaultKind::Absent);
        assert!(!world.saw(i, accused), "{what}: somebody is accused");
        for seat in world.core(i).seats.values() {
            assert_ne!(seat.presence, Presence::Frozen, "{what}");
        }
    }
}

/// The signed part of a message of the agreement.
#[derive(serde::Deserialize)]
enum Head {
    Proposal(SignedProposal),
    Votes(Vec<SignedVote>),
}

/// After its node came back a seat plays and votes again, and has contradicted nothing that it said before.
fn comes_back_clean(world: &mut World, victim: usize, what: &str) {
    let seat = u8::try_from(victim).unwrap();
    let so_far = world.core(victim.wrapping_add(1) % world.nodes.len()).finished;
    world.until(what, LONG, |w| w.finished(so_far + 3));
    world.until(what, LONG, |w| w.alive().all(|i| w.presence(i, seat) == Presence::Here));
    world.until(what, LONG, |w| w.alive().all(|i| w.votes(i, seat)));
    world.check();
    said_nothing_twice(world, victim, what);
}

#[test]
fn without_its_log_a_seat_says_nothing_twice() {
    for players in 2..=4 {
        // Two escrow nothing.
        let moments = MOMENTS.into_iter().filter(|(moment, _)| players > 2 || *moment != "escrow");
        for (i, (moment, says)) in moments.enumerate() {
            let seed = 2_000 + 100 * players as u64 + i as u64;
            let mut world = World::with_think(seed, players, 100, CALM, 10_000);
            world.listen = true;
            world.until("a first hand", LONG, |w| w.finished(1));
            let victim = i % players;
            world.doom = Some((victim, Death { says, heard: i % 3 != 0 }));
            world.until(moment, LONG, |w| w.nodes[victim].table.is_none());
            world.run_for(10 * i as u64);
            world.revive_without_files(victim);
            comes_back_clean(&mut world, victim, &format!("{players} players, {moment}"));
        }
    }
}

#[test]
fn whenever_its_log_is_lost_a_seat_says_nothing_twice() {
    for seed in 0..16u64 {
        let players = 2 + (seed as usize % 4);
        let weather = if seed % 2 == 0 { CALM } else { world::STORM };
        let mut world = World::with_think(2_600 + seed, players, 100, weather, 10_000);
        world.listen = true;
        world.until("a first hand", LONG, |w| w.finished(1));
        let victim = seed as usize % players;
        // Somewhere in the middle of votes.
        world.run_for(seed * 37 % 500);
        world.kill(victim);
        world.run_for(seed * 11 % 50);
        world.revive_without_files(victim);
        // And once more, before it has found its way.
        world.run_for(seed * 53 % 3_000);
        world.kill(victim);
        world.run_for(20);
        if seed % 3 == 0 {
            world.revive_without_files(victim);
        } else {
            world.revive(victim);
        }
        comes_back_clean(&mut world, victim, &format!("seed {seed}, {players} players"));
    }
}

#[test]
fn with_an_old_copy_of_its_files_a_seat_says_nothing_twice() {
    for seed in 0..12u64 {
        let players = 2 + (seed as usize % 4);
        let mut world = World::with_think(2_700 + seed, players, 100, CALM, 10_000);
        world.listen = true;
        world.until("a first hand", LONG, |w| w.finished(1));
        let victim = seed as usize % players;
        world.run_for(seed * 29 % 400);
        let copy = world.nodes[victim].records.clone();
        let height = world.core(victim).height;
        let later = height + 1 + seed % 7;
        world.until("it goes on", LONG, |w| w.core(victim).height > later);
        world.run_for(seed % 5);
        world.kill(victim);
        world.nodes[victim].records = copy;
        world.run_for(30);
        world.revive(victim);
        comes_back_clean(&mut world, victim, &format!("seed {seed}, {players} players"));
    }
}

#[test]
fn all_start_again_at_once() {
    for players in [2, 3, 5] {
        let mut world = World::new(2_800 + players as u64, players, 1_000, CALM);
        // Before anything was signed or decided.
        for i in 0..players {
            world.start(i);
        }
        world.connect_all();
        let soon = world.now + 20_000;
        world.until("a first hand", LONG, |w| w.finished(1));
        assert!(world.now < soon, "{players} players: nothing is waited for");
        for (i, pause) in [0, 3, 8, 50, 1, 0, 0, 2, 1_200].into_iter().enumerate() {
            // In the middle of something.
            world.run_for(17 + 7 * i as u64);
            let so_far = world.core(0).finished;
            for i in 0..players {
                world.kill(i);
            }
            for i in 0..players {
                world.start(i);
                world.run_for(pause);
            }
            world.connect_all();
            let soon = world.now + 30_000;
            world.until("they go on", LONG, |w| w.finished(so_far + 1));
            assert!(world.now < soon, "{players} players, {pause} ms apart: nothing is waited for");
            world.check();
        }
    }
}

#[test]
fn who_starts_again_alone_waits_and_signs_nothing() {
    for (players, lost) in [(2, false), (3, false), (5, false), (2, true), (3, true), (5, true)] {
        let what = format!("{players} players, log lost: {lost}");
        let mut world = World::new(2_900 + players as u64, players, 100, CALM);
        world.listen = true;
        world.until("a first hand", LONG, |w| w.finished(1));
        world.run_for(40);
        for i in 0..players {
            world.kill(i);
        }
        let before = world.nodes[1].records.len();
        if lost {
            world.revive_without_files(1);
        } else {
            world.revive(1);
        }
        let signs = |r: &Record| {
            matches!(r, Record::Own(_) | Record::Secret { .. })
                || matches!(r, Record::Agreement { record: agreement::Record::Signed { .. }, .. })
        };
        world.run_for(60_000);
        let fresh = if lost { 0 } else { before };
        assert!(!world.nodes[1].records[fresh..].iter().any(signs), "{what}");
        for i in (0..players).filter(|i| *i != 1) {
            world.revive(i);
        }
        comes_back_clean(&mut world, 1, &what);
    }
}

/// A node is killed in a hand, and its key of this hand is lost, or is not the one that it had sent.
#[test]
fn whose_hand_key_is_lost_knows_it_and_plays_the_next_hand() {
    let moments = MOMENTS.into_iter().filter(|(m, _)| ["key", "shuffle", "shares"].contains(m));
    let cases = [2, 3, 4].into_iter().flat_map(|players| {
        moments.clone().flat_map(move |moment| [false, true].map(|other| (players, moment, other)))
    });
    for (number, (players, (moment, says), other)) in (0..).zip(cases) {
        let what = format!("{players} players, after its {moment}, another key: {other}");
        let mut world = World::with_think(3_000 + number, players, 100, CALM, 10_000);
        world.until("a first hand", LONG, |w| w.finished(1));
        world.doom = Some((1, Death { says, heard: true }));
        world.until(moment, LONG, |w| w.nodes[1].table.is_none());
        // With all that was durable nothing is missing.
        let (config, records) = (world.config(1), world.nodes[1].records.clone());
        let whole = Table::restore(config, records, world.now).unwrap();
        assert_eq!(whole.lacks_secret(), None, "{what}");
        let secret = |r: &Record| match r {
            Record::Secret { deal, .. } => Some(*deal),
            _ => None,
        };
        let deal = world.nodes[1].records.iter().filter_map(secret).max().unwrap();
        let records = &mut world.nodes[1].records;
        records.retain(|r| secret(r) != Some(deal));
        if other {
            let key = zeroize::Zeroizing::new([5; 32]);
            records.insert(0, Record::Secret { deal, key });
        }
        let so_far = world.core(0).finished;
        world.revive(1);
        assert_eq!(world.nodes[1].table.as_ref().unwrap().lacks_secret(), Some(deal), "{what}");
        world.until(&what, LONG, |w| w.finished(so_far + 2));
        world.check();
        for i in world.alive() {
            assert_eq!(world.presence(i, 1), Presence::Here, "{what}");
            let named =
                |e: &Event| matches!(e, Event::Fault { kind, .. } if *kind != FaultKind::Absent);
            assert!(!world.saw(i, named), "{what}");
        }
    }
}
