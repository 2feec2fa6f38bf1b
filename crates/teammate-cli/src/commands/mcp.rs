//! `teammate mcp`: the Model Context Protocol. What each subcommand does is in a file of its own.

mod serve;

use clap::{Args, Subcommand};

use super::{CliContext, CliResult};

/// Serve the team to other programs over MCP, the Model Context Protocol
#[derive(Args)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    verb: McpCommand,
}

#[derive(Subcommand)]
enum McpCommand {
    Serve(serve::Serve),
}

impl Mcp {
    pub(crate) async fn run(self, place: CliContext) -> CliResult {
        match self.verb {
            McpCommand::Serve(command) => command.run(place).await,
        }
    }
}
