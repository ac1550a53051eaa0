//! Everything that is measured, once for time and once for instructions.

mod hands;

use std::{fmt, rc::Rc};

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use trinka_crypto::{
    DealId, DealKeys, Deck, EscrowMessage, KeyMessage, Params, PublicKey, Purpose, Reason,
    Recipient, SecretKey, ShareBatch, Showing, ShuffleProof, Verified,
    deck::mask_all,
    escrow::{self, Escrowed, Holding},
    keys, opening, shares, showing, shuffle,
    whole::{self, Given, Messages},
};

const ID: DealId = DealId([7; 32]);
/// Cards to each player.
const HAND: usize = 3;

/// What is done.
#[derive(Clone, Copy)]
pub enum Work {
    MaskAlone,
    ShuffleProve,
    ShuffleProvePrepared,
    ShuffleVerifyOne,
    ShuffleVerifyTen,
    SharesProve,
    SharesVerify,
    KeyProve,
    KeyVerify,
    ShowingProve,
    ShowingVerify,
    ShowingRead,
    EscrowProve,
    EscrowVerifyOne,
    EscrowVerifyAll,
    EscrowOpen,
    DealOwnPart,
    DealVerifyWhole,
    CallOffline,
    CallOnline,
    CallOnlineUnexpected,
    CallVerify,
    SelectionOffline,
    SelectionOnline,
    SelectionVerify,
    SealedCaller,
    SealedOther,
    SealedOnlooker,
    HandTable,
}

/// What is done with hands of three cards.
const HANDS: [Work; 11] = [
    Work::CallOffline,
    Work::CallOnline,
    Work::CallOnlineUnexpected,
    Work::CallVerify,
    Work::SelectionOffline,
    Work::SelectionOnline,
    Work::SelectionVerify,
    Work::SealedCaller,
    Work::SealedOther,
    Work::SealedOnlooker,
    Work::HandTable,
];

/// One row of the table: the work, a deck, and a number of players.
#[derive(Clone, Copy)]
pub struct Row {
    pub work: Work,
    pub n: usize,
    pub players: u8,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let work = match self.work {
            Work::MaskAlone => "mask the deck, no proof",
            Work::ShuffleProve => "shuffle: prove",
            Work::ShuffleProvePrepared => "shuffle: prove prepared",
            Work::ShuffleVerifyOne => "shuffle: verify one",
            Work::ShuffleVerifyTen => "shuffle: verify ten at once",
            Work::SharesProve => "shares of all cards: prove",
            Work::SharesVerify => "shares of all cards: verify",
            Work::KeyProve => "key: prove",
            Work::KeyVerify => "key: verify",
            Work::ShowingProve => "showing: prove",
            Work::ShowingVerify => "showing: verify",
            Work::ShowingRead => "showing: read a card",
            Work::EscrowProve => "escrow: prove",
            Work::EscrowVerifyOne => "escrow: verify one",
            Work::EscrowVerifyAll => "escrow: verify all at once",
            Work::EscrowOpen => "escrow: open a hand",
            Work::DealOwnPart => "whole deal: own part",
            Work::DealVerifyWhole => "whole deal: verify",
            Work::CallOffline => "U: offline",
            Work::CallOnline => "U: online, expected",
            Work::CallOnlineUnexpected => "U: online, not expected",
            Work::CallVerify => "U: verify",
            Work::SelectionOffline => "Sel: offline",
            Work::SelectionOnline => "Sel: online",
            Work::SelectionVerify => "Sel: verify",
            Work::SealedCaller => "comparison: the caller",
            Work::SealedOther => "comparison: the other",
            Work::SealedOnlooker => "comparison: a third party",
            Work::HandTable => "the table of hands",
        };
        write!(f, "{work:<28} n={:<3} players={}", self.n, self.players)
    }
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |work, n, players| rows.push(Row { work, n, players });
    for n in [24, 36, 52, 300] {
        add(Work::MaskAlone, n, 2);
        add(Work::ShuffleProve, n, 2);
        add(Work::ShuffleProvePrepared, n, 2);
        add(Work::ShuffleVerifyOne, n, 2);
        add(Work::ShuffleVerifyTen, n, 10);
        add(Work::SharesProve, n, 2);
        add(Work::SharesVerify, n, 2);
    }
    for work in [Work::KeyProve, Work::KeyVerify] {
        add(work, 36, 2);
    }
    for work in [Work::ShowingProve, Work::ShowingVerify, Work::ShowingRead] {
        add(work, 36, 3);
    }
    for players in 3..=10 {
        add(Work::EscrowProve, 36, players);
        add(Work::EscrowVerifyOne, 36, players);
        add(Work::EscrowVerifyAll, 36, players);
        add(Work::EscrowOpen, 36, players);
    }
    for n in [24, 36, 52] {
        for players in (2..=10).filter(|&players| usize::from(players) * HAND <= n) {
            add(Work::DealOwnPart, n, players);
            add(Work::DealVerifyWhole, n, players);
        }
    }
    add(Work::DealOwnPart, 300, 10);
    add(Work::DealVerifyWhole, 300, 10);
    for n in [24, 36] {
        for work in HANDS {
            add(work, n, 3);
        }
    }
    rows
}

