//! A table that is played: the table's outputs become disk and network, and theirs its inputs.

use std::collections::BTreeSet;

use crate::cli::Exit;
use crate::event::Event;
use crate::i18n::Problem;
use crate::identity::{Identity, PublicKey};
use crate::node::store::{Found, Loaded, Store, TableFiles};
use crate::rules::Seat;
use crate::table::founding::Founded;
use crate::table::ledger::{Presence, Stage};
use crate::table::message::TableId;
use crate::table::{Forgot, Input, Output, Record, Table, TableConfig, To};

/// Milliseconds that who is done waits for the others to have everything.
const PART_MS: u64 = 10_000;
/// Milliseconds after which who is done goes, once all seem to have everything.
const LINGER_MS: u64 = 700;

/// How this node sits at a table.
pub struct Manner {
    /// Milliseconds between hands, so that people can read.
    pub pace_ms: u64,
    /// Milliseconds for a person to cut.
    pub cut_ms: u64,
    /// Accepts every newcomer as a voter.
    pub admit_all: bool,
    /// Keys accepted without asking.
    pub friends: BTreeSet<PublicKey>,
}

/// A table with its files.
pub struct Sitting {
    /// The table's id.
    pub id: TableId,
    table: Table,
    files: TableFiles,
    members: BTreeSet<PublicKey>,
    settled: Option<Event>,
    /// When this node was done here, and the height that the others have to reach.
    done_since: Option<(u64, u64)>,
    ever_seated: bool,
}

/// What has to happen outside.
pub enum Effect {
    /// Send bytes to one member.
    Send(PublicKey, Vec<u8>),
    /// Tell the player.
    Event(Event),
    /// Tell the player of a problem with the files.
    Problem(Problem),
}

impl Sitting {
    /// Sits down at a table of which the founding has come. `fresh`: it was founded just now with this
    /// process' signature, so that nothing was ever signed at it. What has to be told besides comes with it.
    ///
    /// # Errors
    /// The founding entry is false, or the disk refuses.
    pub fn begin(
        id: Identity,
        founded: Founded,
        fresh: bool,
        store: &Store,
        manner: &Manner,
        now: u64,
    ) -> Result<(Self, Vec<Problem>), Problem> {
        let founding = founded.verify().map_err(|e| crate::node::join::founding_problem(&e))?;
        let Loaded { found, damage } = store.create(founding.table, &founded, fresh)?;
        let Some((found, files)) = found else {
            let reason = "what was just stored is not there".to_owned();
            return Err(Problem::Internal { reason });
        };
        if fresh && found.records == [Record::Forgot(Forgot::NOTHING)] {
            let table = Table::new(config(id, founded, manner)?, now).map_err(broken)?;
            return Ok((Self::with(founding.table, table, files), damage));
        }
        Self::resume(id, founding.table, found, files, damage, manner, now)
    }

    /// Comes back to a table from what is stored; where that does not fit together, from what the others
    /// know. `damage` is what has to be told already.
    ///
    /// # Errors
    /// The founding entry is false, or the disk refuses.
    pub fn resume(
        id: Identity,
        table: TableId,
        found: Found,
        mut files: TableFiles,
        mut damage: Vec<Problem>,
        manner: &Manner,
        now: u64,
    ) -> Result<(Self, Vec<Problem>), Problem> {
        let Found { founded, secrets, records, .. } = found;
        founded.verify().map_err(|e| crate::node::join::founding_problem(&e))?;
        if records != [Record::Forgot(Forgot::UNKNOWN)] {
            // A hand key that was made belongs before everything signed with it; the order among the rest
            // is that of the log.
            let all = secrets.iter().cloned().chain(records).collect();
            match Table::restore(config(id.clone(), founded.clone(), manner)?, all, now) {
                Ok(restored) => {
                    if let Some(deal) = restored.lacks_secret() {
                        let file = files.secret_file(deal).display().to_string();
                        tracing::warn!("the key of deal {deal} is not that which the others have");
                        damage.push(Problem::HandKeyLost { file });
                    }
                    return Ok((Self::with(table, restored, files), damage));
                }
                Err(e) => {
                    tracing::warn!("the log of table {table}: {e}");
                    damage.push(files.begin_anew(&[])?);
                }
            }
        }
        let anew = Table::rejoin(config(id, founded, manner)?, secrets, now).map_err(broken)?;
        Ok((Self::with(table, anew, files), damage))
    }

