//! Tokens that a request used: as the server counted them, or by estimate where it did not.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ModelRequest;
use crate::{block::Block, estimate};

/// The most tokens of one answer that are believed: more is a mistake of who reports it.
const COUNT_MAX: f64 = 1e12;

/// A number of tokens as servers and agents report it: whole, with a fraction, or as text. `None` if it is missing or no such number.
pub fn reported_count(value: Option<&Value>) -> Option<u64> {
    let count = match value? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (0.0..=COUNT_MAX)
        .contains(&count)
        .then(|| count.ceil() as u64)
}

/// Tokens that a request used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input tokens that were neither read from nor written to a cache.
    pub input: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// Input tokens read from a cache.
    pub cache_read: u64,
    /// Input tokens written to a cache.
    pub cache_write: u64,
    /// Of those, tokens written to a cache that lasts an hour, which costs more.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_write_long: u64,
    /// Of the output, tokens of reasoning, where the server counts them.
    #[serde(skip_serializing_if = "is_zero")]
    pub reasoning: u64,
    /// Tokens that the request before had in a cache and this one paid for again.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_lost: u64,
    /// What it cost by the word of an agent of another make, in millionths of a dollar.
    #[serde(skip_serializing_if = "is_zero")]
    pub reported_micros: u64,
    /// Of the input and output, tokens that nobody counted: estimated, because the server or agent did not report them.
    #[serde(skip_serializing_if = "is_zero")]
    pub estimated: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

impl Usage {
    /// All tokens of the request and its answer; 0 if nobody counted or estimated them.
    pub fn total(&self) -> u64 {
        self.all_input().saturating_add(self.output)
    }

    /// All input tokens, those of caches included.
    pub fn all_input(&self) -> u64 {
        let cached = self.cache_read.saturating_add(self.cache_write);
        self.input.saturating_add(cached)
    }

    /// How much of the context was taken when the answer ended, if the server counted all of it.
    pub fn context(&self) -> Option<u64> {
        Some(self.total()).filter(|tokens| *tokens > 0 && self.estimated == 0)
    }

    /// Fills in by estimate what the server did not report. Zero counts as not reported: no request is empty, and an answer that says
    /// something has tokens.
    pub fn estimate_missing(&mut self, request: &ModelRequest, answer: &[Block]) {
        if self.all_input() == 0 {
            self.input = estimate::tokens(request.bytes()).max(1);
            self.estimated += self.input;
        }
        if self.output == 0 && !answer.is_empty() {
            let bytes = answer.iter().map(|block| block.measured().0).sum();
            self.output = estimate::tokens(bytes).max(1);
            self.estimated += self.output;
        }
    }

    /// What is left of it without that; nothing where that has more.
    #[must_use]
    pub fn without(self, that: Self) -> Self {
        self.with_each(that, u64::saturating_sub)
    }

    fn with_each(self, that: Self, make: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            input: make(self.input, that.input),
            output: make(self.output, that.output),
            cache_read: make(self.cache_read, that.cache_read),
            cache_write: make(self.cache_write, that.cache_write),
            cache_write_long: make(self.cache_write_long, that.cache_write_long),
            reasoning: make(self.reasoning, that.reasoning),
            cache_lost: make(self.cache_lost, that.cache_lost),
            reported_micros: make(self.reported_micros, that.reported_micros),
            estimated: make(self.estimated, that.estimated),
        }
    }
}

impl std::ops::AddAssign for Usage {
    /// What servers report never makes a sum wrap.
    fn add_assign(&mut self, other: Self) {
        *self = self.with_each(other, u64::saturating_add);
    }
}
