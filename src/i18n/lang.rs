//! Which language, and what the terminal can show.

use std::str::FromStr;

use crate::rules::{Card, Rank};

/// A language of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, clap::ValueEnum)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Russian.
    Ru,
}

impl Lang {
    /// Both.
    pub const ALL: [Self; 2] = [Self::En, Self::Ru];
}

impl FromStr for Lang {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "en" => Ok(Self::En),
            "ru" => Ok(Self::Ru),
            _ => Err(()),
        }
    }
}

/// A language, and whether characters beyond ASCII can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locale {
    /// The language.
    pub lang: Lang,
    /// May text be UTF-8? Otherwise cards are written with letters.
    pub utf8: bool,
}

impl Locale {
    /// The locale of `--lang`, else of the environment, which `var` reads.
    ///
    /// Russian that cannot be shown helps nobody: without UTF-8 the locale's Russian becomes
    /// English; `--lang ru` still means Russian.
    pub fn choose(asked: Option<Lang>, var: impl Fn(&str) -> Option<String>) -> Self {
        // The first that is set decides, as POSIX has it; an empty one counts as unset.
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| var(name).filter(|value| !value.is_empty()))
            .unwrap_or_default()
            .to_lowercase();
        // What bytes mean is LC_CTYPE's business, not LC_MESSAGES's.
        let bytes = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| var(name).filter(|value| !value.is_empty()))
            .unwrap_or_default()
            .to_lowercase();
        let utf8 = cfg!(windows) || bytes.contains("utf-8") || bytes.contains("utf8");
        let russian = name == "ru" || name.starts_with("ru_") || name.starts_with("ru.");
        match asked {
            Some(lang) => Self { lang, utf8: utf8 || lang == Lang::Ru },
            None if russian && utf8 => Self { lang: Lang::Ru, utf8 },
            None => Self { lang: Lang::En, utf8 },
        }
    }

    /// The locale of this process.
    #[must_use]
    pub fn of_process(asked: Option<Lang>) -> Self {
        Self::choose(asked, |name| std::env::var(name).ok())
    }

    /// A card as players of this language write it: `A♠ 10♠`, `Т♠ 10♠`, or `As Ts`.
    #[must_use]
    pub fn card(self, card: Card) -> String {
        let (Some(rank), Some(suit)) = (card.rank(), card.suit()) else {
            return self.joker().to_owned();
        };
        if !self.utf8 {
            return card.to_string();
        }
        let rank = match (rank, self.lang) {
            (Rank::Ten, _) => "10".to_owned(),
            (Rank::Ace, Lang::Ru) => "Т".to_owned(),
            (Rank::King, Lang::Ru) => "К".to_owned(),
            (Rank::Queen, Lang::Ru) => "Д".to_owned(),
            (Rank::Jack, Lang::Ru) => "В".to_owned(),
            _ => rank.letter().to_string(),
        };
        format!("{rank}{}", suit.symbol())
    }

    const fn joker(self) -> &'static str {
        match (self.lang, self.utf8) {
            (Lang::Ru, true) => "Джокер",
            _ => "JK",
        }
    }

    /// Several cards, with spaces.
    #[must_use]
    pub fn cards(self, cards: &[Card]) -> String {
        let cards: Vec<String> = cards.iter().map(|card| self.card(*card)).collect();
        cards.join(" ")
    }

    /// The text as this terminal can show it.
    #[must_use]
    pub fn shown(self, text: String) -> String {
        if self.utf8 || text.is_ascii() {
            return text;
        }
        let mut ascii = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '–' | '—' | '−' => ascii.push('-'),
                '·' => ascii.push('|'),
                '…' => ascii.push_str("..."),
                '“' | '”' | '«' | '»' | '„' => ascii.push('"'),
                '’' | '‘' => ascii.push('\''),
                c if c.is_ascii() => ascii.push(c),
                _ => ascii.push('?'),
            }
        }
        ascii
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(pairs: &[(&str, &str)], asked: Option<Lang>) -> Locale {
        Locale::choose(asked, |name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    #[cfg(not(windows))]
    fn the_first_variable_that_is_set_decides() {
        let ru = Locale { lang: Lang::Ru, utf8: true };
        let en = Locale { lang: Lang::En, utf8: true };
        let ascii = Locale { lang: Lang::En, utf8: false };
        assert_eq!(from(&[], None), ascii);
        assert_eq!(from(&[("LANG", "ru_RU.UTF-8")], None), ru);
        assert_eq!(from(&[("LANG", "ru_RU.utf8"), ("LC_ALL", "")], None), ru);
        assert_eq!(from(&[("LANG", "ru_RU.UTF-8"), ("LC_ALL", "C.UTF-8")], None), en);
        assert_eq!(from(&[("LANG", "ru_RU.UTF-8"), ("LC_MESSAGES", "en_GB.UTF-8")], None), en);
        assert_eq!(from(&[("LANG", "en_GB.UTF-8"), ("LC_MESSAGES", "ru_RU.UTF-8")], None), ru);
        assert_eq!(from(&[("LANG", "ru_RU.KOI8-R")], None), ascii);
        assert_eq!(from(&[("LANG", "run_BI.UTF-8")], None), en);
        assert_eq!(from(&[("LANG", "en_GB.UTF-8")], Some(Lang::Ru)), ru);
        assert_eq!(from(&[("LANG", "ru_RU.UTF-8")], Some(Lang::En)), en);
    }

    #[test]
    fn cards_follow_the_language_and_the_terminal() {
        let cards: Vec<Card> =
            ["As", "Ts", "9h", "Kd", "JK"].iter().filter_map(|card| card.parse().ok()).collect();
        let shown = |lang, utf8| Locale { lang, utf8 }.cards(&cards);
        assert_eq!(shown(Lang::En, true), "A♠ 10♠ 9♥ K♦ JK");
        assert_eq!(shown(Lang::Ru, true), "Т♠ 10♠ 9♥ К♦ Джокер");
        assert_eq!(shown(Lang::En, false), "As Ts 9h Kd JK");
    }

    #[test]
    fn without_utf8_only_ascii_is_written() {
        let ascii = Locale { lang: Lang::En, utf8: false };
        assert_eq!(ascii.shown("raise 6–100 · “Борис” …".into()), "raise 6-100 | \"?????\" ...");
    }
}
