//! Timeouts of the three steps: when they elapse, how they grow, and that they can stand still.

use super::Place;

/// The shortest timeout, in milliseconds: a proposal on one network takes a few.
pub const MIN_TIMEOUT_MS: u64 = 500;
/// The longest timeout, in milliseconds.
pub const MAX_TIMEOUT_MS: u64 = 5_000;
/// How much longer each round waits than the one before, in milliseconds.
const GROWTH_MS: u64 = 500;

/// A timeout of one step. Without `due` it has not been started, or stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Timer {
    round: u32,
    place: Place,
    due: Option<u64>,
}

/// The running timeouts of a height; at most one per step and round, and old rounds are dropped.
#[derive(Clone, Debug)]
pub(super) struct Timers {
    base_ms: u64,
    running: Vec<Timer>,
}

impl Timers {
    /// With the given timeout for round 0, brought into the allowed range.
    pub(super) fn new(base_ms: u64) -> Self {
        Self { base_ms: base_ms.clamp(MIN_TIMEOUT_MS, MAX_TIMEOUT_MS), running: Vec::new() }
    }

    /// How long a step of `round` waits, in milliseconds (`timeout*(r)` in the paper).
    pub(super) fn duration_ms(&self, round: u32) -> u64 {
        GROWTH_MS.saturating_mul(u64::from(round)).saturating_add(self.base_ms).min(MAX_TIMEOUT_MS)
    }

    /// Takes up a timeout, which [`Self::start`] starts. Replay has no time to start it with.
    pub(super) fn add(&mut self, round: u32, place: Place) {
        if !self.running.iter().any(|timer| (timer.round, timer.place) == (round, place)) {
            self.running.push(Timer { round, place, due: None });
        }
    }

    /// Forgets a timeout that elapsed.
    pub(super) fn remove(&mut self, round: u32, place: Place) {
        self.running.retain(|timer| (timer.round, timer.place) != (round, place));
    }

    /// Forgets timeouts of rounds before `round`.
    pub(super) fn enter(&mut self, round: u32) {
        self.running.retain(|timer| timer.round >= round);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.running.clear();
    }

    /// Lets all timeouts stand still until [`Self::start`], which gives them their full time again.
    pub(super) fn halt(&mut self) {
        for timer in &mut self.running {
            timer.due = None;
        }
    }

    /// Starts whatever stands still.
    pub(super) fn start(&mut self, now: u64) {
        for index in 0..self.running.len() {
            let Some(round) = self.running.get(index).map(|timer| timer.round) else {
                break;
            };
            let due = now.saturating_add(self.duration_ms(round));
            if let Some(timer) = self.running.get_mut(index) {
                timer.due.get_or_insert(due);
            }
        }
    }

    /// The first timeout that elapsed by `now`, or one that `hurry` says need not be waited for.
    pub(super) fn elapsed(
        &self,
        now: u64,
        hurry: impl Fn(u32, Place) -> bool,
    ) -> Option<(u32, Place)> {
        self.running
            .iter()
            .filter(|timer| {
                timer.due.is_some_and(|due| due <= now) || hurry(timer.round, timer.place)
            })
            .min_by_key(|timer| timer.due)
            .map(|timer| (timer.round, timer.place))
    }

    /// When the next timeout elapses, in the caller's milliseconds.
    pub(super) fn next_due(&self) -> Option<u64> {
        self.running.iter().filter_map(|timer| timer.due).min()
    }

    /// Whether some timeout waits for [`Self::start`].
    pub(super) fn unstarted(&self) -> bool {
        self.running.iter().any(|timer| timer.due.is_none())
    }
}
