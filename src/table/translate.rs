//! From what the rules say happened to what players are told.

use crate::event::{AgainReason, Event, LegalMove, MoveKind, OfferKind, SeatAmount};
use crate::rules::{self, Chips, GameEvent, Phase, Seat};
use crate::table::ledger::Core;

/// The events for players, in order; the state is the one after them, bank and phase the ones before.
#[must_use]
pub fn game_events(
    events: &[GameEvent],
    core: &Core,
    mut bank: Chips,
    before: &Phase,
) -> Vec<Event> {
    let mut told = Vec::new();
    for event in events {
        // Everybody sees the bank as it stood at that moment, also where the hand ended right after.
        match event {
            GameEvent::Anted { amount, .. } | GameEvent::PaidFor { amount, .. } => {
                bank = bank.saturating_add(*amount);
            }
            GameEvent::Returned { amount, .. } => bank = bank.saturating_sub(*amount),
            GameEvent::Moved { paid, .. } => bank = bank.saturating_add(*paid),
            GameEvent::Pooled { parts, .. } => {
                bank = parts.values().fold(bank, |sum, part| sum.saturating_add(*part));
            }
            _ => {}
        }
        told.extend(game_event(event, core, bank, before));
    }
    told.extend(question(core, before));
    told
}

/// What the rules ask now, where they asked something else before.
fn question(core: &Core, before: &Phase) -> Option<Event> {
    let phase = core.game.phase();
    if before == phase {
        return None;
    }
    let offer = |kind, from, to| Event::Offer {
        kind,
        from,
        to,
        shares: Vec::new(),
        key: None,
        name: None,
        rules: None,
    };
    Some(match phase {
        Phase::Boil { asker, asked } => offer(OfferKind::Boil, Some(*asker), vec![*asked]),
        Phase::ThreeTens { caller, target } => {
            offer(OfferKind::ThreeTens, None, vec![*caller, *target])
        }
        Phase::SvaraSplit => offer(OfferKind::Split, None, core.game.awaited()),
        Phase::Exposed { seat } => offer(OfferKind::Exposed, None, vec![*seat]),
        _ => return None,
    })
}

fn game_event(event: &GameEvent, core: &Core, bank: Chips, before: &Phase) -> Option<Event> {
    let moved = |seat: Seat, kind: MoveKind, amount| Event::Moved { seat, kind, amount, bank };
    Some(match event {
        GameEvent::Dealt { .. } => {
            let seats = core.seat_infos(core.game.participants().into_iter());
            let dealer = core.game.dealer().unwrap_or(Seat(0));
            Event::Hand { hand: core.hands, dealer, seats, bank }
        }
        GameEvent::Moved { seat, action, paid } => moved(*seat, action.kind().into(), *paid),
        GameEvent::PaidFor { dealer, amount, .. } => moved(*dealer, MoveKind::Ante, *amount),
        GameEvent::TimedOut { seat } => {
            let initiator = || core.game.is_active(*seat);
            moved(*seat, silence(before, initiator()), 0)
        }
        GameEvent::OutByItself { seat } | GameEvent::Gone { seat } => {
            moved(*seat, MoveKind::Fold, 0)
        }
        GameEvent::Compared { caller, target, result } => {
            Event::Compared { caller: *caller, target: *target, result: (*result).into() }
        }
        GameEvent::Redeal { holder } => Event::Redeal { seat: *holder },
        GameEvent::Lifted { seat, cards } => Event::Lifted { seat: *seat, cards: cards.clone() },
        GameEvent::Svara { seats, played, .. } => {
            Event::Svara { seats: seats.clone(), bank, entry: *played }
        }
        GameEvent::Pooled { holder, parts } => {
            let amount =
                |(seat, amount): (&Seat, &Chips)| SeatAmount { seat: *seat, amount: *amount };
            let (first, rest): (Vec<_>, Vec<_>) =
                parts.iter().partition(|(seat, _)| *seat == holder);
            let partners = first.into_iter().chain(rest).map(amount).collect();
            Event::Pool { holder: *holder, partners }
        }
        GameEvent::Pact { seats } => Event::Pact { seats: seats.to_vec() },
        GameEvent::ChoiceAgain { .. } => {
            let (hand, deal) = (core.hands, core.deals);
            Event::DealAgain { hand, deal, reason: AgainReason::Tied }
        }
        _ => return None,
    })
}

/// What silence means where something was asked.
fn silence(asked: &Phase, still_in: bool) -> MoveKind {
    match asked {
        Phase::SvaraEntry if still_in => MoveKind::Enter,
        Phase::SvaraEntry => MoveKind::StayOut,
        Phase::SvaraSplit => MoveKind::NoSplit,
        Phase::Boil { .. } | Phase::ThreeTens { .. } => MoveKind::Refuse,
        Phase::MissingAnte => MoveKind::Omit,
        Phase::Exposed { .. } => MoveKind::Keep,
        Phase::DealerChoice { .. } => MoveKind::Lift,
        _ => MoveKind::Fold,
    }
}

/// Who takes how much, where a hand ended.
#[must_use]
pub fn winners(events: &[GameEvent]) -> Vec<SeatAmount> {
    events
        .iter()
        .filter_map(|e| match e {
            GameEvent::Over { result } => Some(&result.paid),
            _ => None,
        })
        .flatten()
        .map(|(seat, amount)| SeatAmount { seat: *seat, amount: *amount })
        .collect()
}

/// The moves that a seat may make, as players are told.
#[must_use]
pub fn legal(moves: &[rules::LegalMove], seat: Seat) -> Vec<LegalMove> {
    moves.iter().filter(|m| m.seat == seat).map(|m| LegalMove::from(*m)).collect()
}
