//! What was verified already, so that nothing is verified twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};
use trinka_crypto::hands::HandTable;
use trinka_crypto::sealed::{Called, Onlooker, Outcome, Selected};
use trinka_crypto::showing::Showing;
use trinka_crypto::{Deck, Params, PublicKey as HandKey, ShareBatch, Verified};

use super::escrow::VerifiedEscrow;
use super::{Deal, DealError, DealPlan, Refusal};
use crate::rules::{HouseRules, Seat, ThreeTens};
use crate::table::agreement::Signatures;
use crate::table::evidence::Kind;
use crate::table::limits;
use crate::table::message::{Body, Hash, MessageError, Signed};

/// Something that was verified.
#[derive(Clone)]
pub(in crate::table) enum Checked {
    Shares(Arc<Verified<ShareBatch>>),
    Escrow(Arc<VerifiedEscrow>),
    Called(Arc<Onlooker<Called>>),
    Selected(Arc<Onlooker<Selected>>),
    Outcome(Outcome),
    Recipient(Arc<Verified<HandKey>>),
    Showing(Arc<Verified<Showing>>),
    Deck(Box<Verified<Deck>>),
    Accused(Seat, Kind),
}

/// What many tables in one process have verified together: a simulation of a whole table checks each proof
/// once instead of once a seat. A cache of results by statement and proof; it knows nothing else.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Together>>, Signatures);

#[derive(Default)]
struct Together {
    signatures: BTreeMap<Hash, Body>,
    proofs: BTreeMap<Hash, Checked>,
    deals: BTreeMap<Hash, Arc<Deal>>,
    tables: Vec<(HouseRules, HandTable)>,
}

