//! Shares of Sel, each with a proof of Chaum and Pedersen's.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use merlin::Transcript;
use rand_core::CryptoRng;

use super::{SealedShare, Statement};
use crate::{
    context::{Nonces, ProofTranscript},
    deck::Ciphertext,
    error::Error,
    hands::Hand,
    keys::SecretKey,
    wire::Element,
};

/// Context, statement, Sel and the share.
pub(crate) fn start(
    statement: &Statement,
    giver: &Hand,
    sel: &Ciphertext,
    d: &Element,
) -> Result<Transcript, Error> {
    let mut transcript = statement.transcript(b"S4 share", giver)?;
    transcript.append_element(b"Sel.a", &sel.a);
    transcript.append_element(b"Sel.b", &sel.b);
    transcript.append_element(b"d", d);
    Ok(transcript)
}

/// `c = H(…, t_0, t_1)`.
pub(crate) fn challenge(transcript: &mut Transcript, t_0: &Element, t_1: &Element) -> Scalar {
    transcript.append_element(b"t_0", t_0);
    transcript.append_element(b"t_1", t_1);
    transcript.challenge_scalar(b"c")
}

/// `d = x·Sel.a`, `t_0 = kG`, `t_1 = k·Sel.a`, `s = k + cx`.
pub(crate) fn prove(
    statement: &Statement,
    giver: &Hand,
    secret: &SecretKey,
    sel: &Ciphertext,
    rng: &mut impl CryptoRng,
) -> Result<SealedShare, Error> {
    let x = secret.scalar();
    let d = Element::new(x * sel.a.point());
    let mut transcript = start(statement, giver, sel, &d)?;
    let k = Nonces::new(&transcript, [x.as_bytes().as_slice()], rng).scalar();
    let t_0 = Element::new(RistrettoPoint::mul_base(&k));
    let t_1 = Element::new(*k * sel.a.point());
    let c = challenge(&mut transcript, &t_0, &t_1);
    Ok(SealedShare { d, t_0, t_1, s: *k + c * x })
}
