//! What one seed stands for: which table, which faults, which liar.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use trinka::rules::{HouseRules, Preset};

use crate::cheats::{Cheat, Scene};

/// How a run is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Faults anywhere, any number of them: nothing false may come of it.
    Safety,
    /// A quorum is well, lasting faults are elsewhere: the table may not stand still.
    Liveness,
    /// One of four dies at some moment, and comes back later.
    OneOfFour,
    /// Three of six are lost one after another.
    ThreeOfSix,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Mode::Safety => "safety",
            Mode::Liveness => "liveness",
            Mode::OneOfFour => "one-of-four",
            Mode::ThreeOfSix => "three-of-six",
        }
    }

    /// Whether the table may not stand still.
    pub fn lively(self) -> bool {
        self != Mode::Safety
    }
}

/// How bad the network is everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    pub delay: (u64, u64),
    pub loss_percent: u32,
    pub duplicate_percent: u32,
}

/// Everything that a seed decides before the run.
pub struct Plan {
    pub seed: u64,
    pub mode: Mode,
    pub preset: Preset,
    pub rules: HouseRules,
    pub players: usize,
    pub hands: u64,
    pub think_ms: u64,
    pub cut_ms: u64,
    pub pace_ms: u64,
    pub weather: Weather,
    /// In a hundred thousand outputs of a node so many are its last.
    pub crashes: u32,
    /// Faults that begin in a minute.
    pub faults_a_minute: u32,
    /// Who lies, and how.
    pub liar: Option<(usize, Cheat)>,
    /// What players like to do.
    pub taste: Taste,
    /// Who is lost in the middle of a hand.
    pub victim: Option<usize>,
    /// Nodes that are well all the time, where the mode has it so.
    pub core: Vec<usize>,
    /// Whether clocks of nodes run at different speeds.
    pub drift: bool,
}

/// What players like to do, beside playing by lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taste {
    /// Anything.
    Any,
    /// To compare, and not to fold.
    Compare,
    /// To go on betting.
    Bet,
    /// To bet without having looked.
    Dark,
    /// To boil, and to enter together.
    Pool,
}

/// What a caller wants instead of what the seed says.
#[derive(Clone, Copy, Default)]
pub struct Wanted {
    pub mode: Option<Mode>,
    pub cheat: Option<Cheat>,
    pub players: Option<usize>,
    pub hands: Option<u64>,
}

fn number(rng: &mut ChaCha20Rng, from: u64, to: u64) -> u64 {
    rng.random_range(from..=to)
}

/// The values that switches may be set to beside their preset's.
const SWITCHES: &[(&str, &[&str])] = &[
    ("deck", &["24", "32", "36"]),
    ("top_hand", &["aces", "sixes"]),
    ("two_aces", &["11", "22"]),
    ("triples", &["none", "sum", "above"]),
    ("three_tens", &["off", "on_demand", "on_compare"]),
    ("wild", &["none", "joker", "shaha"]),
    ("wild_copy", &["yes", "no"]),
    ("ceiling", &["none", "12", "20", "40x"]),
    ("missing_ante", &["automatic", "dealer_pays"]),
    ("dark", &["off", "on"]),
    ("dark_chain", &["2", "unlimited"]),
    ("open_pass", &["1x", "2x"]),
    ("compare_price", &["floor", "fixed", "pass"]),
    ("knock_out", &["off", "on"]),
    ("look", &["after_first_circle", "any_time"]),
    ("compare_from", &["circle_one", "circle_two", "last_two"]),
    ("reveal", &["neighbours", "sealed", "open"]),
    ("compare_tie", &["both_stay", "caller_loses"]),
    ("svara", &["off", "on"]),
    ("boil", &["off", "on"]),
    ("pool", &["off", "on"]),
    ("pact", &["off", "on"]),
    ("svara_dark", &["off", "on"]),
    ("entry_played", &["half", "third", "share"]),
    ("entry_newcomer", &["half", "full"]),
    ("first_dealer", &["host", "lift", "count", "random"]),
    ("next_dealer", &["winner", "rotate"]),
    ("exposed_card", &["off", "on"]),
];

/// Presets by which a lie can be told.
fn presets(scene: Scene) -> &'static [Preset] {
    match scene {
        Scene::Compared | Scene::Asked | Scene::Covered => {
            &[Preset::TrinkaClassic, Preset::TrinkaOnline]
        }
        Scene::Pooled => &[Preset::TrinkaClassic],
        _ => &[Preset::TrinkaClassic, Preset::TrinkaOnline, Preset::Seka],
    }
}

/// How many play where a lie can be told: large tables are dear; small ones are where two and three play by
/// other numbers.
fn sizes(scene: Scene) -> &'static [usize] {
    match scene {
        Scene::Any | Scene::Compared | Scene::Asked => {
            &[2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 7, 8, 10]
        }
        Scene::Escrowed => &[3, 4, 4, 4, 5, 6, 8],
        Scene::Lost | Scene::Covered => &[5, 5, 6],
        Scene::Pooled => &[4, 4, 5],
    }
}

/// A preset with some switches turned, as far as that makes rules that can be played.
fn house(rng: &mut ChaCha20Rng, preset: Preset, scene: Scene) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    let kept: &[&str] = match scene {
        Scene::Compared => &["reveal"],
        Scene::Asked => &["reveal", "three_tens"],
        Scene::Covered => &["dark"],
        Scene::Pooled => &["svara", "boil", "pool"],
        _ => &[],
    };
    if rng.random_bool(0.4) {
        return rules;
    }
    for (switch, values) in SWITCHES {
        if !rng.random_bool(0.15) || kept.contains(switch) {
            continue;
        }
        let mut turned = rules.clone();
        let value = values[rng.random_range(0..values.len())];
        if turned.set(switch, value).is_ok() && turned.validate().is_ok() {
            rules = turned;
        }
    }
    rules
}

