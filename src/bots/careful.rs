//! The careful bot: it looks, counts, and pays only for chances that are worth it.

use super::chance::Chance;
use super::chores;
use super::met::Branch;
use super::mind::Mind;
use crate::event::{Move, MoveKind, OfferKind};

/// The move of its turn; nothing while its cards are on their way.
pub(super) fn choose(mind: &Mind<'_>) -> Option<Move> {
    let view = mind.view;
    if mind.open(MoveKind::Look) && view.cards().is_none() {
        return Some(Move::Look);
    }
    if view.awaits_cards() {
        return None;
    }
    if mind.open(MoveKind::Redeal) && view.holds_three_tens() {
        return Some(Move::Redeal);
    }
    answer(mind).or_else(|| bet(mind))
}

/// Questions that are no bets.
fn answer(mind: &Mind<'_>) -> Option<Move> {
    let view = mind.view;
    if mind.open(MoveKind::Accept) || mind.open(MoveKind::Refuse) {
        let accepts = match view.offer() {
            Some(OfferKind::Boil) => view.chance(1) < boils_below(mind),
            Some(OfferKind::ThreeTens) => view.holds_three_tens(),
            // Half of what either takes, for less of a risk.
            Some(OfferKind::Pact) => true,
            Some(OfferKind::Pool) => mind.wants(Branch::Pool) || mind.entry_is_worth(),
            _ => false,
        };
        let wanted = if accepts { Move::Accept } else { Move::Refuse };
        return mind.if_open(wanted).or_else(|| mind.first_open([Move::Refuse]));
    }
    if mind.open(MoveKind::Split) {
        return Some(Move::Split);
    }
    if mind.open(MoveKind::Enter) || mind.open(MoveKind::StayOut) {
        return entry(mind);
    }
    // Worse than even against the last other: rather a new deal.
    chores::answer(mind)
        .or_else(|| (view.chance(1) < boils_below(mind)).then_some(Move::Boil))
        .filter(|step| mind.open(step.kind()))
}

/// A new deal is even; where nobody has boiled yet a little more is given for it.
fn boils_below(mind: &Mind<'_>) -> Chance {
    if mind.wants(Branch::Boil) { Chance::thousandths(750) } else { Chance::EVEN }
}

/// A new hand is as good as any other's: the bank has to be worth the entry.
fn entry(mind: &Mind<'_>) -> Option<Move> {
    let view = mind.view;
    if view.is_initiator() {
        let partner = view.pact_partners().first().copied();
        if let Some(partner) = partner.filter(|_| mind.may_pact && mind.open(MoveKind::Pact)) {
            return Some(Move::Pact(partner));
        }
        return mind.first_open([Move::Enter, Move::StayOut]);
    }
    let new = if view.is_newcomer() { Branch::Newcomer } else { Branch::Entry };
    let affords = view.entry() <= view.stack() / 2;
    if mind.entry_is_worth() || (mind.wants(new) && affords) {
        return mind.if_open(Move::Enter).or_else(|| mind.pool()).or(Some(Move::StayOut));
    }
    if mind.wants(Branch::Pool)
        && let Some(pool) = mind.pool()
    {
        return Some(pool);
    }
    mind.first_open([Move::StayOut])
}

/// Betting.
fn bet(mind: &Mind<'_>) -> Option<Move> {
    let bank = mind.view.table().bank;
    let opponents = mind.view.opponents().max(1);
    let (all, one) = mind.chances();
    let compare = mind.compare_cost();
    if let Some(cost) = compare {
        let ahead = one >= Chance::EVEN;
        if ahead || (opponents == 1 && one.is_worth(cost, bank)) {
            return Some(Move::Compare);
        }
    }
    if let Some((price, most)) = mind.limits(MoveKind::Bet)
        && (opponents > 1 || compare.is_none())
        && all.is_worth(price, bank)
    {
        let raises = all > Chance::EVEN && compare.is_none();
        let wants = if raises { price.saturating_mul(2) } else { price };
        return Some(Move::Bet(wants.clamp(price, most)));
    }
    chores::fold_or_least(mind)
}
