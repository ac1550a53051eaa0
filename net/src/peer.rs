//! Who somebody is: an Ed25519 public key.

use std::fmt;

use libp2p::PeerId;
use libp2p::identity::PublicKey;
use libp2p::identity::ed25519;

/// A peer's Ed25519 public key. The Noise handshake proves that the peer holds the secret half.
///
/// Ordered by its bytes; of two peers the smaller dials.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerKey(pub [u8; 32]);

impl PeerKey {
    /// The key's bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The key in a libp2p peer id; `None` for every other kind of key.
    pub(crate) fn from_peer_id(id: &PeerId) -> Option<Self> {
        /// Multihash code of "the digest is the thing itself".
        const IDENTITY: u64 = 0;
        let hash = id.as_ref();
        if hash.code() != IDENTITY {
            return None;
        }
        let key = PublicKey::try_decode_protobuf(hash.digest()).ok()?;
        Some(Self(key.try_into_ed25519().ok()?.to_bytes()))
    }

    /// The peer id of this key; `None` if the bytes are no point of the curve.
    pub(crate) fn to_peer_id(self) -> Option<PeerId> {
        let key = ed25519::PublicKey::try_from_bytes(&self.0).ok()?;
        Some(PublicKey::from(key).to_peer_id())
    }
}

impl From<[u8; 32]> for PeerKey {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

/// The first eight hexadecimal digits: enough for a log.
impl fmt::Display for PeerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(4).try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for PeerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PeerKey({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_id_holds_the_key() {
        let pair = libp2p::identity::Keypair::generate_ed25519();
        let id = pair.public().to_peer_id();
        let key = PeerKey::from_peer_id(&id);
        assert_eq!(key.and_then(PeerKey::to_peer_id), Some(id));
    }

    #[test]
    fn another_kind_of_id_is_refused() {
        assert_eq!(PeerKey::from_peer_id(&PeerId::random()), None);
    }
}
