//! Replays every script of `tests/referee`: each shows one point of the rules.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use trinka::referee::{Fault, referee};

/// Where a rule can come from.
const SOURCES: [&str; 6] = ["000", "001", "002", "003", "chosen", "inferred"];

fn scripts() -> Vec<(PathBuf, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/referee");
    let mut all: Vec<(PathBuf, String)> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn every_script_holds_and_refuses_what_it_says() {
    let (mut failed, mut count) = (Vec::new(), 0);
    for (path, script) in scripts() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let verdict = referee(&script);
        if let Some(failure) = &verdict.failure {
            failed.push(format!("{name}: {failure:?}\n    {:?}", verdict.state));
        }
        let must_fail = script.lines().filter(|line| line.starts_with('!')).count();
        if verdict.failure.is_none() && verdict.refused.len() != must_fail {
            failed.push(format!("{name}: {} of {must_fail} refused", verdict.refused.len()));
        }
        for refused in verdict.refused {
            assert!(refused.fault.is_refusal(), "{name}: {refused:?}");
        }
        count += 1;
    }
    assert!(failed.is_empty(), "{} of {count} fail\n{}", failed.len(), failed.join("\n"));
    assert!(count >= 150, "only {count} scripts");
}

#[test]
fn every_script_names_its_source_and_shows_something() {
    for (path, script) in scripts() {
        let name = path.display();
        let first = script.lines().next().unwrap();
        let source = first.strip_prefix("# ").unwrap_or_else(|| panic!("{name}: no comment"));
        assert!(SOURCES.iter().any(|known| source.contains(known)), "{name}: {source}");
        let shows = |line: &str| line.starts_with('!') || line.starts_with("expect");
        assert!(script.lines().any(shows), "{name}: nothing is shown");
        assert_eq!(path.extension().unwrap(), "txt", "{name}");
    }
}

/// Each `!` line, without its `!`, is where the script fails, and the rules are why.
#[test]
fn a_line_that_must_be_refused_fails_without_its_mark() {
    for (path, script) in scripts() {
        let lines: Vec<&str> = script.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with('!')) {
            let plain = line.trim_start_matches('!').trim_start();
            // Silence would be taken for the answer of the initiators, and let these pass.
            if plain.ends_with("enter") || plain.starts_with("pool") {
                continue;
            }
            let mut changed = lines.clone();
            *changed.get_mut(at).unwrap() = plain;
            let verdict = referee(&changed.join("\n"));
            let failure = verdict.failure.unwrap_or_else(|| panic!("{path:?}: {line} passes"));
            assert_eq!(failure.place.line, at as u64 + 1, "{path:?}: {line}");
            assert!(failure.fault.is_refusal(), "{path:?}: {line}: {failure:?}");
        }
    }
}

#[test]
fn a_script_that_does_not_hold_names_line_column_and_reason() {
    let fails = |script: &str| {
        let failure = referee(script).failure.unwrap();
        (failure.place.line, failure.place.column, failure.fault)
    };
    let text = str::to_owned;
    let start = "seat A 10\nseat B 10\nhand\n";
    assert_eq!(fails("\n  deal\n"), (2, 3, Fault::UnknownLine(text("deal"))));
    assert_eq!(fails("seat A ten"), (1, 8, Fault::NotANumber(text("ten"))));
    assert_eq!(fails("seat A 1\nseat A 2"), (2, 6, Fault::NameTwice(text("A"))));
    assert_eq!(fails("seat bank 1"), (1, 6, Fault::BadName(text("bank"))));
    assert_eq!(fails("seat A"), (1, 1, Fault::Form("seat A 100")));
    assert_eq!(fails("seat A 1 2"), (1, 10, Fault::TooMany(text("2"))));
    assert_eq!(fails("dealer X"), (1, 8, Fault::NoSuchName(text("X"))));
    assert_eq!(fails("seat A 9\ncards A As Xs 9s"), (2, 12, Fault::NotACard(text("Xs"))));
    assert_eq!(fails("seat A 9\ncards A As Ts"), (2, 7, Fault::NotThree(2)));
    assert_eq!(fails("seat A 9\npoints A 35"), (2, 10, Fault::BadPoints(text("35"))));
    assert_eq!(fails(&format!("{start}A jump")), (4, 3, Fault::UnknownMove(text("jump"))));
    assert_eq!(fails(&format!("{start}! A bet 1")), (4, 1, Fault::NotRefused));
    assert_eq!(fails(&format!("{start}! expect bank 2")).2, Fault::NotAMove(text("expect")));
    assert_eq!(fails(&format!("{start}set ante 2")), (4, 5, Fault::TooLate(text("ante"))));
    let (line, column, fault) = fails(&format!("{start}expect bank 2 turn B"));
    assert_eq!((line, column), (4, 20));
    let (what, expected, found) = (text("turn"), text("B"), text("A"));
    assert_eq!(fault, Fault::Expected { what, expected, found });
    for (script, column) in [("set celling 5", 5), ("set dark maybe", 10), ("rules poker", 7)] {
        let (line, at, fault) = fails(script);
        assert_eq!((line, at), (1, column), "{script}");
        assert!(matches!(fault, Fault::Rules(_)), "{script}");
    }
    // Switches that do not go together: at the last line that sets one of the two.
    let clash = fails("set deck 32\nset wild shaha\nset ante 2\nseat A 10\nseat B 10\nhand");
    assert_eq!((clash.0, clash.1), (2, 5));
    assert!(matches!(clash.2, Fault::Rules(_)));
    // Cards that decide and were not given.
    let unknown = fails(&format!("{start}A bet 1\nB compare"));
    assert!(matches!(unknown.2, Fault::CardsUnknown(_)));
    // The same card twice, in one hand and in two; a card that the deck lacks.
    for cards in ["cards A As As 9s", "cards A As Ts 9s\ncards B As 7s 8s", "cards A Ks Ts 9s"] {
        let (_, _, fault) = fails(&format!("seat A 10\nseat B 10\n{cards}"));
        assert!(matches!(fault, Fault::Rules(_)), "{cards}: {fault:?}");
    }
}

