//! What is legal, what it costs, and why the rest is not.

use super::{Action, ActionKind, Deal, Game, LegalMove, Phase, Price};
use crate::rules::house::{CompareFrom, ThreeTens};
use crate::rules::{Chips, RulesError, Seat};

/// What the seat whose turn it is may do, looking apart, in the order it is listed.
const IN_TURN: [ActionKind; 6] = [
    ActionKind::Fold,
    ActionKind::Bet,
    ActionKind::Dark,
    ActionKind::Compare,
    ActionKind::Redeal,
    ActionKind::Boil,
];

/// A move that costs a fixed sum, or nothing.
const fn fixed(seat: Seat, kind: ActionKind, cost: Chips) -> LegalMove {
    LegalMove { seat, kind, min: cost, max: cost }
}

impl Game {
    /// What staying and comparing cost a seat now, as if it were its turn, in chips.
    ///
    /// None outside betting and for a seat that is not in the hand.
    #[must_use]
    pub fn price(&self, seat: Seat) -> Option<Price> {
        let deal = self.deal_of(seat)?;
        let compare = self.check_compare(seat).ok().map(|()| self.compare_price(deal, seat));
        Some(Price { pass: self.pass_price(deal, seat), compare })
    }

    /// The deal in which bets are made and a seat is still in.
    fn deal_of(&self, seat: Seat) -> Option<&Deal> {
        let betting = matches!(self.phase, Phase::Betting);
        self.deal().filter(|deal| betting && deal.is_active(seat))
    }

    /// Every move that would be accepted now: of the seat whose turn it is, looks off turn, and
    /// the answers of everybody who is asked.
    ///
    /// Cards are not known here: laying open three tens (`redeal`, and `accept` in
    /// [`Phase::ThreeTens`]) is listed for whoever might hold them, and is for the table to check.
    #[must_use]
    pub fn legal(&self) -> Vec<LegalMove> {
        let answers = |seats: Vec<Seat>, kinds: [ActionKind; 2]| {
            let both = |seat| kinds.map(|kind| fixed(seat, kind, 0));
            seats.into_iter().flat_map(both).collect()
        };
        match self.phase {
            Phase::Betting => {
                let mut options = Vec::with_capacity(2 * IN_TURN.len());
                if let Some(seat) = self.turn() {
                    options.extend(IN_TURN.iter().filter_map(|kind| self.turn_option(seat, *kind)));
                }
                let looks = self.still_in().filter(|seat| self.check_look(**seat).is_ok());
                options.extend(looks.map(|seat| fixed(*seat, ActionKind::Look, 0)));
                options.extend(self.expose_options());
                options
            }
            Phase::AwaitDeal { .. } => self.expose_options().collect(),
            Phase::Exposed { seat } => self.exposed_options(seat),
            Phase::MissingAnte => {
                let ante = self.rules.ante;
                let both =
                    |seat| [fixed(seat, ActionKind::Ante, ante), fixed(seat, ActionKind::Omit, 0)];
                self.asked_for_ante().into_iter().flat_map(both).collect()
            }
            Phase::DealerChoice { .. } => self.lift_options().into_iter().collect(),
            Phase::ThreeTens { .. } => {
                answers(self.asked(), [ActionKind::Accept, ActionKind::Refuse])
            }
            Phase::Boil { asked, .. } => {
                answers(vec![asked], [ActionKind::Accept, ActionKind::Refuse])
            }
            Phase::SvaraSplit => answers(self.asked(), [ActionKind::Split, ActionKind::NoSplit]),
            Phase::SvaraEntry => self.entry_options(),
            Phase::Idle | Phase::Comparing { .. } | Phase::Showdown => Vec::new(),
        }
    }

    /// What the seat whose turn it is may do of one kind in [`IN_TURN`].
    fn turn_option(&self, seat: Seat, kind: ActionKind) -> Option<LegalMove> {
        let deal = self.deal_of(seat)?;
        let (min, max) = match kind {
            ActionKind::Fold => (0, 0),
            ActionKind::Bet => {
                let price = self.pass_price(deal, seat);
                (price, self.most_bet(seat).min(self.reach(seat, price)))
            }
            ActionKind::Dark => {
                self.may_go_dark(seat).then_some(())?;
                let least = self.least_dark();
                (least, self.most_dark().min(self.reach(seat, least)))
            }
            ActionKind::Compare => {
                self.check_compare(seat).ok()?;
                let cost = self.compare_price(deal, seat);
                self.can_pay(seat, cost).then_some((cost, cost))?
            }
            ActionKind::Redeal => self.check_redeal(seat).ok().map(|()| (0, 0))?,
            ActionKind::Boil => self.check_boil().ok().map(|()| (0, 0))?,
            _ => return None,
        };
        (min <= max).then_some(LegalMove { seat, kind, min, max })
    }

