//! `teammate stop`: ends a teammate, or the whole team, from any terminal.

use std::time::Duration;

use clap::Args;
use serde_json::json;
use teammate::{MemberName, Stopped};

use super::{Ended, Place, say, say_json};
use crate::screen::clean;

/// Stop a teammate, or the whole team; returns when it is stopped
///
/// Whoever rests stops at once. Whoever works is asked to leave its files in a sound state, and is stopped at the deadline in any
/// case. Transcripts and mail are kept: a stopped teammate can be woken, a stopped team goes on with `teammate resume`.
#[derive(Args)]
pub(crate) struct Stop {
    /// Who; without a name, or with `lead`, the whole team
    name: Option<String>,

    /// How many seconds who works has to agree
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    within: f64,

    /// Without asking
    #[arg(long, conflicts_with = "within")]
    now: bool,

    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Stop {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let mut outside = place.look().await?;
        let member = match &self.name {
            Some(name) => outside.member(name)?,
            None => MemberName::lead(),
        };
        let within = if self.now {
            Duration::ZERO
        } else {
            Duration::try_from_secs_f64(self.within)?
        };
        let stopped = outside.stop(&member, within).await?;
        tell(&member, &stopped, self.json);
        Ok(std::process::ExitCode::SUCCESS)
    }
}

fn tell(member: &MemberName, stopped: &Stopped, as_json: bool) {
    if as_json {
        let (request, how) = match stopped {
            Stopped::Member { request, how } => (*request, Some(how)),
            Stopped::Team { request } => (Some(*request), None),
        };
        return say_json(&json!({
            "stopped": member,
            "is_team": matches!(stopped, Stopped::Team { .. }),
            "request": request.map(|request| request.to_string()),
            "how": how,
        }));
    }
    match stopped {
        Stopped::Member { how, .. } => say(format!("{member} {}", clean(how))),
        Stopped::Team { .. } => say("The team is stopped; `teammate resume` goes on"),
    }
}
