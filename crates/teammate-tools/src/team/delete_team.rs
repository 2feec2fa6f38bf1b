//! `delete_team`: ends a team: its members are stopped, their files kept.

use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, one_team, refused};
use crate::spec::spec;

/// The tool.
pub struct DeleteTeam {
    spec: ToolSpec,
}

impl DeleteTeam {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("delete_team", EffectClass::Team),
        }
    }
}

impl Default for DeleteTeam {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for DeleteTeam {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let team = one_team(call)?;
        Ok(action(
            format!("end team {team} and stop its members"),
            team.to_string(),
        ))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let team = match one_team(call) {
                Ok(team) => team,
                Err(outcome) => return outcome,
            };
            match context.teams.end(&context.caller, &team).await {
                Ok(ended) => Outcome::ok(format!(
                    "Team '{team}' deleted, {} stopped. What they leave behind is kept in {}",
                    match ended.members.len() {
                        1 => "1 teammate".to_owned(),
                        count => format!("{count} teammates"),
                    },
                    ended.kept_in
                )),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
