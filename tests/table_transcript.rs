//! Transcripts: any change is found and told with its author, and files continue each other.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use std::ops::Range;

use trinka::rules::Seat;
use trinka::table::message::{Payload, Signed};
use trinka::table::transcript::{Finding, Part, Problem, decided, verify};
use trinka::wire;
use world::{CALM, World, identity};

const LONG: u64 = 600_000;
const SEED: [u8; 32] = [3; 32];

const HEADER: u8 = 1;
const DEAL: u8 = 3;
const MESSAGE: u8 = 5;
const CERTIFICATE: u8 = 6;
const PUBLIC: u8 = 7;

/// A section: its kind and where its body stands.
struct Section {
    kind: u8,
    body: Range<usize>,
}

impl Section {
    fn all(&self) -> Range<usize> {
        self.body.start - 5..self.body.end + 32
    }
}

fn sections(file: &[u8]) -> Vec<Section> {
    let mut at = 10;
    let mut out = Vec::new();
    while at < file.len() {
        let size = u32::from_be_bytes(file[at + 1..at + 5].try_into().unwrap()) as usize;
        out.push(Section { kind: file[at], body: at + 5..at + 5 + size });
        at += 5 + size + 32;
    }
    out
}

/// Makes a section's hash fit its bytes again, as somebody who forges does.
fn mend(file: &mut [u8], section: &Section) {
    let start = section.body.start - 5;
    let digest = wire::hash(
        "trinka section",
        &[&file[start..=start], &file[start + 1..start + 5], &file[section.body.clone()]],
    );
    file[section.body.end..section.body.end + 32].copy_from_slice(&digest);
}

fn one_hand(seed: u64, players: usize) -> (World, Vec<u8>) {
    let mut world = World::new(seed, players, 1, CALM);
    world.until("a hand", LONG, |w| w.finished(1));
    let file = world.nodes[0].transcripts[&1].clone();
    assert!(matches!(verify(&file, SEED), Finding::Good(_)));
    (world, file)
}

fn bad(file: &[u8], what: &str) -> Problem {
    match verify(file, SEED) {
        Finding::Bad(problem) => *problem,
        other => panic!("{what}: {other:?}"),
    }
}

/// The author of a signed message, where it is a player of the table.
fn author(world: &World, body: &[u8]) -> Option<(Seat, Payload)> {
    let message: Signed = wire::decode(body).ok()?;
    let body = message.read(world.log_id()).ok()?;
    Some((world.core(0).seat_of(&body.author)?, body.payload))
}

#[test]
fn a_changed_byte_is_found_and_its_author_named() {
    let (world, file) = one_hand(5_000, 2);
    let parts = sections(&file);
    for at in 0..10 {
        let mut copy = file.clone();
        copy[at] ^= 1 << (at % 8);
        assert_eq!(bad(&copy, "magic and version").part, Part::Header);
    }
    let mut changed = 0;
    for (n, section) in parts.iter().enumerate() {
        let whose = match section.kind {
            DEAL | MESSAGE => author(&world, &file[section.body.clone()]).map(|(seat, _)| seat),
            _ => None,
        };
        // Every seventh byte, lengths and hashes included; another seventh in each section.
        for at in section.all().skip(n % 7).step_by(7) {
            let mut copy = file.clone();
            copy[at] ^= 1 << (at % 8);
            let problem = bad(&copy, "a changed byte");
            changed += 1;
            if whose.is_some() && section.body.contains(&at) {
                assert_eq!(problem.seat, whose, "byte {at} of section {n}: {problem:?}");
                let part = if section.kind == DEAL { Part::Deal } else { Part::Entry };
                assert_eq!(problem.part, part);
            }
        }
    }
    assert!(changed > file.len() / 8, "{changed} bytes changed");
}

#[test]
fn a_forged_message_is_found_and_its_author_named() {
    let (world, file) = one_hand(5_100, 3);
    for (n, section) in sections(&file).iter().enumerate() {
        let whose = match section.kind {
            DEAL | MESSAGE => author(&world, &file[section.body.clone()]).map(|(seat, _)| seat),
            _ => None,
        };
        let size = section.body.len();
        for at in [0, size / 2, size - 1] {
            let mut copy = file.clone();
            copy[section.body.start + at] ^= 4;
            mend(&mut copy, section);
            let problem = bad(&copy, "a forged section");
            if whose.is_some() {
                assert_eq!(
                    problem.seat, whose,
                    "byte {at} of section {n} (kind {}): {problem:?}",
                    section.kind
                );
            }
            if section.kind == CERTIFICATE {
                assert_eq!(problem.part, Part::Certificate);
            }
        }
    }
}

