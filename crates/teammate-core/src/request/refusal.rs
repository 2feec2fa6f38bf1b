//! Why an answer or a request is refused, in a sentence that says what would have worked.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{
    MemberName,
    breadth::Breadth,
    id::{RequestId, RequestIdError},
    mode::Mode,
    status::RequestKind,
};

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum RequestRefusal {
    #[error(transparent)]
    Id(#[from] RequestIdError),
    /// There is no such request (yet).
    #[error("there is no request {request}; {open}")]
    Unknown { request: RequestId, open: String },
    /// It is settled: the first answer counts.
    #[error("{request} is already settled ({how}); {open}")]
    Settled {
        request: RequestId,
        how: String,
        open: String,
    },
    /// It is about something else.
    #[error("{request} is a request for {is}, not for {expected}; {open}")]
    WrongKind {
        request: RequestId,
        /// The kind of the request.
        is: RequestKind,
        expected: RequestKind,
        open: String,
    },
    #[error(
        "{request} asks for something else than you saw ({digest} now); look at it again, then answer. Nothing was answered"
    )]
    OtherDigest {
        request: RequestId,
        /// The digest of what it asks for, in short; `none` if there is none.
        digest: String,
    },
    /// Somebody else answers it.
    #[error("{request} is not yours to answer: it is for {to}")]
    NotYours {
        request: RequestId,
        /// The one who answers.
        to: String,
    },
    /// The deadline has passed.
    #[error("{0} has expired: the answer came after its deadline and has no effect")]
    TooLate(RequestId),
    #[error(
        "{0} cannot be refused: the user wants it, or the team ends; leave your files in a sound state and agree, or you are stopped at the deadline"
    )]
    NotRefusable(RequestId),
    #[error("give a reason: the member that asked needs one")]
    NoReason,
    #[error("only the lead and the user can ask a member to shut down; ask the lead by mail")]
    OnlyLeadShutsDown,
    /// Only the user ends the lead.
    #[error("only the user ends the lead; end your turn if you have nothing left to do")]
    LeadCannotStop,
    /// It is not running.
    #[error("'{0}' is stopped already")]
    Stopped(MemberName),
    /// The lead cannot ask anew for what the user asked, or for the end of a team: that could be refused.
    #[error("'{member}' is already being shut down ({request}) and cannot refuse; it stops soon")]
    AlreadyAsked {
        member: MemberName,
        request: RequestId,
    },
    /// Only the lead and the user ask for plans.
    #[error("only the lead and the user can ask for a plan")]
    OnlyLeadWantsPlans,
    #[error("the lead needs no approved plan: it answers to the user")]
    LeadNeedsNoPlan,
    /// A plan without text.
    #[error("the plan is empty: say what you will do, step by step")]
    NoPlan,
    #[error(
        "the plan has {bytes} bytes, at most {max} are allowed; put details into a file and name it"
    )]
    PlanTooLong { bytes: usize, max: usize },
    /// A grant that is not there, is used up, or is for something else.
    #[error("{request} does not allow this: {why}")]
    NoGrant {
        request: RequestId,
        why: Cow<'static, str>,
    },
    /// The lead cannot lift a demand of the user.
    #[error("the user requires plans of '{0}', and only the user can lift that (/plan {0} off)")]
    UserRequires(MemberName),
    #[error("only the lead and the user can lift the requirement")]
    OnlyLeadLifts,
    /// A member is not given something new before it has heard the answer to its plan.
    #[error(
        "'{member}' has not read the answer to its plan ({request}) yet; that wakes it in a moment. Wait until it has done what was \
         approved, or stop it first"
    )]
    AnswerUnheard {
        member: MemberName,
        /// The plan.
        request: RequestId,
    },
    #[error(
        "mode '{asked}' is above the team's own ('{ceiling}'), which no member may exceed; nothing was answered. Approve with \
         '{ceiling}' or less, or without a mode"
    )]
    AboveCeiling {
        /// The mode that was to come with the approval.
        asked: Mode,
        /// The most that there is.
        ceiling: Mode,
    },
    /// Only the user allows things for good.
    #[error("only the user can allow something for good")]
    OnlyUserAlways,
    #[error(
        "{request} offers no rule for an always of the breadth '{asked}'; it offers {offered}. Nothing was answered"
    )]
    NotOffered {
        request: RequestId,
        asked: Breadth,
        /// The rules that there are.
        offered: String,
    },
}
