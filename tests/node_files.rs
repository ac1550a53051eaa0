//! What is on the disk: who may read it, who may use it, and what is done about damage.
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
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use common::{ALONE, BOT, Node, bots, run};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Every file and directory below a directory.
fn below(dir: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(below(&path));
        }
        all.push(path);
    }
    all
}

/// A copy of a data directory, modes included.
fn copy(from: &Path, to: &Path) {
    let done = std::process::Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(done.success());
}

/// Two bots play a few hands and are killed; what is left of the second one, and the table's id.
fn played(place: &Path) -> (PathBuf, String) {
    let mut nodes = bots(place, 2, "--hands 100000");
    let id = nodes[0].table_id();
    nodes[1].hands(30, 2);
    nodes[1].event(10, "cards");
    nodes[1].kill();
    (place.join("n1"), id)
}

#[test]
fn only_the_owner_may_read() {
    let place = tempfile::tempdir().unwrap();
    let (dir, id) = played(place.path());
    assert_eq!(mode(&dir), 0o700);
    assert_eq!(mode(&dir.join("identity")), 0o600);
    assert_eq!(mode(&dir.join("tables").join(&id).join("secrets")), 0o700);
    for path in below(&dir).iter().filter(|p| p.is_file()) {
        assert_eq!(mode(path) & 0o077, 0, "{}", path.display());
    }
}

#[test]
fn an_identity_that_others_may_read_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("n");
    assert!(run(&dir, "id", 10).status.success());
    fs::set_permissions(dir.join("identity"), fs::Permissions::from_mode(0o644)).unwrap();
    let out = run(&dir, &format!("{ALONE} host"), 10);
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stderr).contains("chmod 600"));
}

#[test]
fn a_second_node_in_one_data_directory() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("n");
    let mut node = Node::start(&[], &dir, &format!("{ALONE} {BOT} host"));
    node.table_id();
    let out = run(&dir, &format!("{ALONE} {BOT} host"), 10);
    assert_eq!(out.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(stderr.contains(dir.to_str().unwrap()), "{stderr}");
    // Looking around and asking for the key disturb nobody.
    assert!(run(&dir, &format!("{ALONE} tables --wait 0"), 10).status.success());
    assert!(run(&dir, "id", 10).status.success());
    assert!(node.alive());
    // With its end the directory is free again.
    node.kill();
    Node::start(&[], &dir, &format!("{ALONE} {BOT} host")).table_id();
}

#[test]
fn a_damaged_identity_is_told_and_left_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("n");
    assert!(run(&dir, "id", 10).status.success());
    let file = dir.join("identity");
    let (good, beside) = (fs::read(&file).unwrap(), dir.join("identity.pub"));
    let noted = fs::read(&beside).unwrap();
    let mut flipped = good.clone();
    flipped[7] ^= 16;
    let swapped: Vec<u8> = (0..32).collect();
    for damage in [&[][..], &[7; 31], &[7; 33], &[0; 2_000], &[0; 32], &flipped, &swapped] {
        fs::write(&file, damage).unwrap();
        for command in ["id".to_owned(), format!("{ALONE} {BOT} host")] {
            let out = run(&dir, &command, 10);
            assert_eq!(out.status.code(), Some(1), "{command}");
            let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
            assert!(stderr.contains(file.to_str().unwrap()), "{stderr}");
            assert_eq!(fs::read(&file).unwrap(), damage);
            assert_eq!(fs::read(&beside).unwrap(), noted);
        }
    }
}

/// Writes a file that only its owner may read.
fn put(file: &Path, bytes: &[u8]) {
    fs::write(file, bytes).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
}

