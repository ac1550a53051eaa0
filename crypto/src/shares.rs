//! S2: decryption shares, many with one proof.
//!
//! Participant j's share of `(a, b)` is `d = x_j a`; one proof (Chaum and Pedersen's, Crypto '92, folded
//! with random weights) covers all shares of one purpose.

use curve25519_dalek::{
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{IsIdentity, VartimeMultiscalarMul},
};
use merlin::Transcript;
use rand_core::CryptoRng;

use crate::{
    context::{Nonces, ProofTranscript, Purpose, Reason, Recipient},
    deck::{Ciphertext, Deck},
    error::{DecodeError, Error},
    keys::{DealKeys, SecretKey},
    msm::Sum,
    verified::{Verifiable, Verified, sealed::Sealed},
    weights::{Folded, Weights},
    wire::{Element, WORD, Words, Writer},
};

/// m shares of one participant with their proof. `32(m + 3)` bytes: `d_1 … d_m, t_0, t_1, s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareBatch {
    pub(crate) d: Vec<Element>,
    pub(crate) t_0: Element,
    pub(crate) t_1: Element,
    pub(crate) s: Scalar,
}

impl ShareBatch {
    /// Bytes of an encoded batch of `m` shares.
    #[must_use]
    pub const fn bytes(m: usize) -> usize {
        m.saturating_add(3).saturating_mul(WORD)
    }

    /// The number of shares.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.d.len()
    }

    /// Whether there is no share.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.d.is_empty()
    }

    /// The canonical encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        Writer::with_words(self.d.len() + 3)
            .elements(&self.d)
            .elements([&self.t_0, &self.t_1])
            .scalar(&self.s)
            .finish()
    }

    /// Decodes a batch of `m` shares, not yet verified.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are `32(m + 3)` bytes in canonical encoding.
    pub fn from_bytes(bytes: &[u8], m: usize) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, m.saturating_add(3))?;
        Ok(Self {
            d: words.elements(m)?,
            t_0: words.element()?,
            t_1: words.element()?,
            s: words.scalar()?,
        })
    }
}

/// For what cards a batch was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchOrigin {
    pub(crate) deal: [u8; 32],
    pub(crate) participant: u8,
    pub(crate) purpose: Purpose,
    pub(crate) positions: Vec<usize>,
    pub(crate) cards: Vec<Ciphertext>,
}

impl Sealed for ShareBatch {}

impl Verifiable for ShareBatch {
    type Origin = BatchOrigin;
}

/// One share `d = x_j a` of one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share(pub(crate) Element);

/// For what card a share was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareOrigin {
    pub(crate) deal: [u8; 32],
    pub(crate) participant: u8,
    pub(crate) card: Ciphertext,
}

impl Share {
    /// The group element.
    #[must_use]
    pub const fn element(&self) -> &Element {
        &self.0
    }
}

impl Sealed for Share {}

impl Verifiable for Share {
    type Origin = ShareOrigin;
}

impl Verified<Share> {
    /// Whose share it is.
    #[must_use]
    pub const fn participant(&self) -> u8 {
        self.origin().participant
    }
}

impl Verified<ShareBatch> {
    /// Whose shares they are.
    #[must_use]
    pub const fn participant(&self) -> u8 {
        self.origin().participant
    }

    /// What they are for.
    #[must_use]
    pub const fn purpose(&self) -> Purpose {
        self.origin().purpose
    }

    /// The positions of the cards, in the order of the shares.
    #[must_use]
    pub fn positions(&self) -> &[usize] {
        &self.origin().positions
    }

    /// The share of the card at a position of the deck, if it is in the batch.
    #[must_use]
    pub fn share(&self, position: usize) -> Option<Verified<Share>> {
        let origin = self.origin();
        let index = origin.positions.iter().position(|&p| p == position)?;
        Some(Verified::new(
            Share(*self.d.get(index)?),
            ShareOrigin {
                deal: origin.deal,
                participant: origin.participant,
                card: *origin.cards.get(index)?,
            },
        ))
    }
}

/// Refuses a purpose that no batch of shares of the deck can have: for a recipient who is not there, a look at the
/// giver's own cards, or a reason that belongs to another proof.
pub(crate) fn check_purpose(
    keys: &DealKeys,
    participant: u8,
    purpose: &Purpose,
) -> Result<(), Error> {
    keys.key(participant)?;
    if let Recipient::Participant(seat) = purpose.recipient {
        keys.key(seat)?;
        if seat == participant {
            return Err(Error::Purpose { participant });
        }
    }
    match (purpose.reason, purpose.recipient) {
        // one batch may hold shares of the cards of several who look
        (Reason::Open, Recipient::Everyone) | (Reason::Look | Reason::Other(_), _) => Ok(()),
        _ => Err(Error::Purpose { participant }),
    }
}

