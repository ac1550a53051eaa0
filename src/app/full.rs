//! The full screen with nodes behind it: the lobby looks for tables, a wish becomes a node, and when
//! that ends the lobby is back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::console::Console;
use super::{Failure, play};
use crate::cli::{Exit, Global, PRACTICE_THINK, TablePlan};
use crate::event::Command;
use crate::i18n::{Lang, Problem, by_number};
use crate::node::{self, Role, Settings};
use crate::screens::full::terminal::{Guard, hear_signals, read_keys};
use crate::screens::full::{App, Effect, FullScreen, Input, Prefs, Wish};

mod past;
mod prefs;

use past::Past;

/// Commands that may wait for a node.
const LINES: usize = 64;
/// How long a node may take to end with the program.
const END: Duration = Duration::from_secs(3);

/// `trinka` on a terminal.
pub(super) fn lobby(global: &Global, console: &Console<'_>) -> Result<Exit, Failure> {
    let mut settings = play::settings(global, console)?;
    let prefs = prefs::read(global, &settings);
    let guess = prefs::guess(&settings);
    personal(&mut settings, &prefs);
    run(global, settings, App::lobby(prefs, &guess), None)
}

/// `trinka host`, `join` and `practice` on a terminal, for somebody who is seen to choose `prefs`.
pub(super) fn table(
    global: &Global,
    settings: Settings,
    role: Role,
    prefs: Prefs,
) -> Result<Exit, Failure> {
    run(global, settings, App::table(prefs), Some(role))
}

/// What was chosen before, told to whoever plays too: the language, and the name. Who has chosen none
/// yet goes by the name that the system has for them.
pub(super) fn chosen(global: &Global, settings: &mut Settings) -> Prefs {
    let prefs = prefs::read(global, settings);
    personal(settings, &prefs);
    if settings.name.is_none() {
        settings.name = Some(prefs::guess(settings)).filter(|name| !name.is_empty());
    }
    prefs
}

/// The name that was chosen before, if one was.
pub(super) fn kept_name(global: &Global, settings: &Settings) -> Option<String> {
    prefs::read(global, settings).name
}

fn personal(settings: &mut Settings, prefs: &Prefs) {
    settings.locale = prefs.locale;
    settings.name.clone_from(&prefs.name);
}

fn run(
    global: &Global,
    settings: Settings,
    mut app: App,
    role: Option<Role>,
) -> Result<Exit, Failure> {
    let lang = app.prefs.locale.lang;
    let broken =
        |error: std::io::Error| Failure::from(Problem::BrokenOff { reason: error.to_string() });
    let (inputs, waiting) = channel();
    let signalled = Arc::new(AtomicBool::new(false));
    hear_signals(inputs.clone(), Arc::clone(&signalled)).map_err(broken)?;
    let mut guard = Guard::open().map_err(broken)?;
    read_keys(inputs.clone());
    let mut session = Session {
        global,
        settings,
        inputs,
        seat: None,
        looking: None,
        ended: Arc::default(),
        past: Past::default(),
    };
    match &role {
        Some(Role::Join(target)) => app = app.guest(target.as_deref()),
        Some(Role::Host(plan)) => app = app.host(plan.buy_in, plan.min_players),
        None => {}
    }
    match role {
        Some(role) => {
            let settings = session.settings.clone();
            session.start(settings, role);
        }
        None => session.look(),
    }
    let interrupted = guard.run(&mut app, &waiting, &mut |effect| session.act(effect));
    drop(guard);
    let exit = session.end(&waiting, signalled.load(Ordering::SeqCst));
    let interrupted = interrupted.map_err(broken)?;
    match exit {
        Some(Err(problem)) => {
            eprintln!("{}", problem.text(lang));
            Ok(Exit::Failure)
        }
        _ if signalled.load(Ordering::SeqCst) => Ok(Exit::Terminated),
        _ if interrupted => Ok(Exit::Interrupted),
        Some(Ok(exit)) => Ok(exit),
        None => Ok(Exit::Ok),
    }
}

/// A node that runs.
struct Seat {
    lines: mpsc::Sender<String>,
    thread: JoinHandle<()>,
}

/// A search that runs.
struct Looking {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Looking {
    /// Ends it, and waits until its port is free again.
    fn end(self) {
        // One that has ended by itself hears nothing.
        let _ = self.stop.send(());
        let _ = self.thread.join();
    }
}

/// How a node has ended, for the end of the program.
type Ended = Arc<std::sync::Mutex<Option<Result<Exit, Problem>>>>;

/// What runs behind the screen.
struct Session<'a> {
    global: &'a Global,
    settings: Settings,
    inputs: Sender<Input>,
    seat: Option<Seat>,
    looking: Option<Looking>,
    ended: Ended,
    past: Past,
}

