//! A table of bots on the real rules.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;

use super::*;
use crate::event::{Audience, Event, Outcome, SeatAmount, SeatInfo};
use crate::rules::{
    Card, Chips, CompareResult, Game, GameEvent, HouseRules, Input, Phase, Seat, rank,
};

/// A table of bots that plays the real rules, with cards from a plain shuffle.
pub(super) struct Table {
    pub(super) game: Game,
    bots: BTreeMap<Seat, (Bot, BotView)>,
    hands: BTreeMap<Seat, [Card; 3]>,
    rng: ChaCha12Rng,
    /// Everything that was done, to compare two runs.
    pub(super) log: Vec<String>,
}

impl Table {
    pub(super) fn new(rules: &HouseRules, kinds: &[BotKind], buy_in: Chips, seed: u64) -> Self {
        let seats: Vec<(Seat, Chips)> =
            (0..kinds.len()).map(|seat| (Seat(u8::try_from(seat).unwrap()), buy_in)).collect();
        let game = Game::new(rules.clone(), &seats).unwrap();
        let bots = seats
            .iter()
            .zip(kinds)
            .map(|((seat, _), kind)| {
                let own = seed.wrapping_mul(31).wrapping_add(u64::from(seat.0));
                (*seat, (Bot::new(*kind, own), BotView::new()))
            })
            .collect();
        let rng = ChaCha12Rng::seed_from_u64(seed);
        let mut table = Self { game, bots, hands: BTreeMap::new(), rng, log: Vec::new() };
        table.tell_table();
        table
    }

    fn tell(&mut self, event: &Event) {
        for (_, view) in self.bots.values_mut() {
            view.observe(event);
        }
    }

    fn infos(&self, seats: &[Seat]) -> Vec<SeatInfo> {
        seats
            .iter()
            .map(|seat| SeatInfo {
                seat: *seat,
                name: seat.to_string(),
                stack: self.game.stack(*seat).unwrap(),
            })
            .collect()
    }

    fn tell_table(&mut self) {
        let seats = self.infos(&self.game.seats());
        let rules = self.game.rules().clone();
        for (seat, (_, view)) in &mut self.bots {
            view.observe(&Event::Table {
                id: String::new(),
                name: String::new(),
                rules: Box::new(rules.clone()),
                seats: seats.clone(),
                you: Some(*seat),
            });
        }
    }

    fn apply(&mut self, input: &Input) -> Vec<GameEvent> {
        let step = self.game.apply(input).unwrap_or_else(|error| panic!("{input:?}: {error}"));
        self.game = step.game;
        step.events
    }

    fn rebuys(&mut self) {
        let mut bought = false;
        for seat in self.game.seats() {
            let (bot, view) = self.bots.get_mut(&seat).unwrap();
            while let Some(command) = bot.decide(view) {
                let Command::Rebuy(chips) = command else { panic!("{command:?} between hands") };
                self.log.push(format!("{seat} rebuys {chips}"));
                let step = self.game.apply(&Input::Rebuy { seat, chips }).unwrap();
                self.game = step.game;
                bought = true;
            }
        }
        if bought {
            self.tell_table();
        }
    }

    fn deal(&mut self) {
        let mut deck: Vec<Card> = self.game.rules().deck().cards().collect();
        deck.shuffle(&mut self.rng);
        let mut cards = deck.into_iter();
        self.hands.clear();
        for seat in self.game.participants() {
            let hand = [cards.next().unwrap(), cards.next().unwrap(), cards.next().unwrap()];
            self.hands.insert(seat, hand);
            let points = rank(self.game.rules(), hand).unwrap().points;
            let (_, view) = self.bots.get_mut(&seat).unwrap();
            view.observe(&Event::Cards { cards: hand.to_vec(), points });
        }
    }

    fn level(&self, seat: Seat) -> u32 {
        rank(self.game.rules(), self.hands[&seat]).unwrap().level
    }

