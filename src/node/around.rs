//! What is around, for as long as somebody looks: the lobby of the full screen.

use std::collections::BTreeMap;

use tokio::sync::oneshot;
use trinka_net::NetEvent;

use super::Settings;
use super::friends::Friends;
use super::lobby::{Frame, Lobby, LobbyMessage};
use super::outside::start_net;
use crate::i18n::Problem;
use crate::identity::{Identity, PublicKey};
use crate::screens::full::Nearby;
use crate::wire;

/// Looks around until it is told to stop.
pub(super) async fn watch(
    settings: Settings,
    mut stop: oneshot::Receiver<()>,
    tell: &mut (dyn FnMut(Vec<Nearby>) + Send),
) -> Result<(), Problem> {
    // Looking needs no identity of its own: who only looks is nobody yet.
    let mut seed = [0u8; 32];
    getrandom::fill(&mut seed).map_err(|e| Problem::Internal { reason: e.to_string() })?;
    let id = Identity::from_seed(&seed);
    let friends = std::fs::read_to_string(settings.data_dir.join("friends"))
        .ok()
        .and_then(|text| Friends::read(&text).ok())
        .unwrap_or_default();
    let (net, mut events) = start_net(&settings, &id).await?;
    let mut lobby = Lobby::default();
    let mut told = Vec::new();
    loop {
        let event = tokio::select! {
            _ = &mut stop => break,
            event = events.recv() => event,
        };
        match event {
            Some(NetEvent::Connected { peer, addr, .. }) => {
                lobby.connected(PublicKey(peer.0), addr);
            }
            Some(NetEvent::Disconnected { peer }) => lobby.disconnected(&PublicKey(peer.0)),
            Some(NetEvent::Frame { peer, bytes }) => {
                if let Ok(Frame::Lobby(LobbyMessage::Here { name, tables })) = wire::decode(&bytes)
                {
                    lobby.here(PublicKey(peer.0), name, tables);
                }
            }
            Some(_) => continue,
            None => break,
        }
        let tables = nearby(&lobby, &friends);
        if tables != told {
            tell(tables.clone());
            told = tables;
        }
    }
    net.shutdown().await;
    Ok(())
}

fn nearby(lobby: &Lobby, friends: &Friends) -> Vec<Nearby> {
    let known = friends.keys();
    let table = |sighting: super::lobby::Sighting| {
        let tellers: BTreeMap<_, _> =
            sighting.by.iter().filter_map(|key| Some((*key, lobby.peer(key)?))).collect();
        // A name is only a label: a friend is who tells of the table with a friend's key.
        let friends = tellers
            .iter()
            .filter(|(key, _)| known.contains(key))
            .map(|(_, peer)| peer.name.clone())
            .collect();
        let ad = sighting.ad;
        Nearby {
            id: ad.id.to_string(),
            name: ad.name,
            rules: ad.rules,
            players: ad.players,
            friends,
            seats: ad.seats,
            playing: ad.playing,
            locked: false,
            addresses: tellers.values().filter_map(|p| p.address).map(|a| a.to_string()).collect(),
        }
    };
    lobby.tables().into_values().map(table).collect()
}
