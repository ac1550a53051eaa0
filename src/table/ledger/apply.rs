//! How an entry changes the state. Pure: the same state and entry give the same result everywhere.

use std::collections::BTreeMap;

use super::checks::Checks;
use super::{Core, EntryError, Known, Refusal, SeatState, Stage, State};
use crate::event::Event;
use crate::rules::{Input, Seat};
use crate::table::limits;
use crate::table::message::{Entry, Hash, Payload, Proof, Signed};
use crate::table::met::Met;

/// What an entry did.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The state after it.
    pub state: State,
    /// What players are told, in order. Nothing in it is one seat's secret.
    pub events: Vec<Event>,
    /// The hand that it ended.
    pub ended: Option<u64>,
    /// What the rules were told, in order.
    pub inputs: Vec<Input>,
    /// What came of it, counted.
    pub met: Met,
}

impl State {
    /// Applies an entry, checking all of it.
    ///
    /// # Errors
    /// [`EntryError`], naming the message and its author where one is at fault. The state stays as it is.
    pub fn apply(&self, entry: &Entry, checks: &mut Checks) -> Result<Applied, EntryError> {
        let core = &self.core;
        if entry.height != core.height {
            return Err(EntryError::Height { found: entry.height, expected: core.height });
        }
        if !core.electorate.contains(&entry.composer) {
            return Err(EntryError::Composer(entry.composer));
        }
        if entry.before != self.hash {
            return Err(EntryError::OtherState {
                composer: entry.composer,
                entry: core.height.saturating_sub(1),
            });
        }
        if entry.messages.is_empty() || entry.messages.len() > limits::ENTRY_MESSAGES {
            return Err(EntryError::Shape("empty or too long"));
        }
        let mut work = Work::new(self, checks);
        let mut last: Option<(u16, Hash)> = None;
        for (index, message) in entry.messages.iter().enumerate() {
            let place = work.place(message);
            if last.is_some_and(|l| place <= l) {
                return Err(EntryError::Shape("not in seat order"));
            }
            last = Some(place);
            work.message(message).map_err(|why| EntryError::Message {
                index,
                seat: work.author_seat(message),
                why,
            })?;
        }
        work.finish().map_err(|why| EntryError::Message {
            index: entry.messages.len(),
            seat: None,
            why,
        })?;
        let mut core = work.core;
        core.height = core.height.saturating_add(1);
        core.composer = entry.composer;
        let hash = core.hash();
        let mut known = work.known;
        known.remember(&core, hash, &self.known);
        let state = State { core, hash, known };
        Ok(Applied {
            state,
            events: work.events,
            ended: work.ended,
            inputs: work.inputs,
            met: work.met,
        })
    }

    /// Makes an entry of whatever of the candidates applies, in seat order; nothing when none does.
    #[must_use]
    pub fn compose(
        &self,
        composer: Seat,
        candidates: &[Signed],
        checks: &mut Checks,
    ) -> Option<Entry> {
        let mut work = Work::new(self, checks);
        let mut sorted: Vec<((u16, Hash), &Signed)> =
            candidates.iter().map(|m| (work.place(m), m)).collect();
        sorted.sort_by_key(|(place, _)| *place);
        sorted.dedup_by_key(|(place, _)| *place);
        let mut chosen: Vec<Signed> = Vec::new();
        let mut bytes = 0usize;
        for (_, message) in sorted {
            if chosen.len() >= limits::ENTRY_MESSAGES
                || bytes + message.bytes.len() > limits::ENTRY_BYTES
            {
                break;
            }
            let before = work.snapshot();
            match work.message(message) {
                Ok(()) => {
                    chosen.push(message.clone());
                    bytes += message.bytes.len() + 128;
                }
                Err(_) => work.restore(before),
            }
        }
        if work.finish().is_err() {
            // Signatures on a deal stand in an entry together or not at all.
            chosen.retain(|m| {
                !matches!(m.read(self.core.log).map(|b| b.payload), Ok(Payload::Final { .. }))
            });
        }
        if chosen.is_empty() {
            return None;
        }
        Some(Entry { height: self.core.height, composer, before: self.hash, messages: chosen })
    }

    /// Whether a message would apply alone. Signatures on a deal never do: they stand together.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn try_message(&self, message: &Signed, checks: &mut Checks) -> Result<(), Refusal> {
        Work::new(self, checks).message(message)
    }

    /// Whom a proof shows guilty now.
    ///
    /// # Errors
    /// [`Refusal`] where it proves nothing.
    pub fn accused(&self, proof: &Proof, checks: &mut Checks) -> Result<Seat, Refusal> {
        Work::new(self, checks).accused(proof).map(|(seat, _)| seat)
    }
}

/// What a working copy was before a message that may not apply.
pub(super) struct Snapshot {
    core: Core,
    known: Known,
    events: usize,
    ended: Option<u64>,
    inputs: usize,
    met: Met,
    finals: BTreeMap<Seat, Hash>,
}

/// A working copy.
pub(super) struct Work<'a> {
    pub(super) core: Core,
    pub(super) known: Known,
    pub(super) events: Vec<Event>,
    pub(super) ended: Option<u64>,
    pub(super) inputs: Vec<Input>,
    pub(super) met: Met,
    pub(super) finals: BTreeMap<Seat, Hash>,
    pub(super) checks: &'a mut Checks,
}

