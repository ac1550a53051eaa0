//! Settles a hand from a script, so that a dispute, or a test, need not be played again.
//!
//! A script has one command a line and `#` comments (rules: Referee scripts). [`referee`] replays
//! it by [`crate::rules`] and stops at the first line that does not hold. Cards never enter the
//! game; what needs them (comparisons, three tens, the best hand of a poor svara) is answered from
//! the `cards` and `points` lines.
//!
//! Where a script leaves out what silence decides, silence it is: on `hand`, and before the first
//! entry of a seat that is no initiator. A line that begins with `!` gets no such help: it must be
//! refused exactly as things stand.
//!
//! Besides what those rules list, a script can say what only happens at a table over the network: `A away`
//! (before `hand`: not dealt in), `A lost` (gone for good, at any time), `A rebuy 50`, `A expose` (asks for
//! its own card face up), and `cards lost` (those that are out cannot be opened any more: a redeal).
//! [`script`] writes a hand that was played as such a script.
//!
//! ```
//! let script = "seat A 10\nseat B 10\nhand\nA bet 2\n! B bet 1\nB fold\nexpect stacks A=11 B=9";
//! let verdict = trinka::referee::referee(script);
//! assert!(verdict.failure.is_none() && verdict.refused.len() == 1);
//! ```

mod export;
mod fault;
mod holding;
mod line;
mod replay;
mod state;
mod words;

pub use export::{Played, Script, script};
pub use fault::{Failure, Fault, Place};
pub use state::{PriceState, ResultState, State};
pub use words::{CardsError, read_cards};

use replay::Replay;

/// The longest script, in bytes.
pub const MAX_SCRIPT: usize = 1 << 20;

/// What came of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How things stand after the last line that held.
    pub state: State,
    /// How many lines held.
    pub lines: u64,
    /// The lines with `!` that were refused, and why.
    pub refused: Vec<Failure>,
    /// The first line that did not hold.
    pub failure: Option<Failure>,
    /// Who sits at the table, by seat.
    pub names: Vec<String>,
}

/// Replays a script until its end or its first line that does not hold.
#[must_use]
pub fn referee(script: &str) -> Verdict {
    let mut replay = Replay::default();
    let (mut lines, mut refused) = (0, Vec::new());
    let mut failure = None;
    // An editor's mark at the beginning of the file is no part of the first line.
    let script = script.strip_prefix('\u{feff}').unwrap_or(script);
    for (number, text) in (1..).zip(script.lines()) {
        let words = words::split(text, number);
        let Some(first) = words.first() else {
            continue;
        };
        let place = first.place;
        let done = line::read(&words).and_then(|command| replay.run(&command, place));
        match done {
            Ok(None) => {}
            Ok(Some(reason)) => refused.push(reason),
            Err(reason) => {
                failure = Some(reason);
                break;
            }
        }
        lines += 1;
    }
    if failure.is_none() {
        failure = replay.end().err();
    }
    Verdict { state: replay.state(), lines, refused, failure, names: replay.names() }
}
