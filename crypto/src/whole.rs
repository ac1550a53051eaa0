//! A whole deal in one multiscalar multiplication: keys, shuffles, shares and escrows.
//!
//! Every equation of every proof is multiplied by a weight of its own of 128 bits and added to one sum;
//! points that several proofs speak of, the keys and the cards above all, are multiplied only once. When
//! the sum is not zero, or anything else is wrong, each message is checked alone in the order of the deal,
//! and the first that is false names the guilty one.

use rand_core::CryptoRng;

use crate::{
    context::{DealId, Purpose},
    deck::Deck,
    error::Error,
    escrow::{self, EscrowMessage, Escrowed},
    generators::Params,
    keys::{self, DealKeys, KeyMessage, KeyOrigin},
    msm::Sum,
    shares::{self, BatchOrigin, ShareBatch},
    shuffle::{self, Step},
    verified::Verified,
    weights::Folded,
};

/// One batch of shares, as it came from the wire.
#[derive(Clone, Debug)]
pub struct Given {
    /// Whose shares.
    pub participant: u8,
    /// What for.
    pub purpose: Purpose,
    /// The positions of the cards.
    pub positions: Vec<usize>,
    /// The message.
    pub batch: ShareBatch,
}

/// All messages of a deal, decoded and not yet verified. What does not decode is not here: its sender is guilty.
#[derive(Clone, Debug)]
pub struct Messages {
    /// Which deal.
    pub deal: DealId,
    /// Its deck.
    pub params: Params,
    /// The keys of all participants, by index.
    pub keys: Vec<KeyMessage>,
    /// All shuffles, in order.
    pub shuffles: Vec<Step>,
    /// Where the last deck is cut.
    pub cut: Option<usize>,
    /// Shares of cards of the last deck.
    pub shares: Vec<Given>,
    /// Shares in escrow, of cards of the last deck.
    pub escrows: Vec<Escrowed>,
}

/// A deal of which everything that was given is verified.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The keys.
    pub keys: DealKeys,
    /// The last deck, cut.
    pub deck: Verified<Deck>,
    /// The shares, in the order of the messages.
    pub shares: Vec<Verified<ShareBatch>>,
    /// The escrows, in the order of the messages.
    pub escrows: Vec<Verified<EscrowMessage>>,
}

/// Verifies a whole deal. `rng` gives the weights of the checks.
///
/// It verifies what is there, not that all is there: who had to shuffle, give shares or escrow, and of which
/// cards, is for the table to compare. Without shares and escrows it does not even ask that everybody has
/// shuffled ([`Deck::shuffled_by`](Verified::shuffled_by) of the last deck tells).
///
/// # Errors
/// The first message that is wrong, as the function that verifies it alone would tell: [`Error::KeyProof`],
/// [`Error::ShuffleProof`], [`Error::Unmasked`], [`Error::ShareProof`] and [`Error::EscrowProof`] name the
/// guilty participant.
pub fn verify(messages: Messages, rng: &mut impl CryptoRng) -> Result<Whole, Error> {
    match at_once(&messages, rng) {
        Some(whole) => Ok(whole),
        None => one_by_one(messages, rng),
    }
}

