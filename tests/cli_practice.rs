//! Practice, and bots that sit down at a hosted table: processes of this machine that never outlive
//! the player's.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{ALONE, BOT, Node, assert_transcripts, run};

/// Processes whose command line names this directory.
fn processes(dir: &Path) -> usize {
    let dir = dir.to_str().unwrap();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .filter(|line| String::from_utf8_lossy(line).contains(dir))
        .count()
}

fn all_gone(dir: &Path, within: u64) {
    let end = Instant::now() + Duration::from_secs(within);
    while processes(dir) > 0 {
        assert!(Instant::now() < end, "{} processes are left", processes(dir));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn practice_begins_soon_is_verified_and_leaves_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let args = format!("{BOT} --name Vera practice --hands 3 --pace 20");
    let mut vera = Node::start(&[], place.path(), &args);
    let hand = vera.event(30, "hand");
    // Under two seconds on a machine that has nothing else to do.
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(8), "{took:?}");
    eprintln!("the first hand began after {took:?}");
    assert_eq!(hand["seats"].as_array().unwrap().len(), 4);
    let names: Vec<&str> =
        hand["seats"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names.iter().filter(|name| **name == "Vera").count(), 1, "{names:?}");
    vera.hands(90, 3);
    assert_eq!(vera.exit(30), 0, "{}", vera.stderr());
    assert_eq!(vera.stderr(), "");
    // A bot's answer may come when the table has moved on.
    let errors: Vec<_> = vera.all("error").into_iter().filter(|e| e["code"] != "stale").collect();
    assert!(errors.is_empty(), "{errors:?}");
    let listen = vera.all("hello")[0]["listen"].clone();
    for address in listen.as_array().unwrap() {
        assert!(address.as_str().unwrap().starts_with("127.0.0.1:"), "{address}");
    }
    all_gone(place.path(), 1);
    let home = place.path().join("practice");
    assert_eq!(assert_transcripts(&home), 3);
    assert!(!home.join("bots").exists() && !home.join("friends").exists());
    assert!(!place.path().join("identity").exists(), "practice has a key of its own");

    // A hand that is missing in between is told of.
    let transcripts = home.join("transcripts");
    let args = format!("verify {}", transcripts.display());
    let whole = run(place.path(), &args, 60);
    assert!(whole.status.success() && whole.stderr.is_empty(), "{whole:?}");
    let second = std::fs::read_dir(&transcripts)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_str().unwrap().ends_with("-0002.trinka"))
        .unwrap();
    std::fs::remove_file(second).unwrap();
    let gap = run(place.path(), &args, 60);
    assert!(gap.status.success(), "{gap:?}");
    let told = String::from_utf8(gap.stderr).unwrap();
    assert!(told.contains("these are not here: 2"), "{told}");
}

#[test]
fn a_person_practises_asks_for_hints_and_leaves() {
    let place = tempfile::tempdir().unwrap();
    let args = "--ui plain --lang en --name Vera practice --bots 2 --pace 30 --think 20";
    let mut vera = Node::start(&[], place.path(), args);
    let mut hinted = false;
    while !hinted {
        let line = vera.line(60, "a question", |l| l.starts_with("Your word?"));
        if line.contains("cut ") {
            vera.type_line("cut 3");
        } else if line.contains("lift ") {
            vera.type_line("lift 2");
        } else if line.contains("fold") {
            // Who could go dark sees the cards only when asking for them.
            if !vera.text.iter().any(|l| l.starts_with("Your cards:")) {
                vera.type_line("look");
                vera.line(10, "her cards", |l| l.starts_with("Your cards:"));
            }
            vera.type_line("hint");
            vera.line(5, "her chances", |l| l.contains("you are ahead in about"));
            vera.line(5, "the price", |l| l.starts_with("To stay costs"));
            vera.type_line("more-time");
            vera.line(5, "a receipt", |l| l == "15 more seconds are asked for.");
            vera.type_line("sit-out");
            vera.line(5, "a receipt", |l| l.starts_with("You sit out"));
            vera.type_line("ready");
            vera.line(5, "a receipt", |l| l == "You play the next hand.");
            vera.type_line("help");
            vera.line(5, "dark play", |l| l.starts_with("  dark 2"));
            vera.line(5, "the end of the help", |l| l.starts_with("Russian words"));
            hinted = true;
        } else {
            vera.type_line("no");
        }
    }
    vera.type_line("leave");
    assert_eq!(vera.exit(60), 0, "{}", vera.stderr());
    all_gone(place.path(), 2);
}

