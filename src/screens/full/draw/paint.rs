//! Colours, borders, and text as this terminal can show it.
//!
//! Only the sixteen colours of the terminal are used, on its own background. Nothing is said by
//! colour or style alone: marks and brackets say it too.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Span;
use ratatui::widgets::{Block, Borders};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::Prefs;
use crate::i18n::{Lang, Locale};
use crate::rules::{Card, Suit};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shade {
    Plain,
    Strong,
    Dim,
    Key,
    Turn,
    Good,
    Bad,
    Money,
    Title,
}

/// How this terminal is painted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    pub(super) locale: Locale,
    color: bool,
    letters: bool,
    four: bool,
    light: bool,
}

const ASCII: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

impl Paint {
    pub(super) fn new(prefs: &Prefs) -> Self {
        Self {
            locale: prefs.locale,
            color: prefs.color,
            letters: prefs.letters || !prefs.locale.utf8,
            four: prefs.four_colours,
            light: prefs.light,
        }
    }

    /// The text as the terminal can show it.
    pub(super) fn text(&self, text: &str) -> String {
        let text = if self.letters {
            text.chars()
                .map(|c| match Suit::ALL.into_iter().find(|suit| suit.symbol() == c) {
                    Some(suit) => self.suit_letter(suit),
                    None => c,
                })
                .collect()
        } else {
            text.to_owned()
        };
        self.locale.shown(text)
    }

    pub(super) fn style(&self, shade: Shade) -> Style {
        let plain = Style::new();
        let strong = plain.add_modifier(Modifier::BOLD);
        if !self.color {
            return match shade {
                Shade::Plain | Shade::Dim | Shade::Good | Shade::Money => plain,
                _ => strong,
            };
        }
        let pick = |dark, light| if self.light { light } else { dark };
        match shade {
            Shade::Plain => plain,
            Shade::Strong | Shade::Title => strong,
            Shade::Dim => plain.fg(pick(Color::Gray, Color::DarkGray)),
            Shade::Key => strong.fg(pick(Color::LightCyan, Color::Blue)),
            Shade::Turn => strong.fg(pick(Color::LightYellow, Color::Magenta)),
            Shade::Good => plain.fg(pick(Color::LightGreen, Color::Green)),
            Shade::Bad => strong.fg(pick(Color::LightRed, Color::Red)),
            Shade::Money => plain.fg(pick(Color::LightYellow, Color::Magenta)),
        }
    }

    pub(super) fn span(&self, text: &str, shade: Shade) -> Span<'static> {
        Span::styled(self.text(text), self.style(shade))
    }

    /// The style of a suit: four colours, or red and the terminal's own.
    pub(super) fn suit(&self, suit: Option<Suit>) -> Style {
        let strong = Style::new().add_modifier(Modifier::BOLD);
        let Some(suit) = suit.filter(|_| self.color) else { return strong };
        let pick = |dark, light| strong.fg(if self.light { light } else { dark });
        match suit {
            Suit::Hearts => pick(Color::LightRed, Color::Red),
            Suit::Diamonds if self.four => pick(Color::LightBlue, Color::Blue),
            Suit::Diamonds => pick(Color::LightRed, Color::Red),
            Suit::Clubs if self.four => pick(Color::LightGreen, Color::Green),
            Suit::Clubs | Suit::Spades => strong,
        }
    }

    const fn suit_letter(&self, suit: Suit) -> char {
        match (self.locale.lang, self.locale.utf8, suit) {
            (Lang::Ru, true, Suit::Spades) => 'п',
            (Lang::Ru, true, Suit::Hearts) => 'ч',
            (Lang::Ru, true, Suit::Diamonds) => 'б',
            (Lang::Ru, true, Suit::Clubs) => 'т',
            (_, _, Suit::Spades) => 's',
            (_, _, Suit::Hearts) => 'h',
            (_, _, Suit::Diamonds) => 'd',
            (_, _, Suit::Clubs) => 'c',
        }
    }

    /// A card in two parts: rank and suit.
    pub(super) fn card(&self, card: Card) -> (String, String) {
        let Some(suit) = card.suit() else {
            return ("JK".to_owned(), String::new());
        };
        let whole = Locale { lang: self.locale.lang, utf8: true }.card(card);
        let mut rank: String = whole.chars().filter(|c| *c != suit.symbol()).collect();
        if !self.locale.utf8 {
            rank = Locale { lang: Lang::En, utf8: true }.card(card);
            rank.pop();
        }
        let suit = if self.letters { self.suit_letter(suit) } else { suit.symbol() };
        (rank, suit.to_string())
    }

    /// Cards in a line.
    pub(super) fn cards(&self, cards: &[Card]) -> Vec<Span<'static>> {
        let mut spans = Vec::new();
        for card in cards {
            if !spans.is_empty() {
                spans.push(Span::raw(" "));
            }
            let (rank, suit) = self.card(*card);
            spans.push(Span::styled(format!("{rank}{suit}"), self.suit(card.suit())));
        }
        spans
    }

    /// A box with a title.
    pub(super) fn boxed(&self, title: &str) -> Block<'static> {
        let set = if self.locale.utf8 { border::ROUNDED } else { ASCII };
        let block =
            Block::new().borders(Borders::ALL).border_set(set).border_style(self.style(Shade::Dim));
        if title.is_empty() {
            return block;
        }
        block.title(self.span(&format!(" {title} "), Shade::Title))
    }

    /// A character, or what stands for it.
    pub(super) const fn pick<'a>(&self, fine: &'a str, plain: &'a str) -> &'a str {
        if self.locale.utf8 { fine } else { plain }
    }

    /// Text in lines of at most this width, broken at spaces.
    pub(super) fn wrap(&self, text: &str, most: u16) -> Vec<String> {
        let most = usize::from(most.max(1));
        let mut lines = Vec::new();
        for paragraph in self.text(text).split('\n') {
            let indent: String = paragraph.chars().take_while(|c| *c == ' ').collect();
            let mut line = indent.clone();
            let mut empty = true;
            for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
                let wide = word.width();
                if !empty && line.width() + 1 + wide > most {
                    lines.push(std::mem::replace(&mut line, indent.clone()));
                    empty = true;
                }
                if !empty {
                    line.push(' ');
                }
                empty = false;
                for c in word.chars() {
                    if line.width() + c.width().unwrap_or(0) > most {
                        lines.push(std::mem::take(&mut line));
                    }
                    line.push(c);
                }
            }
            lines.push(line);
        }
        lines
    }
}

/// How many cells a text takes.
pub(super) fn width(text: &str) -> u16 {
    u16::try_from(text.width()).unwrap_or(u16::MAX)
}

/// The text in exactly so many cells: cut with a mark, or filled with spaces.
pub(super) fn fit(text: &str, cells: u16) -> String {
    let cells = usize::from(cells);
    if text.width() <= cells {
        let fill = cells - text.width();
        return format!("{text}{}", " ".repeat(fill));
    }
    let mut cut = String::new();
    for c in text.chars() {
        if cut.width() + c.width().unwrap_or(0) + 1 > cells {
            break;
        }
        cut.push(c);
    }
    if cells > 0 {
        cut.push('~');
    }
    let fill = cells.saturating_sub(cut.width());
    cut.push_str(&" ".repeat(fill));
    cut
}

/// The text in at most so many cells.
pub(super) fn cut(text: &str, cells: u16) -> String {
    fit(text, cells).trim_end().to_owned()
}
