//! `wait_for_team`: waits until there is something to know, but never for long: clients give up calls that take minutes.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use teammate::{Member, MemberName, TeamClient};
use tokio::time::{Instant, sleep_until};

use crate::mcp::{
    shown,
    standing::Standing,
    tool::{Call, Effect, Refused, ServedTool},
};

/// Some clients cut a call after 60 seconds unless somebody has set another time.
const SECONDS: u64 = 50;

/// And one after 300, whatever is said.
const SECONDS_MAX: u64 = 240;

/// A team that seems to rest does so for as long before it is believed: mail may be on its way from one to another.
const SETTLED: Duration = Duration::from_millis(500);

/// Without a change of its files a team is looked at so often: that its process was killed changes none.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// How often a client that wants it hears how far the team is, at most, and at least.
const SAY_EVERY: Duration = Duration::from_secs(1);
const SAY_AT_LEAST_EVERY: Duration = Duration::from_secs(10);

pub(in crate::mcp) struct WaitForTeam;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// How long to wait at most: 1 to 240, 50 by default. More than 50 only if your client lets a call take that long.
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

impl ServedTool for WaitForTeam {
    type Input = Input;

    const NAME: &'static str = "wait_for_team";
    const DESCRIPTION: &'static str = "Wait until the team is done, or asks the user something new. Returns its state: idle (with \
        the lead's result), asks_user, paused, or working if time is over: then call it again.";
    const EFFECT: Effect = Effect::Looks;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let seconds = input.timeout_seconds.unwrap_or(SECONDS);
        let seconds = Duration::from_secs(seconds.clamp(1, SECONDS_MAX));
        let (client, standing) = wait(call, Instant::now() + seconds).await?;
        let mut shown = shown::team(&call.team, &client, standing).await?;
        let lead = MemberName::lead();
        if standing == Standing::Idle
            && let Some(result) = client.last_result(&lead).await?
        {
            shown.insert("result".to_owned(), shown::result(&lead, &result, 0));
        }
        Ok(shown.into())
    }
}

/// Follows the team until there is something to know, or time is over.
async fn wait(call: &Call, deadline: Instant) -> Result<(TeamClient, Standing), Refused> {
    let mut team = call.team.look().await?.follow().await?;
    let mut rests_since = None;
    let mut reporter = Reporter::default();
    loop {
        let client = team.client();
        let standing = Standing::of(client).await?;
        let now = Instant::now();
        let ends = match standing {
            Standing::Working | Standing::AsksUser => {
                rests_since = None;
                let questions = client.team().questions().map(|request| request.id);
                call.team.note_requests(questions)
            }
            Standing::Idle | Standing::Paused => {
                let since = *rests_since.get_or_insert(now);
                now - since >= SETTLED || (standing == Standing::Idle && client.host().is_none())
            }
        };
        if ends || now >= deadline {
            return Ok((team.into_client(), standing));
        }
        reporter.report(call, client).await;
        let pause = if rests_since.is_some() {
            SETTLED
        } else {
            LOOK_EVERY
        };
        tokio::select! {
            changed = team.changed() => changed?,
            () = sleep_until(deadline.min(now + pause)) => { team.look_again().await?; }
            () = call.ends() => return Err(Refused("cancelled: nobody waits any more".to_owned())),
        }
    }
}

/// Says how far the team is.
#[derive(Default)]
struct Reporter {
    step: u64,
    last: Option<(Instant, String)>,
}

impl Reporter {
    async fn report(&mut self, call: &Call, client: &TeamClient) {
        if !call.progress.is_wanted() {
            return;
        }
        let line = headline(client);
        if let Some((said_at, said)) = &self.last {
            let pause = if *said == line {
                SAY_AT_LEAST_EVERY
            } else {
                SAY_EVERY
            };
            if said_at.elapsed() < pause {
                return;
            }
        }
        self.step += 1;
        call.progress.say(self.step, teammate::visible(&line)).await;
        self.last = Some((Instant::now(), line));
    }
}

/// Who does what, in a line: `lead waits; alice: write the parser; 2 of 4 done`.
fn headline(client: &TeamClient) -> String {
    let busy = client.team().members().filter(|one| one.phase.is_busy());
    let mut parts: Vec<String> = busy.map(|one| works(client, one)).collect();
    if client.board().progress().total() > 0 {
        parts.push(client.board().summary_line());
    }
    match parts.is_empty() {
        true => "nobody works".to_owned(),
        false => parts.join("; "),
    }
}

fn works(client: &TeamClient, member: &Member) -> String {
    let name = &member.name;
    match client.doing(member) {
        Some(doing) => format!("{name}: {doing}"),
        None => format!("{name}: {}", client.describe(member)),
    }
}
