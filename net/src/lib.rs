//! Finding peers on one local network and moving frames of bytes between them; knows no game.
//!
//! A node has an Ed25519 key, listens on TCP, and finds others by mDNS, by UDP beacons and by addresses that
//! people type. Every pair of nodes that finds each other is connected (Noise, Yamux), tells each other what it
//! speaks, and then exchanges frames. Discovery is never trusted: who a peer is, is proven by the handshake.
//!
//! ```no_run
//! # async fn example() -> Result<(), trinka_net::NetError> {
//! use trinka_net::{NetConfig, NetEvent};
//!
//! let config = NetConfig::new([7; 32], *b"example\0", 1);
//! let (node, mut events) = trinka_net::start(config).await?;
//! while let Some(event) = events.recv().await {
//!     if let NetEvent::Connected { peer, .. } = event {
//!         let _ = node.send(peer, b"hello".to_vec());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Frames are not acknowledged: one that was queued is lost when its link ends. Whoever needs certainty sends
//! again, as the program above must do anyhow for peers that were away.
//!
//! Everything from outside has a bound, and all bounds stand in [`limits`].

mod addr;
mod beacon;
mod behaviour;
mod book;
mod bucket;
mod config;
mod driver;
mod event;
mod handle;
mod hello;
mod iface;
pub mod limits;
mod link;
mod links;
mod news;
mod peer;
mod setup;
mod typed;

pub use config::{BeaconMode, DEFAULT_PORT, NetConfig, NetError};
pub use event::{FoundBy, NetEvent, Refusal};
pub use handle::{NetHandle, SendError, Stats};
pub use limits::Limits;
pub use peer::PeerKey;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use addr::Typed;
use beacon::Beacon;
use driver::Driver;
use handle::Shared;
use limits::{COMMAND_CHANNEL, EVENT_CHANNEL};

/// Starts a node; its tasks run on the current tokio runtime until [`NetHandle::shutdown`], or until the
/// receiver of events or the last handle is dropped.
///
/// # Errors
/// When a setting is refused, a typed address cannot be read, or nothing can be listened on. Discovery that
/// does not work is told as an event.
pub async fn start(config: NetConfig) -> Result<(NetHandle, mpsc::Receiver<NetEvent>), NetError> {
    config.check()?;
    let typed = config.peers.iter().map(|text| text.parse()).collect::<Result<Vec<Typed>, _>>()?;
    let keypair = setup::keypair(&config)?;
    let me = PeerKey::from_peer_id(&keypair.public().to_peer_id())
        .ok_or_else(|| NetError::Transport("the key has no peer id".into()))?;
    let mut swarm = setup::swarm(&config, keypair)?;

    let lan = iface::has_lan();
    let local = match config.beacon {
        BeaconMode::Loopback => true,
        BeaconMode::Auto => !lan,
        BeaconMode::Off | BeaconMode::Broadcast => false,
    };
    let port = setup::listen(&mut swarm, &config, local).await?;

    let shared = Arc::new(Shared::default());
    let (events_in, events) = mpsc::channel(EVENT_CHANNEL);
    let (commands, commands_out) = mpsc::channel(COMMAND_CHANNEL);
    let (beacons_in, beacons) = mpsc::channel(64);
    let mut driver = Driver::new(swarm, me, &config, port, Arc::clone(&shared), events_in);
    if !local {
        driver.start_mdns();
    }
    driver.first_address(Duration::from_secs(1)).await;
    typed.into_iter().for_each(|typed| driver.add_typed(typed));
    if config.beacon != BeaconMode::Off {
        let beacon = Beacon::new(config.magic, config.version, port, me);
        tokio::spawn(beacon::run(beacon, config.beacon, config.beacon_port, beacons_in));
    }
    tokio::spawn(driver.run(commands_out, beacons));

    let handle = NetHandle {
        me,
        shared,
        commands,
        max_frame: config.limits.max_frame,
        queue_bytes: config.limits.send_queue_bytes,
    };
    Ok((handle, events))
}
