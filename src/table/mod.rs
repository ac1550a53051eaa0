//! The table: signed messages, an agreed log, and the deal. No clock, no socket, no disk.
//!
//! [`Table`] is driven in the sans-I/O manner: [`Table::handle`] takes the time in milliseconds and one
//! [`Input`]; then [`Table::poll_output`] until it is empty and [`Table::poll_timeout`] for when to call
//! again. The state that the log makes lives in [`ledger`]; what decides an entry in [`agreement`].

pub mod agreement;
pub mod dealbook;
mod driver;
pub mod evidence;
pub mod fork;
pub mod founding;
pub mod ledger;
pub mod limits;
pub mod message;
pub mod met;
pub mod transcript;
pub mod translate;

pub use driver::{
    Forgot, Input, Output, Record, Table, TableConfig, TableError, TableWire, To, Unanswered,
};