    fn with(id: TableId, table: Table, files: TableFiles) -> Self {
        let mut sitting = Sitting {
            id,
            table,
            files,
            members: BTreeSet::new(),
            settled: None,
            done_since: None,
            ever_seated: false,
        };
        sitting.follow_members();
        sitting
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Keys of everybody at the table, and where they said they can be reached.
    pub fn roster(&self) -> impl Iterator<Item = (PublicKey, &[String])> {
        self.table
            .state()
            .core()
            .seats
            .values()
            .map(|s| (s.player.key, s.player.addresses.as_slice()))
    }

    /// Whether a peer belongs to this table.
    #[must_use]
    pub fn is_member(&self, key: &PublicKey) -> bool {
        self.members.contains(key)
    }

    /// A peer asked for the table, or plays at it, so it is told what happens there.
    pub fn add_member(&mut self, now: u64, key: PublicKey) {
        if self.members.len() < 128 && self.members.insert(key) {
            self.table.handle(now, Input::Peer { key, up: true });
        }
    }

    fn follow_members(&mut self) {
        let keys: Vec<PublicKey> =
            self.table.state().core().seats.values().map(|s| s.player.key).collect();
        self.members.extend(keys);
    }

    /// Gives the table an input.
    pub fn handle(&mut self, now: u64, input: Input) {
        self.table.handle(now, input);
    }

    /// When to call again.
    #[must_use]
    pub fn timeout(&self) -> u64 {
        self.table.poll_timeout()
    }

    /// Carries out what the table wants: what has to be durable is durable before anything that depends
    /// on it leaves.
    ///
    /// # Errors
    /// The disk refuses; then nothing more may be signed.
    pub fn drain(
        &mut self,
        now: u64,
        store: &Store,
        me: PublicKey,
    ) -> Result<Vec<Effect>, Problem> {
        let mut effects = Vec::new();
        loop {
            let mut wrote = false;
            while let Some(output) = self.table.poll_output() {
                match output {
                    Output::Persist(record) => {
                        self.files.append(&record)?;
                        wrote = true;
                    }
                    Output::Send { to: To::One(key), bytes } => {
                        effects.push(Effect::Send(key, bytes))
                    }
                    Output::Send { to: To::All, bytes } => {
                        effects.extend(
                            self.members
                                .iter()
                                .filter(|k| **k != me)
                                .map(|k| Effect::Send(*k, bytes.clone())),
                        );
                    }
                    Output::Event(event @ Event::Settled { .. }) => self.settled = Some(event),
                    Output::Event(event) => effects.push(Effect::Event(event)),
                    Output::Transcript { hand, bytes } => {
                        let file = store.transcript(self.id, hand, &bytes)?;
                        effects.extend(
                            self.settled.take().map(|e| Effect::Event(with_file(e, &file))),
                        );
                    }
                    Output::File { name, bytes } => drop(store.proof(self.id, &name, &bytes)?),
                    Output::EraseSecrets { deal } => self.files.erase_secrets(deal)?,
                }
            }
            if !wrote {
                break;
            }
            // One sync for a batch; only now may what depends on it leave.
            let log = self.table.log();
            let known = || log.iter().map(|d| Record::Decided((**d).clone())).collect();
            effects.extend(self.files.sync(known)?.map(Effect::Problem));
            self.table.handle(now, Input::Persisted);
        }
        effects.extend(self.settled.take().map(Effect::Event));
        self.follow_members();
        Ok(effects)
    }

    /// Whether this node is done here and only waits for the others.
    #[must_use]
    pub fn parts(&self) -> bool {
        self.done_since.is_some()
    }

    /// Whether the table is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.table.state().core().stage == Stage::Over
    }

    /// Whether this node had a seat here and has it no more.
    fn has_left(&mut self) -> bool {
        let seated = self.table.seat().is_some();
        self.ever_seated |= seated;
        self.ever_seated && !seated
    }

    /// Whether this node has lost its seat here, while the table goes on.
    pub fn is_unseated(&mut self) -> bool {
        self.has_left() && !(self.is_over() || self.table.halted() || self.table.closed())
    }

    /// Takes a seat again, where one is free.
    pub fn sit_again(&mut self, now: u64, name: String, addresses: Vec<String>) {
        self.ever_seated = false;
        self.table.handle(now, Input::Sit { name, addresses });
    }

    /// Whether this node is done here, and how it ends.
    pub fn finished(&mut self, now: u64) -> Option<Exit> {
        let left = self.has_left();
        let core = self.table.state().core();
        if self.table.halted() {
            if self.table.fork().is_none() {
                return Some(Exit::BrokenOff);
            }
            // The others have to see the proof.
            let (since, _) = *self.done_since.get_or_insert((now, core.height));
            return (now.saturating_sub(since) >= PART_MS).then_some(Exit::BrokenOff);
        }
        if self.table.closed() {
            let (since, _) = *self.done_since.get_or_insert((now, core.height));
            return (now.saturating_sub(since) >= LINGER_MS).then_some(Exit::Ok);
        }
        if !left && !self.is_over() {
            self.done_since = None;
            return None;
        }
        // What the others play on is not this node's business any more.
        let (since, height) = *self.done_since.get_or_insert((now, core.height));
        let waited = now.saturating_sub(since);
        let all_have = self.table.lowest_height(now) >= height;
        (waited >= PART_MS || (all_have && waited >= LINGER_MS)).then_some(Exit::Ok)
    }

    /// Whether this node had a seat here at any time since it started.
    #[must_use]
    pub fn ever_seated(&self) -> bool {
        self.ever_seated
    }

    /// Names of who sits here.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let core = self.table.state().core();
        core.seats
            .values()
            .filter(|s| s.presence != Presence::Left)
            .map(|s| s.player.name.clone())
            .collect()
    }

    /// Keys and names of who sits here.
    pub fn players(&self) -> impl Iterator<Item = (PublicKey, String)> {
        let seats = self.table.state().core().seats.values();
        seats
            .filter(|s| s.presence != Presence::Left)
            .map(|s| (s.player.key, s.player.name.clone()))
    }

    /// What a seat is called.
    #[must_use]
    pub fn name_of(&self, seat: Seat) -> String {
        self.table.state().core().name_of(seat).to_owned()
    }
}

fn with_file(mut event: Event, file: &std::path::Path) -> Event {
    if let Event::Settled { transcript, .. } = &mut event {
        *transcript = Some(file.display().to_string());
    }
    event
}

fn broken(error: impl std::fmt::Display) -> Problem {
    Problem::BrokenOff { reason: error.to_string() }
}

fn config(identity: Identity, founded: Founded, manner: &Manner) -> Result<TableConfig, Problem> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|e| Problem::Internal { reason: e.to_string() })?;
    let start = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(1, |d| d.as_secs());
    Ok(TableConfig {
        identity,
        founded,
        seed,
        start,
        pace_ms: manner.pace_ms,
        cut_ms: manner.cut_ms,
        admit_all: manner.admit_all,
        friends: manner.friends.clone(),
        alter: None,
        shared: None,
    })
}
