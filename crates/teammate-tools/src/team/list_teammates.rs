//! `list_teammates`: who is in the team and what they are doing.

use teammate_core::{
    fence::escaped_line,
    port::{Action, ToolContext, WorkerSummary},
    tool::{EffectClass, Outcome, ToolInput},
};

use crate::typed_tool::{NoInput, Reply, TypedTool, done, team_action};

pub(super) struct ListTeammates;

impl TypedTool for ListTeammates {
    type Input = NoInput;
    const NAME: &'static str = "list_teammates";
    const DESCRIPTION: &'static str = "List the members, their roles and what they do.";
    const CLASS: EffectClass = EffectClass::Team;

    fn input(_: &ToolInput) -> Result<NoInput, Outcome> {
        Ok(NoInput {})
    }

    fn action(&self, _: &NoInput, _: &ToolContext) -> Result<Action, Outcome> {
        Ok(team_action("list the team", "who is there"))
    }

    async fn run(&self, _: NoInput, context: &ToolContext) -> Reply {
        let roster = context.team.roster();
        let workers: String = context.team.workers().iter().map(worker_line).collect();
        let workers = match workers.is_empty() {
            true => workers,
            false => format!("\nWorkers:{workers}"),
        };
        if roster.iter().all(|line| line.name.is_lead()) {
            return done(format!("No teammates.{workers}"));
        }
        let lines = roster.iter().map(|line| {
            let team = line.team.as_ref().map(|team| format!(", team {team}"));
            let team = team.unwrap_or_default();
            let role = escaped_line(&line.role);
            format!("\n  {} ({role}{team}): {}", line.name, line.status)
        });
        let members: String = lines.collect();
        done(format!("Team members:{members}{workers}"))
    }
}

fn worker_line(worker: &WorkerSummary) -> String {
    let labels: Vec<String> = worker.labels.iter().map(ToString::to_string).collect();
    let labels = match labels.is_empty() {
        true => "no label".to_owned(),
        false => labels.join(", "),
    };
    let (name, members, places) = (&worker.name, worker.members, worker.places);
    format!("\n  {name}: {labels}; {members} of {places} places taken")
}
