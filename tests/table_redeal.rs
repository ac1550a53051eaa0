//! Three tens between nodes: a deal that is rigged by its cut gives them to somebody, and the bank is played
//! for with new cards.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

#[path = "world/paper.rs"]
mod paper;
mod world;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use trinka::event::{Command, Event, LegalMove, Move, MoveKind, OfferKind};
use trinka::rules::{Card, HouseRules, Preset, Rank, Seat};
use trinka::table::Record;
use trinka::table::ledger::{Deal, DealUse, Stage, are_tens, share_purpose};
use trinka::table::transcript::{Finding, verify};
use trinka_crypto::{SecretKey, opening, shares};
use world::{CALM, World};

const LONG: u64 = 600_000;
const PLAYERS: usize = 4;

fn rules(preset: Preset) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in [("first_dealer", "random"), ("exposed_card", "off"), ("dark", "off")] {
        rules.set(switch, value).unwrap();
    }
    rules.validate().unwrap();
    rules
}

fn exposing_rules() -> HouseRules {
    let mut rules = rules(Preset::TrinkaClassic);
    rules.set("exposed_card", "on").unwrap();
    rules.validate().unwrap();
    rules
}

/// How a hand is played: the cut of its first deal, and who does what.
struct Script {
    world: World,
    read: Vec<usize>,
    cut: u64,
    /// Who folds at its first chance.
    folds: Option<Seat>,
    /// Whether three tens are laid open on the own turn.
    lays: bool,
    /// To whom the dealer deals its first card face up, and from where in the rest that seat has it replaced.
    exposed: Option<(Seat, Option<u64>)>,
}

impl Script {
    fn new(seed: u64, preset: Preset, cut: u64) -> Self {
        Script::with(seed, rules(preset), cut)
    }

    fn with(seed: u64, rules: HouseRules, cut: u64) -> Self {
        let mut world = World::with_rules(seed, rules, PLAYERS, 1, CALM);
        for i in 0..PLAYERS {
            world.nodes[i].bot = false;
            world.nodes[i].cut_ms = 30_000;
            world.start(i);
        }
        world.connect_all();
        Script { world, read: vec![0; PLAYERS], cut, folds: None, lays: false, exposed: None }
    }

    /// The same where the dealer turns up somebody's first card.
    fn exposing(seed: u64, cut: u64, seat: Seat, at: Option<u64>) -> Self {
        let mut script = Script::with(seed, exposing_rules(), cut);
        script.exposed = Some((seat, at));
        script
    }

    fn choose(&self, i: usize, legal: &[LegalMove]) -> Option<Move> {
        let find = |kind: MoveKind| legal.iter().find(|m| m.kind == kind);
        let core = self.world.core(i);
        let me = Seat(u8::try_from(i).unwrap());
        if find(MoveKind::Cut).is_some() {
            let first =
                core.deals == 0 || !self.world.saw(i, |e| matches!(e, Event::Redeal { .. }));
            let hand = matches!(core.stage, Stage::Dealing { purpose: DealUse::Hand, .. });
            return Some(Move::Cut(if hand && first { self.cut } else { 0 }));
        }
        if find(MoveKind::Keep).is_some() {
            let at = self.exposed.and_then(|(_, at)| at);
            return Some(at.map_or(Move::Keep, Move::Replace));
        }
        if find(MoveKind::Fold).is_some() && self.folds == Some(me) {
            return Some(Move::Fold);
        }
        let folded = self.folds.is_none_or(|seat| !core.game.is_active(seat));
        let tens = self.world.nodes[i].table.as_ref().unwrap().cards().is_some_and(are_tens);
        let bets = core.game.bank() > PLAYERS as u64;
        if self.lays && tens && folded && bets && find(MoveKind::Redeal).is_some() {
            return Some(Move::Redeal);
        }
        if find(MoveKind::Compare).is_some() && folded && !self.lays {
            return Some(Move::Compare);
        }
        if find(MoveKind::Split).is_some() {
            return Some(Move::Split);
        }
        find(MoveKind::Bet).map(|m| Move::Bet(m.min.unwrap()))
    }

