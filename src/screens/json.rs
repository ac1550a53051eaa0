//! One JSON object a line, for programs. Nothing but events is written.

use std::io::{self, Write};

use super::Screen;
use super::view::View;
use crate::event::Event;
use crate::i18n::{Lang, Problem};
use crate::rules::Seat;

/// The screen for programs.
pub struct Json<W> {
    lang: Lang,
    view: View,
    out: W,
}

impl<W: Write> Json<W> {
    /// A screen that writes to `out`; the texts of errors are in `lang`.
    pub fn new(lang: Lang, out: W) -> Self {
        Self { lang, view: View::default(), out }
    }

    /// What it writes to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.out.write_all(&line)?;
        self.out.flush()
    }
}

impl<W: Write> Screen for Json<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // The view is kept for the names in errors.
        self.view.observe(event);
        self.write(event)
    }

    fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        let naming = |seat: Seat| self.view.name(self.lang, seat);
        let event = problem.event(self.lang, &naming);
        self.write(&event)
    }
}
