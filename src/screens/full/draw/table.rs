//! The table: head line, players, the middle, own cards and choices, the log.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::Canvas;
use super::cards::{LARGE, SMALL};
use super::paint::{Shade, cut, fit, width};
use crate::i18n::messages as m;
use crate::screens::full::app::{Ahead, Click};
use crate::screens::full::keys::{Act, Code, Key};
use crate::screens::full::moves;
use crate::screens::full::sight::Tone;
use crate::screens::view::Part;

impl Canvas<'_, '_> {
    pub(super) fn table(&mut self, area: Rect) {
        let [head, body] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(1)]).areas(area);
        self.head(head);
        if self.app.sight.view.table.is_none() {
            self.nobody_yet(body);
            return;
        }
        // Each choice has a line of its own as long as the log leaves room for it.
        let choices = u16::try_from(self.app.choices().len()).unwrap_or(0);
        let own = if body.height >= 30 && body.width >= 140 { 10 } else { 7 };
        let own = own.max((choices + 2).min(9));
        // A wide terminal has the log at its side, a narrow one below.
        let (body, log) = if body.width >= 110 {
            let side = (body.width / 3).min(60);
            let [left, right] =
                Layout::horizontal([Constraint::Min(1), Constraint::Length(side)]).areas(body);
            (left, right)
        } else {
            let tall = body.height.saturating_sub(own + 9).clamp(4, 10);
            let [top, bottom] =
                Layout::vertical([Constraint::Min(1), Constraint::Length(tall)]).areas(body);
            (top, bottom)
        };
        let [table, own] =
            Layout::vertical([Constraint::Min(1), Constraint::Length(own)]).areas(body);
        let middle = self.seats(table);
        self.middle(middle);
        self.own(own);
        self.log(log);
    }

    fn head(&mut self, area: Rect) {
        let app = self.app;
        let lang = app.lang();
        let view = &app.sight.view;
        let mut left = vec![Span::raw(" ")];
        let name = view.table.clone().unwrap_or_else(|| m::program_name(lang));
        left.push(self.paint.span(&name, Shade::Title));
        let mut more = String::new();
        if let Some(rules) = &view.rules {
            more = format!(" · {}", m::preset_name(lang, rules.preset.to_string()));
        }
        if let Some(hand) = view.hand {
            more.push_str(" · ");
            more.push_str(&m::head_hand(lang, hand));
            if view.dealer.is_some() && view.dealer == view.me {
                more.push_str(" · ");
                more.push_str(&m::head_you_deal(lang));
            }
        }
        left.push(self.paint.span(&more, Shade::Dim));
        self.put(area, vec![Line::from(left)]);
        let mut right = String::new();
        if app.muted {
            right = m::head_muted(lang);
        } else if app.sight.unread > 0 {
            right = m::head_unread(lang, app.sight.unread as u64, app.prefs.keys.shown(Act::Chat));
        }
        if app.sight.sitting_out {
            right = format!("{} {right}", m::head_sitting_out(lang));
        }
        let right = self.paint.text(&right);
        let wide = width(&right) + 1;
        let span = self.paint.span(&right, Shade::Turn);
        let x = area.right().saturating_sub(wide);
        self.line(x, area.y, wide, Line::from(span));
        self.hit(Rect { x, y: area.y, width: wide, height: 1 }, Click::Act(Act::Chat));
    }

    /// Before there is a table: what is waited for, and how others come.
    fn nobody_yet(&mut self, area: Rect) {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let mut lines = vec![sight.waiting.clone().unwrap_or_else(|| m::wait_start(lang))];
        if let Some(target) = &self.app.joining {
            // Somebody else's table: one's own address is of no use to anybody.
            if !target.is_empty() {
                lines = vec![m::wait_reach(lang, target.as_str())];
            }
            lines.push(String::new());
            lines.push(m::wait_back(lang, self.app.prefs.keys.shown(Act::Leave)));
            self.block_of_text(area, &lines);
            return;
        }
        if !sight.listen.is_empty() {
            lines.push(String::new());
            lines.push(m::wait_invite(lang));
            lines.extend(sight.listen.iter().take(4).map(|at| format!("   trinka join {at}")));
        }
        if let Some(fingerprint) = &sight.fingerprint {
            lines.push(String::new());
            lines.push(m::wait_fingerprint(lang, fingerprint.as_str()));
        }
        self.block_of_text(area, &lines);
    }

    /// Lines in the middle of an area, the first one strong.
    fn block_of_text(&mut self, area: Rect, lines: &[String]) {
        let most = area.width.saturating_sub(4).min(72);
        let mut all: Vec<(String, Shade)> = Vec::new();
        for (at, text) in lines.iter().enumerate() {
            let shade = if at == 0 { Shade::Strong } else { Shade::Plain };
            all.extend(self.paint.wrap(text, most).into_iter().map(|line| (line, shade)));
        }
        let tall = u16::try_from(all.len()).unwrap_or(0).min(area.height);
        let wide = all.iter().map(|(text, _)| width(text)).max().unwrap_or(0);
        let x = area.x + area.width.saturating_sub(wide) / 2;
        let y = area.y + area.height.saturating_sub(tall) / 2;
        let lines = all
            .into_iter()
            .map(|(text, shade)| Line::from(self.paint.span(&text, shade)))
            .collect();
        self.put(Rect { x, y, width: wide.min(area.width), height: tall }, lines);
    }

    /// The bank, the price, whose word it is, or what has just happened.
    fn middle(&mut self, area: Rect) {
        let area = if area.height >= 12 {
            // There is room for a table to sit at.
            let block = self.paint.boxed("");
            let inner = block.inner(area);
            self.frame.render_widget(block, area);
            inner
        } else {
            area
        };
        let room = usize::from(area.height);
        let mut core = self.middle_lines(area.width);
        // What has just happened comes first. Where the room is short the rest says less, and then the
        // oldest sentences go.
        let mut results = self.results(area.width);
        let tall = |results: &[Vec<Line<'_>>]| results.iter().map(Vec::len).sum::<usize>();
        if tall(&results) + core.len() > room {
            core = self.brief_lines(area.width);
        }
        if self.app.sight.stopped.is_some() && tall(&results) + core.len() > room {
            // That nothing goes on matters more than what was.
            results.clear();
        }
        while results.len() > 1 && tall(&results) + core.len() > room {
            results.remove(0);
        }
        let mut lines = results.concat();
        if !lines.is_empty() && lines.len() + core.len() < room {
            lines.push(Line::default());
        }
        lines.extend(core);
        let tall = u16::try_from(lines.len()).unwrap_or(0).min(area.height);
        let y = area.y + (area.height - tall) / 2;
        let lines = lines.into_iter().map(Line::centered).collect();
        self.put(Rect { y, height: tall, ..area }, lines);
    }

    /// The result of a hand or a comparison, and what was lifted, for as long as it is read: the lines of
    /// each sentence.
    fn results(&self, wide: u16) -> Vec<Vec<Line<'static>>> {
        let sentence = |text: &str, shade| -> Vec<Line<'static>> {
            let lines = self.paint.wrap(text, wide);
            lines.iter().map(|line| Line::from(self.paint.span(line, shade))).collect()
        };
        let mut all = Vec::new();
        if let Some(result) = &self.app.sight.showdown {
            let last = result.lines.len().saturating_sub(1);
            for (at, text) in result.lines.iter().enumerate() {
                all.push(sentence(text, if at == last { Shade::Strong } else { Shade::Good }));
            }
        }
        all.extend(
            self.app.sight.lifted(self.paint.locale).map(|text| sentence(&text, Shade::Good)),
        );
        all
    }

    /// What cannot be left out beside a result: bank and price, whose word it is and for how long.
    fn brief_lines(&self, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let view = &sight.view;
        if view.hand.is_none() {
            return Vec::new();
        }
        let mut first = vec![
            self.paint.span(&m::bank_word(lang), Shade::Plain),
            Span::raw(" "),
            self.paint.span(&view.bank.to_string(), Shade::Money),
        ];
        if let Some(price) = view.price {
            first.push(self.paint.span(&format!(" · {}", m::price_is(lang, price)), Shade::Dim));
        }
        let mut lines = vec![Line::from(first)];
        lines.extend(self.stopped_lines(wide));
        let Some(turn) = &view.turn else {
            if sight.deal.done.is_none() && !sight.deal.order.is_empty() {
                lines.extend(self.deal_lines(wide).into_iter().take(1));
            }
            return lines;
        };
        let who = if turn.mine {
            m::word_is_yours(lang)
        } else {
            m::word_is_of(lang, view.name(lang, turn.seat))
        };
        let clock = self.clock(12).unwrap_or_default();
        let room = wide.saturating_sub(u16::try_from(clock.width()).unwrap_or(wide) + 1);
        let mut last = vec![self.paint.span(&cut(&self.paint.text(&who), room), Shade::Turn)];
        last.push(Span::raw(" "));
        last.extend(clock.spans);
        lines.push(Line::from(last));
        lines
    }

    /// What stands there always.
    fn middle_lines(&self, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let view = &sight.view;
        let mut lines = Vec::new();
        let Some(_) = view.hand else {
            if sight.stopped.is_some() {
                lines.extend(self.stopped_lines(wide));
            } else if view.turn.is_some() {
                lines.extend(self.turn_lines(wide));
            } else if sight.deal.ahead && !sight.deal.shuffled.is_empty() {
                lines.extend(self.deal_lines(wide));
            } else if sight.showdown.is_none() {
                let text = sight.waiting.clone().unwrap_or_else(|| match view.seats.len() {
                    0 | 1 => m::wait_players(lang),
                    _ if !sight.dealt_once => m::wait_start(lang),
                    _ => m::between_hands(lang),
                });
                for line in self.paint.wrap(&text, wide) {
                    lines.push(Line::from(self.paint.span(&line, Shade::Strong)));
                }
                if !sight.begun && self.app.joining.is_none() {
                    lines.extend(self.come(wide));
                    lines.extend(self.invitation(wide));
                }
            }
            return lines;
        };
        lines.push(Line::from(vec![
            self.paint.span(&m::bank_word(lang), Shade::Plain),
            Span::raw(" "),
            self.paint.span(&view.bank.to_string(), Shade::Money),
        ]));
        if sight.stopped.is_some() {
            lines.extend(self.stopped_lines(wide));
            lines.extend(self.turn_lines(wide));
            return lines;
        }
        if sight.deal.done.is_none() && !sight.deal.order.is_empty() {
            lines.extend(self.deal_lines(wide));
            return lines;
        }
        let ceiling = view.rules.as_ref().and_then(|rules| rules.ceiling());
        let ceiling = match ceiling {
            Some(most) => m::ceiling_is(lang, most),
            None => m::ceiling_none(lang),
        };
        let price = match view.price {
            Some(price) => format!("{} · {ceiling}", m::price_is(lang, price)),
            None => ceiling,
        };
        lines.push(Line::from(self.paint.span(&price, Shade::Dim)));
        if view.turn.is_some() {
            lines.push(Line::default());
            lines.extend(self.turn_lines(wide));
        } else if let Some(text) = &sight.waiting {
            lines.push(Line::default());
            for line in self.paint.wrap(text, wide) {
                lines.push(Line::from(self.paint.span(&line, Shade::Dim)));
            }
        }
        lines
    }

    /// That nothing can be decided without those who are gone.
    fn stopped_lines(&self, wide: u16) -> Vec<Line<'static>> {
        let text = self.app.sight.stopped.as_deref().unwrap_or_default();
        let lines = self.paint.wrap(text, wide);
        lines.iter().map(|line| Line::from(self.paint.span(line, Shade::Bad))).collect()
    }

    /// Whose word it is, and for how long.
    fn turn_lines(&self, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let view = &self.app.sight.view;
        let Some(turn) = &view.turn else { return Vec::new() };
        let who = if turn.mine {
            m::word_is_yours(lang)
        } else {
            m::word_is_of(lang, view.name(lang, turn.seat))
        };
        let who = cut(&self.paint.text(&who), wide);
        let mut lines = vec![Line::from(self.paint.span(&who, Shade::Turn))];
        lines.extend(self.clock(wide));
        lines
    }

    /// How many of those that are waited for have come.
    fn come(&self, wide: u16) -> Option<Line<'static>> {
        let come = self.app.sight.view.seats.len() as u64;
        let all = u64::from(self.app.begin?);
        let text = m::wait_come(self.app.lang(), come, all);
        (come < all).then(|| Line::from(self.paint.span(&cut(&text, wide), Shade::Plain)))
    }

    /// How friends come to a table that has not begun.
    fn invitation(&self, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let public = |at: &&String| !at.starts_with("127.") && !at.starts_with("[::1]");
        let Some(at) = sight.listen.iter().find(public).or(sight.listen.first()) else {
            return Vec::new();
        };
        let texts = [
            (m::wait_invite(lang), Shade::Dim),
            (format!("trinka join {at}"), Shade::Strong),
            (m::wait_begin(lang, self.app.prefs.keys.shown(Act::Start)), Shade::Dim),
        ];
        let mut lines = vec![Line::default()];
        // Alone nobody begins.
        let all = if sight.view.seats.len() < 2 { 2 } else { 3 };
        for (text, shade) in texts.into_iter().take(all) {
            for line in self.paint.wrap(&text, wide) {
                lines.push(Line::from(self.paint.span(&line, shade)));
            }
        }
        lines
    }

    /// The time that is left, as a bar and in seconds.
    fn clock(&self, wide: u16) -> Option<Line<'static>> {
        let (end, long) = self.app.sight.running_clock()?;
        let left = end.saturating_sub(self.app.now);
        let seconds = self.app.seconds_to(end);
        let cells = u64::from((wide / 2).clamp(8, 20));
        let full = if long == 0 { 0 } else { (left * cells).div_ceil(long).min(cells) };
        let count = |n: u64| usize::try_from(n).unwrap_or(0);
        let bar = format!(
            "{}{}",
            self.paint.pick("█", "#").repeat(count(full)),
            self.paint.pick("░", ".").repeat(count(cells - full))
        );
        let shade = if seconds <= 10 { Shade::Bad } else { Shade::Plain };
        let text = format!("{bar} {}", m::seconds_left(self.app.lang(), seconds));
        Some(Line::from(self.paint.span(&text, shade)))
    }

    /// The deal as it goes: who has shuffled, who is shuffling.
    fn deal_lines(&self, wide: u16) -> Vec<Line<'static>> {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let view = &sight.view;
        let done = if sight.deal.ahead { sight.deal.shuffled.len() as u64 } else { 0 };
        let all = sight.deal.order.len() as u64;
        let text = match (sight.deal.now(), view.my_turn()) {
            (_, Some(_)) => m::word_is_yours(lang),
            (now, _) => match (&view.turn, now) {
                (Some(turn), _) => m::word_is_of(lang, view.name(lang, turn.seat)),
                (None, Some(seat)) => m::deal_shuffles(lang, view.name(lang, seat)),
                (None, None) => m::deal_deals(lang),
            },
        };
        let shade = if view.my_turn().is_some() { Shade::Turn } else { Shade::Plain };
        let mut lines =
            vec![Line::from(self.paint.span(&cut(&self.paint.text(&text), wide), shade))];
        if done > 0 {
            lines.push(Line::from(self.paint.span(&m::deal_proved(lang, done, all), Shade::Dim)));
        }
        if let Some(clock) = view.turn.as_ref().and_then(|_| self.clock(wide)) {
            lines.push(clock);
        }
        lines
    }

    /// Own cards and what may be done.
    fn own(&mut self, area: Rect) {
        let app = self.app;
        let sight = &app.sight;
        let rule = self.paint.pick("─", "-").repeat(usize::from(area.width));
        let line = Line::from(self.paint.span(&rule, Shade::Dim));
        self.line(area.x, area.y, area.width, line);
        let inner = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let size = if inner.height >= 9 && inner.width >= 90 { LARGE } else { SMALL };
        let cards = sight.own().map(|(cards, _)| cards.as_slice());
        let in_hand = sight.in_hand() || cards.is_some();
        let dealt = sight.deal.done.is_some();
        let left = 3 * (size.width + 1) + 1;
        let open = sight.view.me.and_then(|me| sight.open.get(&me)).copied();
        if in_hand && (dealt && !sight.choosing || cards.is_some()) {
            self.own_cards(inner.x + 1, inner.y, size, cards, open);
        }
        self.own_line(Rect { y: inner.y + size.height, height: 1, width: left + 2, ..inner });
        let right =
            Rect { x: inner.x + left + 2, width: inner.width.saturating_sub(left + 3), ..inner };
        let choices = app.choices();
        if choices.is_empty() {
            self.own_idle(right);
            return;
        }
        let mut y = right.y;
        if let Some(question) = moves::question(self.paint.locale, sight) {
            let most = usize::from(right.height).saturating_sub(choices.len()).max(1);
            for text in self.paint.wrap(&question, right.width).into_iter().take(most) {
                let line = Line::from(self.paint.span(&text, Shade::Turn));
                self.line(right.x, y, right.width, line);
                y += 1;
            }
        }
        // Two columns where there are more choices than lines.
        let room = usize::from(right.bottom().saturating_sub(y)).max(1);
        let columns = choices.len().div_ceil(room).max(1);
        let each = right.width / u16::try_from(columns).unwrap_or(1).max(1);
        for (at, choice) in choices.iter().enumerate() {
            let n = |at: usize| u16::try_from(at).unwrap_or(0);
            let place = Rect {
                x: right.x + each * n(at / room),
                y: y + n(at % room),
                width: each.saturating_sub(1),
                height: 1,
            };
            let chosen = Some(at) == app.chosen;
            let mark = if chosen { self.paint.pick("▸", ">") } else { " " };
            let key = app.prefs.keys.shown(choice.act);
            let label = self.paint.text(&choice.label);
            let shade = if chosen { Shade::Strong } else { Shade::Plain };
            let mut spans = vec![
                self.paint.span(mark, Shade::Turn),
                self.paint.span(&format!("[{key}] "), Shade::Key),
                self.paint.span(&label, shade),
            ];
            let used = width(&label) + width(&key) + 4;
            let then = self.paint.text(&choice.then);
            if used + 3 + width(&then) <= place.width && !then.is_empty() {
                spans.push(self.paint.span(&format!("   {then}"), Shade::Dim));
            }
            self.put(place, vec![Line::from(spans)]);
            self.hit(place, Click::Choice(at));
        }
    }

    /// Under the cards: points, the hand's name, chips.
    fn own_line(&mut self, area: Rect) {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let text = match (sight.own(), sight.view.my_seat()) {
            (Some((cards, points)), _) => {
                let name = sight.hand_name(self.paint.locale, cards).unwrap_or_default();
                let whole = format!("{}, {name}", m::points(lang, u64::from(*points)));
                let fits = width(&self.paint.text(&whole)) < area.width;
                if fits { whole } else { format!("{points} · {name}") }
            }
            (None, Some(seat)) if seat.dark => m::own_dark(lang),
            (None, Some(seat)) if seat.part == Part::Active && sight.deal.done.is_some() => {
                m::own_unseen(lang)
            }
            _ => String::new(),
        };
        let line = Line::from(
            self.paint
                .span(&fit(&self.paint.text(&text), area.width.saturating_sub(1)), Shade::Strong),
        );
        self.line(area.x + 1, area.y, area.width.saturating_sub(1), line);
    }

    /// What is said where nothing can be done.
    fn own_idle(&mut self, area: Rect) {
        let lang = self.app.lang();
        let app = self.app;
        let sight = &app.sight;
        let view = &sight.view;
        let mut lines: Vec<(String, Shade)> = Vec::new();
        if let Some(me) = view.my_seat() {
            lines.push((
                m::own_stack(
                    lang,
                    view.name(lang, view.me.unwrap_or(crate::rules::Seat(0))),
                    me.stack,
                ),
                Shade::Money,
            ));
            if view.hand.is_some() && sight.paid > 0 {
                lines.push((m::own_paid(lang, sight.paid), Shade::Dim));
            }
            match me.part {
                Part::Out => lines.push((m::own_out(lang), Shade::Dim)),
                Part::Watching
                    if view.hand.is_some() && !me.away && !sight.sitting_out && !app.leaving =>
                {
                    lines.push((m::own_watching(lang), Shade::Dim));
                }
                _ => {}
            }
        } else if view.table.is_some() {
            lines.push((m::own_looking_on(lang), Shade::Dim));
        }
        if app.leaving {
            lines.push((m::leaving(lang), Shade::Turn));
        } else if sight.is_absent() {
            lines.push(match sight.returning {
                true => (m::own_returning(lang), Shade::Turn),
                false => (m::own_absent(lang, app.prefs.keys.shown(Act::SitOut)), Shade::Bad),
            });
        }
        if let Some(seconds) = app.held_seconds() {
            let enter = Key::plain(Code::Enter);
            lines.push((m::hold_hint(lang, enter.shown(), seconds), Shade::Key));
            self.hit(area, Click::Key(enter));
        }
        if let Some(ahead) = app.ahead {
            let text = match ahead {
                Ahead::Fold => m::ahead_fold(lang),
                Ahead::Call(price) => m::ahead_call(lang, price),
                Ahead::Compare(_) => m::ahead_compare(lang),
            };
            lines.push((text, Shade::Turn));
        } else if sight.in_hand()
            && sight.stopped.is_none()
            && view.turn.as_ref().is_some_and(|turn| turn.price.is_some())
        {
            let key = |act| app.prefs.keys.shown(act);
            let fold = Act::Move(crate::event::MoveKind::Fold);
            let compare = Act::Move(crate::event::MoveKind::Compare);
            lines.push((m::ahead_hint(lang, key(fold), key(Act::Call), key(compare)), Shade::Dim));
        }
        let mut y = area.y;
        for (text, shade) in lines {
            for line in self.paint.wrap(&text, area.width) {
                if y < area.bottom() {
                    let line = Line::from(self.paint.span(&line, shade));
                    self.line(area.x, y, area.width, line);
                    y += 1;
                }
            }
        }
    }

    /// The last lines of the log.
    fn log(&mut self, area: Rect) {
        let title = m::log_title(self.app.lang());
        let mut block = self.paint.boxed(&title);
        if area.height <= 10 {
            // Below the table a line is enough, and leaves room for what happened.
            block = block.borders(ratatui::widgets::Borders::TOP);
        }
        let inner = block.inner(area);
        self.frame.render_widget(block, area);
        let (lines, _) = self.log_lines(inner.width, usize::from(inner.height), 0, false);
        self.put(inner, lines);
        self.hit(area, Click::Act(Act::Log));
    }

    /// Lines of the log, the newest last, after leaving out the `skip` newest; with `whole` also how many
    /// can be left out at most.
    pub(super) fn log_lines(
        &self,
        wide: u16,
        tall: usize,
        skip: usize,
        whole: bool,
    ) -> (Vec<Line<'static>>, usize) {
        let mut lines: Vec<Line<'static>> = Vec::new();
        for entry in self.app.sight.log.iter().rev() {
            if !whole && lines.len() >= tall + skip {
                break;
            }
            let (mark, shade) = match entry.tone {
                Tone::Plain => (" ", Shade::Plain),
                Tone::Result => ("*", Shade::Strong),
                Tone::Deal => (" ", Shade::Dim),
                Tone::Chat => ("\"", Shade::Key),
                Tone::Trouble => ("!", Shade::Bad),
            };
            let wrapped = self.paint.wrap(&entry.text, wide.saturating_sub(2));
            for (at, text) in wrapped.into_iter().enumerate().rev() {
                let mark = if at == 0 { mark } else { " " };
                lines.push(Line::from(self.paint.span(&format!("{mark} {text}"), shade)));
            }
        }
        let most = lines.len().saturating_sub(tall);
        let mut lines: Vec<_> = lines.into_iter().skip(skip.min(most)).take(tall).collect();
        lines.reverse();
        (lines, most)
    }
}
