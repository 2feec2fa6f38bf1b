//! `create_task`: puts a task on the board.

use serde::Deserialize;
use teammate_core::{
    MemberName, TeamName,
    board::{NewTask, Requirement, TaskAsk},
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{IdInput, action, ids, list, refused};
use crate::spec::{one_line, spec};

/// The tool.
pub struct CreateTask {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    subject: String,
    #[serde(default)]
    description: String,
    #[serde(default, alias = "activeForm")]
    active_form: String,
    #[serde(default, alias = "blockedBy")]
    blocked_by: Vec<IdInput>,
    #[serde(default)]
    blocks: Vec<IdInput>,
    #[serde(default)]
    requires: Option<String>,
    #[serde(default)]
    check: Option<String>,
    #[serde(default)]
    worktree: bool,
    #[serde(default)]
    team: Option<String>,
    #[serde(default, alias = "assign_to")]
    owner: Option<String>,
}

impl Input {
    fn task(self) -> Result<NewTask, Outcome> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        Ok(NewTask {
            blocked_by: ids(&self.blocked_by)?,
            blocks: ids(&self.blocks)?,
            requires: given(self.requires)
                .map(|text| text.parse::<Requirement>())
                .transpose()
                .map_err(wrong)?,
            team: given(self.team)
                .map(|name| TeamName::parse(&name))
                .transpose()
                .map_err(wrong)?,
            assigned: given(self.owner)
                .map(|name| MemberName::parse(&name))
                .transpose()
                .map_err(wrong)?,
            check: given(self.check),
            subject: self.subject,
            description: self.description,
            active_form: self.active_form,
            worktree: self.worktree,
            // The harness stamps it.
            call: String::new(),
        })
    }
}

fn wrong(error: impl std::fmt::Display) -> Outcome {
    Outcome::error(format!("Error: {error}. No task was made."))
}

impl CreateTask {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("create_task", EffectClass::Team),
        }
    }
}

impl Default for CreateTask {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for CreateTask {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let task = call.input.parse::<Input>()?.task()?;
        let summary = one_line(&task.subject, 80);
        let mut shows = format!("create a task: {}", task.subject);
        if let Some(check) = &task.check {
            shows.push_str(&format!("\ncheck: {check}"));
        }
        Ok(action(shows, summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let task = match call.input.parse().and_then(Input::task) {
                Ok(task) => task,
                Err(outcome) => return outcome,
            };
            let ask = TaskAsk::Create(Box::new(task));
            match context.tasks.ask(&context.caller, ask).await {
                Ok(done) => {
                    let task = &done.task;
                    let after = match task.blocked_by.is_empty() {
                        true => String::new(),
                        false => format!(" (blocked by {})", list(&task.blocked_by)),
                    };
                    let nobody = match (done.has_nobody, &task.requires) {
                        (false, _) => String::new(),
                        (true, Some(requires)) => format!(". No teammate meets {requires} yet"),
                        (true, None) => ". There is no teammate for it yet".to_owned(),
                    };
                    Outcome::ok(format!(
                        "Created {}: {}{after}{nobody}",
                        task.id, task.subject
                    ))
                }
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
