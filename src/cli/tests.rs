#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use super::*;
use crate::i18n::{Lang, Locale};
use crate::rules::{Ceiling, HouseRules, Preset, RulesError};

const EN: Locale = Locale { lang: Lang::En, utf8: true };
const RU: Locale = Locale { lang: Lang::Ru, utf8: true };

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

fn read(line: &str) -> Result<Cli, Problem> {
    match parse(&words(line), EN)? {
        Parsed::Run(cli) => Ok(*cli),
        Parsed::Show(text) => panic!("{text}"),
    }
}

fn shown(line: &str, locale: Locale) -> String {
    match parse(&words(line), locale).unwrap() {
        Parsed::Show(text) => text,
        Parsed::Run(cli) => panic!("{cli:?}"),
    }
}

fn host(line: &str) -> Result<TablePlan, Problem> {
    match read(line)?.command {
        Some(Command::Host(host)) => host.plan(),
        other => panic!("{other:?}"),
    }
}

fn demo(line: &str) -> Result<DemoPlan, Problem> {
    match read(line)?.command {
        Some(Command::Demo(demo)) => demo.plan(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_definitions_are_sound() {
    for locale in [EN, RU] {
        command(locale).debug_assert();
    }
}

/// Every command with its path.
fn every_command(command: &clap::Command, path: &str, all: &mut Vec<(String, clap::Command)>) {
    all.push((path.to_owned(), command.clone()));
    for sub in command.get_subcommands() {
        every_command(sub, &format!("{path} {}", sub.get_name()), all);
    }
}

#[test]
fn every_part_has_its_help_in_both_languages() {
    for locale in [EN, RU] {
        let mut all = Vec::new();
        every_command(&command(locale), "trinka", &mut all);
        assert_eq!(all.len(), 16);
        for (path, command) in all {
            let about = command.get_about().unwrap().to_string();
            assert!(!about.starts_with("help-"), "{path}: {about}");
            for arg in command.get_arguments() {
                let help = arg.get_help().unwrap().to_string();
                assert!(!help.is_empty() && !help.starts_with("help-"), "{path}: {help}");
            }
        }
    }
}

#[test]
fn every_help_starts_with_two_examples_that_can_be_typed() {
    for (locale, heading) in [(EN, "Examples:"), (RU, "Примеры:")] {
        let mut all = Vec::new();
        every_command(&command(locale), "trinka", &mut all);
        for (path, _) in all {
            for flag in ["--help", "-h"] {
                let help = shown(&format!("{path} {flag}"), locale);
                let mut lines = help.lines();
                assert_eq!(lines.next(), Some(heading), "{path}");
                for example in [lines.next().unwrap(), lines.next().unwrap()] {
                    assert!(example.starts_with("  trinka "), "{path}: {example}");
                    let line = example.trim().split("   ").next().unwrap();
                    read(line).unwrap_or_else(|problem| panic!("{line}: {problem}"));
                }
                assert_eq!(lines.next(), Some(""), "{path}: two examples");
            }
        }
    }
}

#[test]
fn the_help_is_in_one_language() {
    let help = shown("trinka demo --help", RU);
    assert!(help.contains("Вызов: trinka demo [OPTIONS]"), "{help}");
    assert!(help.contains("Параметры:"), "{help}");
    assert!(
        !help.contains("default") && !help.contains("Usage") && !help.contains("env:"),
        "{help}"
    );
    assert!(!help.contains("--seed"), "{help}");
    assert!(shown("trinka --help", RU).contains("Команды:"));
    assert!(shown("trinka --version", EN).starts_with("trinka "));
    assert!(short_help(EN).starts_with("trinka: Trinka and Seka"));
}

#[test]
fn a_host_plan_has_its_usual_values() {
    let plan = host("trinka host").unwrap();
    assert_eq!(
        plan,
        TablePlan {
            name: None,
            rules: HouseRules::preset(Preset::TrinkaClassic),
            seats: 8,
            buy_in: 100,
            think: 60,
            hands: None,
            min_players: 2,
            bots: 0,
        }
    );
}

#[test]
fn a_host_plan_follows_its_options() {
    let plan = host(
        "trinka host Kitchen --rules seka --set ceiling=50 --set next_dealer=winner --ante 2 \
         --seats 6 --buy-in 300 --think 30 --hands 5 --min-players 3",
    )
    .unwrap();
    assert_eq!(plan.name.as_deref(), Some("Kitchen"));
    assert_eq!(plan.rules.ceiling, Ceiling::Chips(50));
    assert_eq!((plan.rules.preset, plan.rules.ante), (Preset::Seka, 2));
    assert_eq!((plan.seats, plan.buy_in, plan.think), (6, 300, 30));
    assert_eq!((plan.hands, plan.min_players), (Some(5), 3));
    assert_eq!(host("trinka host --ante 7").unwrap().buy_in, 700);
}

#[test]
fn a_host_plan_refuses_what_does_not_fit() {
    let range = |option: &str, given, min, max| Problem::OptionRange {
        option: option.to_owned(),
        given,
        min,
        max,
    };
    for (line, problem) in [
        ("--rules poker", Problem::NoSuchPreset { name: "poker".into() }),
        ("--set ante", Problem::BadSet { text: "ante".into() }),
        ("--set celling=5", Problem::Rules(RulesError::UnknownSwitch("celling".into()))),
        ("--seats 9", range("--seats", 9, 2, 8)),
        ("--seats 1", range("--seats", 1, 2, 8)),
        ("--seats 4 --min-players 5", range("--min-players", 5, 2, 4)),
        ("--ante 5 --buy-in 4", range("--buy-in", 4, 5, 1_000_000_000)),
        ("--think 0", range("--think", 0, 5, 3600)),
        ("--hands 0", range("--hands", 0, 1, 1_000_000)),
    ] {
        assert_eq!(host(&format!("trinka host {line}")), Err(problem), "{line}");
    }
    assert_eq!(host("trinka host ABCDEFGHIJKLMNOPQRSTUVWXYZ"), Err(Problem::BadName { most: 24 }));
}

#[test]
fn bots_sit_at_hosted_tables_and_at_practice_tables() {
    let plan = host("trinka host --bots 3").unwrap();
    assert_eq!((plan.bots, plan.seats, plan.min_players), (3, 8, 4));
    let plan = host("trinka host --bots 2 --seats 4 --min-players 4").unwrap();
    assert_eq!((plan.bots, plan.seats, plan.min_players), (2, 4, 4));
    let practice = |line: &str| match read(line)?.command {
        Some(Command::Practice(practice)) => practice.plan(),
        other => panic!("{other:?}"),
    };
    let plan = practice("trinka practice").unwrap();
    assert_eq!((plan.bots, plan.seats, plan.min_players, plan.think), (3, 4, 4, 300));
    let plan = practice("trinka practice --bots 9 --rules seka --buy-in 50 --hands 2").unwrap();
    assert_eq!((plan.bots, plan.seats, plan.buy_in, plan.hands), (9, 10, 50, Some(2)));
    let range =
        |given, min, max| Problem::OptionRange { option: "--bots".to_owned(), given, min, max };
    assert_eq!(practice("trinka practice --bots 0"), Err(range(0, 1, 7)));
    assert_eq!(practice("trinka practice --bots 8"), Err(range(8, 1, 7)));
    assert_eq!(host("trinka host --seats 3 --bots 3"), Err(range(3, 0, 2)));
    let pace = |line: &str| read(line).unwrap().global.pace_ms(USUAL_PACE);
    assert_eq!(pace("trinka practice"), Ok(700));
    assert_eq!(pace("trinka practice --pace 0"), Ok(0));
    assert_eq!(pace("trinka practice --pace 60000").unwrap_err().code(), "option-range");
}

#[test]
fn settings_fill_in_what_is_not_said() {
    let config = || Config {
        name: Some("Vera".into()),
        ui: Some(Ui::Json),
        pace: Some(5),
        rules: Some("seka".into()),
        set: vec!["ceiling=50".into()],
        data: Some("/file".into()),
        listen: Some("127.0.0.1:7".parse().unwrap()),
        color: Some(false),
        ..Config::default()
    };
    let configured = |line: &str| {
        let mut cli = read(line).unwrap();
        cli.configure(config());
        cli
    };
    let cli = configured("trinka host");
    let rules = |cli: &Cli| match &cli.command {
        Some(Command::Host(host)) => (host.rules.name().to_owned(), host.rules.set.clone()),
        Some(Command::Practice(p)) => (p.rules.name().to_owned(), p.rules.set.clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!(rules(&cli), ("seka".into(), vec!["ceiling=50".into()]));
    assert_eq!((cli.global.name.as_deref(), cli.global.ui), (Some("Vera"), Some(Ui::Json)));
    assert_eq!((cli.global.pace, cli.global.color()), (Some(5), false));
    assert!(cli.global.listen.is_some());
    // The command line comes first, and its rules take nothing from the file's.
    let cli = configured("trinka host --rules trinka-online --name Anna --data /line --ui plain");
    assert_eq!(rules(&cli), ("trinka-online".into(), vec![]));
    assert_eq!((cli.global.name.as_deref(), cli.global.ui), (Some("Anna"), Some(Ui::Plain)));
    assert_eq!(cli.global.data, Some("/line".into()));
    let cli = configured("trinka host --set ante=2");
    assert_eq!(rules(&cli).1, ["ceiling=50", "ante=2"]);
    // Practice stays on this machine whatever the file says.
    let cli = configured("trinka practice");
    assert_eq!(rules(&cli).0, "seka");
    assert!(cli.global.listen.is_none() && cli.global.peer.is_empty());
    // What decides about money or cards of others is not the file's: a hand is ranked as ever.
    match configured("trinka rank As Ts 9s").command {
        Some(Command::Rank(rank)) => assert_eq!(rank.rules.name(), "trinka-classic"),
        other => panic!("{other:?}"),
    }
}

/// What is to be found in every description of the program: commands, and options by command.
fn promised(locale: Locale) -> (Vec<String>, Vec<String>) {
    let mut all = Vec::new();
    every_command(&command(locale), "trinka", &mut all);
    let options = |(_, command): &(String, clap::Command)| -> Vec<String> {
        let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
        shown.filter_map(|arg| arg.get_long()).map(str::to_owned).collect()
    };
    let names = all.iter().map(|(path, _)| path.clone()).collect();
    (names, all.iter().flat_map(options).collect())
}

#[test]
fn help_manual_and_completions_tell_the_same() {
    for locale in [EN, RU] {
        let (commands, options) = promised(locale);
        let manual = man(locale).replace("\\-", "-");
        for path in &commands {
            assert!(manual.to_lowercase().contains(path), "{path}");
        }
        for option in &options {
            assert!(manual.contains(&format!("--{option}")), "--{option}");
        }
        for hidden in ["--beacon", "--bot-seed", "--leash"] {
            assert!(!manual.contains(hidden), "{hidden}");
        }
        assert!(!manual.contains("help-"), "a text is missing");
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = completions(shell, locale);
            for path in &commands {
                let name = path.rsplit(' ').next().unwrap();
                assert!(script.contains(name), "{shell:?}: {path}");
            }
            for option in &options {
                let written = match shell {
                    Shell::Fish => format!("-l {option}"),
                    _ => format!("--{option}"),
                };
                assert!(script.contains(&written), "{shell:?}: {written}");
            }
            for hidden in ["beacon", "bot-seed", "leash"] {
                assert!(!script.contains(hidden), "{shell:?}: {hidden}");
            }
        }
    }
}

#[test]
fn a_demo_plan_is_checked() {
    let plan = demo("trinka demo").unwrap();
    assert_eq!((plan.players, plan.hands, plan.rules.preset), (4, 3, Preset::TrinkaClassic));
    assert_eq!(demo("trinka demo --players 10 --rules seka").unwrap().players, 10);
    assert_eq!(
        demo("trinka demo --players 11"),
        Err(Problem::OptionRange { option: "--players".into(), given: 11, min: 2, max: 10 })
    );
    assert_eq!(
        demo("trinka demo --players 10"),
        Err(Problem::Rules(RulesError::TooManyPlayers { players: 10, most: 8, deck: 24 }))
    );
}

#[test]
fn a_bot_needs_no_name_and_takes_no_command_for_one() {
    let bot = |line: &str| read(line).unwrap().global.bot();
    assert_eq!(bot("trinka join"), Ok(None));
    assert_eq!(bot("trinka join --bot"), Ok(Some(BotKind::Careful)));
    assert_eq!(bot("trinka --bot join"), Ok(Some(BotKind::Careful)));
    assert_eq!(bot("trinka join --bot random Kitchen"), Ok(Some(BotKind::Random)));
    assert_eq!(bot("trinka join --bot=random"), Ok(Some(BotKind::Random)));
    assert_eq!(bot("trinka join --bot bold"), Ok(Some(BotKind::Bold)));
    assert_eq!(bot("trinka join --bot=x"), Err(Problem::BotMissing { bot: "x".into() }));
    assert!(matches!(
        read("trinka --bot join Kitchen").unwrap().command,
        Some(Command::Join(Join { table: Some(table) })) if table == "Kitchen"
    ));
}

#[test]
fn global_options_go_anywhere() {
    let cli = read(
        "trinka --name Anna join --listen 127.0.0.1:0 --peer 10.0.0.5 --peer [::1]:7 --no-mdns -vv",
    )
    .unwrap();
    let global = cli.global;
    assert_eq!(global.nickname(), Ok(Some("Anna".into())));
    assert_eq!(global.listen, Some("127.0.0.1:0".parse().unwrap()));
    assert_eq!(global.peer, ["10.0.0.5:24336".parse().unwrap(), "[::1]:7".parse().unwrap()]);
    assert!(global.no_mdns);
    assert_eq!(global.verbose, 2);
    assert_eq!(global.screen_on(false), Ok(Ui::Plain));
    assert_eq!(global.screen_on(true), Ok(Ui::Full));
    let bot = read("trinka join --bot").unwrap().global;
    assert_eq!(bot.screen_on(true), Ok(Ui::Plain));
    assert_eq!(read("trinka join --ui json").unwrap().global.screen_on(true), Ok(Ui::Json));
    assert_eq!(
        read("trinka join --ui full").unwrap().global.screen_on(false),
        Err(Problem::FullScreenMissing)
    );
    assert!(!read("trinka --no-color").unwrap().global.color());
    assert!(read("trinka").unwrap().command.is_none());
}

#[test]
fn names_are_those_that_can_be_shown() {
    for good in ["Anna", "Борис", " Anna ", "a b"] {
        assert_eq!(check_name(good), Ok(good.trim().to_owned()));
    }
    for bad in ["", "  ", "a\nb", "a\u{1b}b", "a\u{202e}b", "abcdefghijklmnopqrstuvwxy"] {
        assert_eq!(check_name(bad), Err(Problem::BadName { most: 24 }), "{bad:?}");
    }
}

#[test]
fn complaints_are_in_our_words() {
    for (line, english, russian) in [
        (
            "trinka deal",
            "There is no command “deal”.\ntrinka --help lists the commands.",
            "Команды «deal» нет.\ntrinka --help покажет все команды.",
        ),
        (
            "trinka join --fast",
            "There is no “--fast” here.\nAdd --help to see what there is.",
            "Здесь нет «--fast».\nДобавьте --help, чтобы увидеть, что есть.",
        ),
        (
            "trinka verify",
            "<FILE>... is missing.\nAdd --help to see how it is written.",
            "Не хватает <FILE>....\nДобавьте --help, чтобы увидеть, как это пишется.",
        ),
        (
            "trinka demo --hands many",
            "--hands <K> cannot be “many”.\nAdd --help to see what it can be.",
            "--hands <K> не может быть «many».\nДобавьте --help, чтобы увидеть, что годится.",
        ),
        (
            "trinka --lang fr",
            "--lang <ru|en> cannot be “fr”.\nAdd --help to see what it can be.",
            "--lang <ru|en> не может быть «fr».\nДобавьте --help, чтобы увидеть, что годится.",
        ),
        (
            "trinka demo --hands",
            "--hands <K> is missing.\nAdd --help to see how it is written.",
            "Не хватает --hands <K>.\nДобавьте --help, чтобы увидеть, как это пишется.",
        ),
        (
            "trinka join a b",
            "There is no “b” here.\nAdd --help to see what there is.",
            "Здесь нет «b».\nДобавьте --help, чтобы увидеть, что есть.",
        ),
        (
            "trinka join --listen here",
            "--listen <ADDR> cannot be “here”.\nAdd --help to see what it can be.",
            "--listen <ADDR> не может быть «here».\nДобавьте --help, чтобы увидеть, что годится.",
        ),
    ] {
        let problem = parse(&words(line), EN).unwrap_err();
        assert_eq!(problem.text(Lang::En), english);
        assert_eq!(problem.text(Lang::Ru), russian);
    }
}

#[test]
fn the_language_is_known_before_the_arguments_are_read() {
    let asked = |line| parsing::asked_language(&words(line));
    assert_eq!(asked("trinka --lang ru --wrong"), Some(Lang::Ru));
    assert_eq!(asked("trinka demo --lang=en"), Some(Lang::En));
    assert_eq!(asked("trinka demo --lang fr"), None);
    assert_eq!(asked("trinka demo -- --lang ru"), None);
    assert_eq!(asked("trinka"), None);
}

#[test]
#[cfg(unix)]
fn the_data_directory_is_the_first_that_is_named() {
    let dir = |line: &str, pairs: &[(&str, &str)]| {
        let find = |name: &str| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
        };
        let mut global = read(line).unwrap().global;
        if !line.contains("--data") {
            // Whatever the environment of the test itself says.
            global.data = None;
        }
        global.data_dir_from(find)
    };
    let home = ("HOME", "/home/anna");
    assert_eq!(dir("trinka --data /d", &[home]), Ok("/d".into()));
    assert_eq!(dir("trinka", &[home, ("XDG_DATA_HOME", "/x")]), Ok("/x/trinka".into()));
    assert_eq!(
        dir("trinka", &[home, ("XDG_DATA_HOME", "relative")]),
        Ok("/home/anna/.local/share/trinka".into())
    );
    assert_eq!(dir("trinka", &[]), Err(Problem::NoDataDir));
}

#[test]
fn exit_codes_are_those_promised() {
    let codes = [
        Exit::Ok,
        Exit::Failure,
        Exit::Usage,
        Exit::Rejected,
        Exit::BrokenOff,
        Exit::Interrupted,
        Exit::Terminated,
    ]
    .map(Exit::code);
    assert_eq!(codes, [0, 1, 2, 3, 4, 130, 143]);
}

#[test]
fn rules_come_from_presets_files_and_switches() {
    let dir = std::env::temp_dir().join(format!("trinka-rules-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("house.toml");
    let name = path.to_str().unwrap().to_owned();
    std::fs::write(&path, "preset = \"seka\"\nceiling = 50\n").unwrap();
    let plan = host(&format!("trinka host --rules {name} --set ceiling=60")).unwrap();
    assert_eq!((plan.rules.preset, plan.rules.ceiling), (Preset::Seka, Ceiling::Chips(60)));
    std::fs::write(&path, "preset = \"seka\"\n\ndark = \"maybe\"\n").unwrap();
    let problem = host(&format!("trinka host --rules {name}")).unwrap_err();
    let text = problem.text(Lang::Ru);
    assert!(text.contains("строка 3, столбец 8: dark не может быть «maybe»"), "{text}");
    std::fs::remove_dir_all(&dir).unwrap();
    let gone = host(&format!("trinka host --rules {name}")).unwrap_err();
    assert_eq!(gone.code(), "file-unreadable");

    let all = |line: &str| match read(line).unwrap().command {
        Some(Command::Rules(page)) => page.all(),
        Some(Command::Rank(rank)) => rank.rules.all(),
        other => panic!("{other:?}"),
    };
    assert_eq!(all("trinka rules").unwrap(), HouseRules::preset(Preset::TrinkaClassic));
    assert_eq!(all("trinka rules seka --toml").unwrap(), HouseRules::preset(Preset::Seka));
    assert_eq!(all("trinka rules --rules seka").unwrap(), HouseRules::preset(Preset::Seka));
    assert_eq!(read("trinka rules seka --rules seka").unwrap_err().code(), "options-clash");
    let online = all("trinka rank As Ts 9s --rules trinka-online").unwrap();
    assert_eq!(online, HouseRules::preset(Preset::TrinkaOnline));
    assert_eq!(all("trinka rules --set svara=off").unwrap_err().code(), "switches-clash");
    assert_eq!(read("trinka rank").unwrap_err().code(), "missing-argument");
    assert_eq!(read("trinka referee").unwrap_err().code(), "missing-argument");
}
