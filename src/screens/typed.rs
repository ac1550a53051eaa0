//! Reading what a player types.

use super::asking::choices;
use super::view::View;
use super::words;
use crate::event::{Command, LegalMove, MAX_CHANGES, MAX_LINE, MAX_TEXT, Move, MoveKind};
use crate::i18n::{Lang, Problem};
use crate::rules::{Chips, Seat};

/// The most seats that a pool can have.
const MAX_PARTNERS: usize = 10;

/// A word that can be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Call,
    Raise,
    Bet,
    Dark,
    Look,
    Fold,
    Compare,
    Redeal,
    Boil,
    Accept,
    Refuse,
    Split,
    NoSplit,
    Enter,
    StayOut,
    Cut,
    Lift,
    Replace,
    Keep,
    Ante,
    Omit,
    Expose,
    Pool,
    Pact,
    Say,
    Advice,
    Rebuy,
    Leave,
    Hint,
    Help,
    Start,
    Ready,
    SitOut,
    MoreTime,
    Who,
    Admit,
    Unfreeze,
    Close,
    Tens,
    AgreeRules,
    RefuseRules,
    Divide,
    NoDivide,
    Propose,
    Rules,
}

/// What a line turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// Nothing.
    Nothing,
    /// For the table.
    Command(Command),
    /// The list of commands is wanted.
    Help,
    /// The table as it stands is wanted.
    Who,
    /// A hint is wanted.
    Hint,
    /// The rules in force are wanted, in plain words.
    Rules,
}

/// Reads a line as somebody means it who sees `view`.
pub(super) fn read(lang: Lang, view: &View, line: &str) -> Result<Typed, Problem> {
    if line.len() > MAX_LINE {
        return Err(Problem::TextTooLong { most: MAX_TEXT as u64 });
    }
    let line = line.trim();
    let Some((word, shown, rest)) = first_word(line)? else {
        return Ok(Typed::Nothing);
    };
    Reader { lang, view, word: shown, rest }.read(word)
}

/// The command's word, as typed and as understood, and what follows it. Two words together come
/// first: “no split” is not “no”.
fn first_word(line: &str) -> Result<Option<(Word, &str, &str)>, Problem> {
    let (first, rest) = split_word(line);
    if first.is_empty() {
        return Ok(None);
    }
    let (second, after) = split_word(rest);
    if let Some(word) = words::find(&format!("{first}-{second}")) {
        let end = line.len() - after.len();
        let shown = line.get(..end).unwrap_or(line).trim_end();
        return Ok(Some((word, shown, after)));
    }
    match words::find(first) {
        Some(word) => Ok(Some((word, first, rest))),
        None => Err(Problem::UnknownWord { word: shorten(first) }),
    }
}

fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((first, rest)) => (first, rest.trim_start()),
        None => (text, ""),
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A command whose word is known.
struct Reader<'a> {
    lang: Lang,
    view: &'a View,
    word: &'a str,
    rest: &'a str,
}

