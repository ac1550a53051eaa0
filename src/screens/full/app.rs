//! The state of the full screen, and what each input does to it.

use ratatui::layout::Rect;

use super::dialog::{Dialog, Purpose, Sure};
use super::form::{Form, Id, Value};
use super::keys::{Act, Code, Key};
use super::lobby::{Lobby, Nearby, PastHand};
use super::moves::{self, Choice};
use super::sight::Sight;
use super::{Bell, Prefs};
use crate::event::{Command, Event, MAX_TEXT, MoveKind};
use crate::i18n::{Lang, messages as m, printable};
use crate::rules::{Chips, HouseRules};

mod ahead;
mod coming;
mod dialogs;
mod hold;
mod lobby;
mod table;

/// Milliseconds for which a note stays.
const NOTE_MS: u64 = 8_000;
/// Milliseconds for which Enter and the mouse make no move after the choices have changed by themselves:
/// they were meant for what was there before.
const FRESH_MS: u64 = 1_000;
/// Milliseconds for which no key makes a move after a line that was written was closed: it was meant for the
/// line.
const CLOSED_MS: u64 = 700;
/// Milliseconds within which Ctrl-C counts as pressed again.
const AGAIN_MS: u64 = 5_000;

/// A mouse button or wheel at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// Pressed.
    Press(u16, u16),
    /// Wheel up.
    Up,
    /// Wheel down.
    Down,
}

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Input {
    /// A key.
    Key(Key),
    /// Text that was pasted.
    Paste(String),
    /// The mouse.
    Mouse(Mouse),
    /// The terminal has another size, or has to be painted anew.
    Resize,
    /// Time has passed.
    Tick,
    /// The table tells something.
    Event(Box<Event>),
    /// The tables nearby.
    Tables(Vec<Nearby>),
    /// Past hands.
    History(Vec<PastHand>),
    /// The node has ended; what went wrong, if anything did.
    Ended(Option<String>),
    /// The process is asked to end.
    Terminate,
    /// The process is to be stopped for a while.
    Stop,
    /// The process goes on.
    Continue,
}

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Tell the node.
    Send(Command),
    /// Start a node.
    Start(Wish),
    /// Keep what was chosen.
    Save(Box<Prefs>),
    /// Call the player, with these words where words are possible.
    Ring(String),
    /// Look for tables nearby.
    Look,
    /// Read the past hands.
    ReadHistory,
    /// Stop the process for a while, as Ctrl-Z does.
    Suspend,
    /// Paint everything anew.
    Repaint,
    /// The process was stopped from outside: set the terminal up again.
    Retake,
    /// End the program.
    Quit {
        /// By Ctrl-C.
        interrupted: bool,
    },
}

/// What a player wants to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// To open a table.
    Make {
        /// Its name.
        name: String,
        /// Its rules.
        rules: Box<HouseRules>,
        /// How many may sit.
        seats: u8,
        /// How many have to sit before it begins by itself.
        begin: u8,
        /// The chips that each sits down with.
        buy_in: Chips,
        /// Seconds for a turn.
        think: u64,
    },
    /// To sit down at a table, by id, name or address.
    Join(String),
    /// To play against programs on this machine.
    Practise {
        /// The rules.
        rules: Box<HouseRules>,
        /// How many programs.
        bots: u8,
        /// The chips that each sits down with.
        buy_in: Chips,
        /// Milliseconds for which they seem to think.
        pace: u64,
    },
}

/// What fills the screen.
#[derive(Debug, Clone)]
pub(super) enum Page {
    /// Something to fill in.
    Form(Form),
    /// The tables nearby.
    Lobby,
    /// Past hands.
    History,
    /// A table.
    Table,
}

/// A move that was chosen before one's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ahead {
    Fold,
    Call(Chips),
    Compare(Chips),
}

/// A note that goes by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) text: String,
    pub(super) until: u64,
    pub(super) bad: bool,
}

