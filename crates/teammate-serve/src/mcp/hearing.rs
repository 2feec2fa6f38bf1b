//! The fate of words that were sent to a member: it hears them, or a process that runs the team is started for that.

use std::time::Duration;

use teammate::{MemberName, TeamClient};
use tokio::time::{Instant, sleep};

use super::tool::Refused;
use crate::mcp::ServedTeam;

/// How long a member may take to begin. One that is in a turn is not waited for.
const BEGINS_WITHIN: Duration = Duration::from_secs(10);

/// How often to look: that a process ends, and that mail is taken, changes no journal.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The fate of the words.
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
    served: &ServedTeam,
    client: TeamClient,
    member: &MemberName,
) -> Result<Hearing, Refused> {
    let mut team = client.follow().await?;
    let begun = Instant::now();
    loop {
        if team.client().host().is_none() {
            let _starting = served.starting.lock().await;
            // Another call may have started it meanwhile.
            team.look_again().await?;
            if team.client().host().is_none() {
                served.program.start(None).await.map_err(Refused)?;
                return Ok(Hearing::Started);
            }
        }
        let client = team.client();
        if is_busy(client, member) || client.inbox(member).await?.is_empty() {
            return Ok(Hearing::Heard);
        }
        if begun.elapsed() > BEGINS_WITHIN {
            return Ok(Hearing::Waits);
        }
        tokio::select! {
            changed = team.changed() => changed?,
            () = sleep(LOOK_EVERY) => { team.look_again().await?; }
        }
    }
}

fn is_busy(client: &TeamClient, name: &MemberName) -> bool {
    let member = client.team().member(name);
    member.is_some_and(|member| member.phase.is_busy())
}
