//! The data directory: the identity, what tables need to survive a crash, and transcripts.
//!
//! ```text
//! identity                      32 secret bytes, owner-only
//! friends                       keys and names of everybody a hand was finished with
//! lock                          held while a node runs
//! tables/ID/founded             the founding entry with its signatures
//! tables/ID/log                 records, each with length and hash; appended, synced, never rewritten
//! tables/ID/log.torn-N          what a crash cut off at the log's end
//! tables/ID/FILE.damaged-N      what could not be read any more, kept for whoever can
//! tables/ID/secrets/DEAL        a hand key; erased when the hand's end is decided
//! transcripts/ID-HAND.trinka    proofs of finished hands
//! transcripts/ID-HAND.closed    a hand as far as it went when its table was closed
//! transcripts/ID-HEIGHT-SEAT.evidence  what proves that a seat cheated
//! transcripts/ID-HEIGHT.fork    the proof that two entries were decided at one height
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::i18n::Problem;
use crate::identity::Identity;
use crate::node::friends::Friends;
use crate::table::founding::{Founded, FoundingError};
use crate::table::message::TableId;
use crate::table::{Forgot, Record};
use crate::wire;

/// Largest log that is read, in bytes (an evening of a thousand hands has about 200 MB).
const MAX_LOG: u64 = 1 << 30;

/// An open data directory; nobody else uses it as long as this lives.
pub struct Store {
    dir: PathBuf,
    _lock: File,
}

/// The files of one table.
pub struct TableFiles {
    dir: PathBuf,
    log: File,
    secrets: PathBuf,
    dirty: bool,
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

fn unusable(dir: &Path, reason: &dyn std::fmt::Display) -> Problem {
    Problem::DataUnusable { dir: dir.display().to_string(), reason: reason.to_string() }
}

fn unwritable(file: &Path, reason: &dyn std::fmt::Display) -> Problem {
    Problem::FileUnwritable { file: file.display().to_string(), reason: reason.to_string() }
}

fn unreadable(file: &Path, reason: &dyn std::fmt::Display) -> Problem {
    Problem::FileUnreadable { file: file.display().to_string(), reason: reason.to_string() }
}

/// Makes a directory for its owner only, unless it is there.
fn private_dir(dir: &Path) -> io::Result<()> {
    // What is there already is somebody's choice; every secret file has its own mode besides.
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(dir)
}

/// Options for a new file that only its owner may read.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

/// Makes the entry of a file in its directory durable.
fn sync_dir(dir: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(dir)?.sync_all()?;
    let _ = dir;
    Ok(())
}

/// Writes a file whole or not at all.
fn write_atomic(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let temporary = dir.join(format!(".{name}.{}", std::process::id()));
    let result = (|| {
        let mut out = private_file().truncate(true).open(&temporary)?;
        out.write_all(bytes)?;
        out.sync_all()?;
        fs::rename(&temporary, file)?;
        sync_dir(dir)
    })();
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// Moves a file to a name beside it that nothing has: its own, with what became of it and a number.
fn move_beside(file: &Path, what: &str) -> Result<PathBuf, Problem> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let names = (1u32..).map(|number| file.with_file_name(format!("{name}.{what}-{number}")));
    // The directory is locked: nobody else makes files here meanwhile.
    let mut free = names.filter(|aside| fs::symlink_metadata(aside).is_err());
    let aside = free.next().ok_or_else(|| unwritable(file, &"no name is free beside it"))?;
    let moved = fs::rename(file, &aside).and_then(|()| sync_dir(file.parent().unwrap_or(file)));
    moved.map_err(|e| unwritable(&aside, &e))?;
    Ok(aside)
}

/// Moves a file that is damaged aside, and tells that.
fn put_aside(file: &Path, told: fn(String, String) -> Problem) -> Result<Problem, Problem> {
    let aside = move_beside(file, "damaged")?;
    tracing::warn!("{} was damaged and is now {}", file.display(), aside.display());
    Ok(told(file.display().to_string(), aside.display().to_string()))
}

fn table_damaged(file: String, aside: String) -> Problem {
    Problem::TableDamaged { file, aside }
}

/// A record as it stands in a log: its length, a hash of both, and itself.
fn framed(record: &Record) -> io::Result<Vec<u8>> {
    let body = wire::encode(record).map_err(io::Error::other)?;
    let length = u32::try_from(body.len()).map_err(io::Error::other)?.to_be_bytes();
    let mut bytes = Vec::with_capacity(body.len() + 36);
    bytes.extend_from_slice(&length);
    bytes.extend_from_slice(&wire::hash("trinka log record", &[&length, &body]));
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// Begins a log, of a table at which so much may have been signed before.
fn begin_log(dir: &Path, forgot: Forgot) -> Result<(), Problem> {
    let file = dir.join("log");
    let bytes = framed(&Record::Forgot(forgot)).map_err(|e| unwritable(&file, &e))?;
    write_atomic(&file, &bytes).map_err(|e| unwritable(&file, &e))
}

/// Reads at most so many bytes of a file.
fn read_bounded(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("larger than {most} bytes")));
    }
    Ok(bytes)
}

