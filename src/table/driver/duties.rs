//! What this seat owes: what its program does by itself.

use super::{Record, StepKey, Table, TableWire, To};
use crate::event::{Event, LegalMove, MoveKind, OfferKind};
use crate::rules::{Action, ActionKind, Phase, Seat};
use crate::table::dealbook::Todo;
use crate::table::ledger::{Presence, Stage, holdings};
use crate::table::message::{Basis, Free, Payload, Signed, StepId};
use rand::RngExt as _;
use trinka_crypto::SecretKey;
use zeroize::Zeroizing;

/// How long a player who sits out may think whether it enters a svara, in milliseconds.
const SIT_OUT_MS: u64 = 8_000;

/// The least time for lifting, in milliseconds.
const LIFT_MS: u64 = 2_000;

impl Table {
    /// Does whatever this seat owes now, each thing once. True when something was done.
    pub(super) fn duties(&mut self, now: u64) -> bool {
        let Some(me) = self.seat() else { return self.sit_down(now) };
        // One wish is good for one seat.
        self.sit = None;
        let mut moved = self.steps(now, me);
        moved |= self.deal_part(now, me);
        moved |= self.see_cards(me);
        moved |= self.see_shown(me);
        moved |= self.announce(now, me);
        moved |= self.come_back(me);
        moved |= self.meet_newcomers(me);
        moved |= self.say_free(now, me);
        moved
    }

    /// When a duty that waits for a time is due.
    pub(super) fn duty_timeout(&self) -> Option<u64> {
        match &self.state.core().stage {
            Stage::Idle => Some(self.idle_since.saturating_add(self.pace_ms)),
            Stage::Dealing { .. } => {
                self.book.as_ref().map(|b| b.since.saturating_add(self.cut_ms))
            }
            Stage::Playing { .. } => self.asked_since.map(|(_, at)| {
                at.saturating_add(if self.sit_out { SIT_OUT_MS } else { self.lift_ms() })
            }),
            _ => None,
        }
        .filter(|at| self.last_call.is_some_and(|now| *at > now))
    }

    /// Signs a message that answers a step, once; makes it durable, keeps it and sends it.
    pub(super) fn say_own(&mut self, now: u64, key: (StepKey, Seat), payload: Payload) -> bool {
        if self.own.contains_key(&key) {
            return false;
        }
        let Ok(message) = Signed::new(&self.id, self.log_id, payload) else { return false };
        self.own.insert(key, message.clone());
        self.publish(now, message);
        true
    }

    pub(super) fn publish(&mut self, now: u64, message: Signed) {
        if let Some(signed) = &mut self.signed {
            signed.insert(message.id());
        }
        self.persist(Record::Own(message.clone()));
        self.send(To::All, &TableWire::Messages(vec![message.clone()]));
        self.take_own(now, message);
    }

    /// Puts a message of this node where messages of others go.
    pub(super) fn take_own(&mut self, now: u64, message: Signed) {
        let Ok(body) = message.read(self.log_id) else { return };
        match body.payload {
            Payload::Key { .. }
            | Payload::Shuffle { .. }
            | Payload::Cut { .. }
            | Payload::Escrow { .. }
            | Payload::Final { .. } => {
                self.deal_message(now, &message, &body);
            }
            _ => {
                let height = self.state.core().height;
                self.pool.insert(message, body, height, true);
            }
        }
    }

    /// Steps that are over need no answer any more.
    pub(super) fn forget_answers(&mut self) {
        let core = self.state.core();
        let (hands, deals) = (core.hands, core.deals);
        let owed = core.owed();
        self.own.retain(|(key, seat), _| match key {
            // Who comes back may owe the same step again, and miss it again.
            StepKey::Absent(step)
                if !matches!(step, StepId::Deal { .. } | StepId::Unheard { .. }) =>
            {
                owed.iter().any(|o| o.seat == *seat && o.step == *step)
            }
            StepKey::Step(step) | StepKey::Absent(step) => match step {
                StepId::Start { hand } | StepId::Ready { hand } => *hand >= hands,
                StepId::Deal { deal, .. }
                | StepId::Shares { deal, .. }
                | StepId::Recover { deal, .. }
                | StepId::Escrow { deal, .. }
                | StepId::Recipient { deal }
                | StepId::Show { deal } => *deal >= deals,
                StepId::Turn(basis)
                | StepId::Tens(basis)
                | StepId::Unary(basis)
                | StepId::Select(basis)
                | StepId::Reveal(basis) => basis.deal >= deals,
                StepId::Unheard { finished, .. } => *finished >= core.finished,
            },
            StepKey::Part(..) => self.book.is_some(),
            StepKey::Admit => true,
        });
    }

