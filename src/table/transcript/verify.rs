//! Replays a transcript from nothing but its bytes: signatures, certificates, proofs, rules, the end.

use super::course::Course;
use super::read::{SectionError, Sections};
use super::report::{Finding, Named, Part, Problem, Report, ReportSeat};
use super::{Frame, Header, Kind, MAGIC, MAX_FILE, OwnCards, PRIVATE_LABEL, PUBLIC_LABEL};
use crate::event::Event;
use crate::identity::Sig;
use crate::rules::{Chips, Input, Seat};
use crate::table::agreement::{self, Certificate, CertificateError, value_id};
use crate::table::founding::{Founded, FoundingError};
use crate::table::ledger::{
    Checks, Core, Deal, DealError, DealPlan, EntryError, Playing, Presence, SeatState, Stage, State,
};
use crate::table::message::{DealPart, Decided, Entry, Payload, Signed};
use crate::table::met::Met;
use crate::wire::{self, PROTOCOL_VERSION};

/// Verifies a transcript. `seed` is for the weights of batched verification.
#[must_use]
pub fn verify(bytes: &[u8], seed: [u8; 32]) -> Finding {
    replay(bytes, seed).0
}

/// Verifies a transcript, and tells the course of its hand where everything holds.
#[must_use]
pub fn replay(bytes: &[u8], seed: [u8; 32]) -> (Finding, Option<Course>) {
    match Verifier::run(bytes, seed) {
        Ok((report, course, end)) => {
            let report = Box::new(report);
            let finding = match end {
                End::Hand => Finding::Good(report),
                End::None => Finding::Unfinished(report),
                End::Evidence => Finding::Evidence(report),
            };
            (finding, Some(course))
        }
        Err(problem) => (Finding::Bad(Box::new(problem)), None),
    }
}

/// How a file ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// With its hand.
    Hand,
    /// With what proves that a seat cheated.
    Evidence,
    /// In the middle of its hand.
    None,
}

struct Verifier {
    state: State,
    checks: Checks,
    report: Report,
    owner: crate::identity::PublicKey,
    course: Course,
}

pub(super) fn section(part: Part) -> impl Fn(SectionError) -> Problem {
    move |e| Problem::new(part, e.words())
}

pub(super) fn decode<T: serde::Serialize + serde::de::DeserializeOwned>(
    part: Part,
    bytes: &[u8],
) -> Result<T, Problem> {
    wire::decode(bytes).map_err(|e| Problem::new(part, e.to_string()))
}

impl Verifier {
    fn run(bytes: &[u8], seed: [u8; 32]) -> Result<(Report, Course, End), Problem> {
        if bytes.len() > MAX_FILE {
            return Err(Problem::new(
                Part::Header,
                format!("larger than the {MAX_FILE} bytes a transcript may have"),
            ));
        }
        let Some((magic, rest)) = bytes.split_first_chunk::<8>() else {
            return Err(Problem::new(Part::Header, "not a transcript: too short"));
        };
        if magic != MAGIC {
            return Err(Problem::new(Part::Header, "not a transcript"));
        }
        let version = rest.split_first_chunk::<2>().map(|(v, _)| u16::from_be_bytes(*v));
        if version != Some(PROTOCOL_VERSION) {
            return Err(Problem::new(
                Part::Header,
                format!("version {version:?}, this program reads {PROTOCOL_VERSION}"),
            ));
        }
        let mut sections = Sections::new(bytes, 10);
        let header: Header =
            decode(Part::Header, sections.next(Kind::Header).map_err(section(Part::Header))?)?;
        let founded: Founded = decode(
            Part::Founding,
            sections.next(Kind::Founding).map_err(section(Part::Founding))?,
        )?;
        let mut this = Self::open(&header, &founded, seed)?;
        for _ in 0..header.entries {
            this.entry(&mut sections)?;
        }
        if sections.comes(Kind::Claim) {
            this.claim(&mut sections)?;
        }
        let evidence = sections.comes(Kind::Evidence);
        if evidence {
            this.evidence(&mut sections)?;
        }
        this.signed(&mut sections, PUBLIC_LABEL, Kind::Public, Part::Signature)?;
        if !sections.is_empty() {
            this.private(&mut sections)?;
        }
        if !sections.is_empty() {
            return Err(Problem::new(Part::End, "something stands behind the end"));
        }
        let (report, course, ended) = this.close(&header);
        let end = match ended {
            _ if evidence => End::Evidence,
            true => End::Hand,
            false => End::None,
        };
        Ok((report, course, end))
    }

