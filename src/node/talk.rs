//! What comes from the network and what the lobby says: peers, seats asked for, tables told of.

use std::sync::atomic::Ordering;

use trinka_net::{FoundBy, NetEvent, PeerKey, Refusal};

use super::gather::Step;
use super::lobby::{Frame, LobbyMessage, NoSeat, TableAd};
use super::sitting::Sitting;
use crate::event::{self, Event, WaitReason};
use crate::i18n::Problem;
use crate::identity::PublicKey;
use crate::rules::Seat;
use crate::screens::rules_in_short;
use crate::table::Input;
use crate::table::founding::Player;
use crate::table::ledger::Stage;
use crate::table::message::TableId;
use crate::wire::{self};

use super::run::{COPIED_MS, HERE_MS, Node, Place};

impl Node {
    // ---- the network ----

    pub(super) async fn net_event(&mut self, event: NetEvent) -> Result<(), Problem> {
        match event {
            NetEvent::Found { peer, addrs, .. } if matches!(self.place, Place::Playing(_)) => {
                // At the table it is nobody's business who else is on the network.
                tracing::info!("found {peer} at {addrs:?}");
            }
            NetEvent::Found { peer, addrs, by } => {
                let by = match by {
                    FoundBy::Mdns => "mdns",
                    FoundBy::Beacon => "beacon",
                    FoundBy::Typed | FoundBy::Roster | FoundBy::Inbound => "address",
                };
                let address = addrs.first().map(ToString::to_string).unwrap_or_default();
                self.tell(&Event::Found { peer: wire::hex(&peer.0), by: by.to_owned(), address })?;
            }
            NetEvent::Connected { peer, addr, .. } => {
                let key = PublicKey(peer.0);
                self.lobby.connected(key, addr);
                self.say(key, self.here());
                let now = self.now();
                if let Place::Playing(sitting) = &mut self.place
                    && sitting.is_member(&key)
                {
                    sitting.handle(now, Input::Peer { key, up: true });
                }
            }
            NetEvent::Disconnected { peer } => {
                let key = PublicKey(peer.0);
                self.lobby.disconnected(&key);
                let now = self.now();
                match &mut self.place {
                    Place::Playing(sitting) => sitting.handle(now, Input::Peer { key, up: false }),
                    Place::Hosting(gathering) => {
                        let steps = gathering.gone(now, &key);
                        self.host_steps(steps)?;
                    }
                    Place::Looking(_) => {}
                }
            }
            NetEvent::Frame { peer, bytes } => self.frame(PublicKey(peer.0), &bytes)?,
            NetEvent::VersionMismatch { theirs, ours, .. } => {
                // Said once for each version: beacons can be forged, and by the thousand.
                if self.other_versions.len() >= 4 || !self.other_versions.insert(theirs) {
                    return Ok(());
                }
                self.problem(&Problem::OtherVersion {
                    theirs: theirs.to_string(),
                    ours: ours.to_string(),
                })?;
            }
            NetEvent::DialFailed { address, why } => {
                tracing::warn!("{address} cannot be reached: {why}");
                // Who sits at a table did not ask for this address: the program looks for those who are gone.
                if !matches!(self.place, Place::Playing(_)) {
                    self.problem(&Problem::CannotReach { address, reason: reach_reason(&why) })?;
                }
            }
            NetEvent::Refused { why: Refusal::OtherInstance, by_them: true, .. } => {
                let now = self.now();
                let (since, said) = *self.copied.get_or_insert((now, false));
                if !said && now >= since.saturating_add(COPIED_MS) {
                    self.copied = Some((since, true));
                    self.problem(&Problem::IdentityCopied)?;
                }
            }
            NetEvent::Refused { addr, why, .. } => tracing::info!("refused {addr}: {why:?}"),
            NetEvent::MulticastTrouble(why) => tracing::warn!("mDNS: {why}"),
            NetEvent::BeaconTrouble(why) => tracing::warn!("beacon: {why}"),
            other => tracing::debug!("{other:?}"),
        }
        Ok(())
    }

