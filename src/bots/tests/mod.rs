#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod table;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::*;
use crate::event::{Event, Price, SeatInfo, WaitReason};
use crate::rules::{Card, Chips, HouseRules, Preset, Seat, rank};
use table::Table;

fn is_legal(legal: &[LegalMove], step: &Move) -> bool {
    let Some(open) = legal.iter().find(|open| open.kind == step.kind()) else {
        return false;
    };
    let number = match step {
        Move::Bet(n) | Move::Dark(n) | Move::Cut(n) | Move::Lift(n) | Move::Replace(n) => *n,
        _ => return true,
    };
    open.min.is_some_and(|min| min <= number) && open.max.is_some_and(|max| number <= max)
}

fn rules_of(preset: Preset, changes: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in changes {
        rules.set(switch, value).unwrap();
    }
    rules
}

const KINDS: [BotKind; 3] = [BotKind::Random, BotKind::Careful, BotKind::Bold];

#[test]
fn tables_of_bots_play_every_hand_to_its_end() {
    for preset in [Preset::TrinkaClassic, Preset::TrinkaOnline, Preset::Seka] {
        let rules = rules_of(preset, &[]);
        for players in [2, 3, 5, usize::from(rules.max_players())] {
            for mix in 0..4 {
                let kind = |seat: usize| *KINDS.get(mix).unwrap_or(&KINDS[seat % 3]);
                let kinds: Vec<BotKind> = (0..players).map(kind).collect();
                for seed in 0..2 {
                    let mut table = Table::new(&rules, &kinds, 60, seed);
                    for _ in 0..20 {
                        table.play_hand();
                        table.check_views();
                    }
                    assert_eq!(table.refused, [""; 0], "{preset} {players} {mix}");
                    assert_eq!(table.game.total(), table.game.total_bought());
                }
            }
        }
    }
}

/// A preset with some switches set otherwise, as far as they go together.
fn some_rules(rng: &mut ChaCha12Rng) -> HouseRules {
    const SWITCHES: [(&str, &[&str]); 27] = [
        ("deck", &["24", "32", "36"]),
        ("top_hand", &["aces", "sixes"]),
        ("two_aces", &["11", "22"]),
        ("triples", &["none", "sum", "above"]),
        ("three_tens", &["on_demand", "on_compare", "off"]),
        ("wild", &["none", "joker", "shaha"]),
        ("wild_copy", &["yes", "no"]),
        ("ante", &["1", "2", "5"]),
        ("opening_minimum", &["ante", "1", "4"]),
        ("ceiling", &["none", "12", "30"]),
        ("missing_ante", &["automatic", "dealer_pays"]),
        ("dark", &["on", "off"]),
        ("dark_chain", &["2", "unlimited"]),
        ("look", &["after_first_circle", "any_time"]),
        ("compare_from", &["circle_one", "circle_two", "last_two"]),
        ("reveal", &["neighbours", "sealed", "open"]),
        ("compare_tie", &["both_stay", "caller_loses"]),
        ("svara", &["on", "off"]),
        ("boil", &["on", "off"]),
        ("pool", &["on", "off"]),
        ("pact", &["on", "off"]),
        ("svara_dark", &["on", "off"]),
        ("entry_played", &["half", "third", "share"]),
        ("entry_newcomer", &["half", "full"]),
        ("first_dealer", &["lift", "count", "random", "host"]),
        ("next_dealer", &["winner", "rotate"]),
        ("exposed_card", &["on", "off"]),
    ];
    let preset = Preset::ALL[rng.random_range(0..Preset::ALL.len())];
    let mut rules = HouseRules::preset(preset);
    for _ in 0..12 {
        let (switch, values) = SWITCHES[rng.random_range(0..SWITCHES.len())];
        let mut changed = rules.clone();
        changed.set(switch, values[rng.random_range(0..values.len())]).unwrap();
        if changed.validate().is_ok() {
            rules = changed;
        }
    }
    rules
}

