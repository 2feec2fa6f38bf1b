//! `teammate resume`: continues where the team was.

use std::{io::IsTerminal as _, process::ExitCode};
use teammate_view::t;

use clap::Args;
use teammate::Conversation;

use super::{CliContext, CliResult, SharedOptions, Verb, print_line, run, talk};
use crate::screen::{OutputFormat, clean};

/// Continue a paused team: unfinished turns go on, and members read waiting mail
///
/// Continues everything, including what earlier jobs left paused. The lead continues the last conversation in which
/// it has work left. Where workers let the team go, they take it up again.
///
/// At a terminal it then opens the prompt; otherwise it exits when no member works any more.
#[derive(Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    headless: run::Headless,
}

impl Verb for Resume {
    const SHARED: SharedOptions = SharedOptions::Opens;

    async fn run(self, place: &CliContext) -> CliResult {
        // A directory without a team is an error here, not a new team.
        place.look().await?;
        let is_at_terminal = std::io::stdin().is_terminal();
        if let Some(workers) = place.taken_up_by_workers().await? {
            print_line(clean(&t!("The team goes on, run by {workers}", workers)));
            if !is_at_terminal {
                return Ok(ExitCode::SUCCESS);
            }
            let attached = CliContext {
                is_attached: true,
                ..place.clone()
            };
            return talk::run(attached, Conversation::Last, None).await;
        }
        if is_at_terminal && self.headless.output_format == OutputFormat::Text {
            return talk::run(place.clone(), Conversation::Everything, None).await;
        }
        let builder = self.headless.builder(place, Conversation::Everything)?;
        let team = builder.prepare().await?;
        self.headless.run_job(team, None).await
    }
}
