//! Shutdown: "please finish and stop". The lead and the user ask; the member agrees, or refuses the lead with a reason; the
//! deadline ends it whatever the member's model does. What the user asks, or the end of a team, cannot be refused.

use serde::{Deserialize, Serialize};

use super::{
    Answer, Principal, Request, RequestNotice, RequestRefusal, RequestState, rules::KindRules,
};
use crate::{
    Incarnation, MemberName, MessageKind, message_cause::MessageCause, mode::Mode, tool::ToolNames,
};

/// A request to a member to stop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShutdownRequest {
    pub member: MemberName,
    /// In which incarnation; a later one is not meant.
    pub incarnation: Incarnation,
    /// Why; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Whether it is stopped at once, without being asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub now: bool,
}

/// How a member came to its end by a shutdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// In a few words, such as "agreed to shut down".
    pub how: String,
    /// As a sentence that the member's name begins, without a full stop.
    pub sentence: String,
}

impl ShutdownRequest {
    /// How the member stopped; `None` if it continues.
    pub fn end(&self, request: &Request) -> Option<End> {
        let (how, sentence) = match &request.state {
            RequestState::Approved(approval) => {
                let note = match approval.note.as_str() {
                    "" => String::new(),
                    note => format!(": {note}"),
                };
                (
                    format!("agreed to shut down{note}"),
                    format!("agreed to shut down and is stopped{note}"),
                )
            }
            RequestState::Expired if self.now => (
                "at once, without being asked".to_owned(),
                "was stopped at once, without being asked".to_owned(),
            ),
            RequestState::Expired => (
                "did not agree in time".to_owned(),
                "was stopped at the deadline, without agreeing".to_owned(),
            ),
            RequestState::Pending
            | RequestState::Rejected { .. }
            | RequestState::Cancelled { .. } => return None,
        };
        Some(End { how, sentence })
    }
}

impl KindRules for ShutdownRequest {
    fn to(&self) -> String {
        self.member.to_string()
    }

    fn awaits_user(&self) -> bool {
        false
    }

    fn concerns<'a>(&'a self, _from: &'a Principal) -> Option<&'a MemberName> {
        Some(&self.member)
    }

    fn describe(&self, state: &RequestState) -> String {
        match state {
            RequestState::Expired if self.now => {
                "expired: it was stopped at once, without being asked".to_owned()
            }
            RequestState::Expired => "expired: it did not agree in time".to_owned(),
            RequestState::Pending
            | RequestState::Approved(_)
            | RequestState::Rejected { .. }
            | RequestState::Cancelled { .. } => state.describe(),
        }
    }

    /// The program that runs the team agrees to pause it, whenever it hears of that.
    fn takes_late_answers(&self) -> bool {
        self.member.is_lead()
    }

    fn summary(&self) -> String {
        let Self { member, reason, .. } = self;
        if member.is_lead() {
            return "pause the whole team".to_owned();
        }
        if reason.is_empty() {
            format!("shut down {member}")
        } else {
            format!("shut down {member}: {reason}")
        }
    }

    fn may_answer(
        &self,
        request: &Request,
        by: &Principal,
        answer: &Answer,
    ) -> Result<(), RequestRefusal> {
        if *by != Principal::member(&self.member, self.incarnation) {
            return Err(RequestRefusal::NotYours {
                request: request.id,
                to: format!("{}, who answers it", self.member),
            });
        }
        match answer {
            Answer::Approve { .. } => Ok(()),
            Answer::Reject { .. } if request.from.incarnation().is_none() => {
                Err(RequestRefusal::NotRefusable(request.id))
            }
            Answer::Reject { because } if because.trim().is_empty() => {
                Err(RequestRefusal::NoReason)
            }
            Answer::Reject { .. } => Ok(()),
        }
    }

    /// A member that works hears it between two calls of its model. An idle one agrees automatically.
    fn opened(&self, request: &Request, names: &ToolNames) -> Option<RequestNotice> {
        if self.now || self.member.is_lead() {
            return None;
        }
        let (id, respond) = (request.id, names.of("respond_shutdown"));
        let reason = if self.reason.is_empty() {
            String::new()
        } else {
            format!(" Reason: {}.", self.reason)
        };
        let refuse = match &request.from {
            Principal::User | Principal::System => String::new(),
            Principal::Member { .. } => format!(
                " If you cannot stop now, call {respond}(request_id: \"{id}\", approve: false, reason: \"...\")."
            ),
        };
        let until = request.deadline.map_or_else(String::new, |deadline| {
            let seconds = deadline.millis_since(request.opened) / 1000;
            format!(" You are stopped in any case {seconds} seconds after the request.")
        });
        Some(RequestNotice {
            cause: MessageCause::Opened(request.id),
            to: self.member.clone(),
            to_incarnation: Some(self.incarnation),
            kind: MessageKind::ShutdownRequest,
            from: request.from.clone(),
            content: format!(
                "{} asks you to shut down ({id}).{reason} Leave your files in a sound state, then call \
                 {respond}(request_id: \"{id}\", approve: true): your loop ends at once and your transcript is kept.{refuse}{until}",
                request.from
            ),
            wakes: false,
            approve: None,
        })
    }

    /// The requester gets a notice of a no. A yes is reported with the end that follows from it.
    fn settled(
        &self,
        request: &Request,
        _ceiling: Mode,
        names: &ToolNames,
    ) -> Option<RequestNotice> {
        let to = request.from.name()?.clone();
        let RequestState::Rejected { because, .. } = &request.state else {
            return None;
        };
        let content = format!(
            "refused to shut down ({}): {because}. {}(name: \"{}\", now: true) stops it without asking.",
            request.id,
            names.of("request_shutdown"),
            self.member
        );
        Some(RequestNotice {
            cause: MessageCause::Settled(request.id),
            to,
            to_incarnation: None,
            kind: MessageKind::ShutdownResponse,
            from: Principal::member(&self.member, self.incarnation),
            content,
            wakes: true,
            approve: Some(false),
        })
    }
}
