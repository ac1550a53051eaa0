#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fluent_syntax::ast::{
    CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement,
};

use super::*;
use crate::event::{CommandError, MoveKind, Takes};
use crate::rules::{ActionKind, Card, FirstDealer, HouseRules, RulesError, Seat};

/// The arguments of every message, and of every `message.attribute`.
fn inventory(lang: Lang) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for source in lang.sources() {
        take_inventory(lang, source, &mut all);
    }
    all
}

fn take_inventory(lang: Lang, source: &str, all: &mut BTreeMap<String, BTreeSet<String>>) {
    let resource = fluent_syntax::parser::parse(source)
        .unwrap_or_else(|(_, errors)| panic!("{lang:?}: {errors:?}"));
    for entry in &resource.body {
        match entry {
            Entry::Message(message) => {
                let key = message.id.name.to_owned();
                let mut args = BTreeSet::new();
                pattern_args(message.value.as_ref().unwrap(), &mut args);
                assert!(all.insert(key.clone(), args).is_none(), "{lang:?}: {key} twice");
                for attribute in &message.attributes {
                    let mut args = BTreeSet::new();
                    pattern_args(&attribute.value, &mut args);
                    all.insert(format!("{key}.{}", attribute.id.name), args);
                }
            }
            Entry::Term(_) => panic!("terms would need a check of their own"),
            Entry::Junk { content } => panic!("{lang:?}: {content}"),
            _ => {}
        }
    }
}

fn pattern_args(pattern: &Pattern<&str>, args: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            match expression {
                Expression::Inline(inline) => inline_args(inline, args),
                Expression::Select { selector, variants } => {
                    inline_args(selector, args);
                    for variant in variants {
                        pattern_args(&variant.value, args);
                    }
                }
            }
        }
    }
}

fn inline_args(inline: &InlineExpression<&str>, args: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            args.insert(id.name.to_owned());
        }
        InlineExpression::FunctionReference { arguments, .. } => call_args(arguments, args),
        InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
        other => panic!("{other:?} would need a check of its own"),
    }
}

fn call_args(call: &CallArguments<&str>, args: &mut BTreeSet<String>) {
    for inline in &call.positional {
        inline_args(inline, args);
    }
}

#[test]
fn both_languages_have_the_same_messages_with_the_same_arguments() {
    let english = inventory(Lang::En);
    let russian = inventory(Lang::Ru);
    let keys = |all: &BTreeMap<String, _>| all.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&english), keys(&russian));
    for (key, args) in &english {
        assert_eq!(args, &russian[key], "{key}");
    }
}

#[test]
fn every_switch_is_explained_in_a_rules_file() {
    for lang in Lang::ALL {
        for switch in HouseRules::SWITCHES.iter().chain(&["head"]) {
            let key = format!("toml-{}", switch.replace('_', "-"));
            assert!(lang.find_plain(&key).is_some(), "{lang:?}: {key}");
        }
    }
}

#[test]
fn every_message_has_exactly_the_arguments_of_its_function() {
    let english = inventory(Lang::En);
    for (name, args) in messages::ALL {
        let key = name.replace('_', "-");
        let declared: BTreeSet<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let used = english.get(&key).unwrap_or_else(|| panic!("no message {key}"));
        assert_eq!(used, &declared, "{key}");
    }
}

#[test]
fn no_message_is_left_over() {
    let mut known: BTreeSet<String> =
        messages::ALL.iter().map(|(name, _)| name.replace('_', "-")).collect();
    for problem in every_problem() {
        known.insert(format!("err-{}", problem.code()));
    }
    known.insert("err-refused".to_owned());
    known.insert("toml-head".to_owned());
    known.extend(
        HouseRules::SWITCHES.iter().map(|switch| format!("toml-{}", switch.replace('_', "-"))),
    );
    known.extend(MoveKind::ALL.iter().map(|kind| format!("word-{}", kind.name())));
    known.extend(TAKES.iter().map(|takes| rules_text::takes_key(*takes).to_owned()));
    for key in inventory(Lang::En).keys() {
        let message = key.split('.').next().unwrap();
        assert!(known.contains(message) || message.starts_with("help-"), "{key} is never used");
    }
}

const TAKES: [Takes; 9] = [
    Takes::Number,
    Takes::Seat,
    Takes::List,
    Takes::Shares,
    Takes::Text,
    Takes::True,
    Takes::Bool,
    Takes::Object,
    Takes::Switches,
];

