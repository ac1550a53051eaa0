//! What somebody meets who sits here for the first time.

use super::playing::{later, over, said, sent, tell};
use super::*;
use crate::event::{Command, Move, OfferKind};

/// Before one's turn, with the right to look.
fn may_look(before: &[Event]) -> Vec<Event> {
    let mut events = vec![table(Preset::TrinkaClassic), story()[7].clone(), story()[8].clone()];
    events.extend_from_slice(before);
    events.push(Event::Turn {
        seat: Seat(1),
        mine: false,
        price: Some(Price { pass: 1, compare: None }),
        legal: vec![LegalMove::plain(MoveKind::Look)],
        seconds: 60,
    });
    events
}

#[test]
fn a_look_off_turn_takes_its_own_key_and_asks_where_it_gives_dark_play_up() {
    let mut app = seen(prefs(Lang::En), &may_look(&[]));
    later(&mut app);
    assert!(press(&mut app, "\n\np\n").is_empty(), "neither Enter nor the key of the lift looks");
    assert!(!said(&mut app).contains('▸'));
    assert!(press(&mut app, "l").is_empty());
    assert!(said(&mut app).contains("Whoever looks first"));
    // What others do meanwhile takes the question away only where the right is gone.
    tell(&mut app, Event::Moved { seat: Seat(1), kind: MoveKind::Dark, amount: 1, bank: 5 });
    tell(&mut app, may_look(&[]).pop().unwrap());
    press(&mut app, "\u{1b}");
    assert!(press(&mut app, "t/look\n").is_empty(), "it is asked of a typed word too");
    press(&mut app, "\u{1b}");
    assert_eq!(sent(&press(&mut app, "l\n")), [Command::Move(Move::Look)]);

    let bet = Event::Moved { seat: Seat(3), kind: MoveKind::Bet, amount: 1, bank: 5 };
    let mut app = seen(prefs(Lang::En), &may_look(&[bet]));
    assert_eq!(sent(&press(&mut app, "l")), [Command::Move(Move::Look)]);
}

#[test]
fn enter_that_was_meant_for_the_end_of_a_hand_makes_no_move_in_the_next() {
    let mut events = over();
    events.push(Event::Hand { hand: 8, dealer: Seat(3), seats: people(), bank: 4 });
    events.push(Event::Dealt { hand: 8, ms: 50 });
    events.push(my_turn(betting()));
    let mut app = seen(prefs(Lang::En), &events);
    assert!(sent(&press(&mut app, "\n\n\n")).is_empty());
    assert!(said(&mut app).contains("only just become your turn"));
    later(&mut app);
    assert_eq!(sent(&press(&mut app, "\n")), [Command::Move(Move::Bet(5))]);
}

#[test]
fn who_joins_by_address_sees_where_to_and_comes_back_where_nothing_answers() {
    let mut app = App::lobby(prefs(Lang::En), "");
    assert!(press(&mut app, "aabc\n").is_empty());
    assert!(said(&mut app).contains("“abc” is no address"));
    for _ in 0..3 {
        let now = app.now;
        app.update(now, Input::Key(Key::plain(Code::Backspace)));
    }
    let effects = press(&mut app, "10.0.0.5\n");
    assert_eq!(effects, [Effect::Start(Wish::Join("10.0.0.5".into()))]);
    tell(&mut app, story()[0].clone());
    let found = said(&mut app);
    assert!(found.contains("Reaching 10.0.0.5 …") && found.contains("[Q] goes back"), "{found}");
    assert!(!found.contains("[F5]") && !found.contains("192.168.1.5"), "{found}");
    let error = |code: &str, message: &str| Event::Error {
        code: code.into(),
        message: message.into(),
        advice: "Stop it (Ctrl-C).".into(),
    };
    tell(&mut app, error("no-table-seen", "It is not to be seen."));
    let found = said(&mut app);
    assert!(found.contains("The search goes on; [Q] ends it") && !found.contains("Ctrl-C"));
    let effects = tell(&mut app, error("cannot-reach", "Nothing answers at 10.0.0.5:24336."));
    assert_eq!(sent(&effects), [Command::Leave]);
    let now = app.now;
    assert_eq!(app.update(now, Input::Ended(None)), [Effect::Look]);
    let found = said(&mut app);
    assert!(found.contains("Nothing answers at 10.0.0.5") && found.contains("by address"));
}