    fn open(header: &Header, founded: &Founded, seed: [u8; 32]) -> Result<Self, Problem> {
        let founding = founded.verify().map_err(|e| {
            let seat = match &e {
                FoundingError::Signature(seat) => Some(*seat),
                _ => None,
            };
            let mut problem = Problem::new(Part::Founding, e.to_string());
            problem.seat = seat;
            problem
        })?;
        let core = &header.core;
        if core.log != founded.log_id()
            || core.table != founding.table
            || core.terms.rules != *core.game.rules()
        {
            return Err(Problem::new(Part::Header, "the state belongs to another founding entry"));
        }
        let chips = core.game.total() == core.game.total_bought();
        if core.stage != Stage::Idle || !chips || core.electorate.is_empty() {
            return Err(Problem::new(Part::Header, "not a state between two hands"));
        }
        if core.height == 1 {
            let first =
                State::found(founded).map_err(|e| Problem::new(Part::Founding, e.to_string()))?;
            if first.core() != core {
                return Err(Problem::new(
                    Part::Header,
                    "the opening state is not the one that was founded",
                ));
            }
        }
        let state = State::from_core(core.clone());
        let seats = core
            .seats
            .iter()
            .map(|(seat, s)| report_seat(*seat, s, core.game.stack(*seat).unwrap_or(0)))
            .collect();
        let report = Report {
            table: core.table.to_string(),
            hand: header.hand,
            owner: header.owner.fingerprint(),
            seats,
            messages: 0,
            shuffles: 0,
            shares: 0,
            hand_proofs: 0,
            signatures: founded.signatures.len() as u64,
            met: Met::default(),
            skipped: Vec::new(),
            named: Vec::new(),
            result: None,
            suspended: None,
            opening: state.hash(),
            closing: state.hash(),
        };
        Ok(Verifier {
            state,
            checks: Checks::new(seed),
            report,
            owner: header.owner,
            course: Course::new(&core.game),
        })
    }

    fn entry(&mut self, sections: &mut Sections<'_>) -> Result<(), Problem> {
        let height = self.state.core().height;
        let frame: Frame = sections
            .next(Kind::Frame)
            .map_err(section(Part::Entry))
            .and_then(|b| decode(Part::Entry, b))
            .map_err(|p| p.at(height))?;
        let dealt = self.deal(sections, frame.deal, height)?;
        let mut messages = Vec::with_capacity(frame.messages.len().min(64));
        for (index, (seat, id)) in frame.messages.iter().enumerate() {
            let fault = |p: Problem| p.at(height).of(*seat, index);
            let message: Signed = sections
                .next(Kind::Message)
                .map_err(section(Part::Entry))
                .and_then(|b| decode(Part::Entry, b))
                .map_err(fault)?;
            if message.id() != *id {
                return Err(fault(Problem::new(
                    Part::Entry,
                    "it is not the message that the entry names",
                )));
            }
            messages.push(message);
        }
        let entry = Entry {
            height: frame.height,
            composer: frame.composer,
            before: frame.before,
            messages,
        };
        let bytes = wire::encode(&entry)
            .map_err(|e| Problem::new(Part::Entry, e.to_string()).at(height))?;
        let certificate: Certificate = sections
            .next(Kind::Certificate)
            .map_err(section(Part::Certificate))
            .and_then(|b| decode(Part::Certificate, b))
            .map_err(|p| p.at(height))?;
        self.certificate(&certificate, &bytes, height)?;
        self.count(&entry);
        let applied = self.state.apply(&entry, &mut self.checks).map_err(|e| {
            let problem = Problem::new(Part::Entry, e.to_string()).at(height);
            match e {
                EntryError::Message { index, seat, .. } => problem.of(seat, index),
                _ => problem,
            }
        })?;
        // The deal that is open before an entry is the one that it finishes, and that its cards are of.
        let deal = match &self.state.core().stage {
            Stage::Dealing { deal, .. } => *deal,
            Stage::Playing { cards, .. } => cards.deal,
            _ => 0,
        };
        let finished = applied.inputs.iter().filter(|input| **input == Input::Dealt);
        self.course.deals.extend(finished.map(|_| deal));
        for event in &applied.events {
            if let Event::Fault { seat, kind, evidence: Some(_) } = event {
                self.report.named.push(Named { seat: *seat, kind: *kind, height });
            }
            if let Event::Shown { seat, cards, .. } = event
                && let Ok(cards) = <[crate::rules::Card; 3]>::try_from(cards.clone())
            {
                self.course.shown.push((deal, *seat, cards));
            }
        }
        if applied.ended == Some(self.report.hand) {
            let core = applied.state.core();
            self.report.result = core.game.result().map(|r| (r.kind, r.seats.clone(), r.amount));
        }
        self.report.met.add(&applied.met);
        self.course.inputs.extend(applied.inputs);
        self.course.entries.push((height, Decided { entry: bytes, certificate, deal: dealt }));
        self.state = applied.state;
        Ok(())
    }

