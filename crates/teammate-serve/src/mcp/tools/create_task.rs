//! `create_task`: a task for the board. It has no check: a command that runs is the user's to write.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use teammate::{
    board::{NewTask, TaskAction, TaskId},
    handle::ActOnTask,
};

use super::{list_tasks::line, words::sendable};
use crate::mcp::tool::{Call, Effect, Refused, ServedTool};

pub(in crate::mcp) struct CreateTask;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// What to do, in one line.
    subject: String,
    /// What its owner must know.
    #[serde(default)]
    description: String,
    /// The teammate that does it. Otherwise an idle one takes it.
    #[serde(default)]
    owner: Option<String>,
    /// Tasks that must be completed first.
    #[serde(default)]
    blocked_by: Vec<u32>,
}

impl ServedTool for CreateTask {
    type Input = Input;

    const NAME: &'static str = "create_task";
    const DESCRIPTION: &'static str = "Put a task on the board of a team. Teammates of a team that runs take it when they are \
        idle; it does not start one.";
    const EFFECT: Effect = Effect::Changes;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let subject = sendable(&input.subject, "subject")?;
        let description = match input.description.trim().is_empty() {
            true => String::new(),
            false => sendable(&input.description, "description")?,
        };
        let mut client = call.team.look().await?;
        let owner = input.owner.as_deref();
        let task = NewTask {
            subject,
            description,
            assigned: owner.map(|name| client.member(name)).transpose()?,
            blocked_by: input.blocked_by.into_iter().map(TaskId::new).collect(),
            ..NewTask::default()
        };
        let made = client
            .ask(ActOnTask(TaskAction::Create(Box::new(task))))
            .await?;
        Ok(line(&made))
    }
}
