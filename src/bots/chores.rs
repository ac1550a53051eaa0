//! What everybody who plays with thought answers alike.

use super::chance::Chance;
use super::mind::Mind;
use crate::event::{Move, MoveKind};

/// Antes, cuts, lifts, exposed cards.
pub(super) fn answer(mind: &Mind<'_>) -> Option<Move> {
    let middle = |kind| mind.limits(kind).map(|(min, max)| min + (max - min) / 2);
    if mind.open(MoveKind::Ante) {
        return Some(Move::Ante);
    }
    if let Some(at) = middle(MoveKind::Cut) {
        return Some(Move::Cut(at));
    }
    if let Some((least, _)) = mind.limits(MoveKind::Lift) {
        return Some(Move::Lift(least));
    }
    if mind.open(MoveKind::Keep) {
        // Another card is as good as any: worse than that is to be replaced.
        let poor = mind.view.exposed_chance() < Chance::EVEN;
        let place = middle(MoveKind::Replace).filter(|_| poor);
        return Some(place.map_or(Move::Keep, Move::Replace));
    }
    None
}

/// Folds; where folding is not open, pays the least.
pub(super) fn fold_or_least(mind: &Mind<'_>) -> Option<Move> {
    super::give_up(&mind.turn.legal)
        .or_else(|| mind.limits(MoveKind::Bet).map(|(price, _)| Move::Bet(price)))
        .or_else(|| mind.if_open(Move::Compare))
}
