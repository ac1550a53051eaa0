//! The prover of S3.
//!
//! Nothing branches on the hand, and no memory address depends on it: every hand of the table is looked at,
//! whichever is the prover's.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar, traits::MultiscalarMul};
use merlin::Transcript;
use rand_core::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{CARDS, DIGITS, Hand, HandProof, HandTable, committed, table::Choice};
use crate::{
    context::{Nonces, ProofTranscript, Purpose, Reason, Recipient},
    error::Error,
    keys::{DealKeys, SecretKey},
    wire::Element,
};

/// Everything about a hand proof that depends neither on the claim nor on the other participant: digits,
/// masks, B, A, the coefficients `w_{k,c}` and those of the levels, and most of Q.
///
/// It is used up by the proof, is never stored, and is wiped when dropped: used twice it would reveal the
/// hand.
pub(crate) struct Prepared {
    hand: Hand,
    table: HandTable,
    pub(crate) choice: Choice,
    masks: Vec<Scalar>,
    blinds: Blinds,
    b: Element,
    a: Element,
    /// `Σ_{l_h=l} p_{h,k}` for every level l.
    levels: [Vec<Scalar>; DIGITS],
    /// `−Σ_c w_{k,c}M_c + ξ_k a`.
    q_1: [RistrettoPoint; DIGITS],
    /// `ξ_k G`.
    q_2: [Element; DIGITS],
    /// `ζ_k G`.
    q_3: [RistrettoPoint; DIGITS],
}

#[derive(Zeroize, ZeroizeOnDrop)]
struct Blinds {
    r_b: Scalar,
    r_a: Scalar,
    xi: [Scalar; DIGITS],
    zeta: [Scalar; DIGITS],
}

impl Drop for Prepared {
    fn drop(&mut self) {
        self.masks.zeroize();
        self.levels.zeroize();
        self.q_1.zeroize();
        self.q_3.zeroize();
    }
}

impl ZeroizeOnDrop for Prepared {}

/// Where the nonces of a preparation come from.
pub(crate) fn nonces(
    keys: &DealKeys,
    table: &HandTable,
    hand: &Hand,
    secret: &SecretKey,
    rng: &mut impl CryptoRng,
) -> Nonces {
    let purpose = Purpose { recipient: Recipient::Everyone, reason: Reason::Other(0), step: 0 };
    let mut statement = keys.transcript(b"S3 prepared", hand.participant, &purpose);
    statement.append_message(b"hands", table.digest());
    statement.append_element(b"a", &hand.sum.a);
    statement.append_element(b"b", &hand.sum.b);
    Nonces::new(&statement, [secret.scalar().as_bytes().as_slice()], rng)
}

impl Prepared {
    /// Reads the hand with its owner's key, and prepares to prove it.
    pub(crate) fn new(
        keys: &DealKeys,
        table: &HandTable,
        hand: &Hand,
        secret: &SecretKey,
        nonces: &mut Nonces,
    ) -> Result<Self, Error> {
        if table.params() != keys.params() {
            return Err(Error::ForeignTable);
        }
        hand.check(keys)?;
        keys.check_secret(hand.participant, secret)?;
        let cards = Zeroizing::new(read(table, hand, secret.scalar()));
        let choice = Option::from(table.choose(*cards));
        let choice = choice.ok_or(Error::HandNotInTable { participant: hand.participant })?;
        Ok(Self::with_choice(table, hand, choice, nonces))
    }

