//! The rules of Trinka and Seka: what may happen next, and what it means.
//!
//! Pure: no input or output, no clock, no chance, no cryptography. Cards never enter the game
//! itself; who holds the better hand is told from outside ([`Input::Outcome`]), so that nobody who
//! runs the rules needs to see a card. [`rank`] and [`HandTable`] say what cards are worth.
//!
//! All sums are whole chips ([`Chips`]).
//!
//! ```
//! # use trinka::rules::*;
//! let rules = HouseRules::preset(Preset::TrinkaClassic).in_force();
//! let game = Game::new(rules, &[(Seat(0), 100), (Seat(1), 100)])?;
//! let step = game.apply(&Input::Begin { dealer: Seat(1), participants: vec![Seat(0), Seat(1)] })?;
//! # Ok::<(), RulesError>(())
//! ```
//!
//! # What is played
//!
//! Not every house rule that can be written is played yet. [`HouseRules::in_force`] is what tables
//! play with real cards today, and [`Game::new`] refuses anything else, naming the switch.
//! [`HouseRules::playable`] is what the engine alone knows: all but pools, exposed cards and
//! missing antes. [`Game::for_referee`] takes those.

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
    MAX_TABLE_CHIPS, Phase, Price, ResultKind, Step,
};
pub use house::{
    Ceiling, CompareFrom, ComparePrice, CompareTie, DarkChain, EntryNewcomer, EntryPlayed,
    FirstDealer, HouseRules, Look, MAX_SWITCH_CHIPS, MissingAnte, NextDealer, OnOff, OpenPass,
    Opening, Preset, Reveal, ThreeTens, TopHand, Triples, TwoAces, Wild, WildCopy,
};
pub use score::{HandName, HandRank, HandTable, TableHand, rank};
pub use seat::Seat;
