//! How a task ends: done, not done after all, given up, taken off.

use super::{Events, event, not_yours, truncated, wrong_status};
use crate::{
    Sender,
    board::{Actor, CHECK_FAILURES_MAX, TaskRefusal, TaskStatus},
    id::TaskId,
    task::{Evidence, TaskEvent},
    team::TeamState,
};

impl TeamState {
    pub(super) fn complete_task(
        &self,
        by: &Actor,
        id: TaskId,
        result: &str,
        verified: Option<&Evidence>,
    ) -> Events {
        let task = self.existing_task(id)?;
        if let Actor::Member(name, _) = by
            && self
                .member(name)
                .is_some_and(|member| member.gate.is_closed())
        {
            return Err(TaskRefusal::NeedsPlan.into());
        }
        match &task.status {
            TaskStatus::Completed { by: earlier, .. }
                if *earlier == by.sender() || by.is_lead_or_user() =>
            {
                return Ok(Vec::new());
            }
            TaskStatus::InProgress { .. } => self.must_own(by, task)?,
            TaskStatus::Pending { .. } if by.is_lead_or_user() => {}
            TaskStatus::Pending { .. } => {
                return Err(wrong_status(task, "completed", "; claim it first").into());
            }
            TaskStatus::Completed { .. } => return Err(not_yours(task).into()),
            TaskStatus::Failed { .. } | TaskStatus::Deleted => {
                return Err(wrong_status(task, "completed", "; the lead can reopen it").into());
            }
        }
        self.must_be_free(task, "completed")?;
        if let Some(check) = &task.check
            && verified.map(|run| &run.check) != Some(check)
        {
            return Err(TaskRefusal::Unverified {
                task: id,
                check: check.clone(),
            }
            .into());
        }
        let completed = TaskEvent::Completed {
            by: by.sender(),
            result: truncated(result),
            // A run of anything but the check shows nothing.
            evidence: verified
                .filter(|run| task.check.as_ref() == Some(&run.check))
                .map(|run| Box::new(run.clone())),
        };
        Ok(vec![event(id, completed)])
    }

    pub(super) fn check_failed(&self, by: &Actor, id: TaskId, output: &str) -> Events {
        let task = self.existing_task(id)?;
        let TaskStatus::InProgress { checks, .. } = &task.status else {
            return Ok(Vec::new());
        };
        self.must_own(by, task)?;
        let failed = TaskEvent::CheckFailed {
            by: by.sender(),
            output: truncated(output),
        };
        let mut events = vec![event(id, failed)];
        if checks + 1 >= CHECK_FAILURES_MAX {
            let why = format!(
                "its check failed {CHECK_FAILURES_MAX} times; the last time: {}",
                truncated(output)
            );
            events.push(event(
                id,
                TaskEvent::Failed {
                    by: Sender::System,
                    why,
                },
            ));
        }
        Ok(events)
    }

    pub(super) fn fail_task(&self, by: &Actor, id: TaskId, why: &str) -> Events {
        let task = self.existing_task(id)?;
        match &task.status {
            TaskStatus::Failed { .. } => return Ok(Vec::new()),
            TaskStatus::InProgress { .. } => self.must_own(by, task)?,
            TaskStatus::Pending { .. } => {
                self.must_lead(by, "fail a task that is not in progress")?;
            }
            TaskStatus::Completed { .. } | TaskStatus::Deleted => {
                return Err(wrong_status(task, "failed", "").into());
            }
        }
        let failed = TaskEvent::Failed {
            by: by.sender(),
            why: truncated(why),
        };
        Ok(vec![event(id, failed)])
    }

    pub(super) fn delete_task(&self, by: &Actor, id: TaskId) -> Events {
        self.must_lead(by, "delete tasks")?;
        let task = self.known_task(id)?;
        if task.status == TaskStatus::Deleted {
            return Ok(Vec::new());
        }
        Ok(vec![event(
            id,
            TaskEvent::Deleted {
                by: by.sender(),
                had: task.holder().cloned(),
            },
        )])
    }
}
