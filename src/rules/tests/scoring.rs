//! Points and hands, against the table of counts in the rules.

use std::collections::BTreeMap;

use crate::rules::*;

fn rules(preset: Preset, sets: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in sets {
        rules.set(switch, value).unwrap();
    }
    rules.validate().unwrap();
    rules
}

fn score(rules: &HouseRules, cards: &str) -> HandRank {
    let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
    rank(rules, cards.try_into().unwrap()).unwrap()
}

/// How many hands the table has by points (suits and sums) and by name (the others).
fn counts(rules: &HouseRules) -> (BTreeMap<u32, usize>, BTreeMap<HandName, usize>) {
    let (mut points, mut named) = (BTreeMap::new(), BTreeMap::new());
    for hand in HandTable::new(rules).hands() {
        if hand.rank.level == hand.rank.points {
            *points.entry(hand.rank.points).or_default() += 1;
        } else {
            *named.entry(hand.rank.name).or_default() += 1;
        }
    }
    (points, named)
}

/// Compares a column of the rules' table: points with their counts, those of no hands left out.
fn column(rules: &HouseRules, expected: &[(u32, usize)], named: &[(HandName, usize)]) {
    let (points, names) = counts(rules);
    let expected: BTreeMap<u32, usize> = expected.iter().copied().collect();
    assert_eq!(points, expected);
    assert_eq!(names, named.iter().copied().collect());
    let n = usize::from(rules.deck().size());
    let total: usize = points.values().chain(names.values()).sum();
    assert_eq!(total, n * (n - 1) * (n - 2) / 6);
}

const TRINKA: &[(u32, usize)] = &[
    (7, 28),
    (8, 76),
    (9, 148),
    (10, 244),
    (11, 360),
    (13, 72),
    (14, 72),
    (15, 144),
    (16, 144),
    (17, 216),
    (18, 144),
    (19, 144),
    (20, 72),
    (21, 76),
    (22, 4),
    (23, 8),
    (24, 12),
    (25, 12),
    (26, 12),
    (27, 12),
    (28, 8),
    (29, 4),
    (30, 4),
];

/// The Seka columns share all rows but these: 6 7 8 9 10, 18, 21, 24, 27, 30.
fn seka(own: [usize; 10]) -> Vec<(u32, usize)> {
    let [six, seven, eight, nine, ten, p18, p21, p24, p27, p30] = own;
    vec![
        (6, six),
        (7, seven),
        (8, eight),
        (9, nine),
        (10, ten),
        (11, 768),
        (13, 108),
        (14, 108),
        (15, 216),
        (16, 540),
        (17, 636),
        (18, p18),
        (19, 528),
        (20, 744),
        (21, p21),
        (22, 196),
        (23, 20),
        (24, p24),
        (25, 36),
        (26, 48),
        (27, p27),
        (28, 44),
        (29, 40),
        (30, p30),
        (31, 24),
    ]
}

#[test]
fn trinka_has_the_counts_of_the_rules() {
    for preset in [Preset::TrinkaClassic, Preset::TrinkaOnline] {
        let named = [(HandName::ThreeSixes, 4), (HandName::ThreeAces, 4)];
        column(&HouseRules::preset(preset), TRINKA, &named);
    }
    let tens = HandTable::new(&HouseRules::preset(Preset::TrinkaClassic))
        .hands()
        .iter()
        .filter(|hand| hand.rank.three_tens)
        .map(|hand| hand.rank.points)
        .collect::<Vec<_>>();
    assert_eq!(tens, [10; 4]);
}

#[test]
fn seka_has_the_counts_of_the_rules() {
    let aces = (HandName::ThreeAces, 4);
    let none = seka([4, 28, 76, 148, 1792, 528, 388, 24, 60, 32]);
    column(&rules(Preset::Seka, &[]), &none, &[aces]);
    let mut sum = seka([0, 24, 72, 144, 1776, 532, 392, 28, 64, 48]);
    sum.remove(0);
    column(&rules(Preset::Seka, &[("triples", "sum")]), &sum, &[aces]);
    let mut above = seka([0, 24, 72, 144, 1776, 528, 388, 24, 60, 32]);
    above.remove(0);
    let triples = (HandName::Triple, 32);
    column(&rules(Preset::Seka, &[("triples", "above")]), &above, &[triples, aces]);
}

