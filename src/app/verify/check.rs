//! Verifies many files at once, on as many threads as there are processors.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::i18n::Problem;
use crate::table::transcript::{self, Course, FORK_MAGIC, Finding, ForkReport, MAX_FILE, Report};

/// What became of one file.
pub(in crate::app) enum Outcome {
    /// Everything holds, and the hand has its end.
    Good(Box<Report>),
    /// Everything holds, but the hand has no end.
    Unfinished(Box<Report>),
    /// It proves that a seat cheated, and holds.
    Evidence(Box<Report>),
    /// It is the proof that two entries were decided at one height, and holds.
    Forked(Box<ForkReport>),
    /// Something does not hold.
    Bad(Box<transcript::Problem>),
    /// The file could not be read.
    Unreadable(Problem),
}

/// Verifies all files; `each` is told the outcomes in the order of the files.
pub(in crate::app) fn check_all(files: &[PathBuf], mut each: impl FnMut(&Path, Outcome)) {
    let next = AtomicUsize::new(0);
    let (tell, told) = mpsc::channel();
    let threads = thread::available_parallelism().map_or(1, usize::from).min(files.len());
    thread::scope(|scope| {
        for _ in 0..threads {
            let (next, tell) = (&next, tell.clone());
            scope.spawn(move || {
                while let Some((at, file)) = take(next, files) {
                    if tell.send((at, check(file))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(tell);
        let mut early = std::collections::BTreeMap::new();
        for (at, file) in files.iter().enumerate() {
            let outcome = loop {
                if let Some(outcome) = early.remove(&at) {
                    break outcome;
                }
                match told.recv() {
                    Ok((at, outcome)) => drop(early.insert(at, outcome)),
                    // A thread is gone without its answer; the file counts as not checked.
                    Err(_) => break Outcome::Unreadable(unchecked()),
                }
            };
            each(file, outcome);
        }
    });
}

fn take<'a>(next: &AtomicUsize, files: &'a [PathBuf]) -> Option<(usize, &'a Path)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    files.get(at).map(|file| (at, file.as_path()))
}

fn unchecked() -> Problem {
    Problem::Internal { reason: "a file was not checked".to_owned() }
}

fn check(file: &Path) -> Outcome {
    replay(file).0
}

/// Verifies one file, and tells the course of its hand where everything holds.
pub(in crate::app) fn replay(file: &Path) -> (Outcome, Option<Course>) {
    // A pipe that nobody writes to would be waited for, and a device may never end.
    if std::fs::metadata(file).is_ok_and(|meta| !meta.is_file()) {
        let problem = Problem::NotAFile { file: file.display().to_string() };
        return (Outcome::Unreadable(problem), None);
    }
    let bytes = match read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            let problem = Problem::FileUnreadable {
                file: file.display().to_string(),
                reason: error.to_string(),
            };
            return (Outcome::Unreadable(problem), None);
        }
    };
    if bytes.starts_with(FORK_MAGIC) {
        let outcome = match transcript::verify_fork(&bytes) {
            Ok(report) => Outcome::Forked(Box::new(report)),
            Err(problem) => Outcome::Bad(Box::new(problem)),
        };
        return (outcome, None);
    }
    // Weights that the author of a file could foresee would let false proofs cancel each other.
    let mut seed = [0; 32];
    if let Err(error) = getrandom::fill(&mut seed) {
        return (Outcome::Unreadable(Problem::Internal { reason: error.to_string() }), None);
    }
    let (finding, course) = transcript::replay(&bytes, seed);
    let outcome = match finding {
        Finding::Good(report) => Outcome::Good(report),
        Finding::Unfinished(report) => Outcome::Unfinished(report),
        Finding::Evidence(report) => Outcome::Evidence(report),
        Finding::Bad(problem) => Outcome::Bad(problem),
    };
    (outcome, course)
}

/// The bytes of a file, and one more than a transcript may have at most: the verifier refuses it then.
fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
