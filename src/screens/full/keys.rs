//! Every command of the full screen: its name, its keys, its words.
//!
//! This list feeds the bindings, the hint bar and the help page, so the three cannot differ. Keys
//! are places on the keyboard: `c` and `с` (the same key with a Russian layout) are one.

use std::collections::BTreeMap;

use crate::event::MoveKind;
use crate::i18n::{Lang, messages as m};

/// A key as the terminal reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// A character.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Tab with Shift.
    BackTab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Home.
    Home,
    /// End.
    End,
    /// A function key.
    F(u8),
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Which.
    pub code: Code,
    /// With Ctrl?
    pub ctrl: bool,
}

impl Key {
    /// A key alone.
    #[must_use]
    pub const fn plain(code: Code) -> Self {
        Self { code, ctrl: false }
    }

    /// A character.
    #[must_use]
    pub const fn char(c: char) -> Self {
        Self::plain(Code::Char(c))
    }

    /// The same key on a Latin keyboard in lower case.
    #[must_use]
    pub fn place(self) -> Self {
        match self.code {
            Code::Char(c) => Self { code: Code::Char(latin(c)), ctrl: self.ctrl },
            _ => self,
        }
    }

    /// Reads `f`, `F5`, `enter`, `?`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            return Some(Self::char(c).place());
        }
        let code = match text.to_lowercase().as_str() {
            "enter" => Code::Enter,
            "esc" => Code::Esc,
            "tab" => Code::Tab,
            "space" => Code::Char(' '),
            other => {
                Code::F(other.strip_prefix('f')?.parse().ok().filter(|n| (1..=12).contains(n))?)
            }
        };
        Some(Self::plain(code))
    }

    /// How the key is written on the screen.
    #[must_use]
    pub fn shown(self) -> String {
        match self.code {
            Code::Char(' ') => "Space".to_owned(),
            Code::Char(c) => c.to_uppercase().collect(),
            Code::F(n) => format!("F{n}"),
            Code::Enter => "Enter".to_owned(),
            Code::Esc => "Esc".to_owned(),
            Code::Tab => "Tab".to_owned(),
            _ => String::new(),
        }
    }
}

const LATIN: &str = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const CYRILLIC: &str = "ёйцукенгшщзхъфывапролджэячсмитьбю";

/// The character that the same key gives with a Latin layout.
fn latin(c: char) -> char {
    let c = c.to_lowercase().next().unwrap_or(c);
    CYRILLIC.chars().zip(LATIN.chars()).find(|(from, _)| *from == c).map_or(c, |(_, to)| to)
}

/// What a command is about: the headings of the help page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Moves in the game.
    Move,
    /// Around the table.
    Table,
    /// The lobby.
    Lobby,
    /// Everywhere.
    Everywhere,
}

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// Pay the price.
    Call,
    /// Pay more.
    Raise,
    /// A move of this kind.
    Move(MoveKind),
    /// Say something.
    Chat,
    /// No sound and no marks for what is said.
    Mute,
    /// Everything that happened.
    Log,
    /// The proofs of this hand.
    Proofs,
    /// The house rules in force.
    House,
    /// What beats what, and one's chances.
    Hint,
    /// Fifteen seconds more.
    MoreTime,
    /// Buy chips.
    Rebuy,
    /// Play the next hand, or sit it out.
    SitOut,
    /// The host: begin.
    Start,
    /// Leave the table.
    Leave,
    /// Take a seat.
    Join,
    /// Make a table.
    Make,
    /// Play against programs on this machine.
    Practise,
    /// A table by its address.
    Address,
    /// Past hands.
    History,
    /// Name, language, look.
    Settings,
    /// End the program.
    Quit,
    /// This list.
    Help,
}

/// A command with all there is to know of it.
pub struct Entry {
    /// The command.
    pub act: Act,
    /// Its name in settings.
    pub name: &'static str,
    /// Its keys, unless they are changed.
    pub keys: &'static [&'static str],
    /// Where it belongs.
    pub group: Group,
    /// What it is called, in a word or two.
    pub text: fn(Lang) -> String,
}

const fn entry(
    act: Act,
    name: &'static str,
    keys: &'static [&'static str],
    group: Group,
    text: fn(Lang) -> String,
) -> Entry {
    Entry { act, name, keys, group, text }
}

