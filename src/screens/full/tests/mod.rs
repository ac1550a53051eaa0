#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod newcomer;
mod playing;
mod slips;
mod snapshots;

use std::collections::BTreeMap;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::keys::{Code, Key};
use super::*;
use crate::event::{Event, LegalMove, MoveKind, Price, SeatInfo};
use crate::i18n::Lang;
use crate::rules::{HouseRules, Preset, Seat};
use crate::screens::tests::{cards, info, my_turn};

fn prefs(lang: Lang) -> Prefs {
    let mut prefs = Prefs::new(Locale { lang, utf8: true });
    prefs.name = Some("Анна".into());
    prefs
}

fn people() -> Vec<SeatInfo> {
    vec![info(0, "Анна", 95), info(1, "Борис", 90), info(2, "Vera", 99), info(3, "Глеб", 112)]
}

fn fingerprints() -> BTreeMap<Seat, String> {
    let one = |seat: u8| (Seat(seat), format!("a{seat}12-cd34-ef56-7890-12ab"));
    (0..4).map(one).collect()
}

fn table(preset: Preset) -> Event {
    Event::Table {
        id: "5f3a".repeat(8),
        name: "Кухня".into(),
        rules: Box::new(HouseRules::preset(preset)),
        seats: people(),
        you: Some(Seat(0)),
        fingerprints: fingerprints(),
    }
}

fn betting() -> Vec<LegalMove> {
    vec![
        LegalMove::plain(MoveKind::Fold),
        LegalMove::plain(MoveKind::Compare),
        LegalMove::ranged(MoveKind::Bet, 5, 95),
    ]
}

/// A hand that has come to one's own turn.
fn story() -> Vec<Event> {
    let bet =
        |seat, amount, bank| Event::Moved { seat: Seat(seat), kind: MoveKind::Bet, amount, bank };
    vec![
        Event::Hello {
            peer: "00".into(),
            fingerprint: "ab12 cd34 ef56 7890".into(),
            listen: vec!["192.168.1.5:24336".into()],
            version: "0.1.0".into(),
        },
        table(Preset::Seka),
        Event::Shuffled { seat: Seat(0), ms: 12 },
        Event::Shuffled { seat: Seat(1), ms: 14 },
        Event::Shuffled { seat: Seat(2), ms: 13 },
        Event::Shuffled { seat: Seat(3), ms: 15 },
        Event::Cut { seat: Seat(3), at: 17 },
        Event::Hand { hand: 7, dealer: Seat(0), seats: people(), bank: 4 },
        Event::Dealt { hand: 7, ms: 96 },
        Event::Cards { cards: cards("As Ts 9h"), points: 21 },
        bet(1, 3, 7),
        Event::Moved { seat: Seat(2), kind: MoveKind::Fold, amount: 0, bank: 7 },
        bet(3, 5, 12),
        Event::Say { seat: Seat(3), text: "ну что, вскрываемся?".into() },
        my_turn(betting()),
    ]
}

/// An app that has seen these events, each a tenth of a second after the one before.
fn seen(prefs: Prefs, events: &[Event]) -> App {
    let mut app = App::table(prefs);
    for (at, event) in events.iter().enumerate() {
        app.update(1_000 + 100 * at as u64, Input::Event(Box::new(event.clone())));
    }
    app
}

fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for c in keys.chars() {
        let key = match c {
            '\n' => Key::plain(Code::Enter),
            '\u{1b}' => Key::plain(Code::Esc),
            c => Key::char(c),
        };
        let now = app.now + 10;
        effects.extend(app.update(now, Input::Key(key)));
    }
    effects
}

fn painted(app: &mut App, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let mut hits = Vec::new();
    terminal.draw(|frame| hits = draw(app, frame)).unwrap();
    app.hits = hits;
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        for x in 0..buffer.area.width {
            line.push_str(buffer[(x, y)].symbol());
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
