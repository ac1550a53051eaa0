//! What lies over a page: help, log, proofs, rules; amounts, players, questions.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;

use super::Canvas;
use super::paint::{Shade, cut, fit, width};
use crate::event::MoveKind;
use crate::i18n::{Lang, messages as m};
use crate::screens::full::app::Click;
use crate::screens::full::dialog::{Amount, Dialog, Players, Purpose, Sure};
use crate::screens::full::form::{field_name, value_name};
use crate::screens::full::keys::{Act, Code, ENTRIES, Group, Key};
use crate::screens::full::moves;
use crate::screens::full::sight::Proof;

/// What the hint bar says under a dialog.
pub(super) fn dialog_hint(lang: Lang, dialog: &Dialog) -> String {
    match dialog {
        Dialog::Amount(_) => m::hint_amount(lang),
        Dialog::Players(_) => m::hint_players(lang),
        Dialog::Sure(_) => m::hint_sure(lang),
        Dialog::Chat(_) => m::hint_chat(lang),
        Dialog::Address(_) => m::hint_text(lang),
        Dialog::Help(_)
        | Dialog::Log(_)
        | Dialog::Proofs(_)
        | Dialog::House(_)
        | Dialog::Hint(..) => m::hint_scroll(lang),
    }
}

impl Canvas<'_, '_> {
    pub(super) fn dialog(&mut self, dialog: &Dialog, area: Rect) {
        let lang = self.app.lang();
        match dialog {
            Dialog::Amount(amount) => self.amount(amount, area),
            Dialog::Players(players) => self.players(players, area),
            Dialog::Sure(sure) => self.sure(sure, area),
            Dialog::Chat(text) => self.chat(text, area),
            Dialog::Address(text) => self.address(text, area),
            Dialog::Help(scroll) => {
                let lines = self.help_lines(area.width.saturating_sub(4));
                self.pages(&m::help_title(lang), lines, *scroll, area);
            }
            Dialog::Proofs(scroll) => {
                let lines = self.proof_lines(area.width.saturating_sub(6));
                self.pages(&m::proofs_title(lang), lines, *scroll, area);
            }
            Dialog::House(scroll) => {
                let lines = self.house_lines(area.width.saturating_sub(6));
                self.pages(&m::house_title(lang), lines, *scroll, area);
            }
            Dialog::Hint(scroll, texts) => {
                let lines = self.paragraphs(texts, area.width.saturating_sub(6));
                self.pages(&m::hint_title(lang), lines, *scroll, area);
            }
            Dialog::Log(scroll) => {
                let inner = self.over(area, &m::log_title(lang));
                let (lines, most) =
                    self.log_lines(inner.width, usize::from(inner.height), *scroll, true);
                self.put(inner, lines);
                self.hit(Rect::ZERO, Click::Scroll(most));
            }
        }
    }

    /// A box over everything; what is inside.
    fn over(&mut self, area: Rect, title: &str) -> Rect {
        self.frame.render_widget(Clear, area);
        let block = self.paint.boxed(title);
        let inner = block.inner(area);
        self.frame.render_widget(block, area);
        Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
    }

    /// A box of this size in the lower middle, where it hides no cards of others.
    fn small(&mut self, area: Rect, wide: u16, tall: u16, title: &str) -> Rect {
        let (wide, tall) = (wide.min(area.width), (tall + 2).min(area.height));
        let x = area.x + area.width.saturating_sub(wide) / 2;
        let y = area.bottom().saturating_sub(tall);
        self.over(Rect { x, y, width: wide, height: tall }, title)
    }

    /// A text that can be scrolled; in columns where it is wide enough and does not fit otherwise.
    fn pages(&mut self, title: &str, lines: Vec<Line<'static>>, scroll: usize, area: Rect) {
        let inner = self.over(area, title);
        let tall = usize::from(inner.height);
        let most = lines.len().saturating_sub(tall);
        let scroll = scroll.min(most);
        self.hit(Rect::ZERO, Click::Scroll(most));
        let more = scroll < most;
        let shown: Vec<_> = lines.into_iter().skip(scroll).take(tall).collect();
        self.put(inner, shown);
        if more {
            let text = self.paint.text(&m::more_below(self.app.lang()));
            let wide = width(&text);
            let span = self.paint.span(&text, Shade::Key);
            let x = area.right().saturating_sub(wide + 2);
            self.line(x, area.bottom().saturating_sub(1), wide, Line::from(span));
        }
    }

