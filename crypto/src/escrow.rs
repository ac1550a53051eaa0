//! S6: decryption shares in escrow, so that nobody who vanishes takes the others' cards along.
//!
//! With three or more players each participant P gives, as a part of the deal, its shares of every other
//! holder A's cards to the rest, who can open them only together: with `Z = Σ_{m≠A,P} X_m`,
//!
//! `V_i = (r_iG, x_P a_i + r_iZ)`,
//!
//! one message with one proof for all holders, by the [linear proof](crate::notes#s5-and-s6) with `X_P = x_PG`,
//! `V_{i,1} = r_iG`, `V_{i,2} = x_P a_i + r_iZ`. For m cards of h holders it takes `32(2m + 2h + 3)` bytes.
//!
//! When P is lost, the trustees m ≠ A, P give `x_m r_iG` with the proof of S2, and `V_{i,2} − Σ_m x_m r_iG`
//! is P's share as if P had given it. The others then escrow anew with P among the lost; so does everybody
//! when a card is replaced. Two participants cannot escrow: `Z = 0` would leave the share open.

use rand_core::CryptoRng;

use merlin::Transcript;

use crate::{
    context::{Nonces, ProofTranscript, Purpose, binding},
    deck::{Ciphertext, Deck},
    error::{DecodeError, Error, OpenError},
    keys::{DealKeys, SecretKey},
    linear::{self, Group, Item, LinearProof},
    msm::Sum,
    shares::{self, BatchOrigin, Share, ShareBatch, ShareOrigin},
    verified::{Verifiable, Verified, sealed::Sealed},
    weights::{Folded, Weights},
    wire::{Element, WORD, Words, Writer},
};

use curve25519_dalek::{ristretto::RistrettoPoint, traits::MultiscalarMul};

/// Whose cards, and where they lie in the deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The participant whose cards they are.
    pub holder: u8,
    /// Their positions.
    pub positions: Vec<usize>,
}

/// The shares that one participant gives into escrow, with their proof. `32(2m + 2h + 3)` bytes for m
/// cards of h holders: `V_1 … V_m` (two points each), `t_x, t_1 … t_h, t, s, s_1 … s_h`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EscrowMessage {
    pub(crate) v: Vec<Ciphertext>,
    pub(crate) proof: LinearProof,
}

impl EscrowMessage {
    const fn words(cards: usize, holders: usize) -> usize {
        cards.saturating_mul(2).saturating_add(LinearProof::words(holders))
    }

    /// Bytes of an encoded message for `cards` cards of `holders` holders.
    #[must_use]
    pub const fn bytes(cards: usize, holders: usize) -> usize {
        Self::words(cards, holders).saturating_mul(WORD)
    }

    /// The number of cards.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.v.len()
    }

    /// Whether there is no card.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.v.is_empty()
    }

    /// The canonical encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = Self::words(self.v.len(), self.proof.t_g.len());
        let mut writer = Writer::with_words(words);
        for v in &self.v {
            writer.element(&v.a).element(&v.b);
        }
        self.proof.write(&mut writer);
        writer.finish()
    }

    /// Decodes a message for `cards` cards of `holders` holders, not yet verified.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are `32(2m + 2h + 3)` bytes in canonical encoding with no `r_iG = 0`.
    pub fn from_bytes(bytes: &[u8], cards: usize, holders: usize) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, Self::words(cards, holders))?;
        let v = (0..cards)
            .map(|_| Ok(Ciphertext { a: words.nonzero_element()?, b: words.element()? }))
            .collect::<Result<_, DecodeError>>()?;
        Ok(Self { v, proof: LinearProof::read(&mut words, holders)? })
    }
}

/// One card of which a share is in escrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    holder: u8,
    position: usize,
    card: Ciphertext,
}

/// For what cards an escrow was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EscrowOrigin {
    deal: [u8; 32],
    participant: u8,
    step: u32,
    lost: Vec<u8>,
    held: Vec<Held>,
}

impl Sealed for EscrowMessage {}

impl Verifiable for EscrowMessage {
    type Origin = EscrowOrigin;
}

impl Verified<EscrowMessage> {
    /// Whose shares they are.
    #[must_use]
    pub const fn participant(&self) -> u8 {
        self.origin().participant
    }

    /// Which of several escrows that are alike otherwise.
    #[must_use]
    pub const fn step(&self) -> u32 {
        self.origin().step
    }

