//! The keys of what lies on top: amounts, players, questions, texts, pages.

use super::super::dialog::{Amount, Dialog, Players, Purpose, Sure};
use super::super::keys::{Act, Code, Key};
use super::{App, Click, Effect, Wish};
use crate::event::{Command, MAX_TEXT, Move, MoveKind};
use crate::i18n::{messages as m, printable};
use crate::screens::typed::{self, Typed};

impl App {
    pub(super) fn dialog_key(&mut self, mut dialog: Dialog, key: Key) -> Vec<Effect> {
        if key.code == Code::Esc {
            if let Dialog::Chat(_) = dialog {
                self.closed_at = Some(self.now);
            }
            return Vec::new();
        }
        let log = matches!(dialog, Dialog::Log(_));
        let opened_by = dialog.act();
        if let Some(scroll) = dialog.scroll() {
            let by = match key.code {
                Code::Up => -1,
                Code::Down => 1,
                Code::PageUp => -10,
                Code::PageDown => 10,
                Code::Home => -isize::MAX,
                Code::End => isize::MAX,
                // Any other key closes it; nothing else happens, so that a key cannot do two things. Of one
                // that would have done something that is said.
                Code::Enter | Code::Char(' ') => return Vec::new(),
                _ if opened_by.is_some_and(|act| self.is(key, act)) => return Vec::new(),
                _ => {
                    self.note(m::key_closed(self.lang(), key.shown()), false);
                    return Vec::new();
                }
            };
            // The log begins with its end: what lies above is older.
            *scroll = scroll.saturating_add_signed(if log { -by } else { by });
            *scroll = (*scroll).min(self.scrolls().unwrap_or(0));
            self.dialog = Some(dialog);
            return Vec::new();
        }
        match dialog {
            Dialog::Amount(amount) => self.amount_key(amount, key),
            Dialog::Players(players) => self.players_key(players, key),
            Dialog::Sure(sure) => self.sure_key(sure, key),
            Dialog::Chat(_) | Dialog::Address(_) => self.text_key(dialog, key),
            Dialog::Help(_)
            | Dialog::Log(_)
            | Dialog::Proofs(_)
            | Dialog::House(_)
            | Dialog::Hint(..) => Vec::new(),
        }
    }

    /// How far the page on top can be scrolled, as whoever painted it tells.
    pub(super) fn scrolls(&self) -> Option<usize> {
        self.hits.iter().find_map(|hit| match hit.click {
            Click::Scroll(most) => Some(most),
            _ => None,
        })
    }

    fn amount_key(&mut self, mut amount: Amount, key: Key) -> Vec<Effect> {
        if key.code != Code::Enter {
            amount.key(key);
            self.dialog = Some(Dialog::Amount(amount));
            return Vec::new();
        }
        let Some(value) = amount.value() else {
            let text = m::amount_limits(self.lang(), amount.min, amount.max);
            self.note(text, true);
            self.dialog = Some(Dialog::Amount(amount));
            return Vec::new();
        };
        let Some(command) = amount.command(self.sight.view.me) else { return Vec::new() };
        let paid = match amount.purpose {
            Purpose::Move(MoveKind::Bet | MoveKind::Dark) | Purpose::Pool(..) => value,
            _ => 0,
        };
        self.pay(command, paid)
    }

    fn players_key(&mut self, mut players: Players, key: Key) -> Vec<Effect> {
        let last = players.seats.len().saturating_sub(1);
        match key.code {
            Code::Up => players.at = players.at.saturating_sub(1),
            Code::Down => players.at = (players.at + 1).min(last),
            Code::Enter => {
                let Some(seat) = players.seats.get(players.at).copied() else {
                    return Vec::new();
                };
                let step = match players.kind {
                    MoveKind::Expose => Move::Expose(seat),
                    MoveKind::Pact => Move::Pact(seat),
                    _ => {
                        let sum = self.sight.entry.unwrap_or(0);
                        let half = sum.div_ceil(2);
                        self.dialog = Some(Dialog::Amount(Amount {
                            purpose: Purpose::Pool(seat, sum),
                            text: half.to_string(),
                            min: 1,
                            max: sum.saturating_sub(1).max(1),
                            presets: Vec::new(),
                            fresh: true,
                        }));
                        return Vec::new();
                    }
                };
                return self.send(Command::Move(step));
            }
            _ => {}
        }
        self.dialog = Some(Dialog::Players(players));
        Vec::new()
    }