/// Everything in one sum; `None` when anything is wrong with it. Nothing that is marked as verified
/// leaves this function before the sum is zero.
pub(crate) fn at_once(messages: &Messages, rng: &mut impl CryptoRng) -> Option<Whole> {
    let Messages { deal, params, keys: own, shuffles, cut, shares: given, escrows } = messages;
    let mut folded = Folded::new(rng);
    // what is there, and of the right form; the proofs come after the weights
    let mut verified = Vec::with_capacity(own.len());
    for (participant, message) in (0_u8..=u8::MAX).zip(own) {
        if message.key.0.is_identity() {
            return None;
        }
        folded.absorb(&message.to_bytes());
        verified.push(Verified::new(message.key, KeyOrigin { deal: *deal, participant }));
    }
    let keys = DealKeys::new(*deal, params.clone(), verified).ok()?;
    folded.absorb(keys.tag());
    let first = Deck::first(&keys);
    let mut origin = first.origin().clone();
    let mut last: &Deck = &first;
    for Step { participant, step, deck, proof } in shuffles {
        shuffle::check_form(&keys, *participant, deck, proof).ok()?;
        shuffle::absorb(*participant, *step, deck, proof, &mut folded);
        origin = origin.then(*participant);
        last = deck;
    }
    let mut deck = Verified::new(last.clone(), origin);
    if let Some(at) = cut {
        folded.number(*at as u64);
        deck = deck.cut(*at).ok()?;
    }
    let mut batches = Vec::with_capacity(given.len());
    for Given { participant, purpose, positions, batch } in given {
        shares::check_purpose(&keys, *participant, purpose).ok()?;
        let cards = shares::select(&keys, &deck, positions).ok()?;
        shares::check_size(batch, cards.len()).ok()?;
        shares::absorb(*participant, purpose, positions, batch, &mut folded);
        let origin = BatchOrigin {
            deal: *keys.tag(),
            participant: *participant,
            purpose: *purpose,
            positions: positions.clone(),
            cards,
        };
        batches.push(Verified::new(batch.clone(), origin));
    }
    for escrowed in escrows {
        escrowed.absorb(&keys, &deck, &mut folded).ok()?;
    }

    let (mut sum, mut weights) = (Sum::default(), folded.weights());
    for (participant, message) in (0_u8..=u8::MAX).zip(own) {
        keys::equation(deal, participant, message, &mut sum, &mut weights);
    }
    let mut before: &Deck = &first;
    for Step { participant, step, deck, proof } in shuffles {
        let weights = &mut weights;
        shuffle::equations(&keys, *participant, *step, before, deck, proof, &mut sum, weights);
        before = deck;
    }
    for batch in &batches {
        let BatchOrigin { participant, purpose, positions, cards, .. } = batch.origin();
        let (sum, weights) = (&mut sum, &mut weights);
        shares::equations(&keys, *participant, purpose, positions, cards, batch, sum, weights)
            .ok()?;
    }
    let mut in_escrow = Vec::with_capacity(escrows.len());
    for escrowed in escrows {
        let origin = escrowed.fold(&keys, &deck, &mut sum, &mut weights).ok()?;
        in_escrow.push(Verified::new(escrowed.message.clone(), origin));
    }
    let whole = Whole { keys, deck, shares: batches, escrows: in_escrow };
    sum.vanishes().then_some(whole)
}

/// Each message alone, in the order of the deal.
fn one_by_one(messages: Messages, rng: &mut impl CryptoRng) -> Result<Whole, Error> {
    let Messages { deal, params, keys: own, shuffles, cut, shares: given, escrows } = messages;
    let count = own.len();
    let verified = (0_u8..=u8::MAX)
        .zip(&own)
        .map(|(participant, message)| keys::verify(&deal, participant, message))
        .collect::<Result<Vec<_>, _>>()?;
    if verified.len() != count {
        return Err(Error::Participants { participants: count });
    }
    let keys = DealKeys::new(deal, params, verified)?;
    let mut deck = Deck::first(&keys);
    for Step { participant, step, deck: after, proof } in shuffles {
        deck = shuffle::verify(&keys, participant, step, &deck, after, &proof, rng)?;
    }
    if let Some(at) = cut {
        deck = deck.cut(at)?;
    }
    let shares = given
        .into_iter()
        .map(|Given { participant, purpose, positions, batch }| {
            shares::verify(&keys, participant, purpose, &deck, &positions, batch)
        })
        .collect::<Result<_, _>>()?;
    let escrows = escrows
        .into_iter()
        .map(|Escrowed { participant, holdings, lost, step, message }| {
            escrow::verify(&keys, participant, &deck, &holdings, &lost, step, message, rng)
        })
        .collect::<Result<_, _>>()?;
    Ok(Whole { keys, deck, shares, escrows })
}
