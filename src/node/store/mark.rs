//! How long a log was when it was last durable: a crash never makes it shorter than that, something else does.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::files::{expect_file, private_file, read_bounded, sync_dir, unwritable};
use crate::i18n::Problem;
use crate::wire;

/// Bytes of a mark: a length, and the beginning of its hash.
const MARK: usize = 16;

fn mark_file(dir: &Path) -> PathBuf {
    dir.join("mark")
}

pub(super) fn marked(length: u64) -> [u8; MARK] {
    let length = length.to_be_bytes();
    let check = wire::hash("trinka log mark", &[&length]);
    let mut bytes = [0; MARK];
    let (front, back) = bytes.split_at_mut(length.len());
    front.copy_from_slice(&length);
    back.copy_from_slice(check.get(..back.len()).unwrap_or_default());
    bytes
}

/// Notes that a log is durable so far. Not synced itself: after a power failure it may be an older one, which
/// only promises less; so does one that could not be written.
pub(super) fn write_mark(dir: &Path, length: u64) {
    let file = mark_file(dir);
    let written = expect_file(&file)
        .and_then(|()| private_file().truncate(false).open(&file))
        .and_then(|mut out| out.write_all(&marked(length)));
    if let Err(e) = written {
        tracing::info!("{}: {e}", file.display());
    }
}

/// How long the log was when it was last durable, where that is known.
pub(super) fn read_mark(dir: &Path) -> Option<u64> {
    let bytes = read_bounded(&mark_file(dir), MARK as u64).ok()?;
    let length = u64::from_be_bytes(*bytes.first_chunk()?);
    (bytes == marked(length)).then_some(length)
}

/// Forgets how long the log was, before it is shorter.
pub(super) fn drop_mark(dir: &Path) -> Result<(), Problem> {
    let file = mark_file(dir);
    if read_mark(dir).is_none() {
        return Ok(());
    }
    let removed = fs::remove_file(&file).and_then(|()| sync_dir(dir));
    removed.map_err(|e| unwritable(&file, &e))
}

/// Whether a log was here.
pub(super) fn is_marked(dir: &Path) -> bool {
    read_mark(dir).is_some()
}
