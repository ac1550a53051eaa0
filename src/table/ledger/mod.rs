//! The state that the log makes: a pure function of its entries.
//!
//! [`Core`] is all that is hashed; [`State`] adds what can be derived again from the messages (decks,
//! shares). Nothing here knows a clock, a socket or a secret.

mod apply;
mod cards;
mod checks;
mod compare;
mod deal;
mod deal_fault;
mod escrow;
mod follow;
mod hand;
mod known;
mod offers;
mod owed;
mod pools;
mod refusal;
mod seats;
mod shares;
mod standing;
mod telling;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ed25519_dalek::VerifyingKey;
use serde::{Deserialize, Serialize};

pub use self::apply::Applied;
pub use self::cards::{Escrowed, Playing, Proposal, Recovery, Renewal, Sealed, Sight};
pub(in crate::table) use self::checks::Checked;
pub use self::checks::{Checks, Shared};
pub use self::compare::{Sides, are_tens, sealed_step};
pub use self::deal::{Deal, DealError, DealPlan, DealUse};
pub use self::deal_fault::guilty;
pub use self::escrow::{VerifiedEscrow, by_index, holdings};
pub use self::known::Known;
pub use self::owed::Owed;
pub use self::refusal::{EntryError, Refusal};
pub use self::shares::share_purpose;

use crate::identity::PublicKey;
use crate::rules::{Game, HouseRules, RulesError, Seat};
use crate::table::agreement::Voter;
use crate::table::founding::{Founded, Founding, FoundingError, Player, Terms};
use crate::table::message::{Basis, Hash, LogId, TableId};
use crate::wire;

/// Whether a seat takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Plays.
    Here,
    /// Is there, but does not want to be dealt in.
    SittingOut,
    /// Was lost; its chips and its seat are kept.
    Away,
    /// Left with its stack.
    Left,
    /// Cheated; its stack is frozen.
    Frozen,
}

impl Presence {
    /// Whether its program is at the table, dealt in or not.
    #[must_use]
    pub const fn is_here(self) -> bool {
        matches!(self, Self::Here | Self::SittingOut)
    }
}

/// What the table knows of a seat beside its chips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatState {
    /// Key, name and addresses.
    pub player: Player,
    /// Whether it takes part.
    pub presence: Presence,
    /// The nonce that its next free message must have; it goes on where the key had a seat before.
    pub nonce: u64,
    /// Machine steps missed in the evening.
    pub losses: u32,
    /// Human turns missed running.
    pub missed: u32,
    /// It was lost because its player did not act: its program does not bring it back by itself.
    pub idle: bool,
    /// How often it came back.
    pub returns: u32,
    /// Leaves when the hand is over.
    pub leaving: bool,
    /// Comes back when the hand is over.
    pub returning: bool,
    /// Hands finished when it sat down or came back, one that was open then included.
    pub since: u64,
    /// Voting seats that accepted its key; of a frozen seat those who forgive it.
    pub accepted_by: BTreeSet<Seat>,
    /// Hands finished at its last rebuy, plus one; 0 for never.
    pub rebought: u64,
    /// Uses of the time bank left.
    pub time_bank: u32,
    /// The height and the number of deals when it was last forgiven: what it did before is settled.
    pub forgiven: Option<(u64, u64)>,
}

/// Where the table is between two entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Between hands.
    Idle,
    /// A hand was proposed; these were asked.
    Starting {
        /// The hand's number.
        hand: u64,
        /// Who deals.
        dealer: Seat,
        /// Who is asked, clockwise from the dealer's left.
        participants: Vec<Seat>,
        /// Who is ready.
        ready: BTreeSet<Seat>,
    },
    /// Keys, shuffles and cut are made, outside the log.
    Dealing {
        /// The hand's number.
        hand: u64,
        /// The deal's number.
        deal: u64,
        /// Participants clockwise from the dealer's left.
        order: Vec<Seat>,
        /// What the cards are for.
        purpose: DealUse,
        /// Whose first card the dealer wants turned up, in that order.
        exposing: Vec<Seat>,
    },
    /// Cards are dealt, or antes are asked for.
    Playing {
        /// The hand's number.
        hand: u64,
        /// The cards.
        cards: Box<Playing>,
    },
    /// The agreed number of hands is played.
    Over,
}

