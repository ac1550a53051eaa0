//! From what the rules say happened to what players are told.

use crate::event::{Event, LegalMove, Move, MoveKind, Outcome, Price, SeatAmount};
use crate::rules::{self, Action, ActionKind, Chips, CompareResult, DealKind, GameEvent, Seat};
use crate::table::ledger::Core;

/// The events for players, in order; the state is the one after them, the bank the one before.
#[must_use]
pub fn game_events(events: &[GameEvent], core: &Core, mut bank: Chips) -> Vec<Event> {
    let mut told = Vec::new();
    for event in events {
        // Everybody sees the bank as it stood at that moment, also where the hand ended right after.
        match event {
            GameEvent::Anted { amount, .. } => bank = bank.saturating_add(*amount),
            GameEvent::Moved { paid, .. } => bank = bank.saturating_add(*paid),
            _ => {}
        }
        told.extend(game_event(event, core, bank));
    }
    told
}

fn game_event(event: &GameEvent, core: &Core, bank: Chips) -> Vec<Event> {
    let moved =
        |seat: Seat, kind: MoveKind, amount| vec![Event::Moved { seat, kind, amount, bank }];
    match event {
        GameEvent::Dealt { kind: DealKind::First } => {
            let seats = core.seat_infos(core.game.participants().into_iter());
            let dealer = core.game.dealer().unwrap_or(Seat(0));
            vec![Event::Hand { hand: core.hands, dealer, seats, bank }]
        }
        GameEvent::Moved { seat, action, paid } => moved(*seat, kind_of(*action), *paid),
        GameEvent::TimedOut { seat }
        | GameEvent::OutByItself { seat }
        | GameEvent::Gone { seat } => moved(*seat, MoveKind::Fold, 0),
        GameEvent::Compared { caller, target, result } => {
            vec![Event::Compared { caller: *caller, target: *target, result: outcome(*result) }]
        }
        GameEvent::Redeal { holder } => vec![Event::Redeal { seat: *holder }],
        _ => Vec::new(),
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
            ActionKind::Bet | ActionKind::Dark => {
                LegalMove::ranged(action_kind(m.kind), m.min, m.max)
            }
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
