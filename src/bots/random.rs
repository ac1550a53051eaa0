//! The random bot: anything legal, by lot, weighted so that hands end and rare moves happen.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::view::BotView;
use crate::event::{LegalMove, Move, MoveKind};
use crate::rules::Seat;

/// How much likelier a move is that has not been seen yet.
const UNMET: u32 = 4;

/// The move of its turn; nothing while its cards are on their way.
pub(super) fn choose(view: &BotView, rng: &mut ChaCha12Rng) -> Option<Move> {
    let turn = view.table().my_turn()?;
    if view.awaits_cards() {
        return None;
    }
    let weighted: Vec<(LegalMove, u32)> = turn
        .legal
        .iter()
        .filter(|legal| is_possible(view, **legal))
        .map(|legal| {
            let likelier = if view.has_met(legal.kind) { 1 } else { UNMET };
            (*legal, weight(legal.kind) * likelier)
        })
        .collect();
    let total: u32 = weighted.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return None;
    }
    let mut drawn = rng.random_range(0..total);
    let (legal, _) = weighted.iter().find(|(_, weight)| match drawn.checked_sub(*weight) {
        Some(rest) => {
            drawn = rest;
            false
        }
        None => true,
    })?;
    with_number(view, *legal, rng)
}

/// Comparing and folding end hands, raising shortens them; calling alone would go on for ever.
const fn weight(kind: MoveKind) -> u32 {
    match kind {
        MoveKind::Ante => 20,
        MoveKind::Bet => 12,
        MoveKind::Compare => 10,
        MoveKind::Dark => 6,
        MoveKind::Redeal => 4,
        MoveKind::Fold
        | MoveKind::Look
        | MoveKind::Accept
        | MoveKind::StayOut
        | MoveKind::Cut
        | MoveKind::Lift
        | MoveKind::Keep
        | MoveKind::Replace => 3,
        MoveKind::Boil
        | MoveKind::Refuse
        | MoveKind::Split
        | MoveKind::NoSplit
        | MoveKind::Enter => 2,
        MoveKind::Omit | MoveKind::Expose | MoveKind::Pact => 1,
        // A pool has to be talked over.
        MoveKind::Pool => 0,
    }
}

/// Moves that need somebody else are possible only if there is somebody.
fn is_possible(view: &BotView, legal: LegalMove) -> bool {
    match legal.kind {
        MoveKind::Pact => !view.others(true).is_empty(),
        MoveKind::Expose => !view.others(false).is_empty(),
        _ => true,
    }
}

fn with_number(view: &BotView, legal: LegalMove, rng: &mut ChaCha12Rng) -> Option<Move> {
    let min = legal.min.unwrap_or(0);
    let max = legal.max.unwrap_or(min).max(min);
    let mut any = || rng.random_range(min..=max);
    Some(match legal.kind {
        MoveKind::Cut => Move::Cut(any()),
        MoveKind::Lift => Move::Lift(any()),
        MoveKind::Replace => Move::Replace(any()),
        MoveKind::Bet => Move::Bet(amount(min, max, 12, rng)),
        MoveKind::Dark => Move::Dark(amount(min, max, 2, rng)),
        MoveKind::Expose => Move::Expose(pick(&view.others(false), rng)?),
        MoveKind::Pact => Move::Pact(pick(&view.others(true), rng)?),
        MoveKind::Look => Move::Look,
        MoveKind::Fold => Move::Fold,
        MoveKind::Compare => Move::Compare,
        MoveKind::Redeal => Move::Redeal,
        MoveKind::Boil => Move::Boil,
        MoveKind::Accept => Move::Accept,
        MoveKind::Refuse => Move::Refuse,
        MoveKind::Split => Move::Split,
        MoveKind::NoSplit => Move::NoSplit,
        MoveKind::Enter => Move::Enter,
        MoveKind::StayOut => Move::StayOut,
        MoveKind::Ante => Move::Ante,
        MoveKind::Omit => Move::Omit,
        MoveKind::Keep => Move::Keep,
        MoveKind::Pool => return None,
    })
}

/// The least, and once in `rarely` times more: up to twice as much.
fn amount(min: u64, max: u64, rarely: u32, rng: &mut ChaCha12Rng) -> u64 {
    if min == max || rng.random_range(0..rarely) > 0 {
        return min;
    }
    let most = max.min(min.saturating_mul(2).max(min.saturating_add(1)));
    rng.random_range(min.saturating_add(1)..=most)
}

fn pick(seats: &[Seat], rng: &mut ChaCha12Rng) -> Option<Seat> {
    if seats.is_empty() {
        return None;
    }
    seats.get(rng.random_range(0..seats.len())).copied()
}
