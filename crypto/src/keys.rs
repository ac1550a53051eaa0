//! S0: hand keys, and proofs that their owners know them.
//!
//! Every participant makes a fresh key for every attempt of a deal and proves possession of it, with a
//! Schnorr proof bound to the deal id and the seat. Keys are added up only when all are verified.

use std::sync::{Arc, OnceLock};

use curve25519_dalek::{
    ristretto::{RistrettoBasepointTable, RistrettoPoint},
    scalar::Scalar,
    traits::{Identity, IsIdentity},
};
use merlin::Transcript;
use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::{
    context::{DealId, Nonces, PROTOCOL, ProofTranscript, Purpose},
    deck::Deck,
    error::{DecodeError, Error, Members},
    generators::Params,
    msm::Sum,
    verified::{Verifiable, Verified, sealed::Sealed},
    weights::Weights,
    wire::{Element, WORD, Words, Writer},
};

/// The public half `X = xG` of a hand key, never the identity. 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(pub(crate) Element);

impl PublicKey {
    /// Bytes of an encoded key.
    pub const BYTES: usize = WORD;

    /// The group element.
    #[must_use]
    pub const fn element(&self) -> &Element {
        &self.0
    }

    /// The canonical encoding.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; WORD] {
        self.0.as_bytes()
    }

    /// Decodes a key.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are 32 bytes that encode a point other than the identity.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Words::new(bytes, 1)?.nonzero_element().map(Self)
    }
}

/// The secret half of a hand key: wiped when it is dropped, and never shown.
#[derive(Clone)]
pub struct SecretKey {
    x: Scalar,
    public: PublicKey,
}

impl SecretKey {
    /// Bytes of an encoded key.
    pub const BYTES: usize = WORD;

    /// A fresh key. Every attempt of a deal needs another one.
    #[must_use]
    pub fn generate(rng: &mut impl CryptoRng) -> Self {
        loop {
            if let Some(key) = Self::from_scalar(Scalar::random(rng)) {
                return key;
            }
        }
    }

    fn from_scalar(x: Scalar) -> Option<Self> {
        if x == Scalar::ZERO {
            return None;
        }
        let public = PublicKey(Element::new(RistrettoPoint::mul_base(&x)));
        Some(Self { x, public })
    }

    /// The key for its owner's disk.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.x.to_bytes())
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are 32 bytes that encode a scalar other than 0.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let x = Words::new(bytes, 1)?.scalar()?;
        Self::from_scalar(x).ok_or(DecodeError::Zero { word: 0 })
    }

    /// The public half.
    #[must_use]
    pub const fn public(&self) -> PublicKey {
        self.public
    }

    pub(crate) const fn scalar(&self) -> &Scalar {
        &self.x
    }
}

impl core::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("SecretKey(…)")
    }
}

impl Drop for SecretKey {
    fn drop(&mut self) {
        self.x.zeroize();
    }
}

impl ZeroizeOnDrop for SecretKey {}

/// A public key with the proof that its sender knows the secret one. 96 bytes: `X ‖ t ‖ s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyMessage {
    pub(crate) key: PublicKey,
    pub(crate) t: Element,
    pub(crate) s: Scalar,
}

impl KeyMessage {
    /// Bytes of the message.
    pub const BYTES: usize = 3 * WORD;

    /// The key, not yet verified.
    #[must_use]
    pub const fn key(&self) -> PublicKey {
        self.key
    }

    /// The canonical encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        Writer::with_words(3).element(&self.key.0).element(&self.t).scalar(&self.s).finish()
    }

    /// Decodes a message.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are 96 bytes in canonical encoding with `X ≠ 0`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, 3)?;
        Ok(Self {
            key: PublicKey(words.nonzero_element()?),
            t: words.element()?,
            s: words.scalar()?,
        })
    }
}

/// Where a key was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyOrigin {
    pub(crate) deal: DealId,
    pub(crate) participant: u8,
}

impl Sealed for PublicKey {}

impl Verifiable for PublicKey {
    type Origin = KeyOrigin;
}

impl Verified<PublicKey> {
    /// Whose key it is.
    #[must_use]
    pub const fn participant(&self) -> u8 {
        self.origin().participant
    }
}

/// The transcript of S0: deal id, seat and `X`.
pub(crate) fn possession(deal: &DealId, participant: u8, key: &PublicKey) -> Transcript {
    let mut transcript = Transcript::new(PROTOCOL);
    transcript.append_message(b"deal", &deal.0);
    transcript.append_message(b"proof", b"S0 key possession");
    transcript.append_message(b"prover", &[participant]);
    transcript.append_element(b"X", key.element());
    transcript
}

