//! A table that nobody sits at: it follows the log and judges each proof by itself.

use trinka::rules::{Chips, Seat};
use trinka::table::founding::Founded;
use trinka::table::ledger::{Checks, DealPlan, Shared, State};
use trinka::table::message::{Decided, Entry, Free, Payload, Proof, Signed};
use trinka::wire;

/// Somebody who was named a cheat.
pub struct Named {
    pub seat: Seat,
    /// In which hand, if in one.
    pub hand: Option<u64>,
    /// Its stack when it was named: by folding then it would have kept that, and nothing more.
    pub stack: Chips,
    /// What it had bought until then.
    pub bought: Chips,
    /// It shares what another takes: that it would get by folding too.
    pub shares: bool,
}

pub struct Replica {
    state: State,
    checks: Checks,
    /// Proofs are judged without anything that nodes have verified.
    alone: Checks,
}

impl Replica {
    pub fn new(founded: &Founded, shared: Shared) -> Replica {
        Replica {
            state: State::found(founded).expect("a founding entry"),
            checks: Checks::new([1; 32]).sharing(Some(shared)),
            alone: Checks::new([2; 32]),
        }
    }

    pub fn height(&self) -> u64 {
        self.state.core().height
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
                hand: state.core().hand(),
                stack: game.stack(seat).unwrap_or(0),
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
        Ok(named)
    }
}
