//! Coming together: tables that are not there, who is let in, and what is said about it.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use common::{ALONE, BOT, LOCAL, Node};

fn error(node: &mut Node, seconds: u64, code: &str) -> String {
    let event =
        node.until(seconds, code, |e| e["event"] == "error" && e["code"].as_str() == Some(code));
    format!("{} {}", event["message"].as_str().unwrap(), event["advice"].as_str().unwrap())
}

#[test]
fn a_wrong_name_is_told_soon_and_a_name_in_other_letters_is_right() {
    let place = tempfile::tempdir().unwrap();
    let name = format!("Кухня-{}", std::process::id());
    let args = format!("{LOCAL} {BOT} --name Anna host {name} --hands 1 --min-players 2");
    let mut host = Node::start(&[], &place.path().join("host"), &args);
    host.event(10, "table");
    let args = format!("{LOCAL} --ui json join Чердак-{}", std::process::id());
    let mut lost = Node::start(&[], &place.path().join("lost"), &args);
    let told = error(&mut lost, 9, "table-not-seen");
    assert!(told.contains(&name), "{told}");
    let args = format!("{LOCAL} {BOT} --name Boris join {}", name.to_uppercase());
    let mut guest = Node::start(&[], &place.path().join("guest"), &args);
    guest.hands(60, 1);
    assert_eq!((host.exit(20), guest.exit(20)), (0, 0));
}

#[test]
fn where_nobody_answers_that_is_told_in_plain_words() {
    let place = tempfile::tempdir().unwrap();
    let args = format!("{ALONE} --ui json join 127.0.0.1:1");
    let mut node = Node::start(&[], &place.path().join("n"), &args);
    let told = error(&mut node, 10, "cannot-reach");
    assert!(told.starts_with("Nothing listens at 127.0.0.1:1."), "{told}");
    for raw in ["os error", "Transport", "libp2p", "Multiaddr", "/ip4/"] {
        assert!(!told.contains(raw), "{told}");
    }
    error(&mut node, 9, "no-table-seen");
}

#[test]
fn an_address_that_is_taken_is_told_in_plain_words() {
    let place = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let args = format!("--no-mdns --beacon off --listen {address} --ui json host table");
    let mut node = Node::start(&[], &place.path().join("n"), &args);
    assert_eq!(node.exit(10), 1);
    let told = node.stderr();
    assert!(told.contains("Another program listens on"), "{told}");
    assert!(!told.contains("os error"), "{told}");
}

#[test]
fn before_the_table_begins_nobody_hears() {
    let place = tempfile::tempdir().unwrap();
    let args = format!("{ALONE} --ui json host table");
    let mut node = Node::start(&[], &place.path().join("n"), &args);
    node.event(10, "table");
    node.type_line(r#"{"say":"hello"}"#);
    error(&mut node, 5, "nobody-hears");
}

#[test]
fn a_damaged_list_of_friends_is_put_aside() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("n");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("friends"), b"\xff\xfe nonsense\nmore of it").unwrap();
    let args = format!("{ALONE} --ui json host table");
    let mut node = Node::start(&[], &dir, &args);
    let told = error(&mut node, 10, "friends-spoilt");
    assert!(told.contains("friends.damaged-1"), "{told}");
    node.event(10, "table");
    assert!(!dir.join("friends").exists());
    let aside = std::fs::read(dir.join("friends.damaged-1")).unwrap();
    assert_eq!(aside, b"\xff\xfe nonsense\nmore of it");
}

#[test]
fn a_newcomer_is_let_in_by_the_beginning_of_its_fingerprint() {
    let place = tempfile::tempdir().unwrap();
    // A host who only sits there: its turns are passed over, and it decides who is let in.
    let args = format!("{ALONE} --ui json --name Anna host table --think 5 --min-players 2");
    let mut host = Node::start(&[], &place.path().join("host"), &args);
    let address = host.address();
    let args = format!("{ALONE} {BOT} --name Boris join {address}");
    let mut boris = Node::start(&[], &place.path().join("boris"), &args);
    boris.event(30, "hand");
    let args = format!("{ALONE} {BOT} --name Vera join {address}");
    let mut vera = Node::start(&[], &place.path().join("vera"), &args);
    let fingerprint = vera.event(10, "hello")["fingerprint"].as_str().unwrap().to_owned();
    host.until(60, "a request", |e| e["event"] == "offer" && e["kind"] == "admit");
    for (key, code) in [
        (&fingerprint[..4], "needs-key"),
        ("Vera", "needs-key"),
        ("00000000", "nobody-at-the-door"),
    ] {
        host.type_line(&format!(r#"{{"admit":{{"key":"{key}"}}}}"#));
        error(&mut host, 5, code);
    }
    let short = &fingerprint[..9];
    host.type_line(&format!(r#"{{"admit":{{"key":"{short}"}}}}"#));
    vera.until(120, "a seat", |e| e["event"] == "table" && e["you"].is_u64());
}
