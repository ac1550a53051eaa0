use super::*;
use crate::event::{Move, WaitReason};

#[test]
fn moves_are_typed_in_both_languages_and_layouts() {
    let events = [table(), hand(), my_turn(betting())];
    let understood = [
        ("call", Move::Bet(5)),
        ("сфдд", Move::Bet(5)),
        ("дальше", Move::Bet(5)),
        ("lfkmit", Move::Bet(5)),
        ("  CALL  ", Move::Bet(5)),
        ("bet 5", Move::Bet(5)),
        ("bet 50", Move::Bet(50)),
        ("raise 7", Move::Bet(7)),
        ("кфшыу 7", Move::Bet(7)),
        ("повысить 7", Move::Bet(7)),
        ("fold", Move::Fold),
        ("упал", Move::Fold),
        ("пас", Move::Fold),
        ("compare", Move::Compare),
        ("вскрываюсь", Move::Compare),
        ("look", Move::Look),
        ("смотрю", Move::Look),
        ("pact vera", Move::Pact(Seat(2))),
        ("набздем Борис", Move::Pact(Seat(1))),
        ("expose 2", Move::Expose(Seat(2))),
        ("pool Anna 13 2 8", Move::Pool(vec![(Seat(0), 13), (Seat(2), 8)])),
        ("складчина 0 13 борис 8", Move::Pool(vec![(Seat(0), 13), (Seat(1), 8)])),
    ];
    for (line, step) in understood {
        for locale in [EN, RU] {
            assert_eq!(typed(locale, &events, line), Ok(Command::Move(step.clone())), "{line}");
        }
    }
}

#[test]
fn other_commands_are_typed_at_any_time() {
    let understood = [
        ("say  Hello there ", Command::Say("Hello there".into())),
        ("скажи привет", Command::Say("привет".into())),
        ("rebuy 100", Command::Rebuy(100)),
        ("докупить 100", Command::Rebuy(100)),
        ("leave", Command::Leave),
        ("уйти", Command::Leave),
        ("start", Command::Start),
        ("ready", Command::Ready),
        ("готова", Command::Ready),
        ("sit-out", Command::SitOut),
        ("sit out", Command::SitOut),
        ("ыше-щге", Command::SitOut),
        ("пропускаю", Command::SitOut),
        ("more time", Command::MoreTime),
        ("ещё время", Command::MoreTime),
        ("admit ab12", Command::Admit { key: "ab12".into() }),
        ("unfreeze vera", Command::Unfreeze { seat: Seat(2) }),
        ("close", Command::Close),
        ("tens yes", Command::Tens { redeal: true }),
        ("десятки нет", Command::Tens { redeal: false }),
        ("agree-rules", Command::AgreeRules { yes: true }),
        ("согласен-с-правилами", Command::AgreeRules { yes: true }),
        ("refuse-rules", Command::AgreeRules { yes: false }),
        ("divide", Command::Divide { yes: true }),
        ("разделить банк", Command::Divide { yes: true }),
        ("no divide", Command::Divide { yes: false }),
        ("не разделять", Command::Divide { yes: false }),
        ("против правил", Command::AgreeRules { yes: false }),
        (
            "предлагаю seka ante=2",
            Command::ProposeRules {
                changes: vec![("preset".into(), "seka".into()), ("ante".into(), "2".into())],
            },
        ),
        ("advice fold", Command::Advice("fold".into())),
        ("смотрю", Command::Move(Move::Look)),
    ];
    for (line, command) in understood {
        assert_eq!(typed(EN, &[table(), hand()], line), Ok(command), "{line}");
    }
}

#[test]
fn answers_are_typed_when_they_are_asked_for() {
    let plain = LegalMove::plain;
    let legal = vec![
        plain(MoveKind::Split),
        plain(MoveKind::NoSplit),
        plain(MoveKind::Enter),
        plain(MoveKind::StayOut),
        plain(MoveKind::Accept),
        plain(MoveKind::Refuse),
        plain(MoveKind::Ante),
        plain(MoveKind::Omit),
        plain(MoveKind::Keep),
        plain(MoveKind::Boil),
        plain(MoveKind::Redeal),
        LegalMove::ranged(MoveKind::Replace, 0, 5),
        LegalMove::ranged(MoveKind::Cut, 1, 23),
        LegalMove::ranged(MoveKind::Lift, 1, 6),
        LegalMove::ranged(MoveKind::Dark, 1, 2),
    ];
    let events = [table(), hand(), my_turn(legal)];
    for (line, step) in [
        ("split", Move::Split),
        ("делим", Move::Split),
        ("no split", Move::NoSplit),
        ("не делим", Move::NoSplit),
        ("enter", Move::Enter),
        ("вхожу", Move::Enter),
        ("stay out", Move::StayOut),
        ("мимо", Move::StayOut),
        ("да", Move::Accept),
        ("no", Move::Refuse),
        ("ante", Move::Ante),
        ("ставлю", Move::Ante),
        ("не ставлю", Move::Omit),
        ("keep", Move::Keep),
        ("варим?", Move::Boil),
        ("redeal", Move::Redeal),
        ("replace 0", Move::Replace(0)),
        ("cut 7", Move::Cut(7)),
        ("снять 7", Move::Cut(7)),
        ("lift 3", Move::Lift(3)),
        ("dark 2", Move::Dark(2)),
        ("перетемню 2", Move::Dark(2)),
    ] {
        assert_eq!(typed(EN, &events, line), Ok(Command::Move(step)), "{line}");
    }
    assert_eq!(
        typed(EN, &events, "cut 24"),
        Err("There is no place 24 here. Choose from 1 to 23.".to_owned())
    );
}

