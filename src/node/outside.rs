//! The world around a node: keyboard, log, the network, and a look around.

use std::io::BufRead as _;
use std::time::Duration;

use tokio::sync::mpsc;
use trinka_net::{NetConfig, NetError, NetEvent, NetHandle};

use super::lobby::{Frame, Lobby, LobbyMessage, MAGIC};
use super::store::{self};
use super::{Listing, Settings};
use crate::event::MAX_LINE;
use crate::i18n::Problem;
use crate::identity::{Identity, PublicKey};
use crate::wire::{self, PROTOCOL_VERSION};

pub(super) async fn start_net(
    settings: &Settings,
    id: &Identity,
) -> Result<(NetHandle, mpsc::Receiver<NetEvent>), Problem> {
    let mut config = NetConfig::new(*id.seed(), MAGIC, PROTOCOL_VERSION);
    let mut instance = [0u8; 16];
    getrandom::fill(&mut instance).map_err(|e| Problem::Internal { reason: e.to_string() })?;
    config.hello_extra = instance.to_vec();
    config.listen = settings.listen.clone();
    config.mdns = settings.mdns;
    config.beacon = settings.beacon;
    config.peers = settings.peers.clone();
    trinka_net::start(config).await.map_err(|e| match e {
        NetError::Listen { addr, why } => {
            tracing::warn!("cannot listen on {addr}: {why}");
            Problem::CannotListen { address: addr, reason: listen_reason(&why) }
        }
        NetError::Address { text } => {
            Problem::CannotReach { address: text, reason: "unknown".into() }
        }
        other => Problem::Internal { reason: other.to_string() },
    })
}

/// Why an address cannot be listened on, as a word that the texts know.
fn listen_reason(why: &str) -> String {
    let why = why.to_lowercase();
    let reason = if why.contains("in use") {
        "taken"
    } else if why.contains("assign") || why.contains("not available") {
        "foreign"
    } else if why.contains("permission") || why.contains("denied") {
        "denied"
    } else {
        "unknown"
    };
    reason.to_owned()
}

/// A look around: a node without a seat that hears which tables there are.
pub(super) struct Look {
    net: NetHandle,
    events: mpsc::Receiver<NetEvent>,
    pub(super) lobby: Lobby,
}

impl Look {
    /// Begins to look.
    ///
    /// # Errors
    /// The network cannot be used.
    pub(super) async fn begin(settings: &Settings) -> Result<Self, Problem> {
        // Looking needs no identity of its own: a node that plays may use the data directory meanwhile.
        let mut seed = [0u8; 32];
        getrandom::fill(&mut seed).map_err(|e| Problem::Internal { reason: e.to_string() })?;
        let (net, events) = start_net(settings, &Identity::from_seed(&seed)).await?;
        Ok(Self { net, events, lobby: Lobby::default() })
    }

    /// Waits for what is heard next, and can be given up meanwhile. False when nothing ever will be.
    pub(super) async fn hear(&mut self) -> bool {
        let Some(event) = self.events.recv().await else { return false };
        match event {
            NetEvent::Connected { peer, addr, .. } => {
                self.lobby.connected(PublicKey(peer.0), addr);
            }
            NetEvent::Disconnected { peer } => self.lobby.disconnected(&PublicKey(peer.0)),
            NetEvent::Frame { peer, bytes } => {
                if let Ok(Frame::Lobby(LobbyMessage::Here { name, tables })) = wire::decode(&bytes)
                {
                    self.lobby.here(PublicKey(peer.0), name, tables);
                }
            }
            _ => {}
        }
        true
    }

    /// Ends it.
    pub(super) async fn end(self) -> Lobby {
        self.net.shutdown().await;
        self.lobby
    }
}

/// Looks around for a while and lists the tables.
///
/// # Errors
/// The data directory or the network cannot be used.
pub async fn look(settings: Settings, wait: Duration) -> Result<Vec<Listing>, Problem> {
    let mut look = Look::begin(&settings).await?;
    let end = tokio::time::Instant::now() + wait;
    while let Ok(true) = tokio::time::timeout_at(end, look.hear()).await {}
    let lobby = look.end().await;
    let listings = lobby.tables().into_values().map(|sighting| {
        let ad = sighting.ad;
        let tellers: Vec<_> = sighting.by.iter().filter_map(|k| lobby.peer(k)).collect();
        let taken = u8::try_from(ad.players.len()).unwrap_or(u8::MAX);
        Listing {
            id: ad.id.to_string(),
            name: ad.name,
            rules: ad.rules,
            free: ad.seats.saturating_sub(taken),
            players: ad.players,
            seats: ad.seats,
            playing: ad.playing,
            host: tellers.first().map(|p| p.name.clone()).unwrap_or_default(),
            addresses: tellers.iter().filter_map(|p| p.address).map(|a| a.to_string()).collect(),
        }
    });
    Ok(listings.collect())
}

/// Reads lines on a thread of its own: a terminal cannot be read without blocking.
pub(super) fn read_lines(lines: mpsc::Sender<String>) {
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        // The rest of a line that was too long: it is no line of its own.
        let mut rest = false;
        loop {
            let mut line = Vec::new();
            let most = u64::try_from(MAX_LINE).unwrap_or(u64::MAX).saturating_add(2);
            let mut bounded = std::io::Read::take(&mut input, most);
            match bounded.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if std::mem::replace(&mut rest, !line.ends_with(b"\n")) {
                continue;
            }
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
            if lines.blocking_send(text).is_err() {
                return;
            }
        }
    });
}

/// Sends the log to a file in the data directory. Secrets are never logged.
pub(super) fn log_to(settings: &Settings) {
    let level = match settings.verbose {
        0 => tracing::Level::WARN,
        1 => tracing::Level::INFO,
        _ => tracing::Level::DEBUG,
    };
    if let Ok(file) = store::log_file(&settings.data_dir) {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_ansi(false)
            .with_writer(std::sync::Mutex::new(file))
            .finish();
        // Set once for the process; a second node in one process (tests) shares the first one's log.
        let _ = tracing::subscriber::set_global_default(subscriber);
    }
}
