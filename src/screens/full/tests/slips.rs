//! What is pressed by a slip makes no move, and what is over is not shown as if it were now.

use super::playing::{later, over, read_to_the_end, said, sent, tell};
use super::*;
use crate::event::{Command, Move};

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