/// Everything that is hashed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Core {
    /// The table.
    pub table: TableId,
    /// The log.
    pub log: LogId,
    /// What was agreed on.
    pub terms: Terms,
    /// The height of the next entry.
    pub height: u64,
    /// Who composed the last entry.
    pub composer: Seat,
    /// Who votes on the next entry.
    pub electorate: BTreeSet<Seat>,
    /// The seats.
    pub seats: BTreeMap<Seat, SeatState>,
    /// Stacks, bank and the course of the hand.
    pub game: Game,
    /// The number of the last hand proposed.
    pub hands: u64,
    /// Hands played to their end.
    pub finished: u64,
    /// The number of the last deal.
    pub deals: u64,
    /// Who has said that it plays the hand that is being prepared.
    pub line_up: Vec<Seat>,
    /// Proposals that wait for answers.
    pub proposals: Vec<Proposal>,
    /// How many proposals there have been in the evening.
    pub proposed: u64,
    /// How many each has made since the last change of hands or phases.
    pub budget: BTreeMap<Seat, u8>,
    /// Where the table is.
    pub stage: Stage,
}

/// The state before the next entry.
#[derive(Clone, Debug)]
pub struct State {
    core: Core,
    hash: Hash,
    known: Known,
}

impl State {
    /// The state after the founding entry, whose signatures are checked.
    ///
    /// # Errors
    /// [`FoundingError`].
    pub fn found(founded: &Founded) -> Result<Self, FoundingError> {
        let founding = founded.verify()?;
        let log = founded.log_id();
        let stacks: Vec<_> = founding.seats().map(|(s, _)| (s, founding.terms.buy_in)).collect();
        let game = Game::new(founding.terms.rules.clone(), &stacks)
            .map_err(|e| FoundingError::Rules(e.to_string()))?;
        let seats: BTreeMap<Seat, SeatState> =
            founding.seats().map(|(seat, p)| (seat, SeatState::new(p.clone(), 0, 0))).collect();
        let Founding { table, terms, .. } = founding;
        let core = Core {
            table,
            log,
            terms,
            height: 1,
            composer: Seat(0),
            electorate: seats.keys().copied().collect(),
            seats,
            game,
            hands: 0,
            finished: 0,
            deals: 0,
            line_up: Vec::new(),
            proposals: Vec::new(),
            proposed: 0,
            budget: BTreeMap::new(),
            stage: Stage::Idle,
        };
        Ok(Self::from_core(core))
    }

    /// The state of a transcript's header: between two hands, so nothing is derived from messages.
    #[must_use]
    pub fn from_core(core: Core) -> Self {
        let hash = core.hash();
        State { core, hash, known: Known::default() }
    }

    /// What is hashed.
    #[must_use]
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The state's hash.
    #[must_use]
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The deal that is played.
    #[must_use]
    pub fn deal(&self) -> Option<&Arc<Deal>> {
        self.known.deal.as_ref()
    }

    /// What was verified of the deal that is played.
    #[must_use]
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Changes the state behind the rules' back: what a program with another rules engine would do.
    /// Only for trying out that others notice.
    #[doc(hidden)]
    pub fn alter(&mut self, how: fn(&mut Core)) {
        how(&mut self.core);
        self.hash = self.core.hash();
    }
}

impl Core {
    /// SHA-256 of the encoded state.
    #[must_use]
    pub fn hash(&self) -> Hash {
        // Encoding a state cannot fail but for its size; a state too large to encode equals no other.
        match wire::encode(self) {
            Ok(bytes) => wire::hash("trinka/1 state", &[&bytes]),
            Err(e) => wire::hash(
                "trinka/1 state too large",
                &[e.to_string().as_bytes(), &self.height.to_be_bytes()],
            ),
        }
    }

