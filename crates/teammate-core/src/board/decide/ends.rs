//! How a task ends: done, not done after all, given up, taken off.

use super::{Events, cut, event, not_yours, status};
use crate::{
    Sender,
    board::{By, CHECKS_MAX, State, TaskEvent, TaskId, TaskRefusal},
    team::Team,
};

impl Team {
    pub(super) fn complete_task(
        &self,
        by: &By,
        id: TaskId,
        result: &str,
        verified: Option<&str>,
    ) -> Events {
        let task = self.living_task(id)?;
        if let By::Member(name, _) = by
            && self
                .member(name)
                .is_some_and(|member| member.gate.is_closed())
        {
            return Err(TaskRefusal::NeedsPlan.into());
        }
        match &task.state {
            State::Completed { by: earlier, .. } if *earlier == by.sender() || by.leads() => {
                return Ok(Vec::new());
            }
            State::InProgress { .. } => self.must_own(by, task)?,
            State::Pending { .. } if by.leads() => {}
            State::Pending { .. } => {
                return Err(status(task, "completed", "; claim it first").into());
            }
            State::Completed { .. } => return Err(not_yours(task).into()),
            State::Failed { .. } | State::Deleted => {
                return Err(status(task, "completed", "; the lead can reopen it").into());
            }
        }
        self.must_be_free(task, "completed")?;
        if let Some(check) = &task.check
            && verified != Some(check)
        {
            return Err(TaskRefusal::Unverified {
                task: id,
                check: check.clone(),
            }
            .into());
        }
        let completed = TaskEvent::Completed {
            by: by.sender(),
            result: cut(result),
        };
        Ok(vec![event(id, completed)])
    }

    pub(super) fn check_failed(&self, by: &By, id: TaskId, output: &str) -> Events {
        let task = self.living_task(id)?;
        let State::InProgress { checks, .. } = &task.state else {
            return Ok(Vec::new());
        };
        self.must_own(by, task)?;
        let failed = TaskEvent::CheckFailed {
            by: by.sender(),
            output: cut(output),
        };
        let mut events = vec![event(id, failed)];
        if checks + 1 >= CHECKS_MAX {
            let why = format!(
                "its check failed {CHECKS_MAX} times; the last time: {}",
                cut(output)
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

    pub(super) fn fail_task(&self, by: &By, id: TaskId, why: &str) -> Events {
        let task = self.living_task(id)?;
        match &task.state {
            State::Failed { .. } => return Ok(Vec::new()),
            State::InProgress { .. } => self.must_own(by, task)?,
            State::Pending { .. } => self.must_lead(by, "fail a task that nobody has in hand")?,
            State::Completed { .. } | State::Deleted => {
                return Err(status(task, "failed", "").into());
            }
        }
        let failed = TaskEvent::Failed {
            by: by.sender(),
            why: cut(why),
        };
        Ok(vec![event(id, failed)])
    }

    pub(super) fn delete_task(&self, by: &By, id: TaskId) -> Events {
        self.must_lead(by, "delete tasks")?;
        let task = self.known_task(id)?;
        if task.state == State::Deleted {
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