    /// Whether a seat can pay the cheapest move that keeps it in (rules: Short stack).
    pub(super) fn can_stay(&self, seat: Seat) -> bool {
        let pays = |kind| self.turn_option(seat, kind).is_some_and(|option| option.min > 0);
        [ActionKind::Bet, ActionKind::Dark, ActionKind::Compare].into_iter().any(pays)
    }

    /// Whether a move is legal: exactly if [`Game::legal`] lists it. Returns what it costs.
    pub(super) fn check_move(&self, seat: Seat, action: Action) -> Result<Chips, RulesError> {
        match self.listed(seat, action) {
            None => Err(self.why_not(seat, action)),
            // What names a number costs nothing, unless that is a payment.
            Some(_) if action.number().is_some() => Ok(action.amount().unwrap_or(0)),
            Some(option) => Ok(option.min),
        }
    }

    /// Where [`Game::legal`] lists a move. Moves are asked about far more often than a list is
    /// wanted, so the list is not made where it can be done without.
    fn listed(&self, seat: Seat, action: Action) -> Option<LegalMove> {
        let kind = action.kind();
        let option = match (&self.phase, action) {
            (Phase::Betting | Phase::AwaitDeal { .. }, Action::Expose(receiver)) => {
                self.expose_option(seat, receiver)
            }
            (Phase::Betting, Action::Look) => {
                self.check_look(seat).ok().map(|()| fixed(seat, kind, 0))
            }
            (Phase::Betting, _) if self.turn() == Some(seat) => self.turn_option(seat, kind),
            (Phase::Betting, _) => None,
            _ => return self.legal().into_iter().find(|option| option.is(seat, action)),
        };
        option.filter(|option| option.is(seat, action))
    }

    /// Whether it is this seat's turn, where one seat is to act.
    pub(super) fn check_turn(&self, seat: Seat) -> Result<(), RulesError> {
        match self.turn() {
            _ if !self.accounts.contains_key(&seat) => Err(RulesError::NoSuchSeat(seat)),
            None => Err(RulesError::NoMoveAwaited),
            Some(turn) if turn != seat => Err(RulesError::NotYourTurn { seat, turn }),
            Some(_) => Ok(()),
        }
    }

    /// Why a move that is not listed as legal is refused.
    fn why_not(&self, seat: Seat, action: Action) -> RulesError {
        if !self.accounts.contains_key(&seat) {
            return RulesError::NoSuchSeat(seat);
        }
        let open = match self.phase {
            Phase::Betting | Phase::AwaitDeal { .. } if action.kind() == ActionKind::Expose => {
                match action {
                    Action::Expose(receiver) => self.check_expose(seat, receiver),
                    _ => Ok(()),
                }
            }
            Phase::Betting if action == Action::Look => self.check_look(seat),
            Phase::Betting => self.check_turn(seat).and_then(|()| self.check_action(seat, action)),
            Phase::Boil { .. } => self.check_turn(seat),
            Phase::Exposed { .. } => self.check_turn(seat).and_then(|()| match action {
                Action::Replace(place) => Err(RulesError::NoSuchPlace { place, rest: self.rest() }),
                _ => Ok(()),
            }),
            Phase::DealerChoice { .. } => self.check_turn(seat).and_then(|()| match action {
                Action::Lift(cards) => {
                    let most = self.lift_options().map_or(0, |option| option.max);
                    Err(RulesError::BadLift { cards, most })
                }
                _ => Ok(()),
            }),
            Phase::MissingAnte if self.turn().is_some() => self.check_turn(seat),
            Phase::ThreeTens { .. } | Phase::SvaraSplit | Phase::MissingAnte => {
                self.check_asked(seat)
            }
            Phase::SvaraEntry => self.check_entry(seat, action),
            _ => Err(RulesError::NoMoveAwaited),
        };
        open.err().unwrap_or(RulesError::NotOpen(action.kind()))
    }

