//! What was verified already, so that nothing is verified twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};
use trinka_crypto::{Purpose, ShareBatch, Verified};

use super::{Deal, Refusal};
use crate::table::limits;
use crate::table::message::{Body, Hash, MessageError, Signed};

/// Remembers what was verified, so that nothing is verified twice, and holds the finished deals that an
/// entry may decide. Says nothing about what is valid: a fresh one gives the same results.
pub struct Checks {
    rng: ChaCha20Rng,
    signatures: BTreeMap<Hash, Body>,
    shares: BTreeMap<Hash, Arc<Verified<ShareBatch>>>,
    deals: BTreeMap<Hash, Arc<Deal>>,
}

impl Checks {
    /// With a seed for the weights of batched verification; it must be unpredictable for others.
    #[must_use]
    pub fn new(seed: [u8; 32]) -> Self {
        Checks {
            rng: ChaCha20Rng::from_seed(seed),
            signatures: BTreeMap::new(),
            shares: BTreeMap::new(),
            deals: BTreeMap::new(),
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

    pub(super) fn share(
        &mut self,
        key: Hash,
        verify: impl FnOnce() -> Result<Verified<ShareBatch>, Refusal>,
    ) -> Result<Arc<Verified<ShareBatch>>, Refusal> {
        if let Some(known) = self.shares.get(&key) {
            return Ok(known.clone());
        }
        let fresh = Arc::new(verify()?);
        if self.shares.len() >= limits::REMEMBERED {
            self.shares.clear();
        }
        self.shares.insert(key, fresh.clone());
        Ok(fresh)
    }

    /// Fresh random bytes.
    pub fn random<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.rng.fill_bytes(&mut bytes);
        bytes
    }
}

/// The purpose of the shares by which all look at once.
#[must_use]
pub fn look_purpose() -> Purpose {
    Purpose {
        recipient: trinka_crypto::Recipient::Everyone,
        reason: trinka_crypto::Reason::Look,
        step: 0,
    }
}

/// The purpose of the shares by which a hand is opened to the table.
#[must_use]
pub fn open_purpose() -> Purpose {
    Purpose::open(0)
}
