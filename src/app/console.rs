//! Where a command speaks: stdout carries what was asked for, stderr everything else.

use std::io::{self, Write};

use serde::Serialize;

use crate::i18n::{Lang, Locale, Problem};

/// Both streams, and the language.
pub(super) struct Console<'a> {
    locale: Locale,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// What was asked for could not be written: whoever reads it is gone.
    broken: bool,
}

impl<'a> Console<'a> {
    /// A console that writes to these.
    pub(super) fn new(locale: Locale, out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { locale, out, err, broken: false }
    }

    /// The locale.
    pub(super) const fn locale(&self) -> Locale {
        self.locale
    }

    /// The language.
    pub(super) const fn lang(&self) -> Lang {
        self.locale.lang
    }

    /// Whether something could not be written.
    pub(super) const fn broken(&self) -> bool {
        self.broken
    }

    /// A line of what was asked for.
    pub(super) fn say(&mut self, text: String) {
        let text = self.locale.shown(text);
        let written = writeln!(self.out, "{text}").and_then(|()| self.out.flush());
        self.broken |= written.is_err();
    }

    /// A text for programs, as it is: no character is replaced for the terminal.
    pub(super) fn raw(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        self.broken |= written.is_err();
    }

    /// One JSON value on a line.
    pub(super) fn json<T: Serialize>(&mut self, value: &T) {
        let written = serde_json::to_string(value)
            .map_err(io::Error::from)
            .and_then(|line| writeln!(self.out, "{line}"))
            .and_then(|()| self.out.flush());
        self.broken |= written.is_err();
    }

    /// A message beside what was asked for. Nothing can be done where even stderr is gone.
    pub(super) fn note(&mut self, text: String) {
        let text = self.locale.shown(text);
        let _ = writeln!(self.err, "{text}");
    }

    /// A problem with its advice.
    pub(super) fn problem(&mut self, problem: &Problem) {
        self.note(problem.text(self.locale.lang));
    }
}
