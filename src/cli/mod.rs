//! The command line: what can be written, what it means, and what is wrong with it.
//!
//! Nothing here does anything, but for reading a rules file that `--rules` names. [`parse`] turns
//! arguments into a [`Cli`], or into a text to show; the methods of its parts check what clap cannot
//! and give plans that the node can follow.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use trinka_net::BeaconMode;

use crate::bots::BotKind;
use crate::i18n::{Lang, Problem, printable};
use crate::screens::{Ui, full};

mod config;
mod help;
mod manual;
mod parsing;
mod plan;
#[cfg(test)]
mod tests;

pub use config::{Config, settings_file};
pub use help::{command, short_help};
pub use manual::{completions, man};
pub use parsing::{Parsed, locale_of, parse};
pub use plan::{DemoPlan, PRACTICE_THINK, TablePlan};

pub use crate::screens::full::USUAL_PACE;

/// The port that a node takes if it is free.
pub const DEFAULT_PORT: u16 = 24336;

/// The longest nickname or table name, in characters.
pub const MAX_NAME: usize = 24;

/// How a run ends, for whoever called the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything went well.
    Ok = 0,
    /// Something failed.
    Failure = 1,
    /// The command line was wrong.
    Usage = 2,
    /// A proof or transcript was rejected.
    Rejected = 3,
    /// The table was broken off.
    BrokenOff = 4,
    /// Ended by Ctrl-C.
    Interrupted = 130,
    /// Ended by a termination signal.
    Terminated = 143,
}

