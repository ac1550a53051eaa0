//! What one node knows: all that it holds does not show a card that the rules do not show it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trinka::event::Event;
use trinka::rules::{Card, Seat};
use trinka::table::ledger::{Deal, share_purpose};
use trinka::table::message::Payload;
use trinka::table::{Record, TableWire};
use trinka_crypto::{OpenError, SecretKey, Share, ShareBatch, Verified, opening, shares};
use world::{CALM, World};

const LONG: u64 = 600_000;

/// What a node holds of one deal.
struct Holding {
    deal: Arc<Deal>,
    secret: SecretKey,
    /// Every share that it ever received, by giver and place.
    shares: BTreeMap<(u8, usize), Verified<Share>>,
}

fn secret(world: &World, i: usize, number: u64) -> SecretKey {
    let of_deal = |r: &Record| match r {
        Record::Secret { deal, key } if *deal == number => {
            Some(SecretKey::from_bytes(&key[..]).unwrap())
        }
        _ => None,
    };
    world.nodes[i]
        .records
        .iter()
        .find_map(of_deal)
        .expect("the hand is not over, so the secret is there")
}

/// All payloads that came to a node, or that it signed itself.
fn heard(world: &World, i: usize) -> Vec<(Seat, Payload)> {
    let core = world.core(i);
    let signed =
        world.nodes[i].received.iter().flat_map(|(_, bytes)| match trinka::wire::decode(bytes) {
            Ok(TableWire::Messages(messages)) => messages,
            _ => Vec::new(),
        });
    let own = world.nodes[i].records.iter().filter_map(|r| match r {
        Record::Own(m) => Some(m.clone()),
        _ => None,
    });
    signed
        .chain(own)
        .filter_map(|m| m.open(world.log_id()).ok())
        .filter_map(|b| Some((core.seat_of(&b.author)?, b.payload)))
        .collect()
}

fn holding(world: &World, i: usize, deal: Arc<Deal>, heard: &[(Seat, Payload)]) -> Holding {
    let number = deal.plan.number;
    let mut held = BTreeMap::new();
    for (seat, payload) in heard {
        let Payload::Shares { deal: of, positions, batch, .. } = payload else { continue };
        if *of != number {
            continue;
        }
        let index = deal.plan.index_of(*seat).unwrap();
        let places: Vec<usize> = positions.iter().map(|p| usize::from(*p)).collect();
        let batch = ShareBatch::from_bytes(batch, places.len()).unwrap();
        let (keys, purpose) = (&deal.keys, share_purpose());
        let batch = shares::verify(keys, index, purpose, &deal.deck, &places, batch).unwrap();
        for place in places {
            held.insert((index, place), batch.share(place).unwrap());
        }
    }
    Holding { secret: secret(world, i, number), deal, shares: held }
}

/// Whether anything that a node holds shows the card at a place: every subset of its shares is tried,
/// alone and with its own key.
fn shows(holding: &Holding, me: u8, place: usize) -> bool {
    let deal = &holding.deal;
    let known: Vec<_> =
        holding.shares.iter().filter(|((_, p), _)| *p == place).map(|(_, s)| *s).collect();
    for mask in 0..1u32 << known.len() {
        let some: Vec<_> = known
            .iter()
            .enumerate()
            .filter(|(n, _)| mask & (1 << n) != 0)
            .map(|(_, s)| *s)
            .collect();
        let left = opening::strip(&deal.keys, &deal.deck, place, &some).unwrap();
        if opening::recognise(&deal.keys, &left).is_ok()
            || opening::open(&deal.keys, &deal.deck, place, &some).is_ok()
            || opening::peel(&deal.keys, &deal.deck, place, &some, me, &holding.secret).is_ok()
        {
            return true;
        }
    }
    false
}

