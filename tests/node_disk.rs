//! Disks that are full, read-only or damaged, under real processes.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use common::faults::{
    Mount, ON_TOP, Phase, STEP, assert_sound, kill_in, plays, plays_on, seat_of, table_dir,
};
use common::{ALONE, BOT, Node, bots, run, stacks};

const BUY_IN: u64 = 20_000;
const EVENING: &str = "--hands 100000 --think 5 --buy-in 20000";
/// Seconds that are enough for a slow machine.
const PATIENCE: u64 = 90;

fn again(dir: &Path, id: &str) -> Node {
    Node::bot(dir, &format!("join {id}"))
}

/// Kills a node in the middle of a hand, lets something become of its files, and starts it again.
fn struck(node: &mut Node, id: &str, strike: impl FnOnce()) {
    node.event(PATIENCE, "cards");
    node.kill();
    strike();
    *node = again(&node.dir.clone(), id);
}

/// The node with this seat is in the game again and plays so many hands.
fn is_back(nodes: &mut [Node], i: usize, seat: u64, hands: u64) {
    nodes[0].catch_up();
    nodes[0].until(PATIENCE, "a hand with the seat", |e| plays(e, seat));
    nodes[i].hands(PATIENCE, hands);
}

fn end(mut nodes: Vec<Node>) {
    for node in &mut nodes {
        node.catch_up();
        node.hands(PATIENCE, 1);
    }
    for node in &mut nodes {
        node.signal("TERM");
        assert_eq!(node.exit(10), 143);
    }
    assert_sound(&nodes, nodes.len() as u64 * BUY_IN);
}

#[test]
fn a_full_disk_is_told_and_the_others_play_on() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("n2");
    let Some(_mount) = Mount::tmpfs(&dir, "size=80m,mode=700") else { return };
    let mut nodes = bots(place.path(), 3, EVENING);
    let id = nodes[0].table_id();
    nodes[2].hands(PATIENCE, 1);
    let seat = seat_of(&mut nodes[2]);
    // Somebody else fills the disk, but for a rest that is no whole record.
    let filler = dir.join("filler");
    let mut out = fs::File::create(&filler).unwrap();
    let mut size = 1 << 20;
    while size >= 512 {
        if out.write_all(&vec![7; size]).is_err() {
            size /= 2;
        }
    }
    drop(out);
    assert_eq!(nodes[2].exit(PATIENCE), 1);
    let told = nodes[2].stderr();
    assert!(told.contains(dir.to_str().unwrap()), "{told}");
    assert!(told.contains("cannot be written") && told.contains("space"), "{told}");
    nodes[0].catch_up();
    plays_on(&mut nodes[0], 2, STEP + ON_TOP);
    // With a disk that is still full it does not play.
    let out = run(&dir, &format!("{ALONE} {BOT} join {id}"), 40);
    assert_eq!(out.status.code(), Some(1));
    // With room it is back.
    fs::remove_file(&filler).unwrap();
    nodes[2] = again(&dir, &id);
    is_back(&mut nodes, 2, seat, 2);
    end(nodes);
}

#[test]
fn a_directory_that_cannot_be_written_is_told() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("n");
    let Some(mount) = Mount::tmpfs(&dir, "size=1m,mode=700") else { return };
    // With a key that was made before, and without one.
    for made in [false, true] {
        if made {
            mount.change("rw");
            assert!(run(&dir, "id", 10).status.success());
        }
        mount.change("ro");
        for command in ["host table", "join table"] {
            let out = run(&dir, &format!("{ALONE} {BOT} {command}"), 20);
            assert_eq!(out.status.code(), Some(1), "{command}");
            let told = String::from_utf8_lossy(&out.stderr).into_owned();
            assert!(told.contains(dir.to_str().unwrap()), "{told}");
            assert!(told.contains("--data"), "an advice: {told}");
        }
    }
}

/// What one may do to a log.
type Damage = fn(&mut Vec<u8>);

const DAMAGES: [(&str, Damage); 6] = [
    ("a byte", |log| {
        let middle = log.len() / 2;
        log[middle] ^= 8;
    }),
    ("a length", |log| log[1] ^= 4),
    ("nonsense at the end", |log| log.extend([0x41; 5_000])),
    ("nonsense", |log| log.fill(0x5a)),
    ("zeros", |log| log.fill(0)),
    // Most likely in the middle of a record, as where a crash had cut it off.
    ("cut by a third", |log| log.truncate(log.len() * 2 / 3)),
];

fn told_of(node: &mut Node, file: &Path) {
    let event = told(node, "table-damaged", file);
    assert!(event["advice"].as_str().unwrap().contains(file.to_str().unwrap()), "{event}");
}

fn told(node: &mut Node, code: &str, file: &Path) -> Value {
    let event = node.until(PATIENCE, code, |e| e["code"] == *code);
    assert!(event["message"].as_str().unwrap().contains(file.to_str().unwrap()), "{event}");
    event
}

/// Everything that a node has told of damaged files.
fn damage_told(node: &Node) -> Vec<&Value> {
    let codes = ["table-damaged", "log-lost", "log-removed", "log-changed", "hand-key-lost"];
    let errors = node.all("error").into_iter();
    errors.filter(|e| codes.iter().any(|code| e["code"] == *code)).collect()
}