    /// Who was lost when it was made, in ascending order.
    #[must_use]
    pub fn lost(&self) -> &[u8] {
        &self.origin().lost
    }

    /// Who has to give shares to open the card at a position, in ascending order.
    ///
    /// # Errors
    /// [`Error::ForeignEscrow`], [`Error::Position`] for a card that is not in it.
    pub fn trustees(&self, keys: &DealKeys, position: usize) -> Result<Vec<u8>, Error> {
        let (held, _) = self.held(keys, position)?;
        let EscrowOrigin { participant, lost, .. } = self.origin();
        Ok(trustees(keys, *participant, held.holder, lost).map(|(seat, _)| seat).collect())
    }

    fn held(&self, keys: &DealKeys, position: usize) -> Result<(&Held, &Ciphertext), Error> {
        let origin = self.origin();
        if origin.deal != *keys.tag() {
            return Err(Error::ForeignEscrow);
        }
        let mut pairs = origin.held.iter().zip(&self.v);
        pairs.find(|(held, _)| held.position == position).ok_or(Error::Position { position })
    }
}

/// Everybody who is neither the one who gives its shares into escrow, nor the holder, nor lost.
fn trustees<'a>(
    keys: &'a DealKeys,
    participant: u8,
    holder: u8,
    lost: &'a [u8],
) -> impl Iterator<Item = (u8, &'a Element)> {
    (0_u8..)
        .zip(keys.keys())
        .filter(move |(seat, _)| *seat != participant && *seat != holder && !lost.contains(seat))
        .map(|(seat, key)| (seat, key.element()))
}

/// What an escrow speaks of.
pub(crate) struct Terms<'a> {
    keys: &'a DealKeys,
    participant: u8,
    step: u32,
    holdings: &'a [Holding],
    lost: Vec<u8>,
    cards: Vec<Ciphertext>,
}

impl<'a> Terms<'a> {
    pub(crate) fn new(
        keys: &'a DealKeys,
        participant: u8,
        deck: &Verified<Deck>,
        holdings: &'a [Holding],
        lost: &[u8],
        step: u32,
    ) -> Result<Self, Error> {
        keys.key(participant)?;
        let mut lost = lost.to_vec();
        lost.sort_unstable();
        lost.dedup();
        for &seat in &lost {
            keys.key(seat)?;
        }
        if lost.contains(&participant) {
            return Err(Error::Lost { participant });
        }
        for (index, Holding { holder, positions }) in holdings.iter().enumerate() {
            let holder = *holder;
            keys.key(holder)?;
            let again = holdings.iter().take(index).any(|other| other.holder == holder);
            if holder == participant || lost.contains(&holder) || again {
                return Err(Error::Holder { holder });
            }
            if positions.is_empty() {
                return Err(Error::NoPositions);
            }
            // with nobody left Z = 0; that the keys of those who are there cancel out, the deal's keys do not allow
            if trustees(keys, participant, holder, &lost).next().is_none() {
                return Err(Error::NoTrustee { holder });
            }
        }
        let positions: Vec<usize> =
            holdings.iter().flat_map(|holding| &holding.positions).copied().collect();
        let cards = shares::select(keys, deck, &positions)?;
        Ok(Self { keys, participant, step, holdings, lost, cards })
    }

    /// The context, `X_P`, who is lost, the holders, and their cards with positions.
    fn transcript(&self) -> Result<Transcript, Error> {
        let Self { keys, participant, step, .. } = self;
        let mut transcript = keys.transcript(b"S6 escrow", *participant, &Purpose::escrow(*step));
        transcript.append_element(b"X", keys.key(*participant)?.element());
        transcript.append_message(b"lost", &self.lost);
        transcript.append_u64(b"holders", self.holdings.len() as u64);
        let mut cards = self.cards.iter();
        for Holding { holder, positions } in self.holdings {
            transcript.append_message(b"holder", &[*holder]);
            transcript.append_u64(b"m", positions.len() as u64);
            for (position, card) in positions.iter().zip(cards.by_ref()) {
                transcript.append_u64(b"position", *position as u64);
                transcript.append_element(b"a", &card.a);
                transcript.append_element(b"b", &card.b);
            }
        }
        Ok(transcript)
    }

