//! Looking for a table and asking for a seat.

use std::collections::{BTreeMap, BTreeSet};

use crate::i18n::Problem;
use crate::identity::{Identity, PublicKey};
use crate::node::lobby::{Lobby, LobbyMessage, NoSeat, Sighting};
use crate::table::founding::{Founding, FoundingError};
use crate::table::message::{LogId, TableId};
use crate::wire::PROTOCOL_VERSION;

/// Milliseconds that a table is looked for.
const SEARCH_MS: u64 = 30_000;
/// Milliseconds to see whether there is a second table, where any will do.
const SETTLE_MS: u64 = 1_200;
/// Milliseconds after which it is said that the table is not to be seen.
const NOTICE_MS: u64 = 5_000;
/// Milliseconds between two requests for a seat.
const ASK_MS: u64 = 1_500;

/// Foundings that are remembered as signed; who comes later counts as coming back.
const SIGNED: usize = 256;

/// A seat that is looked for.
pub struct Joining {
    target: Option<String>,
    since: u64,
    first_seen: Option<u64>,
    noticed: bool,
    went_back: bool,
    chosen: Option<TableId>,
    asked: BTreeMap<PublicKey, u64>,
    /// The foundings that this process has signed.
    signed: BTreeSet<LogId>,
    /// Whether the host said that we have a seat when the table begins.
    pub waiting: bool,
}

impl Joining {
    /// Begins to look.
    #[must_use]
    pub fn new(target: Option<String>, now: u64) -> Self {
        Joining {
            target,
            since: now,
            first_seen: None,
            noticed: false,
            went_back: false,
            chosen: None,
            asked: BTreeMap::new(),
            signed: BTreeSet::new(),
            waiting: false,
        }
    }

    /// The table that was chosen.
    #[must_use]
    pub fn chosen(&self) -> Option<TableId> {
        self.chosen
    }

    /// Whether this node asked a peer for a seat; only then it listens to the answer.
    #[must_use]
    pub fn has_asked(&self, key: &PublicKey) -> bool {
        self.asked.contains_key(key)
    }