    /// The seat of a key: the one it sits on now, or else the last that it left.
    #[must_use]
    pub fn seat_of(&self, key: &PublicKey) -> Option<Seat> {
        let mut found = None;
        for (seat, state) in &self.seats {
            if state.player.key == *key {
                found = Some(*seat);
                if state.presence != Presence::Left {
                    break;
                }
            }
        }
        found
    }

    /// How many seats a key has had at this table.
    #[must_use]
    pub fn seats_had(&self, key: &PublicKey) -> u32 {
        let had = self.seats.values().filter(|s| s.player.key == *key).count();
        u32::try_from(had).unwrap_or(u32::MAX)
    }

    /// The same, the seat that it sits on now left out.
    #[must_use]
    pub fn earlier_seats(&self, key: &PublicKey) -> u32 {
        let sits = self.seat_of(key).is_some_and(|seat| self.seated(seat));
        self.seats_had(key).saturating_sub(u32::from(sits))
    }

    /// A seat's key.
    #[must_use]
    pub fn key_of(&self, seat: Seat) -> Option<PublicKey> {
        self.seats.get(&seat).map(|s| s.player.key)
    }

    /// A seat's name.
    #[must_use]
    pub fn name_of(&self, seat: Seat) -> &str {
        self.seats.get(&seat).map_or("?", |s| s.player.name.as_str())
    }

    /// The voters with their keys, in seat order.
    #[must_use]
    pub fn voters(&self) -> Vec<(Seat, PublicKey)> {
        self.electorate.iter().filter_map(|s| Some((*s, self.key_of(*s)?))).collect()
    }

    /// The electorate as the agreement takes it, in seat order.
    #[must_use]
    pub fn voting_keys(&self) -> Vec<(Voter, VerifyingKey)> {
        let voter = |(seat, key): (Seat, PublicKey)| Some((Voter(seat.0), key.verifying()?));
        self.voters().into_iter().filter_map(voter).collect()
    }

    /// The place in the electorate of round 0's scribe: the seat after the last composer.
    #[must_use]
    pub fn first_scribe(&self) -> usize {
        self.electorate.iter().position(|s| *s > self.composer).unwrap_or(0)
    }

    /// The number of the hand that is proposed, dealt or played.
    #[must_use]
    pub fn hand(&self) -> Option<u64> {
        match &self.stage {
            Stage::Idle | Stage::Over => None,
            Stage::Starting { hand, .. }
            | Stage::Dealing { hand, .. }
            | Stage::Playing { hand, .. } => Some(*hand),
        }
    }

    /// The turn that is open, where cards are dealt.
    #[must_use]
    pub fn basis(&self) -> Option<Basis> {
        match &self.stage {
            Stage::Playing { cards, .. } => Some(Basis { deal: cards.deal, turn: cards.turn }),
            _ => None,
        }
    }

    /// The cards that are played.
    #[must_use]
    pub fn playing(&self) -> Option<&Playing> {
        match &self.stage {
            Stage::Playing { cards, .. } => Some(cards),
            _ => None,
        }
    }

    /// Whether a seat still sits at the table.
    #[must_use]
    pub fn seated(&self, seat: Seat) -> bool {
        self.seats.get(&seat).is_some_and(|s| s.presence != Presence::Left)
    }

    /// Seats that are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.seats.values().filter(|s| s.presence != Presence::Left).count()
    }

    /// Whether this table could play by these rules.
    ///
    /// # Errors
    /// They make no sense, serve fewer players than sit here, or have an ante that one's chips cannot pay.
    pub fn check_rules(&self, rules: &HouseRules) -> Result<(), RulesError> {
        rules.validate()?;
        if usize::from(rules.max_players()) < self.taken() {
            rules.validate_for(self.taken())?;
        }
        // Nobody could buy enough chips to play by them.
        if rules.ante > self.terms.buy_in {
            let (switch, chips, most) = ("ante".to_owned(), rules.ante, self.terms.buy_in);
            return Err(RulesError::SumOutOfRange { switch, chips, most });
        }
        Ok(())
    }
}
