//! People at the table: everything is typed, and read as it is shown.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod common;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{ALONE, BOT, Node, PLAIN, TRINKA, assert_transcripts};

/// What is shown and typed in one language.
struct Words {
    lang: &'static str,
    /// The question.
    question: &'static str,
    cut: &'static str,
    cut_word: &'static str,
    call: &'static str,
    compare: &'static str,
    fold: &'static str,
    leave: &'static str,
    /// The end of the first hand.
    over: &'static str,
    /// Wrong at one's first bet, and what is answered.
    wrong: &'static [(&'static str, &'static str)],
}

const ENGLISH: Words = Words {
    lang: "en",
    question: "Your word?",
    cut: "cut 3",
    cut_word: "cut ",
    call: "call",
    compare: "compare",
    fold: "fold",
    leave: "leave",
    over: "Hand 1 is over",
    wrong: &[
        ("foo", "I do not know “foo”"),
        ("raise 100000", "100000 is more than"),
        ("raise", "needs a number"),
        ("raise ten", "is not a whole number"),
        ("bet 0", "0 is less than"),
        ("fold now", "too much at the end"),
        ("accept", "“accept” is not possible now"),
        ("cut 3", "“cut” is not possible now"),
    ],
};

const RUSSIAN: Words = Words {
    lang: "ru",
    question: "Ваше слово?",
    cut: "снять 5",
    cut_word: "снять ",
    call: "дальше",
    compare: "вскрываюсь",
    fold: "пас",
    leave: "ухожу",
    over: "Кон 1 окончен",
    wrong: &[
        ("абырвалг", "Не знаю слова «абырвалг»"),
        ("повысить 100000", "100000 больше, чем можно"),
        ("повысить", "нужно число фишек"),
        ("ставлю 0", "0 меньше прохода"),
        ("пас сразу", "В конце лишнее"),
        ("да", "«да» сейчас нельзя"),
        ("снять 5", "«снять» сейчас нельзя"),
    ],
};

/// A bot that hosts, and its address.
fn opponent(place: &Path, options: &str) -> (Node, String) {
    let mut bot = Node::start(
        &[],
        &place.join("bot"),
        &format!("{ALONE} {BOT} --name Bot host table {PLAIN} {options}"),
    );
    let address = bot.address();
    (bot, address)
}

fn person(place: &Path, words: &Words, address: &str) -> Node {
    let args = format!("{ALONE} --ui plain --lang {} --name Vera join {address}", words.lang);
    Node::start(&[], &place.join("vera"), &args)
}

/// Answers questions until the hand is over. Every wrong line is tried at the first bet.
fn play_a_hand(node: &mut Node, words: &Words) -> Vec<&'static str> {
    let mut typed = Vec::new();
    let mut tried = false;
    loop {
        let line = node.line(30, "a question or the end", |l| {
            l.starts_with(words.question) || l.starts_with(words.over)
        });
        if line.starts_with(words.over) {
            return typed;
        }
        if line.contains(words.cut_word) {
            node.type_line(words.cut);
            continue;
        }
        if !tried {
            tried = true;
            for (wrong, answer) in words.wrong {
                node.type_line(wrong);
                node.line(5, answer, |l| l.contains(answer));
            }
            node.type_line("");
        }
        if line.contains(words.compare) {
            node.type_line(words.compare);
            typed.push("compare");
        } else {
            node.type_line(words.call);
            typed.push("bet");
        }
    }
}

/// What a seat did, as the other one was told.
fn moves(node: &Node, seat: u64) -> Vec<String> {
    let moved = node.all("moved");
    moved
        .iter()
        .filter(|e| e["seat"] == seat)
        .map(|e| e["move"].as_str().unwrap().to_owned())
        .collect()
}

fn plays_and_leaves_between_hands(words: &Words) {
    let place = tempfile::tempdir().unwrap();
    let (mut bot, address) = opponent(place.path(), "");
    let mut vera = person(place.path(), words, &address);
    let typed = play_a_hand(&mut vera, words);
    vera.type_line(words.leave);
    assert_eq!(vera.exit(20), 0, "{}", vera.stderr());
    assert_eq!(vera.stderr(), "");
    assert!(assert_transcripts(&vera.dir) > 0);

    // The bot was told of exactly the moves that were typed, and is alone now.
    bot.left_alone();
    assert!(assert_transcripts(&bot.dir) > 0);
    let first: Vec<_> = moves(&bot, 1).into_iter().take(typed.len()).collect();
    assert_eq!(first, typed);
    let settled = bot.all("settled");
    let chips: u64 = settled.last().unwrap()["stacks"]
        .as_object()
        .unwrap()
        .values()
        .map(|s| s.as_u64().unwrap())
        .sum();
    assert_eq!(chips, 200);
}

#[test]
fn a_hand_in_english() {
    plays_and_leaves_between_hands(&ENGLISH);
}

#[test]
fn a_hand_in_russian() {
    plays_and_leaves_between_hands(&RUSSIAN);
}

