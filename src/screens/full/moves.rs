//! What may be done now, with what it costs, and what comes of it.
//!
//! Everything here is made of the last turn's legal moves; nothing else is ever offered.

use super::super::asking;
use super::keys::Act;
use super::sight::{Question, Sight};
use crate::event::{Command, LegalMove, Move, MoveKind};
use crate::i18n::{Lang, Locale, messages as m};
use crate::rules::{Chips, Seat};

/// How a choice is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum How {
    /// At once.
    Now(Command),
    /// With a number from `min` to `max`.
    Number { kind: MoveKind, min: u64, max: u64 },
    /// With one of these players.
    Player { kind: MoveKind, seats: Vec<Seat> },
    /// A question is laid aside.
    Dismiss,
}

/// Something that may be done now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// Its command, for its key.
    pub(super) act: Act,
    /// How it is made.
    pub(super) how: How,
    /// What it is, with its price.
    pub(super) label: String,
    /// What comes of it, in a few words.
    pub(super) then: String,
    /// What it costs, where that is fixed.
    pub(super) cost: Chips,
}

/// Every choice of this moment.
pub(super) fn choices(lang: Lang, sight: &Sight) -> Vec<Choice> {
    let mut all = Vec::new();
    let mut legal = sight.view.offered();
    legal.sort_by_key(|legal| asking::place(legal.kind));
    for one in legal {
        for choice in of_move(lang, sight, one) {
            add(&mut all, choice);
        }
    }
    for choice in &mut all {
        // Whether it is one's own card is seen once all who can be chosen are together.
        if let How::Player { kind: MoveKind::Expose, seats } = &choice.how
            && seats.iter().all(|seat| Some(*seat) == sight.view.me)
        {
            choice.label = m::do_expose(lang, "mine");
        }
    }
    if let Some(question) = sight.asked_now().and_then(|at| sight.questions.get(at)) {
        let taken = |act| all.iter().any(|choice: &Choice| choice.act == act);
        if !taken(Act::Move(MoveKind::Accept)) {
            all.extend(answers(lang, sight, question));
        }
    }
    all
}

/// Adds a choice; players who can be chosen for the same move are one choice.
fn add(all: &mut Vec<Choice>, choice: Choice) {
    let same = all.iter_mut().find(|before| before.act == choice.act);
    if let Some(How::Player { seats, .. }) = same.map(|before| &mut before.how)
        && let How::Player { seats: more, .. } = &choice.how
    {
        seats.extend(more);
        seats.sort_unstable();
        seats.dedup();
        return;
    }
    all.push(choice);
}

/// What is asked of whoever has a card face up, with the card.
fn exposed(locale: Locale, sight: &Sight) -> Option<String> {
    let turn = sight.view.my_turn().filter(|turn| turn.find(MoveKind::Keep).is_some())?;
    let card = sight.open.get(&sight.view.me?)?;
    let rest = turn.find(MoveKind::Replace);
    let rest = rest.map_or(0, |legal| not_dealt(legal.min.unwrap_or(0), legal.max.unwrap_or(0)));
    Some(m::exposed_card(locale.lang, locale.card(*card), rest))
}

/// How many cards were not dealt: those by which one can be replaced.
pub(super) const fn not_dealt(min: u64, max: u64) -> u64 {
    max.saturating_sub(min).saturating_add(1)
}

