//! Reads the tokens that a server reports, of any make and over any wire: no field of it is needed, and none makes an answer fail.
//! What is missing or zero here, the caller of the model estimates.

use serde_json::Value;
use teammate_core::model::{Usage, Wire, reported_count};

/// Tokens as a server has reported them until now. A server may report several times, and 0 where it does not know a count yet: the
/// largest counts are taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReportedUsage {
    wire: Wire,
    /// Input with all that caches had a part in.
    all_input: u64,
    /// Input without that.
    uncached: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
    cache_write_long: u64,
    reasoning: u64,
    total: u64,
}

/// Input, with what came from caches and went into one.
const ALL_INPUT: [&str; 3] = ["prompt_tokens", "promptTokens", "promptTokenCount"];
/// Input; the wire or the other fields say whether it is all.
const INPUT: [&str; 2] = ["input_tokens", "inputTokens"];
const OUTPUT: [&str; 5] = [
    "completion_tokens",
    "output_tokens",
    "completionTokens",
    "outputTokens",
    "candidatesTokenCount",
];
const TOTAL: [&str; 3] = ["total_tokens", "totalTokens", "totalTokenCount"];
const INPUT_DETAILS: [&str; 2] = ["prompt_tokens_details", "input_tokens_details"];
const OUTPUT_DETAILS: [&str; 2] = ["completion_tokens_details", "output_tokens_details"];
/// Cached input that is part of all input.
const CACHED: [&str; 3] = [
    "cached_tokens",
    "prompt_cache_hit_tokens",
    "cachedContentTokenCount",
];
const CACHE_WRITE_DETAIL: &str = "cache_write_tokens";
const CACHE_WRITE_LONG: [&str; 2] = ["ephemeral_1h_input_tokens", "ttl_12h_tokens"];
/// The fields of the wire whose input is without what caches had a part in.
const CACHE_READ: &str = "cache_read_input_tokens";
const CACHE_WRITE: &str = "cache_creation_input_tokens";
const REASONING: [&str; 3] = ["reasoning_tokens", "thinking_tokens", "thoughtsTokenCount"];

impl ReportedUsage {
    /// Nothing yet, over this wire.
    pub(crate) fn over(wire: Wire) -> Self {
        Self {
            wire,
            all_input: 0,
            uncached: 0,
            output: 0,
            cache_read: 0,
            cache_write: 0,
            cache_write_long: 0,
            reasoning: 0,
            total: 0,
        }
    }

    /// Takes what a server reports; anything that is not understood is passed over.
    pub(crate) fn take(&mut self, reported: Option<&Value>) {
        let Some(reported) = reported else { return };
        let input_details = details(reported, &INPUT_DETAILS);
        let output_details = details(reported, &OUTPUT_DETAILS);
        let cached = largest(input_details, &CACHED).max(largest(reported, &CACHED));
        let written = largest(input_details, &[CACHE_WRITE_DETAIL]);
        let all_input = largest(reported, &ALL_INPUT).filter(|tokens| *tokens > 0);
        let input = largest(reported, &INPUT).filter(|_| all_input.is_none());
        // What one wire has as all input, the other has without that of caches, and has fields of its own for those.
        let is_all = match self.wire {
            Wire::Anthropic => cached.is_some(),
            Wire::OpenAi | Wire::Responses | Wire::Plain => {
                cached.or(written).is_some()
                    || largest(reported, &[CACHE_READ, CACHE_WRITE]).is_none()
            }
        };
        let long = [
            &reported["cache_creation"],
            &input_details["cache_write_tokens_details"],
        ];
        let long = long.map(|details| largest(details, &CACHE_WRITE_LONG));
        for (known, new) in [
            (&mut self.all_input, all_input.or(input.filter(|_| is_all))),
            (&mut self.uncached, input.filter(|_| !is_all)),
            (&mut self.output, largest(reported, &OUTPUT)),
            (
                &mut self.cache_read,
                cached.max(largest(reported, &[CACHE_READ])),
            ),
            (
                &mut self.cache_write,
                written.max(largest(reported, &[CACHE_WRITE])),
            ),
            (&mut self.cache_write_long, long[0].max(long[1])),
            (
                &mut self.reasoning,
                largest(output_details, &REASONING).max(largest(reported, &REASONING)),
            ),
            (&mut self.total, largest(reported, &TOTAL)),
        ] {
            *known = new.unwrap_or(0).max(*known);
        }
    }

    /// The tokens, 0 for what was not reported.
    pub(crate) fn usage(self) -> Usage {
        let cached = self.cache_read.saturating_add(self.cache_write);
        let mut usage = Usage {
            input: self.uncached.max(self.all_input.saturating_sub(cached)),
            output: self.output,
            cache_read: self.cache_read,
            cache_write: self.cache_write,
            cache_write_long: self.cache_write_long,
            reasoning: self.reasoning,
            ..Usage::default()
        };
        // Of input, output and their sum some servers report two, and some leave reasoning out of the output.
        let rest = self.total.saturating_sub(usage.total());
        if usage.all_input() == 0 {
            usage.input = rest;
        } else if usage.output == 0 {
            usage.output = rest;
        } else {
            usage.output = usage.output.saturating_add(rest.min(usage.reasoning));
        }
        usage
    }
}

/// The largest count in these fields; `None` if they hold none.
fn largest(value: &Value, names: &[&str]) -> Option<u64> {
    let counts = names
        .iter()
        .filter_map(|name| reported_count(value.get(name)));
    counts.max()
}

/// The first of these fields that is an object; `null` if none is.
fn details<'a>(value: &'a Value, names: &[&str]) -> &'a Value {
    let mut found = names.iter().map(|name| &value[name]);
    found
        .find(|details| details.is_object())
        .unwrap_or(&Value::Null)
}
