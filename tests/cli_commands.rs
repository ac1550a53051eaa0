//! The program from outside: help, complaints, exit codes, the key, files that are no transcripts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod cli_support;

use std::time::{Duration, Instant};

use cli_support::{LOCAL, Node, ran, run, trinka};
use serde_json::Value;

#[test]
fn every_help_starts_with_two_examples() {
    for command in [
        "",
        "host",
        "join",
        "practice",
        "tables",
        "demo",
        "verify",
        "id",
        "history",
        "history export",
        "rules",
        "rank",
        "referee",
        "completions",
        "man",
    ] {
        for (lang, heading) in [("en", "Examples:"), ("ru", "Примеры:")] {
            let args: Vec<&str> =
                command.split_whitespace().chain(["--help", "--lang", lang]).collect();
            let help = run(&args);
            assert_eq!((help.code, help.err.as_str()), (Some(0), ""), "{command}");
            let lines: Vec<&str> = help.out.lines().collect();
            assert_eq!(lines[0], heading, "{command}");
            assert!(
                lines[1].starts_with("  trinka ") && lines[2].starts_with("  trinka "),
                "{command}"
            );
            assert_eq!(lines[3], "", "{command}: two examples");
            assert!(!help.out.contains("--beacon"), "{command}: an option for tests");
        }
    }
}

#[test]
fn wrong_command_lines_are_usage_errors_in_both_languages() {
    for line in [
        "deal",
        "demo --players 1",
        "demo --players 9",
        "demo --hands none",
        "demo --set svara=maybe",
        "host --rules poker",
        "host --ui full",
        "join --bot=brave",
        "practice --bots 0",
        "practice --bots 8",
        "practice --peer 10.0.0.5",
        "practice --pace 100000",
        "completions tcsh",
        "rules seka --rules seka",
        "verify",
        "history",
        "history export",
        "history export --format prose hand.trinka",
        "tables --wait 100000",
        "id --config settings.toml",
    ] {
        let mut told = Vec::new();
        for lang in ["en", "ru"] {
            let args: Vec<&str> = line.split_whitespace().chain(["--lang", lang]).collect();
            let ran = run(&args);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{line}: {}", ran.err);
            assert_eq!(ran.err.lines().count(), 2, "{line}: problem and advice: {}", ran.err);
            told.push(ran.err);
        }
        assert_ne!(told[0], told[1], "{line}");
    }
}

