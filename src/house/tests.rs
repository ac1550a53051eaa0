#![allow(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::file::Wrong;
use super::*;
use crate::i18n::Lang;
use crate::rules::RulesError;

fn presets() -> impl Iterator<Item = HouseRules> {
    Preset::ALL.iter().map(|preset| HouseRules::preset(*preset))
}

/// A new switch or value changes these hashes, and so what tables sign. That needs a new domain.
#[test]
fn the_hashes_are_pinned() {
    let hashes: Vec<String> = presets().map(|rules| hash_text(&rules)).collect();
    assert_eq!(
        hashes,
        [
            "4ca2180395e63eb8fb6501c0b4cce77d5b83b3aee3e640c0f35fe4584c28ffa1",
            "b406f0fff42daa2dd9106a994752888ff2a66157758b2979e5f124dcf63df6be",
            "73a70bc779c89ceaa7544375938ca72fddb7a23a42efcc616e29f20f9b766aa9",
        ]
    );
}

#[test]
fn every_switch_changes_the_hash() {
    let rules = HouseRules::preset(Preset::TrinkaClassic);
    for (switch, value) in [("deck", "36"), ("ante", "2"), ("ceiling", "100"), ("pact", "off")] {
        let mut other = rules.clone();
        other.set(switch, value).unwrap();
        assert_ne!(hash(&other), hash(&rules), "{switch}");
    }
}

#[test]
fn a_file_reads_back_as_it_was_written() {
    let mut all: Vec<HouseRules> = presets().collect();
    for (switch, value) in [
        ("ceiling", "none"),
        ("ceiling", "20"),
        ("opening_minimum", "5"),
        ("wild", "joker"),
        ("dark_chain", "unlimited"),
    ] {
        let mut rules = HouseRules::preset(Preset::TrinkaClassic);
        rules.set(switch, value).unwrap();
        all.push(rules);
    }
    for rules in all {
        for lang in Lang::ALL {
            let text = to_toml(&rules, lang);
            let file = RulesFile::read(&text).unwrap();
            // Whatever it is put upon, a whole file leaves nothing of it.
            for base in presets() {
                let base = HouseRules { preset: rules.preset, ..base };
                assert_eq!(file.apply(base).unwrap(), rules, "{text}");
            }
            assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
        }
    }
}

