//! A hand that was played, written down as a script that settles it.
//!
//! Every line is tried by the referee as it is written, and where a line can be compared with the game
//! that was played, both have to stand alike. So what comes out either holds or says where it ends.

mod deals;
mod names;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]
mod tests;
mod worth;

use std::collections::{BTreeMap, BTreeSet};

use self::deals::{Deals, Hand};
use self::names::{Label, labels};
use super::replay::Replay;
use super::state::State;
use super::{line, words};
use crate::rules::{
    Action, Card, Chips, DealKind, Game, GameEvent, HouseRules, Input, Phase, RulesError, Seat,
};

/// A hand that was played.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The game before it.
    pub opening: &'a Game,
    /// What the rules were told, in order.
    pub inputs: &'a [Input],
    /// The players' names.
    pub names: &'a BTreeMap<Seat, String>,
    /// The hands that are known, for each [`Input::Dealt`].
    pub hands: &'a [BTreeMap<Seat, [Card; 3]>],
}

/// A script of a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its lines; the referee accepts them.
    pub text: String,
    /// Whether it goes as far as the hand did. If not its last line says why.
    pub whole: bool,
}

/// Where comments behind lines begin, in characters.
const COMMENTS: usize = 24;

/// What stands behind points that were made up.
const NOT_SHOWN: &str = "not shown: any value that fits";

/// Writes the last hand that was begun; `expect` says what holds after every move that can be compared.
#[must_use]
pub fn script(played: &Played<'_>, expect: bool) -> Script {
    let (steps, refused) = steps(played);
    let begun = |step: &Step| matches!(step.input, Input::Begin { .. });
    let Some(from) = steps.iter().rposition(begun) else {
        return Script { text: "# No hand was begun.\n".to_owned(), whole: false };
    };
    let mut writer = Writer::new(played, expect);
    let done = writer.all(&steps, from, played.hands);
    let done = done.and_then(|()| match refused {
        Some(error) => Err(Stop(format!("the rules refuse what comes next: {error:?}"))),
        None => Ok(()),
    });
    let whole = done.is_ok();
    if let Err(Stop(reason)) = done {
        writer.text.truncate(writer.good);
        writer.remark(&format!("From here on the hand cannot be replayed: {reason}."));
    }
    Script { text: writer.text, whole }
}

/// One thing that the rules were told.
pub(super) struct Step {
    before: Game,
    input: Input,
    events: Vec<GameEvent>,
    after: Game,
}

/// The hand step by step, and why it does not go on, if the rules do not let it.
fn steps(played: &Played<'_>) -> (Vec<Step>, Option<RulesError>) {
    let mut steps = Vec::with_capacity(played.inputs.len());
    let mut game = played.opening.clone();
    for input in played.inputs {
        match game.apply(input) {
            Ok(step) => {
                let before = std::mem::replace(&mut game, step.game.clone());
                let (input, events, after) = (input.clone(), step.events, step.game);
                steps.push(Step { before, input, events, after });
            }
            Err(error) => return (steps, Some(error)),
        }
    }
    (steps, None)
}

/// Why a script ends before its hand does.
struct Stop(String);

/// Who lifted which cards.
type Lifts = Vec<(Seat, Vec<Card>)>;

/// A script that is being written.
#[derive(Clone)]
struct Writer {
    labels: BTreeMap<Seat, Label>,
    /// Who sits in the script.
    seated: BTreeSet<Seat>,
    text: String,
    /// How much of the text is known to be right.
    good: usize,
    replay: Replay,
    lines: u64,
    expect: bool,
    /// Lines were written since the last comparison.
    unchecked: bool,
    /// The comparison has dealt what the script has not dealt yet.
    dealt_silently: bool,
    over: bool,
    /// Cards lifted for the deal of a svara, until it is known whose it is.
    lifts: Lifts,
}

impl Writer {
    fn new(played: &Played<'_>, expect: bool) -> Writer {
        Writer {
            labels: labels(played.names),
            seated: BTreeSet::new(),
            text: String::new(),
            good: 0,
            replay: Replay::default(),
            lines: 0,
            expect,
            unchecked: false,
            dealt_silently: false,
            over: false,
            lifts: Vec::new(),
        }
    }

    // ---- lines ----

    fn word(&self, seat: Seat) -> String {
        self.labels.get(&seat).map_or_else(|| format!("Seat{seat}"), |label| label.word.clone())
    }

    fn remark(&mut self, text: &str) {
        self.text.push_str(&format!("# {text}\n"));
    }

