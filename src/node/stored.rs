//! Tables that are stored here, by their names.

use std::fs;
use std::time::{Duration, SystemTime};

use super::store::Store;
use crate::table::message::TableId;

/// Tables that are looked through for a name: those that were written last.
const NAMED: usize = 64;
/// A table that was played in this time is gone back to also where no name was given.
const RECENT: Duration = Duration::from_secs(24 * 60 * 60);

impl Store {
    /// The table that a person goes back to by this name (in any case), or by no name at all: the one that was written
    /// last, and without a name only if that was in the last day.
    #[must_use]
    pub fn left(&self, name: Option<&str>) -> Option<(TableId, String)> {
        let mut tables: Vec<(SystemTime, TableId)> = self
            .tables()
            .into_iter()
            .filter_map(|table| {
                let dir = self.table_dir(table);
                // Of a table whose log is gone the founding is left, and the seat is kept.
                let written =
                    fs::metadata(dir.join("log")).or_else(|_| fs::metadata(dir.join("founded")));
                Some((written.ok()?.modified().ok()?, table))
            })
            .collect();
        tables.sort_unstable_by(|a, b| b.cmp(a));
        let wanted = name.map(str::to_lowercase);
        tables.into_iter().take(NAMED).find_map(|(written, table)| {
            let called = self.name_of(table)?;
            let fits = match &wanted {
                Some(name) => called.to_lowercase() == *name,
                // A clock that was set back makes it younger, not older.
                None => written.elapsed().is_ok_and(|age| age < RECENT),
            };
            fits.then_some((table, called))
        })
    }
}
