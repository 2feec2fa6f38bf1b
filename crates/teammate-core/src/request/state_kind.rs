//! The states of a request, in one word each.

use serde::{Deserialize, Serialize};

/// How a request stands, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestStateKind {
    /// Nobody has answered yet.
    Pending,
    /// Yes.
    Approved,
    /// No.
    Rejected,
    /// Nobody answered in time, and that is a no.
    Expired,
    /// It no longer applies.
    Cancelled,
}

impl RequestStateKind {
    /// The word for it: `pending`, `approved`, `rejected`, `expired` or `cancelled`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
        }
    }
}
