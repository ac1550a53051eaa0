//! Keys, and what they do.

use super::*;
use crate::event::{Command, Move, OfferKind};
use crate::screens::full::app::Mouse;

pub(super) fn sent(effects: &[Effect]) -> Vec<Command> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Send(command) => Some(command.clone()),
            _ => None,
        })
        .collect()
}

fn their_turn(price: u64) -> Event {
    Event::Turn {
        seat: Seat(3),
        mine: false,
        price: Some(Price { pass: price, compare: None }),
        legal: Vec::new(),
        seconds: 60,
    }
}

pub(super) fn tell(app: &mut App, event: Event) -> Vec<Effect> {
    let now = app.now + 10;
    app.update(now, Input::Event(Box::new(event)))
}

/// The player has had time to see what has changed.
pub(super) fn later(app: &mut App) {
    let now = app.now + 1_100;
    app.update(now, Input::Tick);
}

/// The end of a hand is read for as long as it stays; what was done when it went.
pub(super) fn read_to_the_end(app: &mut App) -> Vec<Effect> {
    let mut effects = Vec::new();
    while app.is_held() {
        let next = app.next_tick().unwrap();
        effects = app.update(next, Input::Tick);
    }
    effects
}

pub(super) fn said(app: &mut App) -> String {
    let buffer = painted(app, 80, 24);
    text(&buffer)
}

#[test]
fn both_layouts_play_the_same() {
    for keys in ["c", "с", "C", "С", "\n"] {
        let mut app = seen(prefs(Lang::En), &story());
        later(&mut app);
        assert_eq!(sent(&press(&mut app, keys)), [Command::Move(Move::Bet(5))], "{keys}");
    }
    for keys in ["r7\n", "к7\n", "7\n", "R7\n"] {
        let mut app = seen(prefs(Lang::Ru), &story());
        assert_eq!(sent(&press(&mut app, keys)), [Command::Move(Move::Bet(7))], "{keys}");
    }
    for (keys, step) in [("v", Move::Compare), ("м", Move::Compare), ("f", Move::Fold)] {
        let mut app = seen(prefs(Lang::Ru), &story());
        assert_eq!(sent(&press(&mut app, keys)), [Command::Move(step)], "{keys}");
    }
}

#[test]
fn presets_are_twice_the_price_half_the_bank_and_the_most() {
    for (keys, amount) in [("rx\n", 10), ("rh\n", 6), ("кр\n", 6), ("кч\n", 10)] {
        let mut app = seen(prefs(Lang::Ru), &story());
        assert_eq!(sent(&press(&mut app, keys)), [Command::Move(Move::Bet(amount))], "{keys}");
    }
    let mut app = seen(prefs(Lang::En), &story());
    press(&mut app, "r");
    for _ in 0..3 {
        let now = app.now;
        app.update(now, Input::Key(Key::plain(Code::Up)));
    }
    assert_eq!(sent(&press(&mut app, "\n")), [Command::Move(Move::Bet(9))]);
}

#[test]
fn an_amount_outside_the_limits_is_not_sent_and_says_why() {
    let mut app = seen(prefs(Lang::En), &story());
    assert!(press(&mut app, "r999\n").is_empty());
    assert!(said(&mut app).contains("6 to 95"));
    assert!(press(&mut app, "\u{1b}").is_empty());
    assert_eq!(sent(&press(&mut app, "c")), [Command::Move(Move::Bet(5))]);
}

#[test]
fn more_than_half_of_the_stack_is_asked_first() {
    let mut app = seen(prefs(Lang::En), &story());
    assert!(press(&mut app, "r60\n").is_empty());
    assert!(said(&mut app).contains("more than half"));
    assert!(press(&mut app, "\u{1b}").is_empty());
    assert_eq!(sent(&press(&mut app, "r60\ny")), [Command::Move(Move::Bet(60))]);
}

#[test]
fn what_is_not_open_is_refused_with_its_reason() {
    let mut app = seen(prefs(Lang::En), &story());
    assert!(press(&mut app, "d").is_empty());
    assert!(said(&mut app).contains("play is not played dark") || said(&mut app).contains("!"));
    let mut events = story();
    events.pop();
    events.push(my_turn(vec![LegalMove::ranged(MoveKind::Bet, 5, 95)]));
    let mut app = seen(prefs(Lang::Ru), &events);
    assert!(press(&mut app, "v").is_empty());
    assert!(said(&mut app).contains("Вскрываются только последние двое"));
}

