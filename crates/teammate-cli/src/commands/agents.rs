//! `teammate agents`: agents of other makes. What each subcommand does is in a file of its own.

mod list;
mod parts;
mod row;
mod test;

use clap::{Args, Subcommand};

use super::{CliContext, CliResult, SharedOptions, Verb};
use crate::settings::TEAM_TOOLS;

/// Agents of other makes, by the Agent Client Protocol: which you have, and what they can do
#[derive(Args)]
pub(crate) struct Agents {
    #[command(subcommand)]
    verb: AgentsCommand,
}

#[derive(Subcommand)]
enum AgentsCommand {
    List(list::List),
    Test(test::Test),
    #[command(hide = true)]
    Play(parts::Play),
    #[command(name = parts::TOOL_SERVER, hide = true)]
    ToolServer(parts::ToolServer),
    #[command(name = TEAM_TOOLS, hide = true)]
    TeamTools(parts::TeamTools),
}

impl Verb for Agents {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&["deny", "network", "sandbox"]);

    async fn run(self, place: &CliContext) -> CliResult {
        match self.verb {
            AgentsCommand::List(command) => command.run(place),
            AgentsCommand::Test(command) => command.run(place).await,
            AgentsCommand::Play(command) => command.run(),
            AgentsCommand::ToolServer(command) => command.run().await,
            AgentsCommand::TeamTools(command) => command.run(),
        }
    }
}
