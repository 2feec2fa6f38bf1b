//! The one who said no to a call, which did not run then.

use serde::{Deserialize, Serialize};

/// Why a call did not run. A call that ran and failed has none of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusedBy {
    /// A rule that denies, or that the member lacks.
    Rule,
    /// A hook of the user.
    Hook,
    /// The plan gate: the member may only read until a plan of its own is approved.
    PlanGate,
    /// The answer of a person or of the lead.
    Answer,
    /// A question that nobody answered in time.
    Deadline,
    /// It needs permission, and nobody could be asked.
    Nobody,
    /// Something else, or what this version does not know.
    #[serde(other)]
    Other,
}
