//! What sits where other screens sit: it hands events to the terminal's thread and takes commands
//! from it.

use std::io;
use std::sync::mpsc::Sender;

use super::super::Screen;
use super::super::view::View;
use super::app::Input;
use crate::event::Event;
use crate::i18n::{Locale, Problem};
use crate::rules::Seat;

/// The full screen as a node sees it.
pub struct FullScreen {
    locale: Locale,
    view: View,
    inputs: Sender<Input>,
}

impl FullScreen {
    /// A screen whose events go to `inputs`.
    #[must_use]
    pub fn new(locale: Locale, inputs: Sender<Input>) -> Self {
        Self { locale, view: View::default(), inputs }
    }

    fn send(&self, event: Event) -> io::Result<()> {
        self.inputs
            .send(Input::Event(Box::new(event)))
            .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

impl Screen for FullScreen {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // The view is kept for the names in errors.
        self.view.observe(event);
        self.send(event.clone())
    }

    fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        let lang = self.locale.lang;
        let naming = |seat: Seat| self.view.name(lang, seat);
        self.send(problem.event(lang, &naming))
    }
}