    /// The whole statement: what [`transcript`](Self::transcript) has, and all V.
    pub(crate) fn statement(&self, v: &[Ciphertext]) -> Result<Transcript, Error> {
        let mut transcript = self.transcript()?;
        for v in v {
            transcript.append_element(b"V_1", &v.a);
            transcript.append_element(b"V_2", &v.b);
        }
        Ok(transcript)
    }

    pub(crate) fn groups<'b>(&'b self, v: &'b [Ciphertext]) -> Vec<Group<'b>> {
        let mut items =
            self.cards.iter().zip(v).map(|(card, v)| Item { a: &card.a, u: &v.a, w: (&v.b, None) });
        self.holdings
            .iter()
            .map(|Holding { holder, positions }| Group {
                negative: false,
                keys: trustees(self.keys, self.participant, *holder, &self.lost)
                    .map(|(_, key)| key)
                    .collect(),
                items: items.by_ref().take(positions.len()).collect(),
            })
            .collect()
    }

    /// The checks that need no group operation.
    fn check_form(&self, message: &EscrowMessage) -> Result<(), Error> {
        let groups = self.holdings.len();
        let pairs = [
            (self.cards.len(), message.v.len()),
            (groups, message.proof.t_g.len()),
            (groups, message.proof.s_g.len()),
        ];
        for (expected, found) in pairs {
            if expected != found {
                return Err(Error::Size { expected, found });
            }
        }
        if message.v.iter().any(|v| v.a.is_identity()) {
            return Err(Error::EscrowProof { participant: self.participant });
        }
        Ok(())
    }

    fn equations(
        &self,
        message: &EscrowMessage,
        sum: &mut Sum,
        weights: &mut Weights,
    ) -> Result<(), Error> {
        let mut transcript = self.statement(&message.v)?;
        let key = self.keys.key(self.participant)?.element();
        let groups = self.groups(&message.v);
        linear::equations(&mut transcript, key, &groups, &message.proof, sum, weights);
        Ok(())
    }

    /// What is folded: the statement and the message.
    pub(crate) fn absorb(&self, message: &EscrowMessage, folded: &mut Folded) -> Result<(), Error> {
        folded.absorb(&binding(&self.transcript()?));
        folded.absorb(&message.to_bytes());
        Ok(())
    }

    fn origin(self) -> EscrowOrigin {
        let positions = self.holdings.iter().flat_map(|Holding { holder, positions }| {
            positions.iter().map(move |position| (*holder, *position))
        });
        let held = positions
            .zip(self.cards)
            .map(|((holder, position), card)| Held { holder, position, card })
            .collect();
        EscrowOrigin {
            deal: *self.keys.tag(),
            participant: self.participant,
            step: self.step,
            lost: self.lost,
            held,
        }
    }
}

/// Gives a participant's shares of the others' cards into escrow, and proves it. `lost` are those who
/// are no longer there, in any order.
///
/// # Errors
/// [`Error::WrongSecretKey`], [`Error::Lost`], [`Error::Holder`], [`Error::NoTrustee`] with two
/// participants, and those of [`shares::prove`] for the deck and the positions.
#[allow(clippy::too_many_arguments)]
pub fn prove(
    keys: &DealKeys,
    participant: u8,
    secret: &SecretKey,
    deck: &Verified<Deck>,
    holdings: &[Holding],
    lost: &[u8],
    step: u32,
    rng: &mut impl CryptoRng,
) -> Result<EscrowMessage, Error> {
    keys.check_secret(participant, secret)?;
    let terms = Terms::new(keys, participant, deck, holdings, lost, step)?;
    let transcript = terms.transcript()?;
    let x = secret.scalar();
    let mut nonces = Nonces::new(&transcript, [x.as_bytes().as_slice()], rng);
    let r = nonces.scalars(terms.cards.len());
    let mut masks = terms.cards.iter().zip(r.iter());
    let mut v = Vec::with_capacity(terms.cards.len());
    for Holding { holder, positions } in holdings {
        let z: RistrettoPoint =
            trustees(keys, participant, *holder, &terms.lost).map(|(_, key)| key.point()).sum();
        v.extend(masks.by_ref().take(positions.len()).map(|(card, r)| Ciphertext {
            a: Element::new(RistrettoPoint::mul_base(r)),
            b: Element::new(RistrettoPoint::multiscalar_mul([x, r], [card.a.point(), &z])),
        }));
    }
    let mut transcript = terms.statement(&v)?;
    let proof = linear::prove(&mut transcript, secret, &terms.groups(&v), &r, &mut nonces);
    Ok(EscrowMessage { v, proof })
}