    fn deal(
        &mut self,
        sections: &mut Sections<'_>,
        count: u32,
        height: u64,
    ) -> Result<Vec<Signed>, Problem> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let fail = |error: String| Problem::new(Part::Deal, error).at(height);
        let plan = DealPlan::new(self.state.core()).map_err(|e| fail(e.to_string()))?;
        let plan = plan.ok_or_else(|| fail("no deal was open".into()))?;
        let authors = deal_authors(&plan);
        if authors.len() != count as usize {
            return Err(fail(format!(
                "{count} messages, a deal of these players has {}",
                authors.len()
            )));
        }
        let mut messages = Vec::with_capacity(authors.len());
        for (index, seat) in authors.iter().enumerate() {
            let fault = |p: Problem| p.at(height).of(Some(*seat), index);
            let message: Signed = sections
                .next(Kind::Deal)
                .map_err(section(Part::Deal))
                .and_then(|b| decode(Part::Deal, b))
                .map_err(fault)?;
            messages.push(message);
        }
        let deal = Deal::verify(&plan, &messages, self.checks.rng()).map_err(|e| {
            let problem = fail(e.to_string());
            match e {
                DealError::False { seat, part, .. } => {
                    let n = plan.order.len();
                    let from = match part {
                        DealPart::Key | DealPart::Final => 0,
                        DealPart::Shuffle => n,
                        DealPart::Cut => 2 * n,
                        DealPart::Escrow => 2 * n + 1,
                    };
                    let mut places = authors.iter().enumerate().skip(from);
                    let index = places.find(|(_, s)| **s == seat).map_or(0, |(i, _)| i);
                    problem.of(Some(seat), index)
                }
                DealError::Order { index } => problem.of(authors.get(index).copied(), index),
                _ => problem,
            }
        })?;
        self.report.shuffles += plan.order.len() as u64;
        self.report.messages += messages.len() as u64;
        self.report.signatures += messages.len() as u64;
        self.checks.know_deal(deal);
        Ok(messages)
    }

    fn certificate(
        &mut self,
        certificate: &Certificate,
        entry: &[u8],
        height: u64,
    ) -> Result<(), Problem> {
        let fail = |error: String| Problem::new(Part::Certificate, error).at(height);
        if certificate.height != height || certificate.value_id != value_id(entry) {
            return Err(fail("it is for another entry".into()));
        }
        let electorate = self.state.core().voting_keys();
        agreement::verify_certificate(&self.state.core().log.0, &electorate, certificate).map_err(
            |e| {
                let mut problem = fail(e.to_string());
                problem.seat = match e {
                    CertificateError::Twice(v)
                    | CertificateError::NotAMember(v)
                    | CertificateError::BadSignature(v) => Some(Seat(v.0)),
                    _ => None,
                };
                problem
            },
        )?;
        self.report.signatures += certificate.signatures.len() as u64;
        Ok(())
    }

    fn count(&mut self, entry: &Entry) {
        let log = self.state.core().log;
        for message in &entry.messages {
            self.report.messages += 1;
            self.report.signatures += 1;
            let Ok(body) = message.read(log) else { continue };
            match body.payload {
                Payload::Shares { positions, .. } => self.report.shares += positions.len() as u64,
                Payload::Tens { .. } => self.report.shares += 3,
                Payload::Recover { lost, .. } => {
                    let of = |p: &Playing| p.recoveries.get(&lost).map(|r| r.wanted.clone());
                    let wanted = self.state.core().playing().and_then(of).unwrap_or_default();
                    self.report.shares += wanted.values().map(|p| p.len() as u64).sum::<u64>();
                }
                // The selection brings a share, and so does the answer to it.
                Payload::Unary { .. } => self.report.hand_proofs += 1,
                Payload::Select { .. } => {
                    self.report.hand_proofs += 1;
                    self.report.shares += 1;
                }
                Payload::Reveal { .. } => self.report.shares += 1,
                Payload::Absent { seat, .. } => self.report.skipped.push((seat, entry.height)),
                _ => {}
            }
        }
    }

    /// Whom a file of evidence is against: named by the last entry, which holds a proof of it.
    fn evidence(&mut self, sections: &mut Sections<'_>) -> Result<(), Problem> {
        let height = self.state.core().height.saturating_sub(1);
        let fail = |problem: Problem| problem.at(height);
        let seat: Seat = sections
            .next(Kind::Evidence)
            .map_err(section(Part::Entry))
            .and_then(|b| decode(Part::Entry, b))
            .map_err(fail)?;
        let last = |named: &&Named| named.seat == seat && named.height == height;
        let Some(at) = self.report.named.iter().position(|named| last(&named)) else {
            return Err(fail(Problem::new(
                Part::Entry,
                "the last entry proves nothing of that seat",
            )));
        };
        // The last of those that are named is the one that the file is about.
        let named = self.report.named.remove(at);
        self.report.named.push(named);
        Ok(())
    }

    /// The claim that closed the table: by the owner, of this very state, with proofs that prove something.
    fn claim(&mut self, sections: &mut Sections<'_>) -> Result<(), Problem> {
        let height = self.state.core().height;
        let fail = |error: &str| Problem::new(Part::Entry, error).at(height);
        let claim: Signed = sections
            .next(Kind::Claim)
            .map_err(section(Part::Entry))
            .and_then(|b| decode(Part::Entry, b))
            .map_err(|p| p.at(height))?;
        let core = self.state.core();
        let body = claim.open(core.log).map_err(|e| fail(&e.to_string()))?;
        let Payload::Close { height: at, state, bank, evidence, .. } = body.payload else {
            return Err(fail("it is no claim that closes a table"));
        };
        if body.author != self.owner || at != height || state != self.state.hash() {
            return Err(fail("the claim is not the owner's, or of another state"));
        }
        if bank != core.game.bank() {
            return Err(fail("the claim names another bank"));
        }
        for proof in &evidence {
            let proved = self.state.accused(proof, &mut self.checks);
            proved.map_err(|e| fail(&e.to_string()))?;
        }
        self.report.suspended = Some(bank);
        self.report.signatures += 1;
        Ok(())
    }

    fn signed(
        &mut self,
        sections: &mut Sections<'_>,
        label: &str,
        kind: Kind,
        part: Part,
    ) -> Result<(), Problem> {
        let signed = sections.so_far();
        let signature: Sig =
            sections.next(kind).map_err(section(part)).and_then(|b| decode(part, b))?;
        if !self.owner.verifies(label, &[signed], &signature) {
            return Err(Problem::new(part, "the owner's signature does not fit"));
        }
        self.report.signatures += 1;
        Ok(())
    }

    fn private(&mut self, sections: &mut Sections<'_>) -> Result<(), Problem> {
        let cards: Vec<OwnCards> = sections
            .next(Kind::Private)
            .map_err(section(Part::Private))
            .and_then(|b| decode(Part::Private, b))?;
        self.signed(sections, PRIVATE_LABEL, Kind::PrivateSignature, Part::Private)?;
        let seat = self.state.core().seat_of(&self.owner);
        for own in cards {
            let mut shown = self.course.shown.iter();
            let shown = shown.find(|(deal, s, _)| *deal == own.deal && Some(*s) == seat);
            let sorted = |mut cards: [crate::rules::Card; 3]| {
                cards.sort_unstable();
                cards
            };
            // Files of earlier versions may have them in another order.
            if shown.is_some_and(|(_, _, cards)| sorted(*cards) != sorted(own.cards)) {
                return Err(Problem::new(
                    Part::Private,
                    "the owner showed other cards than it claims to have had",
                ));
            }
            self.course.own.push((own.deal, own.cards));
        }
        Ok(())
    }

    fn close(mut self, header: &Header) -> (Report, Course, bool) {
        let core: &Core = self.state.core();
        // Who sat down since brought its buy-in.
        let known: Vec<Seat> = self.report.seats.iter().map(|s| s.seat).collect();
        let fresh = core.seats.iter().filter(|(seat, _)| !known.contains(seat));
        let fresh: Vec<ReportSeat> =
            fresh.map(|(seat, s)| report_seat(*seat, s, core.terms.buy_in)).collect();
        self.report.seats.extend(fresh);
        let taken_along = self.course.taken_along();
        for seat in &mut self.report.seats {
            let stack = core.game.stack(seat.seat).or(taken_along.get(&seat.seat).copied());
            seat.after = stack.unwrap_or(0);
            seat.left = core.seats.get(&seat.seat).is_some_and(|s| s.presence == Presence::Left);
        }
        self.report.closing = self.state.hash();
        let ended = self.report.result.is_some() && header.entries > 0;
        self.course.owner = core.seat_of(&self.owner);
        let names = core.seats.iter().map(|(seat, s)| (*seat, s.player.name.clone()));
        self.course.names = names.collect();
        (self.report, self.course, ended)
    }
}

/// Who wrote each message of a finished deal.
fn deal_authors(plan: &DealPlan) -> Vec<Seat> {
    let mut authors: Vec<Seat> = plan.order.iter().map(|(s, _)| *s).collect();
    authors.extend(plan.shufflers.iter().filter_map(|i| plan.seat_at(*i)));
    authors.extend(plan.cutter());
    if plan.escrows() {
        authors.extend(plan.order.iter().map(|(seat, _)| *seat));
    }
    authors
}

pub(super) fn report_seat(seat: Seat, state: &SeatState, before: Chips) -> ReportSeat {
    let crate::table::founding::Player { name, key, .. } = &state.player;
    ReportSeat {
        seat,
        name: name.clone(),
        key: key.hex(),
        fingerprint: key.fingerprint(),
        before,
        after: before,
        left: state.presence == Presence::Left,
    }
}
