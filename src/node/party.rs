//! Bots that keep the player company: node processes of this program that sit down at the table which
//! this node opens.
//!
//! Each has a pipe to its stdin that this process holds. When it closes, for whatever reason, the bot
//! ends: none outlives the player's program, not even where that is killed.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::Companion;
use crate::event::{self, Event, MAX_LINE};
use crate::i18n::{Lang, Problem, printable};
use crate::identity::PublicKey;
use crate::table::message::TableId;
use crate::wire;

/// What bots have told and this node has not heard yet.
const WAITING: usize = 64;

/// How long bots that leave are waited for.
const PARTING: Duration = Duration::from_secs(5);

/// What a bot is to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Play,
    Leave,
    End,
}

/// What is heard of a bot.
pub(super) enum Told {
    /// Its key.
    Key(PublicKey),
    /// It is gone.
    Ended {
        /// Who.
        name: String,
        /// How.
        status: String,
    },
}

/// Running bots.
pub(super) struct Party {
    /// The table that they sit at.
    pub(super) table: TableId,
    told: mpsc::Receiver<Told>,
    order: watch::Sender<Order>,
    tasks: JoinSet<()>,
}

/// Where the bots go.
pub(super) struct Invitation<'a> {
    /// The table.
    pub(super) table: TableId,
    /// An address of this node.
    pub(super) at: SocketAddr,
    /// Where a bot listens; anywhere, without it.
    pub(super) listen: Option<SocketAddr>,
    /// The language of their errors.
    pub(super) lang: Lang,
    /// Where they have their data directories.
    pub(super) dir: &'a Path,
}

impl Party {
    /// Starts the bots.
    pub(super) fn start(
        companions: &[Companion],
        invitation: &Invitation<'_>,
    ) -> Result<Self, Problem> {
        let program = std::env::current_exe().map_err(internal)?;
        let (say, told) = mpsc::channel(WAITING);
        let (order, mut tasks) = (watch::Sender::new(Order::Play), JoinSet::new());
        for companion in companions {
            let data = invitation.dir.join(companion.number.to_string());
            let child = spawn(&program, arguments(companion, invitation, &data))?;
            let name = companion.name.clone();
            tasks.spawn(attend(name, child, say.clone(), order.subscribe()));
        }
        Ok(Self { table: invitation.table, told, order, tasks })
    }

    /// What is heard next; for ever nothing where there is no party.
    pub(super) async fn told(party: Option<&mut Self>) -> Told {
        match party {
            Some(party) => match party.told.recv().await {
                Some(told) => told,
                // All are gone, and that was told.
                None => std::future::pending().await,
            },
            None => std::future::pending().await,
        }
    }

    /// Lets the bots leave the table with the player.
    pub(super) fn leave(&self) {
        self.order.send_if_modified(|order| {
            let playing = *order == Order::Play;
            if playing {
                *order = Order::Leave;
            }
            playing
        });
    }

    /// Whether bots that end do so because they are told to.
    pub(super) fn parts(&self) -> bool {
        *self.order.borrow() != Order::Play
    }

    /// Ends all that still run. Those that are to leave get a moment for it: who stays at the table cannot do
    /// without their votes until that is decided.
    pub(super) async fn stop(mut self) {
        self.told.close();
        if self.parts() {
            let gone = async { while self.tasks.join_next().await.is_some() {} };
            let _ = tokio::time::timeout(PARTING, gone).await;
        }
        self.order.send_replace(Order::End);
        while self.tasks.join_next().await.is_some() {}
    }
}

fn internal(error: std::io::Error) -> Problem {
    Problem::Internal { reason: error.to_string() }
}

/// The command line of a bot.
fn arguments(companion: &Companion, to: &Invitation<'_>, data: &Path) -> Vec<OsString> {
    let lang = match to.lang {
        Lang::En => "en",
        Lang::Ru => "ru",
    };
    let mut words = vec![
        "join".to_owned(),
        to.table.to_string(),
        format!("--peer={}", to.at),
        format!("--name={}", companion.name),
        format!("--bot={}", companion.kind),
        format!("--bot-seed={}", companion.seed),
        format!("--pace={}", companion.pace_ms),
        format!("--lang={lang}"),
        "--ui=json".to_owned(),
        "--no-mdns".to_owned(),
        "--beacon=off".to_owned(),
        "--leash".to_owned(),
    ];
    words.extend(to.listen.map(|address| format!("--listen={address}")));
    let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    words.push("--data".into());
    words.push(data.into());
    words
}

fn spawn(program: &Path, arguments: Vec<OsString>) -> Result<Child, Problem> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_remove("TRINKA_DATA")
        .env("TRINKA_CONFIG", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    // Ctrl-C is for the player's program, which then ends its bots.
    #[cfg(unix)]
    command.process_group(0);
    command.spawn().map_err(internal)
}

async fn attend(
    name: String,
    mut child: Child,
    say: mpsc::Sender<Told>,
    mut order: watch::Receiver<Order>,
) {
    let (mut stdin, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let status = {
        let life = async {
            tokio::join!(listen(out, &say), log(&name, err));
            child.wait().await
        };
        tokio::pin!(life);
        loop {
            tokio::select! {
                status = &mut life => break Some(status),
                changed = order.changed() => match (changed.map(|()| *order.borrow()), &mut stdin) {
                    (Ok(Order::Leave), Some(stdin)) => {
                        // One that is gone already hears nothing.
                        let _ = stdin.write_all(b"{\"leave\":true}\n").await;
                    }
                    (Ok(Order::Play | Order::Leave), _) => {}
                    (Ok(Order::End) | Err(_), _) => break None,
                },
            }
        }
    };
    match status {
        Some(status) => {
            let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
            // Nobody listens any more when the table is over.
            let _ = say.send(Told::Ended { name, status }).await;
        }
        None => drop(child.kill().await),
    }
}

/// What a bot complains of is for the log.
async fn log(name: &str, err: Option<ChildStderr>) {
    let Some(err) = err else { return };
    let mut err = BufReader::new(err);
    let mut line = Vec::new();
    while let Ok(1..) = (&mut err).take(MAX_LINE as u64).read_until(b'\n', &mut line).await {
        tracing::warn!("the bot {name}: {}", printable(&String::from_utf8_lossy(&line)));
        line.clear();
    }
}

/// Reads everything that a bot writes, or it would be held up; passes on what matters.
async fn listen(out: Option<ChildStdout>, say: &mpsc::Sender<Told>) {
    let Some(out) = out else { return };
    let mut out = BufReader::new(out);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut out).take(MAX_LINE as u64).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if let Ok(Event::Hello { peer, .. }) = serde_json::from_slice::<event::Event>(&line)
            && let Some(key) = wire::unhex(&peer)
        {
            let _ = say.send(Told::Key(PublicKey(key))).await;
        }
    }
}
