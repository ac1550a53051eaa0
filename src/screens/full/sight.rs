//! The table as the full screen remembers it: the view that all screens share, and beside it what
//! takes time to read: last actions, the deal's progress, proofs, showdowns, the log, the chat.

use std::collections::{BTreeMap, VecDeque};

pub(super) use self::deal::Deal;
pub(super) use self::questions::Question;
use self::result::{Lifted, Opened, Showdown};
use super::super::helping;
use super::super::telling::Teller;
use super::super::view::{Part, View};
use crate::bots::BotView;
use crate::event::{Event, MoveKind, OfferKind, WaitReason};
use crate::i18n::{Locale, messages as m, printable};
use crate::rules::{Card, Chips, HandName, HouseRules, Seat, rank};

mod dark;
mod deal;
mod questions;
mod result;

/// Lines of the log that are kept.
const LOG: usize = 1_000;
/// Milliseconds for which shown cards stay on the table at least.
pub(super) const SHOWDOWN_MS: u64 = 7_000;

/// What a line of the log is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// What happens.
    Plain,
    /// Something ends: a comparison, a hand.
    Result,
    /// Cards, deals and proofs.
    Deal,
    /// Somebody speaks.
    Chat,
    /// Something was refused, or is wrong.
    Trouble,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogLine {
    pub(super) text: String,
    pub(super) tone: Tone,
}

/// A proof that was checked in this hand, and the milliseconds from what it answers until it held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Proof {
    /// A shuffle.
    Shuffle { seat: Seat, ms: u64 },
    /// The cut.
    Cut { seat: Seat, at: u64 },
    /// The deal as a whole.
    Deal { ms: Option<u64> },
    /// The others' parts of one's own cards.
    Shares { ms: u64 },
    /// The result of a comparison.
    Compared { caller: Seat, target: Seat, ms: u64 },
    /// Cards that were opened.
    Opened { seat: Seat, ms: u64 },
    /// A card that was lifted for the deal.
    Lifted { seat: Seat, ms: u64 },
    /// Somebody was charged.
    Fault { text: String },
}

/// The table.
#[derive(Debug, Clone, Default)]
pub(super) struct Sight {
    pub(super) view: View,
    /// What a bot would have seen: for hints.
    seen: BotView,
    pub(super) log: VecDeque<LogLine>,
    pub(super) chat: VecDeque<(Seat, String)>,
    pub(super) unread: usize,
    pub(super) last: BTreeMap<Seat, String>,
    pub(super) shown: BTreeMap<Seat, Vec<Card>>,
    pub(super) shown_until: u64,
    pub(super) deal: Deal,
    pub(super) proofs: Vec<Proof>,
    /// Proofs of the deal that comes next.
    pub(super) next_proofs: Vec<Proof>,
    /// When the turn ends, and how long it was.
    pub(super) clock: Option<(u64, u64)>,
    dark: dark::DarkRight,
    /// What this seat has paid into the bank of this hand.
    pub(super) paid: Chips,
    /// What entering the svara would cost.
    pub(super) entry: Option<Chips>,
    /// What has come of a comparison or a hand, while it is read.
    pub(super) showdown: Option<Showdown>,
    opened: Opened,
    lifted: Lifted,
    /// When the event that is taken in was heard; it may have waited to be shown.
    pub(super) heard: u64,
    /// When the last move was made, or the cards were dealt: what proofs answer.
    asked: u64,
    /// What is asked together with the turn, in words.
    pub(super) offer: Option<String>,
    /// What was asked last in this deal, answered or not.
    pub(super) last_offer: Option<String>,
    pub(super) questions: Vec<Question>,
    pub(super) waiting: Option<String>,
    /// That nothing can be decided without those who are gone, in words, while it is so; also during a turn.
    pub(super) stopped: Option<String>,
    /// Since when: no clock runs meanwhile.
    stopped_at: u64,
    pub(super) fingerprint: Option<String>,
    pub(super) listen: Vec<String>,
    pub(super) table_id: Option<String>,
    pub(super) transcript: Option<String>,
    pub(super) sitting_out: bool,
    /// Has this player said that it leaves?
    pub(super) leaving: bool,
    /// Has it said that it plays again, after it was taken for absent?
    pub(super) returning: bool,
    /// Own cards of the hand before, for as long as it is read about.
    kept: Option<(Vec<Card>, u32)>,
    /// Cards that were turned up in this deal, by whose they are.
    pub(super) open: BTreeMap<Seat, Card>,
    /// Is it a dealer that cards are shuffled for? Nobody holds any then.
    pub(super) choosing: bool,
    /// Others were asked for three tens, and not this player.
    tens_elsewhere: bool,
    /// The last line about the table.
    told_table: Option<String>,
    /// What three players have to know has been told.
    warned: bool,
    /// Has a hand been played to its end here?
    settled_once: bool,
    /// Has anything been dealt at this table yet?
    pub(super) dealt_once: bool,
    /// Has it begun? Then there is nothing more to begin.
    pub(super) begun: bool,
}

