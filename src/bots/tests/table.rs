//! A table of bots on the real rules, with cards from a plain shuffle, by the protocol of events.

use std::collections::{BTreeMap, BTreeSet};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::*;
use crate::event::{Audience, Event, OfferKind, Outcome, Price, SeatAmount, SeatInfo};
use crate::rules::{
    Action, Card, Chips, CompareResult, FirstDealer, Game, GameEvent, HouseRules, Input, Phase,
    Seat, ThreeTens, Viewers, rank,
};

/// A pool or a pact that has been proposed.
struct Bargain {
    kind: OfferKind,
    from: Seat,
    parts: Vec<(Seat, Chips)>,
    waits: BTreeSet<Seat>,
}

/// A table of bots.
pub(super) struct Table {
    pub(super) game: Game,
    bots: BTreeMap<Seat, (Bot, BotView)>,
    tens: BTreeMap<Seat, bool>,
    out: BTreeSet<Seat>,
    /// The deck of the deal, cut; hands go out card by card.
    deck: Vec<Card>,
    hands: BTreeMap<Seat, [Card; 3]>,
    seen: BTreeSet<Seat>,
    shown: BTreeSet<(Seat, Seat)>,
    bargain: Option<Bargain>,
    /// Who has been told of its question, and in which words.
    told: BTreeMap<Seat, Vec<LegalMove>>,
    queue: Vec<(Seat, Move)>,
    rng: ChaCha12Rng,
    /// Tells a question again whenever anything has happened.
    eager: bool,
    moves: u32,
    /// Moves that would have been refused at the moment they were made.
    pub(super) refused: Vec<String>,
    /// Moves that came too late or besides.
    pub(super) late: u64,
    /// Everything that was done, to compare two runs.
    pub(super) log: Vec<String>,
}

impl Table {
    pub(super) fn new(rules: &HouseRules, kinds: &[BotKind], buy_in: Chips, seed: u64) -> Self {
        let game = Game::for_referee(rules.clone(), &[]).unwrap();
        let rng = ChaCha12Rng::seed_from_u64(seed);
        let mut table = Self {
            game,
            bots: BTreeMap::new(),
            tens: BTreeMap::new(),
            out: BTreeSet::new(),
            deck: Vec::new(),
            hands: BTreeMap::new(),
            seen: BTreeSet::new(),
            shown: BTreeSet::new(),
            bargain: None,
            told: BTreeMap::new(),
            queue: Vec::new(),
            rng,
            eager: seed % 2 == 1,
            moves: 0,
            refused: Vec::new(),
            late: 0,
            log: Vec::new(),
        };
        for (at, kind) in kinds.iter().enumerate() {
            table.sit(*kind, buy_in, seed.wrapping_mul(31).wrapping_add(at as u64));
        }
        table
    }

    /// Another sits down, in the middle of a hand too.
    pub(super) fn sit(&mut self, kind: BotKind, chips: Chips, seed: u64) {
        let seat = Seat(u8::try_from(self.bots.len()).unwrap());
        self.apply(&Input::Sit { seat, chips });
        self.bots.insert(seat, (Bot::new(kind, seed), BotView::new()));
        self.tell_table();
    }

    pub(super) fn met(&self) -> &Met {
        self.bots[&Seat(0)].1.met()
    }

    fn tell(&mut self, event: &Event) {
        for (_, view) in self.bots.values_mut() {
            view.observe(event);
        }
    }

    fn tell_one(&mut self, seat: Seat, event: &Event) {
        self.bots.get_mut(&seat).unwrap().1.observe(event);
    }