    /// Prepares to prove that the hand is the chosen one, true or not.
    pub(crate) fn with_choice(
        table: &HandTable,
        hand: &Hand,
        choice: Choice,
        nonces: &mut Nonces,
    ) -> Self {
        // a_{j,0} = −Σ_{i≥1} a_{j,i}
        let mut masks = nonces.scalars(table.places());
        let mut rest = masks.as_mut_slice();
        for n in table.radix() {
            let (digit, others) = rest.split_at_mut_checked(n).unwrap_or_default();
            if let Some((zero, masks)) = digit.split_first_mut() {
                *zero = -masks.iter().sum::<Scalar>();
            }
            rest = others;
        }
        let mut random = || [(); DIGITS].map(|()| *nonces.scalar());
        let (xi, zeta, [r_b, r_a, ..]) = (random(), random(), random());
        let blinds = Blinds { r_b, r_a, xi, zeta };

        // 1.
        let products = choice.sigma.iter().zip(masks.iter());
        let products = products.map(|(sigma, mask)| mask * (Scalar::ONE - (sigma + sigma)));
        let squares = masks.iter().map(|mask| -(mask * mask));
        let b = Zeroizing::new(committed(table, &choice.sigma, products).collect::<Vec<_>>());
        let a = Zeroizing::new(committed(table, &masks, squares).collect::<Vec<_>>());
        let [b, a] = [(b, &blinds.r_b), (a, &blinds.r_a)]
            .map(|(values, r)| Element::new(table.commit(&values, r)));

        // 2.
        let coefficients = choice.coefficients(table, &masks);
        let mut q_1 = [RistrettoPoint::default(); DIGITS];
        for ((q, sums), xi) in q_1.iter_mut().zip(&coefficients).zip(&blinds.xi) {
            let w = Zeroizing::new(sums.cards.iter().map(|w| -w).collect::<Vec<_>>());
            *q = RistrettoPoint::multiscalar_mul(
                w.iter().chain([xi]),
                table.card_points().iter().chain([hand.sum.a.point()]),
            );
        }
        Self {
            hand: *hand,
            table: table.clone(),
            choice,
            masks: core::mem::take(&mut *masks),
            b,
            a,
            levels: coefficients.map(|mut sums| core::mem::take(&mut sums.levels)),
            q_1,
            q_2: blinds.xi.map(|xi| Element::new(RistrettoPoint::mul_base(&xi))),
            q_3: blinds.zeta.map(|zeta| RistrettoPoint::mul_base(&zeta)),
            blinds,
        }
    }

    /// Refuses to prove anything about another hand, or over another table.
    pub(crate) fn check(&self, table: &HandTable, hand: &Hand) -> Result<(), Error> {
        if self.hand == *hand && self.table == *table {
            Ok(())
        } else {
            Err(Error::ForeignPreparation)
        }
    }

    /// For each k: `Σ_{l_h=l} p_{h,k}` for every level l, and `ζ_k`.
    pub(crate) fn rounds(&self) -> [(&[Scalar], &Scalar); DIGITS] {
        let [l_0, l_1, l_2, l_3] = &self.levels;
        let [z_0, z_1, z_2, z_3] = &self.blinds.zeta;
        [(l_0, z_0), (l_1, z_1), (l_2, z_2), (l_3, z_3)]
    }

    /// The rest of the proof. `claim` has for each k what belongs to the claim in the first and third
    /// component of `Q_k`: `−eΣ_h p_{h,k}Λ_h + eζ_k Y` and `−Σ_h p_{h,k}Λ'_h`.
    pub(crate) fn finish(
        self,
        transcript: &mut Transcript,
        x: &Scalar,
        r: &Scalar,
        claim: [[RistrettoPoint; 2]; DIGITS],
    ) -> HandProof {
        let Blinds { r_b, r_a, xi, zeta } = &self.blinds;
        let mut q = [[Element::identity(); 3]; DIGITS];
        let known = self.q_1.iter().zip(&self.q_2).zip(&self.q_3);
        for ((q, [first, third]), ((q_1, q_2), q_3)) in q.iter_mut().zip(claim).zip(known) {
            *q = [Element::new(q_1 + first), *q_2, Element::new(q_3 + third)];
        }
        // 3.
        let c = HandProof::challenge(transcript, &self.b, &self.a, &q);
        let powers = super::verify::powers(&c);
        let fold = |masks: &[Scalar; DIGITS]| -> Scalar {
            masks.iter().zip(&powers).map(|(mask, power)| mask * power).sum()
        };
        let f: Zeroizing<Vec<Scalar>> = Zeroizing::new(
            self.choice
                .sigma
                .iter()
                .zip(&self.masks)
                .map(|(sigma, mask)| sigma * c + mask)
                .collect(),
        );
        let [.., c_4] = powers;
        HandProof {
            b: self.b,
            a: self.a,
            q,
            f: committed(&self.table, &f, core::iter::empty()).collect(),
            z: r_b * c + r_a,
            z_x: x * c_4 - fold(xi),
            z_r: r * c_4 - fold(zeta),
        }
    }
}

/// The owner's cards. All card points are compared with each of them.
fn read(table: &HandTable, hand: &Hand, x: &Scalar) -> [u16; CARDS] {
    hand.cards.map(|card| {
        let left = Zeroizing::new(card.b.point() - x * card.a.point());
        let left = Zeroizing::new(left.compress().to_bytes());
        let mut number = u16::MAX;
        for (candidate, point) in (0..).zip(table.cards()) {
            number.conditional_assign(&candidate, point.as_bytes().ct_eq(&*left));
        }
        number
    })
}
