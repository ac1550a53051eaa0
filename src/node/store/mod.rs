//! The data directory: the identity, what tables need to survive a crash, and transcripts.
//!
//! ```text
//! identity                      32 secret bytes, owner-only
//! identity.pub                  the public key in hex, to know the secret one by
//! friends                       keys and names of everybody a hand was finished with
//! lock                          held while a node runs
//! tables/ID/founded             the founding entry with its signatures
//! tables/ID/log                 records, each with length and hash; appended, synced, never rewritten
//! tables/ID/mark                how long the log was when it was last durable, with a hash
//! tables/ID/log.torn-N          what a crash cut off at the log's end
//! tables/ID/FILE.damaged-N      what could not be read any more, kept for whoever can
//! tables/ID/secrets/DEAL        a hand key with a hash; erased when the hand's end is decided
//! bots/ID/party                 the bots that the player brought to a table
//! bots/ID/N                     the data directory of each
//! transcripts/ID-HAND.trinka    proofs of finished hands
//! transcripts/ID-HAND.closed    a hand as far as it went when its table was closed
//! transcripts/ID-HEIGHT-SEAT.evidence  what proves that a seat cheated
//! transcripts/ID-HEIGHT.fork    the proof that two entries were decided at one height
//! ```

mod files;
mod identity;
mod log;
mod mark;
mod party;
mod records;
mod secrets;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use self::files::{
    move_beside, private_dir, private_file, put_aside, read_bounded, table_damaged, unreadable,
    unusable, unwritable, write_atomic,
};
pub use self::identity::identity;
pub use self::log::TableFiles;
use self::log::{Log, begin_log, is_missing};
use self::mark::is_marked;
use crate::i18n::Problem;
use crate::node::friends::Friends;
use crate::table::founding::{Founded, FoundingError};
use crate::table::message::{Entry, TableId};
use crate::table::transcript::{self, MAX_FILE};
use crate::table::{Forgot, Record};
use crate::wire;

/// An open data directory; nobody else uses it as long as this lives.
pub struct Store {
    dir: PathBuf,
    _lock: File,
}

/// What was found of a table.
pub struct Found {
    /// Its founding entry.
    pub founded: Founded,
    /// The keys of hands that are not over.
    pub secrets: Vec<Record>,
    /// The records of its log, in order. The first of a log that was begun with the table says that nothing
    /// was signed before it; of one that had to be begun anew, that nobody knows what was.
    pub records: Vec<Record>,
    /// Bytes at the end of the log that a crash cut off; they were moved to a file of their own.
    pub torn: Option<PathBuf>,
}

/// What is stored of a table.
pub struct Loaded {
    /// What could be read; nothing where it is not stored, or its founding cannot be read.
    pub found: Option<(Found, TableFiles)>,
    /// Damaged files, which were put aside: to be told.
    pub damage: Vec<Problem>,
}

/// The log of a table is gone.
fn log_lost(log: &Path) -> Problem {
    tracing::warn!("{} is gone", log.display());
    Problem::LogLost { file: log.display().to_string() }
}

/// Opens the file that the program logs to.
///
/// # Errors
/// It cannot be written.
pub fn log_file(dir: &Path) -> io::Result<File> {
    private_file().append(true).open(dir.join("trinka.log"))
}

impl Store {
    /// Opens a data directory for one node.
    ///
    /// # Errors
    /// It cannot be used, or another node uses it.
    pub fn open(dir: &Path) -> Result<Self, Problem> {
        private_dir(dir).map_err(|e| unusable(dir, &e))?;
        let lock =
            private_file().truncate(false).open(dir.join("lock")).map_err(|e| unusable(dir, &e))?;
        match lock.try_lock() {
            Ok(()) => Ok(Store { dir: dir.to_owned(), _lock: lock }),
            Err(fs::TryLockError::WouldBlock) => {
                Err(Problem::DataLocked { dir: dir.display().to_string() })
            }
            Err(fs::TryLockError::Error(e)) => Err(unusable(dir, &e)),
        }
    }

    /// The name that a stored table was founded with, where its founding can be read.
    pub(super) fn name_of(&self, table: TableId) -> Option<String> {
        let file = self.table_dir(table).join("founded");
        let bytes = read_bounded(&file, wire::MAX_BYTES as u64).ok()?;
        let founding = wire::decode::<Founded>(&bytes).ok()?.verify().ok()?;
        Some(founding.terms.name)
    }

    pub(super) fn table_dir(&self, table: TableId) -> PathBuf {
        self.dir.join("tables").join(table.to_string())
    }

