//! Forms: a list of fields with a pointer, used for making tables and for settings.

use super::MAX_PACE;
use super::keys::{Code, Key};
use crate::i18n::{Lang, Problem, by_number, messages as m};
use crate::rules::{Chips, HouseRules, MAX_SWITCH_CHIPS, Preset, RulesError};

/// Which field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Id {
    Name,
    Lang,
    Table,
    Preset,
    Seats,
    BuyIn,
    Think,
    Begin,
    Bots,
    Pace,
    Go,
    Switch(&'static str),
    Letters,
    FourColours,
    Light,
    Bell,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// A short text.
    Text(String),
    /// A number within limits.
    Number { text: String, min: u64, max: u64 },
    /// One of several, by their names for programs.
    Choice { options: Vec<String>, at: usize },
    /// Something to press.
    Button,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) id: Id,
    pub(super) value: Value,
}

/// What the form is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The first start.
    First,
    /// Settings.
    Settings,
    /// A table on the network.
    Make,
    /// A table on this machine.
    Practise,
}

/// A form.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub(super) purpose: Purpose,
    pub(super) fields: Vec<Field>,
    pub(super) at: usize,
    pub(super) rules: HouseRules,
}

/// What a key did to a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    /// Nothing that matters outside.
    Stays,
    /// The language was changed.
    Changed,
    /// What was typed does not change this field.
    Untyped,
    /// The button was pressed.
    Go,
    /// It is laid aside.
    Away,
}

fn text(id: Id, value: &str) -> Field {
    Field { id, value: Value::Text(value.to_owned()) }
}

fn number(id: Id, value: u64, min: u64, max: u64) -> Field {
    Field { id, value: Value::Number { text: value.to_string(), min, max } }
}

fn choice(id: Id, options: &[&str], chosen: &str) -> Field {
    let options: Vec<String> = options.iter().map(|one| (*one).to_owned()).collect();
    let at = options.iter().position(|one| one == chosen).unwrap_or(0);
    Field { id, value: Value::Choice { options, at } }
}

fn on_off(id: Id, on: bool) -> Field {
    choice(id, &["off", "on"], if on { "on" } else { "off" })
}

const fn button() -> Field {
    Field { id: Id::Go, value: Value::Button }
}

impl Form {
    /// Name and language, and nothing else.
    pub(super) fn first(lang: Lang, name: &str) -> Self {
        let fields = vec![text(Id::Name, name), language(lang), button()];
        Self {
            purpose: Purpose::First,
            fields,
            at: 0,
            rules: HouseRules::preset(Preset::TrinkaClassic),
        }
    }

    /// Settings.
    pub(super) fn settings(lang: Lang, prefs: &super::Prefs) -> Self {
        let fields = vec![
            text(Id::Name, prefs.name.as_deref().unwrap_or_default()),
            language(lang),
            on_off(Id::Letters, prefs.letters),
            on_off(Id::FourColours, prefs.four_colours),
            on_off(Id::Light, prefs.light),
            choice(Id::Bell, &["off", "bell", "osc9"], prefs.bell.name()),
            number(Id::Pace, prefs.pace, 0, MAX_PACE),
            button(),
        ];
        Self {
            purpose: Purpose::Settings,
            fields,
            at: 0,
            rules: HouseRules::preset(Preset::TrinkaClassic),
        }
    }

    /// A table to be made.
    pub(super) fn table(purpose: Purpose, name: &str, pace: u64) -> Self {
        let rules = HouseRules::preset(Preset::TrinkaClassic);
        let mut form = Self { purpose, fields: Vec::new(), at: 0, rules };
        let most = u64::from(form.rules.max_players());
        let presets = Preset::TrinkaClassic.to_string();
        let preset = choice(Id::Preset, &["trinka-classic", "trinka-online", "seka"], &presets);
        form.fields = if purpose == Purpose::Practise {
            vec![
                preset,
                number(Id::Bots, 3, 1, most - 1),
                number(Id::Pace, pace, 0, MAX_PACE),
                number(Id::BuyIn, 100, 1, MAX_SWITCH_CHIPS),
            ]
        } else {
            vec![
                text(Id::Table, name),
                preset,
                number(Id::Seats, most, 2, most),
                number(Id::Begin, 2, 2, most),
                number(Id::BuyIn, 100, 1, MAX_SWITCH_CHIPS),
                number(Id::Think, 60, 5, 3_600),
            ]
        };
        form.fields.push(button());
        form.fields.extend(switches(&form.rules));
        form
    }

