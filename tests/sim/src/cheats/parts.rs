//! Lies in signed messages: false ones, two of them, or none.

use rand::RngExt;
use rand_chacha::ChaCha20Rng;
use trinka::rules::{Phase, ThreeTens};
use trinka::table::dealbook::{DealBook, Todo};
use trinka::table::ledger::{DealPlan, Stage, holdings, share_purpose};
use trinka::table::message::{Free, Payload, Signed};
use trinka::table::{Table, TableWire};
use trinka::wire;
use trinka_crypto::SecretKey;

use super::{Cheat, Ctx, Liar, Told, forge};

/// A kind of thing that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Key,
    Shuffle,
    Cut,
    Escrow,
    Final,
    Shares,
    Recover,
    Renew,
    Recipient,
    Show,
    Tens,
    Unary,
    Select,
    Reveal,
    Move,
    Ready,
    Votes,
    Proposals,
    All,
    Other,
}

impl Part {
    pub fn of(payload: &Payload) -> Part {
        match payload {
            Payload::Key { .. } => Part::Key,
            Payload::Shuffle { .. } => Part::Shuffle,
            Payload::Cut { .. } => Part::Cut,
            Payload::Escrow { .. } => Part::Escrow,
            Payload::Final { .. } => Part::Final,
            Payload::Shares { .. } => Part::Shares,
            Payload::Recover { .. } => Part::Recover,
            Payload::Renew { .. } => Part::Renew,
            Payload::Recipient { .. } => Part::Recipient,
            Payload::Show { .. } => Part::Show,
            Payload::Tens { .. } => Part::Tens,
            Payload::Unary { .. } => Part::Unary,
            Payload::Select { .. } => Part::Select,
            Payload::Reveal { .. } => Part::Reveal,
            Payload::Move { .. } | Payload::Free { free: Free::Look { .. }, .. } => Part::Move,
            Payload::Ready { .. } => Part::Ready,
            _ => Part::Other,
        }
    }

    /// The part of a message where it is said: an answer about three tens is a move like others.
    fn here(payload: &Payload, table: &Table) -> Part {
        let asked = matches!(table.state().core().game.phase(), Phase::ThreeTens { .. });
        match payload {
            Payload::Move { .. } if asked => Part::Tens,
            other => Part::of(other),
        }
    }

    /// Whether a false one is proved by the log as long as its step is open.
    fn of_log(self) -> bool {
        matches!(
            self,
            Part::Shares
                | Part::Recover
                | Part::Renew
                | Part::Recipient
                | Part::Show
                | Part::Tens
                | Part::Unary
                | Part::Select
                | Part::Reveal
        )
    }

    /// Whether it is a message of a deal, of which two are evidence.
    pub fn of_deal(self) -> bool {
        matches!(self, Part::Key | Part::Shuffle | Part::Cut | Part::Escrow | Part::Final)
    }
}

fn damage(bytes: &mut Vec<u8>, rng: &mut ChaCha20Rng) {
    match rng.random_range(0..4) {
        0 => bytes.truncate(rng.random_range(0..bytes.len().max(1))),
        1 => bytes.clear(),
        _ => {
            if !bytes.is_empty() {
                let at = rng.random_range(0..bytes.len());
                bytes[at] ^= 1 << rng.random_range(0..8);
            }
        }
    }
}

