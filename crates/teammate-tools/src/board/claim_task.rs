//! `claim_task`: takes a task, so that nobody else does it.

use teammate_core::{
    board::TaskAction,
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::TaskInput;
use crate::typed_tool::{Reply, TypedTool, done, team_action};

pub(super) struct ClaimTask;

impl TypedTool for ClaimTask {
    type Input = TaskInput;
    const NAME: &'static str = "claim_task";
    const DESCRIPTION: &'static str =
        "Take a task. Idle members get the next one automatically; claim only to choose another.";
    const CLASS: EffectClass = EffectClass::Team;
    // `update_task` claims as well.
    const IS_OFFERED: bool = false;

    fn action(&self, input: &TaskInput, _: &ToolContext) -> Result<Action, Outcome> {
        let id = input.task_id.0;
        Ok(team_action(format!("claim {id}"), id.to_string()))
    }

    async fn run(&self, input: TaskInput, context: &ToolContext) -> Reply {
        let id = input.task_id.0;
        let claimed = context.team.act_on_task(TaskAction::Claim(id)).await?;
        done(format!(
            "Claimed {id} ({}) for {}.\n{}",
            claimed.task.subject, context.caller.name, claimed.task.description
        ))
    }
}