/// What a press of the mouse means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Click {
    Choice(usize),
    Act(Act),
    Table(usize),
    Past(usize),
    Field(usize),
    Key(Key),
    /// Nowhere to press: how far the page that lies on top can be scrolled.
    Scroll(usize),
    /// Nowhere to press: the terminal is too small, and nothing of the game is seen.
    TooSmall,
}

/// Places on the screen that can be pressed.
pub type Hits = Vec<Hit>;

/// A place on the screen that can be pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    pub(super) area: Rect,
    pub(super) click: Click,
}

/// The full screen.
#[derive(Debug, Clone)]
pub struct App {
    /// What the player has chosen.
    pub prefs: Prefs,
    pub(super) page: Page,
    pub(super) lobby: Lobby,
    pub(super) sight: Sight,
    pub(super) dialog: Option<Dialog>,
    pub(super) note: Option<Note>,
    /// Which choice Enter makes: none off turn before an arrow was pressed.
    pub(super) chosen: Option<usize>,
    /// When the choices have last changed by themselves on one's own turn.
    fresh_since: Option<u64>,
    /// When the line that is written to others was closed.
    closed_at: Option<u64>,
    pub(super) ahead: Option<Ahead>,
    pub(super) muted: bool,
    pub(super) leaving: bool,
    pub(super) now: u64,
    /// The table that one sits down at, by name or address, where somebody else has opened it.
    pub(super) joining: Option<String>,
    /// Why it could not be reached.
    unreached: Option<String>,
    /// The chips that each sits down with, where that is known.
    buy_in: Option<Chips>,
    /// Chips were asked for, and have not come yet.
    rebuying: bool,
    /// How many have to sit before the table begins by itself, where that is known.
    pub(super) begin: Option<u8>,
    /// The end of a hand that is read, and what waits meanwhile.
    hold: hold::Hold,
    interrupted_at: Option<u64>,
    /// The table was asked for on the command line: when it ends, so does the program.
    only_table: bool,
    /// Where the mouse can press; whoever painted tells.
    pub hits: Hits,
}

/// The next moment at which another second is shown of the time that is left.
const fn next_second(now: u64, end: u64) -> u64 {
    match end.saturating_sub(now) {
        0 => end,
        left => now + (left - 1) % 1_000 + 1,
    }
}

impl App {
    /// The lobby; the questions of the first start where they were not answered yet.
    #[must_use]
    pub fn lobby(prefs: Prefs, guess: &str) -> Self {
        let page = match prefs.name {
            Some(_) => Page::Lobby,
            None => Page::Form(Form::first(prefs.lang(), guess)),
        };
        Self::new(prefs, page, false)
    }

    /// A table that the command line named.
    #[must_use]
    pub fn table(prefs: Prefs) -> Self {
        Self::new(prefs, Page::Table, true)
    }

    fn new(prefs: Prefs, page: Page, only_table: bool) -> Self {
        let collision = prefs.keys.collision(prefs.lang());
        let mut app = Self {
            prefs,
            page,
            lobby: Lobby::default(),
            sight: Sight::default(),
            dialog: None,
            note: None,
            chosen: None,
            fresh_since: None,
            closed_at: None,
            ahead: None,
            muted: false,
            leaving: false,
            now: 0,
            joining: None,
            unreached: None,
            buy_in: None,
            rebuying: false,
            begin: None,
            hold: hold::Hold::default(),
            interrupted_at: None,
            only_table,
            hits: Vec::new(),
        };
        if let Some(text) = collision {
            app.note(text, true);
        }
        app
    }

    pub(super) const fn lang(&self) -> Lang {
        self.prefs.lang()
    }

    /// Is a table on the screen?
    #[must_use]
    pub const fn at_table(&self) -> bool {
        matches!(self.page, Page::Table)
    }

    /// What may be done now.
    pub(super) fn choices(&self) -> Vec<Choice> {
        moves::choices(self.lang(), &self.sight)
    }