    pub(super) fn frame(&mut self, from: PublicKey, bytes: &[u8]) -> Result<(), Problem> {
        match wire::decode::<Frame>(bytes) {
            Ok(Frame::Lobby(message)) => self.lobby_message(from, message),
            Ok(Frame::Table { table, bytes }) => {
                let now = self.now();
                if let Place::Playing(sitting) = &mut self.place
                    && sitting.id == table
                {
                    sitting.handle(now, Input::Wire { from, bytes });
                }
                Ok(())
            }
            Err(e) => {
                tracing::info!("unreadable frame from {from}: {e}");
                Ok(())
            }
        }
    }

    pub(super) fn lobby_message(
        &mut self,
        from: PublicKey,
        message: LobbyMessage,
    ) -> Result<(), Problem> {
        let now = self.now();
        match message {
            LobbyMessage::Here { name, tables } => {
                self.lobby.here(from, name, tables);
                if let Place::Playing(sitting) = &mut self.place
                    && self.lobby.plays(&from, sitting.id)
                {
                    sitting.add_member(now, from);
                }
            }
            LobbyMessage::Join { table, name, addresses } => match &mut self.place {
                Place::Hosting(gathering) if gathering.table == table => {
                    let steps = gathering.join(now, from, name, addresses);
                    self.host_steps(steps)?;
                }
                Place::Playing(sitting) if sitting.id == table => {
                    let core = sitting.table().state().core();
                    let known = core.seat_of(&from).is_some();
                    let full = core.taken() >= usize::from(core.terms.seats);
                    let answer = if full && !known {
                        LobbyMessage::Refused { table, why: NoSeat::Full }
                    } else {
                        let founded = sitting.table().founded().clone();
                        sitting.add_member(now, from);
                        LobbyMessage::Founded { table, founded }
                    };
                    self.say(from, answer);
                }
                _ => self.say(from, LobbyMessage::Refused { table, why: NoSeat::Unknown }),
            },
            LobbyMessage::Signed { table, log, signature } => {
                if let Place::Hosting(gathering) = &mut self.place
                    && gathering.table == table
                {
                    let steps = gathering.signed(&from, &log, signature);
                    self.host_steps(steps)?;
                }
            }
            LobbyMessage::Waiting { table, players } => self.waiting(table, &players)?,
            LobbyMessage::Sign { table, bytes } => {
                if let Place::Looking(joining) = &mut self.place
                    && joining.has_asked(&from)
                    && let Some(answer) = joining.sign(&self.id, table, &bytes)?
                {
                    self.say(from, answer);
                }
            }
            LobbyMessage::Founded { table, founded } => {
                if let Place::Looking(joining) = &self.place
                    && joining.chosen() == Some(table)
                    && joining.has_asked(&from)
                    && founded.verify().is_ok_and(|founding| founding.table == table)
                {
                    let fresh = joining.has_signed(founded.log_id());
                    let (id, manner) = (self.id.clone(), self.manner());
                    let (sitting, damage) =
                        Sitting::begin(id, founded, fresh, &self.store, &manner, now)?;
                    self.problems(&damage)?;
                    self.sit(sitting)?;
                }
            }
            LobbyMessage::Refused { table, why } => {
                if let Place::Looking(joining) = &mut self.place
                    && joining.has_asked(&from)
                    && let Some(problem) = joining.refused(table, why, &self.lobby)
                {
                    return Err(problem);
                }
            }
        }
        Ok(())
    }

    pub(super) fn waiting(&mut self, table: TableId, players: &[Player]) -> Result<(), Problem> {
        let Place::Looking(joining) = &mut self.place else { return Ok(()) };
        let first =
            joining.chosen() == Some(table) && !std::mem::replace(&mut joining.waiting, true);
        if first {
            tracing::info!("seated with {} others", players.len());
            self.tell(&Event::Waiting { seats: Vec::new(), why: WaitReason::Host })?;
        }
        Ok(())
    }

    pub(super) fn host_steps(&mut self, steps: Vec<Step>) -> Result<(), Problem> {
        for step in steps {
            match step {
                Step::Tell(key, message) => self.say(key, message),
                Step::Changed => self.gathering_changed()?,
                Step::Founded(founded) => {
                    let Place::Hosting(gathering) = &self.place else { continue };
                    let message = LobbyMessage::Founded {
                        table: gathering.table,
                        founded: (*founded).clone(),
                    };
                    let others: Vec<PublicKey> = gathering
                        .players()
                        .iter()
                        .map(|p| p.key)
                        .filter(|k| *k != self.me)
                        .collect();
                    let now = self.now();
                    // Stored before it is told: with the last signature the table exists.
                    let (id, manner) = (self.id.clone(), self.manner());
                    let (sitting, damage) =
                        Sitting::begin(id, *founded, true, &self.store, &manner, now)?;
                    self.problems(&damage)?;
                    self.sit(sitting)?;
                    for key in others {
                        self.say(key, message.clone());
                    }
                }
            }
        }
        Ok(())
    }

