//! The first words on a link.
//!
//! Both sides write at once, big-endian:
//!
//! ```text
//! magic 8 | version 2 | port 2 | length 2 | extra (length)
//! ```
//!
//! and then, having read the other's, one byte of verdict. Magic and version come before everything whose
//! layout a version may change, under a protocol name without a version; so two versions can always tell
//! each other apart. The link is up when both verdicts are "welcome".

use std::io;

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::limits::MAX_HELLO_EXTRA;

/// What one side says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hello {
    pub magic: [u8; 8],
    pub version: u16,
    /// TCP port that this side listens on, 0 for none: the other sees only a dial's source port.
    pub port: u16,
    pub extra: Vec<u8>,
}

/// The byte that answers a hello.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Welcome,
    NotOurs,
    Version,
    Full,
    OtherInstance,
    BadHello,
}

impl Verdict {
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Welcome => 0,
            Self::NotOurs => 1,
            Self::Version => 2,
            Self::Full => 3,
            Self::OtherInstance => 4,
            Self::BadHello => 5,
        }
    }

    /// Unknown bytes are refusals, of a kind that we cannot name.
    pub fn from_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Welcome,
            1 => Self::NotOurs,
            2 => Self::Version,
            3 => Self::Full,
            4 => Self::OtherInstance,
            _ => Self::BadHello,
        }
    }
}

/// What was read where a hello should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Heard {
    Hello(Hello),
    OtherMagic,
    OtherVersion(u16),
    TooLong,
}

pub(crate) async fn write_hello<W: AsyncWrite + Unpin>(
    to: &mut W,
    hello: &Hello,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(14 + hello.extra.len());
    bytes.extend_from_slice(&hello.magic);
    bytes.extend_from_slice(&hello.version.to_be_bytes());
    bytes.extend_from_slice(&hello.port.to_be_bytes());
    let len = u16::try_from(hello.extra.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    bytes.extend_from_slice(&len.to_be_bytes());
    bytes.extend_from_slice(&hello.extra);
    to.write_all(&bytes).await?;
    to.flush().await
}

/// Reads the other's hello and stops where it is clear that it is none of ours.
pub(crate) async fn read_hello<R: AsyncRead + Unpin>(
    from: &mut R,
    magic: [u8; 8],
    version: u16,
) -> io::Result<Heard> {
    let mut theirs = [0; 8];
    from.read_exact(&mut theirs).await?;
    if theirs != magic {
        return Ok(Heard::OtherMagic);
    }
    let theirs = read_u16(from).await?;
    if theirs != version {
        return Ok(Heard::OtherVersion(theirs));
    }
    let port = read_u16(from).await?;
    let len = usize::from(read_u16(from).await?);
    if len > MAX_HELLO_EXTRA {
        return Ok(Heard::TooLong);
    }
    let mut extra = vec![0; len];
    from.read_exact(&mut extra).await?;
    Ok(Heard::Hello(Hello { magic, version, port, extra }))
}

async fn read_u16<R: AsyncRead + Unpin>(from: &mut R) -> io::Result<u16> {
    let mut bytes = [0; 2];
    from.read_exact(&mut bytes).await?;
    Ok(u16::from_be_bytes(bytes))
}

pub(crate) async fn write_verdict<W: AsyncWrite + Unpin>(
    to: &mut W,
    verdict: Verdict,
) -> io::Result<()> {
    to.write_all(&[verdict.to_byte()]).await?;
    to.flush().await
}

pub(crate) async fn read_verdict<R: AsyncRead + Unpin>(from: &mut R) -> io::Result<Verdict> {
    let mut byte = [0; 1];
    from.read_exact(&mut byte).await?;
    let [byte] = byte;
    Ok(Verdict::from_byte(byte))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use futures::io::Cursor;

    const MAGIC: [u8; 8] = *b"trinka\0\0";

    fn written(version: u16, extra: usize) -> Vec<u8> {
        let hello = Hello { magic: MAGIC, version, port: 24336, extra: vec![7; extra] };
        let mut out = Cursor::new(Vec::new());
        block_on(write_hello(&mut out, &hello)).unwrap();
        out.into_inner()
    }

    fn heard(bytes: &[u8]) -> io::Result<Heard> {
        block_on(read_hello(&mut Cursor::new(bytes), MAGIC, 3))
    }

    #[test]
    fn frozen_bytes() {
        assert_eq!(written(3, 2), b"trinka\0\0\x00\x03\x5f\x10\x00\x02\x07\x07");
    }

    #[test]
    fn there_and_back() {
        let hello = Hello { magic: MAGIC, version: 3, port: 24336, extra: vec![7; 256] };
        assert_eq!(heard(&written(3, 256)).unwrap(), Heard::Hello(hello));
    }

    #[test]
    fn others_are_told_apart() {
        assert_eq!(heard(&written(4, 0)).unwrap(), Heard::OtherVersion(4));
        assert_eq!(heard(b"GET / HTTP/1.1\r\n").unwrap(), Heard::OtherMagic);
        assert_eq!(heard(&written(3, 257)).unwrap(), Heard::TooLong);
        let whole = written(3, 5);
        for cut in 0..whole.len() {
            assert!(heard(whole.get(..cut).unwrap()).is_err());
        }
    }

    #[test]
    fn verdicts_keep_their_bytes() {
        for byte in 0..=5 {
            assert_eq!(Verdict::from_byte(byte).to_byte(), byte);
        }
        assert_ne!(Verdict::from_byte(200), Verdict::Welcome);
    }
}
