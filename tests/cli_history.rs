//! Past hands from outside: what `trinka history export` writes down, the referee settles.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod cli_support;

use cli_support::run;
use serde_json::Value;

#[test]
fn exported_hands_are_settled_by_the_referee() {
    let dir = tempfile::tempdir().unwrap();
    let keep = dir.path().join("kept");
    let demo = ["demo", "--players", "3", "--hands", "2", "--local", "--json", "--keep"];
    let demo = run(&[demo.as_slice(), &[keep.to_str().unwrap()]].concat());
    assert_eq!(demo.code, Some(0), "{}", demo.err);
    let told: Value = serde_json::from_str(&demo.out).unwrap();
    let hands = told["transcripts"].as_array().unwrap();
    assert_eq!(hands.len(), 6);
    let script = dir.path().join("hand.txt");
    let script = script.to_str().unwrap();
    for hand in hands {
        let hand = hand.as_str().unwrap();
        for options in [vec![], vec!["--public"], vec!["--expect", "--format", "referee"]] {
            let args = [vec!["history", "export", hand], options].concat();
            let printed = run(&args);
            assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""), "{}", printed.out);
            assert!(printed.out.contains("\nrules trinka-classic\n"), "{}", printed.out);
            let written = run(&[args.as_slice(), &["--out", script]].concat());
            assert_eq!((written.code, written.out.as_str()), (Some(0), ""), "{}", written.err);
            assert_eq!(std::fs::read_to_string(script).unwrap(), printed.out);
            let settled = run(&["referee", script]);
            assert_eq!((settled.code, settled.err.as_str()), (Some(0), ""), "{}", printed.out);
            std::fs::remove_file(script).unwrap();
        }
    }
    // Nothing that is there is overwritten, least of all the transcript.
    let hand = hands[0].as_str().unwrap();
    let before = std::fs::read(hand).unwrap();
    let refused = run(&["history", "export", hand, "--out", hand, "--lang", "en"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("is there already"), "{}", refused.err);
    assert_eq!(std::fs::read(hand).unwrap(), before);
    // What is damaged is not written down.
    let mut bytes = std::fs::read(hands[0].as_str().unwrap()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let bad = dir.path().join("bad.trinka");
    std::fs::write(&bad, bytes).unwrap();
    let refused = run(&["history", "export", bad.to_str().unwrap(), "--lang", "en"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(3), ""));
    assert!(refused.err.contains("REJECTED"), "{}", refused.err);
    let none = dir.path().join("none.trinka");
    let missing = run(&["history", "export", none.to_str().unwrap()]);
    assert_eq!((missing.code, missing.err.lines().count()), (Some(1), 2), "{}", missing.err);
}