#[test]
fn a_damaged_log_is_told_kept_aside_and_fetched_from_the_others() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, EVENING);
    let id = nodes[0].table_id();
    nodes[2].hands(PATIENCE, 1);
    let seat = seat_of(&mut nodes[2]);
    let dir = place.path().join("n2");
    let log = table_dir(&dir).join("log");
    // What stands in a transcript's place is given out again, and not written over.
    let transcript = dir.join("transcripts").join(format!("{id}-0001.trinka"));
    let written = fs::read(&transcript).unwrap();
    fs::write(&transcript, b"something else").unwrap();
    for (number, (what, damage)) in (1..).zip(DAMAGES) {
        let mut bytes = Vec::new();
        struck(&mut nodes[2], &id, || {
            bytes = fs::read(&log).unwrap();
            damage(&mut bytes);
            fs::write(&log, &bytes).unwrap();
        });
        told_of(&mut nodes[2], &log);
        let aside = log.with_file_name(format!("log.damaged-{number}"));
        assert_eq!(fs::read(&aside).unwrap(), bytes, "{what}");
        is_back(&mut nodes, 2, seat, 2);
    }
    assert_eq!(fs::read(&transcript).unwrap(), b"something else");
    fs::write(&transcript, written).unwrap();
    end(nodes);
}

/// What becomes of a log, given its file.
type Disaster = fn(&Path);

/// What becomes of everybody's log at once.
const DISASTERS: [(&str, Disaster); 2] = [
    ("a byte in each", |log| {
        let mut bytes = fs::read(log).unwrap();
        let at = bytes.len() / 10 * 9;
        bytes[at] ^= 8;
        fs::write(log, bytes).unwrap();
    }),
    ("all of them", |log| fs::remove_file(log).unwrap()),
];

#[test]
fn where_all_logs_are_damaged_or_gone_what_was_played_stays() {
    for (what, disaster) in DISASTERS {
        let place = tempfile::tempdir().unwrap();
        let mut nodes = bots(place.path(), 3, EVENING);
        let id = nodes[0].table_id();
        for node in &mut nodes {
            node.hands(PATIENCE, 3);
        }
        for node in &mut nodes {
            node.kill();
        }
        let before = nodes.iter().flat_map(stacks).max_by_key(|(hand, _)| *hand).unwrap();
        for i in 0..3 {
            disaster(&table_dir(&place.path().join(format!("n{i}"))).join("log"));
        }
        let seen: Vec<Vec<_>> = nodes.iter().map(stacks).collect();
        for (i, node) in nodes.iter_mut().enumerate() {
            *node = again(&place.path().join(format!("n{i}")), &id);
        }
        for node in &mut nodes {
            node.until(PATIENCE, "what happened", |e| {
                e["code"] == "table-damaged" || e["code"] == "log-lost"
            });
            node.hands(PATIENCE, 2);
            // The hand that was open goes on, or the next begins.
            let first = stacks(node)[0].0;
            assert!(first >= before.0, "{what}: hand {first} after {before:?}");
        }
        for (earlier, node) in seen.iter().zip(&nodes) {
            for (hand, told) in stacks(node) {
                let same = |(h, s): &(u64, _)| *h != hand || *s == told;
                assert!(earlier.iter().all(same), "{what}: hand {hand} ended otherwise");
            }
        }
        end(nodes);
    }
}

#[test]
fn without_its_log_or_its_founding_a_node_finds_its_seat() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, EVENING);
    let id = nodes[0].table_id();
    let dir = place.path().join("n1");
    nodes[1].hands(PATIENCE, 1);
    let seat = seat_of(&mut nodes[1]);
    let table = table_dir(&dir);

    // The founding is damaged; the log is not, and is gone on with.
    struck(&mut nodes[1], &id, || {
        fs::write(table.join("founded"), b"nothing that was ever founded").unwrap();
    });
    told_of(&mut nodes[1], &table.join("founded"));
    let aside = fs::read(table.join("founded.damaged-1")).unwrap();
    assert_eq!(aside, b"nothing that was ever founded");
    is_back(&mut nodes, 1, seat, 2);

    // The log is gone; then it is empty.
    struck(&mut nodes[1], &id, || {
        fs::remove_file(table.join("log")).unwrap();
    });
    told(&mut nodes[1], "log-lost", &table.join("log"));
    is_back(&mut nodes, 1, seat, 2);
    struck(&mut nodes[1], &id, || {
        fs::write(table.join("log"), b"").unwrap();
    });
    told_of(&mut nodes[1], &table.join("log"));
    assert_eq!(fs::read(table.join("log.damaged-1")).unwrap(), b"");
    is_back(&mut nodes, 1, seat, 2);

    // Everything is gone but the key.
    struck(&mut nodes[1], &id, || {
        fs::remove_dir_all(dir.join("tables")).unwrap();
        fs::rename(dir.join("transcripts"), place.path().join("transcripts")).unwrap();
    });
    is_back(&mut nodes, 1, seat, 2);
    end(nodes);
}

