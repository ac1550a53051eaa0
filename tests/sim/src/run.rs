//! One run from a seed: what happens in it, and what must be so at its end.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use trinka::rules::Seat;
use trinka::table::agreement::quorum;
use trinka::table::ledger::Presence;
use trinka::table::ledger::Stage;
use trinka::table::message::Payload;
use trinka::table::transcript::{Finding, verify};

use crate::plan::{Mode, Plan, Taste, Wanted};
use crate::trace::Trace;
use crate::world::{Doom, World};

/// What came of a run.
#[derive(Default)]
pub struct Outcome {
    pub hands: u64,
    pub violation: Option<String>,
    pub trace: Trace,
    pub longest: u64,
    /// Seats that were named cheats.
    pub named: u64,
    pub about: String,
}

type Says = fn(&Payload) -> bool;

/// Every kind of thing that a node says in a hand.
const MOMENTS: &[Says] = &[
    |p| matches!(p, Payload::Start { .. }),
    |p| matches!(p, Payload::Ready { .. }),
    |p| matches!(p, Payload::Key { .. }),
    |p| matches!(p, Payload::Shuffle { .. }),
    |p| matches!(p, Payload::Cut { .. }),
    |p| matches!(p, Payload::Escrow { .. }),
    |p| matches!(p, Payload::Final { .. }),
    |p| matches!(p, Payload::Shares { .. }),
    |p| matches!(p, Payload::Shares { round, .. } if *round > 0),
    |p| matches!(p, Payload::Move { .. }),
    |p| matches!(p, Payload::Unary { .. }),
    |p| matches!(p, Payload::Select { .. }),
    |p| matches!(p, Payload::Reveal { .. }),
    |p| matches!(p, Payload::Free { .. }),
];

pub fn run(seed: u64, wanted: &Wanted, loud: bool) -> Outcome {
    let plan = Plan::new(seed, wanted);
    let about = plan.describe();
    let mut world = World::new(plan, loud);
    match world.plan.mode {
        Mode::Safety | Mode::Liveness => faults_and_lies(&mut world),
        Mode::OneOfFour => one_dies(&mut world),
        Mode::ThreeOfSix => three_die(&mut world),
    }
    if !world.checks.end() {
        at_the_end(&mut world);
    }
    let World { mut trace, checks, links, .. } = world;
    for (kind, n) in links.met.counts() {
        *trace.faults.entry(kind).or_insert(0) += n;
    }
    Outcome {
        hands: checks.finished,
        violation: checks.violation,
        trace,
        longest: checks.longest,
        named: checks.named.len() as u64,
        about,
    }
}

impl World {
    /// Runs until something is so, or so much time is over. False when it never was.
    pub fn until(&mut self, most_ms: u64, mut done: impl FnMut(&World) -> bool) -> bool {
        let end = self.now + most_ms;
        while self.now < end && !self.checks.end() {
            if done(self) {
                return true;
            }
            self.step();
        }
        false
    }

    /// Who runs and has not left is at the same height with the same state.
    fn together(&self) -> bool {
        let mut seen = None;
        self.running().filter(|i| !self.nodes[*i].left).all(|i| {
            let state = self.nodes[i].table.as_ref().map(|t| t.state().hash());
            *seen.get_or_insert(state) == state
        })
    }

    /// Fewer than two can play: whoever is here waits for players.
    fn nobody_to_play(&self) -> bool {
        self.running()
            .filter_map(|i| self.core(i))
            .all(|c| c.stage == Stage::Idle && c.next_start().is_none())
    }

    /// Without the liar there is no quorum: of two voters each can stop the table.
    fn liar_blocks(&self) -> bool {
        let Some(liar) = &self.liar else { return false };
        let key = self.nodes[liar.node].key;
        self.running().filter_map(|i| self.core(i)).max_by_key(|c| c.height).is_some_and(|c| {
            let votes = c.seat_of(&key).is_some_and(|seat| c.electorate.contains(&seat));
            votes && c.electorate.len() - 1 < quorum(c.electorate.len())
        })
    }

    fn liar_named(&self) -> bool {
        let Some(liar) = &self.liar else { return true };
        let key = self.nodes[liar.node].key;
        self.running().filter(|i| !self.nodes[*i].left).filter_map(|i| self.core(i)).all(|c| {
            c.seat_of(&key)
                .and_then(|s| c.seats.get(&s))
                .is_some_and(|s| s.presence == Presence::Frozen)
        })
    }
}

/// Hands more that a liar is given to meet its chance.
const MORE_HANDS: u64 = 8;

