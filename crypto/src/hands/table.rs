//! The table of hands, and sums over all of its hands.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT,
    ristretto::{RistrettoPoint, VartimeRistrettoPrecomputation},
    scalar::Scalar,
    traits::{MultiscalarMul, VartimePrecomputedMultiscalarMul},
};
use sha2::{Digest, Sha512};
use subtle::{ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater, CtOption};
use thiserror::Error;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{CARDS, DIGITS};
use crate::{
    generators::{self, Params},
    wire::Element,
};

/// The most cards a deck with a table of hands can have.
pub const MAX_TABLE_CARDS: usize = 64;

/// Hands and levels that make no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// A deck with a table of hands has at most
    /// [`MAX_TABLE_CARDS`] cards.
    #[error("a table of hands cannot be for {cards} cards")]
    Deck {
        /// The number of cards of the deck.
        cards: usize,
    },
    /// No hand at all.
    #[error("the table has no hand")]
    Empty,
    /// A card that the deck does not have.
    #[error("the deck has no card {card}")]
    Card {
        /// Its number.
        card: u16,
    },
    /// A card twice in a hand.
    #[error("hand {cards:?} has a card twice")]
    RepeatedCard {
        /// The cards, in ascending order.
        cards: [u16; 3],
    },
    /// A hand twice in the table.
    #[error("hand {cards:?} is there twice")]
    RepeatedHand {
        /// The cards, in ascending order.
        cards: [u16; 3],
    },
    /// Levels are counted from 0 without a gap.
    #[error("no hand has level {level}, but one has a higher level")]
    MissingLevel {
        /// The lowest level that is missing.
        level: u16,
    },
    /// Two hands with the same sum of card points, which nobody could tell apart.
    #[error("hands {first:?} and {second:?} have the same sum")]
    EqualSums {
        /// The cards of one of them.
        first: [u16; 3],
        /// The cards of the other.
        second: [u16; 3],
    },
}

/// A hand of the table: its cards in ascending order, and its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    cards: [u16; CARDS],
    level: u16,
}

struct Inner {
    params: Params,
    /// In the order of their cards. Behind the last hand it comes again until there are as many as the
    /// digits can count.
    entries: Vec<Entry>,
    hands: usize,
    levels: usize,
    /// `n_1 … n_4`.
    radix: [usize; DIGITS],
    digest: [u8; 32],
    cards: Vec<Element>,
    card_points: Vec<RistrettoPoint>,
    bases: Vec<RistrettoPoint>,
    /// Multiples of the points that every verification multiplies; made when they are first needed.
    fixed: OnceLock<VartimeRistrettoPrecomputation>,
}

/// The hands that can be compared, each with its level. Cheap to clone.
///
/// What a hand is and which one is higher is not known here: a hand is three different cards, and the one
/// of the higher level wins. Hands that are left out cannot be compared.
#[derive(Clone)]
pub struct HandTable(Arc<Inner>);

impl core::fmt::Debug for HandTable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "HandTable({} hands, {} levels)", self.0.hands, self.0.levels)
    }
}

impl HandTable {
    /// A table for decks of these parameters, from hands in any order, each with its level. The levels that
    /// occur are `0 … L−1`.
    ///
    /// # Errors
    /// [`TableError`]: the deck has more than [`MAX_TABLE_CARDS`] cards, there is no hand, a card is not of
    /// the deck or twice in a hand, a hand is there twice, a level is left out, or two hands have the same
    /// sum of card points.
    pub fn new(
        params: &Params,
        hands: impl IntoIterator<Item = ([u16; CARDS], u16)>,
    ) -> Result<Self, TableError> {
        let bases = generators::bases();
        Self::with_generators(params, hands, params.cards().to_vec(), bases.to_vec())
    }

