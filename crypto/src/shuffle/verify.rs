//! The verifier of S1: all checks of all proofs in one multiscalar multiplication.

use curve25519_dalek::scalar::Scalar;
use rand_core::CryptoRng;

use super::{Rounds, ShuffleProof, powers};
use crate::{
    context::weight, deck::Deck, error::Error, keys::DealKeys, msm::Sum, verified::Verified,
};

/// One shuffle of a deal, as it came from the wire.
#[derive(Clone, Debug)]
pub struct Step {
    /// Who shuffled.
    pub participant: u8,
    /// The number of the step.
    pub step: u32,
    /// The new deck.
    pub deck: Deck,
    /// Its proof.
    pub proof: ShuffleProof,
}

/// Verifies one shuffle of `before` into `after`. `rng` gives the weights of the checks.
///
/// # Errors
/// [`Error::ShuffleProof`] or [`Error::Unmasked`] names the guilty participant; others for a deck or a
/// proof that is not of this deal's size, [`Error::ForeignDeck`], [`Error::NoSuchParticipant`].
pub fn verify(
    keys: &DealKeys,
    participant: u8,
    step: u32,
    before: &Verified<Deck>,
    after: Deck,
    proof: &ShuffleProof,
    rng: &mut impl CryptoRng,
) -> Result<Verified<Deck>, Error> {
    keys.check_deck(before)?;
    check_form(keys, participant, &after, proof)?;
    let weights = core::array::from_fn(|_| weight(rng));
    if !check_weighted(keys, participant, step, before, &after, proof, &weights) {
        return Err(Error::ShuffleProof { participant });
    }
    Ok(Verified::new(after, before.origin().then(participant)))
}

/// Verifies a chain of shuffles that starts with `first`, in one multiscalar multiplication. The decks
/// come back in the same order.
///
/// # Errors
/// As [`verify`]: when the whole fails, each is checked alone, and the first that is false is named.
pub fn verify_all(
    keys: &DealKeys,
    first: &Verified<Deck>,
    steps: Vec<Step>,
    rng: &mut impl CryptoRng,
) -> Result<Vec<Verified<Deck>>, Error> {
    keys.check_deck(first)?;
    for step in &steps {
        check_form(keys, step.participant, &step.deck, &step.proof)?;
    }
    let mut batch = Batch::new(keys, first);
    let mut before: &Deck = first;
    for step in &steps {
        let weights = core::array::from_fn(|_| weight(rng));
        batch.push(step.participant, step.step, before, &step.deck, &step.proof, &weights);
        before = &step.deck;
    }
    let whole = batch.vanishes();
    let mut decks: Vec<Verified<Deck>> = Vec::with_capacity(steps.len());
    for Step { participant, step, deck, proof } in steps {
        let before = decks.last().unwrap_or(first);
        let deck = if whole {
            Verified::new(deck, before.origin().then(participant))
        } else {
            verify(keys, participant, step, before, deck, &proof, rng)?
        };
        decks.push(deck);
    }
    Ok(decks)
}

/// The checks that need no group operation.
fn check_form(
    keys: &DealKeys,
    participant: u8,
    after: &Deck,
    proof: &ShuffleProof,
) -> Result<(), Error> {
    keys.key(participant)?;
    let expected = keys.params().n();
    for found in [after.len(), proof.n()] {
        if found != expected {
            return Err(Error::Size { expected, found });
        }
    }
    match after.cards().iter().position(|card| card.a.is_identity()) {
        Some(position) => Err(Error::Unmasked { participant, position }),
        None => Ok(()),
    }
}

/// The five equations of one proof, each multiplied by its weight and added up: checks 1, 2, 3, and
/// check 4 for either half of the ciphertexts.
pub(crate) fn check_weighted(
    keys: &DealKeys,
    participant: u8,
    step: u32,
    before: &Deck,
    after: &Deck,
    proof: &ShuffleProof,
    weights: &[Scalar; 5],
) -> bool {
    let mut batch = Batch::new(keys, before);
    batch.push(participant, step, before, after, proof, weights);
    batch.vanishes()
}

/// The equations of a chain of shuffles. The coefficients of `h_i`, of `X`, and of the decks that two
/// shuffles share are added up before any point is multiplied.
struct Batch<'a> {
    keys: &'a DealKeys,
    sum: Sum,
    /// Coefficients of `h_1 … h_n`.
    bases: Vec<Scalar>,
    /// The coefficient of X.
    joint: Scalar,
    /// The last deck, with the coefficients that it has so far.
    deck: &'a Deck,
    a: Vec<Scalar>,
    b: Vec<Scalar>,
}

