//! Files: made for their owner only, written whole or not at all, moved aside where they are damaged.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::i18n::Problem;

pub(super) fn unusable(dir: &Path, reason: &dyn std::fmt::Display) -> Problem {
    if fs::metadata(dir).is_ok_and(|there| !there.is_dir()) {
        return Problem::NoDirectory { dir: dir.display().to_string() };
    }
    Problem::DataUnusable { dir: dir.display().to_string(), reason: reason.to_string() }
}

/// Whether something stands there that is no file: a directory, a pipe, a device.
fn is_no_file(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|there| !there.is_file())
}

/// A file cannot be written. Where it is no file, that is what is wrong with it.
pub(super) fn unwritable(file: &Path, reason: &dyn std::fmt::Display) -> Problem {
    if is_no_file(file) {
        return Problem::NoPlainFile { file: file.display().to_string() };
    }
    Problem::FileUnwritable { file: file.display().to_string(), reason: reason.to_string() }
}

/// A file cannot be read. Where it is no file, that is what is wrong with it.
pub(super) fn unreadable(file: &Path, reason: &dyn std::fmt::Display) -> Problem {
    if is_no_file(file) {
        return Problem::NoPlainFile { file: file.display().to_string() };
    }
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
    write_aside(file, bytes, |temporary| fs::rename(temporary, file))
}

/// Writes a file whole or not at all, if there is none. False where there is one.
pub(super) fn write_new(file: &Path, bytes: &[u8]) -> io::Result<bool> {
    let placed = write_aside(file, bytes, |temporary| match fs::hard_link(temporary, file) {
        Ok(()) => fs::remove_file(temporary),
        Err(_) if fs::symlink_metadata(file).is_ok() => {
            Err(io::Error::from(io::ErrorKind::AlreadyExists))
        }
        // A file system on which a file has one name only.
        Err(_) => fs::rename(temporary, file),
    });
    match placed {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(e),
    }
}

/// Writes bytes to a file beside another one, durably, and lets it take the other's place.
fn write_aside(
    file: &Path,
    bytes: &[u8],
    place: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let temporary = dir.join(format!(".{name}.{}", std::process::id()));
    let result = (|| {
        let mut out = private_file().truncate(true).open(&temporary)?;
        out.write_all(bytes)?;
        out.sync_all()?;
        place(&temporary)?;
        sync_dir(dir)
    })();
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// A name beside a file that nothing has: its own, with what became of it and a number.
pub(super) fn name_beside(file: &Path, what: &str) -> Result<PathBuf, Problem> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let names = (1u32..).map(|number| file.with_file_name(format!("{name}.{what}-{number}")));
    // The directory is locked: nobody else makes files here meanwhile.
    let mut free = names.filter(|aside| fs::symlink_metadata(aside).is_err());
    free.next().ok_or_else(|| unwritable(file, &"no name is free beside it"))
}

/// Moves a file to a name beside it that nothing has.
pub(super) fn move_beside(file: &Path, what: &str) -> Result<PathBuf, Problem> {
    let aside = name_beside(file, what)?;
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

/// Refuses what is there and is no file. Opening a pipe would wait for its other end.
pub(super) fn expect_file(file: &Path) -> io::Result<()> {
    if is_no_file(file) { Err(io::Error::other("no plain file")) } else { Ok(()) }
}

/// Reads at most so many bytes of a file, and of nothing else: a pipe would not end.
pub(super) fn read_bounded(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    expect_file(file)?;
    let mut bytes = Vec::new();
    File::open(file)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("larger than {most} bytes")));
    }
    Ok(bytes)
}
