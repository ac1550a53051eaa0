//! What the options of a table come to, checked.

use super::{Demo, Host, Practice, Rules, RulesPage, check_name};
use crate::house::Source;
use crate::i18n::Problem;
use crate::rules::{Chips, HouseRules, MAX_SWITCH_CHIPS};

/// The usual time for a turn, in seconds.
const THINK: u64 = 60;

/// The usual time for a turn in practice, in seconds: nobody waits, and somebody may be reading.
pub const PRACTICE_THINK: u64 = 300;

/// The rules where none are named.
const USUAL_RULES: &str = "trinka-classic";

/// The most hands that can be asked for.
const MAX_HANDS: u64 = 1_000_000;

/// A table to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TablePlan {
    /// Its name, if one was given.
    pub name: Option<String>,
    /// The rules, all of which are played.
    pub rules: HouseRules,
    /// How many may sit.
    pub seats: u8,
    /// The chips that each sits down with.
    pub buy_in: Chips,
    /// The time for a turn, in seconds.
    pub think: u64,
    /// After how many hands it stops, if ever.
    pub hands: Option<u64>,
    /// How many have to sit before it begins by itself.
    pub min_players: u8,
    /// How many of those who sit are bots of this machine.
    pub bots: u8,
}

/// A demo to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoPlan {
    /// How many nodes.
    pub players: u8,
    /// How many more sit down after the first hand.
    pub late: u8,
    /// How many hands.
    pub hands: u64,
    /// The rules, all of which are played.
    pub rules: HouseRules,
}

impl Rules {
    /// The preset or the file.
    #[must_use]
    pub fn name(&self) -> &str {
        self.preset.as_deref().unwrap_or(USUAL_RULES)
    }

    /// The rules of a table: the preset, then what a rules file, `--set` and `--ante` name.
    ///
    /// # Errors
    /// No such preset or file, a switch that is not understood, or rules that contradict themselves.
    pub fn house_rules(&self, ante: Option<Chips>) -> Result<HouseRules, Problem> {
        let mut rules = chosen(self.name(), &self.set)?;
        if let Some(ante) = ante {
            rules.ante = ante;
        }
        rules.validate()?;
        Ok(rules)
    }

    /// The rules themselves, played at tables or not.
    ///
    /// # Errors
    /// No such preset or file, a switch that is not understood, or rules that contradict
    /// themselves.
    pub fn all(&self) -> Result<HouseRules, Problem> {
        all_rules(self.name(), &self.set)
    }
}

impl RulesPage {
    /// The rules to be told.
    ///
    /// # Errors
    /// As [`Rules::all`].
    pub fn all(&self) -> Result<HouseRules, Problem> {
        let name = self.preset.as_deref().or(self.rules.as_deref());
        all_rules(name.unwrap_or(USUAL_RULES), &self.set)
    }
}

fn all_rules(name: &str, sets: &[String]) -> Result<HouseRules, Problem> {
    let rules = chosen(name, sets)?;
    rules.validate()?;
    Ok(rules)
}

/// A preset, changed by a rules file and by `SWITCH=VALUE`s.
fn chosen(name: &str, sets: &[String]) -> Result<HouseRules, Problem> {
    let source = Source::open(name)?;
    let mut rules = source.rules(HouseRules::preset(source.preset()))?;
    for set in sets {
        let (switch, value) =
            set.split_once('=').ok_or_else(|| Problem::BadSet { text: set.clone() })?;
        rules.set(switch.trim(), value.trim())?;
    }
    Ok(rules)
}

impl Host {
    /// The table that the options describe.
    ///
    /// # Errors
    /// The first option that does not fit.
    pub fn plan(&self) -> Result<TablePlan, Problem> {
        let rules = self.rules.house_rules(self.ante)?;
        let most = u64::from(rules.max_players());
        let seats = in_range("--seats", self.seats.unwrap_or(most), 2, most)?;
        let bots = in_range("--bots", self.bots, 0, seats.saturating_sub(1))?;
        // Whoever opens a table with bots has company as soon as they are there.
        let company = bots.saturating_add(1).max(2);
        let min_players = in_range("--min-players", self.min_players.unwrap_or(company), 2, seats)?;
        let usual = rules.ante.saturating_mul(100).min(MAX_SWITCH_CHIPS);
        let buy_in =
            in_range("--buy-in", self.buy_in.unwrap_or(usual), rules.ante, MAX_SWITCH_CHIPS)?;
        let think = in_range("--think", self.think.unwrap_or(THINK), 5, 3600)?;
        let hands = self.hands.map(|hands| in_range("--hands", hands, 1, MAX_HANDS)).transpose()?;
        Ok(TablePlan {
            name: self.table.as_deref().map(check_name).transpose()?,
            rules,
            seats: small(seats),
            buy_in,
            think,
            hands,
            min_players: small(min_players),
            bots: small(bots),
        })
    }
}

impl Practice {
    /// The table that the options describe: as of a host, with seats for the bots alone.
    ///
    /// # Errors
    /// The first option that does not fit.
    pub fn plan(&self) -> Result<TablePlan, Problem> {
        let most = u64::from(self.rules.house_rules(self.ante)?.max_players());
        let bots = in_range("--bots", self.bots, 1, most.saturating_sub(1))?;
        let sitting = Some(bots.saturating_add(1));
        let host = Host {
            table: None,
            rules: self.rules.clone(),
            seats: sitting,
            buy_in: self.buy_in,
            ante: self.ante,
            think: self.think.or(Some(PRACTICE_THINK)),
            hands: self.hands,
            min_players: sitting,
            bots,
        };
        host.plan()
    }
}

impl Demo {
    /// The demo that the options describe.
    ///
    /// # Errors
    /// The first option that does not fit.
    pub fn plan(&self) -> Result<DemoPlan, Problem> {
        let players = small(in_range("--players", self.players, 2, 10)?);
        let hands = in_range("--hands", self.hands, 1, MAX_HANDS)?;
        let rules = self.rules.house_rules(None)?;
        rules.validate_for(usize::from(players))?;
        let places = u64::from(rules.max_players().saturating_sub(players));
        let late = small(in_range("--late", self.late, 0, places)?);
        Ok(DemoPlan { players, late, hands, rules })
    }
}

/// A number of seats, which has been checked to be small.
fn small(number: u64) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// The number, if it is within its limits.
fn in_range(option: &str, given: u64, min: u64, max: u64) -> Result<u64, Problem> {
    if (min..=max).contains(&given) {
        Ok(given)
    } else {
        Err(Problem::OptionRange { option: option.to_owned(), given, min, max })
    }
}