#[test]
fn bots_play_by_any_house_rules() {
    let mut met: std::collections::BTreeMap<Branch, u64> = Default::default();
    let (mut hands, mut late) = (0, 0);
    for seed in 0..120 {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let rules = some_rules(&mut rng);
        let players = rng.random_range(2..=usize::from(rules.max_players()));
        let kinds: Vec<BotKind> = (0..players).map(|_| KINDS[rng.random_range(0..3)]).collect();
        let buy_in = rules.ante * rng.random_range(3..60);
        let mut table = Table::new(&rules, &kinds, buy_in, seed);
        for _ in 0..25 {
            table.play_hand();
            table.check_views();
            hands += 1;
        }
        assert_eq!(table.refused, [""; 0], "{seed}: {rules:?}");
        assert_eq!(table.game.total(), table.game.total_bought());
        late += table.late;
        for (branch, count) in table.met().counts() {
            assert!(count == 0 || branch.is_in(&rules), "{seed}: {branch} by {rules:?}");
            *met.entry(branch).or_default() += count;
        }
    }
    println!("{hands} hands, {late} moves too late: {met:?}");
    assert!(met.values().all(|count| *count > 0), "{met:?}");
}

/// An evening of a demo: the table, and how often everything was met.
fn demo(
    preset: Preset,
    changes: &[(&str, &str)],
    (players, late): (usize, usize),
    hands: u32,
    seed: u64,
) -> Table {
    let rules = rules_of(preset, changes);
    let chips = rules.ante * 100;
    let kinds: Vec<BotKind> = (0..players).map(BotKind::of_party).collect();
    let mut table = Table::new(&rules, &kinds, chips, seed);
    for hand in 0..hands {
        table.play_hand();
        table.check_views();
        if hand == 0 {
            for more in players..players + late {
                table.sit(BotKind::of_party(more), chips, seed + 1000);
            }
        }
    }
    assert_eq!(table.refused, [""; 0]);
    assert_eq!(table.game.total(), table.game.total_bought());
    table
}

#[test]
fn demos_meet_every_branch_of_the_rules() {
    let above = [("triples", "above"), ("wild", "joker")];
    for seed in 0..10 {
        let evenings = [
            demo(Preset::TrinkaClassic, &[], (8, 0), 40, seed),
            demo(Preset::TrinkaClassic, &[], (6, 1), 40, seed),
            demo(Preset::TrinkaOnline, &[], (6, 0), 40, seed),
            demo(Preset::Seka, &above, (10, 0), 30, seed),
        ];
        let mut told = Vec::new();
        for branch in Branch::ALL {
            let counts = evenings.each_ref().map(|table| table.met().count(branch));
            told.push(format!("{branch} {counts:?}"));
            let met: u64 = counts.iter().sum();
            assert!(met > 0 || branch == Branch::Redeal, "seed {seed}: no {branch}");
        }
        println!("{seed}: {}", told.join(", "));
    }
}

#[test]
fn six_hundred_hands_meet_a_redeal() {
    for seed in 0..3 {
        let table = demo(Preset::TrinkaClassic, &[], (4, 0), 600, seed);
        let met: Vec<String> =
            table.met().counts().map(|(branch, count)| format!("{branch} {count}")).collect();
        println!("{seed}: {}", met.join(", "));
        assert!(table.met().count(Branch::Redeal) > 0, "seed {seed}");
    }
}

