//! Permission: "may this call run?". Asked by the gate on behalf of a member, answered by the user, or by the lead within the
//! ceiling that the user set. A yes allows exactly one run of exactly this action.

mod title;

use serde::{Deserialize, Serialize};

pub use self::title::title;
use super::{
    Answer, Principal, Request, RequestNotice, RequestRefusal, RequestState, rules::KindRules,
};
use crate::{
    Incarnation, MemberName, MessageKind, breadth::OfferedRules, cause::Cause, digest::Digest,
    message_cause::MessageCause, permission::Touches, tool::ToolNames,
};

/// A call that waits for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PermissionRequest {
    pub tool: String,
    /// Exactly what will happen, whole.
    pub shows: String,
    /// Of the tool, the place and the action; what is allowed.
    pub digest: Digest,
    /// The rules of which an "always" makes one. Records of older versions have at most the exact one.
    #[serde(flatten)]
    pub rules: Box<OfferedRules>,
    /// Whether the lead may answer, too: it is within the ceiling that the user set.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lead_may: bool,
    /// Why it is asked, in words: a rule, the mode, the place. Empty in records of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
    /// The reach of the action, as far as it was read. Nothing in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touches: Option<Box<Touches>>,
}

impl PermissionRequest {
    /// Why it is asked, and what it would reach, as far as that is known: each with its name for people.
    pub fn reasons(&self) -> Vec<(&'static str, String)> {
        let list = |of: fn(&Touches) -> &Vec<String>| {
            let places = self.touches.as_ref().map(|touches| of(touches).join(", "));
            places.unwrap_or_default()
        };
        let mut reasons = vec![
            ("asked because", self.because.clone()),
            ("reads", list(|touches| &touches.reads)),
            ("writes", list(|touches| &touches.writes)),
            ("network", list(|touches| &touches.network)),
        ];
        reasons.retain(|(_, text)| !text.is_empty());
        reasons
    }
}

impl PermissionRequest {
    /// The cause of the question whether `call` may do what has this digest.
    pub fn cause(call: &Cause, digest: &Digest) -> Cause {
        call.part(digest.short())
    }

    /// Whether an approval of this request allows exactly this, once.
    pub(crate) fn may_use(
        &self,
        request: &Request,
        member: &MemberName,
        incarnation: Incarnation,
        digest: &Digest,
    ) -> Result<(), RequestRefusal> {
        let no = |why: &'static str| {
            Err(RequestRefusal::NoGrant {
                request: request.id,
                why: why.into(),
            })
        };
        match &request.state {
            RequestState::Approved(approval) if approval.is_used => no("it was already used"),
            RequestState::Approved(_) if request.from != Principal::member(member, incarnation) => {
                no("it was given to another")
            }
            RequestState::Approved(_) if self.digest != *digest => {
                no("it was given for something else")
            }
            RequestState::Approved(_) => Ok(()),
            RequestState::Pending => no("nobody has answered yet"),
            RequestState::Rejected { .. }
            | RequestState::Expired
            | RequestState::Cancelled { .. } => no("it was not given"),
        }
    }
}

impl KindRules for PermissionRequest {
    fn to(&self) -> String {
        let to = if self.lead_may {
            "the user or the lead"
        } else {
            "the user"
        };
        to.to_owned()
    }

    fn awaits_user(&self) -> bool {
        true
    }

    fn shows(&self) -> String {
        self.shows.clone()
    }

    fn offers(&self) -> OfferedRules {
        OfferedRules::clone(&self.rules)
    }

    fn is_for_call(&self) -> bool {
        true
    }

    fn summary(&self) -> String {
        title(&self.tool, &self.shows, self.touches.as_deref())
    }

    fn may_answer(
        &self,
        request: &Request,
        by: &Principal,
        answer: &Answer,
    ) -> Result<(), RequestRefusal> {
        let is_askers = request.from.name() == by.name() && by.name().is_some();
        let may = match by {
            Principal::User => true,
            Principal::System => false,
            Principal::Member { member, .. } => self.lead_may && member.is_lead() && !is_askers,
        };
        if !may {
            return Err(RequestRefusal::NotYours {
                request: request.id,
                to: request.to(),
            });
        }
        match answer {
            Answer::Approve {
                always: Some(_), ..
            } if *by != Principal::User => Err(RequestRefusal::OnlyUserAlways),
            Answer::Approve { .. } | Answer::Reject { .. } => Ok(()),
        }
    }

    /// The lead hears of what it may answer; the user sees all on the screen.
    fn opened(&self, request: &Request, names: &ToolNames) -> Option<RequestNotice> {
        if !self.lead_may || request.from.name().is_none_or(MemberName::is_lead) {
            return None;
        }
        let id = request.id;
        Some(RequestNotice {
            cause: MessageCause::Opened(request.id),
            to: MemberName::lead(),
            to_incarnation: None,
            kind: MessageKind::PermissionRequest,
            from: request.from.clone(),
            content: format!(
                "wants to use {}:\n{}\n\n(Answer with {}(request_id: \"{id}\", allow: true or false, because: \"...\"); the user may \
                 answer first.)",
                names.of(&self.tool),
                self.shows,
                names.of("answer_permission")
            ),
            wakes: true,
            approve: None,
        })
    }
}