    fn acts(&self) -> Vec<Act> {
        self.choices().into_iter().map(|choice| choice.act).collect()
    }

    /// Have the choices just changed by themselves? What is pressed now was meant for others.
    fn is_fresh(&self) -> bool {
        self.fresh_since.is_some_and(|since| self.now < since.saturating_add(FRESH_MS))
    }

    /// Whole seconds until then, a begun one included.
    pub(super) fn seconds_to(&self, end: u64) -> u64 {
        end.saturating_sub(self.now).div_ceil(1_000)
    }

    /// Was a line just closed that was written to others? What is pressed now was meant for it.
    fn is_just_closed(&self) -> bool {
        self.closed_at.is_some_and(|at| self.now < at.saturating_add(CLOSED_MS))
    }

    /// Is nothing seen but a note, because the terminal is too small? Whoever painted tells.
    fn is_unseen(&self) -> bool {
        self.hits.iter().any(|hit| hit.click == Click::TooSmall)
    }

    /// When the picture changes by itself next; nothing while it stays as it is.
    #[must_use]
    pub fn next_tick(&self) -> Option<u64> {
        let mut next = self.note.as_ref().map(|note| note.until);
        let mut sooner = |at: Option<u64>| {
            next = match (next, at) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        };
        sooner(self.interrupted_at.map(|at| at.saturating_add(AGAIN_MS)));
        if let Some(until) = self.hold.until() {
            sooner(Some(next_second(self.now, until)));
        }
        if self.at_table() {
            sooner(self.sight.next_expiry());
            if let Some((end, _)) = self.sight.running_clock().filter(|(end, _)| *end > self.now) {
                sooner(Some(next_second(self.now, end)));
            }
        }
        next
    }

    /// Takes in what happened at this time, in milliseconds, and says what is to be done.
    pub fn update(&mut self, now: u64, input: Input) -> Vec<Effect> {
        self.now = now;
        self.note = self.note.take().filter(|note| now < note.until);
        self.interrupted_at = self.interrupted_at.filter(|at| now < at.saturating_add(AGAIN_MS));
        let mut effects = self.release_if_over();
        self.sight.expire(now);
        effects.extend(self.take(input));
        effects
    }

    fn take(&mut self, input: Input) -> Vec<Effect> {
        match input {
            // Nobody means what is not seen; Ctrl with a key ends, stops or repaints the program.
            Input::Key(key) if self.is_unseen() && !key.ctrl => Vec::new(),
            Input::Paste(_) | Input::Mouse(_) if self.is_unseen() => Vec::new(),
            Input::Key(key) => self.key(key),
            Input::Paste(text) => self.paste(&text),
            Input::Mouse(mouse) => self.mouse(mouse),
            Input::Continue => vec![Effect::Retake],
            Input::Resize | Input::Tick => Vec::new(),
            Input::Event(event) => self.hear(event),
            Input::Tables(tables) => {
                self.lobby.seen(tables);
                Vec::new()
            }
            Input::History(hands) => {
                self.lobby.history = Some(hands);
                Vec::new()
            }
            Input::Ended(problem) => self.end(problem),
            Input::Terminate => vec![Effect::Quit { interrupted: false }],
            Input::Stop => vec![Effect::Suspend],
        }
    }

    fn note(&mut self, text: String, bad: bool) {
        self.note = Some(Note { text, until: self.now.saturating_add(NOTE_MS), bad });
    }

    // ---- what the table tells ----

