//! Real processes for the tests: nodes that are started, read, fed and always killed.
//!
//! Everything stays on loopback, unless a test brings a network of its own ([`lan`]).
#![allow(
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

pub mod faults;
pub mod lan;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The program under test.
pub const TRINKA: &str = env!("CARGO_BIN_EXE_trinka");

/// Options of a node that never leaves this machine and finds others by the beacon of loopback.
pub const LOCAL: &str = "--beacon loopback --no-mdns --listen 127.0.0.1:0";

/// Options of a node that never leaves this machine and finds nobody by itself.
pub const ALONE: &str = "--beacon off --no-mdns --listen 127.0.0.1:0";

/// A seat that plays by itself, and tells everything.
pub const BOT: &str = "--ui json --bot careful";

/// The program with arguments, without what the environment could change about it.
pub fn program(before: &[&str], dir: &Path, args: &str) -> Command {
    let words: Vec<&str> = before.iter().copied().chain([TRINKA]).collect();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg("--data").arg(dir).args(args.split_whitespace());
    command
        .env_remove("TRINKA_DATA")
        .env("TRINKA_CONFIG", "")
        .env_remove("NO_COLOR")
        .env("LC_ALL", "C.UTF-8")
        .env_remove("LANGUAGE");
    command
}

/// Runs the program to its end, at most so long.
pub fn run(dir: &Path, args: &str, seconds: u64) -> Output {
    let mut node = Node::start(&[], dir, args);
    node.close_stdin();
    let code = node.exit(seconds);
    let out = node.text.join("\n");
    let err = node.stderr();
    let status = std::os::unix::process::ExitStatusExt::from_raw(code << 8);
    Output { status, stdout: out.into_bytes(), stderr: err.into_bytes() }
}

/// A running program. Killed on drop.
pub struct Node {
    /// Its data directory.
    pub dir: PathBuf,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Arc<Mutex<String>>,
    error_reader: Option<JoinHandle<()>>,
    /// Every line of its output that was read.
    pub text: Vec<String>,
    /// Those of them that are events.
    pub seen: Vec<Value>,
}

impl Node {
    /// Starts the program: `before` are words in front of it (`ip netns exec HOST`).
    pub fn start(before: &[&str], dir: &Path, args: &str) -> Self {
        let mut child = program(before, dir, args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (to, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = Arc::new(Mutex::new(String::new()));
        let (mut err, all) = (child.stderr.take().unwrap(), Arc::clone(&errors));
        let error_reader = std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(n @ 1..) = err.read(&mut piece) {
                all.lock().unwrap().push_str(&String::from_utf8_lossy(&piece[..n]));
            }
        });
        let stdin = child.stdin.take();
        Node {
            dir: dir.to_owned(),
            child,
            stdin,
            lines,
            errors,
            error_reader: Some(error_reader),
            text: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// A node on this machine that plays by itself.
    pub fn bot(dir: &Path, args: &str) -> Self {
        Self::start(&[], dir, &format!("{LOCAL} {BOT} {args}"))
    }

    /// Takes the next line, if one comes in time. False at the end of the output.
    fn take(&mut self, end: Instant) -> Result<String, RecvTimeoutError> {
        let line = self.lines.recv_timeout(end.saturating_duration_since(Instant::now()))?;
        if let Ok(event) = serde_json::from_str::<Value>(&line) {
            self.seen.push(event);
        }
        self.text.push(line.clone());
        Ok(line)
    }

    /// Waits for a line that fits.
    pub fn line(&mut self, seconds: u64, what: &str, mut fits: impl FnMut(&str) -> bool) -> String {
        let end = Instant::now() + Duration::from_secs(seconds);
        loop {
            match self.take(end) {
                Ok(line) if fits(&line) => return line,
                Ok(_) => {}
                Err(why) => self.give_up(&format!("{what}: not within {seconds} s ({why})")),
            }
        }
    }

    /// Waits for an event that fits.
    pub fn until(
        &mut self,
        seconds: u64,
        what: &str,
        mut fits: impl FnMut(&Value) -> bool,
    ) -> Value {
        let line =
            self.line(seconds, what, |line| serde_json::from_str(line).is_ok_and(|e| fits(&e)));
        serde_json::from_str(&line).unwrap()
    }

    /// Waits for an event with this name.
    pub fn event(&mut self, seconds: u64, name: &str) -> Value {
        self.until(seconds, name, |e| e["event"] == name)
    }

    /// Waits until so many more hands are settled, and returns the last one.
    pub fn hands(&mut self, seconds: u64, count: u64) -> Value {
        let mut left = count;
        self.until(seconds, &format!("{count} more hands"), |e| {
            left -= u64::from(e["event"] == "settled");
            left == 0
        })
    }

    /// Waits until, after a hand that was settled, nobody else is left to play with.
    pub fn left_alone(&mut self) {
        let mut settled = !self.all("settled").is_empty();
        self.until(30, "alone at the table", |e| {
            settled |= e["event"] == "settled";
            settled && e["event"] == "waiting" && e["why"] == "players"
        });
    }

    /// Takes what came so far.
    pub fn catch_up(&mut self) {
        while self.take(Instant::now()).is_ok() {}
    }

    /// Takes what comes for a while.
    pub fn for_a_while(&mut self, millis: u64) {
        let end = Instant::now() + Duration::from_millis(millis);
        while self.take(end).is_ok() {}
    }

    /// All events with this name that were read.
    pub fn all(&self, name: &str) -> Vec<&Value> {
        self.seen.iter().filter(|e| e["event"] == name).collect()
    }

    /// Types a line.
    pub fn type_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin was closed");
        // A program that has ended hears nothing; its exit is what tests look at.
        let _ = writeln!(stdin, "{line}").and_then(|()| stdin.flush());
    }

    /// Ends its input.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Its process number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
    }

