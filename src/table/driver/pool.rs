//! Messages that wait for an entry.

use std::collections::{BTreeMap, BTreeSet};

use super::Table;
use crate::identity::PublicKey;
use crate::rules::Seat;
use crate::table::ledger::{Refusal, Stage};
use crate::table::limits;
use crate::table::message::{Body, Hash, Payload, Proof, Signed};

/// A message that waits.
pub(super) struct Pending {
    pub(super) message: Signed,
    pub(super) body: Body,
    /// The height that was open here when it came.
    pub(super) came_at: u64,
    /// Its author had a seat when it came.
    seated: bool,
}

/// All messages that wait, and which of them would apply now.
#[derive(Default)]
pub(super) struct Pool {
    by_id: BTreeMap<Hash, Pending>,
    valid: BTreeSet<Hash>,
    /// What stands in the log: nothing of it is a lie that comes late.
    said: BTreeSet<Hash>,
    dirty: bool,
    gather_until: Option<u64>,
}

impl Pool {
    pub(super) fn get(&self, id: &Hash) -> Option<&Pending> {
        self.by_id.get(id)
    }

    /// Takes a message in, within the bounds. True when it is new.
    pub(super) fn insert(
        &mut self,
        message: Signed,
        body: Body,
        came_at: u64,
        seated: bool,
    ) -> bool {
        let id = message.id();
        if self.by_id.contains_key(&id) || self.by_id.len() >= limits::PENDING {
            return false;
        }
        if !seated && self.by_id.values().filter(|p| !p.seated).count() >= limits::PENDING_NEWCOMERS
        {
            return false;
        }
        if self.by_id.values().filter(|p| p.body.author == body.author).count()
            >= limits::PENDING_PER_AUTHOR
        {
            // Its oldest makes room: a liar only ever crowds out itself.
            let oldest = self
                .by_id
                .iter()
                .filter(|(_, p)| p.body.author == body.author)
                .min_by_key(|(_, p)| p.came_at)
                .map(|(id, _)| *id);
            if let Some(oldest) = oldest {
                self.by_id.remove(&oldest);
            }
        }
        self.by_id.insert(id, Pending { message, body, came_at, seated });
        self.dirty = true;
        true
    }

    pub(super) fn remove(&mut self, id: &Hash) {
        self.by_id.remove(id);
        self.valid.remove(id);
    }

    /// A message stands in an entry now.
    pub(super) fn decided(&mut self, id: Hash) {
        self.remove(&id);
        if self.said.len() >= limits::REMEMBERED {
            self.said.clear();
        }
        self.said.insert(id);
    }

    /// The state changed: what applies is to be found out anew.
    pub(super) fn touch(&mut self) {
        self.dirty = true;
        self.gather_until = None;
    }

    pub(super) fn gather_until(&self) -> Option<u64> {
        self.gather_until
    }

    /// What would apply now; what is only early its author sends again.
    pub(super) fn worth_resending(&self) -> Vec<Signed> {
        self.valid.iter().filter_map(|id| self.by_id.get(id)).map(|p| p.message.clone()).collect()
    }
}

impl Table {
    /// Finds out which waiting messages apply, and drops those that never will again.
    pub(super) fn refresh_pool(&mut self) {
        if !self.pool.dirty {
            return;
        }
        self.pool.dirty = false;
        self.pool.valid.clear();
        let mut dead = Vec::new();
        let mut wrong = Vec::new();
        for (id, pending) in &self.pool.by_id {
            match self.state.try_message(&pending.message, &mut self.checks) {
                Ok(()) => {
                    self.pool.valid.insert(*id);
                }
                Err(why) if self.never_again(pending, &why) => {
                    // What comes too late for its step may have been false for it all the same.
                    if pending.body.payload.is_proof() && !self.pool.said.contains(id) {
                        wrong.push(pending.message.clone());
                    }
                    dead.push(*id);
                }
                Err(_) => {}
            }
        }
        for id in dead {
            self.pool.remove(&id);
        }
        for message in wrong {
            self.accuse_with(Proof::FalseStep { message });
        }
    }

