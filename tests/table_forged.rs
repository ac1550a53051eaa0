//! Who answers a comparison, or a look, with a false proof is named: the message is refused, its author is
//! frozen on evidence that anybody can check again, and the others play on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use std::collections::BTreeSet;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use trinka::event::{Event, FaultKind};
use trinka::identity::Identity;
use trinka::rules::{Action, HouseRules, Phase, Preset, Seat};
use trinka::table::ledger::{Checks, Presence, Sides, State, sealed_step, share_purpose};
use trinka::table::message::{Entry, Free, Payload, Proof, Signed};
use trinka::table::transcript::{Finding, verify};
use trinka::table::{Record, TableWire};
use trinka::wire;
use trinka_crypto::hands::{Hand, HandTable};
use trinka_crypto::sealed::{Caller, Other, Statement};
use trinka_crypto::{SecretKey, opening, shares, showing};
use world::{CALM, Death, World};

const LONG: u64 = 12_000_000;
const LIAR: usize = 1;
const ME: Seat = Seat(1);

type Says = fn(&Payload) -> bool;

fn rules(preset: Preset, switches: &[(&str, &str)]) -> HouseRules {
    let mut rules = HouseRules::preset(preset);
    for (switch, value) in switches {
        rules.set(switch, value).unwrap();
    }
    rules.validate().unwrap();
    rules
}

/// What the liar's program holds when it is about to speak.
struct Moment {
    /// The state that all have, in which its answer is awaited.
    state: State,
    /// What an honest program would have said.
    honest: Signed,
    /// The keys of the deal, by index in it.
    secrets: Vec<SecretKey>,
    rng: ChaCha20Rng,
    /// Who lies.
    liar: Identity,
}

fn signed_by_liar(moment: &Moment, payload: Payload) -> Signed {
    Signed::new(&moment.liar, moment.state.core().log, payload).unwrap()
}

impl Moment {
    fn honest(&self) -> Payload {
        self.honest.read(self.state.core().log).unwrap().payload
    }

    fn index(&self, seat: Seat) -> u8 {
        self.state.deal().unwrap().plan.index_of(seat).unwrap()
    }

    fn secret(&self, seat: Seat) -> &SecretKey {
        &self.secrets[usize::from(self.index(seat))]
    }

    fn sides(&self) -> Sides {
        Sides::new(self.state.core(), self.state.known(), &mut Checks::new([1; 32])).unwrap()
    }

    /// The numbers of a seat's cards.
    fn hand(&self, seat: Seat) -> [u16; 3] {
        let deal = self.state.deal().unwrap();
        self.state.core().playing().unwrap().hands[&seat].map(|place| {
            let others = self.state.known().others_shares(place, seat);
            let (at, index) = (usize::from(place), self.index(seat));
            opening::peel(&deal.keys, &deal.deck, at, &others, index, self.secret(seat)).unwrap()
        })
    }

    /// The comparison as it would be if the liar's hand were worth something else: a proof made by it is
    /// whole, and says what the liar would like.
    fn other_statement(&self, sides: &Sides) -> Statement {
        let table = sides.statement.table();
        let mut mine = self.hand(ME);
        mine.sort_unstable();
        let level = table.level(table.hand(mine).unwrap()).unwrap();
        let top = u16::try_from(table.levels() - 1).unwrap();
        let wished = if level == top { 0 } else { top };
        let (other, _) = table.hands().find(|(_, l)| *l == wished).unwrap();
        let hands = table.hands().map(|(cards, l)| {
            let l = match () {
                () if cards == mine => wished,
                () if cards == other => level,
                () => l,
            };
            (cards, l)
        });
        let table = HandTable::new(table.params(), hands.collect::<Vec<_>>()).unwrap();
        let deal = self.state.deal().unwrap();
        let step = sealed_step(self.state.core().basis().unwrap());
        let (one, two) =
            (Hand::new(&sides.caller_cards).unwrap(), Hand::new(&sides.target_cards).unwrap());
        let ties = sides.statement.ties();
        Statement::new(&deal.keys, &table, step, &one, &two, ties).unwrap()
    }
}

