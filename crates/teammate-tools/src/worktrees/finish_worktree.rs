//! `finish_worktree`: merges a worktree's branch, removes a worktree, or marks it to be kept.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    event::MergeEnd,
    lock::Hold,
    port::{
        Action, BoxFuture, GuardedFile, MemberSummary, RemovalReason, Target, ToolContext,
        WorktreeError, WorktreeName, Worktrees,
    },
    tool::{EffectClass, Outcome},
};

use super::{refused, worktree_target};
use crate::{
    typed_tool::{Reply, TypedTool},
    workspace::KnownFiles,
};

pub(super) struct FinishWorktree {
    worktrees: Arc<dyn Worktrees>,
    /// The files that a merge was decided on after they were shown: those that decide what programs do later.
    shown: Mutex<BTreeMap<WorktreeName, Vec<GuardedFile>>>,
    /// A merge changes files as a command does.
    known: KnownFiles,
}

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
    pub(super) fn new(worktrees: Arc<dyn Worktrees>, known: KnownFiles) -> Self {
        Self {
            worktrees,
            shown: Mutex::default(),
            known,
        }
    }

    /// A merge that brings such files is a write to them: the user is asked, and sees what is in them.
    async fn look(&self, name: &WorktreeName, mut action: Action) -> Result<Action, Outcome> {
        // What cannot be looked at is refused when it is to be done.
        let changes = self.worktrees.guarded(name).await.unwrap_or_default();
        if let (Some(first), Target::Path(place)) = (changes.first(), &mut action.target) {
            place.written = PathBuf::from(&first.file.path);
            place.resolved.clone_from(&place.written);
            action.shows.push_str(
                ", with files that decide what your programs do later, as its member has made them:",
            );
            for change in &changes {
                action
                    .shows
                    .push_str(&format!("\n\n{}:\n{}", change.file, change.diff));
            }
        }
        let files = changes.into_iter().map(|change| change.file).collect();
        self.shown.hold().insert(name.clone(), files);
        Ok(action)
    }

    async fn finish(
        &self,
        name: &WorktreeName,
        finish: FinishAction,
        context: &ToolContext,
    ) -> Reply {
        let done = match finish {
            FinishAction::Merge => {
                let text = format!("{} {name}", Self::NAME);
                let _running = self.known.command(&context.caller.name, text);
                return self.merge(name).await;
            }
            FinishAction::Keep => {
                let kept = self.worktrees.keep(name).await;
                kept.map(|worktree| format!("Kept {}", worktree.path.display()))
            }
            FinishAction::Remove => {
                require_unused(name, context)?;
                let removed = self.worktrees.remove(name, RemovalReason::Asked).await;
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

    /// Merges. The outcome tells the result to those who watch, too.
    async fn merge(&self, name: &WorktreeName) -> Reply {
        let accepted = self.shown.hold().remove(name).unwrap_or_default();
        let error = match self.worktrees.merge_with(name, accepted).await {
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
        if merged. keep: no clean-up removes it.";
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
            target: worktree_target(&*self.worktrees, &name, context),
            summary: shows.clone(),
            shows,
        })
    }

    fn preview<'a>(
        &'a self,
        input: &Input,
        action: &Action,
        _context: &'a ToolContext,
    ) -> Option<BoxFuture<'a, Result<Action, Outcome>>> {
        let (name, action) = (input.name().ok()?, action.clone());
        match input.action {
            FinishAction::Merge => Some(Box::pin(async move { self.look(&name, action).await })),
            FinishAction::Remove | FinishAction::Keep => None,
        }
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        self.finish(&input.name()?, input.action, context).await
    }
}
