//! Which event may follow from a command to the requests, whatever they were like.

use crate::{
    request::{Answer, RequestCommand, RequestEvent, RequestPayload},
    team::TeamEvent,
};

impl RequestCommand {
    /// Whether this event, in the name of who asked, is what was asked for.
    pub(crate) fn may_lead_to(&self, event: &TeamEvent) -> bool {
        match event {
            TeamEvent::Request { request, change } => {
                self.may_change(change) && self.request().is_none_or(|asked| asked == *request)
            }
            TeamEvent::PlanRequired {
                member, by, call, ..
            } => {
                let required = (member, by, call);
                matches!(self, Self::RequirePlan { member, by, call } if required == (member, by, call))
            }
            TeamEvent::PlanLifted { member, by, .. } => {
                let lifted = (member, by);
                matches!(self, Self::LiftPlan { member, by } if lifted == (member, by))
            }
            _ => false,
        }
    }

    fn may_change(&self, change: &RequestEvent) -> bool {
        match self {
            Self::Open {
                kind,
                from,
                call,
                deadline,
                at: _,
            } => {
                let asked = (kind, from, call, deadline);
                matches!(change, RequestEvent::Opened { kind, from, call, deadline, .. }
                    if asked == (kind, from, call, deadline))
            }
            Self::Shutdown {
                member, from, call, ..
            } => {
                let asked = (member, from, call);
                matches!(change, RequestEvent::Opened { kind: RequestPayload::Shutdown(ask), from, call, .. }
                    if asked == (&ask.member, from, call))
            }
            Self::Answer { by, answer, .. } => match (answer, change) {
                (Answer::Approve { note, mode, always }, RequestEvent::Approved { .. }) => {
                    let asked = (by, note.trim(), mode, always);
                    matches!(change, RequestEvent::Approved { by, note, mode, always, .. }
                        if asked == (by, note.as_str(), mode, always))
                }
                (Answer::Reject { because }, RequestEvent::Rejected { .. }) => {
                    let asked = (by, because.trim());
                    matches!(change, RequestEvent::Rejected { by, because, .. }
                        if asked == (by, because.as_str()))
                }
                (Answer::Approve { .. } | Answer::Reject { .. }, _) => false,
            },
            Self::UseGrant { .. } => *change == RequestEvent::Used,
            Self::Heard { .. } => *change == RequestEvent::Heard,
            // What follows is the harness's, or no change of a request.
            Self::Expire { .. }
            | Self::Cancel { .. }
            | Self::Withdraw { .. }
            | Self::MarkNotified { .. }
            | Self::RequirePlan { .. }
            | Self::LiftPlan { .. } => false,
        }
    }
}
