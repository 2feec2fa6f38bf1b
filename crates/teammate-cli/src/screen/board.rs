//! The board as lines for the user.

use teammate::board::{TaskEvent, TaskId};

use super::Style;

/// What happened to a task, in a few words; nothing, if it is not worth a line. What is coloured comes first: what follows is
/// not ours and is cleaned.
pub(super) fn task_event_text(
    id: TaskId,
    change: &TaskEvent,
    subject: &str,
    style: Style,
) -> Option<String> {
    let told = match change {
        TaskEvent::Created { blocked_by, .. } => match blocked_by.is_empty() {
            true => format!("created {id}: {subject}"),
            false => {
                let after: Vec<String> = blocked_by.iter().map(ToString::to_string).collect();
                format!("created {id} (after {}): {subject}", after.join(", "))
            }
        },
        TaskEvent::Assigned { to, .. } => format!("assigned {id} to {to}: {subject}"),
        TaskEvent::Claimed { .. } => format!("claimed {id}: {subject}"),
        TaskEvent::CheckFailed { .. } => {
            format!("{} the check of {id}: {subject}", style.bad("failed"))
        }
        TaskEvent::Released { why, .. } => format!("gave back {id} ({why}): {subject}"),
        TaskEvent::Completed { result, .. } if result.is_empty() => {
            format!("{} {id}: {subject}", style.good("completed"))
        }
        TaskEvent::Completed { result, .. } => {
            format!("{} {id}: {subject}: {result}", style.good("completed"))
        }
        TaskEvent::Failed { why, .. } => format!("{} {id}: {subject}: {why}", style.bad("failed")),
        TaskEvent::Reopened { .. } => format!("reopened {id}: {subject}"),
        TaskEvent::Deleted { .. } => format!("deleted {id}: {subject}"),
        TaskEvent::Edited { .. } | TaskEvent::Renewed { .. } | TaskEvent::Nudged => return None,
    };
    Some(told)
}
