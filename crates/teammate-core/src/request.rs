//! Requests that wait for an answer: one machine for shutdown, plans and permission.
//!
//! `pending` becomes `approved`, `rejected`, `expired` or `cancelled`, once. A request is part of the journal's
//! fold, so it survives whatever happens to those who wait. What each kind means and who may answer is in a file of its own;
//! who may ask, and what a command leads to, is decided against the whole team (`team/requests.rs`). Mail about a request only
//! follows from it and decides nothing.

mod always;
mod answer;
mod command;
mod event;
mod gate;
mod kind;
mod list;
mod notice;
mod permission;
mod plan;
mod refusal;
mod rules;
mod shutdown;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use answer::Answer;
pub use command::RequestCommand;
pub use event::RequestEvent;
pub use gate::{Demand, Plan, PlanGate, PlannedWork, Requirer};
pub use kind::RequestPayload;
pub use list::Requests;
pub use notice::RequestNotice;
pub use permission::{PermissionRequest, title as permission_title};
pub use plan::{Approver, PLAN_BYTES_MAX, PlanRequest};
pub use refusal::RequestRefusal;
pub(crate) use rules::KindRules;
pub use shutdown::{End, ShutdownRequest};
pub use teammate_words::{
    digest::Digest,
    id::{RequestId, RequestIdError},
    status::{RequestKind, RequestStateKind},
};

use crate::{
    Incarnation, MemberName, Sender, Timestamp,
    breadth::{Breadth, OfferedRules},
    cause::Cause,
    mode::Mode,
    name::DeviceName,
    tool::CallId,
};

/// A request, as of some length of the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub id: RequestId,
    pub payload: RequestPayload,
    pub from: Principal,
    /// The call that asked; the same call again asks nothing new.
    pub call: Cause,
    pub opened: Timestamp,
    /// The deadline; a later answer has no effect.
    pub deadline: Option<Timestamp>,
    pub state: RequestState,
    /// True once the requester has the notice of the end.
    is_told: bool,
}

/// A member in an incarnation, the user, or the harness by a rule of the user's: one that asks or answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Principal {
    User,
    /// The harness, by a rule that the user set.
    System,
    #[serde(untagged)]
    Member {
        member: MemberName,
        incarnation: Incarnation,
    },
}

impl Principal {
    /// A member in an incarnation.
    pub fn member(member: &MemberName, incarnation: Incarnation) -> Self {
        Self::Member {
            member: member.clone(),
            incarnation,
        }
    }

    /// The member's name, if it is one.
    pub fn name(&self) -> Option<&MemberName> {
        match self {
            Self::User | Self::System => None,
            Self::Member { member, .. } => Some(member),
        }
    }

    /// The principal as the sender of mail.
    pub fn sender(&self) -> Sender {
        match self {
            Self::User => Sender::User,
            Self::System => Sender::System,
            Self::Member { member, .. } => Sender::Member(member.clone()),
        }
    }

    /// The incarnation, if it is a member.
    pub fn incarnation(&self) -> Option<Incarnation> {
        match self {
            Self::User | Self::System => None,
            Self::Member { incarnation, .. } => Some(*incarnation),
        }
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.pad("the user"),
            Self::System => f.pad("a rule of the user"),
            Self::Member { member, .. } => member.fmt(f),
        }
    }
}

/// The state of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestState {
    /// Nobody has answered yet.
    Pending,
    Approved(Approval),
    Rejected {
        by: Principal,
        because: String,
        /// The device of the user's that it came from, if it was none of its terminals.
        device: Option<DeviceName>,
    },
    /// Nobody answered in time, and that is a no.
    Expired,
    /// It no longer applies.
    Cancelled {
        why: String,
    },
}

/// A yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    pub by: Principal,
    /// A note that comes with the approval.
    pub note: String,
    /// The permission mode that it brings.
    pub mode: Option<Mode>,
    /// How much is allowed without a question from then on; `None`: nothing.
    pub always: Option<Breadth>,
    /// The request whose "always" allows this one, too.
    pub covered_by: Option<RequestId>,
    /// The device of the user's that it came from, if it was none of its terminals.
    pub device: Option<DeviceName>,
    /// Whether the one thing that it allows was done.
    pub is_used: bool,
}