fn faults_and_lies(world: &mut World) {
    let hands = world.plan.hands;
    let most = 60_000 + 90_000 * hands;
    if let Some(victim) = world.plan.victim {
        layers_lost(world, victim);
    }
    world.until(most, |w| w.checks.finished >= hands);
    let waits = |w: &World| w.liar.as_ref().is_some_and(|l| l.met == 0);
    if waits(world) {
        world.until(240_000, |w| !waits(w) || w.checks.finished >= hands + MORE_HANDS);
        // What comes of the lie.
        let so_far = world.checks.finished;
        world.until(60_000, |w| w.checks.finished > so_far);
    }
    if world.checks.end() {
        return;
    }
    world.heal();
    // A liar alone against one other stops the table, and nothing else.
    if world.liar.is_some() && world.plan.players == 2 {
        world.until(20_000, |_| false);
        return;
    }
    let so_far = world.checks.finished;
    let must_name = world.plan.players >= 4;
    let came = world.until(600_000, |w| {
        if w.liar_blocks() {
            return w.together();
        }
        let named = !must_name || !w.liar.as_ref().is_some_and(|l| l.provable) || w.liar_named();
        (w.nobody_to_play() || w.checks.finished > so_far) && w.together() && named
    });
    if !came && !world.checks.end() {
        let named = world.liar_named();
        let words = world.describe();
        let together = world.together();
        world.checks.fail(format!(
            "healed, and yet within ten minutes it is not so that all are together ({together}), a hand \
             more is played ({} after {so_far}), and a provable liar is named ({named})\n{words}",
            world.checks.finished
        ));
    }
}

/// Again and again somebody is lost in the middle of a hand, until the liar has met its chance.
fn layers_lost(world: &mut World, victim: usize) {
    let mut rng = ChaCha20Rng::seed_from_u64(world.plan.seed ^ 79);
    for _ in 0..6 {
        if world.checks.end() || world.liar.as_ref().is_some_and(|l| l.met > 0) {
            return;
        }
        let says: Says = if world.plan.taste != Taste::Dark && rng.random_bool(0.5) {
            |p| matches!(p, Payload::Shares { .. })
        } else {
            |p| matches!(p, Payload::Move { .. } | Payload::Free { .. })
        };
        world.doom = Some(Doom { node: victim, says, heard: rng.random_bool(0.5) });
        let so_far = world.checks.finished;
        if world.until(90_000, |w| w.nodes[victim].table.is_none()) {
            world.trace.fault("lost-in-a-hand");
            world.until(90_000, |w| w.checks.finished > so_far);
        }
        world.doom = None;
        world.revive(victim);
        let so_far = world.checks.finished;
        world.until(60_000, |w| w.checks.finished > so_far);
    }
}

/// One of four dies as it says something, or at any time; the others play on; it comes back.
fn one_dies(world: &mut World) {
    let mut rng = ChaCha20Rng::seed_from_u64(world.plan.seed ^ 77);
    let victim = rng.random_range(0..4);
    world.until(300_000, |w| w.checks.finished >= 1);
    die(world, &mut rng, victim);
    lost_and_found(world, &[victim]);
}

fn die(world: &mut World, rng: &mut ChaCha20Rng, victim: usize) {
    world.trace.fault("killed-for-good");
    if rng.random_bool(0.8) {
        let says = MOMENTS[rng.random_range(0..MOMENTS.len())];
        world.doom = Some(Doom { node: victim, says, heard: rng.random_bool(0.5) });
        if world.until(120_000, |w| w.nodes[victim].table.is_none()) {
            world.plan.core.retain(|i| *i != victim);
            return;
        }
        world.doom = None;
    }
    let ms = rng.random_range(0..8_000);
    world.until(ms, |_| false);
    world.kill(victim);
    world.plan.core.retain(|i| *i != victim);
}

fn three_die(world: &mut World) {
    let mut rng = ChaCha20Rng::seed_from_u64(world.plan.seed ^ 78);
    let mut victims: Vec<usize> = (0..6).collect();
    while victims.len() > 3 {
        victims.remove(rng.random_range(0..victims.len()));
    }
    world.until(300_000, |w| w.checks.finished >= 1);
    for victim in &victims {
        die(world, &mut rng, *victim);
        let seat = Seat(u8::try_from(*victim).unwrap_or(0));
        let so_far = world.checks.finished;
        let gone = world.until(240_000, |w| {
            let away = |c: &trinka::table::ledger::Core| {
                c.seats.get(&seat).is_some_and(|s| s.presence == Presence::Away)
            };
            w.running().filter_map(|i| w.core(i)).all(away) && w.checks.finished > so_far
        });
        if !gone && !world.checks.end() {
            let words = world.describe();
            world
                .checks
                .fail(format!("node {victim} is dead, and the others do not play on\n{words}"));
        }
    }
    lost_and_found(world, &victims);
}

