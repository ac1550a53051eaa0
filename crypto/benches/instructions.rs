//! What the proofs cost in instructions, which can be compared between commits:
//! `cargo bench -p trinka-crypto --bench instructions [-- FILTER]`. It runs itself under valgrind, once for
//! each row of which the name contains the filter.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

mod rig;

use std::process::Command;

/// The argument with which it counts one row instead of starting others.
const ONE: &str = "--count-row";

/// What valgrind counts: everything that this calls.
#[inline(never)]
fn measured_part(run: Box<dyn FnOnce()>) {
    run();
    // not the last call, so that the function stays on the stack
    std::hint::black_box(());
}

fn count(row: usize) -> Option<u64> {
    let own = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*measured_part*")
        .arg(own)
        .args([ONE, &row.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(' ').next()?.parse().ok()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rows = rig::rows();
    if let [one, row] = args.as_slice()
        && one == ONE
    {
        let case = rig::case(rows[row.parse::<usize>().unwrap()]);
        // once before, for what is made when it is first needed
        case()();
        measured_part(case());
        return;
    }
    let filter = args.iter().find(|arg| !arg.starts_with("--")).cloned().unwrap_or_default();
    for (index, row) in rows.iter().enumerate() {
        let name = row.to_string();
        if name.contains(&filter) {
            match count(index) {
                Some(instructions) => println!("{name:<52} {instructions:>13}"),
                None => println!("{name:<52} valgrind did not count"),
            }
        }
    }
}
