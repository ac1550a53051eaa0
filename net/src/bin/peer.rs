//! A node for tries and tests: prints what happens, one line each, and sends what it is asked to.
//!
//! ```text
//! trinka-net-peer [--seed N] [--local] [--no-mdns] [--beacon off|loopback|broadcast|auto] [--seconds N] [ADDRESS…]
//! ```
//!
//! Every connected peer is sent "hello" once a second.

use std::fmt::Display;
use std::time::Duration;

use tokio::time::{Instant, interval};
use trinka_net::{BeaconMode, NetConfig, NetEvent};

fn parse(args: impl Iterator<Item = String>) -> Result<(NetConfig, Duration), String> {
    let mut config = NetConfig::new([1; 32], *b"trinkant", 1);
    let mut seconds = 10;
    let mut args = args.skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--seed" => {
                let seed: u64 = number(&value()?)?;
                config.secret_key.fill(0);
                config
                    .secret_key
                    .iter_mut()
                    .zip(seed.to_be_bytes())
                    .for_each(|(to, from)| *to = from);
                config.secret_key.iter_mut().skip(8).for_each(|b| *b = 7);
            }
            "--version" => config.version = number(&value()?)?,
            "--local" => config.beacon = BeaconMode::Loopback,
            "--no-mdns" => config.mdns = false,
            "--beacon" => {
                config.beacon = match value()?.as_str() {
                    "off" => BeaconMode::Off,
                    "loopback" => BeaconMode::Loopback,
                    "broadcast" => BeaconMode::Broadcast,
                    "auto" => BeaconMode::Auto,
                    other => return Err(format!("no such beacon: {other}")),
                }
            }
            "--seconds" => seconds = number(&value()?)?,
            flag if flag.starts_with('-') => return Err(format!("no such option: {flag}")),
            address => config.peers.push(address.into()),
        }
    }
    Ok((config, Duration::from_secs(seconds)))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("not a number: {text}"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), String> {
    let text = |error: &dyn Display| error.to_string();
    let (config, how_long) = parse(std::env::args())?;
    let begin = Instant::now();
    let (node, mut events) = trinka_net::start(config).await.map_err(|e| text(&e))?;
    let say = |what: &dyn Display| println!("{} {what}", begin.elapsed().as_millis());
    say(&format!("me {}", node.me()));
    let mut ticks = interval(Duration::from_secs(1));
    let end = tokio::time::sleep(how_long);
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => break,
            _ = ticks.tick() => { node.broadcast(b"hello"); }
            event = events.recv() => match event {
                None => break,
                Some(NetEvent::Listening(addr)) => say(&format!("listening {addr}")),
                Some(NetEvent::Found { peer, addrs, by }) => say(&format!("found {peer} {by:?} {addrs:?}")),
                Some(NetEvent::Connected { peer, by, addr, .. }) => {
                    say(&format!("connected {peer} {by:?} {addr}"));
                    let _ = node.send(peer, b"hello".to_vec());
                }
                Some(NetEvent::Disconnected { peer }) => say(&format!("disconnected {peer}")),
                Some(NetEvent::Frame { peer, bytes }) => say(&format!("frame {peer} {}", bytes.len())),
                Some(other) => say(&format!("other {other:?}")),
            },
        }
    }
    node.shutdown().await;
    Ok(())
}
