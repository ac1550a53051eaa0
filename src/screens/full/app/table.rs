//! The table's keys: moves that are open, moves chosen beforehand, and why others are refused.

use super::super::dialog::{Amount, Dialog, Players, Purpose, Sure};
use super::super::keys::{Act, Code, ENTRIES, Group, Key};
use super::super::moves::{Choice, How};
use super::{Ahead, App, Effect};
use crate::event::{Command, Move, MoveKind};
use crate::i18n::{Lang, messages as m};
use crate::rules::{Chips, ThreeTens};
use crate::screens::{asking, receipt};

impl App {
    pub(super) fn table_key(&mut self, key: Key) -> Vec<Effect> {
        if self.is_held() && matches!(key.code, Code::Enter | Code::Esc | Code::Char(' ')) {
            return self.release();
        }
        if self.is_just_closed() && self.is_of_moves(key) {
            self.note(m::just_closed(self.lang()), false);
            return Vec::new();
        }
        let choices = self.choices();
        match key.code {
            Code::Up | Code::Down if choices.is_empty() => {}
            Code::Up => {
                let last = choices.len() - 1;
                self.chosen = Some(self.chosen.map_or(last, |at| at.saturating_sub(1)));
            }
            Code::Down => {
                let last = choices.len() - 1;
                self.chosen = Some(self.chosen.map_or(0, |at| (at + 1).min(last)));
            }
            Code::Enter if self.is_fresh() => self.note(m::too_soon(self.lang()), false),
            Code::Enter => {
                if let Some(choice) = self.chosen.and_then(|at| choices.get(at)) {
                    return self.choose(choice.clone());
                }
                self.sight.showdown = None;
                self.note = None;
            }
            Code::Esc => {
                self.ahead = None;
                self.note = None;
                self.sight.showdown = None;
            }
            Code::Char(c) if c.is_ascii_digit() => return self.digit(key, &choices),
            _ => {
                if let Some(choice) = choices.iter().find(|choice| self.is(key, choice.act)) {
                    return self.choose(choice.clone());
                }
                return self.table_command(key);
            }
        }
        Vec::new()
    }

    /// Could this key make a move, or choose one beforehand?
    fn is_of_moves(&self, key: Key) -> bool {
        let digit = matches!(key.code, Code::Char(c) if c.is_ascii_digit());
        let mut moves = ENTRIES.iter().filter(|entry| entry.group == Group::Move);
        key.code == Code::Enter || digit || moves.any(|entry| self.is(key, entry.act))
    }

    /// A digit begins an amount where one is asked.
    fn digit(&mut self, key: Key, choices: &[Choice]) -> Vec<Effect> {
        let numbered = |choice: &&Choice| matches!(choice.how, How::Number { .. });
        if let Some(choice) = choices.iter().find(numbered) {
            self.choose(choice.clone());
            if let Some(Dialog::Amount(amount)) = &mut self.dialog {
                amount.key(key);
            }
        }
        Vec::new()
    }

    fn table_command(&mut self, key: Key) -> Vec<Effect> {
        let lang = self.lang();
        if self.is(key, Act::Chat) {
            self.sight.unread = 0;
            self.dialog = Some(Dialog::Chat(String::new()));
        } else if self.is(key, Act::Log) {
            self.dialog = Some(Dialog::Log(0));
        } else if self.is(key, Act::Proofs) {
            self.dialog = Some(Dialog::Proofs(0));
        } else if self.is(key, Act::House) {
            self.dialog = Some(Dialog::House(0));
        } else if self.is(key, Act::Hint) {
            self.hint();
        } else if self.is(key, Act::Mute) {
            self.muted = !self.muted;
            self.sight.unread = 0;
            let text = if self.muted { m::mute_on(lang) } else { m::mute_off(lang) };
            self.note(text, false);
        } else if self.is(key, Act::MoreTime) {
            return vec![Effect::Send(Command::MoreTime)];
        } else if self.is(key, Act::Rebuy) {
            // No table sells more at once than each sits down with.
            let most = self.buy_in.unwrap_or(1_000_000_000);
            let amount = Amount {
                purpose: Purpose::Rebuy,
                text: most.min(100).to_string(),
                min: 1,
                max: most,
                presets: Vec::new(),
                fresh: true,
            };
            self.dialog = Some(Dialog::Amount(amount));
        } else if self.is(key, Act::SitOut) {
            self.sight.returning = self.sight.is_absent();
            self.sight.sitting_out = !self.sight.sitting_out && !self.sight.returning;
            let (text, command) = if self.sight.sitting_out {
                (m::sitting_out(lang), Command::SitOut)
            } else {
                (m::sitting_in(lang), Command::Ready)
            };
            self.note(text, false);
            return vec![Effect::Send(command)];
        } else if self.is(key, Act::Start) {
            return vec![Effect::Send(Command::Start)];
        } else if self.is(key, Act::Leave) && self.sight.view.table.is_none() {
            // Nothing is left behind yet.
            self.leaving = true;
            return vec![Effect::Send(Command::Leave)];
        } else if self.is(key, Act::Leave) {
            self.dialog = Some(Dialog::Sure(Sure::Leave));
        } else {
            self.not_now(key);
        }
        Vec::new()
    }

