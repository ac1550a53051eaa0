//! Everything that can go wrong, and whose fault it is.

use thiserror::Error;

/// Bytes that are no encoding of the wanted value. Whoever sent them is the guilty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// Too short or too long for the parameters of the deal.
    #[error("{found} bytes where exactly {expected} are needed")]
    Length {
        /// The only acceptable length, in bytes.
        expected: usize,
        /// The length that was found, in bytes.
        found: usize,
    },
    /// A 32-byte word that is no canonical encoding of a group element.
    #[error("word {word} is no canonical point")]
    Point {
        /// Its index, in words of 32 bytes.
        word: usize,
    },
    /// A 32-byte word that is no canonical encoding of a scalar.
    #[error("word {word} is no canonical scalar")]
    Scalar {
        /// Its index, in words of 32 bytes.
        word: usize,
    },
    /// Zero, or the identity, where it can never be right.
    #[error("word {word} is zero")]
    Zero {
        /// Its index, in words of 32 bytes.
        word: usize,
    },
}

/// A step of a deal that is refused.
///
/// [`Error::guilty`] tells whose proof is false; the others are mistakes of the caller. The guilty one is so only if
/// what you put in is what the table agreed on: with another deal id, cut, purpose, step or other positions an
/// honest proof is false too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// A deck has 2 to [`MAX_CARDS`](crate::generators::MAX_CARDS) cards.
    #[error("no deck can have {cards} cards")]
    DeckSize {
        /// The number of cards asked for.
        cards: usize,
    },
    /// A deal has 2 to [`MAX_PARTICIPANTS`](crate::keys::MAX_PARTICIPANTS) participants.
    #[error("no deal can have {participants} participants")]
    Participants {
        /// The number of keys given.
        participants: usize,
    },
    /// An index beyond the participants of the deal.
    #[error("the deal has no participant {participant}")]
    NoSuchParticipant {
        /// The index.
        participant: u8,
    },
    /// S0: the key is the identity, or its possession is not proved in this deal and seat.
    #[error("participant {participant} does not prove possession of its key")]
    KeyProof {
        /// The guilty one.
        participant: u8,
    },
    /// A key that was verified for another deal or another seat.
    #[error("the key given for participant {participant} was verified for another deal or seat")]
    ForeignKey {
        /// The seat it was given for.
        participant: u8,
    },
    /// S2: shares cannot be given for this purpose.
    #[error("participant {participant} cannot give shares for this purpose")]
    Purpose {
        /// Whose shares.
        participant: u8,
    },
    /// Two participants have the same key.
    #[error("participants {first} and {second} have the same key")]
    EqualKeys {
        /// The lower index.
        first: u8,
        /// The higher index.
        second: u8,
    },
    /// The keys of some participants add up to the identity: what is masked for them together would be open.
    #[error("the keys of {members} cancel out")]
    CancellingKeys {
        /// Whose keys.
        members: Members,
    },
    /// A deck that was verified in another deal.
    #[error("the deck belongs to another deal")]
    ForeignDeck,
    /// A proof or a deck decoded for another number of cards.
    #[error("made for {found} cards, but the deck has {expected}")]
    Size {
        /// The number of cards (or shares) of the deal.
        expected: usize,
        /// The number of cards (or shares) found.
        found: usize,
    },
    /// A card without mask (`a = 0`) in a shuffled deck.
    #[error("participant {participant} left the card at {position} without mask")]
    Unmasked {
        /// The guilty one.
        participant: u8,
        /// Where in its deck, from 0.
        position: usize,
    },
    /// S1: the deck is no proved shuffle of the one before.
    #[error("the shuffle of participant {participant} is not proved")]
    ShuffleProof {
        /// The guilty one.
        participant: u8,
    },
    /// A preparation that was made for other keys.
    #[error("the prepared shuffle belongs to another deal")]
    ForeignPreparation,
    /// A table of hands that was made for another deck or for another comparison.
    #[error("the table of hands is another one")]
    ForeignTable,
    /// A hand of another deal, or with cards of several participants.
    #[error("the hand of participant {participant} has foreign cards, or is of another deal")]
    ForeignHand {
        /// Whose hand it should be.
        participant: u8,
    },
    /// Somebody cannot be compared with itself.
    #[error("participant {participant} is compared with itself")]
    SameParticipant {
        /// The participant.
        participant: u8,
    },
    /// A card that is in both hands of a comparison.
    #[error("the hands of participants {first} and {second} share a card")]
    SharedCard {
        /// Who has it.
        first: u8,
        /// Who has it too.
        second: u8,
    },
    /// The masks of a hand's cards, or the keys of two who compare, cancel out.
    #[error("masks or keys cancel out")]
    ZeroSum,
    /// The prover's own hand cannot be compared: the table leaves it out.
    #[error("the hand of participant {participant} is not in the table")]
    HandNotInTable {
        /// The prover.
        participant: u8,
    },
    /// S3, U: who called does not prove that its level is that of its hand.
    #[error("the call of participant {participant} is not proved")]
    CallProof {
        /// The guilty one.
        participant: u8,
    },
    /// S3, Sel: who was called does not prove that it selected by the level of its hand.
    #[error("the selection of participant {participant} is not proved")]
    SelectionProof {
        /// The guilty one.
        participant: u8,
    },
    /// S4: all is proved, and yet there is no result. Somebody knows a relation between the generators.
    #[error("the comparison has no result")]
    NoOutcome,
    /// A cut beyond the deck.
    #[error("a deck of {cards} cards cannot be cut at {at}")]
    Cut {
        /// Where the cut was asked for.
        at: usize,
        /// The size of the deck.
        cards: usize,
    },
    /// Shares are only given when every participant has shuffled.
    #[error("participant {participant} has not shuffled this deck")]
    NotShuffled {
        /// Who has not.
        participant: u8,
    },
    /// A batch of shares for no card at all.
    #[error("no positions given")]
    NoPositions,
    /// A position beyond the deck.
    #[error("the deck has no position {position}")]
    Position {
        /// The position, from 0.
        position: usize,
    },
    /// The same position twice in a batch.
    #[error("position {position} is given twice")]
    RepeatedPosition {
        /// The position, from 0.
        position: usize,
    },
    /// A secret key that is not the one of this participant.
    #[error("this is not the secret key of participant {participant}")]
    WrongSecretKey {
        /// The participant.
        participant: u8,
    },
    /// S2: the shares are not proved.
    #[error("the shares of participant {participant} are not proved")]
    ShareProof {
        /// The guilty one.
        participant: u8,
    },
    /// S5: the cards shown are not proved to be the prover's.
    #[error("participant {participant} does not prove the cards it shows")]
    ShowingProof {
        /// The guilty one.
        participant: u8,
    },
    /// A card of another participant or another deal.
    #[error("the card at {position} is not of this participant and deal")]
    ForeignCard {
        /// The position of the card, from 0.
        position: usize,
    },
    /// A showing to nobody.
    #[error("nobody to show cards to")]
    NoRecipients,
    /// A recipient twice, or one's own cards shown to oneself.
    #[error("recipient {seat} cannot be given")]
    Recipient {
        /// The seat.
        seat: u8,
    },
    /// S6: the shares in escrow are not proved.
    #[error("the escrow of participant {participant} is not proved")]
    EscrowProof {
        /// The guilty one.
        participant: u8,
    },
    /// Cards whose shares this participant cannot give into escrow: its own, those of somebody lost, or
    /// those of a holder named twice.
    #[error("the cards of participant {holder} cannot be escrowed here")]
    Holder {
        /// Whose cards.
        holder: u8,
    },
    /// Who is lost escrows nothing.
    #[error("participant {participant} is lost")]
    Lost {
        /// Who is lost.
        participant: u8,
    },
    /// Nobody is left to hold shares of these cards in escrow: they would be open.
    #[error("nobody can hold shares of the cards of participant {holder} in escrow")]
    NoTrustee {
        /// Whose cards.
        holder: u8,
    },
    /// A participant that holds nothing in escrow of this card.
    #[error("participant {participant} is no trustee of the card at {position}")]
    NotTrustee {
        /// The participant.
        participant: u8,
        /// The position of the card, from 0.
        position: usize,
    },
    /// An escrow that was verified in another deal.
    #[error("the escrow belongs to another deal")]
    ForeignEscrow,
    /// Cards shown that were verified in another deal.
    #[error("the cards shown belong to another deal")]
    ForeignShowing,
}

