//! House rules: everything the table agrees on before it plays.

mod check;
mod switch;

use serde::{Deserialize, Serialize};

use crate::rules::cards::{Deck, DeckKind, Rank};
use crate::rules::{Chips, RulesError};

use switch::SwitchValue;
pub use switch::{
    Ceiling, CompareFrom, ComparePrice, CompareTie, DarkChain, EntryNewcomer, EntryPlayed,
    FirstDealer, Look, MissingAnte, NextDealer, OnOff, OpenPass, Opening, Preset, Reveal,
    ThreeTens, TopHand, Triples, TwoAces, Wild, WildCopy,
};

/// Most chips that a single switch may name, so that no sum can overflow.
pub const MAX_SWITCH_CHIPS: Chips = 1_000_000_000;

/// Most seats that one deal serves, whatever the deck.
const MAX_PLAYERS: u8 = 10;

/// Declares the switches once: their fields, names, order, reading and writing.
macro_rules! house_rules {
    ($($(#[$doc:meta])* $field:ident: $kind:ty,)+) => {
        /// House rules: one value for every switch.
        ///
        /// Sums are in chips. Any combination can be held; [`HouseRules::validate`] tells which
        /// make sense and [`HouseRules::in_force`] what tables really play.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub struct HouseRules {
            /// The preset these rules began as. It also tells Trinka from Seka, which read three
            /// sixes and three tens differently.
            pub preset: Preset,
            $($(#[$doc])* pub $field: $kind,)+
        }

        impl HouseRules {
            /// The names of all switches, in their fixed order.
            pub const SWITCHES: &'static [&'static str] = &["preset", $(stringify!($field),)+];

            /// Every switch with its value as text, in the order of [`HouseRules::SWITCHES`].
            #[must_use]
            pub fn switches(&self) -> Vec<(&'static str, String)> {
                vec![
                    ("preset", self.preset.to_string()),
                    $((stringify!($field), self.$field.to_string()),)+
                ]
            }

            /// Sets one switch from text; `preset` sets all of them.
            ///
            /// Only the one value is checked here, so the order of several calls does not matter
            /// (`preset` first); [`HouseRules::validate`] checks how they go together.
            ///
            /// # Errors
            /// An unknown switch, or a value it cannot have.
            pub fn set(&mut self, switch: &str, value: &str) -> Result<(), RulesError> {
                match switch {
                    "preset" => *self = HouseRules::preset(read_value("preset", value)?),
                    $(stringify!($field) => {
                        self.$field = read_value(stringify!($field), value)?;
                    })+
                    _ => return Err(RulesError::UnknownSwitch(shorten(switch))),
                }
                Ok(())
            }
        }
    };
}

house_rules! {
    /// The cards, without a joker.
    deck: DeckKind,
    /// Which named hand is the highest.
    top_hand: TopHand,
    /// What two aces count.
    two_aces: TwoAces,
    /// What other triples count.
    triples: Triples,
    /// Three tens and the redeal.
    three_tens: ThreeTens,
    /// The wild card.
    wild: Wild,
    /// Whether the wild card may double a held card.
    wild_copy: WildCopy,
    /// What each puts in before the deal, in chips.
    ante: Chips,
    /// The opening price.
    opening_minimum: Opening,
    /// The most that one payment may be.
    ceiling: Ceiling,
    /// Who sees to a missing ante.
    missing_ante: MissingAnte,
    /// Dark play.
    dark: OnOff,
    /// How many may go dark in a row.
    dark_chain: DarkChain,
    /// What open seats pay to stay against dark ones.
    open_pass: OpenPass,
    /// What a comparison costs while dark play matters.
    compare_price: ComparePrice,
    /// Whether a high open bet ends dark play.
    knock_out: OnOff,
    /// When a dark player may look.
    look: Look,
    /// From when on one may compare.
    compare_from: CompareFrom,
    /// Who sees the cards of a comparison.
    reveal: Reveal,
    /// What equal points in a comparison mean.
    compare_tie: CompareTie,
    /// Replays of a tied bank.
    svara: OnOff,
    /// Whether the last two may agree on a svara without comparing.
    boil: OnOff,
    /// Whether several may pay a svara's entry together.
    pool: OnOff,
    /// Whether two may agree to share a svara's bank.
    pact: OnOff,
    /// Dark play in a svara.
    svara_dark: OnOff,
    /// A svara's price for who lost the hand.
    entry_played: EntryPlayed,
    /// A svara's price for who was not in the hand.
    entry_newcomer: EntryNewcomer,
    /// How the first dealer is found.
    first_dealer: FirstDealer,
    /// Who deals the next hand.
    next_dealer: NextDealer,
    /// Questions about an exposed card.
    exposed_card: OnOff,
}

/// Reads a switch value, or says what could have been written.
fn read_value<T: SwitchValue>(switch: &str, value: &str) -> Result<T, RulesError> {
    T::read(value.trim()).ok_or_else(|| RulesError::BadValue {
        switch: switch.to_owned(),
        value: shorten(value),
        choices: T::choices(),
    })
}

/// Enough of a text from outside to recognise it in a message.
fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

impl HouseRules {
    /// A preset's rules (rules: Presets).
    #[must_use]
    pub const fn preset(preset: Preset) -> HouseRules {
        match preset {
            Preset::TrinkaClassic => HouseRules {
                preset,
                deck: DeckKind::Cards24,
                top_hand: TopHand::Aces,
                two_aces: TwoAces::One,
                triples: Triples::None,
                three_tens: ThreeTens::OnDemand,
                wild: Wild::None,
                wild_copy: WildCopy::Yes,
                ante: 1,
                opening_minimum: Opening::Ante,
                ceiling: Ceiling::Antes(100),
                missing_ante: MissingAnte::Automatic,
                dark: OnOff::On,
                dark_chain: DarkChain::Two,
                open_pass: OpenPass::Same,
                compare_price: ComparePrice::Floor,
                knock_out: OnOff::Off,
                look: Look::AfterFirstCircle,
                compare_from: CompareFrom::CircleOne,
                reveal: Reveal::Neighbours,
                compare_tie: CompareTie::BothStay,
                svara: OnOff::On,
                boil: OnOff::On,
                pool: OnOff::On,
                pact: OnOff::On,
                svara_dark: OnOff::Off,
                entry_played: EntryPlayed::Half,
                entry_newcomer: EntryNewcomer::Half,
                first_dealer: FirstDealer::Lift,
                next_dealer: NextDealer::Winner,
                exposed_card: OnOff::On,
            },
            Preset::TrinkaOnline => HouseRules {
                preset,
                top_hand: TopHand::Sixes,
                three_tens: ThreeTens::OnCompare,
                dark_chain: DarkChain::Unlimited,
                open_pass: OpenPass::Double,
                compare_price: ComparePrice::Pass,
                knock_out: OnOff::On,
                look: Look::AnyTime,
                compare_from: CompareFrom::CircleTwo,
                reveal: Reveal::Sealed,
                boil: OnOff::Off,
                pool: OnOff::Off,
                pact: OnOff::Off,
                entry_newcomer: EntryNewcomer::Full,
                first_dealer: FirstDealer::Random,
                exposed_card: OnOff::Off,
                ..HouseRules::preset(Preset::TrinkaClassic)
            },
            Preset::Seka => HouseRules {
                preset,
                deck: DeckKind::Cards36,
                two_aces: TwoAces::Both,
                three_tens: ThreeTens::Off,
                dark: OnOff::Off,
                compare_price: ComparePrice::Pass,
                compare_from: CompareFrom::LastTwo,
                reveal: Reveal::Open,
                boil: OnOff::Off,
                pool: OnOff::Off,
                pact: OnOff::Off,
                next_dealer: NextDealer::Rotate,
                exposed_card: OnOff::Off,
                ..HouseRules::preset(Preset::TrinkaClassic)
            },
        }
    }

    /// These rules with other values for some switches; `preset` counts first, wherever it stands.
    ///
    /// # Errors
    /// An unknown switch, a value it cannot have, or values that do not go together.
    pub fn with(&self, changes: &[(String, String)]) -> Result<HouseRules, RulesError> {
        let mut rules = self.clone();
        let (presets, others): (Vec<_>, Vec<_>) =
            changes.iter().partition(|(switch, _)| switch == "preset");
        for (switch, value) in presets.into_iter().chain(others) {
            rules.set(switch, value)?;
        }
        rules.validate()?;
        Ok(rules)
    }

    /// The deck, with the joker if it is the wild card.
    #[must_use]
    pub const fn deck(&self) -> Deck {
        Deck { kind: self.deck, joker: matches!(self.wild, Wild::Joker) }
    }

    /// Most seats that one deal serves: three cards each, and ten at most.
    #[must_use]
    pub fn max_players(&self) -> u8 {
        (self.deck().size() / 3).min(MAX_PLAYERS)
    }

    /// What the first bet of a deal must be at least, in chips.
    #[must_use]
    pub const fn opening_price(&self) -> Chips {
        match self.opening_minimum {
            Opening::Ante => self.ante,
            Opening::Chips(chips) => chips,
        }
    }

    /// The most that one payment may be, in chips; none without a ceiling.
    #[must_use]
    pub const fn ceiling(&self) -> Option<Chips> {
        match self.ceiling {
            Ceiling::None => None,
            Ceiling::Chips(chips) => Some(chips),
            Ceiling::Antes(times) => Some(times.saturating_mul(self.ante)),
        }
    }

    /// The least first dark bet, in chips (rules: Dark play).
    #[must_use]
    pub const fn least_dark(&self) -> Chips {
        match self.open_pass {
            OpenPass::Same => self.opening_price(),
            OpenPass::Double => self.opening_price().saturating_add(1),
        }
    }

    /// Whether the game is Trinka: its presets, and any game with its 24 cards.
    ///
    /// Trinka gives three sixes a name and three tens ten points; in Seka both are triples like
    /// others.
    #[must_use]
    pub const fn is_trinka(&self) -> bool {
        matches!(self.preset, Preset::TrinkaClassic | Preset::TrinkaOnline)
            || matches!(self.deck, DeckKind::Cards24)
    }

    /// Whether three sixes are a named hand of their own.
    #[must_use]
    pub const fn sixes_are_named(&self) -> bool {
        self.deck.has(Rank::Six) && (self.is_trinka() || matches!(self.top_hand, TopHand::Sixes))
    }
}
