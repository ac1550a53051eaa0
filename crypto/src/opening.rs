//! Taking layers off: from verified shares to a card.
//!
//! A card `(a, b)` is `b − Σ_j x_j a`. Layers commute, so the order of the shares does not matter.

use zeroize::Zeroizing;

use crate::{
    deck::{Ciphertext, Deck},
    error::{Error, OpenError},
    keys::{DealKeys, SecretKey},
    shares::Share,
    verified::{Verifiable, Verified, sealed::Sealed},
    wire::Element,
};

/// A card on which only its owner's layer is left: `(a, b − Σ d)`, a ciphertext under `X_A` alone that
/// everybody can compute once all others' shares are public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnCard(pub(crate) Ciphertext);

/// Whose card it is, and where it lay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnCardOrigin {
    deal: [u8; 32],
    participant: u8,
    position: usize,
}

impl OwnCard {
    /// The ciphertext under the owner's key alone.
    #[must_use]
    pub const fn ciphertext(&self) -> &Ciphertext {
        &self.0
    }
}

impl Sealed for OwnCard {}

impl Verifiable for OwnCard {
    type Origin = OwnCardOrigin;
}

impl Verified<OwnCard> {
    /// Whose card it is.
    #[must_use]
    pub const fn participant(&self) -> u8 {
        self.origin().participant
    }

    /// Its position in the deck.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.origin().position
    }

    /// The deal it was stripped in: 32 bytes that stand for the deal id, the parameters and all hand keys.
    #[must_use]
    pub const fn deal_tag(&self) -> &[u8; 32] {
        &self.origin().deal
    }
}

/// What is left of a card when these layers are taken off: `(a, b − Σ d)`, a ciphertext under the sum of
/// the keys that are still on.
///
/// # Errors
/// [`OpenError::WrongCard`] for a share of another card or deal, [`OpenError::Repeated`] for two shares
/// of one participant, [`OpenError::Deal`] for a foreign deck or a position beyond it.
pub fn strip(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    position: usize,
    shares: &[Verified<Share>],
) -> Result<Ciphertext, OpenError> {
    keys.check_deck(deck)?;
    let card = deck.card(position)?;
    let mut left = *card.b.point();
    let mut seen = [false; 256];
    for share in shares {
        let origin = share.origin();
        let participant = origin.participant;
        if origin.deal != *keys.tag() || origin.card != *card {
            return Err(OpenError::WrongCard { participant });
        }
        if let Some(seen) = seen.get_mut(usize::from(participant)) {
            if *seen {
                return Err(OpenError::Repeated { participant });
            }
            *seen = true;
        }
        left -= share.element().point();
    }
    Ok(Ciphertext { a: card.a, b: Element::new(left) })
}

/// Refuses unless everybody's share is there, but for `except`.
fn check_complete(
    keys: &DealKeys,
    shares: &[Verified<Share>],
    except: Option<u8>,
) -> Result<(), OpenError> {
    for (participant, _) in (0_u8..).zip(keys.keys()) {
        let given = shares.iter().any(|share| share.participant() == participant);
        if !given && except != Some(participant) {
            return Err(OpenError::Missing { participant });
        }
    }
    Ok(())
}

/// The number of a card when all layers are off.
///
/// # Errors
/// [`OpenError::NotACard`] while a layer is still on.
pub fn recognise(keys: &DealKeys, stripped: &Ciphertext) -> Result<u16, OpenError> {
    keys.params().card(&stripped.b).ok_or(OpenError::NotACard)
}

/// Opens a card with the shares of all participants.
///
/// # Errors
/// [`OpenError::Missing`] names whose share is not there; the others as [`strip`].
pub fn open(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    position: usize,
    shares: &[Verified<Share>],
) -> Result<u16, OpenError> {
    check_complete(keys, shares, None)?;
    recognise(keys, &strip(keys, deck, position, shares)?)
}

/// Opens a card that a participant has claimed to be a certain one.
///
/// # Errors
/// [`OpenError::Claim`] names the participant when it is another card; the others as [`open`].
pub fn open_claimed(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    position: usize,
    shares: &[Verified<Share>],
    participant: u8,
    claimed: u16,
) -> Result<(), OpenError> {
    let opened = open(keys, deck, position, shares)?;
    if opened == claimed { Ok(()) } else { Err(OpenError::Claim { participant, claimed, opened }) }
}

/// Takes everybody's layer off a participant's card, but for its own.
///
/// # Errors
/// [`OpenError::Missing`] names whose share is not there, [`OpenError::Repeated`] the participant itself
/// when its own share is among them; the others as [`strip`].
pub fn own(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    position: usize,
    others: &[Verified<Share>],
    participant: u8,
) -> Result<Verified<OwnCard>, OpenError> {
    keys.key(participant)?;
    check_complete(keys, others, Some(participant))?;
    if others.iter().any(|share| share.participant() == participant) {
        return Err(OpenError::Repeated { participant });
    }
    let card = strip(keys, deck, position, others)?;
    let origin = OwnCardOrigin { deal: *keys.tag(), participant, position };
    Ok(Verified::new(OwnCard(card), origin))
}

/// Lets a participant look at its own card: the shares of all others, and its secret key instead of its
/// own share, which stays unpublished.
///
/// # Errors
/// [`OpenError::Deal`] for a wrong secret key; the others as [`own`].
pub fn peel(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    position: usize,
    others: &[Verified<Share>],
    participant: u8,
    secret: &SecretKey,
) -> Result<u16, OpenError> {
    keys.check_secret(participant, secret)?;
    let OwnCard(card) = *own(keys, deck, position, others, participant)?;
    let layer = Zeroizing::new(secret.scalar() * card.a.point());
    let left = Ciphertext { a: card.a, b: Element::new(card.b.point() - *layer) };
    recognise(keys, &left)
}

/// The participants whose share of a card is not among these.
///
/// # Errors
/// [`Error::ForeignDeck`] for a deck of another deal, [`Error::Position`] beyond the deck.
pub fn missing(
    keys: &DealKeys,
    deck: &Verified<Deck>,
    position: usize,
    shares: &[Verified<Share>],
) -> Result<Vec<u8>, Error> {
    keys.check_deck(deck)?;
    let card = deck.card(position)?;
    let given = |participant| {
        shares.iter().map(Verified::origin).any(|share| {
            share.participant == participant && share.card == *card && share.deal == *keys.tag()
        })
    };
    Ok((0_u8..)
        .zip(keys.keys())
        .map(|(participant, _)| participant)
        .filter(|&participant| !given(participant))
        .collect())
}
