//! Plans: "may I do this?". A member submits one; lead, user or a rule of the user's answers, with feedback and possibly a
//! permission mode. Until exactly this plan is approved the member may only read (`gate`).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Answer, Principal, Request, RequestNotice, RequestRefusal, RequestState,
    rules::{KindRules, beginning},
};
use crate::{
    MemberName, MessageKind, cause::Cause, digest::Digest, id::RequestId,
    message_cause::MessageCause, mode::Mode, tool::ToolNames,
};

/// The most bytes a plan may have.
pub const PLAN_BYTES_MAX: usize = 100 * 1024;

/// A plan that waits for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanRequest {
    /// The work that the member plans.
    pub text: String,
    /// Of exactly this text; what is approved.
    pub digest: Digest,
    pub approver: Approver,
}

/// The approver of plans.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Approver {
    /// The lead; the user may, too.
    #[default]
    Lead,
    /// The user only.
    User,
    /// A command that the user chose; the user may, too.
    Rule,
}

impl fmt::Display for Approver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Lead => "the lead",
            Self::User => "the user",
            Self::Rule => "a rule of the user",
        })
    }
}

impl PlanRequest {
    /// The cause of what the user's plan check does about this request.
    pub fn check_cause(request: RequestId) -> Cause {
        Cause::from(format!("rule/{request}"))
    }
}

impl KindRules for PlanRequest {
    fn to(&self) -> String {
        self.approver.to_string()
    }

    fn awaits_user(&self) -> bool {
        self.approver == Approver::User
    }

    fn shows(&self) -> String {
        self.text.clone()
    }

    fn awaits_hearing(&self) -> bool {
        true
    }

    fn summary(&self) -> String {
        let line = self.text.lines().find(|line| !line.trim().is_empty());
        let line = line.unwrap_or_default().trim();
        format!("plan: {}", beginning(line, self.text.trim()))
    }

    fn may_answer(
        &self,
        request: &Request,
        by: &Principal,
        answer: &Answer,
    ) -> Result<(), RequestRefusal> {
        let may = match (by, self.approver) {
            (Principal::User, _) | (Principal::System, Approver::Rule | Approver::User) => true,
            (Principal::Member { member, .. }, Approver::Lead) => member.is_lead(),
            (Principal::System, Approver::Lead)
            | (Principal::Member { .. }, Approver::User | Approver::Rule) => false,
        };
        if !may {
            return Err(RequestRefusal::NotYours {
                request: request.id,
                to: self.approver.to_string(),
            });
        }
        match answer {
            Answer::Approve {
                always: Some(_), ..
            } if *by != Principal::User => Err(RequestRefusal::OnlyUserAlways),
            Answer::Approve { .. } => Ok(()),
            Answer::Reject { because } if because.trim().is_empty() && *by != Principal::User => {
                Err(RequestRefusal::NoReason)
            }
            Answer::Reject { .. } => Ok(()),
        }
    }

    /// The lead hears the whole plan and how to answer.
    fn opened(&self, request: &Request, names: &ToolNames) -> Option<RequestNotice> {
        let id = request.id;
        match self.approver {
            Approver::Lead => Some(RequestNotice {
                cause: MessageCause::Opened(request.id),
                to: MemberName::lead(),
                to_incarnation: None,
                kind: MessageKind::PlanApprovalRequest,
                from: request.from.clone(),
                content: format!(
                    "{}\n\n(Answer with {}(request_id: \"{id}\", approve: true or false, feedback: \"...\"). Until then {} only reads.)",
                    self.text.trim_end(),
                    names.of("review_plan"),
                    request.from
                ),
                wakes: true,
                approve: None,
            }),
            Approver::User | Approver::Rule => None,
        }
    }

    /// The answer, which wakes the member. Names a new mode as it applies under `ceiling`.
    fn settled(
        &self,
        request: &Request,
        ceiling: Mode,
        names: &ToolNames,
    ) -> Option<RequestNotice> {
        let to = request.from.name()?.clone();
        let (by, content, approve) = match &request.state {
            RequestState::Approved(approval) => (
                approval.by.clone(),
                approved(request, &approval.note, approval.mode, ceiling, names),
                true,
            ),
            RequestState::Rejected { by, because, .. } => {
                (by.clone(), rejected(request, because, names), false)
            }
            RequestState::Expired => (
                Principal::System,
                rejected(request, "nobody answered in time, so it is denied", names),
                false,
            ),
            RequestState::Pending | RequestState::Cancelled { .. } => return None,
        };
        Some(RequestNotice {
            cause: MessageCause::Settled(request.id),
            to,
            to_incarnation: request.from.incarnation(),
            kind: MessageKind::PlanApprovalResponse,
            from: by,
            content,
            wakes: true,
            approve: Some(approve),
        })
    }
}

fn approved(
    request: &Request,
    note: &str,
    mode: Option<Mode>,
    ceiling: Mode,
    names: &ToolNames,
) -> String {
    let idle = names.of("idle");
    let feedback = if note.is_empty() {
        String::new()
    } else {
        format!(" Feedback: {note}")
    };
    let mode = mode.map_or_else(String::new, |mode| {
        format!(" Your permission mode is now '{}'.", mode.min(ceiling))
    });
    format!(
        "[Plan approved] ({}) Do exactly what it says; anything else needs another plan. The approval ends with this work: with its task, or with your turn. If you must wait for something before you are done, call {idle} and say what you wait for.{mode}{feedback}",
        request.id
    )
}

fn rejected(request: &Request, because: &str, names: &ToolNames) -> String {
    let feedback = if because.is_empty() {
        "(no feedback)"
    } else {
        because
    };
    format!(
        "[Plan rejected] ({}) Feedback: {feedback}\nYou may still only read. Change the plan and call {} again.",
        request.id,
        names.of("submit_plan")
    )
}
