//! Plays whole tables in one thread, each from one seed, with faults and cheats, and looks after every event
//! whether the guarantees hold.
//!
//! ```text
//! trinka-sim --seeds 0..300 [--json] [--jobs N] [--trace] [--mode M] [--cheat C] [--players N] [--hands N]
//! trinka-sim --seeds 0..300 --plans
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
mod replica;
mod run;
mod trace;
mod world;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use cheats::Cheat;
use plan::{Mode, Wanted};
use run::Outcome;

struct Args {
    from: u64,
    to: u64,
    json: bool,
    loud: bool,
    /// Tell what each seed stands for, and run none.
    plans: bool,
    /// Seeds that run at a time, each in a thread of its own.
    jobs: u64,
    wanted: Wanted,
    rest: String,
}

fn usage() -> String {
    let kinds: Vec<&str> = cheats::ALL.iter().map(|(_, name)| *name).collect();
    format!(
        "trinka-sim --seeds A..B [--json] [--jobs N] [--trace] [--mode safety|liveness|one-of-four|three-of-six]\n           \
         [--players N] [--hands N] [--cheat KIND] [--plans]\nkinds: {}",
        kinds.join(" ")
    )
}

fn args() -> Option<Args> {
    let mut args = Args {
        from: 0,
        to: 0,
        json: false,
        loud: false,
        plans: false,
        jobs: 2,
        wanted: Wanted::default(),
        rest: String::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || {
            let value = words.next()?;
            if !matches!(word.as_str(), "--seeds" | "--jobs") {
                args.rest += &format!(" {word} {value}");
            }
            Some(value)
        };
        match word.as_str() {
            "--json" => args.json = true,
            "--trace" => args.loud = true,
            "--plans" => args.plans = true,
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
            "--jobs" => args.jobs = value()?.parse().ok().filter(|jobs| *jobs > 0)?,
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

/// Runs one seed; whatever panics there is a violation like others.
fn one(seed: u64, wanted: &Wanted, loud: bool) -> (Outcome, f64) {
    let begun = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| run::run(seed, wanted, loud)));
    let outcome = outcome.unwrap_or_else(|why| {
        let text = why.downcast_ref::<String>().cloned();
        let text = text.or_else(|| why.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Outcome {
            about: plan::Plan::new(seed, wanted).describe(),
            violation: Some(format!("it panics: {}", text.unwrap_or_default())),
            ..Outcome::default()
        }
    });
    (outcome, begun.elapsed().as_secs_f64())
}

/// Runs all seeds, and tells of each in their order.
fn all(args: &Args, mut tell: impl FnMut(u64, Outcome, f64)) {
    let next = AtomicU64::new(args.from);
    let jobs = if args.loud { 1 } else { args.jobs.min(args.to - args.from) };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= args.to {
                        return;
                    }
                    let (outcome, took) = one(seed, &args.wanted, args.loud);
                    if sender.send((seed, outcome, took)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = args.from;
        for (seed, outcome, took) in receiver {
            early.insert(seed, (outcome, took));
            while let Some((outcome, took)) = early.remove(&wanted) {
                tell(wanted, outcome, took);
                wanted += 1;
            }
        }
    });
}

fn main() -> ExitCode {
    let Some(args) = args() else {
        eprintln!("{}", usage());
        return ExitCode::from(2);
    };
    if args.plans {
        for seed in args.from..args.to {
            println!("{}", plan::Plan::new(seed, &args.wanted).describe());
        }
        return ExitCode::SUCCESS;
    }
    let begun = Instant::now();
    let (mut hands, mut violations) = (0u64, 0u64);
    // What was not met shows as such.
    let mut faults: BTreeMap<&str, u64> = trace::FAULTS.iter().map(|kind| (*kind, 0)).collect();
    let mut cheats: BTreeMap<&str, u64> = cheats::ALL.iter().map(|(_, kind)| (*kind, 0)).collect();
    let (mut longest, mut slowest, mut named) = (0, (0.0, 0), 0u64);
    all(&args, |seed, outcome, took| {
        if took > slowest.0 {
            slowest = (took, seed);
        }
        hands += outcome.hands;
        named += outcome.named;
        longest = longest.max(outcome.longest);
        for (kind, n) in &outcome.trace.faults {
            *faults.entry(kind).or_insert(0) += n;
        }
        for (kind, n) in &outcome.trace.cheats {
            *cheats.entry(kind).or_insert(0) += n;
        }
        if !args.json && (seed + 1 - args.from).is_multiple_of(50) {
            eprintln!("up to seed {seed}: {hands} hands, {violations} violations");
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
    });
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
            "{seconds:.1} s, {:.2} hands a second; the slowest seed, {}, took {:.1} s; {named} seats were named; \
             stood still beyond its step for {longest} ms at most",
            hands as f64 / seconds.max(0.001),
            slowest.1,
            slowest.0
        );
    }
    if violations > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
