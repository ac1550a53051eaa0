//! Newcomers, onlookers, and players who do not act, leave, sit out or buy chips.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::event::{Command, Event, MoveKind};
use trinka::identity::PublicKey;
use trinka::rules::Seat;
use trinka::table::agreement;
use trinka::table::ledger::{Checks, Presence, Stage};
use trinka::table::message::{Free, Payload, Signed};
use trinka::table::{Forgot, Input, Record, TableWire};
use trinka::wire;
use world::{CALM, World, identity};

const LONG: u64 = 600_000;

/// A node that knows the founding entry and nothing else.
fn newcomer(world: &mut World, number: usize) -> usize {
    let i = world.add(identity(9_000, number));
    world.connect_all();
    i
}

fn sit(world: &mut World, i: usize) -> Seat {
    world.input(i, Input::Sit { name: format!("N{i}"), addresses: Vec::new() });
    world.until("it has a seat", LONG, |w| w.nodes[i].table.as_ref().unwrap().seat().is_some());
    world.nodes[i].table.as_ref().unwrap().seat().unwrap()
}

/// These leave together, and are gone for `witness`.
fn leave(world: &mut World, gone: [u8; 2], witness: usize) {
    for seat in gone {
        world.command(usize::from(seat), Command::Leave);
    }
    world.until("both are gone", LONG, |w| {
        gone.iter().all(|seat| w.presence(witness, *seat) == Presence::Left)
    });
}

fn plays(event: &Event, seat: Seat) -> bool {
    matches!(event, Event::Hand { seats, .. } if seats.iter().any(|s| s.seat == seat))
}

fn key(world: &World, i: usize) -> PublicKey {
    world.nodes[i].id.public()
}

