use std::collections::BTreeMap;

use super::*;
use crate::event::{AgainReason, Audience, FaultKind, Move, OfferKind, Outcome, WaitReason};

#[test]
fn every_event_is_told_in_both_languages() {
    let offer = |kind, from: Option<u8>| Event::Offer {
        kind,
        from: from.map(Seat),
        to: vec![],
        shares: vec![share(1, 13), share(2, 8)],
        key: Some("ab12".into()),
        name: Some("Gleb".into()),
        rules: None,
    };
    let moved = |kind, amount| Event::Moved { seat: Seat(1), kind, amount, bank: 8 };
    let told_as: Vec<(Event, &str, &str)> = vec![
        (
            Event::Hello {
                peer: "12D3".into(),
                fingerprint: "1111 2222".into(),
                listen: vec!["10.0.0.5:24336".into()],
                version: "0.1.0".into(),
            },
            "Your fingerprint is 1111 2222. Listening on 10.0.0.5:24336.",
            "Отпечаток вашего ключа: 1111 2222. Слушаю 10.0.0.5:24336.",
        ),
        (
            Event::Found {
                peer: "12D3".into(),
                by: "mdns".into(),
                address: "10.0.0.6:24336".into(),
            },
            "Found a node by mDNS: 10.0.0.6:24336.",
            "Найден узел по mDNS: 10.0.0.6:24336.",
        ),
        (
            table(),
            "Table “Kitchen”: seka, ceiling=50, ante 1. Anna (you) 99, Борис 99, Vera 99.",
            "Стол «Kitchen»: seka, ceiling=50, ставка в банк 1. Anna (вы) 99, Борис 99, Vera 99.",
        ),
        (
            hand(),
            "Hand 7. Vera deals. Anna (you) 99, Борис 99, Vera 99. Bank 3.",
            "Кон 7. Сдаёт Vera. Anna (вы) 99, Борис 99, Vera 99. Банк 3.",
        ),
        (
            Event::Shuffled { seat: Seat(1), ms: 40 },
            "Борис has shuffled (40 ms).",
            "Борис: колода перетасована за 40 мс.",
        ),
        (Event::Dealt { hand: 7, ms: 300 }, "Dealt in 300 ms.", "Карты розданы за 300 мс."),
        (
            Event::Cards { cards: cards("As Ts 9h"), points: 21 },
            "Your cards: A♠ 10♠ 9♥, 21 points.",
            "Ваши карты: Т♠ 10♠ 9♥, 21 очко.",
        ),
        (
            my_turn(betting()),
            "Your word? call 5 · raise 6–50 · compare 5 · fold (60 s)",
            "Ваше слово? дальше 5 · повысить 6–50 · вскрываюсь 5 · пас (60 с)",
        ),
        (
            Event::Turn { seat: Seat(1), mine: false, price: None, legal: vec![], seconds: 60 },
            "Борис is to act (60 s).",
            "Слово за игроком Борис (60 с).",
        ),
        (moved(MoveKind::Bet, 5), "Борис calls 5. Bank 8.", "Борис: дальше, 5. Банк 8."),
        (moved(MoveKind::Dark, 2), "Борис plays dark for 2. Bank 8.", "Борис: темню, 2. Банк 8."),
        (moved(MoveKind::Look, 0), "Борис looks.", "Борис: смотрю."),
        (moved(MoveKind::Fold, 0), "Борис folds.", "Борис: пас."),
        (
            moved(MoveKind::Compare, 5),
            "Борис pays 5 to compare. Bank 8.",
            "Борис: вскрываюсь, 5. Банк 8.",
        ),
        (moved(MoveKind::Redeal, 0), "Борис demands a redeal.", "Борис: пересдача."),
        (moved(MoveKind::Boil, 0), "Борис asks to boil.", "Борис: варим?"),
        (moved(MoveKind::Accept, 0), "Борис accepts.", "Борис: да."),
        (moved(MoveKind::Refuse, 0), "Борис refuses.", "Борис: нет."),
        (moved(MoveKind::Split, 0), "Борис would divide the bank.", "Борис: делим."),
        (moved(MoveKind::NoSplit, 0), "Борис will not divide the bank.", "Борис: не делим."),
        (
            moved(MoveKind::Enter, 4),
            "Борис enters the svara for 4. Bank 8.",
            "Борис: вхожу в свару, 4. Банк 8.",
        ),
        (moved(MoveKind::StayOut, 0), "Борис stays out.", "Борис: мимо."),
        (moved(MoveKind::Cut, 0), "Борис cuts.", "Борис: снимаю."),
        (moved(MoveKind::Lift, 0), "Борис lifts.", "Борис: поднимаю."),
        (moved(MoveKind::Replace, 0), "Борис has the card replaced.", "Борис: заменить."),
        (
            moved(MoveKind::Ante, 1),
            "Борис puts in the ante of 1. Bank 8.",
            "Борис: ставка в банк, 1. Банк 8.",
        ),
        (moved(MoveKind::Omit, 0), "Борис leaves the ante out.", "Борис: не ставлю."),
        (moved(MoveKind::Keep, 0), "Борис keeps the card.", "Борис: оставить."),
        (moved(MoveKind::Expose, 0), "Борис turns a card up.", "Борис: открываю карту."),
        (moved(MoveKind::Pool, 0), "Борис proposes a pool.", "Борис: предлагаю складчину."),
        (moved(MoveKind::Pact, 0), "Борис proposes a pact.", "Борис: набздем?"),
        (
            Event::Compared { caller: Seat(0), target: Seat(1), result: Outcome::Caller },
            "Anna compares with Борис: Борис is out.",
            "Anna и Борис вскрываются: выбывает Борис.",
        ),
        (
            Event::Compared { caller: Seat(0), target: Seat(1), result: Outcome::Target },
            "Anna compares with Борис: Anna is out.",
            "Anna и Борис вскрываются: выбывает Anna.",
        ),
        (
            Event::Compared { caller: Seat(0), target: Seat(1), result: Outcome::Tie },
            "Anna compares with Борис: equal, both stay.",
            "Anna и Борис вскрываются: поровну, остаются оба.",
        ),
        (
            Event::Shown { seat: Seat(1), cards: cards("6c 7c JK"), to: Audience::ALL },
            "Борис shows 6♣ 7♣ JK.",
            "Борис показывает 6♣ 7♣ Джокер.",
        ),
        (
            Event::Shown {
                seat: Seat(1),
                cards: cards("6c 7c 8c"),
                to: Audience::Seats(vec![Seat(0)]),
            },
            "Борис shows 6♣ 7♣ 8♣ to Anna.",
            "Борис показывает 6♣ 7♣ 8♣ (видят: Anna).",
        ),
        (offer(OfferKind::Boil, Some(1)), "Борис asks: shall we boil?", "Борис спрашивает: варим?"),
        (
            offer(OfferKind::ThreeTens, None),
            "Does anybody lay three tens open?",
            "Открывает ли кто-нибудь три десятки?",
        ),
        (offer(OfferKind::Split, None), "Shall the tied bank be divided?", "Делим банк?"),
        (
            offer(OfferKind::Pool, Some(1)),
            "Борис proposes to enter together: Борис 13, Vera 8.",
            "Борис предлагает войти вскладчину: Борис 13, Vera 8.",
        ),
        (
            offer(OfferKind::Pact, Some(1)),
            "Борис proposes a pact: to halve what either takes.",
            "Борис предлагает: набздем? Выигрыш любого из двоих пополам.",
        ),
        (
            offer(OfferKind::Exposed, None),
            "Keep the card that lies face up, or have it replaced?",
            "Карта открыта: оставить или заменить?",
        ),
        (
            offer(OfferKind::Admit, None),
            "Gleb has sat down, with the key ab12, and plays from the next hand on. If that is Gleb, let the newcomer decide with the others: admit ab12",
            "Gleb теперь за столом, с ключом ab12, и играет со следующего кона. Если это точно Gleb, пусть решает вместе со всеми: впустить ab12",
        ),
        (
            Event::Svara { seats: vec![Seat(0), Seat(2)], bank: 28, entry: 14 },
            "Svara between Anna, Vera. Bank 28; to enter costs 14.",
            "Свара: Anna, Vera. Банк 28, вход 14.",
        ),
        (
            Event::Svara { seats: vec![Seat(0), Seat(2)], bank: 28, entry: 0 },
            "Svara between Anna, Vera. Bank 28; you are in for free.",
            "Свара: Anna, Vera. Банк 28, вы входите бесплатно.",
        ),
        (
            Event::Redeal { seat: Some(Seat(1)) },
            "Борис lays three tens open: a redeal, the bank stays.",
            "Борис открывает три десятки: пересдача, банк остаётся.",
        ),
        (
            Event::Redeal { seat: None },
            "A layer of the deck is lost: a redeal, the bank stays.",
            "Слой колоды потерян: пересдача, банк остаётся.",
        ),
        (
            Event::Settled {
                hand: 7,
                stacks: BTreeMap::from([(Seat(0), 95), (Seat(1), 105)]),
                winners: vec![share(1, 12)],
                transcript: Some("t-7.trinka".into()),
            },
            "Hand 7 is over: Борис takes 12. Stacks: Anna (you) 95, Борис 105. Transcript: t-7.trinka",
            "Кон 7 окончен: Борис берёт 12. Фишки: Anna (вы) 95, Борис 105. Запись: t-7.trinka",
        ),
        (
            Event::DealAgain { hand: 7, deal: 3, reason: AgainReason::Missing },
            "Hand 7 is dealt again: somebody’s part did not come in time.",
            "Кон 7 сдаётся заново: чья-то часть не пришла вовремя.",
        ),
        (
            Event::Fault { seat: Seat(1), kind: FaultKind::FalseProof, evidence: None },
            "Борис sent a false proof. It is kept.",
            "Борис: ложное доказательство. Оно сохранено.",
        ),
        (
            Event::Fault { seat: Seat(1), kind: FaultKind::Absent, evidence: None },
            "Борис did not answer in time.",
            "Борис: нет ответа вовремя.",
        ),
        (Event::Away { seat: Seat(1) }, "Борис is gone.", "Борис больше не за столом."),
        (Event::Back { seat: Seat(1) }, "Борис is back.", "Борис снова с нами."),
        (
            Event::Cut { seat: Seat(1), at: 12 },
            "Борис cuts the deck at 12.",
            "Борис снимает на 12.",
        ),
        (
            Event::Lifted { seat: Seat(1), cards: cards("9s Kd") },
            "Борис lifts 9♠ K♦.",
            "Борис поднимает 9♠ К♦.",
        ),
        (
            Event::Counted { cards: cards("7s As"), dealer: Seat(0) },
            "Counted for the first ace: 7♠ A♠. Anna deals.",
            "Считаем до первого туза: 7♠ Т♠. Сдаёт Anna.",
        ),
        (
            Event::Exposed { seat: Seat(1), card: cards("9s")[0] },
            "Борис has 9♠ face up.",
            "Борис: карта 9♠ открыта.",
        ),
        (
            Event::Pool { holder: Seat(1), partners: vec![share(1, 13), share(2, 8)] },
            "Борис holds the cards of a pool: Борис 13, Vera 8.",
            "Борис держит карты за складчину: Борис 13, Vera 8.",
        ),
        (
            Event::Pact { seats: vec![Seat(1), Seat(2)] },
            "A pact: Борис, Vera will halve what either takes.",
            "Набздели Борис, Vera: выигрыш любого из двоих пополам.",
        ),
        (
            Event::Advice { from: Seat(2), text: "fold".into() },
            "Vera advises: fold",
            "Vera советует: fold",
        ),
        (
            Event::Waiting { seats: vec![Seat(1)], why: WaitReason::Deal },
            "Waiting for the deal. (For: Борис.)",
            "Ждём раздачи. (Кого: Борис.)",
        ),
        (
            Event::Say { seat: Seat(1), text: "hi\n\u{1b}[2J\u{202e}there".into() },
            "Борис: hi [2Jthere",
            "Борис: hi [2Jthere",
        ),
        (
            Event::Error { code: "x".into(), message: "No.".into(), advice: "Yes.".into() },
            "No. Yes.",
            "No. Yes.",
        ),
    ];
    for (event, english, russian) in told_as {
        assert_eq!(told(EN, &event), english);
        assert_eq!(told(RU, &event), russian);
        assert!(told(ASCII, &event).is_ascii());
    }
}