#[test]
fn the_state_has_exactly_its_fields() {
    let json = |script: &str| serde_json::to_string(&referee(script).state).unwrap();
    let start = "seat B 10\nseat A 10\nhand\nB bet 2\n";
    assert_eq!(
        json(start),
        r#"{"phase":"betting","turn":"A","bank":4,"stacks":{"B":7,"A":9},"active":["B","A"],"price":{"pass":2,"compare":2},"result":null}"#
    );
    assert_eq!(
        json(&format!("{start}A fold")),
        r#"{"phase":"over","turn":null,"bank":0,"stacks":{"B":11,"A":9},"active":[],"price":null,"result":{"kind":"win","seats":["B"],"amount":4}}"#
    );
}

/// Words of scripts, sound and unsound.
fn word() -> impl Strategy<Value = String> {
    let known = vec![
        "rules",
        "set",
        "seat",
        "dealer",
        "cards",
        "points",
        "hand",
        "pool",
        "pact",
        "expose",
        "lift",
        "count",
        "expect",
        "stacks",
        "bank",
        "turn",
        "active",
        "phase",
        "price",
        "pass",
        "compare",
        "bet",
        "dark",
        "look",
        "fold",
        "redeal",
        "boil",
        "accept",
        "refuse",
        "split",
        "no-split",
        "enter",
        "stay-out",
        "newcomer",
        "ante",
        "omit",
        "keep",
        "replace",
        "!",
        "-",
        "A",
        "B",
        "C",
        "A=5",
        "As",
        "Ts",
        "JK",
        "AAA",
        "TTT",
        "0",
        "1",
        "2",
        "5",
        "100",
        "туз",
        "пик",
        "trinka-classic",
        "seka",
        "trinka-online",
        "ceiling",
        "none",
        "#",
        "missing_ante",
        "dealer_pays",
        "18446744073709551615",
        "99999999999999999999",
    ];
    prop_oneof![
        9 => proptest::sample::select(known).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ]
}

proptest! {
    #[test]
    fn no_text_makes_the_referee_panic(text in any::<String>()) {
        let _ = referee(&text);
    }

    /// Lines of known words go further into the game than any text would.
    #[test]
    fn no_words_make_the_referee_panic(
        lines in proptest::collection::vec(proptest::collection::vec(word(), 1..5), 0..40),
        ante in 1_u64..6,
    ) {
        let mut script = format!("set ante {ante}\nseat A 20\nseat B 9\nseat C 30\nhand\n");
        for line in lines {
            let with = format!("{script}{}\n", line.join(" "));
            // A script goes on only from lines that hold.
            if referee(&with).failure.is_none() {
                script = with;
            }
        }
        let verdict = referee(&script);
        prop_assert!(verdict.failure.is_none());
        serde_json::to_string(&verdict.state).unwrap();
    }
}
