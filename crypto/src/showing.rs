//! S5: showing cards of one's own to somebody, and to nobody else.
//!
//! The owner A masks its cards anew for the key `X_B` of each recipient,
//!
//! `e_i = (r_iG, M_i + r_iX_B)`,
//!
//! and proves that they are the cards `(a_i, b_i)` on which only its own layer is left, by the
//! [linear proof](crate::notes#s5-and-s6) with `X_A = x_AG`, `e_{i,1} = r_iG`,
//! `b_i − e_{i,2} = x_A a_i − r_i X_B`. For m cards and q recipients it takes `32(2mq + 2q + 3)` bytes.
//! Anybody can verify it; only B can read it.
//!
//! A recipient who is not in the deal, a partner in a pool, proves a key by S0 under the deal's id with a seat
//! number beyond those of the participants.

use curve25519_dalek::{ristretto::RistrettoPoint, traits::MultiscalarMul};
use merlin::Transcript;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::{
    context::{Nonces, ProofTranscript, Purpose, binding},
    deck::Ciphertext,
    error::{DecodeError, Error, OpenError},
    keys::{DealKeys, PublicKey, SecretKey},
    linear::{self, Group, Item, LinearProof},
    msm::Sum,
    opening::OwnCard,
    verified::{Verifiable, Verified, sealed::Sealed},
    weights::Folded,
    wire::{Element, WORD, Words, Writer},
};

/// Cards masked for their recipients, with their proof. `32(2mq + 2q + 3)` bytes for m cards and q
/// recipients: the m masked cards of each recipient in turn (two points each), then
/// `t_x, t_1 … t_q, t, s, s_1 … s_q`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showing {
    pub(crate) e: Vec<Ciphertext>,
    pub(crate) proof: LinearProof,
}

impl Showing {
    const fn words(cards: usize, recipients: usize) -> usize {
        let masked = cards.saturating_mul(recipients);
        masked.saturating_mul(2).saturating_add(LinearProof::words(recipients))
    }

    /// Bytes of an encoded showing of `cards` cards to `recipients` recipients.
    #[must_use]
    pub const fn bytes(cards: usize, recipients: usize) -> usize {
        Self::words(cards, recipients).saturating_mul(WORD)
    }

    /// The canonical encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = 2 * self.e.len() + LinearProof::words(self.proof.t_g.len());
        let mut writer = Writer::with_words(words);
        for e in &self.e {
            writer.element(&e.a).element(&e.b);
        }
        self.proof.write(&mut writer);
        writer.finish()
    }

    /// Decodes a showing of `cards` cards to `recipients` recipients, not yet verified.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are `32(2mq + 2q + 3)` bytes in canonical encoding with no `r_iG = 0`.
    pub fn from_bytes(bytes: &[u8], cards: usize, recipients: usize) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, Self::words(cards, recipients))?;
        let e = (0..cards.saturating_mul(recipients))
            .map(|_| Ok(Ciphertext { a: words.nonzero_element()?, b: words.element()? }))
            .collect::<Result<_, DecodeError>>()?;
        Ok(Self { e, proof: LinearProof::read(&mut words, recipients)? })
    }
}

/// Whose cards were shown to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowingOrigin {
    deal: [u8; 32],
    participant: u8,
    positions: Vec<usize>,
    recipients: Vec<(u8, PublicKey)>,
}

impl Sealed for Showing {}

impl Verifiable for Showing {
    type Origin = ShowingOrigin;
}

impl Verified<Showing> {
    /// Who shows its cards.
    #[must_use]
    pub const fn participant(&self) -> u8 {
        self.origin().participant
    }

    /// The positions of the cards, in their order.
    #[must_use]
    pub fn positions(&self) -> &[usize] {
        &self.origin().positions
    }

    /// The seats of the recipients, in their order.
    pub fn recipients(&self) -> impl Iterator<Item = u8> {
        self.origin().recipients.iter().map(|(seat, _)| *seat)
    }
}

/// What a showing speaks of.
pub(crate) struct Terms<'a> {
    pub(crate) keys: &'a DealKeys,
    pub(crate) participant: u8,
    pub(crate) step: u32,
    pub(crate) cards: &'a [Verified<OwnCard>],
    pub(crate) recipients: &'a [Verified<PublicKey>],
}

