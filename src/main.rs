//! The `trinka` program.
fn main() {}
