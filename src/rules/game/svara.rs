//! Svara: a tied bank stays, and is played for again (rules: Svara).

use std::collections::BTreeSet;

use super::{Action, ActionKind, DealKind, Entry, Game, GameEvent, LegalMove, Phase, Standing};
use crate::rules::house::{EntryNewcomer, EntryPlayed};
use crate::rules::{Chips, RulesError, Seat};

impl Game {
    /// The initiators of the svara that seats are entering, ascending; nobody else at any time.
    #[must_use]
    pub fn initiators(&self) -> Vec<Seat> {
        let entry = self.hand.as_ref().and_then(|hand| hand.entry.as_ref());
        entry.map_or_else(Vec::new, |entry| entry.initiators.iter().copied().collect())
    }

    /// What entering the svara costs a seat, in chips: nothing for an initiator. None where no
    /// svara is being entered.
    #[must_use]
    pub fn entry_price(&self, seat: Seat) -> Option<Chips> {
        let hand = self.hand.as_ref()?;
        let entry = hand.entry.as_ref()?;
        Some(match () {
            () if entry.initiators.contains(&seat) => 0,
            () if hand.played.contains(&seat) => entry.played,
            () => entry.newcomer,
        })
    }

    /// The pacts in force or agreed for the svara to come.
    #[must_use]
    pub fn pacts(&self) -> Vec<[Seat; 2]> {
        let hand = self.hand.iter();
        hand.flat_map(|hand| hand.pacts.iter().chain(&hand.coming_pacts)).copied().collect()
    }

    /// Whether a seat is bound by a pact.
    pub(super) fn in_pact(&self, seat: Seat) -> bool {
        self.pacts().iter().flatten().any(|bound| *bound == seat)
    }

    /// All who are still in have tied, or have agreed to boil.
    pub(super) fn begin_svara(&mut self, natural: bool, events: &mut Vec<GameEvent>) {
        if let Some(deal) = self.deal_mut() {
            deal.answered.clear();
            deal.turn = None;
        }
        if natural {
            self.phase = Phase::SvaraSplit;
        } else {
            self.begin_entry(events);
        }
    }

    /// Answers whether an initiator is for dividing the bank: the first refusal settles it.
    pub(super) fn answer_split(&mut self, seat: Seat, agreed: bool, events: &mut Vec<GameEvent>) {
        if !agreed {
            return self.begin_entry(events);
        }
        if let Some(deal) = self.deal_mut() {
            deal.answered.insert(seat);
        }
        if self.asked().is_empty() {
            let active = self.active();
            self.finish(&active, events);
        }
    }

    fn begin_entry(&mut self, events: &mut Vec<GameEvent>) {
        let initiators: BTreeSet<Seat> = self.active().into_iter().collect();
        let sharers = u64::try_from(initiators.len()).unwrap_or(1).max(1);
        // Computed once, on the bank before anybody enters.
        let half = self.bank.div_ceil(2);
        let played = match self.rules.entry_played {
            EntryPlayed::Half => half,
            EntryPlayed::Third => self.bank.div_ceil(3),
            EntryPlayed::Share => self.bank.div_ceil(sharers),
        };
        let newcomer = match self.rules.entry_newcomer {
            EntryNewcomer::Half => half,
            EntryNewcomer::Full => self.bank,
        };
        events.push(GameEvent::Svara {
            seats: initiators.iter().copied().collect(),
            played,
            newcomer,
        });
        self.phase = Phase::SvaraEntry;
        let Some(hand) = self.hand.as_mut() else {
            return;
        };
        hand.dark_seen = false;
        hand.deal.answered.clear();
        hand.entry = Some(Entry { initiators, played, newcomer, open: false });
    }

    /// Who is yet to answer whether it enters: first the initiators, then everybody else.
    pub(super) fn waited_for(&self) -> Vec<Seat> {
        let Some(hand) = &self.hand else {
            return Vec::new();
        };
        let (Phase::SvaraEntry, Some(entry)) = (&self.phase, &hand.entry) else {
            return Vec::new();
        };
        let answered = &hand.deal.answered;
        if !entry.open {
            let initiators = hand.deal.active();
            return initiators.filter(|seat| !answered.contains(seat)).copied().collect();
        }
        let others = self.accounts.iter().filter(|(seat, account)| {
            !account.frozen
                && !entry.initiators.contains(seat)
                && !hand.lost.contains(seat)
                && !answered.contains(seat)
                && !self.in_pool(**seat)
        });
        others.map(|(seat, _)| *seat).collect()
    }

    /// Whether another may still enter, as far as the deck goes.
    pub(super) fn has_place(&self) -> bool {
        self.active().len() < usize::from(self.rules.max_players())
    }

    pub(super) fn entry_options(&self) -> Vec<LegalMove> {
        let mut options = Vec::new();
        for seat in self.waited_for() {
            let cost = self.entry_price(seat).unwrap_or(0);
            if self.check_can_enter(seat, cost).is_ok() {
                options.push(LegalMove { seat, kind: ActionKind::Enter, min: cost, max: cost });
            }
            options.push(LegalMove { seat, kind: ActionKind::StayOut, min: 0, max: 0 });
        }
        options
    }

    fn check_can_enter(&self, seat: Seat, cost: Chips) -> Result<(), RulesError> {
        let stack = self.stack(seat).ok_or(RulesError::NoSuchSeat(seat))?;
        if stack < cost {
            return Err(RulesError::AboveStack { amount: cost, stack });
        }
        if !self.is_active(seat) && !self.has_place() {
            return Err(RulesError::NoMorePlaces { most: self.rules.max_players() });
        }
        Ok(())
    }