/// Verifies what a participant gave into escrow. `rng` gives the weights of the checks.
///
/// # Errors
/// [`Error::EscrowProof`] names the guilty participant; [`Error::Size`] for a message of another number
/// of cards or holders; the others as [`prove`].
#[allow(clippy::too_many_arguments)]
pub fn verify(
    keys: &DealKeys,
    participant: u8,
    deck: &Verified<Deck>,
    holdings: &[Holding],
    lost: &[u8],
    step: u32,
    message: EscrowMessage,
    rng: &mut impl CryptoRng,
) -> Result<Verified<EscrowMessage>, Error> {
    let terms = Terms::new(keys, participant, deck, holdings, lost, step)?;
    terms.check_form(&message)?;
    let mut folded = Folded::new(rng);
    terms.absorb(&message, &mut folded)?;
    let mut sum = Sum::default();
    terms.equations(&message, &mut sum, &mut folded.weights())?;
    if !sum.vanishes() {
        return Err(Error::EscrowProof { participant });
    }
    Ok(Verified::new(message, terms.origin()))
}

/// One participant's escrow, as it came from the wire.
#[derive(Clone, Debug)]
pub struct Escrowed {
    /// Whose shares.
    pub participant: u8,
    /// The cards.
    pub holdings: Vec<Holding>,
    /// Who is lost.
    pub lost: Vec<u8>,
    /// The number of the step.
    pub step: u32,
    /// The message.
    pub message: EscrowMessage,
}

impl Escrowed {
    fn terms<'a>(&'a self, keys: &'a DealKeys, deck: &Verified<Deck>) -> Result<Terms<'a>, Error> {
        Terms::new(keys, self.participant, deck, &self.holdings, &self.lost, self.step)
    }

    /// Checks the form, and tells what is folded.
    pub(crate) fn absorb(
        &self,
        keys: &DealKeys,
        deck: &Verified<Deck>,
        folded: &mut Folded,
    ) -> Result<(), Error> {
        let terms = self.terms(keys, deck)?;
        terms.check_form(&self.message)?;
        terms.absorb(&self.message, folded)
    }

    /// Adds the equations to a sum, and tells what the message is worth if that is zero. Its form is checked.
    pub(crate) fn fold(
        &self,
        keys: &DealKeys,
        deck: &Verified<Deck>,
        sum: &mut Sum,
        weights: &mut Weights,
    ) -> Result<EscrowOrigin, Error> {
        let terms = self.terms(keys, deck)?;
        terms.equations(&self.message, sum, weights)?;
        Ok(terms.origin())
    }
}

/// Verifies the escrows of several participants in one multiscalar multiplication.
///
/// # Errors
/// As [`verify`]: when the whole fails, each is checked alone, and the first that is false is named.
pub fn verify_all(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    escrows: Vec<Escrowed>,
    rng: &mut impl CryptoRng,
) -> Result<Vec<Verified<EscrowMessage>>, Error> {
    if let Some(origins) = at_once(keys, deck, &escrows, rng) {
        let messages = escrows.into_iter().map(|escrowed| escrowed.message);
        return Ok(messages.zip(origins).map(|(m, origin)| Verified::new(m, origin)).collect());
    }
    escrows
        .into_iter()
        .map(|Escrowed { participant, holdings, lost, step, message }| {
            verify(keys, participant, deck, &holdings, &lost, step, message, rng)
        })
        .collect()
}

/// All in one sum; `None` when anything is wrong with it.
fn at_once(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    escrows: &[Escrowed],
    rng: &mut impl CryptoRng,
) -> Option<Vec<EscrowOrigin>> {
    let mut folded = Folded::new(rng);
    for escrowed in escrows {
        escrowed.absorb(keys, deck, &mut folded).ok()?;
    }
    let (mut sum, mut weights) = (Sum::default(), folded.weights());
    let origins = escrows
        .iter()
        .map(|escrowed| escrowed.fold(keys, deck, &mut sum, &mut weights).ok())
        .collect::<Option<Vec<_>>>()?;
    sum.vanishes().then_some(origins)
}

