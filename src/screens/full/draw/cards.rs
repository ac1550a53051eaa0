//! Cards as they lie on the table.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders};

use super::Canvas;
use super::paint::{Shade, fit, width};
use crate::rules::Card;

/// How large own cards are painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) width: u16,
    pub(super) height: u16,
}

pub(super) const SMALL: Size = Size { width: 7, height: 5 };
pub(super) const LARGE: Size = Size { width: 11, height: 7 };

impl Canvas<'_, '_> {
    /// Own cards side by side; face down where they are not known, but for one that was turned up.
    pub(super) fn own_cards(
        &mut self,
        x: u16,
        y: u16,
        size: Size,
        cards: Option<&[Card]>,
        open: Option<Card>,
    ) {
        let step = size.width + 1;
        for at in 0..3u16 {
            let area = Rect { x: x + at * step, y, width: size.width, height: size.height };
            match cards {
                Some(cards) => {
                    if let Some(card) = cards.get(usize::from(at)) {
                        self.face(area, *card);
                    }
                }
                None => match open.filter(|_| at == 0) {
                    Some(card) => self.face(area, card),
                    None => self.back(area),
                },
            }
        }
    }

    fn frame_of(&self, style: Style) -> Block<'static> {
        self.paint.boxed("").borders(Borders::ALL).border_style(style)
    }

    fn face(&mut self, area: Rect, card: Card) {
        let style = self.paint.suit(card.suit());
        let block = self.frame_of(style);
        let inner = block.inner(area);
        self.frame.render_widget(block, area);
        let (rank, suit) = self.paint.card(card);
        let wide = inner.width;
        let left = format!(" {rank}");
        let right = format!("{rank} ");
        let pad = " ".repeat(usize::from(wide.saturating_sub(width(&right))));
        let mid = " ".repeat(usize::from(wide.saturating_sub(width(&suit)) / 2));
        for row in 0..inner.height {
            let text = if row == 0 {
                fit(&left, wide)
            } else if row + 1 == inner.height {
                format!("{pad}{right}")
            } else if row == inner.height / 2 {
                fit(&format!("{mid}{suit}"), wide)
            } else {
                continue;
            };
            self.line(inner.x, inner.y + row, wide, Line::from(Span::styled(text, style)));
        }
    }

    fn back(&mut self, area: Rect) {
        let style = self.paint.style(Shade::Dim);
        let block = self.frame_of(style);
        let inner = block.inner(area);
        self.frame.render_widget(block, area);
        let fill = self.paint.pick("░", ":").repeat(usize::from(inner.width));
        for row in 0..inner.height {
            let line = Line::from(Span::styled(fill.clone(), style));
            self.line(inner.x, inner.y + row, inner.width, line);
        }
    }
}