impl Error {
    /// The participant whose message is false, when it is somebody else's fault.
    ///
    /// Keys that work together against the others are the work of several: [`Error::colluders`] names them.
    #[must_use]
    pub const fn guilty(&self) -> Option<u8> {
        match *self {
            Self::KeyProof { participant }
            | Self::CallProof { participant }
            | Self::SelectionProof { participant }
            | Self::Unmasked { participant, .. }
            | Self::ShuffleProof { participant }
            | Self::ShareProof { participant }
            | Self::ShowingProof { participant }
            | Self::EscrowProof { participant } => Some(participant),
            Self::DeckSize { .. }
            | Self::Participants { .. }
            | Self::NoSuchParticipant { .. }
            | Self::ForeignKey { .. }
            | Self::Purpose { .. }
            | Self::EqualKeys { .. }
            | Self::CancellingKeys { .. }
            | Self::ForeignDeck
            | Self::Size { .. }
            | Self::ForeignPreparation
            | Self::ForeignTable
            | Self::ForeignHand { .. }
            | Self::SameParticipant { .. }
            | Self::SharedCard { .. }
            | Self::ZeroSum
            | Self::HandNotInTable { .. }
            | Self::NoOutcome
            | Self::Cut { .. }
            | Self::NotShuffled { .. }
            | Self::NoPositions
            | Self::Position { .. }
            | Self::RepeatedPosition { .. }
            | Self::WrongSecretKey { .. }
            | Self::ForeignCard { .. }
            | Self::NoRecipients
            | Self::Recipient { .. }
            | Self::Holder { .. }
            | Self::Lost { .. }
            | Self::NoTrustee { .. }
            | Self::NotTrustee { .. }
            | Self::ForeignEscrow
            | Self::ForeignShowing => None,
        }
    }
}

