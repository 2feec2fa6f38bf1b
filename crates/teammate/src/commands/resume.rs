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
    /// What is printed when it is not at a terminal
    #[arg(long, value_enum, default_value_t)]
    output_format: OutputFormat,

    #[command(flatten)]
    answers: run::Answers,
}

impl Resume {
    pub(crate) async fn run(self, place: Place) -> Ended {
        // A directory without a team is an error here, not a new team.
        place.look().await?;
        if std::io::stdin().is_terminal() && self.output_format == OutputFormat::Text {
            return repl::run(place, true).await;
        }
        let team = place
            .options
            .builder(self.answers.are_awaited())?
            .waits_for_answers(self.answers.are_awaited())
            .prepare()
            .await?;
        run::job(team, None, self.output_format).await
    }
}
