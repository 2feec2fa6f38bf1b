//! The table of the kinds of requests. What a kind decides differently from the others, it answers in its own file, through
//! [`KindRules`].

use serde::{Deserialize, Serialize};

use super::{KindRules, PermissionRequest, PlanRequest, Request, ShutdownRequest};
use crate::{Incarnation, MemberName, status::RequestKind};

/// The payload of a request, by its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RequestPayload {
    /// "Please finish and stop."
    Shutdown(ShutdownRequest),
    /// "May I do this?"
    Plan(PlanRequest),
    /// "May this call run?"
    Permission(PermissionRequest),
}

impl RequestPayload {
    /// Which kind it is.
    pub(super) fn name(&self) -> RequestKind {
        match self {
            Self::Shutdown(_) => RequestKind::Shutdown,
            Self::Plan(_) => RequestKind::Plan,
            Self::Permission(_) => RequestKind::Permission,
        }
    }

    pub(crate) fn rules(&self) -> &dyn KindRules {
        match self {
            Self::Shutdown(ask) => ask,
            Self::Plan(plan) => plan,
            Self::Permission(ask) => ask,
        }
    }
}

impl Request {
    /// The payload, if it is a permission request.
    pub fn permission(&self) -> Option<&PermissionRequest> {
        let RequestPayload::Permission(ask) = &self.payload else {
            return None;
        };
        Some(ask)
    }

    /// The payload, if it is a plan.
    pub fn plan(&self) -> Option<&PlanRequest> {
        let RequestPayload::Plan(plan) = &self.payload else {
            return None;
        };
        Some(plan)
    }

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
    pub(crate) fn ends(&self, name: &MemberName, incarnation: Incarnation) -> bool {
        self.shutdown()
            .is_some_and(|ask| ask.member == *name && ask.incarnation == incarnation)
    }
}
