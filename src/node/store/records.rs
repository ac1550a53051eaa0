//! Records as they stand in a log: each with its length and a hash.

use std::io;

use crate::table::Record;
use crate::wire;

/// A record as it stands in a log: its length, a hash of both, and itself.
pub(super) fn framed(record: &Record) -> io::Result<Vec<u8>> {
    let body = wire::encode(record).map_err(io::Error::other)?;
    let length = u32::try_from(body.len()).map_err(io::Error::other)?.to_be_bytes();
    let mut bytes = Vec::with_capacity(body.len() + 36);
    bytes.extend_from_slice(&length);
    bytes.extend_from_slice(&wire::hash("trinka log record", &[&length, &body]));
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// What a log begins with.
pub(super) struct Parsed {
    /// Whole records.
    pub(super) records: Vec<Record>,
    /// How many bytes they are.
    pub(super) good: usize,
    /// Whether what follows just ends too early.
    pub(super) cut: bool,
}

impl Parsed {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let (mut records, mut good) = (Vec::new(), 0);
        loop {
            let rest = bytes.get(good..).unwrap_or_default();
            match next_record(rest) {
                Ok((record, used)) => {
                    records.push(record);
                    good += used;
                }
                Err(cut) => return Parsed { records, good, cut },
            }
        }
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
    if size == 0 || wire::hash("trinka log record", &[length, body]) != *digest {
        // The last record may be a block of zeros that the file system left.
        return Err(after.len() == size || is_zero(rest));
    }
    let record = wire::decode(body).map_err(|_| false)?;
    Ok((record, 36 + size))
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Whether a whole record lies anywhere behind the first byte. Then the record before it was not cut off by
/// a crash: its length was damaged, and what follows must not be thrown away with it.
pub(super) fn holds_record(rest: &[u8]) -> bool {
    !is_zero(rest)
        && (1..rest.len()).filter_map(|at| rest.get(at..)).any(|tail| next_record(tail).is_ok())
}