impl Plan {
    /// What the seed says, but for what the caller wants.
    pub fn new(seed: u64, wanted: &Wanted) -> Plan {
        let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 0x9e37_79b9_7f4a_7c15);
        let cheat = wanted.cheat.or_else(|| Cheat::for_seed(seed));
        let scene = cheat.map_or(Scene::Any, Cheat::scene);
        let loses = matches!(scene, Scene::Lost | Scene::Covered);
        let all = presets(scene);
        let preset = all[rng.random_range(0..all.len())];
        let rules = house(&mut rng, preset, scene);
        let mode = match (cheat, rng.random_range(0..20)) {
            // Who lies is there for all of the run, and nobody who has to be well is lost.
            (Some(_), _) if loses => Mode::Safety,
            (Some(_), 0..=11) | (None, 0..=5) => Mode::Safety,
            (Some(_), _) | (None, 6..=11) => Mode::Liveness,
            (None, 12..=16) => Mode::OneOfFour,
            _ => Mode::ThreeOfSix,
        };
        let mode = wanted.mode.unwrap_or(mode);
        let all = sizes(scene);
        let players = all[rng.random_range(0..all.len())];
        let players = match mode {
            Mode::OneOfFour => 4,
            Mode::ThreeOfSix => 6,
            _ => wanted.players.unwrap_or(players).min(usize::from(rules.max_players())),
        };
        let players = match cheat {
            Some(cheat) if wanted.cheat.is_none() && !cheat.allowed(players) => players + 1,
            _ => players,
        };
        let hands = wanted.hands.unwrap_or_else(|| number(&mut rng, 1, 4));
        let bad = rng.random_range(0..if scene == Scene::Any { 4 } else { 2 });
        let weather = match (mode, bad) {
            (Mode::OneOfFour | Mode::ThreeOfSix, _) | (Mode::Liveness, 0 | 1) | (_, 0) => {
                Weather { delay: (1, 3), loss_percent: 0, duplicate_percent: 0 }
            }
            (Mode::Liveness, _) | (_, 1) => {
                Weather { delay: (1, 60), loss_percent: 2, duplicate_percent: 2 }
            }
            (_, 2) => Weather { delay: (1, 150), loss_percent: 8, duplicate_percent: 5 },
            _ => Weather { delay: (5, 600), loss_percent: 15, duplicate_percent: 10 },
        };
        let liar = cheat.map(|cheat| (rng.random_range(0..players), cheat));
        let others = (0..players).filter(|i| liar.is_some_and(|(l, _)| l != *i));
        let others: Vec<usize> = others.collect();
        let victim = loses.then(|| others[rng.random_range(0..others.len())]);
        let taste = match scene {
            Scene::Compared | Scene::Asked => Taste::Compare,
            Scene::Lost => Taste::Bet,
            Scene::Covered => Taste::Dark,
            Scene::Pooled => Taste::Pool,
            // What seldom comes about by lot is liked by some tables where nobody lies.
            Scene::Any | Scene::Escrowed => match rng.random_range(0..10) {
                0 | 1 => Taste::Compare,
                2 => Taste::Bet,
                3 => Taste::Pool,
                _ => Taste::Any,
            },
        };
        let quorum = trinka::table::agreement::quorum(players);
        let mut core: Vec<usize> = (0..players).collect();
        if mode == Mode::Liveness {
            core.retain(|i| liar.is_none_or(|(l, _)| l != *i));
            while core.len() > quorum {
                core.remove(rng.random_range(0..core.len()));
            }
        }
        let (crashes, faults) = match (mode, rng.random_range(0..4)) {
            // Enough goes wrong there as it is.
            (Mode::Safety, n) if loses => ([0, 0, 15, 15][n], [0, 2, 0, 2][n]),
            (Mode::Safety, 0) => (0, 2),
            (Mode::Safety, 1) => (150, 0),
            (Mode::Safety, 2) => (60, 6),
            (Mode::Safety, _) => (15, 12),
            (Mode::Liveness, n) => ([0, 60, 200, 30][n], [2, 4, 0, 8][n]),
            _ => (0, 0),
        };
        Plan {
            seed,
            mode,
            preset,
            rules,
            players,
            hands,
            think_ms: 10_000,
            cut_ms: if rng.random_bool(0.2) { 2_000 } else { 0 },
            pace_ms: if rng.random_bool(0.3) { 1_500 } else { 0 },
            weather,
            crashes,
            faults_a_minute: faults,
            liar,
            taste,
            victim,
            core,
            drift: rng.random_bool(0.3),
        }
    }

    /// In a few words.
    pub fn describe(&self) -> String {
        let liar =
            self.liar.map_or_else(String::new, |(i, c)| format!(", node {i} lies: {}", c.name()));
        let switches: Vec<String> = {
            let preset = HouseRules::preset(self.preset).switches();
            let own = self.rules.switches();
            own.iter()
                .zip(&preset)
                .filter(|(a, b)| a.1 != b.1)
                .map(|((name, value), _)| format!("{name}={value}"))
                .collect()
        };
        format!(
            "seed {}: {}, {} [{}], {} players, {} hands, delays {}..{} ms, {} % lost, crashes {}, faults {}{liar}{}",
            self.seed,
            self.mode.name(),
            self.preset,
            switches.join(" "),
            self.players,
            self.hands,
            self.weather.delay.0,
            self.weather.delay.1,
            self.weather.loss_percent,
            self.crashes,
            self.faults_a_minute,
            if self.mode == Mode::Liveness {
                format!(", core {:?}", self.core)
            } else {
                String::new()
            },
        )
    }
}
