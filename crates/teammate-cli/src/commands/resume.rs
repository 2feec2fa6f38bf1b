//! `teammate resume`: continues where the team was.

use std::io::IsTerminal as _;

use clap::Args;
use teammate::Conversation;

use super::{CliContext, CliResult, repl, run};
use crate::screen::OutputFormat;

/// Go on where the team was: unfinished turns continue, waiting mail is heard
///
/// Everything goes on, also what is paused since an earlier job. The lead goes on with the last conversation in which it has
/// something left to do.
///
/// At a terminal you talk with the lead afterwards; otherwise it exits when nobody works any more.
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
            return repl::run(place, Conversation::Everything).await;
        }
        let builder = self.headless.builder(&place, Conversation::Everything)?;
        let team = builder.prepare().await?;
        self.headless.run_job(team, None).await
    }
}