/// What one may do to a file.
type Touch = fn(&Path);

/// Somebody else is at the log while it is written: it is told, and written anew.
#[test]
fn a_log_that_is_touched_while_the_program_runs_is_told_and_written_anew() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, EVENING);
    let id = nodes[0].table_id();
    let dir = place.path().join("n1");
    nodes[1].hands(PATIENCE, 1);
    let seat = seat_of(&mut nodes[1]);
    let log = table_dir(&dir).join("log");
    let removed = |log: &Path| fs::remove_file(log).unwrap();
    let replaced = |log: &Path| {
        // At once: what is missing even for a moment may be written again in that moment.
        let other = log.with_file_name("other");
        fs::write(&other, b"no log").unwrap();
        fs::rename(other, log).unwrap();
    };
    let emptied = |log: &Path| drop(fs::File::create(log).unwrap());
    let touches: [(&str, Touch); 3] =
        [("log-removed", removed), ("log-changed", replaced), ("log-changed", emptied)];
    for (code, touch) in touches {
        nodes[1].catch_up();
        let before = fs::read(&log).unwrap();
        touch(&log);
        told(&mut nodes[1], code, &log);
        // It plays on without being started again.
        nodes[1].hands(PATIENCE, 2);
        nodes[1].kill();
        assert_eq!(damage_told(&nodes[1]).len(), 1, "{code}: once");
        let whole = fs::read(&log).unwrap();
        if code == "log-removed" {
            assert!(whole.starts_with(&before), "what was in it is there");
        }
        // What it has written then is whole.
        nodes[1] = again(&dir, &id);
        is_back(&mut nodes, 1, seat, 1);
        assert!(damage_told(&nodes[1]).is_empty(), "{code}: {:?}", damage_told(&nodes[1]));
        nodes[1].kill();
        nodes[1] = again(&dir, &id);
        nodes[1].hands(PATIENCE, 1);
    }
    assert_eq!(fs::read(log.with_file_name("log.damaged-1")).unwrap(), b"no log");
    assert!(log.with_file_name("log.damaged-2").exists());
    end(nodes);
}

/// Kills a node as soon as it is in a phase of a hand, and returns where the hand's key lies.
fn kill_with_key(node: &mut Node, phase: Phase, id: &str) -> PathBuf {
    let secrets = table_dir(&node.dir).join("secrets");
    for _ in 0..10 {
        kill_in(node, phase, Duration::from_secs(PATIENCE));
        let mut keys: Vec<PathBuf> = fs::read_dir(&secrets)
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|file| file.extension().is_none())
            .collect();
        keys.sort_by_key(|file| {
            file.file_name().unwrap().to_str().unwrap().parse::<u64>().unwrap()
        });
        if let Some(key) = keys.pop() {
            return key;
        }
        // The hand was over meanwhile.
        *node = again(&node.dir.clone(), id);
        node.hands(PATIENCE, 1);
    }
    panic!("never killed while a hand was played");
}

#[test]
fn a_hand_key_that_is_lost_is_told_and_the_next_hand_is_played() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, EVENING);
    let id = nodes[0].table_id();
    let dir = place.path().join("n2");
    nodes[2].hands(PATIENCE, 1);
    let seat = seat_of(&mut nodes[2]);
    let flipped = |key: &Path| {
        let mut bytes = fs::read(key).unwrap();
        bytes[9] ^= 2;
        fs::write(key, bytes).unwrap();
    };
    let swapped = |key: &Path| fs::write(key, [0x33; 64]).unwrap();
    let deleted = |key: &Path| fs::remove_file(key).unwrap();
    let cases: [(Phase, Touch); 4] = [
        (Phase::Betting, flipped),
        (Phase::Betting, deleted),
        (Phase::Keys, deleted),
        (Phase::Keys, swapped),
    ];
    for (number, (phase, damage)) in cases.into_iter().enumerate() {
        let key = kill_with_key(&mut nodes[2], phase, &id);
        damage(&key);
        let damaged = fs::read(&key).ok();
        nodes[2] = again(&dir, &id);
        if let Some(damaged) = &damaged {
            let aside = told(&mut nodes[2], "table-damaged", &key);
            let name = format!("{}.damaged-1", key.display());
            assert!(aside["advice"].as_str().unwrap().contains(&name), "{aside}");
            // Unless the hand is over by now and all that is left of its key erased.
            assert!(fs::read(&name).map_or(true, |kept| kept == *damaged));
        }
        told(&mut nodes[2], "hand-key-lost", &key);
        nodes[0].catch_up();
        nodes[0].until(PATIENCE, "a hand with the seat", |e| plays(e, seat));
        nodes[2].event(PATIENCE, "cards");
        nodes[2].hands(PATIENCE, 1);
        assert!(nodes[2].all("fault").iter().all(|e| e["kind"] == "absent"), "case {number}");
        for file in fs::read_dir(key.parent().unwrap()).unwrap() {
            let name = file.unwrap().file_name();
            assert!(!name.to_str().unwrap().contains("damaged"), "{name:?} was not erased");
        }
    }
    end(nodes);
}
