//! One attempt at a deal: who takes part, in which order things happen, and what makes it finished.
//!
//! The messages of a deal go round outside the log (they are large); the log decides the finished deal by
//! the hash over all of them, with every participant's signature on it. Each message names the hash of the
//! one before, so a proof is checked against exactly the inputs that its author signed.

use std::sync::Arc;

use rand_core::CryptoRng;
use serde::{Deserialize, Serialize};
use trinka_crypto::shuffle::Step;
use trinka_crypto::{
    DealId, DealKeys, Deck, KeyMessage, Params, PublicKey as HandKey, ShuffleProof, Verified,
};

use super::escrow::VerifiedEscrow;
use super::{Core, Stage};
use crate::identity::PublicKey;
use crate::rules::{Card, Seat};
use crate::table::message::{Body, DealPart, Hash, LogId, Payload, Signed};
use crate::wire::{self, PROTOCOL_VERSION};

/// Cards that each participant gets.
pub const HAND: usize = 3;

/// What a deck is shuffled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DealUse {
    /// Three cards for each.
    Hand,
    /// To find a dealer by it; thrown away afterwards.
    Choice,
}

/// Why a message of a deal is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// The message is false: its author's fault.
    #[error("the {part:?} message of seat {seat} is false: {why}")]
    False {
        /// Who.
        seat: Seat,
        /// Which message.
        part: DealPart,
        /// Why.
        why: String,
    },
    /// A message is missing, doubled, out of order or for another deal.
    #[error("message {index} of the deal does not belong there")]
    Order {
        /// Its place among the deal's messages, from 0.
        index: usize,
    },
    /// The keys do not work together: the fault of those who made theirs to suit each other.
    #[error("the keys of the deal cannot be used: {why}")]
    Keys {
        /// Whose keys.
        seats: Vec<Seat>,
        /// Why.
        why: String,
    },
    /// No deal can be made with these participants.
    #[error("no deal can be made: {0}")]
    Plan(String),
}

/// An attempt at a deal, as the log determines it.
#[derive(Clone, Debug)]
pub struct DealPlan {
    /// Counted over the whole evening.
    pub number: u64,
    /// The deal id: 32 bytes that bind every proof.
    pub id: DealId,
    /// The log.
    pub log: LogId,
    /// Participants clockwise from the dealer's left, with their identities; the place is the index.
    pub order: Vec<(Seat, PublicKey)>,
    /// Indices in the order in which they shuffle: the dealer first, its right last. The last one cuts.
    pub shufflers: Vec<u8>,
    /// Deck size and generators.
    pub params: Params,
    /// What the cards are for.
    pub purpose: DealUse,
}

impl DealPlan {
    /// The deal that the log waits for.
    ///
    /// # Errors
    /// [`DealError::Plan`] for a deck or a number of participants that cannot be.
    pub fn new(core: &Core) -> Result<Option<Self>, DealError> {
        let Stage::Dealing { deal, order, purpose, .. } = &core.stage else {
            return Ok(None);
        };
        // The dealer, the last in deal order, shuffles first; without it the order stays as it is.
        let mut shufflers: Vec<u8> = (0..).take(order.len()).collect();
        if order.last().copied() == core.game.dealer() {
            shufflers.rotate_right(1);
        }
        Self::with(core, *deal, order, *purpose, shufflers).map(Some)
    }

