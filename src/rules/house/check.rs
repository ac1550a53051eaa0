//! Which switches go together.

use crate::rules::cards::Rank;
use crate::rules::{Chips, RulesError};

use super::{
    Ceiling, ComparePrice, FirstDealer, HouseRules, MAX_SWITCH_CHIPS, MissingAnte, OnOff, OpenPass,
    Opening, Reveal, ThreeTens, TopHand, Wild,
};

impl HouseRules {
    /// Refuses sums out of range and combinations that make no sense.
    ///
    /// # Errors
    /// The first contradiction found, naming its switches.
    pub fn validate(&self) -> Result<(), RulesError> {
        self.check_sums()?;
        self.check_cards()?;
        self.check_dark()?;
        self.check_svara()
    }

    /// Like [`HouseRules::validate`], and for so many players at once.
    ///
    /// # Errors
    /// As above, or more players than the deck serves, or fewer than two.
    pub fn validate_for(&self, players: usize) -> Result<(), RulesError> {
        self.validate()?;
        let most = self.max_players();
        if players < 2 {
            Err(RulesError::TooFewPlayers)
        } else if players > usize::from(most) {
            Err(RulesError::TooManyPlayers { players, most, deck: self.deck().size() })
        } else {
            Ok(())
        }
    }

    fn check_sums(&self) -> Result<(), RulesError> {
        let sum = |switch: &'static str, chips: Chips| match chips {
            1..=MAX_SWITCH_CHIPS => Ok(()),
            _ => Err(RulesError::SumOutOfRange {
                switch: switch.to_owned(),
                chips,
                most: MAX_SWITCH_CHIPS,
            }),
        };
        sum("ante", self.ante)?;
        if let Opening::Chips(chips) = self.opening_minimum {
            sum("opening_minimum", chips)?;
        }
        match self.ceiling {
            Ceiling::None => return Ok(()),
            Ceiling::Chips(chips) | Ceiling::Antes(chips) => sum("ceiling", chips)?,
        }
        let ceiling = self.ceiling().unwrap_or(Chips::MAX);
        if ceiling < self.opening_price() {
            return Err(self.clash(
                "ceiling",
                "opening_minimum",
                "the ceiling may not be below the opening price",
            ));
        }
        Ok(())
    }

    fn check_cards(&self) -> Result<(), RulesError> {
        if self.deck.has(Rank::Six) {
            return Ok(());
        }
        if self.wild == Wild::Shaha {
            return Err(self.clash(
                "wild",
                "deck",
                "shaha is the six of clubs: take 24 or 36 cards",
            ));
        }
        if self.top_hand == TopHand::Sixes {
            return Err(self.clash(
                "top_hand",
                "deck",
                "without sixes three sixes cannot be dealt",
            ));
        }
        Ok(())
    }

    fn check_dark(&self) -> Result<(), RulesError> {
        if !self.dark.is_on() {
            return Ok(());
        }
        let passes = self.compare_price == ComparePrice::Pass;
        match self.open_pass {
            OpenPass::Same if passes => Err(self.clash(
                "open_pass",
                "compare_price",
                "1x goes with floor or fixed, 2x with pass",
            )),
            OpenPass::Double if !passes => Err(self.clash(
                "open_pass",
                "compare_price",
                "1x goes with floor or fixed, 2x with pass",
            )),
            OpenPass::Same if self.knock_out.is_on() => Err(self.clash(
                "open_pass",
                "knock_out",
                "where all pay the same there is nothing to knock out",
            )),
            _ => self.check_dark_ceiling(),
        }
    }

    fn check_dark_ceiling(&self) -> Result<(), RulesError> {
        let spare = match self.open_pass {
            OpenPass::Same => 0,
            OpenPass::Double => 1,
        };
        let least = self.least_dark().saturating_mul(2).saturating_add(spare);
        if self.ceiling().is_some_and(|ceiling| ceiling < least) {
            return Err(self.clash(
                "ceiling",
                "dark",
                &format!("dark play at these stakes needs a ceiling of {least} at least"),
            ));
        }
        Ok(())
    }

    fn check_svara(&self) -> Result<(), RulesError> {
        if self.svara.is_on() {
            if self.svara_dark.is_on() && !self.dark.is_on() {
                return Err(self.clash("svara_dark", "dark", "there is no dark play"));
            }
            return Ok(());
        }
        for (switch, value) in [
            ("boil", self.boil),
            ("pool", self.pool),
            ("pact", self.pact),
            ("svara_dark", self.svara_dark),
        ] {
            if value.is_on() {
                return Err(self.clash(switch, "svara", "without svara it means nothing"));
            }
        }
        Ok(())
    }

    /// The complaint that two switches contradict each other, with their values.
    fn clash(&self, one: &str, other: &str, why: &str) -> RulesError {
        let named = |switch: &str| format!("{switch} = {}", self.value(switch));
        RulesError::Clash { one: named(one), other: named(other), why: why.to_owned() }
    }

    /// A switch's value as text; empty for an unknown name.
    fn value(&self, switch: &str) -> String {
        self.switches()
            .into_iter()
            .find(|(name, _)| *name == switch)
            .map_or_else(String::new, |(_, value)| value)
    }

    /// The plainest game with these cards and stakes: nobody plays dark, nothing is asked, hands are laid
    /// open to be compared, ties divide the bank, the host deals first. For trying things out.
    #[doc(hidden)]
    #[must_use]
    pub fn plain(&self) -> HouseRules {
        HouseRules {
            three_tens: ThreeTens::Off,
            missing_ante: MissingAnte::Automatic,
            dark: OnOff::Off,
            reveal: Reveal::Open,
            svara: OnOff::Off,
            boil: OnOff::Off,
            pool: OnOff::Off,
            pact: OnOff::Off,
            svara_dark: OnOff::Off,
            first_dealer: FirstDealer::Host,
            exposed_card: OnOff::Off,
            ..self.clone()
        }
    }
}