#[test]
fn a_new_table_tells_how_many_have_come_and_sells_no_more_than_the_buy_in() {
    let mut app = App::table(prefs(Lang::En)).host(50, 3);
    let mut alone = table(Preset::Seka);
    let Event::Table { seats, .. } = &mut alone else { panic!() };
    seats.truncate(1);
    tell(&mut app, story()[0].clone());
    tell(&mut app, alone);
    assert!(said(&mut app).contains("1 of 3 have come."));
    press(&mut app, "u");
    assert!(said(&mut app).contains("1 to 50"));
}

#[test]
fn whoever_buys_into_a_svara_shuffles_with_the_others() {
    let mut events = story()[..10].to_vec();
    events.push(Event::Svara { seats: vec![Seat(1), Seat(3)], bank: 28, entry: 14 });
    events.push(Event::Moved { seat: Seat(0), kind: MoveKind::Enter, amount: 14, bank: 42 });
    for seat in [1, 3] {
        events.push(Event::Shuffled { seat: Seat(seat), ms: 10 });
    }
    let mut app = seen(prefs(Lang::En), &events);
    // How it came to the svara has been read.
    let now = app.now + 8_000;
    app.update(now, Input::Tick);
    assert!(said(&mut app).contains("proved 2 of 3"), "{}", said(&mut app));
    tell(&mut app, Event::Shuffled { seat: Seat(0), ms: 10 });
    assert!(said(&mut app).contains("proved 3 of 3"));
}

#[test]
fn what_was_asked_goes_with_its_answer_and_cards_with_their_hand() {
    let cut = |mine| Event::Turn {
        seat: Seat(0),
        mine,
        price: None,
        legal: vec![LegalMove::ranged(MoveKind::Cut, 1, 20)],
        seconds: 30,
    };
    let mut app = seen(prefs(Lang::En), &over());
    press(&mut app, "\n");
    let found = said(&mut app);
    assert!(found.contains("over: Анна takes 17") && !found.contains("points, "), "{found}");
    tell(&mut app, cut(true));
    assert!(said(&mut app).contains("[P] Cut the deck"));
    tell(&mut app, Event::Cut { seat: Seat(0), at: 9 });
    let found = said(&mut app);
    assert!(!found.contains("Cut the deck") && !found.contains("Your word"), "{found}");
    // The time of a deal that waited for a person says nothing of the deal.
    tell(&mut app, Event::Hand { hand: 8, dealer: Seat(3), seats: people(), bank: 4 });
    tell(&mut app, Event::Dealt { hand: 8, ms: 6_189 });
    let found = said(&mut app);
    assert!(found.contains("The cards are dealt.") && !found.contains("6189"), "{found}");
}

#[test]
fn a_question_says_what_it_is_for_and_a_no_hides_no_move() {
    let offer = Event::Offer {
        kind: OfferKind::ThreeTens,
        from: None,
        to: vec![Seat(0), Seat(3)],
        shares: Vec::new(),
        key: None,
        name: None,
        rules: None,
    };
    let no = Event::Moved { seat: Seat(3), kind: MoveKind::Refuse, amount: 0, bank: 17 };
    let asked = Event::Turn {
        seat: Seat(0),
        mine: true,
        price: None,
        legal: vec![LegalMove::plain(MoveKind::Accept), LegalMove::plain(MoveKind::Refuse)],
        seconds: 30,
    };
    let mut events = story()[..13].to_vec();
    for order in [[&no, &asked], [&asked, &no]] {
        events.truncate(13);
        events.push(offer.clone());
        events.extend(order.map(Clone::clone));
        let mut app = seen(prefs(Lang::En), &events);
        let found = said(&mut app);
        assert!(found.contains("Does anybody lay three tens open?"), "{found}");
        assert_eq!(app.sight.last.get(&Seat(3)).map(String::as_str), Some("calls 5"));
    }
}

