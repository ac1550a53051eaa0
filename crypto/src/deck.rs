//! Masked cards and decks of them.
//!
//! A card `M` under the joint key `X` is `(a, b) = (rG, M + rX)`. A deck is the n cards of a deal in some
//! order; it starts as `(0, M_c)` in the order of the card numbers.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::{
    error::{DecodeError, Error},
    keys::DealKeys,
    verified::{Verifiable, Verified, sealed::Sealed},
    wire::{Element, WORD, Words, Writer},
};

/// A masked card `(a, b)`. 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ciphertext {
    /// `rG`.
    pub a: Element,
    /// `M + rX`.
    pub b: Element,
}

/// n masked cards in order. 64n bytes: `a ‖ b` of each card.
#[derive(Clone, PartialEq, Eq)]
pub struct Deck {
    cards: Vec<Ciphertext>,
}

impl Deck {
    /// The deck before the first shuffle: `(0, M_c)`, in the order of the card numbers.
    #[must_use]
    pub fn first(keys: &DealKeys) -> Verified<Self> {
        let cards = keys
            .params()
            .cards()
            .iter()
            .map(|card| Ciphertext { a: Element::identity(), b: *card })
            .collect();
        let origin = DeckOrigin { deal: *keys.tag(), shuffled_by: Vec::new() };
        Verified::new(Self { cards }, origin)
    }

    pub(crate) const fn new(cards: Vec<Ciphertext>) -> Self {
        Self { cards }
    }

    /// The masked cards in order.
    #[must_use]
    pub fn cards(&self) -> &[Ciphertext] {
        &self.cards
    }

    /// The number of cards.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether there is no card at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// The masked card at a position, from 0.
    ///
    /// # Errors
    /// [`Error::Position`] beyond the deck.
    pub fn card(&self, position: usize) -> Result<&Ciphertext, Error> {
        self.cards.get(position).ok_or(Error::Position { position })
    }

    /// The canonical encoding, 64 bytes a card.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::with_words(2 * self.cards.len());
        for card in &self.cards {
            writer.element(&card.a).element(&card.b);
        }
        writer.finish()
    }

    /// Decodes a deck of `n` cards, not yet verified.
    ///
    /// # Errors
    /// [`DecodeError`] unless these are `64n` bytes in canonical encoding with no `a = 0`.
    pub fn from_bytes(bytes: &[u8], n: usize) -> Result<Self, DecodeError> {
        let mut words = Words::new(bytes, n.saturating_mul(2))?;
        let cards = (0..n)
            .map(|_| Ok(Ciphertext { a: words.nonzero_element()?, b: words.element()? }))
            .collect::<Result<_, DecodeError>>()?;
        Ok(Self { cards })
    }

    /// Bytes of an encoded deck of `n` cards.
    #[must_use]
    pub const fn bytes(n: usize) -> usize {
        n.saturating_mul(2 * WORD)
    }
}

impl core::fmt::Debug for Deck {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Deck({} cards)", self.cards.len())
    }
}

/// In which deal a deck was verified, and whose shuffles are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckOrigin {
    pub(crate) deal: [u8; 32],
    pub(crate) shuffled_by: Vec<u8>,
}

impl DeckOrigin {
    /// The origin of the deck that this participant shuffled next.
    pub(crate) fn then(&self, participant: u8) -> Self {
        let mut origin = self.clone();
        origin.shuffled_by.push(participant);
        origin
    }
}

impl Sealed for Deck {}

impl Verifiable for Deck {
    type Origin = DeckOrigin;
}

impl Verified<Deck> {
    /// Who has shuffled this deck, in order.
    #[must_use]
    pub fn shuffled_by(&self) -> &[u8] {
        &self.origin().shuffled_by
    }

    /// Cuts the deck: the card at `at` comes to the top. Everybody can do it, so it needs no proof.
    ///
    /// # Errors
    /// [`Error::Cut`] unless `at` is a position of the deck.
    pub fn cut(&self, at: usize) -> Result<Self, Error> {
        if at >= self.len() {
            return Err(Error::Cut { at, cards: self.len() });
        }
        let mut deck = (**self).clone();
        deck.cards.rotate_left(at);
        Ok(Self::new(deck, self.origin().clone()))
    }
}

/// `(ρG, ρX)`: what is added to a card to mask it anew.
#[derive(Clone, Copy)]
pub(crate) struct Mask {
    pub(crate) a: RistrettoPoint,
    pub(crate) b: RistrettoPoint,
}

impl Mask {
    /// In constant time.
    pub(crate) fn new(keys: &DealKeys, rho: &Scalar) -> Self {
        Self { a: RistrettoPoint::mul_base(rho), b: keys.mul_joint(rho) }
    }

    /// `C + (ρG, ρX)`.
    pub(crate) fn apply(&self, card: &Ciphertext) -> Ciphertext {
        Ciphertext {
            a: Element::new(card.a.point() + self.a),
            b: Element::new(card.b.point() + self.b),
        }
    }
}

/// Masks every card anew without moving any and without proof: only good to compare costs with.
#[doc(hidden)]
pub fn mask_all(keys: &DealKeys, deck: &Deck, rng: &mut impl CryptoRng) -> Deck {
    let cards = deck
        .cards
        .iter()
        .map(|card| {
            let rho = Zeroizing::new(Scalar::random(rng));
            let mask = Mask { a: RistrettoPoint::mul_base(&rho), b: *rho * keys.joint().point() };
            mask.apply(card)
        })
        .collect();
    Deck { cards }
}
