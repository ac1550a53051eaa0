//! One function a message: its name with hyphens is the key, its arguments are the message's.

use fluent_bundle::FluentValue;

use super::Lang;

macro_rules! messages {
    ($($name:ident($($arg:ident),*);)+) => {
        $(
            #[doc = concat!("The message `", stringify!($name), "`.")]
            #[must_use]
            #[allow(
                clippy::extra_unused_lifetimes,
                clippy::too_many_arguments,
                reason = "as many as the message has"
            )]
            pub fn $name<'a>(lang: Lang, $($arg: impl Into<FluentValue<'a>>),*) -> String {
                lang.message(stringify!($name), [$((stringify!($arg), $arg.into())),*])
            }
        )+

        /// Every message with its arguments.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, &[&str])] = &[
            $((stringify!($name), &[$(stringify!($arg)),*]),)+
        ];
    };
}

messages! {
    // Names and lists.
    you(name);
    somebody(seat);
    points(n);
    chips(n);

    // What happens, one line each.
    ev_hello(fingerprint, listen);
    ev_found(by, address);
    ev_table(name, preset, ante, seats);
    ev_table_more(rules);
    ev_hand(hand, dealer, seats, bank);
    ev_shuffled(name, ms);
    ev_dealt(ms);
    ev_cards(cards, points);
    ev_turn(name);
    ev_compared_out(caller, target, out);
    ev_compared_tie(caller, target);
    ev_shown(name, cards);
    ev_shown_to(name, cards, to);
    ev_svara(seats, bank, entry);
    ev_redeal(name);
    ev_redeal_layer();
    ev_settled(hand, winners, stacks);
    ev_saved(file);
    ev_again_missing(hand);
    ev_again_false(hand);
    ev_again_lost_layer(hand);
    ev_again_tied(hand);
    ev_fault_two_votes(name);
    ev_fault_two_messages(name);
    ev_fault_false_proof(name);
    ev_fault_absent(name);
    ev_away(name);
    ev_back(name);
    ev_cut(name, at);
    ev_lifted(name, cards);
    ev_counted(cards, dealer);
    ev_exposed(name, card);
    ev_pool(name, shares);
    ev_pact(names);
    ev_advice(name, text);
    ev_say(name, text);
    ev_error(message, advice);
    wins(name, amount);
    has(name, amount);

    // What the table waits for.
    wait_players();
    wait_host();
    wait_founding();
    wait_ready();
    wait_dealer();
    wait_deal();
    wait_shares();
    wait_quorum();
    wait_table();
    wait_leaving();
    wait_for(names);

    // What is proposed.
    of_boil(name);
    of_three_tens();
    of_split();
    of_pool(name, shares);
    of_pact(name);
    of_expose();
    of_exposed();
    of_admit(name, fingerprint, short);
    of_unfreeze(name);
    of_rules(changes);

    // What was done.
    mv_call(name, amount, bank);
    mv_raise(name, amount, bank);
    mv_dark(name, amount, bank);
    mv_look(name);
    mv_fold(name);
    mv_compare(name, amount, bank);
    mv_redeal(name);
    mv_boil(name);
    mv_accept(name);
    mv_refuse(name);
    mv_split(name);
    mv_no_split(name);
    mv_enter(name, amount, bank);
    mv_stay_out(name);
    mv_cut(name);
    mv_lift(name);
    mv_replace(name);
    mv_ante(name, amount, bank);
    mv_omit(name);
    mv_keep(name);
    mv_expose(name);
    mv_pool(name);
    mv_pact(name);

    // My turn: what may be typed.
    ask(choices, seconds);
    ch_call(amount);
    ch_raise(min, max);
    ch_raise_one(amount);
    ch_dark(min, max);
    ch_dark_one(amount);
    ch_look();
    ch_fold();
    ch_compare(amount);
    ch_compare_free();
    ch_redeal();
    ch_boil();
    ch_accept();
    ch_refuse();
    ch_split();
    ch_no_split();
    ch_enter();
    ch_stay_out();
    ch_cut(min, max);
    ch_lift(min, max);
    ch_replace(min, max);
    ch_ante();
    ch_omit();
    ch_keep();
    ch_expose();
    ch_pool();
    ch_pact();

    // The table as it stands, on request.
    st_nothing();
    st_table(name);
    st_hand(hand, dealer, bank);
    st_seat(name, stack);
    st_turn();
    st_out();
    st_watching();
    st_dark();
    st_away();
    st_cards(cards, points);
    ht_turn();
    ht_dark();
    ht_look();
    ht_cut();
    ht_lift();
    ht_replace();
    ht_compare();
    ht_fold();
    ht_any();
    hint_cards(cards, points);
    hint_unseen();
    hint_chance(others, percent);
    hint_price(price, bank, percent);
    hint_compare(name);
    hint_alone();
    hint_none();
    ack_time();
    ack_ready();
    ack_sit_out();

    // Commands that report.
    demo_begin(players, hands);
    demo_found_mdns(players);
    demo_found_beacon(players);
    demo_hand(hand, ms, winners);
    demo_names();
    demo_no_lan();
    demo_not_found(seconds);
    demo_differ(hand);
    demo_chips(hand);
    demo_kind(kind, count);
    demo_stacks(stacks);
    demo_agree(players);
    demo_disagree();
    demo_verified(verified, all);
    demo_deal_times(least, most);
    demo_met(kinds);
    demo_kept(dir);
    demo_short(hands, asked);
    verify_ok(file, hand);
    verify_counts(messages, shuffles, shares, hand_proofs, signatures);
    verify_result(winners);
    verify_rejected(file, part);
    verify_where_entry(height);
    verify_where_message(message);
    verify_where_seat(seat);
    verify_reason(reason);
    verify_seat(seat, name, fingerprint, before, after);
    verify_skipped(name, height);
    verify_split(names, amount);
    verify_summary(good, all);
    part_header();
    part_founding();
    part_deal();
    part_entry();
    part_certificate();
    part_signature();
    part_private();
    part_end();
    why_damaged();
    why_short();
    why_kind();
    why_signature();
    why_end();
    why_not_after();
    why_not_before();
    why_not_one();
    verify_unfinished(file, hand);
    verify_keys_only();
    export_short();
    tables_none(seconds);
    tables_some(n);
    tables_line(name, rules, players, free, seats);
    tables_playing();
    tables_join(id, addresses);
    id_show(fingerprint, key, dir);
    practice_table();
    bot_name(name);
    verify_missing(owner, hands);
    man_name();
    man_synopsis();
    man_exit();
    man_exit_codes();
    short_help();
    usage_heading();
    commands_heading();
    arguments_heading();
    options_heading();
    global_heading();
    examples_heading();

    // The rules in plain words.
    rules_title(game);
    rules_h_aim();
    rules_h_cards();
    rules_h_hand();
    rules_h_dark();
    rules_h_compare();
    rules_h_tens();
    rules_h_svara();
    rules_h_deal();
    rules_h_switches();
    rules_aim(players);
    rules_deck(deck);
    rules_values(pictures);
    rules_suits();
    rules_trinka();
    rules_top(order);
    rules_two_aces(value);
    rules_triples(triples);
    rules_tens_points();
    rules_wild(wild);
    rules_wild_copy(copy);
    rules_stakes(ante, opening);
    rules_ceiling(ceiling);
    rules_no_ceiling();
    rules_turns();
    rules_move_fold();
    rules_move_call();
    rules_move_raise();
    rules_move_compare();
    rules_flat();
    rules_last();
    rules_short();
    rules_time();
    rules_missing_ante(value);
    rules_dark_off();
    rules_dark(chain);
    rules_dark_least(least);
    rules_dark_most(most);
    rules_dark_same(value);
    rules_dark_double();
    rules_dark_knock(value);
    rules_dark_look(value);
    rules_compare_from(value);
    rules_compare_price(dark);
    rules_compare_tie(value);
    rules_reveal(value);
    rules_tens_off();
    rules_tens_demand();
    rules_tens_compare();
    rules_redeal();
    rules_redeal_dark();
    rules_svara_off();
    rules_svara();
    rules_svara_no_ties();
    rules_svara_boil();
    rules_svara_entry(played, newcomer);
    rules_svara_pool();
    rules_svara_pact();
    rules_svara_deal(dark);
    rules_svara_poor();
    rules_first_dealer(value);
    rules_next_dealer(value);
    rules_cut();
    rules_exposed();
    rules_switch_line(switch, value);
    rules_hash();
    rules_more();

    // The referee, hands, places in texts.
    in_file(file, line, column, text);
    ref_lines(n);
    ref_phase(phase, bank);
    ref_stacks(stacks);
    ref_turn(name);
    ref_win(names, amount);
    ref_split(names, amount);
}
