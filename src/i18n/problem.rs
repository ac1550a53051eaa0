//! Everything that can be refused or go wrong, as a player is told it: the problem, then what to do.

use std::fmt;

use fluent_bundle::{FluentArgs, FluentValue};

use super::in_file::InFile;
use super::{Lang, printable};
use crate::event::{CommandError, Event};
use crate::rules::{RulesError, Seat};

/// Declares the problems once: their codes, their arguments, and so the keys of their texts.
///
/// The text of the code `no-tables` is the message `err-no-tables`, its advice the attribute
/// `.advice`.
macro_rules! problems {
    ($($(#[$doc:meta])+ $name:ident = $code:literal $({ $($(#[$arg_doc:meta])+ $arg:ident: $kind:ty),+ $(,)? })?,)+) => {
        /// A problem with an advice.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Problem {
            $($(#[$doc])+ $name $({ $($(#[$arg_doc])+ $arg: $kind),+ })?,)+
            /// A command of a script was not understood.
            Command(CommandError),
            /// The rules refuse it.
            Rules(RulesError),
            /// A problem at a place of a text.
            InFile(Box<InFile>),
        }

        impl Problem {
            /// The stable name that programs see.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$name $({ $($arg: _),+ })? => $code,)+
                    Self::Command(error) => super::rules_text::command_code(error),
                    Self::Rules(error) => super::rules_text::rules_code(error),
                    Self::InFile(inner) => inner.problem.code(),
                }
            }

            fn own_args<'a>(&self, args: &mut FluentArgs<'a>) {
                match self {
                    $(Self::$name $({ $($arg),+ })? => {
                        $($(args.set(stringify!($arg), $arg.value());)+)?
                    })+
                    Self::Command(_) | Self::Rules(_) | Self::InFile(_) => {}
                }
            }

            /// The codes with the arguments of their texts.
            #[cfg(test)]
            pub(super) const OWN: &'static [(&'static str, &'static [&'static str])] = &[
                $(($code, &[$($(stringify!($arg)),+)?]),)+
            ];
        }
    };
}

/// What can stand in a text.
trait Value {
    fn value<'a>(&self) -> FluentValue<'a>;
}

impl Value for String {
    fn value<'a>(&self) -> FluentValue<'a> {
        printable(self).into()
    }
}

impl Value for u64 {
    fn value<'a>(&self) -> FluentValue<'a> {
        (*self).into()
    }
}

