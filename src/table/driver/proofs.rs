//! What this seat proves, and what it sees: shares, escrows, comparisons, and cards that are shown to it.

use trinka_crypto::sealed::{Call, Caller, Other, Selection};
use trinka_crypto::{SecretKey, escrow, keys, opening, shares, showing};

use super::{Record, Table};
use crate::event::{Audience, Event};
use crate::rules::{Action, Card, Phase, Reveal, Seat, ThreeTens};
use crate::table::ledger::{Core, Deal, Sides, are_tens, by_index, holdings, share_purpose};
use crate::table::message::{Basis, Payload, StepId};

impl Table {
    /// The answer to a step that this seat's program owes. Nothing where something is missing still.
    pub(super) fn proof_for(&mut self, me: Seat, step: StepId) -> Option<Payload> {
        match step {
            StepId::Shares { deal, round } => {
                let positions = self.state.core().playing()?.shares_owed(me);
                let batch = self.make_shares(me, &positions)?;
                Some(Payload::Shares { deal, round, positions, batch })
            }
            StepId::Recover { deal, lost } => {
                let bytes = self.open_escrow(me, lost)?;
                Some(Payload::Recover { deal, lost, bytes })
            }
            StepId::Escrow { deal, step } => {
                let bytes = self.escrow_anew(me, step)?;
                Some(Payload::Renew { deal, step, bytes })
            }
            StepId::Recipient { deal } => {
                let bytes = self.make_recipient(me, deal)?;
                Some(Payload::Recipient { deal, bytes })
            }
            StepId::Show { deal } => {
                let (to, bytes) = self.show_partners(me)?;
                Some(Payload::Show { deal, to, bytes })
            }
            StepId::Tens(basis) => {
                if self.tens && self.peel(me).is_some_and(are_tens) {
                    return self.lay_tens(me, basis);
                }
                Some(Payload::Move { basis, action: Action::Refuse })
            }
            StepId::Unary(basis) => self.commit_level(me, basis),
            StepId::Select(basis) => self.select_by_level(me, basis),
            StepId::Reveal(basis) => {
                let bytes = self.reveal_result(me)?;
                Some(Payload::Reveal { basis, bytes })
            }
            _ => None,
        }
    }

    fn secret_of(&self, deal: &Deal) -> Option<SecretKey> {
        self.secrets.get(&deal.plan.number).cloned()
    }

    fn make_shares(&mut self, me: Seat, places: &[u8]) -> Option<Vec<u8>> {
        let deal = self.state.deal()?.clone();
        let index = deal.plan.index_of(me)?;
        let secret = self.secret_of(&deal)?;
        let positions: Vec<usize> = places.iter().map(|place| usize::from(*place)).collect();
        let mut rng = self.rng();
        let (keys, deck, purpose) = (&deal.keys, &deal.deck, share_purpose());
        shares::prove(keys, index, &secret, purpose, deck, &positions, &mut rng)
            .ok()
            .map(|batch| batch.to_bytes())
    }

    /// This seat's part of what a lost one escrowed.
    fn open_escrow(&mut self, me: Seat, lost: Seat) -> Option<Vec<u8>> {
        let deal = self.state.deal()?.clone();
        let index = deal.plan.index_of(me)?;
        let secret = self.secret_of(&deal)?;
        let mut rng = self.rng();
        let mut bytes = Vec::new();
        for (step, places) in self.state.core().playing()?.to_open(lost, me) {
            let escrowed = self.state.known().escrow(lost, step)?;
            let positions: Vec<usize> = places.iter().map(|place| usize::from(*place)).collect();
            let batch =
                escrow::give(&deal.keys, index, &secret, escrowed, &positions, &mut rng).ok()?;
            bytes.extend(batch.to_bytes());
        }
        Some(bytes)
    }

    fn escrow_anew(&mut self, me: Seat, step: u32) -> Option<Vec<u8>> {
        let deal = self.state.deal()?.clone();
        let index = deal.plan.index_of(me)?;
        let secret = self.secret_of(&deal)?;
        let mut rng = self.rng();
        let renewal = self.state.core().playing()?.renewal.clone()?;
        let holdings = holdings(&by_index(&deal.plan, renewal.owed.get(&me)?));
        let lost: Vec<u8> = renewal.absent.iter().filter_map(|s| deal.plan.index_of(*s)).collect();
        let (keys, deck) = (&deal.keys, &deal.deck);
        escrow::prove(keys, index, &secret, deck, &holdings, &lost, step, &mut rng)
            .ok()
            .map(|message| message.to_bytes())
    }