    /// [`new`](Self::new) with other card points and commitment bases than those of everybody, for tests.
    pub(crate) fn with_generators(
        params: &Params,
        hands: impl IntoIterator<Item = ([u16; CARDS], u16)>,
        cards: Vec<Element>,
        bases: Vec<RistrettoPoint>,
    ) -> Result<Self, TableError> {
        let n = params.n();
        if n > MAX_TABLE_CARDS {
            return Err(TableError::Deck { cards: n });
        }
        let mut entries = Vec::new();
        for (mut cards, level) in hands {
            cards.sort_unstable();
            if let Some(&card) = cards.iter().find(|&&card| usize::from(card) >= n) {
                return Err(TableError::Card { card });
            }
            if cards.array_windows().any(|[first, second]| first == second) {
                return Err(TableError::RepeatedCard { cards });
            }
            entries.push(Entry { cards, level });
            // more than all of them: two are equal, and are found below
            if entries.len() > n * n * n {
                break;
            }
        }
        entries.sort_unstable();
        if let Some([hand, _]) = entries.array_windows().find(|[a, b]| a.cards == b.cards) {
            return Err(TableError::RepeatedHand { cards: hand.cards });
        }
        let Some(&last) = entries.last() else {
            return Err(TableError::Empty);
        };
        let mut levels: Vec<u16> = entries.iter().map(|entry| entry.level).collect();
        levels.sort_unstable();
        levels.dedup();
        if let Some((level, _)) = (0..).zip(&levels).find(|(expected, level)| expected != *level) {
            return Err(TableError::MissingLevel { level });
        }
        let card_points: Vec<RistrettoPoint> = cards.iter().map(|card| *card.point()).collect();
        check_sums(&entries, &card_points)?;

        let hands = entries.len();
        let radix = radix(hands);
        entries.resize(radix.iter().product(), last);
        let digest = digest(params, &entries, hands, levels.len(), radix);
        let levels = levels.len();
        Ok(Self(Arc::new(Inner {
            params: params.clone(),
            entries,
            hands,
            levels,
            radix,
            digest,
            cards,
            card_points,
            bases,
            fixed: OnceLock::new(),
        })))
    }

