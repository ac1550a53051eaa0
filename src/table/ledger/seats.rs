//! Seats that come, go, are lost and come back; and who votes.

use std::collections::BTreeSet;

use super::{Core, Presence, SeatState, Stage};
use crate::rules::Seat;
use crate::table::founding::Player;
use crate::table::limits;

impl SeatState {
    /// A fresh seat, taken when so many hands were finished. `nonce`: the next one of its player's key.
    #[must_use]
    pub fn new(player: Player, finished: u64, nonce: u64) -> Self {
        SeatState {
            player,
            presence: Presence::Here,
            nonce,
            losses: 0,
            missed: 0,
            idle: false,
            returns: 0,
            leaving: false,
            returning: false,
            since: finished,
            accepted_by: BTreeSet::new(),
            rebought: 0,
            time_bank: limits::MORE_TIMES,
            forgiven: None,
        }
    }
}

impl Core {
    /// Who can be dealt into the next hand, clockwise from the dealer's left; nobody when fewer than two.
    #[must_use]
    pub fn eligible(&self) -> Vec<Seat> {
        let able: Vec<Seat> = self
            .seats
            .iter()
            .filter(|(seat, s)| {
                s.presence == Presence::Here && !s.leaving && self.game.can_ante(**seat)
            })
            .map(|(seat, _)| *seat)
            .collect();
        if able.len() < 2 { Vec::new() } else { able }
    }

    /// Who has to propose the next hand, and whom: only between hands, with two players at least.
    #[must_use]
    pub fn next_start(&self) -> Option<(Seat, Vec<Seat>)> {
        if self.stage != Stage::Idle {
            return None;
        }
        let able = self.eligible();
        // A seat outside the electorate may deal as well: it signs, the others decide.
        // Before the first finished hand the host deals, or whoever comes first after it.
        let first = able.iter().find(|s| **s >= Seat(0)).copied();
        let dealer = self.game.next_dealer(&able).or(first)?;
        Some((dealer, clockwise_after(&able, dealer)))
    }

    /// Takes a seat that is not here any more out of the electorate. After the last voter those decide who are
    /// here: nobody else is left to, and nobody to be outvoted. Where nobody is here it stays with the last
    /// voter, who may come back, or where that has left for good with those who may.
    pub(super) fn disenfranchise(&mut self, seat: Seat) {
        if self.electorate.len() > 1 || !self.electorate.contains(&seat) {
            self.electorate.remove(&seat);
            return;
        }
        let those = |fits: fn(Presence) -> bool| -> BTreeSet<Seat> {
            let fitting = self.seats.iter().filter(|(_, s)| fits(s.presence));
            fitting.map(|(seat, _)| *seat).collect()
        };
        let mut heirs = those(Presence::is_here);
        let gone = self.seats.get(&seat).is_some_and(|s| s.presence == Presence::Left);
        if heirs.is_empty() && gone {
            heirs = those(|p| p == Presence::Away);
        }
        if !heirs.is_empty() {
            self.electorate = heirs;
        }
    }

    /// At the end of a hand (or between hands): who said that it leaves is gone, who said that it comes
    /// back is here. Returns who left and who came back.
    pub(super) fn settle_seats(&mut self) -> Vec<(Seat, Presence)> {
        let mut changed = Vec::new();
        let finished = self.finished;
        for (seat, s) in &mut self.seats {
            if s.leaving && s.presence != Presence::Left {
                s.leaving = false;
                s.presence = Presence::Left;
                changed.push((*seat, Presence::Left));
            } else if s.returning {
                s.returning = false;
                s.presence = Presence::Here;
                s.missed = 0;
                s.idle = false;
                s.returns = s.returns.saturating_add(1);
                s.since = finished;
                if s.losses >= 2 {
                    // Everybody has to consent, and to this return.
                    s.accepted_by.clear();
                }
                changed.push((*seat, Presence::Here));
            }
        }
        for (seat, presence) in &changed {
            if *presence == Presence::Left {
                self.disenfranchise(*seat);
            } else if self.seats.get(seat).is_some_and(|s| s.losses < 2) {
                // Its key is known; only after a second machine loss does everybody have to consent.
                self.electorate.insert(*seat);
            }
        }
        changed
    }

    /// After a finished hand at most one seat enters the electorate: one that played a hand since it sat
    /// down, and whose key every voter accepted.
    pub(super) fn admit_voter(&mut self) -> Option<Seat> {
        let seat = self
            .seats
            .iter()
            .find(|(seat, s)| {
                !self.electorate.contains(seat)
                    && s.presence.is_here()
                    && s.since < self.finished
                    && self.electorate.is_subset(&s.accepted_by)
            })
            .map(|(seat, _)| *seat)?;
        self.electorate.insert(seat);
        Some(seat)
    }
}

/// The seats (in seat order) turned so that the one after `dealer` comes first.
#[must_use]
pub(super) fn clockwise_after(seats: &[Seat], dealer: Seat) -> Vec<Seat> {
    let (before, after): (Vec<Seat>, Vec<Seat>) = seats.iter().partition(|s| **s <= dealer);
    after.into_iter().chain(before).collect()
}
