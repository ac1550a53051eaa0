//! The help texts, put into clap's definitions from the same files as everything else.

use clap::{Arg, ArgAction, CommandFactory};

use super::Cli;
use crate::i18n::{Locale, messages};

/// The definitions with the texts of this language.
#[must_use]
pub fn command(locale: Locale) -> clap::Command {
    let help = Arg::new("help").short('h').long("help").global(true).action(ArgAction::Help);
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
    let command = Cli::command()
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .arg(help)
        .arg(version);
    translate(command, "help", locale)
}

/// What is said off a terminal when nothing was asked.
#[must_use]
pub fn short_help(locale: Locale) -> String {
    locale.shown(messages::short_help(locale.lang))
}

/// The key of a part of the help: the command's path, then the argument.
pub(super) fn key(path: &str, part: &str) -> String {
    format!("{path}-{}", part.replace('_', "-"))
}

pub(super) fn text(locale: Locale, key: &str) -> String {
    let text = locale.lang.find_plain(key);
    locale.shown(text.unwrap_or_else(|| key.to_owned()))
}

fn translate(command: clap::Command, path: &str, locale: Locale) -> clap::Command {
    let names: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let examples = format!(
        "{}\n{}",
        locale.shown(messages::examples_heading(locale.lang)),
        text(locale, &key(path, "examples"))
    );
    let usage = locale.shown(messages::usage_heading(locale.lang));
    let mut command = command
        .about(text(locale, &key(path, "about")))
        .long_about(None)
        .before_help(examples)
        .help_template(format!("{{before-help}}{{about}}\n\n{usage} {{usage}}\n\n{{all-args}}"))
        .subcommand_help_heading(locale.shown(messages::commands_heading(locale.lang)))
        .mut_args(|arg| translate_arg(arg, path, locale));
    for name in names {
        let below = key(path, &name);
        command = command.mut_subcommand(name, |sub| translate(sub, &below, locale));
    }
    command
}

/// The texts name defaults and choices themselves: clap would add them in English.
fn translate_arg(arg: Arg, path: &str, locale: Locale) -> Arg {
    let heading = if arg.is_positional() {
        messages::arguments_heading(locale.lang)
    } else if arg.is_global_set() {
        messages::global_heading(locale.lang)
    } else {
        messages::options_heading(locale.lang)
    };
    let help = text(locale, &key(path, arg.get_id().as_str()));
    let takes_values = arg.get_action().takes_values();
    let arg = arg.help(help).long_help(None).help_heading(locale.shown(heading));
    if takes_values {
        arg.hide_default_value(true).hide_possible_values(true).hide_env(true)
    } else {
        arg
    }
}
