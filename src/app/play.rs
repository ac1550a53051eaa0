//! Sitting at a table, looking for one, and the own key.

use std::time::Duration;

use trinka_net::BeaconMode;

use super::Failure;
use super::console::Console;
use crate::bots::BotKind;
use crate::cli::{Exit, Global, Host, Join, Tables};
use crate::i18n::{Problem, messages as m, printable};
use crate::node::{self, Listing, Role, Settings};
use crate::rules::Chips;

/// The longest that `tables` looks, in seconds.
const MAX_WAIT: u64 = 600;

/// `trinka host`.
pub(super) fn host(global: &Global, host: &Host, console: &Console<'_>) -> Result<Exit, Failure> {
    let plan = host.plan().map_err(Failure::usage)?;
    let ui = global.screen().map_err(Failure::usage)?;
    Ok(node::play(settings(global, console)?, Role::Host(plan), ui))
}

/// `trinka join`.
pub(super) fn join(global: &Global, join: Join, console: &Console<'_>) -> Result<Exit, Failure> {
    let ui = global.screen().map_err(Failure::usage)?;
    Ok(node::play(settings(global, console)?, Role::Join(join.table), ui))
}

/// `trinka tables`. That there is none is an answer, not a failure.
pub(super) fn tables(
    global: &Global,
    tables: &Tables,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if tables.wait > MAX_WAIT {
        return Err(Failure::usage(Problem::OptionRange {
            option: "--wait".to_owned(),
            given: tables.wait,
            min: 0,
            max: MAX_WAIT,
        }));
    }
    let found = node::tables(settings(global, console)?, Duration::from_secs(tables.wait))?;
    let lang = console.lang();
    if tables.json {
        console.json(&found);
    } else if found.is_empty() {
        console.note(m::tables_none(lang, tables.wait));
        console.note(Problem::NoTables.advice(lang, &|seat| m::somebody(lang, u64::from(seat.0))));
    } else {
        console.say(m::tables_some(lang, found.len() as Chips));
        for table in &found {
            tell(table, console);
        }
    }
    Ok(Exit::Ok)
}

fn tell(table: &Listing, console: &mut Console<'_>) {
    let lang = console.lang();
    let names: Vec<String> = table.players.iter().map(|name| printable(name)).collect();
    let mut line = m::tables_line(
        lang,
        printable(&table.name),
        printable(&table.rules),
        names.join(", "),
        u64::from(table.free),
        u64::from(table.seats),
    );
    if table.playing {
        line.push(' ');
        line.push_str(&m::tables_playing(lang));
    }
    console.say(line);
    let at: Vec<String> = table.addresses.iter().map(|address| printable(address)).collect();
    console.say(m::tables_join(lang, printable(&table.id), at.join(", ")));
}

/// `trinka id`.
pub(super) fn id(global: &Global, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let dir = global.data_dir().map_err(Failure::usage)?;
    let key = node::identity(&dir)?.public();
    let dir = printable(&dir.display().to_string());
    console.say(m::id_show(console.lang(), key.fingerprint(), key.hex(), dir));
    Ok(Exit::Ok)
}

/// What the node is told, from the options that every command has.
fn settings(global: &Global, console: &Console<'_>) -> Result<Settings, Failure> {
    let bot = global.bot().map_err(Failure::usage)?;
    Ok(Settings {
        data_dir: global.data_dir().map_err(Failure::usage)?,
        name: global.nickname().map_err(Failure::usage)?,
        locale: console.locale(),
        listen: global.listen.into_iter().collect(),
        peers: global.peer.iter().map(ToString::to_string).collect(),
        mdns: !global.no_mdns,
        beacon: global.beacon.unwrap_or(BeaconMode::Auto),
        bot: bot.map(|kind| seeded(kind, global.bot_seed)).transpose()?,
        verbose: global.verbose,
    })
}

/// A bot with the seed that was given, else with a fresh one.
fn seeded(kind: BotKind, seed: Option<u64>) -> Result<(BotKind, u64), Failure> {
    let seed = match seed {
        Some(seed) => seed,
        None => fresh_seed()?,
    };
    Ok((kind, seed))
}

/// Randomness of the system.
pub(super) fn fresh_seed() -> Result<u64, Problem> {
    getrandom::u64().map_err(|error| Problem::Internal { reason: error.to_string() })
}
