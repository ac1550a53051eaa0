//! The settings file: what would otherwise be typed every time. The command line comes first, then
//! the environment, then this file.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Cli, Command, Rules, check_name, read_address};
use crate::house::{self, place_of};
use crate::i18n::{Lang, Problem};
use crate::screens::Ui;
use crate::screens::full::keys::Keymap;

/// The longest settings file, in bytes.
const MAX_FILE: u64 = 1 << 16;

/// Everything that a settings file can say.
const KEYS: [&str; 12] = [
    "name", "lang", "ui", "color", "pace", "rules", "set", "data", "no-mdns", "listen", "peer",
    "keys",
];

/// What a settings file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Config {
    /// The nickname.
    pub name: Option<String>,
    /// The language.
    pub lang: Option<Lang>,
    /// The screen.
    pub ui: Option<Ui>,
    /// Whether to write with colours.
    pub color: Option<bool>,
    /// How long bots seem to think, in milliseconds.
    pub pace: Option<u64>,
    /// The rules where none are named.
    pub rules: Option<String>,
    /// Switches that differ from them, as `--set` takes them.
    pub set: Vec<String>,
    /// The data directory.
    pub data: Option<PathBuf>,
    /// Do not look for others by mDNS.
    pub no_mdns: Option<bool>,
    /// Where to listen.
    pub listen: Option<SocketAddr>,
    /// Nodes to reach besides those that are found.
    pub peer: Vec<SocketAddr>,
    /// Keys of the full screen: what is done, and its key.
    pub keys: BTreeMap<String, String>,
}

/// The settings file that this program was started with, or would read if there were one.
#[must_use]
pub fn settings_file() -> Option<PathBuf> {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match place(&args, |name| std::env::var_os(name)) {
        Place::Named(file) | Place::Usual(file) => Some(file),
        Place::Nowhere => None,
    }
}

/// Where a settings file is looked for.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// Somebody named it.
    Named(PathBuf),
    /// It may be there or not.
    Usual(PathBuf),
    /// There is none.
    Nowhere,
}

impl Config {
    /// The settings of these arguments: `--config`, else `TRINKA_CONFIG`, else the system's place.
    ///
    /// # Errors
    /// The file cannot be read, or says something that is not understood.
    pub fn find(args: &[OsString]) -> Result<Self, Problem> {
        match place(args, |name| std::env::var_os(name)) {
            Place::Named(file) => Self::open(&file),
            Place::Usual(file) => match std::fs::metadata(&file) {
                Err(error) if is_absence(error.kind()) => Ok(Self::default()),
                _ => Self::open(&file),
            },
            Place::Nowhere => Ok(Self::default()),
        }
    }

    fn open(file: &Path) -> Result<Self, Problem> {
        let name = file.display().to_string();
        let text = house::read_file(&name, MAX_FILE)?;
        Self::read(&name, &text, file.parent().unwrap_or(Path::new("")))
    }

