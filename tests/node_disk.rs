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
use std::path::Path;

use common::faults::{Mount, ON_TOP, STEP, assert_sound, plays, plays_on, seat_of, table_dir};
use common::{ALONE, BOT, Node, bots, run};

const BUY_IN: u64 = 20_000;
const EVENING: &str = "--hands 100000 --think 5 --buy-in 20000";
/// Seconds that are enough for a slow machine.
const PATIENCE: u64 = 90;

fn again(dir: &Path, id: &str) -> Node {
    Node::bot(dir, &format!("join {id}"))
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
    nodes[0].catch_up();
    nodes[0].until(PATIENCE, "a hand with the seat", |e| plays(e, seat));
    nodes[2].hands(PATIENCE, 2);
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

const DAMAGES: [(&str, Damage); 4] = [
    ("a byte", |log| {
        let middle = log.len() / 2;
        log[middle] ^= 8;
    }),
    ("a length", |log| log[1] ^= 4),
    ("nonsense at the end", |log| log.extend([0x41; 5_000])),
    ("nonsense", |log| log.fill(0x5a)),
];

fn told_of(node: &mut Node, file: &Path) {
    let event = node.until(PATIENCE, "the damage", |e| e["code"] == "table-damaged");
    for part in [event["message"].as_str().unwrap(), event["advice"].as_str().unwrap()] {
        assert!(part.contains(file.to_str().unwrap()), "{event}");
    }
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
        nodes[2].event(PATIENCE, "cards");
        nodes[2].kill();
        let mut bytes = fs::read(&log).unwrap();
        damage(&mut bytes);
        fs::write(&log, &bytes).unwrap();
        nodes[2] = again(&dir, &id);
        told_of(&mut nodes[2], &log);
        let aside = log.with_file_name(format!("log.damaged-{number}"));
        assert_eq!(fs::read(&aside).unwrap(), bytes, "{what}");
        nodes[0].catch_up();
        nodes[0].until(PATIENCE, "a hand with the seat", |e| plays(e, seat));
        nodes[2].hands(PATIENCE, 2);
    }
    assert_eq!(fs::read(&transcript).unwrap(), b"something else");
    fs::write(&transcript, written).unwrap();
    end(nodes);
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
    let back = |nodes: &mut Vec<Node>| {
        nodes[0].catch_up();
        nodes[0].until(PATIENCE, "a hand with the seat", |e| plays(e, seat));
        nodes[1].hands(PATIENCE, 2);
    };

    // The founding is damaged; the log is not, and is gone on with.
    nodes[1].event(PATIENCE, "cards");
    nodes[1].kill();
    fs::write(table.join("founded"), b"nothing that was ever founded").unwrap();
    nodes[1] = again(&dir, &id);
    told_of(&mut nodes[1], &table.join("founded"));
    let aside = fs::read(table.join("founded.damaged-1")).unwrap();
    assert_eq!(aside, b"nothing that was ever founded");
    back(&mut nodes);

    // The log is gone.
    nodes[1].event(PATIENCE, "cards");
    nodes[1].kill();
    fs::remove_file(table.join("log")).unwrap();
    nodes[1] = again(&dir, &id);
    back(&mut nodes);

    // Everything is gone but the key.
    nodes[1].event(PATIENCE, "cards");
    nodes[1].kill();
    fs::remove_dir_all(dir.join("tables")).unwrap();
    fs::rename(dir.join("transcripts"), place.path().join("transcripts")).unwrap();
    nodes[1] = again(&dir, &id);
    back(&mut nodes);
    end(nodes);
}
