//! The rules of the board: a command against the whole team gives events, or a refusal that says what would have worked.

mod assignment;
mod edit;
mod finish;
mod next_task;
mod ownership;
mod report;

use std::sync::Arc;

pub use next_task::NextTask;
pub use report::{BoardNotice, TaskReport, TaskSummary};

use super::decision::Events;

use crate::{
    Incarnation, MemberName, Sender,
    board::{
        Actor, SETBACKS_MAX, Task, TaskAction, TaskCommand, TaskRefusal, TaskStatus, truncated,
    },
    id::TaskId,
    member::{Member, MemberPhase},
    task::{Evidence, TaskEvent},
    team::{TeamEvent, TeamRefusal, TeamState},
};

impl TeamState {
    pub(crate) fn decide_task(&self, command: &TaskCommand) -> Events {
        match command {
            TaskCommand::Act {
                by,
                action: ask,
                verified,
            } => self.act(by, ask, verified.as_deref()),
            TaskCommand::ClaimNext(member, life) => self.claim_next(member, *life),
            TaskCommand::CheckFailed { by, task, output } => self.check_failed(by, *task, output),
            TaskCommand::Withdraw(member, life, id, why) => {
                let held = self.owned_task(member, *life, *id)?;
                Ok(held.map(|task| setback(task, why)).into_iter().collect())
            }
            TaskCommand::Nudge(member, life, id) => {
                let held = self.owned_task(member, *life, *id)?;
                Ok(held
                    .filter(|task| task.can_be_nudged())
                    .map(|task| event(task.id, TaskEvent::Nudged))
                    .into_iter()
                    .collect())
            }
        }
    }

    fn act(&self, by: &Actor, ask: &TaskAction, verified: Option<&Evidence>) -> Events {
        // What comes from an earlier incarnation is refused, also where it would change nothing.
        if let Actor::Member(name, life) = by {
            self.current(name, *life)?;
        }
        match ask {
            TaskAction::Create(new) => self.create_task(by, new),
            TaskAction::Edit(id, edit) => self.edit_task(by, *id, edit),
            TaskAction::Claim(id) => match by {
                Actor::User => Err(TaskRefusal::UserClaims.into()),
                Actor::Member(name, life) => self.claim_task(name, *life, *id),
            },
            TaskAction::Complete(id, result) => self.complete_task(by, *id, result, verified),
            TaskAction::Fail(id, why) => self.fail_task(by, *id, why),
            TaskAction::Release(id, why) => self.release_task(by, *id, why),
            TaskAction::Assign(id, to) => self.assign_task(by, *id, to),
            TaskAction::Reopen(id, why) => self.reopen_task(by, *id, why),
            TaskAction::Delete(id) => self.delete_task(by, *id),
        }
    }

    /// The end of a member's hold on its task when its incarnation ends.
    pub(crate) fn release_task_of(&self, member: &MemberName, why: &str) -> Option<TeamEvent> {
        self.board().task_of(member).map(|task| setback(task, why))
    }

    /// The new lease on a member's task in progress when it is spawned again.
    pub(crate) fn renew_lease_of(
        &self,
        member: &MemberName,
        life: Incarnation,
    ) -> Option<TeamEvent> {
        let task = self.board().task_of(member)?;
        Some(event(task.id, TaskEvent::Renewed { incarnation: life }))
    }

    pub(in crate::team) fn known_task(&self, id: TaskId) -> Result<&Arc<Task>, TaskRefusal> {
        self.board().task(id).ok_or_else(|| TaskRefusal::Unknown {
            task: id,
            known: match self.board().next_id().number() - 1 {
                0 => "the board is empty".to_owned(),
                1 => "there is task #1".to_owned(),
                last => format!("there are tasks #1 to #{last}"),
            },
        })
    }

    fn existing_task(&self, id: TaskId) -> Result<&Arc<Task>, TaskRefusal> {
        let task = self.known_task(id)?;
        if task.status == TaskStatus::Deleted {
            return Err(wrong_status(task, "changed", ""));
        }
        Ok(task)
    }

    fn must_lead(&self, by: &Actor, what: &'static str) -> Result<(), TeamRefusal> {
        match by {
            Actor::User => Ok(()),
            Actor::Member(name, life) => {
                self.current(name, *life)?;
                if name.is_lead() {
                    Ok(())
                } else {
                    let what = what.into();
                    Err(TaskRefusal::OnlyLead { what }.into())
                }
            }
        }
    }

    /// The owner, in the incarnation that claimed it, the lead, or the user.
    fn must_own(&self, by: &Actor, task: &Task) -> Result<(), TeamRefusal> {
        match by {
            Actor::User => Ok(()),
            Actor::Member(name, life) => {
                self.current(name, *life)?;
                let owns = matches!(&task.status, TaskStatus::InProgress { owner, lease, .. } if owner == name && lease.incarnation == *life);
                if name.is_lead() || owns {
                    Ok(())
                } else {
                    Err(not_yours(task).into())
                }
            }
        }
    }

    fn must_be_free(&self, task: &Task, what: &'static str) -> Result<(), TaskRefusal> {
        let blockers = self.board().open_blockers(task);
        if blockers.is_empty() {
            Ok(())
        } else {
            Err(TaskRefusal::Blocked {
                task: task.id,
                blockers,
                what: what.into(),
            })
        }
    }

    fn must_fit(&self, to: &MemberName, task: &Task) -> Result<(), TeamRefusal> {
        let member = self
            .member(to)
            .ok_or_else(|| TeamRefusal::Unknown(to.clone()))?;
        if member.phase == MemberPhase::Stopped {
            return Err(TaskRefusal::Stopped(to.clone()).into());
        }
        Ok(must_meet(member, task)?)
    }
}

fn event(task: TaskId, change: TaskEvent) -> TeamEvent {
    TeamEvent::Task { task, change }
}

fn setback(task: &Arc<Task>, why: &str) -> TeamEvent {
    let change = if task.setbacks + 1 >= SETBACKS_MAX {
        TaskEvent::Failed {
            by: Sender::System,
            why: format!(
                "given up after {SETBACKS_MAX} members ended without finishing it; the last: {}",
                truncated(why)
            ),
        }
    } else {
        TaskEvent::Released {
            by: Sender::System,
            why: truncated(why),
            is_setback: true,
        }
    };
    event(task.id, change)
}

fn must_meet(member: &Member, task: &Task) -> Result<(), TaskRefusal> {
    if task.is_for(member) {
        return Ok(());
    }
    let requires = match (&task.requires, &task.team) {
        (Some(requires), _) if !member.meets(requires) => requires.to_string(),
        (_, Some(team)) => format!("a member of team '{team}'"),
        (_, None) => String::new(),
    };
    Err(TaskRefusal::Unfit {
        task: task.id,
        requires,
        member: member.name.clone(),
    })
}

fn wrong_status(task: &Task, what: &'static str, hint: &'static str) -> TaskRefusal {
    TaskRefusal::Status {
        task: task.id,
        what: what.into(),
        status: task.status.word().into(),
        hint: hint.into(),
    }
}

fn not_yours(task: &Task) -> TaskRefusal {
    let owner = match task.owner() {
        Some(owner) => format!(", it is {owner}'s"),
        None => String::new(),
    };
    TaskRefusal::NotYours {
        task: task.id,
        owner,
    }
}