    /// Opens the page with what beats what and one's chances.
    pub(super) fn hint(&mut self) {
        self.dialog = Some(Dialog::Hint(0, self.sight.hint(self.prefs.locale)));
    }

    /// A move that is not open: chosen beforehand where that is possible, else refused with the
    /// reason.
    fn not_now(&mut self, key: Key) {
        let lang = self.lang();
        let acts = [Act::Call, Act::Raise].into_iter();
        let all = acts.chain(MoveKind::ALL.into_iter().map(Act::Move));
        let meant: Vec<Act> = all.filter(|act| self.is(key, *act)).collect();
        let Some(act) = meant.first().copied() else { return };
        if self.sight.view.my_turn().is_none() && self.sight.in_hand() && self.betting() {
            let price = self.sight.view.price.unwrap_or(0);
            let ahead = match act {
                Act::Move(MoveKind::Fold) => Some(Ahead::Fold),
                Act::Call => Some(Ahead::Call(price)),
                Act::Move(MoveKind::Compare) => Some(Ahead::Compare(price)),
                _ => None,
            };
            if let Some(ahead) = ahead {
                self.ahead = if self.ahead == Some(ahead) { None } else { Some(ahead) };
                return;
            }
        }
        let text = self.why_not(act, lang);
        self.note(text, true);
    }

    /// Is it another player's word in betting?
    fn betting(&self) -> bool {
        self.sight.view.turn.as_ref().is_some_and(|turn| turn.price.is_some())
    }

    fn why_not(&self, act: Act, lang: Lang) -> String {
        let view = &self.sight.view;
        let Some(turn) = view.my_turn() else {
            return match &view.turn {
                Some(turn) => m::not_your_turn(lang, view.name(lang, turn.seat)),
                None => m::not_now(lang),
            };
        };
        let rules = view.rules.as_deref();
        match (act, rules) {
            (Act::Move(MoveKind::Compare), Some(rules)) if turn.price.is_some() => {
                m::rules_compare_from(lang, rules.compare_from.to_string())
            }
            (Act::Move(MoveKind::Dark), Some(rules)) if !rules.dark.is_on() => {
                m::rules_dark_off(lang)
            }
            (Act::Move(MoveKind::Dark), Some(_)) => m::why_no_dark(lang),
            (Act::Move(MoveKind::Look), Some(rules)) if view.cards.is_none() => {
                m::rules_dark_look(lang, rules.look.to_string())
            }
            (Act::Move(MoveKind::Redeal), Some(rules)) if rules.three_tens == ThreeTens::Off => {
                m::rules_tens_off(lang)
            }
            (Act::Move(MoveKind::Redeal), Some(_)) => m::why_no_redeal(lang),
            _ => {
                let open = asking::choices(lang, view, turn);
                m::only_these(lang, open)
            }
        }
    }

    pub(super) fn choose(&mut self, choice: Choice) -> Vec<Effect> {
        match choice.how {
            How::Now(command @ Command::Move(Move::Look)) if self.sight.may_go_dark() => {
                self.dialog = Some(Dialog::Sure(Sure::Look(command)));
                Vec::new()
            }
            How::Now(command) => self.pay(command, choice.cost),
            How::Number { kind, min, max } => {
                let price = self.sight.view.my_turn().and_then(|turn| turn.price);
                let price = price.map_or(min, |price| price.pass);
                let bank = self.sight.view.bank;
                let amount = Amount::of_move(kind, min, max, price, bank);
                self.dialog = Some(Dialog::Amount(amount));
                Vec::new()
            }
            How::Player { kind, seats } => {
                self.dialog = Some(Dialog::Players(Players { kind, seats, at: 0 }));
                Vec::new()
            }
            How::Dismiss => {
                if let Some(at) = self.sight.asked_now() {
                    self.sight.questions.remove(at);
                }
                Vec::new()
            }
        }
    }

    /// Does it, but asks first where more than half of one's chips goes.
    pub(super) fn pay(&mut self, command: Command, cost: Chips) -> Vec<Effect> {
        let stack = self.sight.view.my_seat().map_or(0, |seat| seat.stack);
        if cost > 0 && cost.saturating_mul(2) > stack {
            self.dialog = Some(Dialog::Sure(Sure::Pay(command, cost)));
            return Vec::new();
        }
        self.send(command)
    }

    pub(super) fn send(&mut self, command: Command) -> Vec<Effect> {
        self.sight.answered(&command);
        match command {
            Command::Ready => {
                self.sight.returning = self.sight.is_absent();
                self.sight.sitting_out = false;
            }
            Command::SitOut => self.sight.sitting_out = true,
            _ => {}
        }
        self.note = None;
        self.rebuying |= matches!(command, Command::Rebuy(_));
        if let Command::Rebuy(_) | Command::Admit { .. } = command
            && let Some(text) = receipt(self.lang(), &self.sight.view, &command)
        {
            self.note(text, false);
        }
        vec![Effect::Send(command)]
    }
}
