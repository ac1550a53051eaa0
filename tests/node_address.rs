//! Addresses where nothing is found by itself, and how nodes come and go.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use common::{ALONE, BOT, LOCAL, Node, assert_agreement, run};

#[test]
fn a_typed_address_leads_to_everybody() {
    let place = tempfile::tempdir().unwrap();
    let node = |i: u32, words: &str| {
        Node::start(
            &[],
            &place.path().join(i.to_string()),
            &format!("{ALONE} {BOT} --name N{i} {words}"),
        )
    };
    let mut host = node(0, "host table --think 5 --hands 100000 --min-players 3");
    let address = host.address();
    // Both know only the host, and the host tells each of the other.
    let mut second = node(1, &format!("join {address}"));
    let second_at = second.address();
    let mut third = node(2, &format!("join {address}"));
    host.hands(30, 2);
    host.kill();
    for node in [&mut second, &mut third] {
        node.catch_up();
        node.hands(45, 2);
    }
    // The host is dead; one that knows only the second one's address meets the third as well.
    let mut fourth = node(3, &format!("join {second_at}"));
    let seat =
        fourth.until(30, "a seat", |e| e["event"] == "table" && e["you"].is_u64())["you"].clone();
    fourth.until(30, "a hand", |e| {
        e["event"] == "hand" && e["seats"].as_array().unwrap().iter().any(|s| s["seat"] == seat)
    });
    fourth.hands(30, 1);
    third.until(30, "the fourth as a voter", |e| {
        e["event"] == "hand" && e["seats"].as_array().unwrap().iter().any(|s| s["seat"] == seat)
    });
    third.hands(30, 3);
    fourth.hands(30, 3);
    // Now without the one that brought them together: they were told each other's addresses.
    second.kill();
    for node in [&mut third, &mut fourth] {
        node.catch_up();
        node.hands(45, 2);
    }
    assert_agreement([&host, &second, &third, &fourth]);
}

#[test]
fn one_that_comes_before_the_host() {
    let place = tempfile::tempdir().unwrap();
    let mut early = Node::bot(&place.path().join("1"), "join early-table");
    early.event(10, "hello");
    early.for_a_while(1_500);
    let mut host = Node::bot(&place.path().join("0"), "host early-table --hands 2");
    assert_eq!(host.exit(40), 0);
    assert_eq!(early.exit(20), 0);
    assert_agreement([&host, &early]);
}

#[test]
fn many_that_come_at_once() {
    let place = tempfile::tempdir().unwrap();
    let mut host = Node::bot(&place.path().join("0"), "host table --min-players 2 --hands 100000");
    let id = host.table_id();
    // The table begins with the first; the others ask while it is being founded, or right after.
    let mut nodes: Vec<Node> = (1..6)
        .map(|i| Node::bot(&place.path().join(i.to_string()), &format!("join {id}")))
        .collect();
    for node in &mut nodes {
        let seat =
            node.until(40, "a seat", |e| e["event"] == "table" && e["you"].is_u64())["you"].clone();
        node.until(40, "a hand", |e| {
            e["event"] == "hand" && e["seats"].as_array().unwrap().iter().any(|s| s["seat"] == seat)
        });
    }
    for node in &mut nodes {
        node.hands(30, 2);
    }
    nodes.push(host);
    assert_agreement(&nodes);
}

#[test]
fn one_that_goes_before_the_table_begins() {
    let place = tempfile::tempdir().unwrap();
    let mut host = Node::bot(&place.path().join("0"), "host table --min-players 3 --hands 2");
    let id = host.table_id();
    let mut first = Node::bot(&place.path().join("1"), &format!("join {id}"));
    let mut gone = Node::bot(&place.path().join("2"), "join nowhere");
    gone.event(10, "hello");
    first.until(20, "a place", |e| e["event"] == "waiting" && e["why"] == "host");
    // It may be killed before it asks, while it waits or while it signs: all of that has to be survived.
    gone.kill();
    let mut dying = Node::bot(&place.path().join("3"), &format!("join {id}"));
    dying.until(20, "a place", |e| e["event"] == "waiting" && e["why"] == "host");
    dying.kill();
    let mut last = Node::bot(&place.path().join("4"), &format!("join {id}"));
    host.hands(60, 2);
    for node in [&mut host, &mut first, &mut last] {
        assert_eq!(node.exit(20), 0);
    }
    assert_agreement([&host, &first, &last]);
}

