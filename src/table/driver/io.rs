//! What goes into a table and what comes out of it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::Forgot;
use crate::event::{Command, Event};
use crate::identity::{Identity, PublicKey};
use crate::table::agreement;
use crate::table::fork::Fork;
use crate::table::founding::{Founded, FoundingError};
use crate::table::ledger::{Core, Shared};
use crate::table::message::{Decided, Signed};
use crate::wire::WireError;

/// What a table is driven with.
pub struct TableConfig {
    /// Who signs here.
    pub identity: Identity,
    /// The founding entry with its signatures.
    pub founded: Founded,
    /// Seed of all randomness of this node at this table: unpredictable, never used twice.
    pub seed: [u8; 32],
    /// Larger at every start of this node (seconds since 1970 will do), so that heartbeats after a restart
    /// are newer than those before.
    pub start: u64,
    /// Milliseconds between the end of a hand and one's own proposal of the next, so that people can read.
    pub pace_ms: u64,
    /// Milliseconds that a person has for the cut before the program cuts at random; 0 cuts at once.
    pub cut_ms: u64,
    /// Accept every newcomer's key as a voter; otherwise only friends, and others when told.
    pub admit_all: bool,
    /// Keys accepted without asking.
    pub friends: BTreeSet<PublicKey>,
    /// Changes every state behind the rules' back; only for trying out that others notice.
    #[doc(hidden)]
    pub alter: Option<fn(&mut Core)>,
    /// What other tables of this process have verified; only for simulations of whole tables.
    pub shared: Option<Shared>,
}

/// What happens to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Bytes from a peer (an encoded [`TableWire`]).
    Wire {
        /// Who sent them, as the transport proved.
        from: PublicKey,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A peer at this table is reachable, or not any more.
    Peer {
        /// Who.
        key: PublicKey,
        /// Reachable.
        up: bool,
    },
    /// What this seat's player wants.
    Command(Command),
    /// Take a seat as a newcomer.
    Sit {
        /// A label.
        name: String,
        /// Where this node can be reached.
        addresses: Vec<String>,
    },
    /// As many records as were given out since the last call are durable.
    Persisted,
    /// Time has passed.
    Tick,
}

/// Whom to send to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Everybody at this table.
    All,
    /// One peer.
    One(PublicKey),
}

/// What a table wants done, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Make this durable, then say [`Input::Persisted`].
    Persist(Box<Record>),
    /// Send these bytes.
    Send {
        /// To whom.
        to: To,
        /// An encoded [`TableWire`].
        bytes: Vec<u8>,
    },
    /// Tell the player.
    Event(Event),
    /// A hand has ended; this is its proof.
    Transcript {
        /// The hand.
        hand: u64,
        /// The file.
        bytes: Vec<u8>,
    },
    /// A proof that is no transcript: of a fork, or of where a closed table stands.
    File {
        /// Its name behind the table's id.
        name: String,
        /// The file.
        bytes: Vec<u8>,
    },
    /// The secrets of all deals up to this number are not needed any more: erase them.
    EraseSecrets {
        /// The deal.
        deal: u64,
    },
}

/// What has to be durable. Given back in order to [`Table::restore`](super::Table::restore) after a crash.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Record {
    /// A message that this node signed.
    Own(Signed),
    /// The hand key of a deal (32 bytes). Kept apart from the others, and erased.
    Secret {
        /// The deal's number.
        deal: u64,
        /// The key.
        key: Zeroizing<[u8; 32]>,
    },
    /// A record of the agreement at a height.
    Agreement {
        /// The height.
        height: u64,
        /// The record.
        record: agreement::Record,
    },
    /// A decided entry.
    Decided(Decided),
    /// Two certificates for one height: the table has ended.
    Fork(Box<Fork>),
    /// What this node has signed may be missing from these records.
    Forgot(Forgot),
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Record::Own(m) => write!(f, "Own({} bytes)", m.bytes.len()),
            Record::Secret { deal, .. } => write!(f, "Secret({deal}, redacted)"),
            Record::Agreement { height, .. } => write!(f, "Agreement({height})"),
            Record::Decided(d) => write!(f, "Decided({} bytes)", d.entry.len()),
            Record::Fork(fork) => write!(f, "Fork({})", fork.height()),
            Record::Forgot(forgot) => write!(f, "{forgot:?}"),
        }
    }
}

/// What peers at a table send each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableWire {
    /// A message of the agreement.
    Agreement {
        /// Its height.
        height: u64,
        /// As the agreement encodes it.
        bytes: Vec<u8>,
    },
    /// Signed messages: for the log, of a deal, heartbeats, chat.
    Messages(Vec<Signed>),
    /// Decided entries, from this height on.
    Entries {
        /// The height of the first.
        from: u64,
        /// The entries.
        entries: Vec<Decided>,
    },
    /// Two certificates for one height.
    Fork(Box<Fork>),
}

/// Why a table could not be opened again, or had to refuse an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The founding entry.
    #[error(transparent)]
    Founding(#[from] FoundingError),
    /// Unreadable bytes.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// A stored entry does not follow from those before it.
    #[error("stored entry {height} does not follow from those before it: {why}")]
    Stored {
        /// Its height.
        height: u64,
        /// Why.
        why: String,
    },
    /// The agreement could not be opened.
    #[error("agreement at height {height}: {why}")]
    Agreement {
        /// The height.
        height: u64,
        /// Why.
        why: String,
    },
}
