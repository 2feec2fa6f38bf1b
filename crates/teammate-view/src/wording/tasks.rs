//! The board.

use teammate_core::{
    Sender,
    board::{TaskEvent, TaskId},
};

use super::{marked, plain};
use crate::text::{TextLine, TextRole};

/// The change of a task, in a few words; nothing, if it is not worth a line.
pub(crate) fn changed(id: TaskId, subject: &str, change: &TaskEvent) -> Option<TextLine> {
    let good = |word, rest: &str| marked(word, TextRole::Good, rest);
    let bad = |word, rest: &str| marked(word, TextRole::Bad, rest);
    Some(match change {
        TaskEvent::Created { blocked_by, .. } => match blocked_by.is_empty() {
            true => plain(&format!("created {id}: {subject}")),
            false => {
                let after: Vec<String> = blocked_by.iter().map(ToString::to_string).collect();
                plain(&format!(
                    "created {id} (after {}): {subject}",
                    after.join(", ")
                ))
            }
        },
        TaskEvent::Assigned { to, .. } => plain(&format!("assigned {id} to {to}: {subject}")),
        TaskEvent::Claimed { .. } => plain(&format!("claimed {id}: {subject}")),
        TaskEvent::CheckFailed { .. } => bad("failed", &format!(" the check of {id}: {subject}")),
        TaskEvent::Released { why, .. } => plain(&format!("gave back {id} ({why}): {subject}")),
        TaskEvent::Completed { result, .. } if result.is_empty() => {
            good("completed", &format!(" {id}: {subject}"))
        }
        TaskEvent::Completed { result, .. } => {
            good("completed", &format!(" {id}: {subject}: {result}"))
        }
        TaskEvent::Failed { why, .. } => bad("failed", &format!(" {id}: {subject}: {why}")),
        TaskEvent::Reopened { .. } => plain(&format!("reopened {id}: {subject}")),
        TaskEvent::Deleted { .. } => plain(&format!("deleted {id}: {subject}")),
        TaskEvent::Edited { .. } | TaskEvent::Renewed { .. } | TaskEvent::Nudged => return None,
    })
}

/// The change of a task in a member's story, which leaves out no change, and where it stands also if somebody else made it.
pub(crate) fn in_story(id: TaskId, subject: &str, change: &TaskEvent) -> TextLine {
    let Some(text) = changed(id, subject, change) else {
        return plain(&format!("{id} {subject}: {}", change.describe()));
    };
    match change.by() {
        Some(Sender::Member(_)) | None => text,
        Some(by @ (Sender::User | Sender::System | Sender::Unverified(_))) => {
            let mut line = plain(&format!("{by}: "));
            line.extend(&text.spans);
            line
        }
    }
}
