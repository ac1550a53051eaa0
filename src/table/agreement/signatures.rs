//! Signatures that many nodes of one process check together: a simulation of a whole table verifies each once.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use ed25519_dalek::VerifyingKey;
use sha2::{Digest, Sha256};

use super::SignatureBytes;
use super::wire::verify;

/// Which signatures were found good, by key, statement and signature. It knows nothing else, and says the same
/// as checking again.
#[derive(Clone, Default)]
pub struct Signatures(Arc<Mutex<BTreeSet<[u8; 32]>>>);

impl Signatures {
    pub(super) fn verify(
        &self,
        key: &VerifyingKey,
        statement: &[u8],
        signature: &SignatureBytes,
    ) -> bool {
        let all = Sha256::new()
            .chain_update(key.as_bytes())
            .chain_update(signature.0)
            .chain_update(statement)
            .finalize()
            .into();
        let mut good = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if good.contains(&all) {
            return true;
        }
        let verified = verify(key, statement, signature);
        if verified {
            good.insert(all);
        }
        verified
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)]

    use super::super::tests::{DOMAIN, key, vote};
    use super::super::{VoteKind, Voter};
    use super::*;

    #[test]
    fn what_is_remembered_is_what_is_true() {
        let signatures = Signatures::default();
        let signed = vote(1, 0, VoteKind::Prevote, None);
        let (of, other) = (key(Voter(1)).verifying_key(), key(Voter(2)).verifying_key());
        let statement = signed.vote.statement(&DOMAIN);
        let mut bent = signed.signature;
        bent.0[40] ^= 1;
        for _ in 0..2 {
            assert!(!signatures.verify(&of, &statement, &bent));
            assert!(!signatures.verify(&other, &statement, &signed.signature));
            assert!(signatures.verify(&of, &statement, &signed.signature));
            let shorter = statement.get(1..).unwrap_or_default();
            assert!(!signatures.verify(&of, shorter, &signed.signature));
        }
        assert_eq!(signatures.0.lock().map(|good| good.len()).ok(), Some(1));
    }
}