#[test]
fn newcomers_play_at_once_and_vote_one_by_one() {
    let mut world = World::new(1_000, 4, 100, CALM);
    world.until("in the middle of a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_some());
    let (a, b) = (newcomer(&mut world, 0), newcomer(&mut world, 1));
    let (x, y) = (sit(&mut world, a), sit(&mut world, b));
    assert_eq!((x, y), (Seat(4), Seat(5)));
    let sat = world.core(0).finished;
    let mut before = world.core(0).clone();
    let mut entered = Vec::new();
    while world.core(0).finished < sat + 4 {
        assert!(world.step());
        let core = world.core(0);
        let fresh: Vec<Seat> = core.electorate.difference(&before.electorate).copied().collect();
        if !fresh.is_empty() {
            assert_eq!(fresh.len(), 1, "at most one in a hand");
            assert_eq!(core.finished, before.finished + 1, "with the end of a hand");
            assert!(world.saw(0, |e| plays(e, fresh[0])), "after a hand that it played");
            entered.push(fresh[0]);
        }
        before = core.clone();
    }
    world.until("all are there", LONG, |w| w.finished(sat + 4));
    entered.sort_unstable();
    assert_eq!(entered, [x, y]);
    for seat in [x, y] {
        assert!(world.saw(0, |e| plays(e, seat)));
    }
    world.check();
}

#[test]
fn a_newcomer_is_admitted_after_the_host_is_gone() {
    let mut world = World::new(1_100, 4, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    world.kill(0);
    world.until("the others go on", LONG, |w| w.finished(2));
    let i = newcomer(&mut world, 0);
    let seat = sit(&mut world, i);
    let so_far = world.core(1).finished;
    world.until("it plays and votes", LONG, |w| w.finished(so_far + 4));
    assert!(world.saw(1, |e| plays(e, seat)));
    assert!(world.votes(1, seat.0));
    assert!(!world.votes(1, 0));
    world.check();
}

#[test]
fn an_onlooker_follows_and_never_signs_for_the_log() {
    let mut world = World::new(1_200, 3, 3, CALM);
    let i = newcomer(&mut world, 0);
    world.until("three hands", LONG, |w| w.finished(3));
    world.check();
    for record in &world.nodes[i].records {
        match record {
            Record::Decided(_) => {}
            Record::Forgot(forgot) => assert_eq!(*forgot, Forgot::NOTHING),
            Record::Agreement { record, .. } => {
                assert!(
                    !matches!(
                        record,
                        agreement::Record::Signed { .. } | agreement::Record::Propose { .. }
                    ),
                    "it votes"
                );
            }
            Record::Own(_) | Record::Secret { .. } | Record::Fork(_) => {
                panic!("an onlooker signed something")
            }
        }
    }
    assert!(world.saw(i, |e| matches!(e, Event::Settled { .. })), "it is told what happens");
    assert!(!world.saw(i, |e| matches!(e, Event::Cards { .. })));
    assert_eq!(world.nodes[i].transcripts.len(), 3);
    world.command(i, Command::Leave);
    assert!(world.saw(i, |e| matches!(e, Event::Error { code, .. } if code == "no-seat")));
}

#[test]
fn who_does_not_act_folds_and_is_lost_the_third_time() {
    let mut world = World::with_think(1_300, 4, 100, CALM, 5_000);
    world.nodes[2].bot = false;
    let mut turns = Vec::new();
    while world.presence(0, 2) == Presence::Here {
        assert!(world.step() && world.now < LONG);
        let core = world.core(0);
        if core.game.turn() == Some(Seat(2))
            && turns.last().is_none_or(|(basis, _)| Some(*basis) != core.basis())
        {
            turns.push((core.basis().unwrap(), world.now));
        } else if let Some((basis, since)) = turns.last().copied()
            && core.basis() != Some(basis)
            && core.seats[&Seat(2)].missed as usize == turns.len()
        {
            assert!(world.now >= since + 7_000, "its time and the grace have to pass first");
        }
    }
    assert_eq!(turns.len(), 3, "three turns running");
    world.until("all know", LONG, |w| w.alive().all(|i| w.presence(i, 2) == Presence::Away));
    assert!(world.core(0).seats[&Seat(2)].idle);
    assert!(!world.votes(0, 2));
    let folds = |e: &&Event| matches!(e, Event::Moved { seat: Seat(2), kind: MoveKind::Fold, .. });
    assert!(world.nodes[0].events.iter().filter(folds).count() >= 3);
    let so_far = world.core(0).finished;
    world.until("the others go on", LONG, |w| w.finished(so_far + 2));
    assert_eq!(world.presence(0, 2), Presence::Away, "its program alone does not bring it back");
    world.nodes[2].bot = true;
    world.command(2, Command::Ready);
    world.until("it is back", LONG, |w| w.presence(0, 2) == Presence::Here && w.votes(0, 2));
    let so_far = world.core(0).finished;
    world.until("it plays", LONG, |w| w.finished(so_far + 2));
    world.check();
}

#[test]
fn who_starts_the_program_again_is_back_though_nobody_acted_for_it() {
    let mut world = World::with_think(1_350, 4, 100, CALM, 5_000);
    world.nodes[2].bot = false;
    world.until("it is lost", LONG, |w| w.alive().all(|i| w.presence(i, 2) == Presence::Away));
    assert!(world.core(0).seats[&Seat(2)].idle);
    world.kill(2);
    let so_far = world.core(0).finished;
    world.until("the others go on", LONG, |w| w.core(0).finished > so_far);
    world.revive(2);
    world.until("it is back", LONG, |w| w.presence(0, 2) == Presence::Here);
    // Not a second time: whoever started it does not act either.
    world.nodes[2].bot = false;
    world.until("it is lost again", LONG, |w| w.presence(0, 2) == Presence::Away);
    let so_far = world.core(0).finished;
    world.until("the others go on", LONG, |w| w.core(0).finished >= so_far + 2);
    assert_eq!(world.presence(0, 2), Presence::Away);
    world.check();
}

#[test]
fn more_time_is_more_time() {
    let mut world = World::with_think(1_400, 3, 100, CALM, 5_000);
    world.nodes[1].bot = false;
    world.until("its turn", LONG, |w| {
        w.alive().all(|i| {
            w.core(i).game.turn() == Some(Seat(1)) && w.core(i).owed().iter().any(|o| o.human)
        })
    });
    let (basis, since) = (world.core(0).basis(), world.now);
    world.command(1, Command::MoreTime);
    world.command(0, Command::MoreTime);
    world.until("it is decided", LONG, |w| w.core(0).seats[&Seat(1)].time_bank == 7);
    assert!(world.saw(0, |e| matches!(e, Event::Error { .. })), "only who is to act may take time");
    world.until("its time is over", LONG, |w| w.core(0).basis() != basis);
    assert!(world.now >= since + 5_000 + 15_000 + 2_000, "after {} ms", world.now - since);
    assert!(world.now <= since + 5_000 + 15_000 + 6_000, "after {} ms", world.now - since);
    assert_eq!(world.core(0).seats[&Seat(1)].time_bank, 7);
    world.check();
}

#[test]
fn who_leaves_folds_and_takes_its_chips_along() {
    let mut world = World::new(1_500, 4, 100, CALM);
    world.until("in a hand", LONG, |w| w.finished(1) && w.core(0).basis().is_some());
    let chips = world.core(0).game.stack(Seat(3)).unwrap();
    // Saying it twice is saying it once.
    world.command(3, Command::Leave);
    world.command(3, Command::Leave);
    world.until("it is gone", LONG, |w| {
        [0, 1, 2].iter().all(|i| w.presence(*i, 3) == Presence::Left)
    });
    assert!(!world.saw(3, |e| matches!(e, Event::Error { .. })));
    let core = world.core(0);
    assert!(matches!(core.stage, Stage::Idle), "when the hand is over");
    assert!(core.game.stack(Seat(3)).is_none());
    assert!(core.game.gone() <= chips + core.game.rules().ante * 100 && core.game.gone() > 0);
    assert!(!core.electorate.contains(&Seat(3)));
    world.check();
    world.kill(3);
    let so_far = world.core(0).finished;
    world.until("the others go on", LONG, |w| w.finished(so_far + 2));
    assert!(
        !world.nodes[0]
            .events
            .iter()
            .rev()
            .take_while(|e| !matches!(e, Event::Hand { .. }))
            .any(|e| plays(e, Seat(3)))
    );
    world.check();
}

#[test]
fn who_left_may_come_again_on_another_seat() {
    let mut world = World::new(1_600, 3, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    world.command(2, Command::Leave);
    world.until("it is gone", LONG, |w| w.alive().all(|i| w.presence(i, 2) == Presence::Left));
    let seat = sit(&mut world, 2);
    assert_eq!(seat, Seat(3));
    let so_far = world.core(0).finished;
    world.until("it plays and votes", LONG, |w| w.finished(so_far + 4));
    assert!(world.votes(0, 3));
    assert_eq!(world.core(0).seat_of(&key(&world, 2)), Some(Seat(3)));
    world.check();
}

#[test]
fn what_was_said_on_a_seat_that_was_left_says_nothing_on_the_next() {
    let mut world = World::new(1_650, 4, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    world.command(2, Command::Leave);
    world.until("it is gone", LONG, |w| w.alive().all(|i| w.presence(i, 2) == Presence::Left));
    let log = world.log_id();
    let left = world.nodes[2].records.iter().find_map(|record| match record {
        Record::Own(m) => {
            let body = m.read(log).unwrap();
            matches!(body.payload, Payload::Free { free: Free::Leave, .. }).then(|| m.clone())
        }
        _ => None,
    });
    let words = wire::encode(&TableWire::Messages(vec![left.expect("it said so")])).unwrap();
    // It comes again with its old files, and with another's copy of what it said then.
    world.kill(2);
    world.revive(2);
    assert_eq!(sit(&mut world, 2), Seat(4));
    let so_far = world.core(0).finished;
    while world.core(0).finished < so_far + 3 {
        for to in [0, 3] {
            world.inject(1, to, words.clone());
        }
        world.run_for(1_000);
    }
    assert!(world.alive().all(|i| world.presence(i, 4) == Presence::Here), "it did not leave");
    assert!(world.saw(0, |e| plays(e, Seat(4))));
    assert_eq!(world.core(0).seats.len(), 5, "it sat down once");
    // What it says now counts, though it has said the same before.
    world.command(2, Command::Leave);
    world.until("it is gone", LONG, |w| w.alive().all(|i| w.presence(i, 4) == Presence::Left));
    world.check();
}

#[test]
fn who_stays_where_all_voters_leave_decides_from_then_on() {
    let mut world = World::new(1_660, 2, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    let guest = newcomer(&mut world, 0);
    assert_eq!(sit(&mut world, guest), Seat(2));
    assert!(!world.votes(0, 2), "it has not played yet");
    leave(&mut world, [0, 1], guest);
    assert!(world.votes(guest, 2), "somebody has to decide who sits down");
    for i in [0, 1] {
        world.kill(i);
    }
    // One comes back, somebody else comes, and they play.
    world.revive(0);
    assert_eq!(sit(&mut world, 0), Seat(3));
    let another = newcomer(&mut world, 1);
    assert_eq!(sit(&mut world, another), Seat(4));
    let so_far = world.core(guest).finished;
    world.until("they play", LONG, |w| w.finished(so_far + 4));
    assert!(world.votes(guest, 3) && world.votes(guest, 4));
    world.check();
}

#[test]
fn where_the_last_voter_leaves_who_is_away_may_come_back() {
    let mut world = World::new(1_670, 3, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    world.kill(2);
    world.until("it is away", LONG, |w| w.presence(0, 2) == Presence::Away);
    leave(&mut world, [0, 1], 0);
    assert!(world.votes(0, 2));
    let chips = world.core(0).game.stack(Seat(2));
    world.revive(2);
    world.until("it is back", LONG, |w| w.presence(2, 2) == Presence::Here);
    assert_eq!(world.core(2).game.stack(Seat(2)), chips);
    world.kill(1);
    world.kill(0);
    world.revive(0);
    assert_eq!(sit(&mut world, 0), Seat(3));
    let so_far = world.core(2).finished;
    world.until("they play", LONG, |w| w.finished(so_far + 2));
    world.check();
}

#[test]
fn sitting_out_and_buying_chips() {
    let mut world = World::new(1_700, 3, 100, CALM);
    world.command(1, Command::SitOut);
    world.until("a hand without it", LONG, |w| w.finished(2));
    assert_eq!(world.presence(0, 1), Presence::SittingOut);
    assert!(world.votes(0, 1), "it votes all the same");
    let before = world.core(0).game.stack(Seat(1)).unwrap();
    world.command(1, Command::Rebuy(50));
    world.until("it has more chips", LONG, |w| {
        w.alive().all(|i| w.core(i).game.stack(Seat(1)) == Some(before + 50))
    });
    world.command(1, Command::Rebuy(1_000));
    assert!(world.saw(1, |e| matches!(e, Event::Error { .. })), "not more than a buy-in");
    world.command(1, Command::Ready);
    let so_far = world.core(0).finished;
    world.until("it plays again", LONG, |w| w.finished(so_far + 3));
    assert_eq!(world.presence(0, 1), Presence::Here);
    assert_eq!(world.core(0).game.total_bought(), 350);
    world.check();
}

#[test]
fn all_but_one_sit_out_and_come_again() {
    let mut world = World::new(1_800, 3, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    for i in [0, 1] {
        world.command(i, Command::SitOut);
    }
    world.run_for(30_000);
    let so_far = world.core(2).finished;
    world.run_for(30_000);
    assert_eq!(world.core(2).finished, so_far, "one alone plays nothing");
    assert!(world.saw(2, |e| matches!(e, Event::Waiting { .. })));
    world.command(0, Command::Ready);
    world.until("two play", LONG, |w| w.finished(so_far + 2));
    assert_eq!(world.presence(2, 1), Presence::SittingOut);
    world.check();
}

#[test]
fn a_broken_table_waits_for_chips() {
    let mut rules = world::rules();
    rules.set("ante", "20").unwrap();
    let mut world = World::with_rules(1_900, rules, 2, 500, CALM);
    world.until("one has all", 3_600_000, |w| {
        w.core(0).stage == Stage::Idle && w.core(0).next_start().is_none()
    });
    let poor = u8::from(world.core(0).game.stack(Seat(0)) > world.core(0).game.stack(Seat(1)));
    let so_far = world.core(0).finished;
    world.run_for(60_000);
    world.command(usize::from(poor), Command::Rebuy(100));
    world.until("they go on", LONG, |w| w.finished(so_far + 1));
    world.check();
}

#[test]
fn an_old_request_seats_nobody_again() {
    let mut world = World::new(2_000, 3, 100, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    let i = newcomer(&mut world, 0);
    sit(&mut world, i);
    let so_far = world.core(0).finished;
    world.until("it votes", LONG, |w| w.finished(so_far + 3) && w.votes(0, 3));
    let log = world.log_id();
    let asked = world.nodes[i].records.iter().find_map(|record| match record {
        Record::Own(m) if matches!(m.read(log).unwrap().payload, Payload::Admit { .. }) => {
            Some(m.clone())
        }
        _ => None,
    });
    let asked = asked.expect("it asked for its seat");
    world.command(i, Command::Leave);
    world.until("it is gone", LONG, |w| w.alive().all(|i| w.presence(i, 3) == Presence::Left));
    let gone = key(&world, i);
    world.kill(i);
    // Somebody who kept its request sends it again and again.
    let bytes = wire::encode(&TableWire::Messages(vec![asked.clone()])).unwrap();
    let so_far = world.core(0).finished;
    while world.core(0).finished < so_far + 2 {
        for to in 0..3 {
            world.inject(1, to, bytes.clone());
        }
        world.run_for(1_000);
    }
    assert!(world.alive().all(|i| world.core(i).seats.len() == 4), "nobody sits down by it");

    // It comes itself: its own new request is taken, an old acceptance of its key is not.
    world.revive(i);
    let seat = sit(&mut world, i);
    assert_eq!((seat, world.core(0).seat_of(&gone)), (Seat(4), Some(Seat(4))));
    let accept = |times: u32| {
        let nonce = world.core(0).seats[&Seat(1)].nonce;
        let free = Free::Accept { key: gone, times };
        Signed::new(&world.nodes[1].id, log, Payload::Free { nonce, free }).unwrap()
    };
    let mut fresh = world.nodes[0].table.as_ref().unwrap().state().clone();
    fresh.alter(|core| {
        let newcomer = core.seats.get_mut(&Seat(4)).unwrap();
        newcomer.accepted_by.clear();
        core.electorate.remove(&Seat(4));
    });
    let mut checks = Checks::new([1; 32]);
    assert!(fresh.try_message(&accept(0), &mut checks).is_err());
    assert!(fresh.try_message(&accept(1), &mut checks).is_ok());
    let so_far = world.core(0).finished;
    world.until("it plays and votes", LONG, |w| w.finished(so_far + 4) && w.votes(0, 4));
    world.check();
}
