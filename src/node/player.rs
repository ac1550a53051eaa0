//! Between the table and its player: events one way, commands the other.

use super::lobby::Frame;
use super::sitting::{Effect, Sitting};
use crate::cli::Exit;
use crate::event::{Command, Event};
use crate::i18n::Problem;
use crate::identity::PublicKey;
use crate::rules::Seat;
use crate::table::Input;
use crate::table::limits;

use super::run::{Node, Place};

/// Milliseconds between losing the keyboard and leaving.
const EOF_MS: u64 = 1_000;
/// How long the first line waits for an address that others can reach.
const ADDRESS_WAIT: std::time::Duration = std::time::Duration::from_millis(1_500);

impl Node {
    // ---- the table ----

    pub(super) fn drain(&mut self) -> Result<(), Problem> {
        loop {
            let now = self.now();
            let Place::Playing(sitting) = &mut self.place else { return Ok(()) };
            let table = sitting.id;
            let effects = sitting.drain(now, &self.store, self.me)?;
            if effects.is_empty() {
                return Ok(());
            }
            for effect in effects {
                match effect {
                    Effect::Send(key, bytes) => self.send(key, &Frame::Table { table, bytes }),
                    Effect::Event(event) => self.table_event(&event)?,
                }
            }
        }
    }

    /// What the table tells: its problems in the player's language, everything else as it is.
    pub(super) fn table_event(&mut self, event: &Event) -> Result<(), Problem> {
        let Event::Error { code, message, .. } = event else {
            if matches!(event, Event::Settled { .. } | Event::Table { .. }) {
                self.meet()?;
            }
            return self.tell(event);
        };
        let Place::Playing(sitting) = &self.place else { return Ok(()) };
        let problem = localized(sitting, code, message);
        let naming = |seat: Seat| sitting.name_of(seat);
        let told = problem.event(self.settings.locale.lang, &naming);
        self.tell(&told)
    }

    /// Remembers who was played with, and points out a known nickname with another key.
    pub(super) fn meet(&mut self) -> Result<(), Problem> {
        let Place::Playing(sitting) = &self.place else { return Ok(()) };
        let finished = sitting.table().state().core().finished > 0;
        let players: Vec<(PublicKey, String)> =
            sitting.players().filter(|(k, _)| *k != self.me).collect();
        for (key, name) in players {
            if self.friends.is_stranger_with_known_name(&key, &name) && self.pointed_out.insert(key)
            {
                self.problem(&Problem::OtherKey { name: name.clone() })?;
            }
            if finished && self.friends.add(key, &name) {
                self.store.save_friends(&self.friends)?;
            }
        }
        Ok(())
    }

    // ---- the player ----

    pub(super) fn say_hello(&mut self) {
        let listen = self.addresses();
        // Interfaces are told one after another; the one that friends can type comes last.
        let only_here = listen.iter().all(|a| a.starts_with("127.") || a.starts_with("[::1]"));
        let local = self.settings.beacon == trinka_net::BeaconMode::Loopback;
        let early = only_here && !local && self.started.elapsed() < ADDRESS_WAIT;
        if self.hello || listen.is_empty() || early {
            return;
        }
        self.hello = true;
        let hello = Event::Hello {
            peer: self.me.hex(),
            fingerprint: self.me.fingerprint(),
            listen,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        // A screen that is gone is noticed at the next event.
        let _ = self.tell(&hello);
    }

    pub(super) fn tell(&mut self, event: &Event) -> Result<(), Problem> {
        self.screen.event(event).map_err(|e| Problem::BrokenOff { reason: e.to_string() })?;
        let Some((bot, view)) = &mut self.bot else { return Ok(()) };
        view.observe(event);
        let mut commands = Vec::new();
        while let Some(command) = bot.decide(view) {
            commands.push(command);
            if commands.len() >= 16 {
                break;
            }
        }
        for command in commands {
            self.command(command)?;
        }
        Ok(())
    }

    pub(super) fn problem(&mut self, problem: &Problem) -> Result<(), Problem> {
        self.screen.problem(problem).map_err(|e| Problem::BrokenOff { reason: e.to_string() })
    }

    pub(super) fn line(&mut self, line: &str) -> Result<Option<Exit>, Problem> {
        let command =
            self.screen.command(line).map_err(|e| Problem::BrokenOff { reason: e.to_string() })?;
        if let Some(command) = command {
            self.command(command)?;
        }
        Ok(None)
    }

    pub(super) fn command(&mut self, command: Command) -> Result<(), Problem> {
        let now = self.now();
        self.leaving |= command == Command::Leave;
        match &mut self.place {
            Place::Playing(sitting) => {
                if let Some(refusal) = sitting.table().refusal(&command) {
                    return self.problem(&Problem::Rules(refusal));
                }
                sitting.handle(now, Input::Command(command));
                Ok(())
            }
            Place::Hosting(gathering) if command == Command::Start => {
                let seated = gathering.players().len();
                if seated < 2 {
                    return self
                        .problem(&Problem::TooFewSeated { seated: seated as u64, least: 2 });
                }
                let steps = gathering.begin(now);
                self.host_steps(steps)
            }
            Place::Looking(_) if command == Command::Start => self.problem(&Problem::HostOnly),
            _ if command == Command::Leave => Ok(()),
            _ => self.problem(&Problem::NotYourWord),
        }
    }

    /// The keyboard is gone: that is leaving.
    pub(super) fn no_more_lines(&mut self) -> Result<Option<Exit>, Problem> {
        self.keyboard_gone = Some(self.now());
        Ok(None)
    }

    /// Without a keyboard the player leaves. A closed window takes the keyboard away a moment before
    /// its signal comes, and that is no leaving: the seat is kept for whoever comes back.
    pub(super) fn leave_without_keyboard(&mut self) -> Result<(), Problem> {
        let due = self.keyboard_gone.is_some_and(|at| self.now() >= at.saturating_add(EOF_MS));
        if due && !self.leaving {
            self.command(Command::Leave)?;
        }
        Ok(())
    }
}

/// A problem of the table, as the player is told it.
fn localized(sitting: &Sitting, code: &str, message: &str) -> Problem {
    let reason = message.to_owned();
    match code {
        "engine-differs" => match sitting.table().differences().last() {
            Some((entry, seat)) => {
                Problem::EngineDiffers { player: sitting.name_of(*seat), entry: *entry }
            }
            None => Problem::EngineRefuses { reason },
        },
        "engine-refuses" => Problem::EngineRefuses { reason },
        "foreign-signature" => Problem::IdentityCopied,
        "not-your-turn" | "cannot-cut" => Problem::NotYourWord,
        "refused" | "illegal" => Problem::Stale,
        "rebuy-too-much" => {
            Problem::RebuyTooMuch { most: sitting.table().state().core().terms.buy_in }
        }
        "bad-key" => Problem::BadValue { argument: "key".to_owned(), value: reason },
        "not-yet" => Problem::NotYet { what: reason },
        "too-long" => Problem::TextTooLong { most: limits::CHAT_BYTES as u64 },
        "no-seat" => Problem::NotSeated { name: sitting.table().state().core().terms.name.clone() },
        _ => Problem::Internal { reason },
    }
}