/// The same message with a proof that does not hold; with luck that of an older one.
pub fn falsified(payload: &Payload, old: Option<Payload>, rng: &mut ChaCha20Rng) -> Payload {
    let old = old.filter(|_| rng.random_bool(0.3));
    let mut p = payload.clone();
    match (&mut p, old) {
        (Payload::Key { bytes, .. }, Some(Payload::Key { bytes: b, .. }))
        | (Payload::Escrow { bytes, .. }, Some(Payload::Escrow { bytes: b, .. }))
        | (Payload::Unary { bytes, .. }, Some(Payload::Unary { bytes: b, .. }))
        | (Payload::Select { bytes, .. }, Some(Payload::Select { bytes: b, .. }))
        | (Payload::Reveal { bytes, .. }, Some(Payload::Reveal { bytes: b, .. }))
        | (Payload::Shares { batch: bytes, .. }, Some(Payload::Shares { batch: b, .. }))
            if *bytes != b =>
        {
            *bytes = b;
        }
        (
            Payload::Shuffle { deck, proof, .. },
            Some(Payload::Shuffle { deck: d, proof: f, .. }),
        ) => {
            *deck = d;
            *proof = f;
        }
        (Payload::Shuffle { deck, proof, .. }, None) => match rng.random_range(0..3) {
            // Another deck than the one that was proved, or another proof.
            0 if deck.len() >= 128 => deck.rotate_left(64),
            1 => damage(deck, rng),
            _ => damage(proof, rng),
        },
        (Payload::Cut { at, .. }, _) => *at = 200,
        (Payload::Final { hash, .. }, _) => hash[rng.random_range(0..32)] ^= 1,
        (Payload::Shares { positions, batch, .. }, _) => match rng.random_range(0..4) {
            0 => {
                positions.pop();
            }
            1 => positions.iter_mut().for_each(|p| *p = p.wrapping_add(1)),
            _ => damage(batch, rng),
        },
        (Payload::Tens { batch, .. }, _) => damage(batch, rng),
        (Payload::Unary { bytes, shown, .. } | Payload::Select { bytes, shown, .. }, _) => {
            if !shown.is_empty() && rng.random_bool(0.5) {
                damage(shown, rng);
            } else {
                damage(bytes, rng);
            }
        }
        (
            Payload::Key { bytes, .. }
            | Payload::Escrow { bytes, .. }
            | Payload::Recover { bytes, .. }
            | Payload::Renew { bytes, .. }
            | Payload::Recipient { bytes, .. }
            | Payload::Show { bytes, .. }
            | Payload::Reveal { bytes, .. },
            _,
        ) => damage(bytes, rng),
        _ => {}
    }
    p
}

impl Liar {
    /// Keeps a book of the deal as the liar's own table does, to make second versions from.
    pub(super) fn shadow(&mut self, ctx: &Ctx<'_>, message: &Signed) {
        let wanted = matches!(
            self.kind,
            Cheat::Two(Part::Shuffle | Part::Escrow) | Cheat::TwoLast | Cheat::OtherEscrow
        );
        if !wanted {
            return;
        }
        let core = ctx.table.state().core();
        let Stage::Dealing { deal, .. } = &core.stage else { return };
        if self.book.as_ref().is_none_or(|b| b.plan.number != *deal) {
            self.book = DealPlan::new(core).ok().flatten().map(|plan| DealBook::new(plan, ctx.now));
        }
        if let (Some(book), Ok(body)) = (&mut self.book, message.read(ctx.log)) {
            let _ = book.offer(ctx.now, message, &body, &mut self.checks);
        }
    }

    pub(super) fn messages(
        &mut self,
        ctx: &Ctx<'_>,
        targets: &[usize],
        list: Vec<Signed>,
    ) -> Vec<Told> {
        let mut all = Vec::new();
        let mut plain: Vec<Vec<Signed>> = vec![Vec::new(); targets.len()];
        for message in list {
            let body = message.read(ctx.log).ok().filter(|b| b.author == ctx.id.public());
            let Some(body) = body else {
                plain.iter_mut().for_each(|l| l.push(message.clone()));
                continue;
            };
            let part = Part::here(&body.payload, ctx.table);
            if self.kind == Cheat::Mute(part) {
                self.met += 1;
                continue;
            }
            let versions = self.versions(ctx, &message, &body.payload);
            self.shadow(ctx, &message);
            if let Payload::Move { .. } = body.payload
                && self.kind == Cheat::TwoMoves
                && let Some(other) = forge::other_move(ctx, &body.payload, &mut self.rng)
            {
                self.met += 1;
                plain.iter_mut().for_each(|l| l.push(other.clone()));
            }
            for (list, target) in plain.iter_mut().zip(targets) {
                match &versions[..] {
                    [] => list.push(message.clone()),
                    [one] => list.push(one.clone()),
                    [a, b, ..] if self.both && self.kind != Cheat::TwoLast => {
                        list.extend([a.clone(), b.clone()]);
                    }
                    [a, b, ..] => list.push(if self.half(*target) { a.clone() } else { b.clone() }),
                }
            }
        }
        for (list, target) in plain.into_iter().zip(targets) {
            if !list.is_empty()
                && let Ok(bytes) = wire::encode(&TableWire::Messages(list))
            {
                all.push((0, *target, bytes));
            }
        }
        all
    }