#[test]
fn leaving_in_the_middle_of_a_hand_folds_it() {
    let place = tempfile::tempdir().unwrap();
    let (mut bot, address) = opponent(place.path(), "");
    let mut vera = person(place.path(), &ENGLISH, &address);
    let words = ENGLISH;
    vera.line(30, "the cut", |l| l.starts_with(words.question));
    vera.type_line(words.cut);
    vera.line(30, "a bet", |l| l.starts_with(words.question) && l.contains(words.fold));
    vera.type_line(words.leave);
    assert_eq!(vera.exit(30), 0, "{}", vera.stderr());
    assert_eq!(assert_transcripts(&vera.dir), 1);
    bot.left_alone();
    assert_eq!(bot.all("settled").len(), 1);
    assert_eq!(moves(&bot, 1), ["fold"]);
}

#[test]
fn two_people_and_one_wins_what_the_other_loses() {
    let place = tempfile::tempdir().unwrap();
    let args = format!("{ALONE} --ui plain --lang ru --name Борис host Кухня {PLAIN} --hands 1");
    let mut boris = Node::start(&[], &place.path().join("boris"), &args);
    let line = boris.line(10, "the address", |l| l.contains("127.0.0.1:"));
    let address = line
        .split_whitespace()
        .find(|w| w.starts_with("127.0.0.1:"))
        .unwrap()
        .trim_end_matches('.')
        .to_owned();
    let mut vera = person(place.path(), &ENGLISH, &address);
    vera.line(30, "the cut", |l| l.starts_with(ENGLISH.question));
    vera.type_line("say добрый вечер");
    boris.line(10, "what was said", |l| l.contains("добрый вечер"));
    vera.type_line(ENGLISH.cut);
    for _ in 0..2 {
        vera.line(30, "a bet", |l| l.starts_with(ENGLISH.question));
        vera.type_line("call");
        boris.line(30, "a bet", |l| l.starts_with(RUSSIAN.question));
        // The keyboard was left in the other layout: the letters of “дальше”.
        boris.type_line("lfkmit");
    }
    vera.line(30, "a bet", |l| l.starts_with(ENGLISH.question));
    vera.type_line("fold");
    boris.line(10, "the end", |l| l.starts_with(RUSSIAN.over));
    vera.line(10, "the end", |l| l.starts_with(ENGLISH.over));
    for node in [&mut boris, &mut vera] {
        assert_eq!(node.exit(20), 0);
        assert_eq!(assert_transcripts(&node.dir), 1);
    }
    let end = vera.text.iter().find(|l| l.starts_with(ENGLISH.over)).unwrap();
    assert!(end.contains("103") && end.contains("97"), "{end}");
}

/// A terminal of its own, by tmux. Removed on drop.
struct Terminal(String);

impl Terminal {
    /// `None` where there is no tmux.
    fn new(command: &str) -> Option<Self> {
        let name = format!("trinka-{}", std::process::id());
        let mut tmux = Command::new("tmux");
        tmux.args([
            "-L",
            &name,
            "-f",
            "/dev/null",
            "-u",
            "new-session",
            "-d",
            "-x",
            "150",
            "-y",
            "50",
            command,
        ]);
        match tmux.env("LC_ALL", "C.UTF-8").status() {
            Ok(status) if status.success() => Some(Self(name)),
            other => {
                eprintln!("\n*** SKIPPED: needs tmux ({other:?}) ***\n");
                None
            }
        }
    }

    fn tmux(&self, args: &[&str]) -> String {
        let out = Command::new("tmux").args(["-L", &self.0]).args(args).output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    fn shown(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-S", "-200"])
    }

    fn type_line(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.tmux(&["send-keys", "Enter"]);
    }

    /// Waits until the text has been shown so many times.
    fn until(&self, text: &str, times: usize) {
        let end = Instant::now() + Duration::from_secs(30);
        while self.shown().matches(text).count() < times {
            assert!(
                Instant::now() < end,
                "{text:?} was not shown {times} times:\n{}",
                self.shown()
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn in_a_terminal() {
    let place = tempfile::tempdir().unwrap();
    let (mut bot, address) = opponent(place.path(), "--hands 1");
    let dir = place.path().join("vera");
    let command = format!(
        "{TRINKA} --data {} {ALONE} --ui plain --lang ru --name Вера join {address}; echo ended $?; sleep 60",
        dir.display()
    );
    let Some(terminal) = Terminal::new(&command) else { return };
    terminal.until(RUSSIAN.question, 1);
    terminal.type_line(RUSSIAN.cut);
    terminal.until(RUSSIAN.question, 2);
    terminal.type_line("чушь");
    terminal.until("Не знаю слова «чушь»", 1);
    terminal.type_line(RUSSIAN.fold);
    terminal.until(RUSSIAN.over, 1);
    terminal.until("ended 0", 1);
    assert_eq!(bot.exit(20), 0);
    assert_eq!(moves(&bot, 1), ["fold"]);
    assert_eq!(assert_transcripts(&dir), 1);
}
