//! An evening's game: stacks, the bank, whose turn it is.
//!
//! [`Game::apply`] makes a new game of an old one, which it leaves intact, whether it succeeds or
//! not; [`Game::advance`] does the same with a game nobody needs any more. [`Game::legal`] lists what would be accepted.

mod antes;
mod betting;
mod choice;
mod dark;
mod end;
mod event;
mod exposed;
mod hand;
mod input;
mod options;
mod pool;
mod shown;
mod stacks;
mod svara;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::rules::seat::{clockwise_from, right_of};
use crate::rules::{Chips, HouseRules, RulesError, Seat};

use antes::Antes;
use choice::Choice;
pub use event::{DealKind, GameEvent, HandResult, Phase, ResultKind};
use pool::Pool;

pub use input::{Action, ActionKind, CompareResult, Input, LegalMove, Price};
pub use shown::{Showing, Viewers};

/// Most chips that may ever be bought at one table, so that no sum can overflow.
pub const MAX_TABLE_CHIPS: Chips = 1_000_000_000_000_000;

/// What became of a game after an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The game as it is now.
    pub game: Game,
    /// What happened on the way.
    pub events: Vec<GameEvent>,
}

/// The chips of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Account {
    /// What it has before it, in chips.
    stack: Chips,
    /// What it has bought in all, in chips.
    bought: Chips,
    /// Whether it may not touch its stack.
    frozen: bool,
}

/// A hand: from its beginning until its bank is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Hand {
    dealer: Seat,
    /// The deal being awaited or played.
    deal: Deal,
    /// The antes, where they are asked for.
    antes: Antes,
    /// Everybody dealt cards since the antes.
    played: BTreeSet<Seat>,
    /// Who was lost for good since the antes.
    lost: BTreeSet<Seat>,
    /// Whether somebody has gone dark since the antes, or since the svara began.
    dark_seen: bool,
    /// The svara about to be played, from its beginning until it is dealt.
    entry: Option<Entry>,
    /// Who shares what the other takes, until the next deal.
    pacts: Vec<[Seat; 2]>,
    /// The same, for the svara that seats are still entering.
    coming_pacts: Vec<[Seat; 2]>,
    /// Who plays one hand together: pools still in, and those of this deal that have left.
    pools: Vec<Pool>,
}

/// One deal of a hand: circles, prices, ties and dark play are its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Deal {
    kind: DealKind,
    /// Who is dealt in, and how it stands with them.
    seats: BTreeMap<Seat, Standing>,
    /// Whose turn it is, while betting.
    turn: Option<Seat>,
    /// The level of the last bet, or the opening price, in chips. While dark play halves prices
    /// it rests; `dark` counts then.
    level: Chips,
    /// Whether somebody has bet or gone dark.
    opened: bool,
    /// Pairs that compared as equals, the lower seat first.
    ties: BTreeSet<(Seat, Seat)>,
    /// Whether dark play is possible at all.
    dark_allowed: bool,
    /// The last dark level, in chips: the next overdark must be higher.
    dark: Option<Chips>,
    /// Whether somebody plays dark, and no bet has knocked it out.
    dark_on: bool,
    /// How many have gone dark.
    dark_bets: u8,
    /// Whether the chain of dark bets is unbroken: nobody has acted otherwise.
    chain: bool,
    /// Whether the other was asked for a svara in this turn.
    boil_asked: bool,
    /// Who has answered the question of the phase.
    answered: BTreeSet<Seat>,
    /// Who has had a card turned up.
    exposed: BTreeSet<Seat>,
    /// How many exposed cards have been replaced and put under.
    replaced: u8,
}

/// How it stands with a participant of the current deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Standing {
    /// Still in the hand.
    active: bool,
    /// Has acted in this deal.
    acted: bool,
    /// Has gone dark in this deal.
    dark: bool,
    /// Has looked, or counts as having looked.
    looked: bool,
}

impl Standing {
    /// In the game, with nothing done yet.
    const fn fresh(looked: bool) -> Standing {
        Standing { active: true, acted: false, dark: false, looked }
    }
}