    /// Reads a file's text; paths in it are meant from `dir`.
    fn read(name: &str, text: &str, dir: &Path) -> Result<Self, Problem> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let at = |place: usize, problem: Problem| {
            let (line, column) = place_of(text, place);
            problem.in_file(name, line, column)
        };
        let table = DeTable::parse(text).map_err(|error| {
            at(error.span().map_or(0, |span| span.start), Problem::ConfigSyntax)
        })?;
        let mut config = Self::default();
        for (key, value) in table.get_ref() {
            let place = if KEYS.contains(&&**key.get_ref()) { value.span() } else { key.span() };
            let taken = config.take(key.get_ref(), value.get_ref(), dir);
            taken.map_err(|problem| at(place.start, problem))?;
        }
        Ok(config)
    }

    fn take(&mut self, key: &str, value: &DeValue<'_>, dir: &Path) -> Result<(), Problem> {
        let wrong = || Problem::ConfigValue { key: key.to_owned() };
        let text = || value.as_str().ok_or_else(wrong);
        let yes = || value.as_bool().ok_or_else(wrong);
        match key {
            "name" => self.name = Some(check_name(text()?)?),
            "lang" => self.lang = Some(text()?.parse().map_err(|()| wrong())?),
            "ui" => self.ui = Some(Ui::from_str(text()?, false).map_err(|_| wrong())?),
            "color" => self.color = Some(yes()?),
            "no-mdns" => self.no_mdns = Some(yes()?),
            "pace" => {
                self.pace = Some(plain(value).and_then(|n| n.parse().ok()).ok_or_else(wrong)?)
            }
            "data" => self.data = Some(dir.join(text()?)),
            "listen" => self.listen = Some(read_address(text()?).map_err(|_| wrong())?),
            "rules" => {
                let name = text()?;
                let is_file = name.ends_with(".toml");
                let path = || dir.join(name).display().to_string();
                self.rules = Some(if is_file { path() } else { name.to_owned() });
            }
            "peer" => {
                let one = |peer: &Spanned<DeValue<'_>>| {
                    peer.get_ref().as_str().and_then(|text| read_address(text).ok())
                };
                let list = match value {
                    DeValue::Array(list) => list.iter().map(one).collect::<Option<Vec<_>>>(),
                    _ => value.as_str().and_then(|text| Some(vec![read_address(text).ok()?])),
                };
                self.peer = list.ok_or_else(wrong)?;
            }
            "set" => {
                for (switch, value) in pairs(value).ok_or_else(wrong)? {
                    self.set.push(format!("{switch}={value}"));
                }
            }
            "keys" => {
                self.keys = pairs(value).ok_or_else(wrong)?.into_iter().collect();
                let mut keymap = Keymap::default();
                for (name, keys) in &self.keys {
                    keymap.set(name, keys).map_err(|what| Problem::ConfigBinding { what })?;
                }
            }
            _ => {
                let key = key.chars().take(40).collect();
                return Err(Problem::ConfigKey { key, known: KEYS.join(", ") });
            }
        }
        Ok(())
    }
}

/// The pairs of a table with plain values.
fn pairs(value: &DeValue<'_>) -> Option<Vec<(String, String)>> {
    let DeValue::Table(table) = value else { return None };
    table
        .iter()
        .map(|(key, value)| Some((key.get_ref().to_string(), plain(value.get_ref())?)))
        .collect()
}

/// A plain value as text; true and false are on and off.
fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Boolean(true) => Some("on".to_owned()),
        DeValue::Boolean(false) => Some("off".to_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        _ => None,
    }
}

/// Nothing there to read: as good as no settings.
fn is_absence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied)
}

