//! `list_teammates`: who is in the team and what they are doing.

use teammate_core::{
    fence::escaped_line,
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::action;
use crate::spec::spec;

/// The tool.
pub struct ListTeammates {
    spec: ToolSpec,
}

impl ListTeammates {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("list_teammates", EffectClass::Team),
        }
    }
}

impl Default for ListTeammates {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for ListTeammates {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, _call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        Ok(action("list the team", "who is there"))
    }

    fn run<'a>(&'a self, _call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let roster = context.office.roster().await;
            if roster.iter().all(|line| line.name.is_lead()) {
                return Outcome::ok("No teammates.");
            }
            let lines = roster.iter().map(|line| {
                let team = line.team.as_ref().map(|team| format!(", team {team}"));
                let team = team.unwrap_or_default();
                let role = escaped_line(&line.role);
                format!("\n  {} ({role}{team}): {}", line.name, line.status)
            });
            Outcome::ok(format!("Team members:{}", lines.collect::<String>()))
        })
    }
}