    fn sit_down(&mut self, now: u64) -> bool {
        let Some((name, addresses)) = self.sit.clone() else { return false };
        let core = self.state.core();
        let (buy_in, rules, times) =
            (core.terms.buy_in, core.terms.house, core.seats_had(&self.me));
        let key = (StepKey::Admit, Seat(u8::MAX));
        // What was asked for an earlier seat, or under other rules, is asked anew.
        let fits = |m: &Signed| match m.read(self.log_id).map(|b| b.payload) {
            Ok(Payload::Admit { rules: r, times: t, .. }) => r == rules && t == times,
            _ => false,
        };
        let Some(said) = self.own.get(&key).filter(|said| fits(said)).cloned() else {
            self.own.remove(&key);
            return self.say_own(
                now,
                key,
                Payload::Admit { name, buy_in, addresses, rules, times },
            );
        };
        // Refused while the table was full: the same words again when there may be room.
        if self.pool.get(&said.id()).is_none()
            && self.state.try_message(&said, &mut self.checks).is_ok()
        {
            self.take_own(now, said);
            return true;
        }
        false
    }

    // ---- machine steps ----

    fn steps(&mut self, now: u64, me: Seat) -> bool {
        let core = self.state.core();
        let mine: Vec<StepId> =
            core.owed().into_iter().filter(|o| o.seat == me).map(|o| o.step).collect();
        let mut moved = false;
        for step in mine {
            let key = (StepKey::Step(answered_as(step)), me);
            if let StepId::Unary(basis) | StepId::Select(basis) = step
                && self.own.contains_key(&(StepKey::Step(StepId::Turn(basis)), me))
            {
                // Three tens were laid open instead.
                continue;
            }
            if let Some(held) = self.own.get(&key) {
                // Who could be dealt in has changed since: the proposal is made anew.
                let names = match held.read(self.log_id).map(|b| b.payload) {
                    Ok(Payload::Start { participants, .. }) => Some(participants),
                    _ => None,
                };
                if names.is_none() || names == self.state.core().next_start().map(|(_, able)| able)
                {
                    continue;
                }
                self.own.remove(&key);
            }
            let payload = match step {
                StepId::Start { hand } => {
                    if now < self.idle_since.saturating_add(self.pace_ms) {
                        continue;
                    }
                    let Some((_, participants)) = self.state.core().next_start() else { continue };
                    Payload::Start { hand, participants }
                }
                StepId::Ready { hand } if self.sit_out => Payload::SitOut { hand },
                StepId::Ready { hand } => Payload::Ready { hand },
                StepId::Turn(basis) => match self.planned.take() {
                    Some((planned, Action::Redeal)) if planned == basis => {
                        match self.lay_tens(me, basis) {
                            Some(payload) => payload,
                            None => continue,
                        }
                    }
                    Some((planned, action)) if planned == basis => Payload::Move { basis, action },
                    _ => match self.answer_by_itself(now, me, basis) {
                        Some(action) => Payload::Move { basis, action },
                        None => continue,
                    },
                },
                StepId::Shares { .. }
                | StepId::Recover { .. }
                | StepId::Escrow { .. }
                | StepId::Recipient { .. }
                | StepId::Show { .. }
                | StepId::Tens(_)
                | StepId::Unary(_)
                | StepId::Select(_)
                | StepId::Reveal(_) => match self.proof_for(me, step) {
                    Some(payload) => payload,
                    None => continue,
                },
                StepId::Deal { .. } | StepId::Unheard { .. } => continue,
            };
            let key = match (&payload, key) {
                (Payload::Tens { basis, .. }, (_, seat)) => {
                    (StepKey::Step(StepId::Turn(*basis)), seat)
                }
                (_, key) => key,
            };
            moved |= self.say_own(now, key, payload);
        }
        moved
    }

