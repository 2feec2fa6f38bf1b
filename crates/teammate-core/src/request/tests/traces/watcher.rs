//! The rules of the plan gate in another form: not a state machine, but questions about a member's past.

use super::*;

/// What happened to a member, as far as its plans are concerned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Past {
    /// It began an incarnation; with its memory or without.
    Spawned { fresh: bool },
    /// Plans are required from now on.
    Required { by_user: bool },
    /// Plans are no longer required.
    Lifted,
    /// It submitted a plan, with this task in progress.
    Submitted { id: u64, task: Option<TaskId> },
    /// One who may has approved it.
    Approved { id: u64 },
    /// It heard the answer.
    Heard,
    /// A turn ended with a result.
    Result,
    /// It took a task.
    Claimed,
    /// It no longer has a task in progress.
    Lost(TaskId),
    /// Its incarnation ended.
    Stopped,
}

/// Where a plan was submitted, as which request, with which task in progress.
type LastPlan = (usize, u64, Option<TaskId>);

/// A member's past.
#[derive(Debug, Clone, Default)]
pub(super) struct Story(Vec<Past>);

impl Story {
    pub(super) fn happens(&mut self, what: Past) {
        self.0.push(what);
    }

    /// Whether somebody requires plans; whether that is the user.
    pub(super) fn required(&self) -> Option<bool> {
        let mut required = None;
        for past in &self.0 {
            match past {
                Past::Required { by_user } => {
                    required = Some(required.unwrap_or(false) || *by_user);
                }
                Past::Lifted => required = None,
                _ => {}
            }
        }
        required
    }

    /// Whether it may do more than read.
    pub(super) fn may_write(&self) -> bool {
        self.has_grant() || (self.required().is_none() && !self.is_bound_unasked())
    }

    /// Whether the last plan was approved and heard, and its work is not over.
    pub(super) fn has_grant(&self) -> bool {
        self.last_plan()
            .is_some_and(|plan| has_grant(plan, &self.0))
    }

    /// Whether the last plan was answered and its author has no notice yet.
    pub(super) fn is_to_hear(&self) -> bool {
        let Some((at, id, task)) = self.last_plan() else {
            return false;
        };
        let after = &self.0[at + 1..];
        let approved = after.iter().position(|past| *past == Past::Approved { id });
        approved.is_some_and(|approved| {
            !after[approved..].iter().any(|past| match past {
                Past::Heard | Past::Required { .. } | Past::Spawned { .. } | Past::Stopped => true,
                Past::Lifted => true,
                Past::Lost(lost) => Some(*lost) == task,
                _ => false,
            })
        })
    }

    /// Whether it submitted a plan unasked that was never carried out.
    fn is_bound_unasked(&self) -> bool {
        let Some(plan) = self.last_plan() else {
            return false;
        };
        // It was carried out if it was in force at the moment at which it was heard.
        let after = &self.0[plan.0..];
        let heard = after.iter().position(|past| *past == Past::Heard);
        let was_granted = heard.is_some_and(|heard| has_grant(plan, &self.0[..=plan.0 + heard]));
        let is_over = |past: &Past| matches!(past, Past::Lifted | Past::Spawned { fresh: true });
        self.required().is_none() && !was_granted && !after.iter().any(is_over)
    }

    fn last_plan(&self) -> Option<LastPlan> {
        let mut plans = self.0.iter().enumerate().rev();
        plans.find_map(|(at, past)| match past {
            Past::Submitted { id, task } => Some((at, *id, *task)),
            _ => None,
        })
    }
}

/// Whether that plan was approved and heard by the end of this past, and its work was not over then.
fn has_grant((at, id, task): LastPlan, past: &[Past]) -> bool {
    let after = &past[at + 1..];
    let Some(approved) = after.iter().position(|past| *past == Past::Approved { id }) else {
        return false;
    };
    let Some(heard) = after.iter().position(|past| *past == Past::Heard) else {
        return false;
    };
    let ends_waiting = |past: &Past| match past {
        Past::Lost(lost) => Some(*lost) == task,
        Past::Spawned { .. } | Past::Stopped | Past::Lifted => true,
        _ => false,
    };
    let ends_answered = |past: &Past| ends_waiting(past) || matches!(past, Past::Required { .. });
    let ends_granted =
        |past: &Past| ends_answered(past) || matches!(past, Past::Result | Past::Claimed);
    !after[..approved].iter().any(ends_waiting)
        && !after[approved..heard].iter().any(ends_answered)
        && !after[heard..].iter().any(ends_granted)
}