    /// Ends it at once, as a power cut would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.for_a_while(200);
    }

    /// Waits for its end by itself and returns the exit code, or 1000 and the signal that ended it.
    pub fn exit(&mut self, seconds: u64) -> i32 {
        use std::os::unix::process::ExitStatusExt as _;
        let end = Instant::now() + Duration::from_secs(seconds);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                self.for_a_while(200);
                if let Some(reader) = self.error_reader.take() {
                    reader.join().unwrap();
                }
                return status.code().unwrap_or_else(|| 1000 + status.signal().unwrap_or(0));
            }
            if Instant::now() >= end {
                self.give_up(&format!("has not ended within {seconds} s"));
            }
            self.for_a_while(20);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether it still runs.
    pub fn alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// What it wrote to stderr.
    pub fn stderr(&self) -> String {
        self.errors.lock().unwrap().clone()
    }

    /// The id of its table, by its `table` event.
    pub fn table_id(&mut self) -> String {
        let known = self.all("table").first().map(|e| e["id"].as_str().unwrap().to_owned());
        known.unwrap_or_else(|| self.event(10, "table")["id"].as_str().unwrap().to_owned())
    }

    /// Where it listens, by its `hello` event.
    pub fn address(&mut self) -> String {
        let known = self.all("hello").first().map(|e| e["listen"][0].as_str().unwrap().to_owned());
        known.unwrap_or_else(|| self.event(10, "hello")["listen"][0].as_str().unwrap().to_owned())
    }

    fn give_up(&mut self, what: &str) -> ! {
        self.catch_up();
        let tail = &self.text[self.text.len().saturating_sub(40)..];
        panic!(
            "{}: {what}; its last lines:\n{}\nstderr: {}",
            self.dir.display(),
            tail.join("\n"),
            self.stderr()
        );
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A game without anything that asks more than whether one bets: dark play, svara, three tens.
pub const PLAIN: &str = "--set dark=off --set three_tens=off --set reveal=open --set svara=off --set boil=off --set pool=off --set pact=off --set first_dealer=host --set exposed_card=off";

/// Four bots at a table, or however many, on this machine; the host is the first.
pub fn bots(place: &Path, count: usize, options: &str) -> Vec<Node> {
    let mut host = Node::bot(
        &place.join("n0"),
        &format!("--name N0 host table --min-players {count} {options}"),
    );
    let id = host.table_id();
    let mut nodes = vec![host];
    for i in 1..count {
        nodes.push(Node::bot(&place.join(format!("n{i}")), &format!("--name N{i} join {id}")));
    }
    nodes
}

/// Stacks after each hand that a node saw settled: `(hand, stacks)`.
pub fn stacks(node: &Node) -> Vec<(u64, Value)> {
    node.all("settled").iter().map(|e| (e["hand"].as_u64().unwrap(), e["stacks"].clone())).collect()
}

/// All nodes tell the same of every hand that they saw.
pub fn assert_agreement<'a>(nodes: impl IntoIterator<Item = &'a Node>) {
    let mut told = std::collections::BTreeMap::new();
    for node in nodes {
        for (hand, stacks) in stacks(node) {
            let first = told.entry(hand).or_insert_with(|| stacks.clone());
            assert_eq!(*first, stacks, "hand {hand}, {}", node.dir.display());
        }
    }
    assert!(!told.is_empty(), "no hand was settled");
}

/// The transcripts in a data directory, all of which have to hold.
pub fn assert_transcripts(dir: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(dir.join("transcripts")) else { return 0 };
    let files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        match trinka::table::transcript::verify(&bytes, [7; 32]) {
            trinka::table::transcript::Finding::Good(_) => {}
            other => panic!("{}: {other:?}", file.display()),
        }
    }
    files.len()
}
