//! Seats that are absent, lost, admitted, or say something that answers no turn.

use super::apply::Work;
use super::{Checked, DealPlan, DealUse, Presence, Refusal, SeatState, Sides, Stage};
use crate::event::{AgainReason, Event, FaultKind, OfferKind};
use crate::identity::PublicKey;
use crate::rules::{Input as GameInput, Phase, Seat};
use crate::table::founding::{Player, check_addresses, check_name};
use crate::table::message::{Free, Hash, Payload, Proof, Signed, StepId};
use crate::table::{evidence, limits};
use crate::wire;

impl Work<'_> {
    // ---- absence ----

    pub(super) fn absent(&mut self, author: Seat, step: StepId, seat: Seat) -> Result<(), Refusal> {
        if !self.core.electorate.contains(&author) {
            return Err(Refusal::NotAsked);
        }
        match step {
            StepId::Deal { deal, .. } => {
                // Which message is missing is known outside the log only; whose part it is, here too.
                let Stage::Dealing { deal: open, order, .. } = &self.core.stage else {
                    return Err(Refusal::Stale);
                };
                if deal != *open || !order.contains(&seat) {
                    return Err(Refusal::Stale);
                }
                self.lose(seat, true)
            }
            StepId::Unheard { finished, returns } => {
                let s = self.seat(seat)?;
                let present = s.presence.is_here();
                if !present || s.returns != returns || finished != self.core.finished {
                    return Err(Refusal::Stale);
                }
                self.lose(seat, false)
            }
            _ => {
                if !self.core.owed().iter().any(|o| o.seat == seat && o.step == step) {
                    return Err(Refusal::Stale);
                }
                if let StepId::Turn(_) = step {
                    self.game(&GameInput::TimeOut { seat })?;
                    let s = self.seat(seat)?;
                    s.missed = s.missed.saturating_add(1);
                    if s.missed < limits::MISSED_TURNS || s.presence != Presence::Here {
                        return Ok(());
                    }
                    s.idle = true;
                    return self.lose(seat, false);
                }
                self.lose(seat, true)
            }
        }
    }

    /// A seat is lost: out of the electorate with this very entry, its cards folded, its stack its own.
    pub(super) fn lose(&mut self, seat: Seat, machine: bool) -> Result<(), Refusal> {
        let s = self.seat(seat)?;
        s.presence = Presence::Away;
        s.missed = 0;
        s.returning = false;
        if machine {
            s.losses = s.losses.saturating_add(1);
        }
        self.core.disenfranchise(seat);
        self.events.push(Event::Away { seat });
        self.drop_out(seat)
    }

    /// Whatever the seat takes part in goes on without it.
    pub(super) fn drop_out(&mut self, seat: Seat) -> Result<(), Refusal> {
        match &mut self.core.stage {
            Stage::Idle | Stage::Over => {
                self.between_hands();
                Ok(())
            }
            Stage::Starting { participants, ready, .. } => {
                participants.retain(|s| *s != seat);
                ready.remove(&seat);
                self.maybe_deal()
            }
            Stage::Dealing { hand, deal, order, purpose, exposing } => {
                if !order.contains(&seat) {
                    return self.game(&GameInput::Lost { seat });
                }
                exposing.retain(|other| *other != seat);
                let (hand, deal, purpose) = (*hand, *deal, *purpose);
                self.core.line_up.retain(|other| *other != seat);
                self.game(&GameInput::Lost { seat })?;
                let Stage::Dealing { deal: now, order, purpose: still, .. } = &self.core.stage
                else {
                    return Ok(());
                };
                // Who does not lift shuffles all the same: without it the cards are shuffled anew.
                if *now == deal && *still == purpose && order.contains(&seat) {
                    self.deal_again(hand, purpose);
                }
                self.events.push(Event::DealAgain { hand, deal, reason: AgainReason::Missing });
                Ok(())
            }
            Stage::Playing { cards, .. } => {
                let deal = cards.deal;
                if cards.purpose == Some(DealUse::Hand) && !cards.dealt {
                    // A card has been seen: from here on leaving costs the stake.
                    cards.exposing.clear();
                    if let Phase::Exposed { seat } = *self.core.game.phase() {
                        self.game(&GameInput::TimeOut { seat })?;
                    }
                    self.before_dealt()?;
                }
                if matches!(self.core.stage, Stage::Idle | Stage::Over) {
                    return Ok(());
                }
                self.core.line_up.retain(|other| *other != seat);
                self.game(&GameInput::Lost { seat })?;
                match &self.core.stage {
                    Stage::Playing { cards, .. } if cards.deal == deal => self.lose_layers(seat),
                    _ => Ok(()),
                }
            }
        }
    }

    // ---- seats ----

    pub(super) fn admit(
        &mut self,
        key: PublicKey,
        name: String,
        buy_in: u64,
        addresses: Vec<String>,
        rules: Hash,
    ) -> Result<(), Refusal> {
        if rules != self.core.terms.house {
            return Err(Refusal::Bounds("house rules"));
        }
        check_name(&name).map_err(|_| Refusal::Bounds("name"))?;
        check_addresses(&addresses).map_err(|_| Refusal::Bounds("addresses"))?;
        if key.verifying().is_none() {
            return Err(Refusal::Bounds("key"));
        }
        if buy_in != self.core.terms.buy_in {
            return Err(Refusal::Bounds("buy-in"));
        }
        if self.core.taken() >= usize::from(self.core.terms.seats)
            || self.core.seats.len() >= limits::SEATS_EVER
        {
            return Err(Refusal::Bounds("no free seat"));
        }
        let seat = self.core.seats.keys().last().map_or(0, |s| s.0.saturating_add(1));
        let seat = Seat(seat);
        self.game(&GameInput::Sit { seat, chips: buy_in })?;
        // A hand that is open already is not one that it plays.
        let since = self.core.finished.saturating_add(u64::from(self.core.hand().is_some()));
        // Nonces go on from seat to seat of a key: nothing that was said on an earlier one is said on this.
        let earlier = self.core.seats.values().filter(|s| s.player.key == key);
        let nonce = earlier.map(|s| s.nonce).max().unwrap_or(0);
        let player = Player { key, name, addresses };
        self.core.seats.insert(seat, SeatState::new(player, since, nonce));
        self.voices_changed();
        self.events.push(self.core.table_event());
        Ok(())
    }

    pub(super) fn free(&mut self, seat: Seat, free: Free) -> Result<(), Refusal> {
        match free {
            Free::Accept { key, times } => {
                if !self.core.electorate.contains(&seat) {
                    return Err(Refusal::NotAsked);
                }
                let newcomer = self
                    .core
                    .seat_of(&key)
                    .filter(|s| self.core.seated(*s) && self.core.earlier_seats(&key) == times)
                    .ok_or(Refusal::Stale)?;
                if self.core.electorate.contains(&newcomer)
                    || !self.seat(newcomer)?.accepted_by.insert(seat)
                {
                    return Err(Refusal::Stale);
                }
                Ok(())
            }
            Free::Return => {
                let s = self.seat(seat)?;
                match s.presence {
                    Presence::SittingOut => {
                        s.presence = Presence::Here;
                        self.events.push(Event::Back { seat });
                        Ok(())
                    }
                    Presence::Away if !s.returning => {
                        s.returning = true;
                        self.between_hands();
                        Ok(())
                    }
                    _ => Err(Refusal::Stale),
                }
            }
            Free::Leave => {
                let s = self.seat(seat)?;
                if s.leaving || s.presence == Presence::Frozen {
                    return Err(Refusal::Stale);
                }
                s.leaving = true;
                if let Stage::Starting { participants, ready, .. } = &mut self.core.stage {
                    participants.retain(|s| *s != seat);
                    ready.remove(&seat);
                    self.maybe_deal()?;
                }
                self.between_hands();
                Ok(())
            }
            Free::Rebuy { amount } => {
                let (finished, buy_in) = (self.core.finished, self.core.terms.buy_in);
                let s = self.seat(seat)?;
                if amount == 0 || amount > buy_in {
                    return Err(Refusal::Bounds("rebuy"));
                }
                if s.rebought == finished.saturating_add(1) || s.presence == Presence::Frozen {
                    return Err(Refusal::Stale);
                }
                s.rebought = finished.saturating_add(1);
                self.game(&GameInput::Rebuy { seat, chips: amount })?;
                self.events.push(self.core.table_event());
                Ok(())
            }
            Free::Look { deal } => {
                self.look(seat, deal)?;
                self.seat(seat)?.missed = 0;
                Ok(())
            }
            Free::Expose { deal, seat: receiver } => self.expose(seat, deal, receiver),
            Free::Offer(offer) => self.offer(seat, offer),
            Free::Answer { offer, yes } => self.answer(seat, offer, yes),
            Free::MoreTime { basis } => {
                self.on_turn(seat, basis)?;
                let s = self.seat(seat)?;
                s.time_bank = s.time_bank.checked_sub(1).ok_or(Refusal::Bounds("time bank"))?;
                if let Stage::Playing { cards, .. } = &mut self.core.stage {
                    cards.more_time = cards.more_time.saturating_add(1);
                }
                Ok(())
            }
            Free::Evidence(proof) => self.evidence(*proof),
            Free::Unfreeze { seat: frozen, returns } => self.forgive(seat, frozen, returns),
        }
    }

    /// The author of a message that answers a step of this hand, open or answered since, with a proof that is
    /// false for it. What it speaks of is fixed by what it names and the log before it, so that an honest
    /// program never says it.
    fn false_step(&mut self, message: &Signed) -> Result<Seat, Refusal> {
        let body = self.checks.open(message, self.core.log)?;
        let innocent = |why: &str| Refusal::Evidence(why.into());
        let seat = self.core.seat_of(&body.author).ok_or(Refusal::Stranger)?;
        let settled = self.seat(seat)?.forgiven.map(|(height, _)| height);
        let past = self.known.past.clone();
        let asked = past.iter().filter(|state| {
            let core = state.core();
            settled.is_none_or(|height| core.height > height)
                && core
                    .owed()
                    .iter()
                    .any(|o| o.seat == seat && o.step.is_answered_by(&body.payload))
        });
        let before = self.snapshot();
        let mut tried = vec![self.prove(seat, body.payload.clone())];
        self.restore(before);
        tried.extend(
            asked.map(|state| Work::new(state, self.checks).prove(seat, body.payload.clone())),
        );
        if tried.iter().any(Result::is_ok) {
            return Err(innocent("the message is as it should be"));
        }
        match tried.iter().any(|t| matches!(t, Err(Refusal::Proof(_)))) {
            true => Ok(seat),
            false => Err(innocent("it answers no step of this hand")),
        }
    }

    /// Takes what a program answers with a proof.
    fn prove(&mut self, seat: Seat, payload: Payload) -> Result<(), Refusal> {
        let innocent = |why: &str| Refusal::Evidence(why.into());
        let compares = matches!(
            payload,
            Payload::Unary { .. } | Payload::Select { .. } | Payload::Reveal { .. }
        );
        if compares && Sides::new(&self.core, &self.known, self.checks).is_err() {
            return Err(innocent("nothing is compared"));
        }
        match payload {
            Payload::Shares { deal, round, positions, batch } => {
                self.give_shares(seat, (deal, round), &positions, &batch)
            }
            Payload::Recover { deal, lost, bytes } => self.recover(seat, deal, lost, &bytes),
            Payload::Renew { deal, step, bytes } => self.renew_escrow(seat, deal, step, &bytes),
            Payload::Recipient { deal, bytes } => self.name_key(seat, deal, &bytes),
            Payload::Show { deal, to, bytes } => self.show_partners(seat, deal, &to, &bytes),
            Payload::Tens { basis, batch } => self.lay_tens(seat, basis, &batch),
            Payload::Unary { basis, bytes, shown } => self.commit(seat, basis, &bytes, &shown),
            Payload::Select { basis, bytes, shown } => self.select(seat, basis, &bytes, &shown),
            Payload::Reveal { basis, bytes } => self.reveal(seat, basis, &bytes),
            _ => Err(innocent("it proves nothing by itself")),
        }
    }

    /// Whom a proof shows guilty in this state, and of what.
    pub(super) fn accused(&mut self, proof: &Proof) -> Result<(Seat, evidence::Kind), Refusal> {
        if let Proof::FalseStep { message } = proof {
            return Ok((self.false_step(message)?, evidence::Kind::FalseStep));
        }
        let unreadable = |e: wire::WireError| Refusal::Evidence(e.to_string());
        let hash = evidence_hash(proof)?;
        let core = &self.core;
        // All that a verdict depends on beside the proof: whom it is against now, and the house rules.
        let claimed = evidence::claimed(proof, core).map_or(0x100, |s| u16::from(s.0));
        let rules = wire::encode(&core.terms.rules).map_err(unreadable)?;
        let key = wire::hash("evidence check", &[&hash, &claimed.to_be_bytes(), &rules]);
        let mut rng = self.checks.fork();
        let checked = self.checks.once(key, || {
            evidence::accused(proof, core, &mut rng)
                .map(|(seat, kind)| Checked::Accused(seat, kind))
                .map_err(Refusal::Evidence)
        })?;
        let Checked::Accused(seat, kind) = checked else { return Err(Refusal::Stale) };
        Ok((seat, kind))
    }

    pub(super) fn evidence(&mut self, proof: Proof) -> Result<(), Refusal> {
        let (seat, kind) = self.accused(&proof)?;
        if self.was_forgiven(seat, &proof) {
            return Err(Refusal::Stale);
        }
        let s = self.seat(seat)?;
        if matches!(s.presence, Presence::Frozen | Presence::Left) {
            return Err(Refusal::Stale);
        }
        s.presence = Presence::Frozen;
        s.accepted_by.clear();
        s.returning = false;
        s.leaving = false;
        self.core.disenfranchise(seat);
        self.voices_changed();
        let hash = Some(wire::hex(&evidence_hash(&proof)?));
        self.events.push(Event::Fault { seat, kind: kind_of(kind), evidence: hash });
        self.drop_out(seat)?;
        // The rules freeze only a stack that is not in play any more. Who has left took it along.
        self.suggest(GameInput::Freeze { seat });
        Ok(())
    }
}

