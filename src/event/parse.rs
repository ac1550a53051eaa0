//! Reading commands, strictly: what is not understood in full is refused, with a sentence that
//! says which part, and changes nothing.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor},
};
use serde_json::Value;
use thiserror::Error;

use super::{Command, Move, MoveKind};
use crate::rules::{Chips, Seat};

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 64 * 1024;

/// The longest text that is said or advised, in bytes.
pub const MAX_TEXT: usize = 1000;

/// More fields than any command has; what comes after is not even kept.
const MAX_FIELDS: usize = 8;

/// The most switches that one proposal of house rules can change.
pub const MAX_CHANGES: usize = 64;

/// The most seats that a pool can have.
const MAX_PARTNERS: usize = 10;

/// How much of a foreign word is quoted back.
const MAX_QUOTED: usize = 40;

/// The fields that name a command.
const COMMANDS: [&str; 16] = [
    "move",
    "advice",
    "rebuy",
    "say",
    "leave",
    "start",
    "ready",
    "sit-out",
    "more-time",
    "admit",
    "unfreeze",
    "close",
    "tens",
    "agree-rules",
    "divide",
    "propose-rules",
];

/// Why a line is no command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Longer than [`MAX_LINE`].
    #[error("the line is longer than {MAX_LINE} bytes")]
    TooLong,
    /// Not JSON at all.
    #[error("the line is not JSON")]
    NotJson,
    /// JSON, but no object.
    #[error("a command is one JSON object, such as {{\"move\":\"fold\"}}")]
    NotObject,
    /// An object that names no command.
    #[error("the object names no command")]
    NoCommand,
    /// A field that no command has, or not this one.
    #[error("there is no field \"{field}\" here")]
    UnknownField {
        /// The field.
        field: String,
    },
    /// A move that does not exist.
    #[error("there is no move \"{name}\"")]
    UnknownMove {
        /// What stood there.
        name: String,
    },
    /// A field that is needed and not there.
    #[error("the field \"{field}\" is missing")]
    Missing {
        /// The field.
        field: &'static str,
    },
    /// A field twice.
    #[error("the field \"{field}\" is there twice")]
    Twice {
        /// The field.
        field: String,
    },
    /// A field with a value of another kind.
    #[error("the field \"{field}\" takes {takes}")]
    Wrong {
        /// The field.
        field: &'static str,
        /// What belongs there.
        takes: Takes,
    },
}

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A whole number, not negative.
    Number,
    /// A seat number.
    Seat,
    /// A list of at most ten.
    List,
    /// As many shares as seats.
    Shares,
    /// Text that is not empty and not too long.
    Text,
    /// Only `true`.
    True,
    /// `true` or `false`.
    Bool,
    /// An object with one field.
    Object,
    /// An object of switches with their values.
    Switches,
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number => "a whole number",
            Self::Seat => "a seat number",
            Self::List => "a list of two to ten",
            Self::Shares => "as many whole numbers as there are seats",
            Self::Text => "a text of at most 1000 bytes",
            Self::True => "only true",
            Self::Bool => "true or false",
            Self::Object => "an object",
            Self::Switches => "an object of switches with their values",
        })
    }
}

impl Command {
    /// Reads one line of JSON.
    pub fn from_json(line: &str) -> Result<Self, CommandError> {
        if line.len() > MAX_LINE {
            return Err(CommandError::TooLong);
        }
        let fields: Object = serde_json::from_str(line).map_err(|error| {
            if error.is_data() { CommandError::NotObject } else { CommandError::NotJson }
        })?;
        Self::from_fields(fields)
    }

