//! What happens to nodes: they are killed, frozen and starved, and what must hold afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use trinka::table::Record;
use trinka::table::founding::Founded;
use trinka::table::message::{Entry, LogId, Payload};
use trinka::wire;

use super::Node;

/// Milliseconds that a program may take for a step of its own, and voters wait beyond it; then what the
/// others may take on top.
pub const STEP: Duration = Duration::from_secs(15);
/// What the others may take beyond a limit until they play again.
pub const ON_TOP: Duration = Duration::from_secs(5);

/// Where a node is in a hand, by what it signed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Start,
    Keys,
    Shuffle,
    Deal,
    Look,
    Betting,
    Comparison,
    Svara,
    End,
}

fn phase(payload: &Payload) -> Option<Phase> {
    Some(match payload {
        Payload::Start { .. } | Payload::Ready { .. } => Phase::Start,
        Payload::Key { .. } => Phase::Keys,
        Payload::Shuffle { .. } => Phase::Shuffle,
        Payload::Cut { .. } | Payload::Escrow { .. } | Payload::Final { .. } => Phase::Deal,
        Payload::Shares { round: 0, .. } => Phase::Look,
        Payload::Move { .. } => Phase::Betting,
        Payload::Unary { .. }
        | Payload::Select { .. }
        | Payload::Reveal { .. }
        | Payload::Tens { .. }
        | Payload::Shares { .. } => Phase::Comparison,
        _ => return None,
    })
}

/// The directory of the only table in a data directory.
pub fn table_dir(dir: &Path) -> PathBuf {
    let tables = std::fs::read_dir(dir.join("tables")).unwrap();
    let all: Vec<PathBuf> = tables.map(|e| e.unwrap().path()).collect();
    assert_eq!(all.len(), 1, "{all:?}");
    all[0].clone()
}

fn log_id(dir: &Path) -> LogId {
    let bytes = std::fs::read(table_dir(dir).join("founded")).unwrap();
    wire::decode::<Founded>(&bytes).unwrap().log_id()
}

/// The whole records at the beginning of some bytes of a log, and how many bytes they are.
fn parse(bytes: &[u8]) -> (Vec<Record>, usize) {
    let (mut records, mut at) = (Vec::new(), 0);
    while let Some(head) = bytes.get(at..at + 36) {
        let size = u32::from_be_bytes(head[..4].try_into().unwrap()) as usize;
        let Some(body) = bytes.get(at + 36..at + 36 + size) else { break };
        assert_eq!(head[4..], wire::hash("trinka log record", &[&head[..4], body]));
        records.push(wire::decode(body).unwrap());
        at += 36 + size;
    }
    (records, at)
}

/// Reads a log while its node writes it.
struct Watch {
    file: std::fs::File,
    at: u64,
    log: LogId,
    last: Option<Phase>,
}

impl Watch {
    /// From the end of what is there.
    fn new(dir: &Path) -> Self {
        let file = std::fs::File::open(table_dir(dir).join("log")).unwrap();
        let mut watch = Watch { file, at: 0, log: log_id(dir), last: None };
        watch.read();
        watch
    }

    /// What was signed since the last time.
    fn read(&mut self) -> Vec<Phase> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(self.at)).unwrap();
        self.file.read_to_end(&mut bytes).unwrap();
        let (records, used) = parse(&bytes);
        self.at += used as u64;
        let own = records.iter().filter_map(|r| match r {
            Record::Own(message) => phase(&message.read(self.log).unwrap().payload),
            _ => None,
        });
        let phases: Vec<Phase> = own.collect();
        self.last = phases.last().copied().or(self.last);
        phases
    }
}

/// Kills a node as soon as it is in a phase, and returns the phase in which it died: computers are quick.
pub fn kill_in(node: &mut Node, wanted: Phase, most: Duration) -> Phase {
    let dir = node.dir.clone();
    let end = Instant::now() + most;
    node.catch_up();
    let mut watch = Watch::new(&dir);
    loop {
        assert!(Instant::now() < end, "{}: never in {wanted:?}", dir.display());
        let told = node.seen.len();
        let here = match wanted {
            Phase::Svara | Phase::End => {
                let name = if wanted == Phase::End { "settled" } else { "svara" };
                node.for_a_while(1);
                node.seen[told..].iter().any(|e| e["event"] == name)
            }
            wanted => {
                std::thread::sleep(Duration::from_millis(1));
                watch.read().contains(&wanted)
            }
        };
        if here {
            node.kill();
            break;
        }
    }
    watch.read();
    match wanted {
        Phase::Svara | Phase::End => wanted,
        _ => watch.last.unwrap(),
    }
}

