//! What seats propose to each other: pools and pacts of a svara, and other house rules.

use std::collections::BTreeSet;

use super::apply::Work;
use super::cards::Proposal;
use super::{Refusal, Stage};
use crate::event::{Event, MoveKind, OfferKind, SeatAmount};
use crate::rules::{Input as GameInput, Seat};
use crate::table::founding::rules_hash;
use crate::table::limits;
use crate::table::message::Offer;

impl Work<'_> {
    /// A seat proposes something.
    pub(super) fn offer(&mut self, seat: Seat, offer: Offer) -> Result<(), Refusal> {
        if let Offer::Pact(with) = offer {
            // Who proposes to the other what the other has proposed agrees.
            let mutual = |p: &&Proposal| p.from == with && p.offer == Offer::Pact(seat);
            if let Some(number) = self.core.proposals.iter().find(mutual).map(|p| p.number) {
                return self.answer(seat, number, true);
            }
        }
        if offer == Offer::Divide {
            // There is one bank: who wants it divided after another wants the same.
            let same = self.core.proposals.iter().find(|p| p.offer == Offer::Divide);
            if let Some(number) = same.map(|p| p.number) {
                return self.answer(seat, number, true);
            }
        }
        let made = self.core.budget.get(&seat).copied().unwrap_or(0);
        if made >= limits::OFFERS {
            return Err(Refusal::Bounds("offers"));
        }
        if self.core.proposals.len() >= limits::PROPOSALS {
            return Err(Refusal::Bounds("proposals"));
        }
        self.check_offer(seat, &offer)?;
        // What was proposed before by the same seat is taken back.
        match offer {
            Offer::Rules(_) => self.lapse_rules(|p| p.from == seat),
            Offer::Pool(_) | Offer::Pact(_) => {
                self.core.proposals.retain(|p| p.from != seat || !p.offer.is_of_svara())
            }
            Offer::Divide => {}
        }
        self.core.budget.insert(seat, made.saturating_add(1));
        self.core.proposed = self.core.proposed.saturating_add(1);
        let number = self.core.proposed;
        let proposal = Proposal { number, from: seat, offer, yes: BTreeSet::new() };
        self.events.push(self.told(&proposal));
        self.core.proposals.push(proposal);
        self.try_offer(number)
    }

    /// Other house rules, as far as `which` says so, are not proposed any more; everybody is told.
    fn lapse_rules(&mut self, which: impl Fn(&Proposal) -> bool) {
        let (gone, kept): (Vec<Proposal>, Vec<Proposal>) = std::mem::take(&mut self.core.proposals)
            .into_iter()
            .partition(|p| matches!(p.offer, Offer::Rules(_)) && which(p));
        self.core.proposals = kept;
        for proposal in gone {
            self.tell_answer(&proposal, OfferKind::RulesLapsed, proposal.from);
        }
    }

    /// Where not the same seats have to agree any more, nothing of what some have agreed to counts.
    pub(super) fn voices_changed(&mut self) {
        self.lapse_rules(|_| true);
    }

    /// Tells what became of something that needs everybody, or who has agreed to it.
    fn tell_answer(&mut self, proposal: &Proposal, kind: OfferKind, from: Seat) {
        let to = match kind {
            OfferKind::RulesAgreed | OfferKind::DivideAgreed => proposal.asked(&self.core),
            _ => Vec::new(),
        };
        let rules = match &proposal.offer {
            Offer::Rules(rules) => Some(rules.clone()),
            Offer::Pool(_) | Offer::Pact(_) | Offer::Divide => None,
        };
        self.events.push(Event::Offer {
            kind,
            from: Some(from),
            to,
            shares: Vec::new(),
            key: None,
            name: None,
            rules,
        });
    }

    fn told(&self, proposal: &Proposal) -> Event {
        let (kind, shares, rules) = match &proposal.offer {
            Offer::Pool(parts) => {
                let share =
                    |(seat, amount): &(Seat, u64)| SeatAmount { seat: *seat, amount: *amount };
                (OfferKind::Pool, parts.iter().map(share).collect(), None)
            }
            Offer::Pact(_) => (OfferKind::Pact, Vec::new(), None),
            Offer::Rules(rules) => (OfferKind::Rules, Vec::new(), Some(rules.clone())),
            Offer::Divide => (OfferKind::Divide, Vec::new(), None),
        };
        Event::Offer {
            kind,
            from: Some(proposal.from),
            to: proposal.asked(&self.core),
            shares,
            key: None,
            name: None,
            rules,
        }
    }

    fn check_offer(&self, seat: Seat, offer: &Offer) -> Result<(), Refusal> {
        match offer {
            Offer::Pool(parts) => {
                if parts.first().map(|(holder, _)| *holder) != Some(seat) {
                    return Err(Refusal::NotAsked);
                }
                self.core.game.apply(&GameInput::Pool { parts: parts.clone() })?;
            }
            Offer::Pact(with) => {
                self.core.game.apply(&GameInput::Pact { seats: [seat, *with] })?;
            }
            Offer::Rules(rules) => self.core.check_rules(rules)?,
            Offer::Divide => {
                if !self.core.dividers().contains(&seat) {
                    return Err(Refusal::NotAsked);
                }
                if self.core.hand().is_none() || self.core.game.bank() == 0 {
                    return Err(Refusal::Stale);
                }
            }
        }
        Ok(())
    }

    /// A seat answers a proposal.
    pub(super) fn answer(&mut self, seat: Seat, number: u64, yes: bool) -> Result<(), Refusal> {
        let found = self.core.proposals.iter().find(|p| p.number == number);
        let mut proposal = found.cloned().ok_or(Refusal::Stale)?;
        let asked = proposal.asked(&self.core).contains(&seat);
        let (agreed, refused) = match proposal.offer {
            Offer::Rules(_) => (OfferKind::RulesAgreed, OfferKind::RulesRefused),
            Offer::Divide => (OfferKind::DivideAgreed, OfferKind::DivideRefused),
            Offer::Pool(_) | Offer::Pact(_) => return self.answer_svara(seat, proposal, yes),
        };
        // Who has agreed, or proposed it, may think better of it.
        let concerned = proposal.from == seat || proposal.yes.contains(&seat);
        if !(asked || (!yes && concerned)) {
            return Err(Refusal::NotAsked);
        }
        if yes {
            proposal.yes.insert(seat);
            self.put(&proposal);
            self.tell_answer(&proposal, agreed, seat);
            return self.try_offer(number);
        }
        self.core.proposals.retain(|p| p.number != number);
        self.tell_answer(&proposal, refused, seat);
        Ok(())
    }

    /// A proposal as it stands now.
    fn put(&mut self, proposal: &Proposal) {
        if let Some(old) = self.core.proposals.iter_mut().find(|p| p.number == proposal.number) {
            *old = proposal.clone();
        }
    }

    /// Somebody who is to enter a svara together with others answers.
    fn answer_svara(
        &mut self,
        seat: Seat,
        mut proposal: Proposal,
        yes: bool,
    ) -> Result<(), Refusal> {
        if !proposal.asked(&self.core).contains(&seat) {
            return Err(Refusal::NotAsked);
        }
        let number = proposal.number;
        let kind = if yes { MoveKind::Accept } else { MoveKind::Refuse };
        let bank = self.core.game.bank();
        self.events.push(Event::Moved { seat, kind, amount: 0, bank });
        if !yes {
            self.core.proposals.retain(|p| p.number != number);
            return Ok(());
        }
        proposal.yes.insert(seat);
        self.put(&proposal);
        self.try_offer(number)
    }

    /// Does what was proposed, if everybody has agreed.
    fn try_offer(&mut self, number: u64) -> Result<(), Refusal> {
        let Some(proposal) = self.core.proposals.iter().find(|p| p.number == number) else {
            return Ok(());
        };
        if !proposal.asked(&self.core).is_empty() {
            return Ok(());
        }
        let input = match &proposal.offer {
            Offer::Pool(parts) => GameInput::Pool { parts: parts.clone() },
            Offer::Pact(with) => GameInput::Pact { seats: [proposal.from, *with] },
            Offer::Divide => GameInput::BreakOff { without: Vec::new() },
            Offer::Rules(_) => {
                self.change_rules();
                return Ok(());
            }
        };
        self.core.proposals.retain(|p| p.number != number);
        self.game(&input)
    }

    /// What cannot come true any more is void: what it was about is over, or a seat of it has answered for
    /// itself. Who proposed it is asked anew.
    pub(super) fn drop_offers(&mut self) {
        let possible: Vec<u64> = self
            .core
            .proposals
            .iter()
            .filter(|p| self.check_offer(p.from, &p.offer).is_ok())
            .map(|p| p.number)
            .collect();
        self.lapse_rules(|p| !possible.contains(&p.number));
        self.core.proposals.retain(|p| possible.contains(&p.number));
    }

    /// Between hands the rules change that everybody has agreed to.
    pub(super) fn change_rules(&mut self) {
        if !matches!(self.core.stage, Stage::Idle | Stage::Starting { .. }) {
            return;
        }
        let agreed = self.core.proposals.iter().find_map(|p| match &p.offer {
            Offer::Rules(rules) if p.asked(&self.core).is_empty() => {
                Some((p.clone(), rules.clone()))
            }
            _ => None,
        });
        let Some((proposal, rules)) = agreed else { return };
        self.core.proposals.retain(|p| p.number != proposal.number);
        let input = GameInput::Rules { rules: rules.clone() };
        let Ok(step) = self.core.game.apply(&input) else { return };
        self.core.game = step.game;
        self.inputs.push(input);
        self.core.terms.house = rules_hash(&rules);
        self.core.terms.seats = self.core.terms.seats.min(rules.max_players());
        self.core.terms.rules = *rules;
        // Whoever was asked whether it plays said so of other rules.
        self.core.stage = Stage::Idle;
        self.tell_answer(&proposal, OfferKind::RulesAdopted, proposal.from);
        // What else was proposed was meant beside the rules of before.
        self.lapse_rules(|_| true);
        self.events.push(self.core.table_event());
    }
}