/// Plays until the liar's program is about to say such a thing in a hand; it dies of it unheard.
fn moment(world: &mut World, says: Says, comparing: bool) -> Moment {
    loop {
        world.until("the liar has something to say", LONG, |w| {
            let in_hand = |w: &World| {
                let given = |c: &trinka::table::ledger::Playing| c.answers.contains_key(&ME);
                *w.core(LIAR).game.phase() == Phase::Betting
                    && w.core(LIAR).game.is_active(ME)
                    && w.core(LIAR).playing().is_some_and(given)
            };
            w.nodes[LIAR].table.is_none() || w.doom.is_some() || !comparing || in_hand(w)
        });
        world.doom = Some((LIAR, Death { says, heard: false }));
        let finished = world.core(0).finished;
        world.until("it says it, or the hand ends", LONG, |w| {
            w.nodes[LIAR].table.is_none() || (comparing && w.core(0).finished > finished)
        });
        if world.nodes[LIAR].table.is_none() {
            break;
        }
        world.doom = None;
    }
    world.run_for(300);
    let state = world.nodes[0].table.as_ref().unwrap().state().clone();
    let Some(Record::Own(honest)) = world.nodes[LIAR].records.last().cloned() else { panic!() };
    let deal = state.deal().unwrap().clone();
    let secret = |(seat, _): &(Seat, _)| {
        let records = &world.nodes[usize::from(seat.0)].records;
        let key = records.iter().find_map(|r| match r {
            Record::Secret { deal: n, key } if *n == deal.plan.number => Some(key.clone()),
            _ => None,
        });
        SecretKey::from_bytes(&key.unwrap()[..]).unwrap()
    };
    let secrets = deal.plan.order.iter().map(secret).collect();
    let liar = world.nodes[LIAR].id.clone();
    Moment { state, honest, secrets, rng: ChaCha20Rng::seed_from_u64(9), liar }
}

/// What each node wrote down against the liar holds for anybody who has nothing but the file.
fn evidence_holds(world: &World, honest: &[usize]) {
    for i in honest {
        let files = world.nodes[*i].files.iter();
        let files: Vec<_> = files.filter(|(name, _)| name.ends_with("-1.evidence")).collect();
        let [(name, bytes)] = &files[..] else { panic!("{} files", files.len()) };
        let Finding::Evidence(report) = verify(bytes, [3; 32]) else { panic!("{name}") };
        let named = report.named.last().unwrap();
        assert_eq!((named.seat, named.kind), (ME, FaultKind::FalseProof));
        // Nobody else can be put in its place, and nothing in it can be changed.
        for at in [bytes.len() / 3, bytes.len() / 2, bytes.len() - 400] {
            let mut changed = (*bytes).clone();
            changed[at] ^= 1;
            let finding = verify(&changed, [3; 32]);
            assert!(matches!(finding, Finding::Bad(_)), "{at}: {finding:?}");
        }
    }
}

/// What `trinka verify` says about a file, on a machine that was not there.
fn verified_elsewhere(bytes: &[u8], args: &[&str]) -> (Option<i32>, String) {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("x.evidence");
    std::fs::write(&file, bytes).unwrap();
    let trinka = std::process::Command::new(env!("CARGO_BIN_EXE_trinka"))
        .args(["--data", place.path().join("data").to_str().unwrap(), "--lang", "en", "verify"])
        .args(args)
        .arg(&file)
        .output()
        .unwrap();
    (trinka.status.code(), String::from_utf8(trinka.stdout).unwrap())
}

