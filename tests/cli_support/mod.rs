//! Runs the program as a user would, on loopback only.
#![allow(dead_code, reason = "not every test needs everything")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Options that keep a node on this machine.
pub const LOCAL: [&str; 5] = ["--no-mdns", "--beacon", "loopback", "--listen", "127.0.0.1:0"];

/// The program in a known environment.
pub fn trinka(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trinka"));
    for name in ["TRINKA_DATA", "LC_MESSAGES", "LANG", "LC_CTYPE", "NO_COLOR"] {
        command.env_remove(name);
    }
    command.env("TRINKA_CONFIG", "");
    command.env("LC_ALL", "en_GB.UTF-8").args(args).stdin(Stdio::null());
    command
}

/// How it ended, and what it wrote.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs it to its end.
pub fn run(args: &[&str]) -> Ran {
    ran(trinka(args).output().unwrap())
}

pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A running node, ended with the test.
pub struct Node {
    child: Child,
    /// Kept apart: waiting for a child closes its own, and that is leaving.
    keyboard: ChildStdin,
    lines: mpsc::Receiver<String>,
}

impl Node {
    /// Starts one with a data directory of its own.
    pub fn start(data: &Path, args: &[&str]) -> Self {
        let mut child = trinka(args)
            .args(LOCAL)
            .arg("--data")
            .arg(data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (send, lines) = mpsc::channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let keyboard = child.stdin.take().unwrap();
        Node { child, keyboard, lines }
    }

    /// The next line, if one comes in time; nothing once it has closed its stdout.
    pub fn line(&self, within: Duration) -> Option<String> {
        self.lines.recv_timeout(within).ok()
    }

    /// Waits for a line with these words.
    pub fn wait_for(&self, words: &str) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        while let Some(line) = self.line(end.saturating_duration_since(Instant::now())) {
            if line.contains(words) {
                return line;
            }
        }
        panic!("never said {words:?}");
    }

    /// Types a line.
    pub fn types(&mut self, line: &str) {
        writeln!(self.keyboard, "{line}").unwrap();
    }

    /// Waits for its end.
    pub fn code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