    fn event(&mut self, heard: u64, event: &Event) -> Vec<Effect> {
        let was_mine = self.sight.view.my_turn().is_some();
        let before = self.acts();
        let stack = self.sight.view.my_seat().map_or(0, |seat| seat.stack);
        self.sight.heard = heard;
        self.sight.leaving = self.leaving;
        if let Event::Table { .. } = event
            && self.sight.view.table.is_none()
        {
            let shown = |act| self.prefs.keys.shown(act);
            let line = m::newcomer(self.lang(), shown(Act::Help), shown(Act::Hint));
            self.sight.tell(line);
        }
        self.learn_buy_in(event);
        self.sight.observe(self.prefs.locale, self.now, event);
        match event {
            Event::Error { code, message, advice } => {
                let (message, advice) = (printable(message), printable(advice));
                if let Some(effects) = self.not_reached(code, &message, &advice) {
                    return effects;
                }
                self.note(format!("{message} {advice}"), true);
            }
            Event::Hand { .. } | Event::Settled { .. } => self.ahead = None,
            Event::Table { .. } if self.rebuying => {
                let now = self.sight.view.my_seat().map_or(0, |seat| seat.stack);
                if now > stack {
                    self.rebuying = false;
                    self.note(m::bought(self.lang(), now - stack, now), false);
                }
            }
            Event::Say { .. } if matches!(self.dialog, Some(Dialog::Chat(_))) => {
                self.sight.unread = 0;
            }
            _ => {}
        }
        if self.muted {
            self.sight.unread = 0;
        }
        if let Some(Dialog::Hint(_, lines)) = &mut self.dialog {
            // Chances change with every card and every fold.
            *lines = self.sight.hint(self.prefs.locale);
        }
        let is_mine = self.sight.view.my_turn().is_some();
        let after = self.acts();
        if before != after || was_mine != is_mine {
            // Off turn nothing is done by a key that was not meant for it.
            self.chosen = is_mine.then_some(0);
            self.fresh_since = is_mine.then_some(self.now);
        }
        if let Some(Dialog::Sure(Sure::Look(_))) = self.dialog
            && !(after.contains(&Act::Move(MoveKind::Look)) && self.sight.may_go_dark())
        {
            self.dialog = None;
        }
        if !is_mine {
            self.drop_move_dialogs();
            return Vec::new();
        }
        if was_mine {
            return Vec::new();
        }
        self.drop_move_dialogs();
        if let Some(command) = self.ahead_command() {
            return vec![Effect::Send(command)];
        }
        if self.prefs.bell == Bell::Off {
            return Vec::new();
        }
        vec![Effect::Ring(m::your_word(self.lang()))]
    }

    /// What is chosen for a turn that is over is chosen for nothing.
    fn drop_move_dialogs(&mut self) {
        let of_turn = match &self.dialog {
            Some(Dialog::Amount(amount)) => amount.purpose != Purpose::Rebuy,
            Some(Dialog::Players(_) | Dialog::Sure(Sure::Pay(..))) => true,
            _ => false,
        };
        if of_turn {
            self.dialog = None;
        }
    }

    fn ended(&mut self, problem: Option<String>) -> Vec<Effect> {
        let interrupted = self.leaving && self.interrupted_at.is_some();
        self.sight = Sight::default();
        self.hold = hold::Hold::default();
        self.dialog = None;
        self.ahead = None;
        self.leaving = false;
        if self.only_table || interrupted {
            return vec![Effect::Quit { interrupted }];
        }
        self.page = Page::Lobby;
        match problem.or(self.unreached.take()) {
            Some(text) => self.note(text, true),
            None => self.note(m::table_left(self.lang()), false),
        }
        vec![Effect::Look]
    }

    // ---- keys ----

    fn key(&mut self, key: Key) -> Vec<Effect> {
        if key.ctrl {
            return match key.place().code {
                Code::Char('c') => self.interrupt(),
                Code::Char('z') => vec![Effect::Suspend],
                Code::Char('l') => vec![Effect::Repaint],
                _ => Vec::new(),
            };
        }
        if let Some(dialog) = self.dialog.take() {
            return self.dialog_key(dialog, key);
        }
        if let Page::Form(form) = &mut self.page {
            let done = form.key(key);
            return self.form_done(done);
        }
        if self.is(key, Act::Help) {
            self.dialog = Some(Dialog::Help(0));
            return Vec::new();
        }
        match self.page {
            Page::Table => self.table_key(key),
            Page::History => self.history_key(key),
            Page::Lobby | Page::Form(_) => self.lobby_key(key),
        }
    }