    /// Lets the referee try a line.
    fn try_line(&mut self, text: &str) -> Result<(), Stop> {
        self.lines += 1;
        let words = words::split(text, self.lines);
        let place = words.first().map(|word| word.place).unwrap_or_default();
        let done = line::read(&words).and_then(|command| self.replay.run(&command, place));
        done.map(drop).map_err(|failure| Stop(format!("“{text}” means {:?}", failure.fault)))
    }

    /// A line that says how things are.
    fn tell(&mut self, text: &str, comment: Option<&str>) -> Result<(), Stop> {
        self.try_line(text)?;
        match comment {
            Some(comment) => {
                self.text.push_str(&format!("{text:<COMMENTS$}# {comment}\n"));
            }
            None => self.text.push_str(&format!("{text}\n")),
        }
        self.unchecked = true;
        Ok(())
    }

    /// A line that something happens by.
    fn play(&mut self, text: &str, comment: Option<&str>) -> Result<(), Stop> {
        self.tell(text, comment)?;
        self.dealt_silently = false;
        Ok(())
    }

    /// A line that may come before the deal is finished; if it does not, the script has to say so.
    fn play_early(&mut self, text: &str, comment: Option<&str>) -> Result<(), Stop> {
        if self.dealt_silently {
            let phase = self.replay.state().phase;
            self.play(&format!("expect phase {phase}"), None)?;
        }
        self.play(text, comment)
    }

    // ---- the parts of a script ----

    fn all(
        &mut self,
        steps: &[Step],
        from: usize,
        known: &[BTreeMap<Seat, [Card; 3]>],
    ) -> Result<(), Stop> {
        let Some((earlier, hand)) = steps.split_at_checked(from) else { return Ok(()) };
        let Some(Step { before, input: Input::Begin { dealer, participants }, .. }) = hand.first()
        else {
            return Ok(());
        };
        let dealt = |steps: &[Step]| steps.iter().filter(|s| s.input == Input::Dealt).count();
        let known = known.get(dealt(earlier)..).unwrap_or_default();
        let mut deals = Deals::new(hand, known)
            .ok_or_else(|| Stop("no hands fit the comparisons".to_owned()))?;
        self.head(before, participants)?;
        self.dealer(earlier, *dealer, participants)?;
        self.hands(deals.next())?;
        self.play("hand", None)?;
        let mut last = None;
        for (at, step) in hand.iter().enumerate() {
            self.step(step, deals.loser(at), &mut deals)?;
            self.check(step)?;
            last = Some(step);
            if self.over {
                break;
            }
        }
        if self.unchecked {
            return Err(Stop("the record ends in the middle of it".to_owned()));
        }
        // What comes after its end, somebody who leaves for instance, is not of this hand any more.
        if let (false, Some(last)) = (self.expect, last) {
            let stacks = self.stacks_of(&last.after);
            self.tell(&format!("expect {stacks}"), None)?;
        }
        Ok(())
    }

    /// Rules and seats.
    fn head(&mut self, game: &Game, participants: &[Seat]) -> Result<(), Stop> {
        let rules = game.rules();
        self.tell(&format!("rules {}", rules.preset), None)?;
        let usual = HouseRules::preset(rules.preset).switches();
        for ((switch, value), (_, usual)) in rules.switches().into_iter().zip(usual) {
            if value != usual {
                self.tell(&format!("set {switch} {value}"), None)?;
            }
        }
        for (seat, stack) in game.stacks() {
            let name = self.labels.get(&seat).and_then(|label| label.name.clone());
            // Who has nothing, or may not touch it, has no part in the hand.
            if stack == 0 || game.is_frozen(seat) {
                let name = name.unwrap_or_else(|| self.word(seat));
                self.remark(&format!("{name} sits there too, and cannot play."));
                continue;
            }
            self.seated.insert(seat);
            self.tell(&format!("seat {} {stack}", self.word(seat)), name.as_deref())?;
        }
        for seat in self.seated.clone() {
            if game.can_ante(seat) && !participants.contains(&seat) {
                self.tell(&format!("{} away", self.word(seat)), None)?;
            }
        }
        Ok(())
    }

    /// Who deals: by the cards that told it, where the script can have them; else by name.
    fn dealer(
        &mut self,
        earlier: &[Step],
        dealer: Seat,
        participants: &[Seat],
    ) -> Result<(), Stop> {
        let mut by_cards = self.clone();
        let told = chosen_by(earlier);
        let found = !told.is_empty()
            && told.iter().all(|line| by_cards.choice_line(line).is_ok())
            && by_cards.found_dealer(participants) == Some(self.word(dealer));
        if found {
            *self = by_cards;
            return Ok(());
        }
        self.tell(&format!("dealer {}", self.word(dealer)), None)
    }