    fn until(&mut self, what: &str, done: impl Fn(&World) -> bool) {
        let end = self.world.now + LONG;
        while !done(&self.world) {
            assert!(self.world.now < end, "{what}\n{}", self.world.describe());
            assert!(self.world.step());
            for i in 0..PLAYERS {
                while self.read[i] < self.world.nodes[i].events.len() {
                    let event = self.world.nodes[i].events[self.read[i]].clone();
                    self.read[i] += 1;
                    if let (Event::Offer { kind: OfferKind::Expose, .. }, Some((seat, _))) =
                        (&event, self.exposed)
                        && self.world.core(i).game.dealer() == Some(Seat(u8::try_from(i).unwrap()))
                    {
                        self.world.command(i, Command::Move(Move::Expose(seat)));
                        // It is decided before the deck is cut.
                        self.world.run_for(500);
                    }
                    if let Event::Turn { mine: true, legal, .. } = event
                        && let Some(step) = self.choose(i, &legal)
                    {
                        self.world.command(i, Command::Move(step));
                    }
                }
            }
        }
    }

    /// Until all hold their cards.
    fn dealt(&mut self) {
        self.until("the cards are dealt", |w| {
            w.alive().all(|i| {
                w.core(i).playing().is_some_and(|c| c.purpose == Some(DealUse::Hand) && c.dealt)
            })
        });
    }
}

fn deal(world: &World) -> &Deal {
    world.nodes[0].table.as_ref().unwrap().state().deal().unwrap()
}

/// The whole deck, from the top: who knows all keys can read it.
fn deck(world: &World) -> Vec<Card> {
    let deal = deal(world);
    let places: Vec<usize> = (0..deal.plan.params.n()).collect();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let mut batches = Vec::new();
    for (index, (seat, _)) in (0u8..).zip(&deal.plan.order) {
        let records = &world.nodes[usize::from(seat.0)].records;
        let key = records.iter().find_map(|r| match r {
            Record::Secret { deal: n, key } if *n == deal.plan.number => Some(key.clone()),
            _ => None,
        });
        let key = SecretKey::from_bytes(&key.unwrap()[..]).unwrap();
        let (keys, deck, purpose) = (&deal.keys, &deal.deck, share_purpose());
        let batch = shares::prove(keys, index, &key, purpose, deck, &places, &mut rng).unwrap();
        batches.push(shares::verify(keys, index, purpose, deck, &places, batch).unwrap());
    }
    let open = |place: &usize| {
        let layers: Vec<_> = batches.iter().map(|b| b.share(*place).unwrap()).collect();
        let number = opening::open(&deal.keys, &deal.deck, *place, &layers).unwrap();
        Deal::card(world.core(0), u8::try_from(number).unwrap()).unwrap()
    };
    places.iter().map(open).collect()
}

/// A cut by which somebody is dealt three tens, and who.
fn rigged(world: &World) -> Option<(u64, Seat)> {
    let cards = deck(world);
    let order: Vec<Seat> = deal(world).plan.order.iter().map(|(seat, _)| *seat).collect();
    for cut in 0..cards.len() {
        for (i, seat) in order.iter().enumerate() {
            let hand = [0, 1, 2].map(|round| cards[(cut + i + round * PLAYERS) % cards.len()]);
            if hand.iter().all(|card| card.rank() == Some(Rank::Ten)) {
                return Some((cut as u64, *seat));
            }
        }
    }
    None
}

/// The first table from this seed on (one that can be) whose first deal can be rigged, with the cards dealt.
fn rig(seed: u64, preset: Preset) -> (Script, Seat) {
    for seed in seed..seed + 300 {
        let mut plain = Script::new(seed, preset, 0);
        plain.dealt();
        if let Some((cut, holder)) = rigged(&plain.world) {
            // The same table again, from the same seed, but for the cut.
            let mut script = Script::new(seed, preset, cut);
            script.dealt();
            println!("seed {seed}, cut {cut}, seat {holder}");
            return (script, holder);
        }
    }
    panic!("no deal can be rigged")
}

