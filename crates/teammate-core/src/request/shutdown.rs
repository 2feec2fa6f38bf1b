//! Shutdown: "please finish and stop". The lead and the user ask; the member agrees, or refuses the lead with a reason; the
//! deadline ends it whatever the member's model does. What the user asks, or the end of a team, cannot be refused.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    Answer, Principal, Request, RequestNotice, RequestPayload, RequestRefusal, RequestState,
    decide::cancelled, kind::KindRules,
};
use crate::{
    Incarnation, MemberName, MessageKind,
    member::{Member, MemberPhase},
    mode::Mode,
    team::{MessageCause, TeamEvent, TeamRefusal, TeamState},
    tool::ToolNames,
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

/// The least time that an idle member has. It agrees automatically, so no deadline must come before that.
const IDLE_WITHIN_MIN: Duration = Duration::from_secs(2);

impl Request {
    /// The payload, if it is a shutdown.
    pub fn shutdown(&self) -> Option<&ShutdownRequest> {
        let RequestPayload::Shutdown(ask) = &self.payload else {
            return None;
        };
        Some(ask)
    }

    /// Whether it asks the program that runs the team to pause and close it: the lead's shutdown, which stops no
    /// member.
    pub fn pauses_team(&self) -> bool {
        self.shutdown().is_some_and(|ask| ask.member.is_lead())
    }

    /// Whether it asks this incarnation of a member to end.
    pub(super) fn ends(&self, name: &MemberName, incarnation: Incarnation) -> bool {
        self.shutdown()
            .is_some_and(|ask| ask.member == *name && ask.incarnation == incarnation)
    }
}

impl ShutdownRequest {
    /// The request to a member, with its deadline. The one place that decides both, for every door.
    pub(super) fn of(
        team: &TeamState,
        name: &MemberName,
        reason: &str,
        within: Duration,
    ) -> (Self, Duration) {
        let member = team.member(name);
        let is_idle = |member: &Member| matches!(member.phase, MemberPhase::Idle { .. });
        // The lead does not stop: its team pauses.
        let agrees = !name.is_lead() && member.is_some_and(is_idle);
        let within = match agrees {
            true => within.max(IDLE_WITHIN_MIN),
            false => within,
        };
        let ask = Self {
            member: name.clone(),
            incarnation: member.map_or(Incarnation::FIRST, |member| member.incarnation),
            reason: reason.trim().to_owned(),
            now: within.is_zero(),
        };
        (ask, within)
    }

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

    fn replaces(&self, team: &TeamState, _from: &Principal) -> Vec<TeamEvent> {
        let asked = team.requests().shutdown_of(&self.member, self.incarnation);
        let ends = asked.map(|asked| cancelled(asked, "it was asked again"));
        ends.into_iter().collect()
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

    fn may_open(&self, team: &TeamState, from: &Principal) -> Result<(), TeamRefusal> {
        match from {
            Principal::User | Principal::System => {}
            Principal::Member { member, .. } if !member.is_lead() => {
                return Err(RequestRefusal::OnlyLeadShutsDown.into());
            }
            Principal::Member { .. } if self.member.is_lead() => {
                return Err(RequestRefusal::LeadCannotStop.into());
            }
            Principal::Member { .. } => {}
        }
        let member = team.current(&self.member, self.incarnation)?;
        if member.phase == MemberPhase::Stopped {
            return Err(RequestRefusal::Stopped(self.member.clone()).into());
        }
        let asked = team.requests().shutdown_of(&self.member, self.incarnation);
        if let Some(asked) =
            asked.filter(|asked| from.incarnation().is_some() && asked.from.incarnation().is_none())
        {
            return Err(RequestRefusal::AlreadyAsked {
                member: self.member.clone(),
                request: asked.id,
            }
            .into());
        }
        Ok(())
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
