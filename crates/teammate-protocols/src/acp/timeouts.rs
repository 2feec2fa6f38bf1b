//! How long agents are waited for.

use std::time::Duration;

/// The limits. Ours, not the protocol's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentTimeouts {
    /// For each of the first answers: the greeting, a session that is opened or loaded, a mode.
    pub start: Duration,
    /// For a turn that a measurement asks for.
    pub turn: Duration,
    /// For the answer to a turn that was cancelled.
    pub cancel: Duration,
    /// After that, for what the turn had running.
    pub rest: Duration,
    /// For an agent to end when its input has ended, and again when it is asked to stop.
    pub grace: Duration,
}

impl Default for AgentTimeouts {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            turn: Duration::from_secs(120),
            cancel: Duration::from_secs(15),
            rest: Duration::from_secs(2),
            grace: Duration::from_secs(2),
        }
    }
}