    /// The parameters of the decks that it is for.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.0.params
    }

    /// The number of hands, N.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.hands
    }

    /// Whether there is no hand; there is always one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.hands == 0
    }

    /// The number of levels, L.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.0.levels
    }

    /// `n_1 … n_4`: the digits in which hands are counted.
    #[must_use]
    pub fn radix(&self) -> [usize; DIGITS] {
        self.0.radix
    }

    /// 32 bytes that stand for the parameters, the hands and their levels.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.0.digest
    }

    /// The hands with their levels, in the order of their indices.
    pub fn hands(&self) -> impl Iterator<Item = ([u16; CARDS], u16)> {
        self.0.entries.iter().take(self.0.hands).map(|entry| (entry.cards, entry.level))
    }

    /// The index of a hand, its cards in any order, in variable time; `None` when it is not in the table.
    #[must_use]
    pub fn hand(&self, mut cards: [u16; CARDS]) -> Option<usize> {
        cards.sort_unstable();
        let hands = self.0.entries.get(..self.0.hands)?;
        hands.binary_search_by_key(&cards, |entry| entry.cards).ok()
    }

    /// The level of the hand with an index below N, in variable time.
    #[must_use]
    pub fn level(&self, index: usize) -> Option<u16> {
        self.0.entries.get(..self.0.hands)?.get(index).map(|entry| entry.level)
    }

    /// `M_0 … M_{n−1}`.
    pub(crate) fn cards(&self) -> &[Element] {
        &self.0.cards
    }

    pub(crate) fn card_points(&self) -> &[RistrettoPoint] {
        &self.0.card_points
    }

    /// `h_1, h_2, …`
    pub(crate) fn bases(&self) -> &[RistrettoPoint] {
        &self.0.bases
    }

    /// Multiples of `G, h_1, …, h_m, M_0, …, M_{n−1}` for variable time, m being the number of values in a
    /// commitment; about 10 kB for each of these points.
    pub(crate) fn fixed(&self) -> &VartimeRistrettoPrecomputation {
        self.0.fixed.get_or_init(|| {
            let bases = self.bases().iter().take(2 * self.places() - DIGITS);
            let points = core::iter::once(&RISTRETTO_BASEPOINT_POINT).chain(bases);
            VartimeRistrettoPrecomputation::new(points.chain(self.card_points()))
        })
    }

    /// `Σ n_j`.
    pub(crate) fn places(&self) -> usize {
        self.0.radix.iter().sum()
    }

    /// `com(v; r)`, in constant time.
    pub(crate) fn commit(&self, values: &[Scalar], r: &Scalar) -> RistrettoPoint {
        RistrettoPoint::multiscalar_mul(
            core::iter::once(r).chain(values),
            core::iter::once(&RISTRETTO_BASEPOINT_POINT)
                .chain(self.bases().iter().take(values.len())),
        )
    }

    /// Splits one value for each place of each digit into digits.
    pub(crate) fn digits<'a, T>(&self, places: &'a [T]) -> [&'a [T]; DIGITS] {
        let mut rest = places;
        self.0.radix.map(|n| {
            let (digit, others) = rest.split_at_checked(n).unwrap_or((rest, &[]));
            rest = others;
            digit
        })
    }

    /// What a prover chooses who has these cards. Every hand of the table is looked at, so that neither
    /// time nor the memory read depends on the cards. `None` when the hand is not in the table.
    pub(crate) fn choose(&self, mut cards: [u16; CARDS]) -> CtOption<Choice> {
        sort(&mut cards);
        let mut found = subtle::Choice::from(0);
        let mut level = 0_u16;
        let mut digits = [0_u16; DIGITS];
        let mut place = [0_u16; DIGITS];
        for entry in self.0.entries.iter().take(self.0.hands) {
            let here = entry.cards.as_slice().ct_eq(&cards);
            found |= here;
            level.conditional_assign(&entry.level, here);
            for (digit, place) in digits.iter_mut().zip(&place) {
                digit.conditional_assign(place, here);
            }
            for (place, &n) in place.iter_mut().zip(&self.0.radix).rev() {
                *place += 1;
                if usize::from(*place) < n {
                    break;
                }
                *place = 0;
            }
        }
        let one = |number: u16, wanted: u16| {
            Scalar::conditional_select(&Scalar::ZERO, &Scalar::ONE, number.ct_eq(&wanted))
        };
        let sigma = self.0.radix.iter().zip(&digits);
        let choice = Choice {
            sigma: sigma
                .flat_map(|(&n, &digit)| (0..).take(n).map(move |i| one(i, digit)))
                .collect(),
            sums: Sums {
                cards: (0..)
                    .take(self.0.cards.len())
                    .map(|c| cards.iter().map(|&card| one(c, card)).sum())
                    .collect(),
                levels: (0..).take(self.0.levels).map(|l| one(l, level)).collect(),
            },
        };
        cards.zeroize();
        digits.zeroize();
        level.zeroize();
        CtOption::new(choice, found)
    }

    /// `w_c = Σ_{h∋c} p_h` for every card and `Σ_{l_h=l} p_h` for every level, where `p_h = ∏_j f_{j,h_j}`.
    ///
    /// The products of the first three digits are added up for each value of the fourth, and only the sums
    /// are multiplied with it. Which values are added where depends on the table alone.
    pub(crate) fn sums(&self, f: &[Scalar]) -> Sums {
        let (n, levels) = (self.0.cards.len(), self.0.levels);
        let [first, second, third, fourth] = self.digits(f);
        // for each value of the fourth digit: the cards, then the levels
        let mut sums = vec![Lazy::default(); fourth.len() * (n + levels)];
        let mut entries = self.0.entries.iter();
        for a in first {
            for b in second {
                let ab = a * b;
                for c in third {
                    let abc = Lazy::from(&(ab * c));
                    for (sums, entry) in sums.chunks_exact_mut(n + levels).zip(&mut entries) {
                        let [low, middle, high] = entry.cards.map(usize::from);
                        for place in [low, middle, high, n + usize::from(entry.level)] {
                            if let Some(sum) = sums.get_mut(place) {
                                sum.add(&abc);
                            }
                        }
                    }
                }
            }
        }
        let mut all = vec![Scalar::ZERO; n + levels];
        for (sums, d) in sums.chunks_exact_mut(n + levels).zip(fourth) {
            for (all, sum) in all.iter_mut().zip(sums) {
                *all += sum.reduce() * d;
                sum.0.zeroize();
            }
        }
        let levels = all.split_off(n);
        Sums { cards: all, levels }
    }
}

