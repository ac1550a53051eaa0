//! What a bot has seen.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::chance::{Chance, Odds};
use super::met::{Branch, Met};
use crate::event::{
    Audience, Command, Event, MoveKind, OfferKind, Outcome, SeatAmount, WaitReason,
};
use crate::rules::{Card, Chips, EntryNewcomer, HouseRules, Seat, rank};
use crate::screens::view::{Part, TurnView, View};

/// The most questions that are kept; older ones have been answered long since.
const MAX_QUESTIONS: usize = 64;

/// What a bot has seen, built from events alone.
#[derive(Debug, Clone, Default)]
pub struct BotView {
    table: View,
    met: Met,
    /// The tables of chances, made when they are first needed.
    odds: OnceLock<Odds>,
    /// How many hands have begun.
    hands: u64,
    /// How many turns of one's own there have been.
    turns: u64,
    /// How many turns, anybody's.
    all_turns: u64,
    /// Refusals in all.
    errors: u64,
    /// Refusals before the last turn began.
    errors_before: u64,
    /// Moves of one's own that may come besides a turn.
    besides: u64,
    /// What became of proposals: taken, refused or void.
    bargains: u64,
    /// Has it looked in this deal?
    looked: bool,
    /// How often it has paid in this deal.
    payments: u32,
    /// Foreign cards that were shown in this deal.
    shown: BTreeSet<Card>,
    /// Who has had a card turned up in this deal.
    exposed: BTreeSet<Seat>,
    /// The card of one's own that lies open.
    own_exposed: Option<Card>,
    /// Pairs of equals in this deal.
    ties: Vec<(Seat, Seat)>,
    /// The chips it sat down with.
    buy_in: Option<Chips>,
    /// What a svara costs to enter.
    entry: Chips,
    /// The bank that this was computed on.
    tied_bank: Chips,
    /// Counts the svaras.
    svaras: u64,
    /// How many there had been when the hand began.
    svaras_before: u64,
    /// Is a svara being entered, or its dealer found?
    entering: bool,
    /// Who has said whether it enters.
    answered: BTreeSet<Seat>,
    /// Who has a pact.
    bound: BTreeSet<Seat>,
    /// The last thing that was proposed, and a pool's parts.
    offer: Option<(OfferKind, Vec<SeatAmount>)>,
    /// Counts the deals at whose beginning cards may be asked for face up.
    face_up: u64,
    /// A pool's hand that this seat was shown as a partner.
    partner: Option<(u64, [Card; 3])>,
    advised: u64,
    /// Numbered questions beside the game, with the answers.
    questions: Vec<(u64, Command)>,
    asked: u64,
    /// Counts the moments at which buying in may be worth a try.
    occasions: u64,
}

