//! Tests of the rules as a whole; each file is one part of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod antes;
mod choice;
mod core_play;
mod dark;
mod examples;
mod exposed;
mod house;
mod pool;
mod properties;
mod random;
mod scoring;
mod shown;
mod svara;
mod table;
mod tens;
