//! `teammate resume`: goes on where the team was.

use std::io::IsTerminal as _;

use clap::Args;

use super::{Ended, Place, repl, run};
use crate::screen::OutputFormat;

/// Go on where the team was: unfinished turns continue, waiting mail is heard
///
/// At a terminal you talk with the lead afterwards; otherwise it exits when nobody works any more.
#[derive(Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    headless: run::Headless,
}

impl Resume {
    pub(crate) async fn run(self, place: Place) -> Ended {
        // A directory without a team is an error here, not a new team.
        place.look().await?;
        if std::io::stdin().is_terminal() && self.headless.output_format == OutputFormat::Text {
            return repl::run(place).await;
        }
        let team = self.headless.prepare(&place).await?;
        self.headless.job(team, None).await
    }
}
