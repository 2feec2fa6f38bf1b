//! What a member does at the moment.

use serde::Serialize;
use teammate_core::{Timestamp, request::RequestId, tool::CallId};

/// What it does, and since when.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Doing {
    /// What.
    pub what: DoingKind,
    /// Since when.
    pub since: Timestamp,
}

/// The kinds of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum DoingKind {
    /// It asks its model, for the so-manieth time in this turn.
    Asks {
        /// From 1.
        round: u32,
    },
    /// Its answer comes in.
    Writes,
    /// It waits before it asks its model again.
    Retries {
        /// What failed.
        why: String,
        /// The number of the next try.
        attempt: u32,
        /// When that begins.
        until: Timestamp,
    },
    /// It runs a tool.
    Runs {
        /// Which call.
        call: CallId,
        /// The tool.
        tool: String,
        /// What it does, in a line.
        summary: String,
    },
    /// It waits for an answer to this question; the call continues after it.
    WaitsFor {
        /// The question.
        request: RequestId,
        /// What it ran when it asked.
        runs: Option<(CallId, String, String)>,
    },
}

impl DoingKind {
    /// Whether the member waits for a person, so that no time of its own passes.
    pub fn is_waiting_for_person(&self) -> bool {
        matches!(self, Self::WaitsFor { .. })
    }
}
