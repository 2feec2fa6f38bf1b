//! Answers to requests.

use serde::{Deserialize, Serialize};

use crate::{breadth::Breadth, mode::Mode};

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Approve {
        /// A note that comes with the approval.
        note: String,
        /// The permission mode that it brings.
        mode: Option<Mode>,
        /// How much is allowed without a question from now on: a rule that the request offers. `None`: nothing.
        always: Option<Breadth>,
    },
    Reject {
        because: String,
    },
}

impl Answer {
    /// A plain yes.
    pub fn yes() -> Self {
        Self::Approve {
            note: String::new(),
            mode: None,
            always: None,
        }
    }

    /// A yes that allows so much from now on, too.
    pub fn always(breadth: Breadth) -> Self {
        Self::Approve {
            note: String::new(),
            mode: None,
            always: Some(breadth),
        }
    }

    /// A no with its reason.
    pub fn no(because: impl Into<String>) -> Self {
        Self::Reject {
            because: because.into(),
        }
    }
}
