//! The lobby: what is around, and what one can do there.

/// A table nearby, as the lobby shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nearby {
    /// Its id: how it is joined.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its rules in a few words.
    pub rules: String,
    /// Who sits there.
    pub players: Vec<String>,
    /// Which of them are friends.
    pub friends: Vec<String>,
    /// How many may sit.
    pub seats: u8,
    /// Whether it has begun.
    pub playing: bool,
    /// Whether a password is asked.
    pub locked: bool,
    /// Where it can be reached.
    pub addresses: Vec<String>,
}

impl Nearby {
    /// How many seats are free.
    #[must_use]
    pub fn free(&self) -> u64 {
        u64::from(self.seats).saturating_sub(self.players.len() as u64)
    }
}

/// A hand that was played, as the history shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PastHand {
    /// Its file.
    pub file: String,
    /// A line.
    pub title: String,
    /// Everything about it.
    pub lines: Vec<String>,
}

/// What the lobby remembers.
#[derive(Debug, Clone, Default)]
pub(super) struct Lobby {
    pub(super) tables: Vec<Nearby>,
    /// Which table the pointer is at, by its id, so that it stays there while others come and go.
    pub(super) at: Option<String>,
    pub(super) history: Option<Vec<PastHand>>,
    pub(super) past: usize,
    /// How far the text of that hand is scrolled.
    pub(super) past_scroll: usize,
}

impl Lobby {
    /// The tables as they are now.
    pub(super) fn seen(&mut self, mut tables: Vec<Nearby>) {
        tables.sort_by(|one, other| one.name.cmp(&other.name).then(one.id.cmp(&other.id)));
        self.tables = tables;
        if self.index().is_none() {
            self.at = self.tables.first().map(|table| table.id.clone());
        }
    }

    /// Where the pointer is.
    pub(super) fn index(&self) -> Option<usize> {
        let id = self.at.as_ref()?;
        self.tables.iter().position(|table| table.id == *id)
    }

    /// The table at the pointer.
    pub(super) fn chosen(&self) -> Option<&Nearby> {
        self.tables.get(self.index()?)
    }

    /// Moves the pointer.
    pub(super) fn step(&mut self, down: bool) {
        let last = self.tables.len().saturating_sub(1);
        let at = match self.index() {
            Some(at) if down => (at + 1).min(last),
            Some(at) => at.saturating_sub(1),
            None => 0,
        };
        self.at = self.tables.get(at).map(|table| table.id.clone());
    }
}