fn place(args: &[OsString], var: impl Fn(&str) -> Option<OsString>) -> Place {
    let named = |file: OsString| match file.is_empty() {
        true => Place::Nowhere,
        false => Place::Named(file.into()),
    };
    if let Some(file) = asked(args).or_else(|| var("TRINKA_CONFIG")) {
        return named(file);
    }
    // The XDG specification ignores relative paths.
    let absolute = |name| var(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
    absolute("XDG_CONFIG_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".config")))
        .or_else(|| absolute("APPDATA"))
        .map_or(Place::Nowhere, |dir| Place::Usual(dir.join("trinka/config.toml")))
}

/// The file that the arguments name. Looked up before anything is parsed: it may set the language
/// of the complaints about the arguments.
fn asked(args: &[OsString]) -> Option<OsString> {
    let mut args = args.iter().take_while(|arg| *arg != "--");
    let mut found = None;
    while let Some(arg) = args.next() {
        if arg == OsStr::new("--config") {
            found = args.next().cloned().or(found);
        } else if let Some(file) = arg.to_str().and_then(|arg| arg.strip_prefix("--config=")) {
            found = Some(file.into());
        }
    }
    found
}

impl Cli {
    /// Fills in what neither the command line nor the environment says.
    pub fn configure(&mut self, config: Config) {
        let global = &mut self.global;
        let local = matches!(self.command, Some(Command::Practice(_)));
        global.name = global.name.take().or(config.name);
        global.lang = global.lang.or(config.lang);
        global.ui = global.ui.or(config.ui);
        global.pace = global.pace.or(config.pace);
        global.data = global.data.take().or(config.data);
        global.no_mdns |= config.no_mdns.unwrap_or(false);
        global.file_color = config.color;
        global.keys = config.keys;
        if !local {
            global.listen = global.listen.or(config.listen);
            global.peer.extend(config.peer);
        }
        let fill = |preset: &mut Option<String>, set: &mut Vec<String>| {
            // Switches belong to the rules that they were chosen for.
            if preset.is_none() {
                preset.clone_from(&config.rules);
                let own = std::mem::replace(set, config.set.clone());
                set.extend(own);
            }
        };
        match &mut self.command {
            Some(Command::Host(host)) => fill_rules(&mut host.rules, fill),
            Some(Command::Practice(practice)) => fill_rules(&mut practice.rules, fill),
            Some(Command::Rules(page)) if page.rules.is_none() => {
                fill(&mut page.preset, &mut page.set);
            }
            _ => {}
        }
    }
}

fn fill_rules(rules: &mut Rules, fill: impl Fn(&mut Option<String>, &mut Vec<String>)) {
    fill(&mut rules.preset, &mut rules.set);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str) -> Result<Config, Problem> {
        Config::read("config.toml", text, Path::new("/etc/trinka"))
    }

    #[test]
    fn everything_can_be_said() {
        let config = read(
            "name = \"Вера\"\nlang = \"ru\"\nui = \"plain\"\ncolor = false\npace = 300\n\
             rules = \"ours.toml\"\ndata = \"/srv/trinka\"\nno-mdns = true\n\
             listen = \"127.0.0.1:0\"\npeer = [\"10.0.0.5\", \"[::1]:7\"]\n\
             [set]\nceiling = 50\nsvara = false\n[keys]\nfold = \"п\"\n",
        )
        .unwrap();
        assert_eq!((config.name.as_deref(), config.lang), (Some("Вера"), Some(Lang::Ru)));
        assert_eq!(
            (config.ui, config.color, config.pace),
            (Some(Ui::Plain), Some(false), Some(300))
        );
        assert_eq!(config.rules.as_deref(), Some("/etc/trinka/ours.toml"));
        assert_eq!(config.set, ["ceiling=50", "svara=off"]);
        assert_eq!((config.data, config.no_mdns), (Some("/srv/trinka".into()), Some(true)));
        assert_eq!(config.peer.len(), 2);
        assert_eq!(config.keys.get("fold").map(String::as_str), Some("п"));
        assert_eq!(read("").unwrap(), Config::default());
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_line() {
        for (text, code, place) in [
            ("name = \"A\"\nnickname = \"B\"\n", "config-key", "line 2, column 1"),
            ("\n\nlang = \"fr\"\n", "config-value", "line 3, column 8"),
            ("pace = \"fast\"\n", "config-value", "line 1, column 8"),
            ("set = 3\n", "config-value", "line 1, column 7"),
            ("[keys]\nflod = \"f\"\n", "config-binding", "line 1, column 1"),
            ("[keys]\nfold = \"F99\"\n", "config-binding", "line 1, column 1"),
            ("name = \"\"\n", "bad-name", "line 1, column 8"),
            ("name =\n", "config-syntax", "line 1"),
        ] {
            let problem = read(text).unwrap_err();
            assert_eq!(problem.code(), code, "{text}");
            let told = problem.text(Lang::En);
            assert!(told.contains(place) && told.contains("config.toml"), "{told}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn the_file_is_the_first_that_is_named() {
        let find = |line: &str, pairs: &[(&str, &str)]| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            place(&args, |name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
            })
        };
        let home = ("HOME", "/home/anna");
        let named = |file: &str| Place::Named(file.into());
        assert_eq!(find("trinka --config a --config=b", &[home]), named("b"));
        assert_eq!(find("trinka id", &[home, ("TRINKA_CONFIG", "/c")]), named("/c"));
        assert_eq!(find("trinka id", &[home, ("TRINKA_CONFIG", "")]), Place::Nowhere);
        let usual = |file: &str| Place::Usual(file.into());
        assert_eq!(find("trinka", &[home]), usual("/home/anna/.config/trinka/config.toml"));
        assert_eq!(find("trinka", &[("XDG_CONFIG_HOME", "/x")]), usual("/x/trinka/config.toml"));
        assert_eq!(find("trinka", &[]), Place::Nowhere);
    }
}
