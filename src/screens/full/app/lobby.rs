//! The lobby's keys, past hands, and what becomes of a form that was filled in.

use super::super::form::{self, Done, Form, Id};
use super::super::keys::{Act, Code, Key};
use super::super::{Bell, dialog::Dialog};
use super::hold::Hold;
use super::{App, Effect, Page, Wish};
use crate::i18n::{Lang, messages as m, printable};
use crate::screens::full::sight::Sight;

impl App {
    pub(super) fn lobby_key(&mut self, key: Key) -> Vec<Effect> {
        let name = self.prefs.name.clone().unwrap_or_default();
        match key.code {
            Code::Up => self.lobby.step(false),
            Code::Down => self.lobby.step(true),
            _ if self.is(key, Act::Join) => return self.join_chosen(),
            _ if self.is(key, Act::Make) => {
                self.page = Page::Form(Form::table(form::Purpose::Make, &name, self.prefs.pace));
            }
            _ if self.is(key, Act::Practise) => {
                self.page =
                    Page::Form(Form::table(form::Purpose::Practise, &name, self.prefs.pace));
            }
            _ if self.is(key, Act::Address) => self.dialog = Some(Dialog::Address(String::new())),
            _ if self.is(key, Act::History) => {
                self.page = Page::History;
                return vec![Effect::ReadHistory];
            }
            _ if self.is(key, Act::Settings) => {
                self.page = Page::Form(Form::settings(self.lang(), &self.prefs));
            }
            _ if self.is(key, Act::Quit) => return vec![Effect::Quit { interrupted: false }],
            _ => {}
        }
        Vec::new()
    }

    fn join_chosen(&mut self) -> Vec<Effect> {
        let lang = self.lang();
        let Some(table) = self.lobby.chosen().cloned() else {
            self.note(m::lobby_nothing_to_join(lang), false);
            return Vec::new();
        };
        let known = self.prefs.name.as_ref().is_some_and(|name| table.players.contains(name));
        if table.free() == 0 && !known {
            self.note(m::lobby_full(lang, printable(&table.name)), true);
            return Vec::new();
        }
        let effects = self.sit_down(Wish::Join(table.id));
        self.joining = Some(printable(&table.name));
        effects
    }

    pub(super) fn sit_down(&mut self, wish: Wish) -> Vec<Effect> {
        self.page = Page::Table;
        self.sight = Sight::default();
        self.hold = Hold::default();
        self.leaving = false;
        self.joining = None;
        self.unreached = None;
        self.buy_in = None;
        self.begin = None;
        self.chosen = None;
        self.fresh_since = None;
        self.closed_at = None;
        self.rebuying = false;
        self.note = None;
        vec![Effect::Start(wish)]
    }

    pub(super) fn history_key(&mut self, key: Key) -> Vec<Effect> {
        /// Lines by which the text of a hand is scrolled at once.
        const PAGE: usize = 4;
        let last = self.lobby.history.as_ref().map_or(0, Vec::len).saturating_sub(1);
        let before = self.lobby.past;
        let mut scroll = self.lobby.past_scroll;
        match key.code {
            Code::Up => self.lobby.past = self.lobby.past.saturating_sub(1),
            Code::Down => self.lobby.past = (self.lobby.past + 1).min(last),
            Code::PageUp => scroll = scroll.saturating_sub(PAGE),
            Code::PageDown => scroll = (scroll + PAGE).min(self.scrolls().unwrap_or(0)),
            Code::Home => self.lobby.past = 0,
            Code::End => self.lobby.past = last,
            Code::Esc => self.page = Page::Lobby,
            _ if self.is(key, Act::Quit) || self.is(key, Act::History) => self.page = Page::Lobby,
            _ => {}
        }
        // Another hand is read from its beginning.
        self.lobby.past_scroll = if self.lobby.past == before { scroll } else { 0 };
        Vec::new()
    }

    pub(super) fn form_done(&mut self, done: Done) -> Vec<Effect> {
        let Page::Form(form) = &self.page else { return Vec::new() };
        match done {
            Done::Stays => Vec::new(),
            Done::Changed => {
                let lang = if form.text(Id::Lang) == "ru" { Lang::Ru } else { Lang::En };
                self.prefs.locale.lang = lang;
                Vec::new()
            }
            Done::Untyped => {
                self.note(m::form_not_typed(self.lang()), false);
                Vec::new()
            }
            Done::Away if form.purpose == form::Purpose::First => Vec::new(),
            Done::Away => {
                self.page = Page::Lobby;
                Vec::new()
            }
            Done::Go => {
                let form = form.clone();
                self.submit(&form)
            }
        }
    }

    fn submit(&mut self, form: &Form) -> Vec<Effect> {
        let lang = self.lang();
        let named = matches!(form.purpose, form::Purpose::First | form::Purpose::Settings);
        if named && form.text(Id::Name).is_empty() {
            self.note(m::form_no_name(lang), true);
            if let Page::Form(form) = &mut self.page {
                form.at = 0;
            }
            return Vec::new();
        }
        if let Some((text, _)) = form.fault(lang) {
            self.note(text, true);
            return Vec::new();
        }
        let small = |id| u8::try_from(form.number(id)).unwrap_or(u8::MAX);
        let rules = Box::new(form.rules.clone());
        match form.purpose {
            form::Purpose::First | form::Purpose::Settings => {
                self.prefs.name = Some(printable(&form.text(Id::Name)));
                if form.purpose == form::Purpose::Settings {
                    self.prefs.letters = form.is_on(Id::Letters);
                    self.prefs.four_colours = form.is_on(Id::FourColours);
                    self.prefs.light = form.is_on(Id::Light);
                    self.prefs.bell = Bell::from_name(&form.text(Id::Bell)).unwrap_or_default();
                    self.prefs.pace = form.number(Id::Pace);
                }
                self.page = Page::Lobby;
                vec![Effect::Save(Box::new(self.prefs.clone()))]
            }
            form::Purpose::Make => {
                let wish = Wish::Make {
                    name: printable(&form.text(Id::Table)),
                    rules,
                    seats: small(Id::Seats),
                    begin: small(Id::Begin).min(small(Id::Seats)),
                    buy_in: form.number(Id::BuyIn),
                    think: form.number(Id::Think),
                };
                let known = (Some(form.number(Id::BuyIn)), Some(small(Id::Begin)));
                let effects = self.sit_down(wish);
                (self.buy_in, self.begin) = known;
                effects
            }
            form::Purpose::Practise => {
                self.prefs.pace = form.number(Id::Pace);
                let wish = Wish::Practise {
                    rules,
                    bots: small(Id::Bots),
                    buy_in: form.number(Id::BuyIn),
                    pace: self.prefs.pace,
                };
                let effects = self.sit_down(wish);
                self.buy_in = Some(form.number(Id::BuyIn));
                effects
            }
        }
    }
}