/// What is asked, in words: the turn's question, or one besides.
pub(super) fn question(locale: Locale, sight: &Sight) -> Option<String> {
    let lang = locale.lang;
    if let Some(text) = exposed(locale, sight) {
        return Some(text);
    }
    let question = sight.asked_now().and_then(|at| sight.questions.get(at));
    // What others are asked is no question where this player is asked something else.
    if let Some(offer) = &sight.offer
        && (sight.view.my_turn().is_some() || question.is_none())
    {
        return Some(offer.clone());
    }
    if let Some(turn) = sight.view.my_turn() {
        let asked = |kind| turn.find(kind).is_some();
        if asked(MoveKind::Lift) {
            return Some(m::ask_lift(lang));
        }
        if asked(MoveKind::Cut) {
            return Some(m::ask_cut(lang));
        }
        if asked(MoveKind::StayOut) {
            return Some(m::ask_enter(lang));
        }
        if asked(MoveKind::Split) {
            return Some(m::of_split(lang));
        }
        if asked(MoveKind::Keep) {
            return Some(m::of_exposed(lang));
        }
        if asked(MoveKind::Accept) {
            // Somebody else's answer may have ended the proposal, but not what is asked here.
            if let Some(offer) = &sight.last_offer {
                return Some(offer.clone());
            }
        }
        let stack = sight.view.my_seat().map_or(0, |seat| seat.stack);
        return Some(m::your_word_with(lang, stack));
    }
    question.map(|question| match question {
        Question::Admit { name, fingerprint, .. } => {
            m::q_admit(lang, name.as_str(), fingerprint.as_str())
        }
        Question::Unfreeze { seat } => m::of_unfreeze(lang, sight.view.name(lang, *seat)),
        Question::Rules { changes, .. } => changes.clone(),
        Question::Divide { line } => line.clone(),
    })
}

fn answers(lang: Lang, _: &Sight, question: &Question) -> [Choice; 2] {
    let command = match question {
        Question::Admit { key, .. } => Command::Admit { key: key.clone() },
        Question::Unfreeze { seat } => Command::Unfreeze { seat: *seat },
        Question::Rules { .. } => Command::AgreeRules { yes: true },
        Question::Divide { .. } => Command::Divide { yes: true },
    };
    let yes = Choice {
        act: Act::Move(MoveKind::Accept),
        how: How::Now(command),
        // It may stand below one's own moves, without the question.
        label: match question {
            Question::Divide { .. } => m::do_split(lang),
            _ => m::do_yes(lang),
        },
        then: String::new(),
        cost: 0,
    };
    let no = Choice {
        act: Act::Move(MoveKind::Refuse),
        how: match question {
            Question::Rules { .. } => How::Now(Command::AgreeRules { yes: false }),
            Question::Divide { .. } => How::Now(Command::Divide { yes: false }),
            _ => How::Dismiss,
        },
        label: match question {
            Question::Admit { .. } | Question::Unfreeze { .. } => m::do_not_now(lang),
            Question::Divide { .. } => m::do_no_split(lang),
            Question::Rules { .. } => m::do_no(lang),
        },
        then: String::new(),
        cost: 0,
    };
    [yes, no]
}

/// What this seat would have and the bank would hold after paying.
fn after(lang: Lang, sight: &Sight, cost: Chips) -> String {
    let stack = sight.view.my_seat().map_or(0, |seat| seat.stack);
    m::then_paid(lang, stack.saturating_sub(cost), sight.view.bank.saturating_add(cost))
}

