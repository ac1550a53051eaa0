//! What a table writes down for others to check: its hands, and what proves that a seat cheated.

use super::{Output, Table, error};
use crate::event::Event;
use crate::table::ledger::Stage;
use crate::table::message::Decided;
use crate::table::transcript;

impl Table {
    /// The entries since the hand before ended.
    pub(super) fn entries_of_hand(&self) -> Vec<Decided> {
        self.log.iter().skip(self.hand_start.1).map(|decided| (**decided).clone()).collect()
    }

    /// What proves that a seat cheated, as a file for anybody: the hand as far as the last entry, which says so.
    pub(super) fn write_evidence(&mut self, events: &[Event]) {
        let named = events.iter().filter_map(|event| match event {
            Event::Fault { seat, evidence: Some(_), .. } => Some(*seat),
            _ => None,
        });
        for seat in named.filter(|_| self.hand_start.0.stage == Stage::Idle).collect::<Vec<_>>() {
            let (height, hand) =
                (self.state.core().height.saturating_sub(1), self.state.core().hands);
            let (id, founded, core) = (&self.id, &self.founded, &self.hand_start.0);
            let entries = self.entries_of_hand();
            match transcript::write_evidence(id, founded, core, hand, &entries, seat) {
                Ok(bytes) => {
                    let name = format!("{height:06}-{}.evidence", seat.0);
                    self.outputs.push_back(Output::File { name, bytes });
                }
                Err(e) => self.emit(error("transcript", &e.to_string())),
            }
        }
    }

    /// A transcript of the hand that ended with the last entry.
    pub(super) fn write_transcript(&mut self, hand: u64) {
        // From the end of the hand before, so that each file continues the one before it.
        let entries = self.entries_of_hand();
        let (core, _) =
            std::mem::replace(&mut self.hand_start, (self.state.core().clone(), self.log.len()));
        let private: Vec<transcript::OwnCards> = std::mem::take(&mut self.old_cards)
            .into_iter()
            .map(|(deal, cards)| transcript::OwnCards { deal, cards })
            .collect();
        match transcript::write(&self.id, &self.founded, &core, hand, &entries, &private) {
            Ok(bytes) => self.outputs.push_back(Output::Transcript { hand, bytes }),
            Err(e) => self.emit(error("transcript", &e.to_string())),
        }
    }
}
