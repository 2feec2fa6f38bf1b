//! A member's reason to wait, as the team knows it.

use super::TeamState;
use crate::{
    MemberName, Timestamp,
    board::{Task, TaskStatus},
    event::{Waits, WaitsOn},
    id::TaskId,
    member::{Member, MemberPhase, WaitingOn},
    status::RequestKind,
    transcript::EndReason,
};

impl TeamState {
    /// The reason why a member in this phase waits, if it waits: the phase may be newer than this team. `is_spent` says
    /// whether a turn that a limit ended ended because of a budget.
    pub fn waits(
        &self,
        member: &Member,
        phase: &MemberPhase,
        is_spent: bool,
        now: Timestamp,
    ) -> Option<Waits> {
        let on = |on| Waits {
            on,
            id: None,
            since: now,
        };
        match phase {
            MemberPhase::Starting | MemberPhase::Working | MemberPhase::Stopped => None,
            MemberPhase::Waiting(WaitingOn::Model) => Some(on(WaitsOn::Model)),
            MemberPhase::Waiting(WaitingOn::Permission) => Some(
                self.question_of(&member.name)
                    .unwrap_or_else(|| on(WaitsOn::Permission)),
            ),
            MemberPhase::Idle { why, .. } => match why {
                EndReason::Interrupted | EndReason::Failed { .. } => None,
                EndReason::Limit { .. } => is_spent.then(|| on(WaitsOn::Budget)),
                EndReason::Done => self.named_wait(member, now),
                EndReason::Waiting { .. } => self
                    .named_wait(member, now)
                    .or_else(|| Some(on(WaitsOn::Mail))),
            },
        }
    }

    /// The oldest question of a member that is open.
    fn question_of(&self, member: &MemberName) -> Option<Waits> {
        let mut open = self.requests.pending();
        let question = open.find(|request| {
            request.request_kind() == RequestKind::Permission && request.from.name() == Some(member)
        })?;
        Some(Waits {
            on: WaitsOn::Permission,
            id: Some(question.id.to_string()),
            since: question.opened,
        })
    }

    /// The named reason why a member between two turns waits: its plan, a job of it, or a task before its own.
    fn named_wait(&self, member: &Member, now: Timestamp) -> Option<Waits> {
        let plan = member.gate.pending_request().map(|plan| {
            let since = self.requests.get(plan).map_or(now, |plan| plan.opened);
            (WaitsOn::Plan, plan.to_string(), since)
        });
        let job = || {
            let job = self.jobs().running_of(&member.name).next()?;
            Some((WaitsOn::Job, job.id.to_string(), now))
        };
        let task = || {
            let task = self.task_before(&member.name)?;
            Some((WaitsOn::Task, task.number().to_string(), now))
        };
        let (on, id, since) = plan.or_else(job).or_else(task)?;
        Some(Waits {
            on,
            id: Some(id),
            since,
        })
    }

    /// The first task that must be completed before one that is assigned to the member.
    fn task_before(&self, member: &MemberName) -> Option<TaskId> {
        let is_assigned = |task: &Task| match &task.status {
            TaskStatus::Pending { assigned } => assigned.as_ref() == Some(member),
            TaskStatus::InProgress { .. }
            | TaskStatus::Completed { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => false,
        };
        let assigned = self.board.tasks().filter(|task| is_assigned(task));
        let blockers = assigned.flat_map(|task| self.board.open_blockers(task));
        blockers.into_iter().next()
    }
}
