//! `broadcast`: mail to every other member.

use serde::Deserialize;
use teammate_core::{
    TeamName,
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused, said};
use crate::spec::{one_line, spec};

/// The tool.
pub struct Broadcast {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "message")]
    content: String,
    #[serde(default, alias = "team_name")]
    team: Option<String>,
}

impl Input {
    fn checked(self) -> Result<(Option<TeamName>, String), Outcome> {
        let team = self
            .team
            .filter(|team| !team.is_empty())
            .map(|team| TeamName::parse(&team))
            .transpose()
            .map_err(|error| Outcome::error(format!("Error: {error}; nothing was sent.")))?;
        Ok((team, said(self.content)?))
    }
}

impl Broadcast {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("broadcast", EffectClass::Team),
        }
    }
}

impl Default for Broadcast {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Broadcast {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let summary = one_line(&input.content, 80);
        Ok(action(format!("to everybody:\n{}", input.content), summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let said = call.input.parse().and_then(Input::checked);
            let (team, content) = match said {
                Ok(said) => said,
                Err(outcome) => return outcome,
            };
            let sent = match &team {
                Some(team) => context.teams.tell(&context.caller, team, content).await,
                None => context.office.broadcast(&context.caller, content).await,
            };
            match sent {
                Ok(0) => Outcome::ok("Broadcast to 0 teammates: there are none."),
                Ok(count) => Outcome::ok(format!("Broadcast to {count} teammates")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
