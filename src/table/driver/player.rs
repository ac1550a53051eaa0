//! What this seat's player is asked, and what it says.

use super::{StepKey, Table, TableWire, To, error};
use crate::event::{Command, Event, LegalMove, Move, MoveKind, OfferKind, Price};
use crate::rules::{ActionKind, Phase, Seat};
use crate::table::ledger::{Presence, Stage, are_tens};
use crate::table::message::{Basis, DealPart, Free, Offer, Payload, Signed, StepId};
use crate::table::{limits, translate};

/// What a player was asked last, so that it is asked once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prompt {
    basis: Basis,
    /// Whose turn it is, or who may answer.
    asked: Vec<Seat>,
    /// Proposals that wait for this seat's answer.
    offers: Vec<u64>,
    /// How often more time was asked for in this turn: who thinks, and who waits, is told the new clock.
    more_time: u32,
    /// How many proposals have been settled: after each the question comes again.
    settled: u64,
}

/// What a seat has not answered yet.
#[derive(Clone, Debug)]
pub struct Unanswered {
    /// The state of the hand that it is about.
    pub basis: Basis,
    /// The question, as it would be told now.
    pub question: Event,
    /// Whether the seat has proposed something that nobody has answered.
    pub proposed: bool,
}

impl Table {
    /// Tells once what is asked, of whom, and what this seat may do.
    pub(super) fn announce(&mut self, now: u64, me: Seat) -> bool {
        let core = self.state.core();
        let offers: Vec<u64> = core
            .proposals
            .iter()
            .filter(|p| p.offer.is_of_svara() && p.asked(core).contains(&me))
            .map(|p| p.number)
            .collect();
        let people = core.owed().into_iter().filter(|o| o.human);
        let asked: Vec<Seat> = people.map(|o| o.seat).collect();
        let Some(basis) = core.basis() else { return false };
        if asked.is_empty() && offers.is_empty() {
            return false;
        }
        let mine = asked.contains(&me) || !offers.is_empty();
        // Who has proposed something is asked again when it is answered.
        let waits = core.proposals.iter().any(|p| p.from == me && p.offer.is_of_svara());
        let settled = core.proposed.saturating_sub(core.proposals.len() as u64);
        let asks = if mine { vec![me] } else { asked.clone() };
        let more_time = core.playing().map_or(0, |cards| cards.more_time);
        let prompt = Prompt { basis, asked: asks, offers, more_time, settled };
        let told = self.announced.as_ref();
        let longer = told.is_some_and(|t| t.basis == basis && t.more_time != more_time);
        if told == Some(&prompt) || (waits && prompt.offers.is_empty() && !longer) {
            return false;
        }
        let seat = if mine { me } else { asked.first().copied().unwrap_or(me) };
        let question =
            self.question(now, me, seat, asked.contains(&seat), !prompt.offers.is_empty());
        self.announced = Some(prompt);
        self.emit(question);
        true
    }

    /// What a seat is asked, as this one is told it: `asked` by the rules, `offered` something by another.
    fn question(&self, now: u64, me: Seat, seat: Seat, asked: bool, offered: bool) -> Event {
        let core = self.state.core();
        let left = core.basis().and_then(|b| self.clocks.left(now, seat, StepId::Turn(b)));
        let mut left = left.unwrap_or(core.terms.think_ms);
        let legal = self.options(me, asked && seat == me, offered);
        if legal.iter().any(|m| m.kind == MoveKind::Lift) {
            // Who does not say how many is not waited for longer than this.
            let thought = core.terms.think_ms.saturating_sub(left);
            left = left.min(self.lift_ms().saturating_sub(thought));
        }
        Event::Turn {
            seat,
            mine: seat == me,
            price: core.game.price(seat).filter(|_| asked).map(Price::from),
            legal,
            seconds: left / 1_000,
        }
    }

    /// The question that the table waits for this seat's player to answer, for a node whose player is a
    /// program: nothing while an answer is on its way.
    #[must_use]
    pub fn unanswered(&self, now: u64) -> Option<Unanswered> {
        let me = self.seat()?;
        let core = self.state.core();
        let basis = core.basis()?;
        let turn = StepId::Turn(basis);
        let asked = core.owed().iter().any(|o| o.human && o.seat == me && o.step == turn);
        if !asked || self.own.contains_key(&(StepKey::Step(turn), me)) {
            return None;
        }
        let proposed = core.proposals.iter().any(|p| p.from == me && p.offer.is_of_svara());
        Some(Unanswered { basis, question: self.question(now, me, me, true, false), proposed })
    }

