//! `teammate cost`: what the team has spent in all its runs.

use clap::Args;

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};
use crate::screen::{cost_json, cost_lines};

/// Show what the team has spent in all its runs: tokens and money, by member
#[derive(Args)]
pub(crate) struct Cost {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Cost {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let prices = place.options.prices()?;
        let spending = place.look().await?.spending().await?;
        if self.json {
            print_json(&cost_json(&spending, &prices));
        } else {
            cost_lines(&spending, &prices).iter().for_each(print_line);
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}