impl Shared {
    fn with<T>(&self, act: impl FnOnce(&mut Together) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Remembers what was verified, so that nothing is verified twice, and holds the finished deals that an
/// entry may decide. Says nothing about what is valid: a fresh one gives the same results.
pub struct Checks {
    rng: ChaCha20Rng,
    signatures: BTreeMap<Hash, Body>,
    proofs: BTreeMap<Hash, Checked>,
    deals: BTreeMap<Hash, Arc<Deal>>,
    table: Option<(HouseRules, HandTable)>,
    shared: Option<Shared>,
}

impl Checks {
    /// With a seed for the weights of batched verification; it must be unpredictable for others.
    #[must_use]
    pub fn new(seed: [u8; 32]) -> Self {
        Checks {
            rng: ChaCha20Rng::from_seed(seed),
            signatures: BTreeMap::new(),
            proofs: BTreeMap::new(),
            deals: BTreeMap::new(),
            table: None,
            shared: None,
        }
    }

    /// Remembers together with others what is verified.
    #[must_use]
    pub fn sharing(self, shared: Option<Shared>) -> Self {
        Checks { shared, ..self }
    }

    /// The signatures of votes that are checked together with others.
    #[must_use]
    pub fn votes(&self) -> Option<Signatures> {
        self.shared.as_ref().map(|shared| shared.1.clone())
    }

    /// The source of local randomness.
    pub fn rng(&mut self) -> &mut ChaCha20Rng {
        &mut self.rng
    }

    /// Opens a signed message, verifying a signature once only.
    ///
    /// # Errors
    /// [`MessageError`].
    pub fn open(
        &mut self,
        message: &Signed,
        log: crate::table::message::LogId,
    ) -> Result<Body, MessageError> {
        let id = message.id();
        if let Some(body) = self.signatures.get(&id)
            && body.log == log
        {
            return Ok(body.clone());
        }
        let known = self.shared.as_ref().and_then(|s| s.with(|t| t.signatures.get(&id).cloned()));
        let body = match known.filter(|body| body.log == log) {
            Some(body) => body,
            None => {
                let body = message.open(log)?;
                if let Some(shared) = &self.shared {
                    shared.with(|t| t.signatures.insert(id, body.clone()));
                }
                body
            }
        };
        if self.signatures.len() >= limits::REMEMBERED {
            self.signatures.clear();
        }
        // Large messages are rare, and remembering many of them would cost more than checking them again.
        if message.bytes.len() <= limits::REMEMBERED_BYTES {
            self.signatures.insert(id, body.clone());
        }
        Ok(body)
    }

    /// Makes a verified deal known.
    pub fn know_deal(&mut self, deal: Arc<Deal>) {
        if self.deals.len() >= 16 {
            self.deals.clear();
        }
        if let Some(shared) = &self.shared {
            shared.with(|t| t.deals.insert(deal.hash, deal.clone()));
        }
        self.deals.insert(deal.hash, deal);
    }

    /// A deal that was verified.
    #[must_use]
    pub fn deal(&self, hash: &Hash) -> Option<&Arc<Deal>> {
        self.deals.get(hash)
    }

    /// Verifies the messages of a finished deal, once, and makes it known.
    ///
    /// # Errors
    /// [`DealError`].
    pub fn verify_deal(&mut self, plan: &DealPlan, messages: &[Signed]) -> Result<(), DealError> {
        let hash = Deal::hash_of(messages);
        if self.deals.contains_key(&hash) {
            return Ok(());
        }
        let known = self.shared.as_ref().and_then(|s| s.with(|t| t.deals.get(&hash).cloned()));
        let deal = match known.filter(|deal| deal.plan.id == plan.id) {
            Some(deal) => deal,
            None => Deal::verify(plan, messages, &mut self.rng)?,
        };
        self.know_deal(deal);
        Ok(())
    }

    /// What a message of a deal is worth: remembered only where others check the same.
    pub(in crate::table) fn together<E>(
        &mut self,
        key: impl FnOnce() -> Hash,
        verify: impl FnOnce(&mut ChaCha20Rng) -> Result<Checked, E>,
    ) -> Result<Checked, E> {
        let Some(shared) = &self.shared else { return verify(&mut self.rng) };
        let key = key();
        if let Some(known) = shared.with(|t| t.proofs.get(&key).cloned()) {
            return Ok(known);
        }
        let fresh = verify(&mut self.rng)?;
        shared.with(|t| t.proofs.insert(key, fresh.clone()));
        Ok(fresh)
    }

    /// What a proof is worth, verified once; the key stands for all that it speaks of.
    pub(super) fn once(
        &mut self,
        key: Hash,
        verify: impl FnOnce() -> Result<Checked, Refusal>,
    ) -> Result<Checked, Refusal> {
        if let Some(known) = self.proofs.get(&key) {
            return Ok(known.clone());
        }
        let known = self.shared.as_ref().and_then(|s| s.with(|t| t.proofs.get(&key).cloned()));
        let fresh = match known {
            Some(known) => known,
            None => {
                let fresh = verify()?;
                if let Some(shared) = &self.shared {
                    shared.with(|t| t.proofs.insert(key, fresh.clone()));
                }
                fresh
            }
        };
        if self.proofs.len() >= limits::REMEMBERED {
            self.proofs.clear();
        }
        self.proofs.insert(key, fresh.clone());
        Ok(fresh)
    }

    /// The table of hands for the proofs of comparisons under these rules, made once. Where three tens are
    /// a redeal by themselves they are left out: they are not compared.
    ///
    /// # Errors
    /// [`Refusal::Proof`] for a deck that no such table can be made of.
    pub fn hand_table(&mut self, rules: &HouseRules) -> Result<HandTable, Refusal> {
        if let Some((of, table)) = &self.table
            && of == rules
        {
            return Ok(table.clone());
        }
        let made =
            |t: &mut Together| t.tables.iter().find(|(r, _)| r == rules).map(|t| t.1.clone());
        let table = match self.shared.as_ref().and_then(|s| s.with(made)) {
            Some(table) => table,
            None => {
                let table = make_table(rules)?;
                if let Some(shared) = &self.shared {
                    shared.with(|t| t.tables.push((rules.clone(), table.clone())));
                }
                table
            }
        };
        self.table = Some((rules.clone(), table.clone()));
        Ok(table)
    }

    /// A source of randomness of its own.
    pub(super) fn fork(&mut self) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(self.random())
    }

    /// Fresh random bytes.
    pub fn random<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.rng.fill_bytes(&mut bytes);
        bytes
    }
}

fn make_table(rules: &HouseRules) -> Result<HandTable, Refusal> {
    let all = crate::rules::HandTable::new(rules);
    let compared = |hand: &&crate::rules::TableHand| {
        !(rules.three_tens == ThreeTens::OnCompare && hand.rank.three_tens)
    };
    // The proofs count levels from 0 without gaps, in the same order.
    let levels: BTreeSet<u32> =
        all.hands().iter().filter(compared).map(|hand| hand.rank.level).collect();
    let dense: BTreeMap<u32, u16> = levels.into_iter().zip(0u16..).collect();
    let hands = all.hands().iter().filter(compared).map(|hand| {
        let level = dense.get(&hand.rank.level).copied().unwrap_or(0);
        (hand.places.map(u16::from), level)
    });
    let params =
        Params::new(usize::from(rules.deck().size())).map_err(|e| Refusal::Proof(e.to_string()))?;
    HandTable::new(&params, hands).map_err(|e| Refusal::Proof(e.to_string()))
}
