//! Tools of the task board. Each asks the board's desk and puts its answer into a short sentence; the rules are the team's.

mod claim_task;
mod complete_task;
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
    port::{Action, Refusal, Target, TaskDone},
    tool::Outcome,
};

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

/// Several of them.
fn ids(inputs: &[IdInput]) -> Result<BTreeSet<TaskId>, Outcome> {
    inputs.iter().map(IdInput::parse).collect()
}

/// An action that touches nothing but the board.
fn action(shows: impl Into<String>, summary: impl Into<String>) -> Action {
    Action {
        target: Target::Team,
        shows: shows.into(),
        summary: summary.into(),
    }
}

fn refused(refusal: &Refusal) -> Outcome {
    Outcome::error(format!("Error: {refusal}"))
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
