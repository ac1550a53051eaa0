//! Which files a command line means: files as they stand, and the transcripts of directories.

use std::path::{Path, PathBuf};

use crate::i18n::Problem;

/// The most files of one directory.
const MAX_FILES: usize = 100_000;

/// The ending of transcripts.
const ENDING: &str = "trinka";

/// The ending of hands that went as far as their table did when it was closed.
const CLOSED: &str = "closed";

/// The transcripts of a directory, hand after hand.
pub(in crate::app) fn transcripts(dir: &Path) -> Result<Vec<PathBuf>, Problem> {
    ending_in(dir, ENDING)
}

/// What is to be said of a directory without transcripts.
pub(super) fn without(dir: &Path) -> Problem {
    let closed = ending_in(dir, CLOSED).unwrap_or_default();
    let dir = dir.display().to_string();
    match closed.last() {
        Some(file) => Problem::OnlyUnfinished {
            dir,
            hands: closed.len() as u64,
            file: file.display().to_string(),
        },
        None => Problem::NoTranscripts { dir },
    }
}

fn ending_in(dir: &Path, wanted: &str) -> Result<Vec<PathBuf>, Problem> {
    let unusable = |error: std::io::Error| Problem::FileUnreadable {
        file: dir.display().to_string(),
        reason: error.to_string(),
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(unusable)?.take(MAX_FILES) {
        let path = entry.map_err(unusable)?.path();
        if path.extension().is_some_and(|ending| ending == wanted) {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| order(path));
    Ok(files)
}

/// `ID-2` comes before `ID-10`.
fn order(path: &Path) -> (String, u64, PathBuf) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (before, number) = stem.rsplit_once('-').unwrap_or((&stem, ""));
    match number.parse() {
        Ok(number) => (before.to_owned(), number, path.to_owned()),
        Err(_) => (stem.into_owned(), 0, path.to_owned()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn hands_without_an_end_are_named_where_there_is_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().display().to_string();
        assert_eq!(without(place.path()), Problem::NoTranscripts { dir: dir.clone() });
        for name in ["5f-0002.closed", "5f-0003.closed", "notes"] {
            std::fs::write(place.path().join(name), "").unwrap();
        }
        assert!(transcripts(place.path()).unwrap().is_empty());
        let file = place.path().join("5f-0003.closed").display().to_string();
        assert_eq!(without(place.path()), Problem::OnlyUnfinished { dir, hands: 2, file });
    }

    #[test]
    fn hands_come_in_the_order_of_their_numbers() {
        let mut names: Vec<PathBuf> =
            ["b-1.trinka", "a-10.trinka", "a-2.trinka", "x.trinka", "a-1.trinka"]
                .map(PathBuf::from)
                .into();
        names.sort_by_cached_key(|path| order(path));
        let sorted = ["a-1.trinka", "a-2.trinka", "a-10.trinka", "b-1.trinka", "x.trinka"];
        assert_eq!(names, sorted.map(PathBuf::from));
    }
}