    fn sure_key(&mut self, sure: Sure, key: Key) -> Vec<Effect> {
        let yes = key.code == Code::Enter || self.is(key, Act::Move(MoveKind::Accept));
        if !yes {
            if !self.is(key, Act::Move(MoveKind::Refuse)) {
                self.dialog = Some(Dialog::Sure(sure));
            }
            return Vec::new();
        }
        match sure {
            Sure::Pay(command, _) | Sure::Look(command) => self.send(command),
            Sure::Leave => {
                self.leaving = true;
                self.note(m::leaving(self.lang()), false);
                vec![Effect::Send(Command::Leave)]
            }
        }
    }

    /// A line that could be typed without the full screen.
    fn typed(&mut self, line: &str) -> Vec<Effect> {
        let lang = self.lang();
        match typed::read(lang, &self.sight.view, line) {
            Ok(Typed::Command(command @ Command::Move(Move::Look))) if self.sight.may_go_dark() => {
                self.dialog = Some(Dialog::Sure(Sure::Look(command)));
            }
            Ok(Typed::Command(command)) => return self.send(command),
            Ok(Typed::Help) => {
                self.dialog = Some(Dialog::Help(0));
            }
            Ok(Typed::Hint) => self.hint(),
            // It stands at the end of the log, where it begins.
            Ok(Typed::Who) => {
                self.sight.tell_table(self.prefs.locale);
                self.dialog = Some(Dialog::Log(0));
            }
            Ok(Typed::Rules) => self.dialog = Some(Dialog::House(0)),
            Ok(Typed::Nothing) => {}
            Err(problem) => self.note(problem.text(lang), true),
        }
        Vec::new()
    }

    fn text_key(&mut self, mut dialog: Dialog, key: Key) -> Vec<Effect> {
        let Some(text) = dialog.text() else { return Vec::new() };
        match key.code {
            Code::Enter => {
                let text = text.trim().to_owned();
                return match dialog {
                    Dialog::Chat(_) if text.is_empty() => {
                        self.closed_at = Some(self.now);
                        Vec::new()
                    }
                    _ if text.is_empty() => Vec::new(),
                    Dialog::Address(_) if !is_address(&text) => {
                        self.note(m::address_bad(self.lang(), printable(&text)), true);
                        self.dialog = Some(Dialog::Address(text));
                        Vec::new()
                    }
                    Dialog::Address(_) => {
                        let effects = self.sit_down(Wish::Join(text.clone()));
                        self.joining = Some(printable(&text));
                        effects
                    }
                    _ => {
                        // The line stays open for the answer, and for what is typed on: keys that were meant
                        // for it would be moves. A page that the line asks for takes its place.
                        self.dialog = Some(Dialog::Chat(String::new()));
                        match text.strip_prefix('/') {
                            Some(line) => self.typed(line),
                            None => vec![Effect::Send(Command::Say(text))],
                        }
                    }
                };
            }
            Code::Backspace => drop(text.pop()),
            Code::Char(c) if !c.is_control() && text.len() + c.len_utf8() <= MAX_TEXT => {
                text.push(c);
            }
            _ => {}
        }
        self.dialog = Some(dialog);
        Vec::new()
    }
}

/// An address of a machine, with or without a port.
fn is_address(text: &str) -> bool {
    text.parse::<std::net::SocketAddr>().is_ok() || text.parse::<std::net::IpAddr>().is_ok()
}
