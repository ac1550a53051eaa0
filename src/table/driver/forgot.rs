//! Files that are older than what was signed, or gone: what was said then must not be said anew in other words.

use serde::{Deserialize, Serialize};

use super::{Record, Table};
use crate::rules::Seat;
use crate::table::agreement::{Place, quorum};
use crate::table::limits;
use crate::table::message::{Entry, Signed};

/// How far a node may have signed what its records do not hold: its log is gone, or is an older copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgot {
    /// Votes and proposals, up to this height.
    pub height: u64,
    /// Parts of deals, up to the deal of this number.
    pub deal: u64,
}

impl Forgot {
    /// Nothing is missing: nothing was signed before these records begin.
    pub const NOTHING: Self = Self { height: 0, deal: 0 };
    /// Nobody knows yet what is missing.
    pub const UNKNOWN: Self = Self { height: u64::MAX, deal: u64::MAX };
}

impl Table {
    /// Whether this node came back and does not know yet how far the others are. Its files may be older than
    /// what it has signed (a copy that was put back, or none at all): what it said then it must not say anew
    /// in other words.
    pub(super) fn is_behind(&mut self, now: u64) -> bool {
        let Some(since) = self.catching_up else { return false };
        let core = self.state.core();
        let voters = core.voters();
        let own = usize::from(voters.iter().any(|(_, key)| *key == self.me));
        let others = voters.iter().filter(|(_, key)| *key != self.me);
        let mut heights: Vec<u64> = others
            .filter_map(|(_, key)| self.peers.get(key))
            .filter(|p| p.seq > 0)
            .map(|p| p.height)
            .collect();
        let lost = self.forgot == Forgot::UNKNOWN;
        let quorum = quorum(voters.len());
        let enough = if lost {
            // Whatever was decided with its help, one of these was there: it is not counted itself.
            heights.len() >= quorum.min(voters.len().saturating_sub(own))
        } else {
            heights.len() + own >= quorum
        };
        if !enough {
            self.catching_up = Some(now);
            return true;
        }
        heights.sort_unstable_by(|a, b| b.cmp(a));
        // Of four or more one may lie about how far it is.
        let furthest = heights.get(usize::from(voters.len() >= 4)).or(heights.first());
        let further = furthest.is_some_and(|h| *h > core.height);
        let behind = further && (lost || now.saturating_sub(since) < limits::MACHINE_MS);
        if !behind {
            self.catching_up = None;
        }
        if !behind && lost {
            // The others had what led to its last vote, so that vote was for the height after theirs at most.
            let height = furthest.map_or(0, |h| h.saturating_add(1)).max(core.height);
            self.forgot = Forgot { height, deal: core.deals };
            self.persist(Record::Forgot(self.forgot));
        }
        behind
    }

    /// What this node has signed at this table is not all in its files.
    pub(super) fn forget(&mut self, now: u64) {
        self.forgot = Forgot::UNKNOWN;
        self.catching_up = Some(now);
        self.persist(Record::Forgot(self.forgot));
    }

    /// A decided entry with a message or a vote of this seat which its files do not have: they are older than
    /// what it has signed.
    pub(super) fn notice_forgotten(&mut self, now: u64, entry: &Entry) {
        if self.forgot != Forgot::UNKNOWN && self.state.core().height <= self.forgot.height {
            self.forgot.deal = self.state.core().deals;
        }
        let Some(signed) = self.signed.as_ref().filter(|_| self.forgot.height < entry.height)
        else {
            return;
        };
        let by_me = |m: &Signed| m.read(self.log_id).is_ok_and(|b| b.author == self.me);
        let message = entry.messages.iter().any(|m| !signed.contains(&m.id()) && by_me(m));
        let me = self.state.core().seat_of(&self.me);
        let certificate = self.log.last().map(|d| &d.certificate);
        let vote = certificate.is_some_and(|certificate| {
            let mine = certificate.signatures.iter().any(|(voter, _)| Some(Seat(voter.0)) == me);
            let known = self.height.as_ref().is_some_and(|height| {
                height.config().height == entry.height
                    && height.has_signed(certificate.round, Place::Precommit)
            });
            mine && !known
        });
        if message || vote {
            self.forget(now);
        }
    }

    /// Whether this node may have voted at a height already, without knowing how.
    pub(super) fn keeps_silent(&self, height: u64) -> bool {
        height <= self.forgot.height
    }

    /// Votes at a height at which it may have voted already, when that is not decided without it. By then the
    /// others have told what they hold of it. Of two the other can do nothing alone.
    pub(super) fn speak_up(&mut self, now: u64) {
        let suspended = self.suspended(now);
        let voters = self.state.core().electorate.len();
        let Some(height) = &mut self.height else { return };
        let open = height.config().height;
        let silent = open <= self.forgot.height && height.config().me.is_some();
        if !silent || height.can_sign() || !height.joined() || suspended {
            self.unspoken = None;
            return;
        }
        let (_, since) = *self.unspoken.filter(|(h, _)| *h == open).get_or_insert((open, now));
        self.unspoken = Some((open, since));
        let wait = if voters <= 2 { 5 * limits::RESEND_MS } else { limits::MACHINE_MS };
        if now >= since.saturating_add(wait) {
            height.speak_up(self.id.signing_key());
        }
    }
}