impl<'a> Work<'a> {
    pub(super) fn new(state: &State, checks: &'a mut Checks) -> Self {
        Work {
            core: state.core.clone(),
            known: state.known.clone(),
            events: Vec::new(),
            ended: None,
            inputs: Vec::new(),
            met: Met::default(),
            finals: BTreeMap::new(),
            checks,
        }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            core: self.core.clone(),
            known: self.known.clone(),
            events: self.events.len(),
            ended: self.ended,
            inputs: self.inputs.len(),
            met: self.met.clone(),
            finals: self.finals.clone(),
        }
    }

    pub(super) fn restore(&mut self, before: Snapshot) {
        self.core = before.core;
        self.known = before.known;
        self.ended = before.ended;
        self.finals = before.finals;
        self.events.truncate(before.events);
        self.inputs.truncate(before.inputs);
        self.met = before.met;
    }

    fn author_seat(&self, message: &Signed) -> Option<Seat> {
        message.read(self.core.log).ok().and_then(|b| self.core.seat_of(&b.author))
    }

    /// Messages apply in seat order; newcomers after all seats; of one author in the order of their nonces.
    fn place(&self, message: &Signed) -> (u16, Hash) {
        let Ok(body) = message.read(self.core.log) else { return (u16::MAX, message.id()) };
        let seat = self.core.seat_of(&body.author).map_or(0x100, |s| u16::from(s.0));
        let mut id = message.id();
        if let Payload::Free { nonce, .. } = &body.payload {
            // The nonce goes first in the tie-break, so that several free messages of a seat fit one entry.
            let (head, _) = id.split_at_mut(8);
            head.copy_from_slice(&nonce.to_be_bytes());
        }
        (seat, id)
    }

    fn message(&mut self, message: &Signed) -> Result<(), Refusal> {
        self.take(message)?;
        self.settle()
    }

    fn take(&mut self, message: &Signed) -> Result<(), Refusal> {
        let body = self.checks.open(message, self.core.log)?;
        if self.core.stage == Stage::Over
            && !matches!(body.payload, Payload::Free { .. } | Payload::Absent { .. })
        {
            return Err(Refusal::Over);
        }
        let author = body.author;
        let Some(seat) = self.core.seat_of(&author).filter(|s| self.core.seated(*s)) else {
            return match body.payload {
                Payload::Admit { name, buy_in, addresses, rules, times } => {
                    let next = self.core.seats_had(&author);
                    if times != next {
                        let (found, next) = (u64::from(times), u64::from(next));
                        return Err(Refusal::Nonce { found, next });
                    }
                    self.admit(author, name, buy_in, addresses, rules)
                }
                _ => Err(Refusal::Stranger),
            };
        };
        match body.payload {
            Payload::Start { hand, participants } => self.start(seat, hand, participants),
            Payload::Ready { hand } => self.ready(seat, hand, true),
            Payload::SitOut { hand } => self.ready(seat, hand, false),
            Payload::Key { .. }
            | Payload::Shuffle { .. }
            | Payload::Cut { .. }
            | Payload::Escrow { .. }
            | Payload::Status { .. }
            | Payload::Say { .. }
            | Payload::Advice { .. }
            | Payload::Close { .. } => Err(Refusal::NotForLog),
            Payload::Final { deal, hash } => self.sign_deal(seat, deal, hash),
            Payload::Shares { deal, round, positions, batch } => {
                self.give_shares(seat, (deal, round), &positions, &batch)
            }
            Payload::Recover { deal, lost, bytes } => self.recover(seat, deal, lost, &bytes),
            Payload::Renew { deal, step, bytes } => self.renew_escrow(seat, deal, step, &bytes),
            Payload::Recipient { deal, bytes } => self.name_key(seat, deal, &bytes),
            Payload::Show { deal, to, bytes } => self.show_partners(seat, deal, &to, &bytes),
            Payload::Move { basis, action } => self.play(seat, basis, action),
            Payload::Tens { basis, batch } => self.lay_tens(seat, basis, &batch),
            Payload::Unary { basis, bytes, shown } => self.commit(seat, basis, &bytes, &shown),
            Payload::Select { basis, bytes, shown } => self.select(seat, basis, &bytes, &shown),
            Payload::Reveal { basis, bytes } => self.reveal(seat, basis, &bytes),
            Payload::Absent { step, seat: absent } => self.absent(seat, step, absent),
            Payload::Admit { .. } => Err(Refusal::NotAsked),
            Payload::Free { nonce, free } => {
                let next = self.seat(seat)?.nonce;
                if nonce != next {
                    return Err(Refusal::Nonce { found: nonce, next });
                }
                self.free(seat, free)?;
                self.seat(seat)?.nonce = next.saturating_add(1);
                Ok(())
            }
        }
    }

    pub(super) fn seat(&mut self, seat: Seat) -> Result<&mut SeatState, Refusal> {
        self.core.seats.get_mut(&seat).ok_or(Refusal::Stranger)
    }
}