const fn step(kind: MoveKind, keys: &'static [&'static str], text: fn(Lang) -> String) -> Entry {
    Entry { act: Act::Move(kind), name: kind.name(), keys, group: Group::Move, text }
}

/// Every command there is, in the order of the help page.
///
/// Two moves have one key only where no situation offers both, and where pressing it once more after the
/// first was done does nothing that cannot be undone.
pub const ENTRIES: &[Entry] = &[
    entry(Act::Call, "call", &["c"], Group::Move, m::key_call),
    entry(Act::Raise, "raise", &["r"], Group::Move, m::key_raise),
    step(MoveKind::Dark, &["d"], m::key_dark),
    step(MoveKind::Look, &["l"], m::key_look),
    step(MoveKind::Compare, &["v"], m::key_compare),
    step(MoveKind::Fold, &["f"], m::key_fold),
    step(MoveKind::Redeal, &["x"], m::key_redeal),
    step(MoveKind::Boil, &["b"], m::key_boil),
    step(MoveKind::Accept, &["y"], m::key_accept),
    step(MoveKind::Refuse, &["n"], m::key_refuse),
    step(MoveKind::Split, &["s"], m::key_split),
    step(MoveKind::NoSplit, &["n"], m::key_no_split),
    step(MoveKind::Enter, &["e"], m::key_enter),
    step(MoveKind::StayOut, &["o"], m::key_stay_out),
    step(MoveKind::Pool, &["p"], m::key_pool),
    step(MoveKind::Pact, &["w"], m::key_pact),
    step(MoveKind::Cut, &["p"], m::key_cut),
    step(MoveKind::Lift, &["p"], m::key_lift),
    step(MoveKind::Expose, &["k"], m::key_expose),
    step(MoveKind::Keep, &["y"], m::key_keep),
    step(MoveKind::Replace, &["r"], m::key_replace),
    step(MoveKind::Ante, &["a"], m::key_ante),
    step(MoveKind::Omit, &["n"], m::key_omit),
    entry(Act::Chat, "chat", &["t"], Group::Table, m::key_chat),
    entry(Act::Log, "log", &["g"], Group::Table, m::key_log),
    entry(Act::Proofs, "proofs", &["i"], Group::Table, m::key_proofs),
    entry(Act::House, "house", &["j"], Group::Table, m::key_house),
    entry(Act::Hint, "hint", &["h", "F2"], Group::Table, m::key_hint),
    entry(Act::Mute, "mute", &["m"], Group::Table, m::key_mute),
    entry(Act::MoreTime, "more-time", &["z"], Group::Table, m::key_more_time),
    entry(Act::Rebuy, "rebuy", &["u"], Group::Table, m::key_rebuy),
    entry(Act::SitOut, "sit-out", &["F9"], Group::Table, m::key_sit_out),
    entry(Act::Start, "start", &["F5"], Group::Table, m::key_start),
    entry(Act::Leave, "leave", &["q"], Group::Table, m::key_leave),
    entry(Act::Join, "join", &["enter"], Group::Lobby, m::key_join),
    entry(Act::Make, "make", &["n"], Group::Lobby, m::key_make),
    entry(Act::Practise, "practise", &["p"], Group::Lobby, m::key_practise),
    entry(Act::Address, "address", &["a"], Group::Lobby, m::key_address),
    entry(Act::History, "history", &["g"], Group::Lobby, m::key_history),
    entry(Act::Settings, "settings", &["s"], Group::Lobby, m::key_settings),
    entry(Act::Quit, "quit", &["q"], Group::Lobby, m::key_quit),
    entry(Act::Help, "help", &["?", "F1", ","], Group::Everywhere, m::key_help),
];

/// The entry of a command.
#[must_use]
pub fn find(act: Act) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.act == act)
}

/// Can both be meant in one place?
fn together(one: &Entry, other: &Entry) -> bool {
    let lobby = |entry: &Entry| entry.group == Group::Lobby;
    let everywhere = |entry: &Entry| entry.group == Group::Everywhere;
    everywhere(one) || everywhere(other) || lobby(one) == lobby(other)
}

/// Which keys do what: the list above with what the player changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keymap {
    changed: BTreeMap<&'static str, Vec<Key>>,
}

