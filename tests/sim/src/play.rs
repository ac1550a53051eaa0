//! Seats that play by lot: they know nothing but what is legal.

use rand::RngExt;
use rand_chacha::ChaCha20Rng;
use trinka::event::{Command, Event, LegalMove, Move, MoveKind, OfferKind};
use trinka::rules::{Rank, Seat};
use trinka::table::Table;

use crate::plan::Taste;

/// What a player does when it is told something, if anything.
pub fn answer(
    table: &Table,
    event: &Event,
    taste: Taste,
    rng: &mut ChaCha20Rng,
) -> Option<Command> {
    match event {
        Event::Turn { mine: true, legal, .. } if !legal.is_empty() => {
            choose(table, legal, taste, rng).map(Command::Move)
        }
        // Sometimes somebody looks, or turns up a card, out of turn.
        Event::Turn { mine: false, legal, .. } if !legal.is_empty() && rng.random_ratio(1, 4) => {
            choose(table, legal, taste, rng).map(Command::Move)
        }
        Event::Offer { kind: OfferKind::Expose, to, .. } => {
            let me = table.seat().filter(|me| to.contains(me) && rng.random_ratio(1, 8))?;
            Some(Command::Move(Move::Expose(me)))
        }
        Event::Settled { .. } => {
            let me = table.seat()?;
            let game = &table.state().core().game;
            let poor = game.stack(me)? < game.rules().ante.saturating_mul(12);
            poor.then(|| Command::Rebuy(table.state().core().terms.buy_in))
        }
        _ => None,
    }
}

/// What a player does whose move was refused: something plain that answers the same question.
pub fn instead(table: &Table, now: u64, rng: &mut ChaCha20Rng) -> Option<Command> {
    let Event::Turn { legal, .. } = table.unanswered(now)?.question else { return None };
    let plain: Vec<LegalMove> = legal
        .into_iter()
        .filter(|m| !matches!(m.kind, MoveKind::Pool | MoveKind::Pact | MoveKind::Expose))
        .collect();
    if plain.is_empty() {
        return None;
    }
    choose(table, &plain, Taste::Any, rng).map(Command::Move)
}

/// How much a kind of move is liked.
fn weight(kind: MoveKind, taste: Taste) -> u32 {
    match (taste, kind) {
        (Taste::Compare, MoveKind::Compare) => 40,
        (Taste::Pool, MoveKind::Pool) => 200,
        (Taste::Pool, MoveKind::Boil | MoveKind::Accept | MoveKind::Enter) => 20,
        (Taste::Pool, MoveKind::Fold) => 2,
        (Taste::Pool, MoveKind::StayOut | MoveKind::Refuse | MoveKind::Compare) => 1,
        (Taste::Bet, MoveKind::Bet) | (Taste::Dark, MoveKind::Dark) => 20,
        (Taste::Dark, MoveKind::Bet) => 6,
        (Taste::Dark, MoveKind::Look) => 1,
        (_, MoveKind::Fold | MoveKind::Redeal) => 1,
        (_, MoveKind::Compare | MoveKind::Dark | MoveKind::Boil | MoveKind::NoSplit) => 4,
        _ => 3,
    }
}

fn choose(table: &Table, legal: &[LegalMove], taste: Taste, rng: &mut ChaCha20Rng) -> Option<Move> {
    let weight = |kind: MoveKind| weight(kind, taste);
    let all: u32 = legal.iter().map(|m| weight(m.kind)).sum();
    let mut pick = rng.random_range(0..all);
    let chosen = legal.iter().find(|m| {
        let here = pick < weight(m.kind);
        pick = pick.saturating_sub(weight(m.kind));
        here
    })?;
    let (min, max) = (chosen.min.unwrap_or(0), chosen.max.unwrap_or(0));
    let small = max.min(min + rng.random_range(0..3) * rng.random_range(0..2));
    let (me, game) = (table.seat()?, &table.state().core().game);
    Some(match chosen.kind {
        MoveKind::Bet => Move::Bet(small),
        MoveKind::Dark => Move::Dark(small),
        MoveKind::Look => Move::Look,
        MoveKind::Fold => Move::Fold,
        MoveKind::Compare => Move::Compare,
        // The table itself knows whether there are three tens.
        MoveKind::Redeal => {
            let tens =
                table.cards().is_some_and(|c| c.iter().all(|card| card.rank() == Some(Rank::Ten)));
            if tens { Move::Redeal } else { Move::Fold }
        }
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
        MoveKind::Replace => Move::Replace(rng.random_range(min..=max)),
        MoveKind::Expose => Move::Expose(Seat(u8::try_from(min).ok()?)),
        MoveKind::Lift => Move::Lift(rng.random_range(min..=max)),
        MoveKind::Cut => Move::Cut(rng.random_range(min..=max)),
        MoveKind::Pact => {
            let others = game.may_pact().into_iter().filter(|s| *s != me).collect::<Vec<_>>();
            Move::Pact(*others.get(rng.random_range(0..others.len().max(1)))?)
        }
        MoveKind::Pool => {
            let stack = game.stack(me)?;
            let pool = game.may_pool().into_iter().filter(|s| *s != me).find_map(|other| {
                let price = game.pool_price(&[me, other])?;
                let mine = price.saturating_sub(1).min(stack);
                let rest = price.saturating_sub(mine);
                (mine > 0 && rest <= game.stack(other)?).then(|| vec![(me, mine), (other, rest)])
            });
            match pool {
                Some(shares) => Move::Pool(shares),
                // Together they have too little.
                None => {
                    let plain: Vec<LegalMove> =
                        legal.iter().filter(|m| m.kind != MoveKind::Pool).cloned().collect();
                    return (!plain.is_empty()).then(|| choose(table, &plain, taste, rng))?;
                }
            }
        }
    })
}