    /// A key under which this seat, a partner of a pool, is shown the cards.
    fn make_recipient(&mut self, me: Seat, number: u64) -> Option<Vec<u8>> {
        let deal = self.state.deal()?.clone();
        let index = self.state.core().recipient_number(me, deal.plan.order.len())?;
        let mut rng = self.rng();
        let secret = match self.secrets.get(&number) {
            Some(stored) => stored.clone(),
            None => SecretKey::generate(&mut rng),
        };
        self.persist(Record::Secret { deal: number, key: secret.to_bytes() });
        self.secrets.insert(number, secret.clone());
        Some(keys::prove(&deal.plan.id, index, &secret, &mut rng).to_bytes())
    }

    fn show_partners(&mut self, me: Seat) -> Option<(Vec<Seat>, Vec<u8>)> {
        let core = self.state.core();
        let cards = core.playing()?;
        let wanted = core.shows_wanted(cards).into_iter().find(|(holder, _)| *holder == me);
        let (_, partners) = wanted?;
        let known = self.state.known();
        let own = known.own_cards(cards, me)?;
        let recipients: Vec<_> =
            partners.iter().filter_map(|s| known.recipients().get(s)).copied().collect();
        let deal = self.state.deal()?.clone();
        let index = deal.plan.index_of(me)?;
        let secret = self.secret_of(&deal)?;
        let (keys, step, mut rng) = (&deal.keys, Core::show_step(), self.rng());
        showing::prove(keys, index, &secret, &own, &recipients, step, &mut rng)
            .ok()
            .map(|shown| (partners, shown.to_bytes()))
    }

    // ---- comparisons ----

    /// Three tens with their proof; nothing when this seat does not hold them.
    pub(super) fn lay_tens(&mut self, me: Seat, basis: Basis) -> Option<Payload> {
        if !self.peel(me).is_some_and(are_tens) {
            return None;
        }
        let cards = self.state.core().playing()?;
        let mut places = cards.hands.get(&me).copied()?.to_vec();
        places.retain(|place| !cards.is_given(*place, me));
        places.sort_unstable();
        let batch = if places.is_empty() { Vec::new() } else { self.make_shares(me, &places)? };
        Some(Payload::Tens { basis, batch })
    }

    /// Where three tens are a redeal by themselves, who holds them opens them instead of comparing.
    fn tens_instead(&mut self, me: Seat, basis: Basis) -> Option<Payload> {
        let by_itself = self.state.core().terms.rules.three_tens == ThreeTens::OnCompare;
        if by_itself { self.lay_tens(me, basis) } else { None }
    }

    fn commit_level(&mut self, me: Seat, basis: Basis) -> Option<Payload> {
        if let Some(tens) = self.tens_instead(me, basis) {
            return Some(tens);
        }
        let sides = Sides::new(self.state.core(), self.state.known(), &mut self.checks).ok()?;
        let deal = self.state.deal()?.clone();
        let secret = self.secret_of(&deal)?;
        let mut rng = self.rng();
        let (_, call) = Caller::call(&sides.statement, &secret, &mut rng).ok()?;
        let shown = self.shown_to_other(&sides, me, basis)?;
        Some(Payload::Unary { basis, bytes: call.to_bytes(), shown })
    }

    fn select_by_level(&mut self, me: Seat, basis: Basis) -> Option<Payload> {
        if let Some(tens) = self.tens_instead(me, basis) {
            return Some(tens);
        }
        let sides = Sides::new(self.state.core(), self.state.known(), &mut self.checks).ok()?;
        let deal = self.state.deal()?.clone();
        let secret = self.secret_of(&deal)?;
        let mut rng = self.rng();
        let called = self.state.known().called()?;
        let call = Call::from_bytes(called, sides.statement.table()).ok()?;
        let other = Other::receive(&sides.statement, call, &mut rng).ok()?;
        let (_, selection) = other.select(&secret, &mut rng).ok()?;
        let shown = self.shown_to_other(&sides, me, basis)?;
        Some(Payload::Select { basis, bytes: selection.to_bytes(), shown })
    }

    fn reveal_result(&mut self, _me: Seat) -> Option<Vec<u8>> {
        let sides = Sides::new(self.state.core(), self.state.known(), &mut self.checks).ok()?;
        let deal = self.state.deal()?.clone();
        let secret = self.secret_of(&deal)?;
        let mut rng = self.rng();
        let (called, selected) = (self.state.known().called()?, self.state.known().selected()?);
        let table = sides.statement.table();
        let call = Call::from_bytes(called, table).ok()?;
        let selection = Selection::from_bytes(selected, table).ok()?;
        let caller = Caller::resume(&sides.statement, call, &mut rng).ok()?;
        let (_, answer) = caller.answer(&secret, &selection, &mut rng).ok()?;
        Some(answer.to_bytes())
    }