    /// The plan of a deal of this table: by its number, its participants and who shuffles when.
    ///
    /// # Errors
    /// [`DealError::Plan`] for a deck or a number of participants that cannot be.
    pub fn with(
        core: &Core,
        number: u64,
        order: &[Seat],
        purpose: DealUse,
        shufflers: Vec<u8>,
    ) -> Result<Self, DealError> {
        let deck = core.terms.rules.deck();
        let params =
            Params::new(usize::from(deck.size())).map_err(|e| DealError::Plan(e.to_string()))?;
        let seats: Vec<(Seat, PublicKey)> = order
            .iter()
            .map(|s| core.key_of(*s).map(|k| (*s, k)))
            .collect::<Option<_>>()
            .ok_or_else(|| DealError::Plan("a participant has no key".into()))?;
        let count = u8::try_from(seats.len())
            .map_err(|_| DealError::Plan("too many participants".into()))?;
        if usize::from(count) * HAND > usize::from(deck.size()) || count < 2 {
            return Err(DealError::Plan(format!(
                "{count} participants with {} cards",
                deck.size()
            )));
        }
        let mut hashed: Vec<&[u8]> = Vec::new();
        let version = PROTOCOL_VERSION.to_be_bytes();
        let counter = number.to_be_bytes();
        let switches = core
            .terms
            .rules
            .switches()
            .into_iter()
            .map(|(k, v)| format!("{k}={v}\n"))
            .collect::<String>();
        hashed.extend([
            &version[..],
            &core.table.0[..],
            &core.log.0[..],
            &params.digest()[..],
            switches.as_bytes(),
            &counter[..],
            match purpose {
                DealUse::Hand => b"hand",
                DealUse::Choice => b"choice",
            },
        ]);
        let shuffle_order = shufflers.clone();
        hashed.push(&shuffle_order);
        hashed.extend(seats.iter().map(|(_, key)| &key.0[..]));
        let id = DealId(wire::hash("trinka deal", &hashed));
        Ok(DealPlan { number, id, log: core.log, order: seats, shufflers, params, purpose })
    }

    /// A seat's index in the deal.
    #[must_use]
    pub fn index_of(&self, seat: Seat) -> Option<u8> {
        self.order.iter().position(|(s, _)| *s == seat).and_then(|i| u8::try_from(i).ok())
    }

    /// The seat with an index.
    #[must_use]
    pub fn seat_at(&self, index: u8) -> Option<Seat> {
        self.order.get(usize::from(index)).map(|(s, _)| *s)
    }

    /// The seat of a key in the deal.
    #[must_use]
    pub fn seat_of_key(&self, key: &PublicKey) -> Option<Seat> {
        self.order.iter().find(|(_, k)| k == key).map(|(s, _)| *s)
    }

    /// Who cuts: the last shuffler.
    #[must_use]
    pub fn cutter(&self) -> Option<Seat> {
        self.seat_at(*self.shufflers.last()?)
    }

    /// Whether everybody's shares are escrowed as part of the deal: where cards are held, and there are
    /// others to open the escrow.
    #[must_use]
    pub fn escrows(&self) -> bool {
        self.purpose == DealUse::Hand && self.order.len() > 2
    }

    /// The places of everybody's cards but one participant's, by index: what it escrows.
    #[must_use]
    pub fn others_places(&self, index: u8) -> Vec<(u8, Vec<usize>)> {
        let count = self.order.len();
        let places = |i: usize| (0..HAND).map(|round| round * count + i).collect();
        (0..count)
            .filter_map(|i| Some((u8::try_from(i).ok()?, places(i))))
            .filter(|(i, _)| *i != index)
            .collect()
    }

    /// Checks a key message.
    ///
    /// # Errors
    /// [`DealError::False`].
    pub fn check_key(&self, seat: Seat, bytes: &[u8]) -> Result<Verified<HandKey>, DealError> {
        let fault = |why: String| DealError::False { seat, part: DealPart::Key, why };
        let index = self.index_of(seat).ok_or_else(|| fault("no participant".into()))?;
        let message = KeyMessage::from_bytes(bytes).map_err(|e| fault(e.to_string()))?;
        trinka_crypto::keys::verify(&self.id, index, &message).map_err(|e| fault(e.to_string()))
    }

    /// Adds up the keys of all participants.
    ///
    /// # Errors
    /// [`DealError::Keys`].
    pub fn joint(&self, keys: Vec<Verified<HandKey>>) -> Result<DealKeys, DealError> {
        DealKeys::new(self.id, self.params.clone(), keys).map_err(|e| DealError::Keys {
            seats: e.colluders().iter().filter_map(|i| self.seat_at(i)).collect(),
            why: e.to_string(),
        })
    }

    /// Decodes a shuffle, not yet verified.
    ///
    /// # Errors
    /// [`DealError::False`].
    pub fn read_shuffle(
        &self,
        seat: Seat,
        deck: &[u8],
        proof: &[u8],
    ) -> Result<(Deck, ShuffleProof), DealError> {
        let fault = |why: String| DealError::False { seat, part: DealPart::Shuffle, why };
        let n = self.params.n();
        let deck = Deck::from_bytes(deck, n).map_err(|e| fault(e.to_string()))?;
        let proof = ShuffleProof::from_bytes(proof, n).map_err(|e| fault(e.to_string()))?;
        Ok((deck, proof))
    }