    /// Tables that are stored here.
    #[must_use]
    pub fn tables(&self) -> Vec<TableId> {
        let Ok(entries) = fs::read_dir(self.dir.join("tables")) else { return Vec::new() };
        let mut tables: Vec<TableId> = entries
            .flatten()
            .filter(|e| e.path().join("founded").exists())
            .filter_map(|e| wire::unhex(&e.file_name().to_string_lossy()).map(TableId))
            .collect();
        tables.sort_unstable();
        tables
    }

    /// Begins to store a table, or goes on with what is left of it where only its founding was missing.
    /// `fresh`: it was founded just now, and nothing was ever signed at it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(
        &self,
        table: TableId,
        founded: &Founded,
        fresh: bool,
    ) -> Result<Loaded, Problem> {
        let dir = self.table_dir(table);
        private_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        let file = dir.join("founded");
        let bytes = wire::encode(founded).map_err(|e| unwritable(&file, &e))?;
        let mut damage = Vec::new();
        // Before the founding, with which the table counts as stored: a log that is missing then was lost.
        let log = dir.join("log");
        if is_missing(&log) {
            // It was lost together with the founding.
            damage.extend(is_marked(&dir).then(|| log_lost(&log)));
            let fresh = fresh && damage.is_empty();
            begin_log(&dir, &[], if fresh { Forgot::NOTHING } else { Forgot::UNKNOWN })?;
        }
        write_atomic(&file, &bytes).map_err(|e| unwritable(&file, &e))?;
        let Loaded { found, damage: more } = self.load(table)?;
        damage.extend(more);
        Ok(Loaded { found, damage })
    }

    /// Everything that is stored of a table. What is damaged is put aside: what it held the others know.
    ///
    /// # Errors
    /// A file cannot be read, or not be put aside.
    pub fn load(&self, table: TableId) -> Result<Loaded, Problem> {
        let dir = self.table_dir(table);
        let file = dir.join("founded");
        let mut damage = Vec::new();
        if !file.exists() {
            return Ok(Loaded { found: None, damage });
        }
        let bytes =
            read_bounded(&file, wire::MAX_BYTES as u64).map_err(|e| unreadable(&file, &e))?;
        let founded = wire::decode::<Founded>(&bytes).ok();
        let sound = founded.as_ref().is_some_and(|founded| match founded.verify() {
            Ok(founding) => founding.table == table,
            // Another version's: whoever opens it says so.
            Err(e) => matches!(e, FoundingError::Version { .. }),
        });
        let Some(founded) = founded.filter(|_| sound) else {
            damage.push(put_aside(&file, table_damaged)?);
            return Ok(Loaded { found: None, damage });
        };
        let log = dir.join("log");
        if is_missing(&log) {
            damage.push(log_lost(&log));
            begin_log(&dir, &self.known(table, Vec::new()), Forgot::UNKNOWN)?;
        }
        let mut files = TableFiles::open(table, dir)?;
        let (records, torn) = match files.read()? {
            Log::Sound { records, torn } => (records, torn),
            Log::Damaged { at, before } => {
                tracing::warn!("the log of table {table} is damaged at byte {at}");
                let mut known = self.known(table, before);
                damage.push(files.begin_anew(&known)?);
                known.push(Record::Forgot(Forgot::UNKNOWN));
                (known, None)
            }
        };
        let secrets = files.read_secrets(&mut damage)?;
        Ok(Loaded { found: Some((Found { founded, secrets, records, torn }, files)), damage })
    }

    /// What is known of a log, of which these records are left: those, and the entries after them that the
    /// transcripts hold. The others know more, as long as they have lost nothing themselves.
    fn known(&self, table: TableId, mut records: Vec<Record>) -> Vec<Record> {
        let last = records.iter().rev().find_map(|record| match record {
            Record::Decided(decided) => wire::decode::<Entry>(&decided.entry).ok(),
            _ => None,
        });
        let mut height = last.map_or(0, |entry| entry.height);
        let mut found = 0usize;
        for file in self.transcripts(table).into_values() {
            let Ok(bytes) = read_bounded(&file, MAX_FILE as u64) else { continue };
            for (at, decided) in transcript::decided(&bytes, height).unwrap_or_default() {
                if at == height.saturating_add(1) {
                    height = at;
                    found += 1;
                    records.push(Record::Decided(decided));
                }
            }
        }
        if found > 0 {
            tracing::warn!("{found} entries of table {table} are known by its transcripts alone");
        }
        records
    }

    /// The transcripts of a table, by hand.
    fn transcripts(&self, table: TableId) -> BTreeMap<u64, PathBuf> {
        let Ok(entries) = fs::read_dir(self.dir.join("transcripts")) else {
            return BTreeMap::new();
        };
        let start = format!("{table}-");
        let hand = |path: &Path| {
            let name = path.file_name()?.to_str()?;
            name.strip_prefix(&start)?.strip_suffix(".trinka")?.parse().ok()
        };
        entries.flatten().filter_map(|e| Some((hand(&e.path())?, e.path()))).collect()
    }

    /// Who was played with before. A file that is no list of friends is put aside and told of: nobody
    /// has to stay away from the table for it.
    ///
    /// # Errors
    /// The file cannot be read, or not be put aside.
    pub fn friends(&self) -> Result<(Friends, Option<Problem>), Problem> {
        let file = self.dir.join("friends");
        let wrong = match read_bounded(&file, 1 << 20) {
            // It is written whole, and not before there is somebody to remember.
            Ok(bytes) if bytes.is_empty() => "it is empty".to_owned(),
            Ok(bytes) => match String::from_utf8(bytes).map(|text| Friends::read(&text)) {
                Ok(Ok(friends)) => return Ok((friends, None)),
                Ok(Err(wrong)) => wrong,
                Err(e) => e.to_string(),
            },
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Ok((Friends::default(), None));
            }
            Err(e) => return Err(unreadable(&file, &e)),
        };
        tracing::warn!("friends: {wrong}");
        let problem = put_aside(&file, |file, aside| Problem::FriendsSpoilt { file, aside })?;
        Ok((Friends::default(), Some(problem)))
    }

    /// Stores who was played with.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save_friends(&self, friends: &Friends) -> Result<(), Problem> {
        let file = self.dir.join("friends");
        write_atomic(&file, friends.write().as_bytes()).map_err(|e| unwritable(&file, &e))
    }

    /// Writes the transcript of a hand and tells where. One that is there already stays: after a restart
    /// a hand's proof is given out again, but the secrets for its private part are erased by then.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn transcript(&self, table: TableId, hand: u64, bytes: &[u8]) -> Result<PathBuf, Problem> {
        let dir = self.dir.join("transcripts");
        private_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        let file = dir.join(format!("{table}-{hand:04}.trinka"));
        if !file.exists() {
            write_atomic(&file, bytes).map_err(|e| unwritable(&file, &e))?;
        }
        Ok(file)
    }
}

