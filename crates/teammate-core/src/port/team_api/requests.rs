//! What is asked and answered about requests: shutdown and plans.

use std::time::Duration;

use crate::{MemberName, request::RequestId, team::Job};

/// A shutdown that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShutdownAsk {
    /// Who, unparsed.
    pub name: String,
    /// Why; may be empty.
    pub reason: String,
    /// Whether it shall end at once, without being asked.
    pub now: bool,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shutdown {
    /// It is stopped.
    Stopped {
        /// Who.
        member: MemberName,
        /// By which request.
        request: RequestId,
        /// How it came to that.
        how: String,
        /// What it leaves behind, in sentences with a blank before each; empty if nothing is known.
        left: String,
    },
    /// It is in a turn and was asked; whoever asked is told what comes of it.
    Asked {
        /// Who.
        member: MemberName,
        /// By which request.
        request: RequestId,
        /// After how long it is stopped in any case.
        within: Duration,
    },
    /// It goes on.
    Refused {
        /// Who.
        member: MemberName,
        /// By which request.
        request: RequestId,
        /// Why.
        because: String,
    },
}

/// A plan that is required of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanRequired {
    /// Of whom.
    pub member: MemberName,
    /// What it had running in the background, all of it ended.
    pub ended: Vec<Job>,
}

/// A submitted plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// Its request.
    pub request: RequestId,
    /// Who answers, in words.
    pub to: String,
}
