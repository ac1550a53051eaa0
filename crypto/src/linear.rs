//! The linear proof that S5 and S6 share.
//!
//! For items `(a_i, U_i, W_i)` in groups, each group g with a key `Z_g`, somebody with the key `X` proves
//!
//! `X = xG`, `U_i = r_iG`, `W_i = x a_i + r_i Z_g`.
//!
//! With weights `w_i = H(statement)` and `ρ_g = Σ_{i∈g} w_i r_i` these fold into one equation for the key,
//! one for each group, and one for all: `t_x = kG`, `t_g = κ_g G`, `t = kΣ w_i a_i + Σ κ_g Z_g`;
//! `c = H(…, t_x, t_g, t)`, `s = k + cx`, `s_g = κ_g + cρ_g`. Checks:
//!
//! - `sG = t_x + cX`
//! - `s_g G = t_g + cΣ_{i∈g} w_i U_i`
//! - `sΣ w_i a_i + Σ s_g Z_g = t + cΣ w_i W_i`

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar, traits::MultiscalarMul};
use merlin::Transcript;
use zeroize::Zeroizing;

use crate::{
    context::{Nonces, ProofTranscript},
    error::DecodeError,
    keys::SecretKey,
    msm::Sum,
    shares::fold,
    weights::Weights,
    wire::{Element, Words, Writer},
};

/// `(a, U, W)`, where W is the sum of some points, each with a sign.
pub(crate) struct Item<'a> {
    pub(crate) a: &'a Element,
    pub(crate) u: &'a Element,
    /// What is added and what is taken away to give W.
    pub(crate) w: (&'a Element, Option<&'a Element>),
}

/// The items under one key `Z = ±Σ X_m`.
pub(crate) struct Group<'a> {
    pub(crate) negative: bool,
    pub(crate) keys: Vec<&'a Element>,
    pub(crate) items: Vec<Item<'a>>,
}

impl Group<'_> {
    /// `Z`.
    fn key(&self) -> RistrettoPoint {
        let sum: RistrettoPoint = self.keys.iter().map(|key| key.point()).sum();
        if self.negative { -sum } else { sum }
    }
}

/// `2G + 3` words for G groups: `t_x, t_1 … t_G, t, s, s_1 … s_G`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinearProof {
    pub(crate) t_x: Element,
    pub(crate) t_g: Vec<Element>,
    pub(crate) t: Element,
    pub(crate) s: Scalar,
    pub(crate) s_g: Vec<Scalar>,
}

impl LinearProof {
    pub(crate) const fn words(groups: usize) -> usize {
        groups.saturating_mul(2).saturating_add(3)
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer
            .element(&self.t_x)
            .elements(&self.t_g)
            .element(&self.t)
            .scalar(&self.s)
            .scalars(&self.s_g);
    }

    pub(crate) fn read(words: &mut Words<'_>, groups: usize) -> Result<Self, DecodeError> {
        Ok(Self {
            t_x: words.element()?,
            t_g: words.elements(groups)?,
            t: words.element()?,
            s: words.scalar()?,
            s_g: words.scalars(groups)?,
        })
    }
}