#[test]
fn all_that_a_node_holds_shows_no_card_of_anothers() {
    for (seed, players) in [(4_000, 4usize), (4_001, 3), (4_012, 2)] {
        let mut world = World::new(seed, players, 100, CALM);
        world.listen = true;
        // Until the end of a hand is near: all shares went round, some hands were opened, some not.
        world.until("a hand well under way", LONG, |w| {
            w.core(0).finished >= 1
                && w.alive().all(|i| {
                    w.core(i).basis().is_some_and(|b| b.turn >= 3)
                        && w.nodes[i].table.as_ref().unwrap().cards().is_some()
                })
        });
        let number = world.core(0).basis().unwrap().deal;
        let opened: BTreeSet<Seat> = world
            .core(0)
            .game
            .participants()
            .into_iter()
            .filter(|s| {
                world.alive().any(|i| {
                    let own = world.core(0).playing().unwrap().hands[s];
                    heard(&world, i).iter().any(|(seat, p)| {
                        seat == s
                            && matches!(p, Payload::Shares { deal, positions, .. }
                                if *deal == number && positions.contains(&own[0]))
                    })
                })
            })
            .collect();
        let mut secret_cards = 0;
        for i in 0..players {
            let deal = world.nodes[i].table.as_ref().unwrap().state().deal().unwrap().clone();
            let me = deal.plan.index_of(Seat(u8::try_from(i).unwrap())).unwrap();
            let all = heard(&world, i);
            let holding = holding(&world, i, deal.clone(), &all);
            for j in (0..players).filter(|j| *j != i) {
                let seat = Seat(u8::try_from(j).unwrap());
                let other = deal.plan.index_of(seat).unwrap();
                let cards = world.nodes[j].table.as_ref().unwrap().cards().unwrap();
                let own = world.core(0).playing().unwrap().hands[&seat];
                for (n, place) in own.into_iter().map(usize::from).enumerate() {
                    if opened.contains(&seat) {
                        continue;
                    }
                    secret_cards += 1;
                    assert!(!shows(&holding, me, place), "node {i} sees a card of node {j}");
                    // The very same shares with the missing key do show it, and it is that card.
                    let others: Vec<_> = holding
                        .shares
                        .iter()
                        .filter(|((_, p), _)| *p == place)
                        .map(|(_, s)| *s)
                        .collect();
                    let key = secret(&world, j, number);
                    let shown =
                        opening::peel(&deal.keys, &deal.deck, place, &others, other, &key).unwrap();
                    let card = Deal::card(world.core(i), u8::try_from(shown).unwrap()).unwrap();
                    assert_eq!(card, cards[n]);
                    // A key that is not the missing one helps nobody.
                    assert!(matches!(
                        opening::peel(
                            &deal.keys,
                            &deal.deck,
                            place,
                            &others,
                            other,
                            &holding.secret
                        ),
                        Err(OpenError::Deal(_))
                    ));
                    // The rest of the deck is as dark.
                    let undealt = 3 * players + n;
                    assert!(!shows(&holding, me, undealt));
                }
            }
            // Nobody's key ever travelled.
            for j in (0..players).filter(|j| *j != i) {
                let key = secret(&world, j, number).to_bytes();
                let travelled = world.nodes[i]
                    .received
                    .iter()
                    .any(|(_, bytes)| bytes.windows(32).any(|w| w == &key[..]));
                assert!(!travelled);
            }
        }
        assert!(secret_cards > 0, "seed {seed} opens every hand; take another");
    }
}

/// Every card that stands anywhere in the JSON of an event.
fn cards_in(event: &Event) -> Vec<Card> {
    fn walk(value: &serde_json::Value, out: &mut Vec<Card>) {
        match value {
            serde_json::Value::String(_) => {
                out.extend(serde_json::from_value::<Card>(value.clone()))
            }
            serde_json::Value::Array(list) => list.iter().for_each(|v| walk(v, out)),
            serde_json::Value::Object(map) => map.values().for_each(|v| walk(v, out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    walk(&serde_json::to_value(event).unwrap(), &mut out);
    out
}

#[test]
fn events_show_ones_own_cards_and_those_compared() {
    let mut world = World::new(4_100, 4, 8, CALM);
    let mut own: BTreeMap<usize, BTreeSet<[Card; 3]>> = BTreeMap::new();
    while !world.finished(8) {
        assert!(world.step());
        for i in 0..4 {
            own.entry(i).or_default().extend(world.nodes[i].table.as_ref().unwrap().cards());
        }
    }
    let (mut shown_hands, mut own_hands) = (0, 0);
    for i in 0..4 {
        let mut comparing: Option<Seat> = None;
        let mut open: Vec<Seat> = Vec::new();
        for event in &world.nodes[i].events {
            match event {
                Event::Cards { cards, .. } => {
                    own_hands += 1;
                    let mine: [Card; 3] = cards.clone().try_into().unwrap();
                    assert!(own[&i].contains(&mine), "cards that this node was not dealt");
                }
                Event::Moved { seat, kind: trinka::event::MoveKind::Compare, .. } => {
                    comparing = Some(*seat)
                }
                Event::Shown { seat, .. } => {
                    shown_hands += 1;
                    assert!(comparing.is_some(), "shown without a comparison");
                    open.push(*seat);
                }
                Event::Compared { caller, target, .. } => {
                    assert_eq!(comparing.take(), Some(*caller));
                    let sides = [*caller, *target];
                    assert!(
                        open.iter().all(|s| sides.contains(s)),
                        "somebody else's hand was shown"
                    );
                    open.clear();
                }
                // Who divided a bank lifts for the next deal, with a deck of its own.
                Event::Lifted { .. } => {}
                other => assert!(cards_in(other).is_empty(), "a card in {other:?}"),
            }
        }
        assert!(open.is_empty());
    }
    assert!(shown_hands > 0 && own_hands > 0);
}

#[test]
fn secrets_are_erased_when_the_hand_is_over() {
    let mut world = World::new(4_200, 3, 4, CALM);
    world.until("four hands", LONG, |w| w.finished(4));
    for node in &world.nodes {
        assert!(!node.records.iter().any(|r| matches!(r, Record::Secret { .. })));
    }
}
