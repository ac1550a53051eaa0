//! The state as players are told it.

use super::Core;
use crate::event::{Event, SeatAmount, SeatInfo};
use crate::rules::Seat;

impl Core {
    /// The table as it stands, as players are told.
    #[must_use]
    pub fn table_event(&self) -> Event {
        let seated: Vec<Seat> = self.seats.keys().copied().filter(|s| self.seated(*s)).collect();
        let fingerprint = |seat: &Seat| Some((*seat, self.key_of(*seat)?.fingerprint()));
        Event::Table {
            id: self.table.to_string(),
            name: self.terms.name.clone(),
            rules: Box::new(self.terms.rules.clone()),
            fingerprints: seated.iter().filter_map(fingerprint).collect(),
            seats: self.seat_infos(seated.into_iter()),
            you: None,
        }
    }

    /// Names and stacks of some seats.
    pub fn seat_infos(&self, seats: impl Iterator<Item = Seat>) -> Vec<SeatInfo> {
        seats
            .map(|seat| SeatInfo {
                seat,
                name: self.name_of(seat).to_owned(),
                stack: self.game.stack(seat).unwrap_or(0),
            })
            .collect()
    }

    /// Who won how much, for a list of winners.
    #[must_use]
    pub fn amounts(list: &[(Seat, u64)]) -> Vec<SeatAmount> {
        list.iter().map(|(seat, amount)| SeatAmount { seat: *seat, amount: *amount }).collect()
    }
}
