//! The verifier of S3: the equations of hand proofs over one table, in one multiscalar multiplication.

use curve25519_dalek::{
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{IsIdentity, VartimePrecomputedMultiscalarMul},
};

use super::{DIGITS, Hand, HandProof, HandTable};
use crate::keys::PublicKey;

/// The equations of hand proofs. The coefficients of G, of Y, of the `h_i` and of the `M_c` are added up
/// before any point is multiplied.
pub(crate) struct Batch<'a> {
    table: &'a HandTable,
    /// Coefficients of `h_1, h_2, …`
    bases: Vec<Scalar>,
    /// Coefficients of `M_0, M_1, …`
    cards: Vec<Scalar>,
    /// The coefficient of Y.
    pub(crate) y: Scalar,
    pub(crate) sum: Sum,
}

/// Multiples of G, and of points of one comparison.
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
}

/// What a claim's own terms are multiplied with.
pub(crate) struct Weighed {
    /// `c⁴`, which is `Σ_h p_h`.
    pub(crate) c_4: Scalar,
    /// `Σ_{l_h=l} p_h` for every level l.
    pub(crate) levels: Vec<Scalar>,
}

impl<'a> Batch<'a> {
    pub(crate) fn new(table: &'a HandTable) -> Self {
        Self {
            table,
            bases: vec![Scalar::ZERO; 2 * table.places() - DIGITS],
            cards: vec![Scalar::ZERO; table.cards().len()],
            y: Scalar::ZERO,
            sum: Sum::default(),
        }
    }

    /// Adds the equations of one proof, all but what depends on the claim: `c⁴β_1 − eΣ_h p_hΛ_h` in the
    /// second and `c⁴β_3 − Σ_h p_hΛ'_h` in the fourth.
    pub(crate) fn push(
        &mut self,
        proof: &HandProof,
        hand: &Hand,
        key: &PublicKey,
        e: &Scalar,
        c: &Scalar,
        [g1, g2, g3, g4]: &[Scalar; 4],
    ) -> Weighed {
        let f = self.places(&proof.f, c);
        let mut sums = self.table.sums(&f);
        let powers = powers(c);
        let [.., c_4] = powers;

        // 1. cB + A − com(f_{j,i≥1} ‖ (f_{j,i}(c − f_{j,i}))_{i≥0}; z) = 0
        self.sum.add(g1 * c, proof.b.point());
        self.sum.add(*g1, proof.a.point());
        let values = super::committed(self.table, &f, f.iter().map(|f| f * (c - f)));
        for (base, value) in self.bases.iter_mut().zip(values) {
            *base -= g1 * value;
        }
        // 2. c⁴(b + …) − Σ_c w_c M_c − … − Σ c^k Q_{k,1} − z_x a − e z_r Y = 0
        self.sum.add(g2 * c_4, hand.sum.b.point());
        for (card, w) in self.cards.iter_mut().zip(&sums.cards) {
            *card -= g2 * w;
        }
        self.sum.add(-(g2 * proof.z_x), hand.sum.a.point());
        self.y -= g2 * e * proof.z_r;
        // 3. c⁴X − Σ c^k Q_{k,2} − z_x G = 0
        self.sum.add(g3 * c_4, key.element().point());
        // 4. c⁴β_3 − … − Σ c^k Q_{k,3} − z_r G = 0
        for (q, power) in proof.q.iter().zip(&powers) {
            for (q, weight) in q.iter().zip([g2, g3, g4]) {
                self.sum.add(-(weight * power), q.point());
            }
        }
        self.sum.base -= g1 * proof.z + g3 * proof.z_x + g4 * proof.z_r;
        Weighed { c_4, levels: core::mem::take(&mut sums.levels) }
    }

    /// All `f_{j,i}`, with `f_{j,0} = c − Σ_{i≥1} f_{j,i}`.
    fn places(&self, mut rest: &[Scalar], c: &Scalar) -> Vec<Scalar> {
        let mut f = Vec::with_capacity(self.table.places());
        for n in self.table.radix() {
            let (digit, others) = rest.split_at_checked(n - 1).unwrap_or((rest, &[]));
            f.push(c - digit.iter().sum::<Scalar>());
            f.extend_from_slice(digit);
            rest = others;
        }
        f
    }

    /// Adds products to the sum, but for those that are zero.
    pub(crate) fn extend<'b>(
        &mut self,
        scalars: impl IntoIterator<Item = Scalar>,
        points: impl IntoIterator<Item = &'b RistrettoPoint>,
    ) {
        for (scalar, point) in scalars.into_iter().zip(points) {
            if scalar != Scalar::ZERO {
                self.sum.add(scalar, point);
            }
        }
    }

    /// Whether all equations hold. Variable time.
    pub(crate) fn vanishes(mut self, y: &RistrettoPoint) -> bool {
        self.extend([self.y], [y]);
        let Sum { base, scalars, points } = &self.sum;
        let fixed = core::iter::once(base).chain(&self.bases).chain(&self.cards);
        self.table.fixed().vartime_mixed_multiscalar_mul(fixed, scalars, points).is_identity()
    }
}

/// `1, c, …, c⁴`.
pub(super) fn powers(c: &Scalar) -> [Scalar; DIGITS + 1] {
    let mut power = Scalar::ONE;
    core::array::from_fn(|_| {
        let this = power;
        power *= c;
        this
    })
}
