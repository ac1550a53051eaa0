//! House rules outside a game: as a file to edit, as a page to read, and as a hash to sign.

mod file;
mod page;
#[cfg(test)]
mod tests;

pub(crate) use file::place_of;
pub use file::{FileError, RulesFile, to_toml};
pub use page::{page, ranking, words};

pub use crate::table::founding::rules_hash as hash;

use crate::i18n::Problem;
use crate::rules::{HouseRules, Preset};

/// The longest rules file, in bytes.
pub const MAX_FILE: u64 = 1 << 16;

/// The hash in hexadecimal.
#[must_use]
pub fn hash_text(rules: &HouseRules) -> String {
    hash(rules).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where rules come from: a preset by its name, or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A preset.
    Preset(Preset),
    /// A file, and what it was called.
    File {
        /// Its name.
        name: String,
        /// What it says.
        file: RulesFile,
    },
}

impl Source {
    /// The preset of this name, or the file.
    ///
    /// # Errors
    /// Neither is there, or the file cannot be read.
    pub fn open(name: &str) -> Result<Source, Problem> {
        if let Ok(preset) = name.parse() {
            return Ok(Source::Preset(preset));
        }
        let is_path = name.ends_with(".toml") || name.contains(['/', '\\']);
        if !is_path && !std::path::Path::new(name).is_file() {
            return Err(Problem::NoSuchPreset { name: name.to_owned() });
        }
        let text = read_file(name, MAX_FILE)?;
        let file = RulesFile::read(&text).map_err(|error| error.problem(name))?;
        Ok(Source::File { name: name.to_owned(), file })
    }

    /// The preset that they begin with.
    #[must_use]
    pub const fn preset(&self) -> Preset {
        match self {
            Source::Preset(preset) => *preset,
            Source::File { file, .. } => file.preset(),
        }
    }

    /// The rules, where `base` is what the preset comes to.
    ///
    /// # Errors
    /// A switch of a file that cannot have its value, or not together with another.
    pub fn rules(&self, base: HouseRules) -> Result<HouseRules, Problem> {
        let Source::File { name, file } = self else {
            return Ok(base);
        };
        let rules = file.apply(base).and_then(|rules| file.check(&rules).map(|()| rules));
        rules.map_err(|error| error.problem(name))
    }
}

/// Reads a text file of at most so many bytes.
///
/// # Errors
/// It cannot be read, is longer, or is no text.
pub fn read_file(name: &str, most: u64) -> Result<String, Problem> {
    use std::io::Read as _;
    let unreadable = |error: std::io::Error| Problem::FileUnreadable {
        file: name.to_owned(),
        reason: error.to_string(),
    };
    let file = std::fs::File::open(name).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    text_of(name, bytes, most)
}

/// Bytes as a text of at most so many of them.
///
/// # Errors
/// There are more, or they are no text.
pub fn text_of(name: &str, bytes: Vec<u8>, most: u64) -> Result<String, Problem> {
    if bytes.len() as u64 > most {
        return Err(Problem::FileTooLong { file: name.to_owned(), most });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..valid).unwrap_or_default();
        let (line, column) = file::place_of(&String::from_utf8_lossy(before), valid);
        Problem::NotText.in_file(name, line, column)
    })
}