/// A fresh key for one seat of one attempt of a deal, and the message that proves it.
pub fn generate(
    deal: &DealId,
    participant: u8,
    rng: &mut impl CryptoRng,
) -> (SecretKey, KeyMessage) {
    let secret = SecretKey::generate(rng);
    let message = prove(deal, participant, &secret, rng);
    (secret, message)
}

/// Proves possession of a key: `t = kG`, `c = H(X, t)`, `s = k + cx`.
pub fn prove(
    deal: &DealId,
    participant: u8,
    secret: &SecretKey,
    rng: &mut impl CryptoRng,
) -> KeyMessage {
    let key = secret.public();
    let mut transcript = possession(deal, participant, &key);
    let k = Nonces::new(&transcript, [secret.scalar().as_bytes().as_slice()], rng).scalar();
    let t = Element::new(RistrettoPoint::mul_base(&k));
    transcript.append_element(b"t", &t);
    let c = transcript.challenge_scalar(b"c");
    let s = *k + c * secret.scalar();
    KeyMessage { key, t, s }
}

/// Checks `sG = t + cX` for this deal and seat.
///
/// # Errors
/// [`Error::KeyProof`] names the participant whose proof is false.
pub fn verify(
    deal: &DealId,
    participant: u8,
    message: &KeyMessage,
) -> Result<Verified<PublicKey>, Error> {
    let KeyMessage { key, t, s } = message;
    let mut transcript = possession(deal, participant, key);
    transcript.append_element(b"t", t);
    let c = transcript.challenge_scalar(b"c");
    // sG − cX = t
    let found = RistrettoPoint::vartime_double_scalar_mul_basepoint(&-c, key.0.point(), s);
    if key.0.is_identity() || found != *t.point() {
        return Err(Error::KeyProof { participant });
    }
    let origin = KeyOrigin { deal: *deal, participant };
    Ok(Verified::new(*key, origin))
}

/// Adds the check of [`verify`] to a sum, with a weight of its own. The key is not the identity.
pub(crate) fn equation(
    deal: &DealId,
    participant: u8,
    message: &KeyMessage,
    sum: &mut Sum,
    weights: &mut Weights,
) {
    let KeyMessage { key, t, s } = message;
    let mut transcript = possession(deal, participant, key);
    transcript.append_element(b"t", t);
    let c = transcript.challenge_scalar(b"c");
    let weight = weights.next();
    // sG − cX − t = 0
    sum.base += weight * s;
    sum.add(-(weight * c), &key.0);
    sum.add(-weight, t);
}

/// The most participants of a deal: every set of their keys is looked at once, `2^16` sums.
pub const MAX_PARTICIPANTS: usize = 16;

/// The smallest set of keys that add up to nothing, of several the first in binary counting.
///
/// Whatever is masked for such a set would be open, and with it what the others put in escrow for them
/// ([`escrow`](crate::escrow)); whoever is honest has no part in one, since its key is random and the others prove
/// that they know theirs. The sets are walked through in Gray's order: each differs from the one before by one key.
fn cancelling(keys: &[PublicKey]) -> Option<Members> {
    let (mut sum, mut set) = (RistrettoPoint::identity(), 0_u16);
    let mut found: Option<u16> = None;
    for count in 1_u32..1 << keys.len().min(MAX_PARTICIPANTS) {
        let index = count.trailing_zeros();
        let Some(key) = keys.get(index as usize) else { continue };
        set ^= 1 << index;
        if set & (1 << index) == 0 {
            sum -= key.0.point();
        } else {
            sum += key.0.point();
        }
        let better = |found: u16| (set.count_ones(), set) < (found.count_ones(), found);
        if sum.is_identity() && set != 0 && found.is_none_or(better) {
            found = Some(set);
        }
    }
    found.map(Members)
}

struct Inner {
    deal: DealId,
    params: Params,
    keys: Vec<PublicKey>,
    joint: Element,
    /// For masking in constant time; made when it is first needed.
    table: OnceLock<Box<RistrettoBasepointTable>>,
    /// The start of every transcript of the deal.
    transcript: Transcript,
    tag: [u8; 32],
}

/// All hand keys of a deal, verified, and their sum `X = Σ X_j`. Cheap to clone.
#[derive(Clone)]
pub struct DealKeys(Arc<Inner>);

