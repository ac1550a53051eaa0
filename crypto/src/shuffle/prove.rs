//! The prover of S1.

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT, ristretto::RistrettoPoint, scalar::Scalar,
    traits::MultiscalarMul,
};
use merlin::Transcript;
use rand_core::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{Rounds, ShuffleProof, powers};
use crate::{
    context::{Nonces, Purpose},
    deck::{Ciphertext, Deck, Mask},
    error::Error,
    generators::{commit, commit_small},
    keys::{DealKeys, SecretKey},
    verified::Verified,
    wire::Element,
};

/// Everything about a shuffle that does not depend on the deck: the secret permutation, the masks, and
/// the commitments `c_A, c_d, c_δ, c_0` with their randomness.
///
/// It can be made before the deck is there. It is used up by the shuffle, is never stored, and is wiped
/// when dropped: used twice it would reveal the permutation.
pub struct Prepared {
    tag: [u8; 32],
    /// π(i), from 1 to n.
    pub(crate) pi: Vec<u32>,
    pub(crate) rho: Vec<Scalar>,
    pub(crate) masks: Vec<Mask>,
    d: Vec<Scalar>,
    delta: Vec<Scalar>,
    alpha: Vec<Scalar>,
    blinds: Blinds,
    c_a: Element,
    c_d: Element,
    c_delta: Element,
    c_0: Element,
}

/// The randomness of the commitments, and `τ_0`.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Blinds {
    r_a: Scalar,
    r_b: Scalar,
    r_d: Scalar,
    s_1: Scalar,
    s_x: Scalar,
    r_0: Scalar,
    tau_0: Scalar,
}

impl Drop for Prepared {
    fn drop(&mut self) {
        self.pi.zeroize();
        self.rho.zeroize();
        for mask in &mut self.masks {
            mask.a.zeroize();
            mask.b.zeroize();
        }
        self.d.zeroize();
        self.delta.zeroize();
        self.alpha.zeroize();
    }
}

impl ZeroizeOnDrop for Prepared {}

impl core::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Prepared(…)")
    }
}

/// The value with number k, from 1. All are looked at, so that what is read does not depend on k.
fn pick<'a, T: ConditionallySelectable + Default + 'a>(
    values: impl IntoIterator<Item = &'a T>,
    k: u32,
) -> T {
    let mut picked = T::default();
    for (number, value) in (1_u32..).zip(values) {
        picked.conditional_assign(value, number.ct_eq(&k));
    }
    picked
}

/// A uniform permutation of 1 … n: Fisher and Yates, each number without bias. Every place that could be
/// swapped is looked at.
pub(crate) fn permutation(n: usize, nonces: &mut Nonces) -> Vec<u32> {
    let mut pi: Vec<u32> = (1_u32..).take(n).collect();
    for i in (1..n).rev() {
        let j = nonces.below(u32::try_from(i + 1).unwrap_or(u32::MAX));
        let (before, from) = pi.split_at_mut(i);
        if let Some(last) = from.first_mut() {
            for (number, value) in (0_u32..).zip(before) {
                u32::conditional_swap(value, last, number.ct_eq(&j));
            }
        }
    }
    pi
}

impl Prepared {
    /// Draws the permutation, then all randomness, hedged with what is known of the statement.
    fn sample(
        keys: &DealKeys,
        statement: &Transcript,
        secret: &SecretKey,
        rng: &mut impl CryptoRng,
    ) -> Self {
        let n = keys.params().n();
        let x = secret.scalar().as_bytes().as_slice();
        let pi = permutation(n, &mut Nonces::new(statement, [x], rng));
        Self::with_permutation(keys, statement, secret, pi, rng)
    }

