//! A table that nobody sits at: it follows the log and judges each proof by itself.

use std::collections::BTreeSet;

use trinka::rules::{Chips, Game, GameEvent, Input, Phase, Seat};
use trinka::table::founding::Founded;
use trinka::table::ledger::{Checks, DealPlan, DealUse, Shared, Sight, State};
use trinka::table::message::{Decided, Entry, Free, Payload, Proof, Signed};
use trinka::wire;

/// Somebody who was named a cheat.
pub struct Named {
    pub seat: Seat,
    /// By the entry at this height.
    pub height: u64,
    /// In which hand, if in one.
    pub hand: Option<u64>,
    /// Its stack when it was named, with the ante that whoever drops out before the cards are dealt gets back: by
    /// folding then it would have kept that, and nothing more.
    pub stack: Chips,
    /// What it had bought until then.
    pub bought: Chips,
    /// It shares what another takes: that it would get by folding too.
    pub shares: bool,
}

/// What was to be seen in a deal, now or earlier.
#[derive(Default)]
struct Entitled {
    deal: u64,
    /// Whose program was entitled to read its hand, or had to.
    hands: BTreeSet<Seat>,
    /// Places that all were to see. Where the holder is lost meanwhile, nobody waits for the layers that are
    /// missing; its own may be off by then.
    places: BTreeSet<u8>,
}

pub struct Replica {
    state: State,
    checks: Checks,
    /// Proofs are judged without anything that nodes have verified.
    alone: Checks,
    entitled: Entitled,
}

/// What a seat that drops out now gets back of what it has put in.
fn returned(game: &Game, seat: Seat) -> Chips {
    let events = game.apply(&Input::Lost { seat }).map(|step| step.events).unwrap_or_default();
    let to_it = |event: &GameEvent| match event {
        GameEvent::Returned { seat: to, amount } if *to == seat => *amount,
        _ => 0,
    };
    events.iter().map(to_it).sum()
}

impl Replica {
    pub fn new(founded: &Founded, shared: Shared) -> Replica {
        Replica {
            state: State::found(founded).expect("a founding entry"),
            checks: Checks::new([1; 32]).sharing(Some(shared)),
            alone: Checks::new([2; 32]),
            entitled: Entitled::default(),
        }
    }

    pub fn height(&self) -> u64 {
        self.state.core().height
    }

    /// How many decide the next entry.
    pub fn voters(&self) -> usize {
        self.state.core().electorate.len()
    }

    /// The hand that is played.
    pub fn hand(&self) -> Option<u64> {
        self.state.core().hand()
    }

    /// Whether a message is a proved lie in the state of the log's end.
    pub fn proves(&mut self, message: &Signed) -> bool {
        let proof = Proof::FalseStep { message: message.clone() };
        self.state.accused(&proof, &mut self.checks).is_ok()
    }

    /// The state in which the message at a place of the next entry applies.
    fn before(&mut self, entry: &Entry, at: usize) -> State {
        let mut part = entry.clone();
        part.messages.truncate(at);
        match self.state.apply(&part, &mut self.checks) {
            Ok(applied) => applied.state,
            // Nothing comes before it, or what does stands together with what follows.
            Err(_) => self.state.clone(),
        }
    }

    /// Takes the next entry of the log, and tells whom its proofs name.
    pub fn take(&mut self, decided: &Decided) -> Result<Vec<Named>, String> {
        let entry: Entry = wire::decode(&decided.entry).map_err(|e| e.to_string())?;
        let log = self.state.core().log;
        let mut named = Vec::new();
        for (at, message) in entry.messages.iter().enumerate() {
            let Ok(body) = message.open(log) else {
                return Err("it holds a message that nobody signed".into());
            };
            let Payload::Free { free: Free::Evidence(proof), .. } = &body.payload else { continue };
            let state = self.before(&entry, at);
            let seat = state
                .accused(proof, &mut self.alone)
                .map_err(|e| format!("its evidence proves nothing: {e}"))?;
            let game = &state.core().game;
            let shares = game.pacts().iter().flatten().any(|s| *s == seat)
                || game.pools().values().any(|parts| parts.contains_key(&seat));
            named.push(Named {
                seat,
                height: entry.height,
                hand: state.core().hand(),
                stack: game.stack(seat).unwrap_or(0) + returned(game, seat),
                bought: game.bought(seat).unwrap_or(0),
                shares,
            });
        }
        if let Ok(Some(plan)) = DealPlan::new(self.state.core())
            && !decided.deal.is_empty()
        {
            self.checks.verify_deal(&plan, &decided.deal).map_err(|e| e.to_string())?;
        }
        let applied = self.state.apply(&entry, &mut self.checks).map_err(|e| e.to_string())?;
        self.state = applied.state;
        self.covered()?;
        Ok(named)
    }

    /// Layers come off a hand only where the rules let its holder see it, or in a comparison; the holder's own
    /// only where all see it.
    fn covered(&mut self) -> Result<(), String> {
        let core = self.state.core();
        let Some(cards) = core.playing().filter(|c| c.purpose == Some(DealUse::Hand)) else {
            return Ok(());
        };
        if self.entitled.deal != cards.deal {
            self.entitled = Entitled { deal: cards.deal, ..Entitled::default() };
        }
        let shown = cards.sights.iter().filter(|(_, sight)| **sight == Sight::All);
        self.entitled.places.extend(shown.map(|(place, _)| *place));
        let compares = |seat: Seat| match core.game.phase() {
            Phase::Comparing { caller, target } | Phase::ThreeTens { caller, target } => {
                *caller == seat || *target == seat
            }
            Phase::Showdown => true,
            _ => false,
        };
        for (seat, places) in &cards.hands {
            if core.game.may_see(*seat, *seat) || compares(*seat) {
                self.entitled.hands.insert(*seat);
            }
            if cards.is_readable(*seat) && !self.entitled.hands.contains(seat) {
                return Err(format!("seat {} can read cards that it may not see", seat.0));
            }
            // A card that was turned up before the deal lies open, and is its holder's to see after it.
            let hidden = |p: &&u8| !self.entitled.places.contains(p) && !cards.open.contains_key(p);
            if let Some(place) = places.iter().filter(hidden).find(|p| cards.is_given(**p, *seat)) {
                let seat = seat.0;
                return Err(format!("its own layer is off card {place} of seat {seat} too early"));
            }
            let dark =
                |p: &&u8| cards.sights.get(p) != Some(&Sight::All) && !cards.open.contains_key(p);
            let read = |p: &&u8| cards.order.iter().all(|giver| cards.is_given(**p, *giver));
            if let Some(place) = places.iter().filter(dark).find(read) {
                let seat = seat.0;
                return Err(format!("all can read card {place} of seat {seat}, and may not"));
            }
        }
        Ok(())
    }
}