#[test]
fn bots_end_with_a_program_that_is_killed() {
    let place = tempfile::tempdir().unwrap();
    let mut vera = Node::start(&[], place.path(), "--ui json practice --bots 4 --pace 0");
    vera.event(30, "hand");
    assert_eq!(processes(place.path()), 5);
    vera.kill();
    all_gone(place.path(), 5);
    // What they have left is cleared away by the next.
    assert!(place.path().join("practice/bots").exists());
    let args = format!("{BOT} practice --bots 1 --hands 1 --pace 0");
    let mut again = Node::start(&[], place.path(), &args);
    assert_eq!(again.exit(60), 0, "{}", again.stderr());
    assert!(!place.path().join("practice/bots").exists());
}

#[test]
fn signals_end_the_bots_too() {
    let place = tempfile::tempdir().unwrap();
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 143)] {
        let mut vera = Node::start(&[], place.path(), "--ui json practice --pace 0");
        vera.event(30, "hand");
        vera.signal(signal);
        assert_eq!(vera.exit(10), code);
        all_gone(place.path(), 2);
    }
}

/// Waits for a hand with so many seats at it.
fn hand_of(node: &mut Node, seconds: u64, seats: usize) {
    node.until(seconds, "a hand with everybody", |e| {
        e["event"] == "hand" && e["seats"].as_array().unwrap().len() == seats
    });
}

/// Somebody who plays by itself, with this pace.
fn player(dir: &Path, name: &str, pace: u32, does: &str) -> Node {
    Node::start(&[], dir, &format!("{ALONE} {BOT} --name {name} --pace {pace} {does}"))
}

/// Who has made friends with Vera and nobody else.
fn knows_vera_alone(dir: &Path) {
    let friends = std::fs::read_to_string(dir.join("friends")).unwrap();
    assert!(friends.lines().count() == 1 && friends.contains("Vera"), "{friends}");
}

#[test]
fn bots_sit_down_at_a_hosted_table_and_friends_join() {
    let place = tempfile::tempdir().unwrap();
    let (host_dir, guest_dir) = (place.path().join("host"), place.path().join("guest"));
    let mut host = player(&host_dir, "Anna", 10, "host Kitchen --bots 2 --hands 6");
    let address = host.address();
    let hand = host.event(30, "hand");
    assert_eq!(hand["seats"].as_array().unwrap().len(), 3);
    let bots = hand["seats"].as_array().unwrap().iter().filter(|seat| {
        let name = seat["name"].as_str().unwrap();
        name.ends_with("-bot")
    });
    assert_eq!(bots.count(), 2);
    let mut guest = player(&guest_dir, "Vera", 10, &format!("join {address}"));
    hand_of(&mut guest, 60, 4);
    assert_eq!(host.exit(120), 0, "{}", host.stderr());
    assert_eq!(guest.exit(30), 0, "{}", guest.stderr());
    all_gone(place.path(), 2);
    assert!(assert_transcripts(&guest_dir) > 0);
    assert_eq!(assert_transcripts(&host_dir), 6);
    // The bots are nobody's friends; Vera is.
    knows_vera_alone(&host_dir);
    assert!(!host_dir.join("bots").exists());
}