    /// The commitments for given values π(i). That they are a permutation is for the proof to show.
    pub(crate) fn with_permutation(
        keys: &DealKeys,
        statement: &Transcript,
        secret: &SecretKey,
        pi: Vec<u32>,
        rng: &mut impl CryptoRng,
    ) -> Self {
        let n = pi.len();
        let drawn = Zeroizing::new(pi.iter().flat_map(|k| k.to_le_bytes()).collect::<Vec<u8>>());
        let secrets = [secret.scalar().as_bytes().as_slice(), drawn.as_slice()];
        let mut nonces = Nonces::new(statement, secrets, rng);
        let mut scalars = |count| core::mem::take(&mut *nonces.scalars(count));
        let rho: Vec<Scalar> = scalars(n);
        let d: Vec<Scalar> = scalars(n);
        let mut delta: Vec<Scalar> = scalars(n);
        let alpha: Vec<Scalar> = scalars(n);
        // δ_1 = d_1, δ_n = 0
        if let ([first, .., last], [d_1, ..]) = (delta.as_mut_slice(), d.as_slice()) {
            *first = *d_1;
            *last = Scalar::ZERO;
        }
        let mut scalar = || *nonces.scalar();
        let blinds = Blinds {
            r_a: scalar(),
            r_b: scalar(),
            r_d: scalar(),
            s_1: scalar(),
            s_x: scalar(),
            r_0: scalar(),
            tau_0: scalar(),
        };
        let masks = rho.iter().map(|rho| Mask::new(keys, rho)).collect();
        // c_A = com(π; r_A), c_d = com(d; r_d), c_δ = com((−δ_i d_{i+1})_{i<n}; s_1), c_0 = com(α; r_0)
        let c_a = Element::new(commit_small(&pi, &blinds.r_a));
        let products: Zeroizing<Vec<Scalar>> = Zeroizing::new(
            delta.iter().zip(d.iter().skip(1)).map(|(delta, d)| -(delta * d)).collect(),
        );
        let [c_d, c_delta, c_0] = [
            (d.as_slice(), &blinds.r_d),
            (products.as_slice(), &blinds.s_1),
            (alpha.as_slice(), &blinds.r_0),
        ]
        .map(|(values, r)| Element::new(commit(values, r)));
        Self { tag: *keys.tag(), pi, rho, masks, d, delta, alpha, blinds, c_a, c_d, c_delta, c_0 }
    }

    /// `C'_i = C_π(i) + ρ_i(G, X)`.
    pub(crate) fn apply(&self, before: &Deck) -> Deck {
        let cards = before.cards();
        let shuffled = self.pi.iter().zip(&self.masks).map(|(&k, mask)| {
            let a = pick(cards.iter().map(|card| card.a.point()), k);
            let b = pick(cards.iter().map(|card| card.b.point()), k);
            Ciphertext { a: Element::new(a + mask.a), b: Element::new(b + mask.b) }
        });
        Deck::new(shuffled.collect())
    }
}

/// What the prover does where a cheat could do otherwise. The tests have other conducts.
pub(crate) trait Conduct {
    /// The `b_i` that are committed to: `x^π(i)`.
    fn powers(&self, pi: &[u32], x: &Scalar) -> Vec<Scalar> {
        let powers = powers(x, pi.len());
        pi.iter().map(|&k| pick(&powers, k)).collect()
    }

    /// The factors of the product: `v_i = yπ(i) + b_i − z`.
    fn factors(
        &self,
        pi: &[u32],
        b: &[Scalar],
        _x: &Scalar,
        y: &Scalar,
        z: &Scalar,
    ) -> Vec<Scalar> {
        pi.iter().zip(b).map(|(&k, b)| y * Scalar::from(k) + b - z).collect()
    }

    /// The `b_i` that the new deck is multiplied with: the same that are committed to.
    fn opened(&self, b: &[Scalar]) -> Vec<Scalar> {
        b.to_vec()
    }
}

/// The conduct of the protocol.
pub(crate) struct Honest;

impl Conduct for Honest {}

/// Draws the permutation and does all that can be done before the deck is known.
///
/// The deck is not in what is hashed for the nonces, since it is not there yet: with random numbers that repeat, two
/// preparations of one deal are the same one. The secret key is, so nobody else can tell what was drawn.
///
/// # Errors
/// [`Error::NoSuchParticipant`].
pub fn prepare(
    keys: &DealKeys,
    participant: u8,
    secret: &SecretKey,
    rng: &mut impl CryptoRng,
) -> Result<Prepared, Error> {
    keys.key(participant)?;
    let statement = keys.transcript(b"S1 prepared", participant, &Purpose::shuffle(0));
    Ok(Prepared::sample(keys, &statement, secret, rng))
}

/// Shuffles a deck as that participant, and proves it. The new deck is not marked as verified. The secret key is in no
/// equation (any secret of one's own would do): it makes the permutation and the masks unknown to others even if the
/// random numbers are not.
///
/// # Errors
/// [`Error::NoSuchParticipant`], and [`Error::ForeignDeck`] for a deck of another deal.
pub fn shuffle(
    keys: &DealKeys,
    participant: u8,
    secret: &SecretKey,
    step: u32,
    deck: &Verified<Deck>,
    rng: &mut impl CryptoRng,
) -> Result<(Deck, ShuffleProof), Error> {
    keys.key(participant)?;
    keys.check_deck(deck)?;
    let rounds = Rounds::start(keys, participant, step, deck);
    let prepared = Prepared::sample(keys, rounds.transcript(), secret, rng);
    let after = prepared.apply(deck);
    let proof = prove_with(&Honest, keys, rounds, deck, &after, &prepared);
    Ok((after, proof))
}