    /// This seat's cards for the eyes of the other side, where the house has it so.
    fn shown_to_other(&mut self, sides: &Sides, me: Seat, basis: Basis) -> Option<Vec<u8>> {
        if self.state.core().terms.rules.reveal != Reveal::Neighbours {
            return Some(Vec::new());
        }
        let (own, viewer) = if me == sides.caller {
            (&sides.caller_cards, sides.target)
        } else {
            (&sides.target_cards, sides.caller)
        };
        let deal = self.state.deal()?.clone();
        let index = deal.plan.index_of(me)?;
        let recipient = deal.keys.verified_key(deal.plan.index_of(viewer)?).ok()?;
        let secret = self.secret_of(&deal)?;
        let mut rng = self.rng();
        showing::prove(&deal.keys, index, &secret, own, &[recipient], basis.turn, &mut rng)
            .ok()
            .map(|shown| shown.to_bytes())
    }

    // ---- what is seen ----

    /// Takes the last layer off this seat's cards, once it may look and all others' shares are here.
    pub(super) fn see_cards(&mut self, me: Seat) -> bool {
        let core = self.state.core();
        let Some(cards) = core.playing() else { return false };
        let number = cards.deal;
        // Where the other side sees the hand a comparison is a look, also for who loses it dark.
        let compared = matches!(
            *core.game.phase(),
            Phase::Comparing { caller, target } if caller == me || target == me
        ) && core.terms.rules.reveal != Reveal::Sealed;
        if !cards.dealt
            || !(core.game.may_see(me, me) || compared)
            || !cards.is_readable(me)
            || self.my_cards.is_some_and(|(deal, _)| deal == number)
        {
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

    /// This seat's cards, as its program can read them. Its player is only told what it may see.
    pub(super) fn peel(&self, me: Seat) -> Option<[Card; 3]> {
        let deal = self.state.deal()?;
        let index = deal.plan.index_of(me)?;
        let secret = self.secrets.get(&deal.plan.number)?;
        let mut hand = Vec::with_capacity(3);
        for place in self.state.core().playing()?.hands.get(&me)? {
            let others = self.state.known().others_shares(*place, me);
            let at = usize::from(*place);
            let number = opening::peel(&deal.keys, &deal.deck, at, &others, index, secret).ok()?;
            hand.push(Deal::card(self.state.core(), u8::try_from(number).ok()?)?);
        }
        hand.try_into().ok()
    }

    /// Reads what others have shown to this seat: in a comparison, or as the holder of its pool.
    pub(super) fn see_shown(&mut self, me: Seat) -> bool {
        let core = self.state.core();
        let Some(cards) = core.playing() else { return false };
        let number = cards.deal;
        let mut told = Vec::new();
        for (holder, places) in &cards.hands {
            let Some((step, shown)) = self.state.known().shown_by(*holder) else { continue };
            if *holder == me || self.seen_shows.contains(&(number, *holder, step)) {
                continue;
            }
            if let Some(hand) = self.read_shown(me, places, shown) {
                told.push((*holder, step, hand));
            }
        }
        let moved = !told.is_empty();
        for (holder, step, hand) in told {
            self.seen_shows.insert((number, holder, step));
            let mut to = vec![me];
            if step == Core::show_step() {
                let partners = self.state.core().partners().into_iter();
                to = partners.filter(|(_, of)| *of == holder).map(|(seat, _)| seat).collect();
            }
            let to = Audience::Seats(to);
            self.emit(Event::Shown { seat: holder, cards: hand.to_vec(), to });
        }
        moved
    }

    fn read_shown(
        &self,
        me: Seat,
        places: &[u8; 3],
        shown: &trinka_crypto::Verified<showing::Showing>,
    ) -> Option<[Card; 3]> {
        let deal = self.state.deal()?;
        let core = self.state.core();
        let number = match deal.plan.index_of(me) {
            Some(index) => index,
            None => core.recipient_number(me, deal.plan.order.len())?,
        };
        if !shown.recipients().any(|recipient| recipient == number) {
            return None;
        }
        let secret = self.secrets.get(&deal.plan.number)?;
        let mut hand = Vec::with_capacity(3);
        for place in places {
            let at = usize::from(*place);
            let card = showing::read(&deal.keys, shown, at, number, secret).ok()?;
            hand.push(Deal::card(core, u8::try_from(card).ok()?)?);
        }
        hand.try_into().ok()
    }
}
