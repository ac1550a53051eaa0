//! What is around, for as long as somebody looks: the lobby of the full screen.

use std::collections::BTreeMap;

use tokio::sync::oneshot;

use super::Settings;
use super::friends::Friends;
use super::lobby::Lobby;
use super::outside::Look;
use crate::i18n::Problem;
use crate::screens::full::Nearby;

/// Looks around until it is told to stop.
pub(super) async fn watch(
    settings: Settings,
    mut stop: oneshot::Receiver<()>,
    tell: &mut (dyn FnMut(Vec<Nearby>) + Send),
) -> Result<(), Problem> {
    let friends = std::fs::read_to_string(settings.data_dir.join("friends"))
        .ok()
        .and_then(|text| Friends::read(&text).ok())
        .unwrap_or_default();
    let mut look = Look::begin(&settings).await?;
    let mut told = Vec::new();
    loop {
        let heard = tokio::select! {
            _ = &mut stop => break,
            heard = look.hear() => heard,
        };
        if !heard {
            break;
        }
        let tables = nearby(&look.lobby, &friends);
        if tables != told {
            tell(tables.clone());
            told = tables;
        }
    }
    look.end().await;
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
