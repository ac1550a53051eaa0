//! Who is guilty of a deal that broke: the messages up to a false one let anybody see it.

use rand_core::CryptoRng;
use trinka_crypto::{DealKeys, Deck, PublicKey, Verified};

use super::deal::{DealError, DealPlan};
use crate::rules::Seat;
use crate::table::message::{Hash, Payload, Signed};

/// The author of the last of these messages, where that is false for exactly the inputs that it signed: all
/// before it belong to the deal and are as they should be, and it names them.
///
/// # Errors
/// In words, why this proves nothing.
pub fn guilty(
    plan: &DealPlan,
    messages: &[Signed],
    rng: &mut impl CryptoRng,
) -> Result<Seat, String> {
    let (last, before) = messages.split_last().ok_or("no message")?;
    let body = last.open(plan.log).map_err(|e| e.to_string())?;
    let seat = plan.seat_of_key(&body.author).ok_or("its author has no part in the deal")?;
    if let Payload::Key { deal, bytes } = &body.payload {
        if *deal != plan.id.0 {
            return Err("the key is not of this deal".into());
        }
        if before.is_empty() {
            return is_false(seat, plan.check_key(seat, bytes));
        }
        return in_league(plan, seat, before, last);
    }
    let count = plan.order.len();
    let (key_messages, rest) = before.split_at_checked(count).ok_or("keys are missing")?;
    let keys = keys_of(plan, key_messages)?;
    let mut after = plan.keys_hash(key_messages);
    let mut deck = Deck::first(&keys);
    for (step, message) in rest.iter().take(count).enumerate() {
        let (author, checked) = shuffle_of(plan, &keys, (step, &deck, after), message, rng)?;
        deck = checked.map_err(|_| format!("the shuffle of seat {author} is false as well"))?;
        after = message.id();
    }
    if rest.len() < count {
        let (author, checked) = shuffle_of(plan, &keys, (rest.len(), &deck, after), last, rng)?;
        return is_false(author, checked);
    }
    let cut_of = |message: &Signed| {
        let body = message.open(plan.log).map_err(|e| e.to_string())?;
        match body.payload {
            Payload::Cut { deal, after: named, at }
                if deal == plan.id.0
                    && named == after
                    && plan.cutter() == plan.seat_of_key(&body.author) =>
            {
                Ok(deck.cut(usize::from(at)).map_err(|e| e.to_string()))
            }
            _ => Err("the cut does not belong there".to_owned()),
        }
    };
    let Some((cut, more)) = rest.get(count..).and_then(<[Signed]>::split_first) else {
        return is_false(seat, cut_of(last)?);
    };
    let deck = cut_of(cut)?.map_err(|_| "the cut is false as well")?;
    match &body.payload {
        Payload::Escrow { deal, after: named, bytes }
            if more.is_empty()
                && plan.escrows()
                && *deal == plan.id.0
                && *named == DealPlan::escrow_after(cut) =>
        {
            is_false(seat, plan.check_escrow(&keys, &deck, seat, bytes, rng))
        }
        _ => Err("the last message does not belong there".into()),
    }
}

fn is_false<T, E>(seat: Seat, checked: Result<T, E>) -> Result<Seat, String> {
    if checked.is_err() { Ok(seat) } else { Err("the message is as it should be".into()) }
}

/// The author of a key that is among all keys of its deal, where it was made to suit others.
fn in_league(plan: &DealPlan, seat: Seat, keys: &[Signed], own: &Signed) -> Result<Seat, String> {
    let index = plan.index_of(seat).map(usize::from);
    if keys.len() != plan.order.len() || index.and_then(|i| keys.get(i)) != Some(own) {
        return Err("these are not the keys of the deal".into());
    }
    match plan.joint(verified_keys(plan, keys)?) {
        Err(DealError::Keys { seats, .. }) if seats.contains(&seat) => Ok(seat),
        _ => Err("the key is as it should be".into()),
    }
}

fn keys_of(plan: &DealPlan, messages: &[Signed]) -> Result<DealKeys, String> {
    plan.joint(verified_keys(plan, messages)?).map_err(|e| e.to_string())
}

fn verified_keys(plan: &DealPlan, messages: &[Signed]) -> Result<Vec<Verified<PublicKey>>, String> {
    let mut keys = Vec::with_capacity(messages.len());
    for (message, (seat, author)) in messages.iter().zip(&plan.order) {
        let body = message.open(plan.log).map_err(|e| e.to_string())?;
        match &body.payload {
            Payload::Key { deal, bytes } if *deal == plan.id.0 && body.author == *author => {
                keys.push(plan.check_key(*seat, bytes).map_err(|e| e.to_string())?);
            }
            _ => return Err("a key does not belong there".into()),
        }
    }
    Ok(keys)
}

/// A shuffle by its author, and what it is worth; an error where it does not belong there at all.
#[allow(clippy::type_complexity)]
fn shuffle_of(
    plan: &DealPlan,
    keys: &DealKeys,
    (place, before, after): (usize, &Verified<Deck>, Hash),
    message: &Signed,
    rng: &mut impl CryptoRng,
) -> Result<(Seat, Result<Verified<Deck>, DealError>), String> {
    let body = message.open(plan.log).map_err(|e| e.to_string())?;
    let index = *plan.shufflers.get(place).ok_or("too many shuffles")?;
    let seat = plan.seat_at(index).ok_or("no such participant")?;
    match &body.payload {
        Payload::Shuffle { deal, after: named, deck, proof }
            if *deal == plan.id.0
                && *named == after
                && plan.seat_of_key(&body.author) == Some(seat) =>
        {
            let step = u32::try_from(place).unwrap_or(u32::MAX);
            Ok((seat, plan.check_shuffle((keys, before), (index, step), (deck, proof), rng)))
        }
        _ => Err("a shuffle does not belong there".into()),
    }
}
