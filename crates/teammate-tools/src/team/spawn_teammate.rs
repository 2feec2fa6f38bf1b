//! `spawn_teammate`: adds a teammate, or wakes one with its transcript.

use serde::Deserialize;
use teammate_core::{
    TeamName,
    model::ModelRef,
    permission::Mode,
    port::{Action, BoxFuture, Origin, Prepared, SpawnAsk, Spawned, Tool, ToolContext},
    team::Terms,
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused, unknown_mode};
use crate::spec::{one_line, spec};

/// The tool.
pub struct SpawnTeammate {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    name: String,
    #[serde(default)]
    role: Option<String>,
    prompt: String,
    #[serde(default)]
    model: Option<String>,
    #[serde(default, alias = "mode")]
    permission_mode: Option<String>,
    #[serde(default)]
    fresh: bool,
    #[serde(default, alias = "team_name")]
    team: Option<String>,
    #[serde(default)]
    worktree: bool,
    #[serde(default, alias = "plan_mode_required", alias = "plan")]
    require_plan: bool,
    #[serde(default, alias = "agent_type", alias = "subagent_type")]
    agent: Option<String>,
}

impl Input {
    fn ask(self) -> Result<SpawnAsk, Outcome> {
        let model = self
            .model
            .filter(|model| !model.is_empty())
            .map(|model| model.parse::<ModelRef>())
            .transpose()
            .map_err(|error| Outcome::error(format!("Error: {error}. Nobody was spawned.")))?;
        // Other programs call it a mode.
        let wants_plan = self.permission_mode.as_deref() == Some("plan");
        let mode = self
            .permission_mode
            .filter(|mode| !mode.is_empty() && mode != "plan")
            .map(|word| Mode::parse(&word).ok_or_else(|| unknown_mode(&word, "Nobody was spawned")))
            .transpose()?;
        let team = self
            .team
            .filter(|team| !team.is_empty())
            .map(|team| TeamName::parse(&team))
            .transpose()
            .map_err(|error| Outcome::error(format!("Error: {error}. Nobody was spawned.")))?;
        Ok(SpawnAsk {
            name: self.name,
            role: self.role.filter(|role| !role.trim().is_empty()),
            prompt: self.prompt,
            terms: Terms {
                model,
                mode,
                team,
                worktree: self.worktree,
                plan: self.require_plan || wants_plan,
                agent: self.agent.filter(|agent| !agent.is_empty()),
                ..Terms::default()
            },
            fresh: self.fresh,
        })
    }
}

fn told(spawned: &Spawned) -> String {
    let Spawned {
        name,
        role,
        woken,
        worktree,
    } = spawned;
    let mut told = if *woken {
        format!("Woke '{name}' (role: {role}) with its transcript")
    } else {
        format!("Spawned '{name}' (role: {role})")
    };
    if let Some(worktree) = worktree {
        told.push_str(&worktree_told(worktree));
    }
    told
}

fn worktree_told(Prepared { worktree, origin }: &Prepared) -> String {
    let (path, branch) = (worktree.path.display(), &worktree.branch);
    match origin {
        Origin::Kept => format!(". It works in its worktree {path} on branch {branch}, as it was"),
        Origin::Made {
            base,
            had_branch,
            left_out,
        } => {
            let from = if *had_branch {
                "which was there before, at"
            } else {
                "made from the last commit,"
            };
            let mut told = format!(
                ". It works in a worktree of its own, {path}, on branch {branch}, {from} {base}"
            );
            if *left_out > 0 {
                let s = if *left_out == 1 { "" } else { "s" };
                told.push_str(&format!(
                    ". The workspace has {left_out} file{s} with uncommitted changes; they are not in it"
                ));
            }
            told
        }
    }
}

impl SpawnTeammate {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("spawn_teammate", EffectClass::Team),
        }
    }
}

impl Default for SpawnTeammate {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for SpawnTeammate {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let ask = call.input.parse::<Input>()?.ask()?;
        let role = ask.role_or_default();
        let mut shows = format!("spawn {} (role: {role})", ask.name);
        if let Some(agent) = &ask.terms.agent {
            shows.push_str(&format!(" as {agent}"));
        }
        if let Some(model) = &ask.terms.model {
            shows.push_str(&format!(" on {model}"));
        }
        if let Some(mode) = ask.terms.mode {
            shows.push_str(&format!(" in mode {mode}"));
        }
        if ask.fresh {
            shows.push_str(" with a new memory");
        }
        if ask.terms.worktree {
            shows.push_str(" in a git worktree of its own");
        }
        let summary = format!("{} ({role}): {}", ask.name, one_line(&ask.prompt, 60));
        if ask.terms.plan {
            shows.push_str("; it needs an approved plan before it does more than read");
        }
        Ok(action(format!("{shows}:\n{}", ask.prompt), summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let ask = match call.input.parse().and_then(Input::ask) {
                Ok(ask) => ask,
                Err(outcome) => return outcome,
            };
            spawn(context, ask).await
        })
    }
}

/// Spawns, and says what became of it.
pub(super) async fn spawn(context: &ToolContext, ask: SpawnAsk) -> Outcome {
    match context.office.spawn(&context.caller, ask).await {
        Ok(spawned) => Outcome::ok(told(&spawned)),
        Err(refusal) => refused(&refusal),
    }
}
