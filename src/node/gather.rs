//! Before there is a log: the host gathers players, everybody signs the founding entry, the host last.
//!
//! No input or output here: the host's side of it as a small state machine.

use std::collections::BTreeMap;

use crate::identity::{Identity, PublicKey, Sig};
use crate::node::lobby::{LobbyMessage, NoSeat, sound_player};
use crate::rules::Seat;
use crate::table::founding::{Founded, Founding, Player, Terms};
use crate::table::message::TableId;
use crate::wire::PROTOCOL_VERSION;

/// Milliseconds for everybody to sign; who does not is left out, and the rest sign anew.
const SIGN_MS: u64 = 8_000;

/// An attempt to found the table.
struct Attempt {
    bytes: Vec<u8>,
    players: Vec<Player>,
    signatures: BTreeMap<Seat, Sig>,
    until: u64,
}

/// The host's table before it begins.
pub struct Gathering {
    id: Identity,
    /// The table.
    pub table: TableId,
    nonce: [u8; 16],
    /// What is played.
    pub terms: Terms,
    min_players: usize,
    players: Vec<Player>,
    attempt: Option<Attempt>,
}

/// What the host does next.
pub enum Step {
    /// Tell a player.
    Tell(PublicKey, LobbyMessage),
    /// The seats changed.
    Changed,
    /// The table is founded.
    Founded(Box<Founded>),
}

impl Gathering {
    /// A table with its host alone.
    #[must_use]
    pub fn new(
        id: Identity,
        host: Player,
        nonce: [u8; 16],
        terms: Terms,
        min_players: usize,
    ) -> Self {
        Gathering {
            table: TableId::of(&host.key, &nonce),
            id,
            nonce,
            terms,
            min_players: min_players.max(2),
            players: vec![host],
            attempt: None,
        }
    }

    /// Who is here, the host first.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// When something is due without a message.
    #[must_use]
    pub fn timeout(&self) -> Option<u64> {
        self.attempt.as_ref().map(|a| a.until)
    }

    /// Somebody asks for a seat.
    pub fn join(
        &mut self,
        now: u64,
        key: PublicKey,
        name: String,
        addresses: Vec<String>,
    ) -> Vec<Step> {
        let player = Player { key, name, addresses };
        if !sound_player(&player) {
            return Vec::new();
        }
        if let Some(known) = self.players.iter_mut().find(|p| p.key == key) {
            // Asked again: it may have other addresses now. Who signs already keeps what it signs.
            if self.attempt.is_none() {
                *known = player;
            }
            let mut steps = vec![Step::Tell(key, self.waiting())];
            // Who asks again although it has been asked to sign may not have heard that.
            steps.extend(self.to_sign(&key).map(|message| Step::Tell(key, message)));
            return steps;
        }
        if self.players.len() >= usize::from(self.terms.seats) {
            return vec![Step::Tell(
                key,
                LobbyMessage::Refused { table: self.table, why: NoSeat::Full },
            )];
        }
        self.players.push(player);
        let mut steps = self.tell_all();
        if self.attempt.is_none() && self.players.len() >= self.min_players {
            steps.extend(self.begin(now));
        }
        steps
    }

    /// Somebody is gone before the table began.
    pub fn gone(&mut self, now: u64, key: &PublicKey) -> Vec<Step> {
        if self.players.first().is_some_and(|host| host.key == *key)
            || !self.players.iter().any(|p| p.key == *key)
        {
            return Vec::new();
        }
        self.players.retain(|p| p.key != *key);
        let signing =
            self.attempt.as_ref().is_some_and(|a| a.players.iter().any(|p| p.key == *key));
        let mut steps = self.tell_all();
        if signing {
            self.attempt = None;
            if self.players.len() >= self.min_players {
                steps.extend(self.begin(now));
            }
        }
        steps
    }

    /// Begins with whoever is here; nothing when that is only the host.
    pub fn begin(&mut self, now: u64) -> Vec<Step> {
        if self.players.len() < 2 {
            return Vec::new();
        }
        let founding = Founding {
            version: PROTOCOL_VERSION,
            table: self.table,
            nonce: self.nonce,
            terms: self.terms.clone(),
            players: self.players.clone(),
        };
        let Ok(bytes) = founding.bytes() else { return Vec::new() };
        let message = LobbyMessage::Sign { table: self.table, bytes: bytes.clone() };
        let others =
            self.players.iter().skip(1).map(|p| Step::Tell(p.key, message.clone())).collect();
        self.attempt = Some(Attempt {
            bytes,
            players: self.players.clone(),
            signatures: BTreeMap::new(),
            until: now.saturating_add(SIGN_MS),
        });
        others
    }

    /// A signature came.
    pub fn signed(&mut self, key: &PublicKey, log: &[u8; 32], signature: Sig) -> Vec<Step> {
        let Some(attempt) = &mut self.attempt else { return Vec::new() };
        if Founding::log_id(&attempt.bytes).0 != *log {
            return Vec::new();
        }
        let Some(seat) =
            attempt.players.iter().position(|p| p.key == *key).and_then(|i| u8::try_from(i).ok())
        else {
            return Vec::new();
        };
        if !Founding::signed_by(&attempt.bytes, key, &signature) {
            return Vec::new();
        }
        attempt.signatures.insert(Seat(seat), signature);
        if attempt.signatures.len() + 1 < attempt.players.len() {
            return Vec::new();
        }
        // The host signs last, and once only: no two foundings of this table can both be complete.
        let mut signatures = attempt.signatures.clone();
        signatures.insert(Seat(0), Founding::sign(&self.id, &attempt.bytes));
        let founded = Founded { bytes: attempt.bytes.clone(), signatures };
        vec![Step::Founded(Box::new(founded))]
    }