    /// Every command with its keys, several in a line.
    fn help_lines(&self, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let at_table = self.app.at_table();
        let columns = usize::from((wide / 37).clamp(2, 4));
        let mut lines = Vec::new();
        for intro in m::help_intro(lang).lines() {
            for line in self.paint.wrap(intro, wide) {
                lines.push(Line::from(self.paint.span(&line, Shade::Plain)));
            }
        }
        if at_table {
            let typed = m::help_typed(lang, self.app.prefs.keys.shown(Act::Chat));
            for line in self.paint.wrap(&typed, wide) {
                lines.push(Line::from(self.paint.span(&line, Shade::Plain)));
            }
        }
        let mut groups = [Group::Move, Group::Table, Group::Lobby, Group::Everywhere];
        if !at_table {
            groups.rotate_left(2);
        }
        for group in groups {
            let title = match group {
                Group::Move => m::group_move(lang),
                Group::Table => m::group_table(lang),
                Group::Lobby => m::group_lobby(lang),
                Group::Everywhere => m::group_everywhere(lang),
            };
            lines.push(Line::from(self.paint.span(&title, Shade::Title)));
            let mut row: Vec<Span<'static>> = Vec::new();
            let all = ENTRIES.iter().filter(|entry| entry.group == group);
            for (at, entry) in all.enumerate() {
                let keys = self.app.prefs.keys.all_shown(entry.act);
                let text = self.paint.text(&(entry.text)(lang));
                row.push(self.paint.span(&format!("  {}", fit(&keys, 7)), Shade::Key));
                row.push(self.paint.span(&fit(&text, 28), Shade::Plain));
                if at % columns == columns - 1 {
                    lines.push(Line::from(std::mem::take(&mut row)));
                }
            }
            if group == Group::Everywhere {
                row.push(self.paint.span("  Ctrl-C ", Shade::Key));
                row.push(self.paint.span(&m::key_ctrl_c(lang), Shade::Plain));
            }
            if !row.is_empty() {
                lines.push(Line::from(row));
            }
        }
        let file = self.app.prefs.settings_file.as_str();
        for line in self.paint.wrap(&m::help_keys(lang, file), wide) {
            lines.push(Line::from(self.paint.span(&line, Shade::Dim)));
        }
        lines
    }

    /// Every proof of this hand.
    fn proof_lines(&self, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let name = |seat| sight.view.name(lang, seat);
        let mut texts: Vec<(String, Shade)> = vec![(m::proofs_intro(lang), Shade::Dim)];
        texts.push((String::new(), Shade::Plain));
        for proof in &sight.proofs {
            let shade =
                if matches!(proof, Proof::Fault { .. }) { Shade::Bad } else { Shade::Plain };
            let text = match proof {
                Proof::Shuffle { seat, ms } => m::proof_shuffle(lang, name(*seat), *ms),
                Proof::Cut { seat, at } => m::ev_cut(lang, name(*seat), *at),
                Proof::Deal { ms: Some(ms) } => m::proof_deal(lang, *ms),
                Proof::Deal { ms: None } => m::proof_deal_asked(lang),
                Proof::Shares { ms } => m::proof_shares(lang, *ms),
                Proof::Compared { caller, target, ms } => {
                    m::proof_compared(lang, name(*caller), name(*target), *ms)
                }
                Proof::Lifted { seat, ms } => m::proof_lifted(lang, name(*seat), *ms),
                Proof::Opened { seat, ms } => m::proof_opened(lang, name(*seat), *ms),
                Proof::Fault { text } => text.clone(),
            };
            let mark = if shade == Shade::Bad { "!" } else { self.paint.pick("✓", "+") };
            texts.push((format!("{mark} {text}"), shade));
        }
        if sight.proofs.is_empty() {
            texts.push((m::proofs_none(lang), Shade::Plain));
        }
        if !sight.next_proofs.is_empty() {
            texts.push((m::proofs_next(lang, sight.next_proofs.len() as u64), Shade::Dim));
        }
        texts.push((String::new(), Shade::Plain));
        if !sight.view.fingerprints.is_empty() {
            texts.push((m::proofs_keys(lang), Shade::Dim));
            for (seat, fingerprint) in &sight.view.fingerprints {
                let name = name(*seat);
                let name = if sight.view.me == Some(*seat) { m::you(lang, name) } else { name };
                texts.push((format!("  {fingerprint} {name}"), Shade::Plain));
            }
        } else if let Some(fingerprint) = &sight.fingerprint {
            texts.push((m::wait_fingerprint(lang, fingerprint.as_str()), Shade::Plain));
        }
        if let Some(id) = &sight.table_id {
            texts.push((m::proofs_table(lang, id.as_str()), Shade::Dim));
        }
        if let Some(file) = &sight.transcript {
            texts.push((m::proofs_file(lang, file.as_str()), Shade::Dim));
        }
        let mut lines = Vec::new();
        for (text, shade) in texts {
            for line in self.paint.wrap(&text, wide) {
                lines.push(Line::from(self.paint.span(&line, shade)));
            }
        }
        lines
    }