impl Sight {
    /// How long it took, in milliseconds, from the last move or the deal until now.
    const fn took(&self) -> u64 {
        self.heard.saturating_sub(self.asked)
    }

    /// Takes an event in, at this time. The screen has said before when it was heard.
    pub(super) fn observe(&mut self, locale: Locale, now: u64, event: &Event) {
        let price = self.view.price;
        let cards_before = self.view.cards.clone();
        let hand_before = self.view.hand;
        self.view.observe(event);
        self.seen.observe(event);
        self.dark.observe(&self.view, event);
        self.begun |= begins(event);
        self.expire(now);
        // What is said besides, and what was refused, ends no waiting.
        if !matches!(
            event,
            Event::Waiting { .. } | Event::Say { .. } | Event::Found { .. } | Event::Error { .. }
        ) {
            self.waiting = None;
        }
        if decides(event) {
            self.go_on();
        }
        match event {
            Event::Hello { fingerprint, listen, .. } => {
                self.fingerprint = Some(printable(fingerprint));
                self.listen = listen.iter().map(|at| printable(at)).collect();
            }
            Event::Table { id, .. } => {
                self.table_id = Some(printable(id));
                self.newcomers_gone();
            }
            Event::Hand { hand, dealer, seats, .. } => {
                // Whoever comes later is told of the lifts of the first hand too.
                if *hand > 1 && !self.settled_once {
                    self.lifted = Lifted::default();
                }
                // A hand is told of anew with every deal of it, a svara's too: what was put in stays put in.
                let paid = self.paid;
                self.new_hand();
                let order: Vec<Seat> = seats.iter().map(|info| info.seat).collect();
                self.new_deal(&order, *dealer);
                self.choosing = false;
                let mine = seats.iter().find(|info| Some(info.seat) == self.view.me);
                let ante = self.view.rules.as_ref().map_or(0, |rules| rules.ante);
                let automatic = mine.is_some() && !self.asks_antes();
                self.paid = match hand_before {
                    Some(before) if before == *hand => paid,
                    _ if automatic => ante,
                    _ => 0,
                };
            }
            Event::Shuffled { seat, ms } => {
                self.deal.add(*seat, *ms);
                if self.view.hand.is_none() {
                    self.deal.order = self.present(*seat);
                }
                self.next_proofs.push(Proof::Shuffle { seat: *seat, ms: *ms });
            }
            Event::Dealt { ms, .. } => {
                self.deal.done = Some(*ms);
                self.deal.ahead = false;
                self.proofs.append(&mut self.next_proofs);
                // Cards of the deal before would be taken for cards of this one.
                self.shown.clear();
                self.opened = Opened::default();
                self.dealt_once = true;
                self.last_offer = None;
                // Who plays reads the end of the hand before until then; who looks on, as long as it stays.
                if self.in_hand() {
                    self.put_result_away();
                }
                // Where somebody was asked something during it, its time is that of a person.
                let asked = self.view.asked_in_deal;
                self.proofs.push(Proof::Deal { ms: Some(*ms).filter(|_| !asked) });
                self.asked = self.heard;
            }
            Event::Turn { mine, seconds, price, legal, .. } => {
                if price.is_none() {
                    self.choosing |= legal.iter().any(|legal| legal.kind == MoveKind::Lift);
                }
                let held = self.view.my_turn().is_some() && !mine;
                if !held {
                    let long = seconds.saturating_mul(1_000);
                    self.clock = Some((self.heard.saturating_add(long), long));
                }
                if price.is_some() {
                    self.offer = None;
                }
                if *mine {
                    self.put_result_away();
                }
            }
            Event::Moved { seat, kind, amount, .. } => {
                self.moved(locale, *seat, *kind, *amount, price);
                self.asked = self.heard;
            }
            Event::Cards { .. } => self.proofs.push(Proof::Shares { ms: self.took() }),
            Event::Compared { caller, target, .. } => {
                let ms = self.took();
                self.proofs.push(Proof::Compared { caller: *caller, target: *target, ms });
            }
            Event::Shown { seat, cards, .. } => {
                self.shown.insert(*seat, cards.clone());
                self.shown_until = now.saturating_add(SHOWDOWN_MS);
                self.proofs.push(Proof::Opened { seat: *seat, ms: self.took() });
            }
            Event::Svara { seats, entry, .. } => {
                self.entry = Some(*entry);
                self.last.clear();
                let dealer = seats.first().copied().unwrap_or(Seat(0));
                self.new_deal(seats, dealer);
            }
            Event::Redeal { .. } | Event::DealAgain { .. } => {
                if let Event::DealAgain { .. } = event {
                    self.deal.ahead = false;
                    self.next_proofs.clear();
                }
                let order: Vec<Seat> = self.view.active().collect();
                let dealer = self.view.dealer.unwrap_or(Seat(0));
                self.new_deal(&order, dealer);
                self.last.clear();
            }
            Event::Settled { transcript, .. } => {
                self.settled_once = true;
                self.choosing = false;
                self.open.clear();
                self.no_division();
                self.lifted = Lifted::default();
                self.kept = cards_before.or(self.kept.take());
                self.transcript = transcript.as_deref().map(printable);
                self.clock = None;
                self.offer = None;
                self.entry = None;
                // What was laid open in this hand lies there while its end is read.
                self.shown = self.opened.hands.iter().cloned().collect();
                self.shown_until = now.saturating_add(SHOWDOWN_MS);
            }
            Event::Cut { seat, at } => self.next_proofs.push(Proof::Cut { seat: *seat, at: *at }),
            Event::Lifted { seat, .. } => {
                self.choosing = true;
                self.next_proofs.push(Proof::Lifted { seat: *seat, ms: self.took() });
            }
            Event::Exposed { seat, card } => {
                self.open.insert(*seat, *card);
                self.proofs.push(Proof::Opened { seat: *seat, ms: self.took() });
            }
            Event::Pool { holder, partners } => {
                self.deal.enter(*holder);
                let mine = partners.iter().find(|part| Some(part.seat) == self.view.me);
                self.paid = self.paid.saturating_add(mine.map_or(0, |part| part.amount));
                self.offer = None;
            }
            Event::Pact { .. } => self.offer = None,
            Event::Say { seat, text } => {
                if self.chat.len() >= LOG {
                    self.chat.pop_front();
                }
                self.chat.push_back((*seat, printable(text)));
                if Some(*seat) != self.view.me {
                    self.unread += 1;
                }
            }
            Event::Offer { .. } => self.offered(locale, event),
            Event::Away { seat } | Event::Back { seat } => {
                self.returning &= Some(*seat) != self.view.me;
                if let Event::Away { .. } = event {
                    self.newcomer_gone(*seat);
                }
            }
            Event::Counted { .. }
            | Event::Fault { .. }
            | Event::Advice { .. }
            | Event::Closed { .. }
            | Event::Found { .. }
            | Event::Waiting { .. }
            | Event::Error { .. } => {}
        }
        self.write(locale, now, event);
    }