#[test]
fn a_wrong_line_gets_a_helpful_sentence_and_does_nothing() {
    let events = [table(), hand(), my_turn(betting())];
    for (line, english, russian) in [
        (
            "flod",
            "I do not know “flod”. Type “help” for the list of commands.",
            "Не знаю слова «flod». Введите «помощь», чтобы увидеть список команд.",
        ),
        (
            "fold now",
            "There is “now” too much at the end. Nothing was done. Type the command without it.",
            "В конце лишнее: «now». Команда не выполнена. Введите её без лишнего слова.",
        ),
        (
            "bet",
            "“bet” needs a number of chips. For example: bet 7",
            "После «bet» нужно число фишек. Например: bet 7",
        ),
        (
            "bet five",
            "“five” is not a whole number. Write it in digits, such as 7.",
            "«five» — не целое число. Напишите его цифрами, например 7.",
        ),
        (
            "bet 2",
            "2 is less than the price of 5. Pay 5 or more, or fold.",
            "2 меньше прохода: проход 5. Заплатите 5 или больше либо пасуйте.",
        ),
        (
            "raise 51",
            "51 is more than you may pay at once. The most is 50.",
            "51 больше, чем можно заплатить за раз. Больше 50 сейчас нельзя.",
        ),
        (
            "raise 5",
            "5 is just the price, not a raise. Type “call” to pay it, or raise to more.",
            "5 — это проход, а не повышение. Введите «дальше», чтобы его заплатить, или повысьте больше.",
        ),
        (
            "dark 2",
            "“dark” is not possible now. Possible are: call 5 · raise 6–50 · compare 5 · fold",
            "«dark» сейчас нельзя. Можно: дальше 5 · повысить 6–50 · вскрываюсь 5 · пас",
        ),
        (
            "pact Gleb",
            "Nobody here is called “Gleb”. Type “who” to see the names and seat numbers.",
            "Здесь никого не зовут «Gleb». Введите «стол», чтобы увидеть имена и номера мест.",
        ),
        (
            "bet +5",
            "“+5” is not a whole number. Write it in digits, such as 7.",
            "«+5» — не целое число. Напишите его цифрами, например 7.",
        ),
        (
            "pool Anna 13",
            "A pool is names and chips in turn, whoever holds the cards first. For example: pool Anna 13 Boris 8",
            "Складчина — это имена и фишки по очереди, первым тот, кто держит карты. Например: складчина Анна 13 Борис 8",
        ),
    ] {
        assert_eq!(typed(EN, &events, line), Err(english.to_owned()), "{line}");
        assert_eq!(typed(RU, &events, line), Err(russian.to_owned()), "{line}");
    }
    assert_eq!(
        typed(EN, &[table(), hand()], "call"),
        Err("It is not your turn. Wait for “Your word?”; “who” shows whose turn it is.".to_owned())
    );
    assert_eq!(typed(EN, &events, ""), Err(String::new()));
    assert!(typed(EN, &events, &"x".repeat(crate::event::MAX_LINE + 1)).is_err());
}

#[test]
fn after_ones_own_move_the_turn_is_over_but_a_look_leaves_it() {
    let mut legal = betting();
    legal.push(LegalMove::plain(MoveKind::Look));
    legal.push(LegalMove::ranged(MoveKind::Dark, 1, 2));
    let moved = |kind| Event::Moved { seat: Seat(0), kind, amount: 0, bank: 3 };
    let turn = my_turn(legal);
    let call = Ok(Command::Move(Move::Bet(5)));
    let events = [table(), hand(), turn.clone(), moved(MoveKind::Look)];
    assert_eq!(typed(EN, &events, "call"), call);
    assert!(typed(EN, &events, "dark 2").is_err());
    assert!(typed(EN, &[table(), hand(), turn, moved(MoveKind::Fold)], "call").is_err());
}

