//! `trinka referee`: settles a dispute from a script.

use std::io::{self, Read as _};

use super::Failure;
use super::console::Console;
use crate::cli::{Exit, Referee};
use crate::house::{read_file, text_of};
use crate::i18n::{Lang, Problem, messages as m, printable};
use crate::referee::{self, Fault, MAX_SCRIPT, State, Verdict};
use crate::rules::{Chips, ResultKind, Seat};

/// Replays the script, and tells whether it holds and how things stand at its end.
pub(super) fn run(options: &Referee, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = options.file.to_string_lossy().into_owned();
    let script = if file == "-" { stdin()? } else { read_file(&file, MAX_SCRIPT as u64)? };
    let verdict = referee::referee(&script);
    let lang = console.lang();
    if options.json {
        console.json(&verdict.state);
    } else if verdict.failure.is_none() {
        console.say(m::ref_lines(lang, verdict.lines));
        tell(&verdict.state, lang, console);
    }
    let Verdict { failure, names, .. } = verdict;
    let Some(failure) = failure else {
        return Ok(Exit::Ok);
    };
    let name = |seat: Seat| names.get(usize::from(seat.0)).cloned().unwrap_or_default();
    let for_players = match &failure.fault {
        Fault::Rules(error) => error.switches().is_empty(),
        Fault::TooMany(_) => true,
        _ => false,
    };
    let problem = problem(failure.fault, &name);
    let problem = problem.in_file(&file, failure.place.line, failure.place.column);
    console.note(problem.message(lang, &name));
    // The advice for refused moves and commands is for players at a table.
    if !for_players {
        console.note(problem.advice(lang, &name));
    }
    Ok(Exit::Failure)
}

fn stdin() -> Result<String, Problem> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_SCRIPT as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Problem::FileUnreadable {
        file: "-".to_owned(),
        reason: error.to_string(),
    })?;
    text_of("-", bytes, MAX_SCRIPT as u64)
}

/// How things stand, in a few lines.
fn tell(state: &State, lang: Lang, console: &mut Console<'_>) {
    let stacks: Vec<String> =
        state.stacks.iter().map(|(name, chips)| m::has(lang, printable(name), *chips)).collect();
    console.say(m::ref_phase(lang, state.phase, state.bank));
    if let Some(name) = &state.turn {
        console.say(m::ref_turn(lang, printable(name)));
    }
    if let Some(result) = &state.result {
        let (names, amount): (String, Chips) = (result.seats.join(", "), result.amount);
        console.say(match result.kind {
            ResultKind::Win => m::ref_win(lang, names, amount),
            ResultKind::Split => m::ref_split(lang, names, amount),
        });
    }
    if !stacks.is_empty() {
        console.say(m::ref_stacks(lang, stacks.join(", ")));
    }
}

/// A fault as a player is told it.
fn problem(fault: Fault, name: &dyn Fn(Seat) -> String) -> Problem {
    match fault {
        Fault::UnknownLine(word) => Problem::ScriptLine { word },
        Fault::UnknownMove(word) => Problem::ScriptMove { word },
        Fault::UnknownExpect(word) => Problem::ScriptExpect { word },
        Fault::Form(form) => Problem::ScriptForm { form: form.to_owned() },
        Fault::TooMany(word) => Problem::TooManyWords { word },
        Fault::NotANumber(text) => Problem::NotANumber { text },
        Fault::NotACard(text) => Problem::NotACard { text },
        Fault::NotThree(cards) => Problem::NotThree { cards },
        Fault::BadPoints(text) => Problem::ScriptPoints { text },
        Fault::BadName(name) => Problem::ScriptName { name },
        Fault::NameTwice(name) => Problem::ScriptNameTwice { name },
        Fault::TooManySeats(most) => Problem::ScriptSeats { most },
        Fault::NoSuchName(name) => Problem::ScriptNobody { name },
        Fault::TooLate(word) => Problem::ScriptLate { word },
        Fault::NotAMove(word) => Problem::ScriptNoMove { word },
        Fault::Rules(error) => Problem::Rules(error),
        Fault::NoThreeTens(seat) => Problem::ScriptNoTens { name: name(seat) },
        Fault::NotRefused => Problem::ScriptAllowed,
        Fault::CardsUnknown(seat) => Problem::ScriptCards { name: name(seat) },
        Fault::DealerFixed(seat) => Problem::ScriptDealer { name: name(seat) },
        Fault::DealerOpen => Problem::ScriptNoDealer,
        Fault::Expected { what, expected, found } => Problem::ScriptFalse { what, expected, found },
    }
}
