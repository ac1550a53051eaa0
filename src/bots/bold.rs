//! The bold bot: it plays dark, raises, bluffs now and then, and likes a svara.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::chance::Chance;
use super::chores;
use super::met::Branch;
use super::mind::Mind;
use crate::event::{Move, MoveKind, OfferKind};
use crate::rules::Chips;

/// It stays dark while the price is not above this part of its chips.
const DARK_PART: Chips = 8;
/// It bluffs once in so many times, and while the price is not above this part of its chips.
const BLUFFS_ONE_IN: u32 = 8;
const BLUFF_PART: Chips = 10;
/// The most payments of a deal for which it bluffs or stays dark.
const MOST_BLIND: u32 = 2;

/// The move of its turn; nothing while its cards are on their way.
pub(super) fn choose(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    let view = mind.view;
    if let Some(dark) = go_dark(mind, rng) {
        return Some(dark);
    }
    if mind.open(MoveKind::Look) && view.cards().is_none() && !stays_dark(mind) {
        return Some(Move::Look);
    }
    if view.awaits_cards() {
        return None;
    }
    if mind.open(MoveKind::Redeal) && view.holds_three_tens() {
        return Some(Move::Redeal);
    }
    answer(mind).or_else(|| bet(mind, rng))
}

/// One or two of the least dark bets, mostly.
fn go_dark(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    let (least, most) = mind.limits(MoveKind::Dark)?;
    let wants = mind.wants(Branch::Dark) || mind.wants(Branch::Overdark);
    if !wants && rng.random_range(0..4) == 0 {
        return None;
    }
    let raises = !wants && rng.random();
    let amount = if raises { least.saturating_mul(2) } else { least };
    Some(Move::Dark(amount.clamp(least, most)))
}

/// Dark and cheap: there is no hurry to look.
fn stays_dark(mind: &Mind<'_>) -> bool {
    let price = mind.turn.price.map_or(0, |price| price.pass);
    mind.view.is_dark()
        && mind.view.payments() <= MOST_BLIND
        && price.saturating_mul(DARK_PART) <= mind.view.stack()
}

/// Questions that are no bets.
fn answer(mind: &Mind<'_>) -> Option<Move> {
    let view = mind.view;
    if mind.open(MoveKind::Accept) || mind.open(MoveKind::Refuse) {
        let accepts = match view.offer() {
            Some(OfferKind::Boil) => view.chance(1) < Chance::EVEN || mind.wants(Branch::Boil),
            Some(OfferKind::ThreeTens) => view.holds_three_tens(),
            Some(OfferKind::Pact) => mind.wants(Branch::Pact),
            Some(OfferKind::Pool) => {
                let part = view.pool_part().unwrap_or(Chips::MAX);
                mind.wants(Branch::Pool) || part <= view.stack() / 2
            }
            _ => false,
        };
        let wanted = if accepts { Move::Accept } else { Move::Refuse };
        return mind.if_open(wanted).or_else(|| mind.first_open([Move::Refuse]));
    }
    if mind.open(MoveKind::Split) || mind.open(MoveKind::NoSplit) {
        let wanted = if mind.wants(Branch::Split) { Move::Split } else { Move::NoSplit };
        return mind.if_open(wanted).or_else(|| mind.first_open([Move::Split, Move::NoSplit]));
    }
    if mind.open(MoveKind::Enter) || mind.open(MoveKind::StayOut) {
        return entry(mind);
    }
    let boils = view.chance(1) < Chance::EVEN || mind.wants(Branch::Boil);
    chores::answer(mind)
        .or_else(|| boils.then_some(Move::Boil))
        .filter(|step| mind.open(step.kind()))
}

/// A svara is what it came for: in for half its chips, or with another.
fn entry(mind: &Mind<'_>) -> Option<Move> {
    let view = mind.view;
    if view.is_initiator() {
        let partner = view.pact_partners().first().copied();
        let pact = mind.may_pact && mind.open(MoveKind::Pact) && mind.wants(Branch::Pact);
        if let Some(partner) = partner.filter(|_| pact) {
            return Some(Move::Pact(partner));
        }
        return mind.first_open([Move::Enter, Move::StayOut]);
    }
    if mind.wants(Branch::Pool)
        && let Some(pool) = mind.pool()
    {
        return Some(pool);
    }
    let new = if view.is_newcomer() { Branch::Newcomer } else { Branch::Entry };
    let likes = view.entry() <= view.stack() / 2 || mind.entry_is_worth() || mind.wants(new);
    if likes && mind.open(MoveKind::Enter) {
        return Some(Move::Enter);
    }
    mind.pool().or_else(|| mind.first_open([Move::StayOut, Move::Enter]))
}

/// Betting: raises where others call, and now and then with nothing.
fn bet(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    let view = mind.view;
    let bank = view.table().bank;
    let opponents = view.opponents().max(1);
    let (all, one) = mind.chances();
    let compare = mind.compare_cost();
    if let Some(cost) = compare {
        let ahead = one >= Chance::thousandths(600);
        let last = opponents == 1 && one.is_worth(cost, bank.saturating_mul(2));
        if ahead || last {
            return Some(Move::Compare);
        }
    }
    if let Some((price, most)) = mind.limits(MoveKind::Bet) {
        let small = price.saturating_mul(BLUFF_PART) <= view.stack();
        let early = view.payments() < MOST_BLIND;
        if all.is_worth(price, bank.saturating_mul(2)) && (opponents > 1 || compare.is_none()) {
            let raise = if all >= Chance::one_of(3) { rng.random_range(2..=3) } else { 1 };
            return Some(Move::Bet(price.saturating_mul(raise).clamp(price, most)));
        }
        if small && early && rng.random_range(0..BLUFFS_ONE_IN) == 0 {
            return Some(Move::Bet(price.saturating_mul(2).clamp(price, most)));
        }
        // In the dark it goes on for as long as it is cheap.
        if view.cards().is_none() && small && early {
            return Some(Move::Bet(price));
        }
    }
    chores::fold_or_least(mind)
}