impl Exit {
    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Trinka and Seka, card games for friends on one network.
#[derive(Debug, Clone, Parser)]
#[command(name = "trinka", version)]
pub struct Cli {
    /// What holds for every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Options that every command takes.
#[derive(Debug, Clone, Args)]
pub struct Global {
    /// Where the key, the tables and the transcripts are kept.
    #[arg(long, global = true, value_name = "DIR", env = "TRINKA_DATA")]
    pub data: Option<PathBuf>,
    /// A file with settings. Read before anything else; here it is only known.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The nickname.
    #[arg(long, global = true, value_name = "NICK")]
    pub name: Option<String>,
    /// The language.
    #[arg(long, global = true, value_name = "ru|en")]
    pub lang: Option<Lang>,
    /// The screen.
    #[arg(long, global = true, value_name = "full|plain|json")]
    pub ui: Option<Ui>,
    /// This seat plays by itself.
    #[arg(long, global = true, value_name = "careful|bold|random", num_args = 0..=1, default_missing_value = "careful")]
    pub bot: Option<String>,
    /// Where to listen.
    #[arg(long, global = true, value_name = "ADDR", value_parser = read_address)]
    pub listen: Option<SocketAddr>,
    /// Nodes to reach besides those that are found.
    #[arg(long, global = true, value_name = "ADDR", value_parser = read_address)]
    pub peer: Vec<SocketAddr>,
    /// Do not look for others by mDNS.
    #[arg(long, global = true)]
    pub no_mdns: bool,
    /// How beacons are sent.
    #[arg(long, global = true, value_name = "off|auto|loopback|broadcast", hide = true, value_parser = read_beacon)]
    pub beacon: Option<BeaconMode>,
    /// The seed of the bot, so that a demo can be repeated.
    #[arg(long, global = true, value_name = "N", hide = true)]
    pub bot_seed: Option<u64>,
    /// How long a bot seems to think, in milliseconds.
    #[arg(long, global = true, value_name = "MS")]
    pub pace: Option<u64>,
    /// Ends as soon as its stdin does: for whoever started it.
    #[arg(long, global = true, hide = true)]
    pub leash: bool,
    /// Write without colours.
    #[arg(long, global = true)]
    pub no_color: bool,
    /// Whether the settings file wants colours.
    #[arg(skip)]
    pub file_color: Option<bool>,
    /// The keys of the full screen, as the settings file has them: what is done, and its key.
    #[arg(skip)]
    pub keys: BTreeMap<String, String>,
    /// Log more; twice for even more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Opens a table.
    Host(Host),
    /// Takes a seat.
    Join(Join),
    /// Plays against bots on this machine.
    Practice(Practice),
    /// Shows the tables nearby.
    Tables(Tables),
    /// Lets bots play in processes of their own and checks what they did.
    Demo(Demo),
    /// Replays transcripts from nothing.
    Verify(Verify),
    /// Past hands.
    History(History),
    /// Shows this player's key.
    Id(Id),
    /// Tells rules in plain words.
    Rules(RulesPage),
    /// Tells what hands are worth.
    Rank(Rank),
    /// Settles a hand from a script.
    Referee(Referee),
    /// Writes completions for a shell.
    Completions(Completions),
    /// Writes the manual page.
    Man,
}

/// `trinka host`.
#[derive(Debug, Clone, Args)]
pub struct Host {
    /// The table's name.
    #[arg(value_name = "NAME")]
    pub table: Option<String>,
    /// Rules and stakes.
    #[command(flatten)]
    pub rules: Rules,
    /// How many may sit.
    #[arg(long, value_name = "N")]
    pub seats: Option<u64>,
    /// The chips that each sits down with.
    #[arg(long, value_name = "N")]
    pub buy_in: Option<u64>,
    /// What each puts in before the deal.
    #[arg(long, value_name = "N")]
    pub ante: Option<u64>,
    /// The time for a turn.
    #[arg(long, value_name = "SECONDS")]
    pub think: Option<u64>,
    /// Stop after so many hands.
    #[arg(long, value_name = "N")]
    pub hands: Option<u64>,
    /// Begin when so many sit.
    #[arg(long, value_name = "N")]
    pub min_players: Option<u64>,
    /// How many bots of this machine sit down too.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub bots: u64,
}

/// The options that choose rules.
#[derive(Debug, Clone, Args)]
pub struct Rules {
    /// The preset or the rules file.
    #[arg(long = "rules", value_name = "PRESET|FILE.toml")]
    pub preset: Option<String>,
    /// Switches that differ from it.
    #[arg(long, value_name = "SWITCH=VALUE")]
    pub set: Vec<String>,
}

/// `trinka join`.
#[derive(Debug, Clone, Args)]
pub struct Join {
    /// Where to; the only table there is, without it.
    #[arg(value_name = "TABLE|ADDRESS")]
    pub table: Option<String>,
}

/// `trinka practice`.
#[derive(Debug, Clone, Args)]
pub struct Practice {
    /// How many bots.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub bots: u64,
    /// Rules and stakes.
    #[command(flatten)]
    pub rules: Rules,
    /// The chips that each sits down with.
    #[arg(long, value_name = "N")]
    pub buy_in: Option<u64>,
    /// What each puts in before the deal.
    #[arg(long, value_name = "N")]
    pub ante: Option<u64>,
    /// The time for a turn.
    #[arg(long, value_name = "SECONDS")]
    pub think: Option<u64>,
    /// Stop after so many hands.
    #[arg(long, value_name = "N")]
    pub hands: Option<u64>,
}

/// `trinka completions`.
#[derive(Debug, Clone, Args)]
pub struct Completions {
    /// For which shell.
    #[arg(value_name = "bash|zsh|fish")]
    pub shell: Shell,
}

/// A shell that completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shell {
    /// Bash.
    Bash,
    /// Zsh.
    Zsh,
    /// Fish.
    Fish,
}

/// `trinka tables`.
#[derive(Debug, Clone, Args)]
pub struct Tables {
    /// How long to look.
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    pub wait: u64,
    /// One JSON array.
    #[arg(long)]
    pub json: bool,
}

/// `trinka demo`.
#[derive(Debug, Clone, Args)]
pub struct Demo {
    /// How many players.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub players: u64,
    /// How many hands.
    #[arg(long, value_name = "K", default_value_t = 3)]
    pub hands: u64,
    /// How many more sit down after the first hand.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub late: u64,
    /// Rules and stakes.
    #[command(flatten)]
    pub rules: Rules,
    /// Stay on this machine.
    #[arg(long)]
    pub local: bool,
    /// One JSON object at the end.
    #[arg(long)]
    pub json: bool,
    /// Where to keep the data directories.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// The seed of the bots.
    #[arg(long, value_name = "N", hide = true)]
    pub seed: Option<u64>,
}

/// `trinka verify`.
#[derive(Debug, Clone, Args)]
pub struct Verify {
    /// The transcripts.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// One JSON object a file.
    #[arg(long)]
    pub json: bool,
}

/// `trinka history`.
#[derive(Debug, Clone, Args)]
pub struct History {
    /// What of them.
    #[command(subcommand)]
    pub what: HistoryCommand,
}

/// What `trinka history` can do.
#[derive(Debug, Clone, Subcommand)]
pub enum HistoryCommand {
    /// Writes a hand down for other programs.
    Export(Export),
}

/// `trinka history export`.
#[derive(Debug, Clone, Args)]
pub struct Export {
    /// The transcript.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// As what.
    #[arg(long, value_name = "referee", default_value = "referee")]
    pub format: Format,
    /// Only what everybody could see.
    #[arg(long)]
    pub public: bool,
    /// Say after every move what holds.
    #[arg(long)]
    pub expect: bool,
    /// Where to write it.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What a hand can be written down as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A script for `trinka referee`.
    Referee,
}

/// `trinka rules`.
#[derive(Debug, Clone, Args)]
pub struct RulesPage {
    /// The preset or the rules file.
    #[arg(value_name = "PRESET|FILE", conflicts_with = "rules")]
    pub preset: Option<String>,
    /// The same, as the other commands have it.
    #[arg(long, value_name = "PRESET|FILE.toml")]
    pub rules: Option<String>,
    /// Switches that differ from it.
    #[arg(long, value_name = "SWITCH=VALUE")]
    pub set: Vec<String>,
    /// As a file to edit.
    #[arg(long)]
    pub toml: bool,
}

/// `trinka rank`.
#[derive(Debug, Clone, Args)]
pub struct Rank {
    /// Three cards.
    #[arg(value_name = "CARDS", required_unless_present = "stdin", conflicts_with = "stdin")]
    pub cards: Vec<String>,
    /// The rules.
    #[command(flatten)]
    pub rules: Rules,
    /// One JSON object a hand.
    #[arg(long)]
    pub json: bool,
    /// Read hands from stdin, one a line.
    #[arg(long)]
    pub stdin: bool,
}

/// `trinka referee`.
#[derive(Debug, Clone, Args)]
pub struct Referee {
    /// The script.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The last state as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `trinka id`.
#[derive(Debug, Clone, Args)]
pub struct Id {
    /// What of it.
    #[command(subcommand)]
    pub what: Option<IdCommand>,
}

/// What `trinka id` can do; showing the key is the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum IdCommand {
    /// Shows the key's fingerprint.
    Show,
}

impl Global {
    /// The screen: what was asked for, else the full one where a person sits at a terminal.
    ///
    /// # Errors
    /// The full screen was asked for where it cannot be shown.
    pub fn screen(&self) -> Result<Ui, Problem> {
        self.screen_on(full::terminal::possible())
    }

