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
    /// The cost by the word of an external agent, in millionths of a dollar.
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

    /// The rest without that usage; nothing where that has more.
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
    /// Adds without wrapping, whatever servers report.
    fn add_assign(&mut self, other: Self) {
        *self = self.with_each(other, u64::saturating_add);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{AnswerOptions, ChatMessage, Preamble, Role};

    /// A request of this many bytes of text, and what frames them.
    fn request(bytes: usize) -> ModelRequest {
        let blocks = vec![Block::text(&"x".repeat(bytes))];
        ModelRequest {
            preamble: Arc::new(Preamble::new(Vec::new(), String::new())),
            identity: "".into(),
            messages: vec![Arc::new(ChatMessage::new(Role::User, blocks, None))],
            cached: 0,
            max_tokens: 1,
            conversation: "".into(),
            asker: "".into(),
            model: "".into(),
            options: AnswerOptions::default(),
        }
    }

    fn estimated(told: Usage, answer: &[Block]) -> Usage {
        let mut usage = told;
        usage.estimate_missing(&request(4_000), answer);
        usage
    }

    #[test]
    fn what_a_server_does_not_report_is_estimated_and_marked() {
        let answer = [Block::text(&"y".repeat(400))];
        let input = (1_000, 1_020);
        let output = (100, 120);
        let is_about = |count: u64, (from, to): (u64, u64)| (from..to).contains(&count);

        let all = estimated(Usage::default(), &answer);
        assert!(
            is_about(all.input, input) && is_about(all.output, output),
            "{all:?}"
        );
        assert_eq!(all.estimated, all.total());
        assert_eq!(all.context(), None);

        let told = Usage {
            input: 7,
            ..Usage::default()
        };
        let part = estimated(told, &answer);
        assert!(part.input == 7 && is_about(part.output, output), "{part:?}");
        assert_eq!(part.estimated, part.output);

        let told = Usage {
            output: 7,
            ..Usage::default()
        };
        let part = estimated(told, &answer);
        assert!(part.output == 7 && is_about(part.input, input), "{part:?}");
        assert_eq!(part.estimated, part.input);

        // All of the input came from a cache, and there is no answer: nothing is missing.
        let told = Usage {
            cache_read: 7,
            ..Usage::default()
        };
        assert_eq!(estimated(told, &[]), told);
        assert_eq!(told.context(), Some(7));
    }

    #[test]
    fn sums_carry_the_mark_and_never_wrap() {
        let (told, guessed) = (
            Usage {
                input: 5,
                ..Usage::default()
            },
            Usage {
                input: 3,
                estimated: 3,
                ..Usage::default()
            },
        );
        let mut sum = told;
        sum += guessed;
        assert_eq!((sum.total(), sum.estimated), (8, 3));
        assert_eq!(sum.without(guessed), told);
        let huge = Usage {
            input: u64::MAX,
            output: u64::MAX,
            ..Usage::default()
        };
        sum += huge;
        assert_eq!((sum.input, sum.total()), (u64::MAX, u64::MAX));
    }

    #[test]
    fn what_is_not_estimated_is_written_as_before() {
        let told = Usage {
            input: 5,
            ..Usage::default()
        };
        let json = serde_json::to_string(&told).unwrap();
        assert_eq!(
            json,
            r#"{"input":5,"output":0,"cache_read":0,"cache_write":0}"#
        );
        assert_eq!(serde_json::from_str::<Usage>(&json).unwrap(), told);
    }
}
