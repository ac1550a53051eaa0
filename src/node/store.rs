//! The data directory: the identity, what tables need to survive a crash, and transcripts.
//!
//! ```text
//! identity                      32 secret bytes, owner-only
//! friends                       keys and names of everybody a hand was finished with
//! lock                          held while a node runs
//! tables/ID/founded             the founding entry with its signatures
//! tables/ID/log                 records, each with length and hash; appended, synced, never rewritten
//! tables/ID/secrets/DEAL        a hand key; erased when the hand's end is decided
//! transcripts/ID-HAND.trinka    proofs of finished hands
//! transcripts/ID-HAND.closed    a hand as far as it went when its table was closed
//! transcripts/ID-HEIGHT.fork    the proof that two entries were decided at one height
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::i18n::Problem;
use crate::identity::Identity;
use crate::node::friends::Friends;
use crate::table::Record;
use crate::table::founding::Founded;
use crate::table::message::TableId;
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
    /// Its records, secrets included, in order.
    pub records: Vec<Record>,
    /// Bytes at the end of the log that a crash cut off; they were moved to a file of their own.
    pub torn: Option<PathBuf>,
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

    fn table_dir(&self, table: TableId) -> PathBuf {
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

    /// Begins to store a table.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(&self, table: TableId, founded: &Founded) -> Result<TableFiles, Problem> {
        let dir = self.table_dir(table);
        private_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        let file = dir.join("founded");
        let bytes = wire::encode(founded).map_err(|e| unwritable(&file, &e))?;
        let files = TableFiles::open(dir)?;
        write_atomic(&file, &bytes).map_err(|e| unwritable(&file, &e))?;
        Ok(files)
    }

    /// Everything that is stored of a table; nothing if it is not stored.
    ///
    /// # Errors
    /// A file cannot be read or is damaged; it is left as it is.
    pub fn load(&self, table: TableId) -> Result<Option<(Found, TableFiles)>, Problem> {
        let dir = self.table_dir(table);
        let file = dir.join("founded");
        if !file.exists() {
            return Ok(None);
        }
        let bytes =
            read_bounded(&file, wire::MAX_BYTES as u64).map_err(|e| unreadable(&file, &e))?;
        let founded: Founded = wire::decode(&bytes).map_err(|e| unreadable(&file, &e))?;
        let mut files = TableFiles::open(dir)?;
        let (mut records, torn) = files.read()?;
        // A hand key that was made belongs before everything signed with it; the order among the rest
        // is that of the log.
        let mut all = files.read_secrets()?;
        all.append(&mut records);
        Ok(Some((Found { founded, records: all, torn }, files)))
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
        let free = |number: &u32| !self.dir.join(format!("friends.damaged-{number}")).exists();
        let number = (1..1_000).find(free).unwrap_or(1_000);
        let aside = self.dir.join(format!("friends.damaged-{number}"));
        fs::rename(&file, &aside).map_err(|e| unreadable(&file, &e))?;
        let problem = Problem::FriendsSpoilt {
            file: file.display().to_string(),
            aside: aside.display().to_string(),
        };
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
    /// Writes a proof that is no transcript, in place of an older one of that name.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn proof(&self, table: TableId, name: &str, bytes: &[u8]) -> Result<PathBuf, Problem> {
        let dir = self.dir.join("transcripts");
        private_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        let file = dir.join(format!("{table}-{name}"));
        write_atomic(&file, bytes).map_err(|e| unwritable(&file, &e))?;
        Ok(file)
    }
}

impl TableFiles {
    fn open(dir: PathBuf) -> Result<Self, Problem> {
        let secrets = dir.join("secrets");
        private_dir(&secrets).map_err(|e| unusable(&secrets, &e))?;
        let file = dir.join("log");
        let log = private_file()
            .read(true)
            .truncate(false)
            .open(&file)
            .map_err(|e| unwritable(&file, &e))?;
        sync_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        Ok(TableFiles { dir, log, secrets, dirty: false })
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
        let body = wire::encode(record).map_err(|e| unwritable(&file, &e))?;
        let length = u32::try_from(body.len()).map_err(|e| unwritable(&file, &e))?.to_be_bytes();
        let mut bytes = Vec::with_capacity(body.len() + 36);
        bytes.extend_from_slice(&length);
        bytes.extend_from_slice(&wire::hash("trinka log record", &[&length, &body]));
        bytes.extend_from_slice(&body);
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
        let mut files: Vec<(u64, PathBuf)> = entries
            .flatten()
            .filter_map(|e| Some((e.file_name().to_str()?.parse().ok()?, e.path())))
            .collect();
        files.sort();
        Ok(files)
    }

    fn read_secrets(&self) -> Result<Vec<Record>, Problem> {
        let mut records = Vec::new();
        for (deal, file) in self.secret_files()? {
            let bytes =
                Zeroizing::new(read_bounded(&file, 1_000).map_err(|e| unreadable(&file, &e))?);
            let key: &[u8; 32] =
                bytes.as_slice().try_into().map_err(|_| unreadable(&file, &"not 32 bytes"))?;
            records.push(Record::Secret { deal, key: Zeroizing::new(*key) });
        }
        Ok(records)
    }

    /// Reads the log. What a crash cut off at its end is put aside; damage anywhere else is an error,
    /// and the file stays as it is.
    fn read(&mut self) -> Result<(Vec<Record>, Option<PathBuf>), Problem> {
        let file = self.dir.join("log");
        let length = self.log.metadata().map_err(|e| unreadable(&file, &e))?.len();
        if length > MAX_LOG {
            return Err(unreadable(&file, &"larger than any evening"));
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
                Err(_) => {
                    return Err(unreadable(
                        &file,
                        &format!("damaged at byte {good}; it was left as it is"),
                    ));
                }
            }
        }
        self.log.seek(SeekFrom::End(0)).map_err(|e| unreadable(&file, &e))?;
        Ok((records, torn))
    }
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
