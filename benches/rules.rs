//! How fast the rules are: `cargo bench --bench rules`.
//!
//! `random_hands` plays whole hands with random moves on one core; the goal is 100,000 a second.
//! `random_hands_kept` does the same and leaves every state as it was, as a table does.

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
    ActionKind, CompareResult, Deck, Game, HandTable, HouseRules, Input, Phase, Preset, RulesError,
    Seat, Step, rank,
};

/// Hands in one measurement.
const HANDS: u64 = 1000;

fn main() {
    divan::main();
}

#[divan::bench(args = ["trinka-classic", "trinka-online", "seka"])]
fn random_hands(bencher: Bencher<'_, '_>, preset: &str) {
    play(bencher, preset, |game, input| game.advance(input));
}

#[divan::bench(args = ["trinka-classic", "trinka-online", "seka"])]
fn random_hands_kept(bencher: Bencher<'_, '_>, preset: &str) {
    play(bencher, preset, |game, input| game.apply(input));
}

/// One input: from the game before it to the game after it.
type Apply = fn(Game, &Input) -> Result<Step, RulesError>;

fn play(bencher: Bencher<'_, '_>, preset: &str, apply: Apply) {
    let preset: Preset = preset.parse().unwrap();
    let rules = HouseRules::preset(preset);
    let seats: Vec<(Seat, u64)> = (0..4).map(|seat| (Seat(seat), 1_000_000)).collect();
    let game = Game::for_referee(rules, &seats).unwrap();
    bencher.counter(ItemsCount::new(HANDS)).bench_local(|| {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..HANDS {
            divan::black_box(hand(game.clone(), &mut random, apply));
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
fn hand(mut game: Game, random: &mut ChaCha8Rng, apply: Apply) -> u32 {
    let participants = game.seats();
    let dealer = *participants.choose(random).unwrap();
    game = apply(game, &Input::Begin { dealer, participants }).unwrap().game;
    let mut inputs = 1;
    while *game.phase() != Phase::Idle {
        let input = input(&game, random);
        game = apply(game, &input).unwrap().game;
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
            if usual && legal.iter().any(|one| !rare.contains(&one.kind)) {
                legal.retain(|one| !rare.contains(&one.kind));
            }
            let chosen = legal.choose(random).unwrap();
            Input::Move { seat: chosen.seat, action: chosen.action(chosen.min).unwrap() }
        }
    }
}
