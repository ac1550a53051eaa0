//! Random house rules, games and moves for the property tests.

use proptest::prelude::*;

use crate::rules::*;

/// Any house rules that make sense; the plain ones now and then.
pub fn some_rules() -> impl Strategy<Value = HouseRules> {
    let preset = prop::sample::select(Preset::ALL);
    let ceiling = prop_oneof![Just(None), (0..40u64).prop_map(Some)];
    let picks = prop::collection::vec(any::<u8>(), 32);
    (preset, 1..5u64, 0..4u64, ceiling, picks).prop_map(|(preset, ante, more, ceiling, picks)| {
        fn pick<T: Copy>(picks: &mut impl Iterator<Item = u8>, values: &[T]) -> T {
            values[usize::from(picks.next().unwrap()) % values.len()]
        }
        let mut picks = picks.into_iter();
        let next = &mut picks;
        let mut rules = HouseRules::preset(preset);
        rules.ante = ante;
        rules.opening_minimum = match more {
            0 => Opening::Ante,
            more => Opening::Chips(more * 2),
        };
        rules.deck = pick(next, &[DeckKind::Cards24, DeckKind::Cards32, DeckKind::Cards36]);
        if rules.deck == DeckKind::Cards32 {
            rules.top_hand = TopHand::Aces;
        }
        rules.wild = pick(next, &[Wild::None, Wild::Joker]);
        rules.missing_ante = pick(next, MissingAnte::ALL);
        rules.exposed_card = pick(next, OnOff::ALL);
        rules.first_dealer = pick(next, FirstDealer::ALL);
        rules.compare_from = pick(next, CompareFrom::ALL);
        rules.compare_tie = pick(next, CompareTie::ALL);
        rules.next_dealer = pick(next, NextDealer::ALL);
        rules.reveal = pick(next, Reveal::ALL);
        rules.three_tens = pick(next, ThreeTens::ALL);
        rules.entry_played = pick(next, EntryPlayed::ALL);
        rules.entry_newcomer = pick(next, EntryNewcomer::ALL);
        rules.dark = pick(next, OnOff::ALL);
        rules.dark_chain = pick(next, DarkChain::ALL);
        rules.look = pick(next, Look::ALL);
        (rules.open_pass, rules.compare_price, rules.knock_out) = pick(
            next,
            &[
                (OpenPass::Same, ComparePrice::Floor, OnOff::Off),
                (OpenPass::Same, ComparePrice::Fixed, OnOff::Off),
                (OpenPass::Double, ComparePrice::Pass, OnOff::Off),
                (OpenPass::Double, ComparePrice::Pass, OnOff::On),
            ],
        );
        rules.svara = pick(next, OnOff::ALL);
        for switch in [&mut rules.boil, &mut rules.pool, &mut rules.pact] {
            *switch = if rules.svara.is_on() { pick(next, OnOff::ALL) } else { OnOff::Off };
        }
        if rules.svara.is_on() && rules.dark.is_on() {
            rules.svara_dark = pick(next, OnOff::ALL);
        }
        let least = 2 * rules.least_dark() + 1;
        rules.ceiling = ceiling.map_or(Ceiling::None, |more| Ceiling::Chips(least + more));
        match pick(next, &[0, 1, 2, 3, 4, 5]) {
            0 => rules = rules.plain(),
            1 => rules = HouseRules::preset(preset),
            _ => {}
        }
        rules.validate().unwrap();
        rules
    })
}

pub fn some_game() -> impl Strategy<Value = Game> {
    (some_rules(), prop::collection::vec(1..80u64, 2..=10)).prop_map(|(rules, stacks)| {
        let seats: Vec<(Seat, Chips)> = stacks
            .into_iter()
            .take(usize::from(rules.max_players()))
            .zip((0..).map(|at| Seat(at * 3)))
            .map(|(stack, seat)| (seat, stack))
            .collect();
        Game::for_referee(rules, &seats).unwrap()
    })
}

/// Whether a move of this kind names, or has, a payment.
fn pays(kind: ActionKind) -> bool {
    !matches!(kind, ActionKind::Expose | ActionKind::Replace | ActionKind::Lift)
}