/// One of every problem there is.
fn every_problem() -> Vec<Problem> {
    use Problem as P;
    let s = str::to_owned;
    let mut all = vec![
        P::UnknownWord { word: s("flod") },
        P::TooManyWords { word: s("please") },
        P::NeedsAmount { word: s("bet") },
        P::NotANumber { text: s("five") },
        P::NeedsText { word: s("say") },
        P::TextTooLong { most: 1000 },
        P::NeedsPlayer { word: s("pact") },
        P::NoSuchPlayer { name: s("Vera") },
        P::SeveralPlayers { name: s("Anna") },
        P::PoolForm,
        P::TensForm,
        P::ProposeForm,
        P::NotYourWord,
        P::NothingProposed,
        P::NoTens,
        P::MoveNotOpen { word: s("compare"), choices: s("call 5 · fold") },
        P::BelowPrice { amount: 2, price: 5 },
        P::AboveMost { amount: 200, most: 100 },
        P::NotARaise { price: 5 },
        P::PlaceOutside { place: 30, min: 1, max: 23 },
        P::FullScreenMissing,
        P::BotMissing { bot: s("bold") },
        P::BadSet { text: s("ante") },
        P::NoSuchPreset { name: s("poker") },
        P::OptionRange { option: s("--players"), given: 1, min: 2, max: 10 },
        P::OptionsClash { one: s("--json"), other: s("--ui plain") },
        P::BadName { most: 24 },
        P::NoDataDir,
        P::UnknownArgument { argument: s("--fast") },
        P::UnknownCommand { command: s("deal") },
        P::MissingArgument { argument: s("FILE") },
        P::BadValue { argument: s("--hands"), value: s("many") },
        P::Usage { text: s("?") },
        P::NoTables,
        P::SeveralTables { tables: s("Kitchen, Attic") },
        P::TableNotFound { name: s("Cellar") },
        P::ConfigSyntax,
        P::ConfigKey { key: s("nick"), known: s("name, lang") },
        P::ConfigBinding { what: s("F99") },
        P::ConfigValue { key: s("pace") },
        P::TableNotSeen { name: s("Kitchen"), tables: s("Attic (ab12)") },
        P::GoingBack { name: s("Kitchen") },
        P::LeftBefore { name: s("Kitchen") },
        P::TableLeft { name: s("Kitchen"), table: s("1a2b3c4d5e6f") },
        P::NoTableSeen { name: s("Kitchen") },
        P::FileExists { file: s("hand.txt") },
        P::NobodyHears,
        P::NeedsKey { key: s("1a2"), least: 8 },
        P::NobodyAtTheDoor { key: s("1a2b3c4d") },
        P::SeveralAtTheDoor { key: s("1a2b3c4d") },
        P::BotEnded { name: s("Vera") },
        P::FriendsSpoilt { file: s("friends"), aside: s("friends.damaged-1") },
        P::TableDamaged { file: s("log"), aside: s("log.damaged-1") },
        P::PartySpoilt { file: s("/d/party"), aside: s("/d/party.damaged-1") },
        P::LogLost { file: s("/data/tables/1a2b/log") },
        P::LogRemoved { file: s("/data/tables/1a2b/log") },
        P::LogChanged {
            file: s("/data/tables/1a2b/log"),
            aside: s("/data/tables/1a2b/log.damaged-1"),
        },
        P::HandKeyLost { file: s("/data/tables/1a2b/secrets/7") },
        P::NoDirectory { dir: s("/d/tables") },
        P::NoPlainFile { file: s("/data/tables/1a2b/log") },
        P::NotAFile { file: s("pipe") },
        P::CannotReach { address: s("10.0.0.5:24336"), reason: s("timeout") },
        P::CannotListen { address: s("10.0.0.5:24336"), reason: s("taken") },
        P::DataLocked { dir: s("/data") },
        P::DataUnusable { dir: s("/data"), reason: s("denied") },
        P::IdentityUnusable { file: s("/data/identity"), reason: s("too short") },
        P::IdentityLength { file: s("/data/identity"), bytes: 20 },
        P::IdentityOpen { file: s("/data/identity"), mode: s("644") },
        P::IdentityErased { file: s("/data/identity"), noted: s("/data/identity.pub") },
        P::IdentityOther { file: s("/data/identity"), noted: s("/data/identity.pub") },
        P::IdentityLost { file: s("/data/identity"), noted: s("/data/identity.pub") },
        P::IdentityNoteSpoilt {
            file: s("/data/identity.pub"),
            aside: s("/data/identity.pub.damaged-1"),
        },
        P::IdentityCopied,
        P::OtherVersion { theirs: s("2"), ours: s("1") },
        P::TableFull { name: s("Kitchen") },
        P::NotSeated { name: s("Kitchen") },
        P::HostOnly,
        P::TooFewSeated { seated: 1, least: 2 },
        P::Stale,
        P::NotYet { what: s("pool") },
        P::RebuyClosed,
        P::RebuyTooMuch { most: 1000 },
        P::TooFast,
        P::EngineDiffers { player: s("Boris"), entry: 17 },
        P::EngineRefuses { reason: s("a proof is false") },
        P::Forked { entry: 17 },
        P::NotClosable,
        P::OtherKey { name: s("Boris") },
        P::BrokenOff { reason: s("two logs") },
        P::FileUnreadable { file: s("a.trinka"), reason: s("denied") },
        P::FileUnwritable { file: s("a.trinka"), reason: s("full") },
        P::NoTranscripts { dir: s("/data") },
        P::OnlyUnfinished { dir: s("/data"), hands: 2, file: s("/data/5f-0003.closed") },
        P::DirNotEmpty { dir: s("/data") },
        P::FileTooLong { file: s("a.toml"), most: 65536 },
        P::NotText,
        P::TomlSyntax,
        P::TomlShape { switch: s("ante") },
        P::NotACard { text: s("Xs") },
        P::NotThree { cards: 2 },
        P::ScriptLine { word: s("deal") },
        P::ScriptMove { word: s("jump") },
        P::ScriptExpect { word: s("pot") },
        P::ScriptForm { form: s("seat A 100") },
        P::ScriptPoints { text: s("99") },
        P::ScriptName { name: s("pool") },
        P::ScriptNameTwice { name: s("A") },
        P::ScriptNobody { name: s("X") },
        P::ScriptSeats { most: 64 },
        P::ScriptLate { word: s("ceiling") },
        P::ScriptNoMove { word: s("expect") },
        P::ScriptNoTens { name: s("A") },
        P::ScriptAllowed,
        P::ScriptCards { name: s("A") },
        P::ScriptDealer { name: s("A") },
        P::ScriptNoDealer,
        P::ScriptFalse { what: s("stack A"), expected: s("95"), found: s("93") },
        P::DemoNodeEnded { name: s("Anna"), status: s("exit status: 1") },
        P::DemoTooSlow { seconds: 600 },
        P::Internal { reason: s("x") },
    ];
    let own: BTreeSet<&str> = all.iter().map(Problem::code).collect();
    let declared: BTreeSet<&str> = Problem::OWN.iter().map(|(code, _)| *code).collect();
    assert_eq!(own, declared, "a sample of every problem");

    all.extend(
        [
            CommandError::TooLong,
            CommandError::NotJson,
            CommandError::NotObject,
            CommandError::NoCommand,
            CommandError::UnknownField { field: s("mvoe") },
            CommandError::UnknownMove { name: s("jump") },
            CommandError::Missing { field: "amount" },
            CommandError::Twice { field: s("amount") },
        ]
        .map(P::Command),
    );
    all.extend(TAKES.map(|takes| P::Command(CommandError::Wrong { field: "seat", takes })));
    all.extend(every_rules_error().into_iter().map(P::Rules));
    all.push(P::NotACard { text: s("Xs") }.in_file("hands.txt", 7, 4));
    all
}