/// A moment at which a bot moves once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) turn: u64,
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
        if let Event::Table { rules, .. } = event
            && self.table.rules.as_ref() != Some(rules)
        {
            self.odds = OnceLock::new();
        }
        self.table.observe(event);
        self.met.observe(event);
        match event {
            Event::Table { .. } => {
                self.occasions += 1;
                if let Some(seat) = self.table.my_seat().filter(|seat| seat.stack > 0) {
                    self.buy_in.get_or_insert(seat.stack);
                }
            }
            Event::Hand { .. } => {
                self.hands += 1;
                self.svaras_before = self.svaras;
                self.new_circle();
            }
            Event::Svara { bank, entry, .. } => {
                self.new_deal();
                self.entry = *entry;
                self.tied_bank = *bank;
                self.svaras += 1;
                self.entering = true;
                self.answered.clear();
                self.bound.clear();
            }
            Event::Redeal { .. } | Event::DealAgain { .. } => self.new_deal(),
            Event::Settled { .. } => {
                self.occasions += 1;
                self.new_deal();
                self.entering = false;
            }
            Event::Turn { mine, price, .. } => {
                self.all_turns += 1;
                if price.is_some() {
                    self.entering = false;
                }
                if *mine {
                    self.turns += 1;
                    self.errors_before = self.errors;
                }
            }
            Event::Moved { seat, kind, amount, .. } => self.moved(*seat, *kind, *amount),
            Event::Compared { caller, target, result: Outcome::Tie } => {
                self.ties.push((*caller, *target));
            }
            Event::Shown { seat, cards, to } => self.shown(*seat, cards, to),
            Event::Exposed { seat, card } => {
                self.exposed.insert(*seat);
                if self.table.me == Some(*seat) {
                    self.own_exposed = Some(*card);
                } else {
                    self.shown.insert(*card);
                }
            }
            Event::Pool { partners, .. } => {
                self.bargains += 1;
                self.answered.extend(partners.iter().map(|part| part.seat));
            }
            Event::Pact { seats } => {
                self.bargains += 1;
                self.bound.extend(seats);
            }
            Event::Offer { kind: OfferKind::Expose, to, .. } => {
                self.exposed.clear();
                self.own_exposed = None;
                self.shown.clear();
                let asked = self.table.me.is_some_and(|me| to.contains(&me));
                self.face_up += u64::from(asked);
            }
            Event::Offer { kind, key, shares, .. } => self.offered(*kind, key.as_ref(), shares),
            Event::Waiting { seats, why } => {
                let me = self.table.me;
                if *why == WaitReason::Ready && me.is_some_and(|me| seats.contains(&me)) {
                    self.ask(Command::Ready);
                }
            }
            Event::Error { .. } => self.errors += 1,
            _ => {}
        }
    }

    fn offered(&mut self, kind: OfferKind, key: Option<&String>, shares: &[SeatAmount]) {
        match (kind, key) {
            (OfferKind::Admit, Some(key)) => self.ask(Command::Admit { key: key.clone() }),
            // A bot plays to the end.
            (OfferKind::Divide, _) => self.ask(Command::Divide { yes: false }),
            (OfferKind::Rules, _) => self.ask(Command::AgreeRules { yes: true }),
            (
                OfferKind::RulesAgreed
                | OfferKind::RulesAdopted
                | OfferKind::RulesRefused
                | OfferKind::RulesLapsed
                | OfferKind::DivideAgreed
                | OfferKind::DivideRefused,
                _,
            ) => {}
            _ => self.offer = Some((kind, shares.to_vec())),
        }
    }

    fn shown(&mut self, seat: Seat, cards: &[Card], to: &Audience) {
        let Some(me) = self.table.me.filter(|me| *me != seat) else { return };
        self.shown.extend(cards);
        let pool = self.table.pools.get(&seat);
        let in_pool = pool.is_some_and(|parts| parts.iter().any(|part| part.seat == me));
        let for_partners = matches!(to, Audience::Seats(seats) if seats.contains(&me));
        if let (true, true, Ok(cards)) = (in_pool, for_partners, cards.try_into()) {
            self.advised += 1;
            self.partner = Some((self.advised, cards));
        }
    }

    /// A new circle of bets.
    fn new_circle(&mut self) {
        self.looked = false;
        self.payments = 0;
        self.ties.clear();
        self.offer = None;
    }

    /// New cards.
    fn new_deal(&mut self) {
        self.new_circle();
        self.shown.clear();
        self.exposed.clear();
        self.own_exposed = None;
        self.partner = None;
    }

    fn moved(&mut self, seat: Seat, kind: MoveKind, amount: Chips) {
        if matches!(kind, MoveKind::Enter | MoveKind::StayOut) {
            self.answered.insert(seat);
        }
        self.bargains += u64::from(matches!(kind, MoveKind::Accept | MoveKind::Refuse));
        if self.table.me == Some(seat) {
            self.looked |= kind == MoveKind::Look;
            if kind == MoveKind::Replace {
                // It lies under the deck now.
                self.shown.extend(self.own_exposed.take());
            }
            self.besides += u64::from(matches!(kind, MoveKind::Look | MoveKind::Expose));
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

    /// Which branches of the rules this evening has come through.
    #[must_use]
    pub const fn met(&self) -> &Met {
        &self.met
    }

    /// Is this branch in the rules and not met yet?
    pub(super) fn wants(&self, branch: Branch) -> bool {
        self.rules().is_some_and(|rules| branch.is_in(rules)) && self.met.count(branch) == 0
    }

    /// Is any of these branches in the rules and not met yet?
    pub(super) fn wants_any(&self, branches: &[Branch]) -> bool {
        branches.iter().any(|branch| self.wants(*branch))
    }

    /// The rules.
    pub(super) fn rules(&self) -> Option<&HouseRules> {
        self.table.rules.as_deref()
    }

    /// Between hands and without an ante: the occasion, and what it would buy.
    pub(super) fn rebuy(&self) -> Option<(u64, Chips)> {
        let ante = self.rules()?.ante;
        if self.table.hand.is_some() || self.table.my_seat()?.stack >= ante {
            return None;
        }
        // The usual buy-in, if it never saw its own.
        Some((self.occasions, self.buy_in.unwrap_or(ante.saturating_mul(100)).max(ante)))
    }

    /// Between hands: how many have been played before it.
    pub(super) fn between_hands(&self) -> Option<u64> {
        self.table.hand.is_none().then_some(self.hands)
    }

    /// How many hands have begun.
    pub(super) const fn hands(&self) -> u64 {
        self.hands
    }

    /// The moment, if it is this seat's turn.
    pub(super) fn moment(&self) -> Option<Moment> {
        self.table.my_turn()?;
        Some(Moment {
            turn: self.turns,
            has_cards: self.table.cards.is_some(),
            looked: self.looked,
            refusals: self.errors.saturating_sub(self.errors_before),
        })
    }

    /// What is open besides another's turn, with the number of that turn.
    pub(super) fn beside(&self) -> Option<(u64, &TurnView)> {
        let turn = self.table.turn.as_ref().filter(|turn| !turn.mine && !turn.legal.is_empty())?;
        Some((self.all_turns, turn))
    }

    /// How many refusals it has had.
    pub(super) const fn errors(&self) -> u64 {
        self.errors
    }

    /// How many looks and exposed cards of its own there have been, and how many answers to
    /// proposals.
    pub(super) const fn resolved(&self) -> (u64, u64) {
        (self.besides, self.bargains)
    }

    /// Has this seat said whether it enters the svara?
    pub(super) fn has_answered(&self, seat: Seat) -> bool {
        self.answered.contains(&seat)
    }

    /// The deal at whose beginning it may ask for a card face up.
    pub(super) const fn face_up(&self) -> u64 {
        self.face_up
    }

    /// Is it to wait for its cards? They are on their way unless it plays dark or may yet.
    pub(super) fn awaits_cards(&self) -> bool {
        let Some(turn) = self.table.my_turn() else {
            return false;
        };
        self.table.cards.is_none()
            && turn.price.is_some()
            && !self.is_dark()
            && turn.find(MoveKind::Dark).is_none()
            && turn.find(MoveKind::Look).is_none()
    }

    /// Does it play dark?
    pub(super) fn is_dark(&self) -> bool {
        self.table.me.is_some_and(|me| self.met.dark().contains(&me))
    }

    /// Its cards.
    pub(super) fn cards(&self) -> Option<[Card; 3]> {
        let (cards, _) = self.table.cards.as_ref()?;
        cards.as_slice().try_into().ok()
    }

    /// Does it hold three tens that may be laid open?
    pub(super) fn holds_three_tens(&self) -> bool {
        let rank =
            self.rules().zip(self.cards()).and_then(|(rules, cards)| rank(rules, cards).ok());
        rank.is_some_and(|rank| rank.three_tens)
    }

    fn odds(&self) -> Option<&Odds> {
        let rules = self.rules()?;
        Some(self.odds.get_or_init(|| Odds::new(rules)))
    }

    /// The chance that its hand is the best against so many others. An unseen hand is like any.
    #[must_use]
    pub fn chance(&self, others: u32) -> Chance {
        let best = self.cards().and_then(|cards| self.odds()?.of_best(cards, &self.shown, others));
        best.unwrap_or_else(|| Chance::one_of(u64::from(others) + 1))
    }

    /// The chance that a hand with its exposed card beats another.
    pub(super) fn exposed_chance(&self) -> Chance {
        let card = self.own_exposed;
        card.and_then(|card| Some(self.odds()?.of_card(card))).unwrap_or(Chance::EVEN)
    }

    /// The hand of its pool, with a number, and the chance that it is the best.
    pub(super) fn partners_hand(&self) -> Option<(u64, Chance)> {
        let (number, cards) = self.partner?;
        let others = self.opponents().saturating_sub(1).max(1);
        let shown = self.shown.iter().copied().filter(|card| !cards.contains(card)).collect();
        Some((number, self.odds()?.of_best(cards, &shown, others)?))
    }

    /// How many others are in the hand.
    #[must_use]
    pub fn opponents(&self) -> u32 {
        u32::try_from(self.others().count()).unwrap_or(u32::MAX)
    }

    /// The others in the hand.
    pub(super) fn others(&self) -> impl Iterator<Item = Seat> + '_ {
        self.table.active().filter(|seat| Some(*seat) != self.table.me)
    }

    /// The others in the hand that have had no card turned up.
    pub(super) fn unexposed(&self) -> Vec<Seat> {
        self.others().filter(|seat| !self.exposed.contains(seat)).collect()
    }

    /// Has it had a card turned up in this deal?
    pub(super) fn is_exposed(&self) -> bool {
        self.table.me.is_some_and(|me| self.exposed.contains(&me))
    }

    /// Whom it might make a pact with.
    pub(super) fn pact_partners(&self) -> Vec<Seat> {
        let free = |seat: &Seat| !self.bound.contains(seat);
        match self.entering && self.table.me.is_some_and(|me| free(&me)) {
            true => self.others().filter(free).collect(),
            false => Vec::new(),
        }
    }

    /// An entry put together with another, itself first: only with one that has not answered, and
    /// that can pay its part.
    pub(super) fn pool_with_another(&self) -> Option<Vec<(Seat, Chips)>> {
        let me = self.table.me?;
        let own = self.stack();
        let new = !self.met.has_played(me);
        let full = self.rules()?.entry_newcomer == EntryNewcomer::Full;
        let for_new = if full { self.tied_bank } else { self.tied_bank.div_ceil(2) };
        self.table.seats.iter().find_map(|(seat, view)| {
            let open = *seat != me
                && view.part != Part::Active
                && !view.away
                && !self.answered.contains(seat)
                && !self.is_in_pool(*seat)
                && !self.table.svara.contains(seat);
            // The newcomers' price if one of them is new; one's own is known.
            let price = match new || self.met.has_played(*seat) {
                true => self.entry,
                false => for_new,
            };
            let mine = price.div_ceil(2).max(price.saturating_sub(view.stack));
            let other = price.checked_sub(mine)?;
            let fits = open && mine <= own && other > 0 && mine > 0 && other <= view.stack;
            fits.then(|| vec![(me, mine), (*seat, other)])
        })
    }

    /// Has this seat its share in a hand that others hold?
    fn is_in_pool(&self, seat: Seat) -> bool {
        self.table.pools.values().flatten().any(|part| part.seat == seat)
    }

    /// Does a tie bind it to another that is still in?
    pub(super) fn is_tied(&self) -> bool {
        let Some(me) = self.table.me else { return false };
        let mut linked = vec![me];
        let mut at = 0;
        while let Some(seat) = linked.get(at).copied() {
            for (one, other) in &self.ties {
                let further = match seat {
                    seat if seat == *one => *other,
                    seat if seat == *other => *one,
                    _ => continue,
                };
                if !linked.contains(&further) {
                    linked.push(further);
                }
            }
            at += 1;
        }
        self.others().any(|seat| linked.contains(&seat))
    }

    /// Are two tied that are still in?
    pub(super) fn somebody_tied(&self) -> bool {
        let active: BTreeSet<Seat> = self.table.active().collect();
        self.ties.iter().any(|(one, other)| active.contains(one) && active.contains(other))
    }

    /// Is it one of the tied?
    pub(super) fn is_initiator(&self) -> bool {
        self.table.me.is_some_and(|me| self.table.svara.contains(&me))
    }

    /// Was it dealt no cards since the antes?
    pub(super) fn is_newcomer(&self) -> bool {
        self.table.me.is_some_and(|me| !self.met.has_played(me))
    }

    /// Its chips.
    pub(super) fn stack(&self) -> Chips {
        self.table.my_seat().map_or(0, |seat| seat.stack)
    }

    /// The least chips that another in the hand has.
    pub(super) fn least_stack(&self) -> Option<Chips> {
        self.others().filter_map(|seat| self.table.seats.get(&seat)).map(|view| view.stack).min()
    }

    /// Others at the table who have chips.
    pub(super) fn company(&self) -> usize {
        let others = self.table.seats.iter().filter(|(seat, _)| Some(**seat) != self.table.me);
        others.filter(|(_, view)| view.stack > 0 && !view.away).count()
    }

    /// How often it has paid in this deal.
    pub(super) const fn payments(&self) -> u32 {
        self.payments
    }

    /// What the svara costs.
    pub(super) const fn entry(&self) -> Chips {
        self.entry
    }

    /// Counts the svaras.
    pub(super) const fn svaras(&self) -> u64 {
        self.svaras
    }

    /// How many svaras this hand has had.
    pub(super) const fn svaras_of_hand(&self) -> u64 {
        self.svaras.saturating_sub(self.svaras_before)
    }

    /// The last thing that was proposed.
    pub(super) fn offer(&self) -> Option<OfferKind> {
        self.offer.as_ref().map(|(kind, _)| *kind)
    }

    /// Its part in the pool that was proposed.
    pub(super) fn pool_part(&self) -> Option<Chips> {
        let (_, shares) = self.offer.as_ref()?;
        shares.iter().find(|part| Some(part.seat) == self.table.me).map(|part| part.amount)
    }
}
