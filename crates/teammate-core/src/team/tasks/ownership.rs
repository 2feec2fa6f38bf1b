//! Whose a task is: claiming, giving back, assigning, opening again.

use std::sync::Arc;

use super::{Events, event, must_meet, truncated, wrong_status};
use crate::{
    Incarnation, MemberName,
    board::{Actor, Task, TaskRefusal, TaskStatus},
    id::TaskId,
    member::{Member, MemberPhase},
    task::TaskEvent,
    team::{NextTask, TeamEvent, TeamRefusal, TeamState},
};

impl TeamState {
    pub(super) fn claim_task(&self, name: &MemberName, life: Incarnation, id: TaskId) -> Events {
        let member = self.current(name, life)?;
        if member.phase == MemberPhase::Stopped {
            return Err(TaskRefusal::Stopped(name.clone()).into());
        }
        let task = self.existing_task(id)?;
        if member.gate.is_closed() {
            return Err(TaskRefusal::NeedsPlan.into());
        }
        match &task.status {
            TaskStatus::InProgress { owner, .. } if owner == name => return Ok(Vec::new()),
            TaskStatus::InProgress { owner, .. } => {
                return Err(TaskRefusal::Claimed {
                    task: id,
                    owner: owner.clone(),
                }
                .into());
            }
            TaskStatus::Pending { assigned: Some(to) } if to != name => {
                return Err(TaskRefusal::AssignedTo {
                    task: id,
                    to: to.clone(),
                }
                .into());
            }
            TaskStatus::Pending { .. } => {}
            TaskStatus::Completed { .. } | TaskStatus::Failed { .. } | TaskStatus::Deleted => {
                return Err(wrong_status(task, "claimed", "").into());
            }
        }
        if let Some(conversation) = self.task_paused_for(task)
            && !name.is_lead()
        {
            return Err(TaskRefusal::Paused {
                task: id,
                conversation,
            }
            .into());
        }
        self.must_be_free(task, "claimed")?;
        must_meet(member, task)?;
        let held = self.board().task_of(name);
        if let Some(held) = held.filter(|held| self.task_paused_for(held).is_none()) {
            return Err(TaskRefusal::Busy {
                member: name.clone(),
                held: held.id,
            }
            .into());
        }
        Ok(vec![claimed(member, task)])
    }

    pub(super) fn claim_next(&self, name: &MemberName, life: Incarnation) -> Events {
        let member = self.current(name, life)?;
        match self.next_for(member) {
            Some(NextTask::Claim(id)) => {
                let task = self.existing_task(id)?;
                Ok(vec![claimed(member, task)])
            }
            Some(NextTask::Continue(_)) | None => Ok(Vec::new()),
        }
    }

    pub(super) fn release_task(&self, by: &Actor, id: TaskId, why: &str) -> Events {
        let task = self.existing_task(id)?;
        match &task.status {
            TaskStatus::Pending { .. } => return Ok(Vec::new()),
            TaskStatus::InProgress { .. } => self.must_own(by, task)?,
            TaskStatus::Completed { .. } | TaskStatus::Failed { .. } | TaskStatus::Deleted => {
                return Err(wrong_status(task, "given back", "; the lead can reopen it").into());
            }
        }
        let released = TaskEvent::Released {
            by: by.sender(),
            why: truncated(why),
            is_setback: false,
        };
        Ok(vec![event(id, released)])
    }

    pub(super) fn assign_task(&self, by: &Actor, id: TaskId, to: &MemberName) -> Events {
        self.must_lead(by, "assign tasks")?;
        let task = self.existing_task(id)?;
        match &task.status {
            TaskStatus::Pending {
                assigned: Some(known),
            } if known == to => return Ok(Vec::new()),
            TaskStatus::InProgress { owner, .. } if owner == to => return Ok(Vec::new()),
            TaskStatus::Pending { .. } | TaskStatus::InProgress { .. } => {}
            TaskStatus::Completed { .. } | TaskStatus::Failed { .. } | TaskStatus::Deleted => {
                return Err(wrong_status(task, "assigned", "; reopen it first").into());
            }
        }
        self.must_fit(to, task)?;
        let assigned = TaskEvent::Assigned {
            by: by.sender(),
            to: to.clone(),
            had: task.holder().cloned(),
        };
        Ok(vec![event(id, assigned)])
    }

    pub(super) fn reopen_task(&self, by: &Actor, id: TaskId, why: &str) -> Events {
        self.must_lead(by, "reopen tasks")?;
        let task = self.existing_task(id)?;
        if matches!(task.status, TaskStatus::Pending { assigned: None }) {
            return Ok(Vec::new());
        }
        let reopened = TaskEvent::Reopened {
            by: by.sender(),
            why: truncated(why),
            had: task.holder().cloned(),
        };
        Ok(vec![event(id, reopened)])
    }

    /// The task, if this incarnation of the member has it in progress.
    pub(super) fn owned_task(
        &self,
        name: &MemberName,
        life: Incarnation,
        id: TaskId,
    ) -> Result<Option<&Arc<Task>>, TeamRefusal> {
        self.current(name, life)?;
        Ok(self.board().task_of(name).filter(|task| task.id == id))
    }
}

fn claimed(member: &Member, task: &Task) -> TeamEvent {
    let claimed = TaskEvent::Claimed {
        by: member.name.clone(),
        incarnation: member.incarnation,
        claim: task.claims + 1,
    };
    event(task.id, claimed)
}
