//! The directories of a demo.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::i18n::Problem;

/// Where the nodes keep their data: removed at the end, unless it is to be kept.
pub(super) struct Home {
    dir: PathBuf,
    keep: bool,
}

impl Home {
    /// A new directory: `keep`, else one of the system's for temporary things.
    pub(super) fn new(keep: Option<&Path>, lot: u64) -> Result<Self, Problem> {
        match keep {
            Some(dir) => {
                fs::create_dir_all(dir).map_err(|error| unusable(dir, &error))?;
                let mut entries = fs::read_dir(dir).map_err(|error| unusable(dir, &error))?;
                if entries.next().is_some() {
                    return Err(Problem::DirNotEmpty { dir: dir.display().to_string() });
                }
                Ok(Self { dir: dir.to_owned(), keep: true })
            }
            None => {
                let name = format!("trinka-demo-{}-{lot:016x}", std::process::id());
                let dir = std::env::temp_dir().join(name);
                create(&dir).map_err(|error| unusable(&dir, &error))?;
                Ok(Self { dir, keep: false })
            }
        }
    }

    /// The directory, if it is kept.
    pub(super) fn kept(&self) -> Option<&Path> {
        self.keep.then_some(self.dir.as_path())
    }

    /// The data directory of a node.
    pub(super) fn node(&self, number: usize) -> PathBuf {
        self.dir.join(format!("node-{number}"))
    }

    /// A file as the summary names it: as it is, if it stays, else within the demo's directory.
    pub(super) fn name(&self, file: &Path) -> String {
        let within = if self.keep { file } else { file.strip_prefix(&self.dir).unwrap_or(file) };
        within.display().to_string()
    }

    /// Forgets what the nodes have written, for another attempt.
    pub(super) fn clear(&self, nodes: usize) -> Result<(), Problem> {
        for number in 0..nodes {
            let dir = self.node(number);
            match fs::remove_dir_all(&dir) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(unusable(&dir, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if !self.keep {
            // What cannot be removed now is the system's to clear away.
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

/// Makes a directory that only its owner can enter, and that was not there before.
fn create(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

fn unusable(dir: &Path, error: &io::Error) -> Problem {
    Problem::DataUnusable { dir: dir.display().to_string(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_temporary_home_is_removed_with_everything_in_it() {
        let home = Home::new(None, 7).unwrap();
        let node = home.node(1);
        fs::create_dir_all(node.join("transcripts")).unwrap();
        let dir = node.parent().unwrap().to_owned();
        assert_eq!(home.name(&node.join("x")), "node-1/x");
        home.clear(3).unwrap();
        assert!(!node.exists());
        drop(home);
        assert!(!dir.exists());
    }

    #[test]
    fn a_home_that_is_kept_has_to_be_new() {
        let dir = tempfile::tempdir().unwrap();
        let keep = dir.path().join("demo");
        let home = Home::new(Some(&keep), 0).unwrap();
        assert_eq!(home.kept(), Some(keep.as_path()));
        fs::create_dir(home.node(0)).unwrap();
        drop(home);
        assert!(keep.exists());
        let again = Home::new(Some(&keep), 0);
        assert!(matches!(again, Err(Problem::DirNotEmpty { .. })));
    }
}