fn of_move(lang: Lang, sight: &Sight, legal: LegalMove) -> Vec<Choice> {
    let kind = legal.kind;
    let (min, max) = (legal.min.unwrap_or(0), legal.max.unwrap_or(legal.min.unwrap_or(0)));
    let act = Act::Move(kind);
    let choice = |act, how, label, then, cost| Choice { act, how, label, then, cost };
    let now = |step: Move, label, then, cost| {
        vec![choice(act, How::Now(Command::Move(step)), label, then, cost)]
    };
    let number = |act, least, label, then| {
        choice(act, How::Number { kind, min: least, max }, label, then, 0)
    };
    let none = String::new;
    match kind {
        MoveKind::Bet => {
            let call = How::Now(Command::Move(Move::Bet(min)));
            let mut all =
                vec![choice(Act::Call, call, m::do_call(lang, min), after(lang, sight, min), min)];
            if max > min {
                let label = m::do_raise(lang, min + 1, max);
                all.push(number(Act::Raise, min + 1, label, m::then_raise(lang)));
            }
            all
        }
        MoveKind::Dark => {
            vec![number(act, min, m::do_dark(lang, min, max), m::then_dark(lang))]
        }
        MoveKind::Compare => {
            let price = sight.view.turn.as_ref().and_then(|turn| turn.price);
            let price = price.and_then(|price| price.compare).unwrap_or(0);
            let with = neighbour(sight).map(|seat| sight.view.name(lang, seat));
            let label = m::do_compare(lang, price, with.unwrap_or_else(|| "none".to_owned()));
            now(Move::Compare, label, after(lang, sight, price), price)
        }
        MoveKind::Fold => now(Move::Fold, m::do_fold(lang), m::then_fold(lang, sight.paid), 0),
        MoveKind::Look => now(Move::Look, m::do_look(lang), m::then_free(lang), 0),
        MoveKind::Redeal => now(Move::Redeal, m::do_redeal(lang), m::then_free(lang), 0),
        MoveKind::Boil => now(Move::Boil, m::do_boil(lang), m::then_boil(lang), 0),
        MoveKind::Accept => now(Move::Accept, m::do_yes(lang), none(), 0),
        MoveKind::Refuse => now(Move::Refuse, m::do_no(lang), none(), 0),
        MoveKind::Split => now(Move::Split, m::do_split(lang), none(), 0),
        MoveKind::NoSplit => now(Move::NoSplit, m::do_no_split(lang), none(), 0),
        MoveKind::Enter => {
            let mine = sight.view.me.is_some_and(|me| sight.view.svara.contains(&me));
            let price = if mine { 0 } else { sight.entry.unwrap_or(0) };
            let then = if price == 0 { m::then_free(lang) } else { after(lang, sight, price) };
            now(Move::Enter, m::do_enter(lang, price), then, price)
        }
        MoveKind::StayOut => now(Move::StayOut, m::do_stay_out(lang), none(), 0),
        MoveKind::Ante => {
            let ante = sight.view.rules.as_ref().map_or(0, |rules| rules.ante);
            now(Move::Ante, m::do_ante(lang, ante), after(lang, sight, ante), ante)
        }
        MoveKind::Omit => now(Move::Omit, m::do_omit(lang), none(), 0),
        MoveKind::Keep => now(Move::Keep, m::do_keep(lang), none(), 0),
        MoveKind::Cut => vec![number(act, min, m::do_cut(lang, min, max), none())],
        MoveKind::Lift => vec![number(act, min, m::do_lift(lang, min, max), none())],
        MoveKind::Replace => {
            vec![number(act, min, m::do_replace(lang, not_dealt(min, max)), none())]
        }
        MoveKind::Expose => {
            let from = u8::try_from(min).unwrap_or(u8::MAX);
            let to = u8::try_from(max).unwrap_or(u8::MAX);
            let limited = legal.min.is_some();
            let seats = sight
                .view
                .active()
                .filter(|seat| !limited || (Seat(from)..=Seat(to)).contains(seat))
                .collect();
            let label = m::do_expose(lang, "theirs");
            vec![choice(act, How::Player { kind, seats }, label, none(), 0)]
        }
        MoveKind::Pool | MoveKind::Pact => {
            let seats = sight
                .view
                .seats
                .keys()
                .copied()
                .filter(|seat| Some(*seat) != sight.view.me)
                .filter(|seat| kind == MoveKind::Pact || !sight.view.svara.contains(seat))
                .collect();
            let (label, then) = if kind == MoveKind::Pool {
                (m::do_pool(lang), none())
            } else {
                (m::do_pact(lang), m::then_pact(lang))
            };
            vec![choice(act, How::Player { kind, seats }, label, then, 0)]
        }
    }
}

/// The nearest player on the right who is still in: whom one compares with.
pub(super) fn neighbour(sight: &Sight) -> Option<Seat> {
    let me = sight.view.me?;
    let active: Vec<Seat> = sight.view.active().filter(|seat| *seat != me).collect();
    active.iter().rev().find(|seat| **seat < me).or(active.last()).copied()
}

/// Places in a deck to choose from without thinking.
pub(super) fn usual(kind: MoveKind, min: u64, max: u64) -> u64 {
    match kind {
        MoveKind::Cut | MoveKind::Lift | MoveKind::Replace => min + (max - min.min(max)) / 2,
        _ => min,
    }
}