#[test]
fn a_move_chosen_beforehand_is_done_only_if_it_is_still_the_same() {
    let before = story()[..13].to_vec();
    let mut app = seen(prefs(Lang::En), &before);
    tell(&mut app, their_turn(3));
    assert!(press(&mut app, "f").is_empty());
    assert!(said(&mut app).contains("Beforehand: fold"));
    assert_eq!(sent(&tell(&mut app, my_turn(betting()))), [Command::Move(Move::Fold)]);

    let mut app = seen(prefs(Lang::En), &before);
    tell(&mut app, their_turn(3));
    press(&mut app, "c");
    let effects = tell(&mut app, my_turn(betting()));
    assert!(sent(&effects).is_empty(), "the price has risen");
    assert!(said(&mut app).contains("The price is 5 now"));

    let mut app = seen(prefs(Lang::En), &before);
    tell(&mut app, their_turn(5));
    press(&mut app, "cc");
    assert!(sent(&tell(&mut app, my_turn(betting()))).is_empty(), "taken back");
}

#[test]
fn one_is_called_once_a_turn() {
    let rings = |effects: &[Effect]| effects.iter().any(|e| matches!(e, Effect::Ring(_)));
    let before = story()[..14].to_vec();
    let mut app = seen(prefs(Lang::En), &before);
    assert!(rings(&tell(&mut app, my_turn(betting()))));
    assert!(!rings(&tell(&mut app, my_turn(betting()))));
    let mut quiet = prefs(Lang::En);
    quiet.bell = Bell::Off;
    let mut app = seen(quiet, &before);
    assert!(!rings(&tell(&mut app, my_turn(betting()))));
}

#[test]
fn a_turn_that_ends_takes_its_dialog_away() {
    let mut app = seen(prefs(Lang::En), &story());
    press(&mut app, "r6");
    tell(&mut app, Event::Moved { seat: Seat(0), kind: MoveKind::Fold, amount: 0, bank: 12 });
    assert!(press(&mut app, "0\n").is_empty(), "nothing is bet out of turn");
    // What is written to others stays.
    let mut app = seen(prefs(Lang::En), &story());
    press(&mut app, "thel");
    tell(&mut app, Event::Moved { seat: Seat(0), kind: MoveKind::Fold, amount: 0, bank: 12 });
    assert_eq!(sent(&press(&mut app, "lo\n")), [Command::Say("hello".into())]);
}

#[test]
fn leaving_asks_with_the_stake_at_risk() {
    let mut app = seen(prefs(Lang::Ru), &story());
    assert!(press(&mut app, "й").is_empty());
    assert!(said(&mut app).contains("пропадёт 1 вложенная фишка"));
    assert_eq!(sent(&press(&mut app, "\n")), [Command::Leave]);

    let ctrl_c = Key { code: Code::Char('c'), ctrl: true };
    let mut app = seen(prefs(Lang::En), &story());
    let now = app.now;
    assert!(app.update(now, Input::Key(ctrl_c)).is_empty());
    assert!(said(&mut app).contains("1 of yours in the bank"));
    assert_eq!(sent(&app.update(now + 1_000, Input::Key(ctrl_c))), [Command::Leave]);
    let effects = app.update(now + 2_000, Input::Key(ctrl_c));
    assert_eq!(effects, [Effect::Quit { interrupted: true }]);

    // Long after the first it is the first again.
    let mut app = seen(prefs(Lang::En), &story());
    app.update(now, Input::Key(ctrl_c));
    assert!(app.update(now + 6_000, Input::Key(ctrl_c)).is_empty());
}

#[test]
fn chat_is_marked_unread_until_it_is_read_or_muted() {
    let mut app = seen(prefs(Lang::En), &story());
    assert!(said(&mut app).contains("1 new message"));
    press(&mut app, "t");
    press(&mut app, "\u{1b}");
    assert!(!said(&mut app).contains("new message"));
    press(&mut app, "m");
    tell(&mut app, Event::Say { seat: Seat(1), text: "hm".into() });
    assert!(!said(&mut app).contains("new message") && said(&mut app).contains("muted"));
}

