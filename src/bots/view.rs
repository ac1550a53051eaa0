//! What a bot has seen.

use std::collections::BTreeSet;

use crate::event::{Command, Event, MoveKind, OfferKind, WaitReason};
use crate::rules::{Card, Chips, Seat};
use crate::screens::view::{Part, View};

/// The most questions that are kept; older ones have been answered long since.
const MAX_QUESTIONS: usize = 64;

/// What a bot has seen, built from events alone.
#[derive(Debug, Clone, Default)]
pub struct BotView {
    table: View,
    /// How many turns of one's own there have been.
    turns: u64,
    /// Refusals since the last turn began.
    refusals: u64,
    /// Has it looked in this deal?
    looked: bool,
    /// How often it has paid in this deal.
    payments: u32,
    /// Foreign cards that were shown in this deal.
    shown: BTreeSet<Card>,
    /// The kinds of moves seen so far.
    met: BTreeSet<MoveKind>,
    /// The chips it sat down with.
    buy_in: Option<Chips>,
    /// What a svara costs to enter.
    entry: Chips,
    /// The last thing that was proposed.
    offer: Option<OfferKind>,
    /// Numbered questions beside the game, with the answers.
    questions: Vec<(u64, Command)>,
    asked: u64,
    /// Counts the moments at which buying in may be worth a try.
    occasions: u64,
}

/// A moment at which a bot moves once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    turn: u64,
    has_cards: bool,
    looked: bool,
    pub(super) refusals: u64,
}

impl BotView {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes an event in.
    pub fn observe(&mut self, event: &Event) {
        self.table.observe(event);
        match event {
            Event::Table { .. } => {
                self.occasions += 1;
                if let Some(seat) = self.table.my_seat().filter(|seat| seat.stack > 0) {
                    self.buy_in.get_or_insert(seat.stack);
                }
            }
            Event::Hand { .. } | Event::Svara { .. } | Event::Redeal { .. } => self.new_deal(),
            Event::DealAgain { .. } => self.new_deal(),
            Event::Settled { .. } => {
                self.occasions += 1;
                self.new_deal();
            }
            Event::Turn { mine: true, .. } => {
                self.turns += 1;
                self.refusals = 0;
            }
            Event::Moved { seat, kind, amount, .. } => self.moved(*seat, *kind, *amount),
            Event::Shown { cards, .. } => self.shown.extend(cards),
            Event::Exposed { card, .. } => {
                self.shown.insert(*card);
            }
            Event::Offer { kind, key, .. } => {
                self.offer = Some(*kind);
                match (kind, key) {
                    (OfferKind::Admit, Some(key)) => self.ask(Command::Admit { key: key.clone() }),
                    (OfferKind::Rules, _) => self.ask(Command::AgreeRules),
                    _ => {}
                }
            }
            Event::Waiting { seats, why } => {
                let me = self.table.me;
                if *why == WaitReason::Ready && me.is_some_and(|me| seats.contains(&me)) {
                    self.ask(Command::Ready);
                }
            }
            Event::Error { .. } => self.refusals += 1,
            _ => {}
        }
        if let Event::Svara { entry, .. } = event {
            self.entry = *entry;
        }
    }

    fn new_deal(&mut self) {
        self.looked = false;
        self.payments = 0;
        self.shown.clear();
        self.offer = None;
    }

    fn moved(&mut self, seat: Seat, kind: MoveKind, amount: Chips) {
        self.met.insert(kind);
        if self.table.me == Some(seat) {
            self.looked |= kind == MoveKind::Look;
            self.payments += u32::from(amount > 0 && kind != MoveKind::Ante);
        }
    }

    fn ask(&mut self, answer: Command) {
        self.asked += 1;
        if self.questions.len() == MAX_QUESTIONS {
            self.questions.remove(0);
        }
        self.questions.push((self.asked, answer));
    }

    /// The first question after the one with this number.
    pub(super) fn question_after(&self, number: u64) -> Option<(u64, Command)> {
        self.questions.iter().find(|(asked, _)| *asked > number).cloned()
    }

    /// The table.
    #[must_use]
    pub const fn table(&self) -> &View {
        &self.table
    }

    /// Between hands and without an ante: the occasion, and what it would buy.
    pub(super) fn rebuy(&self) -> Option<(u64, Chips)> {
        let ante = self.table.rules.as_ref()?.ante;
        if self.table.hand.is_some() || self.table.my_seat()?.stack >= ante {
            return None;
        }
        // The usual buy-in, if it never saw its own.
        Some((self.occasions, self.buy_in.unwrap_or(ante.saturating_mul(100)).max(ante)))
    }

    /// The moment, if it is this seat's turn.
    pub(super) fn moment(&self) -> Option<Moment> {
        self.table.my_turn()?;
        Some(Moment {
            turn: self.turns,
            has_cards: self.table.cards.is_some(),
            looked: self.looked,
            refusals: self.refusals,
        })
    }

    /// Is it to wait for its cards? They are on their way unless it plays dark or may yet.
    pub(super) fn awaits_cards(&self) -> bool {
        let Some(turn) = self.table.my_turn() else {
            return false;
        };
        let dark = self.table.my_seat().is_some_and(|seat| seat.dark);
        self.table.cards.is_none()
            && turn.price.is_some()
            && !dark
            && turn.find(MoveKind::Dark).is_none()
            && turn.find(MoveKind::Look).is_none()
    }

    /// Its cards.
    pub(super) fn cards(&self) -> Option<[Card; 3]> {
        let (cards, _) = self.table.cards.as_ref()?;
        cards.as_slice().try_into().ok()
    }

    /// Foreign cards that were shown.
    pub(super) const fn shown(&self) -> &BTreeSet<Card> {
        &self.shown
    }

    /// How many others are in the hand.
    pub(super) fn opponents(&self) -> u32 {
        let others = self.table.active().filter(|seat| Some(*seat) != self.table.me).count();
        u32::try_from(others).unwrap_or(u32::MAX)
    }

    /// Has this kind of move been seen yet?
    pub(super) fn has_met(&self, kind: MoveKind) -> bool {
        self.met.contains(&kind)
    }

    /// How often it has paid in this deal.
    pub(super) const fn payments(&self) -> u32 {
        self.payments
    }

    /// What the svara costs.
    pub(super) const fn entry(&self) -> Chips {
        self.entry
    }

    /// The last thing that was proposed.
    pub(super) const fn offer(&self) -> Option<OfferKind> {
        self.offer
    }

    /// Others whom a pact or an exposed card may concern.
    pub(super) fn others(&self, in_svara: bool) -> Vec<Seat> {
        let me = self.table.me;
        self.table
            .seats
            .iter()
            .filter(|(seat, view)| {
                Some(**seat) != me
                    && view.part == Part::Active
                    && (!in_svara || !self.table.svara.is_empty())
            })
            .map(|(seat, _)| *seat)
            .collect()
    }
}
