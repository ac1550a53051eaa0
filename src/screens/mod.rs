//! Screens show events and read what is typed; they decide nothing.
//!
//! A [`Screen`] knows only what events told it. It writes to whatever it was given, so everything
//! here is tested without a terminal.

use std::io::{self, Write};

use crate::event::{Command, Event};
use crate::i18n::{Locale, Problem};

mod asking;
pub mod full;
mod helping;
mod json;
mod plain;
mod telling;
#[cfg(test)]
mod tests;
mod typed;
pub mod view;
mod words;

pub use helping::{help, hint, receipt};
pub use json::Json;
pub use plain::Plain;

/// Something to sit in front of.
pub trait Screen {
    /// Shows what happened.
    ///
    /// # Errors
    /// What it writes to is gone.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Reads a line that was typed or sent. Nothing comes back when there is nothing to do: the
    /// line was empty, was answered here, or was refused (which is shown here too). Lines are JSON where a
    /// screen does not say otherwise.
    ///
    /// # Errors
    /// What it writes to is gone.
    fn command(&mut self, line: &str) -> io::Result<Option<Command>> {
        if line.trim().is_empty() {
            return Ok(None);
        }
        match Command::from_json(line) {
            Ok(command) => Ok(Some(command)),
            Err(error) => {
                self.problem(&Problem::Command(error))?;
                Ok(None)
            }
        }
    }

    /// A command was taken. Most are answered by what comes of them; a screen may say so of the others.
    ///
    /// # Errors
    /// What it writes to is gone.
    fn taken(&mut self, command: &Command) -> io::Result<()> {
        let _ = command;
        Ok(())
    }

    /// Shows that something was refused or went wrong.
    ///
    /// # Errors
    /// What it writes to is gone.
    fn problem(&mut self, problem: &Problem) -> io::Result<()>;
}

/// Which screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Ui {
    /// The whole terminal.
    Full,
    /// One line an event.
    Plain,
    /// One JSON object a line.
    Json,
}

/// The screen of this kind; nothing where it does not exist yet.
pub fn open(ui: Ui, locale: Locale, out: Box<dyn Write + Send>) -> Option<Box<dyn Screen + Send>> {
    match ui {
        Ui::Full => None,
        Ui::Plain => Some(Box::new(Plain::new(locale, out))),
        Ui::Json => Some(Box::new(Json::new(locale.lang, out))),
    }
}

/// Rules in a few words: the preset and every switch that differs from it.
#[must_use]
pub fn rules_in_short(rules: &crate::rules::HouseRules) -> String {
    let preset = crate::rules::HouseRules::preset(rules.preset);
    let mut text = rules.preset.to_string();
    let differing = rules
        .switches()
        .into_iter()
        .zip(preset.switches())
        .filter(|((name, value), (_, usual))| *name != "ante" && value != usual);
    for ((name, value), _) in differing {
        text.push_str(&format!(", {name}={value}"));
    }
    text
}

/// The same as words for the command line: a preset, then `--set` for every switch that differs.
#[must_use]
pub fn rules_words(rules: &crate::rules::HouseRules) -> String {
    rules_in_short(rules).replace(", ", " --set ")
}