#[test]
fn a_page_closes_at_any_key_and_says_so_where_that_key_does_something_else() {
    for key in [" ", "g", "\n", "\u{1b}"] {
        let mut app = seen(prefs(Lang::En), &story());
        press(&mut app, "g");
        assert!(press(&mut app, key).is_empty());
        let found = said(&mut app);
        assert!(found.contains("[F] Fold") && !found.contains("only closed"), "{found}");
    }
    let mut app = seen(prefs(Lang::En), &story());
    press(&mut app, "g");
    assert!(press(&mut app, "f").is_empty());
    assert!(said(&mut app).contains("[F] only closed the page"));
}

#[test]
fn whoever_comes_later_is_not_shown_the_lifts_of_before() {
    for (hand, shown) in [(1, true), (3, false)] {
        let mut app = seen(prefs(Lang::En), &[table(Preset::Seka)]);
        for (seat, card) in [(1, "Kh"), (3, "9s")] {
            tell(&mut app, Event::Lifted { seat: Seat(seat), cards: cards(card) });
        }
        tell(&mut app, Event::Hand { hand, dealer: Seat(1), seats: people(), bank: 4 });
        assert_eq!(said(&mut app).contains("Lifted for the deal"), shown, "hand {hand}");
    }
}

#[test]
fn boiling_and_pacts_say_in_a_few_words_what_they_are() {
    let mut app = seen(prefs(Lang::En), &story());
    let more = [MoveKind::Boil, MoveKind::Pact].map(LegalMove::plain);
    tell(&mut app, Event::Moved { seat: Seat(0), kind: MoveKind::Boil, amount: 0, bank: 12 });
    tell(&mut app, my_turn(more.to_vec()));
    let found = said(&mut app);
    assert!(found.contains("shall we boil?   new deal, same bank"), "{found}");
    assert!(found.contains("Propose a pact to …   halve what either takes"), "{found}");
    let offer = |kind| Event::Offer {
        kind,
        from: Some(Seat(3)),
        to: vec![Seat(0)],
        shares: Vec::new(),
        key: None,
        name: None,
        rules: None,
    };
    tell(&mut app, offer(OfferKind::Expose));
    let found = said(&mut app);
    assert!(found.contains("may say so now.") && !found.contains("[K]"), "no key does it: {found}");
    tell(&mut app, offer(OfferKind::Boil));
    let answers = [MoveKind::Accept, MoveKind::Refuse].map(LegalMove::plain);
    tell(
        &mut app,
        Event::Turn {
            seat: Seat(0),
            mine: true,
            price: None,
            legal: answers.to_vec(),
            seconds: 30,
        },
    );
    assert!(said(&mut app).contains("Both throw their cards"), "{}", said(&mut app));
}

/// What was proposed is asked about until it is answered, adopted, refused or lapsed; one's own never.
#[test]
fn other_rules_are_asked_about_as_long_as_they_are_proposed() {
    let other = |ante: &str| {
        let mut rules = HouseRules::preset(Preset::TrinkaClassic);
        rules.set("ante", ante).unwrap();
        Some(Box::new(rules))
    };
    let offer = |kind, from, rules| Event::Offer {
        kind,
        from: Some(Seat(from)),
        to: vec![Seat(0), Seat(2)],
        shares: Vec::new(),
        key: None,
        name: None,
        rules,
    };
    let asked = |events: &[Event]| {
        let mut all = vec![table(Preset::TrinkaClassic)];
        all.extend_from_slice(events);
        let mut app = seen(prefs(Lang::En), &all);
        said(&mut app).contains("[Y] Yes")
    };
    let proposed = offer(OfferKind::Rules, 1, other("2"));
    assert!(asked(std::slice::from_ref(&proposed)));
    assert!(!asked(&[offer(OfferKind::Rules, 0, other("2"))]), "one's own");
    for (kind, from) in [
        (OfferKind::RulesAgreed, 0),
        (OfferKind::RulesRefused, 2),
        (OfferKind::RulesLapsed, 1),
        (OfferKind::RulesAdopted, 1),
    ] {
        assert!(!asked(&[proposed.clone(), offer(kind, from, other("2"))]), "{kind:?}");
    }
    // Another's agreement is no answer of one's own; and what became of other rules says nothing of these.
    assert!(asked(&[proposed.clone(), offer(OfferKind::RulesAgreed, 2, other("2"))]));
    assert!(asked(&[proposed, offer(OfferKind::RulesRefused, 2, other("3"))]));
}
