//! What is pressed by a slip makes no move, and what is over is not shown as if it were now.

use super::playing::{later, over, read_to_the_end, said, sent, tell};
use super::*;
use crate::event::{Command, Move, OfferKind, WaitReason};
use crate::screens::full::sight::LogLine;

#[test]
fn a_written_line_stays_open_after_words_and_after_commands() {
    for line in ["hello", "/rebuy 10", "/foo", "/propose ante=2"] {
        let mut app = seen(prefs(Lang::En), &story());
        press(&mut app, &format!("t{line}\n"));
        // What is typed on is the next line, not a fold.
        let effects = press(&mut app, "fine\n");
        assert_eq!(sent(&effects), [Command::Say("fine".into())], "{line}");
    }
}

#[test]
fn what_was_meant_for_a_line_that_was_just_closed_makes_no_move() {
    for closing in ["\n", "\u{1b}"] {
        let mut app = seen(prefs(Lang::En), &story());
        later(&mut app);
        press(&mut app, &format!("t{closing}"));
        for key in ["f", "c", "7", "\n"] {
            assert!(press(&mut app, key).is_empty(), "{key}");
            assert!(said(&mut app).contains("only just closed"), "{key}");
        }
        later(&mut app);
        assert_eq!(sent(&press(&mut app, "f")), [Command::Move(Move::Fold)]);
    }
    // Neither does it choose one beforehand.
    let mut app = seen(prefs(Lang::En), &story()[..13]);
    tell(&mut app, their_word());
    press(&mut app, "t\u{1b}f");
    assert!(!said(&mut app).contains("Beforehand"));
}

fn their_word() -> Event {
    Event::Turn {
        seat: Seat(3),
        mine: false,
        price: Some(Price { pass: 3, compare: None }),
        legal: Vec::new(),
        seconds: 60,
    }
}