#[test]
fn where_nobody_answers_any_more() {
    let place = tempfile::tempdir().unwrap();
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut lost = Node::start(
        &[],
        &place.path().join("n"),
        &format!("{ALONE} --ui json join 127.0.0.1:{port}"),
    );
    let error = lost.event(10, "error");
    assert_eq!(error["code"], "cannot-reach");
    assert!(error["message"].as_str().unwrap().contains(&port.to_string()), "{error}");

    // A table that is gone before it began.
    let mut host = Node::bot(&place.path().join("0"), "host table --min-players 3");
    let id = host.table_id();
    let mut node = Node::bot(&place.path().join("1"), &format!("join {id}"));
    node.until(20, "a place", |e| e["event"] == "waiting" && e["why"] == "host");
    host.kill();
    assert_eq!(node.exit(40), 1);
    assert!(node.stderr().contains(&id), "{}", node.stderr());
    assert_eq!(lost.exit(40), 1);
    assert!(!lost.stderr().is_empty());
}

#[test]
fn leaving_a_table_that_can_decide_nothing_any_more() {
    let place = tempfile::tempdir().unwrap();
    let mut host = Node::bot(&place.path().join("0"), "host table --hands 100000");
    let id = host.table_id();
    let mut node =
        Node::start(&[], &place.path().join("1"), &format!("{LOCAL} --ui json join {id}"));
    node.until(30, "the cut", |e| e["event"] == "turn" && e["mine"] == true);
    host.kill();
    node.until(20, "waiting", |e| e["event"] == "waiting" && e["why"] == "quorum");
    node.type_line(r#"{"leave":true}"#);
    assert_eq!(node.exit(20), 4);
}

#[test]
fn signals_end_it_with_their_numbers() {
    let place = tempfile::tempdir().unwrap();
    for (i, (signal, code)) in [("TERM", 143), ("INT", 130), ("HUP", 143)].into_iter().enumerate() {
        for (words, when) in [("host table", "table"), ("join nowhere", "hello")] {
            let dir = place.path().join(format!("{i}-{when}"));
            let mut node = Node::start(&[], &dir, &format!("{ALONE} --ui json {words}"));
            node.event(10, when);
            node.signal(signal);
            assert_eq!(node.exit(5), code, "{signal} while {words}");
        }
    }
    // In the middle of play.
    let mut nodes = common::bots(place.path(), 2, "--hands 100000");
    nodes[0].hands(30, 1);
    nodes[0].signal("TERM");
    nodes[1].signal("INT");
    assert_eq!(nodes[0].exit(5), 143);
    assert_eq!(nodes[1].exit(5), 130);
}

#[test]
fn who_hosts_or_looks_and_leaves_ends_well() {
    let place = tempfile::tempdir().unwrap();
    for (i, words) in ["host table", "join nowhere"].into_iter().enumerate() {
        let mut node = Node::start(
            &[],
            &place.path().join(i.to_string()),
            &format!("{ALONE} --ui json {words}"),
        );
        node.event(10, "hello");
        node.type_line(r#"{"leave":true}"#);
        assert_eq!(node.exit(5), 0, "{words}");
        // A script that says nothing at all, or an empty pipe.
        let out =
            run(&place.path().join(format!("{i}-eof")), &format!("{ALONE} --ui json {words}"), 5);
        assert_eq!(out.status.code(), Some(0), "{words}");
    }
}

#[test]
fn a_reader_that_is_gone_ends_it() {
    let place = tempfile::tempdir().unwrap();
    let mut child =
        common::program(&[], &place.path().join("n"), &format!("{LOCAL} {BOT} host table"))
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
    drop(child.stdout.take());
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if std::time::Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it still runs");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert!(matches!(code, Some(1) | Some(4)), "{code:?}");
}
