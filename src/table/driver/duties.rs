//! What this seat owes: what its program does by itself, and what its player says.

use super::{Record, StepKey, Table, TableWire, To, error};
use crate::event::{Command, Event, LegalMove, Move, MoveKind, OfferKind};
use crate::rules::{Card, Phase, Seat};
use crate::table::dealbook::Todo;
use crate::table::ledger::{Deal, Presence, Stage, look_purpose, open_purpose};
use crate::table::message::{DealPart, Free, Payload, Signed, StepId};
use crate::table::{limits, translate};
use rand::RngExt as _;
use trinka_crypto::SecretKey;
use zeroize::Zeroizing;

impl Table {
    /// Does whatever this seat owes now, each thing once. True when something was done.
    pub(super) fn duties(&mut self, now: u64) -> bool {
        let Some(me) = self.seat() else { return self.sit_down(now) };
        let mut moved = self.steps(now, me);
        moved |= self.deal_part(now, me);
        moved |= self.see_cards(me);
        moved |= self.announce_turn(now, me);
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

    fn publish(&mut self, now: u64, message: Signed) {
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
            StepKey::Absent(
                step @ (StepId::Start { .. }
                | StepId::Ready { .. }
                | StepId::Shares { .. }
                | StepId::Turn(_)
                | StepId::Open(_)),
            ) => owed.iter().any(|o| o.seat == *seat && o.step == *step),
            StepKey::Step(step) | StepKey::Absent(step) => match step {
                StepId::Start { hand } | StepId::Ready { hand } => *hand >= hands,
                StepId::Deal { deal, .. } | StepId::Shares { deal } => *deal >= deals,
                StepId::Turn(basis) | StepId::Open(basis) => basis.deal >= deals,
                StepId::Unheard { finished, .. } => *finished >= core.finished,
            },
            StepKey::Part(..) => self.book.is_some(),
            StepKey::Admit => true,
        });
    }

    fn sit_down(&mut self, now: u64) -> bool {
        let Some((name, addresses)) = self.sit.clone() else { return false };
        let buy_in = self.state.core().terms.buy_in;
        let key = (StepKey::Admit, Seat(u8::MAX));
        let Some(said) = self.own.get(&key).cloned() else {
            return self.say_own(now, key, Payload::Admit { name, buy_in, addresses });
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
            let key = (StepKey::Step(step), me);
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
                StepId::Shares { deal } => match self.make_shares(me, false) {
                    Some(batch) => Payload::Shares { deal, batch },
                    None => continue,
                },
                StepId::Open(basis) => match self.make_shares(me, true) {
                    Some(batch) => Payload::Open { basis, batch },
                    None => continue,
                },
                StepId::Turn(basis) => match self.planned.take() {
                    Some((planned, action)) if planned == basis => Payload::Move { basis, action },
                    _ => continue,
                },
                StepId::Deal { .. } | StepId::Unheard { .. } => continue,
            };
            moved |= self.say_own(now, key, payload);
        }
        moved
    }

    fn make_shares(&mut self, me: Seat, own: bool) -> Option<Vec<u8>> {
        let deal = self.state.deal()?.clone();
        let index = deal.plan.index_of(me)?;
        let mut rng = self.rng();
        let secret = self.secrets.get(&deal.plan.number)?;
        let (purpose, positions) = if own {
            (open_purpose(), deal.plan.positions(index))
        } else {
            (look_purpose(), deal.plan.others_positions(index))
        };
        trinka_crypto::shares::prove(
            &deal.keys, index, secret, purpose, &deal.deck, &positions, &mut rng,
        )
        .ok()
        .map(|batch| batch.to_bytes())
    }

    // ---- the deal ----

    fn deal_part(&mut self, now: u64, me: Seat) -> bool {
        let Some(book) = &self.book else { return false };
        let Some(todo) = book.todo(me) else { return false };
        let plan = book.plan.clone();
        let Some(index) = plan.index_of(me) else { return false };
        let part = match &todo {
            Todo::Key => 0,
            Todo::Shuffle { .. } => 1,
            Todo::Cut { .. } => 2,
            Todo::Final { .. } => 3,
        };
        let key = (StepKey::Part(plan.id.0, part), me);
        if self.own.contains_key(&key) {
            return false;
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
                let Ok((deck, proof)) =
                    trinka_crypto::shuffle::shuffle(&keys, index, step, &deck, &mut rng)
                else {
                    return false;
                };
                Payload::Shuffle { deal, after, deck: deck.to_bytes(), proof: proof.to_bytes() }
            }
            Todo::Cut { after } => {
                let Some(at) = self.choose_cut(now, me, &plan) else { return false };
                Payload::Cut { deal, after, at }
            }
            Todo::Final { hash } => Payload::Final { deal, hash },
        };
        self.say_own(now, key, payload)
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

    // ---- the look ----

    /// Takes the others' layers off this seat's cards as soon as all their shares are here.
    pub(super) fn see_cards(&mut self, me: Seat) -> bool {
        let core = self.state.core();
        let Stage::Playing { cards, .. } = &core.stage else { return false };
        let number = cards.deal;
        if !cards.owes.is_empty() || self.my_cards.is_some_and(|(deal, _)| deal == number) {
            return false;
        }
        let Some(hand) = self.peel(me) else { return false };
        self.my_cards = Some((number, hand));
        self.old_cards.push((number, hand));
        self.tell_cards(hand);
        true
    }

    pub(super) fn tell_cards(&mut self, hand: [Card; 3]) {
        let points =
            crate::rules::rank(&self.state.core().terms.rules, hand).map_or(0, |r| r.points);
        self.emit(Event::Cards { cards: hand.to_vec(), points });
    }

    fn peel(&self, me: Seat) -> Option<[Card; 3]> {
        let deal = self.state.deal()?;
        let index = deal.plan.index_of(me)?;
        let secret = self.secrets.get(&deal.plan.number)?;
        let mut hand = Vec::with_capacity(3);
        for position in deal.plan.positions(index) {
            let others: Vec<_> = self
                .state
                .shares()
                .iter()
                .filter(|(giver, _)| **giver != me)
                .filter_map(|(_, batch)| batch.share(position))
                .collect();
            let number = trinka_crypto::opening::peel(
                &deal.keys, &deal.deck, position, &others, index, secret,
            )
            .ok()?;
            hand.push(Deal::card(self.state.core(), u8::try_from(number).ok()?)?);
        }
        hand.try_into().ok()
    }

    // ---- the player ----

    /// Tells once whose turn it is.
    fn announce_turn(&mut self, now: u64, me: Seat) -> bool {
        let core = self.state.core();
        let Some(basis) = core.basis() else { return false };
        let Stage::Playing { cards, .. } = &core.stage else { return false };
        if !cards.owes.is_empty()
            || self.announced == Some(basis)
            || *core.game.phase() != Phase::Betting
        {
            return false;
        }
        let Some(seat) = core.game.turn() else { return false };
        let price = core.game.price(seat).map(translate::price);
        let mine = seat == me;
        let legal = if mine { translate::legal(&core.game.legal(), me) } else { Vec::new() };
        let seconds =
            self.clocks.left(now, seat, StepId::Turn(basis)).unwrap_or(core.terms.think_ms) / 1_000;
        self.announced = Some(basis);
        self.emit(Event::Turn { seat, mine, price, legal, seconds });
        true
    }

    /// A seat that was lost through no choice of its player comes back by itself.
    fn come_back(&mut self, me: Seat) -> bool {
        let Some(s) = self.state.core().seats.get(&me) else { return false };
        let lost = s.presence == Presence::Away && !s.returning && !s.idle;
        let asked = self.frees.iter().any(|f| *f == Free::Return) || self.flying(&Free::Return);
        if lost && !asked {
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
                    && matches!(s.presence, Presence::Here | Presence::SittingOut)
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
                self.frees.push_back(Free::Accept { key });
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

    /// Signs the next free message when the one before is through: each needs the seat's next nonce.
    fn say_free(&mut self, now: u64, me: Seat) -> bool {
        let nonce = self.state.core().seats.get(&me).map_or(0, |s| s.nonce);
        if let Some((used, id)) = self.free_flying {
            self.refresh_pool();
            if used >= nonce && self.pool.get(&id).is_some() {
                return false;
            }
            if used >= nonce {
                // It does not apply any more; its nonce is free again.
                self.emit(error("refused", "too late"));
            }
            self.free_flying = None;
        }
        // Chips are bought between hands: what was asked for during one waits for its end.
        let in_hand = self.state.core().game.is_active(me);
        let now_possible = |free: &Free| !(in_hand && matches!(free, Free::Rebuy { .. }));
        let Some(at) = self.frees.iter().position(now_possible) else { return false };
        let Some(free) = self.frees.remove(at) else { return false };
        let Ok(message) = Signed::new(&self.id, self.log_id, Payload::Free { nonce, free }) else {
            return false;
        };
        if let Err(why) = self.state.try_message(&message, &mut self.checks) {
            self.emit(error("refused", &why.to_string()));
            return true;
        }
        self.free_flying = Some((nonce, message.id()));
        self.publish(now, message);
        true
    }

    /// Why the rules refuse a command now, where they do. Everything else is told when it is tried.
    #[must_use]
    pub fn refusal(&self, command: &Command) -> Option<crate::rules::RulesError> {
        let (Command::Move(step), Some(seat)) = (command, self.seat()) else { return None };
        let core = self.state.core();
        if core.game.turn() != Some(seat) {
            return None;
        }
        let action = translate::action(step)?;
        core.game.apply(&crate::rules::Input::Move { seat, action }).err()
    }

    /// What the player wants. A refused command answers an error and changes nothing.
    pub(super) fn command(&mut self, _now: u64, command: Command) {
        let Some(me) = self.seat() else {
            self.emit(error("no-seat", "this node has no seat here"));
            return;
        };
        match command {
            Command::Move(Move::Cut(at)) => self.cut(me, at),
            Command::Move(step) => self.plan_move(me, &step),
            Command::Rebuy(amount) => {
                if amount == 0 || amount > self.state.core().terms.buy_in {
                    self.emit(error("rebuy-too-much", "more than the buy-in, or nothing"));
                } else {
                    self.frees.push_back(Free::Rebuy { amount });
                }
            }
            Command::Leave => {
                // Who leaves does not sit down again by itself.
                self.sit = None;
                self.frees.push_back(Free::Leave);
            }
            Command::SitOut => self.sit_out = true,
            Command::Ready | Command::Start => {
                self.sit_out = false;
                let away = self.state.core().seats.get(&me).is_some_and(|s| {
                    s.presence == Presence::SittingOut
                        || (s.presence == Presence::Away && !s.returning)
                });
                if away {
                    self.frees.push_back(Free::Return);
                }
            }
            Command::MoreTime => match self.state.core().basis() {
                Some(basis) => self.frees.push_back(Free::MoreTime { basis }),
                None => self.emit(error("not-your-turn", "nobody is thinking")),
            },
            Command::Admit { key } => match crate::wire::unhex(&key) {
                Some(bytes) => {
                    self.frees.push_back(Free::Accept { key: crate::identity::PublicKey(bytes) })
                }
                None => self.emit(error("bad-key", "not a key")),
            },
            Command::Say(text) => self.chat(me, text),
            Command::Advice(_)
            | Command::Unfreeze { .. }
            | Command::Close
            | Command::Tens { .. }
            | Command::AgreeRules => {
                self.emit(error("not-yet", "this table does not play that"));
            }
        }
    }

    fn cut(&mut self, me: Seat, at: u64) {
        let due = self.book.as_ref().is_some_and(|b| {
            b.due().iter().any(|(s, part, _)| *s == me && *part == DealPart::Cut)
                && at < b.plan.params.n() as u64
        });
        match u8::try_from(at) {
            Ok(at) if due => self.cut_at = Some(at),
            _ => self.emit(error("cannot-cut", "no cut is asked for, or not there")),
        }
    }

    fn plan_move(&mut self, me: Seat, step: &Move) {
        let core = self.state.core();
        let owed = core.owed();
        let turn = owed.iter().find_map(|o| match o.step {
            StepId::Turn(basis) if o.seat == me => Some(basis),
            _ => None,
        });
        let Some(basis) = turn else {
            self.emit(error("not-your-turn", "it is not this seat's turn"));
            return;
        };
        if self.own.contains_key(&(StepKey::Step(StepId::Turn(basis)), me)) {
            self.emit(error("not-your-turn", "the move is on its way already"));
            return;
        }
        let Some(action) = translate::action(step) else {
            self.emit(error("not-yet", "this table does not play that"));
            return;
        };
        match core.game.apply(&crate::rules::Input::Move { seat: me, action }) {
            Ok(_) => self.planned = Some((basis, action)),
            Err(e) => self.emit(error("illegal", &e.to_string())),
        }
    }

    fn chat(&mut self, me: Seat, text: String) {
        if text.len() > limits::CHAT_BYTES {
            self.emit(error("too-long", "the line is too long"));
            return;
        }
        self.said = self.said.saturating_add(1);
        let payload = Payload::Say { seq: self.said, text: text.clone() };
        if let Ok(message) = Signed::new(&self.id, self.log_id, payload) {
            self.send(To::All, &TableWire::Messages(vec![message]));
            self.emit(Event::Say { seat: me, text });
        }
    }
}

/// The key of a hand from what was stored.
pub(super) fn stored_key(bytes: &Zeroizing<[u8; 32]>) -> Option<SecretKey> {
    SecretKey::from_bytes(&bytes[..]).ok()
}
