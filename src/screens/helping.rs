//! What a player is told on request: the commands, hints, and that a wish was heard.

use super::telling::fingerprint;
use super::view::{Part, View};
use crate::bots::BotView;
use crate::event::{Command, MoveKind};
use crate::house;
use crate::i18n::{Lang, Locale, messages as m};
use crate::rules::{Chips, FirstDealer, HouseRules, NextDealer, Seat, ThreeTens};

/// How long a line may be, in characters.
const WIDE: usize = 76;

/// The commands that mean something by the rules in force; all of them, before these are known.
#[must_use]
pub fn help(lang: Lang, view: &View) -> String {
    let rules = view.rules.as_deref();
    let has = |test: &dyn Fn(&HouseRules) -> bool| rules.is_none_or(test);
    let dark = has(&|rules| rules.dark.is_on());
    let mut lines = vec![m::ht_turn(lang)];
    if dark {
        lines.extend([m::ht_dark(lang), m::ht_look(lang)]);
    }
    lines.extend([m::ht_compare(lang), m::ht_fold(lang)]);
    lines.extend(side_by_side(&others(lang, &has)));
    lines.push(m::ht_any(lang));
    lines.join("\n")
}

/// As many beside each other as a line of a usual terminal holds.
fn side_by_side(all: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for one in all {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + one.chars().count() <= WIDE => {
                line.push_str(" · ");
                line.push_str(one);
            }
            _ => lines.push(format!("  {one}")),
        }
    }
    lines
}

/// A question about house rules.
type Asked<'a> = &'a dyn Fn(&HouseRules) -> bool;

/// Moves that need no explanation, because they are asked for.
fn others(lang: Lang, has: &dyn Fn(Asked<'_>) -> bool) -> Vec<String> {
    let svara = has(&|rules| rules.svara.is_on());
    let tens = has(&|rules| rules.three_tens == ThreeTens::OnDemand);
    let boil = has(&|rules| rules.boil.is_on());
    let pool = has(&|rules| rules.pool.is_on());
    let pact = has(&|rules| rules.pact.is_on());
    let exposed = has(&|rules| rules.exposed_card.is_on());
    let lift = svara
        || has(&|rules| {
            rules.first_dealer == FirstDealer::Lift || rules.next_dealer == NextDealer::Winner
        });
    let all = [
        (tens, m::ch_redeal(lang)),
        (boil, m::ch_boil(lang)),
        (svara, m::ch_split(lang)),
        (svara, m::ch_no_split(lang)),
        (svara, m::ch_enter(lang)),
        (svara, m::ch_stay_out(lang)),
        (pool, m::ch_pool(lang)),
        (pact, m::ch_pact(lang)),
        (boil || pool || pact || tens, m::ch_accept(lang)),
        (boil || pool || pact || tens, m::ch_refuse(lang)),
        (true, m::ht_cut(lang)),
        (lift, m::ht_lift(lang)),
        (exposed, m::ch_expose(lang)),
        (exposed, m::ch_keep(lang)),
        (exposed, m::ht_replace(lang)),
    ];
    all.into_iter().filter(|(open, _)| *open).map(|(_, word)| word).collect()
}

/// What beats what, and how good the chances are.
#[must_use]
pub fn hint(locale: Locale, seen: &BotView) -> Vec<String> {
    let lang = locale.lang;
    let view = seen.table();
    let mut lines = view.rules.as_deref().map_or(Vec::new(), |rules| house::ranking(rules, lang));
    let playing = view.my_seat().is_some_and(|seat| seat.part == Part::Active);
    if view.hand.is_none() || !playing {
        lines.push(m::hint_none(lang));
        return lines;
    }
    lines.push(match &view.cards {
        Some((cards, points)) => m::hint_cards(lang, locale.cards(cards), *points),
        None => m::hint_unseen(lang),
    });
    let others = seen.opponents();
    if others == 0 {
        lines.push(m::hint_alone(lang));
        return lines;
    }
    lines.push(m::hint_chance(lang, others, percent(seen, others)));
    let Some(turn) = view.my_turn() else { return lines };
    if let Some(price) = turn.price {
        lines.push(m::hint_price(lang, price.pass, view.bank, even_at(price.pass, view.bank)));
    }
    if others > 1
        && turn.find(MoveKind::Compare).is_some()
        && let Some(neighbour) = to_the_right(view)
    {
        lines.push(m::hint_compare(lang, view.name(lang, neighbour)));
    }
    lines
}

/// The chance to be ahead of so many others, in percent.
fn percent(seen: &BotView, others: u32) -> u64 {
    (seen.chance(others).millionths() + 5_000) / 10_000
}

/// From which chance on, in percent, paying so much for that bank loses nothing in the long run.
fn even_at(price: Chips, bank: Chips) -> u64 {
    let all = u128::from(price) + u128::from(bank);
    (u128::from(price) * 100).div_ceil(all.max(1)).try_into().unwrap_or(100)
}

/// The nearest seat to the right that is still in: whoever compares does so with it.
fn to_the_right(view: &View) -> Option<Seat> {
    let me = view.me?;
    let others: Vec<Seat> = view.active().filter(|seat| *seat != me).collect();
    // Seats are numbered clockwise, that is to the left.
    others.iter().rev().find(|seat| **seat < me).or(others.last()).copied()
}

/// That a wish was heard which nothing else answers.
#[must_use]
pub fn receipt(lang: Lang, view: &View, command: &Command) -> Option<String> {
    match command {
        Command::MoreTime if view.my_turn().is_some() => Some(m::ack_time(lang)),
        Command::Ready => Some(m::ack_ready(lang)),
        Command::Admit { key } => {
            let fingerprint = fingerprint(key);
            let known = view.fingerprints.iter().find(|(_, known)| **known == fingerprint);
            Some(m::ack_admit(
                lang,
                known.map_or(fingerprint.clone(), |(seat, _)| view.name(lang, *seat)),
            ))
        }
        Command::Leave => {
            view.my_seat().filter(|seat| !seat.away).map(|seat| m::ack_leave(lang, seat.stack))
        }
        Command::SitOut => Some(m::ack_sit_out(lang)),
        // Between hands it is told with the stacks.
        Command::Rebuy(amount) if view.hand.is_some() => Some(m::ack_rebuy_waits(lang, *amount)),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_commands_fits_a_usual_terminal() {
        for lang in [Lang::En, Lang::Ru] {
            let text = help(lang, &View::default());
            let longest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(longest.chars().count() <= 79, "{longest}");
            assert!(text.contains(" · "), "{text}");
        }
    }
}