/// What holds in every state.
pub fn check_state(game: &Game) {
    assert_eq!(game.total(), game.total_bought());
    let legal = game.legal();
    match game.phase() {
        Phase::Idle => assert_eq!((game.bank(), game.active().len()), (0, 0)),
        Phase::Betting => {
            let turn = game.turn().unwrap();
            assert!(game.is_active(turn) && game.active().len() >= 2);
            let has = |kind| legal.iter().any(|legal| (legal.seat, legal.kind) == (turn, kind));
            let stays = [ActionKind::Bet, ActionKind::Dark, ActionKind::Compare];
            assert!(has(ActionKind::Fold));
            assert!(stays.into_iter().any(has), "{turn} cannot stay");
        }
        Phase::Comparing { caller, target } => {
            assert!(game.is_active(*caller) && game.is_active(*target) && caller != target);
            assert!(legal.is_empty() && game.turn().is_none());
        }
        Phase::ThreeTens { .. }
        | Phase::Boil { .. }
        | Phase::SvaraSplit
        | Phase::SvaraEntry
        | Phase::Exposed { .. }
        | Phase::MissingAnte => {
            assert!(!legal.is_empty() && !game.awaited().is_empty(), "nobody is asked");
            assert!(game.active().len() >= 2);
        }
        Phase::AwaitDeal { .. } => {
            assert!(game.active().len() >= 2);
            assert!(legal.iter().all(|legal| legal.kind == ActionKind::Expose));
            assert!(game.participants().contains(&game.cutter().unwrap()));
        }
        Phase::DealerChoice { seats } => {
            assert!(seats.len() >= 2);
            let lifts =
                |legal: &LegalMove| legal.kind == ActionKind::Lift && legal.min <= legal.max;
            assert!(legal.iter().all(lifts));
            assert!(legal.is_empty() || game.cards_to_open().is_empty());
        }
        Phase::Showdown => assert!(game.active().len() >= 2 && legal.is_empty()),
    }
    assert!(game.active().len() <= usize::from(game.rules().max_players()));
    // Whoever must act has something to do, and nobody's hand is shown who is not in.
    for seat in game.awaited() {
        assert!(legal.iter().any(|legal| legal.seat == seat), "{seat} is asked for nothing");
    }
    assert!(game.showing().iter().all(|shown| game.is_active(shown.hand)));
    for legal in legal {
        assert!(legal.min <= legal.max);
        if !pays(legal.kind) {
            continue;
        }
        assert!(game.can_pay(legal.seat, legal.min) && game.can_pay(legal.seat, legal.max));
        let ceiling = game.rules().ceiling().unwrap_or(Chips::MAX);
        let free = [ActionKind::Enter, ActionKind::Ante];
        assert!(legal.max <= ceiling || free.contains(&legal.kind));
        let price = game.price(legal.seat);
        match legal.kind {
            ActionKind::Bet => assert_eq!(Some(legal.min), price.map(|price| price.pass)),
            ActionKind::Compare => {
                assert_eq!(Some(legal.min), price.and_then(|price| price.compare));
            }
            _ => {}
        }
    }
    // The ceiling never shuts an open price out.
    for seat in game.active() {
        if let (Some(price), Some(ceiling)) = (game.price(seat), game.rules().ceiling()) {
            assert!(price.pass <= ceiling && price.compare.unwrap_or(0) <= ceiling, "{price:?}");
        }
    }
}

/// A move is accepted exactly when it is listed; what it costs is what is paid.
pub fn check_moves(game: &Game, amount: Chips) {
    let legal = game.legal();
    let edges = legal
        .iter()
        .flat_map(|legal| [legal.min.saturating_sub(1), legal.min, legal.max, legal.max + 1]);
    // What names no number is tried once.
    let named = |kind: ActionKind| kind.action(0).and_then(Action::number).is_some();
    let mut numbers: Vec<u64> = edges.chain([0, amount, Chips::MAX]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        for kind in ActionKind::ALL {
            let Some(action) = kind.action(number).filter(|_| named(kind) || number == 0) else {
                continue;
            };
            for seat in game.seats().into_iter().chain([Seat(255)]) {
                check_move(game, &legal, seat, action);
            }
        }
    }
}

