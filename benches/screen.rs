//! How long the full screen takes to show an event: `cargo bench --bench screen`.
//!
//! The fullest table there is: ten players, every move open, a thousand lines in the log, on a
//! terminal of 200 × 60. The goal is 16 ms from the event to what is written to the terminal.

#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark may fail")]

use std::collections::BTreeMap;
use std::io::sink;

use divan::Bencher;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use trinka::event::{Event, LegalMove, MoveKind, Price, SeatInfo};
use trinka::i18n::{Lang, Locale};
use trinka::rules::{HouseRules, Preset, Seat};
use trinka::screens::full::keys::{Code, Key};
use trinka::screens::full::{App, Input, Prefs, draw};

fn main() {
    divan::main();
}

/// A table that is as full as it can be, with the word at this seat.
fn fullest() -> App {
    let mut prefs = Prefs::new(Locale { lang: Lang::Ru, utf8: true });
    prefs.name = Some("Анна".into());
    let seats: Vec<SeatInfo> = (0..10)
        .map(|n| SeatInfo {
            seat: Seat(n), name: format!("Игрок номер {n}"), stack: 1_000
        })
        .collect();
    let hand = Event::Hand { hand: 7, dealer: Seat(9), seats: seats.clone(), bank: 10 };
    let table = Event::Table {
        id: "5f3a".repeat(8),
        name: "Кухня".into(),
        rules: Box::new(HouseRules::preset(Preset::Seka)),
        seats,
        you: Some(Seat(0)),
        fingerprints: BTreeMap::new(),
    };
    let cards = "As Ts 9h".split(' ').map(|card| card.parse().unwrap()).collect();
    let mut events =
        vec![table, hand, Event::Dealt { hand: 7, ms: 96 }, Event::Cards { cards, points: 21 }];
    for n in 0..1_000_u64 {
        let seat = Seat(u8::try_from(1 + n % 9).unwrap());
        events.push(Event::Say {
            seat, text: format!("слово {n} и ещё несколько слов")
        });
    }
    let mut app = App::table(prefs);
    for (at, event) in events.into_iter().enumerate() {
        app.update(at as u64, Input::Event(Box::new(event)));
    }
    app
}

/// Nine others bet in turn, then it is one's own word: each is taken in and painted.
fn show(bencher: Bencher<'_, '_>, mut app: App) {
    let area = Rect::new(0, 0, 200, 60);
    let options = TerminalOptions { viewport: Viewport::Fixed(area) };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(sink()), options).unwrap();
    let mut now = 10_000;
    let mut at = 0_u8;
    bencher.bench_local(|| {
        now += 10;
        at = (at + 1) % 10;
        let event = if at == 0 {
            let legal = vec![
                LegalMove::plain(MoveKind::Fold),
                LegalMove::plain(MoveKind::Compare),
                LegalMove::ranged(MoveKind::Bet, 5, 95),
            ];
            let price = Some(Price { pass: 5, compare: Some(5) });
            Event::Turn { seat: Seat(0), mine: true, price, legal, seconds: 60 }
        } else {
            Event::Moved { seat: Seat(at), kind: MoveKind::Bet, amount: 5, bank: now }
        };
        app.update(now, Input::Event(Box::new(event)));
        terminal.draw(|frame| drop(draw(&app, frame))).unwrap();
    });
}

#[divan::bench]
fn an_event_at_the_fullest_table(bencher: Bencher<'_, '_>) {
    show(bencher, fullest());
}

#[divan::bench(args = ["?", "g", "h", "i", "j"])]
fn an_event_behind_a_page(bencher: Bencher<'_, '_>, key: &str) {
    let mut app = fullest();
    app.update(5_000, Input::Key(Key::plain(Code::Char(key.chars().next().unwrap()))));
    show(bencher, app);
}

/// A terminal that has to be painted anew: every cell is written.
#[divan::bench]
fn everything_anew(bencher: Bencher<'_, '_>) {
    let app = fullest();
    let area = Rect::new(0, 0, 200, 60);
    bencher.bench_local(|| {
        let options = TerminalOptions { viewport: Viewport::Fixed(area) };
        let mut terminal = Terminal::with_options(CrosstermBackend::new(sink()), options).unwrap();
        terminal.draw(|frame| drop(draw(&app, frame))).unwrap();
    });
}
