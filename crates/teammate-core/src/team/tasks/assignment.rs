//! The texts of assignments and reminders about tasks. A task's words need no fence: the member that
//! put it on the board could have sent them by mail.

use std::fmt::Write as _;

use crate::{
    board::{Task, TaskStatus},
    mail::MessageId,
    message_cause::MessageCause,
    team::{TeamState, branches_of},
    tool::ToolNames,
};

/// The most bytes of one blocker's result in an assignment.
const RESULT_BYTES_MAX: usize = 4_000;

impl TeamState {
    /// The id of the assignment for a task in progress; `None` if the task has no owner.
    pub fn task_assignment_id(&self, task: &Task) -> Option<MessageId> {
        match &task.status {
            TaskStatus::InProgress { lease, .. } => {
                Some(self.message_id(MessageCause::Task(task.id, lease.claim)))
            }
            TaskStatus::Pending { .. }
            | TaskStatus::Completed { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => None,
        }
    }

    /// The id of the reminder of a task in progress.
    pub fn nudge_id(&self, task: &Task) -> Option<MessageId> {
        match &task.status {
            TaskStatus::InProgress { lease, nudges, .. } => {
                Some(self.message_id(MessageCause::Nudge(task.id, lease.claim, *nudges)))
            }
            TaskStatus::Pending { .. }
            | TaskStatus::Completed { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => None,
        }
    }

    /// The text of the assignment when a member starts a task.
    pub fn task_assignment_text(&self, task: &Task, names: &ToolNames) -> String {
        let (id, number) = (task.id, task.id.number());
        let (list, complete, update) = (
            names.of("list_tasks"),
            names.of("complete_task"),
            names.of("update_task"),
        );
        let mut text = format!("Task {id} is yours: {}\n", task.subject);
        if !task.description.is_empty() {
            let _ = write!(text, "\n{}\n", task.description);
        }
        for blocker in task
            .blocked_by
            .iter()
            .filter_map(|id| self.board().task(*id))
        {
            if let TaskStatus::Completed { by, result, .. } = &blocker.status {
                let _ = write!(
                    text,
                    "\nIt depends on {} ({}), completed by {by}",
                    blocker.id, blocker.subject
                );
                match result.as_str() {
                    "" => text.push_str(".\n"),
                    result => {
                        let cut = &result[..result.floor_char_boundary(RESULT_BYTES_MAX)];
                        let more = if cut.len() < result.len() {
                            format!(
                                " ... ({list} with task_id {} has the rest)",
                                blocker.id.number()
                            )
                        } else {
                            String::new()
                        };
                        let _ = writeln!(text, ":\n{cut}{more}");
                    }
                }
            }
        }
        if !task.last_failure.is_empty() {
            let _ = write!(text, "\nFrom the last attempt: {}\n", task.last_failure);
        }
        if task.worktree {
            let branches = branches_of(self.name());
            let _ = write!(
                text,
                "\nIt has its own git worktree: while the task is yours, your tools work there, on branch \
                 {branches}/task-{number}, made from the last commit. Commit your work there before you complete it.\n"
            );
        }
        if let Some(check) = &task.check {
            let _ = write!(
                text,
                "\nIt can be completed when this command exits 0: {check}\n"
            );
        }
        let _ = write!(
            text,
            "\nDo it now. When it is done, call the tool {complete} with task_id {number} and a result that says what the \
             others need to know; without that call it stays open. If it cannot be done, call {update} with task_id {number}, \
             status \"failed\" and a reason."
        );
        text
    }

    /// The text of the reminder for an idle member with a task in progress.
    pub fn nudge_text(&self, task: &Task, names: &ToolNames) -> String {
        let (id, number) = (task.id, task.id.number());
        let [complete, update, idle, submit] =
            ["complete_task", "update_task", "idle", "submit_plan"].map(|tool| names.of(tool));
        let holder = task.holder().and_then(|holder| self.member(holder));
        let next = if holder.is_some_and(|holder| holder.gate.is_closed()) {
            format!(
                "You have no approved plan for the rest of it: call {submit}, even if only the call of {complete} with task_id {number} is left."
            )
        } else {
            format!(
                "If the work is done, call the tool {complete} now with task_id {number} and a result. If something is left, do it now."
            )
        };
        format!(
            "Task {id} ({}) is still yours and not completed: you ended your turn without calling {complete}. {next} If it cannot \
             be done, call {update} with task_id {number}, status \"failed\" and a reason, or status \"pending\" to give it back. If you are waiting for something, call {idle} and say what you wait for.",
            task.subject
        )
    }
}
