//! Subagents: a fresh conversation that does one thing for a member, says what came of it, and is gone.

use crate::{
    model::ModelRef,
    port::{BoxFuture, Caller, Refusal},
    tool::Outcome,
};

/// Has subagents work.
pub trait Subagents: Send + Sync {
    /// Makes a subagent for the caller. The future does its work and gives its last word; dropping it ends the subagent
    /// with everything it runs. It has no name, no mail and no place on the roster, may do nothing that the caller may not,
    /// and has no subagents of its own.
    ///
    /// Errors: there is no such kind, and which there are; or its model cannot be used.
    fn make(
        &self,
        caller: &Caller,
        ask: SubagentAsk,
    ) -> Result<BoxFuture<'static, Outcome>, Refusal>;
}

/// What a subagent is made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubagentAsk {
    /// Its kind: the name of an agent definition.
    pub kind: String,
    /// What it shall do, in a line, for people.
    pub title: String,
    /// What it shall do, with all it needs to know.
    pub prompt: String,
    /// Its model; the kind's or the caller's if not given.
    pub model: Option<ModelRef>,
}
