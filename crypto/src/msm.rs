//! Many equations in one multiscalar multiplication.

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT,
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{IsIdentity, VartimeMultiscalarMul},
};

/// A sum of multiples of public points that ought to be zero.
#[derive(Default)]
pub(crate) struct Sum {
    /// The coefficient of the base point G.
    pub(crate) base: Scalar,
    scalars: Vec<Scalar>,
    points: Vec<RistrettoPoint>,
}

impl Sum {
    /// Adds `scalar · point`.
    pub(crate) fn add(&mut self, scalar: Scalar, point: &RistrettoPoint) {
        self.scalars.push(scalar);
        self.points.push(*point);
    }

    /// Adds one product for each pair; the caller has checked that the lengths agree.
    pub(crate) fn extend<'a>(
        &mut self,
        scalars: impl IntoIterator<Item = Scalar>,
        points: impl IntoIterator<Item = &'a RistrettoPoint>,
    ) {
        for (scalar, point) in scalars.into_iter().zip(points) {
            self.add(scalar, point);
        }
    }

    /// Whether the sum is zero. Variable time.
    pub(crate) fn vanishes(mut self) -> bool {
        self.add(self.base, &RISTRETTO_BASEPOINT_POINT);
        RistrettoPoint::vartime_multiscalar_mul(&self.scalars, &self.points).is_identity()
    }
}
