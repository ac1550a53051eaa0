//! From arguments to a [`Cli`], with clap's complaints in the player's language.

use std::ffi::{OsStr, OsString};

use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Cli;
use super::help::command;
use crate::i18n::{Lang, Locale, Problem};

/// The bots that `--bot` may name.
const BOTS: [&str; 3] = ["careful", "bold", "random"];

/// What the arguments came to.
#[derive(Debug)]
pub enum Parsed {
    /// Something to do.
    Run(Box<Cli>),
    /// A help text or the version, to be shown as it is.
    Show(String),
}

/// The locale of these arguments: `--lang`, else that of the settings, else the environment's. Looked
/// up before anything is parsed, so that even complaints about the arguments are in the right language.
#[must_use]
pub fn locale_of(args: &[OsString], config: Option<Lang>) -> Locale {
    Locale::of_process(asked_language(args).or(config))
}

pub(super) fn asked_language(args: &[OsString]) -> Option<Lang> {
    let args = args.iter().take_while(|arg| *arg != "--").filter_map(|arg| arg.to_str());
    let (mut asked, mut next_is_value) = (None, false);
    for arg in args {
        if next_is_value {
            asked = arg.parse().ok().or(asked);
        } else if let Some(value) = arg.strip_prefix("--lang=") {
            asked = value.parse().ok().or(asked);
        }
        next_is_value = arg == "--lang";
    }
    asked
}

/// Reads the arguments, the program's name first.
///
/// # Errors
/// They are not understood.
pub fn parse(args: &[OsString], locale: Locale) -> Result<Parsed, Problem> {
    let matches = command(locale).try_get_matches_from(with_bot_values(args));
    match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => Ok(Parsed::Run(Box::new(cli))),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                Ok(Parsed::Show(locale.shown(error.render().to_string())))
            }
            _ => Err(problem(&error)),
        },
    }
}

/// `--bot` takes a value or none. What follows it is a value only if it names a bot, or
/// `trinka --bot join` would have a bot called “join”.
fn with_bot_values(args: &[OsString]) -> Vec<OsString> {
    let end = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    args.iter()
        .enumerate()
        .map(|(at, arg)| {
            let next = args.get(at + 1).filter(|_| at + 1 < end).and_then(|next| next.to_str());
            if at < end
                && arg == OsStr::new("--bot")
                && !next.is_some_and(|next| BOTS.contains(&next))
            {
                OsString::from("--bot=careful")
            } else {
                arg.clone()
            }
        })
        .collect()
}

/// The complaint in our words.
fn problem(error: &clap::Error) -> Problem {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let argument = text(ContextKind::InvalidArg);
    let value = text(ContextKind::InvalidValue);
    match (error.kind(), argument, value) {
        (ErrorKind::UnknownArgument, Some(argument), _) => Problem::UnknownArgument { argument },
        (ErrorKind::InvalidSubcommand, _, _) => match text(ContextKind::InvalidSubcommand) {
            Some(command) => Problem::UnknownCommand { command },
            None => usage(error),
        },
        (ErrorKind::InvalidValue, Some(argument), Some(value)) if value.is_empty() => {
            Problem::MissingArgument { argument }
        }
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(argument), Some(value)) => {
            Problem::BadValue { argument, value }
        }
        (ErrorKind::MissingRequiredArgument, Some(argument), _) => {
            Problem::MissingArgument { argument }
        }
        (
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
            ..,
        ) => Problem::MissingArgument { argument: "<COMMAND>".to_owned() },
        (ErrorKind::ArgumentConflict, Some(one), _) => Problem::OptionsClash {
            other: text(ContextKind::PriorArg).unwrap_or_else(|| one.clone()),
            one,
        },
        _ => usage(error),
    }
}

/// Rare complaints, in clap's words: the first line, without its label.
fn usage(error: &clap::Error) -> Problem {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    Problem::Usage { text: line.trim_start_matches("error: ").to_owned() }
}