/// Whoever has lost its key is told so, instead of being somebody else.
#[test]
fn a_key_that_is_put_back_has_its_seat_again() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, "--hands 100000");
    let id = nodes[0].table_id();
    nodes[1].hands(30, 1);
    let seat = common::faults::seat_of(&mut nodes[1]);
    let dir = place.path().join("n1");
    let (file, beside) = (dir.join("identity"), dir.join("identity.pub"));
    let (good, noted) = (fs::read(&file).unwrap(), fs::read(&beside).unwrap());
    nodes[1].kill();
    let mut flipped = good.clone();
    flipped[31] ^= 1;
    let another = fs::read(place.path().join("n2").join("identity")).unwrap();
    for damage in [None, Some(vec![0; 32]), Some(flipped), Some(another)] {
        match &damage {
            Some(bytes) => put(&file, bytes),
            None => fs::remove_file(&file).unwrap(),
        }
        let before = below(&dir);
        for command in ["id".to_owned(), format!("{ALONE} {BOT} join {id}")] {
            let out = run(&dir, &command, 10);
            assert_eq!(out.status.code(), Some(1), "{command}");
            let told = String::from_utf8_lossy(&out.stderr).into_owned();
            for named in [&file, &beside] {
                assert!(told.contains(named.to_str().unwrap()), "{told}");
            }
        }
        assert_eq!(fs::read(&file).ok(), damage);
        assert_eq!(fs::read(&beside).unwrap(), noted);
        assert_eq!(below(&dir), before, "nothing was made");
    }
    put(&file, &good);
    nodes[1] = Node::bot(&dir, &format!("join {id}"));
    assert_eq!(common::faults::seat_of(&mut nodes[1]), seat);
    nodes[1].hands(60, 2);
}

/// A note that holds no key is no reason to stay away.
#[test]
fn a_spoilt_note_of_the_key_is_told_and_written_anew() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("n");
    let first = run(&dir, "id", 10).stdout;
    let beside = dir.join("identity.pub");
    let noted = fs::read(&beside).unwrap();
    fs::write(&beside, b"nonsense").unwrap();
    let mut node = Node::start(&[], &dir, &format!("{ALONE} {BOT} host"));
    let told = node.until(10, "the note", |e| e["code"] == "identity-note-spoilt");
    assert!(told["message"].as_str().unwrap().contains(beside.to_str().unwrap()), "{told}");
    node.kill();
    assert_eq!(fs::read(dir.join("identity.pub.damaged-1")).unwrap(), b"nonsense");
    assert_eq!(fs::read(&beside).unwrap(), noted);
    // On the command line it is told as well.
    fs::write(&beside, b"other nonsense").unwrap();
    let out = run(&dir, "id", 10);
    assert!(out.status.success());
    assert_eq!(out.stdout, first);
    assert!(String::from_utf8_lossy(&out.stderr).contains("identity.pub.damaged-2"));
}

#[test]
fn a_directory_in_the_place_of_a_file_is_told() {
    let place = tempfile::tempdir().unwrap();
    let (dir, id) = played(place.path());
    let table = dir.join("tables").join(&id);
    let files =
        [dir.join("identity"), dir.join("friends"), table.join("log"), table.join("founded")];
    for file in files {
        let kept = place.path().join("kept");
        fs::rename(&file, &kept).unwrap();
        fs::create_dir(&file).unwrap();
        let out = run(&dir, &format!("{ALONE} {BOT} join {id}"), 20);
        assert_eq!(out.status.code(), Some(1), "{}", file.display());
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(told.contains(file.to_str().unwrap()) && told.contains("directory"), "{told}");
        fs::remove_dir(&file).unwrap();
        fs::rename(&kept, &file).unwrap();
    }
    // And a file in the place of a directory.
    let (secrets, kept) = (table.join("secrets"), place.path().join("kept"));
    fs::rename(&secrets, &kept).unwrap();
    fs::write(&secrets, b"a file").unwrap();
    let out = run(&dir, &format!("{ALONE} {BOT} join {id}"), 20);
    assert_eq!(out.status.code(), Some(1));
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(told.contains(secrets.to_str().unwrap()) && told.contains("no directory"), "{told}");
    assert_eq!(fs::read(&secrets).unwrap(), b"a file");
}

#[test]
fn a_log_with_a_changed_byte_is_told_and_kept_aside() {
    let place = tempfile::tempdir().unwrap();
    let (dir, id) = played(place.path());
    let log = dir.join("tables").join(&id).join("log");
    let good = fs::read(&log).unwrap();
    // In a length (which then reaches beyond the end, or not), in a hash, in a record; in the middle of all.
    let places = [(0, 0x40), (1, 0x04), (3, 0x40), (20, 1), (60, 0x80), (good.len() / 2, 8)];
    for (number, (at, bit)) in (1..).zip(places) {
        let mut bytes = good.clone();
        bytes[at] ^= bit;
        fs::write(&log, &bytes).unwrap();
        let mut node = Node::start(&[], &dir, &format!("{ALONE} {BOT} join {id}"));
        let told = node.until(20, "the damage", |e| e["code"] == "table-damaged");
        assert!(told["message"].as_str().unwrap().contains(log.to_str().unwrap()), "{told}");
        // Nothing was written over it, nor over those before it.
        let aside = log.with_file_name(format!("log.damaged-{number}"));
        assert_eq!(fs::read(&aside).unwrap(), bytes, "byte {at}");
        // Alone it knows nothing, and waits.
        assert_eq!(node.event(20, "table")["you"], 1);
        node.kill();
        assert!(node.all("turn").is_empty() && node.all("hand").is_empty());
    }
}

