//! `trinka demo` on loopback: processes that play, and the proofs that they leave behind.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod cli_support;

use std::process::Stdio;
use std::time::Duration;

use cli_support::{run, trinka};
use serde_json::Value;

/// Plays and checks what every demo has to fulfil.
fn demo(args: &[&str], players: u64, hands: u64) -> Value {
    let ran = run(&[&["demo", "--local", "--json"], args].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let told: Value = serde_json::from_str(&ran.out).expect(&ran.out);
    assert_eq!(told["agree"], true);
    assert_eq!((&told["players"], &told["hands"]), (&players.into(), &hands.into()));
    assert_eq!(told["verified"], players * hands);
    assert_eq!(told["transcripts"].as_array().unwrap().len() as u64, players * hands);
    assert_eq!(told["found_by"], "beacon");
    assert!(told["deal_ms"].as_array().unwrap().len() as u64 >= hands);
    let stacks = told["stacks"].as_object().unwrap();
    assert_eq!(stacks.len() as u64, players);
    let chips: u64 = stacks.values().map(|chips| chips.as_u64().unwrap()).sum();
    assert!(chips >= players * 100 && chips.is_multiple_of(100), "{chips}");
    for kind in ["compare", "tie", "redeal", "short_stack"] {
        assert!(told["met"][kind].is_u64(), "{kind}");
    }
    told
}

#[test]
fn four_play_three_hands() {
    demo(&["--players", "4", "--hands", "3"], 4, 3);
}

#[test]
fn two_play_five_hands() {
    demo(&["--players", "2", "--hands", "5"], 2, 5);
}

#[test]
fn eight_play_two_hands() {
    demo(&["--players", "8", "--hands", "2"], 8, 2);
}

#[test]
fn seka_is_played_too() {
    demo(&["--players", "3", "--hands", "2", "--rules", "seka", "--bot", "random"], 3, 2);
}

#[test]
fn what_is_kept_can_be_checked_later_and_a_changed_byte_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let keep = dir.path().join("kept");
    let told = demo(&["--players", "3", "--hands", "2", "--keep", keep.to_str().unwrap()], 3, 2);
    for node in ["node-0", "node-1", "node-2"] {
        let transcripts = keep.join(node).join("transcripts");
        let ran = run(&["verify", "--json", transcripts.to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        for line in ran.out.lines() {
            let hand: Value = serde_json::from_str(line).unwrap();
            assert_eq!(hand["ok"], true);
            assert!(hand["shuffles"].as_u64().unwrap() >= 3);
            assert_eq!(hand["seats"].as_array().unwrap().len(), 3);
            assert!(hand["result"]["amount"].as_u64().unwrap() >= 3);
        }
    }
    let file = told["transcripts"][0].as_str().unwrap();
    let whole = std::fs::read(file).unwrap();
    let bad = dir.path().join("bad.trinka");
    let mut authors = 0;
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&bad, bytes).unwrap();
        let json = run(&["verify", "--json", bad.to_str().unwrap()]);
        assert_eq!(json.code, Some(3), "byte {at}");
        let told: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!(told["ok"], false);
        if let (Some(seat), Some(height)) = (told["seat"].as_u64(), told["height"].as_u64()) {
            authors += 1;
            let plain = run(&["verify", bad.to_str().unwrap()]);
            assert!(plain.out.contains(&format!("Author: seat {seat}.")), "{}", plain.out);
            assert!(plain.out.contains(&format!("Entry {height}.")), "{}", plain.out);
        }
    }
    assert!(authors > 0);
    // A hand that breaks off is not whole, wherever it was cut.
    std::fs::write(&bad, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(run(&["verify", bad.to_str().unwrap()]).code, Some(3));
    // The directory is not to be used twice.
    let again = run(&["demo", "--local", "--keep", keep.to_str().unwrap()]);
    assert_eq!((again.code, again.out.as_str()), (Some(1), ""));
}

#[test]
#[cfg(unix)]
fn a_demo_that_is_stopped_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut demo = trinka(&["demo", "--local", "--hands", "1000"])
            .env("TMPDIR", dir.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(3));
        let nodes = children(demo.id());
        let sent = std::process::Command::new("kill")
            .args(["-s", signal, &demo.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        assert_eq!(demo.wait().unwrap().code(), Some(code));
        assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none());
        #[cfg(target_os = "linux")]
        {
            assert_eq!(nodes.len(), 4);
            assert!(
                nodes.iter().all(|node| !std::path::Path::new(&format!("/proc/{node}")).exists())
            );
        }
        let _ = nodes;
    }
}

/// The processes that a process has started.
#[cfg(unix)]
fn children(of: u32) -> Vec<u32> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
            let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
            parent.is_some_and(|parent| parent == of.to_string())
        })
        .collect()
}
