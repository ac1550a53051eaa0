//! Sel: what the level of who is called selects from the caller's unary vector.

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT,
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{Identity, MultiscalarMul},
};
use merlin::Transcript;
use rand_core::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use super::{Call, Selection, Statement, call::append, share};
use crate::{
    context::{Nonces, ProofTranscript},
    deck::Ciphertext,
    error::Error,
    hands::{Hand, HandTable, Prepared, nonces},
    keys::{DealKeys, SecretKey},
    wire::Element,
};

/// Everything about a selection that can be made once the hand is known, whoever calls in the end.
///
/// It is used up by the selection, is never stored, and is wiped when dropped: used twice it would reveal
/// the hand.
pub struct PreparedSelection(pub(crate) Prepared);

impl core::fmt::Debug for PreparedSelection {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PreparedSelection(…)")
    }
}

/// Reads the hand with its owner's key, and does all that can be done before anybody calls.
///
/// # Errors
/// [`Error::HandNotInTable`], [`Error::WrongSecretKey`], [`Error::ForeignTable`], [`Error::ForeignHand`].
pub fn prepare_selection(
    keys: &DealKeys,
    table: &HandTable,
    hand: &Hand,
    secret: &SecretKey,
    rng: &mut impl CryptoRng,
) -> Result<PreparedSelection, Error> {
    let mut nonces = nonces(keys, table, hand, secret, rng);
    Prepared::new(keys, table, hand, secret, &mut nonces).map(PreparedSelection)
}

/// [`prepare_selection`] for this very comparison, which is hashed into the nonces with u⃗.
pub(super) fn prepare_now(
    statement: &Statement,
    call: &Call,
    secret: &SecretKey,
    rng: &mut impl CryptoRng,
) -> Result<PreparedSelection, Error> {
    let (keys, table, hand) = (statement.keys(), statement.table(), statement.other());
    let mut transcript = start(statement, &call.u)?;
    transcript.append_message(b"prepared", b"");
    let mut nonces = Nonces::new(&transcript, [secret.scalar().as_bytes().as_slice()], rng);
    Prepared::new(keys, table, hand, secret, &mut nonces).map(PreparedSelection)
}

/// `W_0 … W_{L−1}`: all `W_l.a`, then all `W_l.b`.
pub(crate) fn selectable(ties: bool, u: &[Ciphertext]) -> [Vec<RistrettoPoint>; 2] {
    let w = |u_0: RistrettoPoint, half: fn(&Ciphertext) -> &Element| {
        // u_0 … u_{L−1}, and u_1 … u_L
        let here = core::iter::once(u_0).chain(u.iter().map(|u| *half(u).point()));
        let next = u.iter().map(|u| *half(u).point()).chain([RistrettoPoint::identity()]);
        here.zip(next).map(|(here, next)| if ties { here + next } else { next }).collect()
    };
    [w(RistrettoPoint::identity(), |u| &u.a), w(RISTRETTO_BASEPOINT_POINT, |u| &u.b)]
}

impl PreparedSelection {
    pub(crate) fn check(&self, statement: &Statement) -> Result<(), Error> {
        self.0.check(statement.table(), statement.other())
    }

    /// `W_{l_B}`: all are looked at.
    pub(crate) fn selected(&self, w: &[Vec<RistrettoPoint>; 2]) -> [RistrettoPoint; 2] {
        [0, 1].map(|half| {
            let w = w.get(half).map(Vec::as_slice).unwrap_or_default();
            let mut selected = RistrettoPoint::identity();
            for (w, here) in w.iter().zip(&self.0.choice.sums.levels) {
                selected.conditional_assign(w, here.ct_eq(&Scalar::ONE));
            }
            selected
        })
    }

    /// Masks `selected` anew, and proves that it is what the hand selects.
    pub(crate) fn finish(
        self,
        statement: &Statement,
        secret: &SecretKey,
        call: &Call,
        w: &[Vec<RistrettoPoint>; 2],
        selected: [RistrettoPoint; 2],
        rng: &mut impl CryptoRng,
    ) -> Result<Selection, Error> {
        let mut transcript = start(statement, &call.u)?;
        let x = secret.scalar();
        let r = Nonces::new(&transcript, [x.as_bytes().as_slice()], rng).scalar();
        let [a, b] = selected;
        let sel = Ciphertext {
            a: Element::new(a + RistrettoPoint::mul_base(&r)),
            b: Element::new(b + *r * statement.y()),
        };
        let e = challenge(&mut transcript, &sel);
        let [w_a, w_b] = w;
        let claim = self.0.rounds().map(|(levels, zeta)| {
            let minus = Zeroizing::new(levels.iter().map(|p| -p).collect::<Vec<_>>());
            let weighed = Zeroizing::new(minus.iter().map(|p| e * p).collect::<Vec<_>>());
            let e_zeta = Zeroizing::new(e * zeta);
            [
                RistrettoPoint::multiscalar_mul(
                    weighed.iter().chain([&*e_zeta]),
                    w_b.iter().chain([statement.y()]),
                ),
                RistrettoPoint::multiscalar_mul(minus.iter(), w_a),
            ]
        });
        let proof = self.0.finish(&mut transcript, x, &r, claim);
        let share = share::prove(statement, statement.other(), secret, &sel, rng)?;
        Ok(Selection { sel, proof, share })
    }
}

/// The statement and u⃗.
pub(crate) fn start(statement: &Statement, u: &[Ciphertext]) -> Result<Transcript, Error> {
    let mut transcript = statement.transcript(b"S3 Sel", statement.other())?;
    append(&mut transcript, u);
    Ok(transcript)
}

/// `e = H(statement, u⃗, Sel)`.
pub(crate) fn challenge(transcript: &mut Transcript, sel: &Ciphertext) -> Scalar {
    transcript.append_element(b"Sel.a", &sel.a);
    transcript.append_element(b"Sel.b", &sel.b);
    transcript.challenge_scalar(b"e")
}
