#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use super::*;
use crate::rules::Preset;

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| card.parse().unwrap()).collect()
}

fn info(seat: u8, name: &str, stack: Chips) -> SeatInfo {
    SeatInfo { seat: Seat(seat), name: name.to_owned(), stack }
}

fn share(seat: u8, amount: Chips) -> SeatAmount {
    SeatAmount { seat: Seat(seat), amount }
}

/// Every event except `table`, whose rules have tests of their own, with the line it is promised to be.
fn promised() -> Vec<(Event, &'static str)> {
    vec![
        (
            Event::Hello {
                peer: "12D3".into(),
                fingerprint: "1111 2222".into(),
                listen: vec!["/ip4/127.0.0.1/tcp/24336".into()],
                version: "0.1.0".into(),
            },
            r#"{"event":"hello","peer":"12D3","fingerprint":"1111 2222","listen":["/ip4/127.0.0.1/tcp/24336"],"version":"0.1.0"}"#,
        ),
        (
            Event::Found {
                peer: "12D3KooW".into(),
                by: "mdns".into(),
                address: "10.0.0.5:24336".into(),
            },
            r#"{"event":"found","peer":"12D3KooW","by":"mdns","address":"10.0.0.5:24336"}"#,
        ),
        (
            Event::Hand {
                hand: 7,
                dealer: Seat(1),
                seats: vec![info(0, "Anna", 99), info(1, "Борис", 99)],
                bank: 2,
            },
            r#"{"event":"hand","hand":7,"dealer":1,"seats":[{"seat":0,"name":"Anna","stack":99},{"seat":1,"name":"Борис","stack":99}],"bank":2}"#,
        ),
        (Event::Shuffled { seat: Seat(1), ms: 40 }, r#"{"event":"shuffled","seat":1,"ms":40}"#),
        (Event::Dealt { hand: 7, ms: 300 }, r#"{"event":"dealt","hand":7,"ms":300}"#),
        (
            Event::Cards { cards: cards("As Ts 9s"), points: 30 },
            r#"{"event":"cards","cards":["As","Ts","9s"],"points":30}"#,
        ),
        (
            Event::Turn {
                seat: Seat(0),
                mine: true,
                price: Some(Price { pass: 5, compare: Some(10) }),
                legal: vec![
                    LegalMove::ranged(MoveKind::Bet, 5, 100),
                    LegalMove::plain(MoveKind::Fold),
                    LegalMove::plain(MoveKind::Compare),
                ],
                seconds: 60,
            },
            r#"{"event":"turn","seat":0,"mine":true,"price":{"pass":5,"compare":10},"legal":[{"move":"bet","min":5,"max":100},{"move":"fold"},{"move":"compare"}],"seconds":60}"#,
        ),
        (
            Event::Turn { seat: Seat(1), mine: false, price: None, legal: vec![], seconds: 15 },
            r#"{"event":"turn","seat":1,"mine":false,"price":null,"legal":[],"seconds":15}"#,
        ),
        (
            Event::Turn {
                seat: Seat(1),
                mine: false,
                price: Some(Price { pass: 1, compare: None }),
                legal: vec![],
                seconds: 15,
            },
            r#"{"event":"turn","seat":1,"mine":false,"price":{"pass":1,"compare":null},"legal":[],"seconds":15}"#,
        ),
        (
            Event::Moved { seat: Seat(0), kind: MoveKind::StayOut, amount: 0, bank: 12 },
            r#"{"event":"moved","seat":0,"move":"stay-out","amount":0,"bank":12}"#,
        ),
        (
            Event::Compared { caller: Seat(0), target: Seat(1), result: Outcome::Tie },
            r#"{"event":"compared","caller":0,"target":1,"result":"tie"}"#,
        ),
        (
            Event::Shown {
                seat: Seat(1),
                cards: cards("6c 7c 8c"),
                to: Audience::Seats(vec![Seat(0)]),
            },
            r#"{"event":"shown","seat":1,"cards":["6c","7c","8c"],"to":[0]}"#,
        ),
        (
            Event::Shown { seat: Seat(1), cards: cards("6c 7c JK"), to: Audience::ALL },
            r#"{"event":"shown","seat":1,"cards":["6c","7c","JK"],"to":"all"}"#,
        ),
        (
            Event::Offer {
                kind: OfferKind::ThreeTens,
                from: None,
                to: vec![Seat(0), Seat(1)],
                shares: vec![],
                key: None,
                name: None,
                rules: None,
            },
            r#"{"event":"offer","kind":"three-tens","from":null,"to":[0,1]}"#,
        ),
        (
            Event::Offer {
                kind: OfferKind::Pool,
                from: Some(Seat(2)),
                to: vec![Seat(3)],
                shares: vec![share(2, 13), share(3, 8)],
                key: None,
                name: None,
                rules: None,
            },
            r#"{"event":"offer","kind":"pool","from":2,"to":[3],"shares":[{"seat":2,"amount":13},{"seat":3,"amount":8}]}"#,
        ),
        (
            Event::Offer {
                kind: OfferKind::Admit,
                from: None,
                to: vec![],
                shares: vec![],
                key: Some("ab12".into()),
                name: Some("Vera".into()),
                rules: None,
            },
            r#"{"event":"offer","kind":"admit","from":null,"key":"ab12","name":"Vera"}"#,
        ),
        (
            Event::Svara { seats: vec![Seat(0), Seat(2)], bank: 28, entry: 14 },
            r#"{"event":"svara","seats":[0,2],"bank":28,"entry":14}"#,
        ),
        (Event::Redeal { seat: Some(Seat(2)) }, r#"{"event":"redeal","seat":2}"#),
        (Event::Redeal { seat: None }, r#"{"event":"redeal","seat":null}"#),
        (
            Event::Settled {
                hand: 7,
                stacks: BTreeMap::from([(Seat(0), 95), (Seat(10), 105)]),
                winners: vec![share(10, 12)],
                transcript: Some("t-7.trinka".into()),
            },
            r#"{"event":"settled","hand":7,"stacks":{"0":95,"10":105},"winners":[{"seat":10,"amount":12}],"transcript":"t-7.trinka"}"#,
        ),
        (
            Event::DealAgain { hand: 7, deal: 3, reason: AgainReason::LostLayer },
            r#"{"event":"deal_again","hand":7,"deal":3,"reason":"lost-layer"}"#,
        ),
        (
            Event::Fault {
                seat: Seat(1),
                kind: FaultKind::FalseProof,
                evidence: Some("ff00".into()),
            },
            r#"{"event":"fault","seat":1,"kind":"false-proof","evidence":"ff00"}"#,
        ),
        (Event::Away { seat: Seat(1) }, r#"{"event":"away","seat":1}"#),
        (Event::Back { seat: Seat(1) }, r#"{"event":"back","seat":1}"#),
        (Event::Cut { seat: Seat(1), at: 12 }, r#"{"event":"cut","seat":1,"at":12}"#),
        (
            Event::Lifted { seat: Seat(1), cards: cards("9s Kd") },
            r#"{"event":"lifted","seat":1,"cards":["9s","Kd"]}"#,
        ),
        (
            Event::Counted { cards: cards("7s As"), dealer: Seat(0) },
            r#"{"event":"counted","cards":["7s","As"],"dealer":0}"#,
        ),
        (
            Event::Exposed { seat: Seat(1), card: "9s".parse().unwrap() },
            r#"{"event":"exposed","seat":1,"card":"9s"}"#,
        ),
        (
            Event::Pool { holder: Seat(2), partners: vec![share(2, 13), share(3, 8)] },
            r#"{"event":"pool","holder":2,"partners":[{"seat":2,"amount":13},{"seat":3,"amount":8}]}"#,
        ),
        (Event::Pact { seats: vec![Seat(1), Seat(2)] }, r#"{"event":"pact","seats":[1,2]}"#),
        (
            Event::Advice { from: Seat(3), text: "fold".into() },
            r#"{"event":"advice","from":3,"text":"fold"}"#,
        ),
        (
            Event::Waiting { seats: vec![Seat(1)], why: WaitReason::Ready },
            r#"{"event":"waiting","for":[1],"why":"ready"}"#,
        ),
        (
            Event::Say { seat: Seat(1), text: "a \"b\"\nc".into() },
            r#"{"event":"say","seat":1,"text":"a \"b\"\nc"}"#,
        ),
        (
            Event::Error { code: "c".into(), message: "m".into(), advice: "a".into() },
            r#"{"event":"error","code":"c","message":"m","advice":"a"}"#,
        ),
    ]
}

#[test]
fn every_event_is_the_promised_line() {
    for (event, line) in promised() {
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<Event>(line).unwrap(), event, "{line}");
    }
}

#[test]
fn the_table_event_carries_the_rules() {
    let event = Event::Table {
        id: "00ff".into(),
        name: "Kitchen".into(),
        rules: Box::new(HouseRules::preset(Preset::TrinkaClassic)),
        seats: vec![info(0, "Anna", 100)],
        you: Some(Seat(0)),
        fingerprints: BTreeMap::from([(Seat(0), "ab12-cd34".into())]),
    };
    let line = serde_json::to_string(&event).unwrap();
    assert!(
        line.starts_with(r#"{"event":"table","id":"00ff","name":"Kitchen","rules":{"#),
        "{line}"
    );
    let end = r#""seats":[{"seat":0,"name":"Anna","stack":100}],"you":0,"fingerprints":{"0":"ab12-cd34"}}"#;
    assert!(line.ends_with(end), "{line}");
    assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
}

#[test]
fn foreign_cards_are_in_four_events_only() {
    for (event, line) in promised() {
        let may = matches!(
            event,
            Event::Cards { .. }
                | Event::Shown { .. }
                | Event::Lifted { .. }
                | Event::Counted { .. }
                | Event::Exposed { .. }
        );
        assert_eq!(line.contains(r#""card"#), may, "{line}");
    }
}

#[test]
fn every_command_is_the_promised_line() {
    let promised = [
        (Command::Move(Move::Bet(5)), r#"{"move":"bet","amount":5}"#),
        (Command::Move(Move::Dark(2)), r#"{"move":"dark","amount":2}"#),
        (Command::Move(Move::Look), r#"{"move":"look"}"#),
        (Command::Move(Move::Fold), r#"{"move":"fold"}"#),
        (Command::Move(Move::Compare), r#"{"move":"compare"}"#),
        (Command::Move(Move::Redeal), r#"{"move":"redeal"}"#),
        (Command::Move(Move::Boil), r#"{"move":"boil"}"#),
        (Command::Move(Move::Accept), r#"{"move":"accept"}"#),
        (Command::Move(Move::Refuse), r#"{"move":"refuse"}"#),
        (Command::Move(Move::Split), r#"{"move":"split"}"#),
        (Command::Move(Move::NoSplit), r#"{"move":"no-split"}"#),
        (Command::Move(Move::Enter), r#"{"move":"enter"}"#),
        (Command::Move(Move::StayOut), r#"{"move":"stay-out"}"#),
        (Command::Move(Move::Cut(7)), r#"{"move":"cut","at":7}"#),
        (Command::Move(Move::Lift(3)), r#"{"move":"lift","at":3}"#),
        (Command::Move(Move::Replace(0)), r#"{"move":"replace","at":0}"#),
        (Command::Move(Move::Ante), r#"{"move":"ante"}"#),
        (Command::Move(Move::Omit), r#"{"move":"omit"}"#),
        (Command::Move(Move::Keep), r#"{"move":"keep"}"#),
        (Command::Move(Move::Expose(Seat(2))), r#"{"move":"expose","seat":2}"#),
        (
            Command::Move(Move::Pool(vec![(Seat(2), 13), (Seat(3), 8)])),
            r#"{"move":"pool","with":[2,3],"shares":[13,8]}"#,
        ),
        (Command::Move(Move::Pact(Seat(1))), r#"{"move":"pact","with":1}"#),
        (Command::Advice("fold".into()), r#"{"advice":"fold"}"#),
        (Command::Rebuy(100), r#"{"rebuy":100}"#),
        (Command::Say("hi".into()), r#"{"say":"hi"}"#),
        (Command::Leave, r#"{"leave":true}"#),
        (Command::Start, r#"{"start":true}"#),
        (Command::Ready, r#"{"ready":true}"#),
        (Command::SitOut, r#"{"sit-out":true}"#),
        (Command::MoreTime, r#"{"more-time":true}"#),
        (Command::Admit { key: "ab".into() }, r#"{"admit":{"key":"ab"}}"#),
        (Command::Unfreeze { seat: Seat(3) }, r#"{"unfreeze":{"seat":3}}"#),
        (Command::Close, r#"{"close":true}"#),
        (Command::Tens { redeal: true }, r#"{"tens":{"redeal":true}}"#),
        (Command::AgreeRules { yes: true }, r#"{"agree-rules":true}"#),
        (Command::AgreeRules { yes: false }, r#"{"agree-rules":false}"#),
        (Command::Divide { yes: true }, r#"{"divide":true}"#),
        (Command::Divide { yes: false }, r#"{"divide":false}"#),
        (
            Command::ProposeRules { changes: vec![("dark".into(), "off".into())] },
            r#"{"propose-rules":{"dark":"off"}}"#,
        ),
    ];
    for (command, line) in promised {
        assert_eq!(serde_json::to_string(&command).unwrap(), line);
        assert_eq!(Command::from_json(line).unwrap(), command);
        assert_eq!(serde_json::from_str::<Command>(line).unwrap(), command);
    }
}

#[test]
fn what_is_not_a_command_is_refused_with_a_sentence() {
    let refused = [
        ("", "the line is not JSON"),
        ("fold", "the line is not JSON"),
        (r#"{"move":"fold""#, "the line is not JSON"),
        (r#"{"move":"fold"} {"move":"fold"}"#, "the line is not JSON"),
        ("[]", r#"a command is one JSON object, such as {"move":"fold"}"#),
        ("5", r#"a command is one JSON object, such as {"move":"fold"}"#),
        ("{}", "the object names no command"),
        (r#"{"mvoe":"fold"}"#, r#"there is no field "mvoe" here"#),
        (r#"{"move":"fold","amount":5}"#, r#"there is no field "amount" here"#),
        (r#"{"move":"fold","say":"x"}"#, r#"there is no field "say" here"#),
        (r#"{"move":"jump"}"#, r#"there is no move "jump""#),
        (r#"{"move":"Fold"}"#, r#"there is no move "Fold""#),
        (r#"{"move":"bet"}"#, r#"the field "amount" is missing"#),
        (r#"{"move":"bet","amount":-1}"#, r#"the field "amount" takes a whole number"#),
        (r#"{"move":"bet","amount":5.0}"#, r#"the field "amount" takes a whole number"#),
        (r#"{"move":"bet","amount":"5"}"#, r#"the field "amount" takes a whole number"#),
        (r#"{"move":"bet","amount":5,"amount":6}"#, r#"the field "amount" is there twice"#),
        (r#"{"move":"expose","seat":300}"#, r#"the field "seat" takes a seat number"#),
        (
            r#"{"move":"pool","with":[1],"shares":[1]}"#,
            r#"the field "with" takes a list of two to ten"#,
        ),
        (
            r#"{"move":"pool","with":[1,2],"shares":[1,2,3]}"#,
            r#"the field "shares" takes as many whole numbers as there are seats"#,
        ),
        (r#"{"leave":false}"#, r#"the field "leave" takes only true"#),
        (r#"{"say":" "}"#, r#"the field "say" takes a text of at most 1000 bytes"#),
        (r#"{"tens":true}"#, r#"the field "tens" takes an object"#),
        (r#"{"tens":{"redeal":1}}"#, r#"the field "redeal" takes true or false"#),
        (r#"{"tens":{"redeal":true,"x":1}}"#, r#"there is no field "x" here"#),
    ];
    for (line, sentence) in refused {
        assert_eq!(Command::from_json(line).unwrap_err().to_string(), sentence, "{line}");
    }
    let long = format!(r#"{{"say":"{}"}}"#, "x".repeat(MAX_LINE));
    assert_eq!(Command::from_json(&long), Err(CommandError::TooLong));
    assert_eq!(CommandError::TooLong.to_string(), "the line is longer than 65536 bytes");
}

#[test]
fn names_of_moves_are_those_of_serde() {
    for kind in MoveKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        assert_eq!(MoveKind::from_name(kind.name()), Some(kind));
    }
}
