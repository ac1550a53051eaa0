//! The log of a table: records, each with its length and a hash, appended and synced.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::files::{
    private_dir, private_file, put_aside, sync_dir, table_damaged, unreadable, unusable,
    unwritable, write_atomic,
};
use crate::i18n::Problem;
use crate::table::{Forgot, Record};
use crate::wire;

/// Largest log that is read, in bytes (an evening of a thousand hands has about 200 MB).
const MAX_LOG: u64 = 1 << 30;

/// The files of one table.
pub struct TableFiles {
    pub(super) dir: PathBuf,
    log: File,
    pub(super) secrets: PathBuf,
    dirty: bool,
}

/// A log as it was read.
pub(super) enum Log {
    /// To its end, or to where a crash cut it off.
    Sound { records: Vec<Record>, torn: Option<PathBuf> },
    /// Something else than records stands at this byte.
    Damaged { at: usize },
}

impl TableFiles {
    pub(super) fn open(dir: PathBuf) -> Result<Self, Problem> {
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

    /// Reads the log. What a crash cut off at its end is put aside; with damage anywhere else the file stays
    /// as it is.
    pub(super) fn read(&mut self) -> Result<Log, Problem> {
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
pub(super) fn begin_log(dir: &Path, forgot: Forgot) -> Result<(), Problem> {
    let file = dir.join("log");
    let bytes = framed(&Record::Forgot(forgot)).map_err(|e| unwritable(&file, &e))?;
    write_atomic(&file, &bytes).map_err(|e| unwritable(&file, &e))
}

fn open_log(dir: &Path) -> Result<File, Problem> {
    let file = dir.join("log");
    private_file().read(true).truncate(false).open(&file).map_err(|e| unwritable(&file, &e))
}

/// Whether a file is not there, or empty.
pub(super) fn is_missing(file: &Path) -> bool {
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
