//! What holds in every game, tried on random ones.

use proptest::prelude::*;

use crate::rules::*;

const KINDS: [ActionKind; 20] = [
    ActionKind::Look,
    ActionKind::Fold,
    ActionKind::Bet,
    ActionKind::Dark,
    ActionKind::Compare,
    ActionKind::Redeal,
    ActionKind::Boil,
    ActionKind::Accept,
    ActionKind::Refuse,
    ActionKind::Split,
    ActionKind::NoSplit,
    ActionKind::Enter,
    ActionKind::StayOut,
    ActionKind::Ante,
    ActionKind::Omit,
    ActionKind::Keep,
    ActionKind::Replace,
    ActionKind::Expose,
    ActionKind::Cut,
    ActionKind::Lift,
];

fn action(kind: ActionKind, amount: Chips) -> Action {
    let small = u8::try_from(amount % 256).unwrap();
    match kind {
        ActionKind::Look => Action::Look,
        ActionKind::Fold => Action::Fold,
        ActionKind::Bet => Action::Bet(amount),
        ActionKind::Dark => Action::Dark(amount),
        ActionKind::Compare => Action::Compare,
        ActionKind::Redeal => Action::Redeal,
        ActionKind::Boil => Action::Boil,
        ActionKind::Accept => Action::Accept,
        ActionKind::Refuse => Action::Refuse,
        ActionKind::Split => Action::Split,
        ActionKind::NoSplit => Action::NoSplit,
        ActionKind::Enter => Action::Enter,
        ActionKind::StayOut => Action::StayOut,
        ActionKind::Ante => Action::Ante,
        ActionKind::Omit => Action::Omit,
        ActionKind::Keep => Action::Keep,
        ActionKind::Replace => Action::Replace(small),
        ActionKind::Expose => Action::Expose(Seat(small)),
        ActionKind::Cut => Action::Cut(small),
        ActionKind::Lift => Action::Lift(small),
    }
}

/// Any house rules that make sense, as far as they are playable; those in force now and then.
fn some_rules() -> impl Strategy<Value = HouseRules> {
    let preset = prop::sample::select(Preset::ALL);
    let ceiling = prop_oneof![Just(None), (0..40u64).prop_map(Some)];
    let picks = prop::collection::vec(any::<u8>(), 24);
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
        for switch in [&mut rules.boil, &mut rules.pact] {
            *switch = if rules.svara.is_on() { pick(next, OnOff::ALL) } else { OnOff::Off };
        }
        if rules.svara.is_on() && rules.dark.is_on() {
            rules.svara_dark = pick(next, OnOff::ALL);
        }
        let least = 2 * rules.least_dark() + 1;
        rules.ceiling = ceiling.map_or(Ceiling::None, |more| Ceiling::Chips(least + more));
        rules = if pick(next, &[0, 1, 2, 3]) == 0 { rules.in_force() } else { rules.playable() };
        rules.validate().unwrap();
        rules
    })
}

