//! `update_task`: changes a task: its state, owner, words or order.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    MemberName,
    board::{Requirement, TaskAction, TaskEdit},
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::{
    completing::{Uncommitted, complete},
    unblocked_text,
};
use crate::{
    arguments::{Given, TaskNumber, ids},
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct UpdateTask;

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "taskId", alias = "id")]
    task_id: TaskNumber,
    #[serde(default)]
    #[schemars(with = "Option<Status>")]
    status: Given<Status>,
    #[serde(default, alias = "why")]
    reason: String,
    #[serde(default)]
    #[schemars(skip)]
    result: String,
    #[serde(default, alias = "assign_to")]
    owner: Given<MemberName>,
    #[serde(default)]
    #[schemars(skip)]
    subject: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default, alias = "activeForm")]
    #[schemars(skip)]
    active_form: Option<String>,
    #[serde(default, alias = "addBlockedBy")]
    add_blocked_by: Vec<TaskNumber>,
    #[serde(default, alias = "removeBlockedBy")]
    remove_blocked_by: Vec<TaskNumber>,
    #[serde(default, alias = "addBlocks")]
    #[schemars(skip)]
    add_blocks: Vec<TaskNumber>,
    // Missing: not changed; empty: removed.
    #[serde(default)]
    #[schemars(skip)]
    requires: Option<Given<Requirement>>,
    #[serde(default)]
    check: Option<String>,
    #[serde(default)]
    #[schemars(skip)]
    leave_uncommitted: bool,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Pending,
    InProgress,
    Completed,
    Failed,
    Deleted,
}

impl Input {
    /// All requested changes in a useful order: texts first, then the owner, then the status.
    fn into_actions(self, caller: &MemberName) -> Result<Vec<TaskAction>, Outcome> {
        let id = self.task_id.0;
        let mut asks = Vec::new();
        let edit = TaskEdit {
            subject: self.subject,
            description: self.description,
            active_form: self.active_form,
            add_blocked_by: ids(&self.add_blocked_by),
            remove_blocked_by: ids(&self.remove_blocked_by),
            add_blocks: ids(&self.add_blocks),
            requires: self.requires.map(|requires| requires.0),
            check: self
                .check
                .map(|check| Some(check).filter(|check| !check.trim().is_empty())),
        };
        if edit != TaskEdit::default() {
            asks.push(TaskAction::Edit(id, Box::new(edit)));
        }
        if let Some(owner) = self.owner.0 {
            // Who names itself as the owner means to take it.
            asks.push(if owner == *caller {
                TaskAction::Claim(id)
            } else {
                TaskAction::Assign(id, owner)
            });
        }
        let reason = match (self.reason.is_empty(), self.result.is_empty()) {
            (true, false) => self.result.clone(),
            (true, true) => "no reason was given".to_owned(),
            (false, _) => self.reason.clone(),
        };
        match self.status.0 {
            None => {}
            Some(Status::Pending) if caller.is_lead() => {
                asks.push(TaskAction::Reopen(id, self.reason));
            }
            Some(Status::Pending) => asks.push(TaskAction::Release(id, reason)),
            Some(Status::InProgress) => asks.push(TaskAction::Claim(id)),
            Some(Status::Completed) => asks.push(TaskAction::Complete(
                id,
                if self.result.is_empty() {
                    self.reason
                } else {
                    self.result
                },
            )),
            Some(Status::Failed) => asks.push(TaskAction::Fail(id, reason)),
            Some(Status::Deleted) => asks.push(TaskAction::Delete(id)),
        }
        asks.dedup();
        if asks.is_empty() {
            return Err(Outcome::error(
                "Error: say what to change: status, owner, subject, description, blockers, requirement or check.",
            ));
        }
        Ok(asks)
    }
}

impl TypedTool for UpdateTask {
    type Input = Input;
    const NAME: &'static str = "update_task";
    const DESCRIPTION: &'static str = "Change a task. status: pending gives it back (lead: reopens), in_progress \
        takes it, failed needs reason. Its owner sets status and description; the rest is the lead's.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let asks = input.clone().into_actions(&context.caller.name)?;
        let asks: Vec<&str> = asks.iter().map(word).collect();
        let summary = format!("{}: {}", input.task_id.0, asks.join(", "));
        Ok(team_action(
            format!("update {summary}"),
            one_line(&summary, 80),
        ))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let id = input.task_id.0;
        let uncommitted = Uncommitted::left_if(input.leave_uncommitted);
        let mut told = Vec::new();
        for ask in input.into_actions(&context.caller.name)? {
            let what = word(&ask);
            let changed = match ask {
                TaskAction::Complete(id, result) => {
                    complete(context, id, result, uncommitted).await
                }
                ask => context.team.act_on_task(ask).await,
            };
            match changed {
                Ok(changed) => told.push(format!(
                    "{id} {what}; it is {} now.{}",
                    changed.task.status.word(),
                    unblocked_text(&changed)
                )),
                Err(refusal) if told.is_empty() => return Err(refusal.into()),
                Err(refusal) => {
                    let told = told.join("\n");
                    return Err(Outcome::error(format!("{told}\nBut then: {refusal}")));
                }
            }
        }
        done(told.join("\n"))
    }
}

fn word(ask: &TaskAction) -> &'static str {
    match ask {
        TaskAction::Create(_) => "created",
        TaskAction::Edit(..) => "changed",
        TaskAction::Claim(_) => "claimed",
        TaskAction::Complete(..) => "completed",
        TaskAction::Fail(..) => "given up",
        TaskAction::Release(..) => "given back",
        TaskAction::Assign(..) => "assigned",
        TaskAction::Reopen(..) => "opened again",
        TaskAction::Delete(_) => "deleted",
    }
}