#[test]
fn it_is_told_who_proposes_rules_and_what_becomes_of_them() {
    let rules = || {
        let Event::Table { mut rules, .. } = table() else { panic!("no table") };
        rules.ante = 3;
        Some(rules)
    };
    let about = |kind, to: &[u8]| Event::Offer {
        kind,
        from: Some(Seat(1)),
        to: to.iter().map(|seat| Seat(*seat)).collect(),
        shares: vec![],
        key: None,
        name: None,
        rules: rules(),
    };
    for (event, english, russian) in [
        (
            about(OfferKind::Rules, &[0, 2]),
            "Борис proposes other house rules: ante=3. To agree: agree-rules; if not: refuse-rules",
            "Борис предлагает другие правила: ante=3. Согласиться: согласен-с-правилами; отказаться: против-правил",
        ),
        (
            about(OfferKind::RulesAgreed, &[2]),
            "Борис agrees to other house rules: ante=3. Yet to answer: Vera.",
            "Борис — за другие правила: ante=3. Ещё не ответили: Vera.",
        ),
        (
            about(OfferKind::RulesAgreed, &[]),
            "Борис agrees to other house rules: ante=3. All agree: they hold from the next hand on.",
            "Борис — за другие правила: ante=3. Согласны все: они действуют со следующей раздачи.",
        ),
        (
            about(OfferKind::RulesAdopted, &[]),
            "Other house rules hold from the next hand on: ante=3 (proposed by Борис).",
            "Со следующей раздачи действуют другие правила: ante=3 (предложение игрока Борис).",
        ),
        (
            about(OfferKind::RulesRefused, &[]),
            "Борис does not want other house rules (ante=3): those in force stay.",
            "Борис — против других правил (ante=3): остаются прежние.",
        ),
        (
            about(OfferKind::RulesLapsed, &[]),
            "What Борис proposed as house rules (ante=3) is void.",
            "Предложение игрока Борис о других правилах (ante=3) больше не действует.",
        ),
    ] {
        assert_eq!(told(EN, &event), english);
        assert_eq!(told(RU, &event), russian);
    }
}

