#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod table;

use std::collections::BTreeSet;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::*;
use crate::event::{Event, Price, SeatInfo, WaitReason};
use crate::rules::{Card, Chips, HouseRules, Preset, Seat};
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

fn in_force(preset: Preset, changes: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in changes {
        rules.set(switch, value).unwrap();
    }
    rules.plain()
}

#[test]
fn tables_of_bots_play_every_hand_to_its_end() {
    let kinds = [BotKind::Random, BotKind::Careful];
    for preset in [Preset::TrinkaClassic, Preset::TrinkaOnline, Preset::Seka] {
        let rules = in_force(preset, &[]);
        for players in [2, 3, usize::from(rules.max_players())] {
            for mix in 0..3 {
                let kinds: Vec<BotKind> = (0..players)
                    .map(|seat| if mix < 2 { kinds[mix] } else { kinds[seat % 2] })
                    .collect();
                let mut table = Table::new(&rules, &kinds, 60, 7);
                for _ in 0..12 {
                    table.play_hand();
                    table.check_views();
                }
                assert_eq!(table.game.total(), table.game.total_bought());
            }
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_evening() {
    let rules = in_force(Preset::TrinkaClassic, &[]);
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
    let rules = in_force(Preset::TrinkaClassic, &[("ante", "5")]);
    let mut table = Table::new(&rules, &[BotKind::Random, BotKind::Random], 20, 3);
    for _ in 0..30 {
        table.play_hand();
    }
    assert!(table.log.iter().any(|line| line.ends_with("rebuys 20")), "{:?}", table.log);
}

#[test]
fn careful_folds_rubbish_and_compares_when_ahead() {
    let rules = in_force(Preset::TrinkaClassic, &[]);
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
        };
        let cards = cards.split(' ').map(|card| card.parse().unwrap()).collect();
        view.observe(&table);
        view.observe(&Event::Hand { hand: 1, dealer: Seat(1), seats, bank });
        let price = Some(Price { pass, compare });
        view.observe(&Event::Turn { seat: Seat(0), mine: true, price, legal, seconds: 60 });
        let mut bot = Bot::new(BotKind::Careful, 0);
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
    let none = BTreeSet::new();
    let chance = |cards: &str, shown: &BTreeSet<Card>| {
        let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
        Chance::of_beating_one(&rules, cards.try_into().unwrap(), shown).unwrap()
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
    assert_eq!("bold".parse::<BotKind>(), Err(Problem::BotMissing { bot: "bold".into() }));
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
        for kind in [BotKind::Random, BotKind::Careful] {
            let first = Bot::new(kind, seed).decide(&view);
            prop_assert_eq!(&first, &Bot::new(kind, seed).decide(&view));
            match first {
                Some(Command::Move(step)) => prop_assert!(is_legal(&legal, &step), "{:?}", step),
                Some(other) => prop_assert!(false, "{:?}", other),
                None => {}
            }
        }
    }
}