#[test]
fn the_same_seed_plays_the_same_evening() {
    let rules = rules_of(Preset::TrinkaClassic, &[]);
    let play = |seed| {
        let kinds = [BotKind::Random, BotKind::Careful, BotKind::Random];
        let mut table = Table::new(&rules, &kinds, 30, seed);
        for _ in 0..10 {
            table.play_hand();
        }
        table.log
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn who_cannot_pay_the_ante_buys_in_again() {
    let rules = rules_of(Preset::TrinkaClassic, &[("ante", "5")]);
    let mut table = Table::new(&rules, &[BotKind::Random, BotKind::Random], 20, 3);
    for _ in 0..30 {
        table.play_hand();
    }
    assert!(table.log.iter().any(|line| line.ends_with("rebuys 20")), "{:?}", table.log);
}

#[test]
fn careful_folds_rubbish_and_compares_when_ahead() {
    let rules = rules_of(Preset::TrinkaClassic, &[]);
    let decide = |cards: &str, legal: Vec<LegalMove>, pass, compare, bank| {
        let mut view = BotView::new();
        let seats: Vec<SeatInfo> = (0..2)
            .map(|seat| SeatInfo { seat: Seat(seat), name: String::new(), stack: 90 })
            .collect();
        let table = Event::Table {
            id: String::new(),
            name: String::new(),
            rules: Box::new(rules.clone()),
            seats: seats.clone(),
            you: Some(Seat(0)),
            fingerprints: BTreeMap::new(),
        };
        let cards = cards.split(' ').map(|card| card.parse().unwrap()).collect();
        view.observe(&table);
        view.observe(&Event::Hand { hand: 1, dealer: Seat(1), seats, bank });
        let price = Some(Price { pass, compare });
        view.observe(&Event::Turn { seat: Seat(0), mine: true, price, legal, seconds: 60 });
        let mut bot = Bot::new(BotKind::Careful, 0);
        assert_eq!(bot.decide(&view), Some(Command::Tens { redeal: true }));
        assert_eq!(bot.decide(&view), None, "it waits for its cards");
        view.observe(&Event::Cards { cards, points: 0 });
        bot.decide(&view).unwrap()
    };
    let open = |max| {
        vec![
            LegalMove::plain(MoveKind::Fold),
            LegalMove::plain(MoveKind::Compare),
            LegalMove::ranged(MoveKind::Bet, 10, max),
        ]
    };
    let closed =
        |max| vec![LegalMove::plain(MoveKind::Fold), LegalMove::ranged(MoveKind::Bet, 10, max)];
    assert_eq!(decide("6c 7d 8h", open(90), 10, Some(10), 20), Command::Move(Move::Fold));
    assert_eq!(decide("As Ts 9s", open(90), 10, Some(10), 20), Command::Move(Move::Compare));
    assert_eq!(decide("As Ts 9s", closed(90), 10, None, 20), Command::Move(Move::Bet(20)));
    assert_eq!(decide("As Ts 9s", closed(12), 10, None, 20), Command::Move(Move::Bet(12)));
    assert_eq!(decide("6c 7d 8h", closed(90), 10, None, 20), Command::Move(Move::Fold));
    // A large bank is worth a look even with little.
    assert_eq!(decide("Ac 7d 8h", open(90), 10, Some(10), 400), Command::Move(Move::Compare));
}

#[test]
fn chances_are_counted_exactly() {
    let rules = HouseRules::preset(Preset::TrinkaClassic);
    let odds = Odds::new(&rules);
    let none = BTreeSet::new();
    let chance = |cards: &str, shown: &BTreeSet<Card>| {
        let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
        odds.of_best(cards.try_into().unwrap(), shown, 1).unwrap()
    };
    let certain = Chance::one_of(1);
    // Against the highest hand nobody holds anything better or equal.
    assert_eq!(chance("As Ah Ad", &none), certain);
    // 666 loses to nothing while an own ace is missing from no triple: AAA of the four aces.
    // 1330 hands of the other 21 cards, 4 of them AAA.
    let four_of_1330 = ((2 * (1330 - 4)) << 31) / 1330_u64;
    let sixes = chance("6s 6h 6d", &none);
    assert!(sixes < certain && sixes.is_worth(0, 0));
    assert_eq!(format!("{sixes:?}"), format!("Chance({four_of_1330})"));
    // Two aces shown: nobody can hold three any more.
    let shown: BTreeSet<Card> = ["As", "Ah"].iter().map(|card| card.parse().unwrap()).collect();
    assert_eq!(chance("6s 6h 6d", &shown), certain);
    assert!(Chance::EVEN.times(2) < Chance::EVEN);
    assert_eq!(Chance::EVEN.times(2), Chance::one_of(4));
    assert_eq!(certain.times(9), certain);
    assert!(Chance::EVEN.is_worth(10, 10));
    assert!(!Chance::EVEN.is_worth(11, 10));
    assert!(Chance::EVEN.is_worth(Chips::MAX, Chips::MAX));
}

/// How far the counted chance is from what happens, in millionths, against so many others.
fn off_by(rules: &HouseRules, cards: &str, others: u32, deals: u64) -> u64 {
    let own: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
    let own: [Card; 3] = own.try_into().unwrap();
    let odds = Odds::new(rules);
    let told = odds.of_best(own, &BTreeSet::new(), others).unwrap().millionths();
    let level = |cards: [Card; 3]| rank(rules, cards).unwrap().level;
    let mine = level(own);
    let mut rest: Vec<Card> = rules.deck().cards().filter(|card| !own.contains(card)).collect();
    let mut rng = ChaCha12Rng::seed_from_u64(5);
    let mut halves = 0;
    for _ in 0..deals {
        rest.shuffle(&mut rng);
        let hands = rest.chunks_exact(3).take(others as usize);
        let best = hands.map(|hand| level(hand.try_into().unwrap())).max().unwrap();
        halves += match best.cmp(&mine) {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 0,
        };
    }
    told.abs_diff(halves * 500_000 / deals)
}

#[test]
fn chances_against_several_are_those_of_many_deals() {
    let seka = rules_of(Preset::Seka, &[("triples", "above"), ("wild", "joker")]);
    let trinka = rules_of(Preset::TrinkaClassic, &[]);
    let cases = [
        (&trinka, ["9s 8h 7d", "Ac 7d 8h", "Ac 7c 8h", "9s 8s 7d", "As Ts 6h", "As 9s 8s"]),
        (&seka, ["9s 8h 7d", "Ac 7d 8h", "9s Qs 7d", "Ks Ts 6h", "As Ah 6c", "As 9s 8s"]),
    ];
    for (rules, hands) in cases {
        for others in 1..u32::from(rules.max_players()) {
            let off = hands.map(|hand| off_by(rules, hand, others, 20_000));
            println!("{} cards, {others} others: {off:?}", rules.deck().size());
            // Chance itself is off by some 10 000 after so many deals, at worst.
            let most = if others <= 2 { 11_000 } else { 25_000 };
            assert!(off.iter().all(|off| *off <= most), "{others}: {off:?}");
        }
    }
}

/// A bot's view of a table of so many, itself on seat 0, in a hand that seat 1 deals.
fn view_of(rules: &HouseRules, players: u8, bank: Chips) -> BotView {
    let mut view = BotView::new();
    let seats: Vec<SeatInfo> = (0..players)
        .map(|seat| SeatInfo { seat: Seat(seat), name: String::new(), stack: 90 })
        .collect();
    view.observe(&Event::Table {
        id: String::new(),
        name: String::new(),
        rules: Box::new(rules.clone()),
        seats: seats.clone(),
        you: Some(Seat(0)),
        fingerprints: BTreeMap::new(),
    });
    view.observe(&Event::Hand { hand: 1, dealer: Seat(1), seats, bank });
    view
}

fn turn_of(seat: u8, price: Option<Price>, legal: Vec<LegalMove>) -> Event {
    Event::Turn { seat: Seat(seat), mine: seat == 0, price, legal, seconds: 60 }
}

fn moved(seat: u8, kind: MoveKind, amount: Chips) -> Event {
    Event::Moved { seat: Seat(seat), kind, amount, bank: 9 }
}

/// What a bot does on its turn, without what it says beside the game.
fn acts(bot: &mut Bot, view: &BotView) -> Option<Move> {
    loop {
        match bot.decide(view)? {
            Command::Move(step) => return Some(step),
            Command::Tens { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn bold_goes_dark_raises_and_enters() {
    let rules = rules_of(Preset::TrinkaClassic, &[]);
    let mut view = view_of(&rules, 3, 3);
    let mut bot = Bot::new(BotKind::Bold, 1);
    let price = Some(Price { pass: 1, compare: None });
    let (fold, look) = (LegalMove::plain(MoveKind::Fold), LegalMove::plain(MoveKind::Look));
    let bets = LegalMove::ranged(MoveKind::Bet, 1, 90);
    let dark = LegalMove::ranged(MoveKind::Dark, 1, 50);
    view.observe(&turn_of(0, price, vec![fold, bets, dark, look]));
    assert_eq!(acts(&mut bot, &view), Some(Move::Dark(1)), "nobody has been dark yet");
    view.observe(&moved(0, MoveKind::Dark, 1));
    view.observe(&turn_of(0, price, vec![fold, bets, look]));
    assert!(matches!(acts(&mut bot, &view), Some(Move::Bet(_))), "cheap: it stays dark");
    view.observe(&turn_of(0, Some(Price { pass: 40, compare: None }), vec![fold, bets, look]));
    assert_eq!(acts(&mut bot, &view), Some(Move::Look), "dear: it looks");
    view.observe(&moved(0, MoveKind::Look, 0));
    let cards = ["As", "Ts", "9s"].map(|card| card.parse().unwrap()).to_vec();
    view.observe(&Event::Cards { cards, points: 30 });
    view.observe(&turn_of(0, price, vec![fold, bets]));
    assert!(matches!(acts(&mut bot, &view), Some(Move::Bet(2..=3))), "it raises");
    view.observe(&Event::Svara { seats: vec![Seat(1), Seat(2)], bank: 40, entry: 20 });
    let (enter, out) = (LegalMove::plain(MoveKind::Enter), LegalMove::plain(MoveKind::StayOut));
    view.observe(&turn_of(0, None, vec![enter, out]));
    assert_eq!(acts(&mut bot, &view), Some(Move::Enter));
}

#[test]
fn proposals_are_made_once_and_refusals_of_them_harm_nothing() {
    let rules = rules_of(Preset::TrinkaClassic, &[]);
    let error = Event::Error { code: "x".into(), message: String::new(), advice: String::new() };
    let entry = [MoveKind::Enter, MoveKind::StayOut, MoveKind::Pool].map(LegalMove::plain).to_vec();
    for kind in [BotKind::Random, BotKind::Bold] {
        let mut view = view_of(&rules, 4, 41);
        let mut bot = Bot::new(kind, 3);
        view.observe(&Event::Svara { seats: vec![Seat(1), Seat(2)], bank: 41, entry: 21 });
        view.observe(&turn_of(0, None, entry.clone()));
        let parts = vec![(Seat(0), 11), (Seat(3), 10)];
        assert_eq!(acts(&mut bot, &view), Some(Move::Pool(parts)));
        assert_eq!(acts(&mut bot, &view), None);
        // Told again before anything was heard of the proposal: it waits.
        view.observe(&turn_of(0, None, entry.clone()));
        assert_eq!(acts(&mut bot, &view), None);
        view.observe(&error);
        assert_eq!(acts(&mut bot, &view), Some(Move::Enter), "its turn is not given up");
        assert_eq!(acts(&mut bot, &view), None);
        // The question of another does not take its own away, its answer does.
        view.observe(&turn_of(3, None, vec![]));
        assert!(view.table().my_turn().is_some());
        view.observe(&moved(0, MoveKind::Enter, 21));
        assert!(view.table().my_turn().is_none());
    }
}

#[test]
fn a_proposal_that_comes_to_nothing_is_not_waited_for() {
    let rules = rules_of(Preset::TrinkaClassic, &[]);
    let entry = [MoveKind::Enter, MoveKind::StayOut, MoveKind::Pool].map(LegalMove::plain).to_vec();
    for kind in [BotKind::Random, BotKind::Bold] {
        let proposing = || {
            let mut view = view_of(&rules, 4, 41);
            let mut bot = Bot::new(kind, 3);
            view.observe(&Event::Svara { seats: vec![Seat(1), Seat(2)], bank: 41, entry: 21 });
            view.observe(&turn_of(0, None, entry.clone()));
            assert!(matches!(acts(&mut bot, &view), Some(Move::Pool(_))));
            (bot, view)
        };
        let answers = |step: Option<Move>| matches!(step, Some(Move::Enter | Move::StayOut));
        // Who was asked enters alone: the question comes again and is answered.
        let (mut bot, mut view) = proposing();
        view.observe(&moved(3, MoveKind::Enter, 21));
        view.observe(&turn_of(0, None, entry.clone()));
        assert!(answers(acts(&mut bot, &view)));
        // Nobody says anything: the second time that it is asked again it answers.
        let (mut bot, mut view) = proposing();
        view.observe(&turn_of(0, None, entry.clone()));
        assert_eq!(acts(&mut bot, &view), None);
        view.observe(&turn_of(0, None, entry.clone()));
        assert!(answers(acts(&mut bot, &view)));
    }
}

#[test]
fn whatever_is_asked_there_is_a_move_to_make_for_a_bot() {
    for kind in MoveKind::ALL {
        let legal = [LegalMove::ranged(kind, 2, 9)];
        let step = instead(&legal);
        if let Some(step) = &step {
            assert!(is_legal(&legal, step), "{step:?}");
        }
        // Alone none of these is ever open: there is something besides that answers the question.
        let besides = matches!(
            kind,
            MoveKind::Dark
                | MoveKind::Look
                | MoveKind::Redeal
                | MoveKind::Boil
                | MoveKind::Expose
                | MoveKind::Pool
                | MoveKind::Pact
        );
        assert_eq!(step.is_none(), besides, "{kind:?}");
    }
    let risky = [MoveKind::Enter, MoveKind::StayOut].map(LegalMove::plain);
    assert_eq!(instead(&risky), Some(Move::StayOut));
}

#[test]
fn branches_are_told_from_events() {
    let rules = rules_of(Preset::TrinkaOnline, &[]);
    let mut view = view_of(&rules, 4, 4);
    let price = Some(Price { pass: 4, compare: None });
    let events = [
        turn_of(0, price, vec![]),
        moved(0, MoveKind::Dark, 2),
        turn_of(1, price, vec![]),
        moved(1, MoveKind::Dark, 3),
        turn_of(2, price, vec![]),
        moved(2, MoveKind::Bet, 6),
        turn_of(3, price, vec![]),
        moved(3, MoveKind::Bet, 7),
        // Out by itself: it is not asked.
        moved(0, MoveKind::Fold, 0),
        turn_of(1, price, vec![]),
        moved(1, MoveKind::Fold, 0),
        Event::Svara { seats: vec![Seat(2), Seat(3)], bank: 30, entry: 15 },
        moved(2, MoveKind::Enter, 0),
        moved(1, MoveKind::Enter, 15),
        moved(5, MoveKind::Enter, 30),
    ];
    events.iter().for_each(|event| view.observe(event));
    let counts: Vec<(Branch, u64)> = view.met().counts().filter(|(_, count)| *count > 0).collect();
    let expected = [
        (Branch::Dark, 2),
        (Branch::Overdark, 1),
        (Branch::KnockOut, 1),
        (Branch::Svara, 1),
        (Branch::Entry, 1),
        (Branch::Newcomer, 1),
        (Branch::ShortStack, 1),
    ];
    assert_eq!(counts, expected);
    assert!(Branch::ALL.iter().enumerate().all(|(at, branch)| *branch as usize == at));
}

#[test]
fn questions_beside_the_game_are_answered_once() {
    let mut view = BotView::new();
    let mut bot = Bot::new(BotKind::Careful, 0);
    view.observe(&Event::Offer {
        kind: crate::event::OfferKind::Admit,
        from: None,
        to: vec![],
        shares: vec![],
        key: Some("ab".into()),
        name: None,
        rules: None,
    });
    assert_eq!(bot.decide(&view), Some(Command::Admit { key: "ab".into() }));
    assert_eq!(bot.decide(&view), None);
    view.observe(&Event::Waiting { seats: vec![Seat(1)], why: WaitReason::Ready });
    assert_eq!(bot.decide(&view), None, "nobody asked this seat");
}

#[test]
fn a_refused_move_is_given_up() {
    let mut view = BotView::new();
    let mut bot = Bot::new(BotKind::Random, 0);
    let legal = vec![LegalMove::plain(MoveKind::Split), LegalMove::plain(MoveKind::NoSplit)];
    view.observe(&Event::Turn { seat: Seat(0), mine: true, price: None, legal, seconds: 60 });
    assert!(bot.decide(&view).is_some());
    assert_eq!(bot.decide(&view), None);
    let error = Event::Error { code: "x".into(), message: String::new(), advice: String::new() };
    for expected in [Some(Command::Move(Move::NoSplit)), Some(Command::Move(Move::NoSplit)), None] {
        view.observe(&error);
        assert_eq!(bot.decide(&view), expected);
    }
}

#[test]
fn kinds_are_read_by_name() {
    assert_eq!("random".parse(), Ok(BotKind::Random));
    assert_eq!("careful".parse(), Ok(BotKind::Careful));
    assert_eq!("bold".parse(), Ok(BotKind::Bold));
    assert_eq!("shy".parse::<BotKind>(), Err(Problem::BotMissing { bot: "shy".into() }));
}

fn any_legal() -> impl Strategy<Value = Vec<LegalMove>> {
    let one = (0..MoveKind::ALL.len(), 0..200_u64, 0..200_u64).prop_map(|(kind, min, more)| {
        match MoveKind::ALL[kind] {
            kind @ (MoveKind::Bet
            | MoveKind::Dark
            | MoveKind::Cut
            | MoveKind::Lift
            | MoveKind::Replace) => LegalMove::ranged(kind, min, min + more),
            kind => LegalMove::plain(kind),
        }
    });
    prop::collection::vec(one, 0..6).prop_map(|mut legal| {
        legal.sort_by_key(|legal| legal.kind);
        legal.dedup_by_key(|legal| legal.kind);
        legal
    })
}

proptest! {
    #[test]
    fn whatever_is_open_a_bot_stays_within_it(
        legal in any_legal(),
        seed in any::<u64>(),
        price in prop::option::of((0..50_u64, prop::option::of(0..50_u64))),
        active in 1..8_u8,
        bank in 0..1000_u64,
        with_cards in any::<bool>(),
        svara in any::<bool>(),
    ) {
        let mut view = BotView::new();
        let seats: Vec<SeatInfo> = (0..active)
            .map(|seat| SeatInfo { seat: Seat(seat), name: String::new(), stack: 50 })
            .collect();
        view.observe(&Event::Table {
            id: String::new(),
            name: String::new(),
            rules: Box::new(HouseRules::preset(Preset::TrinkaClassic)),
            seats: seats.clone(),
            you: Some(Seat(0)),
            fingerprints: BTreeMap::new(),
        });
        view.observe(&Event::Hand { hand: 1, dealer: Seat(0), seats, bank });
        if svara {
            view.observe(&Event::Svara { seats: vec![Seat(0)], bank, entry: bank / 2 });
        }
        if with_cards {
            let mut deck: Vec<Card> = HouseRules::preset(Preset::TrinkaClassic).deck().cards().collect();
            let mut rng = ChaCha12Rng::seed_from_u64(seed);
            deck.rotate_left(rng.random_range(0..20));
            view.observe(&Event::Cards { cards: deck[..3].to_vec(), points: 0 });
        }
        let price = price.map(|(pass, compare)| Price { pass, compare });
        view.observe(&Event::Turn { seat: Seat(0), mine: true, price, legal: legal.clone(), seconds: 9 });
        for kind in KINDS {
            let decide = || {
                let mut bot = Bot::new(kind, seed);
                let tens = bot.decide(&view).filter(|said| matches!(said, Command::Tens { .. }));
                if tens.is_some() { bot.decide(&view) } else { Bot::new(kind, seed).decide(&view) }
            };
            let first = decide();
            prop_assert_eq!(&first, &decide());
            match first {
                Some(Command::Move(step)) => prop_assert!(is_legal(&legal, &step), "{:?}", step),
                Some(other) => prop_assert!(false, "{:?}", other),
                None => {}
            }
        }
    }
}