    /// What this seat may do: on its turn, or besides.
    fn options(&self, me: Seat, asked: bool, offered: bool) -> Vec<LegalMove> {
        let game = &self.state.core().game;
        let mut legal: Vec<LegalMove> = translate::legal(&game.legal(), me);
        if !asked {
            legal.retain(|m| matches!(m.kind, MoveKind::Look | MoveKind::Expose));
        }
        if game.may_see(me, me) {
            // Its cards lie open to it already.
            legal.retain(|m| m.kind != MoveKind::Look);
        }
        if legal.iter().any(|m| m.kind == MoveKind::Redeal) && !self.peel(me).is_some_and(are_tens)
        {
            // The rules do not know cards, this program does.
            legal.retain(|m| m.kind != MoveKind::Redeal);
        }
        if asked && game.may_pool().contains(&me) && game.may_pool().len() > 1 {
            legal.push(LegalMove::plain(MoveKind::Pool));
        }
        if asked && game.may_pact().contains(&me) {
            legal.push(LegalMove::plain(MoveKind::Pact));
        }
        if offered {
            // One question at a time: what is proposed is answered first.
            return [MoveKind::Accept, MoveKind::Refuse].map(LegalMove::plain).to_vec();
        }
        legal
    }

    /// Signs the next free message when the one before is through: each needs the seat's next nonce.
    pub(super) fn say_free(&mut self, now: u64, me: Seat) -> bool {
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
        let leaves = self.state.core().seats.get(&me).is_some_and(|s| s.leaving);
        if leaves && free == Free::Leave {
            // Asked for twice: it does so already.
            return true;
        }
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
        let core = self.state.core();
        if let Command::ProposeRules { changes } = command {
            let proposed = core.terms.rules.with(changes);
            return proposed.and_then(|rules| core.check_rules(&rules)).err();
        }
        let (Command::Move(step), Some(seat)) = (command, self.seat()) else { return None };
        if core.game.turn() != Some(seat) {
            return None;
        }
        // Answers to proposals, and what has messages of its own, are tried as they are.
        if matches!(step, Move::Accept | Move::Refuse | Move::Look | Move::Expose(_)) {
            return None;
        }
        let action = step.action()?;
        core.game.apply(&crate::rules::Input::Move { seat, action }).err()
    }

