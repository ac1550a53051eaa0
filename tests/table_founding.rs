//! A table's id is its host's: nobody else can found one of that id.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use trinka::identity::Identity;
use trinka::rules::Seat;
use trinka::table::founding::{Founded, Founding, FoundingError};
use trinka::table::message::TableId;
use world::{found, identity};

fn signed(founding: &Founding, ids: &[Identity]) -> Founded {
    let bytes = founding.bytes().unwrap();
    let signatures =
        ids.iter().enumerate().map(|(i, id)| (Seat(i as u8), Founding::sign(id, &bytes))).collect();
    Founded { bytes, signatures }
}

#[test]
fn an_id_belongs_to_the_key_of_its_host() {
    let ids: Vec<Identity> = (0..3).map(|i| identity(8_900, i)).collect();
    let founding = found(&ids, 10, 60_000).verify().unwrap();
    assert_eq!(founding.table, TableId::of(&ids[0].public(), &founding.nonce));

    // Somebody else founds a table of the same id, with everybody's signature.
    let mut stolen = founding.clone();
    stolen.players.rotate_left(1);
    let mut others = ids.clone();
    others.rotate_left(1);
    assert_eq!(signed(&stolen, &others).verify(), Err(FoundingError::Table));
    let mut other = founding.clone();
    other.nonce[3] ^= 1;
    assert_eq!(signed(&other, &ids).verify(), Err(FoundingError::Table));
    let mut random = founding.clone();
    random.table = TableId([9; 16]);
    assert_eq!(signed(&random, &ids).verify(), Err(FoundingError::Table));
    // Two tables of one host have two ids.
    assert_ne!(TableId::of(&ids[0].public(), &other.nonce), founding.table);
}

#[test]
fn the_bytes_of_an_id_stay_as_they_are() {
    let id = TableId::of(&identity(1, 0).public(), &[7; 16]);
    assert_eq!(id.to_string(), "df27f13260d71612a91d305d952ea7c3");
}
