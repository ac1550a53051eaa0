//! Things made up.

use ed25519_dalek::hazmat::{self, ExpandedSecretKey};
use rand::RngExt;
use rand_chacha::ChaCha20Rng;
use trinka::identity::Sig;
use trinka::rules::{Action, Seat};
use trinka::table::TableWire;
use trinka::table::agreement::{Certificate, SignatureBytes, Vote, VoteKind, Voter, value_id};
use trinka::table::message::{Body, Decided, Entry, Free, Payload, Proof, Signed};
use trinka::wire;

use super::Ctx;

/// The same bytes, but not quite.
pub fn damaged(bytes: &[u8], rng: &mut ChaCha20Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match rng.random_range(0..4) {
        0 => (0..rng.random_range(0..300)).map(|_| rng.random()).collect(),
        1 => {
            bytes.truncate(rng.random_range(0..bytes.len().max(1)));
            bytes
        }
        2 => {
            bytes.extend((0..rng.random_range(1..40)).map(|_| rng.random::<u8>()));
            bytes
        }
        _ => {
            if !bytes.is_empty() {
                let at = rng.random_range(0..bytes.len());
                bytes[at] ^= 1 << rng.random_range(0..8);
            }
            bytes
        }
    }
}

pub fn other_move(ctx: &Ctx<'_>, payload: &Payload, rng: &mut ChaCha20Rng) -> Option<Signed> {
    let Payload::Move { basis, action } = payload else { return None };
    let game = &ctx.table.state().core().game;
    let me = ctx.seat()?;
    let other = match action {
        Action::Fold => Action::Bet(game.price(me).map_or(1, |p| p.pass).max(1)),
        _ if rng.random_bool(0.5) => Action::Fold,
        _ => Action::Compare,
    };
    ctx.sign(Payload::Move { basis: *basis, action: other })
}

pub fn false_status(payload: &Payload, rng: &mut ChaCha20Rng) -> Payload {
    let mut p = payload.clone();
    if let Payload::Status { height, state, deal, hears, seq } = &mut p {
        match rng.random_range(0..6) {
            0 => *height = u64::MAX,
            1 => *height = 0,
            2 => state[0] ^= 1,
            3 => *hears = (0..60).map(Seat).collect(),
            4 => hears.clear(),
            _ => {
                if let Some(deal) = deal {
                    deal.keys.clear();
                    deal.shuffles = if rng.random_bool(0.5) { 0 } else { 255 };
                    deal.cut = !deal.cut;
                    deal.finals = (0..60).map(Seat).collect();
                }
            }
        }
        if rng.random_ratio(1, 20) {
            *seq = u64::MAX;
        }
    }
    p
}

/// A message in another's name, with the liar's own signature under it.
pub fn in_anothers_name(ctx: &Ctx<'_>, rng: &mut ChaCha20Rng) -> Option<Signed> {
    let core = ctx.table.state().core();
    let victims: Vec<_> =
        core.voters().into_iter().filter(|(s, _)| Some(*s) != ctx.seat()).collect();
    let (seat, author) = *victims.get(rng.random_range(0..victims.len().max(1)))?;
    let nonce = core.seats.get(&seat)?.nonce;
    let payload = match (core.basis(), rng.random_range(0..3)) {
        (Some(basis), 0 | 1) => Payload::Move { basis, action: Action::Fold },
        _ => Payload::Free { nonce, free: Free::Leave },
    };
    let signature = ctx.sign(payload.clone())?.signature;
    let bytes = wire::encode(&Body { log: ctx.log, author, payload }).ok()?;
    Some(Signed { bytes, signature })
}

/// Evidence against somebody who did nothing.
pub fn false_evidence(ctx: &Ctx<'_>, old: &[Signed], rng: &mut ChaCha20Rng) -> Option<Signed> {
    let core = ctx.table.state().core();
    let nonce = core.seats.get(&ctx.seat()?)?.nonce;
    let victim = core.voters().into_iter().find(|(s, _)| Some(*s) != ctx.seat())?.1;
    let key = |bytes: Vec<u8>| Payload::Key { deal: [1; 32], bytes };
    let forged = |n: u8| {
        let payload = key(vec![n]);
        let signature = ctx.sign(payload.clone())?.signature;
        let bytes = wire::encode(&Body { log: ctx.log, author: victim, payload }).ok()?;
        Some(Signed { bytes, signature })
    };
    let (first, second) = match rng.random_range(0..3) {
        0 => (forged(1)?, forged(2)?),
        1 if old.len() >= 2 => {
            let at = rng.random_range(0..old.len() - 1);
            (old[at].clone(), old[at + 1].clone())
        }
        _ => {
            let one = old.first()?.clone();
            (one.clone(), one)
        }
    };
    let proof = Proof::TwoDealMessages { first, second };
    ctx.sign(Payload::Free { nonce, free: Free::Evidence(Box::new(proof)) })
}

/// An entry that nobody decided, with a certificate that does not hold.
pub fn forged_entry(ctx: &Ctx<'_>, rng: &mut ChaCha20Rng) -> Option<Vec<u8>> {
    let state = ctx.table.state();
    let core = state.core();
    let (me, height) = (ctx.seat()?, core.height);
    let nonce = core.seats.get(&me)?.nonce;
    let message = ctx.sign(Payload::Free { nonce, free: Free::Leave })?;
    let before = state.hash();
    let entry = Entry { height, composer: me, before, messages: vec![message] };
    let entry = wire::encode(&entry).ok()?;
    let id = value_id(&entry);
    let own =
        Vote { height, round: 0, kind: VoteKind::Precommit, value: Some(id), voter: Voter(me.0) };
    let own = ctx.vote(own).signature;
    let quorum = trinka::table::agreement::quorum(core.electorate.len());
    let mut certificate = match ctx.table.log().last() {
        // That of the entry before, with another name on it.
        Some(last) if rng.random_bool(0.3) => last.certificate.clone(),
        _ => Certificate { height, round: 0, value_id: id, signatures: Vec::new() },
    };
    certificate.height = height;
    certificate.value_id = id;
    if certificate.signatures.is_empty() {
        certificate.signatures = match rng.random_range(0..3) {
            0 => vec![(Voter(me.0), own)],
            1 => vec![(Voter(me.0), own); quorum],
            _ => core
                .electorate
                .iter()
                .map(|s| {
                    let junk = SignatureBytes([s.0; 64]);
                    (Voter(s.0), if *s == me { own } else { junk })
                })
                .collect(),
        };
    }
    let decided = Decided { entry, certificate, deal: Vec::new() };
    wire::encode(&TableWire::Entries { from: height, entries: vec![decided] }).ok()
}

/// The same words with another signature: whoever has the key can make as many as it likes.
pub fn signed_again(ctx: &Ctx<'_>, message: &Signed, rng: &mut ChaCha20Rng) -> Option<Signed> {
    let mut key = ExpandedSecretKey::from(&*ctx.id.seed());
    rng.fill(&mut key.hash_prefix);
    let digest = wire::hash("trinka/1 table message", &[&ctx.log.0, &message.bytes]);
    let verifying = ctx.id.signing_key().verifying_key();
    let signature = hazmat::raw_sign::<sha2::Sha512>(&key, &digest, &verifying);
    let signed =
        Signed { bytes: message.bytes.clone(), signature: Sig::new(&signature.to_bytes()) };
    signed.open(ctx.log).is_ok().then_some(signed)
}
