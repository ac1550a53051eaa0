//! The keys of hands that are not over: a file for each, erased with the hand's end.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::files::{
    private_dir, put_aside, read_bounded, table_damaged, unreadable, unusable, unwritable,
    write_atomic,
};
use super::log::TableFiles;
use crate::i18n::Problem;
use crate::table::Record;
use crate::wire;

impl TableFiles {
    /// The file of a hand key.
    #[must_use]
    pub fn secret_file(&self, deal: u64) -> PathBuf {
        self.secrets.join(deal.to_string())
    }

    /// Stores a hand key: 32 bytes and a hash that tells for which deal of which table it is. It is durable
    /// when this returns.
    pub(super) fn store_secret(&self, deal: u64, key: &[u8; 32]) -> Result<(), Problem> {
        private_dir(&self.secrets).map_err(|e| unusable(&self.secrets, &e))?;
        let file = self.secret_file(deal);
        let mut bytes = Zeroizing::new([0; 64]);
        let (front, back) = bytes.split_at_mut(key.len());
        front.copy_from_slice(key);
        back.copy_from_slice(&self.check(deal, key));
        write_atomic(&file, bytes.as_slice()).map_err(|e| unwritable(&file, &e))
    }

    /// What stands behind a hand key. It tells nothing of the key that could be found out by trying.
    fn check(&self, deal: u64, key: &[u8; 32]) -> [u8; 32] {
        wire::hash("trinka hand key", &[&self.table.0, &deal.to_be_bytes(), key])
    }

    /// Erases the hand keys of all deals up to a number.
    ///
    /// # Errors
    /// One cannot be erased.
    pub fn erase_secrets(&mut self, deal: u64) -> Result<(), Problem> {
        for (number, file) in self.secret_files()? {
            if number <= deal {
                let erase = || -> io::Result<()> {
                    let mut out = OpenOptions::new().write(true).open(&file)?;
                    let length = out.metadata()?.len();
                    io::copy(&mut io::repeat(0).take(length), &mut out)?;
                    out.sync_all()?;
                    fs::remove_file(&file)
                };
                erase().map_err(|e| unwritable(&file, &e))?;
            }
        }
        Ok(())
    }

    fn secret_files(&self) -> Result<Vec<(u64, PathBuf)>, Problem> {
        let entries = match fs::read_dir(&self.secrets) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(unreadable(&self.secrets, &e)),
        };
        // What is left of a damaged one, or of one that was not written to its end, is erased with the others.
        let number = |name: &str| name.trim_start_matches('.').split('.').next()?.parse().ok();
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
            match self.read_secret(deal, &file)? {
                Some(key) => records.push(Record::Secret { deal, key }),
                None => damage.push(put_aside(&file, table_damaged)?),
            }
        }
        Ok(records)
    }

    /// A hand key, where its file holds what was written.
    fn read_secret(&self, deal: u64, file: &Path) -> Result<Option<Zeroizing<[u8; 32]>>, Problem> {
        let length = fs::metadata(file).map_err(|e| unreadable(file, &e))?.len();
        if length != 64 {
            return Ok(None);
        }
        let bytes = Zeroizing::new(read_bounded(file, 64).map_err(|e| unreadable(file, &e))?);
        let sound =
            bytes.split_first_chunk::<32>().filter(|(key, check)| self.check(deal, key) == *check);
        Ok(sound.map(|(key, _)| Zeroizing::new(*key)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::super::log::begin_log;
    use super::*;
    use crate::table::Forgot;
    use crate::table::message::TableId;

    fn files(dir: &std::path::Path, table: u8) -> TableFiles {
        if !dir.join("log").exists() {
            begin_log(dir, &[], Forgot::NOTHING).unwrap();
        }
        TableFiles::open(TableId([table; 16]), dir.to_owned()).unwrap()
    }

    fn secret(deal: u64, byte: u8) -> Record {
        Record::Secret { deal, key: Zeroizing::new([byte; 32]) }
    }

    #[test]
    fn a_hand_key_is_that_of_its_deal_or_damaged() {
        let place = tempfile::tempdir().unwrap();
        let mut files = files(place.path(), 7);
        files.append(&secret(3, 9)).unwrap();
        files.append(&secret(12, 8)).unwrap();
        let mut damage = Vec::new();
        assert_eq!(files.read_secrets(&mut damage).unwrap(), [secret(3, 9), secret(12, 8)]);
        assert!(damage.is_empty());
        let file = files.secret_file(3);
        let good = fs::read(&file).unwrap();
        let flipped = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            bytes
        };
        let mut wrong: Vec<Vec<u8>> = (0..64).map(flipped).collect();
        wrong.extend([vec![], vec![0; 64], good[..32].to_vec(), vec![1; 2_000]]);
        wrong.push(fs::read(files.secret_file(12)).unwrap());
        for (number, bytes) in (1..).zip(wrong) {
            fs::write(&file, &bytes).unwrap();
            let mut damage = Vec::new();
            assert_eq!(files.read_secrets(&mut damage).unwrap(), [secret(12, 8)]);
            let aside = file.with_file_name(format!("3.damaged-{number}"));
            let told = table_damaged(file.display().to_string(), aside.display().to_string());
            assert_eq!(damage, [told]);
            assert_eq!(fs::read(aside).unwrap(), bytes);
            assert!(!file.exists());
        }
        // Another table's.
        fs::write(&file, &good).unwrap();
        let other = self::files(place.path(), 8);
        assert!(other.read_secrets(&mut damage).unwrap().is_empty());
        assert_eq!(damage.len(), 2);
    }

    #[test]
    fn with_the_end_of_a_hand_all_that_is_left_of_its_key_is_erased() {
        let place = tempfile::tempdir().unwrap();
        let mut files = files(place.path(), 7);
        for deal in [3, 4, 5] {
            files.append(&secret(deal, 9)).unwrap();
        }
        let beside = |name: &str| files.secret_file(3).with_file_name(name);
        let (damaged, unfinished) = (beside("3.damaged-1"), beside(".4.1234"));
        fs::write(&damaged, [1; 100]).unwrap();
        fs::write(&unfinished, [1; 64]).unwrap();
        // A second name for what is erased shows what was left there.
        let shown = place.path().join("shown");
        fs::hard_link(files.secret_file(4), &shown).unwrap();
        let more = place.path().join("more");
        fs::hard_link(&damaged, &more).unwrap();
        files.erase_secrets(4).unwrap();
        let left: Vec<_> = fs::read_dir(files.secret_file(5).parent().unwrap()).unwrap().collect();
        assert_eq!(left.len(), 1);
        assert_eq!(files.read_secrets(&mut Vec::new()).unwrap(), [secret(5, 9)]);
        assert_eq!(fs::read(shown).unwrap(), [0; 64]);
        assert_eq!(fs::read(more).unwrap(), [0; 100]);
    }
}
