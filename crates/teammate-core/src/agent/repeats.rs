//! Calls that are repeated with the same outcome. The model gets a warning first, then the turn ends.
//!
//! What counts is a call with its outcome, within one turn and since something new succeeded: a test that fails in the same
//! way after each of ten edits is no loop, because the edits succeed.

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use crate::tool::{Outcome, OutcomePart, ToolCall, ToolInput};

/// A successful call may be repeated so many times as often as one that fails: it may wait for something.
const WARNED_REPEATS_MAX: u32 = 10;

/// The repeated call, and how often it came.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Repeats {
    seen: BTreeMap<u64, u32>,
    /// The tool that was called too often.
    over: Option<(String, u32)>,
}

impl Repeats {
    /// Something new has come: nothing was repeated yet.
    pub(super) fn clear(&mut self) {
        self.seen.clear();
        self.over = None;
    }

    /// A call of this tool had this outcome. `most` is how often the same may fail in a row; 0 is without limit. From half of
    /// that on the outcome warns the model.
    pub(super) fn take(&mut self, tool: &str, call: u64, outcome: &mut Outcome, most: u32) {
        let most = match outcome.is_error {
            true => most,
            false => most.saturating_mul(WARNED_REPEATS_MAX),
        };
        if most == 0 {
            return;
        }
        let key = pair(call, outcome);
        if !outcome.is_error && !self.seen.contains_key(&key) {
            self.clear();
        }
        let count = self.seen.entry(key).or_default();
        *count += 1;
        if *count >= most {
            self.over = Some((tool.to_owned(), *count));
        }
        if *count >= most.div_ceil(2) {
            let came = match outcome.is_error {
                true => "failed in the same way",
                false => "had the same outcome",
            };
            outcome.parts.push(OutcomePart::Text(format!(
                "<system>This same call {came} {count} times, with no progress in between. Stop repeating it: do something else, or say what blocks you. After {most} times the turn ends.</system>"
            )));
        }
    }

    /// Why the turn ends, if it does.
    pub(super) fn limit(&self) -> Option<String> {
        let (tool, count) = self.over.as_ref()?;
        Some(format!(
            "stopped because {tool} was called {count} times with the same arguments and the same outcome, with no progress in between; say what to do instead, or raise max_repeats"
        ))
    }
}

/// A call without its id.
pub(super) fn of_call(call: &ToolCall) -> u64 {
    let input = match &call.input {
        ToolInput::Json(raw) => raw.get(),
        ToolInput::Damaged(text) => text,
    };
    let mut hasher = DefaultHasher::new();
    (&call.name, input).hash(&mut hasher);
    hasher.finish()
}

fn pair(call: u64, outcome: &Outcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    (call, outcome.is_error, outcome.text()).hash(&mut hasher);
    hasher.finish()
}