impl Terms<'_> {
    fn check(&self) -> Result<(), Error> {
        let Self { keys, participant, cards, recipients, .. } = self;
        keys.key(*participant)?;
        if cards.is_empty() {
            return Err(Error::NoPositions);
        }
        for (index, card) in cards.iter().enumerate() {
            let position = card.position();
            if card.participant() != *participant || card.deal_tag() != keys.tag() {
                return Err(Error::ForeignCard { position });
            }
            // `a` is the same wherever the deck was cut
            let mut before = cards.iter().take(index);
            if before.any(|other| other.ciphertext().a == card.ciphertext().a) {
                return Err(Error::RepeatedPosition { position });
            }
        }
        if recipients.is_empty() {
            return Err(Error::NoRecipients);
        }
        for (index, key) in recipients.iter().enumerate() {
            let seat = key.participant();
            // a participant has the key of the deal, another one any that was proved under the deal's id
            let foreign = keys.key(seat).is_ok_and(|known| *known != **key);
            if key.origin().deal != *keys.deal() || foreign {
                return Err(Error::ForeignKey { participant: seat });
            }
            let again = recipients.iter().take(index).any(|other| other.participant() == seat);
            if seat == *participant || again {
                return Err(Error::Recipient { seat });
            }
        }
        Ok(())
    }

    /// The context, `X_A`, the cards with their positions, and the recipients' seats and keys.
    fn transcript(&self) -> Result<Transcript, Error> {
        let Self { keys, participant, step, .. } = self;
        let mut transcript = keys.transcript(b"S5 showing", *participant, &Purpose::show(*step));
        transcript.append_element(b"X", keys.key(*participant)?.element());
        transcript.append_u64(b"m", self.cards.len() as u64);
        for card in self.cards {
            transcript.append_u64(b"position", card.position() as u64);
            transcript.append_element(b"a", &card.ciphertext().a);
            transcript.append_element(b"b", &card.ciphertext().b);
        }
        transcript.append_u64(b"recipients", self.recipients.len() as u64);
        for key in self.recipients {
            transcript.append_message(b"seat", &[key.participant()]);
            transcript.append_element(b"X_B", key.element());
        }
        Ok(transcript)
    }

    /// The whole statement: what [`transcript`](Self::transcript) has, and all e.
    pub(crate) fn statement(&self, e: &[Ciphertext]) -> Result<Transcript, Error> {
        let mut transcript = self.transcript()?;
        for e in e {
            transcript.append_element(b"e_1", &e.a);
            transcript.append_element(b"e_2", &e.b);
        }
        Ok(transcript)
    }

    pub(crate) fn groups<'b>(&'b self, e: &'b [Ciphertext]) -> Vec<Group<'b>> {
        self.recipients
            .iter()
            .zip(e.chunks(self.cards.len().max(1)))
            .map(|(key, e)| Group {
                negative: true,
                keys: vec![key.element()],
                items: self
                    .cards
                    .iter()
                    .map(|card| card.ciphertext())
                    .zip(e)
                    .map(|(card, e)| Item { a: &card.a, u: &e.a, w: (&card.b, Some(&e.b)) })
                    .collect(),
            })
            .collect()
    }
}

/// Shows cards of one's own to some recipients, and proves it.
///
/// # Errors
/// [`Error::WrongSecretKey`]; [`Error::NoPositions`], [`Error::ForeignCard`], [`Error::RepeatedPosition`]
/// for the cards; [`Error::NoRecipients`], [`Error::ForeignKey`], [`Error::Recipient`] for the recipients.
pub fn prove(
    keys: &DealKeys,
    participant: u8,
    secret: &SecretKey,
    cards: &[Verified<OwnCard>],
    recipients: &[Verified<PublicKey>],
    step: u32,
    rng: &mut impl CryptoRng,
) -> Result<Showing, Error> {
    keys.check_secret(participant, secret)?;
    let terms = Terms { keys, participant, step, cards, recipients };
    terms.check()?;
    let transcript = terms.transcript()?;
    let x = secret.scalar();
    let mut nonces = Nonces::new(&transcript, [x.as_bytes().as_slice()], rng);
    let r = nonces.scalars(cards.len() * recipients.len());
    let minus_x = Zeroizing::new(-x);
    let mut masks = r.iter();
    let mut e = Vec::with_capacity(r.len());
    for key in recipients {
        e.extend(cards.iter().map(|card| card.ciphertext()).zip(masks.by_ref()).map(
            |(card, r)| {
                // b − x_A a + rX_B
                let points = [card.a.point(), key.element().point()];
                let layers = RistrettoPoint::multiscalar_mul([&*minus_x, r], points);
                Ciphertext {
                    a: Element::new(RistrettoPoint::mul_base(r)),
                    b: Element::new(card.b.point() + layers),
                }
            },
        ));
    }
    let mut transcript = terms.statement(&e)?;
    let proof = linear::prove(&mut transcript, secret, &terms.groups(&e), &r, &mut nonces);
    Ok(Showing { e, proof })
}