#[test]
fn a_bet_above_the_price_is_told_as_a_raise() {
    let price = Some(Price { pass: 5, compare: None });
    let turn = Event::Turn { seat: Seat(1), mine: false, price, legal: vec![], seconds: 60 };
    let raise = Event::Moved { seat: Seat(1), kind: MoveKind::Bet, amount: 7, bank: 10 };
    let lines = lines(seated(EN, &[table(), hand(), turn, raise]));
    assert_eq!(lines[3], "Борис raises to 7. Bank 10.");
}

#[test]
fn letters_stand_for_suits_where_utf8_does_not() {
    let event = Event::Cards { cards: cards("As Ts 9s"), points: 30 };
    assert_eq!(told(ASCII, &event), "Your cards: As Ts 9s, 30 points.");
    assert_eq!(
        told(ASCII, &my_turn(betting())),
        "Your word? call 5 | raise 6-50 | compare 5 | fold (60 s)"
    );
}

#[test]
fn json_writes_events_and_reads_commands() {
    let mut screen = Json::new(Lang::Ru, Vec::new());
    screen.event(&Event::Away { seat: Seat(1) }).unwrap();
    let bet = screen.command(r#"{"move":"bet","amount":5}"#).unwrap();
    assert_eq!(bet, Some(Command::Move(Move::Bet(5))));
    assert_eq!(screen.command("").unwrap(), None);
    assert_eq!(screen.command(r#"{"move":"jump"}"#).unwrap(), None);
    screen.problem(&Problem::HostOnly).unwrap();
    assert_eq!(
        String::from_utf8(screen.into_inner()).unwrap(),
        concat!(
            r#"{"event":"away","seat":1}"#,
            "\n",
            r#"{"event":"error","code":"unknown-move","message":"Хода «jump» нет.","advice":"Открытые ходы перечислены в «legal» последнего события turn."}"#,
            "\n",
            r#"{"event":"error","code":"host-only","message":"Это может только хозяин.","advice":"Попросите хозяина."}"#,
            "\n",
        )
    );
}

#[test]
fn three_are_told_once_what_a_helper_could_do() {
    let of = |preset: Preset, count: usize| {
        let (mut table, mut hand) = (table(), hand());
        if let Event::Table { rules, .. } = &mut table {
            **rules = HouseRules::preset(preset);
        }
        if let Event::Hand { seats, .. } = &mut hand {
            seats.truncate(count);
        }
        [table, hand]
    };
    let [classic, first] = of(Preset::TrinkaClassic, 3);
    for (lang, words) in [
        (Lang::En, "if one of the others helped with a changed program"),
        (Lang::Ru, "если один из двоих поможет ему изменённой программой"),
    ] {
        let locale = Locale { lang, utf8: true };
        let told = lines(seated(
            locale,
            &[classic.clone(), first.clone(), classic.clone(), first.clone()],
        ));
        assert_eq!(told.iter().filter(|line| line.contains(words)).count(), 1, "{told:?}");
        // Two hold no escrow, and where nobody plays dark there is nothing to look at early.
        for other in [of(Preset::TrinkaClassic, 2), of(Preset::Seka, 3)] {
            let told = lines(seated(locale, &other));
            assert_eq!(told.len(), 2, "{told:?}");
        }
    }
}

#[test]
fn ones_own_seat_is_lost_or_left() {
    let away = Event::Away { seat: Seat(0) };
    for (locale, lost, left) in [
        (
            EN,
            "You did not answer in time and are out for now: type “ready” to play again.",
            "You have left the table with 99 chips.",
        ),
        (
            RU,
            "Вы не ответили вовремя и пока не играете: чтобы играть дальше, введите «готов».",
            "Вы ушли из-за стола: у вас 99 фишек.",
        ),
    ] {
        assert_eq!(told(locale, &away), lost);
        let mut screen = seated(locale, &[table()]);
        screen.taken(&Command::Leave).unwrap();
        screen.event(&away).unwrap();
        assert_eq!(lines(screen).pop().unwrap(), left);
    }
}

#[test]
fn an_admission_is_answered() {
    let key = crate::identity::PublicKey([0xab; 32]);
    let mut known = table();
    let Event::Table { fingerprints, .. } = &mut known else { panic!("no table") };
    fingerprints.insert(Seat(2), key.fingerprint());
    for (locale, line) in [
        (EN, "Noted: Vera may decide with the others."),
        (RU, "Принято: Vera решает вместе со всеми."),
    ] {
        let mut screen = seated(locale, &[known.clone()]);
        screen.taken(&Command::Admit { key: key.hex() }).unwrap();
        assert_eq!(lines(screen).pop().unwrap(), line);
    }
}

#[test]
fn leaving_is_answered_with_what_it_means() {
    for (locale, chips, pause) in
        [(EN, "(now 99)", "“sit-out”"), (RU, "(сейчас 99)", "«пропускаю»")]
    {
        let mut screen = seated(locale, &[table()]);
        screen.taken(&Command::Leave).unwrap();
        let line = lines(screen).pop().unwrap();
        assert!(line.contains(chips) && line.contains(pause), "{line}");
    }
}

#[test]
fn a_table_that_waits_for_too_many_says_how_it_ends() {
    let event = Event::Waiting { seats: vec![Seat(1)], why: WaitReason::Quorum };
    for (locale, words) in [(EN, ["“close”", "“divide”"]), (RU, ["«закрыть»", "«разделить»"])]
    {
        let line = told(locale, &event);
        assert!(words.iter().all(|word| line.contains(word)) && line.contains("Борис"), "{line}");
    }
}
