//! Replays a script by the rules.

use std::collections::{BTreeMap, BTreeSet};

use super::fault::{Failure, Fault, Place};
use super::holding::{Holding, compare};
use super::line::{Command, Expect, Play, Points, check_name};
use super::state::{State, phase_word};
use super::words::Word;
use crate::rules::{
    Action, Card, Chips, DealKind, Game, HouseRules, Input, MAX_TABLE_CHIPS, Phase, Preset,
    RulesError, Seat, ThreeTens,
};

/// The most seats that the referee keeps.
const MAX_SEATS: usize = 64;

/// Whether an action may come before the deal is finished.
const fn is_before_deal(action: Action) -> bool {
    matches!(action, Action::Expose(_) | Action::Keep | Action::Replace(_))
}

impl Play<'_> {
    /// Whether it may come before the deal is finished.
    fn before_deal(&self) -> bool {
        match self {
            Play::Expose(_)
            | Play::ExposeOwn(_)
            | Play::Lost(_)
            | Play::Newcomer { .. }
            | Play::Rebuy { .. } => true,
            Play::Move { action, .. } => is_before_deal(*action),
            _ => false,
        }
    }
}

/// A script in the middle of its replay.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    rules: HouseRules,
    /// The lines that changed the rules: which switch, and where it stands.
    rules_at: Vec<(String, Place)>,
    /// Whether they can still be changed.
    rules_open: bool,
    /// By seat.
    names: Vec<String>,
    /// The stacks before there is a game, by seat.
    stacks: Vec<Chips>,
    game: Option<Game>,
    /// Who is to deal next, if the script says so.
    dealer: Option<Seat>,
    /// Who is not dealt in with the next hand.
    away: BTreeSet<Seat>,
    /// What is held in the deal to come.
    coming: BTreeMap<Seat, Holding>,
    /// What is held in the deal being played.
    held: BTreeMap<Seat, Holding>,
    /// `hand` has been read: cards are dealt as soon as none may be exposed any more.
    dealing: bool,
    /// A line with `!` is tried: nothing is done for it.
    strict: bool,
    /// The last line that was read.
    last: Place,
}

impl Default for Replay {
    fn default() -> Replay {
        Replay {
            rules: HouseRules::preset(Preset::TrinkaClassic),
            rules_at: Vec::new(),
            rules_open: true,
            names: Vec::new(),
            stacks: Vec::new(),
            game: None,
            dealer: None,
            away: BTreeSet::new(),
            coming: BTreeMap::new(),
            held: BTreeMap::new(),
            dealing: false,
            strict: false,
            last: Place::default(),
        }
    }
}

impl Replay {
    /// Does what a line says. A line that had to be refused, and was, gives the reason.
    pub(super) fn run(
        &mut self,
        command: &Command<'_>,
        place: Place,
    ) -> Result<Option<Failure>, Failure> {
        self.last = place;
        match command {
            Command::Rules(preset) => self.set_rules("preset", *preset, *preset)?,
            Command::Set { switch, value } => self.set_rules(switch.text, *switch, *value)?,
            Command::Seat { name, chips } => self.seat(*name, *chips)?,
            Command::Dealer(name) => self.dealer = Some(self.find(*name)?),
            Command::Cards { name, cards } => self.cards(*name, *cards)?,
            Command::Points { name, points } => self.points(*name, *points)?,
            Command::Expect(all) => {
                self.flush().map_err(|fault| fault.at(place))?;
                for expect in all {
                    self.expect(expect)?;
                }
            }
            Command::Play(play) => self.play(play, place)?,
            Command::Refused(play) => return self.refused(play, place).map(Some),
        }
        Ok(None)
    }

    /// Deals what is still to be dealt when the script ends.
    pub(super) fn end(&mut self) -> Result<(), Failure> {
        if self.game.is_none() && self.names.is_empty() {
            // A script of rules alone is sound if they are.
            return self.close_rules();
        }
        self.start()?;
        let at = self.last;
        self.flush().map_err(|fault| fault.at(at))
    }

    pub(super) fn state(&self) -> State {
        match &self.game {
            Some(game) => State::of(game, |seat| self.name(seat)),
            None => {
                State::empty(self.names.iter().cloned().zip(self.stacks.iter().copied()).collect())
            }
        }
    }

    pub(super) fn names(self) -> Vec<String> {
        self.names
    }

    fn name(&self, seat: Seat) -> String {
        self.names.get(usize::from(seat.0)).cloned().unwrap_or_else(|| seat.to_string())
    }

