//! `update_task`: what the user may do to a task, but for taking it off the board.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use teammate::{
    board::{TaskAction, TaskId},
    handle::ActOnTask,
};
use tokio::time::timeout;

use super::{list_tasks::line, words::sendable};
use crate::mcp::tool::{Call, Effect, Refused, ServedTool};

/// How long a task's check is waited for. It goes on.
const CHECK_WITHIN: Duration = Duration::from_secs(30);

pub(in crate::mcp) struct UpdateTask;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// The task's number.
    id: u32,
    /// What to do with it.
    action: Action,
    /// For assign: the teammate.
    #[serde(default)]
    owner: Option<String>,
    /// For complete: the result. For reopen and fail: the reason.
    #[serde(default)]
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Assign,
    Reopen,
    Complete,
    Fail,
}

impl ServedTool for UpdateTask {
    type Input = Input;

    const NAME: &'static str = "update_task";
    const DESCRIPTION: &'static str =
        "Assign a task to a teammate, reopen it, or mark it completed or failed.";
    const EFFECT: Effect = Effect::Changes;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let id = TaskId::new(input.id);
        let text = match input.text.trim().is_empty() {
            true => String::new(),
            false => sendable(&input.text, "text")?,
        };
        let mut client = call.team.look().await?;
        let action = match (input.action, input.owner.as_deref()) {
            (Action::Assign, Some(owner)) => TaskAction::Assign(id, client.member(owner)?),
            (Action::Assign, None) => return Err(Refused("assign needs an owner".to_owned())),
            (Action::Reopen, _) => TaskAction::Reopen(id, text),
            (Action::Complete, _) => TaskAction::Complete(id, text),
            (Action::Fail, _) if text.is_empty() => {
                return Err(Refused("fail needs a text: the reason".to_owned()));
            }
            (Action::Fail, _) => TaskAction::Fail(id, text),
        };
        match timeout(CHECK_WITHIN, client.ask(ActOnTask(action))).await {
            Ok(acted) => Ok(line(&acted?)),
            Err(_) => Err(Refused(format!(
                "the check of {id} still runs; list_tasks shows what came of it"
            ))),
        }
    }
}