#[test]
fn without_a_command_there_is_short_help() {
    let help = run(&[]);
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    assert!(help.out.contains("trinka host"), "{}", help.out);
    let version = run(&["--version"]);
    assert_eq!(version.out, format!("trinka {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_key_is_made_once_and_is_its_owners_alone() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let data = data.to_str().unwrap();
    let first = run(&["id", "show", "--data", data]);
    let second = run(&["id", "--data", data]);
    assert_eq!((first.code, first.err.as_str()), (Some(0), ""));
    assert_eq!(first.out, second.out);
    assert!(first.out.contains(data), "{}", first.out);
    let key = first.out.lines().find_map(|line| line.strip_prefix("Key: ")).unwrap();
    assert!(key.len() == 64 && key.bytes().all(|b| b.is_ascii_hexdigit()), "{key}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(format!("{data}/identity")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let other = run(&["id", "--data", dir.path().join("other").to_str().unwrap()]);
    assert_ne!(first.out.lines().next(), other.out.lines().next());
}

#[test]
fn a_key_that_cannot_be_used_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("identity");
    std::fs::write(&file, "short").unwrap();
    let ran = run(&["id", "--data", dir.path().to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("identity"), "{}", ran.err);
    assert_eq!(std::fs::read(&file).unwrap(), b"short");
}

#[test]
fn what_is_no_transcript_is_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("empty.trinka"), "").unwrap();
    std::fs::write(path("text.trinka"), "Anna takes everything\n".repeat(100)).unwrap();
    std::fs::write(path("head.trinka"), b"TRNKHAND\x00\x01").unwrap();
    for name in ["empty.trinka", "text.trinka", "head.trinka"] {
        let plain = run(&["verify", &path(name)]);
        assert_eq!(plain.code, Some(3), "{name}");
        assert!(plain.out.contains("REJECTED"), "{}", plain.out);
        let json = run(&["verify", "--json", &path(name)]);
        assert_eq!(json.code, Some(3), "{name}");
        let told: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!((&told["ok"], &told["part"]), (&false.into(), &"header".into()), "{}", json.out);
        assert_eq!(told["file"], path(name));
    }
    // The rest of the files is looked at all the same, and the worst counts.
    let all = run(&["verify", "--json", &path("missing.trinka"), dir.path().to_str().unwrap()]);
    assert_eq!((all.code, all.out.lines().count()), (Some(3), 4));
}

#[test]
#[cfg(unix)]
fn a_pipe_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("hand.trinka");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let begun = Instant::now();
    for file in [pipe.to_str().unwrap(), "/dev/zero", dir.path().to_str().unwrap()] {
        let ran = run(&["verify", file]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{file}");
        assert!(ran.err.contains("is no file but something special"), "{}", ran.err);
    }
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_cannot_be_read_is_a_failure() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing.trinka");
    let ran = run(&["verify", missing.to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("missing.trinka"), "{}", ran.err);
    let empty = run(&["verify", dir.path().to_str().unwrap(), "--lang", "ru"]);
    assert_eq!((empty.code, empty.out.as_str()), (Some(1), ""));
    assert!(empty.err.contains("нет ни одной записи"), "{}", empty.err);
}

#[test]
fn an_open_table_is_listed() {
    let dir = tempfile::tempdir().unwrap();
    let name = format!("Attic {}", std::process::id());
    let host =
        Node::start(&dir.path().join("host"), &["host", &name, "--name", "Anna", "--seats", "3"]);
    host.wait_for(&name);
    let looker = dir.path().join("looker");
    let args =
        [&["tables", "--json", "--wait", "4", "--data", looker.to_str().unwrap()], &LOCAL[..]]
            .concat();
    let ran = run(&args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    let table =
        told.as_array().unwrap().iter().find(|table| table["name"] == *name).expect(&ran.out);
    assert_eq!(table["players"], serde_json::json!(["Anna"]));
    assert_eq!(
        (&table["seats"], &table["free"], &table["playing"]),
        (&3.into(), &2.into(), &false.into())
    );
    assert_eq!(table["id"].as_str().unwrap().len(), 32);
}

#[test]
fn a_data_directory_serves_one_node_and_signals_end_it() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let mut host = Node::start(&data, &["host", "Cellar"]);
    host.wait_for("Cellar");
    let args = [&["host", "--data", data.to_str().unwrap()], &LOCAL[..]].concat();
    let second = ran(trinka(&args).output().unwrap());
    assert_eq!(second.code, Some(1));
    assert!(second.err.contains("in use"), "{}", second.err);
    host.signal("INT");
    assert_eq!(host.code(), Some(130));
    let mut host = Node::start(&data, &["host", "Cellar"]);
    host.wait_for("Cellar");
    host.signal("TERM");
    assert_eq!(host.code(), Some(143));
}

#[test]
fn a_person_plays_a_hand_by_typing() {
    let dir = tempfile::tempdir().unwrap();
    let name = format!("Porch {}", std::process::id());
    let host = ["host", &name, "--name", "Anna", "--hands", "1", "--lang", "ru", "--think", "20"];
    let mut anna = Node::start(&dir.path().join("anna"), &host);
    anna.wait_for("Ждём ещё игроков");
    let bot = ["join", &name, "--name", "Boris", "--bot", "--ui", "json"];
    let mut boris = Node::start(&dir.path().join("boris"), &bot);
    let end = Instant::now() + Duration::from_secs(90);
    let mut told = Vec::new();
    while let Some(line) = anna.line(end.saturating_duration_since(Instant::now())) {
        if line.starts_with("Ваше слово?") {
            // Who may go dark sees the cards only when asking for them.
            let answers = [
                ("снять", "снять 5"),
                ("поднять", "поднять 2"),
                ("смотрю", "смотрю"),
                ("делим", "делим"),
                ("вхожу", "мимо"),
                ("пас", "пас"),
                ("нет", "нет"),
            ];
            let open = |word: &str| line.contains(word);
            let answer = answers.iter().find(|(word, _)| open(word)).expect(&line);
            anna.types(answer.1);
        }
        told.push(line);
    }
    let told = told.join("\n");
    assert!(told.contains("Ваши карты:"), "{told}");
    assert!(told.contains("Кон 1 окончен: "), "{told}");
    assert_eq!((anna.code(), boris.code()), (Some(0), Some(0)), "{told}");
    let transcripts = dir.path().join("anna/transcripts");
    let ran = run(&["verify", transcripts.to_str().unwrap()]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.contains("Boris, key "), "{}", ran.out);
}
