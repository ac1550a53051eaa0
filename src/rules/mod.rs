//! The rules of Trinka and Seka: what may happen next, and what it means.
//!
//! Pure: no input or output, no clock, no chance, no cryptography. Hands never enter the game
//! itself; who holds the better hand is told from outside ([`Input::Outcome`]), so that nobody who
//! runs the rules needs to see a card. [`rank`] and [`HandTable`] say what cards are worth.
//!
//! All sums are whole chips ([`Chips`]).
//!
//! ```
//! # use trinka::rules::*;
//! let rules = HouseRules::preset(Preset::TrinkaOnline);
//! let game = Game::new(rules, &[(Seat(0), 100), (Seat(1), 100)])?;
//! let step = game.apply(&Input::Begin { dealer: Seat(1), participants: vec![Seat(0), Seat(1)] })?;
//! # Ok::<(), RulesError>(())
//! ```
//!
//! # What is played
//!
//! The engine plays every set of house rules that [`HouseRules::validate`] lets pass, and so do tables
//! and the referee.
//!
//! # The course of play
//!
//! [`Game::phase`] says what is waited for, [`Game::awaited`] who must act, [`Game::legal`] what
//! each may do, with the least and most numbers, and [`Game::showing`] and [`Game::may_see`] who
//! sees which cards.
//!
//! | phase | what comes next |
//! |---|---|
//! | `idle` | [`Input::ChooseDealer`] where cards decide who deals, then [`Input::Begin`] |
//! | `dealer-choice` | `lift`, [`Input::Lift`] for [`Game::cards_to_open`]; or [`Input::Count`]; or [`Input::DealerIs`] |
//! | `missing-ante` | `ante`, `omit` |
//! | `await-deal` | [`Input::Dealt`] when all hold three cards; before it `expose` |
//! | `exposed` | `keep`, `replace` |
//! | `betting` | the moves of the seat whose turn it is, looks of others |
//! | `three-tens`, `boil` | `accept`, `refuse` |
//! | `comparing` | [`Input::Outcome`], or [`Input::Tens`] |
//! | `svara-split` | `split`, `no-split` |
//! | `svara-entry` | `enter`, `stay-out`, [`Input::Pool`], [`Input::Pact`] |
//! | `showdown` | [`Input::Best`] |
//!
//! Besides, at their times: [`Input::TimeOut`], [`Input::Lost`], [`Input::LayerLost`], and what
//! belongs to stacks.

mod cards;
mod error;
mod game;
mod house;
mod score;
mod seat;
#[cfg(test)]
mod tests;

/// An amount of chips: whole, and never negative.
pub type Chips = u64;

pub use cards::{Card, Deck, DeckKind, NotACard, Rank, Suit};
pub use error::RulesError;
pub use game::{
    Action, ActionKind, CompareResult, DealKind, Game, GameEvent, HandResult, Input, LegalMove,
    MAX_TABLE_CHIPS, Phase, Price, ResultKind, Showing, Step, Viewers,
};
pub use house::{
    Ceiling, CompareFrom, ComparePrice, CompareTie, DarkChain, EntryNewcomer, EntryPlayed,
    FirstDealer, HouseRules, Look, MAX_SWITCH_CHIPS, MissingAnte, NextDealer, OnOff, OpenPass,
    Opening, Preset, Reveal, ThreeTens, TopHand, Triples, TwoAces, Wild, WildCopy,
};
pub use score::{HandName, HandRank, HandTable, TableHand, rank};
pub use seat::Seat;