#[test]
fn a_joker_that_may_copy_makes_thirty_two() {
    let rules = rules(Preset::Seka, &[("wild", "joker"), ("triples", "sum")]);
    let (points, named) = counts(&rules);
    assert_eq!(points[&32], 16);
    assert_eq!(named, BTreeMap::from([(HandName::ThreeAces, 10)]));
    assert_eq!(HandTable::new(&rules).hands().len(), 7770);
}

#[test]
fn sums_within_a_suit() {
    let trinka = HouseRules::preset(Preset::TrinkaClassic);
    for (cards, points) in [
        ("As Ts 9s", 30),
        ("As Ts 9c", 21),
        ("7s 8s 6c", 15),
        ("As Ad 9h", 11),
        ("6s 6d Th", 10),
        ("Ts Td Th", 10),
        ("7s 7d 7h", 7),
    ] {
        let hand = score(&trinka, cards);
        assert_eq!(
            (hand.points, hand.name, hand.level),
            (points, HandName::Suit, points),
            "{cards}"
        );
    }
    let seka = HouseRules::preset(Preset::Seka);
    assert_eq!(score(&seka, "Ks 9s Ac").points, 19);
    assert_eq!(score(&seka, "Qs Ks As").points, 31);
}

#[test]
fn named_hands_and_their_order() {
    let classic = HouseRules::preset(Preset::TrinkaClassic);
    let online = HouseRules::preset(Preset::TrinkaOnline);
    let aces = score(&classic, "Ac Ad As");
    let sixes = score(&classic, "6c 6d 6s");
    assert_eq!((aces.points, aces.name), (33, HandName::ThreeAces));
    assert_eq!((sixes.points, sixes.name), (31, HandName::ThreeSixes));
    assert!(aces.level > sixes.level && sixes.level > score(&classic, "As Ts 9s").level);
    let aces = score(&online, "Ac Ad As");
    let sixes = score(&online, "6c 6d 6s");
    assert_eq!((aces.points, sixes.points), (33, 34));
    assert!(sixes.level > aces.level && sixes.level <= HandRank::MAX_LEVEL);
}

#[test]
fn trinka_with_pictures_keeps_its_sixes_and_tens() {
    let rules = rules(Preset::TrinkaClassic, &[("deck", "36"), ("triples", "sum")]);
    assert_eq!(rules.max_players(), 10);
    let sixes = score(&rules, "6c 6d 6s");
    assert_eq!(sixes.name, HandName::ThreeSixes);
    assert!(sixes.level > score(&rules, "Qs Ks As").level);
    let tens = score(&rules, "Tc Td Ts");
    assert_eq!((tens.points, tens.three_tens), (10, true));
    assert_eq!(score(&rules, "Kc Kd Ks").points, 30);
}

#[test]
fn triples_above_go_by_rank_between_suits_and_aces() {
    let rules = rules(Preset::Seka, &[("triples", "above")]);
    let mut level = score(&rules, "Qs Ks As").level;
    for rank in ["6", "7", "8", "9", "T", "J", "Q", "K", "A"] {
        let hand = score(&rules, &format!("{rank}c {rank}d {rank}s"));
        assert!(hand.level > level, "{rank}");
        level = hand.level;
    }
    assert_eq!(score(&rules, "8c 8d 8s").points, 24);
    let mut top = rules.clone();
    top.set("top_hand", "sixes").unwrap();
    assert!(score(&top, "6c 6d 6s").level > score(&top, "Ac Ad As").level);
}