problems! {
    // What is typed at the table.
    /// A word that is no command.
    UnknownWord = "unknown-word" {
        /// The word.
        word: String
    },
    /// More words than the command takes.
    TooManyWords = "too-many-words" {
        /// The first that is too many.
        word: String
    },
    /// The command takes an amount.
    NeedsAmount = "needs-amount" {
        /// The command as typed.
        word: String
    },
    /// The command takes a number.
    NotANumber = "not-a-number" {
        /// What was typed instead.
        text: String
    },
    /// The command takes some text.
    NeedsText = "needs-text" {
        /// The command as typed.
        word: String
    },
    /// The text is too long.
    TextTooLong = "text-too-long" {
        /// How many bytes are allowed.
        most: u64
    },
    /// The command takes a player.
    NeedsPlayer = "needs-player" {
        /// The command as typed.
        word: String
    },
    /// Nobody here has this name.
    NoSuchPlayer = "no-such-player" {
        /// What was typed.
        name: String
    },
    /// Several here have this name.
    SeveralPlayers = "several-players" {
        /// What was typed.
        name: String
    },
    /// A pool is names and chips in turn.
    PoolForm = "pool-form",
    /// The three-tens switch takes yes or no.
    TensForm = "tens-form",
    /// A proposal of house rules is switches with values.
    ProposeForm = "propose-form",
    /// It is somebody else's turn, or nobody's.
    NotYourWord = "not-your-word",
    /// An answer to a proposal, where none waits for it.
    NothingProposed = "nothing-proposed",
    /// A redeal is demanded without three tens.
    NoTens = "no-tens",
    /// The move is not open now.
    MoveNotOpen = "move-not-open" {
        /// The move as typed.
        word: String,
        /// What is open.
        choices: String
    },
    /// Less than the price.
    BelowPrice = "below-price" {
        /// What was offered.
        amount: u64,
        /// What staying costs.
        price: u64
    },
    /// More than may be paid at once.
    AboveMost = "above-most" {
        /// What was offered.
        amount: u64,
        /// The most that this seat may pay.
        most: u64
    },
    /// A raise that is just the price.
    NotARaise = "not-a-raise" {
        /// The price.
        price: u64
    },
    /// A place outside the deck.
    PlaceOutside = "place-outside" {
        /// What was typed.
        place: u64,
        /// The first place.
        min: u64,
        /// The last place.
        max: u64
    },

    // The command line.
    /// The full screen does not exist yet.
    FullScreenMissing = "full-screen-missing",
    /// A bot that does not exist yet.
    BotMissing = "bot-missing" {
        /// Which.
        bot: String
    },
    /// `--set` without `=`.
    BadSet = "bad-set" {
        /// What was given.
        text: String
    },
    /// `--rules` with a name that is no preset.
    NoSuchPreset = "no-such-preset" {
        /// What was given.
        name: String
    },
    /// A number out of range.
    OptionRange = "option-range" {
        /// Which option.
        option: String,
        /// What was given.
        given: u64,
        /// The least.
        min: u64,
        /// The most.
        max: u64
    },
    /// Two options that contradict each other.
    OptionsClash = "options-clash" {
        /// One.
        one: String,
        /// The other.
        other: String
    },
    /// A nickname that cannot be shown.
    BadName = "bad-name" {
        /// How many characters are allowed.
        most: u64
    },
    /// No home to keep data in.
    NoDataDir = "no-data-dir",
    /// An argument that the program does not know.
    UnknownArgument = "unknown-argument" {
        /// Which.
        argument: String
    },
    /// A command that the program does not know.
    UnknownCommand = "unknown-command" {
        /// Which.
        command: String
    },
    /// An argument that is needed.
    MissingArgument = "missing-argument" {
        /// Which.
        argument: String
    },
    /// A value that an argument cannot have.
    BadValue = "bad-value" {
        /// The argument.
        argument: String,
        /// The value.
        value: String
    },
    /// Any other complaint of the command line.
    Usage = "usage" {
        /// In the words of the parser.
        text: String
    },

    /// A settings file that is no TOML.
    ConfigSyntax = "config-syntax",
    /// A setting that there is not.
    ConfigKey = "config-key" {
        /// Which.
        key: String,
        /// Those that there are.
        known: String
    },
    /// Keys that name no command, or no key.
    ConfigBinding = "config-binding" {
        /// The command's name or the key.
        what: String
    },
    /// A setting that cannot have this value.
    ConfigValue = "config-value" {
        /// Which.
        key: String
    },

    // The node.
    /// A table that is looked for is not among those nearby.
    TableNotSeen = "table-not-seen" {
        /// What was asked for.
        name: String,
        /// Those that are.
        tables: String
    },
    /// A table that is looked for is not nearby, but stored: it is gone back to.
    GoingBack = "going-back" {
        /// Its name.
        name: String
    },
    /// That the player left, said in a program that ended too soon, takes effect in the next.
    LeftBefore = "left-before" {
        /// The table.
        name: String
    },
    /// A new table is opened, and one of its name is stored.
    TableLeft = "table-left" {
        /// The name.
        name: String,
        /// The stored one's id.
        table: String
    },
    /// A table that is looked for is not nearby, nor is any other.
    NoTableSeen = "no-table-seen" {
        /// What was asked for.
        name: String
    },
    /// There is no table yet at which anybody could hear.
    NobodyHears = "nobody-hears",
    /// Too few digits of a key, or no digits.
    NeedsKey = "needs-key" {
        /// What was typed.
        key: String,
        /// How many digits are needed.
        least: u64
    },
    /// Nobody with such a key wants in.
    NobodyAtTheDoor = "nobody-at-the-door" {
        /// What was typed.
        key: String
    },
    /// Several with such a key want in.
    SeveralAtTheDoor = "several-at-the-door" {
        /// What was typed.
        key: String
    },
    /// A bot of this machine is gone.
    BotEnded = "bot-ended" {
        /// Who.
        name: String
    },
    /// The list of friends was put aside.
    FriendsSpoilt = "friends-spoilt" {
        /// The file.
        file: String,
        /// Where it is now.
        aside: String
    },
    /// A file of a table was put aside.
    TableDamaged = "table-damaged" {
        /// The file.
        file: String,
        /// Where it is now.
        aside: String
    },
    /// The list of a player's bots at a table was put aside.
    PartySpoilt = "party-spoilt" {
        /// The file.
        file: String,
        /// Where it is now.
        aside: String
    },
    /// The log of a table is gone.
    LogLost = "log-lost" {
        /// The file.
        file: String
    },
    /// The log of a table was removed while it was played, and was written anew.
    LogRemoved = "log-removed" {
        /// The file.
        file: String
    },
    /// The log of a table was changed or replaced while it was played, and was written anew.
    LogChanged = "log-changed" {
        /// The file.
        file: String,
        /// Where is now what was found.
        aside: String
    },
    /// The key of the hand that is played is gone, or another one.
    HandKeyLost = "hand-key-lost" {
        /// The file.
        file: String
    },
    /// Something else stands where a directory belongs.
    NoDirectory = "no-directory" {
        /// The directory.
        dir: String
    },
    /// Something else stands where a file belongs.
    NoPlainFile = "no-plain-file" {
        /// The file.
        file: String
    },
    /// What is to be verified is no file.
    NotAFile = "not-a-file" {
        /// What it is called.
        file: String
    },
    /// No table nearby.
    NoTables = "no-tables",
    /// More than one table nearby.
    SeveralTables = "several-tables" {
        /// Their names.
        tables: String
    },
    /// No such table nearby.
    TableNotFound = "table-not-found" {
        /// What was asked for.
        name: String
    },
    /// Nothing answers there.
    CannotReach = "cannot-reach" {
        /// The address.
        address: String,
        /// In the words of the system.
        reason: String
    },
    /// The address cannot be listened on.
    CannotListen = "cannot-listen" {
        /// The address.
        address: String,
        /// In the words of the system.
        reason: String
    },
    /// Another process uses the data directory.
    DataLocked = "data-locked" {
        /// The directory.
        dir: String
    },
    /// The data directory cannot be used.
    DataUnusable = "data-unusable" {
        /// The directory.
        dir: String,
        /// In the words of the system.
        reason: String
    },
    /// The identity file cannot be used.
    IdentityUnusable = "identity-unusable" {
        /// The file.
        file: String,
        /// Why.
        reason: String
    },
    /// The identity file has not the length of a key.
    IdentityLength = "identity-length" {
        /// The file.
        file: String,
        /// How long it is.
        bytes: u64
    },
    /// Others may read the identity file.
    IdentityOpen = "identity-open" {
        /// The file.
        file: String,
        /// Its permissions, in octal.
        mode: String
    },
    /// The identity file holds one byte over and over.
    IdentityErased = "identity-erased" {
        /// The file.
        file: String,
        /// The file with the public key.
        noted: String
    },
    /// The identity file holds another key than the one that was noted beside it.
    IdentityOther = "identity-other" {
        /// The file.
        file: String,
        /// The file with the public key.
        noted: String
    },
    /// The identity file is gone.
    IdentityLost = "identity-lost" {
        /// The file.
        file: String,
        /// The file with the public key.
        noted: String
    },
    /// The file with the public key was put aside.
    IdentityNoteSpoilt = "identity-note-spoilt" {
        /// The file.
        file: String,
        /// Where it is now.
        aside: String
    },
    /// This node met its own signature under something it has not signed.
    IdentityCopied = "identity-copied",
    /// A peer speaks another version.
    OtherVersion = "other-version" {
        /// Theirs.
        theirs: String,
        /// Ours.
        ours: String
    },
    /// No seat is free.
    TableFull = "table-full" {
        /// The table.
        name: String
    },
    /// The host took no more players before it began.
    NotSeated = "not-seated" {
        /// The table.
        name: String
    },
    /// Only the host may do that.
    HostOnly = "host-only",
    /// Too few players to begin.
    TooFewSeated = "too-few-seated" {
        /// How many there are.
        seated: u64,
        /// How many are needed.
        least: u64
    },
    /// Too late: the table has moved on.
    Stale = "stale",
    /// The command is known, but this version cannot do it.
    NotYet = "not-yet" {
        /// What.
        what: String
    },
    /// Buying in is not possible now.
    RebuyClosed = "rebuy-closed",
    /// More chips than a table allows.
    RebuyTooMuch = "rebuy-too-much" {
        /// The most.
        most: u64
    },
    /// Too many messages in a short time.
    TooFast = "too-fast",
    /// Another program has another result of an entry.
    EngineDiffers = "engine-differs" {
        /// Whose.
        player: String,
        /// Of which entry.
        entry: u64
    },
    /// The table decided something that this program's rules refuse.
    EngineRefuses = "engine-refuses" {
        /// What.
        reason: String
    },
    /// Two entries were decided at one height.
    Forked = "forked" {
        /// At which.
        entry: u64
    },
    /// The table can still decide: it is not to be closed.
    NotClosable = "not-closable",
    /// A known nickname comes with another key.
    OtherKey = "other-key" {
        /// The nickname.
        name: String
    },
    /// The table was broken off.
    BrokenOff = "broken-off" {
        /// Why.
        reason: String
    },
    /// A file cannot be read.
    FileUnreadable = "file-unreadable" {
        /// The file.
        file: String,
        /// In the words of the system.
        reason: String
    },
    /// A file that is to be written is there already.
    FileExists = "file-exists" {
        /// The file.
        file: String
    },
    /// A file cannot be written.
    FileUnwritable = "file-unwritable" {
        /// The file.
        file: String,
        /// In the words of the system.
        reason: String
    },
    /// A directory holds no transcript.
    NoTranscripts = "no-transcripts" {
        /// The directory.
        dir: String
    },
    /// A directory holds hands of closed tables, and no transcript.
    OnlyUnfinished = "only-unfinished" {
        /// The directory.
        dir: String,
        /// How many.
        hands: u64,
        /// One of them.
        file: String
    },
    /// A directory that has to be new is in use.
    DirNotEmpty = "dir-not-empty" {
        /// The directory.
        dir: String
    },

    // Rules files, scripts of the referee, hands.
    /// A file that is longer than it may be.
    FileTooLong = "file-too-long" {
        /// The file.
        file: String,
        /// The most, in bytes.
        most: u64
    },
    /// A file that is no text.
    NotText = "not-text",
    /// A rules file that is no TOML.
    TomlSyntax = "toml-syntax",
    /// A rules file with a table or list where a value belongs.
    TomlShape = "toml-shape" {
        /// Of which switch.
        switch: String
    },
    /// A word that is no card.
    NotACard = "not-a-card" {
        /// The word.
        text: String
    },
    /// More or fewer than three cards.
    NotThree = "not-three" {
        /// How many.
        cards: u64
    },
    /// A line of a script that means nothing.
    ScriptLine = "script-line" {
        /// How it begins.
        word: String
    },
    /// A move of a script that is none.
    ScriptMove = "script-move" {
        /// The word.
        word: String
    },
    /// An expectation of a script that means nothing.
    ScriptExpect = "script-expect" {
        /// The word.
        word: String
    },
    /// A line of a script that is not complete.
    ScriptForm = "script-form" {
        /// How it is written.
        form: String
    },
    /// A worth that no hand has.
    ScriptPoints = "script-points" {
        /// What was written.
        text: String
    },
    /// A word that cannot be a seat's name.
    ScriptName = "script-name" {
        /// The word.
        name: String
    },
    /// Two seats of one name.
    ScriptNameTwice = "script-name-twice" {
        /// The name.
        name: String
    },
    /// Nobody in the script is called so.
    ScriptNobody = "script-nobody" {
        /// The name.
        name: String
    },
    /// More seats than a script may have.
    ScriptSeats = "script-seats" {
        /// The most.
        most: u64
    },
    /// Rules or seats that come too late in a script.
    ScriptLate = "script-late" {
        /// Which.
        word: String
    },
    /// A line after `!` that is no move.
    ScriptNoMove = "script-no-move" {
        /// How it begins.
        word: String
    },
    /// A redeal without three tens.
    ScriptNoTens = "script-no-tens" {
        /// Whose.
        name: String
    },
    /// A line after `!` that the rules allow.
    ScriptAllowed = "script-allowed",
    /// Cards that decide and were not given.
    ScriptCards = "script-cards" {
        /// Whose.
        name: String
    },
    /// A dealer named for a deal that has another.
    ScriptDealer = "script-dealer" {
        /// Who deals.
        name: String
    },
    /// No dealer has been found yet.
    ScriptNoDealer = "script-no-dealer",
    /// An expectation that is not true.
    ScriptFalse = "script-false" {
        /// Of what.
        what: String,
        /// What the script says.
        expected: String,
        /// How it is.
        found: String
    },

    // The demo.
    /// A node of the demo ended too early.
    DemoNodeEnded = "demo-node-ended" {
        /// Whose.
        name: String,
        /// In the words of the system.
        status: String
    },
    /// The demo did not come to an end.
    DemoTooSlow = "demo-too-slow" {
        /// How long it was given.
        seconds: u64
    },
    /// Something that should not happen.
    Internal = "internal" {
        /// What.
        reason: String
    },
}