    fn is(&self, key: Key, act: Act) -> bool {
        self.prefs.keys.is(key, act)
    }

    /// Ctrl-C asks once, with what is at risk; again it leaves; a third time it ends everything.
    fn interrupt(&mut self) -> Vec<Effect> {
        let again = self.interrupted_at.is_some();
        self.interrupted_at = Some(self.now);
        if !self.at_table() {
            if again {
                return vec![Effect::Quit { interrupted: true }];
            }
            self.note(m::ctrl_c_lobby(self.lang()), false);
            return Vec::new();
        }
        if again && self.leaving {
            return vec![Effect::Quit { interrupted: true }];
        }
        if again {
            self.leaving = true;
            self.note(m::ctrl_c_leaving(self.lang()), true);
            return vec![Effect::Send(Command::Leave)];
        }
        let text = if self.sight.in_hand() {
            m::ctrl_c_hand(self.lang(), self.sight.paid)
        } else {
            m::ctrl_c_table(self.lang())
        };
        self.note(text, true);
        Vec::new()
    }

    fn paste(&mut self, text: &str) -> Vec<Effect> {
        for c in printable(text).chars().take(MAX_TEXT) {
            if let Some(Dialog::Amount(amount)) = &mut self.dialog {
                amount.key(Key::char(c));
            } else if let Some(field) = self.dialog.as_mut().and_then(Dialog::text) {
                field.push(c);
            } else if let Page::Form(form) = &mut self.page {
                let _ = form.key(Key::char(c));
            }
        }
        Vec::new()
    }

    fn mouse(&mut self, mouse: Mouse) -> Vec<Effect> {
        match mouse {
            Mouse::Up => self.key(Key::plain(Code::Up)),
            Mouse::Down => self.key(Key::plain(Code::Down)),
            Mouse::Press(x, y) => {
                let here = |hit: &&Hit| hit.area.contains((x, y).into());
                // What was painted last lies on top.
                match self.hits.iter().rev().find(here).map(|hit| hit.click) {
                    Some(click) => self.click(click),
                    None => Vec::new(),
                }
            }
        }
    }

    fn click(&mut self, click: Click) -> Vec<Effect> {
        match click {
            Click::Key(key) => self.key(key),
            Click::Scroll(_) | Click::TooSmall => Vec::new(),
            Click::Choice(_) if self.is_fresh() => {
                self.note(m::too_soon(self.lang()), false);
                Vec::new()
            }
            Click::Choice(at) => {
                self.chosen = Some(at);
                self.choices().get(at).cloned().map_or_else(Vec::new, |one| self.choose(one))
            }
            Click::Act(act) => match self.prefs.keys.keys(act).first() {
                Some(key) => self.key(*key),
                None => Vec::new(),
            },
            Click::Table(at) => {
                let id = self.lobby.tables.get(at).map(|table| table.id.clone());
                if id == self.lobby.at {
                    return self.lobby_key(Key::plain(Code::Enter));
                }
                self.lobby.at = id;
                Vec::new()
            }
            Click::Past(at) => {
                self.lobby.past = at;
                self.lobby.past_scroll = 0;
                Vec::new()
            }
            Click::Field(at) => {
                if let Page::Form(form) = &mut self.page {
                    let same = form.at == at;
                    form.at = at;
                    let press = same
                        || matches!(
                            form.fields.get(at).map(|f| f.id),
                            Some(Id::Go | Id::Switch(_))
                        );
                    if press {
                        // Enter goes on from some fields; the mouse changes what it presses.
                        let choice = form.fields.get(at).map(|field| &field.value);
                        let code = match choice {
                            Some(Value::Choice { .. }) => Code::Right,
                            _ => Code::Enter,
                        };
                        let done = form.key(Key::plain(code));
                        return self.form_done(done);
                    }
                }
                Vec::new()
            }
        }
    }
}
