//! Terms, which tell the holder of something from those that held it before.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Counts who held a member, or the stewardship, one after the other. What comes under an old term is refused,
/// so a claim needs no clock.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Term(pub u64);

impl Term {
    /// Nobody has held it yet.
    pub const NONE: Self = Self(0);
    /// The first holder's.
    pub const FIRST: Self = Self(1);

    /// The next holder's.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
