//! The commands of the program: from the command line to an exit code.
//!
//! Nothing is decided here that the layers below can decide: a command reads its options, lets the
//! node, the verifier or child processes do the work, and tells what came of it.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use crate::cli::{self, Command, Config, Exit, Parsed};
use crate::i18n::{Locale, Problem};
use crate::screens::Ui;

mod console;
mod demo;
mod full;
mod history;
mod play;
mod rank;
mod referee;
mod rules;
mod verify;

use console::Console;

/// Why a command did not run: the problem, and how the program ends.
struct Failure {
    exit: Exit,
    problem: Problem,
}

impl Failure {
    /// The command line was wrong.
    fn usage(problem: Problem) -> Self {
        Self { exit: Exit::Usage, problem }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self { exit: Exit::Failure, problem }
    }
}

/// Runs the program with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let config = Config::find(&args);
    let locale = cli::locale_of(&args, config.as_ref().ok().and_then(|config| config.lang));
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let mut console = Console::new(locale, &mut out, &mut err);
    let exit = run(&args, config, locale, &mut console).unwrap_or_else(|failure| {
        console.problem(&failure.problem);
        failure.exit
    });
    // An answer that nobody got is no success.
    if exit == Exit::Ok && console.broken() { Exit::Failure.into() } else { exit.into() }
}

fn run(
    args: &[OsString],
    config: Result<Config, Problem>,
    locale: Locale,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut cli = match cli::parse(args, locale).map_err(Failure::usage)? {
        Parsed::Run(cli) => *cli,
        // Help is there even where the settings are wrong.
        Parsed::Show(text) => {
            console.say(text.trim_end().to_owned());
            return Ok(Exit::Ok);
        }
    };
    if let Some(Command::Practice(_)) = &cli.command {
        play::stays_here(&cli.global).map_err(Failure::usage)?;
    }
    cli.configure(config.map_err(Failure::usage)?);
    let cli::Cli { global, command } = cli;
    match command {
        None if global.screen().is_ok_and(|ui| ui == Ui::Full) => full::lobby(&global, console),
        None => {
            console.say(cli::short_help(locale).trim_end().to_owned());
            Ok(Exit::Ok)
        }
        Some(Command::Host(host)) => play::host(&global, &host, console),
        Some(Command::Join(join)) => play::join(&global, join, console),
        Some(Command::Practice(practice)) => play::practice(&global, &practice, console),
        Some(Command::Tables(tables)) => play::tables(&global, &tables, console),
        Some(Command::Id(_)) => play::id(&global, console),
        Some(Command::Rules(page)) => rules::run(&page, console),
        Some(Command::Rank(rank)) => rank::run(&rank, console),
        Some(Command::Referee(referee)) => referee::run(&referee, console),
        Some(Command::Verify(verify)) => Ok(verify::run(&verify, console)),
        Some(Command::History(history)) => history::run(&history, console),
        Some(Command::Demo(demo)) => demo::run(&global, &demo, console),
        Some(Command::Completions(completions)) => {
            console.raw(&cli::completions(completions.shell, locale));
            Ok(Exit::Ok)
        }
        Some(Command::Man) => {
            console.raw(&cli::man(locale));
            Ok(Exit::Ok)
        }
    }
}
