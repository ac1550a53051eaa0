//! Canonical encodings: words of 32 bytes, nothing else.
//!
//! Every value on the wire is a fixed number of words, each a compressed Ristretto point or a scalar
//! below the group order, little-endian. A value has exactly one encoding.

use curve25519_dalek::{
    ristretto::{CompressedRistretto, RistrettoPoint},
    scalar::Scalar,
    traits::{Identity, IsIdentity},
};

use crate::error::DecodeError;

/// Bytes in a point or a scalar.
pub const WORD: usize = 32;

/// A group element together with its encoding, so that what is hashed is what was decoded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Element {
    point: RistrettoPoint,
    bytes: CompressedRistretto,
}

impl Element {
    /// Encodes a point.
    #[must_use]
    pub fn new(point: RistrettoPoint) -> Self {
        Self { point, bytes: point.compress() }
    }

    /// Decodes 32 bytes; `None` unless they are the canonical encoding of a group element.
    #[must_use]
    pub fn decode(bytes: [u8; WORD]) -> Option<Self> {
        let bytes = CompressedRistretto(bytes);
        bytes.decompress().map(|point| Self { point, bytes })
    }

    /// The zero of the group.
    #[must_use]
    pub fn identity() -> Self {
        Self { point: RistrettoPoint::identity(), bytes: CompressedRistretto::identity() }
    }

    /// Whether this is the zero of the group.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.bytes.is_identity()
    }

    /// The group element.
    #[must_use]
    pub const fn point(&self) -> &RistrettoPoint {
        &self.point
    }

    /// Its canonical encoding.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; WORD] {
        self.bytes.as_bytes()
    }
}

impl core::fmt::Debug for Element {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Element(")?;
        for byte in self.as_bytes().iter().take(4) {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("…)")
    }
}

/// Reads words from bytes whose length has been checked.
pub(crate) struct Words<'a> {
    words: core::slice::Iter<'a, [u8; WORD]>,
    index: usize,
}

impl<'a> Words<'a> {
    /// Refuses everything but exactly `words` words.
    pub(crate) fn new(bytes: &'a [u8], words: usize) -> Result<Self, DecodeError> {
        let expected = words.saturating_mul(WORD);
        if bytes.len() != expected {
            return Err(DecodeError::Length { expected, found: bytes.len() });
        }
        let (words, _) = bytes.as_chunks::<WORD>();
        Ok(Self { words: words.iter(), index: 0 })
    }

    fn next(&mut self) -> Result<(usize, [u8; WORD]), DecodeError> {
        let index = self.index;
        self.index += 1;
        match self.words.next() {
            Some(word) => Ok((index, *word)),
            None => Err(DecodeError::Length { expected: self.index * WORD, found: index * WORD }),
        }
    }

    /// A point, possibly the identity.
    pub(crate) fn element(&mut self) -> Result<Element, DecodeError> {
        let (word, bytes) = self.next()?;
        Element::decode(bytes).ok_or(DecodeError::Point { word })
    }

    /// A point that must not be the identity.
    pub(crate) fn nonzero_element(&mut self) -> Result<Element, DecodeError> {
        let word = self.index;
        let element = self.element()?;
        if element.is_identity() {
            return Err(DecodeError::Zero { word });
        }
        Ok(element)
    }

    /// A scalar.
    pub(crate) fn scalar(&mut self) -> Result<Scalar, DecodeError> {
        let (word, bytes) = self.next()?;
        Option::from(Scalar::from_canonical_bytes(bytes)).ok_or(DecodeError::Scalar { word })
    }

    /// `count` points.
    pub(crate) fn elements(&mut self, count: usize) -> Result<Vec<Element>, DecodeError> {
        (0..count).map(|_| self.element()).collect()
    }

    /// `count` scalars.
    pub(crate) fn scalars(&mut self, count: usize) -> Result<Vec<Scalar>, DecodeError> {
        (0..count).map(|_| self.scalar()).collect()
    }
}

/// Writes words.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn with_words(words: usize) -> Self {
        Self(Vec::with_capacity(words * WORD))
    }

    pub(crate) fn element(&mut self, element: &Element) -> &mut Self {
        self.0.extend_from_slice(element.as_bytes());
        self
    }

    pub(crate) fn elements<'a>(
        &mut self,
        elements: impl IntoIterator<Item = &'a Element>,
    ) -> &mut Self {
        for element in elements {
            self.element(element);
        }
        self
    }

    pub(crate) fn scalar(&mut self, scalar: &Scalar) -> &mut Self {
        self.0.extend_from_slice(scalar.as_bytes());
        self
    }

    pub(crate) fn scalars<'a>(
        &mut self,
        scalars: impl IntoIterator<Item = &'a Scalar>,
    ) -> &mut Self {
        for scalar in scalars {
            self.scalar(scalar);
        }
        self
    }

    pub(crate) fn finish(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.0)
    }
}
