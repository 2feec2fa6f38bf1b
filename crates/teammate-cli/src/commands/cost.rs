//! `cost`: what the team has spent.

use clap::Args;
use teammate_view::t;

use super::verb::{TeamVerb, VerbCall, VerbOutput};
use crate::screen::{cost_json, cost_lines};

/// Show what the team has spent in all its runs: tokens and money, by member
#[derive(Args)]
pub(crate) struct Cost {}

impl TeamVerb for Cost {
    const WORD: &str = "/cost";
    const USAGE: &str = "";
    const ABOUT: &str = "tokens and money spent, by member";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let hosted = call.team.hosted();
        let (spending, prices) = match hosted {
            Some(team) => (team.spending(), team.prices().clone()),
            None => {
                let spending = call.team.look().await?.spending().await?;
                (spending, call.place.options.prices()?)
            }
        };
        let mut lines = Vec::new();
        if let Some(team) = hosted {
            lines.push(t("Since the team was opened:").to_owned());
            lines.extend(cost_lines(&team.session_spending(), &prices));
            lines.push(t("In all runs of the team:").to_owned());
        }
        lines.extend(cost_lines(&spending, &prices));
        VerbOutput::of(cost_json(&spending, &prices), lines)
    }
}