    /// Whether a refused message can be forgotten. What may only be early is kept.
    fn never_again(&self, pending: &Pending, why: &Refusal) -> bool {
        let core = self.state.core();
        match (&pending.body.payload, why) {
            (
                _,
                Refusal::Message(_) | Refusal::Proof(_) | Refusal::Evidence(_) | Refusal::NotForLog,
            ) => true,
            (_, Refusal::Stranger) => core.height.saturating_sub(pending.came_at) > 1,
            (Payload::Start { hand, .. }, _) => *hand <= core.hands,
            // Asked with the entry that counted the hand: refused now, it was answered or is over.
            (Payload::Ready { hand } | Payload::SitOut { hand }, _) => *hand <= core.hands,
            (
                Payload::Shares { deal, .. }
                | Payload::Recover { deal, .. }
                | Payload::Renew { deal, .. }
                | Payload::Recipient { deal, .. }
                | Payload::Show { deal, .. },
                _,
            ) => *deal < core.deals || (*deal == core.deals && *why == Refusal::NotAsked),
            (
                Payload::Move { basis, .. }
                | Payload::Tens { basis, .. }
                | Payload::Unary { basis, .. }
                | Payload::Select { basis, .. }
                | Payload::Reveal { basis, .. },
                _,
            ) => {
                basis.deal < core.deals
                    || core.basis().is_some_and(|b| b > *basis)
                    || (core.basis() == Some(*basis) && *why == Refusal::NotAsked)
                    || matches!(why, Refusal::Rules(_))
            }
            (Payload::Free { nonce, .. }, Refusal::Nonce { next, .. }) => nonce < next,
            (
                Payload::Free { .. }
                | Payload::Absent { .. }
                | Payload::Admit { .. }
                | Payload::Final { .. },
                _,
            ) => true,
            _ => core.height.saturating_sub(pending.came_at) > 64,
        }
    }

    /// Whether a message of a seat that applies now is waiting: then it is not absent.
    pub(super) fn pool_answers(&mut self, seat: Seat) -> bool {
        self.refresh_pool();
        let Some(key) = self.state.core().key_of(seat) else { return false };
        self.pool.valid.iter().filter_map(|id| self.pool.by_id.get(id)).any(|p| {
            p.body.author == key
                && !matches!(p.body.payload, Payload::Free { .. } | Payload::Absent { .. })
        })
    }

    /// The messages that could go into an entry now: what applies, but for absences that this node does
    /// not find itself, and the signatures on the deal, where they are complete.
    pub(super) fn candidates(&mut self, now: u64) -> Vec<Signed> {
        self.refresh_pool();
        let valid: Vec<(Signed, Payload)> = self
            .pool
            .valid
            .iter()
            .filter_map(|id| self.pool.by_id.get(id))
            .map(|p| (p.message.clone(), p.body.payload.clone()))
            .collect();
        let mut out = Vec::with_capacity(valid.len());
        for (message, payload) in valid {
            if let Payload::Absent { step, seat } = payload
                && !self.finds_absent(now, seat, step)
            {
                continue;
            }
            out.push(message);
        }
        // The book of a deal stays open while its cards are played, for who is behind; its signatures are
        // wanted until it is decided.
        let dealing = matches!(self.state.core().stage, Stage::Dealing { .. });
        if dealing
            && let Some(finals) =
                self.book.as_ref().and_then(crate::table::dealbook::DealBook::complete)
        {
            out.extend(finals);
        }
        out
    }

    /// Whether it is worth proposing now: something applies, and an all-at-once step is complete or has
    /// been gathered long enough.
    pub(super) fn worth_proposing(&mut self, now: u64) -> bool {
        let candidates = self.candidates(now);
        if candidates.is_empty() {
            self.pool.gather_until = None;
            return false;
        }
        let core = self.state.core();
        let together = match &core.stage {
            Stage::Starting { .. } => true,
            Stage::Playing { .. } => core.owed().iter().any(|o| !o.human),
            _ => false,
        };
        if !together {
            return true;
        }
        let authors: BTreeSet<PublicKey> =
            candidates.iter().filter_map(|m| m.read(self.log_id).ok()).map(|b| b.author).collect();
        if core.owed().iter().all(|o| core.key_of(o.seat).is_some_and(|k| authors.contains(&k))) {
            return true;
        }
        let until = *self.pool.gather_until.get_or_insert(now.saturating_add(limits::GATHER_MS));
        now >= until
    }

    /// Whether an entry leaves out a message that applies and that this node held before the height
    /// before was decided.
    pub(super) fn leaves_out(&mut self, now: u64, composer: Seat, messages: &[Signed]) -> bool {
        let height = self.state.core().height;
        let candidates = self.candidates(now);
        let inside: BTreeSet<Hash> = messages.iter().map(Signed::id).collect();
        let authors: BTreeSet<PublicKey> =
            messages.iter().filter_map(|m| m.read(self.log_id).ok()).map(|b| b.author).collect();
        let left_out: Vec<Signed> = candidates
            .into_iter()
            .filter(|m| {
                let id = m.id();
                !inside.contains(&id)
                    && self
                        .pool
                        .get(&id)
                        .is_some_and(|p| p.came_at < height && !authors.contains(&p.body.author))
            })
            .collect();
        // Of two that say the same (a seat is absent) an entry takes only one; so it has room for a
        // message only when that applies beside all the others.
        left_out.into_iter().any(|m| {
            let mut all = messages.to_vec();
            all.push(m);
            let together = self.state.compose(composer, &all, &mut self.checks);
            together.is_some_and(|e| e.messages.len() == all.len())
        })
    }
}