impl<'a> Batch<'a> {
    fn new(keys: &'a DealKeys, first: &'a Deck) -> Self {
        let n = keys.params().n();
        Self {
            keys,
            sum: Sum::default(),
            bases: vec![Scalar::ZERO; n],
            joint: Scalar::ZERO,
            deck: first,
            a: vec![Scalar::ZERO; n],
            b: vec![Scalar::ZERO; n],
        }
    }

    /// Adds the equations of one shuffle. All lengths have been checked.
    fn push(
        &mut self,
        participant: u8,
        step: u32,
        before: &Deck,
        after: &'a Deck,
        proof: &ShuffleProof,
        weights: &[Scalar; 5],
    ) {
        let n = self.keys.params().n();
        let mut rounds = Rounds::start(self.keys, participant, step, before);
        let x = rounds.x(after, &proof.c_a);
        let (y, z) = rounds.yz(&proof.c_b);
        let commitments = [&proof.c_d, &proof.c_delta, &proof.c_cap_delta, &proof.c_0];
        let w = rounds.w(commitments, &proof.e_0);
        let powers = powers(&x, n);
        let [g1, g2, g3, g4, g5] = weights;

        // p̃_1 = ṽ_1, p̃_n = w∏_k(yk + x^k − z)
        let product: Scalar =
            (1_u64..).zip(&powers).map(|(k, power)| y * Scalar::from(k) + power - z).product();
        let partial = proof.v.iter().take(1).chain(&proof.p).copied();
        let partial: Vec<Scalar> = partial.chain([w * product]).collect();

        // 1. w(y c_A + c_B − zΣh_i) + c_d − r̃G − Σ ṽ_i h_i = 0
        // 2. w c_Δ + c_δ − s̃G − Σ_{i<n}(w p̃_{i+1} − p̃_i ṽ_{i+1})h_i = 0
        // 3. w c_B + c_0 − r̃_0 G − Σ α̃_i h_i = 0
        self.sum.add(g1 * w * y, proof.c_a.point());
        self.sum.add((g1 + g3) * w, proof.c_b.point());
        self.sum.add(*g1, proof.c_d.point());
        self.sum.add(*g2, proof.c_delta.point());
        self.sum.add(g2 * w, proof.c_cap_delta.point());
        self.sum.add(*g3, proof.c_0.point());
        let wz = w * z;
        for ((base, v), alpha) in self.bases.iter_mut().zip(&proof.v).zip(&proof.alpha) {
            *base -= g1 * (wz + v) + g3 * alpha;
        }
        let steps = partial.iter().zip(partial.iter().skip(1));
        let nexts = proof.v.iter().skip(1);
        for (base, ((p, p_next), v_next)) in self.bases.iter_mut().zip(steps.zip(nexts)) {
            *base -= g2 * (w * p_next - p * v_next);
        }
        // 4. wΣ x^k C_k + E_0 − Σ α̃_i C'_i + τ̃(G, X) = 0, weighted g4 for a, g5 for b
        for ((a, b), power) in self.a.iter_mut().zip(&mut self.b).zip(&powers) {
            let coefficient = w * power;
            *a += g4 * coefficient;
            *b += g5 * coefficient;
        }
        self.flush();
        self.deck = after;
        self.a = proof.alpha.iter().map(|alpha| -(g4 * alpha)).collect();
        self.b = proof.alpha.iter().map(|alpha| -(g5 * alpha)).collect();
        self.sum.add(*g4, proof.e_0.a.point());
        self.sum.add(*g5, proof.e_0.b.point());
        self.joint += g5 * proof.tau;
        self.sum.base += g4 * proof.tau - g1 * proof.r - g2 * proof.s - g3 * proof.r_0;
    }

    /// Moves the last deck and its coefficients into the sum.
    fn flush(&mut self) {
        let cards = self.deck.cards();
        let a = core::mem::take(&mut self.a);
        let b = core::mem::take(&mut self.b);
        self.sum.extend(a, cards.iter().map(|card| card.a.point()));
        self.sum.extend(b, cards.iter().map(|card| card.b.point()));
    }

    fn vanishes(mut self) -> bool {
        self.flush();
        let bases = core::mem::take(&mut self.bases);
        self.sum.extend(bases, self.keys.params().bases());
        self.sum.add(self.joint, self.keys.joint().point());
        self.sum.vanishes()
    }
}
