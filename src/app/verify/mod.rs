//! `trinka verify`: replays transcripts from nothing and tells what holds.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::console::Console;
use crate::cli::{Exit, Verify};
use crate::i18n::{messages as m, printable};

mod chain;
mod check;
mod files;
mod tell;

use chain::Chain;
pub(super) use check::{Outcome, check_all, replay};
pub(super) use files::transcripts;
pub(super) use tell::lines as tell_lines;

/// Runs the command. The worst outcome decides how it ends: a rejection, then anything that is not a
/// whole hand.
pub(super) fn run(verify: &Verify, console: &mut Console<'_>) -> Exit {
    let mut exit = Exit::Ok;
    let mut files = Vec::new();
    let mut chains: BTreeMap<PathBuf, Chain> = BTreeMap::new();
    for path in &verify.files {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let found = transcripts(path).and_then(|found| match found.len() {
            0 => Err(files::without(path)),
            _ => Ok(found),
        });
        match found {
            Ok(found) => {
                chains.entry(path.clone()).or_default();
                files.extend(found);
            }
            Err(problem) => {
                exit = worse(exit, Exit::Failure);
                console.problem(&problem);
            }
        }
    }
    let mut whole = 0_u64;
    check_all(&files, |file, outcome| {
        let chain = file.parent().and_then(|dir| chains.get_mut(dir));
        let outcome = linked(outcome, chain);
        exit = worse(exit, exit_of(&outcome));
        whole += u64::from(matches!(outcome, Outcome::Good(_)));
        if verify.json {
            tell::json(file, &outcome, console);
        } else {
            for line in tell::lines(file, &outcome, console.locale()) {
                match outcome {
                    Outcome::Unreadable(_) => console.note(line),
                    _ => console.say(line),
                }
            }
        }
    });
    for (owner, hands) in chains.values().flat_map(Chain::missing) {
        let hands: Vec<String> = hands.iter().map(numbers).collect();
        console.note(m::verify_missing(console.lang(), printable(owner), hands.join(", ")));
    }
    if !verify.json && !files.is_empty() {
        let lang = console.lang();
        if files.len() > 1 {
            console.say(m::verify_summary(lang, whole, files.len() as u64));
        }
        if whole > 0 {
            console.say(m::verify_keys_only(lang));
        }
    }
    exit
}

/// `3`, or `3–7`.
fn numbers(hands: &RangeInclusive<u64>) -> String {
    let (first, last) = (hands.start(), hands.end());
    if first == last { first.to_string() } else { format!("{first}–{last}") }
}

/// The outcome with regard to the hands beside it.
fn linked(outcome: Outcome, chain: Option<&mut Chain>) -> Outcome {
    let (Outcome::Good(report) | Outcome::Unfinished(report)) = &outcome else { return outcome };
    match chain.and_then(|chain| chain.add(report)) {
        Some(problem) => Outcome::Bad(Box::new(problem)),
        None => outcome,
    }
}

const fn exit_of(outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Good(_) | Outcome::Forked(_) | Outcome::Evidence(_) => Exit::Ok,
        Outcome::Unfinished(_) | Outcome::Unreadable(_) => Exit::Failure,
        Outcome::Bad(_) => Exit::Rejected,
    }
}

fn worse(one: Exit, other: Exit) -> Exit {
    if one.code() < other.code() { other } else { one }
}
