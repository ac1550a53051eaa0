//! What `verify` says about a file.

use std::path::Path;

use serde::Serialize;

use super::check::Outcome;
use crate::app::console::Console;
use crate::event::FaultKind;
use crate::i18n::{Lang, Locale, by_number, messages as m, printable};
use crate::rules::{Chips, ResultKind, Seat};
use crate::table::transcript::{self, ForkReport, Named, Part, Report, ReportSeat};

/// A file whose proofs hold, as programs see it.
#[derive(Serialize)]
struct Holds<'a> {
    file: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    table: &'a str,
    hand: u64,
    owner: &'a str,
    seats: &'a [ReportSeat],
    messages: u64,
    shuffles: u64,
    shares: u64,
    hand_proofs: u64,
    signatures: u64,
    skipped: Vec<Skipped>,
    #[serde(skip_serializing_if = "<[Named]>::is_empty")]
    named: &'a [Named],
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Seat>,
    result: Option<ResultJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suspended: Option<Chips>,
}

/// The proof that two entries were decided at one height.
#[derive(Serialize)]
struct Forked<'a> {
    file: &'a str,
    ok: bool,
    fork: u64,
    table: &'a str,
    owner: &'a str,
    seats: &'a [ReportSeat],
    bank: Chips,
    named: &'a [Seat],
}

#[derive(Serialize)]
struct Skipped {
    seat: Seat,
    height: u64,
}

/// As the referee writes it.
#[derive(Serialize)]
struct ResultJson {
    kind: ResultKind,
    seats: Vec<String>,
    amount: Chips,
}

/// A file that was rejected, or could not be read.
#[derive(Serialize)]
struct Fails<'a> {
    file: &'a str,
    ok: bool,
    error: &'a str,
    part: Option<Part>,
    seat: Option<Seat>,
    message: Option<u64>,
    height: Option<u64>,
}

/// One object for a file.
pub(super) fn json(file: &Path, outcome: &Outcome, console: &mut Console<'_>) {
    let file = &*file.display().to_string();
    match outcome {
        Outcome::Good(report) => console.json(&holds(file, report, None)),
        Outcome::Unfinished(report) => console.json(&holds(file, report, Some("unfinished"))),
        Outcome::Evidence(report) => {
            let evidence = report.named.last().map(|named| named.seat);
            console.json(&Holds { evidence, ..holds(file, report, None) });
        }
        Outcome::Forked(report) => console.json(&Forked {
            file,
            ok: true,
            fork: report.height,
            table: &report.table,
            owner: &report.owner,
            seats: &report.seats,
            bank: report.bank,
            named: &report.named,
        }),
        Outcome::Bad(problem) => console.json(&Fails {
            file,
            ok: false,
            error: &problem.error,
            part: Some(problem.part),
            seat: problem.seat,
            message: problem.message,
            height: problem.height,
        }),
        Outcome::Unreadable(problem) => {
            let error = problem.message(Lang::En, &by_number(Lang::En));
            console.json(&Fails {
                file,
                ok: false,
                error: &error,
                part: None,
                seat: None,
                message: None,
                height: None,
            });
            console.problem(problem);
        }
    }
}

fn holds<'a>(file: &'a str, report: &'a Report, error: Option<&'static str>) -> Holds<'a> {
    Holds {
        file,
        ok: error.is_none(),
        error,
        table: &report.table,
        hand: report.hand,
        owner: &report.owner,
        seats: &report.seats,
        messages: report.messages,
        shuffles: report.shuffles,
        shares: report.shares,
        hand_proofs: report.hand_proofs,
        signatures: report.signatures,
        skipped: report
            .skipped
            .iter()
            .map(|(seat, height)| Skipped { seat: *seat, height: *height })
            .collect(),
        named: &report.named,
        evidence: None,
        result: report.result.as_ref().map(|(kind, seats, amount)| ResultJson {
            kind: *kind,
            seats: seats.iter().map(|seat| name(report, *seat, Lang::En)).collect(),
            amount: *amount,
        }),
        suspended: report.suspended,
    }
}

/// Lines for a file. What is unreadable is a problem, and is told as one.
pub(in crate::app) fn lines(file: &Path, outcome: &Outcome, locale: Locale) -> Vec<String> {
    let lang = locale.lang;
    let shown = printable(&file.display().to_string());
    match outcome {
        Outcome::Good(report) => told(m::verify_ok(lang, shown, report.hand), report, lang),
        Outcome::Unfinished(report) => {
            told(m::verify_unfinished(lang, shown, report.hand), report, lang)
        }
        Outcome::Evidence(report) => {
            let about = report.named.last().map(|named| name(report, named.seat, lang));
            told(m::verify_evidence(lang, shown, about.unwrap_or_default()), report, lang)
        }
        Outcome::Forked(report) => {
            forked(m::verify_forked(lang, shown, report.height), report, lang)
        }
        Outcome::Bad(problem) => {
            let mut lines = vec![m::verify_rejected(lang, shown, part(lang, problem.part))];
            let place = place(lang, problem);
            if !place.is_empty() {
                lines.push(format!("  {place}"));
            }
            lines.push(format!("  {}", m::verify_reason(lang, reason(lang, &problem.error))));
            lines
        }
        Outcome::Unreadable(problem) => vec![problem.text(lang)],
    }
}

