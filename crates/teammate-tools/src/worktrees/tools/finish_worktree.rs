//! `finish_worktree`: merges a worktree's branch, removes a worktree, or marks it to be kept.

use std::sync::Arc;

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Removal, RosterLine, Tool, ToolContext, WorktreeName, Worktrees},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{refused, target};
use crate::spec::spec;

/// The tool.
pub struct FinishWorktree {
    spec: ToolSpec,
    worktrees: Arc<dyn Worktrees>,
}

#[derive(Deserialize)]
struct Input {
    name: String,
    action: Finish,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Finish {
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
    /// Works on these.
    pub fn new(worktrees: Arc<dyn Worktrees>) -> Self {
        Self {
            spec: spec!("finish_worktree", EffectClass::Writes),
            worktrees,
        }
    }

    async fn finish(
        &self,
        name: &WorktreeName,
        finish: Finish,
        context: &ToolContext,
    ) -> Result<String, Outcome> {
        let done = match finish {
            Finish::Merge => self
                .worktrees
                .merge(name)
                .await
                .map(|merged| merged.to_string()),
            Finish::Keep => {
                let kept = self.worktrees.keep(name).await;
                kept.map(|worktree| format!("Kept {}", worktree.path.display()))
            }
            Finish::Remove => {
                is_not_in_use(name, context).await?;
                let removed = self.worktrees.remove(name, Removal::Asked).await;
                removed.map(|worktree| {
                    format!(
                        "Removed the worktree '{name}' and its branch {}. Spawn '{name}' again to give it a new one",
                        worktree.branch
                    )
                })
            }
        };
        done.map_err(|error| refused(&error))
    }
}

/// Nobody's directory vanishes while it works there.
async fn is_not_in_use(name: &WorktreeName, context: &ToolContext) -> Result<(), Outcome> {
    let roster = context.office.roster().await;
    let is_in_use = |line: &RosterLine| line.is_busy && line.name.as_str() == name.as_str();
    if roster.iter().any(is_in_use) {
        return Err(Outcome::error(format!(
            "Error: '{name}' works in it; remove it when its turn has ended"
        )));
    }
    Ok(())
}

impl Tool for FinishWorktree {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let name = input.name()?;
        let shows = match input.action {
            Finish::Merge => format!("merge the worktree '{name}' into the workspace's branch"),
            Finish::Remove => format!("remove the worktree '{name}' and its branch"),
            Finish::Keep => format!("keep the worktree '{name}'"),
        };
        Ok(Action {
            target: target(&*self.worktrees, &name, context),
            summary: shows.clone(),
            shows,
        })
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let work = async {
                let input: Input = call.input.parse()?;
                self.finish(&input.name()?, input.action, context).await
            };
            work.await.map_or_else(|outcome| outcome, Outcome::ok)
        })
    }
}