fn every_rules_error() -> Vec<RulesError> {
    use RulesError as R;
    let s = str::to_owned;
    let card: Card = "As".parse().unwrap();
    let seat = Seat(2);
    vec![
        R::UnknownSwitch(s("celling")),
        R::BadValue { switch: s("dark"), value: s("maybe"), choices: s("off, on") },
        R::SumOutOfRange { switch: s("ante"), chips: 0, most: 1000 },
        R::Clash { one: s("wild = shaha"), other: s("deck = 32"), why: s("-") },
        R::NotInDeck { card, size: 24 },
        R::CardTwice(card),
        R::TooFewPlayers,
        R::TooManyPlayers { players: 9, most: 8, deck: 24 },
        R::SeatTaken(seat),
        R::NoSuchSeat(Seat(7)),
        R::BadBuyIn { chips: 0, most: 1000 },
        R::Frozen(seat),
        R::NotFrozen(seat),
        R::InHand(seat),
        R::SeatTwice(seat),
        R::DealerNotPlaying(seat),
        R::CannotAnte { seat, stack: 1, ante: 2 },
        R::HandRunning,
        R::NoDealAwaited,
        R::NoComparison,
        R::NoCardsOut,
        R::NoMoveAwaited,
        R::NotYourTurn { seat: Seat(0), turn: seat },
        R::NotOpen(ActionKind::Compare),
        R::BelowPrice { amount: 2, price: 5 },
        R::AboveCeiling { amount: 200, ceiling: 100 },
        R::AboveStack { amount: 50, stack: 1 },
        R::CompareBeforeBet,
        R::CompareBeforeNeighbour(seat),
        R::CompareBeforeCircle,
        R::CompareBeforeLastTwo { active: 3 },
        R::LookedAlready(seat),
        R::LookBeforeCircle,
        R::DarkClosed,
        R::DarkAboveHalf { amount: 60, most: 50 },
        R::AboveDouble { amount: 60, most: 50 },
        R::LookFirst(seat),
        R::AskedAlready,
        R::BoilBeforeLastTwo { active: 3 },
        R::AnsweredAlready(seat),
        R::NotAsked(seat),
        R::InitiatorsFirst,
        R::NoMorePlaces { most: 8 },
        R::PactAlready(seat),
        R::NotInSvara(seat),
        R::DoesNotLift(seat),
        R::NoShowdown,
        R::NoDealerChoice,
        R::BadLift { cards: 9, most: 8 },
        R::OtherPacket(seat),
        R::OtherChoice(FirstDealer::Lift),
        R::ExposedAlready(seat),
        R::NoSuchPlace { place: 9, rest: 8 },
        R::NoPools,
        R::InPool(seat),
        R::EmptyPart(seat),
        R::PoolSum { sum: 20, price: 21 },
    ]
}

