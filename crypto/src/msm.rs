//! Many equations in one multiscalar multiplication.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::LazyLock,
};

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT,
    ristretto::{RistrettoPoint, VartimeRistrettoPrecomputation},
    scalar::Scalar,
    traits::{IsIdentity, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul},
};

use crate::{generators::bases, wire::Element};

/// How many bases have a table.
const TABLES: usize = 64;

/// Up to so many other points, the tables are faster than to sort all points into buckets.
const FEW: usize = 350;

/// Tables of `G, h_1, …, h_64`, about 10 kB for each.
static FIXED: LazyLock<VartimeRistrettoPrecomputation> = LazyLock::new(|| {
    VartimeRistrettoPrecomputation::new(
        core::iter::once(&RISTRETTO_BASEPOINT_POINT).chain(bases().iter().take(TABLES)),
    )
});

/// A sum of multiples of public points that ought to be zero. The coefficients of a point that comes more
/// than once are added up before it is multiplied: keys, and the cards that several proofs speak of.
#[derive(Default)]
pub(crate) struct Sum {
    /// The coefficient of the base point G.
    pub(crate) base: Scalar,
    /// Those of `h_1, h_2, …`
    bases: Vec<Scalar>,
    /// Where a point is among the others, by its encoding.
    known: HashMap<[u8; 32], usize>,
    scalars: Vec<Scalar>,
    points: Vec<RistrettoPoint>,
}

impl Sum {
    /// Adds `scalar · element`.
    pub(crate) fn add(&mut self, scalar: Scalar, element: &Element) {
        match self.known.entry(*element.as_bytes()) {
            Entry::Occupied(index) => {
                if let Some(sum) = self.scalars.get_mut(*index.get()) {
                    *sum += scalar;
                }
            }
            Entry::Vacant(index) => {
                index.insert(self.scalars.len());
                self.scalars.push(scalar);
                self.points.push(*element.point());
            }
        }
    }

    /// Adds `scalar_i · h_i` for i = 1, 2, …
    pub(crate) fn add_bases(&mut self, scalars: &[Scalar]) {
        if self.bases.len() < scalars.len() {
            self.bases.resize(scalars.len(), Scalar::ZERO);
        }
        for (sum, scalar) in self.bases.iter_mut().zip(scalars) {
            *sum += scalar;
        }
    }

    /// Whether the sum is zero. Variable time.
    pub(crate) fn vanishes(&self) -> bool {
        if self.bases.len() <= TABLES && self.points.len() <= FEW {
            let fixed = core::iter::once(&self.base).chain(&self.bases);
            return FIXED
                .vartime_mixed_multiscalar_mul(fixed, &self.scalars, &self.points)
                .is_identity();
        }
        let scalars = self.scalars.iter().chain(&self.bases).chain([&self.base]);
        let bases = bases().iter().take(self.bases.len());
        let points = self.points.iter().chain(bases).chain([&RISTRETTO_BASEPOINT_POINT]);
        RistrettoPoint::vartime_multiscalar_mul(scalars, points).is_identity()
    }
}