    /// Plays a hand; gives the number of moves.
    pub(super) fn play_hand(&mut self) -> u32 {
        self.rebuys();
        let seats: Vec<Seat> =
            self.game.seats().into_iter().filter(|seat| self.game.can_ante(*seat)).collect();
        let dealer = self.game.next_dealer(&seats).unwrap_or(seats[0]);
        self.apply(&Input::Begin { dealer, participants: seats.clone() });
        let infos = self.infos(&seats);
        let hand = self.game.hand_no();
        self.tell(&Event::Hand { hand, dealer, seats: infos, bank: self.game.bank() });
        let dealt = self.apply(&Input::Dealt);
        self.deal();
        self.pass_on(dealt);
        let mut moves = 0;
        loop {
            match self.game.phase().clone() {
                Phase::Idle => return moves,
                Phase::Betting => {
                    moves += 1;
                    assert!(moves < 500, "hands come to an end");
                    let events = self.one_move();
                    self.pass_on(events);
                }
                Phase::Comparing { caller, target } => {
                    let result = match self.level(caller).cmp(&self.level(target)) {
                        std::cmp::Ordering::Greater => CompareResult::Caller,
                        std::cmp::Ordering::Less => CompareResult::Target,
                        std::cmp::Ordering::Equal => CompareResult::Tie,
                    };
                    for seat in [caller, target] {
                        let cards = self.hands[&seat].to_vec();
                        self.tell(&Event::Shown { seat, cards, to: Audience::ALL });
                    }
                    let events = self.apply(&Input::Outcome { result });
                    self.pass_on(events);
                }
                other => panic!("{other:?}"),
            }
        }
    }

    fn one_move(&mut self) -> Vec<GameEvent> {
        let seat = self.game.turn().unwrap();
        let price = self.game.price(seat).map(Price::from);
        let open = self.game.legal();
        let legal: Vec<LegalMove> =
            open.into_iter().filter(|legal| legal.seat == seat).map(LegalMove::from).collect();
        for (other, (_, view)) in &mut self.bots {
            let mine = *other == seat;
            let legal = if mine { legal.clone() } else { Vec::new() };
            view.observe(&Event::Turn { seat, mine, price, legal, seconds: 60 });
        }
        for other in self.game.seats() {
            let (bot, view) = self.bots.get_mut(&other).unwrap();
            let decided = bot.decide(view);
            assert_eq!(decided.is_some(), other == seat, "only the seat to act acts");
            let Some(Command::Move(step)) = decided else {
                continue;
            };
            assert!(is_legal(&legal, &step), "{step:?} is not in {legal:?}");
            assert_eq!(bot.decide(view), None, "and it acts once");
            self.log.push(format!("{seat} {step:?}"));
            let action = step.action().unwrap();
            return self.apply(&Input::Move { seat, action });
        }
        panic!("nobody acts");
    }

    fn pass_on(&mut self, events: Vec<GameEvent>) {
        for event in events {
            let bank = self.game.bank();
            let told = match event {
                GameEvent::Anted { seat, amount } => {
                    Event::Moved { seat, kind: MoveKind::Ante, amount, bank }
                }
                GameEvent::Moved { seat, action, paid } => {
                    Event::Moved { seat, kind: action.kind().into(), amount: paid, bank }
                }
                GameEvent::OutByItself { seat } | GameEvent::TimedOut { seat } => {
                    Event::Moved { seat, kind: MoveKind::Fold, amount: 0, bank }
                }
                GameEvent::Compared { caller, target, result } => {
                    Event::Compared { caller, target, result: Outcome::from(result) }
                }
                GameEvent::Over { result } => Event::Settled {
                    hand: result.hand,
                    stacks: self.game.stacks(),
                    winners: result
                        .paid
                        .iter()
                        .map(|(seat, amount)| SeatAmount { seat: *seat, amount: *amount })
                        .collect(),
                    transcript: None,
                },
                _ => continue,
            };
            self.tell(&told);
        }
    }

    pub(super) fn check_views(&self) {
        for (_, view) in self.bots.values() {
            for (seat, seen) in &view.table().seats {
                assert_eq!(Some(seen.stack), self.game.stack(*seat), "views follow the stacks");
            }
        }
    }
}