    fn from_fields(mut fields: Object) -> Result<Self, CommandError> {
        fields.check_twice()?;
        let name = fields.command()?;
        let command = match name {
            "move" => Self::Move(read_move(&mut fields)?),
            "advice" => Self::Advice(fields.text("advice")?),
            "rebuy" => Self::Rebuy(fields.number("rebuy")?),
            "say" => Self::Say(fields.text("say")?),
            "leave" => fields.yes("leave", Self::Leave)?,
            "start" => fields.yes("start", Self::Start)?,
            "ready" => fields.yes("ready", Self::Ready)?,
            "sit-out" => fields.yes("sit-out", Self::SitOut)?,
            "more-time" => fields.yes("more-time", Self::MoreTime)?,
            "close" => fields.yes("close", Self::Close)?,
            "agree-rules" => Self::AgreeRules { yes: fields.bool("agree-rules")? },
            "divide" => Self::Divide { yes: fields.bool("divide")? },
            "propose-rules" => Self::ProposeRules { changes: fields.switches("propose-rules")? },
            "admit" => {
                let mut inner = fields.object("admit")?;
                let key = inner.text("key")?;
                inner.nothing_left()?;
                Self::Admit { key }
            }
            "unfreeze" => {
                let mut inner = fields.object("unfreeze")?;
                let seat = inner.seat("seat")?;
                inner.nothing_left()?;
                Self::Unfreeze { seat }
            }
            _ => {
                let mut inner = fields.object("tens")?;
                let redeal = inner.bool("redeal")?;
                inner.nothing_left()?;
                Self::Tens { redeal }
            }
        };
        fields.nothing_left()?;
        Ok(command)
    }
}

fn read_move(fields: &mut Object) -> Result<Move, CommandError> {
    let name = fields.text("move")?;
    let kind = MoveKind::from_name(&name)
        .ok_or_else(|| CommandError::UnknownMove { name: quoted(&name) })?;
    Ok(match kind {
        MoveKind::Bet => Move::Bet(fields.number("amount")?),
        MoveKind::Dark => Move::Dark(fields.number("amount")?),
        MoveKind::Cut => Move::Cut(fields.number("at")?),
        MoveKind::Lift => Move::Lift(fields.number("at")?),
        MoveKind::Replace => Move::Replace(fields.number("at")?),
        MoveKind::Expose => Move::Expose(fields.seat("seat")?),
        MoveKind::Pact => Move::Pact(fields.seat("with")?),
        MoveKind::Pool => Move::Pool(read_pool(fields)?),
        MoveKind::Look => Move::Look,
        MoveKind::Fold => Move::Fold,
        MoveKind::Compare => Move::Compare,
        MoveKind::Redeal => Move::Redeal,
        MoveKind::Boil => Move::Boil,
        MoveKind::Accept => Move::Accept,
        MoveKind::Refuse => Move::Refuse,
        MoveKind::Split => Move::Split,
        MoveKind::NoSplit => Move::NoSplit,
        MoveKind::Enter => Move::Enter,
        MoveKind::StayOut => Move::StayOut,
        MoveKind::Ante => Move::Ante,
        MoveKind::Omit => Move::Omit,
        MoveKind::Keep => Move::Keep,
    })
}

fn read_pool(fields: &mut Object) -> Result<Vec<(Seat, Chips)>, CommandError> {
    let seats = fields.list("with")?;
    let shares = fields.list("shares")?;
    if seats.len() != shares.len() {
        return Err(CommandError::Wrong { field: "shares", takes: Takes::Shares });
    }
    seats
        .iter()
        .zip(&shares)
        .map(|(seat, share)| {
            let seat =
                as_seat(seat).ok_or(CommandError::Wrong { field: "with", takes: Takes::Seat })?;
            let share = share
                .as_u64()
                .ok_or(CommandError::Wrong { field: "shares", takes: Takes::Number })?;
            Ok((seat, share))
        })
        .collect()
}

fn as_seat(value: &Value) -> Option<Seat> {
    value.as_u64().and_then(|seat| u8::try_from(seat).ok()).map(Seat)
}

/// A foreign word, short and without control characters, to be quoted back.
fn quoted(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).take(MAX_QUOTED).collect()
}

/// The fields of an object in the order they came, doubles included: a map would hide them.
struct Object(Vec<(String, Value)>);

impl Object {
    fn check_twice(&self) -> Result<(), CommandError> {
        let mut seen = std::collections::BTreeSet::new();
        match self.0.iter().find(|(name, _)| !seen.insert(name.as_str())) {
            Some((name, _)) => Err(CommandError::Twice { field: quoted(name) }),
            None => Ok(()),
        }
    }

