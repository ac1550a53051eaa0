//! Cards and decks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The rank of a card, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Rank {
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// Every rank, lowest first.
    pub const ALL: [Rank; 9] = [
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// What the card counts: an ace 11, pictures and the ten 10, the others their number.
    #[must_use]
    pub const fn points(self) -> u32 {
        match self {
            Rank::Six => 6,
            Rank::Seven => 7,
            Rank::Eight => 8,
            Rank::Nine => 9,
            Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => 10,
            Rank::Ace => 11,
        }
    }

    /// Whether it is a jack, queen or king.
    #[must_use]
    pub const fn is_picture(self) -> bool {
        matches!(self, Rank::Jack | Rank::Queen | Rank::King)
    }

    /// The letter or digit it is written with: `6 7 8 9 T J Q K A`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Rank::Six => '6',
            Rank::Seven => '7',
            Rank::Eight => '8',
            Rank::Nine => '9',
            Rank::Ten => 'T',
            Rank::Jack => 'J',
            Rank::Queen => 'Q',
            Rank::King => 'K',
            Rank::Ace => 'A',
        }
    }

    /// Reads a lower-case rank as people type it, in English or Russian.
    fn parse(text: &str) -> Option<Rank> {
        // The Cyrillic т is the initial of туз, an ace; only the Latin t is a ten.
        Some(match text {
            "6" | "шестерка" | "шестёрка" => Rank::Six,
            "7" | "семерка" | "семёрка" => Rank::Seven,
            "8" | "восьмерка" | "восьмёрка" => Rank::Eight,
            "9" | "девятка" => Rank::Nine,
            "t" | "10" | "десятка" => Rank::Ten,
            "j" | "в" | "валет" => Rank::Jack,
            "q" | "д" | "дама" => Rank::Queen,
            "k" | "к" | "король" => Rank::King,
            "a" | "а" | "т" | "туз" => Rank::Ace,
            _ => return None,
        })
    }
}

/// The suit of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// Every suit, in the order of the deck. No suit is worth more than another.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The letter it is written with: `c d h s`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Suit::Clubs => 'c',
            Suit::Diamonds => 'd',
            Suit::Hearts => 'h',
            Suit::Spades => 's',
        }
    }

    /// The sign it is shown with: `♣ ♦ ♥ ♠`.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
        }
    }

    /// Reads a lower-case suit as people type it, in English or Russian.
    fn parse(text: &str) -> Option<Suit> {
        Some(match text {
            "c" | "♣" | "♧" | "треф" | "трефы" | "крести" | "крестей" => {
                Suit::Clubs
            }
            "d" | "♦" | "♢" | "б" | "бубен" | "бубны" | "бубей" => {
                Suit::Diamonds
            }
            "h" | "♥" | "♡" | "ч" | "червей" | "черви" | "червы" => {
                Suit::Hearts
            }
            "s" | "♠" | "♤" | "п" | "пик" | "пики" => Suit::Spades,
            _ => return None,
        })
    }
}

/// A card: the joker, or a rank and a suit.
///
/// Held as its index in one fixed order of all cards there are (by rank, then suit, the joker
/// last), which no deck changes. A card's place *in a deck* is [`Deck::index_of`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The joker.
    pub const JOKER: Card = Card(36);
    /// How many cards there are, the joker included.
    pub const COUNT: u8 = 37;

    /// The card of this rank and suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// The card with this index in the fixed order of all cards.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < Card::COUNT { Some(Card(index)) } else { None }
    }

    /// Its index in the fixed order of all cards.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its rank; the joker has none.
    #[must_use]
    pub fn rank(self) -> Option<Rank> {
        Rank::ALL.get(usize::from(self.0 / 4)).copied()
    }

    /// Its suit; the joker has none.
    #[must_use]
    pub fn suit(self) -> Option<Suit> {
        if self.is_joker() {
            return None;
        }
        Suit::ALL.get(usize::from(self.0 % 4)).copied()
    }

    /// Whether it is the joker.
    #[must_use]
    pub const fn is_joker(self) -> bool {
        self.0 == Card::JOKER.0
    }
}

impl fmt::Display for Card {
    /// `As`, `Ts`, `9s`; the joker is `JK`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => write!(f, "{}{}", rank.letter(), suit.letter()),
            _ => f.write_str("JK"),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Card({self})")
    }
}

/// A text that is no card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0:?} is no card: write a rank (6 7 8 9 T J Q K A) and a suit (c d h s), or JK")]
pub struct NotACard(pub String);

impl FromStr for Card {
    type Err = NotACard;

