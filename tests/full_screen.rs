//! The full screen in a real terminal: tmux is one, with a model of what stands on the screen.
//!
//! Where there is no tmux, or not on Unix, nothing is tested here, and that is said.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_trinka");

/// A terminal with a shell in it.
struct Terminal {
    socket: String,
    dir: tempfile::TempDir,
}

impl Terminal {
    /// Nothing where there is no tmux.
    fn open(name: &str, (width, height): (u16, u16)) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("no tmux: the full screen is not tested in a terminal");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let socket = format!("trinka-{name}-{}", std::process::id());
        let terminal = Self { socket, dir };
        let size = [width.to_string(), height.to_string()];
        let shell = "env -i PATH=/usr/bin:/bin TERM=screen-256color LANG=C.UTF-8 LC_ALL=C.UTF-8 \
                     PS1=ready: sh";
        terminal.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &size[0],
            "-y",
            &size[1],
            shell,
        ]);
        terminal.wait("ready:");
        Some(terminal)
    }

    fn tmux(&self, words: &[&str]) -> String {
        let out = Command::new("tmux").args(["-u", "-L", &self.socket]).args(words).output();
        String::from_utf8_lossy(&out.unwrap().stdout).into_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.tmux(&["send-keys", key]);
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    fn text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        std::thread::sleep(Duration::from_millis(40));
    }

    fn seen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// Keeps what stands on the screen, for the documentation, where that is asked for.
    fn capture(&self, name: &str) {
        if let Some(dir) = std::env::var_os("TRINKA_CAPTURE") {
            let lines: Vec<String> =
                self.seen().lines().map(|line| line.trim_end().to_owned()).collect();
            let file = Path::new(&dir).join(format!("{name}.txt"));
            std::fs::write(file, lines.join("\n") + "\n").unwrap();
        }
    }

    fn wait(&self, text: &str) -> String {
        self.wait_for(text, |seen| seen.contains(text))
    }

    fn wait_for(&self, what: &str, test: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let seen = self.seen();
            if test(&seen) {
                return seen;
            }
            assert!(Instant::now() < end, "{what} does not come:\n{seen}");
            std::thread::sleep(Duration::from_millis(60));
        }
    }

    /// Starts the program from the shell, between two looks at the terminal's modes.
    fn start(&self, arguments: &str) {
        let (before, after) = (self.path("before"), self.path("after"));
        let line = format!(
            "stty -g > {}; {PROGRAM} {arguments} --data {} --no-mdns --beacon loopback \
             --listen 127.0.0.1:0; echo ended=$?; stty -g > {}",
            before.display(),
            self.path("data").display(),
            after.display()
        );
        self.text(&line);
        self.keys(&["Enter"]);
    }

    /// The program has ended so, and the terminal is as it was.
    fn ended(&self, code: u8) {
        self.wait_for("the end", |seen| seen.contains(&format!("ended={code}\n")));
        self.clean();
    }

    fn clean(&self) {
        let modes = |name| std::fs::read_to_string(self.path(name)).unwrap_or_default();
        let end = Instant::now() + Duration::from_secs(5);
        while modes("after").is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(modes("before"), modes("after"));
        let flags = self.tmux(&[
            "display-message",
            "-p",
            "#{alternate_on} #{cursor_flag} #{mouse_any_flag}",
        ]);
        assert_eq!(flags.trim(), "0 1 0");
    }

    /// A bot that joins the table which is around.
    fn bot(&self, name: &str) -> Bot {
        let child = Command::new(PROGRAM)
            .args(["join", "Анна", "--bot", "--ui", "json", "--no-mdns", "--beacon", "loopback"])
            .args(["--listen", "127.0.0.1:0", "--name", name, "--data"])
            .arg(self.path(name))
            .env("TRINKA_CONFIG", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Bot(child)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

struct Bot(Child);

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What stands on the screen in one language.
struct Words {
    tag: &'static str,
    over: &'static str,
    done: &'static str,
    yes: &'static str,
    stay: &'static str,
    fold: &'static str,
    compare: &'static str,
    /// The key for a hint, and what the page is called.
    hint: (&'static str, &'static str),
}

const RUSSIAN: Words = Words {
    tag: "ru",
    over: "Кон N окончен",
    done: "[Enter] сделать",
    yes: "[Enter] Да",
    stay: "[C] Дальше за",
    fold: "[F] Пас",
    compare: "[V] Вскрыться за",
    hint: ("р", "Что старше и каковы шансы"),
};

const ENGLISH: Words = Words {
    tag: "en",
    over: "Hand N is over",
    done: "[Enter] do it",
    yes: "[Enter] Yes",
    stay: "[C] Stay for",
    fold: "[F] Fold",
    compare: "[V] Compare for",
    hint: ("h", "What beats what, and your chances"),
};

/// How somebody plays: how often they stay before they fold, whether they compare as soon as they may,
/// and their keys.
struct Style {
    stays: usize,
    compares: bool,
    stay: &'static str,
    fold: &'static str,
    compare: &'static str,
}

const CYRILLIC: Style = Style { stays: 1, compares: false, stay: "с", fold: "а", compare: "м" };
const LATIN: Style = Style { stays: 1, compares: false, stay: "c", fold: "f", compare: "v" };
const BRAVE: Style = Style { stays: 6, compares: true, stay: "c", fold: "f", compare: "v" };

/// Plays until this hand is over, and tells what stands on the screen then; whatever else is asked is
/// answered by what the program proposes.
fn play(terminal: &Terminal, words: &Words, hand: u64, style: &Style) -> String {
    let end = Instant::now() + Duration::from_secs(120);
    let over = words.over.replace('N', &hand.to_string());
    let mut stayed = 0;
    loop {
        let seen = terminal.seen();
        if seen.contains(&over) {
            return seen;
        }
        assert!(Instant::now() < end, "hand {hand} has no end:\n{seen}");
        let line = |mark: &str| seen.lines().any(|line| line.contains(mark));
        if line(words.done) || line(words.yes) {
            terminal.keys(&["Enter"]);
        } else if line(words.compare) && style.compares {
            terminal.text(style.compare);
        } else if line(words.stay) && stayed < style.stays {
            if stayed == 0 && hand == 1 {
                look_at_hint(terminal, words);
            }
            terminal.text(style.stay);
            stayed += 1;
            std::thread::sleep(Duration::from_millis(300));
        } else if line(words.fold) {
            terminal.text(style.fold);
        } else if line("▸[") {
            terminal.keys(&["Enter"]);
        }
        std::thread::sleep(Duration::from_millis(120));
    }
}

/// The first own word: the screen is kept, and a hint asked for.
fn look_at_hint(terminal: &Terminal, words: &Words) {
    terminal.capture(&format!("{}-table", words.tag));
    let (key, title) = words.hint;
    terminal.text(key);
    terminal.wait(title);
    terminal.capture(&format!("{}-hint", words.tag));
    terminal.keys(&["Escape"]);
    terminal.wait_for("the table", |seen| !seen.contains(title));
}

#[test]
fn a_person_who_has_never_seen_it_plays_with_bots() {
    let Some(terminal) = Terminal::open("person", (80, 24)) else { return };
    terminal.start("");
    // Name and language, and nothing else.
    terminal.wait("Your name");
    for _ in 0..12 {
        terminal.keys(&["BSpace"]);
    }
    terminal.text("Анна");
    terminal.keys(&["Down", "Right"]);
    terminal.wait("Ваше имя");
    terminal.keys(&["Down", "Enter"]);
    terminal.wait("Ищем столы");
    terminal.capture("ru-lobby");
    terminal.text("?");
    terminal.wait("Как играть");
    terminal.capture("ru-help");
    terminal.keys(&["Escape"]);
    // A table for three, on a Russian keyboard.
    terminal.text("т");
    terminal.wait("Название стола");
    terminal.capture("ru-new-table");
    terminal.keys(&["Down", "Down", "Down", "Right", "Down", "Down", "Down", "Enter"]);
    terminal.wait("Ждём ещё игроков");
    terminal.capture("ru-waiting");
    let _bots = [terminal.bot("Boris"), terminal.bot("Vera")];
    terminal.wait("Boris");
    terminal.wait("Vera");
    play(&terminal, &RUSSIAN, 1, &CYRILLIC);
    terminal.capture("ru-hand-over");
    play(&terminal, &RUSSIAN, 2, &LATIN);
    // The proofs of the hand can be looked at, and closed.
    terminal.text("ш");
    terminal.wait("Честность");
    terminal.capture("ru-proofs");
    terminal.keys(&["Escape"]);
    // Leaving asks first.
    terminal.text("й");
    terminal.wait("Уйти из-за стола?");
    terminal.keys(&["Enter"]);
    let end = Instant::now() + Duration::from_secs(60);
    while !terminal.seen().contains("Что будем делать?") {
        assert!(Instant::now() < end, "no way back:\n{}", terminal.seen());
        std::thread::sleep(Duration::from_millis(100));
    }
    terminal.text("q");
    terminal.ended(0);
    // The next start asks nothing.
    std::fs::remove_file(terminal.path("after")).unwrap();
    terminal.text("clear");
    terminal.keys(&["Enter"]);
    terminal.start("");
    terminal.wait("Что будем делать?");
    terminal.keys(&["C-c"]);
    terminal.wait("Ещё раз Ctrl-C");
    terminal.keys(&["C-c"]);
    terminal.ended(130);
}

#[test]
fn practice_is_a_key_away_and_a_stop_gives_the_terminal_back() {
    let Some(terminal) = Terminal::open("practice", (80, 24)) else { return };
    terminal.start("--name Anna --lang en");
    terminal.wait("Looking for tables");
    terminal.capture("en-lobby");
    terminal.text("?");
    terminal.wait("How to play");
    terminal.capture("en-help");
    terminal.keys(&["Escape"]);
    terminal.text("p");
    terminal.wait("Opponents");
    // Seka, where the last two show their cards to all.
    terminal.keys(&["Right", "Right", "Down", "Down", "Down", "Down", "Enter"]);
    terminal.wait("What happened");
    // Hand after hand, until two have compared: then both lie there to be read.
    let mut hands = 1..=12;
    let compared = hands.any(|hand| {
        let seen = play(&terminal, &ENGLISH, hand, &BRAVE);
        terminal.capture("en-showdown");
        // It stays to be read, and a key goes on.
        assert!(seen.contains("[Enter] next hand"), "{seen}");
        terminal.keys(&["Enter"]);
        terminal.wait_for("the next hand", |seen| !seen.contains("[Enter] next hand"));
        seen.contains(" compared with ") && seen.matches(" points").count() >= 2
    });
    assert!(compared, "nobody has compared in twelve hands:\n{}", terminal.seen());
    // A larger window is used at once.
    terminal.tmux(&["resize-window", "-x", "200", "-y", "60"]);
    terminal.wait_for("the width", |seen| seen.lines().any(|line| line.chars().count() > 150));
    std::thread::sleep(Duration::from_secs(1));
    terminal.capture("wide-en-table");
    // Ctrl-Z: the shell has the terminal, and with fg the screen is back.
    terminal.keys(&["C-z"]);
    terminal.wait_for("the shell", |seen| seen.trim_end().ends_with("ready:"));
    assert!(terminal.tmux(&["display-message", "-p", "#{alternate_on}"]).starts_with('0'));
    terminal.text("fg; echo code=$?");
    terminal.keys(&["Enter"]);
    terminal.wait("What happened");
    // The same by a signal from outside.
    kill(&terminal, "TSTP");
    terminal.wait_for("the shell", |seen| seen.trim_end().ends_with("ready:"));
    assert!(terminal.tmux(&["display-message", "-p", "#{alternate_on}"]).starts_with('0'));
    terminal.text("clear; fg; echo code=$?");
    terminal.keys(&["Enter"]);
    terminal.wait("What happened");
    kill(&terminal, "TERM");
    terminal.wait("code=143");
    let flags = terminal.tmux(&[
        "display-message",
        "-p",
        "#{alternate_on} #{cursor_flag} #{mouse_any_flag}",
    ]);
    assert_eq!(flags.trim(), "0 1 0");
}

#[test]
fn a_terminal_that_hangs_up_ends_the_program() {
    let Some(terminal) = Terminal::open("hangup", (80, 24)) else { return };
    terminal.start("--name Anna --lang en");
    terminal.wait("Looking for tables");
    kill(&terminal, "HUP");
    terminal.ended(143);
}

/// What the next test runs in a terminal: a part of the program fails while the screen is full.
#[test]
#[ignore = "only in a terminal"]
fn fails_in_a_terminal() {
    let _guard = trinka::screens::full::terminal::Guard::open().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let _ = std::thread::spawn(|| panic!("as it was told to")).join();
    // The terminal is back before anything else is cleared away.
    std::thread::sleep(Duration::from_secs(3));
}

#[test]
fn a_failure_gives_the_terminal_back_before_it_is_told() {
    let Some(terminal) = Terminal::open("failure", (120, 30)) else { return };
    let this = std::env::current_exe().unwrap();
    let (before, after) = (terminal.path("before"), terminal.path("after"));
    let line = format!(
        "stty -g > {}; {} --ignored --exact fails_in_a_terminal --nocapture; stty -g > {}; \
         echo ended=$?",
        before.display(),
        this.display(),
        after.display()
    );
    terminal.text(&line);
    terminal.keys(&["Enter"]);
    let alternate = || terminal.tmux(&["display-message", "-p", "#{alternate_on}"]);
    terminal.wait_for("the full screen", |_| alternate().starts_with('1'));
    terminal.wait("as it was told to");
    assert!(alternate().starts_with('0') && !after.exists());
    terminal.ended(0);
}

/// Sends a signal to the program that runs on this data directory.
fn kill(terminal: &Terminal, signal: &str) {
    let data = terminal.path("data");
    let pid = find(&data);
    assert!(
        Command::new("kill").args(["-s", signal, &pid.to_string()]).status().unwrap().success()
    );
}

/// The process of the program with this data directory, whose bots have one within it.
fn find(data: &Path) -> u32 {
    let wanted = data.display().to_string();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(line) = std::fs::read(entry.path().join("cmdline")) else { continue };
        let words: Vec<String> = line
            .split(|byte| *byte == 0)
            .map(|w| String::from_utf8_lossy(w).into_owned())
            .collect();
        if words.first().is_some_and(|first| first.ends_with("trinka")) && words.contains(&wanted) {
            return pid;
        }
    }
    panic!("the program does not run");
}