/// The hand that a node is in, by what it told.
pub fn hand_of(node: &Node) -> u64 {
    node.all("hand").last().map_or(0, |e| e["hand"].as_u64().unwrap())
}

/// Whether an event shows that the table plays.
pub fn is_progress(event: &Value) -> bool {
    let names =
        ["hand", "shuffled", "cut", "dealt", "moved", "compared", "svara", "settled", "away"];
    names.iter().any(|name| event["event"] == *name)
}

/// Until so many more hands are settled the table never stands still for longer than that.
pub fn plays_on(node: &mut Node, hands: u64, longest: Duration) {
    let mut left = hands;
    while left > 0 {
        let event = node.until(longest.as_secs(), "the table to go on", is_progress);
        left -= u64::from(event["event"] == "settled");
    }
}

/// The seat of a node: whoever comes first sits first.
pub fn seat_of(node: &mut Node) -> u64 {
    let seat = |e: &Value| if e["event"] == "table" { e["you"].as_u64() } else { None };
    if let Some(seat) = node.seen.iter().rev().find_map(seat) {
        return seat;
    }
    node.until(60, "a seat", |e| seat(e).is_some())["you"].as_u64().unwrap()
}

/// Whether a hand is played by a seat, by the `hand` event.
pub fn plays(event: &Value, seat: u64) -> bool {
    let seats = event["seats"].as_array();
    event["event"] == "hand" && seats.is_some_and(|all| all.iter().any(|s| s["seat"] == seat))
}

/// A seat's chips after the last hand that a node saw.
pub fn chips(node: &Node, seat: u64) -> u64 {
    node.all("settled").last().unwrap()["stacks"][seat.to_string()].as_u64().unwrap()
}

/// The decided entries in a data directory, by height.
fn entries(dir: &Path) -> BTreeMap<u64, Vec<u8>> {
    let bytes = std::fs::read(table_dir(dir).join("log")).unwrap();
    let records = parse(&bytes).0.into_iter();
    records
        .filter_map(|record| match record {
            Record::Decided(d) => Some((wire::decode::<Entry>(&d.entry).unwrap().height, d.entry)),
            _ => None,
        })
        .collect()
}

/// After everything: all logs agree, nobody was named a cheat, no chip is made or lost, and all transcripts
/// hold. `bought` is what everybody bought together.
pub fn assert_sound<'a>(nodes: impl IntoIterator<Item = &'a Node> + Clone, bought: u64) {
    super::assert_agreement(nodes.clone());
    let mut log: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    for node in nodes {
        for (height, entry) in entries(&node.dir) {
            let first = log.entry(height).or_insert_with(|| entry.clone());
            assert!(*first == entry, "{}: another entry {height}", node.dir.display());
        }
        assert!(super::assert_transcripts(&node.dir) > 0);
        for event in &node.seen {
            let cheat = event["event"] == "fault" && event["kind"] != "absent";
            let codes =
                ["engine-differs", "engine-refuses", "forked", "identity-copied", "internal"];
            let broken = event["event"] == "error" && codes.iter().any(|c| event["code"] == *c);
            assert!(!cheat && !broken, "{}: {event}", node.dir.display());
            if event["event"] == "settled" {
                let stacks = event["stacks"].as_object().unwrap().values();
                assert_eq!(stacks.map(|s| s.as_u64().unwrap()).sum::<u64>(), bought, "{event}");
            }
        }
    }
    let heights: BTreeSet<u64> = log.keys().copied().collect();
    assert_eq!(heights.len() as u64, heights.last().copied().unwrap_or(0), "an entry is missing");
}

/// A file system of its own. Unmounted on drop.
pub struct Mount(PathBuf);

impl Mount {
    /// A small one in memory; `None`, said loudly, where that is not allowed.
    pub fn tmpfs(dir: &Path, options: &str) -> Option<Self> {
        std::fs::create_dir_all(dir).unwrap();
        let out = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(dir)
            .output()
            .map_err(|e| e.to_string());
        let error = match out {
            Ok(out) if out.status.success() => return Some(Mount(dir.to_owned())),
            Ok(out) => String::from_utf8_lossy(&out.stderr).trim().to_owned(),
            Err(error) => error,
        };
        assert!(std::env::var_os("TRINKA_NEED_NETNS").is_none(), "mounting is needed: {error}");
        eprintln!("\n*** SKIPPED: needs root to mount a file system ({error}) ***\n");
        None
    }

    /// Mounts it with other options.
    pub fn change(&self, options: &str) {
        let options = format!("remount,{options}");
        let done = Command::new("mount").args(["-o", &options]).arg(&self.0).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // Its node may be ending still.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}
