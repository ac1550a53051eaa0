//! What waits for a word from this player and is no turn.

use super::Sight;
use crate::event::{Command, Event, OfferKind};
use crate::i18n::{Locale, messages as m, printable};
use crate::identity::PublicKey;
use crate::rules::{HouseRules, Seat};
use crate::screens::telling::fingerprint;
use crate::wire::unhex;

/// Something that waits for a word from this player and is no turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::screens::full) enum Question {
    /// Is this newcomer, who has sat down already, who it says it is? Then it gets a vote.
    Admit {
        key: String,
        fingerprint: String,
        name: String,
        /// Was it among those who sit here?
        seated: bool,
    },
    /// May this seat play again?
    Unfreeze { seat: Seat },
    /// Other rules.
    Rules { changes: String, rules: Option<Box<HouseRules>> },
    /// End the hand here, and divide its bank?
    Divide { line: String },
}

impl Sight {
    pub(super) fn offered(&mut self, locale: Locale, event: &Event) {
        let Event::Offer { kind, from, key, name, to, rules, .. } = event else { return };
        let line = self.teller(locale).line(event);
        self.tens_elsewhere =
            *kind == OfferKind::ThreeTens && !self.view.me.is_some_and(|me| to.contains(&me));
        match kind {
            OfferKind::Admit => {
                let key = key.clone().unwrap_or_default();
                let name = printable(name.as_deref().unwrap_or_default());
                let asked = |q: &Question| matches!(q, Question::Admit { key: k, .. } if *k == key);
                if !self.questions.iter().any(asked) {
                    let fingerprint = fingerprint(&key);
                    let seated = self.view.fingerprints.values().any(|known| *known == fingerprint);
                    self.questions.push(Question::Admit { key, fingerprint, name, seated });
                }
            }
            OfferKind::Unfreeze => {
                for seat in to {
                    self.questions.push(Question::Unfreeze { seat: *seat });
                }
            }
            // Nobody is asked about what it has proposed itself.
            OfferKind::Rules if *from == self.view.me => {}
            OfferKind::Rules => {
                self.questions.push(Question::Rules { changes: line, rules: rules.clone() });
            }
            OfferKind::RulesAgreed if *from != self.view.me => {}
            OfferKind::RulesAgreed | OfferKind::RulesRefused | OfferKind::RulesLapsed => {
                let over =
                    |q: &Question| matches!(q, Question::Rules { rules: r, .. } if r == rules);
                self.questions.retain(|question| !over(question));
            }
            OfferKind::RulesAdopted => {
                self.questions.retain(|question| !matches!(question, Question::Rules { .. }));
            }
            OfferKind::Divide if *from == self.view.me => {}
            OfferKind::Divide => self.questions.push(Question::Divide { line }),
            OfferKind::DivideAgreed if *from != self.view.me => {}
            OfferKind::DivideAgreed | OfferKind::DivideRefused => {
                self.no_division();
            }
            // That a card may be asked for face up is offered as a move; it is no question. What is asked of
            // a card that lies face up is said with the card.
            OfferKind::Expose | OfferKind::Exposed => {}
            // Others are asked, and nobody else learns what they answer but by a redeal.
            OfferKind::ThreeTens if self.tens_elsewhere => {}
            OfferKind::Boil => {
                self.offer = Some(format!("{line} {}", m::explain_boil(locale.lang)));
            }
            _ => self.offer = Some(line),
        }
        self.last_offer = self.offer.clone().or(self.last_offer.take());
    }

    /// Whoever is lost or has left is asked about no longer.
    pub(super) fn newcomer_gone(&mut self, seat: Seat) {
        let gone = self.view.fingerprints.get(&seat).cloned();
        self.questions.retain(|question| match question {
            Question::Admit { fingerprint, .. } => Some(fingerprint) != gone.as_ref(),
            _ => true,
        });
    }

    /// Who sat here and does not any more is asked about no longer.
    pub(super) fn newcomers_gone(&mut self) {
        let here = &self.view.fingerprints;
        self.questions.retain_mut(|question| match question {
            Question::Admit { fingerprint, seated, .. } => {
                let before = *seated;
                *seated = here.values().any(|known| known == fingerprint);
                *seated || !before
            }
            _ => true,
        });
    }

    /// Which question is asked now. What has time does not disturb one's own turn, and who is absent has no
    /// say in it.
    pub(in crate::screens::full) fn asked_now(&self) -> Option<usize> {
        let busy = self.view.my_turn().is_some() || self.is_absent();
        self.questions.iter().position(|question| match question {
            Question::Admit { .. } | Question::Unfreeze { .. } | Question::Rules { .. } => !busy,
            // The bank is divided in this hand or not at all.
            Question::Divide { .. } => true,
        })
    }

    /// What this command answers is asked no longer.
    pub(in crate::screens::full) fn answered(&mut self, command: &Command) {
        let mut rules = false;
        self.questions.retain(|question| match (command, question) {
            (Command::Divide { .. }, Question::Divide { .. }) => false,
            // One answer is to one proposal.
            (Command::AgreeRules { .. }, Question::Rules { .. }) => {
                std::mem::replace(&mut rules, true)
            }
            (Command::Unfreeze { seat }, Question::Unfreeze { seat: asked }) => seat != asked,
            (Command::Admit { key }, Question::Admit { key: asked, .. }) => {
                // The first digits do where it is typed.
                !unhex(asked).is_some_and(|asked| PublicKey(asked).begins_with(key))
            }
            _ => true,
        });
    }

    /// Whether the bank is divided is no question any more.
    pub(super) fn no_division(&mut self) {
        self.questions.retain(|question| !matches!(question, Question::Divide { .. }));
    }
}
