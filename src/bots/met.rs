//! Which branches of the rules an evening has come through, counted from its events.

use std::collections::BTreeSet;
use std::fmt;

use crate::event::{Event, MoveKind, OfferKind, Outcome};
use crate::rules::{Chips, FirstDealer, HouseRules, NextDealer, OpenPass, Reveal, Seat, ThreeTens};

/// A branch of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Branch {
    /// Somebody went dark.
    Dark,
    /// Somebody went dark above another.
    Overdark,
    /// A high open bet ended dark play.
    KnockOut,
    /// A comparison of equals.
    Tie,
    /// A bank was played for again.
    Svara,
    /// The last two agreed on a svara.
    Boil,
    /// A tied bank was divided.
    Split,
    /// A seat that had been dealt cards paid to enter a svara.
    Entry,
    /// A seat that had not been dealt cards paid to enter a svara.
    Newcomer,
    /// Several entered a svara together.
    Pool,
    /// Two agreed to halve what either takes.
    Pact,
    /// Three tens were laid open.
    Redeal,
    /// A seat could not pay and was out by itself.
    ShortStack,
    /// Two hands were compared.
    Compare,
    /// A card lay face up before anybody had looked.
    Exposed,
    /// A packet was lifted to find who deals.
    Lift,
}

impl Branch {
    /// Every branch.
    pub const ALL: [Self; 16] = [
        Self::Dark,
        Self::Overdark,
        Self::KnockOut,
        Self::Tie,
        Self::Svara,
        Self::Boil,
        Self::Split,
        Self::Entry,
        Self::Newcomer,
        Self::Pool,
        Self::Pact,
        Self::Redeal,
        Self::ShortStack,
        Self::Compare,
        Self::Exposed,
        Self::Lift,
    ];

    /// The name that scripts use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Overdark => "overdark",
            Self::KnockOut => "knock_out",
            Self::Tie => "tie",
            Self::Svara => "svara",
            Self::Boil => "boil",
            Self::Split => "split",
            Self::Entry => "entry",
            Self::Newcomer => "newcomer",
            Self::Pool => "pool",
            Self::Pact => "pact",
            Self::Redeal => "redeal",
            Self::ShortStack => "short_stack",
            Self::Compare => "compare",
            Self::Exposed => "exposed",
            Self::Lift => "lift",
        }
    }

    /// Can it be met by these rules?
    #[must_use]
    pub fn is_in(self, rules: &HouseRules) -> bool {
        let dark = rules.dark.is_on();
        let svara = rules.svara.is_on();
        match self {
            Self::Dark | Self::Overdark => dark,
            Self::KnockOut => {
                dark && rules.open_pass == OpenPass::Double && rules.knock_out.is_on()
            }
            Self::Svara | Self::Split | Self::Entry | Self::Newcomer => svara,
            Self::Boil => rules.boil.is_on(),
            Self::Pool => rules.pool.is_on(),
            Self::Pact => rules.pact.is_on(),
            Self::Redeal => rules.three_tens != ThreeTens::Off,
            Self::Exposed => rules.exposed_card.is_on(),
            Self::Lift => {
                svara
                    || rules.first_dealer == FirstDealer::Lift
                    || rules.next_dealer == NextDealer::Winner
            }
            Self::Tie | Self::Compare | Self::ShortStack => true,
        }
    }
}

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How often each branch was met, as one seat's events tell it; what all see is enough for that.
#[derive(Debug, Clone, Default)]
pub struct Met {
    counts: [u64; Branch::ALL.len()],
    /// Open seats pay twice as much as dark ones.
    double: bool,
    knock_out: bool,
    sealed: bool,
    /// Who is asked.
    turn: Option<Seat>,
    /// Who plays dark in this deal.
    dark: BTreeSet<Seat>,
    /// The last dark level, while it counts for prices.
    level: Option<Chips>,
    /// Has anybody gone dark in this deal?
    went_dark: bool,
    /// The last two are being asked for a svara.
    boiling: bool,
    /// The tied are being asked to divide.
    dividing: bool,
    /// Who was dealt cards since the antes.
    played: BTreeSet<Seat>,
    /// Who takes part in the svara that is being entered.
    entered: BTreeSet<Seat>,
    away: BTreeSet<Seat>,
}

impl Met {
    /// How often this branch was met.
    #[must_use]
    pub fn count(&self, branch: Branch) -> u64 {
        self.counts.get(branch as usize).copied().unwrap_or(0)
    }

