//! What the proofs cost in time: `cargo bench -p trinka-crypto --bench protocol`. Wire decoding is part of
//! every verification.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

mod rig;

use divan::Bencher;

fn main() {
    divan::main();
}

#[divan::bench(args = rig::rows())]
fn time(bencher: Bencher, row: &rig::Row) {
    let case = rig::case(*row);
    bencher.with_inputs(case).bench_local_values(|run| run());
}
