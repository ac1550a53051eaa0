//! Who signs: an Ed25519 key for each player, made at the first start.
//!
//! The same key is the transport identity, so a peer and a player are one. Signatures are checked with
//! `verify_strict`, one by one: batch verification accepts signatures that a single check refuses, and two
//! honest programs must never differ about one.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::wire;

/// A player's public key (32 bytes); its order is the order of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PublicKey(pub [u8; 32]);

impl PublicKey {
    /// The key's fingerprint: the first 80 bits of its hash in five groups of four hex digits.
    /// Short enough to be read aloud.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let digest = wire::hash("trinka fingerprint", &[&self.0]);
        let text = wire::hex(&digest);
        let groups: Vec<&str> = (0..5).filter_map(|i| text.get(4 * i..4 * i + 4)).collect();
        groups.join("-")
    }

    /// Whether the key, or its fingerprint, begins with what was typed, in either case and with dashes or without.
    #[must_use]
    pub fn begins_with(&self, typed: &str) -> bool {
        let digits = typed.replace('-', "").to_lowercase();
        self.hex().starts_with(&digits) || self.fingerprint().replace('-', "").starts_with(&digits)
    }

    /// Hex of the whole key.
    #[must_use]
    pub fn hex(&self) -> String {
        wire::hex(&self.0)
    }

    /// The key as a point, where it is one.
    #[must_use]
    pub fn verifying(&self) -> Option<VerifyingKey> {
        VerifyingKey::from_bytes(&self.0).ok()
    }

    /// Whether `signature` is this key's over the hash of the label and the parts.
    #[must_use]
    pub fn verifies(&self, label: &str, parts: &[&[u8]], signature: &Sig) -> bool {
        let digest = wire::hash(label, parts);
        self.verifying().is_some_and(|key| {
            key.verify_strict(&digest, &Signature::from_bytes(&signature.bytes())).is_ok()
        })
    }
}

impl std::fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "key:{}", self.fingerprint())
    }
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.fingerprint())
    }
}

/// An Ed25519 signature (64 bytes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sig {
    r: [u8; 32],
    s: [u8; 32],
}

impl Sig {
    /// From the 64 bytes.
    #[must_use]
    pub fn new(bytes: &[u8; 64]) -> Self {
        let mut sig = Sig { r: [0; 32], s: [0; 32] };
        let (r, s) = bytes.split_at(32);
        sig.r.copy_from_slice(r);
        sig.s.copy_from_slice(s);
        sig
    }

    /// The 64 bytes.
    #[must_use]
    pub fn bytes(&self) -> [u8; 64] {
        let mut out = [0; 64];
        let (r, s) = out.split_at_mut(32);
        r.copy_from_slice(&self.r);
        s.copy_from_slice(&self.s);
        out
    }
}

impl std::fmt::Debug for Sig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "sig:{}", wire::hex(self.r.get(..4).unwrap_or_default()))
    }
}

/// A player's secret signing key.
#[derive(Clone)]
pub struct Identity {
    key: SigningKey,
}

impl Identity {
    /// From the 32 secret bytes.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Identity { key: SigningKey::from_bytes(seed) }
    }

    /// The 32 secret bytes, for the identity file and the transport.
    #[must_use]
    pub fn seed(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.key.to_bytes())
    }

    /// The signing key, for the agreement.
    #[must_use]
    pub fn signing_key(&self) -> SigningKey {
        self.key.clone()
    }

    /// The public key.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.key.verifying_key().to_bytes())
    }

    /// Signs the hash of the label and the parts.
    #[must_use]
    pub fn sign(&self, label: &str, parts: &[&[u8]]) -> Sig {
        Sig::new(&self.key.sign(&wire::hash(label, parts)).to_bytes())
    }
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Identity({}, secret redacted)", self.public())
    }
}
