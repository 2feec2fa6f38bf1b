//! The usage of several requests together.

use std::{iter::Sum, ops::AddAssign};

use super::Usage;

/// Requests and what they used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UsageTotal {
    /// Answered requests.
    pub requests: u64,
    pub usage: Usage,
}

impl UsageTotal {
    /// One request.
    pub fn one(usage: Usage) -> Self {
        Self { requests: 1, usage }
    }

    /// The rest without that spending; nothing where that has more.
    #[must_use]
    pub fn without(self, that: Self) -> Self {
        Self {
            requests: self.requests.saturating_sub(that.requests),
            usage: self.usage.without(that.usage),
        }
    }

    /// All tokens, in and out, those of caches included.
    pub fn tokens(&self) -> u64 {
        self.usage.total()
    }

    /// All input tokens, those of caches included.
    pub fn input(&self) -> u64 {
        self.usage.all_input()
    }

    /// Whether some of the tokens are estimated.
    pub fn is_estimated(&self) -> bool {
        self.usage.estimated > 0
    }

    /// Whether there were answers whose tokens nobody counted or estimated: how many there were is unknown, not zero.
    pub fn is_unknown(&self) -> bool {
        self.requests > 0 && self.tokens() == 0
    }

    /// This number of its tokens, if it is known.
    pub fn known(&self, tokens: u64) -> Option<u64> {
        (!self.is_unknown()).then_some(tokens)
    }
}

impl AddAssign for UsageTotal {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.usage += other.usage;
    }
}

impl<'a> Sum<&'a Self> for UsageTotal {
    fn sum<I: Iterator<Item = &'a Self>>(totals: I) -> Self {
        let mut sum = Self::default();
        totals.for_each(|total| sum += *total);
        sum
    }
}
