//! `list_tasks`: the board, a line a task; or one task whole.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    board::TaskStatus,
    fence::escaped_line,
    port::{Action, TaskSummary, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::{get_task, id_list};
use crate::{
    arguments::TaskNumber,
    typed_tool::{Reply, TypedTool, done, team_action},
};

/// The most finished tasks that are listed; the latest ones.
const SETTLED_MAX: usize = 50;

pub(super) struct ListTasks;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(default, alias = "taskId", alias = "id")]
    task_id: Option<TaskNumber>,
    /// Also finished tasks that are left out of a long list.
    #[serde(default)]
    #[schemars(skip)]
    all: bool,
}

impl TypedTool for ListTasks {
    type Input = Input;
    const NAME: &'static str = "list_tasks";
    const DESCRIPTION: &'static str =
        "Show the task board, or one task with its result and history.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        Ok(match &input.task_id {
            Some(task) => get_task::action(task.0),
            None => team_action("list the tasks", ""),
        })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        match input.task_id {
            Some(task) => get_task::whole(task.0, context).await,
            None => done(board(&context.team.tasks(), input.all)),
        }
    }
}

fn board(tasks: &[TaskSummary], all: bool) -> String {
    if tasks.is_empty() {
        return "No tasks.".to_owned();
    }
    let is_settled = |line: &&TaskSummary| {
        matches!(
            line.task.status,
            TaskStatus::Completed { .. } | TaskStatus::Failed { .. }
        )
    };
    let settled = tasks.iter().filter(is_settled).count();
    let mut left_out = if all {
        0
    } else {
        settled.saturating_sub(SETTLED_MAX)
    };
    let mut text = String::new();
    if left_out > 0 {
        let _ = writeln!(
            text,
            "({left_out} older finished tasks are left out; all: true shows them)"
        );
    }
    for line in tasks {
        if left_out > 0 && is_settled(&line) {
            left_out -= 1;
            continue;
        }
        let _ = writeln!(text, "{}", row(line));
    }
    text.truncate(text.trim_end().len());
    text
}

/// `#2 [ ] Design the schema (blocked by #1): waits for #1`.
fn row(line: &TaskSummary) -> String {
    let task = &line.task;
    let mark = task.status.kind().mark();
    let owner = task
        .owner()
        .map(|owner| format!(" @{owner}"))
        .unwrap_or_default();
    let blocked = match task.blocked_by.is_empty() {
        true => String::new(),
        false => format!(" (after {})", id_list(&task.blocked_by)),
    };
    let requires = task
        .requires
        .as_ref()
        .map(|needs| format!(" (requires {needs})"))
        .unwrap_or_default();
    let outlook: String = line.status_text.chars().take(200).collect();
    format!(
        "{} {mark} {}{owner}{blocked}{requires}: {}",
        task.id,
        escaped_line(&task.subject),
        escaped_line(&outlook)
    )
}
