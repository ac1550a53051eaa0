//! House rules: presets, switches, what goes together.

use crate::rules::*;

const PRESETS: [Preset; 3] = [Preset::TrinkaClassic, Preset::TrinkaOnline, Preset::Seka];

fn refusal(preset: Preset, sets: &[(&str, &str)]) -> String {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in sets {
        rules.set(switch, value).unwrap();
    }
    rules.validate().unwrap_err().to_string()
}

#[test]
fn presets_are_sound_and_read_by_name() {
    for (preset, name, players) in [
        (Preset::TrinkaClassic, "trinka-classic", 8),
        (Preset::TrinkaOnline, "trinka-online", 8),
        (Preset::Seka, "seka", 10),
    ] {
        let rules = HouseRules::preset(preset);
        assert_eq!(rules.validate(), Ok(()));
        assert_eq!(rules.max_players(), players);
        assert_eq!(name.parse(), Ok(preset));
        assert_eq!(preset.to_string(), name);
    }
    assert_eq!(
        "poker".parse::<Preset>().unwrap_err().to_string(),
        "preset cannot be \"poker\": it is one of trinka-classic, trinka-online, seka"
    );
}

#[test]
fn every_switch_reads_back_as_it_is_written() {
    for preset in PRESETS {
        let rules = HouseRules::preset(preset);
        let switches = rules.switches();
        let names: Vec<&str> = switches.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, HouseRules::SWITCHES);
        // Starting from another preset, the texts alone make the same rules.
        for other in PRESETS {
            let mut copy = HouseRules::preset(other);
            for (name, value) in &switches {
                copy.set(name, value).unwrap();
            }
            assert_eq!(copy, rules);
        }
        let json = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<HouseRules>(&json).unwrap(), rules);
    }
}

#[test]
fn wrong_switches_and_values_say_what_is_right() {
    let mut rules = HouseRules::preset(Preset::Seka);
    let before = rules.clone();
    for (switch, value, message) in [
        ("colour", "red", "there is no switch \"colour\""),
        ("dark", "maybe", "dark cannot be \"maybe\": it is one of off, on"),
        ("ante", "+5", "ante cannot be \"+5\": it is one of a number of chips"),
        ("ante", "", "ante cannot be \"\": it is one of a number of chips"),
        ("deck", "52", "deck cannot be \"52\": it is one of 24, 32, 36"),
        (
            "ceiling",
            "-1",
            "ceiling cannot be \"-1\": it is one of none, a number of chips, or a number of antes as in 100x",
        ),
    ] {
        assert_eq!(rules.set(switch, value).unwrap_err().to_string(), message);
    }
    assert_eq!(rules, before);
}

#[test]
fn sums_follow_the_ante() {
    let mut rules = HouseRules::preset(Preset::TrinkaClassic);
    assert_eq!((rules.opening_price(), rules.ceiling()), (1, Some(100)));
    rules.set("ante", "5").unwrap();
    assert_eq!((rules.opening_price(), rules.ceiling()), (5, Some(500)));
    rules.set("ceiling", "20").unwrap();
    rules.set("opening_minimum", "2").unwrap();
    assert_eq!((rules.opening_price(), rules.ceiling()), (2, Some(20)));
    rules.set("ceiling", "none").unwrap();
    assert_eq!(rules.ceiling(), None);
}

#[test]
fn contradictions_name_both_switches() {
    let (classic, online, seka) = (PRESETS[0], PRESETS[1], PRESETS[2]);
    for (preset, sets, one, other) in [
        (classic, vec![("wild", "shaha"), ("deck", "32")], "wild = shaha", "deck = 32"),
        (online, vec![("deck", "32")], "top_hand = sixes", "deck = 32"),
        (classic, vec![("open_pass", "2x")], "open_pass = 2x", "compare_price = floor"),
        (online, vec![("open_pass", "1x")], "open_pass = 1x", "compare_price = pass"),
        (online, vec![("compare_price", "fixed")], "open_pass = 2x", "compare_price = fixed"),
        (classic, vec![("knock_out", "on")], "open_pass = 1x", "knock_out = on"),
        (seka, vec![("dark", "on")], "open_pass = 1x", "compare_price = pass"),
        (classic, vec![("svara", "off")], "boil = on", "svara = off"),
        (classic, vec![("svara", "off"), ("boil", "off")], "pool = on", "svara = off"),
        (
            classic,
            vec![("svara", "off"), ("boil", "off"), ("pool", "off")],
            "pact = on",
            "svara = off",
        ),
        (seka, vec![("svara", "off"), ("svara_dark", "on")], "svara_dark = on", "svara = off"),
        (seka, vec![("svara_dark", "on")], "svara_dark = on", "dark = off"),
        (
            seka,
            vec![("ceiling", "1"), ("opening_minimum", "2")],
            "ceiling = 1",
            "opening_minimum = 2",
        ),
        (classic, vec![("ceiling", "1")], "ceiling = 1", "dark = on"),
        (online, vec![("ceiling", "4")], "ceiling = 4", "dark = on"),
    ] {
        let message = refusal(preset, &sets);
        assert!(message.contains(one) && message.contains(other), "{message}");
    }
    // The least ceilings that dark play can do with: twice 1; twice 2 and one.
    for (preset, ceiling) in [(classic, "2"), (online, "5")] {
        let mut rules = HouseRules::preset(preset);
        rules.set("ceiling", ceiling).unwrap();
        assert_eq!(rules.validate(), Ok(()));
    }
}

#[test]
fn sums_out_of_range() {
    for (switch, value) in [
        ("ante", "0"),
        ("ante", "1000000001"),
        ("opening_minimum", "0"),
        ("ceiling", "0"),
        ("ceiling", "18446744073709551615"),
    ] {
        assert!(refusal(Preset::Seka, &[(switch, value)]).starts_with(switch), "{switch} {value}");
    }
}

#[test]
fn players_that_the_deck_serves() {
    for (preset, deck, most) in [
        (Preset::TrinkaClassic, "24", 8),
        (Preset::TrinkaClassic, "36", 10),
        (Preset::Seka, "32", 10),
        (Preset::Seka, "36", 10),
    ] {
        let mut rules = HouseRules::preset(preset);
        rules.set("deck", deck).unwrap();
        assert_eq!(rules.validate_for(most), Ok(()));
        assert_eq!(
            rules.validate_for(most + 1),
            Err(RulesError::TooManyPlayers {
                players: most + 1,
                most: u8::try_from(most).unwrap(),
                deck: rules.deck().size()
            })
        );
        assert_eq!(rules.validate_for(1), Err(RulesError::TooFewPlayers));
    }
}

#[test]
fn every_preset_makes_a_game_and_so_does_its_plainest_form() {
    let seats = [(Seat(0), 10), (Seat(1), 10)];
    for preset in PRESETS {
        let asked = HouseRules::preset(preset);
        let plain = asked.plain();
        assert_eq!(plain.validate(), Ok(()));
        assert_eq!(plain.plain(), plain);
        assert!(Game::new(plain, &seats).is_ok());
        assert!(Game::new(asked, &seats).is_ok());
    }
}
