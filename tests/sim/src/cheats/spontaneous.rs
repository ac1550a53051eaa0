//! What a liar says without having been asked.

use rand::RngExt;
use rand_chacha::ChaCha20Rng;
use trinka::identity::Identity;
use trinka::rules::Action;
use trinka::table::TableWire;
use trinka::table::message::{LogId, Payload, Signed, StepId};
use trinka::wire;

use super::{Cheat, Ctx, Liar, Told, forge};

/// Somebody who is not absent is said to be.
pub fn hasty(ctx: &Ctx<'_>, rng: &mut ChaCha20Rng) -> Option<Payload> {
    let core = ctx.table.state().core();
    let me = ctx.seat();
    let owed: Vec<_> = core.owed().into_iter().filter(|o| Some(o.seat) != me).collect();
    if !owed.is_empty() && rng.random_bool(0.7) {
        let o = &owed[rng.random_range(0..owed.len())];
        return Some(Payload::Absent { step: o.step, seat: o.seat });
    }
    let others: Vec<_> = core.seats.iter().filter(|(s, _)| Some(**s) != me).collect();
    let (seat, s) = others.get(rng.random_range(0..others.len().max(1)))?;
    let step = StepId::Unheard { finished: core.finished, returns: s.returns };
    Some(Payload::Absent { step, seat: **seat })
}

impl Liar {
    /// Called every now and then.
    pub fn speak(&mut self, ctx: &Ctx<'_>) -> Vec<Told> {
        if ctx.now < self.since {
            return Vec::new();
        }
        self.turns += 1;
        let all = |bytes: Vec<u8>| -> Vec<Told> {
            ctx.others().into_iter().map(|t| (0, t, bytes.clone())).collect()
        };
        let said = |list: Vec<Signed>| -> Vec<Told> {
            wire::encode(&TableWire::Messages(list)).map(all).unwrap_or_default()
        };
        match self.kind {
            Cheat::NilVotes | Cheat::FloodRounds | Cheat::VotesForAll => self.odd_votes(ctx),
            Cheat::ForgedCertificate => match forge::forged_entry(ctx, &mut self.rng) {
                Some(bytes) => {
                    self.met += 1;
                    all(bytes)
                }
                None => Vec::new(),
            },
            Cheat::Hasty => match hasty(ctx, &mut self.rng).and_then(|p| ctx.sign(p)) {
                Some(message) => {
                    self.met += 1;
                    said(vec![message])
                }
                None => Vec::new(),
            },
            Cheat::OldHand | Cheat::Stale => {
                let mut out = Vec::new();
                // What came first is what is oldest.
                let hands = ctx.table.state().core().finished;
                let earlier = self.seen.iter().take_while(|(hand, _)| *hand < hands).count();
                let from = if self.kind == Cheat::OldHand { earlier } else { self.seen.len() };
                for _ in 0..6 {
                    if from == 0 {
                        break;
                    }
                    let at = self.rng.random_range(0..from);
                    out.extend(all(self.seen[at].1.clone()));
                }
                let old: Vec<Signed> = self.old.iter().map(|(_, m)| m.clone()).collect();
                if !old.is_empty() && self.kind == Cheat::Stale {
                    let at = self.rng.random_range(0..old.len());
                    out.extend(said(vec![old[at].clone()]));
                }
                self.met += u64::from(!out.is_empty());
                out
            }
            Cheat::OtherTable => {
                let mut out = Vec::new();
                for (_, message) in self.old.iter().rev().take(3) {
                    let Ok(body) = message.read(ctx.log) else { continue };
                    if let Ok(other) = Signed::new(ctx.id, LogId([9; 32]), body.payload) {
                        out.extend(said(vec![other]));
                    }
                }
                self.met += u64::from(!out.is_empty());
                out
            }
            Cheat::OutOfTurn => {
                let core = ctx.table.state().core();
                let (Some(basis), Some(me)) = (core.basis(), ctx.seat()) else {
                    return Vec::new();
                };
                if core.game.awaited().contains(&me) {
                    return Vec::new();
                }
                let actions =
                    [Action::Fold, Action::Compare, Action::Bet(3), Action::Dark(2), Action::Split];
                let action = actions[self.rng.random_range(0..actions.len())];
                self.met += 1;
                ctx.sign(Payload::Move { basis, action }).map(|m| said(vec![m])).unwrap_or_default()
            }
            Cheat::Puppets => self.puppets(ctx, said),
            Cheat::FalseEvidence => {
                let old: Vec<Signed> = self.old.iter().map(|(_, m)| m.clone()).collect();
                match forge::false_evidence(ctx, &old, &mut self.rng) {
                    Some(message) => {
                        self.met += 1;
                        said(vec![message])
                    }
                    None => Vec::new(),
                }
            }
            Cheat::OtherName => match forge::in_anothers_name(ctx, &mut self.rng) {
                Some(message) => {
                    self.met += 1;
                    said(vec![message])
                }
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn puppets(&mut self, ctx: &Ctx<'_>, said: impl Fn(Vec<Signed>) -> Vec<Told>) -> Vec<Told> {
        if self.turns > 12 || !self.turns.is_multiple_of(3) {
            return Vec::new();
        }
        let mut seed = [0u8; 32];
        self.rng.fill(&mut seed);
        let puppet = Identity::from_seed(&seed);
        let terms = &ctx.table.state().core().terms;
        let admit = Payload::Admit {
            name: "Puppet".into(),
            buy_in: terms.buy_in,
            addresses: Vec::new(),
            rules: terms.house,
            times: 0,
        };
        let Ok(message) = Signed::new(&puppet, ctx.log, admit) else { return Vec::new() };
        self.met += 1;
        said(vec![message])
    }
}
