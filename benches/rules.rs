//! How fast the rules are: `cargo bench --bench rules`.
//!
//! `random_hands` plays whole hands with random moves on one core; the goal is 100,000 a second.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a benchmark may fail"
)]

use divan::Bencher;
use divan::counter::ItemsCount;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use trinka::rules::{
    Action, ActionKind, CompareResult, Deck, Game, HandTable, HouseRules, Input, LegalMove, Phase,
    Preset, Seat, rank,
};

/// Hands in one measurement.
const HANDS: u64 = 1000;

fn main() {
    divan::main();
}

#[divan::bench(args = ["trinka-classic", "trinka-online", "seka"])]
fn random_hands(bencher: Bencher<'_, '_>, preset: &str) {
    let preset: Preset = preset.parse().unwrap();
    let rules = HouseRules::preset(preset);
    let seats: Vec<(Seat, u64)> = (0..4).map(|seat| (Seat(seat), 1_000_000)).collect();
    let game = Game::for_referee(rules, &seats).unwrap();
    bencher.counter(ItemsCount::new(HANDS)).bench_local(|| {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..HANDS {
            divan::black_box(hand(game.clone(), &mut random));
        }
    });
}

#[divan::bench]
fn rank_every_hand_of_36_cards(bencher: Bencher<'_, '_>) {
    let rules = HouseRules::preset(Preset::Seka);
    bencher.counter(ItemsCount::new(7140_u64)).bench(|| HandTable::new(divan::black_box(&rules)));
}

#[divan::bench]
fn rank_one_hand(bencher: Bencher<'_, '_>) {
    let rules = HouseRules::preset(Preset::TrinkaClassic);
    let deck: Deck = rules.deck();
    let cards = [3, 10, 21].map(|place| deck.card(place).unwrap());
    bencher.bench(|| rank(&rules, divan::black_box(cards)));
}

/// Plays one hand to its end with random moves; gives how many inputs it took.
fn hand(mut game: Game, random: &mut ChaCha8Rng) -> u32 {
    let participants = game.seats();
    let dealer = *participants.choose(random).unwrap();
    game = game.apply(&Input::Begin { dealer, participants }).unwrap().game;
    let mut inputs = 1;
    while *game.phase() != Phase::Idle {
        let input = input(&game, random);
        game = game.apply(&input).unwrap().game;
        inputs += 1;
    }
    inputs
}

/// What may come next, by chance.
fn input(game: &Game, random: &mut ChaCha8Rng) -> Input {
    match game.phase() {
        Phase::AwaitDeal { .. } => Input::Dealt,
        Phase::Comparing { .. } => {
            let results = [CompareResult::Caller, CompareResult::Target, CompareResult::Tie];
            // Ties are rare, as they are at a table.
            let at = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2][random.random_range(0..10)];
            Input::Outcome { result: results[at] }
        }
        Phase::DealerChoice { seats } => Input::DealerIs { seat: seats[0] },
        Phase::Showdown => Input::Best { seats: vec![game.active()[0]] },
        _ => {
            let mut legal = game.legal();
            // Three tens are as rare as ties, and cards are hardly ever turned up.
            let rare = [ActionKind::Redeal, ActionKind::Accept, ActionKind::Expose];
            let usual = !random.next_u32().is_multiple_of(50);
            let kept: Vec<LegalMove> =
                legal.iter().copied().filter(|one| !usual || !rare.contains(&one.kind)).collect();
            if !kept.is_empty() {
                legal = kept;
            }
            let chosen = legal.choose(random).unwrap();
            Input::Move { seat: chosen.seat, action: action(chosen) }
        }
    }
}

/// The cheapest way to make a move.
fn action(legal: &LegalMove) -> Action {
    let small = u8::try_from(legal.min).unwrap_or(u8::MAX);
    match legal.kind {
        ActionKind::Look => Action::Look,
        ActionKind::Fold => Action::Fold,
        ActionKind::Bet => Action::Bet(legal.min),
        ActionKind::Dark => Action::Dark(legal.min),
        ActionKind::Compare => Action::Compare,
        ActionKind::Redeal => Action::Redeal,
        ActionKind::Boil => Action::Boil,
        ActionKind::Accept => Action::Accept,
        ActionKind::Refuse => Action::Refuse,
        ActionKind::Split => Action::Split,
        ActionKind::NoSplit => Action::NoSplit,
        ActionKind::Enter => Action::Enter,
        ActionKind::StayOut => Action::StayOut,
        ActionKind::Ante => Action::Ante,
        ActionKind::Omit => Action::Omit,
        ActionKind::Keep => Action::Keep,
        ActionKind::Replace => Action::Replace(small),
        ActionKind::Expose => Action::Expose(Seat(small)),
        ActionKind::Cut => Action::Cut(small),
        ActionKind::Lift => Action::Lift(small),
    }
}
