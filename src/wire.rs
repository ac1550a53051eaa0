//! The one place that knows the binary encoding: bincode 2 in its standard configuration, read strictly.
//!
//! bincode accepts trailing bytes and non-minimal integers; both would let two different byte strings mean
//! the same message. So [`decode`] requires that all input is consumed and that encoding the value again
//! gives the same bytes. What is hashed or signed is always the bytes received, never a re-encoding.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// The version of everything that crosses the network or is written to a transcript.
pub const PROTOCOL_VERSION: u16 = 1;

/// Most bytes that one value may have on the wire or on disk (1 MiB); larger input is refused unread.
pub const MAX_BYTES: usize = 1 << 20;

/// Why bytes could not be read (or, never in practice, not written).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// More bytes than [`MAX_BYTES`].
    #[error("{0} bytes are more than the {MAX_BYTES} allowed")]
    TooLong(usize),
    /// The bytes are not an encoding of the expected value.
    #[error("not a valid encoding: {0}")]
    Malformed(String),
    /// Bytes are left over behind the value.
    #[error("{0} bytes left over behind the value")]
    Trailing(usize),
    /// The value is encoded in a longer way than needed.
    #[error("the encoding is not the shortest one")]
    NotCanonical,
}

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<MAX_BYTES>()
}

/// Encodes a value.
///
/// # Errors
/// Only when a value cannot be encoded at all or is above the limit.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, WireError> {
    let bytes = bincode::serde::encode_to_vec(value, config())
        .map_err(|e| WireError::Malformed(e.to_string()))?;
    if bytes.len() > MAX_BYTES {
        return Err(WireError::TooLong(bytes.len()));
    }
    Ok(bytes)
}

/// Reads exactly one value from all of `bytes`.
///
/// # Errors
/// [`WireError`] when too long, malformed, trailing or not canonical.
pub fn decode<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    if bytes.len() > MAX_BYTES {
        return Err(WireError::TooLong(bytes.len()));
    }
    let (value, used): (T, usize) = bincode::serde::decode_from_slice(bytes, config())
        .map_err(|e| WireError::Malformed(e.to_string()))?;
    if used != bytes.len() {
        return Err(WireError::Trailing(bytes.len().saturating_sub(used)));
    }
    if encode(&value)? != bytes {
        return Err(WireError::NotCanonical);
    }
    Ok(value)
}

/// Reads a value from the front of `bytes`, and tells how many it took.
///
/// # Errors
/// [`WireError`] when too long or malformed.
pub fn decode_prefix<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), WireError> {
    bincode::serde::decode_from_slice(bytes, config())
        .map_err(|e| WireError::Malformed(e.to_string()))
}

/// SHA-256 over a label and parts, each with its length, so that no two lists of parts collide.
#[must_use]
pub fn hash(label: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut h = Sha256::new();
    h.update((label.len() as u64).to_be_bytes());
    h.update(label.as_bytes());
    for part in parts {
        h.update((part.len() as u64).to_be_bytes());
        h.update(part);
    }
    h.finalize().into()
}

/// Lower-case hex of some bytes.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    })
}

/// Bytes from hex of exactly `N` bytes.
#[must_use]
pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if !text.is_ascii() || text.len() != 2 * N {
        return None;
    }
    let mut out = [0u8; N];
    for (i, slot) in out.iter_mut().enumerate() {
        *slot = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Sample {
        Plain,
        Pair { a: u64, b: Vec<u8> },
    }

    #[test]
    fn golden_bytes() {
        // Pinned: another encoder behind this module must give these very bytes.
        assert_eq!(encode(&Sample::Plain).unwrap(), [0]);
        assert_eq!(
            encode(&Sample::Pair { a: 300, b: vec![1, 2] }).unwrap(),
            [1, 251, 44, 1, 2, 1, 2]
        );
        assert_eq!(
            encode(&(Some(7u8), "да", u64::MAX)).unwrap(),
            [1, 7, 4, 0xd0, 0xb4, 0xd0, 0xb0, 253, 255, 255, 255, 255, 255, 255, 255, 255]
        );
        assert_eq!(hex(&hash("x", &[b"ab", b""])).len(), 64);
    }

    #[test]
    fn strict() {
        assert_eq!(decode::<Sample>(&[0, 0]), Err(WireError::Trailing(1)));
        // 251 announces two bytes although 5 would fit into one.
        assert_eq!(decode::<u64>(&[251, 5, 0]), Err(WireError::NotCanonical));
        assert!(matches!(decode::<Sample>(&[9]), Err(WireError::Malformed(_))));
        assert!(matches!(
            decode::<Sample>(&[1, 4, 253, 255, 255, 255, 255, 255, 255, 255, 255]),
            Err(WireError::Malformed(_))
        ));
        assert_eq!(
            decode::<Sample>(&vec![0; MAX_BYTES + 1]),
            Err(WireError::TooLong(MAX_BYTES + 1))
        );
        assert_eq!(unhex::<2>("0aff"), Some([10, 255]));
        assert_eq!(unhex::<2>("0aZf"), None);
    }
}
