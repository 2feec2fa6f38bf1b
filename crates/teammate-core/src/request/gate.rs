//! The plan gate: whether a member may do more than read. It opens for one plan in one life, and for nothing else.

use super::{Digest, RequestId};

/// How a member's gate stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PlanGate {
    /// No plan is wanted.
    #[default]
    Open,
    /// A plan is wanted, and none is approved.
    Closed {
        /// The one that waits for its answer.
        submitted: Option<RequestId>,
        /// The call that closed it; empty for a spawn or a plan of the member's own accord.
        call: String,
    },
    /// This plan is approved.
    Granted {
        /// By the answer to this request.
        request: RequestId,
        /// Exactly this plan.
        plan: Digest,
        /// The call that had closed the gate, as above.
        call: String,
    },
}

impl PlanGate {
    /// Closed, with nothing submitted.
    pub fn closed() -> Self {
        Self::Closed {
            submitted: None,
            call: String::new(),
        }
    }

    /// A plan was submitted: nothing but reading until it is answered, whatever was approved before.
    pub(crate) fn submits(&mut self, request: RequestId) {
        let call = match self {
            Self::Closed { call, .. } | Self::Granted { call, .. } => std::mem::take(call),
            Self::Open => String::new(),
        };
        *self = Self::Closed {
            submitted: Some(request),
            call,
        };
    }

    /// This plan is approved.
    pub(crate) fn grants(&mut self, request: RequestId, plan: Digest) {
        let call = match self {
            Self::Closed { call, .. } | Self::Granted { call, .. } => std::mem::take(call),
            Self::Open => String::new(),
        };
        *self = Self::Granted {
            request,
            plan,
            call,
        };
    }

    /// The call that closed the gate last, if one did.
    pub(crate) fn closed_by(&self) -> Option<&str> {
        match self {
            Self::Closed { call, .. } | Self::Granted { call, .. } => Some(call),
            Self::Open => None,
        }
    }

    /// The plan was not approved: another is wanted.
    pub(crate) fn returns(&mut self) {
        if let Self::Closed { submitted, .. } = self {
            *submitted = None;
        }
    }

    /// What was approved counts no more: the records about it are incomplete.
    pub(crate) fn lapse(&mut self) {
        if let Self::Granted { call, .. } = self {
            *self = Self::Closed {
                submitted: None,
                call: std::mem::take(call),
            };
        }
    }

    /// Whether a plan is approved.
    pub fn has_grant(&self) -> bool {
        match self {
            Self::Granted { .. } => true,
            Self::Open | Self::Closed { .. } => false,
        }
    }

    /// Whether only reading is allowed.
    pub fn is_closed(&self) -> bool {
        match self {
            Self::Closed { .. } => true,
            Self::Open | Self::Granted { .. } => false,
        }
    }

    /// The request that the member waits for.
    pub fn waits_for(&self) -> Option<RequestId> {
        match self {
            Self::Closed { submitted, .. } => *submitted,
            Self::Open | Self::Granted { .. } => None,
        }
    }

    /// The word for people and programs; none if no plan is wanted.
    pub fn word(&self) -> Option<&'static str> {
        match self {
            Self::Open => None,
            Self::Closed {
                submitted: None, ..
            } => Some("wanted"),
            Self::Closed {
                submitted: Some(_), ..
            } => Some("submitted"),
            Self::Granted { .. } => Some("approved"),
        }
    }

    /// What keeps the member from working, for people.
    pub fn remark(&self) -> Option<String> {
        match self {
            Self::Open | Self::Granted { .. } => None,
            Self::Closed {
                submitted: None, ..
            } => Some("only reads until its plan is approved".to_owned()),
            Self::Closed {
                submitted: Some(request),
                ..
            } => Some(format!("waiting for the answer to {request}")),
        }
    }

    /// What a call that may not run tells the model.
    pub fn refusal(&self) -> Option<String> {
        match self {
            Self::Open | Self::Granted { .. } => None,
            Self::Closed {
                submitted: None, ..
            } => Some(
                "Not run: your plan must be approved before you write, run or claim anything. Read what you need, then call \
                 submit_plan(plan: \"...\")."
                    .to_owned(),
            ),
            Self::Closed {
                submitted: Some(request),
                ..
            } => Some(format!(
                "Not run: your plan ({request}) has no answer yet, and until it is approved you may only read. End your turn; the \
                 answer wakes you."
            )),
        }
    }
}
