//! Problems at a place of a text.

use super::Problem;

/// A problem, and where in a text it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InFile {
    /// What the text is called.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The character in it, counted from 1.
    pub column: u64,
    /// What is wrong there.
    pub problem: Problem,
}
