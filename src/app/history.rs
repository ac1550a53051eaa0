//! `trinka history`: past hands.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::Failure;
use super::console::Console;
use super::verify::{Outcome, replay, tell_lines};
use crate::cli::{Exit, Export, Format, History, HistoryCommand};
use crate::i18n::{Problem, messages as m, printable};
use crate::referee::{self, Played, Script};
use crate::rules::Seat;
use crate::table::transcript::{Course, Report};

/// Runs the command.
pub(super) fn run(history: &History, console: &mut Console<'_>) -> Result<Exit, Failure> {
    match &history.what {
        HistoryCommand::Export(export) => self::export(export, console),
    }
}

/// Writes a hand down. What does not hold is told as `verify` tells it, beside the empty answer.
fn export(options: &Export, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let Format::Referee = options.format;
    let (outcome, course) = replay(&options.file);
    let (report, course) = match (outcome, course) {
        (
            Outcome::Good(report) | Outcome::Unfinished(report) | Outcome::Evidence(report),
            Some(course),
        ) => (report, course),
        (Outcome::Unreadable(problem), _) => return Err(problem.into()),
        (outcome, _) => {
            for line in tell_lines(&options.file, &outcome, console.locale()) {
                console.note(line);
            }
            return Ok(Exit::Rejected);
        }
    };
    let Script { text, whole } = script(options, &report, &course);
    match &options.out {
        None => console.raw(&text),
        Some(file) => write_new(file, &text)?,
    }
    if whole {
        return Ok(Exit::Ok);
    }
    console.note(m::export_short(console.lang()));
    Ok(Exit::Failure)
}

/// Writes a file that does not exist yet: what is there, the transcript itself above all, is never overwritten.
fn write_new(file: &Path, text: &str) -> Result<(), Problem> {
    let named = || file.display().to_string();
    let opened = OpenOptions::new().write(true).create_new(true).open(file);
    let mut opened = opened.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Problem::FileExists { file: named() },
        _ => Problem::FileUnwritable { file: named(), reason: error.to_string() },
    })?;
    let written = opened.write_all(text.as_bytes()).and_then(|()| opened.sync_all());
    written.map_err(|error| Problem::FileUnwritable { file: named(), reason: error.to_string() })
}

fn script(options: &Export, report: &Report, course: &Course) -> Script {
    let names: BTreeMap<Seat, String> =
        course.names.iter().map(|(seat, name)| (*seat, printable(name))).collect();
    let hands = course.hands(!options.public);
    let Course { opening, inputs, .. } = course;
    let played = Played { opening, inputs, names: &names, hands: &hands };
    let Script { text, whole } = referee::script(&played, options.expect);
    let seen = match options.public {
        true => "as all could see it".to_owned(),
        false => format!("as the owner of the key {} saw it", report.owner),
    };
    let head = format!("# Hand {} of the table {}, {seen}.\n", report.hand, report.table);
    Script { text: head + &text, whole }
}