/// What is said on a terminal that is too small, in one line.
fn small(app: &mut App) -> String {
    let found = text(&painted(app, 60, 20));
    found.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_not_seen_is_not_played() {
    let mut app = seen(prefs(Lang::En), &story());
    later(&mut app);
    let found = small(&mut app);
    assert!(found.contains("80 × 24 are needed") && found.contains("Your word!"), "{found}");
    assert!(press(&mut app, "fcrt\n7").is_empty());
    app.update(app.now, Input::Paste("7".into()));
    app.update(app.now, Input::Mouse(crate::screens::full::Mouse::Press(1, 1)));
    assert!(app.dialog.is_none());
    let ctrl_c = Key { code: Code::Char('c'), ctrl: true };
    let now = app.now;
    app.update(now, Input::Key(ctrl_c));
    let found = small(&mut app);
    assert!(found.contains("Ctrl-C once more leaves"), "{found}");
    assert_eq!(sent(&app.update(now + 10, Input::Key(ctrl_c))), [Command::Leave]);
    // It is seen again, and played.
    let mut app = seen(prefs(Lang::En), &story());
    painted(&mut app, 60, 20);
    painted(&mut app, 80, 24);
    assert_eq!(sent(&press(&mut app, "f")), [Command::Move(Move::Fold)]);
    let mut app = seen(prefs(Lang::En), &story()[..13]);
    tell(&mut app, their_word());
    assert!(small(&mut app).contains("Глеб is to act"));
}

#[test]
fn the_end_of_a_hand_goes_when_the_next_is_dealt_or_asks_something() {
    let next = Event::Hand { hand: 8, dealer: Seat(3), seats: people(), bank: 4 };
    let cut = Event::Turn {
        seat: Seat(0),
        mine: true,
        price: None,
        legal: vec![LegalMove::ranged(MoveKind::Cut, 1, 35)],
        seconds: 30,
    };
    for event in [Event::Dealt { hand: 8, ms: 50 }, my_turn(betting()), cut] {
        let mut app = seen(prefs(Lang::En), &over());
        tell(&mut app, next.clone());
        read_to_the_end(&mut app);
        assert!(app.sight.showdown.is_some());
        tell(&mut app, event);
        assert!(app.sight.showdown.is_none());
    }
    // What a comparison of this hand has come to stays while one is asked.
    let mut app = seen(prefs(Lang::En), &over()[..18]);
    assert!(app.sight.showdown.is_some());
    tell(&mut app, my_turn(betting()));
    assert!(app.sight.showdown.is_some());
}

#[test]
fn the_next_hand_is_counted_down_to() {
    let mut app = seen(prefs(Lang::En), &over());
    assert!(said(&mut app).contains("next hand (it comes by itself in 4 s)"));
    let next = app.next_tick().unwrap();
    assert!(next <= app.now + 1_000);
    app.update(next, Input::Tick);
    assert!(said(&mut app).contains("in 3 s)"));
}

#[test]
fn what_a_fold_loses_is_all_that_was_put_into_the_hand() {
    let mut app = seen(prefs(Lang::En), &story());
    assert!(said(&mut app).contains("the 1 you put in is gone"));
    let bet = Event::Moved { seat: Seat(0), kind: MoveKind::Bet, amount: 5, bank: 17 };
    let enter = Event::Moved { seat: Seat(0), kind: MoveKind::Enter, amount: 3, bank: 20 };
    tell(&mut app, bet);
    tell(&mut app, Event::Svara { seats: vec![Seat(1), Seat(3)], bank: 17, entry: 3 });
    tell(&mut app, enter);
    // The hand is told of anew when a svara is dealt.
    tell(&mut app, Event::Hand { hand: 7, dealer: Seat(0), seats: people(), bank: 20 });
    tell(&mut app, Event::Dealt { hand: 7, ms: 50 });
    tell(&mut app, my_turn(betting()));
    assert!(said(&mut app).contains("the 9 you put in are gone"), "{}", said(&mut app));
}

fn offered(kind: OfferKind, from: Option<u8>, to: &[u8]) -> Event {
    Event::Offer {
        kind,
        from: from.map(Seat),
        to: to.iter().copied().map(Seat).collect(),
        shares: Vec::new(),
        key: None,
        name: None,
        rules: None,
    }
}

fn asked(legal: Vec<LegalMove>) -> Event {
    Event::Turn { seat: Seat(0), mine: true, price: None, legal, seconds: 30 }
}

#[test]
fn a_card_that_lies_face_up_is_seen_and_named() {
    let mut app = seen(prefs(Lang::En), &story()[..9]);
    let card = |hand: &str| cards(hand)[0];
    tell(&mut app, Event::Exposed { seat: Seat(1), card: card("Qd") });
    tell(&mut app, offered(OfferKind::Exposed, None, &[0]));
    tell(&mut app, Event::Exposed { seat: Seat(0), card: card("Kh") });
    let answers = [LegalMove::plain(MoveKind::Keep), LegalMove::ranged(MoveKind::Replace, 0, 23)];
    tell(&mut app, asked(answers.to_vec()));
    let found = said(&mut app);
    for part in ["Your K♥ lies face up", "│ K   │", "Q♦ ▒▒", "one of the 24 not dealt"]
    {
        assert!(found.contains(part), "{part}: {found}");
    }
    press(&mut app, "r");
    assert!(said(&mut app).contains("Which of the 24 cards that were not dealt?"));
    tell(&mut app, Event::Moved { seat: Seat(0), kind: MoveKind::Replace, amount: 0, bank: 4 });
    assert!(!said(&mut app).contains("│ K   │"));
    // Whose card is turned up is said where it is offered.
    for (seat, label) in [(0, "Have my first card face up"), (2, "Turn up the first card of …")] {
        let mut app = seen(prefs(Lang::En), &story()[..7]);
        tell(&mut app, Event::Hand { hand: 7, dealer: Seat(0), seats: people(), bank: 4 });
        tell(&mut app, asked(vec![LegalMove::ranged(MoveKind::Expose, seat, seat)]));
        assert!(said(&mut app).contains(label), "{}", said(&mut app));
    }
}

#[test]
fn who_deals_a_svara_is_lifted_for_without_cards_in_hand() {
    let mut events = story();
    events.push(Event::Svara { seats: vec![Seat(0), Seat(3)], bank: 12, entry: 0 });
    let mut app = seen(prefs(Lang::En), &events);
    tell(&mut app, Event::Dealt { hand: 7, ms: 50 });
    tell(&mut app, asked(vec![LegalMove::ranged(MoveKind::Lift, 1, 36)]));
    let found = said(&mut app);
    assert!(
        found.contains("Lift a packet") && !found.contains('░') && !found.contains("▒▒▒"),
        "{found}"
    );
    tell(&mut app, Event::Lifted { seat: Seat(0), cards: cards("Kh") });
    tell(&mut app, Event::Hand { hand: 7, dealer: Seat(0), seats: people(), bank: 12 });
    tell(&mut app, Event::Dealt { hand: 7, ms: 6_034 });
    let found = said(&mut app);
    assert!(found.contains("▒▒▒"), "{found}");
    press(&mut app, "i");
    let found = said(&mut app);
    assert!(found.contains("The card that Анна lifted is the card"), "{found}");
}

/// What is told of a deal names no time where a person was waited for, also between two deals of one hand.
#[test]
fn a_deal_that_waited_for_a_cut_names_no_time() {
    let cut = asked(vec![LegalMove::ranged(MoveKind::Cut, 1, 35)]);
    let mut events = story();
    events.push(Event::Svara { seats: vec![Seat(0), Seat(3)], bank: 12, entry: 0 });
    events.push(Event::Dealt { hand: 7, ms: 50 });
    events.push(cut);
    events.push(Event::Hand { hand: 7, dealer: Seat(0), seats: people(), bank: 12 });
    events.push(my_turn(betting()));
    events.push(Event::Dealt { hand: 7, ms: 6_034 });
    let mut app = seen(prefs(Lang::En), &events);
    press(&mut app, "g");
    assert!(!said(&mut app).contains("6034"));
    let locale = Locale { lang: Lang::En, utf8: true };
    let mut plain = crate::screens::Plain::new(locale, Vec::new());
    for event in &events {
        crate::screens::Screen::event(&mut plain, event).unwrap();
    }
    let told = String::from_utf8(plain.into_inner()).unwrap();
    assert!(told.contains("Dealt in 50 ms") && !told.contains("6034"), "{told}");
}

#[test]
fn the_log_says_nothing_twice_and_nothing_of_questions_to_others() {
    let answer = |kind, seat| Event::Moved { seat: Seat(seat), kind, amount: 0, bank: 12 };
    let mut app = seen(prefs(Lang::En), &story());
    tell(&mut app, answer(MoveKind::Boil, 3));
    tell(&mut app, offered(OfferKind::Boil, Some(3), &[0]));
    press(&mut app, "g");
    let found = said(&mut app);
    assert!(found.contains("shall we boil?") && !found.contains("asks to boil"), "{found}");
    for (to, told) in [([1, 3], false), ([0, 3], true)] {
        let mut app = seen(prefs(Lang::En), &story()[..13]);
        tell(&mut app, offered(OfferKind::ThreeTens, None, &to));
        tell(&mut app, answer(MoveKind::Refuse, 3));
        press(&mut app, "g");
        let found = said(&mut app);
        assert_eq!(found.contains("three tens open"), told, "{found}");
        assert_eq!(found.contains("Глеб refuses"), told, "{found}");
    }
}

#[test]
fn who_tells_who_sits_here() {
    let mut app = seen(prefs(Lang::En), &story());
    press(&mut app, "t/who\n");
    let found = said(&mut app);
    for part in ["Hand 7, Анна deals, bank 12.", "> 0 Анна (you): 95 chips, is to act", "Vera: 99"]
    {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn buying_chips_says_when_they_come() {
    let mut app = seen(prefs(Lang::En), &story());
    assert_eq!(sent(&press(&mut app, "t/rebuy 10\n")), [Command::Rebuy(10)]);
    assert!(said(&mut app).contains("10 are bought when the hand is over"));
    press(&mut app, "\u{1b}");
    let mut bought = table(Preset::Seka);
    let Event::Table { seats, .. } = &mut bought else { panic!() };
    seats[0].stack = 105;
    tell(&mut app, bought);
    assert!(said(&mut app).contains("You have bought 10: you have 105 now."));
}

#[test]
fn the_time_that_runs_out_can_be_asked_for_in_both_languages() {
    for lang in [Lang::En, Lang::Ru] {
        let mut app = seen(prefs(lang), &story());
        assert!(said(&mut app).contains("[Z]"), "{lang:?}");
    }
}

#[test]
fn nobody_begins_alone_and_nothing_is_between_hands_before_the_first() {
    let begins = |app: &mut App| said(app).contains("[F5]");
    let mut alone = table(Preset::Seka);
    let Event::Table { seats, .. } = &mut alone else { panic!() };
    seats.truncate(1);
    let mut app = seen(prefs(Lang::En), &story()[..1]);
    assert!(!begins(&mut app));
    tell(&mut app, alone);
    assert!(!begins(&mut app));
    let found = said(&mut app);
    assert!(found.contains("Waiting for more players") && !found.contains("Between"), "{found}");
    tell(&mut app, Event::Waiting { seats: Vec::new(), why: WaitReason::Host });
    let refused = Event::Error { code: "x".into(), message: "No.".into(), advice: "Wait.".into() };
    tell(&mut app, refused);
    assert!(said(&mut app).contains("Waiting for the host"));
    tell(&mut app, table(Preset::Seka));
    assert!(begins(&mut app) && !said(&mut app).contains("Between hands"));
}

#[test]
fn how_a_language_is_kept_is_said_where_it_is_chosen() {
    let mut app = App::lobby(prefs(Lang::En), "");
    press(&mut app, "s\n");
    let found = said(&mut app);
    assert!(
        found.contains("the button below keeps it") && !found.contains("Enter goes on"),
        "{found}"
    );
}

#[test]
fn switches_that_do_not_go_together_are_named_as_on_the_page_and_marked() {
    use crate::screens::full::app::Page;
    use crate::screens::full::form::Id;
    for (lang, name, value) in
        [(Lang::En, "Against dark, who looked pays", "the same"), (Lang::Ru, "", "")]
    {
        let mut app = App::lobby(prefs(lang), "");
        press(&mut app, "n");
        let go = |app: &mut App, id| {
            let Page::Form(form) = &mut app.page else { panic!() };
            form.at = form.fields.iter().position(|field| field.id == id).unwrap();
        };
        // Whatever the game has, the other value does not go with the rest of it.
        go(&mut app, Id::Switch("open_pass"));
        press(&mut app, " ");
        let found = said(&mut app);
        assert!(!found.contains("open_pass =") && !found.contains("_price ="), "{found}");
        assert!(found.contains("▸!"), "{found}");
        let Page::Form(form) = &app.page else { panic!() };
        let (text, ids) = form.fault(lang).unwrap();
        assert!(text.contains(name) && ids.len() == 2, "{text}");
        assert!(value.is_empty() || text.contains(value) || text.contains("double"), "{text}");
        // Other rows keep what is said about them.
        go(&mut app, Id::Seats);
        let found = said(&mut app);
        let about = crate::i18n::messages::explain_field(lang, "seats");
        let start: String = about.chars().take(20).collect();
        assert!(found.contains(&start) && !found.contains(&text), "{found}");
    }
}

#[test]
fn the_text_of_a_past_hand_can_be_read_to_its_end() {
    let mut app = App::lobby(prefs(Lang::En), "");
    press(&mut app, "g");
    let hand = PastHand {
        file: "5f3a-7.trinka".into(),
        title: "Hand 7".into(),
        lines: (0..30).map(|at| format!("line {at}.")).collect(),
    };
    app.update(app.now, Input::History(vec![hand.clone(), hand]));
    let found = said(&mut app);
    assert!(found.contains("line 0.") && found.contains("more below"), "{found}");
    for _ in 0..20 {
        app.update(app.now, Input::Key(Key::plain(Code::PageDown)));
        said(&mut app);
    }
    let found = said(&mut app);
    assert!(found.contains("5f3a-7.trinka") && !found.contains("more below"), "{found}");
    app.update(app.now, Input::Key(Key::plain(Code::PageUp)));
    assert!(!said(&mut app).contains("5f3a-7.trinka"), "it goes back at once");
    app.update(app.now, Input::Key(Key::plain(Code::Down)));
    assert!(said(&mut app).contains("line 0."), "another hand begins at its beginning");
}

fn waits(why: WaitReason, seats: &[u8]) -> Event {
    Event::Waiting { seats: seats.iter().copied().map(Seat).collect(), why }
}

#[test]
fn a_turn_at_a_table_that_can_decide_nothing_is_said_to_stand_still() {
    for (lang, words) in [(Lang::En, "The table waits for"), (Lang::Ru, "Стол ждёт")] {
        let mut app = seen(prefs(lang), &story()[..13]);
        tell(&mut app, their_word());
        assert!(said(&mut app).contains(" 60 "));
        let now = app.now + 20_000;
        app.update(now, Input::Event(Box::new(waits(WaitReason::Quorum, &[1, 3]))));
        for after in [10, 90_000] {
            app.update(now + after, Input::Tick);
            tell(&mut app, Event::Say { seat: Seat(2), text: "where are they?".into() });
            for (wide, tall) in [(80, 24), (120, 40), (60, 20)] {
                let found = text(&painted(&mut app, wide, tall));
                for part in [words, "Борис", "/"] {
                    assert!(found.contains(part), "{part}: {found}");
                }
                assert!(!found.contains(" 0 s") && !found.contains(" 40 "), "{found}");
            }
        }
        let whole = |line: &&LogLine| line.text.contains("trinka join");
        assert_eq!(app.sight.log.iter().filter(whole).count(), 1);
        assert_eq!(app.next_tick(), None);
        // They are back: the clock goes on where it stood.
        tell(&mut app, waits(WaitReason::Unheard, &[]));
        let found = said(&mut app);
        assert!(found.contains(" 40 ") && found.matches(words).count() <= 1, "{found}");
        // So it does by itself where something is decided.
        tell(&mut app, waits(WaitReason::Quorum, &[1]));
        assert!(app.sight.stopped.is_some());
        tell(&mut app, Event::Moved { seat: Seat(3), kind: MoveKind::Fold, amount: 0, bank: 12 });
        assert!(app.sight.stopped.is_none());
    }
}

#[test]
fn whose_program_is_not_heard_is_marked_until_it_is() {
    for (lang, mark) in [(Lang::En, "no connection"), (Lang::Ru, "нет связи")] {
        let marked = |app: &App| -> Vec<Seat> {
            let seats = app.sight.view.seats.iter();
            seats.filter(|(_, seat)| seat.unheard).map(|(seat, _)| *seat).collect()
        };
        let mut app = seen(prefs(lang), &story());
        let written = app.sight.log.len();
        assert!(!said(&mut app).contains(mark));
        tell(&mut app, waits(WaitReason::Unheard, &[1, 3]));
        let found = said(&mut app);
        assert_eq!(found.matches(mark).count(), 2, "{found}");
        assert!(app.sight.waiting.is_none() && app.sight.stopped.is_none());
        assert!(!app.choices().is_empty(), "the table goes on");
        assert_eq!(app.sight.log.len(), written + 1);
        tell(&mut app, Event::Moved { seat: Seat(3), kind: MoveKind::Bet, amount: 1, bank: 13 });
        assert_eq!(marked(&app), [Seat(1)]);
        tell(&mut app, Event::Away { seat: Seat(1) });
        assert!(marked(&app).is_empty());
        let found = said(&mut app);
        assert!(!found.contains(&format!(", {mark}")), "{found}");
        let written = app.sight.log.len();
        tell(&mut app, waits(WaitReason::Unheard, &[2]));
        tell(&mut app, waits(WaitReason::Unheard, &[]));
        assert!(marked(&app).is_empty());
        assert_eq!(app.sight.log.len(), written + 2);
        // What a table waits for that has not begun stays where it stands.
        let mut app = seen(prefs(lang), &story()[..2]);
        tell(&mut app, waits(WaitReason::Players, &[]));
        tell(&mut app, waits(WaitReason::Unheard, &[2]));
        assert!(app.sight.waiting.is_some());
    }
}

#[test]
fn who_was_taken_for_absent_is_told_how_to_play_again() {
    for (lang, words, away) in [
        (Lang::En, "You were taken for absent: press [F9]", "is gone"),
        (Lang::Ru, "Вас сочли отошедшим: нажмите [F9]", "больше не за"),
    ] {
        let f9 = |app: &mut App| {
            let now = app.now + 10;
            sent(&app.update(now, Input::Key(Key::plain(Code::F(9)))))
        };
        let mut events = story()[..13].to_vec();
        events.push(Event::Away { seat: Seat(0) });
        events.push(Event::Hand {
            hand: 8,
            dealer: Seat(3),
            seats: people()[1..].to_vec(),
            bank: 3,
        });
        let mut app = seen(prefs(lang), &events);
        let found = said(&mut app);
        let watching = crate::i18n::messages::own_watching(lang);
        assert!(found.contains(words), "{found}");
        assert!(!found.contains(&watching) && !found.contains(away), "{found}");
        // Once is enough.
        assert_eq!(f9(&mut app), [Command::Ready]);
        assert!(!said(&mut app).contains(words));
        tell(&mut app, Event::Back { seat: Seat(0) });
        assert!(!app.sight.is_absent() && said(&mut app).contains(&watching));
        assert_eq!(f9(&mut app), [Command::SitOut]);
        assert!(!said(&mut app).contains(&watching));
        // Who has left is not told to come back.
        let mut app = seen(prefs(lang), &story()[..13]);
        press(&mut app, "q\n");
        tell(&mut app, Event::Away { seat: Seat(0) });
        let left = crate::i18n::messages::ev_left(lang, 95_u64);
        let found = said(&mut app);
        assert!(!found.contains(words) && !found.contains(away), "{found}");
        assert!(app.sight.log.iter().any(|line| line.text == left), "{found}");
    }
}

#[test]
fn who_is_about_to_leave_is_told_with_what_and_how_to_make_a_break() {
    for (lang, chips, anew, again) in [
        (Lang::En, "95 chips", "buy-in", "For a break there is [F9]"),
        (Lang::Ru, "95 фишек", "закупки", "Для перерыва есть [F9]"),
    ] {
        for events in [&story()[..2], &story()[..13]] {
            let mut app = seen(prefs(lang), events);
            press(&mut app, "q");
            let found = said(&mut app);
            let boxed = found.lines().filter_map(|line| line.split('│').nth(1));
            let words = boxed.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
            for part in [chips, anew, again] {
                assert!(words.contains(part), "{part}: {found}");
            }
        }
    }
}

#[test]
fn how_a_table_ends_early_is_found_where_one_looks() {
    for (lang, divide, close) in
        [(Lang::En, "/divide", "/close"), (Lang::Ru, "/разделить", "/закрыть")]
    {
        for keys in ["?", "t"] {
            let mut app = seen(prefs(lang), &story());
            press(&mut app, keys);
            let found = said(&mut app);
            assert!(found.contains(divide) && found.contains(close), "{found}");
        }
        let plain = crate::screens::help(lang, &crate::screens::view::View::default());
        for word in [divide, close] {
            assert!(plain.contains(&word[1..]), "{plain}");
        }
    }
}

#[test]
fn nobody_begins_a_table_that_has_begun() {
    let lift = asked(vec![LegalMove::ranged(MoveKind::Lift, 1, 36)]);
    for event in [story()[2].clone(), lift, waits(WaitReason::Dealer, &[]), story()[7].clone()] {
        let mut app = seen(prefs(Lang::En), &story()[..2]);
        assert!(said(&mut app).contains("[F5]"));
        tell(&mut app, event);
        // Whoever comes later is told of the table once more.
        tell(&mut app, table(Preset::Seka));
        let found = said(&mut app);
        assert!(!found.contains("[F5]"), "{found}");
    }
}
