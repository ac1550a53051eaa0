//! The state of the full screen, and what each input does to it.

use ratatui::layout::Rect;

use super::super::typed::{self, Typed};
use super::dialog::{Amount, Dialog, Players, Purpose, Sure};
use super::form::{self, Done, Form, Id};
use super::keys::{Act, Code, Key};
use super::lobby::{Lobby, Nearby, PastHand};
use super::moves::{self, Choice, How};
use super::sight::Sight;
use super::{Bell, Prefs};
use crate::event::{Command, Event, MAX_TEXT, Move, MoveKind};
use crate::i18n::{Lang, messages as m, printable};
use crate::rules::{Chips, HouseRules, ThreeTens};

/// Milliseconds for which a note stays.
const NOTE_MS: u64 = 8_000;
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
    pub(super) chosen: usize,
    pub(super) ahead: Option<Ahead>,
    pub(super) muted: bool,
    pub(super) leaving: bool,
    pub(super) now: u64,
    interrupted_at: Option<u64>,
    /// The table was asked for on the command line: when it ends, so does the program.
    only_table: bool,
    /// Where the mouse can press; whoever painted tells.
    pub hits: Hits,
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
        Self {
            prefs,
            page,
            lobby: Lobby::default(),
            sight: Sight::default(),
            dialog: None,
            note: None,
            chosen: 0,
            ahead: None,
            muted: false,
            leaving: false,
            now: 0,
            interrupted_at: None,
            only_table,
            hits: Vec::new(),
        }
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
        if self.at_table() {
            sooner(self.sight.next_expiry());
            if let Some((end, _)) = self.sight.clock.filter(|(end, _)| *end > self.now) {
                // The next moment at which another second is shown.
                let left = end - self.now;
                sooner(Some(self.now + (left - 1) % 1_000 + 1));
            }
        }
        next
    }

    /// Takes in what happened at this time, in milliseconds, and says what is to be done.
    pub fn update(&mut self, now: u64, input: Input) -> Vec<Effect> {
        self.now = now;
        self.note = self.note.take().filter(|note| now < note.until);
        self.interrupted_at = self.interrupted_at.filter(|at| now < at.saturating_add(AGAIN_MS));
        self.sight.expire(now);
        match input {
            Input::Key(key) => self.key(key),
            Input::Paste(text) => self.paste(&text),
            Input::Mouse(mouse) => self.mouse(mouse),
            Input::Continue => vec![Effect::Retake],
            Input::Resize | Input::Tick => Vec::new(),
            Input::Event(event) => self.event(&event),
            Input::Tables(tables) => {
                self.lobby.seen(tables);
                Vec::new()
            }
            Input::History(hands) => {
                self.lobby.history = Some(hands);
                Vec::new()
            }
            Input::Ended(problem) => self.ended(problem),
            Input::Terminate => vec![Effect::Quit { interrupted: false }],
            Input::Stop => vec![Effect::Suspend],
        }
    }

    fn note(&mut self, text: String, bad: bool) {
        self.note = Some(Note { text, until: self.now.saturating_add(NOTE_MS), bad });
    }

    // ---- what the table tells ----

    fn event(&mut self, event: &Event) -> Vec<Effect> {
        let was_mine = self.sight.view.my_turn().is_some();
        self.sight.observe(self.prefs.locale, self.now, event);
        match event {
            Event::Error { message, advice, .. } => {
                self.note(format!("{} {}", printable(message), printable(advice)), true);
            }
            Event::Hand { .. } | Event::Settled { .. } => self.ahead = None,
            Event::Say { .. } if matches!(self.dialog, Some(Dialog::Chat(_))) => {
                self.sight.unread = 0;
            }
            _ => {}
        }
        if self.muted {
            self.sight.unread = 0;
        }
        let most = self.choices().len().saturating_sub(1);
        self.chosen = self.chosen.min(most);
        let is_mine = self.sight.view.my_turn().is_some();
        if !is_mine {
            self.drop_move_dialogs();
            return Vec::new();
        }
        if was_mine {
            return Vec::new();
        }
        self.chosen = 0;
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

    /// The move that was chosen beforehand, if it is still what it was.
    fn ahead_command(&mut self) -> Option<Command> {
        let ahead = self.ahead.take()?;
        let turn = self.sight.view.my_turn()?;
        let price = turn.price?.pass;
        let step = match ahead {
            Ahead::Fold => turn.find(MoveKind::Fold).map(|_| Move::Fold),
            Ahead::Call(then) => turn
                .find(MoveKind::Bet)
                .filter(|legal| legal.min == Some(then))
                .map(|_| Move::Bet(then)),
            Ahead::Compare(then) => {
                turn.find(MoveKind::Compare).filter(|_| then == price).map(|_| Move::Compare)
            }
        };
        if step.is_none() {
            self.note(m::ahead_dropped(self.lang(), price), false);
        }
        step.map(Command::Move)
    }

    fn ended(&mut self, problem: Option<String>) -> Vec<Effect> {
        let interrupted = self.leaving && self.interrupted_at.is_some();
        self.sight = Sight::default();
        self.dialog = None;
        self.ahead = None;
        self.leaving = false;
        if self.only_table || interrupted {
            return vec![Effect::Quit { interrupted }];
        }
        self.page = Page::Lobby;
        match problem {
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
            Click::Choice(at) => {
                self.chosen = at;
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
                        let done = form.key(Key::plain(Code::Enter));
                        return self.form_done(done);
                    }
                }
                Vec::new()
            }
        }
    }

    // ---- the lobby ----

    fn lobby_key(&mut self, key: Key) -> Vec<Effect> {
        let name = self.prefs.name.clone().unwrap_or_default();
        match key.code {
            Code::Up => self.lobby.step(false),
            Code::Down => self.lobby.step(true),
            _ if self.is(key, Act::Join) => return self.join_chosen(),
            _ if self.is(key, Act::Make) => {
                self.page = Page::Form(Form::table(form::Purpose::Make, &name));
            }
            _ if self.is(key, Act::Practise) => {
                self.page = Page::Form(Form::table(form::Purpose::Practise, &name));
            }
            _ if self.is(key, Act::Address) => self.dialog = Some(Dialog::Address(String::new())),
            _ if self.is(key, Act::History) => {
                self.page = Page::History;
                return vec![Effect::ReadHistory];
            }
            _ if self.is(key, Act::Settings) => {
                self.page = Page::Form(Form::settings(self.lang(), &self.prefs));
            }
            _ if self.is(key, Act::Quit) => return vec![Effect::Quit { interrupted: false }],
            _ => {}
        }
        Vec::new()
    }

    fn join_chosen(&mut self) -> Vec<Effect> {
        let lang = self.lang();
        let Some(table) = self.lobby.chosen().cloned() else {
            self.note(m::lobby_nothing_to_join(lang), false);
            return Vec::new();
        };
        let known = self.prefs.name.as_ref().is_some_and(|name| table.players.contains(name));
        if table.free() == 0 && !known {
            self.note(m::lobby_full(lang, printable(&table.name)), true);
            return Vec::new();
        }
        self.sit_down(Wish::Join(table.id))
    }

    fn sit_down(&mut self, wish: Wish) -> Vec<Effect> {
        self.page = Page::Table;
        self.sight = Sight::default();
        self.leaving = false;
        self.chosen = 0;
        self.note = None;
        vec![Effect::Start(wish)]
    }

    fn history_key(&mut self, key: Key) -> Vec<Effect> {
        let last = self.lobby.history.as_ref().map_or(0, Vec::len).saturating_sub(1);
        match key.code {
            Code::Up => self.lobby.past = self.lobby.past.saturating_sub(1),
            Code::Down => self.lobby.past = (self.lobby.past + 1).min(last),
            Code::PageUp => self.lobby.past = self.lobby.past.saturating_sub(10),
            Code::PageDown => self.lobby.past = (self.lobby.past + 10).min(last),
            Code::Home => self.lobby.past = 0,
            Code::End => self.lobby.past = last,
            Code::Esc => self.page = Page::Lobby,
            _ if self.is(key, Act::Quit) || self.is(key, Act::History) => self.page = Page::Lobby,
            _ => {}
        }
        Vec::new()
    }

    fn form_done(&mut self, done: Done) -> Vec<Effect> {
        let Page::Form(form) = &self.page else { return Vec::new() };
        match done {
            Done::Stays => Vec::new(),
            Done::Changed => {
                let lang = if form.text(Id::Lang) == "ru" { Lang::Ru } else { Lang::En };
                self.prefs.locale.lang = lang;
                Vec::new()
            }
            Done::Away if form.purpose == form::Purpose::First => Vec::new(),
            Done::Away => {
                self.page = Page::Lobby;
                Vec::new()
            }
            Done::Go => {
                let form = form.clone();
                self.submit(&form)
            }
        }
    }

    fn submit(&mut self, form: &Form) -> Vec<Effect> {
        let lang = self.lang();
        if let Some(problem) = form.trouble() {
            let naming = |seat: crate::rules::Seat| m::somebody(lang, u64::from(seat.0));
            let text =
                format!("{} {}", problem.message(lang, &naming), problem.advice(lang, &naming));
            self.note(text, true);
            return Vec::new();
        }
        let small = |id| u8::try_from(form.number(id)).unwrap_or(u8::MAX);
        let rules = Box::new(form.rules.clone());
        match form.purpose {
            form::Purpose::First | form::Purpose::Settings => {
                self.prefs.name = Some(printable(&form.text(Id::Name)));
                if form.purpose == form::Purpose::Settings {
                    self.prefs.letters = form.is_on(Id::Letters);
                    self.prefs.four_colours = form.is_on(Id::FourColours);
                    self.prefs.light = form.is_on(Id::Light);
                    self.prefs.bell = Bell::from_name(&form.text(Id::Bell)).unwrap_or_default();
                }
                self.page = Page::Lobby;
                vec![Effect::Save(Box::new(self.prefs.clone()))]
            }
            form::Purpose::Make => {
                let wish = Wish::Make {
                    name: printable(&form.text(Id::Table)),
                    rules,
                    seats: small(Id::Seats),
                    begin: small(Id::Begin).min(small(Id::Seats)),
                    buy_in: form.number(Id::BuyIn),
                    think: form.number(Id::Think),
                };
                self.sit_down(wish)
            }
            form::Purpose::Practise => {
                let wish =
                    Wish::Practise { rules, bots: small(Id::Bots), buy_in: form.number(Id::BuyIn) };
                self.sit_down(wish)
            }
        }
    }

    // ---- the table ----

    fn table_key(&mut self, key: Key) -> Vec<Effect> {
        let choices = self.choices();
        match key.code {
            Code::Up => self.chosen = self.chosen.saturating_sub(1),
            Code::Down => {
                self.chosen = (self.chosen + 1).min(choices.len().saturating_sub(1));
            }
            Code::Enter => {
                if let Some(choice) = choices.get(self.chosen) {
                    return self.choose(choice.clone());
                }
                self.sight.showdown = None;
                self.note = None;
            }
            Code::Esc => {
                self.ahead = None;
                self.note = None;
                self.sight.showdown = None;
            }
            Code::Char(c) if c.is_ascii_digit() => return self.digit(key, &choices),
            _ => {
                if let Some(choice) = choices.iter().find(|choice| self.is(key, choice.act)) {
                    return self.choose(choice.clone());
                }
                return self.table_command(key);
            }
        }
        Vec::new()
    }

    /// A digit begins an amount where one is asked.
    fn digit(&mut self, key: Key, choices: &[Choice]) -> Vec<Effect> {
        let numbered = |choice: &&Choice| matches!(choice.how, How::Number { .. });
        if let Some(choice) = choices.iter().find(numbered) {
            self.choose(choice.clone());
            if let Some(Dialog::Amount(amount)) = &mut self.dialog {
                amount.key(key);
            }
        }
        Vec::new()
    }

    fn table_command(&mut self, key: Key) -> Vec<Effect> {
        let lang = self.lang();
        if self.is(key, Act::Chat) {
            self.sight.unread = 0;
            self.dialog = Some(Dialog::Chat(String::new()));
        } else if self.is(key, Act::Log) {
            self.dialog = Some(Dialog::Log(0));
        } else if self.is(key, Act::Proofs) {
            self.dialog = Some(Dialog::Proofs(0));
        } else if self.is(key, Act::House) {
            self.dialog = Some(Dialog::House(0));
        } else if self.is(key, Act::Mute) {
            self.muted = !self.muted;
            self.sight.unread = 0;
            let text = if self.muted { m::mute_on(lang) } else { m::mute_off(lang) };
            self.note(text, false);
        } else if self.is(key, Act::MoreTime) {
            return vec![Effect::Send(Command::MoreTime)];
        } else if self.is(key, Act::Rebuy) {
            let most = 1_000_000_000;
            let amount = Amount {
                purpose: Purpose::Rebuy,
                text: "100".to_owned(),
                min: 1,
                max: most,
                presets: Vec::new(),
                fresh: true,
            };
            self.dialog = Some(Dialog::Amount(amount));
        } else if self.is(key, Act::SitOut) {
            self.sight.sitting_out = !self.sight.sitting_out;
            let (text, command) = if self.sight.sitting_out {
                (m::sitting_out(lang), Command::SitOut)
            } else {
                (m::sitting_in(lang), Command::Ready)
            };
            self.note(text, false);
            return vec![Effect::Send(command)];
        } else if self.is(key, Act::Start) {
            return vec![Effect::Send(Command::Start)];
        } else if self.is(key, Act::Leave) {
            self.dialog = Some(Dialog::Sure(Sure::Leave));
        } else {
            self.not_now(key);
        }
        Vec::new()
    }

    /// A move that is not open: chosen beforehand where that is possible, else refused with the
    /// reason.
    fn not_now(&mut self, key: Key) {
        let lang = self.lang();
        let acts = [Act::Call, Act::Raise].into_iter();
        let all = acts.chain(MoveKind::ALL.into_iter().map(Act::Move));
        let meant: Vec<Act> = all.filter(|act| self.is(key, *act)).collect();
        let Some(act) = meant.first().copied() else { return };
        if self.sight.view.my_turn().is_none() && self.sight.in_hand() && self.betting() {
            let price = self.sight.view.price.unwrap_or(0);
            let ahead = match act {
                Act::Move(MoveKind::Fold) => Some(Ahead::Fold),
                Act::Call => Some(Ahead::Call(price)),
                Act::Move(MoveKind::Compare) => Some(Ahead::Compare(price)),
                _ => None,
            };
            if let Some(ahead) = ahead {
                self.ahead = if self.ahead == Some(ahead) { None } else { Some(ahead) };
                return;
            }
        }
        let text = self.why_not(act, lang);
        self.note(text, true);
    }

    /// Is it another player's word in betting?
    fn betting(&self) -> bool {
        self.sight.view.turn.as_ref().is_some_and(|turn| turn.price.is_some())
    }

    fn why_not(&self, act: Act, lang: Lang) -> String {
        let view = &self.sight.view;
        let Some(turn) = view.my_turn() else {
            return match &view.turn {
                Some(turn) => m::not_your_turn(lang, view.name(lang, turn.seat)),
                None => m::not_now(lang),
            };
        };
        let rules = view.rules.as_deref();
        match (act, rules) {
            (Act::Move(MoveKind::Compare), Some(rules)) if turn.price.is_some() => {
                m::rules_compare_from(lang, rules.compare_from.to_string())
            }
            (Act::Move(MoveKind::Dark), Some(rules)) if !rules.dark.is_on() => {
                m::rules_dark_off(lang)
            }
            (Act::Move(MoveKind::Dark), Some(_)) => m::why_no_dark(lang),
            (Act::Move(MoveKind::Look), Some(rules)) if view.cards.is_none() => {
                m::rules_dark_look(lang, rules.look.to_string())
            }
            (Act::Move(MoveKind::Redeal), Some(rules)) if rules.three_tens == ThreeTens::Off => {
                m::rules_tens_off(lang)
            }
            (Act::Move(MoveKind::Redeal), Some(_)) => m::why_no_redeal(lang),
            _ => {
                let open = super::super::asking::choices(lang, turn);
                m::only_these(lang, open)
            }
        }
    }

    fn choose(&mut self, choice: Choice) -> Vec<Effect> {
        match choice.how {
            How::Now(command) => self.pay(command, choice.cost),
            How::Number { kind, min, max } => {
                let price = self.sight.view.my_turn().and_then(|turn| turn.price);
                let price = price.map_or(min, |price| price.pass);
                let bank = self.sight.view.bank;
                let amount = Amount::of_move(kind, min, max, price, bank);
                self.dialog = Some(Dialog::Amount(amount));
                Vec::new()
            }
            How::Player { kind, seats } => {
                self.dialog = Some(Dialog::Players(Players { kind, seats, at: 0 }));
                Vec::new()
            }
            How::Dismiss => {
                if !self.sight.questions.is_empty() {
                    self.sight.questions.remove(0);
                }
                Vec::new()
            }
        }
    }

    /// Does it, but asks first where more than half of one's chips goes.
    fn pay(&mut self, command: Command, cost: Chips) -> Vec<Effect> {
        let stack = self.sight.view.my_seat().map_or(0, |seat| seat.stack);
        if cost > 0 && cost.saturating_mul(2) > stack {
            self.dialog = Some(Dialog::Sure(Sure::Pay(command, cost)));
            return Vec::new();
        }
        self.send(command)
    }

    fn send(&mut self, command: Command) -> Vec<Effect> {
        if let Command::Admit { .. } | Command::Unfreeze { .. } | Command::AgreeRules { .. } =
            command
            && !self.sight.questions.is_empty()
        {
            self.sight.questions.remove(0);
        }
        self.note = None;
        vec![Effect::Send(command)]
    }

    // ---- dialogs ----

    fn dialog_key(&mut self, mut dialog: Dialog, key: Key) -> Vec<Effect> {
        if key.code == Code::Esc {
            return Vec::new();
        }
        if let Some(scroll) = dialog.scroll() {
            match key.code {
                Code::Up => *scroll = scroll.saturating_sub(1),
                Code::Down => *scroll = scroll.saturating_add(1),
                Code::PageUp => *scroll = scroll.saturating_sub(10),
                Code::PageDown | Code::Char(' ') => *scroll = scroll.saturating_add(10),
                Code::Home => *scroll = 0,
                // Any other key closes it; nothing else happens, so that a key cannot do two things.
                _ => return Vec::new(),
            }
            *scroll = (*scroll).min(2_000);
            self.dialog = Some(dialog);
            return Vec::new();
        }
        match dialog {
            Dialog::Amount(amount) => self.amount_key(amount, key),
            Dialog::Players(players) => self.players_key(players, key),
            Dialog::Sure(sure) => self.sure_key(sure, key),
            Dialog::Chat(_) | Dialog::Address(_) => self.text_key(dialog, key),
            Dialog::Help(_) | Dialog::Log(_) | Dialog::Proofs(_) | Dialog::House(_) => Vec::new(),
        }
    }

    fn amount_key(&mut self, mut amount: Amount, key: Key) -> Vec<Effect> {
        if key.code != Code::Enter {
            amount.key(key);
            self.dialog = Some(Dialog::Amount(amount));
            return Vec::new();
        }
        let Some(value) = amount.value() else {
            let text = m::amount_limits(self.lang(), amount.min, amount.max);
            self.note(text, true);
            self.dialog = Some(Dialog::Amount(amount));
            return Vec::new();
        };
        let Some(command) = amount.command(self.sight.view.me) else { return Vec::new() };
        let paid = match amount.purpose {
            Purpose::Move(MoveKind::Bet | MoveKind::Dark) | Purpose::Pool(..) => value,
            _ => 0,
        };
        self.pay(command, paid)
    }

    fn players_key(&mut self, mut players: Players, key: Key) -> Vec<Effect> {
        let last = players.seats.len().saturating_sub(1);
        match key.code {
            Code::Up => players.at = players.at.saturating_sub(1),
            Code::Down => players.at = (players.at + 1).min(last),
            Code::Enter => {
                let Some(seat) = players.seats.get(players.at).copied() else {
                    return Vec::new();
                };
                let step = match players.kind {
                    MoveKind::Expose => Move::Expose(seat),
                    MoveKind::Pact => Move::Pact(seat),
                    _ => {
                        let sum = self.sight.entry.unwrap_or(0);
                        let half = sum.div_ceil(2);
                        self.dialog = Some(Dialog::Amount(Amount {
                            purpose: Purpose::Pool(seat, sum),
                            text: half.to_string(),
                            min: 1,
                            max: sum.saturating_sub(1).max(1),
                            presets: Vec::new(),
                            fresh: true,
                        }));
                        return Vec::new();
                    }
                };
                return self.send(Command::Move(step));
            }
            _ => {}
        }
        self.dialog = Some(Dialog::Players(players));
        Vec::new()
    }

    fn sure_key(&mut self, sure: Sure, key: Key) -> Vec<Effect> {
        let yes = key.code == Code::Enter || self.is(key, Act::Move(MoveKind::Accept));
        if !yes {
            if !self.is(key, Act::Move(MoveKind::Refuse)) {
                self.dialog = Some(Dialog::Sure(sure));
            }
            return Vec::new();
        }
        match sure {
            Sure::Pay(command, _) => self.send(command),
            Sure::Leave => {
                self.leaving = true;
                self.note(m::leaving(self.lang()), false);
                vec![Effect::Send(Command::Leave)]
            }
        }
    }

    /// A line that could be typed without the full screen.
    fn typed(&mut self, line: &str) -> Vec<Effect> {
        let lang = self.lang();
        match typed::read(lang, &self.sight.view, line) {
            Ok(Typed::Command(command)) => return self.send(command),
            Ok(Typed::Help) => {
                self.dialog = Some(Dialog::Help(0));
            }
            Ok(Typed::Nothing | Typed::Who | Typed::Hint | Typed::Rules) => {}
            Err(problem) => self.note(problem.text(lang), true),
        }
        Vec::new()
    }

    fn text_key(&mut self, mut dialog: Dialog, key: Key) -> Vec<Effect> {
        let Some(text) = dialog.text() else { return Vec::new() };
        match key.code {
            Code::Enter => {
                let text = text.trim().to_owned();
                return match dialog {
                    _ if text.is_empty() => Vec::new(),
                    Dialog::Address(_) => self.sit_down(Wish::Join(text)),
                    _ => {
                        if let Some(line) = text.strip_prefix('/') {
                            return self.typed(line);
                        }
                        // The line stays open for the answer.
                        self.dialog = Some(Dialog::Chat(String::new()));
                        vec![Effect::Send(Command::Say(text))]
                    }
                };
            }
            Code::Backspace => drop(text.pop()),
            Code::Char(c) if !c.is_control() && text.len() + c.len_utf8() <= MAX_TEXT => {
                text.push(c);
            }
            _ => {}
        }
        self.dialog = Some(dialog);
        Vec::new()
    }
}
