//! Words of a line, and cards as people write them.

use super::fault::{Failure, Fault, Place};
use crate::rules::{Card, Chips};

/// A word and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place,
}

impl Word<'_> {
    /// A complaint about this word.
    pub(super) const fn fault(self, fault: Fault) -> Failure {
        fault.at(self.place)
    }

    /// Enough of it to be recognised in a message.
    pub(super) fn short(self) -> String {
        self.text.chars().take(40).collect()
    }

    /// The word as a whole number, written in digits only.
    pub(super) fn number(self) -> Result<Chips, Failure> {
        let digits = self.text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { self.text.parse().ok() } else { None };
        number.ok_or_else(|| self.fault(Fault::NotANumber(self.short())))
    }
}

/// The words of a line, without its comment.
pub(super) fn split(line: &str, number: u64) -> Vec<Word<'_>> {
    let line = line.split_once('#').map_or(line, |(before, _)| before);
    let mut words = Vec::new();
    let mut begun: Option<(usize, u64)> = None;
    let ends = line.char_indices().map(|(at, c)| (at, c.is_whitespace()));
    for (column, (at, space)) in (1..).zip(ends.chain([(line.len(), true)])) {
        match begun {
            Some((from, first)) if space => {
                if let Some(text) = line.get(from..at) {
                    words.push(Word { text, place: Place { line: number, column: first } });
                }
                begun = None;
            }
            None if !space => begun = Some((at, column)),
            _ => {}
        }
    }
    words
}

/// Reads cards from words: `As`, `A♠`, `Т♠`, or two words each as in `туз пик`.
pub(super) fn cards(words: &[Word<'_>]) -> Result<Vec<Card>, Failure> {
    let mut cards = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let alone = word.text.parse::<Card>();
        let card = alone.or_else(|error| {
            let suit = rest.clone().next().ok_or(error.clone())?;
            let card = format!("{} {}", word.text, suit.text).parse().map_err(|_| error)?;
            rest.next();
            Ok(card)
        });
        cards.push(card.map_err(|crate::rules::NotACard(text)| word.fault(Fault::NotACard(text)))?);
    }
    Ok(cards)
}

/// What is wrong with a line of cards.
pub type CardsError = Failure;

/// Reads three cards from a line of a text.
///
/// # Errors
/// A word that is no card, or not three of them.
pub fn read_cards(text: &str, line: u64) -> Result<[Card; 3], CardsError> {
    let words = split(text, line);
    three(&words, Place { line, column: 1 })
}

/// Exactly three cards.
pub(super) fn three(words: &[Word<'_>], place: Place) -> Result<[Card; 3], Failure> {
    let cards = cards(words)?;
    let count = u64::try_from(cards.len()).unwrap_or(u64::MAX);
    cards.try_into().map_err(|_| Fault::NotThree(count).at(place))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_columns_in_characters() {
        let words = split("  ты\tставит  5 # сколько", 7);
        let seen: Vec<(&str, u64)> = words.iter().map(|w| (w.text, w.place.column)).collect();
        assert_eq!(seen, [("ты", 3), ("ставит", 6), ("5", 14)]);
        assert!(words.iter().all(|word| word.place.line == 7));
        assert!(split(" # only a comment", 1).is_empty());
    }

    #[test]
    fn cards_in_one_word_or_two() {
        let cards = |text| read_cards(text, 1).map(|cards| cards.map(|card| card.to_string()));
        assert_eq!(cards("As Ts 9s").unwrap(), ["As", "Ts", "9s"]);
        assert_eq!(cards("туз пик 10♠ девятка пик").unwrap(), ["As", "Ts", "9s"]);
        assert_eq!(cards("JK Т♠ а♥").unwrap(), ["JK", "As", "Ah"]);
        let wrong = |text| read_cards(text, 3).unwrap_err();
        assert_eq!(wrong("As  Xs 9s").place, Place { line: 3, column: 5 });
        assert_eq!(wrong("As Ts").fault, Fault::NotThree(2));
        assert_eq!(wrong("туз").fault, Fault::NotACard("туз".to_owned()));
        assert_eq!(wrong("").fault, Fault::NotThree(0));
    }
}
