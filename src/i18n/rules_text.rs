//! The texts of errors that other layers name: commands that cannot be read, moves that the rules
//! refuse.

use fluent_bundle::FluentArgs;

use super::problem::Naming;
use super::{Lang, printable};
use crate::event::{CommandError, MoveKind, Takes};
use crate::rules::RulesError;

pub(super) const fn command_code(error: &CommandError) -> &'static str {
    match error {
        CommandError::TooLong => "line-too-long",
        CommandError::NotJson => "not-json",
        CommandError::NotObject => "not-an-object",
        CommandError::NoCommand => "no-command",
        CommandError::UnknownField { .. } => "unknown-field",
        CommandError::UnknownMove { .. } => "unknown-move",
        CommandError::Missing { .. } => "missing-field",
        CommandError::Twice { .. } => "field-twice",
        CommandError::Wrong { .. } => "wrong-value",
    }
}

pub(super) fn command_args(lang: Lang, error: &CommandError, args: &mut FluentArgs<'static>) {
    match error {
        CommandError::TooLong
        | CommandError::NotJson
        | CommandError::NotObject
        | CommandError::NoCommand => {}
        CommandError::UnknownField { field } | CommandError::Twice { field } => {
            args.set("field", printable(field));
        }
        CommandError::UnknownMove { name } => args.set("name", printable(name)),
        CommandError::Missing { field } => args.set("field", *field),
        CommandError::Wrong { field, takes } => {
            args.set("field", *field);
            let takes = takes_key(*takes);
            args.set("takes", lang.find_plain(takes).unwrap_or_default());
        }
    }
}

pub(super) const fn rules_code(error: &RulesError) -> &'static str {
    match error {
        RulesError::UnknownSwitch(_) => "unknown-switch",
        RulesError::BadValue { .. } => "bad-switch-value",
        RulesError::SumOutOfRange { .. } => "sum-out-of-range",
        RulesError::Clash { .. } => "switches-clash",
        RulesError::NotInDeck { .. } => "not-in-deck",
        RulesError::CardTwice(_) => "card-twice",
        RulesError::TooFewPlayers => "too-few-players",
        RulesError::TooManyPlayers { .. } => "too-many-players",
        RulesError::SeatTaken(_) => "seat-taken",
        RulesError::NoSuchSeat(_) => "no-such-seat",
        RulesError::BadBuyIn { .. } => "bad-buy-in",
        RulesError::Frozen(_) => "frozen",
        RulesError::NotFrozen(_) => "not-frozen",
        RulesError::InHand(_) => "in-hand",
        RulesError::SeatTwice(_) => "seat-twice",
        RulesError::DealerNotPlaying(_) => "dealer-not-playing",
        RulesError::CannotAnte { .. } => "cannot-ante",
        RulesError::HandRunning => "hand-running",
        RulesError::NoDealAwaited => "no-deal-awaited",
        RulesError::NoComparison => "no-comparison",
        RulesError::NoCardsOut => "no-cards-out",
        RulesError::NoMoveAwaited => "no-move-awaited",
        RulesError::NotYourTurn { .. } => "not-your-turn",
        RulesError::NotOpen(_) => "not-open",
        RulesError::BelowPrice { .. } => "below-price",
        RulesError::AboveCeiling { .. } => "above-ceiling",
        RulesError::AboveStack { .. } => "above-stack",
        RulesError::CompareBeforeBet => "compare-before-bet",
        RulesError::CompareBeforeNeighbour(_) => "compare-before-neighbour",
        RulesError::CompareBeforeCircle => "compare-before-circle",
        RulesError::CompareBeforeLastTwo { .. } => "compare-before-last-two",
        RulesError::LookedAlready(_) => "looked-already",
        RulesError::LookBeforeCircle => "look-before-circle",
        RulesError::DarkClosed => "dark-closed",
        RulesError::DarkAboveHalf { .. } => "dark-above-half",
        RulesError::AboveDouble { .. } => "above-double",
        RulesError::LookFirst(_) => "look-first",
        RulesError::AskedAlready => "asked-already",
        RulesError::BoilBeforeLastTwo { .. } => "boil-before-last-two",
        RulesError::AnsweredAlready(_) => "answered-already",
        RulesError::NotAsked(_) => "not-asked",
        RulesError::InitiatorsFirst => "initiators-first",
        RulesError::NoMorePlaces { .. } => "no-more-places",
        RulesError::PactAlready(_) => "pact-already",
        RulesError::NotInSvara(_) => "not-in-svara",
        RulesError::DoesNotLift(_) => "does-not-lift",
        RulesError::NoShowdown => "no-showdown",
        RulesError::NoDealerChoice => "no-dealer-choice",
        RulesError::BadLift { .. } => "bad-lift",
        RulesError::OtherPacket(_) => "other-packet",
        RulesError::OtherChoice(_) => "other-choice",
        RulesError::ExposedAlready(_) => "exposed-already",
        RulesError::NoSuchPlace { .. } => "no-such-place",
        RulesError::NoPools => "no-pools",
        RulesError::InPool(_) => "in-pool",
        RulesError::EmptyPart(_) => "empty-part",
        RulesError::PoolSum { .. } => "pool-sum",
        // What has no text of its own yet is told in the rules' own words.
        #[allow(unreachable_patterns, reason = "the rules may learn new refusals")]
        _ => "refused",
    }
}