    /// Whether a seat whose turn it is may do this, but for reasons that no message would name.
    fn check_action(&self, seat: Seat, action: Action) -> Result<(), RulesError> {
        let price = self.price(seat).ok_or(RulesError::NoMoveAwaited)?;
        match action {
            Action::Bet(amount) if amount < price.pass => {
                Err(RulesError::BelowPrice { amount, price: price.pass })
            }
            Action::Bet(amount) => self.check_sum(seat, amount, self.most_bet(seat), price.pass),
            Action::Dark(_) if !self.may_go_dark(seat) => match self.standing(seat) {
                _ if !self.rules.dark.is_on() => Err(RulesError::NotOpen(ActionKind::Dark)),
                Some(standing) if standing.looked => Err(RulesError::LookedAlready(seat)),
                _ => Err(RulesError::DarkClosed),
            },
            Action::Dark(amount) if amount < self.least_dark() => {
                Err(RulesError::BelowPrice { amount, price: self.least_dark() })
            }
            Action::Dark(amount) => {
                self.check_sum(seat, amount, self.most_dark(), self.least_dark())
            }
            Action::Compare => {
                self.check_compare(seat)?;
                let cost = price.compare.unwrap_or(0);
                self.check_sum(seat, cost, Chips::MAX, cost)
            }
            Action::Redeal => self.check_redeal(seat),
            Action::Boil => self.check_boil(),
            _ => Ok(()),
        }
    }

    /// Whether a payment is not too much: by the ceiling, which leaves `most`, and by the stack.
    fn check_sum(
        &self,
        seat: Seat,
        amount: Chips,
        most: Chips,
        least: Chips,
    ) -> Result<(), RulesError> {
        let stack = match self.reach(seat, least) {
            // What a pool can really pay is more than that, but not enough.
            0 => self.stack(seat).unwrap_or(0),
            reach => reach,
        };
        match self.rules.ceiling() {
            Some(ceiling) if amount > ceiling => Err(RulesError::AboveCeiling { amount, ceiling }),
            _ if amount > most && most <= self.most_dark() => {
                Err(RulesError::DarkAboveHalf { amount, most })
            }
            _ if amount > most => Err(RulesError::AboveDouble { amount, most }),
            _ if amount > stack => Err(RulesError::AboveStack { amount, stack }),
            _ => Ok(()),
        }
    }

    /// Whether comparing is open to an active seat, whatever its stack (rules: Comparing).
    fn check_compare(&self, seat: Seat) -> Result<(), RulesError> {
        let deal = self.deal().ok_or(RulesError::NoMoveAwaited)?;
        if !deal.opened {
            return Err(RulesError::CompareBeforeBet);
        }
        let active = deal.active().count();
        match self.rules.compare_from {
            CompareFrom::CircleOne => {
                let right = self.right_of(seat).ok_or(RulesError::NoMoveAwaited)?;
                if self.standing(right).is_some_and(|standing| standing.acted) {
                    Ok(())
                } else {
                    Err(RulesError::CompareBeforeNeighbour(right))
                }
            }
            CompareFrom::CircleTwo if !deal.circle_done() => Err(RulesError::CompareBeforeCircle),
            CompareFrom::LastTwo if active > 2 => Err(RulesError::CompareBeforeLastTwo { active }),
            CompareFrom::CircleTwo | CompareFrom::LastTwo => Ok(()),
        }
    }

    /// Whether a seat might lay open three tens on its turn.
    fn check_redeal(&self, seat: Seat) -> Result<(), RulesError> {
        if self.rules.three_tens != ThreeTens::OnDemand {
            return Err(RulesError::NotOpen(ActionKind::Redeal));
        }
        if self.is_dark(seat) || self.may_go_dark(seat) {
            return Err(RulesError::LookFirst(seat));
        }
        Ok(())
    }

    /// Whether the seat whose turn it is may ask the other for a svara.
    fn check_boil(&self) -> Result<(), RulesError> {
        let deal = self.deal().ok_or(RulesError::NoMoveAwaited)?;
        let active = deal.active().count();
        if !self.rules.boil.is_on() {
            Err(RulesError::NotOpen(ActionKind::Boil))
        } else if active > 2 {
            Err(RulesError::BoilBeforeLastTwo { active })
        } else if deal.boil_asked {
            Err(RulesError::AskedAlready)
        } else {
            Ok(())
        }
    }

    /// Those of the phase's seats that have not answered yet.
    pub(super) fn asked(&self) -> Vec<Seat> {
        let Some(deal) = self.deal() else {
            return Vec::new();
        };
        let seats = match self.phase {
            Phase::ThreeTens { caller, target } => vec![caller.min(target), caller.max(target)],
            Phase::SvaraSplit => self.active(),
            Phase::MissingAnte => return self.asked_for_ante(),
            _ => Vec::new(),
        };
        seats.into_iter().filter(|seat| !deal.answered.contains(seat)).collect()
    }

    fn check_asked(&self, seat: Seat) -> Result<(), RulesError> {
        if self.asked().contains(&seat) {
            Ok(())
        } else if self.deal().is_some_and(|deal| deal.answered.contains(&seat)) {
            Err(RulesError::AnsweredAlready(seat))
        } else {
            Err(RulesError::NotAsked(seat))
        }
    }
}