    fn find(&self, word: Word<'_>) -> Result<Seat, Failure> {
        let at = self.names.iter().position(|name| name == word.text);
        let seat = at.and_then(|at| u8::try_from(at).ok()).map(Seat);
        seat.ok_or_else(|| word.fault(Fault::NoSuchName(word.short())))
    }

    fn set_rules(
        &mut self,
        switch: &str,
        switch_at: Word<'_>,
        value: Word<'_>,
    ) -> Result<(), Failure> {
        if !self.rules_open {
            return Err(switch_at.fault(Fault::TooLate(switch_at.short())));
        }
        self.rules.set(switch, value.text).map_err(|error| {
            let at = match error {
                RulesError::UnknownSwitch(_) => switch_at,
                _ => value,
            };
            at.fault(Fault::Rules(error))
        })?;
        self.rules_at.push((switch.to_owned(), switch_at.place));
        Ok(())
    }

    /// From here on the rules are what they are.
    fn close_rules(&mut self) -> Result<(), Failure> {
        self.rules_open = false;
        self.rules.validate().map_err(|error| self.wrong_rules(error))
    }

    /// Rules that make no sense: told at the last line that sets what is wrong with them.
    fn wrong_rules(&self, error: RulesError) -> Failure {
        let named = error.switches();
        let lines = self.rules_at.iter().rev();
        let at = lines.clone().find(|(switch, _)| named.contains(&switch.as_str()));
        let at = at.or(lines.clone().next()).map(|(_, place)| *place);
        Fault::Rules(error).at(at.unwrap_or(Place { line: 1, column: 1 }))
    }

    fn seat(&mut self, name: Word<'_>, chips: Chips) -> Result<(), Failure> {
        if self.game.is_some() {
            return Err(name.fault(Fault::TooLate(name.short())));
        }
        let others = self.stacks.iter().fold(chips, |sum, stack| sum.saturating_add(*stack));
        if chips == 0 || others > MAX_TABLE_CHIPS {
            let error = RulesError::BadBuyIn { chips, most: MAX_TABLE_CHIPS };
            return Err(name.fault(error.into()));
        }
        self.new_name(name)?;
        self.stacks.push(chips);
        Ok(())
    }

    fn new_name(&mut self, name: Word<'_>) -> Result<Seat, Failure> {
        check_name(name)?;
        if self.find(name).is_ok() {
            return Err(name.fault(Fault::NameTwice(name.short())));
        }
        let most = u64::try_from(MAX_SEATS).unwrap_or(u64::MAX);
        let seat = u8::try_from(self.names.len()).ok().filter(|_| self.names.len() < MAX_SEATS);
        let seat = seat.ok_or_else(|| name.fault(Fault::TooManySeats(most)))?;
        self.names.push(name.text.to_owned());
        Ok(Seat(seat))
    }

    /// Makes the game if there is none yet.
    fn start(&mut self) -> Result<(), Failure> {
        if self.game.is_some() {
            return Ok(());
        }
        self.close_rules()?;
        let seats: Vec<(Seat, Chips)> = (0..).map(Seat).zip(self.stacks.iter().copied()).collect();
        let game = Game::for_referee(self.rules.clone(), &seats);
        self.game = Some(game.map_err(|error| self.wrong_rules(error))?);
        Ok(())
    }

    /// The game, once there is one.
    pub(super) fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Whether cards are dealt as soon as something is asked of the hand.
    pub(super) fn is_dealing(&self) -> bool {
        self.dealing && matches!(self.phase(), Phase::AwaitDeal { .. })
    }

    fn phase(&self) -> &Phase {
        self.game.as_ref().map_or(&Phase::Idle, Game::phase)
    }

    /// Tells the game something.
    fn apply(&mut self, input: &Input) -> Result<(), Fault> {
        let game = self.game.as_ref().ok_or(RulesError::NoMoveAwaited)?;
        self.game = Some(game.apply(input)?.game);
        Ok(())
    }

    /// The holdings that a `cards` line speaks of: those of the deal being played, else of the next.
    fn holdings(&mut self) -> &mut BTreeMap<Seat, Holding> {
        let now = match self.phase() {
            Phase::AwaitDeal { .. } | Phase::MissingAnte => self.dealing,
            Phase::Exposed { .. }
            | Phase::Betting
            | Phase::ThreeTens { .. }
            | Phase::Comparing { .. }
            | Phase::Boil { .. }
            | Phase::Showdown => true,
            _ => false,
        };
        if now { &mut self.held } else { &mut self.coming }
    }

