//! What becomes of words that were sent to a member: it hears them, or a process that runs the team is started for that.

use std::time::Duration;

use teammate::{Member, MemberName, TeamClient};
use tokio::time::{Instant, sleep};

use super::tool::Refused;
use crate::ServedTeam;

/// How long a member may take to begin. One that is in a turn is not waited for.
const BEGINS_WITHIN: Duration = Duration::from_secs(10);

/// How often to look.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What became of them.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hearing {
    /// The member has heard them, or will before its next model call.
    Heard,
    /// A process was started that runs the team.
    Started,
    /// They are in its mailbox.
    Waits,
}

impl Hearing {
    /// In words, for the client's model.
    pub(super) fn as_sentence(&self) -> &'static str {
        match self {
            Self::Heard => "heard, or will be before the member's next step",
            Self::Started => "the team did not run; it was started for this",
            Self::Waits => "saved; the member has not begun yet",
        }
    }
}

/// Sees to it that a member hears what was just sent to it. A process that is about to close the team may have missed it.
pub(super) async fn see_to_it(
    team: &ServedTeam,
    mut client: TeamClient,
    member: &MemberName,
) -> Result<Hearing, Refused> {
    let begun = Instant::now();
    loop {
        if client.host().is_none() {
            let _starting = team.starting.lock().await;
            // Another call may have started it meanwhile.
            client = team.look().await?;
            if client.host().is_none() {
                team.program.start(None).await.map_err(Refused)?;
                return Ok(Hearing::Started);
            }
        }
        if is_busy(&client, member) || client.inbox(member).await?.is_empty() {
            return Ok(Hearing::Heard);
        }
        if begun.elapsed() > BEGINS_WITHIN {
            return Ok(Hearing::Waits);
        }
        sleep(LOOK_EVERY).await;
        client = team.look().await?;
    }
}

fn is_busy(client: &TeamClient, name: &MemberName) -> bool {
    let member: Option<&Member> = client.team().member(name);
    member.is_some_and(|member| member.phase.is_busy())
}
