//! House rules as a TOML file.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::i18n::{Lang, Problem};
use crate::rules::{HouseRules, Preset, RulesError};

/// How wide comments are written, in characters.
const WIDTH: usize = 88;

/// What a rules file says: a preset, and the switches that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesFile {
    preset: Preset,
    values: Vec<Entry>,
}

/// A switch, its value as text, and where the value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    switch: String,
    value: String,
    line: u64,
    column: u64,
}

/// What is wrong with a rules file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The line, counted from 1.
    pub line: u64,
    /// The character in it, counted from 1.
    pub column: u64,
    /// What.
    pub wrong: Wrong,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is no TOML.
    Syntax,
    /// A table, list or the like where a value belongs.
    Shape(String),
    /// A switch that is not there, or a value that it cannot have.
    Rules(RulesError),
}

impl FileError {
    /// As a player is told it.
    #[must_use]
    pub fn problem(&self, file: &str) -> Problem {
        let problem = match &self.wrong {
            Wrong::Syntax => Problem::TomlSyntax,
            Wrong::Shape(switch) => Problem::TomlShape { switch: switch.clone() },
            Wrong::Rules(error) => Problem::Rules(error.clone()),
        };
        problem.in_file(file, self.line, self.column)
    }
}

impl RulesFile {
    /// Reads a file's text.
    ///
    /// # Errors
    /// It is no TOML, or names switches or values that are not there.
    pub fn read(text: &str) -> Result<RulesFile, FileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let error = |at: usize, wrong| {
            let (line, column) = place_of(text, at);
            FileError { line, column, wrong }
        };
        let table = DeTable::parse(text).map_err(|wrong| {
            let at = wrong.span().map_or(0, |span| span.start);
            error(at, Wrong::Syntax)
        })?;
        let mut preset = Preset::TrinkaClassic;
        let mut entries = Vec::new();
        for (key, value) in table.get_ref() {
            let switch: &str = key.get_ref();
            if !HouseRules::SWITCHES.contains(&switch) {
                let short = switch.chars().take(40).collect();
                let wrong = Wrong::Rules(RulesError::UnknownSwitch(short));
                return Err(error(key.span().start, wrong));
            }
            let at = value.span().start;
            let text = as_text(value).ok_or_else(|| error(at, Wrong::Shape(switch.to_owned())))?;
            if switch == "preset" {
                preset = text.parse().map_err(|wrong| error(at, Wrong::Rules(wrong)))?;
                continue;
            }
            let (line, column) = place_of_value(at, &error);
            entries.push((at, Entry { switch: switch.to_owned(), value: text, line, column }));
        }
        entries.sort_by_key(|(at, _)| *at);
        let values = entries.into_iter().map(|(_, entry)| entry).collect();
        let file = RulesFile { preset, values };
        file.apply(HouseRules::preset(preset))?;
        Ok(file)
    }

    /// The preset that it begins with.
    #[must_use]
    pub const fn preset(&self) -> Preset {
        self.preset
    }

    /// The rules, where `base` is what the preset comes to.
    ///
    /// How switches go together is not checked here: [`RulesFile::check`] does that.
    ///
    /// # Errors
    /// A value that a switch cannot have.
    pub fn apply(&self, mut base: HouseRules) -> Result<HouseRules, FileError> {
        for Entry { switch, value, line, column } in &self.values {
            base.set(switch, value).map_err(|error| FileError {
                line: *line,
                column: *column,
                wrong: Wrong::Rules(error),
            })?;
        }
        Ok(base)
    }

    /// Refuses rules in which a switch of this file contradicts another, or is out of range.
    ///
    /// # Errors
    /// What is wrong with `rules`, at the last of the switches that it names.
    pub fn check(&self, rules: &HouseRules) -> Result<(), FileError> {
        let Err(error) = rules.validate() else {
            return Ok(());
        };
        let named = error.switches();
        match self.values.iter().rfind(|entry| named.contains(&entry.switch.as_str())) {
            Some(Entry { line, column, .. }) => {
                Err(FileError { line: *line, column: *column, wrong: Wrong::Rules(error) })
            }
            // What the file does not name cannot be mended in it.
            None => Ok(()),
        }
    }
}

fn place_of_value(at: usize, error: &impl Fn(usize, Wrong) -> FileError) -> (u64, u64) {
    let FileError { line, column, .. } = error(at, Wrong::Syntax);
    (line, column)
}

/// A plain value as a switch takes it; true and false are on and off.
fn as_text(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Boolean(true) => Some("on".to_owned()),
        DeValue::Boolean(false) => Some("off".to_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        _ => None,
    }
}

/// Line and column of a byte, both counted from 1, the column in characters.
pub(crate) fn place_of(text: &str, at: usize) -> (u64, u64) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX).saturating_add(1);
    (number(line), number(column))
}

/// The rules as a file to edit, every switch explained.
#[must_use]
pub fn to_toml(rules: &HouseRules, lang: Lang) -> String {
    let mut file = String::new();
    comment(&mut file, lang, "head");
    for (switch, value) in rules.switches() {
        file.push('\n');
        comment(&mut file, lang, switch);
        let number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        let line = if number {
            format!("{switch} = {value}\n")
        } else {
            // The values are plain words: nothing in them has to be escaped.
            format!("{switch} = \"{value}\"\n")
        };
        file.push_str(&line);
    }
    file
}

/// The comment of a switch, in lines that are not too long.
fn comment(file: &mut String, lang: Lang, switch: &str) {
    let key = format!("toml-{}", switch.replace('_', "-"));
    let text = lang.find_plain(&key).unwrap_or_default();
    for line in super::page::wrapped(&text, WIDTH) {
        file.push_str(&format!("# {line}\n"));
    }
}