    fn choice_line(&mut self, line: &ChoiceLine) -> Result<(), Stop> {
        let (what, cards) = match line {
            ChoiceLine::Lift(seat, cards) => (format!("lift {}", self.word(*seat)), cards),
            ChoiceLine::Count(cards) => ("count".to_owned(), cards),
        };
        let text = cards.iter().fold(what, |text, card| format!("{text} {card}"));
        self.play(&text, None)
    }

    /// Whom the cards of the script have found.
    fn found_dealer(&self, participants: &[Seat]) -> Option<String> {
        let game = self.replay.game().filter(|game| *game.phase() == Phase::Idle)?;
        let names = self.replay.clone().names();
        let seats = participants.iter().filter_map(|seat| {
            let word = self.word(*seat);
            let at = names.iter().position(|name| *name == word)?;
            u8::try_from(at).ok().map(Seat)
        });
        let dealer = game.next_dealer(&seats.collect::<Vec<Seat>>())?;
        names.get(usize::from(dealer.0)).cloned()
    }

    /// What is held in the deal to come.
    fn hands(&mut self, hands: BTreeMap<Seat, Hand>) -> Result<(), Stop> {
        for (seat, hand) in hands {
            let word = self.word(seat);
            match hand {
                Hand::Cards([one, two, three]) => {
                    self.tell(&format!("cards {word} {one} {two} {three}"), None)?;
                }
                Hand::Points(points) => {
                    self.tell(&format!("points {word} {points}"), Some(NOT_SHOWN))?;
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, loser: Option<Seat>, deals: &mut Deals) -> Result<(), Stop> {
        let stop = |what: &str| Err(Stop(what.to_owned()));
        match &step.input {
            Input::Begin { .. }
            | Input::Outcome { .. }
            | Input::Tens { .. }
            | Input::Best { .. }
            // What they can touch is out of the hand already.
            | Input::Freeze { .. }
            | Input::Unfreeze { .. } => Ok(()),
            Input::BreakOff { .. } => stop("its bank was divided, by consent or because the table ended"),
            Input::Dealt => {
                if let Phase::AwaitDeal { kind: DealKind::Redeal { .. } | DealKind::Svara } =
                    step.before.phase()
                {
                    self.hands(deals.next())?;
                    self.play("hand", None)?;
                }
                Ok(())
            }
            Input::Move { seat, action } => self.action(step, *seat, *action, loser, None),
            Input::TimeOut { seat } => match meant(step, *seat) {
                Some(action) => {
                    self.action(step, *seat, action, loser, Some("did not act in time"))
                }
                None => Ok(()),
            },
            Input::Lost { seat } => self.lost(step, *seat),
            Input::LayerLost => match step.before.phase() {
                Phase::DealerChoice { .. } => {
                    self.lifts.clear();
                    Ok(())
                }
                _ => self.play("cards lost", None),
            },
            Input::Sit { seat, chips } => self.newcomer(*seat, *chips),
            Input::Rebuy { seat, .. } if !self.seated.contains(seat) => {
                self.newcomer(*seat, step.after.stack(*seat).unwrap_or(0))
            }
            Input::Rebuy { seat, chips } => {
                self.play_early(&format!("{} rebuy {chips}", self.word(*seat)), None)
            }
            Input::Lift { seat, cards } => self.lifted(step, *seat, cards),
            Input::Pool { parts } => {
                let part = |text, (seat, chips): &(Seat, Chips)| {
                    format!("{text} {} {chips}", self.word(*seat))
                };
                let text = parts.iter().fold("pool".to_owned(), part);
                self.play(&text, None)
            }
            Input::Pact { seats: [one, other] } => {
                self.play(&format!("pact {} {}", self.word(*one), self.word(*other)), None)
            }
            Input::Leave { .. } => stop("somebody left in the middle of it"),
            Input::Rules { .. } => stop("the rules changed in the middle of it"),
            Input::ChooseDealer { .. } | Input::Count { .. } | Input::DealerIs { .. } => {
                stop("its dealer is found in a way that scripts cannot say")
            }
        }
    }

    /// A move, or what silence means.
    fn action(
        &mut self,
        step: &Step,
        seat: Seat,
        action: Action,
        loser: Option<Seat>,
        comment: Option<&str>,
    ) -> Result<(), Stop> {
        let word = self.word(seat);
        if !self.seated.contains(&seat) {
            return Ok(());
        }
        match action {
            // Packets are told when they are open; the cut is not part of a script.
            Action::Lift(_) | Action::Cut(_) => Ok(()),
            Action::Expose(receiver) if receiver == seat => {
                self.play_early(&format!("{word} expose"), comment)
            }
            Action::Expose(receiver) => {
                self.play_early(&format!("expose {}", self.word(receiver)), comment)
            }
            Action::Keep | Action::Replace(_) => {
                let number = action.number().map_or_else(String::new, |place| format!(" {place}"));
                self.play(&format!("{word} {}{number}", action.kind()), comment)
            }
            Action::Refuse if matches!(step.before.phase(), Phase::ThreeTens { .. }) => {
                // The referee itself answers for whoever holds none.
                let asks = |game: &&Game| matches!(game.phase(), Phase::ThreeTens { .. });
                let state = self.replay.game().filter(asks).map(Game::awaited);
                let names = self.replay.clone().names();
                let asked = state
                    .unwrap_or_default()
                    .into_iter()
                    .any(|asked| names.get(usize::from(asked.0)).is_some_and(|name| *name == word));
                if asked { self.play(&format!("{word} refuse"), comment) } else { Ok(()) }
            }
            Action::Look => {
                // In the middle of a comparison, which the referee has settled already, a look may come
                // too late; then it changes nothing.
                let before = self.clone();
                let settled =
                    matches!(step.after.phase(), Phase::Comparing { .. } | Phase::ThreeTens { .. });
                match self.play(&format!("{word} look"), comment) {
                    Err(_) if settled => *self = before,
                    done => done?,
                }
                Ok(())
            }
            Action::Compare => {
                if let Some(loser) = loser {
                    let points = format!("points {} 0", self.word(loser));
                    self.tell(&points, Some("loses by silence, whatever it held"))?;
                }
                self.play(&format!("{word} compare"), comment)
            }
            _ => {
                let amount = action.amount().map_or_else(String::new, |chips| format!(" {chips}"));
                self.play(&format!("{word} {}{amount}", action.kind()), comment)
            }
        }
    }

    fn lost(&mut self, step: &Step, seat: Seat) -> Result<(), Stop> {
        let choosers = |game: &Game| match game.phase() {
            Phase::DealerChoice { seats } => seats.clone(),
            _ => Vec::new(),
        };
        if choosers(&step.before) != choosers(&step.after) {
            self.lifts.clear();
        }
        if !self.seated.contains(&seat) {
            return Ok(());
        }
        self.play_early(&format!("{} lost", self.word(seat)), Some("gone for good"))
    }

    fn newcomer(&mut self, seat: Seat, chips: Chips) -> Result<(), Stop> {
        let name = self.labels.get(&seat).and_then(|label| label.name.clone());
        self.play_early(&format!("{} newcomer {chips}", self.word(seat)), name.as_deref())?;
        self.seated.insert(seat);
        Ok(())
    }

    /// Cards of a packet came to light; once they tell something they are a line each.
    fn lifted(&mut self, step: &Step, seat: Seat, cards: &[Card]) -> Result<(), Stop> {
        add_lift(&mut self.lifts, seat, cards);
        if !lifting_is_over(step) {
            return Ok(());
        }
        for (seat, cards) in std::mem::take(&mut self.lifts) {
            self.choice_line(&ChoiceLine::Lift(seat, cards))?;
        }
        Ok(())
    }

    // ---- comparing ----

    /// Whether the referee must stand where the game stands.
    fn comparable(&self, step: &Step) -> bool {
        let replayed = self.replay.game().map(Game::phase);
        match step.after.phase() {
            Phase::Comparing { .. } | Phase::Showdown => false,
            Phase::ThreeTens { .. } => matches!(replayed, Some(Phase::ThreeTens { .. })),
            // What is said about it would deal the cards.
            Phase::AwaitDeal { .. } => !self.replay.is_dealing(),
            Phase::DealerChoice { .. } => {
                !matches!(step.before.phase(), Phase::DealerChoice { .. })
                    || step.events.iter().any(|e| matches!(e, GameEvent::ChoiceAgain { .. }))
            }
            // Who has no place in the script is not waited for in it.
            Phase::SvaraEntry => step.after.awaited().iter().any(|seat| self.seated.contains(seat)),
            _ => true,
        }
    }

    /// Compares the referee's game with the one that was played.
    fn check(&mut self, step: &Step) -> Result<(), Stop> {
        self.over |= step.events.iter().any(|e| matches!(e, GameEvent::Over { .. }));
        let void = step.events.iter().any(|e| matches!(e, GameEvent::Void { .. }));
        if !self.unchecked || !self.comparable(step) {
            return Ok(());
        }
        let expected = self.state_of(&step.after);
        let line = self.expectation(&step.after, &expected);
        self.dealt_silently |= self.replay.is_dealing();
        self.try_line(&line)?;
        if in_order(self.replay.state()) != in_order(expected) {
            return Err(Stop("the referee sees it otherwise".to_owned()));
        }
        if self.expect {
            self.text.push_str(&line);
            self.text.push('\n');
            self.dealt_silently = false;
        }
        self.good = self.text.len();
        self.unchecked = false;
        self.over |= void;
        Ok(())
    }

    /// How the game that was played stands, in the script's words.
    fn state_of(&self, game: &Game) -> State {
        let mut state = State::of(game, |seat| self.word(seat));
        let seated: BTreeSet<String> = self.seated.iter().map(|seat| self.word(*seat)).collect();
        state.stacks.retain(|(name, _)| seated.contains(name));
        // Before the end it is the result of the hand before.
        state.result = state.result.filter(|_| self.over);
        state
    }

    fn stacks_of(&self, game: &Game) -> String {
        let stacks = self.state_of(game).stacks;
        let stack = |text, (name, chips): &(String, Chips)| format!("{text} {name}={chips}");
        stacks.iter().fold("stacks".to_owned(), stack)
    }

    fn expectation(&self, game: &Game, state: &State) -> String {
        let turn = state.turn.as_deref().unwrap_or("-");
        let active = if state.active.is_empty() { "-".to_owned() } else { state.active.join(" ") };
        let mut text = format!("expect phase {} turn {turn} bank {}", state.phase, state.bank);
        if let (Some(price), Some(turn)) = (&state.price, &state.turn) {
            let compare = price.compare.map_or_else(|| "-".to_owned(), |chips| chips.to_string());
            text.push_str(&format!(" price {turn} pass {} compare {compare}", price.pass));
        }
        format!("{text} {} active {active}", self.stacks_of(game))
    }
}

/// The same without the order of seats: who had nothing when the script begins sits down in it last.
fn in_order(mut state: State) -> State {
    state.stacks.sort_unstable();
    state.active.sort_unstable();
    if let Some(result) = &mut state.result {
        result.seats.sort_unstable();
    }
    state
}

/// The move that a silence means; none where the referee needs no line for it.
fn meant(step: &Step, seat: Seat) -> Option<Action> {
    Some(match step.before.phase() {
        Phase::Betting => Action::Fold,
        Phase::Boil { .. } | Phase::ThreeTens { .. } => Action::Refuse,
        Phase::MissingAnte => Action::Omit,
        Phase::Exposed { .. } => Action::Keep,
        Phase::SvaraSplit => Action::NoSplit,
        Phase::SvaraEntry if step.before.is_active(seat) => Action::Enter,
        Phase::SvaraEntry => Action::StayOut,
        _ => return None,
    })
}

/// A line that tells who deals.
enum ChoiceLine {
    Lift(Seat, Vec<Card>),
    Count(Vec<Card>),
}

fn add_lift(lifts: &mut Lifts, seat: Seat, cards: &[Card]) {
    match lifts.iter_mut().find(|(other, _)| *other == seat) {
        Some((_, open)) => open.extend(cards),
        None => lifts.push((seat, cards.to_vec())),
    }
}

/// Whether nobody's packet is opened any further.
fn lifting_is_over(step: &Step) -> bool {
    let again = step.events.iter().any(|event| matches!(event, GameEvent::ChoiceAgain { .. }));
    again || !matches!(step.after.phase(), Phase::DealerChoice { .. })
}

/// The cards that told who deals the hand; nothing where it was not cards, or somebody was lost over it.
fn chosen_by(earlier: &[Step]) -> Vec<ChoiceLine> {
    let choosing = |step: &Step| matches!(step.input, Input::ChooseDealer { .. });
    let from = earlier.iter().rposition(choosing).unwrap_or(earlier.len());
    let (mut lines, mut lifts, mut counted) = (Vec::new(), Lifts::new(), Vec::new());
    for step in earlier.iter().skip(from) {
        match &step.input {
            Input::Lift { seat, cards } => {
                add_lift(&mut lifts, *seat, cards);
                if lifting_is_over(step) {
                    let lifts = std::mem::take(&mut lifts).into_iter();
                    lines.extend(lifts.map(|(seat, cards)| ChoiceLine::Lift(seat, cards)));
                }
            }
            Input::Count { cards } => counted.extend(cards),
            Input::Lost { .. } | Input::LayerLost | Input::DealerIs { .. } => return Vec::new(),
            _ => {}
        }
    }
    if !counted.is_empty() {
        lines.push(ChoiceLine::Count(counted));
    }
    lines
}
