//! `get_task`: a task with all that is known of it.

use std::fmt::Write as _;

use teammate_core::{
    board::State,
    fence::{escaped, escaped_line},
    port::{Action, BoxFuture, TaskReport, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, list, one_task, refused};
use crate::spec::spec;

/// The tool.
pub struct GetTask {
    spec: ToolSpec,
}

impl GetTask {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("get_task", EffectClass::Team),
        }
    }
}

impl Default for GetTask {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for GetTask {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let id = one_task(call)?;
        Ok(action(format!("look at {id}"), id.to_string()))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let id = match one_task(call) {
                Ok(id) => id,
                Err(outcome) => return outcome,
            };
            match context.tasks.get(id).await {
                Ok(report) => Outcome::ok(told(&report)),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}

fn told(report: &TaskReport) -> String {
    let task = &report.task;
    let mut text = format!(
        "{} {} [{}]\n",
        task.id,
        escaped_line(&task.subject),
        task.state.word()
    );
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "{name}: {}", escaped(value));
        }
    };
    line("outlook", &report.outlook);
    line("owner", task.owner().map_or("", |owner| owner.as_str()));
    line("blocked by", &list(&task.blocked_by));
    line("blocks", &list(&task.blocks));
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
    if let State::Completed { result, .. } = &task.state {
        line("result", result);
    }
    let _ = writeln!(text, "history:");
    for (_, what) in &report.history {
        let _ = writeln!(text, "- {}", escaped_line(what));
    }
    text
}