    fn cards(&mut self, name: Word<'_>, cards: [Card; 3]) -> Result<(), Failure> {
        let seat = self.find(name)?;
        self.close_rules()?;
        let holding = Holding::of_cards(&self.rules, cards)
            .map_err(|error| name.fault(Fault::Rules(error)))?;
        let others = self.holdings().iter().filter(|(other, _)| **other != seat);
        if let Some(card) = others.into_iter().find_map(|(_, other)| other.shares(&holding)) {
            return Err(name.fault(RulesError::CardTwice(card).into()));
        }
        self.holdings().insert(seat, holding);
        Ok(())
    }

    fn points(&mut self, name: Word<'_>, points: Points) -> Result<(), Failure> {
        let seat = self.find(name)?;
        self.close_rules()?;
        let holding = Holding::of_points(&self.rules, points)
            .ok_or_else(|| name.fault(Fault::BadPoints("34".to_owned())))?;
        self.holdings().insert(seat, holding);
        Ok(())
    }

    fn holding(&self, seat: Seat) -> Result<&Holding, Fault> {
        self.held.get(&seat).ok_or(Fault::CardsUnknown(seat))
    }

    /// Tries on a copy what has to be refused.
    fn refused(&mut self, play: &Play<'_>, place: Place) -> Result<Failure, Failure> {
        if !play.before_deal() {
            self.flush().map_err(|fault| fault.at(place))?;
        }
        let mut copy = Replay { strict: true, ..self.clone() };
        match copy.play(play, place) {
            Ok(()) => Err(Fault::NotRefused.at(place)),
            Err(failure) if failure.fault.is_refusal() => Ok(failure),
            Err(failure) => Err(failure),
        }
    }