/// A sum of scalars that is not reduced yet: 64-bit digits, each with room for 2⁶⁴ summands.
#[derive(Clone, Copy, Default)]
struct Lazy([u128; 4]);

impl From<&Scalar> for Lazy {
    fn from(scalar: &Scalar) -> Self {
        let mut digits = [0; 4];
        for (digit, bytes) in digits.iter_mut().zip(scalar.as_bytes().as_chunks::<8>().0) {
            *digit = u128::from(u64::from_le_bytes(*bytes));
        }
        Self(digits)
    }
}

impl Lazy {
    fn add(&mut self, other: &Self) {
        for (sum, digit) in self.0.iter_mut().zip(other.0) {
            *sum += digit;
        }
    }

    fn reduce(&self) -> Scalar {
        let mut bytes = [0; 64];
        let (words, _) = bytes.as_chunks_mut::<8>();
        let mut carry = 0;
        for (word, digit) in words.iter_mut().zip(self.0.into_iter().chain([0, 0])) {
            let digit = digit + carry;
            *word = (digit as u64).to_le_bytes();
            carry = digit >> 64;
        }
        let scalar = Scalar::from_bytes_mod_order_wide(&bytes);
        bytes.zeroize();
        scalar
    }
}

impl PartialEq for HandTable {
    fn eq(&self, other: &Self) -> bool {
        self.0.digest == other.0.digest
    }
}

impl Eq for HandTable {}

/// One value for each card, and one for each level.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Sums {
    pub(crate) cards: Vec<Scalar>,
    pub(crate) levels: Vec<Scalar>,
}

impl Sums {
    /// All values: those of the cards, then those of the levels.
    fn values(&self) -> impl Iterator<Item = &Scalar> {
        self.cards.iter().chain(&self.levels)
    }

    /// The same made of other values.
    fn map(&self, values: impl IntoIterator<Item = Scalar>) -> Self {
        let mut values = values.into_iter();
        let cards = values.by_ref().take(self.cards.len()).collect();
        Self { cards, levels: values.collect() }
    }
}

/// A hand as a prover sees it: digits one-hot, and where in [`Sums`] it counts.
#[derive(Clone)]
pub(crate) struct Choice {
    /// `σ_{j,i}`, digit after digit.
    pub(crate) sigma: Vec<Scalar>,
    /// 1 for its cards and its level, 0 for the others: the sums for `f = σ`.
    pub(crate) sums: Sums,
}

impl Drop for Choice {
    fn drop(&mut self) {
        self.sigma.zeroize();
    }
}

