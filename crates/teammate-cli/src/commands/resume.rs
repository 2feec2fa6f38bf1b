//! `teammate resume`: continues where the team was.

use std::io::IsTerminal as _;

use clap::Args;
use teammate::Conversation;

use super::{CliContext, CliResult, run, talk};
use crate::screen::OutputFormat;

/// Continue a paused team: unfinished turns go on, and members read waiting mail
///
/// Continues everything, including what earlier jobs left paused. The lead continues the last conversation in which
/// it has work left.
///
/// At a terminal it then opens the prompt; otherwise it exits when no member works any more.
#[derive(Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    headless: run::Headless,
}

impl Resume {
    pub(crate) async fn run(self, place: CliContext) -> CliResult {
        // A directory without a team is an error here, not a new team.
        place.look().await?;
        if std::io::stdin().is_terminal() && self.headless.output_format == OutputFormat::Text {
            return talk::run(place, Conversation::Everything, None).await;
        }
        let builder = self.headless.builder(&place, Conversation::Everything)?;
        let team = builder.prepare().await?;
        self.headless.run_job(team, None).await
    }
}
