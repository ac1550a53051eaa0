//! The founding entry, height 0: what all first players sign before there is a log.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::identity::{Identity, PublicKey, Sig};
use crate::rules::{Chips, HouseRules, Seat};
use crate::table::limits;
use crate::table::message::{Hash, LogId, TableId};
use crate::wire::{self, PROTOCOL_VERSION, WireError};

const LABEL: &str = "trinka/1 founding signature";

/// A player as the founding entry (or an admission) names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Its key.
    pub key: PublicKey,
    /// A label; not an identity.
    pub name: String,
    /// Where it can be reached (at most [`limits::ADDRESSES`]); advice, never trusted.
    pub addresses: Vec<String>,
}

/// What a table agrees on before it plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The table's name; a label.
    pub name: String,
    /// The house rules.
    pub rules: HouseRules,
    /// Their hash ([`rules_hash`]): what everybody agrees to by signing the founding entry, or an admission.
    pub house: Hash,
    /// Chips that everybody buys on sitting down.
    pub buy_in: Chips,
    /// Most players at one time.
    pub seats: u8,
    /// Milliseconds to think on a turn.
    pub think_ms: u64,
    /// The table stops after so many hands.
    pub hands: Option<u64>,
}

/// The founding entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Founding {
    /// Version of the protocol.
    pub version: u16,
    /// The table: made of the host's key and the nonce.
    pub table: TableId,
    /// 16 random bytes, made by the host when it opened the table.
    pub nonce: [u8; 16],
    /// What is played.
    pub terms: Terms,
    /// The first players in order of arrival, the host first; their seats are 0, 1, 2, …
    pub players: Vec<Player>,
}

/// Why a founding entry is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoundingError {
    /// Unreadable.
    #[error("the founding entry is unreadable: {0}")]
    Wire(#[from] WireError),
    /// Another protocol version.
    #[error(
        "the table speaks protocol version {theirs}, this program version {PROTOCOL_VERSION}: update the older one"
    )]
    Version {
        /// The table's version.
        theirs: u16,
    },
    /// The id is not made of the host's key and the nonce.
    #[error("the table's id is not its host's")]
    Table,
    /// A number of players that cannot play.
    #[error("{0} players cannot found this table")]
    Players(usize),
    /// A key sits there twice, or is none.
    #[error("player {0} has a key that is refused (twice, or not a key)")]
    Key(usize),
    /// A name, an address or an amount is out of bounds.
    #[error("out of bounds: {0}")]
    Bounds(&'static str),
    /// The rules cannot be played.
    #[error("the rules cannot be played: {0}")]
    Rules(String),
    /// A signature is missing or false.
    #[error("the founding signature of seat {0} is missing or false")]
    Signature(Seat),
}

impl Founding {
    /// The bytes that everybody signs.
    ///
    /// # Errors
    /// When it cannot be encoded.
    pub fn bytes(&self) -> Result<Vec<u8>, WireError> {
        wire::encode(self)
    }

    /// The log that this entry founds.
    #[must_use]
    pub fn log_id(bytes: &[u8]) -> LogId {
        LogId(wire::hash("trinka founding", &[bytes]))
    }

    /// Reads and checks everything but the signatures.
    ///
    /// # Errors
    /// [`FoundingError`].
    pub fn read(bytes: &[u8]) -> Result<Self, FoundingError> {
        // The version comes first, so that another version is told from garbage.
        if let Ok((theirs, _)) = wire::decode_prefix::<u16>(bytes)
            && theirs != PROTOCOL_VERSION
        {
            return Err(FoundingError::Version { theirs });
        }
        let founding: Founding = wire::decode(bytes)?;
        founding.check()?;
        Ok(founding)
    }