    fn infos(&self, seats: &[Seat]) -> Vec<SeatInfo> {
        let info = |seat: &Seat| SeatInfo {
            seat: *seat,
            name: seat.to_string(),
            stack: self.game.stack(*seat).unwrap(),
        };
        seats.iter().map(info).collect()
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
                fingerprints: BTreeMap::new(),
            });
        }
    }

    fn apply(&mut self, input: &Input) -> Vec<GameEvent> {
        let bank = self.game.bank();
        let step = self.game.apply(input).unwrap_or_else(|error| panic!("{input:?}: {error}"));
        self.game = step.game;
        assert_eq!(self.game.total(), self.game.total_bought());
        self.pass_on(&step.events, bank);
        step.events
    }

    /// Everything that bots say now: moves wait in the queue, the rest is done at once.
    fn listen(&mut self) {
        let mut bought = false;
        for seat in self.game.seats() {
            let mut said = 0;
            loop {
                let (bot, view) = self.bots.get_mut(&seat).unwrap();
                let Some(command) = bot.decide(view) else { break };
                said += 1;
                assert!(said < 20, "{seat} does not stop: {command:?}");
                match command {
                    Command::Move(step) => {
                        if !self.fits(seat, &step) {
                            let phase = self.game.phase();
                            self.refused.push(format!("{seat} {step:?} in {phase:?}"));
                        }
                        self.queue.push((seat, step));
                    }
                    Command::Tens { redeal } => drop(self.tens.insert(seat, redeal)),
                    Command::SitOut => drop(self.out.insert(seat)),
                    Command::Ready => drop(self.out.remove(&seat)),
                    Command::Advice(text) => self.log.push(format!("{seat} advises {text}")),
                    Command::Rebuy(chips) => {
                        if *self.game.phase() == Phase::Idle {
                            self.log.push(format!("{seat} rebuys {chips}"));
                            self.apply(&Input::Rebuy { seat, chips });
                            bought = true;
                        }
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        if bought {
            self.tell_table();
        }
    }

    /// Would this move be taken now?
    fn fits(&self, seat: Seat, step: &Move) -> bool {
        // What was proposed may have come to nothing meanwhile, and nobody says so.
        let proposed = !matches!(self.game.phase(), Phase::Boil { .. } | Phase::ThreeTens { .. });
        let input = match step {
            Move::Pool(parts) if self.bargain.is_none() => Input::Pool { parts: parts.clone() },
            Move::Pact(with) if self.bargain.is_none() => Input::Pact { seats: [seat, *with] },
            Move::Accept | Move::Refuse if proposed => return true,
            Move::Cut(at) => return (1..self.deck.len() as u64).contains(at),
            Move::Redeal if !self.holds_tens(seat) => return false,
            _ => match step.action() {
                Some(action) => Input::Move { seat, action },
                None => return false,
            },
        };
        self.game.apply(&input).is_ok()
    }

    /// Plays a hand; gives the number of moves.
    pub(super) fn play_hand(&mut self) -> u32 {
        self.moves = 0;
        self.listen();
        let able = |seat: &Seat| self.game.can_ante(*seat);
        let mut seats: Vec<Seat> = self.game.seats().into_iter().filter(able).collect();
        let here = seats.iter().filter(|seat| !self.out.contains(seat)).count();
        if here >= 2 {
            seats.retain(|seat| !self.out.contains(seat));
        }
        seats.truncate(usize::from(self.game.rules().max_players()));
        self.deck.clear();
        if self.game.must_choose_dealer(&seats) {
            self.apply(&Input::ChooseDealer { host: Seat(0), participants: seats.clone() });
            while *self.game.phase() != Phase::Idle {
                self.go_on();
            }
        }
        let dealer = self.game.next_dealer(&seats).unwrap_or(seats[0]);
        self.apply(&Input::Begin { dealer, participants: seats });
        while *self.game.phase() != Phase::Idle {
            self.go_on();
        }
        self.queue.clear();
        self.told.clear();
        self.listen();
        self.moves
    }

    /// Does what comes next in the hand.
    fn go_on(&mut self) {
        match self.game.phase().clone() {
            Phase::Idle => {}
            Phase::AwaitDeal { .. } => self.deal(),
            Phase::Comparing { caller, target } => self.compare(caller, target),
            Phase::ThreeTens { .. } => self.answer_tens(),
            Phase::Showdown => {
                let level = |seat: &Seat| self.level(*seat);
                let best = self.game.active().iter().map(level).max().unwrap();
                let mut seats = self.game.active();
                seats.retain(|seat| self.level(*seat) == best);
                self.apply(&Input::Best { seats });
            }
            Phase::DealerChoice { .. } if self.game.awaited().is_empty() => self.find_dealer(),
            _ => self.one_move(),
        }
    }

    fn find_dealer(&mut self) {
        if self.deck.is_empty() {
            self.deck = self.shuffled();
        }
        let open = self.game.cards_to_open();
        if !open.is_empty() {
            for (seat, place) in open {
                if matches!(self.game.phase(), Phase::DealerChoice { .. }) {
                    let cards = vec![self.deck[usize::from(place)]];
                    self.apply(&Input::Lift { seat, cards });
                }
            }
        } else if self.game.rules().first_dealer == FirstDealer::Count {
            let cards = self.shuffled();
            self.apply(&Input::Count { cards });
        } else {
            let Phase::DealerChoice { seats } = self.game.phase().clone() else { return };
            let seat = seats[self.rng.random_range(0..seats.len())];
            self.apply(&Input::DealerIs { seat });
        }
    }

    fn shuffled(&mut self) -> Vec<Card> {
        let mut deck: Vec<Card> = self.game.rules().deck().cards().collect();
        deck.shuffle(&mut self.rng);
        deck
    }

    /// Cut, face-up cards, and the deal.
    fn deal(&mut self) {
        if self.hands.is_empty() {
            self.deck = self.shuffled();
            self.cut();
            let order = self.game.participants();
            for (at, seat) in order.iter().enumerate() {
                let card = |round: usize| self.deck[at + round * order.len()];
                self.hands.insert(*seat, [card(0), card(1), card(2)]);
            }
            self.deck.drain(..3 * order.len());
            self.seen.clear();
            self.shown.clear();
            if self.game.rules().exposed_card.is_on() {
                self.tell(&offer(OfferKind::Expose, None, order.clone()));
                self.listen();
                for (seat, step) in std::mem::take(&mut self.queue) {
                    if matches!(step, Move::Expose(_)) {
                        self.take(seat, step);
                    }
                }
                while let Phase::Exposed { .. } = self.game.phase() {
                    self.one_move();
                }
            }
        }
        if let Phase::AwaitDeal { .. } = self.game.phase() {
            self.bargain = None;
            self.apply(&Input::Dealt);
        }
    }

    fn cut(&mut self) {
        // What was meant for questions that are over comes too late.
        for (seat, step) in std::mem::take(&mut self.queue) {
            self.take(seat, step);
        }
        let seat = self.game.cutter().unwrap();
        let legal = vec![LegalMove::ranged(MoveKind::Cut, 1, self.deck.len() as u64 - 1)];
        self.tell_one(seat, &turn(seat, true, None, legal.clone()));
        self.listen();
        let queue = std::mem::take(&mut self.queue);
        let cut =
            queue.iter().rev().find(|(by, _)| *by == seat).unwrap_or_else(|| panic!("no cut"));
        assert!(is_legal(&legal, &cut.1), "{cut:?}");
        let Move::Cut(at) = cut.1 else { panic!("{cut:?}") };
        self.deck.rotate_left(usize::try_from(at).unwrap());
        self.tell(&Event::Moved { seat, kind: MoveKind::Cut, amount: 0, bank: self.game.bank() });
        self.tell(&Event::Cut { seat, at });
    }

    fn level(&self, seat: Seat) -> u32 {
        rank(self.game.rules(), self.hands[&seat]).unwrap().level
    }

    fn holds_tens(&self, seat: Seat) -> bool {
        let hand = self.hands.get(&seat);
        hand.is_some_and(|hand| rank(self.game.rules(), *hand).unwrap().three_tens)
    }

    fn answer_tens(&mut self) {
        let seat = self.game.awaited()[0];
        let demands = self.holds_tens(seat) && self.tens.get(&seat).copied().unwrap_or(false);
        let action = if demands { Action::Accept } else { Action::Refuse };
        // Answered by the programs; nobody is told.
        let step = self.game.apply(&Input::Move { seat, action }).unwrap();
        self.game = step.game;
        let events: Vec<GameEvent> = step.events.into_iter().skip(1).collect();
        let bank = self.game.bank();
        self.pass_on(&events, bank);
    }

    fn compare(&mut self, caller: Seat, target: Seat) {
        if self.game.rules().three_tens == ThreeTens::OnCompare {
            let holder = [caller, target].into_iter().find(|seat| self.holds_tens(*seat));
            if let Some(holder) = holder {
                self.apply(&Input::Tens { holder });
                return;
            }
        }
        let result = match self.level(caller).cmp(&self.level(target)) {
            std::cmp::Ordering::Greater => CompareResult::Caller,
            std::cmp::Ordering::Less => CompareResult::Target,
            std::cmp::Ordering::Equal => CompareResult::Tie,
        };
        self.apply(&Input::Outcome { result });
    }

    /// The moves that are open to a seat now, bargains included.
    fn open(&self, seat: Seat) -> Vec<LegalMove> {
        let mut legal: Vec<LegalMove> = self
            .game
            .legal()
            .into_iter()
            .filter(|legal| legal.seat == seat)
            .map(LegalMove::from)
            .collect();
        legal.dedup();
        if self.bargain.is_none() {
            let may = |seats: Vec<Seat>, kind| {
                let with = seats.len() > 1 && seats.contains(&seat);
                with.then(|| LegalMove::plain(kind))
            };
            legal.extend(may(self.game.may_pool(), MoveKind::Pool));
            legal.extend(may(self.game.may_pact(), MoveKind::Pact));
        }
        legal
    }

    /// Tells everybody who is asked what, and the others whose turn it is.
    fn announce(&mut self) {
        let asked = self.game.awaited();
        let split = *self.game.phase() == Phase::SvaraSplit;
        if split && self.told.is_empty() {
            self.tell(&offer(OfferKind::Split, None, asked.clone()));
        }
        for seat in self.game.seats() {
            let waits = self.bargain.as_ref().is_some_and(|bargain| bargain.waits.contains(&seat));
            let mine = waits || asked.contains(&seat);
            let legal = match waits {
                true => [MoveKind::Accept, MoveKind::Refuse].map(LegalMove::plain).to_vec(),
                false => self.open(seat),
            };
            let known = self.told.get(&seat) == Some(&legal);
            if known && !self.eager {
                continue;
            }
            let other = asked.first().copied().unwrap_or(seat);
            let (whose, price) = match mine {
                true => (seat, self.game.price(seat).map(Price::from)),
                false => (other, self.game.price(other).map(Price::from)),
            };
            if mine {
                self.told.insert(seat, legal.clone());
            }
            if mine || asked.len() == 1 {
                self.tell_one(seat, &turn(whose, mine, price, legal));
            }
        }
    }

    fn one_move(&mut self) {
        self.deliver();
        self.announce();
        if matches!(self.game.phase(), Phase::Betting | Phase::SvaraEntry | Phase::Boil { .. }) {
            self.check_views();
        }
        self.listen();
        if self.queue.is_empty() {
            let last = &self.log[self.log.len().saturating_sub(8)..];
            let asked: Vec<_> = self.game.awaited();
            let turns: Vec<_> = asked.iter().map(|seat| &self.bots[seat].1.table().turn).collect();
            panic!("nobody acts in {:?}: {asked:?} {turns:?} {last:?}", self.game.phase());
        }
        let at = self.rng.random_range(0..self.queue.len());
        let (seat, step) = self.queue.remove(at);
        self.moves += 1;
        assert!(self.moves < 600, "hands come to an end: {:?}", self.log.last());
        self.take(seat, step);
    }

    /// A move of a bot: done, or refused.
    fn take(&mut self, seat: Seat, step: Move) {
        self.log.push(format!("{seat} {step:?}"));
        let waits = self.bargain.as_mut().is_some_and(|bargain| {
            matches!(step, Move::Accept | Move::Refuse) && bargain.waits.remove(&seat)
        });
        let done = match (&step, &self.bargain) {
            _ if waits => {
                self.told.remove(&seat);
                self.answer_bargain(seat, step == Move::Accept);
                true
            }
            (Move::Pool(parts), None) => self.propose(OfferKind::Pool, seat, parts.clone()),
            (Move::Pact(with), None) => {
                self.propose(OfferKind::Pact, seat, vec![(seat, 0), (*with, 0)])
            }
            (Move::Pool(_) | Move::Pact(_), Some(_)) => false,
            _ => self.act(seat, &step),
        };
        if !done {
            let error =
                Event::Error { code: "x".into(), message: String::new(), advice: String::new() };
            self.late += 1;
            self.told.remove(&seat);
            self.tell_one(seat, &error);
        }
        // A bargain whose seats have answered otherwise is void.
        let bound = self.bargain.as_ref().is_some_and(|bargain| {
            let may = match bargain.kind {
                OfferKind::Pool => self.game.may_pool(),
                _ => self.game.may_pact(),
            };
            bargain.parts.iter().all(|(seat, _)| may.contains(seat))
        });
        if self.bargain.is_some() && !bound {
            self.bargain = None;
            self.told.clear();
        }
    }

    fn act(&mut self, seat: Seat, step: &Move) -> bool {
        if matches!(step, Move::Redeal) && !self.holds_tens(seat) {
            return false;
        }
        let Some(action) = step.action() else { return false };
        if matches!(action, Action::Expose(receiver) if !self.hands.contains_key(&receiver)) {
            return false;
        }
        let input = Input::Move { seat, action };
        if self.game.apply(&input).is_err() {
            return false;
        }
        let before = self.game.phase().clone();
        self.apply(&input);
        match action {
            Action::Look => drop(self.told.remove(&seat)),
            Action::Expose(receiver) => {
                let card = self.hands[&receiver][0];
                self.tell(&Event::Exposed { seat: receiver, card });
                if let Phase::Exposed { .. } = self.game.phase() {
                    self.tell(&offer(OfferKind::Exposed, None, vec![receiver]));
                }
                self.told.clear();
            }
            Action::Replace(place) => {
                let card = self.deck.remove(usize::from(place));
                let old = std::mem::replace(&mut self.hands.get_mut(&seat).unwrap()[0], card);
                self.log.push(format!("{seat} replaces {old}"));
            }
            Action::Boil => {
                let asked = self.game.turn().unwrap();
                self.tell(&offer(OfferKind::Boil, Some(seat), vec![asked]));
            }
            _ => {}
        }
        if action != Action::Look {
            self.told.remove(&seat);
        }
        if *self.game.phase() != before || self.game.turn().is_some() {
            self.told.clear();
        }
        true
    }

    fn propose(&mut self, kind: OfferKind, from: Seat, parts: Vec<(Seat, Chips)>) -> bool {
        let input = match kind {
            OfferKind::Pool => Input::Pool { parts: parts.clone() },
            _ => Input::Pact { seats: [parts[0].0, parts[1].0] },
        };
        if let Err(error) = self.game.apply(&input) {
            self.log.push(format!("{from} {kind:?}: {error}"));
            return false;
        }
        let waits: BTreeSet<Seat> = parts[1..].iter().map(|(seat, _)| *seat).collect();
        let to: Vec<Seat> = waits.iter().copied().collect();
        let shares: Vec<SeatAmount> = match kind {
            OfferKind::Pool => shares_of(&parts),
            _ => Vec::new(),
        };
        let mut event = offer(kind, Some(from), to);
        if let Event::Offer { shares: told, .. } = &mut event {
            *told = shares;
        }
        self.tell(&event);
        self.bargain = Some(Bargain { kind, from, parts, waits });
        true
    }

    fn answer_bargain(&mut self, seat: Seat, accepts: bool) {
        let kind = if accepts { MoveKind::Accept } else { MoveKind::Refuse };
        self.tell(&Event::Moved { seat, kind, amount: 0, bank: self.game.bank() });
        let over =
            !accepts || self.bargain.as_ref().is_some_and(|bargain| bargain.waits.is_empty());
        let Some(bargain) = self.bargain.take_if(|_| over) else { return };
        self.log.push(format!("{} {:?} {accepts}", bargain.from, bargain.kind));
        if accepts {
            let input = match bargain.kind {
                OfferKind::Pool => Input::Pool { parts: bargain.parts },
                _ => Input::Pact { seats: [bargain.parts[0].0, bargain.parts[1].0] },
            };
            // The svara may have been dealt meanwhile.
            if self.game.apply(&input).is_ok() {
                self.apply(&input);
            }
        }
        self.told.clear();
    }

    /// Gives everybody the cards that it may see by now.
    fn deliver(&mut self) {
        for hand in self.game.active() {
            let Some(cards) = self.hands.get(&hand).copied() else { continue };
            let points = rank(self.game.rules(), cards).unwrap().points;
            for viewer in self.game.seats() {
                if !self.game.may_see(viewer, hand) || !self.shown.insert((viewer, hand)) {
                    continue;
                }
                let event = match viewer == hand {
                    true => Event::Cards { cards: cards.to_vec(), points },
                    false => Event::Shown {
                        seat: hand,
                        cards: cards.to_vec(),
                        to: Audience::Seats(vec![viewer]),
                    },
                };
                self.tell_one(viewer, &event);
            }
        }
    }

    fn pass_on(&mut self, events: &[GameEvent], mut bank: Chips) {
        let moved =
            |seat: &Seat, kind, amount, bank| Event::Moved { seat: *seat, kind, amount, bank };
        for event in events {
            let told = match event {
                GameEvent::Anted { seat, amount } => {
                    bank += amount;
                    moved(seat, MoveKind::Ante, *amount, bank)
                }
                GameEvent::PaidFor { dealer, amount, .. } => {
                    bank += amount;
                    moved(dealer, MoveKind::Ante, *amount, bank)
                }
                GameEvent::Began { .. } => {
                    self.hands.clear();
                    continue;
                }
                GameEvent::Dealt { kind: crate::rules::DealKind::First } => {
                    let seats = self.infos(&self.game.participants());
                    let dealer = self.game.dealer().unwrap();
                    Event::Hand { hand: self.game.hand_no(), dealer, seats, bank }
                }
                GameEvent::Moved { seat, action, paid } => {
                    bank += paid;
                    moved(seat, action.kind().into(), *paid, bank)
                }
                GameEvent::OutByItself { seat } | GameEvent::TimedOut { seat } => {
                    moved(seat, MoveKind::Fold, 0, bank)
                }
                GameEvent::Compared { caller, target, result } => {
                    let result = Outcome::from(*result);
                    Event::Compared { caller: *caller, target: *target, result }
                }
                GameEvent::Shown { hand, to } => {
                    let to = match to {
                        Viewers::All => Audience::ALL,
                        Viewers::Seats(seats) => Audience::Seats(seats.clone()),
                    };
                    let cards = self.hands[hand].to_vec();
                    let event = Event::Shown { seat: *hand, cards, to: to.clone() };
                    match to {
                        Audience::All(_) => self.tell(&event),
                        Audience::Seats(seats) => {
                            seats.iter().for_each(|seat| self.tell_one(*seat, &event));
                        }
                    }
                    continue;
                }
                GameEvent::Lifted { seat, cards } => {
                    Event::Lifted { seat: *seat, cards: cards.clone() }
                }
                GameEvent::Redeal { holder } => {
                    // The shown tens follow; the next deal takes new cards.
                    let holder = *holder;
                    self.tell(&Event::Redeal { seat: holder });
                    let shown = events.iter().any(|one| matches!(one, GameEvent::Shown { .. }));
                    if let Some(seat) = holder.filter(|_| shown) {
                        let cards = self.hands[&seat].to_vec();
                        self.tell(&Event::Shown { seat, cards, to: Audience::ALL });
                    }
                    self.hands.clear();
                    break;
                }
                GameEvent::Svara { seats, .. } => {
                    self.hands.clear();
                    self.told.clear();
                    self.deck.clear();
                    for seat in self.game.seats() {
                        let entry = self.game.entry_price(seat).unwrap();
                        let entry = match seats.contains(&seat) {
                            true => self.game.pool_price(seats).unwrap(),
                            false => entry,
                        };
                        self.tell_one(seat, &Event::Svara { seats: seats.clone(), bank, entry });
                    }
                    continue;
                }
                GameEvent::Pooled { holder, parts } => {
                    let mut partners: Vec<(Seat, Chips)> =
                        parts.iter().map(|(seat, part)| (*seat, *part)).collect();
                    partners.sort_by_key(|(seat, _)| seat != holder);
                    Event::Pool { holder: *holder, partners: shares_of(&partners) }
                }
                GameEvent::Pact { seats } => Event::Pact { seats: seats.to_vec() },
                GameEvent::ChoiceAgain { .. } => {
                    self.deck.clear();
                    continue;
                }
                GameEvent::Over { result } => Event::Settled {
                    hand: result.hand,
                    stacks: self.game.stacks(),
                    winners: shares_of(&result.paid.clone().into_iter().collect::<Vec<_>>()),
                    transcript: None,
                },
                _ => continue,
            };
            self.tell(&told);
        }
    }

    pub(super) fn check_views(&self) {
        for (_, view) in self.bots.values() {
            assert_eq!(view.table().bank, self.game.bank(), "views follow the bank");
            for (seat, seen) in &view.table().seats {
                assert_eq!(Some(seen.stack), self.game.stack(*seat), "views follow the stacks");
            }
        }
    }
}

fn shares_of(parts: &[(Seat, Chips)]) -> Vec<SeatAmount> {
    parts.iter().map(|(seat, amount)| SeatAmount { seat: *seat, amount: *amount }).collect()
}

fn offer(kind: OfferKind, from: Option<Seat>, to: Vec<Seat>) -> Event {
    Event::Offer { kind, from, to, shares: vec![], key: None, name: None, rules: None }
}

fn turn(seat: Seat, mine: bool, price: Option<Price>, legal: Vec<LegalMove>) -> Event {
    Event::Turn { seat, mine, price, legal, seconds: 60 }
}
