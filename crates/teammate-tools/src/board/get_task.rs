//! `get_task`: a task with all that is known of it.

use std::fmt::Write as _;

use teammate_core::{
    board::{TaskId, TaskStatus},
    fence::{escaped, escaped_line},
    port::{Action, TaskReport, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::{TaskInput, id_list};
use crate::typed_tool::{Reply, TypedTool, done, team_action};

pub(super) struct GetTask;

impl TypedTool for GetTask {
    type Input = TaskInput;
    const NAME: &'static str = "get_task";
    const DESCRIPTION: &'static str = "Show a task with its result and history.";
    const CLASS: EffectClass = EffectClass::Team;
    // `list_tasks` shows one as well.
    const IS_OFFERED: bool = false;

    fn action(&self, input: &TaskInput, _: &ToolContext) -> Result<Action, Outcome> {
        Ok(action(input.task_id.0))
    }

    async fn run(&self, input: TaskInput, context: &ToolContext) -> Reply {
        whole(input.task_id.0, context).await
    }
}

pub(super) fn action(id: TaskId) -> Action {
    team_action(format!("look at {id}"), id.to_string())
}

pub(super) async fn whole(id: TaskId, context: &ToolContext) -> Reply {
    done(report_text(&context.team.task(id).await?))
}

fn report_text(report: &TaskReport) -> String {
    let task = &report.task;
    let mut text = format!(
        "{} {} [{}]\n",
        task.id,
        escaped_line(&task.subject),
        task.status.word()
    );
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "{name}: {}", escaped(value));
        }
    };
    line("outlook", &report.status_text);
    line("owner", task.owner().map_or("", |owner| owner.as_str()));
    line("blocked by", &id_list(&task.blocked_by));
    line("blocks", &id_list(&task.blocks));
    line(
        "requires",
        &task
            .requires
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
    );
    line("check", task.check.as_deref().unwrap_or_default());
    line("description", &task.description);
    if let TaskStatus::Completed { result, .. } = &task.status {
        line("result", result);
    }
    let _ = writeln!(text, "history:");
    for (_, what) in &report.history {
        let _ = writeln!(text, "- {}", escaped_line(what));
    }
    text
}
