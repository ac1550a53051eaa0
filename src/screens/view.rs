//! A table as its events tell it: what screens and bots know, and no more.

use std::collections::BTreeMap;

use crate::event::{Event, LegalMove, MoveKind, Outcome, Price, SeatAmount, WaitReason};
use crate::i18n::{Lang, messages, printable};
use crate::rules::{Card, Chips, HouseRules, Rank, Seat};

/// A seat as seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeatView {
    /// The nickname, safe to print.
    pub name: String,
    /// Its chips.
    pub stack: Chips,
    /// Where it stands in the hand.
    pub part: Part,
    /// Has it gone dark in this deal, without having looked since?
    pub dark: bool,
    /// Is it gone?
    pub away: bool,
    /// Is its program not heard just now? The table goes on meanwhile.
    pub unheard: bool,
}

/// A seat's part in the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    /// It was not dealt in.
    #[default]
    Watching,
    /// It plays.
    Active,
    /// It has folded or lost a comparison.
    Out,
}

/// Somebody's turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnView {
    /// Whose.
    pub seat: Seat,
    /// Is it this seat's?
    pub mine: bool,
    /// What it has to pay, in betting.
    pub price: Option<Price>,
    /// What this seat may do: its answers if it is its turn, otherwise what is open to it besides.
    pub legal: Vec<LegalMove>,
    /// How much time it had at first.
    pub seconds: u64,
}

impl TurnView {
    /// The move of this kind, if it is open.
    #[must_use]
    pub fn find(&self, kind: MoveKind) -> Option<LegalMove> {
        self.legal.iter().copied().find(|legal| legal.kind == kind)
    }
}

/// A table as seen from one seat.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// The table's name, safe to print.
    pub table: Option<String>,
    /// The rules it plays by.
    pub rules: Option<Box<HouseRules>>,
    /// This seat; nothing for onlookers, and before it is known.
    pub me: Option<Seat>,
    /// Everybody.
    pub seats: BTreeMap<Seat, SeatView>,
    /// The hand that is played.
    pub hand: Option<u64>,
    /// Who deals it.
    pub dealer: Option<Seat>,
    /// Its bank.
    pub bank: Chips,
    /// Whose turn it is.
    pub turn: Option<TurnView>,
    /// The last price that staying had in this deal: tells a call from a raise.
    pub price: Option<Chips>,
    /// One's own cards and their points.
    pub cards: Option<(Vec<Card>, u32)>,
    /// The tied seats of a svara that is being entered.
    pub svara: Vec<Seat>,
    /// How many dark bets this deal has seen: after the first each is an overdark.
    pub dark_bets: u32,
    /// Was somebody asked something on the way to the last deal? Then it has taken as long as a person has
    /// thought.
    pub asked_in_deal: bool,
    /// Was somebody asked something since the last deal?
    asked: bool,
    /// The fingerprints of the players' keys.
    pub fingerprints: BTreeMap<Seat, String>,
    /// Who plays one hand together, by the holder of its cards: who put in how much.
    pub pools: BTreeMap<Seat, Vec<SeatAmount>>,
}

