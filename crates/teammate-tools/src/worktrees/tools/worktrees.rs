//! `worktrees`: shows the team's worktrees, and what was changed in one.

use std::sync::Arc;

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Target, Tool, ToolContext, WorktreeName, Worktrees},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{refused, target};
use crate::{spec::spec, world::Output};

/// The tool.
pub struct ListWorktrees {
    spec: ToolSpec,
    worktrees: Arc<dyn Worktrees>,
}

#[derive(Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
enum Input {
    List,
    Diff { name: String },
}

impl ListWorktrees {
    /// Looks at these.
    pub fn new(worktrees: Arc<dyn Worktrees>) -> Self {
        Self {
            spec: spec!("worktrees", EffectClass::Reads),
            worktrees,
        }
    }

    async fn list(&self) -> Outcome {
        match self.worktrees.list().await {
            Ok(list) if list.is_empty() => Outcome::ok(
                "No worktrees. spawn_teammate(worktree: true) gives a teammate one of its own.",
            ),
            Ok(list) => {
                let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
                Outcome::ok(lines.join("\n"))
            }
            Err(error) => refused(&error),
        }
    }

    async fn diff(&self, name: &str, context: &ToolContext) -> Outcome {
        let diff = async { self.worktrees.diff(&WorktreeName::parse(name)?).await };
        match diff.await {
            Ok(text) if text.is_empty() => Outcome::ok(format!("Nothing was changed in '{name}'.")),
            Ok(text) => {
                let mut output = Output::new(context);
                output.push(text.as_bytes()).await;
                Outcome::ok(output.finish().await.text)
            }
            Err(error) => refused(&error),
        }
    }
}

impl Tool for ListWorktrees {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, context: &ToolContext) -> Result<Action, Outcome> {
        let (target, shows) = match call.input.parse()? {
            Input::List => (Target::Team, "list worktrees".to_owned()),
            Input::Diff { name } => {
                let name = WorktreeName::parse(&name).map_err(|error| refused(&error))?;
                let target = target(&*self.worktrees, &name, context);
                (target, format!("show what was changed in {name}"))
            }
        };
        Ok(Action {
            target,
            summary: shows.clone(),
            shows,
        })
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            match call.input.parse() {
                Ok(Input::List) => self.list().await,
                Ok(Input::Diff { name }) => self.diff(&name, context).await,
                Err(outcome) => outcome,
            }
        })
    }
}