    /// Entries are decided again: the clock goes on where it stood.
    fn go_on(&mut self) {
        if self.stopped.take().is_some()
            && let Some((end, _)) = &mut self.clock
        {
            *end = end.saturating_add(self.heard.saturating_sub(self.stopped_at));
        }
    }

    /// When the turn ends and how long it was; nothing while no clock runs.
    pub(super) fn running_clock(&self) -> Option<(u64, u64)> {
        self.clock.filter(|_| self.stopped.is_none())
    }

    /// Antes are asked for one by one.
    fn asks_antes(&self) -> bool {
        use crate::rules::MissingAnte;
        self.view.rules.as_ref().is_some_and(|rules| rules.missing_ante == MissingAnte::DealerPays)
    }

    fn new_hand(&mut self) {
        self.last.clear();
        self.proofs.clear();
        self.kept = None;
        self.paid = 0;
        self.entry = None;
        self.offer = None;
        self.transcript = None;
    }

    /// The dealer shuffles first, and so on clockwise.
    fn new_deal(&mut self, seats: &[Seat], dealer: Seat) {
        self.open.clear();
        let mut order: Vec<Seat> = seats.to_vec();
        order.sort_unstable();
        let first = order.iter().position(|seat| *seat >= dealer).unwrap_or(0);
        order.rotate_left(first);
        self.deal.begin(order);
        self.clock = None;
    }

