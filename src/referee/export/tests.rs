//! Random hands without a network: everything that can happen to a hand, far more often than it does.

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;

use super::*;
use crate::referee::referee;
use crate::rules::{ActionKind, CompareResult, Deck, FirstDealer, Preset, ThreeTens, rank};

/// A hand that plays itself.
struct Table {
    rng: ChaCha20Rng,
    game: Game,
    inputs: Vec<Input>,
    held: BTreeMap<Seat, [Card; 3]>,
    deals: Vec<BTreeMap<Seat, [Card; 3]>>,
    open: Vec<Card>,
    /// How often in a thousand steps something goes wrong.
    trouble: u32,
    /// Whether the cards may get lost.
    layers: bool,
}

impl Table {
    fn tell(&mut self, input: Input) -> bool {
        let Ok(step) = self.game.apply(&input) else { return false };
        self.game = step.game;
        self.inputs.push(input);
        true
    }

    fn shuffled(&mut self) -> Vec<Card> {
        let deck: Deck = self.game.rules().deck();
        let mut cards: Vec<Card> = deck.cards().collect();
        cards.shuffle(&mut self.rng);
        cards
    }

    fn level(&self, seat: Seat) -> u32 {
        rank(self.game.rules(), self.held[&seat]).unwrap().level
    }

    fn tens(&self, seat: Seat) -> bool {
        rank(self.game.rules(), self.held[&seat]).unwrap().three_tens
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.rng.random_range(0..all.len())]
    }

    fn trouble(&mut self) {
        let seats = self.game.seats();
        let seat = self.pick(&seats);
        let input = match self.rng.random_range(0..6) {
            0 | 1 => Input::Lost { seat },
            2 => Input::Rebuy { seat, chips: 7 },
            3 if seats.len() < 7 => {
                Input::Sit { seat: Seat(seats.last().unwrap().0 + 1), chips: 30 }
            }
            4 => match self.game.awaited().first().copied() {
                Some(seat) => Input::TimeOut { seat },
                None => Input::TimeOut { seat },
            },
            _ if self.layers => Input::LayerLost,
            _ => return,
        };
        self.tell(input);
    }

    fn step(&mut self) {
        if self.rng.random_range(0..1000) < self.trouble {
            self.trouble();
        }
        match self.game.phase().clone() {
            Phase::Idle => {}
            Phase::AwaitDeal { .. } => {
                let expose: Vec<_> = self.game.legal().into_iter().collect();
                if !expose.is_empty() && self.rng.random_ratio(1, 4) {
                    let legal = self.pick(&expose);
                    let action = legal.action(legal.min).unwrap();
                    self.tell(Input::Move { seat: legal.seat, action });
                    return;
                }
                let cards = self.shuffled();
                let seats = self.game.participants();
                let hands = cards.chunks_exact(3).map(|c| [c[0], c[1], c[2]]);
                self.held = seats.into_iter().zip(hands).collect();
                if self.rng.random_ratio(1, 6) {
                    // Three tens are rare.
                    self.tens_to_somebody();
                }
                if self.tell(Input::Dealt) {
                    self.deals.push(self.held.clone());
                }
            }
            Phase::Comparing { caller, target } => {
                let (one, other) = (self.level(caller), self.level(target));
                let holder = [caller, target].into_iter().find(|seat| self.tens(*seat));
                let result = match one.cmp(&other) {
                    std::cmp::Ordering::Greater => CompareResult::Caller,
                    std::cmp::Ordering::Less => CompareResult::Target,
                    std::cmp::Ordering::Equal => CompareResult::Tie,
                };
                let on_compare = self.game.rules().three_tens == ThreeTens::OnCompare;
                self.tell(match holder.filter(|_| on_compare) {
                    Some(holder) => Input::Tens { holder },
                    None => Input::Outcome { result },
                });
            }
            Phase::Showdown => {
                let active = self.game.active();
                let best = active.iter().map(|seat| self.level(*seat)).max().unwrap();
                let seats = active.into_iter().filter(|seat| self.level(*seat) == best).collect();
                self.tell(Input::Best { seats });
            }
            Phase::DealerChoice { .. } => self.choose_dealer(),
            _ => {
                let legal = self.game.legal();
                let legal = self.pick(&legal);
                if matches!(legal.kind, ActionKind::Fold | ActionKind::StayOut)
                    && self.rng.random_ratio(2, 3)
                {
                    return;
                }
                let tens = matches!(self.game.phase(), Phase::ThreeTens { .. });
                if (legal.kind == ActionKind::Redeal || (tens && legal.kind == ActionKind::Accept))
                    && !self.tens(legal.seat)
                {
                    return;
                }
                let few = legal.max.min(legal.min + 2);
                let number = self.rng.random_range(legal.min..=few);
                if let Some(action) = legal.kind.action(number) {
                    self.tell(Input::Move { seat: legal.seat, action });
                }
            }
        }
    }

    fn tens_to_somebody(&mut self) {
        let tens: Vec<Card> = self
            .game
            .rules()
            .deck()
            .cards()
            .filter(|card| card.rank() == Some(crate::rules::Rank::Ten))
            .take(3)
            .collect();
        let seats: Vec<Seat> = self.held.keys().copied().collect();
        let seat = self.pick(&seats);
        let mut rest = self.shuffled();
        rest.retain(|card| !tens.contains(card));
        let mut rest = rest.chunks_exact(3);
        for (other, hand) in &mut self.held {
            let cards = if *other == seat { tens.as_slice() } else { rest.next().unwrap() };
            *hand = [cards[0], cards[1], cards[2]];
        }
    }

    fn choose_dealer(&mut self) {
        if self.game.choice_method() == Some(FirstDealer::Random) {
            let Phase::DealerChoice { seats } = self.game.phase().clone() else { return };
            let seat = self.pick(&seats);
            self.tell(Input::DealerIs { seat });
            return;
        }
        if self.game.turn().is_some() {
            self.open = self.shuffled();
            let legal = self.game.legal();
            let legal = self.pick(&legal);
            if let Some(action) = legal.action(self.rng.random_range(legal.min..=legal.max.min(3)))
            {
                self.tell(Input::Move { seat: legal.seat, action });
            }
            return;
        }
        if self.game.choice_method() == Some(FirstDealer::Count) {
            let cards = self.shuffled();
            self.tell(Input::Count { cards });
            return;
        }
        for (seat, place) in self.game.cards_to_open() {
            let cards = vec![self.open[usize::from(place)]];
            self.tell(Input::Lift { seat, cards });
        }
    }
}

