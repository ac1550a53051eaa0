//! The full screen: lobby and table on the whole terminal.
//!
//! The core is pure. [`App::update`] takes what happened ([`Input`]) and says what is to be done
//! ([`Effect`]); [`draw`] paints an [`App`] into a frame. Only [`terminal`] touches a terminal, and
//! only the program around starts nodes, so everything here is tested without either.

use crate::i18n::{Lang, Locale};

mod app;
mod dialog;
mod draw;
mod form;
pub mod keys;
mod lobby;
mod moves;
mod seat;
mod sight;
pub mod terminal;
#[cfg(test)]
mod tests;

pub use app::{App, Effect, Input, Mouse, Wish};
pub use draw::draw;
pub use lobby::{Nearby, PastHand};
pub use seat::FullScreen;

/// The longest pause of a bot, in milliseconds: a turn has five seconds at least.
pub const MAX_PACE: u64 = 4_000;
/// The pause of bots that play with people, in milliseconds, so that these can follow.
pub const USUAL_PACE: u64 = 700;

/// How one is called when it is one's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bell {
    /// Not at all.
    Off,
    /// The terminal's bell.
    #[default]
    Bell,
    /// A notification, where the terminal shows them.
    Osc9,
}

impl Bell {
    /// Its name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Bell => "bell",
            Self::Osc9 => "osc9",
        }
    }

    /// The one with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Off, Self::Bell, Self::Osc9].into_iter().find(|bell| bell.name() == name)
    }
}

/// What a player has chosen for the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefs {
    /// The nickname; nothing before the first start is over.
    pub name: Option<String>,
    /// The language and what the terminal can show.
    pub locale: Locale,
    /// May colours be used?
    pub color: bool,
    /// Letters instead of suit signs?
    pub letters: bool,
    /// A colour for each suit?
    pub four_colours: bool,
    /// Is the terminal light?
    pub light: bool,
    /// How one is called.
    pub bell: Bell,
    /// Which keys do what.
    pub keys: keys::Keymap,
    /// The settings file, in which other keys may stand.
    pub settings_file: String,
    /// Milliseconds for which opponents in practice seem to think.
    pub pace: u64,
}

impl Prefs {
    /// The usual ones for this locale.
    #[must_use]
    pub fn new(locale: Locale) -> Self {
        Self {
            name: None,
            locale,
            color: true,
            letters: !locale.utf8,
            four_colours: true,
            light: false,
            bell: Bell::default(),
            keys: keys::Keymap::default(),
            settings_file: "~/.config/trinka/config.toml".to_owned(),
            pace: USUAL_PACE,
        }
    }

    /// The language.
    #[must_use]
    pub const fn lang(&self) -> Lang {
        self.locale.lang
    }
}
