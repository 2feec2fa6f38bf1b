//! Tools of the task board. Each asks the board's desk and puts its answer into a short sentence; the rules are the team's.

mod claim_task;
mod complete_task;
mod completing;
mod create_task;
mod get_task;
mod list_tasks;
mod update_task;

pub use claim_task::ClaimTask;
pub use complete_task::CompleteTask;
pub use create_task::CreateTask;
pub use get_task::GetTask;
pub use list_tasks::ListTasks;
pub use update_task::UpdateTask;

use std::collections::BTreeSet;

use serde::Deserialize;
use teammate_core::{
    board::TaskId,
    port::TaskDone,
    tool::{Outcome, ToolCall},
};

use crate::team::{action, refused};

/// A task's id as models write it: `3`, `"3"` or `"#3"`.
#[derive(Deserialize)]
#[serde(untagged)]
enum IdInput {
    Number(u32),
    Text(String),
}

impl IdInput {
    fn parse(&self) -> Result<TaskId, Outcome> {
        let text = match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        };
        text.parse()
            .map_err(|error| Outcome::error(format!("Error: {error}")))
    }
}

/// The task that a call is about, if that is all it says.
fn one_task(call: &ToolCall) -> Result<TaskId, Outcome> {
    #[derive(Deserialize)]
    struct Input {
        #[serde(alias = "taskId", alias = "id")]
        task_id: IdInput,
    }
    call.input.parse::<Input>()?.task_id.parse()
}

/// Several of them.
fn ids(inputs: &[IdInput]) -> Result<BTreeSet<TaskId>, Outcome> {
    inputs.iter().map(IdInput::parse).collect()
}

/// `#1, #2`.
fn list<'a>(ids: impl IntoIterator<Item = &'a TaskId>) -> String {
    let ids: Vec<String> = ids.into_iter().map(ToString::to_string).collect();
    ids.join(", ")
}

/// What can be begun since, in a sentence; empty if nothing can.
fn freed(done: &TaskDone) -> String {
    match done.freed.as_slice() {
        [] => String::new(),
        freed => format!(" Unblocked: {}.", list(freed)),
    }
}
