//! The plan gate: whether a member may do more than read.
//!
//! It closes when a plan is required and opens for one approved plan, one incarnation and one piece of
//! work. After that work it closes again, until the requirer lifts the requirement. A closed gate
//! opens in two ways only: its author has heard that the plan is approved, or the requirement is
//! lifted.

mod demand;
mod text;

pub use demand::{Demand, Requirer};

use super::Approver;
use crate::{
    cause::Cause,
    digest::Digest,
    id::{RequestId, TaskId},
};

/// The piece of work that a plan is for. It belongs to the incarnation that submitted the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedWork {
    /// The member's latest assignment.
    Assignment,
    /// The author's task in progress.
    Task(TaskId),
}

/// How far a member with a closed gate is with its plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// None waits for an answer.
    Wanted {
        /// The plan that was approved before, if its work is over.
        ended: Option<RequestId>,
    },
    /// One waits for its answer.
    Submitted {
        request: RequestId,
        work: PlannedWork,
    },
    /// One was answered, but its author has not heard the answer: nothing follows from it before.
    Answered {
        request: RequestId,
        work: PlannedWork,
        /// The plan, if it was approved.
        approved: Option<Digest>,
    },
}

/// Whether a member may do more than read: the state of its plan gate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PlanGate {
    /// No plan is required.
    #[default]
    Open,
    /// The member only reads, and talks with the team.
    Closed {
        /// For how long plans are required.
        demand: Demand,
        /// How far it is with one.
        plan: Plan,
    },
    /// This plan is approved, and its author knows.
    Granted {
        /// For how long plans are required: what comes after this one.
        demand: Demand,
        /// Approved by the answer to this request.
        request: RequestId,
        plan: Digest,
        work: PlannedWork,
    },
}

/// The changes of a gate. Each is called by the fold of one kind of event.
impl PlanGate {
    /// The gate of a member that begins an incarnation under this requirement.
    pub(crate) fn begun(demand: Option<Demand>) -> Self {
        demand.map_or(Self::Open, |demand| Self::Closed {
            demand,
            plan: Plan::Wanted { ended: None },
        })
    }

    /// Plans are required from now on; what was approved before counts no more. What the user requires stays the user's.
    pub(crate) fn requires(&mut self, by: Requirer, call: &Cause) {
        let by = self.required_by().map_or(by, |before| before.max(by));
        let waiting = self.plan().cloned();
        *self = Self::Closed {
            demand: Demand::Standing {
                by,
                call: Some(call.clone()),
            },
            plan: match waiting {
                Some(waiting @ Plan::Submitted { .. }) => waiting,
                Some(Plan::Wanted { .. } | Plan::Answered { .. }) | None => {
                    Plan::Wanted { ended: None }
                }
            },
        };
    }

    /// Plans are no longer required.
    pub(crate) fn lifts(&mut self) {
        *self = Self::Open;
    }

    /// A plan was submitted: nothing but reading until it is answered, whatever was approved before.
    pub(crate) fn submit(&mut self, request: RequestId, work: PlannedWork, approver: Approver) {
        let demand = match std::mem::take(self) {
            Self::Open => Demand::Once(approver.into()),
            Self::Closed { demand, .. } | Self::Granted { demand, .. } => demand,
        };
        *self = Self::Closed {
            demand,
            plan: Plan::Submitted { request, work },
        };
    }

    /// The plan that waits was answered: with its digest if it was approved.
    pub(crate) fn answer(&mut self, answered: RequestId, verdict: Option<Digest>) {
        if let Self::Closed { plan, .. } = self
            && let Plan::Submitted { request, work } = *plan
            && request == answered
        {
            *plan = Plan::Answered {
                request,
                work,
                approved: verdict,
            };
        }
    }

    /// The author has heard the answer. An approval opens the gate.
    pub(crate) fn hears(&mut self, heard: RequestId) {
        if self.unheard() != Some(heard) {
            return;
        }
        *self = match std::mem::take(self) {
            Self::Closed {
                demand,
                plan:
                    Plan::Answered {
                        request,
                        work,
                        approved: Some(plan),
                    },
            } => Self::Granted {
                demand,
                request,
                plan,
                work,
            },
            Self::Closed { demand, .. } => Self::Closed {
                demand,
                plan: Plan::Wanted { ended: None },
            },
            other @ (Self::Open | Self::Granted { .. }) => other,
        };
    }

    /// The pending plan was cancelled, or has expired.
    pub(crate) fn withdraws(&mut self, withdrawn: RequestId) {
        if self.pending_request() == Some(withdrawn)
            && let Self::Closed { plan, .. } = self
        {
            *plan = Plan::Wanted { ended: None };
        }
    }

