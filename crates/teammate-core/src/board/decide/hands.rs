//! Whose a task is: claiming, giving back, assigning, opening again.

use std::sync::Arc;

use super::{Events, cut, event, must_meet, status};
use crate::{
    Incarnation, MemberName,
    board::{By, Next, State, Task, TaskEvent, TaskId, TaskRefusal},
    team::{Member, Phase, Team, TeamEvent, TeamRefusal},
};

impl Team {
    pub(super) fn claim_task(&self, name: &MemberName, life: Incarnation, id: TaskId) -> Events {
        let member = self.living(name, life)?;
        if member.phase == Phase::Stopped {
            return Err(TaskRefusal::Stopped(name.clone()).into());
        }
        let task = self.living_task(id)?;
        if member.gate.is_closed() {
            return Err(TaskRefusal::NeedsPlan.into());
        }
        match &task.state {
            State::InProgress { owner, .. } if owner == name => return Ok(Vec::new()),
            State::InProgress { owner, .. } => {
                return Err(TaskRefusal::Claimed {
                    task: id,
                    owner: owner.clone(),
                }
                .into());
            }
            State::Pending { assigned: Some(to) } if to != name => {
                return Err(TaskRefusal::AssignedTo {
                    task: id,
                    to: to.clone(),
                }
                .into());
            }
            State::Pending { .. } => {}
            State::Completed { .. } | State::Failed { .. } | State::Deleted => {
                return Err(status(task, "claimed", "").into());
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
        let held = self.board().held_by(name);
        if let Some(held) = held.filter(|held| self.task_paused_for(held).is_none()) {
            return Err(TaskRefusal::Busy {
                member: name.clone(),
                held: held.id,
            }
            .into());
        }
        Ok(vec![claimed(member, task)])
    }

    pub(super) fn take_task(&self, name: &MemberName, life: Incarnation) -> Events {
        let member = self.living(name, life)?;
        match self.next_for(member) {
            Some(Next::Take(id)) => {
                let task = self.living_task(id)?;
                Ok(vec![claimed(member, task)])
            }
            Some(Next::Own(_)) | None => Ok(Vec::new()),
        }
    }

    pub(super) fn release_task(&self, by: &By, id: TaskId, why: &str) -> Events {
        let task = self.living_task(id)?;
        match &task.state {
            State::Pending { .. } => return Ok(Vec::new()),
            State::InProgress { .. } => self.must_own(by, task)?,
            State::Completed { .. } | State::Failed { .. } | State::Deleted => {
                return Err(status(task, "given back", "; the lead can reopen it").into());
            }
        }
        let released = TaskEvent::Released {
            by: by.sender(),
            why: cut(why),
            is_setback: false,
        };
        Ok(vec![event(id, released)])
    }

    pub(super) fn assign_task(&self, by: &By, id: TaskId, to: &MemberName) -> Events {
        self.must_lead(by, "assign tasks")?;
        let task = self.living_task(id)?;
        match &task.state {
            State::Pending {
                assigned: Some(known),
            } if known == to => return Ok(Vec::new()),
            State::InProgress { owner, .. } if owner == to => return Ok(Vec::new()),
            State::Pending { .. } | State::InProgress { .. } => {}
            State::Completed { .. } | State::Failed { .. } | State::Deleted => {
                return Err(status(task, "assigned", "; reopen it first").into());
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

    pub(super) fn reopen_task(&self, by: &By, id: TaskId, why: &str) -> Events {
        self.must_lead(by, "reopen tasks")?;
        let task = self.living_task(id)?;
        if matches!(task.state, State::Pending { assigned: None }) {
            return Ok(Vec::new());
        }
        let reopened = TaskEvent::Reopened {
            by: by.sender(),
            why: cut(why),
            had: task.holder().cloned(),
        };
        Ok(vec![event(id, reopened)])
    }

    /// The task, if this member has it in hand in this life.
    pub(super) fn in_hand(
        &self,
        name: &MemberName,
        life: Incarnation,
        id: TaskId,
    ) -> Result<Option<&Arc<Task>>, TeamRefusal> {
        self.living(name, life)?;
        Ok(self.board().held_by(name).filter(|task| task.id == id))
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