#[test]
fn two_aces_by_the_house() {
    let seka = HouseRules::preset(Preset::Seka);
    let aces = score(&seka, "As Ad Ks");
    assert_eq!((aces.points, aces.name, aces.level), (22, HandName::TwoAces, 22));
    let eleven = rules(Preset::Seka, &[("two_aces", "11")]);
    assert_eq!(score(&eleven, "As Ad 9h").points, 11);
}

#[test]
fn wild_cards() {
    let copy = rules(Preset::TrinkaClassic, &[("wild", "joker")]);
    let no_copy = rules(Preset::TrinkaClassic, &[("wild", "joker"), ("wild_copy", "no")]);
    for (cards, with, without) in [
        ("As Ts JK", 32, 30),
        ("As Ad JK", 33, 33),
        ("6s 6d JK", 31, 31),
        ("Ts Td JK", 21, 21),
        ("7s 8s JK", 26, 26),
        ("9s Ac JK", 22, 21),
    ] {
        assert_eq!(score(&copy, cards).points, with, "{cards} copying");
        assert_eq!(score(&no_copy, cards).points, without, "{cards} without copies");
    }
    assert!(!score(&copy, "Ts Td JK").three_tens);
    let seka = rules(Preset::Seka, &[("wild", "joker"), ("wild_copy", "no")]);
    assert_eq!(score(&seka, "As Ts JK").points, 31);
    let above = rules(Preset::Seka, &[("wild", "joker"), ("triples", "above")]);
    assert_eq!(score(&above, "9s 9d JK").name, HandName::Triple);
    let shaha = rules(Preset::TrinkaClassic, &[("wild", "shaha")]);
    assert_eq!(score(&shaha, "6c As Ts").points, 32);
    assert_eq!(score(&shaha, "6c 6d 6s").name, HandName::ThreeSixes);
    assert_eq!(score(&shaha, "6s As Td").points, 17);
}

#[test]
fn bare_values_for_scripts() {
    let online = HouseRules::preset(Preset::TrinkaOnline);
    assert_eq!(HandRank::of_points(21), score(&online, "As Ts 9c"));
    assert_eq!(HandRank::of_three(&online, Rank::Six), score(&online, "6c 6d 6s"));
    assert_eq!(HandRank::of_three(&online, Rank::Ace), score(&online, "Ac Ad As"));
    assert_eq!(HandRank::of_three(&online, Rank::Ten), score(&online, "Tc Td Ts"));
    assert!(!HandRank::of_three(&HouseRules::preset(Preset::Seka), Rank::Ten).three_tens);
    assert_eq!(HandRank::of_points(u32::MAX).level, 32);
}

#[test]
fn wrong_hands_are_refused() {
    let trinka = HouseRules::preset(Preset::TrinkaClassic);
    let cards = |text: &str| -> [Card; 3] {
        let cards: Vec<Card> = text.split(' ').map(|card| card.parse().unwrap()).collect();
        cards.try_into().unwrap()
    };
    for (hand, message) in [
        ("Ks As 9s", "Ks is not in the deck of 24 cards"),
        ("As JK 9s", "JK is not in the deck of 24 cards"),
        ("As As 9s", "As comes twice"),
        ("As 9s As", "As comes twice"),
        ("9s As As", "As comes twice"),
    ] {
        assert_eq!(rank(&trinka, cards(hand)).unwrap_err().to_string(), message);
    }
}

#[test]
fn the_table_finds_what_rank_says() {
    let rules = HouseRules::preset(Preset::TrinkaClassic);
    let table = HandTable::new(&rules);
    assert_eq!(table.hands().len(), 2024);
    for hand in table.hands() {
        let [i, j, k] = hand.places;
        let cards = hand.places.map(|place| rules.deck().card(place).unwrap());
        assert_eq!(rank(&rules, cards), Ok(hand.rank));
        assert_eq!(table.find([k, i, j]), Some(hand));
    }
    assert_eq!(table.find([0, 0, 1]), None);
    assert_eq!(table.find([0, 1, 24]), None);
}