/// Verifies that the cards shown are the participant's own. `rng` gives the weights of the checks.
///
/// # Errors
/// [`Error::ShowingProof`] names the guilty participant; [`Error::Size`] for a showing of another number
/// of cards or recipients; the others as [`prove`].
pub fn verify(
    keys: &DealKeys,
    participant: u8,
    cards: &[Verified<OwnCard>],
    recipients: &[Verified<PublicKey>],
    step: u32,
    showing: Showing,
    rng: &mut impl CryptoRng,
) -> Result<Verified<Showing>, Error> {
    let terms = Terms { keys, participant, step, cards, recipients };
    terms.check()?;
    let pairs = [
        (cards.len() * recipients.len(), showing.e.len()),
        (recipients.len(), showing.proof.t_g.len()),
        (recipients.len(), showing.proof.s_g.len()),
    ];
    for (expected, found) in pairs {
        if expected != found {
            return Err(Error::Size { expected, found });
        }
    }
    let mut transcript = terms.statement(&showing.e)?;
    let key = keys.key(participant)?.element();
    let groups = terms.groups(&showing.e);
    let mut folded = Folded::new(rng);
    absorb(&transcript, &showing, &mut folded);
    let mut sum = Sum::default();
    linear::equations(
        &mut transcript,
        key,
        &groups,
        &showing.proof,
        &mut sum,
        &mut folded.weights(),
    );
    if showing.e.iter().any(|e| e.a.is_identity()) || !sum.vanishes() {
        return Err(Error::ShowingProof { participant });
    }
    let origin = ShowingOrigin {
        deal: *keys.tag(),
        participant,
        positions: cards.iter().map(Verified::position).collect(),
        recipients: recipients.iter().map(|key| (key.participant(), **key)).collect(),
    };
    Ok(Verified::new(showing, origin))
}

/// What is folded: the statement and the message.
pub(crate) fn absorb(statement: &Transcript, showing: &Showing, folded: &mut Folded) {
    folded.absorb(&binding(statement));
    folded.absorb(&showing.to_bytes());
}

/// Reads a card that was shown to this seat: `e_{i,2} − x_B e_{i,1}`.
///
/// # Errors
/// [`OpenError::ShownNoCard`] names who shows what is no card; [`OpenError::Deal`] with
/// [`Error::ForeignShowing`], [`Error::Recipient`] when it was not shown to this seat,
/// [`Error::Position`] for a card that was not shown, [`Error::WrongSecretKey`].
pub fn read(
    keys: &DealKeys,
    showing: &Verified<Showing>,
    position: usize,
    seat: u8,
    secret: &SecretKey,
) -> Result<u16, OpenError> {
    let ShowingOrigin { deal, participant, positions, recipients } = showing.origin();
    if deal != keys.tag() {
        return Err(Error::ForeignShowing.into());
    }
    let mut shown = recipients.iter().zip(showing.e.chunks(positions.len().max(1)));
    let ((_, key), e) =
        shown.find(|((other, _), _)| *other == seat).ok_or(Error::Recipient { seat })?;
    if *key != secret.public() {
        return Err(Error::WrongSecretKey { participant: seat }.into());
    }
    let mut pairs = positions.iter().zip(e);
    let (_, e) =
        pairs.find(|(other, _)| **other == position).ok_or(Error::Position { position })?;
    let layer = Zeroizing::new(secret.scalar() * e.a.point());
    let card = Element::new(e.b.point() - *layer);
    keys.params().card(&card).ok_or(OpenError::ShownNoCard { participant: *participant })
}