impl Error {
    /// The participants who made their keys together, for [`Error::EqualKeys`] and [`Error::CancellingKeys`]; nobody
    /// for any other error. All of them are guilty: each has proved that it knows its key, so none of these can have
    /// been made from another's without its owner's help.
    #[must_use]
    pub fn colluders(&self) -> Members {
        match *self {
            Self::EqualKeys { first, second } => Members::of([first, second]),
            Self::CancellingKeys { members } => members,
            _ => Members::default(),
        }
    }
}

/// Some participants of a deal, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Members(pub(crate) u16);

impl Members {
    fn of(members: impl IntoIterator<Item = u8>) -> Self {
        let set = |set: u16, member: u8| set | 1_u16.checked_shl(member.into()).unwrap_or(0);
        Self(members.into_iter().fold(0, set))
    }

    /// Their indices, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..16).filter(move |member| self.0 & (1 << member) != 0)
    }

    /// How many they are.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it is nobody.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl core::fmt::Display for Members {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("participants")?;
        for (place, member) in self.iter().enumerate() {
            write!(f, "{} {member}", if place == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// A card that cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    /// The deck, the position or the secret key is not of this deal.
    #[error(transparent)]
    Deal(#[from] Error),
    /// A share that is needed is not there.
    #[error("the share of participant {participant} is missing")]
    Missing {
        /// Whose share.
        participant: u8,
    },
    /// Two shares of the same participant.
    #[error("two shares of participant {participant}")]
    Repeated {
        /// Whose shares.
        participant: u8,
    },
    /// A share that was verified for another card or another deal.
    #[error("the share of participant {participant} is for another card")]
    WrongCard {
        /// Whose share.
        participant: u8,
    },
    /// What is left is no card: a layer is still on.
    #[error("the opened point is no card: a layer is missing")]
    NotACard,
    /// What was shown is no card.
    #[error("participant {participant} shows what is no card")]
    ShownNoCard {
        /// The guilty one.
        participant: u8,
    },
    /// The card is another one than was claimed.
    #[error("participant {participant} claimed card {claimed}, but it is {opened}")]
    Claim {
        /// The guilty one.
        participant: u8,
        /// The card it claimed.
        claimed: u16,
        /// The card that it is.
        opened: u16,
    },
}

impl OpenError {
    /// The participant at whose door the failure lies, when there is one.
    #[must_use]
    pub const fn guilty(&self) -> Option<u8> {
        match *self {
            Self::Deal(error) => error.guilty(),
            Self::Missing { participant }
            | Self::Repeated { participant }
            | Self::WrongCard { participant }
            | Self::ShownNoCard { participant }
            | Self::Claim { participant, .. } => Some(participant),
            Self::NotACard => None,
        }
    }
}
