//! U: the level of who calls, in unary.

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT, ristretto::RistrettoPoint, scalar::Scalar,
    traits::Identity,
};
use merlin::Transcript;
use rand_core::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{Call, Statement};
use crate::{
    context::{Nonces, ProofTranscript},
    deck::Ciphertext,
    error::Error,
    hands::{Choice, Hand, HandTable, Prepared, nonces},
    keys::{DealKeys, SecretKey},
    wire::Element,
};

/// Everything about a call that can be made once the hand is known, whoever is called in the end. What is
/// left takes the longer if it is somebody who was not expected.
///
/// It is used up by the call, is never stored, and is wiped when dropped: used twice it would reveal the
/// hand.
pub struct PreparedCall {
    pub(crate) hand: Prepared,
    pub(crate) unary: Unary,
}

/// What becomes the `u_t`.
pub(crate) struct Unary {
    /// The masks `r_t`.
    r: Vec<Scalar>,
    /// `r_t G`.
    pub(crate) a: Vec<Element>,
    /// `[l_A ≥ t]G`.
    bits: Vec<RistrettoPoint>,
    /// `[l_A ≥ t]G + r_t Y` for some who may be called.
    masked: Vec<(u8, Zeroizing<Vec<RistrettoPoint>>)>,
}

impl Drop for Unary {
    fn drop(&mut self) {
        self.r.zeroize();
        self.bits.zeroize();
    }
}

impl ZeroizeOnDrop for Unary {}

impl Unary {
    /// `bits` is what is masked, one for each t.
    pub(crate) fn new(bits: Vec<RistrettoPoint>, nonces: &mut Nonces) -> Self {
        let mut r = nonces.scalars(bits.len());
        Self {
            a: r.iter().map(|r| Element::new(RistrettoPoint::mul_base(r))).collect(),
            r: core::mem::take(&mut *r),
            bits,
            masked: Vec::new(),
        }
    }

    /// `[l_A ≥ t]G + r_t Y`.
    fn mask(&self, y: &RistrettoPoint) -> Zeroizing<Vec<RistrettoPoint>> {
        Zeroizing::new(self.bits.iter().zip(&self.r).map(|(bit, r)| bit + r * y).collect())
    }

    /// `u_1 … u_{L−1}` for who is called.
    pub(crate) fn u(&self, statement: &Statement) -> Vec<Ciphertext> {
        let other = statement.other().participant();
        let masked = self.masked.iter().find(|(expected, _)| *expected == other);
        let masked = match masked {
            Some((_, masked)) => masked,
            None => &self.mask(statement.y()),
        };
        let halves = self.a.iter().zip(masked.iter());
        halves.map(|(a, b)| Ciphertext { a: *a, b: Element::new(*b) }).collect()
    }
}

impl core::fmt::Debug for PreparedCall {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PreparedCall(…)")
    }
}

/// Reads the hand with its owner's key, and does all that can be done before it is known who is called;
/// `expected` are those for whom it shall be as fast as possible then.
///
/// # Errors
/// [`Error::HandNotInTable`], [`Error::WrongSecretKey`], [`Error::ForeignTable`], [`Error::ForeignHand`],
/// [`Error::NoSuchParticipant`].
pub fn prepare_call(
    keys: &DealKeys,
    table: &HandTable,
    hand: &Hand,
    secret: &SecretKey,
    expected: &[u8],
    rng: &mut impl CryptoRng,
) -> Result<PreparedCall, Error> {
    let nonces = nonces(keys, table, hand, secret, rng);
    prepare(keys, table, hand, secret, expected, nonces)
}

/// [`prepare_call`] for this very comparison, which is hashed into the nonces.
pub(super) fn prepare_now(
    statement: &Statement,
    secret: &SecretKey,
    rng: &mut impl CryptoRng,
) -> Result<PreparedCall, Error> {
    let (keys, table, hand) = (statement.keys(), statement.table(), statement.caller());
    let mut transcript = statement.transcript(b"S3 U", hand)?;
    transcript.append_message(b"prepared", b"");
    let nonces = Nonces::new(&transcript, [secret.scalar().as_bytes().as_slice()], rng);
    prepare(keys, table, hand, secret, &[], nonces)
}