    /// Everybody who is here, beginning with whoever shuffled first.
    fn present(&self, seat: Seat) -> Vec<Seat> {
        let here = self.view.seats.iter().filter(|(_, view)| !view.away);
        let mut order: Vec<Seat> = here.map(|(seat, _)| *seat).collect();
        let first = self.deal.shuffled.first().map_or(seat, |(seat, _)| *seat);
        let at = order.iter().position(|seat| *seat >= first).unwrap_or(0);
        order.rotate_left(at);
        order
    }

    fn moved(
        &mut self,
        locale: Locale,
        seat: Seat,
        kind: MoveKind,
        amount: Chips,
        price: Option<Chips>,
    ) {
        if Some(seat) == self.view.me {
            self.paid = self.paid.saturating_add(amount);
        }
        if kind == MoveKind::Enter {
            self.deal.enter(seat);
        }
        if kind == MoveKind::Replace {
            self.open.remove(&seat);
        }
        // An answer ends the question, a proposal opens one; where this player is still asked it stays.
        let still_asked = Some(seat) != self.view.me && self.view.my_turn().is_some();
        if !still_asked
            && !matches!(
                kind,
                MoveKind::Look
                    | MoveKind::Pool
                    | MoveKind::Pact
                    | MoveKind::Boil
                    | MoveKind::Expose
            )
        {
            self.offer = None;
        }
        if !matches!(kind, MoveKind::Accept | MoveKind::Refuse) {
            self.tens_elsewhere = false;
        }
        let lang = locale.lang;
        let text = match kind {
            MoveKind::Bet if price.is_some_and(|price| amount > price) => m::la_raise(lang, amount),
            MoveKind::Bet => m::la_call(lang, amount),
            MoveKind::Dark if self.view.dark_bets > 1 => m::la_overdark(lang, amount),
            MoveKind::Dark => m::la_dark(lang, amount),
            MoveKind::Compare => m::la_compare(lang, amount),
            MoveKind::Enter if amount > 0 => m::la_enter(lang, amount),
            kind => match super::keys::find(super::keys::Act::Move(kind)) {
                Some(_) => m::la_other(lang, kind.name()),
                None => return,
            },
        };
        if kind == MoveKind::Refuse {
            // A no to what was asked besides says less than what was done before.
            self.last.entry(seat).or_insert(text);
        } else {
            self.last.insert(seat, text);
        }
    }

