//! `finish_worktree`: merges a worktree's branch, removes a worktree, or marks it to be kept.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    event::MergeEnd,
    port::{
        Action, MemberSummary, RemovalReason, ToolContext, WorktreeError, WorktreeName, Worktrees,
    },
    tool::{EffectClass, Outcome},
};

use super::{refused, worktree_target};
use crate::{
    typed_tool::{Reply, TypedTool},
    workspace::KnownFiles,
};

/// Works on these. A merge changes files as a command does.
pub(super) struct FinishWorktree(pub(super) Arc<dyn Worktrees>, pub(super) KnownFiles);

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    name: String,
    action: FinishAction,
}

#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum FinishAction {
    Merge,
    Remove,
    Keep,
}

impl Input {
    fn name(&self) -> Result<WorktreeName, Outcome> {
        WorktreeName::parse(&self.name).map_err(|error| refused(&error))
    }
}

impl FinishWorktree {
    async fn finish(
        &self,
        name: &WorktreeName,
        finish: FinishAction,
        context: &ToolContext,
    ) -> Reply {
        let done = match finish {
            FinishAction::Merge => {
                let text = format!("{} {name}", Self::NAME);
                let _running = self.1.command(&context.caller.name, text);
                return self.merge(name).await;
            }
            FinishAction::Keep => {
                let kept = self.0.keep(name).await;
                kept.map(|worktree| format!("Kept {}", worktree.path.display()))
            }
            FinishAction::Remove => {
                require_unused(name, context)?;
                let removed = self.0.remove(name, RemovalReason::Asked).await;
                removed.map(|worktree| {
                    format!(
                        "Removed the worktree '{name}' and its branch {}. Spawn '{name}' again to give it a new one",
                        worktree.branch
                    )
                })
            }
        };
        done.map(Outcome::ok).map_err(|error| refused(&error))
    }

    /// What came of it is in the outcome, too, for those who watch.
    async fn merge(&self, name: &WorktreeName) -> Reply {
        let error = match self.0.merge(name).await {
            Ok(merged) => {
                return Ok(Outcome {
                    merge: Some(Box::new(MergeEnd::merged(name.as_str()))),
                    ..Outcome::ok(merged.to_string())
                });
            }
            Err(error) => error,
        };
        let mut outcome = refused(&error);
        if let WorktreeError::Conflict { files, .. } = &error {
            outcome.merge = Some(Box::new(MergeEnd::conflict(name.as_str(), files)));
        }
        Err(outcome)
    }
}

/// Nobody's directory vanishes while it works there.
fn require_unused(name: &WorktreeName, context: &ToolContext) -> Result<(), Outcome> {
    let is_in_use = |line: &MemberSummary| line.is_busy && line.name.as_str() == name.as_str();
    if context.team.roster().iter().any(is_in_use) {
        return Err(Outcome::error(format!(
            "Error: '{name}' works in it; remove it when its turn has ended"
        )));
    }
    Ok(())
}

impl TypedTool for FinishWorktree {
    type Input = Input;
    const NAME: &'static str = "finish_worktree";
    const DESCRIPTION: &'static str = "merge: into the current branch, wholly or not at all; commit there first. remove: with its branch, \
        if all is merged. keep: no clean-up removes it.";
    const CLASS: EffectClass = EffectClass::Writes;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let name = input.name()?;
        let shows = match input.action {
            FinishAction::Merge => {
                format!("merge the worktree '{name}' into the workspace's branch")
            }
            FinishAction::Remove => format!("remove the worktree '{name}' and its branch"),
            FinishAction::Keep => format!("keep the worktree '{name}'"),
        };
        Ok(Action {
            target: worktree_target(&*self.0, &name, context),
            summary: shows.clone(),
            shows,
        })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        self.finish(&input.name()?, input.action, context).await
    }
}
