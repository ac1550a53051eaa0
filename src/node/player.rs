//! Between the table and its player: events one way, commands the other.

use super::lobby::Frame;
use super::party::{Invitation, Party, Told};
use super::sitting::{Effect, Sitting};
use crate::cli::Exit;
use crate::event::{Command, Event, Move, OfferKind};
use crate::i18n::Problem;
use crate::identity::PublicKey;
use crate::rules::Seat;
use crate::table::Input;
use crate::table::limits;

use super::run::{Node, Place};

/// Milliseconds between losing the keyboard and leaving.
const EOF_MS: u64 = 1_000;
/// The fewest hexadecimal digits of a key or fingerprint that name a newcomer.
const KEY_DIGITS: usize = 8;
/// How long bots wait for an address of this machine that they can dial, before they take any.
const PARTY_WAIT: std::time::Duration = std::time::Duration::from_millis(500);
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
                    Effect::Problem(problem) => self.problem(&problem)?,
                }
            }
        }
    }

    /// What the table tells: its problems in the player's language, everything else as it is.
    pub(super) fn table_event(&mut self, event: &Event) -> Result<(), Problem> {
        let Event::Error { code, message, .. } = event else {
            if let Event::Offer { kind: OfferKind::Admit, key: Some(key), name, .. } = event
                && let Some(key) = crate::wire::unhex(key)
            {
                let key = PublicKey(key);
                self.at_the_door.insert(key, name.clone().unwrap_or_default());
                // A bot of one's own that came too late for the beginning is let in without asking.
                if self.own_bots.contains(&key) {
                    return self.command(Command::Admit { key: key.hex() });
                }
            }
            if matches!(event, Event::Settled { .. } | Event::Table { .. }) {
                self.meet()?;
            }
            return self.tell(event);
        };
        let Place::Playing(sitting) = &self.place else { return Ok(()) };
        let problem = localized(sitting, code, message);
        let naming = |seat: Seat| sitting.name_of(seat);
        let told = problem.event(self.settings.locale.lang, &naming);
        let of_a_move = matches!(
            problem,
            Problem::Stale | Problem::NotYourWord | Problem::NothingProposed | Problem::NoTens
        );
        if of_a_move && self.bot.is_some() && !self.typed {
            self.refused_to_bot(&told);
            return self.let_bot_decide();
        }
        self.tell(&told)
    }

    /// A bot has to know that its move changed nothing. Nobody else has asked for it, so no screen tells it.
    fn refused_to_bot(&mut self, told: &Event) {
        tracing::debug!("the bot's move is refused: {told:?}");
        if let Some((_, view)) = &mut self.bot {
            view.observe(told);
        }
    }

    /// Remembers who was played with, and points out a known nickname with another key.
    pub(super) fn meet(&mut self) -> Result<(), Problem> {
        let Place::Playing(sitting) = &self.place else { return Ok(()) };
        // Bots of one's own are new ones every time.
        if self.settings.practice {
            return Ok(());
        }
        let finished = sitting.table().state().core().finished > 0;
        let players: Vec<(PublicKey, String)> = sitting
            .players()
            .filter(|(k, _)| *k != self.me && !self.own_bots.contains(k))
            .collect();
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
        let asked = &self.settings.listen;
        let local = self.settings.beacon == trinka_net::BeaconMode::Loopback
            || (!asked.is_empty() && asked.iter().all(|a| a.ip().is_loopback()));
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
        let Some((_, view)) = &mut self.bot else { return Ok(()) };
        view.observe(event);
        self.let_bot_decide()
    }

    /// Does what the bot of this node, if there is one, decides now.
    pub(super) fn let_bot_decide(&mut self) -> Result<(), Problem> {
        let Some((bot, view)) = &mut self.bot else { return Ok(()) };
        // Before there is a table nobody could take what it says.
        if !matches!(self.place, Place::Playing(_)) {
            return Ok(());
        }
        let mut commands = Vec::new();
        while let Some(command) = bot.decide(view) {
            commands.push(command);
            if commands.len() >= 16 {
                break;
            }
        }
        let pace = self.settings.pace_ms;
        for command in commands {
            if pace > 0 && takes_thought(&command) {
                // A turn that is announced anew is thought over anew.
                self.planned.retain(|(_, earlier)| is_beside(earlier));
                self.planned.push_back((self.now().saturating_add(pace), command));
            } else {
                self.command(command)?;
            }
        }
        Ok(())
    }

    /// What the bot has thought over long enough, unless its turn is over meanwhile.
    pub(super) fn do_what_was_planned(&mut self) -> Result<(), Problem> {
        let now = self.now();
        while let Some((_, command)) = self.planned.pop_front_if(|(due, _)| *due <= now) {
            let turn = self.bot.as_ref().is_some_and(|(_, view)| view.table().my_turn().is_some());
            if turn || is_beside(&command) {
                self.command(command)?;
            }
        }
        Ok(())
    }

    // ---- bots of this machine ----

    /// Starts the bots as soon as there is a table and an address where they find it.
    pub(super) fn start_party(&mut self) -> Result<(), Problem> {
        let table = match &self.place {
            Place::Hosting(gathering) => gathering.table,
            // Gone back to: they have seats there.
            Place::Playing(sitting) if !sitting.is_over() && !sitting.parts() => sitting.id,
            Place::Playing(_) | Place::Looking(_) => return Ok(()),
        };
        if self.party.is_some() || self.settings.companions.is_empty() {
            return Ok(());
        }
        let addresses = self.net.listen_addrs();
        let here = addresses.iter().find(|a| a.ip().is_loopback());
        let any = addresses.first().filter(|_| self.started.elapsed() >= PARTY_WAIT);
        let Some(at) = here.or(any) else { return Ok(()) };
        // They listen where this node does, on a port of their own: others at the table reach them too.
        let listen = self.settings.listen.first().map(|a| std::net::SocketAddr::new(a.ip(), 0));
        if self.settings.practice {
            // A practice that was killed is not gone back to.
            self.store.forget_parties();
        }
        self.store.save_party(table, &self.settings.companions)?;
        let dir = self.store.party_dir(table);
        let lang = self.settings.locale.lang;
        let invitation = Invitation { table, at: *at, listen, lang, dir: &dir };
        self.party = Some(Party::start(&self.settings.companions, &invitation)?);
        Ok(())
    }

    pub(super) fn party_told(&mut self, told: Told) -> Result<(), Problem> {
        let Some(party) = &mut self.party else { return Ok(()) };
        match told {
            Told::Key(key) => drop(self.own_bots.insert(key)),
            Told::Ended { name, status } => {
                tracing::info!("the bot {name} ended: {status}");
                let over = match &self.place {
                    Place::Playing(sitting) => sitting.parts() || sitting.is_over(),
                    _ => false,
                };
                if !party.parts() && !over {
                    return self.problem(&Problem::BotEnded { name });
                }
            }
        }
        Ok(())
    }

    pub(super) fn problem(&mut self, problem: &Problem) -> Result<(), Problem> {
        self.screen.problem(problem).map_err(|e| Problem::BrokenOff { reason: e.to_string() })
    }

    pub(super) fn problems(&mut self, problems: &[Problem]) -> Result<(), Problem> {
        problems.iter().try_for_each(|problem| self.problem(problem))
    }

    pub(super) fn line(&mut self, line: &str) -> Result<Option<Exit>, Problem> {
        let command =
            self.screen.command(line).map_err(|e| Problem::BrokenOff { reason: e.to_string() })?;
        if let Some(command) = command {
            // What is refused of it is told at once.
            self.typed = true;
            let done = self.command(command).and_then(|()| self.drain());
            self.typed = false;
            done?;
        }
        Ok(None)
    }

    pub(super) fn command(&mut self, command: Command) -> Result<(), Problem> {
        let now = self.now();
        tracing::debug!("wants {command:?}");
        self.leaving |= command == Command::Leave;
        if self.leaving
            && let Some(party) = &self.party
        {
            party.leave();
        }
        let command = match self.named(command) {
            Ok(command) => command,
            Err(problem) => return self.problem(&problem),
        };
        match &mut self.place {
            Place::Playing(sitting) => {
                if let Some(refusal) = sitting.table().refusal(&command) {
                    let problem = Problem::Rules(refusal);
                    if self.bot.is_some() && !self.typed {
                        let naming = |seat: Seat| seat.to_string();
                        let told = problem.event(self.settings.locale.lang, &naming);
                        self.refused_to_bot(&told);
                        return Ok(());
                    }
                    return self.problem(&problem);
                }
                let taken = self.screen.taken(&command);
                sitting.handle(now, Input::Command(command));
                taken.map_err(|e| Problem::BrokenOff { reason: e.to_string() })
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
            _ if matches!(command, Command::Say(_)) => self.problem(&Problem::NobodyHears),
            _ => self.problem(&Problem::NotYourWord),
        }
    }

    /// A command that names a newcomer names it in full: the first digits of its fingerprint or key do,
    /// as long as nobody else at the door has the same.
    fn named(&self, command: Command) -> Result<Command, Problem> {
        let Command::Admit { key } = command else { return Ok(command) };
        let digits = key.replace('-', "").to_lowercase();
        let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hex || digits.len() < KEY_DIGITS {
            return Err(Problem::NeedsKey { key, least: KEY_DIGITS as u64 });
        }
        let known = self.at_the_door.keys();
        let fitting: Vec<&PublicKey> = known.filter(|key| key.begins_with(&digits)).collect();
        match fitting.as_slice() {
            [one] => Ok(Command::Admit { key: one.hex() }),
            // A whole key may be admitted before it has knocked.
            [] if digits.len() == 64 => Ok(Command::Admit { key: digits }),
            [] => Err(Problem::NobodyAtTheDoor { key }),
            _ => Err(Problem::SeveralAtTheDoor { key }),
        }
    }

    /// The keyboard is gone: that is leaving. For a bot on a leash it is the end.
    pub(super) fn no_more_lines(&mut self) -> Result<Option<Exit>, Problem> {
        if self.settings.leash {
            return Ok(Some(Exit::Ok));
        }
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

/// Whether a person would think before it. Looking, and what only goes on with the deal, is done at once.
fn takes_thought(command: &Command) -> bool {
    let Command::Move(step) = command else { return false };
    !matches!(
        step,
        Move::Look
            | Move::Cut(_)
            | Move::Lift(_)
            | Move::Keep
            | Move::Replace(_)
            | Move::Ante
            | Move::Omit
            | Move::Expose(_)
    )
}

/// Whether it may be said without being asked.
fn is_beside(command: &Command) -> bool {
    matches!(command, Command::Move(Move::Pool(_) | Move::Pact(_)))
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
        "fork" => Problem::Forked { entry: sitting.table().fork().map_or(0, |(height, _)| height) },
        "not-closable" => Problem::NotClosable,
        "foreign-signature" => Problem::IdentityCopied,
        "not-your-turn" | "cannot-cut" => Problem::NotYourWord,
        "nothing-proposed" => Problem::NothingProposed,
        "no-tens" => Problem::NoTens,
        "refused" | "illegal" | "not-frozen" => Problem::Stale,
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
