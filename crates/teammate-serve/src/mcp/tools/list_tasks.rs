//! `list_tasks`: the task board.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use teammate::{TaskSummary, board::TaskId, json::task_json};

use crate::mcp::{
    cut::{cut, cut_all},
    tool::{Call, Effect, Refused, ServedTool},
};

/// The most tasks in one answer.
const TASKS_MAX: usize = 200;

/// The most characters of a text in a list, and of one task.
const LINE_CHARS_MAX: usize = 300;
const TEXT_CHARS_MAX: usize = 20_000;

pub(in crate::mcp) struct ListTasks;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// Only this task, in full and with its history.
    #[serde(default)]
    id: Option<u32>,
    /// Only tasks after this one, if there are more than one answer has.
    #[serde(default)]
    after: Option<u32>,
}

impl ServedTool for ListTasks {
    type Input = Input;

    const NAME: &'static str = "list_tasks";
    const DESCRIPTION: &'static str =
        "List the tasks on the team's board, with owner, status and result, or show one in full.";
    const EFFECT: Effect = Effect::Looks;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let client = call.team.look().await?;
        if let Some(id) = input.id {
            let report = client.task(TaskId::new(id)).await?;
            let mut shown = task_json(&report.task);
            shown["status_text"] = report.status_text.as_str().into();
            let history = report.history.iter();
            shown["history"] = history
                .map(|(at, what)| json!({ "at": at.as_seconds(), "what": what }))
                .collect();
            cut_all(&mut shown, TEXT_CHARS_MAX);
            return Ok(shown);
        }
        let all = client.tasks();
        let after = input.after.unwrap_or(0);
        let mut rest = all.iter().filter(|line| line.task.id.number() > after);
        let tasks: Vec<Value> = rest.by_ref().take(TASKS_MAX).map(line).collect();
        let mut shown = json!({
            "board": client.board().summary_line(),
            "tasks": tasks,
        });
        let left = rest.count();
        if left > 0 {
            shown["more"] = left.into();
        }
        Ok(shown)
    }
}

/// A task in a list, without what is empty.
pub(super) fn line(line: &TaskSummary) -> Value {
    let mut shown = task_json(&line.task);
    if let Some(fields) = shown.as_object_mut() {
        let unread = [
            "description",
            "active_form",
            "blocks",
            "created_at",
            "updated_at",
        ];
        fields.retain(|name, value| {
            let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            !is_empty && !unread.contains(&name.as_str())
        });
        fields.insert(
            "status_text".to_owned(),
            cut(&line.status_text, LINE_CHARS_MAX).into(),
        );
    }
    cut_all(&mut shown, LINE_CHARS_MAX);
    shown
}