#[test]
fn a_showdown_stays_to_be_read() {
    let mut events = story();
    events.push(Event::Compared {
        caller: Seat(0),
        target: Seat(3),
        result: crate::event::Outcome::Target,
    });
    events.push(Event::Shown {
        seat: Seat(3),
        cards: cards("Kc Qc 7c"),
        to: crate::event::Audience::ALL,
    });
    events.push(Event::Settled {
        hand: 7,
        stacks: people().into_iter().map(|info| (info.seat, info.stack)).collect(),
        winners: vec![crate::event::SeatAmount { seat: Seat(3), amount: 17 }],
        transcript: None,
    });
    // The next hand begins at once.
    events.push(Event::Hand { hand: 8, dealer: Seat(3), seats: people(), bank: 4 });
    let mut app = seen(prefs(Lang::En), &events);
    let found = said(&mut app);
    for part in ["Глеб: K♣ Q♣ 7♣, 27 points", "Анна is out", "112 K♣ Q♣ 7♣", "Глеб takes 17"]
    {
        assert!(found.contains(part), "{part}: {found}");
    }
    // The next hand waits, and its beginning is heard in time.
    assert!(found.contains("[Enter] next hand") && !found.contains("Hand 8."), "{found}");
    let began = app.now;
    read_to_the_end(&mut app);
    assert!(app.now >= began + 3_000);
    let found = said(&mut app);
    assert!(found.contains("Hand 8.") && found.contains("BANK 4"), "{found}");
    assert_eq!(found.matches("Hand 7 is over").count(), 2, "beside the log it stays: {found}");
    app.update(app.now + 10_000, Input::Tick);
    assert_eq!(said(&mut app).matches("Hand 7 is over").count(), 1);
}

/// The end of a hand that was played to a comparison.
pub(super) fn over() -> Vec<Event> {
    let mut events = story();
    let compare = Event::Moved { seat: Seat(0), kind: MoveKind::Compare, amount: 5, bank: 17 };
    let (caller, target) = (Seat(0), Seat(3));
    let result = crate::event::Outcome::Caller;
    let shown = |seat, hand| {
        let to = crate::event::Audience::Seats(vec![Seat(0)]);
        Event::Shown { seat: Seat(seat), cards: cards(hand), to }
    };
    events.extend([
        compare,
        // Where only the two see the cards, these come before the result.
        shown(3, "Kc Qc 7c"),
        shown(0, "As Ts 9s"),
        Event::Compared { caller, target, result },
        Event::Settled {
            hand: 7,
            stacks: people().into_iter().map(|info| (info.seat, info.stack)).collect(),
            winners: vec![crate::event::SeatAmount { seat: Seat(0), amount: 17 }],
            transcript: None,
        },
    ]);
    events
}

#[test]
fn cards_that_were_shown_before_the_result_stay_with_it() {
    let mut app = seen(prefs(Lang::En), &over());
    let found = said(&mut app);
    for part in ["Глеб: K♣ Q♣ 7♣, 27", "Анна: A♠ 10♠ 9♠, 30", "Глеб is out", "over: Анна takes 17"]
    {
        assert!(found.contains(part), "{part}: {found}");
    }
    press(&mut app, "i");
    let found = text(&painted(&mut app, 120, 40));
    let compared = found.lines().find(|line| line.contains("proved whose hand is higher")).unwrap();
    assert!(compared.contains("300 ms"), "{found}");
    assert!(found.contains("a312-cd34-ef56-7890-12ab Глеб"), "{found}");
}

#[test]
fn lifted_cards_take_no_result_away() {
    let mut events = over();
    for (seat, card) in [(0, "Kh"), (3, "9s")] {
        events.push(Event::Lifted { seat: Seat(seat), cards: cards(card) });
    }
    let mut app = seen(prefs(Lang::En), &events);
    press(&mut app, "\n");
    let found = said(&mut app);
    assert!(found.contains("Lifted for the deal: Анна K♥, Глеб"), "{found}");
    assert!(found.contains("over: Анна takes 17"), "{found}");
}