    /// Why a seat cannot answer so while a svara is being entered.
    pub(super) fn check_entry(&self, seat: Seat, action: Action) -> Result<(), RulesError> {
        if self.waited_for().contains(&seat) {
            return match action {
                Action::Enter => self.check_can_enter(seat, self.entry_price(seat).unwrap_or(0)),
                _ => Ok(()),
            };
        }
        self.check_waited_for(seat)
    }

    /// Whether it is this seat's turn to answer while a svara is being entered.
    pub(super) fn check_waited_for(&self, seat: Seat) -> Result<(), RulesError> {
        if self.waited_for().contains(&seat) {
            return Ok(());
        }
        let entry = self.hand.as_ref().and_then(|hand| hand.entry.as_ref());
        Err(match (self.deal(), entry) {
            _ if self.is_frozen(seat) => RulesError::Frozen(seat),
            _ if self.in_pool(seat) && !self.is_active(seat) => RulesError::InPool(seat),
            (Some(deal), _) if deal.answered.contains(&seat) => RulesError::AnsweredAlready(seat),
            (_, Some(entry)) if !entry.open => RulesError::InitiatorsFirst,
            _ => RulesError::NotAsked(seat),
        })
    }

    /// Answers whether a seat enters; what that costs has been paid.
    pub(super) fn answer_entry(&mut self, seat: Seat, enters: bool, events: &mut Vec<GameEvent>) {
        let was_in = self.is_active(seat);
        if let Some(deal) = self.deal_mut() {
            deal.answered.insert(seat);
            if enters && !was_in {
                deal.seats.insert(seat, Standing::fresh(true));
            }
        }
        if was_in && !enters {
            self.drop_out(seat, events);
        }
        let active = self.active();
        if active.len() < 2 {
            // The last initiator takes the bank before anybody pays.
            return self.finish(&active, events);
        }
        self.settle_entry(events);
    }

    /// Goes on once everybody who is asked has answered.
    pub(super) fn settle_entry(&mut self, events: &mut Vec<GameEvent>) {
        if self.phase != Phase::SvaraEntry || !self.waited_for().is_empty() {
            return;
        }
        let Some(entry) = self.hand.as_mut().and_then(|hand| hand.entry.as_mut()) else {
            return;
        };
        if !entry.open {
            entry.open = true;
            return self.settle_entry(events);
        }
        let active = self.active();
        if let Some(hand) = self.hand.as_mut() {
            // Whoever stays out after all has nothing to share.
            hand.pacts = std::mem::take(&mut hand.coming_pacts);
            hand.pacts.retain(|pact| pact.iter().all(|seat| active.contains(seat)));
        }
        self.choose_dealer(events);
    }

    /// The svara is dealt by this seat.
    pub(super) fn deal_svara(&mut self, dealer: Seat, events: &mut Vec<GameEvent>) {
        self.choice = None;
        if let Some(hand) = self.hand.as_mut() {
            hand.dealer = dealer;
        }
        events.push(GameEvent::DealerNow { seat: dealer });
        self.await_deal(DealKind::Svara);
    }

    /// Who may agree on a pact now, ascending: any two of them.
    #[must_use]
    pub fn may_pact(&self) -> Vec<Seat> {
        let Some(hand) = self.hand.as_ref().filter(|_| self.rules.pact.is_on()) else {
            return Vec::new();
        };
        let pacts = match self.phase {
            Phase::SvaraEntry => &hand.coming_pacts,
            Phase::DealerChoice { .. } | Phase::AwaitDeal { kind: DealKind::Svara } => &hand.pacts,
            _ => return Vec::new(),
        };
        let mut seats = self.active();
        seats.retain(|seat| !pacts.iter().flatten().any(|bound| bound == seat));
        if seats.len() < 2 { Vec::new() } else { seats }
    }

    /// Two participants of a svara that is not dealt yet share what either takes.
    pub(super) fn pact(
        &mut self,
        seats: [Seat; 2],
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        if !self.rules.pact.is_on() {
            return Err(RulesError::NoMoveAwaited);
        }
        let entering = match self.phase {
            Phase::SvaraEntry => true,
            Phase::DealerChoice { .. } | Phase::AwaitDeal { kind: DealKind::Svara } => false,
            _ => return Err(RulesError::NoMoveAwaited),
        };
        let [one, other] = seats;
        if one == other {
            return Err(RulesError::SeatTwice(one));
        }
        for seat in seats {
            if !self.is_active(seat) {
                return Err(RulesError::NotInSvara(seat));
            }
        }
        let hand = self.hand.as_mut().ok_or(RulesError::NoMoveAwaited)?;
        let pacts = if entering { &mut hand.coming_pacts } else { &mut hand.pacts };
        if let Some(bound) = pacts.iter().flatten().find(|bound| seats.contains(bound)) {
            return Err(RulesError::PactAlready(*bound));
        }
        pacts.push(seats);
        events.push(GameEvent::Pact { seats });
        Ok(())
    }

    /// The best hands of a poor svara take its bank.
    pub(super) fn best(
        &mut self,
        seats: &[Seat],
        events: &mut Vec<GameEvent>,
    ) -> Result<(), RulesError> {
        if self.phase != Phase::Showdown {
            return Err(RulesError::NoShowdown);
        }
        if seats.is_empty() {
            return Err(RulesError::TooFewPlayers);
        }
        for (at, seat) in seats.iter().enumerate() {
            if !self.is_active(*seat) {
                return Err(RulesError::NotInSvara(*seat));
            }
            if seats.iter().take(at).any(|other| other == seat) {
                return Err(RulesError::SeatTwice(*seat));
            }
        }
        self.tell_shown(events);
        self.finish(seats, events);
        Ok(())
    }
}
