//! Many equations in one multiscalar multiplication.

use std::collections::{HashMap, hash_map::Entry};

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT,
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{IsIdentity, VartimeMultiscalarMul},
};

use crate::{generators::bases, wire::Element};

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

    /// Adds `scalar · point` for a point that is not looked up among the others.
    pub(crate) fn add_point(&mut self, scalar: Scalar, point: &RistrettoPoint) {
        self.scalars.push(scalar);
        self.points.push(*point);
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
        let scalars = self.scalars.iter().chain(&self.bases).chain([&self.base]);
        let bases = bases().iter().take(self.bases.len());
        let points = self.points.iter().chain(bases).chain([&RISTRETTO_BASEPOINT_POINT]);
        RistrettoPoint::vartime_multiscalar_mul(scalars, points).is_identity()
    }
}