#[test]
fn a_log_that_a_crash_cut_off_is_continued() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 2, "--hands 100000");
    let id = nodes[0].table_id();
    for cut in [1, 30, 37] {
        nodes[1].hands(40, 2);
        nodes[1].event(10, "cards");
        nodes[1].kill();
        let dir = place.path().join("n1");
        let log = dir.join("tables").join(&id).join("log");
        // A record that was being written when the power went: its beginning is there, what depended on it
        // was never sent.
        let mut bytes = fs::read(&log).unwrap();
        let mut record = 500u32.to_be_bytes().to_vec();
        record.extend_from_slice(&[9; 300]);
        bytes.extend_from_slice(&record[..cut]);
        fs::write(&log, &bytes).unwrap();
        nodes[1] = Node::bot(&dir, &format!("join {id}"));
        let table = nodes[1].until(20, "the table", |e| e["event"] == "table");
        assert_eq!(table["you"], 1);
        nodes[1].hands(40, 2);
        let aside: Vec<_> =
            below(&dir).into_iter().filter(|p| p.to_string_lossy().contains("log.torn-")).collect();
        assert!(!aside.is_empty());
        assert!(aside.iter().any(|p| fs::read(p).unwrap() == record[..cut]));
    }
}

#[test]
fn a_copied_data_directory_is_pointed_out() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, "--hands 100000");
    let id = nodes[0].table_id();
    nodes[2].hands(30, 1);
    let twin = place.path().join("twin");
    copy(&place.path().join("n2"), &twin);
    let mut twin = Node::bot(&twin, &format!("join {id}"));
    // The log was copied while it was written, so that it may be told to be damaged before.
    twin.until(20, "the copied key", |e| e["code"] == "identity-copied");
    // The table plays on with the one that it knows.
    for node in &mut nodes {
        node.catch_up();
        node.hands(30, 3);
        assert!(node.all("fault").is_empty());
        assert!(node.all("away").is_empty());
    }
}

/// A power cut: nobody tells of the table any more, and all come back by its name.
#[test]
fn when_all_programs_end_the_table_is_found_again_by_its_name() {
    let place = tempfile::tempdir().unwrap();
    let come_back = |i: usize, how: &str| {
        Node::bot(&place.path().join(format!("n{i}")), &format!("--name N{i} {how}"))
    };
    // The other tests' tables are around as well: it has a name of its own.
    let host = "host Lighthouse --min-players 3 --hands 100000 --buy-in 2000";
    let mut nodes = vec![come_back(0, host)];
    let id = nodes[0].table_id();
    nodes.extend([1, 2].map(|i| come_back(i, &format!("join {id}"))));
    for node in &mut nodes {
        node.hands(60, 1);
    }
    nodes.iter_mut().for_each(Node::kill);
    let before: Vec<_> = nodes.iter().map(|n| common::stacks(n).last().unwrap().0).collect();
    // In whatever case it is typed.
    let names = ["Lighthouse", "lighthouse", "LIGHTHOUSE"];
    let mut again: Vec<Node> =
        (0..).zip(names).map(|(i, name)| come_back(i, &format!("join {name}"))).collect();
    for node in &mut again {
        assert_eq!(node.table_id(), id);
        node.until(60, "a later hand", |e| {
            e["event"] == "settled" && e["hand"].as_u64() > before.iter().max().copied()
        });
    }
    let told = again[0].all("error");
    assert!(told.iter().any(|e| e["code"] == "going-back"), "{told:?}");
    common::assert_agreement(again.iter().chain(&nodes));
    again.iter_mut().for_each(Node::kill);

    // A new table of that name says that there is another.
    let mut host = come_back(0, "host Lighthouse --min-players 2");
    host.until(30, "the other table", |e| e["code"] == "table-left");
    assert_ne!(host.table_id(), id);
}