    /// A turn ended with a result, or the member starts another task: the approved work is over.
    pub(crate) fn grant_ends(&mut self) {
        *self = match std::mem::take(self) {
            Self::Granted {
                demand: Demand::Once(_),
                ..
            } => Self::Open,
            Self::Granted {
                demand, request, ..
            } => Self::Closed {
                demand,
                plan: Plan::Wanted {
                    ended: Some(request),
                },
            },
            other @ (Self::Open | Self::Closed { .. }) => other,
        };
    }

    /// A task is out of the member's hands: what was approved, or waits to be, for that task is over.
    pub(crate) fn task_ends(&mut self, task: TaskId) {
        let over = PlannedWork::Task(task);
        match self {
            Self::Granted { work, .. } if *work == over => self.grant_ends(),
            Self::Closed { plan, .. } => match plan {
                Plan::Submitted { work, .. } | Plan::Answered { work, .. } if *work == over => {
                    *plan = Plan::Wanted { ended: None };
                }
                Plan::Wanted { .. } | Plan::Submitted { .. } | Plan::Answered { .. } => {}
            },
            Self::Open | Self::Granted { .. } => {}
        }
    }

    /// The member's incarnation ends, and its grant and unheard answer with it.
    pub(crate) fn incarnation_ends(&mut self) {
        self.grant_ends();
        if let Self::Closed { plan, .. } = self {
            *plan = Plan::Wanted { ended: None };
        }
    }

    /// Ends what was approved, heard or not: the records about it are incomplete.
    pub(crate) fn lapse(&mut self) {
        *self = match std::mem::take(self) {
            Self::Granted {
                demand, request, ..
            } => Self::Closed {
                demand,
                plan: Plan::Wanted {
                    ended: Some(request),
                },
            },
            Self::Closed {
                demand,
                plan: Plan::Answered { .. },
            } => Self::Closed {
                demand,
                plan: Plan::Wanted { ended: None },
            },
            other @ (Self::Open | Self::Closed { .. }) => other,
        };
    }

    /// The demand that holds in the next incarnation. A plan that was submitted unasked and not approved binds only a member
    /// that remembers it.
    pub(crate) fn inherited(&self, fresh: bool) -> Option<Demand> {
        match self {
            Self::Open => None,
            Self::Closed { demand, .. } if !fresh => Some(demand.clone()),
            Self::Closed { demand, .. } | Self::Granted { demand, .. } => {
                demand.permanent_requirer().map(Demand::of)
            }
        }
    }
}

impl PlanGate {
    /// For how long plans are required; nothing, if none is.
    pub fn demand(&self) -> Option<&Demand> {
        match self {
            Self::Open => None,
            Self::Closed { demand, .. } | Self::Granted { demand, .. } => Some(demand),
        }
    }

    /// The one who requires a plan for every piece of work.
    pub fn required_by(&self) -> Option<Requirer> {
        self.demand().and_then(Demand::permanent_requirer)
    }

    fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Closed { plan, .. } => Some(plan),
            Self::Open | Self::Granted { .. } => None,
        }
    }

    /// The call that required a plan last, if one did.
    pub(crate) fn closed_by_cause(&self) -> Option<&Cause> {
        match self.demand()? {
            Demand::Standing { call, .. } => call.as_ref(),
            Demand::Once(_) => None,
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
    pub fn pending_request(&self) -> Option<RequestId> {
        match self.plan()? {
            Plan::Submitted { request, .. } => Some(*request),
            Plan::Wanted { .. } | Plan::Answered { .. } => None,
        }
    }

    /// The plan for this work that waits for its answer.
    pub(crate) fn submitted_for(&self, asked: PlannedWork) -> Option<RequestId> {
        match self.plan()? {
            Plan::Submitted { request, work } if *work == asked => Some(*request),
            Plan::Wanted { .. } | Plan::Submitted { .. } | Plan::Answered { .. } => None,
        }
    }

    /// The request whose answer the member has not heard.
    pub fn unheard(&self) -> Option<RequestId> {
        match self.plan()? {
            Plan::Answered { request, .. } => Some(*request),
            Plan::Wanted { .. } | Plan::Submitted { .. } => None,
        }
    }

    /// Whether the member claims tasks from the board automatically: not before its approved work is done.
    pub fn lets_take(&self) -> bool {
        *self == Self::Open
    }

    /// Whether the member is reminded of the task in its hand: not while an answer is on its way.
    pub fn lets_remind(&self) -> bool {
        self.pending_request().or(self.unheard()).is_none()
    }
}