#[test]
fn bots_come_back_with_who_brought_them() {
    let place = tempfile::tempdir().unwrap();
    let (host_dir, guest_dir) = (place.path().join("host"), place.path().join("guest"));
    let mut host = player(&host_dir, "Anna", 10, "host Kitchen --bots 2 --think 5");
    let address = host.address();
    host.event(30, "hand");
    let mut guest = player(&guest_dir, "Vera", 10, &format!("join {address}"));
    hand_of(&mut guest, 90, 4);
    // Until all four have a vote: three that are gone are more than the fourth can do without.
    guest.hands(90, 4);
    let party = host_dir.join("bots").join(host.table_id()).join("party");
    // What becomes of the list of bots meanwhile; they are found by their directories too.
    let lists: [fn(&Path); 3] = [
        |_| {},
        |party| std::fs::remove_file(party).unwrap(),
        |party| std::fs::write(party, b"[{}]").unwrap(),
    ];
    for (signal, list) in ["KILL", "INT", "TERM"].into_iter().zip(lists) {
        host.signal(signal);
        let ended = host.exit(10);
        assert!(matches!(ended, 1009 | 130 | 143), "{ended}");
        all_gone(&host_dir, 5);
        list(&party);
        let address = guest.address();
        host = player(&host_dir, "Anna", 10, &format!("join Kitchen --peer {address}"));
        guest.catch_up();
        hand_of(&mut guest, 90, 4);
        host.hands(90, 2);
    }
    let told = host.all("error").into_iter().filter(|e| e["code"] == "party-spoilt").count();
    assert_eq!(told, 1);
    assert_eq!(std::fs::read(party.with_file_name("party.damaged-1")).unwrap(), b"[{}]");
    host.type_line(r#"{"leave":true}"#);
    assert_eq!(host.exit(60), 0, "{}", host.stderr());
    all_gone(&host_dir, 5);
    guest.left_alone();
    assert!(!host_dir.join("bots").exists());
    knows_vera_alone(&host_dir);
    // The table is the guest's now: who left comes again as a guest of his.
    let address = guest.address();
    host = player(&host_dir, "Anna", 10, &format!("join Kitchen --peer {address}"));
    host.hands(90, 2);
}

#[test]
fn who_has_no_vote_yet_goes_on_where_the_host_leaves_with_its_bots() {
    let place = tempfile::tempdir().unwrap();
    let (host_dir, guest_dir) = (place.path().join("host"), place.path().join("guest"));
    let mut host = player(&host_dir, "Anna", 300, "host Kitchen --bots 2");
    let address = host.address();
    host.hands(60, 1);
    let mut guest = player(&guest_dir, "Vera", 300, &format!("join {address}"));
    guest.until(60, "a seat", |e| e["event"] == "table" && e["you"].is_u64());
    host.type_line(r#"{"leave":true}"#);
    assert_eq!(host.exit(60), 0, "{}", host.stderr());
    guest.until(60, "alone", |e| e["event"] == "waiting" && e["why"] == "players");
    let address = guest.address();
    host = player(&host_dir, "Anna", 10, &format!("join Kitchen --peer {address}"));
    host.hands(90, 2);
    // Somebody else, who finds none of those that founded the table.
    let mut third =
        player(&place.path().join("third"), "Boris", 10, &format!("join Kitchen --peer {address}"));
    hand_of(&mut third, 90, 3);
    guest.catch_up();
    guest.hands(90, 1);
}

#[test]
fn the_name_that_was_chosen_on_the_screen_holds_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("screen.toml"), "name = \"Nora\"\n").unwrap();
    let name = |args: &str| {
        let mut node = Node::start(&[], place.path(), args);
        let table = node.event(30, "table");
        let seats = table["seats"].as_array().unwrap().clone();
        let names: Vec<String> =
            seats.iter().map(|seat| seat["name"].as_str().unwrap().to_owned()).collect();
        node.kill();
        names
    };
    assert!(name("--ui json practice --hands 1").contains(&"Nora".to_owned()));
    // An option comes first.
    let named = name("--ui json --name Vera practice --hands 1");
    assert!(named.contains(&"Vera".to_owned()) && !named.contains(&"Nora".to_owned()), "{named:?}");
}
