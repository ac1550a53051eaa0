//! Plays whole tables in one thread, each from one seed, with faults and cheats, and looks after every event
//! whether the guarantees hold.
//!
//! ```text
//! trinka-sim --seeds 0..300 [--json] [--trace] [--mode M] [--cheat C] [--players N] [--hands N]
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::collapsible_match,
    missing_docs
)]

mod cheats;
mod checks;
mod faults;
mod net;
mod node;
mod plan;
mod play;
mod run;
mod trace;
mod world;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use cheats::Cheat;
use plan::{Mode, Wanted};

struct Args {
    from: u64,
    to: u64,
    json: bool,
    loud: bool,
    wanted: Wanted,
    rest: String,
}

fn usage() -> String {
    let kinds: Vec<&str> = cheats::ALL.iter().map(|(_, name)| *name).collect();
    format!(
        "trinka-sim --seeds A..B [--json] [--trace] [--mode safety|liveness|one-of-four|three-of-six]\n           \
         [--players N] [--hands N] [--cheat KIND]\nkinds: {}",
        kinds.join(" ")
    )
}

fn args() -> Option<Args> {
    let mut args = Args {
        from: 0,
        to: 0,
        json: false,
        loud: false,
        wanted: Wanted::default(),
        rest: String::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || {
            let value = words.next()?;
            if word != "--seeds" {
                args.rest += &format!(" {word} {value}");
            }
            Some(value)
        };
        match word.as_str() {
            "--json" => args.json = true,
            "--trace" => args.loud = true,
            "--seeds" => {
                let value = value()?;
                let (from, to) = match value.split_once("..") {
                    Some((from, to)) => (from.parse().ok()?, to.parse().ok()?),
                    None => {
                        let one: u64 = value.parse().ok()?;
                        (one, one + 1)
                    }
                };
                (args.from, args.to) = (from, to);
            }
            "--mode" => {
                let name = value()?;
                let all = [Mode::Safety, Mode::Liveness, Mode::OneOfFour, Mode::ThreeOfSix];
                args.wanted.mode = Some(all.into_iter().find(|m| m.name() == name)?);
            }
            "--cheat" => args.wanted.cheat = Some(Cheat::named(&value()?)?),
            "--players" => args.wanted.players = Some(value()?.parse().ok()?),
            "--hands" => args.wanted.hands = Some(value()?.parse().ok()?),
            _ => return None,
        }
    }
    (args.from < args.to).then_some(args)
}

fn main() -> ExitCode {
    let Some(args) = args() else {
        eprintln!("{}", usage());
        return ExitCode::from(2);
    };
    let begun = Instant::now();
    let (mut hands, mut violations) = (0u64, 0u64);
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    let mut cheats: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut longest, mut slowest) = (0, (0.0, 0));
    for seed in args.from..args.to {
        let one = Instant::now();
        let outcome = run::run(seed, &args.wanted, args.loud);
        let took = one.elapsed().as_secs_f64();
        if took > slowest.0 {
            slowest = (took, seed);
        }
        hands += outcome.hands;
        longest = longest.max(outcome.longest);
        for (kind, n) in &outcome.trace.faults {
            *faults.entry(kind).or_insert(0) += n;
        }
        for (kind, n) in &outcome.trace.cheats {
            *cheats.entry(kind).or_insert(0) += n;
        }
        for (kind, n) in
            [("lost", outcome.lost), ("doubled", outcome.doubled), ("late", outcome.slow)]
        {
            *faults.entry(kind).or_insert(0) += n;
        }
        if let Some(what) = &outcome.violation {
            violations += 1;
            eprintln!("violation: {}\n  {what}\n{}", outcome.about, outcome.trace.tail());
            eprintln!(
                "  again: cargo run --release -p trinka-sim -- --seeds {seed}..{}{} --trace\n",
                seed + 1,
                args.rest
            );
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let all = serde_json::json!({
            "seeds": args.to - args.from,
            "hands": hands,
            "violations": violations,
            "faults": faults,
            "cheats": cheats,
        });
        println!("{all}");
    } else {
        println!("seeds {}..{}: {hands} hands, {violations} violations", args.from, args.to);
        println!("faults {faults:?}");
        println!("cheats {cheats:?}");
        println!(
            "{seconds:.1} s, {:.2} hands a second; the slowest seed, {}, took {:.1} s; stood still beyond its step for {longest} ms at most",
            hands as f64 / seconds.max(0.001),
            slowest.1,
            slowest.0
        );
    }
    if violations > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
