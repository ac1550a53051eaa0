//! Judges a demo by what its nodes have written down: every transcript of every node is replayed, and
//! all have to tell the same.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::home::Home;
use super::watch::Watch;
use crate::app::verify::{Outcome, check_all, tell_lines, transcripts};
use crate::i18n::{Locale, messages as m, printable};
use crate::rules::Chips;
use crate::table::met::Met;
use crate::table::transcript::{Report, ReportSeat};

/// What came of it.
#[derive(Default)]
pub(super) struct Verdict {
    /// Hands that every node can prove.
    pub(super) hands: u64,
    /// Do all nodes tell the same, and did no chip appear or vanish?
    pub(super) agree: bool,
    /// Everybody's chips at the end.
    pub(super) stacks: BTreeMap<String, Chips>,
    /// Every file, as the summary names it.
    pub(super) transcripts: Vec<String>,
    /// How many of them hold.
    pub(super) verified: u64,
    /// What the hands have met of the rules.
    pub(super) met: Met,
    /// What is wrong, for people.
    pub(super) faults: Vec<String>,
}

/// The proven hands of one node.
type Hands = BTreeMap<u64, Box<Report>>;

/// Verifies and compares everything.
pub(super) fn judge(
    home: &Home,
    nodes: usize,
    buy_in: Chips,
    watch: &Watch,
    locale: Locale,
) -> Verdict {
    let mut verdict = Verdict::default();
    let mut files: Vec<(usize, PathBuf)> = Vec::new();
    for node in 0..nodes {
        // A node that has written nothing has no directory.
        let found = transcripts(&home.node(node).join("transcripts")).unwrap_or_default();
        files.extend(found.into_iter().map(|file| (node, file)));
    }
    let paths: Vec<PathBuf> = files.iter().map(|(_, path)| path.clone()).collect();
    let mut proven: Vec<Hands> = (0..nodes).map(|_| Hands::new()).collect();
    let mut owners = files.iter().map(|(node, _)| *node);
    check_all(&paths, |file, outcome| {
        let node = owners.next().unwrap_or_default();
        verdict.transcripts.push(home.name(file));
        match outcome {
            Outcome::Good(report) => {
                verdict.verified += 1;
                if let Some(hands) = proven.get_mut(node) {
                    hands.insert(report.hand, report);
                }
            }
            other => verdict.faults.extend(tell_lines(file, &other, locale)),
        }
    });
    let Some((first, others)) = proven.split_first() else { return verdict };
    let everywhere = |hand: &&u64| others.iter().all(|hands| hands.contains_key(hand));
    verdict.hands = first.keys().filter(everywhere).count() as u64;
    for report in first.values() {
        verdict.met.add(&report.met);
    }
    let complaints = compare(&proven, buy_in, watch, locale);
    verdict.agree = verdict.hands > 0 && complaints.is_empty();
    verdict.faults.extend(complaints);
    if let Some(last) = first.values().next_back() {
        verdict.stacks =
            last.seats.iter().map(|seat| (printable(&seat.name), seat.after)).collect();
    }
    verdict
}

/// Everything in which the nodes differ, and every chip that appeared or vanished.
fn compare(proven: &[Hands], buy_in: Chips, watch: &Watch, locale: Locale) -> Vec<String> {
    let lang = locale.lang;
    let mut faults = Vec::new();
    let Some((first, others)) = proven.split_first() else { return faults };
    for (hand, report) in first {
        let same = others
            .iter()
            .filter_map(|hands| hands.get(hand))
            .all(|other| tells_the_same(report, other));
        let told = watch.stacks(*hand).into_iter().flatten();
        let shown = told.into_iter().all(|stacks| {
            report.seats.iter().all(|seat| stacks.get(&seat.seat) == Some(&seat.after))
        });
        if !same || !shown {
            faults.push(m::demo_differ(lang, *hand));
        }
    }
    // Chips come in by buying only: each time a whole buy-in.
    let mut chips: Option<Chips> = None;
    for (hand, report) in first {
        let (before, after) =
            (sum(&report.seats, |seat| seat.before), sum(&report.seats, |seat| seat.after));
        let came = chips.map_or(Some(0), |chips| before.checked_sub(chips));
        let bought = |more: Chips| more.checked_rem(buy_in) == Some(0);
        let kept = came.is_some_and(bought) && after.checked_sub(before).is_some_and(bought);
        if !kept {
            faults.push(m::demo_chips(lang, *hand));
        }
        chips = Some(after);
    }
    faults
}

fn sum(seats: &[ReportSeat], chips: impl Fn(&ReportSeat) -> Chips) -> Chips {
    seats.iter().map(chips).fold(0, Chips::saturating_add)
}

/// Two files of one hand: the same table, the same state before and after, the same winner.
fn tells_the_same(one: &Report, other: &Report) -> bool {
    one.table == other.table
        && one.hand == other.hand
        && one.opening == other.opening
        && one.closing == other.closing
        && one.seats == other.seats
        && one.result == other.result
}