#[test]
fn what_waits_is_told_at_a_key_and_its_clock_has_run_meanwhile() {
    let mut events = over();
    events.push(Event::Hand { hand: 8, dealer: Seat(3), seats: people(), bank: 4 });
    events.push(Event::Dealt { hand: 8, ms: 50 });
    let mut app = seen(prefs(Lang::En), &events);
    let effects = tell(&mut app, my_turn(betting()));
    assert!(effects.is_empty() && app.choices().is_empty());
    // What somebody says is heard at once.
    tell(&mut app, Event::Say { seat: Seat(1), text: "well played".into() });
    assert!(said(&mut app).contains("well played"));
    let now = app.now + 1_000;
    let effects = app.update(now, Input::Key(Key::plain(Code::Enter)));
    assert!(matches!(effects[..], [Effect::Ring(_)]), "{effects:?}");
    assert!(!app.choices().is_empty());
    let found = said(&mut app);
    assert!(found.contains("Your word!") && found.contains(" 59 s"), "{found}");
    // Without a key it goes on by itself.
    let mut app = seen(prefs(Lang::En), &events);
    read_to_the_end(&mut app);
    assert!(said(&mut app).contains("Hand 8."));
}

#[test]
fn who_looks_on_is_not_held_up() {
    let mut events = over();
    let Event::Table { you, .. } = &mut events[1] else { panic!() };
    *you = None;
    events.retain(|event| !matches!(event, Event::Turn { .. } | Event::Cards { .. }));
    events.push(Event::Hand { hand: 8, dealer: Seat(3), seats: people(), bank: 4 });
    let mut app = seen(prefs(Lang::En), &events);
    assert!(said(&mut app).contains("Hand 8."));
}

#[test]
fn it_is_asked_whose_key_a_newcomer_has_and_only_as_long_as_it_sits_here() {
    let mut app = seen(prefs(Lang::En), &story()[..11]);
    let key = crate::identity::PublicKey([0xab; 32]);
    let fingerprint = key.fingerprint();
    let door = Event::Offer {
        kind: OfferKind::Admit,
        from: None,
        to: Vec::new(),
        shares: Vec::new(),
        key: Some("ab".repeat(32)),
        name: Some("Даша".into()),
        rules: None,
    };
    tell(&mut app, door.clone());
    let asked = |app: &mut App| said(app).contains("Даша has sat down");
    assert!(asked(&mut app) && said(&mut app).contains(&fingerprint), "{}", said(&mut app));
    assert!(said(&mut app).contains("[N] Not now"));
    assert_eq!(sent(&press(&mut app, "y")), [Command::Admit { key: "ab".repeat(32) }]);
    assert!(!asked(&mut app) && said(&mut app).contains("may decide with the others"));
    tell(&mut app, door.clone());
    assert!(sent(&press(&mut app, "n")).is_empty());
    assert!(!asked(&mut app));
    // One's own turn is not disturbed; the question comes after it.
    tell(&mut app, door.clone());
    tell(&mut app, my_turn(betting()));
    let found = said(&mut app);
    assert!(!asked(&mut app) && !found.contains("[Y]") && found.contains("leaves you"), "{found}");
    tell(&mut app, Event::Moved { seat: Seat(0), kind: MoveKind::Fold, amount: 0, bank: 12 });
    assert!(asked(&mut app));
    // It is answered in words as well, with the first digits.
    let typed = format!("t/admit {}\n\u{1b}", &fingerprint[..9]);
    assert_eq!(sent(&press(&mut app, &typed)).len(), 1);
    assert!(!asked(&mut app));
    // Who is gone again is asked about no longer.
    let seated = |here: bool| {
        let mut table = table(Preset::Seka);
        let Event::Table { seats, fingerprints, .. } = &mut table else { panic!() };
        if here {
            seats.push(info(4, "Даша", 100));
            fingerprints.insert(Seat(4), fingerprint.clone());
        }
        table
    };
    for (before, gone) in [
        (seated(false), None),
        (seated(true), Some(Event::Away { seat: Seat(4) })),
        (seated(true), Some(seated(false))),
    ] {
        tell(&mut app, door.clone());
        tell(&mut app, before);
        assert!(asked(&mut app));
        let Some(gone) = gone else { continue };
        tell(&mut app, gone);
        assert!(!asked(&mut app));
    }
}