fn some_game() -> impl Strategy<Value = Game> {
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

/// What holds in every state.
fn check_state(game: &Game) {
    assert_eq!(game.total(), game.total_bought());
    let legal = game.legal();
    match game.phase() {
        Phase::Idle => assert_eq!((game.bank(), game.active().len()), (0, 0)),
        Phase::Betting => {
            let turn = game.turn().unwrap();
            assert!(game.is_active(turn) && game.active().len() >= 2);
            assert!(legal.iter().any(|legal| legal.kind == ActionKind::Fold));
            assert!(legal.iter().any(|legal| legal.min > 0), "{turn} cannot stay");
        }
        Phase::Comparing { caller, target } => {
            assert!(game.is_active(*caller) && game.is_active(*target) && caller != target);
            assert!(legal.is_empty() && game.turn().is_none());
        }
        Phase::ThreeTens { .. } | Phase::Boil { .. } | Phase::SvaraSplit | Phase::SvaraEntry => {
            assert!(!legal.is_empty(), "nobody is asked");
            assert!(game.active().len() >= 2);
        }
        Phase::AwaitDeal { .. } | Phase::DealerChoice { .. } | Phase::Showdown => {
            assert!(game.active().len() >= 2 && legal.is_empty());
        }
        other => panic!("{other:?} is not playable"),
    }
    assert!(game.active().len() <= usize::from(game.rules().max_players()));
    for legal in legal {
        assert!(legal.min <= legal.max);
        assert!(legal.max <= game.stack(legal.seat).unwrap());
        let ceiling = game.rules().ceiling().unwrap_or(Chips::MAX);
        assert!(legal.max <= ceiling || legal.kind == ActionKind::Enter);
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
fn check_moves(game: &Game, amount: Chips) {
    let legal = game.legal();
    let edges = legal
        .iter()
        .flat_map(|legal| [legal.min.saturating_sub(1), legal.min, legal.max, legal.max + 1]);
    for amount in edges.chain([0, amount, Chips::MAX]) {
        // What names no payment is tried once.
        let payments = [ActionKind::Bet, ActionKind::Dark];
        for kind in KINDS.into_iter().filter(|kind| amount == 0 || payments.contains(kind)) {
            let seats: Vec<Seat> = game.seats().into_iter().chain([Seat(255)]).collect();
            for seat in seats {
                let action = action(kind, amount);
                let listed = legal.iter().find(|legal| {
                    (legal.seat, legal.kind) == (seat, kind)
                        && action.amount().is_none_or(|sum| (legal.min..=legal.max).contains(&sum))
                });
                let before = game.clone();
                let step = game.apply(&Input::Move { seat, action });
                assert_eq!(&before, game, "the old game has changed");
                assert_eq!(step.is_ok(), listed.is_some(), "{seat} {action:?}: {step:?}");
                if let (Ok(step), Some(legal)) = (step, listed) {
                    let cost = action.amount().unwrap_or(legal.min);
                    let moved = GameEvent::Moved { seat, action, paid: cost };
                    assert_eq!(step.events.first(), Some(&moved));
                    check_state(&step.game);
                }
            }
        }
    }
}

/// What a random player does: an index into what is possible, and an amount.
type Choice = (u16, Chips);

/// Plays on by one choice, the way a table would; nothing it does may be refused.
fn play(game: &Game, (pick, amount): Choice) -> Game {
    let pick = usize::from(pick);
    let result = [CompareResult::Caller, CompareResult::Target, CompareResult::Tie][pick % 3];
    let input = match game.phase() {
        Phase::Idle => {
            let seats: Vec<Seat> =
                game.seats().into_iter().filter(|seat| game.can_ante(*seat)).collect();
            if seats.len() < 2 || pick.is_multiple_of(5) {
                let all = game.seats();
                let seat = all[pick % all.len()];
                Input::Rebuy { seat, chips: amount % 50 + 5 }
            } else {
                let dealer = game.next_dealer(&seats).unwrap_or(seats[0]);
                Input::Begin { dealer, participants: seats }
            }
        }
        Phase::AwaitDeal { .. } if pick.is_multiple_of(13) => {
            Input::Lost { seat: game.active()[pick % game.active().len()] }
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
        _ if pick % 53 == 7 => Input::Lost { seat: game.active()[pick % game.active().len()] },
        Phase::Comparing { caller, target } => {
            let tens = game.rules().three_tens == ThreeTens::OnCompare;
            if tens && pick.is_multiple_of(11) {
                Input::Tens { holder: if amount > 50 { *caller } else { *target } }
            } else {
                Input::Outcome { result }
            }
        }
        Phase::DealerChoice { seats } => {
            let free = seats[0];
            let pact = [free, game.active()[1].max(seats[1])];
            let bound = game.pacts().iter().flatten().any(|seat| pact.contains(seat));
            if game.rules().pact.is_on() && !bound && pick.is_multiple_of(2) {
                Input::Pact { seats: pact }
            } else {
                Input::DealerIs { seat: seats[pick % seats.len()] }
            }
        }
        Phase::Showdown => Input::Best { seats: game.active()[..1 + pick % 2].to_vec() },
        _ => {
            let legal = game.legal();
            let legal = legal[pick % legal.len()];
            let amount = legal.min + amount % (legal.max - legal.min + 1).min(4);
            Input::Move { seat: legal.seat, action: action(legal.kind, amount) }
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

fn choices(most: usize) -> impl Strategy<Value = Vec<Choice>> {
    prop::collection::vec((any::<u16>(), 0..100u64), 1..most)
}

fn some_input() -> impl Strategy<Value = Input> {
    let seat = || prop_oneof![9 => 0..30u8, 1 => any::<u8>()].prop_map(Seat);
    let chips = || prop_oneof![0..50u64, any::<u64>()];
    let acts =
        (prop::sample::select(&KINDS[..]), chips()).prop_map(|(kind, sum)| action(kind, sum));
    let result = prop::sample::select(&[CompareResult::Caller, CompareResult::Tie][..]);
    prop_oneof![
        (seat(), chips()).prop_map(|(seat, chips)| Input::Sit { seat, chips }),
        (seat(), chips()).prop_map(|(seat, chips)| Input::Rebuy { seat, chips }),
        seat().prop_map(|seat| Input::Leave { seat }),
        seat().prop_map(|seat| Input::Freeze { seat }),
        seat().prop_map(|seat| Input::Unfreeze { seat }),
        (seat(), prop::collection::vec(seat(), 0..12))
            .prop_map(|(dealer, participants)| { Input::Begin { dealer, participants } }),
        Just(Input::Dealt),
        (seat(), acts).prop_map(|(seat, action)| Input::Move { seat, action }),
        seat().prop_map(|seat| Input::TimeOut { seat }),
        seat().prop_map(|seat| Input::Lost { seat }),
        result.prop_map(|result| Input::Outcome { result }),
        Just(Input::LayerLost),
        seat().prop_map(|holder| Input::Tens { holder }),
        seat().prop_map(|seat| Input::DealerIs { seat }),
        prop::collection::vec(seat(), 0..4).prop_map(|seats| Input::Best { seats }),
        prop::collection::vec((seat(), chips()), 0..4).prop_map(|parts| Input::Pool { parts }),
        (seat(), seat()).prop_map(|(one, other)| Input::Pact { seats: [one, other] }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn legal_is_what_is_accepted(
        game in some_game(), choices in choices(60), amount in any::<u64>(),
    ) {
        let mut game = game;
        for choice in choices {
            game = play(&game, choice);
            check_moves(&game, amount);
        }
    }

    #[test]
    fn random_evenings_keep_every_chip(game in some_game(), choices in choices(400)) {
        let mut game = game;
        for choice in choices {
            game = play(&game, choice);
        }
    }

    /// Bets only ever take chips from stacks, so whoever plays on, a hand must end.
    #[test]
    fn every_hand_ends(game in some_game(), choices in choices(2000)) {
        let mut game = game;
        for seat in game.seats() {
            game = game.apply(&Input::Rebuy { seat, chips: 5 }).unwrap().game;
        }
        let participants = game.seats();
        let begin = Input::Begin { dealer: participants[0], participants };
        game = game.apply(&begin).unwrap().game;
        game = game.apply(&Input::Dealt).unwrap().game;
        let chips = game.total();
        let mut choices = choices.into_iter().cycle();
        for _ in 0..8 * chips + 80 {
            if *game.phase() == Phase::Idle {
                return Ok(());
            }
            // Never folding, never losing a layer, nothing for free that could go on for ever: the
            // longest hands there are.
            let mut legal = game.legal();
            let (pick, _) = choices.next().unwrap();
            let free = [
                ActionKind::Fold, ActionKind::Redeal, ActionKind::Boil, ActionKind::Accept,
                ActionKind::NoSplit, ActionKind::StayOut,
            ];
            legal.retain(|legal| !free.contains(&legal.kind));
            let input = match game.phase() {
                Phase::Comparing { .. } => Input::Outcome { result: CompareResult::Tie },
                _ => {
                    let legal = legal[usize::from(pick) % legal.len()];
                    Input::Move { seat: legal.seat, action: action(legal.kind, legal.min) }
                }
            };
            game = game.apply(&input).unwrap().game;
        }
        prop_assert!(false, "the hand goes on and on");
    }

    #[test]
    fn garbage_is_refused_or_harmless(
        game in some_game(), inputs in prop::collection::vec(some_input(), 1..200),
    ) {
        let mut game = game;
        for input in inputs {
            if let Ok(step) = game.apply(&input) {
                game = step.game;
                check_state(&game);
            }
        }
    }

    #[test]
    fn garbage_is_no_card(text in ".{0,8}") {
        if let Ok(card) = text.parse::<Card>() {
            prop_assert_eq!(card.to_string().parse(), Ok(card));
        }
    }

    #[test]
    fn garbage_switches_never_panic(switch in ".{0,12}", value in ".{0,12}") {
        let mut rules = HouseRules::preset(Preset::Seka);
        let _ = rules.set(&switch, &value);
        for known in HouseRules::SWITCHES {
            let _ = rules.set(known, &value);
        }
        let _ = rules.validate();
    }

    /// Every set of switches either makes sense or says why not, and never breaks the scoring.
    #[test]
    fn random_switches(picks in prop::collection::vec((any::<u16>(), any::<u16>()), 0..12)) {
        let values = [
            "24", "32", "36", "aces", "sixes", "11", "22", "none", "sum", "above", "off", "on",
            "on_demand", "on_compare", "joker", "shaha", "yes", "no", "1x", "2x", "floor", "fixed",
            "pass", "5", "100x", "ante", "half", "full", "host", "winner", "rotate",
        ];
        let mut rules = HouseRules::preset(Preset::TrinkaClassic);
        for (switch, value) in picks {
            let switch = HouseRules::SWITCHES[usize::from(switch) % HouseRules::SWITCHES.len()];
            let _ = rules.set(switch, values[usize::from(value) % values.len()]);
        }
        if rules.validate().is_ok() {
            prop_assert_eq!(rules.in_force().validate(), Ok(()));
            prop_assert!(Game::new(rules.in_force(), &[(Seat(1), 5)]).is_ok());
            let table = HandTable::new(&rules);
            let levels = 1..=HandRank::MAX_LEVEL;
            let sound = table.hands().iter().all(|hand| levels.contains(&hand.rank.level));
            prop_assert!(sound, "a level out of range");
        }
    }
}
