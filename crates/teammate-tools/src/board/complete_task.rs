//! `complete_task`: completes a task with its result.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::{
    completing::{Uncommitted, complete, workdir_text},
    unblocked_text,
};
use crate::{
    arguments::TaskNumber,
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct CompleteTask;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "taskId", alias = "id")]
    task_id: TaskNumber,
    /// For those who build on it: what was made, where.
    #[serde(alias = "summary")]
    #[schemars(required)]
    result: Option<String>,
    /// Complete it over files that are not committed in its worktree.
    #[serde(default)]
    #[schemars(skip)]
    leave_uncommitted: bool,
}

impl Input {
    fn result(&self) -> &str {
        self.result.as_deref().unwrap_or_default()
    }
}

impl TypedTool for CompleteTask {
    type Input = Input;
    const NAME: &'static str = "complete_task";
    const DESCRIPTION: &'static str = "Complete your task. Its check, if any, runs first.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let (id, result) = (input.task_id.0, input.result());
        let summary = format!("{id}: {}", one_line(result, 80));
        Ok(team_action(format!("complete {id}:\n{result}"), summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let id = input.task_id.0;
        let uncommitted = Uncommitted::left_if(input.leave_uncommitted);
        let result = input.result.unwrap_or_default();
        let completed = complete(context, id, result, uncommitted).await?;
        done(format!(
            "Completed {id} ({}).{}{}",
            completed.task.subject,
            unblocked_text(&completed),
            workdir_text(&completed, context)
        ))
    }
}