#[test]
fn what_is_answered_beside_ones_own_moves_says_what_it_is() {
    let offer = |kind, from| Event::Offer {
        kind,
        from: Some(Seat(from)),
        to: vec![Seat(0)],
        shares: Vec::new(),
        key: None,
        name: None,
        rules: None,
    };
    let mut app = seen(prefs(Lang::En), &story());
    tell(&mut app, offer(OfferKind::Divide, 3));
    let found = said(&mut app);
    for part in ["[Y] Divide the bank", "[N] Play it out", "[F] Fold", "leaves you"] {
        assert!(found.contains(part), "{part}: {found}");
    }
    assert_eq!(sent(&press(&mut app, "y")), [Command::Divide { yes: true }]);
    // Other rules can wait until it is another's turn.
    tell(&mut app, offer(OfferKind::Rules, 1));
    assert!(!said(&mut app).contains("[Y]"));
    tell(&mut app, Event::Moved { seat: Seat(0), kind: MoveKind::Fold, amount: 0, bank: 12 });
    assert!(said(&mut app).contains("[Y] Yes"));
    // What others are asked is not taken for it.
    tell(&mut app, offer(OfferKind::Pact, 3));
    let found = said(&mut app);
    assert!(found.contains("proposes other house rules") && found.contains("[Y] Yes"), "{found}");
}

#[test]
fn the_mouse_presses_what_the_keys_press() {
    let mut app = seen(prefs(Lang::En), &story());
    let found = text(&painted(&mut app, 80, 24));
    let (y, line) = found.lines().enumerate().find(|(_, l)| l.contains("] Fold")).unwrap();
    let x = line.chars().position(|c| c == '[').unwrap();
    let press = Mouse::Press(u16::try_from(x).unwrap(), u16::try_from(y).unwrap());
    let now = app.now;
    assert!(app.update(now, Input::Mouse(press)).is_empty(), "it was not there a moment ago");
    let now = now + 1_100;
    assert_eq!(sent(&app.update(now, Input::Mouse(press))), [Command::Move(Move::Fold)]);
}

#[test]
fn the_first_start_asks_name_and_language_and_nothing_else() {
    let mut new = Prefs::new(Locale { lang: Lang::En, utf8: true });
    new.name = None;
    let mut app = App::lobby(new, "");
    assert!(press(&mut app, "\n\n\n").is_empty(), "no name yet");
    assert!(said(&mut app).contains("! Type a name."));
    press(&mut app, "\nx");
    assert!(said(&mut app).contains("Nothing can be typed here"));
    let at = app.now;
    app.update(at, Input::Key(Key::plain(Code::Up)));
    assert!(matches!(press(&mut app, "Vera\n\n\n")[..], [Effect::Save(_)]), "Enter goes on");
    assert_eq!(app.prefs.lang(), Lang::En);
    app.prefs.name = None;
    let mut app = App::lobby(app.prefs.clone(), "");
    press(&mut app, "Вера\n");
    let now = app.now;
    app.update(now, Input::Key(Key::plain(Code::Right)));
    assert_eq!(app.prefs.lang(), Lang::Ru);
    app.update(now, Input::Key(Key::plain(Code::Down)));
    let effects = press(&mut app, "\n");
    assert!(matches!(&effects[..], [Effect::Save(saved)] if saved.name.as_deref() == Some("Вера")));
    assert!(said(&mut app).contains("Ищем столы"));
}