/// [`shuffle`] with a preparation, which is used up.
///
/// # Errors
/// As [`shuffle`], and [`Error::ForeignPreparation`] for one of another deal.
pub fn shuffle_prepared(
    keys: &DealKeys,
    participant: u8,
    step: u32,
    deck: &Verified<Deck>,
    prepared: Prepared,
) -> Result<(Deck, ShuffleProof), Error> {
    keys.key(participant)?;
    keys.check_deck(deck)?;
    if prepared.tag != *keys.tag() {
        return Err(Error::ForeignPreparation);
    }
    let rounds = Rounds::start(keys, participant, step, deck);
    let after = prepared.apply(deck);
    let proof = prove_with(&Honest, keys, rounds, deck, &after, &prepared);
    Ok((after, proof))
}

/// Rounds 1 to 4.
pub(crate) fn prove_with(
    conduct: &impl Conduct,
    keys: &DealKeys,
    mut rounds: super::Rounds,
    before: &Deck,
    after: &Deck,
    prepared: &Prepared,
) -> ShuffleProof {
    let Prepared { pi, rho, d, delta, alpha, blinds, .. } = prepared;
    let n = before.len();
    // 1. and 2.
    let x = rounds.x(after, &prepared.c_a);
    let b = Zeroizing::new(conduct.powers(pi, &x));
    let c_b = Element::new(commit(&b, &blinds.r_b));
    let (y, z) = rounds.yz(&c_b);
    // 3. v_i = yπ(i) + b_i − z, p_i = ∏_{k≤i} v_k
    let v = Zeroizing::new(conduct.factors(pi, &b, &x, &y, &z));
    let p: Zeroizing<Vec<Scalar>> = Zeroizing::new(
        v.iter()
            .scan(Scalar::ONE, |product, v| {
                *product *= v;
                Some(*product)
            })
            .collect(),
    );
    // c_Δ = com((δ_{i+1} − v_{i+1}δ_i − p_i d_{i+1})_{i<n}; s_x)
    let steps = delta.iter().zip(p.iter());
    let nexts = delta.iter().zip(v.iter()).zip(d).skip(1);
    let cross: Zeroizing<Vec<Scalar>> = Zeroizing::new(
        steps
            .zip(nexts)
            .map(|((delta, p), ((delta_next, v_next), d_next))| {
                delta_next - v_next * delta - p * d_next
            })
            .collect(),
    );
    let c_cap_delta = Element::new(commit(&cross, &blinds.s_x));
    // E_0 = Σ α_i C'_i − τ_0(G, X)
    let b_opened = Zeroizing::new(conduct.opened(&b));
    let minus_tau = Zeroizing::new(-blinds.tau_0);
    let e_0 = Ciphertext {
        a: combine(
            alpha,
            after.cards().iter().map(|c| &c.a),
            &minus_tau,
            &RISTRETTO_BASEPOINT_POINT,
        ),
        b: combine(alpha, after.cards().iter().map(|c| &c.b), &minus_tau, keys.joint().point()),
    };
    let commitments = [&prepared.c_d, &prepared.c_delta, &c_cap_delta, &prepared.c_0];
    let w = rounds.w(commitments, &e_0);
    // 4.
    let folded = Zeroizing::new(inner_product(&b_opened, rho));
    let answer = |value: &Scalar, mask: &Scalar| w * value + mask;
    ShuffleProof {
        c_a: prepared.c_a,
        c_b,
        c_d: prepared.c_d,
        c_delta: prepared.c_delta,
        c_cap_delta,
        c_0: prepared.c_0,
        e_0,
        v: v.iter().zip(d).map(|(v, d)| answer(v, d)).collect(),
        r: answer(&(y * blinds.r_a + blinds.r_b), &blinds.r_d),
        p: p.iter()
            .zip(delta)
            .take(n.saturating_sub(1))
            .skip(1)
            .map(|(p, delta)| answer(p, delta))
            .collect(),
        s: answer(&blinds.s_x, &blinds.s_1),
        alpha: b_opened.iter().zip(alpha).map(|(b, alpha)| answer(b, alpha)).collect(),
        r_0: answer(&blinds.r_b, &blinds.r_0),
        tau: answer(&folded, &blinds.tau_0),
    }
}

/// `Σ s_i P_i + t·Q`, in constant time.
fn combine<'a>(
    scalars: &[Scalar],
    points: impl Iterator<Item = &'a Element>,
    t: &Scalar,
    q: &'a RistrettoPoint,
) -> Element {
    Element::new(RistrettoPoint::multiscalar_mul(
        scalars.iter().chain([t]),
        points.map(Element::point).chain([q]),
    ))
}

fn inner_product(left: &[Scalar], right: &[Scalar]) -> Scalar {
    left.iter().zip(right).map(|(l, r)| l * r).sum()
}
