//! `create_team`: makes a team: a named group of teammates.

use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, one_team, refused};
use crate::spec::spec;

/// The tool.
pub struct CreateTeam {
    spec: ToolSpec,
}

impl CreateTeam {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("create_team", EffectClass::Team),
        }
    }
}

impl Default for CreateTeam {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for CreateTeam {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let team = one_team(call)?;
        Ok(action(format!("make team {team}"), team.to_string()))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let team = match one_team(call) {
                Ok(team) => team,
                Err(outcome) => return outcome,
            };
            match context.teams.make(&context.caller, &team).await {
                Ok(()) => Outcome::ok(format!("Team '{team}' created")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
