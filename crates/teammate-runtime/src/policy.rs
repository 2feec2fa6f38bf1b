//! The settings that say who answers what rules leave open: permission questions and plans.

use std::time::Duration;

use teammate_core::request::Approver;

/// The one who answers questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskPolicy {
    /// The user who sees the event feed, or another terminal, within this time.
    User {
        /// After it the question is denied.
        deadline: Duration,
    },
    /// Nobody: what would be asked is refused at once.
    Never,
}

/// The one who answers plans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PlanApprover {
    #[default]
    Lead,
    /// The user. If the user cannot be asked, every plan is rejected.
    User,
    /// A shell command: it finds the plan in the variable `PLAN`, and approves with exit code 0. What it prints is the
    /// feedback. If it cannot be run, the plan is rejected.
    Rule { command: String },
}

impl PlanApprover {
    pub(crate) fn approver(&self) -> Approver {
        match self {
            Self::Lead => Approver::Lead,
            Self::User => Approver::User,
            Self::Rule { .. } => Approver::Rule,
        }
    }
}