pub(super) fn rules_args(
    lang: Lang,
    error: &RulesError,
    naming: Naming<'_>,
    args: &mut FluentArgs<'static>,
) {
    match error {
        RulesError::UnknownSwitch(switch) => args.set("switch", printable(switch)),
        RulesError::BadValue { switch, value, choices } => {
            args.set("switch", printable(switch));
            args.set("value", printable(value));
            args.set("choices", choices.clone());
        }
        RulesError::SumOutOfRange { switch, chips, most } => {
            args.set("switch", printable(switch));
            args.set("chips", *chips);
            args.set("most", *most);
        }
        RulesError::Clash { one, other, why: _ } => {
            args.set("one", printable(one));
            args.set("other", printable(other));
            // The reason is the same for any values of these two.
            args.set("why", error.switches().join("-"));
        }
        RulesError::NotInDeck { card, size } => {
            args.set("card", card.to_string());
            args.set("size", u64::from(*size));
        }
        RulesError::CardTwice(card) => args.set("card", card.to_string()),
        RulesError::TooManyPlayers { players, most, deck } => {
            args.set("players", *players);
            args.set("most", u64::from(*most));
            args.set("deck", u64::from(*deck));
        }
        RulesError::SeatTaken(seat)
        | RulesError::NoSuchSeat(seat)
        | RulesError::Frozen(seat)
        | RulesError::NotFrozen(seat)
        | RulesError::InHand(seat)
        | RulesError::SeatTwice(seat)
        | RulesError::DealerNotPlaying(seat)
        | RulesError::CompareBeforeNeighbour(seat)
        | RulesError::LookedAlready(seat)
        | RulesError::LookFirst(seat)
        | RulesError::AnsweredAlready(seat)
        | RulesError::NotAsked(seat)
        | RulesError::PactAlready(seat)
        | RulesError::NotInSvara(seat)
        | RulesError::DoesNotLift(seat)
        | RulesError::OtherPacket(seat)
        | RulesError::ExposedAlready(seat)
        | RulesError::InPool(seat)
        | RulesError::EmptyPart(seat) => args.set("name", naming(*seat)),
        RulesError::BadBuyIn { chips, most } => {
            args.set("chips", *chips);
            args.set("most", *most);
        }
        RulesError::CannotAnte { seat, stack, ante } => {
            args.set("name", naming(*seat));
            args.set("stack", *stack);
            args.set("ante", *ante);
        }
        RulesError::NotYourTurn { seat: _, turn } => args.set("name", naming(*turn)),
        RulesError::NotOpen(kind) => args.set("word", move_word(lang, (*kind).into())),
        RulesError::BelowPrice { amount, price } => {
            args.set("amount", *amount);
            args.set("price", *price);
        }
        RulesError::AboveCeiling { amount, ceiling } => {
            args.set("amount", *amount);
            args.set("ceiling", *ceiling);
        }
        RulesError::AboveStack { amount, stack } => {
            args.set("amount", *amount);
            args.set("stack", *stack);
        }
        RulesError::DarkAboveHalf { amount, most } | RulesError::AboveDouble { amount, most } => {
            args.set("amount", *amount);
            args.set("most", *most);
        }
        RulesError::NoMorePlaces { most } => args.set("most", u64::from(*most)),
        RulesError::CompareBeforeLastTwo { active } | RulesError::BoilBeforeLastTwo { active } => {
            args.set("active", *active)
        }
        RulesError::BadLift { cards, most } => {
            args.set("cards", u64::from(*cards));
            args.set("most", *most);
        }
        RulesError::OtherChoice(method) => args.set("method", method.to_string()),
        RulesError::NoSuchPlace { place, rest } => {
            args.set("place", u64::from(*place));
            args.set("rest", u64::from(*rest));
        }
        RulesError::PoolSum { sum, price } => {
            args.set("sum", *sum);
            args.set("price", *price);
        }
        RulesError::TooFewPlayers
        | RulesError::NoPools
        | RulesError::HandRunning
        | RulesError::NoDealAwaited
        | RulesError::NoComparison
        | RulesError::NoCardsOut
        | RulesError::NoMoveAwaited
        | RulesError::CompareBeforeBet
        | RulesError::CompareBeforeCircle
        | RulesError::LookBeforeCircle
        | RulesError::DarkClosed
        | RulesError::AskedAlready
        | RulesError::InitiatorsFirst
        | RulesError::NoShowdown
        | RulesError::NoDealerChoice => {}
        #[allow(unreachable_patterns, reason = "the rules may learn new refusals")]
        other => args.set("text", other.to_string()),
    }
}

/// What a move is called: its word that can be typed.
pub(crate) fn move_word(lang: Lang, kind: MoveKind) -> String {
    let key = format!("word-{}", kind.name());
    lang.find_plain(&key).unwrap_or_else(|| kind.name().to_owned())
}

/// The key of what a field takes.
pub(super) const fn takes_key(takes: Takes) -> &'static str {
    match takes {
        Takes::Number => "takes-number",
        Takes::Seat => "takes-seat",
        Takes::List => "takes-list",
        Takes::Shares => "takes-shares",
        Takes::Text => "takes-text",
        Takes::True => "takes-true",
        Takes::Bool => "takes-bool",
        Takes::Object => "takes-object",
        Takes::Switches => "takes-switches",
    }
}