    /// Checks a shuffle of a deck that was checked, by the participant with an index, at a step
    /// counted from 0.
    ///
    /// # Errors
    /// [`DealError::False`].
    pub fn check_shuffle(
        &self,
        (keys, before): (&DealKeys, &Verified<Deck>),
        (index, step): (u8, u32),
        (deck, proof): (&[u8], &[u8]),
        rng: &mut impl CryptoRng,
    ) -> Result<Verified<Deck>, DealError> {
        let seat = self.seat_at(index).unwrap_or(Seat(u8::MAX));
        let (deck, proof) = self.read_shuffle(seat, deck, proof)?;
        trinka_crypto::shuffle::verify(keys, index, step, before, deck, &proof, rng)
            .map_err(|e| DealError::False { seat, part: DealPart::Shuffle, why: e.to_string() })
    }

    /// The hash that the first shuffle names as the message before it: over all key messages.
    #[must_use]
    pub fn keys_hash(&self, keys: &[Signed]) -> Hash {
        chain_hash("trinka deal keys", keys)
    }

    /// How many messages a finished deal has: a key and a shuffle of each, the cut, and an escrow of each
    /// where there are three or more.
    #[must_use]
    pub fn messages(&self) -> usize {
        let n = self.order.len();
        2 * n + 1 + if self.escrows() { n } else { 0 }
    }

    /// The hash that the escrows name as the message before them: of the cut.
    #[must_use]
    pub fn escrow_after(cut: &Signed) -> Hash {
        cut.id()
    }

    /// Checks an escrow message.
    ///
    /// # Errors
    /// [`DealError::False`].
    pub fn check_escrow(
        &self,
        keys: &DealKeys,
        deck: &Verified<Deck>,
        seat: Seat,
        bytes: &[u8],
        rng: &mut impl CryptoRng,
    ) -> Result<Arc<VerifiedEscrow>, DealError> {
        let fault = |why: String| DealError::False { seat, part: DealPart::Escrow, why };
        let index = self.index_of(seat).ok_or_else(|| fault("no participant".into()))?;
        super::escrow::verify_escrow(
            keys,
            deck,
            index,
            (&self.others_places(index), &[]),
            0,
            bytes,
            rng,
        )
        .map_err(|e| fault(e.to_string()))
    }
}

fn chain_hash(label: &str, messages: &[Signed]) -> Hash {
    let ids: Vec<Hash> = messages.iter().map(Signed::id).collect();
    let parts: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    wire::hash(label, &parts)
}

/// A finished deal, every proof of it verified.
pub struct Deal {
    /// The attempt.
    pub plan: DealPlan,
    /// The hash over all its messages.
    pub hash: Hash,
    /// The joint keys.
    pub keys: DealKeys,
    /// The shuffled and cut deck.
    pub deck: Verified<Deck>,
    /// The messages: keys by index, shuffles in their order, the cut, escrows by index.
    pub messages: Vec<Signed>,
    /// Everybody's shares in escrow, by index; nothing where there is none.
    pub escrows: Vec<Arc<VerifiedEscrow>>,
    /// Where it was cut.
    pub cut: u8,
}

impl std::fmt::Debug for Deal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deal")
            .field("number", &self.plan.number)
            .field("hash", &wire::hex(&self.hash))
            .finish_non_exhaustive()
    }
}

impl Deal {
    /// The hash over the messages of a finished deal; what everybody signs.
    #[must_use]
    pub fn hash_of(messages: &[Signed]) -> Hash {
        chain_hash("trinka finished deal", messages)
    }