/// A svara that seats are entering; prices in chips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// Those who tied or boiled: they take part for nothing, and lift for the deal.
    initiators: BTreeSet<Seat>,
    /// The price for who was dealt cards since the antes.
    played: Chips,
    /// The price for everybody else.
    newcomer: Chips,
    /// Whether the initiators have answered, so that the others may.
    open: bool,
}

impl Hand {
    fn new(dealer: Seat, participants: impl IntoIterator<Item = Seat>, dark: bool) -> Hand {
        Hand {
            dealer,
            deal: Deal::new(DealKind::First, participants, dark),
            antes: Antes::default(),
            played: BTreeSet::new(),
            lost: BTreeSet::new(),
            dark_seen: false,
            entry: None,
            pacts: Vec::new(),
            coming_pacts: Vec::new(),
            pools: Vec::new(),
        }
    }
}

impl Deal {
    fn new(
        kind: DealKind,
        participants: impl IntoIterator<Item = Seat>,
        dark_allowed: bool,
    ) -> Deal {
        // Where nobody may go dark everybody sees its cards at once.
        let fresh = |seat| (seat, Standing::fresh(!dark_allowed));
        Deal {
            kind,
            seats: participants.into_iter().map(fresh).collect(),
            turn: None,
            level: 0,
            opened: false,
            ties: BTreeSet::new(),
            dark_allowed,
            dark: None,
            dark_on: false,
            dark_bets: 0,
            chain: true,
            boil_asked: false,
            answered: BTreeSet::new(),
            exposed: BTreeSet::new(),
            replaced: 0,
        }
    }

    fn is_active(&self, seat: Seat) -> bool {
        self.seats.get(&seat).is_some_and(|standing| standing.active)
    }

    fn active(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(|(_, standing)| standing.active).map(|(seat, _)| seat)
    }

    /// Whether nobody can have seen its cards.
    fn blind(&self) -> bool {
        self.dark_allowed && self.seats.values().all(|one| !one.looked && !one.acted)
    }

    /// Whether every active seat has acted once.
    fn circle_done(&self) -> bool {
        self.seats.values().all(|standing| standing.acted || !standing.active)
    }
}

/// The state of an evening: whole, deterministic, and without any card that is not open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    rules: HouseRules,
    accounts: BTreeMap<Seat, Account>,
    /// What those who left took along, in chips.
    gone: Chips,
    /// What all, also those who left, have bought, in chips.
    bought: Chips,
    bank: Chips,
    phase: Phase,
    /// The hand being played; after it ended the last one, for its dealer and participants.
    hand: Option<Hand>,
    hand_no: u64,
    /// Who dealt the last hand with antes.
    last_dealer: Option<Seat>,
    /// How the dealer is being found, where cards decide.
    choice: Option<Choice>,
    /// Whom they have found for the next hand.
    chosen: Option<Seat>,
    last: Option<HandResult>,
}

impl Game {
    /// A game among these seats with their buy-ins, before its first hand.
    ///
    /// # Errors
    /// Rules that contradict themselves; a seat named twice; a bad buy-in.
    pub fn for_referee(rules: HouseRules, seats: &[(Seat, Chips)]) -> Result<Game, RulesError> {
        Game::new(rules, seats)
    }

    /// A game among these seats with their buy-ins, before its first hand.
    ///
    /// # Errors
    /// Rules that contradict themselves; a seat named twice; a bad buy-in.
    pub fn new(rules: HouseRules, seats: &[(Seat, Chips)]) -> Result<Game, RulesError> {
        rules.validate()?;
        let mut game = Game {
            rules,
            accounts: BTreeMap::new(),
            gone: 0,
            bought: 0,
            bank: 0,
            phase: Phase::Idle,
            hand: None,
            hand_no: 0,
            last_dealer: None,
            choice: None,
            chosen: None,
            last: None,
        };
        for (seat, chips) in seats {
            game.sit(*seat, *chips, &mut Vec::new())?;
        }
        Ok(game)
    }

    /// The game after an input, and what happened on the way; this game stays as it is.
    ///
    /// # Errors
    /// Why the input is refused.
    pub fn apply(&self, input: &Input) -> Result<Step, RulesError> {
        self.clone().advance(input)
    }