    /// How long this seat's player may take to lift, in milliseconds: also a bot says it itself.
    pub(super) fn lift_ms(&self) -> u64 {
        self.cut_ms.max(LIFT_MS)
    }

    /// Who does not say how many cards it lifts lifts an equal share; who sits out stays out.
    fn answer_by_itself(&mut self, now: u64, me: Seat, basis: Basis) -> Option<Action> {
        let game = &self.state.core().game;
        if *game.phase() == Phase::SvaraEntry && self.sit_out {
            let (_, since) =
                *self.asked_since.filter(|(b, _)| *b == basis).get_or_insert((basis, now));
            self.asked_since = Some((basis, since));
            return (now >= since.saturating_add(SIT_OUT_MS)).then_some(Action::StayOut);
        }
        let Phase::DealerChoice { seats } = game.phase() else { return None };
        let shares = u64::try_from(seats.len()).ok()?;
        let lift = |m: &crate::rules::LegalMove| m.seat == me && m.kind == ActionKind::Lift;
        let most = game.legal().into_iter().find(lift)?.max;
        let share = (u64::from(game.rules().deck().size()) / shares.max(1)).clamp(1, most.max(1));
        let (_, since) = *self.asked_since.filter(|(b, _)| *b == basis).get_or_insert((basis, now));
        self.asked_since = Some((basis, since));
        (now >= since.saturating_add(self.lift_ms()))
            .then(|| u8::try_from(share).ok().map(Action::Lift))
            .flatten()
    }

    // ---- the deal ----

    fn deal_part(&mut self, now: u64, me: Seat) -> bool {
        let Some((key, payload)) = self.next_deal_part(now, me) else { return false };
        self.say_own(now, key, payload)
    }

    fn next_deal_part(&mut self, now: u64, me: Seat) -> Option<((StepKey, Seat), Payload)> {
        let book = self.book.as_ref()?;
        if book.plan.number <= self.forgot.deal {
            return None;
        }
        let todo = book.todo(me)?;
        let plan = book.plan.clone();
        let index = plan.index_of(me)?;
        let part = match &todo {
            Todo::Key => 0,
            Todo::Shuffle { .. } => 1,
            Todo::Cut { .. } => 2,
            Todo::Final { .. } => 3,
            Todo::Escrow { .. } => 4,
        };
        let key = (StepKey::Part(plan.id.0, part), me);
        if self.own.contains_key(&key) {
            return None;
        }
        let deal = plan.id.0;
        let payload = match todo {
            Todo::Key => {
                let mut rng = self.rng();
                let secret = match self.secrets.get(&plan.number) {
                    Some(stored) => stored.clone(),
                    None => SecretKey::generate(&mut rng),
                };
                let message = trinka_crypto::keys::prove(&plan.id, index, &secret, &mut rng);
                // The key is durable before anybody hears of it: without it the cards would be lost.
                self.persist(Record::Secret { deal: plan.number, key: secret.to_bytes() });
                self.secrets.insert(plan.number, secret);
                Payload::Key { deal, bytes: message.to_bytes() }
            }
            Todo::Shuffle { after, step, deck, keys } => {
                let mut rng = self.rng();
                let secret = self.secrets.get(&plan.number)?;
                let (deck, proof) =
                    trinka_crypto::shuffle::shuffle(&keys, index, secret, step, &deck, &mut rng)
                        .ok()?;
                Payload::Shuffle { deal, after, deck: deck.to_bytes(), proof: proof.to_bytes() }
            }
            Todo::Cut { after } => {
                let at = self.choose_cut(now, me, &plan)?;
                Payload::Cut { deal, after, at }
            }
            Todo::Escrow { after, deck, keys } => {
                let mut rng = self.rng();
                let secret = self.secrets.get(&plan.number)?;
                let holdings = holdings(&plan.others_places(index));
                let proved = trinka_crypto::escrow::prove(
                    &keys,
                    index,
                    secret,
                    &deck,
                    &holdings,
                    &[],
                    0,
                    &mut rng,
                );
                Payload::Escrow { deal, after, bytes: proved.ok()?.to_bytes() }
            }
            Todo::Final { hash } => Payload::Final { deal, hash },
        };
        Some((key, payload))
    }