    /// Time has passed: who has not signed is left out.
    pub fn tick(&mut self, now: u64) -> Vec<Step> {
        let Some(attempt) = &self.attempt else { return Vec::new() };
        if now < attempt.until {
            return Vec::new();
        }
        let signed: Vec<PublicKey> = attempt
            .players
            .iter()
            .enumerate()
            .filter(|(i, _)| {
                *i == 0 || u8::try_from(*i).is_ok_and(|i| attempt.signatures.contains_key(&Seat(i)))
            })
            .map(|(_, p)| p.key)
            .collect();
        let asked: Vec<PublicKey> = attempt.players.iter().map(|p| p.key).collect();
        self.players.retain(|p| signed.contains(&p.key) || !asked.contains(&p.key));
        self.attempt = None;
        let mut steps = self.tell_all();
        if self.players.len() >= self.min_players {
            steps.extend(self.begin(now));
        }
        steps
    }

    /// What a player still has to sign.
    fn to_sign(&self, key: &PublicKey) -> Option<LobbyMessage> {
        let attempt = self.attempt.as_ref()?;
        let seat = attempt
            .players
            .iter()
            .position(|p| p.key == *key)
            .and_then(|i| u8::try_from(i).ok())?;
        let lacking = !attempt.signatures.contains_key(&Seat(seat));
        lacking.then(|| LobbyMessage::Sign { table: self.table, bytes: attempt.bytes.clone() })
    }

    fn waiting(&self) -> LobbyMessage {
        LobbyMessage::Waiting { table: self.table, players: self.players.clone() }
    }

    fn tell_all(&self) -> Vec<Step> {
        let message = self.waiting();
        let mut steps: Vec<Step> =
            self.players.iter().skip(1).map(|p| Step::Tell(p.key, message.clone())).collect();
        steps.push(Step::Changed);
        steps
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;
    use crate::rules::{HouseRules, Preset};

    fn id(n: u8) -> Identity {
        Identity::from_seed(&[n; 32])
    }

    fn player(n: u8) -> Player {
        Player { key: id(n).public(), name: format!("P{n}"), addresses: Vec::new() }
    }

    fn gathering(min: usize) -> Gathering {
        let rules = HouseRules::preset(Preset::TrinkaClassic);
        let terms = Terms {
            name: "t".into(),
            house: crate::table::founding::rules_hash(&rules),
            rules,
            buy_in: 100,
            seats: 3,
            think_ms: 60_000,
            hands: None,
        };
        Gathering::new(id(0), player(0), [1; 16], terms, min)
    }

    fn to_sign(steps: &[Step]) -> Vec<(PublicKey, Vec<u8>)> {
        steps
            .iter()
            .filter_map(|s| match s {
                Step::Tell(key, LobbyMessage::Sign { bytes, .. }) => Some((*key, bytes.clone())),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn who_does_not_sign_is_left_out_and_the_rest_sign_anew() {
        let mut host = gathering(3);
        assert!(to_sign(&host.join(0, id(1).public(), "P1".into(), Vec::new())).is_empty());
        let asked = to_sign(&host.join(0, id(2).public(), "P2".into(), Vec::new()));
        assert_eq!(asked.len(), 2);
        let bytes = asked[0].1.clone();
        let log = Founding::log_id(&bytes).0;
        // A false signature counts for nothing.
        assert!(host.signed(&id(1).public(), &log, Founding::sign(&id(2), &bytes)).is_empty());
        assert!(host.signed(&id(1).public(), &log, Founding::sign(&id(1), &bytes)).is_empty());
        assert!(to_sign(&host.tick(SIGN_MS - 1)).is_empty());
        // Player 2 never signs; two are fewer than three, so the host waits for more.
        assert!(to_sign(&host.tick(SIGN_MS)).is_empty());
        assert_eq!(host.players().len(), 2);
        let asked = to_sign(&host.begin(SIGN_MS));
        let bytes = asked[0].1.clone();
        let steps = host.signed(
            &id(1).public(),
            &Founding::log_id(&bytes).0,
            Founding::sign(&id(1), &bytes),
        );
        match steps.as_slice() {
            [Step::Founded(founded)] => assert_eq!(founded.verify().unwrap().players.len(), 2),
            _ => panic!("not founded"),
        }
    }

    #[test]
    fn a_full_table_refuses() {
        let mut host = gathering(8);
        host.join(0, id(1).public(), "P1".into(), Vec::new());
        host.join(0, id(2).public(), "P2".into(), Vec::new());
        let steps = host.join(0, id(3).public(), "P3".into(), Vec::new());
        assert!(matches!(
            steps.as_slice(),
            [Step::Tell(_, LobbyMessage::Refused { why: NoSeat::Full, .. })]
        ));
    }
}
