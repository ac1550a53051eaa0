//! Painting. Nothing here changes anything; what can be pressed with the mouse is handed back.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::app::{App, Click, Hit, Hits, Page};
use super::form::Purpose;
use super::keys::Act;
use crate::i18n::messages as m;

mod cards;
mod lobby;
mod over;
mod paint;
mod seats;
mod table;

use paint::{Paint, Shade};

/// The least terminal.
const LEAST: (u16, u16) = (80, 24);

/// Paints the screen, and tells where the mouse can press.
pub fn draw(app: &App, frame: &mut Frame<'_>) -> Hits {
    let paint = Paint::new(&app.prefs);
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        too_small(app, &paint, frame, area);
        return vec![Hit { area: Rect::ZERO, click: Click::TooSmall }];
    }
    let mut canvas = Canvas { app, paint, frame, hits: Vec::new() };
    let [page, hint] = Layout::vertical([Constraint::Min(1), Constraint::Length(1)]).areas(area);
    match &app.page {
        Page::Form(form) => canvas.form(form, page),
        Page::Lobby => canvas.lobby(page),
        Page::History => canvas.history(page),
        Page::Table => canvas.table(page),
    }
    canvas.hints(hint);
    if let Some(dialog) = &app.dialog {
        canvas.dialog(dialog, page);
    }
    canvas.note(area);
    canvas.hits
}

fn too_small(app: &App, paint: &Paint, frame: &mut Frame<'_>, area: Rect) {
    let text = m::too_small(
        app.lang(),
        u64::from(LEAST.0),
        u64::from(LEAST.1),
        u64::from(area.width),
        u64::from(area.height),
    );
    // Keys do nothing meanwhile, but the time of whoever is to act runs on.
    let view = &app.sight.view;
    let word = view.turn.as_ref().filter(|_| app.at_table()).map(|turn| {
        let who = match turn.mine {
            true => m::word_is_yours(app.lang()),
            false => m::word_is_of(app.lang(), view.name(app.lang(), turn.seat)),
        };
        match app.sight.running_clock() {
            Some((end, _)) => {
                format!("{who} {}", m::seconds_left(app.lang(), app.seconds_to(end)))
            }
            None => who,
        }
    });
    let note = app.note.as_ref().map(|note| note.text.clone());
    let texts = [Some(text), app.sight.stopped.clone(), word, note];
    let lines: Vec<Line<'_>> = texts
        .iter()
        .flatten()
        .flat_map(|text| paint.wrap(text, area.width))
        .map(|line| Line::raw(line).centered())
        .collect();
    let top = area.height.saturating_sub(u16::try_from(lines.len()).unwrap_or(0)) / 2;
    let inner = Rect { y: area.y + top, height: area.height - top, ..area };
    frame.render_widget(Paragraph::new(lines), inner);
}

/// An app that is being painted.
struct Canvas<'a, 'f> {
    app: &'a App,
    paint: Paint,
    frame: &'a mut Frame<'f>,
    hits: Hits,
}

impl Canvas<'_, '_> {
    fn put(&mut self, area: Rect, lines: Vec<Line<'static>>) {
        let area = area.intersection(self.frame.area());
        self.frame.render_widget(Paragraph::new(lines), area);
    }

    fn line(&mut self, x: u16, y: u16, width: u16, line: Line<'static>) {
        self.put(Rect { x, y, width, height: 1 }, vec![line]);
    }

    fn hit(&mut self, area: Rect, click: Click) {
        self.hits.push(Hit { area, click });
    }