impl RequestState {
    /// Which state it is.
    pub fn kind(&self) -> RequestStateKind {
        match self {
            Self::Pending => RequestStateKind::Pending,
            Self::Approved(_) => RequestStateKind::Approved,
            Self::Rejected { .. } => RequestStateKind::Rejected,
            Self::Expired => RequestStateKind::Expired,
            Self::Cancelled { .. } => RequestStateKind::Cancelled,
        }
    }

    /// The name for users and other programs.
    pub fn as_str(&self) -> &'static str {
        self.kind().as_str()
    }

    /// The device of the user's that the answer came from, if it was none of its terminals.
    pub fn device(&self) -> Option<&DeviceName> {
        match self {
            Self::Approved(approval) => approval.device.as_ref(),
            Self::Rejected { device, .. } => device.as_ref(),
            Self::Pending | Self::Expired | Self::Cancelled { .. } => None,
        }
    }

    /// The state in words, with who decided and why.
    pub fn describe(&self) -> String {
        let because = |why: &str| {
            if why.is_empty() {
                String::new()
            } else {
                format!(": {why}")
            }
        };
        match self {
            Self::Pending => "pending".to_owned(),
            Self::Approved(Approval {
                by,
                covered_by: Some(other),
                device,
                ..
            }) => format!(
                "approved by {by}{} with {other}",
                DeviceName::behind(device.as_ref())
            ),
            Self::Approved(Approval {
                by, note, device, ..
            }) => {
                format!(
                    "approved by {by}{}{}",
                    DeviceName::behind(device.as_ref()),
                    because(note)
                )
            }
            Self::Rejected {
                by,
                because: why,
                device,
            } => format!(
                "rejected by {by}{}{}",
                DeviceName::behind(device.as_ref()),
                because(why)
            ),
            Self::Expired => "expired: nobody answered in time".to_owned(),
            Self::Cancelled { why } => format!("cancelled{}", because(why)),
        }
    }
}

impl Request {
    /// Which kind it is.
    pub fn request_kind(&self) -> RequestKind {
        self.payload.name()
    }

    /// Whether it can still be answered.
    pub fn is_pending(&self) -> bool {
        self.state == RequestState::Pending
    }

    /// The one who answers, in words.
    pub fn to(&self) -> String {
        self.payload.rules().to()
    }

    /// The member whose work it concerns.
    pub fn concerns(&self) -> Option<&MemberName> {
        self.payload.rules().concerns(&self.from)
    }

    /// Whether it waits for an answer that the user can give.
    pub fn awaits_user(&self) -> bool {
        self.is_pending() && self.payload.rules().awaits_user()
    }

    /// Its state in words, with who answered and why.
    pub fn describe(&self) -> String {
        self.payload.rules().describe(&self.state)
    }

    /// A one-line summary of what is asked.
    pub fn summary(&self) -> String {
        self.payload.rules().summary()
    }

    /// Exactly what is asked: the whole plan, all that will run.
    pub fn shows(&self) -> String {
        self.payload.rules().shows()
    }

    /// The rules of which an "always" as its answer makes one.
    pub fn offers(&self) -> OfferedRules {
        self.payload.rules().offers()
    }

    /// The digest of exactly what is asked, where an answer can be bound to it: not of a shutdown.
    pub fn digest(&self) -> Option<&Digest> {
        match &self.payload {
            RequestPayload::Permission(ask) => Some(&ask.digest),
            RequestPayload::Plan(plan) => Some(&plan.digest),
            RequestPayload::Shutdown(_) => None,
        }
    }

    /// Whether it asks if this call of its member may run, made in the answer that is the member's transcript entry number `entry`.
    pub fn is_about(&self, entry: u64, call: &CallId) -> bool {
        let (
            Some(asked),
            Principal::Member {
                member,
                incarnation,
            },
        ) = (self.permission(), &self.from)
        else {
            return false;
        };
        let call = Cause::call(member, *incarnation, entry, call);
        self.call == PermissionRequest::cause(&call, &asked.digest)
    }

    /// Whether it asks for one run of a call, which uses the answer itself.
    pub(crate) fn is_for_call(&self) -> bool {
        self.payload.rules().is_for_call()
    }

    /// Whether everything that follows from it is done.
    fn is_over(&self) -> bool {
        match &self.state {
            RequestState::Pending => false,
            RequestState::Approved(approval) if self.is_for_call() => approval.is_used,
            RequestState::Approved(_)
            | RequestState::Rejected { .. }
            | RequestState::Expired
            | RequestState::Cancelled { .. } => self.is_for_call() || self.is_told,
        }
    }
}

#[cfg(test)]
mod tests;