/// Makes one input after the other; what it returns does the work, and only that is measured.
pub type Case = Box<dyn Fn() -> Box<dyn FnOnce()>>;

struct Deal {
    keys: DealKeys,
    verified: Vec<Verified<PublicKey>>,
    secrets: Vec<SecretKey>,
    /// All keys, encoded.
    messages: Vec<Vec<u8>>,
    first: Verified<Deck>,
    /// Decks and proofs, encoded.
    shuffles: Vec<(Vec<u8>, Vec<u8>)>,
    last: Verified<Deck>,
}

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

fn deal(n: usize, players: u8) -> Deal {
    let mut rng = rng(n as u64);
    let (mut secrets, mut messages, mut verified) = (Vec::new(), Vec::new(), Vec::new());
    for player in 0..players {
        let (secret, message) = keys::generate(&ID, player, &mut rng);
        messages.push(message.to_bytes());
        secrets.push(secret);
        verified.push(keys::verify(&ID, player, &message).unwrap());
    }
    let keys = DealKeys::new(ID, Params::new(n).unwrap(), verified.clone()).unwrap();
    let first = Deck::first(&keys);
    let mut last = first.clone();
    let mut shuffles = Vec::new();
    for player in 0..players {
        let secret = &secrets[usize::from(player)];
        let (next, proof) = shuffle::shuffle(&keys, player, secret, 0, &last, &mut rng).unwrap();
        shuffles.push((next.to_bytes(), proof.to_bytes()));
        last = shuffle::verify(&keys, player, 0, &last, next, &proof, &mut rng).unwrap();
    }
    Deal { keys, verified, secrets, messages, first, shuffles, last }
}

impl Deal {
    fn n(&self) -> usize {
        self.keys.params().n()
    }

    fn seats(&self) -> impl Iterator<Item = u8> {
        0..self.secrets.len() as u8
    }

    fn step(&self, player: u8) -> shuffle::Step {
        let (deck, proof) = &self.shuffles[usize::from(player)];
        shuffle::Step {
            participant: player,
            step: 0,
            deck: Deck::from_bytes(deck, self.n()).unwrap(),
            proof: ShuffleProof::from_bytes(proof, self.n()).unwrap(),
        }
    }

    fn shares(&self, player: u8, purpose: Purpose, positions: &[usize]) -> ShareBatch {
        let secret = &self.secrets[usize::from(player)];
        shares::prove(&self.keys, player, secret, purpose, &self.last, positions, &mut rng(1))
            .unwrap()
    }

    fn holdings(&self, player: u8) -> Vec<Holding> {
        let others = self.seats().filter(|&holder| holder != player);
        others.map(|holder| Holding { holder, positions: hand(holder) }).collect()
    }

    fn escrow(&self, player: u8) -> EscrowMessage {
        let (secret, holdings) = (&self.secrets[usize::from(player)], self.holdings(player));
        escrow::prove(&self.keys, player, secret, &self.last, &holdings, &[], 0, &mut rng(2))
            .unwrap()
    }

    fn escrowed(&self, player: u8, bytes: &[u8]) -> Escrowed {
        let holdings = self.holdings(player);
        let holders = holdings.len();
        Escrowed {
            participant: player,
            holdings,
            lost: Vec::new(),
            step: 0,
            message: EscrowMessage::from_bytes(bytes, HAND * holders, holders).unwrap(),
        }
    }

    fn escrows(&self) -> Vec<Vec<u8>> {
        self.seats().map(|player| self.escrow(player).to_bytes()).collect()
    }

    /// One batch of shares of everybody else's cards: they are public, and each stays closed by its
    /// owner's layer.
    fn looks(&self, player: u8) -> Given {
        let purpose = Purpose { recipient: Recipient::Everyone, reason: Reason::Look, step: 0 };
        let positions: Vec<usize> =
            self.seats().filter(|&owner| owner != player).flat_map(hand).collect();
        let batch = self.shares(player, purpose, &positions);
        Given { participant: player, purpose, positions, batch }
    }

