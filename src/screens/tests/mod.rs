#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod telling;
mod typing;

use std::collections::BTreeMap;

use super::*;
use crate::event::{LegalMove, MoveKind, Price, SeatAmount, SeatInfo};
use crate::i18n::Lang;
use crate::rules::{Card, HouseRules, Preset, Seat};

const EN: Locale = Locale { lang: Lang::En, utf8: true };
const RU: Locale = Locale { lang: Lang::Ru, utf8: true };
const ASCII: Locale = Locale { lang: Lang::En, utf8: false };

pub(super) fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| card.parse().unwrap()).collect()
}

pub(super) fn info(seat: u8, name: &str, stack: u64) -> SeatInfo {
    SeatInfo { seat: Seat(seat), name: name.to_owned(), stack }
}

fn share(seat: u8, amount: u64) -> SeatAmount {
    SeatAmount { seat: Seat(seat), amount }
}

fn people() -> Vec<SeatInfo> {
    vec![info(0, "Anna", 99), info(1, "Борис", 99), info(2, "Vera", 99)]
}

fn table() -> Event {
    let mut rules = HouseRules::preset(Preset::Seka);
    rules.set("ante", "1").unwrap();
    rules.set("ceiling", "50").unwrap();
    Event::Table {
        id: "00".into(),
        name: "Kitchen".into(),
        rules: Box::new(rules),
        seats: people(),
        you: Some(Seat(0)),
        fingerprints: BTreeMap::new(),
    }
}

fn hand() -> Event {
    Event::Hand { hand: 7, dealer: Seat(2), seats: people(), bank: 3 }
}

pub(super) fn my_turn(legal: Vec<LegalMove>) -> Event {
    let price = Some(Price { pass: 5, compare: Some(5) });
    Event::Turn { seat: Seat(0), mine: true, price, legal, seconds: 60 }
}

fn betting() -> Vec<LegalMove> {
    vec![
        LegalMove::plain(MoveKind::Fold),
        LegalMove::plain(MoveKind::Compare),
        LegalMove::ranged(MoveKind::Bet, 5, 50),
    ]
}

/// A screen that has seen these events.
fn seated(locale: Locale, events: &[Event]) -> Plain<Vec<u8>> {
    let mut screen = Plain::new(locale, Vec::new());
    for event in events {
        screen.event(event).unwrap();
    }
    screen
}

fn lines(screen: Plain<Vec<u8>>) -> Vec<String> {
    let text = String::from_utf8(screen.into_inner()).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The line that an event is told with, after table and hand.
fn told(locale: Locale, event: &Event) -> String {
    let screen = seated(locale, &[table(), hand(), event.clone()]);
    let lines = lines(screen);
    assert_eq!(lines.len(), 3, "one line an event");
    lines[2].clone()
}

/// What a typed line gives at one's own turn: a command, or what was answered.
fn typed(locale: Locale, events: &[Event], line: &str) -> Result<Command, String> {
    let mut screen = seated(locale, events);
    let before = screen.out().len();
    match screen.command(line).unwrap() {
        Some(command) => Ok(command),
        None => {
            let text = String::from_utf8(screen.into_inner()).unwrap();
            Err(text[before..].trim_end().to_owned())
        }
    }
}
