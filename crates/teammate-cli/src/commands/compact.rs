//! `teammate compact`: has a member's conversation summarized, from any terminal.

use clap::Args;
use serde_json::json;
use teammate::MemberName;

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};

/// Make a member's conversation shorter, with a summary by its own model
///
/// It happens between two calls of the model, or at once if the member is idle; `teammate log -f` tells how it went.
#[derive(Args)]
pub(crate) struct Compact {
    /// The member: lead (if there is no name), or a teammate's name
    name: Option<String>,

    /// What the summary should keep above all
    focus: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Compact {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let member = match &self.name {
            Some(name) => client.member(name)?,
            None => MemberName::lead(),
        };
        let focus = self.focus.join(" ");
        let focus = Some(focus.trim()).filter(|focus| !focus.is_empty());
        client.compact(&member, focus).await?;
        match self.json {
            true => print_json(&json!({ "compacts": member, "focus": focus })),
            false => print_line(format!("{member} makes its conversation shorter")),
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}