/// The weights `w_i`, after the whole statement.
pub(crate) fn weights(transcript: &mut Transcript, groups: &[Group<'_>]) -> Vec<Scalar> {
    let count = groups.iter().map(|group| group.items.len()).sum();
    transcript.challenge_scalars(b"w", count)
}

/// `c = H(…, t_x, t_g, t)`.
pub(crate) fn challenge(
    transcript: &mut Transcript,
    t_x: &Element,
    t_g: &[Element],
    t: &Element,
) -> Scalar {
    transcript.append_element(b"t_x", t_x);
    for t_g in t_g {
        transcript.append_element(b"t_g", t_g);
    }
    transcript.append_element(b"t", t);
    transcript.challenge_scalar(b"c")
}

/// Proves a statement that has been hashed. `r` are the masks of all items, group by group.
pub(crate) fn prove(
    transcript: &mut Transcript,
    secret: &SecretKey,
    groups: &[Group<'_>],
    r: &[Scalar],
    nonces: &mut Nonces,
) -> LinearProof {
    let weights = weights(transcript, groups);
    let k = nonces.scalar();
    let kappa = nonces.scalars(groups.len());
    let a = groups.iter().flat_map(|group| &group.items).map(|item| item.a);
    let folded = fold(&weights, a);
    let keys: Vec<RistrettoPoint> = groups.iter().map(Group::key).collect();
    let t_x = Element::new(RistrettoPoint::mul_base(&k));
    let t_g: Vec<Element> =
        kappa.iter().map(|kappa| Element::new(RistrettoPoint::mul_base(kappa))).collect();
    let t = Element::new(RistrettoPoint::multiscalar_mul(
        core::iter::once(&*k).chain(kappa.iter()),
        core::iter::once(&folded).chain(&keys),
    ));
    let c = challenge(transcript, &t_x, &t_g, &t);
    let s = *k + c * secret.scalar();
    let mut masks = weights.iter().zip(r);
    let s_g = groups
        .iter()
        .zip(kappa.iter())
        .map(|(group, kappa)| {
            let mut rho = Zeroizing::new(Scalar::ZERO);
            for (w, r) in masks.by_ref().take(group.items.len()) {
                *rho += w * r;
            }
            kappa + c * *rho
        })
        .collect();
    LinearProof { t_x, t_g, t, s, s_g }
}

/// The weights of the checks of one proof.
pub(crate) struct Fold {
    /// Of the first check.
    pub(crate) key: Scalar,
    /// Of the last.
    pub(crate) all: Scalar,
    /// Of each group's.
    pub(crate) groups: Vec<Scalar>,
}

/// Adds the checks of a proof to a sum, each with a weight of its own. The statement has been hashed, and the proof
/// is of as many groups.
pub(crate) fn equations(
    transcript: &mut Transcript,
    key: &Element,
    groups: &[Group<'_>],
    proof: &LinearProof,
    sum: &mut Sum,
    weights: &mut Weights,
) {
    let fold = Fold {
        key: weights.next(),
        all: weights.next(),
        groups: groups.iter().map(|_| weights.next()).collect(),
    };
    weighted(transcript, key, groups, proof, sum, &fold);
}

/// [`equations`] with given weights.
pub(crate) fn weighted(
    transcript: &mut Transcript,
    key: &Element,
    groups: &[Group<'_>],
    proof: &LinearProof,
    sum: &mut Sum,
    fold: &Fold,
) {
    let LinearProof { t_x, t_g, t, s, s_g } = proof;
    let weights = weights(transcript, groups);
    let c = challenge(transcript, t_x, t_g, t);
    let Fold { key: of_key, all: of_all, groups: of_groups } = fold;
    // sG − cX − t_x = 0
    sum.base += of_key * s;
    sum.add(-(of_key * c), key);
    sum.add(-of_key, t_x);
    // sΣ w_i a_i + Σ s_g Z_g − cΣ w_i W_i − t = 0
    sum.add(-of_all, t);
    let (of_all_s, of_all_c) = (of_all * s, of_all * c);
    let mut weights = weights.iter();
    for (((group, t_g), s_g), of_group) in groups.iter().zip(t_g).zip(s_g).zip(of_groups) {
        // s_g G − cΣ w_i U_i − t_g = 0
        sum.base += of_group * s_g;
        sum.add(-of_group, t_g);
        let of_group_c = of_group * c;
        let z = if group.negative { -(of_all * s_g) } else { of_all * s_g };
        for key in &group.keys {
            sum.add(z, key);
        }
        for (item, w) in group.items.iter().zip(weights.by_ref()) {
            sum.add(of_all_s * w, item.a);
            sum.add(-(of_group_c * w), item.u);
            let (plus, minus) = item.w;
            let of_w = of_all_c * w;
            sum.add(-of_w, plus);
            if let Some(minus) = minus {
                sum.add(of_w, minus);
            }
        }
    }
}
