//! The verifier of U, Sel and the shares: all equations in one multiscalar multiplication.

use curve25519_dalek::scalar::Scalar;
use rand_core::CryptoRng;

use super::{Answer, Call, SealedShare, Selection, Statement, call, select, share};
use crate::{
    context::binding,
    deck::Ciphertext,
    error::Error,
    hands::{Batch, Hand},
    weights::{Folded, Weights},
};

/// The weights for the messages of a comparison that are checked together; of those before them, u⃗ is enough.
pub(crate) fn weights(
    statement: &Statement,
    call: &Call,
    selection: Option<&Selection>,
    answer: Option<&Answer>,
    rng: &mut impl CryptoRng,
) -> Result<Weights, Error> {
    let mut folded = Folded::new(rng);
    folded.absorb(&binding(&statement.transcript(b"weights", statement.caller())?));
    folded.absorb(&call.to_bytes());
    if let Some(selection) = selection {
        folded.absorb(&selection.to_bytes());
    }
    if let Some(answer) = answer {
        folded.absorb(&answer.to_bytes());
    }
    Ok(folded.weights())
}

/// The equations of one comparison. The coefficients of the `u_t`, which two proofs share, are added up
/// before any point is multiplied.
pub(crate) struct Checks<'a> {
    statement: &'a Statement,
    batch: Batch<'a>,
    u: &'a [Ciphertext],
    /// Coefficients of the `u_t.a`.
    a: Vec<Scalar>,
    /// Coefficients of the `u_t.b`.
    b: Vec<Scalar>,
}

impl<'a> Checks<'a> {
    /// The equations of a comparison with this u⃗.
    ///
    /// # Errors
    /// [`Error::ForeignTable`] when u⃗ was decoded for another table.
    pub(crate) fn new(statement: &'a Statement, u: &'a [Ciphertext]) -> Result<Self, Error> {
        if u.len() != statement.unary() {
            return Err(Error::ForeignTable);
        }
        let zeros = vec![Scalar::ZERO; u.len()];
        let batch = Batch::new(statement.table());
        Ok(Self { statement, batch, u, a: zeros.clone(), b: zeros })
    }

    /// The four equations of U.
    pub(crate) fn call(&mut self, call: &Call, weights: &[Scalar; 4]) -> Result<(), Error> {
        let proof = &call.proof;
        self.check_size(proof.f.len())?;
        let caller = self.statement.caller();
        let key = self.statement.keys().key(caller.participant())?;
        let (mut transcript, e, e_2) = call::challenges(self.statement, &call.u)?;
        let c = crate::HandProof::challenge(&mut transcript, &proof.b, &proof.a, &proof.q);
        let weighed = self.batch.push(proof, caller, key, &e, &c, weights);
        let [_, g2, _, g4] = weights;
        // c⁴eΣ e₂^{t−1} u_t.b − eΣ_h p_h(Σ_{t≤l_h} e₂^{t−1})G, and c⁴Σ e₂^{t−1} u_t.a
        for ((a, b), power) in self.a.iter_mut().zip(&mut self.b).zip(call::powers(&e_2)) {
            let coefficient = weighed.c_4 * power;
            *a += g4 * coefficient;
            *b += g2 * e * coefficient;
        }
        let lambda = call::lambdas(&e_2, weighed.levels.len());
        let lambda: Scalar = weighed.levels.iter().zip(lambda).map(|(p, lambda)| p * lambda).sum();
        self.batch.sum.base -= g2 * e * lambda;
        Ok(())
    }

    /// The four equations of Sel.
    pub(crate) fn selection(
        &mut self,
        selection: &Selection,
        weights: &[Scalar; 4],
    ) -> Result<(), Error> {
        let Selection { sel, proof, .. } = selection;
        self.check_size(proof.f.len())?;
        let other = self.statement.other();
        let key = self.statement.keys().key(other.participant())?;
        let mut transcript = select::start(self.statement, self.u)?;
        let e = select::challenge(&mut transcript, sel);
        let c = crate::HandProof::challenge(&mut transcript, &proof.b, &proof.a, &proof.q);
        let weighed = self.batch.push(proof, other, key, &e, &c, weights);
        let [_, g2, _, g4] = weights;
        // c⁴e·Sel.b − eΣ_h p_h W_{l_h}.b, and c⁴Sel.a − Σ_h p_h W_{l_h}.a
        let g2 = g2 * e;
        self.batch.sum.add(g2 * weighed.c_4, sel.b.point());
        self.batch.sum.add(g4 * weighed.c_4, sel.a.point());
        // W_l = u_l + u_{l+1} or u_{l+1}; u_0 = (0, G), u_L = (0, 0)
        let halves = self.a.iter_mut().zip(&mut self.b);
        for ((a, b), p) in halves.zip(&weighed.levels) {
            *a -= g4 * p;
            *b -= g2 * p;
        }
        if self.statement.ties() {
            let halves = self.a.iter_mut().zip(&mut self.b);
            for ((a, b), p) in halves.zip(weighed.levels.iter().skip(1)) {
                *a -= g4 * p;
                *b -= g2 * p;
            }
            let lowest = weighed.levels.first().copied().unwrap_or_default();
            self.batch.sum.base -= g2 * lowest;
        }
        Ok(())
    }

    /// The two equations of a share: `sG = t_0 + cX` and `s·Sel.a = t_1 + cd`.
    pub(crate) fn share(
        &mut self,
        giver: &Hand,
        sel: &Ciphertext,
        given: &SealedShare,
        [g1, g2]: &[Scalar; 2],
    ) -> Result<(), Error> {
        let SealedShare { d, t_0, t_1, s } = given;
        let key = self.statement.keys().key(giver.participant())?;
        let mut transcript = share::start(self.statement, giver, sel, d)?;
        let c = share::challenge(&mut transcript, t_0, t_1);
        let sum = &mut self.batch.sum;
        sum.base += g1 * s;
        sum.add(-(g1 * c), key.element().point());
        sum.add(-g1, t_0.point());
        sum.add(g2 * s, sel.a.point());
        sum.add(-(g2 * c), d.point());
        sum.add(-g2, t_1.point());
        Ok(())
    }

    /// Whether all of them hold.
    pub(crate) fn hold(self) -> bool {
        let mut batch = self.batch;
        batch.extend(self.a, self.u.iter().map(|u| u.a.point()));
        batch.extend(self.b, self.u.iter().map(|u| u.b.point()));
        batch.vanishes(self.statement.y())
    }

    fn check_size(&self, found: usize) -> Result<(), Error> {
        let expected = self.statement.table().places().saturating_sub(crate::hands::DIGITS);
        if found == expected { Ok(()) } else { Err(Error::ForeignTable) }
    }
}