    fn cards(&self, owner: u8) -> Vec<Verified<trinka_crypto::OwnCard>> {
        let positions = hand(owner);
        let batches: Vec<_> = self
            .seats()
            .filter(|&giver| giver != owner)
            .map(|giver| {
                let purpose = Purpose::look(owner, 0);
                let batch = self.shares(giver, purpose, &positions);
                shares::verify(&self.keys, giver, purpose, &self.last, &positions, batch).unwrap()
            })
            .collect();
        let own = |&position: &usize| {
            let others: Vec<_> = batches.iter().filter_map(|b| b.share(position)).collect();
            opening::own(&self.keys, &self.last, position, &others, owner).unwrap()
        };
        positions.iter().map(own).collect()
    }
}

fn hand(player: u8) -> Vec<usize> {
    (0..HAND).map(|card| usize::from(player) * HAND + card).collect()
}

/// A case of which every input is the same.
fn same<R>(run: impl Fn() -> R + 'static) -> Case {
    let run = Rc::new(run);
    Box::new(move || {
        let run = Rc::clone(&run);
        Box::new(move || {
            std::hint::black_box(run());
        })
    })
}

/// A case of which each input is made before.
fn fresh<I: 'static, R>(make: impl Fn() -> I + 'static, run: impl Fn(I) -> R + 'static) -> Case {
    let run = Rc::new(run);
    Box::new(move || {
        let (run, input) = (Rc::clone(&run), make());
        Box::new(move || {
            std::hint::black_box(run(input));
        })
    })
}

/// Prepares a row. Wire decoding is part of every verification.
pub fn case(row: Row) -> Case {
    let Row { work, n, players } = row;
    let deal = deal(n, players);
    let all: Vec<usize> = (0..n).collect();
    match work {
        Work::MaskAlone => same(move || mask_all(&deal.keys, &deal.last, &mut rng(1))),
        Work::ShuffleProve => {
            let secret = deal.secrets[0].clone();
            same(move || {
                shuffle::shuffle(&deal.keys, 0, &secret, 1, &deal.last, &mut rng(1)).unwrap()
            })
        }
        Work::ShuffleProvePrepared => {
            let (keys, last) = (deal.keys.clone(), deal.last);
            fresh(
                move || shuffle::prepare(&deal.keys, 0, &deal.secrets[0], &mut rng(1)).unwrap(),
                move |prepared| shuffle::shuffle_prepared(&keys, 0, 1, &last, prepared).unwrap(),
            )
        }
        // not the first, which is cheaper
        Work::ShuffleVerifyOne => {
            let (keys, shuffle::Step { deck, proof, .. }) = (&deal.keys, deal.step(0));
            let before =
                shuffle::verify(keys, 0, 0, &deal.first, deck, &proof, &mut rng(1)).unwrap();
            same(move || {
                let shuffle::Step { deck, proof, .. } = deal.step(1);
                shuffle::verify(&deal.keys, 1, 0, &before, deck, &proof, &mut rng(1)).unwrap()
            })
        }
        Work::ShuffleVerifyTen => same(move || {
            let steps = deal.seats().map(|player| deal.step(player)).collect();
            shuffle::verify_all(&deal.keys, &deal.first, steps, &mut rng(1)).unwrap()
        }),
        Work::SharesProve => same(move || deal.shares(0, Purpose::open(0), &all)),
        Work::SharesVerify => {
            let bytes = deal.shares(0, Purpose::open(0), &all).to_bytes();
            same(move || {
                let batch = ShareBatch::from_bytes(&bytes, n).unwrap();
                shares::verify(&deal.keys, 0, Purpose::open(0), &deal.last, &all, batch).unwrap()
            })
        }
        Work::KeyProve => same(move || keys::generate(&ID, 0, &mut rng(1))),
        Work::KeyVerify => same(move || {
            let message = KeyMessage::from_bytes(&deal.messages[0]).unwrap();
            keys::verify(&ID, 0, &message).unwrap()
        }),
        Work::ShowingProve | Work::ShowingVerify | Work::ShowingRead => showing_case(deal, work),
        Work::EscrowProve => same(move || deal.escrow(0)),
        Work::EscrowVerifyOne => {
            let bytes = deal.escrow(0).to_bytes();
            same(move || {
                let Escrowed { holdings, message, .. } = deal.escrowed(0, &bytes);
                let (keys, deck) = (&deal.keys, &deal.last);
                escrow::verify(keys, 0, deck, &holdings, &[], 0, message, &mut rng(1)).unwrap()
            })
        }
        Work::EscrowVerifyAll => {
            let bytes = deal.escrows();
            same(move || {
                let escrows = deal.seats().zip(&bytes).map(|(p, b)| deal.escrowed(p, b)).collect();
                escrow::verify_all(&deal.keys, &deal.last, escrows, &mut rng(1)).unwrap()
            })
        }
        Work::EscrowOpen => escrow_open_case(deal),
        Work::DealOwnPart => same(move || {
            let key = keys::generate(&ID, 0, &mut rng(1));
            // made anew in every deal, and with it what makes masking fast
            let params = deal.keys.params().clone();
            let keys = DealKeys::new(ID, params, deal.verified.clone()).unwrap();
            let secret = &deal.secrets[0];
            let shuffled = shuffle::shuffle(&keys, 0, secret, 1, &deal.last, &mut rng(1)).unwrap();
            let looks = deal.looks(0);
            let escrow = (deal.secrets.len() > 2).then(|| deal.escrow(0));
            (key, shuffled, looks, escrow)
        }),
        Work::DealVerifyWhole => whole_case(deal),
        _ => hands::case(deal, work),
    }
}

