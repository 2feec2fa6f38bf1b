//! Tools of the task board. Each puts the board's answer into a short sentence; the rules are the team's.

mod claim_task;
mod complete_task;
mod completing;
mod create_task;
mod get_task;
mod list_tasks;
mod update_task;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    board::TaskId,
    port::{TaskChange, Tool},
};

use crate::{arguments::TaskNumber, typed_tool::typed};

/// Those of every member.
pub(crate) fn shared() -> Vec<Arc<dyn Tool>> {
    vec![
        typed(list_tasks::ListTasks),
        typed(get_task::GetTask),
        typed(claim_task::ClaimTask),
        typed(complete_task::CompleteTask),
        typed(update_task::UpdateTask),
    ]
}

/// Those of the lead.
pub(crate) fn lead() -> Vec<Arc<dyn Tool>> {
    vec![typed(create_task::CreateTask)]
}

/// The task that a call is about, if that is all it says.
#[derive(Deserialize, JsonSchema)]
struct TaskInput {
    #[serde(alias = "taskId", alias = "id")]
    task_id: TaskNumber,
}

/// `#1, #2`.
fn id_list<'a>(ids: impl IntoIterator<Item = &'a TaskId>) -> String {
    let ids: Vec<String> = ids.into_iter().map(ToString::to_string).collect();
    ids.join(", ")
}

/// The tasks that are ready since, in a sentence; empty if none is.
fn unblocked_text(done: &TaskChange) -> String {
    match done.unblocked.as_slice() {
        [] => String::new(),
        freed => format!(" Unblocked: {}.", id_list(freed)),
    }
}
