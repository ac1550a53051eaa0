//! The lobby, forms, and past hands.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::Canvas;
use super::paint::{Shade, cut, fit, width};
use crate::i18n::{messages as m, printable};
use crate::screens::full::app::Click;
use crate::screens::full::form::{self, Form, Purpose, Value, explanation, field_name, value_name};
use crate::screens::full::keys::Act;
use crate::screens::full::lobby::Nearby;

impl Canvas<'_, '_> {
    fn title_line(&mut self, area: Rect, text: &str) {
        let line = Line::from(vec![Span::raw(" "), self.paint.span(text, Shade::Title)]);
        self.line(area.x, area.y, area.width, line);
    }

    pub(super) fn lobby(&mut self, area: Rect) {
        let lang = self.app.lang();
        let name = self.app.prefs.name.clone().unwrap_or_default();
        let head = m::lobby_head(lang, printable(&name));
        self.title_line(area, &head);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let [list, detail] =
            Layout::vertical([Constraint::Min(6), Constraint::Length(10)]).areas(body);
        let mut title = m::lobby_tables(lang, self.app.lobby.tables.len() as u64);
        let friends = |table: &Nearby| table.players.iter().any(|one| table.friends.contains(one));
        if self.app.lobby.tables.iter().any(friends) {
            let mark = self.paint.pick("♡", "+");
            title = format!("{title} · {}", m::lobby_friends(lang, mark));
        }
        let block = self.paint.boxed(&title);
        let inner = block.inner(list);
        self.frame.render_widget(block, list);
        if self.app.lobby.tables.is_empty() {
            self.empty_lobby(inner);
        } else {
            self.tables(inner);
        }
        let block = self.paint.boxed(&m::lobby_actions(lang));
        let inner = block.inner(detail);
        self.frame.render_widget(block, detail);
        self.actions(Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner });
    }

    fn empty_lobby(&mut self, area: Rect) {
        let lang = self.app.lang();
        let most = area.width.saturating_sub(4);
        let mut lines = Vec::new();
        for line in self.paint.wrap(&m::lobby_looking(lang), most) {
            lines.push(Line::from(self.paint.span(&line, Shade::Strong)));
        }
        lines.push(Line::default());
        for line in self.paint.wrap(&m::lobby_empty(lang), most) {
            lines.push(Line::from(self.paint.span(&line, Shade::Dim)));
        }
        let area = Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: most,
            height: area.height.saturating_sub(1),
        };
        self.put(area, lines);
    }

    fn tables(&mut self, area: Rect) {
        let lang = self.app.lang();
        let tables = &self.app.lobby.tables;
        let at = self.app.lobby.index().unwrap_or(0);
        let room = usize::from(area.height / 2).max(1);
        let first = (at + 1).saturating_sub(room);
        for (row, (index, table)) in tables.iter().enumerate().skip(first).take(room).enumerate() {
            let row = u16::try_from(row).unwrap_or(0);
            let place = Rect { y: area.y + row * 2, height: 2, ..area };
            let chosen = index == at;
            let lines = self.table_lines(table, chosen, area.width);
            self.put(place, lines);
            self.hit(place, Click::Table(index));
        }
        let hidden = tables.len().saturating_sub(first + room);
        if hidden > 0 {
            let text = self.paint.text(&m::lobby_more(lang, hidden as u64));
            let wide = width(&text);
            let span = self.paint.span(&text, Shade::Key);
            self.line(area.right().saturating_sub(wide), area.bottom(), wide, Line::from(span));
        }
    }

    fn table_lines(&self, table: &Nearby, chosen: bool, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let mark = if chosen { self.paint.pick("▸ ", "> ") } else { "  " };
        let shade = if chosen { Shade::Strong } else { Shade::Plain };
        let name = self.paint.text(&printable(&table.name));
        let mut state = m::table_seats(lang, table.players.len() as u64, u64::from(table.seats));
        if table.playing {
            state = format!("{state} · {}", m::table_playing(lang));
        }
        if table.locked {
            state = format!("{state} · {}", m::table_locked(lang));
        }
        let names: Vec<String> = table
            .players
            .iter()
            .map(|player| {
                let known = table.friends.contains(player);
                let mark = if known { self.paint.pick("♡ ", "+ ") } else { "" };
                format!("{mark}{}", printable(player))
            })
            .collect();
        let rules = short_rules(lang, &printable(&table.rules));
        // Mark, name, and the two spaces before the state.
        let taken = 25 + width(&self.paint.text(&state));
        vec![
            Line::from(vec![
                self.paint.span(mark, Shade::Turn),
                self.paint.span(&fit(&name, 20), shade),
                self.paint
                    .span(&cut(&self.paint.text(&rules), wide.saturating_sub(taken)), Shade::Dim),
                Span::raw("  "),
                self.paint.span(&state, Shade::Plain),
            ]),
            Line::from(vec![
                Span::raw("    "),
                self.paint.span(
                    &cut(&self.paint.text(&names.join(", ")), wide.saturating_sub(5)),
                    Shade::Dim,
                ),
            ]),
        ]
    }

    /// What one can do, with a sentence each.
    fn actions(&mut self, area: Rect) {
        let lang = self.app.lang();
        let all = [
            (Act::Join, m::about_join(lang)),
            (Act::Make, m::about_make(lang)),
            (Act::Practise, m::about_practise(lang)),
            (Act::Address, m::about_address(lang)),
            (Act::History, m::about_history(lang)),
            (Act::Settings, m::about_settings(lang)),
            (Act::Help, m::about_help(lang)),
            (Act::Quit, m::about_quit(lang)),
        ];
        for (row, (act, text)) in all.into_iter().enumerate() {
            let row = u16::try_from(row).unwrap_or(0);
            if row >= area.height {
                break;
            }
            let key = self.app.prefs.keys.shown(act);
            let label = super::super::keys::find(act).map(|e| (e.text)(lang)).unwrap_or_default();
            let line = Line::from(vec![
                self.paint.span(&fit(&format!("[{key}]"), 8), Shade::Key),
                self.paint.span(&fit(&self.paint.text(&label), 15), Shade::Strong),
                self.paint.span(&text, Shade::Dim),
            ]);
            let place = Rect { y: area.y + row, height: 1, ..area };
            self.put(place, vec![line]);
            self.hit(place, Click::Act(act));
        }
    }

    pub(super) fn form(&mut self, form: &Form, area: Rect) {
        let lang = self.app.lang();
        let title = match form.purpose {
            Purpose::First => m::form_first(lang),
            Purpose::Settings => m::form_settings(lang),
            Purpose::Make => m::form_make(lang),
            Purpose::Practise => m::form_practise(lang),
        };
        self.title_line(area, &title);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let [list, below] =
            Layout::vertical([Constraint::Min(5), Constraint::Length(6)]).areas(body);
        let block = self.paint.boxed("");
        let inner = block.inner(list);
        self.frame.render_widget(block, list);
        if form.purpose == Purpose::First {
            let [welcome, rest] =
                Layout::vertical([Constraint::Length(6), Constraint::Min(3)]).areas(inner);
            let lines = self
                .paint
                .wrap(&m::form_welcome(lang), welcome.width.saturating_sub(4))
                .into_iter()
                .map(|line| Line::from(self.paint.span(&line, Shade::Plain)))
                .collect();
            self.put(
                Rect {
                    x: welcome.x + 2,
                    y: welcome.y + 1,
                    width: welcome.width.saturating_sub(4),
                    height: 5,
                },
                lines,
            );
            self.fields(form, rest);
        } else {
            self.fields(form, inner);
        }
        let block = self.paint.boxed(&m::form_about(lang));
        let inner = block.inner(below);
        self.frame.render_widget(block, below);
        let mut text = explanation(lang, form);
        let mut shade = Shade::Plain;
        let made = matches!(form.purpose, Purpose::Make | Purpose::Practise);
        // What is wrong is told where it can be mended, and at the button; other fields keep their words.
        let here = form.fields.get(form.at).map(|field| field.id);
        if made
            && let Some((problem, ids)) = form.fault(lang)
            && here.is_some_and(|id| id == form::Id::Go || ids.contains(&id))
        {
            text = format!("! {problem}");
            shade = Shade::Bad;
        }
        let lines = self
            .paint
            .wrap(&text, inner.width.saturating_sub(2))
            .into_iter()
            .map(|line| Line::from(self.paint.span(&line, shade)))
            .collect();
        self.put(Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }, lines);
    }

    fn fields(&mut self, form: &Form, area: Rect) {
        let lang = self.app.lang();
        let room = usize::from(area.height).max(1);
        let first = (form.at + 2).saturating_sub(room).min(form.fields.len().saturating_sub(room));
        let usual = crate::rules::HouseRules::preset(form.rules.preset).switches();
        let faulty = form.fault(lang).map(|(_, ids)| ids).unwrap_or_default();
        for (row, (at, field)) in form.fields.iter().enumerate().skip(first).take(room).enumerate()
        {
            let row = u16::try_from(row).unwrap_or(0);
            let place = Rect {
                x: area.x + 1,
                y: area.y + row,
                width: area.width.saturating_sub(2),
                height: 1,
            };
            let here = at == form.at;
            let mark = if here { self.paint.pick("▸", ">") } else { " " };
            let shade = if here { Shade::Strong } else { Shade::Plain };
            let name = self.paint.text(&field_name(lang, field.id));
            let fault = if faulty.contains(&field.id) { "!" } else { " " };
            let mut spans =
                vec![self.paint.span(mark, Shade::Turn), self.paint.span(fault, Shade::Bad)];
            let cursor = if here { "_" } else { "" };
            match &field.value {
                Value::Button => {
                    let text = match form.purpose {
                        Purpose::First => m::form_go_first(lang),
                        Purpose::Settings => m::form_go_settings(lang),
                        Purpose::Make => m::form_go_make(lang),
                        Purpose::Practise => m::form_go_practise(lang),
                    };
                    spans.push(self.paint.span(&format!("[ {text} ]"), Shade::Key));
                }
                Value::Text(text) => {
                    spans.push(self.paint.span(&fit(&name, 38), Shade::Dim));
                    spans.push(self.paint.span(&format!("{text}{cursor}"), shade));
                }
                Value::Number { text, .. } => {
                    spans.push(self.paint.span(&fit(&name, 38), Shade::Dim));
                    spans.push(self.paint.span(&format!("{text}{cursor}"), shade));
                }
                Value::Choice { options, at } => {
                    let value = options.get(*at).cloned().unwrap_or_default();
                    let differs = match field.id {
                        form::Id::Switch(id) => {
                            usual.iter().any(|(name, before)| *name == id && *before != value)
                        }
                        _ => false,
                    };
                    let text = value_name(lang, field.id, &value);
                    let arrows = if here { ("< ", " >") } else { ("", "") };
                    let star = if differs { " *" } else { "" };
                    spans.push(self.paint.span(&fit(&name, 38), Shade::Dim));
                    spans.push(
                        self.paint.span(&format!("{}{text}{}{star}", arrows.0, arrows.1), shade),
                    );
                }
            }
            self.put(place, vec![Line::from(spans)]);
            self.hit(place, Click::Field(at));
        }
        if first + room < form.fields.len() {
            let text = self.paint.text(&m::more_below(lang));
            let wide = width(&text);
            let span = self.paint.span(&text, Shade::Key);
            self.line(area.right().saturating_sub(wide + 1), area.bottom(), wide, Line::from(span));
        }
    }

    pub(super) fn history(&mut self, area: Rect) {
        let lang = self.app.lang();
        self.title_line(area, &m::history_title(lang));
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let [list, detail] =
            Layout::vertical([Constraint::Percentage(50), Constraint::Min(6)]).areas(body);
        let block = self.paint.boxed("");
        let inner = block.inner(list);
        self.frame.render_widget(block, list);
        let Some(hands) = &self.app.lobby.history else {
            let line = Line::from(self.paint.span(&m::history_reading(lang), Shade::Dim));
            self.line(inner.x + 1, inner.y, inner.width, line);
            return;
        };
        if hands.is_empty() {
            let line = Line::from(self.paint.span(&m::history_none(lang), Shade::Dim));
            self.line(inner.x + 1, inner.y, inner.width, line);
            return;
        }
        let at = self.app.lobby.past.min(hands.len() - 1);
        let room = usize::from(inner.height).max(1);
        let first = (at + 1).saturating_sub(room);
        for (row, (index, hand)) in hands.iter().enumerate().skip(first).take(room).enumerate() {
            let row = u16::try_from(row).unwrap_or(0);
            let chosen = index == at;
            let mark = if chosen { self.paint.pick("▸ ", "> ") } else { "  " };
            let shade = if chosen { Shade::Strong } else { Shade::Plain };
            let text = cut(&self.paint.text(&hand.title), inner.width.saturating_sub(3));
            let line =
                Line::from(vec![self.paint.span(mark, Shade::Turn), self.paint.span(&text, shade)]);
            let place = Rect { y: inner.y + row, height: 1, ..inner };
            self.put(place, vec![line]);
            self.hit(place, Click::Past(index));
        }
        let block = self.paint.boxed(&m::history_detail(lang));
        let inner = block.inner(detail);
        self.frame.render_widget(block, detail);
        let mut lines = Vec::new();
        if let Some(hand) = hands.get(at) {
            for text in hand.lines.iter().chain(std::iter::once(&hand.file)) {
                for line in self.paint.wrap(text, inner.width.saturating_sub(2)) {
                    lines.push(Line::from(self.paint.span(&line, Shade::Plain)));
                }
            }
        }
        let room = usize::from(inner.height);
        let most = lines.len().saturating_sub(room);
        self.hit(Rect::ZERO, Click::Scroll(most));
        let scroll = self.app.lobby.past_scroll.min(most);
        let lines: Vec<_> = lines.into_iter().skip(scroll).take(room).collect();
        self.put(Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }, lines);
        if scroll < most {
            let text = self.paint.text(&m::more_below(lang));
            let wide = width(&text);
            let span = self.paint.span(&text, Shade::Key);
            let x = detail.right().saturating_sub(wide + 2);
            self.line(x, detail.bottom().saturating_sub(1), wide, Line::from(span));
        }
    }
}

/// The rules of a table nearby: the preset by its name, changes as they are told.
fn short_rules(lang: crate::i18n::Lang, rules: &str) -> String {
    let (preset, rest) = rules.split_once(", ").unwrap_or((rules, ""));
    let name = m::preset_name(lang, preset);
    if rest.is_empty() { name } else { format!("{name}, {rest}") }
}