    /// Where to cut: as the player said; asked for, and at random when no answer comes.
    fn choose_cut(
        &mut self,
        now: u64,
        me: Seat,
        plan: &crate::table::ledger::DealPlan,
    ) -> Option<u8> {
        let cards = u8::try_from(plan.params.n()).ok()?;
        if let Some(at) = self.cut_at.take().filter(|at| *at < cards) {
            return Some(at);
        }
        let since = self.book.as_ref()?.since;
        if now < since.saturating_add(self.cut_ms) {
            if self.cut_asked != Some(plan.id.0) {
                self.cut_asked = Some(plan.id.0);
                let legal = vec![LegalMove::ranged(MoveKind::Cut, 0, u64::from(cards) - 1)];
                self.emit(Event::Turn {
                    seat: me,
                    mine: true,
                    price: None,
                    legal,
                    seconds: self.cut_ms / 1_000,
                });
            }
            return None;
        }
        Some(self.rng().random_range(0..cards))
    }

    /// A seat that was lost through no choice of its player comes back by itself; and whoever has started the
    /// program again wants to play, though nobody acted for it while it was gone.
    fn come_back(&mut self, me: Seat) -> bool {
        let Some(s) = self.state.core().seats.get(&me) else { return false };
        if s.presence == Presence::Here && self.catching_up.is_none() {
            self.started_again = false;
        }
        let lost = s.presence == Presence::Away && !s.returning && (!s.idle || self.started_again);
        let asked = self.frees.iter().any(|f| *f == Free::Return) || self.flying(&Free::Return);
        if lost && !asked {
            self.started_again = false;
            self.frees.push_back(Free::Return);
            return true;
        }
        false
    }

    fn flying(&self, free: &Free) -> bool {
        self.free_flying
            .and_then(|(_, id)| self.pool.get(&id))
            .is_some_and(|p| matches!(&p.body.payload, Payload::Free { free: f, .. } if f == free))
    }

    /// Accepts newcomers' keys as voters, or asks the player.
    fn meet_newcomers(&mut self, me: Seat) -> bool {
        let core = self.state.core();
        if !core.electorate.contains(&me) {
            return false;
        }
        let strangers: Vec<_> = core
            .seats
            .iter()
            .filter(|(seat, s)| {
                !core.electorate.contains(seat)
                    && s.presence.is_here()
                    && !s.accepted_by.contains(&me)
            })
            .map(|(_, s)| (s.player.key, s.player.name.clone()))
            .collect();
        let mut moved = false;
        // Who left and comes again is met again.
        self.offered.retain(|key| strangers.iter().any(|(k, _)| k == key));
        for (key, name) in strangers {
            if !self.offered.insert(key) {
                continue;
            }
            moved = true;
            if self.admit_all || self.friends.contains(&key) {
                let times = self.state.core().earlier_seats(&key);
                self.frees.push_back(Free::Accept { key, times });
            } else {
                self.emit(Event::Offer {
                    kind: OfferKind::Admit,
                    from: None,
                    to: vec![me],
                    shares: Vec::new(),
                    key: Some(key.hex()),
                    name: Some(name),
                    rules: None,
                });
            }
        }
        moved
    }
}

/// Under which step an answer is kept: a question about three tens is answered like a turn.
fn answered_as(step: StepId) -> StepId {
    match step {
        StepId::Tens(basis) => StepId::Turn(basis),
        other => other,
    }
}

/// The key of a hand from what was stored.
pub(super) fn stored_key(bytes: &Zeroizing<[u8; 32]>) -> Option<SecretKey> {
    SecretKey::from_bytes(&bytes[..]).ok()
}