/// The liar says what was forged instead; what comes of it.
fn caught(
    (seed, players): (u64, usize),
    rules: HouseRules,
    (says, comparing): (Says, bool),
    forge: impl Fn(&mut Moment) -> Payload,
) {
    // The first evening in which the others still wait for what it was about to say.
    let asked = |o: &trinka::table::ledger::Owed| o.seat == ME && !o.human;
    let (mut world, mut moment) = (seed..seed + 5_000)
        .step_by(1_000)
        .map(|seed| {
            let mut world = World::with_rules(seed, rules.clone(), players, 1_000, CALM);
            let moment = moment(&mut world, says, comparing);
            (world, moment)
        })
        .find(|(_, moment)| moment.state.core().owed().iter().any(asked))
        .expect("its answer is awaited");
    let payload = forge(&mut moment);
    assert_ne!(payload, moment.honest());
    let partner = matches!(payload, Payload::Recipient { .. });
    let compared = match *moment.state.core().game.phase() {
        Phase::Comparing { caller, target } | Phase::ThreeTens { caller, target } => {
            assert!([caller, target].contains(&ME));
            Some(if caller == ME { target } else { caller })
        }
        _ => None,
    };
    let honest: Vec<usize> = (0..players).filter(|i| *i != LIAR).collect();
    let lie = Signed::new(&world.nodes[LIAR].id, world.log_id(), payload.clone()).unwrap();
    // What it says is refused, and it alone is guilty of it.
    let mut checks = Checks::new([5; 32]);
    assert!(moment.state.try_message(&lie, &mut checks).is_err());
    assert_eq!(moment.state.try_message(&moment.honest, &mut checks), Ok(()));
    let innocent = Proof::FalseStep { message: moment.honest.clone() };
    assert!(moment.state.accused(&innocent, &mut checks).is_err());
    let by_another = Signed::new(&world.nodes[0].id, world.log_id(), payload).unwrap();
    let by_another = Proof::FalseStep { message: by_another };
    // Who says it of a step of its own lies as well; it is never held against somebody else.
    assert_ne!(moment.state.accused(&by_another, &mut checks), Ok(ME));

    let (said, height) = (world.now, moment.state.core().height);
    let bytes = wire::encode(&TableWire::Messages(vec![lie.clone()])).unwrap();
    for i in &honest {
        world.inject(LIAR, *i, bytes.clone());
    }
    world.until("the liar is frozen", LONG, |w| {
        honest.iter().all(|i| w.presence(*i, ME.0) == Presence::Frozen)
    });
    assert!(world.now < said + 5_000, "nobody waits for the clock of what is false");
    let told = |e: &Event| matches!(e, Event::Fault { seat, kind: FaultKind::FalseProof, evidence: Some(_) } if *seat == ME);
    for i in &honest {
        assert!(world.saw(*i, told));
        assert!(!world.votes(*i, ME.0));
        assert!(!world.core(*i).game.is_active(ME));
        for other in &honest {
            assert_eq!(world.presence(*i, u8::try_from(*other).unwrap()), Presence::Here);
        }
    }
    if let Some(other) = compared {
        let core = world.core(0);
        let won = core.game.is_active(other) || core.finished > moment.state.core().finished;
        assert!(won, "who was lied to has not lost by it");
    }
    // The proof stands in the log, and holds for anybody who comes later.
    let proofs: Vec<Proof> = world.nodes[0].table.as_ref().unwrap().log()
        [usize::try_from(height - 1).unwrap()..]
        .iter()
        .flat_map(|d| wire::decode::<Entry>(&d.entry).unwrap().messages)
        .filter_map(|m| match m.read(world.log_id()).unwrap().payload {
            Payload::Free { free: Free::Evidence(proof), .. } => Some(*proof),
            _ => None,
        })
        .collect();
    assert_eq!(proofs, [Proof::FalseStep { message: lie.clone() }]);
    assert_eq!(moment.state.accused(&proofs[0], &mut Checks::new([6; 32])), Ok(ME));
    assert!(
        !world.nodes[0]
            .table
            .as_ref()
            .unwrap()
            .log()
            .iter()
            .any(|d| { wire::decode::<Entry>(&d.entry).unwrap().messages.contains(&lie) })
    );

    evidence_holds(&world, &honest);
    let mut chips = world.core(0).game.stack(ME);
    if partner {
        // It is not its hand that is played: what its pool wins or loses is divided as it was agreed.
        let this = world.core(0).finished;
        world.until("the hand ends", LONG, |w| w.core(0).finished > this);
        chips = world.core(0).game.stack(ME);
    }
    let so_far = world.core(0).finished;
    world.until("the others go on", LONG, |w| {
        honest.iter().all(|i| w.core(*i).finished >= so_far + 2)
    });
    assert_eq!(world.core(0).game.stack(ME), chips, "its stack is frozen");
    assert!(world.core(0).game.is_frozen(ME));
    world.check();
    world.transcripts_hold(honest);
}

