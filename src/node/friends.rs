//! Keys that this player has finished a hand with, and the names they had.

use std::collections::{BTreeMap, BTreeSet};

use crate::identity::PublicKey;
use crate::table::founding::check_name;
use crate::wire;

/// Most friends that are remembered.
const MOST: usize = 1_000;

/// Everybody played with before. The file has a line for each: key in hex, a space, the name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Friends {
    names: BTreeMap<PublicKey, String>,
}

impl Friends {
    /// Reads the file.
    ///
    /// # Errors
    /// In words, with the number of the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut friends = Friends::default();
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let bad = || format!("line {} is not a key and a name", number + 1);
            let (key, name) = line.split_once(' ').ok_or_else(bad)?;
            let key = wire::unhex(key).map(PublicKey).ok_or_else(bad)?;
            check_name(name).map_err(|_| bad())?;
            friends.add(key, name);
        }
        Ok(friends)
    }

    /// The file.
    #[must_use]
    pub fn write(&self) -> String {
        self.names.iter().map(|(key, name)| format!("{} {name}\n", key.hex())).collect()
    }

    /// Adds a friend. True when that changed anything.
    pub fn add(&mut self, key: PublicKey, name: &str) -> bool {
        if self.names.len() >= MOST && !self.names.contains_key(&key) {
            return false;
        }
        self.names.insert(key, name.to_owned()).as_deref() != Some(name)
    }

    /// Their keys.
    #[must_use]
    pub fn keys(&self) -> BTreeSet<PublicKey> {
        self.names.keys().copied().collect()
    }

    /// Whether a stranger comes under the name of a friend.
    #[must_use]
    pub fn is_stranger_with_known_name(&self, key: &PublicKey, name: &str) -> bool {
        !self.names.contains_key(key) && self.names.values().any(|n| n == name)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_known_name_with_another_key_is_pointed_out() {
        let mut friends = Friends::default();
        assert!(friends.add(PublicKey([1; 32]), "Вера П."));
        assert!(!friends.add(PublicKey([1; 32]), "Вера П."));
        assert!(friends.is_stranger_with_known_name(&PublicKey([2; 32]), "Вера П."));
        assert!(!friends.is_stranger_with_known_name(&PublicKey([1; 32]), "Вера П."));
        assert!(!friends.is_stranger_with_known_name(&PublicKey([2; 32]), "Борис"));
        assert_eq!(Friends::read(&friends.write()).unwrap(), friends);
        assert!(Friends::read("nonsense").unwrap_err().contains("line 1"));
    }
}
