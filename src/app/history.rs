//! `trinka history`: past hands.

use std::collections::BTreeMap;

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
        (Outcome::Good(report) | Outcome::Unfinished(report), Some(course)) => (report, course),
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
        Some(file) => std::fs::write(file, text).map_err(|error| Problem::FileUnwritable {
            file: file.display().to_string(),
            reason: error.to_string(),
        })?,
    }
    if whole {
        return Ok(Exit::Ok);
    }
    console.note(m::export_short(console.lang()));
    Ok(Exit::Failure)
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
