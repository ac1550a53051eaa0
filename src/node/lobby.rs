//! What nodes tell each other beside the table's own traffic: who is there, which tables there are, and
//! how a table is founded and joined.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::identity::{PublicKey, Sig};
use crate::table::founding::{Founded, Player, check_addresses, check_name};
use crate::table::message::TableId;

/// Names the protocol in the first bytes that two nodes exchange.
pub const MAGIC: [u8; 8] = *b"TRINKA\r\n";

/// Most tables that one peer may tell of.
const TABLES_PER_PEER: usize = 4;
/// Most peers whose tables are remembered.
const PEERS: usize = 256;

/// A table as a peer tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableAd {
    /// Its id.
    pub id: TableId,
    /// Its name.
    pub name: String,
    /// Its rules in a few words.
    pub rules: String,
    /// Who sits there.
    pub players: Vec<String>,
    /// How many may sit.
    pub seats: u8,
    /// Whether it has begun.
    pub playing: bool,
    /// Whether the peer who tells opened it.
    pub hosting: bool,
}

/// What nodes say to each other in the lobby. The transport proves who says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LobbyMessage {
    /// Who I am, and the tables that I sit at.
    Here {
        /// A label.
        name: String,
        /// Tables.
        tables: Vec<TableAd>,
    },
    /// I want a seat.
    Join {
        /// At which table.
        table: TableId,
        /// A label.
        name: String,
        /// Where I can be reached.
        addresses: Vec<String>,
    },
    /// No seat, and why.
    Refused {
        /// At which table.
        table: TableId,
        /// Why.
        why: NoSeat,
    },
    /// You have a seat as soon as the table begins; these are here.
    Waiting {
        /// At which table.
        table: TableId,
        /// Who is there, the host first.
        players: Vec<Player>,
    },
    /// The founding entry: sign it.
    Sign {
        /// For which table.
        table: TableId,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// My signature under it.
    Signed {
        /// For which table.
        table: TableId,
        /// Hash of the bytes that were signed.
        log: [u8; 32],
        /// The signature.
        signature: Sig,
    },
    /// The table as it was founded.
    Founded {
        /// Which table.
        table: TableId,
        /// Everything that was signed.
        founded: Founded,
    },
}

/// Why there is no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoSeat {
    /// All seats are taken.
    Full,
    /// I know no such table.
    Unknown,
}

/// A frame between two nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    /// Lobby.
    Lobby(LobbyMessage),
    /// Traffic of a table.
    Table {
        /// Which.
        table: TableId,
        /// As the table encodes it.
        bytes: Vec<u8>,
    },
}

/// What is known of a peer.
#[derive(Clone, Debug, Default)]
pub struct Neighbour {
    /// Its label.
    pub name: String,
    /// Its tables.
    pub tables: Vec<TableAd>,
    /// Where it is.
    pub address: Option<std::net::SocketAddr>,
}

/// Everybody around.
#[derive(Default)]
pub struct Lobby {
    peers: BTreeMap<PublicKey, Neighbour>,
}

/// A table that was found, with everybody who tells of it.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// The table.
    pub ad: TableAd,
    /// Who tells, the host first where it is among them.
    pub by: Vec<PublicKey>,
}

impl Lobby {
    /// A peer is reachable.
    pub fn connected(&mut self, key: PublicKey, address: std::net::SocketAddr) {
        if self.peers.len() < PEERS || self.peers.contains_key(&key) {
            self.peers.entry(key).or_default().address = Some(address);
        }
    }

    /// A peer is gone, and with it what it told.
    pub fn disconnected(&mut self, key: &PublicKey) {
        self.peers.remove(key);
    }

    /// Everybody who is reachable.
    pub fn peers(&self) -> impl Iterator<Item = (&PublicKey, &Neighbour)> {
        self.peers.iter()
    }

    /// A peer.
    #[must_use]
    pub fn peer(&self, key: &PublicKey) -> Option<&Neighbour> {
        self.peers.get(key)
    }

    /// Whether a peer says that it plays at a table.
    #[must_use]
    pub fn plays(&self, key: &PublicKey, table: TableId) -> bool {
        let tables = self.peers.get(key).map_or(&[][..], |peer| &peer.tables);
        tables.iter().any(|ad| ad.playing && ad.id == table)
    }

    /// A peer says who it is. What is out of bounds is left out.
    pub fn here(&mut self, key: PublicKey, name: String, tables: Vec<TableAd>) {
        let Some(peer) = self.peers.get_mut(&key) else { return };
        if check_name(&name).is_ok() {
            peer.name = name;
        }
        peer.tables = tables.into_iter().take(TABLES_PER_PEER).filter(sound).collect();
    }

    /// All tables around, by id.
    #[must_use]
    pub fn tables(&self) -> BTreeMap<TableId, Sighting> {
        let mut found: BTreeMap<TableId, Sighting> = BTreeMap::new();
        for (key, peer) in &self.peers {
            for ad in &peer.tables {
                let sighting = found
                    .entry(ad.id)
                    .or_insert_with(|| Sighting { ad: ad.clone(), by: Vec::new() });
                if ad.hosting {
                    sighting.by.insert(0, *key);
                    sighting.ad = ad.clone();
                } else {
                    sighting.by.push(*key);
                }
            }
        }
        found
    }
}

fn sound(ad: &TableAd) -> bool {
    check_name(&ad.name).is_ok()
        && ad.rules.len() <= 1_000
        && ad.players.len() <= 32
        && ad.players.iter().all(|p| check_name(p).is_ok())
}

/// Whether a player's label and addresses are within bounds.
#[must_use]
pub fn sound_player(player: &Player) -> bool {
    check_name(&player.name).is_ok()
        && check_addresses(&player.addresses).is_ok()
        && player.key.verifying().is_some()
}
