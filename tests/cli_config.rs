//! The settings file, the manual page and the completions from outside.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod cli_support;

use std::path::Path;
use std::process::Command;

use cli_support::{Ran, ran, run, trinka};

/// Runs the program with a settings directory.
fn with(home: &Path, args: &[&str]) -> Ran {
    let mut command = trinka(args);
    command.env_remove("TRINKA_CONFIG").env("XDG_CONFIG_HOME", home);
    ran(command.output().unwrap())
}

fn settings(home: &Path, text: &str) {
    std::fs::create_dir_all(home.join("trinka")).unwrap();
    std::fs::write(home.join("trinka/config.toml"), text).unwrap();
}

#[test]
fn settings_are_used_and_the_command_line_comes_first() {
    let dir = tempfile::tempdir().unwrap();
    let (home, data, other) =
        (dir.path().join("config"), dir.path().join("data"), dir.path().join("other"));
    settings(
        &home,
        &format!(
            "lang = \"ru\"\nrules = \"seka\"\ndata = \"{}\"\n[set]\nceiling = 77\n",
            data.display()
        ),
    );
    let rules = with(&home, &["rules"]);
    assert_eq!((rules.code, rules.err.as_str()), (Some(0), ""));
    assert!(rules.out.contains("Сека") || rules.out.contains("сека"), "{}", rules.out);
    assert!(rules.out.contains("77"), "{}", rules.out);
    let named = with(&home, &["rules", "trinka-online", "--lang", "en", "--toml"]);
    assert!(named.out.contains("preset = \"trinka-online\""), "{}", named.out);
    assert!(!named.out.contains("ceiling = 77"), "{}", named.out);
    // Line before environment before file.
    let id = with(&home, &["id"]);
    assert!(id.out.contains(data.to_str().unwrap()), "{}", id.out);
    let mut command = trinka(&["id"]);
    command.env_remove("TRINKA_CONFIG").env("XDG_CONFIG_HOME", &home).env("TRINKA_DATA", &other);
    let id = ran(command.output().unwrap());
    assert!(id.out.contains(other.to_str().unwrap()), "{}", id.out);
    let named = home.join("trinka/config.toml");
    let id = run(&["id", "--config", named.to_str().unwrap()]);
    assert!(id.out.contains(data.to_str().unwrap()), "{}", id.out);
}

#[test]
fn a_wrong_setting_is_told_with_its_line_and_help_is_there_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    settings(dir.path(), "name = \"Anna\"\nnick = \"Boris\"\n");
    for lang in ["en", "ru"] {
        let told = with(dir.path(), &["id", "--lang", lang]);
        assert_eq!((told.code, told.out.as_str()), (Some(2), ""));
        assert_eq!(told.err.lines().count(), 2, "{}", told.err);
        assert!(told.err.contains("nick") && told.err.contains("config.toml"), "{}", told.err);
        let line = if lang == "en" { "line 2" } else { "строка 2" };
        assert!(told.err.contains(line), "{}", told.err);
    }
    assert_eq!(with(dir.path(), &["--help"]).code, Some(0));
    let missing = run(&["rules", "--config", "/nowhere/config.toml"]);
    assert_eq!(missing.code, Some(2), "{}", missing.err);
}

#[test]
fn no_settings_are_no_trouble() {
    let dir = tempfile::tempdir().unwrap();
    for home in [dir.path().join("missing"), "/dev/null".into(), dir.path().to_owned()] {
        let rules = with(&home, &["rules"]);
        assert_eq!((rules.code, rules.err.as_str()), (Some(0), ""), "{}", home.display());
    }
}

#[test]
fn the_manual_page_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("trinka.1");
    for lang in ["en", "ru"] {
        let man = run(&["man", "--lang", lang]);
        assert_eq!((man.code, man.err.as_str()), (Some(0), ""));
        std::fs::write(&page, &man.out).unwrap();
        let mut command = Command::new("man");
        command.args(["--warnings", "-l"]).arg(&page);
        command.env("LC_ALL", "C.UTF-8").env("MANWIDTH", "80").env("MANPAGER", "cat");
        match command.output() {
            Ok(shown) if shown.status.success() => {
                let text = String::from_utf8_lossy(&shown.stdout).replace(['\u{2010}', '‐'], "-");
                assert!(text.contains("TRINKA PRACTICE"), "{text}");
                assert!(text.contains("trinka verify --json"), "{text}");
                assert_eq!(String::from_utf8_lossy(&shown.stderr), "", "{lang}");
            }
            other => eprintln!("\n*** SKIPPED: needs man ({other:?}) ***\n"),
        }
    }
}

#[test]
fn bash_completes_commands_and_options() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("trinka.bash");
    std::fs::write(&file, run(&["completions", "bash"]).out).unwrap();
    let complete = |words: &[&str]| {
        let last = words[words.len() - 1];
        let before = words[words.len() - 2];
        let script = format!(
            "source {}; COMP_WORDS=({}); COMP_CWORD={}; _trinka trinka '{last}' '{before}'; echo ${{COMPREPLY[@]}}",
            file.display(),
            words.join(" "),
            words.len() - 1,
        );
        let out = Command::new("bash").args(["--norc", "-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&out.stderr), "");
        String::from_utf8(out.stdout).unwrap()
    };
    assert_eq!(complete(&["trinka", "pra"]).trim(), "practice");
    let options = complete(&["trinka", "practice", "--b"]);
    assert!(options.contains("--bots") && options.contains("--buy-in"), "{options}");
    assert!(!options.contains("--beacon"), "{options}");
}

#[test]
fn every_script_is_read_by_its_shell() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let file = dir.path().join(shell);
        let script = run(&["completions", shell]);
        assert_eq!((script.code, script.err.as_str()), (Some(0), ""));
        assert!(script.out.contains("practice"), "{shell}");
        std::fs::write(&file, script.out).unwrap();
        match Command::new(shell).arg("-n").arg(&file).output() {
            Ok(read) => assert!(read.status.success(), "{shell}: {read:?}"),
            Err(error) => eprintln!("\n*** SKIPPED: needs {shell} ({error}) ***\n"),
        }
    }
}
