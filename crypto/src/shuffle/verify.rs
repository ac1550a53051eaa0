//! The verifier of S1: all checks of all proofs in one multiscalar multiplication.

use curve25519_dalek::scalar::Scalar;
use rand_core::CryptoRng;

use super::{Rounds, ShuffleProof, powers};
use crate::{
    deck::Deck,
    error::Error,
    keys::DealKeys,
    msm::Sum,
    verified::Verified,
    weights::{Folded, Weights},
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
    let mut folded = begin(keys, before, rng);
    absorb(participant, step, &after, proof, &mut folded);
    let mut sum = Sum::default();
    let weights = &mut folded.weights();
    equations(keys, participant, step, before, &after, proof, &mut sum, weights);
    if !sum.vanishes() {
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
    let form = |step: &Step| check_form(keys, step.participant, &step.deck, &step.proof).is_ok();
    // what has a wrong form is told of in its turn, after what is false before it
    let whole = steps.iter().all(form) && {
        let mut folded = begin(keys, first, rng);
        for Step { participant, step, deck, proof } in &steps {
            absorb(*participant, *step, deck, proof, &mut folded);
        }
        let mut weights = folded.weights();
        let mut sum = Sum::default();
        let mut before: &Deck = first;
        for Step { participant, step, deck, proof } in &steps {
            equations(keys, *participant, *step, before, deck, proof, &mut sum, &mut weights);
            before = deck;
        }
        sum.vanishes()
    };
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
pub(crate) fn check_form(
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
#[cfg(test)]
pub(crate) fn check_weighted(
    keys: &DealKeys,
    participant: u8,
    step: u32,
    before: &Deck,
    after: &Deck,
    proof: &ShuffleProof,
    weights: &[Scalar; 5],
) -> bool {
    let mut sum = Sum::default();
    weighted(keys, participant, step, before, after, proof, weights, &mut sum);
    sum.vanishes()
}

/// What is folded of every shuffle: the keys and the deck before it.
pub(crate) fn begin(keys: &DealKeys, before: &Deck, rng: &mut impl CryptoRng) -> Folded {
    let mut folded = Folded::new(rng);
    folded.absorb(keys.tag());
    folded.absorb(&before.to_bytes());
    folded
}

/// What one shuffle adds to the keys and the deck before it.
pub(crate) fn absorb(
    participant: u8,
    step: u32,
    after: &Deck,
    proof: &ShuffleProof,
    folded: &mut Folded,
) {
    folded.number(participant);
    folded.number(step);
    folded.absorb(&after.to_bytes());
    folded.absorb(&proof.to_bytes());
}

/// Adds the equations of one shuffle to a sum, each with a weight of its own. All lengths have been checked.
#[allow(clippy::too_many_arguments)]
pub(crate) fn equations(
    keys: &DealKeys,
    participant: u8,
    step: u32,
    before: &Deck,
    after: &Deck,
    proof: &ShuffleProof,
    sum: &mut Sum,
    weights: &mut Weights,
) {
    let weights = weights.array();
    weighted(keys, participant, step, before, after, proof, &weights, sum);
}

/// [`equations`] with given weights.
#[allow(clippy::too_many_arguments)]
fn weighted(
    keys: &DealKeys,
    participant: u8,
    step: u32,
    before: &Deck,
    after: &Deck,
    proof: &ShuffleProof,
    weights: &[Scalar; 5],
    sum: &mut Sum,
) {
    let n = keys.params().n();
    let mut rounds = Rounds::start(keys, participant, step, before);
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
    sum.add(g1 * w * y, &proof.c_a);
    sum.add((g1 + g3) * w, &proof.c_b);
    sum.add(*g1, &proof.c_d);
    sum.add(*g2, &proof.c_delta);
    sum.add(g2 * w, &proof.c_cap_delta);
    sum.add(*g3, &proof.c_0);
    let wz = w * z;
    let answers = proof.v.iter().zip(&proof.alpha);
    let mut bases: Vec<Scalar> = answers.map(|(v, alpha)| -(g1 * (wz + v) + g3 * alpha)).collect();
    let steps = partial.iter().zip(partial.iter().skip(1));
    let nexts = proof.v.iter().skip(1);
    for (base, ((p, p_next), v_next)) in bases.iter_mut().zip(steps.zip(nexts)) {
        *base -= g2 * (w * p_next - p * v_next);
    }
    sum.add_bases(&bases);
    // 4. wΣ x^k C_k + E_0 − Σ α̃_i C'_i + τ̃(G, X) = 0, weighted g4 for a, g5 for b
    for (card, power) in before.cards().iter().zip(&powers) {
        let coefficient = w * power;
        sum.add(g4 * coefficient, &card.a);
        sum.add(g5 * coefficient, &card.b);
    }
    for (card, alpha) in after.cards().iter().zip(&proof.alpha) {
        sum.add(-(g4 * alpha), &card.a);
        sum.add(-(g5 * alpha), &card.b);
    }
    sum.add(*g4, &proof.e_0.a);
    sum.add(*g5, &proof.e_0.b);
    sum.add(g5 * proof.tau, keys.joint());
    sum.base += g4 * proof.tau - g1 * proof.r - g2 * proof.s - g3 * proof.r_0;
}