impl Session<'_> {
    fn act(&mut self, effect: Effect) {
        match effect {
            Effect::Send(command) => self.send(&command),
            Effect::Start(wish) => self.wish(wish),
            Effect::Look => self.look(),
            Effect::Save(prefs) => {
                self.settings.name = prefs.name.clone().or(self.settings.name.take());
                self.settings.locale = prefs.locale;
                if let Err(problem) = prefs::save(&self.settings.data_dir, &prefs) {
                    self.trouble(&problem);
                }
            }
            Effect::ReadHistory => self.past.read(&self.settings, &self.inputs),
            // The terminal's own.
            Effect::Ring(_)
            | Effect::Suspend
            | Effect::Repaint
            | Effect::Retake
            | Effect::Quit { .. } => {}
        }
    }

    /// Shows a problem that no table told.
    fn trouble(&self, problem: &Problem) {
        trouble(&self.inputs, self.settings.locale.lang, problem);
    }

    fn send(&self, command: &Command) {
        let Some(seat) = &self.seat else { return };
        if let Ok(line) = serde_json::to_string(command)
            && seat.lines.try_send(line).is_err()
        {
            self.trouble(&Problem::TooFast);
        }
    }

    fn wish(&mut self, wish: Wish) {
        let (settings, role) = match self.role(wish) {
            Ok(found) => found,
            Err(failure) => {
                let text = failure.problem.text(self.settings.locale.lang);
                let _ = self.inputs.send(Input::Ended(Some(text)));
                return;
            }
        };
        self.start(settings, role);
    }

    /// What a wish means for a node.
    fn role(&self, wish: Wish) -> Result<(Settings, Role), Failure> {
        let settings = self.settings.clone();
        Ok(match wish {
            Wish::Join(target) => (settings, Role::Join(Some(target))),
            Wish::Make { name, rules, seats, begin, buy_in, think } => {
                let plan = TablePlan {
                    name: Some(name).filter(|name| !name.is_empty()),
                    rules: *rules,
                    seats,
                    buy_in,
                    think,
                    hands: None,
                    min_players: begin,
                    bots: 0,
                };
                (settings, Role::Host(plan))
            }
            Wish::Practise { rules, bots, buy_in, pace } => {
                let plan = TablePlan {
                    name: None,
                    rules: *rules,
                    seats: bots.saturating_add(1),
                    buy_in,
                    think: PRACTICE_THINK,
                    hands: None,
                    min_players: bots.saturating_add(1),
                    bots,
                };
                let (mut settings, role) = play::practice_table(self.global, settings, plan)?;
                for companion in &mut settings.companions {
                    companion.pace_ms = pace;
                }
                (settings, role)
            }
        })
    }

    /// Starts a node on a thread of its own, after the search has ended: both want the same port.
    fn start(&mut self, settings: Settings, role: Role) {
        let (lines, read) = mpsc::channel(LINES);
        let looking = self.looking.take();
        let before = self.seat.take();
        let (inputs, ended) = (self.inputs.clone(), Arc::clone(&self.ended));
        let thread = thread::spawn(move || {
            if let Some(looking) = looking {
                looking.end();
            }
            if let Some(before) = before {
                drop(before.lines);
                let _ = before.thread.join();
            }
            let lang = settings.locale.lang;
            let screen = Box::new(FullScreen::new(settings.locale, inputs.clone()));
            let result =
                catch_unwind(AssertUnwindSafe(|| node::play_on(settings, role, screen, read)));
            let result = result.unwrap_or_else(|_| {
                Err(Problem::Internal { reason: "a part of the program has failed".to_owned() })
            });
            let text = result.as_ref().err().map(|problem| problem.text(lang));
            if let Ok(mut ended) = ended.lock() {
                *ended = Some(result);
            }
            let _ = inputs.send(Input::Ended(text));
        });
        self.seat = Some(Seat { lines, thread });
    }

    fn look(&mut self) {
        if self.looking.is_some() {
            return;
        }
        if let Ok(mut ended) = self.ended.lock() {
            *ended = None;
        }
        let before = self.seat.take();
        let settings = self.settings.clone();
        let inputs = self.inputs.clone();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            if let Some(before) = before {
                drop(before.lines);
                let _ = before.thread.join();
            }
            let lang = settings.locale.lang;
            let tell = inputs.clone();
            let result = node::watch(settings, stopped, &mut |tables| {
                let _ = tell.send(Input::Tables(tables));
            });
            if let Err(problem) = result {
                trouble(&inputs, lang, &problem);
            }
        });
        self.looking = Some(Looking { stop, thread });
    }

    /// Ends what still runs, and says how the last node ended.
    fn end(mut self, waiting: &Receiver<Input>, signalled: bool) -> Option<Result<Exit, Problem>> {
        if let Some(looking) = self.looking.take() {
            drop(looking.stop);
        }
        if let Some(seat) = self.seat.take() {
            // A node that was asked to end by a signal has heard it itself; else it leaves now.
            if !signalled {
                drop(seat.lines);
            }
            let until = std::time::Instant::now() + END;
            while !seat.thread.is_finished() && std::time::Instant::now() < until {
                // What it still tells is not shown any more.
                let _ = waiting.recv_timeout(Duration::from_millis(20));
            }
        }
        self.ended.lock().ok()?.take()
    }
}

/// Shows a problem that no table told.
fn trouble(inputs: &Sender<Input>, lang: Lang, problem: &Problem) {
    // A screen that is gone shows nothing any more.
    let _ = inputs.send(Input::Event(Box::new(problem.event(lang, &by_number(lang)))));
}

/// The language that settings are told in.
const fn tag(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "en",
        Lang::Ru => "ru",
    }
}
