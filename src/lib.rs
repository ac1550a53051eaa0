//! Trinka and Seka, Russian card games for friends on one network: no server, nobody to trust.
//!
//! The layers point one way: [`trinka_crypto`] knows no game; [`rules`] know no crypto and no I/O;
//! [`table`] knows no clock and no socket; the node drives; [`screens`] only show.

pub mod app;
pub mod bots;
pub mod cli;
pub mod event;
pub mod house;
pub mod i18n;
pub mod identity;
pub mod node;
pub mod referee;
pub mod rules;
pub mod screens;
pub mod table;
pub mod wire;