fn showing_case(deal: Deal, work: Work) -> Case {
    let cards = deal.cards(0);
    let recipient = [deal.keys.verified_key(1).unwrap()];
    let (keys, secret) = (deal.keys.clone(), deal.secrets[0].clone());
    let prove = {
        let (keys, cards) = (keys.clone(), cards.clone());
        move || showing::prove(&keys, 0, &secret, &cards, &recipient, 0, &mut rng(1)).unwrap()
    };
    let bytes = prove().to_bytes();
    let other = keys.clone();
    let verify = move || {
        let showing = Showing::from_bytes(&bytes, HAND, 1).unwrap();
        showing::verify(&other, 0, &cards, &recipient, 0, showing, &mut rng(1)).unwrap()
    };
    match work {
        Work::ShowingProve => same(prove),
        Work::ShowingVerify => same(verify),
        _ => {
            let (showing, secret) = (verify(), deal.secrets[1].clone());
            same(move || showing::read(&keys, &showing, 0, 1, &secret).unwrap())
        }
    }
}

/// A trustee's part when a player is lost: its own shares of one hand, those of the others, and to open.
fn escrow_open_case(deal: Deal) -> Case {
    let lost = deal.escrowed(0, &deal.escrow(0).to_bytes());
    let (keys, last) = (deal.keys.clone(), deal.last.clone());
    let escrow =
        escrow::verify(&keys, 0, &last, &lost.holdings, &[], 0, lost.message, &mut rng(1)).unwrap();
    let positions = hand(1);
    let given: Vec<(u8, Vec<u8>)> = deal
        .seats()
        .skip(2)
        .map(|trustee| {
            let secret = &deal.secrets[usize::from(trustee)];
            let batch =
                escrow::give(&keys, trustee, secret, &escrow, &positions, &mut rng(1)).unwrap();
            (trustee, batch.to_bytes())
        })
        .collect();
    same(move || {
        let secret = &deal.secrets[2];
        let own = escrow::give(&keys, 2, secret, &escrow, &positions, &mut rng(1)).unwrap();
        let batches: Vec<_> = given
            .iter()
            .map(|(trustee, bytes)| {
                let batch = ShareBatch::from_bytes(bytes, HAND).unwrap();
                escrow::take(&keys, *trustee, &escrow, &positions, batch).unwrap()
            })
            .collect();
        for &position in &positions {
            let shares: Vec<_> = batches.iter().filter_map(|b| b.share(position)).collect();
            std::hint::black_box(escrow::open(&keys, &escrow, position, &shares).unwrap());
        }
        own
    })
}

fn whole_case(deal: Deal) -> Case {
    let looks: Vec<_> = deal
        .seats()
        .map(|player| {
            let given = deal.looks(player);
            (given.batch.to_bytes(), given)
        })
        .collect();
    let escrows = if deal.secrets.len() > 2 { deal.escrows() } else { Vec::new() };
    same(move || {
        let shares = looks
            .iter()
            .map(|(bytes, given)| {
                let batch = ShareBatch::from_bytes(bytes, given.positions.len()).unwrap();
                Given { batch, ..given.clone() }
            })
            .collect();
        let own = deal.messages.iter().map(|bytes| KeyMessage::from_bytes(bytes).unwrap());
        let messages = Messages {
            deal: ID,
            params: deal.keys.params().clone(),
            keys: own.collect(),
            shuffles: deal.seats().map(|player| deal.step(player)).collect(),
            cut: None,
            shares,
            escrows: deal.seats().zip(&escrows).map(|(p, bytes)| deal.escrowed(p, bytes)).collect(),
        };
        whole::verify(messages, &mut rng(1)).unwrap()
    })
}