    pub(super) fn field(&self, id: Id) -> Option<&Value> {
        self.fields.iter().find(|field| field.id == id).map(|field| &field.value)
    }

    /// The text of a field.
    pub(super) fn text(&self, id: Id) -> String {
        match self.field(id) {
            Some(Value::Text(text)) => text.trim().to_owned(),
            Some(Value::Number { text, .. }) => text.clone(),
            Some(Value::Choice { options, at }) => options.get(*at).cloned().unwrap_or_default(),
            Some(Value::Button) | None => String::new(),
        }
    }

    /// The number of a field.
    pub(super) fn number(&self, id: Id) -> u64 {
        self.text(id).parse().unwrap_or(0)
    }

    pub(super) fn is_on(&self, id: Id) -> bool {
        self.text(id) == "on"
    }

    /// Why it cannot be done, if so.
    pub(super) fn trouble(&self, lang: Lang) -> Option<Problem> {
        if let Purpose::First | Purpose::Settings = self.purpose {
            let name = self.text(Id::Name);
            let length = name.chars().count();
            if !(1..=24).contains(&length) {
                return Some(Problem::BadName { most: 24 });
            }
        }
        for field in &self.fields {
            if let Value::Number { text, min, max } = &field.value {
                let given = text.parse().unwrap_or(0);
                let most = if matches!(field.id, Id::Seats | Id::Begin) {
                    u64::from(self.rules.max_players())
                } else {
                    *max
                };
                if !(*min..=most).contains(&given) {
                    let option = field_name(lang, field.id);
                    return Some(Problem::OptionRange { option, given, min: *min, max: most });
                }
            }
        }
        if self.purpose == Purpose::Make && self.text(Id::Table).chars().count() > 24 {
            return Some(Problem::BadName { most: 24 });
        }
        self.rules.validate().err().map(Problem::Rules)
    }

    /// Why it cannot be done, in the words of this page, and which fields are at fault.
    pub(super) fn fault(&self, lang: Lang) -> Option<(String, Vec<Id>)> {
        let naming = by_number(lang);
        let problem = self.trouble(lang)?;
        if let Problem::Rules(RulesError::Clash { one, other, .. }) = &problem {
            let ids: Vec<Id> =
                [one, other].into_iter().filter_map(|named| self.switch_of(named)).collect();
            if let [one, other] = ids.as_slice() {
                let named = |id: Id| {
                    let value = value_name(lang, id, &self.text(id));
                    format!("{}: {value}", field_name(lang, id))
                };
                return Some((m::form_clash(lang, named(*one), named(*other)), ids));
            }
        }
        let text = format!("{} {}", problem.message(lang, &naming), problem.advice(lang, &naming));
        let at_fault = |id: &Id| match &problem {
            Problem::OptionRange { option, .. } => *option == field_name(lang, *id),
            _ => false,
        };
        let ids = self.fields.iter().map(|field| field.id).filter(at_fault).collect();
        Some((text, ids))
    }

    /// The field of a switch that is named with its value, as in a file.
    fn switch_of(&self, named: &str) -> Option<Id> {
        let (name, _) = named.split_once(" = ")?;
        let is = |id: &Id| matches!(id, Id::Switch(switch) if *switch == name);
        self.fields.iter().map(|field| field.id).find(is)
    }

