//! `request_plan`: asks a teammate for a plan before it does more than read.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, PlanRequired, Tool, ToolContext},
    team::Job,
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use crate::{
    spec::{one_line, spec},
    team::{action, refused},
};

/// The tool.
pub struct RequestPlan {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "teammate", alias = "member")]
    name: String,
    #[serde(default, alias = "about")]
    task: String,
    #[serde(default)]
    lift: bool,
}

impl Input {
    /// What the plan shall be about; nothing, if none is required any more.
    fn about(&self) -> Result<Option<&str>, Outcome> {
        match self.task.trim() {
            _ if self.lift => Ok(None),
            "" => Err(Outcome::error(
                "Error: say in 'task' what the plan shall be about. Nothing was asked.",
            )),
            about => Ok(Some(about)),
        }
    }
}

impl RequestPlan {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("request_plan", EffectClass::Team),
        }
    }
}

impl Default for RequestPlan {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for RequestPlan {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let name = &input.name;
        Ok(match input.about()? {
            Some(about) => action(
                format!("ask {name} for a plan: {about}"),
                format!("{name}: {}", one_line(about, 60)),
            ),
            None => action(
                format!("let {name} work without a plan"),
                format!("{name}: none any more"),
            ),
        })
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            match input.about() {
                Ok(Some(about)) => ask(&input.name, about, context).await,
                Ok(None) => lift(&input.name, context).await,
                Err(outcome) => outcome,
            }
        })
    }
}

async fn ask(name: &str, about: &str, context: &ToolContext) -> Outcome {
    let asked = context
        .requests
        .request_plan(&context.caller, name, about.to_owned());
    match asked.await {
        Ok(PlanRequired { member, ended }) => {
            let ended: Vec<String> = ended.iter().map(Job::named).collect();
            let ended = if ended.is_empty() {
                String::new()
            } else {
                format!(
                    ". What it had running in the background was ended: {}",
                    ended.join(", ")
                )
            };
            Outcome::ok(format!(
                "Asked '{member}' for a plan; until one is approved it may only read{ended}. You will be told when it is submitted"
            ))
        }
        Err(refusal) => refused(&refusal),
    }
}

async fn lift(name: &str, context: &ToolContext) -> Outcome {
    match context.requests.lift_plan(&context.caller, name).await {
        Ok(member) => Outcome::ok(format!("'{member}' needs no approved plan any more")),
        Err(refusal) => refused(&refusal),
    }
}
