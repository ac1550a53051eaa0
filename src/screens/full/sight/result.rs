//! What comparisons and hands have come to, for as long as it is read.

use super::{SHOWDOWN_MS, Sight};
use crate::event::{Event, MoveKind, Outcome};
use crate::i18n::{Locale, messages as m};
use crate::rules::{Card, Seat};

/// The result of a hand or of a comparison, to be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::screens::full) struct Showdown {
    /// Until when it stays.
    pub(in crate::screens::full) until: u64,
    /// Its sentences, the most important last.
    pub(in crate::screens::full) lines: Vec<String>,
    /// Is it that of a whole hand? It means nothing any more once the next is decided about.
    over: bool,
}

/// What this deal has laid open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Opened {
    /// The last comparison, in a sentence.
    verdict: Option<String>,
    /// Hands, in the order in which they were shown.
    pub(super) hands: Vec<(Seat, Vec<Card>)>,
    /// Where those of the comparison that goes on begin.
    from: usize,
}

impl Opened {
    /// Two are to be compared: what comes now is about them.
    fn begin(&mut self) {
        self.verdict = None;
        self.from = self.hands.len();
    }

    fn add(&mut self, seat: Seat, cards: &[Card]) {
        if let Some(at) = self.hands.iter().position(|(who, _)| *who == seat) {
            self.hands.remove(at);
            if at < self.from {
                self.from -= 1;
            }
        }
        self.hands.push((seat, cards.to_vec()));
    }
}

/// Cards that were lifted to find a dealer, while they are read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lifted {
    until: u64,
    cards: Vec<(Seat, Vec<Card>)>,
}

impl Sight {
    /// Keeps what an event says of a result, with the line that the log has of it.
    pub(super) fn say_result(&mut self, locale: Locale, now: u64, event: &Event, text: &str) {
        let lang = locale.lang;
        let until = now.saturating_add(SHOWDOWN_MS);
        let name = |seat: Seat| self.view.name(lang, seat);
        let mut from = self.opened.from;
        let mut end = Vec::new();
        match event {
            Event::Moved { kind: MoveKind::Compare, .. } => return self.opened.begin(),
            Event::Lifted { seat, cards } => {
                if self.lifted.cards.iter().any(|(who, _)| who == seat) {
                    self.lifted.cards.clear();
                }
                self.lifted.cards.push((*seat, cards.clone()));
                self.lifted.until = until;
                return;
            }
            Event::Compared { caller, target, result } => {
                let (caller, target) = (name(*caller), name(*target));
                self.opened.verdict = Some(match result {
                    Outcome::Caller => m::show_out(lang, caller, target.clone(), target),
                    Outcome::Target => m::show_out(lang, caller.clone(), target, caller),
                    Outcome::Tie => m::show_tie(lang, caller, target),
                });
            }
            Event::Shown { seat, cards, .. } => {
                self.opened.add(*seat, cards);
                from = self.opened.from;
            }
            Event::Settled { hand, winners, .. } => {
                // How it came to that stays to be read, whatever was compared before.
                from = 0;
                let wins = winners.iter().map(|won| m::wins(lang, name(won.seat), won.amount));
                let wins: Vec<String> = wins.collect();
                end.push(m::show_over(lang, *hand, wins.join(", ")));
            }
            Event::Svara { .. } | Event::Redeal { .. } | Event::Counted { .. } => {
                end.push(text.to_owned());
            }
            _ => return,
        }
        let mut lines: Vec<String> = self.opened.verdict.iter().cloned().collect();
        for (seat, cards) in self.opened.hands.iter().skip(from) {
            let points = self.points(cards).map(|points| m::points(lang, u64::from(points)));
            let (name, hand) = (self.view.name(lang, *seat), locale.cards(cards));
            lines.push(m::show_hand(lang, name, hand, points.unwrap_or_default()));
        }
        lines.extend(end);
        let over = matches!(event, Event::Settled { .. });
        self.showdown = Some(Showdown { until, lines, over });
    }

    /// The next hand is played: the end of the one before would be taken for news of this one.
    pub(super) fn put_result_away(&mut self) {
        self.showdown = self.showdown.take().filter(|shown| !shown.over);
    }

    /// What was lifted for the deal, in one sentence, while it is read.
    pub(in crate::screens::full) fn lifted(&self, locale: Locale) -> Option<String> {
        let one = |(seat, cards): &(Seat, Vec<Card>)| {
            format!("{} {}", self.view.name(locale.lang, *seat), locale.cards(cards))
        };
        let all: Vec<String> = self.lifted.cards.iter().map(one).collect();
        (!all.is_empty()).then(|| m::show_lifted(locale.lang, all.join(", ")))
    }

    /// What had its time goes.
    pub(in crate::screens::full) fn expire(&mut self, now: u64) {
        self.showdown = self.showdown.take().filter(|shown| now < shown.until);
        if now >= self.shown_until {
            self.shown.clear();
        }
        if now >= self.lifted.until {
            self.lifted.cards.clear();
        }
    }

    /// When something goes by itself next.
    pub(in crate::screens::full) fn next_expiry(&self) -> Option<u64> {
        let shown = Some(self.shown_until).filter(|_| !self.shown.is_empty());
        let lifted = Some(self.lifted.until).filter(|_| !self.lifted.cards.is_empty());
        let result = self.showdown.as_ref().map(|shown| shown.until);
        [shown, lifted, result].into_iter().flatten().min()
    }
}