fn seats(seats: &[ReportSeat], lang: Lang) -> impl Iterator<Item = String> {
    seats.iter().map(move |seat| {
        let (number, name) = (u64::from(seat.seat.0), printable(&seat.name));
        let key = seat.fingerprint.clone();
        match seat.left {
            true => m::verify_seat_left(lang, number, name, key, seat.before, seat.after),
            false => m::verify_seat(lang, number, name, key, seat.before, seat.after),
        }
    })
}

fn forked(first: String, report: &ForkReport, lang: Lang) -> Vec<String> {
    let named = report.named.iter().map(|seat| {
        let known = report.seats.iter().find(|known| known.seat == *seat);
        let name = known.map_or_else(String::new, |known| printable(&known.name));
        m::verify_two_ways(lang, name)
    });
    let lines = seats(&report.seats, lang).chain(named).map(|line| format!("  {line}"));
    std::iter::once(first).chain(lines).collect()
}

fn told(first: String, report: &Report, lang: Lang) -> Vec<String> {
    let mut lines = vec![first];
    let mut add = |line: String| lines.push(format!("  {line}"));
    seats(&report.seats, lang).for_each(&mut add);
    let r = report;
    add(m::verify_counts(lang, r.messages, r.shuffles, r.shares, r.hand_proofs, r.signatures));
    for (seat, height) in &report.skipped {
        add(m::verify_skipped(lang, name(report, *seat, lang), *height));
    }
    for named in &report.named {
        let name = name(report, named.seat, lang);
        add(match named.kind {
            FaultKind::TwoVotes => m::verify_named_votes(lang, name, named.height),
            FaultKind::TwoMessages => m::verify_named_messages(lang, name, named.height),
            FaultKind::FalseProof | FaultKind::Absent => {
                m::verify_named_proof(lang, name, named.height)
            }
        });
    }
    if let Some(bank) = report.suspended {
        add(m::verify_suspended(lang, bank));
    }
    if let Some((kind, seats, amount)) = &report.result {
        let names: Vec<String> = seats.iter().map(|seat| name(report, *seat, lang)).collect();
        let result = match kind {
            ResultKind::Win => m::wins(lang, names.join(", "), *amount),
            ResultKind::Split => m::verify_split(lang, names.join(", "), *amount),
        };
        add(m::verify_result(lang, result));
    }
    lines
}

/// Where the fault is: entry, message, author.
fn place(lang: Lang, problem: &transcript::Problem) -> String {
    let parts = [
        problem.height.map(|height| m::verify_where_entry(lang, height)),
        problem.message.map(|message| m::verify_where_message(lang, message)),
        problem.seat.map(|seat| m::verify_where_seat(lang, u64::from(seat.0))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn name(report: &Report, seat: Seat, lang: Lang) -> String {
    let known = report.seats.iter().find(|known| known.seat == seat);
    known.map_or_else(|| m::somebody(lang, u64::from(seat.0)), |known| printable(&known.name))
}

fn part(lang: Lang, part: Part) -> String {
    match part {
        Part::Header => m::part_header(lang),
        Part::Founding => m::part_founding(lang),
        Part::Deal => m::part_deal(lang),
        Part::Entry => m::part_entry(lang),
        Part::Certificate => m::part_certificate(lang),
        Part::Signature => m::part_signature(lang),
        Part::Private => m::part_private(lang),
        Part::End => m::part_end(lang),
    }
}

/// The usual reasons in the reader's language; the rare ones as the verifier words them.
fn reason(lang: Lang, error: &str) -> String {
    match error {
        "its bytes were changed" => m::why_damaged(lang),
        "the file ends in the middle of it, or its length was changed" => m::why_short(lang),
        "something else stands in its place" => m::why_kind(lang),
        "the owner's signature does not fit" => m::why_signature(lang),
        "it does not continue the hand before" => m::why_not_after(lang),
        "the hand after does not continue it" => m::why_not_before(lang),
        "something stands behind the end" => m::why_end(lang),
        "not a transcript" | "not a transcript: too short" => m::why_not_one(lang),
        other => printable(other),
    }
}