#[test]
fn a_table_is_made_with_rules_of_ones_own() {
    let mut app = App::lobby(prefs(Lang::En), "");
    press(&mut app, "n");
    let down = |app: &mut App, times: usize| {
        for _ in 0..times {
            let now = app.now;
            app.update(now, Input::Key(Key::plain(Code::Down)));
        }
    };
    down(&mut app, 9);
    let now = app.now;
    app.update(now, Input::Key(Key::plain(Code::Right)));
    for _ in 0..3 {
        app.update(now, Input::Key(Key::plain(Code::Up)));
    }
    let effects = press(&mut app, "\n");
    let Some(Effect::Start(Wish::Make { rules, seats, .. })) = effects.first() else {
        panic!("{effects:?}")
    };
    assert_eq!((rules.two_aces.to_string(), *seats), ("22".into(), 8));
    // Rules that contradict themselves are not opened, with the reason.
    let mut app = App::lobby(prefs(Lang::En), "");
    press(&mut app, "n");
    down(&mut app, 7);
    app.update(now, Input::Key(Key::plain(Code::Right)));
    down(&mut app, 1);
    app.update(now, Input::Key(Key::plain(Code::Right)));
    assert!(said(&mut app).contains('!'));
}

#[test]
fn a_small_terminal_says_so() {
    let mut app = seen(prefs(Lang::Ru), &story());
    let found = text(&painted(&mut app, 60, 20));
    assert!(found.contains("60 × 20") && found.contains("80 × 24"), "{found}");
    for (width, height) in [(1, 1), (10, 3), (79, 24), (80, 23)] {
        painted(&mut app, width, height);
    }
}

#[test]
fn ten_players_fit_and_only_ascii_is_written_where_nothing_else_can_be() {
    let mut plain = prefs(Lang::En);
    plain.locale.utf8 = false;
    plain.letters = true;
    let ten: Vec<SeatInfo> =
        (0..10).map(|n| info(n, &format!("Player number {n}"), 1_000_000)).collect();
    let mut events = story();
    let Event::Table { seats, .. } = &mut events[1] else { panic!() };
    seats.clone_from(&ten);
    let Event::Hand { seats, .. } = &mut events[7] else { panic!() };
    *seats = ten;
    let mut app = seen(plain, &events);
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let found = text(&painted(&mut app, width, height));
        assert!(found.is_ascii(), "{found}");
        let whole = (1..10).all(|n| found.contains(&format!("Player number {n}")));
        assert!(whole || width < 120, "{found}");
    }
}

#[test]
#[ignore = "a figure of the machine: benches/screen.rs measures it"]
fn a_redraw_at_200_by_60_is_quick() {
    let mut events = story();
    for n in 0..1_000u64 {
        events.push(Event::Say {
            seat: Seat(1), text: format!("слово {n} и ещё несколько слов")
        });
    }
    let mut app = seen(prefs(Lang::Ru), &events);
    let mut terminal = Terminal::new(TestBackend::new(200, 60)).unwrap();
    let mut best = std::time::Duration::MAX;
    for _ in 0..20 {
        let before = std::time::Instant::now();
        tell(&mut app, their_turn(5));
        terminal.draw(|frame| drop(draw(&app, frame))).unwrap();
        best = best.min(before.elapsed());
    }
    assert!(best.as_millis() < 16, "{best:?}");
}

#[test]
fn nothing_ticks_while_nothing_happens() {
    let app = App::lobby(prefs(Lang::En), "");
    assert_eq!(app.next_tick(), None);
    let mut app = seen(prefs(Lang::En), &story());
    let now = app.now;
    assert!(app.next_tick().unwrap() > now);
    // Whatever a tick is for, the next one comes later.
    for _ in 0..200 {
        let Some(at) = app.next_tick() else { return };
        assert!(at > app.now || app.now == now, "{at} at {}", app.now);
        app.update(at.max(app.now), Input::Tick);
    }
}

/// The moves that one situation offers together.
const TOGETHER: [&[MoveKind]; 9] = [
    &[
        MoveKind::Bet,
        MoveKind::Dark,
        MoveKind::Look,
        MoveKind::Compare,
        MoveKind::Redeal,
        MoveKind::Boil,
        MoveKind::Expose,
        MoveKind::Fold,
    ],
    &[MoveKind::Accept, MoveKind::Refuse],
    &[MoveKind::Split, MoveKind::NoSplit, MoveKind::Pact],
    &[MoveKind::Enter, MoveKind::StayOut, MoveKind::Pool, MoveKind::Pact],
    &[MoveKind::Keep, MoveKind::Replace],
    &[MoveKind::Cut],
    &[MoveKind::Lift],
    &[MoveKind::Ante, MoveKind::Omit],
    &[MoveKind::Look, MoveKind::Expose],
];

