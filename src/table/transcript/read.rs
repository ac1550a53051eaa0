//! Reads sections one after another, each with its hash.

use super::Kind;
use crate::wire;

/// Why a section cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SectionError {
    /// The file ends before the section does.
    Short,
    /// Another kind stands there.
    Kind,
    /// The hash does not fit the bytes.
    Damaged,
}

impl SectionError {
    pub(crate) fn words(self) -> &'static str {
        match self {
            SectionError::Short => "the file ends in the middle of it, or its length was changed",
            SectionError::Kind => "something else stands in its place",
            SectionError::Damaged => "its bytes were changed",
        }
    }
}

/// The rest of a file.
pub(crate) struct Sections<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Sections<'a> {
    pub(crate) fn new(all: &'a [u8], at: usize) -> Self {
        Sections { all, at }
    }

    /// Everything before the next section.
    pub(crate) fn so_far(&self) -> &'a [u8] {
        self.all.get(..self.at).unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at >= self.all.len()
    }

    /// Whether a section of this kind comes next.
    pub(crate) fn comes(&self, kind: Kind) -> bool {
        self.all.get(self.at) == Some(&(kind as u8))
    }

    /// The body of the next section, which has to be of this kind.
    pub(crate) fn next(&mut self, kind: Kind) -> Result<&'a [u8], SectionError> {
        let rest = self.all.get(self.at..).unwrap_or_default();
        let (head, rest) = rest.split_first_chunk::<1>().ok_or(SectionError::Short)?;
        let (length, rest) = rest.split_first_chunk::<4>().ok_or(SectionError::Short)?;
        if *head != [kind as u8] {
            return Err(SectionError::Kind);
        }
        let size = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| SectionError::Short)?;
        let (body, rest) = rest.split_at_checked(size).ok_or(SectionError::Short)?;
        let (digest, _) = rest.split_first_chunk::<32>().ok_or(SectionError::Short)?;
        if wire::hash("trinka section", &[head, length, body]) != *digest {
            return Err(SectionError::Damaged);
        }
        self.at += 1 + 4 + size + 32;
        Ok(body)
    }
}
