//! A table for tests: seats called A, B, C, …, who holds what, and short commands.

use std::collections::BTreeMap;

use crate::rules::*;

/// A game with the levels of the hands that a test gives its seats.
pub struct Table {
    pub game: Game,
    pub events: Vec<GameEvent>,
    points: BTreeMap<Seat, u32>,
}

/// The seat called by a letter; A is 0.
pub fn seat(name: char) -> Seat {
    Seat(u8::try_from(u32::from(name) - u32::from('A')).unwrap())
}

/// Seats called by the letters of a word.
pub fn seats(names: &str) -> Vec<Seat> {
    names.chars().map(seat).collect()
}

/// A preset's rules in their plainest form, with some switches set before.
pub fn rules(preset: Preset, sets: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in sets {
        rules.set(switch, value).unwrap();
    }
    rules.plain()
}

/// A preset's rules, with some switches set.
pub fn full(preset: Preset, sets: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in sets {
        rules.set(switch, value).unwrap();
    }
    rules
}

impl Table {
    /// A table at which A, B, C, … sit with these stacks.
    pub fn new(rules: HouseRules, stacks: &[Chips]) -> Table {
        let seats: Vec<(Seat, Chips)> = (0..).map(Seat).zip(stacks.iter().copied()).collect();
        let game = Game::for_referee(rules, &seats).unwrap();
        Table { game, events: Vec::new(), points: BTreeMap::new() }
    }

    /// Does what must be accepted; a comparison is settled by the points at once.
    pub fn ok(&mut self, input: Input) -> &mut Table {
        let step = self.game.apply(&input).unwrap_or_else(|error| panic!("{input:?}: {error}"));
        self.game = step.game;
        self.events.extend(step.events);
        assert_eq!(self.game.total(), self.game.total_bought(), "chips after {input:?}");
        self
    }

    /// Tries what must be refused, and gives the reason.
    pub fn no(&self, input: Input) -> String {
        match self.game.apply(&input) {
            Ok(_) => panic!("{input:?} was accepted"),
            Err(error) => error.to_string(),
        }
    }

    /// A hand among all who can pay the ante, with these points; the last seat deals at first.
    pub fn hand(&mut self, dealer: char, points: &[u32]) -> &mut Table {
        let all = self.game.seats();
        let participants: Vec<Seat> =
            all.iter().copied().filter(|seat| self.game.can_ante(*seat)).collect();
        self.points = all.into_iter().zip(points.iter().copied()).collect();
        self.ok(Input::Begin { dealer: seat(dealer), participants }).ok(Input::Dealt)
    }

    /// A move by a letter, settling a comparison by the points.
    pub fn act(&mut self, name: char, action: Action) -> &mut Table {
        self.ok(Input::Move { seat: seat(name), action });
        self.settle()
    }

    /// Nobody lays open three tens; then the points decide.
    pub fn settle(&mut self) -> &mut Table {
        if let Phase::ThreeTens { caller, target } = *self.game.phase() {
            for seat in [caller, target] {
                self.ok(Input::Move { seat, action: Action::Refuse });
            }
        }
        if let Phase::Comparing { caller, target } = *self.game.phase() {
            let result = match self.points[&caller].cmp(&self.points[&target]) {
                std::cmp::Ordering::Greater => CompareResult::Caller,
                std::cmp::Ordering::Less => CompareResult::Target,
                std::cmp::Ordering::Equal => CompareResult::Tie,
            };
            self.ok(Input::Outcome { result });
        }
        self
    }

    pub fn bet(&mut self, name: char, amount: Chips) -> &mut Table {
        self.act(name, Action::Bet(amount))
    }

    pub fn fold(&mut self, name: char) -> &mut Table {
        self.act(name, Action::Fold)
    }

    pub fn compare(&mut self, name: char) -> &mut Table {
        self.act(name, Action::Compare)
    }

    pub fn dark(&mut self, name: char, amount: Chips) -> &mut Table {
        self.act(name, Action::Dark(amount))
    }

    pub fn look(&mut self, name: char) -> &mut Table {
        self.act(name, Action::Look)
    }

    /// Everybody who is still asked lets the time pass.
    pub fn silence(&mut self, names: &str) -> &mut Table {
        for seat in seats(names) {
            self.ok(Input::TimeOut { seat });
        }
        self
    }

    /// The next deal of the hand, with new points.
    pub fn deal(&mut self, points: &[u32]) -> &mut Table {
        self.points = self.game.seats().into_iter().zip(points.iter().copied()).collect();
        self.ok(Input::Dealt)
    }

    /// A move that must be refused, and why.
    pub fn cannot(&self, name: char, action: Action) -> String {
        self.no(Input::Move { seat: seat(name), action })
    }

    /// The stacks in seat order, in chips.
    pub fn stacks(&self) -> Vec<Chips> {
        self.game.stacks().into_values().collect()
    }

    pub fn turn(&self) -> Option<Seat> {
        self.game.turn()
    }

    pub fn is_over(&self) -> bool {
        *self.game.phase() == Phase::Idle
    }

    pub fn price(&self, name: char) -> (Chips, Option<Chips>) {
        let price = self.game.price(seat(name)).unwrap();
        (price.pass, price.compare)
    }

    pub fn legal(&self) -> Vec<(ActionKind, Chips, Chips)> {
        self.game.legal().iter().map(|legal| (legal.kind, legal.min, legal.max)).collect()
    }

    pub fn result(&self) -> (ResultKind, Vec<Seat>, Chips) {
        let result = self.game.result().unwrap();
        (result.kind, result.seats.clone(), result.amount)
    }
}