#[test]
fn the_table_is_shown_on_request() {
    let fold = Event::Moved { seat: Seat(1), kind: MoveKind::Fold, amount: 0, bank: 3 };
    let own = Event::Cards { cards: cards("As Ts 9s"), points: 30 };
    let events = [table(), hand(), own, fold, Event::Away { seat: Seat(2) }, my_turn(betting())];
    assert_eq!(
        typed(EN, &events, "who"),
        Err("Hand 7, Vera deals, bank 3.\n\
             > 0 Anna (you): 99 chips, is to act\n  \
               1 Борис: 99 chips, out of the hand\n  \
               2 Vera: 99 chips, gone\n\
             Your cards: A♠ 10♠ 9♠, 30 points.\n\
             Your word? call 5 · raise 6–50 · compare 5 · fold (60 s)"
            .to_owned())
    );
    assert_eq!(
        typed(RU, &[table()], "стол"),
        Err("Стол «Kitchen», между конами.\n  \
               0 Anna (вы): 99 фишек\n  \
               1 Борис: 99 фишек\n  \
               2 Vera: 99 фишек"
            .to_owned())
    );
    let unheard = Event::Waiting { seats: vec![Seat(1)], why: WaitReason::Unheard };
    for (locale, word, line) in [
        (EN, "who", "1 Борис: 99 chips, no connection"),
        (RU, "стол", "1 Борис: 99 фишек, нет связи"),
    ] {
        let told = typed(locale, &[table(), unheard.clone()], word).unwrap_err();
        assert!(told.contains(line), "{told}");
    }
    assert_eq!(typed(EN, &[], "table"), Err("No table yet.".to_owned()));
    assert!(typed(EN, &[], "?").is_err_and(|text| text.starts_with("When it is your word:")));
    assert!(typed(RU, &[], "помощь").is_err_and(|text| text.starts_with("Когда слово за вами:")));
}

#[test]
fn the_rules_are_told_in_plain_words_on_request() {
    for (locale, word) in [(EN, "rules"), (RU, "правила"), (RU, "ghfdbkf")] {
        let mut screen = seated(locale, &[table(), hand()]);
        let before = screen.out().len();
        assert_eq!(screen.command(word).unwrap(), None);
        let text = String::from_utf8(screen.into_inner().split_off(before)).unwrap();
        let Event::Table { rules, .. } = table() else { panic!() };
        assert_eq!(text.trim_end(), crate::house::page(&rules, locale.lang).trim_end(), "{word}");
    }
}

#[test]
fn every_word_of_the_question_can_be_typed() {
    // What the question offers, the parser takes, in both languages.
    let legal: Vec<LegalMove> = MoveKind::ALL
        .into_iter()
        .map(|kind| match kind {
            MoveKind::Bet | MoveKind::Dark => LegalMove::ranged(kind, 5, 9),
            MoveKind::Cut | MoveKind::Lift | MoveKind::Replace => LegalMove::ranged(kind, 5, 9),
            kind => LegalMove::plain(kind),
        })
        .collect();
    let events = [table(), hand(), my_turn(legal)];
    for locale in [EN, RU] {
        let asked = lines(seated(locale, &events)).pop().unwrap();
        let offered = asked.split_once("? ").unwrap().1.rsplit_once(" (").unwrap().0;
        for offer in offered.split(" · ") {
            let line = offer
                .replace("5–9", "5")
                .replace("6–9", "6")
                .replace(" CHIPS", " 3")
                .replace(" ФИШКИ", " 3")
                .replacen("NAME", "Anna", 1)
                .replacen("ИМЯ", "Anna", 1)
                .replace("NAME", "Vera")
                .replace("ИМЯ", "Vera")
                .replace(" …", "");
            assert!(
                typed(locale, &events, &line).is_ok(),
                "{line}: {:?}",
                typed(locale, &events, &line)
            );
        }
    }
}

#[test]
fn namesakes_are_told_apart_by_their_seats() {
    let Event::Table { id, name, rules, .. } = table() else { panic!() };
    let seats = vec![info(0, "Anna", 9), info(1, "Anna", 9), info(2, "2", 9)];
    let twins = Event::Table { id, name, rules, seats, you: None, fingerprints: BTreeMap::new() };
    let events = [twins];
    assert_eq!(
        typed(EN, &events, "unfreeze anna"),
        Err("Several here are called “anna”. Use the seat number instead; “who” shows it."
            .to_owned())
    );
    assert_eq!(typed(EN, &events, "unfreeze 1"), Ok(Command::Unfreeze { seat: Seat(1) }));
    assert_eq!(typed(EN, &events, "unfreeze Anna #1"), Ok(Command::Unfreeze { seat: Seat(1) }));
    let lines = lines(seated(EN, &[events[0].clone(), Event::Away { seat: Seat(1) }]));
    assert_eq!(lines[1], "Anna #1 is gone.");
}
