//! How things stand, for people and programs.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::rules::{Chips, DealKind, Game, Phase, ResultKind, Seat};

/// How things stand after a script. Sums are in chips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// What is awaited: `betting`, `svara-entry`, `over`, …
    pub phase: &'static str,
    /// Who is to act; none where several may answer.
    pub turn: Option<String>,
    /// The bank; 0 once it is paid out.
    pub bank: Chips,
    /// What each has, in seat order.
    #[serde(serialize_with = "as_map")]
    pub stacks: Vec<(String, Chips)>,
    /// Who is still in, in seat order.
    pub active: Vec<String>,
    /// What staying and comparing cost whoever is to act; none outside betting.
    pub price: Option<PriceState>,
    /// How the last hand ended, until the next begins.
    pub result: Option<ResultState>,
}

/// What staying and comparing cost, in chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PriceState {
    /// What it costs to stay.
    pub pass: Chips,
    /// What it costs to compare; none where comparing is closed.
    pub compare: Option<Chips>,
}

/// How a bank was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultState {
    /// Won or divided.
    pub kind: ResultKind,
    /// By whom, in seat order.
    pub seats: Vec<String>,
    /// The whole bank, in chips.
    pub amount: Chips,
}

/// Pairs as an object that keeps their order.
fn as_map<S: Serializer>(pairs: &[(String, Chips)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    for (name, chips) in pairs {
        map.serialize_entry(name, chips)?;
    }
    map.end()
}

/// What a phase is called in scripts.
pub(super) fn phase_word(game: &Game) -> &'static str {
    match game.phase() {
        Phase::Idle if game.hand_no() == 0 => "idle",
        Phase::Idle => "over",
        Phase::AwaitDeal { kind: DealKind::Redeal { .. } } => "redeal",
        Phase::AwaitDeal { .. } => "deal",
        Phase::Betting => "betting",
        Phase::Comparing { .. } => "comparing",
        Phase::MissingAnte => "missing-ante",
        Phase::DealerChoice { .. } => "dealer-choice",
        Phase::Exposed { .. } => "exposed",
        Phase::ThreeTens { .. } => "three-tens",
        Phase::Boil { .. } => "boil",
        Phase::SvaraSplit => "svara-split",
        Phase::SvaraEntry => "svara-entry",
        Phase::Showdown => "showdown",
    }
}

impl State {
    /// Before there is a game.
    pub(super) fn empty(stacks: Vec<(String, Chips)>) -> State {
        State {
            phase: "idle",
            turn: None,
            bank: 0,
            stacks,
            active: Vec::new(),
            price: None,
            result: None,
        }
    }

    /// How a game stands, its seats called by `name`.
    pub(super) fn of(game: &Game, name: impl Fn(Seat) -> String) -> State {
        let price = game.turn().and_then(|seat| game.price(seat));
        let over = matches!(game.phase(), Phase::Idle);
        let result = game.result().filter(|_| over).map(|result| ResultState {
            kind: result.kind,
            seats: result.seats.iter().map(|seat| name(*seat)).collect(),
            amount: result.amount,
        });
        State {
            phase: phase_word(game),
            turn: game.turn().map(&name),
            bank: game.bank(),
            stacks: game.stacks().into_iter().map(|(seat, chips)| (name(seat), chips)).collect(),
            active: game.active().into_iter().map(&name).collect(),
            price: price.map(|price| PriceState { pass: price.pass, compare: price.compare }),
            result,
        }
    }
}