    /// Like [`Game::apply`], for who has no use for the old game: nothing is copied. A refusal
    /// takes the game with it.
    ///
    /// # Errors
    /// Why the input is refused.
    pub fn advance(self, input: &Input) -> Result<Step, RulesError> {
        let mut game = self;
        let mut events = Vec::new();
        match input {
            Input::Sit { seat, chips } => game.sit(*seat, *chips, &mut events)?,
            Input::Rebuy { seat, chips } => game.rebuy(*seat, *chips, &mut events)?,
            Input::Leave { seat } => game.leave(*seat, &mut events)?,
            Input::Freeze { seat } => game.freeze(*seat, &mut events)?,
            Input::Unfreeze { seat } => game.unfreeze(*seat, &mut events)?,
            Input::Rules { rules } => game.change_rules(rules)?,
            Input::ChooseDealer { host, participants } => {
                game.find_dealer(*host, participants, &mut events)?;
            }
            Input::Lift { seat, cards } => game.lifted(*seat, cards, &mut events)?,
            Input::Count { cards } => game.counted(cards, &mut events)?,
            Input::Begin { dealer, participants } => {
                game.begin(*dealer, participants, &mut events)?;
            }
            Input::Dealt => game.dealt(&mut events)?,
            Input::Move { seat, action } => game.act(*seat, *action, &mut events)?,
            Input::TimeOut { seat } => game.time_out(*seat, &mut events)?,
            Input::Lost { seat } => game.lost(*seat, &mut events)?,
            Input::Outcome { result } => game.outcome(*result, &mut events)?,
            Input::LayerLost => game.layer_lost(&mut events)?,
            Input::BreakOff { without } => game.break_off(without, &mut events),
            Input::Tens { holder } => game.tens(*holder, &mut events)?,
            Input::DealerIs { seat } => game.dealer_is(*seat, &mut events)?,
            Input::Best { seats } => game.best(seats, &mut events)?,
            Input::Pact { seats } => game.pact(*seats, &mut events)?,
            Input::Pool { parts } => game.pool(parts, &mut events)?,
        }
        Ok(Step { game, events })
    }

    /// Other rules from the next hand on.
    fn change_rules(&mut self, rules: &HouseRules) -> Result<(), RulesError> {
        if self.phase != Phase::Idle {
            return Err(RulesError::HandRunning);
        }
        rules.validate()?;
        self.rules = rules.clone();
        Ok(())
    }

    fn deal(&self) -> Option<&Deal> {
        Some(&self.hand.as_ref()?.deal)
    }

    fn deal_mut(&mut self) -> Option<&mut Deal> {
        Some(&mut self.hand.as_mut()?.deal)
    }

    fn standing(&self, seat: Seat) -> Option<&Standing> {
        self.deal()?.seats.get(&seat)
    }

    /// The rules it is played by.
    #[must_use]
    pub fn rules(&self) -> &HouseRules {
        &self.rules
    }

