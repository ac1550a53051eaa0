//! The processes of a demo. None outlives it: whoever drops or stops [`Nodes`] ends them all.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::event::{Event, MAX_LINE};

/// Events of all nodes that may wait to be read.
const WAITING: usize = 256;

/// How much of a node's last words is kept.
const LAST_WORDS: usize = 8 << 10;

/// What a node said or did.
pub(super) enum Said {
    /// A line of its stdout that is an event.
    Event(Box<Event>),
    /// It is gone.
    Ended {
        /// How.
        status: io::Result<ExitStatus>,
        /// The end of its stderr.
        words: String,
    },
}

/// Running nodes, by number.
pub(super) struct Nodes {
    said: mpsc::Receiver<(usize, Said)>,
    say: mpsc::Sender<(usize, Said)>,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Nodes {
    /// None yet.
    pub(super) fn new() -> Self {
        let (say, said) = mpsc::channel(WAITING);
        Self { said, say, stop: watch::Sender::new(false), tasks: JoinSet::new() }
    }

    /// Starts a node.
    pub(super) fn start(
        &mut self,
        number: usize,
        program: &Path,
        args: &[OsString],
    ) -> io::Result<()> {
        let mut command = Command::new(program);
        command
            .args(args)
            .env_remove("TRINKA_DATA")
            .env("TRINKA_CONFIG", "")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // Ctrl-C is for the demo, which then ends its nodes.
        #[cfg(unix)]
        command.process_group(0);
        let child = command.spawn()?;
        self.tasks.spawn(attend(number, child, self.say.clone(), self.stop.subscribe()));
        Ok(())
    }

    /// What is said next.
    pub(super) async fn next(&mut self) -> (usize, Said) {
        // This end holds a sender too, so the channel never closes.
        match self.said.recv().await {
            Some(said) => said,
            None => std::future::pending().await,
        }
    }

    /// Ends all that still run, and waits until they are gone.
    pub(super) async fn stop(mut self) {
        drop(self.said);
        self.stop.send_replace(true);
        while self.tasks.join_next().await.is_some() {}
    }
}

async fn attend(
    number: usize,
    mut child: Child,
    say: mpsc::Sender<(usize, Said)>,
    mut stop: watch::Receiver<bool>,
) {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let life = async {
        let ((), words) = tokio::join!(listen(number, out, &say), last_words(err));
        (child.wait().await, words)
    };
    let ended = tokio::select! {
        ended = life => Some(ended),
        _ = stop.wait_for(|stop| *stop) => None,
    };
    match ended {
        // Nobody listens any more when the demo is stopping.
        Some((status, words)) => drop(say.send((number, Said::Ended { status, words })).await),
        // It may have ended by itself meanwhile.
        None => drop(child.kill().await),
    }
}

/// Passes on the events of a node until its stdout closes. What is no event is passed over: a newer
/// node may know more of them.
async fn listen(number: usize, out: Option<ChildStdout>, say: &mpsc::Sender<(usize, Said)>) {
    let Some(out) = out else { return };
    let mut out = BufReader::new(out);
    while let Some(line) = line(&mut out).await {
        let Ok(event) = serde_json::from_slice::<Event>(&line) else { continue };
        if say.send((number, Said::Event(Box::new(event)))).await.is_err() {
            return;
        }
    }
}

/// The next line, or as much of it as a line may have.
async fn line<R: AsyncRead + Unpin>(from: &mut BufReader<R>) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    match from.take(MAX_LINE as u64).read_until(b'\n', &mut line).await {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}

/// The end of what a node writes to stderr, once it closes.
async fn last_words(err: Option<ChildStderr>) -> String {
    let Some(mut err) = err else { return String::new() };
    let (mut words, mut piece) = (Vec::new(), [0; 1024]);
    while let Ok(read @ 1..) = err.read(&mut piece).await {
        words.extend_from_slice(piece.get(..read).unwrap_or_default());
        let above = words.len().saturating_sub(LAST_WORDS);
        words.drain(..above);
    }
    String::from_utf8_lossy(&words).trim().to_owned()
}