    /// Tells the host who sits at its table before it begins.
    pub(super) fn gathering_changed(&mut self) -> Result<(), Problem> {
        let Place::Hosting(gathering) = &self.place else { return Ok(()) };
        let seats = gathering
            .players()
            .iter()
            .zip(0u8..)
            .map(|(p, i)| event::SeatInfo {
                seat: Seat(i),
                name: p.name.clone(),
                stack: gathering.terms.buy_in,
            })
            .collect();
        let fingerprints = gathering
            .players()
            .iter()
            .zip(0u8..)
            .map(|(p, i)| (Seat(i), p.key.fingerprint()))
            .collect();
        let event = Event::Table {
            id: gathering.table.to_string(),
            name: gathering.terms.name.clone(),
            rules: Box::new(gathering.terms.rules.clone()),
            seats,
            you: Some(Seat(0)),
            fingerprints,
        };
        self.tell(&event)
    }

    pub(super) fn here(&self) -> LobbyMessage {
        LobbyMessage::Here { name: self.name.clone(), tables: self.ads() }
    }

    pub(super) fn ads(&self) -> Vec<TableAd> {
        match &self.place {
            Place::Hosting(g) => vec![TableAd {
                id: g.table,
                name: g.terms.name.clone(),
                rules: rules_in_short(&g.terms.rules),
                players: g.players().iter().map(|p| p.name.clone()).collect(),
                seats: g.terms.seats,
                playing: false,
                hosting: true,
            }],
            Place::Playing(s) => {
                let core = s.table().state().core();
                if core.stage == Stage::Over || s.table().seat().is_none() {
                    return Vec::new();
                }
                vec![TableAd {
                    id: s.id,
                    name: core.terms.name.clone(),
                    rules: rules_in_short(&core.terms.rules),
                    players: s.names(),
                    seats: core.terms.seats,
                    playing: true,
                    hosting: s.table().seat() == Some(Seat(0)),
                }]
            }
            Place::Looking(_) => Vec::new(),
        }
    }

    /// Tells everybody around when something about the own tables changed, and now and then without that:
    /// what was sent may be lost when two nodes have dialled each other and one of the links is given up.
    pub(super) fn advertise(&mut self) {
        let (now, ads) = (self.now(), self.ads());
        if self
            .advertised
            .as_ref()
            .is_some_and(|(at, told)| *told == ads && now < at.saturating_add(HERE_MS))
        {
            return;
        }
        let frame =
            Frame::Lobby(LobbyMessage::Here { name: self.name.clone(), tables: ads.clone() });
        if let Ok(bytes) = wire::encode(&frame) {
            self.net.broadcast(&bytes);
        }
        self.advertised = Some((now, ads));
    }

    pub(super) fn say(&self, to: PublicKey, message: LobbyMessage) {
        self.send(to, &Frame::Lobby(message));
    }

    pub(super) fn send(&self, to: PublicKey, frame: &Frame) {
        let sent = wire::encode(frame).map(|bytes| {
            self.sent_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            self.net.send(PeerKey(to.0), bytes)
        });
        if let Ok(Err(e)) = sent {
            tracing::debug!("not sent to {to}: {e}");
        }
    }
}

/// Why an address cannot be reached, as a word that the texts know. What the network's library says
/// about it is for the log.
pub(super) fn reach_reason(why: &str) -> String {
    let why = why.to_lowercase();
    let reason = if why.contains("refused") {
        "refused"
    } else if why.contains("timed out") || why.contains("timeout") {
        "timeout"
    } else if why.contains("unreachable") {
        "unreachable"
    } else if why.contains("own peer id") || why.contains("local peer id") {
        "self"
    } else if why.contains("peer id") || why.contains("handshake") || why.contains("negotiat") {
        "other"
    } else {
        "unknown"
    };
    reason.to_owned()
}