    /// Every branch and how often it was met.
    pub fn counts(&self) -> impl Iterator<Item = (Branch, u64)> + '_ {
        Branch::ALL.into_iter().map(|branch| (branch, self.count(branch)))
    }

    /// Has this seat been dealt cards since the antes?
    #[must_use]
    pub fn has_played(&self, seat: Seat) -> bool {
        self.played.contains(&seat)
    }

    /// Who plays dark.
    #[must_use]
    pub const fn dark(&self) -> &BTreeSet<Seat> {
        &self.dark
    }

    /// What dark seats pay, while open ones pay twice as much.
    #[must_use]
    pub const fn halved(&self) -> Option<Chips> {
        self.level
    }

    fn add(&mut self, branch: Branch) {
        if let Some(count) = self.counts.get_mut(branch as usize) {
            *count += 1;
        }
    }

    /// Takes an event in.
    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::Table { rules, .. } => {
                self.double = rules.open_pass == OpenPass::Double;
                self.knock_out = rules.knock_out.is_on();
                self.sealed = rules.reveal == Reveal::Sealed;
            }
            Event::Hand { seats, .. } => {
                self.new_deal();
                self.entered.clear();
                self.played = seats.iter().map(|info| info.seat).collect();
            }
            Event::Turn { seat, price, .. } => {
                self.turn = Some(*seat);
                if price.is_some() {
                    // Whoever entered has been dealt cards now.
                    self.played.append(&mut self.entered);
                }
            }
            Event::Moved { seat, kind, amount, .. } => self.moved(*seat, *kind, *amount),
            Event::Compared { caller, target, result } => {
                self.add(Branch::Compare);
                match result {
                    Outcome::Tie => self.add(Branch::Tie),
                    Outcome::Caller => self.opened(*target),
                    Outcome::Target => self.opened(*caller),
                }
                if !self.sealed {
                    self.opened(*caller);
                    self.opened(*target);
                }
            }
            Event::Offer { kind: OfferKind::Split, .. } => self.dividing = true,
            Event::Svara { seats, .. } => {
                self.add(Branch::Svara);
                self.new_deal();
                self.entered = seats.iter().copied().collect();
            }
            Event::Pool { holder, .. } => {
                self.add(Branch::Pool);
                self.entered.insert(*holder);
            }
            Event::Pact { .. } => self.add(Branch::Pact),
            Event::Redeal { seat } => {
                if seat.is_some() {
                    self.add(Branch::Redeal);
                }
                self.new_deal();
            }
            Event::DealAgain { .. } => self.new_deal(),
            Event::Settled { winners, .. } => {
                if self.dividing && winners.len() > 1 {
                    self.add(Branch::Split);
                }
                self.new_deal();
                self.entered.clear();
            }
            Event::Exposed { .. } => self.add(Branch::Exposed),
            Event::Lifted { .. } => self.add(Branch::Lift),
            Event::Away { seat } => drop(self.away.insert(*seat)),
            Event::Back { seat } => drop(self.away.remove(seat)),
            _ => {}
        }
    }

    fn new_deal(&mut self) {
        self.turn = None;
        self.dark.clear();
        self.level = None;
        self.went_dark = false;
        self.boiling = false;
        self.dividing = false;
    }

    /// The seat is not dark any more.
    fn opened(&mut self, seat: Seat) {
        self.dark.remove(&seat);
        if self.dark.is_empty() {
            self.level = None;
        }
    }

    fn moved(&mut self, seat: Seat, kind: MoveKind, amount: Chips) {
        match kind {
            MoveKind::Dark => {
                self.add(Branch::Dark);
                if self.went_dark {
                    self.add(Branch::Overdark);
                }
                self.went_dark = true;
                self.dark.insert(seat);
                self.level = self.double.then_some(amount);
            }
            MoveKind::Bet => self.bet(seat, amount),
            MoveKind::Look => self.opened(seat),
            MoveKind::Fold => {
                // Who folds is asked before; who is out by itself is not.
                if self.turn != Some(seat) && !self.away.contains(&seat) {
                    self.add(Branch::ShortStack);
                }
                self.opened(seat);
            }
            MoveKind::Boil => self.boiling = true,
            MoveKind::Accept if self.boiling => {
                self.boiling = false;
                self.add(Branch::Boil);
            }
            MoveKind::Refuse => self.boiling = false,
            MoveKind::Enter => {
                if amount > 0 {
                    self.add(match self.has_played(seat) {
                        true => Branch::Entry,
                        false => Branch::Newcomer,
                    });
                }
                self.entered.insert(seat);
            }
            _ => {}
        }
    }

    fn bet(&mut self, seat: Seat, amount: Chips) {
        let Some(level) = self.level else { return };
        if self.dark.contains(&seat) {
            self.level = Some(amount);
        } else if amount > level.saturating_mul(2) {
            if self.knock_out {
                self.add(Branch::KnockOut);
                self.level = None;
            } else {
                self.level = Some(amount.div_ceil(2));
            }
        }
    }
}