    /// What the player wants. A refused command answers an error and changes nothing.
    pub(super) fn command(&mut self, now: u64, command: Command) {
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
                    let key = crate::identity::PublicKey(bytes);
                    let times = self.state.core().earlier_seats(&key);
                    self.frees.push_back(Free::Accept { key, times });
                }
                None => self.emit(error("bad-key", "not a key")),
            },
            Command::Say(text) => self.chat(me, text),
            Command::Tens { redeal } => self.tens = redeal,
            Command::Advice(text) => self.advise(me, text),
            Command::AgreeRules { yes } => self.answer_rules(me, yes),
            // To propose and to agree are the same wish: there is one bank.
            Command::Divide { yes: true } => self.frees.push_back(Free::Offer(Offer::Divide)),
            Command::Divide { yes: false } => self.refuse_division(me),
            Command::ProposeRules { changes } => {
                match self.state.core().terms.rules.with(&changes) {
                    Ok(rules) => {
                        self.frees.push_back(Free::Offer(Offer::Rules(Box::new(rules))));
                    }
                    Err(e) => self.emit(error("illegal", &e.to_string())),
                }
            }
            Command::Unfreeze { seat } => match self.state.core().seats.get(&seat) {
                Some(s) if s.presence == Presence::Frozen => {
                    self.frees.push_back(Free::Unfreeze { seat, returns: s.returns });
                }
                _ => self.emit(error("not-frozen", "that seat is not frozen")),
            },
            Command::Close => self.close(now, me),
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
        let deal = match &core.stage {
            Stage::Dealing { deal, .. } => *deal,
            Stage::Playing { cards, .. } => cards.deal,
            _ => 0,
        };
        match step {
            Move::Look => return self.frees.push_back(Free::Look { deal }),
            Move::Expose(seat) => {
                return self.frees.push_back(Free::Expose { deal, seat: *seat });
            }
            Move::Pool(parts) => {
                return self.frees.push_back(Free::Offer(Offer::Pool(parts.clone())));
            }
            Move::Pact(seat) => return self.frees.push_back(Free::Offer(Offer::Pact(*seat))),
            Move::Accept | Move::Refuse if !matches!(core.game.phase(), Phase::Boil { .. }) => {
                return self.answer_offer(me, Offer::is_of_svara, *step == Move::Accept);
            }
            _ => {}
        }
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
        let Some(action) = step.action() else {
            self.emit(error("not-yet", "this table does not play that"));
            return;
        };
        // The rules do not know cards: that there are three tens is for this program to see.
        if action.kind() == ActionKind::Redeal && !self.peel(me).is_some_and(are_tens) {
            self.emit(error("no-tens", "these are not three tens"));
            return;
        }
        match core.game.apply(&crate::rules::Input::Move { seat: me, action }) {
            Ok(_) => self.planned = Some((basis, action)),
            Err(e) => self.emit(error("illegal", &e.to_string())),
        }
    }

    /// Answers other house rules; who has agreed to them already is told who has not.
    fn answer_rules(&mut self, me: Seat, yes: bool) {
        let core = self.state.core();
        let mut rules = core.proposals.iter().filter(|p| matches!(p.offer, Offer::Rules(_)));
        let waits = rules.clone().any(|p| p.asked(core).contains(&me));
        match rules.next_back() {
            Some(latest) if !waits && yes => {
                let Offer::Rules(house) = &latest.offer else { return };
                let told = Event::Offer {
                    kind: OfferKind::RulesAgreed,
                    from: Some(me),
                    to: latest.asked(core),
                    shares: Vec::new(),
                    key: None,
                    name: None,
                    rules: Some(house.clone()),
                };
                self.emit(told);
            }
            Some(latest) if !waits => {
                let offer = latest.number;
                self.frees.push_back(Free::Answer { offer, yes });
            }
            Some(_) => {
                self.answer_offer(me, |offer| matches!(offer, Offer::Rules(_)), yes);
            }
            None => self.emit(error("nothing-proposed", "no other house rules are proposed")),
        }
    }

    /// Does not want the bank divided, or not any more.
    fn refuse_division(&mut self, me: Seat) {
        let core = self.state.core();
        let mut proposed = core.proposals.iter().filter(|p| p.offer == Offer::Divide);
        let concerned =
            proposed.find(|p| p.from == me || p.yes.contains(&me) || p.asked(core).contains(&me));
        match concerned.map(|p| p.number) {
            Some(offer) => self.frees.push_back(Free::Answer { offer, yes: false }),
            None => self.emit(error("nothing-proposed", "nothing is proposed to this seat")),
        }
    }

    /// Answers the oldest proposal that waits for this seat.
    fn answer_offer(&mut self, me: Seat, which: fn(&Offer) -> bool, yes: bool) {
        let core = self.state.core();
        let flying = |number: u64| {
            self.frees.iter().any(|f| matches!(f, Free::Answer { offer, .. } if *offer == number))
        };
        let waiting = core
            .proposals
            .iter()
            .find(|p| which(&p.offer) && p.asked(core).contains(&me) && !flying(p.number));
        match waiting.map(|p| p.number) {
            Some(offer) => self.frees.push_back(Free::Answer { offer, yes }),
            None => self.emit(error("nothing-proposed", "nothing is proposed to this seat")),
        }
    }

    /// A partner of a pool tells its holder what it would do.
    fn advise(&mut self, me: Seat, text: String) {
        let core = self.state.core();
        let holder = core.partners().into_iter().find(|(seat, _)| *seat == me).map(|(_, h)| h);
        let Some(key) = holder.and_then(|holder| core.key_of(holder)) else {
            self.emit(error("not-your-turn", "this seat is in no pool"));
            return;
        };
        if text.len() > limits::CHAT_BYTES {
            self.emit(error("too-long", "the line is too long"));
            return;
        }
        self.said = self.said.saturating_add(1);
        let payload = Payload::Advice { seq: self.said, text };
        if let Ok(message) = Signed::new(&self.id, self.log_id, payload) {
            self.send(To::One(key), &TableWire::Messages(vec![message]));
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
