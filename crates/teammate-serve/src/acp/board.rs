//! The task board as the entries of a plan.

use serde_json::{Value, json};
use teammate::board::{Board, TaskStatusKind};
use teammate_view::clean::clean_line;

/// The board as a plan; nothing if there is no task.
pub(crate) fn plan(board: &Board) -> Option<Value> {
    let entries: Vec<Value> = board
        .tasks()
        .filter_map(|task| {
            let (status, note) = match task.status.kind() {
                TaskStatusKind::Pending => ("pending", ""),
                TaskStatusKind::InProgress => ("in_progress", ""),
                TaskStatusKind::Completed => ("completed", ""),
                // The protocol has no word for it, and nobody works on it any more.
                TaskStatusKind::Failed => ("completed", " (failed)"),
                TaskStatusKind::Deleted => return None,
            };
            let owner = task.owner().map(|owner| format!("{owner}: "));
            let owner = owner.unwrap_or_default();
            let subject = clean_line(&task.subject);
            Some(json!({
                "content": format!("{owner}{subject}{note}"),
                "priority": "medium",
                "status": status,
            }))
        })
        .collect();
    (!entries.is_empty()).then(|| json!({ "sessionUpdate": "plan", "entries": entries }))
}
