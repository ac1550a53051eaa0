//! The players around the table, in their order.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Canvas;
use super::paint::{Shade, fit, width};
use crate::i18n::messages as m;
use crate::rules::Seat;
use crate::screens::view::Part;

/// Where a number of others sit: on each side, and at the top.
const fn spread(others: usize) -> (usize, usize) {
    match others {
        0 => (0, 0),
        1 => (0, 1),
        2 => (1, 0),
        3 => (1, 1),
        4 => (1, 2),
        5 => (2, 1),
        6 => (2, 2),
        7 => (3, 1),
        8 => (3, 2),
        n => (3, n - 6),
    }
}

impl Canvas<'_, '_> {
    /// Everybody else, clockwise from one's left: up the left side, along the top, down the right.
    pub(super) fn others(&self) -> Vec<Seat> {
        let view = &self.app.sight.view;
        let mut all: Vec<Seat> = view.seats.keys().copied().collect();
        if let Some(me) = view.me {
            let after = all.iter().position(|seat| *seat > me).unwrap_or(all.len());
            all.rotate_left(after);
            all.retain(|seat| *seat != me);
        }
        all
    }

    /// Paints the others around the area and returns what is left in the middle.
    pub(super) fn seats(&mut self, area: Rect) -> Rect {
        let others = self.others();
        let (sides, top) = spread(others.len());
        let wide = (area.width / 4).clamp(22, 32);
        let tall = if area.height >= 20 { 5 } else { 3 };
        let slot =
            if sides == 0 { area.height } else { area.height / u16::try_from(sides).unwrap_or(1) };
        let middle =
            Rect { x: area.x + wide + 1, width: area.width.saturating_sub(2 * (wide + 1)), ..area };
        for (at, seat) in others.iter().enumerate() {
            let n = |at: usize| u16::try_from(at).unwrap_or(0);
            let place = if at < sides {
                // The left side, from the bottom up.
                let y = area.y + slot * n(sides - 1 - at) + slot.saturating_sub(tall) / 2;
                Rect { x: area.x, y, width: wide, height: tall }
            } else if at < sides + top {
                let each = if sides == 0 { area.width } else { middle.width } / n(top).max(1);
                let own = wide.min(each.saturating_sub(1));
                let left = if sides == 0 { area.x } else { middle.x };
                let x = left + each * n(at - sides) + each.saturating_sub(own) / 2;
                Rect { x, y: area.y, width: own, height: tall }
            } else {
                let y = area.y + slot * n(at - sides - top) + slot.saturating_sub(tall) / 2;
                Rect { x: area.right().saturating_sub(wide), y, width: wide, height: tall }
            };
            self.seat(*seat, place);
        }
        let used = if top > 0 { tall } else { 0 };
        let left = if sides == 0 { area } else { middle };
        Rect { y: left.y + used, height: left.height.saturating_sub(used), ..left }
    }

    /// One player: name and marks, chips and cards, the last action.
    fn seat(&mut self, seat: Seat, area: Rect) {
        let lang = self.app.lang();
        let sight = &self.app.sight;
        let view = &sight.view;
        let Some(player) = view.seats.get(&seat).cloned() else { return };
        let acts = view.turn.as_ref().is_some_and(|turn| turn.seat == seat);
        let mut area = area;
        if area.height >= 5 {
            let mut block = self.paint.boxed("");
            if acts {
                block = block.border_style(self.paint.style(Shade::Turn));
            }
            let inner = block.inner(area);
            self.frame.render_widget(block, area);
            area = inner;
        }
        let playing = view.hand.is_some();
        let out = playing && player.part != Part::Active;
        let shade = match (acts, out) {
            (true, _) => Shade::Turn,
            (false, true) => Shade::Dim,
            (false, false) => Shade::Strong,
        };
        let mark = if acts { self.paint.pick("▶ ", "> ") } else { "  " };
        let deals = view.dealer == Some(seat) && playing;
        let badge = if deals { m::badge_dealer(lang) } else { String::new() };
        let room = area.width.saturating_sub(2 + width(&badge) + u16::from(deals));
        let name = fit(&self.paint.text(&view.name(lang, seat)), room);
        let first = Line::from(vec![
            self.paint.span(mark, shade),
            self.paint.span(&name, shade),
            Span::raw(if deals { " " } else { "" }),
            self.paint.span(&badge, Shade::Key),
        ]);

        let shown = sight.shown.get(&seat);
        let chips = match shown {
            Some(_) => player.stack.to_string(),
            None => m::seat_chips(lang, player.stack),
        };
        let mut second =
            vec![Span::raw("  "), self.paint.span(&chips, Shade::Money), Span::raw(" ")];
        match shown {
            Some(cards) => {
                second.extend(self.paint.cards(cards));
            }
            None if playing
                && player.part == Part::Active
                && sight.deal.done.is_some()
                && !sight.choosing =>
            {
                let open = sight.open.get(&seat);
                if let Some(card) = open {
                    second.extend(self.paint.cards(std::slice::from_ref(card)));
                    second.push(Span::raw(" "));
                }
                let closed = match open {
                    Some(_) => self.paint.pick("▒▒", "##"),
                    None => self.paint.pick("▒▒▒", "###"),
                };
                second.push(self.paint.span(closed, Shade::Dim));
            }
            None => {}
        }
        let status = match player.part {
            _ if player.away => m::seat_away(lang),
            _ if player.unheard => m::seat_unheard(lang),
            Part::Active if player.dark => m::seat_dark(lang),
            Part::Out => m::seat_out(lang),
            Part::Watching if playing => m::seat_watching(lang),
            _ => String::new(),
        };
        let last = sight.last.get(&seat).cloned().unwrap_or_default();
        let points = shown.and_then(|cards| sight.points(cards));
        let said = match points {
            Some(points) => m::points(lang, u64::from(points)),
            None if status.is_empty() => last,
            None if last.is_empty() => status,
            // That it is out matters more than how, where there is no room for both.
            None => {
                let both = format!("{last}, {status}");
                let fits = width(&self.paint.text(&both)) + 2 <= area.width;
                if fits {
                    both
                } else if player.part == Part::Out || player.away || player.unheard {
                    status
                } else {
                    last
                }
            }
        };
        let third = self.paint.span(
            &format!("  {}", fit(&self.paint.text(&said), area.width.saturating_sub(2))),
            match player.unheard {
                true => Shade::Bad,
                false if out || player.away => Shade::Dim,
                false => Shade::Plain,
            },
        );
        self.put(area, vec![first, Line::from(second), Line::from(third)]);
    }
}
