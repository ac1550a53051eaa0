//! Every bound on what comes from outside a table, in one place.

/// Most bytes of one signed message (a shuffle of 54 cards with its proof has about 9,000; a proof against a false deal holds all of one deal).
pub const MESSAGE_BYTES: usize = 128 * 1024;
/// Most messages in one entry.
pub const ENTRY_MESSAGES: usize = 64;
/// Most bytes of one entry.
pub const ENTRY_BYTES: usize = 512 * 1024;
/// Most bytes of a name.
pub const NAME_BYTES: usize = 96;
/// Most addresses a player may tell, and most bytes of each.
pub const ADDRESSES: usize = 8;
/// Most bytes of one address.
pub const ADDRESS_BYTES: usize = 64;
/// Most seats a table ever has, those that left included (seat numbers are not used twice).
pub const SEATS_EVER: usize = 200;
/// Most pending messages of one author.
pub const PENDING_PER_AUTHOR: usize = 24;
/// Most pending messages altogether.
pub const PENDING: usize = 512;
/// Most messages of one deal that are kept (10 players: 10 keys, 10 shuffles, a cut, 10 signatures).
pub const DEAL_MESSAGES: usize = 64;
/// Most agreement messages that are kept for the next height.
pub const AHEAD: usize = 128;
/// Most entries in one answer to somebody who is behind.
pub const CATCH_UP: usize = 20;
/// Milliseconds between two such answers to somebody who has taken in the one before.
pub const CATCH_UP_MS: u64 = 20;
/// Most bytes of one such answer.
pub const CATCH_UP_BYTES: usize = 768 * 1024;
/// Most remembered verified signatures and shares.
pub const REMEMBERED: usize = 4096;
/// Longer messages are not remembered: their signatures are checked again.
pub const REMEMBERED_BYTES: usize = 16 * 1024;
/// Most peers of which anything is known.
pub const PEERS: usize = 256;
/// Most agreement messages that one peer may have waiting for the next height.
pub const AHEAD_PER_PEER: usize = 32;
/// Most messages of one author that wait for a deal or for their place in it.
pub const EARLY_PER_AUTHOR: usize = 8;
/// Most newcomers whose request for a seat waits.
pub const PENDING_NEWCOMERS: usize = 16;
/// Most chips that one seat may ever buy; keeps every sum far from overflow.
pub const CHIPS: u64 = 1_000_000_000_000;

/// Milliseconds for a machine step: what a program does by itself.
pub const MACHINE_MS: u64 = 15_000;
/// Milliseconds that voters wait beyond a clock that has run out.
pub const GRACE_MS: u64 = 2_000;
/// Milliseconds for which a voter waits with its vote when its own clock is about to run out too. Shorter than
/// any timeout of the agreement.
pub const SOON_MS: u64 = 300;
/// Milliseconds that one use of the time bank gives.
pub const MORE_TIME_MS: u64 = 15_000;
/// How often a seat may use its time bank in an evening.
pub const MORE_TIMES: u32 = 8;
/// Human turns running that a seat may miss before it is lost.
pub const MISSED_TURNS: u32 = 3;
/// Milliseconds without any sign of a seat after which it is lost.
pub const UNHEARD_MS: u64 = 30_000;
/// Milliseconds between two resendings while a height is open.
pub const RESEND_MS: u64 = 400;
/// Milliseconds between two heartbeats.
pub const STATUS_MS: u64 = 2_000;
/// Milliseconds between two calls after which clocks start again (a closed lid).
pub const GAP_MS: u64 = 2_000;
/// Milliseconds to gather an all-at-once step before it is proposed.
pub const GATHER_MS: u64 = 25;
/// Milliseconds after which a silent peer counts as not heard.
pub const HEARD_MS: u64 = 6_000;
/// Most kept votes that go with the proof of a fork.
pub const FORK_VOTES: usize = 512;
/// Heights of which all votes are kept, to find out who voted both ways.
pub const VOTES_OF_HEIGHTS: usize = 64;
/// Most proofs that go with a claim that closes a table.
pub const CLAIM_PROOFS: usize = 8;
/// Most bytes of a line of chat.
pub const CHAT_BYTES: usize = 1_000;
/// Most states of one hand that are kept to prove false answers by.
pub const PAST_STEPS: usize = 200;
/// Most proposals of one seat in one phase of a hand.
pub const OFFERS: u8 = 3;
/// Most proposals that wait for answers.
pub const PROPOSALS: usize = 32;