    /// What is said instead of a message: nothing else, one other, or two.
    fn versions(&mut self, ctx: &Ctx<'_>, message: &Signed, payload: &Payload) -> Vec<Signed> {
        let id = message.id();
        if let Some(known) = self.lies.get(&id) {
            return known.clone();
        }
        let part = Part::of(payload);
        let lies = match self.kind {
            Cheat::False(Part::Tens) => {
                self.no_tens(ctx, payload).and_then(|p| ctx.sign(p)).into_iter().collect()
            }
            Cheat::False(p) if p == part && self.rng.random_bool(0.7) => {
                let old = self.old.iter().rev().find(|(p, _)| *p == part);
                let old = old.and_then(|(_, m)| m.read(ctx.log).ok()).map(|b| b.payload);
                let lie = falsified(payload, old, &mut self.rng);
                let lie = ctx.sign(lie).filter(|lie| lie.bytes != message.bytes);
                let truth = lie.is_some() && self.beside && part.of_log();
                truth.then(|| message.clone()).into_iter().chain(lie).collect()
            }
            Cheat::Two(p) if p == part && self.rng.random_bool(0.7) => {
                match self.second(ctx, payload).and_then(|p| ctx.sign(p)) {
                    Some(other) if other.bytes != message.bytes => vec![message.clone(), other],
                    _ => Vec::new(),
                }
            }
            Cheat::TwoLast if part == Part::Shuffle && self.shuffles_last(ctx) => {
                match self.second(ctx, payload).and_then(|p| ctx.sign(p)) {
                    Some(other) if other.bytes != message.bytes => vec![message.clone(), other],
                    _ => Vec::new(),
                }
            }
            Cheat::TwoSignatures if part.of_deal() && self.rng.random_bool(0.3) => {
                let other = forge::signed_again(ctx, message, &mut self.rng);
                other.map_or_else(Vec::new, |other| vec![message.clone(), other])
            }
            Cheat::OtherEscrow if part == Part::Escrow => self
                .other_escrow(ctx.table, payload)
                .and_then(|p| ctx.sign(p))
                .into_iter()
                .collect(),
            Cheat::FalseStatus => match payload {
                Payload::Status { .. } => {
                    let lie = forge::false_status(payload, &mut self.rng);
                    self.met += 1;
                    return ctx.sign(lie).into_iter().collect();
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if part != Part::Other {
            if self.old.len() > 60 {
                self.old.remove(0);
            }
            self.old.push((part, message.clone()));
        }
        if !lies.is_empty() {
            self.met += 1;
            // What answers a step of the log is provable once somebody holds it while the step is open.
            if part.of_log() || self.kind == Cheat::False(Part::Tens) {
                self.false_steps.extend(lies.iter().filter(|l| *l != message).map(Signed::id));
            }
            // A signature on another hash than the others' is no proof of anything by itself.
            self.provable |= match self.kind {
                Cheat::Two(_) | Cheat::TwoSignatures | Cheat::TwoLast => part.of_deal(),
                Cheat::False(_) | Cheat::OtherEscrow => part.of_deal() && part != Part::Final,
                _ => false,
            };
        }
        if self.lies.len() > 400 {
            self.lies.clear();
        }
        self.lies.insert(id, lies.clone());
        lies
    }

    /// Another good answer to the same step, where one can be made.
    fn second(&mut self, ctx: &Ctx<'_>, payload: &Payload) -> Option<Payload> {
        match payload {
            Payload::Key { deal, .. } => {
                let plan = DealPlan::new(ctx.table.state().core()).ok().flatten()?;
                let index = plan.index_of(ctx.seat()?)?;
                let secret = SecretKey::generate(&mut self.rng);
                let proof = trinka_crypto::keys::prove(&plan.id, index, &secret, &mut self.rng);
                Some(Payload::Key { deal: *deal, bytes: proof.to_bytes() })
            }
            Payload::Shuffle { deal, after, .. } => {
                let me = ctx.seat()?;
                let book = self.book.as_ref()?;
                let Todo::Shuffle { step, deck, keys, .. } = book.todo(me)? else { return None };
                let index = book.plan.index_of(me)?;
                let secret = SecretKey::generate(&mut self.rng);
                let (deck, proof) = trinka_crypto::shuffle::shuffle(
                    &keys,
                    index,
                    &secret,
                    step,
                    &deck,
                    &mut self.rng,
                )
                .ok()?;
                Some(Payload::Shuffle {
                    deal: *deal,
                    after: *after,
                    deck: deck.to_bytes(),
                    proof: proof.to_bytes(),
                })
            }
            Payload::Cut { deal, after, at } => {
                Some(Payload::Cut { deal: *deal, after: *after, at: (at + 1) % 24 })
            }
            Payload::Escrow { .. } => self.escrow_with(ctx.table, payload, None),
            _ => Some(falsified(payload, None, &mut self.rng)),
        }
    }

    /// Whether its next shuffle is the last of the deal.
    fn shuffles_last(&self, ctx: &Ctx<'_>) -> bool {
        let todo = ctx.seat().and_then(|me| self.book.as_ref().map(|book| (book.todo(me), book)));
        match todo {
            Some((Some(Todo::Shuffle { step, .. }), book)) => {
                usize::try_from(step).is_ok_and(|step| step + 1 == book.plan.order.len())
            }
            _ => false,
        }
    }

    /// Three tens that are none, laid open wherever such would be.
    fn no_tens(&mut self, ctx: &Ctx<'_>, payload: &Payload) -> Option<Payload> {
        let state = ctx.table.state();
        let redeal = state.core().terms.rules.three_tens == ThreeTens::OnCompare;
        let basis = match payload {
            Payload::Tens { .. } => return Some(falsified(payload, None, &mut self.rng)),
            Payload::Move { basis, .. } if Part::here(payload, ctx.table) == Part::Tens => *basis,
            Payload::Unary { basis, .. } | Payload::Select { basis, .. } if redeal => *basis,
            _ => return None,
        };
        let (me, deal, cards) = (ctx.seat()?, state.deal()?, state.core().playing()?);
        let index = deal.plan.index_of(me)?;
        let secret = SecretKey::from_bytes(self.secrets.get(&deal.plan.number)?).ok()?;
        let mut places: Vec<usize> = cards
            .hands
            .get(&me)?
            .iter()
            .filter(|p| !cards.is_given(**p, me))
            .map(|p| usize::from(*p))
            .collect();
        places.sort_unstable();
        let batch = trinka_crypto::shares::prove(
            &deal.keys,
            index,
            &secret,
            share_purpose(),
            &deal.deck,
            &places,
            &mut self.rng,
        );
        Some(Payload::Tens { basis, batch: batch.ok()?.to_bytes() })
    }

    fn other_escrow(&mut self, table: &Table, payload: &Payload) -> Option<Payload> {
        let cut = self.rng.random_range(1..20);
        self.escrow_with(table, payload, Some(cut))
    }

    /// An escrow of this seat's shares of these cards, or of those that lie so many places further.
    fn escrow_with(
        &mut self,
        table: &Table,
        payload: &Payload,
        further: Option<usize>,
    ) -> Option<Payload> {
        let Payload::Escrow { deal, after, .. } = payload else { return None };
        let me = table.seat()?;
        let book = self.book.as_ref()?;
        let Todo::Escrow { deck, keys, .. } = book.todo(me)? else { return None };
        let index = book.plan.index_of(me)?;
        let secret = SecretKey::from_bytes(self.secrets.get(&book.plan.number)?).ok()?;
        let deck = match further {
            Some(at) => deck.cut(at).ok()?,
            None => *deck,
        };
        let holdings = holdings(&book.plan.others_places(index));
        let proved = trinka_crypto::escrow::prove(
            &keys,
            index,
            &secret,
            &deck,
            &holdings,
            &[],
            0,
            &mut self.rng,
        );
        let bytes = proved.ok()?.to_bytes();
        Some(Payload::Escrow { deal: *deal, after: *after, bytes })
    }
}