    /// Chooses among the tables around, as soon as it is clear which.
    ///
    /// # Errors
    /// After looking long enough: none, not that one, or several; or it is gone.
    pub fn choose(&mut self, now: u64, lobby: &Lobby) -> Result<(), Problem> {
        let tables = lobby.tables();
        if let Some(chosen) = self.chosen {
            if tables.contains_key(&chosen) {
                self.since = now;
                return Ok(());
            }
            // Nobody tells of it any more. Whoever opened it may be back in a moment.
            if now < self.since.saturating_add(SEARCH_MS) {
                return Ok(());
            }
            let name = self.target.clone().unwrap_or_else(|| chosen.to_string());
            return Err(Problem::TableNotFound { name });
        }
        let fitting: Vec<&Sighting> = tables.values().filter(|s| self.fits(s, lobby)).collect();
        if !fitting.is_empty() {
            self.first_seen.get_or_insert(now);
        }
        let settled = self.target.is_some()
            || self.first_seen.is_some_and(|t| now >= t.saturating_add(SETTLE_MS));
        match fitting.as_slice() {
            [only] if settled => self.chosen = Some(only.ad.id),
            [_, _, ..] if settled => {
                let names: Vec<String> =
                    fitting.iter().map(|s| format!("{} ({})", s.ad.name, s.ad.id)).collect();
                return Err(Problem::SeveralTables { tables: names.join(", ") });
            }
            [] if now >= self.since.saturating_add(SEARCH_MS) => {
                return Err(match &self.target {
                    Some(name) => Problem::TableNotFound { name: name.clone() },
                    None => Problem::NoTables,
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether nothing that fits has been seen for so long that a stored table may be meant. True once.
    pub fn is_unseen(&mut self, now: u64, lobby: &Lobby) -> bool {
        let unseen = !self.went_back
            && self.chosen.is_none()
            && now >= self.since.saturating_add(NOTICE_MS)
            && !lobby.tables().values().any(|s| self.fits(s, lobby));
        self.went_back |= unseen;
        unseen
    }

    /// The table that is looked for, as it was typed.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.target.as_deref()
    }

    /// What to tell, once, whoever waits for a table that is not to be seen: which ones are.
    pub fn notice(&mut self, now: u64, lobby: &Lobby) -> Option<Problem> {
        let name = self.target.clone()?;
        if self.noticed || self.chosen.is_some() || now < self.since.saturating_add(NOTICE_MS) {
            return None;
        }
        self.noticed = true;
        let names: Vec<String> =
            lobby.tables().values().map(|s| format!("{} ({})", s.ad.name, s.ad.id)).collect();
        Some(match names.is_empty() {
            true => Problem::NoTableSeen { name },
            false => Problem::TableNotSeen { name, tables: names.join(", ") },
        })
    }

    fn fits(&self, sighting: &Sighting, lobby: &Lobby) -> bool {
        let Some(target) = &self.target else { return true };
        let id = sighting.ad.id.to_string();
        let by_id = target.len() >= 4 && id.starts_with(&target.to_lowercase());
        let by_address = sighting.by.iter().filter_map(|k| lobby.peer(k)).any(|p| {
            p.address.is_some_and(|a| a.to_string() == *target || a.ip().to_string() == *target)
        });
        by_id || by_address || sighting.ad.name.to_lowercase() == target.to_lowercase()
    }

    /// Whom to ask for a seat now.
    pub fn ask(&mut self, now: u64, lobby: &Lobby) -> Vec<PublicKey> {
        let Some(table) = self.chosen else { return Vec::new() };
        let Some(sighting) = lobby.tables().remove(&table) else { return Vec::new() };
        let due: Vec<PublicKey> = sighting
            .by
            .iter()
            .take(if sighting.ad.hosting { 1 } else { 2 })
            .filter(|k| self.asked.get(k).is_none_or(|t| now >= t.saturating_add(ASK_MS)))
            .copied()
            .collect();
        for key in &due {
            self.asked.insert(*key, now);
        }
        due
    }

    /// The host sent the founding entry: the answer to it.
    ///
    /// # Errors
    /// It cannot be signed, and the player should know why.
    pub fn sign(
        &mut self,
        id: &Identity,
        table: TableId,
        bytes: &[u8],
    ) -> Result<Option<LobbyMessage>, Problem> {
        if self.chosen != Some(table) {
            return Ok(None);
        }
        let founding = Founding::read(bytes).map_err(|e| founding_problem(&e))?;
        let mine = founding.players.iter().any(|p| p.key == id.public());
        if founding.table != table || !mine {
            return Ok(None);
        }
        let log = Founding::log_id(bytes);
        if self.signed.len() < SIGNED {
            self.signed.insert(log);
        }
        Ok(Some(LobbyMessage::Signed { table, log: log.0, signature: Founding::sign(id, bytes) }))
    }

    /// Whether this process signed that founding: then no earlier one has signed anything at the table, for
    /// it began after that.
    #[must_use]
    pub fn has_signed(&self, log: LogId) -> bool {
        self.signed.contains(&log)
    }

    /// No seat.
    #[must_use]
    pub fn refused(&mut self, table: TableId, why: NoSeat, lobby: &Lobby) -> Option<Problem> {
        if self.chosen != Some(table) {
            return None;
        }
        let name =
            lobby.tables().get(&table).map_or_else(|| table.to_string(), |s| s.ad.name.clone());
        match why {
            NoSeat::Full => Some(Problem::TableFull { name }),
            // Whoever we asked has forgotten it; somebody else may know.
            NoSeat::Unknown => None,
        }
    }
}

/// A founding entry that is refused, as the player is told.
#[must_use]
pub fn founding_problem(error: &FoundingError) -> Problem {
    match error {
        FoundingError::Version { theirs } => {
            Problem::OtherVersion { theirs: theirs.to_string(), ours: PROTOCOL_VERSION.to_string() }
        }
        other => Problem::BrokenOff { reason: other.to_string() },
    }
}
