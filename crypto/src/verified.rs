//! Values whose proof has been checked.

use core::ops::Deref;

/// A kind of value that is only trusted once it is verified.
pub trait Verifiable: sealed::Sealed {
    /// What a verification is worth: for which deal, and by whom the value was made.
    type Origin: Clone + PartialEq + Eq + core::fmt::Debug;
}

pub(crate) mod sealed {
    /// Nobody else can name new kinds of verified values.
    pub trait Sealed {}
}

/// A value whose proof was checked in its deal. Only the verifiers of this crate can make one.
///
/// It reads like the value itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified<T: Verifiable> {
    value: T,
    origin: T::Origin,
}

impl<T: Verifiable + Copy> Copy for Verified<T> where T::Origin: Copy {}

impl<T: Verifiable> Verified<T> {
    pub(crate) const fn new(value: T, origin: T::Origin) -> Self {
        Self { value, origin }
    }

    pub(crate) const fn origin(&self) -> &T::Origin {
        &self.origin
    }

    /// The bare value, for instance to send it; it has to be verified again to be used.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T: Verifiable> Deref for Verified<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
