//! `teammate watch`: the full screen of a team, whether a process runs it or not, now or at an earlier moment.

use clap::Args;
use teammate::Timestamp;

use super::{CliContext, CliResult, SharedOptions, UsageError, Verb};
use crate::screen::past_moment;

/// Look at a team in the full screen, without running it
///
/// Shows the team that another process runs, or one that is paused as it was left. Leaving it ends nothing. `[` and `]`
/// step through what happened, `/at TIME` goes to a moment.
#[derive(Args)]
pub(crate) struct Watch {
    /// Begin at this moment of the past: 14:05, 2026-11-22T14:05, or 45s, 10m, 2h, 3d ago
    #[arg(long, value_name = "TIME", value_parser = past_moment)]
    at: Option<Timestamp>,
}

impl Verb for Watch {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        // A directory without a team is an error here, not a new team.
        let client = place.look().await?;
        #[cfg(feature = "tui")]
        if super::face::shows_full(place)? {
            let end = super::face::watch(place, client, self.at).await?;
            return super::talk::go_on(place.clone(), end).await;
        }
        #[cfg(not(feature = "tui"))]
        let _ = (client, self.at);
        Err(UsageError(
            "watch needs the full screen, on a terminal that can show it. `teammate log` shows what happened line by line, \
             `teammate log -f` what happens"
                .to_owned(),
        )
        .into())
    }
}
