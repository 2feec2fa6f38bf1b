//! Questions and answers about requests: shutdown and plans.

use std::time::Duration;

use crate::{MemberName, id::RequestId, team::Job};

/// A shutdown that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShutdownArgs {
    /// Who, unparsed.
    pub name: String,
    /// Why; may be empty.
    pub reason: String,
    /// True: stop at once, without asking.
    pub now: bool,
}

/// Its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShutdownReply {
    Stopped {
        member: MemberName,
        request: RequestId,
        /// How it came to that.
        how: String,
        /// The work that it leaves behind, in sentences with a blank before each; empty if nothing is known.
        left: String,
    },
    /// It is in a turn and was asked; the requester gets a notice of the result.
    Asked {
        member: MemberName,
        request: RequestId,
        /// After how long it is stopped in any case.
        within: Duration,
    },
    /// It refused and continues.
    Refused {
        member: MemberName,
        request: RequestId,
        because: String,
    },
}

/// A plan that is required of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanRequired {
    pub member: MemberName,
    /// The jobs of the member that were ended.
    pub ended: Vec<Job>,
    /// The jobs that were not seen to end in time: they run on another worker, which does not answer.
    pub unseen: Vec<Job>,
}

/// A submitted plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedPlan {
    pub request: RequestId,
    /// The one who answers, in words.
    pub to: String,
}