    /// What it waits for.
    #[must_use]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Who is to act; none where no single seat is.
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        match self.phase {
            Phase::Betting => self.deal()?.turn,
            Phase::Boil { asked, .. } => Some(asked),
            Phase::Exposed { seat } => Some(seat),
            Phase::MissingAnte if self.antes_in_turn() => self.asked_for_ante().first().copied(),
            Phase::DealerChoice { .. } => self.lifts_next(),
            _ => None,
        }
    }

    /// Everybody who is to act or answer now, looks and exposed cards apart; ascending, and one
    /// alone where there is a [`Game::turn`]. Nobody where cards are awaited.
    #[must_use]
    pub fn awaited(&self) -> Vec<Seat> {
        match (self.turn(), &self.phase) {
            (Some(seat), _) => vec![seat],
            (None, Phase::SvaraEntry) => self.waited_for(),
            (None, _) => self.asked(),
        }
    }

    /// Who cuts the cards that are to be dealt: the dealer's nearest right among those dealt in.
    #[must_use]
    pub fn cutter(&self) -> Option<Seat> {
        let (Phase::AwaitDeal { .. }, Some(hand)) = (&self.phase, &self.hand) else {
            return None;
        };
        right_of(hand.dealer, hand.deal.seats.keys())
    }

    /// Whether a hand is being played.
    fn in_hand(&self) -> bool {
        !matches!(self.phase, Phase::Idle) && !self.chooses_next()
    }

    /// The bank, in chips; 0 between hands.
    #[must_use]
    pub fn bank(&self) -> Chips {
        self.bank
    }

    /// The chips before a seat; none if nobody sits there.
    #[must_use]
    pub fn stack(&self, seat: Seat) -> Option<Chips> {
        Some(self.accounts.get(&seat)?.stack)
    }

    /// All stacks, in chips.
    #[must_use]
    pub fn stacks(&self) -> BTreeMap<Seat, Chips> {
        self.accounts.iter().map(|(seat, account)| (*seat, account.stack)).collect()
    }

    /// What a seat has bought since it sat down, in chips; none if nobody sits there.
    #[must_use]
    pub fn bought(&self, seat: Seat) -> Option<Chips> {
        Some(self.accounts.get(&seat)?.bought)
    }

    /// Whether a seat's stack is frozen.
    #[must_use]
    pub fn is_frozen(&self, seat: Seat) -> bool {
        self.accounts.get(&seat).is_some_and(|account| account.frozen)
    }

    /// Everybody at the table, ascending.
    #[must_use]
    pub fn seats(&self) -> Vec<Seat> {
        self.accounts.keys().copied().collect()
    }

    /// The chips of stacks, bank and those who left; always equal to [`Game::total_bought`].
    #[must_use]
    pub fn total(&self) -> Chips {
        let stacks: Chips = self.accounts.values().map(|account| account.stack).sum();
        stacks + self.bank + self.gone
    }

    /// The chips ever bought at this table.
    #[must_use]
    pub fn total_bought(&self) -> Chips {
        self.bought
    }

    /// The chips taken away by those who left.
    #[must_use]
    pub fn gone(&self) -> Chips {
        self.gone
    }

    /// The number of the current or last hand, counted from 1; 0 before the first.
    #[must_use]
    pub fn hand_no(&self) -> u64 {
        self.hand_no
    }

    /// Who deals the current hand, or dealt the last one.
    #[must_use]
    pub fn dealer(&self) -> Option<Seat> {
        Some(self.hand.as_ref()?.dealer)
    }

    /// Who is or was dealt in, in deal order: clockwise from the dealer's left.
    #[must_use]
    pub fn participants(&self) -> Vec<Seat> {
        self.hand
            .as_ref()
            .map_or_else(Vec::new, |hand| clockwise_from(hand.dealer, hand.deal.seats.keys()))
    }

    /// Whether a seat was dealt cards since the antes of this hand.
    #[must_use]
    pub fn was_dealt(&self, seat: Seat) -> bool {
        self.hand.as_ref().is_some_and(|hand| hand.played.contains(&seat))
    }

    /// Who is still in the hand, ascending; nobody between hands.
    #[must_use]
    pub fn active(&self) -> Vec<Seat> {
        self.still_in().copied().collect()
    }

    /// The same, for who only looks through them.
    fn still_in(&self) -> impl Iterator<Item = &Seat> {
        let hand = self.hand.iter().filter(|_| self.in_hand());
        hand.flat_map(|hand| hand.deal.active())
    }

    /// Whether a seat is still in the hand.
    #[must_use]
    pub fn is_active(&self, seat: Seat) -> bool {
        self.in_hand() && self.deal().is_some_and(|deal| deal.is_active(seat))
    }

    /// The nearest other active seat counter-clockwise: whom a seat would compare with.
    #[must_use]
    pub fn right_of(&self, seat: Seat) -> Option<Seat> {
        right_of(seat, self.still_in()).filter(|right| *right != seat)
    }

    /// Whether a seat may be dealt in: it is not frozen and can pay the ante.
    #[must_use]
    pub fn can_ante(&self, seat: Seat) -> bool {
        self.accounts
            .get(&seat)
            .is_some_and(|account| !account.frozen && account.stack >= self.rules.ante)
    }

    /// How the last finished hand ended.
    #[must_use]
    pub fn result(&self) -> Option<&HandResult> {
        self.last.as_ref()
    }
}
