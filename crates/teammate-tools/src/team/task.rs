//! `task`: has somebody else do a piece of work, in one of three ways: a subagent that is waited for, a subagent in the
//! background, or a persistent teammate.

use std::io::Write as _;

use serde::Deserialize;
use teammate_core::{
    TeamName,
    model::ModelRef,
    port::{Action, BoxFuture, JobRoom, NewJob, SpawnAsk, SubagentAsk, Tool, ToolContext},
    team::Terms,
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused, spawn_teammate};
use crate::{
    beneath::resolved,
    blocking,
    shown::shown_path,
    spec::{one_line, spec},
};

/// The tool.
pub struct Task {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    description: String,
    prompt: String,
    #[serde(default, alias = "subagent_type", alias = "agent")]
    agent_type: String,
    #[serde(default, alias = "background")]
    run_in_background: bool,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, alias = "team_name")]
    team: Option<String>,
}

/// What is asked for.
enum Way {
    Wait(SubagentAsk),
    Background(SubagentAsk),
    Teammate(SpawnAsk),
}

impl Input {
    fn way(self) -> Result<Way, Outcome> {
        if self.prompt.trim().is_empty() {
            return Err(Outcome::error(
                "Error: the prompt is empty; say what is to be done. Nobody was started.",
            ));
        }
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let model = given(self.model)
            .map(|model| model.parse::<ModelRef>())
            .transpose()
            .map_err(wrong)?;
        let team = given(self.team)
            .map(|team| TeamName::parse(&team))
            .transpose()
            .map_err(wrong)?;
        let title = match self.description.trim() {
            "" => one_line(&self.prompt, 60),
            description => one_line(description, 100),
        };
        if let Some(name) = given(self.name) {
            let terms = Terms {
                model,
                team,
                agent: Some(self.agent_type).filter(|kind| !is_general(kind)),
                ..Terms::default()
            };
            return Ok(Way::Teammate(SpawnAsk {
                name,
                role: Some(title).filter(|_| !self.description.trim().is_empty()),
                prompt: self.prompt,
                terms,
                fresh: false,
            }));
        }
        if team.is_some() {
            return Err(Outcome::error(
                "Error: a teammate needs a name; give name as well as team. Nobody was started.",
            ));
        }
        let ask = SubagentAsk {
            kind: self.agent_type,
            title,
            prompt: self.prompt,
            model,
        };
        Ok(if self.run_in_background {
            Way::Background(ask)
        } else {
            Way::Wait(ask)
        })
    }
}

/// A teammate of no particular kind.
fn is_general(kind: &str) -> bool {
    matches!(kind, "" | "general" | "general-purpose" | "code")
}

fn wrong(error: impl std::fmt::Display) -> Outcome {
    Outcome::error(format!("Error: {error}. Nobody was started."))
}

impl Task {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("task", EffectClass::Delegates),
        }
    }
}

impl Default for Task {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Task {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let (head, title, prompt) = match call.input.parse::<Input>()?.way()? {
            Way::Wait(ask) => (subagent(&ask), ask.title, ask.prompt),
            Way::Background(ask) => {
                let head = format!("{} in the background", subagent(&ask));
                (head, ask.title, ask.prompt)
            }
            Way::Teammate(ask) => {
                let head = format!("teammate {}", ask.name);
                (head, ask.role_or_default().to_owned(), ask.prompt)
            }
        };
        Ok(action(
            format!("{head}:\n{prompt}"),
            format!("{head}: {title}"),
        ))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            match call.input.parse().and_then(Input::way) {
                Ok(Way::Wait(ask)) => match context.subagents.make(&context.caller, ask) {
                    Ok(work) => work.await,
                    Err(refusal) => refused(&refusal),
                },
                Ok(Way::Background(ask)) => in_background(context, ask).await,
                Ok(Way::Teammate(ask)) => spawn_teammate::spawn(context, ask).await,
                Err(outcome) => outcome,
            }
        })
    }
}

fn subagent(ask: &SubagentAsk) -> String {
    let kind = match ask.kind.as_str() {
        "" => "general",
        kind => kind,
    };
    format!("subagent {kind}")
}

async fn in_background(context: &ToolContext, ask: SubagentAsk) -> Outcome {
    let title = format!("{}: {}", subagent(&ask), ask.title);
    let work = match context.subagents.make(&context.caller, ask) {
        Ok(work) => work,
        Err(refusal) => return refused(&refusal),
    };
    let work = move |room: JobRoom| async move {
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
    match context.background.start(&context.caller, job).await {
        Ok(view) => Outcome::ok(format!(
            "Started in the background as job {}. Its last word goes to {}. You will be told when it ends; {} looks at \
             it, {} ends it.",
            view.job.id,
            shown_path(&view.output, context).display(),
            context.tool_names.of("task_output"),
            context.tool_names.of("task_stop")
        )),
        Err(refusal) => refused(&refusal),
    }
}