/// The liar tells all but one the truth, so that its step is closed; what it told the last one names it.
fn caught_late(
    seed: u64,
    rules: HouseRules,
    (says, comparing): (Says, bool),
    forge: impl Fn(&mut Moment) -> Payload,
) {
    let mut world = World::with_rules(seed, rules, 4, 1_000, CALM);
    let mut moment = moment(&mut world, says, comparing);
    let asked = |core: &trinka::table::ledger::Core| {
        core.owed().iter().any(|o| o.seat == ME && o.step.is_answered_by(&moment.honest()))
    };
    assert!(asked(moment.state.core()));
    let tell =
        |message: &Signed| wire::encode(&TableWire::Messages(vec![message.clone()])).unwrap();
    for i in [0, 2, 3] {
        world.inject(LIAR, i, tell(&moment.honest));
    }
    world.until("the truth is decided", LONG, |w| [0, 2, 3].iter().all(|i| !asked(w.core(*i))));
    let hand = moment.state.core().hand();
    assert_eq!(world.core(0).hand(), hand, "the hand goes on");
    let lie = forge(&mut moment);
    let lie = signed_by_liar(&moment, lie);
    let (proof, truth) = (
        Proof::FalseStep { message: lie.clone() },
        Proof::FalseStep { message: moment.honest.clone() },
    );
    let state = world.nodes[0].table.as_ref().unwrap().state().clone();
    let mut checks = Checks::new([5; 32]);
    assert!(state.try_message(&lie, &mut checks).is_err());
    assert!(state.accused(&truth, &mut checks).is_err(), "nor is the truth a lie when it is over");
    assert_eq!(state.accused(&proof, &mut checks), Ok(ME));
    world.inject(LIAR, 3, tell(&moment.honest));
    world.inject(LIAR, 3, tell(&lie));
    world.until("the liar is frozen", LONG, |w| {
        [0, 2, 3].iter().all(|i| w.presence(*i, ME.0) == Presence::Frozen)
    });
    assert_eq!(world.core(0).hand(), hand, "before the hand ended");
    let so_far = world.core(0).finished;
    world.until("the others go on", LONG, |w| {
        [0, 2, 3].iter().all(|i| w.core(*i).finished >= so_far + 2)
    });
    world.check();
    evidence_holds(&world, &[0, 2, 3]);
    let mut files = world.nodes[0].files.iter();
    let (_, bytes) = files.find(|(name, _)| name.ends_with(".evidence")).unwrap();
    let (code, text) = verified_elsewhere(bytes, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("proves that P1 cheated") && text.contains("a false proof"), "{text}");
    let (code, json) = verified_elsewhere(bytes, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &json["ok"], &json["evidence"]), (Some(0), &true.into(), &1.into()));
    assert_eq!(json["named"][0]["kind"], "false-proof");
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    assert_eq!(verified_elsewhere(&changed, &["--json"]).0, Some(3));
    // With the hand what it was about is forgotten, by everybody at the same height.
    let state = world.nodes[0].table.as_ref().unwrap().state().clone();
    assert!(state.accused(&proof, &mut checks).is_err());
    world.transcripts_hold([0, 2, 3]);
}