impl Keymap {
    /// Gives a command other keys.
    ///
    /// # Errors
    /// What is wrong: the command's name or the key.
    pub fn set(&mut self, name: &str, keys: &str) -> Result<(), String> {
        let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
            return Err(name.to_owned());
        };
        let parsed: Option<Vec<Key>> = keys.split_whitespace().map(Key::parse).collect();
        match parsed.filter(|keys| !keys.is_empty()) {
            Some(keys) => {
                self.changed.insert(entry.name, keys);
                Ok(())
            }
            None => Err(keys.to_owned()),
        }
    }

    /// What is to be said of a changed key that means something else as well, if one does.
    #[must_use]
    pub fn collision(&self, lang: Lang) -> Option<String> {
        for entry in ENTRIES.iter().filter(|entry| self.changed.contains_key(entry.name)) {
            for key in self.keys(entry.act) {
                let other = ENTRIES.iter().find(|other| {
                    other.act != entry.act && together(entry, other) && self.is(key, other.act)
                });
                if let Some(other) = other {
                    let (one, two) = ((entry.text)(lang), (other.text)(lang));
                    return Some(m::keys_collide(lang, key.shown(), one, two));
                }
            }
        }
        None
    }

    /// The keys of a command.
    #[must_use]
    pub fn keys(&self, act: Act) -> Vec<Key> {
        let Some(entry) = find(act) else { return Vec::new() };
        match self.changed.get(entry.name) {
            Some(keys) => keys.clone(),
            None => entry.keys.iter().filter_map(|key| Key::parse(key)).collect(),
        }
    }

    /// Does this key mean this command?
    #[must_use]
    pub fn is(&self, key: Key, act: Act) -> bool {
        self.keys(act).contains(&key.place())
    }

    /// How the first key of a command is written.
    #[must_use]
    pub fn shown(&self, act: Act) -> String {
        self.keys(act).first().map(|key| key.shown()).unwrap_or_default()
    }

    /// How all keys of a command are written.
    #[must_use]
    pub fn all_shown(&self, act: Act) -> String {
        let keys: Vec<String> = self.keys(act).into_iter().map(Key::shown).collect();
        keys.join(" ")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn both_layouts_are_the_same_keys() {
        assert_eq!(LATIN.chars().count(), CYRILLIC.chars().count());
        for (ru, en) in
            [('с', 'c'), ('С', 'c'), ('а', 'f'), ('м', 'v'), ('к', 'r'), ('н', 'y'), ('т', 'n')]
        {
            assert_eq!(Key::char(ru).place(), Key::char(en));
        }
        let keys = Keymap::default();
        assert!(keys.is(Key::char('А'), Act::Move(MoveKind::Fold)));
        assert!(keys.is(Key::char('F'), Act::Move(MoveKind::Fold)));
    }

    #[test]
    fn keys_can_be_changed() {
        let mut keys = Keymap::default();
        keys.set("fold", "F8 б").unwrap();
        assert!(keys.is(Key::plain(Code::F(8)), Act::Move(MoveKind::Fold)));
        assert!(keys.is(Key::char(','), Act::Move(MoveKind::Fold)));
        assert!(!keys.is(Key::char('f'), Act::Move(MoveKind::Fold)));
        assert_eq!(keys.set("fly", "f"), Err("fly".into()));
        assert_eq!(keys.set("fold", "F99"), Err("F99".into()));
        assert_eq!(keys.set("fold", ""), Err("".into()));
    }

    #[test]
    fn a_key_that_was_given_to_two_is_told_of() {
        let mut keys = Keymap::default();
        assert_eq!(keys.collision(Lang::En), None, "as it is nothing collides");
        keys.set("fold", "q").unwrap();
        let text = keys.collision(Lang::En).unwrap();
        assert!(text.contains("[Q]") && text.contains("fold") && text.contains("leave"), "{text}");
        keys.set("leave", "F8").unwrap();
        assert_eq!(keys.collision(Lang::En), None, "the lobby is another place");
    }

    #[test]
    fn every_command_has_a_name_of_its_own_and_keys_that_can_be_read() {
        for (at, entry) in ENTRIES.iter().enumerate() {
            assert!(!entry.keys.is_empty());
            assert!(entry.keys.iter().all(|key| Key::parse(key).is_some()), "{}", entry.name);
            assert!(ENTRIES.iter().skip(at + 1).all(|other| other.name != entry.name));
        }
        for kind in MoveKind::ALL {
            assert!(kind == MoveKind::Bet || find(Act::Move(kind)).is_some(), "{kind:?}");
        }
    }
}