#[test]
fn a_short_file_changes_what_it_names() {
    let file =
        RulesFile::read("ante = 2\ndark = false # no\npreset = \"seka\"\ndeck = 32").unwrap();
    assert_eq!(file.preset(), Preset::Seka);
    let rules = file.apply(HouseRules::preset(Preset::Seka)).unwrap();
    assert_eq!((rules.ante, rules.deck.to_string()), (2, "32".to_owned()));
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_place() {
    let wrong = |text| {
        let error = RulesFile::read(text).unwrap_err();
        (error.line, error.column, error.wrong)
    };
    assert_eq!(wrong("# x\nante = = 2"), (2, 8, Wrong::Syntax));
    assert_eq!(wrong("ante = 2\nante = 3").0, 2);
    assert_eq!(wrong("\n  ante = [2]"), (2, 10, Wrong::Shape("ante".to_owned())));
    let unknown = Wrong::Rules(RulesError::UnknownSwitch("antee".to_owned()));
    assert_eq!(wrong("ante = 1\nantee = 2"), (2, 1, unknown));
    let (line, column, wrong_value) = wrong("look = \"now\"");
    assert_eq!((line, column), (1, 8));
    assert!(matches!(wrong_value, Wrong::Rules(RulesError::BadValue { .. })));
    assert!(matches!(wrong("preset = \"poker\"").2, Wrong::Rules(RulesError::BadValue { .. })));
    assert!(matches!(wrong("ante = -1").2, Wrong::Rules(RulesError::BadValue { .. })));
    assert!(matches!(wrong("ante = 1.5").2, Wrong::Shape(_)));
}

/// Switches that contradict each other are told at the last of them that the file names.
#[test]
fn a_contradiction_in_a_file_is_told_with_its_place() {
    let check = |text: &str| {
        let file = RulesFile::read(text).unwrap();
        let rules = file.apply(HouseRules::preset(file.preset())).unwrap();
        file.check(&rules).map_err(|error| (error.line, error.column, error.wrong))
    };
    let (line, column, wrong) = check("ante = 2\ndeck = 32\nwild = \"shaha\"\n").unwrap_err();
    assert_eq!((line, column), (3, 8));
    assert!(matches!(wrong, Wrong::Rules(RulesError::Clash { .. })));
    assert_eq!(check("\nsvara = \"off\"").unwrap_err().0, 2);
    let (line, column, wrong) = check("look = \"any_time\"\n  ante = 0").unwrap_err();
    assert_eq!((line, column), (2, 10));
    assert!(matches!(wrong, Wrong::Rules(RulesError::SumOutOfRange { .. })));
    assert_eq!(check("ante = 2\nsvara = \"on\""), Ok(()));
}

#[test]
fn the_page_tells_whatever_the_switches_are() {
    for lang in Lang::ALL {
        for rules in presets() {
            let text = page(&rules, lang);
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            assert!(!text.contains("{$") && !text.contains("{ $") && !text.contains("rules-"));
            assert!(text.contains(&hash_text(&rules)));
            for (switch, value) in rules.switches() {
                assert!(text.contains(&format!("{switch} = {value}\n")));
            }
        }
    }
}

/// Each value of each switch says something of its own.
#[test]
fn every_switch_changes_the_words_of_the_page() {
    let words = |rules: &HouseRules, lang| {
        let text = page(rules, lang);
        let heading = crate::i18n::messages::rules_h_switches(lang);
        text.split(&heading).next().unwrap().to_owned()
    };
    let cases: &[(Preset, &str, &[&str])] = &[
        (Preset::Seka, "deck", &["24", "32", "36"]),
        (Preset::TrinkaClassic, "top_hand", &["aces", "sixes"]),
        (Preset::Seka, "two_aces", &["11", "22"]),
        (Preset::Seka, "triples", &["none", "sum", "above"]),
        (Preset::Seka, "three_tens", &["off", "on_demand", "on_compare"]),
        (Preset::Seka, "wild", &["none", "joker", "shaha"]),
        (Preset::Seka, "ante", &["1", "2", "5"]),
        (Preset::Seka, "opening_minimum", &["ante", "5"]),
        (Preset::Seka, "ceiling", &["none", "20", "100x"]),
        (Preset::Seka, "missing_ante", &["automatic", "dealer_pays"]),
        (Preset::TrinkaClassic, "dark", &["off", "on"]),
        (Preset::TrinkaClassic, "dark_chain", &["2", "unlimited"]),
        (Preset::TrinkaClassic, "open_pass", &["1x", "2x"]),
        (Preset::TrinkaClassic, "compare_price", &["floor", "fixed"]),
        (Preset::TrinkaOnline, "knock_out", &["off", "on"]),
        (Preset::TrinkaClassic, "look", &["after_first_circle", "any_time"]),
        (Preset::TrinkaClassic, "compare_from", &["circle_one", "circle_two", "last_two"]),
        (Preset::TrinkaClassic, "reveal", &["neighbours", "sealed", "open"]),
        (Preset::TrinkaClassic, "compare_tie", &["both_stay", "caller_loses"]),
        (Preset::Seka, "svara", &["off", "on"]),
        (Preset::TrinkaClassic, "boil", &["off", "on"]),
        (Preset::TrinkaClassic, "pool", &["off", "on"]),
        (Preset::TrinkaClassic, "pact", &["off", "on"]),
        (Preset::TrinkaClassic, "svara_dark", &["off", "on"]),
        (Preset::TrinkaClassic, "entry_played", &["half", "third", "share"]),
        (Preset::TrinkaClassic, "entry_newcomer", &["half", "full"]),
        (Preset::TrinkaClassic, "first_dealer", &["host", "lift", "count", "random"]),
        (Preset::TrinkaClassic, "next_dealer", &["winner", "rotate"]),
        (Preset::TrinkaClassic, "exposed_card", &["off", "on"]),
    ];
    let named: Vec<&str> = cases.iter().map(|(_, switch, _)| *switch).collect();
    for switch in HouseRules::SWITCHES {
        assert!(["preset", "wild_copy"].contains(switch) || named.contains(switch), "{switch}");
    }
    for lang in Lang::ALL {
        for (preset, switch, values) in cases {
            let mut pages = Vec::new();
            for value in *values {
                let mut rules = HouseRules::preset(*preset);
                rules.set(switch, value).unwrap();
                pages.push(words(&rules, lang));
            }
            pages.sort_unstable();
            pages.dedup();
            assert_eq!(pages.len(), values.len(), "{switch}");
        }
    }
}

/// Pieces of rules files, sound and unsound.
fn piece() -> impl Strategy<Value = String> {
    let switch = proptest::sample::select(HouseRules::SWITCHES.to_vec());
    let value = prop_oneof![
        Just("\"on\"".to_owned()),
        Just("1_000".to_owned()),
        Just("99999999999999999999".to_owned()),
        Just("\"seka\"".to_owned()),
        Just("{ a = [1] }".to_owned()),
        any::<i64>().prop_map(|n| n.to_string()),
        "\\PC{0,12}",
    ];
    prop_oneof![
        (switch, value).prop_map(|(switch, value)| format!("{switch} = {value}\n")),
        "\\PC{0,40}\n",
        Just("[".repeat(2000)),
    ]
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in prop_oneof![
        any::<String>(),
        proptest::collection::vec(piece(), 0..8).prop_map(|pieces| pieces.concat()),
    ]) {
        match RulesFile::read(&text) {
            Ok(file) => {
                let rules = file.apply(HouseRules::preset(file.preset())).unwrap();
                let again = RulesFile::read(&to_toml(&rules, Lang::Ru)).unwrap();
                prop_assert_eq!(again.apply(HouseRules::preset(rules.preset)).unwrap(), rules);
            }
            Err(error) => {
                prop_assert!(error.line >= 1 && error.column >= 1);
                prop_assert!(!error.problem("x.toml").text(Lang::Ru).is_empty());
            }
        }
    }
}
