//! `create_task`: puts a task on the board.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    GroupName, MemberName,
    board::{NewTask, Requirement, TaskAction},
    cause::Cause,
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::id_list;
use crate::{
    arguments::{Given, TaskNumber, ids},
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct CreateTask;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    subject: String,
    #[serde(default)]
    description: String,
    #[serde(default, alias = "activeForm")]
    #[schemars(skip)]
    active_form: String,
    #[serde(default, alias = "blockedBy")]
    blocked_by: Vec<TaskNumber>,
    #[serde(default)]
    #[schemars(skip)]
    blocks: Vec<TaskNumber>,
    /// role:WORD or tool:NAME
    #[serde(default)]
    requires: Given<Requirement>,
    #[serde(default)]
    check: Given<String>,
    #[serde(default, alias = "assign_to")]
    owner: Given<MemberName>,
    #[serde(default)]
    worktree: bool,
    #[serde(default)]
    team: Given<GroupName>,
}

impl From<Input> for NewTask {
    fn from(input: Input) -> Self {
        Self {
            blocked_by: ids(&input.blocked_by),
            blocks: ids(&input.blocks),
            requires: input.requires.0,
            team: input.team.0,
            assigned: input.owner.0,
            check: input.check.0,
            subject: input.subject,
            description: input.description,
            active_form: input.active_form,
            worktree: input.worktree,
            // The harness stamps it.
            call: Cause::default(),
        }
    }
}

impl TypedTool for CreateTask {
    type Input = Input;
    const NAME: &'static str = "create_task";
    const DESCRIPTION: &'static str = "Put a task on the board. Idle teammates take ready tasks in order; you get one \
        notice when all are finished or none can continue. description: all its owner must know. check: a command \
        that must exit 0 before completion.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let summary = one_line(&input.subject, 80);
        let mut shows = format!("create a task: {}", input.subject);
        if let Some(check) = &input.check.0 {
            shows.push_str(&format!("\ncheck: {check}"));
        }
        Ok(team_action(shows, summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let ask = TaskAction::Create(Box::new(input.into()));
        let created = context.team.act_on_task(ask).await?;
        let task = &created.task;
        let after = match task.blocked_by.is_empty() {
            true => String::new(),
            false => format!(" (blocked by {})", id_list(&task.blocked_by)),
        };
        let nobody = match (created.has_no_candidate, &task.requires) {
            (false, _) => String::new(),
            (true, Some(requires)) => format!(". No teammate meets {requires} yet"),
            (true, None) => ". There is no teammate for it yet".to_owned(),
        };
        done(format!(
            "Created {}: {}{after}{nobody}",
            task.id, task.subject
        ))
    }
}
