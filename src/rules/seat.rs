//! Places at the table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place at the table. Clockwise is ascending order, and after the last place comes the first.
///
/// Numbers are given once an evening: who sits down later sits after the last seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seat(pub u8);

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The nearest of `seats` clockwise from `from`, `from` itself coming last.
///
/// `from` need not be among `seats`: a seat that has left still marks a place in the circle.
pub(crate) fn left_of<'a>(from: Seat, seats: impl IntoIterator<Item = &'a Seat>) -> Option<Seat> {
    seats.into_iter().copied().min_by_key(|seat| steps_clockwise(from, *seat))
}

/// The nearest of `seats` counter-clockwise from `from`, `from` itself coming last.
pub(crate) fn right_of<'a>(from: Seat, seats: impl IntoIterator<Item = &'a Seat>) -> Option<Seat> {
    seats.into_iter().copied().min_by_key(|seat| steps_clockwise(*seat, from))
}

/// `seats` in the order of the game: clockwise, beginning with the left of `from`.
pub(crate) fn clockwise_from<'a>(
    from: Seat,
    seats: impl IntoIterator<Item = &'a Seat>,
) -> Vec<Seat> {
    let mut order: Vec<Seat> = seats.into_iter().copied().collect();
    order.sort_by_key(|seat| steps_clockwise(from, *seat));
    order.dedup();
    order
}

/// How far `to` lies clockwise of `from`; a whole round (256) from a seat to itself.
fn steps_clockwise(from: Seat, to: Seat) -> u16 {
    match to.0.wrapping_sub(from.0) {
        0 => 256,
        steps => u16::from(steps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_wrap_round_and_the_seat_itself_comes_last() {
        let seats = [Seat(1), Seat(4), Seat(9)];
        assert_eq!(left_of(Seat(9), &seats), Some(Seat(1)));
        assert_eq!(left_of(Seat(5), &seats), Some(Seat(9)));
        assert_eq!(right_of(Seat(1), &seats), Some(Seat(9)));
        assert_eq!(right_of(Seat(9), &seats), Some(Seat(4)));
        assert_eq!(right_of(Seat(4), &[Seat(4)]), Some(Seat(4)));
        assert_eq!(left_of(Seat(4), &[]), None);
        assert_eq!(clockwise_from(Seat(4), &seats), [Seat(9), Seat(1), Seat(4)]);
    }
}
