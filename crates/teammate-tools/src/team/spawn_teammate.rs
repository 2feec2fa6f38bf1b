//! `spawn_teammate`: adds a teammate, or wakes one with its transcript.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    GroupName,
    model::{Effort, ModelRef},
    permission::Mode,
    port::{Action, PreparedWorktree, SpawnArgs, SpawnedTeammate, ToolContext, WorktreeOrigin},
    team::MemberOptions,
    tool::{EffectClass, Outcome},
};

use super::member_terms::{Isolation, ModeOrPlan};
use crate::{
    arguments::Given,
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct SpawnTeammate;

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Input {
    name: String,
    #[serde(default)]
    role: Given<String>,
    prompt: String,
    /// PROVIDER:NAME
    #[serde(default)]
    model: Given<ModelRef>,
    // Without its words, which a wrong one is answered with: each request pays for the schema.
    #[serde(default)]
    effort: Given<Effort>,
    /// At most yours.
    #[serde(default, alias = "mode")]
    #[schemars(extend("enum" = Mode::ALL.map(|(_, word)| word)))]
    permission_mode: Given<ModeOrPlan>,
    #[serde(default)]
    fresh: bool,
    #[serde(default, alias = "team_name")]
    team: Given<GroupName>,
    /// Own branch, merged by {tool:finish_worktree}.
    #[serde(default)]
    worktree: bool,
    #[serde(default)]
    #[schemars(skip)]
    isolation: Given<Isolation>,
    /// Read-only until {tool:review_plan}.
    #[serde(default, alias = "plan_mode_required", alias = "plan")]
    require_plan: bool,
    /// Agent definition.
    #[serde(default, alias = "agent_type", alias = "subagent_type")]
    agent: Given<String>,
}

impl From<Input> for SpawnArgs {
    fn from(input: Input) -> Self {
        let (mode, wants_plan) = ModeOrPlan::terms(input.permission_mode.0);
        Self {
            name: input.name,
            role: input.role.0,
            prompt: input.prompt,
            options: MemberOptions {
                model: input.model.0,
                effort: input.effort.0,
                mode,
                group: input.team.0,
                worktree: input.worktree || Isolation::is_worktree(input.isolation.0),
                require_plan: input.require_plan || wants_plan,
                agent: input.agent.0,
                ..MemberOptions::default()
            },
            fresh: input.fresh,
        }
    }
}

impl TypedTool for SpawnTeammate {
    type Input = Input;
    const NAME: &'static str = "spawn_teammate";
    const DESCRIPTION: &'static str = "Add a persistent teammate that does prompt and mails its result, or wake an idle or stopped \
        one with its memory (fresh: without). It sees only the prompt.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let ask = SpawnArgs::from(input.clone());
        let role = ask.role_or_default();
        let mut shows = format!("spawn {} (role: {role})", ask.name);
        if let Some(agent) = &ask.options.agent {
            shows.push_str(&format!(" as {agent}"));
        }
        if let Some(model) = &ask.options.model {
            shows.push_str(&format!(" on {model}"));
        }
        if let Some(effort) = ask.options.effort {
            shows.push_str(&format!(" at effort {effort}"));
        }
        if let Some(mode) = ask.options.mode {
            shows.push_str(&format!(" in mode {mode}"));
        }
        if ask.fresh {
            shows.push_str(" with a new memory");
        }
        if ask.options.worktree {
            shows.push_str(" in its own git worktree");
        }
        let summary = format!("{} ({role}): {}", ask.name, one_line(&ask.prompt, 60));
        if ask.options.require_plan {
            shows.push_str("; it may only read until its plan is approved");
        }
        Ok(team_action(format!("{shows}:\n{}", ask.prompt), summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        done(spawned_text(&context.team.spawn(input.into()).await?))
    }
}

pub(super) fn spawned_text(spawned: &SpawnedTeammate) -> String {
    let SpawnedTeammate {
        name,
        role,
        woken,
        worktree,
        waits_for,
    } = spawned;
    let mut told = if *woken {
        format!("Woke '{name}' (role: {role}) with its transcript")
    } else {
        format!("Spawned '{name}' (role: {role})")
    };
    if let Some(worktree) = worktree {
        told.push_str(&worktree_text(worktree));
    }
    if let Some(why) = waits_for {
        told.push_str(&format!(
            ". It does not run yet: {why}. It begins when such a worker is there"
        ));
    }
    told
}

fn worktree_text(PreparedWorktree { worktree, origin }: &PreparedWorktree) -> String {
    let (path, branch) = (worktree.path.display(), &worktree.branch);
    match origin {
        WorktreeOrigin::Existing => {
            format!(". It works in its worktree {path} on branch {branch}, as it was")
        }
        WorktreeOrigin::Created {
            base,
            had_branch,
            left_out,
            furnished,
        } => {
            let from = if *had_branch {
                "which was there before, at"
            } else {
                "made from the last commit,"
            };
            let mut told = format!(
                ". It works in its own worktree, {path}, on branch {branch}, {from} {base}"
            );
            if *left_out > 0 {
                let s = if *left_out == 1 { "" } else { "s" };
                told.push_str(&format!(
                    ". The workspace has {left_out} file{s} with uncommitted changes; they are not in it"
                ));
            }
            if !furnished.is_empty() {
                told.push_str(&format!(
                    ". {}",
                    furnished.to_string().trim_end_matches('.')
                ));
            }
            told
        }
    }
}