    /// Takes a key.
    pub(super) fn key(&mut self, key: Key) -> Done {
        let last = self.fields.len().saturating_sub(1);
        match key.code {
            Code::Esc => return Done::Away,
            Code::Up | Code::BackTab => self.at = self.at.checked_sub(1).unwrap_or(last),
            Code::Down | Code::Tab => self.at = if self.at >= last { 0 } else { self.at + 1 },
            Code::PageDown => self.at = (self.at + 8).min(last),
            Code::PageUp => self.at = self.at.saturating_sub(8),
            Code::Home => self.at = 0,
            Code::End => self.at = last,
            _ => return self.edit(key),
        }
        Done::Stays
    }

    fn edit(&mut self, key: Key) -> Done {
        let Some(field) = self.fields.get_mut(self.at) else { return Done::Stays };
        let id = field.id;
        match (&mut field.value, key.code) {
            (Value::Button, Code::Enter) | (Value::Button, Code::Char(' ')) => return Done::Go,
            (Value::Text(_) | Value::Number { .. }, Code::Enter) => {
                self.at += 1;
                return Done::Stays;
            }
            (Value::Text(text), Code::Char(c)) if !c.is_control() => {
                if text.chars().count() < 24 {
                    text.push(c);
                }
            }
            (Value::Text(text) | Value::Number { text, .. }, Code::Backspace) => {
                text.pop();
            }
            (Value::Number { text, .. }, Code::Char(c)) if c.is_ascii_digit() => {
                if text == "0" {
                    text.clear();
                }
                if text.len() < 10 {
                    text.push(c);
                }
            }
            (Value::Number { text, min, max }, Code::Left | Code::Right) => {
                let now: u64 = text.parse().unwrap_or(*min);
                let step = if *max > 1_000 && now >= 100 { 10 } else { 1 };
                let next =
                    if key.code == Code::Left { now.saturating_sub(step) } else { now + step };
                *text = next.clamp(*min, *max).to_string();
            }
            (Value::Choice { options, at }, Code::Left) => {
                *at = at.checked_sub(1).unwrap_or(options.len().saturating_sub(1));
            }
            (Value::Choice { .. }, Code::Enter) if self.purpose == Purpose::First => {
                self.at += 1;
                return Done::Stays;
            }
            (Value::Choice { options, at }, Code::Right | Code::Enter | Code::Char(' ')) => {
                *at = if *at + 1 >= options.len() { 0 } else { *at + 1 };
            }
            (Value::Choice { .. }, Code::Char(_) | Code::Backspace) => return Done::Untyped,
            _ => return Done::Stays,
        }
        self.follow(id)
    }

    /// What a changed field means for the rest.
    fn follow(&mut self, id: Id) -> Done {
        let text = self.text(id);
        match id {
            Id::Preset => {
                if let Ok(preset) = text.parse() {
                    self.rules = HouseRules::preset(preset);
                    self.fields.retain(|field| !matches!(field.id, Id::Switch(_)));
                    self.fields.extend(switches(&self.rules));
                    self.fit_seats();
                }
            }
            Id::Switch(name) => {
                // What cannot be a value is told by `trouble` when the form is done.
                let _ = self.rules.set(name, &text);
                self.fit_seats();
            }
            Id::Lang => return Done::Changed,
            _ => {}
        }
        Done::Stays
    }

    fn fit_seats(&mut self) {
        let most = u64::from(self.rules.max_players());
        for field in &mut self.fields {
            if let (Id::Seats, Value::Number { text, max, .. }) = (field.id, &mut field.value) {
                if text.parse() == Ok(*max) {
                    *text = most.to_string();
                }
                *max = most;
            }
        }
    }
}

fn language(lang: Lang) -> Field {
    choice(Id::Lang, &["en", "ru"], if lang == Lang::Ru { "ru" } else { "en" })
}

/// A field for every switch.
fn switches(rules: &HouseRules) -> Vec<Field> {
    let all = rules.switches().into_iter().filter(|(name, _)| *name != "preset");
    all.map(|(name, value)| Field { id: Id::Switch(name), value: switch(name, &value) }).collect()
}

