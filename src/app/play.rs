//! Sitting at a table, looking for one, and the own key.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use trinka_net::BeaconMode;

use super::console::Console;
use super::{Failure, full};
use crate::bots::BotKind;
use crate::cli::{Exit, Global, Host, Join, Practice, TablePlan, Tables, USUAL_PACE};
use crate::i18n::{Problem, by_number, messages as m, printable};
use crate::node::{self, Companion, Listing, Role, Settings};
use crate::rules::Chips;
use crate::screens::Ui;
use crate::screens::full::Prefs;

/// The longest that `tables` looks, in seconds.
const MAX_WAIT: u64 = 600;

/// `trinka host`.
pub(super) fn host(global: &Global, host: &Host, console: &Console<'_>) -> Result<Exit, Failure> {
    let plan = host.plan().map_err(Failure::usage)?;
    let ui = global.screen().map_err(Failure::usage)?;
    let mut settings = settings(global, console)?;
    let screen = screen(global, &mut settings, ui);
    settings.companions = companions(global, plan.bots, &settings)?;
    sit(global, settings, Role::Host(plan), screen)
}

/// A screen, with what it has kept of its player's choices.
enum Chosen {
    Full(Box<Prefs>),
    Other(Ui),
}

/// The screen that was asked for. What a player has chosen on the full screen before holds for it again.
fn screen(global: &Global, settings: &mut Settings, ui: Ui) -> Chosen {
    match ui {
        Ui::Full => Chosen::Full(Box::new(full::chosen(global, settings))),
        ui => {
            // A bot that stands in for a player has no say in it.
            if settings.name.is_none() && settings.bot.is_none() {
                settings.name = full::kept_name(global, settings);
            }
            Chosen::Other(ui)
        }
    }
}

/// Plays on this screen.
fn sit(global: &Global, settings: Settings, role: Role, screen: Chosen) -> Result<Exit, Failure> {
    match screen {
        Chosen::Full(prefs) => full::table(global, settings, role, *prefs),
        Chosen::Other(ui) => Ok(node::play(settings, role, ui)),
    }
}

/// `trinka practice`: a table like any other, whose other seats are bots of this machine.
///
/// It has a data directory within the usual one: bots are no friends, chips that were only practised
/// for are nobody's, and somebody who waits at a real table may practise meanwhile.
pub(super) fn practice(
    global: &Global,
    practice: &Practice,
    console: &Console<'_>,
) -> Result<Exit, Failure> {
    let plan = practice.plan().map_err(Failure::usage)?;
    let ui = global.screen().map_err(Failure::usage)?;
    let mut settings = settings(global, console)?;
    let screen = screen(global, &mut settings, ui);
    let (settings, role) = practice_table(global, settings, plan)?;
    sit(global, settings, role, screen)
}

/// A practice table that is planned so, for somebody with these settings.
pub(super) fn practice_table(
    global: &Global,
    mut settings: Settings,
    mut plan: TablePlan,
) -> Result<(Settings, Role), Failure> {
    plan.name = Some(m::practice_table(settings.locale.lang));
    settings.data_dir.push("practice");
    settings.practice = true;
    settings.listen = vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))];
    settings.peers.clear();
    settings.mdns = false;
    settings.beacon = BeaconMode::Off;
    settings.companions = companions(global, plan.bots, &settings)?;
    Ok((settings, Role::Host(plan)))
}

/// Options that would take a practice table out of this machine.
pub(super) fn stays_here(global: &Global) -> Result<(), Problem> {
    let one = match (global.listen, global.peer.as_slice(), global.beacon) {
        (Some(_), ..) => "--listen",
        (_, [_, ..], _) => "--peer",
        (.., Some(_)) => "--beacon",
        _ => return Ok(()),
    };
    Err(Problem::OptionsClash { one: one.to_owned(), other: "practice".to_owned() })
}

/// So many bots, all kinds of them, under names that the player does not have.
fn companions(global: &Global, bots: u8, settings: &Settings) -> Result<Vec<Companion>, Failure> {
    let pace_ms = global.pace_ms(USUAL_PACE).map_err(Failure::usage)?;
    let seed = match global.bot_seed {
        Some(seed) => seed,
        None => fresh_seed()?,
    };
    let lang = settings.locale.lang;
    let names = m::demo_names(lang);
    let taken = |name: &str| {
        settings.name.as_deref().is_some_and(|own| own.to_lowercase() == name.to_lowercase())
    };
    let mut names = names.split(", ").filter(|name| !taken(name));
    let companion = |number: u8| {
        let name = names.next().unwrap_or("?");
        Companion {
            number,
            // At a table with people it has to be seen who is none.
            name: if settings.practice { name.to_owned() } else { m::bot_name(lang, name) },
            kind: BotKind::of_company(usize::from(number)),
            seed: seed.wrapping_add(u64::from(number)),
            pace_ms,
        }
    };
    Ok((0..bots).map(companion).collect())
}

/// `trinka join`.
pub(super) fn join(global: &Global, join: Join, console: &Console<'_>) -> Result<Exit, Failure> {
    let ui = global.screen().map_err(Failure::usage)?;
    let mut settings = settings(global, console)?;
    let screen = screen(global, &mut settings, ui);
    sit(global, settings, Role::Join(join.table), screen)
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
        console.note(Problem::NoTables.advice(lang, &by_number(lang)));
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
    let (identity, told) = node::identity(&dir)?;
    if let Some(problem) = told {
        console.problem(&problem);
    }
    let key = identity.public();
    let dir = printable(&dir.display().to_string());
    console.say(m::id_show(console.lang(), key.fingerprint(), key.hex(), dir));
    Ok(Exit::Ok)
}

/// What the node is told, from the options that every command has.
pub(super) fn settings(global: &Global, console: &Console<'_>) -> Result<Settings, Failure> {
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
        pace_ms: global.pace_ms(0).map_err(Failure::usage)?,
        leash: global.leash,
        companions: Vec::new(),
        practice: false,
        keys: global.keys.clone(),
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
