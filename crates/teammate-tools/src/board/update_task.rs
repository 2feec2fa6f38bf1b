//! `update_task`: changes a task: its state, owner, words or order.

use serde::Deserialize;
use teammate_core::{
    MemberName,
    board::{Requirement, TaskAsk, TaskEdit, TaskId},
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{
    IdInput, action,
    completing::{Uncommitted, complete},
    freed, ids, refused,
};
use crate::spec::{one_line, spec};

/// The tool.
pub struct UpdateTask {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "taskId", alias = "id")]
    task_id: IdInput,
    #[serde(default)]
    status: Option<String>,
    #[serde(default, alias = "why")]
    reason: String,
    #[serde(default)]
    result: String,
    #[serde(default, alias = "assign_to")]
    owner: Option<String>,
    #[serde(default)]
    subject: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default, alias = "activeForm")]
    active_form: Option<String>,
    #[serde(default, alias = "addBlockedBy")]
    add_blocked_by: Vec<IdInput>,
    #[serde(default, alias = "removeBlockedBy")]
    remove_blocked_by: Vec<IdInput>,
    #[serde(default, alias = "addBlocks")]
    add_blocks: Vec<IdInput>,
    #[serde(default)]
    requires: Option<String>,
    #[serde(default)]
    check: Option<String>,
    #[serde(default)]
    leave_uncommitted: bool,
}

impl Input {
    /// Everything that is asked for, in an order that makes sense: words first, then whose it is, then how far it is.
    fn asks(self, caller: &MemberName) -> Result<(TaskId, Vec<TaskAsk>), Outcome> {
        let id = self.task_id.parse()?;
        let mut asks = Vec::new();
        let edit = TaskEdit {
            subject: self.subject,
            description: self.description,
            active_form: self.active_form,
            add_blocked_by: ids(&self.add_blocked_by)?,
            remove_blocked_by: ids(&self.remove_blocked_by)?,
            add_blocks: ids(&self.add_blocks)?,
            requires: match self.requires.as_deref().map(str::trim) {
                None => None,
                Some("") => Some(None),
                Some(text) => Some(Some(text.parse::<Requirement>().map_err(wrong)?)),
            },
            check: self
                .check
                .map(|check| Some(check).filter(|check| !check.trim().is_empty())),
        };
        if edit != TaskEdit::default() {
            asks.push(TaskAsk::Edit(id, Box::new(edit)));
        }
        if let Some(owner) = self.owner.filter(|owner| !owner.is_empty()) {
            let owner = MemberName::parse(&owner).map_err(wrong)?;
            // Who names itself as the owner means to take it.
            asks.push(if owner == *caller {
                TaskAsk::Claim(id)
            } else {
                TaskAsk::Assign(id, owner)
            });
        }
        let reason = match (self.reason.is_empty(), self.result.is_empty()) {
            (true, false) => self.result.clone(),
            (true, true) => "no reason was given".to_owned(),
            (false, _) => self.reason.clone(),
        };
        match self.status.as_deref() {
            None | Some("") => {}
            Some("pending") if caller.is_lead() => asks.push(TaskAsk::Reopen(id, self.reason)),
            Some("pending") => asks.push(TaskAsk::Release(id, reason)),
            Some("in_progress") => asks.push(TaskAsk::Claim(id)),
            Some("completed") => asks.push(TaskAsk::Complete(
                id,
                if self.result.is_empty() {
                    self.reason
                } else {
                    self.result
                },
            )),
            Some("failed") => asks.push(TaskAsk::Fail(id, reason)),
            Some("deleted") => asks.push(TaskAsk::Delete(id)),
            Some(other) => {
                return Err(Outcome::error(format!(
                    "Error: there is no status '{other}'; write pending, in_progress, completed, failed or deleted. Nothing was changed."
                )));
            }
        }
        asks.dedup();
        if asks.is_empty() {
            return Err(Outcome::error(
                "Error: say what to change: status, owner, subject, description, order or demands.",
            ));
        }
        Ok((id, asks))
    }
}

fn wrong(error: impl std::fmt::Display) -> Outcome {
    Outcome::error(format!("Error: {error}. Nothing was changed."))
}

impl UpdateTask {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("update_task", EffectClass::Team),
        }
    }
}

impl Default for UpdateTask {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for UpdateTask {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, context: &ToolContext) -> Result<Action, Outcome> {
        let (id, asks) = call.input.parse::<Input>()?.asks(&context.caller.name)?;
        let asks: Vec<&str> = asks.iter().map(word).collect();
        let summary = format!("{id}: {}", asks.join(", "));
        Ok(action(format!("update {summary}"), one_line(&summary, 80)))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let asked = call.input.parse().and_then(|input: Input| {
                let uncommitted = Uncommitted::left_if(input.leave_uncommitted);
                let (id, asks) = input.asks(&context.caller.name)?;
                Ok((id, asks, uncommitted))
            });
            let (id, asks, uncommitted) = match asked {
                Ok(asked) => asked,
                Err(outcome) => return outcome,
            };
            let mut told = Vec::new();
            for ask in asks {
                let what = word(&ask);
                let done = match ask {
                    TaskAsk::Complete(id, result) => {
                        complete(context, id, result, uncommitted).await
                    }
                    ask => context.tasks.ask(&context.caller, ask).await,
                };
                match done {
                    Ok(done) => told.push(format!(
                        "{id} {what}; it is {} now.{}",
                        done.task.state.word(),
                        freed(&done)
                    )),
                    Err(refusal) if told.is_empty() => return refused(&refusal),
                    Err(refusal) => {
                        return Outcome::error(format!("{}\nBut then: {refusal}", told.join("\n")));
                    }
                }
            }
            Outcome::ok(told.join("\n"))
        })
    }
}

fn word(ask: &TaskAsk) -> &'static str {
    match ask {
        TaskAsk::Create(_) => "created",
        TaskAsk::Edit(..) => "changed",
        TaskAsk::Claim(_) => "claimed",
        TaskAsk::Complete(..) => "completed",
        TaskAsk::Fail(..) => "given up",
        TaskAsk::Release(..) => "given back",
        TaskAsk::Assign(..) => "assigned",
        TaskAsk::Reopen(..) => "opened again",
        TaskAsk::Delete(_) => "deleted",
    }
}
