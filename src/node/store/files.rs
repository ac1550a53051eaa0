//! Files: made for their owner only, written whole or not at all, moved aside where they are damaged.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::i18n::Problem;

pub(super) fn unusable(dir: &Path, reason: &dyn std::fmt::Display) -> Problem {
    Problem::DataUnusable { dir: dir.display().to_string(), reason: reason.to_string() }
}

pub(super) fn unwritable(file: &Path, reason: &dyn std::fmt::Display) -> Problem {
    Problem::FileUnwritable { file: file.display().to_string(), reason: reason.to_string() }
}

pub(super) fn unreadable(file: &Path, reason: &dyn std::fmt::Display) -> Problem {
    Problem::FileUnreadable { file: file.display().to_string(), reason: reason.to_string() }
}

/// Makes a directory for its owner only, unless it is there.
pub(super) fn private_dir(dir: &Path) -> io::Result<()> {
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
pub(super) fn private_file() -> OpenOptions {
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
pub(super) fn sync_dir(dir: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(dir)?.sync_all()?;
    let _ = dir;
    Ok(())
}

/// Writes a file whole or not at all.
pub(super) fn write_atomic(file: &Path, bytes: &[u8]) -> io::Result<()> {
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
pub(super) fn move_beside(file: &Path, what: &str) -> Result<PathBuf, Problem> {
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
pub(super) fn put_aside(
    file: &Path,
    told: fn(String, String) -> Problem,
) -> Result<Problem, Problem> {
    let aside = move_beside(file, "damaged")?;
    tracing::warn!("{} was damaged and is now {}", file.display(), aside.display());
    Ok(told(file.display().to_string(), aside.display().to_string()))
}

pub(super) fn table_damaged(file: String, aside: String) -> Problem {
    Problem::TableDamaged { file, aside }
}

/// Reads at most so many bytes of a file.
pub(super) fn read_bounded(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("larger than {most} bytes")));
    }
    Ok(bytes)
}
