//! `teammate interrupt`: ends the turn of a member, or of all, from any terminal.

use clap::Args;
use serde_json::json;

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};

/// Interrupt a member, or everybody: end what they are doing now
///
/// What they have done stays in their conversations, and background jobs go on. A message lets them continue. To have a
/// teammate leave for good, or to pause the team, use `teammate stop`.
#[derive(Args)]
pub(crate) struct Interrupt {
    /// The member: lead, or a teammate's name; without a name, everybody
    name: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Interrupt {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let member = self.name.map(|name| client.member(&name)).transpose()?;
        client.interrupt(member.as_ref()).await?;
        match (self.json, &member) {
            (true, _) => print_json(&json!({ "interrupted": member })),
            (false, Some(member)) => print_line(format!("Interrupted {member}")),
            (false, None) => print_line("Interrupted everybody"),
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}
