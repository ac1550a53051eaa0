//! What holds in every game, tried on random ones.

use proptest::prelude::*;

use super::random::*;
use crate::rules::*;

fn some_input() -> impl Strategy<Value = Input> {
    let seat = || prop_oneof![9 => 0..30u8, 1 => any::<u8>()].prop_map(Seat);
    let chips = || prop_oneof![0..50u64, any::<u64>()];
    // A number too large for cards and seats counts as one that is not.
    let acts = (prop::sample::select(&ActionKind::ALL[..]), chips())
        .prop_map(|(kind, sum)| kind.action(sum).or_else(|| kind.action(sum % 256)).unwrap());
    let card = || (0..Card::COUNT).prop_map(|at| Card::from_index(at).unwrap());
    let result = prop::sample::select(&[CompareResult::Caller, CompareResult::Tie][..]);
    prop_oneof![
        (seat(), chips()).prop_map(|(seat, chips)| Input::Sit { seat, chips }),
        (seat(), chips()).prop_map(|(seat, chips)| Input::Rebuy { seat, chips }),
        seat().prop_map(|seat| Input::Leave { seat }),
        seat().prop_map(|seat| Input::Freeze { seat }),
        seat().prop_map(|seat| Input::Unfreeze { seat }),
        (seat(), prop::collection::vec(seat(), 0..12))
            .prop_map(|(dealer, participants)| { Input::Begin { dealer, participants } }),
        (seat(), prop::collection::vec(seat(), 0..12))
            .prop_map(|(host, participants)| Input::ChooseDealer { host, participants }),
        (seat(), prop::collection::vec(card(), 0..3))
            .prop_map(|(seat, cards)| Input::Lift { seat, cards }),
        prop::collection::vec(card(), 0..3).prop_map(|cards| Input::Count { cards }),
        Just(Input::Dealt),
        (seat(), acts).prop_map(|(seat, action)| Input::Move { seat, action }),
        seat().prop_map(|seat| Input::TimeOut { seat }),
        seat().prop_map(|seat| Input::Lost { seat }),
        result.prop_map(|result| Input::Outcome { result }),
        Just(Input::LayerLost),
        prop::collection::vec(seat(), 0..3).prop_map(|without| Input::BreakOff { without }),
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
            check_bargains(&game, amount);
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
                ActionKind::NoSplit, ActionKind::StayOut, ActionKind::Expose,
            ];
            legal.retain(|legal| !free.contains(&legal.kind));
            let input = match game.phase() {
                Phase::AwaitDeal { .. } => Input::Dealt,
                Phase::Comparing { .. } => Input::Outcome { result: CompareResult::Tie },
                _ => {
                    let legal = legal[usize::from(pick) % legal.len()];
                    Input::Move { seat: legal.seat, action: legal.action(legal.min).unwrap() }
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
            prop_assert_eq!(rules.plain().validate(), Ok(()));
            prop_assert!(Game::new(rules.plain(), &[(Seat(1), 5)]).is_ok());
            let table = HandTable::new(&rules);
            let levels = 1..=HandRank::MAX_LEVEL;
            let sound = table.hands().iter().all(|hand| levels.contains(&hand.rank.level));
            prop_assert!(sound, "a level out of range");
        }
    }
}

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 24
    }
}

#[test]
fn every_preset_plays_a_thousand_hands_through_all_it_knows() {
    for preset in Preset::ALL {
        let mut rules = HouseRules::preset(*preset);
        // Few antes a stack, so that there are poor svaras too.
        rules.ante = 12;
        if *preset == Preset::TrinkaClassic {
            rules.missing_ante = MissingAnte::DealerPays;
        }
        let seats: Vec<(Seat, Chips)> = (0..4).map(|at| (Seat(at), 40)).collect();
        let mut game = Game::for_referee(rules, &seats).unwrap();
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let mut seen = std::collections::BTreeSet::new();
        while game.hand_no() < 1000 {
            let pick = u16::try_from(dice.roll() % 65_536).unwrap();
            game = play(&game, (pick, dice.roll() % 100));
            let phase = format!("{:?}", game.phase());
            seen.insert(phase.split([' ', '{']).next().unwrap().to_owned());
        }
        let known: &[&str] = match preset {
            Preset::TrinkaClassic => {
                &["Boil", "DealerChoice", "Exposed", "MissingAnte", "Showdown", "ThreeTens"]
            }
            Preset::TrinkaOnline => &["DealerChoice"],
            Preset::Seka => &["DealerChoice"],
        };
        let always = ["Betting", "Comparing", "Idle", "AwaitDeal", "SvaraEntry"];
        for phase in always.iter().chain(known).chain(&["SvaraSplit"]) {
            assert!(seen.contains(*phase), "{preset} never came to {phase}: {seen:?}");
        }
    }
}
