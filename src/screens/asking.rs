//! What may be done on one's turn, in the words that can be typed.

use super::view::{TurnView, View};
use crate::event::{LegalMove, MoveKind};
use crate::i18n::{Lang, messages as m};

/// The order in which moves are offered: paying first, giving up last.
const ORDER: [MoveKind; 22] = [
    MoveKind::Bet,
    MoveKind::Dark,
    MoveKind::Look,
    MoveKind::Compare,
    MoveKind::Redeal,
    MoveKind::Boil,
    MoveKind::Accept,
    MoveKind::Refuse,
    MoveKind::Split,
    MoveKind::NoSplit,
    MoveKind::Enter,
    MoveKind::Pool,
    MoveKind::StayOut,
    MoveKind::Cut,
    MoveKind::Lift,
    MoveKind::Keep,
    MoveKind::Replace,
    MoveKind::Ante,
    MoveKind::Omit,
    MoveKind::Expose,
    MoveKind::Pact,
    MoveKind::Fold,
];

/// Every open move with what it costs: `call 5 · raise 6–100 · compare 5 · fold`.
pub(super) fn choices(lang: Lang, view: &View, turn: &TurnView) -> String {
    let mut legal = view.offered();
    legal.sort_by_key(|legal| place(legal.kind));
    let offered: Vec<String> = legal.iter().flat_map(|legal| offer(lang, turn, *legal)).collect();
    offered.join(" · ")
}

/// Where a move comes in the order.
pub(super) fn place(kind: MoveKind) -> usize {
    ORDER.iter().position(|one| *one == kind).unwrap_or(ORDER.len())
}

fn offer(lang: Lang, turn: &TurnView, legal: LegalMove) -> Vec<String> {
    let min = legal.min.unwrap_or(0);
    let max = legal.max.unwrap_or(min);
    let one = match legal.kind {
        MoveKind::Bet => return bets(lang, min, max),
        MoveKind::Dark if min == max => m::ch_dark_one(lang, min),
        MoveKind::Dark => m::ch_dark(lang, min, max),
        MoveKind::Look => m::ch_look(lang),
        MoveKind::Fold => m::ch_fold(lang),
        MoveKind::Compare => match turn.price.and_then(|price| price.compare) {
            Some(price) => m::ch_compare(lang, price),
            None => m::ch_compare_free(lang),
        },
        MoveKind::Redeal => m::ch_redeal(lang),
        MoveKind::Boil => m::ch_boil(lang),
        MoveKind::Accept => m::ch_accept(lang),
        MoveKind::Refuse => m::ch_refuse(lang),
        MoveKind::Split => m::ch_split(lang),
        MoveKind::NoSplit => m::ch_no_split(lang),
        MoveKind::Enter => m::ch_enter(lang),
        MoveKind::StayOut => m::ch_stay_out(lang),
        MoveKind::Cut => m::ch_cut(lang, min, max),
        MoveKind::Lift => m::ch_lift(lang, min, max),
        MoveKind::Replace => m::ch_replace(lang, min, max),
        MoveKind::Ante => m::ch_ante(lang),
        MoveKind::Omit => m::ch_omit(lang),
        MoveKind::Keep => m::ch_keep(lang),
        MoveKind::Expose => m::ch_expose(lang),
        MoveKind::Pool => m::ch_pool(lang),
        MoveKind::Pact => m::ch_pact(lang),
    };
    vec![one]
}

/// Paying the price is a call, paying more a raise.
fn bets(lang: Lang, min: u64, max: u64) -> Vec<String> {
    let least_raise = min.saturating_add(1);
    let call = m::ch_call(lang, min);
    match max.cmp(&least_raise) {
        std::cmp::Ordering::Less => vec![call],
        std::cmp::Ordering::Equal => vec![call, m::ch_raise_one(lang, max)],
        std::cmp::Ordering::Greater => vec![call, m::ch_raise(lang, least_raise, max)],
    }
}