    fn teller(&self, locale: Locale) -> Teller<'_> {
        Teller { locale, view: &self.view, first_table: false, leaving: self.leaving }
    }

    /// Writes the event into the log, and what has to be read long enough onto the table.
    fn write(&mut self, locale: Locale, now: u64, event: &Event) {
        let tone = match event {
            Event::Turn { .. } | Event::Hello { .. } | Event::Found { .. } => return,
            Event::Waiting { seats, why: WaitReason::Quorum } => {
                let text = match seats.as_slice() {
                    [] => self.teller(locale).line(event),
                    seats => m::wait_quorum_full(locale.lang, self.teller(locale).names(seats)),
                };
                if self.stopped.is_none() {
                    self.stopped_at = self.heard;
                }
                if self.stopped.as_ref() != Some(&text) {
                    // The whole of it stands in the log; on the table there may be room for a few words.
                    let text = self.teller(locale).line(event);
                    self.keep(LogLine { text, tone: Tone::Trouble });
                }
                self.waiting = None;
                self.stopped = Some(text);
                return;
            }
            // The table goes on meanwhile: it waits for nothing.
            Event::Waiting { seats, why: WaitReason::Unheard } if seats.is_empty() => Tone::Plain,
            Event::Waiting { why: WaitReason::Unheard, .. } => Tone::Trouble,
            Event::Waiting { why, .. } => {
                self.waiting = Some(match why {
                    WaitReason::Ready => m::wait_ready_full(locale.lang),
                    _ => self.teller(locale).line(event),
                });
                return;
            }
            Event::Offer { kind: OfferKind::Admit | OfferKind::Rules, .. } => return,
            // A redeal is told of by itself; that others have no three tens, or do not show them, is no news.
            Event::Offer { kind: OfferKind::ThreeTens, .. }
            | Event::Moved { kind: MoveKind::Refuse | MoveKind::Accept, .. }
                if self.tens_elsewhere =>
            {
                return;
            }
            // The question follows, with the same words.
            Event::Moved { kind: MoveKind::Boil, .. } => return,
            // What was cut and lifted follows, with the cards.
            Event::Moved { kind: MoveKind::Cut | MoveKind::Lift, .. } => return,
            Event::Shuffled { .. }
            | Event::Dealt { .. }
            | Event::Cards { .. }
            | Event::Cut { .. }
            | Event::Lifted { .. }
            | Event::Counted { .. } => Tone::Deal,
            Event::Compared { .. } | Event::Settled { .. } | Event::Svara { .. } => Tone::Result,
            Event::Redeal { .. } | Event::Shown { .. } => Tone::Result,
            Event::Say { .. } | Event::Advice { .. } => Tone::Chat,
            Event::Error { .. } | Event::Fault { .. } | Event::DealAgain { .. } => Tone::Trouble,
            _ => Tone::Plain,
        };
        let text = match event {
            // The file's name stands on the page of proofs.
            Event::Settled { hand, stacks, winners, .. } => {
                let (hand, stacks, winners) = (*hand, stacks.clone(), winners.clone());
                let over = Event::Settled { hand, stacks, winners, transcript: None };
                self.teller(locale).line(&over)
            }
            // By which key one comes back is said where it stays to be read.
            Event::Away { seat } if Some(*seat) == self.view.me && !self.leaving => {
                m::log_absent(locale.lang)
            }
            event => self.teller(locale).line(event),
        };
        if let Event::Table { .. } = event {
            // Tables are told of whenever anything about them may have changed.
            if self.told_table.as_ref() == Some(&text) {
                return;
            }
            self.told_table = Some(text.clone());
        }
        if let Event::Fault { .. } = event {
            self.proofs.push(Proof::Fault { text: text.clone() });
        }
        self.say_result(locale, now, event, &text);
        self.keep(LogLine { text, tone });
        if let Some(text) = self.teller(locale).warning(event).filter(|_| !self.warned) {
            self.warned = true;
            self.keep(LogLine { text, tone });
        }
    }

    /// The end of a hand was read: its cards go.
    pub(super) fn put_away(&mut self) {
        self.kept = None;
        self.shown.clear();
    }

    /// Writes a line that no event tells.
    pub(super) fn tell(&mut self, text: String) {
        self.keep(LogLine { text, tone: Tone::Deal });
    }

    /// Writes down how the table stands, a line a seat.
    pub(super) fn tell_table(&mut self, locale: Locale) {
        for text in self.teller(locale).table() {
            self.keep(LogLine { text, tone: Tone::Plain });
        }
    }

    fn keep(&mut self, line: LogLine) {
        if self.log.len() >= LOG {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }

    /// Own cards and their points: those of this hand, or of the one that has just ended.
    pub(super) fn own(&self) -> Option<&(Vec<Card>, u32)> {
        self.view.cards.as_ref().or(self.kept.as_ref())
    }

    /// Was this player taken for absent?
    pub(super) fn is_absent(&self) -> bool {
        self.view.my_seat().is_some_and(|seat| seat.away) && !self.leaving
    }

    /// Is this player in the hand?
    pub(super) fn in_hand(&self) -> bool {
        self.view.my_seat().is_some_and(|seat| seat.part == Part::Active)
            && self.view.hand.is_some()
    }

    /// What beats what, and how good the chances are.
    pub(super) fn hint(&self, locale: Locale) -> Vec<String> {
        helping::hint(locale, &self.seen)
    }

    /// What the hand is called.
    pub(super) fn hand_name(&self, locale: Locale, cards: &[Card]) -> Option<String> {
        let rules: &HouseRules = self.view.rules.as_deref()?;
        let three: [Card; 3] = cards.try_into().ok()?;
        let worth = rank(rules, three).ok()?;
        let suits: Vec<_> = three.iter().map(|card| card.suit()).collect();
        let suited = match suits.as_slice() {
            [one, two, three] => [one == two, one == three, two == three],
            _ => [false; 3],
        };
        let kind = match worth.name {
            HandName::ThreeAces => "three-aces",
            HandName::ThreeSixes => "three-sixes",
            HandName::Triple => "triple",
            HandName::TwoAces => "two-aces",
            HandName::Suit if worth.three_tens => "three-tens",
            HandName::Suit if suited.iter().all(|same| *same) => "trinka",
            HandName::Suit if suited.iter().any(|same| *same) => "suit",
            HandName::Suit => "high",
        };
        Some(m::hand_name(locale.lang, kind))
    }

    /// The points of shown cards.
    pub(super) fn points(&self, cards: &[Card]) -> Option<u32> {
        let three: [Card; 3] = cards.try_into().ok()?;
        rank(self.view.rules.as_deref()?, three).ok().map(|worth| worth.points)
    }
}

/// Does this show that the table decides something again? What is said, what was refused, and what each
/// program finds out by itself does not.
const fn decides(event: &Event) -> bool {
    match event {
        // Who is heard or not is told only while the others are enough.
        Event::Waiting { why, .. } => matches!(why, WaitReason::Unheard),
        Event::Hello { .. }
        | Event::Found { .. }
        | Event::Shuffled { .. }
        | Event::Cards { .. }
        | Event::Shown { .. }
        | Event::Fault { .. }
        | Event::Advice { .. }
        | Event::Say { .. }
        | Event::Error { .. } => false,
        _ => true,
    }
}

/// Does this happen only at a table that has begun?
const fn begins(event: &Event) -> bool {
    match event {
        Event::Waiting { why, .. } => !matches!(
            why,
            WaitReason::Players
                | WaitReason::Host
                | WaitReason::Founding
                | WaitReason::Table
                | WaitReason::Leaving
        ),
        Event::Hello { .. }
        | Event::Found { .. }
        | Event::Table { .. }
        | Event::Say { .. }
        | Event::Error { .. } => false,
        _ => true,
    }
}
