//! The bots that keep a player company at a table: who they are, and where each has its own data directory.
//!
//! They are kept as long as the table may be gone back to: their seats have votes there, and keys that nobody
//! else has.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::Store;
use super::files::{
    private_dir, put_aside, read_bounded, unreadable, unusable, unwritable, write_atomic,
};
use super::identity::noted_key;
use crate::bots::BotKind;
use crate::i18n::Problem;
use crate::identity::PublicKey;
use crate::node::Companion;
use crate::table::message::TableId;

/// Most bots of a player: nobody has more seats around.
const MAX_BOTS: u8 = 9;
/// Milliseconds that bots seem to think of which nothing else is known.
const PACE_MS: u64 = 700;
/// Most bytes of the list.
const MAX_PARTY: u64 = 1 << 16;

impl Store {
    /// Where the bots of a table have their data directories.
    pub(in crate::node) fn party_dir(&self, table: TableId) -> PathBuf {
        self.dir.join("bots").join(table.to_string())
    }

    /// Stores which bots sit down at a table.
    ///
    /// # Errors
    /// It cannot be written.
    pub(in crate::node) fn save_party(
        &self,
        table: TableId,
        companions: &[Companion],
    ) -> Result<(), Problem> {
        let dir = self.party_dir(table);
        private_dir(&dir).map_err(|e| unusable(&dir, &e))?;
        let file = dir.join("party");
        let bytes = serde_json::to_vec(companions).map_err(|e| unwritable(&file, &e))?;
        write_atomic(&file, &bytes).map_err(|e| unwritable(&file, &e))
    }

    /// The bots that sat at a table; none where there were none. Without a list of them, which is put aside and
    /// told of where it is damaged, they are found by their directories.
    ///
    /// # Errors
    /// The file cannot be read, or not be put aside.
    pub(in crate::node) fn party(
        &self,
        table: TableId,
    ) -> Result<(Vec<Companion>, Option<Problem>), Problem> {
        let file = self.party_dir(table).join("party");
        let bytes = match read_bounded(&file, MAX_PARTY) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok((self.found(table)?, None)),
            Err(e) => return Err(unreadable(&file, &e)),
        };
        match serde_json::from_slice::<Vec<Companion>>(&bytes) {
            Ok(companions) if companions.len() <= MAX_BOTS.into() => Ok((companions, None)),
            _ => {
                let told = |file, aside| Problem::PartySpoilt { file, aside };
                let told = put_aside(&file, told)?;
                Ok((self.found(table)?, Some(told)))
            }
        }
    }

    /// Bots by the directories that they have left: who they are at the table stands there.
    fn found(&self, table: TableId) -> Result<Vec<Companion>, Problem> {
        let numbers = (0..MAX_BOTS).filter(|number| self.has_bot(table, *number));
        numbers
            .map(|number| {
                let mut seed = [0; 8];
                getrandom::fill(&mut seed)
                    .map_err(|e| Problem::Internal { reason: e.to_string() })?;
                Ok(Companion {
                    number,
                    name: format!("bot {number}"),
                    kind: BotKind::of_company(number.into()),
                    seed: u64::from_be_bytes(seed),
                    pace_ms: PACE_MS,
                })
            })
            .collect()
    }

    fn bot_dir(&self, table: TableId, number: u8) -> PathBuf {
        self.party_dir(table).join(number.to_string())
    }

    /// Whether a bot can come back to its seat: it has its key.
    pub(in crate::node) fn has_bot(&self, table: TableId, number: u8) -> bool {
        self.bot_dir(table, number).join("identity").is_file()
    }

    /// A bot's key, as far as it is noted in its directory.
    pub(in crate::node) fn bot_key(&self, table: TableId, number: u8) -> Option<PublicKey> {
        noted_key(&self.bot_dir(table, number))
    }

    /// Removes what the bots of a table have written: they have left it, or it never began. What stays is in
    /// nobody's way.
    pub(in crate::node) fn forget_party(&self, table: TableId) {
        remove(&self.party_dir(table));
        // Only where nothing else is there.
        let _ = fs::remove_dir(self.dir.join("bots"));
    }

    /// Removes what bots of all tables have written.
    pub(in crate::node) fn forget_parties(&self) {
        remove(&self.dir.join("bots"));
    }
}

fn remove(dir: &std::path::Path) {
    if let Err(error) = fs::remove_dir_all(dir)
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!("{} stays: {error}", dir.display());
    }
}
