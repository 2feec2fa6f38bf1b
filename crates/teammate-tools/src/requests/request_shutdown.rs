//! `request_shutdown`: asks a teammate to shut down, or stops it at once.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Shutdown, ShutdownAsk, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use crate::{
    spec::spec,
    team::{action, refused},
};

/// The tool.
pub struct RequestShutdown {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "teammate", alias = "member", alias = "target")]
    name: String,
    #[serde(default)]
    reason: String,
    #[serde(default, alias = "force")]
    now: bool,
}

fn told(shutdown: &Shutdown) -> String {
    match shutdown {
        Shutdown::Stopped {
            member,
            request,
            how,
            left,
        } => format!("'{member}' is stopped ({request}, {how}).{left}"),
        Shutdown::Refused {
            member,
            request,
            because,
        } => format!("'{member}' goes on ({request}): {because}"),
        Shutdown::Asked {
            member,
            request,
            within,
        } => format!(
            "Shutdown request sent to '{member}' ({request}). It is working and will answer between two steps, or be stopped after {} s; you \
             will be told by mail. Do not wait by asking again: end your turn or go on",
            within.as_secs()
        ),
    }
}

impl RequestShutdown {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("request_shutdown", EffectClass::Team),
        }
    }
}

impl Default for RequestShutdown {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for RequestShutdown {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let Input { name, now, .. } = call.input.parse()?;
        let how = if now { " at once" } else { "" };
        Ok(action(
            format!("shut down {name}{how}"),
            format!("{name}{how}"),
        ))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let ask = ShutdownAsk {
                name: input.name,
                reason: input.reason,
                now: input.now,
            };
            match context.requests.shut_down(&context.caller, ask).await {
                Ok(shutdown) => Outcome::ok(told(&shutdown)),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