/// The ciphertexts `V_i` at some positions, for one of their trustees.
fn entrusted(
    keys: &DealKeys,
    trustee: u8,
    escrow: &Verified<EscrowMessage>,
    positions: &[usize],
) -> Result<Vec<Ciphertext>, Error> {
    keys.key(trustee)?;
    if positions.is_empty() {
        return Err(Error::NoPositions);
    }
    let EscrowOrigin { participant, lost, .. } = escrow.origin();
    let mut cards = Vec::with_capacity(positions.len());
    for (index, &position) in positions.iter().enumerate() {
        let (held, v) = escrow.held(keys, position)?;
        if !trustees(keys, *participant, held.holder, lost).any(|(seat, _)| seat == trustee) {
            return Err(Error::NotTrustee { participant: trustee, position });
        }
        if positions.iter().take(index).any(|&other| other == position) {
            return Err(Error::RepeatedPosition { position });
        }
        cards.push(*v);
    }
    Ok(cards)
}

/// Gives and proves a trustee's shares of what is in escrow, when its participant is lost: `x_m r_iG`.
///
/// # Errors
/// [`Error::WrongSecretKey`], [`Error::ForeignEscrow`], [`Error::NoPositions`], [`Error::Position`] for a
/// card that is not in it, [`Error::RepeatedPosition`], [`Error::NotTrustee`].
pub fn give(
    keys: &DealKeys,
    trustee: u8,
    secret: &SecretKey,
    escrow: &Verified<EscrowMessage>,
    positions: &[usize],
    rng: &mut impl CryptoRng,
) -> Result<ShareBatch, Error> {
    let cards = entrusted(keys, trustee, escrow, positions)?;
    let purpose = Purpose::open_escrow(escrow.participant(), escrow.step());
    shares::prove_on(keys, trustee, secret, &purpose, positions, &cards, rng)
}

/// Verifies a trustee's shares of what is in escrow.
///
/// # Errors
/// [`Error::ShareProof`] names the guilty trustee; [`Error::Size`] for a batch of another number of
/// shares; the others as [`give`].
pub fn take(
    keys: &DealKeys,
    trustee: u8,
    escrow: &Verified<EscrowMessage>,
    positions: &[usize],
    batch: ShareBatch,
) -> Result<Verified<ShareBatch>, Error> {
    let cards = entrusted(keys, trustee, escrow, positions)?;
    let purpose = Purpose::open_escrow(escrow.participant(), escrow.step());
    shares::check_size(&batch, cards.len())?;
    shares::check_on(keys, trustee, &purpose, positions, &cards, &batch)?;
    let origin = BatchOrigin {
        deal: *keys.tag(),
        participant: trustee,
        purpose,
        positions: positions.to_vec(),
        cards,
    };
    Ok(Verified::new(batch, origin))
}

/// The lost participant's share of the card at a position, as if it had given it: `V_{i,2} − Σ_m x_m r_iG`
/// with the shares of all trustees, in any order.
///
/// # Errors
/// [`OpenError::Missing`] names whose share is not there, [`OpenError::Repeated`] whose is there twice,
/// [`OpenError::WrongCard`] whose is of something else; [`OpenError::Deal`] as [`give`].
pub fn open(
    keys: &DealKeys,
    escrow: &Verified<EscrowMessage>,
    position: usize,
    shares: &[Verified<Share>],
) -> Result<Verified<Share>, OpenError> {
    let (held, v) = escrow.held(keys, position)?;
    let trustees = escrow.trustees(keys, position)?;
    let mut left = *v.b.point();
    for (index, share) in shares.iter().enumerate() {
        let ShareOrigin { deal, participant, card } = *share.origin();
        if deal != *keys.tag() || card != *v {
            return Err(OpenError::WrongCard { participant });
        }
        if !trustees.contains(&participant) {
            return Err(Error::NotTrustee { participant, position }.into());
        }
        if shares.iter().take(index).any(|other| other.participant() == participant) {
            return Err(OpenError::Repeated { participant });
        }
        left -= share.element().point();
    }
    let given = |trustee: u8| shares.iter().any(|share| share.participant() == trustee);
    if let Some(&participant) = trustees.iter().find(|&&trustee| !given(trustee)) {
        return Err(OpenError::Missing { participant });
    }
    let origin =
        ShareOrigin { deal: *keys.tag(), participant: escrow.participant(), card: held.card };
    Ok(Verified::new(Share(Element::new(left)), origin))
}
