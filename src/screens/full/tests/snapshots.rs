//! Every screen as it is painted, in both languages, sizes, and with and without colours.

use super::*;
use crate::event::{OfferKind, WaitReason};
use ratatui::style::{Color, Modifier};

/// The runs of cells that are not plain, one a line: place, length, style.
fn styles(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut from = 0;
        for x in 1..=buffer.area.width {
            let style = |x: u16| {
                let cell = &buffer[(x, y)];
                (cell.fg, cell.bg, cell.modifier)
            };
            if x == buffer.area.width || style(x) != style(from) {
                let (fg, bg, modifier) = style(from);
                if (fg, bg, modifier) != (Color::Reset, Color::Reset, Modifier::empty()) {
                    out.push_str(&format!("{y},{from}+{} {fg} {bg} {modifier:?}\n", x - from));
                }
                from = x;
            }
        }
    }
    out
}

fn pinned(name: &str, found: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/screens/full/tests/snapshots")
        .join(format!("{name}.txt"));
    if std::env::var_os("TRINKA_PIN").is_some() {
        std::fs::write(path, found).unwrap();
        return;
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
    assert!(want == found, "{name} differs (TRINKA_PIN=1 accepts):\n{found}");
}

fn nearby() -> Vec<Nearby> {
    let table = |id: &str, name: &str, rules: &str, players: &[&str], playing| Nearby {
        id: id.into(),
        name: name.into(),
        rules: rules.into(),
        players: players.iter().map(|p| (*p).to_owned()).collect(),
        friends: vec!["Борис".into()],
        seats: 8,
        playing,
        locked: false,
        addresses: vec!["192.168.1.7:24336".into()],
    };
    vec![
        table("a1", "Кухня", "trinka-classic, ceiling=50x", &["Борис", "Vera"], true),
        table("b2", "Attic", "seka", &["Gleb"], false),
    ]
}

/// Every screen, by its name.
fn screens(prefs: &Prefs) -> Vec<(&'static str, App)> {
    let table = |events: &[Event]| seen(prefs.clone(), events);
    let story = story();
    let mut all = Vec::new();

    let mut new = prefs.clone();
    new.name = None;
    all.push(("first", App::lobby(new, "anna")));
    let lobby = App::lobby(prefs.clone(), "");
    all.push(("lobby-empty", lobby.clone()));
    let mut some = lobby.clone();
    some.update(1, Input::Tables(nearby()));
    all.push(("lobby", some));
    let mut make = lobby.clone();
    press(&mut make, "n");
    all.push(("make", make.clone()));
    for _ in 0..9 {
        make.update(2, Input::Key(Key::plain(Code::Down)));
    }
    make.update(2, Input::Key(Key::plain(Code::Right)));
    all.push(("make-switches", make));
    let mut settings = lobby.clone();
    press(&mut settings, "s");
    all.push(("settings", settings));
    for (name, key) in [("practise", "p"), ("address", "a")] {
        let mut page = lobby.clone();
        press(&mut page, key);
        all.push((name, page));
    }
    let mut history = lobby.clone();
    press(&mut history, "g");
    let hand = PastHand {
        file: "5f3a-7.trinka".into(),
        title: "№ 7 · Анна, Борис".into(),
        lines: vec!["Борис берёт 12".into()],
    };
    history.update(3, Input::History(vec![hand]));
    all.push(("history", history));

    all.push(("waiting", table(&story[..1])));
    all.push(("shuffling", table(&story[..5])));
    all.push(("their-turn", {
        let mut events = story[..11].to_vec();
        events.push(Event::Turn {
            seat: Seat(2),
            mine: false,
            price: Some(Price { pass: 3, compare: None }),
            legal: Vec::new(),
            seconds: 60,
        });
        let mut app = table(&events);
        press(&mut app, "f");
        app
    }));
    all.push(("stopped", {
        let mut events = story[..13].to_vec();
        events.push(Event::Turn {
            seat: Seat(1),
            mine: false,
            price: Some(Price { pass: 5, compare: None }),
            legal: Vec::new(),
            seconds: 60,
        });
        let seats = vec![Seat(1), Seat(2)];
        events.push(Event::Waiting { seats, why: WaitReason::Quorum });
        table(&events)
    }));
    all.push(("newcomer", {
        let mut events = story[..13].to_vec();
        events.push(Event::Offer {
            kind: OfferKind::Admit,
            from: None,
            to: vec![Seat(0)],
            shares: Vec::new(),
            key: Some("ab".repeat(32)),
            name: Some("Даша".into()),
            rules: None,
        });
        table(&events)
    }));
    let mine = table(&story);
    all.push(("my-turn", mine.clone()));
    let mut amount = mine.clone();
    press(&mut amount, "r");
    all.push(("amount", amount));
    let mut sure = mine.clone();
    press(&mut sure, "r60\n");
    all.push(("sure", sure));
    for (name, key) in [
        ("help", "?"),
        ("log", "g"),
        ("proofs", "i"),
        ("house", "j"),
        ("chat", "t"),
        ("hint", "h"),
        ("leave", "q"),
    ] {
        let mut app = mine.clone();
        press(&mut app, key);
        all.push((name, app));
    }
    let mut refused = mine.clone();
    press(&mut refused, "d");
    all.push(("refused", refused));

    let mut events = story.clone();
    events.extend([
        Event::Moved { seat: Seat(0), kind: MoveKind::Compare, amount: 5, bank: 17 },
        Event::Compared { caller: Seat(0), target: Seat(3), result: crate::event::Outcome::Target },
        Event::Shown { seat: Seat(0), cards: cards("As Ts 9h"), to: crate::event::Audience::ALL },
        Event::Shown { seat: Seat(3), cards: cards("Kc Qc 7c"), to: crate::event::Audience::ALL },
        Event::Moved { seat: Seat(1), kind: MoveKind::Fold, amount: 0, bank: 17 },
        Event::Settled {
            hand: 7,
            stacks: people().into_iter().map(|info| (info.seat, info.stack)).collect(),
            winners: vec![crate::event::SeatAmount { seat: Seat(3), amount: 17 }],
            transcript: None,
        },
    ]);
    all.push(("showdown", table(&events)));

    let dark = vec![
        super::table(Preset::TrinkaClassic),
        story[7].clone(),
        story[8].clone(),
        my_turn(vec![
            LegalMove::plain(MoveKind::Look),
            LegalMove::ranged(MoveKind::Dark, 1, 50),
            LegalMove::ranged(MoveKind::Bet, 1, 95),
            LegalMove::plain(MoveKind::Fold),
        ]),
    ];
    all.push(("dark", table(&dark)));
    let mut svara = story[..10].to_vec();
    svara.extend([
        Event::Svara { seats: vec![Seat(1), Seat(3)], bank: 28, entry: 14 },
        Event::Turn {
            seat: Seat(0),
            mine: true,
            price: None,
            legal: [MoveKind::Enter, MoveKind::Pool, MoveKind::StayOut]
                .map(LegalMove::plain)
                .to_vec(),
            seconds: 30,
        },
    ]);
    let mut pool = table(&svara);
    all.push(("svara", pool.clone()));
    press(&mut pool, "p");
    all.push(("pool", pool));
    all
}

fn check(lang: Lang, (width, height): (u16, u16)) {
    let tongue = if lang == Lang::Ru { "ru" } else { "en" };
    let coloured = prefs(lang);
    let mut plain = coloured.clone();
    plain.color = false;
    for ((name, mut app), (_, mut mono)) in screens(&coloured).into_iter().zip(screens(&plain)) {
        let found = painted(&mut app, width, height);
        let grey = painted(&mut mono, width, height);
        let found_text = text(&found);
        // Without colours everything is said all the same: the text is one.
        assert_eq!(found_text, text(&grey), "{name}");
        let colours =
            |cell: &ratatui::buffer::Cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset);
        assert!(grey.content.iter().all(colours), "{name} has colours");
        let whole =
            format!("{found_text}--- colours\n{}--- NO_COLOR\n{}", styles(&found), styles(&grey));
        pinned(&format!("{tongue}-{width}x{height}-{name}"), &whole);
    }
}

#[test]
fn small_in_english() {
    check(Lang::En, (80, 24));
}

#[test]
fn small_in_russian() {
    check(Lang::Ru, (80, 24));
}

#[test]
fn large_in_english() {
    check(Lang::En, (120, 40));
}

#[test]
fn large_in_russian() {
    check(Lang::Ru, (120, 40));
}