impl Reader<'_> {
    fn read(mut self, word: Word) -> Result<Typed, Problem> {
        let typed = match word {
            Word::Help => Typed::Help,
            Word::Who => Typed::Who,
            Word::Hint => Typed::Hint,
            Word::Rules => Typed::Rules,
            Word::Say => Typed::Command(Command::Say(self.text()?)),
            Word::Advice => Typed::Command(Command::Advice(self.text()?)),
            Word::Rebuy => Typed::Command(Command::Rebuy(self.number()?)),
            Word::Leave => Typed::Command(Command::Leave),
            Word::Start => Typed::Command(Command::Start),
            Word::Ready => Typed::Command(Command::Ready),
            Word::SitOut => Typed::Command(Command::SitOut),
            Word::MoreTime => Typed::Command(Command::MoreTime),
            Word::Admit => Typed::Command(Command::Admit { key: self.next_word()?.to_owned() }),
            Word::Unfreeze => Typed::Command(Command::Unfreeze { seat: self.seat()? }),
            Word::Close => Typed::Command(Command::Close),
            Word::Tens => Typed::Command(Command::Tens { redeal: self.yes_or_no()? }),
            Word::AgreeRules => Typed::Command(Command::AgreeRules { yes: true }),
            Word::RefuseRules => Typed::Command(Command::AgreeRules { yes: false }),
            Word::Divide => Typed::Command(Command::Divide { yes: true }),
            Word::NoDivide => Typed::Command(Command::Divide { yes: false }),
            Word::Propose => Typed::Command(Command::ProposeRules { changes: self.switches()? }),
            word => Typed::Command(Command::Move(self.game_move(word)?)),
        };
        if self.rest.is_empty() {
            Ok(typed)
        } else {
            Err(Problem::TooManyWords { word: shorten(self.rest) })
        }
    }

    fn game_move(&mut self, word: Word) -> Result<Move, Problem> {
        Ok(match word {
            Word::Call => self.call()?,
            Word::Raise => self.raise()?,
            // “Ставлю” alone is the ante, where the ante is asked for.
            Word::Bet if self.rest.is_empty() && self.is_open(MoveKind::Ante) => Move::Ante,
            Word::Bet => Move::Bet(self.amount(MoveKind::Bet)?),
            Word::Dark => Move::Dark(self.amount(MoveKind::Dark)?),
            // A look is free on and off turn.
            Word::Look => Move::Look,
            Word::Fold => self.bare(MoveKind::Fold, Move::Fold)?,
            Word::Compare => self.compare()?,
            Word::Redeal => self.bare(MoveKind::Redeal, Move::Redeal)?,
            Word::Boil => self.bare(MoveKind::Boil, Move::Boil)?,
            Word::Accept => self.bare(MoveKind::Accept, Move::Accept)?,
            Word::Refuse => self.bare(MoveKind::Refuse, Move::Refuse)?,
            Word::Split => self.bare(MoveKind::Split, Move::Split)?,
            Word::NoSplit => self.bare(MoveKind::NoSplit, Move::NoSplit)?,
            Word::Enter => self.bare(MoveKind::Enter, Move::Enter)?,
            Word::StayOut => self.bare(MoveKind::StayOut, Move::StayOut)?,
            Word::Ante => self.bare(MoveKind::Ante, Move::Ante)?,
            Word::Omit => self.bare(MoveKind::Omit, Move::Omit)?,
            Word::Keep => self.bare(MoveKind::Keep, Move::Keep)?,
            Word::Cut => Move::Cut(self.place(MoveKind::Cut)?),
            Word::Lift => Move::Lift(self.place(MoveKind::Lift)?),
            Word::Replace => Move::Replace(self.place(MoveKind::Replace)?),
            Word::Expose => Move::Expose(self.seat()?),
            Word::Pact => Move::Pact(self.seat()?),
            _ => Move::Pool(self.pool()?),
        })
    }

    fn is_open(&self, kind: MoveKind) -> bool {
        self.view.my_turn().is_some_and(|turn| turn.find(kind).is_some())
    }

    /// The limits of a move that has to be open.
    fn open(&self, kind: MoveKind) -> Result<LegalMove, Problem> {
        let turn = self.view.my_turn().ok_or(Problem::NotYourWord)?;
        turn.find(kind).ok_or_else(|| Problem::MoveNotOpen {
            word: shorten(self.word),
            choices: choices(self.lang, self.view, turn),
        })
    }

    fn bare(&self, kind: MoveKind, step: Move) -> Result<Move, Problem> {
        self.open(kind)?;
        Ok(step)
    }

    fn call(&mut self) -> Result<Move, Problem> {
        let price = self.open(MoveKind::Bet)?.min.unwrap_or(0);
        self.skip_price(price);
        Ok(Move::Bet(price))
    }

    fn compare(&mut self) -> Result<Move, Problem> {
        self.open(MoveKind::Compare)?;
        let price = self.view.my_turn().and_then(|turn| turn.price);
        if let Some(price) = price.and_then(|price| price.compare) {
            self.skip_price(price);
        }
        Ok(Move::Compare)
    }

    /// The question says “call 5”, so that may be typed in full; with another number it is refused.
    fn skip_price(&mut self, price: Chips) {
        if self.rest == price.to_string() {
            self.rest = "";
        }
    }

    fn raise(&mut self) -> Result<Move, Problem> {
        let price = self.open(MoveKind::Bet)?.min.unwrap_or(0);
        match self.amount(MoveKind::Bet)? {
            amount if amount == price => Err(Problem::NotARaise { price }),
            amount => Ok(Move::Bet(amount)),
        }
    }

    /// An amount within the limits of an open move.
    fn amount(&mut self, kind: MoveKind) -> Result<Chips, Problem> {
        let LegalMove { min, max, .. } = self.open(kind)?;
        let amount = self.number()?;
        match (min, max) {
            (Some(price), _) if amount < price => Err(Problem::BelowPrice { amount, price }),
            (_, Some(most)) if amount > most => Err(Problem::AboveMost { amount, most }),
            _ => Ok(amount),
        }
    }

    /// A place within the limits of an open move.
    fn place(&mut self, kind: MoveKind) -> Result<u64, Problem> {
        let LegalMove { min, max, .. } = self.open(kind)?;
        let place = self.number()?;
        match (min, max) {
            (Some(min), Some(max)) if !(min..=max).contains(&place) => {
                Err(Problem::PlaceOutside { place, min, max })
            }
            _ => Ok(place),
        }
    }

    fn number(&mut self) -> Result<u64, Problem> {
        let (text, rest) = split_word(self.rest);
        if text.is_empty() {
            return Err(Problem::NeedsAmount { word: shorten(self.word) });
        }
        let number = parse_number(text)?;
        self.rest = rest;
        Ok(number)
    }

    /// Everything that follows.
    fn text(&mut self) -> Result<String, Problem> {
        let text = std::mem::take(&mut self.rest);
        if text.is_empty() {
            Err(Problem::NeedsText { word: shorten(self.word) })
        } else if text.len() > MAX_TEXT {
            Err(Problem::TextTooLong { most: MAX_TEXT as u64 })
        } else {
            Ok(text.to_owned())
        }
    }

    fn next_word(&mut self) -> Result<&str, Problem> {
        let (text, rest) = split_word(self.rest);
        if text.is_empty() {
            return Err(Problem::NeedsText { word: shorten(self.word) });
        }
        self.rest = rest;
        Ok(text)
    }

    /// The seat that everything that follows names: names may have spaces.
    fn seat(&mut self) -> Result<Seat, Problem> {
        let name = std::mem::take(&mut self.rest);
        if name.is_empty() {
            return Err(Problem::NeedsPlayer { word: shorten(self.word) });
        }
        self.find_seat(name)
    }

    fn find_seat(&self, name: &str) -> Result<Seat, Problem> {
        match self.view.named(self.lang, name).as_slice() {
            [seat] => Ok(*seat),
            [] => Err(Problem::NoSuchPlayer { name: shorten(name) }),
            _ => Err(Problem::SeveralPlayers { name: shorten(name) }),
        }
    }

    fn yes_or_no(&mut self) -> Result<bool, Problem> {
        match words::find(std::mem::take(&mut self.rest)) {
            Some(Word::Accept) => Ok(true),
            Some(Word::Refuse) => Ok(false),
            _ => Err(Problem::TensForm),
        }
    }

    /// A preset, or switches with their values: `seka ante=2`.
    fn switches(&mut self) -> Result<Vec<(String, String)>, Problem> {
        let mut changes = Vec::new();
        for word in std::mem::take(&mut self.rest).split_whitespace() {
            let (switch, value) = word.split_once('=').unwrap_or(("preset", word));
            if switch.is_empty() || value.is_empty() || changes.len() == MAX_CHANGES {
                return Err(Problem::ProposeForm);
            }
            changes.push((switch.to_owned(), value.to_owned()));
        }
        if changes.is_empty() { Err(Problem::ProposeForm) } else { Ok(changes) }
    }

    /// Names and chips in turn; a name is everything up to the next number.
    fn pool(&mut self) -> Result<Vec<(Seat, Chips)>, Problem> {
        let mut shares = Vec::new();
        let mut name: Vec<&str> = Vec::new();
        for word in std::mem::take(&mut self.rest).split_whitespace() {
            // The word after which a number comes may be a number itself: a seat's.
            match word.parse::<u64>() {
                Ok(amount) if !name.is_empty() => {
                    shares.push((self.find_seat(&name.join(" "))?, amount));
                    name.clear();
                }
                _ => name.push(word),
            }
        }
        if name.is_empty() && (2..=MAX_PARTNERS).contains(&shares.len()) {
            Ok(shares)
        } else {
            Err(Problem::PoolForm)
        }
    }
}

fn parse_number(text: &str) -> Result<u64, Problem> {
    // `parse` alone would also take a plus sign.
    if text.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(number) = text.parse()
    {
        return Ok(number);
    }
    Err(Problem::NotANumber { text: shorten(text) })
}
