//! What was verified already, so that nothing is verified twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};
use trinka_crypto::hands::HandTable;
use trinka_crypto::sealed::{Called, Onlooker, Outcome, Selected};
use trinka_crypto::showing::Showing;
use trinka_crypto::{Params, PublicKey as HandKey, ShareBatch, Verified};

use super::escrow::VerifiedEscrow;
use super::{Deal, Refusal};
use crate::rules::{HouseRules, ThreeTens};
use crate::table::limits;
use crate::table::message::{Body, Hash, MessageError, Signed};

/// Something that was verified.
#[derive(Clone)]
pub(super) enum Checked {
    Shares(Arc<Verified<ShareBatch>>),
    Escrow(Arc<VerifiedEscrow>),
    Called(Arc<Onlooker<Called>>),
    Selected(Arc<Onlooker<Selected>>),
    Outcome(Outcome),
    Recipient(Arc<Verified<HandKey>>),
    Showing(Arc<Verified<Showing>>),
}

/// Remembers what was verified, so that nothing is verified twice, and holds the finished deals that an
/// entry may decide. Says nothing about what is valid: a fresh one gives the same results.
pub struct Checks {
    rng: ChaCha20Rng,
    signatures: BTreeMap<Hash, Body>,
    proofs: BTreeMap<Hash, Checked>,
    deals: BTreeMap<Hash, Arc<Deal>>,
    table: Option<(HouseRules, HandTable)>,
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
        }
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
        let body = message.open(log)?;
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
        self.deals.insert(deal.hash, deal);
    }

    /// A deal that was verified.
    #[must_use]
    pub fn deal(&self, hash: &Hash) -> Option<&Arc<Deal>> {
        self.deals.get(hash)
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
        let fresh = verify()?;
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
        let table = make_table(rules)?;
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