/// All problems as a player reads them, in the form of the pinned files.
fn rendered(lang: Lang) -> String {
    let naming = |seat: Seat| match seat.0 {
        2 => "Vera".to_owned(),
        other => messages::somebody(lang, u64::from(other)),
    };
    let mut text = String::new();
    for problem in every_problem() {
        let (message, advice) = (problem.message(lang, &naming), problem.advice(lang, &naming));
        assert!(!message.is_empty() && !advice.is_empty(), "{}", problem.code());
        writeln!(text, "{}\n  {message}\n  {advice}", problem.code()).unwrap();
    }
    text
}

#[test]
fn every_error_reads_as_pinned() {
    for (lang, name, pinned) in [
        (Lang::En, "pinned_en.txt", include_str!("pinned_en.txt")),
        (Lang::Ru, "pinned_ru.txt", include_str!("pinned_ru.txt")),
    ] {
        let text = rendered(lang);
        assert!(!text.contains("{$") && !text.contains("{ $"), "an argument is missing");
        if std::env::var_os("TRINKA_PIN").is_some() {
            let path = std::path::Path::new(file!()).with_file_name(name);
            std::fs::write(path, &text).unwrap();
            continue;
        }
        assert_eq!(text, pinned.replace('\r', ""), "run with TRINKA_PIN=1 to accept");
    }
}

#[test]
fn russian_numerals_take_three_forms() {
    let ru = Lang::Ru;
    for (n, chips, points) in [
        (0_u64, "0 фишек", "0 очков"),
        (1, "1 фишка", "1 очко"),
        (2, "2 фишки", "2 очка"),
        (5, "5 фишек", "5 очков"),
        (11, "11 фишек", "11 очков"),
        (21, "21 фишка", "21 очко"),
        (24, "24 фишки", "24 очка"),
        (112, "112 фишек", "112 очков"),
    ] {
        assert_eq!(messages::chips(ru, n), chips);
        assert_eq!(messages::points(ru, n), points);
    }
    assert_eq!(messages::chips(Lang::En, 1_u64), "1 chip");
    assert_eq!(messages::chips(Lang::En, 21_u64), "21 chips");
}

#[test]
fn no_invisible_marks_are_written() {
    let text = messages::ev_say(Lang::En, "Anna", "hi");
    assert_eq!(text, "Anna: hi");
    assert_eq!(printable("a\u{1b}[2Jb\u{202e}c\nd\u{200b}"), "a[2Jbc d");
}

#[test]
fn large_sums_are_written_in_full() {
    let most = crate::rules::MAX_TABLE_CHIPS;
    assert_eq!(messages::chips(Lang::En, most), "1000000000000000 chips");
}
