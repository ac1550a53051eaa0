//! The keys of hands that are not over: a file for each, erased with the hand's end.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

use zeroize::Zeroizing;

use super::files::{put_aside, read_bounded, table_damaged, unreadable, unwritable};
use super::log::TableFiles;
use crate::i18n::Problem;
use crate::table::Record;

impl TableFiles {
    /// Erases the hand keys of all deals up to a number.
    ///
    /// # Errors
    /// One cannot be erased.
    pub fn erase_secrets(&mut self, deal: u64) -> Result<(), Problem> {
        for (number, file) in self.secret_files()? {
            if number <= deal {
                let erase = || -> io::Result<()> {
                    let mut out = OpenOptions::new().write(true).open(&file)?;
                    out.write_all(&[0; 32])?;
                    out.sync_all()?;
                    fs::remove_file(&file)
                };
                erase().map_err(|e| unwritable(&file, &e))?;
            }
        }
        Ok(())
    }

    fn secret_files(&self) -> Result<Vec<(u64, PathBuf)>, Problem> {
        let entries = fs::read_dir(&self.secrets).map_err(|e| unreadable(&self.secrets, &e))?;
        // What is left of a damaged one is erased with the others.
        let number = |name: &str| name.split('.').next()?.parse().ok();
        let mut files: Vec<(u64, PathBuf)> = entries
            .flatten()
            .filter_map(|e| Some((number(e.file_name().to_str()?)?, e.path())))
            .collect();
        files.sort();
        Ok(files)
    }

    pub(super) fn read_secrets(&self, damage: &mut Vec<Problem>) -> Result<Vec<Record>, Problem> {
        let mut records = Vec::new();
        for (deal, file) in self.secret_files()? {
            if file.extension().is_some() {
                continue;
            }
            let bytes =
                Zeroizing::new(read_bounded(&file, 1_000).map_err(|e| unreadable(&file, &e))?);
            match <&[u8; 32]>::try_from(bytes.as_slice()) {
                Ok(key) => records.push(Record::Secret { deal, key: Zeroizing::new(*key) }),
                Err(_) => damage.push(put_aside(&file, table_damaged)?),
            }
        }
        Ok(records)
    }
}
