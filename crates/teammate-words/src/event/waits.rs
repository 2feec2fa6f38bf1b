//! Reasons why a member waits, and subjects of notes, for those who do not read prose.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// A member's reason to wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waits {
    /// The kind of reason.
    pub on: WaitsOn,
    /// Which one, if it has a name: the request, the task or the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub since: Timestamp,
}

/// Kinds of things that a member waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitsOn {
    /// An answer to a question of permission.
    Permission,
    /// An answer to its plan.
    Plan,
    /// A model that is overloaded or out of reach.
    Model,
    /// Mail of anybody.
    Mail,
    /// A task that must be completed before its own can begin.
    Task,
    /// More money, tokens or time: a budget is spent.
    Budget,
    /// Something that it has started in the background.
    Job,
}

/// The subject of a note. Most are about nothing that a program could do something with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteAbout {
    /// Lines of the journal, of mail or of a transcript that could not be read, are missing, or do not count.
    Damage,
}