fn rules(rng: &mut ChaCha20Rng) -> HouseRules {
    loop {
        let presets = Preset::ALL;
        let mut rules = HouseRules::preset(presets[rng.random_range(0..presets.len())]);
        for (switch, values) in [
            ("missing_ante", ["automatic", "dealer_pays"]),
            ("compare_tie", ["both_stay", "caller_loses"]),
            ("three_tens", ["on_demand", "on_compare"]),
            ("first_dealer", ["lift", "count"]),
            ("exposed_card", ["on", "off"]),
            ("svara_dark", ["on", "off"]),
            ("pool", ["on", "off"]),
            ("pact", ["on", "off"]),
            ("ceiling", ["none", "10"]),
            ("ante", ["1", "3"]),
            ("triples", ["above", "sum"]),
        ] {
            if rng.random_ratio(1, 3) {
                rules.set(switch, values[rng.random_range(0..2)]).unwrap();
            }
        }
        if rules.validate().is_ok() {
            return rules;
        }
    }
}

/// Plays a hand of random rules and writes it down with some of its hands known.
fn random_hand(seed: u64, trouble: u32, layers: bool) -> (Script, bool) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let rules = rules(&mut rng);
    let count = rng.random_range(2..6);
    let seats: Vec<(Seat, Chips)> =
        (0..count).map(|seat| (Seat(seat), rng.random_range(5..40))).collect();
    let opening = Game::new(rules, &seats).unwrap();
    let mut table = Table {
        rng,
        game: opening.clone(),
        inputs: Vec::new(),
        held: BTreeMap::new(),
        deals: Vec::new(),
        open: Vec::new(),
        trouble,
        layers,
    };
    let mut participants: Vec<Seat> = seats.iter().map(|(seat, _)| *seat).collect();
    if participants.len() > 2 && table.rng.random_ratio(1, 3) {
        participants.pop();
    }
    if table.game.must_choose_dealer(&participants) {
        table.tell(Input::ChooseDealer { host: Seat(0), participants: participants.clone() });
        for _ in 0..200 {
            if *table.game.phase() != Phase::Idle {
                table.choose_dealer();
            }
        }
    }
    let dealer = table.game.next_dealer(&participants).unwrap_or(participants[0]);
    assert!(table.tell(Input::Begin { dealer, participants }));
    for _ in 0..2000 {
        if *table.game.phase() == Phase::Idle {
            break;
        }
        table.step();
    }
    let ended = *table.game.phase() == Phase::Idle;
    let Table { mut rng, inputs, mut deals, .. } = table;
    // Who laid tens open has shown them.
    let rules = opening.rules();
    for hands in &mut deals {
        hands.retain(|_, cards| rank(rules, *cards).unwrap().three_tens || rng.random_ratio(1, 3));
    }
    let names = (0..20).map(|seat| (Seat(seat), format!("N{seat}"))).collect();
    let played = Played { opening: &opening, inputs: &inputs, names: &names, hands: &deals };
    (script(&played, seed.is_multiple_of(2)), ended)
}

