//! House rules in plain words: a page from which the game can be learnt.

use crate::i18n::{Lang, messages as m};
use crate::rules::{
    CompareTie, FirstDealer, HouseRules, NextDealer, OpenPass, Rank, ThreeTens, TopHand, Triples,
    Wild,
};

/// How wide the page is, in characters.
const WIDTH: usize = 78;

/// A page in the making.
struct Page {
    lang: Lang,
    text: String,
}

/// The rules in plain words, for somebody who has never heard of the game.
#[must_use]
pub fn page(rules: &HouseRules, lang: Lang) -> String {
    let mut page = told(rules, lang);
    page.switches(rules);
    page.text
}

/// The same without the list of switches.
#[must_use]
pub fn words(rules: &HouseRules, lang: Lang) -> String {
    told(rules, lang).text
}

fn told(rules: &HouseRules, lang: Lang) -> Page {
    let mut page = Page { lang, text: String::new() };
    let game = if rules.is_trinka() { "trinka" } else { "seka" };
    page.heading(m::rules_title(lang, game), '=');
    page.heading(m::rules_h_aim(lang), '-');
    page.say(m::rules_aim(lang, u64::from(rules.max_players())));
    page.cards(rules);
    page.hand(rules);
    page.dark(rules);
    page.compare(rules);
    page.tens(rules);
    page.svara(rules);
    page.deal(rules);
    page
}

/// What a hand counts and which beats which, in a few sentences.
#[must_use]
pub fn ranking(rules: &HouseRules, lang: Lang) -> Vec<String> {
    let named = rules.sixes_are_named();
    let mut told = Vec::new();
    told.push(m::rules_values(lang, yes(rules.deck.has(Rank::King))));
    told.push(m::rules_suits(lang));
    if rules.is_trinka() && !rules.deck.has(Rank::King) {
        told.push(m::rules_trinka(lang));
    }
    let order = match rules.top_hand {
        _ if !named => "aces",
        TopHand::Aces => "aces-sixes",
        TopHand::Sixes => "sixes-aces",
    };
    told.push(m::rules_top(lang, order));
    let two: u64 = rules.two_aces.to_string().parse().unwrap_or(11);
    told.push(m::rules_two_aces(lang, two));
    told.push(m::rules_triples(lang, rules.triples.to_string()));
    if rules.is_trinka() && rules.triples != Triples::None {
        told.push(m::rules_tens_points(lang));
    }
    if rules.wild != Wild::None {
        told.push(m::rules_wild(lang, rules.wild.to_string()));
        told.push(m::rules_wild_copy(lang, rules.wild_copy.to_string()));
    }
    told
}

/// What a value is called in the texts.
const fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

