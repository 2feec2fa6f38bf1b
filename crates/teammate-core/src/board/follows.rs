//! Which change of a task may follow from a command to the board, whatever the board was like.

use std::collections::BTreeSet;

use super::{Actor, NewTask, TaskAction, TaskCommand, TaskEdit, texts::truncated};
use crate::{
    id::TaskId,
    task::{Evidence, TaskEvent},
};

impl TaskCommand {
    /// Whether this change, in the name of who asked, is what was asked for.
    pub(crate) fn may_lead_to(&self, task: TaskId, change: &TaskEvent) -> bool {
        match self {
            Self::Act {
                by,
                action,
                verified,
            } => {
                change.by() == Some(by.sender())
                    && of_action((by, action), verified.as_deref(), (task, change))
            }
            Self::ClaimNext(member, life) => {
                matches!(change, TaskEvent::Claimed { by, incarnation, .. }
                if (member, life) == (by, incarnation))
            }
            Self::CheckFailed {
                by,
                task: asked,
                output,
            } => {
                let failed = TaskEvent::CheckFailed {
                    by: by.sender(),
                    output: truncated(output),
                };
                (*asked, &failed) == (task, change)
            }
            // What follows is the harness's.
            Self::Withdraw(..) | Self::Nudge(..) => false,
        }
    }
}

fn of_action(
    (by, action): (&Actor, &TaskAction),
    verified: Option<&Evidence>,
    (task, change): (TaskId, &TaskEvent),
) -> bool {
    match action {
        TaskAction::Create(new) => of_new(by, new, task, change),
        TaskAction::Edit(asked, edit) => of_edit((by, *asked), edit, task, change),
        TaskAction::Claim(asked) => {
            let Actor::Member(_, life) = by else {
                return false;
            };
            *asked == task
                && matches!(change, TaskEvent::Claimed { incarnation, .. } if life == incarnation)
        }
        TaskAction::Complete(asked, text) => {
            let TaskEvent::Completed {
                result, evidence, ..
            } = change
            else {
                return false;
            };
            *asked == task
                && *result == truncated(text)
                && evidence.as_deref().is_none_or(|run| verified == Some(run))
        }
        TaskAction::Fail(asked, text) => {
            *asked == task
                && matches!(change, TaskEvent::Failed { why, .. } if *why == truncated(text))
        }
        TaskAction::Release(asked, text) => {
            *asked == task
                && matches!(change, TaskEvent::Released { why, is_setback: false, .. }
                    if *why == truncated(text))
        }
        TaskAction::Assign(asked, whom) => {
            *asked == task && matches!(change, TaskEvent::Assigned { to, .. } if to == whom)
        }
        TaskAction::Reopen(asked, text) => {
            *asked == task
                && matches!(change, TaskEvent::Reopened { why, .. } if *why == truncated(text))
        }
        TaskAction::Delete(asked) => *asked == task && matches!(change, TaskEvent::Deleted { .. }),
    }
}

fn of_new(by: &Actor, new: &NewTask, task: TaskId, change: &TaskEvent) -> bool {
    if let TaskEvent::Edited { .. } = change {
        // The new task's number is the team's to give.
        return new.blocks.contains(&task) && blocks_only(by, None, change);
    }
    *change == new.created(by)
}

fn of_edit(
    (by, asked): (&Actor, TaskId),
    edit: &TaskEdit,
    task: TaskId,
    change: &TaskEvent,
) -> bool {
    let is_itself = asked == task && *change == edit.edited(by);
    is_itself || edit.add_blocks.contains(&task) && blocks_only(by, Some(asked), change)
}

/// Whether nothing but one blocker is added: this one, where it is known.
fn blocks_only(by: &Actor, blocker: Option<TaskId>, change: &TaskEvent) -> bool {
    let TaskEvent::Edited { add_blocked_by, .. } = change else {
        return false;
    };
    let mut added = add_blocked_by.iter().copied();
    let Some(first) = added.next() else {
        return false;
    };
    blocker.is_none_or(|blocker| blocker == first)
        && *change == TaskEvent::blocked(by.sender(), BTreeSet::from([first]))
}