impl View {
    /// Takes an event in.
    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::Table { name, rules, seats, you, fingerprints, .. } => {
                self.table = Some(printable(name));
                self.rules = Some(rules.clone());
                self.me = you.or(self.me);
                self.fingerprints =
                    fingerprints.iter().map(|(seat, text)| (*seat, printable(text))).collect();
                // Who has left the table is not listed any more.
                let known = std::mem::take(&mut self.seats);
                for info in seats {
                    let mut view = known.get(&info.seat).cloned().unwrap_or_default();
                    view.name = printable(&info.name);
                    view.stack = info.stack;
                    self.seats.insert(info.seat, view);
                }
            }
            Event::Hand { hand, dealer, seats, bank } => {
                self.hand = Some(*hand);
                self.dealer = Some(*dealer);
                self.bank = *bank;
                self.new_deal();
                self.svara.clear();
                self.pools.clear();
                for seat in self.seats.values_mut() {
                    seat.part = Part::Watching;
                }
                for info in seats {
                    let view = self.seats.entry(info.seat).or_default();
                    view.name = printable(&info.name);
                    view.stack = info.stack;
                    view.part = Part::Active;
                }
            }
            Event::Cards { cards, points } => self.cards = Some((cards.clone(), *points)),
            Event::Turn { seat, mine, price, legal, seconds } => {
                self.asked |= price.is_none();
                if *mine {
                    self.me = Some(*seat);
                } else if price.is_none() && self.my_turn().is_some() {
                    // Several are asked at once: what another is asked takes no question away.
                    return;
                }
                self.price = price.map(|price| price.pass);
                self.turn = Some(TurnView {
                    seat: *seat,
                    mine: *mine,
                    price: *price,
                    legal: legal.clone(),
                    seconds: *seconds,
                });
            }
            Event::Moved { seat, kind, amount, bank } => self.moved(*seat, *kind, *amount, *bank),
            Event::Compared { caller, target, result } => match result {
                Outcome::Caller => self.set_part(*target, Part::Out),
                Outcome::Target => self.set_part(*caller, Part::Out),
                Outcome::Tie => {}
            },
            Event::Svara { seats, bank, .. } => {
                self.bank = *bank;
                self.svara.clone_from(seats);
                // A pool whose hand has left is played out.
                self.pools.retain(|holder, _| seats.contains(holder));
                self.new_deal();
                for (seat, view) in &mut self.seats {
                    match (seats.contains(seat), view.part) {
                        (true, _) => view.part = Part::Active,
                        (false, Part::Active) => view.part = Part::Out,
                        (false, _) => {}
                    }
                }
            }
            Event::Redeal { .. } | Event::DealAgain { .. } => self.new_deal(),
            Event::Settled { stacks, .. } => {
                for (seat, chips) in stacks {
                    self.seats.entry(*seat).or_default().stack = *chips;
                }
                for view in self.seats.values_mut() {
                    view.part = Part::Watching;
                }
                self.hand = None;
                self.asked = false;
                self.bank = 0;
                self.new_deal();
                self.svara.clear();
                self.pools.clear();
            }
            Event::Away { seat } => self.set_away(*seat, true),
            Event::Back { seat } => self.set_away(*seat, false),
            Event::Waiting { seats, why: WaitReason::Unheard } => {
                for (seat, view) in &mut self.seats {
                    view.unheard = seats.contains(seat);
                }
            }
            Event::Pool { holder, partners } => {
                self.set_part(*holder, Part::Active);
                for part in partners {
                    self.pay(part.seat, part.amount);
                    self.bank = self.bank.saturating_add(part.amount);
                }
                // Who put its part in has answered whether it enters.
                let mine = partners.iter().any(|part| Some(part.seat) == self.me);
                self.turn = self.turn.take().filter(|turn| !(mine && turn.mine));
                self.pools.insert(*holder, partners.clone());
            }
            // The turn of before comes again when the card is kept or replaced.
            Event::Exposed { .. } => self.turn = None,
            // Who has cut or lifted, or for whom it was done, is not asked any more.
            Event::Cut { seat, .. } | Event::Lifted { seat, .. } => {
                let asked = |turn: &TurnView| turn.seat == *seat && turn.price.is_none();
                self.turn = self.turn.take().filter(|turn| !asked(turn));
            }
            Event::Dealt { .. } => {
                self.asked_in_deal = std::mem::take(&mut self.asked);
                let before = |turn: &TurnView| {
                    turn.find(MoveKind::Cut).or_else(|| turn.find(MoveKind::Lift)).is_some()
                };
                self.turn = self.turn.take().filter(|turn| !before(turn));
            }
            Event::Hello { .. }
            | Event::Found { .. }
            | Event::Shuffled { .. }
            | Event::Shown { .. }
            | Event::Offer { .. }
            | Event::Fault { .. }
            | Event::Counted { .. }
            | Event::Pact { .. }
            | Event::Advice { .. }
            | Event::Closed { .. }
            | Event::Waiting { .. }
            | Event::Say { .. }
            | Event::Error { .. } => {}
        }
    }

    /// New cards: what belonged to the old ones is gone.
    fn new_deal(&mut self) {
        self.cards = None;
        self.turn = None;
        self.price = None;
        self.dark_bets = 0;
        for view in self.seats.values_mut() {
            view.dark = false;
        }
    }

    /// A seat is lost or here again; either way its program is not missed any more.
    fn set_away(&mut self, seat: Seat, away: bool) {
        let view = self.seats.entry(seat).or_default();
        view.away = away;
        view.unheard = false;
    }

    fn set_part(&mut self, seat: Seat, part: Part) {
        self.seats.entry(seat).or_default().part = part;
    }

    fn moved(&mut self, seat: Seat, kind: MoveKind, amount: Chips, bank: Chips) {
        self.bank = bank;
        self.pay_as_pool(seat, amount);
        let view = self.seats.entry(seat).or_default();
        view.unheard = false;
        match kind {
            MoveKind::Fold | MoveKind::StayOut => view.part = Part::Out,
            MoveKind::Enter => view.part = Part::Active,
            MoveKind::Dark => {
                view.dark = true;
                self.dark_bets = self.dark_bets.saturating_add(1);
            }
            MoveKind::Look => view.dark = false,
            _ => {}
        }
        let besides =
            matches!(kind, MoveKind::Look | MoveKind::Expose | MoveKind::Pool | MoveKind::Pact);
        if !besides {
            // These answer nothing: the turn stays. After anything else a new turn is announced.
            self.turn = self.turn.take().filter(|turn| turn.seat != seat);
        } else if kind == MoveKind::Look
            && let Some(turn) = self.turn.as_mut().filter(|turn| turn.seat == seat)
        {
            turn.legal.retain(|legal| !matches!(legal.kind, MoveKind::Look | MoveKind::Dark));
        }
    }

    fn pay(&mut self, seat: Seat, amount: Chips) {
        let view = self.seats.entry(seat).or_default();
        view.stack = view.stack.saturating_sub(amount);
    }

    /// A payment of a seat; of a pool its partners pay by their shares, rounded down, as far as they
    /// can, and the holder the rest.
    fn pay_as_pool(&mut self, seat: Seat, amount: Chips) {
        let partners = self.pools.get(&seat).cloned().unwrap_or_default();
        let whole = partners.iter().fold(0, |sum: u128, part| sum + u128::from(part.amount));
        let mut rest = amount;
        for part in partners.iter().filter(|part| part.seat != seat) {
            let share = u128::from(amount) * u128::from(part.amount) / whole.max(1);
            let stack = self.seats.get(&part.seat).map_or(0, |view| view.stack);
            let share = Chips::try_from(share).unwrap_or(Chips::MAX).min(stack).min(rest);
            self.pay(part.seat, share);
            rest -= share;
        }
        self.pay(seat, rest);
    }

    /// Is it this seat's turn?
    #[must_use]
    pub fn my_turn(&self) -> Option<&TurnView> {
        self.turn.as_ref().filter(|turn| turn.mine)
    }

    /// What this seat may do now, as far as it is worth offering: the rules do not know cards, so a redeal
    /// is open by them to whoever has looked, but it takes three tens.
    #[must_use]
    pub fn offered(&self) -> Vec<LegalMove> {
        let cards = self.cards.as_ref().map(|(cards, _)| cards.as_slice()).unwrap_or_default();
        let tens = cards.len() == 3 && cards.iter().all(|card| card.rank() == Some(Rank::Ten));
        let legal = self.turn.iter().flat_map(|turn| &turn.legal).copied();
        legal.filter(|legal| legal.kind != MoveKind::Redeal || tens).collect()
    }

    /// What this seat is seen as.
    #[must_use]
    pub fn my_seat(&self) -> Option<&SeatView> {
        self.seats.get(&self.me?)
    }

    /// The seats that are in the hand.
    pub fn active(&self) -> impl Iterator<Item = Seat> {
        self.seats.iter().filter(|(_, view)| view.part == Part::Active).map(|(seat, _)| *seat)
    }

    /// What a seat is called: its name, with its number where another has the same name.
    #[must_use]
    pub fn name(&self, lang: Lang, seat: Seat) -> String {
        let Some(view) = self.seats.get(&seat).filter(|view| !view.name.trim().is_empty()) else {
            return messages::somebody(lang, u64::from(seat.0));
        };
        let namesakes = self.seats.values().filter(|other| other.name == view.name).count();
        if namesakes > 1 { format!("{} #{seat}", view.name) } else { view.name.clone() }
    }

    /// The seats that `text` names: by number, by the name shown, or by the nickname.
    #[must_use]
    pub fn named(&self, lang: Lang, text: &str) -> Vec<Seat> {
        let text = text.strip_prefix('#').unwrap_or(text).to_lowercase();
        let matching = |test: &dyn Fn(Seat, &SeatView) -> bool| -> Vec<Seat> {
            self.seats
                .iter()
                .filter(|(seat, view)| test(**seat, view))
                .map(|(seat, _)| *seat)
                .collect()
        };
        // A name that is a number of another seat would make the number useless: names come first
        // only if no seat has this number.
        let mut found = matching(&|seat, _| seat.to_string() == text);
        if found.is_empty() {
            found = matching(&|seat, _| self.name(lang, seat).to_lowercase() == text);
        }
        if found.is_empty() {
            found = matching(&|_, view| view.name.to_lowercase() == text);
        }
        found
    }
}
