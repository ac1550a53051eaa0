//! `trinka rank`: what hands are worth.

use std::io::{self, BufRead as _};

use serde::Serialize;

use super::Failure;
use super::console::Console;
use crate::cli::{Exit, Rank};
use crate::i18n::{Problem, messages as m};
use crate::referee::{self, Fault};
use crate::rules::{Card, Deck, HandName, HandRank, HandTable, HouseRules, RulesError, rank};

/// The longest line of hands, in bytes.
const MAX_LINE: u64 = 1024;

/// The answer for programs.
#[derive(Serialize)]
struct Answer {
    cards: [Card; 3],
    points: u32,
    name: HandName,
    level: u32,
    three_tens: bool,
}

/// What all hands of a deck are worth, looked up in a table that is made once.
struct Ranks {
    rules: HouseRules,
    deck: Deck,
    table: HandTable,
}

impl Ranks {
    fn new(rules: HouseRules) -> Ranks {
        Ranks { deck: rules.deck(), table: HandTable::new(&rules), rules }
    }

    fn of(&self, cards: [Card; 3]) -> Result<HandRank, RulesError> {
        let places = cards.map(|card| self.deck.index_of(card));
        if let [Some(one), Some(two), Some(three)] = places
            && let Some(hand) = self.table.find([one, two, three])
        {
            return Ok(hand.rank);
        }
        // Not a hand of this deck: the rules say why.
        rank(&self.rules, cards)
    }
}

/// Ranks the hand of the arguments, or the hands of stdin.
pub(super) fn run(options: &Rank, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let rules = options.rules.all().map_err(Failure::usage)?;
    if options.stdin {
        return many(&Ranks::new(rules), options.json, console);
    }
    let cards =
        read(&options.cards.join(" "), 1).map_err(|(problem, _)| Failure::usage(problem))?;
    let worth = rank(&rules, cards).map_err(|error| Failure::usage(error.into()))?;
    answer(cards, worth, options.json, console);
    Ok(Exit::Ok)
}

/// One answer a line, until the first line that is no hand.
fn many(ranks: &Ranks, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut input = io::stdin().lock();
    for number in 1.. {
        let mut line = Vec::new();
        let length = io::Read::take(&mut input, MAX_LINE).read_until(b'\n', &mut line);
        if length.map_err(|error| unreadable(&error))? == 0 || console.broken() {
            break;
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
        if line.trim().is_empty() {
            continue;
        }
        let place = |(problem, column): (Problem, u64)| problem.in_file("stdin", number, column);
        let cards = read(line, number).map_err(place)?;
        let worth = ranks.of(cards).map_err(|error| place((error.into(), 1)))?;
        answer(cards, worth, json, console);
    }
    Ok(Exit::Ok)
}

fn unreadable(error: &io::Error) -> Problem {
    Problem::FileUnreadable { file: "stdin".to_owned(), reason: error.to_string() }
}

/// Three cards, or what is wrong and in which column.
fn read(text: &str, line: u64) -> Result<[Card; 3], (Problem, u64)> {
    referee::read_cards(text, line).map_err(|failure| {
        let problem = match failure.fault {
            Fault::NotACard(text) => Problem::NotACard { text },
            Fault::NotThree(cards) => Problem::NotThree { cards },
            other => Problem::Internal { reason: format!("{other:?}") },
        };
        (problem, failure.place.column)
    })
}

fn answer(cards: [Card; 3], worth: HandRank, json: bool, console: &mut Console<'_>) {
    let HandRank { points, name, level, three_tens } = worth;
    if json {
        console.json(&Answer { cards, points, name, level, three_tens });
    } else {
        // Most hands are ordered by their points alone; a named one above them says so.
        let named = match name {
            HandName::Suit => None,
            HandName::TwoAces => Some("two-aces"),
            HandName::Triple => Some("triple"),
            HandName::ThreeSixes => Some("three-sixes"),
            HandName::ThreeAces => Some("three-aces"),
        };
        // The answer is the number, for scripts; what it does not tell is said beside it.
        console.say(points.to_string());
        if let Some(hand) = named.filter(|_| level != points) {
            let lang = console.lang();
            console.note(m::rank_named(lang, points, m::hand_name(lang, hand), level));
        }
    }
}