/// The cards at these positions of a deck that everybody has shuffled.
pub(crate) fn select(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    positions: &[usize],
) -> Result<Vec<Ciphertext>, Error> {
    keys.check_deck(deck)?;
    for (participant, _) in (0_u8..).zip(keys.keys()) {
        if !deck.shuffled_by().contains(&participant) {
            return Err(Error::NotShuffled { participant });
        }
    }
    if positions.is_empty() {
        return Err(Error::NoPositions);
    }
    let mut cards = Vec::with_capacity(positions.len());
    for (index, &position) in positions.iter().enumerate() {
        cards.push(*deck.card(position)?);
        if positions.iter().take(index).any(|&other| other == position) {
            return Err(Error::RepeatedPosition { position });
        }
    }
    Ok(cards)
}

/// Context, X_j, positions, ciphertexts and shares; then the weights `w_k = H(X, a⃗, d⃗)`.
pub(crate) fn statement(
    keys: &DealKeys,
    participant: u8,
    purpose: &Purpose,
    positions: &[usize],
    cards: &[Ciphertext],
    shares: &[Element],
) -> Result<(Transcript, Vec<Scalar>), Error> {
    let key = keys.key(participant)?;
    let mut transcript = keys.transcript(b"S2 shares", participant, purpose);
    transcript.append_element(b"X", key.element());
    transcript.append_u64(b"m", cards.len() as u64);
    for ((position, card), share) in positions.iter().zip(cards).zip(shares) {
        transcript.append_u64(b"position", *position as u64);
        transcript.append_element(b"a", &card.a);
        transcript.append_element(b"b", &card.b);
        transcript.append_element(b"d", share);
    }
    let weights = transcript.challenge_scalars(b"w", cards.len());
    Ok((transcript, weights))
}

/// `Σ w_k a_k`, for public weights.
pub(crate) fn fold<'a>(
    weights: &[Scalar],
    points: impl Iterator<Item = &'a Element>,
) -> RistrettoPoint {
    // the multiplication wants to know both lengths beforehand
    let points: Vec<&RistrettoPoint> = points.map(Element::point).collect();
    RistrettoPoint::vartime_multiscalar_mul(weights, points)
}

/// The challenge `c = H(…, t_0, t_1)`.
pub(crate) fn challenge(transcript: &mut Transcript, t_0: &Element, t_1: &Element) -> Scalar {
    transcript.append_element(b"t_0", t_0);
    transcript.append_element(b"t_1", t_1);
    transcript.challenge_scalar(b"c")
}

/// Gives and proves a participant's shares of the cards at some positions.
///
/// `d_k = x·a_k`, `t_0 = kG`, `t_1 = kΣ w_k a_k`, `s = k + cx`. Give only shares that the rules ask for:
/// with everybody's shares a card is open.
///
/// # Errors
/// [`Error::WrongSecretKey`], [`Error::Purpose`] for a purpose that such shares cannot have, [`Error::ForeignDeck`],
/// [`Error::NotShuffled`] while somebody has not shuffled, [`Error::NoPositions`], [`Error::Position`],
/// [`Error::RepeatedPosition`].
pub fn prove(
    keys: &DealKeys,
    participant: u8,
    secret: &SecretKey,
    purpose: Purpose,
    deck: &Verified<Deck>,
    positions: &[usize],
    rng: &mut impl CryptoRng,
) -> Result<ShareBatch, Error> {
    keys.check_secret(participant, secret)?;
    check_purpose(keys, participant, &purpose)?;
    let cards = select(keys, deck, positions)?;
    prove_on(keys, participant, secret, &purpose, positions, &cards, rng)
}

/// [`prove`] for ciphertexts with proved randomness.
pub(crate) fn prove_on(
    keys: &DealKeys,
    participant: u8,
    secret: &SecretKey,
    purpose: &Purpose,
    positions: &[usize],
    cards: &[Ciphertext],
    rng: &mut impl CryptoRng,
) -> Result<ShareBatch, Error> {
    keys.check_secret(participant, secret)?;
    let x = secret.scalar();
    let d: Vec<Element> = cards.iter().map(|card| Element::new(x * card.a.point())).collect();
    let (mut transcript, weights) = statement(keys, participant, purpose, positions, cards, &d)?;
    let k = Nonces::new(&transcript, [x.as_bytes().as_slice()], rng).scalar();
    let t_0 = Element::new(RistrettoPoint::mul_base(&k));
    let t_1 = Element::new(*k * fold(&weights, cards.iter().map(|card| &card.a)));
    let c = challenge(&mut transcript, &t_0, &t_1);
    let s = *k + c * x;
    Ok(ShareBatch { d, t_0, t_1, s })
}