    /// Verifies a whole deal from its messages (keys by index, shuffles in their order, the cut, escrows), all
    /// shuffles in one multiscalar multiplication.
    ///
    /// # Errors
    /// [`DealError`], naming seat and part.
    pub fn verify(
        plan: &DealPlan,
        messages: &[Signed],
        rng: &mut impl CryptoRng,
    ) -> Result<Arc<Self>, DealError> {
        if messages.len() != plan.messages() {
            return Err(DealError::Order { index: messages.len().min(plan.messages()) });
        }
        let n = plan.order.len();
        let (key_messages, rest) = messages.split_at(n);
        let (shuffle_messages, rest) = rest.split_at(n);
        let (cut_messages, escrow_messages) = rest.split_at(1);
        let mut keys = Vec::with_capacity(n);
        for (index, message) in key_messages.iter().enumerate() {
            let seat = expected(plan, index, u8::try_from(index).unwrap_or(u8::MAX))?;
            let body = authored(plan, message, seat, DealPart::Key)?;
            let Payload::Key { deal, bytes } = body.payload else {
                return Err(DealError::Order { index });
            };
            if deal != plan.id.0 {
                return Err(DealError::Order { index });
            }
            keys.push(plan.check_key(seat, &bytes)?);
        }
        let keys = plan.joint(keys)?;
        let mut after = plan.keys_hash(key_messages);
        let mut steps = Vec::with_capacity(n);
        for (i, (message, shuffler)) in shuffle_messages.iter().zip(&plan.shufflers).enumerate() {
            let index = n + i;
            let seat = expected(plan, index, *shuffler)?;
            let body = authored(plan, message, seat, DealPart::Shuffle)?;
            let Payload::Shuffle { deal, after: named, deck, proof } = body.payload else {
                return Err(DealError::Order { index });
            };
            if deal != plan.id.0 || named != after {
                return Err(DealError::Order { index });
            }
            let (deck, proof) = plan.read_shuffle(seat, &deck, &proof)?;
            steps.push(Step {
                participant: *shuffler,
                step: u32::try_from(i).unwrap_or(u32::MAX),
                deck,
                proof,
            });
            after = message.id();
        }
        let decks = trinka_crypto::shuffle::verify_all(&keys, &Deck::first(&keys), steps, rng)
            .map_err(|e| {
                let seat = e.guilty().and_then(|i| plan.seat_at(i)).unwrap_or(Seat(0));
                DealError::False { seat, part: DealPart::Shuffle, why: e.to_string() }
            })?;
        let index = 2 * n;
        let (Some(last), Some(cut), Some(cutter)) =
            (decks.last(), cut_messages.first(), plan.cutter())
        else {
            return Err(DealError::Order { index });
        };
        let body = authored(plan, cut, cutter, DealPart::Cut)?;
        let Payload::Cut { deal, after: named, at } = body.payload else {
            return Err(DealError::Order { index });
        };
        if deal != plan.id.0 || named != after {
            return Err(DealError::Order { index });
        }
        let deck = last.cut(usize::from(at)).map_err(|e| DealError::False {
            seat: cutter,
            part: DealPart::Cut,
            why: e.to_string(),
        })?;
        let mut escrows = Vec::with_capacity(escrow_messages.len());
        let after = DealPlan::escrow_after(cut);
        for (i, message) in escrow_messages.iter().enumerate() {
            let index = 2 * n + 1 + i;
            let seat = expected(plan, index, u8::try_from(i).unwrap_or(u8::MAX))?;
            let body = authored(plan, message, seat, DealPart::Escrow)?;
            let Payload::Escrow { deal, after: named, bytes } = body.payload else {
                return Err(DealError::Order { index });
            };
            if deal != plan.id.0 || named != after {
                return Err(DealError::Order { index });
            }
            escrows.push(plan.check_escrow(&keys, &deck, seat, &bytes, rng)?);
        }
        let messages = messages.to_vec();
        Ok(Arc::new(Deal {
            plan: plan.clone(),
            hash: Self::hash_of(&messages),
            keys,
            deck,
            messages,
            escrows,
            cut: at,
        }))
    }

    /// The card that a number of the masked deck stands for.
    #[must_use]
    pub fn card(core: &Core, number: u8) -> Option<Card> {
        core.terms.rules.deck().card(number)
    }
}

fn expected(plan: &DealPlan, index: usize, participant: u8) -> Result<Seat, DealError> {
    plan.seat_at(participant).ok_or(DealError::Order { index })
}

fn authored(
    plan: &DealPlan,
    message: &Signed,
    seat: Seat,
    part: DealPart,
) -> Result<Body, DealError> {
    let fault = |why: String| DealError::False { seat, part, why };
    let body = message.open(plan.log).map_err(|e| fault(e.to_string()))?;
    if plan.seat_of_key(&body.author) != Some(seat) {
        return Err(fault("another author".into()));
    }
    Ok(body)
}
