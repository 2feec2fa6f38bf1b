//! `task`: delegates a piece of work in one of three ways: a subagent that is waited for, a subagent in the
//! background, or a persistent teammate.

use std::io::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    GroupName,
    model::ModelRef,
    port::{Action, JobContext, NewJob, SpawnArgs, SubagentArgs, ToolContext},
    team::{GENERAL_AGENT, MemberOptions, agent_type_of},
    tool::{EffectClass, Outcome},
};
use teammate_process::{blocking, resolved};

use super::{
    member_terms::{Isolation, ModeOrPlan},
    spawn_teammate,
};
use crate::{
    arguments::{Given, require},
    display::job_started,
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct TaskTool;

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Input {
    prompt: String,
    #[serde(default)]
    #[schemars(skip)]
    description: String,
    /// explore, plan: read-only; general (default); or a definition.
    #[serde(default, alias = "subagent_type", alias = "agent")]
    agent_type: String,
    #[serde(default, alias = "background")]
    run_in_background: bool,
    #[serde(default)]
    model: Given<ModelRef>,
    // With a name it spawns a teammate, as other programs have it; models are shown `spawn_teammate` for that.
    #[serde(default)]
    #[schemars(skip)]
    name: Given<String>,
    #[serde(default, alias = "team_name")]
    #[schemars(skip)]
    team: Given<GroupName>,
    #[serde(default, alias = "permission_mode")]
    #[schemars(skip)]
    mode: Given<ModeOrPlan>,
    #[serde(default, alias = "plan_mode_required", alias = "plan")]
    #[schemars(skip)]
    require_plan: bool,
    #[serde(default)]
    #[schemars(skip)]
    isolation: Given<Isolation>,
    #[serde(default)]
    #[schemars(skip)]
    worktree: bool,
}

/// The member that does it.
enum Delegation {
    Wait(SubagentArgs),
    Background(SubagentArgs),
    Teammate(SpawnArgs),
}

impl Input {
    fn delegation(self) -> Result<Delegation, Outcome> {
        require(
            &self.prompt,
            "Error: the prompt is empty; say what to do. Nothing was started.",
        )?;
        let title = match self.description.trim() {
            "" => one_line(&self.prompt, 60),
            description => one_line(description, 100),
        };
        if let Some(name) = self.name.0 {
            let (mode, wants_plan) = ModeOrPlan::terms(self.mode.0);
            let terms = MemberOptions {
                model: self.model.0,
                group: self.team.0,
                mode,
                require_plan: self.require_plan || wants_plan,
                worktree: self.worktree || Isolation::is_worktree(self.isolation.0),
                // A teammate of the general kind needs no agent definition.
                agent: Some(self.agent_type).filter(|kind| agent_type_of(kind) != GENERAL_AGENT),
                ..MemberOptions::default()
            };
            return Ok(Delegation::Teammate(SpawnArgs {
                name,
                role: Some(title).filter(|_| !self.description.trim().is_empty()),
                prompt: self.prompt,
                options: terms,
                fresh: false,
            }));
        }
        if let Some(term) = self.term_of_teammate() {
            return Err(Outcome::error(format!(
                "Error: a subagent has no {term}: it works where you work, with your rules; agent_type explore or plan \
                 only reads. A teammate has one: give it a name. Nothing was started."
            )));
        }
        let ask = SubagentArgs {
            kind: self.agent_type,
            title,
            prompt: self.prompt,
            model: self.model.0,
        };
        Ok(if self.run_in_background {
            Delegation::Background(ask)
        } else {
            Delegation::Wait(ask)
        })
    }
}

impl Input {
    /// An argument that only a teammate can be given, if the call has one.
    fn term_of_teammate(&self) -> Option<&'static str> {
        let is_apart = self.worktree || Isolation::is_worktree(self.isolation.0);
        [
            (self.team.0.is_some(), "team"),
            (self.mode.0.is_some(), "permission mode of its own (mode)"),
            (self.require_plan, "plan to be approved (require_plan)"),
            (is_apart, "worktree (isolation)"),
        ]
        .into_iter()
        .find_map(|(is_given, term)| is_given.then_some(term))
    }
}

impl TypedTool for TaskTool {
    type Input = Input;
    const NAME: &'static str = "task";
    const DESCRIPTION: &'static str = "Delegate to a subagent: it knows only the prompt, cannot ask, and returns its \
        final text. Several calls in one answer run in parallel. run_in_background: a job id, and a notice at the end.";
    const CLASS: EffectClass = EffectClass::Delegates;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let (head, title, prompt) = match input.clone().delegation()? {
            Delegation::Wait(ask) => (subagent(&ask), ask.title, ask.prompt),
            Delegation::Background(ask) => {
                let head = format!("{} in the background", subagent(&ask));
                (head, ask.title, ask.prompt)
            }
            Delegation::Teammate(ask) => {
                let head = format!("teammate {}", ask.name);
                (head, ask.role_or_default().to_owned(), ask.prompt)
            }
        };
        Ok(team_action(
            format!("{head}:\n{prompt}"),
            format!("{head}: {title}"),
        ))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        match input.delegation()? {
            Delegation::Wait(ask) => Ok(context.team.subagent(ask)?.await),
            Delegation::Background(ask) => in_background(context, ask).await,
            Delegation::Teammate(ask) => done(spawn_teammate::spawned_text(
                &context.team.spawn(ask).await?,
            )),
        }
    }
}

fn subagent(ask: &SubagentArgs) -> String {
    let kind = match ask.kind.as_str() {
        "" => GENERAL_AGENT,
        kind => kind,
    };
    format!("subagent {kind}")
}

async fn in_background(context: &ToolContext, ask: SubagentArgs) -> Reply {
    let title = format!("{}: {}", subagent(&ask), ask.title);
    let work = context.team.subagent(ask)?;
    let work = move |room: JobContext| async move {
        let outcome = tokio::select! {
            outcome = work => outcome,
            () = room.stopped => Outcome::error("The subagent was stopped."),
        };
        // The notice has the beginning of it; a file that cannot be written takes away the rest only.
        let text = outcome.text();
        let _ =
            blocking::run(move |_| resolved::new_file(&room.output)?.write_all(text.as_bytes()))
                .await;
        outcome
    };
    let job = NewJob {
        title,
        acts: false,
        work: Box::new(|room| Box::pin(work(room))),
    };
    let view = context.team.start_job(job).await?;
    done(job_started(&view, "Its result goes to", context))
}
