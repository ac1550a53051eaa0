//! The group elements that everybody agrees on: commitment bases and card points.
//!
//! All but the base point `G` are hashed to the group, each from its own label, so that nobody knows a
//! linear relation between them (`vectors/generators.json` pins every one of them).

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, OnceLock},
};

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT,
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{Identity, MultiscalarMul},
};
use sha2::{Digest, Sha512};
use subtle::{Choice, ConditionallySelectable};

use crate::{error::Error, wire::Element};

/// The most cards a deck can have, and the number of commitment bases.
pub const MAX_CARDS: usize = 300;

/// `h_1 … h_300`.
static BASES: LazyLock<Vec<RistrettoPoint>> = LazyLock::new(|| {
    (1..=MAX_CARDS).map(|i| hash_to_group(b"trinka-crypto v1 base h_i", i)).collect()
});

/// `M_0 … M_299`.
static CARDS: LazyLock<Vec<Element>> = LazyLock::new(|| {
    (0..MAX_CARDS)
        .map(|card| Element::new(hash_to_group(b"trinka-crypto v1 card M_c", card)))
        .collect()
});

/// The parameters of each deck size, made when they are first asked for.
static MADE: LazyLock<Vec<OnceLock<Params>>> =
    LazyLock::new(|| (0..=MAX_CARDS).map(|_| OnceLock::new()).collect());

/// The 64 bytes of `SHA-512(label length ‖ label ‖ index)`, mapped to the group.
fn hash_to_group(label: &[u8], index: usize) -> RistrettoPoint {
    let hash = Sha512::new()
        .chain_update((label.len() as u64).to_le_bytes())
        .chain_update(label)
        .chain_update((index as u64).to_le_bytes())
        .finalize();
    let mut bytes = [0; 64];
    bytes.copy_from_slice(&hash);
    RistrettoPoint::from_uniform_bytes(&bytes)
}

/// `h`, the commitment base without index.
#[must_use]
pub fn base() -> RistrettoPoint {
    hash_to_group(b"trinka-crypto v1 base h", 0)
}

/// All commitment bases `h_1 … h_300`.
#[must_use]
pub fn bases() -> &'static [RistrettoPoint] {
    &BASES
}

/// All card points `M_0 … M_299`.
#[must_use]
pub fn cards() -> &'static [Element] {
    &CARDS
}

/// `com(v; r) = rG + Σ v_i h_i`, in constant time, for at most [`MAX_CARDS`] values.
pub(crate) fn commit(values: &[Scalar], r: &Scalar) -> RistrettoPoint {
    let bases = bases().iter().take(values.len());
    RistrettoPoint::multiscalar_mul(
        core::iter::once(r).chain(values.iter().take(MAX_CARDS)),
        core::iter::once(&RISTRETTO_BASEPOINT_POINT).chain(bases),
    )
}

/// `com(v; r)` for small secret values, in constant time: `rG + Σ_k 2^k Σ_i bit_k(v_i) h_i`, where each
/// base is added or not without a branch. Only for values below 2⁹ (card numbers are).
pub(crate) fn commit_small(values: &[u32], r: &Scalar) -> RistrettoPoint {
    let mut sum = RistrettoPoint::identity();
    for bit in (0..9).rev() {
        sum += sum;
        for (value, base) in values.iter().zip(bases()) {
            let chosen = Choice::from(((value >> bit) & 1) as u8);
            sum += RistrettoPoint::conditional_select(&RistrettoPoint::identity(), base, chosen);
        }
    }
    sum + RistrettoPoint::mul_base(r)
}

#[derive(Debug)]
struct Inner {
    n: usize,
    numbers: HashMap<[u8; 32], u16>,
    digest: [u8; 32],
}

/// A deck of n cards: its card points and commitment bases. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Params(Arc<Inner>);

impl Params {
    /// The parameters of a deck of `n` cards, 1 < n ≤ [`MAX_CARDS`].
    ///
    /// # Errors
    /// [`Error::DeckSize`] for any other `n`.
    pub fn new(n: usize) -> Result<Self, Error> {
        match MADE.get(n) {
            Some(made) if n >= 2 => Ok(made.get_or_init(|| Self::make(n)).clone()),
            _ => Err(Error::DeckSize { cards: n }),
        }
    }

    fn make(n: usize) -> Self {
        let numbers = (0..)
            .zip(cards().iter().take(n))
            .map(|(number, card)| (*card.as_bytes(), number))
            .collect();
        let mut hash = Sha512::new()
            .chain_update(b"trinka-crypto v1 parameters")
            .chain_update((n as u64).to_le_bytes())
            .chain_update(RISTRETTO_BASEPOINT_POINT.compress().as_bytes())
            .chain_update(base().compress().as_bytes());
        for base in bases().iter().take(n) {
            hash.update(base.compress().as_bytes());
        }
        for card in cards().iter().take(n) {
            hash.update(card.as_bytes());
        }
        let mut digest = [0; 32];
        for (to, from) in digest.iter_mut().zip(hash.finalize()) {
            *to = from;
        }
        Self(Arc::new(Inner { n, numbers, digest }))
    }

    /// The number of cards.
    #[must_use]
    pub fn n(&self) -> usize {
        self.0.n
    }

    /// 32 bytes that stand for the deck size, the bases and the card points.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.0.digest
    }

    /// `M_0 … M_{n−1}`.
    #[must_use]
    pub fn cards(&self) -> &'static [Element] {
        cards().get(..self.n()).unwrap_or_default()
    }

    /// `h_1 … h_n`.
    #[must_use]
    pub fn bases(&self) -> &'static [RistrettoPoint] {
        bases().get(..self.n()).unwrap_or_default()
    }

    /// The card of a point, in variable time: `None` when it is no card of this deck.
    #[must_use]
    pub fn card(&self, point: &Element) -> Option<u16> {
        self.0.numbers.get(point.as_bytes()).copied()
    }
}

impl PartialEq for Params {
    fn eq(&self, other: &Self) -> bool {
        self.0.digest == other.0.digest
    }
}

impl Eq for Params {}
