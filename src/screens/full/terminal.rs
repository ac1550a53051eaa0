//! The only part that touches a terminal: it sets it up, reads keys, paints, and gives it back.

use std::io::{self, Write as _, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event as Raw, KeyCode, KeyEventKind, KeyModifiers, MouseEventKind};
use crossterm::{cursor, execute, terminal};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::app::{App, Effect, Input, Mouse};
use super::keys::{Code, Key};
use super::{Bell, draw};

/// Is the terminal ours at the moment?
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether a full screen can be shown here: a terminal on both sides that can move its cursor.
#[must_use]
pub fn possible() -> bool {
    use std::io::IsTerminal as _;
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb" || term.is_empty());
    io::stdin().is_terminal() && stdout().is_terminal() && !dumb
}

/// Takes the terminal: raw, the other page, the mouse.
fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    terminal::enable_raw_mode()?;
    execute!(
        stdout(),
        terminal::EnterAlternateScreen,
        event::EnableMouseCapture,
        event::EnableBracketedPaste,
        cursor::Hide
    )
}

/// Gives the terminal back as it was. May be called any number of times, from any thread.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Each on its own: where one fails the others still matter.
    let mut out = stdout();
    let _ = execute!(out, event::DisableBracketedPaste);
    let _ = execute!(out, event::DisableMouseCapture);
    let _ = execute!(out, terminal::LeaveAlternateScreen);
    let _ = execute!(out, cursor::Show);
    let _ = terminal::disable_raw_mode();
}

/// The terminal while it is ours; dropped, it is as it was.
pub struct Guard {
    screen: Terminal<CrosstermBackend<io::Stdout>>,
    started: Instant,
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

impl Guard {
    /// Takes the terminal, and sees to it that a panic gives it back before it is told.
    ///
    /// # Errors
    /// The terminal cannot be set up.
    pub fn open() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                give_back();
                before(info);
            }));
        });
        if let Err(error) = take() {
            give_back();
            return Err(error);
        }
        let screen = Terminal::new(CrosstermBackend::new(stdout())).inspect_err(|_| give_back())?;
        Ok(Self { screen, started: Instant::now() })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Lets the next picture be painted whole. `clear` would ask the terminal where its cursor is,
    /// and the answer would come to the thread that reads keys.
    fn repaint(&mut self) -> io::Result<()> {
        let area = self.screen.size()?.into();
        self.screen.resize(area)
    }

    fn paint(&mut self, app: &mut App) -> io::Result<()> {
        let mut hits = Vec::new();
        self.screen.draw(|frame| hits = draw(app, frame))?;
        app.hits = hits;
        Ok(())
    }

    /// Runs the app until it ends: inputs in, paint, effects to `act`. Answers whether it was ended
    /// by Ctrl-C. Nothing runs while nothing happens.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn run(
        &mut self,
        app: &mut App,
        inputs: &Receiver<Input>,
        act: &mut dyn FnMut(Effect),
    ) -> io::Result<bool> {
        self.paint(app)?;
        loop {
            let first = match app.next_tick() {
                Some(at) => {
                    let wait = Duration::from_millis(at.saturating_sub(self.now()));
                    match inputs.recv_timeout(wait) {
                        Ok(input) => input,
                        Err(RecvTimeoutError::Timeout) => Input::Tick,
                        Err(RecvTimeoutError::Disconnected) => return Ok(false),
                    }
                }
                None => match inputs.recv() {
                    Ok(input) => input,
                    Err(_) => return Ok(false),
                },
            };
            let mut effects = app.update(self.now(), first);
            // What has come besides is painted together, but not for ever.
            for input in inputs.try_iter().take(256) {
                effects.extend(app.update(self.now(), input));
            }
            if !TAKEN.load(Ordering::SeqCst) {
                // A part of the program has failed, and its message stands on the terminal.
                return Err(io::Error::other("a part of the program has failed"));
            }
            for effect in effects {
                match effect {
                    Effect::Quit { interrupted } => return Ok(interrupted),
                    Effect::Repaint => self.repaint()?,
                    Effect::Retake => {
                        give_back();
                        take()?;
                        self.repaint()?;
                    }
                    Effect::Suspend => self.suspend()?,
                    Effect::Ring(words) => ring(app.prefs.bell, &words)?,
                    other => act(other),
                }
            }
            self.paint(app)?;
        }
    }

    /// Stops the process as Ctrl-Z does anywhere else; the terminal is the shell's meanwhile.
    fn suspend(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            give_back();
            signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
            take()?;
            self.repaint()?;
        }
        Ok(())
    }
}

fn ring(bell: Bell, words: &str) -> io::Result<()> {
    let mut out = stdout();
    match bell {
        Bell::Off => return Ok(()),
        Bell::Bell => out.write_all(b"\x07")?,
        Bell::Osc9 => write!(out, "\x1b]9;{words}\x07")?,
    }
    out.flush()
}

/// Reads the terminal on a thread of its own until nobody listens.
pub fn read_keys(inputs: Sender<Input>) {
    std::thread::spawn(move || {
        while let Ok(raw) = event::read() {
            if let Some(input) = understood(raw)
                && inputs.send(input).is_err()
            {
                return;
            }
        }
        // The terminal is gone.
        let _ = inputs.send(Input::Terminate);
    });
}

/// Hears the signals that end or stop a process, on a thread of its own.
///
/// # Errors
/// They cannot be heard.
#[cfg(unix)]
pub fn hear_signals(inputs: Sender<Input>, heard: std::sync::Arc<AtomicBool>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    let mut signals =
        signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let input = match signal {
                SIGTSTP => Input::Stop,
                SIGCONT => Input::Continue,
                _ => {
                    heard.store(true, Ordering::SeqCst);
                    Input::Terminate
                }
            };
            if inputs.send(input).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Elsewhere Ctrl-C is a key, and nothing else is heard.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn hear_signals(_: Sender<Input>, _: std::sync::Arc<AtomicBool>) -> io::Result<()> {
    Ok(())
}

/// An event of the terminal as an input; nothing for what means nothing here.
fn understood(raw: Raw) -> Option<Input> {
    Some(match raw {
        // Some terminals tell the release of a key too.
        Raw::Key(key) if key.kind == KeyEventKind::Release => return None,
        Raw::Key(key) => {
            let code = match key.code {
                KeyCode::Char(c) => Code::Char(c),
                KeyCode::Enter => Code::Enter,
                KeyCode::Esc => Code::Esc,
                KeyCode::Tab => Code::Tab,
                KeyCode::BackTab => Code::BackTab,
                KeyCode::Backspace => Code::Backspace,
                KeyCode::Delete => Code::Delete,
                KeyCode::Up => Code::Up,
                KeyCode::Down => Code::Down,
                KeyCode::Left => Code::Left,
                KeyCode::Right => Code::Right,
                KeyCode::PageUp => Code::PageUp,
                KeyCode::PageDown => Code::PageDown,
                KeyCode::Home => Code::Home,
                KeyCode::End => Code::End,
                KeyCode::F(n) => Code::F(n),
                _ => return None,
            };
            Input::Key(Key { code, ctrl: key.modifiers.contains(KeyModifiers::CONTROL) })
        }
        Raw::Mouse(mouse) => Input::Mouse(match mouse.kind {
            MouseEventKind::Down(_) => Mouse::Press(mouse.column, mouse.row),
            MouseEventKind::ScrollUp => Mouse::Up,
            MouseEventKind::ScrollDown => Mouse::Down,
            _ => return None,
        }),
        Raw::Paste(text) => Input::Paste(text),
        Raw::Resize(..) => Input::Resize,
        _ => return None,
    })
}