impl Choice {
    /// The coefficients of `T⁰ … T³` in the sums of `p_h(T) = ∏_j (σ_{j,h_j}T + a_{j,h_j})`. The one of T⁴
    /// is the choice itself.
    ///
    /// The sums are evaluated at T = 0, 1, 2, 3, and the polynomial through these values is taken.
    pub(crate) fn coefficients(&self, table: &HandTable, masks: &[Scalar]) -> [Sums; DIGITS] {
        let values = [0_u8, 1, 2, 3].map(|t| {
            let t = Scalar::from(t);
            let f = self.sigma.iter().zip(masks).map(|(sigma, mask)| sigma * t + mask);
            let f: Zeroizing<Vec<Scalar>> = Zeroizing::new(f.collect());
            let sums = table.sums(&f);
            let t_4 = t * t * t * t;
            let lead = self.sums.values();
            sums.map(sums.values().zip(lead).map(|(value, lead)| value - lead * t_4))
        });
        // rows: six times the coefficient of T^k, from the four values
        let sixth = Scalar::from(6_u8).invert();
        [[6, 0, 0, 0], [-11, 18, -9, 2], [6, -15, 12, -3], [-1, 3, -3, 1]].map(|row| {
            let row = row.map(|number: i8| {
                let size = Scalar::from(number.unsigned_abs()) * sixth;
                if number < 0 { -size } else { size }
            });
            let [v_0, v_1, v_2, v_3] = &values;
            let [c_0, c_1, c_2, c_3] = &row;
            let columns = v_0.values().zip(v_1.values()).zip(v_2.values()).zip(v_3.values());
            v_0.map(
                columns
                    .map(|(((v_0, v_1), v_2), v_3)| c_0 * v_0 + c_1 * v_1 + c_2 * v_2 + c_3 * v_3),
            )
        })
    }
}

/// Sorts secret numbers: the same comparisons and moves for all of them.
fn sort([low, middle, high]: &mut [u16; CARDS]) {
    let order = |first: &mut u16, second: &mut u16| {
        let greater = first.ct_gt(second);
        u16::conditional_swap(first, second, greater);
    };
    order(low, middle);
    order(middle, high);
    order(low, middle);
}

/// Refuses two hands with the same sum of card points.
fn check_sums(entries: &[Entry], cards: &[RistrettoPoint]) -> Result<(), TableError> {
    let sums: Vec<RistrettoPoint> = entries
        .iter()
        .map(|entry| entry.cards.iter().filter_map(|&card| cards.get(usize::from(card))).sum())
        .collect();
    // doubled sums are equal when the sums are, and cost less to encode
    let encoded = RistrettoPoint::double_and_compress_batch(&sums);
    let mut seen = HashMap::with_capacity(entries.len());
    for (entry, sum) in entries.iter().zip(encoded) {
        if let Some(first) = seen.insert(sum.to_bytes(), entry.cards) {
            return Err(TableError::EqualSums { first, second: entry.cards });
        }
    }
    Ok(())
}

/// The smallest four digits, in ascending order and not more than one apart, that can count so many
/// hands.
fn radix(hands: usize) -> [usize; DIGITS] {
    let mut radix = [2; DIGITS];
    loop {
        for from in (0..=DIGITS).rev() {
            let grown: [usize; DIGITS] = core::array::from_fn(|j| {
                let n = radix.get(j).copied().unwrap_or_default();
                if j >= from { n + 1 } else { n }
            });
            if grown.iter().product::<usize>() >= hands {
                return grown;
            }
        }
        radix = radix.map(|n| n + 1);
    }
}

fn digest(
    params: &Params,
    entries: &[Entry],
    hands: usize,
    levels: usize,
    radix: [usize; DIGITS],
) -> [u8; 32] {
    let mut hash =
        Sha512::new().chain_update(b"trinka-crypto v1 hands").chain_update(params.digest());
    for number in [hands, levels].into_iter().chain(radix) {
        hash.update((number as u64).to_le_bytes());
    }
    for entry in entries.iter().take(hands) {
        for number in entry.cards.iter().chain([&entry.level]) {
            hash.update(number.to_le_bytes());
        }
    }
    let mut digest = [0; 32];
    for (to, from) in digest.iter_mut().zip(hash.finalize()) {
        *to = from;
    }
    digest
}