    fn play(&mut self, play: &Play<'_>, place: Place) -> Result<(), Failure> {
        self.start()?;
        let input = match play {
            Play::Hand => return self.hand().map_err(|fault| fault.at(place)),
            Play::Newcomer { name, chips } => {
                let seat = self.new_name(*name)?;
                Input::Sit { seat, chips: *chips }
            }
            Play::Move { name, action } => Input::Move { seat: self.find(*name)?, action: *action },
            Play::Pool(parts) => {
                let part = |(name, chips): &(Word<'_>, Chips)| Ok((self.find(*name)?, *chips));
                Input::Pool { parts: parts.iter().map(part).collect::<Result<_, Failure>>()? }
            }
            Play::Pact(one, other) => Input::Pact { seats: [self.find(*one)?, self.find(*other)?] },
            Play::Expose(name) => {
                let seat = self.find(*name)?;
                let dealer = self.game.as_ref().and_then(Game::dealer).unwrap_or(seat);
                Input::Move { seat: dealer, action: Action::Expose(seat) }
            }
            Play::ExposeOwn(name) => {
                let seat = self.find(*name)?;
                Input::Move { seat, action: Action::Expose(seat) }
            }
            Play::Lost(name) => Input::Lost { seat: self.find(*name)? },
            Play::CardsLost => Input::LayerLost,
            Play::Rebuy { name, chips } => Input::Rebuy { seat: self.find(*name)?, chips: *chips },
            Play::Away(name) => {
                let seat = self.find(*name)?;
                let begun = !matches!(self.phase(), Phase::Idle);
                self.away.extend((!begun).then_some(seat));
                return match begun {
                    true => Err(name.fault(RulesError::HandRunning.into())),
                    false => Ok(()),
                };
            }
            Play::Lift { name, cards } => {
                Input::Lift { seat: self.find(*name)?, cards: cards.clone() }
            }
            Play::Count(cards) => Input::Count { cards: cards.clone() },
        };
        self.tell(&input).map_err(|fault| fault.at(place))
    }

    /// Tells the game what a line says, after what it leaves out.
    fn tell(&mut self, input: &Input) -> Result<(), Fault> {
        match input {
            Input::Move { action, .. } if is_before_deal(*action) => {}
            Input::Sit { .. } | Input::Rebuy { .. } | Input::Lost { .. } => {}
            Input::Lift { .. } | Input::Count { .. } => self.begin_choice()?,
            _ => {
                self.silence_before(input)?;
                self.flush()?;
            }
        }
        let before = self.game.clone();
        self.apply(input)?;
        if let Input::Move { seat, action: Action::Redeal | Action::Accept } = input
            && matches!(self.phase(), Phase::AwaitDeal { kind: DealKind::Redeal { .. } })
            && !self.held.get(seat).is_some_and(|held| held.three_tens(&self.rules))
        {
            self.game = before;
            return Err(Fault::NoThreeTens(*seat));
        }
        self.settle()
    }

    /// Before the first hand, and after one that was divided, cards may tell who deals.
    fn begin_choice(&mut self) -> Result<(), Fault> {
        if matches!(self.phase(), Phase::SvaraSplit | Phase::SvaraEntry) && !self.strict {
            self.all_silent()?;
        }
        let participants = self.participants();
        let game = self.game.as_ref().ok_or(RulesError::NoMoveAwaited)?;
        if *game.phase() == Phase::Idle && game.must_choose_dealer(&participants) {
            self.apply(&Input::ChooseDealer { host: Seat(0), participants })?;
        }
        Ok(())
    }

    /// Lets the time pass for those whose answer this line shows to be over.
    fn silence_before(&mut self, input: &Input) -> Result<(), Fault> {
        let Some(game) = self.game.as_ref().filter(|_| !self.strict) else {
            return Ok(());
        };
        let asked = game.awaited();
        let initiators = game.initiators();
        let enters = |seat: &Seat| !asked.contains(seat) && !initiators.contains(seat);
        let over = match (game.phase(), input) {
            (Phase::SvaraEntry, Input::Move { seat, action: Action::Enter | Action::StayOut }) => {
                enters(seat)
            }
            (Phase::SvaraEntry, Input::Pool { parts }) => {
                parts.iter().any(|(seat, _)| enters(seat))
            }
            (Phase::MissingAnte, Input::Move { action, .. }) => {
                game.turn().is_none() && !matches!(action, Action::Ante | Action::Omit)
            }
            _ => false,
        };
        // Of a svara only the initiators are silent: the others are asked after them.
        let all = !matches!(game.phase(), Phase::SvaraEntry);
        for seat in asked.iter().filter(|seat| over && (all || initiators.contains(seat))) {
            self.apply(&Input::TimeOut { seat: *seat })?;
        }
        Ok(())
    }

    /// Lets the time pass for everybody who is asked about a svara.
    fn all_silent(&mut self) -> Result<(), Fault> {
        while matches!(self.phase(), Phase::SvaraSplit | Phase::SvaraEntry) {
            let asked = self.game.as_ref().map(Game::awaited).unwrap_or_default();
            let Some(seat) = asked.first() else {
                break;
            };
            self.apply(&Input::TimeOut { seat: *seat })?;
        }
        Ok(())
    }

    /// Everybody who can be dealt in.
    fn participants(&self) -> Vec<Seat> {
        let Some(game) = &self.game else {
            return Vec::new();
        };
        let plays = |seat: &Seat| game.can_ante(*seat) && !self.away.contains(seat);
        game.seats().into_iter().filter(plays).collect()
    }

    /// The line `hand`: a new hand, or the deal that is awaited.
    fn hand(&mut self) -> Result<(), Fault> {
        if matches!(self.phase(), Phase::SvaraSplit | Phase::SvaraEntry) && !self.strict {
            self.all_silent()?;
        }
        if let Phase::DealerChoice { seats } = self.phase().clone() {
            let next_hand = self.game.as_ref().is_some_and(|game| game.initiators().is_empty());
            let dealer = match (self.dealer.take(), seats.first()) {
                (Some(seat), _) => seat,
                // Without a lift the first of them from the old dealer's left deals the svara.
                (None, Some(first)) if !next_hand => *first,
                _ => return Err(Fault::DealerOpen),
            };
            self.apply(&Input::DealerIs { seat: dealer })?;
        }
        match self.phase() {
            Phase::Idle => self.first_deal()?,
            Phase::AwaitDeal { .. } if !self.dealing => {
                let dealer = self.game.as_ref().and_then(Game::dealer);
                if let (Some(given), Some(dealer)) = (self.dealer.take(), dealer)
                    && given != dealer
                {
                    return Err(Fault::DealerFixed(dealer));
                }
            }
            _ => return Err(RulesError::HandRunning.into()),
        }
        self.dealing = true;
        self.held = std::mem::take(&mut self.coming);
        Ok(())
    }

    fn first_deal(&mut self) -> Result<(), Fault> {
        let participants = self.participants();
        let known = self.game.as_ref().and_then(|game| game.next_dealer(&participants));
        let dealer = self.dealer.take().or(known).or(participants.last().copied());
        let dealer = dealer.ok_or(RulesError::TooFewPlayers)?;
        self.apply(&Input::Begin { dealer, participants })?;
        self.away.clear();
        Ok(())
    }

    /// Deals, once nothing more is said before it.
    fn flush(&mut self) -> Result<(), Fault> {
        if self.dealing && matches!(self.phase(), Phase::AwaitDeal { .. }) {
            self.dealing = false;
            self.apply(&Input::Dealt)?;
            self.settle()?;
        }
        Ok(())
    }

    /// Answers from the cards what needs them.
    fn settle(&mut self) -> Result<(), Fault> {
        loop {
            match *self.phase() {
                Phase::ThreeTens { .. } => {
                    let asked = self.game.as_ref().map(Game::awaited).unwrap_or_default();
                    let mut others = Vec::new();
                    for seat in asked {
                        if !self.holding(seat)?.three_tens(&self.rules) {
                            others.push(seat);
                        }
                    }
                    let Some(seat) = others.first() else {
                        return Ok(());
                    };
                    self.apply(&Input::Move { seat: *seat, action: Action::Refuse })?;
                }
                Phase::Comparing { caller, target } => {
                    let (mine, theirs) = (self.holding(caller)?, self.holding(target)?);
                    let tens = [(caller, mine), (target, theirs)]
                        .into_iter()
                        .find(|(_, holding)| holding.three_tens(&self.rules))
                        .filter(|_| self.rules.three_tens == ThreeTens::OnCompare);
                    let result = compare(mine.worth(&self.rules), theirs.worth(&self.rules));
                    self.apply(&match tens {
                        Some((holder, _)) => Input::Tens { holder },
                        None => Input::Outcome { result },
                    })?;
                }
                Phase::Showdown => {
                    let active = self.game.as_ref().map(Game::active).unwrap_or_default();
                    let mut best: (u32, Vec<Seat>) = (0, Vec::new());
                    for seat in active {
                        let level = self.holding(seat)?.worth(&self.rules).level;
                        match level.cmp(&best.0) {
                            std::cmp::Ordering::Greater => best = (level, vec![seat]),
                            std::cmp::Ordering::Equal => best.1.push(seat),
                            std::cmp::Ordering::Less => {}
                        }
                    }
                    self.apply(&Input::Best { seats: best.1 })?;
                }
                _ => return Ok(()),
            }
        }
    }

    fn expect(&mut self, expect: &Expect<'_>) -> Result<(), Failure> {
        self.start()?;
        let state = self.state();
        let none = || "-".to_owned();
        let (at, what, expected, found) = match expect {
            Expect::Stack { name, chips } => {
                let seat = self.find(*name)?;
                let stack = self.game.as_ref().and_then(|game| game.stack(seat));
                let found = stack.map_or_else(none, |stack| stack.to_string());
                (*name, format!("stack {}", name.text), chips.to_string(), found)
            }
            Expect::Bank { at, chips } => {
                (*at, "bank".to_owned(), chips.to_string(), state.bank.to_string())
            }
            Expect::Turn(name) => {
                if name.text != "-" {
                    self.find(*name)?;
                }
                let found = state.turn.unwrap_or_else(none);
                (*name, "turn".to_owned(), name.text.to_owned(), found)
            }
            Expect::Active { at, names } => {
                let mut seats = Vec::new();
                for name in names.iter().filter(|name| name.text != "-") {
                    seats.push(self.find(*name)?);
                }
                seats.sort_unstable();
                let expected: Vec<String> = seats.into_iter().map(|seat| self.name(seat)).collect();
                (*at, "active".to_owned(), expected.join(" "), state.active.join(" "))
            }
            Expect::Phase(phase) => {
                let found = self.game.as_ref().map_or("idle", phase_word);
                (*phase, "phase".to_owned(), phase.text.to_owned(), found.to_owned())
            }
            Expect::Price { name, pass, compare } => {
                let seat = self.find(*name)?;
                let price = self.game.as_ref().and_then(|game| game.price(seat));
                let text =
                    |chips: Option<Chips>| chips.map_or_else(none, |chips| chips.to_string());
                let half = |word: &str, asked: Option<String>, is: Option<Chips>| {
                    asked.map(|asked| (format!("{word} {asked}"), format!("{word} {}", text(is))))
                };
                let pass = half("pass", pass.map(|chips| chips.to_string()), price.map(|p| p.pass));
                let compare =
                    half("compare", compare.map(text), price.and_then(|price| price.compare));
                let (expected, found): (Vec<String>, Vec<String>) =
                    pass.into_iter().chain(compare).unzip();
                (*name, format!("price {}", name.text), expected.join(" "), found.join(" "))
            }
        };
        if expected == found {
            return Ok(());
        }
        Err(at.fault(Fault::Expected { what, expected, found }))
    }
}