/// Verifies a participant's shares of the cards at some positions.
///
/// Checks `sG = t_0 + cX` and `sΣ w_k a_k = t_1 + cΣ w_k d_k`.
///
/// # Errors
/// [`Error::ShareProof`] names the guilty participant; [`Error::Size`] for a batch of another number of
/// shares; the others as [`prove`].
pub fn verify(
    keys: &DealKeys,
    participant: u8,
    purpose: Purpose,
    deck: &Verified<Deck>,
    positions: &[usize],
    batch: ShareBatch,
) -> Result<Verified<ShareBatch>, Error> {
    check_purpose(keys, participant, &purpose)?;
    let cards = select(keys, deck, positions)?;
    check_size(&batch, cards.len())?;
    check_on(keys, participant, &purpose, positions, &cards, &batch)?;
    let positions = positions.to_vec();
    let origin = BatchOrigin { deal: *keys.tag(), participant, purpose, positions, cards };
    Ok(Verified::new(batch, origin))
}

/// The check that needs no group operation.
pub(crate) fn check_size(batch: &ShareBatch, expected: usize) -> Result<(), Error> {
    if batch.len() == expected { Ok(()) } else { Err(Error::Size { expected, found: batch.len() }) }
}

/// The checks of [`verify`] for ciphertexts with proved randomness.
pub(crate) fn check_on(
    keys: &DealKeys,
    participant: u8,
    purpose: &Purpose,
    positions: &[usize],
    cards: &[Ciphertext],
    batch: &ShareBatch,
) -> Result<(), Error> {
    let ShareBatch { d, t_0, t_1, s } = batch;
    let (mut transcript, weights) = statement(keys, participant, purpose, positions, cards, d)?;
    let c = challenge(&mut transcript, t_0, t_1);
    let key = keys.key(participant)?.element().point();
    // sG − cX = t_0
    let first = RistrettoPoint::vartime_double_scalar_mul_basepoint(&-c, key, s) == *t_0.point();
    // Σ (s w_k)a_k − Σ (c w_k)d_k − t_1 = 0
    let a = weights.iter().map(|w| s * w);
    let scalars = a.chain(weights.iter().map(|w| -(c * w))).chain([-Scalar::ONE]);
    let points = cards.iter().map(|card| card.a.point());
    let points = points.chain(d.iter().map(Element::point)).chain([t_1.point()]);
    let second = RistrettoPoint::vartime_multiscalar_mul(scalars, points).is_identity();
    if first && second { Ok(()) } else { Err(Error::ShareProof { participant }) }
}

/// What is folded of a batch of cards of the last deck: all but the deck itself.
pub(crate) fn absorb(
    participant: u8,
    purpose: &Purpose,
    positions: &[usize],
    batch: &ShareBatch,
    folded: &mut Folded,
) {
    folded.number(participant);
    folded.absorb(&purpose.to_bytes());
    for position in positions {
        folded.number(*position as u64);
    }
    folded.absorb(&batch.to_bytes());
}

/// Adds the checks of a batch of the right size to a sum, each with a weight of its own.
#[allow(clippy::too_many_arguments)]
pub(crate) fn equations(
    keys: &DealKeys,
    participant: u8,
    purpose: &Purpose,
    positions: &[usize],
    cards: &[Ciphertext],
    batch: &ShareBatch,
    sum: &mut Sum,
    weights: &mut Weights,
) -> Result<(), Error> {
    let ShareBatch { d, t_0, t_1, s } = batch;
    let [first, second] = weights.array();
    let (mut transcript, weights) = statement(keys, participant, purpose, positions, cards, d)?;
    let c = challenge(&mut transcript, t_0, t_1);
    // sG − cX − t_0 = 0
    sum.base += first * s;
    sum.add(-(first * c), keys.key(participant)?.element());
    sum.add(-first, t_0);
    // Σ (s w_k)a_k − Σ (c w_k)d_k − t_1 = 0
    let (of_a, of_d) = (second * s, second * c);
    for ((w, card), d) in weights.iter().zip(cards).zip(d) {
        sum.add(of_a * w, &card.a);
        sum.add(-(of_d * w), d);
    }
    sum.add(-second, t_1);
    Ok(())
}
