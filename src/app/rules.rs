//! `trinka rules`: rules in plain words, or as a file to edit.

use super::Failure;
use super::console::Console;
use crate::cli::{Exit, RulesPage};
use crate::house;

/// Tells the rules that the options name.
pub(super) fn run(page: &RulesPage, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let rules = page.all().map_err(Failure::usage)?;
    let lang = console.lang();
    let text = if page.toml { house::to_toml(&rules, lang) } else { house::page(&rules, lang) };
    console.say(text.trim_end().to_owned());
    Ok(Exit::Ok)
}
