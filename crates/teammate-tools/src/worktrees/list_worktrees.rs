//! `worktrees`: shows the team's worktrees, and what was changed in one.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, Target, ToolContext, WorktreeName, Worktrees},
    tool::{EffectClass, Outcome},
};

use super::{refused, worktree_target};
use crate::{
    arguments::require,
    typed_tool::{Reply, TypedTool, done},
    workspace::BoundedOutput,
};

pub(super) struct ListWorktrees(pub(super) Arc<dyn Worktrees>);

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    action: WorktreeLook,
    #[serde(default)]
    name: String,
}

#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum WorktreeLook {
    List,
    Diff,
}

impl Input {
    fn name(&self) -> Result<WorktreeName, Outcome> {
        require(&self.name, "Error: say by `name` which worktree.")?;
        WorktreeName::parse(&self.name).map_err(|error| refused(&error))
    }
}

impl ListWorktrees {
    async fn list(&self, context: &ToolContext) -> Reply {
        let list = self.0.list().await.map_err(|error| refused(&error))?;
        if list.is_empty() {
            return done(format!(
                "No worktrees. {}(worktree: true) gives a teammate one of its own.",
                context.tool_names.of("spawn_teammate")
            ));
        }
        let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
        done(lines.join("\n"))
    }

    async fn diff(&self, name: &WorktreeName, context: &ToolContext) -> Reply {
        let text = self.0.diff(name).await.map_err(|error| refused(&error))?;
        if text.is_empty() {
            return done(format!("Nothing was changed in '{name}'."));
        }
        let mut output = BoundedOutput::new(context);
        output.push(text.as_bytes()).await;
        done(output.finish().await.text)
    }
}

impl TypedTool for ListWorktrees {
    type Input = Input;
    const NAME: &'static str = "worktrees";
    const DESCRIPTION: &'static str = "List the git worktrees of teammates and tasks: branch, commits ahead, \
        uncommitted files; or show one's diff.";
    const CLASS: EffectClass = EffectClass::Reads;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let (target, shows) = match input.action {
            WorktreeLook::List => (Target::Team, "list worktrees".to_owned()),
            WorktreeLook::Diff => {
                let name = input.name()?;
                let shows = format!("show what was changed in {name}");
                (worktree_target(&*self.0, &name, context), shows)
            }
        };
        Ok(Action {
            target,
            summary: shows.clone(),
            shows,
        })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        match input.action {
            WorktreeLook::List => self.list(context).await,
            WorktreeLook::Diff => self.diff(&input.name()?, context).await,
        }
    }
}