#[test]
fn a_file_that_ends_early_is_bad() {
    let (_, file) = one_hand(5_200, 2);
    let parts = sections(&file);
    let public_end = parts.iter().find(|s| s.kind == PUBLIC).unwrap().all().end;
    let mut lengths: Vec<usize> = (0..file.len()).step_by(37).collect();
    lengths.extend(
        parts.iter().flat_map(|s| [s.all().start, s.body.start, s.body.end, s.all().end - 1]),
    );
    lengths.extend([file.len() - 1, public_end - 1, public_end + 1]);
    for length in lengths {
        if length == public_end || length >= file.len() {
            continue;
        }
        bad(&file[..length], &format!("{length} of {} bytes", file.len()));
    }
    // Exported without the owner's secret view it ends right here, and is good.
    assert!(matches!(verify(&file[..public_end], SEED), Finding::Good(_)));
    let mut longer = file.clone();
    longer.push(0);
    assert_eq!(bad(&longer, "something behind the end").part, Part::End);
}

#[test]
fn sections_swapped_left_out_or_doubled_are_found() {
    let (_, file) = one_hand(5_300, 2);
    let parts = sections(&file);
    for n in 0..parts.len() - 1 {
        let (a, b) = (parts[n].all(), parts[n + 1].all());
        if file[a.clone()] == file[b.clone()] {
            continue;
        }
        let swapped =
            [&file[..a.start], &file[b.clone()], &file[a.clone()], &file[b.end..]].concat();
        bad(&swapped, "two sections swapped");
        if parts[n].kind < 8 {
            bad(&[&file[..a.start], &file[a.end..]].concat(), "a section left out");
        }
        bad(&[&file[..a.end], &file[a.clone()], &file[a.end..]].concat(), "a section doubled");
    }
    for kind in [HEADER, DEAL] {
        assert!(parts.iter().any(|s| s.kind == kind));
    }
}

#[test]
fn each_file_continues_the_one_before() {
    let mut world = World::with_think(5_400, 4, 100, CALM, 10_000);
    world.until("two hands", LONG, |w| w.finished(2));
    // Between and in the hands: one dies, comes back, a newcomer sits down, another leaves.
    world.kill(3);
    world.until("without it", LONG, |w| w.finished(4));
    world.revive(3);
    let i = world.add(identity(9_100, 0));
    world.connect_all();
    world.input(i, trinka::table::Input::Sit { name: "new".into(), addresses: Vec::new() });
    let so_far = world.core(0).finished;
    world.until("with a newcomer", LONG, |w| w.finished(so_far + 3));
    world.command(2, trinka::event::Command::Leave);
    world.until("without who left", LONG, |w| w.finished(so_far + 5));
    let node = &world.nodes[0];
    let mut before: Option<[u8; 32]> = None;
    for (hand, file) in &node.transcripts {
        let Finding::Good(report) = verify(file, SEED) else {
            panic!("hand {hand}: {:?}", verify(file, SEED))
        };
        if let Some(closing) = before {
            assert_eq!(report.opening, closing, "hand {hand} continues the one before");
        }
        before = Some(report.closing);
    }
    assert!(node.transcripts.len() as u64 >= so_far + 5);
    // Whoever followed from the beginning wrote the same course, in a file of its own.
    for (hand, file) in &world.nodes[1].transcripts {
        let (Finding::Good(a), Finding::Good(b)) =
            (verify(file, SEED), verify(&node.transcripts[hand], SEED))
        else {
            panic!()
        };
        assert_eq!((a.opening, a.closing), (b.opening, b.closing));
        assert_ne!(a.owner, b.owner);
    }
}

#[test]
fn a_log_can_be_taken_from_its_transcripts() {
    let mut world = World::new(7_700, 3, 3, CALM);
    world.until("three hands", LONG, |w| w.finished(3));
    let node = &world.nodes[1];
    let log = node.table.as_ref().unwrap().log();
    let mut taken = Vec::new();
    for file in node.transcripts.values() {
        let before = taken.len() as u64;
        let entries = decided(file, before).unwrap();
        assert_eq!(entries[0].0, before + 1, "each goes on where the one before ends");
        taken.extend(entries.into_iter().map(|(_, entry)| entry));
        assert_eq!(decided(file, taken.len() as u64), Some(Vec::new()), "known already");
        let mut spoilt = file.clone();
        let middle = spoilt.len() / 2;
        spoilt[middle] ^= 1;
        assert_eq!(decided(&spoilt, before), None);
    }
    assert!(log.len() >= taken.len());
    for (entry, own) in taken.iter().zip(log) {
        assert_eq!(*entry, **own);
    }
    assert!(decided(b"no transcript", 0).is_none() && decided(&[], 0).is_none());
}
