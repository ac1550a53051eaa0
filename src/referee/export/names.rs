//! What seats are called in a script.

use std::collections::{BTreeMap, BTreeSet};

use crate::referee::Place;
use crate::referee::line::check_name;
use crate::referee::words::Word;
use crate::rules::Seat;

/// How a script calls a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// In its lines.
    pub(super) word: String,
    /// The player's name for a comment, where that is not the word.
    pub(super) name: Option<String>,
}

/// The player's own name where a script can have it and nobody else has it; letters for the others.
pub(super) fn labels(names: &BTreeMap<Seat, String>) -> BTreeMap<Seat, Label> {
    let usable = |name: &str| {
        let word = Word { text: name, place: Place::default() };
        check_name(word).is_ok() && names.values().filter(|other| *other == name).count() == 1
    };
    let taken: BTreeSet<&str> =
        names.values().map(String::as_str).filter(|name| usable(name)).collect();
    let letters = ('A'..='Z').map(String::from);
    let mut free = letters.chain((1..).map(|n: u64| format!("P{n}")));
    let label = |(seat, name): (&Seat, &String)| {
        let label = if taken.contains(name.as_str()) {
            Label { word: name.clone(), name: None }
        } else {
            let word = free.find(|word| !taken.contains(word.as_str())).unwrap_or_default();
            let shown: String = name.chars().filter(|c| !c.is_control()).collect();
            Label { word, name: Some(shown) }
        };
        (*seat, label)
    };
    names.iter().map(label).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn names_stay_where_they_can() {
        let names = ["Анна", "B", "Black Jack", "bank", "Ян", "Ян", "x\ny"];
        let names = (0..).map(Seat).zip(names.map(str::to_owned)).collect();
        let labels = labels(&names);
        let words: Vec<&str> = labels.values().map(|label| label.word.as_str()).collect();
        assert_eq!(words, ["Анна", "B", "A", "C", "D", "E", "F"]);
        let comments: Vec<Option<&str>> =
            labels.values().map(|label| label.name.as_deref()).collect();
        let jack = Some("Black Jack");
        assert_eq!(comments, [None, None, jack, Some("bank"), Some("Ян"), Some("Ян"), Some("xy")]);
    }
}