impl Work<'_> {
    // ---- forgiving ----

    /// A voter agrees that a frozen seat may play again; the last of them unfreezes it.
    fn forgive(&mut self, author: Seat, seat: Seat, returns: u32) -> Result<(), Refusal> {
        if !self.core.electorate.contains(&author) {
            return Err(Refusal::NotAsked);
        }
        let s = self.seat(seat)?;
        if s.presence != Presence::Frozen || s.returns != returns || !s.accepted_by.insert(author) {
            return Err(Refusal::Stale);
        }
        let first = s.accepted_by.len() == 1;
        let agreed = s.accepted_by.clone();
        if self.core.electorate.is_subset(&agreed) {
            self.unfreeze(seat)
        } else {
            if first {
                self.events.push(Event::Offer {
                    kind: OfferKind::Unfreeze,
                    from: Some(author),
                    to: vec![seat],
                    shares: Vec::new(),
                    key: None,
                    name: None,
                    rules: None,
                });
            }
            Ok(())
        }
    }

    /// Where who has not agreed does not vote any more, a frozen seat may play again.
    pub(super) fn unfreeze_forgiven(&mut self) {
        let voters = &self.core.electorate;
        let forgiven: Vec<Seat> = self
            .core
            .seats
            .iter()
            .filter(|(_, s)| s.presence == Presence::Frozen && voters.is_subset(&s.accepted_by))
            .map(|(seat, _)| *seat)
            .collect();
        for seat in forgiven {
            // It is there: it was found among the seats.
            let _known = self.unfreeze(seat);
        }
    }

    /// A seat may play again, from the next hand on. It votes after one finished hand, as a newcomer does.
    fn unfreeze(&mut self, seat: Seat) -> Result<(), Refusal> {
        let since = self.core.finished.saturating_add(u64::from(self.core.hand().is_some()));
        let settled = (self.core.height, self.core.deals);
        let s = self.seat(seat)?;
        s.presence = Presence::Here;
        s.since = since;
        s.missed = 0;
        s.idle = false;
        s.returns = s.returns.saturating_add(1);
        s.forgiven = Some(settled);
        // The rules may not have frozen it: its stack was in play to the end of a hand.
        self.suggest(GameInput::Unfreeze { seat });
        self.voices_changed();
        self.events.push(Event::Back { seat });
        self.events.push(self.core.table_event());
        Ok(())
    }

    /// Whether a proof is about what its author was forgiven. What was signed for a deal is told from
    /// earlier deals only while that deal is made or played.
    fn was_forgiven(&self, seat: Seat, proof: &Proof) -> bool {
        let forgiven = self.core.seats.get(&seat).and_then(|s| s.forgiven);
        let Some((height, deals)) = forgiven else { return false };
        match proof {
            Proof::Agreement(evidence) => evidence.height() <= height,
            Proof::FalseDealMessage { number, .. } => *number <= deals,
            // It looks only at what was asked since.
            Proof::FalseStep { .. } => false,
            Proof::TwoDealMessages { first, .. } => {
                let made = DealPlan::new(&self.core).ok().flatten();
                let open = made.as_ref().or(self.known.deal.as_ref().map(|deal| &deal.plan));
                let of = first.read(self.core.log).ok().and_then(|b| evidence::deal_of(&b.payload));
                !open.is_some_and(|plan| plan.number > deals && Some(plan.id.0) == of)
            }
        }
    }
}

/// By which a proof is named to players.
fn evidence_hash(proof: &Proof) -> Result<Hash, Refusal> {
    let bytes = wire::encode(proof).map_err(|e| Refusal::Evidence(e.to_string()))?;
    Ok(wire::hash("trinka evidence", &[&bytes]))
}

fn kind_of(kind: evidence::Kind) -> FaultKind {
    match kind {
        evidence::Kind::TwoVotes => FaultKind::TwoVotes,
        evidence::Kind::TwoDealMessages => FaultKind::TwoMessages,
        evidence::Kind::FalseDealMessage | evidence::Kind::FalseStep => FaultKind::FalseProof,
    }
}