fn offered(kinds: &[MoveKind]) -> Vec<LegalMove> {
    let one = |kind: &MoveKind| match kind {
        MoveKind::Bet => LegalMove::ranged(*kind, 5, 95),
        MoveKind::Dark => LegalMove::ranged(*kind, 2, 50),
        MoveKind::Cut | MoveKind::Lift | MoveKind::Replace => LegalMove::ranged(*kind, 1, 20),
        MoveKind::Expose => LegalMove::ranged(*kind, 1, 1),
        kind => LegalMove::plain(*kind),
    };
    kinds.iter().map(one).collect()
}

#[test]
fn moves_that_are_offered_together_have_keys_of_their_own() {
    for kinds in TOGETHER {
        let mut events = story();
        events.push(my_turn(offered(kinds)));
        let app = seen(prefs(Lang::En), &events);
        let choices = app.choices();
        assert!(choices.len() >= kinds.len());
        for (at, one) in choices.iter().enumerate() {
            let keys = app.prefs.keys.keys(one.act);
            assert!(!keys.is_empty());
            for other in choices.iter().skip(at + 1) {
                let others = app.prefs.keys.keys(other.act);
                assert!(keys.iter().all(|key| !others.contains(key)), "{one:?} {other:?}");
            }
        }
    }
}

#[test]
fn whatever_is_pressed_only_legal_moves_are_sent() {
    use rand::{RngExt as _, SeedableRng as _};
    let mut rng = rand_chacha::ChaCha12Rng::seed_from_u64(7);
    let keys: Vec<char> =
        "crdlvfxbynseopwcukaитсмфывапtgijmzuqh?0123456789\n\n\n\u{1b}".chars().collect();
    for _ in 0..60 {
        let mut app = seen(prefs(Lang::Ru), &story());
        let mut legal = offered(TOGETHER[0]);
        for step in 0..120 {
            if step % 10 == 0 {
                let kinds = TOGETHER[rng.random_range(0..TOGETHER.len())];
                legal = offered(kinds);
                let mine = rng.random_range(0..4) > 0;
                if !mine {
                    legal.clear();
                }
                let event = Event::Turn {
                    seat: Seat(if mine { 0 } else { 3 }),
                    mine,
                    price: Some(Price { pass: 5, compare: Some(5) }),
                    legal: legal.clone(),
                    seconds: 30,
                };
                let done = Event::Moved { seat: Seat(0), kind: MoveKind::Fold, amount: 0, bank: 9 };
                tell(&mut app, done);
                check_legal(&tell(&mut app, event), &legal);
            }
            let key = keys[rng.random_range(0..keys.len())];
            let effects = press(&mut app, &key.to_string());
            check_legal(&effects, &legal);
            if step % 7 == 0 {
                painted(&mut app, 80, 24);
            }
        }
    }
}

fn check_legal(effects: &[Effect], legal: &[LegalMove]) {
    for command in sent(effects) {
        let Command::Move(step) = command else { continue };
        let open = legal.iter().find(|legal| legal.kind == step.kind());
        let open = open.unwrap_or_else(|| panic!("{step:?} is not open"));
        let number = match step {
            Move::Bet(n) | Move::Dark(n) | Move::Cut(n) | Move::Lift(n) | Move::Replace(n) => n,
            Move::Expose(seat) => u64::from(seat.0),
            _ => continue,
        };
        let limits = open.min.unwrap()..=open.max.unwrap();
        assert!(limits.contains(&number), "{step:?} outside {limits:?}");
    }
}

#[test]
fn a_hint_is_a_key_or_a_typed_word_away_and_follows_the_game() {
    let chance =
        |found: &str| found.lines().find(|line| line.contains("you are ahead")).unwrap().to_owned();
    for keys in ["h", "р", "t/hint\n", "t/подсказка\n"] {
        let mut app = seen(prefs(Lang::En), &story());
        assert!(press(&mut app, keys).is_empty());
        let found = said(&mut app);
        assert!(found.contains("What beats what"), "{keys}: {found}");
        let before = chance(&found);
        tell(&mut app, Event::Moved { seat: Seat(1), kind: MoveKind::Fold, amount: 0, bank: 12 });
        assert_ne!(chance(&said(&mut app)), before, "one less is in the hand");
        press(&mut app, "\u{1b}");
        assert!(!said(&mut app).contains("What beats what"));
    }
    let mut app = seen(prefs(Lang::En), &story());
    press(&mut app, "t/who\n");
    assert!(said(&mut app).contains("any other key closes"));
}

