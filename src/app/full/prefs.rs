//! What a player has chosen for the screen, kept in the data directory.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::tag;
use crate::cli::{Global, check_name};
use crate::i18n::{Lang, Problem, printable};
use crate::node::Settings;
use crate::screens::full::{Bell, MAX_PACE, Prefs};

/// Its name in the data directory.
const FILE: &str = "screen.toml";
/// The longest file that is read.
const MOST: u64 = 1 << 14;

/// What was chosen; options and the settings file come first.
pub(super) fn read(global: &Global, settings: &Settings) -> Prefs {
    let mut prefs = Prefs::new(settings.locale);
    // A file that cannot be read is as good as none: it is written anew with the next choice.
    let text = crate::house::read_file(&settings.data_dir.join(FILE).display().to_string(), MOST)
        .unwrap_or_default();
    if let Ok(table) = DeTable::parse(&text) {
        for (key, value) in table.get_ref() {
            take(&mut prefs, global, key.get_ref(), value.get_ref());
        }
    }
    if settings.name.is_some() {
        prefs.name.clone_from(&settings.name);
    }
    prefs.pace = global.pace_ms(prefs.pace).unwrap_or(prefs.pace);
    prefs.color = global.color();
    if let Some(file) = crate::cli::settings_file() {
        prefs.settings_file = printable(&file.display().to_string());
    }
    if std::env::var("COLORFGBG").is_ok_and(|value| value.ends_with(";15") || value.ends_with(";7"))
    {
        prefs.light = true;
    }
    for (name, keys) in &global.keys {
        // They were checked when the settings were read.
        let _ = prefs.keys.set(name, keys);
    }
    prefs
}

fn take(prefs: &mut Prefs, global: &Global, key: &str, value: &DeValue<'_>) {
    let yes = value.as_bool().unwrap_or(false);
    match (key, value.as_str()) {
        ("name", Some(name)) => prefs.name = check_name(name).ok(),
        ("lang", Some(lang)) if global.lang.is_none() => {
            if let Ok(lang) = lang.parse::<Lang>() {
                prefs.locale.lang = lang;
            }
        }
        ("letters", _) => prefs.letters |= yes,
        ("four-colours", _) => prefs.four_colours = yes,
        ("light", _) => prefs.light = yes,
        ("pace", _) => {
            let pace = value.as_integer().and_then(|number| number.as_str().parse().ok());
            prefs.pace = pace.unwrap_or(prefs.pace).min(MAX_PACE);
        }
        ("bell", Some(bell)) => prefs.bell = Bell::from_name(bell).unwrap_or_default(),
        _ => {}
    }
}

/// A name to begin with: that of the system's user.
pub(super) fn guess(settings: &Settings) -> String {
    let user = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    let name = settings.name.clone().unwrap_or(user);
    check_name(&name).unwrap_or_default()
}

/// Keeps what was chosen.
pub(super) fn save(dir: &Path, prefs: &Prefs) -> Result<(), Problem> {
    let name = prefs.name.as_deref().unwrap_or_default();
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let text = format!(
        "name = \"{name}\"\nlang = \"{}\"\nletters = {}\nfour-colours = {}\nlight = {}\nbell = \"{}\"\npace = {}\n",
        tag(prefs.locale.lang),
        prefs.letters,
        prefs.four_colours,
        prefs.light,
        prefs.bell.name(),
        prefs.pace,
    );
    let file = dir.join(FILE);
    let written = std::fs::create_dir_all(dir).and_then(|()| {
        // Written beside it and moved into place, so that it is never half there.
        let fresh = dir.join("screen.toml.new");
        std::fs::write(&fresh, text)?;
        std::fs::rename(&fresh, &file)
    });
    written.map_err(|error| Problem::FileUnwritable {
        file: file.display().to_string(),
        reason: error.to_string(),
    })
}