impl DealKeys {
    /// Adds up the keys of all participants, in the order of their indices 0, 1, …
    ///
    /// # Errors
    /// [`Error::Participants`] unless there are 2 to [`MAX_PARTICIPANTS`], [`Error::ForeignKey`] for a key that was
    /// verified for another deal or index, [`Error::EqualKeys`], [`Error::CancellingKeys`] when the keys of some
    /// (or of all) add up to nothing.
    pub fn new(
        deal: DealId,
        params: Params,
        keys: Vec<Verified<PublicKey>>,
    ) -> Result<Self, Error> {
        if !(2..=MAX_PARTICIPANTS).contains(&keys.len()) {
            return Err(Error::Participants { participants: keys.len() });
        }
        for (participant, key) in (0_u8..).zip(&keys) {
            if *key.origin() != (KeyOrigin { deal, participant }) {
                return Err(Error::ForeignKey { participant });
            }
            for (first, other) in (0_u8..participant).zip(&keys) {
                if **other == **key {
                    return Err(Error::EqualKeys { first, second: participant });
                }
            }
        }
        let keys: Vec<PublicKey> = keys.into_iter().map(Verified::into_inner).collect();
        if let Some(members) = cancelling(&keys) {
            return Err(Error::CancellingKeys { members });
        }
        let joint = Element::new(keys.iter().map(|key| key.0.point()).sum());
        let mut transcript = Transcript::new(PROTOCOL);
        transcript.append_message(b"deal", &deal.0);
        transcript.append_message(b"parameters", params.digest());
        transcript.append_u64(b"participants", keys.len() as u64);
        for key in &keys {
            transcript.append_element(b"hand key", &key.0);
        }
        let mut tag = [0; 32];
        transcript.clone().challenge_bytes(b"deal tag", &mut tag);
        Ok(Self(Arc::new(Inner {
            deal,
            params,
            keys,
            joint,
            table: OnceLock::new(),
            transcript,
            tag,
        })))
    }

    /// Which deal this is.
    #[must_use]
    pub fn deal(&self) -> &DealId {
        &self.0.deal
    }

    /// The deck's parameters.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.0.params
    }

    /// The number of participants.
    #[must_use]
    pub fn participants(&self) -> usize {
        self.0.keys.len()
    }

    /// The keys of all participants, by index.
    #[must_use]
    pub fn keys(&self) -> &[PublicKey] {
        &self.0.keys
    }

    /// The key of one participant.
    ///
    /// # Errors
    /// [`Error::NoSuchParticipant`] for an index beyond the participants.
    pub fn key(&self, participant: u8) -> Result<&PublicKey, Error> {
        self.0.keys.get(usize::from(participant)).ok_or(Error::NoSuchParticipant { participant })
    }

    /// The key of one participant as verified, to show it cards.
    ///
    /// # Errors
    /// [`Error::NoSuchParticipant`] for an index beyond the participants.
    pub fn verified_key(&self, participant: u8) -> Result<Verified<PublicKey>, Error> {
        let origin = KeyOrigin { deal: self.0.deal, participant };
        self.key(participant).map(|key| Verified::new(*key, origin))
    }

    /// `X`, the sum of all keys.
    #[must_use]
    pub fn joint(&self) -> &Element {
        &self.0.joint
    }

    /// 32 bytes that stand for the deal id, the parameters and all hand keys.
    pub(crate) fn tag(&self) -> &[u8; 32] {
        &self.0.tag
    }

    /// `rX`, in constant time.
    pub(crate) fn mul_joint(&self, r: &Scalar) -> RistrettoPoint {
        let table = self
            .0
            .table
            .get_or_init(|| Box::new(RistrettoBasepointTable::create(self.0.joint.point())));
        table.as_ref() * r
    }

    /// The context of a proof in this deal.
    pub(crate) fn transcript(
        &self,
        proof: &'static [u8],
        prover: u8,
        purpose: &Purpose,
    ) -> Transcript {
        let mut transcript = self.0.transcript.clone();
        transcript.append_context(proof, prover, purpose);
        transcript
    }

    /// Refuses a deck that was verified in another deal.
    pub(crate) fn check_deck(&self, deck: &Verified<Deck>) -> Result<(), Error> {
        if deck.origin().deal == *self.tag() { Ok(()) } else { Err(Error::ForeignDeck) }
    }

    /// Refuses a secret key that is not this participant's.
    pub(crate) fn check_secret(&self, participant: u8, secret: &SecretKey) -> Result<(), Error> {
        if *self.key(participant)? == secret.public() {
            Ok(())
        } else {
            Err(Error::WrongSecretKey { participant })
        }
    }
}

impl core::fmt::Debug for DealKeys {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DealKeys")
            .field("deal", &self.0.deal)
            .field("n", &self.0.params.n())
            .field("keys", &self.0.keys)
            .finish_non_exhaustive()
    }
}
