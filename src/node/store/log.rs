//! The log of a table: records are appended and synced, and nothing is written over.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::files::{
    expect_file, move_beside, name_beside, private_dir, private_file, put_aside, sync_dir,
    table_damaged, unreadable, unusable, unwritable, write_atomic,
};
use super::mark::{drop_mark, read_mark, write_mark};
use super::records::{Parsed, framed, holds_record};
use crate::i18n::Problem;
use crate::table::message::TableId;
use crate::table::{Forgot, Record};

/// Largest log that is read, in bytes (an evening of a thousand hands has about 200 MB).
const MAX_LOG: u64 = 1 << 30;

/// The files of one table.
pub struct TableFiles {
    pub(super) table: TableId,
    pub(super) dir: PathBuf,
    pub(super) secrets: PathBuf,
    log: File,
    /// How long the log is, as far as this process has made it.
    length: u64,
    dirty: bool,
}

/// A log as it was read.
pub(super) enum Log {
    /// To its end, or to where a crash cut it off.
    Sound { records: Vec<Record>, torn: Option<PathBuf> },
    /// Something else than records stands at this byte, or nothing where records were. What stands before it.
    Damaged { at: usize, before: Vec<Record> },
}

impl TableFiles {
    pub(super) fn open(table: TableId, dir: PathBuf) -> Result<Self, Problem> {
        let secrets = dir.join("secrets");
        private_dir(&secrets).map_err(|e| unusable(&secrets, &e))?;
        let log = open_log(&dir)?;
        sync_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        Ok(TableFiles { table, dir, secrets, log, length: 0, dirty: false })
    }

    /// Puts the log aside as damaged and begins another with what is known of it, at the end of which it goes
    /// on.
    ///
    /// # Errors
    /// It cannot be moved, or not be written.
    pub fn begin_anew(&mut self, known: &[Record]) -> Result<Problem, Problem> {
        let told = put_aside(&self.dir.join("log"), table_damaged)?;
        self.start_over(known)?;
        Ok(told)
    }

    /// Begins another log where there is none, with records after which nobody knows what was signed.
    pub(super) fn start_over(&mut self, known: &[Record]) -> Result<(), Problem> {
        begin_log(&self.dir, known, Forgot::UNKNOWN)?;
        self.take_up()
    }

    /// Goes on with the log that stands at its place, all of which is durable.
    fn take_up(&mut self) -> Result<(), Problem> {
        self.log = open_log(&self.dir)?;
        let there = self.log.metadata().map_err(|e| unreadable(&self.dir.join("log"), &e))?;
        self.length = there.len();
        self.dirty = false;
        write_mark(&self.dir, self.length);
        Ok(())
    }

    /// Stores a record; it is durable after [`TableFiles::sync`].
    ///
    /// # Errors
    /// It cannot be written. Nothing that depends on it may be sent.
    pub fn append(&mut self, record: &Record) -> Result<(), Problem> {
        if let Record::Secret { deal, key } = record {
            return self.store_secret(*deal, key);
        }
        let file = self.dir.join("log");
        let bytes = framed(record).map_err(|e| unwritable(&file, &e))?;
        self.dirty = true;
        self.length = self.length.saturating_add(bytes.len() as u64);
        self.log.write_all(&bytes).map_err(|e| unwritable(&file, &e))
    }