    /// Reads `As`, `10s`, `A♠`, `Т♠` (the Cyrillic letter: an ace), `туз пик`, `JK`, in any case.
    fn from_str(text: &str) -> Result<Card, NotACard> {
        let no = || NotACard(text.chars().take(32).collect());
        if text.len() > 64 {
            return Err(no());
        }
        // U+FE0F asks for the colourful shape of a suit sign; it says nothing about the card.
        let plain: String = text.to_lowercase().replace('\u{fe0f}', "");
        let plain = plain.trim();
        if matches!(plain, "jk" | "joker" | "джокер") {
            return Ok(Card::JOKER);
        }
        let (rank, suit) = match plain.split_once(char::is_whitespace) {
            Some((rank, suit)) => (rank, suit.trim_start()),
            None => {
                let last = plain.char_indices().next_back().ok_or_else(no)?.0;
                plain.split_at_checked(last).ok_or_else(no)?
            }
        };
        match (Rank::parse(rank), Suit::parse(suit)) {
            (Some(rank), Some(suit)) => Ok(Card::new(rank, suit)),
            _ => Err(no()),
        }
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_u8(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            text.parse().map_err(de::Error::custom)
        } else {
            let index = u8::deserialize(deserializer)?;
            Card::from_index(index).ok_or_else(|| de::Error::custom("no card has this number"))
        }
    }
}

/// Which cards a game is played with, before a joker is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DeckKind {
    /// Trinka: 6 7 8 9 10 A.
    #[serde(rename = "24")]
    Cards24,
    /// Seka without sixes.
    #[serde(rename = "32")]
    Cards32,
    /// Seka: six to ace with pictures.
    #[serde(rename = "36")]
    Cards36,
}

impl DeckKind {
    /// Whether cards of this rank are in it.
    #[must_use]
    pub const fn has(self, rank: Rank) -> bool {
        match self {
            DeckKind::Cards24 => !rank.is_picture(),
            DeckKind::Cards32 => !matches!(rank, Rank::Six),
            DeckKind::Cards36 => true,
        }
    }
}

impl fmt::Display for DeckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DeckKind::Cards24 => "24",
            DeckKind::Cards32 => "32",
            DeckKind::Cards36 => "36",
        })
    }
}

/// A deck: its cards in a fixed order, by rank, then suit, a joker last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Deck {
    /// Which ranks it holds.
    pub kind: DeckKind,
    /// Whether a joker is added.
    pub joker: bool,
}

impl Deck {
    /// How many cards it has.
    #[must_use]
    pub const fn size(self) -> u8 {
        let plain = match self.kind {
            DeckKind::Cards24 => 24,
            DeckKind::Cards32 => 32,
            DeckKind::Cards36 => 36,
        };
        plain + self.joker as u8
    }

    /// Its cards in order.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        (0..Card::COUNT).map(Card).filter(move |card| self.contains(*card))
    }

    /// Whether this card is in it.
    #[must_use]
    pub fn contains(self, card: Card) -> bool {
        card.rank().map_or(self.joker, |rank| self.kind.has(rank))
    }

    /// The card at place `index`, counted from 0.
    #[must_use]
    pub fn card(self, index: u8) -> Option<Card> {
        self.cards().nth(usize::from(index))
    }

    /// The place of a card, counted from 0; none if the deck does not hold it.
    #[must_use]
    pub fn index_of(self, card: Card) -> Option<u8> {
        let place = self.cards().position(|other| other == card)?;
        u8::try_from(place).ok()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_as_it_is_written() {
        for index in 0..Card::COUNT {
            let card = Card::from_index(index).unwrap();
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        assert_eq!(Card::from_index(Card::COUNT), None);
    }

    #[test]
    fn typed_forms_in_both_languages() {
        let ace = Card::new(Rank::Ace, Suit::Spades);
        let ten = Card::new(Rank::Ten, Suit::Spades);
        for text in ["As", "as", "AS", "A♠", "A♠\u{fe0f}", "Т♠", "А♠", "туз пик", " Туз  пик "]
        {
            assert_eq!(text.parse(), Ok(ace), "{text}");
        }
        for text in ["Ts", "10s", "10♠", "T♠", "десятка пик"] {
            assert_eq!(text.parse(), Ok(ten), "{text}");
        }
        for text in ["JK", "jk", "джокер"] {
            assert_eq!(text.parse(), Ok(Card::JOKER), "{text}");
        }
        for text in ["", "A", "s", "1s", "Ax", "♠", "As9s", "11s", "♠A", "туз", &"a".repeat(99)]
        {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }

    #[test]
    fn decks_number_their_cards() {
        for kind in [DeckKind::Cards24, DeckKind::Cards32, DeckKind::Cards36] {
            for joker in [false, true] {
                let deck = Deck { kind, joker };
                assert_eq!(deck.cards().count(), usize::from(deck.size()));
                for index in 0..deck.size() {
                    let card = deck.card(index).unwrap();
                    assert_eq!(deck.index_of(card), Some(index));
                }
                assert_eq!(deck.card(deck.size()), None);
                assert_eq!(deck.contains(Card::JOKER), joker);
            }
        }
        let trinka = Deck { kind: DeckKind::Cards24, joker: false };
        assert_eq!(trinka.index_of("Ks".parse().unwrap()), None);
        assert_eq!(trinka.card(20), Some("Ac".parse().unwrap()));
    }
}
