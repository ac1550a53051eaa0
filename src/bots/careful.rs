//! The careful bot: it looks, counts, and pays only for chances that are worth it.

use super::chance::Chance;
use super::view::BotView;
use crate::event::{Move, MoveKind, OfferKind};
use crate::rules::{Chips, rank};
use crate::screens::view::TurnView;

/// The move of its turn; nothing while its cards are on their way.
pub(super) fn choose(view: &BotView) -> Option<Move> {
    let turn = view.table().my_turn()?;
    let open = |kind| turn.find(kind).is_some();
    if open(MoveKind::Look) && view.cards().is_none() {
        return Some(Move::Look);
    }
    if view.awaits_cards() {
        return None;
    }
    if open(MoveKind::Redeal) && holds_three_tens(view) {
        return Some(Move::Redeal);
    }
    answer(view, turn).or_else(|| bet(view, turn))
}

/// Three tens count ten: a new deal is better than that.
fn holds_three_tens(view: &BotView) -> bool {
    let rules = view.table().rules.as_deref();
    let rank = rules.zip(view.cards()).and_then(|(rules, cards)| rank(rules, cards).ok());
    rank.is_some_and(|rank| rank.three_tens)
}

/// The chance that one other hand is lower. An unseen hand is like any other.
fn against_one(view: &BotView) -> Chance {
    let rules = view.table().rules.as_deref();
    rules
        .zip(view.cards())
        .and_then(|(rules, cards)| Chance::of_beating_one(rules, cards, view.shown()))
        .unwrap_or(Chance::EVEN)
}

/// Questions that are no bets.
fn answer(view: &BotView, turn: &TurnView) -> Option<Move> {
    let open = |kind| turn.find(kind).is_some();
    let middle = |kind| {
        let limits = turn.find(kind)?;
        let (min, max) = (limits.min?, limits.max?);
        Some(min + max.saturating_sub(min) / 2)
    };
    if open(MoveKind::Accept) || open(MoveKind::Refuse) {
        let accepts = match view.offer() {
            Some(OfferKind::Boil) => against_one(view) < Chance::EVEN,
            Some(OfferKind::ThreeTens) => holds_three_tens(view),
            _ => false,
        };
        return match accepts && open(MoveKind::Accept) {
            true => Some(Move::Accept),
            false => open(MoveKind::Refuse).then_some(Move::Refuse),
        };
    }
    if open(MoveKind::Split) {
        return Some(Move::Split);
    }
    if open(MoveKind::Enter) || open(MoveKind::StayOut) {
        return entry(view, turn);
    }
    if open(MoveKind::Ante) {
        return Some(Move::Ante);
    }
    if open(MoveKind::Keep) {
        return Some(Move::Keep);
    }
    if let Some(at) = middle(MoveKind::Cut) {
        return Some(Move::Cut(at));
    }
    if let Some(at) = turn.find(MoveKind::Lift).and_then(|limits| limits.min) {
        return Some(Move::Lift(at));
    }
    // Worse than even against the last other: rather a new deal.
    (open(MoveKind::Boil) && against_one(view) < Chance::EVEN).then_some(Move::Boil)
}

/// A new hand is as good as any other's: the bank has to be worth the entry.
fn entry(view: &BotView, turn: &TurnView) -> Option<Move> {
    let inside = u64::try_from(view.table().svara.len()).unwrap_or(u64::MAX);
    let chance = Chance::one_of(inside.saturating_add(1));
    let worth = chance.is_worth(view.entry(), view.table().bank);
    match worth && turn.find(MoveKind::Enter).is_some() {
        true => Some(Move::Enter),
        false => turn.find(MoveKind::StayOut).map(|_| Move::StayOut),
    }
}

/// Betting. An opponent that stayed through so many of its payments is taken for the best of as
/// many hands, so every circle asks for better cards and every hand comes to an end.
fn bet(view: &BotView, turn: &TurnView) -> Option<Move> {
    let bank = view.table().bank;
    let strength = view.payments().saturating_add(1);
    let opponents = view.opponents().max(1);
    let one = against_one(view).times(strength);
    let all = one.times(opponents);
    let compare = turn.find(MoveKind::Compare).and_then(|_| turn.price?.compare);

    if let Some(cost) = compare {
        let ahead = one >= Chance::EVEN;
        if ahead || (opponents == 1 && one.is_worth(cost, bank)) {
            return Some(Move::Compare);
        }
    }
    let stay = turn.find(MoveKind::Bet).and_then(|limits| limits.min.zip(limits.max));
    if let Some((price, most)) = stay
        && (opponents > 1 || compare.is_none())
        && all.is_worth(price, bank)
    {
        let raises = all > Chance::EVEN && compare.is_none();
        let wants = if raises { price.saturating_mul(2) } else { price };
        return Some(Move::Bet(wants.clamp(price, most)));
    }
    fold_or_least(turn, stay)
}

/// Folds; where folding is not open, pays the least.
fn fold_or_least(turn: &TurnView, stay: Option<(Chips, Chips)>) -> Option<Move> {
    if turn.find(MoveKind::Fold).is_some() {
        return Some(Move::Fold);
    }
    if let Some(step) = super::give_up(&turn.legal) {
        return Some(step);
    }
    stay.map(|(price, _)| Move::Bet(price))
        .or_else(|| turn.find(MoveKind::Compare).map(|_| Move::Compare))
}
