//! `teammate export`: the whole run of a team, for people as Markdown and for programs as JSON. What it says is read off the view
//! that the screens have; here it is only written down.

mod entries;
mod json;
mod markdown;

use std::process::ExitCode;

use clap::Args;
use teammate::{ConversationLine, Prices, Spending, contained::may_fail_here};
use teammate_view::TeamView;

pub(super) use self::markdown::conversation;
use super::{
    CliContext, CliResult, SharedOptions, Verb, conversations, facts, print_json, print_line,
};
use crate::screen::clean;

/// Print the whole run: members, conversations, mail, board, requests, cost
///
/// As Markdown for people, or with --json for programs. Conversations and mail are there from the first entry that the event
/// log has. What models and files said stands there as it was said;
/// `teammate share` makes a page for others, with the secrets that it knows hidden.
#[derive(Args)]
pub(crate) struct Export {
    /// Print Markdown, which is what it does without a flag
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// All that is known of a run.
struct WholeRun {
    view: TeamView,
    is_running: bool,
    /// Each of the lead's conversations, and how it stands.
    conversations: Vec<(ConversationLine, &'static str)>,
    spending: Spending,
    prices: Prices,
}

impl WholeRun {
    async fn read(place: &CliContext) -> anyhow::Result<Self> {
        let prices = place.options.prices()?;
        let client = place.look().await?;
        let lines = client.conversations().await?.into_iter();
        Ok(Self {
            view: facts::fold_whole(&mut client.history()).await?,
            is_running: client.host().is_some(),
            conversations: lines
                .map(|line| {
                    let state = conversations::state(&line, &client);
                    (line, state)
                })
                .collect(),
            spending: client.spending().await?,
            prices,
        })
    }
}

impl Verb for Export {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        may_fail_here("export");
        let run = WholeRun::read(place).await?;
        match self.json {
            true => print_json(&json::of(&run)),
            false => print_line(clean(markdown::of(&run).trim_end())),
        }
        Ok(ExitCode::SUCCESS)
    }
}
