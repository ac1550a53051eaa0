//! From what the rules say happened to what players are told.

use crate::event::{
    AgainReason, Event, LegalMove, Move, MoveKind, OfferKind, Outcome, Price, SeatAmount,
};
use crate::rules::{self, Action, ActionKind, Chips, CompareResult, GameEvent, Phase, Seat};
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
        GameEvent::Moved { seat, action, paid } => moved(*seat, kind_of(*action), *paid),
        GameEvent::PaidFor { dealer, amount, .. } => moved(*dealer, MoveKind::Ante, *amount),
        GameEvent::TimedOut { seat } => {
            let initiator = || core.game.is_active(*seat);
            moved(*seat, silence(before, initiator()), 0)
        }
        GameEvent::OutByItself { seat } | GameEvent::Gone { seat } => {
            moved(*seat, MoveKind::Fold, 0)
        }
        GameEvent::Compared { caller, target, result } => {
            Event::Compared { caller: *caller, target: *target, result: outcome(*result) }
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

fn outcome(result: CompareResult) -> Outcome {
    match result {
        CompareResult::Caller => Outcome::Caller,
        CompareResult::Target => Outcome::Target,
        CompareResult::Tie => Outcome::Tie,
    }
}

/// What a seat has to pay, as players are told.
#[must_use]
pub fn price(price: rules::Price) -> Price {
    Price { pass: price.pass, compare: price.compare }
}

/// The moves that a seat may make, as players are told.
#[must_use]
pub fn legal(moves: &[rules::LegalMove], seat: Seat) -> Vec<LegalMove> {
    moves
        .iter()
        .filter(|m| m.seat == seat)
        .map(|m| match m.kind {
            ActionKind::Bet
            | ActionKind::Dark
            | ActionKind::Lift
            | ActionKind::Replace
            | ActionKind::Expose => LegalMove::ranged(action_kind(m.kind), m.min, m.max),
            kind => LegalMove::plain(action_kind(kind)),
        })
        .collect()
}

/// A player's move as an action of the rules; nothing for moves that no engine knows yet.
#[must_use]
pub fn action(step: &Move) -> Option<Action> {
    let place = |at: u64| u8::try_from(at).ok();
    Some(match step {
        Move::Bet(n) => Action::Bet(*n),
        Move::Dark(n) => Action::Dark(*n),
        Move::Look => Action::Look,
        Move::Fold => Action::Fold,
        Move::Compare => Action::Compare,
        Move::Redeal => Action::Redeal,
        Move::Boil => Action::Boil,
        Move::Accept => Action::Accept,
        Move::Refuse => Action::Refuse,
        Move::Split => Action::Split,
        Move::NoSplit => Action::NoSplit,
        Move::Enter => Action::Enter,
        Move::StayOut => Action::StayOut,
        Move::Cut(at) => Action::Cut(place(*at)?),
        Move::Lift(n) => Action::Lift(place(*n)?),
        Move::Replace(at) => Action::Replace(place(*at)?),
        Move::Ante => Action::Ante,
        Move::Omit => Action::Omit,
        Move::Keep => Action::Keep,
        Move::Expose(seat) => Action::Expose(*seat),
        Move::Pool(_) | Move::Pact(_) => return None,
    })
}

fn kind_of(action: Action) -> MoveKind {
    match action {
        Action::Look => MoveKind::Look,
        Action::Fold => MoveKind::Fold,
        Action::Bet(_) => MoveKind::Bet,
        Action::Dark(_) => MoveKind::Dark,
        Action::Compare => MoveKind::Compare,
        Action::Redeal => MoveKind::Redeal,
        Action::Boil => MoveKind::Boil,
        Action::Accept => MoveKind::Accept,
        Action::Refuse => MoveKind::Refuse,
        Action::Split => MoveKind::Split,
        Action::NoSplit => MoveKind::NoSplit,
        Action::Enter => MoveKind::Enter,
        Action::StayOut => MoveKind::StayOut,
        Action::Ante => MoveKind::Ante,
        Action::Omit => MoveKind::Omit,
        Action::Keep => MoveKind::Keep,
        Action::Replace(_) => MoveKind::Replace,
        Action::Expose(_) => MoveKind::Expose,
        Action::Cut(_) => MoveKind::Cut,
        Action::Lift(_) => MoveKind::Lift,
    }
}

fn action_kind(kind: ActionKind) -> MoveKind {
    match kind {
        ActionKind::Look => MoveKind::Look,
        ActionKind::Fold => MoveKind::Fold,
        ActionKind::Bet => MoveKind::Bet,
        ActionKind::Dark => MoveKind::Dark,
        ActionKind::Compare => MoveKind::Compare,
        ActionKind::Redeal => MoveKind::Redeal,
        ActionKind::Boil => MoveKind::Boil,
        ActionKind::Accept => MoveKind::Accept,
        ActionKind::Refuse => MoveKind::Refuse,
        ActionKind::Split => MoveKind::Split,
        ActionKind::NoSplit => MoveKind::NoSplit,
        ActionKind::Enter => MoveKind::Enter,
        ActionKind::StayOut => MoveKind::StayOut,
        ActionKind::Ante => MoveKind::Ante,
        ActionKind::Omit => MoveKind::Omit,
        ActionKind::Keep => MoveKind::Keep,
        ActionKind::Replace => MoveKind::Replace,
        ActionKind::Expose => MoveKind::Expose,
        ActionKind::Cut => MoveKind::Cut,
        ActionKind::Lift => MoveKind::Lift,
    }
}