#[test]
fn who_tells_one_a_lie_and_all_others_the_truth() {
    let lift = rules(Preset::TrinkaClassic, &[("first_dealer", "lift")]);
    caught_late(8_200, lift, (SHARES, true), |m| swapped(m.honest()));
    let online = rules(Preset::TrinkaOnline, &[]);
    caught_late(8_210, online, (UNARY, false), |m| {
        let Payload::Unary { basis, shown, .. } = m.honest() else { panic!() };
        let statement = m.other_statement(&m.sides());
        let secret = m.secret(ME).clone();
        let (_, call) = Caller::call(&statement, &secret, &mut m.rng).unwrap();
        Payload::Unary { basis, bytes: call.to_bytes(), shown }
    });
}

const UNARY: Says = |p| matches!(p, Payload::Unary { .. });
const SELECT: Says = |p| matches!(p, Payload::Select { .. });
const REVEAL: Says = |p| matches!(p, Payload::Reveal { .. });
const SHARES: Says = |p| matches!(p, Payload::Shares { .. });
const RECIPIENT: Says = |p| matches!(p, Payload::Recipient { .. });
const SHOW: Says = |p| matches!(p, Payload::Show { .. });
const REFUSE: Says = |p| matches!(p, Payload::Move { action: Action::Refuse, .. });

#[test]
fn a_caller_that_commits_to_another_level() {
    for (seed, players) in [(8_000, 4), (8_001, 3)] {
        let rules = rules(Preset::TrinkaOnline, &[]);
        caught((seed, players), rules, (UNARY, false), |m| {
            let Payload::Unary { basis, bytes, shown } = m.honest() else { panic!() };
            let statement = m.other_statement(&m.sides());
            let secret = m.secret(ME).clone();
            let (_, call) = Caller::call(&statement, &secret, &mut m.rng).unwrap();
            // It looks like any other: only the proof tells.
            assert_eq!(call.to_bytes().len(), bytes.len());
            Payload::Unary { basis, bytes: call.to_bytes(), shown }
        });
    }
}

#[test]
fn a_target_that_selects_by_another_level() {
    for (seed, players) in [(8_010, 4), (8_011, 3)] {
        let rules = rules(Preset::TrinkaOnline, &[]);
        caught((seed, players), rules, (SELECT, false), |m| {
            let Payload::Select { basis, bytes, shown } = m.honest() else { panic!() };
            let sides = m.sides();
            let statement = m.other_statement(&sides);
            // Even who knew the caller's key could not prove it.
            let (caller, me) = (m.secret(sides.caller).clone(), m.secret(ME).clone());
            let (_, call) = Caller::call(&statement, &caller, &mut m.rng).unwrap();
            let other = Other::receive(&statement, call, &mut m.rng).unwrap();
            let (_, selection) = other.select(&me, &mut m.rng).unwrap();
            assert_eq!(selection.to_bytes().len(), bytes.len());
            Payload::Select { basis, bytes: selection.to_bytes(), shown }
        });
    }
}

#[test]
fn a_caller_that_spoils_the_result() {
    caught((8_020, 4), rules(Preset::TrinkaOnline, &[]), (REVEAL, false), |m| {
        let Payload::Reveal { basis, mut bytes } = m.honest() else { panic!() };
        // Another share of the result than its own.
        let (d, t) = bytes.split_at_mut(32);
        d.copy_from_slice(&t[..32]);
        Payload::Reveal { basis, bytes }
    });
}

/// The cards of the other side, shown as if they were the liar's own.
fn others_cards(m: &mut Moment) -> Vec<u8> {
    let sides = m.sides();
    let (other, cards) = if sides.caller == ME {
        (sides.target, &sides.target_cards)
    } else {
        (sides.caller, &sides.caller_cards)
    };
    let deal = m.state.deal().unwrap().clone();
    let index = m.index(other);
    // For the liar's own eyes: nobody is shown its own cards.
    let viewer = deal.keys.verified_key(m.index(ME)).unwrap();
    let step = m.state.core().basis().unwrap().turn;
    let secret = m.secret(other).clone();
    let shown =
        showing::prove(&deal.keys, index, &secret, cards, &[viewer], step, &mut m.rng).unwrap();
    shown.to_bytes()
}

