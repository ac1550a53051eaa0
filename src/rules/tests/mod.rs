//! Tests of the rules as a whole; each file is one part of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod core_play;
mod dark;
mod examples;
mod house;
mod properties;
mod scoring;
mod svara;
mod table;
mod tens;