/// What a switch can be: the rules say it themselves where a value is refused.
fn switch(name: &str, value: &str) -> Value {
    if name == "ante" {
        return Value::Number { text: value.to_owned(), min: 1, max: MAX_SWITCH_CHIPS };
    }
    let mut rules = HouseRules::preset(Preset::TrinkaClassic);
    let listed = match rules.set(name, "?") {
        Err(RulesError::BadValue { choices, .. }) => choices,
        _ => String::new(),
    };
    let mut options: Vec<String> = match name {
        "opening_minimum" => ["ante", "2", "5", "10", "20"].map(str::to_owned).to_vec(),
        "ceiling" => ["none", "20x", "50x", "100x", "200x"].map(str::to_owned).to_vec(),
        _ => listed.split(", ").map(str::to_owned).collect(),
    };
    let at = options.iter().position(|one| one == value).unwrap_or_else(|| {
        options.push(value.to_owned());
        options.len() - 1
    });
    Value::Choice { options, at }
}

/// What a field is called.
pub(super) fn field_name(lang: Lang, id: Id) -> String {
    let key = match id {
        Id::Name => "name",
        Id::Lang => "lang",
        Id::Table => "table",
        Id::Preset => "preset",
        Id::Seats => "seats",
        Id::BuyIn => "buy-in",
        Id::Think => "think",
        Id::Begin => "begin",
        Id::Bots => "bots",
        Id::Pace => "pace",
        Id::Go => "go",
        Id::Letters => "letters",
        Id::FourColours => "four",
        Id::Light => "light",
        Id::Bell => "bell",
        Id::Switch(name) => return m::switch_name(lang, name),
    };
    m::field_name(lang, key)
}

/// What a value of a choice is called.
pub(super) fn value_name(lang: Lang, id: Id, value: &str) -> String {
    match id {
        Id::Lang if value == "ru" => "Русский".to_owned(),
        Id::Lang => "English".to_owned(),
        Id::Switch("dark_chain") if value == "2" => m::value_name(lang, "two"),
        Id::Switch("open_pass") => {
            m::value_name(lang, if value == "1x" { "same" } else { "double" })
        }
        Id::Switch("ceiling") if value.ends_with('x') => {
            let times = value.trim_end_matches('x').parse::<Chips>().unwrap_or(0);
            m::value_antes(lang, times)
        }
        Id::Switch("ante") => m::chips(lang, value.parse::<Chips>().unwrap_or(0)),
        _ => m::value_name(lang, value),
    }
}

/// What a field is about, in a sentence or two.
pub(super) fn explanation(lang: Lang, form: &Form) -> String {
    let Some(field) = form.fields.get(form.at) else { return String::new() };
    match field.id {
        Id::Switch(name) => {
            lang.find_plain(&format!("toml-{}", name.replace('_', "-"))).unwrap_or_default()
        }
        Id::Preset => m::explain_preset(lang, form.text(Id::Preset)),
        Id::Seats => m::explain_field(lang, "seats"),
        Id::Begin => m::explain_field(lang, "begin"),
        Id::BuyIn => m::explain_field(lang, "buy-in"),
        Id::Think => m::explain_field(lang, "think"),
        Id::Bots => m::explain_field(lang, "bots"),
        Id::Pace => m::explain_field(lang, "pace"),
        Id::Letters => m::explain_field(lang, "letters"),
        Id::FourColours => m::explain_field(lang, "four"),
        Id::Light => m::explain_field(lang, "light"),
        Id::Bell => m::explain_field(lang, "bell"),
        Id::Name => m::explain_field(lang, "name"),
        Id::Table => m::explain_field(lang, "table"),
        Id::Lang if form.purpose == Purpose::First => m::explain_field(lang, "lang"),
        Id::Lang => m::explain_field(lang, "lang-kept"),
        Id::Go => String::new(),
    }
}
