//! What is known of a table before it is seen: who has opened it, what it begins with, and whether it can
//! be reached.

use super::super::keys::Act;
use super::{App, Effect};
use crate::event::{Command, Event};
use crate::i18n::{messages as m, printable};
use crate::rules::Chips;

impl App {
    /// A table of somebody else that the command line named, by what it was named.
    #[must_use]
    pub fn guest(mut self, target: Option<&str>) -> Self {
        self.joining = Some(printable(target.unwrap_or_default()));
        self
    }

    /// A table that the command line opened: the chips that each sits down with, and how many have to sit
    /// before it begins.
    #[must_use]
    pub const fn host(mut self, buy_in: Chips, begin: u8) -> Self {
        (self.buy_in, self.begin) = (Some(buy_in), Some(begin));
        self
    }

    /// Before anything is played everybody has what each sits down with.
    pub(super) fn learn_buy_in(&mut self, event: &Event) {
        if let Event::Table { seats, .. } = event
            && self.buy_in.is_none()
            && !self.sight.dealt_once
            && let Some(first) = seats.first()
            && seats.iter().all(|info| info.stack == first.stack)
        {
            self.buy_in = Some(first.stack).filter(|chips| *chips > 0);
        }
    }

    /// The table that was typed or chosen is not there: back to the lobby where nothing answers, else it
    /// is said that the search goes on, and how it is ended. Nothing where it is about something else.
    pub(super) fn not_reached(
        &mut self,
        code: &str,
        message: &str,
        advice: &str,
    ) -> Option<Vec<Effect>> {
        let target = self.joining.clone().filter(|target| !target.is_empty())?;
        if self.sight.view.table.is_some() || self.leaving {
            return None;
        }
        match code {
            "cannot-reach" if message.contains(&target) && !self.only_table => {
                self.unreached = Some(format!("{message} {advice}"));
                self.leaving = true;
                Some(vec![Effect::Send(Command::Leave)])
            }
            "table-not-seen" | "no-table-seen" => {
                let key = self.prefs.keys.shown(Act::Leave);
                let more = m::search_goes_on(self.lang(), key);
                self.note(format!("{message} {more}"), true);
                Some(Vec::new())
            }
            _ => None,
        }
    }
}
