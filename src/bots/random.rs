//! The random bot: anything legal, by lot, weighted so that hands end; what this evening has not
//! come through yet it steers for.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::met::Branch;
use super::mind::Mind;
use crate::event::{LegalMove, Move, MoveKind, OfferKind};
use crate::rules::{Chips, Seat};

/// How many hands it plays before it leaves one out so that there is a newcomer.
pub(super) const HANDS_BEFORE_SITTING_OUT: u64 = 4;
/// How many others have to be there for that.
pub(super) const COMPANY_TO_SIT_OUT: usize = 3;
/// It does so before one hand in so many.
pub(super) const SITS_OUT_ONE_IN: u32 = 6;

/// How many hands a missing svara is steered for before high bets are, which make it dear.
const CHEAP_HANDS: u64 = 16;

/// The move of its turn; nothing while its cards are on their way.
pub(super) fn choose(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    if mind.view.awaits_cards() {
        return None;
    }
    answer(mind, rng)
        .or_else(|| steer(mind, rng))
        .filter(|step| mind.open(step.kind()))
        .or_else(|| by_lot(mind, rng))
}

/// What it does besides another's turn, if anything.
pub(super) fn besides(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    let rarely = if mind.wants(Branch::Exposed) { 2 } else { 12 };
    if mind.open(MoveKind::Expose) && rng.random_range(0..rarely) == 0 {
        return pick(&mind.view.unexposed(), rng).map(Move::Expose);
    }
    let looks = mind.open(MoveKind::Look) && mind.view.is_dark() && rng.random_range(0..10) == 0;
    looks.then_some(Move::Look)
}

/// Questions that are no bets, where it has a wish.
fn answer(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    let view = mind.view;
    if mind.open(MoveKind::Accept) {
        let wanted = match view.offer() {
            Some(OfferKind::Boil) => mind.wants_svara(),
            Some(OfferKind::Pool) => mind.wants(Branch::Pool),
            Some(OfferKind::Pact) => mind.wants(Branch::Pact),
            _ => false,
        };
        return wanted.then_some(Move::Accept);
    }
    if mind.open(MoveKind::Split) || mind.open(MoveKind::NoSplit) {
        return match (mind.wants(Branch::Split), mind.wants_svara()) {
            (true, _) => Some(Move::Split),
            (false, true) => Some(Move::NoSplit),
            (false, false) => None,
        };
    }
    if mind.open(MoveKind::Enter) || mind.open(MoveKind::StayOut) {
        return entry(mind, rng);
    }
    None
}

/// Into a svara, alone, with another, or bound to another: what is missing first.
fn entry(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    let view = mind.view;
    let pact = mind.may_pact && mind.open(MoveKind::Pact);
    if pact && (mind.wants(Branch::Pact) || rng.random_range(0..6) == 0) {
        let partner = pick(&view.pact_partners(), rng);
        if partner.is_some() {
            return partner.map(Move::Pact);
        }
    }
    if view.is_initiator() {
        return (mind.wants_svara() || rng.random_range(0..5) > 0).then_some(Move::Enter);
    }
    let new = if view.is_newcomer() { Branch::Newcomer } else { Branch::Entry };
    if new == Branch::Newcomer && mind.wants(new) && mind.open(MoveKind::Enter) {
        return Some(Move::Enter);
    }
    if mind.wants(Branch::Pool) || rng.random_range(0..6) == 0 {
        let pool = mind.pool();
        if pool.is_some() {
            return pool;
        }
    }
    mind.wants(new).then_some(Move::Enter)
}

