//! `start_team`: a job for the lead.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use teammate::{MemberName, TeamClient, handle::Say};
use tokio::time::{Instant, sleep};

use super::words::sendable;
use crate::mcp::{
    FirstJob, ServedTeam,
    hearing::see_to_it,
    standing::Standing,
    tool::{Call, Effect, Refused, ServedTool},
};

/// How long a process that has nothing left to do may take to close the team.
const CLOSES_WITHIN: Duration = Duration::from_secs(5);

/// How often to look whether it has.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub(in crate::mcp) struct StartTeam;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// The job in full: the team has read nothing of your conversation.
    job: String,
    /// True: the lead goes on in its last conversation. False, the default: it begins a new one; tasks and members stay.
    #[serde(default, rename = "continue")]
    goes_on: bool,
}

impl ServedTool for StartTeam {
    type Input = Input;

    const NAME: &'static str = "start_team";
    const DESCRIPTION: &'static str = "Give the team's lead a job. Starts the team in the background if it does not run, and \
        returns at once; it ends by itself when all is done. Then call wait_for_team.";
    const EFFECT: Effect = Effect::Changes;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let team = &call.team;
        let job = sendable(&input.job, "job")?;
        let starting = team.starting.lock().await;
        if let Some(client) = running(team).await? {
            drop(starting);
            return add(team, client, job, input.goes_on).await;
        }
        let first = FirstJob {
            text: job,
            goes_on: input.goes_on,
        };
        let process = team.program.start(Some(first)).await.map_err(Refused)?;
        Ok(json!({
            "state": Standing::Working.as_str(),
            "runs_in": process,
            "next": "call wait_for_team",
        }))
    }
}

/// The team, if a process runs it that does not end just now.
async fn running(team: &ServedTeam) -> Result<Option<TeamClient>, Refused> {
    let begun = Instant::now();
    loop {
        let Some(client) = team.find().await?.filter(|team| team.host().is_some()) else {
            return Ok(None);
        };
        let is_idle = Standing::of(&client).await? == Standing::Idle;
        if !is_idle || begun.elapsed() > CLOSES_WITHIN {
            return Ok(Some(client));
        }
        sleep(LOOK_EVERY).await;
    }
}

/// The job as a message to the lead of a team that runs.
async fn add(
    team: &ServedTeam,
    mut client: TeamClient,
    job: String,
    goes_on: bool,
) -> Result<Value, Refused> {
    let process = client.host().unwrap_or_default();
    if !goes_on {
        return Err(Refused(format!(
            "the team runs already, in {process}, and has a conversation under way. start_team with continue: true adds the job \
             to it; stop_team ends it first; wait_for_team waits for what it is doing"
        )));
    }
    client.ask(Say::to("lead", job)).await?;
    let heard = see_to_it(team, client, &MemberName::lead()).await?;
    Ok(json!({
        "state": Standing::Working.as_str(),
        "runs_in": process,
        "job": heard.as_sentence(),
        "next": "call wait_for_team",
    }))
}
