//! The words for a gate, for users and models.

use super::{Plan, PlanGate, Requirer};

impl PlanGate {
    /// The name for users and other programs; `None` if no plan is required.
    pub fn as_str(&self) -> Option<&'static str> {
        match self {
            Self::Open => None,
            Self::Closed { plan, .. } => Some(match plan {
                Plan::Wanted { .. } => "wanted",
                Plan::Submitted { .. } => "submitted",
                Plan::Answered { .. } => "answered",
            }),
            Self::Granted { .. } => Some("approved"),
        }
    }

    /// The reason that keeps the member from working, for the user.
    pub fn status_text(&self) -> Option<String> {
        match self {
            Self::Open | Self::Granted { .. } => None,
            Self::Closed { plan, .. } => Some(match plan {
                Plan::Wanted { .. } => match self.required_by() {
                    Some(Requirer::User) => {
                        "only reads until its plan is approved, as the user requires".to_owned()
                    }
                    Some(Requirer::Lead) | None => {
                        "only reads until its plan is approved".to_owned()
                    }
                },
                Plan::Submitted { request, .. } => format!("waiting for the answer to {request}"),
                Plan::Answered { request, .. } => {
                    format!("about to read the answer to {request}")
                }
            }),
        }
    }

    /// The outcome of a call that the gate refuses.
    pub fn refusal(&self) -> Option<String> {
        let Self::Closed { plan, .. } = self else {
            return None;
        };
        Some(match plan {
            Plan::Wanted { ended: None } => {
                "Not run: your plan must be approved before you write, run or claim anything. Read what you need, then \
                 submit a plan."
                    .to_owned()
            }
            Plan::Wanted {
                ended: Some(request),
            } => format!(
                "Not run: the approval of {request} ended with the work that it was for, and your next plan must be approved before you \
                 write, run or claim anything. Read what you need, then submit a plan."
            ),
            Plan::Submitted { request, .. } => format!(
                "Not run: your plan ({request}) has no answer yet, and until it is approved you may only read. End your turn; the \
                 answer wakes you."
            ),
            Plan::Answered { request, .. } => format!(
                "Not run: your plan ({request}) was answered, but you have not read the answer yet. You get it right after this."
            ),
        })
    }
}