    /// Texts, each beginning on a line of its own.
    fn paragraphs(&self, texts: &[String], wide: u16) -> Vec<Line<'static>> {
        let lines = texts.iter().flat_map(|text| self.paint.wrap(text, wide));
        lines.map(|line| Line::from(self.paint.span(&line, Shade::Plain))).collect()
    }

    /// The rules in plain words, filled anew: paragraphs are parted by empty lines, and headings are
    /// underlined.
    fn page_lines(&self, page: &str, wide: u16) -> Vec<Line<'static>> {
        let underline = |line: &str| line.len() > 2 && line.chars().all(|c| c == '=' || c == '-');
        let mut lines = Vec::new();
        for block in page.split("\n\n") {
            let mut rest: Vec<&str> = block.lines().collect();
            if rest.get(1).is_some_and(|line| underline(line)) {
                let title: String = rest.drain(..2).take(1).collect();
                lines.push(Line::from(self.paint.span(&title, Shade::Title)));
            }
            lines.extend(self.paragraphs(&refilled(&rest), wide));
            lines.push(Line::default());
        }
        lines
    }

    /// How rules are changed, the rules in plain words, then the switches, one a line; what differs from
    /// the preset is marked.
    fn house_lines(&self, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let view = &self.app.sight.view;
        let Some(rules) = &view.rules else { return Vec::new() };
        let mut about = vec![m::house_propose(lang, self.app.prefs.keys.shown(Act::Chat))];
        if view.seats.len() == 3 {
            about.push(m::three_players(lang, if rules.dark.is_on() { "on" } else { "off" }));
        }
        let mut lines = self.paragraphs(&about, wide);
        lines.push(Line::default());
        lines.extend(self.page_lines(&crate::house::words(rules, lang), wide));
        let usual = crate::rules::HouseRules::preset(rules.preset).switches();
        let all = rules.switches().into_iter().zip(usual);
        lines.extend(all.map(|((name, value), (_, before))| {
            let id = match name {
                "preset" => crate::screens::full::form::Id::Preset,
                name => crate::screens::full::form::Id::Switch(name),
            };
            let differs = name != "preset" && value != before;
            let mark = if differs { "* " } else { "  " };
            let label = self.paint.text(&field_name(lang, id));
            let shade = if differs { Shade::Strong } else { Shade::Plain };
            Line::from(vec![
                self.paint.span(mark, Shade::Key),
                self.paint.span(&fit(&label, 40), Shade::Dim),
                self.paint.span(&value_name(lang, id, &value), shade),
            ])
        }));
        lines
    }

    fn amount(&mut self, amount: &Amount, area: Rect) {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let title = match amount.purpose {
            Purpose::Rebuy => m::key_rebuy(lang),
            Purpose::Pool(..) => m::key_pool(lang),
            Purpose::Move(MoveKind::Bet) => m::key_raise(lang),
            Purpose::Move(kind) => {
                let act = crate::screens::full::keys::Act::Move(kind);
                crate::screens::full::keys::find(act).map(|e| (e.text)(lang)).unwrap_or_default()
            }
        };
        let inner = self.small(area, 64, 4, &title);
        let shown = format!("{}_", amount.text);
        let asked = match amount.purpose {
            Purpose::Move(MoveKind::Replace) => {
                m::amount_which(lang, moves::not_dealt(amount.min, amount.max))
            }
            _ => m::amount_how_much(lang),
        };
        let first = Line::from(vec![
            self.paint.span(&asked, Shade::Plain),
            Span::raw(" "),
            self.paint.span(&shown, Shade::Turn),
            Span::raw("  "),
            self.paint.span(&m::amount_limits(lang, amount.min, amount.max), Shade::Dim),
        ]);
        let stack = sight.view.my_seat().map_or(0, |seat| seat.stack);
        let value = amount.value();
        let costs = matches!(amount.purpose, Purpose::Move(MoveKind::Bet | MoveKind::Dark));
        let second = match (amount.purpose, value) {
            (_, None) => m::amount_not(lang),
            (Purpose::Pool(partner, sum), Some(mine)) => {
                m::amount_pool(lang, sight.view.name(lang, partner), sum.saturating_sub(mine))
            }
            (_, Some(value)) if costs => {
                let bank = sight.view.bank.saturating_add(value);
                m::then_paid(lang, stack.saturating_sub(value), bank)
            }
            _ => String::new(),
        };
        let shade = if value.is_none() { Shade::Bad } else { Shade::Dim };
        let mut third: Vec<Span<'static>> = Vec::new();
        let mut x = inner.x;
        let mut hits = Vec::new();
        for (key, number) in &amount.presets {
            let name = m::amount_preset(lang, key.to_string());
            let text = self.paint.text(&format!("{name} {number}"));
            let shown = Key::char(*key).shown();
            let wide = width(&text) + width(&shown) + 3;
            hits.push((Rect { x, y: inner.y + 2, width: wide, height: 1 }, Key::char(*key)));
            third.push(self.paint.span(&format!("[{shown}]"), Shade::Key));
            third.push(Span::raw(format!(" {text}  ")));
            x += wide + 2;
        }
        let second = Line::from(self.paint.span(&second, shade));
        self.put(inner, vec![first, second, Line::from(third)]);
        for (place, key) in hits {
            self.hit(place, Click::Key(key));
        }
        self.buttons(
            inner,
            &[(Code::Enter, m::button_ok(lang)), (Code::Esc, m::button_back(lang))],
        );
    }

    /// Buttons in the last line of a box.
    fn buttons(&mut self, inner: Rect, all: &[(Code, String)]) {
        let y = inner.bottom().saturating_sub(1);
        let mut x = inner.x;
        for (code, text) in all {
            let key = Key::plain(*code);
            let shown = match code {
                Code::Char('y') => self.app.prefs.keys.shown(yes()),
                _ => key.shown(),
            };
            let text = self.paint.text(text);
            let wide = width(&text) + width(&shown) + 3;
            let line = Line::from(vec![
                self.paint.span(&format!("[{shown}]"), Shade::Key),
                Span::raw(format!(" {text}")),
            ]);
            let place = Rect { x, y, width: wide, height: 1 };
            self.put(place, vec![line]);
            self.hit(place, Click::Key(key));
            x += wide + 3;
        }
    }

    fn players(&mut self, players: &Players, area: Rect) {
        let lang = self.app.lang();
        let act = crate::screens::full::keys::Act::Move(players.kind);
        let title =
            crate::screens::full::keys::find(act).map(|e| (e.text)(lang)).unwrap_or_default();
        let tall = u16::try_from(players.seats.len()).unwrap_or(0) + 2;
        let inner = self.small(area, 50, tall, &title);
        let mut lines = Vec::new();
        for (at, seat) in players.seats.iter().enumerate() {
            let chosen = at == players.at;
            let mark = if chosen { self.paint.pick("▸ ", "> ") } else { "  " };
            let name = self.app.sight.view.name(lang, *seat);
            let name = cut(&self.paint.text(&name), inner.width.saturating_sub(2));
            let shade = if chosen { Shade::Strong } else { Shade::Plain };
            lines.push(Line::from(vec![
                self.paint.span(mark, Shade::Turn),
                self.paint.span(&name, shade),
            ]));
        }
        self.put(inner, lines);
        self.buttons(
            inner,
            &[(Code::Enter, m::button_ok(lang)), (Code::Esc, m::button_back(lang))],
        );
    }

    fn sure(&mut self, sure: &Sure, area: Rect) {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let text = match sure {
            Sure::Pay(_, cost) => {
                let stack = sight.view.my_seat().map_or(0, |seat| seat.stack);
                m::sure_pay(lang, *cost, stack)
            }
            Sure::Look(_) => m::sure_look(lang),
            Sure::Leave => {
                let stack = sight.view.my_seat().map_or(0, |seat| seat.stack);
                let leave = match sight.in_hand() {
                    true => m::sure_leave_hand(lang, sight.paid),
                    false => m::sure_leave(lang),
                };
                let pause = self.app.prefs.keys.shown(Act::SitOut);
                format!("{leave} {}", m::sure_leave_with(lang, stack, pause))
            }
        };
        let lines = self.paint.wrap(&text, 56);
        let tall = u16::try_from(lines.len()).unwrap_or(1) + 2;
        let inner = self.small(area, 60, tall, &m::sure_title(lang));
        let lines = lines
            .into_iter()
            .map(|line| Line::from(self.paint.span(&line, Shade::Strong)))
            .collect();
        self.put(inner, lines);
        self.buttons(inner, &[(Code::Enter, m::do_yes(lang)), (Code::Esc, m::do_no(lang))]);
    }

    /// What was said, and a line to answer.
    fn chat(&mut self, text: &str, area: Rect) {
        let lang = self.app.lang();
        let tall = (area.height / 3).clamp(6, 16);
        let wide = (area.width * 3 / 4).clamp(60, 100);
        let inner = self.small(area, wide, tall, &m::chat_title(lang));
        let room = usize::from(inner.height.saturating_sub(1));
        let mut lines: Vec<Line<'static>> = Vec::new();
        for (seat, said) in &self.app.sight.chat {
            let line = format!("{}: {said}", self.app.sight.view.name(lang, *seat));
            for text in self.paint.wrap(&line, inner.width) {
                lines.push(Line::from(self.paint.span(&text, Shade::Plain)));
            }
        }
        let skip = lines.len().saturating_sub(room);
        let lines: Vec<_> = lines.into_iter().skip(skip).collect();
        self.put(Rect { height: inner.height.saturating_sub(1), ..inner }, lines);
        self.input(inner, text);
    }

    fn address(&mut self, text: &str, area: Rect) {
        let lang = self.app.lang();
        let lines = self.paint.wrap(&m::address_text(lang), 56);
        let tall = u16::try_from(lines.len()).unwrap_or(1) + 2;
        let inner = self.small(area, 60, tall, &m::key_address(lang));
        let lines = lines
            .into_iter()
            .map(|line| Line::from(self.paint.span(&line, Shade::Plain)))
            .collect();
        self.put(inner, lines);
        self.input(inner, text);
    }

    /// The line that is typed into, at the bottom of a box; its end where it is too long.
    fn input(&mut self, inner: Rect, text: &str) {
        let mut shown = self.paint.text(text);
        while width(&shown) + 3 > inner.width {
            shown.remove(0);
        }
        let line = Line::from(vec![
            self.paint.span("> ", Shade::Key),
            self.paint.span(&format!("{shown}_"), Shade::Strong),
        ]);
        self.line(inner.x, inner.bottom().saturating_sub(1), inner.width, line);
    }
}

/// The paragraphs of a block that was filled for another width, each in one line: points stay points, and
/// what is set off otherwise stays as it stands.
fn refilled(block: &[&str]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for line in block {
        let set_off = line.starts_with("  ");
        match texts.last_mut() {
            Some(last) if !line.starts_with("- ") && set_off == last.starts_with("- ") => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            _ => texts.push((*line).to_owned()),
        }
    }
    texts
}

const fn yes() -> crate::screens::full::keys::Act {
    crate::screens::full::keys::Act::Move(MoveKind::Accept)
}

#[cfg(test)]
mod tests {
    #[test]
    fn paragraphs_are_filled_once() {
        let refilled = super::refilled(&["One", "two.", "- A", "  b", "- C"]);
        assert_eq!(refilled, ["One two.", "- A b", "- C"]);
        assert_eq!(super::refilled(&["  as it", "  stands"]), ["  as it", "  stands"]);
    }
}
