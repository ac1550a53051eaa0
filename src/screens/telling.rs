//! Events as sentences, one line each.

use super::asking::choices;
use super::view::{Part, View};
use super::{rules_in_short, rules_words};
use crate::event::{
    AgainReason, Audience, Event, FaultKind, MoveKind, OfferKind, Outcome, SeatAmount, SeatInfo,
    WaitReason,
};
use crate::i18n::{Locale, messages as m, printable};
use crate::rules::{Chips, HouseRules, Seat};

/// How much of a fingerprint is enough to name somebody: two groups of four.
const SHORT: usize = 9;

/// Tells events to one player, with the names that `view` knows.
pub(super) struct Teller<'a> {
    pub(super) locale: Locale,
    pub(super) view: &'a View,
    /// Is a table that is told of told of for the first time?
    pub(super) first_table: bool,
    /// Has this player said that it leaves?
    pub(super) leaving: bool,
}

impl Teller<'_> {
    fn name(&self, seat: Seat) -> String {
        self.view.name(self.locale.lang, seat)
    }

    /// The name, marked if it is one's own: for lists, where one looks for oneself.
    fn marked(&self, seat: Seat) -> String {
        let name = self.name(seat);
        if self.view.me == Some(seat) { m::you(self.locale.lang, name) } else { name }
    }

    pub(super) fn names(&self, seats: &[Seat]) -> String {
        seats.iter().map(|seat| self.name(*seat)).collect::<Vec<_>>().join(", ")
    }

    fn infos(&self, seats: &[SeatInfo]) -> String {
        let one = |info: &SeatInfo| m::has(self.locale.lang, self.marked(info.seat), info.stack);
        seats.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn amounts(&self, amounts: &[SeatAmount]) -> String {
        let one = |part: &SeatAmount| m::has(self.locale.lang, self.name(part.seat), part.amount);
        amounts.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// What three players are told unasked where dark play is on: one helper is enough to look early.
    pub(super) fn warning(&self, event: &Event) -> Option<String> {
        let Event::Hand { seats, .. } = event else { return None };
        let dark = self.view.rules.as_ref().is_some_and(|rules| rules.dark.is_on());
        (dark && seats.len() == 3).then(|| m::three_players(self.locale.lang, "on"))
    }

    /// The line for an event that `view` has already seen.
    pub(super) fn line(&self, event: &Event) -> String {
        let lang = self.locale.lang;
        match event {
            Event::Hello { fingerprint, listen, .. } => {
                m::ev_hello(lang, printable(fingerprint), printable(&listen.join(", ")))
            }
            Event::Found { by, address, .. } => {
                m::ev_found(lang, printable(by), printable(address))
            }
            Event::Table { name, rules, seats, .. } => {
                let short = rules_in_short(rules);
                let table =
                    m::ev_table(lang, printable(name), short, rules.ante, self.infos(seats));
                match self.first_table {
                    true => format!("{table} {}", m::ev_table_more(lang, rules_words(rules))),
                    false => table,
                }
            }
            Event::Hand { hand, dealer, seats, bank } => {
                m::ev_hand(lang, *hand, self.name(*dealer), self.infos(seats), *bank)
            }
            Event::Shuffled { seat, ms } => m::ev_shuffled(lang, self.name(*seat), *ms),
            Event::Dealt { .. } if self.view.asked_in_deal => m::dealt_asked(lang),
            Event::Dealt { ms, .. } => m::ev_dealt(lang, *ms),
            Event::Cards { cards, points } => m::ev_cards(lang, self.locale.cards(cards), *points),
            Event::Turn { seat, mine, seconds, .. } => match self.view.my_turn() {
                Some(turn) if *mine => m::ask(lang, choices(lang, self.view, turn), *seconds),
                _ => m::ev_turn(lang, self.name(*seat), *seconds),
            },
            Event::Moved { seat, kind, amount, bank } => self.moved(*seat, *kind, *amount, *bank),
            Event::Compared { caller, target, result } => self.compared(*caller, *target, *result),
            Event::Shown { seat, cards, to } => match to {
                Audience::All(_) => m::ev_shown(lang, self.name(*seat), self.locale.cards(cards)),
                Audience::Seats(seats) => m::ev_shown_to(
                    lang,
                    self.name(*seat),
                    self.locale.cards(cards),
                    self.names(seats),
                ),
            },
            Event::Settled { hand, stacks, winners, transcript } => {
                let wins = |won: &SeatAmount| m::wins(lang, self.name(won.seat), won.amount);
                let winners: Vec<String> = winners.iter().map(wins).collect();
                let stacks: Vec<String> = stacks
                    .iter()
                    .map(|(seat, chips)| m::has(lang, self.marked(*seat), *chips))
                    .collect();
                let over = m::ev_settled(lang, *hand, winners.join(", "), stacks.join(", "));
                match transcript {
                    Some(file) => format!("{over} {}", m::ev_saved(lang, printable(file))),
                    None => over,
                }
            }
            Event::Offer { .. } => self.offer(event),
            Event::Svara { seats, bank, entry } => {
                m::ev_svara(lang, self.names(seats), *bank, *entry)
            }
            Event::Redeal { seat: Some(seat) } => m::ev_redeal(lang, self.name(*seat)),
            Event::Redeal { seat: None } => m::ev_redeal_layer(lang),
            Event::DealAgain { hand, reason, .. } => match reason {
                AgainReason::Missing => m::ev_again_missing(lang, *hand),
                AgainReason::False => m::ev_again_false(lang, *hand),
                AgainReason::LostLayer => m::ev_again_lost_layer(lang, *hand),
                AgainReason::Tied => m::ev_again_tied(lang, *hand),
            },
            Event::Fault { seat, kind, .. } => match kind {
                FaultKind::TwoVotes => m::ev_fault_two_votes(lang, self.name(*seat)),
                FaultKind::TwoMessages => m::ev_fault_two_messages(lang, self.name(*seat)),
                FaultKind::FalseProof => m::ev_fault_false_proof(lang, self.name(*seat)),
                FaultKind::Absent => m::ev_fault_absent(lang, self.name(*seat)),
            },
            Event::Away { seat } if self.view.me == Some(*seat) => match self.leaving {
                true => m::ev_left(lang, self.view.my_seat().map_or(0, |seat| seat.stack)),
                false => m::ev_absent(lang),
            },
            Event::Away { seat } => m::ev_away(lang, self.name(*seat)),
            Event::Back { seat } => m::ev_back(lang, self.name(*seat)),
            Event::Cut { seat, at } => m::ev_cut(lang, self.name(*seat), *at),
            Event::Lifted { seat, cards } => {
                m::ev_lifted(lang, self.name(*seat), self.locale.cards(cards))
            }
            Event::Counted { cards, dealer } => {
                m::ev_counted(lang, self.locale.cards(cards), self.name(*dealer))
            }
            Event::Exposed { seat, card } => {
                m::ev_exposed(lang, self.name(*seat), self.locale.card(*card))
            }
            Event::Pool { holder, partners } => {
                m::ev_pool(lang, self.name(*holder), self.amounts(partners))
            }
            Event::Closed { seat, bank } => m::ev_closed(lang, self.name(*seat), *bank),
            Event::Pact { seats } => m::ev_pact(lang, self.names(seats)),
            Event::Advice { from, text } => m::ev_advice(lang, self.name(*from), printable(text)),
            Event::Waiting { seats, why } => self.waiting(seats, *why),
            Event::Say { seat, text } => m::ev_say(lang, self.name(*seat), printable(text)),
            Event::Error { message, advice, .. } => {
                m::ev_error(lang, printable(message), printable(advice))
            }
        }
    }

    fn moved(&self, seat: Seat, kind: MoveKind, amount: Chips, bank: Chips) -> String {
        let lang = self.locale.lang;
        let name = self.name(seat);
        match kind {
            MoveKind::Bet if self.view.price.is_some_and(|price| amount > price) => {
                m::mv_raise(lang, name, amount, bank)
            }
            MoveKind::Bet => m::mv_call(lang, name, amount, bank),
            MoveKind::Dark if self.view.dark_bets > 1 => m::mv_overdark(lang, name, amount, bank),
            MoveKind::Dark => m::mv_dark(lang, name, amount, bank),
            MoveKind::Compare => m::mv_compare(lang, name, amount, bank),
            MoveKind::Enter => m::mv_enter(lang, name, amount, bank),
            MoveKind::Ante => m::mv_ante(lang, name, amount, bank),
            MoveKind::Look => m::mv_look(lang, name),
            MoveKind::Fold => m::mv_fold(lang, name),
            MoveKind::Redeal => m::mv_redeal(lang, name),
            MoveKind::Boil => m::mv_boil(lang, name),
            MoveKind::Accept => m::mv_accept(lang, name),
            MoveKind::Refuse => m::mv_refuse(lang, name),
            MoveKind::Split => m::mv_split(lang, name),
            MoveKind::NoSplit => m::mv_no_split(lang, name),
            MoveKind::StayOut => m::mv_stay_out(lang, name),
            MoveKind::Cut => m::mv_cut(lang, name),
            MoveKind::Lift => m::mv_lift(lang, name),
            MoveKind::Replace => m::mv_replace(lang, name),
            MoveKind::Omit => m::mv_omit(lang, name),
            MoveKind::Keep => m::mv_keep(lang, name),
            MoveKind::Expose => m::mv_expose(lang, name),
            MoveKind::Pool => m::mv_pool(lang, name),
            MoveKind::Pact => m::mv_pact(lang, name),
        }
    }

    fn compared(&self, caller: Seat, target: Seat, result: Outcome) -> String {
        let lang = self.locale.lang;
        let (caller, target) = (self.name(caller), self.name(target));
        match result {
            Outcome::Caller => m::ev_compared_out(lang, caller, target.clone(), target),
            Outcome::Target => m::ev_compared_out(lang, caller.clone(), target, caller),
            Outcome::Tie => m::ev_compared_tie(lang, caller, target),
        }
    }

    fn offer(&self, event: &Event) -> String {
        let lang = self.locale.lang;
        let Event::Offer { kind, from, to, shares, key, name, rules } = event else {
            return String::new();
        };
        let by = from.map(|seat| self.name(seat)).unwrap_or_default();
        match kind {
            OfferKind::Boil => m::of_boil(lang, by),
            OfferKind::ThreeTens => m::of_three_tens(lang),
            OfferKind::Split => m::of_split(lang),
            OfferKind::Pool => m::of_pool(lang, by, self.amounts(shares)),
            OfferKind::Pact => m::of_pact(lang, by),
            OfferKind::Expose => m::of_expose(lang),
            OfferKind::Exposed => m::of_exposed(lang),
            OfferKind::Admit => {
                let name = name.as_deref().unwrap_or_default();
                let fingerprint = fingerprint(key.as_deref().unwrap_or_default());
                let short = fingerprint.get(..SHORT).unwrap_or(&fingerprint).to_owned();
                m::of_admit(lang, printable(name), fingerprint, short)
            }
            OfferKind::Unfreeze => m::of_unfreeze(lang, self.names(to)),
            OfferKind::Rules => m::of_rules(lang, by, self.changed(rules.as_deref())),
            OfferKind::RulesAgreed => {
                let (changes, waiting) = (self.changed(rules.as_deref()), to.len() as u64);
                m::of_rules_agreed(lang, by, changes, waiting, self.names(to))
            }
            OfferKind::RulesAdopted => {
                m::of_rules_adopted(lang, by, self.changed(rules.as_deref()))
            }
            OfferKind::RulesRefused => {
                m::of_rules_refused(lang, by, self.changed(rules.as_deref()))
            }
            OfferKind::RulesLapsed => m::of_rules_lapsed(lang, by, self.changed(rules.as_deref())),
            OfferKind::Divide => m::of_divide(lang, by, self.view.bank),
            OfferKind::DivideAgreed => {
                m::of_divide_agreed(lang, by, to.len() as u64, self.names(to))
            }
            OfferKind::DivideRefused => m::of_divide_refused(lang, by),
        }
    }

    fn changed(&self, proposed: Option<&HouseRules>) -> String {
        proposed.map(|rules| self.changes(rules)).unwrap_or_default()
    }

    /// The switches that differ from the rules in force.
    fn changes(&self, proposed: &HouseRules) -> String {
        let Some(now) = &self.view.rules else {
            return rules_in_short(proposed);
        };
        let changed: Vec<String> = proposed
            .switches()
            .into_iter()
            .zip(now.switches())
            .filter(|(new, old)| new != old)
            .map(|((name, value), _)| format!("{name}={value}"))
            .collect();
        changed.join(", ")
    }

    fn waiting(&self, seats: &[Seat], why: WaitReason) -> String {
        let lang = self.locale.lang;
        let why = match why {
            WaitReason::Unheard if seats.is_empty() => m::wait_heard(lang),
            WaitReason::Unheard => return m::wait_unheard(lang, self.names(seats)),
            WaitReason::Players => m::wait_players(lang),
            WaitReason::Host => m::wait_host(lang),
            WaitReason::Founding => m::wait_founding(lang),
            WaitReason::Ready => m::wait_ready(lang),
            WaitReason::Dealer => m::wait_dealer(lang),
            WaitReason::Deal => m::wait_deal(lang),
            WaitReason::Shares => m::wait_shares(lang),
            WaitReason::Quorum => m::wait_quorum(lang),
            WaitReason::Table => m::wait_table(lang),
            WaitReason::Leaving => m::wait_leaving(lang),
        };
        if seats.is_empty() {
            why
        } else {
            format!("{why} {}", m::wait_for(lang, self.names(seats)))
        }
    }

    /// The table as it stands, a line a seat.
    pub(super) fn table(&self) -> Vec<String> {
        let lang = self.locale.lang;
        let view = self.view;
        if view.seats.is_empty() {
            return vec![m::st_nothing(lang)];
        }
        let dealer = view.dealer.map(|seat| self.name(seat)).unwrap_or_default();
        let mut lines = vec![match view.hand {
            Some(hand) => m::st_hand(lang, hand, dealer, view.bank),
            None => m::st_table(lang, view.table.clone().unwrap_or_default()),
        }];
        lines.extend(view.seats.keys().map(|seat| self.seat_line(*seat)));
        if let Some((cards, points)) = &view.cards {
            lines.push(m::st_cards(lang, self.locale.cards(cards), *points));
        }
        if let Some(turn) = view.my_turn() {
            lines.push(m::ask(lang, choices(lang, self.view, turn), turn.seconds));
        }
        lines
    }

    /// `> 0 Anna (you): 95 chips, is to act`: the mark is a character, not a style.
    fn seat_line(&self, seat: Seat) -> String {
        let lang = self.locale.lang;
        let view = self.view.seats.get(&seat).cloned().unwrap_or_default();
        let acts = self.view.turn.as_ref().is_some_and(|turn| turn.seat == seat);
        let mut line = m::st_seat(lang, self.marked(seat), view.stack);
        let mut add = |text: String| {
            line.push_str(", ");
            line.push_str(&text);
        };
        if acts {
            add(m::st_turn(lang));
        }
        match view.part {
            Part::Out => add(m::st_out(lang)),
            Part::Watching if self.view.hand.is_some() => add(m::st_watching(lang)),
            Part::Watching | Part::Active => {}
        }
        if view.dark {
            add(m::st_dark(lang));
        }
        if view.away {
            add(m::st_away(lang));
        } else if view.unheard {
            add(m::st_unheard(lang));
        }
        format!("{} {seat} {line}", if acts { '>' } else { ' ' })
    }
}

/// The fingerprint of a key that is written in hexadecimal; what is no key as it stands.
pub(super) fn fingerprint(key: &str) -> String {
    match crate::wire::unhex(key) {
        Some(key) => crate::identity::PublicKey(key).fingerprint(),
        None => printable(key),
    }
}