/// The others play two hands without the dead; then the dead come back to their seats and chips.
fn lost_and_found(world: &mut World, victims: &[usize]) {
    let so_far = world.checks.finished;
    let plays = world.until(300_000, |w| w.checks.finished >= so_far + 2);
    if !plays && !world.checks.end() {
        let words = world.describe();
        return world.checks.fail(format!("the others do not play on\n{words}"));
    }
    let witness = world.running().next().unwrap_or(0);
    let seat = |v: usize| Seat(u8::try_from(v).unwrap_or(0));
    // What it holds beyond what it has bought: who comes back with little may buy more at once.
    let chips = |world: &World| -> Vec<Option<i128>> {
        let game = world.core(witness).map(|c| &c.game);
        let won = |v: &usize| {
            let (stack, bought) = (game?.stack(seat(*v))?, game?.bought(seat(*v))?);
            Some(i128::from(stack) - i128::from(bought))
        };
        victims.iter().map(won).collect()
    };
    let before = chips(world);
    for victim in victims {
        world.revive(*victim);
    }
    world.trace.fault("came-back");
    let back = world.until(300_000, |w| {
        victims.iter().all(|v| {
            w.core(witness)
                .and_then(|c| c.seats.get(&seat(*v)))
                .is_some_and(|s| s.presence == Presence::Here)
        })
    });
    let now = chips(world);
    if world.checks.end() {
        return;
    }
    if !back {
        let words = world.describe();
        return world.checks.fail(format!("who came back did not get its seat\n{words}"));
    }
    // The first to be back may have been dealt in before the last was.
    if victims.len() == 1 && now != before {
        world.checks.fail(format!("beyond its buy-ins it had {before:?} and has {now:?}"));
    }
    let so_far = world.checks.finished;
    world.plan.core = (0..world.nodes.len()).collect();
    if !world.until(300_000, |w| w.checks.finished > so_far && w.together()) && !world.checks.end()
    {
        let words = world.describe();
        world.checks.fail(format!("all are back, and nobody plays\n{words}"));
    }
}

/// What must be so at the end of every run.
fn at_the_end(world: &mut World) {
    let witness = world.running().find(|i| !world.nodes[*i].left);
    let Some(core) = witness.and_then(|i| world.core(i)) else { return };
    for named in world.checks.named.values().filter(|n| !n.shares) {
        let now = core.game.stack(named.seat).unwrap_or(0);
        let bought = core.game.bought(named.seat).unwrap_or(0).saturating_sub(named.bought);
        if now > named.stack + bought {
            let (seat, then) = (named.seat.0, named.stack);
            let words = format!(
                "seat {seat} was named with {then} chips, bought {bought} since, and has {now}"
            );
            return world.checks.fail(words);
        }
    }
    evidence_holds(world);
    // One file of the evening is checked from nothing: that in which somebody was named, where there is one.
    let files: Vec<&(u64, Vec<u8>)> =
        world.honest().flat_map(|i| &world.nodes[i].transcripts).collect();
    if files.is_empty() {
        return;
    }
    let hands: Vec<u64> = world.checks.named.values().filter_map(|n| n.hand).collect();
    let any = files[usize::try_from(world.plan.seed).unwrap_or(0) % files.len()];
    let (hand, file) = files.iter().find(|(hand, _)| hands.contains(hand)).unwrap_or(&any);
    let finding = verify(file, [5; 32]);
    if !matches!(finding, Finding::Good(_)) {
        let words = format!("the transcript of hand {hand} does not verify: {finding:?}");
        world.checks.fail(words);
    }
}

/// Everybody who knows that a seat was named has the proof of it in a file, and the file needs nobody's word.
fn evidence_holds(world: &mut World) {
    let mut wrong = None;
    let who: Vec<usize> = world.running().collect();
    let reader = who.get(usize::try_from(world.plan.seed).unwrap_or(0) % who.len().max(1)).copied();
    for (i, named) in who.into_iter().flat_map(|i| world.checks.named.values().map(move |n| (i, n)))
    {
        if world.core(i).is_none_or(|core| core.height <= named.height) {
            continue;
        }
        let name = format!("{:06}-{}.evidence", named.height, named.seat.0);
        let proofs = &world.nodes[i].proofs;
        let Some(file) = proofs.get(&name) else {
            wrong.get_or_insert(format!("node {i} has no file {name}: {:?}", proofs.keys()));
            continue;
        };
        // One node's are read whole.
        if reader != Some(i) {
            continue;
        }
        match verify(file, [6; 32]) {
            Finding::Evidence(report)
                if report.named.last().is_some_and(|last| last.seat == named.seat) => {}
            other => drop(wrong.get_or_insert(format!("{name} of node {i}: {other:?}"))),
        }
    }
    if let Some(what) = wrong {
        world.checks.fail(what);
    }
}