/// Bets and what belongs to them, towards what is missing.
fn steer(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    let view = mind.view;
    mind.turn.price?;
    if mind.open(MoveKind::Redeal) && view.holds_three_tens() && mind.wants(Branch::Redeal) {
        return Some(Move::Redeal);
    }
    let stay = mind.limits(MoveKind::Bet);
    let dark = [Branch::Dark, Branch::Overdark, Branch::KnockOut];
    if let Some((least, _)) = mind.limits(MoveKind::Dark)
        && view.wants_any(&dark)
    {
        return Some(Move::Dark(least));
    }
    if let (Some((price, most)), Some(level)) = (stay, view.met().halved())
        && mind.wants(Branch::KnockOut)
        && !view.is_dark()
    {
        let above = level.saturating_mul(2).saturating_add(1);
        if (price..=most).contains(&above) {
            return Some(Move::Bet(above));
        }
    }
    let natural = [Branch::Split, Branch::Svara, Branch::Entry];
    if view.somebody_tied() && view.wants_any(&natural) {
        // The tied stay and the others leave, until all that are left are tied.
        return match view.is_tied() {
            true => stay.map(|(price, _)| Move::Bet(price)),
            false => Some(Move::Fold),
        };
    }
    if mind.open(MoveKind::Boil) && mind.wants_svara() {
        return Some(Move::Boil);
    }
    // Three tens have to be seen to be laid open.
    if mind.open(MoveKind::Look) && view.cards().is_none() && mind.wants(Branch::Redeal) {
        return Some(Move::Look);
    }
    let comparing = [Branch::Tie, Branch::Compare, Branch::Split];
    if let Some(cost) = mind.compare_cost()
        && view.wants_any(&comparing)
        && cost <= view.stack() / 2
        && rng.random_range(0..4) > 0
    {
        return Some(Move::Compare);
    }
    let (price, most) = stay?;
    let boils = view.rules().is_some_and(|rules| rules.boil.is_on());
    let cheap = boils && mind.wants_svara() && view.hands() <= CHEAP_HANDS;
    if mind.wants(Branch::ShortStack) && !cheap && rng.random_range(0..2) == 0 {
        return Some(Move::Bet(too_dear(mind, price, most)));
    }
    // Small bets and few players lead to a svara that can be paid.
    cheap.then(|| if rng.random_range(0..3) == 0 { Move::Fold } else { Move::Bet(price) })
}

/// More than another has left, or so much that who pays it twice has not enough.
fn too_dear(mind: &Mind<'_>, price: Chips, most: Chips) -> Chips {
    let least = mind.view.least_stack().unwrap_or(0);
    let above = least.saturating_add(1);
    let half = mind.view.stack() / 2 + 1;
    let amount = if above <= most { above } else { half };
    amount.clamp(price, most)
}

/// Anything that is open, by its weight.
fn by_lot(mind: &Mind<'_>, rng: &mut ChaCha12Rng) -> Option<Move> {
    let weighted: Vec<(LegalMove, u32)> = mind
        .turn
        .legal
        .iter()
        .filter(|legal| is_possible(mind, **legal))
        .map(|legal| (*legal, weight(legal.kind)))
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
    with_number(mind, *legal, rng)
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
        MoveKind::Omit | MoveKind::Expose => 1,
        // Bargains are proposed with thought, or not at all.
        MoveKind::Pact | MoveKind::Pool => 0,
    }
}

/// Some moves need somebody else, or certain cards.
fn is_possible(mind: &Mind<'_>, legal: LegalMove) -> bool {
    match legal.kind {
        MoveKind::Expose => !mind.view.unexposed().is_empty(),
        // Whoever might hold them is told that it may; only three tens are.
        MoveKind::Redeal => mind.view.holds_three_tens(),
        _ => true,
    }
}

fn with_number(mind: &Mind<'_>, legal: LegalMove, rng: &mut ChaCha12Rng) -> Option<Move> {
    let min = legal.min.unwrap_or(0);
    let max = legal.max.unwrap_or(min).max(min);
    let mut any = || rng.random_range(min..=max);
    Some(match legal.kind {
        MoveKind::Cut => Move::Cut(any()),
        MoveKind::Lift => Move::Lift(any()),
        MoveKind::Replace => Move::Replace(any()),
        MoveKind::Bet => Move::Bet(amount(min, max, 12, rng)),
        MoveKind::Dark => Move::Dark(amount(min, max, 2, rng)),
        MoveKind::Expose => Move::Expose(pick(&mind.view.unexposed(), rng)?),
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
        MoveKind::Pact | MoveKind::Pool => return None,
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
