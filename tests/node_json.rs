//! Scripts at the table: events on stdout, commands on stdin, one JSON object a line.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{ALONE, BOT, Node, PLAIN, assert_agreement, assert_transcripts, bots};
use serde_json::Value;

/// A host that plays by itself, and a seat that a script plays.
fn script(place: &std::path::Path, options: &str) -> (Node, Node) {
    let mut bot = Node::start(
        &[],
        &place.join("bot"),
        &format!("{ALONE} {BOT} host table {PLAIN} {options}"),
    );
    let address = bot.address();
    let node =
        Node::start(&[], &place.join("script"), &format!("{ALONE} --ui json join {address}"));
    (bot, node)
}

/// Waits for the script's turn and answers the cut on the way.
fn my_bet(node: &mut Node) -> Value {
    loop {
        let turn = node.until(30, "my turn", |e| e["event"] == "turn" && e["mine"] == true);
        if turn["legal"][0]["move"] != "cut" {
            return turn;
        }
        node.type_line(r#"{"move":"cut","at":7}"#);
    }
}

fn code(node: &mut Node) -> String {
    let event = node.event(5, "error");
    for part in ["message", "advice"] {
        assert!(!event[part].as_str().unwrap().is_empty(), "{event}");
    }
    event["code"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_refused_is_told_and_changes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let (mut bot, mut node) = script(place.path(), "--hands 1");
    // Before there is a table.
    node.type_line(r#"{"move":"fold"}"#);
    assert_eq!(code(&mut node), "not-your-word");
    my_bet(&mut node);
    let long = format!(r#"{{"say":"{}"}}"#, "x".repeat(70_000));
    let bad = [
        ("fold", "not-json"),
        ("[]", "not-an-object"),
        ("{}", "no-command"),
        (r#"{"move":"fold","amount":1}"#, "unknown-field"),
        (r#"{"move":"jump"}"#, "unknown-move"),
        (r#"{"move":"bet"}"#, "missing-field"),
        (r#"{"move":"bet","amount":-1}"#, "wrong-value"),
        (r#"{"move":"bet","amount":1.5}"#, "wrong-value"),
        (r#"{"move":"bet","amount":18446744073709551616}"#, "wrong-value"),
        (r#"{"move":"fold","move":"fold"}"#, "field-twice"),
        (&long, "line-too-long"),
    ];
    for (line, expected) in bad {
        node.type_line(line);
        assert_eq!(code(&mut node), expected, "{}", &line[..line.len().min(80)]);
    }
    // Understood, but against the rules.
    for line in [
        r#"{"move":"bet","amount":0}"#,
        r#"{"move":"bet","amount":1000000}"#,
        r#"{"move":"bet","amount":18446744073709551615}"#,
        r#"{"move":"accept"}"#,
        r#"{"move":"enter"}"#,
        r#"{"move":"cut","at":3}"#,
        r#"{"move":"look"}"#,
        r#"{"move":"expose","seat":0}"#,
        r#"{"move":"pact","with":0}"#,
        r#"{"rebuy":1000000000000000}"#,
    ] {
        let before = node.seen.len();
        node.type_line(line);
        let refused = node.until(5, line, |e| e["event"] == "error");
        assert!(refused["code"].is_string(), "{line}");
        for event in &node.seen[before..] {
            assert_eq!(event["event"], "error", "{line}");
        }
    }
    // It is still the same turn.
    node.type_line(r#"{"move":"fold"}"#);
    node.event(10, "settled");
    assert_eq!(node.exit(20), 0);
    assert_eq!(bot.exit(20), 0);
    let moved: Vec<_> = bot.all("moved").into_iter().filter(|e| e["seat"] == 1).collect();
    assert_eq!(moved.len(), 1, "{moved:?}");
    assert_eq!(moved[0]["move"], "fold");
    assert_agreement([&bot, &node]);
    assert_eq!(assert_transcripts(&node.dir) + assert_transcripts(&bot.dir), 2);
}

#[test]
fn a_script_plays_says_and_leaves() {
    let place = tempfile::tempdir().unwrap();
    let (mut bot, mut node) = script(place.path(), "");
    let turn = my_bet(&mut node);
    let price = turn["price"]["pass"].as_u64().unwrap();
    node.type_line(&format!(r#"{{"move":"bet","amount":{price}}}"#));
    let moved = node.until(10, "the bet", |e| e["event"] == "moved" && e["seat"] == 1);
    assert_eq!((&moved["move"], moved["amount"].as_u64()), (&"bet".into(), Some(price)));
    node.type_line(r#"{"say":"доброе \u001b[31mутро"}"#);
    // What would steer a terminal is taken out on the way.
    let said = bot.event(10, "say");
    assert_eq!((&said["seat"], &said["text"]), (&1.into(), &"доброе [31mутро".into()));
    node.type_line(r#"{"leave":true}"#);
    assert_eq!(node.exit(30), 0);
    bot.left_alone();
}

#[test]
fn the_end_of_the_input_is_leaving() {
    let place = tempfile::tempdir().unwrap();
    let (mut bot, mut node) = script(place.path(), "");
    my_bet(&mut node);
    node.close_stdin();
    assert_eq!(node.exit(30), 0);
    bot.left_alone();
}

#[test]
fn a_bot_hears_what_is_said_to_it_and_needs_no_input() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, "--pace 200");
    nodes[0].hands(60, 1);
    nodes[1].type_line("{");
    assert_eq!(code(&mut nodes[1]), "not-json");
    nodes[1].type_line(r#"{"say":"good evening"}"#);
    let said = nodes[0].event(10, "say");
    assert_eq!(said["text"], "good evening");
    // Whoever types is told what was wrong, whosever turn it is; of the bot's own moves nobody is.
    nodes[1].type_line(r#"{"move":"bet","amount":0}"#);
    code(&mut nodes[1]);
    // The end of the input is not the bot's end.
    nodes[2].close_stdin();
    nodes[1].type_line(r#"{"leave":true}"#);
    assert_eq!(nodes[1].exit(60), 0);
    nodes[2].catch_up();
    nodes[2].hands(60, 2);
}

#[test]
fn who_left_sits_down_again_and_is_not_taken_at_its_old_word() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, "--pace 100 --think 5");
    let id = nodes[0].table_id();
    nodes[0].hands(60, 1);
    // Two of three leave: the table waits with one.
    for node in &mut nodes[1..] {
        node.type_line(r#"{"leave":true}"#);
        assert_eq!(node.exit(60), 0);
    }
    nodes[0].left_alone();
    nodes[0].catch_up();
    let so_far = nodes[0].seen.len();
    let dir = nodes[1].dir.clone();
    let address = nodes[0].address();
    nodes[1] = Node::bot(&dir, &format!("join {id} --peer {address}"));
    for _ in 0..3 {
        let settled = nodes[0].event(60, "settled");
        assert!(settled["stacks"]["3"].is_u64(), "its new seat plays: {settled}");
    }
    assert!(nodes[0].seen[so_far..].iter().all(|e| e["event"] != "away"));
    assert!(nodes[1].alive());
}

#[test]
fn who_comes_back_before_it_was_heard_that_it_leaves_plays_on() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 3, "--pace 100 --think 5");
    let id = nodes[0].table_id();
    nodes[2].hands(60, 1);
    for node in &nodes[..2] {
        node.signal("STOP");
    }
    nodes[2].type_line(r#"{"leave":true}"#);
    // It hears that, and nobody hears it.
    nodes[2].for_a_while(1_000);
    nodes[2].kill();
    for node in &nodes[..2] {
        node.signal("CONT");
    }
    let dir = nodes[2].dir.clone();
    nodes[2] = Node::bot(&dir, &format!("join {id}"));
    nodes[2].until(60, "what became of the seat", |e| e["code"] == "left-before");
    nodes[2].until(60, "a hand on the new seat", |e| {
        e["event"] == "hand" && e["seats"].as_array().unwrap().iter().any(|s| s["seat"] == 3)
    });
    nodes[2].hands(60, 2);
    // Now it means it.
    nodes[2].type_line(r#"{"leave":true}"#);
    assert_eq!(nodes[2].exit(60), 0);
}

/// Cards in an event, with the seat that showed them where the event says it.
fn cards(event: &Value) -> Vec<String> {
    fn walk(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) if is_card(text) => found.push(text.clone()),
            Value::Array(all) => all.iter().for_each(|v| walk(v, found)),
            Value::Object(all) => all.values().for_each(|v| walk(v, found)),
            _ => {}
        }
    }
    fn is_card(text: &str) -> bool {
        let mut letters = text.chars();
        matches!((letters.next(), letters.next(), letters.next()), (Some(r), Some(s), None)
            if "6789TJQKA".contains(r) && "shdc".contains(s))
    }
    let mut found = Vec::new();
    walk(event, &mut found);
    found
}

/// The events of each hand: from its `hand` on to its `settled`.
fn by_hand(node: &Node) -> BTreeMap<u64, Vec<&Value>> {
    let mut hands: BTreeMap<u64, Vec<&Value>> = BTreeMap::new();
    let mut hand = None;
    for event in &node.seen {
        if event["event"] == "hand" {
            hand = event["hand"].as_u64();
        }
        if let Some(hand) = hand {
            hands.entry(hand).or_default().push(event);
        }
    }
    hands
}

#[test]
fn no_event_has_a_card_that_was_not_shown() {
    let place = tempfile::tempdir().unwrap();
    let mut nodes = bots(place.path(), 4, &format!("{PLAIN} --hands 12"));
    for node in &mut nodes {
        assert_eq!(node.exit(60), 0);
    }
    assert_agreement(&nodes);
    let told: Vec<_> = nodes.iter().map(by_hand).collect();
    let mut own = 0;
    let mut foreign = 0;
    for hand in 1..=12 {
        // What each holds, by its own word.
        let mut holds: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for (node, hands) in nodes.iter().zip(&told) {
            let me = node.all("table").last().unwrap()["you"].as_u64().unwrap();
            for event in hands[&hand].iter().filter(|e| e["event"] == "cards") {
                holds.entry(me).or_default().extend(cards(event));
            }
        }
        assert_eq!(holds.len(), 4, "hand {hand}");
        assert_eq!(
            holds.values().flatten().collect::<BTreeSet<_>>().len(),
            12,
            "one card in two hands"
        );
        for (node, hands) in nodes.iter().zip(&told) {
            let me = node.all("table").last().unwrap()["you"].as_u64().unwrap();
            for event in &hands[&hand] {
                match event["event"].as_str().unwrap() {
                    "cards" => own += 1,
                    "shown" => {
                        let seat = event["seat"].as_u64().unwrap();
                        let to = &event["to"];
                        let entitled =
                            *to == "all" || to.as_array().unwrap().iter().any(|s| *s == me);
                        assert!(entitled || seat == me, "{event}");
                        assert_eq!(
                            cards(event).into_iter().collect::<BTreeSet<_>>(),
                            holds[&seat],
                            "{event}"
                        );
                        foreign += usize::from(seat != me);
                    }
                    // Lifted for the next dealer, from a deck of its own, and laid open to all.
                    "lifted" | "counted" => {}
                    _ => assert_eq!(cards(event), Vec::<String>::new(), "{event}"),
                }
            }
        }
    }
    assert_eq!(own, 48);
    println!("{own} looks at own cards, {foreign} hands of others shown");
    assert!(foreign > 0);
}