impl Store {
    /// Writes a proof that is no transcript. An older one of that name is kept beside it under another.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn proof(&self, table: TableId, name: &str, bytes: &[u8]) -> Result<PathBuf, Problem> {
        let dir = self.dir.join("transcripts");
        private_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        let name = format!("{table}-{name}");
        let file = dir.join(&name);
        match fs::read(&file) {
            Ok(there) if there == bytes => return Ok(file),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Ok(_) | Err(_) => drop(move_beside(&file, "older")?),
        }
        write_atomic(&file, bytes).map_err(|e| unwritable(&file, &e))?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn an_older_proof_is_kept_beside_a_newer_one() {
        let place = tempfile::tempdir().unwrap();
        let store = Store::open(place.path()).unwrap();
        let table = TableId([7; 16]);
        for text in ["first", "first", "second", "third"] {
            let file = store.proof(table, "0003.closed", text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(file).unwrap(), text);
        }
        let name =
            |suffix: &str| place.path().join(format!("transcripts/{table}-0003.closed{suffix}"));
        assert_eq!(fs::read_to_string(name(".older-1")).unwrap(), "first");
        assert_eq!(fs::read_to_string(name(".older-2")).unwrap(), "second");
        assert!(!name(".older-3").exists());
    }

    #[test]
    fn an_empty_list_of_friends_is_spoilt() {
        let place = tempfile::tempdir().unwrap();
        let store = Store::open(place.path()).unwrap();
        assert_eq!(store.friends().unwrap(), (Friends::default(), None));
        let file = place.path().join("friends");
        let key = "ab".repeat(32);
        let spoilt = [Vec::new(), vec![0; 70], format!("{key} Ann\u{e9}").into_bytes()];
        for (number, mut bytes) in (1..).zip(spoilt) {
            // Not even text.
            bytes.pop();
            fs::write(&file, &bytes).unwrap();
            let (friends, told) = store.friends().unwrap();
            let aside = file.with_file_name(format!("friends.damaged-{number}"));
            let (file, named) = (file.display().to_string(), aside.display().to_string());
            assert_eq!(told, Some(Problem::FriendsSpoilt { file, aside: named }));
            assert_eq!(friends, Friends::default());
            assert_eq!(fs::read(aside).unwrap(), bytes);
        }
        fs::create_dir(&file).unwrap();
        let told = store.friends().err();
        assert_eq!(told, Some(Problem::NoPlainFile { file: file.display().to_string() }));
    }
}