    /// The commands of this page with their keys, as many as there is room for.
    fn hints(&mut self, area: Rect) {
        let app = self.app;
        let lang = app.lang();
        let acts: Vec<Act> = match &app.page {
            _ if app.dialog.is_some() => Vec::new(),
            Page::Table => self.table_hints(),
            // What is most wanted first: the rest stands above with a sentence each.
            Page::Lobby => [Act::Join, Act::Make, Act::Practise, Act::Quit, Act::Address]
                .into_iter()
                .chain([Act::Settings, Act::History, Act::Help])
                .collect(),
            Page::History | Page::Form(_) => Vec::new(),
        };
        if acts.is_empty() {
            let text = match (&app.dialog, &app.page) {
                (Some(dialog), _) => over::dialog_hint(lang, dialog),
                (None, Page::Form(form)) if form.purpose == Purpose::First => m::hint_first(lang),
                (None, Page::Form(_)) => m::hint_form(lang),
                (None, _) => m::hint_history(lang),
            };
            let line = Line::from(self.paint.span(&text, Shade::Dim));
            self.line(area.x + 1, area.y, area.width.saturating_sub(2), line);
            return;
        }
        // Help is the last to go where room is short.
        let mut x = area.x + 1;
        let help = acts.last().copied();
        let width_of = |act: Act, paint: &Paint| {
            let entry = super::keys::find(act);
            let text = entry.map(|entry| (entry.text)(lang)).unwrap_or_default();
            (app.prefs.keys.shown(act), paint.text(&text))
        };
        let reserved = help.map_or(0, |act| {
            let (key, text) = width_of(act, &self.paint);
            paint::width(&key) + paint::width(&text) + 4
        });
        // Where they do not all fit they stand closer.
        let all: u16 = acts
            .iter()
            .map(|act| {
                let (key, text) = width_of(*act, &self.paint);
                paint::width(&key) + paint::width(&text) + 5
            })
            .fold(0, u16::saturating_add);
        let gap = if all >= area.width { 1 } else { 2 };
        for act in acts {
            let (key, text) = width_of(act, &self.paint);
            let wide = paint::width(&key) + paint::width(&text) + 3;
            let keep = if Some(act) == help { 0 } else { reserved };
            if x + wide + keep > area.right() {
                continue;
            }
            let line = Line::from(vec![
                self.paint.span(&format!("[{key}]"), Shade::Key),
                Span::raw(" "),
                self.paint.span(&text, Shade::Plain),
            ]);
            let place = Rect { x, y: area.y, width: wide, height: 1 };
            self.put(place, vec![line]);
            self.hit(place, Click::Act(act));
            x += wide + gap;
        }
    }

    fn table_hints(&self) -> Vec<Act> {
        let app = self.app;
        if app.sight.view.table.is_none() {
            return match app.joining {
                Some(_) => vec![Act::Leave, Act::Help],
                None => vec![Act::Leave, Act::Help],
            };
        }
        let mut acts = Vec::new();
        let alone = app.sight.view.seats.len() < 2;
        if !app.sight.begun && !alone && app.joining.is_none() {
            acts.push(Act::Start);
        }
        // Where room is short the last go first: what runs out is asked for before anything else.
        if app.sight.view.my_turn().is_some() {
            acts.push(Act::MoreTime);
        }
        acts.extend([Act::Hint, Act::Chat, Act::Log, Act::Proofs, Act::Leave, Act::House]);
        acts.extend([Act::Rebuy, Act::SitOut, Act::Mute, Act::Help]);
        acts
    }

    /// What was refused, or has to be known now: above the hint bar, over what is there.
    fn note(&mut self, area: Rect) {
        let Some(note) = &self.app.note else { return };
        let with_dialog = self.app.dialog.is_some();
        let width = area.width.saturating_sub(4);
        let mut lines = self.paint.wrap(&note.text, width.saturating_sub(2));
        lines.truncate(4);
        let height = u16::try_from(lines.len()).unwrap_or(1);
        let shade = if note.bad { Shade::Bad } else { Shade::Good };
        let mark = if note.bad { "! " } else { "  " };
        // A dialog lies in the lower middle: what is said meanwhile stands above it.
        let y = match with_dialog {
            true => area.y,
            false => area.bottom().saturating_sub(1 + height),
        };
        let place = Rect { x: area.x, y, width: area.width, height };
        self.frame.render_widget(ratatui::widgets::Clear, place);
        let lines = lines
            .into_iter()
            .enumerate()
            .map(|(at, text)| {
                let mark = if at == 0 { mark } else { "  " };
                Line::from(self.paint.span(&format!(" {mark}{text}"), shade))
            })
            .collect();
        self.put(place, lines);
    }
}
