//! One line an event, nothing redrawn, no colour needed: for any terminal, for reading aloud, for
//! a log.

use std::io::{self, Write};

use super::Screen;
use super::telling::Teller;
use super::typed::{self, Typed};
use super::{help, hint, receipt};
use crate::bots::BotView;
use crate::event::{Command, Event};
use crate::i18n::{Locale, Problem};
use crate::rules::Seat;

/// The plain screen.
pub struct Plain<W> {
    locale: Locale,
    /// What a bot would have seen: for hints.
    seen: BotView,
    /// The rules have been told in short.
    rules_told: bool,
    /// What three players have to know has been told.
    warned: bool,
    /// Has this player said that it leaves?
    leaving: bool,
    out: W,
}

impl<W: Write> Plain<W> {
    /// A screen that writes to `out`.
    pub fn new(locale: Locale, out: W) -> Self {
        Self { locale, seen: BotView::new(), rules_told: false, warned: false, leaving: false, out }
    }

    /// What it writes to.
    pub fn into_inner(self) -> W {
        self.out
    }

    #[cfg(test)]
    pub(super) fn out(&self) -> &W {
        &self.out
    }

    fn teller(&self) -> Teller<'_> {
        let (view, first_table) = (self.seen.table(), !self.rules_told);
        Teller { locale: self.locale, view, first_table, leaving: self.leaving }
    }

    fn write(&mut self, line: String) -> io::Result<()> {
        writeln!(self.out, "{}", self.locale.shown(line))?;
        self.out.flush()
    }
}

impl<W: Write> Screen for Plain<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.seen.observe(event);
        let line = self.teller().line(event);
        self.rules_told |= matches!(event, Event::Table { .. });
        let warning = self.teller().warning(event).filter(|_| !self.warned);
        self.write(line)?;
        let Some(warning) = warning else { return Ok(()) };
        self.warned = true;
        self.write(warning)
    }

    fn command(&mut self, line: &str) -> io::Result<Option<Command>> {
        match typed::read(self.locale.lang, self.seen.table(), line) {
            Ok(Typed::Command(command)) => Ok(Some(command)),
            Ok(Typed::Nothing) => Ok(None),
            Ok(Typed::Help) => {
                self.write(help(self.locale.lang, self.seen.table()))?;
                Ok(None)
            }
            Ok(Typed::Hint) => {
                for line in hint(self.locale, &self.seen) {
                    self.write(line)?;
                }
                Ok(None)
            }
            Ok(Typed::Rules) => {
                if let Some(rules) = self.seen.table().rules.as_deref() {
                    let page = crate::house::page(rules, self.locale.lang);
                    self.write(page.trim_end().to_owned())?;
                }
                Ok(None)
            }
            Ok(Typed::Who) => {
                for line in self.teller().table() {
                    self.write(line)?;
                }
                Ok(None)
            }
            Err(problem) => {
                self.problem(&problem)?;
                Ok(None)
            }
        }
    }

    fn taken(&mut self, command: &Command) -> io::Result<()> {
        self.leaving |= *command == Command::Leave;
        match receipt(self.locale.lang, self.seen.table(), command) {
            Some(text) => self.write(text),
            None => Ok(()),
        }
    }

    fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        let lang = self.locale.lang;
        let naming = |seat: Seat| self.seen.table().name(lang, seat);
        let event = problem.event(lang, &naming);
        let line = self.teller().line(&event);
        self.write(line)
    }
}