fn holds(seed: u64, script: &Script) {
    let verdict = referee(&script.text);
    assert_eq!(verdict.failure, None, "seed {seed}\n{}", script.text);
}

#[test]
fn hands_without_trouble_are_written_whole() {
    for seed in 0..400 {
        let (script, ended) = random_hand(seed, 0, false);
        holds(seed, &script);
        assert!(script.whole || !ended, "seed {seed}\n{}", script.text);
    }
}

#[test]
fn lost_and_silent_seats_are_written() {
    let mut short = 0;
    let mut all = String::new();
    for seed in 0..800 {
        let (script, ended) = random_hand(seed, 60, false);
        holds(seed, &script);
        all.push_str(&script.text);
        if ended && !script.whole {
            short += 1;
            println!("seed {seed}\n{}", script.text);
        }
    }
    assert!(short < 8, "{short} hands were not written to their end");
    for part in [
        " lost ",
        " rebuy ",
        " newcomer ",
        " away\n",
        "not shown",
        "did not act in time",
        "loses by silence",
        "pool ",
        "pact ",
        "replace",
        "redeal",
        "count ",
        "lift ",
    ] {
        assert!(all.matches(part).count() > 2, "{part} comes too seldom");
    }
}

/// Who had nothing is no seat of the script until it buys chips; wherever it sits, the hand is written on.
#[test]
fn who_had_nothing_buys_chips_in_the_middle_of_a_hand() {
    for poor in 0..3 {
        let stacks: Vec<(Seat, Chips)> =
            (0..3).map(|seat| (Seat(seat), if seat == poor { 1 } else { 30 })).collect();
        let mut game = Game::new(HouseRules::preset(Preset::TrinkaOnline), &stacks).unwrap();
        let all: Vec<Seat> = (0..3).map(Seat).collect();
        let tell = |game: &mut Game, input: Input| {
            let step = game.apply(&input).unwrap();
            *game = step.game;
            input
        };
        // The first hand takes its last chip.
        let dealer = Seat((poor + 2) % 3);
        tell(&mut game, Input::Begin { dealer, participants: all.clone() });
        tell(&mut game, Input::Dealt);
        while *game.phase() == Phase::Betting {
            let seat = game.turn().unwrap();
            let rich = game.active().into_iter().find(|s| s.0 != poor);
            let folds = Some(seat) != rich;
            let action =
                if folds { Action::Fold } else { Action::Bet(game.price(seat).unwrap().pass) };
            tell(&mut game, Input::Move { seat, action });
        }
        assert_eq!((game.phase(), game.stack(Seat(poor))), (&Phase::Idle, Some(0)));
        let opening = game.clone();
        let two: Vec<Seat> = all.iter().copied().filter(|seat| seat.0 != poor).collect();
        let dealer = game.next_dealer(&two).unwrap();
        let mut inputs = vec![
            tell(&mut game, Input::Begin { dealer, participants: two }),
            tell(&mut game, Input::Dealt),
            tell(&mut game, Input::Rebuy { seat: Seat(poor), chips: 20 }),
        ];
        let seat = game.turn().unwrap();
        inputs.push(tell(&mut game, Input::Move { seat, action: Action::Fold }));
        assert_eq!(*game.phase(), Phase::Idle);
        let names = (0..3).map(|seat| (Seat(seat), format!("N{seat}"))).collect();
        let hands = [BTreeMap::new()];
        let played = Played { opening: &opening, inputs: &inputs, names: &names, hands: &hands };
        for expect in [true, false] {
            let script = script(&played, expect);
            assert!(script.whole, "{}", script.text);
            assert!(script.text.contains(&format!("N{poor} newcomer 20")), "{}", script.text);
            holds(u64::from(poor), &script);
        }
    }
}

#[test]
fn where_cards_get_lost_a_script_holds_or_says_where_it_ends() {
    let (mut whole, mut short, mut lost) = (0, 0, 0);
    for seed in 0..400 {
        let (script, _) = random_hand(seed, 60, true);
        holds(seed, &script);
        lost += script.text.matches("cards lost").count();
        match script.whole {
            true => whole += 1,
            false => {
                short += 1;
                let last = script.text.lines().last().unwrap();
                assert!(last.starts_with("# From here on"), "{}", script.text);
            }
        }
    }
    assert!(whole > 10 * short && lost > 10, "{whole} whole, {short} not, {lost} times lost");
}