impl Page {
    fn heading(&mut self, text: String, line: char) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let under: String = text.chars().map(|_| line).collect();
        self.text.push_str(&format!("{text}\n{under}\n"));
    }

    /// A paragraph.
    fn say(&mut self, text: String) {
        for line in wrapped(&text, WIDTH) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// One of several points.
    fn point(&mut self, text: String) {
        for (number, line) in wrapped(&text, WIDTH - 2).into_iter().enumerate() {
            self.text.push_str(if number == 0 { "- " } else { "  " });
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    fn cards(&mut self, rules: &HouseRules) {
        let lang = self.lang;
        self.heading(m::rules_h_cards(lang), '-');
        let deck: u64 = rules.deck.to_string().parse().unwrap_or(0);
        self.say(m::rules_deck(lang, deck));
        for text in ranking(rules, lang) {
            self.say(text);
        }
    }

    fn hand(&mut self, rules: &HouseRules) {
        let lang = self.lang;
        self.heading(m::rules_h_hand(lang), '-');
        self.say(m::rules_stakes(lang, rules.ante, rules.opening_price()));
        self.say(match rules.ceiling() {
            Some(ceiling) => m::rules_ceiling(lang, ceiling),
            None => m::rules_no_ceiling(lang),
        });
        self.say(m::rules_missing_ante(lang, rules.missing_ante.to_string()));
        self.say(m::rules_turns(lang));
        self.point(m::rules_move_fold(lang));
        self.point(m::rules_move_call(lang));
        self.point(m::rules_move_raise(lang));
        self.point(m::rules_move_compare(lang));
        self.say(m::rules_flat(lang));
        self.say(m::rules_last(lang));
        self.say(m::rules_short(lang));
        self.say(m::rules_time(lang));
    }

    fn dark(&mut self, rules: &HouseRules) {
        let lang = self.lang;
        self.heading(m::rules_h_dark(lang), '-');
        if !rules.dark.is_on() {
            return self.say(m::rules_dark_off(lang));
        }
        let double = rules.open_pass == OpenPass::Double;
        let chain = match rules.dark_chain {
            crate::rules::DarkChain::Two => "two",
            crate::rules::DarkChain::Unlimited => "unlimited",
        };
        self.say(m::rules_dark(lang, chain));
        self.say(m::rules_dark_least(lang, rules.least_dark()));
        if let Some(ceiling) = rules.ceiling() {
            self.say(m::rules_dark_most(lang, (ceiling - u64::from(double).min(ceiling)) / 2));
        }
        if double {
            self.say(m::rules_dark_double(lang));
            self.say(m::rules_dark_knock(lang, rules.knock_out.to_string()));
        } else {
            self.say(m::rules_dark_same(lang, rules.compare_price.to_string()));
        }
        self.say(m::rules_dark_look(lang, rules.look.to_string()));
    }

    fn compare(&mut self, rules: &HouseRules) {
        let lang = self.lang;
        self.heading(m::rules_h_compare(lang), '-');
        self.say(m::rules_compare_from(lang, rules.compare_from.to_string()));
        let dearer = rules.dark.is_on() && rules.open_pass == OpenPass::Same;
        self.say(m::rules_compare_price(lang, yes(dearer)));
        self.say(m::rules_compare_tie(lang, rules.compare_tie.to_string()));
        self.say(m::rules_reveal(lang, rules.reveal.to_string()));
    }

    fn tens(&mut self, rules: &HouseRules) {
        let lang = self.lang;
        self.heading(m::rules_h_tens(lang), '-');
        match rules.three_tens {
            ThreeTens::Off => return self.say(m::rules_tens_off(lang)),
            ThreeTens::OnDemand => self.say(m::rules_tens_demand(lang)),
            ThreeTens::OnCompare => self.say(m::rules_tens_compare(lang)),
        }
        self.say(m::rules_redeal(lang));
        if rules.dark.is_on() {
            self.say(m::rules_redeal_dark(lang));
        }
    }

    fn svara(&mut self, rules: &HouseRules) {
        let lang = self.lang;
        self.heading(m::rules_h_svara(lang), '-');
        let ties = rules.compare_tie == CompareTie::BothStay;
        match (rules.svara.is_on(), ties) {
            (_, false) => self.say(m::rules_svara_no_ties(lang)),
            (false, true) => self.say(m::rules_svara_off(lang)),
            (true, true) => self.say(m::rules_svara(lang)),
        }
        if rules.boil.is_on() {
            self.say(m::rules_svara_boil(lang));
        }
        if !rules.svara.is_on() || !(ties || rules.boil.is_on()) {
            return;
        }
        let (played, newcomer) = (rules.entry_played, rules.entry_newcomer);
        self.say(m::rules_svara_entry(lang, played.to_string(), newcomer.to_string()));
        if rules.pool.is_on() {
            self.say(m::rules_svara_pool(lang));
        }
        if rules.pact.is_on() {
            self.say(m::rules_svara_pact(lang));
        }
        self.say(m::rules_svara_deal(lang, rules.svara_dark.to_string()));
        self.say(m::rules_svara_poor(lang));
    }

    fn deal(&mut self, rules: &HouseRules) {
        let lang = self.lang;
        self.heading(m::rules_h_deal(lang), '-');
        let first: FirstDealer = rules.first_dealer;
        let next: NextDealer = rules.next_dealer;
        self.say(m::rules_first_dealer(lang, first.to_string()));
        self.say(m::rules_next_dealer(lang, next.to_string()));
        self.say(m::rules_cut(lang));
        if rules.exposed_card.is_on() {
            self.say(m::rules_exposed(lang));
        }
    }

    fn switches(&mut self, rules: &HouseRules) {
        let lang = self.lang;
        self.heading(m::rules_h_switches(lang), '-');
        for (switch, value) in rules.switches() {
            self.text.push_str(&m::rules_switch_line(lang, switch, value));
            self.text.push('\n');
        }
        self.text.push('\n');
        self.say(m::rules_hash(lang));
        self.text.push_str(&super::hash_text(rules));
        self.text.push_str("\n\n");
        self.say(m::rules_more(lang));
    }
}

/// A text in lines of at most `width` characters, longer words apart.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let more = word.chars().count();
        if length > 0 && length + 1 + more > width {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += more;
    }
    if length > 0 {
        lines.push(line);
    }
    lines
}