#[test]
fn who_shows_its_neighbour_other_cards() {
    let classic = || rules(Preset::TrinkaClassic, &[]);
    caught((8_030, 4), classic(), (UNARY, false), |m| {
        let Payload::Unary { basis, bytes, shown } = m.honest() else { panic!() };
        let forged = others_cards(m);
        assert_eq!(forged.len(), shown.len());
        Payload::Unary { basis, bytes, shown: forged }
    });
    caught((8_031, 3), classic(), (SELECT, false), |m| {
        let Payload::Select { basis, bytes, shown } = m.honest() else { panic!() };
        let forged = others_cards(m);
        assert_eq!(forged.len(), shown.len());
        Payload::Select { basis, bytes, shown: forged }
    });
}

/// The first two shares of a batch change places: each would make another card of it.
fn swapped(payload: Payload) -> Payload {
    let Payload::Shares { deal, round, positions, mut batch } = payload else { panic!() };
    assert!(positions.len() > 1);
    let (first, rest) = batch.split_at_mut(32);
    first.swap_with_slice(&mut rest[..32]);
    Payload::Shares { deal, round, positions, batch }
}

#[test]
fn who_opens_its_hand_by_wrong_shares() {
    caught((8_040, 3), rules(Preset::Seka, &[]), (SHARES, true), |m| {
        let Payload::Shares { positions, .. } = m.honest() else { panic!() };
        let own = m.state.core().playing().unwrap().hands[&ME];
        let own: BTreeSet<u8> = own.into_iter().collect();
        assert_eq!(positions.into_iter().collect::<BTreeSet<_>>(), own);
        swapped(m.honest())
    });
}

#[test]
fn who_gives_wrong_shares_of_anothers_cards() {
    caught(
        (8_050, 4),
        rules(Preset::TrinkaClassic, &[("first_dealer", "lift")]),
        (SHARES, true),
        |m| swapped(m.honest()),
    );
}

/// Rules by which many hands end even, so that pools come about.
fn pools() -> HouseRules {
    rules(Preset::TrinkaClassic, &[("ceiling", "12")])
}

#[test]
fn a_partner_that_names_a_key_it_does_not_know() {
    caught((8_070, 5), pools(), (RECIPIENT, false), |m| {
        let Payload::Recipient { deal, mut bytes } = m.honest() else { panic!() };
        // The key is another one than that of the proof.
        let other = m.secret(Seat(0)).public();
        bytes[..32].copy_from_slice(other.as_bytes());
        Payload::Recipient { deal, bytes }
    });
}

#[test]
fn a_holder_that_shows_its_partners_other_cards() {
    caught((8_102, 5), pools(), (SHOW, false), |m| {
        let Payload::Show { deal, to, bytes } = m.honest() else { panic!() };
        // Cards shown to other partners are no fault: only not what is asked for.
        let mut others = to.clone();
        others.push(ME);
        let mut checks = Checks::new([4; 32]);
        let stale = Payload::Show { deal, to: others, bytes: bytes.clone() };
        let stale = signed_by_liar(m, stale);
        assert!(m.state.accused(&Proof::FalseStep { message: stale }, &mut checks).is_err());
        // One card in another's place.
        let mut forged = bytes;
        let (first, second) = forged.split_at_mut(64);
        first.swap_with_slice(&mut second[..64]);
        Payload::Show { deal, to, bytes: forged }
    });
}

#[test]
fn who_says_that_it_holds_three_tens() {
    caught((8_060, 4), rules(Preset::TrinkaClassic, &[]), (REFUSE, true), |m| {
        let Payload::Move { basis, .. } = m.honest() else { panic!() };
        let deal = m.state.deal().unwrap().clone();
        let mut places = m.state.core().playing().unwrap().hands[&ME].map(usize::from);
        places.sort_unstable();
        let (index, secret) = (m.index(ME), m.secret(ME).clone());
        let (keys, deck) = (&deal.keys, &deal.deck);
        let batch = shares::prove(keys, index, &secret, share_purpose(), deck, &places, &mut m.rng);
        Payload::Tens { basis, batch: batch.unwrap().to_bytes() }
    });
}