#[test]
fn the_page_of_rules_says_how_they_are_changed() {
    let mut app = seen(prefs(Lang::En), &story());
    press(&mut app, "j");
    assert!(said(&mut app).contains("/propose ante=2"));
    assert!(!said(&mut app).contains("Three players:"));
    let mut events = story();
    let Event::Table { seats, .. } = &mut events[1] else { panic!() };
    seats.pop();
    let Event::Hand { seats, .. } = &mut events[7] else { panic!() };
    seats.pop();
    let mut app = seen(prefs(Lang::En), &events[..8]);
    press(&mut app, "j");
    assert!(said(&mut app).contains("Three players:"));
}

#[test]
fn pages_scroll_to_their_end_and_back_and_the_log_begins_with_the_newest() {
    let key = |app: &mut App, code| {
        let now = app.now;
        app.update(now, Input::Key(Key::plain(code)));
        said(app)
    };
    let mut app = seen(prefs(Lang::En), &story());
    for n in 0..60 {
        tell(&mut app, Event::Say { seat: Seat(1), text: format!("word {n}.") });
    }
    press(&mut app, "g");
    assert!(said(&mut app).contains("word 59."));
    assert!(!key(&mut app, Code::Up).contains("word 59."), "above is older");
    assert!(key(&mut app, Code::Down).contains("word 59."));
    assert!(key(&mut app, Code::PageUp).contains("word 40."));
    for _ in 0..40 {
        key(&mut app, Code::PageUp);
    }
    assert!(said(&mut app).contains("[?] explains"), "the oldest");
    for _ in 0..8 {
        key(&mut app, Code::PageDown);
    }
    assert!(said(&mut app).contains("word 59."), "no step was lost beyond the end");

    // The rules in plain words, then every switch.
    press(&mut app, "\u{1b}j");
    assert!(said(&mut app).contains("Seka: the rules"));
    let found = key(&mut app, Code::End);
    assert!(found.contains("Exposed cards") && !found.contains("more below"), "{found}");
    assert!(key(&mut app, Code::Up).contains("more below"));
    assert!(key(&mut app, Code::Home).contains("/propose ante=2"));
}

#[test]
fn a_redeal_is_offered_to_whoever_holds_three_tens() {
    let redeal = [LegalMove::plain(MoveKind::Redeal), LegalMove::plain(MoveKind::Fold)];
    for (hand, offered) in [("Ts Td Th", true), ("Ts Td 9h", false)] {
        let mut events = vec![table(Preset::TrinkaClassic), story()[7].clone(), story()[8].clone()];
        events.push(Event::Cards { cards: cards(hand), points: 10 });
        events.push(my_turn(redeal.to_vec()));
        let mut app = seen(prefs(Lang::En), &events);
        assert_eq!(said(&mut app).contains("Show three tens"), offered, "{hand}");
        let sent = sent(&press(&mut app, "x"));
        assert_eq!(sent == [Command::Move(Move::Redeal)], offered, "{hand}");
        assert!(offered || said(&mut app).contains("you need three tens"));
    }
}

#[test]
fn the_last_hand_is_read_before_the_program_ends() {
    let mut app = seen(prefs(Lang::En), &over());
    let now = app.now;
    assert!(app.update(now, Input::Ended(None)).is_empty());
    assert!(said(&mut app).contains("over: Анна takes 17"));
    assert_eq!(read_to_the_end(&mut app), [Effect::Quit { interrupted: false }]);
    // Who leaves waits for nothing.
    let mut app = seen(prefs(Lang::En), &over());
    press(&mut app, "q\n");
    let now = app.now;
    assert_eq!(app.update(now, Input::Ended(None)), [Effect::Quit { interrupted: false }]);
}
