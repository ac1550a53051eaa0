//! A node: it owns clock, disk and network, and drives a table with them.

mod around;
mod friends;
mod gather;
mod join;
mod lobby;
mod nudge;
mod outside;
mod paper;
mod party;
mod player;
mod run;
pub(crate) mod signals;
mod sitting;
mod store;
mod stored;
mod talk;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

use crate::bots::BotKind;
use crate::cli::{Exit, TablePlan};
use crate::i18n::{Locale, Problem};
use crate::screens::full::Nearby;
use crate::screens::{self, Screen, Ui};

pub use lobby::MAGIC;
pub use store::identity;

/// How a node is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where everything is kept.
    pub data_dir: PathBuf,
    /// The nickname; one is made of the key where none is given.
    pub name: Option<String>,
    /// Language and characters.
    pub locale: Locale,
    /// Where to listen; the usual port where nothing is given.
    pub listen: Vec<SocketAddr>,
    /// Addresses to reach besides what is found.
    pub peers: Vec<String>,
    /// Whether to find others by mDNS.
    pub mdns: bool,
    /// Whether to find others by UDP beacons.
    pub beacon: trinka_net::BeaconMode,
    /// The seat plays by itself, with this seed.
    pub bot: Option<(BotKind, u64)>,
    /// How long that bot seems to think, in milliseconds.
    pub pace_ms: u64,
    /// The end of stdin is the end of the node: whoever started it is gone.
    pub leash: bool,
    /// Bots of this machine that sit down at the table that is opened.
    pub companions: Vec<Companion>,
    /// The table is a practice table: nobody at it is remembered.
    pub practice: bool,
    /// Keys of the full screen, from the settings: what is done, and its key.
    pub keys: BTreeMap<String, String>,
    /// How much is logged.
    pub verbose: u8,
}

/// A bot in a process of its own that keeps the player company.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Companion {
    /// Which it is of the player's bots: its data directory.
    pub number: u8,
    /// Its nickname.
    pub name: String,
    /// How it plays.
    pub kind: BotKind,
    /// Its seed.
    pub seed: u64,
    /// How long it seems to think, in milliseconds.
    pub pace_ms: u64,
}

/// What a node is there for.
#[derive(Clone, Debug)]
pub enum Role {
    /// To open a table.
    Host(TablePlan),
    /// To take a seat: at the only table, or at the one with this id, name or address.
    Join(Option<String>),
}

/// A table nearby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its rules in a few words.
    pub rules: String,
    /// Who sits there.
    pub players: Vec<String>,
    /// How many may sit.
    pub seats: u8,
    /// How many seats are free.
    pub free: u8,
    /// Whether it has begun.
    pub playing: bool,
    /// Who tells of it: the host where it is there.
    pub host: String,
    /// Where they can be reached.
    pub addresses: Vec<String>,
}

/// Plays at a table until it is over or left.
#[must_use]
pub fn play(settings: Settings, role: Role, ui: Ui) -> Exit {
    let locale = settings.locale;
    let (paper, written, reader_gone) = paper::stdout();
    let Some(screen) = screens::open(ui, locale, Box::new(paper)) else {
        return Exit::Usage;
    };
    let done = runtime().and_then(|rt| {
        let result =
            rt.block_on(run::Node::run(settings, role, screen, reader_gone, run::Keyboard::Stdin));
        // What still runs in the background is the network's; it has nothing left to say.
        rt.shutdown_timeout(Duration::from_millis(200));
        result
    });
    // The screen is dropped by now; what it wrote last gets a moment to be read.
    let _ = written.recv_timeout(Duration::from_millis(500));
    match done {
        Ok(exit) => exit,
        Err(problem) => {
            eprintln!("{}", problem.text(locale.lang));
            Exit::Failure
        }
    }
}

/// Plays at a table on a screen that has the terminal to itself and sends what the player wants.
/// Lines that end mean that the player leaves.
///
/// # Errors
/// What kept it from playing, or broke it off.
pub fn play_on(
    settings: Settings,
    role: Role,
    screen: Box<dyn Screen + Send>,
    lines: mpsc::Receiver<String>,
) -> Result<Exit, Problem> {
    let rt = runtime()?;
    let gone = Arc::new(AtomicBool::new(false));
    let keyboard = run::Keyboard::Screen(lines);
    let result = rt.block_on(run::Node::run(settings, role, screen, gone, keyboard));
    rt.shutdown_timeout(Duration::from_millis(200));
    result
}

/// Looks for tables until `stop` is dropped or sent, and tells whenever they are others.
///
/// # Errors
/// The network cannot be used.
pub fn watch(
    settings: Settings,
    stop: oneshot::Receiver<()>,
    tell: &mut (dyn FnMut(Vec<Nearby>) + Send),
) -> Result<(), Problem> {
    let rt = runtime()?;
    let result = rt.block_on(around::watch(settings, stop, tell));
    rt.shutdown_timeout(Duration::from_millis(200));
    result
}

/// Tables nearby, after looking for so long.
///
/// # Errors
/// The data directory or the network cannot be used.
pub fn tables(settings: Settings, wait: Duration) -> Result<Vec<Listing>, Problem> {
    runtime()?.block_on(outside::look(settings, wait))
}

fn runtime() -> Result<tokio::runtime::Runtime, Problem> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| Problem::Internal { reason: e.to_string() })
}