fn prepare(
    keys: &DealKeys,
    table: &HandTable,
    hand: &Hand,
    secret: &SecretKey,
    expected: &[u8],
    mut nonces: Nonces,
) -> Result<PreparedCall, Error> {
    let hand = Prepared::new(keys, table, hand, secret, &mut nonces)?;
    let bits = Zeroizing::new(hand.choice.bits());
    let zero = RistrettoPoint::identity();
    let point = |bit: &Scalar| {
        let one = bit.ct_eq(&Scalar::ONE);
        RistrettoPoint::conditional_select(&zero, &RISTRETTO_BASEPOINT_POINT, one)
    };
    let mut unary = Unary::new(bits.iter().map(point).collect(), &mut nonces);
    for &other in expected {
        let y = secret.public().element().point() + keys.key(other)?.element().point();
        unary.masked.push((other, unary.mask(&y)));
    }
    Ok(PreparedCall { hand, unary })
}

impl Choice {
    /// `[l_A ≥ t]` for t = 1..L−1.
    pub(crate) fn bits(&self) -> Vec<Scalar> {
        let mut bit = Scalar::ZERO;
        let mut bits: Vec<Scalar> = self
            .sums
            .levels
            .iter()
            .skip(1)
            .rev()
            .map(|here| {
                bit += here;
                bit
            })
            .collect();
        bits.reverse();
        bits
    }
}

impl PreparedCall {
    pub(crate) fn check(&self, statement: &Statement) -> Result<(), Error> {
        self.hand.check(statement.table(), statement.caller())
    }

    /// Masks for who is called, and proves.
    pub(crate) fn finish(self, statement: &Statement, secret: &SecretKey) -> Result<Call, Error> {
        let Self { hand, unary } = self;
        let u = unary.u(statement);
        let (mut transcript, e, e_2) = challenges(statement, &u)?;
        let lambda = lambdas(&e_2, statement.table().levels());
        let claim = hand.rounds().map(|(levels, zeta)| {
            let mut minus = Zeroizing::new(Scalar::ZERO);
            for (p, lambda) in levels.iter().zip(&lambda) {
                *minus -= p * lambda;
            }
            *minus *= e;
            let e_zeta = Zeroizing::new(e * zeta);
            let first = RistrettoPoint::mul_base(&minus) + *e_zeta * statement.y();
            [first, RistrettoPoint::identity()]
        });
        let mut r = Zeroizing::new(Scalar::ZERO);
        for (mask, power) in unary.r.iter().zip(powers(&e_2)) {
            *r += mask * power;
        }
        let proof = hand.finish(&mut transcript, secret.scalar(), &r, claim);
        Ok(Call { u, proof })
    }
}

/// `e, e₂ = H(statement, u⃗)`.
pub(crate) fn challenges(
    statement: &Statement,
    u: &[Ciphertext],
) -> Result<(Transcript, Scalar, Scalar), Error> {
    let mut transcript = statement.transcript(b"S3 U", statement.caller())?;
    append(&mut transcript, u);
    let e = transcript.challenge_scalar(b"e");
    let e_2 = transcript.challenge_scalar(b"e_2");
    Ok((transcript, e, e_2))
}

pub(super) fn append(transcript: &mut Transcript, u: &[Ciphertext]) {
    transcript.append_u64(b"unary", u.len() as u64);
    for u in u {
        transcript.append_element(b"u.a", &u.a);
        transcript.append_element(b"u.b", &u.b);
    }
}

/// `1, e₂, e₂², …`
pub(super) fn powers(e_2: &Scalar) -> impl Iterator<Item = Scalar> {
    core::iter::successors(Some(Scalar::ONE), move |power| Some(power * e_2))
}

/// `Σ_{t≤l} e₂^{t−1}` for each level l.
pub(crate) fn lambdas(e_2: &Scalar, levels: usize) -> Vec<Scalar> {
    let sums = powers(e_2).scan(Scalar::ZERO, |sum, power| {
        let this = *sum;
        *sum += power;
        Some(this)
    });
    sums.take(levels).collect()
}
