//! `teammate stop`: stops a teammate, or pauses the whole team, from any terminal.

use std::{collections::BTreeMap, time::Duration};
use teammate_view::t;

use clap::Args;
use serde_json::json;
use teammate::{Halted, MemberName, SHUTDOWN_WITHIN, StopOutcome};

use super::{
    CliContext, CliResult, SharedOptions, Verb,
    not_continuing::{lines, unheard},
    print_json, print_line,
};
use crate::screen::clean;

/// Stop a teammate, or pause the whole team, and wait until that is done
///
/// An idle teammate stops at once. A working one is asked to leave its files in a sound state, and stops at the
/// deadline in any case. It stays stopped until the lead wakes it. Its transcript and mail are kept; its task goes
/// back to the board.
///
/// Pausing the whole team gives working members until the deadline to finish their step; then the program that runs
/// the team closes it. `teammate resume` continues with every member, turn and task.
#[derive(Args)]
pub(crate) struct Stop {
    /// The teammate to stop; without a name, or with `lead`, pause the whole team
    name: Option<String>,

    /// Seconds a working teammate has to agree, or the team has to finish its steps
    #[arg(long, value_name = "SECONDS", default_value_t = SHUTDOWN_WITHIN.as_secs_f64())]
    within: f64,

    /// Do not wait: stop the teammate without asking it, or interrupt the team's steps
    #[arg(long, conflicts_with = "within")]
    now: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Stop {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let member = match &self.name {
            Some(name) => client.member(name)?,
            None => MemberName::lead(),
        };
        let within = if self.now {
            Duration::ZERO
        } else {
            Duration::try_from_secs_f64(self.within)?
        };
        let stopped = client.stop(&member, within).await?;
        let mut halted = client.halted().await?;
        halted.retain(|other| other.unheard > 0 && (member.is_lead() || other.name == member));
        print_stopped(&member, &stopped, &halted, self.json);
        Ok(std::process::ExitCode::SUCCESS)
    }
}

fn print_stopped(member: &MemberName, stopped: &StopOutcome, halted: &[Halted], as_json: bool) {
    if as_json {
        let (request, how) = match stopped {
            StopOutcome::Member { request, how } => (*request, Some(how)),
            StopOutcome::Team { request } => (Some(*request), None),
        };
        let unheard: BTreeMap<&str, usize> = halted
            .iter()
            .map(|member| (member.name.as_str(), member.unheard))
            .collect();
        return print_json(&json!({
            "stopped": member,
            "is_team": matches!(stopped, StopOutcome::Team { .. }),
            "request": request.map(|request| request.to_string()),
            "how": how,
            "unheard": unheard,
        }));
    }
    match stopped {
        StopOutcome::Member { how, .. } => {
            let mail = halted.first().and_then(|member| unheard(member.unheard));
            let mail = mail.map_or_else(String::new, |mail| format!("; {mail}"));
            print_line(format!("{member} {}{mail}", clean(how)));
        }
        StopOutcome::Team { .. } => {
            print_line(t(
                "The team is paused. `teammate resume` continues with every member and task",
            ));
            for line in lines(halted) {
                print_line(clean(&line));
            }
        }
    }
}
