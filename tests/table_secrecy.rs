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

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use trinka::event::{Command, Event, LegalMove, Move, MoveKind, Outcome};
use trinka::rules::{Card, HouseRules, Phase, Preset, Seat};
use trinka::table::ledger::{Deal, Presence, share_purpose};
use trinka::table::message::{Basis, Entry, Free, Payload, Signed, StepId};
use trinka::table::transcript::{Finding, replay};
use trinka::table::{Record, TableWire};
use trinka_crypto::{OpenError, SecretKey, Share, ShareBatch, Verified, opening, shares};
use world::{CALM, Weather, World};

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

/// Where the neighbours see each other's cards a comparison is a look: who loses it dark sees its own as well.
#[test]
fn who_is_compared_while_dark_sees_its_own_cards() {
    let mut rules = HouseRules::preset(Preset::TrinkaClassic);
    for (switch, value) in [("first_dealer", "random"), ("exposed_card", "off"), ("boil", "off")] {
        rules.set(switch, value).unwrap();
    }
    let mut world = World::with_rules(4_200, rules, 4, 400, CALM);
    world.nodes.iter_mut().for_each(|node| node.bot = false);
    let mut met = [0; 2];
    let mut read = [0; 4];
    let mut seen = [false; 4];
    let mut dark = [false; 4];
    while met.contains(&0) {
        assert!(world.step() && !world.finished(400), "{met:?}");
        for i in 0..4 {
            let me = Seat(u8::try_from(i).unwrap());
            while let Some(event) = world.nodes[i].events.get(read[i]).cloned() {
                read[i] += 1;
                match &event {
                    // Who may plays dark; whoever can compares with it.
                    Event::Turn { mine: true, legal, .. } => {
                        let find = |kind| legal.iter().find(|m| m.kind == kind);
                        let step = match () {
                            () if let Some(m) = find(MoveKind::Dark) => Move::Dark(m.min.unwrap()),
                            () if find(MoveKind::Compare).is_some() => Move::Compare,
                            () if find(MoveKind::NoSplit).is_some() => Move::Split,
                            () if let Some(m) = find(MoveKind::Bet) => Move::Bet(m.min.unwrap()),
                            () => continue,
                        };
                        world.command(i, Command::Move(step));
                    }
                    Event::Dealt { .. } => (seen[i], dark[i]) = (false, false),
                    Event::Cards { .. } => seen[i] = true,
                    Event::Moved { seat, kind, .. } if *seat == me => {
                        dark[i] |= *kind == MoveKind::Dark;
                        dark[i] &= *kind != MoveKind::Look;
                    }
                    Event::Compared { caller, target, result }
                        if [caller, target].contains(&&me) =>
                    {
                        assert!(seen[i], "node {i} was compared and does not know with what");
                        let lost = match result {
                            Outcome::Caller => *target == me,
                            Outcome::Target => *caller == me,
                            Outcome::Tie => false,
                        };
                        met[usize::from(lost)] += u64::from(dark[i]);
                        dark[i] = false;
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn secrets_are_erased_when_the_hand_is_over() {
    let mut world = World::new(4_200, 3, 4, CALM);
    world.until("four hands", LONG, |w| w.finished(4));
    for node in &world.nodes {
        assert!(!node.records.iter().any(|r| matches!(r, Record::Secret { .. })));
    }
}

/// Says something in a node's name to all others.
fn say(world: &mut World, i: usize, payload: Payload) {
    let message = Signed::new(&world.nodes[i].id, world.log_id(), payload).unwrap();
    let bytes = trinka::wire::encode(&TableWire::Messages(vec![message])).unwrap();
    for j in (0..world.nodes.len()).filter(|j| *j != i) {
        world.inject(i, j, bytes.clone());
    }
}

#[test]
fn a_changed_client_that_plays_dark_sees_nothing_before_it_may() {
    for seed in [4_300, 4_301] {
        let rules = HouseRules::preset(Preset::TrinkaClassic);
        let mut world = World::with_rules(seed, rules, 4, 100, CALM);
        world.listen = true;
        world.nodes.iter_mut().for_each(|n| n.bot = false);
        world.until("somebody is to speak", LONG, |w| {
            w.alive().all(|i| {
                let core = w.core(i);
                *core.game.phase() == Phase::Betting && core.answers(core.game.turn().unwrap())
            })
        });
        let seat = world.core(0).game.turn().unwrap();
        let dark = usize::from(seat.0);
        assert!(world.core(0).game.may_go_dark(seat));
        world.command(dark, Command::Move(Move::Dark(2)));
        world.until("it plays dark", LONG, |w| w.alive().all(|i| w.core(i).game.is_dark(seat)));
        let basis = world.core(0).basis().unwrap();
        let deal = world.nodes[dark].table.as_ref().unwrap().state().deal().unwrap().clone();
        let places = world.core(0).playing().unwrap().hands[&seat];
        let me = deal.plan.index_of(seat).unwrap();
        let own = secret(&world, dark, basis.deal);
        let all: Vec<usize> = (0..4).collect();
        let nobody_gave = |w: &World, i: usize| {
            heard(w, i).iter().all(|(_, p)| {
                !matches!(p, Payload::Shares { deal, positions, .. }
                    if *deal == basis.deal && places.iter().any(|p| positions.contains(p)))
            })
        };

        // Everything that it may think of: looks, in and out of order; its own layer; what others owe only
        // for somebody who is lost; a partner's key; absences; an answer to a comparison that nobody began.
        let next = world.core(0).game.turn().unwrap();
        let nonce = world.core(0).seats[&seat].nonce;
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut at: Vec<usize> = places.iter().map(|p| usize::from(*p)).collect();
        at.sort_unstable();
        let batch = shares::prove(&deal.keys, me, &own, share_purpose(), &deal.deck, &at, &mut rng)
            .unwrap();
        let batch = batch.to_bytes();
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        let recipient =
            trinka_crypto::keys::prove(&deal.plan.id, 4, &SecretKey::generate(&mut rng), &mut rng);
        let finished = world.core(0).finished;
        let first = &world.nodes[0].table.as_ref().unwrap().log()[0].entry;
        let first: Entry = trinka::wire::decode(first).unwrap();
        let mut tricks = Vec::new();
        for (nonce, number) in [
            (nonce, basis.deal),
            (nonce + 1, basis.deal),
            (nonce + 2, basis.deal),
            (nonce, basis.deal + 1),
            (nonce, basis.deal - 1),
        ] {
            tricks.push(Payload::Free { nonce, free: Free::Look { deal: number } });
        }
        let number = basis.deal;
        tricks.extend([
            Payload::Free { nonce, free: Free::Expose { deal: number, seat } },
            Payload::Free { nonce, free: Free::Return },
            Payload::Move { basis, action: trinka::rules::Action::Look },
            Payload::Shares {
                deal: number,
                round: 0,
                positions: sorted.clone(),
                batch: batch.clone(),
            },
            Payload::Recover { deal: number, lost: next, bytes: vec![] },
            Payload::Renew { deal: number, step: 1, bytes: vec![] },
            Payload::Recipient { deal: number, bytes: recipient.to_bytes() },
            Payload::Tens { basis, batch: batch.clone() },
            Payload::Unary { basis, bytes: vec![1; 64], shown: vec![] },
            Payload::Select { basis, bytes: vec![1; 64], shown: vec![] },
            Payload::Absent { step: StepId::Turn(basis), seat: next },
            Payload::Absent { step: StepId::Unheard { finished, returns: 0 }, seat: next },
            Payload::Status {
                seq: u64::MAX / 2,
                height: 1,
                state: first.before,
                deal: None,
                hears: vec![],
            },
        ]);
        let heights = world.core(0).height;
        for trick in tricks {
            say(&mut world, dark, trick);
            world.run_for(300);
            let Basis { deal, turn } = world.core(0).basis().unwrap();
            assert_eq!((deal, turn), (basis.deal, basis.turn), "nothing comes of it");
        }
        world.run_for(5_000);
        for i in &all {
            assert!(world.core(*i).game.is_dark(seat));
            assert_eq!(world.presence(*i, seat.0), Presence::Here, "refused, and no more");
            assert!(nobody_gave(&world, *i), "node {i} holds a share of a dark card");
        }
        assert!(world.core(0).playing().unwrap().sights.keys().all(|p| !places.contains(p)));
        assert!(world.nodes[dark].table.as_ref().unwrap().cards().is_none());
        // It was helped where peers help: somebody sent it the log again.
        let log = world.nodes[dark].received.iter().any(|(_, bytes)| {
            matches!(trinka::wire::decode(bytes), Ok(TableWire::Entries { from: 1, .. }))
        });
        assert!(log, "its question for the log was answered");
        assert!(world.core(0).height >= heights);

        let others: Vec<u8> = (0..4).filter(|i| *i != me).collect();
        let helper = |world: &World, index: u8, place: usize, rng: &mut ChaCha20Rng| {
            let node = usize::from(deal.plan.seat_at(index).unwrap().0);
            let key = secret(world, node, number);
            let (keys, deck, places) = (&deal.keys, &deal.deck, [place]);
            let batch =
                shares::prove(keys, index, &key, share_purpose(), deck, &places, rng).unwrap();
            let purpose = share_purpose();
            let batch = shares::verify(keys, index, purpose, deck, &places, batch).unwrap();
            batch.share(place).unwrap()
        };
        let everything = heard(&world, dark);
        let mut held = holding(&world, dark, deal.clone(), &everything);
        for place in places.map(usize::from) {
            let count = held.shares.keys().filter(|(_, p)| *p == place).count();
            assert_eq!(count, 0);
            assert!(!shows(&held, me, place));
            assert!(matches!(
                opening::peel(&deal.keys, &deal.deck, place, &[], me, &held.secret),
                Err(OpenError::Missing { .. })
            ));
            // One who helps it against the rules is not enough.
            held.shares.insert((others[0], place), helper(&world, others[0], place, &mut rng));
            assert!(!shows(&held, me, place));
        }

        // The circle is closed, and the very same look is legal.
        for _ in 0..3 {
            let turn = world.core(0).game.turn().unwrap();
            assert_ne!(turn, seat);
            let price = world.core(0).game.price(turn).unwrap().pass;
            world.command(usize::from(turn.0), Command::Move(Move::Bet(price)));
            world.until("it has bet", LONG, |w| {
                w.alive().all(|i| {
                    let core = w.core(i);
                    core.game.turn() != Some(turn) && core.answers(core.game.turn().unwrap())
                })
            });
            assert!(nobody_gave(&world, dark));
        }
        let nonce = world.core(0).seats[&seat].nonce;
        say(&mut world, dark, Payload::Free { nonce, free: Free::Look { deal: number } });
        world.until("it has looked", LONG, |w| {
            w.nodes[dark].table.as_ref().unwrap().cards().is_some()
        });
        let cards = world.nodes[dark].table.as_ref().unwrap().cards().unwrap();
        let held = holding(&world, dark, deal.clone(), &heard(&world, dark));
        for (place, card) in places.map(usize::from).into_iter().zip(cards) {
            let given: Vec<_> =
                held.shares.iter().filter(|((_, p), _)| *p == place).map(|(_, s)| *s).collect();
            assert_eq!(given.len(), 3);
            let seen =
                opening::peel(&deal.keys, &deal.deck, place, &given, me, &held.secret).unwrap();
            let seen = Deal::card(world.core(0), u8::try_from(seen).unwrap());
            assert_eq!(seen, Some(card), "the same procedure reads it now");
        }
        world.check();
    }
}

/// What is said about a comparison: by which side, what, and how long.
type View = Vec<(&'static str, &'static str, usize)>;

/// A comparison as everybody saw it.
struct Seen {
    result: &'static str,
    view: View,
    /// The cards of caller and target, which are nobody else's business.
    hands: [[Card; 3]; 2],
}

fn kind(payload: &Payload) -> &'static str {
    match payload {
        Payload::Shares { .. } => "shares",
        Payload::Move { .. } => "move",
        Payload::Tens { .. } => "tens",
        Payload::Unary { .. } => "unary",
        Payload::Select { .. } => "select",
        Payload::Reveal { .. } => "reveal",
        Payload::Free { .. } => "free",
        _ => "other",
    }
}

fn role((caller, target): (Seat, Seat), seat: Seat) -> &'static str {
    match seat {
        _ if seat == caller => "caller",
        _ if seat == target => "target",
        _ => "onlooker",
    }
}

/// Always the same moves: compare as soon as it is legal, pay until then, divide what is tied.
fn same_moves(legal: &[LegalMove]) -> Option<Move> {
    let find = |kind: MoveKind| legal.iter().find(|m| m.kind == kind);
    if find(MoveKind::Compare).is_some() {
        return Some(Move::Compare);
    }
    if find(MoveKind::Split).is_some() {
        return Some(Move::Split);
    }
    find(MoveKind::Bet).map(|m| Move::Bet(m.min.unwrap()))
}

/// Plays hands of three with the same moves; how every comparison looked, all checked for what they hide.
fn comparisons(seed: u64, rules: &HouseRules, hands: u64) -> Vec<Seen> {
    let even = Weather { delay: (2, 2), loss_percent: 0, duplicate_percent: 0 };
    let mut world = World::with_rules(seed, rules.clone(), 3, hands, even);
    world.listen = true;
    world.nodes.iter_mut().for_each(|n| n.bot = false);
    let mut read = [0; 3];
    let (mut all, mut from) = (Vec::new(), None);
    while !world.finished(hands) {
        assert!(world.step());
        for (i, read) in read.iter_mut().enumerate() {
            while *read < world.nodes[i].events.len() {
                let event = world.nodes[i].events[*read].clone();
                *read += 1;
                match event {
                    Event::Turn { mine: true, legal, .. } => {
                        if let Some(step) = same_moves(&legal) {
                            world.command(i, Command::Move(step));
                        }
                    }
                    Event::Moved { kind: MoveKind::Compare, .. } if i == 0 => {
                        from = Some(world.nodes[0].table.as_ref().unwrap().log().len());
                    }
                    Event::Compared { caller, target, result } if i == 0 => {
                        let seen = compared(&world, from.take().unwrap(), (caller, target), result);
                        all.extend(seen);
                    }
                    // A redeal of three tens shows itself, and is another thing.
                    Event::Redeal { .. } if i == 0 => from = None,
                    _ => {}
                }
            }
        }
    }
    for node in &world.nodes {
        for bytes in node.transcripts.values() {
            let (Finding::Good(_), Some(course)) = replay(bytes, [4; 32]) else { panic!() };
            // Nothing but what is laid open: no card of a comparison that went to its end.
            let redeals = node.events.iter().any(|e| matches!(e, Event::Redeal { .. }));
            assert!(redeals || course.hands(false).iter().all(BTreeMap::is_empty));
        }
    }
    all
}

fn compared(
    world: &World,
    from: usize,
    (caller, target): (Seat, Seat),
    result: Outcome,
) -> Option<Seen> {
    let sides = (caller, target);
    let (core, log) = (world.core(0), world.nodes[0].table.as_ref().unwrap().log());
    // The entry with the move stands just before what follows it.
    let entries: Vec<Entry> =
        log[from - 1..].iter().map(|d| trinka::wire::decode(&d.entry).unwrap()).collect();
    let author = |m: &Signed| core.seat_of(&m.read(world.log_id()).unwrap().author).unwrap();
    let payload = |m: &Signed| m.read(world.log_id()).unwrap().payload;
    let mut view: View = Vec::new();
    let mut said = BTreeSet::new();
    for entry in &entries {
        let mut step: View = entry
            .messages
            .iter()
            .map(|m| (role(sides, author(m)), kind(&payload(m)), m.bytes.len()))
            .collect();
        step.sort_unstable();
        view.extend(step);
        said.extend(entry.messages.iter().map(Signed::id));
    }
    assert_eq!((view[0].0, view[0].1), ("caller", "move"));
    assert_eq!(view.last().map(|v| v.1), Some("reveal"));
    // The onlooker's wire brought the same, and nothing else that the sides signed for it.
    let onlooker = core.game.participants().into_iter().find(|s| *s != caller && *s != target)?;
    let me = usize::from(onlooker.0);
    let mut wire: View = Vec::new();
    let mut seen = BTreeSet::new();
    for (_, bytes) in &world.nodes[me].received {
        let Ok(TableWire::Messages(list)) = trinka::wire::decode(bytes) else { continue };
        for m in list.iter().filter(|m| said.contains(&m.id())) {
            if seen.insert(m.id()) {
                wire.push((role(sides, author(m)), kind(&payload(m)), m.bytes.len()));
            }
        }
    }
    wire.sort_unstable();
    view.extend(wire);
    let hands =
        [caller, target].map(|s| world.nodes[usize::from(s.0)].table.as_ref().unwrap().cards());
    // What the onlooker holds opens neither hand; where nothing is shown, a side sees no more than it.
    let basis = core.basis()?;
    let deal = world.nodes[0].table.as_ref().unwrap().state().deal().cloned()?;
    if deal.plan.number != basis.deal {
        return None;
    }
    let sealed = core.terms.rules.reveal == trinka::rules::Reveal::Sealed;
    let mut pairs = vec![(onlooker, caller), (onlooker, target)];
    if sealed {
        pairs.extend([(caller, target), (target, caller)]);
    }
    for (viewer, holder) in pairs {
        let i = usize::from(viewer.0);
        let held = holding(world, i, deal.clone(), &heard(world, i));
        let index = deal.plan.index_of(viewer).unwrap();
        for place in core.playing()?.hands[&holder].map(usize::from) {
            assert!(!shows(&held, index, place), "seat {viewer} sees a card of seat {holder}");
        }
        let (cards, told) = (hands[usize::from(holder != caller)]?, &world.nodes[i].events);
        let shown = |e: &&Event| cards_in(e).iter().any(|c| cards.contains(c));
        let of_deal: Vec<&Event> =
            told.iter().rev().take_while(|e| !matches!(e, Event::Dealt { .. })).collect();
        // Who compared with the holder before, in this deal, has seen its hand then.
        let before = of_deal.iter().any(|e| {
            matches!(e, Event::Compared { caller, target, .. }
                if [*caller, *target] == [viewer, holder] || [*caller, *target] == [holder, viewer])
        });
        let seen_before = before && !sealed;
        assert!(seen_before || !of_deal.iter().any(shown), "seat {viewer} is shown a hand");
    }
    let result = match result {
        Outcome::Caller => "caller",
        Outcome::Target => "target",
        Outcome::Tie => "tie",
    };
    Some(Seen { result, view, hands: [hands[0]?, hands[1]?] })
}

#[test]
fn all_comparisons_with_one_result_look_alike() {
    let plain = |preset: Preset| {
        let mut rules = HouseRules::preset(preset);
        for (switch, value) in
            [("exposed_card", "off"), ("dark", "off"), ("first_dealer", "random")]
        {
            rules.set(switch, value).unwrap();
        }
        rules.validate().unwrap();
        rules
    };
    let presets =
        [("sealed", plain(Preset::TrinkaOnline)), ("neighbours", plain(Preset::TrinkaClassic))];
    for (name, rules) in presets {
        let mut groups: BTreeMap<&str, Vec<Seen>> = BTreeMap::new();
        for seed in 4_400..4_403 {
            for seen in comparisons(seed, &rules, 8) {
                groups.entry(seen.result).or_default().push(seen);
            }
        }
        for result in ["caller", "target"] {
            let group = &groups[result];
            let hands: BTreeSet<_> = group.iter().map(|seen| seen.hands).collect();
            assert!(hands.len() > 3, "{name}: few comparisons end with {result}");
        }
        for (result, group) in &groups {
            for seen in group {
                assert_eq!(seen.view, group[0].view, "{name}, {result}: {:?}", seen.hands);
            }
        }
        // Even the result itself is nothing but random values until it is opened.
        let first: Vec<&View> = groups.values().map(|group| &group[0].view).collect();
        assert!(first.windows(2).all(|pair| pair[0] == pair[1]), "{name}: {first:?}");
    }
}