    fn check(&self) -> Result<(), FoundingError> {
        if self.version != PROTOCOL_VERSION {
            return Err(FoundingError::Version { theirs: self.version });
        }
        let terms = &self.terms;
        if self.players.len() < 2 || self.players.len() > usize::from(terms.seats) {
            return Err(FoundingError::Players(self.players.len()));
        }
        let host = self.players.first().map(|host| TableId::of(&host.key, &self.nonce));
        if host != Some(self.table) {
            return Err(FoundingError::Table);
        }
        let mut keys = BTreeSet::new();
        for (i, player) in self.players.iter().enumerate() {
            if !keys.insert(player.key) || player.key.verifying().is_none() {
                return Err(FoundingError::Key(i));
            }
            check_name(&player.name)?;
            check_addresses(&player.addresses)?;
        }
        check_name(&terms.name)?;
        if terms.buy_in == 0 || terms.buy_in > limits::CHIPS {
            return Err(FoundingError::Bounds("buy-in"));
        }
        if !(1_000..=3_600_000).contains(&terms.think_ms) {
            return Err(FoundingError::Bounds("thinking time"));
        }
        if usize::from(terms.seats) > usize::from(terms.rules.max_players()) {
            return Err(FoundingError::Bounds("seats"));
        }
        terms.rules.validate().map_err(|e| FoundingError::Rules(e.to_string()))?;
        if terms.house != rules_hash(&terms.rules) {
            return Err(FoundingError::Rules("their hash is another one".into()));
        }
        Ok(())
    }

    /// Signs the founding bytes.
    #[must_use]
    pub fn sign(id: &Identity, bytes: &[u8]) -> Sig {
        id.sign(LABEL, &[bytes])
    }

    /// Whether a signature is this key's under these bytes.
    #[must_use]
    pub fn signed_by(bytes: &[u8], key: &PublicKey, signature: &Sig) -> bool {
        key.verifies(LABEL, &[bytes], signature)
    }

    /// The seat of each player.
    pub fn seats(&self) -> impl Iterator<Item = (Seat, &Player)> {
        self.players.iter().enumerate().map(|(i, p)| (Seat(u8::try_from(i).unwrap_or(u8::MAX)), p))
    }
}

/// What the hash of house rules is of, so that it can never be taken for that of anything else.
const RULES_DOMAIN: &str = "trinka house rules 1\n";

/// The hash of house rules that players sign: SHA-256 over all switches as text, in their fixed order.
///
/// Two tables with the same hash play by the same rules.
#[must_use]
pub fn rules_hash(rules: &HouseRules) -> Hash {
    let mut hash = Sha256::new_with_prefix(RULES_DOMAIN);
    for (switch, value) in rules.switches() {
        // Neither names nor values ever hold an equals sign or a line break.
        hash.update(format!("{switch}={value}\n"));
    }
    hash.finalize().into()
}

/// The founding entry with the signature of every first player: the certificate of height 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Founded {
    /// The encoded [`Founding`].
    pub bytes: Vec<u8>,
    /// Every first player's signature.
    pub signatures: BTreeMap<Seat, Sig>,
}

impl Founded {
    /// Reads and checks all of it.
    ///
    /// # Errors
    /// [`FoundingError`], naming the seat whose signature is missing or false.
    pub fn verify(&self) -> Result<Founding, FoundingError> {
        let founding = Founding::read(&self.bytes)?;
        for (seat, player) in founding.seats() {
            let good = self
                .signatures
                .get(&seat)
                .is_some_and(|s| Founding::signed_by(&self.bytes, &player.key, s));
            if !good {
                return Err(FoundingError::Signature(seat));
            }
        }
        if self.signatures.len() != founding.players.len() {
            return Err(FoundingError::Players(self.signatures.len()));
        }
        Ok(founding)
    }

    /// The log.
    #[must_use]
    pub fn log_id(&self) -> LogId {
        Founding::log_id(&self.bytes)
    }
}

/// Names are labels: short, and nothing that could steer a terminal.
///
/// # Errors
/// [`FoundingError::Bounds`].
pub fn check_name(name: &str) -> Result<(), FoundingError> {
    let fine = !name.trim().is_empty()
        && name.len() <= limits::NAME_BYTES
        && !name.chars().any(|c| c.is_control() || is_invisible(c));
    if fine { Ok(()) } else { Err(FoundingError::Bounds("name")) }
}

/// Characters that reorder or hide text around them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Addresses are bounded and printable.
///
/// # Errors
/// [`FoundingError::Bounds`].
pub fn check_addresses(addresses: &[String]) -> Result<(), FoundingError> {
    let fine = addresses.len() <= limits::ADDRESSES
        && addresses.iter().all(|a| {
            !a.is_empty()
                && a.len() <= limits::ADDRESS_BYTES
                && a.chars().all(|c| c.is_ascii_graphic())
        });
    if fine { Ok(()) } else { Err(FoundingError::Bounds("addresses")) }
}