/// Loads the key of a data directory, or makes one at the first start.
///
/// # Errors
/// The directory or the file cannot be used, or the file is not a key. It is never overwritten.
pub fn identity(dir: &Path) -> Result<Identity, Problem> {
    private_dir(dir).map_err(|e| unusable(dir, &e))?;
    let file = dir.join("identity");
    let bad =
        |reason: String| Problem::IdentityUnusable { file: file.display().to_string(), reason };
    match read_bounded(&file, 1_000) {
        Ok(bytes) => {
            let bytes = Zeroizing::new(bytes);
            let seed: &[u8; 32] = bytes
                .as_slice()
                .try_into()
                .map_err(|_| bad(format!("{} bytes instead of 32", bytes.len())))?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let mode =
                    fs::metadata(&file).map_err(|e| bad(e.to_string()))?.permissions().mode();
                if mode & 0o077 != 0 {
                    return Err(bad(format!(
                        "others may read it (mode {:o}): chmod 600",
                        mode & 0o777
                    )));
                }
            }
            Ok(Identity::from_seed(seed))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let mut seed = Zeroizing::new([0u8; 32]);
            getrandom::fill(seed.as_mut_slice()).map_err(|e| bad(e.to_string()))?;
            write_atomic(&file, seed.as_slice()).map_err(|e| unwritable(&file, &e))?;
            Ok(Identity::from_seed(&seed))
        }
        Err(e) => Err(bad(e.to_string())),
    }
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
        // Before the founding, with which the table counts as stored: a log that is missing then was lost.
        if is_missing(&dir.join("log")) {
            begin_log(&dir, if fresh { Forgot::NOTHING } else { Forgot::UNKNOWN })?;
        }
        write_atomic(&file, &bytes).map_err(|e| unwritable(&file, &e))?;
        self.load(table)
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
        // A log that is gone, or has not even its first record.
        if is_missing(&dir.join("log")) {
            begin_log(&dir, Forgot::UNKNOWN)?;
        }
        let mut files = TableFiles::open(dir)?;
        let (mut records, torn) = match files.read()? {
            Log::Sound { records, torn } => (records, torn),
            Log::Damaged { at } => {
                tracing::warn!("the log of table {table} is damaged at byte {at}");
                damage.push(files.begin_anew()?);
                (Vec::new(), None)
            }
        };
        if records.is_empty() {
            records.push(Record::Forgot(Forgot::UNKNOWN));
        }
        let secrets = files.read_secrets(&mut damage)?;
        Ok(Loaded { found: Some((Found { founded, secrets, records, torn }, files)), damage })
    }

    /// Who was played with before. A file that is no list of friends is put aside and told of: nobody
    /// has to stay away from the table for it.
    ///
    /// # Errors
    /// The file cannot be read, or not be put aside.
    pub fn friends(&self) -> Result<(Friends, Option<Problem>), Problem> {
        let file = self.dir.join("friends");
        let wrong = match read_bounded(&file, 1 << 20) {
            Ok(bytes) => match Friends::read(&String::from_utf8_lossy(&bytes)) {
                Ok(friends) => return Ok((friends, None)),
                Err(wrong) => wrong,
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

impl TableFiles {
    fn open(dir: PathBuf) -> Result<Self, Problem> {
        let secrets = dir.join("secrets");
        private_dir(&secrets).map_err(|e| unusable(&secrets, &e))?;
        let log = open_log(&dir)?;
        sync_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        Ok(TableFiles { dir, log, secrets, dirty: false })
    }

    /// Puts the log aside as damaged and begins another, at the end of which it goes on.
    ///
    /// # Errors
    /// It cannot be moved, or not be written.
    pub fn begin_anew(&mut self) -> Result<Problem, Problem> {
        let told = put_aside(&self.dir.join("log"), table_damaged)?;
        begin_log(&self.dir, Forgot::UNKNOWN)?;
        self.log = open_log(&self.dir)?;
        self.log.seek(SeekFrom::End(0)).map_err(|e| unreadable(&self.dir.join("log"), &e))?;
        self.dirty = false;
        Ok(told)
    }

    /// Stores a record; it is durable after [`TableFiles::sync`].
    ///
    /// # Errors
    /// It cannot be written. Nothing that depends on it may be sent.
    pub fn append(&mut self, record: &Record) -> Result<(), Problem> {
        if let Record::Secret { deal, key } = record {
            let file = self.secrets.join(deal.to_string());
            return write_atomic(&file, key.as_slice()).map_err(|e| unwritable(&file, &e));
        }
        let file = self.dir.join("log");
        let bytes = framed(record).map_err(|e| unwritable(&file, &e))?;
        self.dirty = true;
        self.log.write_all(&bytes).map_err(|e| unwritable(&file, &e))
    }

    /// Makes everything appended durable.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn sync(&mut self) -> Result<(), Problem> {
        if std::mem::take(&mut self.dirty) {
            self.log.sync_data().map_err(|e| unwritable(&self.dir.join("log"), &e))?;
        }
        Ok(())
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

    fn read_secrets(&self, damage: &mut Vec<Problem>) -> Result<Vec<Record>, Problem> {
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

    /// Reads the log. What a crash cut off at its end is put aside; with damage anywhere else the file stays
    /// as it is.
    fn read(&mut self) -> Result<Log, Problem> {
        let file = self.dir.join("log");
        let length = self.log.metadata().map_err(|e| unreadable(&file, &e))?.len();
        if length > MAX_LOG {
            return Ok(Log::Damaged { at: 0 });
        }
        let mut bytes = Vec::new();
        self.log.seek(SeekFrom::Start(0)).map_err(|e| unreadable(&file, &e))?;
        self.log.read_to_end(&mut bytes).map_err(|e| unreadable(&file, &e))?;
        let mut records = Vec::new();
        let mut rest = bytes.as_slice();
        let mut good = 0usize;
        let mut torn = None;
        while !rest.is_empty() {
            match next_record(rest) {
                Ok((record, used)) => {
                    records.push(record);
                    good += used;
                    rest = rest.get(used..).unwrap_or_default();
                }
                Err(true) if !holds_record(rest) => {
                    // The last write did not come to its end: nothing that depended on it was sent.
                    let aside = self.dir.join(format!("log.torn-{good}"));
                    write_atomic(&aside, rest).map_err(|e| unwritable(&aside, &e))?;
                    self.log.set_len(good as u64).map_err(|e| unwritable(&file, &e))?;
                    self.log.sync_all().map_err(|e| unwritable(&file, &e))?;
                    torn = Some(aside);
                    break;
                }
                Err(_) => return Ok(Log::Damaged { at: good }),
            }
        }
        self.log.seek(SeekFrom::End(0)).map_err(|e| unreadable(&file, &e))?;
        Ok(Log::Sound { records, torn })
    }
}

/// A log as it was read.
enum Log {
    /// To its end, or to where a crash cut it off.
    Sound { records: Vec<Record>, torn: Option<PathBuf> },
    /// Something else than records stands at this byte.
    Damaged { at: usize },
}

fn open_log(dir: &Path) -> Result<File, Problem> {
    let file = dir.join("log");
    private_file().read(true).truncate(false).open(&file).map_err(|e| unwritable(&file, &e))
}

/// Whether a file is not there, or empty.
fn is_missing(file: &Path) -> bool {
    fs::metadata(file).map_or_else(|e| e.kind() == io::ErrorKind::NotFound, |m| m.len() == 0)
}

/// The next record and its size; or whether the bytes just end too early.
fn next_record(rest: &[u8]) -> Result<(Record, usize), bool> {
    let (length, after) = rest.split_first_chunk::<4>().ok_or(true)?;
    let (digest, after) = after.split_first_chunk::<32>().ok_or(true)?;
    let size = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| false)?;
    if size > wire::MAX_BYTES {
        return Err(false);
    }
    let body = after.get(..size).ok_or(true)?;
    if wire::hash("trinka log record", &[length, body]) != *digest {
        // The last record may be a block of zeros that the file system left.
        return Err(after.len() == size || rest.iter().all(|b| *b == 0));
    }
    let record = wire::decode(body).map_err(|_| false)?;
    Ok((record, 36 + size))
}

/// Whether a whole record lies anywhere behind the first byte. Then the record before it was not cut off by
/// a crash: its length was damaged, and what follows must not be thrown away with it.
fn holds_record(rest: &[u8]) -> bool {
    (1..rest.len()).filter_map(|at| rest.get(at..)).any(|tail| next_record(tail).is_ok())
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
}