/// Plays on until three tens fall, and the new deal to its end.
fn redealt(mut script: Script, holder: Seat) {
    let cards =
        |w: &World, seat: Seat| w.nodes[usize::from(seat.0)].table.as_ref().unwrap().cards();
    script.until("all have looked", |w| w.alive().all(|i| cards(w, Seat(i as u8)).is_some()));
    assert!(are_tens(cards(&script.world, holder).unwrap()), "the rig holds");
    let (first, keys) = (deal(&script.world).plan.number, deal(&script.world).keys.clone());
    let order: Vec<Seat> = deal(&script.world).plan.order.iter().map(|(s, _)| *s).collect();
    let hand = script.world.core(0).hand();
    let folds = order.iter().copied().find(|s| *s != holder).unwrap();
    script.folds = Some(folds);
    let redeal = |e: &Event| *e == Event::Redeal { seat: Some(holder) };
    script.until("three tens are laid open", |w| w.alive().all(|i| w.saw(i, redeal)));
    script.folds = None;
    let tens = |e: &Event| matches!(e, Event::Shown { seat, cards, .. } if *seat == holder && cards.iter().all(|c| c.rank() == Some(Rank::Ten)));
    assert!(script.world.alive().all(|i| script.world.saw(i, tens)), "all see them");
    let core = script.world.core(0);
    let (bank, stacks) = (core.game.bank(), core.game.stacks());
    let paid = script.world.nodes[0].events.iter().rev().find_map(|e| match e {
        Event::Moved { bank, amount, .. } if *amount > 0 => Some(*bank),
        _ => None,
    });
    assert_eq!(paid, Some(bank), "the bank stays");
    assert!(bank > PLAYERS as u64, "more than the antes were in it");
    let active = core.game.active();
    assert!(active.contains(&holder) && !active.contains(&folds));

    script.dealt();
    script.until("new cards are dealt", |w| {
        w.alive().all(|i| w.core(i).playing().is_some_and(|c| c.deal > first && c.dealt))
    });
    let core = script.world.core(0);
    assert_eq!(core.hand(), hand, "it is the same hand");
    assert_eq!((core.game.bank(), core.game.stacks()), (bank, stacks), "nobody antes again");
    assert_eq!(core.game.turn(), Some(holder), "the holder speaks first");
    let fresh = deal(&script.world);
    let mut again: Vec<Seat> = fresh.plan.order.iter().map(|(s, _)| *s).collect();
    again.sort_unstable();
    let mut still = active.clone();
    still.sort_unstable();
    assert_eq!(again, still, "who is out is not dealt in");
    let old: Vec<_> = keys.keys().iter().map(|k| *k.element().as_bytes()).collect();
    assert!(fresh.keys.keys().iter().all(|k| !old.contains(k.element().as_bytes())), "new keys");

    script.lays = false;
    script.until("the hand is over", |w| w.finished(1));
    script.world.check();
    for node in &script.world.nodes {
        let Finding::Good(report) = verify(&node.transcripts[&1], [3; 32]) else { panic!() };
        assert_eq!(report.met.redeal, 1);
    }
    let met = paper::settle(&script.world, 1);
    assert!(met["hand"] > 0 && met["cards"] > 0);
}

#[test]
fn on_demand_on_the_own_turn() {
    let (mut script, holder) = rig(9_009, Preset::TrinkaClassic);
    script.lays = true;
    redealt(script, holder);
}

#[test]
fn on_demand_in_a_comparison() {
    let (mut script, holder) = rig(9_009, Preset::TrinkaClassic);
    for i in 0..PLAYERS {
        script.world.command(i, Command::Tens { redeal: true });
    }
    redealt(script, holder);
}

#[test]
fn by_itself_in_a_comparison() {
    let (script, holder) = rig(9_503, Preset::TrinkaOnline);
    redealt(script, holder);
}

/// A cut and a place in the rest by which a seat has three tens once its card that lies face up is replaced.
fn rigged_by_replacing(world: &World, seat: Seat) -> Option<(u64, u64)> {
    let cards = deck(world);
    let index = deal(world).plan.order.iter().position(|(s, _)| *s == seat).unwrap();
    let at = |cut: usize, place: usize| cards[(cut + place) % cards.len()];
    let ten = |card: Card| card.rank() == Some(Rank::Ten);
    (0..cards.len()).find_map(|cut| {
        let hand = [0, 1, 2].map(|round| at(cut, index + round * PLAYERS));
        let rest = (3 * PLAYERS..cards.len()).position(|place| ten(at(cut, place)));
        (!ten(hand[0]) && ten(hand[1]) && ten(hand[2])).then_some((cut as u64, rest? as u64))
    })
}

/// The card that came instead of the one face up lies behind the others in the deck, and before them in the hand.
#[test]
fn with_a_card_that_was_replaced() {
    let holder = Seat(1);
    for seed in 9_600..9_700 {
        let mut plain = Script::exposing(seed, 0, holder, None);
        plain.dealt();
        // One's own dealer only asks for its card face up, and keeps it.
        if plain.world.core(0).game.dealer() == Some(holder) {
            continue;
        }
        let Some((cut, at)) = rigged_by_replacing(&plain.world, holder) else { continue };
        let mut script = Script::exposing(seed, cut, holder, Some(at));
        script.dealt();
        let up = |e: &Event| matches!(e, Event::Exposed { seat, .. } if *seat == holder);
        assert!(script.world.alive().all(|i| script.world.saw(i, up)), "it lay face up");
        for i in 0..PLAYERS {
            script.world.command(i, Command::Tens { redeal: true });
        }
        return redealt(script, holder);
    }
    panic!("no deal can be rigged")
}
