//! Commands to the requests of a team.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Principal, RequestPayload};
use crate::{
    Incarnation, MemberName, Timestamp, cause::Cause, digest::Digest, id::RequestId,
    name::DeviceName, request::Answer, status::RequestKind,
};

/// Something to decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestCommand {
    /// Make one. The same call again makes nothing.
    Open {
        kind: RequestPayload,
        from: Principal,
        call: Cause,
        /// The deadline; a later answer has no effect.
        deadline: Option<Timestamp>,
        /// When, by the clock that the deadline is of.
        at: Timestamp,
    },
    /// Ask a member to shut down, in the incarnation that it is in. The same call again makes nothing.
    Shutdown {
        /// The member that is to stop; with the lead the whole team pauses.
        member: MemberName,
        from: Principal,
        call: Cause,
        /// Why; may be empty.
        reason: String,
        /// How long it has to agree. Zero: it is not asked, unless it is idle.
        within: Duration,
        at: Timestamp,
    },
    /// Answer one. The first valid answer counts.
    Answer {
        request: RequestId,
        /// The kind that the answer is meant for; `None` if it fits any, as the user's does.
        expects: Option<RequestKind>,
        /// The digest of what was seen by the one who answers; an answer to anything else is refused. `None` where that is known.
        saw: Option<Digest>,
        by: Principal,
        answer: Answer,
        /// The device of the user's that it comes from, if it is none of its terminals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<DeviceName>,
        at: Timestamp,
    },
    /// The deadline has passed.
    Expire {
        request: RequestId,
        /// The time now; nothing happens before the deadline.
        at: Timestamp,
    },
    /// It no longer applies. Ignored if it is settled.
    Cancel { request: RequestId, why: String },
    /// A call continues without the permission that it asked for: the question ends, and an unused answer too.
    Withdraw { request: RequestId },
    /// The one thing that a permission allows is about to be done.
    UseGrant {
        request: RequestId,
        member: MemberName,
        incarnation: Incarnation,
        /// The digest of exactly what.
        digest: Digest,
    },
    /// The requester has the notice of the end.
    MarkNotified { request: RequestId },
    /// Require that a member has a plan approved before it does more than read.
    RequirePlan {
        member: MemberName,
        by: Principal,
        /// By which call; the same call again changes nothing.
        call: Cause,
    },
    /// A member no longer needs an approved plan.
    LiftPlan { member: MemberName, by: Principal },
    /// A member has heard the answer to its plan. Nothing happens if that is known.
    Heard {
        request: RequestId,
        member: MemberName,
        incarnation: Incarnation,
    },
}

impl RequestCommand {
    /// Which request it is about; `None` if it makes one, or is about a member.
    pub(crate) fn request(&self) -> Option<RequestId> {
        match self {
            Self::Answer { request, .. }
            | Self::Expire { request, .. }
            | Self::Cancel { request, .. }
            | Self::Withdraw { request }
            | Self::UseGrant { request, .. }
            | Self::MarkNotified { request }
            | Self::Heard { request, .. } => Some(*request),
            Self::Open { .. }
            | Self::Shutdown { .. }
            | Self::RequirePlan { .. }
            | Self::LiftPlan { .. } => None,
        }
    }
}