/// How a seat is called.
pub type Naming<'a> = &'a dyn Fn(Seat) -> String;

/// What seats are called where no table has named them: by their numbers.
pub fn by_number(lang: Lang) -> impl Fn(Seat) -> String {
    move |seat| super::messages::somebody(lang, u64::from(seat.0))
}

impl Problem {
    fn args(&self, lang: Lang, naming: Naming<'_>) -> FluentArgs<'static> {
        let mut args = FluentArgs::new();
        match self {
            Self::Command(error) => super::rules_text::command_args(lang, error, &mut args),
            Self::Rules(error) => super::rules_text::rules_args(lang, error, naming, &mut args),
            Self::InFile(inner) => return inner.problem.args(lang, naming),
            _ => self.own_args(&mut args),
        }
        args
    }

    fn key(&self) -> String {
        format!("err-{}", self.code())
    }

    /// The same problem with its place in a text.
    #[must_use]
    pub fn in_file(self, file: &str, line: u64, column: u64) -> Self {
        Self::InFile(Box::new(InFile { file: file.to_owned(), line, column, problem: self }))
    }

    /// The problem in a sentence. `naming` says what a seat is called.
    #[must_use]
    pub fn message(&self, lang: Lang, naming: Naming<'_>) -> String {
        let key = self.key();
        let text = lang.find(&key, &self.args(lang, naming)).unwrap_or(key);
        match self {
            Self::InFile(inner) => {
                let InFile { file, line, column, problem: _ } = inner.as_ref();
                super::messages::in_file(lang, printable(file), *line, *column, text)
            }
            _ => text,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn advice(&self, lang: Lang, naming: Naming<'_>) -> String {
        lang.find_attribute(&self.key(), "advice", &self.args(lang, naming)).unwrap_or_default()
    }

    /// Problem and advice, for where no table has named its seats.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let naming = by_number(lang);
        format!("{}\n{}", self.message(lang, &naming), self.advice(lang, &naming))
    }

    /// The event that tells of it.
    #[must_use]
    pub fn event(&self, lang: Lang, naming: Naming<'_>) -> Event {
        Event::Error {
            code: self.code().to_owned(),
            message: self.message(lang, naming),
            advice: self.advice(lang, naming),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

impl std::error::Error for Problem {}

impl From<RulesError> for Problem {
    fn from(error: RulesError) -> Self {
        Self::Rules(error)
    }
}

impl From<CommandError> for Problem {
    fn from(error: CommandError) -> Self {
        Self::Command(error)
    }
}