    /// Makes everything appended durable, at the log's place. Where something else was there meanwhile, that
    /// is kept aside, the log is written anew, and that comes back to be told. `known`: what this process knows
    /// of it, where the open file has lost it.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn sync(&mut self, known: impl Fn() -> Vec<Record>) -> Result<Option<Problem>, Problem> {
        if !std::mem::take(&mut self.dirty) {
            return Ok(None);
        }
        let file = self.dir.join("log");
        self.log.sync_data().map_err(|e| unwritable(&file, &e))?;
        if self.is_in_place().map_err(|e| unreadable(&file, &e))? {
            write_mark(&self.dir, self.length);
            return Ok(None);
        }
        self.mend(known).map(Some)
    }

    /// Whether the open file is what stands at the log's place, and as long as this process has made it.
    fn is_in_place(&self) -> io::Result<bool> {
        let open = self.log.metadata()?;
        match fs::metadata(self.dir.join("log")) {
            Ok(there) => Ok(open.len() == self.length && is_same_file(&open, &there)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Writes the log to its place again from the file that is still open, or begins another where that one is
    /// not whole either. What stands there now is kept.
    fn mend(&mut self, known: impl Fn() -> Vec<Record>) -> Result<Problem, Problem> {
        let file = self.dir.join("log");
        let mut bytes = self.read_open().map_err(|e| unreadable(&file, &e))?;
        // The directory may be gone with everything in it.
        private_dir(&self.secrets).map_err(|e| unusable(&self.secrets, &e))?;
        let name = file.display().to_string();
        let told = if fs::symlink_metadata(&file).is_ok() {
            let aside = move_beside(&file, "damaged")?;
            Problem::LogChanged { file: name, aside: aside.display().to_string() }
        } else {
            Problem::LogRemoved { file: name }
        };
        tracing::warn!("{}: written anew while it was open", file.display());
        let length = usize::try_from(self.length).unwrap_or(usize::MAX);
        let whole = bytes.len() >= length && {
            bytes.truncate(length);
            Parsed::of(&bytes).good == length
        };
        if whole {
            write_atomic(&file, &bytes).map_err(|e| unwritable(&file, &e))?;
            self.take_up()?;
        } else {
            self.start_over(&known())?;
        }
        Ok(told)
    }

    /// Everything in the open file, wherever that is by now.
    fn read_open(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.log.seek(SeekFrom::Start(0))?;
        Read::take(&mut self.log, MAX_LOG).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads the log. What a crash cut off at its end is put aside; with damage anywhere else the file stays
    /// as it is.
    pub(super) fn read(&mut self) -> Result<Log, Problem> {
        let file = self.dir.join("log");
        let length = self.log.metadata().map_err(|e| unreadable(&file, &e))?.len();
        if length > MAX_LOG {
            return Ok(Log::Damaged { at: 0, before: Vec::new() });
        }
        let bytes = self.read_open().map_err(|e| unreadable(&file, &e))?;
        let Parsed { records, good, cut } = Parsed::of(&bytes);
        let rest = bytes.get(good..).unwrap_or_default();
        // The first record is written with the file. What was durable once no crash takes away.
        let lost =
            records.is_empty() || read_mark(&self.dir).is_some_and(|mark| mark > good as u64);
        if lost || !(rest.is_empty() || cut && !holds_record(rest)) {
            return Ok(Log::Damaged { at: good, before: records });
        }
        let mut torn = None;
        if !rest.is_empty() {
            // The last write did not come to its end: nothing that depended on it was sent.
            let aside = name_beside(&file, "torn")?;
            write_atomic(&aside, rest).map_err(|e| unwritable(&aside, &e))?;
            let shorter = private_file().truncate(false).open(&file);
            shorter.and_then(|log| log.set_len(good as u64)).map_err(|e| unwritable(&file, &e))?;
            torn = Some(aside);
        }
        // What a process wrote that was killed before it synced is believed from now on.
        self.log.sync_all().map_err(|e| unwritable(&file, &e))?;
        self.length = good as u64;
        write_mark(&self.dir, self.length);
        Ok(Log::Sound { records, torn })
    }
}

/// Begins a log with what is known, of a table at which so much may have been signed beside that.
///
/// # Errors
/// It cannot be written.
pub(super) fn begin_log(dir: &Path, known: &[Record], forgot: Forgot) -> Result<(), Problem> {
    let file = dir.join("log");
    let mut bytes = Vec::new();
    for record in known.iter().chain([&Record::Forgot(forgot)]) {
        bytes.extend(framed(record).map_err(|e| unwritable(&file, &e))?);
    }
    // Whatever is marked is of a longer log.
    drop_mark(dir)?;
    write_atomic(&file, &bytes).map_err(|e| unwritable(&file, &e))
}

fn open_log(dir: &Path) -> Result<File, Problem> {
    let file = dir.join("log");
    // Whoever makes it shorter meanwhile does not get zeros between what was there and what is appended.
    let open = |()| private_file().create(false).read(true).append(true).open(&file);
    expect_file(&file).and_then(open).map_err(|e| unwritable(&file, &e))
}

/// Whether a file is not there.
pub(super) fn is_missing(file: &Path) -> bool {
    fs::metadata(file).is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
}

#[cfg(unix)]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Where files have no number: by their lengths.
#[cfg(not(unix))]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    one.is_file() == other.is_file() && one.len() == other.len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::super::mark::marked;
    use super::*;

    const TABLE: TableId = TableId([7; 16]);

    fn record(height: u64) -> Record {
        Record::Forgot(Forgot { height, deal: height })
    }

    /// A log with the first record and so many more, all of them durable.
    fn begun(dir: &Path, records: u64) -> TableFiles {
        begin_log(dir, &[], Forgot::NOTHING).unwrap();
        let mut files = TableFiles::open(TABLE, dir.to_owned()).unwrap();
        assert!(matches!(files.read().unwrap(), Log::Sound { torn: None, .. }));
        add(&mut files, 1..=records);
        assert!(files.sync(Vec::new).unwrap().is_none());
        files
    }

    fn add(files: &mut TableFiles, heights: std::ops::RangeInclusive<u64>) {
        heights.for_each(|height| files.append(&record(height)).unwrap());
    }

    fn reopen(dir: &Path) -> (TableFiles, Log) {
        let mut files = TableFiles::open(TABLE, dir.to_owned()).unwrap();
        let log = files.read().unwrap();
        (files, log)
    }

    /// The records of a log that is sound.
    fn sound(dir: &Path) -> (Vec<Record>, Option<PathBuf>) {
        match reopen(dir).1 {
            Log::Sound { records, torn } => (records, torn),
            Log::Damaged { at, .. } => panic!("damaged at {at}"),
        }
    }

    fn is_damaged(dir: &Path) -> bool {
        matches!(reopen(dir).1, Log::Damaged { .. })
    }

    fn expected(records: u64) -> Vec<Record> {
        (0..=records).map(record).collect()
    }

    #[test]
    fn a_log_that_is_shorter_than_it_was_is_damaged() {
        let place = tempfile::tempdir().unwrap();
        let (dir, log) = (place.path(), place.path().join("log"));
        drop(begun(dir, 9));
        let good = fs::read(&log).unwrap();
        assert_eq!(read_mark(dir), Some(good.len() as u64));
        assert_eq!(sound(dir), (expected(9), None));
        // Somewhere in a record, as a crash leaves it; and where one ends.
        let one = good.len() / 10;
        for end in [good.len() * 2 / 3, 6 * one, 1, 0, good.len() - 1] {
            fs::write(&log, good.get(..end).unwrap()).unwrap();
            assert!(is_damaged(dir), "{end}");
            // The end is there, but holds nothing.
            let mut zeros = good.get(..end).unwrap().to_vec();
            zeros.resize(good.len(), 0);
            fs::write(&log, &zeros).unwrap();
            assert!(is_damaged(dir), "zeros from {end}");
            assert_eq!(fs::read(&log).unwrap(), zeros, "left as it is");
        }
    }

    #[test]
    fn a_mark_that_is_missing_spoilt_or_older_promises_less() {
        let place = tempfile::tempdir().unwrap();
        let (dir, log, mark) = (place.path(), place.path().join("log"), place.path().join("mark"));
        drop(begun(dir, 9));
        let good = fs::read(&log).unwrap();
        let one = good.len() / 10;
        let cut = good.get(..6 * one + 5).unwrap();
        let mut spoilt = fs::read(&mark).unwrap();
        *spoilt.last_mut().unwrap() ^= 1;
        let older = marked(6 * one as u64).to_vec();
        for (number, written) in (1..).zip([None, Some(spoilt), Some(older), Some(vec![0; 16])]) {
            fs::write(&log, cut).unwrap();
            fs::remove_file(&mark).unwrap();
            if let Some(written) = written {
                fs::write(&mark, written).unwrap();
            }
            let (records, torn) = sound(dir);
            // As many bytes were cut off each time: each is kept under a name of its own.
            assert_eq!(
                (records, torn.clone()),
                (expected(5), Some(dir.join(format!("log.torn-{number}"))))
            );
            assert_eq!(fs::read(torn.unwrap()).unwrap(), cut.get(6 * one..).unwrap());
            assert_eq!(read_mark(dir), Some(6 * one as u64));
        }
        // A byte less than the mark says.
        fs::write(&mark, marked(6 * one as u64 + 1)).unwrap();
        assert!(is_damaged(dir));
    }

    #[test]
    fn what_another_one_has_cut_off_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let (dir, log) = (place.path(), place.path().join("log"));
        drop(begun(dir, 3));
        let good = fs::read(&log).unwrap();
        for (number, tail) in (1..).zip([[1; 20], [2; 20], [0; 20]]) {
            fs::write(&log, [&good[..], &tail].concat()).unwrap();
            assert_eq!(sound(dir).1, Some(dir.join(format!("log.torn-{number}"))));
        }
        for (number, tail) in (1..).zip([[1; 20], [2; 20], [0; 20]]) {
            assert_eq!(fs::read(dir.join(format!("log.torn-{number}"))).unwrap(), tail);
        }
    }

    #[test]
    fn a_log_without_a_record_is_damaged() {
        let place = tempfile::tempdir().unwrap();
        let (dir, log) = (place.path(), place.path().join("log"));
        for bytes in [vec![], vec![0; 1], vec![0; 1 << 20], vec![7; 20]] {
            drop(begun(dir, 3));
            fs::remove_file(dir.join("mark")).unwrap();
            fs::write(&log, &bytes).unwrap();
            let (mut files, found) = reopen(dir);
            assert!(matches!(found, Log::Damaged { at: 0, .. }));
            let Problem::TableDamaged { aside, .. } = files.begin_anew(&[]).unwrap() else {
                panic!()
            };
            assert_eq!(fs::read(aside).unwrap(), bytes);
            // It goes on with the new one, whose mark is its own.
            add(&mut files, 1..=2);
            assert!(files.sync(Vec::new).unwrap().is_none());
            assert_eq!(read_mark(dir), Some(fs::metadata(&log).unwrap().len()));
            let (records, torn) = sound(dir);
            assert_eq!(records, [Record::Forgot(Forgot::UNKNOWN), record(1), record(2)]);
            assert_eq!(torn, None);
        }
        // A megabyte that the file system never wrote, behind what was durable.
        drop(begun(dir, 3));
        let good = fs::read(&log).unwrap();
        fs::write(&log, [&good[..], &vec![0; 1 << 20]].concat()).unwrap();
        assert_eq!(sound(dir).0, expected(3));
    }

    #[test]
    fn a_log_that_is_begun_anew_forgets_its_mark_first() {
        let place = tempfile::tempdir().unwrap();
        let (dir, log) = (place.path(), place.path().join("log"));
        let files = begun(dir, 9);
        drop(files);
        // As if the power failed right after the new log was written.
        fs::remove_file(&log).unwrap();
        begin_log(dir, &[], Forgot::UNKNOWN).unwrap();
        assert_eq!(read_mark(dir), None);
        assert_eq!(sound(dir), (vec![Record::Forgot(Forgot::UNKNOWN)], None));
    }

    #[cfg(unix)]
    #[test]
    fn a_log_that_is_removed_while_it_is_open_is_written_again() {
        let place = tempfile::tempdir().unwrap();
        let dir = &place.path().join("table");
        private_dir(dir).unwrap();
        let log = dir.join("log");
        let mut files = begun(dir, 3);
        let removals: [&dyn Fn(); 2] =
            [&|| fs::remove_file(&log).unwrap(), &|| fs::remove_dir_all(dir).unwrap()];
        for (number, remove) in (4..).zip(removals) {
            remove();
            add(&mut files, number..=number);
            let touched = files.sync(Vec::new).unwrap();
            assert_eq!(touched, Some(Problem::LogRemoved { file: log.display().to_string() }));
            // Told once, and gone on with.
            add(&mut files, number + 10..=number + 10);
            assert!(files.sync(Vec::new).unwrap().is_none());
            assert_eq!(read_mark(dir), Some(fs::metadata(&log).unwrap().len()));
        }
        let all: Vec<Record> = [0, 1, 2, 3, 4, 14, 5, 15].map(record).to_vec();
        assert_eq!(sound(dir), (all, None));
        let key = zeroize::Zeroizing::new([9; 32]);
        files.append(&Record::Secret { deal: 1, key }).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_stands_in_the_place_of_an_open_log_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let (dir, log) = (place.path(), place.path().join("log"));
        let mut files = begun(dir, 3);
        let (other, short) = (b"something else".to_vec(), fs::read(&log).unwrap());
        // Another file, a directory, an older copy of the log.
        fs::remove_file(&log).unwrap();
        fs::write(&log, &other).unwrap();
        add(&mut files, 4..=4);
        let mut asides = vec![changed(files.sync(Vec::new).unwrap())];
        fs::remove_file(&log).unwrap();
        fs::create_dir(&log).unwrap();
        add(&mut files, 5..=5);
        assert!(changed(files.sync(Vec::new).unwrap()).is_dir());
        fs::remove_file(&log).unwrap();
        fs::write(&log, &short).unwrap();
        add(&mut files, 6..=6);
        asides.push(changed(files.sync(Vec::new).unwrap()));
        assert_eq!(sound(dir), (expected(6), None));
        let kept: Vec<Vec<u8>> = asides.iter().map(|aside| fs::read(aside).unwrap()).collect();
        assert_eq!(kept, [other, short]);
    }

    /// Where the changed log is now.
    fn changed(touched: Option<Problem>) -> PathBuf {
        let Some(Problem::LogChanged { aside, .. }) = touched else { panic!("{touched:?}") };
        PathBuf::from(aside)
    }

    #[test]
    fn an_open_log_that_another_one_writes_to_is_begun_anew() {
        let place = tempfile::tempdir().unwrap();
        let (dir, log) = (place.path(), place.path().join("log"));
        let mut files = begun(dir, 3);
        // Emptied: what is appended stands alone, without zeros before it.
        fs::write(&log, []).unwrap();
        add(&mut files, 4..=4);
        let forgot = Record::Forgot(Forgot::UNKNOWN);
        let aside = changed(files.sync(Vec::new).unwrap());
        assert_eq!(sound(dir).0, std::slice::from_ref(&forgot), "begun anew");
        assert_eq!(fs::read(aside).unwrap(), framed(&record(4)).unwrap());
        // Cut.
        add(&mut files, 5..=8);
        assert!(files.sync(Vec::new).unwrap().is_none());
        let half = fs::metadata(&log).unwrap().len() / 2;
        private_file().open(&log).unwrap().set_len(half).unwrap();
        add(&mut files, 9..=9);
        changed(files.sync(|| vec![record(6), record(7)]).unwrap());
        assert_eq!(sound(dir).0, [record(6), record(7), forgot.clone()], "with what is known");
        // Appended to.
        let mut other = private_file().append(true).open(&log).unwrap();
        other.write_all(b"a line\n").unwrap();
        add(&mut files, 10..=10);
        changed(files.sync(Vec::new).unwrap());
        assert_eq!(sound(dir).0, std::slice::from_ref(&forgot), "begun anew");
        add(&mut files, 11..=12);
        assert!(files.sync(Vec::new).unwrap().is_none());
        let (records, torn) = sound(dir);
        assert_eq!(records, [forgot, record(11), record(12)]);
        assert_eq!(torn, None);
    }

    #[test]
    fn a_directory_in_the_place_of_a_log_is_said_to_be_one() {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("log");
        fs::create_dir(&log).unwrap();
        assert!(!is_missing(&log));
        let opened = TableFiles::open(TABLE, place.path().to_owned());
        assert_eq!(opened.err(), Some(Problem::NoPlainFile { file: log.display().to_string() }));
        let begun = begin_log(place.path(), &[], Forgot::NOTHING);
        assert_eq!(begun.err(), Some(Problem::NoPlainFile { file: log.display().to_string() }));
    }
}