fn check_move(game: &Game, legal: &[LegalMove], seat: Seat, action: Action) {
    let listed = legal.iter().find(|legal| legal.is(seat, action));
    let before = game.clone();
    let step = game.apply(&Input::Move { seat, action });
    assert_eq!(&before, game, "the old game has changed");
    assert_eq!(step.is_ok(), listed.is_some(), "{seat} {action:?}: {step:?}");
    if let (Ok(step), Some(legal)) = (step, listed) {
        let fixed = if pays(action.kind()) { legal.min } else { 0 };
        let paid = action.amount().unwrap_or(fixed);
        assert_eq!(step.events.first(), Some(&GameEvent::Moved { seat, action, paid }));
        check_state(&step.game);
    }
}

/// Pools and pacts are accepted exactly where they are said to be possible.
pub fn check_bargains(game: &Game, part: Chips) {
    let seats = game.seats();
    let (may_pool, may_pact) = (game.may_pool(), game.may_pact());
    for one in &seats {
        for other in seats.iter().filter(|other| *other != one) {
            let pair = [*one, *other];
            let both = |may: &[Seat]| pair.iter().all(|seat| may.contains(seat));
            let pact = game.apply(&Input::Pact { seats: pair });
            assert_eq!(pact.is_ok(), both(&may_pact), "{pair:?}: {pact:?}");
            let price = game.pool_price(&pair).unwrap_or(2);
            let part = 1 + part % price.saturating_sub(1).max(1);
            let parts = vec![(*one, part), (*other, price.saturating_sub(part))];
            let can = both(&may_pool)
                && parts.iter().all(|(seat, part)| *part > 0 && game.stack(*seat) >= Some(*part));
            let pool = game.apply(&Input::Pool { parts });
            assert_eq!(pool.is_ok(), can, "{pair:?}: {pool:?}");
        }
    }
}

/// What a random player does: an index into what is possible, and an amount.
pub type Choice = (u16, Chips);

/// The cards of the game's deck in some order.
fn shuffled(game: &Game, seed: usize) -> Vec<Card> {
    let mut cards: Vec<Card> = game.rules().deck().cards().collect();
    cards.sort_by_key(|card| {
        let mixed = u64::from(card.index()) + 1 + 41 * u64::try_from(seed).unwrap();
        mixed
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
    });
    cards
}

/// What brings the finding of a dealer on.
fn find_dealer(game: &Game, seats: &[Seat], pick: usize) -> Input {
    let told = |seat| Input::DealerIs { seat };
    let open = game.cards_to_open();
    if let Some(lift) = game.legal().first().filter(|_| !pick.is_multiple_of(7)) {
        let cards = u8::try_from(lift.min + pick as u64 % lift.max).unwrap();
        return Input::Move { seat: lift.seat, action: Action::Lift(cards) };
    }
    // Packets lie in the deck as it was shuffled; the hand's number stands for that.
    let deck = shuffled(game, usize::try_from(game.hand_no()).unwrap());
    if let Some((seat, place)) = open.first().filter(|_| !pick.is_multiple_of(7)) {
        return Input::Lift { seat: *seat, cards: vec![deck[usize::from(*place)]] };
    }
    let by_count = Input::Count { cards: shuffled(game, pick)[..1 + pick % 9].to_vec() };
    match game.apply(&by_count) {
        Ok(_) => by_count,
        Err(_) => told(seats[pick % seats.len()]),
    }
}

/// Two seats put an entry together, if they can.
fn some_pool(game: &Game, pick: usize) -> Option<Input> {
    let may = game.may_pool();
    let mut seats: Vec<Seat> =
        may.iter().copied().filter(|seat| game.stack(*seat) > Some(0)).collect();
    if seats.len() < 2 {
        return None;
    }
    let len = seats.len();
    seats.rotate_left(pick % len);
    seats.truncate(2 + pick % 3);
    let price = game.pool_price(&seats)?;
    let mut left = price;
    let mut parts: Vec<(Seat, Chips)> = Vec::new();
    for (at, seat) in seats.iter().enumerate() {
        let after = u64::try_from(seats.len() - at).unwrap() - 1;
        let share = if after == 0 { left } else { (left / (after + 1)).max(1) };
        let part = share.min(game.stack(*seat)?).min(left);
        left -= part;
        parts.push((*seat, part));
    }
    let whole = left == 0 && parts.iter().all(|(_, part)| *part > 0);
    whole.then_some(Input::Pool { parts })
}

