//! Writes the published vectors into `vectors/` of this crate.

#![allow(clippy::expect_used, clippy::indexing_slicing)]

use std::{fs, io, path::Path};

#[path = "../tests/frozen/mod.rs"]
mod frozen;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    for (name, value) in [
        ("sealed24.json", frozen::sealed::comparisons()),
        ("generators.json", frozen::generators()),
        ("deal36.json", frozen::deal()),
        ("closed24.json", frozen::closed()),
    ] {
        fs::write(folder.join(name), format!("{value:#}\n"))?;
    }
    Ok(())
}