    fn screen_on(&self, terminal: bool) -> Result<Ui, Problem> {
        match self.ui {
            Some(Ui::Full) if !terminal => Err(Problem::FullScreenMissing),
            Some(ui) => Ok(ui),
            None if terminal && self.bot.is_none() => Ok(Ui::Full),
            None => Ok(Ui::Plain),
        }
    }

    /// The bot of this seat, if it plays by itself.
    ///
    /// # Errors
    /// A bot that does not exist yet.
    pub fn bot(&self) -> Result<Option<BotKind>, Problem> {
        self.bot.as_deref().map(str::parse).transpose()
    }

    /// The nickname, if one was given.
    ///
    /// # Errors
    /// It cannot be shown or is too long.
    pub fn nickname(&self) -> Result<Option<String>, Problem> {
        self.name.as_deref().map(check_name).transpose()
    }

    /// The data directory: `--data`, `TRINKA_DATA`, else the one of the system.
    ///
    /// # Errors
    /// The system names no home.
    pub fn data_dir(&self) -> Result<PathBuf, Problem> {
        self.data_dir_from(|name| std::env::var_os(name))
    }

    fn data_dir_from(&self, var: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, Problem> {
        if let Some(dir) = self.data.clone().filter(|dir| !dir.as_os_str().is_empty()) {
            return Ok(dir);
        }
        // The XDG specification ignores relative paths.
        let absolute = |name| var(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
        absolute("XDG_DATA_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
            .or_else(|| absolute("LOCALAPPDATA"))
            .map(|dir| dir.join("trinka"))
            .ok_or(Problem::NoDataDir)
    }

    /// May colours be written?
    #[must_use]
    pub fn color(&self) -> bool {
        !self.no_color
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && self.file_color != Some(false)
    }
}

impl Global {
    /// The pause of bots: what was asked for, else `usual`.
    ///
    /// # Errors
    /// Longer than a person would wait for.
    pub fn pace_ms(&self, usual: u64) -> Result<u64, Problem> {
        let given = self.pace.unwrap_or(usual);
        if given <= full::MAX_PACE {
            return Ok(given);
        }
        Err(Problem::OptionRange {
            option: "--pace".to_owned(),
            given,
            min: 0,
            max: full::MAX_PACE,
        })
    }
}

/// A name that others can be shown.
///
/// # Errors
/// It is empty, longer than [`MAX_NAME`], or has characters that cannot be shown.
pub fn check_name(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    let length = name.chars().count();
    if (1..=MAX_NAME).contains(&length) && printable(name) == name {
        Ok(name.to_owned())
    } else {
        Err(Problem::BadName { most: MAX_NAME as u64 })
    }
}

/// An address with or without a port.
fn read_address(text: &str) -> Result<SocketAddr, String> {
    text.parse::<SocketAddr>()
        .or_else(|_| text.parse::<IpAddr>().map(|ip| SocketAddr::new(ip, DEFAULT_PORT)))
        .map_err(|error| error.to_string())
}

/// How beacons are sent.
fn read_beacon(text: &str) -> Result<BeaconMode, String> {
    match text {
        "off" => Ok(BeaconMode::Off),
        "auto" => Ok(BeaconMode::Auto),
        "loopback" => Ok(BeaconMode::Loopback),
        "broadcast" => Ok(BeaconMode::Broadcast),
        other => Err(other.to_owned()),
    }
}
