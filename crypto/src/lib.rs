#![doc = include_str!("../README.md")]

pub mod context;
pub mod deck;
pub mod error;
pub mod escrow;
pub mod generators;
pub mod hands;
pub mod keys;
pub mod notes;
pub mod opening;
pub mod sealed;
pub mod shares;
pub mod showing;
pub mod shuffle;
pub mod verified;
pub mod whole;
pub mod wire;

mod linear;
mod msm;
mod weights;

pub use context::{DealId, Purpose, Reason, Recipient};
pub use deck::{Ciphertext, Deck};
pub use error::{DecodeError, Error, OpenError};
pub use escrow::EscrowMessage;
pub use generators::Params;
pub use hands::{Hand, HandProof, HandTable, TableError};
pub use keys::{DealKeys, KeyMessage, PublicKey, SecretKey};
pub use opening::OwnCard;
pub use shares::{Share, ShareBatch};
pub use showing::Showing;
pub use shuffle::ShuffleProof;
pub use verified::Verified;

#[cfg(test)]
mod tests;