/// Plays on by one choice, the way a table would; nothing it does may be refused.
pub fn play(game: &Game, (pick, amount): Choice) -> Game {
    let pick = usize::from(pick);
    let result = [CompareResult::Caller, CompareResult::Target, CompareResult::Tie][pick % 3];
    let bargain = || match game.may_pact().as_slice() {
        [one, .., other] if pick.is_multiple_of(7) => Some(Input::Pact { seats: [*one, *other] }),
        _ => some_pool(game, pick).filter(|_| pick.is_multiple_of(2)),
    };
    let bargain = bargain();
    let input = match game.phase() {
        _ if bargain.is_some() => bargain.unwrap(),
        Phase::Idle => {
            let seats: Vec<Seat> =
                game.seats().into_iter().filter(|seat| game.can_ante(*seat)).collect();
            if seats.len() < 2 || pick.is_multiple_of(5) {
                let all = game.seats();
                let seat = all[pick % all.len()];
                Input::Rebuy { seat, chips: amount % 50 + 5 }
            } else if game.must_choose_dealer(&seats) && pick % 9 > 0 {
                let all = game.seats();
                Input::ChooseDealer { host: all[pick % all.len()], participants: seats }
            } else {
                let dealer = game.next_dealer(&seats).unwrap_or(seats[0]);
                Input::Begin { dealer, participants: seats }
            }
        }
        Phase::AwaitDeal { .. } if pick.is_multiple_of(13) => {
            Input::Lost { seat: game.active()[pick % game.active().len()] }
        }
        Phase::AwaitDeal { .. } if pick.is_multiple_of(3) && !game.legal().is_empty() => {
            let legal = game.legal();
            let legal = legal[pick % legal.len()];
            Input::Move { seat: legal.seat, action: legal.action(legal.min).unwrap() }
        }
        Phase::AwaitDeal { .. } => Input::Dealt,
        Phase::Comparing { caller, .. } if pick.is_multiple_of(17) => {
            Input::TimeOut { seat: *caller }
        }
        Phase::Betting | Phase::Comparing { .. } | Phase::ThreeTens { .. } | Phase::Boil { .. }
            if pick % 101 == 7 =>
        {
            Input::LayerLost
        }
        _ if pick % 53 == 7 && !game.active().is_empty() => {
            Input::Lost { seat: game.active()[pick % game.active().len()] }
        }
        Phase::DealerChoice { seats } if pick % 53 == 7 => Input::Lost { seat: seats[pick % 2] },
        Phase::DealerChoice { seats } => find_dealer(game, seats, pick),
        Phase::Comparing { caller, target } => {
            let tens = game.rules().three_tens == ThreeTens::OnCompare;
            if tens && pick.is_multiple_of(11) {
                Input::Tens { holder: if amount > 50 { *caller } else { *target } }
            } else {
                Input::Outcome { result }
            }
        }
        Phase::Showdown => Input::Best { seats: game.active()[..1 + pick % 2].to_vec() },
        _ if pick % 41 == 3 => {
            let awaited = game.awaited();
            Input::TimeOut { seat: awaited[pick % awaited.len()] }
        }
        _ => {
            let legal = game.legal();
            let legal = legal[pick % legal.len()];
            let number = legal.min + amount % (legal.max - legal.min + 1).min(4);
            let number = if pays(legal.kind) { number } else { legal.min };
            Input::Move { seat: legal.seat, action: legal.action(number).unwrap() }
        }
    };
    match game.apply(&input) {
        Ok(step) => {
            check_state(&step.game);
            step.game
        }
        Err(error) => panic!("{input:?}: {error}"),
    }
}

pub fn choices(most: usize) -> impl Strategy<Value = Vec<Choice>> {
    prop::collection::vec((any::<u16>(), 0..100u64), 1..most)
}