    /// The one field that names a command.
    fn command(&self) -> Result<&'static str, CommandError> {
        let mut named =
            COMMANDS.into_iter().filter(|command| self.0.iter().any(|(name, _)| name == command));
        match (named.next(), named.next()) {
            (Some(name), None) => Ok(name),
            (Some(_), Some(second)) => Err(CommandError::UnknownField { field: second.to_owned() }),
            (None, _) => match self.0.first() {
                Some((field, _)) => Err(CommandError::UnknownField { field: quoted(field) }),
                None => Err(CommandError::NoCommand),
            },
        }
    }

    fn take(&mut self, field: &'static str) -> Result<Value, CommandError> {
        let at = self
            .0
            .iter()
            .position(|(name, _)| name == field)
            .ok_or(CommandError::Missing { field })?;
        Ok(self.0.swap_remove(at).1)
    }

    fn number(&mut self, field: &'static str) -> Result<u64, CommandError> {
        let wrong = CommandError::Wrong { field, takes: Takes::Number };
        self.take(field)?.as_u64().ok_or(wrong)
    }

    fn seat(&mut self, field: &'static str) -> Result<Seat, CommandError> {
        let wrong = CommandError::Wrong { field, takes: Takes::Seat };
        as_seat(&self.take(field)?).ok_or(wrong)
    }

    fn text(&mut self, field: &'static str) -> Result<String, CommandError> {
        match self.take(field)? {
            Value::String(text) if !text.trim().is_empty() && text.len() <= MAX_TEXT => Ok(text),
            _ => Err(CommandError::Wrong { field, takes: Takes::Text }),
        }
    }

    fn bool(&mut self, field: &'static str) -> Result<bool, CommandError> {
        let wrong = CommandError::Wrong { field, takes: Takes::Bool };
        self.take(field)?.as_bool().ok_or(wrong)
    }

    fn yes(&mut self, field: &'static str, command: Command) -> Result<Command, CommandError> {
        match self.take(field)? {
            Value::Bool(true) => Ok(command),
            _ => Err(CommandError::Wrong { field, takes: Takes::True }),
        }
    }

    fn list(&mut self, field: &'static str) -> Result<Vec<Value>, CommandError> {
        match self.take(field)? {
            Value::Array(list) if (2..=MAX_PARTNERS).contains(&list.len()) => Ok(list),
            _ => Err(CommandError::Wrong { field, takes: Takes::List }),
        }
    }

    fn object(&mut self, field: &'static str) -> Result<Self, CommandError> {
        match self.take(field)? {
            Value::Object(map) => Ok(Self(map.into_iter().collect())),
            _ => Err(CommandError::Wrong { field, takes: Takes::Object }),
        }
    }

    /// Switches with their values; numbers, `true` and `false` may stand without quotes.
    fn switches(&mut self, field: &'static str) -> Result<Vec<(String, String)>, CommandError> {
        let wrong = || CommandError::Wrong { field, takes: Takes::Switches };
        let Value::Object(map) = self.take(field)? else { return Err(wrong()) };
        if map.is_empty() || map.len() > MAX_CHANGES {
            return Err(wrong());
        }
        map.into_iter()
            .map(|(name, value)| {
                let value = match value {
                    Value::String(text) if text.len() <= MAX_TEXT => text,
                    Value::Number(number) => number.to_string(),
                    Value::Bool(yes) => yes.to_string(),
                    _ => return Err(wrong()),
                };
                Ok((name, value))
            })
            .collect()
    }

    fn nothing_left(&self) -> Result<(), CommandError> {
        match self.0.first() {
            Some((field, _)) => Err(CommandError::UnknownField { field: quoted(field) }),
            None => Ok(()),
        }
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry::<String, Value>()? {
                    // The first unknown field is refused, so those after it are never looked at.
                    if fields.len() < MAX_FIELDS {
                        fields.push(field);
                    }
                }
                Ok(Object(fields))
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Object::deserialize(deserializer)?;
        Self::from_fields(fields).map_err(de::Error::custom)
    }
}
