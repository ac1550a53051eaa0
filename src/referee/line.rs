//! What a line says.

use super::fault::{Failure, Fault};
use super::words::{self, Word};
use crate::rules::{Action, ActionKind, Card, Chips, Rank};

/// A line of a script, its names not looked up yet.
#[derive(Clone, Debug)]
pub(super) enum Command<'a> {
    Rules(Word<'a>),
    Set {
        switch: Word<'a>,
        value: Word<'a>,
    },
    Seat {
        name: Word<'a>,
        chips: Chips,
    },
    Dealer(Word<'a>),
    Cards {
        name: Word<'a>,
        cards: [Card; 3],
    },
    Points {
        name: Word<'a>,
        points: Points,
    },
    Expect(Vec<Expect<'a>>),
    /// Must be refused.
    Refused(Play<'a>),
    Play(Play<'a>),
}

/// A line that may be refused.
#[derive(Clone, Debug)]
pub(super) enum Play<'a> {
    Hand,
    Move {
        name: Word<'a>,
        action: Action,
    },
    Newcomer {
        name: Word<'a>,
        chips: Chips,
    },
    Pool(Vec<(Word<'a>, Chips)>),
    Pact(Word<'a>, Word<'a>),
    Expose(Word<'a>),
    /// A seat asks for a card of its own face up.
    ExposeOwn(Word<'a>),
    /// A seat is gone for good.
    Lost(Word<'a>),
    /// The cards that are out cannot be opened any more.
    CardsLost,
    /// A seat is not dealt in with the next hand.
    Away(Word<'a>),
    Rebuy {
        name: Word<'a>,
        chips: Chips,
    },
    Lift {
        name: Word<'a>,
        cards: Vec<Card>,
    },
    Count(Vec<Card>),
}

/// What a hand is worth, without its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    Sum(u32),
    Three(Rank),
}

/// One expectation, with where it stands.
#[derive(Clone, Debug)]
pub(super) enum Expect<'a> {
    Stack {
        name: Word<'a>,
        chips: Chips,
    },
    Bank {
        at: Word<'a>,
        chips: Chips,
    },
    /// Nobody's, if it is written `-`.
    Turn(Word<'a>),
    Active {
        at: Word<'a>,
        names: Vec<Word<'a>>,
    },
    Phase(Word<'a>),
    Price {
        name: Word<'a>,
        pass: Option<Chips>,
        compare: Option<Option<Chips>>,
    },
}

/// Words that begin a line or an expectation, so that no seat can be called so.
const RESERVED: [&str; 19] = [
    "rules", "set", "seat", "dealer", "cards", "points", "hand", "pool", "pact", "expose", "lift",
    "count", "expect", "stacks", "bank", "turn", "active", "phase", "price",
];

/// The longest name, in characters.
const MAX_NAME: usize = 24;

/// Whether a word can be a seat's name.
pub(super) fn check_name(word: Word<'_>) -> Result<(), Failure> {
    let sound = word.text.chars().next().is_some_and(char::is_alphabetic)
        && word.text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && word.text.chars().count() <= MAX_NAME
        && !RESERVED.contains(&word.text);
    if sound { Ok(()) } else { Err(word.fault(Fault::BadName(word.short()))) }
}

/// Reads a line of at least one word.
pub(super) fn read<'a>(words: &[Word<'a>]) -> Result<Command<'a>, Failure> {
    let Some((first, rest)) = words.split_first() else {
        return Err(Fault::Form("hand").at(super::Place::default()));
    };
    if let Some(stuck) = first.text.strip_prefix('!') {
        let place = super::Place { column: first.place.column + 1, ..first.place };
        let mut must_fail = rest.to_vec();
        if !stuck.is_empty() {
            must_fail.insert(0, Word { text: stuck, place });
        }
        let Some(what) = must_fail.first().copied() else {
            return Err(first.fault(Fault::Form("! A bet 2")));
        };
        return match read(&must_fail)? {
            Command::Play(play) => Ok(Command::Refused(play)),
            _ => Err(what.fault(Fault::NotAMove(what.short()))),
        };
    }
    let form = |form| first.fault(Fault::Form(form));
    let command = match (first.text, rest) {
        ("rules", [preset, ..]) => Command::Rules(*preset),
        ("rules", []) => return Err(form("rules trinka-classic")),
        ("set", [switch, value, ..]) => Command::Set { switch: *switch, value: *value },
        ("set", [] | [_]) => return Err(form("set ceiling 20")),
        ("seat", [name, chips, ..]) => {
            check_name(*name)?;
            Command::Seat { name: *name, chips: chips.number()? }
        }
        ("seat", [] | [_]) => return Err(form("seat A 100")),
        ("dealer", [name, ..]) => Command::Dealer(*name),
        ("dealer", []) => return Err(form("dealer A")),
        ("cards", [name, cards @ ..]) if !cards.is_empty() => {
            Command::Cards { name: *name, cards: words::three(cards, name.place)? }
        }
        ("cards", [lost]) if lost.text == "lost" => return play(*first, rest).map(Command::Play),
        ("cards", _) => return Err(form("cards A As Ts 9s")),
        ("points", [name, value, ..]) => Command::Points { name: *name, points: points(*value)? },
        ("points", [] | [_]) => return Err(form("points A 21")),
        ("expect", [_, _, ..]) => Command::Expect(expectations(rest)?),
        ("expect", _) => return Err(form("expect bank 20")),
        _ => return play(*first, rest).map(Command::Play),
    };
    let most = match command {
        Command::Rules(_) | Command::Dealer(_) => 1,
        Command::Cards { .. } | Command::Expect(_) => rest.len(),
        _ => 2,
    };
    done(rest, most)?;
    Ok(command)
}

/// Complains about the first word after `most`.
fn done(rest: &[Word<'_>], most: usize) -> Result<(), Failure> {
    match rest.get(most) {
        Some(word) => Err(word.fault(Fault::TooMany(word.short()))),
        None => Ok(()),
    }
}

fn play<'a>(first: Word<'a>, rest: &[Word<'a>]) -> Result<Play<'a>, Failure> {
    let form = |form| first.fault(Fault::Form(form));
    Ok(match (first.text, rest) {
        ("hand", _) => {
            done(rest, 0)?;
            Play::Hand
        }
        ("pool", [_, _, _, _, ..]) if rest.len().is_multiple_of(2) => {
            let mut parts = Vec::new();
            let mut words = rest.iter();
            while let (Some(name), Some(chips)) = (words.next(), words.next()) {
                parts.push((*name, chips.number()?));
            }
            Play::Pool(parts)
        }
        ("pool", _) => return Err(form("pool A 13 B 8")),
        ("pact", [one, other, ..]) => {
            done(rest, 2)?;
            Play::Pact(*one, *other)
        }
        ("pact", _) => return Err(form("pact A B")),
        ("expose", [name, ..]) => {
            done(rest, 1)?;
            Play::Expose(*name)
        }
        ("expose", _) => return Err(form("expose A")),
        ("cards", [_]) => Play::CardsLost,
        ("lift", [name, cards @ ..]) if !cards.is_empty() => {
            Play::Lift { name: *name, cards: words::cards(cards)? }
        }
        ("lift", _) => return Err(form("lift A 9s Kd")),
        ("count", cards) if !cards.is_empty() => Play::Count(words::cards(cards)?),
        ("count", _) => return Err(form("count 7s As")),
        (_, [verb, rest @ ..]) => of_seat(first, *verb, rest)?,
        (_, []) => return Err(first.fault(Fault::UnknownLine(first.short()))),
    })
}

/// What a seat does: `A bet 5`.
fn of_seat<'a>(name: Word<'a>, verb: Word<'a>, rest: &[Word<'a>]) -> Result<Play<'a>, Failure> {
    let number = |form| {
        done(rest, 1)?;
        rest.first().copied().ok_or_else(|| verb.fault(Fault::Form(form)))
    };
    let alone = |play| done(rest, 0).map(|()| play);
    match verb.text {
        "newcomer" => {
            check_name(name)?;
            return Ok(Play::Newcomer { name, chips: number("D newcomer 80")?.number()? });
        }
        "rebuy" => return Ok(Play::Rebuy { name, chips: number("A rebuy 50")?.number()? }),
        "lost" => return alone(Play::Lost(name)),
        "away" => return alone(Play::Away(name)),
        "expose" => return alone(Play::ExposeOwn(name)),
        _ => {}
    }
    // These are lines of their own, or done by themselves.
    let apart = [ActionKind::Expose, ActionKind::Lift, ActionKind::Cut];
    let mut kinds = ActionKind::ALL.into_iter().filter(|kind| !apart.contains(kind));
    let kind = kinds.find(|kind| kind.to_string() == verb.text);
    let kind = kind.ok_or_else(|| verb.fault(Fault::UnknownMove(verb.short())))?;
    let word = match kind {
        ActionKind::Bet => Some(number("A bet 5")?),
        ActionKind::Dark => Some(number("A dark 2")?),
        ActionKind::Replace => Some(number("A replace 5")?),
        _ => None,
    };
    let named = match word {
        Some(word) => word.number()?,
        None => {
            done(rest, 0)?;
            0
        }
    };
    let too_large = word.unwrap_or(verb);
    let action = kind.action(named);
    let action = action.ok_or_else(|| too_large.fault(Fault::NotANumber(too_large.short())))?;
    Ok(Play::Move { name, action })
}

/// `21`, or three of one rank as in `AAA`.
fn points(word: Word<'_>) -> Result<Points, Failure> {
    let bad = || word.fault(Fault::BadPoints(word.short()));
    let letters: Vec<char> = word.text.chars().collect();
    if let [one, two, three] = letters.as_slice()
        && one == two
        && two == three
        && let Some(rank) = Rank::ALL.iter().find(|rank| rank.letter() == one.to_ascii_uppercase())
    {
        return Ok(Points::Three(*rank));
    }
    let sum = word.number().map_err(|_| bad())?;
    u32::try_from(sum).ok().filter(|sum| *sum <= 34).map(Points::Sum).ok_or_else(bad)
}

/// What such a word says.
#[cfg(test)]
pub(super) fn points_of(text: &str) -> Result<Points, Failure> {
    points(Word { text, place: super::Place::default() })
}

/// Everything that one `expect` line says.
fn expectations<'a>(words: &[Word<'a>]) -> Result<Vec<Expect<'a>>, Failure> {
    let mut all = Vec::new();
    let mut rest = words;
    while let Some((what, after)) = rest.split_first() {
        let form = |form| what.fault(Fault::Form(form));
        let mut used = 1;
        match what.text {
            "stacks" => {
                used = after.iter().take_while(|word| word.text.contains('=')).count();
                if used == 0 {
                    return Err(form("expect stacks A=95 B=93"));
                }
                for word in after.iter().take(used) {
                    all.push(stack(*word)?);
                }
            }
            "bank" => {
                let chips = after.first().ok_or_else(|| form("expect bank 20"))?.number()?;
                all.push(Expect::Bank { at: *what, chips });
            }
            "turn" => {
                all.push(Expect::Turn(*after.first().ok_or_else(|| form("expect turn A"))?));
            }
            "phase" => {
                let phase = after.first().ok_or_else(|| form("expect phase betting"))?;
                all.push(Expect::Phase(*phase));
            }
            "active" => {
                used = after.iter().take_while(|word| !RESERVED.contains(&word.text)).count();
                let names: Vec<Word<'a>> = after.iter().take(used).copied().collect();
                if names.is_empty() {
                    return Err(form("expect active A B"));
                }
                all.push(Expect::Active { at: *what, names });
            }
            "price" => {
                let (price, words) = price(*what, after)?;
                used = words;
                all.push(price);
            }
            _ => return Err(what.fault(Fault::UnknownExpect(what.short()))),
        }
        rest = after.get(used..).unwrap_or_default();
    }
    Ok(all)
}

/// `A=95`.
fn stack<'a>(word: Word<'a>) -> Result<Expect<'a>, Failure> {
    let form = || word.fault(Fault::Form("expect stacks A=95 B=93"));
    let (name, chips) = word.text.split_once('=').ok_or_else(form)?;
    let behind = name.chars().count().saturating_add(1);
    let column = word.place.column.saturating_add(u64::try_from(behind).unwrap_or(0));
    let chips = Word { text: chips, place: super::Place { column, ..word.place } };
    if chips.text.is_empty() {
        return Err(form());
    }
    Ok(Expect::Stack { name: Word { text: name, ..word }, chips: chips.number()? })
}

/// `X pass N compare N|-`, either half alone too; and how many words it takes.
fn price<'a>(what: Word<'a>, words: &[Word<'a>]) -> Result<(Expect<'a>, usize), Failure> {
    let form = || what.fault(Fault::Form("expect price A pass 5 compare 10"));
    let name = *words.first().ok_or_else(form)?;
    let (mut pass, mut compare, mut used) = (None, None, 1);
    while let Some(word) = words.get(used) {
        let value = || words.get(used + 1).copied().ok_or_else(form);
        match word.text {
            "pass" => pass = Some(value()?.number()?),
            "compare" => {
                let value = value()?;
                compare = Some(if value.text == "-" { None } else { Some(value.number()?) });
            }
            _ => break,
        }
        used += 2;
    }
    if pass.is_none() && compare.is_none() {
        return Err(form());
    }
    Ok((Expect::Price { name, pass, compare }, used))
}
